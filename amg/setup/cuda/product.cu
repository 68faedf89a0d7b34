/* Transposes, and patterns of sparse products on a GPU, one group of lanes per row; the numbers:
 * amg/setup/cuda/numbers.cuh.
 *
 * The pattern of C = A B uses a hash table in shared memory for every row (Nagasaka, Nukada & Matsuoka 2017). The
 * products of a row are distributed evenly over the lanes; each inserts its column and notes the slot. The row's
 * distinct columns are sorted by rank, and the notes become places in the row: the plan. Columns stay in scratch
 * memory, at the row's first product, until the sizes of all rows are known; R (A P) reads those of A P there.
 *
 * Places are bytes; rows with more than 256 columns get places of two bytes afterwards.
 *
 * A group's memory for the pattern (12 bytes a place): distinct columns, key, rank, where a column was in key. */
#include "amg/setup/cuda/numbers.cuh"

enum { THREADS = HP_SETUP_THREADS, BYTES = 12, WIDE_SIZE = 2048, NOTES_MAX = 65536 };

/* ---- transpose ---- */

static __global__ void __launch_bounds__(THREADS)
    column_kernel(hp_blocks blocks, const int32_t *column, int64_t count, uint32_t *in) {
  const int64_t k = hp_block(blocks) * THREADS + threadIdx.x;
  if (k < count) hp_blocks_add(blocks, &in[column[k]], 1u);
}

static __global__ void __launch_bounds__(THREADS)
    scatter_kernel(hp_blocks blocks, hp_csr P, uint32_t *at, int32_t *row, double *value) {
  const int64_t i = (hp_block(blocks) * THREADS + threadIdx.x) / 4;
  if (i >= P.nrow) return;
  for (uint32_t k = P.begin[i] + (threadIdx.x & 3); k < P.begin[i + 1]; k += 4) {
    const uint32_t to = hp_blocks_add(blocks, &at[P.column[k]], 1u);
    row[to] = (int32_t)i;
    value[to] = P.value[k];
  }
}

/* Rows come in any order; each entry goes to its rank. */
template <int G>
static __global__ void __launch_bounds__(THREADS)
    order_kernel(hp_blocks blocks, hp_csr R, const int32_t *row, const double *value, int64_t *longest) {
  const int64_t i = (hp_block(blocks) * THREADS + threadIdx.x) / G;
  const bool is_row = i < R.nrow;
  const uint32_t begin = is_row ? R.begin[i] : 0, end = is_row ? R.begin[i + 1] : 0;
  for (uint32_t k = begin + hp_lanes<G>::lane(); k < end; k += G) {
    const int32_t column = row[k];
    uint32_t to = begin;
    for (uint32_t n = begin; n < end; ++n) to += row[n] < column;
    R.column[to] = column;
    R.value[to] = value[k];
  }
  hp_block_most(blocks, longest, (int)(end - begin));
}

hp_status hp_setup_transpose(hp_setup *S, const hp_csr_device *P, hp_csr_device *R) {
  uint32_t *count = NULL, *at = NULL;
  int32_t *row = NULL;
  double *value = NULL;
  const int64_t n = P->at.ncol;
  const hp_pool_mark here = hp_pool_get_mark(&S->scratch);
  R->at.nrow = P->at.ncol;
  R->at.ncol = P->at.nrow;
  R->count = P->count;
  HP_TRY(HP_POOL_ALLOC(&S->keep, R->at.begin, n + 1));
  HP_TRY(HP_POOL_ALLOC(&S->keep, R->at.column, P->count));
  HP_TRY(HP_POOL_ALLOC(&S->keep, R->at.value, P->count));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, count, n + 1));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, at, n + 1));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, row, P->count));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, value, P->count));
  HP_TRY(hp_device_zero(S->D, count, (n + 1) * (int64_t)sizeof *count));
  HP_TRY(hp_launch_all(S, "transposing", column_kernel, hp_parts(P->count, THREADS), THREADS, 0, P->at.column, P->count,
                       count));
  HP_TRY(hp_setup_scan32(S, count, R->at.begin, n));
  HP_TRY(hp_device_copy(S->D, at, R->at.begin, (n + 1) * (int64_t)sizeof *at));
  HP_TRY(hp_launch_all(S, "transposing", scatter_kernel, hp_parts(4 * (int64_t)P->at.nrow, THREADS), THREADS, 0, P->at,
                       at, row, value));
  hp_status s = HP_OK;
  HP_WITH_LANES(hp_lanes_for((double)P->count / (double)n),
                s = hp_launch_all(S, "transposing", order_kernel<G>, hp_parts(n * G, THREADS), THREADS, 0, R->at, row,
                                  value, S->counts + 6));
  hp_pool_rewind(&S->scratch, here);
  return s;
}

/* ---- how many products ---- */

template <int G>
static __global__ void __launch_bounds__(THREADS) products_kernel(hp_blocks blocks, hp_csr A, const uint32_t *B_begin,
                                                                  int64_t *products, int64_t *all, int64_t *most) {
  __shared__ unsigned long long total;
  const int64_t i = (hp_block(blocks) * THREADS + threadIdx.x) / G;
  const bool is_row = i < A.nrow;
  int sum = 0;
  for (uint32_t k = is_row ? A.begin[i] + hp_lanes<G>::lane() : 0; is_row && k < A.begin[i + 1]; k += G) {
    const int32_t j = A.column[k];
    sum += (int)(B_begin[j + 1] - B_begin[j]);
  }
  sum = hp_lanes<G>::sum(sum);
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  if (is_row && hp_lanes<G>::lane() == 0) {
    products[i] = sum;
    atomicAdd(&total, (unsigned long long)sum);
  }
  hp_block_most(blocks, most, sum);
  if (threadIdx.x == 0 && total > 0) hp_blocks_add(blocks, (unsigned long long *)all, total);
}

hp_status hp_setup_count_products(hp_setup *S, const hp_csr *A, const uint32_t *B_begin, hp_device_plan *plan, int at) {
  const int64_t n = A->nrow;
  HP_TRY(HP_POOL_ALLOC(&S->keep, plan->begin, n + 1));
  HP_TRY(hp_launch_all(S, "counting products", products_kernel<8>, hp_parts(8 * n, THREADS), THREADS, 0, *A, B_begin,
                       plan->begin, S->counts + at, S->counts + at + 1));
  return hp_setup_scan64(S, plan->begin, plan->begin, n);
}

/* ---- pattern and plan ---- */

typedef struct {
  hp_csr A;
  const uint32_t *B_begin;
  const int32_t *B_column;
  const int64_t *B_first; /* where B's rows begin in B_column; NULL: at B_begin */
  const int64_t *first;   /* [nrow+1] product of a row */
  uint8_t *place;         /* [products] */
  uint16_t *wide;         /* of rows that `place` is too small for */
  int32_t *column;        /* [products] a row's columns, from its first product on */
  uint32_t *count;        /* [nrow+1] of them */
  int64_t *longest;
} pattern;

typedef struct {
  int32_t *distinct, *key; /* [size] */
  uint16_t *rank, *slot;   /* [size] */
  int size, count;
} row_tables;

static __device__ __forceinline__ int64_t row_of_b(const pattern &C, int32_t j, int32_t *length) {
  const uint32_t begin = C.B_begin[j];
  *length = (int32_t)(C.B_begin[j + 1] - begin);
  return C.B_first != NULL ? C.B_first[j] : begin;
}

/* The places of row i. */
template <class PLACE>
static __device__ __forceinline__ PLACE *places_of(const pattern &C, int64_t i);
template <>
__device__ __forceinline__ uint8_t *places_of<uint8_t>(const pattern &C, int64_t i) {
  return C.place + C.first[i];
}
template <>
__device__ __forceinline__ uint16_t *places_of<uint16_t>(const pattern &C, int64_t i) {
  return C.wide + *hp_plan_wide_from(C.place, C.first[i]);
}

/* Whether a note, a number below `size`, is a PLACE. */
template <class PLACE>
static __device__ __forceinline__ bool holds(int size) {
  return size <= 1 << 8 * sizeof(PLACE);
}

static __device__ __forceinline__ row_tables tables_at(char *memory, int size) {
  row_tables w;
  w.distinct = (int32_t *)memory;
  w.key = w.distinct + size;
  w.rank = (uint16_t *)(w.key + size);
  w.slot = w.rank + size;
  w.size = size;
  w.count = 0;
  return w;
}

enum { AHEAD = 4 /* products of a lane that are in flight together */ };

/* Moves the non-empty rows of B to the first lanes, in their order. */
template <int G>
static __device__ __forceinline__ void close_ranks(int64_t *from, int32_t *length) {
  typedef hp_lanes<G> L;
  const unsigned some = L::vote(*length > 0);
  if ((some & (some + 1)) == 0) return;
  unsigned left = some;
  for (int n = 0; n < L::lane(); ++n) left &= left - 1;
  const int source = left != 0 ? __ffs((int)left) - 1 : 0;
  *from = L::shuffle(*from, source);
  const int32_t there = L::shuffle(*length, source);
  *length = left != 0 ? there : 0;
}

/* Inserts the products' columns into the table and notes their slots: for rows with at most G factors and AHEAD G
 * products in note (*noted), else in C.place, if a slot fits there. False: the table is full. */
template <int G, bool chip, class PLACE>
static __device__ __forceinline__ bool gather(const pattern &C, row_tables *w, int64_t i, int note[AHEAD],
                                              bool *noted) {
  typedef hp_lanes<G> L;
  const uint32_t begin = C.A.begin[i], end = C.A.begin[i + 1];
  const int32_t all = (int32_t)(C.first[i + 1] - C.first[i]);
  PLACE *place = places_of<PLACE>(C, i);
  *noted = end - begin <= G && all <= AHEAD * G;
  const bool writes = !*noted && holds<PLACE>(w->size);
  int fresh = 0;
  bool full = false, is_new = false;
  for (uint32_t k0 = begin; k0 < end; k0 += G) {
    const uint32_t k = k0 + L::lane();
    int64_t from = 0;
    int32_t length = 0;
    if (k < end) from = row_of_b(C, C.A.column[k], &length);
    close_ranks<G>(&from, &length);
    const int offset = L::before(length), total = L::shuffle(offset + length, G - 1);
    int begun = 0; /* rows of B before the product at hand */
    for (int p0 = 0; p0 < total; p0 += AHEAD * G) {
      int32_t column[AHEAD];
#pragma unroll
      for (int a = 0; a < AHEAD; ++a) {
        const int p = p0 + a * G, start = offset - p;
        const unsigned starts = L::either(length > 0 && start >= 0 && start < G ? 1u << start : 0u);
        const int row = begun + __popc(starts & ((2u << L::lane()) - 1u)) - 1;
        const int64_t shift = L::shuffle(from - offset, row);
        begun += __popc(starts);
        column[a] = p + L::lane() < total ? C.B_column[shift + p + L::lane()] : -1;
      }
#pragma unroll
      for (int a = 0; a < AHEAD; ++a) {
        note[a] = -1;
        if (column[a] < 0 || full) continue;
        note[a] = hp_hash_add<chip>(w->key, w->size, column[a], &is_new);
        full = note[a] < 0;
        fresh += is_new;
        if (writes) place[p0 + a * G + L::lane()] = (PLACE)note[a];
      }
    }
    place += total;
    if (L::any(full)) return false;
  }
  w->count = L::sum(fresh);
  L::sync();
  return true;
}

/* Where the n-th of the distinct columns is in the table. */
static __device__ __forceinline__ int slot_of(const row_tables *w, int n, int32_t column) {
  return w->size <= NOTES_MAX ? (int)w->slot[n] : hp_hash_find(w->key, w->size, column);
}

/* Ranks the distinct columns and writes them in their order. */
template <int G>
static __device__ __forceinline__ void sort(const pattern &C, row_tables *w, int64_t i) {
  typedef hp_lanes<G> L;
  int held = 0;
  for (int n = L::lane(); n < w->size; n += G) { /* size is a multiple of 32 */
    const int32_t key = w->key[n];
    const unsigned there = L::vote(key >= 0);
    const int at = held + __popc(there & ((1u << L::lane()) - 1u));
    if (key >= 0) {
      w->distinct[at] = key;
      if (w->size <= NOTES_MAX) w->slot[at] = (uint16_t)n;
    }
    held += __popc(there);
  }
  const int padded = (held + 3) & ~3; /* size is a multiple of 4 */
  if (held + L::lane() < padded) w->distinct[held + L::lane()] = INT32_MAX;
  L::sync();
  const int4 *four = (const int4 *)w->distinct;
  int32_t *out = C.column + C.first[i];
  for (int n = L::lane(); n < held; n += 2 * G) {
    const int32_t column = w->distinct[n], other = n + G < held ? w->distinct[n + G] : -1;
    int rank = 0, other_rank = 0;
    for (int m = 0; m < padded / 4; ++m) {
      const int4 v = four[m];
      rank += (v.x < column) + (v.y < column) + (v.z < column) + (v.w < column);
      other_rank += (v.x < other) + (v.y < other) + (v.z < other) + (v.w < other);
    }
    out[rank] = column;
    w->rank[slot_of(w, n, column)] = (uint16_t)rank;
    if (other < 0) continue;
    out[other_rank] = other;
    w->rank[slot_of(w, n + G, other)] = (uint16_t)other_rank;
  }
  L::sync();
}

/* Notes become places. */
template <int G, class PLACE>
static __device__ __forceinline__ void plan_row(const pattern &C, const row_tables *w, int64_t i, const int note[AHEAD],
                                                bool noted) {
  typedef hp_lanes<G> L;
  PLACE *place = places_of<PLACE>(C, i);
  if (noted) {
#pragma unroll
    for (int a = 0; a < AHEAD; ++a)
      if (note[a] >= 0) place[a * G + L::lane()] = (PLACE)w->rank[note[a]];
    return;
  }
  if (holds<PLACE>(w->size)) {
    const int32_t end = (int32_t)(C.first[i + 1] - C.first[i]);
    for (int32_t p = L::lane(); p < end; p += AHEAD * G) {
      int at[AHEAD];
#pragma unroll
      for (int a = 0; a < AHEAD; ++a) at[a] = p + a * G < end ? (int)place[p + a * G] : -1;
#pragma unroll
      for (int a = 0; a < AHEAD; ++a)
        if (at[a] >= 0) place[p + a * G] = (PLACE)w->rank[at[a]];
    }
    return;
  }
  for (uint32_t k = C.A.begin[i]; k < C.A.begin[i + 1]; ++k) {
    int32_t count;
    const int64_t begin = row_of_b(C, C.A.column[k], &count);
    for (int32_t n = L::lane(); n < count; n += G)
      place[n] = (PLACE)w->rank[hp_hash_find(w->key, w->size, C.B_column[begin + n])];
    place += count;
  }
}

template <int G, bool chip, class PLACE>
static __global__ void __launch_bounds__(THREADS, 5)
    pattern_kernel(hp_blocks blocks, const __grid_constant__ pattern C, const __grid_constant__ hp_wide wide) {
  typedef hp_lanes<G> L;
  const hp_blocks_share rows = hp_blocks_share_of(blocks, wide.list != NULL ? *wide.count : C.A.nrow);
  const int64_t group = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / G;
  const int64_t groups = (int64_t)gridDim.x * blockDim.x / G, before = blocks.first * blockDim.x / G;
  row_tables w = tables_at(hp_wide_tables<G, chip>(wide, before + group), wide.size);
  int longest = 0;
  for (int64_t n = rows.begin + group; n < rows.end; n += groups) {
    const int64_t i = wide.list != NULL ? wide.list[n] : n;
    L::sync();
    for (int m = L::lane(); m < w.size; m += G) w.key[m] = -1;
    L::sync();
    int note[AHEAD] = {-1, -1, -1, -1};
    bool noted = false;
    if (!gather<G, chip, PLACE>(C, &w, i, note, &noted)) {
      if (L::lane() == 0) wide.next[hp_blocks_add(blocks, wide.next_count, 1)] = (int32_t)i;
      continue;
    }
    sort<G>(C, &w, i);
    plan_row<G, PLACE>(C, &w, i, note, noted);
    if (L::lane() == 0) C.count[i] = (uint32_t)w.count;
    if (w.count > longest) longest = w.count;
  }
  hp_block_most(blocks, C.longest, longest);
}

/* ---- all rows ---- */

template <int G>
static __global__ void __launch_bounds__(THREADS)
    compact_kernel(hp_blocks blocks, hp_csr C, const int64_t *first, const int32_t *column) {
  const int64_t i = (hp_block(blocks) * THREADS + threadIdx.x) / G;
  if (i >= C.nrow) return;
  const uint32_t begin = C.begin[i];
  const int32_t count = hp_csr_length(&C, i), *from = column + first[i];
  for (int32_t n = hp_lanes<G>::lane(); n < count; n += G) C.column[begin + n] = from[n];
}

static __global__ void size_kernel(int64_t *count, const uint32_t *total) { *count = *total; }

static int64_t bytes_of(int64_t size) { return BYTES * size; }

template <class PLACE>
static hp_status wide_rows(hp_setup *S, const pattern *C, int32_t *list, int32_t *counts, int64_t most) {
  return hp_setup_wide_rows(S, "finding long rows of a product", pattern_kernel<32, true, PLACE>,
                            pattern_kernel<32, false, PLACE>, *C, C->A.nrow, list, counts, WIDE_SIZE, most, bytes_of);
}

/* Table size for rows with so many products; of many products most share a column. */
static int size_for(double products) { return products <= 26.0 ? 32 : products <= 110.0 ? 128 : 256; }

static hp_status find_rows(hp_setup *S, const pattern *C, int64_t products, int64_t most) {
  const int64_t n = C->A.nrow;
  const double average = (double)products / (double)n;
  const int size = size_for(average), lanes = average <= 26.0 ? 8 : average <= 60.0 ? 16 : 32;
  int32_t *list = NULL, *counts = NULL;
  const hp_pool_mark here = hp_pool_get_mark(&S->scratch);
  HP_TRY(HP_POOL_ALLOC(&S->scratch, list, 2 * n));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, counts, 2));
  HP_TRY(hp_device_zero(S->D, counts, 2 * (int64_t)sizeof *counts));
  const hp_wide w = {NULL, NULL, list, counts, NULL, size, (int64_t)BYTES * size};
  hp_status s = HP_OK;
  HP_WITH_LANES(lanes, s = hp_launch_all(S, "finding the rows of a product", pattern_kernel<G, true, uint8_t>,
                                         hp_parts(n * G, THREADS), THREADS, (size_t)(w.bytes * (THREADS / G)), *C, w));
  if (s == HP_OK && most > size) s = wide_rows<uint8_t>(S, C, list, counts, most);
  hp_pool_rewind(&S->scratch, here);
  return s;
}

/* Rows with more columns than a byte counts to a list; their bytes note where among the places of all of them theirs
 * begin. counts: of the list; counts[2] and *all: their products. */
static __global__ void __launch_bounds__(THREADS)
    list_kernel(hp_blocks blocks, const __grid_constant__ pattern C, const uint32_t *C_begin, int32_t *list,
                int32_t *counts, int64_t *all) {
  const int64_t i = hp_block(blocks) * THREADS + threadIdx.x;
  if (i >= C.A.nrow || C_begin[i + 1] - C_begin[i] <= HP_PLAN_BYTE) return;
  const int64_t first = C.first[i];
  const int32_t products = (int32_t)(C.first[i + 1] - first);
  *hp_plan_wide_from(C.place, first) = hp_blocks_add(blocks, counts + 2, products);
  hp_blocks_add(blocks, (unsigned long long *)all, (unsigned long long)products);
  list[hp_blocks_add(blocks, counts, 1)] = (int32_t)i;
}

/* Rows with more columns than a byte counts: their places again. */
static hp_status widen(hp_setup *S, pattern *C, const hp_csr_device *C_out, hp_device_plan *plan, int64_t most) {
  int32_t *list = NULL, *counts = NULL;
  int64_t *all = NULL, total = 0;
  const int64_t n = C->A.nrow;
  const hp_pool_mark here = hp_pool_get_mark(&S->scratch);
  HP_TRY(HP_POOL_ALLOC(&S->scratch, list, 2 * n));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, counts, 3));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, all, 1));
  HP_TRY(hp_device_zero(S->D, counts, 3 * (int64_t)sizeof *counts));
  HP_TRY(hp_device_zero(S->D, all, (int64_t)sizeof *all));
  HP_TRY(hp_launch_all(S, "finding long rows of a product", list_kernel, hp_parts(n, THREADS), THREADS, 0, *C,
                       C_out->at.begin, list, counts, all));
  HP_TRY(hp_setup_read_long(S, all, &total));
  if (total > INT32_MAX)
    return hp_fail(
        HP_ERR_UNSUPPORTED,
        "multigrid: %lld terms of a product's rows of more than %d entries, and 32-bit numbers count %d: take a "
        "coarser grid, or linear.preconditioner = \"dilu\"",
        (long long)total, (int)HP_PLAN_BYTE, INT32_MAX);
  HP_TRY(HP_POOL_ALLOC(&S->keep, plan->wide, total));
  plan->wide_count = total;
  C->wide = plan->wide;
  HP_TRY(wide_rows<uint16_t>(S, C, list, counts, most));
  hp_pool_rewind(&S->scratch, here);
  return hp_device_zero(S->D, S->counts, HP_SETUP_COUNTS * (int64_t)sizeof *S->counts);
}

/* The columns of C's rows one after the other. */
static hp_status compact(hp_setup *S, const pattern *C, hp_csr_device *C_out) {
  const int64_t n = C_out->at.nrow;
  HP_TRY(HP_POOL_ALLOC(&S->keep, C_out->at.column, C_out->count));
  hp_status s = HP_OK;
  HP_WITH_LANES(hp_lanes_for((double)C_out->count / (double)n / 3.0),
                s = hp_launch_all(S, "gathering a product", compact_kernel<G>, hp_parts(n * G, THREADS), THREADS, 0,
                                  C_out->at, C->first, C->column));
  return s;
}

hp_status hp_setup_pattern(hp_setup *S, const hp_csr_device *A, const hp_csr_device *B, const int64_t *B_first,
                           int64_t most, hp_csr_device *C_out, hp_device_plan *plan, const hp_csr *next,
                           hp_device_plan *next_plan, int64_t *next_most) {
  const int64_t n = A->at.nrow;
  pattern C = {A->at, B->at.begin, B->at.column, B_first, plan->begin, NULL, NULL, NULL, NULL, S->counts + 1};
  HP_TRY(HP_POOL_ALLOC(&S->keep, plan->place, plan->count));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, C.column, plan->count));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, C.count, n + 1));
  C.place = plan->place;
  plan->wide = NULL;
  plan->wide_count = 0;
  HP_TRY(find_rows(S, &C, plan->count, most));
  C_out->at.nrow = (int32_t)n;
  C_out->at.ncol = B->at.ncol;
  HP_TRY(HP_POOL_ALLOC(&S->keep, C_out->at.begin, n + 1));
  HP_TRY(hp_setup_scan32(S, C.count, C_out->at.begin, n));
  HP_TRY(hp_launch(S, "sizing a product", size_kernel, 1, 1, 0, S->counts, C_out->at.begin + n));
  if (next != NULL) HP_TRY(hp_setup_count_products(S, next, C_out->at.begin, next_plan, 2));
  HP_TRY(hp_setup_read_counts(S));
  HP_TRY(hp_setup_check_entries(S, C.count, n, plan->count));
  C_out->count = S->host_counts[0];
  C_out->longest = (int32_t)S->host_counts[1];
  if (next != NULL) {
    next_plan->count = S->host_counts[2];
    *next_most = S->host_counts[3];
  }
  const bool planned = C_out->longest <= NOTES_MAX;
  if (planned && C_out->longest > HP_PLAN_BYTE) HP_TRY(widen(S, &C, C_out, plan, most));
  if (!planned) plan->place = NULL;
  if (next == NULL || !planned) return compact(S, &C, C_out);
  C_out->at.column = C.column;
  return HP_OK;
}
