/* The kernels of decks with rock tables. */
#define HP_DEVICE_REGIONS
#define HP_DEVICE_CONNECTIONS
#define HP_DEVICE_AQUIFERS
#define HP_DEVICE_ROCK_TABLES

#include "sim/step/cuda/kernels.cuh"

const hp_step_kernel *hp_step_kernels_with_rock_tables(void) { return kernels; }
