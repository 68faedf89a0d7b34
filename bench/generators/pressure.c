#include "bench/generators/pressure.h"

#include "core/memory.h"
#include "grid/rockgen.h"

enum { PLACES = 71 }; /* stream of random numbers for the wells' columns */

static hp_status place_wells(const hp_pressure *p, hp_gh *A) {
  const int64_t columns = (int64_t)p->nx * p->ny;
  int64_t *begin = NULL, *cell = NULL;
  uint8_t *taken = NULL;
  if (p->nwell == 0) return HP_OK;
  hp_status s = HP_ALLOC(begin, p->nwell + 1);
  if (s == HP_OK) s = HP_ALLOC(cell, (int64_t)p->nwell * p->nz);
  if (s == HP_OK) s = HP_ALLOC(taken, columns);
  for (int w = 0; w < p->nwell && s == HP_OK; ++w) {
    int64_t column = (int64_t)(hp_rock_uniform(p->seed, PLACES, (uint64_t)w) * (double)columns);
    while (taken[column]) column = (column + 1) % columns;
    taken[column] = 1;
    begin[w + 1] = begin[w] + p->nz;
    for (int k = 0; k < p->nz; ++k) cell[begin[w] + k] = column * p->nz + k;
  }
  if (s == HP_OK) s = hp_gh_set_wells(A, p->nwell, begin, cell, NULL);
  HP_FREE(begin);
  HP_FREE(cell);
  HP_FREE(taken);
  return s;
}

/* perm [ncell], vertical fastest. */
static hp_status make_permeability(const hp_pressure *p, double *perm) {
  const int64_t nx = p->nx, ny = p->ny, nz = p->nz;
  const hp_rock_gauss_spec spec = {p->seed, HP_ROCK_EXPONENTIAL, {p->correlation, p->correlation, p->correlation}};
  double *field = NULL;
  for (int64_t m = 0; m < nx * ny * nz; ++m) perm[m] = 1.0;
  if (p->sigma == 0.0) return HP_OK;
  HP_TRY(HP_ALLOC(field, nx * ny * nz));
  const hp_status s = hp_rock_gauss(&spec, p->nx, p->ny, p->nz, field);
  for (int64_t i = 0; i < nx && s == HP_OK; ++i)
    for (int64_t j = 0; j < ny; ++j)
      for (int64_t k = 0; k < nz; ++k)
        perm[k + nz * (j + ny * i)] = hp_rock_exp(p->sigma * field[i + nx * (j + ny * k)]);
  HP_FREE(field);
  return s;
}

static void fill_cells(const hp_pressure *p, hp_gh *A, const double *perm) {
  const int length[4] = {0, A->nz, A->ny, A->nx};
  for (int64_t m = 0; m < A->ncell; ++m) {
    const int64_t at[4] = {0, m % A->nz, m / A->nz % A->ny, m / A->nz / A->ny};
    *hp_gh_entry(A, m, 0, 0, 0) += p->storage;
    for (int u = 1; u <= 3; ++u) {
      const double factor = u == 1 ? p->vertical : 1.0;
      const int outside = length[u] > 1 ? (at[u] == 0) + (at[u] == length[u] - 1) : 0;
      if (p->open) *hp_gh_entry(A, m, 0, 0, 0) += outside * factor * perm[m];
      if (at[u] == length[u] - 1) continue;
      const int64_t n = m + hp_gh_offset(A, u);
      const double T = factor * 2.0 * perm[m] * perm[n] / (perm[m] + perm[n]);
      *hp_gh_entry(A, m, u, 0, 0) = *hp_gh_entry(A, n, -u, 0, 0) = -T;
      *hp_gh_entry(A, m, 0, 0, 0) += T;
      *hp_gh_entry(A, n, 0, 0, 0) += T;
    }
  }
}

static void fill_wells(hp_gh *A, const double *perm) {
  hp_gh_wells *W = &A->wells;
  for (int r = 0; r < W->nrun; ++r)
    for (int64_t n = 0; n < W->c[r]; ++n) {
      const double index = 2.0 * perm[W->b[r] + n];
      W->w[W->a[r] + n] = W->wt[W->a[r] + n] = -index;
      W->dd[W->of[r]] += W->of[r] % 2 == 1 ? 2.0 * index : index;
      *hp_gh_entry(A, W->b[r] + n, 0, 0, 0) += index;
    }
}

hp_status hp_pressure_create(const hp_pressure *p, hp_gh **out) {
  double *perm = NULL;
  *out = NULL;
  if (p->nx < 1 || p->ny < 1 || p->nz < 1)
    return hp_fail(HP_ERR_USAGE, "no grid of %d x %d x %d cells", p->nx, p->ny, p->nz);
  if (p->nwell < 0 || p->nwell > (int64_t)p->nx * p->ny)
    return hp_fail(HP_ERR_USAGE, "%d wells need a column each, more than %d x %d cells have", p->nwell, p->nx, p->ny);
  if (!(p->sigma >= 0.0 && p->sigma < 100.0) || !(p->vertical > 0.0) || !(p->storage >= 0.0))
    return hp_fail(HP_ERR_USAGE, "sigma %g, vertical %g or storage %g is out of range", p->sigma, p->vertical,
                   p->storage);
  HP_TRY(hp_gh_create(p->nx, p->ny, p->nz, 1, out));
  hp_status s = place_wells(p, *out);
  if (s == HP_OK) s = HP_ALLOC(perm, (*out)->ncell);
  if (s == HP_OK) s = make_permeability(p, perm);
  if (s == HP_OK) {
    fill_cells(p, *out, perm);
    fill_wells(*out, perm);
  } else {
    hp_gh_destroy(out);
  }
  HP_FREE(perm);
  return s;
}

static void fill_two_phase(const hp_gh *G, hp_gh *A) {
  const double water = 0.4, mobility = 0.2, accumulation = 0.1; /* of the pressure's coupling, of its diagonal */
  for (int64_t m = 0; m < G->ncell; ++m) {
    double stored = accumulation * *hp_gh_entry(G, m, 0, 0, 0);
    for (int u = -3; u <= 3; ++u) {
      const double g = *hp_gh_entry(G, m, u, 0, 0), from = u < 0 ? mobility * g : 0.0;
      *hp_gh_entry(A, m, u, 0, 0) = water * g;
      *hp_gh_entry(A, m, u, 1, 0) = (1.0 - water) * g;
      *hp_gh_entry(A, m, u, 0, 1) = from;
      *hp_gh_entry(A, m, u, 1, 1) = -from;
      stored -= u > 0 ? mobility * g : 0.0; /* what flows out */
    }
    *hp_gh_entry(A, m, 0, 0, 1) = stored;
    *hp_gh_entry(A, m, 0, 1, 1) = -stored;
  }
}

hp_status hp_pressure_two_phase(const hp_gh *G, hp_gh **out) {
  HP_TRY(hp_gh_create(G->nx, G->ny, G->nz, 2, out));
  fill_two_phase(G, *out);
  return HP_OK;
}
