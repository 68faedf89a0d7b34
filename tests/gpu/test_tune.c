/* Tuned launch shapes on a GPU: what hp_tune_size finds, that a device takes its
 * shape from the file for so many cells, that a damaged file costs one warning
 * and nothing else, and that time steps have the same bits with every shape a
 * file can name as with the default. */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "sim/newton.h"
#include "sim/tune.h"
#include "tests/check.h"

enum { STEPS = 2 };

static char folder[] = "/tmp/hepta-tune-XXXXXX";

static hp_case *read_deck(void) {
  static const char *const set[] = {"grid.size=[12, 12, 3]", "wells.INJ.i=6", "wells.INJ.j=6", "wells.P2.i=12",
                                    "wells.P3.j=12"};
  char deck[1024];
  const char *source = getenv("HEPTA_SOURCE");
  hp_diag diag;
  hp_case *c = NULL;
  snprintf(deck, sizeof deck, "%s/decks/schedule.cfg", source != NULL ? source : ".");
  hp_diag_init(&diag);
  CHECK_OK(hp_case_read(deck, 5, set, &diag, &c));
  hp_diag_print(&diag, stderr);
  hp_diag_clear(&diag);
  if (c == NULL) exit(1);
  return c;
}

/* p and s after some steps [2 ncell]; what the backend says of itself. */
static double *run(const hp_case *c, char *where, size_t size, char *warning) {
  const hp_run_options opt = {.backend = HP_BACKEND_CUDA, .command_line = ""};
  hp_sim *S = NULL;
  hp_newton_report r;
  double *state = NULL;
  CHECK_OK(hp_sim_create(c, &opt, "none", &S));
  if (S == NULL) exit(1);
  for (int e = 0; e < c->nevent && c->event[e].time <= 0.0; ++e)
    hp_wells_set_control(S->wells, c->event[e].well, &c->event[e].control);
  CHECK_OK(S->backend->ops->put_wells(S->backend));
  for (int step = 0; step < STEPS; ++step) {
    CHECK_OK(hp_newton_begin(S));
    CHECK_OK(hp_newton_solve(S, 86400.0 * (1 + step), &r));
    CHECK(r.converged && r.linear > 0);
    CHECK_OK(hp_newton_accept(S, 86400.0 * (1 + step), &r));
  }
  CHECK_OK(S->backend->ops->get_state(S->backend));
  S->backend->ops->describe(S->backend, where, size);
  snprintf(warning, size, "%s", S->backend->warning != NULL ? S->backend->warning : "");
  const int64_t n = S->res->ncell;
  CHECK_OK(HP_ALLOC(state, 2 * n));
  memcpy(state, S->res->p, (size_t)n * sizeof *state);
  memcpy(state + n, S->res->s, (size_t)n * sizeof *state);
  hp_sim_destroy(&S);
  return state;
}

/* What was measured: every barrier with and without a pause and both orders, 0 to 3 vectors on chip, 1 to 4 blocks,
 * both widths of loads with every unrolling, both answers to recompute. */
static void check_choices(FILE *csv) {
  char line[256], what[32], barrier[32];
  int count[HP_BARRIER_COUNT] = {0}, chips = 0, blocks = 0, recomputes = 0, loads = 0, number[7];
  double seconds;
  rewind(csv);
  while (fgets(line, sizeof line, csv) != NULL) {
    hp_barrier_kind kind;
    CHECK(sscanf(line, "11,11,11,%31[^,],%d,%31[^,],%d,%d,%d,%d,%d,%d,%lg", what, &number[0], barrier, &number[1],
                 &number[2], &number[5], &number[6], &number[3], &number[4], &seconds) == 10);
    CHECK(hp_barrier_find(barrier, &kind) && seconds > 1e-7 && seconds < 1.0);
    if (strcmp(what, "barrier") == 0) count[kind] += 1;
    if (strcmp(what, "chip") == 0) chips |= 1 << number[2];
    if (strcmp(what, "blocks") == 0) blocks |= 1 << number[0];
    if (strcmp(what, "loads") == 0) loads |= 1 << (number[5] * 4 + number[6] / 2);
    if (strcmp(what, "recompute") == 0) recomputes |= 1 << number[3];
  }
  for (int kind = 0; kind < HP_BARRIER_COUNT; ++kind) CHECK(count[kind] == (kind == HP_BARRIER_COOPERATIVE ? 1 : 10));
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
        s.wide == row.shape.wide && s.unroll == row.shape.unroll &&
        s.reorder == row.shape.reorder);
  hp_device_destroy(&D);
  CHECK_OK(hp_device_create(NULL, &D)); /* cells unknown: the default */
  CHECK(!hp_device_is_tuned(D));
  hp_device_destroy(&D);
  CHECK(hp_memory_now() == 0);
}

static void test_bits(const hp_device_info *info) {
  char path[512], where[256], warning[256];
  hp_case *c = read_deck();
  const size_t bytes = 2 * (size_t)c->grid->ncell * sizeof(double);
  CHECK_OK(hp_tuned_path(info, path, sizeof path));
  remove(path);
  double *expected = run(c, where, sizeof where, warning);
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
                                       .recompute = n % 2 == 0,
                                       .reorder = n >= HP_BARRIER_COUNT};
    CHECK_OK(hp_tuned_write(path, info, &t));
    double *state = run(c, where, sizeof where, warning);
    CHECK(strstr(where, "tuned") != NULL && warning[0] == '\0');
    CHECK(memcmp(expected, state, bytes) == 0);
    HP_FREE(state);
  }
  FILE *f = fopen(path, "w");
  CHECK(f != NULL && fputs("device = \"", f) >= 0 && fclose(f) == 0);
  double *state = run(c, where, sizeof where, warning);
  CHECK(strstr(where, "tuned") == NULL && strstr(warning, path) != NULL);
  CHECK(memcmp(expected, state, bytes) == 0);
  HP_FREE(state);
  HP_FREE(expected);
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
