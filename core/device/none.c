/* core/device/device.h in a build without CUDA: there is no device. */
#include "core/device/ahead.h"

static hp_status no_cuda(void) {
  return hp_fail(HP_ERR_UNSUPPORTED,
                 "this build of hepta has no CUDA: configure with -DHEPTA_CUDA=ON where nvcc is installed, or run on "
                 "the CPU");
}

hp_status hp_device_in_build(void) { return no_cuda(); }
hp_status hp_device_available(void) { return no_cuda(); }

hp_status hp_device_find(const hp_device_options *opt, hp_device **out) {
  (void)opt;
  *out = NULL;
  return no_cuda();
}
hp_status hp_device_open(hp_device *D) {
  (void)D;
  return no_cuda();
}
hp_status hp_device_fit(hp_device *D, int64_t cells) {
  (void)D, (void)cells;
  return no_cuda();
}

hp_status hp_device_create(const hp_device_options *opt, hp_device **out) {
  (void)opt;
  *out = NULL;
  return no_cuda();
}
void hp_device_destroy(hp_device **D) { (void)D; }
const hp_device_info *hp_device_get_info(const hp_device *D) {
  (void)D;
  return NULL;
}
hp_device_traffic hp_device_get_traffic(const hp_device *D) {
  (void)D;
  return (hp_device_traffic){0};
}
void hp_device_count_launches(hp_device *D, int64_t count) { (void)D, (void)count; }
hp_device_shape hp_device_get_shape(const hp_device *D) {
  (void)D;
  return hp_device_default_shape();
}
bool hp_device_is_tuned(const hp_device *D) {
  (void)D;
  return false;
}
const char *hp_device_warning(const hp_device *D) {
  (void)D;
  return "";
}
hp_status hp_device_set_shape(hp_device *D, const hp_device_shape *shape) {
  (void)D, (void)shape;
  return no_cuda();
}
hp_status hp_device_alloc(hp_device *D, void **out, int64_t count, size_t size, const char *what) {
  (void)D, (void)count, (void)size, (void)what;
  *out = NULL;
  return no_cuda();
}
void hp_device_free(hp_device *D, void *p) { (void)D, (void)p; }
int64_t hp_device_bytes(const hp_device *D) {
  (void)D;
  return 0;
}
int64_t hp_device_free_bytes(const hp_device *D) {
  (void)D;
  return 0;
}
hp_status hp_device_upload(hp_device *D, void *to, const void *from, int64_t bytes) {
  (void)D, (void)to, (void)from, (void)bytes;
  return no_cuda();
}
hp_status hp_device_download(hp_device *D, void *to, const void *from, int64_t bytes) {
  (void)D, (void)to, (void)from, (void)bytes;
  return no_cuda();
}
hp_status hp_device_copy(hp_device *D, void *to, const void *from, int64_t bytes) {
  (void)D, (void)to, (void)from, (void)bytes;
  return no_cuda();
}
hp_status hp_device_zero(hp_device *D, void *to, int64_t bytes) {
  (void)D, (void)to, (void)bytes;
  return no_cuda();
}
hp_status hp_device_sync(hp_device *D) {
  (void)D;
  return no_cuda();
}
int64_t hp_device_barriers(const hp_device *D) {
  (void)D;
  return 0;
}
hp_status hp_device_mark(hp_device *D, int which) {
  (void)D, (void)which;
  return no_cuda();
}
hp_status hp_device_elapsed(hp_device *D, int from, int to, double *seconds) {
  (void)D, (void)from, (void)to;
  *seconds = 0.0;
  return no_cuda();
}
hp_status hp_device_barrier_team(hp_device *D, int *threads, int *blocks) {
  (void)D;
  *threads = *blocks = 0;
  return no_cuda();
}
hp_status hp_device_time_barrier(hp_device *D, hp_barrier_test what, int rounds, double *seconds) {
  (void)D, (void)what, (void)rounds;
  *seconds = 0.0;
  return no_cuda();
}
