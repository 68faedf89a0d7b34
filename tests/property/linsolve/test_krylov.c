/* Every Krylov method with every preconditioner, ordering and precision solves
 * random diagonally dominant systems to the dense solution, CG those that are
 * symmetric; so do those that take an external two-stage preconditioner. */
#include <string.h>

#include "core/memory.h"
#include "linsolve/krylov/krylov.h"
#include "linsolve/krylov/precond.inl.h"
#include "linsolve/product/spmv.inl.h"
#include "tests/support/check.h"
#include "tests/support/dense.h"
#include "tests/support/matrices.h"

static hp_team_hub *hub;

typedef struct {
  hp_gh *A;
  bool spd;
  double *b, *solution, *x;
} system_of;

static void make_system(const int *shape, int q, int nwell, bool spd, uint64_t seed, system_of *s) {
  double *dense = NULL;
  s->spd = spd;
  CHECK_OK((spd ? matrix_random_spd : matrix_random_gh)(shape[0], shape[1], shape[2], q, nwell, 0.05, seed, &s->A));
  const int64_t n = s->A->n;
  CHECK_OK(HP_ALLOC(s->b, n));
  CHECK_OK(HP_ALLOC(s->solution, n));
  CHECK_OK(HP_ALLOC(s->x, n));
  CHECK_OK(HP_ALLOC(dense, n * n));
  for (int64_t i = 0; i < n; ++i) s->b[i] = s->solution[i] = matrix_random(&seed);
  dense_from_gh(s->A, dense);
  dense_solve(n, dense, s->solution);
  HP_FREE(dense);
}

static void free_system(system_of *s) {
  hp_gh_destroy(&s->A);
  HP_FREE(s->b);
  HP_FREE(s->solution);
  HP_FREE(s->x);
}

/* Solves and compares; returns the iterations. */
static int solve(const system_of *s, const hp_krylov_options *opt) {
  hp_krylov *K;
  hp_krylov_report r;
  CHECK_OK(hp_krylov_create(hub, s->A, opt, &K));
  CHECK_OK(hp_krylov_setup(K, s->A));
  CHECK(hp_krylov_bytes(K) >= 6 * s->A->n * (int64_t)sizeof(double));
  CHECK_OK(hp_krylov_solve(K, s->A, s->b, s->x, NULL, &r));
  double error = 0.0, size = 0.0;
  for (int64_t i = 0; i < s->A->n; ++i) {
    error = fmax(error, fabs(s->x[i] - s->solution[i]));
    size = fmax(size, fabs(s->solution[i]));
  }
  if (r.reason != HP_KRYLOV_CONVERGED || !(error <= 1e-10 * size))
    fprintf(stderr, "%s, %s, %s, %s, q = %d, %d x %d x %d: error %.2e, %s\n", hp_krylov_method_name(opt->method),
            opt->external != NULL ? opt->external->name : hp_precond_name(opt->preconditioner),
            hp_ordering_name(opt->ordering), hp_precision_name(opt->precision), s->A->q, s->A->nx, s->A->ny, s->A->nz,
            error / size, hp_krylov_reason_text(r.reason));
  CHECK(r.reason == HP_KRYLOV_CONVERGED);
  CHECK(r.residual <= opt->tolerance * r.norm_b);
  CHECK(error <= 1e-10 * size);
  hp_krylov_destroy(&K);
  return r.iterations;
}

/* number: of the system; of one after the other a sanitizer sees other choices. */
static void test_all(const system_of *s, int number) {
  const int every = check_every(2);
  hp_krylov_options opt = {.tolerance = 1e-13, .max_iterations = 500, .restart = 25};
  for (int method = 0; method < HP_KRYLOV_COUNT; ++method) {
    if (method == HP_KRYLOV_CG && !s->spd) continue;
    for (int kind = 0; kind < HP_PRECOND_COUNT; ++kind)
      for (int ordering = 0; ordering < HP_ORDER_COUNT; ++ordering)
        for (int precision = 0; precision < HP_PRECISION_COUNT; ++precision) {
          opt.method = (hp_krylov_method)method;
          opt.preconditioner = (hp_precond_kind)kind;
          opt.ordering = (hp_ordering)ordering;
          opt.precision = (hp_precision)precision;
          if (hp_krylov_refusal(&opt, NULL, HP_SOLVER_ANY) == NULL && number++ % every == 0) solve(s, &opt);
        }
  }
}

/* ---- an external two-stage preconditioner ---- */

/* z = M1 r + M2 (r - A M1 r), as a two-stage preconditioner of a higher layer does it. */
typedef struct {
  hp_precond *first, *second;
  double *r2, *z2;
} two_stages;

static int64_t two_stages_setup(hp_team *t, void *data, const hp_gh *A) {
  const two_stages *s = data;
  const int64_t bad = hp_krylov_precond_setup(t, s->first, A), too = hp_krylov_precond_setup(t, s->second, A);
  return bad >= 0 ? bad : too;
}

static void two_stages_apply(hp_team *t, const void *data, const hp_gh *A, const double *r, double *z) {
  const two_stages *s = data;
  double *r2 = s->r2, *z2 = s->z2;
  hp_krylov_precond_apply(t, s->first, A, r, z);
  hp_team_sync(t);
  hp_gh_residual(t, A, r, z, r2);
  hp_team_sync(t);
  hp_krylov_precond_apply(t, s->second, A, r2, z2);
  hp_team_sync(t);
  HP_TEAM_FOR(t, i, A->n) z[i] += z2[i];
}

static void test_two_stages(const system_of *s) {
  two_stages stages = {0};
  CHECK_OK(hp_precond_create(s->A, HP_PRECOND_BLOCK_JACOBI, HP_ORDER_NATURAL, HP_PRECISION_DOUBLE, 0.0, NULL,
                             &stages.first));
  CHECK_OK(
      hp_precond_create(s->A, HP_PRECOND_DILU, HP_ORDER_RED_BLACK, HP_PRECISION_SINGLE, 0.5, NULL, &stages.second));
  CHECK_OK(HP_ALLOC(stages.r2, s->A->n));
  CHECK_OK(HP_ALLOC(stages.z2, s->A->n));
  const hp_precond_external external = {"two stages", &stages, two_stages_setup, two_stages_apply, NULL, false};
  hp_krylov_options opt = {.tolerance = 1e-13, .max_iterations = 500, .restart = 25, .external = &external};
  hp_krylov_options one = opt;
  one.external = NULL;
  one.preconditioner = HP_PRECOND_BLOCK_JACOBI;
  for (int method = 0; method < HP_KRYLOV_COUNT; ++method) {
    opt.method = one.method = (hp_krylov_method)method;
    if (hp_krylov_refusal(&opt, NULL, HP_SOLVER_ANY) != NULL) continue;
    CHECK(solve(s, &opt) < solve(s, &one));
  }
  hp_precond_destroy(&stages.first);
  hp_precond_destroy(&stages.second);
  HP_FREE(stages.r2);
  HP_FREE(stages.z2);
}

int main(void) {
  static const int shapes[][3] = {{1, 1, 1}, {1, 1, 12}, {1, 12, 1}, {12, 1, 1}, {1, 4, 5}, {4, 5, 1}, {4, 3, 3}};
  static const int unknowns[] = {1, 2, 3, 5, 16};
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  uint64_t seed = 40;
  for (size_t n = 0; n < sizeof unknowns / sizeof *unknowns; ++n)
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
      if (unknowns[n] == 16 && k != 0 && k != 3) continue; /* the dense solves take their time */
      for (int spd = 0; spd < 2; ++spd) {
        system_of s = {0};
        make_system(shapes[k], unknowns[n], k % 2 == 0 ? 4 : 0, spd == 1, ++seed, &s);
        test_all(&s, (int)k);
        if (k == 6) test_two_stages(&s);
        free_system(&s);
      }
    }
  hp_team_hub_destroy(&hub);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
