/* The functions of amg/cycle/device.h that are the same with and without CUDA. */
#include "amg/cycle/device.h"

#include <string.h>

typedef struct {
  const char *device; /* what runs it on a GPU */
  bool by_host;
} smoother_entry;

static const smoother_entry entries[] = {
#define ENTRY_OF(name, text, setup, sweep, rows, prepare, in_kernel, device, by_host) \
  {#device, HP_AMG_PATTERN_##by_host == HP_AMG_PATTERN_BY_HOST},
    HP_AMG_SMOOTHER_LIST(ENTRY_OF)
#undef ENTRY_OF
};

const char *hp_amg_device_cycle_refusal(const hp_amg_options *opt) {
  if (strcmp(entries[opt->smoother].device, "none") != 0) return NULL;
  return "gauss-seidel takes one row after the other, which is for the CPU; on a GPU level-scheduled makes the same "
         "sweep, coloured one in another order of rows";
}

bool hp_amg_device_smoother_on_host(hp_amg_smoother smoother) { return entries[smoother].by_host; }
