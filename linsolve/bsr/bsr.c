#include "linsolve/bsr/bsr.h"

#include <string.h>

#include "core/memory.h"
#include "linsolve/bsr/fill.inl.h"

/* ---- creation ---- */

hp_status hp_bsr_check_size(int q, int64_t nrow, int64_t nblock) {
  if (q < 1 || q > HP_BSR_Q_MAX)
    return hp_fail(HP_ERR_USAGE, "blocks of %d x %d: must be 1 x 1 to %d x %d", q, q, (int)HP_BSR_Q_MAX,
                   (int)HP_BSR_Q_MAX);
  if (nrow > INT32_MAX / q || nblock > INT32_MAX)
    return hp_fail(HP_ERR_UNSUPPORTED, "%lld block rows of %d, %lld blocks: more than 32-bit numbers can count",
                   (long long)nrow, q, (long long)nblock);
  return HP_OK;
}

static hp_status allocate(hp_bsr *B) {
  HP_TRY(HP_ALLOC(B->begin, B->nrow + 1));
  HP_TRY(HP_ALLOC(B->column, B->nblock));
  return HP_ALLOC(B->value, B->nblock * B->q * B->q);
}

static hp_status create(int q, int64_t nrow, int64_t nblock, hp_bsr **out) {
  *out = NULL;
  HP_TRY(hp_bsr_check_size(q, nrow, nblock));
  HP_TRY(HP_ALLOC(*out, 1));
  (*out)->q = q;
  (*out)->order = hp_bsr_order_of(q);
  (*out)->nrow = nrow;
  (*out)->nblock = nblock;
  const hp_status s = allocate(*out);
  if (s != HP_OK) hp_bsr_destroy(out);
  return s;
}

hp_status hp_bsr_create(int q, int64_t nrow, const int32_t *begin, const int32_t *column, hp_bsr **out) {
  HP_TRY(create(q, nrow, begin[nrow], out));
  memcpy((*out)->begin, begin, (size_t)(nrow + 1) * sizeof *begin);
  memcpy((*out)->column, column, (size_t)begin[nrow] * sizeof *column);
  return HP_OK;
}

static void clear_pieces(hp_bsr *B) {
  HP_FREE(B->piece_begin);
  HP_FREE(B->piece_row);
  HP_FREE(B->long_row);
  HP_FREE(B->long_begin);
  B->npiece = B->nslot = B->nlong = 0;
  B->longest = 0;
}

void hp_bsr_destroy(hp_bsr **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_bsr *B = *slot;
  clear_pieces(B);
  HP_FREE(B->begin);
  HP_FREE(B->column);
  HP_FREE(B->value);
  HP_FREE(*slot);
}

/* ---- from other matrices ---- */

static int64_t count_blocks(const hp_gh *A, int64_t m) {
  hp_bsr_walk w = hp_bsr_walk_row(A, m);
  int64_t count = 0;
  while (hp_bsr_walk_next(A, &w)) count += 1;
  return count;
}

hp_status hp_bsr_pattern(const hp_gh *A, hp_bsr **out) {
  int64_t count = 0;
  for (int64_t m = 0; m < A->ncell; ++m) count += count_blocks(A, m);
  HP_TRY(create(A->q, A->ncell, count, out));
  count = 0;
  for (int64_t m = 0; m < A->ncell; ++m) {
    hp_bsr_walk w = hp_bsr_walk_row(A, m);
    while (hp_bsr_walk_next(A, &w)) (*out)->column[count++] = (int32_t)w.column;
    (*out)->begin[m + 1] = (int32_t)count;
  }
  return HP_OK;
}

int64_t hp_bsr_longest_row(const hp_bsr *B) {
  int64_t longest = 0;
  for (int64_t m = 0; m < B->nrow; ++m)
    if (B->begin[m + 1] - B->begin[m] > longest) longest = B->begin[m + 1] - B->begin[m];
  return longest;
}

/* ---- pieces ---- */

static int64_t pieces_of(const hp_bsr *B, int64_t m, int longest) {
  const int64_t blocks = B->begin[m + 1] - B->begin[m];
  return blocks > longest ? (blocks + longest - 1) / longest : 1;
}

static hp_status allocate_pieces(hp_bsr *B, int longest) {
  for (int64_t m = 0; m < B->nrow; ++m) {
    const int64_t pieces = pieces_of(B, m, longest);
    B->npiece += pieces;
    if (pieces == 1) continue;
    B->nlong += 1;
    B->nslot += pieces;
  }
  HP_TRY(HP_ALLOC(B->piece_begin, B->npiece + 1));
  HP_TRY(HP_ALLOC(B->piece_row, B->npiece));
  HP_TRY(HP_ALLOC(B->long_row, B->nlong));
  HP_TRY(HP_ALLOC(B->long_begin, B->nlong + 1));
  B->longest = longest;
  return HP_OK;
}

static void fill_pieces(hp_bsr *B) {
  int64_t piece = 0, slot = 0, row = 0;
  for (int64_t m = 0; m < B->nrow; ++m) {
    const int64_t pieces = pieces_of(B, m, B->longest);
    for (int64_t n = 0; n < pieces; ++n, ++piece) {
      B->piece_begin[piece] = (int32_t)(B->begin[m] + n * B->longest);
      B->piece_row[piece] = (int32_t)(pieces == 1 ? m : -1 - slot++);
    }
    if (pieces == 1) continue;
    B->long_row[row++] = (int32_t)m;
    B->long_begin[row] = (int32_t)slot;
  }
  B->piece_begin[piece] = (int32_t)B->nblock;
}

hp_status hp_bsr_cut(hp_bsr *B, int longest) {
  clear_pieces(B);
  if (longest == 0) return HP_OK;
  const hp_status s = allocate_pieces(B, longest);
  if (s == HP_OK) fill_pieces(B);
  else clear_pieces(B);
  return s;
}
