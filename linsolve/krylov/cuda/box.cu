/* BiCG-Stab of the build for a box of 27 points, any q. */
#define HP_GH_BOX
#include "linsolve/krylov/cuda/variants.cuh"

#include "linsolve/krylov/cuda/kernel.cuh"

const void *hp_stencil_box_kernel(void) { return (const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_ANY>; }
