/* Fields that come piece by piece: the file holds what it holds of whole arrays, chunk by chunk and byte by byte, and is
 * there or not. */
#define _XOPEN_SOURCE 700 /* POSIX 2008, and mkdtemp */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "grid/grid.h"
#include "io/files/remote.h"
#include "tests/support/check.h"

/* Whole arrays in place of those of ranks. */
typedef struct {
  int size[3]; /* nx, ny, nz */
  double *array[HP_ARRAYS];
  double *numbers;
  uint8_t *plane, *packed; /* [room], [2 room] */
  size_t room;
  int64_t begin[3];
  hp_sum sum[2];
  int made, fd;
  const char *path;
  int refused; /* the chunk or box that fails, counted from 1; 0: none */
  int calls;
} parts;

static hp_status box(void *arg, hp_array array, const hp_remote_box *b, double *to) {
  const parts *p = arg;
  const int64_t q = hp_array_numbers(array), nz = p->size[2];
  if (++((parts *)arg)->calls == p->refused) return hp_fail(HP_ERR_MEMORY, "no memory for a box");
  for (int i = b->lo[0]; i < b->hi[0]; ++i)
    for (int j = b->lo[1]; j < b->hi[1]; ++j) {
      const int64_t run = q * (b->hi[2] - b->lo[2]);
      memcpy(to, p->array[array] + q * (b->lo[2] + nz * (j + (int64_t)p->size[1] * i)), (size_t)run * sizeof *to);
      to += run;
    }
  return HP_OK;
}

enum { AT_ONCE = 2 };

/* Chunks, two at a time, as two ranks make them. */
static hp_status make(void *arg, const hp_remote_fields *f, int n, int *count, const int64_t **begin,
                      const hp_sum **sum) {
  parts *p = arg;
  *count = hp_remote_chunks(f) - n < AT_ONCE ? hp_remote_chunks(f) - n : AT_ONCE;
  *begin = p->begin;
  *sum = p->sum;
  for (int m = 0; m < *count; ++m) {
    hp_remote_box b;
    size_t plane, room;
    const hp_array array = hp_remote_chunk(f, n + m, &b);
    hp_remote_room(f, &plane, &room);
    CHECK(plane <= p->room && room <= p->room);
    HP_TRY(box(p, array, &b, p->numbers));
    const size_t size = hp_remote_pack(f, n + m, p->numbers, p->plane, p->packed + p->begin[m]);
    CHECK(size > 0 && size <= room);
    if (f->level == 0) p->sum[m] = hp_remote_sum(f, n + m, p->packed + p->begin[m], size);
    p->begin[m + 1] = p->begin[m] + (int64_t)size;
  }
  p->made = *count;
  return HP_OK;
}

static hp_status put(void *arg, const int64_t *place) {
  const parts *p = arg;
  for (int m = p->made - 1; m >= 0; --m) /* in any order */
    HP_TRY(hp_shared_write(p->fd, p->path, p->packed + p->begin[m], p->begin[m + 1] - p->begin[m], place[m]));
  return HP_OK;
}

static hp_status open_shared(void *arg, const char *path, const hp_shared_token *token) {
  parts *p = arg;
  hp_shared_token other = *token;
  other.bits[0] += 1;
  CHECK_OK(hp_shared_open(path, &other, &p->fd));
  CHECK(p->fd < 0); /* the file is not that of another token */
  p->path = path;
  CHECK_OK(hp_shared_open(path, token, &p->fd));
  CHECK(p->fd >= 0);
  return HP_OK;
}

static hp_status close_shared(void *arg) { return hp_shared_close(&((parts *)arg)->fd, ((parts *)arg)->path); }

static void open_parts(parts *p, int nx, int ny, int nz) {
  const int64_t cells = (int64_t)nx * ny * nz;
  memset(p, 0, sizeof *p);
  memcpy(p->size, (const int[]){nx, ny, nz}, sizeof p->size);
  for (int a = 0; a < HP_ARRAYS; ++a) {
    const int64_t count = cells * hp_array_numbers((hp_array)a);
    CHECK_OK(HP_ALLOC(p->array[a], count));
    for (int64_t n = 0; n < count; ++n) p->array[a][n] = n % 7 < 3 ? 0.25 : sin((double)(n * n) + a);
  }
  CHECK_OK(HP_ALLOC(p->numbers, 2 * cells));
}

static void close_parts(parts *p) {
  for (int a = 0; a < HP_ARRAYS; ++a) HP_FREE(p->array[a]);
  HP_FREE(p->numbers);
}

static const char *const names[] = {"/p", "/sw", "/so"}, *const units[] = {"Pa", "", ""};

static hp_status write_remote(parts *p, hp_h5 *h, hp_h5_type type, int level) {
  const hp_remote remote = {.arg = p, .box = box, .open = open_shared, .close = close_shared, .make = make, .put = put};
  const hp_remote_fields f = {.size = {p->size[2], p->size[1], p->size[0]},
                              .type = type,
                              .level = level,
                              .count = 3,
                              .array = {HP_ARRAY_PRESSURE, HP_ARRAY_WATER, HP_ARRAY_WATER},
                              .less_one = {false, false, true}};
  p->room = 8 * (size_t)p->size[0] * (size_t)p->size[1] * (size_t)p->size[2] * 2 + 4096;
  CHECK_OK(HP_ALLOC(p->plane, (int64_t)p->room));
  CHECK_OK(HP_ALLOC(p->packed, AT_ONCE * (int64_t)p->room));
  hp_status s = hp_remote_open(&remote, h);
  if (s == HP_OK) s = hp_remote_write_fields(h, &remote, &f, names, units);
  if (s == HP_OK) s = hp_remote_write_rows(h, &remote, HP_ARRAY_BALANCE, p->size, "/balance", HP_H5_F64, "m3");
  if (s == HP_OK) s = hp_remote_write_rows(h, &remote, HP_ARRAY_ERROR, p->size, "/error", HP_H5_F32, "m3");
  if (s == HP_OK) s = hp_remote_write_rows(h, &remote, HP_ARRAY_LOWEST, p->size, "/lowest", HP_H5_F64, "Pa");
  HP_FREE(p->plane);
  HP_FREE(p->packed);
  return hp_remote_close(&remote, s);
}

static void write_whole(const parts *p, hp_h5 *h, hp_h5_type type) {
  const int dims[3] = {p->size[2], p->size[1], p->size[0]};
  const int64_t cells[2] = {(int64_t)dims[0] * dims[1] * dims[2], 2};
  double *turned;
  CHECK_OK(HP_ALLOC(turned, cells[0]));
  for (int f = 0; f < 3; ++f) {
    hp_grid_to_natural(p->size[0], p->size[1], p->size[2], p->array[f > 0 ? HP_ARRAY_WATER : HP_ARRAY_PRESSURE],
                       turned);
    for (int64_t m = 0; m < cells[0] && f == 2; ++m) turned[m] = 1.0 - turned[m];
    CHECK_OK(hp_h5_field(h, names[f], type, dims, turned, units[f]));
  }
  HP_FREE(turned);
  CHECK_OK(hp_h5_array(h, "/balance", HP_H5_F64, 2, cells, p->array[HP_ARRAY_BALANCE], "m3"));
  CHECK_OK(hp_h5_array(h, "/error", HP_H5_F32, 2, cells, p->array[HP_ARRAY_ERROR], "m3"));
  CHECK_OK(hp_h5_array(h, "/lowest", HP_H5_F64, 1, cells, p->array[HP_ARRAY_LOWEST], "Pa"));
}

/* Bytes of the chunks as they stand in the file, one after the other. */
static int64_t stored(hp_h5 *h, const char *name, uint8_t *to, int64_t room) {
  hsize_t chunks = 0;
  int64_t used = 0;
  const hid_t set = H5Dopen2(h->file, name, H5P_DEFAULT), space = H5Dget_space(set);
  CHECK(H5Dget_num_chunks(set, space, &chunks) >= 0 && chunks > 0);
  for (hsize_t n = 0; n < chunks; ++n) {
    hsize_t from[4], size = 0;
    unsigned mask = 0;
    uint32_t filters = 0;
    CHECK(H5Dget_chunk_info(set, space, n, from, &mask, NULL, &size) >= 0 && used + (int64_t)size <= room);
#ifdef H5Dread_chunk_vers /* HDF5 2 */
    size_t read = (size_t)size;
    CHECK(H5Dread_chunk2(set, H5P_DEFAULT, from, &filters, to + used, &read) >= 0);
#else
    CHECK(H5Dread_chunk(set, H5P_DEFAULT, from, &filters, to + used) >= 0);
#endif
    used += (int64_t)size;
  }
  H5Sclose(space);
  H5Dclose(set);
  return used;
}

static void compare(const char *name, bool chunked, int64_t cells) {
  hp_h5 one, other;
  double *a, *b;
  int64_t na, nb;
  CHECK_OK(hp_h5_open(&one, "whole.h5"));
  CHECK_OK(hp_h5_open(&other, "far.h5"));
  CHECK_OK(hp_h5_read(&one, name, &a, &na));
  CHECK_OK(hp_h5_read(&other, name, &b, &nb));
  CHECK(na == nb && na > 0 && memcmp(a, b, (size_t)na * sizeof *a) == 0);
  HP_FREE(a);
  HP_FREE(b);
  char *x, *y;
  CHECK_OK(hp_h5_read_text(&one, name, "unit", &x));
  CHECK_OK(hp_h5_read_text(&other, name, "unit", &y));
  CHECK(strcmp(x, y) == 0);
  HP_FREE(x);
  HP_FREE(y);
  if (chunked) {
    const int64_t room = 10 * cells + 100000;
    uint8_t *bytes, *others;
    CHECK_OK(HP_ALLOC(bytes, room));
    CHECK_OK(HP_ALLOC(others, room));
    const int64_t size = stored(&one, name, bytes, room);
    CHECK(size == stored(&other, name, others, room) && memcmp(bytes, others, (size_t)size) == 0);
    HP_FREE(bytes);
    HP_FREE(others);
  }
  hp_h5_discard(&one);
  hp_h5_discard(&other);
}

static void test_same(int nx, int ny, int nz, hp_h5_type type, int level) {
  parts p;
  hp_h5 h;
  open_parts(&p, nx, ny, nz);
  CHECK_OK(hp_h5_create(&h, "whole.h5", level));
  write_whole(&p, &h, type);
  CHECK_OK(hp_h5_commit(&h));
  CHECK_OK(hp_h5_create_on_disk(&h, "far.h5", level));
  CHECK_OK(write_remote(&p, &h, type, level));
  CHECK(access("far.h5.tmp", F_OK) == 0);
  CHECK_OK(nz > 1 ? hp_h5_commit(&h) : hp_h5_place(&h));
  CHECK(access("far.h5.tmp", F_OK) != 0);
  for (int f = 0; f < 3; ++f) compare(names[f], level > 0, (int64_t)nx * ny * nz);
  compare("/balance", false, 0);
  compare("/error", false, 0);
  compare("/lowest", false, 0);
  close_parts(&p);
}

/* Whatever piece fails, nothing is left, and what stood there stays. */
static void test_failures(void) {
  parts p;
  hp_h5 h;
  open_parts(&p, 70, 67, 61);
  CHECK_OK(hp_h5_create(&h, "stays.h5", 0));
  CHECK_OK(hp_h5_text(&h, "/", "mark", "first"));
  CHECK_OK(hp_h5_commit(&h));
  for (int level = 0; level < 2; ++level)
    for (int n = 1 + level; n < 12; n += check_every(8)) {
      p.refused = n;
      p.calls = 0;
      CHECK_OK(hp_h5_create_on_disk(&h, "stays.h5", level));
      CHECK(write_remote(&p, &h, HP_H5_F32, level) == HP_ERR_MEMORY);
      hp_h5_discard(&h);
      CHECK(access("stays.h5.tmp", F_OK) != 0);
    }
  char *mark;
  CHECK_OK(hp_h5_open(&h, "stays.h5"));
  CHECK_OK(hp_h5_read_text(&h, "/", "mark", &mark));
  CHECK(strcmp(mark, "first") == 0);
  HP_FREE(mark);
  hp_h5_discard(&h);
  CHECK(hp_h5_create_on_disk(&h, "no_folder/far.h5", 0) == HP_ERR_FILE);
  close_parts(&p);
}

int main(void) {
  char folder[] = "/tmp/hepta_far_XXXXXX";
  if (mkdtemp(folder) == NULL || chdir(folder) != 0) return 1;
  const int64_t before = hp_memory_now();
  test_same(1, 1, 1, HP_H5_F32, 1);
  test_same(12, 10, 4, HP_H5_F32, 0);
  test_same(67, 61, 70, HP_H5_F32, 1);
  if (check_every(2) == 1) test_same(67, 61, 70, HP_H5_F64, 5);
  test_same(521, 511, 2, HP_H5_F64, 1); /* chunks of rows */
  if (check_every(2) == 1) test_same(521, 511, 1, HP_H5_F32, 0);
  test_failures();
  CHECK(hp_memory_now() == before);
  const char *const made[] = {"whole.h5", "far.h5", "stays.h5"};
  for (int n = 0; n < 3; ++n) unlink(made[n]);
  if (chdir("/") != 0 || rmdir(folder) != 0) return 1;
  return check_result();
}
