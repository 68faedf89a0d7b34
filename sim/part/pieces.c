#include "sim/part/pieces.h"

#include <string.h>

#include "core/memory.h"

static bool has_column(const hp_box *b, int64_t column, int ny) {
  const int64_t i = column / ny, j = column % ny;
  return i >= b->i0 && i < b->i1 && j >= b->j0 && j < b->j1;
}

hp_status hp_subdomain_list_columns(const hp_subdomain *D, hp_gh_here *H) {
  const hp_box own = D->boxes[D->rank];
  const int64_t all = D->part.ncell / D->part.size[0];
  H->columns = 0;
  HP_FREE(H->column);
  HP_TRY(HP_ALLOC(H->column, (int64_t)(own.i1 - own.i0) * (own.j1 - own.j0) + 1));
  for (int64_t c = 0; c < all; ++c)
    if (D->column[c] >= 0 && has_column(&own, D->column[c], D->part.size[1])) H->column[H->columns++] = c;
  return HP_OK;
}

/* ---- columns, gathered and put in order ---- */

/* Bytes of all ranks one after the other, and how many each of their columns has, on rank 0. */
typedef struct {
  char *bytes;
  int64_t *size;
  int64_t *begin, *columns; /* [ranks + 1] where those of each rank begin, in bytes and in columns */
} gathered;

static hp_status gather(const hp_subdomain *D, const hp_gh_columns *mine, gathered *G) {
  hp_status s = HP_ALLOC(G->begin, D->ranks + 1);
  if (s == HP_OK) s = HP_ALLOC(G->columns, D->ranks + 1);
  HP_TRY(hp_ranks_agree(D->K, s));
  hp_ranks_begins(D->K, mine->size, G->begin);
  hp_ranks_begins(D->K, mine->columns, G->columns);
  if (D->rank == 0) s = HP_ALLOC_UNSET(G->bytes, G->begin[D->ranks]);
  if (D->rank == 0 && s == HP_OK) s = HP_ALLOC_UNSET(G->size, G->columns[D->ranks]);
  HP_TRY(hp_ranks_agree(D->K, s));
  hp_ranks_gather(D->K, 0, mine->of, G->size, G->columns, sizeof *mine->of);
  hp_ranks_gather(D->K, 0, mine->bytes, G->bytes, G->begin, 1);
  return HP_OK;
}

static hp_status put_in_order(const hp_subdomain *D, const hp_gh_piece *q, gathered *G, hp_gh_columns *out) {
  const int64_t all = G->begin[D->ranks];
  out->size = 0;
  HP_TRY(HP_GROW(out->bytes, 0, all));
  for (int64_t column = q->first; column < q->end; ++column) {
    const int r = hp_subdomain_owner(D, column * D->part.size[0]);
    const int64_t size = G->size[G->columns[r]++];
    if (size > 0) memcpy(out->bytes + out->size, G->bytes + G->begin[r], (size_t)size);
    G->begin[r] += size;
    out->size += size;
  }
  return HP_OK;
}

static hp_status get_columns(const hp_subdomain *D, hp_gh_here *H, const hp_gh_piece *q, hp_gh_columns *out) {
  gathered G = {.bytes = NULL};
  hp_status s = gather(D, &H->work, &G);
  if (s == HP_OK && D->rank == 0) s = put_in_order(D, q, &G, out);
  HP_FREE(G.bytes);
  HP_FREE(G.size);
  HP_FREE(G.begin);
  HP_FREE(G.columns);
  return s;
}

/* Each number is one rank's, and all its bits are zero on the others. */
static hp_status add_up(const hp_subdomain *D, hp_gh_here *H, hp_gh_columns *out) {
  const hp_gh_columns swap = *out;
  hp_ranks_sum(D->K, (int64_t *)(void *)H->work.bytes, (int)(H->work.size / (int64_t)sizeof(int64_t)));
  if (D->rank != 0) return HP_OK;
  *out = H->work;
  H->work = swap;
  return HP_OK;
}

hp_status hp_subdomain_piece(const hp_subdomain *D, hp_gh_here *H, const hp_gh_piece *q, hp_gh_columns *out) {
  HP_TRY(hp_ranks_agree(D->K, hp_gh_here_fill(H, q, &H->work)));
  return hp_ranks_agree(D->K, q->kind == HP_GH_PIECE_WT ? add_up(D, H, out) : get_columns(D, H, q, out));
}
