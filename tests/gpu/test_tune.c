/* Tuned launch shapes on a GPU: what hp_tune_size finds, that a device takes its
 * shape from the file for so many cells, that a damaged file costs one warning
 * and nothing else, and that time steps have the same bits with every shape a
 * file can name as with the default. */
#define _DEFAULT_SOURCE
#include <unistd.h>

#include "sim/bench/tuning/tune.h"
#include "sim/run/run.h"
#include "tests/support/steps.h"

enum { STEPS = 2 };

static char folder[] = "/tmp/hepta-tune-XXXXXX";

/* The outcome of some steps; what the backend says of itself. */
static outcome run(const hp_case *c, char *where, size_t size, char *warning) {
  const hp_run_options opt = {.backend = HP_BACKEND_CUDA, .command_line = ""};
  hp_sim *S = steps_begin(c, &opt);
  outcome out;
  steps_advance(S, STEPS, &out);
  S->backend->ops->describe(S->backend, where, size);
  snprintf(warning, size, "%s", S->backend->warning != NULL ? S->backend->warning : "");
  hp_sim_destroy(&S);
  return out;
}

/* The measured shapes: every barrier with and without a pause, 0, 1, 2 and all vectors on chip, 1 to 4
 * blocks, both widths of loads with every unrolling, both answers to recompute. */
static void check_choices(FILE *csv) {
  char line[256], what[32], barrier[32];
  int count[HP_BARRIER_COUNT] = {0}, chips = 0, blocks = 0, recomputes = 0, loads = 0, number[6];
  double seconds;
  rewind(csv);
  while (fgets(line, sizeof line, csv) != NULL) {
    hp_barrier_kind kind;
    CHECK(sscanf(line, "11,11,11,%31[^,],%d,%31[^,],%d,%d,%d,%d,%d,%lg", what, &number[0], barrier, &number[1],
                 &number[2], &number[4], &number[5], &number[3], &seconds) == 9);
    CHECK(hp_barrier_find(barrier, &kind) && seconds > 1e-7 && seconds < 1.0);
    if (strcmp(what, "barrier") == 0) count[kind] += 1;
    if (strcmp(what, "chip") == 0) chips |= 1 << (number[2] == HP_CHIP_MAX ? 3 : number[2]);
    if (strcmp(what, "blocks") == 0) blocks |= 1 << number[0];
    if (strcmp(what, "loads") == 0) loads |= 1 << (number[4] * 4 + number[5] / 2);
    if (strcmp(what, "recompute") == 0) recomputes |= 1 << number[3];
  }
  for (int kind = 0; kind < HP_BARRIER_COUNT; ++kind) CHECK(count[kind] == (kind == HP_BARRIER_COOPERATIVE ? 1 : 5));
  CHECK(chips == 15 && blocks == 30 && recomputes == 3 && loads == 0x77);
}

static void test_found(const hp_device_info *info) {
  FILE *csv = tmpfile();
  const hp_tune_options opt = {.iterations = 10, .rounds = 2, .seed = 3, .csv = csv};
  const hp_device_options seven = {.cells = 1331};
  hp_device *D;
  hp_tuned t = {.count = 0}, back;
  hp_tuned_row row;
  char path[512];
  CHECK_OK(hp_device_create(NULL, &D));
  CHECK(!hp_device_is_tuned(D));
  CHECK_OK(hp_tune_size(D, (const int[3]){11, 11, 11}, &opt, &row));
  CHECK(row.seconds > 0.0 && row.default_seconds >= row.seconds && row.size[2] == 11);
  check_choices(csv);
  fclose(csv);
  hp_device_destroy(&D);
  hp_tuned_put(&t, &row);
  CHECK_OK(hp_tuned_path(info, path, sizeof path));
  CHECK_OK(hp_tuned_write(path, info, &t));
  CHECK_OK(hp_tuned_read(path, info, &back));
  CHECK_OK(hp_device_create(&seven, &D));
  const hp_device_shape s = hp_device_get_shape(D);
  CHECK(hp_device_is_tuned(D) && s.barrier == row.shape.barrier && s.delay == row.shape.delay &&
        s.blocks == row.shape.blocks && s.chip == row.shape.chip && s.recompute == row.shape.recompute &&
        s.wide == row.shape.wide && s.unroll == row.shape.unroll);
  hp_device_destroy(&D);
  CHECK_OK(hp_device_create(NULL, &D)); /* cells unknown: the default */
  CHECK(!hp_device_is_tuned(D));
  hp_device_destroy(&D);
  CHECK(hp_memory_now() == 0);
}

static void test_bits(const hp_device_info *info) {
  char path[512], where[256], warning[256];
  hp_case *c = steps_schedule(NULL);
  CHECK_OK(hp_tuned_path(info, path, sizeof path));
  remove(path);
  outcome expected = run(c, where, sizeof where, warning);
  const size_t bytes = (size_t)expected.n * sizeof(double);
  CHECK(strstr(where, "tuned") == NULL && warning[0] == '\0');
  for (int n = 0; n < 2 * HP_BARRIER_COUNT; ++n) {
    hp_tuned t = {.count = 1};
    t.row[0] = (hp_tuned_row){.size = {12, 12, 3}, .seconds = 1e-5, .default_seconds = 1e-5};
    t.row[0].shape = (hp_device_shape){.blocks = 1 + n % 2,
                                       .barrier = (hp_barrier_kind)(n % HP_BARRIER_COUNT),
                                       .delay = n % 3 * 40,
                                       .chip = n % 4,
                                       .wide = n % 3 != 0,
                                       .unroll = 1 << n % 3,
                                       .recompute = n % 2 == 0};
    CHECK_OK(hp_tuned_write(path, info, &t));
    outcome other = run(c, where, sizeof where, warning);
    CHECK(strstr(where, "tuned") != NULL && warning[0] == '\0');
    CHECK(memcmp(expected.state, other.state, bytes) == 0);
    HP_FREE(other.state);
  }
  FILE *f = fopen(path, "w");
  CHECK(f != NULL && fputs("device = \"", f) >= 0 && fclose(f) == 0);
  outcome other = run(c, where, sizeof where, warning);
  CHECK(strstr(where, "tuned") == NULL && strstr(warning, path) != NULL);
  CHECK(memcmp(expected.state, other.state, bytes) == 0);
  HP_FREE(other.state);
  HP_FREE(expected.state);
  hp_case_destroy(&c);
}

int main(void) {
  hp_device *D = NULL;
  char command[128];
  CHECK(mkdtemp(folder) != NULL);
  setenv("XDG_CACHE_HOME", folder, 1);
  const hp_status s = hp_device_create(NULL, &D);
  if (s == HP_ERR_UNSUPPORTED || s == HP_ERR_DEVICE) {
    printf("skipped: %s\n", hp_fail_text());
    rmdir(folder);
    return CHECK_SKIPPED;
  }
  CHECK_OK(s);
  const hp_device_info info = *hp_device_get_info(D);
  hp_device_destroy(&D);
  test_found(&info);
  test_bits(&info);
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  return check_result();
}
