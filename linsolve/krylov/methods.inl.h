/* Dispatch to the methods of HP_KRYLOV_LIST: a switch, as in linsolve/krylov/precond.inl.h. */
#ifndef HP_LINSOLVE_KRYLOV_METHODS_INL_H
#define HP_LINSOLVE_KRYLOV_METHODS_INL_H

#include "linsolve/krylov/bicgstab.inl.h"
#include "linsolve/krylov/cg.inl.h"
#include "linsolve/krylov/gmres.inl.h"
#include "linsolve/krylov/qmr.inl.h"
#include "linsolve/krylov/tfqmr.inl.h"

HP_METHOD void hp_krylov_run(hp_team *t, hp_krylov_method method, const hp_solve *S) {
  switch (method) {
#define HP_KRYLOV_CASE(name, text, f, vectors) \
  case HP_KRYLOV_##name: f(t, S); break;
    HP_KRYLOV_LIST(HP_KRYLOV_CASE)
#undef HP_KRYLOV_CASE
    case HP_KRYLOV_COUNT: break;
  }
}

#endif
