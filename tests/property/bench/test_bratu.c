/* Solid-fuel ignition (bench/bratu): F by its definition, the Jacobian by differences, the exact solution of the interval,
 * Newton's method with dense elimination, the same bits with any number of threads and any storage of the matrix. */
#include <string.h>

#include "bench/bratu/bratu.h"
#include "bench/bratu/bratu.inl.h"
#include "core/memory.h"
#include "tests/support/check.h"
#include "tests/support/dense.h"

typedef struct {
  hp_bratu P;
  hp_gh *J;
  double *u, *f; /* [n] */
  double sum;
} discrete;

static void body(hp_team *t, void *arg) {
  discrete *s = arg;
  double sum[1];
  hp_bratu_residual(t, &s->P, s->u, s->f, sum);
  hp_bratu_jacobian(t, &s->P, s->u, s->J);
  if (t->rank == 0) s->sum = sum[0];
}

static void open_system(int nx, int ny, int nz, double lambda, discrete *s) {
  s->P = hp_bratu_of(nx, ny, nz, lambda);
  CHECK_OK(hp_gh_create(nx, ny, nz, 1, &s->J));
  s->u = s->f = NULL;
  CHECK_OK(HP_ALLOC(s->u, s->J->n));
  CHECK_OK(HP_ALLOC(s->f, s->J->n));
}

static void close_system(discrete *s) {
  hp_gh_destroy(&s->J);
  HP_FREE(s->u);
  HP_FREE(s->f);
}

static bool is_boundary(const int *n, const int *at) {
  for (int d = 0; d < 3; ++d)
    if (n[d] > 1 && (at[d] == 0 || at[d] == n[d] - 1)) return true;
  return false;
}

/* F at a node from the differential equation: second differences divided by the square of the distance, times the volume of
 * a node. u is 0 on the boundary whatever the array holds. */
static long double by_definition(const int *n, double lambda, const double *u, const int *at) {
  long double volume = 1.0L, sum = 0.0L;
  const long double here = u[(at[0] * n[1] + at[1]) * n[2] + at[2]];
  if (is_boundary(n, at)) return here;
  for (int d = 0; d < 3; ++d) {
    if (n[d] == 1) continue;
    const long double h = 1.0L / (n[d] - 1);
    long double both = 0.0L;
    for (int side = -1; side <= 1; side += 2) {
      int other[3] = {at[0], at[1], at[2]};
      other[d] += side;
      if (!is_boundary(n, other)) both += u[(other[0] * n[1] + other[1]) * n[2] + other[2]];
    }
    sum += (2.0L * here - both) / (h * h);
    volume *= h;
  }
  return volume * (sum - lambda * expl(here));
}

static void test_residual_and_jacobian(hp_team_hub *hub, int nx, int ny, int nz) {
  const int n[3] = {nx, ny, nz};
  const double lambda = 4.25, h = 1e-6;
  discrete s;
  double *dense = NULL, *plus = NULL, *minus = NULL, norm = 0.0;
  open_system(nx, ny, nz, lambda, &s);
  const int64_t rows = s.J->n;
  CHECK_OK(HP_ALLOC(dense, rows * rows));
  CHECK_OK(HP_ALLOC(plus, rows));
  CHECK_OK(HP_ALLOC(minus, rows));
  for (int64_t m = 0; m < rows; ++m) s.u[m] = sin(1.0 + 3.7 * (double)m) + 0.3;
  CHECK_OK(hp_team_run(hub, body, &s));
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k) {
        const int at[3] = {i, j, k};
        const int64_t m = ((int64_t)i * ny + j) * nz + k;
        CHECK_NEAR(s.f[m], (double)by_definition(n, lambda, s.u, at), 1e-13);
        norm += s.f[m] * s.f[m];
      }
  CHECK_NEAR(s.sum, norm, 1e-12 * norm);
  dense_from_gh(s.J, dense);
  for (int64_t c = 0; c < rows; ++c) { /* column by column */
    const double before = s.u[c];
    s.u[c] = before + h;
    CHECK_OK(hp_team_run(hub, body, &s));
    memcpy(plus, s.f, (size_t)rows * sizeof *plus);
    s.u[c] = before - h;
    CHECK_OK(hp_team_run(hub, body, &s));
    memcpy(minus, s.f, (size_t)rows * sizeof *minus);
    s.u[c] = before;
    for (int64_t r = 0; r < rows; ++r) CHECK_NEAR(dense[r * rows + c], (plus[r] - minus[r]) / (2.0 * h), 1e-8);
    for (int64_t r = 0; r < rows; ++r) CHECK(dense[r * rows + c] == dense[c * rows + r]);
  }
  HP_FREE(dense);
  HP_FREE(plus);
  HP_FREE(minus);
  close_system(&s);
}

static hp_bratu_report solve(hp_team_hub *hub, const hp_bratu_options *o, double *u) {
  hp_bratu_solver *B = NULL;
  hp_bratu_report report;
  memset(&report, 0, sizeof report);
  CHECK_OK(hp_bratu_create(o, hub, NULL, &B));
  if (B == NULL) return report;
  CHECK_OK(hp_bratu_solve(B, u, &report));
  double first = report.history[0].norm, parts = 0.0;
  CHECK(report.end != HP_NEWTON_CONVERGED ||
        (report.by_step || report.history[report.newton].norm <= o->newton_tolerance * first));
  CHECK_OK(hp_bratu_divide(B, &report));
  for (int p = 0; p < HP_BRATU_PARTS; ++p) {
    CHECK(report.seconds[p] >= 0.0);
    parts += report.seconds[p];
  }
  CHECK(parts <= report.total);
  report.history = NULL; /* goes with the solver */
  hp_bratu_destroy(&B);
  return report;
}

/* u = 2 ln(cosh(c) / cosh(c (1 - 2 x))) where cosh(c) = 4 c / sqrt(2 lambda), the smaller c. */
static double exact(double lambda, double x) {
  double c = 0.0;
  for (int n = 0; n < 200; ++n) c = cosh(c) * sqrt(2.0 * lambda) / 4.0; /* a contraction there */
  return 2.0 * log(cosh(c) / cosh(c * (1.0 - 2.0 * x)));
}

/* The largest error on an interval of n nodes along direction d. */
static double interval_error(hp_team_hub *hub, int n, int d, double lambda) {
  hp_bratu_options o = hp_bratu_default_options(d == 0 ? n : 1, d == 1 ? n : 1, d == 2 ? n : 1, false);
  double *u = NULL, worst = 0.0;
  o.lambda = lambda;
  o.newton_tolerance = 1e-12;
  CHECK_OK(HP_ALLOC(u, n));
  const hp_bratu_report r = solve(hub, &o, u);
  CHECK(r.end == HP_NEWTON_CONVERGED && r.newton <= 6);
  for (int m = 0; m < n; ++m) worst = fmax(worst, fabs(u[m] - exact(lambda, (double)m / (n - 1))));
  HP_FREE(u);
  return worst;
}

static void test_interval(hp_team_hub *hub) {
  const double coarse = interval_error(hub, 33, 0, 2.0), fine = interval_error(hub, 65, 0, 2.0);
  CHECK(coarse < 1e-3);
  CHECK_NEAR(coarse / fine, 4.0, 0.05); /* second order */
  CHECK_NEAR(interval_error(hub, 33, 1, 2.0), coarse, 1e-12);
  CHECK_NEAR(interval_error(hub, 33, 2, 2.0), coarse, 1e-12);
  CHECK(interval_error(hub, 129, 2, 3.4) < 2e-3); /* close to the last lambda with a solution */
}

/* Newton's method with dense elimination, from zero. */
static void test_dense(hp_team_hub *hub, int nx, int ny, int nz) {
  hp_bratu_options o = hp_bratu_default_options(nx, ny, nz, false);
  discrete s;
  double *dense = NULL, *u = NULL;
  o.lambda = 3.0;
  o.newton_tolerance = 1e-12;
  open_system(nx, ny, nz, o.lambda, &s);
  CHECK_OK(HP_ALLOC(dense, s.J->n * s.J->n));
  CHECK_OK(HP_ALLOC(u, s.J->n));
  for (int n = 0; n < 8; ++n) {
    CHECK_OK(hp_team_run(hub, body, &s));
    dense_from_gh(s.J, dense);
    dense_solve(s.J->n, dense, s.f);
    for (int64_t m = 0; m < s.J->n; ++m) s.u[m] -= s.f[m];
  }
  for (int amg = 0; amg < 2; ++amg) {
    o.uses_amg = amg;
    CHECK(solve(hub, &o, u).end == HP_NEWTON_CONVERGED);
    for (int64_t m = 0; m < s.J->n; ++m) CHECK_NEAR(u[m], s.u[m], 1e-11);
  }
  HP_FREE(dense);
  HP_FREE(u);
  close_system(&s);
}

/* The same counts and bits for teams of 1, 2, 3 and 8, and for one whose members change what they own; without multigrid
 * also for every storage of the matrix. */
static void test_bits(void) {
  static const int team[] = {1, 2, 3, 8, 3};
  hp_bratu_options o = hp_bratu_default_options(14, 11, 13, false);
  const int64_t n = (int64_t)o.nx * o.ny * o.nz;
  double *first = NULL, *u = NULL;
  hp_bratu_report expected = {.newton = 0};
  CHECK_OK(HP_ALLOC(first, n));
  CHECK_OK(HP_ALLOC(u, n));
  for (int amg = 0; amg < 2; ++amg)
    for (int matrix = 0; matrix < HP_SPARSE_COUNT; ++matrix)
      for (int k = 0; k < 5; ++k) {
        const hp_team_options rotated = {.rotate = k == 4 ? 77 : 0};
        hp_team_hub *hub;
        if (matrix != HP_SPARSE_GH && (k % 4 != 2 || (matrix + amg) % check_every(2) != 0)) continue;
        CHECK_OK(hp_team_hub_create(team[k], &rotated, &hub));
        o.uses_amg = amg;
        o.matrix = (hp_sparse_kind)matrix;
        const hp_bratu_report r = solve(hub, &o, matrix == 0 && k == 0 ? first : u);
        hp_team_hub_destroy(&hub);
        if (matrix == 0 && k == 0) {
          expected = r;
          CHECK(r.newton == 3 && (amg ? r.linear < 30 : r.linear > 40));
          CHECK((r.applications > 0) == amg);
          continue;
        }
        CHECK(r.newton == expected.newton && r.linear == expected.linear && r.products == expected.products);
        CHECK(memcmp(u, first, (size_t)n * sizeof *u) == 0);
      }
  HP_FREE(first);
  HP_FREE(u);
}

/* Solves that must not be called converged, and options that do not go together. */
static void test_failures(hp_team_hub *hub) {
  hp_bratu_options o = hp_bratu_default_options(9, 9, 9, false);
  double u[729];
  o.lambda = 60.0;
  hp_bratu_report r = solve(hub, &o, u);
  CHECK(r.end != HP_NEWTON_CONVERGED && strstr(hp_bratu_end_text(&r), "lambda") != NULL);
  o.lambda = 6.0;
  o.newton_iterations = 1;
  r = solve(hub, &o, u);
  CHECK(r.end == HP_NEWTON_MAX_ITERATIONS && r.newton == 1);
  o = hp_bratu_default_options(33, 33, 33, false);
  o.linear_iterations = 2;
  o.restart = 2;
  double *large = NULL;
  CHECK_OK(HP_ALLOC(large, 33 * 33 * 33));
  r = solve(hub, &o, large);
  CHECK(r.end == HP_NEWTON_NO_LINEAR_SOLUTION && strstr(hp_bratu_end_text(&r), "--iterations") != NULL);
  HP_FREE(large);
  o = hp_bratu_default_options(9, 9, 2, false);
  CHECK(hp_bratu_refusal(&o, false) != NULL);
  o = hp_bratu_default_options(1, 1, 1, false);
  CHECK(hp_bratu_refusal(&o, false) != NULL);
  o = hp_bratu_default_options(9, 9, 9, false);
  CHECK(hp_bratu_refusal(&o, false) == NULL);
  o.lambda = -1.0;
  CHECK(hp_bratu_refusal(&o, false) != NULL);
  o.lambda = 0.0;
  o.restart = 0;
  CHECK(hp_bratu_refusal(&o, false) != NULL);
  o.restart = 30;
  o.matrix = HP_SPARSE_SGDIA;
  o.uses_amg = true;
  CHECK(hp_bratu_refusal(&o, false) == NULL);
  CHECK(hp_bratu_refusal(&o, true) != NULL); /* multigrid's kernel on a GPU */
}

int main(void) {
  hp_team_hub *hub;
  CHECK_OK(hp_team_hub_create(3, NULL, &hub));
  test_residual_and_jacobian(hub, 5, 4, 6);
  test_residual_and_jacobian(hub, 7, 1, 5);
  test_residual_and_jacobian(hub, 3, 5, 1);
  test_residual_and_jacobian(hub, 1, 1, 9);
  test_interval(hub);
  test_dense(hub, 6, 5, 7);
  test_dense(hub, 9, 11, 1);
  test_failures(hub);
  hp_team_hub_destroy(&hub);
  test_bits();
  return check_result();
}
