#include "linsolve/krylov/krylov.h"

#include <string.h>

#include "core/memory.h"
#include "core/show.h"
#include "core/team/barrier.h"
#include "linsolve/krylov/methods.inl.h"
#include "linsolve/matrix/sparse_fill.inl.h"

struct hp_krylov {
  hp_team_hub *hub;
  hp_krylov_options opt;
  hp_precond *P;
  hp_sparse *F; /* NULL: products with GH */
  int nx, ny, nz, q;
  int64_t n, nperf; /* with the numbers above: the matrices that the storage is for */
  double *work;     /* [vectors][stride] */
  int64_t vectors, stride;
  double *small; /* GMRES */
  int64_t small_count;
  int64_t singular; /* singular cell of the latest setup, -1: none */
  bool ready;       /* there was a setup */
};

/* ---- names ---- */

#define TEXT_OF(name, text, ...) text,
static const char *const method_names[] = {HP_KRYLOV_LIST(TEXT_OF)};
static const char *const reason_texts[] = {HP_KRYLOV_REASON_LIST(TEXT_OF)};
static const char *const execution_names[] = {HP_EXECUTION_LIST(TEXT_OF)};
#undef TEXT_OF
HP_WORD_OF(hp_krylov_method_name, hp_krylov_method, method_names)
HP_WORD_FIND(hp_krylov_method_find, hp_krylov_method, method_names)
HP_WORD_OF(hp_krylov_reason_text, hp_krylov_reason, reason_texts)
HP_WORD_OF(hp_execution_name, hp_execution_kind, execution_names)

/* ---- what goes together ---- */

hp_choices hp_krylov_choices(const hp_krylov_options *opt, hp_solver_place place) {
  static const char *const externals[] = {"external", "symmetric external"};
  return (hp_choices){
      .of = {[HP_CHOICE_PLACE] = hp_solver_place_words(place),
             [HP_CHOICE_METHOD] = hp_krylov_method_name(opt->method),
             [HP_CHOICE_PRECONDITIONER] = opt->external == NULL ? hp_precond_name(opt->preconditioner)
                                                                : externals[opt->external->symmetric],
             [HP_CHOICE_ORDERING] = hp_ordering_name(opt->ordering),
             [HP_CHOICE_RELAXATION] = opt->relaxation > 0.0 ? "above 0" : "0",
             [HP_CHOICE_PRECISION] = hp_precision_name(opt->precision),
             [HP_CHOICE_MATRIX] = hp_sparse_name(opt->matrix),
             [HP_CHOICE_EXECUTION] = hp_execution_name(opt->execution),
             [HP_CHOICE_SPECIALISE] = opt->specialise ? "true" : "false",
             [HP_CHOICE_BARRIER] = opt->barrier > 0 ? hp_barrier_name((hp_barrier_kind)(opt->barrier - 1)) : "auto",
             [HP_CHOICE_EXCHANGE] = hp_transport_name(opt->exchange)}};
}

static const char *options_refusal(const hp_krylov_options *opt) {
  if ((unsigned)opt->method >= HP_KRYLOV_COUNT) return "unknown Krylov method";
  if ((unsigned)opt->preconditioner >= HP_PRECOND_COUNT) return "unknown preconditioner";
  if ((unsigned)opt->ordering >= HP_ORDER_COUNT) return "unknown ordering";
  if ((unsigned)opt->precision >= HP_PRECISION_COUNT) return "unknown precision";
  if ((unsigned)opt->matrix >= HP_SPARSE_COUNT) return "unknown storage format of the matrix";
  if ((unsigned)opt->execution >= HP_EXECUTION_COUNT) return "unknown execution";
  if (opt->external != NULL && opt->preconditioner != HP_PRECOND_NONE)
    return "an external preconditioner replaces the built-in ones: choose none of these";
  if (!(opt->relaxation >= 0.0 && opt->relaxation <= 1.0)) return "the relaxation must be between 0 and 1";
  if (!(opt->tolerance > 0.0)) return "the tolerance of the linear solve must be positive";
  if (opt->max_iterations < 1) return "the linear solve needs at least one iteration";
  if (opt->method == HP_KRYLOV_GMRES && (opt->restart < 1 || opt->restart > 1000))
    return "the restart length of gmres must be 1 to 1000";
  return NULL;
}

/* Of a preconditioner that has no kernels, or none for the execution. */
static const char *external_refusal(const hp_krylov_options *opt) {
  const hp_precond_external *external = opt->external;
  const bool listed = opt->execution == HP_EXECUTION_PER_OPERATION || opt->execution == HP_EXECUTION_GRAPH;
  if (external == NULL) return NULL;
  if (external->device == NULL) return "this preconditioner runs on the CPU only";
  if (opt->execution == HP_EXECUTION_IN_KERNEL || (listed && external->device->enqueue != NULL)) return NULL;
  return "this preconditioner runs inside a solve's kernel only: use linear.execution = \"in-kernel\"";
}

const char *hp_krylov_refusal(const hp_krylov_options *opt, const hp_gh *A, hp_solver_place place) {
  const bool on_gpu = place == HP_SOLVER_GPU || place == HP_SOLVER_GPUS || place == HP_SOLVER_GPU_RANKS;
  const char *refusal = options_refusal(opt);
  if (refusal == NULL && on_gpu) refusal = external_refusal(opt);
  if (refusal != NULL) return refusal;
  hp_choices choices = hp_krylov_choices(opt, place);
  if (A != NULL) choices.of[HP_CHOICE_SYSTEM] = A->q > 1 ? "several unknowns a cell" : "one unknown a cell";
  return hp_combination_refusal(&choices);
}

/* ---- storage ---- */

int64_t hp_krylov_vectors(hp_krylov_method method, int restart) {
  const int64_t m = restart;
  switch (method) {
#define HP_KRYLOV_VECTORS(name, text, f, vectors) \
  case HP_KRYLOV_##name: return vectors;
    HP_KRYLOV_LIST(HP_KRYLOV_VECTORS)
#undef HP_KRYLOV_VECTORS
    case HP_KRYLOV_COUNT: break;
  }
  return m;
}

int64_t hp_krylov_stride(int64_t n) { return ((n + 7) / 8 | 1) * 8; }

hp_status hp_krylov_create(hp_team_hub *hub, const hp_gh *A, const hp_krylov_options *opt, hp_krylov **out) {
  *out = NULL;
  const char *refusal = hp_krylov_refusal(opt, A, HP_SOLVER_CPU);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "%s", refusal);
  hp_krylov *K = NULL;
  HP_TRY(HP_ALLOC(K, 1));
  K->hub = hub;
  K->opt = *opt;
  K->nx = A->nx;
  K->ny = A->ny;
  K->nz = A->nz;
  K->q = A->q;
  K->n = A->n;
  K->nperf = A->wells.nperf;
  K->singular = -1;
  K->stride = hp_krylov_stride(A->n);
  K->vectors = hp_krylov_vectors(opt->method, opt->restart);
  const int64_t m = opt->restart;
  K->small_count = opt->method == HP_KRYLOV_GMRES ? (m + 1) * m + 4 * (m + 1) : 0;
  hp_status s = HP_ALLOC(K->work, K->vectors * K->stride);
  if (s == HP_OK) s = HP_ALLOC(K->small, K->small_count);
  if (s == HP_OK)
    s = hp_precond_create(A, opt->preconditioner, opt->ordering, opt->precision, opt->relaxation, opt->external, &K->P);
  if (s == HP_OK && opt->matrix != HP_SPARSE_GH) s = hp_sparse_create(A, NULL, opt->matrix, &K->F);
  if (s != HP_OK) hp_krylov_destroy(&K);
  *out = K;
  return s;
}

void hp_krylov_destroy(hp_krylov **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_precond_destroy(&(*slot)->P);
  hp_sparse_destroy(&(*slot)->F);
  HP_FREE((*slot)->work);
  HP_FREE((*slot)->small);
  HP_FREE(*slot);
}

static hp_status check_shape(const hp_krylov *K, const hp_gh *A) {
  if (A->nx == K->nx && A->ny == K->ny && A->nz == K->nz && A->q == K->q && A->n == K->n && A->wells.nperf == K->nperf)
    return HP_OK;
  return hp_fail(HP_ERR_INTERNAL, "linear solver: made for another shape of matrix or other wells");
}

/* ---- setup and solve ---- */

typedef struct {
  hp_krylov *K;
  const hp_gh *A;
} setup_args;

static void setup_body(hp_team *t, void *p) {
  const setup_args *a = p;
  const int64_t bad = hp_krylov_precond_setup(t, a->K->P, a->A);
  if (t->rank == 0) a->K->singular = bad;
  if (a->K->F != NULL) hp_sparse_fill(t, a->K->F, a->A);
}

hp_status hp_krylov_setup(hp_krylov *K, const hp_gh *A) {
  HP_TRY(check_shape(K, A));
  setup_args a = {K, A};
  K->ready = false;
  HP_TRY(hp_team_run(K->hub, setup_body, &a));
  K->ready = true;
  return HP_OK;
}

typedef struct {
  hp_krylov_method method;
  hp_solve S;
} solve_args;

static void solve_body(hp_team *t, void *p) {
  const solve_args *a = p;
  hp_krylov_run(t, a->method, &a->S);
}

hp_status hp_krylov_solve(hp_krylov *K, const hp_gh *A, const double *b, double *x, double *history,
                          hp_krylov_report *report) {
  HP_TRY(check_shape(K, A));
  if (!K->ready) return hp_fail(HP_ERR_INTERNAL, "linear solver: solve before setup");
  solve_args a;
  a.method = K->opt.method;
  a.S = hp_solve_of(&K->opt, K->work, K->stride, K->small, b, x);
  a.S.A = A;
  a.S.F = K->F;
  a.S.P = K->P;
  a.S.singular = K->singular;
  a.S.history = history;
  a.S.report = report;
  memset(report, 0, sizeof *report);
  return hp_team_run(K->hub, solve_body, &a);
}

double hp_krylov_set_tolerance(hp_krylov *K, double tolerance) {
  const double before = K->opt.tolerance;
  if (tolerance > 0.0) K->opt.tolerance = tolerance;
  return before;
}

const hp_precond *hp_krylov_precond(const hp_krylov *K) { return K->P; }

int64_t hp_krylov_bytes(const hp_krylov *K) {
  const int64_t matrix = K->F != NULL ? hp_sparse_held(K->F) : 0;
  return (K->vectors * K->stride + K->small_count) * (int64_t)sizeof(double) + K->P->bytes + matrix;
}
