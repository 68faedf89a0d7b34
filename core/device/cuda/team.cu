/* The team of a device: its memory and its launches. */
#undef HP_WITHOUT_COOPERATIVE_GROUPS /* which a check of all other files leaves out */
#include <string.h>

#include "core/device/cuda/device_impl.cuh"
#include "core/memory.h"

enum { LEAVES_MAX = 256 };

/* ---- memory of barriers and sums ---- */

/* One piece of each GPU's memory. */
static hp_status create_grid(hp_device *D, int g) {
  hp_device_gpu *G = &D->gpu[g];
  const int64_t state = hp_device_round_up(sizeof(hp_team_grid_state));
  const int64_t flags = hp_device_round_up(HP_DEVICE_BLOCKS_MAX * sizeof(unsigned));
  const int64_t leaves = hp_device_round_up((int64_t)LEAVES_MAX * HP_LEAF_STRIDE * sizeof(unsigned));
  const int64_t partial = hp_device_round_up((int64_t)2 * HP_SUMS_MAX * HP_GROUPS_MAX * sizeof(double));
  const int64_t max = hp_device_round_up((int64_t)2 * HP_DEVICE_BLOCKS_MAX * D->gpus * sizeof(double));
  const int64_t links = hp_device_round_up(sizeof(hp_team_links)) +
                        hp_device_round_up(HP_GPUS_MAX * HP_LINK_STRIDE * sizeof(unsigned));
  const int64_t bytes = state + 2 * flags + leaves + partial + 2 * max + (D->gpus > 1 ? links : 0);
  if (g == 0) {
    HP_TRY(hp_device_alloc_whole(D, &G->memory, bytes, 1, "barrier and sums"));
  } else {
    HP_CUDA_TRY(D, cudaMalloc(&G->memory, (size_t)bytes));
    HP_CUDA_TRY(D, cudaMemsetAsync(G->memory, 0, (size_t)bytes, G->stream));
    D->gpu[hp_device_same_as(D, g)].held += bytes;
  }
  char *at = (char *)G->memory;
  G->grid.state = (hp_team_grid_state *)at;
  G->grid.arrive = (unsigned *)(at += state);
  G->grid.depart = (unsigned *)(at += flags);
  G->grid.leaf = (unsigned *)(at += flags);
  G->grid.partial = (double *)(at += leaves);
  G->grid.max = (double *)(at += partial);
  G->grid.argmax = (long long *)(at += max);
  if (D->gpus > 1) G->grid.links = (const hp_team_links *)(at += max);
  HP_CUDA_TRY(D, cudaHostGetDevicePointer((void **)&G->grid.post, (void *)D->post, 0));
  G->grid.gpu = g;
  G->grid.gpus = D->gpus;
  G->grid.shake = D->opt.shake != 0 ? D->opt.shake + (uint32_t)g * 7919u : 0;
  G->grid.time_limit = (unsigned long long)((D->opt.time_limit > 0.0 ? D->opt.time_limit : 30.0) * 1e9);
  return HP_OK;
}

/* Every GPU's copy of where the others have theirs. */
static hp_status link_grids(hp_device *D) {
  hp_team_links links;
  memset(&links, 0, sizeof links);
  for (int g = 0; g < D->gpus; ++g) {
    const hp_team_grid *G = &D->gpu[g].grid;
    links.state[g] = G->state;
    links.flag[g] = (unsigned *)((char *)(void *)G->links + hp_device_round_up(sizeof links));
    links.partial[g] = G->partial;
    links.max[g] = G->max;
    links.argmax[g] = G->argmax;
  }
  for (int g = 0; g < D->gpus; ++g) {
    HP_CUDA_TRY(D, cudaSetDevice(D->gpu[g].ordinal));
    HP_CUDA_TRY(D, cudaStreamSynchronize(D->gpu[g].stream));
    HP_CUDA_TRY(D, cudaMemcpy((void *)D->gpu[g].grid.links, &links, sizeof links, cudaMemcpyHostToDevice));
  }
  return HP_OK;
}

static hp_status allow_access(hp_device *D, int from, int to) {
  int can = 0;
  HP_CUDA_TRY(D, cudaDeviceCanAccessPeer(&can, from, to));
  if (!can)
    return hp_fail(HP_ERR_DEVICE,
                   "GPU %d cannot read the memory of GPU %d (no NVLink or peer access between them), which one run on "
                   "both needs",
                   from, to);
  HP_CUDA_TRY(D, cudaSetDevice(from));
  const cudaError_t e = cudaDeviceEnablePeerAccess(to, 0);
  if (e == cudaErrorPeerAccessAlreadyEnabled) {
    (void)cudaGetLastError();
    return HP_OK;
  }
  return hp_device_check(D, e, "giving GPUs access to each other's memory");
}

static hp_status connect(hp_device *D) {
  for (int a = 0; a < D->gpus; ++a)
    for (int b = 0; b < D->gpus; ++b)
      if (D->gpu[a].ordinal != D->gpu[b].ordinal) HP_TRY(allow_access(D, D->gpu[a].ordinal, D->gpu[b].ordinal));
  return HP_OK;
}

/* Multiprocessors of each GPU that are the team's: as many of all, and a share where a GPU is named several times. */
static hp_status share(hp_device *D) {
  for (int g = 0; g < D->gpus; ++g) {
    int count = 0, named = 0;
    for (int other = 0; other < D->gpus; ++other) named += D->gpu[other].ordinal == D->gpu[g].ordinal;
    HP_CUDA_TRY(D, cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, D->gpu[g].ordinal));
    if (g == 0 || count / named < D->multiprocessors) D->multiprocessors = count / named;
  }
  return HP_OK;
}

static hp_status create_others(hp_device *D) {
  for (int g = 1; g < D->gpus; ++g) {
    HP_CUDA_TRY(D, cudaSetDevice(D->gpu[g].ordinal));
    HP_CUDA_TRY(D, cudaStreamCreateWithFlags(&D->gpu[g].stream, cudaStreamNonBlocking));
    HP_CUDA_TRY(D, cudaEventCreateWithFlags(&D->gpu[g].done, cudaEventDisableTiming));
    HP_TRY(create_grid(D, g));
  }
  return D->gpus > 1 ? link_grids(D) : HP_OK;
}

hp_status hp_device_create_team(hp_device *D) {
  D->gpu[0].stream = D->stream;
  HP_TRY(share(D));
  HP_TRY(connect(D));
  HP_CUDA_TRY(D, cudaSetDevice(D->gpu[0].ordinal));
  HP_CUDA_TRY(D, cudaHostAlloc((void **)&D->post, sizeof *D->post, cudaHostAllocMapped | cudaHostAllocPortable));
  memset((void *)D->post, 0, sizeof *D->post);
  HP_CUDA_TRY(D, cudaEventCreateWithFlags(&D->gpu[0].done, cudaEventDisableTiming));
  HP_TRY(create_grid(D, 0));
  HP_TRY(create_others(D));
  return hp_device_check(D, cudaSetDevice(D->gpu[0].ordinal), "choosing the device");
}

void hp_device_destroy_team(hp_device *D) {
  for (int g = D->gpus - 1; g >= 0; --g) {
    hp_device_gpu *G = &D->gpu[g];
    if (G->stream == NULL) continue; /* was never chosen */
    cudaSetDevice(G->ordinal);
    if (G->done != NULL) cudaEventDestroy(G->done);
    if (g == 0) hp_device_free(D, &G->memory);
    else cudaFree(G->memory);
    if (g > 0) cudaStreamDestroy(G->stream);
  }
  if (D->post != NULL) cudaFreeHost((void *)D->post);
}

/* The counter is the barrier of several GPUs (core/team/cuda/barrier.cuh). */
void hp_device_set_barrier(hp_device *D, const hp_device_shape *shape) {
  for (int g = 0; g < D->gpus; ++g) {
    D->gpu[g].grid.barrier = D->gpus > 1 ? HP_BARRIER_COUNTER : shape->barrier;
    D->gpu[g].grid.delay = shape->delay;
  }
}

hp_status hp_device_sync_others(hp_device *D) {
  for (int g = 1; g < D->gpus; ++g) {
    const cudaError_t e = cudaStreamSynchronize(D->gpu[g].stream);
    if (e != cudaSuccess) return hp_device_check(D, e, "computing");
  }
  return HP_OK;
}

/* ---- shapes of launches ---- */

static cudaError_t set_shared(hp_device *D, const void *kernel, size_t bytes) {
  cudaError_t e = cudaSuccess;
  for (int g = D->gpus - 1; g >= 0 && e == cudaSuccess; --g) {
    if (D->gpus > 1) e = cudaSetDevice(D->gpu[g].ordinal);
    if (e == cudaSuccess) e = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  }
  return e;
}

/* Blocks a multiprocessor and slots of chunk sums; the more blocks, the fewer slots a block needs. */
static hp_status fit(hp_device *D, const void *kernel, size_t shared, int *threads, int *blocks, int *slots,
                     size_t *bytes) {
  cudaFuncAttributes of;
  HP_CUDA_TRY(D, cudaFuncGetAttributes(&of, kernel));
  *threads = of.maxThreadsPerBlock / HP_TEAM_THREADS * HP_TEAM_THREADS; /* its launch bounds */
  for (int wanted = D->shape.blocks; wanted >= 1; --wanted) {
    const int warps = *threads / 32, set = wanted * D->multiprocessors * (warps / HP_GROUP);
    *slots = (HP_GROUPS_MAX + set - 1) / set * warps;
    *bytes = hp_team_shared_bytes(*slots) + shared;
    HP_CUDA_TRY(D, set_shared(D, kernel, *bytes));
    int fits = 0;
    HP_CUDA_TRY(D, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fits, kernel, *threads, *bytes));
    if (fits >= wanted) {
      *blocks = wanted * D->multiprocessors;
      return HP_OK;
    }
  }
  return hp_fail(HP_ERR_DEVICE,
                 "the GPU (%s) has too little shared memory for a team of %d threads per block with %zu bytes",
                 D->info.name, *threads, *bytes);
}

hp_status hp_team_launch_shape(hp_device *D, const void *kernel, size_t shared, int *threads, int *blocks) {
  int slots;
  size_t bytes;
  return fit(D, kernel, shared, threads, blocks, &slots, &bytes);
}

/* Shared memory left for a kernel's own use, a block, where one block stands on a multiprocessor. */
hp_status hp_team_spare_shared(hp_device *D, const void *kernel, int64_t *bytes) {
  int threads, blocks, slots, most = 0;
  cudaFuncAttributes of;
  size_t used;
  *bytes = 0;
  HP_CUDA_TRY(D, cudaFuncGetAttributes(&of, kernel));
  HP_TRY(fit(D, kernel, 0, &threads, &blocks, &slots, &used));
  HP_CUDA_TRY(D, cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, D->opt.ordinal));
  const int64_t fixed = of.sharedSizeBytes > 1024 ? (int64_t)of.sharedSizeBytes : 1024;
  if (blocks <= D->multiprocessors) *bytes = (int64_t)most - (int64_t)used - fixed;
  return HP_OK;
}

/* ---- launches ---- */

hp_status hp_device_launch(hp_device *D, const void *kernel, int64_t blocks, int threads, void **args, size_t shared,
                           const char *what) {
  const dim3 grid((unsigned)blocks), block((unsigned)threads);
  if (blocks == 0) return HP_OK;
  D->traffic.launches += 1;
  return hp_device_check(D, cudaLaunchKernel(kernel, grid, block, args, shared, D->stream), what);
}

/* ---- on several GPUs ---- */

cudaError_t hp_device_fork(hp_device *D) { return cudaEventRecord(D->gpu[0].done, D->stream); }

cudaError_t hp_device_launch_on(hp_device *D, int g, const hp_device_gpu_launch *L) {
  const hp_device_gpu *G = &D->gpu[g];
  const dim3 blocks((unsigned)L->blocks), threads((unsigned)L->threads);
  cudaError_t e = D->gpus > 1 ? cudaSetDevice(G->ordinal) : cudaSuccess;
  if (e == cudaSuccess && g > 0) e = cudaStreamWaitEvent(G->stream, D->gpu[0].done, 0);
  if (e == cudaSuccess)
    e = L->cooperative ? cudaLaunchCooperativeKernel(L->kernel, blocks, threads, L->arguments, L->shared, G->stream)
                       : cudaLaunchKernel(L->kernel, blocks, threads, L->arguments, L->shared, G->stream);
  if (e == cudaSuccess && g > 0) e = cudaEventRecord(G->done, G->stream);
  return e;
}

cudaError_t hp_device_join(hp_device *D, cudaError_t e) {
  const cudaError_t back = cudaSetDevice(D->gpu[0].ordinal);
  if (e == cudaSuccess) e = back;
  for (int g = 1; g < D->gpus && e == cudaSuccess; ++g) e = cudaStreamWaitEvent(D->stream, D->gpu[g].done, 0);
  return e;
}

static cudaError_t launch_all(hp_device *D, const hp_team_grid *shape, const void *kernel, const void *args,
                              int threads, int blocks, size_t bytes) {
  cudaError_t e = hp_device_fork(D);
  for (int g = 0; g < D->gpus && e == cudaSuccess; ++g) {
    hp_team_grid grid = D->gpu[g].grid;
    grid.slots = shape->slots;
    grid.leaf_size = shape->leaf_size;
    void *both[2] = {&grid, (void *)args};
    const hp_device_gpu_launch launch = {kernel, both, threads, blocks, bytes, true};
    e = hp_device_launch_on(D, g, &launch);
  }
  return hp_device_join(D, e);
}

hp_status hp_team_launch(hp_device *D, const void *kernel, const void *args, size_t shared, const char *what) {
  hp_team_grid grid = D->gpu[0].grid;
  int threads, blocks;
  size_t bytes;
  if (D->lost) return hp_device_check(D, cudaSuccess, what);
  HP_TRY(fit(D, kernel, shared, &threads, &blocks, &grid.slots, &bytes));
  for (grid.leaf_size = 1; grid.leaf_size * grid.leaf_size < blocks;) grid.leaf_size += 1;
  void *both[2] = {&grid, (void *)args};
  D->traffic.launches += 1;
  const cudaError_t launched = D->gpus > 1
                                   ? launch_all(D, &grid, kernel, args, threads, blocks, bytes)
                                   : cudaLaunchCooperativeKernel(kernel, dim3((unsigned)blocks),
                                                                 dim3((unsigned)threads), both, bytes, D->stream);
  return hp_device_check(D, launched, what);
}
