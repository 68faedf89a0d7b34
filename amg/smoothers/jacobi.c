/* Smoothers with a diagonal, and polynomials in them: amg/smoothers/jacobi.inl.h, amg/smoothers/chebyshev.inl.h. */
#include "amg/smoothers/impl.h"
#include "amg/smoothers/pass.h"
#include "core/memory.h"

hp_status hp_amg_prepare_point(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  return hp_amg_smooth_numbers(opt, &S->scale, L->A->nrow);
}

hp_status hp_amg_prepare_polynomial(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  HP_TRY(HP_ALLOC(S->coefficient, 2 * opt->order));
  HP_TRY(HP_ALLOC(S->eigenvalue, 1));
  return hp_amg_prepare_point(opt, L, S);
}

hp_status hp_amg_jacobi_sweep(hp_amg_writer *W, int l, bool forward, const void *b, hp_amg_iterate *v) {
  (void)forward;
  return hp_amg_add_step(W, l, NULL, b, v);
}

hp_status hp_amg_chebyshev_sweep(hp_amg_writer *W, int l, bool forward, const void *b, hp_amg_iterate *v) {
  const double *coefficient = W->H->level[l].smooth.coefficient;
  (void)forward;
  for (int k = 0; k < W->H->opt.order; ++k) HP_TRY(hp_amg_add_step(W, l, coefficient + 2 * k, b, v));
  return HP_OK;
}
