/* Time steps of a deck on one GPU and on several that work as one, of memory that lies on all of them: the same bits, the same
 * iterations, and on each GPU the memory that was predicted. Where there is one GPU it counts as two, with its arrays in pages. */
#define _DEFAULT_SOURCE
#include <math.h>
#include <time.h>

#include "core/device/ahead.h"
#include "core/device/device.h"
#include "sim/run/run.h"
#include "tests/support/steps.h"

enum { STEPS = 2 };

/* Held on each GPU after the first steps, within a tenth of what was said; levels of a hierarchy that differ from those of the
 * prediction move some of it from one GPU to another, by a tenth of an even share at most. */
static void check_memory(hp_case *c, const hp_run_options *opt, hp_sim *S) {
  hp_sim_memory said;
  hp_linear_report report;
  char where[512];
  double held[HP_GPUS_MAX] = {0.0}, sum = 0.0;
  hp_sim_memory_by_gpu(c, opt, &said);
  CHECK(said.gpus >= 2);
  CHECK_OK(S->backend->linear->ops->report(S->backend->linear, &report));
  for (int g = 0; g < said.gpus; ++g) {
    held[g] = (double)report.gpu_bytes[g];
    sum += held[g];
  }
  CHECK(fabs(sum - (double)report.device_bytes) < 16e6); /* barriers of the others */
  for (int g = 0; g < said.gpus; ++g) {
    /* a small array is a page, on one of the GPUs */
    const double pages = 24.0 * (double)HP_PAGE_BYTES;
    const bool near = fabs((double)said.device_on[g] - held[g]) < 0.1 * held[g] + 0.1 * sum / said.gpus + pages;
    CHECK(near);
    if (!near)
      fprintf(stderr, "GPU %d: %lld bytes were said, %.0f are held\n", said.gpu[g], (long long)said.device_on[g],
              held[g]);
  }
  S->backend->ops->describe(S->backend, where, sizeof where);
  CHECK(strstr(where, "GPUs 0, 1") != NULL && strstr(where, "on GPU 1") != NULL);
}

/* Steps of a tenth and of two tenths of a day. */
static void advance(hp_sim *S, outcome *out) {
  hp_newton_report r = {0};
  memset(out, 0, sizeof *out);
  for (int step = 0; step < STEPS; ++step) {
    const double dt = 8640.0 * (1 + step);
    CHECK_OK(hp_newton_begin(S));
    CHECK_OK(hp_newton_solve(S, dt, &r));
    CHECK(r.converged && r.linear > 0);
    CHECK_OK(hp_newton_accept(S, dt, &r));
    out->newton += r.iterations;
    out->linear += r.linear;
  }
  CHECK(r.max_ds > 0.0);
  steps_copy(S, r.max_ds, out);
}

static void run(hp_case *c, const hp_device_options *device, bool spread, outcome *out) {
  const hp_run_options opt = {.backend = HP_BACKEND_CUDA, .device = device, .command_line = ""};
  hp_sim *S = steps_begin(c, &opt);
  advance(S, out);
  if (spread) check_memory(c, &opt, S);
  hp_sim_destroy(&S);
}

static void test_deck(int nset, const char *const *set, int visible) {
  hp_case *c = steps_deck("spe10_class.cfg", nset, set);
  const hp_device_options one = {.gpus = 1}, halves = {.gpus = 2, .pages = 1, .shake = 3};
  const hp_device_options all = {.gpus = HP_DEVICE_ALL_GPUS};
  outcome alone, other;
  run(c, &one, false, &alone);
  for (int n = 0; n < (visible > 1 ? 2 : 1); ++n) {
    run(c, n == 0 ? &halves : &all, n == 1, &other);
    CHECK(other.n == alone.n && memcmp(other.state, alone.state, (size_t)alone.n * sizeof *alone.state) == 0);
    CHECK(other.newton == alone.newton && other.linear == alone.linear);
    HP_FREE(other.state);
  }
  HP_FREE(alone.state);
  hp_case_destroy(&c);
}

static volatile bool loaded;

static void load_slowly(void) {
  const struct timespec t = {.tv_nsec = 300000000};
  nanosleep(&t, NULL);
  loaded = true;
}

/* Kernels that are loaded while a deck is read are there before several GPUs wait for each other. */
static void test_ahead(void) {
  const hp_device_options two = {.gpus = 2};
  hp_device_ahead *A = NULL;
  hp_device *D = NULL;
  loaded = false;
  CHECK_OK(hp_device_ahead_start(&two, load_slowly, &A));
  CHECK_OK(hp_device_ahead_finish(A, 1000, &D));
  CHECK(loaded && hp_device_gpus(D) == 2);
  hp_device_destroy(&D);
  hp_device_ahead_destroy(&A);
}

int main(void) {
  int visible = 0;
  const hp_status s = hp_device_count(&visible);
  if (s != HP_OK) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  test_ahead();
  if (getenv("HEPTA_TEST_SMALL") != NULL) { /* for a sanitizer */
    const char *set[] = {"grid.size=[12, 14, 5]", "wells.INJ.i=6", "wells.INJ.j=7", "wells.P2.i=12",
                         "wells.P3.i=12",         "wells.P3.j=14", "wells.P4.j=14", "linear.method=gmres"};
    test_deck(7, set, 1);
    test_deck(8, set, 1);
    CHECK(hp_memory_now() == 0);
    return check_result();
  }
  const char *cpr[] = {"grid.size=[60, 220, 40]"};
  const char *dilu[] = {"grid.size=[60, 220, 5]", "linear.preconditioner=dilu", "linear.tolerance=1e-3"};
  const char *gmres[] = {"grid.size=[60, 220, 5]", "linear.method=gmres"};
  test_deck(1, cpr, visible);
  test_deck(3, dilu, visible);
  test_deck(2, gmres, visible);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
