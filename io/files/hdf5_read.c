/* Reading HDF5 files: calls, each of them checked. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "io/files/file.h"
#include "io/files/hdf5.h"
#include "io/files/text.h"

hp_status hp_h5_open_unseen(hp_h5 *h, const char *path) {
  *h = (hp_h5){.file = -1, .path = path};
  if (H5Eset_auto2(H5E_DEFAULT, NULL, NULL) < 0) return hp_h5_fail(h, "HDF5");
  struct stat st; /* a pipe would keep HDF5 waiting */
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
    return hp_fail(HP_ERR_FILE, "%s: not a file that can be read", path);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (access >= 0 && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
    h->file = H5Fopen(path, H5F_ACC_RDONLY, access);
  hp_status s = h->file >= 0 ? HP_OK : hp_h5_fail(h, "cannot open as an HDF5 file");
  if (s != HP_OK && strstr(hp_fail_text(), "unable to lock file") != NULL) s = hp_file_locked(path);
  if (access >= 0) H5Pclose(access);
  return s;
}

hp_status hp_h5_open(hp_h5 *h, const char *path) {
  HP_TRY(hp_h5_open_unseen(h, path));
  const hp_status s = hp_h5_check_own(h);
  if (s != HP_OK) hp_h5_discard(h);
  return s;
}

hp_status hp_h5_as_usage(hp_status s) { return s == HP_ERR_FILE ? hp_fail(HP_ERR_USAGE, "%s", hp_fail_text()) : s; }

bool hp_h5_exists(const hp_h5 *h, const char *name) {
  const hid_t id = H5Oopen(h->file, name, H5P_DEFAULT);
  if (id >= 0) H5Oclose(id);
  return id >= 0;
}

/* Compressed datasets are at most so many times larger than their bytes in the file: deflate's limit. */
enum { PACKED_MOST = 1040 };

hp_status hp_h5_check_stored(const hp_h5 *h, const char *name, hid_t set, double count, double width) {
  const double stored = (double)H5Dget_storage_size(set);
  const hid_t file = H5Iget_file_id(set);
  hsize_t size = 0;
  const bool known = file >= 0 && H5Fget_filesize(file, &size) >= 0;
  if (file >= 0) H5Fclose(file);
  if (!known) return hp_h5_fail(h, name);
  if (stored <= (double)size && stored * PACKED_MOST >= count * width) return HP_OK;
  return hp_fail(HP_ERR_FILE, "%s: %s: its numbers are not in the file", h->path, name);
}

static hp_status check_size(const hp_h5 *h, const char *name, hid_t set, hssize_t count) {
  const hid_t type = H5Dget_type(set);
  const size_t width = type >= 0 ? H5Tget_size(type) : 0;
  if (type >= 0) H5Tclose(type);
  return width > 0 ? hp_h5_check_stored(h, name, set, (double)count, (double)width) : hp_h5_fail(h, name);
}

static hp_status count_of(const hp_h5 *h, const char *name, hid_t set, int64_t *count) {
  const hid_t space = H5Dget_space(set);
  const hssize_t n = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  if (space >= 0) H5Sclose(space);
  if (n < 0) return hp_h5_fail(h, name);
  *count = n;
  return check_size(h, name, set, n);
}

hp_status hp_h5_count(const hp_h5 *h, const char *name, int64_t *count) {
  *count = 0;
  const hid_t set = H5Dopen2(h->file, name, H5P_DEFAULT);
  if (set < 0) return hp_h5_fail(h, name);
  const hp_status s = count_of(h, name, set, count);
  H5Dclose(set);
  return s;
}

hp_status hp_h5_read(const hp_h5 *h, const char *name, double **data, int64_t *count) {
  int64_t n = 0;
  *data = NULL;
  *count = 0;
  const hid_t set = H5Dopen2(h->file, name, H5P_DEFAULT);
  if (set < 0) return hp_h5_fail(h, name);
  hp_status s = count_of(h, name, set, &n);
  if (s == HP_OK) s = HP_ALLOC(*data, n);
  if (s == HP_OK && n > 0 && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, *data) < 0)
    s = hp_h5_fail(h, name);
  if (s == HP_OK) *count = n;
  else HP_FREE(*data);
  H5Dclose(set);
  return s;
}

/* The rows in the file, as `space` selects them, to memory in one run. */
static bool read_selected(hid_t set, hid_t space, int64_t first, int64_t count, int numbers, double *data) {
  hsize_t size[2] = {0, 0};
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 1 || rank > 2 || H5Sget_simple_extent_dims(space, size, NULL) < 0) return false;
  if (rank == 2 && size[1] != (hsize_t)numbers) return false;
  const hsize_t each = rank == 1 ? (hsize_t)numbers : 1, from[2] = {(hsize_t)first * each, 0},
                rows[2] = {(hsize_t)count * each, (hsize_t)numbers}, all = (hsize_t)count * (hsize_t)numbers;
  if (from[0] + rows[0] > size[0] || H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, rows, NULL) < 0)
    return false;
  const hid_t here = H5Screate_simple(1, &all, NULL);
  const bool done = here >= 0 && H5Dread(set, H5T_NATIVE_DOUBLE, here, space, H5P_DEFAULT, data) >= 0;
  if (here >= 0) H5Sclose(here);
  return done;
}

hp_status hp_h5_read_rows(const hp_h5 *h, const char *name, int64_t first, int64_t count, int numbers, double *data) {
  if (count == 0) return HP_OK;
  const hid_t set = H5Dopen2(h->file, name, H5P_DEFAULT);
  if (set < 0) return hp_h5_fail(h, name);
  const hid_t space = H5Dget_space(set);
  const bool done = space >= 0 && read_selected(set, space, first, count, numbers, data);
  const hp_status s = done ? HP_OK : hp_h5_fail(h, name);
  if (space >= 0) H5Sclose(space);
  H5Dclose(set);
  return s;
}

static hp_status read_fixed(const hp_h5 *h, const char *name, hid_t set, hid_t type, int64_t index, char **text) {
  const size_t width = H5Tget_size(type);
  const hid_t space = H5Dget_space(set), one = H5Screate_simple(1, (const hsize_t[]){1}, NULL);
  const hsize_t start[1] = {(hsize_t)index}, count[1] = {1};
  hp_status s = HP_OK;
  if (width == 0 || H5Tis_variable_str(type) != 0 || space < 0 || one < 0 ||
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) < 0)
    s = hp_h5_fail(h, name);
  if (s == HP_OK) s = check_size(h, name, set, 1);
  if (s == HP_OK) s = HP_ALLOC(*text, width + 1);
  if (s == HP_OK && H5Dread(set, type, one, space, H5P_DEFAULT, *text) < 0) s = hp_h5_fail(h, name);
  if (s != HP_OK) HP_FREE(*text);
  if (one >= 0) H5Sclose(one);
  if (space >= 0) H5Sclose(space);
  return s;
}

hp_status hp_h5_read_string(const hp_h5 *h, const char *name, int64_t index, char **text) {
  *text = NULL;
  const hid_t set = H5Dopen2(h->file, name, H5P_DEFAULT);
  if (set < 0) return hp_h5_fail(h, name);
  const hid_t type = H5Dget_type(set);
  const hp_status s = type >= 0 ? read_fixed(h, name, set, type, index, text) : hp_h5_fail(h, name);
  if (type >= 0) H5Tclose(type);
  H5Dclose(set);
  return s;
}

hp_status hp_h5_read_strings(const hp_h5 *h, const char *name, char ***text, int64_t *count) {
  *text = NULL;
  *count = 0;
  const hid_t set = H5Dopen2(h->file, name, H5P_DEFAULT);
  if (set < 0) return hp_h5_fail(h, name);
  const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
  const hssize_t n = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  const bool fixed = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
  const size_t width = fixed ? H5Tget_size(type) : 0;
  char *block = NULL;
  hp_status s = n >= 0 && width > 0 ? check_size(h, name, set, n) : hp_h5_fail(h, name);
  if (s == HP_OK) s = hp_alloc((void **)&block, n, width, "strings of a dataset");
  if (s == HP_OK && n > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, block) < 0) s = hp_h5_fail(h, name);
  if (s == HP_OK) s = HP_ALLOC(*text, n);
  for (hssize_t i = 0; s == HP_OK && i < n; ++i) {
    s = hp_format(&(*text)[i], "%.*s", (int)width, block + (size_t)i * width);
    *count = i + 1;
  }
  if (s != HP_OK) hp_h5_members_free(text, *count);
  if (s != HP_OK) *count = 0;
  HP_FREE(block);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  H5Dclose(set);
  return s;
}

/* ---- attributes ---- */

/* Behind an external link only attributes of an opened object read right: those that are opened by the object's name
 * look for their strings in the wrong file (HDF5 1.10.8). */
static hp_status open_attribute(const hp_h5 *h, const char *object, const char *name, hid_t *owner, hid_t *attribute) {
  *attribute = -1;
  *owner = H5Oopen(h->file, object, H5P_DEFAULT);
  if (*owner < 0) return hp_h5_fail(h, object);
  const htri_t there = H5Aexists(*owner, name);
  if (there > 0) *attribute = H5Aopen(*owner, name, H5P_DEFAULT);
  return there < 0 || (there > 0 && *attribute < 0) ? hp_h5_fail(h, name) : HP_OK;
}

static void close_attribute(hid_t owner, hid_t attribute) {
  if (attribute >= 0) H5Aclose(attribute);
  if (owner >= 0) H5Oclose(owner);
}

/* A text or number of its own: more of them would not fit where it is read to. */
static bool is_single(hid_t attribute) {
  const hid_t space = H5Aget_space(attribute);
  const bool single = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
  if (space >= 0) H5Sclose(space);
  return single;
}

static hp_status read_variable(const hp_h5 *h, const char *name, hid_t attribute, char **text) {
  const hid_t type = H5Aget_type(attribute);
  hp_status s = HP_OK;
  char *value = NULL;
  if (type < 0 || H5Tis_variable_str(type) <= 0 || !is_single(attribute) || H5Aread(attribute, type, &value) < 0)
    s = hp_h5_fail(h, name);
  if (s == HP_OK) s = hp_format(text, "%s", value != NULL ? value : "");
  if (value != NULL) H5free_memory(value);
  if (type >= 0) H5Tclose(type);
  return s;
}

hp_status hp_h5_read_text(const hp_h5 *h, const char *object, const char *name, char **text) {
  hid_t owner, attribute;
  *text = NULL;
  hp_status s = open_attribute(h, object, name, &owner, &attribute);
  if (s == HP_OK) s = attribute >= 0 ? read_variable(h, name, attribute, text) : hp_format(text, "%s", "");
  close_attribute(owner, attribute);
  return s;
}

hp_status hp_h5_read_number(const hp_h5 *h, const char *object, const char *name, double *value) {
  hid_t owner, attribute;
  hp_status s = open_attribute(h, object, name, &owner, &attribute);
  if (s == HP_OK && attribute < 0) s = hp_fail(HP_ERR_FILE, "%s: %s has no attribute '%s'", h->path, object, name);
  if (s == HP_OK && (!is_single(attribute) || H5Aread(attribute, H5T_NATIVE_DOUBLE, value) < 0))
    s = hp_h5_fail(h, name);
  close_attribute(owner, attribute);
  return s;
}

/* ---- groups ---- */

typedef struct {
  char **name; /* [room] */
  int64_t count, room;
  hp_status status;
} members;

/* All in one go: HDF5 sorts a group's table anew for a member by its number. */
static herr_t add_member(hid_t group, const char *name, const H5L_info_t *info, void *arg) {
  members *m = arg;
  (void)group;
  (void)info;
  if (m->count == m->room) return -1; /* a damaged group has others than it says */
  m->status = hp_format(&m->name[m->count], "%s", name);
  m->count += m->status == HP_OK;
  return m->status == HP_OK ? 0 : -1;
}

hp_status hp_h5_members(const hp_h5 *h, const char *group, char ***names, int64_t *count) {
  *names = NULL;
  *count = 0;
  H5G_info_t info;
  hsize_t size = 0;
  if (H5Gget_info_by_name(h->file, group, &info, H5P_DEFAULT) < 0 || H5Fget_filesize(h->file, &size) < 0)
    return hp_h5_fail(h, group);
  if (info.nlinks > size) return hp_fail(HP_ERR_FILE, "%s: %s: its members are not in the file", h->path, group);
  HP_TRY(HP_ALLOC(*names, info.nlinks));
  members m = {.name = *names, .room = (int64_t)info.nlinks};
  if (H5Literate_by_name(h->file, group, H5_INDEX_NAME, H5_ITER_INC, NULL, add_member, &m, H5P_DEFAULT) < 0 &&
      m.status == HP_OK)
    m.status = hp_h5_fail(h, group);
  if (m.status != HP_OK) hp_h5_members_free(names, m.count);
  *count = m.status == HP_OK ? m.count : 0;
  return m.status;
}

void hp_h5_members_free(char ***names, int64_t count) {
  for (int64_t n = 0; *names != NULL && n < count; ++n) HP_FREE((*names)[n]);
  HP_FREE(*names);
}
