/* A linear solver that is given systems from outside: on a team of its own, or on a GPU with a copy of the matrix. */
#include <stdio.h>

#include "amg/cpr/device.h"
#include "core/memory.h"
#include "linsolve/krylov/device.h"
#include "sim/compare/compare.h"

struct hp_compare_solver {
  /* CPU */
  hp_cpr *cpr;
  hp_krylov *krylov;
  /* GPU */
  hp_device *D;
  hp_gh A;
  double *b, *x; /* [A.n] */
  hp_cpr_device *device_cpr;
  hp_device_krylov *device_krylov;
  int64_t launches; /* of the latest solve */
};

static hp_status create_on_cpu(const hp_gh *A, const hp_backend_solver *linear, hp_team_hub *hub,
                               hp_compare_solver *V) {
  if (!linear->uses_cpr) return hp_krylov_create(hub, A, &linear->krylov, &V->krylov);
  HP_TRY(hp_cpr_create(A, &linear->cpr, &V->cpr));
  const hp_krylov_options krylov = hp_backend_custom(&linear->krylov, hp_cpr_precond(V->cpr));
  return hp_krylov_create(hub, A, &krylov, &V->krylov);
}

static hp_status create_on_gpu(const hp_gh *A, const hp_backend_solver *linear, hp_compare_solver *V) {
  const hp_device_options device = {.cells = A->ncell};
  HP_TRY(hp_device_create(&device, &V->D));
  HP_TRY(hp_gh_to_device(V->D, A, &V->A));
  HP_TRY(HP_DEVICE_ALLOC(V->D, V->b, A->n));
  HP_TRY(HP_DEVICE_ALLOC(V->D, V->x, A->n));
  if (!linear->uses_cpr) return hp_device_krylov_create(V->D, &V->A, &linear->krylov, &V->device_krylov);
  HP_TRY(hp_cpr_device_create(V->D, &V->A, &linear->cpr, &V->device_cpr));
  const hp_krylov_options krylov = hp_backend_custom(&linear->krylov, hp_cpr_device_precond(V->device_cpr));
  return hp_device_krylov_create(V->D, &V->A, &krylov, &V->device_krylov);
}

hp_status hp_compare_solver_create(const hp_gh *A, const hp_backend_solver *linear, hp_backend_kind backend,
                                   hp_team_hub *hub, hp_compare_solver **out) {
  *out = NULL;
  hp_compare_solver *V = NULL;
  HP_TRY(HP_ALLOC(V, 1));
  const hp_status s = backend == HP_BACKEND_CPU ? create_on_cpu(A, linear, hub, V) : create_on_gpu(A, linear, V);
  if (s != HP_OK) hp_compare_solver_destroy(&V);
  *out = V;
  return s;
}

void hp_compare_solver_destroy(hp_compare_solver **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_compare_solver *V = *slot;
  hp_krylov_destroy(&V->krylov);
  hp_cpr_destroy(&V->cpr);
  hp_device_krylov_destroy(&V->device_krylov);
  hp_cpr_device_destroy(&V->device_cpr);
  if (V->D != NULL) {
    hp_gh_device_free(V->D, &V->A);
    HP_DEVICE_FREE(V->D, V->b);
    HP_DEVICE_FREE(V->D, V->x);
  }
  hp_device_destroy(&V->D);
  HP_FREE(*slot);
}

void hp_compare_solver_begin(hp_compare_solver *V) {
  if (V->cpr != NULL) hp_cpr_begin_step(V->cpr);
  if (V->device_cpr != NULL) hp_cpr_device_begin_step(V->device_cpr);
}

void hp_compare_solver_rebuild(hp_compare_solver *V) {
  if (V->cpr != NULL) hp_cpr_rebuild(V->cpr);
  if (V->device_cpr != NULL) hp_cpr_device_rebuild(V->device_cpr);
}

static hp_status setup_on_gpu(hp_compare_solver *V, const hp_gh *A, double *seconds) {
  HP_TRY(hp_gh_values_to_device(V->D, A, &V->A));
  HP_TRY(hp_device_mark(V->D, 0));
  HP_TRY(hp_device_krylov_setup(V->device_krylov, &V->A));
  HP_TRY(hp_device_mark(V->D, 1));
  return hp_device_elapsed(V->D, 0, 1, seconds);
}

hp_status hp_compare_solver_setup(hp_compare_solver *V, const hp_gh *A, double *seconds) {
  if (V->D != NULL) return setup_on_gpu(V, A, seconds);
  const double began = hp_now();
  HP_TRY(hp_krylov_setup(V->krylov, A));
  if (V->cpr != NULL) HP_TRY(hp_cpr_status(V->cpr));
  *seconds = hp_now() - began;
  return HP_OK;
}

static hp_status run_on_gpu(hp_compare_solver *V, const hp_gh *A, const double *b, double *x, double *history,
                            hp_krylov_report *k, double *seconds) {
  const int64_t bytes = A->n * (int64_t)sizeof *b, before = hp_device_krylov_launches(V->device_krylov);
  HP_TRY(hp_device_upload(V->D, V->b, b, bytes));
  HP_TRY(hp_device_mark(V->D, 1));
  HP_TRY(hp_device_krylov_solve(V->device_krylov, &V->A, V->b, V->x, history, k));
  HP_TRY(hp_device_mark(V->D, 2));
  HP_TRY(hp_device_elapsed(V->D, 1, 2, seconds));
  V->launches = hp_device_krylov_launches(V->device_krylov) - before;
  return hp_device_download(V->D, x, V->x, bytes);
}

hp_status hp_compare_solver_run(hp_compare_solver *V, const hp_gh *A, const double *b, double *x, double *history,
                                hp_krylov_report *k, double *seconds) {
  if (V->D != NULL) return run_on_gpu(V, A, b, x, history, k, seconds);
  const double began = hp_now();
  HP_TRY(hp_krylov_solve(V->krylov, A, b, x, history, k));
  *seconds = hp_now() - began;
  return HP_OK;
}

hp_status hp_compare_solver_solve(hp_compare_solver *V, const hp_gh *A, const double *b, double *x, double *history,
                                  hp_krylov_report *k, double *setup, double *solve) {
  HP_TRY(hp_compare_solver_setup(V, A, setup));
  return hp_compare_solver_run(V, A, b, x, history, k, solve);
}

int64_t hp_compare_solver_launches(const hp_compare_solver *V) { return V->launches; }

hp_status hp_compare_solver_look(hp_compare_solver *V, hp_compare_result *r) {
  r->uses_cpr = V->cpr != NULL || V->device_cpr != NULL;
  if (V->cpr != NULL) r->cpr = hp_cpr_get_state(V->cpr);
  if (V->device_cpr != NULL) HP_TRY(hp_cpr_device_state(V->device_cpr, &r->cpr));
  r->solver_bytes = V->D != NULL ? hp_device_krylov_bytes(V->device_krylov) : hp_krylov_bytes(V->krylov);
  if (r->uses_cpr) r->solver_bytes += r->cpr.bytes;
  if (V->D != NULL) snprintf(r->where, sizeof r->where, "GPU %s", hp_device_get_info(V->D)->name);
  r->device_bytes = V->D != NULL ? hp_device_bytes(V->D) : 0;
  return HP_OK;
}
