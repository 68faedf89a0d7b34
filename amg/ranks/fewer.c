/* Levels of few rows per rank go to fewer ranks:
 *
 *     rank           0  1  2  3  4  5  6  7
 *     level l        o  o  o  o  o  o  o  o       every = 1
 *     level l + 1    o  .  o  .  o  .  o  .       every = 2: coarse points of ranks 0 and 1 are rank 0's, ...
 *     level l + 2    o  .  .  .  .  .  .  .       every = 8
 *
 * A coarse point's rank is chosen here, when it gets its number, and the rest follows from it: rows of R A P are made where their
 * points are (product.c), and exchanges for R and for P go between a rank's points and those of others whatever these ranks
 * are. A cycle therefore has as many exchanges as without, of fewer and longer messages. Ranks whose numbers are near have parts
 * that are near (grid/partition.h), and mostly one host.
 */
#include <string.h>

#include "amg/ranks/impl.h"
#include "core/memory.h"

/* Ranks whose points one of them gets, at most, from one level to the next: they all send to it in an exchange for R. */
enum { MERGED_MAX = 8 };

int hp_amg_fewer_every(const hp_amg_ranks *H, int every, int64_t rows) {
  const int size = hp_ranks_size(H->K), first = every;
  if (rows <= H->whole_rows) return every; /* it goes to all ranks */
  while (every < size && every < MERGED_MAX * first && rows < H->least_rows * hp_parts(size, every)) every *= 2;
  return every;
}

hp_status hp_amg_fewer_move(hp_ranks *K, int every, int64_t n, const int64_t *point, int64_t **out, int64_t *count) {
  const int size = hp_ranks_size(K), to = hp_amg_fewer_rank(hp_ranks_rank(K), every);
  int64_t *begin = NULL, *from = NULL;
  hp_status s = HP_ALLOC(begin, size + 1);
  if (s == HP_OK) s = HP_ALLOC(from, size + 1);
  s = hp_ranks_agree(K, s);
  for (int r = to; r < size && s == HP_OK; ++r) begin[r + 1] = n;
  if (s == HP_OK) s = hp_ranks_all_to_all(K, point, begin, sizeof *point, (void **)out, from);
  if (s == HP_OK) *count = hp_amg_sort_points(*out, from[size]);
  HP_FREE(begin);
  HP_FREE(from);
  return s;
}
