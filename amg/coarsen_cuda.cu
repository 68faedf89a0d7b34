/* Coarse points on a GPU: PMIS (amg/coarsen_pmis.c). Where a coarsening has no kernel the level is copied to the host,
 * which picks them.
 *
 * PMIS needs no rounds: the set of amg/coarsen_pmis.c is the one that a walk through the points by
 * falling weight gives, each point fine if it depends on a coarse one and coarse otherwise. (In
 * round n a point becomes coarse when all heavier neighbours are decided, and whatever makes a
 * point fine is heavier than it.) So each point may decide as soon as its heavier
 * neighbours have, in any order of time, and the set is the same. The heaviest undecided point can
 * always decide: all blocks run at once, so nobody waits for one that did not start. */
#include "amg/setup_cuda.cuh"
#include "core/memory.h"

enum { THREADS = HP_SETUP_THREADS };

static __device__ double random_of(uint64_t seed, uint64_t i) {
  uint64_t x = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

static __global__ void __launch_bounds__(THREADS)
    weight_kernel(hp_setup_graph g, int32_t nrow, uint64_t seed, double *weight, uint8_t *point) {
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i >= nrow) return;
  point[i] = HP_AMG_COARSE;
  if (i >= g.ncell) return;
  const int32_t dependents = g.begin[i + 1] - g.begin[i];
  weight[i] = dependents + random_of(seed, (uint64_t)i);
  point[i] = dependents == 0 ? HP_AMG_FINE : HP_AMG_UNDECIDED;
}

static __device__ __forceinline__ bool heavier(double a, int64_t i, double b, int64_t j) {
  return a > b || (a == b && i < j);
}

/* What point i is now; UNDECIDED: it waits for a heavier one. */
template <int G>
static __device__ int decide(const hp_csr &A, const hp_setup_graph &g, const double *weight,
                             const volatile uint8_t *point, int64_t i) {
  typedef hp_lanes<G> L;
  const double own = weight[i];
  bool wait = false, fine = false;
  for (int32_t k = A.begin[i] + L::lane(); k < A.begin[i + 1]; k += G) {
    if (g.strong[k] == 0) continue;
    const int32_t j = A.column[k];
    const int there = point[j];
    fine = fine || there == HP_AMG_COARSE;
    wait = wait || (there == HP_AMG_UNDECIDED && heavier(weight[j], j, own, i));
  }
  if (L::any(fine)) return HP_AMG_FINE;
  for (int32_t k = g.begin[i] + L::lane(); k < g.begin[i + 1]; k += G) {
    const int32_t j = g.dependent[k];
    wait = wait || (point[j] == HP_AMG_UNDECIDED && heavier(weight[j], j, own, i));
  }
  return L::any(wait) ? HP_AMG_UNDECIDED : HP_AMG_COARSE;
}

template <int G>
static __global__ void __launch_bounds__(THREADS)
    pmis_kernel(hp_csr A, hp_setup_graph g, const double *weight, volatile uint8_t *point) {
  typedef hp_lanes<G> L;
  const int64_t step = (int64_t)gridDim.x * THREADS / G;
  int64_t first = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / G; /* all before it are decided */
  while (first < g.ncell) {
    bool waits = false;
    for (int64_t i = first; i < g.ncell; i += step) {
      /* lane 0 reads for all: the lanes must agree */
      if (L::take((int)point[i], 0) == HP_AMG_UNDECIDED) {
        const int is = decide<G>(A, g, weight, point, i);
        if (is != HP_AMG_UNDECIDED && L::lane() == 0) point[i] = (uint8_t)is;
        waits = waits || is == HP_AMG_UNDECIDED;
      }
      if (!waits) first = i + step;
    }
    if (waits) __nanosleep(100);
  }
}

/* As many blocks as run at once, not more than the points need. */
template <int G>
static hp_status pmis(hp_setup *S, const hp_csr *A, const hp_setup_graph *g, double *weight, uint8_t *point) {
  hp_csr a = *A;
  hp_setup_graph graph = *g;
  int blocks = 0;
  HP_TRY(hp_device_check(S->D, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, pmis_kernel<G>, THREADS, 0),
                         "picking coarse points"));
  int64_t wanted = (int64_t)blocks * S->multiprocessors;
  const int64_t enough = hp_parts((int64_t)g->ncell * G, THREADS);
  if (wanted > enough) wanted = enough;
  void *list[] = {&a, &graph, &weight, &point};
  S->launches += 1;
  hp_device_count_launches(S->D, 1);
  return hp_device_check(S->D,
                         cudaLaunchCooperativeKernel(pmis_kernel<G>, dim3((unsigned)wanted), dim3(THREADS), list, 0,
                                                     S->stream),
                         "picking coarse points");
}

/* ---- on the host ---------------------------------------------------------------------------- */

static hp_status on_host(hp_setup *S, const hp_device_csr *A, int32_t ncell, const hp_amg_options *opt,
                         uint8_t *point) {
  hp_csr *copy = NULL;
  hp_amg_graph G = {0, NULL, NULL, NULL};
  uint8_t *picked = NULL;
  S->waits += 1;
  HP_TRY(hp_device_csr_download(S->D, A, &copy));
  hp_status s = hp_amg_strength(copy, ncell, opt->strength, &G);
  if (s == HP_OK) s = HP_ALLOC(picked, copy->nrow);
  if (s == HP_OK) s = hp_amg_coarsen(opt->coarsening, copy, &G, opt->seed, picked);
  if (s == HP_OK) s = hp_device_upload(S->D, point, picked, copy->nrow);
  HP_FREE(picked);
  hp_amg_graph_free(&G);
  hp_csr_destroy(&copy);
  return s;
}

bool hp_setup_coarsens_on_device(hp_amg_coarsening kind) { return kind == HP_AMG_PMIS; }

hp_status hp_setup_coarsen(hp_setup *S, const hp_device_csr *A, const hp_setup_graph *g, const hp_amg_options *opt,
                           uint8_t *point) {
  if (!hp_setup_coarsens_on_device(opt->coarsening)) return on_host(S, A, g->ncell, opt, point);
  double *weight = NULL;
  HP_TRY(HP_TAKE(&S->scratch, weight, g->ncell));
  HP_TRY(hp_launch(S, "picking coarse points", weight_kernel, hp_parts(A->at.nrow, THREADS), THREADS, 0, *g,
                   A->at.nrow, opt->seed, weight, point));
  if (g->ncell == 0) return HP_OK;
  hp_status s = HP_OK;
  HP_WITH_LANES(hp_lanes_for((double)A->count / A->at.nrow / 2.0), s = pmis<G>(S, &A->at, g, weight, point));
  return s;
}

/* ---- numbers of the coarse points ---------------------------------------------------------------- */

static __global__ void __launch_bounds__(THREADS) coarse_kernel(const uint8_t *point, int32_t nrow, int32_t *is) {
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i <= nrow) is[i] = i < nrow && point[i] == HP_AMG_COARSE;
}

hp_status hp_setup_number(hp_setup *S, const uint8_t *point, int32_t nrow, int32_t *number) {
  HP_TRY(hp_launch(S, "numbering coarse points", coarse_kernel, hp_parts((int64_t)nrow + 1, THREADS), THREADS, 0,
                   point, nrow, number));
  return hp_setup_scan(S, number, number, nrow);
}
