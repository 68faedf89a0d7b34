/* The kernels of decks with connections beyond the lattice or threshold pressures. */
#define HP_DEVICE_REGIONS
#define HP_DEVICE_CONNECTIONS

#include "sim/step/cuda/kernels.cuh"

const hp_step_kernel *hp_step_kernels_with_connections(void) { return kernels; }
