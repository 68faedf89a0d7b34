/* The numbers that multigrid cycles read: team programs.
 *
 *   hp_amg_numbers   rows in slices, the smoothers, the inverse of the last level. Before: all levels' matrices are
 *                    visible. Ends with a barrier.
 *   hp_amg_refresh   level 0's values have changed (and are visible): products, and the numbers. Ends with a
 *                    barrier.
 *
 * The same bits for every team.
 */
#ifndef HP_AMG_CYCLE_NUMBERS_INL_H
#define HP_AMG_CYCLE_NUMBERS_INL_H

#include <math.h>

#include "amg/rows/rows.inl.h"
#include "amg/setup/direct.h"
#include "amg/setup/refresh.inl.h"

#define HP_BOTH "amg/cycle/numbers_real.inl.h"
#include "amg/rows/both.inl.h"

/* The rows of levels first .. end-1. */
HP_INLINE HP_HD void hp_amg_rows_of(hp_team *t, const hp_amg *H, int first, int end) {
  for (int l = first; l < end; ++l) {
    if (H->opt.precision == HP_PRECISION_SINGLE) hp_amg_level_rows_float(t, &H->level[l]);
    else hp_amg_level_rows_double(t, &H->level[l]);
  }
}

HP_AMG_PHASE HP_HD void hp_amg_numbers_of(hp_team *t, const hp_amg *H, int first, int end) {
  const bool single = H->opt.precision == HP_PRECISION_SINGLE;
  int coarse = first; /* from this level on the first of several GPUs has the arrays */
  while (coarse < end && !hp_amg_is_on_first(&H->opt, H->level[coarse].nrow)) coarse += 1;
#if !defined(__CUDA_ARCH__)
  const bool direct = H->lu != NULL && end == H->nlevel; /* on a GPU: amg/setup/cuda/direct.cuh */
  if (direct) hp_amg_factorize(t, H);
#endif
  hp_amg_rows_of(t, H, first, coarse);
  if (coarse < end) {
    if (hp_team_first_begin(t)) hp_amg_rows_of(t, H, coarse, end);
    hp_team_first_end(t);
  }
  hp_team_sync(t); /* the rows, by which some smoothers multiply, and the factors */
  for (int l = first; l < end; ++l) {
    if (single) hp_amg_smoother_float(t, H, &H->level[l]);
    else hp_amg_smoother_double(t, H, &H->level[l]);
  }
#if !defined(__CUDA_ARCH__)
  if (direct) hp_amg_invert(t, H);
#endif
  hp_team_sync(t); /* the smoothers and the inverse */
}

/* All levels. */
HP_INLINE HP_HD void hp_amg_numbers(hp_team *t, const hp_amg *H) { hp_amg_numbers_of(t, H, 0, H->nlevel); }

HP_INLINE HP_HD void hp_amg_refresh(hp_team *t, const hp_amg *H) {
  hp_amg_refresh_products(t, H, 0);
  hp_amg_numbers(t, H);
}

#endif
