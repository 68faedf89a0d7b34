/* Multigrid by itself and inside Krylov methods on scalar systems, the product by GH and by csr: the true residual
 * reaches the tolerance, both products count the same iterations, a refresh solves the changed system. */
#include "bench/multigrid/solver.h"

#include "bench/generators/family.h"
#include "bench/generators/pressure.h"
#include "core/memory.h"
#include "tests/support/check.h"

static hp_team_hub *hub;
static int every; /* of the pairs of smoother and method, over all systems, each so many-th is solved */
static int pair;

static double relative_residual(const hp_sparse *F, const double *b, const double *x) {
  double sum = 0.0, norm = 0.0;
  for (int64_t i = 0; i < F->n; ++i) {
    double r = b[i];
    for (int32_t k = F->begin[i]; k < F->begin[i + 1]; ++k) r -= F->value[k] * x[F->column[k]];
    sum += r * r;
    norm += b[i] * b[i];
  }
  return sqrt(sum / norm);
}

/* Builds and solves; then the diagonal grows, and after a refresh the new system is solved. Returns the iterations of
 * the first solve. */
static int solve(hp_sparse *F, const hp_gh *G, int32_t nwell, const hp_amg_solver_options *opt, const double *b,
                 double *x) {
  hp_amg_solver *S;
  hp_krylov_report report;
  CHECK_OK(hp_amg_solver_create(hub, F, G, nwell, opt, &S));
  CHECK(hp_amg_solver_refresh(S) == HP_ERR_INTERNAL && hp_amg_solver_solve(S, b, x, NULL, &report) == HP_ERR_INTERNAL);
  CHECK_OK(hp_amg_solver_build(S));
  CHECK_OK(hp_amg_solver_solve(S, b, x, NULL, &report));
  const int iterations = report.iterations;
  CHECK(report.reason == HP_KRYLOV_CONVERGED && relative_residual(F, b, x) <= 1.0001 * opt->tolerance);
  CHECK_NEAR(report.residual / report.norm_b, relative_residual(F, b, x), 1e-12);
  if (G == NULL) {
    for (int64_t k = 0; k < F->count; ++k) F->value[k] *= 3.0;
    CHECK_OK(hp_amg_solver_refresh(S));
    CHECK_OK(hp_amg_solver_solve(S, b, x, NULL, &report));
    CHECK(report.reason == HP_KRYLOV_CONVERGED && relative_residual(F, b, x) <= 1.0001 * opt->tolerance);
    CHECK(report.iterations >= iterations - 1 && report.iterations <= iterations + 1);
    for (int64_t k = 0; k < F->count; ++k) F->value[k] /= 3.0;
  }
  hp_amg_solver_destroy(&S);
  return iterations;
}

static void test_system(const hp_pressure *model, int most) {
  hp_gh *G;
  hp_sparse *F;
  double *b = NULL, *x = NULL;
  CHECK_OK(hp_pressure_create(model, &G));
  CHECK_OK(hp_sparse_create(G, NULL, HP_SPARSE_CSR, &F));
  hp_sparse_set(F, G);
  CHECK_OK(HP_ALLOC(b, F->n));
  CHECK_OK(HP_ALLOC(x, F->n));
  hp_family_vector(9, F->n, b);
  for (int smoother = 0; smoother < HP_AMG_SMOOTHER_COUNT; ++smoother)
    for (int method = -1; method < HP_KRYLOV_COUNT; ++method) {
      const bool usual = smoother == HP_AMG_HYBRID || smoother == HP_AMG_DAMPED_JACOBI;
      if (smoother == HP_AMG_JACOBI) continue; /* undamped it does not smooth */
      if (!usual && method >= 0 && method != HP_KRYLOV_BICGSTAB && method != HP_KRYLOV_CG) continue;
      hp_amg_solver_options opt = {.amg = hp_amg_default_options(),
                                   .stationary = method < 0,
                                   .restart = 30,
                                   .method = (hp_krylov_method)method,
                                   .tolerance = 1e-8,
                                   .max_iterations = 200};
      opt.amg.smoother = (hp_amg_smoother)smoother;
      if (hp_amg_solver_refusal(&opt) != NULL || pair++ % every != 0) continue;
      const int gh = solve(F, G, model->nwell, &opt, b, x), csr = solve(F, NULL, model->nwell, &opt, b, x);
      CHECK(gh == csr || (gh - csr) * (gh - csr) == 1);
      const int limit = method < 0 ? 6 * most : most;
      if (gh > limit)
        fprintf(stderr, "%d x %d x %d, %d wells, %s, %s: %d iterations\n", model->nx, model->ny, model->nz,
                model->nwell, hp_amg_smoother_name(opt.amg.smoother),
                method < 0 ? "by itself" : hp_krylov_method_name(opt.method), gh);
      CHECK(gh <= limit);
    }
  HP_FREE(b);
  HP_FREE(x);
  hp_sparse_destroy(&F);
  hp_gh_destroy(&G);
}

/* Gauss-Seidel in blocks whose borders cut strong couplings. */
static void test_blocks(const hp_pressure *model, int most) {
  hp_gh *G;
  hp_sparse *F;
  double *b = NULL, *x = NULL;
  const hp_amg_solver_options opt = {
      .amg = hp_amg_default_options(), .method = HP_KRYLOV_BICGSTAB, .tolerance = 1e-8, .max_iterations = 200};
  CHECK(opt.amg.smoother == HP_AMG_HYBRID);
  CHECK_OK(hp_pressure_create(model, &G));
  CHECK_OK(hp_sparse_create(G, NULL, HP_SPARSE_CSR, &F));
  hp_sparse_set(F, G);
  CHECK_OK(HP_ALLOC(b, F->n));
  CHECK_OK(HP_ALLOC(x, F->n));
  for (int64_t i = 0; i < F->n; ++i) b[i] = 1.0;
  const int iterations = solve(F, G, 0, &opt, b, x);
  if (iterations > most) fprintf(stderr, "%d iterations with Gauss-Seidel in blocks\n", iterations);
  CHECK(iterations <= most);
  HP_FREE(b);
  HP_FREE(x);
  hp_sparse_destroy(&F);
  hp_gh_destroy(&G);
}

/* One entry of one triangle changed: cg must say so, bicgstab solve it. */
static void test_not_symmetric(void) {
  const hp_pressure model = {10, 9, 8, .vertical = 1.0, .open = true, .seed = 1};
  hp_gh *G;
  hp_sparse *F;
  hp_amg_solver *S;
  hp_krylov_report report;
  double b[720], x[720];
  CHECK_OK(hp_pressure_create(&model, &G));
  CHECK_OK(hp_sparse_create(G, NULL, HP_SPARSE_CSR, &F));
  hp_sparse_set(F, G);
  F->value[F->begin[300]] *= 0.999;
  hp_family_vector(5, 720, b);
  for (int cg = 0; cg < 2; ++cg) {
    hp_amg_solver_options opt = {.amg = hp_amg_default_options(),
                                 .method = cg ? HP_KRYLOV_CG : HP_KRYLOV_BICGSTAB,
                                 .tolerance = 1e-8,
                                 .max_iterations = 50};
    CHECK_OK(hp_amg_solver_create(hub, F, NULL, 0, &opt, &S));
    CHECK_OK(hp_amg_solver_build(S));
    CHECK_OK(hp_amg_solver_solve(S, b, x, NULL, &report));
    CHECK(report.reason == (cg ? HP_KRYLOV_NOT_SPD : HP_KRYLOV_CONVERGED));
    hp_amg_solver_destroy(&S);
  }
  hp_sparse_destroy(&F);
  hp_gh_destroy(&G);
}

static void test_refusals(void) {
  hp_amg_solver_options opt = {
      .amg = hp_amg_default_options(), .method = HP_KRYLOV_CG, .tolerance = 1e-6, .max_iterations = 10};
  CHECK(hp_amg_solver_refusal(&opt) == NULL);
  opt.amg.post = 2;
  CHECK(hp_amg_solver_refusal(&opt) != NULL);
  opt.amg.post = 1;
  opt.amg.cycle = HP_AMG_F;
  CHECK(hp_amg_solver_refusal(&opt) != NULL);
  opt.stationary = true;
  CHECK(hp_amg_solver_refusal(&opt) == NULL);
  opt.tolerance = 0.0;
  CHECK(hp_amg_solver_refusal(&opt) != NULL);
}

int main(void) {
  const hp_pressure laplace = {24, 20, 16, .vertical = 1.0, .open = true, .seed = 1};
  const hp_pressure plane = {50, 40, 1, .vertical = 1.0, .open = true, .seed = 1};
  const hp_pressure wells = {16, 20, 12, .vertical = 0.1, .sigma = 2.0, .storage = 1e-3, .nwell = 6, .seed = 3};
  const hp_pressure layers = {16, 20, 12, .vertical = 1e4, .open = true, .seed = 1};
  const hp_pressure rough = {40, 30, 20, .vertical = 1.0, .sigma = 2.5, .storage = 1e-3, .seed = 1};
  every = check_every(13);
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  test_system(&laplace, 25);
  test_system(&plane, 25);
  test_system(&wells, 25);
  test_system(&layers, 25);
  test_blocks(&rough, 12);
  test_not_symmetric();
  test_refusals();
  hp_team_hub_destroy(&hub);
  return check_result();
}
