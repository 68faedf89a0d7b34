#include "core/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/ahead.h"
#include "core/plural.h"
#include "core/test_hooks.h"

/* ---- the only refusal of a build without CUDA: what else needs a device is missing there ---- */

hp_status hp_device_in_build(void) {
#ifdef HEPTA_HAVE_CUDA
  return HP_OK;
#else
  return hp_fail(HP_ERR_UNSUPPORTED,
                 "this build of hepta has no CUDA: configure with -DHEPTA_CUDA=ON where nvcc is installed, or run with "
                 "--backend cpu");
#endif
}

hp_status hp_device_available(void) {
  HP_TRY(hp_device_in_build());
  return hp_device_first_fits();
}

hp_status hp_device_count(int *count) {
  *count = 0;
  HP_TRY(hp_device_in_build());
  return hp_device_visible(count);
}

int64_t hp_device_memory(int ordinal) { return hp_device_in_build() == HP_OK ? hp_device_memory_of(ordinal) : 0; }

static hp_status open_and_fit(hp_device *D, int64_t cells) {
  HP_TRY(hp_device_open(D));
  return hp_device_fit(D, cells);
}

hp_status hp_device_create(const hp_device_options *opt, hp_device **out) {
  *out = NULL;
  HP_TRY(hp_device_in_build());
  hp_device *D = NULL;
  hp_status s = hp_device_find(opt, &D);
  if (s == HP_OK) s = open_and_fit(D, opt != NULL ? opt->cells : 0);
  if (s == HP_OK) *out = D;
  else hp_device_destroy(&D);
  return s;
}

void hp_device_destroy(hp_device **D) {
  if (D != NULL && *D != NULL) hp_device_close(D);
}

/* ---- several GPUs ---- */

/* Numbers with a comma between. */
static bool parse_list(const char *text, int most, int *gpu, int *count) {
  enum { ORDINAL_MAX = 1023 };
  for (*count = 0; *count < most; ++text) {
    char *end;
    const long v = strtol(text, &end, 10);
    if (end == text || v < 0 || v > ORDINAL_MAX) return false;
    gpu[(*count)++] = (int)v;
    if (*end == '\0') return true;
    if (*end != ',') return false;
    text = end;
  }
  return false;
}

bool hp_device_parse_gpus(const char *text, int most, int *gpu, int *count) {
  *count = HP_DEVICE_ALL_GPUS;
  if (strcmp(text, "all") == 0) return true;
  if (strchr(text, ',') != NULL) return parse_list(text, most, gpu, count);
  char *end;
  const long v = strtol(text, &end, 10);
  if (end == text || *end != '\0' || v < 1 || v > most) return false;
  for (*count = 0; *count < (int)v; ++*count) gpu[*count] = *count;
  return true;
}

hp_status hp_device_choose_gpus(hp_device_options *opt, int visible) {
  if (opt->gpus == HP_DEVICE_ALL_GPUS) {
    opt->gpus = visible;
    for (int g = 0; g < visible && g < HP_GPUS_MAX; ++g) opt->gpu[g] = g;
  }
  if (opt->gpus > HP_GPUS_MAX)
    return hp_fail(HP_ERR_USAGE, "a team of %d GPUs: at most %d", opt->gpus, (int)HP_GPUS_MAX);
  if (opt->gpus == 0) {
    opt->gpus = 1;
    opt->gpu[0] = opt->ordinal;
  }
  for (int g = 0; g < opt->gpus; ++g)
    if (opt->gpu[g] < 0 || opt->gpu[g] >= visible)
      return hp_fail(HP_ERR_USAGE, "GPU %d was asked for, but there %s %d (counted from 0)", opt->gpu[g],
                     visible == 1 ? "is" : "are", visible);
  opt->ordinal = opt->gpu[0];
  return HP_OK;
}

hp_status hp_device_of_rank(const hp_device_options *all, int visible, int number, int count, hp_device_options *out) {
  const int named = all->gpus == HP_DEVICE_ALL_GPUS ? visible : all->gpus, choice = named > 0 ? named : visible;
  if (named > count)
    return hp_fail(HP_ERR_USAGE,
                   "--gpus: %d GPUs for %d rank%s of a host, which %s one each: start as many ranks as GPUs, or hepta "
                   "without mpirun, whose GPUs work as one",
                   named, count, hp_plural(count), count == 1 ? "has" : "have");
  *out = *all;
  out->ordinal = all->gpus > 0 ? all->gpu[number % choice] : number % choice;
  out->gpus = 1;
  out->gpu[0] = out->ordinal;
  return HP_OK;
}

int hp_device_different_gpus(int count, const int *gpu, int *out) {
  int found = 0;
  for (int g = 0; g < count; ++g) {
    int same = 0;
    while (same < found && out[same] != gpu[g]) ++same;
    if (same == found) out[found++] = gpu[g];
  }
  return found;
}

void hp_device_name_gpus(int count, const int *gpu, const char *name, char *out, size_t size) {
  char list[16 * HP_GPUS_MAX] = "";
  for (int g = 0; g < count && g < HP_GPUS_MAX; ++g) {
    const size_t at = strlen(list);
    snprintf(list + at, sizeof list - at, "%s%d", g > 0 ? ", " : "", gpu[g]);
  }
  if (count > 1) snprintf(out, size, "GPUs %s (%s)", list, name);
  else snprintf(out, size, "GPU %s", name);
}

/* ---- options ---- */

hp_device_shape hp_device_default_shape(void) {
  const hp_device_shape shape = {.blocks = 2,
                                 .barrier = HP_BARRIER_COUNTER,
                                 .chip = HP_CHIP_MAX,
                                 .wide = true,
                                 .unroll = 2,
                                 .one_gpu_rows = HP_ONE_GPU_ROWS,
                                 .recompute = true,
                                 .threads = HP_DEVICE_THREADS};
  return shape;
}

hp_status hp_device_check_shape(const hp_device_shape *s) {
  if (s->unroll != 1 && s->unroll != 2 && s->unroll != 4)
    return hp_fail(HP_ERR_USAGE, "vector passes load 1, 2 or 4 pairs together, not %d", s->unroll);
  if ((unsigned)s->barrier >= HP_BARRIER_COUNT || s->delay < 0 || s->delay > 1000000)
    return hp_fail(HP_ERR_USAGE, "unknown barrier, or a delay outside 0 to 1000000 ns");
  if (s->threads != HP_DEVICE_THREADS && s->threads != 2 * HP_DEVICE_THREADS && s->threads != 4 * HP_DEVICE_THREADS)
    return hp_fail(HP_ERR_USAGE, "a solve's kernel has 256, 512 or 1024 threads a block, not %d", s->threads);
  if (s->compile != HP_COMPILE_BUILD && s->compile != HP_COMPILE_AGAIN && s->compile != HP_COMPILE_OPTIMIZE_1 &&
      s->compile != HP_COMPILE_OPTIMIZE_2)
    return hp_fail(HP_ERR_USAGE, "a solve's kernel is compiled as build, again, optimize-1 or optimize-2");
  if (s->compile == HP_COMPILE_BUILD && s->threads != HP_DEVICE_THREADS)
    return hp_fail(HP_ERR_USAGE, "the build's kernel of a solve has %d threads a block, not %d", (int)HP_DEVICE_THREADS,
                   s->threads);
  if (s->compile != HP_COMPILE_BUILD && s->blocks * s->threads > 1024)
    return hp_fail(HP_ERR_USAGE, "%d blocks of %d threads leave a solve's kernel fewer than 64 registers", s->blocks,
                   s->threads);
  return HP_OK;
}

/* As how many GPUs the one counts, or a list of them. */
static hp_status apply_gpus(const char *text, hp_device_options *opt) {
  if (text == NULL || opt->gpus != 0) return HP_OK;
  opt->listed = strchr(text, ',') != NULL && hp_device_parse_gpus(text, HP_GPUS_MAX, opt->gpu, &opt->gpus);
  if (opt->listed) return HP_OK;
  char *end;
  const long gpus = strtol(text, &end, 10);
  if (*end != '\0' || gpus < 1 || gpus > HP_GPUS_MAX)
    return hp_fail(HP_ERR_USAGE, "HEPTA_TEST_GPUS=%s: takes a number of 1 to %d, or a list as in 0,1", text,
                   (int)HP_GPUS_MAX);
  for (int g = 0; g < gpus; ++g) opt->gpu[g] = opt->ordinal;
  opt->gpus = (int)gpus;
  return HP_OK;
}

/* The hook, where the option is still zero and the hook is asked for. */
static int64_t hooked(int64_t option, int64_t hook) { return option == 0 && hook > 0 ? hook : option; }

hp_status hp_device_test_options(hp_device_options *opt) {
  hp_test_hooks hooks;
  HP_TRY(hp_test_hooks_read(&hooks));
  opt->fail_at = hooked(opt->fail_at, hooks.gpu_fail_at);
  opt->memory_limit = hooked(opt->memory_limit, hooks.gpu_memory);
  opt->memory_after = hooked(opt->memory_after, hooks.gpu_memory_after);
  opt->pages = hooked(opt->pages, hooks.gpu_pages);
  opt->one_gpu_rows = hooked(opt->one_gpu_rows, hooks.gpu_rows);
  opt->shake = (uint32_t)hooked(opt->shake, hooks.gpu_shake);
  return apply_gpus(hooks.gpus, opt);
}
