/* The linear solver on a GPU against the CPU team: products, transposed
 * products, residuals, preconditioners and whole solves have the same bits, at
 * odd sizes, with inactive cells and wells of every direction, in corners and
 * through one cell, with connections beyond the diagonals, for every barrier, for
 * several launch shapes and with random delays of the blocks. */
#include <stdlib.h>
#include <string.h>

#include "bench/product/device.h"
#include "core/memory.h"
#include "linsolve/krylov/device.h"
#include "linsolve/krylov/precond.inl.h"
#include "linsolve/product/spmv.inl.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

static hp_team_hub *hub;
/* HEPTA_TEST_SMALL: 1, small systems only; 2, two systems, short solves, and only the barrier of cooperative groups,
 * for a sanitizer that writes down every look of a waiting block at shared memory. */
static int small;

typedef struct {
  const hp_gh *A;
  const hp_precond *P;
  const double *x;
  double *y;
  int what;
} operation;

enum { PRODUCT, TRANSPOSED, RESIDUAL, PRECONDITIONER };

static void run_operation(hp_team *t, void *arg) {
  const operation *o = arg;
  if (o->what == PRODUCT) hp_gh_mul(t, o->A, o->x, o->y);
  if (o->what == TRANSPOSED) hp_gh_mul_transposed(t, o->A, o->x, o->y);
  if (o->what == RESIDUAL) hp_gh_residual(t, o->A, o->y, o->x, o->y); /* of y, in its place */
  if (o->what == PRECONDITIONER) hp_krylov_precond_apply(t, o->P, o->A, o->x, o->y);
}

static bool same(const char *what, const hp_gh *A, const double *x, const double *y, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    if (memcmp(&x[i], &y[i], sizeof *x) != 0 && !(x[i] == 0.0 && y[i] == 0.0)) {
      fprintf(stderr, "%s: %d x %d x %d, q = %d, %d wells: entry %lld of %lld: CPU %.17g, GPU %.17g\n", what, A->nx,
              A->ny, A->nz, A->q, A->wells.nwell, (long long)i, (long long)n, x[i], y[i]);
      return false;
    }
  return true;
}

typedef struct {
  hp_gh *A, dA;
  double *x, *y, *back, *dx, *dy;
} bench;

static void open_bench(hp_device *D, hp_gh *A, bench *B) {
  uint64_t seed = 7;
  B->A = A;
  CHECK_OK(hp_gh_device_upload(D, A, &B->dA));
  CHECK_OK(HP_ALLOC(B->x, A->n));
  CHECK_OK(HP_ALLOC(B->y, A->n));
  CHECK_OK(HP_ALLOC(B->back, A->n));
  for (int64_t i = 0; i < A->n; ++i) B->x[i] = matrix_random(&seed);
  CHECK_OK(HP_DEVICE_ALLOC(D, B->dx, A->n));
  CHECK_OK(HP_DEVICE_ALLOC(D, B->dy, A->n));
  CHECK_OK(hp_device_upload(D, B->dx, B->x, A->n * 8));
}

static void close_bench(hp_device *D, bench *B) {
  hp_gh_device_free(D, &B->dA);
  HP_DEVICE_FREE(D, B->dx);
  HP_DEVICE_FREE(D, B->dy);
  HP_FREE(B->x);
  HP_FREE(B->y);
  HP_FREE(B->back);
}

static void compare_operation(hp_device *D, bench *B, int what, const hp_precond *P, hp_krylov_device *K,
                              const char *name) {
  operation o = {B->A, P, B->x, B->y, what};
  if (what == RESIDUAL) {
    for (int64_t i = 0; i < B->A->n; ++i) B->y[i] = 1.0 - 0.5 * B->x[B->A->n - 1 - i];
    CHECK_OK(hp_device_upload(D, B->dy, B->y, B->A->n * 8));
    CHECK_OK(hp_gh_device_residual(D, &B->dA, B->dy, B->dx, B->dy));
  } else if (what == PRECONDITIONER) {
    CHECK_OK(hp_krylov_device_apply(K, &B->dA, B->dx, B->dy));
  } else {
    CHECK_OK(hp_gh_device_product(D, &B->dA, B->dx, B->dy, what == TRANSPOSED));
  }
  CHECK_OK(hp_team_run(hub, run_operation, &o));
  CHECK_OK(hp_device_download(D, B->back, B->dy, B->A->n * 8));
  CHECK(same(name, B->A, B->y, B->back, B->A->n));
}

/* Returns how often the solve started again. */
static int compare_solve(hp_device *D, bench *B, const hp_krylov_options *opt, bool apply) {
  hp_krylov *host;
  hp_krylov_device *device;
  hp_krylov_report r, d;
  char name[160];
  snprintf(name, sizeof name, "%s, %s, %s", hp_krylov_method_name(opt->method), hp_precond_name(opt->preconditioner),
           hp_precision_name(opt->precision));
  CHECK_OK(hp_krylov_create(hub, B->A, opt, &host));
  CHECK_OK(hp_krylov_device_create(D, &B->dA, opt, &device));
  CHECK_OK(hp_krylov_setup(host, B->A));
  CHECK_OK(hp_krylov_device_setup(device, &B->dA));
  if (apply) compare_operation(D, B, PRECONDITIONER, hp_krylov_precond(host), device, name);
  double *hist = NULL, *dhist = NULL;
  CHECK_OK(HP_ALLOC(hist, opt->max_iterations + 1));
  CHECK_OK(HP_ALLOC(dhist, opt->max_iterations + 1));
  CHECK_OK(hp_krylov_solve(host, B->A, B->x, B->y, hist, &r));
  CHECK_OK(hp_krylov_device_solve(device, &B->dA, B->dx, B->dy, dhist, &d));
  CHECK_OK(hp_device_download(D, B->back, B->dy, B->A->n * 8));
  if (r.reason != d.reason || r.iterations != d.iterations)
    fprintf(stderr, "%s: %d x %d x %d: CPU %d its (%s), GPU %d its (%s)\n", name, B->A->nx, B->A->ny, B->A->nz,
            r.iterations, hp_krylov_reason_text(r.reason), d.iterations, hp_krylov_reason_text(d.reason));
  CHECK(r.reason == d.reason && r.iterations == d.iterations && r.restarts == d.restarts);
  CHECK(same(name, B->A, B->y, B->back, B->A->n));
  CHECK(same("history", B->A, hist, dhist, r.iterations + 1));
  HP_FREE(hist);
  HP_FREE(dhist);
  hp_krylov_destroy(&host);
  hp_krylov_device_destroy(&device);
  return r.restarts;
}

static hp_krylov_options options(int method, int kind, hp_precision precision) {
  hp_krylov_options o;
  memset(&o, 0, sizeof o);
  o.method = (hp_krylov_method)method;
  o.preconditioner = (hp_precond_kind)kind;
  o.ordering = kind == HP_PRECOND_DILU ? HP_ORDER_RED_BLACK : HP_ORDER_NATURAL;
  o.precision = precision;
  o.tolerance = 1e-9;
  o.max_iterations = small > 1 ? 6 : 60;
  o.restart = 11;
  return o;
}

static void compare_all(hp_device *D, hp_gh *A) {
  bench B;
  open_bench(D, A, &B);
  compare_operation(D, &B, PRODUCT, NULL, NULL, "product");
  compare_operation(D, &B, TRANSPOSED, NULL, NULL, "transposed product");
  compare_operation(D, &B, RESIDUAL, NULL, NULL, "residual");
  for (int method = 0; method < HP_KRYLOV_COUNT; ++method)
    for (int kind = 0; kind < HP_PRECOND_COUNT; ++kind)
      for (int p = 0; p < (kind == HP_PRECOND_DILU ? 2 : 1); ++p) {
        const hp_krylov_options o = options(method, kind, (hp_precision)p);
        if (hp_krylov_refusal(&o, NULL, HP_SOLVER_GPU) != NULL) continue;
        compare_solve(D, &B, &o, method == 0);
      }
  close_bench(D, &B);
}

static void compare_sizes(hp_device *D) {
  const int size[][5] = {/* nx, ny, nz, q, wells */
                         {1, 1, 1, 2, 0},
                         {1, 1, 31, 2, 1},
                         {33, 1, 1, 2, 2},
                         {1, 597, 1, 2, 3},
                         {3, 199, 1, 1, 2},
                         {7, 5, 9, 2, 6},
                         {8, 8, 8, 2, 0},
                         {13, 11, 10, 2, 9},
                         {6, 7, 5, 3, 4},
                         {5, 4, 6, 8, 3},
                         {4, 3, 5, 16, 2},
                         {20, 20, 21, 2, 40},
                         {31, 33, 7, 2, 12},
                         /* corners: 1, 31, 33, 597 cells in each direction, then more */
                         {1, 1, 1, 2, MATRIX_CORNER_WELLS},
                         {1, 1, 31, 2, MATRIX_CORNER_WELLS},
                         {31, 1, 1, 2, MATRIX_CORNER_WELLS},
                         {1, 33, 1, 2, MATRIX_CORNER_WELLS},
                         {3, 11, 1, 2, MATRIX_CORNER_WELLS},
                         {1, 1, 597, 2, MATRIX_CORNER_WELLS},
                         {199, 1, 3, 2, MATRIX_CORNER_WELLS},
                         {3, 199, 1, 1, MATRIX_CORNER_WELLS},
                         {1, 199, 3, 3, MATRIX_CORNER_WELLS},
                         {7, 5, 9, 2, MATRIX_CORNER_WELLS},
                         {6, 7, 5, 3, MATRIX_CORNER_WELLS},
                         {5, 4, 6, 8, MATRIX_CORNER_WELLS},
                         {4, 3, 5, 15, MATRIX_CORNER_WELLS}};
  for (size_t s = 0; s < sizeof size / sizeof *size; ++s) {
    const int n = size[s][0] * size[s][1] * size[s][2] * size[s][3];
    if ((small > 0 && n > 700) || (small > 1 && (n != 630 || size[s][4] < 0))) continue;
    hp_gh *A;
    for (int spd = 0; spd < 2; ++spd) { /* cg takes the second only */
      CHECK_OK((spd ? matrix_random_spd : matrix_random_gh)(size[s][0], size[s][1], size[s][2], size[s][3], size[s][4],
                                                            0.02, 11 + s, &A));
      compare_all(D, A);
      hp_gh_destroy(&A);
    }
  }
}

/* Connections beyond the diagonals: chunks with and without, with wells and without; every kernel that multiplies. */
static void compare_links(const hp_device_options *base) {
  const int size[][6] = {
      /* nx, ny, nz, q, wells, connections */
      {7, 5, 9, 2, 6, 40}, {8, 8, 8, 2, 0, 1},   {3, 199, 1, 1, 2, 50}, {6, 7, 5, 3, MATRIX_CORNER_WELLS, 30},
      {5, 4, 6, 8, 3, 20}, {5, 3, 5, 15, 0, 30}, {1, 1, 97, 2, 1, 30},  {41, 41, 42, 2, 20, 3000}};
  for (size_t s = 0; s < sizeof size / sizeof *size; ++s)
    for (int wide = 0; wide < 2; ++wide)
      for (int spd = 0; spd < 2; ++spd) { /* cg takes the second only */
        const int *n = size[s];
        if (small > 0 && (n[0] * n[1] * n[2] * n[3] > 700 || (small > 1 && s > 0))) continue;
        hp_gh *A;
        hp_device *D;
        hp_device_options opt = *base;
        hp_device_shape shape = *base->shape;
        shape.wide = wide == 1;
        opt.shape = &shape;
        CHECK_OK(hp_device_create(&opt, &D));
        CHECK_OK((spd ? matrix_random_spd : matrix_random_gh)(n[0], n[1], n[2], n[3], n[4], 0.02, 41 + s, &A));
        CHECK_OK(matrix_add_links(A, n[5], spd == 1, 3 + s));
        CHECK(hp_gh_is_linked(A));
        compare_all(D, A);
        /* other numbers in the same places */
        bench B;
        open_bench(D, A, &B);
        for (int64_t e = 0; e < A->links.count * A->q * A->q; ++e) A->link[e] *= 0.5;
        CHECK_OK(hp_gh_device_upload_values(D, A, &B.dA));
        compare_operation(D, &B, PRODUCT, NULL, NULL, "product with other numbers");
        close_bench(D, &B);
        hp_gh_destroy(&A);
        hp_device_destroy(&D);
      }
}

/* A harder one, on every barrier, shape, with and without delays. */
static void compare_shapes(const hp_device_options *base) {
  hp_gh *A;
  CHECK_OK(matrix_flow(small > 0 ? 9 : 30, 31, 8, 5, 4.0, 1e-2, 5, &A));
  for (int barrier = small > 1 ? HP_BARRIER_COOPERATIVE : 0; barrier < HP_BARRIER_COUNT; ++barrier)
    for (int variant = 0; variant < 4; ++variant) {
      hp_device *D;
      hp_device_options opt = *base;
      hp_device_shape shape = hp_device_default_shape();
      shape.barrier = (hp_barrier_kind)barrier;
      shape.blocks = variant == 1 ? 1 : 2;
      shape.chip = variant == 0 ? HP_CHIP_MAX : 3 - variant;
      shape.recompute = variant != 2;
      shape.wide = variant != 3;
      shape.unroll = 1 << variant % 3;
      shape.delay = variant == 2 ? 100 : 0;
      opt.shape = &shape;
      opt.shake = variant == 3 ? 77 : 0;
      CHECK_OK(hp_device_create(&opt, &D));
      bench B;
      open_bench(D, A, &B);
      const hp_krylov_options o = options(HP_KRYLOV_BICGSTAB, HP_PRECOND_DILU, HP_PRECISION_SINGLE);
      compare_solve(D, &B, &o, true);
      close_bench(D, &B);
      hp_device_destroy(&D);
    }
  hp_gh_destroy(&A);
}

/* Vectors on chip: none, some, all that fit; of the basis of gmres some do not. Where chunks are more than warps, a
 * warp has several. */
static void compare_chips(const hp_device_options *base) {
  static const int chips[] = {0, 1, 2, HP_CHIP_MAX}, size[][4] = {{13, 11, 10, 9}, {41, 41, 42, 20}, {40, 31, 33, 0}};
  for (size_t s = 0; s < sizeof size / sizeof *size; ++s)
    for (int spd = 0; spd < 2; ++spd) { /* cg takes the second only */
      hp_gh *A;
      if (small > 0 && s > 0) continue;
      CHECK_OK((spd ? matrix_random_spd : matrix_random_gh)(size[s][0], size[s][1], size[s][2], s == 2 ? 1 : 2,
                                                            size[s][3], 0.02, 23 + s, &A));
      for (size_t c = 0; c < sizeof chips / sizeof *chips; ++c) {
        hp_device *D;
        hp_device_options opt = *base;
        hp_device_shape shape = *base->shape;
        shape.chip = chips[c];
        opt.shape = &shape;
        CHECK_OK(hp_device_create(&opt, &D));
        bench B;
        open_bench(D, A, &B);
        for (int method = 0; method < HP_KRYLOV_COUNT; ++method)
          for (int kind = 0; kind < HP_PRECOND_COUNT; ++kind) {
            hp_krylov_options o = options(method, kind, HP_PRECISION_DOUBLE);
            o.tolerance = 1e-14;
            o.max_iterations = small > 1 ? 6 : 24;
            o.restart = 20;
            if (spd == 1 || method != HP_KRYLOV_CG) compare_solve(D, &B, &o, false);
          }
        close_bench(D, &B);
        hp_device_destroy(&D);
      }
      hp_gh_destroy(&A);
    }
}

/* The true residual and new starts inside the kernel: breakdowns at once, and a tolerance that rounding errors keep
 * the methods from, so that they start again with an iterate. */
static void compare_restarts(hp_device *D) {
  static const int which[HP_KRYLOV_COUNT] = {
      [HP_KRYLOV_BICGSTAB] = 0, [HP_KRYLOV_GMRES] = 2, [HP_KRYLOV_TFQMR] = 0, [HP_KRYLOV_QMR] = 0, [HP_KRYLOV_CG] = 1};
  for (int method = 0; method < HP_KRYLOV_COUNT; ++method) {
    hp_krylov_options o = options(method, HP_PRECOND_NONE, HP_PRECISION_DOUBLE);
    hp_gh *A;
    bench B;
    double b[2];
    CHECK_OK(matrix_breakdown(which[method], &A, b));
    open_bench(D, A, &B);
    memcpy(B.x, b, sizeof b);
    CHECK_OK(hp_device_upload(D, B.dx, B.x, 16));
    CHECK(compare_solve(D, &B, &o, false) == 2);
    close_bench(D, &B);
    hp_gh_destroy(&A);
    if (small > 1) continue;
    CHECK_OK(matrix_random_spd(small > 0 ? 7 : 21, 9, 8, 2, 4, 1e-4, 31, &A));
    open_bench(D, A, &B);
    for (int kind = 0; kind < HP_PRECOND_COUNT; kind += HP_PRECOND_DILU) {
      o = options(method, kind, HP_PRECISION_DOUBLE);
      o.tolerance = 1e-18;
      o.max_iterations = 2000;
      CHECK(compare_solve(D, &B, &o, false) > 0);
    }
    close_bench(D, &B);
    hp_gh_destroy(&A);
  }
}

int main(void) {
  hp_device *D;
  hp_device_options opt;
  memset(&opt, 0, sizeof opt);
  if (getenv("HEPTA_TEST_SMALL") != NULL) small = atoi(getenv("HEPTA_TEST_SMALL"));
  hp_device_shape shape = hp_device_default_shape();
  if (small > 1) shape.barrier = HP_BARRIER_COOPERATIVE;
  opt.shape = &shape;
  const hp_status s = hp_device_create(&opt, &D);
  if (s != HP_OK) {
    printf("skipped: %s\n", hp_fail_text());
    return 77;
  }
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  compare_sizes(D);
  compare_restarts(D);
  CHECK(hp_device_barriers(D) > 0);
  hp_device_destroy(&D);
  compare_links(&opt);
  compare_shapes(&opt);
  compare_chips(&opt);
  hp_team_hub_destroy(&hub);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
