/* The refresh of a hierarchy on a GPU as a team program: amg/setup/cuda/refresh.cu says what it does. */
#ifndef HP_AMG_SETUP_CUDA_REFRESH_PROGRAM_CUH
#define HP_AMG_SETUP_CUDA_REFRESH_PROGRAM_CUH

#include "amg/cycle/cuda/direct.cuh"
#include "amg/cycle/cuda/program.cuh"
#include "amg/cycle/numbers.inl.h"
#include "amg/rows/cuda/rows.cuh"
#include "amg/setup/cuda/refresh.cuh"

/* The step stands in shared memory: after a barrier a read through a pointer to the kernel's arguments comes from
 * level 2 again. */
static __device__ __noinline__ void hp_refresh_product(hp_team *t, const hp_product &step) {
  __shared__ hp_product p;
  double *chip = (double *)hp_shared_rest(t);
  if (threadIdx.x < sizeof p / 4) ((int *)&p)[threadIdx.x] = ((const int *)&step)[threadIdx.x];
  __syncthreads();
#define HP_CASE(G) \
  case G: hp_product_rows<G>(p, t->rank / G, t->size / G, chip); break;
  switch (p.lanes) {
    HP_CASE(4)
    HP_CASE(8)
    HP_CASE(16)
    HP_CASE(32)
  }
#undef HP_CASE
}

/* Before: the numbers of the first level's A are visible to all. */
static __device__ __forceinline__ void hp_refresh_program(hp_team *t, const hp_refresh_args &a) {
  const hp_amg *H = a.cycle != NULL ? hp_amg_on_chip(a.cycle) : NULL;
  const int first = a.cycle != NULL && a.first_early ? 1 : 0;
  if (first > 0) hp_amg_numbers_of(t, H, 0, first);
  for (int n = 0; n < a.products; ++n) {
    hp_refresh_product(t, a.product[n]);
    hp_team_sync(t); /* C */
  }
  const bool large = a.direct.n > HP_DIRECT_CHIP;
  if (large) hp_direct_by_team(t, a.last, a.direct);
  else if (a.direct.n > 0 && blockIdx.x + 1 == gridDim.x)
    hp_direct_by_block(a.last, a.direct, (double *)hp_shared_rest(t));
  if (H != NULL) hp_amg_numbers_of(t, H, first, H->nlevel);
}

#endif
