/* New numbers in a hierarchy on a GPU whose pattern stays: A P and R (A P) of every level, factors and inverse of the
 * last one, and what a cycle reads.
 *
 * One team program in one launch, its steps in the kernel's arguments:
 *
 *     for every product:  its rows, a group of lanes each;  barrier
 *     the last level:     by one block while the others go on, or by all if it is large
 *     if asked:           hp_amg_numbers of amg/cycle.inl.h
 *
 * A set-up runs each product in a kernel of its own, and so does a refresh of products too large for a plan. */
#include "amg/cycle.inl.h"
#include "amg/cycle_device.h"
#include "amg/direct_cuda.cuh"
#include "amg/numbers_cuda.cuh"
#include "amg/program_cuda.cuh"
#include "amg/rows_cuda.cuh"

enum { THREADS = HP_SETUP_THREADS, KERNEL_CHIP = 24 * 1024, TEAM_CHIP = 96 * 1024 /* bytes of a block's sums */ };

/* ---- a product ---------------------------------------------------------------------------------------- */

/* Lanes that share a row of B; more where there are too few rows to keep the device busy. */
static int lanes_of(const hp_setup *S, const hp_device_csr *A, const hp_device_csr *B) {
  const int64_t rows = A->at.nrow, threads = (int64_t)S->multiprocessors * 1024;
  int lanes = hp_lanes_for((double)B->count / (double)B->at.nrow);
  while (lanes < 32 && rows * lanes < threads) lanes *= 2;
  return lanes;
}

static hp_product product_of(const hp_setup *S, const hp_device_csr *A, const hp_device_csr *B,
                             const hp_device_plan *plan, const hp_device_csr *C, int threads, int chip) {
  const int lanes = lanes_of(S, A, B);
  int room = chip / (int)sizeof(double) / (threads / lanes);
  if (C->longest < room) room = (C->longest + 1) & ~1;
  const hp_product p = {A->at, B->at, C->at, plan->begin, plan->place, plan->bytes, lanes, room};
  return p;
}

static size_t chip_bytes(const hp_product *p, int threads) {
  return (size_t)(threads / p->lanes) * (size_t)p->room * sizeof(double);
}

template <int G, class PLACE>
static __global__ void __launch_bounds__(THREADS) product_kernel(const __grid_constant__ hp_product p) {
  const int64_t group = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / G;
  hp_product_rows<G, PLACE>(p, group, (int64_t)gridDim.x * (THREADS / G), (double *)hp_shared_memory);
}

template <class PLACE> static hp_status launch_product(hp_setup *S, const hp_product *p) {
  hp_status s = HP_OK;
  HP_WITH_LANES(p->lanes,
                s = hp_launch(S, "multiplying sparse matrices", product_kernel<G, PLACE>,
                              hp_parts((int64_t)p->A.nrow * G, THREADS), THREADS, chip_bytes(p, THREADS), *p));
  return s;
}

hp_status hp_setup_numbers(hp_setup *S, const hp_device_csr *A, const hp_device_csr *B, const hp_device_plan *plan,
                           const hp_device_csr *C) {
  const hp_product p = product_of(S, A, B, plan, C, THREADS, KERNEL_CHIP);
  if (p.place == NULL) return launch_product<void>(S, &p);
  return p.bytes == 1 ? launch_product<uint8_t>(S, &p) : launch_product<uint16_t>(S, &p);
}

/* ---- the team program ------------------------------------------------------------------------ */

enum { PRODUCTS_MAX = 2 * (HP_AMG_LEVELS_MAX - 1) };

struct refresh_args {
  hp_product product[PRODUCTS_MAX];
  int products;
  hp_csr last;
  hp_amg_device_direct direct; /* n = 0: the last level has no factors */
  const hp_amg *cycle;         /* whose numbers are made too; NULL: none */
};

/* The step stands in shared memory: after a barrier a read through a pointer to the kernel's arguments comes from
 * level 2 again. */
static __device__ __noinline__ void product_pass(hp_team *t, const hp_product &step) {
  __shared__ hp_product p;
  double *chip = (double *)hp_shared_rest(t);
  if (threadIdx.x < sizeof p / 4) ((int *)&p)[threadIdx.x] = ((const int *)&step)[threadIdx.x];
  __syncthreads();
#define HP_CASE(G)                                                                                                     \
  case G:                                                                                                              \
    if (p.bytes == 1) hp_product_rows<G, uint8_t>(p, t->rank / G, t->size / G, chip);                                  \
    else hp_product_rows<G, uint16_t>(p, t->rank / G, t->size / G, chip);                                              \
    break;
  switch (p.lanes) {
    HP_CASE(4)
    HP_CASE(8)
    HP_CASE(16)
    HP_CASE(32)
  }
#undef HP_CASE
}

static __device__ void refresh(hp_team *t, const refresh_args &a) {
  for (int n = 0; n < a.products; ++n) {
    product_pass(t, a.product[n]);
    hp_team_sync(t); /* C */
  }
  const bool large = a.direct.n > HP_DIRECT_CHIP;
  if (large) hp_direct_by_team(t, a.last, a.direct);
  else if (a.direct.n > 0 && blockIdx.x + 1 == gridDim.x)
    hp_direct_by_block(a.last, a.direct, (double *)hp_shared_rest(t));
  if (a.cycle == NULL) return;
  const hp_amg *H = hp_amg_on_chip(a.cycle, false);
  hp_amg_numbers(t, H);
  hp_amg_compact_numbers_cuda(H);
  hp_amg_chip_image_cuda(H);
}

static __global__ void __launch_bounds__(HP_BLOCK_MAX, 1)
    refresh_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ refresh_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  refresh(&t, a);
  hp_team_leave(&t);
}

static size_t direct_bytes(const hp_amg_device_direct *d) {
  return d->n > HP_DIRECT_CHIP ? 0 : 2 * (size_t)d->n * (size_t)d->n * sizeof(double);
}

static hp_status launch(hp_setup *S, const refresh_args *a, const char *what) {
  size_t shared = direct_bytes(&a->direct);
  for (int n = 0; n < a->products; ++n) {
    const size_t bytes = chip_bytes(&a->product[n], HP_BLOCK_MAX);
    if (bytes > shared) shared = bytes;
  }
  S->launches += 1;
  return hp_team_launch(S->D, (const void *)refresh_kernel, a, shared, what);
}

hp_status hp_setup_direct(hp_setup *S, const hp_device_csr *A, const hp_amg_device_direct *d) {
  refresh_args a;
  a.products = 0;
  a.last = A->at;
  a.direct = *d;
  a.cycle = NULL;
  return launch(S, &a, "factorizing the last level");
}

/* A product to the program; false: it has no plan. */
static bool add(const hp_setup *S, refresh_args *a, const hp_device_csr *A, const hp_device_csr *B,
                const hp_device_plan *plan, const hp_device_csr *C) {
  a->product[a->products++] = product_of(S, A, B, plan, C, HP_BLOCK_MAX, TEAM_CHIP);
  return plan->place != NULL;
}

hp_status hp_setup_refresh(hp_setup *S, const hp_amg_device_level *level, int nlevel, const hp_amg_device_direct *d,
                           const hp_amg *cycle) {
  refresh_args a;
  bool planned = true;
  a.products = 0;
  a.last = level[nlevel - 1].A.at;
  a.direct = *d;
  a.cycle = cycle;
  for (int l = 0; l + 1 < nlevel; ++l) {
    const hp_amg_device_level *L = &level[l];
    planned = add(S, &a, &L->A, &L->P, &L->ap, &L->AP) && planned;
    planned = add(S, &a, &L->R, &L->AP, &L->rap, &level[l + 1].A) && planned;
  }
  if (planned) return launch(S, &a, "refreshing a multigrid hierarchy");
  for (int l = 0; l + 1 < nlevel; ++l) {
    const hp_amg_device_level *L = &level[l];
    HP_TRY(hp_setup_numbers(S, &L->A, &L->P, &L->ap, &L->AP));
    HP_TRY(hp_setup_numbers(S, &L->R, &L->AP, &L->rap, &level[l + 1].A));
  }
  a.products = 0;
  return launch(S, &a, "refreshing a multigrid hierarchy");
}
