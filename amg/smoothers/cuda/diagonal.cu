/* Smoothers with a diagonal M on a GPU, and polynomials in them:
 * amg/smoothers/jacobi.inl.h, amg/smoothers/chebyshev.inl.h. Their numbers come with
 * those of the cycle. */
#include "amg/cycle/cuda/cycle.cuh"
#include "amg/cycle/form.inl.h"

hp_status hp_amg_cycle_take_scale(hp_amg_device_cycle *C, int l) {
  return hp_amg_cycle_take(C, &C->host.H.level[l].smooth.scale, hp_amg_cycle_rows(C, l));
}

/* hp_amg_pass of amg/smoothers/jacobi.inl.h; by: momentum and factor on the
 * device, or NULL: 0 and 1. */
static hp_status pass(hp_amg_device_cycle *C, int l, const double *by, const void *b, hp_amg_device_iterate *v) {
  const void *scale = C->host.H.level[l].smooth.scale;
  const int state = v->state;
  if (state == HP_AMG_ZERO) {
    v->state = HP_AMG_SCALED;
    v->before = HP_AMG_ZERO;
    return HP_OK;
  }
  hp_amg_pass p = hp_amg_pass_of_level(C, l, HP_AMG_FORM_STEP, state == HP_AMG_SCALED ? b : v->x, v->other);
  p.scale_from = state == HP_AMG_SCALED ? scale : NULL;
  p.x_state = state;
  p.x = v->x;
  p.b = b;
  p.last_state = v->before;
  p.factor = 1.0;
  p.by = by;
  v->other = v->x;
  v->x = p.out;
  v->state = HP_AMG_STORED;
  v->before = state;
  return hp_amg_add_pass(C, p);
}

static hp_status sweep(hp_amg_device_cycle *C, int l, bool forward, const void *b, hp_amg_device_iterate *v) {
  (void)forward;
  return pass(C, l, NULL, b, v);
}

static hp_status prepare_polynomial(hp_amg_device_cycle *C, int l) {
  hp_amg_smooth *S = &C->host.H.level[l].smooth;
  HP_TRY(HP_TAKE(&C->S.keep, S->coefficient, 2 * HP_AMG_ORDER_MAX));
  HP_TRY(HP_TAKE(&C->S.keep, S->eigenvalue, 1));
  return hp_amg_cycle_take_scale(C, l);
}

static hp_status sweep_polynomial(hp_amg_device_cycle *C, int l, bool forward, const void *b,
                                  hp_amg_device_iterate *v) {
  const double *coefficient = C->host.H.level[l].smooth.coefficient;
  (void)forward;
  for (int k = 0; k < C->host.H.opt.order; ++k) HP_TRY(pass(C, l, coefficient + 2 * k, b, v));
  return HP_OK;
}

const hp_amg_device_smoother hp_amg_device_diagonal = {1, hp_amg_cycle_take_scale, NULL, sweep};
const hp_amg_device_smoother hp_amg_device_polynomial = {HP_AMG_BY_ORDER, prepare_polynomial, NULL, sweep_polynomial};
