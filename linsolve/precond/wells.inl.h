/* The wells' part that all one-level preconditioners share: the last rows of
 * the elimination, x_w = (r_w - W x) / D. With M_c for the cells,
 *
 *     M = [ M_c  0 ]      M^T = [ M_c^T  W^T ]
 *         [ W    D ]            [ 0      D   ]
 *
 * so the transposed application begins with the wells: x_w = r_w / D, then the
 * cells from r - W^T x_w, which each cell evaluates itself. */
#ifndef HP_LINSOLVE_PRECOND_WELLS_INL_H
#define HP_LINSOLVE_PRECOND_WELLS_INL_H

#include "linsolve/product/spmv.inl.h"

/* First cell number of this team's bad rows: `bad` is the smallest of each
 * member or -1; wells with D = 0 count as ncell + w. The same on every
 * member; contains one barrier. */
HP_INLINE HP_HD int64_t hp_precond_first_bad(hp_team *t, const hp_gh *A, int64_t bad) {
  for (int w = 0; w < A->wells.nwell && bad < 0; ++w)
    if (!(A->wells.dd[w] * A->wells.dd[w] > 0.0)) bad = A->ncell + w;
  double one;
  int64_t first;
  hp_team_max(t, 1.0, bad, &one, &first);
  return first;
}

/* Completes z [n] once its cells are written: without wells nothing, else one
 * barrier, then each well by one member. A barrier must follow. */
HP_INLINE HP_HD void hp_precond_wells(hp_team *t, const hp_gh *A, const double *r, double *z) {
  const hp_gh_wells *W = &A->wells;
  if (W->nwell == 0) return;
  hp_team_sync(t);
#if defined(__CUDA_ARCH__)
  for (int w = hp_team_warp(t); w < W->nwell; w += hp_team_warps(t)) {
    const double sum = hp_gh_well_dot_cuda(A, w, W->w, z);
    if (t->lane == 0) z[A->rows + w] = (r[A->rows + w] - sum) / W->dd[w];
  }
#else
  if (A->part != NULL && A->part->wells_cross) {
    if (t->rank == 0) hp_part_renew_perforated(A->part, z, A->q);
    hp_team_sync(t); /* z of perforated cells that other ranks own */
  }
  for (int w = t->rank; w < W->nwell; w += t->size)
    z[A->rows + w] = (r[A->rows + w] - hp_gh_well_dot(A, w, W->w, z)) / W->dd[w];
#endif
}

/* The wells' part of z = M^-T r. It needs no barrier before, since it neither
 * reads nor writes cells. A barrier must follow. */
HP_INLINE HP_HD void hp_precond_wells_transposed(const hp_team *t, const hp_gh *A, const double *r, double *z) {
  for (int w = t->rank; w < A->wells.nwell; w += t->size) z[A->rows + w] = r[A->rows + w] / A->wells.dd[w];
}

/* s = (r - W^T D^-1 r_w) of cell m, which is in column `column`; r [n], s [q]. */
HP_INLINE HP_HD void hp_precond_fold_wells(const hp_gh *A, int q, int64_t column, int64_t m, const double *r,
                                           double *s) {
  const hp_gh_wells *W = &A->wells;
  for (int a = 0; a < q; ++a) s[a] = r[m * q + a];
  if (W->nrun == 0) return;
  for (int p = W->d[column]; p >= 0; p = W->next[p]) {
    const int64_t n = m - W->b[p];
    if (n < 0 || n >= W->c[p]) continue;
    const double x = r[A->rows + W->of[p]] / W->dd[W->of[p]], *w = W->w + (W->a[p] + n) * q;
    for (int a = 0; a < q; ++a) s[a] -= w[a] * x;
  }
}

#endif
