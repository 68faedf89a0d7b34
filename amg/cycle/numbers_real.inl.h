/* The numbers that a cycle reads, for one type HP_REAL of numbers (amg/cycle/numbers.inl.h includes this text for double
 * and float). Of amg/smoothers/jacobi.inl.h the Chebyshev smoother brings its copy. */
#include "amg/smoothers/block.inl.h"
#include "amg/smoothers/chebyshev.inl.h"
#include "amg/smoothers/hybrid.inl.h"
#include "amg/smoothers/schwarz.inl.h"
#include "amg/smoothers/spai.inl.h"

#ifndef HP_REAL
#define HP_REAL double
#define HP_AMG_NAME(name) name##_double
#endif

/* The level's rows from A, P and R. */
HP_AMG_PHASE HP_HD void HP_AMG_NAME(hp_amg_level_rows)(hp_team *t, const hp_amg_level *L) {
  HP_AMG_NAME(hp_amg_rows_fill)(t, L->A, &L->a);
  HP_AMG_NAME(hp_amg_finest_fill)(t, &L->finest);
  if (L->P == NULL) return;
  HP_AMG_NAME(hp_amg_rows_fill)(t, L->P, &L->p);
  HP_AMG_NAME(hp_amg_rows_fill)(t, L->R, &L->r);
}

/* The smoother's numbers; the rows are visible. */
HP_AMG_PHASE HP_HD void HP_AMG_NAME(hp_amg_smoother)(hp_team *t, const hp_amg *H, const hp_amg_level *L) {
  switch (H->opt.smoother) {
#if defined(__CUDA_ARCH__)
#define HP_AMG_NUMBERS_APART(call) break
#define HP_AMG_NUMBERS_IN_KERNEL(call) call
#else
#define HP_AMG_NUMBERS_APART(call) call
#define HP_AMG_NUMBERS_IN_KERNEL(call) call
#endif
#define HP_AMG_CASE(name, text, setup, sweep, rows, prepare, in_kernel, device, by_host) \
  case HP_AMG_##name: HP_AMG_NUMBERS_##in_kernel(HP_AMG_NAME(setup)(t, H, L)); break;
    HP_AMG_SMOOTHER_LIST(HP_AMG_CASE)
#undef HP_AMG_CASE
#undef HP_AMG_NUMBERS_APART
#undef HP_AMG_NUMBERS_IN_KERNEL
    default: break;
  }
}
