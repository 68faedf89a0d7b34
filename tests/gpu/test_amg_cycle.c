/* Multigrid cycles on a GPU against the CPU's: the same hierarchy, so the same x but for the order of sums
 * inside a row, and the same bits again; every smoother that a GPU has (the same colours, blocks and domains), V, W and
 * F, double and single, level 0 as rows and as GH, with wells, also in corners and by steps; rows in slices, as HEC, with
 * the bits of slices, and as csr; after a refresh; and Krylov methods with a cycle in their kernel: iterations and solutions of the
 * CPU. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amg/cycle/numbers.inl.h"
#include "amg/cycle/program.h"
#include "bench/generators/family.h"
#include "bench/generators/pressure.h"
#include "bench/multigrid/device.h"
#include "core/memory.h"
#include "linsolve/krylov/device.h"
#include "linsolve/matrix/sparse.h"
#include "tests/support/amg_matrices.h"
#include "tests/support/check.h"

static hp_device *device;
static hp_team_hub *hub;
/* HEPTA_TEST_SMALL: 1, small systems only; 2, hardly any, and only the barrier of cooperative groups, for a sanitizer
 * that writes down every look of a waiting block at shared memory. */
static int small;

typedef struct {
  hp_gh *G, dG; /* on the host, on the device */
  hp_sparse *F;
  hp_csr A; /* F's arrays */
  double *b, *x, *y, *db, *dx;
} problem;

/* The pressure problem p, or where p->nwell is MATRIX_CORNER_WELLS a random one of its size with such wells. */
static void problem_open(const hp_pressure *p, problem *P) {
  memset(P, 0, sizeof *P);
  if (p->nwell == MATRIX_CORNER_WELLS) CHECK_OK(matrix_random_m(p->nx, p->ny, p->nz, p->nwell, p->seed, &P->G));
  else CHECK_OK(hp_pressure_create(p, &P->G));
  CHECK_OK(hp_sparse_create(P->G, NULL, HP_SPARSE_CSR, &P->F));
  hp_sparse_set(P->F, P->G);
  P->A.nrow = P->A.ncol = (int32_t)P->F->n;
  P->A.begin = (uint32_t *)P->F->begin;
  P->A.column = P->F->column;
  P->A.value = P->F->value;
  CHECK_OK(HP_ALLOC(P->b, P->G->n));
  CHECK_OK(HP_ALLOC(P->x, P->G->n));
  CHECK_OK(HP_ALLOC(P->y, P->G->n));
  hp_family_vector(3, P->G->n, P->b);
  CHECK_OK(hp_gh_device_upload(device, P->G, &P->dG));
  CHECK_OK(HP_DEVICE_ALLOC(device, P->db, P->G->n));
  CHECK_OK(HP_DEVICE_ALLOC(device, P->dx, P->G->n));
  CHECK_OK(hp_device_upload(device, P->db, P->b, P->G->n * (int64_t)sizeof(double)));
}

static void problem_close(problem *P) {
  hp_gh_destroy(&P->G);
  hp_gh_device_free(device, &P->dG);
  hp_sparse_destroy(&P->F);
  HP_FREE(P->b);
  HP_FREE(P->x);
  HP_FREE(P->y);
  HP_DEVICE_FREE(device, P->db);
  HP_DEVICE_FREE(device, P->dx);
}

/* Other numbers in the same pattern, on both sides. */
static void problem_change(problem *P) {
  for (int64_t m = 0; m < P->G->ncell; ++m) *hp_gh_entry(P->G, m, 0, 0, 0) *= 1.0 + 0.1 * (double)(m % 7);
  hp_sparse_set(P->F, P->G);
  CHECK_OK(hp_gh_device_upload_values(device, P->G, &P->dG));
}

typedef struct {
  hp_amg *H;
  const double *b;
  double *x;
} host_cycle;

static void run_numbers(hp_team *t, void *arg) { hp_amg_refresh(t, ((host_cycle *)arg)->H); }
static void run_cycle(hp_team *t, void *arg) {
  const host_cycle *a = arg;
  hp_amg_cycle(t, a->H, a->b, a->x);
}

static double difference(const problem *P) {
  double worst = 0.0, most = 0.0;
  for (int64_t i = 0; i < P->G->n; ++i) {
    worst = fmax(worst, fabs(P->x[i] - P->y[i]));
    most = fmax(most, fabs(P->x[i]));
  }
  return worst / most;
}

/* One cycle on both sides; tolerance relative to the largest entry of x. */
static void compare(const char *what, problem *P, hp_amg *H, hp_amg_device_cycle *C, double tolerance) {
  const int64_t bytes = P->G->n * (int64_t)sizeof(double);
  host_cycle host = {H, P->b, P->x};
  CHECK_OK(hp_team_run(hub, run_cycle, &host));
  CHECK_OK(hp_amg_device_cycle_numbers(C));
  CHECK_OK(hp_amg_device_cycle_apply(C, P->db, P->dx));
  CHECK_OK(hp_device_download(device, P->y, P->dx, bytes));
  const double d = difference(P);
  CHECK(d <= tolerance);
  if (!(d <= tolerance)) fprintf(stderr, "%s: the GPU's cycle differs by %.2e\n", what, d);
  CHECK_OK(hp_amg_device_cycle_apply(C, P->db, P->dx));
  CHECK_OK(hp_device_download(device, P->x, P->dx, bytes));
  CHECK(memcmp(P->x, P->y, (size_t)bytes) == 0); /* the same bits again */
}

static void test_cycle(const hp_pressure *p, const hp_amg_options *opt, bool as_gh) {
  problem P;
  hp_amg *H;
  hp_amg_device *G;
  hp_amg_device_cycle *C;
  hp_csr_device csr;
  char what[200];
  snprintf(what, sizeof what, "%d x %d x %d, %d wells, %s, %s, cycle %d, %s, %s", p->nx, p->ny, p->nz, p->nwell,
           hp_amg_smoother_name(opt->smoother), hp_precision_name(opt->precision), (int)opt->cycle,
           as_gh ? "GH" : "rows", hp_amg_format_name(opt->format));
  problem_open(p, &P);
  const double tolerance = opt->precision == HP_PRECISION_SINGLE ? 2e-4 : 1e-10;
  CHECK_OK(hp_amg_create(opt, &H));
  CHECK_OK(hp_amg_device_create(device, opt, &G));
  CHECK_OK(hp_amg_device_cycle_create(device, opt, &C));
  CHECK_OK(hp_csr_device_from_gh(device, &P.dG, &csr));
  hp_amg_set_gh(H, as_gh ? P.G : NULL);
  CHECK_OK(hp_amg_build(H, &P.A, P.G->wells.nwell));
  for (int round = 0; round < 2; ++round) { /* the second in the memory of the first */
    CHECK_OK(hp_amg_device_build(G, &csr, P.G->wells.nwell));
    CHECK_OK(hp_amg_device_cycle_prepare(C, G, as_gh ? &P.dG : NULL));
    compare(what, &P, H, C, tolerance);
  }
  problem_change(&P);
  host_cycle host = {H, P.b, P.x};
  CHECK_OK(hp_team_run(hub, run_numbers, &host));
  CHECK_OK(hp_csr_device_refresh(device, &P.dG, &csr));
  CHECK_OK(hp_amg_device_refresh(G));
  compare(what, &P, H, C, tolerance);
  hp_csr_device_free(device, &csr);
  hp_amg_device_cycle_destroy(&C);
  hp_amg_device_destroy(&G);
  hp_amg_destroy(&H);
  problem_close(&P);
}

static bool has_device(const hp_amg_options *opt) { return hp_amg_refusal(opt, HP_SOLVER_GPU) == NULL; }

static void test_cycles(void) {
  static const int size[][3] = {{1, 1, 1}, {31, 1, 1}, {33, 1, 1}, {1, 1, 597}, {17, 13, 1}, {11, 9, 13}, {24, 25, 26}};
  for (int n = 0; n < 7; ++n)
    for (int s = 0; s < HP_AMG_SMOOTHER_COUNT; ++s) {
      if ((small == 1 && n != 1 && n != 4) || (small > 1 && (n != 1 || s != HP_AMG_CHEBYSHEV))) continue;
      const hp_pressure p = {.nx = size[n][0],
                             .ny = size[n][1],
                             .nz = size[n][2],
                             .sigma = n % 2 == 0 ? 0.0 : 2.0,
                             .vertical = 1.0,
                             .storage = 1e-3,
                             .open = n % 2 == 0,
                             .nwell = n > 4 ? 5 : 0,
                             .seed = (uint64_t)(n + 1)};
      hp_amg_options opt = hp_amg_default_options();
      opt.smoother = (hp_amg_smoother)s;
      opt.cycle = (hp_amg_cycle_kind)((n + s) % 3);
      opt.pre = 1 + (n + s) % 2;
      opt.post = 1 + s % 3;
      opt.coarsest = n % 3 == 2 ? 9 : 64;
      opt.block = 1 + (5 * n + 3) % 16;
      opt.domain = n % 2 == 0 ? 40 : 333;
      for (int k = 0; k < (small > 1 ? 1 : 4) && has_device(&opt); ++k) {
        opt.precision = k % 2 == 0 ? HP_PRECISION_DOUBLE : HP_PRECISION_SINGLE;
        for (int f = 0; f < (small > 1 ? 1 : 3); ++f) {
          opt.format = (hp_amg_format_kind)f;
          test_cycle(&p, &opt, k / 2 == 0);
        }
      }
    }
}

/* x [2][rows] of a cycle after a build, rows in the options' format, and after a refresh in one launch. */
static void cycle_of(problem *P, const hp_amg_options *opt, double *x) {
  const int64_t bytes = P->G->n * (int64_t)sizeof *x;
  hp_amg_device *G;
  hp_amg_device_cycle *C;
  hp_csr_device csr;
  CHECK_OK(hp_gh_device_upload_values(device, P->G, &P->dG));
  CHECK_OK(hp_amg_device_create(device, opt, &G));
  CHECK_OK(hp_amg_device_cycle_create(device, opt, &C));
  CHECK_OK(hp_csr_device_from_gh(device, &P->dG, &csr));
  CHECK_OK(hp_amg_device_build(G, &csr, P->G->wells.nwell));
  CHECK_OK(hp_amg_device_cycle_prepare(C, G, NULL));
  CHECK_OK(hp_amg_device_cycle_numbers(C));
  CHECK_OK(hp_amg_device_cycle_apply(C, P->db, P->dx));
  CHECK_OK(hp_device_download(device, x, P->dx, bytes));
  CHECK_OK(hp_amg_device_cycle_refresh(C, G));
  CHECK_OK(hp_amg_device_cycle_apply(C, P->db, P->dx));
  CHECK_OK(hp_device_download(device, x + P->G->n, P->dx, bytes));
  hp_csr_device_free(device, &csr);
  hp_amg_device_cycle_destroy(&C);
  hp_amg_device_destroy(&G);
}

/* HEC adds a row's products as slices do; csr may have other lanes. Level 0 fills the GPU: a thread a row there. */
static void test_formats(void) {
  const hp_pressure p = {.nx = small > 0 ? 9 : 61,
                         .ny = small > 0 ? 8 : 50,
                         .nz = small > 0 ? 7 : 47,
                         .sigma = 1.5,
                         .vertical = 1.0,
                         .storage = 1e-3,
                         .nwell = 4,
                         .seed = 21};
  double *x[3] = {NULL, NULL, NULL};
  problem P;
  problem_open(&p, &P);
  const int64_t n = P.G->n;
  for (int f = 0; f < 3; ++f) CHECK_OK(HP_ALLOC(x[f], 2 * n));
  for (int s = 0; s < HP_AMG_SMOOTHER_COUNT; ++s)
    for (int k = 0; k < 2; ++k) {
      hp_amg_options opt = hp_amg_default_options();
      double worst = 0.0, most = 0.0;
      opt.smoother = (hp_amg_smoother)s;
      opt.precision = k == 0 ? HP_PRECISION_DOUBLE : HP_PRECISION_SINGLE;
      if (!has_device(&opt)) continue;
      for (int f = 0; f < 3; ++f) {
        opt.format = (hp_amg_format_kind)f;
        cycle_of(&P, &opt, x[f]);
      }
      const bool same = memcmp(x[HP_AMG_FORMAT_SLICED], x[HP_AMG_FORMAT_HEC], (size_t)(2 * n) * sizeof(double)) == 0;
      for (int64_t i = 0; i < 2 * n; ++i) {
        worst = fmax(worst, fabs(x[HP_AMG_FORMAT_SLICED][i] - x[HP_AMG_FORMAT_CSR][i]));
        most = fmax(most, fabs(x[HP_AMG_FORMAT_SLICED][i]));
      }
      const bool close = worst <= (k == 0 ? 1e-10 : 2e-4) * most;
      CHECK(same && close && most > 0.0);
      if (!same || !close)
        fprintf(stderr, "formats, %s, %s: hec %s, csr differs by %.2e\n", hp_amg_smoother_name(opt.smoother),
                hp_precision_name(opt.precision), same ? "the same" : "other bits", worst / most);
    }
  for (int f = 0; f < 3; ++f) HP_FREE(x[f]);
  problem_close(&P);
}

static void test_corners(void) {
  static const int size[][3] = {{13, 7, 9}, {1, 1, 31}, {33, 1, 1}, {1, 597, 1}, {199, 1, 3}, {3, 11, 1}};
  for (int n = 0; n < (small > 0 ? 1 : 6); ++n)
    for (int s = 0; s < (small > 1 ? 1 : 2); ++s) {
      const hp_pressure p = {.nx = size[n][0],
                             .ny = size[n][1],
                             .nz = size[n][2],
                             .nwell = MATRIX_CORNER_WELLS,
                             .seed = (uint64_t)(n + 1)};
      hp_amg_options opt = hp_amg_default_options();
      opt.smoother = s == 0 ? HP_AMG_DAMPED_JACOBI : HP_AMG_CHEBYSHEV;
      opt.cycle = (hp_amg_cycle_kind)((n + s) % 3);
      opt.coarsest = 9;
      for (int k = 0; k < (small > 1 ? 1 : 4); ++k) {
        opt.precision = k % 2 == 0 ? HP_PRECISION_DOUBLE : HP_PRECISION_SINGLE;
        test_cycle(&p, &opt, k / 2 == 0);
      }
    }
}

/* The last level too large for a direct solve. */
static void test_large_last(void) {
  const hp_pressure p = {
      .nx = small > 0 ? 12 : 40, .ny = 41, .nz = 3, .vertical = 1.0, .storage = 1e-2, .open = true, .seed = 4};
  hp_amg_options opt = hp_amg_default_options();
  opt.max_levels = 1;
  opt.domain = 500;
  for (int s = 0; s < HP_AMG_SMOOTHER_COUNT; ++s) {
    opt.smoother = (hp_amg_smoother)s;
    if (!has_device(&opt)) continue;
    test_cycle(&p, &opt, true);
    test_cycle(&p, &opt, false);
  }
}

/* Two preparations and cycles give the same bits; groups are where they are said to be. */
static void test_repeated(void) {
  const hp_pressure p = {.nx = 19, .ny = 16, .nz = 14, .sigma = 1.0, .vertical = 1.0, .nwell = 3, .seed = 12};
  hp_amg_options opt = hp_amg_default_options();
  problem P;
  problem_open(&p, &P);
  for (int s = 0; s < HP_AMG_SMOOTHER_COUNT; ++s) {
    hp_amg_device *G;
    hp_amg_device_cycle *C;
    hp_csr_device csr;
    opt.smoother = (hp_amg_smoother)s;
    opt.domain = 200;
    if (!has_device(&opt)) continue;
    CHECK_OK(hp_amg_device_create(device, &opt, &G));
    CHECK_OK(hp_amg_device_cycle_create(device, &opt, &C));
    CHECK_OK(hp_csr_device_from_gh(device, &P.dG, &csr));
    for (int round = 0; round < 2; ++round) {
      CHECK_OK(hp_amg_device_build(G, &csr, p.nwell));
      CHECK_OK(hp_amg_device_cycle_prepare(C, G, &P.dG));
      CHECK_OK(hp_amg_device_cycle_numbers(C));
      CHECK_OK(hp_amg_device_cycle_apply(C, P.db, P.dx));
      CHECK_OK(hp_device_download(device, round == 0 ? P.x : P.y, P.dx, P.G->n * (int64_t)sizeof(double)));
    }
    CHECK(memcmp(P.x, P.y, (size_t)P.G->n * sizeof(double)) == 0);
    const int passes = hp_amg_device_cycle_sweep_passes(C, 0);
    if (s == HP_AMG_BLOCK_JACOBI || s == HP_AMG_L1_JACOBI) CHECK(passes == 1);
    if (s == HP_AMG_COLOURED) CHECK(passes >= 2 && passes <= 4); /* red and black, and the wells' own */
    if (s == HP_AMG_LEVEL_SCHEDULED) CHECK(passes >= 19 + 16 + 14 - 2);
    if (s == HP_AMG_SPAI1) CHECK(passes == 2);
    hp_csr_device_free(device, &csr);
    hp_amg_device_cycle_destroy(&C);
    hp_amg_device_destroy(&G);
  }
  problem_close(&P);
}

static void test_solver(hp_krylov_method method, bool stationary, hp_precision precision, hp_amg_format_kind format) {
  const hp_pressure p = {.nx = small > 0 ? 7 : 21,
                         .ny = small > 0 ? 6 : 30,
                         .nz = small > 0 ? 5 : 17,
                         .sigma = 2.0,
                         .vertical = 0.1,
                         .nwell = 6,
                         .seed = 9};
  hp_amg_solver_options opt = {.amg = hp_amg_default_options(),
                               .stationary = stationary,
                               .method = method,
                               .restart = 20,
                               .tolerance = 1e-8,
                               .max_iterations = 200};
  hp_amg_solver *S;
  hp_amg_device_solver *T;
  hp_krylov_report host, here;
  problem P;
  opt.amg.smoother = HP_AMG_L1_JACOBI;
  opt.amg.precision = precision;
  opt.amg.format = format;
  problem_open(&p, &P);
  CHECK_OK(hp_amg_solver_create(hub, P.F, P.G, p.nwell, &opt, &S));
  CHECK_OK(hp_amg_device_solver_create(device, &P.dG, &opt, &T));
  for (int round = 0; round < 3; ++round) {
    if (round == 1) problem_change(&P);
    CHECK_OK(round == 1 ? hp_amg_solver_refresh(S) : hp_amg_solver_build(S));
    CHECK_OK(round == 1 ? hp_amg_device_solver_refresh(T) : hp_amg_device_solver_build(T));
    CHECK_OK(hp_amg_solver_solve(S, P.b, P.x, NULL, &host));
    CHECK_OK(hp_amg_device_solver_solve(T, P.db, P.dx, NULL, &here));
    CHECK_OK(hp_device_download(device, P.y, P.dx, P.G->n * (int64_t)sizeof(double)));
    CHECK(host.reason == HP_KRYLOV_CONVERGED && here.reason == HP_KRYLOV_CONVERGED);
    CHECK(abs(host.iterations - here.iterations) <= 1 + host.iterations / 10);
    CHECK(difference(&P) < 1e-5);
    if (check_failures > 0)
      fprintf(stderr, "%s, %s, %s, round %d: %d iterations, the CPU %d, difference %.2e\n",
              hp_krylov_method_name(method), hp_precision_name(precision), hp_amg_format_name(format), round,
              here.iterations, host.iterations, difference(&P));
  }
  hp_amg_device_solver_destroy(&T);
  hp_amg_solver_destroy(&S);
  problem_close(&P);
}

static void test_refusals(void) {
  hp_amg_options opt = hp_amg_default_options();
  hp_amg_device_cycle *C;
  opt.smoother = HP_AMG_GAUSS_SEIDEL;
  CHECK(hp_amg_device_cycle_create(device, &opt, &C) == HP_ERR_USAGE && C == NULL);
}

int main(void) {
  const char *how = getenv("HEPTA_TEST_SMALL");
  hp_device_shape shape = hp_device_default_shape();
  small = how != NULL ? atoi(how) : 0;
  if (small > 1) shape.barrier = HP_BARRIER_COOPERATIVE;
  const hp_device_options device_options = {.shape = &shape};
  if (hp_device_create(&device_options, &device) != HP_OK) {
    printf("skipped: %s\n", hp_fail_text());
    return 77;
  }
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  test_cycles();
  test_corners();
  if (small < 2) test_large_last();
  if (small == 0) test_repeated();
  if (small < 2) test_formats();
  for (int s = 0; s < (small > 1 ? 0 : 6); ++s) {
    const hp_precision precision = s % 2 == 0 ? HP_PRECISION_DOUBLE : HP_PRECISION_SINGLE;
    const hp_amg_format_kind format = (hp_amg_format_kind)(s / 2);
    test_solver(HP_KRYLOV_BICGSTAB, false, precision, format);
    test_solver(HP_KRYLOV_GMRES, false, precision, format);
    test_solver(HP_KRYLOV_CG, false, precision, format);
    test_solver(HP_KRYLOV_BICGSTAB, true, precision, format);
  }
  test_refusals();
  hp_team_hub_destroy(&hub);
  hp_device_destroy(&device);
  return check_result();
}
