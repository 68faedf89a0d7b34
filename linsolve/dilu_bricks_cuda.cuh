/* Block DILU in bricks on a GPU: a brick (linsolve/dilu_bricks.h) a warp, a line of cells a lane.
 *
 * The same operations in the same order as linsolve/dilu.inl.h, and the same bits. Entry (a, c) of block n = 0 .. 6 of
 * the cell that a lane has at a step stands at
 *
 *     pack[ (((brick steps + step) 7 + n) 32 + lane) q q + c q + a ]
 *
 * so that a warp reads it in one piece, several steps ahead. Blocks: D^-1, then those of k-1, j-1, i-1, k+1, j+1,
 * i+1. Places of a lane that has no cell at a step are never read. For q = 2 what a lane needs of its neighbours' lines comes
 * from their registers.
 */
#ifndef HP_LINSOLVE_DILU_BRICKS_CUDA_CUH
#define HP_LINSOLVE_DILU_BRICKS_CUDA_CUH

#include "linsolve/dilu.inl.h"

/* A lane's line of cells: cell first + c stride at step `delay` + c, c = 0 .. count-1. */
struct hp_brick_line {
  int64_t first, stride, place; /* place: of step 0, block 0, in blocks */
  int count, delay, a, b;
  int at[3]; /* of its first cell: k, j, i */
};

static __device__ __forceinline__ hp_brick_line hp_brick_line_of(const hp_gh *A, const hp_dilu_bricks *B,
                                                                 int64_t brick, int lane) {
  const int n[3] = {A->nz, A->ny, A->nx};
  const int64_t stride[3] = {1, A->nz, (int64_t)A->nz * A->ny};
  hp_brick_line L;
  int64_t rest = brick;
  for (int axis = 0; axis < 3; ++axis) {
    L.at[axis] = (int)(rest % B->count[axis]) * B->size[axis];
    rest /= B->count[axis];
  }
  L.a = lane % B->lanes[0];
  L.b = lane / B->lanes[0];
  L.delay = L.a + L.b;
  const int left = n[B->march] - L.at[B->march];
  L.count = left < B->size[B->march] ? left : B->size[B->march];
  for (int s = 0; s < 2; ++s) {
    L.at[B->side[s]] += s == 0 ? L.a : L.b;
    if (L.at[B->side[s]] >= n[B->side[s]]) L.count = 0;
  }
  L.first = L.at[0] + stride[1] * L.at[1] + stride[2] * L.at[2];
  L.stride = stride[B->march];
  L.place = brick * B->steps * HP_DILU_BLOCKS * HP_BRICK_LANES + lane;
  return L;
}

static __device__ __forceinline__ int64_t hp_brick_place(const hp_brick_line *L, int step, int n) {
  return L->place + (int64_t)(step * HP_DILU_BLOCKS + n) * HP_BRICK_LANES;
}

/* ---- setup ---------------------------------------------------------------------- */

template <int Q, typename REAL>
static __device__ __forceinline__ void hp_brick_put(const hp_precond *P, int q_any, int64_t place, const double *block) {
  const int q = Q > 0 ? Q : q_any;
  REAL *to = (REAL *)P->pack + place * q * q;
  for (int e = 0; e < q * q; ++e) to[e] = (REAL)block[e];
}

/* Factorizes cell m at (k, j, i) = at, whose lower neighbours in the brick are done. */
template <int Q, typename REAL>
static __device__ __forceinline__ bool hp_brick_cell(const hp_precond *P, const hp_gh *A, const hp_brick_line *L,
                                                     int step, int64_t m, const int *at) {
  enum { Q_MAX = Q > 0 ? Q : HP_GH_Q_MAX };
  const int q = Q > 0 ? Q : A->q;
  double block[Q_MAX * Q_MAX], scaled[Q_MAX * Q_MAX], inverse[Q_MAX * Q_MAX];
  hp_block_diagonal(A, q, m, block);
#pragma unroll
  for (int u = -3; u < 0; ++u)
    if (hp_dilu_sees(P, A, at[2], at[1], at[0], u)) hp_dilu_eliminate(P, A, q, m, u, block);
  const bool regular = hp_block_invert(q, block, inverse);
  for (int e = 0; e < q * q; ++e) P->inverse[m * q * q + e] = inverse[e];
  hp_brick_put<Q, REAL>(P, q, hp_brick_place(L, step, 0), inverse);
#pragma unroll
  for (int n = 1; n < HP_DILU_BLOCKS; ++n) {
    const int u = n <= 3 ? -n : n - 3;
    for (int e = 0; e < q * q; ++e) scaled[e] = 0.0;
    if (hp_dilu_sees(P, A, at[2], at[1], at[0], u)) {
      hp_block_load(A, q, m, u, block);
      hp_block_mul(q, inverse, block, scaled);
    }
    hp_brick_put<Q, REAL>(P, q, hp_brick_place(L, step, n), scaled);
  }
  return regular;
}

template <int Q, typename REAL>
static __device__ __noinline__ int64_t hp_dilu_bricks_factorize(const hp_team *t, const hp_precond *P, const hp_gh *A) {
  const hp_dilu_bricks *B = &P->bricks;
  int64_t bad = -1;
  for (int64_t brick = t->rank / HP_BRICK_LANES; brick < hp_dilu_bricks_count(B); brick += t->size / HP_BRICK_LANES) {
    const hp_brick_line L = hp_brick_line_of(A, B, brick, t->rank % HP_BRICK_LANES);
    int at[3] = {L.at[0], L.at[1], L.at[2]};
    for (int step = 0; step < B->steps; ++step) {
      const int c = step - L.delay;
      __syncwarp(); /* the inverse blocks of the step before */
      if (c < 0 || c >= L.count) continue;
      const int64_t m = L.first + c * L.stride;
      if (!hp_brick_cell<Q, REAL>(P, A, &L, step, m, at) && (bad < 0 || m < bad)) bad = m;
      at[B->march] += 1;
    }
  }
  return bad;
}

static __device__ __forceinline__ int64_t hp_dilu_bricks_setup_cuda(hp_team *t, const hp_precond *P, const hp_gh *A) {
  if (P->precision == HP_PRECISION_SINGLE)
    return A->q == 2 ? hp_dilu_bricks_factorize<2, float>(t, P, A) : hp_dilu_bricks_factorize<0, float>(t, P, A);
  return A->q == 2 ? hp_dilu_bricks_factorize<2, double>(t, P, A) : hp_dilu_bricks_factorize<0, double>(t, P, A);
}

/* ---- application, q = 2 ----------------------------------------------------------- */

/* A 2 x 2 block: its columns as pairs. */
struct hp_brick_block {
  double2 c0, c1;
};

/* As it is stored. */
template <typename REAL>
struct hp_brick_stored;

template <>
struct hp_brick_stored<float> {
  float4 v;
  __device__ __forceinline__ void load(const float *p) {
    asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
        : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
        : "l"(p));
  }
  __device__ __forceinline__ hp_brick_block get() const {
    return {make_double2((double)v.x, (double)v.y), make_double2((double)v.z, (double)v.w)};
  }
};

template <>
struct hp_brick_stored<double> {
  double2 c0, c1;
  __device__ __forceinline__ void load(const double *p) {
    c0 = hp_load_matrix(p);
    c1 = hp_load_matrix(p + 2);
  }
  __device__ __forceinline__ hp_brick_block get() const { return {c0, c1}; }
};

/* s - block x, in hp_dilu_pair_subtract's order. */
static __device__ __forceinline__ double2 hp_brick_subtract(double2 s, hp_brick_block f, double2 x) {
  return make_double2((s.x - f.c0.x * x.x) - f.c1.x * x.y, (s.y - f.c0.y * x.x) - f.c1.y * x.y);
}

static __device__ __forceinline__ double2 hp_brick_shift_up(double2 v, int lanes) {
  return make_double2(__shfl_up_sync(~0u, v.x, lanes), __shfl_up_sync(~0u, v.y, lanes));
}
static __device__ __forceinline__ double2 hp_brick_shift_down(double2 v, int lanes) {
  return make_double2(__shfl_down_sync(~0u, v.x, lanes), __shfl_down_sync(~0u, v.y, lanes));
}

/* The neighbours' values along k, j and i: the lane's own last one and those of the lanes beside it. */
struct hp_brick_beside {
  double2 k, j, i;
};

static __device__ __forceinline__ hp_brick_beside hp_brick_beside_of(int march, double2 own, double2 a, double2 b) {
  hp_brick_beside v;
  v.k = march == 0 ? own : a;
  v.j = march == 1 ? own : march == 0 ? a : b;
  v.i = march == 2 ? own : b;
  return v;
}

/* Steps ahead that a lane's numbers are asked for: as registers allow. */
template <typename REAL>
struct hp_brick_ahead {
  enum { STEPS = sizeof(REAL) == sizeof(float) ? 3 : 1 };
};

/* y_m = D^-1 r_m - sum over lower neighbours, to z. */
template <typename REAL>
static __device__ __forceinline__ void hp_brick_forward(const hp_precond *P, const hp_brick_line *L, const double *r,
                                                        double *z) {
  enum { AHEAD = hp_brick_ahead<REAL>::STEPS };
  const hp_dilu_bricks *B = &P->bricks;
  const int steps = B->steps, march = B->march, across = B->lanes[0];
  const REAL *pack = (const REAL *)P->pack;
  hp_brick_stored<REAL> f[AHEAD][4];
  double2 v[AHEAD], y = make_double2(0.0, 0.0);
  auto ask = [&](int step, int slot) {
    const int c = step - L->delay;
    if (c < 0 || c >= L->count) return;
#pragma unroll
    for (int n = 0; n < 4; ++n) f[slot][n].load(pack + hp_brick_place(L, step, n) * 4);
    v[slot] = hp_load_pair(r + 2 * (L->first + c * L->stride));
  };
#pragma unroll
  for (int slot = 0; slot < AHEAD; ++slot) ask(slot, slot);
  for (int base = 0; base < steps; base += AHEAD)
#pragma unroll
    for (int slot = 0; slot < AHEAD; ++slot) {
      const int step = base + slot, c = step - L->delay;
      double2 a = hp_brick_shift_up(y, 1), b = hp_brick_shift_up(y, across);
      if (L->a == 0) a = make_double2(0.0, 0.0);
      if (L->b == 0) b = make_double2(0.0, 0.0);
      if (c >= 0 && c < L->count) {
        const hp_brick_beside x = hp_brick_beside_of(march, y, a, b);
        const hp_brick_block d = f[slot][0].get();
        double2 s = make_double2(d.c0.x * v[slot].x + d.c1.x * v[slot].y, d.c0.y * v[slot].x + d.c1.y * v[slot].y);
        s = hp_brick_subtract(s, f[slot][3].get(), x.i);
        s = hp_brick_subtract(s, f[slot][2].get(), x.j);
        y = hp_brick_subtract(s, f[slot][1].get(), x.k);
        hp_store_pair(z + 2 * (L->first + c * L->stride), y);
      }
      ask(step + AHEAD, slot);
    }
}

/* z_m = y_m - sum over upper neighbours, in place; what is left in z besides has xp's number of the cell added to its
 * pressure. */
template <typename REAL, typename PRESSURE>
static __device__ __forceinline__ void hp_brick_backward(const hp_precond *P, const hp_brick_line *L,
                                                         const PRESSURE *xp, double *z) {
  enum { AHEAD = hp_brick_ahead<REAL>::STEPS };
  const hp_dilu_bricks *B = &P->bricks;
  const int steps = B->steps, march = B->march, across = B->lanes[0];
  const REAL *pack = (const REAL *)P->pack;
  hp_brick_stored<REAL> f[AHEAD][3];
  double2 v[AHEAD], y = make_double2(0.0, 0.0);
  PRESSURE p[AHEAD];
  auto ask = [&](int step, int slot) {
    const int c = step - L->delay;
    if (c < 0 || c >= L->count) return;
#pragma unroll
    for (int n = 0; n < 3; ++n) f[slot][n].load(pack + hp_brick_place(L, step, n + 4) * 4);
    v[slot] = hp_load_pair(z + 2 * (L->first + c * L->stride));
    p[slot] = xp[L->first + c * L->stride];
  };
#pragma unroll
  for (int slot = 0; slot < AHEAD; ++slot) ask(steps - 1 - slot, slot);
  for (int base = steps - 1; base >= 0; base -= AHEAD)
#pragma unroll
    for (int slot = 0; slot < AHEAD; ++slot) {
      const int step = base - slot, c = step - L->delay;
      double2 a = hp_brick_shift_down(y, 1), b = hp_brick_shift_down(y, across);
      if (L->a == B->lanes[0] - 1) a = make_double2(0.0, 0.0);
      if (L->b == B->lanes[1] - 1) b = make_double2(0.0, 0.0);
      if (c >= 0 && c < L->count) {
        const hp_brick_beside x = hp_brick_beside_of(march, y, a, b);
        y = hp_brick_subtract(v[slot], f[slot][2].get(), x.i);
        y = hp_brick_subtract(y, f[slot][1].get(), x.j);
        y = hp_brick_subtract(y, f[slot][0].get(), x.k);
        hp_store_pair(z + 2 * (L->first + c * L->stride), make_double2(y.x + (double)p[slot], y.y));
      }
      ask(step - AHEAD, slot);
    }
}

/* ---- application, any q ------------------------------------------------------------ */

/* Both sweeps through memory; `sum` [q] of the lane. */
template <typename REAL>
static __device__ __forceinline__ void hp_brick_sweep_rows(const hp_precond *P, const hp_gh *A, const hp_brick_line *L,
                                                           bool forward, const double *r, double *z) {
  const int q = A->q;
  const int64_t shift[3] = {1, A->nz, (int64_t)A->nz * A->ny};
  const REAL *pack = (const REAL *)P->pack;
  for (int n = 0; n < P->bricks.steps; ++n) {
    const int step = forward ? n : P->bricks.steps - 1 - n, c = step - L->delay;
    double sum[HP_GH_Q_MAX];
    __syncwarp(); /* z of the step before */
    if (c < 0 || c >= L->count) continue;
    const int64_t m = L->first + c * L->stride;
    int at[3] = {L->at[0], L->at[1], L->at[2]};
    at[P->bricks.march] += c;
    for (int a = 0; a < q; ++a) sum[a] = z[m * q + a];
    if (forward)
      for (int a = 0; a < q; ++a)
        for (int e = 0; e < q; ++e) {
          const double d = (double)pack[hp_brick_place(L, step, 0) * q * q + e * q + a] * r[m * q + e];
          sum[a] = e > 0 ? sum[a] + d : d;
        }
    for (int axis = 2; axis >= 0; --axis) {
      if (!hp_dilu_sees(P, A, at[2], at[1], at[0], forward ? -1 - axis : 1 + axis)) continue;
      const REAL *block = pack + hp_brick_place(L, step, forward ? 1 + axis : 4 + axis) * q * q;
      const double *x = z + (m + (forward ? -shift[axis] : shift[axis])) * q;
      for (int e = 0; e < q; ++e)
        for (int a = 0; a < q; ++a) sum[a] -= (double)block[e * q + a] * x[e];
    }
    for (int a = 0; a < q; ++a) z[m * q + a] = sum[a];
  }
}

template <typename REAL, typename PRESSURE>
static __device__ __noinline__ void hp_brick_rows(const hp_precond *P, const hp_gh *A, const hp_brick_line *L,
                                                  const double *r, const PRESSURE *xp, double *z) {
  hp_brick_sweep_rows<REAL>(P, A, L, true, r, z);
  hp_brick_sweep_rows<REAL>(P, A, L, false, r, z);
  __syncwarp(); /* z has been read */
  for (int c = 0; c < L->count; ++c) z[(L->first + c * L->stride) * A->q] += (double)xp[L->first + c * L->stride];
}

/* ---- application -------------------------------------------------------------------- */

/* z = M^-1 r + (x_p, 0, ..) by cells, in the warp's bricks; r and z [n] differ; without wells, without a barrier. */
template <typename PRESSURE>
static __device__ __forceinline__ void hp_dilu_bricks_apply_cuda(const hp_team *t, const hp_precond *P, const hp_gh *A,
                                                                 const double *r, const PRESSURE *xp, double *z) {
  const hp_dilu_bricks *B = &P->bricks;
  const bool single = P->precision == HP_PRECISION_SINGLE;
  for (int64_t brick = t->rank / HP_BRICK_LANES; brick < hp_dilu_bricks_count(B); brick += t->size / HP_BRICK_LANES) {
    const hp_brick_line L = hp_brick_line_of(A, B, brick, t->rank % HP_BRICK_LANES);
    if (A->q != 2) {
      if (single) hp_brick_rows<float>(P, A, &L, r, xp, z);
      else hp_brick_rows<double>(P, A, &L, r, xp, z);
    } else if (single) {
      hp_brick_forward<float>(P, &L, r, z);
      hp_brick_backward<float>(P, &L, xp, z);
    } else {
      hp_brick_forward<double>(P, &L, r, z);
      hp_brick_backward<double>(P, &L, xp, z);
    }
  }
}

#endif
