/* Loads of kernels of products. The matrix bypasses the L1 cache, where x stays. Loads return zero where there is nothing to
 * load. The instruction is predicated: from a branch, compilers place the load next to its use, and only one diagonal is in
 * flight at a time. */
#ifndef HP_LINSOLVE_PRODUCT_CUDA_LOAD_CUH
#define HP_LINSOLVE_PRODUCT_CUDA_LOAD_CUH

#include <cuda_runtime.h>
#include <stdint.h>

/* Loads 8 bytes of the matrix. */
__device__ __forceinline__ double spmv_load1(const double *p, bool has) {
  double v;
  asm volatile(
      "{ .reg .pred q; setp.ne.s32 q, %2, 0;\n\t"
      "mov.f64 %0, 0d0000000000000000;\n\t"
      "@q ld.global.nc.L1::no_allocate.f64 %0, [%1]; }"
      : "=d"(v)
      : "l"(p), "r"((int)has));
  return v;
}

__device__ __forceinline__ double spmv_x1(const double *p, bool has) {
  double v;
  asm volatile(
      "{ .reg .pred q; setp.ne.s32 q, %2, 0;\n\t"
      "mov.f64 %0, 0d0000000000000000;\n\t"
      "@q ld.global.nc.f64 %0, [%1]; }"
      : "=d"(v)
      : "l"(p), "r"((int)has));
  return v;
}

__device__ __forceinline__ int spmv_load_index(const int32_t *p) {
  int v;
  asm("ld.global.nc.L1::no_allocate.s32 %0, [%1];" : "=r"(v) : "l"(p));
  return v;
}

#endif
