/* The wells' part that all one-level preconditioners share: the last rows of
 * the elimination, x_w = (r_w - W x) / D. */
#ifndef HP_LINSOLVE_PRECOND_WELLS_INL_H
#define HP_LINSOLVE_PRECOND_WELLS_INL_H

#include "linsolve/spmv.inl.h"

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
  for (int w = hp_warp_of_grid(); w < W->nwell; w += hp_warps_of_grid()) {
    const double sum = hp_gh_well_dot_cuda(A, w, W->w, z);
    if (t->lane == 0) z[A->ld + w] = (r[A->ld + w] - sum) / W->dd[w];
  }
#else
  for (int w = t->rank; w < W->nwell; w += t->size)
    z[A->ld + w] = (r[A->ld + w] - hp_gh_well_dot(A, w, W->w, z)) / W->dd[w];
#endif
}

#endif
