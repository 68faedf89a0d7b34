/* The kernels of the build with cpr (amg/cpr/cuda/kernels.cu). PLAIN: cycles read rows as csr or HEC (linear.cpr.format), not in
 * slices. The build compiles each in an object of its own. */
#ifndef HP_AMG_CPR_CUDA_KERNELS_CUH
#define HP_AMG_CPR_CUDA_KERNELS_CUH

#include "linsolve/matrix/gh.h"

/* hp_precond_device.kernel */
template <bool PLAIN>
const void *hp_cpr_kernel(int task, const hp_gh *A);

#endif
