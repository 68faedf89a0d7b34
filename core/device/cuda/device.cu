/* core/device/device.h with CUDA. */
#include <stdio.h>
#include <string.h>

#include "core/device/ahead.h"
#include "core/device/cuda/device_impl.cuh"
#include "core/device/tuned.h"
#include "core/memory.h"

/* ---- errors ---- */

/* The GPU of the team on which something failed; -1: none is known. */
static int find_failed(hp_device *D) {
  int failed = -1;
  for (int g = D->gpus - 1; g >= 0; --g) {
    const cudaStream_t stream = g == 0 ? D->stream : D->gpu[g].stream;
    if (stream == NULL || cudaSetDevice(D->gpu[g].ordinal) != cudaSuccess) continue;
    const cudaError_t e = cudaStreamQuery(stream);
    if (e != cudaSuccess && e != cudaErrorNotReady) failed = g;
  }
  cudaSetDevice(D->opt.ordinal);
  return failed;
}

/* "the GPU (NAME)"; of several "GPU 1 (NAME)", or "one of GPUs 0, 1 (NAME)". */
static void name_failed(hp_device *D, char *out, size_t size) {
  char all[256];
  const int failed = D->gpus > 1 ? find_failed(D) : 0;
  hp_device_describe(D, all, sizeof all);
  if (D->gpus == 1) snprintf(out, size, "the GPU (%s)", D->info.name);
  else if (failed >= 0) snprintf(out, size, "GPU %d (%s)", D->gpu[failed].ordinal, D->info.name);
  else snprintf(out, size, "one of %s", all);
}

hp_status hp_device_check(hp_device *D, cudaError_t error, const char *what) {
  char who[320];
  if (D != NULL && !D->lost && D->opt.fail_at > 0 && ++D->calls >= D->opt.fail_at) error = cudaErrorDevicesUnavailable;
  if (error == cudaSuccess && (D == NULL || !D->lost)) return HP_OK;
  if (D == NULL) return hp_fail(HP_ERR_DEVICE, "CUDA: %s: %s", what, cudaGetErrorString(error));
  if (D->lost) return hp_fail(HP_ERR_DEVICE, "the GPU (%s) failed earlier and is not used any more", D->info.name);
  D->lost = true;
  name_failed(D, who, sizeof who);
  switch (error) {
    case cudaErrorMemoryAllocation:
      D->lost = false;
      return hp_fail(HP_ERR_MEMORY, "%s is out of memory while %s: %lld bytes are free, %lld are held", who, what,
                     (long long)hp_device_free_bytes(D), (long long)D->held);
    case cudaErrorDevicesUnavailable:
    case cudaErrorECCUncorrectable:
    case cudaErrorNoDevice:
      return hp_fail(HP_ERR_DEVICE, "%s was lost while %s: %s", who, what, cudaGetErrorString(error));
    default: return hp_fail(HP_ERR_DEVICE, "%s failed while %s: %s", who, what, cudaGetErrorString(error));
  }
}

/* ---- creation ---- */

hp_status hp_device_visible(int *count) {
  const cudaError_t e = cudaGetDeviceCount(count);
  if (e == cudaSuccess && *count > 0) return HP_OK;
  return hp_fail(HP_ERR_DEVICE, "no CUDA device was found: %s. Run with --backend cpu, or see what nvidia-smi says",
                 e != cudaSuccess ? cudaGetErrorString(e) : "none is visible");
}

int64_t hp_device_memory_of(int ordinal) {
  cudaDeviceProp p;
  if (cudaGetDeviceProperties(&p, ordinal) == cudaSuccess) return (int64_t)p.totalGlobalMem;
  (void)cudaGetLastError();
  return 0;
}

hp_status hp_device_identify(int ordinal, unsigned char *id) {
  cudaDeviceProp p;
  HP_TRY(hp_device_check(NULL, cudaGetDeviceProperties(&p, ordinal), "reading a GPU's number"));
  memcpy(id, &p.uuid, HP_DEVICE_IDENTITY);
  return HP_OK;
}

static hp_status choose(int ordinal, hp_device_info *info) {
  cudaDeviceProp p;
  HP_TRY(hp_device_check(NULL, cudaGetDeviceProperties(&p, ordinal), "asking for the device's properties"));
  snprintf(info->name, sizeof info->name, "%.*s", (int)sizeof info->name - 1, p.name);
  info->major = p.major;
  info->minor = p.minor;
  info->multiprocessors = p.multiProcessorCount;
  info->memory = (int64_t)p.totalGlobalMem;
  info->l2 = p.l2CacheSize;
  if (p.major < 8)
    return hp_fail(HP_ERR_DEVICE, "the GPU (%s) has compute capability %d.%d; hepta needs 8.0 or more", p.name, p.major,
                   p.minor);
  if (!p.cooperativeLaunch)
    return hp_fail(HP_ERR_DEVICE, "the GPU (%s) cannot launch cooperative kernels, which hepta's solvers are", p.name);
  return HP_OK;
}

hp_status hp_device_first_fits(void) {
  hp_device_info info;
  int count;
  HP_TRY(hp_device_visible(&count));
  return choose(0, &info);
}

/* The shape asked for, the one tuned for so many cells, or the default. */
static hp_status choose_shape(hp_device *D) {
  hp_device_shape shape = hp_device_default_shape();
  if (D->opt.shape != NULL) return hp_device_set_shape(D, D->opt.shape);
  hp_tuned_load(&D->info, D->opt.cells, &D->found, D->warning, sizeof D->warning);
  const hp_tuned_row *row = hp_tuned_nearest(&D->found, D->opt.cells, 2, D->gpus); /* unknowns of runs */
  D->tuned = row != NULL;
  if (D->tuned) shape = row->shape;
  if (D->opt.one_gpu_rows > 0) shape.one_gpu_rows = (int)D->opt.one_gpu_rows;
  if (!D->tuned || hp_device_set_shape(D, &shape) == HP_OK) return hp_device_set_shape(D, &shape);
  D->tuned = false;
  snprintf(D->warning, sizeof D->warning, "the tuned launch shape is not used: %s", hp_fail_text());
  shape = hp_device_default_shape();
  return hp_device_set_shape(D, &shape);
}

hp_status hp_device_find(const hp_device_options *opt, hp_device **out) {
  *out = NULL;
  HP_TRY(hp_alloc((void **)out, 1, sizeof **out, "device"));
  hp_device *D = *out;
  if (opt != NULL) D->opt = *opt;
  int visible;
  HP_TRY(hp_device_test_options(&D->opt));
  HP_TRY(hp_device_visible(&visible));
  if (hp_device_choose_gpus(&D->opt, visible) != HP_OK) {
    if (!D->opt.listed) return HP_ERR_USAGE;
    return hp_fail(HP_ERR_DEVICE, "HEPTA_TEST_GPUS names a GPU that is not there: there are %d", visible);
  }
  D->gpus = D->opt.gpus;
  for (int g = 0; g < D->gpus; ++g) D->gpu[g].ordinal = D->opt.gpu[g];
  HP_TRY(choose(D->opt.ordinal, &D->info));
  for (int g = 1; g < D->gpus; ++g) {
    hp_device_info other;
    HP_TRY(choose(D->gpu[g].ordinal, &other));
    if (strcmp(other.name, D->info.name) != 0)
      return hp_fail(HP_ERR_DEVICE, "GPU %d is a %s and GPU %d a %s: one run needs GPUs of one kind", D->opt.ordinal,
                     D->info.name, D->gpu[g].ordinal, other.name);
  }
  return HP_OK;
}

hp_status hp_device_open(hp_device *D) {
  HP_CUDA_TRY(D, cudaSetDevice(D->opt.ordinal));
  HP_CUDA_TRY(D, cudaStreamCreateWithFlags(&D->stream, cudaStreamNonBlocking));
  for (int n = 0; n < 8; ++n) HP_CUDA_TRY(D, cudaEventCreate(&D->mark[n]));
  hp_device_note_free(D);
  HP_TRY(hp_device_open_pages(D));
  return hp_device_create_team(D);
}

/* The current device is each thread's own. */
hp_status hp_device_fit(hp_device *D, int64_t cells) {
  HP_TRY(hp_device_check(NULL, cudaSetDevice(D->opt.ordinal), "choosing the device"));
  D->opt.cells = cells;
  HP_TRY(choose_shape(D));
  D->opt.shape = NULL;
  return HP_OK;
}

void hp_device_close(hp_device **slot) {
  hp_device *D = *slot;
  hp_device_drop_part(D);
  hp_device_destroy_team(D);
  for (int n = 0; n < 8; ++n)
    if (D->mark[n] != NULL) cudaEventDestroy(D->mark[n]);
  if (D->stream != NULL) cudaStreamDestroy(D->stream);
  hp_free(slot);
}

int hp_device_gpus(const hp_device *D) { return D->gpus; }
void hp_device_describe(const hp_device *D, char *out, size_t size) {
  hp_device_name_gpus(D->gpus, D->opt.gpu, D->info.name, out, size);
}
const hp_device_info *hp_device_get_info(const hp_device *D) { return &D->info; }
hp_device_traffic hp_device_get_traffic(const hp_device *D) { return D->traffic; }
void hp_device_count_launches(hp_device *D, int64_t count) { D->traffic.launches += count; }
hp_device_shape hp_device_get_shape(const hp_device *D) { return D->shape; }
bool hp_device_is_tuned(const hp_device *D) { return D->tuned; }
const char *hp_device_warning(const hp_device *D) { return D->warning; }
cudaStream_t hp_device_stream(hp_device *D) { return D->stream; }

hp_status hp_device_set_shape(hp_device *D, const hp_device_shape *shape) {
  if (shape->blocks < 1 || shape->blocks * D->info.multiprocessors > HP_DEVICE_BLOCKS_MAX)
    return hp_fail(HP_ERR_USAGE, "%d blocks per multiprocessor: must be at least 1, with at most %d blocks in all",
                   shape->blocks, (int)HP_DEVICE_BLOCKS_MAX);
  HP_TRY(hp_device_check_shape(shape));
  D->shape = *shape;
  hp_device_set_barrier(D, shape);
  return HP_OK;
}

uint32_t hp_device_shake(const hp_device *D) { return D->opt.shake; }

bool hp_device_find_kernel(const hp_device *D, const char *name, int64_t n, hp_kernel_shape *shape) {
  const hp_tuned_kernel *k = hp_tuned_nearest_kernel(&D->found, name, n);
  if (k != NULL) *shape = k->shape;
  return k != NULL;
}

hp_kernel_shape hp_device_kernel(const hp_device *D, const char *name, int64_t n) {
  hp_kernel_shape shape = hp_kernel_default_shape();
  (void)hp_device_find_kernel(D, name, n, &shape);
  return shape;
}

hp_status hp_device_set_kernel(hp_device *D, const char *name, int64_t n, const hp_kernel_shape *shape) {
  hp_tuned_kernel k;
  memset(&k, 0, sizeof k);
  HP_TRY(hp_kernel_check_shape(shape));
  snprintf(k.name, sizeof k.name, "%s", name);
  k.n = n;
  k.shape = *shape;
  k.seconds = k.default_seconds = 1.0;
  hp_tuned_put_kernel(&D->found, &k);
  return HP_OK;
}

/* ---- waiting and time ---- */

hp_status hp_device_sync(hp_device *D) {
  const cudaError_t e = cudaStreamSynchronize(D->stream);
  if (e == cudaSuccess && !D->post->broken) HP_TRY(hp_device_sync_others(D));
  if (e == cudaSuccess && D->post->broken) {
    char place[sizeof D->post->place];
    for (size_t c = 0; c < sizeof place; ++c) place[c] = D->post->place[c];
    place[sizeof place - 1] = 0;
    D->lost = true;
    const double limit = (double)D->gpu[0].grid.time_limit / 1e9;
    if (D->gpus == 1)
      return hp_fail(HP_ERR_TEAM, "a block of the GPU's team waited longer than %g s at %s", limit, place);
    const int waits = D->post->gpu, missing = D->post->missing - 1;
    if (missing < 0)
      return hp_fail(HP_ERR_TEAM, "a block of GPU %d, number %d of the team, waited longer than %g s at %s",
                     D->gpu[waits].ordinal, waits + 1, limit, place);
    return hp_fail(HP_ERR_TEAM, "GPU %d, number %d of the team, waited longer than %g s at %s for GPU %d, number %d",
                   D->gpu[waits].ordinal, waits + 1, limit, place, D->gpu[missing].ordinal, missing + 1);
  }
  return hp_device_check(D, e, "computing");
}

int64_t hp_device_barriers(const hp_device *D) { return D->post->barriers; }

hp_status hp_device_mark(hp_device *D, int which) {
  return hp_device_check(D, cudaEventRecord(D->mark[which], D->stream), "recording a time");
}

hp_status hp_device_elapsed(hp_device *D, int from, int to, double *seconds) {
  float ms = 0.0f;
  HP_CUDA_TRY(D, cudaEventSynchronize(D->mark[to]));
  HP_CUDA_TRY(D, cudaEventElapsedTime(&ms, D->mark[from], D->mark[to]));
  *seconds = 1e-3 * (double)ms;
  return HP_OK;
}
