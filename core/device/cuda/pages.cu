/* Ranges of addresses whose pages lie on several GPUs (core/device/pages.h), by the driver's own memory functions: the
 * runtime has none for that. They are looked up when they are first needed, so that nothing more is linked. */
#include <cuda.h>
#include <string.h>

#include "core/device/cuda/device_impl.cuh"
#include "core/memory.h"

/* ---- the driver ---- */

#define DRIVER_LIST(X)             \
  X(cuMemGetAllocationGranularity) \
  X(cuMemAddressReserve)           \
  X(cuMemAddressFree)              \
  X(cuMemCreate)                   \
  X(cuMemRelease)                  \
  X(cuMemMap)                      \
  X(cuMemUnmap)                    \
  X(cuMemSetAccess)                \
  X(cuGetErrorString)

struct driver {
#define DRIVER_MEMBER(name) decltype(&::name) name;
  DRIVER_LIST(DRIVER_MEMBER)
#undef DRIVER_MEMBER
};

static hp_status find(const char *name, void **function) {
  enum { VERSION = 12000 };
  cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
  const cudaError_t e = cudaGetDriverEntryPointByVersion(name, function, VERSION, cudaEnableDefault, &found);
#else
  const cudaError_t e = cudaGetDriverEntryPoint(name, function, cudaEnableDefault, &found);
#endif
  if (e == cudaSuccess && found == cudaDriverEntryPointSuccess && *function != NULL) return HP_OK;
  (void)cudaGetLastError();
  return hp_fail(HP_ERR_DEVICE, "the driver has no %s, which memory on several GPUs needs", name);
}

static hp_status find_all(driver *V) {
#define DRIVER_FIND(name) HP_TRY(find(#name, (void **)&V->name));
  DRIVER_LIST(DRIVER_FIND)
#undef DRIVER_FIND
  return HP_OK;
}

static hp_status failed(const driver *V, CUresult error, const hp_device *D, const char *what) {
  const char *text = NULL;
  if (V->cuGetErrorString(error, &text) != CUDA_SUCCESS) text = "unknown error";
  return hp_fail(HP_ERR_DEVICE, "%s failed on GPU %s: %s", what, D->info.name, text);
}

/* ---- placing ---- */

static CUmemAllocationProp on_gpu(int ordinal) {
  CUmemAllocationProp p;
  memset(&p, 0, sizeof p);
  p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  p.location.id = ordinal;
  return p;
}

/* The largest page of the team's GPUs. */
static hp_status find_page(const driver *V, hp_device *D) {
  for (int g = 0; g < D->gpus; ++g) {
    const CUmemAllocationProp p = on_gpu(D->gpu[g].ordinal);
    size_t page = 0;
    const CUresult e = V->cuMemGetAllocationGranularity(&page, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    if (e != CUDA_SUCCESS) return failed(V, e, D, "asking for the size of pages");
    if ((int64_t)page > D->page) D->page = (int64_t)page;
  }
  return HP_OK;
}

static hp_status no_room(hp_device *D, const hp_device_piece *piece, int64_t whole, const char *what) {
  size_t left = 0, total = 0;
  const int ordinal = D->gpu[piece->gpu].ordinal;
  cudaSetDevice(ordinal);
  if (cudaMemGetInfo(&left, &total) != cudaSuccess) left = 0;
  cudaSetDevice(D->opt.ordinal);
  return hp_fail(HP_ERR_MEMORY,
                 "%s: %lld of its %lld bytes are needed on GPU %d (%s), where %lld bytes are free and %lld are held",
                 what, (long long)piece->bytes, (long long)whole, ordinal, D->info.name, (long long)left,
                 (long long)D->gpu[piece->gpu].held);
}

static hp_status map(const driver *V, hp_device *D, CUdeviceptr base, const hp_device_piece *piece, int64_t whole,
                     const char *what) {
  const CUmemAllocationProp p = on_gpu(D->gpu[piece->gpu].ordinal);
  CUmemGenericAllocationHandle memory;
  CUresult e = V->cuMemCreate(&memory, (size_t)piece->bytes, &p, 0);
  if (e == CUDA_ERROR_OUT_OF_MEMORY) return no_room(D, piece, whole, what);
  if (e != CUDA_SUCCESS) return failed(V, e, D, "allocating memory");
  e = V->cuMemMap(base + (CUdeviceptr)piece->at, (size_t)piece->bytes, 0, memory, 0);
  (void)V->cuMemRelease(memory); /* it lives as long as it is mapped */
  return e == CUDA_SUCCESS ? HP_OK : failed(V, e, D, "giving memory an address");
}

static hp_status allow(const driver *V, hp_device *D, CUdeviceptr base, int64_t bytes) {
  CUmemAccessDesc access[HP_GPUS_MAX];
  memset(access, 0, sizeof access);
  int count = 0;
  for (int g = 0; g < D->gpus; ++g) {
    if (hp_device_same_as(D, g) != g) continue;
    access[count].location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access[count].location.id = D->gpu[g].ordinal;
    access[count++].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  }
  const CUresult e = V->cuMemSetAccess(base, (size_t)bytes, access, (size_t)count);
  return e == CUDA_SUCCESS ? HP_OK : failed(V, e, D, "giving GPUs access to each other's memory");
}

static void unmap(const driver *V, CUdeviceptr base, const hp_device_piece *piece, int64_t count) {
  for (int64_t n = 0; n < count; ++n) (void)V->cuMemUnmap(base + (CUdeviceptr)piece[n].at, (size_t)piece[n].bytes);
}

static hp_status place(const driver *V, hp_device *D, hp_device_block *b, const char *what) {
  CUdeviceptr base = 0;
  const CUresult e = V->cuMemAddressReserve(&base, (size_t)b->bytes, (size_t)D->page, 0, 0);
  if (e != CUDA_SUCCESS) return failed(V, e, D, "reserving addresses");
  int64_t mapped = 0;
  hp_status s = HP_OK;
  for (; mapped < b->count && s == HP_OK; ++mapped) s = map(V, D, base, &b->piece[mapped], b->bytes, what);
  if (s != HP_OK) mapped -= 1; /* the last one is not there */
  if (s == HP_OK) s = allow(V, D, base, b->bytes);
  if (s != HP_OK) {
    unmap(V, base, b->piece, mapped);
    (void)V->cuMemAddressFree(base, (size_t)b->bytes);
    return s;
  }
  b->p = (void *)base;
  for (int64_t n = 0; n < b->count; ++n) D->gpu[hp_device_same_as(D, b->piece[n].gpu)].held += b->piece[n].bytes;
  return HP_OK;
}

/* ---- the interface ---- */

hp_status hp_device_open_pages(hp_device *D) {
  driver V;
  D->page = HP_PAGE_BYTES;
  if (!hp_device_is_spread(D)) return HP_OK;
  HP_TRY(find_all(&V));
  return find_page(&V, D);
}

hp_status hp_device_place(hp_device *D, const hp_owned *a, hp_device_block *b, const char *what) {
  driver V;
  HP_TRY(find_all(&V));
  b->count = hp_owned_pieces(a, D->gpus, D->page, D->opt.pages, NULL);
  HP_TRY(hp_alloc((void **)&b->piece, b->count, sizeof *b->piece, "pieces of memory"));
  (void)hp_owned_pieces(a, D->gpus, D->page, D->opt.pages, b->piece);
  b->lead = hp_owned_lead(a, D->gpus, D->page);
  b->bytes = (b->lead + hp_owned_bytes(a) + D->page - 1) / D->page * D->page;
  const hp_status s = place(&V, D, b, what);
  if (s != HP_OK) hp_free(&b->piece);
  return s;
}

/* Nothing may be at work on it: unlike cudaFree, unmapping does not wait. */
void hp_device_unplace(hp_device *D, hp_device_block *b) {
  driver V;
  for (int g = D->gpus - 1; g >= 0; --g) {
    cudaSetDevice(D->gpu[g].ordinal);
    cudaDeviceSynchronize();
  }
  cudaSetDevice(D->opt.ordinal);
  if (find_all(&V) == HP_OK) {
    unmap(&V, (CUdeviceptr)b->p, b->piece, b->count);
    (void)V.cuMemAddressFree((CUdeviceptr)b->p, (size_t)b->bytes);
  }
  for (int64_t n = 0; n < b->count; ++n) D->gpu[hp_device_same_as(D, b->piece[n].gpu)].held -= b->piece[n].bytes;
  hp_free(&b->piece);
}
