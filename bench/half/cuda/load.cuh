/* Loads of the kernels of products (bench/product/cuda/product.cuh), beside those of linsolve/product/cuda/load.cuh.
 *
 * The Bdia kernels load all entries of a group of diagonals before the first use: at q = 2 the whole row of a cell,
 * 14 loads of 16 bytes of the matrix per thread. Sums have the order of the CPU (linsolve/product/spmv.inl.h) and its
 * bits.
 */
#ifndef HP_BENCH_HALF_CUDA_LOAD_CUH
#define HP_BENCH_HALF_CUDA_LOAD_CUH

#include "linsolve/product/cuda/load.cuh"

/* How the matrix is read: SPMV_PLAIN as any data; SPMV_STREAM bypasses L1; SPMV_FIRST is also evicted first from L2;
 * SPMV_WIDE bypasses L1 and prefetches 256 bytes into L2. */
enum { SPMV_PLAIN, SPMV_STREAM, SPMV_FIRST, SPMV_WIDE };

/* Zero where there is nothing to load. */
#define SPMV_LOAD2(instruction, v, p, has)        \
  asm volatile(                                   \
      "{ .reg .pred q; setp.ne.s32 q, %3, 0;\n\t" \
      "mov.f64 %0, 0d0000000000000000;\n\t"       \
      "mov.f64 %1, 0d0000000000000000;\n\t"       \
      "@q " instruction " {%0, %1}, [%2]; }"      \
      : "=d"((v).x), "=d"((v).y)                  \
      : "l"(p), "r"((int)(has)))

template <int LOADS>
__device__ __forceinline__ double2 spmv_load2(const double *p, bool has) {
  double2 v;
  if (LOADS == SPMV_PLAIN) {
    SPMV_LOAD2("ld.global.nc.v2.f64", v, p, has);
  } else if (LOADS == SPMV_STREAM) {
    SPMV_LOAD2("ld.global.nc.L1::no_allocate.v2.f64", v, p, has);
  } else if (LOADS == SPMV_WIDE) {
    SPMV_LOAD2("ld.global.nc.L1::no_allocate.L2::256B.v2.f64", v, p, has);
  } else {
    asm volatile(
        "{ .reg .pred q; .reg .b64 first; setp.ne.s32 q, %3, 0;\n\t"
        "createpolicy.fractional.L2::evict_first.b64 first, 1.0;\n\t"
        "mov.f64 %0, 0d0000000000000000;\n\t"
        "mov.f64 %1, 0d0000000000000000;\n\t"
        "@q ld.global.nc.L1::no_allocate.L2::cache_hint.v2.f64 {%0, %1}, [%2], first; }"
        : "=d"(v.x), "=d"(v.y)
        : "l"(p), "r"((int)has));
  }
  return v;
}

/* Loads 16 bytes of x. */
__device__ __forceinline__ double2 spmv_x2(const double *p, bool has) {
  double2 v;
  SPMV_LOAD2("ld.global.nc.v2.f64", v, p, has);
  return v;
}

template <bool FMA>
__device__ __forceinline__ double spmv_add(double sum, double a, double b) {
  return FMA ? __fma_rn(a, b, sum) : sum + a * b;
}

/* Diagonals whose loads are in flight together: about `most` loads of the matrix per thread. */
__host__ __device__ constexpr int spmv_group(int q, int most) { return most / q < 1 ? 1 : most / q > 7 ? 7 : most / q; }

#endif
