/* Interpolation on a GPU: the formulas of amg/interpolation*.c, a group of lanes a row.
 *
 * The points that a row interpolates from stand in a hash table with their weights. Sums run as on the
 * host: the entries of row i one after the other, and the entries of a fine neighbour's row in their
 * order; lanes share what has no order, the look-ups and the weights of one neighbour, which are different
 * ones. At the end the points are sorted by rank.
 *
 * A group's memory (24 bytes a place): weight, dense weights, key, dense keys. */
#include <math.h>

#include "amg/setup_cuda.cuh"

enum { THREADS = HP_SETUP_THREADS, BYTES = 24, WIDE_SIZE = 1024, WIDE_WARPS = 4 };
static const int64_t WIDE_MEMORY = 256 << 20;

typedef struct {
  hp_csr A;
  hp_setup_graph g;
  const uint8_t *point;
  const int32_t *number;
  hp_amg_interpolation kind;
  double truncation;
  int max_weights;
  const int64_t *room; /* [nrow+1] where a row's weights go; NULL: at i max_weights */
  int32_t *count;      /* [nrow+1] of a row's weights */
  int32_t *column;
  double *value;
  int64_t *longest;
} interpolation;

/* A row at work; all but the pointers' targets is the same in all lanes of the group. */
typedef struct {
  double *weight, *dense_weight; /* [size] */
  int32_t *key, *dense_key;
  int size, count;
} row_tables;

static __device__ __forceinline__ row_tables tables_at(char *memory, int size) {
  row_tables w;
  w.weight = (double *)memory;
  w.dense_weight = w.weight + size;
  w.key = (int32_t *)(w.dense_weight + size);
  w.dense_key = w.key + size;
  w.size = size;
  w.count = 0;
  return w;
}

template <int G>
static __device__ void clear(row_tables *w) {
  typedef hp_lanes<G> L;
  L::sync();
  for (int n = L::lane(); n < w->size; n += G) {
    w->key[n] = -1;
    w->weight[n] = 0.0;
  }
  w->count = 0;
  L::sync();
}

/* The coarse points on which i depends; with `extended` also those on which its strong fine neighbours do.
 * False: they do not fit. */
template <int G>
static __device__ bool collect(const interpolation &I, row_tables *w, int64_t i, bool extended) {
  typedef hp_lanes<G> L;
  const hp_csr &A = I.A;
  int fresh = 0;
  bool full = false, is_new = false;
  clear<G>(w);
  const int32_t end = A.begin[i + 1];
  for (int32_t k0 = A.begin[i]; k0 < end; k0 += G) {
    const int32_t k = k0 + L::lane();
    int32_t j = -1;
    if (k < end && I.g.strong[k] != 0) j = A.column[k];
    const bool coarse = j >= 0 && I.point[j] == HP_AMG_COARSE;
    if (coarse) {
      full = full || hp_hash_add(w->key, w->size, j, &is_new) < 0;
      fresh += is_new;
    }
    for (int t = 0; t < G && extended; ++t) {
      const int32_t f = L::take(coarse ? -1 : j, t);
      if (f < 0) continue;
      const int32_t f_end = A.begin[f + 1];
      for (int32_t n = A.begin[f] + L::lane(); n < f_end; n += G) {
        if (I.g.strong[n] == 0) continue;
        const int32_t l = A.column[n];
        if (I.point[l] != HP_AMG_COARSE) continue;
        full = full || hp_hash_add(w->key, w->size, l, &is_new) < 0;
        fresh += is_new;
      }
    }
  }
  w->count = L::sum(fresh);
  full = L::any(full);
  L::sync();
  return !full;
}

/* Entry n of row k, of a fine neighbour of i: its value if it takes part, else 0; *at: its place in the
 * table, -1 for i itself. */
static __device__ __forceinline__ double part_of(const interpolation &I, const row_tables *w, int64_t i, int32_t k,
                                                 double akk, bool extended, int32_t n, int32_t end, int *at) {
  *at = -1;
  if (n >= end) return 0.0;
  const int32_t l = I.A.column[n];
  const double v = I.A.value[n];
  if (l >= I.g.ncell || l == k || !(v * akk < 0.0)) return 0.0;
  if (l == i) return extended ? v : 0.0;
  *at = hp_hash_find(w->key, w->size, l);
  return *at >= 0 ? v : 0.0;
}

/* Adds the lanes' v to the sum, lane after lane; zeros do not matter. */
template <int G>
static __device__ __forceinline__ double add_in_order(double sum, double v) {
  typedef hp_lanes<G> L;
  unsigned left = (__ballot_sync(L::mask(), v != 0.0) & L::mask()) >> (threadIdx.x & 31 & ~(G - 1));
  for (; left != 0; left &= left - 1) sum += L::take(v, __ffs((int)left) - 1);
  return sum;
}

/* hp_amg_row_distribute: what goes to i's diagonal. */
template <int G>
static __device__ double distribute(const interpolation &I, row_tables *w, int64_t i, int32_t k, double aik,
                                    bool extended) {
  typedef hp_lanes<G> L;
  const int32_t begin = I.A.begin[k], end = I.A.begin[k + 1];
  const double akk = I.g.diagonal[k];
  int first_at = -1, at = -1;
  const double first = part_of(I, w, i, k, akk, extended, begin + L::lane(), end, &first_at);
  double sum = add_in_order<G>(0.0, first), back = 0.0;
  for (int32_t n = begin + G; n < end; n += G)
    sum = add_in_order<G>(sum, part_of(I, w, i, k, akk, extended, n + L::lane(), end, &at));
  if (sum == 0.0) return aik;
  for (int32_t n = begin; n < end; n += G) {
    double v = first;
    at = first_at;
    if (n > begin) v = part_of(I, w, i, k, akk, extended, n + L::lane(), end, &at);
    if (v == 0.0) continue;
    const double share = aik * (v / sum);
    if (at >= 0) w->weight[at] += share;
    else back = share;
  }
  L::sync();
  return add_in_order<G>(0.0, back); /* of one lane */
}

/* hp_amg_row_distributed */
template <int G>
static __device__ bool distributed(const interpolation &I, row_tables *w, int64_t i, bool extended) {
  typedef hp_lanes<G> L;
  const hp_csr &A = I.A;
  const double aii = I.g.diagonal[i];
  const int32_t end = A.begin[i + 1];
  double d = 0.0;
  for (int32_t k0 = A.begin[i]; k0 < end; k0 += G) {
    const int32_t k = k0 + L::lane();
    int32_t column = -1;
    double value = 0.0;
    int at = -1, strong = 0;
    if (k < end) {
      column = A.column[k];
      value = A.value[k];
      strong = I.g.strong[k];
      if (column < I.g.ncell) at = hp_hash_find(w->key, w->size, column);
    }
    const int count = end - k0 < G ? end - k0 : G;
    for (int t = 0; t < count; ++t) {
      const double a = L::take(value, t);
      const int place = L::take(at, t);
      const int32_t j = L::take(column, t);
      const int depends = L::take(strong, t);
      if (place >= 0) {
        if (L::lane() == 0) w->weight[place] += a;
        L::sync();
      } else if (depends != 0) {
        d += distribute<G>(I, w, i, j, a, extended);
      } else {
        d += a;
      }
    }
  }
  for (int n = L::lane(); n < w->size; n += G)
    if (w->key[n] >= 0) w->weight[n] /= -d;
  L::sync();
  return d * aii > 1e-12 * aii * aii;
}

/* hp_amg_interpolate_direct, the points collected */
template <int G>
static __device__ bool direct(const interpolation &I, row_tables *w, int64_t i) {
  typedef hp_lanes<G> L;
  const hp_csr &A = I.A;
  const double aii = I.g.diagonal[i];
  const int32_t end = A.begin[i + 1];
  double all = 0.0, coarse = 0.0, d = aii;
  for (int32_t k0 = A.begin[i]; k0 < end; k0 += G) {
    const int32_t k = k0 + L::lane();
    int32_t column = -1;
    double value = 0.0;
    int at = -1;
    if (k < end) {
      column = A.column[k];
      value = A.value[k];
      if (column < I.g.ncell) at = hp_hash_find(w->key, w->size, column);
    }
    const int count = end - k0 < G ? end - k0 : G;
    for (int t = 0; t < count; ++t) {
      const double a = L::take(value, t);
      const int place = L::take(at, t);
      const int32_t j = L::take(column, t);
      if (j == i) continue;
      if (j >= I.g.ncell || !(a * aii < 0.0)) {
        d += a;
        continue;
      }
      all += a;
      if (place < 0) continue;
      coarse += a;
      if (L::lane() == 0) w->weight[place] = a;
    }
  }
  L::sync();
  if (coarse == 0.0 || !(d * aii > 1e-12 * aii * aii)) return false;
  for (int n = L::lane(); n < w->size; n += G)
    if (w->key[n] >= 0) w->weight[n] *= -all / coarse / d;
  L::sync();
  return true;
}

/* The points, rising, and their weights into the first places of key and weight: the table is gone. */
template <int G>
static __device__ void sort(row_tables *w) {
  typedef hp_lanes<G> L;
  int held = 0;
  for (int n0 = 0; n0 < w->size; n0 += G) {
    const int32_t key = n0 + L::lane() < w->size ? w->key[n0 + L::lane()] : -1;
    const int at = held + L::before(key >= 0);
    if (key >= 0) {
      w->dense_key[at] = key;
      w->dense_weight[at] = w->weight[n0 + L::lane()];
    }
    held += L::sum(key >= 0);
  }
  L::sync();
  for (int n = L::lane(); n < w->count; n += G) {
    const int32_t key = w->dense_key[n];
    int rank = 0;
    for (int m = 0; m < w->count; ++m) rank += w->dense_key[m] < key;
    w->key[rank] = key;
    w->weight[rank] = w->dense_weight[n];
  }
  L::sync();
}

/* Keeps the largest weights, the row's sum as it was, and writes them out. */
template <int G>
static __device__ void truncate_row(const interpolation &I, row_tables *w, int64_t i) {
  typedef hp_lanes<G> L;
  const int count = w->count;
  double before = 0.0, after = 0.0, most = 0.0;
  for (int n = 0; n < count; ++n) {
    before += w->weight[n];
    most = fmax(most, fabs(w->weight[n]));
  }
  const bool select = I.max_weights > 0 && I.max_weights < count;
  for (int n = L::lane(); n < count; n += G) {
    const double size = fabs(w->weight[n]);
    bool keep = size != 0.0 && !(size < I.truncation * most);
    if (keep && select) {
      int larger = 0;
      for (int m = 0; m < count; ++m) {
        const double other = fabs(w->weight[m]);
        const int dm = abs(w->key[m] - (int)i), dn = abs(w->key[n] - (int)i);
        larger += other > size || (other == size && (dm < dn || (dm == dn && m < n)));
      }
      keep = larger < I.max_weights;
    }
    w->dense_key[n] = keep;
  }
  L::sync();
  for (int n = 0; n < count; ++n)
    if (w->dense_key[n] != 0) after += w->weight[n];
  const double factor = after * before > 0.0 ? before / after : 1.0;
  const int64_t to = I.room != NULL ? I.room[i] : i * I.max_weights;
  int kept = 0;
  for (int n0 = 0; n0 < count; n0 += G) {
    const int n = n0 + L::lane();
    const bool keep = n < count && w->dense_key[n] != 0;
    const int at = kept + L::before(keep);
    if (keep) {
      I.column[to + at] = I.number[w->key[n]];
      I.value[to + at] = w->weight[n] * factor;
    }
    kept += L::sum(keep);
  }
  if (L::lane() == 0) I.count[i] = kept;
  w->count = kept;
}

/* False: the row needs larger tables. */
template <int G>
static __device__ bool make_row(const interpolation &I, row_tables *w, int64_t i) {
  typedef hp_lanes<G> L;
  if (I.point[i] == HP_AMG_COARSE) {
    const int64_t to = I.room != NULL ? I.room[i] : i * I.max_weights;
    if (L::lane() == 0) {
      I.column[to] = I.number[i];
      I.value[to] = 1.0;
      I.count[i] = 1;
    }
    w->count = 1;
    return true;
  }
  const bool extended = I.kind == HP_AMG_EXTENDED;
  if (!collect<G>(I, w, i, extended)) return false;
  bool good = w->count > 0;
  if (good && I.kind == HP_AMG_AVERAGING) {
    for (int n = L::lane(); n < w->size; n += G) w->weight[n] = 1.0 / w->count;
    L::sync();
  } else if (good && I.kind == HP_AMG_DIRECT) {
    good = direct<G>(I, w, i);
  } else if (good) {
    good = distributed<G>(I, w, i, extended);
    if (!good) {
      collect<G>(I, w, i, false);
      good = w->count > 0 && direct<G>(I, w, i);
    }
  }
  if (good) sort<G>(w);
  else w->count = 0; /* left to the smoother */
  truncate_row<G>(I, w, i);
  L::sync();
  return true;
}

template <int G>
static __global__ void __launch_bounds__(THREADS) interpolate_kernel(interpolation I, hp_wide wide) {
  typedef hp_lanes<G> L;
  const int64_t group = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / G;
  const int64_t groups = (int64_t)gridDim.x * blockDim.x / G;
  char *memory = wide.memory != NULL ? wide.memory + group * wide.bytes
                                     : (char *)hp_shared_memory + (int64_t)(threadIdx.x / G) * wide.bytes;
  row_tables w = tables_at(memory, wide.size);
  const int64_t count = wide.list != NULL ? *wide.count : I.A.nrow;
  int longest = 0;
  for (int64_t n = group; n < count; n += groups) {
    const int64_t i = wide.list != NULL ? wide.list[n] : n;
    if (make_row<G>(I, &w, i)) {
      if (w.count > longest) longest = w.count;
    } else if (L::lane() == 0) {
      wide.next[atomicAdd(wide.next_count, 1)] = (int32_t)i;
    }
  }
  hp_block_most(I.longest, longest);
}

/* Weights that row i can have at most. */
static __global__ void __launch_bounds__(THREADS) room_kernel(interpolation I, int64_t *room) {
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i >= I.A.nrow) return;
  int64_t sum = 0;
  const bool coarse = I.point[i] == HP_AMG_COARSE;
  if (coarse) sum = 1;
  for (int32_t k = I.A.begin[i]; k < I.A.begin[i + 1] && !coarse; ++k) {
    const int32_t j = I.A.column[k];
    if (I.g.strong[k] == 0) continue;
    if (I.point[j] == HP_AMG_COARSE) sum += 1;
    else if (I.kind == HP_AMG_EXTENDED) sum += I.A.begin[j + 1] - I.A.begin[j];
  }
  room[i] = sum;
}

static __global__ void __launch_bounds__(THREADS) compact_kernel(interpolation I, hp_csr P) {
  const int64_t i = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / 4;
  if (i >= P.nrow) return;
  const int64_t from = I.room != NULL ? I.room[i] : i * I.max_weights;
  const int32_t begin = P.begin[i], count = P.begin[i + 1] - begin;
  for (int32_t n = (int32_t)(threadIdx.x & 3); n < count; n += 4) {
    P.column[begin + n] = I.column[from + n];
    P.value[begin + n] = I.value[from + n];
  }
}

/* counts: coarse points, weights. */
static __global__ void sizes_kernel(int64_t *counts, const int32_t *coarse, const int32_t *weights) {
  counts[0] = *coarse;
  counts[1] = *weights;
}

/* Where rows' weights go, if they have no limit: waits once. */
static hp_status make_room(hp_setup *S, interpolation *I, int64_t *weights) {
  int64_t *room = NULL;
  const int64_t n = I->A.nrow;
  *weights = n * I->max_weights;
  if (I->max_weights > 0) return HP_OK;
  HP_TRY(HP_TAKE(&S->scratch, room, n + 1));
  HP_TRY(hp_launch(S, "making room for interpolation", room_kernel, hp_parts(n, THREADS), THREADS, 0, *I, room));
  HP_TRY(hp_setup_scan64(S, room, room, n));
  HP_TRY(hp_device_copy(S->D, S->counts, room + n, (int64_t)sizeof *room));
  HP_TRY(hp_setup_learn(S));
  *weights = S->host_counts[0];
  I->room = room;
  return HP_OK;
}

/* Rows that outgrew the first tables: a warp each, first in shared memory, then in the device's. */
static hp_status wide_rows(hp_setup *S, const interpolation *I, int32_t *list, int32_t *counts, int64_t longest) {
  const int32_t n = I->A.nrow;
  int64_t bound = longest * longest, size = WIDE_SIZE;
  if (bound > n) bound = n;
  hp_wide w = {list, counts, list + n, counts + 1, NULL, WIDE_SIZE, (int64_t)BYTES * WIDE_SIZE};
  HP_TRY(hp_launch(S, "interpolating long rows", interpolate_kernel<32>, 2 * S->multiprocessors, 32 * WIDE_WARPS,
                   (size_t)(WIDE_WARPS * w.bytes), *I, w));
  if (bound <= WIDE_SIZE) return HP_OK;
  while (size < 2 * bound) size *= 2;
  int64_t blocks = WIDE_MEMORY / (BYTES * size);
  blocks = blocks < 1 ? 1 : blocks > 8 * S->multiprocessors ? 8 * S->multiprocessors : blocks;
  const hp_pool_mark here = hp_pool_here(&S->scratch);
  char *memory = NULL;
  HP_TRY(hp_pool_take(&S->scratch, (void **)&memory, blocks, (size_t)(BYTES * size)));
  const hp_wide all = {list + n, counts + 1, NULL, NULL, memory, (int)size, BYTES * size};
  HP_TRY(hp_launch(S, "interpolating the longest rows", interpolate_kernel<32>, blocks, 32, 0, *I, all));
  hp_pool_back(&S->scratch, here);
  return HP_OK;
}

static hp_status make_rows(hp_setup *S, const interpolation *I, int64_t entries, int64_t longest) {
  const int64_t n = I->A.nrow;
  const double average = (double)entries / (double)(n > 0 ? n : 1);
  const int size = average <= 10.0 ? 32 : average <= 40.0 ? 64 : 128;
  int lanes = hp_lanes_for(average);
  if (lanes < 8) lanes = 8;
  int32_t *list = NULL, *counts = NULL;
  HP_TRY(HP_TAKE(&S->scratch, list, 2 * n));
  HP_TRY(HP_TAKE(&S->scratch, counts, 2));
  HP_TRY(hp_device_zero(S->D, counts, 2 * (int64_t)sizeof *counts));
  const hp_wide w = {NULL, NULL, list, counts, NULL, size, (int64_t)BYTES * size};
  hp_status s = HP_OK;
  HP_WITH_LANES(lanes, s = hp_launch(S, "interpolating", interpolate_kernel<G>, hp_parts(n * G, THREADS), THREADS,
                                     (size_t)(w.bytes * (THREADS / G)), *I, w));
  if (s != HP_OK || longest * longest <= size) return s;
  return wide_rows(S, I, list, counts, longest);
}

hp_status hp_setup_interpolate(hp_setup *S, const hp_device_csr *A, const hp_setup_graph *g, const uint8_t *point,
                               const int32_t *number, const hp_amg_options *opt, hp_device_csr *P,
                               hp_device_plan *plan) {
  interpolation I = {A->at, *g, point, number, opt->interpolation, opt->truncation, opt->max_weights,
                     NULL, NULL, NULL, NULL, S->counts + 2};
  const int64_t n = A->at.nrow;
  int64_t weights = 0;
  HP_TRY(make_room(S, &I, &weights));
  HP_TRY(HP_TAKE(&S->scratch, I.count, n + 1));
  HP_TRY(HP_TAKE(&S->scratch, I.column, weights));
  HP_TRY(HP_TAKE(&S->scratch, I.value, weights));
  HP_TRY(make_rows(S, &I, A->count, A->longest));
  HP_TRY(HP_TAKE(&S->keep, P->at.begin, n + 1));
  HP_TRY(hp_setup_scan(S, I.count, P->at.begin, n));
  HP_TRY(hp_setup_count_products(S, &A->at, P->at.begin, plan, 3));
  HP_TRY(hp_launch(S, "counting coarse points", sizes_kernel, 1, 1, 0, S->counts, number + n, P->at.begin + n));
  HP_TRY(hp_setup_learn(S));
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
  HP_TRY(HP_TAKE(&S->keep, P->at.column, P->count));
  HP_TRY(HP_TAKE(&S->keep, P->at.value, P->count));
  return hp_launch(S, "gathering interpolation", compact_kernel, hp_parts(4 * n, THREADS), THREADS, 0, I, P->at);
}
