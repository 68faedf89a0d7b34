#define _XOPEN_SOURCE 700
/* HDF5 calls, each of them checked, on a file that is built in memory, or under its temporary name. */
#include <string.h>
#include <sys/stat.h>

#include "core/memory.h"
#include "core/threads/tasks.h"
#include "io/files/chunks.h"
#include "io/files/driver.h"
#include "io/files/file.h"
#include "io/files/text.h"

struct hp_h5_list {
  hp_text text;
};

enum { MEMORY_INCREMENT = 1 << 18 /* bytes */ };

/* The innermost entry of HDF5's error stack says most. */
static herr_t keep_innermost(unsigned n, const H5E_error2_t *e, void *text) {
  if (n == 0 && e->desc != NULL) *(const char **)text = e->desc;
  return 0;
}

hp_status hp_h5_fail(const hp_h5 *h, const char *what) {
  const char *text = "an HDF5 call failed";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, (void *)&text);
  static const char before[] = "error message = '"; /* the system's, of a file on the disk */
  const char *why = h->on_disk ? strstr(text, before) : NULL;
  if (why != NULL) {
    why += sizeof before - 1;
    return hp_fail(HP_ERR_FILE, "%s.tmp: cannot write: %.*s", h->path, (int)strcspn(why, "'"), why);
  }
  return hp_fail(HP_ERR_FILE, "%s: %s: %s", h->path, what, text);
}

/* ---- checksums ---- */

/* In pieces, as the file has them. */
void hp_h5_sum_numbers(hp_h5_type type, const void *data, int64_t count, hp_sum *sum, int64_t place) {
  enum { PIECE = 1024 };
  uint8_t piece[PIECE * sizeof(double)];
  const size_t width = type == HP_H5_I32 ? sizeof(int32_t) : type == HP_H5_U8 ? 1 : sizeof(double);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (type != HP_H5_F32) { /* as they are here */
    hp_sum_add(sum, data, (size_t)count * width, (uint64_t)place);
    return;
  }
#endif
  for (int64_t n = 0; n < count; n += PIECE) {
    const size_t numbers = count - n < PIECE ? (size_t)(count - n) : PIECE;
    const size_t bytes = hp_chunks_plain(type, (const char *)data + (size_t)n * width, numbers, piece);
    hp_sum_add(sum, piece, bytes, (uint64_t)place);
    place += (int64_t)bytes;
  }
}

static void list_numbers(hp_h5 *h, const char *name, hp_h5_type type, const void *data, int64_t count) {
  hp_sum sum = {0, 0};
  hp_h5_sum_numbers(type, data, count, &sum, 0);
  hp_text_add(&h->list->text, "%016llx %s\n",
              (unsigned long long)hp_sum_value(&sum, (uint64_t)count * hp_chunks_width(type)), name);
}

/* An attribute, or a link. */
static void list_value(hp_h5 *h, const char *object, const char *what, const void *bytes, size_t size) {
  hp_text_add(&h->list->text, "%016llx %s %s\n", (unsigned long long)hp_sum_of(bytes, size), what, object);
}

/* A number of eight bytes, as the file has it. */
static void list_eight(hp_h5 *h, const char *object, const char *what, const void *value) {
  uint8_t bytes[sizeof(double)];
  list_value(h, object, what, bytes, hp_chunks_plain(HP_H5_F64, value, 1, bytes));
}

void hp_h5_sum_bytes(hp_h5 *h, const hp_sum *sum, int64_t bytes) {
  h->sum.words += sum->words;
  h->sum.placed += sum->placed;
  h->summed += bytes;
}

static bool write_text(const hp_h5 *h, hid_t object, const char *name, const char *value);

/* Once all else is written. */
static hp_status write_sums(hp_h5 *h) {
  hp_text *t = &h->list->text;
  const unsigned long long own = hp_sum_of(t->s != NULL ? t->s : "", (size_t)t->length);
  hp_text_add(t, "%016llx\n", own);
  HP_TRY(t->status);
  const hid_t root = H5Oopen(h->file, "/", H5P_DEFAULT);
  bool ok = root >= 0 && write_text(h, root, "checksums", t->s);
  if (root >= 0 && H5Oclose(root) < 0) ok = false;
  return ok ? HP_OK : hp_h5_fail(h, "checksums");
}

/* ---- the file ---- */

void hp_h5_leave_at_exit(void) {
  enum { KB = 1 << 10, MB = 1 << 20 };
  (void)H5dont_atexit();
  /* all and each kind: what has one size, arrays, blocks */
  (void)H5set_free_list_limits(8 * MB, 4 * MB, 4 * MB, 256 * KB, 16 * MB, MB);
}

static hid_t text_type(size_t size) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  if (type >= 0 && H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0) return type;
  if (type >= 0) H5Tclose(type);
  return -1;
}

/* Properties that the file's objects have in common. */
static bool open_common(hp_h5 *h) {
  h->text = text_type(H5T_VARIABLE);
  h->plain = H5Pcreate(H5P_DATASET_CREATE);
  return h->text >= 0 && h->plain >= 0 && H5Pset_obj_track_times(h->plain, false) >= 0;
}

static void close_common(hp_h5 *h) {
  if (h->list != NULL) hp_text_clear(&h->list->text);
  HP_FREE(h->list);
  if (h->text > 0) H5Tclose(h->text);
  if (h->plain > 0) H5Pclose(h->plain);
  h->text = h->plain = 0;
}

/* The oldest format that holds an object, as HDF5 before 2.0 chooses by itself: the same bytes with any version, and programs with
 * an older one, such as ParaView, read them. */
static bool read_by_all(hid_t access) {
  return H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V110) >= 0;
}

/* In memory, too, HDF5 looks on the disk for a file of that name: the temporary one is never there. */
static hp_status create(hp_h5 *h, const char *path, int compression, bool on_disk) {
  *h = (hp_h5){.file = -1, .path = path, .compression = compression};
  if (H5Eset_auto2(H5E_DEFAULT, NULL, NULL) < 0) return hp_h5_fail(h, "HDF5");
  if (compression > 0 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0)
    return hp_fail(HP_ERR_UNSUPPORTED, "%s: this HDF5 library cannot compress with gzip; set output.compression = 0",
                   path);
  char *name = NULL;
  hp_status s = HP_ALLOC(h->list, 1);
  if (s == HP_OK) s = hp_format(&name, "%s.tmp", path);
  if (s != HP_OK) {
    HP_FREE(h->list);
    return s;
  }
  struct stat st;
  if (lstat(name, &st) == 0) hp_file_drop(path); /* a link would be followed */
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
  if (access >= 0 && creation >= 0 && read_by_all(access) &&
      (on_disk ? hp_driver_use(access) : H5Pset_fapl_core(access, MEMORY_INCREMENT, false) >= 0) &&
      H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 && H5Pset_obj_track_times(creation, false) >= 0 &&
      open_common(h))
    h->file = H5Fcreate(name, H5F_ACC_TRUNC, creation, access);
  h->on_disk = on_disk;
  s = h->file >= 0 ? HP_OK : hp_h5_fail(h, on_disk ? "create" : "cannot build the file in memory");
  if (access >= 0) H5Pclose(access);
  if (creation >= 0) H5Pclose(creation);
  HP_FREE(name);
  if (s != HP_OK) close_common(h);
  return s;
}

hp_status hp_h5_create(hp_h5 *h, const char *path, int compression) { return create(h, path, compression, false); }
hp_status hp_h5_create_on_disk(hp_h5 *h, const char *path, int compression) {
  return create(h, path, compression, true);
}

hp_status hp_h5_size(hp_h5 *h, int64_t *size) {
  if (h->list != NULL) HP_TRY(h->list->text.status);
  if (H5Fflush(h->file, H5F_SCOPE_LOCAL) < 0) return hp_h5_fail(h, "flush");
  *size = H5Fget_file_image(h->file, NULL, 0);
  return *size > 0 ? HP_OK : hp_h5_fail(h, "size of the file in memory");
}

static hp_status copy_image(hp_h5 *h, char **image, int64_t *size) {
  int64_t wanted = 0;
  HP_TRY(hp_h5_size(h, &wanted));
  HP_TRY(HP_ALLOC_UNSET(*image, wanted));
  *size = H5Fget_file_image(h->file, *image, (size_t)wanted);
  return *size == wanted ? HP_OK : hp_h5_fail(h, "image of the file in memory");
}

hp_status hp_h5_image(hp_h5 *h, char **image, int64_t *size) {
  hp_status s = write_sums(h);
  if (s == HP_OK) s = copy_image(h, image, size);
  close_common(h);
  if (H5Fclose(h->file) < 0 && s == HP_OK) s = hp_h5_fail(h, "close");
  h->file = -1;
  return s;
}

static hp_status write_to(hp_h5 *h, hp_status (*put)(const char *path, const void *data, size_t size)) {
  char *image = NULL;
  int64_t size = 0;
  hp_status s = hp_h5_image(h, &image, &size);
  if (s == HP_OK) s = put(h->path, image, (size_t)size);
  HP_FREE(image);
  return s;
}

/* The temporary file is whole, and gets its name. */
static hp_status put_in_place(hp_h5 *h, bool sync) {
  hp_status s = write_sums(h);
  if (s == HP_OK && H5Fflush(h->file, H5F_SCOPE_LOCAL) < 0) s = hp_h5_fail(h, "write");
  close_common(h);
  if (H5Fclose(h->file) < 0 && s == HP_OK) s = hp_h5_fail(h, "close");
  h->file = -1;
  return hp_file_put(h->path, s, sync);
}

hp_status hp_h5_commit(hp_h5 *h) { return h->on_disk ? put_in_place(h, true) : write_to(h, hp_file_replace); }
hp_status hp_h5_place(hp_h5 *h) { return h->on_disk ? put_in_place(h, false) : write_to(h, hp_file_place); }

void hp_h5_discard(hp_h5 *h) {
  close_common(h);
  if (h->file >= 0) H5Fclose(h->file);
  if (h->file >= 0 && h->on_disk) hp_file_drop(h->path);
  h->file = -1;
}

/* ---- groups and datasets ---- */

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

/* A dataset that is open; `ok` says whether all went well so far. */
typedef struct {
  hid_t set;
  bool ok;
} dataset;

static dataset open_dataset(const hp_h5 *h, const char *name, hid_t file_type, int rank, const hsize_t *dims,
                            hid_t creation) {
  dataset d = {.set = -1};
  const hid_t space = H5Screate_simple(rank, dims, NULL);
  if (space >= 0 && creation >= 0)
    d.set = H5Dcreate2(h->file, name, file_type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  d.ok = d.set >= 0;
  if (space >= 0) H5Sclose(space);
  return d;
}

static hp_status close_dataset(hp_h5 *h, const char *name, dataset *d, const char *unit) {
  if (d->ok && unit != NULL) d->ok = write_text(h, d->set, "unit", unit);
  if (d->ok && unit != NULL) list_value(h, name, "unit", unit, strlen(unit));
  hp_status s = d->ok ? HP_OK : hp_h5_fail(h, name);
  if (d->set >= 0 && H5Dclose(d->set) < 0 && s == HP_OK) s = hp_h5_fail(h, name);
  return s;
}

/* A contiguous dataset, without filters. */
static hp_status write_dataset(hp_h5 *h, const char *name, hid_t file_type, hid_t memory_type, int rank,
                               const hsize_t *dims, const void *data, const char *unit) {
  bool empty = false;
  for (int d = 0; d < rank; ++d) empty = empty || dims[d] == 0;
  dataset d = open_dataset(h, name, file_type, rank, dims, h->plain);
  if (d.ok && !empty) d.ok = H5Dwrite(d.set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
  return close_dataset(h, name, &d, unit);
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
  int64_t count = 1;
  for (int d = 0; d < rank; ++d) size[d] = (hsize_t)dims[d], count *= dims[d];
  list_numbers(h, name, type, data, count);
  return write_dataset(h, name, file_type_of(type), hp_h5_memory_type(type), rank, size, data, unit);
}

hp_status hp_h5_strings(hp_h5 *h, const char *name, int64_t count, const char *const *text) {
  size_t width = 1;
  for (int64_t i = 0; i < count; ++i)
    if (text[i] != NULL && strlen(text[i]) > width) width = strlen(text[i]);
  char *block = NULL;
  HP_TRY(hp_alloc((void **)&block, count, width, "strings of a dataset"));
  for (int64_t i = 0; i < count; ++i)
    if (text[i] != NULL) memcpy(block + (size_t)i * width, text[i], strlen(text[i]));
  list_numbers(h, name, HP_H5_U8, block, count * (int64_t)width);
  const hid_t type = text_type(width);
  hp_status s;
  if (type < 0 || H5Tset_strpad(type, H5T_STR_NULLPAD) < 0) s = hp_h5_fail(h, name);
  else s = write_dataset(h, name, type, type, 1, (const hsize_t[]){(hsize_t)count}, block, NULL);
  if (type >= 0) H5Tclose(type);
  HP_FREE(block);
  return s;
}

/* ---- fields in chunks ---- */

/* How a dataset in chunks is created. */
static hid_t chunked(const hp_h5 *h, int rank, const hsize_t *chunk) {
  const hid_t creation = H5Pcopy(h->plain);
  if (creation >= 0 && H5Pset_chunk(creation, rank, chunk) >= 0 && H5Pset_shuffle(creation) >= 0 &&
      H5Pset_deflate(creation, (unsigned)h->compression) >= 0)
    return creation;
  if (creation >= 0) H5Pclose(creation);
  return -1;
}

/* Chunks of all fields, one field after the other, that are packed before HDF5 gets them. */
typedef struct {
  const hp_h5 *h;
  hp_chunks chunks;
  const hp_h5_source *field;
  int total;          /* chunks of all fields */
  int threads, slots; /* slots: chunks that are packed at a time */
  int first, count;   /* those now in the slots */
  uint8_t *plane;     /* [threads][numbers*width] */
  uint8_t *packed;    /* [slots][room] */
  size_t *size;       /* [slots] bytes of each */
} packing;

static void packing_plan(packing *w, int count, hp_h5_type type, const int dims[3], int tail, int level, int threads) {
  *w = (packing){.threads = threads > HP_TASKS_MAX ? HP_TASKS_MAX : threads};
  hp_chunks_plan(&w->chunks, type, (const hsize_t[]){(hsize_t)dims[0], (hsize_t)dims[1], (hsize_t)dims[2]}, tail,
                 level);
  w->total = count * hp_chunks_count(&w->chunks);
  if (w->threads > w->total) w->threads = w->total;
  if (w->threads < 1) w->threads = 1;
  w->slots = w->threads > 1 ? w->total : 1;
}

static hp_status packing_allocate(packing *w) {
  const int64_t plane = (int64_t)(w->chunks.numbers * w->chunks.width), room = (int64_t)w->chunks.room;
  HP_TRY(HP_ALLOC_UNSET(w->plane, w->threads * plane));
  HP_TRY(HP_ALLOC_UNSET(w->packed, w->slots * room));
  return HP_ALLOC(w->size, w->slots);
}

static void packing_free(packing *w) {
  HP_FREE(w->plane);
  HP_FREE(w->packed);
  HP_FREE(w->size);
}

static hp_status pack_one(void *arg, int task, int worker) {
  const packing *w = arg;
  const int n = w->first + task, per_field = hp_chunks_count(&w->chunks);
  const hp_h5_source *field = &w->field[n / per_field];
  w->size[task] = hp_chunks_pack(&w->chunks, n % per_field, field,
                                 w->plane + (size_t)worker * w->chunks.numbers * w->chunks.width,
                                 w->packed + (size_t)task * w->chunks.room);
  return w->size[task] > 0 ? HP_OK : hp_fail(HP_ERR_FILE, "%s: %s: cannot be compressed", w->h->path, field->name);
}

/* With the tail, where there is one, as the last axis; returns the rank. */
static int split_tail(const hp_chunks *c, const hsize_t from[3], hsize_t out[4]) {
  memcpy(out, from, 3 * sizeof *out);
  if (c->tail == 1) return 3;
  out[2] = from[2] / (hsize_t)c->tail;
  out[3] = 0;
  return 4;
}

static int with_tail(const hp_chunks *c, const hsize_t size[3], hsize_t out[4]) {
  const int rank = split_tail(c, size, out);
  out[3] = (hsize_t)c->tail;
  return rank;
}

/* Chunk n of all into the file, as it stands there; packed with those that follow, if it is not yet. */
static hp_status write_chunk(packing *w, int n, dataset *d) {
  hsize_t from[3], place[4];
  if (n == w->first + w->count) {
    w->first = n;
    w->count = w->total - n < w->slots ? w->total - n : w->slots;
    HP_TRY(hp_tasks_run(w->threads, w->count, pack_one, w));
  }
  hp_chunks_from(&w->chunks, n % hp_chunks_count(&w->chunks), from);
  split_tail(&w->chunks, from, place);
  const size_t slot = (size_t)(n - w->first);
  d->ok = H5Dwrite_chunk(d->set, H5P_DEFAULT, 0, place, w->size[slot], w->packed + slot * w->chunks.room) >= 0;
  return HP_OK;
}

static hp_status write_chunked(hp_h5 *h, packing *w, int f, hid_t creation) {
  const hp_h5_source *field = &w->field[f];
  const int per_field = hp_chunks_count(&w->chunks);
  hsize_t size[4];
  const int rank = with_tail(&w->chunks, w->chunks.size, size);
  hp_status s = HP_OK;
  dataset d = open_dataset(h, field->name, file_type_of(w->chunks.type), rank, size, creation);
  for (int n = 0; n < per_field && s == HP_OK && d.ok; ++n) s = write_chunk(w, f * per_field + n, &d);
  const hp_status closed = close_dataset(h, field->name, &d, field->unit);
  return s != HP_OK ? s : closed;
}

int64_t hp_h5_fields_bytes(int count, hp_h5_type type, const int dims[3], int threads) {
  packing w;
  packing_plan(&w, count, type, dims, 1, 1, threads);
  return w.threads * (int64_t)(w.chunks.numbers * w.chunks.width) + w.slots * (int64_t)w.chunks.room;
}

hp_status hp_h5_fields(hp_h5 *h, int count, const hp_h5_source *field, hp_h5_type type, const int dims[3],
                       int threads) {
  packing w;
  packing_plan(&w, count, type, dims, field[0].tail, h->compression, threads);
  w.h = h;
  w.field = field;
  hsize_t chunk[4];
  hp_status s = packing_allocate(&w);
  const int rank = with_tail(&w.chunks, w.chunks.chunk, chunk);
  const hid_t creation = s == HP_OK ? chunked(h, rank, chunk) : -1;
  for (int f = 0; f < count && s == HP_OK; ++f) s = write_chunked(h, &w, f, creation);
  if (creation >= 0) H5Pclose(creation);
  packing_free(&w);
  return s;
}

hp_status hp_h5_field(hp_h5 *h, const char *name, hp_h5_type type, const int dims[3], const void *data,
                      const char *unit) {
  const hsize_t size[3] = {(hsize_t)dims[0], (hsize_t)dims[1], (hsize_t)dims[2]};
  const hp_h5_source field = {.name = name, .unit = unit, .data = data};
  if (h->compression > 0) return hp_h5_fields(h, 1, &field, type, dims, 1);
  list_numbers(h, name, type, data, (int64_t)dims[0] * dims[1] * dims[2]);
  return write_dataset(h, name, file_type_of(type), hp_h5_memory_type(type), 3, size, data, unit);
}

/* ---- datasets that are written in pieces ---- */

hp_status hp_h5_open_set(hp_h5 *h, const char *name, hp_h5_type type, int rank, const hsize_t *size,
                         const hsize_t *chunk, hid_t *set) {
  const hid_t creation = chunk != NULL ? chunked(h, rank, chunk) : h->plain;
  const dataset d = open_dataset(h, name, file_type_of(type), rank, size, creation);
  if (chunk != NULL && creation >= 0) H5Pclose(creation);
  *set = d.set;
  h->sum = (hp_sum){0, 0};
  h->summed = chunk != NULL ? -1 : 0;
  return d.ok ? HP_OK : hp_h5_fail(h, name);
}

hp_status hp_h5_write_box(hp_h5 *h, hid_t set, const char *name, hp_h5_type type, int rank, const hsize_t *from,
                          const hsize_t *count, const void *data) {
  int64_t numbers = 1;
  for (int d = 0; d < rank; ++d) numbers *= (int64_t)count[d];
  hp_h5_sum_numbers(type, data, numbers, &h->sum, h->summed);
  h->summed += numbers * (int64_t)hp_chunks_width(type);
  const hid_t here = H5Screate_simple(rank, count, NULL), there = H5Dget_space(set);
  const bool ok = here >= 0 && there >= 0 && H5Sselect_hyperslab(there, H5S_SELECT_SET, from, NULL, count, NULL) >= 0 &&
                  H5Dwrite(set, hp_h5_memory_type(type), here, there, H5P_DEFAULT, data) >= 0;
  const hp_status s = ok ? HP_OK : hp_h5_fail(h, name);
  if (here >= 0) H5Sclose(here);
  if (there >= 0) H5Sclose(there);
  return s;
}

hp_status hp_h5_close_set(hp_h5 *h, const char *name, hid_t set, const char *unit, hp_status s) {
  dataset d = {.set = set, .ok = s == HP_OK};
  if (s == HP_OK && h->summed >= 0)
    hp_text_add(&h->list->text, "%016llx %s\n", (unsigned long long)hp_sum_value(&h->sum, (uint64_t)h->summed), name);
  if (s == HP_OK) return close_dataset(h, name, &d, unit);
  if (set >= 0) H5Dclose(set);
  return s;
}

static hp_status write_layers(hp_h5 *h, hid_t set, const hp_h5_source *f, hp_h5_type type, const int dims[3]) {
  enum { PIECE = 1 << 20 };
  const int64_t layer = (int64_t)dims[1] * dims[2];
  const size_t width = H5Tget_size(hp_h5_memory_type(type));
  const hsize_t tail = f->tail > 1 ? (hsize_t)f->tail : 1;
  const int step = layer >= PIECE ? 1 : (int)(PIECE / layer);
  char *piece = NULL;
  hp_status s = hp_alloc_unset((void **)&piece, layer * (step < dims[0] ? step : dims[0]), width, f->name);
  for (int k = 0; k < dims[0] && s == HP_OK; k += step) {
    const int layers = dims[0] - k < step ? dims[0] - k : step;
    for (int n = 0; n < layers; ++n)
      for (int j = 0; j < dims[1]; ++j)
        f->row(f->data, k + n, j, 0, dims[2],
               piece + ((size_t)n * (size_t)dims[1] + (size_t)j) * (size_t)dims[2] * width);
    const hsize_t from[4] = {(hsize_t)k, 0, 0, 0};
    const hsize_t count[4] = {(hsize_t)layers, (hsize_t)dims[1], (hsize_t)dims[2] / tail, tail};
    s = hp_h5_write_box(h, set, f->name, type, tail > 1 ? 4 : 3, from, count, piece);
  }
  HP_FREE(piece);
  return s;
}

hp_status hp_h5_rows(hp_h5 *h, const hp_h5_source *f, hp_h5_type type, const int dims[3]) {
  const hsize_t tail = f->tail > 1 ? (hsize_t)f->tail : 1;
  const hsize_t size[4] = {(hsize_t)dims[0], (hsize_t)dims[1], (hsize_t)dims[2] / tail, tail};
  hid_t set;
  hp_status s = hp_h5_open_set(h, f->name, type, tail > 1 ? 4 : 3, size, NULL, &set);
  if (s == HP_OK) s = write_layers(h, set, f, type, dims);
  return hp_h5_close_set(h, f->name, set, f->unit, s);
}

/* ---- attributes and links ---- */

static hp_status attribute(hp_h5 *h, const char *object, const char *name, hid_t type, const void *value) {
  if (type < 0) list_value(h, object, name, value, strlen(value));
  else list_eight(h, object, name, value);
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
  char *both;
  if (H5Lcreate_external(target, object, h->file, name, H5P_DEFAULT, H5P_DEFAULT) < 0) return hp_h5_fail(h, name);
  HP_TRY(hp_format(&both, "%s:%s", target, object));
  list_value(h, name, "link", both, strlen(both));
  HP_FREE(both);
  return HP_OK;
}

hp_status hp_h5_name(char **out, const char *prefix, const char *name) {
  HP_TRY(hp_format(out, "%s%s", prefix, name));
  for (char *at = *out + strlen(prefix); (at = strchr(at, '/')) != NULL;) *at = '_';
  return HP_OK;
}
