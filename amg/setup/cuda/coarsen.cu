/* Coarse points on a GPU: PMIS and CLJP (amg/setup/coarsen_pmis.c, amg/setup/coarsen_cljp.c). Where a coarsening has no
 * kernel the level is copied to the host, which picks them.
 *
 * PMIS needs no rounds. A sequential loop over the points by descending weight, which makes a point fine if it
 * depends on a coarse one and coarse otherwise, gives the set of amg/setup/coarsen_pmis.c. (In round n a
 * point becomes coarse when all heavier neighbours are decided, and the point that makes another one fine is
 * heavier than it.) So each point may be decided as soon as its heavier neighbours are, in any order, and the set
 * is the same. The heaviest undecided point can always be decided: all blocks of all GPUs are resident, so no thread waits
 * for a block that has not started. */
#include "amg/setup/cuda/setup.cuh"
#include "amg/setup/weight.inl.h"
#include "core/memory.h"

enum { THREADS = HP_SETUP_THREADS };

static __global__ void __launch_bounds__(THREADS)
    weight_kernel(hp_blocks blocks, hp_setup_graph g, int32_t nrow, uint64_t seed, double *weight, uint8_t *point) {
  const int64_t i = hp_block(blocks) * THREADS + threadIdx.x;
  if (i >= nrow) return;
  point[i] = HP_AMG_COARSE;
  if (i >= g.ncell) return;
  const int32_t dependents = (int32_t)(g.begin[i + 1] - g.begin[i]);
  weight[i] = dependents + hp_amg_random(seed, (uint64_t)i);
  point[i] = dependents == 0 ? HP_AMG_FINE : HP_AMG_UNDECIDED;
}

/* State of point i now; UNDECIDED: it waits for a heavier one. */
template <int G>
static __device__ int decide(const hp_csr &A, const hp_setup_graph &g, const double *weight,
                             const volatile uint8_t *point, int64_t i) {
  typedef hp_lanes<G> L;
  const double weight_i = weight[i];
  bool wait = false, fine = false;
  for (uint32_t k = A.begin[i] + L::lane(); k < A.begin[i + 1]; k += G) {
    if (g.strong[k] == 0) continue;
    const int32_t j = A.column[k];
    const int there = point[j];
    fine = fine || there == HP_AMG_COARSE;
    wait = wait || (there == HP_AMG_UNDECIDED && hp_amg_is_heavier(weight[j], j, weight_i, i));
  }
  if (L::any(fine)) return HP_AMG_FINE;
  if (G > 4 && L::any(wait)) return HP_AMG_UNDECIDED; /* in short rows the vote costs more than it saves */
  for (uint32_t k = g.begin[i] + L::lane(); k < g.begin[i + 1] && (G <= 4 || !wait); k += G) {
    const int32_t j = g.dependent[k];
    wait = wait || (point[j] == HP_AMG_UNDECIDED && hp_amg_is_heavier(weight[j], j, weight_i, i));
  }
  return L::any(wait) ? HP_AMG_UNDECIDED : HP_AMG_COARSE;
}

template <int G>
static __global__ void __launch_bounds__(THREADS)
    pmis_kernel(hp_blocks blocks, hp_csr A, hp_setup_graph g, const double *weight, volatile uint8_t *point) {
  typedef hp_lanes<G> L;
  const hp_blocks_share points = hp_blocks_share_of(blocks, g.ncell);
  const int64_t step = (int64_t)gridDim.x * THREADS / G;
  int64_t first = points.begin +
                  ((int64_t)blockIdx.x * THREADS + threadIdx.x) / G; /* all its points before are decided */
  while (first < points.end) {
    bool waits = false;
    for (int64_t i = first; i < points.end; i += step) {
      /* lane 0 reads for all: the lanes must agree */
      if (L::shuffle((int)point[i], 0) == HP_AMG_UNDECIDED) {
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
  void *list[] = {NULL, &a, &graph, &weight, &point};
  const hp_blocks_launch L = {
      (const void *)pmis_kernel<G>, hp_parts((int64_t)g->ncell * G, THREADS), THREADS, 0, S->one_gpu, true, list,
      "picking coarse points"};
  S->launches += 1;
  return hp_blocks_run(S->D, &L);
}

/* ---- CLJP ---- */

typedef struct {
  hp_csr A;
  hp_setup_graph g;
  double *random; /* [ncell] */
  int32_t *edges; /* [ncell] to the point, that are left */
  int32_t *when;  /* [ncell] round in which it became coarse, 0: has not */
  uint8_t *left;  /* [entries of A] 1: the edge is left */
  uint8_t *point;
  int64_t *undecided;
} cljp;

static __global__ void __launch_bounds__(THREADS) cljp_start_kernel(hp_blocks blocks, cljp p, uint64_t seed) {
  const int64_t i = hp_block(blocks) * THREADS + threadIdx.x;
  if (i >= p.A.nrow) return;
  p.point[i] = HP_AMG_COARSE;
  if (i >= p.g.ncell) return;
  p.edges[i] = (int32_t)(p.g.begin[i + 1] - p.g.begin[i]);
  p.random[i] = hp_amg_random(seed, (uint64_t)i);
  p.when[i] = 0;
  p.point[i] = p.edges[i] > 0 ? HP_AMG_UNDECIDED : HP_AMG_FINE;
}

static __device__ __forceinline__ bool cljp_waits(const cljp &p, int64_t i, int32_t j) {
  return p.point[j] == HP_AMG_UNDECIDED && hp_amg_is_heavier(p.edges[j] + p.random[j], j, p.edges[i] + p.random[i], i);
}

/* Undecided points heavier than all undecided neighbours along edges that are left become coarse in this round. */
template <int G>
static __global__ void __launch_bounds__(THREADS) cljp_peak_kernel(hp_blocks blocks, cljp p, int32_t round) {
  typedef hp_lanes<G> L;
  const int64_t i = (hp_block(blocks) * THREADS + threadIdx.x) / G;
  if (i >= p.g.ncell || p.point[i] != HP_AMG_UNDECIDED) return;
  bool waits = false;
  for (uint32_t k = p.A.begin[i] + L::lane(); k < p.A.begin[i + 1]; k += G)
    waits = waits || (p.left[k] != 0 && cljp_waits(p, i, p.A.column[k]));
  for (uint32_t n = p.g.begin[i] + L::lane(); n < p.g.begin[i + 1]; n += G)
    waits = waits || (p.left[p.g.entry[n]] != 0 && cljp_waits(p, i, p.g.dependent[n]));
  waits = L::any(waits);
  if (!waits && L::lane() == 0) p.when[i] = round;
}

/* Whether point i depends on j. */
static __device__ bool depends(const cljp &p, int64_t i, int32_t j) {
  const uint32_t begin = p.A.begin[i];
  const int32_t *column = p.A.column + begin;
  int low = 0, high = hp_csr_length(&p.A, i) - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (column[middle] < j) low = middle + 1;
    else high = middle;
  }
  return low == high && column[low] == j && p.g.strong[begin + low] != 0;
}

/* Removes edges of row i: those from or to a point that became coarse, and those to a point that depends on one on which
 * i depends too. */
template <int G>
static __global__ void __launch_bounds__(THREADS) cljp_cut_kernel(hp_blocks blocks, cljp p, int32_t round) {
  typedef hp_lanes<G> L;
  const int64_t i = (hp_block(blocks) * THREADS + threadIdx.x) / G;
  if (i >= p.g.ncell) return;
  const uint32_t begin = p.A.begin[i], end = p.A.begin[i + 1];
  bool some = false, fresh = false;
  for (uint32_t k = begin + L::lane(); k < end; k += G) {
    some = some || p.left[k] != 0;
    fresh = fresh || (p.g.strong[k] != 0 && p.when[p.A.column[k]] == round);
  }
  if (!L::any(some)) return;
  fresh = L::any(fresh);
  for (uint32_t k = begin + L::lane(); k < end; k += G) {
    if (p.left[k] == 0) continue;
    const int32_t j = p.A.column[k];
    bool cut = p.when[i] == round || p.when[j] == round;
    for (uint32_t n = p.A.begin[j]; n < p.A.begin[j + 1] && fresh && !cut; ++n)
      cut = p.g.strong[n] != 0 && p.when[p.A.column[n]] == round && depends(p, i, p.A.column[n]);
    if (cut) p.left[k] = 0;
  }
}

/* The end of a round: points without an edge to them are fine. */
template <int G>
static __global__ void __launch_bounds__(THREADS) cljp_decide_kernel(hp_blocks blocks, cljp p, int32_t round) {
  typedef hp_lanes<G> L;
  const int64_t i = (hp_block(blocks) * THREADS + threadIdx.x) / G;
  const bool is = i < p.g.ncell && p.point[i] == HP_AMG_UNDECIDED;
  int edges = 0;
  for (uint32_t n = is ? p.g.begin[i] + L::lane() : 0; is && n < p.g.begin[i + 1]; n += G)
    edges += p.left[p.g.entry[n]];
  edges = L::sum(edges);
  const bool coarse = is && p.when[i] == round;
  if (is && L::lane() == 0) {
    p.edges[i] = edges;
    if (coarse || edges == 0) p.point[i] = coarse ? HP_AMG_COARSE : HP_AMG_FINE;
  }
  hp_block_most(blocks, p.undecided, is && !coarse && edges > 0);
}

/* Rounds until all are decided; each one waits for the device. */
template <int G>
static hp_status cljp_rounds(hp_setup *S, const cljp *p) {
  const int64_t blocks = hp_parts((int64_t)p->g.ncell * G, THREADS);
  for (int32_t round = 1;; ++round) {
    HP_TRY(hp_launch_all(S, "picking coarse points", cljp_peak_kernel<G>, blocks, THREADS, 0, *p, round));
    HP_TRY(hp_launch_all(S, "picking coarse points", cljp_cut_kernel<G>, blocks, THREADS, 0, *p, round));
    HP_TRY(hp_launch_all(S, "picking coarse points", cljp_decide_kernel<G>, blocks, THREADS, 0, *p, round));
    HP_TRY(hp_setup_read_counts(S));
    if (S->host_counts[7] == 0) return HP_OK;
  }
}

static hp_status coarsen_cljp(hp_setup *S, const hp_csr_device *A, const hp_setup_graph *g, uint64_t seed,
                              uint8_t *point) {
  cljp p = {A->at, *g, NULL, NULL, NULL, NULL, point, S->counts + 7};
  HP_TRY(HP_POOL_ALLOC(&S->scratch, p.random, g->ncell));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, p.edges, g->ncell));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, p.when, g->ncell));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, p.left, A->count));
  HP_TRY(hp_device_copy(S->D, p.left, g->strong, A->count));
  HP_TRY(
      hp_launch_all(S, "picking coarse points", cljp_start_kernel, hp_parts(A->at.nrow, THREADS), THREADS, 0, p, seed));
  if (g->ncell == 0) return HP_OK;
  hp_status s = HP_OK;
  HP_WITH_LANES(hp_lanes_for((double)A->count / A->at.nrow), s = cljp_rounds<G>(S, &p));
  return s;
}

/* ---- on the host ---- */

static hp_status on_host(hp_setup *S, const hp_csr_device *A, int32_t ncell, const hp_amg_options *opt,
                         uint8_t *point) {
  hp_csr *copy = NULL;
  hp_amg_graph G = {0, NULL, NULL, NULL};
  uint8_t *picked = NULL;
  S->waits += 1;
  HP_TRY(hp_csr_device_download(S->D, A, &copy));
  hp_status s = hp_amg_strength(copy, ncell, opt->strength, &G);
  if (s == HP_OK) s = HP_ALLOC(picked, copy->nrow);
  if (s == HP_OK) s = hp_amg_coarsen(opt->coarsening, copy, &G, opt->seed, picked);
  if (s == HP_OK) s = hp_device_upload(S->D, point, picked, copy->nrow);
  HP_FREE(picked);
  hp_amg_graph_free(&G);
  hp_csr_destroy(&copy);
  return s;
}

bool hp_setup_coarsens_on_device(hp_amg_coarsening kind) { return kind == HP_AMG_PMIS || kind == HP_AMG_CLJP; }

hp_setup_graph_kind hp_setup_graph_for(hp_amg_coarsening kind) {
  return kind == HP_AMG_PMIS ? HP_SETUP_DEPENDENTS : kind == HP_AMG_CLJP ? HP_SETUP_ENTRIES : HP_SETUP_NO_DEPENDENTS;
}

hp_status hp_setup_coarsen(hp_setup *S, const hp_csr_device *A, const hp_setup_graph *g, const hp_amg_options *opt,
                           uint8_t *point) {
  if (!hp_setup_coarsens_on_device(opt->coarsening)) return on_host(S, A, g->ncell, opt, point);
  double *weight = NULL;
  if (opt->coarsening == HP_AMG_CLJP) return coarsen_cljp(S, A, g, opt->seed, point);
  HP_TRY(HP_POOL_ALLOC(&S->scratch, weight, g->ncell));
  HP_TRY(hp_launch_all(S, "picking coarse points", weight_kernel, hp_parts(A->at.nrow, THREADS), THREADS, 0, *g,
                       A->at.nrow, opt->seed, weight, point));
  if (g->ncell == 0) return HP_OK;
  hp_status s = HP_OK;
  HP_WITH_LANES(hp_lanes_for((double)A->count / A->at.nrow / 2.0), s = pmis<G>(S, &A->at, g, weight, point));
  return s;
}

/* ---- numbers of the coarse points ---- */

static __global__ void __launch_bounds__(THREADS)
    coarse_kernel(hp_blocks blocks, const uint8_t *point, int32_t nrow, int32_t *is) {
  const int64_t i = hp_block(blocks) * THREADS + threadIdx.x;
  if (i <= nrow) is[i] = i < nrow && point[i] == HP_AMG_COARSE;
}

hp_status hp_setup_number(hp_setup *S, const uint8_t *point, int32_t nrow, int32_t *number) {
  HP_TRY(hp_launch_all(S, "numbering coarse points", coarse_kernel, hp_parts((int64_t)nrow + 1, THREADS), THREADS, 0,
                       point, nrow, number));
  return hp_setup_scan(S, number, number, nrow);
}
