/* Kernels y = A x, one launch a product (linsolve/spmv_device.h).
 *
 * All kernels of matrices with GH's border begin with blocks that sum the wells'
 * rows, a warp a well; the other blocks have
 * cells, so that the perforations in them are one stretch of a list (spmv_border).
 *
 * The kernels of Bdia ask for all entries of a group of diagonals before the
 * first use: at q = 2 the whole row of a cell, 14 times 16 bytes of the matrix a
 * thread. The matrix goes past the level 1 cache, where x stays. Sums have the order of the CPU (linsolve/spmv.inl.h)
 * and its bits.
 */
#ifndef HP_LINSOLVE_SPMV_KERNELS_CUH
#define HP_LINSOLVE_SPMV_KERNELS_CUH

#include <cuda_runtime.h>

#include "linsolve/gh.h"

/* ---- loads -------------------------------------------------------------------------- */

/* How the matrix is read: SPMV_PLAIN; SPMV_STREAM past the level 1 cache; SPMV_FIRST also first out of
 * the level 2 cache; SPMV_WIDE past level 1, 256 bytes at once into level 2. */
enum { SPMV_PLAIN, SPMV_STREAM, SPMV_FIRST, SPMV_WIDE };

/* Loads that give zero where there is nothing to load. The condition is inside the instruction: written as a
 * branch, compilers put load and use together and only one diagonal is under way at a time. */
#define SPMV_LOAD2(instruction, v, p, has)        \
  asm volatile(                                   \
      "{ .reg .pred q; setp.ne.s32 q, %3, 0;\n\t" \
      "mov.f64 %0, 0d0000000000000000;\n\t"       \
      "mov.f64 %1, 0d0000000000000000;\n\t"       \
      "@q " instruction " {%0, %1}, [%2]; }"      \
      : "=d"((v).x), "=d"((v).y)                  \
      : "l"(p), "r"((int)(has)))

template <int LOADS>
__device__ __forceinline__ double2 spmv_load2(const double *p, bool has) {
  double2 v;
  if (LOADS == SPMV_PLAIN) {
    SPMV_LOAD2("ld.global.nc.v2.f64", v, p, has);
  } else if (LOADS == SPMV_STREAM) {
    SPMV_LOAD2("ld.global.nc.L1::no_allocate.v2.f64", v, p, has);
  } else if (LOADS == SPMV_WIDE) {
    SPMV_LOAD2("ld.global.nc.L1::no_allocate.L2::256B.v2.f64", v, p, has);
  } else {
    asm volatile(
        "{ .reg .pred q; .reg .b64 first; setp.ne.s32 q, %3, 0;\n\t"
        "createpolicy.fractional.L2::evict_first.b64 first, 1.0;\n\t"
        "mov.f64 %0, 0d0000000000000000;\n\t"
        "mov.f64 %1, 0d0000000000000000;\n\t"
        "@q ld.global.nc.L1::no_allocate.L2::cache_hint.v2.f64 {%0, %1}, [%2], first; }"
        : "=d"(v.x), "=d"(v.y)
        : "l"(p), "r"((int)has));
  }
  return v;
}

/* Of the matrix, 8 bytes. */
__device__ __forceinline__ double spmv_load1(const double *p, bool has) {
  double v;
  asm volatile(
      "{ .reg .pred q; setp.ne.s32 q, %2, 0;\n\t"
      "mov.f64 %0, 0d0000000000000000;\n\t"
      "@q ld.global.nc.L1::no_allocate.f64 %0, [%1]; }"
      : "=d"(v)
      : "l"(p), "r"((int)has));
  return v;
}

/* Of x. */
__device__ __forceinline__ double2 spmv_x2(const double *p, bool has) {
  double2 v;
  SPMV_LOAD2("ld.global.nc.v2.f64", v, p, has);
  return v;
}

__device__ __forceinline__ double spmv_x1(const double *p, bool has) {
  double v;
  asm volatile(
      "{ .reg .pred q; setp.ne.s32 q, %2, 0;\n\t"
      "mov.f64 %0, 0d0000000000000000;\n\t"
      "@q ld.global.nc.f64 %0, [%1]; }"
      : "=d"(v)
      : "l"(p), "r"((int)has));
  return v;
}

__device__ __forceinline__ int spmv_load_index(const int32_t *p) {
  int v;
  asm("ld.global.nc.L1::no_allocate.s32 %0, [%1];" : "=r"(v) : "l"(p));
  return v;
}

template <bool FMA>
__device__ __forceinline__ double spmv_add(double sum, double a, double b) {
  return FMA ? __fma_rn(a, b, sum) : sum + a * b;
}

/* ---- the wells' border ----------------------------------------------------------------- */

typedef struct spmv_border {
  int nwell, blocks;        /* blocks: those of the wells' rows, first in the grid */
  int64_t rows;             /* of the cells */
  const int32_t *begin;     /* [nwell+1] first entry of a well in w */
  const int32_t *entry_row; /* [entries] row of x that it multiplies */
  const double *w, *wt, *dd;
  /* what each block of the cells' kernel has of the wells' runs, in the order of the runs */
  const int2 *piece_of; /* [blocks of cells] first piece and the one after the last */
  const int4 *piece;    /* first row, row after the last (as the kernel counts rows), place of the first row's value
                           in wt, well */
} spmv_border;

/* Row of a well: 32 lanes in turn, then their tree, as hp_gh_well_row. By a warp. */
__device__ __forceinline__ void spmv_well_row(const spmv_border &B, int w, const double *x, double *y) {
  const int lane = threadIdx.x & 31, begin = B.begin[w], end = B.begin[w + 1];
  double sum = 0.0;
#pragma unroll 4
  for (int e = begin + lane; e < end; e += 32) sum += B.w[e] * x[B.entry_row[e]];
#pragma unroll
  for (int apart = 16; apart > 0; apart >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, apart);
  if (lane == 0) y[B.rows + w] = sum + B.dd[w] * x[B.rows + w];
}

/* True if this block was one of the wells'. */
__device__ __forceinline__ bool spmv_wells(const spmv_border &B, const double *x, double *y) {
  if ((int)blockIdx.x >= B.blocks) return false;
  const int w = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
  if (w < B.nwell) spmv_well_row(B, w, x, y);
  return true;
}

/* The wells' columns in rows i .. i+R-1, of one cell. Asked for after the matrix was asked for and before it is in:
 * the one well that most perforated cells have is loaded meanwhile. */
template <int R>
struct spmv_columns {
  int2 pieces; /* of the block */
  int first;   /* the piece that has the rows, -1: none */
  double wt[R], xw;
};

/* Place in wt of row i of a piece of cells with Q rows; gap: values between two of these cells (GH-h). */
__device__ __forceinline__ int spmv_slot(int Q, int gap, const int4 &piece, int i) {
  const int d = i - piece.x;
  return piece.z + d + (gap > 0 ? d / Q * gap : 0);
}

/* First of all in a kernel: does not wait. */
__device__ __forceinline__ int2 spmv_pieces(const spmv_border &B, int block) {
  int2 p = make_int2(0, 0);
  if (B.nwell > 0) p = __ldg(B.piece_of + block);
  return p;
}

template <int R>
__device__ __forceinline__ spmv_columns<R> spmv_columns_begin(const spmv_border &B, int2 pieces, int i, const double *x,
                                                              int Q = 1, int gap = 0) {
  spmv_columns<R> c;
  c.pieces = pieces;
  c.first = -1;
  c.xw = 0.0;
#pragma unroll
  for (int j = 0; j < R; ++j) c.wt[j] = 0.0;
  for (int n = pieces.x; n < pieces.y; ++n) {
    const int4 piece = __ldg(B.piece + n);
    if (i < piece.x || i >= piece.y) continue;
    const double *wt = B.wt + spmv_slot(Q, gap, piece, i);
    c.first = n;
    c.xw = x[B.rows + piece.w];
#pragma unroll
    for (int j = 0; j < R; ++j) c.wt[j] = wt[j];
    break;
  }
  return c;
}

/* Adds them; more than one well in a cell is rare. */
template <int R>
__device__ __forceinline__ void spmv_columns_end(const spmv_border &B, const spmv_columns<R> &c, int i, const double *x,
                                                 double *sum, int Q = 1, int gap = 0) {
  if (c.first < 0) return;
#pragma unroll
  for (int j = 0; j < R; ++j) sum[j] += c.wt[j] * c.xw;
  for (int n = c.first + 1; n < c.pieces.y; ++n) {
    const int4 piece = B.piece[n];
    if (i < piece.x || i >= piece.y) continue;
    const int at = spmv_slot(Q, gap, piece, i);
#pragma unroll
    for (int j = 0; j < R; ++j) sum[j] += B.wt[at + j] * x[B.rows + piece.w];
  }
}

/* Alone, after a product that knows no border: rows of wells, then the cells' rows with wells. There is one block in
 * piece_of; a thread has a row of one piece. Where wells share cells (shared [pieces]), the first piece adds for
 * all. most: rows of the longest piece. */
static __global__ void spmv_border_kernel(const __grid_constant__ spmv_border B, const int32_t *shared, int most,
                                          const double *x, double *y) {
  if (spmv_wells(B, x, y)) return;
  const int e = ((int)blockIdx.x - B.blocks) * blockDim.x + threadIdx.x, n = e / most, end = B.piece_of[0].y;
  if (n >= end) return;
  const int4 mine = B.piece[n];
  const int i = mine.x + e % most, others = shared[n];
  if (i >= mine.y) return;
  for (int k = 0; k < n && others; ++k)
    if (i >= B.piece[k].x && i < B.piece[k].y) return;
  double sum = y[i] + B.wt[mine.z + i - mine.x] * x[B.rows + mine.w];
  for (int k = n + 1; k < end && others; ++k)
    if (i >= B.piece[k].x && i < B.piece[k].y) sum += B.wt[B.piece[k].z + i - B.piece[k].x] * x[B.rows + B.piece[k].w];
  y[i] = sum;
}

/* ---- GH --------------------------------------------------------------------------------- */

typedef struct spmv_gh {
  const double *h;
  int64_t ld;
  int ncell, shift[HP_GH_DIAGS]; /* of cells */
  bool exists[HP_GH_DIAGS];      /* a dimension of size 1 has no neighbours */
} spmv_gh;

/* Diagonals whose loads are under way together: about `most` loads of the matrix a thread. */
__host__ __device__ constexpr int spmv_group(int q, int most) { return most / q < 1 ? 1 : most / q > 7 ? 7 : most / q; }

__device__ __forceinline__ bool spmv_has(const spmv_gh &A, int u, int n) {
  return A.exists[u] && (unsigned)n < (unsigned)A.ncell;
}

/* A scalar row a thread. */
template <int Q>
__global__ void __launch_bounds__(512)
    spmv_gh_rows(const __grid_constant__ spmv_gh A, const __grid_constant__ spmv_border B, const double *x, double *y) {
  if (spmv_wells(B, x, y)) return;
  constexpr int G = spmv_group(Q, 28);
  const int block = blockIdx.x - B.blocks, i = block * blockDim.x + threadIdx.x, m = i / Q;
  if (i >= A.ld) return;
  const int2 pieces = spmv_pieces(B, block);
  spmv_columns<1> wells;
  double sum = 0.0;
#pragma unroll
  for (int g = 0; g < HP_GH_DIAGS; g += G) {
    double h[G][Q], v[G][Q];
#pragma unroll
    for (int d = 0; d < G; ++d) {
      const int u = g + d;
      if (u >= HP_GH_DIAGS) continue;
      const int n = m + A.shift[u];
      const bool has = spmv_has(A, u, n);
#pragma unroll
      for (int c = 0; c < Q; ++c) {
        h[d][c] = spmv_load1(A.h + (int64_t)(u * Q + c) * A.ld + i, has);
        v[d][c] = spmv_x1(x + (int64_t)n * Q + c, has);
      }
    }
    if (g == 0) wells = spmv_columns_begin<1>(B, pieces, i, x);
#pragma unroll
    for (int d = 0; d < G; ++d)
#pragma unroll
      for (int c = 0; c < Q; ++c)
        if (g + d < HP_GH_DIAGS) sum += h[d][c] * v[d][c];
  }
  spmv_columns_end<1>(B, wells, i, x, &sum);
  y[i] = sum;
}

/* One unknown: two cells a thread; ld is even. */
template <int LOADS, bool FMA>
__global__ void __launch_bounds__(512)
    spmv_gh_cells(const __grid_constant__ spmv_gh A, const __grid_constant__ spmv_border B, const double *x,
                  double *y) {
  if (spmv_wells(B, x, y)) return;
  const int block = blockIdx.x - B.blocks, i = 2 * (block * blockDim.x + threadIdx.x);
  if (i >= A.ld) return;
  const int2 pieces = spmv_pieces(B, block);
  double2 h[HP_GH_DIAGS];
  double v[HP_GH_DIAGS][2], sum[2] = {0.0, 0.0};
#pragma unroll
  for (int u = 0; u < HP_GH_DIAGS; ++u) {
    const int n = i + A.shift[u];
    h[u] = spmv_load2<LOADS>(A.h + u * A.ld + i, A.exists[u]);
    v[u][0] = spmv_x1(x + n, spmv_has(A, u, n));
    v[u][1] = spmv_x1(x + n + 1, spmv_has(A, u, n + 1));
  }
  const spmv_columns<1> wells = spmv_columns_begin<1>(B, pieces, i, x);
  const spmv_columns<1> more = spmv_columns_begin<1>(B, pieces, i + 1, x);
#pragma unroll
  for (int u = 0; u < HP_GH_DIAGS; ++u) {
    sum[0] = spmv_add<FMA>(sum[0], h[u].x, v[u][0]);
    sum[1] = spmv_add<FMA>(sum[1], h[u].y, v[u][1]);
  }
  spmv_columns_end<1>(B, wells, i, x, sum);
  spmv_columns_end<1>(B, more, i + 1, x, sum + 1);
  *(double2 *)(y + i) = make_double2(sum[0], sum[1]);
}

/* Two rows a thread (even Q; Q = 2: a cell), 16-byte loads. */
template <int Q, int LOADS, bool FMA>
__global__ void __launch_bounds__(512)
    spmv_gh_pairs(const __grid_constant__ spmv_gh A, const __grid_constant__ spmv_border B, const double *x,
                  double *y) {
  if (spmv_wells(B, x, y)) return;
  constexpr int G = spmv_group(Q, 16);
  const int block = blockIdx.x - B.blocks, i = 2 * (block * blockDim.x + threadIdx.x), m = i / Q;
  if (i >= A.ld) return;
  const int2 pieces = spmv_pieces(B, block);
  spmv_columns<2> wells;
  double sum[2] = {0.0, 0.0};
#pragma unroll
  for (int g = 0; g < HP_GH_DIAGS; g += G) {
    double2 h[G][Q], v[G][Q / 2];
#pragma unroll
    for (int d = 0; d < G; ++d) {
      const int u = g + d;
      if (u >= HP_GH_DIAGS) continue;
      const int n = m + A.shift[u];
      const bool has = spmv_has(A, u, n);
      const double *column = A.h + (int64_t)u * Q * A.ld + i;
#pragma unroll
      for (int c = 0; c < Q; ++c) h[d][c] = spmv_load2<LOADS>(column + c * A.ld, has);
#pragma unroll
      for (int c = 0; c < Q / 2; ++c) v[d][c] = spmv_x2(x + (int64_t)n * Q + 2 * c, has);
    }
    if (g == 0) wells = spmv_columns_begin<2>(B, pieces, i, x);
#pragma unroll
    for (int d = 0; d < G; ++d)
#pragma unroll
      for (int c = 0; c < Q / 2; ++c)
        if (g + d < HP_GH_DIAGS) {
          sum[0] = spmv_add<FMA>(sum[0], h[d][2 * c].x, v[d][c].x);
          sum[1] = spmv_add<FMA>(sum[1], h[d][2 * c].y, v[d][c].x);
          sum[0] = spmv_add<FMA>(sum[0], h[d][2 * c + 1].x, v[d][c].y);
          sum[1] = spmv_add<FMA>(sum[1], h[d][2 * c + 1].y, v[d][c].y);
        }
  }
  spmv_columns_end<2>(B, wells, i, x, sum);
  *(double2 *)(y + i) = make_double2(sum[0], sum[1]);
}

/* The same with x from shared memory: the block fetches the five ranges of x that its cells multiply (the cells
 * themselves with a neighbour at each end, and the ranges of u = -3, -2, 2, 3), 16 bytes a thread, while its first
 * loads of the matrix are under way. Al-Mouhamed & Khan 2017, section 6.1, Fig. 6. */
template <int Q>
__global__ void __launch_bounds__(512)
    spmv_gh_shared(const __grid_constant__ spmv_gh A, const __grid_constant__ spmv_border B, const double *x,
                   double *y) {
  extern __shared__ double2 staged[]; /* middle [blockDim + Q], then u = -3, -2, 2, 3 [blockDim] each */
  if (spmv_wells(B, x, y)) return;
  constexpr int G = spmv_group(Q, 16);
  const int block = blockIdx.x - B.blocks, i = 2 * (block * blockDim.x + threadIdx.x), m = i / Q;
  const bool mine = i < A.ld;
  const int2 pieces = spmv_pieces(B, block);
  spmv_columns<2> wells;
  double2 h[G][Q];
  double sum[2] = {0.0, 0.0};
#pragma unroll
  for (int g = 0; g < HP_GH_DIAGS; g += G) {
#pragma unroll
    for (int d = 0; d < G; ++d) {
      const int u = g + d;
      if (u >= HP_GH_DIAGS) continue;
      const bool has = mine && spmv_has(A, u, m + A.shift[u]);
      const double *column = A.h + (int64_t)u * Q * A.ld + i;
#pragma unroll
      for (int c = 0; c < Q; ++c) h[d][c] = spmv_load2<SPMV_STREAM>(column + c * A.ld, has);
    }
    if (g == 0) {
      const int side[4] = {0, 1, 5, 6}; /* u = -3, -2, 2, 3 */
#pragma unroll
      for (int s = 0; s < 4; ++s) {
        const int64_t at = i + (int64_t)A.shift[side[s]] * Q;
        staged[(s + 1) * blockDim.x + Q + threadIdx.x] = spmv_x2(x + at, A.exists[side[s]] && at >= 0 && at < A.ld);
      }
      for (int e = threadIdx.x; e < (int)blockDim.x + Q; e += blockDim.x) {
        const int64_t at = 2 * ((int64_t)block * blockDim.x + e) - Q;
        staged[e] = spmv_x2(x + at, at >= 0 && at < A.ld);
      }
      wells = spmv_columns_begin<2>(B, pieces, i, x);
      __syncthreads();
    }
#pragma unroll
    for (int d = 0; d < G; ++d) {
      const int u = g + d;
      if (u >= HP_GH_DIAGS) continue;
      /* place of the neighbour's unknowns; threadIdx.x - threadIdx.x % (Q/2) is the cell's first pair */
      const int cell = threadIdx.x - threadIdx.x % (Q / 2);
      const int at = u == 2   ? cell
                     : u == 3 ? cell + Q / 2
                     : u == 4 ? cell + Q
                              : (u < 2 ? u + 1 : u - 2) * (int)blockDim.x + Q + cell;
      const bool has = A.exists[u];
#pragma unroll
      for (int c = 0; c < Q / 2; ++c) {
        const double2 v = has ? staged[at + c] : make_double2(0.0, 0.0);
        sum[0] += h[d][2 * c].x * v.x;
        sum[1] += h[d][2 * c].y * v.x;
        sum[0] += h[d][2 * c + 1].x * v.y;
        sum[1] += h[d][2 * c + 1].y * v.y;
      }
    }
  }
  if (!mine) return;
  spmv_columns_end<2>(B, wells, i, x, sum);
  *(double2 *)(y + i) = make_double2(sum[0], sum[1]);
}

/* ---- GH-h ---------------------------------------------------------------------------------- */

typedef struct spmv_half {
  const double *h[2];
  int64_t ld[2];
  int ncell, blocks[2], shift[HP_GH_DIAGS]; /* blocks: of the even and the odd cells' rows */
  int first[2][HP_GH_DIAGS], width[2][HP_GH_DIAGS];
} spmv_half;

/* The even cells' rows (ODD = 0: Q a cell, two a thread) or the odd cells' (Q/2 a cell, two a thread where that is
 * even). Pieces count the rows of the even cells, then
 * those of the odd cells; the values of a cell of the other kind stand between two of theirs. */
template <int Q, int ODD>
__device__ __forceinline__ void spmv_half_part(const spmv_half &A, const spmv_border &B, int block, const double *x,
                                               double *y) {
  constexpr int QR = ODD ? Q / 2 : Q, R = QR % 2 == 0 ? 2 : 1, G = spmv_group(Q, 16);
  const int part = block - (ODD ? A.blocks[0] : 0);
  const int i = R * (part * blockDim.x + threadIdx.x), p = i / QR, m = 2 * p + ODD;
  if (i >= A.ld[ODD]) return;
  const int2 pieces = spmv_pieces(B, block);
  const int at = i + (ODD ? (int)A.ld[0] : 0); /* as the pieces count rows */
  spmv_columns<R> wells;
  double sum[2] = {0.0, 0.0};
#pragma unroll
  for (int g = 0; g < HP_GH_DIAGS; g += G) {
    double2 h[G][Q];
    double v[G][Q];
#pragma unroll
    for (int d = 0; d < G; ++d) {
      const int u = g + d;
      if (u >= HP_GH_DIAGS) continue;
      const int n = m + A.shift[u], width = (unsigned)n < (unsigned)A.ncell ? A.width[ODD][u] : 0;
      const double *column = A.h[ODD] + A.first[ODD][u] * A.ld[ODD] + i;
      const double *xn = x + (int64_t)(n >> 1) * (Q + Q / 2) + (n & 1) * Q;
#pragma unroll
      for (int c = 0; c < Q; ++c) {
        if (R == 2)
          h[d][c] = spmv_load2<SPMV_STREAM>(column + c * A.ld[ODD], c < width);
        else
          h[d][c].x = spmv_load1(column + c * A.ld[ODD], c < width);
        v[d][c] = spmv_x1(xn + c, c < width);
      }
    }
    if (g == 0) wells = spmv_columns_begin<R>(B, pieces, at, x, QR, Q + Q / 2 - QR);
#pragma unroll
    for (int d = 0; d < G; ++d)
#pragma unroll
      for (int c = 0; c < Q; ++c)
        if (g + d < HP_GH_DIAGS) {
          sum[0] += h[d][c].x * v[d][c];
          if (R == 2) sum[1] += h[d][c].y * v[d][c];
        }
  }
  spmv_columns_end<R>(B, wells, at, x, sum, QR, Q + Q / 2 - QR);
  double *to = y + (int64_t)p * (Q + Q / 2) + ODD * Q + (i - p * QR);
  to[0] = sum[0];
  if (R == 2) to[1] = sum[1];
}

/* Blocks of the even cells and those of the odd cells between them take turns, so that x is read and y is
 * written once: one each, or two and one where two odd cells' rows are as many as those of one even cell. */
__host__ __device__ constexpr int spmv_half_step(int q) { return q % 4 == 0 ? 3 : 2; }

template <int Q>
__global__ void __launch_bounds__(512)
    spmv_half_kernel(const __grid_constant__ spmv_half A, const __grid_constant__ spmv_border B, const double *x,
                     double *y) {
  if (spmv_wells(B, x, y)) return;
  constexpr int STEP = spmv_half_step(Q);
  const int group = ((int)blockIdx.x - B.blocks) / STEP, r = ((int)blockIdx.x - B.blocks) % STEP;
  const int even = group * (STEP - 1) + r;
  if (r == STEP - 1) {
    if (group < A.blocks[1]) spmv_half_part<Q, 1>(A, B, A.blocks[0] + group, x, y);
  } else if (even < A.blocks[0]) {
    spmv_half_part<Q, 0>(A, B, even, x, y);
  }
}

/* ---- formats stored by columns: a row a thread ------------------------------------------------ */

typedef struct spmv_columns_of {
  const double *value;
  const int32_t *column, *rest_begin, *rest_row, *rest_column;
  const double *rest_value;
  int64_t rows;
  int width, q, ncell, rest, nwell;
  int offset[HP_GH_DIAGS * (2 * HP_GH_Q_MAX - 1)]; /* dia, sg-dia */
} spmv_columns_of;

static __global__ void __launch_bounds__(256)
    spmv_dia(const __grid_constant__ spmv_columns_of F, const __grid_constant__ spmv_border B, const double *x,
             double *y) {
  if (spmv_wells(B, x, y)) return;
  const int block = blockIdx.x - B.blocks, i = block * blockDim.x + threadIdx.x, ld = (int)F.rows;
  if (i >= ld) return;
  const spmv_columns<1> wells = spmv_columns_begin<1>(B, spmv_pieces(B, block), i, x);
  double sum = 0.0;
#pragma unroll 8
  for (int d = 0; d < F.width; ++d) {
    const int j = i + F.offset[d];
    const bool has = (unsigned)j < (unsigned)ld;
    sum += spmv_load1(F.value + d * F.rows + i, has) * spmv_x1(x + j, has);
  }
  spmv_columns_end<1>(B, wells, i, x, &sum);
  y[i] = sum;
}

/* Algorithm 1 of Lowell et al. 2013; x through the read-only cache in place of the texture. */
static __global__ void __launch_bounds__(256)
    spmv_sgdia(const __grid_constant__ spmv_columns_of F, const __grid_constant__ spmv_border B,
               const double *__restrict__ x, double *__restrict__ y) {
  if (spmv_wells(B, x, y)) return;
  const int block = blockIdx.x - B.blocks, i = block * blockDim.x + threadIdx.x, m = i / F.q;
  if (i >= F.rows) return;
  double sum = 0.0;
  for (int d = 0; d < F.width; ++d) {
    const int n = m + F.offset[d];
    if ((unsigned)n >= (unsigned)F.ncell) continue;
    const double *value = F.value + (int64_t)d * F.q * F.rows + i;
#pragma unroll 4
    for (int c = 0; c < F.q; ++c) sum += spmv_load1(value + c * F.rows, true) * __ldg(x + (int64_t)n * F.q + c);
  }
  const spmv_columns<1> wells = spmv_columns_begin<1>(B, spmv_pieces(B, block), i, x);
  spmv_columns_end<1>(B, wells, i, x, &sum);
  y[i] = sum;
}

__device__ __forceinline__ double spmv_ell_row(const spmv_columns_of &F, int i, const double *x) {
  double sum = 0.0;
#pragma unroll 8
  for (int w = 0; w < F.width; ++w) {
    const int64_t p = w * F.rows + i;
    sum += spmv_load1(F.value + p, true) * x[spmv_load_index(F.column + p)];
  }
  return sum;
}

/* ell: cells only, with GH's border. */
static __global__ void __launch_bounds__(256)
    spmv_ell(const __grid_constant__ spmv_columns_of F, const __grid_constant__ spmv_border B, const double *x,
             double *y) {
  if (spmv_wells(B, x, y)) return;
  const int block = blockIdx.x - B.blocks, i = block * blockDim.x + threadIdx.x;
  if (i >= F.rows) return;
  const spmv_columns<1> wells = spmv_columns_begin<1>(B, spmv_pieces(B, block), i, x);
  double sum = spmv_ell_row(F, i, x);
  spmv_columns_end<1>(B, wells, i, x, &sum);
  y[i] = sum;
}

/* hyb, first of two kernels: all rows up to the width. */
static __global__ void __launch_bounds__(256)
    spmv_hyb(const __grid_constant__ spmv_columns_of F, const double *x, double *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < F.rows) y[i] = spmv_ell_row(F, i, x);
}

/* hyb, second: a triple a thread; a warp adds up the triples of a row and one atomic addition a row and warp
 * goes to y (Bell & Garland 2009). Rows with one triple have one order of summation, longer ones have none. */
static __global__ void __launch_bounds__(256)
    spmv_hyb_rest(const __grid_constant__ spmv_columns_of F, const double *x, double *y) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  const int row = e < F.rest ? F.rest_row[e] : -1;
  double v = e < F.rest ? F.rest_value[e] * x[F.rest_column[e]] : 0.0;
#pragma unroll
  for (int apart = 1; apart < 32; apart <<= 1) {
    const double other = __shfl_up_sync(0xffffffffu, v, apart);
    const int other_row = __shfl_up_sync(0xffffffffu, row, apart);
    if (lane >= apart && other_row == row) v += other;
  }
  const int next = __shfl_down_sync(0xffffffffu, row, 1);
  if (row >= 0 && (lane == 31 || next != row)) atomicAdd(y + row, v);
}

/* hec: a cell's row a thread, both parts; a well's row a warp, in the first blocks. */
static __global__ void __launch_bounds__(256)
    spmv_hec(const __grid_constant__ spmv_columns_of F, int well_blocks, const double *x, double *y) {
  const int cells = (int)F.rows - F.nwell, lane = threadIdx.x & 31;
  if ((int)blockIdx.x < well_blocks) {
    const int w = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5), i = cells + w;
    if (w >= F.nwell) return;
    double sum = 0.0;
    for (int k = lane; k < F.width; k += 32) sum += F.value[k * F.rows + i] * x[F.column[k * F.rows + i]];
#pragma unroll 4
    for (int p = F.rest_begin[i] + lane; p < F.rest_begin[i + 1]; p += 32) sum += F.rest_value[p] * x[F.rest_column[p]];
#pragma unroll
    for (int apart = 16; apart > 0; apart >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, apart);
    if (lane == 0) y[i] = sum;
    return;
  }
  const int i = (blockIdx.x - well_blocks) * blockDim.x + threadIdx.x;
  if (i >= cells) return;
  const int begin = F.rest_begin[i], end = F.rest_begin[i + 1];
  double sum = spmv_ell_row(F, i, x);
  for (int p = begin; p < end; ++p) sum += F.rest_value[p] * x[F.rest_column[p]];
  y[i] = sum;
}

/* ---- bandwidth ---------------------------------------------------------------------------------- */

static __global__ void __launch_bounds__(512) spmv_copy(const double2 *from, double2 *to, int64_t count) {
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (int64_t)gridDim.x * blockDim.x)
    to[i] = from[i];
}

#endif
