/* New numbers in a hierarchy on a GPU whose pattern stays: A P and R (A P) of every level, factors and inverse of the
 * last one, and what a cycle reads.
 *
 * One team program in one launch, its steps in the kernel's arguments (in cpr's set-up in device memory):
 *
 *     if asked:           what cycles read of the first level, whose matrix may end then
 *     for every product:  its rows, a group of lanes each;  barrier
 *     the last level:     by one block while the others go on, or by all if it is large
 *     if asked:           hp_amg_numbers of amg/cycle/numbers.inl.h
 *
 * A set-up runs each product in a kernel of its own, and so does a refresh of products too large for a plan. */
#include "amg/setup/cuda/refresh_program.cuh"

enum { THREADS = HP_SETUP_THREADS, KERNEL_CHIP = 24 * 1024, TEAM_CHIP = 96 * 1024 /* bytes of a block's sums */ };

/* ---- a product ---- */

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
  const hp_product p = {A->at, B->at, C->at, plan->begin, plan->place, plan->wide, lanes, room};
  return p;
}

static size_t chip_bytes(const hp_product *p, int threads) {
  return (size_t)(threads / p->lanes) * (size_t)p->room * sizeof(double);
}

template <int G, bool PLANNED>
static __global__ void __launch_bounds__(THREADS) product_kernel(const __grid_constant__ hp_product p) {
  const int64_t group = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / G, groups = (int64_t)gridDim.x * (THREADS / G);
  if (PLANNED) hp_product_rows<G>(p, group, groups, (double *)hp_shared_memory);
  else hp_product_rows_searched<G>(p, group, groups, (double *)hp_shared_memory);
}

template <bool PLANNED>
static hp_status launch_product(hp_setup *S, const hp_product *p) {
  hp_status s = HP_OK;
  HP_WITH_LANES(p->lanes,
                s = hp_launch(S, "multiplying sparse matrices", product_kernel<G, PLANNED>,
                              hp_parts((int64_t)p->A.nrow * G, THREADS), THREADS, chip_bytes(p, THREADS), *p));
  return s;
}

hp_status hp_setup_numbers(hp_setup *S, const hp_device_csr *A, const hp_device_csr *B, const hp_device_plan *plan,
                           const hp_device_csr *C) {
  const hp_product p = product_of(S, A, B, plan, C, THREADS, KERNEL_CHIP);
  return p.place != NULL ? launch_product<true>(S, &p) : launch_product<false>(S, &p);
}

static __global__ void __launch_bounds__(HP_BLOCK_MAX, 1)
    refresh_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ hp_refresh_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  hp_refresh_program(&t, a);
  hp_team_leave(&t);
}

/* A block's shared memory. */
static size_t shared_bytes(const hp_refresh_args *a, int threads) {
  const int n = a->direct.n;
  size_t shared = n > HP_DIRECT_CHIP ? 0 : 2 * (size_t)n * (size_t)n * sizeof(double);
  for (int k = 0; k < a->products; ++k) {
    const size_t bytes = chip_bytes(&a->product[k], threads);
    if (bytes > shared) shared = bytes;
  }
  return shared;
}

static hp_status launch(hp_setup *S, const hp_refresh_args *a, const char *what) {
  S->launches += 1;
  return hp_team_launch(S->D, (const void *)refresh_kernel, a, shared_bytes(a, HP_BLOCK_MAX), what);
}

hp_status hp_setup_direct(hp_setup *S, const hp_device_csr *A, const hp_amg_device_direct *d) {
  hp_refresh_args a;
  a.products = 0;
  a.last = A->at;
  a.direct = *d;
  a.cycle = NULL;
  a.first_early = false;
  return launch(S, &a, "factorizing the last level");
}

bool hp_setup_refresh_args(const hp_setup *S, const hp_amg_device_level *level, int nlevel,
                           const hp_amg_device_direct *direct, const hp_amg *cycle, int threads, hp_refresh_args *a,
                           size_t *shared) {
  bool planned = true;
  a->products = 0;
  a->last = level[nlevel - 1].A.at;
  a->direct = *direct;
  a->cycle = cycle;
  a->first_early = false;
  for (int l = 0; l + 1 < nlevel; ++l) {
    const hp_amg_device_level *L = &level[l];
    a->product[a->products++] = product_of(S, &L->A, &L->P, &L->ap, &L->AP, threads, TEAM_CHIP);
    a->product[a->products++] = product_of(S, &L->R, &L->AP, &L->rap, &level[l + 1].A, threads, TEAM_CHIP);
    planned = planned && L->ap.place != NULL && L->rap.place != NULL;
  }
  *shared = shared_bytes(a, threads);
  return planned;
}

hp_status hp_setup_refresh(hp_setup *S, const hp_amg_device_level *level, int nlevel, const hp_amg_device_direct *d,
                           const hp_amg *cycle) {
  hp_refresh_args a;
  size_t shared = 0;
  if (!hp_setup_refresh_args(S, level, nlevel, d, cycle, HP_BLOCK_MAX, &a, &shared)) {
    for (int l = 0; l + 1 < nlevel; ++l) {
      const hp_amg_device_level *L = &level[l];
      HP_TRY(hp_setup_numbers(S, &L->A, &L->P, &L->ap, &L->AP));
      HP_TRY(hp_setup_numbers(S, &L->R, &L->AP, &L->rap, &level[l + 1].A));
    }
    a.products = 0;
  }
  return launch(S, &a, "refreshing a multigrid hierarchy");
}
