/* See core/device/cuda/threads.cuh. */
#include "core/device/cuda/threads.cuh"

#include <string.h>

#include "core/device/cuda/device_impl.cuh"

static int gpus_of(const hp_device *D, const hp_threads_launch *L) {
  return L->items <= D->shape.one_gpu_rows ? 1 : D->gpus;
}

/* The bounds of a GPU's share of the items. */
static void set_share(const hp_threads_launch *L, int gpu, int gpus) {
  hp_team t;
  if (L->begin == NULL) return;
  memset(&t, 0, sizeof t);
  const hp_cut c = hp_team_cut(&t, L->items);
  *L->begin = hp_cut_begin(&c, hp_cut_share(&c, gpu, gpus));
  *L->end = hp_cut_begin(&c, hp_cut_share(&c, gpu + 1, gpus));
}

static void set_grid(const hp_device *D, const hp_threads_launch *L, int gpu, int gpus) {
  if (L->grid == NULL) return;
  *L->grid = D->gpu[gpu].grid;
  L->grid->gpu = gpu;
  L->grid->gpus = gpus;
}

static cudaError_t run(hp_device *D, const hp_threads_launch *L, int gpus) {
  const int64_t blocks = L->blocks > gpus ? (L->blocks + gpus - 1) / gpus : 1;
  const hp_device_gpu_launch launch = {L->kernel, L->arguments, L->threads, (int)blocks, L->shared, false};
  cudaError_t e = gpus > 1 ? hp_device_fork(D) : cudaSuccess;
  for (int g = 0; g < gpus && e == cudaSuccess; ++g) {
    set_grid(D, L, g, gpus);
    set_share(L, g, gpus);
    e = hp_device_launch_on(D, g, &launch);
  }
  set_grid(D, L, 0, 1);
  return gpus > 1 ? hp_device_join(D, e) : e;
}

hp_status hp_threads_run(hp_device *D, const hp_threads_launch *L) {
  if (L->items <= 0) return HP_OK;
  if (D->lost) return hp_device_check(D, cudaSuccess, L->what);
  return hp_device_check(D, run(D, L, gpus_of(D, L)), L->what);
}
