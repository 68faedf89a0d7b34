/* Strength of connection on a GPU (amg/setup/strength.c), one group of lanes per row. */
#include <math.h>

#include "amg/setup/cuda/setup.cuh"

enum { THREADS = HP_SETUP_THREADS };

/* Computes strong, diagonal and, if not NULL, how many points depend on each one (cleared before). */
template <int G>
static __global__ void __launch_bounds__(THREADS)
    strength_kernel(hp_blocks blocks, hp_csr A, int32_t ncell, double theta, uint8_t *strong, double *diagonal,
                    uint32_t *dependents) {
  typedef hp_lanes<G> L;
  const int64_t i = (hp_block(blocks) * THREADS + threadIdx.x) / G;
  if (i >= A.nrow) return;
  const uint32_t begin = A.begin[i], end = A.begin[i + 1];
  double entry = 0.0, most = 0.0;
  bool has = false;
  for (uint32_t k = begin + L::lane(); k < end; k += G)
    if (A.column[k] == i) {
      entry = A.value[k];
      has = true;
    }
  for (int apart = G / 2; apart > 0; apart >>= 1) { /* broadcasts it from the one lane that has it */
    const double other = __shfl_xor_sync(L::mask(), entry, apart, G);
    const bool there = __shfl_xor_sync(L::mask(), (int)has, apart, G) != 0;
    if (!has && there) entry = other;
    has = has || there;
  }
  if (L::lane() == 0) diagonal[i] = entry;
  const double sign = entry < 0.0 ? 1.0 : -1.0;
  for (uint32_t k = begin + L::lane(); k < end; k += G)
    if (A.column[k] != i && A.column[k] < ncell) most = fmax(most, sign * A.value[k]);
  most = L::max(most);
  for (uint32_t k = begin + L::lane(); k < end; k += G) {
    const int32_t j = A.column[k];
    const double a = sign * A.value[k];
    const bool is = i < ncell && j != i && j < ncell && most > 0.0 && a >= theta * most && a > 0.0;
    strong[k] = is;
    if (is && dependents != NULL) hp_blocks_add(blocks, &dependents[j], 1u);
  }
}

template <int G>
static __global__ void __launch_bounds__(THREADS)
    dependents_kernel(hp_blocks blocks, hp_csr A, int32_t ncell, const uint8_t *strong, uint32_t *at,
                      int32_t *dependent, uint32_t *entry) {
  const int64_t i = (hp_block(blocks) * THREADS + threadIdx.x) / G;
  if (i >= ncell) return;
  for (uint32_t k = A.begin[i] + hp_lanes<G>::lane(); k < A.begin[i + 1]; k += G) {
    if (strong[k] == 0) continue;
    const uint32_t to = hp_blocks_add(blocks, &at[A.column[k]], 1u);
    dependent[to] = (int32_t)i;
    if (entry != NULL) entry[to] = k;
  }
}

hp_status hp_setup_strength(hp_setup *S, const hp_csr_device *A, int32_t ncell, double theta, hp_setup_graph_kind kind,
                            hp_setup_graph *G_out, hp_pool_mark *picked) {
  const hp_csr *a = &A->at;
  const int lanes = hp_lanes_for((double)A->count / (a->nrow > 0 ? a->nrow : 1) / 3.0);
  uint32_t *count = NULL, *at = NULL;
  hp_setup_graph *g = G_out;
  const bool transposed = kind != HP_SETUP_NO_DEPENDENTS;
  g->ncell = ncell;
  HP_TRY(HP_POOL_ALLOC(&S->scratch, g->strong, A->count));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, g->diagonal, a->nrow));
  *picked = hp_pool_get_mark(&S->scratch);
  if (transposed) {
    HP_TRY(HP_POOL_ALLOC(&S->scratch, count, (int64_t)ncell + 1));
    HP_TRY(HP_POOL_ALLOC(&S->scratch, at, (int64_t)ncell + 1));
    HP_TRY(HP_POOL_ALLOC(&S->scratch, g->begin, (int64_t)ncell + 1));
    HP_TRY(HP_POOL_ALLOC(&S->scratch, g->dependent, A->count));
    if (kind == HP_SETUP_ENTRIES) HP_TRY(HP_POOL_ALLOC(&S->scratch, g->entry, A->count));
    HP_TRY(hp_device_zero(S->D, count, ((int64_t)ncell + 1) * (int64_t)sizeof *count));
  }
  hp_status s = HP_OK;
  HP_WITH_LANES(lanes, s = hp_launch_all(S, "finding strong connections", strength_kernel<G>,
                                         hp_parts((int64_t)a->nrow * G, THREADS), THREADS, 0, *a, ncell, theta,
                                         g->strong, g->diagonal, count));
  if (s != HP_OK || !transposed) return s;
  HP_TRY(hp_setup_scan32(S, count, g->begin, ncell));
  HP_TRY(hp_device_copy(S->D, at, g->begin, ((int64_t)ncell + 1) * (int64_t)sizeof *at));
  HP_WITH_LANES(lanes, s = hp_launch_all(S, "transposing strong connections", dependents_kernel<G>,
                                         hp_parts((int64_t)ncell * G, THREADS), THREADS, 0, *a, ncell, g->strong, at,
                                         g->dependent, g->entry));
  return s;
}
