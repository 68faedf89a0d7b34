/* Shared by the parts of the setup on a GPU: memory pools, launches, prefix sums, groups of lanes, hash tables.
 *
 * A group of G = 4, 8, 16 or 32 neighbouring lanes of a warp processes a row. All lanes of a group take the
 * same branches, so that they may synchronize (hp_lanes::sync). Rows that need more shared memory than the
 * first kernel has are listed, and a second kernel processes them with larger tables (`hp_wide`).
 */
#ifndef HP_AMG_SETUP_CUDA_SETUP_CUH
#define HP_AMG_SETUP_CUDA_SETUP_CUH

#include <cuda_runtime.h>

#include "amg/setup/device.h"
#include "core/device/cuda/blocks.cuh"
#include "core/overlay.h"
#include "core/team/cuda/team.cuh"
#include "core/team/team.h"

/* ---- memory ---- */

enum { HP_POOL_PIECES = 512, HP_SETUP_THREADS = 256 };

/* A pool of device memory in pieces; attached pieces, which belong to the caller, come first. */
typedef struct hp_pool {
  hp_device *D;
  const char *what;
  struct {
    char *p;
    int64_t bytes, used;
  } piece[HP_POOL_PIECES];
  int count, attached;
  bool apart;                          /* on several GPUs large arrays have pieces of their own, spread by their rows */
  bool on_first;                       /* not those that are allocated now: they lie on the first GPU, however large */
  int64_t allocated, peak;             /* bytes in use in all pieces; the most at once */
  int64_t owned_allocated, owned_peak; /* the same without attached pieces */
} hp_pool;

typedef struct hp_pool_mark {
  int64_t used[HP_POOL_PIECES];
} hp_pool_mark;

/* Allocates count elements of `size` bytes, aligned to 256, not cleared: best fit among the pieces, else a new one. */
hp_status hp_pool_alloc(hp_pool *p, void **out, int64_t count, size_t size) HP_MUST_USE;
/* The same for `planes` of them, `stride` elements apart, each of which lies by its own rows on several GPUs. */
hp_status hp_pool_alloc_planes(hp_pool *p, void **out, int planes, int64_t count, int64_t stride,
                               size_t size) HP_MUST_USE;
hp_pool_mark hp_pool_get_mark(const hp_pool *p);
/* Frees all that was allocated since the mark. */
void hp_pool_rewind(hp_pool *p, hp_pool_mark m);
/* Attaches memory of the caller, aligned to 256, as one more piece of an empty pool; it is merged with an attached piece
 * that follows it directly in memory. */
hp_status hp_pool_attach(hp_pool *p, void *memory, int64_t bytes) HP_MUST_USE;
/* Frees all, then allocates arrays that live for some steps each and may share memory: in the largest attached piece as
 * far as there is room, and in one more. trim: first frees all pieces that are not attached. memory [count]: receives
 * their addresses. On several GPUs, as long as their memory is not scarce, each large one of the
 * first `spread` arrays has a piece of its own; the others lie on the first GPU. */
hp_status hp_pool_overlay(hp_pool *p, bool trim, int count, int spread, hp_overlay_array *array,
                          void **memory) HP_MUST_USE;
/* Frees all; several pieces that are not attached become one of their peak size, unless large arrays are to lie apart on
 * several GPUs. */
hp_status hp_pool_reset(hp_pool *p) HP_MUST_USE;
/* Bytes of the pieces that are not attached. */
int64_t hp_pool_bytes(const hp_pool *p);

#define HP_POOL_ALLOC(pool, ptr, count) hp_pool_alloc(pool, (void **)&(ptr), (int64_t)(count), sizeof *(ptr))

/* ---- the setup at work ---- */

enum { HP_SETUP_COUNTS = 8 };

typedef struct hp_setup {
  hp_device *D;
  cudaStream_t stream;
  int multiprocessors;
  bool one_gpu; /* launches of now run on the first GPU, where small levels lie */
  hp_pool keep, scratch;
  int64_t *counts;      /* [HP_SETUP_COUNTS] on the device: sizes that the host reads */
  int64_t *host_counts; /* page-locked copy */
  int64_t launches, waits;
} hp_setup;

hp_status hp_setup_open(hp_setup *S, hp_device *D) HP_MUST_USE;
void hp_setup_close(hp_setup *S);
/* Copies the counts to the host and waits; clears them on the device. */
hp_status hp_setup_read_counts(hp_setup *S) HP_MUST_USE;
/* Copies one number to the host and waits. */
hp_status hp_setup_read_one(hp_setup *S, const int32_t *from, int32_t *out) HP_MUST_USE;
hp_status hp_setup_read_long(hp_setup *S, const int64_t *from, int64_t *out) HP_MUST_USE;
/* hp_csr_check_entries of rows with count [n] entries, at most `most` in all. */
hp_status hp_setup_check_entries(hp_setup *S, const uint32_t *count, int64_t n, int64_t most) HP_MUST_USE;
/* out[i] = sum of in[0..i-1], i = 0 .. n; in[n] is read but does not matter. May be in place. */
hp_status hp_setup_scan(hp_setup *S, const int32_t *in, int32_t *out, int64_t n) HP_MUST_USE;
hp_status hp_setup_scan32(hp_setup *S, const uint32_t *in, uint32_t *out, int64_t n) HP_MUST_USE;
hp_status hp_setup_scan64(hp_setup *S, const int64_t *in, int64_t *out, int64_t n) HP_MUST_USE;

/* The graph of the current level; device pointers. */
typedef struct hp_setup_graph {
  int32_t ncell;
  uint8_t *strong;  /* [entries of A] */
  double *diagonal; /* [nrow] */
  uint32_t *begin;  /* [ncell+1] which points depend on j, in no order */
  int32_t *dependent;
  uint32_t *entry; /* the entry of A with that dependence; NULL unless HP_SETUP_ENTRIES */
} hp_setup_graph;

/* The part of the graph that a coarsening needs. */
typedef enum { HP_SETUP_NO_DEPENDENTS, HP_SETUP_DEPENDENTS, HP_SETUP_ENTRIES } hp_setup_graph_kind;

/* The parts, in the order of a build. `point` [nrow], `number` [nrow+1]: how many coarse points come before. *picked:
 * scratch memory from here on can be freed once the coarse points are known. */
hp_status hp_setup_strength(hp_setup *S, const hp_csr_device *A, int32_t ncell, double theta, hp_setup_graph_kind kind,
                            hp_setup_graph *G, hp_pool_mark *picked) HP_MUST_USE;
hp_setup_graph_kind hp_setup_graph_for(hp_amg_coarsening kind);
hp_status hp_setup_coarsen(hp_setup *S, const hp_csr_device *A, const hp_setup_graph *G, const hp_amg_options *opt,
                           uint8_t *point) HP_MUST_USE;
bool hp_setup_coarsens_on_device(hp_amg_coarsening kind);
hp_status hp_setup_number(hp_setup *S, const uint8_t *point, int32_t nrow, int32_t *number) HP_MUST_USE;
/* P and the products of A P; waits once. P is empty if there are no coarse cells or hardly fewer than cells. */
hp_status hp_setup_interpolate(hp_setup *S, const hp_csr_device *A, const hp_setup_graph *G, const uint8_t *point,
                               const int32_t *number, const hp_amg_options *opt, hp_csr_device *P,
                               hp_device_plan *plan) HP_MUST_USE;
hp_status hp_setup_transpose(hp_setup *S, const hp_csr_device *P, hp_csr_device *R) HP_MUST_USE;
/* Counts the products of each row of A B: plan->begin; the host does not wait. counts[at]: all products, counts[at+1]:
 * the most of a row. */
hp_status hp_setup_count_products(hp_setup *S, const hp_csr *A, const uint32_t *B_begin, hp_device_plan *plan,
                                  int at) HP_MUST_USE;
/* The pattern of C = A B, without room for values, and its plan; most: products of a row. B_first: where B's rows begin
 * in B's column; NULL: at B's begin. If `next` is not NULL, also the products of next (C), and where plan->place is not
 * NULL C's columns are in scratch memory, rows at plan->begin. Waits once. */
hp_status hp_setup_pattern(hp_setup *S, const hp_csr_device *A, const hp_csr_device *B, const int64_t *B_first,
                           int64_t most, hp_csr_device *C, hp_device_plan *plan, const hp_csr *next,
                           hp_device_plan *next_plan, int64_t *next_most) HP_MUST_USE;
hp_status hp_setup_numbers(hp_setup *S, const hp_csr_device *A, const hp_csr_device *B, const hp_device_plan *plan,
                           const hp_csr_device *C) HP_MUST_USE;
hp_status hp_setup_direct(hp_setup *S, const hp_csr_device *A, const hp_amg_device_direct *direct) HP_MUST_USE;

/* ---- launches ---- */

template <class T>
struct hp_same {
  typedef T type;
};

/* kernel<<<blocks, threads, shared>>>(arguments...) in the setup's stream, checked. */
template <class... F>
static hp_status hp_launch(hp_setup *S, const char *what, void (*kernel)(F...), int64_t blocks, int threads,
                           size_t shared, typename hp_same<F>::type... arguments) {
  void *list[] = {(void *)&arguments...};
  if (blocks <= 0) return HP_OK;
  if (blocks > INT32_MAX) return hp_fail(HP_ERR_UNSUPPORTED, "%s: too many rows for a launch", what);
  S->launches += 1;
  hp_device_count_launches(S->D, 1);
  if (shared > 40 * 1024) /* static shared memory counts, too */
    HP_TRY(hp_device_check(S->D, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared),
                           what));
  return hp_device_check(
      S->D, cudaLaunchKernel(kernel, dim3((unsigned)blocks), dim3((unsigned)threads), list, shared, S->stream), what);
}

/* The same on all GPUs, each of which has neighbouring blocks; the kernel's first argument says which. */
template <class... F>
static hp_status hp_launch_all(hp_setup *S, const char *what, void (*kernel)(hp_blocks, F...), int64_t blocks,
                               int threads, size_t shared, typename hp_same<F>::type... arguments) {
  void *list[] = {NULL, (void *)&arguments...};
  const hp_blocks_launch L = {(const void *)kernel, blocks, threads, shared, S->one_gpu, false, list, what};
  S->launches += blocks > 0;
  return hp_blocks_run(S->D, &L);
}

/* Lanes per row for this average number of entries. */
static inline int hp_lanes_for(double entries) {
  return entries <= 5.0 ? 4 : entries <= 10.0 ? 8 : entries <= 20.0 ? 16 : 32;
}

/* Evaluates `expr` with the constant G = lanes. */
#define HP_WITH_LANES(lanes, expr) \
  switch (lanes) {                 \
    case 4: {                      \
      enum { G = 4 };              \
      expr;                        \
      break;                       \
    }                              \
    case 8: {                      \
      enum { G = 8 };              \
      expr;                        \
      break;                       \
    }                              \
    case 16: {                     \
      enum { G = 16 };             \
      expr;                        \
      break;                       \
    }                              \
    default: {                     \
      enum { G = 32 };             \
      expr;                        \
      break;                       \
    }                              \
  }

/* ---- groups of lanes ---- */

template <int G>
struct hp_lanes {
  static __device__ __forceinline__ int lane() { return (int)(threadIdx.x & (G - 1)); }
  static __device__ __forceinline__ unsigned mask() {
    return G == 32 ? 0xffffffffu : ((1u << (G & 31)) - 1u) << (threadIdx.x & 31 & ~(G - 1));
  }
  static __device__ __forceinline__ void sync() { __syncwarp(mask()); }
  template <class T>
  static __device__ __forceinline__ T shuffle(T v, int from) {
    return __shfl_sync(mask(), v, from, G);
  }
  /* One bit per lane of the group. */
  static __device__ __forceinline__ unsigned vote(bool p) {
    return (__ballot_sync(mask(), p) & mask()) >> (threadIdx.x & 31 & ~(G - 1));
  }
  static __device__ __forceinline__ bool any(bool p) { return vote(p) != 0; }
  /* Bitwise or over the lanes. */
  static __device__ __forceinline__ unsigned either(unsigned v) { return __reduce_or_sync(mask(), v); }
  static __device__ __forceinline__ int sum(int v) {
    for (int apart = G / 2; apart > 0; apart >>= 1) v += __shfl_xor_sync(mask(), v, apart, G);
    return v;
  }
  static __device__ __forceinline__ double max(double v) {
    for (int apart = G / 2; apart > 0; apart >>= 1) v = fmax(v, __shfl_xor_sync(mask(), v, apart, G));
    return v;
  }
  /* Sum over the lanes before this one. */
  static __device__ __forceinline__ int before(int v) {
    int sum = v;
    for (int apart = 1; apart < G; apart <<= 1) {
      const int other = __shfl_up_sync(mask(), sum, apart, G);
      if (lane() >= apart) sum += other;
    }
    return sum - v;
  }
};

/* The same with the groups of a warp in lock step: all lanes of the warp execute each operation together, and a loop
 * around one of them continues while `more` holds for any group. Groups that diverge rarely converge again, and each
 * then runs alone in the warp. */
template <int G>
struct hp_step {
  static __device__ __forceinline__ int lane() { return hp_lanes<G>::lane(); }
  static __device__ __forceinline__ void sync() { __syncwarp(); }
  static __device__ __forceinline__ bool more(bool p) { return __ballot_sync(0xffffffffu, p) != 0; }
  template <class T>
  static __device__ __forceinline__ T shuffle(T v, int from) {
    return __shfl_sync(0xffffffffu, v, from, G);
  }
  static __device__ __forceinline__ unsigned vote(bool p) {
    const unsigned all = __ballot_sync(0xffffffffu, p);
    return G == 32 ? all : (all >> (threadIdx.x & 31 & ~(G - 1))) & ((1u << (G & 31)) - 1u);
  }
  static __device__ __forceinline__ bool any(bool p) { return vote(p) != 0; }
  static __device__ __forceinline__ int sum(int v) {
    for (int apart = G / 2; apart > 0; apart >>= 1) v += __shfl_xor_sync(0xffffffffu, v, apart, G);
    return v;
  }
};

/* *most = max(*most, v of each thread of the block); all threads call it. */
static __device__ __forceinline__ void hp_block_most(const hp_blocks &blocks, int64_t *most, int v) {
  __shared__ int largest;
  __syncthreads();
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  if (v > 0) atomicMax(&largest, v);
  __syncthreads();
  if (threadIdx.x == 0 && largest > *(volatile int64_t *)most)
    hp_blocks_max(blocks, (long long *)most, (long long)largest);
}

/* ---- hash tables: columns by open addressing; `size` is a power of two ---- */

static __device__ __forceinline__ unsigned hp_hash(int32_t column, int size) {
  const unsigned h = (unsigned)column * 0x9e3779b1u;
  return (h ^ (h >> 15)) & (unsigned)(size - 1);
}

/* Returns key[at] if it is occupied, else stores `column` there and returns -1. `chip`: the table is in shared memory;
 * the assembly says so, because the compiler only sees a generic pointer. */
template <bool chip>
static __device__ __forceinline__ int32_t hp_hash_claim(int32_t *key, unsigned at, int32_t column) {
#if defined(__CUDA_ARCH__)
  if (chip) {
    const unsigned address = (unsigned)__cvta_generic_to_shared(key + at);
    int32_t there;
    asm volatile("ld.relaxed.cta.shared.s32 %0, [%1];" : "=r"(there) : "r"(address) : "memory");
    if (there < 0)
      asm volatile("atom.relaxed.cta.shared.cas.b32 %0, [%1], -1, %2;"
                   : "=r"(there)
                   : "r"(address), "r"(column)
                   : "memory");
    return there;
  }
#endif
  const int32_t there = ((volatile int32_t *)key)[at];
  return there < 0 ? atomicCAS(&key[at], -1, column) : there;
}

/* The place of `column`, which is inserted if it is new (*fresh); -1: the table is full. */
template <bool chip>
static __device__ __forceinline__ int hp_hash_add(int32_t *key, int size, int32_t column, bool *fresh) {
  unsigned at = hp_hash(column, size);
  *fresh = false;
  for (int tries = 0; tries < size; ++tries) {
    const int32_t there = hp_hash_claim<chip>(key, at, column);
    *fresh = there < 0;
    if (there < 0 || there == column) return (int)at;
    at = (at + 1) & (unsigned)(size - 1);
  }
  return -1;
}

/* The place of `column`, -1: not there. No concurrent insertion. */
static __device__ __forceinline__ int hp_hash_find(const int32_t *key, int size, int32_t column) {
  unsigned at = hp_hash(column, size);
  for (int tries = 0; tries < size; ++tries) {
    const int32_t there = key[at];
    if (there == column) return (int)at;
    if (there < 0) return -1;
    at = (at + 1) & (unsigned)(size - 1);
  }
  return -1;
}

/* ---- rows that need more ---- */

/* Tables for rows of a list: in shared memory if `memory` is NULL. */
typedef struct hp_wide {
  const int32_t *list;  /* rows; NULL: all of them */
  const int32_t *count; /* of the list */
  int32_t *next;        /* rows that did not fit here; NULL: all do */
  int32_t *next_count;
  char *memory;  /* [groups][bytes] */
  int size;      /* entries of a table */
  int64_t bytes; /* of a group's tables */
} hp_wide;

/* Tables of the group-th group of the launch, which is this thread's. `chip`: they are in shared memory. */
template <int G, bool chip>
static __device__ __forceinline__ char *hp_wide_tables(const hp_wide &wide, int64_t group) {
  return chip ? (char *)hp_shared_memory + (int)(threadIdx.x / G) * (int)wide.bytes : wide.memory + group * wide.bytes;
}

enum { HP_WIDE_WARPS = 4 };

/* The rows of list [2 n], counts[0] of them, which outgrew the first tables: warps with tables of `size` entries in shared memory,
 * then, if a row may have more than that, with larger ones in global memory. chip, large: the kernels; most: entries of a row;
 * bytes_of: of a table. */
template <class ARGS>
static hp_status hp_setup_wide_rows(hp_setup *S, const char *what, void (*chip)(hp_blocks, ARGS, hp_wide),
                                    void (*large)(hp_blocks, ARGS, hp_wide), const ARGS &args, int32_t n, int32_t *list,
                                    int32_t *counts, int64_t size, int64_t most, int64_t (*bytes_of)(int64_t)) {
  const int64_t memory_most = 256 << 20;
  const hp_wide w = {list, counts, list + n, counts + 1, NULL, (int)size, bytes_of(size)};
  HP_TRY(hp_launch_all(S, what, chip, 2 * S->multiprocessors, 32 * HP_WIDE_WARPS, (size_t)(HP_WIDE_WARPS * w.bytes),
                       args, w));
  if (most <= size) return HP_OK;
  int32_t left = 0; /* hardly ever a row, but the tables are large */
  HP_TRY(hp_setup_read_one(S, counts + 1, &left));
  if (left == 0) return HP_OK;
  while (size < 2 * most && size < INT64_C(1) << 30) size *= 2;
  int64_t blocks = memory_most / bytes_of(size);
  blocks = blocks < 1 ? 1 : blocks > 8 * S->multiprocessors ? 8 * S->multiprocessors : blocks;
  if (blocks > left) blocks = left;
  const hp_pool_mark here = hp_pool_get_mark(&S->scratch);
  char *memory = NULL;
  HP_TRY(hp_pool_alloc(&S->scratch, (void **)&memory, blocks, (size_t)bytes_of(size)));
  const hp_wide all = {list + n, counts + 1, NULL, NULL, memory, (int)size, bytes_of(size)};
  HP_TRY(hp_launch_all(S, what, large, blocks, 32, 0, args, all));
  hp_pool_rewind(&S->scratch, here);
  return HP_OK;
}

#endif
