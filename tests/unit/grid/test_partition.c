/* Boxes of columns: each column in one of them, for any number of parts that the steps leave room for, and none beyond;
 * how much heavier the heaviest box is than the mean, that pairs of columns stay together where this costs little. */
#include <math.h>
#include <stdio.h>

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
  for (int next, parts = 1; parts <= room + 1; parts = next) { /* few, many, as many as there is room for, one more */
    next = parts < 5 || parts >= room ? parts + 1 : parts + parts / 4 < room ? parts + parts / 4 : room;
    const hp_partition_options o = {
        .parts = parts, .step = {step[0], step[1]}, .weight = weight, .npair = 3, .a = a, .b = b, .slack = 0.05};
    const hp_status s = hp_partition_columns(nx, ny, &o, box);
    CHECK(s == (parts <= room ? HP_OK : HP_ERR_USAGE));
    CHECK(s != HP_OK || is_sound(nx, ny, parts, box, step));
  }
}

/* Weights of all columns alike, or of those in a disc. */
static double weight_at(int nx, int ny, bool disc, int i, int j) {
  const double x = (2.0 * i + 1.0) / nx - 1.0, y = (2.0 * j + 1.0) / ny - 1.0;
  return !disc || x * x + y * y < 1.0 ? 7.0 : 0.0;
}

/* The heaviest box over the mean; 0: there is none. Columns are counted, so that each is in one box. */
static double heaviest(int nx, int ny, const int step[2], bool disc, int parts) {
  double *weight = NULL, all = 0.0, most = 0.0;
  hp_box *box = NULL;
  int64_t columns = 0;
  CHECK(HP_ALLOC(weight, (int64_t)nx * ny) == HP_OK && HP_ALLOC(box, parts) == HP_OK);
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j) all += weight[j + (int64_t)ny * i] = weight_at(nx, ny, disc, i, j);
  const hp_partition_options o = {.parts = parts, .step = {step[0], step[1]}, .weight = weight};
  CHECK(hp_partition_columns(nx, ny, &o, box) == HP_OK);
  for (int r = 0; r < parts; ++r) {
    double sum = 0.0;
    for (int i = box[r].i0; i < box[r].i1; ++i)
      for (int j = box[r].j0; j < box[r].j1; ++j) sum += weight[j + (int64_t)ny * i];
    columns += (int64_t)(box[r].i1 - box[r].i0) * (box[r].j1 - box[r].j0);
    most = fmax(most, sum);
  }
  CHECK(columns == (int64_t)nx * ny);
  HP_FREE(weight);
  HP_FREE(box);
  return most / (all / parts);
}

/* Steps are those of bricks of 60 x 220 columns with many layers and with few, of decks/quarter_five_spot.cfg, and of discs
 * like the Egg model; in the last row many parts have 7.8 bricks each. */
static void check_balance(void) {
  static const struct {
    int nx, ny, step[2];
    bool disc;
    int parts;
    double limit;
  } of[] = {
      {60, 220, {4, 8}, false, 12, 1.03},   {60, 220, {4, 8}, false, 16, 1.06},    {60, 220, {4, 8}, false, 24, 1.06},
      {60, 220, {4, 8}, false, 32, 1.10},   {60, 220, {15, 16}, false, 6, 1.05},   {60, 220, {15, 16}, false, 12, 1.10},
      {60, 60, {15, 16}, false, 5, 1.01},   {60, 60, {8, 16}, false, 7, 1.13},     {50, 50, {13, 32}, false, 2, 1.05},
      {50, 50, {13, 32}, false, 3, 1.09},   {50, 50, {13, 32}, false, 7, 1.22},    {60, 60, {15, 8}, true, 6, 1.13},
      {60, 60, {15, 8}, true, 12, 1.20},    {60, 60, {15, 8}, true, 24, 1.37},     {60, 60, {8, 8}, true, 16, 1.10},
      {300, 300, {1, 1}, false, 100, 1.03}, {500, 500, {8, 16}, false, 250, 1.05},
  };
  for (size_t n = 0; n < sizeof of / sizeof *of; ++n) {
    const double got = heaviest(of[n].nx, of[n].ny, of[n].step, of[n].disc, of[n].parts);
    CHECK(got >= 1.0 && got < of[n].limit);
    if (got >= of[n].limit) fprintf(stderr, "%d x %d, %d parts: %.3f\n", of[n].nx, of[n].ny, of[n].parts, got);
  }
}

/* Columns with weight in the first three quarters of 40 x 40: 12 blocks with, 4 without. Of 7 parts one without weight would
 * save faces and make no part heavier. */
static void check_none_is_empty(void) {
  enum { N = 40, PARTS = 7 };
  double weight[N * N];
  hp_box box[PARTS];
  for (int n = 0; n < N * N; ++n) weight[n] = n < N * N * 3 / 4 ? 1.0 : 0.0;
  const hp_partition_options o = {.parts = PARTS, .step = {10, 10}, .weight = weight};
  CHECK(hp_partition_columns(N, N, &o, box) == HP_OK);
  for (int r = 0; r < PARTS; ++r) CHECK(box[r].i0 < N * 3 / 4);
}

static int count_separated(int parts, const hp_box *box, int ny, const hp_partition_options *o) {
  int count = 0;
  for (int64_t n = 0; n < o->npair; ++n)
    count += hp_partition_find(parts, box, (int)(o->a[n] / ny), (int)(o->a[n] % ny)) !=
             hp_partition_find(parts, box, (int)(o->b[n] / ny), (int)(o->b[n] % ny));
  return count;
}

/* A well along j across the middle of 40 x 100 columns, which may be cut along j alone: beside it, 4 % from the middle, if
 * pairs count, and through it if not. */
static void check_pairs(void) {
  enum { NX = 40, NY = 100, FIRST = 46, COLUMNS = 6 };
  double weight[NX * NY];
  int64_t a[COLUMNS - 1], b[COLUMNS - 1];
  hp_box box[2];
  for (int n = 0; n < NX * NY; ++n) weight[n] = 1.0;
  for (int n = 0; n < COLUMNS - 1; ++n) {
    a[n] = FIRST + n + NY * 20;
    b[n] = a[n] + 1;
  }
  hp_partition_options o = {
      .parts = 2, .step = {NX, 1}, .weight = weight, .npair = COLUMNS - 1, .a = a, .b = b, .slack = 0.1};
  CHECK(hp_partition_columns(NX, NY, &o, box) == HP_OK);
  CHECK(count_separated(2, box, NY, &o) == 0);
  CHECK(box[0].j1 >= 45 && box[0].j1 <= 55);
  o.slack = 0.0;
  CHECK(hp_partition_columns(NX, NY, &o, box) == HP_OK);
  CHECK(count_separated(2, box, NY, &o) == 1);
}

int main(void) {
  double even[MOST * MOST], uneven[MOST * MOST];
  for (int n = 0; n < MOST * MOST; ++n) {
    even[n] = 4.0;
    uneven[n] = n % 17 == 3 ? 40.0 : n % 5;
  }
  for (int nx = 1; nx <= MOST; nx += 4)
    for (int ny = 1 + nx / 4 % check_every(4); ny <= MOST; ny += check_every(4))
      for (int s = 1; s <= 4; ++s) {
        check(nx, ny, (const int[]){s, 5 - s}, even);
        check(nx, ny, (const int[]){s, s}, uneven);
      }
  check_balance();
  check_none_is_empty();
  check_pairs();
  return check_result();
}
