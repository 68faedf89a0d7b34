/* Linear solvers on a GPU. */
#include <stdio.h>
#include <string.h>

#include "amg/cpr/device.h"
#include "core/device/part.h"
#include "core/memory.h"
#include "linsolve/krylov/device.h"
#include "sim/linear/linear.h"

enum { SETUP_BEGAN, SETUP_ENDED, SOLVE_BEGAN, SOLVE_ENDED /* of the device's marks */ };

struct gpu {
  hp_linear_solver base;
  hp_device *D;
  hp_cpr_device *cpr; /* NULL: another preconditioner */
  hp_krylov_device *krylov;
  int64_t launches; /* of the latest solve */
  bool opened;      /* the device is its own, and so are: */
  hp_gh A;          /* on the device, as b and x [n] */
  double *b, *x;
};

static gpu *of(hp_linear_solver *S) { return (gpu *)S; }

static void cuda_destroy(hp_linear_solver **slot) {
  gpu *C = of(*slot);
  hp_krylov_device_destroy(&C->krylov);
  hp_cpr_device_destroy(&C->cpr);
  if (C->opened && C->D != NULL) {
    hp_gh_device_free(C->D, &C->A);
    HP_DEVICE_FREE(C->D, C->b);
    HP_DEVICE_FREE(C->D, C->x);
  }
  if (C->opened) hp_device_destroy(&C->D);
  HP_FREE(*slot);
}

static hp_status cuda_set_up(hp_linear_solver *S, const hp_gh *A) {
  gpu *C = of(S);
  HP_TRY(hp_device_mark(C->D, SETUP_BEGAN));
  HP_TRY(hp_krylov_device_setup(C->krylov, A));
  return hp_device_mark(C->D, SETUP_ENDED);
}

static hp_status cuda_solve(hp_linear_solver *S, const hp_gh *A, const double *b, double *x, double *history,
                            hp_krylov_report *report) {
  gpu *C = of(S);
  const int64_t before = hp_krylov_device_launches(C->krylov);
  HP_TRY(hp_device_mark(C->D, SOLVE_BEGAN));
  HP_TRY(hp_krylov_device_solve(C->krylov, A, b, x, history, report));
  C->launches = hp_krylov_device_launches(C->krylov) - before;
  return hp_device_mark(C->D, SOLVE_ENDED);
}

/* With the host's matrix and vectors. */
static hp_status copying_set_up(hp_linear_solver *S, const hp_gh *A) {
  gpu *C = of(S);
  HP_TRY(hp_gh_device_upload_values(C->D, A, &C->A));
  return cuda_set_up(S, &C->A);
}

static hp_status copying_solve(hp_linear_solver *S, const hp_gh *A, const double *b, double *x, double *history,
                               hp_krylov_report *report) {
  gpu *C = of(S);
  const int64_t bytes = A->n * (int64_t)sizeof *b;
  HP_TRY(hp_device_upload(C->D, C->b, b, bytes));
  HP_TRY(cuda_solve(S, &C->A, C->b, C->x, history, report));
  return hp_device_download(C->D, x, C->x, bytes);
}

static hp_status cuda_seconds(hp_linear_solver *S, double *setup, double *solve) {
  gpu *C = of(S);
  if (setup != NULL) HP_TRY(hp_device_elapsed(C->D, SETUP_BEGAN, SETUP_ENDED, setup));
  return solve != NULL ? hp_device_elapsed(C->D, SOLVE_BEGAN, SOLVE_ENDED, solve) : HP_OK;
}

static double cuda_set_tolerance(hp_linear_solver *S, double tolerance) {
  return hp_krylov_device_set_tolerance(of(S)->krylov, tolerance);
}

static void cuda_begin_step(hp_linear_solver *S) {
  if (of(S)->cpr != NULL) hp_cpr_device_begin_step(of(S)->cpr);
}

static void cuda_rebuild(hp_linear_solver *S) {
  if (of(S)->cpr != NULL) hp_cpr_device_rebuild(of(S)->cpr);
}

static bool cuda_solved(hp_linear_solver *S, const hp_krylov_report *report) {
  return of(S)->cpr != NULL && hp_cpr_device_solved(of(S)->cpr, report);
}

static hp_status cuda_report(hp_linear_solver *S, hp_linear_report *out) {
  gpu *C = of(S);
  memset(out, 0, sizeof *out);
  out->uses_cpr = C->cpr != NULL;
  if (C->cpr != NULL) HP_TRY(hp_cpr_device_state(C->cpr, &out->cpr));
  out->solver_bytes = hp_krylov_device_bytes(C->krylov);
  out->device_bytes = hp_device_bytes(C->D);
  const int gpus = hp_device_gpu_list(C->D, out->gpu);
  out->gpus = gpus > 1 ? gpus : 0;
  for (int g = 0; g < out->gpus; ++g) {
    int64_t was_free;
    hp_device_gpu_memory(C->D, out->gpu[g], &out->gpu_bytes[g], &was_free);
  }
  out->launches = C->launches;
  out->special = *hp_krylov_device_special(C->krylov);
  hp_device_describe(C->D, out->where, sizeof out->where);
  return HP_OK;
}

static hp_linear_ops operations(void) {
  hp_linear_ops o = {};
  o.destroy = cuda_destroy;
  o.set_up = cuda_set_up;
  o.solve = cuda_solve;
  o.seconds = cuda_seconds;
  o.set_tolerance = cuda_set_tolerance;
  o.begin_step = cuda_begin_step;
  o.rebuild = cuda_rebuild;
  o.solved = cuda_solved;
  o.report = cuda_report;
  return o;
}

/* With a device of its own, to which systems are copied. */
static hp_linear_ops copying_operations(void) {
  hp_linear_ops o = operations();
  o.set_up = copying_set_up;
  o.solve = copying_solve;
  return o;
}

static const hp_linear_ops cuda_ops = operations(), copying_ops = copying_operations();

/* cpr works in the Krylov solver's vectors while it is set up. */
static hp_status create_with_cpr(gpu *C, const hp_gh *A, const hp_linear_input *in) {
  const hp_linear_options *o = in->options;
  HP_TRY(A->part != NULL ? hp_cpr_device_create_part(C->D, A, in->shape, in->threads, &o->cpr, &C->cpr)
                         : hp_cpr_device_create(C->D, A, &o->cpr, &C->cpr));
  const hp_krylov_options krylov = hp_linear_external_options(&o->krylov, hp_cpr_device_precond(C->cpr));
  HP_TRY(hp_krylov_device_create(C->D, A, &krylov, &C->krylov));
  int64_t bytes = 0;
  void *idle = hp_krylov_device_idle(C->krylov, &bytes);
  return hp_cpr_device_attach(C->cpr, idle, bytes);
}

static hp_status copy_system(gpu *C, const hp_linear_input *in) {
  HP_TRY(hp_device_create(in->opened, &C->D));
  if (in->A->part != NULL) HP_TRY(hp_device_set_part(C->D, in->A->part));
  HP_TRY(hp_gh_device_upload(C->D, in->A, &C->A));
  HP_TRY(HP_DEVICE_ALLOC(C->D, C->b, in->A->n));
  return HP_DEVICE_ALLOC(C->D, C->x, in->A->n);
}

/* Ranks agree before the linear solver is made, because they make its multigrid together. */
static hp_status open_device(gpu *C, const hp_linear_input *in) {
  const hp_part *part = in->A->part;
  const hp_status copied = copy_system(C, in);
  HP_TRY(part != NULL ? hp_ranks_agree(part->K, copied) : copied);
  return part != NULL ? hp_device_connect(C->D, in->options->krylov.exchange) : HP_OK;
}

static hp_status create(const hp_linear_input *in, gpu *C) {
  const hp_linear_options *o = in->options;
  C->D = in->D;
  C->opened = in->opened != NULL;
  if (C->opened) HP_TRY(open_device(C, in));
  const hp_gh *A = C->opened ? &C->A : in->A;
  return o->uses_cpr ? create_with_cpr(C, A, in) : hp_krylov_device_create(C->D, A, &o->krylov, &C->krylov);
}

hp_status hp_linear_device_create(const hp_linear_input *in, hp_linear_solver **out) {
  gpu *C = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  C->base.ops = in->opened != NULL ? &copying_ops : &cuda_ops;
  *out = &C->base;
  const hp_status s = create(in, C);
  if (s != HP_OK) hp_linear_destroy(out);
  return s;
}

void *hp_linear_device_work(const hp_linear_solver *S, int64_t *bytes) {
  return hp_krylov_device_work(((const gpu *)S)->krylov, bytes);
}

double *hp_linear_device_solution(const hp_linear_solver *S) {
  return hp_krylov_device_solution(((const gpu *)S)->krylov);
}

const hp_krylov_special *hp_linear_device_special(const hp_linear_solver *S) {
  return hp_krylov_device_special(((const gpu *)S)->krylov);
}
