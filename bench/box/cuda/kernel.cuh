/* Rows of a box of 27 points (bench/box/box.h) on a GPU, in place of those of the seven diagonals in products of the form
 * HP_GH_BOX, and the kind of solve that has them: A->h then holds 27 block diagonals, and everything else of A is GH's.
 *
 * A batch of a row's entries is loaded together, then added in the order of points and unknowns: that of the CPU
 * (hp_sparse_sgdia_strip), and its bits. In a kernel compiled for the matrix q is a constant, and a batch has whole points:
 * a line of three, or one where q is large. Then the counting of unknowns below disappears; a loop over all points
 * unrolled would take the compiler minutes.
 */
#ifndef HP_BENCH_BOX_CUDA_KERNEL_CUH
#define HP_BENCH_BOX_CUDA_KERNEL_CUH

#include "linsolve/krylov/cuda/kernel.cuh"

enum { HP_GH_BOX = HP_GH_FORMS, HP_SOLVE_BOX = HP_SOLVE_FORMS };

#if defined(__CUDA_ARCH__)

enum { HP_GH_BOX_POINTS = 27 };
#if defined(HP_CONSTANT_N)
enum { HP_GH_BOX_WHOLE = HP_CONSTANT_Q <= 4 ? 3 : 1, HP_GH_BOX_BATCH = HP_GH_BOX_WHOLE * HP_CONSTANT_Q };
#else
enum { HP_GH_BOX_WHOLE = 0, HP_GH_BOX_BATCH = 9 /* divides the entries of a row, whatever q is */ };
#endif

/* Rows i and, if count > 1, i+1. */
template <class From>
static __device__ __forceinline__ double2 hp_gh_box_rows_cuda(const hp_gh *A, int64_t i, int count, const From &from) {
  const int q = A->q, nz = A->nz, slab = nz * A->ny, ncell = (int)A->ncell;
  const int64_t ld = A->ld;
  const int m = hp_gh_cell_of_row(q, i), next = count > 1 ? hp_gh_cell_of_row(q, i + 1) : m;
  const bool one_cell = q % 2 == 0 || next == m, aligned = (ld & 1) == 0 && count > 1;
  int c = 0, k = 0, j = 0, shift = -slab - nz - 1; /* unknown; place of the point in its line, of that in its layer */
  double s0 = 0.0, s1 = 0.0;
#pragma unroll 1
  for (int e = 0; e < HP_GH_BOX_POINTS * q; e += HP_GH_BOX_BATCH) {
    double2 h[HP_GH_BOX_BATCH], v[HP_GH_BOX_BATCH];
    if (HP_GH_BOX_WHOLE > 0) c = 0; /* as it is, but the compiler sees it */
    if (HP_GH_BOX_WHOLE == 3) k = 0;
#pragma unroll
    for (int n = 0; n < HP_GH_BOX_BATCH; ++n) {
      const double *at = A->h + (e + n) * ld + i;
      const int first = m + shift, second = next + shift;
      h[n] = v[n] = make_double2(0.0, 0.0);
      if (aligned) {
        h[n] = hp_load_matrix(at);
      } else {
        h[n].x = at[0];
        if (count > 1) h[n].y = at[1];
      }
      if ((unsigned)first < (unsigned)ncell) v[n].x = from.one((int64_t)first * q + c);
      if (one_cell) v[n].y = v[n].x;
      else if ((unsigned)second < (unsigned)ncell) v[n].y = from.one((int64_t)second * q + c);
      if (++c < q) continue;
      c = 0;
      shift += 1;
      if (++k < 3) continue;
      k = 0;
      shift += nz - 3;
      if (++j < 3) continue;
      j = 0;
      shift += slab - 3 * nz;
    }
#pragma unroll
    for (int n = 0; n < HP_GH_BOX_BATCH; ++n) {
      s0 += h[n].x * v[n].x;
      s1 += h[n].y * v[n].y;
    }
  }
  return make_double2(s0, s1);
}

template <>
struct hp_gh_form_rows<HP_GH_BOX> {
  enum { LAST = true };
  template <class From>
  static __device__ __forceinline__ double2 two(const hp_gh *A, int64_t i, int count, const From &from) {
    return hp_gh_box_rows_cuda(A, i, count, from);
  }
};

/* y = A x, or b - A x if b is not NULL. */
static __device__ __forceinline__ void hp_gh_box_product_cuda(hp_team *t, const hp_gh *A, const double *b,
                                                              const double *x, hp_local y) {
  hp_team_split(t, A->rows, A->n);
  hp_gh_product_phase_cuda<HP_GH_BOX>(A, b, x, y, hp_pass_of(t, A));
}

#endif

struct hp_box_solve : hp_solve {};

HP_INLINE HP_HD void hp_solve_product_local(hp_team *t, const hp_box_solve *S, const double *x, hp_local y) {
#if defined(__CUDA_ARCH__)
  hp_gh_box_product_cuda(t, S->A, NULL, x, y);
#endif
}

HP_INLINE HP_HD void hp_solve_product(hp_team *t, const hp_box_solve *S, const double *x, double *y) {
  hp_solve_product_local(t, S, x, hp_local_in_memory(y));
}

HP_INLINE HP_HD void hp_solve_residual(hp_team *t, const hp_box_solve *S, double *r) {
#if defined(__CUDA_ARCH__)
  hp_gh_box_product_cuda(t, S->A, S->b, S->x, hp_local_in_memory(r));
#endif
}

struct hp_box_plain : hp_solve_plain {
  typedef hp_box_solve solve;
};

#endif
