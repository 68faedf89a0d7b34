#include "core/device/share.h"

#include <stdio.h>

#include "core/plural.h"

/* `gpus` of the list from number `first` on. */
static void set_list(const int *list, int first, int gpus, hp_device_options *out) {
  out->gpus = gpus;
  for (int g = 0; g < gpus; ++g) out->gpu[g] = list != NULL ? list[first + g] : first + g;
  out->ordinal = out->gpu[0];
}

static hp_status share_number(int each, int visible, int number, int count, hp_device_options *out) {
  if (count * each > visible)
    return hp_fail(HP_ERR_USAGE, "--gpus %d: %d rank%s of a host, each with so many GPUs, need%s %d, but there %s %d",
                   each, count, hp_plural(count), count == 1 ? "s" : "", count * each, visible == 1 ? "is" : "are",
                   visible);
  set_list(NULL, number * each, each, out);
  return HP_OK;
}

static hp_status share_list(const hp_device_options *all, int number, int count, hp_device_options *out) {
  const int gpus = all->gpus / count;
  if (all->gpus % count != 0)
    return hp_fail(HP_ERR_USAGE, "--gpus: %d GPUs in a list for %d ranks of a host: each must have as many", all->gpus,
                   count);
  set_list(all->gpu, number * gpus, gpus, out);
  return HP_OK;
}

hp_status hp_device_share_gpus(const hp_device_options *all, bool each, int visible, int number, int count,
                               hp_device_options *out) {
  *out = *all;
  if (all->gpus == 0) {
    out->ordinal = number % visible;
    return HP_OK;
  }
  if (all->gpus > 0)
    return each ? share_number(all->gpus, visible, number, count, out) : share_list(all, number, count, out);
  const int gpus = visible / count;
  if (gpus > HP_GPUS_MAX)
    return hp_fail(HP_ERR_USAGE, "--gpus all: %d for each rank: at most %d", gpus, (int)HP_GPUS_MAX);
  if (gpus > 0) set_list(NULL, number * gpus, gpus, out);
  else set_list(NULL, number % visible, 1, out);
  return HP_OK;
}

void hp_device_describe_count(int gpus, char *out, size_t size) {
  if (gpus > 1) snprintf(out, size, "%d GPUs", gpus);
  else snprintf(out, size, "a GPU");
}
