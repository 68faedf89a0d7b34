/* Exact sums (core/ranks/exact.h) on a GPU by many threads: atomic additions of integers, whose result does not depend
 * on their order. One number per rank goes to the host instead of one per chunk. */
#ifndef HP_CORE_RANKS_CUDA_EXACT_CUH
#define HP_CORE_RANKS_CUDA_EXACT_CUH

#include "core/ranks/exact.h"

#if defined(__CUDACC__)

static __device__ __forceinline__ void hp_exact_add_place(hp_exact *s, int place, int64_t v) {
  if (v != 0) atomicAdd((unsigned long long *)(void *)&s->place[place], (unsigned long long)v);
}

/* s in shared or global memory. */
static __device__ __forceinline__ void hp_exact_add_cuda(hp_exact *s, double v) {
  int64_t part[3];
  int at;
  hp_exact_split((uint64_t)__double_as_longlong(v), &at, part);
#pragma unroll
  for (int n = 0; n < 3; ++n) hp_exact_add_place(s, at + n, part[n]);
}

#endif

#endif
