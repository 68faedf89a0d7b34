#include "core/device/kernels.h"

#include <string.h>

#include "core/show.h"

static const char *const loads_names[HP_LOADS_COUNT] = {"plain", "wide", "stream"};

HP_WORD_OF(hp_kernel_loads_name, hp_kernel_loads, loads_names)
HP_WORD_FIND(hp_kernel_loads_find, hp_kernel_loads, loads_names)

static const struct {
  const char *name, *options;
} compiles[HP_COMPILE_COUNT] = {[HP_COMPILE_BUILD] = {"build", NULL},
                                [HP_COMPILE_AGAIN] = {"again", ""},
                                [HP_COMPILE_REGISTERS_32] = {"registers-32", "-DHP_KERNEL_BLOCKS=4"},
                                [HP_COMPILE_REGISTERS_64] = {"registers-64", "-DHP_KERNEL_BLOCKS=2"},
                                [HP_COMPILE_OPTIMIZE_1] = {"optimize-1", "--ptxas-options=-O1"},
                                [HP_COMPILE_OPTIMIZE_2] = {"optimize-2", "--ptxas-options=-O2"}};

const char *hp_kernel_compile_name(hp_kernel_compile compile) { return compiles[compile].name; }
const char *hp_kernel_compile_options(hp_kernel_compile compile) { return compiles[compile].options; }

bool hp_kernel_compile_find(const char *name, hp_kernel_compile *out) {
  for (int n = 0; n < HP_COMPILE_COUNT; ++n)
    if (strcmp(name, compiles[n].name) == 0) {
      *out = (hp_kernel_compile)n;
      return true;
    }
  return false;
}

hp_kernel_shape hp_kernel_default_shape(void) {
  const hp_kernel_shape s = {.threads = 256, .unroll = 2, .loads = HP_LOADS_WIDE, .streams = 1, .last = true};
  return s;
}

static bool is_power(int n) { return n > 0 && (n & (n - 1)) == 0; }

hp_status hp_kernel_check_shape(const hp_kernel_shape *s) {
  if (!is_power(s->threads) || s->threads < 32 || s->threads > HP_KERNEL_THREADS_MAX)
    return hp_fail(HP_ERR_USAGE, "%d threads a block: expected a power of two, 32 to %d", s->threads,
                   (int)HP_KERNEL_THREADS_MAX);
  if (s->blocks < 0 || s->blocks > HP_KERNEL_BLOCKS_MAX)
    return hp_fail(HP_ERR_USAGE, "%d blocks a multiprocessor: expected 0 to %d", s->blocks, (int)HP_KERNEL_BLOCKS_MAX);
  if (!is_power(s->unroll) || s->unroll > HP_KERNEL_UNROLL_MAX)
    return hp_fail(HP_ERR_USAGE, "%d pieces in flight: expected 1, 2, 4 or 8", s->unroll);
  if ((unsigned)s->loads >= HP_LOADS_COUNT) return hp_fail(HP_ERR_USAGE, "unknown loads");
  if (s->streams < 1 || s->streams > HP_KERNEL_STREAMS_MAX)
    return hp_fail(HP_ERR_USAGE, "%d streams: expected 1 to %d", s->streams, (int)HP_KERNEL_STREAMS_MAX);
  if ((unsigned)s->compile >= HP_COMPILE_COUNT) return hp_fail(HP_ERR_USAGE, "unknown way to compile");
  if (s->cut < 0 || s->cut > HP_KERNEL_CUT_MAX)
    return hp_fail(HP_ERR_USAGE, "rows cut at %d blocks: expected 0 to %d", s->cut, (int)HP_KERNEL_CUT_MAX);
  return HP_OK;
}

bool hp_kernel_same_shape(const hp_kernel_shape *a, const hp_kernel_shape *b) {
  return a->threads == b->threads && a->blocks == b->blocks && a->unroll == b->unroll && a->loads == b->loads &&
         a->streams == b->streams && a->last == b->last && a->shared == b->shared && a->compile == b->compile &&
         a->cut == b->cut;
}
