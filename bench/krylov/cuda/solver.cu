/* bench/krylov/solver.h on a GPU: a solve is one kernel, with other matrices than GH and boxes an execution. */
#include <stdio.h>
#include <string.h>

#include "bench/box/cuda/box.cuh"
#include "bench/box/cuda/kernel.cuh"
#include "bench/krylov/cuda/kernels.cuh"
#include "bench/krylov/reordered.inl.h"
#include "bench/krylov/solver.h"
#include "bench/texts/texts.h"
#include "core/memory.h"
#include "linsolve/krylov/cuda/host_driven.cuh"
#include "linsolve/krylov/cuda/launch.cuh"
#include "linsolve/krylov/cuda/special.cuh"
#include "linsolve/krylov/device.h"
#include "linsolve/precond/device.h"

struct setup_args {
  hp_gh A;
  hp_precond P;
  int64_t *singular;
};

static __device__ void set_up_precond(hp_team *t, const setup_args *a) {
  const int64_t bad = hp_krylov_precond_setup(t, &a->P, &a->A);
  if (t->rank == 0) *a->singular = bad;
}
HP_TEAM_KERNEL(setup_kernel, setup_args, set_up_precond(&t, &a))

enum { SETUP_BEGAN, SETUP_ENDED, SOLVE_BEGAN, SOLVE_ENDED /* of the device's marks */ };

struct solver {
  hp_linear_solver base;
  hp_device *D;
  hp_krylov_options opt;
  hp_own_choice choice;
  hp_precond P;            /* device pointers, as the other arrays */
  double *box;             /* its values; NULL: GH */
  hp_special *compiled;    /* NULL: the build's kernel */
  hp_execution *execution; /* of another matrix; NULL: in-kernel */
  double *small;           /* its gmres's */
  int64_t launches;        /* of the latest solve */
  hp_krylov_special special;
  double *work, *history; /* [vectors][stride], [max_iterations+1] */
  int64_t stride, *singular;
  hp_krylov_report *report;
};

static void destroy(hp_linear_solver **slot) {
  solver *K = (solver *)*slot;
  hp_execution_destroy(&K->execution);
  hp_special_destroy(&K->compiled);
  HP_DEVICE_FREE(K->D, K->small);
  HP_DEVICE_FREE(K->D, K->box);
  HP_DEVICE_FREE(K->D, K->work);
  HP_DEVICE_FREE(K->D, K->history);
  HP_DEVICE_FREE(K->D, K->singular);
  HP_DEVICE_FREE(K->D, K->report);
  hp_precond_device_free(K->D, &K->P);
  HP_FREE(*slot);
}

static hp_status set_up(hp_linear_solver *S, const hp_gh *A) {
  solver *K = (solver *)S;
  const setup_args a = {*A, K->P, K->singular};
  HP_TRY(hp_device_mark(K->D, SETUP_BEGAN));
  if (K->execution != NULL) HP_TRY(hp_execution_setup(K->execution, A));
  HP_TRY(hp_team_launch(K->D, (const void *)setup_kernel, &a, 0, "setting up the preconditioner"));
  return hp_device_mark(K->D, SETUP_ENDED);
}

static const void *kernel_of(const solver *K, const hp_gh *A) {
  if (K->box == NULL) return hp_reordered_kernel(K->opt.method, hp_solve_form(K->D, &K->opt, A));
  const void *special = K->compiled != NULL ? hp_special_kernel(K->compiled, K->D, A, HP_SOLVE_BOX) : NULL;
  return special != NULL ? special : hp_box_kernel();
}

static hp_status solve_in_kernel(solver *K, const hp_gh *A, const double *b, double *x, double *history,
                                 hp_krylov_report *report) {
  hp_solve_args a;
  memset(&a, 0, sizeof a);
  a.A = *A;
  if (K->box != NULL) a.A.h = K->box;
  a.P = K->P;
  a.S = hp_solve_of(&K->opt, K->work, K->stride, NULL, b, x);
  a.S.history = history;
  a.S.report = K->report;
  a.singular = K->singular;
  HP_TRY(hp_solve_launch(K->D, kernel_of(K, A), &a, false));
  return hp_device_download(K->D, report, K->report, sizeof *report);
}

static hp_status solve(hp_linear_solver *S, const hp_gh *A, const double *b, double *x, double *history,
                       hp_krylov_report *report) {
  solver *K = (solver *)S;
  double *recorded = history != NULL ? K->history : NULL;
  const int64_t before = K->execution != NULL ? hp_execution_launches(K->execution) : 0;
  HP_TRY(hp_device_mark(K->D, SOLVE_BEGAN));
  HP_TRY(K->execution != NULL ? hp_execution_solve(K->execution, A, b, x, recorded, report)
                              : solve_in_kernel(K, A, b, x, recorded, report));
  K->launches = K->execution != NULL ? hp_execution_launches(K->execution) - before : 1;
  HP_TRY(hp_device_mark(K->D, SOLVE_ENDED));
  if (history == NULL) return HP_OK;
  return hp_device_download(K->D, history, K->history, (report->iterations + 1) * (int64_t)sizeof *history);
}

static hp_status seconds(hp_linear_solver *S, double *setup, double *solved) {
  const solver *K = (const solver *)S;
  if (setup != NULL) HP_TRY(hp_device_elapsed(K->D, SETUP_BEGAN, SETUP_ENDED, setup));
  return solved != NULL ? hp_device_elapsed(K->D, SOLVE_BEGAN, SOLVE_ENDED, solved) : HP_OK;
}

static double set_tolerance(hp_linear_solver *S, double tolerance) {
  solver *K = (solver *)S;
  const double before = K->opt.tolerance;
  if (tolerance > 0.0) K->opt.tolerance = tolerance;
  if (K->execution != NULL) hp_execution_set_tolerance(K->execution, K->opt.tolerance);
  return before;
}

static void nothing(hp_linear_solver *S) { (void)S; }

static bool never(hp_linear_solver *S, const hp_krylov_report *report) {
  (void)S, (void)report;
  return false;
}

static hp_status report_on(hp_linear_solver *S, hp_linear_report *out) {
  const solver *K = (const solver *)S;
  memset(out, 0, sizeof *out);
  out->launches = K->launches;
  out->special = K->execution != NULL ? *hp_execution_special(K->execution) : K->special;
  hp_device_describe(K->D, out->where, sizeof out->where);
  return HP_OK;
}

static hp_linear_ops operations(void) {
  hp_linear_ops o = {};
  o.destroy = destroy;
  o.set_up = set_up;
  o.solve = solve;
  o.seconds = seconds;
  o.set_tolerance = set_tolerance;
  o.begin_step = o.rebuild = nothing;
  o.solved = never;
  o.report = report_on;
  return o;
}

static const hp_linear_ops gpu_ops = operations();

/* The box's kernel compiled for it, where the options or the tune file ask for that. Where there is none the build's solves, and the
 * note says why. */
static void specialise(solver *K, const hp_gh *A) {
  static const hp_precond_special source = {"bench/box/cuda/kernel.cuh", "hp_box_plain", NULL, ""};
  const hp_stencil_family family = hp_stencil_box_family_of(A);
  const bool tuned = hp_device_get_shape(K->D).compile != HP_COMPILE_BUILD;
  if (!K->opt.specialise && !tuned) return;
  if (hp_special_create_of(K->D, &family, &source, hp_bench_kernel_texts, &K->opt, &K->P, HP_SOLVE_BOX, &K->compiled) ==
      HP_OK)
    hp_special_describe(K->compiled, &K->special);
  else snprintf(K->special.note, sizeof K->special.note, "the solver's kernel is not specialised: %s", hp_fail_text());
}

/* The values of a box do not change as long as the solver lives. */
static hp_status create_box(solver *K, const hp_gh *A) {
  const hp_sparse *F = K->choice.product;
  if (hp_device_gpus(K->D) > 1) return hp_fail(HP_ERR_USAGE, "a box of 27 points is multiplied on one GPU");
  HP_TRY(HP_DEVICE_ALLOC(K->D, K->box, F->count));
  HP_TRY(hp_device_upload(K->D, K->box, F->value, F->count * (int64_t)sizeof *F->value));
  specialise(K, A);
  return HP_OK;
}

static hp_status create_execution(solver *K, const hp_gh *A) {
  const int64_t m = K->opt.restart;
  if (hp_device_gpus(K->D) > 1) return hp_fail(HP_ERR_USAGE, "a matrix that is not GH is multiplied on one GPU");
  HP_TRY(HP_DEVICE_ALLOC(K->D, K->small, (m + 1) * m + 4 * (m + 1)));
  const hp_exec_input in = {K->D, &K->opt, &K->P, K->work, K->stride, K->small, K->history, K->singular, K->report};
  HP_TRY(hp_execution_create(&in, A, &K->execution));
  return hp_execution_multiply_with(K->execution, K->choice.product);
}

/* Each vector is owned by rows. */
static hp_status create(solver *K, const hp_gh *A) {
  const hp_krylov_options *o = &K->opt;
  const int64_t planes = hp_krylov_vectors(o->method, o->restart) + (K->choice.reordered ? HP_REORDERED_VECTORS : 0);
  K->stride = hp_krylov_device_stride(A->n, hp_device_spreads(K->D));
  const int64_t real = (int64_t)sizeof *K->work, vector = K->stride * real;
  const hp_owned owned = {A->n, A->rows, real, vector, planes, 0};
  HP_TRY(hp_device_alloc_owned(K->D, (void **)&K->work, &owned, "the solver's vectors"));
  HP_TRY(HP_DEVICE_ALLOC(K->D, K->history, o->max_iterations + 1));
  HP_TRY(HP_DEVICE_ALLOC(K->D, K->singular, 1));
  HP_TRY(HP_DEVICE_ALLOC(K->D, K->report, 1));
  HP_TRY(hp_precond_device_create(K->D, A, o->preconditioner, o->ordering, o->precision, o->relaxation, true, &K->P));
  if (K->choice.product == NULL) return HP_OK;
  return hp_stencil_box_is(K->choice.product) ? create_box(K, A) : create_execution(K, A);
}

hp_status hp_own_device_create(const hp_linear_input *in, const hp_own_choice *choice, hp_linear_solver **out) {
  solver *K = NULL;
  HP_TRY(hp_alloc((void **)&K, 1, sizeof *K, "device solver"));
  K->base.ops = &gpu_ops;
  K->D = in->D;
  K->opt = in->options->krylov;
  K->choice = *choice;
  *out = &K->base;
  const hp_status s = create(K, in->A);
  if (s != HP_OK) hp_linear_destroy(out);
  return s;
}
