#define _POSIX_C_SOURCE 200809L
/* Cell arrays from files: raw numbers, an Eclipse keyword, an HDF5 dataset. */
#include <ctype.h>
#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "core/rehearse.h"
#include "io/config/impl.h"
#include "io/files/text.h"

typedef enum { RAW, ECLIPSE, HDF5 } file_format;

enum { WORDS_MAX = 5 }; /* words of one file that are no numbers and are reported one by one */

/* Values of the array; 0 where the grid's size is not known, and the file cannot be measured by it. */
static int64_t cells_of(const hp_config *r, hp_array_shape a) {
  return r->stand_in || a.deck[2] == 0 ? 0 : (int64_t)a.nx * a.ny * a.nz;
}

/* ---- numbers in text ---- */

typedef struct {
  hp_config *r;
  const hp_setting *s;
  const char *path;
  char *text; /* closed by a NUL */
  const char *at;
  int line;
} source;

/* f->text stays NULL when the file cannot be read, which is the deck's fault. */
static hp_status open_source(source *f) {
  size_t size;
  const hp_status status = hp_file_read(f->path, &f->text, &size);
  if (status == HP_ERR_FILE) {
    hp_config_error(f->r, f->s, "%s", hp_fail_text());
    return HP_OK;
  }
  f->at = f->text;
  f->line = 1;
  return status;
}

/* Skips blanks, commas and, in Eclipse's format, comments; false at the end. */
static bool skip_blanks(source *f, bool comments) {
  for (; *f->at != '\0'; ++f->at) {
    if (comments && f->at[0] == '-' && f->at[1] == '-')
      while (f->at[1] != '\0' && f->at[1] != '\n') ++f->at;
    else if (*f->at == '\n') f->line += 1;
    else if (!isspace((unsigned char)*f->at) && *f->at != ',') return true;
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

/* Tells a word that is no number and goes on behind it; false: enough are reported. */
static bool bad_number(source *f, int *reported) {
  char word[32];
  size_t n = 0;
  for (; n + 1 < sizeof word && isgraph((unsigned char)f->at[n]); ++n) word[n] = f->at[n];
  word[n] = '\0';
  hp_config_error(f->r, f->s, "%s:%d: '%s' is not a number", f->path, f->line, word);
  do ++f->at;
  while (isgraph((unsigned char)*f->at) && *f->at != ',' && *f->at != '/');
  *reported += 1;
  return *reported < WORDS_MAX;
}

/* Whole fields before the wanted one are read and dropped. */
static hp_status read_raw(source *f, hp_array_shape a, double *out) {
  const int64_t n = cells_of(f->r, a);
  int index = 0, reported = 0;
  const bool known = hp_config_int(f->r, f->s, "array.index", &index) || hp_config_member(f->s, "index") == NULL;
  const int64_t skip = n * index;
  int64_t count = 0;
  for (; skip_blanks(f, false); ++count) {
    double v;
    if (count >= skip + n && index > 0) break; /* further fields need not be read */
    if (!read_number(f, &v)) {
      if (!bad_number(f, &reported)) return HP_OK;
    } else if (count >= skip && count < skip + n) {
      out[count - skip] = v;
    }
  }
  if (n == 0 || !known) return HP_OK;
  if (count < skip + n)
    hp_config_error(f->r, f->s, "%s: %lld numbers: expected %lld (%d x %d x %d%s)", f->path, (long long)count,
                    (long long)(skip + n), a.nx, a.ny, a.nz, index > 0 ? " for each field" : "");
  else if (index == 0 && count % n != 0) /* several whole fields: the first is meant; anything else is the wrong file */
    hp_config_error(f->r, f->s, "%s: %lld numbers: expected %lld (%d x %d x %d)", f->path, (long long)count,
                    (long long)n, a.nx, a.ny, a.nz);
  return HP_OK;
}

/* ---- Eclipse ---- */

/* Goes behind the line that holds the keyword; keywords stand alone at a line's start. */
static bool find_keyword(source *f, const char *keyword) {
  const size_t length = strlen(keyword);
  while (*f->at != '\0') {
    const char *c = f->at;
    size_t n = 0;
    while (n < length && toupper((unsigned char)c[n]) == toupper((unsigned char)keyword[n])) ++n;
    const bool found = n == length && (c[n] == '\0' || isspace((unsigned char)c[n]));
    while (*f->at != '\0' && *f->at != '\n') ++f->at;
    if (*f->at == '\n') {
      ++f->at;
      f->line += 1;
    }
    if (found) return true;
  }
  return false;
}

static hp_status read_eclipse(source *f, hp_array_shape a, double *out) {
  const char *keyword = NULL;
  if (!hp_config_string(f->r, f->s, "array.keyword", &keyword)) {
    if (hp_config_member(f->s, "keyword") == NULL)
      hp_config_error(f->r, f->s, "keyword is missing: %s", hp_config_key_find("array.keyword")->what);
    return HP_OK;
  }
  if (!find_keyword(f, keyword)) {
    hp_config_error(f->r, f->s, "%s: has no keyword %s", f->path, keyword);
    return HP_OK;
  }
  const int64_t n = cells_of(f->r, a);
  int64_t count = 0;
  int reported = 0;
  while (skip_blanks(f, true) && *f->at != '/') {
    double v, repeat = 1.0;
    if (!read_number(f, &v)) {
      if (!bad_number(f, &reported)) return HP_OK;
      count += 1;
      continue;
    }
    if (*f->at == '*') {
      repeat = v;
      f->at += 1;
      if (repeat < 1.0 || repeat > 2147483647.0 || repeat != floor(repeat) || !read_number(f, &v)) {
        hp_config_error(f->r, f->s, "%s:%d: a repeat is N*value with N a positive integer", f->path, f->line);
        return HP_OK;
      }
    }
    for (int64_t m = 0; m < (int64_t)repeat && count + m < n; ++m) out[count + m] = v;
    count += (int64_t)repeat;
  }
  if (*f->at != '/') hp_config_error(f->r, f->s, "%s: %s has no closing /", f->path, keyword);
  else if (n > 0 && count != n)
    hp_config_error(f->r, f->s, "%s: %s has %lld numbers: expected %lld (%d x %d x %d)", f->path, keyword,
                    (long long)count, (long long)n, a.nx, a.ny, a.nz);
  return HP_OK;
}

/* ---- HDF5 ---- */

static void shape_text(const hsize_t *d, int rank, char *out, size_t size) {
  out[0] = '\0';
  for (int n = 0; n < rank; ++n) {
    const size_t used = strlen(out);
    snprintf(out + used, size - used, "[%llu]", (unsigned long long)d[n]);
  }
}

static void read_dataset(hp_config *r, const hp_setting *s, const char *path, const char *name, hid_t set,
                         hp_array_shape a, double *out) {
  const hid_t space = H5Dget_space(set);
  hsize_t dims[H5S_MAX_RANK] = {0};
  const int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
  if (rank >= 0) H5Sget_simple_extent_dims(space, dims, NULL);
  const hsize_t want[3] = {(hsize_t)a.nz, (hsize_t)a.ny, (hsize_t)a.nx};
  const int layers = a.nz == 1 && rank == 2; /* [ny][nx] will do for one layer */
  bool fits = rank == 3 - layers;
  if (cells_of(r, a) == 0) {
    if (space >= 0) H5Sclose(space);
    return; /* it cannot be measured */
  }
  for (int n = 0; fits && n < rank; ++n) fits = dims[n] == want[n + layers];
  if (!fits) {
    char found[160], expected[80];
    shape_text(dims, rank > 0 ? rank : 0, found, sizeof found);
    shape_text(want, 3, expected, sizeof expected);
    hp_config_error(r, s, "%s: dataset %s has the shape %s: expected %s", path, name, found, expected);
  } else if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0) {
    hp_config_error(r, s, "%s: dataset %s cannot be read as numbers", path, name);
  }
  if (space >= 0) H5Sclose(space);
}

/* Sources of what is read. */
typedef struct {
  hp_config *r;
  const hp_setting *s;
  const char *path, *name; /* of the file, of the data set */
  hp_array_shape a;
  double *out;
} dataset;

static void read_file(void *arg) {
  const dataset *d = arg;
  const hid_t file = H5Fopen(d->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t set = file >= 0 ? H5Dopen2(file, d->name, H5P_DEFAULT) : -1;
  if (file < 0) hp_config_error(d->r, d->s, "%s: no such file, or not HDF5", d->path);
  else if (set < 0) hp_config_error(d->r, d->s, "%s: has no dataset %s", d->path, d->name);
  else read_dataset(d->r, d->s, d->path, d->name, set, d->a, d->out);
  if (set >= 0) H5Dclose(set);
  if (file >= 0) H5Fclose(file);
}

static hp_status read_hdf5(hp_config *r, const hp_setting *s, const char *path, hp_array_shape a, double *out) {
  const char *name = NULL;
  if (!hp_config_string(r, s, "array.dataset", &name)) {
    if (hp_config_member(s, "dataset") == NULL)
      hp_config_error(r, s, "dataset is missing: %s", hp_config_key_find("array.dataset")->what);
    return HP_OK;
  }
  /* HDF5 prints its own error stack unless it is turned off */
  H5E_auto2_t print;
  void *data;
  H5Eget_auto2(H5E_DEFAULT, &print, &data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  struct stat st;
  dataset d = {.r = r, .s = s, .path = path, .name = name, .a = a, .out = out};
  if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) {
    hp_config_error(r, s, "%s: no such file, or not HDF5", path);
  } else {
    const hp_rehearsal went = hp_rehearse((int64_t)st.st_size, 1, read_file, &d);
    if (went == HP_REHEARSED) read_file(&d);
    else hp_config_error(r, s, "%s: is damaged: reading it %s", path, hp_rehearsal_text(went));
  }
  H5Eset_auto2(H5E_DEFAULT, print, data);
  return HP_OK;
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
  hp_status status = HP_OK;
  if (format == HDF5) {
    status = read_hdf5(r, s, path, a, out);
  } else {
    source f = {.r = r, .s = s, .path = path};
    status = open_source(&f);
    if (status == HP_OK && f.text != NULL && known)
      status = format == RAW ? read_raw(&f, a, out) : read_eclipse(&f, a, out);
    HP_FREE(f.text);
  }
  HP_FREE(path);
  return status;
}
