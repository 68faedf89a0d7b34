/* Block DILU in bricks on a GPU (linsolve/precond/dilu/cuda/bricks.cuh): forward and backward sweeps. */
#ifndef HP_LINSOLVE_PRECOND_DILU_CUDA_BRICKS_APPLY_CUH
#define HP_LINSOLVE_PRECOND_DILU_CUDA_BRICKS_APPLY_CUH

#include "linsolve/precond/dilu/cuda/bricks_setup.cuh"

/* Stands for an array of pressures that are added to z where there is none. Minus zero changes no number. */
struct hp_brick_no_pressure {
  __device__ __forceinline__ double operator[](int64_t) const { return -0.0; }
};

/* ---- application, q = 2 ---- */

/* A number as it is stored. */
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

static __device__ __forceinline__ double2 hp_brick_shift_down(double2 v, int lanes) {
  return make_double2(__shfl_down_sync(~0u, v.x, lanes), __shfl_down_sync(~0u, v.y, lanes));
}

/* Steps ahead at which a lane's numbers are loaded: as registers allow. */
template <typename REAL>
struct hp_brick_ahead {
  enum { STEPS = sizeof(REAL) == sizeof(float) ? 2 : 1 };
};

/* y_m = D^-1 r_m - sum over lower neighbours, to z. */
template <typename REAL>
static __device__ __forceinline__ void hp_brick_forward(const hp_precond *P, const hp_brick_line *L, const double *r,
                                                        double *z) {
  enum { AHEAD = hp_brick_ahead<REAL>::STEPS };
  const hp_dilu_bricks *B = &P->bricks;
  const int steps = B->steps, march = B->march, across = B->lanes[0], delay = L->delay, count = L->count;
  const int stride = (int)L->stride, start = (int)L->first - delay * stride; /* cell of a step: start + step stride */
  const REAL *pack = (const REAL *)P->pack + L->place * 4;
  const int turn = hp_brick_turn(L);
  hp_brick_stored<REAL> f[AHEAD][4];
  double2 v[AHEAD], y = make_double2(0.0, 0.0);
  auto request = [&](int step, int slot) {
    if ((unsigned)(step - delay) >= (unsigned)count) return;
    const REAL *at = pack + hp_brick_offset(step, turn, L->size);
#pragma unroll
    for (int n = 0; n < 4; ++n) f[slot][n].load(at + n * (HP_BRICK_LANES * 4));
    v[slot] = hp_load_pair(r + 2 * (int64_t)(start + step * stride));
  };
#pragma unroll
  for (int slot = 0; slot < AHEAD; ++slot) request(slot, slot);
  for (int base = 0; base < steps; base += AHEAD)
#pragma unroll
    for (int slot = 0; slot < AHEAD; ++slot) {
      const int step = base + slot;
      double2 a = hp_brick_shift_up(y, 1), b = hp_brick_shift_up(y, across);
      if (L->a == 0) a = make_double2(0.0, 0.0);
      if (L->b == 0) b = make_double2(0.0, 0.0);
      if ((unsigned)(step - delay) < (unsigned)count) {
        const hp_brick_axes<double2> x = hp_brick_axes_of(march, y, a, b);
        const hp_brick_block d = f[slot][0].get();
        double2 s = make_double2(d.c0.x * v[slot].x + d.c1.x * v[slot].y, d.c0.y * v[slot].x + d.c1.y * v[slot].y);
        s = hp_brick_subtract(s, f[slot][3].get(), x.i);
        s = hp_brick_subtract(s, f[slot][2].get(), x.j);
        y = hp_brick_subtract(s, f[slot][1].get(), x.k);
        hp_store_pair(z + 2 * (int64_t)(start + step * stride), y);
      }
      request(step + AHEAD, slot);
    }
}

/* z_m = y_m - sum over upper neighbours, in place; what is left in z besides has xp's number of the cell added to its
 * pressure. */
template <typename REAL, class PRESSURE>
static __device__ __forceinline__ void hp_brick_backward(const hp_precond *P, const hp_brick_line *L, PRESSURE xp,
                                                         double *z) {
  enum { AHEAD = hp_brick_ahead<REAL>::STEPS };
  const hp_dilu_bricks *B = &P->bricks;
  const int steps = B->steps, march = B->march, across = B->lanes[0], delay = L->delay, count = L->count;
  const int stride = (int)L->stride, start = (int)L->first - delay * stride;
  const REAL *pack = (const REAL *)P->pack + L->place * 4;
  const int turn = hp_brick_turn(L);
  hp_brick_stored<REAL> f[AHEAD][3];
  double2 v[AHEAD], y = make_double2(0.0, 0.0);
  decltype(+xp[0]) p[AHEAD];
  auto request = [&](int step, int slot) {
    if ((unsigned)(step - delay) >= (unsigned)count) return;
    const REAL *at = pack + hp_brick_offset(step, turn, L->size);
#pragma unroll
    for (int n = 0; n < 3; ++n) f[slot][n].load(at + (n + 4) * (HP_BRICK_LANES * 4));
    v[slot] = hp_load_pair(z + 2 * (int64_t)(start + step * stride));
    p[slot] = xp[start + step * stride];
  };
#pragma unroll
  for (int slot = 0; slot < AHEAD; ++slot) request(steps - 1 - slot, slot);
  for (int base = steps - 1; base >= 0; base -= AHEAD)
#pragma unroll
    for (int slot = 0; slot < AHEAD; ++slot) {
      const int step = base - slot;
      double2 a = hp_brick_shift_down(y, 1), b = hp_brick_shift_down(y, across);
      if (L->a == B->lanes[0] - 1) a = make_double2(0.0, 0.0);
      if (L->b == B->lanes[1] - 1) b = make_double2(0.0, 0.0);
      if ((unsigned)(step - delay) < (unsigned)count) {
        const hp_brick_axes<double2> x = hp_brick_axes_of(march, y, a, b);
        y = hp_brick_subtract(v[slot], f[slot][2].get(), x.i);
        y = hp_brick_subtract(y, f[slot][1].get(), x.j);
        y = hp_brick_subtract(y, f[slot][0].get(), x.k);
        hp_store_pair(z + 2 * (int64_t)(start + step * stride), make_double2(y.x + (double)p[slot], y.y));
      }
      request(step - AHEAD, slot);
    }
}

/* ---- application, any q ---- */

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

template <typename REAL, class PRESSURE>
static __device__ __noinline__ void hp_dilu_bricks_apply_any(const hp_team *t, const hp_precond *P, const hp_gh *A,
                                                             const double *r, PRESSURE xp, double *z) {
  const hp_dilu_bricks *B = &P->bricks;
  const hp_team_share part = hp_team_share_of(t, hp_dilu_bricks_count(B), A->rows, false);
  for (int64_t brick = part.begin + part.rank / HP_BRICK_LANES; brick < part.end; brick += part.size / HP_BRICK_LANES) {
    const hp_brick_line L = hp_brick_line_of(A, B, brick, t->rank % HP_BRICK_LANES);
    hp_brick_sweep_rows<REAL>(P, A, &L, true, r, z);
    hp_brick_sweep_rows<REAL>(P, A, &L, false, r, z);
    __syncwarp(); /* z has been read */
    for (int c = 0; c < L.count; ++c) z[(L.first + c * L.stride) * A->q] += (double)xp[L.first + c * L.stride];
  }
}

/* ---- application ---- */

/* One function per precision: a common one would need more registers. */
template <typename REAL, class PRESSURE>
static __device__ __noinline__ void hp_dilu_bricks_apply_pairs(const hp_team *t, const hp_precond *P, const hp_gh *A,
                                                               const double *r, PRESSURE xp, double *z) {
  const hp_dilu_bricks *B = &P->bricks;
  const hp_team_share part = hp_team_share_of(t, hp_dilu_bricks_count(B), A->rows, false);
  for (int64_t brick = part.begin + part.rank / HP_BRICK_LANES; brick < part.end; brick += part.size / HP_BRICK_LANES) {
    const hp_brick_line L = hp_brick_line_of(A, B, brick, t->rank % HP_BRICK_LANES);
    hp_brick_forward<REAL>(P, &L, r, z);
    hp_brick_backward<REAL>(P, &L, xp, z);
  }
}

/* z = M^-1 r + (x_p, 0, ..) by cells, in the warp's bricks; xp: const float *, const double * or hp_brick_no_pressure; r and
 * z [n] may be the same; without wells, without a barrier. */
template <class PRESSURE>
static __device__ __forceinline__ void hp_dilu_bricks_apply_cuda(const hp_team *t, const hp_precond *P, const hp_gh *A,
                                                                 const double *r, PRESSURE xp, double *z) {
  const bool single = P->precision == HP_PRECISION_SINGLE;
  if (A->q == 2 && single) hp_dilu_bricks_apply_pairs<float>(t, P, A, r, xp, z);
  else if (A->q == 2) hp_dilu_bricks_apply_pairs<double>(t, P, A, r, xp, z);
  else if (single) hp_dilu_bricks_apply_any<float>(t, P, A, r, xp, z);
  else hp_dilu_bricks_apply_any<double>(t, P, A, r, xp, z);
}

#endif
