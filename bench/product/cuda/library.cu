/* Products with csr, bsr and sell on the GPU by cuSPARSE. */
#include "bench/product/cuda/product.cuh"
#include "core/device/cuda/cusparse.cuh"

hp_status hp_spmv_library_prepare(hp_spmv_product *P) {
  const hp_sparse *F = P->J->F;
  const int64_t slices = hp_parts(F->rows, HP_SPARSE_SLICE), q2 = (int64_t)F->q * F->q;
  const int64_t items = F->kind == HP_SPARSE_BSR ? F->ncell : F->kind == HP_SPARSE_SELL ? slices : F->rows;
  P->threads = 256;
  P->value = hp_spmv_put(&P->I, F->value, F->count * 8);
  P->index[0] = hp_spmv_put(&P->I, F->begin, (items + 1) * 4);
  P->index[1] = hp_spmv_put(&P->I, F->column, (F->kind == HP_SPARSE_BSR ? F->count / q2 : F->count) * 4);
  return F->kind == HP_SPARSE_BSR && P->J->A != NULL ? hp_spmv_put_border_gh(P, P->J->A, 0) : HP_OK;
}

/* Entries that are no padding. */
static int64_t sell_entries(const hp_sparse *F) {
  int64_t count = 0;
  for (int64_t p = 0; p < F->count; ++p) count += F->column[p] >= 0;
  return count;
}

static hp_status describe(hp_spmv_product *P, int c) {
  const hp_sparse *F = P->J->F;
  const cusparseIndexType_t i32 = CUSPARSE_INDEX_32I;
  void *begin = hp_spmv_at<void>(P, c, P->index[0]), *column = hp_spmv_at<void>(P, c, P->index[1]);
  void *value = hp_spmv_at<void>(P, c, P->value);
  if (F->kind == HP_SPARSE_CSR)
    HP_CUSPARSE_TRY(cusparseCreateCsr(&P->matrix[c], F->rows, F->n, F->count, begin, column, value, i32, i32,
                                      CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  else if (F->kind == HP_SPARSE_BSR)
    HP_CUSPARSE_TRY(cusparseCreateBsr(&P->matrix[c], F->ncell, F->ncell, F->count / F->q / F->q, F->q, F->q, begin,
                                      column, value, i32, i32, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F,
                                      CUSPARSE_ORDER_ROW));
  else
    HP_CUSPARSE_TRY(cusparseCreateSlicedEll(&P->matrix[c], F->rows, F->n, sell_entries(F), F->count, HP_SPARSE_SLICE,
                                            begin, column, value, i32, i32, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  const int64_t n = F->kind == HP_SPARSE_BSR ? F->ld : F->n;
  HP_CUSPARSE_TRY(cusparseCreateDnVec(&P->vector[0][c], n, hp_spmv_at<double>(P, c, P->x), CUDA_R_64F));
  HP_CUSPARSE_TRY(cusparseCreateDnVec(&P->vector[1][c], n, hp_spmv_at<double>(P, c, P->y), CUDA_R_64F));
  return HP_OK;
}

static const double one = 1.0, zero = 0.0;

hp_status hp_spmv_library_start(hp_spmv_product *P) {
  HP_CUSPARSE_TRY(cusparseCreate(&P->sparse));
  HP_CUSPARSE_TRY(cusparseSetStream(P->sparse, P->stream));
  for (int c = 0; c < P->copies; ++c) {
    size_t bytes = 0;
    HP_TRY(describe(P, c));
    HP_CUSPARSE_TRY(cusparseSpMV_bufferSize(P->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, P->matrix[c],
                                            P->vector[0][c], &zero, P->vector[1][c], CUDA_R_64F,
                                            CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    HP_TRY(hp_device_alloc(P->D, &P->buffer[c], (int64_t)bytes + 1, 1, "workspace of cuSPARSE"));
    HP_CUSPARSE_TRY(cusparseSpMV_preprocess(P->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, P->matrix[c],
                                            P->vector[0][c], &zero, P->vector[1][c], CUDA_R_64F,
                                            CUSPARSE_SPMV_ALG_DEFAULT, P->buffer[c]));
  }
  return HP_OK;
}

hp_status hp_spmv_library_run(const hp_spmv_product *P, int copy) {
  HP_CUSPARSE_TRY(cusparseSpMV(P->sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, P->matrix[copy], P->vector[0][copy],
                               &zero, P->vector[1][copy], CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, P->buffer[copy]));
  return P->J->F->kind == HP_SPARSE_BSR && P->J->A != NULL ? hp_spmv_border_run(P, copy) : HP_OK;
}

void hp_spmv_library_stop(hp_spmv_product *P) {
  for (int c = 0; c < P->copies && P->sparse != NULL; ++c) {
    if (P->matrix[c] != NULL) cusparseDestroySpMat(P->matrix[c]);
    if (P->vector[0][c] != NULL) cusparseDestroyDnVec(P->vector[0][c]);
    if (P->vector[1][c] != NULL) cusparseDestroyDnVec(P->vector[1][c]);
    hp_device_free(P->D, &P->buffer[c]);
  }
  if (P->sparse != NULL) cusparseDestroy(P->sparse);
}
