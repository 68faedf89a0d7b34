/* The kernels of several ranks with a GPU each: of any deck, and with sums by chunks of whole columns, which the host adds up
 * over ranks (core/device/part.h). */
#define HP_DEVICE_REGIONS
#define HP_DEVICE_CONNECTIONS
#define HP_DEVICE_AQUIFERS
#define HP_DEVICE_ROCK_TABLES
#define HP_DEVICE_RANKS

#include "sim/step/cuda/kernels.cuh"

const hp_step_kernel *hp_step_kernels_of_ranks(void) { return kernels; }
