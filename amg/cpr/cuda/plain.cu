/* The kernels of cpr whose cycles read rows as csr or HEC (linear.cpr.format); those over slices: amg/cpr/cuda/cpr.cu. */
#include "amg/cpr/cuda/execution.cuh"

#define HP_SOLVE_APPLY(t, P, A, r, z) hp_cpr_apply_cuda<true>(t, P, A, r, z)
#include "amg/cpr/cuda/application.cuh"

const void *hp_cpr_plain_solve_kernel(int method, const hp_gh *A) { return solve_kernel(method, A); }

const void *hp_cpr_plain_apply_kernel(void) { return (const void *)apply_kernel; }
