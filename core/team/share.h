/* Shares of several GPUs in a loop (core/team/cut.h). They change no sum.
 *
 * Borders are those between groups of chunks. Of loops in four parts they are the parts' on two and four GPUs, a multiple of
 * 2^18 numbers apart: whole pages in double precision, so that where one is that of a page, all are (core/device/pages.h).
 */
#ifndef HP_CORE_TEAM_SHARE_H
#define HP_CORE_TEAM_SHARE_H

#include "core/team/cut.h"

/* The first chunk of GPU number `gpu` of several, each of which has consecutive groups; for gpu = gpus the end of the
 * last group. */
HP_INLINE HP_HD int hp_cut_share(const hp_cut *c, int gpu, int gpus) {
  const int groups = (c->chunks + HP_GROUP - 1) / HP_GROUP;
  if (c->reach > 0 && gpu < gpus) return HP_GROUP * (c->first / HP_GROUP * gpu / gpus);
  return HP_GROUP * (groups * gpu / gpus);
}

/* The same for `count` things distributed as the indices of a loop over n. */
HP_INLINE HP_HD int64_t hp_cut_share_free(int64_t count, int64_t n, int gpu, int gpus) {
  const int64_t reach = hp_cut_reach(n);
  if (reach == 0 || gpu == gpus) return count * gpu / gpus;
  const int part = HP_CUT_PARTS * gpu / gpus, rest = HP_CUT_PARTS * gpu % gpus;
  const int64_t begin = hp_cut_part(n, reach, part), end = hp_cut_part(n, reach, part + 1);
  return count * (begin + (end - begin) * rest / gpus) / n;
}

#endif
