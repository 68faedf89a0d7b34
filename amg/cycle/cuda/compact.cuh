/* Rows of a level in 4 bytes an entry, for cycles on a GPU: half of a number and a column in single precision.
 *
 * A word is a half-precision number and the distance of its column from a base that 32 entries share, those that a
 * warp reads at a time (amg/cycle/cuda/rows.cuh):
 *
 *     word   | number (16) | distance (16) |  x 32        base    lowest column of the 32, one int32
 *
 * Where 32 entries reach over more than 65536 columns (a cell's row with a well; planes of a large grid) the base is
 * ~n and their columns stand in wide[32 n ...]. The rows of A are divided by powers of two, so that contrasts of
 * permeability do not leave the range of a half; P and R have weights. Numbers differ from A's by 2^-12 of each at
 * most, far below what a cycle leaves of an error; couplings below 3e-8 of a row's largest are dropped.
 */
#ifndef HP_AMG_CYCLE_CUDA_COMPACT_CUH
#define HP_AMG_CYCLE_CUDA_COMPACT_CUH

#include <cuda_fp16.h>

#include "amg/cycle/rows.inl.h"

#if defined(__CUDA_ARCH__)

/* hp_amg_batch of such rows. */
struct hp_amg_compact_batch {
  enum { COUNT = 4 };
  uint32_t word[COUNT];
  int32_t base[COUNT];
  __device__ __forceinline__ void load(const hp_amg_rows *A, int32_t e, int32_t end) {
#pragma unroll
    for (int k = 0; k < COUNT; ++k) {
      word[k] = 0;
      base[k] = 0;
      if (e + 32 * k < end) {
        word[k] = __ldcs(A->word + e + 32 * k);
        base[k] = A->base[(e >> 5) + k];
      }
    }
  }
  __device__ __forceinline__ int32_t column(const hp_amg_rows *A, int k) const {
    if (base[k] < 0) return A->wide[(int64_t)~base[k] * 32 + (threadIdx.x & 31)];
    return base[k] + (int32_t)(word[k] & 0xffffu);
  }
  __device__ __forceinline__ float number(int k) const {
    return __half2float(__ushort_as_half((unsigned short)(word[k] >> 16)));
  }
  __device__ __forceinline__ float scaled(const hp_amg_rows *A, int i, float sum) const {
    return A->scale != NULL ? A->scale[i] * sum : sum;
  }
};

template <int LANES, int KIND, bool SCALED>
static __device__ __forceinline__ void hp_amg_compact_slices_cuda(const hp_amg_rows *A, const float *s, const float *x,
                                                                  const hp_amg_form_float &given) {
  hp_amg_slices_of_cuda<LANES, KIND, SCALED, float, hp_amg_compact_batch>(A, s, x, given);
}

/* The numbers of `from`, a warp a slice. */
static __device__ __forceinline__ void hp_amg_compact_fill_cuda(const hp_csr *from, const hp_amg_rows *to) {
  const int lane = threadIdx.x & 31, warps = (int)(gridDim.x * (blockDim.x >> 5)), n = to->nrow, share = 1 << to->lanes;
  const int slices = (n + (1 << to->shift) - 1) >> to->shift, own = lane & (share - 1);
  unsigned short *word = (unsigned short *)to->word;
  for (int w = (int)((threadIdx.x >> 5) * gridDim.x + blockIdx.x); w < slices; w += warps) {
    const int i = (w << to->shift) + (lane >> to->lanes);
    const int32_t begin = i < n ? from->begin[i] : 0, length = i < n ? from->begin[i + 1] - begin : 0;
    double most = 0.0, factor = 1.0;
    for (int32_t k = own; to->scale != NULL && k < length; k += share) most = fmax(most, fabs(from->value[begin + k]));
    for (int apart = 1; apart < share; apart <<= 1) most = fmax(most, __shfl_xor_sync(0xffffffffu, most, apart));
    if (most > 0.0) {
      const int exponent = ilogb(most);
      factor = ldexp(1.0, -exponent);
      most = ldexp(1.0, exponent);
    } else {
      most = 1.0;
    }
    if (to->scale != NULL && own == 0 && i < n) to->scale[i] = (float)most;
    int32_t k = own;
    for (int32_t e = to->begin[w] + lane; e < to->begin[w + 1]; e += 32, k += share) {
      const double v = k < length ? factor * from->value[begin + k] : 0.0;
      word[2 * (int64_t)e + 1] = __half_as_ushort(__double2half(v));
    }
  }
}

static __device__ __forceinline__ void hp_amg_compact_numbers_cuda(const hp_amg *H) {
  for (int l = 0; l < H->nlevel; ++l) {
    const hp_amg_level *L = &H->level[l];
    if (L->a.word != NULL) hp_amg_compact_fill_cuda(L->A, &L->a);
    if (L->p.word != NULL) hp_amg_compact_fill_cuda(L->P, &L->p);
    if (L->r.word != NULL) hp_amg_compact_fill_cuda(L->R, &L->r);
  }
}

#else

/* for the other pass of the compiler, which wants to know the name */
static __device__ void hp_amg_compact_numbers_cuda(const hp_amg *) {}

#endif

#endif
