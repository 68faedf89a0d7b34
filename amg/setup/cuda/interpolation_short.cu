/* Interpolation on a GPU for short rows (the finest grid), one thread per row. A row's points are in shared memory,
 * ascending, interleaved over the block's threads. */
#include "amg/setup/cuda/interpolation.cuh"

enum { SHORT_POINTS = 24, SHORT_THREADS = 128 };

/* Columns of the block's shared memory: point n of the thread's row is key[n * SHORT_THREADS]. */
typedef struct {
  double *weight;
  int32_t *key;
  int count;
} short_row;

static __device__ __forceinline__ int short_find(const short_row *r, int32_t j) {
  int at = 0;
  for (int step = r->count > 8 ? 16 : 4; step > 0; step >>= 1)
    if (at + step < r->count && r->key[(at + step) * SHORT_THREADS] <= j) at += step;
  return r->count > 0 && r->key[at * SHORT_THREADS] == j ? at : -1;
}

/* Inserts j among the points, which ascend. False: no room. */
static __device__ __forceinline__ bool short_add(short_row *r, int32_t j) {
  int n = r->count;
  while (n > 0 && r->key[(n - 1) * SHORT_THREADS] > j) n -= 1;
  if (n > 0 && r->key[(n - 1) * SHORT_THREADS] == j) return true;
  if (r->count == SHORT_POINTS) return false;
  for (int m = r->count; m > n; --m) r->key[m * SHORT_THREADS] = r->key[(m - 1) * SHORT_THREADS];
  r->key[n * SHORT_THREADS] = j;
  r->count += 1;
  return true;
}

static __device__ bool short_collect(const hp_interpolation &I, short_row *r, int32_t i, bool extended) {
  bool fits = true;
  r->count = 0;
  for (uint32_t k = I.A.begin[i]; k < I.A.begin[i + 1]; ++k) {
    const int kind = I.kind_of[k];
    if (kind == HP_ENTRY_WEAK) continue;
    const int32_t j = I.A.column[k];
    if (kind == HP_ENTRY_COARSE) fits = short_add(r, j) && fits;
    if (kind != HP_ENTRY_FINE || !extended) continue;
    const uint32_t begin = I.A.begin[j], end = begin + I.list_count[j];
    for (uint32_t n = begin; n < end; ++n) {
      const int32_t l = I.list_column[n];
      if (l < 0) fits = short_add(r, ~l) && fits;
    }
  }
  for (int n = 0; n < r->count; ++n) r->weight[n * SHORT_THREADS] = 0.0;
  return fits;
}

/* hp_amg_row_distribute */
static __device__ double short_distribute(const hp_interpolation &I, short_row *r, int32_t i, int32_t k, double aik,
                                          bool extended) {
  const double akk = I.diagonal[k];
  const uint32_t begin = I.A.begin[k], end = begin + I.list_count[k];
  const double back = extended ? hp_interpolation_back(I, k, akk, i) : 0.0;
  double sum = 0.0;
  bool past = false;
  for (uint32_t n = begin; n < end; ++n) {
    const int32_t e = I.list_column[n], l = e < 0 ? ~e : e;
    const double v = I.list_value[n];
    if (!past && l > i) {
      sum += back;
      past = true;
    }
    if (v * akk < 0.0 && short_find(r, l) >= 0) sum += v;
  }
  if (!past) sum += back;
  if (sum == 0.0) return aik;
  for (uint32_t n = begin; n < end; ++n) {
    const int32_t e = I.list_column[n], l = e < 0 ? ~e : e;
    const double v = I.list_value[n];
    const int at = v * akk < 0.0 ? short_find(r, l) : -1;
    if (at >= 0) r->weight[at * SHORT_THREADS] += aik * (v / sum);
  }
  return back != 0.0 ? aik * (back / sum) : 0.0;
}

/* hp_amg_row_distributed */
static __device__ bool short_distributed(const hp_interpolation &I, short_row *r, int32_t i, bool extended) {
  const double aii = I.diagonal[i];
  double d = 0.0;
  for (uint32_t k = I.A.begin[i]; k < I.A.begin[i + 1]; ++k) {
    const int32_t j = I.A.column[k];
    const double v = I.A.value[k];
    const int at = j < I.ncell ? short_find(r, j) : -1;
    if (at >= 0) r->weight[at * SHORT_THREADS] += v;
    else if (I.kind_of[k] == HP_ENTRY_FINE) d += short_distribute(I, r, i, j, v, extended);
    else d += v;
  }
  for (int n = 0; n < r->count; ++n) r->weight[n * SHORT_THREADS] /= -d;
  return d * aii > 1e-12 * aii * aii;
}

/* hp_amg_interpolate_direct, the points collected */
static __device__ bool short_direct(const hp_interpolation &I, short_row *r, int32_t i) {
  const double aii = I.diagonal[i];
  double all = 0.0, coarse = 0.0, d = aii;
  for (uint32_t k = I.A.begin[i]; k < I.A.begin[i + 1]; ++k) {
    const int32_t j = I.A.column[k];
    const double v = I.A.value[k];
    if (j == i) continue;
    if (j >= I.ncell || !(v * aii < 0.0)) {
      d += v;
      continue;
    }
    all += v;
    const int at = short_find(r, j);
    if (at < 0) continue;
    coarse += v;
    r->weight[at * SHORT_THREADS] = v;
  }
  if (coarse == 0.0 || !(d * aii > 1e-12 * aii * aii)) return false;
  for (int n = 0; n < r->count; ++n) r->weight[n * SHORT_THREADS] *= -all / coarse / d;
  return true;
}

/* Keeps the largest weights, scaled so that the row's sum stays, and writes them; returns how many. */
static __device__ int short_truncate(const hp_interpolation &I, const short_row *r, int32_t i) {
  const int count = r->count;
  double before = 0.0, after = 0.0, most = 0.0;
  unsigned kept = 0;
  for (int n = 0; n < count; ++n) {
    before += r->weight[n * SHORT_THREADS];
    most = fmax(most, fabs(r->weight[n * SHORT_THREADS]));
  }
  for (int n = 0; n < count; ++n) {
    const double w = r->weight[n * SHORT_THREADS];
    bool keep = w != 0.0 && !(fabs(w) < I.truncation * most);
    int larger = 0;
    for (int m = 0; m < count && keep && I.max_weights > 0 && I.max_weights < count; ++m)
      larger += m != n && hp_interpolation_precedes(fabs(r->weight[m * SHORT_THREADS]), r->key[m * SHORT_THREADS],
                                                    fabs(w), r->key[n * SHORT_THREADS], i);
    keep = keep && (I.max_weights <= 0 || larger < I.max_weights);
    if (!keep) continue;
    kept |= 1u << n;
    after += w;
  }
  const double factor = after * before > 0.0 ? before / after : 1.0;
  int64_t to = hp_interpolation_room(I, i);
  for (unsigned left = kept; left != 0; left &= left - 1, ++to) {
    const int n = __ffs((int)left) - 1;
    I.column[to] = I.number[r->key[n * SHORT_THREADS]];
    I.value[to] = r->weight[n * SHORT_THREADS] * factor;
  }
  return __popc(kept);
}

/* Computes the weights of fine point i; false: too many points. */
static __device__ bool short_weights(const hp_interpolation &I, short_row *r, int32_t i) {
  const bool extended = I.kind == HP_AMG_EXTENDED;
  if (!short_collect(I, r, i, extended)) return false;
  bool good = r->count > 0;
  if (good && I.kind == HP_AMG_AVERAGING) {
    for (int n = 0; n < r->count; ++n) r->weight[n * SHORT_THREADS] = 1.0 / r->count;
  } else if (good && I.kind == HP_AMG_DIRECT) {
    good = short_direct(I, r, i);
  } else if (good) {
    good = short_distributed(I, r, i, extended);
    if (!good) good = short_collect(I, r, i, false) && r->count > 0 && short_direct(I, r, i);
  }
  if (!good) r->count = 0; /* left to the smoother */
  return true;
}

static __global__ void __launch_bounds__(SHORT_THREADS, 6)
    short_kernel(hp_blocks blocks, const __grid_constant__ hp_interpolation I, int32_t *next, int32_t *next_count) {
  const int64_t i = hp_block(blocks) * SHORT_THREADS + threadIdx.x;
  double *weight = (double *)hp_shared_memory;
  short_row r = {weight + threadIdx.x, (int32_t *)(weight + SHORT_POINTS * SHORT_THREADS) + threadIdx.x, 0};
  int kept = 0;
  if (i < I.A.nrow && I.point[i] == HP_AMG_COARSE) {
    hp_interpolation_write_coarse(I, i);
    kept = 1;
  } else if (i < I.A.nrow) {
    if (short_weights(I, &r, (int32_t)i)) {
      kept = short_truncate(I, &r, (int32_t)i);
      I.count[i] = (uint32_t)kept;
    } else {
      next[hp_blocks_add(blocks, next_count, 1)] = (int32_t)i;
    }
  }
  hp_block_most(blocks, I.longest, kept);
}

hp_status hp_interpolate_short_rows(hp_setup *S, const hp_interpolation *I, int32_t *list, int32_t *counts,
                                    int *points) {
  *points = SHORT_POINTS;
  return hp_launch_all(S, "interpolating short rows", short_kernel, hp_parts(I->A.nrow, SHORT_THREADS), SHORT_THREADS,
                       SHORT_POINTS * SHORT_THREADS * (sizeof(double) + sizeof(int32_t)), *I, list, counts);
}
