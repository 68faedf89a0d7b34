/* Block DILU in red-black order on a GPU: a cell of one colour a thread. With the bodies of
 * dilu.inl.h, a column a thread, the set-up takes 3767 us instead of 502, an application 242
 * instead of 121 (H100, 60 x 220 x 85 cells, q = 2; docs/developer/gpu.md).
 *
 * The same operations in the same order as linsolve/precond/dilu/dilu.inl.h, and the same
 * bits, with another storage of the packed blocks. The cells of a colour are
 * numbered h = k/2 + H j + H ny i with H = (nz+1)/2 places a column (where nz is odd,
 * some stay empty), and entry (a, c) of block n = 0 .. 6 stands at
 *
 *     pack[ (((odd 7 + n) q + c) nx ny H + h) q + a ]
 *
 * so that neighbouring threads read neighbouring numbers. Blocks: D^-1, u = -3, -2, -1, 1, 2, 3.
 */
#ifndef HP_LINSOLVE_PRECOND_DILU_CUDA_DILU_CUH
#define HP_LINSOLVE_PRECOND_DILU_CUDA_DILU_CUH

/* A place of a colour. */
struct hp_dilu_spot {
  int64_t m; /* cell, -1: no such cell */
  int k;
};

static __device__ __forceinline__ uint32_t hp_dilu_places(const hp_gh *A) {
  return (uint32_t)A->nx * (uint32_t)A->ny * (uint32_t)((A->nz + 1) / 2);
}

static __device__ __forceinline__ hp_dilu_spot hp_dilu_spot_of(const hp_precond *P, const hp_gh *A, uint32_t h, int odd,
                                                               int *i, int *j) {
  const uint32_t half = (uint32_t)(A->nz + 1) / 2;
  const uint32_t column = hp_divide(h, P->by_half), line = hp_divide(column, P->by_ny);
  hp_dilu_spot s;
  *i = (int)line;
  *j = (int)(column - line * (uint32_t)A->ny);
  s.k = 2 * (int)(h - column * half) + ((*i + *j + odd) & 1);
  s.m = s.k < A->nz ? (int64_t)column * A->nz + s.k : -1;
  return s;
}

template <int Q, typename REAL>
static __device__ __forceinline__ void hp_dilu_put_cuda(const hp_precond *P, int q_any, uint32_t places, uint32_t h,
                                                        int odd, int n, const double *block) {
  const int q = Q > 0 ? Q : q_any;
  REAL *to = (REAL *)P->pack;
  for (int c = 0; c < q; ++c)
    for (int a = 0; a < q; ++a)
      to[((int64_t)((odd * HP_DILU_BLOCKS + n) * q + c) * places + h) * q + a] = (REAL)block[c * q + a];
}

/* Factorizes the cell at place h of a colour; the even cells first. */
template <int Q, typename REAL>
static __device__ __forceinline__ bool hp_dilu_cell_cuda(const hp_precond *P, const hp_gh *A, uint32_t h, int odd,
                                                         int64_t *m) {
  enum { Q_MAX = Q > 0 ? Q : HP_GH_Q_MAX };
  const int q = Q > 0 ? Q : A->q;
  const uint32_t places = hp_dilu_places(A);
  double inverse[Q_MAX * Q_MAX], scaled[Q_MAX * Q_MAX];
  int i, j;
  const hp_dilu_spot s = hp_dilu_spot_of(P, A, h, odd, &i, &j);
  *m = s.m;
  if (s.m < 0) return true;
  const hp_dilu_cell c = {s.m, i, j, s.k, true, odd != 0};
  const bool regular = hp_dilu_factor(P, A, q, &c, inverse);
  hp_dilu_put_cuda<Q, REAL>(P, q, places, h, odd, 0, inverse);
#pragma unroll
  for (int n = 1; n < HP_DILU_BLOCKS; ++n) {
    hp_dilu_scaled(P, A, q, &c, hp_dilu_diagonal_of(true, n), inverse, scaled);
    hp_dilu_put_cuda<Q, REAL>(P, q, places, h, odd, n, scaled);
  }
  return regular;
}

/* The places of a colour that a thread has: of its GPU's, every `step`-th. */
struct hp_dilu_turn {
  uint32_t first, end, step;
};

static __device__ __forceinline__ hp_dilu_turn hp_dilu_turn_of(const hp_team *t, const hp_gh *A) {
  const hp_team_share part = hp_team_share_free(t, (int64_t)hp_dilu_places(A));
  return {(uint32_t)(part.begin + part.rank), (uint32_t)part.end, (uint32_t)part.size};
}

template <int Q, typename REAL>
static __device__ __noinline__ int64_t hp_dilu_colour_setup_cuda(hp_dilu_turn turn, const hp_precond *P, const hp_gh *A,
                                                                 int odd) {
  int64_t bad = -1, m;
  for (uint32_t h = turn.first; h < turn.end; h += turn.step)
    if (!hp_dilu_cell_cuda<Q, REAL>(P, A, h, odd, &m) && (bad < 0 || m < bad)) bad = m;
  return bad;
}

template <int Q>
static __device__ __forceinline__ int64_t hp_dilu_setup_q_cuda(hp_team *t, const hp_precond *P, const hp_gh *A) {
  const hp_dilu_turn turn = hp_dilu_turn_of(t, A);
  int64_t bad = -1;
  for (int odd = 0; odd < 2; ++odd) {
    const int64_t here = P->precision == HP_PRECISION_SINGLE ? hp_dilu_colour_setup_cuda<Q, float>(turn, P, A, odd)
                                                             : hp_dilu_colour_setup_cuda<Q, double>(turn, P, A, odd);
    if (here >= 0 && (bad < 0 || here < bad)) bad = here;
    if (odd == 0) hp_team_sync(t);
  }
  return bad;
}

static __device__ __forceinline__ int64_t hp_dilu_setup_cuda(hp_team *t, const hp_precond *P, const hp_gh *A) {
  return A->q == 2 ? hp_dilu_setup_q_cuda<2>(t, P, A) : hp_dilu_setup_q_cuda<0>(t, P, A);
}

/* ---- application ---- */

static __device__ __forceinline__ double2 hp_dilu_pair_cuda(const float *p) {
  float2 v;
  asm("ld.global.nc.L1::no_allocate.v2.f32 {%0, %1}, [%2];" : "=f"(v.x), "=f"(v.y) : "l"(p));
  return make_double2((double)v.x, (double)v.y);
}
static __device__ __forceinline__ double2 hp_dilu_pair_cuda(const double *p) { return hp_load_matrix(p); }

/* One colour for q = 2: neighbours from x (r for the odd cells, z for the even ones). */
template <typename REAL>
static __device__ __forceinline__ void hp_dilu_colour_pairs_cuda(hp_dilu_turn turn, const hp_precond *P, const hp_gh *A,
                                                                 int odd, const double *r, const double *x, double *z) {
  const uint32_t places = hp_dilu_places(A);
  const int64_t slab = (int64_t)A->nz * A->ny * 2, line = (int64_t)A->nz * 2, column = (int64_t)places * 2;
  const REAL *pack = (const REAL *)P->pack + (int64_t)odd * HP_DILU_BLOCKS * 2 * column;
  for (uint32_t h = turn.first; h < turn.end; h += turn.step) {
    int i, j;
    const hp_dilu_spot s = hp_dilu_spot_of(P, A, h, odd, &i, &j);
    if (s.m < 0) continue;
    const int64_t at = s.m * 2;
    const int64_t shift[7] = {0, -slab, -line, -2, 2, line, slab};
    const bool has[7] = {true, i > 0, j > 0, s.k > 0, s.k + 1 < A->nz, j + 1 < A->ny, i + 1 < A->nx};
    double2 f0[7], f1[7], v[7];
#pragma unroll
    for (int n = 0; n < 7; ++n) {
      f0[n] = hp_dilu_pair_cuda(pack + (2 * n) * column + 2 * (int64_t)h);
      f1[n] = hp_dilu_pair_cuda(pack + (2 * n + 1) * column + 2 * (int64_t)h);
      v[n] = n == 0 ? hp_load_pair(r + at) : has[n] ? hp_load_pair(x + at + shift[n]) : make_double2(0.0, 0.0);
    }
    double s0 = f0[0].x * v[0].x + f1[0].x * v[0].y, s1 = f0[0].y * v[0].x + f1[0].y * v[0].y;
#pragma unroll
    for (int n = 1; n < 7; ++n) {
      s0 = (s0 - f0[n].x * v[n].x) - f1[n].x * v[n].y;
      s1 = (s1 - f0[n].y * v[n].x) - f1[n].y * v[n].y;
    }
    hp_store_pair(z + at, make_double2(s0, s1));
  }
}

template <typename REAL>
static __device__ __noinline__ void hp_dilu_colour_rows_cuda(hp_dilu_turn turn, const hp_precond *P, const hp_gh *A,
                                                             int odd, const double *r, const double *x, double *z) {
  const uint32_t places = hp_dilu_places(A);
  const int q = A->q;
  const REAL *pack = (const REAL *)P->pack + (int64_t)odd * HP_DILU_BLOCKS * q * places * q;
  for (uint32_t h = turn.first; h < turn.end; h += turn.step) {
    int i, j;
    const hp_dilu_spot s = hp_dilu_spot_of(P, A, h, odd, &i, &j);
    if (s.m < 0) continue;
    for (int a = 0; a < q; ++a) {
      double sum = 0.0;
      for (int n = 0; n < HP_DILU_BLOCKS; ++n) {
        const int u = n == 0 ? 0 : n <= 3 ? n - 4 : n - 3;
        if (n > 0 && !hp_dilu_has(A, i, j, s.k, u)) continue;
        const double *from = n == 0 ? r + s.m * q : x + (s.m + hp_gh_offset(A, u)) * q;
        for (int c = 0; c < q; ++c) {
          const double f = (double)pack[((int64_t)(n * q + c) * places + h) * q + a];
          sum = n > 0 ? sum - f * from[c] : c > 0 ? sum + f * from[c] : f * from[c];
        }
      }
      z[s.m * q + a] = sum;
    }
  }
}

static __device__ __forceinline__ void hp_dilu_colour_cuda(const hp_team *t, const hp_precond *P, const hp_gh *A,
                                                           int odd, const double *r, const double *x, double *z) {
  const bool single = P->precision == HP_PRECISION_SINGLE;
  const hp_dilu_turn turn = hp_dilu_turn_of(t, A);
  if (A->q == 2 && single) hp_dilu_colour_pairs_cuda<float>(turn, P, A, odd, r, x, z);
  else if (A->q == 2) hp_dilu_colour_pairs_cuda<double>(turn, P, A, odd, r, x, z);
  else if (single) hp_dilu_colour_rows_cuda<float>(turn, P, A, odd, r, x, z);
  else hp_dilu_colour_rows_cuda<double>(turn, P, A, odd, r, x, z);
}

static __device__ __forceinline__ void hp_dilu_apply_cuda(hp_team *t, const hp_precond *P, const hp_gh *A,
                                                          const double *r, double *z) {
#pragma unroll 1
  for (int odd = 1; odd >= 0; --odd) {
    hp_dilu_colour_cuda(t, P, A, odd, r, odd ? r : z, z);
    if (odd) hp_team_sync(t); /* the odd cells' z */
  }
}

#endif
