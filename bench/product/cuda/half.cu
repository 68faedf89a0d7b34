/* Products with GH-h on the GPU. */
#include "bench/half/cuda/product.cuh"
#include "bench/product/cuda/product.cuh"

hp_status hp_spmv_half_prepare(hp_spmv_product *P) {
  const hp_half *H = P->J->H;
  spmv_half G;
  int64_t rows[2];
  if (spmv_half_kernel_of(H->q) == NULL) return hp_fail(HP_ERR_UNSUPPORTED, "GH-h: no kernel for q = %d", H->q);
  P->threads = P->J->threads > 0 ? P->J->threads : spmv_half_threads(H->q);
  P->blocks = spmv_half_of(H, P->threads, &G, rows);
  P->value = hp_spmv_put(&P->I, H->h[0], H->columns[0] * H->ld[0] * 8);
  P->index[1] = hp_spmv_put(&P->I, H->h[1], H->columns[1] * H->ld[1] * 8);
  return hp_spmv_put_border_half(P, H, rows);
}

hp_status hp_spmv_half_run(const hp_spmv_product *P, int copy) {
  const hp_half *H = P->J->H;
  spmv_half G;
  int64_t rows[2];
  spmv_border B = hp_spmv_border_of(P, copy);
  (void)spmv_half_of(H, P->threads, &G, rows);
  G.h[0] = hp_spmv_at<double>(P, copy, P->value);
  G.h[1] = hp_spmv_at<double>(P, copy, P->index[1]);
  const double *x = hp_spmv_at<double>(P, copy, P->x);
  double *y = hp_spmv_at<double>(P, copy, P->y);
  void *args[] = {&G, &B, &x, &y};
  return hp_spmv_launch(P, spmv_half_kernel_of(H->q), B.blocks + P->blocks, args, 0);
}
