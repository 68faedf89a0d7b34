#include "bench/krylov/solver.h"

#include <string.h>

#include "bench/krylov/reordered.inl.h"
#include "core/memory.h"
#include "core/profile.h"
#include "linsolve/krylov/device.h"
#include "linsolve/krylov/methods.inl.h"
#include "linsolve/matrix/sparse_fill.inl.h"

typedef struct {
  hp_linear_solver base;
  hp_team_hub *hub;
  hp_krylov_options opt;
  hp_own_choice choice;
  hp_precond *P;
  hp_sparse *F;  /* NULL: products with GH or choice.product */
  double *work;  /* [vectors][stride] */
  double *small; /* gmres */
  int64_t stride, singular;
  double setup, solve; /* [s] */
} solver;

/* ---- what goes together ---- */

static const char *box_on_gpu_refusal(const hp_krylov_options *opt) {
  if (opt->execution != HP_EXECUTION_IN_KERNEL)
    return "a box of 27 points is multiplied inside the solve's kernel: the other executions have it as csr, bsr, sell "
           "or hyb";
  if (opt->external != NULL) return "on a GPU solves with a box of 27 points have no preconditioner";
  return opt->method != HP_KRYLOV_BICGSTAB ? "on a GPU bicgstab alone has a kernel for boxes of 27 points" : NULL;
}

static const char *on_gpu_refusal(const hp_krylov_options *opt, const hp_sparse *F) {
  if (hp_stencil_box_is(F)) return box_on_gpu_refusal(opt);
  if (opt->execution != HP_EXECUTION_PER_OPERATION && opt->execution != HP_EXECUTION_GRAPH)
    return "a matrix that is not GH is multiplied by kernels of their own, which the executions per-operation and "
           "graph "
           "have";
  if (opt->execution == HP_EXECUTION_GRAPH && (F->kind == HP_SPARSE_CSR || F->kind == HP_SPARSE_SELL))
    return "csr and sell are multiplied by cuSPARSE, which the execution graph has no part of: use per-operation";
  return opt->external != NULL ? "on a GPU solves with a matrix that is not GH have no preconditioner" : NULL;
}

/* Preconditioners of HP_PRECOND_LIST and the transposed product read GH. */
static const char *product_refusal(const hp_krylov_options *opt, const hp_sparse *F, const hp_gh *A, bool on_gpu) {
  const hp_sparse_kind kind = F->kind;
  const bool plain = kind == HP_SPARSE_CSR || kind == HP_SPARSE_BSR || kind == HP_SPARSE_SELL || kind == HP_SPARSE_HYB;
  const bool box = hp_stencil_box_is(F);
  if ((!plain && F->other == NULL && !box) || opt->matrix != HP_SPARSE_GH)
    return "a matrix that is not GH is multiplied as csr, bsr, sell or hyb, a GH-h matrix in its forms only, a box as "
           "sg-dia";
  if (opt->external == NULL && opt->preconditioner != HP_PRECOND_NONE)
    return "the built-in preconditioners read GH: for another matrix choose none, or an external one";
  if (opt->method == HP_KRYLOV_QMR) return "qmr needs the transposed product, which only GH has";
  if (opt->method == HP_KRYLOV_CG && kind != HP_SPARSE_CSR && !(kind == HP_SPARSE_BSR && F->q == 1))
    return "cg looks whether a matrix is symmetric, which it can see of GH, csr and bsr of q = 1 only";
  if (box && (F->ncell != A->ncell || F->q != A->q || F->n != A->n || hp_gh_is_linked(A)))
    return "a box of 27 points needs the GH matrix of its cells, whose wells it has, without connections";
  if (!box && (F->n != A->n || A->q != 1 || A->wells.nwell > 0))
    return "a matrix that is not GH needs a shape of as many cells as it has rows, one unknown each, without wells";
  return on_gpu ? on_gpu_refusal(opt, F) : NULL;
}

static const char *reordered_refusal(const hp_krylov_options *opt, const hp_sparse *F, bool on_gpu) {
  if (opt->method != HP_KRYLOV_BICGSTAB && opt->method != HP_KRYLOV_QMR)
    return "reordered synchronization is of bicgstab and qmr: the others have no work to put between the halves of a "
           "sum";
  if (opt->external != NULL || opt->specialise || opt->execution != HP_EXECUTION_IN_KERNEL)
    return "reordered synchronization is of the execution in-kernel, with the built-in preconditioners, not "
           "specialised";
  return on_gpu && F != NULL ? "on a GPU reordered synchronization is of solves that multiply with gh" : NULL;
}

const char *hp_own_refusal(const hp_krylov_options *opt, const hp_own_choice *choice, const hp_gh *A, bool on_gpu) {
  const char *refusal = choice->reordered ? reordered_refusal(opt, choice->product, on_gpu) : NULL;
  return refusal == NULL && choice->product != NULL ? product_refusal(opt, choice->product, A, on_gpu) : refusal;
}

/* ---- on a team ---- */

static void destroy(hp_linear_solver **slot) {
  solver *K = (solver *)*slot;
  hp_precond_destroy(&K->P);
  hp_sparse_destroy(&K->F);
  HP_FREE(K->work);
  HP_FREE(K->small);
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
  bool reordered;
  hp_solve S;
} solve_args;

static void solve_body(hp_team *t, void *arg) {
  const solve_args *a = arg;
  if (!a->reordered) hp_krylov_run(t, a->method, &a->S);
  else if (a->method == HP_KRYLOV_QMR) hp_reordered_qmr(t, &a->S);
  else hp_reordered_bicgstab(t, &a->S);
}

static hp_status solve(hp_linear_solver *S, const hp_gh *A, const double *b, double *x, double *history,
                       hp_krylov_report *report) {
  solver *K = (solver *)S;
  solve_args a = {K->opt.method, K->choice.reordered, hp_solve_of(&K->opt, K->work, K->stride, K->small, b, x)};
  a.S.A = A;
  a.S.F = K->F != NULL ? K->F : K->choice.product;
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
  const int64_t m = o->restart, small = o->method == HP_KRYLOV_GMRES ? (m + 1) * m + 4 * (m + 1) : 0;
  const int64_t more = K->choice.reordered ? HP_REORDERED_VECTORS : 0;
  K->stride = hp_krylov_stride(A->n);
  K->singular = -1;
  HP_TRY(HP_ALLOC(K->work, (hp_krylov_vectors(o->method, o->restart) + more) * K->stride));
  HP_TRY(HP_ALLOC(K->small, small));
  HP_TRY(hp_precond_create(A, o->preconditioner, o->ordering, o->precision, o->relaxation, o->external, &K->P));
  return o->matrix != HP_SPARSE_GH ? hp_sparse_create(A, NULL, o->matrix, &K->F) : HP_OK;
}

hp_status hp_own_create(const hp_linear_input *in, const hp_own_choice *choice, hp_linear_solver **out) {
  const hp_krylov_options *opt = &in->options->krylov;
  const bool on_gpu = in->hub == NULL;
  *out = NULL;
  const char *refusal = hp_krylov_refusal(opt, in->A, on_gpu ? HP_SOLVER_GPU : HP_SOLVER_CPU);
  if (refusal == NULL) refusal = hp_own_refusal(opt, choice, in->A, on_gpu);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "%s", refusal);
  if (on_gpu) return hp_own_device_create(in, choice, out);
  solver *K = NULL;
  HP_TRY(HP_ALLOC(K, 1));
  K->base.ops = &cpu_ops;
  K->hub = in->hub;
  K->opt = *opt;
  K->choice = *choice;
  *out = &K->base;
  const hp_status s = create(K, in->A);
  if (s != HP_OK) hp_linear_destroy(out);
  return s;
}
