/* Products with a matrix of block rows (linsolve/bsr/bsr.h), in the order of sums that hp_bsr_order says: the kernels of
 * Abdelfattah et al. 2016, section 5, as one template.
 *
 * A thread has two rows of a strip and reads along the columns, 16 bytes at once. Where q is odd every second column
 * begins in the middle of 16 bytes: there the threads have the rows -1 and 0, 1 and 2, ..., of which -1 is the end of
 * the column before and counts for nothing. As a thread's columns are an even number apart, its rows stay the same.
 * A warp has several columns at once, and several block rows where these are small (their K1); from q = 17 on a block row
 * has a block of threads, with as many columns at once as these hold (K2), from q = 65 on several strips (K3). Where the
 * next columns' x stands is read while the present ones are multiplied (their double buffering, in registers).
 */
#include "linsolve/product/cuda/blocks.cuh"

enum { BLOCK = HP_BLOCKS_THREADS, WARP = 32, WARPS = BLOCK / WARP };

/* The block column that column c of a piece stands in, and its place there. Q: 0 any. */
template <int Q>
static __device__ __forceinline__ int block_of(const spmv_blocks &A, int c) {
  return Q > 0 ? c / (Q > 0 ? Q : 1) : (int)hp_divide((uint32_t)c, A.by_q);
}

template <int Q>
static __device__ __forceinline__ int place_in_block(const spmv_blocks &A, int c) {
  return Q > 0 ? c % (Q > 0 ? Q : 1) : c - block_of<0>(A, c) * A.q;
}

/* The matrix goes by but once where a block row is large. */
template <bool STREAM>
static __device__ __forceinline__ double2 load_rows(const double *at) {
  const double2 *two = (const double2 *)(const void *)at;
  return STREAM ? __ldcs(two) : __ldg(two);
}

/* Where a thread works: its first column `k` of a piece, every `step`-th from there, `rows` the place of its two rows in
 * column 0. */
template <int UNROLL>
struct blocks_share {
  int piece, begin, columns, k, step;
  bool loads;
  const double *rows;
  int next[UNROLL]; /* block columns of its first columns */
};

template <int Q, int UNROLL>
static __device__ __forceinline__ void first_columns(const spmv_blocks &A, blocks_share<UNROLL> *at) {
  const int32_t *column = A.column + at->begin;
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) {
    const int c = at->k + u * at->step;
    at->next[u] = at->loads && c < at->columns ? column[block_of<Q>(A, c)] : 0;
  }
}

/* Sums of the thread's two rows over its columns, from `sum` on. */
template <int Q, int UNROLL, bool STREAM>
static __device__ __forceinline__ double2 add_columns(const spmv_blocks &A, blocks_share<UNROLL> *at, const double *x,
                                                      double2 sum) {
  const int32_t *column = A.column + at->begin;
  const int q = Q > 0 ? Q : A.q, step = at->step, columns = at->loads ? at->columns : 0;
  for (int c = at->k; c < columns; c += step * UNROLL) {
    double2 value[UNROLL];
    double xc[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
      if (c + u * step < columns) value[u] = load_rows<STREAM>(at->rows + (int64_t)(c + u * step) * q);
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
      if (c + u * step < columns) xc[u] = x[at->next[u] * q + place_in_block<Q>(A, c + u * step)];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
      if (c + (UNROLL + u) * step < columns) at->next[u] = column[block_of<Q>(A, c + (UNROLL + u) * step)];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
      if (c + u * step < columns) {
        sum.x += value[u].x * xc[u];
        sum.y += value[u].y * xc[u];
      }
  }
  return sum;
}

/* Adds the classes of a warp by halves; shift: whether the thread's rows begin one above. */
static __device__ __forceinline__ void add_classes(const hp_bsr_order &o, bool odd, int lane, int shift, double2 *sum) {
  constexpr unsigned all = 0xffffffffu;
  for (int half = o.across / 2; half > (odd ? 1 : 0); half /= 2) {
    sum->x += __shfl_down_sync(all, sum->x, half * o.tall);
    sum->y += __shfl_down_sync(all, sum->y, half * o.tall);
  }
  if (!odd || o.across == 1) return;
  /* classes 0 and 1 have their rows one apart */
  const double x = __shfl_sync(all, sum->y, lane + o.tall - shift);
  const double y = __shfl_sync(all, sum->x, lane + o.tall + 1 - shift);
  sum->x += x;
  sum->y += y;
}

/* y, or the partial sums, of a piece. */
static __device__ __forceinline__ double *rows_of(const spmv_blocks &A, int piece, int q, double *y) {
  const int m = A.piece_row != NULL ? A.piece_row[piece] : piece;
  return m >= 0 ? y + (int64_t)m * q : A.partial + (int64_t)(-1 - m) * q;
}

/* q = Q <= HP_BSR_WARP_Q. A warp has several pieces next to each other, UNITS times; EARLY: all their indices are read
 * before the first of them is multiplied. */
template <int Q, int UNROLL, int UNITS, bool EARLY>
static __global__ void __launch_bounds__(BLOCK)
    spmv_small_blocks_kernel(const __grid_constant__ spmv_blocks A, const double *__restrict__ x,
                             double *__restrict__ y) {
  constexpr hp_bsr_order o = hp_bsr_order_of(Q);
  constexpr int group = o.tall * o.across, side = WARP / group;
  constexpr bool odd = Q % 2 != 0;
  const int lane = (int)threadIdx.x % WARP, warp = (int)((blockIdx.x * blockDim.x + threadIdx.x) / WARP);
  const int in = lane % group, r = in % o.tall, k = in / o.tall;
  blocks_share<UNROLL> at[UNITS];
  int shift[UNITS];
#pragma unroll
  for (int n = 0; n < UNITS; ++n) {
    at[n].piece = (warp * UNITS + n) * side + lane / group;
    at[n].loads = lane < side * group && at[n].piece < A.pieces;
    at[n].begin = at[n].loads ? A.begin[at[n].piece] : 0;
    at[n].columns = at[n].loads ? A.begin[at[n].piece + 1] : 0;
  }
#pragma unroll
  for (int n = 0; n < UNITS; ++n) {
    at[n].columns = (at[n].columns - at[n].begin) * Q;
    at[n].k = k;
    at[n].step = o.across;
    shift[n] = odd ? (at[n].begin + k) & 1 : 0; /* of begin q q + k q */
    at[n].rows = A.value + (int64_t)at[n].begin * (Q * Q) + 2 * r - shift[n];
    at[n].loads = at[n].loads && 2 * r - shift[n] < Q;
    if (EARLY) first_columns<Q>(A, &at[n]);
  }
#pragma unroll
  for (int n = 0; n < UNITS; ++n) {
    double2 sum = make_double2(0.0, 0.0);
    if (EARLY || at[n].loads) {
      if (!EARLY) first_columns<Q>(A, &at[n]);
      sum = add_columns<Q, UNROLL, false>(A, &at[n], x, sum);
    }
    add_classes(o, odd, lane, shift[n], &sum);
    const int row = 2 * r - shift[n];
    if (lane >= side * group || at[n].piece >= A.pieces || k != 0) continue;
    double *to = rows_of(A, at[n].piece, Q, y);
    if (row >= 0 && row < Q) to[row] = sum.x;
    if (row + 1 < Q) to[row + 1] = sum.y;
  }
}

/* ---- rows as a whole ---- */

/* Loads of entry AT behind p where `left` is more than LEAST, else zero. The instruction is predicated and has its place as a
 * constant: as from branches, all of a row are then on their way together, and addresses take no registers. */
template <int AT, int LEAST>
static __device__ __forceinline__ int index_at(const int32_t *p, int left) {
  int v;
  asm volatile(
      "{ .reg .pred q; setp.gt.s32 q, %2, %3;\n\t"
      "mov.s32 %0, 0;\n\t"
      "@q ld.global.nc.s32 %0, [%1+%4]; }"
      : "=r"(v)
      : "l"(p), "r"(left), "n"(LEAST), "n"(4 * AT));
  return v;
}

template <int AT, int LEAST, bool STREAM>
static __device__ __forceinline__ double2 rows_at(const double *p, int left) {
  double2 v;
  if (STREAM)
    asm volatile(
        "{ .reg .pred q; setp.gt.s32 q, %3, %4;\n\t"
        "mov.f64 %0, 0d0000000000000000;\n\t"
        "mov.f64 %1, 0d0000000000000000;\n\t"
        "@q ld.global.nc.L1::no_allocate.v2.f64 {%0, %1}, [%2+%5]; }"
        : "=d"(v.x), "=d"(v.y)
        : "l"(p), "r"(left), "n"(LEAST), "n"(8 * AT));
  else
    asm volatile(
        "{ .reg .pred q; setp.gt.s32 q, %3, %4;\n\t"
        "mov.f64 %0, 0d0000000000000000;\n\t"
        "mov.f64 %1, 0d0000000000000000;\n\t"
        "@q ld.global.nc.v2.f64 {%0, %1}, [%2+%5]; }"
        : "=d"(v.x), "=d"(v.y)
        : "l"(p), "r"(left), "n"(LEAST), "n"(8 * AT));
  return v;
}

template <int LEAST>
static __device__ __forceinline__ double x_at(const double *p, int left) {
  double v;
  asm volatile(
      "{ .reg .pred q; setp.gt.s32 q, %2, %3;\n\t"
      "mov.f64 %0, 0d0000000000000000;\n\t"
      "@q ld.global.nc.f64 %0, [%1]; }"
      : "=d"(v)
      : "l"(p), "r"(left), "n"(LEAST));
  return v;
}

/* Columns U, U + 1, ... of a lane, until UNROLL, of which it has column k + n ACROSS as the n-th; `left` columns from its first
 * on. Where a step of ACROSS may pass into the next block, k alone says whether it does. */
template <int Q, int ACROSS, int UNROLL, bool STREAM, int U = 0>
struct blocks_columns {
  enum { AT = U * ACROSS, BLOCK_AT = AT / Q, IN = AT % Q, CROSSES = IN + ACROSS > Q };
  typedef blocks_columns<Q, ACROSS, UNROLL, STREAM, U + 1> rest;
  static __device__ __forceinline__ void read_indices(const int32_t *column, int k, int left, int *next) {
    next[U] = index_at<BLOCK_AT, AT>(CROSSES ? column + k : column, left);
    rest::read_indices(column, k, left, next);
  }
  static __device__ __forceinline__ void read_rows(const double *rows, int left, double2 *value) {
    value[U] = rows_at<AT * Q, AT, STREAM>(rows, left);
    rest::read_rows(rows, left, value);
  }
  static __device__ __forceinline__ void read_x(const double *x, int k, int left, const int *next, double *xc) {
    xc[U] = x_at<AT>(x + (int64_t)next[U] * Q + (IN + k - (CROSSES ? Q * k : 0)), left);
    rest::read_x(x, k, left, next, xc);
  }
};
template <int Q, int ACROSS, int UNROLL, bool STREAM>
struct blocks_columns<Q, ACROSS, UNROLL, STREAM, UNROLL> {
  static __device__ __forceinline__ void read_indices(const int32_t *, int, int, int *) {}
  static __device__ __forceinline__ void read_rows(const double *, int, double2 *) {}
  static __device__ __forceinline__ void read_x(const double *, int, int, const int *, double *) {}
};

/* The blocks of a lane's piece in a tile: pieces of a warp that lie next to each other. */
struct blocks_range {
  int begin, end;
};

template <int SIDE, int GROUP>
static __device__ __forceinline__ blocks_range range_of(const spmv_blocks &A, int64_t tile, int lane) {
  const int64_t piece = tile * SIDE + lane / GROUP;
  const int left = lane < SIDE * GROUP && piece < A.pieces;
  return {index_at<0, 0>(A.begin + piece, left), index_at<1, 0>(A.begin + piece, left)};
}

/* q = Q <= HP_BSR_WARP_Q, for rows whose columns are mostly on their way at once: UNROLL of a lane. A warp has one tile after
 * the other; AHEAD: where the next one's rows begin, and its block columns, are read before the present one's numbers are
 * needed. PER_SM: blocks of a multiprocessor. */
template <int Q, int UNROLL, int PER_SM, bool AHEAD>
static __global__ void __launch_bounds__(BLOCK, PER_SM)
    spmv_whole_rows_kernel(const __grid_constant__ spmv_blocks A, const double *__restrict__ x,
                           double *__restrict__ y) {
  constexpr hp_bsr_order o = hp_bsr_order_of(Q);
  constexpr int group = o.tall * o.across, side = WARP / group, across = o.across;
  constexpr bool odd = Q % 2 != 0;
  typedef blocks_columns<Q, across, UNROLL, !odd> lanes;
  const int lane = (int)threadIdx.x % WARP, in = lane % group, r = in % o.tall, k = in / o.tall;
  const int64_t first = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / WARP;
  const int64_t step = (int64_t)gridDim.x * (blockDim.x / WARP);
  int next[UNROLL];
  blocks_range t = range_of<side, group>(A, first, lane), later = {0, 0};
  lanes::read_indices(A.column + t.begin, k, (t.end - t.begin) * Q - k, next);
  if (AHEAD) later = range_of<side, group>(A, first + step, lane);
  for (int64_t tile = first; tile * side < A.pieces; tile += step) {
    const int shift = odd ? (t.begin + k) & 1 : 0, row = 2 * r - shift;
    const int left = row < Q ? (t.end - t.begin) * Q - k : 0, begin = t.begin;
    const double *rows = A.value + (int64_t)begin * (Q * Q) + row;
    double2 value[UNROLL], sum = make_double2(0.0, 0.0);
    double xc[UNROLL];
    lanes::read_rows(rows + k * Q, left, value);
    lanes::read_x(x, k, left, next, xc);
    if (AHEAD) {
      t = later;
      lanes::read_indices(A.column + t.begin, k, (t.end - t.begin) * Q - k, next);
      later = range_of<side, group>(A, tile + 2 * step, lane);
    }
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
      sum.x += value[u].x * xc[u];
      sum.y += value[u].y * xc[u];
    }
    if (left > UNROLL * across) { /* those that remain */
      blocks_share<4> at = {0, begin, left + k, k + UNROLL * across, across, true, rows, {0}};
      first_columns<Q>(A, &at);
      sum = add_columns<Q, 4, false>(A, &at, x, sum);
    }
    add_classes(o, odd, lane, shift, &sum);
    const int64_t piece = tile * side + lane / group;
    if (lane < side * group && piece < A.pieces && k == 0) {
      double *to = rows_of(A, (int)piece, Q, y);
      if (row >= 0 && row < Q) to[row] = sum.x;
      if (row + 1 < Q) to[row + 1] = sum.y;
    }
    if (!AHEAD) return;
  }
}

/* Any q above: `threads` threads a strip of a piece. Their sums meet in shared memory, where a class has the rows -1 .. 2
 * tall. */
template <int UNROLL>
static __global__ void __launch_bounds__(BLOCK)
    spmv_large_blocks_kernel(const __grid_constant__ spmv_blocks A, const double *__restrict__ x,
                             double *__restrict__ y) {
  enum { ROOM = 2 * BLOCK + 2 * HP_BSR_CLASSES_MAX };
  __shared__ double shared[ROOM];
  const hp_bsr_order &o = A.order;
  const int q = A.q, strips_at_once = BLOCK / o.threads, room = 2 * o.tall + 2;
  const int part = (int)threadIdx.x / o.threads, in = (int)threadIdx.x % o.threads, r = in % o.tall, k = in / o.tall;
  const int unit = (int)blockIdx.x * strips_at_once + part;
  const int piece = unit / o.strips, strip = unit % o.strips * o.height;
  const int rows = q - strip < o.height ? q - strip : o.height;
  double *sums = shared + part * o.groups * room + 1;
  if (piece < A.pieces && k < o.groups) {
    blocks_share<UNROLL> at;
    at.begin = A.begin[piece];
    at.columns = (A.begin[piece + 1] - at.begin) * q;
    at.k = k;
    at.step = o.groups;
    const int shift = q % 2 != 0 ? (at.begin + k) & 1 : 0;
    at.rows = A.value + (int64_t)at.begin * q * q + strip + 2 * r - shift;
    at.loads = 2 * r - shift < rows;
    first_columns<0>(A, &at);
    const double2 sum = add_columns<0, UNROLL, true>(A, &at, x, make_double2(0.0, 0.0));
    sums[k * room + 2 * r - shift] = sum.x;
    sums[k * room + 2 * r - shift + 1] = sum.y;
  }
  __syncthreads();
  if (piece >= A.pieces || in >= rows) return;
  double sum = sums[in];
#pragma unroll 4
  for (int g = 1; g < o.groups; ++g) sum += sums[g * room + in];
  rows_of(A, piece, q, y)[strip + in] = sum;
}

/* Rows of several pieces: their partial sums in order. */
static __global__ void __launch_bounds__(BLOCK)
    spmv_blocks_long_kernel(const __grid_constant__ spmv_blocks_long A, double *y) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, n = i / A.q, a = i % A.q;
  if (n >= A.count) return;
  double sum = A.partial[(int64_t)A.begin[n] * A.q + a];
  for (int64_t s = A.begin[n] + 1; s < A.begin[n + 1]; ++s) sum += A.partial[s * A.q + a];
  y[A.row[n] * (int64_t)A.q + a] = sum;
}

/* ---- which kernel ---- */

/* Pieces of a lane one after the other; whether indices are read early. */
static constexpr int units_of(int q) { return q == 1 ? 2 : 1; }
static constexpr bool is_early(int q) { return q == 1 || q > 5; }

/* Rows as a whole, the fastest of q = 2 to 5: a tile a warp, or, where q is odd, one after the other. */
enum { EVEN_PER_SM = 3, ODD_PER_SM = 2 };
static const void *whole_kernel(int q) {
  switch (q) {
    case 2: return (const void *)spmv_whole_rows_kernel<2, 8, EVEN_PER_SM, false>;
    case 3: return (const void *)spmv_whole_rows_kernel<3, 12, ODD_PER_SM, true>;
    case 4: return (const void *)spmv_whole_rows_kernel<4, 8, EVEN_PER_SM, false>;
    default: return (const void *)spmv_whole_rows_kernel<5, 9, ODD_PER_SM, true>;
  }
}
static bool is_whole(int q, int unroll) { return unroll == 0 && q >= 2 && q <= 5; }

template <int Q>
static const void *small_kernel(int unroll) {
  constexpr bool two = Q == 1 || Q == 6 || (Q > 8 && Q < 14);
  constexpr int usual = two ? 2 : 4; /* the fastest on an H100 */
  switch (unroll > 0 ? unroll : usual) {
    case 2: return (const void *)spmv_small_blocks_kernel<Q, 2, units_of(Q), is_early(Q)>;
    case 8: return (const void *)spmv_small_blocks_kernel<Q, 8, units_of(Q), is_early(Q)>;
    default: return (const void *)spmv_small_blocks_kernel<Q, 4, units_of(Q), is_early(Q)>;
  }
}

/* Blocks that stay on the device, each warp with as many tiles as any other; per_sm: of BLOCK threads. */
static int64_t few_blocks(int64_t tiles, int per_sm, int warps) {
  int device = 0, count = 1;
  (void)cudaGetDevice(&device);
  (void)cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  const int64_t most = (int64_t)count * per_sm * WARPS, rounds = (tiles + most - 1) / most;
  return hp_parts((tiles + rounds - 1) / rounds, warps);
}

static const void *large_kernel(int unroll) {
  switch (unroll) {
    case 2: return (const void *)spmv_large_blocks_kernel<2>;
    case 8: return (const void *)spmv_large_blocks_kernel<8>;
    default: return (const void *)spmv_large_blocks_kernel<4>;
  }
}

static const void *kernel_for(int q, int unroll) {
  if (is_whole(q, unroll)) return whole_kernel(q);
  switch (q) {
#define KERNEL(Q) \
  case Q: return small_kernel<Q>(unroll);
    KERNEL(1)
    KERNEL(2)
    KERNEL(3)
    KERNEL(4)
    KERNEL(5)
    KERNEL(6)
    KERNEL(7)
    KERNEL(8)
    KERNEL(9)
    KERNEL(10)
    KERNEL(11)
    KERNEL(12)
    KERNEL(13)
    KERNEL(14)
    KERNEL(15)
    KERNEL(16)
#undef KERNEL
    default: return large_kernel(unroll);
  }
}

/* ---- launches ---- */

spmv_blocks hp_blocks_of(const hp_bsr_device *D) {
  const hp_bsr *B = &D->B;
  const bool cut = B->longest > 0;
  const spmv_blocks A = {cut ? B->piece_begin : B->begin,
                         B->column,
                         B->value,
                         cut ? B->piece_row : NULL,
                         D->partial,
                         (int)(cut ? B->npiece : B->nrow),
                         B->q,
                         hp_divisor_of((uint32_t)B->q),
                         B->order};
  return A;
}

spmv_blocks_long hp_blocks_long_of(const hp_bsr_device *D) {
  const spmv_blocks_long A = {D->B.long_row, D->B.long_begin, D->partial, D->B.nlong, D->B.q};
  return A;
}

int hp_blocks_threads(const hp_bsr *B, int wanted) {
  return B->q > HP_BSR_WARP_Q || wanted < 64 || wanted > BLOCK ? (int)BLOCK : wanted / WARP * WARP;
}

const void *hp_blocks_kernel(const hp_bsr_device *D, int unroll, int threads, int64_t *blocks) {
  const hp_bsr *B = &D->B;
  const hp_bsr_order *o = &B->order;
  const int warps = threads / WARP;
  const int64_t pieces = B->longest > 0 ? B->npiece : B->nrow;
  const int64_t lanes = (int64_t)WARP / (o->tall * o->across) * units_of(B->q); /* pieces of a warp */
  const int64_t tiles = hp_parts(pieces, WARP / (o->tall * o->across));
  if (is_whole(B->q, unroll)) {
    *blocks = B->q % 2 != 0 ? few_blocks(tiles, ODD_PER_SM, warps) : hp_parts(tiles, warps);
    return kernel_for(B->q, unroll);
  }
  *blocks = B->q > HP_BSR_WARP_Q ? hp_parts(pieces * o->strips, BLOCK / o->threads) : hp_parts(pieces, lanes * warps);
  return kernel_for(B->q, unroll);
}

const void *hp_blocks_long_kernel(const hp_bsr_device *D, int threads, int64_t *blocks) {
  *blocks = hp_parts(D->B.nlong * D->B.q, threads);
  return (const void *)spmv_blocks_long_kernel;
}
