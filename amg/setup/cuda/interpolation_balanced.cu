/* Interpolation on a GPU, load-balanced: the terms of a row's formula are distributed evenly over the lanes (extended+i
 * and classical):
 *
 *     items               entries of row i that count, in their order: strong fine neighbours k, coarse neighbours
 *     terms of an item    (k, l) for l in the list of k; one for a coarse neighbour
 *
 *     one term per lane   inserts l into the hash table of points if it is strong; then looks all l up there
 *     one item per lane   hp_amg_row_distribute's sum over the terms of k, in their order
 *     one term per lane   adds a_ik (a_kl / sum) to the point's weight, for equal points in the order of the terms
 *     one point per lane  sorts by rank, keeps the largest
 *
 * The groups of a warp run in lock step. Rows that outgrow the tables, and rows whose weights fail and which need
 * another formula, go to the list of amg/setup/cuda/interpolation_group.cu. */
#include "amg/setup/cuda/interpolation.cuh"

enum { BALANCED_THREADS = 128 };
enum { SLOT = 63, OUTSIDE = 64 /* of the set */, PAST = 128 /* l > i */ };

/* Tables of a group of G lanes for rows of at most ENTRIES < 256 entries, ITEMS items, TERMS terms and POINTS <= 64
 * points. */
template <int G_, int POINTS_, int TERMS_, int ENTRIES_, int ITEMS_>
struct balanced {
  enum { G = G_, POINTS = POINTS_, TERMS = TERMS_, ENTRIES = ENTRIES_, ITEMS = ITEMS_ };
  double value[TERMS]; /* a_kl, 0 outside of the set; at the end the weights, sorted */
  double weight[POINTS];
  double to_d[ENTRIES]; /* what an entry adds to d */
  double a[ITEMS];      /* of an item: a_ik and the sum; 1 and 1 of a coarse one */
  double sum[ITEMS];
  int32_t column[TERMS]; /* l, ~l where it is strong; at the end the points, sorted */
  int32_t key[POINTS];
  int32_t distinct[POINTS];
  uint16_t begin[ITEMS + 2]; /* of an item's terms */
  uint8_t slot[TERMS];       /* of a term: SLOT, OUTSIDE, PAST */
  uint8_t owner[TERMS];      /* item of a term */
  uint8_t item[ENTRIES];     /* entry of an item */
  uint8_t kind[ENTRIES];     /* of an entry */
};

/* The current row, the same in all lanes of the group. A group without a row has an empty one. */
typedef struct {
  int32_t i;
  uint32_t begin;
  int length, items, terms, points;
  bool fits;
} balanced_row;

/* Entries to items; what is neither adds to d. */
template <int G, class TABLES>
static __device__ __forceinline__ void find_items(const hp_interpolation &I, TABLES *w, balanced_row *r) {
  typedef hp_step<G> L;
  r->items = 0;
  for (int s0 = 0; L::more(s0 < r->length); s0 += G) {
    const int s = s0 + L::lane();
    int kind = HP_ENTRY_WEAK;
    if (s < r->length) {
      kind = I.kind_of[r->begin + s];
      w->kind[s] = (uint8_t)kind;
      w->to_d[s] = kind == HP_ENTRY_WEAK ? I.A.value[r->begin + s] : 0.0;
    }
    const unsigned all = L::vote(kind != HP_ENTRY_WEAK);
    if (kind != HP_ENTRY_WEAK) w->item[r->items + __popc(all & ((1u << L::lane()) - 1u))] = (uint8_t)s;
    r->items += __popc(all);
  }
  if (r->items > TABLES::ITEMS) {
    r->fits = false;
    r->items = r->length = 0;
  }
  L::sync();
}

/* The terms of all items, and the set of points. An item with an empty list has one empty term. */
template <int G, class TABLES>
static __device__ __forceinline__ void find_terms(const hp_interpolation &I, TABLES *w, balanced_row *r,
                                                  bool extended) {
  typedef hp_step<G> L;
  bool full = false;
  int fresh = 0;
  r->terms = 0;
  for (int m0 = 0; L::more(m0 < r->items); m0 += G) {
    const int m = m0 + L::lane();
    int32_t j = 0;
    uint32_t from = 0;
    int kind = HP_ENTRY_WEAK, count = 0, terms = 0;
    double a = 0.0, akk = 0.0;
    if (m < r->items) {
      const int s = w->item[m];
      kind = w->kind[s];
      j = I.A.column[r->begin + s];
      a = I.A.value[r->begin + s];
      terms = 1;
      if (kind == HP_ENTRY_FINE) {
        from = I.A.begin[j];
        count = I.list_count[j];
        akk = I.diagonal[j];
        terms = count > 1 ? count : 1;
      }
    }
    const int offset = hp_lanes<G>::before(terms), total = L::shuffle(offset + terms, G - 1);
    r->fits = r->fits && r->terms + total <= TABLES::TERMS;
    if (m < r->items && r->fits) {
      w->begin[m] = (uint16_t)(r->terms + offset);
      w->begin[m + 1] = (uint16_t)(r->terms + offset + terms);
      w->a[m] = kind == HP_ENTRY_FINE ? a : 1.0;
      w->sum[m] = 1.0;
    }
    const int here = r->fits ? total : 0;
    int begun = 0; /* items of this round before the term at hand */
    for (int p0 = 0; L::more(p0 < here); p0 += G) {
      const int start = offset - p0, p = p0 + L::lane();
      const unsigned starts = hp_lanes<G>::either(terms > 0 && start >= 0 && start < G ? 1u << start : 0u);
      const int owner = begun + __popc(starts & ((2u << L::lane()) - 1u)) - 1;
      begun += __popc(starts);
      const int its = L::shuffle(kind, owner), its_count = L::shuffle(count, owner);
      const int32_t its_j = L::shuffle(j, owner), its_first = L::shuffle(offset, owner);
      const uint32_t its_from = L::shuffle(from, owner);
      const double its_a = L::shuffle(a, owner), its_akk = L::shuffle(akk, owner);
      if (p >= here) continue;
      int32_t l = its == HP_ENTRY_COARSE ? ~its_j : its_j;
      double v = its_a;
      if (its == HP_ENTRY_FINE) {
        l = 0;
        v = 0.0;
        if (p - its_first < its_count) {
          l = I.list_column[its_from + (p - its_first)];
          v = I.list_value[its_from + (p - its_first)];
          if (!(v * its_akk < 0.0)) v = 0.0;
          if (!extended && l < 0) l = ~l; /* its neighbours are points already, or are none */
        }
      }
      int slot = OUTSIDE;
      if (l < 0) {
        bool is_new = false;
        slot = hp_hash_add<true>(w->key, TABLES::POINTS, ~l, &is_new);
        full = full || slot < 0;
        fresh += is_new;
      }
      w->value[r->terms + p] = v;
      w->column[r->terms + p] = l;
      w->slot[r->terms + p] = (uint8_t)(slot & 127);
      w->owner[r->terms + p] = (uint8_t)(m0 + owner);
    }
    r->terms += here;
  }
  r->points = L::sum(fresh);
  if (L::any(full)) r->fits = false;
  if (!r->fits) r->items = r->terms = r->points = r->length = 0;
  L::sync();
}

/* Looks up the terms that are not strong: each is a point, or outside of the set. */
template <int G, class TABLES>
static __device__ __forceinline__ void find_points(TABLES *w, const balanced_row *r) {
  typedef hp_step<G> L;
  for (int p = L::lane(); p < r->terms; p += G) {
    const int32_t l = w->column[p], column = l < 0 ? ~l : l;
    int slot = w->slot[p];
    if (l >= 0) {
      slot = hp_hash_find(w->key, TABLES::POINTS, column);
      if (slot < 0) {
        slot = OUTSIDE;
        if (w->kind[w->item[w->owner[p]]] == HP_ENTRY_FINE) w->value[p] = 0.0;
      }
    }
    w->slot[p] = (uint8_t)(slot | (column > r->i ? PAST : 0));
  }
  L::sync();
}

/* hp_amg_row_distribute's sums, an item a lane, and what it adds to d. */
template <int G, class TABLES>
static __device__ __forceinline__ void sum_items(const hp_interpolation &I, TABLES *w, const balanced_row *r,
                                                 bool extended) {
  typedef hp_step<G> L;
  for (int m = L::lane(); m < r->items; m += G) {
    const int s = w->item[m], kind = w->kind[s], begin = w->begin[m], end = w->begin[m + 1];
    if (kind == HP_ENTRY_WEAK_COARSE && (w->slot[begin] & OUTSIDE) != 0) w->to_d[s] = w->value[begin];
    if (kind != HP_ENTRY_FINE) continue;
    const double aik = w->a[m];
    double back = 0.0, sum = 0.0;
    bool past = false;
    if (extended) {
      const int32_t k = I.A.column[r->begin + s];
      back = hp_interpolation_back(I, k, I.diagonal[k], r->i);
    }
    for (int p = begin; p < end; ++p) {
      if (!past && (w->slot[p] & PAST) != 0) {
        sum += back;
        past = true;
      }
      sum += w->value[p];
    }
    if (!past) sum += back;
    w->to_d[s] = sum == 0.0 ? aik : back != 0.0 ? aik * (back / sum) : 0.0;
    w->a[m] = sum == 0.0 ? 0.0 : aik;
    w->sum[m] = sum == 0.0 ? 1.0 : sum;
  }
  L::sync();
}

/* Adds the terms to the weights; of several terms of one point in a round the first is added first. */
template <int G, class TABLES>
static __device__ __forceinline__ void add_terms(TABLES *w, const balanced_row *r) {
  typedef hp_step<G> L;
  const unsigned lane = threadIdx.x & 31;
  for (int p0 = 0; L::more(p0 < r->terms); p0 += G) {
    const int p = p0 + L::lane();
    const int slot = p < r->terms ? w->slot[p] & (SLOT | OUTSIDE) : OUTSIDE;
    const bool in = slot < OUTSIDE;
    double v = 0.0;
    if (in) {
      const int m = w->owner[p];
      v = w->a[m] * (w->value[p] / w->sum[m]);
    }
    const unsigned same = __match_any_sync(0xffffffffu, in ? (lane & ~(G - 1u)) * 64u + (unsigned)slot : 4096u + lane);
    const int turn = in ? __popc(same & ((1u << lane) - 1u)) : -1;
    for (int t = 0; L::more(turn >= t); ++t) {
      if (turn == t) w->weight[slot] += v;
      L::sync();
    }
  }
}

/* The points in their order: w->column, w->value. */
template <int G, class TABLES>
static __device__ __forceinline__ void sort_points(TABLES *w, const balanced_row *r, double d) {
  typedef hp_step<G> L;
  int held = 0;
#pragma unroll
  for (int n = 0; n < TABLES::POINTS; n += G) {
    const int32_t key = w->key[n + L::lane()];
    const unsigned there = L::vote(key >= 0);
    if (key >= 0) {
      const int at = held + __popc(there & ((1u << L::lane()) - 1u));
      w->distinct[at] = key;
      w->slot[at] = (uint8_t)(n + L::lane());
    }
    held += __popc(there);
  }
  L::sync();
  for (int n = L::lane(); n < r->points; n += G) {
    const int32_t column = w->distinct[n];
    int rank = 0;
    for (int m = 0; m < r->points; ++m) rank += w->distinct[m] < column;
    w->column[rank] = column;
    w->value[rank] = w->weight[w->slot[n]] / d;
  }
  L::sync();
}

/* Keeps the largest weights, scaled so that the row's sum stays, and writes them; returns how many. */
template <int G, class TABLES>
static __device__ __forceinline__ int keep_largest(const hp_interpolation &I, TABLES *w, const balanced_row *r,
                                                   bool on) {
  typedef hp_step<G> L;
  const int count = r->points;
  double before = 0.0, after = 0.0, most = 0.0;
  for (int n = 0; n < count; ++n) {
    const double v = w->value[n];
    before += v;
    most = fmax(most, fabs(v));
  }
  const bool select = I.max_weights > 0 && I.max_weights < count;
  int kept = 0;
  for (int n0 = 0; L::more(n0 < count); n0 += G) {
    const int n = n0 + L::lane();
    const double size = n < count ? fabs(w->value[n]) : 0.0;
    const int32_t key = n < count ? w->column[n] : 0;
    bool keep = n < count && size != 0.0 && !(size < I.truncation * most);
    if (select) {
      int larger = 0;
      for (int m = 0; m < count; ++m) {
        const double other = fabs(w->value[m]);
        larger += other > size ||
                  (other == size && m != n && hp_interpolation_precedes(other, w->column[m], size, key, r->i));
      }
      keep = keep && larger < I.max_weights;
    }
    const unsigned all = L::vote(keep);
    if (keep) w->slot[kept + __popc(all & ((1u << L::lane()) - 1u))] = (uint8_t)n;
    kept += __popc(all);
  }
  L::sync();
  for (int n = 0; n < kept; ++n) after += w->value[w->slot[n]];
  const double factor = after * before > 0.0 ? before / after : 1.0;
  const int64_t to = on ? hp_interpolation_room(I, r->i) : 0;
  for (int n = L::lane(); n < kept; n += G) {
    const int at = w->slot[n];
    I.column[to + n] = I.number[w->column[at]];
    I.value[to + n] = w->value[at] * factor;
  }
  if (on && L::lane() == 0) I.count[r->i] = (uint32_t)kept;
  return kept;
}

/* Computes the row of fine point i (-1: none). False: another kernel must compute it. */
template <int G, class TABLES>
static __device__ __forceinline__ bool make_row(const hp_interpolation &I, TABLES *w, int32_t i, int *kept) {
  typedef hp_step<G> L;
  const bool extended = I.kind == HP_AMG_EXTENDED;
  balanced_row r = {i, 0, 0, 0, 0, 0, true};
  double aii = 0.0, d = 0.0;
  if (i >= 0) {
    r.begin = I.A.begin[i];
    r.length = hp_csr_length(&I.A, i);
    aii = I.diagonal[i];
  }
  if (r.length > TABLES::ENTRIES) {
    r.fits = false;
    r.length = 0;
  }
#pragma unroll
  for (int n = 0; n < TABLES::POINTS; n += G) {
    w->key[n + L::lane()] = -1;
    w->weight[n + L::lane()] = 0.0;
  }
  find_items<G>(I, w, &r);
  find_terms<G>(I, w, &r, extended);
  find_points<G>(w, &r);
  sum_items<G>(I, w, &r, extended);
  add_terms<G>(w, &r);
  for (int n = 0; n < r.length; ++n) d += w->to_d[n];
  if (r.points > 0 && !(d * aii > 1e-12 * aii * aii)) {
    r.fits = false;
    r.points = 0;
  }
  sort_points<G>(w, &r, -d);
  *kept = keep_largest<G>(I, w, &r, i >= 0 && r.fits);
  L::sync(); /* the tables are the next row's */
  return r.fits;
}

/* Rows of a list, in the block's shared memory; those that do not fit go to the next one. list_count NULL: the list of
 * all fine points. */
template <class TABLES>
static __global__ void __launch_bounds__(BALANCED_THREADS)
    balanced_kernel(hp_blocks blocks, const __grid_constant__ hp_interpolation I, const int32_t *list,
                    const int32_t *list_count, int32_t *next, int32_t *next_count) {
  enum { G = TABLES::G };
  typedef hp_step<G> L;
  TABLES *w = (TABLES *)hp_shared_memory + threadIdx.x / G;
  const int64_t count = list_count != NULL ? *list_count : I.A.nrow - I.number[I.A.nrow];
  const hp_blocks_share rows = hp_blocks_share_of(blocks, count);
  const int64_t step = (int64_t)gridDim.x * (BALANCED_THREADS / G);
  int longest = 0;
  for (int64_t n = rows.begin + ((int64_t)blockIdx.x * BALANCED_THREADS + threadIdx.x) / G; L::more(n < rows.end);
       n += step) {
    const int32_t i = n < rows.end ? list[n] : -1;
    int kept = 0;
    if (!make_row<G>(I, w, i, &kept) && L::lane() == 0) next[hp_blocks_add(blocks, next_count, 1)] = i;
    longest = kept > longest ? kept : longest;
  }
  hp_block_most(blocks, I.longest, longest);
}

/* Coarse points' rows, and the list of the fine ones. */
static __global__ void __launch_bounds__(HP_SETUP_THREADS)
    split_kernel(hp_blocks blocks, const __grid_constant__ hp_interpolation I, int32_t *fine) {
  const int64_t i = hp_block(blocks) * HP_SETUP_THREADS + threadIdx.x;
  if (i >= I.A.nrow) return;
  if (I.point[i] == HP_AMG_COARSE) hp_interpolation_write_coarse(I, i);
  else fine[i - I.number[i]] = (int32_t)i;
}

bool hp_interpolates_balanced(hp_amg_interpolation kind) { return kind == HP_AMG_EXTENDED || kind == HP_AMG_CLASSICAL; }

typedef balanced<8, 32, 32, 8, 8> short_tables;
typedef balanced<16, 32, 96, 64, 32> middle_tables;
typedef balanced<32, 64, 256, 128, 64> long_tables;
typedef balanced<32, 64, 768, 255, 192> largest_tables;

template <class TABLES>
static hp_status launch(hp_setup *S, const hp_interpolation *I, int64_t groups, const int32_t *list,
                        const int32_t *list_count, int32_t *next, int32_t *next_count) {
  return hp_launch_all(S, "interpolating", balanced_kernel<TABLES>, hp_parts(groups * TABLES::G, BALANCED_THREADS),
                       BALANCED_THREADS, (BALANCED_THREADS / TABLES::G) * sizeof(TABLES), *I, list, list_count, next,
                       next_count);
}

hp_status hp_interpolate_balanced_rows(hp_setup *S, const hp_interpolation *I, double average, int32_t *list,
                                       int32_t *counts, int32_t *others) {
  const int64_t n = I->A.nrow, warps = (int64_t)S->multiprocessors * 32;
  int32_t *fine = others; /* has been read when the rows that stay are known */
  HP_TRY(hp_launch_all(S, "listing fine points", split_kernel, hp_parts(n, HP_SETUP_THREADS), HP_SETUP_THREADS, 0, *I,
                       fine));
  if (average <= 10.0) HP_TRY(launch<short_tables>(S, I, n, fine, NULL, others + n, counts + 1));
  else if (n < warps) return launch<largest_tables>(S, I, n, fine, NULL, list, counts);
  else if (average <= 40.0) HP_TRY(launch<middle_tables>(S, I, n, fine, NULL, others + n, counts + 1));
  else HP_TRY(launch<long_tables>(S, I, n, fine, NULL, others + n, counts + 1));
  HP_TRY(launch<largest_tables>(S, I, 8 * S->multiprocessors, others + n, counts + 1, list, counts));
  return hp_device_zero(S->D, counts + 1, (int64_t)sizeof *counts); /* the next list's */
}
