/* Interpolation on a GPU, one group of G lanes per row. A hash table holds the row's points and their weights. Each lane
 * processes one neighbour, whose entries it adds up in their order; then the lanes add to the weights one after the
 * other, in the order of the neighbours. At the end the points are sorted by rank.
 *
 * Rows with more points than fit are listed; warps with larger tables process them. */
#include "amg/setup/cuda/interpolation.cuh"

enum { GROUP_THREADS = 128 };
enum { SEGMENT = 32 /* entries of a row looked at together */, HELD = 8 /* of a neighbour that a lane keeps */ };
enum { ORDER_BYTES = SEGMENT * (int)(sizeof(double) + sizeof(uint8_t)), POINT_BYTES = 16 };
enum { WIDE_SIZE = 1024 };

/* The row of a coarse point. */
static __device__ __forceinline__ void write_coarse(const hp_interpolation &I, int64_t i) {
  const int64_t to = hp_interpolation_room(I, i);
  I.column[to] = I.number[i];
  I.value[to] = 1.0;
  I.count[i] = 1;
}

/* A's entry (k, i) if it is of the sign opposite to the diagonal's, else 0. */
static __device__ __forceinline__ double entry_back(const hp_interpolation &I, int32_t k, double akk, int32_t i) {
  const uint32_t begin = I.A.begin[k];
  const int32_t *column = I.A.column + begin;
  int low = 0, high = hp_csr_length(&I.A, k) - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (column[middle] < i) low = middle + 1;
    else high = middle;
  }
  if (high < low || column[low] != i) return 0.0;
  const double v = I.A.value[begin + low];
  return v * akk < 0.0 ? v : 0.0;
}

/* Whether a weight of point k is larger than another of point j, or as large and of a point nearer to i. */
static __device__ __forceinline__ bool precedes(double a, int32_t k, double b, int32_t j, int32_t i) {
  if (a != b) return a > b;
  const int32_t dk = abs(k - i), dj = abs(j - i);
  return dk < dj || (dk == dj && k < j);
}

/* The current row. All but the pointers' targets is the same in all lanes of the group. A group without a row has an
 * empty one: begin = end, count = 0. */
typedef struct {
  double *weight;  /* [size] */
  double *to_d;    /* [SEGMENT] what an entry of row i adds to d */
  int32_t *key;    /* [size] */
  int32_t *sorted; /* [size] where the points are, when they rise */
  uint8_t *order;  /* [SEGMENT] entries of row i with something to do */
  int size, count;
  uint32_t begin, end; /* of row i of A */
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
static __device__ __forceinline__ bool collect(const hp_interpolation &I, row_tables *w, bool extended, bool on) {
  typedef hp_step<G> L;
  enum { AHEAD = 4 };
  const uint32_t end = on ? w->end : w->begin;
  int fresh = 0;
  bool full = false, is_new = false;
  L::sync();
  for (int n = L::lane(); n < w->size && on; n += G) {
    w->key[n] = -1;
    w->weight[n] = 0.0;
  }
  L::sync();
  for (uint32_t k0 = w->begin; L::more(k0 < end); k0 += SEGMENT) {
    int fine = 0;
    for (int s = L::lane(); s < SEGMENT && L::more(k0 + s < end); s += G) {
      const int kind = k0 + s < end ? I.kind_of[k0 + s] : HP_ENTRY_WEAK;
      if (kind == HP_ENTRY_COARSE) {
        full = hp_hash_add<chip>(w->key, w->size, I.A.column[k0 + s], &is_new) < 0 || full;
        fresh += is_new;
      }
      if (extended) fine = line_up<G>(w, kind == HP_ENTRY_FINE, s, fine);
    }
    L::sync();
    for (int m = L::lane(); m < fine; m += G) {
      const int32_t j = I.A.column[k0 + w->order[m]];
      const uint32_t begin = I.A.begin[j], stop = begin + I.list_count[j];
      for (uint32_t n0 = begin; n0 < stop && !full; n0 += AHEAD) {
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
static __device__ __forceinline__ void share(const hp_interpolation &I, row_tables *w, int32_t i, uint32_t k0, int e,
                                             bool extended) {
  typedef hp_step<G> L;
  uint32_t begin = 0;
  int32_t count = 0, column[HELD];
  int at[HELD];
  double aik = 0.0, akk = 0.0, back = 0.0, sum = 0.0, value[HELD];
  bool past = false;
#pragma unroll
  for (int n = 0; n < HELD; ++n) at[n] = -1;
  if (e >= 0) {
    const int32_t j = I.A.column[k0 + e];
    aik = I.A.value[k0 + e];
    if (I.kind_of[k0 + e] == HP_ENTRY_FINE) {
      begin = I.A.begin[j];
      count = I.list_count[j];
      akk = I.diagonal[j];
      if (extended) back = entry_back(I, j, akk, i);
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
          sum += back;
          past = true;
        }
        if (at[n] >= 0) sum += value[n];
      }
      for (int n = HELD; n < count; ++n) {
        const int32_t l = I.list_column[begin + n];
        const double v = I.list_value[begin + n];
        if (!past && (l < 0 ? ~l : l) > i) {
          sum += back;
          past = true;
        }
        if (place_of(w, l, v, akk) >= 0) sum += v;
      }
      if (!past) sum += back;
      w->to_d[e] = sum == 0.0 ? aik : back != 0.0 ? aik * (back / sum) : 0.0;
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
static __device__ __forceinline__ double distributed(const hp_interpolation &I, row_tables *w, int64_t i, bool extended,
                                                     bool on) {
  typedef hp_step<G> L;
  const uint32_t end = on ? w->end : w->begin;
  double d = 0.0;
  for (uint32_t k0 = w->begin; L::more(k0 < end); k0 += SEGMENT) {
    const int length = k0 >= end ? 0 : end - k0 < SEGMENT ? (int)(end - k0) : SEGMENT;
    int entries = 0;
    for (int s = L::lane(); s < SEGMENT && L::more(s < length); s += G) {
      bool in = false;
      if (s < length) {
        const int kind = I.kind_of[k0 + s];
        in = kind == HP_ENTRY_FINE || kind == HP_ENTRY_COARSE ||
             (kind == HP_ENTRY_WEAK_COARSE && hp_hash_find(w->key, w->size, I.A.column[k0 + s]) >= 0);
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
static __device__ __noinline__ double direct(const hp_interpolation &I, const int32_t *key, int size, double *weight,
                                             int64_t i, double aii, uint32_t begin, uint32_t end) {
  typedef hp_step<G> L;
  double all = 0.0, coarse = 0.0, d = aii;
  for (uint32_t k0 = begin; L::more(k0 < end); k0 += G) {
    const uint32_t k = k0 + L::lane();
    int32_t column = -1;
    double value = 0.0;
    int at = -1;
    if (k < end) {
      column = I.A.column[k];
      value = I.A.value[k];
      if (column < I.ncell) at = hp_hash_find(key, size, column);
    }
    const int count = k0 >= end ? 0 : end - k0 < G ? (int)(end - k0) : G;
    for (int t = 0; L::more(t < count); ++t) {
      const double a = L::shuffle(value, t);
      const int place = L::shuffle(at, t);
      const int32_t j = L::shuffle(column, t);
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

/* Moves the points and their weights to the first places of key and weight, which destroys the table. */
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

/* Keeps the largest weights, scaled so that the row's sum stays, and writes them if the group is `on`. */
template <int G>
static __device__ __forceinline__ void truncate_row(const hp_interpolation &I, row_tables *w, int64_t i, bool on) {
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
  const int64_t to = on ? hp_interpolation_room(I, i) : 0;
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
    L::sync(); /* the places from n0 on have been read, those written are not beyond them */
    if (keep) w->sorted[kept + __popc(all & ((1u << L::lane()) - 1u))] = at;
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
  if (on && L::lane() == 0) I.count[i] = (uint32_t)kept;
  w->count = kept;
}

/* Row i if there `is` one. False: it needs larger tables. */
template <int G, bool chip>
static __device__ __forceinline__ bool make_row(const hp_interpolation &I, row_tables *w, int64_t i, bool is) {
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
    interpolate_kernel(hp_blocks blocks, const __grid_constant__ hp_interpolation I,
                       const __grid_constant__ hp_wide wide) {
  typedef hp_step<G> L;
  const int64_t group = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / G;
  const int64_t groups = (int64_t)gridDim.x * blockDim.x / G, before = blocks.first * blockDim.x / G;
  const hp_blocks_share rows = hp_blocks_share_of(blocks, wide.list != NULL ? *wide.count : I.A.nrow);
  row_tables w = tables_at(hp_wide_tables<G, chip>(wide, before + group), wide.size);
  int longest = 0;
  for (int64_t n = rows.begin + group; L::more(n < rows.end); n += groups) {
    const int64_t i = n >= rows.end ? 0 : wide.list != NULL ? wide.list[n] : n;
    const bool fits = make_row<G, chip>(I, &w, i, n < rows.end);
    if (w.count > longest) longest = w.count;
    if (!fits && L::lane() == 0) wide.next[hp_blocks_add(blocks, wide.next_count, 1)] = (int32_t)i;
  }
  hp_block_most(blocks, I.longest, longest);
}

/* ---- all rows ---- */

static int64_t bytes_of(int64_t size) { return POINT_BYTES * size + ORDER_BYTES; }

/* Lanes per row: few for short rows, more where there are too few rows to keep the device busy. */
static int lanes_of(const hp_setup *S, int64_t rows, double entries) {
  const int64_t threads = (int64_t)S->multiprocessors * 1024;
  int lanes = entries <= 40.0 ? 4 : 16;
  while (lanes < 32 && rows * lanes < threads) lanes *= 2;
  return lanes;
}

hp_status hp_interpolate_rows(hp_setup *S, const hp_interpolation *I, double average, int32_t *list, int32_t *counts,
                              int *points) {
  const int64_t n = I->A.nrow;
  const int size = average <= 10.0 ? 32 : average <= 40.0 ? 64 : 128;
  const hp_wide w = {NULL, NULL, list, counts, NULL, size, bytes_of(size)};
  hp_status s = HP_OK;
  *points = size;
  HP_WITH_LANES(lanes_of(S, n, average),
                s = hp_launch_all(S, "interpolating", interpolate_kernel<G, true>, hp_parts(n * G, GROUP_THREADS),
                                  GROUP_THREADS, (size_t)(w.bytes * (GROUP_THREADS / G)), *I, w));
  return s;
}

hp_status hp_interpolate_wide_rows(hp_setup *S, const hp_interpolation *I, int32_t *list, int32_t *counts,
                                   int64_t longest) {
  const int32_t n = I->A.nrow;
  const int64_t points = longest * longest < n ? longest * longest : n;
  return hp_setup_wide_rows(S, "interpolating long rows", interpolate_kernel<32, true>, interpolate_kernel<32, false>,
                            *I, n, list, counts, WIDE_SIZE, points, bytes_of);
}
