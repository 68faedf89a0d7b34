/* Changes of transmissibilities that the schedule makes: each rank has the pairs that begin in its planes, and when their time
 * comes tells the others, a piece at a time; each multiplies those that its part has.
 *
 *     rank 0    pairs of its planes  -- piece -->  all
 *     rank 1    pairs of its planes  -- piece -->  all     ...
 */
#include "core/memory.h"
#include "sim/part/subdomain.h"

/* As it is sent. */
typedef struct {
  int64_t a, b; /* cells of the whole grid, a < b */
  double by;
} pair;

/* The direction along which b is beside a in the whole grid, -1: they are no neighbours. */
static int direction_of(const hp_part *p, int64_t a, int64_t b) {
  const int64_t column = p->size[0], slice = column * p->size[1];
  if (b == a + 1 && b % column != 0) return HP_DIR_K;
  if (b == a + column && a / slice == b / slice) return HP_DIR_J;
  return b == a + slice ? HP_DIR_I : -1;
}

/* The place of a pair of places in the part's connections; -1: there is none. */
static int64_t find_link(const hp_grid_connections *c, int64_t a, int64_t b) {
  int64_t low = 0, high = c->count;
  while (low < high) {
    const int64_t mid = low + (high - low) / 2;
    if (c->a[mid] < a || (c->a[mid] == a && c->b[mid] < b)) low = mid + 1;
    else high = mid;
  }
  return low < c->count && c->a[low] == a && c->b[low] == b ? low : -1;
}

/* A part need not have both cells of a face beside each other: then it has not the face. */
static void multiply(hp_subdomain *D, const pair *p) {
  hp_grid *g = D->grid;
  const int64_t a = hp_subdomain_place(D, p->a), b = hp_subdomain_place(D, p->b);
  const int d = direction_of(&D->part, p->a, p->b);
  if (a < 0 || b < 0) return;
  if (d >= 0) {
    if (b == a + hp_grid_stride(g, d)) g->trans[d][a] *= p->by;
    return;
  }
  const int64_t n = find_link(&g->connection, a < b ? a : b, a < b ? b : a);
  if (n >= 0) g->connection.trans[n] *= p->by;
}

hp_status hp_subdomain_change_trans(hp_subdomain *D, int n) {
  enum { PIECE = 1 << 13 /* pairs */ };
  const hp_trans_event *mine = &D->change[n];
  int64_t *begin = NULL;
  pair *piece = NULL;
  hp_status s = HP_ALLOC(begin, D->ranks + 1);
  if (s == HP_OK) s = HP_ALLOC(piece, PIECE);
  s = hp_ranks_agree(D->K, s);
  if (s == HP_OK) hp_ranks_begins(D->K, D->has_changes ? mine->count : 0, begin);
  for (int r = 0; r < D->ranks && s == HP_OK; ++r)
    for (int64_t at = begin[r], count; at < begin[r + 1]; at += count) {
      count = begin[r + 1] - at < PIECE ? begin[r + 1] - at : PIECE;
      for (int64_t k = 0; k < count && r == D->rank; ++k) {
        const int64_t from = at - begin[r] + k;
        piece[k] = (pair){mine->a[from], mine->b[from], mine->by[from]};
      }
      hp_ranks_broadcast(D->K, r, piece, count * (int64_t)sizeof *piece);
      for (int64_t k = 0; k < count; ++k) multiply(D, &piece[k]);
    }
  HP_FREE(begin);
  HP_FREE(piece);
  return s;
}
