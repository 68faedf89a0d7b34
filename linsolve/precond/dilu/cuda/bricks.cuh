/* Block DILU in bricks on a GPU: a brick (linsolve/precond/bricks.h) a warp, a line of cells a lane. With the bodies of
 * dilu.inl.h, a brick a thread, the set-up takes 12.6 ms instead of 0.92, an application 3.1 instead of 0.24 (H100, 60 x 220
 * x 85 cells, q = 2; docs/developer/gpu.md).
 *
 * The same operations in the same order as linsolve/precond/dilu/dilu.inl.h, and the same bits. Entry (a, c) of block n
 * = 0 .. 6 of the cell that a lane has at a step stands at
 *
 *     pack[ (((brick size + step mod size) 7 + n) 32 + lane) q q + c q + a ],  size: cells of a brick along the march
 *
 * so that a warp reads it in one piece, several steps ahead; a lane has its cells in `size` steps that follow each
 * other, which gives each a place of its own. Blocks: D^-1, then those of k-1, j-1, i-1, k+1, j+1, i+1. For q = 2 what
 * a lane needs of its neighbours' lines comes from their registers.
 */
#ifndef HP_LINSOLVE_PRECOND_DILU_CUDA_BRICKS_CUH
#define HP_LINSOLVE_PRECOND_DILU_CUDA_BRICKS_CUH

#include "linsolve/precond/dilu/dilu.inl.h"

/* A lane's line of cells: cell first + c stride at step `delay` + c, c = 0 .. count-1. Of a rank's part the first bricks may
 * begin before its first cell. */
struct hp_brick_line {
  int64_t first, stride, place; /* place: of step 0, block 0, in blocks */
  int count, delay, a, b, size;
  int at[3]; /* of its first cell: k, j, i */
};

static __device__ __forceinline__ hp_brick_line hp_brick_line_of(const hp_gh *A, const hp_dilu_bricks *B, int64_t brick,
                                                                 int lane) {
  const int n[3] = {A->nz, A->ny, A->nx};
  const int64_t stride[3] = {1, A->nz, (int64_t)A->nz * A->ny};
  hp_brick_line L;
  int64_t rest = brick;
  for (int axis = 0; axis < 3; ++axis) {
    L.at[axis] = (int)(rest % B->count[axis]) * B->size[axis] - B->first[axis];
    rest /= B->count[axis];
  }
  L.a = lane % B->lanes[0];
  L.b = lane / B->lanes[0];
  L.delay = L.a + L.b;
  const int left = n[B->march] - L.at[B->march], missing = L.at[B->march] < 0 ? -L.at[B->march] : 0;
  L.count = (left < B->size[B->march] ? left : B->size[B->march]) - missing;
  L.delay += missing;
  L.at[B->march] += missing;
  for (int s = 0; s < 2; ++s) {
    L.at[B->side[s]] += s == 0 ? L.a : L.b;
    if (L.at[B->side[s]] < 0 || L.at[B->side[s]] >= n[B->side[s]]) L.count = 0;
  }
  L.first = L.at[0] + stride[1] * L.at[1] + stride[2] * L.at[2];
  L.stride = stride[B->march];
  L.size = B->size[B->march];
  L.place = brick * L.size * HP_DILU_BLOCKS * HP_BRICK_LANES + lane;
  return L;
}

static __device__ __forceinline__ int64_t hp_brick_place(const hp_brick_line *L, int step, int n) {
  return L->place + (int64_t)(step % L->size * HP_DILU_BLOCKS + n) * HP_BRICK_LANES;
}

/* The same of all blocks of a step, from L->place on, in numbers; q = 2. `turn`: of hp_brick_turn. */
static __device__ __forceinline__ int hp_brick_offset(int step, int turn, int size) {
  const int at = step - turn;
  return (at < size ? at : at - size) * (HP_DILU_BLOCKS * HP_BRICK_LANES * 4);
}

/* The last multiple of the size that is not beyond the lane's first step: 0 but in thin grids. */
static __device__ __forceinline__ int hp_brick_turn(const hp_brick_line *L) { return L->delay / L->size * L->size; }

#endif
