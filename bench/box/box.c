#include "bench/box/box.h"

#include "core/memory.h"

hp_stencil_family hp_stencil_box_family_of(const hp_gh *A) {
  hp_stencil_family F = hp_stencil_family_of(A);
  F.stencil = hp_stencil_of(HP_STENCIL_BOX_27);
  return F;
}

/* Whether cell m has a neighbour at point p. */
static bool is_inside(const hp_stencil_family *F, int64_t m, int p) {
  const int64_t place[3] = {m / F->nz / F->ny, m / F->nz % F->ny, m % F->nz};
  const int length[3] = {F->nx, F->ny, F->nz};
  for (int d = 0; d < 3; ++d) {
    const int64_t at = place[d] + F->stencil.offset[p][d];
    if (at < 0 || at >= length[d]) return false;
  }
  return true;
}

static double *entry(const hp_sparse *F, int64_t m, int p, int a, int b) {
  return F->value + ((int64_t)p * F->q + b) * F->ld + m * F->q + a;
}

/* ---- values ---- */

/* In [0, 1), the same for an entry and its mirror image. */
static double uniform(const hp_stencil_family *F, uint64_t seed, int64_t m, int p, int a, int b) {
  if (p < HP_BOX_POINTS / 2) return uniform(F, seed, m + hp_stencil_shift(F, p), HP_BOX_POINTS - 1 - p, b, a);
  const uint64_t at = (((uint64_t)m * HP_BOX_POINTS + (uint64_t)p) * HP_GH_Q_MAX + (uint64_t)a) * HP_GH_Q_MAX +
                      (uint64_t)b;
  return (double)(hp_mix64((seed + 1) * UINT64_C(0x9e3779b97f4a7c15) + hp_mix64(at + 1)) >> 11) * 0x1p-53;
}

/* The diagonal of GH that a face's point is. */
static int diagonal_of(const hp_stencil *S, int p) {
  return 3 * S->offset[p][0] + 2 * S->offset[p][1] + S->offset[p][2];
}

static void fill_cell(const hp_stencil_family *family, const hp_gh *A, uint64_t seed, hp_sparse *F, int64_t m) {
  const int q = F->q;
  for (int p = 0; p < HP_BOX_POINTS; ++p) {
    const int8_t *o = family->stencil.offset[p];
    const bool face = o[0] * o[0] + o[1] * o[1] + o[2] * o[2] <= 1;
    if (!is_inside(family, m, p)) continue;
    for (int a = 0; a < q; ++a)
      for (int b = 0; b < q; ++b) {
        if (face) {
          *entry(F, m, p, a, b) += *hp_gh_entry(A, m, diagonal_of(&family->stencil, p), a, b);
        } else {
          const double share = a == b ? 1.0 : 0.1 / q;
          const double size = share * (0.1 + 0.2 * uniform(family, seed, m, p, a, b));
          *entry(F, m, p, a, b) = -size;
          *entry(F, m, HP_BOX_POINTS / 2, a, a) += 1.001 * size;
        }
      }
  }
}

hp_status hp_stencil_box_create(const hp_gh *A, uint64_t seed, hp_sparse **out) {
  const hp_stencil_family family = hp_stencil_box_family_of(A);
  hp_sparse *F = NULL;
  *out = NULL;
  HP_TRY(hp_gh_require_lattice(A, "a box of 27 points"));
  HP_TRY(HP_ALLOC(F, 1));
  F->kind = HP_SPARSE_SGDIA;
  F->q = A->q;
  F->ncell = A->ncell;
  F->ld = F->rows = A->ld;
  F->n = A->n;
  F->width = HP_BOX_POINTS;
  F->count = HP_BOX_POINTS * (int64_t)F->q * F->ld;
  hp_status s = HP_ALLOC(F->offset, HP_BOX_POINTS);
  if (s == HP_OK) s = HP_ALLOC(F->value, F->count);
  if (s != HP_OK) {
    hp_sparse_destroy(&F);
    return s;
  }
  for (int p = 0; p < HP_BOX_POINTS; ++p) F->offset[p] = (int32_t)hp_stencil_shift(&family, p);
  for (int64_t m = 0; m < F->ncell; ++m) fill_cell(&family, A, seed, F, m);
  *out = F;
  return HP_OK;
}

/* ---- as csr ---- */

/* Appends an entry; before there are arrays it only counts. */
static void add(hp_sparse *C, int64_t column, double value) {
  if (C->value != NULL) {
    C->column[C->count] = (int32_t)column;
    C->value[C->count] = value;
  }
  C->count += 1;
}

static void add_cell_row(const hp_stencil_family *family, const hp_sparse *F, const hp_gh *A, int64_t m, int a,
                         hp_sparse *C) {
  const hp_gh_wells *W = &A->wells;
  const int q = F->q;
  for (int p = 0; p < HP_BOX_POINTS; ++p)
    for (int b = 0; b < q && is_inside(family, m, p); ++b) add(C, (m + F->offset[p]) * q + b, *entry(F, m, p, a, b));
  for (int32_t r = W->nwell > 0 ? W->d[m / A->nz] : -1; r >= 0; r = W->next[r])
    if (m >= W->b[r] && m < W->b[r] + W->c[r]) add(C, F->ld + W->of[r], W->wt[(W->a[r] + m - W->b[r]) * q + a]);
}

static void add_well_row(const hp_gh *A, int w, hp_sparse *C) {
  const hp_gh_wells *W = &A->wells;
  for (int r = W->run_begin[w]; r < W->run_begin[w + 1]; ++r)
    for (int64_t n = 0; n < (int64_t)W->c[r] * A->q; ++n) add(C, W->b[r] * A->q + n, W->w[W->a[r] * A->q + n]);
  add(C, A->ld + w, W->dd[w]);
}

static void add_rows(const hp_stencil_family *family, const hp_sparse *F, const hp_gh *A, hp_sparse *C) {
  C->count = 0;
  for (int64_t i = 0; i < F->n; ++i) {
    if (i < F->ld) add_cell_row(family, F, A, i / F->q, (int)(i % F->q), C);
    else add_well_row(A, (int)(i - F->ld), C);
    if (C->begin != NULL) C->begin[i + 1] = (int32_t)C->count;
  }
}

hp_status hp_stencil_box_to_csr(const hp_sparse *F, const hp_gh *A, hp_sparse **out) {
  const hp_stencil_family family = hp_stencil_box_family_of(A);
  hp_sparse *C = NULL;
  *out = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  C->kind = HP_SPARSE_CSR;
  C->q = 1;
  C->ncell = C->ld = C->n = C->rows = F->n;
  add_rows(&family, F, A, C);
  hp_status s = C->count <= INT32_MAX
                    ? HP_OK
                    : hp_fail(HP_ERR_UNSUPPORTED, "a box as csr: %lld entries are more than 32-bit indices can count",
                              (long long)C->count);
  if (s == HP_OK) s = HP_ALLOC(C->begin, F->n + 1);
  if (s == HP_OK) s = HP_ALLOC(C->column, C->count);
  if (s == HP_OK) s = HP_ALLOC(C->value, C->count);
  if (s == HP_OK) add_rows(&family, F, A, C);
  else hp_sparse_destroy(&C);
  *out = C;
  return s;
}
