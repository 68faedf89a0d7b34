/* Gauss-Seidel, one row after the other: amg/smoothers/gauss_seidel.inl.h. */
#include "amg/rows/form.inl.h"
#include "amg/smoothers/pass.h"

/* In place. */
hp_status hp_amg_gauss_seidel_sweep(hp_amg_writer *W, int l, bool forward, const void *b, hp_amg_iterate *v) {
  const hp_amg_level *L = &W->H->level[l];
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_ONE_BY_ONE, HP_AMG_FORM_PRODUCT, NULL, v->x, L->nrow);
  p.x = v->state == HP_AMG_ZERO ? NULL : v->x;
  p.b = b;
  p.level = (int16_t)l;
  p.forward = forward;
  v->state = HP_AMG_STORED;
  return hp_amg_add_pass(W, p);
}
