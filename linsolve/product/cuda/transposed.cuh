/* Products with a transposed GH matrix on a GPU, alone or with the matrix's own: the bodies of linsolve/product/spmv.inl.h as
 * linsolve/product/cuda/spmv.cuh has them, with the same bits. A^T x takes 107 us instead of 308 by those bodies (H100,
 * 60 x 220 x 85 cells, q = 2; docs/developer/gpu.md). */
#ifndef HP_LINSOLVE_PRODUCT_CUDA_TRANSPOSED_CUH
#define HP_LINSOLVE_PRODUCT_CUDA_TRANSPOSED_CUH

#include "linsolve/product/cuda/spmv.cuh"

/* Rows i, i+1 of H^T x for q = 2 in three dimensions: the blocks of the cells n - h(u), transposed. */
static __device__ __forceinline__ double2 hp_gh_cell_pair_transposed_cuda(const hp_gh *A, int64_t i, const double *x) {
  const int64_t shift_j = 2 * (int64_t)A->nz, shift_i = shift_j * A->ny, rows = A->rows, ld = A->ld;
  const int64_t shift[7] = {-shift_i, -shift_j, -2, 0, 2, shift_j, shift_i};
  double2 h0[7], h1[7], v[7];
#pragma unroll
  for (int u = 0; u < 7; ++u) {
    const int64_t j = i - shift[u];
    h0[u] = h1[u] = v[u] = make_double2(0.0, 0.0);
    if ((uint64_t)j < (uint64_t)rows) {
      h0[u] = hp_load_matrix(A->h + 2 * u * ld + j);
      h1[u] = hp_load_matrix(A->h + (2 * u + 1) * ld + j);
      v[u] = hp_load_pair(x + j);
    }
  }
  double s0 = 0.0, s1 = 0.0;
#pragma unroll
  for (int u = 0; u < 7; ++u) {
    s0 += h0[u].x * v[u].x;
    s1 += h1[u].x * v[u].x;
    s0 += h0[u].y * v[u].y;
    s1 += h1[u].y * v[u].y;
  }
  return make_double2(s0, s1);
}

/* Rows i and, if count > 1, i+1 of H^T x. */
template <int FORM>
static __device__ __forceinline__ double2 hp_gh_two_rows_transposed_cuda(const hp_gh *A, int64_t i, int count,
                                                                         const double *x) {
  if (FORM == HP_GH_TWO_3D) return hp_gh_cell_pair_transposed_cuda(A, i, x);
  const hp_gh_stencil s = hp_gh_stencil_of(A);
  double2 y = make_double2(hp_gh_transposed_row(A, &s, i / A->q, (int)(i % A->q), x), 0.0);
  if (count > 1) y.y = hp_gh_transposed_row(A, &s, (i + 1) / A->q, (int)((i + 1) % A->q), x);
  return y;
}

/* Computes A^T xt and, if BOTH, A x for the rows of the warp's chunks. With both, a block is read from memory once where
 * its two uses are close in time. use.start(), use.rows(i, k, whole, count, y of A x, y of A^T xt) and use.finish(slot)
 * are as in hp_gh_product_pass_cuda. */
template <int FORM, bool BOTH, class Use>
static __device__ __forceinline__ void hp_gh_transposed_pass_cuda(const hp_gh *A, hp_pass p, const double *x,
                                                                  const double *xt, Use &use) {
  const int lane = threadIdx.x & 31;
  const hp_from_vector from = {x}, from_t = {xt};
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
      double2 y = make_double2(0.0, 0.0), y_t = y;
      if (!cells) {
        y_t = hp_gh_well_rows_cuda(A, at, to, A->wells.wt, from_t);
        if (BOTH) y = hp_gh_well_rows_cuda(A, at, to, A->wells.w, from);
      } else if (i < to) {
        y_t = hp_gh_two_rows_transposed_cuda<FORM>(A, i, count, xt);
        if (BOTH) y = hp_gh_two_rows_cuda<FORM>(A, i, count, from);
      }
      if (next.row < to) {
        hp_listed_sum sum = {y_t.x, y_t.y, next};
        sum = hp_gh_listed_cuda<true>(A, sum, c, to, i < to ? i : -2, A->wells.w, 1.0, from_t);
        y_t = make_double2(sum.x, sum.y);
        if (BOTH) {
          hp_listed_sum other = {y.x, y.y, next};
          other = hp_gh_listed_cuda(A, other, c, to, i < to ? i : -2, A->wells.wt, 1.0, from);
          y = make_double2(other.x, other.y);
        }
        next = sum.next;
      }
      if (i < to) use.rows(i, k, cells && even && count == 2, count, y, y_t);
    }
    use.finish(slot);
  }
}

struct hp_store_rows_transposed {
  hp_local y;
  __device__ __forceinline__ void start() {}
  __device__ __forceinline__ void rows(int64_t i, int k, bool whole, int count, double2, double2 v) {
    hp_store_rows_cuda(y, i, k, whole, count, v);
  }
  __device__ __forceinline__ void finish(int) {}
};

/* Not inlined, so that a kernel with several products contains the code once. */
template <int FORM>
static __device__ __noinline__ void hp_gh_transposed_phase_cuda(const hp_gh *A, const double *x, double *y, hp_pass p) {
  hp_store_rows_transposed use = {hp_local_in_memory(y)};
  hp_gh_transposed_pass_cuda<FORM, false>(A, p, x, x, use);
}

/* y = A^T x */
static __device__ __forceinline__ void hp_gh_transposed_cuda(hp_team *t, const hp_gh *A, const double *x, double *y) {
  hp_team_split(t, A->rows, A->n);
  if (hp_gh_form(A) == HP_GH_TWO_3D) hp_gh_transposed_phase_cuda<HP_GH_TWO_3D>(A, x, y, hp_pass_of(t, A));
  else hp_gh_transposed_phase_cuda<HP_GH_ANY>(A, x, y, hp_pass_of(t, A));
}

/* Stores the rows of hp_gh_both_cuda and adds up its sums. */
struct hp_store_both {
  hp_local y, y_t;
  const double *x_t;
  double acc[3][2];
  __device__ __forceinline__ void start() {
#pragma unroll
    for (int n = 0; n < 3; ++n) acc[n][0] = acc[n][1] = 0.0;
  }
  __device__ __forceinline__ void add(int half, double q, double a) {
    acc[0][half] += q * a;
    acc[1][half] += q * q;
    acc[2][half] += a * a;
  }
  __device__ __forceinline__ void rows(int64_t i, int k, bool whole, int count, double2 v, double2 v_t) {
    add(0, x_t[i], v.x);
    if (count > 1) add(1, x_t[i + 1], v.y);
    hp_store_rows_cuda(y, i, k, whole, count, v);
    hp_store_rows_cuda(y_t, i, k, whole, count, v_t);
  }
  __device__ __forceinline__ void finish(int slot) { hp_team_warp_sums<3>(slot, acc); }
};

/* y = A x and y_t = A^T x_t in one pass; the sums (x_t,y) (x_t,x_t) (y,y) are for hp_team_sum. */
static __device__ __forceinline__ void hp_gh_both_cuda(hp_team *t, const hp_gh *A, const double *x, hp_local y,
                                                       const double *x_t, hp_local y_t) {
  hp_store_both use;
  use.y = y;
  use.y_t = y_t;
  use.x_t = x_t;
  hp_team_split(t, A->rows, A->n);
  hp_team_reduce_start(t, A->n, 3);
  if (hp_gh_form(A) == HP_GH_TWO_3D) hp_gh_transposed_pass_cuda<HP_GH_TWO_3D, true>(A, hp_pass_of(t, A), x, x_t, use);
  else hp_gh_transposed_pass_cuda<HP_GH_ANY, true>(A, hp_pass_of(t, A), x, x_t, use);
}

#endif
