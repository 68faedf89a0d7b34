/* The team: the same program source runs on a CPU's cores and, inside one
 * persistent kernel, on a GPU.
 *
 * A team program is SPMD: every member runs the same function with its own
 * hp_team. Members share memory; what one writes the others may read after the
 * next barrier. All members pass the same barriers, reductions and loops in
 * the same order.
 *
 *     static void body(hp_team *t, void *arg) {
 *       HP_TEAM_FOR(t, i, n) r[i] = b[i] - r[i];       each member has a part of 0..n-1
 *       hp_team_sync(t);                               everybody sees all of r
 *       double s[1];
 *       HP_TEAM_REDUCE(t, i, n, 1) { HP_ACC(0) += r[i] * r[i]; } HP_TEAM_REDUCE_END(t);
 *       hp_team_sum(t, n, 1, s);                       the same bits on every member
 *     }
 *     HP_TRY(hp_team_run(hub, body, &arg));
 *
 *  hub   the threads and the barrier, created once (the CPU team)
 *  team  one member's view: rank, size
 *
 * Ownership. A loop over n indices is cut into chunks whose length depends on
 * n only (core/team/cut.h); each chunk belongs to one member. Two consecutive
 * loops need no barrier between them only if the second reads nothing that
 * another member wrote in the first. In "rotated" hubs the owner of a chunk
 * changes from loop to loop, pseudo-randomly, so that ThreadSanitizer sees
 * every missing barrier; a loop that relies on keeping the ownership of the loop before it
 * says so with HP_TEAM_FOR_OWNED / HP_TEAM_REDUCE_OWNED. In an owned loop the
 * chunk's owner is always the same member for the same n. Hubs that stand for several GPUs cut loops where those do,
 * owned ones between groups of chunks, others elsewhere.
 *
 * Sums depend on n only: 64 lanes inside a chunk, a fixed tree over the lanes,
 * one over the 8 chunks of a group, one over the groups. Any team size gives the
 * same bits, and so does a GPU, where a chunk is a warp's work (a thread sums
 * the lanes 2l and 2l+1: a cell of two unknowns, or 16 bytes) and a group
 * is that of 8 warps of one block.
 *
 * Systems. The last rows of a system with wells are long and few. After
 * hp_team_split(t, at, n) the loops over exactly n indices put the rows from
 * `at` on into chunks of their own, so that a member with a long row has no
 * other work.
 *
 * Split barriers: hp_team_sum_begin ... independent work ... hp_team_sum_end.
 *
 * A barrier of several GPUs takes two or three times as long as that of one. The first GPU therefore does small work
 * alone, while the others wait at the barrier behind it (hp_team_first_begin):
 *
 *       hp_team_sync(t);                               what was written before is visible
 *       if (hp_team_first_begin(t)) {                  t is the team of the first GPU
 *         HP_TEAM_FOR(t, i, n) b[i] = a[i];
 *         hp_team_first_sync(t);                       its members only
 *         HP_TEAM_FOR(t, i, n) a[i] = b[n - 1 - i];
 *       }
 *       hp_team_first_end(t);
 *       hp_team_sync(t);                               all
 *
 * On a GPU (core/team/cuda/team.cuh) the team is the grid of one cooperative kernel
 * and each thread is a member. There an owned loop walks through the chunks of
 * the thread's warp, a free loop is a grid stride. On several GPUs each has consecutive indices of both.
 *
 * Ranks. A hub may be that of one of several ranks, each with a part of the reservoir (core/ranks/part.h). Its sums and
 * maxima are those of all ranks: sums add chunks of whole columns, which lie alike in every part, exactly, so that
 * their bits depend on neither the ranks' number nor their parts. All ranks must pass the same reductions. On the GPU
 * of a rank (kernels compiled with HP_DEVICE_RANKS) a kernel leaves its chunks' exact sums in device memory, one
 * reduction after the other, for the host to add up over ranks (core/device/part.h). The program itself gets zero sums
 * and the rank's own maxima, and must not decide by them.
 *
 * A wait longer than the hub's time limit marks the hub as broken and records
 * the place of the barrier; every later wait returns at once and hp_team_run
 * reports HP_ERR_TEAM. Iterations therefore need a bound.
 */
#ifndef HP_CORE_TEAM_TEAM_H
#define HP_CORE_TEAM_TEAM_H

#include "core/parallel.h"
#include "core/ranks/part.h"
#include "core/team/cut.h"

HP_EXTERN_C_BEGIN

enum { HP_SUMS_MAX = 8, HP_TEAM_MAX = HP_THREADS_MAX };

typedef struct hp_team_hub hp_team_hub;
struct hp_team_grid; /* core/team/cuda/grid.cuh */

typedef struct hp_team {
  int rank, size;
  hp_team_hub *hub;
  int64_t split_at, split_n; /* hp_team_split; split_n = 0: none */
  uint32_t turn;             /* loops so far; rotates ownership */
  uint32_t generation;       /* of the hub's barrier, as this member knows it */
  uint32_t sums;             /* reductions passed, picks the buffer of partial sums */
  int64_t barriers;          /* passed in all runs of the hub so far */
  /* of the first GPU's own barrier (hp_team_first_sync); on a GPU what its counter reaches */
  uint32_t first_generation;
  int64_t sweep;       /* pipelined sweeps begun */
  double *partial[2];  /* [HP_SUMS_MAX][stride] of the hub, used in turn; GPU: [HP_SUMS_MAX][HP_GROUPS_MAX] */
  int64_t stride;      /* CPU: HP_CHUNKS_MAX, or more for a part */
  const hp_part *part; /* CPU: of a rank, NULL: there is one rank */
  /* CPU only: whether the team is that of the first GPU, what it was before, and those of its barriers that were its own */
  bool on_first;
  int whole;
  uint32_t whole_turn;
  int64_t first_barriers;
  /* GPU only */
  const struct hp_team_grid *grid;
  int gpus;                    /* that the team is on; 0 as 1 */
  uint32_t counter_base;       /* the counter barrier reaches counter_base + generation * blocks */
  int lane, chunk, chunk_step; /* of the warp; first chunk and distance between chunks of the warp */
  int slot, slot_step, slots;  /* places of the warp's sums in the block's shared memory */
  int reduce_count;
  int64_t reduce_n;
  int summed; /* of a rank: sums of this kernel so far, in grid->exact */
} hp_team;

typedef struct {
  int64_t begin, end;
} hp_span;

typedef struct {
  double time_limit; /* seconds a member waits before the hub is broken; 0: 600 */
  uint32_t rotate;   /* seed of the rotation of ownership (tests); 0: none */
  int gpus; /* tests: members stand for parts of so many GPUs, each of which has its share of all loops; 0: none */
  int64_t skip_barrier; /* tests only: the barrier with this number, counted from 1 over all
                           runs, is left out, to prove that a missing one is noticed; 0: none */
  int64_t skip_first;   /* the same of the barriers that the first GPU's members pass by themselves */
  const hp_part *part;  /* of a rank; outlives the hub. NULL: none */
} hp_team_options;

/* Starts size-1 threads (the caller of hp_team_run is member 0).
 * 1 <= size <= HP_TEAM_MAX, at least one for each of opt's GPUs; opt may be NULL: all zero. */
hp_status hp_team_hub_create(int size, const hp_team_options *opt, hp_team_hub **out) HP_MUST_USE;
void hp_team_hub_destroy(hp_team_hub **hub);
int hp_team_hub_size(const hp_team_hub *hub);

/* Runs body(member, arg) on every member and returns when all are done.
 * HP_ERR_TEAM with the place if a wait took too long: then the results are
 * void, the hub refuses further runs, and only destroying it is left. One
 * more time limit is granted to the members to leave the body. */
hp_status hp_team_run(hp_team_hub *hub, void (*body)(hp_team *, void *), void *arg) HP_MUST_USE;

/* Barriers passed by all runs so far (for reports and tests). */
int64_t hp_team_barriers(const hp_team_hub *hub);

void hp_team_arrive_at(hp_team *t, const char *place);
void hp_team_wait_at(hp_team *t, const char *place);

#define HP_TEAM_STR2(x) #x
#define HP_TEAM_STR(x) HP_TEAM_STR2(x)
#define HP_TEAM_PLACE __FILE__ ":" HP_TEAM_STR(__LINE__)

/* Barrier: what was written before it is visible to all after it. */
#if defined(__CUDA_ARCH__)
#define hp_team_sync(t) hp_team_grid_sync(t, HP_TEAM_PLACE)
#else
#define hp_team_sync(t) (hp_team_arrive_at(t, HP_TEAM_PLACE), hp_team_wait_at(t, HP_TEAM_PLACE))
#endif

/* ---- on the first of several GPUs ---- */

/* True on members of the first GPU, whose team t is until hp_team_first_end: it has loops over indices and
 * hp_team_first_sync in place of hp_team_sync, but no sums and maxima. False on the others, which do nothing until
 * then. True on all members if the team is on one GPU or on none; then nothing changes. */
#if defined(__CUDA_ARCH__)
#define hp_team_first_begin(t) hp_team_grid_first_begin(t)
#define hp_team_first_end(t) hp_team_grid_first_end(t)
#define hp_team_first_sync(t) hp_team_grid_first_sync(t, HP_TEAM_PLACE)
#else
bool hp_team_first_begin(hp_team *t);
void hp_team_first_end(hp_team *t);
void hp_team_first_sync_at(hp_team *t, const char *place);
#define hp_team_first_sync(t) hp_team_first_sync_at(t, HP_TEAM_PLACE)
#endif

/* ---- loops ---- */

HP_INLINE HP_HD hp_cut hp_team_cut(const hp_team *t, int64_t n) {
#if defined(HP_CONSTANT_N) /* kernels compiled for one matrix, each of which splits the loops over its rows */
  const int64_t at = n == HP_CONSTANT_N ? HP_CONSTANT_ROWS : n;
#else
  const int64_t at = n == t->split_n ? t->split_at : n;
#endif
#if !defined(__CUDA_ARCH__)
  const hp_part *p = t->part;
  if (p != NULL && at > 0 && at % p->ncell == 0) return hp_cut_even(at, n, p->chunk * (at / p->ncell), 1);
  if (p != NULL) return hp_cut_whole(at, n);
#endif
  return hp_cut_of(at, n);
}

#if defined(__CUDACC__)
/* The part of a GPU where the team spans several. */
HP_INLINE __device__ hp_cut hp_team_gpu_share(const hp_team *t, hp_cut c);
HP_INLINE __device__ hp_cut hp_team_cut_owned(const hp_team *t, int64_t n) {
  return hp_team_gpu_share(t, hp_team_cut(t, n));
}
#endif

/* Cuts later loops over exactly n indices at `at` <= n. */
HP_INLINE HP_HD void hp_team_split(hp_team *t, int64_t at, int64_t n) {
  t->split_at = at;
  t->split_n = n;
}

/* Chunks c with begin <= c < end, out of `count`, that the member owns. */
HP_INLINE HP_HD hp_span hp_team_chunks_of(int rank, int size, int64_t count) {
  hp_span s;
  s.begin = count * rank / size;
  s.end = count * (rank + 1) / size;
  return s;
}

/* The indices that belong to this member: contiguous. `owned` != 0 keeps the
 * owner from loop to loop. */
hp_span hp_team_span(hp_team *t, int64_t n, int owned);
hp_span hp_team_chunks(hp_team *t, int64_t n, int owned);

#if defined(__CUDA_ARCH__)
#define HP_TEAM_FOR(t, i, n)                                                                                        \
  for (hp_team_share hp_part_ = hp_team_share_free(t, n), *hp_once_ = &hp_part_; hp_once_ != NULL; hp_once_ = NULL) \
    for (int64_t i = hp_part_.begin + hp_part_.rank; i < hp_part_.end; i += hp_part_.size)
#define HP_TEAM_FOR_OWNED(t, i, n)                                                                                 \
  for (hp_cut hp_cut_ = hp_team_cut_owned(t, n), *hp_once_ = &hp_cut_; hp_once_ != NULL; hp_once_ = NULL)          \
    for (int hp_c_ = hp_cut_.from + (t)->chunk; hp_c_ < hp_cut_.chunks; hp_c_ += (t)->chunk_step)                  \
      for (int64_t hp_from_ = hp_cut_begin(&hp_cut_, hp_c_) + 2 * (t)->lane, hp_to_ = hp_cut_end(&hp_cut_, hp_c_); \
           hp_from_ < hp_to_; hp_from_ += HP_LANES)                                                                \
        for (int64_t i = hp_from_, hp_two_ = hp_from_ + 2 < hp_to_ ? hp_from_ + 2 : hp_to_; i < hp_two_; ++i)
#else
#define HP_TEAM_FOR_(t, i, n, owned)                                                                   \
  for (hp_span hp_span_ = hp_team_span(t, n, owned), hp_once_ = {0, 1}; hp_once_.begin < hp_once_.end; \
       ++hp_once_.begin)                                                                               \
    for (int64_t i = hp_span_.begin; i < hp_span_.end; ++i)

/* for i of this member's part of 0..n-1 */
#define HP_TEAM_FOR(t, i, n) HP_TEAM_FOR_(t, i, n, 0)
#define HP_TEAM_FOR_OWNED(t, i, n) HP_TEAM_FOR_(t, i, n, 1)
#endif

/* ---- sums ---- */

/* Neighbouring lanes, then pairs 16 apart, 8, 4, 2, 1, as a thread and a warp's
 * shuffles do it; changes them. */
HP_INLINE HP_HD double hp_sum_lanes(double *lane) {
  for (int l = 0; l < 32; ++l) lane[l] = lane[2 * l] + lane[2 * l + 1];
  for (int l = 0; l < 16; ++l) lane[l] += lane[l + 16];
  for (int l = 0; l < 8; ++l) lane[l] += lane[l + 8];
  for (int l = 0; l < 4; ++l) lane[l] += lane[l + 4];
  for (int l = 0; l < 2; ++l) lane[l] += lane[l + 2];
  return lane[0] + lane[1];
}

/* Sum of a group's chunks; p [HP_GROUP], those that do not exist are zero. */
HP_INLINE HP_HD double hp_sum_group(const double *p) {
  return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]));
}

/* Stores the sums of chunk c; acc is [count][HP_LANES], overwritten; count <=
 * HP_SUMS_MAX. Inline, so that the compiler sees that nothing aliases the accumulators. */
HP_INLINE HP_HD void hp_team_partial(hp_team *t, int64_t c, int count, double (*acc)[HP_LANES]) {
  double *partial = t->partial[t->sums & 1u];
  for (int k = 0; k < count; ++k) partial[k * t->stride + c] = hp_sum_lanes(acc[k]);
}

#if defined(__CUDA_ARCH__)
/* A chunk: a lane has two indices of every HP_LANES. */
#define HP_TEAM_REDUCE_CHUNK_(t, i)                                                                                 \
  double hp_acc_[hp_count_][2] = {{0.0}};                                                                           \
  const int64_t hp_to_ = hp_cut_end(&hp_cut_, hp_c_);                                                               \
  for (int64_t hp_from_ = hp_cut_begin(&hp_cut_, hp_c_) + 2 * (t)->lane; hp_from_ < hp_to_; hp_from_ += HP_LANES) { \
    _Pragma("unroll") for (int hp_lane_ = 0; hp_lane_ < 2; ++hp_lane_) {                                            \
      const int64_t i = hp_from_ + hp_lane_;                                                                        \
      if (i < hp_to_) {
#endif

/* A loop whose body adds to HP_ACC(0) .. HP_ACC(count-1); `count` is a
 * constant of at most HP_SUMS_MAX. The sums are collected with hp_team_sum. */
#if defined(__CUDA_ARCH__) && defined(HP_DEVICE_RANKS)
#define HP_TEAM_REDUCE_(t, i, n, count, owned)                                                      \
  {                                                                                                 \
    enum { hp_count_ = (count) };                                                                   \
    const hp_cut hp_cut_ = hp_team_rank_cut(t, n);                                                  \
    for (int hp_c_ = hp_cut_.from + (t)->chunk; hp_c_ < hp_cut_.chunks; hp_c_ += (t)->chunk_step) { \
      HP_TEAM_REDUCE_CHUNK_(t, i)
#define HP_TEAM_REDUCE_END(t)               \
  }                                         \
  }                                         \
  }                                         \
  hp_team_rank_sums<hp_count_>(t, hp_acc_); \
  }                                         \
  }
#elif defined(__CUDA_ARCH__)
#define HP_TEAM_REDUCE_(t, i, n, count, owned)                          \
  {                                                                     \
    enum { hp_count_ = (count) };                                       \
    const hp_cut hp_cut_ = hp_team_cut_owned(t, n);                     \
    int hp_slot_ = hp_team_reduce_start(t, hp_cut_.total, hp_count_);   \
    for (int hp_c_ = hp_cut_.from + (t)->chunk; hp_c_ < hp_cut_.chunks; \
         hp_c_ += (t)->chunk_step, hp_slot_ += (t)->slot_step) {        \
      HP_TEAM_REDUCE_CHUNK_(t, i)
#define HP_TEAM_REDUCE_END(t)                      \
  }                                                \
  }                                                \
  }                                                \
  hp_team_warp_sums<hp_count_>(hp_slot_, hp_acc_); \
  }                                                \
  }
#else
#define HP_TEAM_REDUCE_(t, i, n, count, owned)                                                               \
  {                                                                                                          \
    enum { hp_count_ = (count) };                                                                            \
    const hp_cut hp_cut_ = hp_team_cut(t, n);                                                                \
    const hp_span hp_chunks_ = hp_team_chunks(t, hp_cut_.total, owned);                                      \
    for (int64_t hp_c_ = hp_chunks_.begin; hp_c_ < hp_chunks_.end; ++hp_c_) {                                \
      double hp_acc_[hp_count_][HP_LANES] = {{0.0}};                                                         \
      const int64_t hp_to_ = hp_cut_end(&hp_cut_, (int)hp_c_);                                               \
      for (int64_t hp_from_ = hp_cut_begin(&hp_cut_, (int)hp_c_); hp_from_ < hp_to_; hp_from_ += HP_LANES) { \
        const int hp_width_ = hp_to_ - hp_from_ < HP_LANES ? (int)(hp_to_ - hp_from_) : (int)HP_LANES;       \
        for (int hp_lane_ = 0; hp_lane_ < hp_width_; ++hp_lane_) {                                           \
          const int64_t i = hp_from_ + hp_lane_;
#define HP_TEAM_REDUCE_END(t)                    \
  }                                              \
  }                                              \
  hp_team_partial(t, hp_c_, hp_count_, hp_acc_); \
  }                                              \
  }
#endif

#define HP_TEAM_REDUCE(t, i, n, count) HP_TEAM_REDUCE_(t, i, n, count, 0)
#define HP_TEAM_REDUCE_OWNED(t, i, n, count) HP_TEAM_REDUCE_(t, i, n, count, 1)
#define HP_ACC(k) hp_acc_[k][hp_lane_]

/* Collects the `count` sums of the last HP_TEAM_REDUCE over n into out on
 * every member; contains one barrier. begin arrives at it, end waits: between
 * them a member may do work that no other member reads before the next
 * barrier, but pass no barrier and no reduction. */
void hp_team_sum_begin_at(hp_team *t, const char *place);
void hp_team_sum_end_at(hp_team *t, int64_t n, int count, double *out, const char *place);
#if defined(__CUDA_ARCH__) && defined(HP_DEVICE_RANKS)
#define hp_team_sum(t, n, count, out) hp_team_rank_sum(t, count, out, HP_TEAM_PLACE)
#elif defined(__CUDA_ARCH__)
#define hp_team_sum_begin(t) hp_team_grid_sum_begin(t)
#define hp_team_sum_end(t, n, count, out) hp_team_grid_sum_end(t, n, count, out, HP_TEAM_PLACE)
#define hp_team_sum(t, n, count, out) (hp_team_grid_sum_begin(t), hp_team_grid_sum_end(t, n, count, out, HP_TEAM_PLACE))
#else
#define hp_team_sum_begin(t) hp_team_sum_begin_at(t, HP_TEAM_PLACE)
#define hp_team_sum_end(t, n, count, out) hp_team_sum_end_at(t, n, count, out, HP_TEAM_PLACE)
#define hp_team_sum(t, n, count, out) \
  (hp_team_sum_begin_at(t, HP_TEAM_PLACE), hp_team_sum_end_at(t, n, count, out, HP_TEAM_PLACE))
#endif

/* The largest value over all members and the smallest index that reached it:
 * the same on every member; contains one barrier. Pass index < 0 for "none".
 * Of ranks: index is that of a cell of the part, or ncell + w of a well; *argmax in the whole grid (hp_part_global).
 * hp_team_max_here: of this rank's members alone, where all ranks have the same numbers. */
void hp_team_max_at(hp_team *t, double value, int64_t index, double *max, int64_t *argmax, const char *place);
void hp_team_max_here_at(hp_team *t, double value, int64_t index, double *max, int64_t *argmax, const char *place);
#if defined(__CUDA_ARCH__)
#define hp_team_max(t, value, index, max, argmax) hp_team_grid_max(t, value, index, max, argmax, HP_TEAM_PLACE)
#define hp_team_max_here hp_team_max
#else
#define hp_team_max(t, value, index, max, argmax) hp_team_max_at(t, value, index, max, argmax, HP_TEAM_PLACE)
#define hp_team_max_here(t, value, index, max, argmax) hp_team_max_here_at(t, value, index, max, argmax, HP_TEAM_PLACE)
#endif

/* CPU only, for a rank's team; x [ncell q + nwell] is visible to all members before and after. renew updates the ghosts
 * that rows read, renew_all all ghosts; drop sets all to zero. */
void hp_team_renew_at(hp_team *t, const hp_part *p, double *x, int q, const char *place);
void hp_team_renew_all_at(hp_team *t, const hp_part *p, double *x, int q, const char *place);
void hp_team_drop_at(hp_team *t, const hp_part *p, double *x, int q, const char *place);
#define hp_team_renew(t, p, x, q) hp_team_renew_at(t, p, x, q, HP_TEAM_PLACE)
#define hp_team_renew_all(t, p, x, q) hp_team_renew_all_at(t, p, x, q, HP_TEAM_PLACE)
#define hp_team_drop(t, p, x, q) hp_team_drop_at(t, p, x, q, HP_TEAM_PLACE)

/* ---- point to point ---- */

/* CPU only. Progress counters, one per member, for pipelined sweeps: sweep_begin (by all
 * members, no barrier) starts at 0; post publishes this member's progress and
 * all it wrote; wait_for returns once `rank` has posted at least `value` in
 * this sweep. 0 <= value < 2^32. */
void hp_team_sweep_begin(hp_team *t);
void hp_team_post(hp_team *t, int64_t value);
void hp_team_wait_for_at(hp_team *t, int rank, int64_t value, const char *place);
#define hp_team_wait_for(t, rank, value) hp_team_wait_for_at(t, rank, value, HP_TEAM_PLACE)

HP_EXTERN_C_END

#if defined(__CUDACC__)
#include "core/team/cuda/team.cuh"
#endif

#endif
