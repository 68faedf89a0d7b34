/* Dispatch to the preconditioners of HP_PRECOND_LIST (linsolve/precond/precond.h): a switch, so that every
 * entry can be inlined into a fused solve. A new preconditioner is one new .inl.h file, one line here and one in the list.
 */
#ifndef HP_LINSOLVE_KRYLOV_PRECOND_INL_H
#define HP_LINSOLVE_KRYLOV_PRECOND_INL_H

#include "linsolve/precond/block_jacobi.inl.h"
#include "linsolve/precond/dilu/dilu.inl.h"
#include "linsolve/precond/jacobi.inl.h"
#include "linsolve/precond/none.inl.h"
#include "linsolve/precond/precond.h"

/* Whether z = r, so that callers need neither apply nor its barriers. */
HP_INLINE HP_HD bool hp_krylov_precond_is_none(const hp_precond *P) {
  return P->external == NULL && P->external_data == NULL && P->kind == HP_PRECOND_NONE;
}

HP_INLINE HP_HD int64_t hp_krylov_precond_setup(hp_team *t, const hp_precond *P, const hp_gh *A) {
#if !defined(__CUDA_ARCH__)
  if (P->external != NULL) return P->external->setup(t, P->external->data, A);
#endif
  switch (P->kind) {
#define HP_PRECOND_CASE(name, text, storage, setup, apply, transposed) \
  case HP_PRECOND_##name: return setup(t, P, A);
    HP_PRECOND_LIST(HP_PRECOND_CASE)
#undef HP_PRECOND_CASE
    case HP_PRECOND_COUNT: break;
  }
  return -1;
}

HP_INLINE HP_HD void hp_krylov_precond_apply(hp_team *t, const hp_precond *P, const hp_gh *A, const double *r,
                                             double *z) {
#if !defined(__CUDA_ARCH__)
  if (P->external != NULL) {
    P->external->apply(t, P->external->data, A, r, z);
    return;
  }
#endif
  switch (P->kind) {
#define HP_PRECOND_CASE(name, text, storage, setup, apply, transposed) \
  case HP_PRECOND_##name: apply(t, P, A, r, z); break;
    HP_PRECOND_LIST(HP_PRECOND_CASE)
#undef HP_PRECOND_CASE
    case HP_PRECOND_COUNT: break;
  }
}

HP_INLINE HP_HD void hp_krylov_precond_apply_transposed(hp_team *t, const hp_precond *P, const hp_gh *A,
                                                        const double *r, double *z) {
  switch (P->kind) {
#define HP_PRECOND_CASE(name, text, storage, setup, apply, transposed) \
  case HP_PRECOND_##name: transposed(t, P, A, r, z); break;
    HP_PRECOND_LIST(HP_PRECOND_CASE)
#undef HP_PRECOND_CASE
    case HP_PRECOND_COUNT: break;
  }
}

#endif
