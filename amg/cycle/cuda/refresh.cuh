/* New numbers in a hierarchy on a GPU whose pattern stays: A P and R (A P) of every level, factors and inverse of the
 * last one, and what a cycle reads. One team program, as a kernel or within another kernel:
 *
 *     if asked:           what cycles read of the first level, whose matrix may end then
 *     for every product:  its rows, a group of lanes each;  barrier; those of coarse levels by the first of several GPUs
 *     the last level:     amg/setup/cuda/direct.cuh
 *     if asked:           hp_amg_numbers of amg/cycle/numbers.inl.h
 *
 * A set-up runs each product in a separate kernel, and so does a refresh of products too large for a plan. */
#ifndef HP_AMG_CYCLE_CUDA_REFRESH_CUH
#define HP_AMG_CYCLE_CUDA_REFRESH_CUH

#include "amg/cycle/cuda/program.cuh"
#include "amg/cycle/device.h"
#include "amg/cycle/numbers.inl.h"
#include "amg/rows/cuda/rows.cuh"
#include "amg/setup/cuda/direct.cuh"
#include "amg/setup/cuda/numbers.cuh"

enum { HP_REFRESH_PRODUCTS = 2 * (HP_AMG_LEVELS_MAX - 1) };

typedef struct hp_refresh_args {
  hp_product product[HP_REFRESH_PRODUCTS];
  int products, on_first; /* from this one on, and the last level, they are for the first of several GPUs */
  hp_csr last;
  hp_amg_device_direct direct; /* n = 0: the last level has no factors */
  const hp_amg *cycle;         /* whose numbers are made too; NULL: none */
  bool first_early;            /* those of the first level before the products: its A is not needed after A P */
} hp_refresh_args;

/* Arguments of hp_amg_device_cycle_refresh for a kernel with so many threads per block and *shared bytes of shared memory. False: not
 * all of it can be done in one launch. */
bool hp_amg_device_cycle_refresh_args(const hp_amg_device_cycle *C, const hp_amg_device *H, int threads,
                                      hp_refresh_args *a, size_t *shared);

/* The step is in shared memory: after a barrier, reads of kernel arguments through a pointer would go to L2 again. */
static __device__ __noinline__ void hp_refresh_product(hp_team *t, const hp_product &step) {
  __shared__ hp_product p;
  double *chip = (double *)hp_shared_rest(t);
  if (threadIdx.x < sizeof p / 4) ((int *)&p)[threadIdx.x] = ((const int *)&step)[threadIdx.x];
  __syncthreads();
  const hp_team_share part = hp_team_share_of(t, p.A.nrow, p.A.nrow, true);
#define HP_CASE(G) \
  case G: hp_product_rows<G>(p, (int)part.begin + part.rank / G, (int)part.end, part.size / G, chip); break;
  switch (p.lanes) {
    HP_CASE(4)
    HP_CASE(8)
    HP_CASE(16)
    HP_CASE(32)
  }
#undef HP_CASE
}

/* The other products, and the last level, on which a single block may still be at work afterwards. */
static __device__ __forceinline__ void hp_refresh_on_first(hp_team *t, const hp_refresh_args &a) {
  const bool large = hp_direct_is_large(a.direct);
  if (a.on_first < a.products || large) {
    if (hp_team_first_begin(t)) {
      for (int n = a.on_first; n < a.products; ++n) {
        hp_refresh_product(t, a.product[n]);
        hp_team_first_sync(t); /* C */
      }
      if (large) hp_direct(t, a.last, a.direct);
    }
    hp_team_first_end(t);
    if (t->gpus > 1) hp_team_sync(t); /* the others; on one GPU there were barriers enough */
  }
  if (!large) hp_direct(t, a.last, a.direct);
}

/* Before: the numbers of the first level's A are visible to all. */
static __device__ __forceinline__ void hp_refresh_program(hp_team *t, const hp_refresh_args &a) {
  const hp_amg *H = a.cycle != NULL ? hp_amg_on_chip(a.cycle) : NULL;
  const int first = a.cycle != NULL && a.first_early ? 1 : 0;
  if (first > 0) hp_amg_numbers_of(t, H, 0, first);
  for (int n = 0; n < a.on_first; ++n) {
    hp_refresh_product(t, a.product[n]);
    hp_team_sync(t); /* C */
  }
  hp_refresh_on_first(t, a);
  if (H != NULL) hp_amg_numbers_of(t, H, first, H->nlevel);
}

#endif
