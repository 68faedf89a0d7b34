/* Products with matrices of stencils on a GPU (linsolve/sgdia/device.h): every variant of SG-DIA gives the CPU's bits, and
 * so does dia; csr, by hepta and by cuSPARSE, is near; star and box, open and periodic, both precisions.
 * HEPTA_TEST_SMALL: fewer variants, for a sanitizer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "linsolve/generators/family.h"
#include "linsolve/sgdia/device.h"
#include "linsolve/sgdia/multiply.inl.h"
#include "tests/support/check.h"

static hp_team_hub *hub;
static hp_device *device;
static bool small;

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
  for (int k = 0; shape_of(k, &s); k += small ? 5 : 1) {
    if (!hp_sgdia_shape_fits(A, &s)) continue;
    CHECK_OK(hp_sgdia_timing_result(T, &s, y));
    tried += 1;
    if (memcmp(y, right, bytes) != 0 && wrong++ == 0)
      fprintf(stderr, "%d points, q = %d, %s: other bits with %d threads, %d blocks, unroll %d, loads %d, shared %d\n",
              A->points, A->q, A->periodic ? "periodic" : "open", s.threads, s.blocks, s.unroll, (int)s.loads,
              s.shared);
  }
  CHECK(wrong == 0 && tried > (small ? 20 : 100));
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
  check_rows(A, R, true, x, right, y);
  hp_sgdia_rows_destroy(&R);
  hp_sgdia_destroy(&A);
  HP_FREE(numbers);
  hp_free(&x);
  hp_free(&y);
  hp_free(&right);
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

int main(void) {
  static const int sizes[][3] = {{13, 9, 11}, {67, 45, 1}, {3, 3, 3}, {300, 1, 7}};
  static const int qs[] = {1, 2, 3, 5};
  small = getenv("HEPTA_TEST_SMALL") != NULL;
  const hp_status s = hp_device_create(NULL, &device);
  if (s == HP_ERR_UNSUPPORTED || s == HP_ERR_DEVICE) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  CHECK_OK(s);
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  for (size_t k = 0; k < 4; ++k)
    for (int variant = 0; variant < 8; ++variant)
      for (int q = 0; q < (small ? 2 : 4); ++q)
        test_matrix((hp_sgdia_kind)(variant & 1), sizes[k], qs[q], (variant & 2) != 0, (variant & 4) != 0);
  test_times();
  hp_team_hub_destroy(&hub);
  hp_device_destroy(&device);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
