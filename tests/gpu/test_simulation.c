/* Whole time steps on a GPU against the CPU team with the same order of
 * elimination: state, wells, rates and what is in place have the same bits, for
 * every barrier, for several launch shapes and with random delays of the
 * blocks. Steps that are withdrawn leave nothing behind. A GPU that is too small at
 * the start, runs out of memory later or fails ends the run with an error; what was
 * written stays readable, and nothing is left in memory. Heads in the wellbore are
 * those of tests/support/heads.h. */
#define _DEFAULT_SOURCE
#include <unistd.h>

#include "sim/report/progress.h"
#include "sim/run/run.h"
#include "sim/simulator/well_paths.h"
#include "tests/support/heads.h"
#include "tests/support/steps.h"

enum { STEPS = 4 };

/* HEPTA_TEST_SMALL, for a sanitizer: 1, fewer runs; 2, a step of two decks with the barrier of cooperative groups. */
static int small;

static bool same_bits(const outcome *a, const outcome *b) {
  for (int64_t i = 0; i < a->n; ++i)
    if (memcmp(&a->state[i], &b->state[i], sizeof(double)) != 0 && !(a->state[i] == 0.0 && b->state[i] == 0.0)) {
      fprintf(stderr, "entry %lld of %lld: %.17g and %.17g\n", (long long)i, (long long)a->n, a->state[i], b->state[i]);
      return false;
    }
  return a->newton == b->newton && a->linear == b->linear;
}

static void run(hp_case *c, hp_backend_kind kind, const hp_device_options *device, outcome *out) {
  const hp_run_options opt = {.backend = kind, .device = device, .threads = 2, .command_line = ""};
  hp_sim *S = steps_begin(c, &opt);
  steps_advance(S, small > 1 ? 1 : STEPS, out);
  if (small < 2) steps_withdraw(S, out);
  hp_sim_destroy(&S);
}

static void test_parity(hp_case *c) {
  outcome cpu, other;
  run(c, HP_BACKEND_CPU, NULL, &cpu);
  CHECK(cpu.newton > (small > 1 ? 1 : STEPS));
  for (int barrier = 0; barrier < (small ? 1 : HP_BARRIER_COUNT); ++barrier)
    for (int fewer = small > 1 ? 1 : 0; fewer < 2; ++fewer) { /* then fewer blocks, with random delays */
      hp_device_shape shape = hp_device_default_shape();
      shape.barrier = small > 1 ? HP_BARRIER_COOPERATIVE : (hp_barrier_kind)barrier;
      if (fewer) shape.blocks = 1, shape.chip = 1;
      const hp_device_options device = {.shape = &shape, .shake = fewer ? 7u + (uint32_t)barrier : 0u};
      run(c, HP_BACKEND_CUDA, &device, &other);
      CHECK(same_bits(&cpu, &other));
      HP_FREE(other.state);
    }
  HP_FREE(cpu.state);
  hp_case_destroy(&c);
}

/* schedule.cfg with two regions of everything and, where asked, end points of cells. */
static hp_case *with_regions(bool regions, bool end_points) {
  const char *set[24] = {"linear.ordering=red-black",
                         "grid.size=[12, 12, 3]",
                         "wells.INJ.i=6",
                         "wells.INJ.j=6",
                         "wells.P2.i=12",
                         "wells.P3.j=12"};
  int n = 6;
  if (regions) {
    set[n++] =
        "fluids=({water={density=1020.0; reference_pressure=180.0; compressibility=4.4e-5; viscosity=0.5;};"
        "oil={density=850.0; reference_pressure=180.0; compressibility=1.2e-4; viscosity=1.5;};},"
        "{water={density=1060.0; reference_pressure=150.0; compressibility=3e-5; viscosity=0.3;};"
        "oil={density=780.0; table=([80.0, 1.3, 0.7], [200.0, 1.25, 0.9], [400.0, 1.2, 1.1]);};})";
    set[n++] =
        "saturation=({model=\"corey\"; swc=0.2; sor=0.2; krw_max=0.5; nw=2.0; no=2.0; pc_entry=0.4;},"
        "{model=\"table\"; table=([0.1, 0.0, 0.9, 0.9], [0.3, 0.02, 0.5, 0.2], [0.7, 0.3, 0.0, 0.05],"
        "[0.9, 0.8, 0.0, 0.0]);})";
    set[n++] =
        "rock=({reference_pressure=180.0; compressibility=4.0e-5;},"
        "{reference_pressure=180.0; compressibility=2.0e-4;})";
    set[n++] =
        "initial=({datum_depth=1800.0; datum_pressure=180.0; contact_depth=1808.0;},"
        "{datum_depth=1800.0; datum_pressure=182.0; contact_depth=1806.0;})";
    set[n++] =
        "regions={pvt={layers=({k=[1, 2]; value=1;}, {k=3; value=2;});};"
        "equilibrium={layers=({k=[1, 2]; value=1;}, {k=3; value=2;});};"
        "saturation={generator=\"channels\"; background=1; channel=2; width=3.0; thickness=1.0; fraction=0.4;};"
        "rock={generator=\"channels\"; background=2; channel=1; width=2.0; thickness=1.0; fraction=0.5;};}";
  }
  if (end_points) {
    set[n++] =
        "endpoints={swl={generator=\"normal\"; seed=7; mean=0.15; stddev=0.03; min=0.05; max=0.22;};"
        "swcr=0.25; swu=0.85; sowcr={generator=\"normal\"; seed=8; mean=0.2; stddev=0.02; min=0.16; max=0.3;};"
        "kro=0.8; three_point=true;}";
    set[n++] = regions ? "endpoints.krw=-1" : "endpoints.krw=0.45";
  }
  return steps_deck("schedule.cfg", n, set);
}

/* The same with a solver of one level, and with aquifers, connections and rock tables. */
static void test_one_step(void) {
  static const char *const set[] = {"linear.preconditioner=dilu",
                                    "linear.ordering=red-black",
                                    "grid.size=[12, 12, 3]",
                                    "wells.INJ.i=6",
                                    "wells.INJ.j=6",
                                    "wells.P2.i=12",
                                    "wells.P3.j=12"};
  test_parity(steps_deck("schedule.cfg", 7, set));
  test_parity(steps_features("linear.preconditioner=block-jacobi"));
}

/* ---- faults ---- */

/* Runs with files as `hepta run` does. */
static hp_status run_with_files(hp_case *c, const hp_device_options *device, const char *base, int *steps) {
  const hp_run_options opt = {.backend = HP_BACKEND_CUDA, .device = device, .command_line = ""};
  hp_sim *S = NULL;
  hp_well_path *paths = NULL;
  *steps = -1;
  hp_status s = hp_sim_create(c, &opt, base, &S);
  if (s != HP_OK) return s;
  CHECK_OK(hp_well_paths_create(c, S->wells, &paths));
  CHECK_OK(hp_output_open(c, base, "", c->nwell, paths, &S->output));
  s = hp_sim_run(S);
  char why[512];
  snprintf(why, sizeof why, "%s", hp_fail_text());
  *steps = S->step;
  if (s == HP_ERR_MEMORY) { /* the device works on: what the hierarchy got before is in the report */
    FILE *nowhere = fopen("/dev/null", "w");
    hp_report_print(S, 1.0, nowhere);
    fclose(nowhere);
  }
  CHECK_OK(hp_output_close(&S->output));
  hp_well_paths_destroy(&paths, c->nwell);
  hp_sim_destroy(&S);
  return s == HP_OK ? HP_OK : hp_fail(s, "%s", why);
}

static void test_memory(hp_case *c, const char *base) {
  const hp_device_options device = {.memory_limit = INT64_C(1) << 20};
  int steps;
  CHECK(run_with_files(c, &device, base, &steps) == HP_ERR_MEMORY);
  CHECK(steps == -1 && strstr(hp_fail_text(), "bytes") != NULL && strstr(hp_fail_text(), "free") != NULL);
}

/* No memory from some allocation on, but for the first, before which the start asks: at the start, in the first build
 * of cpr's hierarchy, in those of later steps. */
static void test_memory_later(hp_case *c, const char *base) {
  char file[512];
  FILE *nowhere = fopen("/dev/null", "w");
  const int failures = check_failures;
  int at_start = 0, first = 0, late = 0, steps;
  snprintf(file, sizeof file, "%s.h5", base);
  for (int64_t after = 2;; after += small ? 3 : 1) {
    const hp_device_options device = {.memory_limit = 1, .memory_after = after};
    const hp_status s = run_with_files(c, &device, base, &steps);
    if (s == HP_OK) break;
    CHECK(s == HP_ERR_MEMORY);
    CHECK(strstr(hp_fail_text(), " are needed") != NULL && strstr(hp_fail_text(), "0 bytes are free") != NULL);
    CHECK(steps < 0 || (strstr(hp_fail_text(), "stopped at time") != NULL && strstr(hp_fail_text(), " held") != NULL));
    at_start += steps < 0;
    first += steps == 0;
    late += steps > 0;
    if (steps >= 0) CHECK_OK(hp_output_info(file, nowhere));
    if (check_failures > failures) {
      fprintf(stderr, "after %lld allocations: %d steps: %s\n", (long long)after, steps, hp_fail_text());
      break;
    }
  }
  CHECK(at_start > 0 && first > 0 && late > 0);
  fclose(nowhere);
}

/* The memory on the GPU that is predicted before a run is held after the first solve, within a tenth. */
static void test_estimate(const char *preconditioner, const char *ordering) {
  const char *set[] = {"grid.size=[20, 44, 17]", "wells.INJ.i=10", "wells.INJ.j=22", "wells.P2.i=20", "wells.P3.i=20",
                       "wells.P3.j=44",          "wells.P4.j=44",  preconditioner,   ordering};
  hp_case *c = steps_deck("spe10_class.cfg", 9, set);
  const hp_run_options opt = {.backend = HP_BACKEND_CUDA, .command_line = ""};
  hp_sim *S = steps_begin(c, &opt);
  hp_backend *B = S->backend;
  hp_step_report report;
  hp_krylov_report solved;
  hp_linear_report linear;
  CHECK_OK(B->ops->begin(B));
  CHECK_OK(B->ops->assemble(B, c->timestep.initial, true, true, -1, &report));
  CHECK_OK(B->ops->solve(B, 1.0, &solved));
  CHECK(solved.reason == HP_KRYLOV_CONVERGED);
  CHECK_OK(B->linear->ops->report(B->linear, &linear));
  const int64_t held = linear.device_bytes;
  const int64_t estimate = hp_sim_device_memory(c, &opt);
  const double ratio = (double)estimate / (double)held;
  CHECK(ratio > 0.9 && ratio < 1.1);
  if (!(ratio > 0.9 && ratio < 1.1))
    fprintf(stderr, "%s, %s: %lld bytes were said, %lld are held\n", preconditioner, ordering, (long long)estimate,
            (long long)held);
  hp_sim_destroy(&S);
  hp_case_destroy(&c);
}

/* Bytes on the GPU of a deck with the first `nset` options: *said, and what is held. */
static int64_t device_bytes(int nset, const char *const *set, int64_t *said) {
  hp_case *c = steps_deck("schedule.cfg", nset, set);
  const hp_run_options opt = {.backend = HP_BACKEND_CUDA, .command_line = ""};
  hp_sim *S = steps_begin(c, &opt);
  hp_linear_report linear;
  CHECK_OK(S->backend->linear->ops->report(S->backend->linear, &linear));
  *said = hp_sim_device_memory(c, &opt);
  hp_sim_destroy(&S);
  hp_case_destroy(&c);
  return linear.device_bytes;
}

/* The prediction before a run counts the memory of aquifers and rock tables. */
static void test_estimate_of_features(void) {
  static const char *const set[] = {
      "grid.size=[40, 40, 10]",
      "wells.INJ.i=20",
      "wells.INJ.j=20",
      "wells.P2.i=40",
      "wells.P3.j=40",
      "linear.preconditioner=dilu",
      "aquifers=({type=\"fetkovich\";datum_depth=2020.0;pressure=210.0;compressibility=8e-5;volume=4e5;"
      "productivity=1.5;faces=({i=1;face=\"i-\";});})",
      "rock=({table=([50.0,0.9,0.5],[300.0,1.02,1.1]);irreversible=true;},{table=([50.0,0.9,0.5],[300.0,1.02,1.1]);})",
      "regions.rock={layers=({k=[1,5];value=1;},{k=[6,10];value=2;});}"};
  enum { PLAIN = 6, AQUIFERS = 7, ALL = 9, CELLS = 16000, CONNECTIONS = 400, SLACK = 8192 };
  int64_t said[3], held[3];
  held[0] = device_bytes(PLAIN, set, &said[0]);
  held[1] = device_bytes(AQUIFERS, set, &said[1]);
  held[2] = device_bytes(ALL, set, &said[2]);
  CHECK(held[1] - held[0] >= CONNECTIONS * 3 * (int64_t)sizeof(double));
  CHECK(held[2] - held[1] >= CELLS * (int64_t)sizeof(double));
  for (int n = 1; n < 3; ++n) {
    const int64_t off = (said[n] - said[n - 1]) - (held[n] - held[n - 1]);
    CHECK(off > -SLACK && off < SLACK);
    if (off <= -SLACK || off >= SLACK) fprintf(stderr, "%lld bytes more were said than are held\n", (long long)off);
  }
}

static void test_lost_device(hp_case *c, const char *base) {
  static const int64_t at[] = {1, 5, 30, 60, 90, 150, 300, 600, 1000};
  char file[512];
  FILE *nowhere = fopen("/dev/null", "w");
  int late = 0, steps;
  snprintf(file, sizeof file, "%s.h5", base);
  for (size_t n = 0; n < sizeof at / sizeof *at; n += small ? 2 : 1) {
    const hp_device_options device = {.fail_at = at[n]};
    CHECK(run_with_files(c, &device, base, &steps) == HP_ERR_DEVICE);
    CHECK(strstr(hp_fail_text(), "GPU") != NULL);
    if (steps < 1) continue;
    CHECK_OK(hp_output_info(file, nowhere));
    late += 1;
  }
  CHECK(late >= (small ? 1 : 2));
  const hp_device_options none = {0};
  CHECK_OK(run_with_files(c, &none, base, &steps));
  CHECK_OK(hp_output_info(file, nowhere));
  fclose(nowhere);
}

int main(void) {
  hp_device *D = NULL;
  const hp_status s = hp_device_create(NULL, &D);
  if (s == HP_ERR_UNSUPPORTED || s == HP_ERR_DEVICE) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  CHECK_OK(s);
  const bool spreads = hp_device_spreads(D);
  hp_device_destroy(&D);
  small = getenv("HEPTA_TEST_SMALL") != NULL ? atoi(getenv("HEPTA_TEST_SMALL")) : 0;
  if (small > 1) {
    test_one_step();
    CHECK(hp_memory_now() == 0);
    return check_result();
  }
  heads_check(HP_BACKEND_CUDA);
  test_parity(steps_schedule("linear.ordering=red-black"));
  test_parity(with_regions(true, false));
  test_parity(with_regions(false, true));
  test_parity(with_regions(true, true));
  test_parity(steps_features("linear.ordering=red-black"));
  if (!spreads) { /* small arrays take whole pages on several GPUs: tests/gpu/several/test_several.c */
    test_estimate("linear.preconditioner=cpr", "linear.ordering=bricks");
    test_estimate("linear.preconditioner=cpr", "linear.ordering=red-black");
    test_estimate("linear.preconditioner=dilu", "linear.ordering=red-black");
    test_estimate_of_features();
  }
  char folder[] = "/tmp/hepta-gpu-XXXXXX", base[256], command[300];
  CHECK(mkdtemp(folder) != NULL);
  snprintf(base, sizeof base, "%s/faults", folder);
  /* dilu: the calls of test_lost_device are counted with it; tests/gpu/test_faults.py takes the default */
  const char *set[] = {"report.end=60", "report.every=10", "linear.preconditioner=dilu"};
  hp_case *c = steps_deck("schedule.cfg", 3, set);
  test_memory(c, base);
  test_lost_device(c, base);
  hp_case_destroy(&c);
  /* so many cells that pools of the first build have several pieces, and a later one takes memory, too */
  const char *cpr[] = {"report.end=2", "report.every=1", "linear.preconditioner=cpr", "linear.cpr.rebuild=step"};
  c = steps_deck("horizontal_deviated.cfg", 4, cpr);
  test_memory_later(c, base);
  hp_case_destroy(&c);
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
