/* BiCG-Stab with reordered synchronization has the passes of linsolve/krylov/cuda/bicgstab.cuh but for x, which is
 * updated between the halves of the next iteration's first sums. What that reads is kept meanwhile: M^-1 p and, without
 * a preconditioner, s; where s is made on the fly (FLY) p, r and v. These vectors swap places with others that are
 * free. QMR is the program of the CPU. */
#include <string.h>

#include "bench/krylov/reordered.h"
#include "bench/krylov/reordered.inl.h"
#include "core/memory.h"
#include "core/profile.h"
#include "linsolve/krylov/cuda/launch.cuh"
#include "linsolve/krylov/device.h"
#include "linsolve/precond/device.h"

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

/* form: of hp_solve_kernel. */
static const void *kernel_of(hp_krylov_method method, int form) {
  if (method == HP_KRYLOV_QMR) return (const void *)reordered_kernel<HP_KRYLOV_QMR, HP_GH_ANY, false>;
  switch (form) {
    case HP_SOLVE_TWO_3D: return (const void *)reordered_kernel<HP_KRYLOV_BICGSTAB, HP_GH_TWO_3D, false>;
    case HP_SOLVE_TWO_3D_FLY: return (const void *)reordered_kernel<HP_KRYLOV_BICGSTAB, HP_GH_TWO_3D, true>;
    case HP_SOLVE_TWO_3D_ROWS: return (const void *)reordered_kernel<HP_KRYLOV_BICGSTAB, HP_GH_TWO_3D_ROWS, false>;
    case HP_SOLVE_TWO_3D_ROWS_FLY: return (const void *)reordered_kernel<HP_KRYLOV_BICGSTAB, HP_GH_TWO_3D_ROWS, true>;
    default: return (const void *)reordered_kernel<HP_KRYLOV_BICGSTAB, HP_GH_ANY, false>;
  }
}

/* ---- the solver ---- */

struct setup_args {
  hp_gh A;
  hp_precond P;
  int64_t *singular;
};

static __device__ void set_up_precond(hp_team *t, const setup_args *a) {
  const int64_t bad = hp_krylov_precond_setup(t, &a->P, &a->A);
  if (t->rank == 0) *a->singular = bad;
}
HP_TEAM_KERNEL(setup_kernel, setup_args, set_up_precond(&t, &a))

enum { SETUP_BEGAN, SETUP_ENDED, SOLVE_BEGAN, SOLVE_ENDED /* of the device's marks */ };

struct solver {
  hp_linear_solver base;
  hp_device *D;
  hp_krylov_options opt;
  hp_precond P;           /* device pointers, as the others */
  double *work, *history; /* [vectors][stride], [max_iterations+1] */
  int64_t stride, *singular;
  hp_krylov_report *report;
};

static void destroy(hp_linear_solver **slot) {
  solver *K = (solver *)*slot;
  HP_DEVICE_FREE(K->D, K->work);
  HP_DEVICE_FREE(K->D, K->history);
  HP_DEVICE_FREE(K->D, K->singular);
  HP_DEVICE_FREE(K->D, K->report);
  hp_precond_device_free(K->D, &K->P);
  HP_FREE(*slot);
}

static hp_status set_up(hp_linear_solver *S, const hp_gh *A) {
  solver *K = (solver *)S;
  const setup_args a = {*A, K->P, K->singular};
  HP_TRY(hp_device_mark(K->D, SETUP_BEGAN));
  HP_TRY(hp_team_launch(K->D, (const void *)setup_kernel, &a, 0, "setting up the preconditioner"));
  return hp_device_mark(K->D, SETUP_ENDED);
}

static hp_status solve(hp_linear_solver *S, const hp_gh *A, const double *b, double *x, double *history,
                       hp_krylov_report *report) {
  solver *K = (solver *)S;
  hp_solve_args a;
  memset(&a, 0, sizeof a);
  a.A = *A;
  a.P = K->P;
  a.S = hp_solve_of(&K->opt, K->work, K->stride, NULL, b, x);
  a.S.history = history != NULL ? K->history : NULL;
  a.S.report = K->report;
  a.singular = K->singular;
  HP_TRY(hp_device_mark(K->D, SOLVE_BEGAN));
  HP_TRY(hp_solve_launch(K->D, kernel_of(K->opt.method, hp_solve_form(K->D, &K->opt, A)), &a, false));
  HP_TRY(hp_device_download(K->D, report, K->report, sizeof *report));
  HP_TRY(hp_device_mark(K->D, SOLVE_ENDED));
  if (history == NULL) return HP_OK;
  return hp_device_download(K->D, history, K->history, (report->iterations + 1) * (int64_t)sizeof *history);
}

static hp_status seconds(hp_linear_solver *S, double *setup, double *solved) {
  const solver *K = (const solver *)S;
  if (setup != NULL) HP_TRY(hp_device_elapsed(K->D, SETUP_BEGAN, SETUP_ENDED, setup));
  return solved != NULL ? hp_device_elapsed(K->D, SOLVE_BEGAN, SOLVE_ENDED, solved) : HP_OK;
}

static double set_tolerance(hp_linear_solver *S, double tolerance) {
  solver *K = (solver *)S;
  const double before = K->opt.tolerance;
  if (tolerance > 0.0) K->opt.tolerance = tolerance;
  return before;
}

static void nothing(hp_linear_solver *S) { (void)S; }

static bool never(hp_linear_solver *S, const hp_krylov_report *report) {
  (void)S, (void)report;
  return false;
}

static hp_status report_on(hp_linear_solver *S, hp_linear_report *out) {
  memset(out, 0, sizeof *out);
  out->launches = 1;
  hp_device_describe(((const solver *)S)->D, out->where, sizeof out->where);
  return HP_OK;
}

static hp_linear_ops operations(void) {
  hp_linear_ops o = {};
  o.destroy = destroy;
  o.set_up = set_up;
  o.solve = solve;
  o.seconds = seconds;
  o.set_tolerance = set_tolerance;
  o.begin_step = o.rebuild = nothing;
  o.solved = never;
  o.report = report_on;
  return o;
}

static const hp_linear_ops gpu_ops = operations();

/* Each vector is owned by rows. */
static hp_status create(solver *K, const hp_gh *A) {
  const hp_krylov_options *o = &K->opt;
  const int64_t planes = hp_krylov_vectors(o->method, o->restart) + HP_REORDERED_VECTORS;
  K->stride = hp_krylov_device_stride(A->n, hp_device_spreads(K->D));
  const int64_t real = (int64_t)sizeof *K->work, vector = K->stride * real;
  const hp_owned owned = {A->n, A->rows, real, vector, planes, 0};
  HP_TRY(hp_device_alloc_owned(K->D, (void **)&K->work, &owned, "the solver's vectors"));
  HP_TRY(HP_DEVICE_ALLOC(K->D, K->history, o->max_iterations + 1));
  HP_TRY(HP_DEVICE_ALLOC(K->D, K->singular, 1));
  HP_TRY(HP_DEVICE_ALLOC(K->D, K->report, 1));
  return hp_precond_device_create(K->D, A, o->preconditioner, o->ordering, o->precision, o->relaxation, true, &K->P);
}

hp_status hp_reordered_device_create(const hp_linear_input *in, hp_linear_solver **out) {
  solver *K = NULL;
  HP_TRY(hp_alloc((void **)&K, 1, sizeof *K, "device solver"));
  K->base.ops = &gpu_ops;
  K->D = in->D;
  K->opt = in->options->krylov;
  *out = &K->base;
  const hp_status s = create(K, in->A);
  if (s != HP_OK) hp_linear_destroy(out);
  return s;
}
