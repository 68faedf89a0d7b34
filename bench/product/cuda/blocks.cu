/* Block rows (linsolve/bsr/bsr.h) as one of the products of `hepta bench`. */
#include "linsolve/product/cuda/blocks.cuh"

#include "bench/product/cuda/product.cuh"

enum { BEGIN, COLUMN, PIECE_ROW, LONG_ROW, LONG_BEGIN, PARTIAL };

hp_status hp_spmv_blocks_prepare(hp_spmv_product *P) {
  const hp_bsr *B = P->J->B;
  const bool cut = B->longest > 0;
  const int64_t pieces = cut ? B->npiece : B->nrow;
  P->threads = hp_blocks_threads(B, P->J->threads);
  P->value = hp_spmv_put(&P->I, B->value, B->nblock * B->q * B->q * 8);
  P->index[BEGIN] = hp_spmv_put(&P->I, cut ? B->piece_begin : B->begin, (pieces + 1) * 4);
  P->index[COLUMN] = hp_spmv_put(&P->I, B->column, B->nblock * 4);
  P->index[PIECE_ROW] = hp_spmv_put(&P->I, B->piece_row, cut ? B->npiece * 4 : 0);
  P->index[LONG_ROW] = hp_spmv_put(&P->I, B->long_row, B->nlong * 4);
  P->index[LONG_BEGIN] = hp_spmv_put(&P->I, B->long_begin, B->nlong > 0 ? (B->nlong + 1) * 4 : 0);
  P->index[PARTIAL] = hp_spmv_put(&P->I, NULL, 0);
  P->I.size += (B->nslot * B->q * 8 + 255) / 256 * 256;
  return P->J->A != NULL ? hp_spmv_put_border_gh(P, P->J->A, 0) : HP_OK;
}

/* The matrix in one of the copies. */
static hp_bsr_device matrix_of(const hp_spmv_product *P, int copy) {
  hp_bsr_device D;
  D.B = *P->J->B;
  D.B.begin = D.B.piece_begin = hp_spmv_at<int32_t>(P, copy, P->index[BEGIN]);
  D.B.column = hp_spmv_at<int32_t>(P, copy, P->index[COLUMN]);
  D.B.value = hp_spmv_at<double>(P, copy, P->value);
  D.B.piece_row = hp_spmv_at<int32_t>(P, copy, P->index[PIECE_ROW]);
  D.B.long_row = hp_spmv_at<int32_t>(P, copy, P->index[LONG_ROW]);
  D.B.long_begin = hp_spmv_at<int32_t>(P, copy, P->index[LONG_BEGIN]);
  D.partial = hp_spmv_at<double>(P, copy, P->index[PARTIAL]);
  return D;
}

hp_status hp_spmv_blocks_run(const hp_spmv_product *P, int copy) {
  const hp_bsr_device D = matrix_of(P, copy);
  spmv_blocks A = hp_blocks_of(&D);
  spmv_blocks_long L = hp_blocks_long_of(&D);
  const double *x = hp_spmv_at<double>(P, copy, P->x);
  double *y = hp_spmv_at<double>(P, copy, P->y);
  void *rows[] = {&A, &x, &y}, *sums[] = {&L, &y};
  int64_t blocks;
  const void *kernel = hp_blocks_kernel(&D, P->J->unroll, P->threads, &blocks);
  HP_TRY(hp_spmv_launch(P, kernel, (int)blocks, rows, 0));
  if (D.B.nlong > 0) {
    kernel = hp_blocks_long_kernel(&D, P->threads, &blocks);
    HP_TRY(hp_spmv_launch(P, kernel, (int)blocks, sums, 0));
  }
  return P->J->A != NULL ? hp_spmv_border_run(P, copy) : HP_OK;
}
