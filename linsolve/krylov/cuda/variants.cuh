/* Kernels that are launched like hp_solve_kernel (linsolve/krylov/cuda/kernel.cuh), each compiled in a file of its own. */
#ifndef HP_LINSOLVE_KRYLOV_CUDA_VARIANTS_CUH
#define HP_LINSOLVE_KRYLOV_CUDA_VARIANTS_CUH

/* Solves with a box of 27 points (linsolve/stencil/box.h); A.h of hp_solve_args has its values. In box.cu. */
const void *hp_stencil_box_kernel(void);

/* QMR of linsolve/krylov/reordered.inl.h. In reordered.cu. */
const void *hp_reordered_kernel(void);

#endif
