/* BiCG-Stab on a GPU: hp_bicgstab_iterate for device code, with the operations
 * of linsolve/krylov/bicgstab.inl.h in the same order and so the same bits, its scalars and its tests.
 *
 * Separate code for the GPU: the shared code without what follows needs 57, 169 and 488 us per iteration at 32^3, 64^3
 * and 60 x 220 x 85, this one 12.3, 56.1 and 279.6 (H100, docs/laboratory/tried.md).
 *   - the dot products are fused into the pass that computes their vector;
 *   - the update of x and r and the next p are one pass;
 *   - without a preconditioner s = r - alpha v is not stored: the second product
 *     computes its entries, also those of neighbours, from r and v, which saves a
 *     pass and a barrier. Three barriers per iteration remain, and 15 passes over
 *     vectors instead of 17;
 *   - the owner-local vectors x, w and r0 live in shared memory as far as they fit (core/team/local.h);
 *   - hp_device_shape.unroll sets how many loads of a pass are in flight together.
 */
#ifndef HP_LINSOLVE_KRYLOV_CUDA_BICGSTAB_CUH
#define HP_LINSOLVE_KRYLOV_CUDA_BICGSTAB_CUH

#include "linsolve/krylov/bicgstab.inl.h"

#if defined(__CUDA_ARCH__)

/* s = r - alpha v, entry by entry. */
struct hp_from_difference {
  const double *r, *v;
  double alpha;
  __device__ __forceinline__ double2 pair(int64_t i) const {
    const double2 a = hp_load_pair(r + i), b = hp_load_pair(v + i);
    return make_double2(a.x - alpha * b.x, a.y - alpha * b.y);
  }
  __device__ __forceinline__ double one(int64_t i) const { return r[i] - alpha * v[i]; }
};

/* First product: v = A from, (r0,v), (v,v). */
struct hp_bicgstab_first {
  double *v;
  hp_local r0;
  double2 r;
  double acc[2][2];
  __device__ __forceinline__ void start() { acc[0][0] = acc[0][1] = acc[1][0] = acc[1][1] = 0.0; }
  __device__ __forceinline__ void fetch(int64_t i, int k, bool whole, int count) {
    r = hp_local_get_pair(r0, i, k, whole, count);
  }
  __device__ __forceinline__ void rows(int64_t i, int, bool whole, int count, double2 y) {
    acc[0][0] += r.x * y.x;
    acc[1][0] += y.x * y.x;
    if (count > 1) {
      acc[0][1] += r.y * y.y;
      acc[1][1] += y.y * y.y;
    }
    hp_local_put_pair(hp_local_in_memory(v), i, 0, whole, count, y);
  }
  __device__ __forceinline__ void finish(int slot) { hp_team_warp_sums<2>(slot, acc); }
};

/* Second product: w = A from; (w,s) (w,w) (s,s) (r0,s) (r0,w); the entries of s that the thread owns come from `owned`. */
template <class Owned>
struct hp_bicgstab_second {
  Owned owned;
  hp_local w, r0;
  double2 r, s;
  double acc[5][2];
  __device__ __forceinline__ void start() {
#pragma unroll
    for (int n = 0; n < 5; ++n) acc[n][0] = acc[n][1] = 0.0;
  }
  __device__ __forceinline__ void add(int half, double w, double s, double r) {
    acc[0][half] += w * s;
    acc[1][half] += w * w;
    acc[2][half] += s * s;
    acc[3][half] += r * s;
    acc[4][half] += r * w;
  }
  __device__ __forceinline__ void fetch(int64_t i, int k, bool whole, int count) {
    r = hp_local_get_pair(r0, i, k, whole, count);
    if (whole) {
      s = owned.pair(i);
    } else {
      s.x = owned.one(i);
      s.y = count > 1 ? owned.one(i + 1) : 0.0;
    }
  }
  __device__ __forceinline__ void rows(int64_t i, int k, bool whole, int count, double2 y) {
    add(0, y.x, s.x, r.x);
    if (count > 1) add(1, y.y, s.y, r.y);
    hp_local_put_pair(w, i, k, whole, count, y);
  }
  __device__ __forceinline__ void finish(int slot) { hp_team_warp_sums<5>(slot, acc); }
};

template <int FORM>
static __device__ __forceinline__ void hp_bicgstab_first_pass(const hp_gh *A, hp_pass p, const double *mp, double *v,
                                                              hp_local r0) {
  const hp_from_vector from = {mp};
  hp_bicgstab_first use;
  use.v = v;
  use.r0 = r0;
  hp_gh_product_pass_cuda<FORM>(A, p, NULL, from, use);
}

template <int FORM>
static __device__ __forceinline__ void hp_bicgstab_second_pass(const hp_gh *A, hp_pass p, const double *ms,
                                                               const double *s, hp_local w, hp_local r0) {
  const hp_from_vector from = {ms};
  hp_bicgstab_second<hp_from_vector> use;
  use.owned.x = s;
  use.w = w;
  use.r0 = r0;
  hp_gh_product_pass_cuda<FORM>(A, p, NULL, from, use);
}

template <int FORM>
static __device__ __forceinline__ void hp_bicgstab_second_fly_pass(const hp_gh *A, hp_pass p, const double *r,
                                                                   const double *v, double alpha, hp_local w,
                                                                   hp_local r0) {
  const hp_from_difference from = {r, v, alpha};
  hp_bicgstab_second<hp_from_difference> use;
  use.owned = from;
  use.w = w;
  use.r0 = r0;
  hp_gh_product_pass_cuda<FORM>(A, p, NULL, from, use);
}

/* s = r - alpha v, overwriting r. */
template <int BATCH>
static __device__ __forceinline__ void hp_bicgstab_make_s(const hp_team *t, int64_t n, hp_local r, hp_local v,
                                                          double alpha) {
  hp_local_for_batch<BATCH>(t, n, [&](const auto &i) {
    const hp_num_batch<BATCH> ri = hp_local_get<BATCH>(r, i), vi = hp_local_get<BATCH>(v, i);
    hp_local_put<BATCH>(r, i, ri - alpha * vi);
  });
}

/* Vectors of the update; mp, ms: M^-1 p and M^-1 s. */
struct hp_bicgstab_vectors {
  hp_local x, r, p, v, w, mp, ms;
};

/* x += alpha mp + omega ms, r = s - omega w, then p = r + beta (p - omega v) if go_on. FLY: s = r - alpha v in place
 * of r, mp = p, ms = s. */
template <int BATCH, bool FLY>
static __device__ __forceinline__ void hp_bicgstab_update(const hp_team *t, int64_t n, const hp_bicgstab_vectors &V,
                                                          const hp_bicgstab_state &c, bool go_on) {
  typedef hp_num_batch<BATCH> num;
  const double alpha = c.alpha, omega = c.omega, beta = c.beta;
  hp_local_for_batch<BATCH>(t, n, [&](const auto &i) {
    const num wi = hp_local_get<BATCH>(V.w, i), ri = hp_local_get<BATCH>(V.r, i), vi = hp_local_get<BATCH>(V.v, i);
    const num pi = hp_local_get<BATCH>(V.p, i), xi = hp_local_get<BATCH>(V.x, i), si = FLY ? ri - alpha * vi : ri;
    const num a = FLY ? pi : hp_local_get<BATCH>(V.mp, i), b = FLY ? si : hp_local_get<BATCH>(V.ms, i);
    const num rn = si - omega * wi;
    hp_local_put<BATCH>(V.x, i, xi + (alpha * a + omega * b));
    hp_local_put<BATCH>(V.r, i, rn);
    if (go_on) hp_local_put<BATCH>(V.p, i, rn + beta * (pi - omega * vi));
  });
}

/* FLY: no preconditioner, and s is computed from r and v on the fly. */
template <int FORM, bool FLY, class hp_solve>
static __device__ __forceinline__ hp_krylov_reason hp_bicgstab_iterate_cuda(hp_team *t, const hp_solve *S, hp_run *run,
                                                                            double *r) {
  const hp_gh *A = S->A;
  const int64_t n = A->n;
  double *p = hp_solve_vector(S, 2), *v = hp_solve_vector(S, 3);
  double *zp = hp_solve_vector(S, 5), *zs = hp_solve_vector(S, 6);
  const bool none = FLY || hp_solve_is_none(S);
  hp_local_room room = hp_solve_room(t, S);
  hp_bicgstab_vectors V;
  V.x = hp_local_alloc(S->x, &room);
  V.w = hp_local_alloc(hp_solve_vector(S, 4), &room);
  const hp_local r0 = hp_local_alloc(hp_solve_vector(S, 1), &room);
  V.r = hp_local_in_memory(r);
  V.p = hp_local_in_memory(p);
  V.v = hp_local_in_memory(v);
  V.mp = hp_local_in_memory(none ? p : zp);
  V.ms = hp_local_in_memory(none ? r : zs);
  const hp_pass pass = hp_pass_of(t, A);
  hp_bicgstab_state c = hp_bicgstab_state_of(run->residual);
  hp_krylov_reason reason = HP_KRYLOV_MAX_ITERATIONS;
  hp_local_load(t, n, V.x, S->x);
  HP_LOCAL_FOR(t, i, n) { /* v and omega are zero */
    const HP_NUM ri = HP_GET(V.r, i);
    HP_PUT(V.p, i, ri);
    HP_PUT(r0, i, ri);
  }
  bool second = false;
  while (run->iterations < S->max_iterations) {
    if (second && !FLY) {
      if (S->unroll == 1) hp_bicgstab_make_s<1>(t, n, V.r, V.v, c.alpha);
      else if (S->unroll == 2) hp_bicgstab_make_s<4>(t, n, V.r, V.v, c.alpha);
      else hp_bicgstab_make_s<8>(t, n, V.r, V.v, c.alpha);
    }
    if (!second || !FLY) hp_team_sync(t); /* p, or s; with FLY also r */
    const double *from = second ? r : p;
    if (!none) from = hp_krylov_run_precondition(t, S, run, from, second ? zs : zp);
    run->products += 1;
    if (!second) {
      double sum[2];
      hp_team_reduce_start(t, n, 2);
      hp_bicgstab_first_pass<FORM>(A, pass, from, v, r0);
      hp_team_sum(t, n, 2, sum);
      if (!hp_bicgstab_first_sums(&c, sum, &reason)) break;
      second = true;
      continue;
    }
    double sum[5];
    hp_team_reduce_start(t, n, 5);
    if (FLY) hp_bicgstab_second_fly_pass<FORM>(A, pass, r, v, c.alpha, V.w, r0);
    else hp_bicgstab_second_pass<FORM>(A, pass, from, r, V.w, r0);
    hp_team_sum(t, n, 5, sum);
    run->iterations += 1;
    const bool more = hp_bicgstab_second_sums(&c, sum, run->goal, &reason);
    if (!more && reason == HP_KRYLOV_NOT_FINITE) break;
    hp_krylov_run_record(t, S, run, c.norm);
    const bool go_on = more && run->iterations < S->max_iterations;
    if (S->unroll == 1) hp_bicgstab_update<1, FLY>(t, n, V, c, go_on);
    else if (S->unroll == 2) hp_bicgstab_update<2, FLY>(t, n, V, c, go_on);
    else hp_bicgstab_update<4, FLY>(t, n, V, c, go_on);
    if (!more) break;
    reason = HP_KRYLOV_MAX_ITERATIONS;
    second = false;
  }
  hp_local_store(t, n, V.x, S->x);
  return reason;
}

/* hp_bicgstab with it. */
template <int FORM, bool FLY, class hp_solve>
static __device__ __forceinline__ void hp_bicgstab_cuda(hp_team *t, const hp_solve *S) {
  double *r = hp_solve_vector(S, 0);
  hp_krylov_reason reason;
  hp_run run;
  bool done = hp_krylov_run_start(t, S, &run, r, &reason);
  while (!done) {
    const hp_krylov_reason ended = hp_bicgstab_iterate_cuda<FORM, FLY>(t, S, &run, r);
    done = hp_krylov_run_judge(t, S, &run, ended, false, r, &reason);
  }
  hp_krylov_run_finish(t, S, &run, reason);
}

#else

/* declared for the host pass of the compiler */
template <int FORM, bool FLY, class hp_solve>
static __device__ void hp_bicgstab_cuda(hp_team *t, const hp_solve *S);
#endif

#endif
