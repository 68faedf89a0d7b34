/* Memory of a device, and copies. A team on several GPUs has large arrays in pieces (core/device/cuda/pages.cu), and a copy
 * goes no further than the piece it began in. */
#include <string.h>

#include "core/device/cuda/device_impl.cuh"
#include "core/memory.h"
#include "core/threads/tasks.h"

/* ---- what there is ---- */

/* A test's limit is in force. */
static bool is_limited(const hp_device *D) { return D->opt.memory_limit > 0 && D->allocations >= D->opt.memory_after; }

static int64_t free_of_current() {
  size_t free_bytes = 0, total = 0;
  return cudaMemGetInfo(&free_bytes, &total) == cudaSuccess ? (int64_t)free_bytes : 0;
}

static int64_t free_of(const hp_device *D, int g) {
  if (g == 0) return free_of_current();
  cudaSetDevice(D->gpu[g].ordinal);
  const int64_t left = free_of_current();
  cudaSetDevice(D->opt.ordinal);
  return left;
}

/* Each GPU has about as much of arrays that are spread. */
static int64_t free_of_all(const hp_device *D) {
  int64_t least = INT64_MAX, count = 0;
  for (int g = 0; g < D->gpus; ++g) {
    if (hp_device_same_as(D, g) != g) continue;
    const int64_t left = free_of(D, g);
    least = left < least ? left : least;
    count += 1;
  }
  return least * count;
}

int64_t hp_device_free_bytes(const hp_device *D) {
  const int64_t free_bytes = D->gpus > 1 ? free_of_all(D) : free_of_current();
  const int64_t left = is_limited(D) ? D->opt.memory_limit - D->held : free_bytes;
  return left < free_bytes ? (left > 0 ? left : 0) : free_bytes;
}

int64_t hp_device_bytes(const hp_device *D) { return D->held; }
bool hp_device_spreads(const hp_device *D) { return hp_device_is_spread(D); }

int hp_device_gpu_list(const hp_device *D, int *gpu) { return hp_device_different_gpus(D->gpus, D->opt.gpu, gpu); }

void hp_device_gpu_memory(const hp_device *D, int gpu, int64_t *held, int64_t *was_free) {
  int g = 0;
  while (g + 1 < D->gpus && D->gpu[g].ordinal != gpu) ++g;
  *held = D->gpu[g].held;
  *was_free = D->gpu[g].free;
}

void hp_device_note_free(hp_device *D) {
  for (int g = 0; g < D->gpus; ++g) D->gpu[g].free = hp_device_same_as(D, g) == g ? free_of(D, g) : 0;
  D->info.free = hp_device_free_bytes(D);
}

/* ---- arrays ---- */

static void *array_of(const hp_device_block *b) { return (char *)b->p + b->lead; }

static void remember(hp_device *D, hp_device_block *b) {
  b->next = D->blocks;
  D->blocks = b;
  D->held += b->bytes;
  D->allocations += 1;
  if (b->count > 0) D->npieced += 1;
  else D->gpu[0].held += b->bytes;
}

hp_status hp_device_no_memory(const hp_device *D, int64_t bytes, const char *what) {
  return hp_fail(HP_ERR_MEMORY,
                 "%s: %lld bytes are needed on the GPU (%s), where %lld bytes are free and %lld are held", what,
                 (long long)bytes, D->info.name, (long long)hp_device_free_bytes(D), (long long)D->held);
}

/* In one piece, on the first GPU. */
static hp_status alloc_block(hp_device *D, hp_device_block *b, const char *what) {
  const cudaError_t e = cudaMalloc(&b->p, (size_t)b->bytes);
  if (e == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    return hp_device_no_memory(D, b->bytes, what);
  }
  const hp_status s = hp_device_check(D, e, "allocating memory");
  if (s != HP_OK && e == cudaSuccess) cudaFree(b->p); /* a test's failure */
  return s;
}

static hp_status alloc_pieces(hp_device *D, const hp_owned *a, hp_device_block *b, const char *what) {
  HP_TRY(hp_device_check(D, cudaSuccess, "allocating memory"));
  return hp_device_place(D, a, b, what);
}

static hp_status alloc(hp_device *D, void **out, const hp_owned *a, bool spread, const char *what) {
  hp_device_block *b = NULL;
  const int64_t bytes = hp_device_round_up(hp_owned_bytes(a));
  if (is_limited(D) && bytes > hp_device_free_bytes(D)) return hp_device_no_memory(D, bytes, what);
  HP_TRY(hp_alloc((void **)&b, 1, sizeof *b, "device block"));
  b->bytes = bytes;
  const hp_status s = spread ? alloc_pieces(D, a, b, what) : alloc_block(D, b, what);
  if (s != HP_OK) {
    hp_free(&b);
    return s;
  }
  remember(D, b);
  *out = array_of(b);
  return hp_device_zero(D, b->p, b->bytes);
}

/* Tests have small arrays in pages, too. */
bool hp_device_spreads_array(const hp_device *D, const hp_owned *a) {
  if (!hp_device_is_spread(D)) return false;
  return D->opt.pages > 0 || hp_owned_is_spread(a, D->gpus, D->page);
}

int64_t hp_device_stride(const hp_device *D, int64_t count, size_t size) {
  return hp_device_is_spread(D) ? hp_owned_stride(count, size, D->page, D->opt.pages > 0) : count;
}

static hp_status refuse_size(hp_device *D, const char *what) { return hp_device_no_memory(D, INT64_MAX, what); }

static bool is_sane(int64_t count, size_t size) { return count > 0 && count < INT64_MAX / 2 / (int64_t)size; }

hp_status hp_device_alloc(hp_device *D, void **out, int64_t count, size_t size, const char *what) {
  *out = NULL;
  if (count == 0) return HP_OK;
  if (!is_sane(count, size)) return refuse_size(D, what);
  const hp_owned a = hp_owned_plain(count, size);
  return alloc(D, out, &a, hp_device_spreads_array(D, &a), what);
}

hp_status hp_device_alloc_owned(hp_device *D, void **out, const hp_owned *a, const char *what) {
  *out = NULL;
  if (hp_owned_bytes(a) == 0) return HP_OK;
  if (!is_sane(hp_owned_bytes(a), 1)) return refuse_size(D, what);
  return alloc(D, out, a, hp_device_spreads_array(D, a), what);
}

hp_status hp_device_alloc_whole(hp_device *D, void **out, int64_t count, size_t size, const char *what) {
  *out = NULL;
  if (count == 0) return HP_OK;
  if (!is_sane(count, size)) return refuse_size(D, what);
  const hp_owned a = hp_owned_plain(count, size);
  return alloc(D, out, &a, false, what);
}

static void release(hp_device *D, hp_device_block *b) {
  D->held -= b->bytes;
  if (b->count > 0) {
    D->npieced -= 1;
    hp_device_unplace(D, b);
  } else {
    D->gpu[0].held -= b->bytes;
    cudaFree(b->p);
  }
  hp_free(&b);
}

void hp_device_free(hp_device *D, void *p) {
  void **slot = (void **)p;
  if (slot == NULL || *slot == NULL) return;
  for (hp_device_block **at = &D->blocks; *at != NULL; at = &(*at)->next) {
    hp_device_block *b = *at;
    if (array_of(b) != *slot) continue;
    *at = b->next;
    release(D, b);
    break;
  }
  *slot = NULL;
}

/* ---- copies ---- */

/* The array of pieces with an address in it, NULL: there is none. */
static const hp_device_block *block_of(const hp_device *D, const void *p) {
  if (D->npieced == 0) return NULL;
  for (const hp_device_block *b = D->blocks; b != NULL; b = b->next) {
    const int64_t at = (const char *)p - (const char *)b->p;
    if (b->count > 0 && at >= 0 && at < b->bytes) return b;
  }
  return NULL;
}

/* Bytes from an address on to the end of its piece; of an array in one piece, and of other memory, any number. */
static int64_t bytes_to_border(const hp_device *D, const void *p) {
  const hp_device_block *b = block_of(D, p);
  if (b == NULL) return INT64_MAX;
  const int64_t at = (const char *)p - (const char *)b->p;
  const hp_device_piece *piece = &b->piece[hp_piece_of(b->piece, b->count, at)];
  return piece->at + piece->bytes - at;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static cudaError_t copy(hp_device *D, void *to, const void *from, int64_t bytes, cudaMemcpyKind kind) {
  cudaError_t e = cudaSuccess;
  for (int64_t at = 0, n; at < bytes && e == cudaSuccess; at += n) {
    n = bytes - at;
    if (kind != cudaMemcpyDeviceToHost) n = least(n, bytes_to_border(D, (char *)to + at));
    if (kind != cudaMemcpyHostToDevice) n = least(n, bytes_to_border(D, (const char *)from + at));
    e = cudaMemcpyAsync((char *)to + at, (const char *)from + at, (size_t)n, kind, D->stream);
  }
  return e;
}

hp_status hp_device_upload(hp_device *D, void *to, const void *from, int64_t bytes) {
  if (bytes == 0) return HP_OK;
  D->traffic.to_device += bytes;
  D->traffic.copies += 1;
  HP_TRY(hp_device_check(D, copy(D, to, from, bytes, cudaMemcpyHostToDevice), "copying to the device"));
  return hp_device_sync(D);
}

/* A copy to the host of what lies in pieces. */
typedef struct {
  hp_device *D;
  const hp_device_block *b;
  char *to;
  int64_t at, bytes; /* in the block */
  cudaError_t error[HP_GPUS_MAX];
} download;

/* The parts of it that lie on one GPU of the team, by that GPU's stream. The host's memory is not page-locked: a copy to it
 * keeps the thread that asked for it. */
static hp_status download_part(void *arg, int gpu, int worker) {
  download *d = (download *)arg;
  const cudaStream_t stream = d->D->gpu[gpu].stream;
  const int64_t first = hp_piece_of(d->b->piece, d->b->count, d->at);
  cudaError_t e = cudaSetDevice(d->D->gpu[gpu].ordinal);
  (void)worker;
  for (int64_t n = first; n < d->b->count && d->b->piece[n].at < d->at + d->bytes && e == cudaSuccess; ++n) {
    const hp_device_piece *p = &d->b->piece[n];
    const int64_t begin = p->at > d->at ? p->at : d->at, end = least(p->at + p->bytes, d->at + d->bytes);
    if (p->gpu != gpu) continue;
    e = cudaMemcpyAsync(d->to + (begin - d->at), (const char *)d->b->p + begin, (size_t)(end - begin),
                        cudaMemcpyDeviceToHost, stream);
  }
  if (e == cudaSuccess) e = cudaStreamSynchronize(stream);
  d->error[gpu] = e;
  return HP_OK;
}

/* The GPUs side by side, when all that came before in the stream is there. */
static hp_status download_pieces(hp_device *D, void *to, const hp_device_block *b, int64_t at, int64_t bytes) {
  download d;
  memset(&d, 0, sizeof d);
  d.D = D;
  d.b = b;
  d.to = (char *)to;
  d.at = at;
  d.bytes = bytes;
  HP_TRY(hp_device_sync(D));
  const hp_status s = hp_tasks_run(D->gpus, D->gpus, download_part, &d);
  cudaSetDevice(D->opt.ordinal);
  HP_TRY(s);
  for (int g = 0; g < D->gpus; ++g) HP_TRY(hp_device_check(D, d.error[g], "copying from the device"));
  return HP_OK;
}

hp_status hp_device_download(hp_device *D, void *to, const void *from, int64_t bytes) {
  enum { PARTED = 4 << 20 /* bytes from which on threads are worth their start */ };
  if (bytes == 0) return hp_device_sync(D);
  D->traffic.to_host += bytes;
  D->traffic.copies += 1;
  const hp_device_block *b = D->gpus > 1 && bytes >= PARTED ? block_of(D, from) : NULL;
  if (b != NULL && b->count > 1) return download_pieces(D, to, b, (const char *)from - (const char *)b->p, bytes);
  HP_TRY(hp_device_check(D, copy(D, to, from, bytes, cudaMemcpyDeviceToHost), "copying from the device"));
  return hp_device_sync(D);
}

hp_status hp_device_copy(hp_device *D, void *to, const void *from, int64_t bytes) {
  return hp_device_check(D, copy(D, to, from, bytes, cudaMemcpyDeviceToDevice), "copying on the device");
}

hp_status hp_device_zero(hp_device *D, void *to, int64_t bytes) {
  cudaError_t e = cudaSuccess;
  for (int64_t at = 0, n; at < bytes && e == cudaSuccess; at += n) {
    n = least(bytes - at, bytes_to_border(D, (char *)to + at));
    e = cudaMemsetAsync((char *)to + at, 0, (size_t)n, D->stream);
  }
  return hp_device_check(D, e, "clearing memory");
}
