/* The smoother spai-1 on a GPU: amg/smoothers/spai.inl.h, a warp a row: its lanes
 * share the products of rows, one of them solves for the row of M^-1. A sweep
 * is two passes over rows, A's and those of M^-1.
 */
#include "amg/smoothers/cuda/image.cuh"
#include "core/memory.h"

#define HP_REAL double /* as in amg/rows/both.inl.h; the rows are computed in double alone */
#define HP_AMG_NAME(name) name##_double
#include "amg/smoothers/spai.inl.h"
#undef HP_REAL
#undef HP_AMG_NAME

enum { THREADS = 128, WARP = 32, LD = HP_AMG_SPAI_MAX };

/* The least squares of a row. */
struct system_of_row {
  double G[LD * LD], g[LD];
  uint32_t place[LD];
  int count;
  bool regular;
};

/* G and g; see hp_amg_spai1_row. */
static __device__ void gather(const hp_csr *A, int64_t i, system_of_row *s) {
  const int lane = threadIdx.x & 31;
  if (lane == 0) s->count = hp_amg_spai1_choose_double(A, i, s->place);
  __syncwarp();
  for (int e = lane; e < s->count * s->count; e += WARP) {
    const int a = e / s->count, k = e % s->count;
    if (k <= a) s->G[a * LD + k] = hp_amg_rows_product_double(A, true, A->column[s->place[a]], A->column[s->place[k]]);
  }
  for (int a = lane; a < s->count; a += WARP) s->g[a] = hp_amg_entry_double(A, A->column[s->place[a]], i);
  __syncwarp();
}

template <class REAL>
static __global__ void __launch_bounds__(THREADS) inverse_kernel(hp_csr A, hp_amg_rows M) {
  __shared__ system_of_row of[THREADS / WARP];
  system_of_row *s = &of[threadIdx.x / WARP];
  const int64_t i = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / WARP;
  const int lane = threadIdx.x & 31;
  REAL *value = (REAL *)M.value;
  if (i >= A.nrow) return;
  gather(&A, i, s);
  if (lane == 0) s->regular = hp_amg_cholesky_double(s->count, s->G, s->g);
  __syncwarp();
  double sum, squares;
  const double diagonal = s->regular ? 0.0 : hp_amg_diagonal(&A, i, &sum, &squares);
  for (uint32_t k = A.begin[i] + lane; k < A.begin[i + 1]; k += WARP)
    value[hp_amg_place(&M, i, (int32_t)(k - A.begin[i]))] = (REAL)(!s->regular && A.column[k] == i && squares > 0.0
                                                                       ? diagonal / squares
                                                                       : 0.0);
  __syncwarp();
  for (int a = lane; a < s->count && s->regular; a += WARP)
    value[hp_amg_place(&M, i, (int32_t)(s->place[a] - A.begin[i]))] = (REAL)s->g[a];
}

/* M^-1 has the pattern of A. */
static hp_status prepare(hp_amg_device_cycle *C, int l) {
  return hp_amg_cycle_slices(C, &C->smoothing[l].A, &C->host.H.level[l].smooth.inverse);
}

static hp_status numbers(hp_amg_device_cycle *C, int l) {
  const hp_csr A = C->smoothing[l].A.at;
  const hp_amg_rows M = C->host.H.level[l].smooth.inverse;
  const int64_t blocks = hp_parts((int64_t)A.nrow * WARP, THREADS);
  const char *what = "an approximate inverse";
  if (hp_amg_cycle_single(C)) return hp_launch(&C->S, what, inverse_kernel<float>, blocks, THREADS, 0, A, M);
  return hp_launch(&C->S, what, inverse_kernel<double>, blocks, THREADS, 0, A, M);
}

const hp_amg_device_smoother hp_amg_device_inverse = {.prepare = prepare, .numbers = numbers};
