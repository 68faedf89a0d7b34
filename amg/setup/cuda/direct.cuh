/* The last level on a GPU: the factors of hp_amg_factorize, the same bits, and the inverse from them, by the threads of
 * one block (hp_direct_block) or by a whole team (hp_direct_grid).
 *
 * Each entry has the host's arithmetic in the host's order; the threads share the entries and synchronize once
 * per column. Multipliers and pivots are scaled only at the end, because other threads read them meanwhile;
 * until then each reader scales them. */
#ifndef HP_AMG_SETUP_CUDA_DIRECT_CUH
#define HP_AMG_SETUP_CUDA_DIRECT_CUH

#include <math.h>

#include "amg/setup/cuda/setup.cuh"

enum {
  HP_DIRECT_CHIP = 64 /* rows whose factors and inverse fit into a block's shared memory */
};

struct hp_direct_block {
  __device__ __forceinline__ int rank() const { return (int)threadIdx.x; }
  __device__ __forceinline__ int size() const { return (int)blockDim.x; }
  __device__ __forceinline__ void sync() const { __syncthreads(); }
};

struct hp_direct_grid {
  hp_team *t;
  __device__ __forceinline__ int rank() const { return t->rank; }
  __device__ __forceinline__ int size() const { return t->size; }
  __device__ __forceinline__ void sync() const { hp_team_first_sync(t); }
};

/* lu [n][n] = A, rows divided by their largest entry; scale = the factors. */
template <class TEAM>
static __device__ __forceinline__ void hp_direct_fill(const TEAM &m, const hp_csr &A, double *lu, double *scale) {
  typedef hp_lanes<32> L;
  const int n = A.nrow;
  for (int e = m.rank(); e < n * n; e += m.size()) lu[e] = 0.0;
  m.sync();
  for (int i = m.rank() / 32; i < n; i += m.size() / 32) {
    double most = 0.0;
    for (uint32_t k = A.begin[i] + L::lane(); k < A.begin[i + 1]; k += 32) most = fmax(most, fabs(A.value[k]));
    most = L::max(most);
    const double s = most > 0.0 ? 1.0 / most : 0.0;
    if (L::lane() == 0) scale[i] = s;
    for (uint32_t k = A.begin[i] + L::lane(); k < A.begin[i + 1]; k += 32) lu[i * n + A.column[k]] = A.value[k] * s;
  }
  m.sync();
}

/* Row of the largest entry of column c from row c on, the first of equal ones, by a warp. */
static __device__ __forceinline__ int hp_direct_pivot(const double *lu, int n, int c) {
  typedef hp_lanes<32> L;
  double most = -1.0;
  int at = n;
  for (int i = c + L::lane(); i < n; i += 32) {
    const double v = fabs(lu[i * n + c]);
    if (v > most) {
      most = v;
      at = i;
    }
  }
  for (int apart = 16; apart > 0; apart >>= 1) {
    const double v = __shfl_xor_sync(0xffffffffu, most, apart, 32);
    const int i = __shfl_xor_sync(0xffffffffu, at, apart, 32);
    if (v > most || (v == most && i < at)) {
      most = v;
      at = i;
    }
  }
  return at;
}

static __device__ __forceinline__ double hp_direct_inverse_of(double pivot) {
  return fabs(pivot) > 1e-13 ? 1.0 / pivot : 0.0;
}

template <class TEAM>
static __device__ __forceinline__ void hp_direct_factorize(const TEAM &m, int n, double *lu, int32_t *pivot) {
  __shared__ int found;
  typedef hp_lanes<32> L;
  const int rank = m.rank(), size = m.size();
  for (int c = 0; c < n; ++c) {
    if (threadIdx.x < 32) { /* in every block */
      const int p = hp_direct_pivot(lu, n, c);
      if (threadIdx.x == 0) found = p;
    }
    __syncthreads();
    const int p = found;
    if (rank == 0) pivot[c] = p;
    if (p != c) {
      m.sync(); /* all have read column c */
      for (int k = rank; k < n; k += size) {
        const double v = lu[c * n + k];
        lu[c * n + k] = lu[p * n + k];
        lu[p * n + k] = v;
      }
      m.sync();
    }
    const double inverse = hp_direct_inverse_of(lu[c * n + c]);
    for (int i = c + 1 + rank / 32; i < n; i += size / 32) {
      const double f = lu[i * n + c] * inverse;
      for (int k = c + 1 + L::lane(); k < n && f != 0.0; k += 32) lu[i * n + k] -= f * lu[c * n + k];
    }
    m.sync();
  }
  for (int e = rank; e < n * n; e += size) {
    const int i = e / n, c = e % n;
    if (c < i) lu[e] *= hp_direct_inverse_of(lu[c * n + c]);
  }
  m.sync();
  for (int c = rank; c < n; c += size) lu[c * n + c] = hp_direct_inverse_of(lu[c * n + c]);
  m.sync();
}

/* x [n][n] by rows: the inverse from the factors, as hp_amg_invert finds it. */
template <class TEAM>
static __device__ __forceinline__ void hp_direct_invert(const TEAM &m, int n, const double *lu, const double *scale,
                                                        const int32_t *pivot, double *x) {
  typedef hp_lanes<32> L;
  const int rank = m.rank(), size = m.size();
  for (int e = rank; e < n * n; e += size) x[e] = 0.0;
  m.sync();
  for (int j = rank; j < n; j += size) {
    int at = j; /* where the one is after the exchanges of rows */
    for (int i = 0; i < n; ++i) {
      const int p = pivot[i];
      at = at == i ? p : at == p ? i : at;
    }
    x[at * n + j] = scale[j];
  }
  m.sync();
  for (int k = 0; k + 1 < n; ++k) {
    for (int i = k + 1 + rank / 32; i < n; i += size / 32) {
      const double f = lu[i * n + k];
      for (int j = L::lane(); j < n; j += 32) x[i * n + j] -= f * x[k * n + j];
    }
    m.sync();
  }
  for (int k = n - 1; k > 0; --k) {
    const double by = lu[k * n + k];
    for (int i = rank / 32; i < k; i += size / 32) {
      const double f = lu[i * n + k];
      for (int j = L::lane(); j < n; j += 32) x[i * n + j] -= f * (by * x[k * n + j]);
    }
    m.sync();
  }
  for (int e = rank; e < n * n; e += size) x[e] *= lu[e / n * n + e / n];
}

/* All of that by one block; chip: 2 n n doubles of its shared memory. */
static __device__ __noinline__ void hp_direct_by_block(const hp_csr &A, const hp_amg_device_direct &d, double *chip) {
  const hp_direct_block m;
  const int n = d.n;
  double *lu = chip, *x = chip + n * n;
  hp_direct_fill(m, A, lu, d.scale);
  hp_direct_factorize(m, n, lu, d.pivot);
  hp_direct_invert(m, n, lu, d.scale, d.pivot, x);
  __syncthreads();
  for (int e = (int)threadIdx.x; e < n * n; e += (int)blockDim.x) {
    d.lu[e] = lu[e];
    d.inverse[e] = x[e];
  }
}

static __device__ __noinline__ void hp_direct_by_team(hp_team *t, const hp_csr &A, const hp_amg_device_direct &d) {
  const hp_direct_grid m = {t};
  hp_direct_fill(m, A, d.lu, d.scale);
  hp_direct_factorize(m, d.n, d.lu, d.pivot);
  hp_direct_invert(m, d.n, d.lu, d.scale, d.pivot, d.inverse);
}

/* The last level as a part of a team program: by one block while the others go on, or by all of them if it is large, of several
 * GPUs those of the first (hp_team_first_begin, by the caller); d.n = 0: there is nothing to do. Blocks have hp_direct_bytes of
 * shared memory. */
static __device__ __forceinline__ bool hp_direct_is_large(const hp_amg_device_direct &d) {
  return d.n > HP_DIRECT_CHIP;
}

static __device__ __forceinline__ void hp_direct(hp_team *t, const hp_csr &A, const hp_amg_device_direct &d) {
  if (hp_direct_is_large(d)) hp_direct_by_team(t, A, d);
  else if (d.n > 0 && hp_team_block(t) + 1 == (int)gridDim.x) hp_direct_by_block(A, d, (double *)hp_shared_rest(t));
}

static inline size_t hp_direct_bytes(const hp_amg_device_direct *d) {
  return d->n > HP_DIRECT_CHIP ? 0 : 2 * (size_t)d->n * (size_t)d->n * sizeof(double);
}

#endif
