/* amg/cycle/device.h and amg/solver/device.h in a build without CUDA: there is no device. */
#include "amg/solver/device.h"

static hp_status no_cuda(void) {
  return hp_fail(HP_ERR_UNSUPPORTED, "multigrid on a GPU: this build of hepta has no CUDA");
}

hp_status hp_amg_device_cycle_create(hp_device *D, const hp_amg_options *opt, hp_amg_device_cycle **out) {
  (void)D, (void)opt;
  *out = NULL;
  return no_cuda();
}
void hp_amg_device_cycle_destroy(hp_amg_device_cycle **C) { (void)C; }
hp_status hp_amg_device_cycle_prepare(hp_amg_device_cycle *C, const hp_amg_device *H, const hp_gh *G) {
  (void)C, (void)H, (void)G;
  return no_cuda();
}
hp_status hp_amg_device_cycle_numbers(hp_amg_device_cycle *C) {
  (void)C;
  return no_cuda();
}
hp_status hp_amg_device_cycle_apply(hp_amg_device_cycle *C, const double *b, double *x) {
  (void)C, (void)b, (void)x;
  return no_cuda();
}
int64_t hp_amg_device_cycle_bytes(const hp_amg_device_cycle *C) {
  (void)C;
  return 0;
}
int hp_amg_device_cycle_passes(const hp_amg_device_cycle *C) {
  (void)C;
  return 0;
}
int hp_amg_device_cycle_sweep_passes(const hp_amg_device_cycle *C, int l) {
  (void)C, (void)l;
  return 0;
}

hp_status hp_amg_device_solver_create(hp_device *D, const hp_gh *A, const hp_amg_solver_options *opt,
                                      hp_amg_device_solver **out) {
  (void)D, (void)A, (void)opt;
  *out = NULL;
  return no_cuda();
}
void hp_amg_device_solver_destroy(hp_amg_device_solver **S) { (void)S; }
hp_status hp_amg_device_solver_build(hp_amg_device_solver *S) {
  (void)S;
  return no_cuda();
}
hp_status hp_amg_device_solver_refresh(hp_amg_device_solver *S) {
  (void)S;
  return no_cuda();
}
hp_status hp_amg_device_solver_solve(hp_amg_device_solver *S, const double *b, double *x, double *history,
                                     hp_krylov_report *report) {
  (void)S, (void)b, (void)x, (void)history, (void)report;
  return no_cuda();
}
hp_status hp_amg_device_solver_cycle(hp_amg_device_solver *S, const double *b, double *x) {
  (void)S, (void)b, (void)x;
  return no_cuda();
}
hp_amg_device *hp_amg_device_solver_hierarchy(hp_amg_device_solver *S) {
  (void)S;
  return NULL;
}
const hp_amg_device_cycle *hp_amg_device_solver_get_cycle(const hp_amg_device_solver *S) {
  (void)S;
  return NULL;
}
int64_t hp_amg_device_solver_bytes(const hp_amg_device_solver *S) {
  (void)S;
  return 0;
}
