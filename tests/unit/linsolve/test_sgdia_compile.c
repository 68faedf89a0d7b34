/* Kernels of products with SG-DIA compile while the program runs (linsolve/sgdia/device.h): every variant's text, with every
 * option; options change where a kernel is kept. Skipped without libnvrtc, as in core/compile/nvrtc.c. */
#include <string.h>

#include "bench/sgdia/device.h"
#include "core/compile/compile.h"
#include "core/memory.h"
#include "tests/support/check.h"

static const char unit[] = "#include \"hp_constants.h\"\n#include \"linsolve/sgdia/cuda/kernels.cuh\"\n";

static int64_t compile(const hp_sgdia *A, const hp_kernel_shape *s) {
  char kernel[128];
  hp_cubin C;
  hp_sgdia_kernel_expression(A, s, kernel, sizeof kernel);
  const hp_compile_job job = {unit, kernel, "", 9, 0, hp_kernel_compile_options(s->compile), hp_kernel_texts};
  CHECK_OK(hp_compile(&job, &C));
  CHECK(C.bytes > 0 && strstr(C.name, "stencil_kernel") != NULL);
  const int64_t bytes = C.bytes;
  hp_cubin_free(&C);
  return bytes;
}

static void test_variants(void) {
  static const int size[3] = {5, 5, 5};
  const int every = check_every(6);
  int number = 0;
  for (int periodic = 0; periodic < 2; ++periodic)
    for (int single = 0; single < 2; ++single) {
      hp_sgdia *A = NULL;
      CHECK_OK(hp_sgdia_create(HP_SGDIA_STAR, size, 1, periodic != 0, single != 0, 1, &A));
      for (int loads = 0; loads < HP_LOADS_COUNT; ++loads) {
        hp_kernel_shape s = hp_sgdia_untuned_shape();
        s.loads = (hp_kernel_loads)loads;
        s.unroll = 1 << loads;
        s.shared = loads != 1;
        s.compile = HP_COMPILE_AGAIN;
        if (number++ % every == 0) compile(A, &s);
      }
      hp_sgdia_destroy(&A);
    }
}

/* Each has options of its own, and so a file of its own; fewer registers are other code. */
static void test_options(void) {
  static const int size[3] = {5, 5, 5};
  hp_sgdia *A = NULL;
  char path[HP_COMPILE_COUNT][1024], kernel[128];
  hp_kernel_shape s = hp_sgdia_untuned_shape();
  int64_t bytes[HP_COMPILE_COUNT] = {0};
  CHECK_OK(hp_sgdia_create(HP_SGDIA_BOX, size, 2, true, false, 1, &A));
  s.unroll = 8;
  s.loads = HP_LOADS_WIDE;
  hp_sgdia_kernel_expression(A, &s, kernel, sizeof kernel);
  CHECK(strcmp(kernel, "stencil_kernel<double, true, false, 8, 1>") == 0);
  for (int c = HP_COMPILE_AGAIN; c < HP_COMPILE_COUNT; ++c) {
    hp_kernel_compile found;
    s.compile = (hp_kernel_compile)c;
    bytes[c] = compile(A, &s);
    const hp_compile_job job = {unit, kernel, "", 9, 0, hp_kernel_compile_options(s.compile), hp_kernel_texts};
    CHECK_OK(hp_cubin_path(&job, 13000, path[c], sizeof path[c]));
    for (int other = HP_COMPILE_AGAIN; other < c; ++other) CHECK(strcmp(path[c], path[other]) != 0);
    CHECK(hp_kernel_compile_find(hp_kernel_compile_name(s.compile), &found) && found == s.compile);
  }
  CHECK(bytes[HP_COMPILE_REGISTERS_32] != bytes[HP_COMPILE_AGAIN]);
  CHECK(bytes[HP_COMPILE_OPTIMIZE_1] != bytes[HP_COMPILE_AGAIN]);
  CHECK(hp_kernel_compile_options(HP_COMPILE_BUILD) == NULL);
  hp_sgdia_destroy(&A);
}

int main(void) {
  int version;
  if (hp_compiler_version(&version) != HP_OK) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  test_variants();
  test_options();
  CHECK(hp_memory_now() == 0);
  return check_result();
}
