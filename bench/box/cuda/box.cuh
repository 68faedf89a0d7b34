/* BiCG-Stab's kernel for boxes of 27 points: launched like hp_solve_kernel, with the same arguments. */
#ifndef HP_BENCH_BOX_CUDA_BOX_CUH
#define HP_BENCH_BOX_CUDA_BOX_CUH

const void *hp_box_kernel(void);

#endif
