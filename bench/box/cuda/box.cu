#include "bench/box/cuda/box.cuh"

#include "bench/box/cuda/kernel.cuh"

const void *hp_box_kernel(void) {
  return (const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_BOX, hp_box_plain>;
}
