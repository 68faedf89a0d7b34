/* BiCG-Stab with reordered synchronization has the passes of linsolve/krylov/cuda/bicgstab.cuh but for x, which is
 * updated between the halves of the next iteration's first sums. What that reads is kept meanwhile: M^-1 p and, without
 * a preconditioner, s; where s is made on the fly (FLY) p, r and v. These vectors swap places with others that are
 * free. QMR is the program of the CPU. */
#include "bench/krylov/cuda/kernels.cuh"
#include "bench/krylov/reordered.inl.h"
#include "linsolve/krylov/cuda/kernel.cuh"

#if defined(__CUDA_ARCH__)

/* x += alpha mp + omega s, FLY: s - alpha v in place of s; still to be done if `pending`. */
struct hp_late_update {
  bool pending;
  double alpha, omega;
  const double *mp, *s, *v;
};

template <int BATCH, bool FLY>
static __device__ __forceinline__ void late_pass(const hp_team *t, int64_t n, hp_local x, const hp_late_update &u) {
  typedef hp_num_batch<BATCH> num;
  const hp_local mp = hp_local_to_read(u.mp), s = hp_local_to_read(u.s), v = hp_local_to_read(FLY ? u.v : u.s);
  const double alpha = u.alpha, omega = u.omega;
  hp_local_for_batch<BATCH>(t, n, [&](const auto &i) {
    const num xi = hp_local_get<BATCH>(x, i), a = hp_local_get<BATCH>(mp, i), si = hp_local_get<BATCH>(s, i);
    const num b = FLY ? si - alpha * hp_local_get<BATCH>(v, i) : si;
    hp_local_put<BATCH>(x, i, xi + (alpha * a + omega * b));
  });
}

template <bool FLY>
static __device__ __forceinline__ void finish_late(const hp_team *t, const hp_solve *S, hp_local x, hp_late_update *u) {
  const int64_t n = S->A->n;
  if (!u->pending) return;
  if (S->unroll == 1) late_pass<1, FLY>(t, n, x, *u);
  else if (S->unroll == 2) late_pass<2, FLY>(t, n, x, *u);
  else late_pass<4, FLY>(t, n, x, *u);
  u->pending = false;
}

/* r = s - omega w and, if go_on, p = r + beta (p - omega v), to to_r and to_p: hp_bicgstab_update without x. */
template <int BATCH, bool FLY>
static __device__ __forceinline__ void advance_r_and_p(const hp_team *t, int64_t n, const hp_bicgstab_vectors &V,
                                                       hp_local to_r, hp_local to_p, const hp_bicgstab_state &c,
                                                       bool go_on) {
  typedef hp_num_batch<BATCH> num;
  const double alpha = c.alpha, omega = c.omega, beta = c.beta;
  hp_local_for_batch<BATCH>(t, n, [&](const auto &i) {
    const num wi = hp_local_get<BATCH>(V.w, i), ri = hp_local_get<BATCH>(V.r, i), vi = hp_local_get<BATCH>(V.v, i);
    const num pi = hp_local_get<BATCH>(V.p, i), si = FLY ? ri - alpha * vi : ri, rn = si - omega * wi;
    hp_local_put<BATCH>(to_r, i, rn);
    if (go_on) hp_local_put<BATCH>(to_p, i, rn + beta * (pi - omega * vi));
  });
}

/* hp_bicgstab_iterate_cuda, but for x. */
template <int FORM, bool FLY>
static __device__ __forceinline__ hp_krylov_reason iterate_reordered(hp_team *t, const hp_solve *S, hp_run *run,
                                                                     double *r) {
  const hp_gh *A = S->A;
  const int64_t n = A->n;
  const bool none = FLY || hp_solve_is_none(S);
  double *p = hp_solve_vector(S, 2), *v = hp_solve_vector(S, 3), *zp = hp_solve_vector(S, 5);
  double *zs = hp_solve_vector(S, 6), *other = hp_solve_vector(S, 7), *other_r = hp_solve_vector(S, 8), *other_v = zp;
  hp_local_room room = hp_solve_room(t, S);
  const hp_local x = hp_local_alloc(S->x, &room), w = hp_local_alloc(hp_solve_vector(S, 4), &room);
  const hp_local r0 = hp_local_alloc(hp_solve_vector(S, 1), &room);
  const hp_local first_r = hp_local_in_memory(r), first_p = hp_local_in_memory(p);
  const hp_pass pass = hp_pass_of(t, A);
  hp_late_update late = {false, 0.0, 0.0, NULL, NULL, NULL};
  hp_bicgstab_state c = hp_bicgstab_state_of(run->residual);
  hp_krylov_reason reason = HP_KRYLOV_MAX_ITERATIONS;
  hp_local_load(t, n, x, S->x);
  HP_LOCAL_FOR(t, i, n) { /* v and omega are zero */
    const HP_NUM ri = HP_GET(first_r, i);
    HP_PUT(first_p, i, ri);
    HP_PUT(r0, i, ri);
  }
  bool second = false;
  while (run->iterations < S->max_iterations) {
    const hp_local in_r = hp_local_in_memory(r), in_v = hp_local_in_memory(v);
    if (second && !FLY) {
      if (S->unroll == 1) hp_bicgstab_make_s<1>(t, n, in_r, in_v, c.alpha);
      else if (S->unroll == 2) hp_bicgstab_make_s<4>(t, n, in_r, in_v, c.alpha);
      else hp_bicgstab_make_s<8>(t, n, in_r, in_v, c.alpha);
    }
    if (!second || !FLY) hp_team_sync(t); /* p, or s; with FLY also r */
    const double *from = second ? r : p;
    if (!none) from = hp_krylov_run_precondition(t, S, run, from, second ? zs : zp);
    run->products += 1;
    if (!second) {
      double sum[2];
      hp_team_reduce_start(t, n, 2);
      hp_bicgstab_first_pass<FORM>(A, pass, from, v, r0);
      hp_team_sum_begin(t);
      finish_late<FLY>(t, S, x, &late);
      hp_team_sum_end(t, n, 2, sum);
      if (!hp_bicgstab_first_sums(&c, sum, &reason)) break;
      second = true;
      continue;
    }
    double sum[5];
    hp_team_reduce_start(t, n, 5);
    if (FLY) hp_bicgstab_second_fly_pass<FORM>(A, pass, r, v, c.alpha, w, r0);
    else hp_bicgstab_second_pass<FORM>(A, pass, from, r, w, r0);
    hp_team_sum(t, n, 5, sum);
    run->iterations += 1;
    const bool more = hp_bicgstab_second_sums(&c, sum, run->goal, &reason);
    if (!more && reason == HP_KRYLOV_NOT_FINITE) break;
    hp_krylov_run_record(t, S, run, c.norm);
    const bool go_on = more && run->iterations < S->max_iterations;
    hp_bicgstab_vectors V;
    V.w = w;
    V.r = in_r;
    V.v = in_v;
    V.p = hp_local_in_memory(p);
    const hp_local to_r = hp_local_in_memory(none ? other_r : r), to_p = hp_local_in_memory(none ? other : p);
    if (S->unroll == 1) advance_r_and_p<1, FLY>(t, n, V, to_r, to_p, c, go_on);
    else if (S->unroll == 2) advance_r_and_p<2, FLY>(t, n, V, to_r, to_p, c, go_on);
    else advance_r_and_p<4, FLY>(t, n, V, to_r, to_p, c, go_on);
    late.pending = true;
    late.alpha = c.alpha;
    late.omega = c.omega;
    late.mp = none ? p : zp;
    late.s = none ? r : zs;
    late.v = v;
    hp_reordered_swap(none ? &p : &zp, &other);
    if (none) hp_reordered_swap(&r, &other_r);
    if (FLY) hp_reordered_swap(&v, &other_v);
    if (!more) break;
    reason = HP_KRYLOV_MAX_ITERATIONS;
    second = false;
  }
  finish_late<FLY>(t, S, x, &late);
  hp_local_store(t, n, x, S->x);
  return reason;
}

#endif

template <int FORM, bool FLY>
static __device__ void solve_reordered(hp_team *t, const hp_solve *S) {
#if defined(__CUDA_ARCH__)
  double *r = hp_solve_vector(S, 0);
  hp_krylov_reason reason;
  hp_run run;
  bool done = hp_krylov_run_start(t, S, &run, r, &reason);
  while (!done) done = hp_krylov_run_judge(t, S, &run, iterate_reordered<FORM, FLY>(t, S, &run, r), false, r, &reason);
  hp_krylov_run_finish(t, S, &run, reason);
#endif
}

template <int method, int FORM, bool FLY>
static __global__ void __launch_bounds__(HP_TEAM_THREADS, 1)
    reordered_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ hp_solve_args arguments) {
  __shared__ hp_solve_args a;
  hp_team t;
  hp_team_enter(&t, &grid);
  hp_solve_load_args<hp_solve_plain>(&a, &arguments);
  if (method == HP_KRYLOV_QMR) hp_reordered_qmr(&t, &a.S);
  else solve_reordered<FORM, FLY>(&t, &a.S);
  hp_team_leave(&t);
}

const void *hp_reordered_kernel(hp_krylov_method method, int form) {
  if (method == HP_KRYLOV_QMR) return (const void *)reordered_kernel<HP_KRYLOV_QMR, HP_GH_ANY, false>;
  switch (form) {
    case HP_SOLVE_TWO_3D: return (const void *)reordered_kernel<HP_KRYLOV_BICGSTAB, HP_GH_TWO_3D, false>;
    case HP_SOLVE_TWO_3D_FLY: return (const void *)reordered_kernel<HP_KRYLOV_BICGSTAB, HP_GH_TWO_3D, true>;
    case HP_SOLVE_TWO_3D_ROWS: return (const void *)reordered_kernel<HP_KRYLOV_BICGSTAB, HP_GH_TWO_3D_ROWS, false>;
    case HP_SOLVE_TWO_3D_ROWS_FLY: return (const void *)reordered_kernel<HP_KRYLOV_BICGSTAB, HP_GH_TWO_3D_ROWS, true>;
    default: return (const void *)reordered_kernel<HP_KRYLOV_BICGSTAB, HP_GH_ANY, false>;
  }
}
