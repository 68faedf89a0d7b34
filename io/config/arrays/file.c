#define _POSIX_C_SOURCE 200809L
/* Cell arrays from files: raw numbers, an Eclipse keyword, an HDF5 dataset. */
#include <ctype.h>
#include <errno.h>
#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/rehearse.h"
#include "io/config/impl.h"
#include "io/files/hdf5.h"
#include "io/files/stream.h"
#include "io/files/text.h"

typedef enum { RAW, ECLIPSE, HDF5 } file_format;

enum { WORDS_MAX = 5 }; /* words of one file that are no numbers and are reported one by one */

/* Values of the array, of all ranks; 0 where the grid's size is not known, and the file cannot be measured by it. */
static int64_t cells_of(const hp_config *r, hp_array_shape a) {
  return r->stand_in || a.deck[2] == 0 ? 0 : (int64_t)a.whole * hp_array_rows(a) * a.nz;
}

/* ---- numbers in text ---- */

typedef struct {
  hp_config *r;
  const hp_setting *s;
  const char *path;
  hp_stream text;
  const char *at; /* in it, up to the next look */
  int line;
} source;

/* Whether anything stands at f->at; more of the file is read where little is left. */
static bool look(source *f) {
  f->text.at = f->at;
  const bool there = hp_stream_more(&f->text);
  f->at = f->text.at;
  return there;
}

/* Skips blanks, commas and, in Eclipse's format, comments; false at the end. Behind it a whole number can be read. */
static bool skip_blanks(source *f, bool comments) {
  for (; *f->at != '\0' || look(f); ++f->at) {
    if (comments && f->at[0] == '-' && f->at[1] == '-')
      while (f->at[1] != '\n' && (f->at[1] != '\0' || (look(f) && f->at[1] != '\0'))) ++f->at;
    else if (*f->at == '\n') f->line += 1;
    else if (!isspace((unsigned char)*f->at) && *f->at != ',') return look(f);
  }
  return false;
}

/* A number, with Fortran's exponents 1D-5 too. */
static bool read_number(source *f, double *v) {
  char *end;
  *v = strtod(f->at, &end);
  if (end == f->at) return false;
  if ((*end == 'D' || *end == 'd') && (isdigit((unsigned char)end[1]) || end[1] == '-' || end[1] == '+')) {
    char *after;
    const long power = strtol(end + 1, &after, 10);
    *v *= pow(10.0, (double)power);
    end = after;
  }
  if (*end != '\0' && !isspace((unsigned char)*end) && strchr(",*/", *end) == NULL) return false;
  f->at = end;
  return true;
}

/* Tells of a word that is no number, but not which, as the file may be one that is not the deck's to show, and goes on
 * behind it; false: enough are reported. */
static bool bad_number(source *f, int *reported) {
  hp_config_error(f->r, f->s, "%s:%d: a word that is not a number", f->path, f->line);
  do ++f->at;
  while ((*f->at != '\0' || look(f)) && isgraph((unsigned char)*f->at) && *f->at != ',' && *f->at != '/');
  *reported += 1;
  return *reported < WORDS_MAX;
}

/* Whole fields before the wanted one are read and dropped. */
static void read_raw(source *f, hp_array_shape a, hp_array_sink *to) {
  const int64_t n = cells_of(f->r, a);
  int index = 0, reported = 0;
  const bool known = hp_config_int(f->r, f->s, "array.index", &index) || hp_config_member(f->s, "index") == NULL;
  const int64_t skip = n * index;
  int64_t count = 0;
  for (; skip_blanks(f, false); ++count) {
    double v;
    if (count >= skip + n && index > 0) break; /* further fields need not be read */
    if (!read_number(f, &v)) {
      if (!bad_number(f, &reported)) return;
    } else if (count >= skip && count < skip + n) {
      hp_array_sink_put(to, count - skip, v);
    }
  }
  if (n == 0 || !known) return;
  if (count < skip + n)
    hp_config_error(f->r, f->s, "%s: %lld numbers: expected %lld (%d x %d x %d%s)", f->path, (long long)count,
                    (long long)(skip + n), a.whole, hp_array_rows(a), a.nz, index > 0 ? " for each field" : "");
  else if (index == 0 && count % n != 0) /* several whole fields: the first is meant; anything else is the wrong file */
    hp_config_error(f->r, f->s, "%s: %lld numbers: expected %lld (%d x %d x %d)", f->path, (long long)count,
                    (long long)n, a.whole, hp_array_rows(a), a.nz);
}

/* ---- Eclipse ---- */

/* Goes behind the line that holds the keyword; keywords stand alone at a line's start. */
static bool find_keyword(source *f, const char *keyword) {
  const size_t length = strlen(keyword);
  while (look(f)) {
    const char *c = f->at;
    size_t n = 0;
    while (n < length && toupper((unsigned char)c[n]) == toupper((unsigned char)keyword[n])) ++n;
    const bool found = n == length && (c[n] == '\0' || isspace((unsigned char)c[n]));
    while (*f->at != '\n' && (*f->at != '\0' || look(f))) ++f->at;
    if (*f->at == '\n') {
      ++f->at;
      f->line += 1;
    }
    if (found) return true;
  }
  return false;
}

static void read_eclipse(source *f, hp_array_shape a, hp_array_sink *to) {
  const char *keyword = NULL;
  if (!hp_config_string(f->r, f->s, "array.keyword", &keyword)) {
    if (hp_config_member(f->s, "keyword") == NULL)
      hp_config_error(f->r, f->s, "keyword is missing: %s", hp_config_key_find("array.keyword")->what);
    return;
  }
  if (!find_keyword(f, keyword)) {
    hp_config_error(f->r, f->s, "%s: has no keyword %s", f->path, keyword);
    return;
  }
  const int64_t n = cells_of(f->r, a);
  int64_t count = 0;
  int reported = 0;
  while (skip_blanks(f, true) && *f->at != '/') {
    double v, repeat = 1.0;
    if (!read_number(f, &v)) {
      if (!bad_number(f, &reported)) return;
      count += 1;
      continue;
    }
    if (*f->at == '*') {
      repeat = v;
      f->at += 1;
      if (repeat < 1.0 || repeat > 2147483647.0 || repeat != floor(repeat) || !read_number(f, &v)) {
        hp_config_error(f->r, f->s, "%s:%d: a repeat is N*value with N a positive integer", f->path, f->line);
        return;
      }
    }
    for (int64_t m = 0; m < (int64_t)repeat && count + m < n; ++m) hp_array_sink_put(to, count + m, v);
    count += (int64_t)repeat;
  }
  if (*f->at != '/') hp_config_error(f->r, f->s, "%s: %s has no closing /", f->path, keyword);
  else if (n > 0 && count != n)
    hp_config_error(f->r, f->s, "%s: %s has %lld numbers: expected %lld (%d x %d x %d)", f->path, keyword,
                    (long long)count, (long long)n, a.whole, hp_array_rows(a), a.nz);
}

/* ---- HDF5 ---- */

static void shape_text(const hsize_t *d, int rank, char *out, size_t size) {
  out[0] = '\0';
  for (int n = 0; n < rank; ++n) {
    const size_t used = strlen(out);
    snprintf(out + used, size - used, "[%llu]", (unsigned long long)d[n]);
  }
}

/* Layers of the data set that are read at once: whole chunks, some MB of them. */
static hsize_t layers_of(hid_t set, hsize_t layers, hsize_t layer) {
  enum { NUMBERS = 1 << 20 };
  hsize_t chunk[H5S_MAX_RANK] = {1}, step = 1;
  const hid_t how = H5Dget_create_plist(set);
  if (how >= 0 && H5Pget_layout(how) == H5D_CHUNKED) H5Pget_chunk(how, H5S_MAX_RANK, chunk);
  if (how >= 0) H5Pclose(how);
  while ((step + chunk[0]) * layer <= NUMBERS && step < layers) step += chunk[0];
  return step > 1 ? step - 1 : chunk[0];
}

/* Sources of what is read. */
typedef struct {
  hp_config *r;
  const hp_setting *s;
  const char *path, *name; /* of the file, of the data set */
  hp_array_shape a;
  hp_array_sink *to;
} dataset;

/* The numbers of layers k .. k + count - 1; false: they cannot be read. */
static bool read_layers(const dataset *d, hid_t set, hid_t space, bool flat, hsize_t k, hsize_t count, double *number) {
  const hsize_t ny = (hsize_t)hp_array_rows(d->a), nx = (hsize_t)d->a.whole, size = count * ny * nx;
  const hsize_t from[3] = {k, 0, 0}, box[3] = {count, ny, nx};
  const hid_t here = H5Screate_simple(1, &size, NULL);
  const bool good = here >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, from + flat, NULL, box + flat, NULL) >= 0 &&
                    H5Dread(set, H5T_NATIVE_DOUBLE, here, space, H5P_DEFAULT, number) >= 0;
  if (here >= 0) H5Sclose(here);
  for (hsize_t n = 0; good && n < size; ++n) hp_array_sink_put(d->to, (int64_t)(k * ny * nx + n), number[n]);
  return good;
}

/* Piece by piece; false: not numbers. */
static hp_status read_numbers(const dataset *d, hid_t set, hid_t space, bool flat) {
  const hsize_t layer = (hsize_t)hp_array_rows(d->a) * (hsize_t)d->a.whole, layers = (hsize_t)d->a.nz;
  hsize_t step = flat ? 1 : layers_of(set, layers, layer);
  double *number = NULL;
  if (step > layers) step = layers;
  HP_TRY(HP_ALLOC_UNSET(number, (int64_t)(step * layer)));
  bool good = true;
  for (hsize_t k = 0; k < layers && good; k += step)
    good = read_layers(d, set, space, flat, k, layers - k < step ? layers - k : step, number);
  HP_FREE(number);
  if (!good) hp_config_error(d->r, d->s, "%s: dataset %s cannot be read as numbers", d->path, d->name);
  return HP_OK;
}

static hp_status read_dataset(const dataset *d, hid_t set) {
  const hp_array_shape a = d->a;
  const hid_t space = H5Dget_space(set);
  hsize_t dims[H5S_MAX_RANK] = {0};
  const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
  if (rank >= 0) H5Sget_simple_extent_dims(space, dims, NULL);
  const hsize_t want[3] = {(hsize_t)a.nz, (hsize_t)hp_array_rows(a), (hsize_t)a.whole};
  const int layers = a.nz == 1 && rank == 2; /* [ny][nx] will do for one layer */
  bool fits = rank == 3 - layers;
  hp_status s = HP_OK;
  for (int n = 0; fits && n < rank; ++n) fits = dims[n] == want[n + layers];
  if (cells_of(d->r, a) == 0) {
    fits = false; /* it cannot be measured */
  } else if (!fits) {
    char found[160], expected[80];
    shape_text(dims, rank > 0 ? rank : 0, found, sizeof found);
    shape_text(want, 3, expected, sizeof expected);
    hp_config_error(d->r, d->s, "%s: dataset %s has the shape %s: expected %s", d->path, d->name, found, expected);
  }
  if (fits) s = read_numbers(d, set, space, layers != 0);
  if (space >= 0) H5Sclose(space);
  return s;
}

enum { LINK_MOST = 256 };

/* An external link on the way to the dataset: its file is kept, and not opened. */
static herr_t refuse_link(const char *of_file, const char *of_object, const char *file, const char *object,
                          unsigned *flags, hid_t access, void *to) {
  (void)of_file, (void)of_object, (void)object, (void)flags, (void)access;
  snprintf(to, LINK_MOST, "%s", file);
  return -1;
}

static hid_t open_dataset(const dataset *d, hid_t file, char link[LINK_MOST]) {
  const hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  const hid_t set = access >= 0 && H5Pset_elink_cb(access, refuse_link, link) >= 0 ? H5Dopen2(file, d->name, access)
                                                                                   : -1;
  if (access >= 0) H5Pclose(access);
  return set;
}

static void read_file(void *arg) {
  const dataset *d = arg;
  char link[LINK_MOST] = "";
  const hid_t file = H5Fopen(d->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t set = file >= 0 ? open_dataset(d, file, link) : -1;
  hp_status s = HP_OK;
  if (file < 0) hp_config_error(d->r, d->s, "%s: is not HDF5", d->path);
  else if (set >= 0 && hp_h5_is_elsewhere(set))
    hp_config_error(d->r, d->s, "%s: the numbers of dataset %s stand in other files: copy them into this one", d->path,
                    d->name);
  else if (link[0] != '\0')
    hp_config_error(d->r, d->s, "%s: dataset %s is linked to the file '%s': name the file that has the numbers",
                    d->path, d->name, link);
  else if (set < 0) hp_config_error(d->r, d->s, "%s: has no dataset %s", d->path, d->name);
  else s = read_dataset(d, set);
  if (d->to->status == HP_OK) d->to->status = s;
  if (set >= 0) H5Dclose(set);
  if (file >= 0) H5Fclose(file);
}

static void read_hdf5(hp_config *r, const hp_setting *s, const char *path, hp_array_shape a, hp_array_sink *to) {
  const char *name = NULL;
  if (!hp_config_string(r, s, "array.dataset", &name)) {
    if (hp_config_member(s, "dataset") == NULL)
      hp_config_error(r, s, "dataset is missing: %s", hp_config_key_find("array.dataset")->what);
    return;
  }
  /* HDF5 prints its own error stack unless it is turned off */
  H5E_auto2_t print;
  void *data;
  H5Eget_auto2(H5E_DEFAULT, &print, &data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  struct stat st;
  dataset d = {.r = r, .s = s, .path = path, .name = name, .a = a, .to = to};
  if (stat(path, &st) != 0 || access(path, R_OK) != 0) {
    hp_config_error(r, s, "%s: %s%s", path, errno == ENOENT ? "no such file" : strerror(errno), hp_file_advice(path));
  } else if (!S_ISREG(st.st_mode) || st.st_size == 0) {
    hp_config_error(r, s, "%s: is not HDF5", path);
  } else {
    to->dry = true;
    const hp_rehearsal went = hp_rehearse((int64_t)st.st_size, 1, read_file, &d);
    to->dry = false;
    if (went == HP_REHEARSED) read_file(&d);
    else hp_config_error(r, s, "%s: is damaged: reading it %s", path, hp_rehearsal_text(went));
  }
  H5Eset_auto2(H5E_DEFAULT, print, data);
}

/* ---- dispatch ---- */

static hp_status full_name(const hp_config *r, const char *name, char **out) {
  const size_t size = strlen(r->folder) + strlen(name) + 2;
  HP_TRY(hp_alloc((void **)out, (int64_t)size, 1, "file name"));
  if (name[0] == '/' || strcmp(r->folder, ".") == 0) snprintf(*out, size, "%s", name);
  else snprintf(*out, size, "%s/%s", r->folder, name);
  return HP_OK;
}

static void refuse_foreign(hp_config *r, const hp_setting *s, file_format format) {
  static const struct {
    const char *name;
    file_format format;
  } of[] = {{"index", RAW}, {"keyword", ECLIPSE}, {"dataset", HDF5}};
  for (int n = 0; n < 3; ++n)
    if (of[n].format != format && hp_config_member(s, of[n].name) != NULL)
      hp_config_error(r, hp_config_member(s, of[n].name), "not used with this format");
}

static void refuse_generated(hp_config *r, const hp_setting *s) {
  int count;
  const hp_config_key *key = hp_config_keys(&count);
  bool behind = false; /* in the table, the keys of generators stand behind array.generator */
  for (int n = 0; n < count; ++n) {
    if (strncmp(key[n].path, "array.", 6) != 0) continue;
    const hp_setting *member = behind ? hp_config_member(s, key[n].path + 6) : NULL;
    if (member != NULL) hp_config_error(r, member, "not used with a file");
    behind = behind || strcmp(key[n].path, "array.generator") == 0;
  }
}

/* known: so is the format; else it is only told whether the file can be read. */
static hp_status read_text(hp_config *r, const hp_setting *s, const char *path, bool known, file_format format,
                           hp_array_shape a, hp_array_sink *to) {
  source f = {.r = r, .s = s, .path = path, .line = 1};
  hp_status status = hp_stream_open(path, &f.text);
  f.at = f.text.at;
  if (status == HP_OK && known) (format == RAW ? read_raw : read_eclipse)(&f, a, to);
  const hp_status closed = hp_stream_close(&f.text);
  if (status == HP_OK) status = closed;
  if (status != HP_ERR_FILE) return status;
  hp_config_error(r, s, "%s", hp_fail_text()); /* a file that cannot be read is the deck's fault */
  return HP_OK;
}

static hp_status read_path(hp_config *r, const hp_setting *s, const char *path, bool known, file_format format,
                           hp_array_shape a, double *out) {
  hp_array_sink to;
  hp_status status = hp_array_sink_open(r, a, out, &to);
  if (status == HP_OK && hp_spread_opens_files(to.P)) {
    if (format == HDF5) read_hdf5(r, s, path, a, &to);
    else status = read_text(r, s, path, known, format, a, &to);
  }
  const hp_status closed = hp_array_sink_close(&to);
  return status != HP_OK ? status : closed;
}

hp_status hp_array_file(hp_config *r, const hp_setting *s, hp_array_shape a, double *out) {
  const char *name = NULL;
  int format = RAW;
  const bool known = hp_config_choice(r, s, "array.format", &format) || hp_config_member(s, "format") == NULL;
  if (known) refuse_foreign(r, s, (file_format)format);
  refuse_generated(r, s);
  if (!hp_config_string(r, s, "array.file", &name)) return HP_OK;
  char *path = NULL;
  HP_TRY(full_name(r, name, &path));
  hp_inputs_add(&r->diag->read, path);
  const hp_status status = read_path(r, s, path, known, (file_format)format, a, out);
  HP_FREE(path);
  return status;
}
