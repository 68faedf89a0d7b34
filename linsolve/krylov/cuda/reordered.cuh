/* Kernels with reordered synchronization (linsolve/krylov/reordered.inl.h), to measure: BiCG-Stab and QMR. They are launched like
 * hp_solve_kernel, with the same arguments. */
#ifndef HP_LINSOLVE_KRYLOV_CUDA_REORDERED_CUH
#define HP_LINSOLVE_KRYLOV_CUDA_REORDERED_CUH

#include "linsolve/krylov/krylov.h"

/* form: of hp_solve_kernel. */
const void *hp_reordered_kernel(hp_krylov_method method, int form);

#endif
