/* Rows in slices on a GPU: a row is the work of 2^lanes neighbouring threads of a warp, and a slice has 32 / 2^lanes
 * rows, so that a warp reads 32 numbers of a slice at a time:
 *
 *     lanes = 2, shift = 3:    a0 a1 a2 a3 b0 b1 b2 b3 ... h3 | a4 a5 a6 a7 b4 ...
 */
#ifndef HP_AMG_ROWS_CUDA_CUH
#define HP_AMG_ROWS_CUDA_CUH

#if defined(__CUDA_ARCH__)

/* Row i of A x, or of A diag(s) x; all threads of the row call it and get the sum. */
template <class REAL>
static __device__ __forceinline__ REAL hp_amg_rows_dot_cuda(const hp_amg_rows *A, int64_t i, const REAL *value,
                                                            const REAL *s, const REAL *x) {
  enum { BATCH = 4, WARP = 32 }; /* loads under way together */
  const int lanes = A->lanes, shift = A->shift, lane = threadIdx.x & ((1 << lanes) - 1);
  const int64_t slice = i >> shift;
  const int32_t *column = A->column;
  const int32_t end = A->begin[slice + 1];
  REAL sum = 0;
  for (int32_t e = A->begin[slice] + (int32_t)((i & ((1 << shift) - 1)) << lanes) + lane; e < end; e += BATCH * WARP) {
    int32_t j[BATCH];
    REAL a[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; ++k) {
      j[k] = 0;
      a[k] = 0;
      if (e + k * WARP < end) {
        j[k] = __ldcs(column + e + k * WARP);
        a[k] = __ldcs(value + e + k * WARP);
      }
    }
#pragma unroll
    for (int k = 0; k < BATCH; ++k)
      if (e + k * WARP < end) sum += a[k] * (s != NULL ? s[j[k]] * x[j[k]] : x[j[k]]);
  }
  const unsigned all = lanes == 5 ? 0xffffffffu : (1u << (1 << lanes)) - 1u;
  const unsigned mine = all << (threadIdx.x & 31 & ~((1 << lanes) - 1));
  for (int apart = 1; apart < 1 << lanes; apart <<= 1) sum += __shfl_xor_sync(mine, sum, apart);
  return sum;
}

#endif

#endif
