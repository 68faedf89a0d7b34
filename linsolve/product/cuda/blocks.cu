/* Products with a matrix of block rows (linsolve/bsr/bsr.h), in the order of sums that hp_bsr_order says: the kernels of
 * Abdelfattah et al. 2016, section 5, as one template.
 *
 * A thread has two rows of a strip and reads along the columns, 16 bytes at once. Where q is odd every second column
 * begins in the middle of 16 bytes: there the threads have the rows -1 and 0, 1 and 2, ..., of which -1 is the end of
 * the column before and counts for nothing. As a thread's columns are an even number apart, its rows stay the same.
 * A warp has several columns at once, and several block rows where these are small (their K1); from q = 17 on several
 * warps share a block row (K2), from q = 65 on a block row has several strips (K3). Where the next columns' x stands is
 * read while the present ones are multiplied (their double buffering, in registers).
 */
#include "linsolve/product/cuda/blocks.cuh"

#include "linsolve/product/cuda/product.cuh"

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

/* Adds to `sum`, of class `k` of the piece's columns, the first of whose blocks is `begin`; v: the thread's rows of the
 * piece's first column. */
template <int Q, int UNROLL, bool STREAM>
static __device__ __forceinline__ void add_columns(const spmv_blocks &A, int begin, int columns, int k, int step,
                                                   const double *v, const double *x, double2 *sum) {
  const int32_t *column = A.column + begin;
  const int q = Q > 0 ? Q : A.q;
  int next[UNROLL]; /* block columns */
#pragma unroll
  for (int u = 0; u < UNROLL; ++u) next[u] = k + u * step < columns ? column[block_of<Q>(A, k + u * step)] : 0;
  for (int c = k; c < columns; c += step * UNROLL) {
    double2 value[UNROLL];
    double xc[UNROLL];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
      if (c + u * step < columns) value[u] = load_rows<STREAM>(v + (int64_t)(c + u * step) * q);
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
      if (c + u * step < columns) xc[u] = x[next[u] * q + place_in_block<Q>(A, c + u * step)];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
      if (c + (UNROLL + u) * step < columns) next[u] = column[block_of<Q>(A, c + (UNROLL + u) * step)];
#pragma unroll
    for (int u = 0; u < UNROLL; ++u)
      if (c + u * step < columns) {
        sum->x += value[u].x * xc[u];
        sum->y += value[u].y * xc[u];
      }
  }
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

/* Those of the warps of a block row, by row: `shared` has room for -1 .. 64 of each warp. */
enum { ROOM = 66 };

static __device__ __forceinline__ void add_warps(const hp_bsr_order &o, int warp, int w, bool writes, int local,
                                                 double *shared, double2 *sum) {
  double *mine = shared + warp * ROOM + 1;
  if (writes) {
    mine[local] = sum->x;
    mine[local + 1] = sum->y;
  }
  __syncthreads();
  if (!writes || w != 0) return;
  for (int other = 1; other < o.warps; ++other) {
    sum->x += mine[other * ROOM + local];
    sum->y += mine[other * ROOM + local + 1];
  }
}

/* Q: 0 any, in A.q. */
template <int Q, int UNROLL>
static __global__ void __launch_bounds__(BLOCK)
    spmv_blocks_kernel(const __grid_constant__ spmv_blocks A, const double *__restrict__ x, double *__restrict__ y) {
  constexpr hp_bsr_order fixed = hp_bsr_order_of(Q > 0 ? Q : 1);
  constexpr bool SEVERAL = Q == 0 || fixed.warps > 1;
  const hp_bsr_order o = Q > 0 ? fixed : hp_bsr_order_of(A.q);
  const int q = Q > 0 ? Q : A.q;
  const bool odd = q % 2 != 0;
  const int group = o.tall * o.across, side = o.warps > 1 ? 1 : WARP / group;
  const int lane = (int)threadIdx.x % WARP, warp = (int)threadIdx.x / WARP, in = lane % group;
  const int r = in % o.tall, k = in / o.tall, w = warp % o.warps;
  const int unit = ((int)blockIdx.x * WARPS + warp) / o.warps * side + lane / group;
  const int piece = unit / o.strips, strip = unit % o.strips * o.height;
  const int rows = q - strip < o.height ? q - strip : o.height;
  const bool active = lane < side * group && piece < A.pieces;
  double2 sum = make_double2(0.0, 0.0);
  int shift = 0;
  if (active) {
    const int begin = A.begin[piece], columns = (A.begin[piece + 1] - begin) * q, first = w * o.across + k;
    shift = odd ? (begin + first) & 1 : 0; /* of begin q q + first q */
    const double *v = A.value + (int64_t)begin * q * q + strip + 2 * r - shift;
    if (2 * r - shift < rows) add_columns<Q, UNROLL, SEVERAL>(A, begin, columns, first, o.warps * o.across, v, x, &sum);
  }
  add_classes(o, odd, lane, shift, &sum);
  const int local = 2 * r - shift;
  if constexpr (SEVERAL) {
    __shared__ double shared[WARPS * ROOM];
    add_warps(o, warp, w, active && k == 0, local, shared, &sum);
  }
  if (!active || k != 0 || w != 0) return;
  const int m = A.piece_row != NULL ? A.piece_row[piece] : piece;
  double *to = (m >= 0 ? y + (int64_t)m * q : A.partial + (int64_t)(-1 - m) * q) + strip;
  if (local >= 0 && local < rows) to[local] = sum.x;
  if (local + 1 < rows) to[local + 1] = sum.y;
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

template <int Q>
static const void *kernel_of(int unroll) {
  constexpr int usual = Q == 6 || Q == 10 || Q == 12 ? 2 : 4; /* the fastest on an H100 */
  switch (unroll > 0 ? unroll : usual) {
    case 2: return (const void *)spmv_blocks_kernel<Q, 2>;
    case 8: return (const void *)spmv_blocks_kernel<Q, 8>;
    default: return (const void *)spmv_blocks_kernel<Q, 4>;
  }
}

static const void *kernel_for(int q, int unroll) {
  switch (q) {
#define KERNEL(Q) \
  case Q: return kernel_of<Q>(unroll);
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
    default: return kernel_of<0>(unroll);
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
                         hp_divisor_of((uint32_t)B->q)};
  return A;
}

spmv_blocks_long hp_blocks_long_of(const hp_bsr_device *D) {
  const spmv_blocks_long A = {D->B.long_row, D->B.long_begin, D->partial, D->B.nlong, D->B.q};
  return A;
}

const void *hp_blocks_kernel(const hp_bsr_device *D, int unroll, int64_t *blocks) {
  const hp_bsr *B = &D->B;
  const hp_bsr_order o = hp_bsr_order_of(B->q);
  const int64_t pieces = B->longest > 0 ? B->npiece : B->nrow;
  const int side = o.warps > 1 ? 1 : WARP / (o.tall * o.across);
  *blocks = hp_parts(hp_parts(pieces * o.strips, side) * o.warps, WARPS);
  return kernel_for(B->q, unroll);
}

const void *hp_blocks_long_kernel(const hp_bsr_device *D, int64_t *blocks) {
  *blocks = hp_parts(D->B.nlong * D->B.q, BLOCK);
  return (const void *)spmv_blocks_long_kernel;
}

/* ---- as one of the products of `hepta bench` ---- */

enum { BEGIN, COLUMN, PIECE_ROW, LONG_ROW, LONG_BEGIN, PARTIAL };

hp_status hp_spmv_blocks_prepare(hp_spmv_product *P) {
  const hp_bsr *B = P->J->B;
  const bool cut = B->longest > 0;
  const int64_t pieces = cut ? B->npiece : B->nrow;
  P->threads = BLOCK;
  P->value = hp_spmv_put(&P->I, B->value, B->nblock * B->q * B->q * 8);
  P->index[BEGIN] = hp_spmv_put(&P->I, cut ? B->piece_begin : B->begin, (pieces + 1) * 4);
  P->index[COLUMN] = hp_spmv_put(&P->I, B->column, B->nblock * 4);
  P->index[PIECE_ROW] = hp_spmv_put(&P->I, B->piece_row, cut ? B->npiece * 4 : 0);
  P->index[LONG_ROW] = hp_spmv_put(&P->I, B->long_row, B->nlong * 4);
  P->index[LONG_BEGIN] = hp_spmv_put(&P->I, B->long_begin, B->nlong > 0 ? (B->nlong + 1) * 4 : 0);
  P->index[PARTIAL] = hp_spmv_put(&P->I, NULL, 0);
  P->I.size += (B->nslot * B->q * 8 + 255) / 256 * 256;
  return P->J->A != NULL ? hp_spmv_put_border_gh(P, P->J->A, 0) : HP_OK;
}

/* The matrix in one of the copies. */
static hp_bsr_device matrix_of(const hp_spmv_product *P, int copy) {
  hp_bsr_device D;
  D.B = *P->J->B;
  D.B.begin = D.B.piece_begin = hp_spmv_at<int32_t>(P, copy, P->index[BEGIN]);
  D.B.column = hp_spmv_at<int32_t>(P, copy, P->index[COLUMN]);
  D.B.value = hp_spmv_at<double>(P, copy, P->value);
  D.B.piece_row = hp_spmv_at<int32_t>(P, copy, P->index[PIECE_ROW]);
  D.B.long_row = hp_spmv_at<int32_t>(P, copy, P->index[LONG_ROW]);
  D.B.long_begin = hp_spmv_at<int32_t>(P, copy, P->index[LONG_BEGIN]);
  D.partial = hp_spmv_at<double>(P, copy, P->index[PARTIAL]);
  return D;
}

hp_status hp_spmv_blocks_run(const hp_spmv_product *P, int copy) {
  const hp_bsr_device D = matrix_of(P, copy);
  spmv_blocks A = hp_blocks_of(&D);
  spmv_blocks_long L = hp_blocks_long_of(&D);
  const double *x = hp_spmv_at<double>(P, copy, P->x);
  double *y = hp_spmv_at<double>(P, copy, P->y);
  void *rows[] = {&A, &x, &y}, *sums[] = {&L, &y};
  int64_t blocks;
  const void *kernel = hp_blocks_kernel(&D, P->J->unroll, &blocks);
  HP_TRY(hp_spmv_launch(P, kernel, (int)blocks, rows, 0));
  if (D.B.nlong > 0) {
    kernel = hp_blocks_long_kernel(&D, &blocks);
    HP_TRY(hp_spmv_launch(P, kernel, (int)blocks, sums, 0));
  }
  return P->J->A != NULL ? hp_spmv_border_run(P, copy) : HP_OK;
}
