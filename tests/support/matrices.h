/* Seeded matrices for tests and benchmarks of the linear solver. */
#ifndef HP_TESTS_SUPPORT_MATRICES_H
#define HP_TESTS_SUPPORT_MATRICES_H

#include <math.h>

#include "core/memory.h"
#include "linsolve/matrix/gh.h"

/* splitmix64 */
HP_INLINE uint64_t matrix_bits(uint64_t *seed) {
  *seed += UINT64_C(0x9e3779b97f4a7c15);
  return hp_mix64(*seed);
}

/* A number of [-1, 1). */
HP_INLINE double matrix_random(uint64_t *seed) { return (double)(matrix_bits(seed) >> 11) * 0x1p-52 - 1.0; }

HP_INLINE bool matrix_has(const hp_gh *A, int64_t m, int u) {
  const int64_t k = m % A->nz, j = m / A->nz % A->ny, i = m / A->nz / A->ny;
  return u == -3   ? i > 0
         : u == 3  ? i + 1 < A->nx
         : u == -2 ? j > 0
         : u == 2  ? j + 1 < A->ny
         : u == -1 ? k > 0
         : u == 1  ? k + 1 < A->nz
                   : true;
}

/* Instead of a number of wells: those of matrix_corner_cells. */
enum { MATRIX_CORNER_WELLS = -1 };

/* Cells of six wells at the grid's ends, begin [7], cell [4 (nx + ny + nz) + 5] at most: two vertical ones in opposite
 * corners; one that bends through three columns and goes on in the other corner; one of a single cell, which others
 * have too; one by steps along i, k and j in turn from the corner (0, ny-1, 0) to (nx-1, 0, nz-1); one along the edge
 * j = ny-1, k = nz-1. What a small grid cannot hold is left out. Returns 6. */
HP_INLINE int matrix_corner_cells(const hp_gh *A, int64_t *begin, int64_t *cell) {
  const int64_t nx = A->nx, ny = A->ny, nz = A->nz, last = A->ncell - 1;
  int64_t n = 0, i = 0, j = ny - 1, k = 0;
  begin[0] = 0;
  for (int64_t c = 0; c < nz; ++c) cell[n++] = c;
  begin[1] = n;
  for (int64_t c = 0; c < nz; ++c) cell[n++] = last - c;
  begin[2] = n;
  cell[n++] = 0;
  if (ny > 1) cell[n++] = nz;
  if (ny > 1 && nz > 1) cell[n++] = nz + 1;
  if (nx > 1) cell[n++] = last;
  begin[3] = n;
  cell[n++] = last;
  begin[4] = n;
  for (int turn = 0;; ++turn) {
    cell[n++] = k + nz * (j + ny * i);
    if (i == nx - 1 && j == 0 && k == nz - 1) break;
    for (;; ++turn) { /* the next direction that has room */
      if (turn % 3 == 0 && i + 1 < nx) i += 1;
      else if (turn % 3 == 1 && k + 1 < nz) k += 1;
      else if (turn % 3 == 2 && j > 0) j -= 1;
      else continue;
      break;
    }
  }
  begin[5] = n;
  for (int64_t c = 0; c < nx; ++c) cell[n++] = nz - 1 + nz * (ny - 1 + ny * c);
  begin[6] = n;
  return 6;
}

/* Wells that cross the grid: vertical, horizontal along i, horizontal along j,
 * in turn, through random cells. Well 3 shares its column with well 0. */
HP_INLINE int matrix_crossing_cells(const hp_gh *A, int nwell, uint64_t *seed, int64_t *begin, int64_t *cell) {
  const int64_t shared = (int64_t)(matrix_bits(seed) % (uint64_t)A->ncell);
  for (int w = 0; w < nwell; ++w) {
    const int64_t at = w == 0 || w == 3 ? shared : (int64_t)(matrix_bits(seed) % (uint64_t)A->ncell);
    const int64_t k = at % A->nz, j = at / A->nz % A->ny, i = at / A->nz / A->ny;
    int64_t n = begin[w];
    if (w % 3 == 0)
      for (int64_t c = A->nz - 1; c >= 0; --c) cell[n++] = c + A->nz * (j + A->ny * i);
    else if (w % 3 == 1)
      for (int64_t c = 0; c < A->nx; ++c) cell[n++] = k + A->nz * (j + A->ny * c);
    else
      for (int64_t c = 0; c < A->ny; ++c) cell[n++] = k + A->nz * (c + A->ny * i);
    begin[w + 1] = n;
  }
  return nwell;
}

/* nwell crossing wells, or MATRIX_CORNER_WELLS. */
HP_INLINE hp_status matrix_add_wells(hp_gh *A, int nwell, uint64_t *seed) {
  const int64_t sizes = A->nx + A->ny + A->nz;
  const bool corner = nwell == MATRIX_CORNER_WELLS;
  int64_t *begin = NULL, *cell = NULL;
  HP_TRY(HP_ALLOC(begin, corner ? 7 : nwell + 1));
  HP_TRY(HP_ALLOC(cell, corner ? 4 * sizes + 5 : (nwell + 1) * sizes));
  const int wells = corner ? matrix_corner_cells(A, begin, cell) : matrix_crossing_cells(A, nwell, seed, begin, cell);
  const hp_status s = hp_gh_set_wells(A, wells, begin, cell, NULL);
  HP_FREE(begin);
  HP_FREE(cell);
  return s;
}

HP_INLINE bool matrix_are_neighbours(const hp_gh *A, int64_t m, int64_t n) {
  for (int u = -3; u <= 3; ++u)
    if (n == m + hp_gh_offset(A, u)) return true;
  return false;
}

/* Connects the pairs a, b [n] of cells by random blocks; the diagonals become as much larger. symmetric: the matrix stays
 * so. */
HP_INLINE hp_status matrix_connect(hp_gh *A, int64_t n, const int64_t *a, const int64_t *b, bool symmetric,
                                   uint64_t *seed) {
  HP_TRY(hp_gh_set_links(A, n, a, b));
  const hp_links *L = &A->links;
  const double size = 0.2;
  for (int64_t r = 0; r < L->nrow; ++r)
    for (int64_t e = L->begin[r]; e < L->begin[r + 1]; ++e)
      for (int i = 0; i < A->q; ++i) {
        *hp_gh_entry(A, L->cell[r], 0, i, i) += size;
        for (int j = 0; j < A->q; ++j) {
          const bool mirrored = symmetric && L->other[e] < L->cell[r];
          const double random = size / A->q * matrix_random(seed);
          *hp_gh_link(A, e, i, j) = mirrored ? *hp_gh_link(A, L->twin[e], j, i) : random;
        }
      }
  return HP_OK;
}

/* Connections from the first cell to `count` others, evenly spread: a row as long as a numerical aquifer's. */
HP_INLINE hp_status matrix_add_hub(hp_gh *A, int64_t count, uint64_t seed) {
  int64_t *a = NULL, *b = NULL, n = 0;
  HP_TRY(HP_ALLOC(a, count));
  HP_TRY(HP_ALLOC(b, count));
  for (int64_t k = 0; k < count; ++k) {
    const int64_t at = A->ncell / 2 + k * (A->ncell / 2) / count;
    if (at == 0 || matrix_are_neighbours(A, 0, at) || (n > 0 && b[n - 1] == at)) continue;
    b[n++] = at;
  }
  const hp_status s = matrix_connect(A, n, a, b, false, &seed);
  HP_FREE(a);
  HP_FREE(b);
  return s;
}

/* Random connections of up to `count` pairs of cells anywhere that are not neighbours, two from some cells; as
 * matrix_connect. */
HP_INLINE hp_status matrix_add_links(hp_gh *A, int64_t count, bool symmetric, uint64_t seed) {
  int64_t *a = NULL, *b = NULL, n = 0;
  HP_TRY(HP_ALLOC(a, 2 * count));
  HP_TRY(HP_ALLOC(b, 2 * count));
  for (int64_t k = 0; k < count && A->ncell > count; ++k) {
    const int64_t m = k * A->ncell / count;
    int64_t at = m;
    for (int more = 0; more < 1 + (int)(k % 3 == 0) && at + 1 < A->ncell; ++more) {
      at += 1 + (int64_t)(matrix_bits(&seed) % (uint64_t)(A->ncell - 1 - at));
      if (matrix_are_neighbours(A, m, at)) continue;
      a[n] = m;
      b[n++] = at;
    }
  }
  const hp_status s = matrix_connect(A, n, a, b, symmetric, &seed);
  HP_FREE(a);
  HP_FREE(b);
  return s;
}

/* Random blocks, every row diagonally dominant by the factor 1 + margin; about
 * one cell in 20 is inactive (an identity row, its neighbours' blocks zero). */
HP_INLINE hp_status matrix_random_gh(int nx, int ny, int nz, int q, int nwell, double margin, uint64_t seed,
                                     hp_gh **out) {
  HP_TRY(hp_gh_create(nx, ny, nz, q, out));
  hp_gh *A = *out;
  HP_TRY(matrix_add_wells(A, nwell, &seed));
  const uint64_t salt = matrix_bits(&seed);
  hp_gh_wells *W = &A->wells;
  for (int64_t p = 0; p < W->nperf * q; ++p) {
    W->w[p] = matrix_random(&seed);
    W->wt[p] = matrix_random(&seed);
  }
#define MATRIX_INACTIVE(m) ((uint64_t)((m) + 1) * UINT64_C(0x9e3779b97f4a7c15) + salt < UINT64_MAX / 20)
  for (int r = 0; r < W->nrun; ++r)
    for (int64_t e = 0; e < (int64_t)W->c[r] * q; ++e)
      if (MATRIX_INACTIVE(W->b[r] + e / q)) W->w[W->a[r] * q + e] = W->wt[W->a[r] * q + e] = 0.0;
  for (int64_t m = 0; m < A->ncell; ++m)
    for (int a = 0; a < q; ++a) {
      double sum = 0.0;
      for (int u = -3; u <= 3; ++u)
        for (int b = 0; b < q; ++b) {
          if (!matrix_has(A, m, u) || MATRIX_INACTIVE(m) || MATRIX_INACTIVE(m + hp_gh_offset(A, u))) continue;
          *hp_gh_entry(A, m, u, a, b) = matrix_random(&seed);
          sum += fabs(*hp_gh_entry(A, m, u, a, b));
        }
      for (int r = W->d[m / nz]; r >= 0; r = W->next[r])
        if (m >= W->b[r] && m < W->b[r] + W->c[r]) sum += fabs(W->wt[(W->a[r] + m - W->b[r]) * q + a]);
      *hp_gh_entry(A, m, 0, a, a) = MATRIX_INACTIVE(m) ? 1.0 : sum * (1.0 + margin) + 0.1;
    }
#undef MATRIX_INACTIVE
  for (int w = 0; w < W->nwell; ++w) {
    W->dd[w] = 0.1;
    for (int r = W->run_begin[w]; r < W->run_begin[w + 1]; ++r)
      for (int64_t e = 0; e < (int64_t)W->c[r] * q; ++e) W->dd[w] += (1.0 + margin) * fabs(W->w[W->a[r] * q + e]);
  }
  return HP_OK;
}

/* Symmetric positive definite: the upper triangle of a random matrix mirrored,
 * its diagonal dominant again. */
HP_INLINE hp_status matrix_random_spd(int nx, int ny, int nz, int q, int nwell, double margin, uint64_t seed,
                                      hp_gh **out) {
  HP_TRY(matrix_random_gh(nx, ny, nz, q, nwell, margin, seed, out));
  hp_gh *A = *out;
  hp_gh_wells *W = &A->wells;
  for (int64_t e = 0; e < W->nperf * q; ++e) W->wt[e] = W->w[e];
  for (int64_t m = 0; m < A->ncell; ++m)
    for (int u = 0; u <= 3; ++u)
      for (int a = 0; a < q && matrix_has(A, m, u); ++a)
        for (int b = u == 0 ? a + 1 : 0; b < q; ++b)
          *hp_gh_entry(A, m + hp_gh_offset(A, u), -u, b, a) = *hp_gh_entry(A, m, u, a, b);
  for (int64_t m = 0; m < A->ncell; ++m)
    for (int a = 0; a < q; ++a) {
      double sum = 0.0, *diagonal = hp_gh_entry(A, m, 0, a, a);
      *diagonal = 0.0;
      for (int c = 0; c < HP_GH_DIAGS * q; ++c) sum += fabs(A->h[c * A->ld + m * q + a]);
      for (int r = W->d[m / nz]; r >= 0; r = W->next[r])
        if (m >= W->b[r] && m < W->b[r] + W->c[r]) sum += fabs(W->wt[(W->a[r] + m - W->b[r]) * q + a]);
      *diagonal = sum > 0.0 ? sum * (1.0 + margin) + 0.1 : 1.0;
    }
  return HP_OK;
}

/* The same with q = 1 and no entry above zero beside the diagonal, as a pressure matrix. */
HP_INLINE hp_status matrix_random_m(int nx, int ny, int nz, int nwell, uint64_t seed, hp_gh **out) {
  HP_TRY(matrix_random_spd(nx, ny, nz, 1, nwell, 0.01, seed, out));
  hp_gh *A = *out;
  for (int64_t e = 0; e < HP_GH_DIAGS * A->ld; ++e)
    if (e / A->rows != 3) A->h[e] = -fabs(A->h[e]);
  for (int64_t p = 0; p < A->wells.nperf; ++p) A->wells.w[p] = A->wells.wt[p] = -fabs(A->wells.w[p]);
  return HP_OK;
}

/* Like the Jacobian of two-phase flow: pressure couples by transmissibilities
 * that vary over `decades` powers of ten and ten times less vertically,
 * saturation is carried upstream along +i. Every second well holds its rate
 * (a row with W), the others their pressure. storage: accumulation relative
 * to the transmissibilities (small is hard). q = 2. */
HP_INLINE hp_status matrix_flow(int nx, int ny, int nz, int nwell, double decades, double storage, uint64_t seed,
                                hp_gh **out) {
  HP_TRY(hp_gh_create(nx, ny, nz, 2, out));
  hp_gh *A = *out;
  HP_TRY(matrix_add_wells(A, nwell, &seed));
  double *perm = NULL;
  HP_TRY(HP_ALLOC(perm, A->ncell));
  for (int64_t m = 0; m < A->ncell; ++m) perm[m] = pow(10.0, 0.5 * decades * matrix_random(&seed));
  for (int64_t m = 0; m < A->ncell; ++m) {
    *hp_gh_entry(A, m, 0, 0, 0) += storage;
    *hp_gh_entry(A, m, 0, 0, 1) += 0.2;
    *hp_gh_entry(A, m, 0, 1, 0) += storage;
    *hp_gh_entry(A, m, 0, 1, 1) -= 0.2;
    for (int u = 1; u <= 3; ++u) {
      if (!matrix_has(A, m, u)) continue;
      const int64_t n = m + hp_gh_offset(A, u);
      const double T = (u == 1 ? 0.1 : 1.0) * 2.0 * perm[m] * perm[n] / (perm[m] + perm[n]);
      for (int a = 0; a < 2; ++a) { /* water with a mobility of 0.3, oil 0.7; m is upstream of n */
        const double mobility = a == 0 ? 0.3 : 0.7, carried = (a == 0 ? 0.05 : -0.05) * T;
        *hp_gh_entry(A, m, 0, a, 0) += mobility * T;
        *hp_gh_entry(A, m, u, a, 0) -= mobility * T;
        *hp_gh_entry(A, n, 0, a, 0) += mobility * T;
        *hp_gh_entry(A, n, -u, a, 0) -= mobility * T;
        *hp_gh_entry(A, m, 0, a, 1) += carried;
        *hp_gh_entry(A, n, -u, a, 1) -= carried;
      }
    }
  }
  hp_gh_wells *W = &A->wells;
  for (int r = 0; r < W->nrun; ++r)
    for (int64_t n = 0; n < W->c[r]; ++n) {
      const int64_t m = W->b[r] + n, p = (W->a[r] + n) * 2;
      const double index = 3.0 * perm[m];
      const int w = W->of[r];
      for (int a = 0; a < 2; ++a) {
        *hp_gh_entry(A, m, 0, a, 0) += (a == 0 ? 0.3 : 0.7) * index;
        W->wt[p + a] = -(a == 0 ? 0.3 : 0.7) * index;
      }
      if (w % 2 == 0) W->w[p] = -index;
      W->dd[w] += index;
    }
  HP_FREE(perm);
  return HP_OK;
}

/* Two rows on which methods break down at once, so that restarts do not help:
 *     0   a rotation by a quarter turn, (b, A b) = 0: BiCG-Stab, TFQMR, QMR
 *     1   [1 -1; -1 1] and b = (1, 1), b^T A b = 0: CG
 *     2   [0 1; 0 0] and b = (0, 1): A b = (1, 0), A A b = 0, and no x gives b: GMRES */
HP_INLINE hp_status matrix_breakdown(int which, hp_gh **A, double b[2]) {
  b[0] = b[1] = 1.0;
  if (which == 1) {
    HP_TRY(hp_gh_create(1, 1, 2, 1, A));
    *hp_gh_entry(*A, 0, 0, 0, 0) = *hp_gh_entry(*A, 1, 0, 0, 0) = 1.0;
    *hp_gh_entry(*A, 0, 1, 0, 0) = *hp_gh_entry(*A, 1, -1, 0, 0) = -1.0;
    return HP_OK;
  }
  HP_TRY(hp_gh_create(1, 1, 1, 2, A));
  *hp_gh_entry(*A, 0, 0, 0, 1) = 1.0;
  if (which == 0) *hp_gh_entry(*A, 0, 0, 1, 0) = -1.0;
  if (which == 2) b[0] = 0.0;
  return HP_OK;
}

#endif
