/* Whole time steps as team programs: assembly, wells, norms, Newton update,
 * linear solve, accepted and withdrawn steps of a bundled deck with 1, 2, 3 and 8
 * members and with ownership of cells rotated from loop to loop. The state and
 * what is reported of it have the same bits every time;
 * under ThreadSanitizer a missing barrier is reported. */
#include "sim/run/run.h"
#include "tests/support/steps.h"

enum { STEPS = 4 };

static void run(const hp_case *c, int threads, uint32_t rotate, outcome *out) {
  const hp_run_options opt = {.threads = threads, .rotate = rotate, .command_line = ""};
  hp_sim *S = steps_begin(c, &opt);
  steps_advance(S, STEPS, out);
  steps_withdraw(S, out);
  hp_sim_destroy(&S);
}

static void test_case(hp_case *c) {
  static const int sizes[] = {1, 2, 3, 8};
  outcome plain;
  run(c, 1, 0, &plain);
  CHECK(plain.newton > STEPS);
  for (size_t n = 0; n < sizeof sizes / sizeof *sizes; ++n)
    for (uint32_t rotate = 0; rotate < 3; ++rotate) {
      outcome other;
      run(c, sizes[n], rotate, &other);
      CHECK(other.newton == plain.newton && other.linear == plain.linear);
      CHECK(other.n == plain.n && memcmp(other.state, plain.state, (size_t)plain.n * sizeof(double)) == 0);
      HP_FREE(other.state);
    }
  HP_FREE(plain.state);
  hp_case_destroy(&c);
}

int main(void) {
  test_case(steps_schedule("linear.ordering=natural"));
  test_case(steps_schedule("linear.ordering=red-black"));
  test_case(steps_schedule("linear.ordering=bricks"));
  test_case(steps_features("linear.ordering=natural"));
  return check_result();
}
