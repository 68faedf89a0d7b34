/* Products with a GH matrix on a GPU: the bodies of linsolve/product/spmv.inl.h for
 * device code, with the same order of operations and so the same bits. A product takes
 * 101 us instead of 255 by those bodies (H100, 60 x 220 x 85 cells, q = 2;
 * docs/developer/gpu.md). That of the transposed matrix: transposed.cuh beside it.
 *
 * A thread has the rows 2l and 2l+1 of every 64 in its warp's chunks: for an even
 * q both belong to one cell. The matrix is read once, bypassing the L1 cache, 16 bytes
 * at a time; x stays in the caches. Perforations are listed by chunk (hp_gh_wells), so
 * that a chunk without wells costs one test. One warp computes a well's row. A chunk with
 * connections beyond the diagonals has a mark in that list, HP_GH_CHUNK_LINKED: the same
 * test and the same function, so that matrices without any pay nothing.
 */
#ifndef HP_LINSOLVE_PRODUCT_CUDA_SPMV_CUH
#define HP_LINSOLVE_PRODUCT_CUDA_SPMV_CUH

#include <limits.h>

#include "core/device/cuda/load.cuh"

/* Two numbers of the matrix, 16-byte aligned: constant during a kernel, used once a pass. */
static __device__ __forceinline__ double2 hp_load_matrix(const double *p) {
  return hp_load_once((const double2 *)(const void *)p);
}

static __device__ __forceinline__ double2 hp_load_pair(const double *p) { return *(const double2 *)(const void *)p; }
static __device__ __forceinline__ void hp_store_pair(double *p, double2 v) { *(double2 *)(void *)p = v; }

/* The source of x in a product. Such a class has pair(i), the entries i and i+1 where i is even and the vector 16-byte
 * aligned, and one(i). */
struct hp_from_vector {
  const double *x;
  __device__ __forceinline__ double2 pair(int64_t i) const { return hp_load_pair(x + i); }
  __device__ __forceinline__ double one(int64_t i) const { return x[i]; }
};

/* hp_gh_well_dot by a warp; every lane gets the sum. */
template <class From>
static __device__ __forceinline__ double hp_gh_well_product_cuda(const hp_gh *A, int w, const double *value,
                                                                 const From &from) {
  const hp_gh_wells *W = &A->wells;
  const int q = A->q, lane = threadIdx.x & 31;
  double sum = 0.0;
  int64_t before = 0; /* entries of the runs before */
  for (int r = W->run_begin[w]; r < W->run_begin[w + 1]; ++r) {
    const double *v = value + W->a[r] * q;
    const int64_t first = W->b[r] * q, count = (int64_t)W->c[r] * q;
#pragma unroll 4
    for (int64_t n = (lane - before) & (HP_WELL_LANES - 1); n < count; n += HP_WELL_LANES)
      sum += v[n] * from.one(first + n);
    before += count;
  }
#pragma unroll
  for (int apart = HP_WELL_LANES / 2; apart > 0; apart >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, apart);
  return __shfl_sync(0xffffffffu, sum, 0);
}

static __device__ __noinline__ double hp_gh_well_dot_cuda(const hp_gh *A, int w, const double *value, const double *x) {
  const hp_from_vector from = {x};
  return hp_gh_well_product_cuda(A, w, value, from);
}

/* Cell of row i. */
static __device__ __forceinline__ int hp_gh_cell_of_row(int q, int64_t i) {
  return (int)((q & (q - 1)) == 0 ? i >> (31 - __clz(q)) : i / q);
}

/* The first lane, 0 .. 32, whose number is not below m; numbers ascend with the lanes of the warp. */
static __device__ __forceinline__ int hp_warp_lower_bound(int number, int m) {
  int at = 0;
#pragma unroll
  for (int step = 16; step > 0; step >>= 1)
    if (__shfl_sync(0xffffffffu, number, at + step - 1) < m) at += step;
  return __shfl_sync(0xffffffffu, number, at) < m ? at + 1 : at;
}

/* Adds sign times the connections' part of A x, or A^T x, in unknown a of cell m to *y. */
template <bool TRANSPOSED, class From>
static __device__ __forceinline__ void hp_gh_add_links_cuda(const hp_gh *A, int m, int a, double sign, const From &from,
                                                            double *y) {
  const hp_links *L = &A->links;
  const int q = A->q, row = m >= 0 ? L->row_of[m] : -1;
  if (row < 0) return;
  double sum = 0.0;
  for (int64_t e = L->begin[row], end = L->begin[row + 1]; e < end; ++e) {
    const int64_t first = L->other[e] * q, twin = TRANSPOSED ? L->twin[e] : e;
    for (int b = 0; b < q; ++b)
      sum += *(TRANSPOSED ? hp_gh_link(A, twin, b, a) : hp_gh_link(A, twin, a, b)) * from.one(first + b);
  }
  *y += sign * sum;
}

/* The next perforation of a chunk to be added, and the first row of its cell: INT_MAX if there is none, -1 in a chunk
 * with connections, whose rows all ask for them. */
struct hp_listed {
  int e, row;
};

static __device__ __forceinline__ hp_listed hp_gh_listed_at_cuda(const hp_gh *A, int e, int listed) {
  const hp_listed next = {e, listed >= HP_GH_CHUNK_LINKED ? -1
                             : e < listed                 ? (int)A->wells.chunk_cell[e] * A->q
                                                          : INT_MAX};
  return next;
}

/* The state at the beginning of chunk c. */
static __device__ __forceinline__ hp_listed hp_gh_listed_of_cuda(const hp_gh *A, int c) {
  return hp_gh_listed_at_cuda(A, A->wells.chunk_begin[c] & (HP_GH_CHUNK_LINKED - 1), A->wells.chunk_begin[c + 1]);
}

/* Two rows, and the perforations still to be added. */
struct hp_listed_sum {
  double x, y;
  hp_listed next;
};

/* Adds sign * value x_w of the perforations of chunk c from y.next on, in the cells whose rows lie below `limit`, to the
 * thread's rows i and i+1 (i < 0: none); the list is sorted by cell. The lanes read 32 perforations at a time, and each
 * lane searches them for its cells. Then it adds the connections' part, if the chunk has any. TRANSPOSED: of A^T x.
 * Only rows from y.next.row on need it. */
template <bool TRANSPOSED = false, class From>
static __device__ __noinline__ hp_listed_sum hp_gh_listed_cuda(const hp_gh *A, hp_listed_sum y, int c, int64_t limit,
                                                               int64_t i, const double *value, double sign, From from) {
  const hp_gh_wells *W = &A->wells;
  const int q = A->q, lane = threadIdx.x & 31;
  int listed = W->chunk_begin[c + 1], first = y.next.e;
  const bool linked = listed >= HP_GH_CHUNK_LINKED;
  int cell_of[2] = {-1, -1};
  listed &= HP_GH_CHUNK_LINKED - 1;
  if (i >= 0) {
    cell_of[0] = hp_gh_cell_of_row(q, i);
    cell_of[1] = i + 1 < limit ? hp_gh_cell_of_row(q, i + 1) : -1;
  }
  for (int base = first; base < listed; base += 32) {
    const bool there = base + lane < listed;
    const int cell = there ? (int)W->chunk_cell[base + lane] : INT_MAX;
    const int slot = there ? (int)W->chunk_slot[base + lane] : 0, well = there ? W->chunk_well[base + lane] : 0;
    const double xw = there ? sign * from.one(A->rows + well) : 0.0;
    for (int j = 0; j < 2; ++j) {
      const int m = cell_of[j], row = (int)(i + j - (int64_t)m * q);
      int at = hp_warp_lower_bound(cell, m);
      for (;;) {
        const int place = at & 31;
        const bool found = __shfl_sync(0xffffffffu, cell, place) == m && at < 32 && m >= 0;
        if (!__any_sync(0xffffffffu, found)) break;
        const int s = __shfl_sync(0xffffffffu, slot, place);
        const double x = __shfl_sync(0xffffffffu, xw, place);
        if (found && j == 0) y.x += value[(int64_t)s * q + row] * x;
        if (found && j == 1) y.y += value[(int64_t)s * q + row] * x;
        if (found) at += 1;
      }
    }
    first = base + __popc(__ballot_sync(0xffffffffu, there && ((int64_t)cell + 1) * q <= limit));
    if (__any_sync(0xffffffffu, there && (int64_t)cell * q >= limit)) break;
  }
  y.next = hp_gh_listed_at_cuda(A, first, linked ? HP_GH_CHUNK_LINKED : listed);
  if (!linked) return y;
  hp_gh_add_links_cuda<TRANSPOSED>(A, cell_of[0], (int)(i - (int64_t)cell_of[0] * q), sign, from, &y.x);
  hp_gh_add_links_cuda<TRANSPOSED>(A, cell_of[1], (int)(i + 1 - (int64_t)cell_of[1] * q), sign, from, &y.y);
  return y;
}

/* Whether chunks may have listed perforations: constant where it is known when the kernel is compiled. */
static __device__ __forceinline__ bool hp_gh_may_list_cuda(bool cells) {
#if defined(HP_CONSTANT_N)
  return cells && HP_CONSTANT_LISTED;
#else
  return cells;
#endif
}

/* Rows i, i+1 of H x for q = 2: one cell. Blocks beyond the ends of the matrix are stored zeros. */
template <bool ALL, class From>
static __device__ __forceinline__ double2 hp_gh_cell_pair_cuda(const hp_gh *A, int64_t i, const From &from) {
  const int64_t shift_j = 2 * (int64_t)A->nz, shift_i = shift_j * A->ny, rows = A->rows, ld = A->ld;
  const int64_t shift[7] = {-shift_i, -shift_j, -2, 0, 2, shift_j, shift_i};
  const bool exists[7] = {ALL || A->nx > 1, ALL || A->ny > 1, ALL || A->nz > 1, true,
                          ALL || A->nz > 1, ALL || A->ny > 1, ALL || A->nx > 1};
  double2 h0[7], h1[7], v[7];
#pragma unroll
  for (int u = 0; u < 7; ++u) {
    const int64_t j = i + shift[u];
    h0[u] = h1[u] = v[u] = make_double2(0.0, 0.0);
    if (exists[u]) {
      h0[u] = hp_load_matrix(A->h + 2 * u * ld + i);
      h1[u] = hp_load_matrix(A->h + (2 * u + 1) * ld + i);
      if ((uint64_t)j < (uint64_t)rows) v[u] = from.pair(j);
    }
  }
  double s0 = 0.0, s1 = 0.0;
#pragma unroll
  for (int u = 0; u < 7; ++u) {
    s0 += h0[u].x * v[u].x;
    s1 += h0[u].y * v[u].x;
    s0 += h1[u].x * v[u].y;
    s1 += h1[u].y * v[u].y;
  }
  return make_double2(s0, s1);
}

/* One of a cell's two rows by 8-byte loads. */
template <class From>
static __device__ __forceinline__ double hp_gh_cell_row_cuda(const hp_gh *A, int64_t i, const From &from) {
  const int64_t first = i & ~(int64_t)1, shift_j = 2 * (int64_t)A->nz, shift_i = shift_j * A->ny;
  const int64_t rows = A->rows, ld = A->ld;
  const int64_t shift[7] = {-shift_i, -shift_j, -2, 0, 2, shift_j, shift_i};
  double h0[7], h1[7], v0[7], v1[7], sum = 0.0;
#pragma unroll
  for (int u = 0; u < 7; ++u) {
    const int64_t j = first + shift[u];
    h0[u] = __ldcs(A->h + 2 * u * ld + i);
    h1[u] = __ldcs(A->h + (2 * u + 1) * ld + i);
    v0[u] = v1[u] = 0.0;
    if ((uint64_t)j < (uint64_t)rows) {
      v0[u] = from.one(j);
      v1[u] = from.one(j + 1);
    }
  }
#pragma unroll
  for (int u = 0; u < 7; ++u) {
    sum += h0[u] * v0[u];
    sum += h1[u] * v1[u];
  }
  return sum;
}

/* The same for another even q: both rows in one cell, all aligned. */
template <class From>
static __device__ __forceinline__ double2 hp_gh_even_rows_cuda(const hp_gh *A, int64_t i, const From &from) {
  const int q = A->q;
  const int64_t m = hp_gh_cell_of_row(q, i);
  double s0 = 0.0, s1 = 0.0;
#pragma unroll
  for (int u = -3; u <= 3; ++u) {
    const int64_t n = m + hp_gh_offset(A, u);
    if (n < 0 || n >= A->ncell || (u != 0 && n == m)) continue;
    const double *h = A->h + (int64_t)(u + 3) * q * A->ld + i;
#pragma unroll 4
    for (int c = 0; c < q; c += 2) {
      const double2 h0 = hp_load_matrix(h + c * A->ld), h1 = hp_load_matrix(h + (c + 1) * A->ld);
      const double2 v = from.pair(n * q + c);
      s0 += h0.x * v.x;
      s1 += h0.y * v.x;
      s0 += h1.x * v.y;
      s1 += h1.y * v.y;
    }
  }
  return make_double2(s0, s1);
}

/* Rows i and, if count > 1, i+1 of H x for q = 1: two cells, all loads in flight together. */
template <class From>
static __device__ __forceinline__ double2 hp_gh_scalar_pair_cuda(const hp_gh *A, int64_t i, int count,
                                                                 const From &from) {
  const int64_t nz = A->nz, slab = nz * A->ny, rows = A->rows, ld = A->ld;
  const int64_t shift[7] = {-slab, -nz, -1, 0, 1, nz, slab};
  const bool exists[7] = {A->nx > 1, A->ny > 1, A->nz > 1, true, A->nz > 1, A->ny > 1, A->nx > 1};
  const bool aligned = (ld & 1) == 0 && count > 1;
  double2 h[7], v[7];
#pragma unroll
  for (int u = 0; u < 7; ++u) {
    const int64_t j = i + shift[u];
    h[u] = v[u] = make_double2(0.0, 0.0);
    if (!exists[u]) continue;
    if (aligned) {
      h[u] = hp_load_matrix(A->h + u * ld + i);
    } else {
      h[u].x = A->h[u * ld + i];
      if (count > 1) h[u].y = A->h[u * ld + i + 1];
    }
    if ((uint64_t)j < (uint64_t)rows) v[u].x = from.one(j);
    if (count > 1 && (uint64_t)(j + 1) < (uint64_t)rows) v[u].y = from.one(j + 1);
  }
  double s0 = 0.0, s1 = 0.0;
#pragma unroll
  for (int u = 0; u < 7; ++u) {
    s0 += h[u].x * v[u].x;
    s1 += h[u].y * v[u].y;
  }
  return make_double2(s0, s1);
}

/* One row for any q. */
template <class From>
static __device__ __forceinline__ double hp_gh_one_row_cuda(const hp_gh *A, const hp_gh_stencil *s, int64_t i,
                                                            const From &from) {
  const int q = A->q;
  const int64_t m = i / q;
  double sum = 0.0;
  HP_UNROLL_CONSTANT
  for (int d = 0; d < s->count; ++d) {
    const int64_t n = m + s->shift[d];
    if (n < 0 || n >= A->ncell) continue;
    const double *h = A->h + (int64_t)(s->u[d] + 3) * q * A->ld + i;
    HP_UNROLL_CONSTANT
    for (int c = 0; c < q; ++c) sum += h[c * A->ld] * from.one(n * q + c);
  }
  return sum;
}

static __device__ __forceinline__ int hp_gh_form(const hp_gh *A) {
  return A->q == 2 && A->nx > 1 && A->ny > 1 && A->nz > 1 ? HP_GH_TWO_3D : HP_GH_ANY;
}

/* Rows i and, if count > 1, i+1 of H x. */
template <int FORM, class From>
static __device__ __forceinline__ double2 hp_gh_two_rows_cuda(const hp_gh *A, int64_t i, int count, const From &from) {
  if (FORM == HP_GH_TWO_3D) return hp_gh_cell_pair_cuda<true>(A, i, from);
  if (FORM == HP_GH_TWO_3D_ROWS)
    return make_double2(hp_gh_cell_row_cuda(A, i, from), hp_gh_cell_row_cuda(A, i + 1, from));
  if (A->q == 2) return hp_gh_cell_pair_cuda<false>(A, i, from);
  if (A->q == 1) return hp_gh_scalar_pair_cuda(A, i, count, from);
  if (A->q % 2 == 0 && A->nx > 1 && A->ny > 1 && A->nz > 1) return hp_gh_even_rows_cuda(A, i, from);
  const hp_gh_stencil s = hp_gh_stencil_of(A);
  return make_double2(hp_gh_one_row_cuda(A, &s, i, from), count > 1 ? hp_gh_one_row_cuda(A, &s, i + 1, from) : 0.0);
}

/* Rows of a form as products have them. A further form is a specialization. LAST: b - A x is taken from b after the wells' columns are
 * added, as a CPU does with formats other than GH (hp_solve_residual). */
template <int FORM>
struct hp_gh_form_rows {
  enum { LAST = false };
  template <class From>
  static __device__ __forceinline__ double2 two(const hp_gh *A, int64_t i, int count, const From &from) {
    return hp_gh_two_rows_cuda<FORM>(A, i, count, from);
  }
};

static __device__ __forceinline__ double2 hp_gh_subtract_cuda(const double *b, double2 y, int64_t i, int count) {
  return make_double2(b[i] - y.x, count > 1 ? b[i + 1] - y.y : y.y);
}

/* Rows of the wells begin .. end-1 (numbers of rows) of one chunk: the lane's two. */
template <class From>
static __device__ __noinline__ double2 hp_gh_well_rows_cuda(const hp_gh *A, int64_t begin, int64_t end,
                                                            const double *value, From from) {
  const int lane = threadIdx.x & 31;
  double2 y = make_double2(0.0, 0.0);
  for (int64_t i = begin; i < end; ++i) {
    const int w = (int)(i - A->rows);
    const double sum = hp_gh_well_product_cuda(A, w, value, from) + A->wells.dd[w] * from.one(i);
    if (lane == (int)(i - begin) / 2 && ((i - begin) & 1) == 0) y.x = sum;
    if (lane == (int)(i - begin) / 2 && ((i - begin) & 1) == 1) y.y = sum;
  }
  return y;
}

/* The part of the team that a pass over rows needs, passed by value so that it stays in registers. */
struct hp_pass {
  int chunk, end, chunk_step, slot, slot_step;
};

/* Computes A from, or b - A from if b is not NULL, for the rows of the warp's chunks. Calls use.rows(i, k, whole, count,
 * y) for every two rows, where k counts the pairs of a thread and `whole` means that there are two, aligned. Calls
 * use.fetch(i, k, whole, count) before it, for loads that should be in flight together. Calls use.start() and
 * use.finish(slot) around each chunk. */
template <int FORM, class From, class Use>
static __device__ __forceinline__ void hp_gh_product_pass_cuda(const hp_gh *A, hp_pass p, const double *b,
                                                               const From &from, Use &use) {
  constexpr bool last = hp_gh_form_rows<FORM>::LAST;
  const int lane = threadIdx.x & 31;
  hp_team t;
  hp_team_split(&t, A->rows, A->n);
  const hp_cut cut = hp_team_cut(&t, A->n);
  const bool even = (A->rows & 1) == 0;
  int k = 0, slot = p.slot;
  for (int c = p.chunk; c < p.end; c += p.chunk_step, slot += p.slot_step) {
    const int64_t begin = hp_cut_begin(&cut, c), end = hp_cut_end(&cut, c);
    const bool cells = c < cut.first;
    hp_listed next = {0, INT_MAX};
    if (hp_gh_may_list_cuda(cells)) next = hp_gh_listed_of_cuda(A, c);
    use.start();
    for (int64_t at = begin; at < end; at += HP_LANES, ++k) {
      const int64_t to = at + HP_LANES < end ? at + HP_LANES : end, i = at + 2 * lane;
      const int count = to - i > 1 ? 2 : 1;
      double2 y = make_double2(0.0, 0.0);
      if (i < to) use.fetch(i, k, cells && even && count == 2, count);
      if (!cells) y = hp_gh_well_rows_cuda(A, at, to, A->wells.w, from);
      else if (i < to) y = hp_gh_form_rows<FORM>::two(A, i, count, from);
      if (b != NULL && !last && i < to) y = hp_gh_subtract_cuda(b, y, i, count);
      if (next.row < to) {
        const hp_listed_sum before = {y.x, y.y, next};
        const hp_listed_sum after = hp_gh_listed_cuda(A, before, c, to, i < to ? i : -2, A->wells.wt,
                                                      b != NULL && !last ? -1.0 : 1.0, from);
        y = make_double2(after.x, after.y);
        next = after.next;
      }
      if (b != NULL && last && i < to) y = hp_gh_subtract_cuda(b, y, i, count);
      if (i < to) use.rows(i, k, cells && even && count == 2, count, y);
    }
    use.finish(slot);
  }
}

static __device__ __forceinline__ void hp_store_rows_cuda(hp_local y, int64_t i, int k, bool whole, int count,
                                                          double2 v) {
  double *to = hp_local_pair(y, i, k);
  if (whole) {
    hp_store_pair(to, v);
  } else {
    to[0] = v.x;
    if (count > 1) to[1] = v.y;
  }
}

struct hp_store_rows {
  hp_local y;
  __device__ __forceinline__ void start() {}
  __device__ __forceinline__ void fetch(int64_t, int, bool, int) {}
  __device__ __forceinline__ void rows(int64_t i, int k, bool whole, int count, double2 v) {
    hp_store_rows_cuda(y, i, k, whole, count, v);
  }
  __device__ __forceinline__ void finish(int) {}
};

/* Not inlined, so that a kernel with several products contains the code once. */
template <int FORM>
static __device__ __noinline__ void hp_gh_product_phase_cuda(const hp_gh *A, const double *b, const double *x,
                                                             hp_local y, hp_pass p) {
  const hp_from_vector from = {x};
  hp_store_rows use = {y};
  hp_gh_product_pass_cuda<FORM>(A, p, b, from, use);
}

static __device__ __forceinline__ hp_pass hp_pass_of(const hp_team *t, const hp_gh *A) {
  hp_team rows;
  hp_team_split(&rows, A->rows, A->n);
  const hp_cut own = hp_team_gpu_share(t, hp_team_cut(&rows, A->n));
  const hp_pass p = {own.from + t->chunk, own.chunks, t->chunk_step, t->slot, t->slot_step};
  return p;
}

/* y = A x, or b - A x if b is not NULL. */
static __device__ __forceinline__ void hp_gh_product_cuda(hp_team *t, const hp_gh *A, const double *b, const double *x,
                                                          double *y) {
  hp_team_split(t, A->rows, A->n);
  if (hp_gh_form(A) == HP_GH_TWO_3D)
    hp_gh_product_phase_cuda<HP_GH_TWO_3D>(A, b, x, hp_local_in_memory(y), hp_pass_of(t, A));
  else hp_gh_product_phase_cuda<HP_GH_ANY>(A, b, x, hp_local_in_memory(y), hp_pass_of(t, A));
}

/* y = A x. The case of two unknowns in three dimensions is inlined, which gives it more registers than a function. */
static __device__ __forceinline__ void hp_gh_product_local_cuda(hp_team *t, const hp_gh *A, const double *x,
                                                                hp_local y) {
  hp_team_split(t, A->rows, A->n);
  if (hp_gh_form(A) == HP_GH_TWO_3D) {
    const hp_from_vector from = {x};
    hp_store_rows use = {y};
    hp_gh_product_pass_cuda<HP_GH_TWO_3D>(A, hp_pass_of(t, A), NULL, from, use);
  } else {
    hp_gh_product_phase_cuda<HP_GH_ANY>(A, NULL, x, y, hp_pass_of(t, A));
  }
}

#endif
