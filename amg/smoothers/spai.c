/* The approximate inverse: amg/smoothers/spai.inl.h. */
#include "amg/rows/form.inl.h"
#include "amg/smoothers/impl.h"
#include "amg/smoothers/pass.h"

hp_status hp_amg_prepare_inverse(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  const hp_csr *A = L->A;
  S->inverse = L->a;
  S->inverse.shared = true; /* begin and column */
  S->inverse.value = NULL;
  S->sorted = true;
  for (int32_t i = 0; i < A->nrow; ++i)
    for (int64_t k = A->begin[i] + 1; k < A->begin[i + 1]; ++k)
      S->sorted = S->sorted && A->column[k - 1] < A->column[k];
  const int64_t slices = ((int64_t)A->nrow + (1 << L->a.shift) - 1) >> L->a.shift;
  return hp_amg_smooth_numbers(opt, &S->inverse.value, L->a.begin[slices]);
}

/* The residual, and the rows of M^-1. */
hp_status hp_amg_spai1_sweep(hp_amg_writer *W, int l, bool forward, const void *b, hp_amg_iterate *v) {
  const hp_amg_level *L = &W->H->level[l];
  const bool zero = v->state == HP_AMG_ZERO;
  (void)forward;
  if (!zero) HP_TRY(hp_amg_add_residual(W, l, b, v->x));
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_ROWS, zero ? HP_AMG_FORM_PRODUCT : HP_AMG_FORM_CORRECT, zero ? b : L->y,
                                 v->x, L->nrow);
  p.rows = L->smooth.inverse;
  p.x_state = v->state;
  p.x = v->x;
  v->state = HP_AMG_STORED;
  return hp_amg_add_pass(W, p);
}
