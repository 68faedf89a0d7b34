/* One multigrid cycle as the preconditioner of BiCG-Stab on what reservoirs give: contrasts of 1e8,
 * anisotropy of 1e4, inactive cells, regions without connection, closed boxes, wells. */
#include "amg/amg.h"
#include "amg/cycle/numbers.inl.h"
#include "amg/cycle/program.h"
#include "core/memory.h"
#include "tests/support/amg_matrices.h"
#include "tests/support/check.h"

enum { ITERATIONS_MAX = 60 };

typedef struct {
  const hp_amg *H;
  const hp_csr *A;
  const double *b;
  double *x, *r, *s, *v, *y, *p, *z; /* [n] */
  double reduction;
  int iterations;
} solver;

static double dot(int64_t n, const double *a, const double *b) {
  double sum = 0.0;
  for (int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

static void product(const hp_csr *A, const double *x, double *y) {
  for (int64_t i = 0; i < A->nrow; ++i) y[i] = hp_csr_dot(A, i, x);
}

/* Van der Vorst 1992, right preconditioned; a team of one. */
static void bicgstab(hp_team *t, void *arg) {
  solver *S = arg;
  const int64_t n = S->A->nrow;
  double rho = 1.0, alpha = 1.0, omega = 1.0;
  for (int64_t i = 0; i < n; ++i) {
    S->x[i] = S->v[i] = S->p[i] = 0.0;
    S->r[i] = S->b[i];
  }
  const double norm = sqrt(dot(n, S->b, S->b));
  for (S->iterations = 0; S->iterations < ITERATIONS_MAX; ++S->iterations) {
    if (sqrt(dot(n, S->r, S->r)) <= 1e-8 * norm) break;
    const double next = dot(n, S->b, S->r), beta = next / rho * (alpha / omega);
    rho = next;
    for (int64_t i = 0; i < n; ++i) S->p[i] = S->r[i] + (S->iterations > 0 ? beta : 0.0) * (S->p[i] - omega * S->v[i]);
    hp_amg_cycle(t, S->H, S->p, S->y);
    product(S->A, S->y, S->v);
    alpha = rho / dot(n, S->b, S->v);
    for (int64_t i = 0; i < n; ++i) S->s[i] = S->r[i] - alpha * S->v[i];
    hp_amg_cycle(t, S->H, S->s, S->z);
    product(S->A, S->z, S->r);
    omega = dot(n, S->r, S->s) / dot(n, S->r, S->r);
    for (int64_t i = 0; i < n; ++i) {
      S->x[i] += alpha * S->y[i] + omega * S->z[i];
      S->r[i] = S->s[i] - omega * S->r[i];
    }
  }
  product(S->A, S->x, S->r);
  for (int64_t i = 0; i < n; ++i) S->r[i] -= S->b[i];
  S->reduction = sqrt(dot(n, S->r, S->r)) / norm;
}

/* A closed box has no storage: its right-hand side must sum to zero in each region, as here that of a known x does. */
static void solve(hp_team_hub *hub, const amg_reservoir *r, const hp_amg_options *opt, int most) {
  hp_csr *A;
  hp_amg *H;
  double *b = NULL, *work = NULL;
  CHECK_OK(amg_reservoir_csr(r, &A));
  CHECK_OK(hp_amg_create(opt, &H));
  CHECK_OK(hp_amg_build(H, A, r->nwell));
  CHECK_OK(HP_ALLOC(b, A->nrow));
  CHECK_OK(HP_ALLOC(work, 8 * (int64_t)A->nrow));
  uint64_t seed = r->seed;
  for (int64_t i = 0; i < A->nrow; ++i) work[i] = matrix_random(&seed);
  product(A, work, b);
  const int64_t n = A->nrow;
  solver S = {.H = H,
              .A = A,
              .b = b,
              .x = work + n,
              .r = work + 2 * n,
              .s = work + 3 * n,
              .v = work + 4 * n,
              .y = work + 5 * n,
              .p = work + 6 * n,
              .z = work + 7 * n};
  CHECK_OK(hp_team_run(hub, bicgstab, &S));
  if (!(S.reduction <= 1e-7) || S.iterations > most)
    fprintf(stderr,
            "%g decades, vertical %g, storage %g, one in %d inactive, wall %d, %d wells; %s, %s, %s: "
            "%d iterations to %.1e, %d expected\n",
            r->decades, r->vertical, r->storage, r->inactive, r->wall, r->nwell,
            hp_amg_coarsening_name(opt->coarsening), hp_amg_interpolation_name(opt->interpolation),
            hp_amg_smoother_name(opt->smoother), S.iterations, S.reduction, most);
  CHECK(S.reduction <= 1e-7 && S.iterations <= most);
  HP_FREE(b);
  HP_FREE(work);
  hp_amg_destroy(&H);
  hp_csr_destroy(&A);
}

int main(void) {
  hp_team_hub *hub;
  CHECK_OK(hp_team_hub_create(1, NULL, &hub));
  const int every = check_every(8);
  int pair = 0; /* of a system and options */
  const amg_reservoir base = {.nx = 22, .ny = 19, .nz = 9, .vertical = 1.0, .storage = 1e-3};
  for (int smoother = 0; smoother < HP_AMG_SMOOTHER_COUNT; ++smoother)
    for (int coarsening = 0; coarsening < HP_AMG_COARSENING_COUNT; ++coarsening)
      for (int hard = 0; hard < 10; ++hard) {
        amg_reservoir r = base;
        hp_amg_options opt = hp_amg_default_options();
        r.seed = (uint64_t)(hard + 1);
        r.decades = hard % 5 == 1 || hard > 5 ? 8.0 : hard % 5 == 2 ? 4.0 : 0.0;
        r.vertical = hard % 4 == 3 ? 1e4 : hard % 4 == 2 ? 1e-4 : 1.0;
        r.storage = hard % 3 == 1 ? 1e-8 : hard == 6 || hard == 9 ? 0.0 : 1e-3;
        r.inactive = hard > 3 ? 5 : 0;
        r.wall = hard > 4;
        r.nwell = hard % 2 == 0 ? 0 : 5;
        opt.smoother = (hp_amg_smoother)smoother;
        opt.coarsening = (hp_amg_coarsening)coarsening;
        opt.interpolation = coarsening == HP_AMG_RS ? HP_AMG_CLASSICAL : HP_AMG_EXTENDED;
        /* undamped Jacobi does not smooth; a closed box of contrasts of 1e12 is singular to rounding, the factors
         * of a whole domain too */
        if (smoother == HP_AMG_JACOBI || (smoother == HP_AMG_SCHWARZ && hard == 6)) continue;
        if (pair++ % every != 0) continue;
        solve(hub, &r, &opt, 30);
      }
  hp_team_hub_destroy(&hub);
  return check_result();
}
