/* Products with block rows of q = 2 to 5 by tiles (linsolve/product/cuda/tiles.cuh), with the bits of the other kernels. */
#include "linsolve/product/cuda/tiles.cuh"

enum { BLOCK = HP_BLOCKS_THREADS, WARP = 32, WARPS = BLOCK / WARP };

/* A warp has one tile; AHEAD: one after the other, and reads where the next one's rows begin and its block columns before it
 * adds those of the present one. */
template <int Q, int PER_SM, bool AHEAD>
static __global__ void __launch_bounds__(BLOCK, PER_SM)
    tiles_kernel(const __grid_constant__ spmv_blocks A, const double *__restrict__ x, double *__restrict__ y) {
  constexpr int side = tile_side(Q), window = tile_pairs(Q) * 64, classes = hp_bsr_order_of(Q).across;
  __shared__ __align__(16) double shared[WARPS][window];
  const int lane = (int)threadIdx.x % WARP, warp = (int)threadIdx.x / WARP;
  double *products = shared[warp];
  const int64_t step = (int64_t)gridDim.x * WARPS;
  int64_t tile = (int64_t)blockIdx.x * WARPS + warp;
  int column[2 * tile_pairs(Q)];
  tile_range r = tile_range_of<Q>(A, tile, lane);
  int at = Q % 2 == 0 ? 0 : -(r.first & 1); /* 16-byte loads begin a number early where q is odd */
  tile_read_columns<Q>(A, r, at, lane, column);
  for (; tile * side < A.pieces; tile += step) {
    const tile_range here = r;
    const int numbers = (here.last - here.first) * Q * Q;
    double sum[classes] = {0.0};
    int c = 0, from = at;
    tile_read<Q>(A, here, from, lane, column, x, products);
    if (AHEAD) {
      r = tile_range_of<Q>(A, tile + step, lane);
      at = Q % 2 == 0 ? 0 : -(r.first & 1);
      tile_read_columns<Q>(A, r, at, lane, column);
    }
    for (;;) {
      __syncwarp();
      c = tile_add<Q>(here, from, lane, products, c, sum);
      __syncwarp();
      from += window;
      if (from >= numbers) break;
      int more[2 * tile_pairs(Q)];
      tile_read_columns<Q>(A, here, from, lane, more);
      tile_read<Q>(A, here, from, lane, more, x, products);
    }
    const int64_t piece = tile * side + lane / Q;
    if (lane < side * Q && piece < A.pieces) hp_blocks_rows_of(A, (int)piece, Q, y)[lane % Q] = tile_total(sum);
    if (!AHEAD) return;
  }
}

/* Blocks that stay on the device, each warp with as many tiles as any other. */
static int64_t few_blocks(int64_t tiles, int per_sm) {
  int device = 0, count = 1;
  (void)cudaGetDevice(&device);
  (void)cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  const int64_t most = (int64_t)count * per_sm * WARPS, rounds = hp_parts(tiles, most);
  return hp_parts(hp_parts(tiles, rounds > 0 ? rounds : 1), WARPS);
}

template <int Q>
static const void *kernel_of(bool ahead, int64_t pieces, int64_t *blocks) {
  constexpr int per_sm = Q == 2 ? 3 : 2, ahead_per_sm = 2;
  const int64_t tiles = hp_parts(pieces, tile_side(Q));
  *blocks = ahead ? few_blocks(tiles, ahead_per_sm) : hp_parts(tiles, WARPS);
  return ahead ? (const void *)tiles_kernel<Q, ahead_per_sm, true> : (const void *)tiles_kernel<Q, per_sm, false>;
}

const void *hp_blocks_tiles_kernel(int q, bool ahead, int64_t pieces, int64_t *blocks) {
  switch (q) {
    case 2: return kernel_of<2>(ahead, pieces, blocks);
    case 3: return kernel_of<3>(ahead, pieces, blocks);
    case 4: return kernel_of<4>(ahead, pieces, blocks);
    case 5: return kernel_of<5>(ahead, pieces, blocks);
    default: return NULL;
  }
}
