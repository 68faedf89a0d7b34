/* The kernels of amg/solver/cuda/plain.cu, as hp_precond_device.solve and .apply. */
#ifndef HP_AMG_SOLVER_CUDA_PLAIN_CUH
#define HP_AMG_SOLVER_CUDA_PLAIN_CUH

#include "linsolve/matrix/gh.h"

typedef const void *hp_amg_solve_function(int method, const hp_gh *A);

/* alone: cycles without a method. */
hp_amg_solve_function *hp_amg_plain_solve(bool alone);
const void *hp_amg_plain_apply(void);

#endif
