/* core/team/local.h on a GPU. */
#ifndef HP_CORE_TEAM_CUDA_LOCAL_CUH
#define HP_CORE_TEAM_CUDA_LOCAL_CUH

#if defined(__CUDA_ARCH__)

/* Pairs that a thread processes at once unless the loop says otherwise (hp_local_for_batch). A larger batch has more
 * loads in flight and needs more registers. */
enum { HP_LOCAL_BATCH = 2 };

/* Pair number k, k+1, .. of the thread in a chunk: entries at, at+1; at+64, at+65; .. as far as they are below
 * `end`. */
struct hp_place {
  int64_t at;
  int k, left; /* entries from `at` to the chunk's end */
  bool whole;  /* `at` is even */
};

/* The entries at a place; 0 beyond the chunk's end. */
template <int BATCH>
struct hp_num_batch {
  double2 v[BATCH];
};
typedef hp_num_batch<HP_LOCAL_BATCH> hp_num;

#define HP_NUM_OPERATOR(op)                                                                                         \
  template <int BATCH>                                                                                              \
  static __device__ __forceinline__ hp_num_batch<BATCH> operator op(hp_num_batch<BATCH> a, hp_num_batch<BATCH> b) { \
    hp_num_batch<BATCH> c;                                                                                          \
    _Pragma("unroll") for (int p = 0; p < BATCH; ++p)                                                               \
        c.v[p] = make_double2(a.v[p].x op b.v[p].x, a.v[p].y op b.v[p].y);                                          \
    return c;                                                                                                       \
  }
HP_NUM_OPERATOR(+)
HP_NUM_OPERATOR(-)
HP_NUM_OPERATOR(*)
#undef HP_NUM_OPERATOR

template <int BATCH>
static __device__ __forceinline__ hp_num_batch<BATCH> operator*(double a, hp_num_batch<BATCH> b) {
  hp_num_batch<BATCH> c;
#pragma unroll
  for (int p = 0; p < BATCH; ++p) c.v[p] = make_double2(a * b.v[p].x, a * b.v[p].y);
  return c;
}

static __device__ __forceinline__ hp_num hp_num_of(double a) {
  hp_num c;
#pragma unroll
  for (int p = 0; p < HP_LOCAL_BATCH; ++p) c.v[p] = make_double2(a, a);
  return c;
}

/* Address of pair k, which begins at index i. */
static __device__ __forceinline__ double *hp_local_pair(hp_local v, int64_t i, int k) {
  return v.at + (v.chip ? 2 * (k * blockDim.x + threadIdx.x) : i);
}

/* Pair k at index i, of which `left` entries are in the chunk. `whole`: i is even. */
static __device__ __forceinline__ double2 hp_local_get_pair(hp_local v, int64_t i, int k, bool whole, int left) {
  const double *from = hp_local_pair(v, i, k);
  double2 out = make_double2(0.0, 0.0);
  if (left > 1 && whole) {
    out = *(const double2 *)(const void *)from;
  } else if (left > 0) {
    out.x = from[0];
    if (left > 1) out.y = from[1];
  }
  return out;
}

static __device__ __forceinline__ void hp_local_put_pair(hp_local v, int64_t i, int k, bool whole, int left,
                                                         double2 number) {
  double *to = hp_local_pair(v, i, k);
  if (left > 1 && whole) {
    *(double2 *)(void *)to = number;
  } else if (left > 0) {
    to[0] = number.x;
    if (left > 1) to[1] = number.y;
  }
}

template <int BATCH>
static __device__ __forceinline__ hp_num_batch<BATCH> hp_local_get(hp_local v, const hp_place &p) {
  hp_num_batch<BATCH> out;
#pragma unroll
  for (int b = 0; b < BATCH; ++b)
    out.v[b] = hp_local_get_pair(v, p.at + b * HP_LANES, p.k + b, p.whole, p.left - b * HP_LANES);
  return out;
}

template <int BATCH>
static __device__ __forceinline__ void hp_local_put(hp_local v, const hp_place &p, hp_num_batch<BATCH> number) {
#pragma unroll
  for (int b = 0; b < BATCH; ++b)
    hp_local_put_pair(v, p.at + b * HP_LANES, p.k + b, p.whole, p.left - b * HP_LANES, number.v[b]);
}

#define HP_NUM hp_num
#define HP_NUM_OF(number) hp_num_of(number)
#define HP_GET(v, i) hp_local_get<HP_LOCAL_BATCH>(v, i)
#define HP_PUT(v, i, number) hp_local_put(v, i, number)

/* The chunks of the thread's warp. */
struct hp_local_chunks {
  hp_cut cut;
  int chunk, k;
};

static __device__ __forceinline__ hp_local_chunks hp_local_chunks_of(const hp_team *t, int64_t n) {
  hp_local_chunks w;
  w.cut = hp_team_cut_owned(t, n);
  w.chunk = w.cut.from + t->chunk;
  w.k = 0;
  return w;
}
/* The thread's first place in the chunk; advances w->k to the next chunk. */
static __device__ __forceinline__ hp_place hp_local_first(const hp_team *t, hp_local_chunks *w) {
  const int64_t begin = hp_cut_begin(&w->cut, w->chunk), end = hp_cut_end(&w->cut, w->chunk);
  hp_place p;
  p.at = begin + 2 * t->lane;
  p.left = (int)(end - p.at);
  p.k = w->k;
  p.whole = w->chunk < w->cut.first;
  w->k += (int)((end - begin + HP_LANES - 1) / HP_LANES);
  return p;
}
static __device__ __forceinline__ void hp_local_next(hp_place *p, int batch) {
  p->at += batch * HP_LANES;
  p->left -= batch * HP_LANES;
  p->k += batch;
}

#define HP_LOCAL_FOR(t, i, n)                                                                           \
  for (hp_local_chunks hp_chunks_ = hp_local_chunks_of(t, n); hp_chunks_.chunk < hp_chunks_.cut.chunks; \
       hp_chunks_.chunk += (t)->chunk_step)                                                             \
    for (hp_place i = hp_local_first(t, &hp_chunks_); i.left > 0; hp_local_next(&i, HP_LOCAL_BATCH))

/* A place of a chunk whose pairs are all aligned and complete: one test per pair serves all vectors. */
struct hp_place_of_pairs : hp_place {};

template <int BATCH>
static __device__ __forceinline__ hp_num_batch<BATCH> hp_local_get(hp_local v, const hp_place_of_pairs &p) {
  hp_num_batch<BATCH> out;
#pragma unroll
  for (int b = 0; b < BATCH; ++b) {
    out.v[b] = make_double2(0.0, 0.0);
    if (p.left > b * HP_LANES)
      out.v[b] = *(const double2 *)(const void *)hp_local_pair(v, p.at + b * HP_LANES, p.k + b);
  }
  return out;
}

template <int BATCH>
static __device__ __forceinline__ void hp_local_put(hp_local v, const hp_place_of_pairs &p,
                                                    hp_num_batch<BATCH> number) {
#pragma unroll
  for (int b = 0; b < BATCH; ++b)
    if (p.left > b * HP_LANES) *(double2 *)(void *)hp_local_pair(v, p.at + b * HP_LANES, p.k + b) = number.v[b];
}

/* HP_LOCAL_FOR with BATCH pairs at a time, for passes over many vectors: body(i) uses hp_local_get<BATCH>(v, i) and
 * hp_local_put<BATCH>(v, i, number). The body is compiled twice, because nearly all chunks have complete pairs only. */
template <int BATCH, class BODY>
static __device__ __forceinline__ void hp_local_for_batch(const hp_team *t, int64_t n, const BODY &body) {
  hp_local_chunks w = hp_local_chunks_of(t, n);
  for (; w.chunk < w.cut.chunks; w.chunk += t->chunk_step) {
    hp_place_of_pairs i;
    (hp_place &)i = hp_local_first(t, &w);
    if (i.whole && (i.left & 1) == 0) {
      for (; i.left > 0; hp_local_next(&i, BATCH)) body(i);
    } else {
      for (hp_place any = i; any.left > 0; hp_local_next(&any, BATCH)) body(any);
    }
  }
}

/* A thread's partial sums, one over its even and one over its odd entries: sum[place] += number. */
struct hp_local_sum_at {
  double *sum;
  const hp_place &p;
  __device__ __forceinline__ void operator+=(const hp_num &n) {
#pragma unroll
    for (int b = 0; b < HP_LOCAL_BATCH; ++b) {
      const int left = p.left - b * HP_LANES;
      if (left > 0) sum[0] += n.v[b].x;
      if (left > 1) sum[1] += n.v[b].y;
    }
  }
};
template <int count>
struct hp_local_sums {
  double v[count][2];
  __device__ __forceinline__ hp_local_sums() {
#pragma unroll
    for (int k = 0; k < count; ++k) v[k][0] = v[k][1] = 0.0;
  }
  struct part {
    double *v;
    __device__ __forceinline__ hp_local_sum_at operator[](const hp_place &p) { return hp_local_sum_at{v, p}; }
  };
  __device__ __forceinline__ part operator[](int k) { return part{v[k]}; }
};

/* HP_ACC(k) of core/team/team.h is hp_acc_[k][hp_lane_]. */
#define HP_LOCAL_REDUCE(t, i, n, count)                                                                  \
  {                                                                                                      \
    enum { hp_count_ = (count) };                                                                        \
    hp_local_chunks hp_chunks_ = hp_local_chunks_of(t, n);                                               \
    int hp_slot_ = hp_team_reduce_start(t, hp_chunks_.cut.total, hp_count_);                             \
    for (; hp_chunks_.chunk < hp_chunks_.cut.chunks;                                                     \
         hp_chunks_.chunk += (t)->chunk_step, hp_slot_ += (t)->slot_step) {                              \
      hp_local_sums<hp_count_> hp_acc_;                                                                  \
      for (hp_place i = hp_local_first(t, &hp_chunks_); i.left > 0; hp_local_next(&i, HP_LOCAL_BATCH)) { \
        const hp_place &hp_lane_ = i;
#define HP_LOCAL_REDUCE_END(t)                       \
  }                                                  \
  hp_team_warp_sums<hp_count_>(hp_slot_, hp_acc_.v); \
  }                                                  \
  }

static __device__ __forceinline__ hp_local_room hp_local_room_of(const hp_team *t, int64_t n, int64_t bytes) {
  hp_local_room room;
  room.at = (double *)hp_shared_rest(t);
  room.stride = hp_local_rows(t, n, t->chunk_step) * blockDim.x * 2;
  room.vectors = room.stride > 0 ? (int)(bytes / (room.stride * (int64_t)sizeof(double))) : 0;
  return room;
}

#endif

#endif
