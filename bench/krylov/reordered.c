#include "bench/krylov/reordered.h"

#include <string.h>

#include "bench/krylov/reordered.inl.h"
#include "core/memory.h"
#include "core/profile.h"
#include "linsolve/krylov/device.h"
#include "linsolve/matrix/sparse_fill.inl.h"

typedef struct {
  hp_linear_solver base;
  hp_team_hub *hub;
  hp_krylov_options opt;
  hp_precond *P;
  hp_sparse *F; /* NULL: products with GH or opt.product */
  double *work; /* [vectors][stride] */
  int64_t stride, singular;
  double setup, solve; /* [s] */
} solver;

const char *hp_reordered_refusal(const hp_krylov_options *opt) {
  if (opt->method != HP_KRYLOV_BICGSTAB && opt->method != HP_KRYLOV_QMR)
    return "reordered synchronization is of bicgstab and qmr: the others have no work to put between the halves of a "
           "sum";
  if (opt->external != NULL || opt->specialise || opt->execution != HP_EXECUTION_IN_KERNEL)
    return "reordered synchronization is of the execution in-kernel, with the built-in preconditioners, not "
           "specialised";
  return NULL;
}

const char *hp_reordered_device_refusal(const hp_krylov_options *opt) {
  return opt->product != NULL ? "on a GPU reordered synchronization is of solves that multiply with gh" : NULL;
}

static void destroy(hp_linear_solver **slot) {
  solver *K = (solver *)*slot;
  hp_precond_destroy(&K->P);
  hp_sparse_destroy(&K->F);
  HP_FREE(K->work);
  HP_FREE(*slot);
}

typedef struct {
  solver *K;
  const hp_gh *A;
} setup_args;

static void setup_body(hp_team *t, void *arg) {
  const setup_args *a = arg;
  const int64_t bad = hp_krylov_precond_setup(t, a->K->P, a->A);
  if (t->rank == 0) a->K->singular = bad;
  if (a->K->F != NULL) hp_sparse_fill(t, a->K->F, a->A);
}

static hp_status set_up(hp_linear_solver *S, const hp_gh *A) {
  solver *K = (solver *)S;
  setup_args a = {K, A};
  const double began = hp_now();
  HP_TRY(hp_team_run(K->hub, setup_body, &a));
  K->setup = hp_now() - began;
  return HP_OK;
}

typedef struct {
  hp_krylov_method method;
  hp_solve S;
} solve_args;

static void solve_body(hp_team *t, void *arg) {
  const solve_args *a = arg;
  if (a->method == HP_KRYLOV_QMR) hp_reordered_qmr(t, &a->S);
  else hp_reordered_bicgstab(t, &a->S);
}

static hp_status solve(hp_linear_solver *S, const hp_gh *A, const double *b, double *x, double *history,
                       hp_krylov_report *report) {
  solver *K = (solver *)S;
  solve_args a = {K->opt.method, hp_solve_of(&K->opt, K->work, K->stride, NULL, b, x)};
  a.S.A = A;
  a.S.F = K->F != NULL ? K->F : K->opt.product;
  a.S.P = K->P;
  a.S.singular = K->singular;
  a.S.history = history;
  a.S.report = report;
  memset(report, 0, sizeof *report);
  const double began = hp_now();
  HP_TRY(hp_team_run(K->hub, solve_body, &a));
  K->solve = hp_now() - began;
  return HP_OK;
}

static hp_status seconds(hp_linear_solver *S, double *setup, double *solved) {
  const solver *K = (const solver *)S;
  if (setup != NULL) *setup = K->setup;
  if (solved != NULL) *solved = K->solve;
  return HP_OK;
}

static double set_tolerance(hp_linear_solver *S, double tolerance) {
  solver *K = (solver *)S;
  const double before = K->opt.tolerance;
  if (tolerance > 0.0) K->opt.tolerance = tolerance;
  return before;
}

static void nothing(hp_linear_solver *S) { (void)S; }

static bool never(hp_linear_solver *S, const hp_krylov_report *report) {
  (void)S, (void)report;
  return false;
}

static hp_status report_on(hp_linear_solver *S, hp_linear_report *out) {
  (void)S;
  *out = (hp_linear_report){.where = "CPU"};
  return HP_OK;
}

static const hp_linear_ops cpu_ops = {.destroy = destroy,
                                      .set_up = set_up,
                                      .solve = solve,
                                      .seconds = seconds,
                                      .set_tolerance = set_tolerance,
                                      .begin_step = nothing,
                                      .rebuild = nothing,
                                      .solved = never,
                                      .report = report_on};

static hp_status create(solver *K, const hp_gh *A) {
  const hp_krylov_options *o = &K->opt;
  K->stride = ((A->n + 7) / 8 | 1) * 8; /* see hp_krylov_create */
  K->singular = -1;
  HP_TRY(HP_ALLOC(K->work, (hp_krylov_vectors(o->method, o->restart) + HP_REORDERED_VECTORS) * K->stride));
  HP_TRY(hp_precond_create(A, o->preconditioner, o->ordering, o->precision, o->relaxation, NULL, &K->P));
  return o->matrix != HP_SPARSE_GH ? hp_sparse_create(A, NULL, o->matrix, &K->F) : HP_OK;
}

hp_status hp_reordered_create(const hp_linear_input *in, hp_linear_solver **out) {
  const hp_krylov_options *opt = &in->options->krylov;
  *out = NULL;
  const char *refusal = hp_krylov_refusal_for(opt, in->A);
  if (refusal == NULL) refusal = hp_reordered_refusal(opt);
  if (refusal == NULL) refusal = in->hub != NULL ? hp_krylov_host_refusal(opt) : hp_krylov_device_refusal(opt);
  if (refusal == NULL && in->hub == NULL) refusal = hp_reordered_device_refusal(opt);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "%s", refusal);
  if (in->hub == NULL) return hp_reordered_device_create(in, out);
  solver *K = NULL;
  HP_TRY(HP_ALLOC(K, 1));
  K->base.ops = &cpu_ops;
  K->hub = in->hub;
  K->opt = *opt;
  *out = &K->base;
  const hp_status s = create(K, in->A);
  if (s != HP_OK) hp_linear_destroy(out);
  return s;
}
