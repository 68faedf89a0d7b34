/* Loads of data that are constant during a kernel and used once; they leave nothing in L1. */
#ifndef HP_CORE_DEVICE_CUDA_LOAD_CUH
#define HP_CORE_DEVICE_CUDA_LOAD_CUH

#if defined(__CUDACC__)

static __device__ __forceinline__ double2 hp_load_once(const double2 *p) {
  double2 v;
  asm("ld.global.nc.L1::no_allocate.v2.f64 {%0, %1}, [%2];" : "=d"(v.x), "=d"(v.y) : "l"(p));
  return v;
}

static __device__ __forceinline__ float2 hp_load_once(const float2 *p) {
  float2 v;
  asm("ld.global.nc.L1::no_allocate.v2.f32 {%0, %1}, [%2];" : "=f"(v.x), "=f"(v.y) : "l"(p));
  return v;
}

#endif

#endif
