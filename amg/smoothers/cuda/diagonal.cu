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

const hp_amg_device_smoother hp_amg_device_diagonal = {hp_amg_cycle_alloc_scale, NULL};
const hp_amg_device_smoother hp_amg_device_polynomial = {prepare_polynomial, NULL};
