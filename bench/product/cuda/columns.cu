/* Products with dia, sg-dia, ell, hyb and hec on the GPU: the launches of linsolve/product/cuda/columns.cuh. */
#include <string.h>

#include "bench/product/cuda/product.cuh"
#include "linsolve/product/cuda/columns.cuh"

hp_status hp_spmv_columns_prepare(hp_spmv_product *P) {
  const hp_sparse *F = P->J->F;
  P->threads = 256;
  P->blocks = (int)hp_parts(F->rows, P->threads);
  P->value = hp_spmv_put(&P->I, F->value, F->count * 8);
  P->index[0] = hp_spmv_put(&P->I, F->column, F->column != NULL ? F->count * 4 : 0);
  P->index[1] = hp_spmv_put(&P->I, F->rest_begin, F->rest_begin != NULL ? (F->rows + 1) * 4 : 0);
  P->index[2] = hp_spmv_put(&P->I, F->rest_row, F->rest_row != NULL ? F->rest * 4 : 0);
  P->index[3] = hp_spmv_put(&P->I, F->rest_column, F->rest * 4);
  P->index[4] = hp_spmv_put(&P->I, F->rest_value, F->rest * 8);
  return hp_sparse_holds_wells(F->kind) ? HP_OK : hp_spmv_put_border_gh(P, P->J->A, P->threads);
}

hp_status hp_spmv_columns_run(const hp_spmv_product *P, int copy) {
  const hp_sparse *F = P->J->F;
  const bool holds_wells = hp_sparse_holds_wells(F->kind);
  spmv_columns_of C;
  spmv_border B;
  memset(&C, 0, sizeof C);
  memset(&B, 0, sizeof B);
  if (!holds_wells) B = hp_spmv_border_of(P, copy);
  C.value = hp_spmv_at<double>(P, copy, P->value);
  C.column = hp_spmv_at<int32_t>(P, copy, P->index[0]);
  C.rest_begin = hp_spmv_at<int32_t>(P, copy, P->index[1]);
  C.rest_row = hp_spmv_at<int32_t>(P, copy, P->index[2]);
  C.rest_column = hp_spmv_at<int32_t>(P, copy, P->index[3]);
  C.rest_value = hp_spmv_at<double>(P, copy, P->index[4]);
  C.rows = F->rows;
  C.width = F->width;
  C.q = F->q;
  C.ncell = (int)F->ncell;
  C.rest = (int)F->rest;
  C.nwell = (int)(F->n - F->ld);
  for (int d = 0; d < F->width && F->offset != NULL; ++d) C.offset[d] = F->offset[d];
  const double *x = hp_spmv_at<double>(P, copy, P->x);
  double *y = hp_spmv_at<double>(P, copy, P->y);
  int well_blocks = (C.nwell + P->threads / 32 - 1) / (P->threads / 32);
  void *border[] = {&C, &B, &x, &y}, *plain[] = {&C, &x, &y}, *hec[] = {&C, &well_blocks, &x, &y};
  const int cells = (int)hp_parts(F->ld, P->threads);
  switch (F->kind) {
    case HP_SPARSE_DIA: return hp_spmv_launch(P, (const void *)spmv_dia, B.blocks + P->blocks, border, 0);
    case HP_SPARSE_SGDIA: return hp_spmv_launch(P, (const void *)spmv_sgdia, B.blocks + P->blocks, border, 0);
    case HP_SPARSE_ELL: return hp_spmv_launch(P, (const void *)spmv_ell, B.blocks + P->blocks, border, 0);
    case HP_SPARSE_HEC: return hp_spmv_launch(P, (const void *)spmv_hec, well_blocks + cells, hec, 0);
    default: break;
  }
  HP_TRY(hp_spmv_launch(P, (const void *)spmv_hyb, P->blocks, plain, 0));
  if (F->rest == 0) return HP_OK;
  return hp_spmv_launch(P, (const void *)spmv_hyb_rest, (int)hp_parts(F->rest, P->threads), plain, 0);
}
