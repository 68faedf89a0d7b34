/* Tuned launch shapes on a GPU: what searches find for solves, vectors, products and formats, that a device takes its
 * shape from the file for so many cells, that a damaged file costs one warning
 * and nothing else, and that time steps have the same bits with every shape a
 * file can name as with the default. Several GPUs have shapes of their own.
 * HEPTA_TEST_SMALL=2, for a sanitizer: few shapes of solves and launches of kernels. */
#define _DEFAULT_SOURCE
#include <unistd.h>

#include "bench/tuning/tune.h"
#include "bench/tuning/write.h"
#include "bench/vectors/vectors.h"
#include "sim/run/run.h"
#include "tests/support/steps.h"

enum { STEPS = 2 };

static char folder[] = "/tmp/hepta-tune-XXXXXX";

/* The outcome of some steps; what the backend says of itself. */
static outcome run(hp_case *c, char *where, size_t size, char *warning) {
  const hp_run_options opt = {.backend = HP_BACKEND_CUDA, .command_line = ""};
  hp_sim *S = steps_begin(c, &opt);
  outcome out;
  steps_advance(S, STEPS, &out);
  S->backend->ops->describe(S->backend, where, size);
  snprintf(warning, size, "%s", S->backend->warning != NULL ? S->backend->warning : "");
  hp_sim_destroy(&S);
  return out;
}

enum { TRIALS = 80 };
static bool few; /* HEPTA_TEST_SMALL=2 */

/* The measured shapes: the default and as many as were to be drawn, of every value of every choice some. */
static void check_choices(FILE *csv, int q, int gpus) {
  char line[256], barrier[32], compile[32];
  int lines = 0, chips = 0, blocks = 0, wides = 0, unrolls = 0, recomputes = 0, barriers = 0, on, number[9];
  double seconds;
  rewind(csv);
  while (fgets(line, sizeof line, csv) != NULL) {
    hp_barrier_kind kind;
    CHECK(sscanf(line, "solves,11,11,11,%d,%d,%d,%31[^,],%d,%d,%d,%d,%d,%d,%31[^,],%d,%lg", &number[0], &on, &number[1],
                 barrier, &number[2], &number[3], &number[4], &number[5], &number[6], &number[8], compile, &number[7],
                 &seconds) == 13);
    CHECK(number[8] == 256 && strcmp(compile, "build") == 0);
    CHECK(number[0] == q && on == gpus && hp_barrier_find(barrier, &kind) && seconds > 1e-7 && seconds < 1.0);
    CHECK(kind != HP_BARRIER_COOPERATIVE || number[2] == 0);
    CHECK(number[7] >= 1 && number[7] <= 2);
    lines += 1;
    barriers |= 1 << kind;
    blocks |= 1 << number[1];
    chips |= 1 << (number[3] == HP_CHIP_MAX ? 3 : number[3]);
    wides |= 1 << number[4];
    unrolls |= 1 << number[5];
    recomputes |= 1 << number[6];
  }
  CHECK(lines == TRIALS + 1 && (gpus > 1 ? barriers == 1 << HP_BARRIER_COUNTER : (barriers & 15) == 15));
  CHECK(chips == 15 && blocks == 30 && recomputes == 3);
  CHECK(wides == (q == 2 ? 3 : 2) && unrolls == 0x16);
}

static hp_tune_options quick(FILE *csv) {
  const hp_tune_options opt = {.iterations = few ? 2 : 10,
                               .search = {.trials = few ? 3 : TRIALS, .rounds = few ? 1 : 2, .seed = 3},
                               .kernels = {.trials = few ? 2 : 20, .rounds = few ? 1 : 2, .seed = 3},
                               .csv = csv};
  return opt;
}

/* Launches of kernels and the fastest format. */
static void test_kernels(hp_device *D) {
  static const int size[3] = {11, 12, 13};
  const hp_tune_options opt = quick(NULL);
  for (int q = few ? 2 : 1; q <= (few ? 2 : 3); ++q) {
    hp_tuned_kernel k;
    hp_tune_format f;
    CHECK_OK(hp_tune_product(D, size, q, &opt, &k));
    char name[HP_TUNED_NAME_MAX];
    snprintf(name, sizeof name, "sg-dia star 3d q%d double open", q);
    CHECK(strcmp(k.name, name) == 0 && k.n == 11 * 12 * 13 * q && k.seconds > 1e-7 && k.seconds <= k.default_seconds);
    CHECK_OK(hp_kernel_check_shape(&k.shape));
    CHECK_OK(hp_tune_blocks(D, size, q, &opt, &k));
    snprintf(name, sizeof name, "blocks q%d", q);
    CHECK(strcmp(k.name, name) == 0 && k.n == 11 * 12 * 13 * q && k.seconds > 1e-7 && k.seconds <= k.default_seconds);
    CHECK(k.shape.cut == 0 && k.shape.threads >= 64 && k.shape.threads <= 256);
    CHECK_OK(hp_tune_formats(D, size, q, &opt, &f));
    CHECK(f.fastest[0] != '\0' && f.seconds > 1e-7 && f.seconds <= f.default_seconds);
  }
  for (int op = 0; op < HP_VECTOR_OPERATIONS; ++op) {
    hp_tuned_kernel k;
    CHECK_OK(hp_tune_vector(D, op, 5000, &opt, &k));
    CHECK(strcmp(k.name, hp_vector_name((hp_vector_operation)op)) == 0 && k.n == 5000 && k.seconds > 1e-7);
    CHECK(k.seconds <= k.default_seconds);
    CHECK_OK(hp_kernel_check_shape(&k.shape));
  }
  hp_tune_options compiling = opt; /* over options of the compiler, too */
  hp_tuned_kernel k;
  compiling.compile = true;
  compiling.kernels.trials = few ? 2 : 8;
  CHECK_OK(hp_tune_vector(D, HP_VECTOR_DOT, 5000, &compiling, &k));
  CHECK(strcmp(k.name, "dot") == 0 && k.seconds > 1e-7 && k.seconds <= k.default_seconds);
  CHECK_OK(hp_kernel_check_shape(&k.shape));
}

/* Of a GPU that counts as two: a shape of its own in the file, which one GPU does not take. */
static void test_two(const hp_device_info *info) {
  static const int size[3] = {11, 11, 11};
  const hp_device_options halves = {.gpus = 2, .cells = 1331}, one = {.cells = 1331};
  hp_device *D;
  hp_tuned t = {.count = 0};
  hp_tuned_row row;
  hp_tune_rows rows;
  char path[512];
  FILE *csv = tmpfile();
  const hp_tune_options opt = quick(csv);
  CHECK_OK(hp_tuned_path(info, path, sizeof path));
  remove(path);
  CHECK_OK(hp_device_create(&halves, &D));
  CHECK(!hp_device_is_tuned(D) && hp_device_get_shape(D).one_gpu_rows == HP_ONE_GPU_ROWS);
  CHECK_OK(hp_tune_solves(D, size, 2, &opt, &row));
  check_choices(csv, 2, 2);
  CHECK_OK(hp_tune_levels(D, size, &opt, &rows));
  CHECK(rows.seconds > 0.0 && rows.seconds <= rows.default_seconds && rows.rows >= 0);
  row.shape.one_gpu_rows = 123;
  CHECK(row.gpus == 2);
  hp_tuned_put(&t, &row);
  hp_device_destroy(&D);
  CHECK_OK(hp_tuned_write(path, info, &t));
  CHECK_OK(hp_device_create(&halves, &D));
  CHECK(hp_device_is_tuned(D) && hp_device_get_shape(D).one_gpu_rows == 123);
  hp_device_destroy(&D);
  CHECK_OK(hp_device_create(&one, &D));
  CHECK(!hp_device_is_tuned(D));
  hp_device_destroy(&D);
  remove(path);
  fclose(csv);
}

static void test_found(const hp_device_info *info) {
  const hp_device_options seven = {.cells = 1331};
  hp_device *D;
  hp_tuned t = {.count = 0}, back;
  hp_tuned_row row[2];
  char path[512];
  CHECK_OK(hp_device_create(NULL, &D));
  CHECK(!hp_device_is_tuned(D));
  for (int k = few ? 1 : 0; k < 2; ++k) {
    FILE *csv = tmpfile();
    const hp_tune_options opt = quick(csv);
    const int q = k == 0 ? 4 : 2;
    CHECK_OK(hp_tune_solves(D, (const int[3]){11, 11, 11}, q, &opt, &row[k]));
    CHECK(row[k].seconds > 0.0 && row[k].default_seconds >= row[k].seconds && row[k].size[2] == 11 && row[k].q == q);
    if (!few) check_choices(csv, q, 1);
    fclose(csv);
    hp_tuned_put(&t, &row[k]);
  }
  test_kernels(D);
  hp_device_destroy(&D);
  CHECK_OK(hp_tuned_path(info, path, sizeof path));
  CHECK_OK(hp_tuned_write(path, info, &t));
  CHECK_OK(hp_tuned_read(path, info, &back));
  CHECK_OK(hp_device_create(&seven, &D)); /* that of q = 2 */
  const hp_device_shape s = hp_device_get_shape(D), *r = &row[1].shape;
  CHECK(hp_device_is_tuned(D) && s.barrier == r->barrier && s.delay == r->delay && s.blocks == r->blocks &&
        s.chip == r->chip && s.recompute == r->recompute && s.wide == r->wide && s.unroll == r->unroll);
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
    t.row[0] = (hp_tuned_row){.size = {12, 12, 3}, .q = 2, .gpus = 1, .seconds = 1e-5, .default_seconds = 1e-5};
    t.row[0].shape = (hp_device_shape){.blocks = 1 + n % 2,
                                       .barrier = (hp_barrier_kind)(n % HP_BARRIER_COUNT),
                                       .delay = n % 3 * 40,
                                       .chip = n % 4,
                                       .wide = n % 3 != 0,
                                       .unroll = 1 << n % 3,
                                       .recompute = n % 2 == 0,
                                       .threads = 256};
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
  const char *small = getenv("HEPTA_TEST_SMALL");
  few = small != NULL && strcmp(small, "2") == 0;
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
  if (!few) test_two(&info);
  test_found(&info);
  if (!few) test_bits(&info);
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  return check_result();
}
