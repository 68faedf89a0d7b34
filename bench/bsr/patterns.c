#include "bench/bsr/patterns.h"

#include <math.h>
#include <stdlib.h>

#include "bench/generators/family.h"
#include "core/memory.h"

/* A pattern that grows row by row. */
typedef struct {
  int64_t nrow, row; /* all; begun so far */
  int32_t *begin;    /* [nrow+1] */
  int32_t *column;   /* [room] */
  int64_t count, room;
} pattern;

static hp_status start(pattern *P, int q, int64_t nrow, int64_t room) {
  *P = (pattern){.nrow = nrow, .room = room};
  HP_TRY(hp_bsr_check_size(q, nrow, room));
  HP_TRY(HP_ALLOC(P->begin, nrow + 1));
  return HP_ALLOC(P->column, room);
}

static void add(pattern *P, int64_t column) { P->column[P->count++] = (int32_t)column; }
static void end_row(pattern *P) { P->begin[++P->row] = (int32_t)P->count; }

static hp_status finish(hp_status s, pattern *P, int q, uint64_t seed, hp_bsr **out) {
  *out = NULL;
  if (s == HP_OK) s = hp_bsr_create(q, P->nrow, P->begin, P->column, out);
  if (s == HP_OK) hp_family_vector(seed, P->count * q * q, (*out)->value);
  HP_FREE(P->begin);
  HP_FREE(P->column);
  return s;
}

/* ---- dual ---- */

/* The row of cell (i, j, k) of the grid that begins at row `base`, with its twin in the grid at `other`. */
static void add_cell(pattern *P, const int n[3], const int at[3], int64_t base, int64_t other) {
  const int64_t stride[3] = {(int64_t)n[1] * n[2], n[2], 1};
  const int64_t m = at[0] * stride[0] + at[1] * stride[1] + at[2];
  if (other < base) add(P, other + m);
  for (int d = 0; d < 3; ++d)
    if (at[d] > 0) add(P, base + m - stride[d]);
  add(P, base + m);
  for (int d = 2; d >= 0; --d)
    if (at[d] < n[d] - 1) add(P, base + m + stride[d]);
  if (other > base) add(P, other + m);
  end_row(P);
}

hp_status hp_bsr_dual(int nx, int ny, int nz, int q, uint64_t seed, hp_bsr **out) {
  const int n[3] = {nx, ny, nz};
  const int64_t cells = (int64_t)nx * ny * nz;
  const int64_t faces = (nx - 1) * (cells / nx) + (ny - 1) * (cells / ny) + (nz - 1) * (cells / nz);
  pattern P;
  const hp_status s = start(&P, q, 2 * cells, 4 * cells + 4 * faces);
  for (int grid = 0; grid < 2 && s == HP_OK; ++grid)
    for (int i = 0; i < nx; ++i)
      for (int j = 0; j < ny; ++j)
        for (int k = 0; k < nz; ++k) add_cell(&P, n, (const int[]){i, j, k}, grid * cells, (1 - grid) * cells);
  return finish(s, &P, q, seed, out);
}

/* ---- band ---- */

hp_status hp_bsr_band(int64_t nrow, int width, int q, uint64_t seed, hp_bsr **out) {
  pattern P;
  *out = NULL;
  HP_TRY(hp_bsr_check_size(q, nrow, 0));
  if (width > nrow) return hp_fail(HP_ERR_USAGE, "%d blocks in a row of %lld", width, (long long)nrow);
  const hp_status s = start(&P, q, nrow, nrow * width);
  for (int64_t m = 0; m < nrow && s == HP_OK; ++m) {
    int64_t first = m - width / 2;
    if (first > nrow - width) first = nrow - width;
    if (first < 0) first = 0;
    for (int n = 0; n < width; ++n) add(&P, first + n);
    end_row(&P);
  }
  return finish(s, &P, q, seed, out);
}

/* ---- scattered ---- */

enum { SCATTERED_MOST = 12 };

hp_status hp_bsr_scattered(int64_t nrow, int q, uint64_t seed, hp_bsr **out) {
  pattern P = {.nrow = nrow};
  double *u = NULL; /* of [-1, 1): of a row its length, then where its blocks are */
  *out = NULL;
  HP_TRY(hp_bsr_check_size(q, nrow, 0));
  HP_TRY(hp_bsr_check_size(q, nrow, nrow * SCATTERED_MOST));
  hp_status s = HP_ALLOC(u, nrow * (1 + SCATTERED_MOST));
  if (s == HP_OK) hp_family_vector(seed + 1, nrow * (1 + SCATTERED_MOST), u);
  if (s == HP_OK) s = start(&P, q, nrow, nrow * SCATTERED_MOST);
  for (int64_t m = 0; m < nrow && s == HP_OK; ++m) {
    const double *of_row = u + m * (1 + SCATTERED_MOST);
    int64_t length = 2 + (int64_t)(0.5 * (of_row[0] + 1.0) * (SCATTERED_MOST - 1));
    if (length > nrow) length = nrow;
    for (int64_t n = 0; n < length; ++n) { /* one in each of as many ranges of columns */
      const int64_t first = n * nrow / length, end = (n + 1) * nrow / length;
      add(&P, first + (int64_t)(0.5 * (of_row[1 + n] + 1.0) * (double)(end - first)));
    }
    end_row(&P);
  }
  HP_FREE(u);
  return finish(s, &P, q, seed, out);
}

/* ---- tailed ---- */

/* Blocks of each row, from numbers u of [0, 1). */
static int64_t tail_length(double u, int64_t nrow) {
  const int64_t most = nrow / 8 > 1 ? nrow / 8 : 1;
  const double length = 3.0 * pow(1.0 - u, -1.0 / 1.2);
  return length < (double)most ? (int64_t)length : most;
}

hp_status hp_bsr_tailed(int64_t nrow, int q, uint64_t seed, hp_bsr **out) {
  pattern P = {.nrow = nrow};
  double *u = NULL;
  int64_t room = 0;
  *out = NULL;
  HP_TRY(hp_bsr_check_size(q, nrow, 0));
  hp_status s = HP_ALLOC(u, 2 * nrow);
  if (s == HP_OK) hp_family_vector(seed + 1, 2 * nrow, u);
  for (int64_t m = 0; m < nrow && s == HP_OK; ++m) room += tail_length(0.5 * (u[m] + 1.0), nrow);
  if (s == HP_OK) s = start(&P, q, nrow, room);
  for (int64_t m = 0; m < nrow && s == HP_OK; ++m) {
    /* evenly spread over all columns from a random one on, so that none comes twice */
    const int64_t length = tail_length(0.5 * (u[m] + 1.0), nrow);
    const int64_t shift = (int64_t)(0.5 * (u[nrow + m] + 1.0) * (double)nrow);
    int64_t from = 0; /* the first of them that passes the last column */
    while (from < length && shift + from * nrow / length < nrow) ++from;
    for (int64_t n = from; n < length; ++n) add(&P, shift + n * nrow / length - nrow);
    for (int64_t n = 0; n < from; ++n) add(&P, shift + n * nrow / length);
    end_row(&P);
  }
  HP_FREE(u);
  return finish(s, &P, q, seed, out);
}
