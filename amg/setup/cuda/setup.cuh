/* Shared by the parts of the setup on a GPU: memory pools, launches, prefix sums, groups of lanes, hash tables.
 *
 * A row is worked on by a group of G = 4, 8, 16 or 32 neighbouring lanes of a warp; all its lanes take the
 * same branches, so that they may meet at group_sync. Rows that need more on-chip memory than the kernel for
 * ordinary rows has go to a list, which a second kernel works through with larger tables (`hp_wide`).
 */
#ifndef HP_AMG_SETUP_CUDA_SETUP_CUH
#define HP_AMG_SETUP_CUDA_SETUP_CUH

#include <cuda_runtime.h>

#include "amg/setup/device.h"
#include "core/overlay.h"
#include "core/team/cuda/team.cuh"
#include "core/team/team.h"

/* ---- memory ---- */

enum { HP_POOL_PIECES = 192, HP_SETUP_THREADS = 256 };

/* Pieces that were lent come first. */
typedef struct hp_pool {
  hp_device *D;
  const char *what;
  struct {
    char *p;
    int64_t bytes, used;
  } piece[HP_POOL_PIECES];
  int count, attached;
  int64_t allocated, peak;         /* of all pieces; the most at once */
  int64_t own_allocated, own_peak; /* of those that are the pool's own */
} hp_pool;

typedef struct hp_pool_mark {
  int64_t used[HP_POOL_PIECES];
} hp_pool_mark;

/* `bytes` of the pool, aligned to 256, not cleared: of the fullest piece that has room, or of a new one. */
hp_status hp_pool_alloc(hp_pool *p, void **out, int64_t count, size_t size) HP_MUST_USE;
hp_pool_mark hp_pool_get_mark(const hp_pool *p);
/* Gives back all that was taken since. */
void hp_pool_rewind(hp_pool *p, hp_pool_mark m);
/* Memory of others', aligned to 256, as one more piece of an empty pool; in front of such a piece both are one. */
hp_status hp_pool_attach(hp_pool *p, void *memory, int64_t bytes) HP_MUST_USE;
/* Gives all back, and takes memory for arrays that live for some steps each: in the largest piece that was lent, as far
 * as there is room, and in one of its own; trim: the others of its own are freed. memory [count]: where they are. */
hp_status hp_pool_overlay(hp_pool *p, bool trim, int count, hp_overlay_array *array, void **memory) HP_MUST_USE;
/* Gives all back; several pieces of its own become one, as large as what was taken of them at most. */
hp_status hp_pool_reset(hp_pool *p) HP_MUST_USE;
void hp_pool_free(hp_pool *p);
/* Of its own pieces. */
int64_t hp_pool_bytes(const hp_pool *p);

#define HP_POOL_ALLOC(pool, ptr, count) hp_pool_alloc(pool, (void **)&(ptr), (int64_t)(count), sizeof *(ptr))

/* ---- the setup at work ---- */

enum { HP_SETUP_COUNTS = 8 };

typedef struct hp_setup {
  hp_device *D;
  cudaStream_t stream;
  int multiprocessors;
  hp_pool keep, scratch;
  int64_t *counts;      /* [HP_SETUP_COUNTS] on the device: what the host is to learn */
  int64_t *host_counts; /* page-locked copy */
  int64_t launches, waits;
} hp_setup;

hp_status hp_setup_open(hp_setup *S, hp_device *D) HP_MUST_USE;
void hp_setup_close(hp_setup *S);
/* Waits for the counts; counts on the device are zero again. */
hp_status hp_setup_read_counts(hp_setup *S) HP_MUST_USE;
/* Waits for one number of the device's. */
hp_status hp_setup_read_one(hp_setup *S, const int32_t *from, int32_t *out) HP_MUST_USE;
/* out[i] = sum of in[0..i-1], i = 0 .. n; in[n] is read but does not matter. May be in place. */
hp_status hp_setup_scan(hp_setup *S, const int32_t *in, int32_t *out, int64_t n) HP_MUST_USE;
hp_status hp_setup_scan64(hp_setup *S, const int64_t *in, int64_t *out, int64_t n) HP_MUST_USE;

/* A level at work; all pointers are the device's. */
typedef struct hp_setup_graph {
  int32_t ncell;
  uint8_t *strong;  /* [entries of A] */
  double *diagonal; /* [nrow] */
  int32_t *begin;   /* [ncell+1] which points depend on j, in no order */
  int32_t *dependent;
  int32_t *entry; /* where A has that dependence; NULL unless asked for */
} hp_setup_graph;

/* The part of the graph that a coarsening needs. */
typedef enum { HP_SETUP_NO_DEPENDENTS, HP_SETUP_DEPENDENTS, HP_SETUP_ENTRIES } hp_setup_graph_kind;

/* The parts, in the order of a build. `point` [nrow], `number` [nrow+1]: how many coarse points come before. *picked:
 * scratch memory from here on is of no use when the coarse points are known. */
hp_status hp_setup_strength(hp_setup *S, const hp_device_csr *A, int32_t ncell, double theta, hp_setup_graph_kind kind,
                            hp_setup_graph *G, hp_pool_mark *picked) HP_MUST_USE;
hp_setup_graph_kind hp_setup_graph_for(hp_amg_coarsening kind);
hp_status hp_setup_coarsen(hp_setup *S, const hp_device_csr *A, const hp_setup_graph *G, const hp_amg_options *opt,
                           uint8_t *point) HP_MUST_USE;
bool hp_setup_coarsens_on_device(hp_amg_coarsening kind);
hp_status hp_setup_number(hp_setup *S, const uint8_t *point, int32_t nrow, int32_t *number) HP_MUST_USE;
/* P and the products of A P; waits once. P is empty if there are no coarse cells or hardly fewer than cells. */
hp_status hp_setup_interpolate(hp_setup *S, const hp_device_csr *A, const hp_setup_graph *G, const uint8_t *point,
                               const int32_t *number, const hp_amg_options *opt, hp_device_csr *P,
                               hp_device_plan *plan) HP_MUST_USE;
hp_status hp_setup_transpose(hp_setup *S, const hp_device_csr *P, hp_device_csr *R) HP_MUST_USE;
/* How many products row i of A B has: plan->begin; the host learns nothing yet. counts[at]: all, counts[at+1]: most of
 * a row. */
hp_status hp_setup_count_products(hp_setup *S, const hp_csr *A, const int32_t *B_begin, hp_device_plan *plan,
                                  int at) HP_MUST_USE;
/* The pattern of C = A B, without room for values, and its plan; most: products of a row. B_first: where B's rows begin
 * in B's column; NULL: at B's begin. If `next` is not NULL, also the products of next (C), and where plan->place is not
 * NULL C's columns are in scratch memory, rows at plan->begin. Waits once. */
hp_status hp_setup_pattern(hp_setup *S, const hp_device_csr *A, const hp_device_csr *B, const int32_t *B_first,
                           int64_t most, hp_device_csr *C, hp_device_plan *plan, const hp_csr *next,
                           hp_device_plan *next_plan, int64_t *next_most) HP_MUST_USE;
hp_status hp_setup_numbers(hp_setup *S, const hp_device_csr *A, const hp_device_csr *B, const hp_device_plan *plan,
                           const hp_device_csr *C) HP_MUST_USE;
hp_status hp_setup_direct(hp_setup *S, const hp_device_csr *A, const hp_amg_device_direct *direct) HP_MUST_USE;

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
  if (shared > 40 * 1024) /* a kernel's own arrays count, too */
    HP_TRY(hp_device_check(S->D, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared),
                           what));
  return hp_device_check(
      S->D, cudaLaunchKernel(kernel, dim3((unsigned)blocks), dim3((unsigned)threads), list, shared, S->stream), what);
}

static inline int64_t hp_parts(int64_t n, int64_t length) { return (n + length - 1) / length; }

/* Lanes for rows of so many entries. */
static inline int hp_lanes_for(double entries) {
  return entries <= 5.0 ? 4 : entries <= 10.0 ? 8 : entries <= 20.0 ? 16 : 32;
}

/* Calls `expr` with the constant G. */
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
  /* A bit a lane of the group. */
  static __device__ __forceinline__ unsigned vote(bool p) {
    return (__ballot_sync(mask(), p) & mask()) >> (threadIdx.x & 31 & ~(G - 1));
  }
  static __device__ __forceinline__ bool any(bool p) { return vote(p) != 0; }
  /* All lanes' bits. */
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

/* The same, but the groups of a warp go in step: all lanes of the warp come to each of these together, and a loop
 * with one of them in it goes on while `more` for any group. Groups that part stay apart for long, and each has the
 * warp to itself then. */
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

/* *most is at least v of all threads of the block, all of which call this. */
static __device__ __forceinline__ void hp_block_most(int64_t *most, int v) {
  __shared__ int largest;
  __syncthreads();
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  if (v > 0) atomicMax(&largest, v);
  __syncthreads();
  if (threadIdx.x == 0 && largest > *(volatile int64_t *)most) atomicMax((long long *)most, (long long)largest);
}

/* ---- hash tables: columns by open addressing; `size` is a power of two ---- */

static __device__ __forceinline__ unsigned hp_hash(int32_t column, int size) {
  const unsigned h = (unsigned)column * 0x9e3779b1u;
  return (h ^ (h >> 15)) & (unsigned)(size - 1);
}

/* key[at] if it is taken, else `column` goes there and -1 comes back. `chip`: the table is in shared memory, and
 * the compiler, which sees a pointer to anywhere, is told so. */
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

/* The place of `column`, which is put there if it is new (*fresh); -1: the table is full. */
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

/* The place of `column`, -1: not there. Nobody adds meanwhile. */
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

#endif
