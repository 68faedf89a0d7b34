/* Interpolation on a GPU: the formulas of amg/setup/interpolation*.c, with their order of sums.
 *
 * First the coarse entries of each row that other rows need are gathered into a short list, in their order and at the
 * row's offset, so that a row reads its neighbours' lists and not their rows. Then the rows of P are computed, by a group
 * of lanes each (interpolation_rows.cu), and packed. */
#include "amg/setup/cuda/interpolation.cuh"

enum { THREADS = HP_SETUP_THREADS };

/* ---- lists ---- */

template <int G>
static __global__ void __launch_bounds__(THREADS)
    list_kernel(hp_blocks blocks, hp_interpolation I, const uint8_t *strong) {
  typedef hp_lanes<G> L;
  const int64_t i = (hp_block(blocks) * THREADS + threadIdx.x) / G;
  if (i >= I.A.nrow) return;
  const uint32_t begin = I.A.begin[i], end = I.A.begin[i + 1];
  const double aii = I.diagonal[i];
  int32_t held = 0;
  for (uint32_t k0 = begin; k0 < end; k0 += G) {
    const uint32_t k = k0 + L::lane();
    int32_t j = 0;
    double v = 0.0;
    int kind = HP_ENTRY_WEAK;
    bool keep = false;
    if (k < end) {
      j = I.A.column[k];
      v = I.A.value[k];
      const bool coarse = I.point[j] == HP_AMG_COARSE;
      if (strong[k] != 0) kind = coarse ? HP_ENTRY_COARSE : HP_ENTRY_FINE;
      else if (coarse && j < I.ncell) kind = HP_ENTRY_WEAK_COARSE;
      keep = j < I.ncell && coarse && (kind == HP_ENTRY_COARSE || v * aii < 0.0);
      I.kind_of[k] = (uint8_t)kind;
    }
    const unsigned kept = L::vote(keep);
    if (keep) {
      const uint32_t at = begin + held + __popc(kept & ((1u << L::lane()) - 1u));
      I.list_column[at] = kind == HP_ENTRY_COARSE ? ~j : j;
      I.list_value[at] = v;
    }
    held += __popc(kept);
  }
  if (L::lane() == 0) I.list_count[i] = held;
}

/* ---- around them ---- */

/* Weights that row i can have at most. */
static __global__ void __launch_bounds__(THREADS) room_kernel(hp_blocks blocks, hp_interpolation I, int64_t *room) {
  const int64_t i = hp_block(blocks) * THREADS + threadIdx.x;
  if (i >= I.A.nrow) return;
  const bool coarse = I.point[i] == HP_AMG_COARSE;
  int64_t sum = coarse;
  for (uint32_t k = I.A.begin[i]; k < I.A.begin[i + 1] && !coarse; ++k) {
    if (I.kind_of[k] == HP_ENTRY_COARSE) sum += 1;
    else if (I.kind_of[k] == HP_ENTRY_FINE && I.kind == HP_AMG_EXTENDED) sum += I.list_count[I.A.column[k]];
  }
  room[i] = sum;
}

static __global__ void __launch_bounds__(THREADS) compact_kernel(hp_blocks blocks, hp_interpolation I, hp_csr P) {
  const int64_t i = (hp_block(blocks) * THREADS + threadIdx.x) / 4;
  if (i >= P.nrow) return;
  const int64_t from = hp_interpolation_room(I, i);
  const uint32_t begin = P.begin[i];
  const int32_t count = hp_csr_length(&P, i);
  for (int32_t n = (int32_t)(threadIdx.x & 3); n < count; n += 4) {
    P.column[begin + n] = I.column[from + n];
    P.value[begin + n] = I.value[from + n];
  }
}

/* counts: coarse points, weights. */
static __global__ void sizes_kernel(int64_t *counts, const int32_t *coarse, const uint32_t *weights) {
  counts[0] = *coarse;
  counts[1] = *weights;
}

static hp_status make_lists(hp_setup *S, hp_interpolation *I, int64_t entries, const uint8_t *strong) {
  const int64_t n = I->A.nrow;
  HP_TRY(HP_POOL_ALLOC(&S->scratch, I->kind_of, entries));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, I->list_count, n));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, I->list_column, entries));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, I->list_value, entries));
  hp_status s = HP_OK;
  HP_WITH_LANES(hp_lanes_for((double)entries / (double)n),
                s = hp_launch_all(S, "gathering coarse entries", list_kernel<G>, hp_parts(n * G, THREADS), THREADS, 0,
                                  *I, strong));
  return s;
}

/* Where rows' weights go, if they have no limit: waits once. */
static hp_status make_room(hp_setup *S, hp_interpolation *I, int64_t *weights) {
  int64_t *room = NULL;
  const int64_t n = I->A.nrow;
  *weights = n * I->max_weights;
  if (I->max_weights > 0) return HP_OK;
  HP_TRY(HP_POOL_ALLOC(&S->scratch, room, n + 1));
  HP_TRY(hp_launch_all(S, "making room for interpolation", room_kernel, hp_parts(n, THREADS), THREADS, 0, *I, room));
  HP_TRY(hp_setup_scan64(S, room, room, n));
  HP_TRY(hp_device_copy(S->D, S->counts, room + n, (int64_t)sizeof *room));
  HP_TRY(hp_setup_read_counts(S));
  *weights = S->host_counts[0];
  I->room = room;
  return HP_OK;
}

static hp_status make_rows(hp_setup *S, const hp_interpolation *I, int64_t entries, int64_t longest) {
  const int64_t n = I->A.nrow;
  const double average = (double)entries / (double)(n > 0 ? n : 1);
  int points = 0;
  int32_t *list = NULL, *counts = NULL;
  HP_TRY(HP_POOL_ALLOC(&S->scratch, list, 2 * n));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, counts, 2));
  HP_TRY(hp_device_zero(S->D, counts, 2 * (int64_t)sizeof *counts));
  HP_TRY(hp_interpolate_rows(S, I, average, list, counts, &points));
  return longest * longest <= points ? HP_OK : hp_interpolate_wide_rows(S, I, list, counts, longest);
}

hp_status hp_setup_interpolate(hp_setup *S, const hp_csr_device *A, const hp_setup_graph *g, const uint8_t *point,
                               const int32_t *number, const hp_amg_options *opt, hp_csr_device *P,
                               hp_device_plan *plan) {
  hp_interpolation I = {};
  I.A = A->at;
  I.ncell = g->ncell;
  I.diagonal = g->diagonal;
  I.point = point;
  I.number = number;
  I.kind = opt->interpolation;
  I.truncation = opt->truncation;
  I.max_weights = opt->max_weights;
  I.longest = S->counts + 2;
  const int64_t n = A->at.nrow;
  int64_t weights = 0;
  HP_TRY(make_lists(S, &I, A->count, g->strong));
  HP_TRY(make_room(S, &I, &weights));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, I.count, n + 1));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, I.column, weights));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, I.value, weights));
  HP_TRY(make_rows(S, &I, A->count, A->longest));
  HP_TRY(HP_POOL_ALLOC(&S->keep, P->at.begin, n + 1));
  HP_TRY(hp_setup_scan32(S, I.count, P->at.begin, n));
  HP_TRY(hp_setup_count_products(S, &A->at, P->at.begin, plan, 3));
  HP_TRY(hp_launch(S, "counting coarse points", sizes_kernel, 1, 1, 0, S->counts, number + n, P->at.begin + n));
  HP_TRY(hp_setup_read_counts(S));
  HP_TRY(hp_setup_check_entries(S, I.count, n, weights));
  P->at.nrow = (int32_t)n;
  P->at.ncol = (int32_t)S->host_counts[0];
  P->count = S->host_counts[1];
  P->longest = S->host_counts[2] > 1 ? (int32_t)S->host_counts[2] : 1;
  plan->count = S->host_counts[3];
  const int32_t coarse = P->at.ncol - (int32_t)(n - g->ncell);
  if (coarse <= 0 || !(coarse < 0.95 * g->ncell)) {
    P->at.ncol = 0;
    return HP_OK;
  }
  HP_TRY(HP_POOL_ALLOC(&S->keep, P->at.column, P->count));
  HP_TRY(HP_POOL_ALLOC(&S->keep, P->at.value, P->count));
  return hp_launch_all(S, "gathering interpolation", compact_kernel, hp_parts(4 * n, THREADS), THREADS, 0, I, P->at);
}
