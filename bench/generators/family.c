#include "bench/generators/family.h"

#include <math.h>

#include "core/memory.h"

/* Purposes of random numbers: numbers for different purposes are independent. */
enum {
  PERMEABILITY = 1,
  PERMEABILITY_2,
  DRIFT,
  COUPLING,
  PLACE,
  WELL,
  WELL_TRANSPOSED,
  VECTOR,
  LINK_DRIFT,
  LINK_COUPLING
};

/* In [0, 1): seed, purpose and place mixed as splitmix64 does. */
static double uniform(uint64_t seed, int purpose, uint64_t place) {
  uint64_t x = seed * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)purpose * UINT64_C(0xd1342543de82ef95) + place;
  for (int round = 0; round < 2; ++round) x = hp_mix64(x + UINT64_C(0x9e3779b97f4a7c15));
  return (double)(x >> 11) * 0x1p-53;
}

/* Box & Muller. */
static double normal(uint64_t seed, uint64_t place) {
  const double pi = 3.14159265358979323846;
  return sqrt(-2.0 * log(1.0 - uniform(seed, PERMEABILITY, place))) *
         cos(2.0 * pi * uniform(seed, PERMEABILITY_2, place));
}

void hp_family_vector(uint64_t seed, int64_t n, double *x) {
  for (int64_t i = 0; i < n; ++i) x[i] = 2.0 * uniform(seed, VECTOR, (uint64_t)i) - 1.0;
}

hp_family hp_family_default(int nx, int ny, int nz, int q) {
  const int64_t quarter = (int64_t)nx * ny / 4;
  const hp_family f = {nx, ny, nz, q, quarter < 50 ? (int)quarter : 50, 1.0, 0.1, 1e-3, 1, false, 0};
  return f;
}

/* ---- wells ---- */

/* Vertical wells, at most one per column. */
static hp_status place_wells(const hp_family *f, hp_gh *A) {
  const int64_t columns = (int64_t)f->nx * f->ny;
  int64_t *begin = NULL, *cell = NULL;
  uint8_t *taken = NULL;
  HP_TRY(HP_ALLOC(begin, f->nwell + 1));
  hp_status s = HP_ALLOC(cell, (int64_t)f->nwell * f->nz);
  if (s == HP_OK) s = HP_ALLOC(taken, columns);
  for (int w = 0; w < f->nwell && s == HP_OK; ++w) {
    int64_t column = (int64_t)(uniform(f->seed, PLACE, (uint64_t)w) * (double)columns);
    while (taken[column]) column = (column + 1) % columns;
    taken[column] = 1;
    for (int k = 0; k < f->nz; ++k) cell[begin[w] + k] = column * f->nz + k;
    begin[w + 1] = begin[w] + f->nz;
  }
  if (s == HP_OK) s = hp_gh_set_wells(A, f->nwell, begin, cell, NULL);
  HP_FREE(begin);
  HP_FREE(cell);
  HP_FREE(taken);
  return s;
}

static void fill_wells(const hp_family *f, hp_gh *A) {
  hp_gh_wells *W = &A->wells;
  for (int r = 0; r < W->nrun; ++r)
    for (int64_t n = 0; n < W->c[r]; ++n)
      for (int a = 0; a < f->q; ++a) {
        const int64_t p = (W->a[r] + n) * f->q + a;
        W->w[p] = -0.5 - uniform(f->seed, WELL, (uint64_t)p);
        W->wt[p] = f->symmetric ? W->w[p] : -0.5 - uniform(f->seed, WELL_TRANSPOSED, (uint64_t)p);
        W->dd[W->of[r]] -= (1.0 + f->margin) * W->w[p];
        *hp_gh_entry(A, W->b[r] + n, 0, a, a) -= (1.0 + f->margin) * W->wt[p];
      }
}

/* ---- cells ---- */

/* Number of entry (a, b) of the block (m, m + h(u)); of a symmetric matrix that of its mirror image where it lies
 * below the diagonal. */
static uint64_t place_of(const hp_family *f, const hp_gh *A, int64_t m, int u, int a, int b) {
  if (f->symmetric && (u < 0 || (u == 0 && a > b))) return place_of(f, A, m + hp_gh_offset(A, u), -u, b, a);
  return (((uint64_t)m * HP_GH_DIAGS + (uint64_t)(u + 3)) * HP_GH_Q_MAX + (uint64_t)a) * HP_GH_Q_MAX + (uint64_t)b;
}

/* Block of row cell m and column cell m + h(u), scaled by T, and its sum into the diagonal. */
static void fill_block(const hp_family *f, hp_gh *A, int64_t m, int u, double T, double drift) {
  const int q = f->q;
  for (int a = 0; a < q; ++a)
    for (int b = 0; b < q; ++b) {
      const double diagonal = u == 0 ? 0.0 : 1.0 + drift;
      const double size = a == b ? diagonal
                                 : f->coupling * uniform(f->seed, COUPLING, place_of(f, A, m, u, a, b)) / (q - 1);
      if (u != 0 || a != b) *hp_gh_entry(A, m, u, a, b) = -T * size;
      *hp_gh_entry(A, m, 0, a, a) += (1.0 + f->margin) * T * size;
    }
}

static void fill_cells(const hp_family *f, hp_gh *A, const double *perm) {
  for (int64_t m = 0; m < A->ncell; ++m) {
    const int64_t ijk[3] = {m / A->nz / A->ny, m / A->nz % A->ny, m % A->nz};
    const int last[3] = {A->nx - 1, A->ny - 1, A->nz - 1};
    fill_block(f, A, m, 0, perm[m], 0.0);
    for (int u = 1; u <= 3; ++u) {
      if (ijk[3 - u] == last[3 - u]) continue;
      const int64_t n = m + hp_gh_offset(A, u);
      const double T = 2.0 * perm[m] * perm[n] / (perm[m] + perm[n]);
      const double drift = f->symmetric ? 0.0 : uniform(f->seed, DRIFT, (uint64_t)m * 3 + (uint64_t)u - 1) - 0.5;
      fill_block(f, A, m, u, T, drift);
      fill_block(f, A, n, -u, T, -drift);
    }
  }
}

/* ---- connections beyond the diagonals ---- */

/* The cell that number n joins with cell m, -1: it would lie outside. */
static int64_t partner(const hp_gh *A, int64_t n, int64_t m) {
  const int64_t i = m / A->nz / A->ny, j = m / A->nz % A->ny, k = m % A->nz;
  const int64_t slab = (int64_t)A->nz * A->ny, throw = 1 + n % 3;
  if (i + 1 == A->nx) return -1;
  if (A->nz == 1) return j + 1 < A->ny ? m + slab + 1 : -1;
  const bool down = n / 3 % 2 == 0;
  if (k + throw < A->nz && (down || k < throw)) return m + slab + throw;
  return k >= throw ? m + slab - throw : -1;
}

static hp_status place_links(const hp_family *f, hp_gh *A) {
  int64_t *a = NULL, *b = NULL, count = 0;
  if (f->connections == 0) return HP_OK;
  HP_TRY(HP_ALLOC(a, f->connections));
  hp_status s = HP_ALLOC(b, f->connections);
  for (int64_t n = 0; n < f->connections && s == HP_OK; ++n) {
    a[count] = n * A->ncell / f->connections;
    b[count] = partner(A, n, a[count]);
    count += b[count] >= 0;
  }
  if (s == HP_OK) s = hp_gh_set_links(A, count, a, b);
  HP_FREE(a);
  HP_FREE(b);
  return s;
}

/* Entry e of its connection, of the cell m with the lower number or not. */
static void fill_link(const hp_family *f, hp_gh *A, int64_t m, int64_t e, double T, double drift) {
  const int q = f->q;
  const int64_t of = A->links.of[e];
  const bool mirrored = f->symmetric && m > A->links.other[e];
  for (int a = 0; a < q; ++a)
    for (int b = 0; b < q; ++b) {
      const int64_t side = m > A->links.other[e] && !mirrored, row = mirrored ? b : a, column = mirrored ? a : b;
      const uint64_t place = (((uint64_t)of * 2 + (uint64_t)side) * HP_GH_Q_MAX + (uint64_t)row) * HP_GH_Q_MAX +
                             (uint64_t)column;
      const double size = a == b ? 1.0 + drift : f->coupling * uniform(f->seed, LINK_COUPLING, place) / (q - 1);
      *hp_gh_link(A, e, a, b) = -T * size;
      *hp_gh_entry(A, m, 0, a, a) += (1.0 + f->margin) * T * size;
    }
}

static void fill_links(const hp_family *f, hp_gh *A, const double *perm) {
  const hp_links *L = &A->links;
  for (int64_t r = 0; r < L->nrow; ++r)
    for (int64_t e = L->begin[r]; e < L->begin[r + 1]; ++e) {
      const int64_t m = L->cell[r], n = L->other[e];
      const double T = 2.0 * perm[m] * perm[n] / (perm[m] + perm[n]);
      const double drift = f->symmetric ? 0.0 : uniform(f->seed, LINK_DRIFT, (uint64_t)L->of[e]) - 0.5;
      fill_link(f, A, m, e, T, m < n ? drift : -drift);
    }
}

hp_status hp_family_create(const hp_family *f, hp_gh **out) {
  double *perm = NULL;
  *out = NULL;
  if (f->nx < 1 || f->ny < 1 || f->nz < 1 || f->q < 1 || f->q > HP_GH_Q_MAX)
    return hp_fail(HP_ERR_USAGE, "no matrix for %d x %d x %d cells with %d unknowns (1 to %d)", f->nx, f->ny, f->nz,
                   f->q, HP_GH_Q_MAX);
  if (f->nwell < 0 || f->nwell > (int64_t)f->nx * f->ny)
    return hp_fail(HP_ERR_USAGE, "%d wells need a column each, more than %d x %d cells have", f->nwell, f->nx, f->ny);
  if (f->connections < 0 || f->connections > (int64_t)f->nx * f->ny * f->nz)
    return hp_fail(HP_ERR_USAGE, "%d connections are more than %d x %d x %d cells", f->connections, f->nx, f->ny,
                   f->nz);
  HP_TRY(hp_gh_create(f->nx, f->ny, f->nz, f->q, out));
  hp_status s = place_wells(f, *out);
  if (s == HP_OK) s = place_links(f, *out);
  if (s == HP_OK) s = HP_ALLOC(perm, (*out)->ncell);
  if (s == HP_OK) {
    for (int64_t m = 0; m < (*out)->ncell; ++m) perm[m] = exp(f->contrast * normal(f->seed, (uint64_t)m));
    fill_cells(f, *out, perm);
    fill_links(f, *out, perm);
    fill_wells(f, *out);
  } else {
    hp_gh_destroy(out);
  }
  HP_FREE(perm);
  return s;
}
