/* Owner-local vectors: only the member that owns an index touches the entry there, in owned loops.
 *
 *     hp_local_room room = hp_local_room_of(t, n, bytes);      of shared memory; on a CPU there is none
 *     const hp_local v = hp_local_alloc(stored, &room), w = hp_local_in_memory(p);
 *     HP_LOCAL_FOR(t, i, n) {
 *       const HP_NUM vi = HP_GET(v, i), wi = HP_GET(w, i);       all reads first,
 *       HP_PUT(v, i, vi - alpha * wi);                           all writes last
 *     }
 *     HP_LOCAL_REDUCE(t, i, n, 1) {
 *       const HP_NUM vi = HP_GET(v, i);
 *       HP_ACC(0) += vi * vi;
 *     } HP_LOCAL_REDUCE_END(t);
 *     hp_team_sum(t, n, 1, sum);
 *
 * On a CPU these are HP_TEAM_FOR_OWNED and HP_TEAM_REDUCE_OWNED, HP_NUM a double and HP_GET(v, i) v.at[i]. On a GPU
 * (core/team/cuda/local.cuh) an HP_NUM holds all entries that a thread processes at once, HP_LOCAL_BATCH pairs. Its +, - and *
 * work entry by entry, and HP_NUM_OF(0.0) sets all entries to one number. Loads are 16 bytes wide and in flight
 * together. Source and bits are the same.
 *
 * Layout. A thread counts the pairs of its chunks from 0, in loop order. A vector is either in memory or entirely in the
 * block's shared memory, which has one row per pair and 16 bytes per thread in it:
 *
 *     at   [n]                                   in memory
 *          [pairs of a thread][threads][2]       on chip
 *
 * Keeping part of a vector on chip does not pay, because shared memory is carved out of the L1 cache
 * (docs/laboratory/tried.md). A vector on chip is undefined before its first HP_PUT and is lost when the kernel ends. It
 * can be the result of a product (hp_gh_mul_local) but not its operand, which other members read.
 */
#ifndef HP_CORE_TEAM_LOCAL_H
#define HP_CORE_TEAM_LOCAL_H

#include "core/team/team.h"

typedef struct hp_local {
  double *at;
  bool chip; /* GPU: in shared memory */
} hp_local;

/* Shared memory for vectors. */
typedef struct hp_local_room {
  double *at;     /* [vectors][stride] */
  int vectors;    /* how many still fit */
  int64_t stride; /* numbers of a vector */
} hp_local_room;

/* The most pairs of a thread in a loop over n, by a team whose chunks are assigned round-robin, `step` per round. */
HP_INLINE HP_HD int64_t hp_local_rows(const hp_team *t, int64_t n, int64_t step) {
  const hp_cut cut = hp_team_cut(t, n);
  const int64_t longest = cut.length > cut.few ? cut.length : cut.few;
  return (cut.chunks + step - 1) / step * ((longest + HP_LANES - 1) / HP_LANES);
}

/* A vector in memory. */
HP_INLINE HP_HD hp_local hp_local_in_memory(double *stored) {
  hp_local v;
  v.at = stored;
  v.chip = false;
  return v;
}

/* A vector in memory that is only read. */
HP_INLINE HP_HD hp_local hp_local_to_read(const double *stored) { return hp_local_in_memory((double *)stored); }

/* The vector that hp_local_alloc would return after `count` others; does not change the room. */
HP_INLINE HP_HD hp_local hp_local_after(double *stored, const hp_local_room *room, int count) {
  hp_local v = hp_local_in_memory(stored);
  v.chip = count < room->vectors;
  if (v.chip) v.at = room->at + count * room->stride;
  return v;
}

/* A vector on chip while there is room, else at stored [n]. */
HP_INLINE HP_HD hp_local hp_local_alloc(double *stored, hp_local_room *room) {
  const hp_local v = hp_local_after(stored, room, 0);
  room->at += v.chip ? room->stride : 0;
  room->vectors -= v.chip;
  return v;
}

#if defined(__CUDACC__)
#include "core/team/cuda/local.cuh"
#endif

#if !defined(__CUDA_ARCH__)
#define HP_NUM double
#define HP_NUM_OF(number) ((double)(number))
#define HP_GET(v, i) ((v).at[i])
#define HP_PUT(v, i, number) ((void)((v).at[i] = (number)))
#define HP_LOCAL_FOR(t, i, n) HP_TEAM_FOR_OWNED(t, i, n)
#define HP_LOCAL_REDUCE(t, i, n, count) HP_TEAM_REDUCE_OWNED(t, i, n, count)
#define HP_LOCAL_REDUCE_END(t) HP_TEAM_REDUCE_END(t)

HP_INLINE HP_HD hp_local_room hp_local_room_of(const hp_team *t, int64_t n, int64_t bytes) {
  hp_local_room none;
  (void)t, (void)n, (void)bytes;
  none.at = NULL;
  none.vectors = 0;
  none.stride = 0;
  return none;
}
#endif

/* Copy a vector on chip from `stored` [n] and back; a vector in memory is left alone. */
HP_INLINE HP_HD void hp_local_load(hp_team *t, int64_t n, hp_local v, const double *stored) {
  const hp_local memory = hp_local_to_read(stored);
  if (!v.chip) return;
  HP_LOCAL_FOR(t, i, n) HP_PUT(v, i, HP_GET(memory, i));
}
HP_INLINE HP_HD void hp_local_store(hp_team *t, int64_t n, hp_local v, double *stored) {
  const hp_local memory = hp_local_in_memory(stored);
  if (!v.chip) return;
  HP_LOCAL_FOR(t, i, n) HP_PUT(memory, i, HP_GET(v, i));
}

#endif
