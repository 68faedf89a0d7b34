/* Memory in pages of several GPUs (core/device/pages.h): what is copied across borders of pieces, cleared and read by kernels is
 * what it would be in one piece. One GPU counts as two or three, and several that are there are taken, too. */
#include <stdlib.h>
#include <string.h>

#include "bench/generators/family.h"
#include "bench/product/device.h"
#include "core/device/device.h"
#include "core/memory.h"
#include "linsolve/krylov/device.h"
#include "linsolve/krylov/krylov.h"
#include "linsolve/matrix/device.h"
#include "tests/support/check.h"

enum { BYTES = 23 * 1000 * 1000 + 11, SPANS = 40 };

static hp_device *device;
static uint8_t *host, *mirror, *back; /* [BYTES] */

static uint32_t draw(uint32_t *state) { return *state = *state * 1664525u + 1013904223u; }

static int64_t span(uint32_t *state, int64_t *at) {
  *at = draw(state) % BYTES;
  const int64_t left = BYTES - *at, n = draw(state) % (draw(state) % 2 ? 5000 : BYTES);
  return n < left ? n : left;
}

static hp_status make(const hp_owned *a, uint8_t **out) {
  return hp_device_alloc_owned(device, (void **)out, a, "a test's array");
}

static void compare(const uint8_t *array) {
  CHECK_OK(hp_device_download(device, back, array, BYTES));
  CHECK(memcmp(back, mirror, BYTES) == 0);
}

/* Parts at random places go there and back, from one array to another, and are cleared. */
static void test_copies(const hp_owned *a) {
  uint8_t *one = NULL, *two = NULL;
  uint32_t state = 1;
  CHECK_OK(make(a, &one));
  CHECK_OK(make(a, &two));
  memset(mirror, 0, BYTES);
  compare(one); /* comes cleared */
  for (int64_t n = 0; n < BYTES; ++n) host[n] = (uint8_t)(draw(&state) >> 24);
  CHECK_OK(hp_device_upload(device, one, host, BYTES));
  memcpy(mirror, host, BYTES);
  compare(one);
  for (int n = 0; n < SPANS; ++n) {
    int64_t at, to;
    int64_t bytes = span(&state, &at);
    CHECK_OK(hp_device_upload(device, one + at, host, bytes));
    memcpy(mirror + at, host, (size_t)bytes);
    bytes = span(&state, &at);
    CHECK_OK(hp_device_download(device, back, one + at, bytes));
    CHECK(memcmp(back, mirror + at, (size_t)bytes) == 0);
    bytes = span(&state, &at);
    CHECK_OK(hp_device_zero(device, one + at, bytes));
    memset(mirror + at, 0, (size_t)bytes);
    bytes = span(&state, &at); /* by way of the other array, at another distance from its borders */
    to = draw(&state) % (uint32_t)(BYTES - bytes + 1);
    CHECK_OK(hp_device_copy(device, two + to, one + at, bytes));
    CHECK_OK(hp_device_copy(device, one + at, two + to, bytes));
  }
  compare(one);
  HP_DEVICE_FREE(device, one);
  HP_DEVICE_FREE(device, two);
  CHECK(one == NULL && two == NULL);
}

static int64_t held_on_all(void) {
  int gpu[HP_GPUS_MAX];
  int64_t whole = 0, held, was_free;
  for (int g = hp_device_gpu_list(device, gpu) - 1; g >= 0; --g) {
    hp_device_gpu_memory(device, gpu[g], &held, &was_free);
    CHECK(held >= 0 && held < was_free);
    whole += held;
  }
  return whole;
}

/* Bytes held on all GPUs grow by those held in all, and shrink again. */
static void test_counts(const hp_owned *a) {
  uint8_t *array = NULL;
  const int64_t before = held_on_all(), held = hp_device_bytes(device);
  CHECK_OK(make(a, &array));
  const int64_t whole = held_on_all() - before;
  CHECK(whole == hp_device_bytes(device) - held && whole >= BYTES && whole < BYTES + 2 * HP_PAGE_BYTES);
  HP_DEVICE_FREE(device, array);
  CHECK(hp_device_bytes(device) == held && held_on_all() == before);
}

static void fill(double *x, int64_t n) {
  uint32_t state = 5;
  for (int64_t i = 0; i < n; ++i) x[i] = (double)draw(&state) / 4294967296.0 - 0.5;
}

/* y = A x by the team, bit for bit that of memory in one piece. */
static void multiply(const hp_gh *A, hp_device *D, const double *x, double *y) {
  hp_gh dA;
  double *dx = NULL, *dy = NULL;
  CHECK_OK(hp_gh_device_upload(D, A, &dA));
  CHECK_OK(HP_DEVICE_ALLOC(D, dx, A->n));
  CHECK_OK(HP_DEVICE_ALLOC(D, dy, A->n));
  CHECK_OK(hp_device_upload(D, dx, x, A->n * 8));
  CHECK_OK(hp_gh_device_product(D, &dA, dx, dy, false));
  CHECK_OK(hp_device_download(D, y, dy, A->n * 8));
  HP_DEVICE_FREE(D, dx);
  HP_DEVICE_FREE(D, dy);
  hp_gh_device_free(D, &dA);
}

static void solve(const hp_gh *A, hp_device *D, const double *b, double *x, hp_krylov_report *report) {
  const hp_krylov_options opt = {.method = HP_KRYLOV_BICGSTAB,
                                 .preconditioner = HP_PRECOND_DILU,
                                 .ordering = HP_ORDER_RED_BLACK,
                                 .tolerance = 1e-8,
                                 .max_iterations = 200};
  hp_krylov_device *K = NULL;
  hp_gh dA;
  double *db = NULL, *dx = NULL;
  CHECK_OK(hp_gh_device_upload(D, A, &dA));
  CHECK_OK(HP_DEVICE_ALLOC(D, db, A->n));
  CHECK_OK(HP_DEVICE_ALLOC(D, dx, A->n));
  CHECK_OK(hp_device_upload(D, db, b, A->n * 8));
  CHECK_OK(hp_krylov_device_create(D, &dA, &opt, &K));
  CHECK_OK(hp_krylov_device_setup(K, &dA));
  CHECK_OK(hp_krylov_device_solve(K, &dA, db, dx, NULL, report));
  CHECK_OK(hp_device_download(D, x, dx, A->n * 8));
  hp_krylov_device_destroy(&K);
  HP_DEVICE_FREE(D, db);
  HP_DEVICE_FREE(D, dx);
  hp_gh_device_free(D, &dA);
}

static void test_kernels(void) {
  const hp_family f = hp_family_default(48, 40, 36, 2);
  const hp_device_options alone = {.gpus = 1};
  hp_gh *A = NULL;
  hp_device *one = NULL;
  double *x = NULL, *y = NULL, *expected = NULL;
  hp_krylov_report here = {0}, there = {0};
  CHECK_OK(hp_family_create(&f, &A));
  CHECK_OK(HP_ALLOC(x, A->n));
  CHECK_OK(HP_ALLOC(y, A->n));
  CHECK_OK(HP_ALLOC(expected, A->n));
  CHECK_OK(hp_device_create(&alone, &one));
  fill(x, A->n);
  multiply(A, one, x, expected);
  multiply(A, device, x, y);
  CHECK(memcmp(y, expected, (size_t)A->n * 8) == 0);
  solve(A, one, x, expected, &there);
  solve(A, device, x, y, &here);
  CHECK(here.reason == HP_KRYLOV_CONVERGED && here.iterations == there.iterations);
  CHECK(memcmp(y, expected, (size_t)A->n * 8) == 0);
  hp_device_destroy(&one);
  hp_gh_destroy(&A);
  HP_FREE(x);
  HP_FREE(y);
  HP_FREE(expected);
}

static void test_on(const hp_device_options *opt) {
  CHECK_OK(hp_device_create(opt, &device));
  if (device == NULL) return;
  const hp_owned plain = hp_owned_plain(BYTES, 1);
  const hp_owned planes = {(BYTES - 5) / 14 / 8 + 3, (BYTES - 5) / 14 / 8, 8, (BYTES - 5) / 14 / 8 * 8, 14, 0};
  hp_owned rest = planes;
  rest.rest = BYTES - hp_owned_bytes(&planes);
  CHECK(hp_owned_bytes(&rest) == BYTES);
  test_copies(&plain);
  test_copies(&rest);
  test_counts(&plain);
  test_counts(&rest);
  test_kernels();
  hp_device_destroy(&device);
}

/* No room for a part of an array: said, and nothing is left behind. */
static void test_limit(void) {
  const hp_device_options opt = {.gpus = 2, .pages = 1, .memory_limit = 40 << 20};
  uint8_t *one = NULL, *two = NULL;
  const hp_owned plain = hp_owned_plain(BYTES, 1);
  CHECK_OK(hp_device_create(&opt, &device));
  CHECK_OK(make(&plain, &one));
  const int64_t held = hp_device_bytes(device);
  CHECK(make(&plain, &two) == HP_ERR_MEMORY && two == NULL && hp_device_bytes(device) == held);
  HP_DEVICE_FREE(device, one);
  CHECK_OK(make(&plain, &two));
  HP_DEVICE_FREE(device, two);
  hp_device_destroy(&device);
}

int main(void) {
  int visible;
  const hp_device_options one = {0};
  const hp_status s = hp_device_create(&one, &device);
  hp_device_destroy(&device);
  if (s != HP_OK) {
    fprintf(stderr, "skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  CHECK_OK(HP_ALLOC(host, BYTES));
  CHECK_OK(HP_ALLOC(mirror, BYTES));
  CHECK_OK(HP_ALLOC(back, BYTES));
  const hp_device_options halves[] = {
      {.pages = 1}, {.gpus = 2, .pages = 1}, {.gpus = 2, .pages = 3}, {.gpus = 3, .pages = 1000}};
  const bool small = getenv("HEPTA_TEST_SMALL") != NULL; /* a sanitizer may run one kernel at a time */
  for (size_t n = 0; n < (small ? 1 : sizeof halves / sizeof *halves); ++n) test_on(&halves[n]);
  if (!small) test_limit();
  CHECK_OK(hp_device_count(&visible));
  const hp_device_options all = {.gpus = HP_DEVICE_ALL_GPUS};
  if (visible > 1 && !small) test_on(&all);
  HP_FREE(host);
  HP_FREE(mirror);
  HP_FREE(back);
  return check_result();
}
