/* GMRES per-operation (linsolve/krylov/baselines/execution.cuh): the passes over groups of basis vectors that
 * linsolve/krylov/gmres.inl.h has, a kernel each, and between them one block that adds up, rotates and decides. The host
 * looks once an iteration. What a cycle ended for stands apart from `ended`, at which the kernels of products and
 * preconditioners stop: M^-1 (V y) comes after it. */
#include <math.h>

#include "linsolve/krylov/baselines/execution.cuh"

enum { THREADS = HP_EXEC_THREADS };

/* ---- kernels ---- */

/* How the loop of hp_gmres_cycle goes on before step j. */
static __device__ void decide(const hp_exec_args *a, int j, bool more) {
  const hp_gmres_small s = hp_gmres_small_of(&a->S);
  hp_exec_gmres *g = &a->state->gmres;
  const hp_run *run = &a->state->run;
  const double norm = fabs(s.g[j]);
  g->full = j == s.m;
  g->ended = -1;
  if (!hp_is_finite(norm)) g->ended = HP_KRYLOV_NOT_FINITE;
  else if (norm <= run->goal) g->ended = HP_KRYLOV_CONVERGED;
  else if (!more) g->ended = HP_KRYLOV_BREAKDOWN;
  else if (g->full || run->iterations >= a->S.max_iterations) g->ended = HP_KRYLOV_MAX_ITERATIONS;
}

static __device__ bool has_preconditioner(const hp_exec_args *a) {
  return a->P.kind != HP_PRECOND_NONE || a->P.external_data != NULL;
}

/* V_0 from the residual in its place. */
static __global__ void __launch_bounds__(THREADS) first_kernel(const __grid_constant__ hp_exec_args a) {
  hp_team t = hp_exec_team(&a);
  double *v = hp_solve_vector(&a.S, 0);
  const double factor = 1.0 / a.state->run.residual;
  HP_TEAM_FOR(&t, i, a.A.n) v[i] = factor * v[i];
}

static __global__ void __launch_bounds__(THREADS) cycle_kernel(const __grid_constant__ hp_exec_args a) {
  if (threadIdx.x != 0) return;
  hp_gmres_small_of(&a.S).g[0] = a.state->run.residual;
  decide(&a, 0, true);
}

/* hp_gmres_pass, the factors in device memory. */
static __global__ void __launch_bounds__(THREADS)
    pass_kernel(const __grid_constant__ hp_exec_args a, double *y, int first, int count, const double *factors,
                int next, int dots) {
#if defined(__CUDA_ARCH__)
  hp_team t = hp_exec_team(&a);
  hp_solve S = a.S;
  S.A = &a.A;
  hp_gmres_basis B;
  B.S = &S;
  B.room.at = NULL;
  B.room.vectors = 0;
  B.room.stride = 0;
  double factor[HP_GMRES_GROUP];
  HP_UNROLL for (int k = 0; k < HP_GMRES_GROUP; ++k) factor[k] = k < count ? factors[k] : 0.0;
  hp_gmres_pass(&t, &B, hp_local_in_memory(y), first, count, factor, next, dots);
  if (dots >= 0) hp_exec_store_groups(&a, &t, dots + 1);
#endif
}

/* Column j after it is orthogonal: hp_gmres_step from there on. */
static __device__ void finish_step(const hp_exec_args *a, int j) {
  const hp_gmres_small s = hp_gmres_small_of(&a->S);
  hp_exec_gmres *g = &a->state->gmres;
  hp_run *run = &a->state->run;
  hp_team t;
  const double square = g->square > 0.0 ? g->square : 0.0;
  const bool exhausted = !(square > 1e-28 * g->before);
  t.rank = 0;
  g->below = exhausted ? 0.0 : sqrt(square);
  run->products += 1;
  run->iterations += 1;
  run->applications += has_preconditioner(a);
  hp_gmres_rotate(&s, j, g->below);
  hp_krylov_run_record(&t, &a->S, run, fabs(s.g[j + 1]));
  decide(a, j + 1, !exhausted);
}

/* The dot products of a pass with V_first, .., as hp_gmres_orthogonalize takes them; begins: the first of a step, ends: the
 * last. */
static __global__ void __launch_bounds__(THREADS)
    column_kernel(const __grid_constant__ hp_exec_args a, int j, int first, int count, bool begins, bool ends) {
  double sum[HP_SUMS_MAX];
  if (!hp_exec_collect(&a, count + 1, sum)) return;
  const hp_gmres_small s = hp_gmres_small_of(&a.S);
  hp_exec_gmres *g = &a.state->gmres;
  double *h = s.h + (int64_t)j * (s.m + 1);
  g->square = sum[count];
  if (begins) {
    g->before = sum[count];
    for (int k = 0; k <= j; ++k) h[k] = 0.0;
  }
  for (int k = 0; k < count; ++k) {
    h[first + k] += sum[k];
    g->square -= sum[k] * sum[k];
    g->factor[k] = -sum[k];
  }
  if (ends) finish_step(&a, j);
}

/* V_(j+1) = w / |w|, in its place. */
static __global__ void __launch_bounds__(THREADS) keep_kernel(const __grid_constant__ hp_exec_args a, int j) {
  hp_team t = hp_exec_team(&a);
  double *v = hp_solve_vector(&a.S, j + 1);
  const double below = a.state->gmres.below, factor = 1.0 / below;
  if (below == 0.0) return;
  HP_TEAM_FOR(&t, i, a.A.n) v[i] = factor * v[i];
}

/* y of k vectors; u = 0. */
static __global__ void __launch_bounds__(THREADS) solve_kernel(const __grid_constant__ hp_exec_args a, int k) {
  hp_team t = hp_exec_team(&a);
  double *u = hp_solve_vector(&a.S, a.S.restart + 2);
  HP_TEAM_FOR(&t, i, a.A.n) u[i] = 0.0;
  if (t.rank != 0) return;
  const hp_gmres_small s = hp_gmres_small_of(&a.S);
  hp_gmres_back_substitute(&s, k);
  a.state->run.applications += has_preconditioner(&a);
}

static __global__ void __launch_bounds__(THREADS) add_kernel(const __grid_constant__ hp_exec_args a, const double *mu) {
  hp_team t = hp_exec_team(&a);
  HP_TEAM_FOR(&t, i, a.A.n) a.S.x[i] += mu[i];
}

static __global__ void __launch_bounds__(THREADS) judge_kernel(const __grid_constant__ hp_exec_args a) {
  double sum[1];
  if (!hp_exec_collect(&a, 1, sum)) return;
  hp_exec_state *s = a.state;
  hp_solve S = a.S;
  hp_team t;
  S.singular = -1;
  t.rank = 0;
  t.barriers = 0;
  s->run.products += 1;
  const hp_krylov_reason ended = (hp_krylov_reason)s->gmres.ended;
  const bool ordinary = s->gmres.full && ended == HP_KRYLOV_MAX_ITERATIONS;
  s->done = hp_krylov_run_decide(&S, &s->run, sqrt(sum[0]), ended, ordinary, &s->reason);
  if (s->done) hp_krylov_run_finish(&t, &S, &s->run, s->reason);
}

/* ---- the parts of a solve ---- */

static hp_status pass(hp_execution *E, double *y, int first, int count, const double *factors, int next, int dots) {
  void *args[] = {&E->args, &y, &first, &count, &factors, &next, &dots};
  return hp_exec_groups(E, (const void *)pass_kernel, args, "making vectors orthogonal");
}

/* hp_gmres_orthogonalize of w with V_0 .. V_j. */
static hp_status orthogonalize(hp_execution *E, int j, double *w) {
  const double *factors = E->args.state->gmres.factor; /* an address: the state is the device's */
  const int groups = j / HP_GMRES_GROUP + 1;
  for (int p = 0, first = 0, count = 0;; ++p) {
    int next = p % groups * HP_GMRES_GROUP;
    HP_TRY(pass(E, w, first, count, factors, next, p < 2 * groups ? hp_gmres_group(j, next) : -1));
    if (p == 2 * groups) return HP_OK;
    first = next;
    count = hp_gmres_group(j, first);
    bool begins = p == 0, ends = p == 2 * groups - 1;
    void *args[] = {&E->args, &j, &first, &count, &begins, &ends};
    HP_TRY(hp_exec_one(E, (const void *)column_kernel, args, "making vectors orthogonal"));
  }
}

static hp_status step(hp_execution *E, int j) {
  const hp_solve *S = &E->args.S;
  const double *mv;
  double *w = hp_solve_vector(S, j + 1);
  HP_TRY(hp_exec_precondition(E, hp_solve_vector(S, j), hp_solve_vector(S, S->restart + 1), &mv));
  HP_TRY(hp_exec_product(E, NULL, mv, w));
  HP_TRY(orthogonalize(E, j, w));
  void *args[] = {&E->args, &j};
  return hp_exec_each(E, (const void *)keep_kernel, E->args.A.n, args, "keeping a vector");
}

/* x += M^-1 (V y) with the first k vectors. */
static hp_status update(hp_execution *E, int k) {
  static const char what[] = "updating the solution";
  const hp_solve *S = &E->args.S;
  const double *y = hp_gmres_small_of(S).y, *mu;
  double *u = hp_solve_vector(S, S->restart + 2);
  void *solve[] = {&E->args, &k};
  HP_TRY(hp_exec_each(E, (const void *)solve_kernel, E->args.A.n, solve, what));
  for (int first = 0; first < k; first += HP_GMRES_GROUP)
    HP_TRY(pass(E, u, first, hp_gmres_group(k - 1, first), y + first, 0, -1));
  HP_TRY(hp_exec_precondition(E, u, hp_solve_vector(S, S->restart + 1), &mu));
  void *add[] = {&E->args, &mu};
  return hp_exec_each(E, (const void *)add_kernel, E->args.A.n, add, what);
}

static hp_status cycle(hp_execution *E) {
  void *args[] = {&E->args};
  int j = 0;
  HP_TRY(hp_exec_each(E, (const void *)first_kernel, E->args.A.n, args, "beginning a cycle"));
  HP_TRY(hp_exec_one(E, (const void *)cycle_kernel, args, "beginning a cycle"));
  HP_TRY(hp_exec_look(E));
  for (; E->seen->gmres.ended < 0; ++j) {
    HP_TRY(step(E, j));
    HP_TRY(hp_exec_look(E));
  }
  HP_TRY(update(E, j));
  HP_TRY(hp_exec_product(E, E->args.S.b, E->args.S.x, hp_solve_vector(&E->args.S, 0)));
  return hp_exec_norm(E, (const void *)judge_kernel, "judging a solve");
}

hp_status hp_exec_gmres_solve(hp_execution *E) {
  HP_TRY(hp_exec_begin(E));
  HP_TRY(hp_exec_look(E));
  while (!E->seen->done) {
    HP_TRY(cycle(E));
    HP_TRY(hp_exec_look(E));
  }
  return HP_OK;
}
