#include "bench/half/forms.h"

#include <string.h>

#include "core/memory.h"

/* ---- bsr ---- */

/* Blocks of block row m: columns [count] rising, if not NULL. `seen` [block columns]: m + 1 where there is one. */
static int32_t blocks_of(const hp_sparse *csr, int64_t rows, int b, int64_t m, int32_t *seen, int32_t *columns) {
  int32_t count = 0;
  for (int32_t p = csr->begin[m * b]; p < csr->begin[(m + 1) * b]; ++p) {
    const int32_t c = csr->column[p] / b;
    if (csr->column[p] >= rows || seen[c] == (int32_t)m + 1) continue;
    seen[c] = (int32_t)m + 1;
    if (columns != NULL) {
      int32_t to = count;
      for (; to > 0 && columns[to - 1] > c; --to) columns[to] = columns[to - 1];
      columns[to] = c;
    }
    count += 1;
  }
  return count;
}

static void fill_blocks(const hp_sparse *csr, hp_bsr *B) {
  const int b = B->q;
  for (int64_t i = 0; i < B->nrow * b; ++i) {
    int32_t at = B->begin[i / b];
    for (int32_t p = csr->begin[i]; p < csr->begin[i + 1]; ++p) {
      const int32_t c = csr->column[p] / b;
      if (csr->column[p] >= B->nrow * b) continue;
      while (B->column[at] < c) ++at;
      B->value[((int64_t)at * b + csr->column[p] % b) * b + i % b] = csr->value[p];
    }
  }
}

hp_status hp_half_to_bsr(const hp_half *H, const hp_sparse *csr, hp_bsr **out) {
  const int b = H->q / 2;
  const int64_t nrow = H->rows / b;
  int32_t *seen = NULL, *begin = NULL, *column = NULL;
  *out = NULL;
  hp_status s = HP_ALLOC(seen, nrow);
  if (s == HP_OK) s = HP_ALLOC(begin, nrow + 1);
  for (int64_t m = 0; m < nrow && s == HP_OK; ++m) begin[m + 1] = begin[m] + blocks_of(csr, H->rows, b, m, seen, NULL);
  if (s == HP_OK) s = HP_ALLOC(column, begin[nrow]);
  for (int64_t m = 0; m < nrow && s == HP_OK; ++m) seen[m] = 0;
  for (int64_t m = 0; m < nrow && s == HP_OK; ++m) (void)blocks_of(csr, H->rows, b, m, seen, column + begin[m]);
  if (s == HP_OK) s = hp_bsr_create(b, nrow, begin, column, out);
  if (s == HP_OK) fill_blocks(csr, *out);
  HP_FREE(seen);
  HP_FREE(begin);
  HP_FREE(column);
  return s;
}

/* ---- dia ---- */

/* Offsets of the cells' rows: offset [width] rising, number [2 rows - 1] of offset + rows - 1 in it, -1: none. */
static hp_status find_diagonals(const hp_half *H, const hp_sparse *csr, hp_sparse *F, int32_t *number) {
  for (int64_t d = 0; d < 2 * H->rows - 1; ++d) number[d] = -1;
  for (int64_t i = 0; i < H->rows; ++i)
    for (int32_t p = csr->begin[i]; p < csr->begin[i + 1]; ++p)
      if (csr->column[p] < H->rows) number[csr->column[p] - i + H->rows - 1] = 0;
  for (int64_t d = 0; d < 2 * H->rows - 1; ++d)
    if (number[d] == 0) number[d] = F->width++;
  if (F->width > HP_GH_DIAGS * (2 * HP_GH_Q_MAX - 1))
    return hp_fail(HP_ERR_UNSUPPORTED, "GH-h has %d diagonals: more than dia can have", F->width);
  HP_TRY(HP_ALLOC(F->offset, F->width));
  for (int64_t d = 0; d < 2 * H->rows - 1; ++d)
    if (number[d] >= 0) F->offset[number[d]] = (int32_t)(d - (H->rows - 1));
  return HP_OK;
}

static hp_status to_dia(const hp_half *H, const hp_sparse *csr, hp_sparse *F) {
  int32_t *number = NULL;
  HP_TRY(HP_ALLOC(number, 2 * H->rows));
  hp_status s = find_diagonals(H, csr, F, number);
  F->count = F->width * H->rows;
  if (s == HP_OK) s = HP_ALLOC(F->value, F->count);
  for (int64_t i = 0; i < H->rows && s == HP_OK; ++i)
    for (int32_t p = csr->begin[i]; p < csr->begin[i + 1]; ++p)
      if (csr->column[p] < H->rows) F->value[number[csr->column[p] - i + H->rows - 1] * H->rows + i] = csr->value[p];
  HP_FREE(number);
  return s;
}

/* ---- all formats ---- */

/* Without arrays. */
static hp_status create(const hp_half *H, hp_sparse_kind kind, int64_t rows, hp_sparse **out) {
  HP_TRY(HP_ALLOC(*out, 1));
  hp_sparse *F = *out;
  F->kind = kind;
  F->q = H->q;
  F->ncell = H->ncell;
  F->rows = F->ld = rows;
  return HP_OK;
}

/* By block rows; q = 1: scalar ones. */
static hp_status by_blocks(const hp_half *H, const hp_sparse *csr, hp_sparse_kind kind, hp_sparse **out) {
  hp_bsr *B = NULL;
  hp_status s = kind == HP_SPARSE_BSR ? hp_half_to_bsr(H, csr, &B) : hp_bsr_promote(csr, 1, 0, &B);
  if (s == HP_OK) s = hp_bsr_to_sparse(B, kind, out);
  hp_bsr_destroy(&B);
  return s;
}

hp_status hp_half_to_sparse(const hp_half *H, const hp_sparse *csr, hp_sparse_kind kind, hp_sparse **out) {
  hp_status s;
  *out = NULL;
  switch (kind) {
    case HP_SPARSE_GH: s = create(H, kind, H->n, out); break;
    case HP_SPARSE_CSR:
    case HP_SPARSE_HYB:
    case HP_SPARSE_BSR: s = by_blocks(H, csr, kind, out); break;
    case HP_SPARSE_DIA:
      s = create(H, kind, H->rows, out);
      if (s == HP_OK) s = to_dia(H, csr, *out);
      break;
    default: return hp_fail(HP_ERR_UNSUPPORTED, "no GH-h matrix in format %s", hp_sparse_name(kind));
  }
  if (s != HP_OK) {
    hp_sparse_destroy(out);
    return s;
  }
  (*out)->other = &H->product;
  (*out)->n = H->n;
  return HP_OK;
}
