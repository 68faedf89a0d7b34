/* The kernels of decks with aquifers. */
#define HP_DEVICE_REGIONS
#define HP_DEVICE_CONNECTIONS
#define HP_DEVICE_AQUIFERS

#include "sim/step/cuda/kernels.cuh"

const hp_step_kernel *hp_step_kernels_with_aquifers(void) { return kernels; }
