/* HDF5 calls, each of them checked, on a file that is built in memory. */
#include <string.h>

#include "core/memory.h"
#include "io/output_chunks.h"
#include "io/output_impl.h"

enum { MEMORY_INCREMENT = 1 << 20 /* bytes */ };

/* The innermost entry of HDF5's error stack says most. */
static herr_t take_innermost(unsigned n, const H5E_error2_t *e, void *text) {
  if (n == 0 && e->desc != NULL) *(const char **)text = e->desc;
  return 0;
}

hp_status hp_h5_fail(const hp_h5 *h, const char *what) {
  const char *text = "an HDF5 call failed";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_innermost, (void *)&text);
  return hp_fail(HP_ERR_FILE, "%s: %s: %s", h->path, what, text);
}

/* ---- the file ------------------------------------------------------------ */

static hid_t text_type(size_t size) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  if (type >= 0 && H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0) return type;
  if (type >= 0) H5Tclose(type);
  return -1;
}

/* What the file's objects have in common. */
static bool open_common(hp_h5 *h) {
  h->text = text_type(H5T_VARIABLE);
  h->plain = H5Pcreate(H5P_DATASET_CREATE);
  return h->text >= 0 && h->plain >= 0 && H5Pset_obj_track_times(h->plain, false) >= 0;
}

static void close_common(hp_h5 *h) {
  if (h->text > 0) H5Tclose(h->text);
  if (h->plain > 0) H5Pclose(h->plain);
  h->text = h->plain = 0;
}

hp_status hp_h5_create(hp_h5 *h, const char *path, int compression) {
  *h = (hp_h5){.file = -1, .path = path, .compression = compression};
  if (H5Eset_auto2(H5E_DEFAULT, NULL, NULL) < 0) return hp_h5_fail(h, "HDF5");
  if (compression > 0 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0)
    return hp_fail(HP_ERR_UNSUPPORTED, "%s: this HDF5 library cannot compress with gzip; set output.compression = 0",
                   path);
  /* In memory, but HDF5 looks on the disk for a file of that name: the temporary one is never there. */
  char *name;
  HP_TRY(hp_format(&name, "%s.tmp", path));
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
  if (access >= 0 && creation >= 0 && H5Pset_fapl_core(access, MEMORY_INCREMENT, false) >= 0 &&
      H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 && H5Pset_obj_track_times(creation, false) >= 0 &&
      open_common(h))
    h->file = H5Fcreate(name, H5F_ACC_TRUNC, creation, access);
  const hp_status s = h->file >= 0 ? HP_OK : hp_h5_fail(h, "cannot build the file in memory");
  if (access >= 0) H5Pclose(access);
  if (creation >= 0) H5Pclose(creation);
  HP_FREE(name);
  if (s != HP_OK) close_common(h);
  return s;
}

static hp_status take_image(hp_h5 *h, char **image, int64_t *size) {
  if (H5Fflush(h->file, H5F_SCOPE_LOCAL) < 0) return hp_h5_fail(h, "flush");
  const ssize_t wanted = H5Fget_file_image(h->file, NULL, 0);
  if (wanted <= 0) return hp_h5_fail(h, "size of the file in memory");
  HP_TRY(HP_ALLOC(*image, wanted));
  *size = H5Fget_file_image(h->file, *image, (size_t)wanted);
  return *size == wanted ? HP_OK : hp_h5_fail(h, "image of the file in memory");
}

static hp_status write_to(hp_h5 *h, hp_status (*put)(const char *path, const void *data, size_t size)) {
  char *image = NULL;
  int64_t size = 0;
  hp_status s = take_image(h, &image, &size);
  close_common(h);
  if (H5Fclose(h->file) < 0 && s == HP_OK) s = hp_h5_fail(h, "close");
  h->file = -1;
  if (s == HP_OK) s = put(h->path, image, (size_t)size);
  HP_FREE(image);
  return s;
}

hp_status hp_h5_commit(hp_h5 *h) { return write_to(h, hp_file_replace); }
hp_status hp_h5_place(hp_h5 *h) { return write_to(h, hp_file_place); }

void hp_h5_discard(hp_h5 *h) {
  close_common(h);
  if (h->file >= 0) H5Fclose(h->file);
  h->file = -1;
}

/* ---- groups and datasets -------------------------------------------------- */

hp_status hp_h5_group(hp_h5 *h, const char *name) {
  const hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
  hid_t group = -1;
  if (creation >= 0 && H5Pset_obj_track_times(creation, false) >= 0)
    group = H5Gcreate2(h->file, name, H5P_DEFAULT, creation, H5P_DEFAULT);
  hp_status s = group >= 0 ? HP_OK : hp_h5_fail(h, name);
  if (group >= 0 && H5Gclose(group) < 0) s = hp_h5_fail(h, name);
  if (creation >= 0) H5Pclose(creation);
  return s;
}

static bool write_attribute(hid_t object, const char *name, hid_t file_type, hid_t memory_type, const void *value) {
  const hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute = -1;
  if (space >= 0) attribute = H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool ok = attribute >= 0 && H5Awrite(attribute, memory_type, value) >= 0;
  if (attribute >= 0 && H5Aclose(attribute) < 0) ok = false;
  if (space >= 0) H5Sclose(space);
  return ok;
}

static bool write_text(const hp_h5 *h, hid_t object, const char *name, const char *value) {
  return write_attribute(object, name, h->text, h->text, &value);
}

/* How a dataset in chunks is created. */
static hid_t chunked(const hp_h5 *h, int rank, const hsize_t *chunk) {
  const hid_t creation = H5Pcopy(h->plain);
  if (creation >= 0 && H5Pset_chunk(creation, rank, chunk) >= 0 && H5Pset_shuffle(creation) >= 0 &&
      H5Pset_deflate(creation, (unsigned)h->compression) >= 0)
    return creation;
  if (creation >= 0) H5Pclose(creation);
  return -1;
}

/* Packs the chunks one by one and hands them to HDF5 as they stand in the file. */
static bool write_chunks(hid_t set, hp_chunks *c, const void *data) {
  hsize_t from[3];
  for (from[0] = 0; from[0] < c->size[0]; from[0] += c->chunk[0])
    for (from[1] = 0; from[1] < c->size[1]; from[1] += c->chunk[1])
      for (from[2] = 0; from[2] < c->size[2]; from[2] += c->chunk[2]) {
        const size_t packed = hp_chunks_pack(c, from, data);
        if (packed == 0 || H5Dwrite_chunk(set, H5P_DEFAULT, 0, from, packed, c->packed) < 0) return false;
      }
  return true;
}

/* A dataset; `chunks` NULL: contiguous, without filters. */
static hp_status write_dataset(hp_h5 *h, const char *name, hid_t file_type, hid_t memory_type, int rank,
                               const hsize_t *dims, hp_chunks *chunks, const void *data, const char *unit) {
  const hid_t space = H5Screate_simple(rank, dims, NULL);
  const hid_t creation = chunks != NULL ? chunked(h, rank, chunks->chunk) : h->plain;
  hid_t set = -1;
  bool ok = space >= 0 && creation >= 0;
  if (ok) set = H5Dcreate2(h->file, name, file_type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  ok = set >= 0;
  if (ok && H5Sget_simple_extent_npoints(space) > 0)
    ok = chunks != NULL ? write_chunks(set, chunks, data)
                        : H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
  if (ok && unit != NULL) ok = write_text(h, set, "unit", unit);
  hp_status s = ok ? HP_OK : hp_h5_fail(h, name);
  if (set >= 0 && H5Dclose(set) < 0 && s == HP_OK) s = hp_h5_fail(h, name);
  if (chunks != NULL && creation >= 0) H5Pclose(creation);
  if (space >= 0) H5Sclose(space);
  return s;
}

static hid_t file_type_of(hp_h5_type type) {
  switch (type) {
  case HP_H5_F32: return H5T_IEEE_F32LE;
  case HP_H5_F64: return H5T_IEEE_F64LE;
  case HP_H5_I32: return H5T_STD_I32LE;
  default: return H5T_STD_U8LE;
  }
}

hid_t hp_h5_memory_type(hp_h5_type type) {
  switch (type) {
  case HP_H5_I32: return H5T_NATIVE_INT32;
  case HP_H5_U8: return H5T_NATIVE_UINT8;
  default: return H5T_NATIVE_DOUBLE;
  }
}

hp_status hp_h5_array(hp_h5 *h, const char *name, hp_h5_type type, int rank, const int64_t *dims, const void *data,
                      const char *unit) {
  enum { RANK_MAX = 4 };
  hsize_t size[RANK_MAX] = {0};
  if (rank < 1 || rank > RANK_MAX) return hp_fail(HP_ERR_INTERNAL, "%s: array of rank %d", name, rank);
  for (int d = 0; d < rank; ++d) size[d] = (hsize_t)dims[d];
  return write_dataset(h, name, file_type_of(type), hp_h5_memory_type(type), rank, size, NULL, data, unit);
}

hp_status hp_h5_field(hp_h5 *h, const char *name, hp_h5_type type, const int dims[3], const void *data,
                      const char *unit) {
  const hsize_t size[3] = {(hsize_t)dims[0], (hsize_t)dims[1], (hsize_t)dims[2]};
  if (h->compression == 0)
    return write_dataset(h, name, file_type_of(type), hp_h5_memory_type(type), 3, size, NULL, data, unit);
  hp_chunks c;
  hp_status s = hp_chunks_create(&c, type, size, h->compression);
  if (s == HP_OK) s = write_dataset(h, name, file_type_of(type), hp_h5_memory_type(type), 3, size, &c, data, unit);
  hp_chunks_destroy(&c);
  return s;
}

hp_status hp_h5_strings(hp_h5 *h, const char *name, int64_t count, const char *const *text) {
  size_t width = 1;
  for (int64_t i = 0; i < count; ++i)
    if (strlen(text[i]) > width) width = strlen(text[i]);
  char *block = NULL;
  HP_TRY(hp_alloc((void **)&block, count, width, "strings of a dataset"));
  for (int64_t i = 0; i < count; ++i) memcpy(block + (size_t)i * width, text[i], strlen(text[i]));
  const hid_t type = text_type(width);
  hp_status s;
  if (type < 0 || H5Tset_strpad(type, H5T_STR_NULLPAD) < 0)
    s = hp_h5_fail(h, name);
  else
    s = write_dataset(h, name, type, type, 1, (const hsize_t[]){(hsize_t)count}, NULL, block, NULL);
  if (type >= 0) H5Tclose(type);
  HP_FREE(block);
  return s;
}

/* ---- attributes and links -------------------------------------------------- */

static hp_status attribute(hp_h5 *h, const char *object, const char *name, hid_t type, const void *value) {
  const hid_t id = H5Oopen(h->file, object, H5P_DEFAULT);
  bool ok = id >= 0;
  if (ok) ok = type < 0 ? write_text(h, id, name, value) : write_attribute(id, name, type, type, value);
  hp_status s = ok ? HP_OK : hp_h5_fail(h, name);
  if (id >= 0 && H5Oclose(id) < 0 && s == HP_OK) s = hp_h5_fail(h, name);
  return s;
}

hp_status hp_h5_text(hp_h5 *h, const char *object, const char *name, const char *value) {
  return attribute(h, object, name, -1, value);
}

hp_status hp_h5_number(hp_h5 *h, const char *object, const char *name, double value) {
  return attribute(h, object, name, H5T_NATIVE_DOUBLE, &value);
}

hp_status hp_h5_integer(hp_h5 *h, const char *object, const char *name, int64_t value) {
  return attribute(h, object, name, H5T_NATIVE_INT64, &value);
}

hp_status hp_h5_link(hp_h5 *h, const char *name, const char *target, const char *object) {
  if (H5Lcreate_external(target, object, h->file, name, H5P_DEFAULT, H5P_DEFAULT) < 0) return hp_h5_fail(h, name);
  return HP_OK;
}
