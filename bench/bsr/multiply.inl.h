/* y = A x with a matrix of block rows (linsolve/bsr/bsr.h), a team program. The GPU's kernels are in
 * linsolve/product/cuda/blocks.cu. */
#ifndef HP_BENCH_BSR_MULTIPLY_INL_H
#define HP_BENCH_BSR_MULTIPLY_INL_H

#include "bench/bsr/bsr.h"
#include "core/team/team.h"

enum { HP_BSR_STRIP_MAX = 64 };

/* Rows row .. row+count-1 of the blocks begin .. end-1, to sum [count]. q and the order are constants where the caller
 * writes some. */
HP_INLINE void hp_bsr_strip(const hp_bsr *B, int q, hp_bsr_order o, int64_t begin, int64_t end, int row, int count,
                            const double *x, double *out) {
  double sum[HP_BSR_CLASSES_MAX][HP_BSR_STRIP_MAX];
  const int classes = o.across * o.groups;
  for (int k = 0; k < classes; ++k)
    for (int a = 0; a < count; ++a) sum[k][a] = 0.0;
  int k = 0;
  for (int64_t p = begin; p < end; ++p) {
    const double *v = B->value + p * q * q + row, *xp = x + (int64_t)B->column[p] * q;
    for (int b = 0; b < q; ++b) {
      for (int a = 0; a < count; ++a) sum[k][a] += v[(int64_t)b * q + a] * xp[b];
      k = k + 1 == classes ? 0 : k + 1;
    }
  }
  for (int half = o.across / 2; half > 0; half /= 2)
    for (int n = 0; n < half; ++n)
      for (int a = 0; a < count; ++a) sum[n][a] += sum[n + half][a];
  for (int g = 1; g < o.groups; ++g)
    for (int a = 0; a < count; ++a) sum[0][a] += sum[g][a];
  for (int a = 0; a < count; ++a) out[a] = sum[0][a];
}

/* A block row of one strip and few classes, q and `across` written as constants: sums stay in registers. */
HP_INLINE void hp_bsr_small(const hp_bsr *B, int q, int across, int64_t begin, int64_t end, const double *x,
                            double *out) {
  double sum[4][8] = {{0.0}};
  int k = 0;
  for (int64_t p = begin; p < end; ++p) {
    const double *v = B->value + p * q * q, *xp = x + (int64_t)B->column[p] * q;
    for (int b = 0; b < q; ++b) {
      const int which = q % across == 0 ? b % across : k;
      for (int a = 0; a < q; ++a) sum[which][a] += v[b * q + a] * xp[b];
      k = k + 1 == across ? 0 : k + 1;
    }
  }
  for (int half = across / 2; half > 0; half /= 2)
    for (int n = 0; n < half; ++n)
      for (int a = 0; a < q; ++a) sum[n][a] += sum[n + half][a];
  for (int a = 0; a < q; ++a) out[a] = sum[0][a];
}

HP_INLINE void hp_bsr_block_row(const hp_bsr *B, int q, int64_t begin, int64_t end, const double *x, double *out) {
  const hp_bsr_order o = B->order;
  switch (q) { /* as hp_bsr_order_of has them */
    case 1: hp_bsr_small(B, 1, 4, begin, end, x, out); return;
    case 2: hp_bsr_small(B, 2, 2, begin, end, x, out); return;
    case 3: hp_bsr_small(B, 3, 2, begin, end, x, out); return;
    case 4: hp_bsr_small(B, 4, 4, begin, end, x, out); return;
    case 8: hp_bsr_small(B, 8, 4, begin, end, x, out); return;
    default: break;
  }
  for (int s = 0; s < o.strips; ++s) {
    const int row = s * o.height, count = q - row < o.height ? q - row : o.height;
    hp_bsr_strip(B, q, o, begin, end, row, count, x, out + row);
  }
}

/* Work of a member: about as many blocks as of any other. */
HP_INLINE int64_t hp_bsr_first_piece(const int32_t *begin, int64_t pieces, int64_t blocks) {
  int64_t low = 0, high = pieces;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (begin[middle] < blocks) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* y = A x. partial: [nslot q], shared by the team, not read before; NULL where no row is cut. x is visible to all before;
 * a barrier must follow before another member reads y. */
HP_INLINE void hp_bsr_multiply(hp_team *t, const hp_bsr *B, const double *x, double *y, double *partial) {
  const int64_t pieces = B->longest > 0 ? B->npiece : B->nrow;
  const int32_t *begin = B->longest > 0 ? B->piece_begin : B->begin;
  const int64_t from = hp_bsr_first_piece(begin, pieces, B->nblock * t->rank / t->size);
  const int64_t to = t->rank + 1 == t->size ? pieces
                                            : hp_bsr_first_piece(begin, pieces, B->nblock * (t->rank + 1) / t->size);
  for (int64_t n = from; n < to; ++n) {
    const int64_t row = B->longest > 0 ? B->piece_row[n] : n;
    double *out = row >= 0 ? y + row * B->q : partial + (-1 - row) * B->q;
    hp_bsr_block_row(B, B->q, begin[n], begin[n + 1], x, out);
  }
  if (B->nlong == 0) return;
  hp_team_sync(t);
  for (int64_t n = B->nlong * t->rank / t->size; n < B->nlong * (t->rank + 1) / t->size; ++n)
    for (int a = 0; a < B->q; ++a) {
      double sum = partial[B->long_begin[n] * B->q + a];
      for (int64_t s = B->long_begin[n] + 1; s < B->long_begin[n + 1]; ++s) sum += partial[s * B->q + a];
      y[(int64_t)B->long_row[n] * B->q + a] = sum;
    }
}

#endif
