/* The last level on a GPU, by one block: the factors of hp_amg_factorize, the same bits, and the inverse
 * from them. A pivot's column and rows are shared by the threads; each entry has the host's arithmetic. */
#include <math.h>

#include "amg/setup_cuda.cuh"

enum { THREADS = 512 };

/* lu = A, rows divided by their largest entry; scale = the factors. lu is zero before. */
static __global__ void __launch_bounds__(THREADS) fill_kernel(hp_csr A, double *lu, double *scale) {
  const int64_t i = (int64_t)blockIdx.x * (THREADS / 32) + threadIdx.x / 32;
  if (i >= A.nrow) return;
  double most = 0.0;
  for (int32_t k = A.begin[i] + hp_lanes<32>::lane(); k < A.begin[i + 1]; k += 32) most = fmax(most, fabs(A.value[k]));
  most = hp_lanes<32>::max(most);
  const double s = most > 0.0 ? 1.0 / most : 0.0;
  if (hp_lanes<32>::lane() == 0) scale[i] = s;
  for (int32_t k = A.begin[i] + hp_lanes<32>::lane(); k < A.begin[i + 1]; k += 32)
    lu[i * A.nrow + A.column[k]] = A.value[k] * s;
}

/* Row of the largest entry of column c from row c on, the first of equal ones; all threads get it. */
static __device__ int32_t find_pivot(const double *lu, int32_t n, int32_t c, double *size, int32_t *row) {
  double most = -1.0;
  int32_t at = n;
  for (int32_t i = c + (int32_t)threadIdx.x; i < n; i += THREADS) {
    const double v = fabs(lu[(int64_t)i * n + c]);
    if (v > most) {
      most = v;
      at = i;
    }
  }
  size[threadIdx.x] = most;
  row[threadIdx.x] = at;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if ((int)threadIdx.x < half) {
      const double v = size[threadIdx.x + half];
      const int32_t i = row[threadIdx.x + half];
      if (v > size[threadIdx.x] || (v == size[threadIdx.x] && i < row[threadIdx.x])) {
        size[threadIdx.x] = v;
        row[threadIdx.x] = i;
      }
    }
    __syncthreads();
  }
  const int32_t found = row[0];
  __syncthreads();
  return found;
}

static __global__ void __launch_bounds__(THREADS) factorize_kernel(int32_t n, double *lu, int32_t *pivot) {
  __shared__ double size[THREADS];
  __shared__ int32_t row[THREADS];
  for (int32_t c = 0; c < n; ++c) {
    const int32_t p = find_pivot(lu, n, c, size, row);
    double *own = lu + (int64_t)c * n, *other = lu + (int64_t)p * n;
    if (threadIdx.x == 0) pivot[c] = p;
    for (int32_t k = (int32_t)threadIdx.x; k < n && p != c; k += THREADS) {
      const double v = own[k];
      own[k] = other[k];
      other[k] = v;
    }
    __syncthreads();
    const double inverse = fabs(own[c]) > 1e-13 ? 1.0 / own[c] : 0.0;
    __syncthreads();
    if (threadIdx.x == 0) own[c] = inverse;
    for (int32_t i = c + 1 + (int32_t)threadIdx.x; i < n; i += THREADS) lu[(int64_t)i * n + c] *= inverse;
    __syncthreads();
    const int32_t left = n - c - 1;
    for (int64_t e = threadIdx.x; e < (int64_t)left * left; e += THREADS) {
      const int32_t i = c + 1 + (int32_t)(e / left), k = c + 1 + (int32_t)(e % left);
      const double f = lu[(int64_t)i * n + c];
      if (f != 0.0) lu[(int64_t)i * n + k] -= f * own[k];
    }
    __syncthreads();
  }
}

/* Column j of the inverse: what hp_amg_solve_last makes of unit vector j, a thread a column. */
static __global__ void __launch_bounds__(THREADS)
    invert_kernel(int32_t n, const double *lu, const double *scale, const int32_t *pivot, double *inverse) {
  const int32_t j = (int32_t)(blockIdx.x * blockDim.x + threadIdx.x);
  if (j >= n) return;
  int32_t at = j; /* where the one is after the exchanges of rows */
  for (int32_t i = 0; i < n; ++i) {
    const int32_t p = pivot[i];
    at = at == i ? p : at == p ? i : at;
  }
  for (int32_t i = 0; i < n; ++i) {
    double sum = i == at ? scale[j] : 0.0;
    for (int32_t k = 0; k < i; ++k) sum -= lu[(int64_t)i * n + k] * inverse[(int64_t)k * n + j];
    inverse[(int64_t)i * n + j] = sum;
  }
  for (int32_t i = n - 1; i >= 0; --i) {
    double sum = inverse[(int64_t)i * n + j];
    for (int32_t k = i + 1; k < n; ++k) sum -= lu[(int64_t)i * n + k] * inverse[(int64_t)k * n + j];
    inverse[(int64_t)i * n + j] = sum * lu[(int64_t)i * n + i];
  }
}

hp_status hp_setup_direct(hp_setup *S, const hp_device_csr *A, const hp_amg_device_direct *d) {
  const int64_t n = d->n;
  HP_TRY(hp_device_zero(S->D, d->lu, n * n * (int64_t)sizeof *d->lu));
  HP_TRY(hp_launch(S, "factorizing the last level", fill_kernel, hp_parts(n, THREADS / 32), THREADS, 0, A->at, d->lu,
                   d->scale));
  HP_TRY(hp_launch(S, "factorizing the last level", factorize_kernel, 1, THREADS, 0, d->n, d->lu, d->pivot));
  return hp_launch(S, "inverting the last level", invert_kernel, hp_parts(n, 32), 32, 0, d->n, d->lu, d->scale,
                   d->pivot, d->inverse);
}
