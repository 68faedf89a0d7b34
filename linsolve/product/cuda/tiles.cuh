/* Products with block rows of small q by tiles (linsolve/product/cuda/tiles.cu): what a lane does, apart from the kernel.
 *
 *     values of a tile: `side` pieces next to each other, their blocks one after the other
 *
 *     read     lane l of a warp has the numbers 2 l, 2 l + 1 of every 64: 512 bytes side by side, as GH's kernels read. It
 *              finds the column of each, multiplies, and puts the products into shared memory
 *     add      lane l has row l of the tile: it adds the products of the row in the order of hp_bsr_order
 *
 * A window holds tile_pairs(q) 64 numbers; a tile that has more takes several.
 */
#ifndef HP_LINSOLVE_PRODUCT_CUDA_TILES_CUH
#define HP_LINSOLVE_PRODUCT_CUDA_TILES_CUH

#include "linsolve/product/cuda/blocks.cuh"

/* Pieces of a tile, a row a lane; numbers of a window by pairs of a lane: seven blocks a row fit. */
static __host__ __device__ constexpr int tile_side(int q) { return q == 2 ? 16 : q == 3 ? 8 : 4; }
static __host__ __device__ constexpr int tile_pairs(int q) { return (tile_side(q) * 7 * q * q + 1 + 63) / 64; }

/* The blocks of a tile, and of the piece that a lane has a row of. */
struct tile_range {
  int first, last; /* block */
  int begin, end;  /* block; of lanes without a row none */
};

template <int Q>
static __device__ __forceinline__ tile_range tile_range_of(const spmv_blocks &A, int64_t tile, int lane) {
  constexpr int side = tile_side(Q);
  const int64_t from = tile * side, piece = from + lane / Q;
  tile_range r = {0, 0, 0, 0};
  if (from >= A.pieces) return r;
  r.first = A.begin[from];
  r.last = A.begin[from + side < A.pieces ? from + side : A.pieces];
  if (lane >= side * Q || piece >= A.pieces) return r;
  r.begin = A.begin[piece];
  r.end = A.begin[piece + 1];
  return r;
}

/* Block columns of the lane's pairs in the window that begins at number `at` of the tile's values; even q: both of a pair are in
 * one column. */
template <int Q>
static __device__ __forceinline__ void tile_read_columns(const spmv_blocks &A, const tile_range &r, int at, int lane,
                                                         int (&column)[2 * tile_pairs(Q)]) {
  constexpr int step = Q % 2 == 0 ? 2 : 1;
  const int count = (r.last - r.first) * Q * Q;
#pragma unroll
  for (int n = 0; n < 2 * tile_pairs(Q); n += step) {
    const int e = at + (n / 2 * 32 + lane) * 2 + n % 2;
    column[n] = e >= 0 && e < count ? __ldg(A.column + r.first + e / (Q * Q)) : 0;
  }
}

template <int Q>
static __device__ __forceinline__ void tile_read(const spmv_blocks &A, const tile_range &r, int at, int lane,
                                                 const int (&column)[2 * tile_pairs(Q)], const double *x,
                                                 double *products) {
  constexpr int pairs = tile_pairs(Q);
  const int count = (r.last - r.first) * Q * Q;
  const double *values = A.value + (int64_t)r.first * Q * Q;
  double2 value[pairs];
  double xc[2 * pairs];
#pragma unroll
  for (int n = 0; n < pairs; ++n) {
    const int e = at + (n * 32 + lane) * 2;
    value[n] = make_double2(0.0, 0.0);
    if (e < count) value[n] = __ldcs((const double2 *)(const void *)(values + e));
  }
#pragma unroll
  for (int n = 0; n < 2 * pairs; ++n) {
    const int e = at + (n / 2 * 32 + lane) * 2 + n % 2;
    if (Q % 2 == 0 && n % 2 == 1) xc[n] = xc[n - 1];
    else xc[n] = e >= 0 && e < count ? __ldg(x + (int64_t)column[n] * Q + e % (Q * Q) / Q) : 0.0;
  }
#pragma unroll
  for (int n = 0; n < pairs; ++n)
    *(double2 *)(void *)(products + (n * 32 + lane) * 2) = make_double2(value[n].x * xc[2 * n],
                                                                        value[n].y * xc[2 * n + 1]);
}

/* Adds a product to the sum of its column's class. */
template <int CLASSES>
static __device__ __forceinline__ void tile_add_one(int c, double product, double (&sum)[CLASSES]) {
#pragma unroll
  for (int k = 0; k < CLASSES; ++k) sum[k] = c % CLASSES == k ? sum[k] + product : sum[k];
}

/* Adds the columns from c on that lie in the window; the column that follows. */
template <int Q>
static __device__ __forceinline__ int tile_add(const tile_range &r, int at, int lane, const double *products, int c,
                                               double (&sum)[hp_bsr_order_of(Q).across]) {
  constexpr int classes = hp_bsr_order_of(Q).across, window = tile_pairs(Q) * 64;
  const int columns = (r.end - r.begin) * Q, first = (r.begin - r.first) * Q * Q + lane % Q - at;
  const int fit = first < window ? (window - 1 - first) / Q + 1 : 0, end = columns < fit ? columns : fit;
  const double *of = products + first;
  for (; c < end && c % classes != 0; ++c) tile_add_one(c, of[c * Q], sum);
  for (; c + 4 <= end; c += 4) {
    double p[4];
#pragma unroll
    for (int u = 0; u < 4; ++u) p[u] = of[(c + u) * Q];
#pragma unroll
    for (int u = 0; u < 4; ++u) sum[u % classes] += p[u];
  }
  for (; c < end; ++c) tile_add_one(c, of[c * Q], sum);
  return c;
}

/* The classes by halves. */
template <int CLASSES>
static __device__ __forceinline__ double tile_total(double (&sum)[CLASSES]) {
#pragma unroll
  for (int half = CLASSES / 2; half > 0; half /= 2)
#pragma unroll
    for (int k = 0; k < half; ++k) sum[k] += sum[k + half];
  return sum[0];
}

#endif
