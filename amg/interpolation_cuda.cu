/* Interpolation on a GPU: the formulas of amg/interpolation*.c, with their order of sums.
 *
 * First each row's coarse entries that can matter to others are gathered, in their order and at the row's own
 * place: what a neighbour is asked for is a short list, not its row.
 *
 *   short rows (the finest grid): a thread a row, its points in shared memory, in columns of the block's threads
 *   others: a group of G lanes a row, its points in a hash table with their weights; each lane takes a neighbour,
 *     whose entries it adds up in their order. What it has for the weights it adds in its turn: so the
 *     neighbours' shares come in their order. At the end the points are sorted by rank.
 *
 * Rows with more points than fit go to a list and are done by warps with larger tables. */
#include <math.h>

#include "amg/setup_cuda.cuh"

/* What entry k of A is to its row. */
enum { WEAK, FINE, COARSE, WEAK_COARSE };
enum { THREADS = HP_SETUP_THREADS, GROUP_THREADS = 128 };
enum { SEGMENT = 32 /* entries of a row looked at together */, HELD = 8 /* of a neighbour that a lane keeps */ };
enum { SHORT_ROW = 8 /* entries */, SHORT_POINTS = 24, SHORT_THREADS = 128 };
enum { ORDER_BYTES = SEGMENT * (int)(sizeof(double) + sizeof(uint8_t)), POINT_BYTES = 16 };
enum { WIDE_SIZE = 1024, WIDE_WARPS = 4 };
static const int64_t WIDE_MEMORY = 256 << 20;

typedef struct {
  hp_csr A;
  int32_t ncell;
  const double *diagonal;
  const uint8_t *point;
  const int32_t *number;
  uint8_t *kind_of;     /* [entries of A] */
  int32_t *list_count;  /* [nrow] of row k's coarse entries that are strong or of the sign opposite to its diagonal's */
  int32_t *list_column; /* from A.begin[k] on: column, ~column where strong */
  double *list_value;
  hp_amg_interpolation kind;
  double truncation;
  int max_weights;
  const int64_t *room; /* [nrow+1] where a row's weights go; NULL: at i max_weights */
  int32_t *count;      /* [nrow+1] of a row's weights */
  int32_t *column;
  double *value;
  int64_t *longest;
} interpolation;

static __device__ __forceinline__ int64_t room_of(const interpolation &I, int64_t i) {
  return I.room != NULL ? I.room[i] : i * I.max_weights;
}

/* The row of a coarse point. */
static __device__ __forceinline__ void write_coarse(const interpolation &I, int64_t i) {
  const int64_t to = room_of(I, i);
  I.column[to] = I.number[i];
  I.value[to] = 1.0;
  I.count[i] = 1;
}

/* A's entry (k, i) if it is of the sign opposite to the diagonal's, else 0. */
static __device__ __forceinline__ double entry_back(const interpolation &I, int32_t k, double akk, int32_t i) {
  int32_t low = I.A.begin[k], high = I.A.begin[k + 1] - 1;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (I.A.column[middle] < i) low = middle + 1;
    else high = middle;
  }
  if (high < low || I.A.column[low] != i) return 0.0;
  const double v = I.A.value[low];
  return v * akk < 0.0 ? v : 0.0;
}

/* ---- lists -------------------------------------------------------------------------------- */

template <int G>
static __global__ void __launch_bounds__(THREADS) list_kernel(interpolation I, const uint8_t *strong) {
  typedef hp_lanes<G> L;
  const int64_t i = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / G;
  if (i >= I.A.nrow) return;
  const int32_t begin = I.A.begin[i], end = I.A.begin[i + 1];
  const double aii = I.diagonal[i];
  int32_t held = 0;
  for (int32_t k0 = begin; k0 < end; k0 += G) {
    const int32_t k = k0 + L::lane();
    int32_t j = 0;
    double v = 0.0;
    int kind = WEAK;
    bool keep = false;
    if (k < end) {
      j = I.A.column[k];
      v = I.A.value[k];
      const bool coarse = I.point[j] == HP_AMG_COARSE;
      if (strong[k] != 0) kind = coarse ? COARSE : FINE;
      else if (coarse && j < I.ncell) kind = WEAK_COARSE;
      keep = j < I.ncell && coarse && (kind == COARSE || v * aii < 0.0);
      I.kind_of[k] = (uint8_t)kind;
    }
    const unsigned kept = L::vote(keep);
    if (keep) {
      const int32_t at = begin + held + __popc(kept & ((1u << L::lane()) - 1u));
      I.list_column[at] = kind == COARSE ? ~j : j;
      I.list_value[at] = v;
    }
    held += __popc(kept);
  }
  if (L::lane() == 0) I.list_count[i] = held;
}

/* ---- a thread a row -------------------------------------------------------------------------- */

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

/* Puts j at its place among the points, which rise. False: no room. */
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

static __device__ bool short_collect(const interpolation &I, short_row *r, int32_t i, bool extended) {
  bool fits = true;
  r->count = 0;
  for (int32_t k = I.A.begin[i]; k < I.A.begin[i + 1]; ++k) {
    const int kind = I.kind_of[k];
    if (kind == WEAK) continue;
    const int32_t j = I.A.column[k];
    if (kind == COARSE) fits = short_add(r, j) && fits;
    if (kind != FINE || !extended) continue;
    const int32_t begin = I.A.begin[j], end = begin + I.list_count[j];
    for (int32_t n = begin; n < end; ++n) {
      const int32_t l = I.list_column[n];
      if (l < 0) fits = short_add(r, ~l) && fits;
    }
  }
  for (int n = 0; n < r->count; ++n) r->weight[n * SHORT_THREADS] = 0.0;
  return fits;
}

/* hp_amg_row_distribute */
static __device__ double short_distribute(const interpolation &I, short_row *r, int32_t i, int32_t k, double aik,
                                          bool extended) {
  const double akk = I.diagonal[k];
  const int32_t begin = I.A.begin[k], end = begin + I.list_count[k];
  const double own = extended ? entry_back(I, k, akk, i) : 0.0;
  double sum = 0.0;
  bool past = false;
  for (int32_t n = begin; n < end; ++n) {
    const int32_t e = I.list_column[n], l = e < 0 ? ~e : e;
    const double v = I.list_value[n];
    if (!past && l > i) {
      sum += own;
      past = true;
    }
    if (v * akk < 0.0 && short_find(r, l) >= 0) sum += v;
  }
  if (!past) sum += own;
  if (sum == 0.0) return aik;
  for (int32_t n = begin; n < end; ++n) {
    const int32_t e = I.list_column[n], l = e < 0 ? ~e : e;
    const double v = I.list_value[n];
    const int at = v * akk < 0.0 ? short_find(r, l) : -1;
    if (at >= 0) r->weight[at * SHORT_THREADS] += aik * (v / sum);
  }
  return own != 0.0 ? aik * (own / sum) : 0.0;
}

/* hp_amg_row_distributed */
static __device__ bool short_distributed(const interpolation &I, short_row *r, int32_t i, bool extended) {
  const double aii = I.diagonal[i];
  double d = 0.0;
  for (int32_t k = I.A.begin[i]; k < I.A.begin[i + 1]; ++k) {
    const int32_t j = I.A.column[k];
    const double v = I.A.value[k];
    const int at = j < I.ncell ? short_find(r, j) : -1;
    if (at >= 0) r->weight[at * SHORT_THREADS] += v;
    else if (I.kind_of[k] == FINE) d += short_distribute(I, r, i, j, v, extended);
    else d += v;
  }
  for (int n = 0; n < r->count; ++n) r->weight[n * SHORT_THREADS] /= -d;
  return d * aii > 1e-12 * aii * aii;
}

/* hp_amg_interpolate_direct, the points collected */
static __device__ bool short_direct(const interpolation &I, short_row *r, int32_t i) {
  const double aii = I.diagonal[i];
  double all = 0.0, coarse = 0.0, d = aii;
  for (int32_t k = I.A.begin[i]; k < I.A.begin[i + 1]; ++k) {
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

/* Whether a weight of point k is larger than another of point j, or as large and of a point nearer to i. */
static __device__ __forceinline__ bool precedes(double a, int32_t k, double b, int32_t j, int32_t i) {
  if (a != b) return a > b;
  const int32_t dk = abs(k - i), dj = abs(j - i);
  return dk < dj || (dk == dj && k < j);
}

/* Keeps the largest weights, the row's sum as it was, and writes them out; returns how many. */
static __device__ int short_truncate(const interpolation &I, const short_row *r, int32_t i) {
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
      larger += m != n && precedes(fabs(r->weight[m * SHORT_THREADS]), r->key[m * SHORT_THREADS], fabs(w),
                                   r->key[n * SHORT_THREADS], i);
    keep = keep && (I.max_weights <= 0 || larger < I.max_weights);
    if (!keep) continue;
    kept |= 1u << n;
    after += w;
  }
  const double factor = after * before > 0.0 ? before / after : 1.0;
  int64_t to = room_of(I, i);
  for (unsigned left = kept; left != 0; left &= left - 1, ++to) {
    const int n = __ffs((int)left) - 1;
    I.column[to] = I.number[r->key[n * SHORT_THREADS]];
    I.value[to] = r->weight[n * SHORT_THREADS] * factor;
  }
  return __popc(kept);
}

/* Weights of fine point i into the row; false: too many points. */
static __device__ bool short_weights(const interpolation &I, short_row *r, int32_t i) {
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
    short_kernel(const __grid_constant__ interpolation I, int32_t *next, int32_t *next_count) {
  const int64_t i = (int64_t)blockIdx.x * SHORT_THREADS + threadIdx.x;
  double *weight = (double *)hp_shared_memory;
  short_row r = {weight + threadIdx.x, (int32_t *)(weight + SHORT_POINTS * SHORT_THREADS) + threadIdx.x, 0};
  int kept = 0;
  if (i < I.A.nrow && I.point[i] == HP_AMG_COARSE) {
    write_coarse(I, i);
    kept = 1;
  } else if (i < I.A.nrow) {
    if (short_weights(I, &r, (int32_t)i)) {
      kept = short_truncate(I, &r, (int32_t)i);
      I.count[i] = kept;
    } else {
      next[atomicAdd(next_count, 1)] = (int32_t)i;
    }
  }
  hp_block_most(I.longest, kept);
}

/* ---- a group of lanes a row -------------------------------------------------------------------- */

/* A row at work; all but the pointers' targets is the same in all lanes of the group. A group without a row has an
 * empty one: begin = end, count = 0. */
typedef struct {
  double *weight;  /* [size] */
  double *to_d;    /* [SEGMENT] what an entry of row i adds to d */
  int32_t *key;    /* [size] */
  int32_t *sorted; /* [size] where the points are, when they rise */
  uint8_t *order;  /* [SEGMENT] entries of row i with something to do */
  int size, count;
  int32_t begin, end; /* of row i of A */
} row_tables;

static __device__ __forceinline__ row_tables tables_at(char *memory, int size) {
  row_tables w;
  w.weight = (double *)memory;
  w.to_d = w.weight + size;
  w.key = (int32_t *)(w.to_d + SEGMENT);
  w.sorted = w.key + size;
  w.order = (uint8_t *)(w.sorted + size);
  w.size = size;
  w.count = 0;
  w.begin = w.end = 0;
  return w;
}

/* Puts `entry` of the lanes that are `in` after the `held` ones in w->order; returns how many are there now. */
template <int G>
static __device__ __forceinline__ int line_up(row_tables *w, bool in, int entry, int held) {
  const unsigned all = hp_step<G>::vote(in);
  if (in) w->order[held + __popc(all & ((1u << hp_step<G>::lane()) - 1u))] = (uint8_t)entry;
  return held + __popc(all);
}

/* The coarse points on which i depends; with `extended` also those on which its strong fine neighbours do.
 * False: they do not fit. Nothing happens to the tables of a group that is not `on`. */
template <int G, bool chip>
static __device__ __forceinline__ bool collect(const interpolation &I, row_tables *w, bool extended, bool on) {
  typedef hp_step<G> L;
  enum { AHEAD = 4 };
  const int32_t end = on ? w->end : w->begin;
  int fresh = 0;
  bool full = false, is_new = false;
  L::sync();
  for (int n = L::lane(); n < w->size && on; n += G) {
    w->key[n] = -1;
    w->weight[n] = 0.0;
  }
  L::sync();
  for (int32_t k0 = w->begin; L::more(k0 < end); k0 += SEGMENT) {
    int fine = 0;
    for (int s = L::lane(); s < SEGMENT && L::more(k0 + s < end); s += G) {
      const int kind = k0 + s < end ? I.kind_of[k0 + s] : WEAK;
      if (kind == COARSE) {
        full = hp_hash_add<chip>(w->key, w->size, I.A.column[k0 + s], &is_new) < 0 || full;
        fresh += is_new;
      }
      if (extended) fine = line_up<G>(w, kind == FINE, s, fine);
    }
    L::sync();
    for (int m = L::lane(); m < fine; m += G) {
      const int32_t j = I.A.column[k0 + w->order[m]], begin = I.A.begin[j], stop = begin + I.list_count[j];
      for (int32_t n0 = begin; n0 < stop && !full; n0 += AHEAD) {
        int32_t l[AHEAD];
#pragma unroll
        for (int a = 0; a < AHEAD; ++a) l[a] = n0 + a < stop ? I.list_column[n0 + a] : 0;
#pragma unroll
        for (int a = 0; a < AHEAD; ++a) {
          if (l[a] >= 0) continue;
          full = hp_hash_add<chip>(w->key, w->size, ~l[a], &is_new) < 0 || full;
          fresh += is_new;
        }
      }
    }
    L::sync(); /* order is free again */
  }
  fresh = L::sum(fresh);
  if (on) w->count = fresh;
  full = L::any(full);
  L::sync();
  return !full;
}

/* The place of entry e of a neighbour's list in the set if it takes part, -1 else. */
static __device__ __forceinline__ int place_of(const row_tables *w, int32_t e, double v, double akk) {
  return v * akk < 0.0 ? hp_hash_find(w->key, w->size, e < 0 ? ~e : e) : -1;
}

/* hp_amg_row_distribute by each lane of entry `e` of the segment from k0 on (-1: none), or what an entry in the set
 * adds itself; the lanes add to the weights one after the other. */
template <int G>
static __device__ __forceinline__ void share(const interpolation &I, row_tables *w, int32_t i, int32_t k0, int e,
                                             bool extended) {
  typedef hp_step<G> L;
  int32_t begin = 0, count = 0, column[HELD];
  int at[HELD];
  double aik = 0.0, akk = 0.0, own = 0.0, sum = 0.0, value[HELD];
  bool past = false;
#pragma unroll
  for (int n = 0; n < HELD; ++n) at[n] = -1;
  if (e >= 0) {
    const int32_t j = I.A.column[k0 + e];
    aik = I.A.value[k0 + e];
    if (I.kind_of[k0 + e] == FINE) {
      begin = I.A.begin[j];
      count = I.list_count[j];
      akk = I.diagonal[j];
      if (extended) own = entry_back(I, j, akk, i);
#pragma unroll
      for (int n = 0; n < HELD; ++n) {
        column[n] = n < count ? I.list_column[begin + n] : 0;
        value[n] = n < count ? I.list_value[begin + n] : 0.0;
      }
#pragma unroll
      for (int n = 0; n < HELD; ++n) {
        if (n >= count) continue;
        at[n] = place_of(w, column[n], value[n], akk);
        if (!past && (column[n] < 0 ? ~column[n] : column[n]) > i) {
          sum += own;
          past = true;
        }
        if (at[n] >= 0) sum += value[n];
      }
      for (int n = HELD; n < count; ++n) {
        const int32_t l = I.list_column[begin + n];
        const double v = I.list_value[begin + n];
        if (!past && (l < 0 ? ~l : l) > i) {
          sum += own;
          past = true;
        }
        if (place_of(w, l, v, akk) >= 0) sum += v;
      }
      if (!past) sum += own;
      w->to_d[e] = sum == 0.0 ? aik : own != 0.0 ? aik * (own / sum) : 0.0;
      if (sum == 0.0) count = 0;
#pragma unroll
      for (int n = 0; n < HELD; ++n) {
        if (n >= count) at[n] = -1;
        if (at[n] >= 0) value[n] = aik * (value[n] / sum);
      }
    } else {
      at[0] = hp_hash_find(w->key, w->size, j);
      value[0] = aik;
    }
  }
  for (int turn = 0; turn < G && L::more(e >= 0 && L::lane() >= turn); ++turn) {
    if (L::lane() == turn) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        double weight[HELD / 2]; /* the points of a neighbour are different ones */
#pragma unroll
        for (int n = 0; n < HELD / 2; ++n)
          if (at[half * HELD / 2 + n] >= 0) weight[n] = w->weight[at[half * HELD / 2 + n]];
#pragma unroll
        for (int n = 0; n < HELD / 2; ++n)
          if (at[half * HELD / 2 + n] >= 0) w->weight[at[half * HELD / 2 + n]] = weight[n] + value[half * HELD / 2 + n];
      }
      for (int n = HELD; n < count; ++n) {
        const double v = I.list_value[begin + n];
        const int place = place_of(w, I.list_column[begin + n], v, akk);
        if (place >= 0) w->weight[place] += aik * (v / sum);
      }
    }
    L::sync();
  }
}

/* hp_amg_row_distributed, the weights still to be divided by -d. */
template <int G>
static __device__ __forceinline__ double distributed(const interpolation &I, row_tables *w, int64_t i, bool extended,
                                                     bool on) {
  typedef hp_step<G> L;
  const int32_t end = on ? w->end : w->begin;
  double d = 0.0;
  for (int32_t k0 = w->begin; L::more(k0 < end); k0 += SEGMENT) {
    const int length = end - k0 < SEGMENT ? end - k0 : SEGMENT;
    int entries = 0;
    for (int s = L::lane(); s < SEGMENT && L::more(s < length); s += G) {
      bool in = false;
      if (s < length) {
        const int kind = I.kind_of[k0 + s];
        in = kind == FINE || kind == COARSE ||
             (kind == WEAK_COARSE && hp_hash_find(w->key, w->size, I.A.column[k0 + s]) >= 0);
        w->to_d[s] = in ? 0.0 : I.A.value[k0 + s];
      }
      entries = line_up<G>(w, in, s, entries);
    }
    L::sync();
    for (int m = L::lane(); L::more(m < entries); m += G)
      share<G>(I, w, (int32_t)i, k0, m < entries ? w->order[m] : -1, extended);
    L::sync();
#pragma unroll 4
    for (int n = 0; n < length; ++n) d += w->to_d[n];
    L::sync();
  }
  return d;
}

/* hp_amg_interpolate_direct, the points collected, the weights still to be multiplied by what comes back; 0: no
 * sensible weights. */
template <int G>
static __device__ __noinline__ double direct(const interpolation &I, const int32_t *key, int size, double *weight,
                                             int64_t i, double aii, int32_t begin, int32_t end) {
  typedef hp_step<G> L;
  double all = 0.0, coarse = 0.0, d = aii;
  for (int32_t k0 = begin; L::more(k0 < end); k0 += G) {
    const int32_t k = k0 + L::lane();
    int32_t column = -1;
    double value = 0.0;
    int at = -1;
    if (k < end) {
      column = I.A.column[k];
      value = I.A.value[k];
      if (column < I.ncell) at = hp_hash_find(key, size, column);
    }
    const int count = end - k0 < G ? end - k0 : G;
    for (int t = 0; L::more(t < count); ++t) {
      const double a = L::take(value, t);
      const int place = L::take(at, t);
      const int32_t j = L::take(column, t);
      if (j == i || t >= count) continue;
      if (j >= I.ncell || !(a * aii < 0.0)) {
        d += a;
        continue;
      }
      all += a;
      if (place < 0) continue;
      coarse += a;
      if (L::lane() == 0) weight[place] = a;
    }
  }
  L::sync();
  if (coarse == 0.0 || !(d * aii > 1e-12 * aii * aii)) return 0.0;
  return -all / coarse / d;
}

/* The points and their weights to the first places of key and weight: the table is gone. */
template <int G>
static __device__ __forceinline__ void pack(row_tables *w) {
  typedef hp_step<G> L;
  int held = 0;
  for (int n = L::lane(); n < w->size; n += G) { /* size is a multiple of 32 */
    const int32_t key = w->count > 0 ? w->key[n] : -1;
    const double weight = key >= 0 ? w->weight[n] : 0.0;
    const unsigned there = L::vote(key >= 0);
    const int at = held + __popc(there & ((1u << L::lane()) - 1u));
    L::sync(); /* all have read before one writes */
    if (key >= 0) {
      w->key[at] = key;
      w->weight[at] = weight;
    }
    held += __popc(there);
    L::sync();
  }
  const int padded = (held + 3) & ~3;
  if (held + L::lane() < padded) w->key[held + L::lane()] = INT32_MAX;
  L::sync();
}

template <int G>
static __device__ __forceinline__ void sort(row_tables *w) {
  typedef hp_step<G> L;
  const int4 *four = (const int4 *)w->key;
  for (int n = L::lane(); n < w->count; n += G) {
    const int32_t key = w->key[n];
    int rank = 0;
    for (int m = 0; m < (w->count + 3) / 4; ++m) {
      const int4 v = four[m];
      rank += (v.x < key) + (v.y < key) + (v.z < key) + (v.w < key);
    }
    w->sorted[rank] = n;
  }
  L::sync();
}

/* Keeps the largest weights, the row's sum as it was, and writes them out if the group is `on`. */
template <int G>
static __device__ __forceinline__ void truncate_row(const interpolation &I, row_tables *w, int64_t i, bool on) {
  typedef hp_step<G> L;
  const int count = w->count;
  double before = 0.0, after = 0.0, most = 0.0;
#pragma unroll 4
  for (int n = 0; n < count; ++n) {
    const double weight = w->weight[w->sorted[n]];
    before += weight;
    most = fmax(most, fabs(weight));
  }
  const bool select = I.max_weights > 0 && I.max_weights < count;
  const int64_t to = on ? room_of(I, i) : 0;
  int kept = 0;
  L::sync();
  for (int n0 = 0; L::more(n0 < count); n0 += G) {
    const int n = n0 + L::lane(), at = n < count ? w->sorted[n] : 0;
    const int32_t key = n < count ? w->key[at] : 0;
    const double weight = n < count ? w->weight[at] : 0.0, size = fabs(weight);
    bool keep = n < count && size != 0.0 && !(size < I.truncation * most);
    if (keep && select) {
      int larger = 0;
#pragma unroll 2
      for (int m = 0; m < count; ++m) {
        const double other = fabs(w->weight[m]);
        larger += other > size || (other == size && m != at && precedes(other, w->key[m], size, key, (int32_t)i));
      }
      keep = larger < I.max_weights;
    }
    const unsigned all = L::vote(keep);
    if (keep) w->sorted[kept + __popc(all & ((1u << L::lane()) - 1u))] = at; /* places read before */
    kept += __popc(all);
    L::sync();
  }
#pragma unroll 4
  for (int n = 0; n < kept; ++n) after += w->weight[w->sorted[n]];
  const double factor = after * before > 0.0 ? before / after : 1.0;
  for (int n = L::lane(); n < kept; n += G) {
    const int at = w->sorted[n];
    I.column[to + n] = I.number[w->key[at]];
    I.value[to + n] = w->weight[at] * factor;
  }
  if (on && L::lane() == 0) I.count[i] = kept;
  w->count = kept;
}

/* Row i if there `is` one. False: it needs larger tables. */
template <int G, bool chip>
static __device__ __forceinline__ bool make_row(const interpolation &I, row_tables *w, int64_t i, bool is) {
  typedef hp_step<G> L;
  const bool coarse = is && I.point[i] == HP_AMG_COARSE, extended = I.kind == HP_AMG_EXTENDED;
  bool on = is && !coarse;
  w->begin = on ? I.A.begin[i] : 0;
  w->end = on ? I.A.begin[i + 1] : 0;
  w->count = 0;
  if (coarse && L::lane() == 0) write_coarse(I, i);
  const double aii = on ? I.diagonal[i] : 0.0;
  const bool fits = collect<G, chip>(I, w, extended, on);
  on = on && fits;
  double d = 1.0, factor = 1.0;
  bool good = on && w->count > 0, tries = good && I.kind == HP_AMG_DIRECT;
  if (I.kind == HP_AMG_AVERAGING) {
    for (int n = L::lane(); n < w->size && good; n += G) w->weight[n] = 1.0 / w->count;
    L::sync();
  } else if (I.kind != HP_AMG_DIRECT) {
    const double sum = distributed<G>(I, w, i, extended, good);
    const bool fails = good && !(sum * aii > 1e-12 * aii * aii);
    if (!fails) d = -sum;
    if (L::more(fails)) collect<G, chip>(I, w, false, fails);
    tries = fails && w->count > 0;
    good = good && !fails;
  }
  if (L::more(tries)) {
    const double by = direct<G>(I, w->key, w->size, w->weight, i, aii, w->begin, tries ? w->end : w->begin);
    if (tries) {
      d = 1.0;
      factor = by;
      good = by != 0.0;
    }
  }
  if (!good) w->count = 0; /* left to the smoother */
  pack<G>(w);
  for (int n = L::lane(); n < w->count; n += G) w->weight[n] = w->weight[n] * factor / d;
  L::sync();
  sort<G>(w);
  truncate_row<G>(I, w, i, on);
  L::sync();
  if (coarse) w->count = 1;
  return fits;
}

template <int G, bool chip>
static __global__ void __launch_bounds__(GROUP_THREADS, 5)
    interpolate_kernel(const __grid_constant__ interpolation I, const __grid_constant__ hp_wide wide) {
  typedef hp_step<G> L;
  const int64_t group = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / G;
  const int64_t groups = (int64_t)gridDim.x * blockDim.x / G;
  char *memory = chip ? (char *)hp_shared_memory + (int)(threadIdx.x / G) * (int)wide.bytes
                      : wide.memory + group * wide.bytes;
  row_tables w = tables_at(memory, wide.size);
  const int64_t count = wide.list != NULL ? *wide.count : I.A.nrow;
  int longest = 0;
  for (int64_t n = group; L::more(n < count); n += groups) {
    const int64_t i = n >= count ? 0 : wide.list != NULL ? wide.list[n] : n;
    const bool fits = make_row<G, chip>(I, &w, i, n < count);
    if (w.count > longest) longest = w.count;
    if (!fits && L::lane() == 0) wide.next[atomicAdd(wide.next_count, 1)] = (int32_t)i;
  }
  hp_block_most(I.longest, longest);
}

/* ---- around them ------------------------------------------------------------------------------- */

/* Weights that row i can have at most. */
static __global__ void __launch_bounds__(THREADS) room_kernel(interpolation I, int64_t *room) {
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i >= I.A.nrow) return;
  const bool coarse = I.point[i] == HP_AMG_COARSE;
  int64_t sum = coarse;
  for (int32_t k = I.A.begin[i]; k < I.A.begin[i + 1] && !coarse; ++k) {
    if (I.kind_of[k] == COARSE) sum += 1;
    else if (I.kind_of[k] == FINE && I.kind == HP_AMG_EXTENDED) sum += I.list_count[I.A.column[k]];
  }
  room[i] = sum;
}

static __global__ void __launch_bounds__(THREADS) compact_kernel(interpolation I, hp_csr P) {
  const int64_t i = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / 4;
  if (i >= P.nrow) return;
  const int64_t from = room_of(I, i);
  const int32_t begin = P.begin[i], count = P.begin[i + 1] - begin;
  for (int32_t n = (int32_t)(threadIdx.x & 3); n < count; n += 4) {
    P.column[begin + n] = I.column[from + n];
    P.value[begin + n] = I.value[from + n];
  }
}

/* counts: coarse points, weights. */
static __global__ void sizes_kernel(int64_t *counts, const int32_t *coarse, const int32_t *weights) {
  counts[0] = *coarse;
  counts[1] = *weights;
}

static hp_status make_lists(hp_setup *S, interpolation *I, int64_t entries, const uint8_t *strong) {
  const int64_t n = I->A.nrow;
  HP_TRY(HP_TAKE(&S->scratch, I->kind_of, entries));
  HP_TRY(HP_TAKE(&S->scratch, I->list_count, n));
  HP_TRY(HP_TAKE(&S->scratch, I->list_column, entries));
  HP_TRY(HP_TAKE(&S->scratch, I->list_value, entries));
  hp_status s = HP_OK;
  HP_WITH_LANES(hp_lanes_for((double)entries / (double)n),
                s = hp_launch(S, "gathering coarse entries", list_kernel<G>, hp_parts(n * G, THREADS), THREADS, 0, *I,
                              strong));
  return s;
}

/* Where rows' weights go, if they have no limit: waits once. */
static hp_status make_room(hp_setup *S, interpolation *I, int64_t *weights) {
  int64_t *room = NULL;
  const int64_t n = I->A.nrow;
  *weights = n * I->max_weights;
  if (I->max_weights > 0) return HP_OK;
  HP_TRY(HP_TAKE(&S->scratch, room, n + 1));
  HP_TRY(hp_launch(S, "making room for interpolation", room_kernel, hp_parts(n, THREADS), THREADS, 0, *I, room));
  HP_TRY(hp_setup_scan64(S, room, room, n));
  HP_TRY(hp_device_copy(S->D, S->counts, room + n, (int64_t)sizeof *room));
  HP_TRY(hp_setup_learn(S));
  *weights = S->host_counts[0];
  I->room = room;
  return HP_OK;
}

static int64_t bytes_of(int64_t size) { return POINT_BYTES * size + ORDER_BYTES; }

/* Rows that outgrew the first tables: first in shared memory, then in the device's. */
static hp_status wide_rows(hp_setup *S, const interpolation *I, int32_t *list, int32_t *counts, int64_t longest) {
  const int32_t n = I->A.nrow;
  int64_t bound = longest * longest, size = WIDE_SIZE;
  if (bound > n) bound = n;
  const hp_wide w = {list, counts, list + n, counts + 1, NULL, WIDE_SIZE, bytes_of(WIDE_SIZE)};
  HP_TRY(hp_launch(S, "interpolating long rows", interpolate_kernel<32, true>, 2 * S->multiprocessors, 32 * WIDE_WARPS,
                   (size_t)(WIDE_WARPS * w.bytes), *I, w));
  if (bound <= WIDE_SIZE) return HP_OK;
  while (size < 2 * bound) size *= 2;
  int64_t blocks = WIDE_MEMORY / bytes_of(size);
  blocks = blocks < 1 ? 1 : blocks > 8 * S->multiprocessors ? 8 * S->multiprocessors : blocks;
  const hp_pool_mark here = hp_pool_here(&S->scratch);
  char *memory = NULL;
  HP_TRY(hp_pool_take(&S->scratch, (void **)&memory, blocks, (size_t)bytes_of(size)));
  const hp_wide all = {list + n, counts + 1, NULL, NULL, memory, (int)size, bytes_of(size)};
  HP_TRY(hp_launch(S, "interpolating the longest rows", interpolate_kernel<32, false>, blocks, 32, 0, *I, all));
  hp_pool_back(&S->scratch, here);
  return HP_OK;
}

/* Lanes of a row: few for short rows, more where there are too few rows to keep the device busy. */
static int lanes_of(const hp_setup *S, int64_t rows, double entries) {
  const int64_t threads = (int64_t)S->multiprocessors * 1024;
  int lanes = entries <= 40.0 ? 4 : 16;
  while (lanes < 32 && rows * lanes < threads) lanes *= 2;
  return lanes;
}

static hp_status make_rows(hp_setup *S, const interpolation *I, int64_t entries, int64_t longest) {
  const int64_t n = I->A.nrow;
  const double average = (double)entries / (double)(n > 0 ? n : 1);
  int size = average <= 10.0 ? 32 : average <= 40.0 ? 64 : 128;
  int32_t *list = NULL, *counts = NULL;
  hp_status s = HP_OK;
  HP_TRY(HP_TAKE(&S->scratch, list, 2 * n));
  HP_TRY(HP_TAKE(&S->scratch, counts, 2));
  HP_TRY(hp_device_zero(S->D, counts, 2 * (int64_t)sizeof *counts));
  if (longest <= SHORT_ROW) {
    size = SHORT_POINTS;
    HP_TRY(hp_launch(S, "interpolating short rows", short_kernel, hp_parts(n, SHORT_THREADS), SHORT_THREADS,
                     SHORT_POINTS * SHORT_THREADS * (sizeof(double) + sizeof(int32_t)), *I, list, counts));
  } else {
    const hp_wide w = {NULL, NULL, list, counts, NULL, size, bytes_of(size)};
    HP_WITH_LANES(lanes_of(S, n, average),
                  s = hp_launch(S, "interpolating", interpolate_kernel<G, true>, hp_parts(n * G, GROUP_THREADS),
                                GROUP_THREADS, (size_t)(w.bytes * (GROUP_THREADS / G)), *I, w));
  }
  if (s != HP_OK || longest * longest <= size) return s;
  return wide_rows(S, I, list, counts, longest);
}

hp_status hp_setup_interpolate(hp_setup *S, const hp_device_csr *A, const hp_setup_graph *g, const uint8_t *point,
                               const int32_t *number, const hp_amg_options *opt, hp_device_csr *P,
                               hp_device_plan *plan) {
  interpolation I = {};
  I.A = A->at;
  I.ncell = g->ncell;
  I.diagonal = g->diagonal;
  I.point = point;
  I.number = number;
  I.kind = opt->interpolation;
  I.truncation = opt->truncation;
  I.max_weights = opt->max_weights;
  I.longest = S->counts + 2;
  const int64_t n = A->at.nrow;
  int64_t weights = 0;
  HP_TRY(make_lists(S, &I, A->count, g->strong));
  HP_TRY(make_room(S, &I, &weights));
  HP_TRY(HP_TAKE(&S->scratch, I.count, n + 1));
  HP_TRY(HP_TAKE(&S->scratch, I.column, weights));
  HP_TRY(HP_TAKE(&S->scratch, I.value, weights));
  HP_TRY(make_rows(S, &I, A->count, A->longest));
  HP_TRY(HP_TAKE(&S->keep, P->at.begin, n + 1));
  HP_TRY(hp_setup_scan(S, I.count, P->at.begin, n));
  HP_TRY(hp_setup_count_products(S, &A->at, P->at.begin, plan, 3));
  HP_TRY(hp_launch(S, "counting coarse points", sizes_kernel, 1, 1, 0, S->counts, number + n, P->at.begin + n));
  HP_TRY(hp_setup_learn(S));
  P->at.nrow = (int32_t)n;
  P->at.ncol = (int32_t)S->host_counts[0];
  P->count = S->host_counts[1];
  P->longest = S->host_counts[2] > 1 ? (int32_t)S->host_counts[2] : 1;
  plan->count = S->host_counts[3];
  const int32_t coarse = P->at.ncol - (int32_t)(n - g->ncell);
  if (coarse <= 0 || !(coarse < 0.95 * g->ncell)) {
    P->at.ncol = 0;
    return HP_OK;
  }
  HP_TRY(HP_TAKE(&S->keep, P->at.column, P->count));
  HP_TRY(HP_TAKE(&S->keep, P->at.value, P->count));
  return hp_launch(S, "gathering interpolation", compact_kernel, hp_parts(4 * n, THREADS), THREADS, 0, I, P->at);
}
