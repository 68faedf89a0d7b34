/* The pass of a group of rows: amg/smoothers/groups.h. 2^lanes neighbouring threads of a warp process a row, a warp
 * processes a slice. */
#ifndef HP_AMG_CYCLE_CUDA_PROGRAM_GROUP_CUH
#define HP_AMG_CYCLE_CUDA_PROGRAM_GROUP_CUH

#include "amg/smoothers/pass.h"

#if defined(__CUDA_ARCH__)

/* The thread's part of A x from the entries first, first + 32 .. < end of a slice. */
template <class REAL>
static __device__ __forceinline__ REAL hp_amg_group_product_cuda(const hp_amg_rows *A, uint32_t first, uint32_t end,
                                                                 const REAL *x) {
  enum { BATCH = 4, WARP = 32 };
  const int32_t *column = A->column + first;
  const REAL *value = (const REAL *)A->value + first;
  REAL sum = 0;
  for (int left = (int)(end - first); left > 0; left -= BATCH * WARP, column += BATCH * WARP, value += BATCH * WARP) {
    int32_t j[BATCH];
    REAL a[BATCH], v[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; ++k) {
      const bool is = k * WARP < left;
      j[k] = is ? __ldcs(column + k * WARP) : -1;
      a[k] = is ? __ldcs(value + k * WARP) : 0;
    }
#pragma unroll
    for (int k = 0; k < BATCH; ++k) v[k] = j[k] >= 0 ? x[j[k]] : 0;
#pragma unroll
    for (int k = 0; k < BATCH; ++k) sum += a[k] * v[k];
  }
  return sum;
}

/* All residuals of a slice are made before any of its rows is written. */
template <class REAL>
static __device__ __forceinline__ void hp_amg_group_cuda(const hp_team *t, const hp_amg_pass *p, const REAL *from,
                                                         const REAL *x, const REAL *b, REAL *out) {
  const hp_amg_rows *A = &p->rows;
  const REAL *F = (const REAL *)p->s;
  const int lane = threadIdx.x & 31, lanes = A->lanes, rows = 1 << A->shift, row = lane >> lanes;
  const int warps = hp_team_warps(t), width = p->width, end = p->end;
  for (int w = p->begin + hp_team_warp(t); w < end; w += warps) {
    const int i = p->at[(w << A->shift) + row];
    const bool mine = i >= 0 && (lane & ((1 << lanes) - 1)) == 0;
    if (w < p->first || w >= p->last) {
      if (mine) out[i] = 0;
      continue;
    }
    REAL r = i >= 0 ? b[p->index != NULL ? p->index[i] : i] : 0, sum = mine && x != NULL ? x[i] : 0;
    if (from != NULL) {
      REAL product = hp_amg_group_product_cuda(A, A->begin[w] + lane, A->begin[w + 1], from);
      for (int apart = 1; apart < 1 << lanes; apart <<= 1) product += __shfl_xor_sync(0xffffffffu, product, apart);
      r -= product;
    }
    if (width == 1) {
      sum += F != NULL ? F[(w << A->shift) + row] * r : r;
    } else {
      const REAL *f = F + (int64_t)w * width * rows + row;
      for (int k = 0; k < width; ++k)
        sum += f[k * rows] * __shfl_sync(0xffffffffu, r, ((row & ~(width - 1)) + k) << lanes);
    }
    if (mine) out[i] = sum;
  }
}

#endif

#endif
