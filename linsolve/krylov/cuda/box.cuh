/* The kernel of solves with a box of 27 points (linsolve/stencil/box.h), for hp_solve_args whose A.h has its values. */
#ifndef HP_LINSOLVE_KRYLOV_CUDA_BOX_CUH
#define HP_LINSOLVE_KRYLOV_CUDA_BOX_CUH

const void *hp_stencil_box_kernel(void);

#endif
