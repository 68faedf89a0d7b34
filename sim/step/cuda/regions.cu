/* The kernels of decks whose cells differ in their tables or end points. */
#define HP_DEVICE_REGIONS

#include "sim/step/cuda/kernels.cuh"

const hp_step_kernel *hp_step_kernels_with_regions(void) { return kernels; }
