#include "bench/bsr/bsr.h"

#include <string.h>

#include "bench/generators/family.h"
#include "core/memory.h"
#include "linsolve/bsr/fill.inl.h"

hp_status hp_bsr_set_threads(hp_bsr *B, int threads) {
  if (threads != 64 && threads != 128 && threads != 256)
    return hp_fail(HP_ERR_USAGE, "%d threads of a block row: must be 64, 128 or 256", threads);
  B->order = hp_bsr_order_with(B->q, threads);
  return HP_OK;
}

/* ---- from other matrices ---- */

hp_status hp_bsr_from_gh(const hp_gh *A, hp_bsr **out) {
  HP_TRY(hp_bsr_pattern(A, out));
  for (int64_t i = 0; i < A->ld; ++i) hp_bsr_fill_row(*out, A, i);
  return HP_OK;
}

hp_status hp_bsr_promote(const hp_sparse *csr, int q, uint64_t seed, hp_bsr **out) {
  HP_TRY(hp_bsr_create(q, csr->n, csr->begin, csr->column, out));
  const int64_t count = (*out)->nblock;
  if (q == 1) memcpy((*out)->value, csr->value, (size_t)count * sizeof *csr->value);
  else hp_family_vector(seed, count * q * q, (*out)->value);
  return HP_OK;
}

/* ---- shares ---- */

/* The first row that begins with block `blocks` or later. */
static int64_t row_from(const hp_bsr *B, int64_t blocks) {
  int64_t low = 0, high = B->nrow;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (B->begin[middle] < blocks) low = middle + 1;
    else high = middle;
  }
  return low;
}

hp_status hp_bsr_shares(const hp_bsr *B, int count, int64_t *first) {
  if (count < 1 || count > B->nrow)
    return hp_fail(HP_ERR_USAGE, "%d shares of %lld block rows", count, (long long)B->nrow);
  first[0] = 0;
  for (int n = 1; n < count; ++n) {
    const int64_t least = first[n - 1] + 1, most = B->nrow - (count - n), row = row_from(B, B->nblock * n / count);
    first[n] = row < least ? least : row > most ? most : row;
  }
  first[count] = B->nrow;
  return HP_OK;
}

hp_status hp_bsr_view(const hp_bsr *B, int64_t from, int64_t to, hp_bsr *out) {
  const int64_t first = B->begin[from];
  memset(out, 0, sizeof *out);
  out->q = B->q;
  out->order = B->order;
  out->nrow = to - from;
  out->nblock = B->begin[to] - first;
  out->column = B->column + first;
  out->value = B->value + first * B->q * B->q;
  HP_TRY(HP_ALLOC(out->begin, out->nrow + 1));
  for (int64_t m = 0; m <= out->nrow; ++m) out->begin[m] = (int32_t)(B->begin[from + m] - first);
  const hp_status s = hp_bsr_cut(out, B->longest);
  if (s != HP_OK) hp_bsr_view_release(out);
  return s;
}

void hp_bsr_view_release(hp_bsr *view) {
  const hp_status s = hp_bsr_cut(view, 0);
  (void)s; /* whole rows need no memory */
  HP_FREE(view->begin);
  memset(view, 0, sizeof *view);
}

/* ---- bytes ---- */

int64_t hp_bsr_product_bytes(const hp_bsr *B) {
  const int64_t n = B->nrow * B->q;
  int64_t bytes = 8 * (B->nblock * B->q * B->q + 2 * n) + 4 * B->nblock;
  if (B->longest == 0) return bytes + 4 * (B->nrow + 1);
  bytes += 4 * (B->npiece + 1 + B->npiece + B->nlong + B->nlong + 1);
  return bytes + 2 * 8 * B->nslot * B->q;
}
