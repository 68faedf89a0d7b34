/* Products with matrices of stencils on a GPU (linsolve/sgdia/device.h): every variant of SG-DIA gives the CPU's bits, and
 * so does dia; csr, by hepta and by cuSPARSE, is near; star and box, open and periodic, both precisions; solves with the
 * matrix in SG-DIA have the same bits with each variant.
 * HEPTA_TEST_SMALL, for a sanitizer: fewer variants; 2, hardly any. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/generators/family.h"
#include "bench/sgdia/device.h"
#include "bench/sgdia/multiply.inl.h"
#include "core/memory.h"
#include "linsolve/matrix/device.h"
#include "tests/support/device_solve.h"

static hp_team_hub *hub;
static hp_device *device;
static int small;

typedef struct {
  const hp_sgdia *A;
  const void *x;
  void *y;
} job;

static void body(hp_team *t, void *arg) {
  const job *j = arg;
  hp_sgdia_multiply(t, j->A, j->x, j->y);
}

static bool shape_of(int number, hp_kernel_shape *s) {
  static const int threads[] = {64, 128, 512}, blocks[] = {0, 1, 4};
  *s = hp_kernel_default_shape();
  s->threads = threads[number % 3];
  s->blocks = blocks[number / 3 % 3];
  s->unroll = 1 << number / 9 % 4;
  s->loads = (hp_kernel_loads)(number / 36 % 3);
  s->shared = number / 108 % 2 != 0;
  s->streams = 1;
  s->last = false;
  return number < 216;
}

static double number(const hp_sgdia *A, const void *v, int64_t i) {
  return A->single ? (double)((const float *)v)[i] : ((const double *)v)[i];
}

static void check_variants(const hp_sgdia *A, const void *x, const void *right, void *y) {
  const size_t bytes = (size_t)A->n * (A->single ? sizeof(float) : sizeof(double));
  hp_sgdia_timing *T = NULL;
  hp_kernel_shape s;
  int wrong = 0, tried = 0;
  CHECK_OK(hp_sgdia_timing_create(device, A, NULL, false, x, false, &T));
  for (int k = 0; shape_of(k, &s); k += small == 2 ? 41 : small == 1 ? 5 : 1) {
    if (!hp_sgdia_shape_fits(A, &s)) continue;
    CHECK_OK(hp_sgdia_timing_result(T, &s, y));
    tried += 1;
    if (memcmp(y, right, bytes) != 0 && wrong++ == 0)
      fprintf(stderr, "%d points, q = %d, %s: other bits with %d threads, %d blocks, unroll %d, loads %d, shared %d\n",
              A->points, A->q, A->periodic ? "periodic" : "open", s.threads, s.blocks, s.unroll, (int)s.loads,
              s.shared);
  }
  CHECK(wrong == 0 && tried > (small == 2 ? 2 : small == 1 ? 20 : 100));
  hp_sgdia_timing_destroy(&T);
}

static void check_rows(const hp_sgdia *A, const hp_sgdia_rows *R, bool library, const void *x, const void *right,
                       void *y) {
  hp_sgdia_timing *T = NULL;
  double worst = 0.0;
  CHECK_OK(hp_sgdia_timing_create(device, A, R, library, x, false, &T));
  CHECK_OK(hp_sgdia_timing_result(T, NULL, y));
  for (int64_t i = 0; i < A->n; ++i) {
    const double d = fabs(number(A, y, i) - number(A, right, i));
    if (!(d <= worst)) worst = d;
  }
  CHECK(worst <= (A->single ? 1e-4 : 1e-12) * A->points * A->q);
  hp_sgdia_timing_destroy(&T);
}

static void test_matrix(hp_sgdia_kind kind, const int size[3], int q, bool periodic, bool single) {
  hp_sgdia *A = NULL;
  hp_sgdia_rows *R = NULL;
  void *x = NULL, *y = NULL, *right = NULL;
  double *numbers = NULL;
  const size_t real = single ? sizeof(float) : sizeof(double);
  CHECK_OK(hp_sgdia_create(kind, size, q, periodic, single, 3, &A));
  CHECK_OK(hp_alloc(&x, A->n, real, "x"));
  CHECK_OK(hp_alloc(&y, A->n, real, "y"));
  CHECK_OK(hp_alloc(&right, A->n, real, "right"));
  CHECK_OK(HP_ALLOC(numbers, A->n));
  hp_family_vector(9, A->n, numbers);
  for (int64_t i = 0; i < A->n; ++i) {
    if (single) ((float *)x)[i] = (float)numbers[i];
    else ((double *)x)[i] = numbers[i];
  }
  CHECK_OK(hp_team_run(hub, body, &(job){A, x, right}));
  check_variants(A, x, right, y);
  CHECK_OK(hp_sgdia_to_dia(A, 0, &R));
  check_rows(A, R, false, x, right, y);
  hp_sgdia_rows_destroy(&R);
  CHECK_OK(hp_sgdia_to_csr(A, 0, &R));
  check_rows(A, R, false, x, right, y);
  if (small != 2) check_rows(A, R, true, x, right, y);
  hp_sgdia_rows_destroy(&R);
  hp_sgdia_destroy(&A);
  HP_FREE(numbers);
  hp_free(&x);
  hp_free(&y);
  hp_free(&right);
}

/* The build's kernel compiled again with each option: the same bits. */
static void test_compiled(void) {
  const int size[3] = {13, 9, 11};
  hp_sgdia *A = NULL;
  hp_sgdia_timing *T = NULL;
  double *x = NULL, *y = NULL, *right = NULL;
  CHECK_OK(hp_sgdia_create(HP_SGDIA_BOX, size, 2, true, false, 3, &A));
  CHECK_OK(HP_ALLOC(x, A->n));
  CHECK_OK(HP_ALLOC(y, A->n));
  CHECK_OK(HP_ALLOC(right, A->n));
  hp_family_vector(9, A->n, x);
  CHECK_OK(hp_team_run(hub, body, &(job){A, x, right}));
  CHECK_OK(hp_sgdia_timing_create(device, A, NULL, false, x, false, &T));
  for (int c = 0; c < HP_COMPILE_COUNT; ++c)
    for (int loads = 0; loads < HP_LOADS_COUNT; ++loads) {
      hp_kernel_shape s = hp_kernel_default_shape();
      double seconds = 0.0;
      s.compile = (hp_kernel_compile)c;
      s.loads = (hp_kernel_loads)loads;
      s.shared = loads == 2;
      s.threads = 64;
      const hp_status done = hp_sgdia_timing_result(T, &s, y);
      if (done == HP_ERR_UNSUPPORTED && c != HP_COMPILE_BUILD) {
        printf("not compiled: %s\n", hp_fail_text());
        continue;
      }
      CHECK_OK(done);
      CHECK(memcmp(y, right, (size_t)A->n * sizeof *y) == 0);
      CHECK_OK(hp_sgdia_timing_measure(T, &s, 3, &seconds));
      CHECK(seconds > 1e-7 && seconds < (small == 2 ? 10.0 : 1e-2));
    }
  hp_sgdia_timing_destroy(&T);
  hp_sgdia_destroy(&A);
  HP_FREE(x);
  HP_FREE(y);
  HP_FREE(right);
}

/* Times are positive, in the caches and out of them; a shape whose tile does not fit is refused. */
static void test_times(void) {
  const int size[3] = {20, 20, 20};
  hp_sgdia *A = NULL;
  double *x = NULL, seconds = 0.0;
  CHECK_OK(hp_sgdia_create(HP_SGDIA_BOX, size, 8, false, false, 3, &A));
  CHECK_OK(HP_ALLOC(x, A->n));
  hp_family_vector(9, A->n, x);
  for (int cold = 0; cold < 2; ++cold) {
    hp_sgdia_timing *T = NULL;
    hp_kernel_shape s = hp_sgdia_untuned_shape();
    CHECK_OK(hp_sgdia_timing_create(device, A, NULL, false, x, cold != 0, &T));
    CHECK_OK(hp_sgdia_timing_measure(T, &s, 3, &seconds));
    CHECK(seconds > 1e-7 && seconds < 1e-2);
    s.threads = 512;
    s.loads = HP_LOADS_WIDE;
    s.shared = true;
    CHECK(hp_sgdia_timing_measure(T, &s, 3, &seconds) == HP_ERR_USAGE);
    hp_sgdia_timing_destroy(&T);
  }
  hp_sgdia_destroy(&A);
  HP_FREE(x);
}

/* ---- solves ---- */

static void solve(const hp_gh *A, hp_execution_kind execution, double *x) {
  const hp_linear_options o = {.krylov = {.method = HP_KRYLOV_BICGSTAB,
                                          .preconditioner = HP_PRECOND_JACOBI,
                                          .execution = execution,
                                          .matrix = HP_SPARSE_SGDIA,
                                          .tolerance = 1e-10,
                                          .max_iterations = 40,
                                          .restart = 1}};
  device_solve(device, A, &o, x);
}

/* linear.matrix = "sg-dia" with tuned launches has the bits of the product that is not tuned; wells, and an odd number of
 * rows. */
static void test_solves(int nx, int ny, int nz, int q) {
  hp_gh *A = NULL, D;
  hp_family f = hp_family_default(nx, ny, nz, q);
  double *right = NULL, *x = NULL;
  char name[HP_SGDIA_NAME_MAX];
  hp_kernel_shape s;
  CHECK_OK(hp_family_create(&f, &A));
  CHECK_OK(hp_gh_device_upload(device, A, &D));
  CHECK_OK(HP_ALLOC(right, A->n));
  CHECK_OK(HP_ALLOC(x, A->n));
  snprintf(name, sizeof name, "sg-dia star %dd q%d double open", (nx > 1) + (ny > 1) + (nz > 1), q);
  solve(&D, HP_EXECUTION_PER_OPERATION, right);
  for (int k = 0; shape_of(k, &s); k += small == 2 ? 97 : small == 1 ? 17 : 5) {
    CHECK_OK(hp_device_set_kernel(device, name, A->n, &s));
    /* memcheck cannot look into graphs (docs/developer/checking.md) */
    solve(&D, small != 0 || k % 2 == 0 ? HP_EXECUTION_PER_OPERATION : HP_EXECUTION_GRAPH, x);
    CHECK(memcmp(x, right, (size_t)A->n * sizeof *x) == 0);
  }
  HP_FREE(right);
  HP_FREE(x);
  hp_gh_device_free(device, &D);
  hp_gh_destroy(&A);
}

int main(void) {
  static const int sizes[][3] = {{13, 9, 11}, {67, 45, 1}, {3, 3, 3}, {300, 1, 7}};
  static const int qs[] = {1, 2, 3, 5};
  small = getenv("HEPTA_TEST_SMALL") != NULL ? atoi(getenv("HEPTA_TEST_SMALL")) : 0;
  const hp_status s = hp_device_create(NULL, &device);
  if (s == HP_ERR_UNSUPPORTED || s == HP_ERR_DEVICE) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  CHECK_OK(s);
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  for (size_t k = 0; k < 4; ++k)
    for (int variant = 0; variant < 8; ++variant)
      for (int q = 0; q < (small != 0 ? 2 : 4); ++q)
        test_matrix((hp_sgdia_kind)(variant & 1), sizes[k], qs[q], (variant & 2) != 0, (variant & 4) != 0);
  if (small != 2) test_times();
  test_compiled();
  test_solves(7, 9, 11, 2);
  test_solves(7, 9, 11, 1);
  test_solves(1, 13, 17, 3);
  test_solves(15, 21, 1, 2);
  hp_team_hub_destroy(&hub);
  hp_device_destroy(&device);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
