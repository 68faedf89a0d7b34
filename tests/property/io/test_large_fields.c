/* Datasets of a result file as they are for 290 million cells: more than 2^31 numbers and bytes, made a piece at a time, packed,
 * and read again at both ends and around the places that 32 bits count to. HEPTA_TEST_LARGE=1 has them so; else they are small,
 * and the places are others. */
#define _DEFAULT_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/solve/read.h"
#include "core/memory.h"
#include "io/files/hdf5.h"
#include "tests/support/check.h"

enum { CORNERS = 8, SAMPLE = 1000 };

static char folder[] = "/tmp/hepta-large-XXXXXX";

/* A number of a dataset by its place: one in 4096 differs from its neighbours, so that a file stays small. */
static int32_t number_at(int64_t n) { return n % 4096 == 77 ? (int32_t)(n / 4096) : 5; }

typedef struct {
  const int *dims;
  bool real;
} rows;

static void make_row(const void *data, int k, int j, int64_t from, int64_t n, void *to) {
  const rows *r = data;
  const int64_t first = ((int64_t)k * r->dims[1] + j) * r->dims[2] + from;
  for (int64_t i = 0; i < n; ++i) {
    if (r->real) ((double *)to)[i] = 0.5 * number_at(first + i);
    else ((int32_t *)to)[i] = number_at(first + i);
  }
}

/* Numbers from `first` on in row order, through HDF5 itself. */
static void check_sample(const hp_h5 *h, const char *name, const int dims[3], int64_t first, bool real) {
  static double back[SAMPLE];
  const int64_t row = dims[2], count = row - first % row < SAMPLE ? row - first % row : SAMPLE;
  const int rank = real ? 3 : 4;
  const hsize_t tail = real ? 1 : CORNERS;
  const int64_t at = first / (int64_t)tail * (int64_t)tail, whole = count / (int64_t)tail;
  const hsize_t from[4] = {(hsize_t)(at / row / dims[1]), (hsize_t)(at / row % dims[1]), (hsize_t)(at % row) / tail, 0};
  const hsize_t size[4] = {1, 1, (hsize_t)whole, tail};
  const hid_t set = H5Dopen2(h->file, name, H5P_DEFAULT), there = H5Dget_space(set);
  const hid_t here = H5Screate_simple(rank, size, NULL);
  CHECK(H5Sselect_hyperslab(there, H5S_SELECT_SET, from, NULL, size, NULL) >= 0);
  CHECK(H5Dread(set, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, back) >= 0);
  int64_t wrong = 0;
  for (int64_t i = 0; i < whole * (int64_t)tail; ++i) wrong += back[i] != number_at(at + i) * (real ? 0.5 : 1.0);
  CHECK(wrong == 0 && whole > 0);
  if (wrong > 0) fprintf(stderr, "%s: %lld numbers from %lld on are wrong\n", name, (long long)wrong, (long long)first);
  H5Sclose(here);
  H5Sclose(there);
  H5Dclose(set);
}

static void check_set(const char *name, const int dims[3], bool real, int64_t border) {
  const rows r = {dims, real};
  const hp_h5_source field = {.name = name, .tail = real ? 1 : CORNERS, .row = make_row, .data = &r};
  const int64_t n = (int64_t)dims[0] * dims[1] * dims[2];
  hp_h5 h;
  CHECK(n > border + SAMPLE);
  CHECK_OK(hp_h5_create(&h, "large.h5", 1));
  CHECK_OK(hp_h5_fields(&h, 1, &field, real ? HP_H5_F64 : HP_H5_I32, dims, 2));
  CHECK_OK(hp_h5_commit(&h));
  CHECK_OK(hp_h5_open(&h, "large.h5"));
  CHECK_OK(hp_h5_check_count(&h, name, real ? HP_H5_F64 : HP_H5_I32, n));
  const int64_t places[] = {0, border / 8 - 100, border / 4 - 100, border / 2 - 100, border - 100, n - SAMPLE / 2};
  for (size_t p = 0; p < sizeof places / sizeof *places; ++p) check_sample(&h, name, dims, places[p], real);
  hp_h5_discard(&h);
  CHECK(remove("large.h5") == 0);
}

int main(void) {
  static const int large[3] = {700, 640, 640}, small[3] = {9, 640, 64};
  const bool is_large = getenv("HEPTA_TEST_LARGE") != NULL;
  const int *size = is_large ? large : small;
  const int cells[3] = {size[0], size[1], CORNERS * size[2]}; /* numbers of nodes: of the large grid 2.3e9 */
  CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
  check_set("cells", cells, false, is_large ? INT64_C(1) << 31 : 1 << 21);
  check_set("pressure", size, true, is_large ? INT64_C(1) << 28 : 1 << 18); /* 2^31 bytes */
  CHECK(chdir("/") == 0 && rmdir(folder) == 0);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
