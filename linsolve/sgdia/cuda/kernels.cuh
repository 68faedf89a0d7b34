/* Kernels of products with matrices of stencils (linsolve/sgdia/device.h).
 *
 * SG-DIA. A thread has one row, or with 16-byte loads as many rows next to each other as a load has entries; a block goes
 * through tiles of such rows. Entries of a row are taken in their order, UNROLL at a time, loads first. The matrix goes past
 * the L1 cache, where x stays; SHARED fetches the x of a tile's lines first (linsolve/sgdia/tile.h). A cell at a side of a
 * periodic grid finds the neighbours across it by its place in the grid, and their x in memory.
 */
#ifndef HP_LINSOLVE_SGDIA_CUDA_KERNELS_CUH
#define HP_LINSOLVE_SGDIA_CUDA_KERNELS_CUH

#include "core/device/kernels.h"
#include "linsolve/sgdia/cuda/args.cuh"

/* The least blocks per multiprocessor, which limits registers (hp_kernel_compile). */
#if defined(HP_KERNEL_BLOCKS)
#define STENCIL_BLOCKS HP_KERNEL_BLOCKS
#else
#define STENCIL_BLOCKS 1
#endif

/* Rows of a 16-byte load, and the load. */
template <class Real>
struct stencil_wide;
template <>
struct stencil_wide<double> {
  enum { ROWS = 2 };
  static __device__ __forceinline__ void load(const double *p, double *v) {
    asm volatile("ld.global.nc.L1::no_allocate.v2.f64 {%0, %1}, [%2];" : "=d"(v[0]), "=d"(v[1]) : "l"(p));
  }
  static __device__ __forceinline__ void load_first(const double *p, double *v) {
    const double2 w = __ldcs((const double2 *)(const void *)p);
    v[0] = w.x;
    v[1] = w.y;
  }
};
template <>
struct stencil_wide<float> {
  enum { ROWS = 4 };
  static __device__ __forceinline__ void load(const float *p, float *v) {
    asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3])
                 : "l"(p));
  }
  static __device__ __forceinline__ void load_first(const float *p, float *v) {
    const float4 w = __ldcs((const float4 *)(const void *)p);
    v[0] = w.x;
    v[1] = w.y;
    v[2] = w.z;
    v[3] = w.w;
  }
};

template <class Real, int LOADS, int ROWS>
static __device__ __forceinline__ void stencil_load(const Real *p, Real *v) {
  if (LOADS == HP_LOADS_PLAIN) v[0] = __ldg(p);
  else if (LOADS == HP_LOADS_WIDE) stencil_wide<Real>::load(p, v);
  else stencil_wide<Real>::load_first(p, v);
}

/* Cell c of one row, and where it stands. */
struct stencil_cell {
  int c, a; /* c < 0: the row is beyond the last */
  int place[3];
  bool at_side; /* of a periodic grid */
};

template <bool PERIODIC>
static __device__ __forceinline__ stencil_cell stencil_cell_of(const stencil_args &A, int row) {
  stencil_cell s;
  s.c = row < A.n ? (int)hp_divide((uint32_t)row, A.by_q) : -1;
  s.a = row - s.c * A.q;
  s.at_side = false;
  if (PERIODIC && s.c >= 0) {
    const int line = (int)hp_divide((uint32_t)s.c, A.by_x), layer = (int)hp_divide((uint32_t)line, A.by_y);
    s.place[0] = s.c - line * A.size[0];
    s.place[1] = line - layer * A.size[1];
    s.place[2] = layer;
#pragma unroll
    for (int d = 0; d < 3; ++d) s.at_side = s.at_side || s.place[d] == 0 || s.place[d] == A.size[d] - 1;
  }
  return s;
}

/* The neighbour at point p of a cell at a side. */
static __device__ __forceinline__ int stencil_across(const stencil_args &A, const stencil_cell &s, int p) {
  int place[3];
#pragma unroll
  for (int d = 0; d < 3; ++d) {
    place[d] = s.place[d] + A.shift[p][d];
    if (place[d] < 0) place[d] += A.size[d];
    if (place[d] >= A.size[d]) place[d] -= A.size[d];
  }
  return place[0] + A.size[0] * (place[1] + A.size[1] * place[2]);
}

/* x of unknown b at point p of a row's cell; first: the first cell of the tile. */
template <class Real, bool PERIODIC, bool SHARED>
static __device__ __forceinline__ Real stencil_x(const stencil_args &A, const Real *x, const Real *line,
                                                 const stencil_cell &s, int first, int p, int b) {
  const int direct = s.c + A.offset[p];
  const int n = PERIODIC && s.at_side ? stencil_across(A, s, p) : direct;
  if (s.c < 0) return Real(0);
  if (SHARED && (!PERIODIC || n == direct))
    return line[A.line_of[p] * A.length + (s.c - first + A.shift[p][0] + 1) * A.q + b];
  return (unsigned)n < (unsigned)A.ncell ? __ldg(x + (int64_t)n * A.q + b) : Real(0);
}

/* Fetches the x of a tile's lines; zeros where there is no cell. */
template <class Real>
static __device__ __forceinline__ void stencil_fetch(const stencil_args &A, const Real *x, Real *line, int first) {
  for (int l = 0; l < A.lines; ++l) {
    const int64_t from = ((int64_t)first + A.line[l] - 1) * A.q;
    for (int k = (int)threadIdx.x; k < A.length; k += STENCIL_THREADS) {
      const int64_t at = from + k;
      line[l * A.length + k] = at >= 0 && at < A.n ? __ldg(x + at) : Real(0);
    }
  }
}

template <class Real, int ROWS>
static __device__ __forceinline__ void stencil_store(Real *y, int row, int n, const Real *sum) {
#pragma unroll
  for (int v = 0; v < ROWS; ++v)
    if (row + v < n) y[row + v] = sum[v];
}

/* Entries e .. e+COUNT-1 of a thread's rows, added to their sums; *p, *b: point and unknown of the first, and then of the
 * one that follows. */
template <class Real, bool PERIODIC, bool SHARED, int COUNT, int LOADS, int ROWS>
static __device__ __forceinline__ void stencil_add(const stencil_args &A, const Real *line,
                                                   const stencil_cell (&cell)[ROWS], int first, int row, int e, int *p,
                                                   int *b, Real (&sum)[ROWS]) {
  const Real *value = (const Real *)A.value, *x = (const Real *)A.x;
  Real a[COUNT][ROWS], xs[COUNT][ROWS];
#pragma unroll
  for (int u = 0; u < COUNT; ++u) {
    stencil_load<Real, LOADS, ROWS>(value + (int64_t)(e + u) * A.ld + row, a[u]);
#pragma unroll
    for (int v = 0; v < ROWS; ++v) xs[u][v] = stencil_x<Real, PERIODIC, SHARED>(A, x, line, cell[v], first, *p, *b);
    *b += 1;
    *p += *b == A.q;
    *b = *b == A.q ? 0 : *b;
  }
#pragma unroll
  for (int u = 0; u < COUNT; ++u)
#pragma unroll
    for (int v = 0; v < ROWS; ++v) sum[v] += a[u][v] * xs[u][v];
}

template <class Real, bool PERIODIC, bool SHARED, int UNROLL, int LOADS>
static __global__ void __launch_bounds__(STENCIL_THREADS_MAX, STENCIL_BLOCKS)
    stencil_kernel(const __grid_constant__ stencil_args A, int tiles) {
  enum { ROWS = LOADS == HP_LOADS_PLAIN ? 1 : (int)stencil_wide<Real>::ROWS };
  extern __shared__ __align__(16) unsigned char stencil_shared[];
  Real *line = (Real *)(void *)stencil_shared;
  const int entries = A.points * A.q;
  for (int tile = (int)blockIdx.x; tile < tiles; tile += (int)gridDim.x) {
    const int begin = tile * STENCIL_THREADS * ROWS, row = begin + (int)threadIdx.x * ROWS;
    const int first = (int)hp_divide((uint32_t)begin, A.by_q);
    if (SHARED) {
      __syncthreads(); /* the last tile's were read */
      stencil_fetch<Real>(A, (const Real *)A.x, line, first);
      __syncthreads();
    }
    if (row >= A.n) continue; /* to the barriers of the next tile */
    stencil_cell cell[ROWS];
    Real sum[ROWS];
#pragma unroll
    for (int v = 0; v < ROWS; ++v) {
      cell[v] = stencil_cell_of<PERIODIC>(A, row + v);
      sum[v] = Real(0);
    }
    int e = 0, p = 0, b = 0;
    HP_UNROLL_CONSTANT
    for (; e + UNROLL <= entries; e += UNROLL)
      stencil_add<Real, PERIODIC, SHARED, UNROLL, LOADS, ROWS>(A, line, cell, first, row, e, &p, &b, sum);
    HP_UNROLL_CONSTANT
    for (; e < entries; ++e)
      stencil_add<Real, PERIODIC, SHARED, 1, LOADS, ROWS>(A, line, cell, first, row, e, &p, &b, sum);
    stencil_store<Real, ROWS>((Real *)A.y, row, A.n, sum);
  }
}

#endif
