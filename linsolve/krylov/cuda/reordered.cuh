/* A kernel as hp_solve_kernel (linsolve/krylov/cuda/kernel.cuh), of linsolve/krylov/reordered.inl.h. */
#ifndef HP_LINSOLVE_KRYLOV_CUDA_REORDERED_CUH
#define HP_LINSOLVE_KRYLOV_CUDA_REORDERED_CUH

const void *hp_reordered_kernel(void);

#endif
