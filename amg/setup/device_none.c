/* amg/setup/device.h in a build without CUDA: there is no device, and nothing of this is ever made. */
#include "amg/setup/device.h"

static hp_status no_cuda(void) { return hp_fail(HP_ERR_UNSUPPORTED, "this build of hepta has no CUDA"); }

hp_status hp_amg_device_create(hp_device *D, const hp_amg_options *opt, hp_amg_device **out) {
  (void)D, (void)opt;
  *out = NULL;
  return no_cuda();
}
void hp_amg_device_destroy(hp_amg_device **H) { (void)H; }
hp_status hp_amg_device_build(hp_amg_device *H, const hp_device_csr *A, int32_t nwell) {
  (void)H, (void)A, (void)nwell;
  return no_cuda();
}
hp_status hp_amg_device_refresh(hp_amg_device *H) {
  (void)H;
  return no_cuda();
}
int hp_amg_device_levels(const hp_amg_device *H) {
  (void)H;
  return 0;
}
const hp_amg_device_level *hp_amg_device_get_level(const hp_amg_device *H, int l) {
  (void)H, (void)l;
  return NULL;
}
const hp_amg_device_direct *hp_amg_device_get_direct(const hp_amg_device *H) {
  (void)H;
  return NULL;
}
int64_t hp_amg_device_bytes(const hp_amg_device *H) {
  (void)H;
  return 0;
}
int64_t hp_amg_device_pool_bytes(const hp_amg_device *H) {
  (void)H;
  return 0;
}
int64_t hp_amg_device_peak_bytes(const hp_amg_device *H) {
  (void)H;
  return 0;
}
int64_t hp_amg_device_level_bytes(const hp_amg_device *H, int l) {
  (void)H, (void)l;
  return 0;
}
bool hp_amg_device_coarsens_on_host(const hp_amg_device *H) {
  (void)H;
  return false;
}
void hp_amg_device_watch(hp_amg_device *H, bool on) { (void)H, (void)on; }
const char *hp_amg_device_part_name(hp_amg_device_part p) {
  (void)p;
  return "";
}
double hp_amg_device_time(const hp_amg_device *H, int l, hp_amg_device_part p) {
  (void)H, (void)l, (void)p;
  return 0.0;
}
hp_status hp_device_csr_upload(hp_device *D, const hp_csr *A, hp_device_csr *out) {
  (void)D, (void)A, (void)out;
  return no_cuda();
}
hp_status hp_device_csr_download(hp_device *D, const hp_device_csr *A, hp_csr **out) {
  (void)D, (void)A;
  *out = NULL;
  return no_cuda();
}
void hp_device_csr_free(hp_device *D, hp_device_csr *A) { (void)D, (void)A; }
hp_status hp_device_csr_from_gh(hp_device *D, const hp_gh *A, hp_device_csr *out) {
  (void)D, (void)A, (void)out;
  return no_cuda();
}
hp_status hp_device_csr_refresh(hp_device *D, const hp_gh *A, hp_device_csr *C) {
  (void)D, (void)A, (void)C;
  return no_cuda();
}
