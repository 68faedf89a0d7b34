/* bench/amg/products.h on a GPU: products in the setting of a cycle, blocks of 1024 threads, a barrier after each. */
#include <string.h>

#include "bench/amg/products.h"
#include "core/team/cuda/team.cuh"
#include "core/team/team.h"

/* A lane's share of a row's product: a warp reads 32 consecutive places at a time, four loads of a thread in flight. */
template <class REAL>
static __device__ __forceinline__ REAL sum_of(const int32_t *column, const REAL *value, int32_t first, int32_t end,
                                              int step, const REAL *x) {
  enum { BATCH = 4 };
  REAL sum = 0;
  for (int32_t e = first; e < end; e += BATCH * step) {
    int32_t j[BATCH];
    REAL a[BATCH], v[BATCH];
#pragma unroll
    for (int k = 0; k < BATCH; ++k) {
      j[k] = 0;
      a[k] = 0;
      if (e + k * step < end) {
        j[k] = __ldcs(column + e + k * step);
        a[k] = __ldcs(value + e + k * step);
      }
    }
#pragma unroll
    for (int k = 0; k < BATCH; ++k) v[k] = e + k * step < end ? x[j[k]] : 0;
#pragma unroll
    for (int k = 0; k < BATCH; ++k) sum += a[k] * v[k];
  }
  return sum;
}

template <class REAL>
static __device__ __forceinline__ REAL over_lanes(REAL sum, int lanes) {
  for (int apart = 1; apart < 1 << lanes; apart <<= 1) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
  return sum;
}

/* 32 >> lanes rows per warp at a time, in slices or as csr. */
template <bool SLICED, class REAL>
static __device__ __forceinline__ void multiply_rows(const hp_team *t, const hp_amg_format *F, const REAL *x, REAL *y) {
  const int lane = threadIdx.x & 31, lanes = F->lanes, rows = 32 >> lanes, tasks = (F->nrow + rows - 1) / rows;
  for (int w = hp_team_warp(t); w < tasks; w += hp_team_warps(t)) {
    const int i = w * rows + (lane >> lanes), part = lane & ((1 << lanes) - 1);
    int32_t first = 0, end = 0;
    if (SLICED) {
      first = F->begin[w] + lane;
      end = F->begin[w + 1];
    } else if (i < F->nrow) {
      first = F->begin[i] + part;
      end = F->begin[i + 1];
    }
    const REAL sum = over_lanes(sum_of(F->column, (const REAL *)F->value, first, end, SLICED ? 32 : 1 << lanes, x),
                                lanes);
    if (part == 0 && i < F->nrow) y[i] = sum;
  }
}

template <class REAL>
static __device__ __forceinline__ void multiply_hec(const hp_team *t, const hp_amg_format *F, const REAL *x, REAL *y) {
  for (int64_t i = t->rank; i < F->nrow; i += t->size)
    y[i] = sum_of(F->column, (const REAL *)F->value, (int32_t)i, (int32_t)F->count, F->nrow, x) +
           sum_of(F->rest_column, (const REAL *)F->rest_value, F->rest_begin[i], F->rest_begin[i + 1], 1, x);
}

struct format_args {
  hp_amg_format F;
  const void *x;
  void *y;
  int count;
};

template <class REAL>
static __device__ __forceinline__ void multiply(hp_team *t, const format_args *a) {
  const REAL *x = (const REAL *)a->x;
  REAL *y = (REAL *)a->y;
  switch (a->F.kind) {
    case HP_AMG_FORMAT_SLICED: multiply_rows<true, REAL>(t, &a->F, x, y); break;
    case HP_AMG_FORMAT_HEC: multiply_hec<REAL>(t, &a->F, x, y); break;
    default: multiply_rows<false, REAL>(t, &a->F, x, y); break;
  }
}

static __global__ void __launch_bounds__(HP_BLOCK_MAX, 1)
    multiply_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ format_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  for (int n = 0; n < a.count; ++n) {
    if (a.F.single) multiply<float>(&t, &a);
    else multiply<double>(&t, &a);
    hp_team_sync(&t);
  }
  hp_team_leave(&t);
}

struct read_args {
  const double2 *from;
  double *out;
  int64_t n;
  int count;
};

static __global__ void __launch_bounds__(HP_BLOCK_MAX, 1)
    read_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ read_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  double sum = 0.0;
  for (int n = 0; n < a.count; ++n) {
#pragma unroll 4
    for (int64_t i = t.rank; i < a.n; i += t.size) {
      const double2 v = __ldcs(a.from + i);
      sum += v.x + v.y;
    }
    hp_team_sync(&t);
  }
  if (sum != 0.0) *a.out = sum; /* the array is zero: never, but the compiler does not know */
  hp_team_leave(&t);
}

/* ---- from the host ---- */

enum { BEGAN, ENDED };

/* Once to find the memory, then timed. */
static hp_status time_kernel(hp_device *D, const void *kernel, const void *args, int count, double *seconds) {
  HP_TRY(hp_team_launch(D, kernel, args, 0, "timing products"));
  HP_TRY(hp_device_mark(D, BEGAN));
  HP_TRY(hp_team_launch(D, kernel, args, 0, "timing products"));
  HP_TRY(hp_device_mark(D, ENDED));
  HP_TRY(hp_device_elapsed(D, BEGAN, ENDED, seconds));
  *seconds /= count;
  return HP_OK;
}

static hp_status send(hp_device *D, const void *from, int64_t count, size_t size, void **to) {
  HP_TRY(hp_device_alloc(D, to, count, size, "a matrix to be timed"));
  return hp_device_upload(D, *to, from, count * (int64_t)size);
}

static hp_status send_format(hp_device *D, const hp_amg_format *F, hp_amg_format *d) {
  const size_t index = sizeof(int32_t), real = F->single ? sizeof(float) : sizeof(double);
  const int64_t slices = ((int64_t)F->nrow + (1 << F->shift) - 1) >> F->shift;
  const int64_t begins = F->kind == HP_AMG_FORMAT_SLICED ? slices : F->nrow;
  if (F->begin != NULL) HP_TRY(send(D, F->begin, begins + 1, index, (void **)&d->begin));
  HP_TRY(send(D, F->column, F->count, index, (void **)&d->column));
  HP_TRY(send(D, F->value, F->count, real, &d->value));
  if (F->rest_begin == NULL) return HP_OK;
  HP_TRY(send(D, F->rest_begin, (int64_t)F->nrow + 1, index, (void **)&d->rest_begin));
  HP_TRY(send(D, F->rest_column, F->rest, index, (void **)&d->rest_column));
  return send(D, F->rest_value, F->rest, real, &d->rest_value);
}

static hp_status run(hp_device *D, const hp_amg_format *F, const void *x, void *y, format_args *a, double *seconds) {
  const int64_t real = F->single ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
  HP_TRY(send_format(D, F, &a->F));
  HP_TRY(send(D, x, F->ncol, (size_t)real, (void **)&a->x));
  HP_TRY(hp_device_alloc(D, &a->y, F->nrow, (size_t)real, "a product"));
  HP_TRY(time_kernel(D, (const void *)multiply_kernel, a, a->count, seconds));
  return hp_device_download(D, y, a->y, F->nrow * real);
}

hp_status hp_amg_format_time(hp_device *D, const hp_amg_format *F, const void *x, void *y, int count, double *seconds) {
  format_args a;
  memset(&a, 0, sizeof a);
  a.F = *F;
  a.F.begin = a.F.column = a.F.rest_begin = a.F.rest_column = NULL;
  a.F.value = a.F.rest_value = NULL;
  a.count = count;
  const hp_status s = run(D, F, x, y, &a, seconds);
  HP_DEVICE_FREE(D, a.F.begin);
  HP_DEVICE_FREE(D, a.F.column);
  HP_DEVICE_FREE(D, a.F.value);
  HP_DEVICE_FREE(D, a.F.rest_begin);
  HP_DEVICE_FREE(D, a.F.rest_column);
  HP_DEVICE_FREE(D, a.F.rest_value);
  HP_DEVICE_FREE(D, a.x);
  HP_DEVICE_FREE(D, a.y);
  return s;
}

hp_status hp_amg_format_time_reading(hp_device *D, int64_t bytes, int count, double *seconds) {
  double2 *from = NULL;
  double *out = NULL;
  const int64_t n = bytes / (int64_t)sizeof *from;
  hp_status s = HP_DEVICE_ALLOC(D, from, n);
  if (s == HP_OK) s = HP_DEVICE_ALLOC(D, out, 1);
  if (s == HP_OK) s = hp_device_zero(D, from, n * (int64_t)sizeof *from);
  const read_args a = {from, out, n, count};
  if (s == HP_OK) s = time_kernel(D, (const void *)read_kernel, &a, count, seconds);
  HP_DEVICE_FREE(D, from);
  HP_DEVICE_FREE(D, out);
  return s;
}
