/* How a loop over n indices is cut into chunks, which is what defines a sum over it (core/team/team.h): by n alone, so that
 * any number of threads, blocks and GPUs gives the same bits.
 *
 *     | chunk 0 | chunk 1 | ...            | first - 1 | first | ... | chunks - 1 |
 *     0       length    2 length                       at    at + few             n       at = n, but for systems with wells
 *
 * Of at least HP_CUT_PARTED indices those below `at` are cut into four parts, of as many chunks, whose lengths differ by HP_LANES:
 *
 *     |    part 0    |     part 1     |     part 2     |    part 3    |
 *     0        middle - reach      middle       middle + reach        at
 *
 * The reach is a multiple of 2^18 or more. It is proportional to the loop: a loop over cells and one over their rows are cut at
 * the same cells. core/team/share.h says which GPU has which chunks.
 */
#ifndef HP_CORE_TEAM_CUT_H
#define HP_CORE_TEAM_CUT_H

#include "core/portable.h"

enum {
  HP_LANES = 64,
  HP_GROUP = 8,        /* chunks whose sums are added first */
  HP_GROUPS_CUT = 260, /* groups of a loop at most; hp_chunk_length grows with n. With the well rows 264, twice the
                          multiprocessors of the GPU that the solver is tuned for */
  HP_CUT_LONG = 64,    /* a loop whose chunks would have more than so many times 64 indices is long: it is cut into */
  HP_CUT_FINER = 4,    /* so many times as many groups, enough for as many GPUs */
  HP_TAIL_CHUNKS = 32, /* chunks of a system's well rows at most */
  HP_CUT_PARTED = 1 << 24, /* a loop of so many indices is cut into HP_CUT_PARTS parts */
  HP_CUT_PARTS = 4,
  HP_CUT_PART = HP_CUT_FINER * HP_GROUPS_CUT / HP_CUT_PARTS * HP_GROUP, /* chunks of a part */
  HP_GROUPS_MAX = HP_CUT_FINER * HP_GROUPS_CUT + HP_TAIL_CHUNKS / HP_GROUP,
  HP_CHUNKS_MAX = HP_GROUPS_MAX * HP_GROUP
};

typedef struct hp_cut {
  int64_t total, at, length, few; /* length: of the longest chunk below `at`; few: of those from there on */
  int64_t reach;                  /* 0: chunks of one length */
  int first, chunks;
  int from; /* hp_team_cut_owned: chunks from .. chunks-1 are this GPU's; else 0 */
} hp_cut;

/* Chunk length for a loop over n indices, never 0: 64 * ceil(n / 133120), of a long loop 64 * ceil(n / 532480). */
HP_INLINE HP_HD int64_t hp_chunk_length(int64_t n) {
  const int64_t most = (int64_t)HP_LANES * HP_GROUP * HP_GROUPS_CUT, few = (n + most - 1) / most;
  const int64_t k = few <= HP_CUT_LONG ? few : (n + HP_CUT_FINER * most - 1) / (HP_CUT_FINER * most);
  return HP_LANES * (k > 0 ? k : 1);
}

HP_INLINE HP_HD int64_t hp_cut_reach(int64_t n) {
  int64_t step = HP_CUT_PARTED / 64; /* at most a 64th of n, at least a 128th */
  if (n < HP_CUT_PARTED) return 0;
  while (128 * step <= n) step *= 2;
  return (n / HP_CUT_PARTS + step / 2) / step * step;
}

/* The first of `at` indices that part 0 .. HP_CUT_PARTS has; at for the end of the last one. */
HP_INLINE HP_HD int64_t hp_cut_part(int64_t at, int64_t reach, int part) {
  if (part <= 0) return 0;
  return part >= HP_CUT_PARTS ? at : at / 2 / HP_LANES * HP_LANES + (part - HP_CUT_PARTS / 2) * reach;
}

/* Chunks of `length` indices below `at`, of `few` from there on. */
HP_INLINE HP_HD hp_cut hp_cut_even(int64_t at, int64_t n, int64_t length, int64_t few) {
  hp_cut c;
  c.total = n;
  c.at = at;
  c.length = length;
  c.few = few;
  c.reach = 0;
  c.first = (int)((at + length - 1) / length);
  c.chunks = c.first + (n > at ? (int)((n - at + few - 1) / few) : 0);
  c.from = 0;
  return c;
}

/* The definition above, without parts: those of a rank lie elsewhere in every cut. */
HP_INLINE HP_HD hp_cut hp_cut_whole(int64_t at, int64_t n) {
  return hp_cut_even(at, n, hp_chunk_length(at), (n - at + HP_TAIL_CHUNKS - 1) / HP_TAIL_CHUNKS);
}

/* The cut of a loop over n indices, whose rows of wells begin at `at`. */
HP_INLINE HP_HD hp_cut hp_cut_of(int64_t at, int64_t n) {
  hp_cut c = hp_cut_whole(at, n);
  c.reach = hp_cut_reach(at);
  if (c.reach > 0) {
    const int64_t lanes = (at - hp_cut_part(at, c.reach, HP_CUT_PARTS - 1) + HP_LANES - 1) / HP_LANES;
    const int64_t most = lanes * HP_LANES > c.reach ? lanes : c.reach / HP_LANES;
    c.length = (most + HP_CUT_PART - 1) / HP_CUT_PART * HP_LANES;
    c.chunks += HP_CUT_PARTS * HP_CUT_PART - c.first;
    c.first = HP_CUT_PARTS * HP_CUT_PART;
  }
  return c;
}

/* Index at which chunk number `chunk` begins: n for the one after the last. */
HP_INLINE HP_HD int64_t hp_cut_begin(const hp_cut *c, int chunk) {
  if (c->reach > 0 && chunk < c->first) {
    const int part = chunk / HP_CUT_PART;
    const int64_t from = hp_cut_part(c->at, c->reach, part),
                  lanes = (hp_cut_part(c->at, c->reach, part + 1) - from + HP_LANES - 1) / HP_LANES;
    return from + HP_LANES * (lanes * (chunk % HP_CUT_PART) / HP_CUT_PART);
  }
  const int64_t begin = chunk < c->first ? chunk * c->length : c->at + (chunk - c->first) * c->few;
  return begin < c->total ? begin : c->total;
}

HP_INLINE HP_HD int64_t hp_cut_end(const hp_cut *c, int chunk) {
  if (c->reach > 0 && chunk < c->first) return chunk + 1 < c->first ? hp_cut_begin(c, chunk + 1) : c->at;
  const int64_t end = chunk < c->first ? (chunk + 1) * c->length : c->at + (chunk + 1 - c->first) * c->few;
  const int64_t most = chunk < c->first ? c->at : c->total;
  return end < most ? end : most;
}

/* The chunk of index i < at. */
HP_INLINE HP_HD int hp_cut_chunk_of(const hp_cut *c, int64_t i) {
  if (c->reach == 0) return (int)(i / c->length);
  int part = HP_CUT_PARTS - 1;
  while (hp_cut_part(c->at, c->reach, part) > i) --part;
  int chunk = part * HP_CUT_PART + (int)((i - hp_cut_part(c->at, c->reach, part)) / c->length);
  while (hp_cut_end(c, chunk) <= i) ++chunk;
  return chunk;
}

#endif
