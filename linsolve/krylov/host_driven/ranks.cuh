/* Exact sums of passes over vectors (linsolve/vectors/cuda/variants.cuh) over all ranks, by chunks of whole columns
 * (core/ranks/exact.h), for the execution per-operation. The host waits for them; kernels read them with
 * hp_exec_collect. */
#ifndef HP_LINSOLVE_KRYLOV_HOST_DRIVEN_RANKS_CUH
#define HP_LINSOLVE_KRYLOV_HOST_DRIVEN_RANKS_CUH

#include <string.h>

#include "core/ranks/cuda/exact.cuh"
#include "linsolve/krylov/host_driven/execution.cuh"
#include "linsolve/vectors/cuda/variants.cuh"

/* Adds the sums of chunks, one per warp, to a.exact [Pass::SUMS], first within a block. */
template <class Pass>
static __global__ void __launch_bounds__(HP_EXEC_THREADS)
    hp_exec_exact_kernel(const __grid_constant__ hp_exec_args a, const __grid_constant__ hp_cut cut) {
  __shared__ hp_exact block[Pass::SUMS];
  const int warps = HP_EXEC_THREADS / 32, warp = (int)threadIdx.x >> 5;
  Pass pass;
  if (!pass.begin(a)) return;
  for (int n = threadIdx.x; n < Pass::SUMS * HP_EXACT_PLACES; n += HP_EXEC_THREADS)
    block[n / HP_EXACT_PLACES].place[n % HP_EXACT_PLACES] = 0;
  __syncthreads();
  for (int c = (int)blockIdx.x * warps + warp; c < cut.chunks; c += (int)gridDim.x * warps) {
    double acc[2][Pass::SUMS] = {{0.0}};
    hp_vector_chunk<Pass, 1, HP_LOADS_PLAIN>(pass, hp_cut_begin(&cut, c), hp_cut_end(&cut, c), acc);
#pragma unroll
    for (int k = 0; k < Pass::SUMS; ++k) {
      double v = acc[0][k] + acc[1][k];
#pragma unroll
      for (int apart = 16; apart > 0; apart >>= 1) v += __shfl_down_sync(0xffffffffu, v, apart);
      if ((threadIdx.x & 31) == 0) hp_exact_add_cuda(&block[k], v);
    }
  }
  __syncthreads();
  for (int n = threadIdx.x; n < Pass::SUMS * HP_EXACT_PLACES; n += HP_EXEC_THREADS)
    hp_exact_add_place(&a.exact[n / HP_EXACT_PLACES], n % HP_EXACT_PLACES,
                       block[n / HP_EXACT_PLACES].place[n % HP_EXACT_PLACES]);
}

template <class Pass>
static hp_status hp_exec_sum_ranks(hp_execution *E, const char *what) {
  enum { BLOCKS_EACH = 4 };
  const hp_gh *A = &E->args.A;
  const int64_t most = (int64_t)BLOCKS_EACH * hp_device_get_info(E->D)->multiprocessors;
  double sum[HP_SUMS_MAX];
  hp_team t;
  memset(&t, 0, sizeof t);
  t.part = E->part;
  hp_team_split(&t, A->rows, A->n);
  hp_cut cut = hp_team_cut(&t, A->n);
  void *args[] = {&E->args, &cut};
  const int64_t blocks = hp_parts(cut.chunks, HP_EXEC_THREADS / 32);
  HP_TRY(hp_exec_launch(E, (const void *)hp_exec_exact_kernel<Pass>, blocks < most ? blocks : most, HP_EXEC_THREADS,
                        args, 0, what));
  return hp_device_sum(E->D, Pass::SUMS, sum);
}

#endif
