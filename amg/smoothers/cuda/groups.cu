/* Gauss-Seidel by groups on a GPU, one pass per group: coloured, level-scheduled,
 * block-gauss-seidel; and block-jacobi, all of whose blocks are one group.
 * amg/smoothers/groups.inl.h, amg/smoothers/block.inl.h.
 *
 * The host assigns rows to groups, a sequential algorithm; blocks are inverted
 * on the device.
 */
#include "amg/rows/form.inl.h"
#include "amg/rows/rows.inl.h"
#include "amg/smoothers/cuda/slots.cuh"
#include "core/memory.h"

#define HP_BOTH "amg/smoothers/block.inl.h"
#include "amg/rows/both.inl.h"

/* ---- the inverses of blocks ---- */

static __device__ __forceinline__ void invert(const hp_csr *A, int64_t begin, int w, double factor, double *work,
                                              double *to) {
  hp_amg_block_one_double(A, begin, w, factor, work, to);
}
static __device__ __forceinline__ void invert(const hp_csr *A, int64_t begin, int w, double factor, double *work,
                                              float *to) {
  hp_amg_block_one_float(A, begin, w, factor, work, to);
}

/* Doubles of on-chip memory that a block of w rows needs. */
static __host__ __device__ int work_of(int w) { return w * (3 * w + 1); }

/* A thread a block, whose slots begin where its rows do. */
template <class REAL>
static __global__ void invert_kernel(const __grid_constant__ hp_amg_groups G, hp_csr A, int rows, double factor) {
  double *work = (double *)hp_shared_memory + (int64_t)threadIdx.x * work_of(rows);
  REAL *inverse = (REAL *)(work + rows * (2 * rows + 1)), *F = (REAL *)G.factor;
  const int64_t slot = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * G.width;
  if (slot >= G.rows.nrow) return;
  const int32_t begin = G.at[slot];
  int w = 0;
  if (begin >= 0) {
    w = A.nrow - begin < rows ? A.nrow - begin : rows;
    invert(&A, begin, w, factor, work, inverse);
  }
  const int in_slice = 1 << G.rows.shift;
  for (int k = 0; k < G.width; ++k)
    for (int a = 0; a < G.width; ++a) {
      const int64_t s = slot + a;
      F[((s >> G.rows.shift) * G.width + k) * in_slice + (s & (in_slice - 1))] = k < w && a < w ? inverse[k * w + a]
                                                                                                : (REAL)0;
    }
}

static hp_status invert_blocks(hp_amg_device_cycle *C, int l, double factor) {
  enum { CHIP = 200 * 1024 };
  const hp_amg_groups *G = &C->smoothing[l].lower;
  const hp_csr A = C->smoothing[l].A.at;
  const int rows = C->host.H.opt.block, bytes = work_of(rows) * (int)sizeof(double);
  const int threads = 128 * bytes <= CHIP ? 128 : 32;
  const int64_t blocks = hp_parts(G->rows.nrow / G->width, threads);
  const char *what = "inverting a smoother's blocks";
  if (hp_amg_cycle_single(C))
    return hp_launch(&C->S, what, invert_kernel<float>, blocks, threads, (size_t)(threads * bytes), *G, A, rows,
                     factor);
  return hp_launch(&C->S, what, invert_kernel<double>, blocks, threads, (size_t)(threads * bytes), *G, A, rows, factor);
}

/* ---- Gauss-Seidel ---- */

static bool by_blocks(const hp_amg_device_cycle *C) { return C->host.H.opt.smoother == HP_AMG_BLOCK_GAUSS_SEIDEL; }

/* The groups of the host's smoother, from a copy of the level. */
static hp_status group_on_host(hp_amg_device_cycle *C, int l, hp_amg_smooth *S) {
  hp_amg_level copy;
  memset(&copy, 0, sizeof copy);
  HP_TRY(hp_csr_device_download(C->D, &C->smoothing[l].A, &copy.A));
  const hp_status s = hp_amg_smooth_prepare(&C->host.H.opt, &copy, S);
  hp_csr_destroy(&copy.A);
  return s;
}

static hp_status prepare(hp_amg_device_cycle *C, int l) {
  hp_amg_smoothing *M = &C->smoothing[l];
  const hp_amg_entries E = hp_amg_entries_of(&M->A);
  hp_amg_smooth host;
  memset(&host, 0, sizeof host);
  if (!by_blocks(C)) HP_TRY(hp_amg_cycle_alloc_scale(C, l));
  hp_status s = group_on_host(C, l, &host);
  if (s == HP_OK)
    s = hp_amg_groups_create(C, &E, M->A.at.nrow, by_blocks(C) ? host.width : 1, &host, HP_AMG_FACTOR, &M->lower);
  hp_amg_smooth_clear(&host);
  return s;
}

static hp_status numbers(hp_amg_device_cycle *C, int l) {
  const hp_amg_smoothing *M = &C->smoothing[l];
  HP_TRY(hp_amg_groups_fill(C, &M->lower, M->A.at.value, true));
  if (by_blocks(C)) return invert_blocks(C, l, 1.0);
  return hp_amg_groups_set_factor(C, &M->lower, C->host.H.level[l].smooth.scale, NULL);
}

const hp_amg_device_smoother hp_amg_device_groups = {.prepare = prepare, .numbers = numbers};

/* ---- block Jacobi ---- */

static hp_status prepare_jacobi(hp_amg_device_cycle *C, int l) {
  hp_amg_smoothing *M = &C->smoothing[l];
  const hp_amg_entries E = hp_amg_entries_of(&M->A);
  return hp_amg_groups_create(C, &E, M->A.at.nrow, C->host.H.opt.block, NULL, HP_AMG_FACTOR, &M->lower);
}

static hp_status numbers_jacobi(hp_amg_device_cycle *C, int l) {
  HP_TRY(hp_amg_groups_fill(C, &C->smoothing[l].lower, C->smoothing[l].A.at.value, true));
  return invert_blocks(C, l, C->host.H.opt.damping);
}

const hp_amg_device_smoother hp_amg_device_block_jacobi = {.prepare = prepare_jacobi, .numbers = numbers_jacobi};
