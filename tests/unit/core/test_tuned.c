/* The file of tuned launch shapes: where it lies, what is written comes back,
 * which row a problem takes, and what a file that is damaged, strange or not
 * there leads to: one message and the default, never the end of a run. Numbers
 * in the environment that inject faults are read or refused. */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/tuning/write.h"
#include "tests/support/check.h"

static char folder[] = "/tmp/hepta-tuned-XXXXXX";
static const hp_device_info info = {.name = "Some GPU (80GB)/x", .major = 9, .minor = 0, .multiprocessors = 132};

/* The shape of a problem of so many cells (0: unknown) on so many GPUs, as a device takes it: false and the shape unchanged where
 * there is none. */
static bool tuned_shape(const hp_device_info *device, int64_t cells, int gpus, hp_device_shape *shape, char *warning,
                        size_t size) {
  hp_tuned t;
  hp_tuned_load(device, cells, &t, warning, size);
  const hp_tuned_row *row = hp_tuned_nearest(&t, cells, 2, gpus);
  if (row != NULL) *shape = row->shape;
  return row != NULL;
}

static hp_tuned_row row_of(int nx, int ny, int nz, int delay) {
  const hp_tuned_row r = {.size = {nx, ny, nz},
                          .q = 2,
                          .gpus = 1,
                          .shape = {.blocks = 2,
                                    .barrier = HP_BARRIER_FLAGS,
                                    .delay = delay,
                                    .chip = 1,
                                    .unroll = 4,
                                    .one_gpu_rows = 4096,
                                    .threads = 256},
                          .seconds = 1.5e-5,
                          .default_seconds = 2e-5};
  return r;
}

static void write_text(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void test_path(char *path, size_t size) {
  char cache[64], expected[256];
  snprintf(cache, sizeof cache, "%s/cache", folder);
  setenv("XDG_CACHE_HOME", cache, 1);
  CHECK_OK(hp_tuned_path(&info, path, size));
  snprintf(expected, sizeof expected, "%s/hepta/tune-Some-GPU--80GB--x-9.0.cfg", cache);
  CHECK(strcmp(path, expected) == 0);
  char other[256];
  setenv("XDG_CACHE_HOME", "relative", 1); /* void: as if it were not set */
  setenv("HOME", "/home/nobody", 1);
  CHECK_OK(hp_tuned_path(&info, other, sizeof other));
  CHECK(strcmp(other, "/home/nobody/.cache/hepta/tune-Some-GPU--80GB--x-9.0.cfg") == 0);
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  CHECK(hp_tuned_path(&info, other, sizeof other) == HP_ERR_FILE);
  setenv("XDG_CACHE_HOME", cache, 1);
  CHECK(hp_tuned_path(&info, other, 10) == HP_ERR_FILE);
}

/* Where a file can be written is reported beforehand, and nothing is made by asking. */
static void test_check_path(const char *path) {
  char other[256];
  struct stat st;
  CHECK_OK(hp_tuned_check_path(path)); /* none of its folders is there yet */
  snprintf(other, sizeof other, "%s/cache", folder);
  CHECK(stat(other, &st) != 0);
  CHECK_OK(hp_tuned_check_path("in-this-folder.cfg"));
  CHECK(hp_tuned_check_path(folder) == HP_ERR_FILE && strstr(hp_fail_text(), "is not a file") != NULL);
  CHECK(hp_tuned_check_path("/dev/null") == HP_ERR_FILE);
  CHECK(hp_tuned_check_path("") == HP_ERR_FILE);
  snprintf(other, sizeof other, "%s/file", folder);
  write_text(other, "in the way\n");
  CHECK_OK(hp_tuned_check_path(other));
  snprintf(other, sizeof other, "%s/file/x.cfg", folder);
  CHECK(hp_tuned_check_path(other) == HP_ERR_FILE && strstr(hp_fail_text(), "is not a folder") != NULL);
}

static void test_roundtrip(const char *path) {
  hp_tuned t = {.count = 0}, back;
  hp_tuned_row rows[] = {row_of(20, 20, 20, 0), row_of(32, 32, 32, 50), row_of(60, 220, 85, 100)};
  rows[1].shape.threads = 512;
  rows[1].shape.compile = HP_COMPILE_OPTIMIZE_1;
  for (int n = 0; n < 3; ++n) hp_tuned_put(&t, &rows[n]);
  CHECK_OK(hp_tuned_write(path, &info, &t));
  CHECK_OK(hp_tuned_read(path, &info, &back));
  CHECK(back.count == 3);
  for (int n = 0; n < 3; ++n) {
    const hp_device_shape *a = &back.row[n].shape, *b = &rows[n].shape;
    CHECK(memcmp(back.row[n].size, rows[n].size, sizeof rows[n].size) == 0);
    CHECK(a->blocks == b->blocks && a->barrier == b->barrier && a->delay == b->delay && a->chip == b->chip);
    CHECK(a->recompute == b->recompute && a->wide == b->wide && a->unroll == b->unroll);
    CHECK(a->threads == b->threads && a->compile == b->compile);
    CHECK_NEAR(back.row[n].seconds, 1.5e-5, 1e-12);
    CHECK_NEAR(back.row[n].default_seconds, 2e-5, 1e-12);
  }
  /* by ratio: 8000, 32768 and 1122000 cells part at 16191 and 191744 */
  const struct {
    int64_t cells;
    int delay;
  } expected[] = {{1, 0}, {16190, 0}, {16192, 50}, {191000, 50}, {192500, 100}, {1000000000, 100}};
  for (size_t n = 0; n < sizeof expected / sizeof *expected; ++n)
    CHECK(hp_tuned_nearest(&back, expected[n].cells, 2, 1)->shape.delay == expected[n].delay);
  const hp_tuned_row again = row_of(32, 32, 32, 77);
  hp_tuned_put(&back, &again);
  CHECK(back.count == 3 && back.row[1].shape.delay == 77);
  hp_tuned_row four = row_of(32, 32, 32, 44);
  four.q = 4;
  hp_tuned_put(&back, &four); /* beside that of q = 2 */
  CHECK_OK(hp_tuned_write(path, &info, &back));
  CHECK_OK(hp_tuned_read(path, &info, &t));
  CHECK(t.count == 4 && t.row[3].q == 4 && hp_tuned_nearest(&t, 8000, 4, 1)->shape.delay == 44);
  CHECK(hp_tuned_nearest(&t, 32768, 2, 1)->shape.delay == 77 && hp_tuned_nearest(&t, 32768, 1, 1) == NULL);
  hp_tuned_row two = row_of(32, 32, 32, 22);
  two.gpus = 2;
  two.shape.one_gpu_rows = 0;
  hp_tuned_put(&t, &two); /* beside those of one GPU */
  CHECK_OK(hp_tuned_write(path, &info, &t));
  CHECK_OK(hp_tuned_read(path, &info, &back));
  CHECK(back.count == 5 && hp_tuned_nearest(&back, 32768, 2, 1)->shape.delay == 77);
  CHECK(hp_tuned_nearest(&back, 9, 2, 2)->shape.delay == 22 && hp_tuned_nearest(&back, 9, 2, 3) == NULL);
  CHECK(back.row[4].shape.one_gpu_rows == 0 && back.row[0].shape.one_gpu_rows == 4096);
}

static void test_full(void) {
  hp_tuned t = {.count = 0};
  for (int n = 1; n <= HP_TUNED_MAX; ++n) {
    const hp_tuned_row r = row_of(n, 10, 10, n);
    hp_tuned_put(&t, &r);
  }
  const hp_tuned_row more = row_of(1000, 10, 10, 1000);
  hp_tuned_put(&t, &more);
  CHECK(t.count == HP_TUNED_MAX && t.row[HP_TUNED_MAX - 1].shape.delay == 1000);
}

#define HEAD "device = \"Some GPU (80GB)/x\"; capability = \"9.0\"; shapes = (\n"
#define ROW(size, barrier, delay)                                        \
  "{ size = " size "; blocks = 2; barrier = " barrier "; delay = " delay \
  "; chip = 1; wide = true; unroll = 2; recompute = true;"               \
  " seconds = 1e-5; default_seconds = 2e-5; }"

#define COMPILED(blocks, threads, compile)                              \
  "{ size = [1, 2, 3]; blocks = " blocks                                \
  "; barrier = \"tree\"; delay = 0; chip = 1; wide = true; unroll = 2;" \
  " recompute = true; threads = " threads "; compile = \"" compile "\"; seconds = 1e-5; default_seconds = 2e-5; }"

static void test_damage(const char *path) {
  static const struct {
    const char *text, *word;
  } damaged[] = {
      {"", "which device"},
      {HEAD COMPILED("1", "300", "again") ");", "threads"},
      {HEAD COMPILED("1", "512", "build") ");", "threads, blocks, compile"},  /* the build's kernel has 256 */
      {HEAD COMPILED("2", "1024", "again") ");", "threads, blocks, compile"}, /* registers */
      {HEAD COMPILED("1", "256", "registers-32") ");", "threads, blocks, compile"},
      {HEAD COMPILED("1", "256", "quickly") ");", "compile"},
      {HEAD ROW("[1, 2, 3]", "\"tree\"", "0") ";", ":2:"}, /* cut short */
      {HEAD ROW("[1, 2, 3]", "\"wall\"", "0") ");", "barrier"},
      {HEAD ROW("[1, 2, 3]", "7", "0") ");", "barrier"},
      {HEAD ROW("[1, 2]", "\"tree\"", "0") ");", "size"},
      {HEAD ROW("[1, 2, 0]", "\"tree\"", "0") ");", "size"},
      {HEAD ROW("[1, 2, 3]", "\"tree\"", "-5") ");", "delay"},
      {HEAD ROW("[1, 2, 3]", "\"tree\"", "2000000") ");", "delay"},
      {HEAD ROW("[1, 2, 3]", "\"tree\"", "\"fast\"") ");", "delay"},
      {HEAD "7);", "shapes"},
      {HEAD "{ size = [1, 2, 3]; });", "blocks"},
      {"device = \"Some GPU (80GB)/x\"; capability = \"9.0\";", "shapes"},
      {"device = \"Another\"; capability = \"9.0\"; shapes = ();", "Another"},
      {"device = \"Some GPU (80GB)/x\"; capability = \"8.6\"; shapes = ();", "8.6"},
      {"\x01\x02\x7f not a table at all", ":1:"},
  };
  hp_tuned t;
  char warning[512];
  for (size_t n = 0; n < sizeof damaged / sizeof *damaged; ++n) {
    hp_device_shape shape = hp_device_default_shape();
    const hp_device_shape before = shape;
    write_text(path, damaged[n].text);
    CHECK(hp_tuned_read(path, &info, &t) == HP_ERR_FILE && t.count == 0);
    if (strstr(hp_fail_text(), damaged[n].word) == NULL || strstr(hp_fail_text(), path) == NULL) {
      fprintf(stderr, "damage %zu: %s\n", n, hp_fail_text());
      CHECK(false);
    }
    CHECK(!tuned_shape(&info, 1000, 1, &shape, warning, sizeof warning));
    CHECK(strstr(warning, "not used") != NULL && strstr(warning, path) != NULL);
    CHECK(shape.barrier == before.barrier && shape.delay == before.delay && shape.chip == before.chip);
  }
}

/* Earlier releases had a choice more. */
static void test_earlier(const char *path) {
  hp_tuned t;
  write_text(path, HEAD
             "{ size = [1, 2, 3]; blocks = 2; barrier = \"tree\"; delay = 20; chip = 1; wide = true; unroll = 2;"
             " recompute = true; reorder = true; seconds = 1e-5; default_seconds = 2e-5; });");
  CHECK_OK(hp_tuned_read(path, &info, &t));
  CHECK(t.count == 1 && t.row[0].shape.barrier == HP_BARRIER_TREE && t.row[0].shape.delay == 20 && t.row[0].q == 2);
  CHECK(t.row[0].gpus == 1 && t.row[0].shape.one_gpu_rows == HP_ONE_GPU_ROWS);
  CHECK(t.row[0].shape.threads == HP_DEVICE_THREADS && t.row[0].shape.compile == HP_COMPILE_BUILD);
  write_text(path, HEAD COMPILED("2", "512", "again") ");");
  CHECK_OK(hp_tuned_read(path, &info, &t));
  CHECK(t.count == 1 && t.row[0].shape.threads == 512 && t.row[0].shape.compile == HP_COMPILE_AGAIN);
}

static hp_tuned_kernel kernel_of(const char *name, int64_t n, int unroll) {
  hp_tuned_kernel k = {.n = n,
                       .shape = {.threads = 512, .blocks = 4, .unroll = unroll, .loads = HP_LOADS_STREAM, .streams = 3},
                       .seconds = 1e-6,
                       .default_seconds = 2e-6};
  k.shape.last = unroll == 8;
  k.shape.shared = unroll == 1;
  k.shape.cut = unroll == 4 ? 16 : 0;
  k.shape.compile = unroll == 8 ? HP_COMPILE_OPTIMIZE_1 : unroll == 1 ? HP_COMPILE_REGISTERS_64 : HP_COMPILE_BUILD;
  snprintf(k.name, sizeof k.name, "%s", name);
  return k;
}

/* Launches of kernels beside the team's shapes: they come back, by name and nearest n. */
static void test_kernels(const char *path) {
  hp_tuned t = {.count = 0}, back;
  const hp_tuned_row row = row_of(20, 20, 20, 0);
  const hp_tuned_kernel k[] = {kernel_of("axpy", 1000, 1), kernel_of("axpy", 100000, 8),
                               kernel_of("dot", 3000000000, 4)};
  for (int n = 0; n < 3; ++n) hp_tuned_put_kernel(&t, &k[n]);
  CHECK_OK(hp_tuned_write(path, &info, &t)); /* an empty list of shapes */
  CHECK_OK(hp_tuned_read(path, &info, &back));
  CHECK(back.count == 0 && back.kernels == 3);
  hp_tuned_put(&t, &row);
  CHECK_OK(hp_tuned_write(path, &info, &t));
  CHECK_OK(hp_tuned_read(path, &info, &back));
  CHECK(back.count == 1 && back.kernels == 3);
  for (int n = 0; n < 3; ++n) {
    CHECK(strcmp(back.kernel[n].name, k[n].name) == 0 && back.kernel[n].n == k[n].n);
    CHECK(hp_kernel_same_shape(&back.kernel[n].shape, &k[n].shape));
    CHECK_NEAR(back.kernel[n].seconds, 1e-6, 1e-12);
    CHECK_NEAR(back.kernel[n].default_seconds, 2e-6, 1e-12);
  }
  CHECK(hp_tuned_nearest_kernel(&back, "axpy", 9999)->n == 1000);
  CHECK(hp_tuned_nearest_kernel(&back, "axpy", 10001)->n == 100000);
  CHECK(hp_tuned_nearest_kernel(&back, "dot", 1)->n == 3000000000);
  CHECK(hp_tuned_nearest_kernel(&back, "norm", 1000) == NULL);
  const hp_tuned_kernel again = kernel_of("axpy", 1000, 2);
  hp_tuned_put_kernel(&back, &again);
  CHECK(back.kernels == 3 && back.kernel[0].shape.unroll == 2);
  for (int n = 0; n < HP_TUNED_KERNELS_MAX; ++n) {
    const hp_tuned_kernel other = kernel_of("norm", 1 + n, 2);
    hp_tuned_put_kernel(&back, &other);
  }
  CHECK(back.kernels == HP_TUNED_KERNELS_MAX);
}

#define KERNELS "device = \"Some GPU (80GB)/x\"; capability = \"9.0\"; shapes = (); kernels = "
#define KERNEL(name, n, threads, unroll, loads)                                                             \
  "({ kernel = " name "; n = " n "; threads = " threads "; blocks = 0; unroll = " unroll "; loads = " loads \
  "; streams"                                                                                               \
  " = 1; last = true; shared = false; seconds = 1e-6; default_seconds = 1e-6; });"

static void test_damaged_kernels(const char *path) {
  static const struct {
    const char *text, *word;
  } damaged[] = {
      {KERNELS "7;", "kernels"},
      {KERNELS "(7);", "kernels"},
      {KERNELS KERNEL("\"\"", "5", "64", "2", "\"wide\""), "kernel"},
      {KERNELS KERNEL("\"a name that is longer than the names of kernels are in fact\"", "5", "64", "2", "\"wide\""),
       "kernel"},
      {KERNELS KERNEL("\"dot\"", "0", "64", "2", "\"wide\""), "n:"},
      {KERNELS KERNEL("\"dot\"", "5", "96", "2", "\"wide\""), "threads"},
      {KERNELS KERNEL("\"dot\"", "5", "16", "2", "\"wide\""), "threads"},
      {KERNELS KERNEL("\"dot\"", "5", "1024", "2", "\"wide\""), "threads"},
      {KERNELS KERNEL("\"dot\"", "5", "64", "3", "\"wide\""), "unroll"},
      {KERNELS KERNEL("\"dot\"", "5", "64", "2", "\"narrow\""), "loads"},
      {KERNELS KERNEL("\"dot\"", "5", "64", "2", "\"wide\"; compile = \"fast\""), "compile"},
      {KERNELS KERNEL("\"blocks q2\"", "5", "64", "2", "\"wide\"; cut = -1"), "cut"},
  };
  hp_tuned t;
  for (size_t n = 0; n < sizeof damaged / sizeof *damaged; ++n) {
    write_text(path, damaged[n].text);
    CHECK(hp_tuned_read(path, &info, &t) == HP_ERR_FILE && t.count == 0 && t.kernels == 0);
    CHECK(strstr(hp_fail_text(), damaged[n].word) != NULL && strstr(hp_fail_text(), path) != NULL);
  }
  write_text(path, KERNELS KERNEL("\"dot\"", "5", "64", "2", "\"wide\""));
  CHECK_OK(hp_tuned_read(path, &info, &t));
  CHECK(t.kernels == 1 && t.kernel[0].shape.loads == HP_LOADS_WIDE);
}

static void test_shape(const char *path) {
  hp_device_shape shape = hp_device_default_shape();
  hp_tuned t = {.count = 0};
  char warning[512] = "old";
  remove(path);
  CHECK(!tuned_shape(&info, 1000, 1, &shape, warning, sizeof warning) && warning[0] == '\0'); /* no file: no word */
  const hp_tuned_row r = row_of(10, 10, 10, 33);
  hp_tuned_put(&t, &r);
  CHECK_OK(hp_tuned_write(path, &info, &t));
  CHECK(!tuned_shape(&info, 0, 1, &shape, warning, sizeof warning)); /* cells unknown */
  CHECK(tuned_shape(&info, 1000, 1, &shape, warning, sizeof warning) && warning[0] == '\0');
  CHECK(shape.delay == 33 && shape.barrier == HP_BARRIER_FLAGS);
  CHECK(!tuned_shape(&info, 1000, 2, &shape, warning, sizeof warning) && warning[0] == '\0'); /* none for two GPUs */
  remove(path);
  CHECK(mkdir(path, 0777) == 0); /* a folder in its place */
  CHECK(!tuned_shape(&info, 1000, 1, &shape, warning, sizeof warning) && strstr(warning, path) != NULL);
  CHECK(hp_tuned_write(path, &info, &t) == HP_ERR_FILE);
  CHECK(rmdir(path) == 0);
}

static void test_environment(void) {
  hp_device_options opt = {.memory_limit = 5};
  setenv("HEPTA_TEST_GPU_FAIL_AT", "12", 1);
  setenv("HEPTA_TEST_GPU_MEMORY", "7", 1);
  setenv("HEPTA_TEST_GPU_PAGES", "5", 1);
  setenv("HEPTA_TEST_GPU_ROWS", "9", 1);
  setenv("HEPTA_TEST_GPU_SHAKE", "3", 1);
  CHECK_OK(hp_device_test_options(&opt));
  CHECK(opt.one_gpu_rows == 9 && opt.fail_at == 12 && opt.memory_limit == 5 && opt.pages == 5 &&
        opt.shake == 3); /* options come first */
  hp_device_options two = {0}, bad = {0}, three = {0};
  setenv("HEPTA_TEST_GPUS", "2,0", 1);
  CHECK_OK(hp_device_test_options(&two));
  CHECK(two.gpus == 2 && two.gpu[0] == 2 && two.gpu[1] == 0 && two.listed && !opt.listed && opt.gpus == 0);
  setenv("HEPTA_TEST_GPUS", "0,", 1);
  CHECK(hp_device_test_options(&bad) == HP_ERR_USAGE && strstr(hp_fail_text(), "HEPTA_TEST_GPUS") != NULL);
  setenv("HEPTA_TEST_GPUS", "3", 1);
  CHECK_OK(hp_device_test_options(&three));
  CHECK(three.gpus == 3 && three.gpu[2] == 0 && !three.listed);
  static const char *const wrong[] = {"", "x", "0", "-1", "3 ", "1.5", "99999999999999999999"};
  for (size_t n = 0; n < sizeof wrong / sizeof *wrong; ++n) {
    hp_device_options none = {0};
    setenv("HEPTA_TEST_GPU_SHAKE", wrong[n], 1);
    CHECK(hp_device_test_options(&none) == HP_ERR_USAGE && strstr(hp_fail_text(), "HEPTA_TEST_GPU_SHAKE") != NULL);
  }
}

int main(void) {
  char path[512], command[128];
  CHECK(mkdtemp(folder) != NULL);
  test_path(path, sizeof path);
  test_check_path(path);
  test_roundtrip(path);
  test_full();
  test_damage(path);
  test_earlier(path);
  test_kernels(path);
  test_damaged_kernels(path);
  test_shape(path);
  test_environment();
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  return check_result();
}
