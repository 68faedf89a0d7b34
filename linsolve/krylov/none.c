/* linsolve/krylov/device.h in a build without CUDA. */
#include "linsolve/krylov/device.h"

static hp_status no_cuda(void) { return hp_fail(HP_ERR_UNSUPPORTED, "this build of hepta has no CUDA"); }

hp_status hp_device_krylov_create(hp_device *D, const hp_gh *A, const hp_krylov_options *opt, hp_device_krylov **out) {
  (void)D, (void)A, (void)opt;
  *out = NULL;
  return no_cuda();
}
void hp_device_krylov_destroy(hp_device_krylov **K) { (void)K; }
hp_status hp_device_krylov_setup(hp_device_krylov *K, const hp_gh *A) {
  (void)K, (void)A;
  return no_cuda();
}
hp_status hp_device_krylov_solve(hp_device_krylov *K, const hp_gh *A, const double *b, double *x, double *history,
                                 hp_krylov_report *report) {
  (void)K, (void)A, (void)b, (void)x, (void)history, (void)report;
  return no_cuda();
}
hp_status hp_device_krylov_apply(hp_device_krylov *K, const hp_gh *A, const double *r, double *z) {
  (void)K, (void)A, (void)r, (void)z;
  return no_cuda();
}
hp_status hp_device_product(hp_device *D, const hp_gh *A, const double *x, double *y, bool transposed) {
  (void)D, (void)A, (void)x, (void)y, (void)transposed;
  return no_cuda();
}
hp_status hp_device_residual(hp_device *D, const hp_gh *A, const double *b, const double *x, double *y) {
  (void)D, (void)A, (void)b, (void)x, (void)y;
  return no_cuda();
}
int64_t hp_device_krylov_bytes(const hp_device_krylov *K) {
  (void)K;
  return 0;
}
void *hp_device_krylov_work(const hp_device_krylov *K, int64_t *bytes) {
  (void)K;
  *bytes = 0;
  return NULL;
}
double *hp_device_krylov_solution(const hp_device_krylov *K) {
  (void)K;
  return NULL;
}
int64_t hp_device_krylov_launches(const hp_device_krylov *K) {
  (void)K;
  return 0;
}
