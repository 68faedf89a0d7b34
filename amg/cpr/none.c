/* amg/cpr/device.h in a build without CUDA: there is no device. */
#include "amg/cpr/device.h"

static hp_status no_cuda(void) { return hp_fail(HP_ERR_UNSUPPORTED, "cpr on a GPU: this build of hepta has no CUDA"); }

hp_status hp_cpr_device_create(hp_device *D, const hp_gh *A, const hp_cpr_options *opt, hp_cpr_device **out) {
  (void)D, (void)A, (void)opt;
  *out = NULL;
  return no_cuda();
}
void hp_cpr_device_destroy(hp_cpr_device **C) { (void)C; }
const hp_precond_custom *hp_cpr_device_precond(const hp_cpr_device *C) {
  (void)C;
  return NULL;
}
hp_status hp_cpr_device_lend(hp_cpr_device *C, void *memory, int64_t bytes) {
  (void)C, (void)memory, (void)bytes;
  return no_cuda();
}
void hp_cpr_device_rebuild(hp_cpr_device *C) { (void)C; }
void hp_cpr_device_begin_step(hp_cpr_device *C) { (void)C; }
bool hp_cpr_device_solved(hp_cpr_device *C, const hp_krylov_report *report) {
  (void)C, (void)report;
  return false;
}
hp_status hp_cpr_device_state(hp_cpr_device *C, hp_cpr_state *out) {
  (void)C, (void)out;
  return no_cuda();
}
