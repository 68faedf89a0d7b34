/* The functions of amg/cycle/device.h that are the same with and without CUDA. */
#include "amg/cycle/device.h"

static const bool by_host[] = {
#define BY_HOST_OF(name, text, setup, sweep, rows, prepare, in_kernel, device, by) \
  HP_AMG_PATTERN_##by == HP_AMG_PATTERN_BY_HOST,
    HP_AMG_SMOOTHER_LIST(BY_HOST_OF)
#undef BY_HOST_OF
};

bool hp_amg_device_smoother_on_host(hp_amg_smoother smoother) { return by_host[smoother]; }
