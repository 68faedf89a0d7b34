/* Whole time steps as team programs: assembly, wells, norms, Newton update,
 * linear solve, accepted and withdrawn steps of a bundled deck with 1, 2, 3 and 8
 * members and with ownership of cells rotated from loop to loop; then, with all that a deck can have, by members that stand for
 * two and three GPUs. The state and what is reported of it have the same bits every time;
 * under ThreadSanitizer a missing barrier is reported. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include "core/test_hooks.h"
#include "sim/run/run.h"
#include "tests/support/steps.h"

enum { STEPS = 4 };

static void run(hp_case *c, int threads, uint32_t rotate, int gpus, outcome *out) {
  const hp_run_options opt = {.threads = threads, .command_line = ""};
  char team[64];
  snprintf(team, sizeof team, "%u,0,%d", rotate, gpus);
  CHECK(setenv("HEPTA_TEST_TEAM", team, 1) == 0);
  hp_test_hooks_renew();
  hp_sim *S = steps_begin(c, &opt);
  steps_advance(S, STEPS, out);
  steps_withdraw(S, out);
  hp_sim_destroy(&S);
}

static void check_same(const outcome *plain, outcome *other) {
  CHECK(other->newton == plain->newton && other->linear == plain->linear);
  CHECK(other->n == plain->n && memcmp(other->state, plain->state, (size_t)plain->n * sizeof(double)) == 0);
  HP_FREE(other->state);
}

static void test_case(hp_case *c) {
  static const int sizes[] = {1, 2, 3, 8};
  outcome plain;
  run(c, 1, 0, 0, &plain);
  CHECK(plain.newton > STEPS);
  for (size_t n = check_every(2) > 1; n < sizeof sizes / sizeof *sizes; n += (size_t)check_every(2))
    for (uint32_t rotate = (uint32_t)(n % (size_t)check_every(3)); rotate < 3; rotate += (uint32_t)check_every(3)) {
      outcome other;
      run(c, sizes[n], rotate, 0, &other);
      check_same(&plain, &other);
    }
  HP_FREE(plain.state);
  hp_case_destroy(&c);
}

/* Aquifers, connections, rock that stays compacted, and a well with perforations on all GPUs. */
static void test_gpus(hp_case *c) {
  static const int teams[][2] = {{2, 2}, {3, 2}, {3, 3}, {7, 3}};
  outcome plain;
  run(c, 1, 0, 0, &plain);
  for (uint32_t n = 0; n < sizeof teams / sizeof *teams; n += (uint32_t)check_every(2)) {
    outcome other;
    run(c, teams[n][0], n, teams[n][1], &other);
    check_same(&plain, &other);
  }
  HP_FREE(plain.state);
  hp_case_destroy(&c);
}

int main(void) {
  test_case(steps_schedule("linear.ordering=natural"));
  test_case(steps_schedule("linear.ordering=red-black"));
  test_case(steps_schedule("linear.ordering=bricks"));
  test_case(steps_features("linear.ordering=natural"));
  test_gpus(steps_with_features(true, "linear.preconditioner=cpr"));
  test_gpus(steps_with_features(true, "linear.preconditioner=dilu"));
  return check_result();
}
