/* Kernels of operations on vectors compile while the program runs (bench/vectors/vectors.h): their names as C++ has them, the
 * kernels of every operation, those of the passes of solves, options of the compiler. Skipped without libnvrtc, as in core/compile/nvrtc.c. */
#include <string.h>

#include "bench/texts/texts.h"
#include "bench/vectors/vectors.h"
#include "core/memory.h"
#include "linsolve/krylov/host_driven/passes.h"
#include "tests/support/check.h"

/* A number of the code's own. */
static uint64_t compile(const char *unit, const char *kernel, hp_kernel_compile how) {
  uint64_t mark = 0;
  hp_cubin C;
  const hp_kernel_text *texts = strstr(unit, "\"bench/") != NULL ? hp_bench_kernel_texts : hp_kernel_texts;
  const hp_compile_job job = {unit, kernel, "", 9, 0, hp_kernel_compile_options(how), texts};
  CHECK_OK(hp_compile(&job, &C));
  CHECK(C.bytes > 0);
  for (int64_t n = 0; n < C.bytes; ++n) mark = hp_mix64(mark + (unsigned char)C.code[n] + 1);
  hp_cubin_free(&C);
  return mark;
}

static uint64_t compile_operation(hp_vector_operation op, const hp_kernel_shape *s, bool aligned) {
  static const char unit[] = "#include \"hp_constants.h\"\n#include \"bench/vectors/cuda/kernels.cuh\"\n";
  char kernel[HP_VECTOR_EXPRESSION_MAX];
  hp_vector_kernel_expression(op, s, aligned, kernel, sizeof kernel);
  return compile(unit, kernel, s->compile);
}

static void test_names(void) {
  static const char *const expected[HP_VECTOR_OPERATIONS][2] = {
      {"hp_vector_each_kernel<axpy_pass, hp_vector_args, 8, 2>",
       "hp_vector_each_kernel<axpy_pass, hp_vector_args, 8, 0>"},
      {"maxpy_kernel<8, 2>", "maxpy_kernel<8, 0>"},
      {"hp_vector_each_kernel<waxpy_pass, hp_vector_args, 8, 2>",
       "hp_vector_each_kernel<waxpy_pass, hp_vector_args, 8, 0>"},
      {"last_kernel<dot_pass, 8, 2>", "hp_vector_sums_kernel<dot_pass, hp_vector_args, 8, 0>"},
      {"last_kernel<norm_pass, 8, 2>", "hp_vector_sums_kernel<norm_pass, hp_vector_args, 8, 0>"},
      {"hp_vector_each_kernel<scale_pass, hp_vector_args, 8, 2>",
       "hp_vector_each_kernel<scale_pass, hp_vector_args, 8, 0>"}};
  for (int op = 0; op < HP_VECTOR_OPERATIONS; ++op)
    for (int apart = 0; apart < 2; ++apart) { /* not aligned, and sums by two kernels */
      char kernel[HP_VECTOR_EXPRESSION_MAX];
      hp_kernel_shape s = hp_kernel_default_shape();
      s.unroll = 8;
      s.loads = HP_LOADS_STREAM;
      s.last = apart == 0;
      hp_vector_kernel_expression((hp_vector_operation)op, &s, apart == 0, kernel, sizeof kernel);
      CHECK(strcmp(kernel, expected[op][apart]) == 0);
    }
}

/* Each operation with an option of its own. */
static void test_operations(void) {
  const int every = check_every(3);
  for (int op = 0; op < HP_VECTOR_OPERATIONS; op += every) {
    hp_kernel_shape s = hp_kernel_default_shape();
    s.unroll = 1 << op % 4;
    s.loads = (hp_kernel_loads)(op % HP_LOADS_COUNT);
    s.last = op == HP_VECTOR_DOT;
    s.compile = (hp_kernel_compile)(HP_COMPILE_AGAIN + op % (HP_COMPILE_COUNT - HP_COMPILE_AGAIN));
    compile_operation((hp_vector_operation)op, &s, true);
  }
}

/* Fewer registers, and less optimization, are other code. */
static void test_options(void) {
  hp_kernel_shape s = hp_kernel_default_shape();
  uint64_t mark[HP_COMPILE_COUNT] = {0};
  s.unroll = 8;
  for (int c = HP_COMPILE_AGAIN; c < HP_COMPILE_COUNT; ++c) {
    s.compile = (hp_kernel_compile)c;
    if (c == HP_COMPILE_AGAIN || c == HP_COMPILE_REGISTERS_32 || c == HP_COMPILE_OPTIMIZE_1)
      mark[c] = compile_operation(HP_VECTOR_WAXPY, &s, true);
  }
  CHECK(mark[HP_COMPILE_REGISTERS_32] != mark[HP_COMPILE_AGAIN]);
  CHECK(mark[HP_COMPILE_OPTIMIZE_1] != mark[HP_COMPILE_AGAIN]);
}

/* Classes of passes have as many vectors as their list says, whose kernels are named by that. */
static void test_passes(void) {
  const int every = check_every(4);
  char unit[2048], kernel[HP_VECTOR_EXPRESSION_MAX];
  hp_kernel_shape s = hp_kernel_default_shape();
  int used = snprintf(unit, sizeof unit,
                      "#include \"hp_constants.h\"\n#include \"linsolve/krylov/host_driven/passes.cuh\"\n");
  for (int p = 0; p < HP_EXEC_PASSES; ++p) {
    const hp_vector_pass *pass = hp_exec_pass_get((hp_exec_pass)p);
    CHECK(pass->sums == hp_vector_is_sum(hp_exec_pass_as((hp_exec_pass)p)));
    used += snprintf(unit + used, sizeof unit - (size_t)used,
                     "static_assert(%s::READS == %d && %s::PASS == %d, \"\");\n", pass->name, pass->reads, pass->name,
                     p);
  }
  s.unroll = 8;
  s.compile = HP_COMPILE_REGISTERS_32;
  /* every second: of three and five vectors, and sums */
  for (int p = HP_EXEC_PASS_P; p < HP_EXEC_PASSES; p += 2 * every) {
    hp_vector_pass_expression(hp_exec_pass_get((hp_exec_pass)p), &s, p % 4 == 1, kernel, sizeof kernel);
    CHECK(strstr(kernel, p == HP_EXEC_PASS_UPDATE ? "update_pass, update_args, 4, " : "_args, ") != NULL);
    compile(unit, kernel, s.compile);
  }
}

int main(void) {
  int version;
  test_names();
  if (hp_compiler_version(&version) != HP_OK) {
    printf("skipped: %s\n", hp_fail_text());
    return check_result() != 0 ? check_result() : CHECK_SKIPPED;
  }
  test_operations();
  test_options();
  test_passes();
  CHECK(hp_memory_now() == 0);
  return check_result();
}
