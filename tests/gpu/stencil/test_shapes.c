/* Shapes of a team whose solves have a kernel compiled for the matrix: a search over them measures compiled kernels, and a run
 * takes what the tune file says, with the bits of the build's kernel. */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/generators/family.h"
#include "bench/tuning/tune.h"
#include "bench/tuning/write.h"
#include "core/compile/compile.h"
#include "core/memory.h"
#include "linsolve/krylov/device.h"
#include "tests/support/check.h"

static char folder[] = "/tmp/hepta-shapes-XXXXXX";

static void test_compiled(const hp_device_info *info) {
  static const int size[3] = {9, 8, 7};
  const bool small = getenv("HEPTA_TEST_SMALL") != NULL; /* for a sanitizer: fewer kernels to compile */
  FILE *csv = tmpfile();
  const hp_tune_options opt = {
      .iterations = 10, .search = {.trials = small ? 2 : 4, .rounds = 2, .seed = 3}, .compile = true, .csv = csv};
  hp_device *D;
  hp_tuned t = {.count = 0};
  hp_tuned_row row;
  char path[512], line[256];
  int compiled = 0;
  CHECK_OK(hp_device_create(NULL, &D));
  CHECK_OK(hp_tune_solves(D, size, 2, &opt, &row));
  hp_device_destroy(&D);
  rewind(csv);
  while (fgets(line, sizeof line, csv) != NULL) {
    CHECK(strstr(line, "inf") == NULL);
    compiled += strstr(line, ",build,") == NULL;
  }
  CHECK(compiled > 0);
  fclose(csv);
  row.shape = hp_device_default_shape(); /* whatever was the fastest */
  row.shape.blocks = 1;
  row.shape.threads = 512;
  row.shape.compile = HP_COMPILE_OPTIMIZE_2;
  hp_tuned_put(&t, &row);
  CHECK_OK(hp_tuned_path(info, path, sizeof path));
  CHECK_OK(hp_tuned_write(path, info, &t));
  hp_family f = hp_family_default(9, 8, 7, 2);
  hp_gh *A = NULL, dA;
  double *x[2] = {NULL, NULL}, *db, *dx;
  CHECK_OK(hp_family_create(&f, &A));
  for (int tuned = 0; tuned < 2; ++tuned) {
    const hp_device_options with = {.cells = tuned ? 504 : 0};
    const hp_krylov_options o = {.method = HP_KRYLOV_BICGSTAB, .tolerance = 1e-9, .max_iterations = 20, .restart = 1};
    hp_krylov_device *K = NULL;
    hp_krylov_report report;
    CHECK_OK(hp_device_create(&with, &D));
    CHECK_OK(hp_gh_device_upload(D, A, &dA));
    CHECK_OK(HP_ALLOC(x[tuned], A->n));
    CHECK_OK(HP_DEVICE_ALLOC(D, db, A->n));
    CHECK_OK(HP_DEVICE_ALLOC(D, dx, A->n));
    hp_family_vector(3, A->n, x[tuned]);
    CHECK_OK(hp_device_upload(D, db, x[tuned], A->n * 8));
    CHECK_OK(hp_krylov_device_create(D, &dA, &o, &K));
    CHECK(hp_krylov_device_special(K)->used == (tuned == 1));
    CHECK(tuned == 0 || hp_krylov_device_special(K)->registers <= 128);
    CHECK_OK(hp_krylov_device_setup(K, &dA));
    CHECK_OK(hp_krylov_device_solve(K, &dA, db, dx, NULL, &report));
    CHECK_OK(hp_device_download(D, x[tuned], dx, A->n * 8));
    hp_krylov_device_destroy(&K);
    hp_gh_device_free(D, &dA);
    HP_DEVICE_FREE(D, db);
    HP_DEVICE_FREE(D, dx);
    hp_device_destroy(&D);
  }
  CHECK(memcmp(x[0], x[1], (size_t)A->n * sizeof **x) == 0);
  HP_FREE(x[0]);
  HP_FREE(x[1]);
  hp_gh_destroy(&A);
  remove(path);
}

int main(void) {
  hp_device *D = NULL;
  char command[128];
  int version;
  CHECK(mkdtemp(folder) != NULL);
  setenv("XDG_CACHE_HOME", folder, 1);
  if (hp_device_create(NULL, &D) != HP_OK || hp_compiler_version(&version) != HP_OK) {
    printf("skipped: %s\n", hp_fail_text());
    hp_device_destroy(&D);
    rmdir(folder);
    return CHECK_SKIPPED;
  }
  const hp_device_info info = *hp_device_get_info(D);
  hp_device_destroy(&D);
  test_compiled(&info);
  CHECK(hp_memory_now() == 0);
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  return check_result();
}
