/* The kernels of the build with cpr (amg/cpr/cuda/kernels.cu). PLAIN: cycles read rows as csr or HEC (linear.cpr.format), not in
 * slices. The build compiles each in an object of its own. */
#ifndef HP_AMG_CPR_CUDA_KERNELS_CUH
#define HP_AMG_CPR_CUDA_KERNELS_CUH

#include "linsolve/matrix/gh.h"

template <bool PLAIN>
struct hp_cpr_kernels {
  /* hp_precond_device.solve, and .apply */
  static const void *solve(int method, const hp_gh *A);
  static const void *apply(void);
  /* Loads the kernel of most solves before it is launched. */
  static void load(void);
};

#endif
