/* Looking at what a file's list of checksums names (io/files/sums.h). */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/files/hdf5.h"
#include "io/files/text.h"

enum { DIGITS = 16 };

static hp_status damaged(const hp_h5 *h, const char *what) {
  return hp_fail(HP_ERR_FILE, "%s: %s is damaged: it is not what was written", h->path, what);
}

/* ---- numbers ---- */

/* Numbers in memory as the file has them, the lowest byte first. false: hepta writes none such. */
static bool memory_type(hid_t stored, hid_t *memory, hp_h5_type *type) {
  const H5T_class_t kind = H5Tget_class(stored);
  const size_t size = H5Tget_size(stored);
  *type = kind == H5T_FLOAT ? (size == 4 ? HP_H5_F32 : HP_H5_F64) : size == 4 ? HP_H5_I32 : HP_H5_U8;
  *memory = kind == H5T_STRING ? H5Tcopy(stored) : H5Tcopy(hp_h5_memory_type(*type));
  return *memory >= 0 && (kind == H5T_STRING ? H5Tis_variable_str(stored) == 0
                                             : (kind == H5T_FLOAT && (size == 4 || size == 8)) ||
                                                   (kind == H5T_INTEGER && (size == 4 || size == 1)));
}

/* A dataset that is read some rows of its first axis at a time. */
typedef struct {
  hid_t set, space, stored, memory;
  hp_h5_type type;
  size_t width; /* bytes of a number in memory */
  bool text;
  int rank;
  hsize_t size[H5S_MAX_RANK];
  int64_t row, rows; /* numbers of a row; rows at a time */
} reading;

static void close_reading(reading *r) {
  if (r->memory >= 0) H5Tclose(r->memory);
  if (r->stored >= 0) H5Tclose(r->stored);
  if (r->space >= 0) H5Sclose(r->space);
  if (r->set >= 0) H5Dclose(r->set);
}

/* rows 0: as many as make a piece. */
static hp_status open_reading(const hp_h5 *h, const char *name, int64_t rows, reading *r) {
  enum { PIECE = 1 << 17 /* numbers, about */ };
  int64_t count;
  *r = (reading){.space = -1, .stored = -1, .memory = -1};
  r->set = H5Dopen2(h->file, name, H5P_DEFAULT);
  if (r->set < 0) return hp_h5_fail(h, name);
  r->space = H5Dget_space(r->set);
  r->stored = H5Dget_type(r->set);
  HP_TRY(hp_h5_count(h, name, &count));
  if (r->space < 0 || r->stored < 0 || !memory_type(r->stored, &r->memory, &r->type)) return damaged(h, name);
  r->text = H5Tget_class(r->stored) == H5T_STRING;
  r->width = H5Tget_size(r->memory);
  r->rank = H5Sget_simple_extent_dims(r->space, r->size, NULL);
  if (r->rank < 1) return damaged(h, name);
  r->row = 1;
  for (int d = 1; d < r->rank; ++d) r->row *= (int64_t)r->size[d];
  r->rows = rows > 0 ? rows : r->row < PIECE ? PIECE / (r->row > 0 ? r->row : 1) : 1;
  if (r->rows > (int64_t)r->size[0]) r->rows = (int64_t)r->size[0];
  return HP_OK;
}

/* Rows first .. first + rows to `piece`. */
static bool read_rows(const reading *r, int64_t first, int64_t rows, void *piece) {
  hsize_t from[H5S_MAX_RANK] = {(hsize_t)first}, count[H5S_MAX_RANK];
  memcpy(count, r->size, sizeof count);
  count[0] = (hsize_t)rows;
  const hid_t here = H5Screate_simple(r->rank, count, NULL);
  const bool done = here >= 0 && H5Sselect_hyperslab(r->space, H5S_SELECT_SET, from, NULL, count, NULL) >= 0 &&
                    H5Dread(r->set, r->memory, here, r->space, H5P_DEFAULT, piece) >= 0;
  if (here >= 0) H5Sclose(here);
  return done;
}

/* All numbers; sum NULL: nobody asks for it. What does not unpack is damaged. */
static hp_status read_all(const hp_h5 *h, const char *name, const reading *r, hp_sum *sum, int64_t *bytes) {
  char *piece = NULL;
  hp_status s = hp_alloc_unset((void **)&piece, r->rows * r->row, r->width, name);
  *bytes = 0;
  for (int64_t at = 0; s == HP_OK && r->row > 0 && at < (int64_t)r->size[0]; at += r->rows) {
    const int64_t rows = (int64_t)r->size[0] - at < r->rows ? (int64_t)r->size[0] - at : r->rows;
    if (!read_rows(r, at, rows, piece)) s = damaged(h, name);
    else if (sum != NULL && r->text) hp_sum_add(sum, piece, (size_t)(rows * r->row) * r->width, (uint64_t)*bytes);
    else if (sum != NULL) hp_h5_sum_numbers(r->type, piece, rows * r->row, sum, *bytes);
    *bytes += rows * r->row * (int64_t)(r->text ? r->width : H5Tget_size(r->stored));
  }
  HP_FREE(piece);
  return s;
}

static hp_status verify_set(const hp_h5 *h, const char *name, uint64_t value) {
  reading r;
  hp_sum sum = {0, 0};
  int64_t bytes = 0;
  hp_status s = open_reading(h, name, 0, &r);
  if (s == HP_OK) s = read_all(h, name, &r, &sum, &bytes);
  if (s == HP_OK && hp_sum_value(&sum, (uint64_t)bytes) != value) s = damaged(h, name);
  close_reading(&r);
  return s;
}

/* ---- attributes and links ---- */

static hp_status verify_bytes(const hp_h5 *h, const char *what, const char *of, const void *bytes, size_t size,
                              uint64_t value) {
  char *name;
  if (hp_sum_of(bytes, size) == value) return HP_OK;
  HP_TRY(hp_format(&name, "%s of %s", what, of));
  const hp_status s = damaged(h, name);
  HP_FREE(name);
  return s;
}

/* "FILE:OBJECT" of an external link. */
static hp_status read_link(const hp_h5 *h, const char *name, char **both) {
  H5L_info_t info;
  const char *file = NULL, *object = NULL;
  char *packed = NULL;
  *both = NULL;
  if (H5Lget_info(h->file, name, &info, H5P_DEFAULT) < 0) return hp_h5_fail(h, name);
  if (info.type != H5L_TYPE_EXTERNAL) return damaged(h, name);
  HP_TRY(hp_alloc((void **)&packed, (int64_t)info.u.val_size, 1, name));
  hp_status s = HP_OK;
  if (H5Lget_val(h->file, name, packed, info.u.val_size, H5P_DEFAULT) < 0 ||
      H5Lunpack_elink_val(packed, info.u.val_size, NULL, &file, &object) < 0)
    s = hp_h5_fail(h, name);
  if (s == HP_OK) s = hp_format(both, "%s:%s", file, object);
  HP_FREE(packed);
  return s;
}

hp_status hp_h5_link_file(const hp_h5 *h, const char *name, char **file) {
  HP_TRY(read_link(h, name, file));
  *strrchr(*file, ':') = '\0';
  return HP_OK;
}

hp_status hp_h5_linked(const hp_h5 *h, const char *name, char **path) {
  char *file;
  const char *slash = strrchr(h->path, '/');
  HP_TRY(hp_h5_link_file(h, name, &file));
  const hp_status s = hp_format(path, "%.*s%s", slash != NULL ? (int)(slash - h->path + 1) : 0, h->path, file);
  HP_FREE(file);
  return s;
}

static hp_status verify_link(const hp_h5 *h, const char *name, uint64_t value) {
  char *both;
  HP_TRY(read_link(h, name, &both));
  const hp_status s = verify_bytes(h, "the link", name, both, strlen(both), value);
  HP_FREE(both);
  return s;
}

static hp_status verify_attribute(const hp_h5 *h, const char *object, const char *name, uint64_t value) {
  char bytes[sizeof(double)], *text = NULL;
  const hid_t owner = H5Oopen(h->file, object, H5P_DEFAULT);
  const hid_t a = owner >= 0 ? H5Aopen(owner, name, H5P_DEFAULT) : -1, type = a >= 0 ? H5Aget_type(a) : -1;
  const H5T_class_t kind = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
  const hid_t space = a >= 0 ? H5Aget_space(a) : -1;
  const bool single = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
  hp_status s = HP_OK;
  if (!single) s = hp_h5_fail(h, name);
  else if (kind == H5T_STRING) s = hp_h5_read_text(h, object, name, &text);
  else if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || H5Tget_size(type) != sizeof bytes) s = damaged(h, name);
  else if (H5Aread(a, kind == H5T_FLOAT ? H5T_IEEE_F64LE : H5T_STD_I64LE, bytes) < 0) s = hp_h5_fail(h, name);
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (a >= 0) H5Aclose(a);
  if (owner >= 0) H5Oclose(owner);
  if (s == HP_OK)
    s = verify_bytes(h, name, object, text != NULL ? text : bytes, text != NULL ? strlen(text) : sizeof bytes, value);
  HP_FREE(text);
  return s;
}

/* ---- the list ---- */

static hp_status verify_line(const hp_h5 *h, char *line) {
  char *end, *what = line + DIGITS + 1;
  const uint64_t value = strtoull(line, &end, 16);
  if (end != line + DIGITS || *end != ' ') return damaged(h, "checksums");
  if (*what == '/') return verify_set(h, what, value);
  char *object = strchr(what, ' ');
  if (object == NULL) return damaged(h, "checksums");
  *object++ = '\0';
  return strcmp(what, "link") == 0 ? verify_link(h, object, value) : verify_attribute(h, object, what, value);
}

/* The last line is the list's own. */
static hp_status verify_list(const hp_h5 *h, char *text) {
  const size_t length = strlen(text), last = DIGITS + 1;
  char own[DIGITS + 2];
  if (length < last) return damaged(h, "checksums");
  snprintf(own, sizeof own, "%016llx\n", (unsigned long long)hp_sum_of(text, length - last));
  if (strcmp(text + length - last, own) != 0) return damaged(h, "checksums");
  text[length - last] = '\0';
  hp_status s = HP_OK;
  for (char *line = text, *next; s == HP_OK && *line != '\0'; line = next) {
    next = strchr(line, '\n');
    if (next == NULL) return damaged(h, "checksums");
    *next++ = '\0';
    s = verify_line(h, line);
  }
  return s;
}

hp_status hp_h5_verify(const hp_h5 *h, bool must, bool *listed) {
  char *text;
  HP_TRY(hp_h5_read_text(h, "/", "checksums", &text));
  *listed = text[0] != '\0';
  const hp_status s = *listed ? verify_list(h, text) : must ? damaged(h, "checksums") : HP_OK;
  HP_FREE(text);
  return s;
}

/* ---- packed chunks ---- */

typedef struct {
  const hp_h5 *h;
  hp_status status;
} packed;

static hp_status read_packed(const hp_h5 *h, const char *name) {
  reading r;
  hsize_t chunk[H5S_MAX_RANK] = {1};
  int64_t bytes;
  const hid_t set = H5Dopen2(h->file, name, H5P_DEFAULT), how = set >= 0 ? H5Dget_create_plist(set) : -1;
  const bool chunks = how >= 0 && H5Pget_layout(how) == H5D_CHUNKED && H5Pget_chunk(how, H5S_MAX_RANK, chunk) > 0;
  hp_status s = how >= 0 ? HP_OK : hp_h5_fail(h, name);
  if (how >= 0) H5Pclose(how);
  if (set >= 0) H5Dclose(set);
  if (s != HP_OK || !chunks) return s;
  s = open_reading(h, name, (int64_t)chunk[0], &r);
  if (s == HP_OK) s = read_all(h, name, &r, NULL, &bytes);
  close_reading(&r);
  return s;
}

#if H5_VERSION_GE(1, 12, 0)
typedef H5O_info2_t object_info;
#else
typedef H5O_info_t object_info;
#endif

static herr_t visit(hid_t root, const char *name, const object_info *info, void *arg) {
  packed *p = arg;
  (void)root;
  char *path;
  if (info->type != H5O_TYPE_DATASET) return 0;
  p->status = hp_format(&path, "/%s", name);
  if (p->status == HP_OK) p->status = read_packed(p->h, path);
  HP_FREE(path);
  return p->status == HP_OK ? 0 : -1;
}

hp_status hp_h5_verify_packed(const hp_h5 *h) {
  packed p = {h, HP_OK};
#if H5_VERSION_GE(1, 12, 0)
  const herr_t r = H5Ovisit3(h->file, H5_INDEX_NAME, H5_ITER_INC, visit, &p, H5O_INFO_BASIC);
#else
  const herr_t r = H5Ovisit(h->file, H5_INDEX_NAME, H5_ITER_INC, visit, &p);
#endif
  if (p.status != HP_OK) return p.status;
  return r >= 0 ? HP_OK : hp_h5_fail(h, "its objects");
}
