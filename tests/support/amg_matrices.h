/* Pressure systems as reservoirs give them, as CSR: 7-point, wells last. */
#ifndef HP_TESTS_SUPPORT_AMG_MATRICES_H
#define HP_TESTS_SUPPORT_AMG_MATRICES_H

#include <math.h>

#include "amg/cpr/weights.inl.h"
#include "amg/csr.h"
#include "amg/setup/setup_impl.h"
#include "core/memory.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

typedef struct {
  int nx, ny, nz;
  double decades;  /* of permeability, log-uniform */
  double vertical; /* factor of the couplings along k */
  double storage;  /* accumulation, a share of a unit coupling */
  int inactive;    /* one cell in so many is an identity row; 0: none */
  bool wall;       /* two regions that nothing connects */
  int nwell;       /* vertical; every third holds its pressure, the others their rate */
  uint64_t seed;
} amg_reservoir;

typedef struct {
  int32_t column;
  double value;
} amg_entry;

HP_INLINE bool amg_active(const amg_reservoir *r, int64_t m) {
  uint64_t s = r->seed * 77 + (uint64_t)m;
  return r->inactive == 0 || matrix_bits(&s) % (uint64_t)r->inactive != 0;
}

HP_INLINE double amg_permeability(const amg_reservoir *r, int64_t m) {
  uint64_t s = r->seed * 1000003 + (uint64_t)m;
  return pow(10.0, 0.5 * r->decades * matrix_random(&s));
}

HP_INLINE int64_t amg_well_column(const amg_reservoir *r, int w) {
  uint64_t s = r->seed * 31 + (uint64_t)w;
  return (int64_t)(matrix_bits(&s) % (uint64_t)((int64_t)r->nx * r->ny));
}

HP_INLINE bool amg_well_holds_pressure(int w) { return w % 3 == 2; }

/* Coupling of cell m (i, j, k) to the neighbour at distance (di, dj, dk), which is *n; 0 if there is none. */
HP_INLINE double amg_coupling(const amg_reservoir *r, int64_t m, int di, int dj, int dk, int64_t *n) {
  const int64_t k = m % r->nz + dk, j = m / r->nz % r->ny + dj, i = m / r->nz / r->ny + di;
  if (k < 0 || j < 0 || i < 0 || k >= r->nz || j >= r->ny || i >= r->nx) return 0.0;
  *n = k + r->nz * (j + r->ny * i);
  if (!amg_active(r, m) || !amg_active(r, *n)) return 0.0;
  if (r->wall && di != 0 && (di > 0 ? i : i + 1) == r->nx / 2) return 0.0;
  const double a = amg_permeability(r, m), b = amg_permeability(r, *n);
  return (dk != 0 ? r->vertical : 1.0) * 2.0 * a * b / (a + b);
}

HP_INLINE double amg_well_index(const amg_reservoir *r, int64_t m) {
  return amg_active(r, m) ? 3.0 * amg_permeability(r, m) : 0.0;
}

/* Entries of row i, diagonal first. */
HP_INLINE int amg_row(const amg_reservoir *r, int64_t i, amg_entry *e) {
  const int64_t ncell = (int64_t)r->nx * r->ny * r->nz;
  const int step[6][3] = {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
  int count = 1;
  e[0].column = (int32_t)i;
  e[0].value = 0.0;
  if (i >= ncell) {
    const int w = (int)(i - ncell);
    for (int k = 0; k < r->nz; ++k) {
      const int64_t m = amg_well_column(r, w) * r->nz + k;
      const double index = amg_well_index(r, m);
      e[0].value += index;
      if (amg_well_holds_pressure(w) || index == 0.0) continue;
      e[count].column = (int32_t)m;
      e[count++].value = -index;
    }
    if (e[0].value == 0.0) e[0].value = 1.0;
    return count;
  }
  e[0].value = amg_active(r, i) ? r->storage : 1.0;
  for (int d = 0; d < 6; ++d) {
    int64_t n = 0;
    const double T = amg_coupling(r, i, step[d][0], step[d][1], step[d][2], &n);
    if (T == 0.0) continue;
    e[0].value += T;
    e[count].column = (int32_t)n;
    e[count++].value = -T;
  }
  for (int w = 0; w < r->nwell; ++w) {
    const double index = amg_well_index(r, i);
    if (amg_well_column(r, w) != i / r->nz || index == 0.0) continue;
    e[0].value += index;
    e[count].column = (int32_t)(ncell + w);
    e[count++].value = -index;
  }
  return count;
}

HP_INLINE hp_status amg_reservoir_csr(const amg_reservoir *r, hp_csr **out) {
  const int64_t n = (int64_t)r->nx * r->ny * r->nz + r->nwell;
  amg_entry e[512];
  int64_t count = 0;
  for (int64_t i = 0; i < n; ++i) count += amg_row(r, i, e);
  HP_TRY(hp_csr_create(n, n, count, out));
  hp_csr *A = *out;
  for (int64_t i = 0; i < n; ++i) {
    const int row = amg_row(r, i, e);
    A->begin[i + 1] = A->begin[i] + row;
    for (int k = 0; k < row; ++k) {
      A->column[A->begin[i] + k] = e[k].column;
      A->value[A->begin[i] + k] = e[k].value;
    }
  }
  return HP_OK;
}

/* Random pattern and values; about `fill` of the entries exist, the diagonal always. */
HP_INLINE hp_status amg_random_csr(int nrow, int ncol, double fill, uint64_t seed, hp_csr **out) {
  HP_TRY(hp_csr_create(nrow, ncol, (int64_t)nrow * ncol, out));
  hp_csr *A = *out;
  for (int i = 0; i < nrow; ++i) {
    int32_t at = A->begin[i];
    for (int j = 0; j < ncol; ++j) {
      const bool there = i == j || 0.5 + 0.5 * matrix_random(&seed) < fill;
      const double v = matrix_random(&seed);
      if (!there) continue;
      A->column[at] = j;
      A->value[at++] = v;
    }
    A->begin[i + 1] = at;
  }
  return HP_OK;
}

/* The numbers of cpr's pressure system, entry by entry from where they come, against those that a set-up has made. */
HP_INLINE void cpr_check_sources(const hp_cpr *C, const hp_gh *A) {
  const hp_csr *Ap = C->Ap;
  int32_t *source = NULL, wrong = 0;
  CHECK_OK(HP_ALLOC(source, hp_csr_count(Ap)));
  for (int64_t k = 0; k < hp_csr_count(Ap); ++k) source[k] = INT32_MAX;
  hp_cpr_sources(C, A, source);
  for (int32_t i = 0; i < Ap->nrow; ++i)
    for (int64_t k = Ap->begin[i]; k < Ap->begin[i + 1]; ++k) {
      const double value = source[k] == INT32_MAX ? NAN
                           : i < C->ncp           ? hp_cpr_cell_number(A, C->weight, C->cell[i], source[k])
                                                  : hp_cpr_well_number(A, i - C->ncp, source[k]);
      wrong += value != Ap->value[k];
    }
  CHECK(wrong == 0);
  HP_FREE(source);
}

/* ---- products, by one thread ---- */

HP_INLINE int32_t csr_largest(int32_t a, int32_t b) { return a > b ? a : b; }

/* C = A B, pattern and values; plan may be NULL. */
HP_INLINE hp_status hp_csr_product(const hp_csr *A, const hp_csr *B, hp_csr **C, hp_csr_plan *plan) {
  hp_amg_alone one;
  *C = NULL;
  HP_TRY(hp_amg_alone_begin(&one, csr_largest(A->nrow, csr_largest(A->ncol, B->ncol))));
  const hp_status s = hp_csr_product_by(&one.t, &one.w, A, B, C, plan);
  hp_amg_alone_end(&one);
  return s;
}

/* AP = A P and RAP = R (AP). */
HP_INLINE hp_status hp_csr_galerkin(const hp_csr *R, const hp_csr *A, const hp_csr *P, hp_csr **AP, hp_csr **RAP) {
  *RAP = NULL;
  HP_TRY(hp_csr_product(A, P, AP, NULL));
  const hp_status s = hp_csr_product(R, *AP, RAP, NULL);
  if (s != HP_OK) hp_csr_destroy(AP);
  return s;
}

/* Row i of A x. */
HP_INLINE double hp_csr_dot(const hp_csr *A, int64_t i, const double *x) {
  double sum = 0.0;
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) sum += A->value[k] * x[A->column[k]];
  return sum;
}

#endif
