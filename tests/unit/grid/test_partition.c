/* Boxes of columns: each column in one of them, for any number of parts that the steps leave room for, and none beyond. */
#include <string.h>

#include "core/memory.h"
#include "grid/partition.h"
#include "tests/support/check.h"

enum { MOST = 12 };

/* Whether the boxes cover all columns once, cut at multiples of the steps. */
static bool is_sound(int nx, int ny, int parts, const hp_box *box, const int step[2]) {
  int count[MOST][MOST] = {{0}};
  for (int r = 0; r < parts; ++r) {
    if (box[r].i0 >= box[r].i1 || box[r].j0 >= box[r].j1) return false;
    if (box[r].i0 % step[0] != 0 || box[r].j0 % step[1] != 0) return false;
    for (int i = box[r].i0; i < box[r].i1; ++i)
      for (int j = box[r].j0; j < box[r].j1; ++j) count[i][j] += 1;
  }
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      if (count[i][j] != 1) return false;
  return true;
}

static void check(int nx, int ny, const int step[2], const double *weight) {
  const int room = ((nx + step[0] - 1) / step[0]) * ((ny + step[1] - 1) / step[1]);
  const int64_t a[] = {0, 1, ny - 1}, b[] = {nx * ny - 1, 0, nx * ny / 2};
  hp_box box[MOST * MOST + 1];
  int refused = 0;
  for (int parts = 1; parts <= room + 1; ++parts) {
    const hp_partition_options o = {
        .parts = parts, .step = {step[0], step[1]}, .weight = weight, .npair = 3, .a = a, .b = b, .slack = 0.05};
    const hp_status s = hp_partition_columns(nx, ny, &o, box);
    CHECK(s == HP_OK || s == HP_ERR_USAGE);
    CHECK(s != HP_OK || is_sound(nx, ny, parts, box, step));
    refused += s != HP_OK;
    if (parts == 1) CHECK(s == HP_OK);
  }
  CHECK(refused >= 1); /* one more than there is room for */
}

int main(void) {
  double even[MOST * MOST], uneven[MOST * MOST];
  for (int n = 0; n < MOST * MOST; ++n) {
    even[n] = 4.0;
    uneven[n] = n % 17 == 3 ? 40.0 : n % 5;
  }
  for (int nx = 1; nx <= MOST; nx += 2)
    for (int ny = 1; ny <= MOST; ++ny)
      for (int s = 1; s <= 4; ++s) {
        check(nx, ny, (const int[]){s, 5 - s}, even);
        check(nx, ny, (const int[]){s, s}, uneven);
      }
  return check_result();
}
