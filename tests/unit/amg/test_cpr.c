/* CPR's pressure system by hand: weights, wells' rows and columns, cells that are left out; what is refused; rows of a
 * Jacobian whose sum is free of the saturation's accumulation. */
#include "amg/cpr/cpr.inl.h"
#include "amg/cpr/device.h"
#include "bench/generators/pressure.h"
#include "core/memory.h"
#include "sim/linear/linear.h"
#include "sim/newton/newton.h"
#include "sim/run/run.h"
#include "tests/support/amg_matrices.h"
#include "tests/support/matrices.h"
#include "tests/support/steps.h"

static double entry(const hp_csr *A, int32_t i, int32_t j) {
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    if (A->column[k] == j) return A->value[k];
  return 0.0;
}

static void check_rises(const hp_csr *A) {
  for (int32_t i = 0; i < A->nrow; ++i)
    for (int64_t k = A->begin[i] + 1; k < A->begin[i + 1]; ++k) CHECK(A->column[k - 1] < A->column[k]);
}

typedef struct {
  hp_cpr *C;
  const hp_gh *A;
} made;

static void make(hp_team *t, void *arg) {
  const made *m = arg;
  CHECK(hp_cpr_setup(t, m->C, m->A) == -1);
}

static void set_up(hp_team_hub *hub, const hp_gh *A, hp_cpr_weights weights, hp_cpr **C) {
  hp_cpr_options opt = hp_cpr_default_options();
  opt.weights = weights;
  CHECK_OK(hp_cpr_create(A, &opt, C));
  made m = {*C, A};
  CHECK_OK(hp_team_run(hub, make, &m));
  CHECK_OK(hp_cpr_status(*C));
  cpr_check_sources(*C, A);
}

/* A 4 x 3 x 2 grid whose cell 7 is inactive. */
static hp_gh *small_matrix(void) {
  hp_gh *A;
  CHECK_OK(matrix_flow(4, 3, 2, 2, 1.0, 1e-3, 5, &A));
  for (int u = -3; u <= 3; ++u)
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) {
        *hp_gh_entry(A, 7, u, a, b) = u == 0 && a == b ? 1.0 : 0.0;
        if (u != 0 && matrix_has(A, 7, u)) *hp_gh_entry(A, 7 + hp_gh_offset(A, u), -u, a, b) = 0.0;
      }
  return A;
}

static bool is_perforated(const hp_gh *A, int64_t m) {
  for (int r = 0; r < A->wells.nrun; ++r)
    if (m >= A->wells.b[r] && m < A->wells.b[r] + A->wells.c[r]) return true;
  return false;
}

static void check_wells(const hp_cpr *C, const hp_gh *A, double other_row) {
  const hp_gh_wells *W = &A->wells;
  for (int w = 0; w < W->nwell; ++w) CHECK(entry(C->Ap, C->ncp + w, C->ncp + w) == W->dd[w]);
  for (int r = 0; r < W->nrun; ++r)
    for (int n = 0; n < W->c[r]; ++n) {
      const int32_t i = C->number[W->b[r] + n], w = C->ncp + W->of[r];
      const double *wt = W->wt + 2 * (W->a[r] + n);
      CHECK_NEAR(entry(C->Ap, i, w), wt[0] + other_row * wt[1], 1e-14);
      CHECK(entry(C->Ap, w, i) == W->w[2 * (W->a[r] + n)]);
    }
}

static void check_sums(hp_team_hub *hub) {
  hp_gh *A = small_matrix();
  hp_cpr *C = NULL;
  CHECK(!is_perforated(A, 7));
  set_up(hub, A, HP_CPR_TRUE_IMPES, &C);
  check_rises(C->Ap);
  CHECK(C->ncp == 23 && C->number[7] == -1 && C->Ap->nrow == 25);
  for (int64_t m = 0; m < A->ncell; ++m)
    for (int u = -3; u <= 3; ++u) {
      if (m == 7 || !matrix_has(A, m, u) || C->number[m + hp_gh_offset(A, u)] < 0) continue;
      const double sum = *hp_gh_entry(A, m, u, 0, 0) + *hp_gh_entry(A, m, u, 1, 0);
      CHECK_NEAR(entry(C->Ap, C->number[m], C->number[m + hp_gh_offset(A, u)]), sum, 1e-14);
    }
  check_wells(C, A, 1.0);
  hp_cpr_destroy(&C);
  hp_gh_destroy(&A);
}

/* Quasi-IMPES: the weighted diagonal block has nothing left in its saturation column. */
static void check_quasi(hp_team_hub *hub) {
  hp_gh *A = small_matrix();
  hp_cpr *C = NULL;
  set_up(hub, A, HP_CPR_QUASI_IMPES, &C);
  for (int64_t m = 0; m < A->ncell; ++m) {
    const double *w = C->weight + 2 * m;
    CHECK_NEAR(w[0] * *hp_gh_entry(A, m, 0, 0, 1) + w[1] * *hp_gh_entry(A, m, 0, 1, 1), 0.0, 1e-14);
    CHECK(fmax(fabs(w[0]), fabs(w[1])) == 1.0);
    CHECK(w[0] * *hp_gh_entry(A, m, 0, 0, 0) + w[1] * *hp_gh_entry(A, m, 0, 1, 0) > 0.0);
  }
  hp_cpr_destroy(&C);
  hp_gh_destroy(&A);
}

/* Dynamic row sum: cell 2's second row loses its dominance, cell 4's second unknown its hold on the first row. */
static void check_guards(hp_team_hub *hub) {
  hp_gh *A = small_matrix();
  hp_cpr *C = NULL;
  double others = 0.0;
  for (int u = -3; u <= 3; ++u) {
    others += u != 0 ? fabs(*hp_gh_entry(A, 2, u, 1, 0)) : 0.0;
    *hp_gh_entry(A, 4, u, 0, 1) = u == 0 ? 0.019 * *hp_gh_entry(A, 4, 0, 0, 0) : 0.0;
  }
  *hp_gh_entry(A, 2, 0, 1, 0) = 0.199 * others;
  set_up(hub, A, HP_CPR_ROW_SUM, &C);
  for (int64_t m = 0; m < A->ncell; ++m) {
    CHECK(C->weight[2 * m] == 1.0);
    CHECK(C->weight[2 * m + 1] == (m == 2 || m == 4 || m == 7 ? 0.0 : 1.0));
  }
  CHECK(entry(C->Ap, C->number[2], C->number[2]) == *hp_gh_entry(A, 2, 0, 0, 0));
  hp_cpr_destroy(&C);
  *hp_gh_entry(A, 2, 0, 1, 0) = 0.201 * others;
  *hp_gh_entry(A, 4, 0, 0, 1) = 0.021 * *hp_gh_entry(A, 4, 0, 0, 0);
  *hp_gh_entry(A, 5, 0, 0, 0) = *hp_gh_entry(A, 5, 0, 1, 0) = 1e-9; /* no row is left: all */
  set_up(hub, A, HP_CPR_ROW_SUM, &C);
  CHECK(C->weight[5] == 1.0 && C->weight[9] == 1.0 && C->weight[10] == 1.0 && C->weight[11] == 1.0);
  hp_cpr_destroy(&C);
  hp_gh_destroy(&A);
}

/* A perforated cell's row of P falls short of one: the well takes part in its sum. */
static bool is_perforated_row(const hp_cpr *C, int32_t i) { return C->Ap->column[C->Ap->begin[i + 1] - 1] >= C->ncp; }

/* Interpolation is made from the couplings alone: systems that differ in their accumulation have the same. */
static void check_interpolation(hp_team_hub *hub) {
  const double storage[] = {1e-6, 1e6};
  hp_cpr *C[2] = {NULL, NULL};
  for (int n = 0; n < 2; ++n) {
    hp_gh *A;
    CHECK_OK(matrix_flow(8, 7, 4, 2, 3.0, storage[n], 11, &A));
    set_up(hub, A, HP_CPR_TRUE_IMPES, &C[n]);
    CHECK(entry(C[n]->Ap, 0, 0) == *hp_gh_entry(A, 0, 0, 0, 0) + *hp_gh_entry(A, 0, 0, 1, 0));
    hp_gh_destroy(&A);
  }
  const hp_csr *P = C[0]->H->level[0].P, *Q = C[1]->H->level[0].P;
  CHECK(C[0]->H->nlevel == C[1]->H->nlevel && P != NULL && P->ncol == Q->ncol);
  for (int32_t i = 0; i < C[0]->ncp && P->ncol == Q->ncol; ++i) {
    double sum = 0.0;
    CHECK(P->begin[i + 1] == Q->begin[i + 1]);
    for (int64_t k = P->begin[i]; k < P->begin[i + 1]; ++k) {
      CHECK(P->column[k] == Q->column[k]);
      CHECK_NEAR(P->value[k], Q->value[k], 1e-6);
      sum += P->value[k];
    }
    if (!is_perforated_row(C[0], i)) CHECK_NEAR(sum, 1.0, 1e-9);
  }
  hp_cpr_destroy(&C[0]);
  hp_cpr_destroy(&C[1]);
}

static hp_krylov_report solve_of(hp_krylov_reason reason, int iterations) {
  const hp_krylov_report r = {.reason = reason, .iterations = iterations};
  return r;
}

/* Numbers are those of the step's first system, with refresh = solve of the latest of the first four, until a solve goes badly. */
static void check_refresh(hp_team_hub *hub) {
  for (int each = 0; each < 2; ++each) {
    hp_cpr_options opt = hp_cpr_default_options();
    hp_gh *A = small_matrix();
    hp_cpr *C;
    if (each) opt.refresh = HP_CPR_BY_SOLVE;
    CHECK_OK(hp_cpr_create(A, &opt, &C));
    made m = {C, A};
    const hp_krylov_report good = solve_of(HP_KRYLOV_CONVERGED, 8), slow = solve_of(HP_KRYLOV_CONVERGED, 9);
    const hp_krylov_report first = solve_of(HP_KRYLOV_CONVERGED, 3), bad = solve_of(HP_KRYLOV_MAX_ITERATIONS, 5);
    const hp_krylov_report after[] = {first, good, slow, first, bad, bad, first};
    /* of: the first system; two after good solves; after the slow one; kept; after the bad one; kept */
    const bool fresh[] = {true, each, each, true, false, true, false};
    double was = 0.0;
    for (int n = 0; n < 7; ++n) {
      *hp_gh_entry(A, 3, 0, 0, 0) += 1.0;
      CHECK_OK(hp_team_run(hub, make, &m));
      const double now = entry(C->Ap, C->number[3], C->number[3]);
      CHECK_NEAR(now, fresh[n] ? *hp_gh_entry(A, 3, 0, 0, 0) + *hp_gh_entry(A, 3, 0, 1, 0) : was, 1e-14);
      CHECK(hp_cpr_solved(C, &after[n]) == (n == 4));
      was = now;
    }
    hp_cpr_begin_step(C);
    CHECK_OK(hp_team_run(hub, make, &m));
    CHECK(entry(C->Ap, C->number[3], C->number[3]) > was);
    CHECK(hp_cpr_get_state(C).counts.builds == 1 && hp_cpr_get_state(C).counts.refreshes == (each ? 5 : 3));
    hp_cpr_destroy(&C);
    hp_gh_destroy(&A);
  }
}

static void check_refusals(void) {
  hp_cpr_options opt = hp_cpr_default_options();
  CHECK(hp_cpr_refusal(&opt, NULL, HP_SOLVER_ANY) == NULL);
  opt.weights = HP_CPR_WEIGHTS_COUNT;
  CHECK(hp_cpr_refusal(&opt, NULL, HP_SOLVER_ANY) != NULL);
  opt = hp_cpr_default_options();
  opt.amg.pre = opt.amg.post = 0;
  CHECK(hp_cpr_refusal(&opt, NULL, HP_SOLVER_ANY) != NULL);
  hp_gh *A = small_matrix();
  hp_cpr *C;
  CHECK(hp_cpr_create(A, &opt, &C) == HP_ERR_USAGE && C == NULL);
  hp_gh_destroy(&A);
}

/* A deck that says no more than "cpr" has the library's defaults. */
static void check_defaults(const hp_case *c) {
  hp_linear_options solver;
  CHECK(hp_backend_linear(HP_BACKEND_CPU, c, &solver) == NULL && solver.uses_cpr);
  const hp_cpr_options *deck = &solver.cpr, own = hp_cpr_default_options();
  const hp_amg_options *m = &deck->amg, *n = &own.amg;
  CHECK(deck->weights == own.weights && deck->rebuild == own.rebuild && deck->refresh == own.refresh &&
        deck->ordering == own.ordering);
  CHECK(deck->precision == own.precision && m->precision == n->precision && m->slice == n->slice);
  CHECK(m->block == n->block && m->order == n->order && m->domain == n->domain && m->domains == n->domains);
  CHECK(deck->relaxation == own.relaxation && m->coarsening == n->coarsening && m->interpolation == n->interpolation);
  CHECK(m->smoother == n->smoother && m->cycle == n->cycle && m->strength == n->strength);
  CHECK(m->truncation == n->truncation && m->max_weights == n->max_weights && fabs(m->damping - n->damping) < 1e-15);
  CHECK(m->pre == n->pre && m->post == n->post && m->coarsest == n->coarsest && m->max_levels == n->max_levels);
  CHECK(m->seed == n->seed && m->format == n->format && n->format == HP_AMG_FORMAT_AUTO);
}

/* The defaults of a deck that does not mention it. */
static void check_default_refresh(void) {
  static const char *const large = "grid.size=[50, 50, 20]", *const small = "grid.size=[25, 33, 3]";
  static const struct {
    const char *size, *option;
    hp_cpr_refresh_when cpu, gpu;
  } want[] = {{small, "linear.method=bicgstab", HP_CPR_BY_STEP, HP_CPR_BY_STEP},
              {large, "linear.method=bicgstab", HP_CPR_BY_STEP, HP_CPR_BY_SOLVE},
              {small, "linear.ordering=red-black", HP_CPR_BY_STEP, HP_CPR_BY_STEP},
              {large, "linear.ordering=red-black", HP_CPR_BY_SOLVE, HP_CPR_BY_SOLVE},
              {small, "linear.cpr.refresh=solve", HP_CPR_BY_SOLVE, HP_CPR_BY_SOLVE}};
  for (size_t n = 0; n < sizeof want / sizeof *want; ++n) {
    const char *const set[] = {want[n].size, want[n].option, "linear.preconditioner=cpr"};
    hp_case *c = steps_deck("schedule.cfg", 3, set);
    hp_linear_options solver;
    CHECK(hp_backend_linear(HP_BACKEND_CPU, c, &solver) == NULL && solver.cpr.refresh == want[n].cpu);
    CHECK(hp_backend_linear(HP_BACKEND_CUDA, c, &solver) == NULL && solver.cpr.refresh == want[n].gpu);
    hp_case_destroy(&c);
  }
}

/* How a GPU's second stage eliminates: bricks from 20,000 cells on; and the places for its blocks in the estimate of
 * memory, a line of cells for each of a warp's 32 lanes. */
static void check_device_ordering(void) {
  static const struct {
    const char *size, *option;
    hp_ordering ordering;
    int64_t places;
  } want[] = {{"grid.size=[50, 50, 20]", NULL, HP_ORDER_BRICKS, 2 * 7 * 13 * 10 * 32},
              {"grid.size=[49, 51, 8]", NULL, HP_ORDER_RED_BLACK, 49 * 51 * 8},
              {"grid.size=[50, 50, 21]", "linear.ordering=red-black", HP_ORDER_RED_BLACK, 50 * 50 * 22},
              {"grid.size=[50, 50, 20]", "linear.preconditioner=dilu", HP_ORDER_RED_BLACK, 50 * 50 * 20},
              {"grid.size=[25, 33, 3]", "linear.ordering=bricks", HP_ORDER_BRICKS, 3 * 4 * 1 * 11 * 32}};
  for (size_t n = 0; n < sizeof want / sizeof *want; ++n) {
    const char *const set[] = {want[n].size, want[n].option != NULL ? want[n].option : "linear.tolerance=1e-3",
                               n == 4 ? "linear.preconditioner=cpr" : "linear.method=bicgstab"};
    hp_case *c = steps_deck("schedule.cfg", 3, set);
    hp_linear_options solver;
    CHECK(hp_backend_linear(HP_BACKEND_CUDA, c, &solver) == NULL);
    CHECK(solver.krylov.ordering == want[n].ordering);
    CHECK(!solver.uses_cpr || solver.cpr.ordering == want[n].ordering);
    const hp_grid *g = c->grid;
    hp_linear_options l = {.krylov = solver.krylov};
    const int64_t dilu = hp_backend_device_bytes(g, &l, hp_arrays_of(false, false));
    const int64_t block = 4 * (int64_t)(l.krylov.precision == HP_PRECISION_SINGLE ? sizeof(float) : sizeof(double));
    l.krylov.preconditioner = HP_PRECOND_BLOCK_JACOBI;
    CHECK(dilu - hp_backend_device_bytes(g, &l, hp_arrays_of(false, false)) == 7 * want[n].places * block);
    hp_case_destroy(&c);
  }
}

/* Options that cpr refuses on a GPU, whatever the deck. */
static void check_device_refusals(void) {
  const hp_krylov_options qmr = {.method = HP_KRYLOV_QMR};
  hp_cpr_options opt = hp_cpr_default_options();
  CHECK(hp_cpr_refusal(&opt, NULL, HP_SOLVER_GPU) != NULL); /* natural order */
  opt.ordering = HP_ORDER_BRICKS;
  CHECK(hp_cpr_refusal(&opt, NULL, HP_SOLVER_GPU) == NULL);
  CHECK(hp_cpr_refusal(&opt, &qmr, HP_SOLVER_ANY) != NULL);
}

static bool chooses(hp_backend_kind kind, const char *option) {
  const char *const set[] = {option};
  hp_case *c = steps_deck("schedule.cfg", option != NULL, set); /* 1875 cells */
  hp_linear_options solver;
  CHECK(hp_backend_linear(kind, c, &solver) == NULL);
  hp_case_destroy(&c);
  CHECK(solver.krylov.relaxation == (solver.uses_cpr ? 0.0 : 0.8));
  return solver.uses_cpr;
}

/* Sweeps before the coarser levels: a GPU's default is its own where the deck names neither those nor those after. */
static int sweeps_before(hp_backend_kind kind, const char *option) {
  const char *const set[] = {option};
  hp_case *c = steps_deck("schedule.cfg", option != NULL, set);
  hp_linear_options solver;
  CHECK(hp_backend_linear(kind, c, &solver) == NULL);
  hp_case_destroy(&c);
  return solver.cpr.amg.pre;
}

static void check_default_sweeps(void) {
  CHECK(sweeps_before(HP_BACKEND_CPU, NULL) == 1 && sweeps_before(HP_BACKEND_CUDA, NULL) == 0);
  CHECK(sweeps_before(HP_BACKEND_CUDA, "linear.cpr.pre=1") == 1);
  CHECK(sweeps_before(HP_BACKEND_CUDA, "linear.cpr.pre=2") == 2);
  CHECK(sweeps_before(HP_BACKEND_CUDA, "linear.cpr.post=2") == 1);
  CHECK(sweeps_before(HP_BACKEND_CPU, "linear.cpr.pre=0") == 0);
}

/* Which decks get cpr without asking for it. */
static void check_default_choice(void) {
  CHECK(chooses(HP_BACKEND_CPU, NULL) && chooses(HP_BACKEND_CPU, "linear.tolerance=1e-3"));
  CHECK(chooses(HP_BACKEND_CPU, "linear={cpr={pre=2;};}") && chooses(HP_BACKEND_CPU, "linear.cpr.pre=2"));
  CHECK(chooses(HP_BACKEND_CPU, "linear.preconditioner=cpr") && chooses(HP_BACKEND_CUDA, NULL));
  CHECK(chooses(HP_BACKEND_CUDA, "linear.cpr.pre=2") && !chooses(HP_BACKEND_CUDA, "linear.preconditioner=dilu"));
  CHECK(chooses(HP_BACKEND_CUDA, "linear.execution=graph") && !chooses(HP_BACKEND_CUDA, "linear.execution=library"));
  CHECK(!chooses(HP_BACKEND_CPU, "linear.preconditioner=dilu") && !chooses(HP_BACKEND_CPU, "linear.method=qmr"));
  hp_case *c = steps_schedule(NULL); /* 432 cells */
  hp_linear_options solver;
  CHECK(hp_backend_linear(HP_BACKEND_CPU, c, &solver) == NULL && !solver.uses_cpr);
  hp_case_destroy(&c);
}

/* Keys of dilu are those of cpr's second stage where no preconditioner is named, on each backend; dilu alone is named. */
static void check_second_stage(void) {
  for (int backend = 0; backend < 2; ++backend)
    for (int named = 0; named < 3; ++named) {
      const hp_backend_kind kind = backend == 0 ? HP_BACKEND_CPU : HP_BACKEND_CUDA;
      const char *set[] = {"linear.ordering=red-black", "linear.precision=double", "linear.relaxation=0.5",
                           "linear.preconditioner=dilu"};
      hp_case *c = named < 2 ? steps_deck("schedule.cfg", 3 + named, set)
                             : steps_deck("schedule.cfg", 1, (const char *[]){"linear={relaxation=0.5;}"});
      hp_linear_options solver;
      CHECK(hp_backend_linear(kind, c, &solver) == NULL && solver.uses_cpr == (named != 1));
      CHECK(solver.krylov.relaxation == 0.5 && solver.cpr.relaxation == 0.5);
      if (named < 2) CHECK(solver.cpr.ordering == HP_ORDER_RED_BLACK && solver.cpr.precision == HP_PRECISION_DOUBLE);
      hp_case_destroy(&c);
    }
  hp_case *c = steps_deck("schedule.cfg", 1, (const char *[]){"linear.ordering=natural"});
  hp_linear_options solver;
  CHECK(hp_backend_linear(HP_BACKEND_CPU, c, &solver) == NULL && solver.uses_cpr);
  const char *refusal = hp_backend_linear(HP_BACKEND_CUDA, c, &solver);
  CHECK(refusal != NULL && strstr(refusal, "cpr's second stage") != NULL);
  hp_case_destroy(&c);
}

/* In a step so short that accumulation is all there is, the rows of each cell add up to one without saturation. */
static void check_jacobian(void) {
  hp_case *c = steps_schedule("linear.preconditioner=cpr");
  const hp_run_options opt = {.threads = 1};
  hp_sim *S = steps_begin(c, &opt);
  hp_step_report step;
  hp_backend_system system;
  check_defaults(c);
  hp_linear_report linear;
  CHECK_OK(S->backend->linear->ops->report(S->backend->linear, &linear));
  CHECK(linear.uses_cpr && linear.cpr.counts.builds == 0);
  CHECK_OK(hp_newton_begin(S));
  CHECK_OK(S->backend->ops->assemble(S->backend, 1e-6, true, false, -1, &step));
  CHECK_OK(S->backend->ops->system(S->backend, true, &system));
  for (int64_t m = 0; m < system.J->ncell; ++m) {
    const double oil = *hp_gh_entry(system.J, m, 0, HP_OIL, HP_S), water = *hp_gh_entry(system.J, m, 0, HP_WATER, HP_S);
    CHECK(water > 0.0 && fabs(oil + water) < 1e-9 * water);
  }
  hp_sim_destroy(&S);
  hp_case_destroy(&c);
}

/* The two-phase system that `hepta tune` measures: its pressure system is the one that it is made of, and cpr solves it as a
 * reservoir's. */
static void check_two_phase(hp_team_hub *hub) {
  const hp_pressure model = {9, 8, 7, .sigma = 2.5, .vertical = 1.0, .storage = 1e-3, .seed = 3};
  hp_gh *G, *A;
  hp_cpr *C;
  CHECK_OK(hp_pressure_create(&model, &G));
  CHECK_OK(hp_pressure_two_phase(G, &A));
  set_up(hub, A, HP_CPR_TRUE_IMPES, &C);
  for (int64_t m = 0; m < G->ncell; ++m)
    for (int u = -3; u <= 3; ++u) {
      const double g = *hp_gh_entry(G, m, u, 0, 0);
      const double sum = *hp_gh_entry(A, m, u, 0, 1) + *hp_gh_entry(A, m, u, 1, 1);
      CHECK(sum == 0.0);
      if (g != 0.0) CHECK_NEAR(entry(C->Ap, (int32_t)m, (int32_t)(m + hp_gh_offset(G, u))), g, 1e-12 * fabs(g));
    }
  hp_linear_options o = {.krylov = {.method = HP_KRYLOV_BICGSTAB, .preconditioner = HP_PRECOND_DILU, .tolerance = 1e-8},
                         .uses_cpr = true,
                         .cpr = hp_cpr_default_options()};
  o.krylov.max_iterations = 50;
  const hp_linear_input in = {.A = A, .options = &o, .hub = hub};
  hp_linear_solver *K;
  hp_krylov_report report;
  double *b = NULL, *x = NULL;
  CHECK_OK(HP_ALLOC(b, A->n));
  CHECK_OK(HP_ALLOC(x, A->n));
  for (int64_t i = 0; i < A->n; ++i) b[i] = i % 7 == 0;
  CHECK_OK(hp_linear_create(&in, &K));
  CHECK_OK(K->ops->set_up(K, A));
  CHECK_OK(K->ops->solve(K, A, b, x, NULL, &report));
  CHECK(report.reason == HP_KRYLOV_CONVERGED && report.iterations >= 3 && report.iterations <= 20);
  hp_linear_destroy(&K);
  HP_FREE(b);
  HP_FREE(x);
  hp_cpr_destroy(&C);
  hp_gh_destroy(&A);
  hp_gh_destroy(&G);
}

int main(void) {
  hp_team_hub *hub;
  const hp_team_options opt = {.time_limit = 60.0};
  CHECK_OK(hp_team_hub_create(1, &opt, &hub));
  check_sums(hub);
  check_quasi(hub);
  check_guards(hub);
  check_interpolation(hub);
  check_refresh(hub);
  check_refusals();
  check_default_choice();
  check_second_stage();
  check_default_sweeps();
  check_device_ordering();
  check_device_refusals();
  check_default_refresh();
  check_jacobian();
  check_two_phase(hub);
  hp_team_hub_destroy(&hub);
  return check_result();
}
