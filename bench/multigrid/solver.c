#include "bench/multigrid/solver.h"

#include "amg/cycle/numbers.inl.h"
#include "amg/cycle/program.h"
#include "bench/krylov/solver.h"
#include "bench/multigrid/device.h"
#include "bench/multigrid/stationary.inl.h"
#include "core/memory.h"

struct hp_amg_solver {
  hp_team_hub *hub;
  hp_amg_solver_options opt;
  hp_csr A;                 /* the caller's arrays */
  const hp_gh *G;           /* the caller's, or `shape` */
  hp_gh *shape;             /* without values, where products use csr */
  const hp_sparse *product; /* NULL: products with G */
  int32_t nwell;
  hp_amg *H;
  bool fresh; /* just built: the preconditioner's setup has nothing to do */
  hp_precond_external external;
  hp_linear_solver *K; /* NULL: stationary */
  hp_precond *P;       /* stationary */
  double *work;        /* stationary, [HP_STATIONARY_VECTORS][n] */
};

const char *hp_amg_device_solver_refusal(const hp_amg_solver_options *opt) {
  if (!opt->stationary && opt->method != HP_KRYLOV_BICGSTAB && opt->method != HP_KRYLOV_GMRES &&
      opt->method != HP_KRYLOV_CG)
    return "on a GPU multigrid preconditions bicgstab, gmres and cg";
  if (opt->matrix != HP_SPARSE_GH)
    return "on a GPU multigrid and the method around it are one kernel, which multiplies with the matrix stored as gh "
           "only";
  return hp_amg_refusal(&opt->amg, HP_SOLVER_GPU);
}

bool hp_amg_symmetric(const hp_amg_options *opt) {
  if (opt->smoother == HP_AMG_SPAI1 || opt->smoother == HP_AMG_SCHWARZ) return false;
  return opt->pre == opt->post && opt->cycle != HP_AMG_F;
}

static int64_t setup(hp_team *t, void *data, const hp_gh *A) {
  const hp_amg_solver *S = data;
  (void)A;
  if (!S->fresh) hp_amg_refresh(t, S->H);
  return -1;
}

static void apply(hp_team *t, const void *data, const hp_gh *A, const double *r, double *z) {
  (void)A;
  hp_amg_cycle(t, ((const hp_amg_solver *)data)->H, r, z);
}

static hp_krylov_options krylov_options(const hp_amg_solver_options *opt, const hp_precond_external *external) {
  const hp_krylov_options k = {.method = opt->method,
                               .preconditioner = HP_PRECOND_NONE,
                               .tolerance = opt->tolerance,
                               .max_iterations = opt->max_iterations,
                               .restart = opt->restart,
                               .matrix = opt->matrix,
                               .external = external};
  return k;
}

const char *hp_amg_solver_refusal(const hp_amg_solver_options *opt) {
  const hp_precond_external external = {.name = "multigrid", .symmetric = hp_amg_symmetric(&opt->amg)};
  hp_amg_solver_options o = *opt;
  const char *refusal = hp_amg_refusal(&opt->amg, HP_SOLVER_ANY);
  if (refusal != NULL) return refusal;
  if (o.stationary) o.method = HP_KRYLOV_BICGSTAB;
  const hp_krylov_options k = krylov_options(&o, &external);
  return hp_krylov_refusal(&k, NULL, HP_SOLVER_ANY);
}

static hp_status create_iteration(hp_amg_solver *S) {
  if (S->opt.stationary) {
    HP_TRY(HP_ALLOC(S->work, HP_STATIONARY_VECTORS * S->G->n));
    return hp_precond_create(S->G, HP_PRECOND_NONE, HP_ORDER_NATURAL, HP_PRECISION_DOUBLE, 0.0, &S->external, &S->P);
  }
  const hp_linear_options options = {.krylov = krylov_options(&S->opt, &S->external)};
  const hp_linear_input in = {.A = S->G, .options = &options, .hub = S->hub};
  const hp_own_choice own = {.product = S->product};
  return hp_own_is(&own) ? hp_own_create(&in, &own, &S->K) : hp_linear_create(&in, &S->K);
}

hp_status hp_amg_solver_create(hp_team_hub *hub, hp_sparse *A, const hp_gh *G, int32_t nwell,
                               const hp_amg_solver_options *opt, hp_amg_solver **out) {
  *out = NULL;
  const char *refusal = hp_amg_solver_refusal(opt);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "%s", refusal);
  if (A->kind != HP_SPARSE_CSR || nwell < 0 || nwell >= A->n || (G != NULL && (G->q != 1 || G->n != A->n)))
    return hp_fail(HP_ERR_INTERNAL, "multigrid: needs a scalar system as csr");
  if (opt->matrix != HP_SPARSE_GH && (G == NULL || opt->stationary))
    return hp_fail(HP_ERR_USAGE, "multigrid: products with %s are for a Krylov method and a matrix as gh",
                   hp_sparse_name(opt->matrix));
  hp_amg_solver *S = NULL;
  HP_TRY(HP_ALLOC(S, 1));
  S->hub = hub;
  S->opt = *opt;
  S->A.nrow = S->A.ncol = (int32_t)A->n;
  S->A.begin = (uint32_t *)A->begin;
  S->A.column = A->column;
  S->A.value = A->value;
  S->nwell = nwell;
  S->external.name = "multigrid";
  S->external.data = S;
  S->external.setup = setup;
  S->external.apply = apply;
  S->external.symmetric = hp_amg_symmetric(&opt->amg);
  hp_status s = HP_OK;
  if (G == NULL) {
    s = hp_gh_create_shape(1, 1, (int)A->n, 1, &S->shape);
    S->product = A;
  }
  S->G = G != NULL ? G : S->shape;
  if (s == HP_OK) s = hp_amg_create(&opt->amg, &S->H);
  if (s == HP_OK) s = create_iteration(S);
  if (s != HP_OK) hp_amg_solver_destroy(&S);
  *out = S;
  return s;
}

void hp_amg_solver_destroy(hp_amg_solver **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_linear_destroy(&(*slot)->K);
  hp_precond_destroy(&(*slot)->P);
  hp_amg_destroy(&(*slot)->H);
  hp_gh_destroy(&(*slot)->shape);
  HP_FREE((*slot)->work);
  HP_FREE(*slot);
}

static void setup_body(hp_team *t, void *arg) {
  hp_amg_solver *S = arg;
  (void)hp_krylov_precond_setup(t, S->P, S->G);
}

/* The setup of the iteration, which refreshes a hierarchy that is not fresh. */
static hp_status set_up(hp_amg_solver *S) {
  return S->K != NULL ? S->K->ops->set_up(S->K, S->G) : hp_team_run(S->hub, setup_body, S);
}

hp_status hp_amg_solver_build(hp_amg_solver *S) {
  HP_TRY(hp_amg_build(S->H, &S->A, S->nwell));
  S->fresh = true;
  return set_up(S);
}

hp_status hp_amg_solver_refresh(hp_amg_solver *S) {
  if (S->H->nlevel == 0) return hp_fail(HP_ERR_INTERNAL, "multigrid: refresh before build");
  S->fresh = false;
  return set_up(S);
}

typedef struct {
  hp_solve S;
} solve_args;

static void solve_body(hp_team *t, void *arg) { hp_stationary(t, &((const solve_args *)arg)->S); }

hp_status hp_amg_solver_solve(hp_amg_solver *S, const double *b, double *x, double *history, hp_krylov_report *report) {
  if (S->H->nlevel == 0) return hp_fail(HP_ERR_INTERNAL, "multigrid: solve before build");
  if (S->K != NULL) return S->K->ops->solve(S->K, S->G, b, x, history, report);
  const hp_krylov_options k = krylov_options(&S->opt, &S->external);
  solve_args a = {hp_solve_of(&k, S->work, S->G->n, NULL, b, x)};
  a.S.A = S->G;
  a.S.F = S->product;
  a.S.P = S->P;
  a.S.singular = -1;
  a.S.history = history;
  a.S.report = report;
  memset(report, 0, sizeof *report);
  return hp_team_run(S->hub, solve_body, &a);
}

typedef struct {
  const hp_amg *H;
  const double *b;
  double *x;
} cycle_args;

static void cycle_body(hp_team *t, void *arg) {
  const cycle_args *a = arg;
  hp_amg_cycle(t, a->H, a->b, a->x);
}

hp_status hp_amg_solver_cycle(hp_amg_solver *S, const double *b, double *x) {
  cycle_args a = {S->H, b, x};
  if (S->H->nlevel == 0) return hp_fail(HP_ERR_INTERNAL, "multigrid: a cycle before build");
  return hp_team_run(S->hub, cycle_body, &a);
}

const hp_amg *hp_amg_solver_hierarchy(const hp_amg_solver *S) { return S->H; }
