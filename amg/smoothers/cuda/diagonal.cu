/* Smoothers with a diagonal M on a GPU, and polynomials in them:
 * amg/smoothers/jacobi.inl.h, amg/smoothers/chebyshev.inl.h. Their numbers come with
 * those of the cycle. */
#include "amg/rows/form.inl.h"
#include "amg/smoothers/cuda/image.cuh"

hp_status hp_amg_cycle_alloc_scale(hp_amg_device_cycle *C, int l) {
  return hp_amg_cycle_alloc(C, &C->host.H.level[l].smooth.scale, hp_amg_cycle_rows(C, l));
}

static hp_status prepare_polynomial(hp_amg_device_cycle *C, int l) {
  hp_amg_smooth *S = &C->host.H.level[l].smooth;
  HP_TRY(HP_POOL_ALLOC(&C->S.keep, S->coefficient, 2 * HP_AMG_ORDER_MAX));
  HP_TRY(HP_POOL_ALLOC(&C->S.keep, S->eigenvalue, 1));
  return hp_amg_cycle_alloc_scale(C, l);
}

const hp_amg_device_smoother hp_amg_device_diagonal = {.prepare = hp_amg_cycle_alloc_scale, .numbers = NULL};
const hp_amg_device_smoother hp_amg_device_polynomial = {.prepare = prepare_polynomial, .numbers = NULL};

/* Refused at creation. */
const hp_amg_device_smoother hp_amg_device_none = {.prepare = NULL, .numbers = NULL};

/* ---- all smoothers ---- */

const hp_amg_device_smoother *hp_amg_cycle_smoother(const hp_amg_device_cycle *C) {
  switch (C->host.H.opt.smoother) {
#define HP_AMG_CASE(name, text, setup, sweep, rows, prepare, in_kernel, device, by_host) \
  case HP_AMG_##name: return &hp_amg_device_##device;
    HP_AMG_SMOOTHER_LIST(HP_AMG_CASE)
#undef HP_AMG_CASE
    default: return NULL;
  }
}

hp_status hp_amg_cycle_smoother_numbers(hp_amg_device_cycle *C) {
  for (int l = 0; l < C->host.H.nlevel && hp_amg_cycle_smoother(C)->numbers != NULL; ++l)
    HP_TRY(hp_amg_cycle_smoother(C)->numbers(C, l));
  return HP_OK;
}
