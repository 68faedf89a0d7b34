/* A file that may be a result, and may be damaged: whether it is one, and whether HDF5 can read it. */
#define _GNU_SOURCE /* memmem */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/results/impl.h"

/* ---- without HDF5 ---- */

/* The text "hepta result" as HDF5 keeps one of variable length: its length in eight bytes, lowest first, then its
 * letters. It stands near the start of a master. */
static const char mark[] = "\x0c\0\0\0\0\0\0\0hepta result";
enum { MARK = sizeof mark - 1, PIECE = 1 << 20 };

static bool has_mark(int fd) {
  char *piece = malloc(PIECE);
  size_t held = 0;
  bool found = false;
  for (ssize_t n; piece != NULL && !found && (n = read(fd, piece + held, PIECE - held)) > 0;) {
    held += (size_t)n;
    found = memmem(piece, held, mark, MARK) != NULL;
    const size_t kept = held < MARK ? held : MARK - 1;
    memmove(piece, piece + held - kept, kept);
    held = kept;
  }
  free(piece);
  return found;
}

hp_status hp_result_may_replace(const char *path) {
  struct stat st;
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe without a writer would keep it waiting */
  const bool regular = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
  const bool locked = regular && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  const bool ours = regular && has_mark(fd);
  if (fd >= 0) close(fd);
  if (locked) return hp_h5_as_usage(hp_file_locked(path));
  if (ours) return HP_OK;
  return hp_fail(HP_ERR_USAGE,
                 "%s: exists and is not a hepta result; refusing to overwrite it: name the results with -o, "
                 "or remove it",
                 path);
}

/* Files beside the master begin with these words, or have them near their beginning. */
hp_status hp_result_may_replace_beside(char *const path[HP_OUTPUT_FILES]) {
  static const struct {
    hp_output_file file;
    bool first;
    const char *word;
  } of[] = {{HP_OUTPUT_XDMF, false, "<Information Name=\"time unit\""},
            {HP_OUTPUT_WELLS, false,
             "<Points>\n        <DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">"},
            {HP_OUTPUT_VIEW, false, "a result of hepta"},
            {HP_OUTPUT_SUMMARY, true, "TIME["},
            {HP_OUTPUT_SOLVER, true, "step,time["}};
  struct stat st;
  for (size_t n = 0; n < sizeof of / sizeof *of; ++n) {
    const char *at = path[of[n].file];
    if (lstat(at, &st) == 0 && S_ISREG(st.st_mode) && !hp_file_has_word(at, of[n].first, 1, &of[n].word))
      return hp_file_is_foreign(at);
  }
  const char *grid = path[HP_OUTPUT_GRID];
  if (lstat(grid, &st) == 0 && S_ISREG(st.st_mode) && !hp_file_is_hdf5_of_hepta(grid)) return hp_file_is_foreign(grid);
  return HP_OK;
}

/* ---- all of it once ---- */

/* Numbers behind this many bytes are not read: what can go wrong is how HDF5 finds them. */
enum { READ_MOST = 1 << 16, DEPTH = 4 };

static void try_attributes(hid_t object) {
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t info;
  if (H5Oget_info3(object, &info, H5O_INFO_NUM_ATTRS) < 0) return;
#else
  H5O_info_t info;
  if (H5Oget_info(object, &info) < 0) return;
#endif
  for (hsize_t n = 0; n < info.num_attrs; ++n) {
    const hid_t a = H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, n, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = a >= 0 ? H5Aget_type(a) : -1, space = a >= 0 ? H5Aget_space(a) : -1;
    char *text = NULL;
    const bool one = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    if (one && type >= 0 && H5Tis_variable_str(type) > 0 && H5Aread(a, type, &text) >= 0 && text != NULL)
      H5free_memory(text);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    if (a < 0) return;
    H5Aclose(a);
  }
}

static void try_dataset(const hp_h5 *h, const char *name, hid_t set) {
  const hid_t type = H5Dget_type(set);
  const bool text = type >= 0 && H5Tget_class(type) == H5T_STRING;
  if (type >= 0) H5Tclose(type);
  const hsize_t stored = H5Dget_storage_size(set);
  char **texts = NULL;
  double *numbers = NULL;
  int64_t count = 0;
  const hp_status s = text                  ? hp_h5_read_strings(h, name, &texts, &count)
                      : stored <= READ_MOST ? hp_h5_read(h, name, &numbers, &count)
                                            : HP_OK;
  (void)s; /* what fails here fails again where it matters */
  hp_h5_members_free(&texts, count);
  HP_FREE(numbers);
}

static void try_object(const hp_h5 *h, const char *name, int depth) {
  const hid_t object = H5Oopen(h->file, name, H5P_DEFAULT);
  if (object < 0) return;
  const H5I_type_t kind = H5Iget_type(object);
  char **member = NULL, *path;
  int64_t count = 0;
  try_attributes(object);
  if (kind == H5I_DATASET) try_dataset(h, name, object);
  H5Oclose(object);
  if (kind != H5I_GROUP || depth == DEPTH || hp_h5_members(h, name, &member, &count) != HP_OK) return;
  for (int64_t n = 0; n < count; ++n)
    if (hp_format(&path, "%s%s%s", name, name[1] != '\0' ? "/" : "", member[n]) == HP_OK) {
      try_object(h, path, depth + 1);
      HP_FREE(path);
    }
  hp_h5_members_free(&member, count);
}

/* ---- what was written ---- */

/* From this format on a file of a result has checksums. */
enum { WITH_CHECKSUMS = 2 };

static bool must_have_checksums(const hp_h5 *h) {
  double version = 0.0;
  return hp_result_check(h) == HP_OK && hp_h5_read_number(h, "/", "format_version", &version) == HP_OK &&
         version >= WITH_CHECKSUMS;
}

hp_status hp_result_verify(const hp_h5 *h, bool *listed) {
  HP_TRY(hp_h5_verify(h, must_have_checksums(h), listed));
  return HP_OK;
}

hp_status hp_result_check_step(const hp_h5 *h, double step, double time) {
  const double day = 86400.0;
  double own, at;
  HP_TRY(hp_h5_read_number(h, "/", "step", &own));
  HP_TRY(hp_h5_read_number(h, "/", "time", &at));
  if (own == step && fabs(at - time) <= 1e-9 * time) return HP_OK;
  return hp_fail(
      HP_ERR_FILE,
      "%s: is of report step %.10g, after %.10g days, and not of step %.10g, after %.10g days: a file was copied "
      "or renamed",
      h->path, own, at / day, step, time / day);
}

hp_status hp_result_check_link(const hp_h5 *master, double step, double time) {
  char link[32], *path = NULL;
  hp_h5 h = {.file = -1};
  snprintf(link, sizeof link, "/steps/%06.0f", step);
  HP_TRY(hp_h5_linked(master, link, &path));
  hp_status s = HP_OK;
  if (access(path, F_OK) == 0) {
    s = hp_h5_open(&h, path);
    if (s == HP_OK) s = hp_result_check_step(&h, step, time);
    hp_h5_discard(&h);
  }
  HP_FREE(path);
  return s;
}

/* A file behind a link, if it is there. */
static hp_status verify_linked(const hp_h5 *master, const char *link, bool listed, bool packed) {
  char *path;
  hp_h5 h = {.file = -1};
  bool found;
  HP_TRY(hp_h5_linked(master, link, &path));
  hp_status s = HP_OK;
  if (access(path, F_OK) == 0) {
    s = hp_h5_open(&h, path);
    if (s == HP_OK) s = hp_h5_verify(&h, listed, &found);
    if (s == HP_OK && packed) s = hp_h5_verify_packed(&h);
    hp_h5_discard(&h);
  }
  HP_FREE(path);
  return s;
}

static hp_status verify_steps(const hp_h5 *master, bool listed) {
  char **member = NULL;
  double *step = NULL, *time = NULL;
  int64_t count = 0, nstep = 0, ntime = 0;
  hp_status s = hp_h5_members(master, "/steps", &member, &count);
  for (int64_t n = 0; s == HP_OK && n < count; ++n) {
    char *link;
    s = hp_format(&link, "/steps/%s", member[n]);
    if (s == HP_OK) s = verify_linked(master, link, listed, true);
    HP_FREE(link);
  }
  hp_h5_members_free(&member, count);
  if (s == HP_OK) s = hp_h5_read(master, "/step", &step, &nstep);
  if (s == HP_OK) s = hp_h5_read(master, "/time", &time, &ntime);
  for (int64_t n = 0; s == HP_OK && n < nstep && n < ntime; ++n) s = hp_result_check_link(master, step[n], time[n]);
  HP_FREE(step);
  HP_FREE(time);
  return s;
}

hp_status hp_output_verify(const char *path, bool fields, bool *listed) {
  hp_h5 h;
  HP_TRY(hp_h5_as_usage(hp_h5_open(&h, path)));
  hp_status s = hp_result_verify(&h, listed);
  const bool result = hp_result_check(&h) == HP_OK && H5Lexists(h.file, "/grid", H5P_DEFAULT) > 0;
  if (s == HP_OK && result) s = verify_linked(&h, "/grid", *listed, true);
  if (s == HP_OK && result && fields) s = verify_steps(&h, *listed);
  hp_h5_discard(&h);
  return hp_h5_as_usage(s);
}

void hp_output_try(const char *path) {
  hp_h5 h;
  if (hp_h5_open(&h, path) != HP_OK) return;
  try_object(&h, "/", 0);
  hp_h5_discard(&h);
}
