/* New values in the products of a hierarchy whose pattern stays: a team program.
 *
 *   for l = 0, 1, ...:   A P  row by row, then  R (A P)  into the matrix of level l+1
 *
 * hp_amg_refresh (amg/cycle/numbers.inl.h) updates what depends on a level's values alone:
 * smoothers, factors of the last level. */
#ifndef HP_AMG_SETUP_REFRESH_INL_H
#define HP_AMG_SETUP_REFRESH_INL_H

#include "amg/amg.h"

HP_INLINE HP_HD void hp_amg_refresh_level(hp_team *t, const hp_amg *H, int l) {
  const hp_amg_level *L = &H->level[l];
  const hp_csr *next = H->level[l + 1].A;
  const hp_span fine = hp_team_span(t, L->AP->nrow, 0);
  hp_csr_product_rows(L->A, L->P, L->AP, &L->plan_ap, fine.begin, fine.end);
  hp_team_first_sync(t); /* A P */
  const hp_span coarse = hp_team_span(t, next->nrow, 0);
  hp_csr_product_rows(L->R, L->AP, next, &L->plan_rap, coarse.begin, coarse.end);
}

/* Level `first` and those after it. Before: its values are visible to all. Ends with a barrier if there is a level after
 * it. */
HP_INLINE HP_HD void hp_amg_refresh_products(hp_team *t, const hp_amg *H, int first) {
  int l = first;
  for (; l + 1 < H->nlevel && !hp_amg_is_on_first(&H->opt, H->level[l].nrow); ++l) {
    hp_amg_refresh_level(t, H, l);
    hp_team_sync(t); /* R A P */
  }
  if (l + 1 >= H->nlevel) return;
  if (hp_team_first_begin(t)) {
    for (; l + 1 < H->nlevel; ++l) {
      hp_amg_refresh_level(t, H, l);
      if (l + 2 < H->nlevel) hp_team_first_sync(t); /* R A P */
    }
  }
  hp_team_first_end(t);
  hp_team_sync(t); /* all levels */
}

#endif
