/* Passes over rows as csr or HEC on a GPU (hp_amg_options.format), in kernels of their own: the code would move the time
 * of those over slices (amg/rows/cuda/rows.cuh), which includes this file. 2^lanes neighbouring threads of a warp process
 * a row, entry k by thread k % 2^lanes, so that HEC's sums are those of slices, bit for bit; csr has lanes of its own
 * (amg/smoothers/cuda/slices.cu).
 */
#ifndef HP_AMG_ROWS_CUDA_PLAIN_CUH
#define HP_AMG_ROWS_CUDA_PLAIN_CUH

#if defined(__CUDA_ARCH__)

/* Sum and the products of `count` entries, one in `step`; some are in flight together, as many as of slices. */
template <class REAL, bool DEEP>
static __device__ __forceinline__ REAL hp_amg_plain_sum_cuda(const int32_t *column, const REAL *value, int count,
                                                             int64_t step, const REAL *s, const REAL *x, REAL sum) {
  enum { OF_FLOATS = DEEP ? 8 : 4, BATCH = sizeof(REAL) == 4 ? OF_FLOATS : OF_FLOATS / 2 };
  for (; count > 0; count -= BATCH, column += BATCH * step, value += BATCH * step) {
    int32_t j[BATCH];
    REAL a[BATCH], v[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; ++k) {
      j[k] = 0;
      a[k] = 0;
      if (k < count) {
        j[k] = __ldcs(column + k * step);
        a[k] = __ldcs(value + k * step);
      }
    }
#pragma unroll
    for (int k = 0; k < BATCH; ++k) {
      v[k] = 0;
      if (k < count) {
        v[k] = x[j[k]];
        if (s != NULL) v[k] *= s[j[k]];
      }
    }
#pragma unroll
    for (int k = 0; k < BATCH; ++k) sum += a[k] * v[k];
  }
  return sum;
}

/* The part of lane `part` of row i's product: HEC's entries by columns, then the others. */
template <class REAL, bool DEEP>
static __device__ __forceinline__ REAL hp_amg_plain_row_cuda(const hp_amg_rows *A, int i, int part, const REAL *s,
                                                             const REAL *x) {
  const int lanes = A->lanes, share = 1 << lanes, width = A->width, n = A->nrow;
  const REAL *value = (const REAL *)A->value;
  const int by_columns = part < width ? (width - part + share - 1) >> lanes : 0;
  const int64_t first = (int64_t)part * n + i;
  const uint32_t begin = A->begin[i] + ((part - width) & (share - 1)), end = A->begin[i + 1];
  REAL sum = 0;
  if (by_columns > 0)
    sum = hp_amg_plain_sum_cuda<REAL, DEEP>(A->column + first, value + first, by_columns, (int64_t)n << lanes, s, x,
                                            sum);
  if (begin < end)
    sum = hp_amg_plain_sum_cuda<REAL, DEEP>(A->column + begin, value + begin, (int)((end - begin + share - 1) >> lanes),
                                            share, s, x, sum);
  return sum;
}

template <int KIND, class REAL, bool DEEP = false>
static __device__ __forceinline__ void hp_amg_plain_cuda(const hp_team *t, const hp_amg_rows *A, const REAL *s,
                                                         const REAL *x, const typename hp_amg_of<REAL>::form &given) {
  enum { WARP = 32 };
  const typename hp_amg_of<REAL>::form form = hp_amg_form_cuda<KIND>(given);
  const int lanes = A->lanes, rows = WARP >> lanes, n = A->nrow;
  const hp_team_share of_gpu = hp_team_share_of(t, (n + rows - 1) / rows, n, true);
  const int tasks = (int)of_gpu.end, lane = threadIdx.x & 31, warp = (int)(threadIdx.x >> 5),
            warps = of_gpu.size / WARP;
  const int part = lane & ((1 << lanes) - 1);
  /* a block processes neighbouring rows where there are enough for all */
  const bool few = of_gpu.end - of_gpu.begin < warps;
  int w = (int)of_gpu.begin + (few ? of_gpu.rank / WARP : (int)(blockIdx.x * (blockDim.x >> 5)) + warp);
  for (; w < tasks; w += warps) {
    const int i = w * rows + (lane >> lanes);
    typename hp_amg_of<REAL>::operands row = {0, 0, 0, 0};
    REAL sum = 0;
    if (i < n) {
      if (part == 0) row = hp_amg_of<REAL>::load(&form, i);
      sum = hp_amg_plain_row_cuda<REAL, DEEP>(A, i, part, s, x);
    }
    for (int apart = 1; apart < 1 << lanes; apart <<= 1) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (part == 0 && i < n) form.out[i] = hp_amg_of<REAL>::formed(&form, row, sum);
  }
}

/* Any pass, for the programs that compute matrix values. */
template <class REAL>
static __device__ __noinline__ void hp_amg_plain_pass_cuda(const hp_team *t, const hp_amg_rows *A, const REAL *s,
                                                           const REAL *x, typename hp_amg_of<REAL>::form form) {
  hp_amg_plain_cuda<HP_AMG_FORM_ANY, REAL>(t, A, s, x, form);
}

#endif

#endif
