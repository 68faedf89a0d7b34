/* Kernels with reordered synchronization: launched like hp_solve_kernel, with the same arguments. */
#ifndef HP_BENCH_KRYLOV_CUDA_KERNELS_CUH
#define HP_BENCH_KRYLOV_CUDA_KERNELS_CUH

#include "linsolve/krylov/krylov.h"

/* form: of hp_solve_kernel. */
const void *hp_reordered_kernel(hp_krylov_method method, int form);

#endif
