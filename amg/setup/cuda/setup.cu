/* Pools, prefix sums and copies of counts to the host: amg/setup/cuda/setup.cuh. */
#include <cub/device/device_scan.cuh>

#include "amg/setup/cuda/setup.cuh"

/* ---- pools ---- */

enum { ALIGNMENT = 256, PIECE_MIN = 1 << 18, PIECE_MORE = 1 << 25 };

static int64_t round_up(int64_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

int64_t hp_pool_bytes(const hp_pool *p) {
  int64_t bytes = 0;
  for (int n = p->attached; n < p->count; ++n) bytes += p->piece[n].bytes;
  return bytes;
}

/* Allocates one more piece of at least `bytes`. So that pieces stay few it has at least a thirty-second of the pool's
 * size, but not more than PIECE_MORE, and not more than a quarter of the device's free memory. On several GPUs a large array
 * alone in its piece is spread over them; what holds several lies on the first, and so do coarse levels. */
static hp_status grow(hp_pool *p, int64_t bytes) {
  const int64_t part = hp_pool_bytes(p) / 32, more = part < PIECE_MORE ? part : PIECE_MORE;
  const int64_t free_bytes = hp_device_free_bytes(p->D);
  int64_t wanted = bytes > more ? bytes : more;
  if (wanted < PIECE_MIN) wanted = PIECE_MIN;
  if (wanted > free_bytes / 4) wanted = bytes > free_bytes / 4 ? bytes : free_bytes / 4;
  if (p->count == HP_POOL_PIECES) return hp_device_no_memory(p->D, bytes, p->what);
  void **memory = (void **)&p->piece[p->count].p;
  HP_TRY(wanted == bytes && !p->on_first ? hp_device_alloc(p->D, memory, wanted, 1, p->what)
                                         : hp_device_alloc_whole(p->D, memory, wanted, 1, p->what));
  p->piece[p->count].bytes = round_up(wanted);
  p->piece[p->count].used = 0;
  p->count += 1;
  return HP_OK;
}

static void count_allocated(hp_pool *p) {
  p->allocated = p->owned_allocated = 0;
  for (int n = 0; n < p->count; ++n) {
    p->allocated += p->piece[n].used;
    if (n >= p->attached) p->owned_allocated += p->piece[n].used;
  }
  if (p->allocated > p->peak) p->peak = p->allocated;
  if (p->owned_allocated > p->owned_peak) p->owned_peak = p->owned_allocated;
}

static int64_t left_of(const hp_pool *p, int n) { return p->piece[n].bytes - p->piece[n].used; }

/* A piece for one array, each GPU of several with the pages of what it owns. */
static hp_status alloc_apart(hp_pool *p, void **out, const hp_owned *owned) {
  if (p->count == HP_POOL_PIECES) return hp_device_no_memory(p->D, hp_owned_bytes(owned), p->what);
  HP_TRY(hp_device_alloc_owned(p->D, (void **)&p->piece[p->count].p, owned, p->what));
  p->piece[p->count].bytes = p->piece[p->count].used = hp_owned_bytes(owned);
  *out = p->piece[p->count].p;
  p->count += 1;
  count_allocated(p);
  return HP_OK;
}

hp_status hp_pool_alloc(hp_pool *p, void **out, int64_t count, size_t size) {
  const hp_owned owned = hp_owned_plain(count, size);
  if (p->apart && !p->on_first && count > 0 && hp_device_spreads_array(p->D, &owned))
    return alloc_apart(p, out, &owned);
  const int64_t bytes = round_up((count > 0 ? count : 1) * (int64_t)size);
  int n = -1;
  *out = NULL;
  for (int k = 0; k < p->count; ++k)
    if (left_of(p, k) >= bytes && (n < 0 || left_of(p, k) < left_of(p, n))) n = k;
  if (n < 0) {
    n = p->count;
    HP_TRY(grow(p, bytes));
  }
  *out = p->piece[n].p + p->piece[n].used;
  p->piece[n].used += bytes;
  count_allocated(p);
  return HP_OK;
}

hp_status hp_pool_alloc_planes(hp_pool *p, void **out, int planes, int64_t count, int64_t stride, size_t size) {
  const int64_t plane = stride * (int64_t)size, bytes = round_up(planes * plane);
  const hp_owned owned = {count, count, (int64_t)size, plane, planes, bytes - planes * plane};
  if (!hp_device_spreads_array(p->D, &owned)) return hp_pool_alloc(p, out, planes * stride, size);
  return alloc_apart(p, out, &owned);
}

hp_pool_mark hp_pool_get_mark(const hp_pool *p) {
  hp_pool_mark m;
  for (int n = 0; n < HP_POOL_PIECES; ++n) m.used[n] = n < p->count ? p->piece[n].used : 0;
  return m;
}

void hp_pool_rewind(hp_pool *p, hp_pool_mark m) {
  for (int n = 0; n < p->count; ++n) p->piece[n].used = m.used[n];
  count_allocated(p);
}

hp_status hp_pool_attach(hp_pool *p, void *memory, int64_t bytes) {
  if (p->count != p->attached || p->allocated > 0 || p->count == HP_POOL_PIECES)
    return hp_fail(HP_ERR_INTERNAL, "%s: memory attached to a pool in use", p->what);
  if (bytes < ALIGNMENT) return HP_OK;
  for (int n = 0; n < p->attached; ++n)
    if ((char *)memory + round_up(bytes) == p->piece[n].p) { /* directly before an attached piece: one piece */
      p->piece[n].bytes += p->piece[n].p - (char *)memory;
      p->piece[n].p = (char *)memory;
      return HP_OK;
    }
  p->piece[p->count].p = (char *)memory;
  p->piece[p->count].bytes = bytes / ALIGNMENT * ALIGNMENT;
  p->piece[p->count].used = 0;
  p->count = p->attached += 1;
  return HP_OK;
}

static void free_owned(hp_pool *p) {
  for (int n = p->attached; n < p->count; ++n) hp_device_free(p->D, &p->piece[n].p);
  p->count = p->attached;
}

/* Whether the memory of several GPUs is so large that arrays need not share it: what comes after them takes about as
 * much (docs/developer/gpu.md). */
static bool have_room(const hp_pool *p, int count, const hp_overlay_array *array) {
  int64_t bytes = 0;
  for (int n = 0; n < count; ++n) bytes += array[n].bytes + 2 * HP_PAGE_BYTES;
  return hp_device_spreads(p->D) && hp_device_free_bytes(p->D) / 3 > bytes;
}

static hp_status overlay_apart(hp_pool *p, int count, int spread, const hp_overlay_array *array, void **memory) {
  HP_TRY(hp_device_sync(p->D));
  free_owned(p);
  for (int n = 0; n < p->attached; ++n)
    p->piece[n].used = p->piece[n].bytes; /* which is spread as the solver's vectors are */
  for (int n = 0; n < count; ++n) {
    const hp_owned owned = hp_owned_plain(array[n].bytes / 4, 4);
    p->on_first = n >= spread;
    if (n < spread && array[n].bytes > 0 && hp_device_spreads_array(p->D, &owned))
      HP_TRY(alloc_apart(p, &memory[n], &owned));
    else HP_TRY(hp_pool_alloc(p, &memory[n], array[n].bytes, 1));
  }
  p->on_first = false;
  return HP_OK;
}

hp_status hp_pool_overlay(hp_pool *p, bool trim, int count, int spread, hp_overlay_array *array, void **memory) {
  int widest = -1;
  if (have_room(p, count, array)) {
    for (int n = 0; n < p->count; ++n) p->piece[n].used = 0;
    return overlay_apart(p, count, spread, array, memory);
  }
  for (int n = 0; n < p->count; ++n) p->piece[n].used = 0;
  for (int n = 0; n < p->attached; ++n)
    if (widest < 0 || p->piece[n].bytes > p->piece[widest].bytes) widest = n;
  const int64_t border = widest >= 0 ? p->piece[widest].bytes : 0, end = hp_overlay_lay(count, array, border);
  if (trim && p->count > p->attached) {
    HP_TRY(hp_device_sync(p->D));
    free_owned(p);
  }
  for (int n = 0; n < p->attached; ++n) p->piece[n].used = p->piece[n].bytes; /* nothing is left to allocate */
  char *separate = NULL;
  if (end > border) HP_TRY(hp_pool_alloc(p, (void **)&separate, end - border, 1));
  for (int n = 0; n < count; ++n)
    memory[n] = array[n].at < border ? p->piece[widest].p + array[n].at : separate + (array[n].at - border);
  count_allocated(p);
  return HP_OK;
}

static void free_pool(hp_pool *p) {
  free_owned(p);
  p->count = p->attached = 0;
  p->allocated = p->peak = p->owned_allocated = p->owned_peak = 0;
}

hp_status hp_pool_reset(hp_pool *p) {
  const int64_t bytes = p->owned_peak;
  for (int n = 0; n < p->count; ++n) p->piece[n].used = 0;
  p->allocated = p->peak = p->owned_allocated = p->owned_peak = 0;
  if (p->count <= p->attached + 1) return HP_OK;
  HP_TRY(hp_device_sync(p->D));
  free_owned(p);
  return hp_device_spreads(p->D) ? HP_OK : grow(p, bytes);
}

/* ---- open and close ---- */

hp_status hp_setup_open(hp_setup *S, hp_device *D) {
  S->D = D;
  S->stream = hp_device_stream(D);
  S->multiprocessors = hp_device_get_info(D)->multiprocessors;
  S->keep.D = S->scratch.D = D;
  S->keep.apart = true;
  S->keep.what = "multigrid hierarchy";
  S->scratch.what = "work space of the multigrid setup";
  HP_TRY(hp_device_alloc(D, (void **)&S->counts, HP_SETUP_COUNTS, sizeof *S->counts, "counts"));
  return hp_device_check(D, cudaHostAlloc((void **)&S->host_counts, HP_SETUP_COUNTS * sizeof *S->host_counts, 0),
                         "allocating page-locked memory");
}

void hp_setup_close(hp_setup *S) {
  if (S->D == NULL) return;
  free_pool(&S->keep);
  free_pool(&S->scratch);
  hp_device_free(S->D, &S->counts);
  if (S->host_counts != NULL) cudaFreeHost(S->host_counts);
  S->host_counts = NULL;
}

hp_status hp_setup_read_counts(hp_setup *S) {
  S->waits += 1;
  HP_TRY(hp_device_download(S->D, S->host_counts, S->counts, HP_SETUP_COUNTS * (int64_t)sizeof *S->counts));
  return hp_device_zero(S->D, S->counts, HP_SETUP_COUNTS * (int64_t)sizeof *S->counts);
}

hp_status hp_setup_read_one(hp_setup *S, const int32_t *from, int32_t *out) {
  S->waits += 1;
  return hp_device_download(S->D, out, from, (int64_t)sizeof *out);
}

hp_status hp_setup_read_long(hp_setup *S, const int64_t *from, int64_t *out) {
  S->waits += 1;
  return hp_device_download(S->D, out, from, (int64_t)sizeof *out);
}

/* ---- more than 32-bit indices count ---- */

/* The sum of v [n], block by block. */
static __global__ void __launch_bounds__(HP_SETUP_THREADS)
    total_kernel(const uint32_t *v, int64_t n, unsigned long long *total) {
  __shared__ unsigned long long sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const int64_t step = (int64_t)gridDim.x * HP_SETUP_THREADS;
  unsigned long long own = 0;
  for (int64_t i = (int64_t)blockIdx.x * HP_SETUP_THREADS + threadIdx.x; i < n; i += step) own += v[i];
  atomicAdd(&sum, own);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, sum);
}

hp_status hp_setup_check_entries(hp_setup *S, const uint32_t *count, int64_t n, int64_t most) {
  int64_t *total = NULL, entries = 0;
  if (most <= HP_CSR_ENTRIES_MAX) return HP_OK;
  const hp_pool_mark here = hp_pool_get_mark(&S->scratch);
  HP_TRY(HP_POOL_ALLOC(&S->scratch, total, 1));
  HP_TRY(hp_device_zero(S->D, total, (int64_t)sizeof *total));
  HP_TRY(hp_launch(S, "counting entries", total_kernel, 4 * S->multiprocessors, HP_SETUP_THREADS, 0, count, n,
                   (unsigned long long *)total));
  HP_TRY(hp_setup_read_long(S, total, &entries));
  hp_pool_rewind(&S->scratch, here);
  return hp_csr_check_entries("of a level's matrix", entries);
}

/* ---- prefix sums ---- */

template <class T>
static hp_status scan(hp_setup *S, const T *in, T *out, int64_t n) {
  const hp_pool_mark here = hp_pool_get_mark(&S->scratch);
  void *work = NULL;
  size_t bytes = 0;
  HP_TRY(hp_device_check(S->D, cub::DeviceScan::ExclusiveSum(NULL, bytes, in, out, n + 1, S->stream), "sizing a sum"));
  HP_TRY(hp_pool_alloc(&S->scratch, &work, (int64_t)bytes, 1));
  S->launches += 2;
  hp_device_count_launches(S->D, 2);
  const cudaError_t e = cub::DeviceScan::ExclusiveSum(work, bytes, in, out, n + 1, S->stream);
  hp_pool_rewind(&S->scratch, here); /* later work in the stream comes after it */
  return hp_device_check(S->D, e, "summing");
}

hp_status hp_setup_scan(hp_setup *S, const int32_t *in, int32_t *out, int64_t n) { return scan(S, in, out, n); }
hp_status hp_setup_scan32(hp_setup *S, const uint32_t *in, uint32_t *out, int64_t n) { return scan(S, in, out, n); }
hp_status hp_setup_scan64(hp_setup *S, const int64_t *in, int64_t *out, int64_t n) { return scan(S, in, out, n); }
