/* A GH matrix as MatrixMarket files, for looking at it and for other programs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "linsolve/matrix/gh.h"
#include "linsolve/matrix/market.h"

/* Prints one entry; with f == NULL only counts it. */
static void put(FILE *f, int64_t row, int64_t column, double value, int64_t *count) {
  if (value == 0.0) return;
  *count += 1;
  if (f != NULL) fprintf(f, "%" PRId64 " %" PRId64 " %.17g\n", row + 1, column + 1, value);
}

/* The columns of cell n in row a of cell m, from the blocks of diagonal u. */
static void put_block(FILE *f, const hp_gh *A, int64_t m, int a, int64_t n, int u, int64_t *count) {
  for (int b = 0; b < A->q; ++b) put(f, m * A->q + a, n * A->q + b, *hp_gh_entry(A, m, u, a, b), count);
}

/* Row a of cell m. */
static void put_cell_row(FILE *f, const hp_gh *A, int64_t m, int a, int64_t *count) {
  const hp_gh_wells *W = &A->wells;
  const int64_t row = m * A->q + a;
  int64_t e, end;
  hp_links_of(&A->links, m, &e, &end);
  for (int u = -3; u <= 4; ++u) {
    const int64_t n = u < 4 ? m + hp_gh_offset(A, u) : A->ncell;
    for (; e < end && A->links.other[e] < n; ++e)
      for (int b = 0; b < A->q; ++b) put(f, row, A->links.other[e] * A->q + b, *hp_gh_link(A, e, a, b), count);
    if (n >= 0 && n < A->ncell) put_block(f, A, m, a, n, u, count);
  }
  for (int r = W->d[m / A->nz]; r >= 0; r = W->next[r]) {
    const int64_t n = m - W->b[r];
    if (n >= 0 && n < W->c[r]) put(f, row, A->ld + W->of[r], W->wt[(W->a[r] + n) * A->q + a], count);
  }
}

static void put_well_row(FILE *f, const hp_gh *A, int w, int64_t *count) {
  const hp_gh_wells *W = &A->wells;
  for (int r = W->run_begin[w]; r < W->run_begin[w + 1]; ++r)
    for (int64_t n = 0; n < W->c[r]; ++n)
      for (int b = 0; b < A->q; ++b) put(f, A->ld + w, (W->b[r] + n) * A->q + b, W->w[(W->a[r] + n) * A->q + b], count);
  put(f, A->ld + w, A->ld + w, W->dd[w], count);
}

static int64_t put_all(FILE *f, const hp_gh *A) {
  int64_t count = 0;
  for (int64_t m = 0; m < A->ncell; ++m)
    for (int a = 0; a < A->q; ++a) put_cell_row(f, A, m, a, &count);
  for (int w = 0; w < A->wells.nwell; ++w) put_well_row(f, A, w, &count);
  return count;
}

static hp_status close_checked(FILE *f, const char *path) {
  const bool bad = ferror(f) != 0;
  if (fclose(f) != 0 || bad) return hp_fail(HP_ERR_FILE, "%s: cannot be written", path);
  return HP_OK;
}

static hp_status write_matrix(const hp_gh *A, const char *path) {
  FILE *f = fopen(path, "w");
  if (f == NULL) return hp_fail(HP_ERR_FILE, "%s: cannot be opened for writing", path);
  fprintf(f, "%%%%MatrixMarket matrix coordinate real general\n");
  fprintf(f, "%% hepta: %d x %d x %d cells (vertical fastest), %d unknowns per cell, then %d wells\n", A->nx, A->ny,
          A->nz, A->q, A->wells.nwell);
  fprintf(f, "%" PRId64 " %" PRId64 " %" PRId64 "\n", A->n, A->n, put_all(NULL, A));
  put_all(f, A);
  return close_checked(f, path);
}

hp_status hp_gh_write_mtx(const hp_gh *A, const double *b, const char *path) {
  HP_TRY(write_matrix(A, path));
  if (b == NULL) return HP_OK;
  char *rhs = NULL;
  const size_t size = strlen(path) + sizeof ".rhs";
  HP_TRY(HP_ALLOC(rhs, size));
  snprintf(rhs, size, "%s.rhs", path);
  const hp_status s = hp_market_write_vector(b, A->n, rhs);
  HP_FREE(rhs);
  return s;
}
