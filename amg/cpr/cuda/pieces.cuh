/* The pieces of cpr's application on a GPU (amg/cpr/device.h). A piece lies between two
 * barriers of the solve kernel (amg/cpr/cuda/cpr.cu), and is a separate kernel in the other
 * executions (amg/cpr/cuda/execution.cu):
 *
 *     r_p   the cells' weighted sums, the wells' rows   hp_cpr_restrict_cuda
 *     x_p   the cycle                                   amg/cycle/cuda/program.cuh
 *     s     r - A x_p of the cells                      hp_cpr_residual_cuda
 *     z     M^-1 s + x_p, dilu by colours               hp_dilu_colour_cuda twice, hp_cpr_sum_cuda
 *                         or in bricks                  hp_dilu_bricks_apply_cuda
 */
#ifndef HP_AMG_CPR_CUDA_PIECES_CUH
#define HP_AMG_CPR_CUDA_PIECES_CUH

#include "amg/cpr/cpr.h"
#include "amg/cycle/cuda/program.cuh"
#include "core/team/cuda/team.cuh"
#include "linsolve/krylov/precond.inl.h"
#if defined(__CUDA_ARCH__)
#include "linsolve/precond/dilu/cuda/bricks_apply.cuh"
#endif

enum { HP_CPR_THREADS = 512 }; /* of a block of the solve's kernel: half of those of a cycle by itself */

/* Arguments of the kernels. */
struct hp_cpr_pressure {
  hp_gh_plain A; /* A_p, q = 1: the wells' and connections' places are those of the full matrix, the numbers its own */
  hp_precond second;
  const hp_amg *H;
  hp_cpr_weights kind;
  double *weight;   /* [ncell*q] NULL: all are one */
  uint8_t *kept;    /* [ncell] 0: left out */
  double *rp, *xp;  /* [ncell + nwell], for cycles in double precision */
  double *residual; /* [ncell*q] of dilu by colours; in bricks it stands in z */
  hp_divisor by_nz;
};

/* r_p: the cells' weighted sums, the wells' rows. */
template <class REAL>
static __host__ __device__ __forceinline__ void hp_cpr_restrict_cuda(hp_team *t, const hp_cpr_pressure *C,
                                                                     const hp_gh *A, const double *r, REAL *rp) {
#if defined(__CUDA_ARCH__)
  const int q = A->q;
  const double *weight = C->weight;
  HP_TEAM_FOR(t, m, A->ncell) {
    double sum = 0.0;
    if (q == 2) {
      const double2 v = hp_load_pair(r + 2 * m);
      const double2 w = weight == NULL ? make_double2(1.0, 1.0) : hp_load_pair(weight + 2 * m);
      sum = w.x * v.x + w.y * v.y;
    } else {
      for (int a = 0; a < q; ++a) sum += weight == NULL ? r[m * q + a] : weight[m * q + a] * r[m * q + a];
    }
    rp[m] = (REAL)(C->kept[m] ? sum : 0.0);
  }
  for (int64_t w = t->rank; w < A->wells.nwell; w += t->size) rp[A->ncell + w] = (REAL)r[A->rows + w];
#endif
}

#if defined(__CUDA_ARCH__)

/* residual = r - H_p x_p of cell m, q = 2, without the wells. */
template <class REAL>
static __device__ __forceinline__ double2 hp_cpr_residual_pair_cuda(const hp_gh *A, const double *r, const REAL *xp,
                                                                    int m) {
  const int n = (int)A->ncell, line = A->nz, slab = A->nz * A->ny;
  const int shift[HP_GH_DIAGS] = {-slab, -line, -1, 0, 1, line, slab};
  double2 h[HP_GH_DIAGS], sum = make_double2(0.0, 0.0);
  double x[HP_GH_DIAGS];
#pragma unroll
  for (int u = 0; u < HP_GH_DIAGS; ++u) {
    const int other = m + shift[u];
    const bool has = other >= 0 && other < n;
    h[u] = make_double2(0.0, 0.0);
    x[u] = 0.0;
    if (has) {
      h[u] = hp_load_matrix(A->h + 2 * (u * A->ld + m));
      x[u] = (double)xp[other];
    }
  }
  const double2 v = hp_load_pair(r + 2 * (int64_t)m);
#pragma unroll
  for (int u = 0; u < HP_GH_DIAGS; ++u) {
    sum.x += h[u].x * x[u];
    sum.y += h[u].y * x[u];
  }
  return make_double2(v.x - sum.x, v.y - sum.y);
}

/* Entry a of the same for any q. */
template <class REAL>
static __device__ __forceinline__ double hp_cpr_residual_entry_cuda(const hp_gh *A, const double *r, const REAL *xp,
                                                                    int64_t m, int a) {
  double sum = 0.0;
  for (int u = -3; u <= 3; ++u) {
    const int64_t other = m + hp_gh_offset(A, u);
    if (other >= 0 && other < A->ncell) sum += *hp_gh_entry(A, m, u, a, 0) * (double)xp[other];
  }
  return r[m * A->q + a] - sum;
}

/* The part of the connections beyond the diagonals, in the cells that the thread has. */
template <class REAL>
static __device__ __noinline__ void hp_cpr_residual_links_cuda(const hp_team *t, const hp_gh *A, const REAL *xp,
                                                               double *s) {
  const hp_links *L = &A->links;
  const int q = A->q;
  HP_TEAM_FOR(t, m, A->ncell) {
    const int32_t row = L->row_of[m];
    if (row < 0) continue;
    for (int64_t e = L->begin[row], end = L->begin[row + 1]; e < end; ++e) {
      const double x = (double)xp[L->other[e]];
      for (int a = 0; a < q; ++a) s[m * q + a] -= *hp_gh_link(A, e, a, 0) * x;
    }
  }
}

#endif

/* s = r - A x_p of the cells: the wells need none. */
template <class REAL>
static __host__ __device__ __forceinline__ void hp_cpr_residual_cuda(hp_team *t, const hp_cpr_pressure *C,
                                                                     const hp_gh *A, const double *r, const REAL *xp,
                                                                     double *s) {
#if defined(__CUDA_ARCH__)
  const hp_gh_wells *W = &A->wells;
  const int q = A->q;
  const REAL *xw = xp + A->ncell;
  HP_TEAM_FOR(t, m, A->ncell) {
    if (q == 2) hp_store_pair(s + 2 * m, hp_cpr_residual_pair_cuda(A, r, xp, (int)m));
    else
      for (int a = 0; a < q; ++a) s[m * q + a] = hp_cpr_residual_entry_cuda(A, r, xp, m, a);
    if (W->nrun == 0) continue;
    for (int run = W->d[hp_divide((uint32_t)m, C->by_nz)]; run >= 0; run = W->next[run]) {
      const int64_t n = m - W->b[run];
      if (n < 0 || n >= W->c[run]) continue;
      for (int a = 0; a < q; ++a) s[m * q + a] -= W->wt[(W->a[run] + n) * q + a] * (double)xw[W->of[run]];
    }
  }
  if (hp_gh_is_linked(A)) hp_cpr_residual_links_cuda(t, A, xp, s);
#endif
}

/* z += x_p; for q = 2 the odd cells' z is found in their residual. */
template <class REAL>
static __host__ __device__ __forceinline__ void hp_cpr_sum_cuda(hp_team *t, const hp_cpr_pressure *C, const hp_gh *A,
                                                                const REAL *xp, double *z) {
#if defined(__CUDA_ARCH__)
  const hp_precond *M = &C->second;
  const hp_dilu_turn turn = hp_dilu_turn_of(t, A);
  const int q = A->q;
  const double *s = C->residual;
#pragma unroll
  for (int odd = 0; odd < 2; ++odd)
    for (uint32_t h = turn.first; h < turn.end; h += turn.step) { /* the even cells that the thread has just written */
      int i, j;
      const int64_t m = hp_dilu_spot_of(M, A, h, odd, &i, &j).m;
      if (m < 0) continue;
      if (q == 2) {
        const double2 v = hp_load_pair((odd ? s : z) + 2 * m);
        hp_store_pair(z + 2 * m, make_double2(v.x + (double)xp[m], v.y));
      } else {
        z[m * q] += (double)xp[m];
      }
    }
#endif
}

#endif
