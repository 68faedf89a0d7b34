/* The values of a level on a GPU during a set-up, in separate kernels: a product C = A B by its plan, and the
 * factors and the inverse of the last level. A refresh makes all of them in one launch: amg/cycle/cuda/refresh.cu. */
#include "amg/setup/cuda/direct.cuh"
#include "amg/setup/cuda/numbers.cuh"

enum { THREADS = HP_SETUP_THREADS, KERNEL_CHIP = 24 * 1024 /* bytes of a block's sums */ };

/* ---- a product ---- */

/* Lanes that share a row of B; more where there are too few rows to keep the device busy. */
static int lanes_of(const hp_setup *S, const hp_csr_device *A, const hp_csr_device *B) {
  const int64_t rows = A->at.nrow, threads = (int64_t)S->multiprocessors * 1024;
  int lanes = hp_lanes_for((double)B->count / (double)B->at.nrow);
  while (lanes < 32 && rows * lanes < threads) lanes *= 2;
  return lanes;
}

hp_product hp_setup_product(const hp_setup *S, const hp_csr_device *A, const hp_csr_device *B,
                            const hp_device_plan *plan, const hp_csr_device *C, int threads, int chip) {
  const int lanes = lanes_of(S, A, B);
  int room = chip / (int)sizeof(double) / (threads / lanes);
  if (C->longest < room) room = (C->longest + 1) & ~1;
  const hp_product p = {A->at, B->at, C->at, plan->begin, plan->place, plan->wide, lanes, room};
  return p;
}

size_t hp_setup_product_bytes(const hp_product *p, int threads) {
  return (size_t)(threads / p->lanes) * (size_t)p->room * sizeof(double);
}

template <int G, bool PLANNED>
static __global__ void __launch_bounds__(THREADS)
    product_kernel(hp_blocks blocks, const __grid_constant__ hp_product p) {
  const hp_blocks_share rows = hp_blocks_share_of(blocks, p.A.nrow);
  const int64_t first = rows.begin + ((int64_t)blockIdx.x * THREADS + threadIdx.x) / G;
  const int64_t groups = (int64_t)gridDim.x * (THREADS / G);
  if (PLANNED) hp_product_rows<G>(p, (int)first, (int)rows.end, (int)groups, (double *)hp_shared_memory);
  else hp_product_rows_searched<G>(p, first, rows.end, groups, (double *)hp_shared_memory);
}

template <bool PLANNED>
static hp_status launch_product(hp_setup *S, const hp_product *p) {
  hp_status s = HP_OK;
  HP_WITH_LANES(p->lanes, s = hp_launch_all(S, "multiplying sparse matrices", product_kernel<G, PLANNED>,
                                            hp_parts((int64_t)p->A.nrow * G, THREADS), THREADS,
                                            hp_setup_product_bytes(p, THREADS), *p));
  return s;
}

hp_status hp_setup_numbers(hp_setup *S, const hp_csr_device *A, const hp_csr_device *B, const hp_device_plan *plan,
                           const hp_csr_device *C) {
  const hp_product p = hp_setup_product(S, A, B, plan, C, THREADS, KERNEL_CHIP);
  return p.place != NULL ? launch_product<true>(S, &p) : launch_product<false>(S, &p);
}

/* ---- the last level ---- */

typedef struct {
  hp_csr A;
  hp_amg_device_direct direct;
} direct_args;

static __global__ void __launch_bounds__(HP_BLOCK_MAX, 1)
    direct_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ direct_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  if (hp_team_first_begin(&t)) hp_direct(&t, a.A, a.direct);
  hp_team_first_end(&t);
  hp_team_leave(&t);
}

hp_status hp_setup_direct(hp_setup *S, const hp_csr_device *A, const hp_amg_device_direct *d) {
  const direct_args a = {A->at, *d};
  S->launches += 1;
  return hp_team_launch(S->D, (const void *)direct_kernel, &a, hp_direct_bytes(d), "factorizing the last level");
}
