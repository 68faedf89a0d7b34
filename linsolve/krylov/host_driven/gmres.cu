/* GMRES per-operation and as a graph (linsolve/krylov/host_driven/execution.cuh): the passes over groups of basis vectors that
 * linsolve/krylov/gmres.inl.h has, a kernel each, and after each of them one block that adds up, rotates and decides. Which
 * step of a cycle, which pass and which group it is stands in the state, so that the nodes of a graph are the same ones for
 * all. What a cycle ended for stands apart from `ended`, at which the kernels of products and preconditioners stop:
 * M^-1 (V y) comes after it.
 *
 *     start -> [ while go_on:  V_0 -> [ while step:  product, first pass -> [ while pass: ... ] -> last pass ]
 *                              -> x, true residual, decision ]
 *
 * Per-operation the host runs these loops and looks once a step. The vectors of a product are arguments of its kernel,
 * so that in a graph they are at places of their own: V_j is copied when it is made, and what A makes of it stands where
 * V_m will be, which is not multiplied.
 *
 * Of several ranks a pass is two kernels: it subtracts, then it sums up over all ranks.
 */
#include <math.h>

#include "linsolve/krylov/host_driven/ranks.cuh"

enum { THREADS = HP_EXEC_THREADS };

/* ---- kernels ---- */

/* How the loop of hp_gmres_cycle goes on before step g->j. */
static __device__ void decide(const hp_exec_args *a, bool more) {
  const hp_gmres_small s = hp_gmres_small_of(&a->S);
  hp_exec_gmres *g = &a->state->gmres;
  const hp_run *run = &a->state->run;
  const double norm = fabs(s.g[g->j]);
  g->full = g->j == s.m;
  g->ended = -1;
  if (!hp_is_finite(norm)) g->ended = HP_KRYLOV_NOT_FINITE;
  else if (norm <= run->goal) g->ended = HP_KRYLOV_CONVERGED;
  else if (!more) g->ended = HP_KRYLOV_BREAKDOWN;
  else if (g->full || run->iterations >= a->S.max_iterations) g->ended = HP_KRYLOV_MAX_ITERATIONS;
  g->pass = g->next = 0;
  g->dots = hp_gmres_group(g->j, 0);
  hp_exec_set_condition(a, a->step, g->ended < 0);
}

static __device__ bool has_preconditioner(const hp_exec_args *a) {
  return a->P.kind != HP_PRECOND_NONE || a->P.external_data != NULL;
}

/* V_0 from the residual in its place; also to `copy`, if this is not NULL. */
static __global__ void __launch_bounds__(THREADS) first_kernel(const __grid_constant__ hp_exec_args a, double *copy) {
  hp_team t = hp_exec_team(&a);
  double *v = hp_solve_vector(&a.S, 0);
  const double factor = 1.0 / a.state->run.residual;
  HP_TEAM_FOR(&t, i, a.A.n) {
    const double vi = factor * v[i];
    v[i] = vi;
    if (copy != NULL) copy[i] = vi;
  }
}

static __global__ void __launch_bounds__(THREADS) cycle_kernel(const __grid_constant__ hp_exec_args a) {
  if (threadIdx.x != 0) return;
  a.state->gmres.j = 0;
  hp_gmres_small_of(&a.S).g[0] = a.state->run.residual;
  decide(&a, true);
}

/* Passes of a step over y = w: dot products alone; a group subtracted and the next one's dot products; a group subtracted.
 * Then u += V y, group by group. */
enum { FIRST, MIDDLE, LAST, UPDATE };

/* hp_gmres_pass, the factors in device memory; from: of UPDATE, the group. Of several ranks without its sums. */
static __global__ void __launch_bounds__(THREADS)
    pass_kernel(const __grid_constant__ hp_exec_args a, double *y, int which, int from) {
#if defined(__CUDA_ARCH__)
  const hp_exec_gmres *g = &a.state->gmres;
  const bool update = which == UPDATE, sums = (which == FIRST || which == MIDDLE) && a.summed == NULL;
  const double *factors = update ? hp_gmres_small_of(&a.S).y + from : g->factor;
  const int first = update ? from : g->first, dots = sums ? g->dots : -1;
  const int count = which == FIRST ? 0 : !update ? g->count : from < g->j ? hp_gmres_group(g->j - 1, from) : 0;
  if (count == 0 && dots < 0) return;
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
  hp_gmres_pass(&t, &B, hp_local_in_memory(y), count > 0 ? first : 0, count, factor, g->next, dots);
  if (dots >= 0) hp_exec_store_groups(&a, &t, dots + 1);
#endif
}

/* The sums of a pass, for all ranks: those that the step has no vectors for are of no account. */
struct basis_pass {
  enum { READS = HP_SUMS_MAX, SUMS = HP_SUMS_MAX };
  const double *in[READS]; /* w; vectors of the group, or w again */
  int dots;
  __device__ bool begin(const hp_exec_args &a) {
    const hp_exec_gmres *g = &a.state->gmres;
    dots = g->dots;
    in[0] = hp_solve_vector(&a.S, g->j + 1);
#pragma unroll
    for (int k = 0; k < HP_GMRES_GROUP; ++k) in[k + 1] = k < dots ? hp_solve_vector(&a.S, g->next + k) : in[0];
    return true;
  }
  __device__ void add(const double *v, double *sum) const {
#pragma unroll
    for (int k = 0; k < SUMS; ++k) {
      if (k < HP_GMRES_GROUP && k < dots) sum[k] += v[k + 1 < READS ? k + 1 : 0] * v[0];
      if (k == dots) sum[k] += v[0] * v[0];
    }
  }
};

/* Column g->j after it is orthogonal: hp_gmres_step from there on. */
static __device__ void finish_step(const hp_exec_args *a) {
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
  hp_gmres_rotate(&s, g->j, g->below);
  g->j += 1;
  hp_krylov_run_record(&t, &a->S, run, fabs(s.g[g->j]));
  decide(a, !exhausted);
}

/* The dot products of a pass, as hp_gmres_orthogonalize takes them; what the next one subtracts and multiplies. */
static __global__ void __launch_bounds__(THREADS) column_kernel(const __grid_constant__ hp_exec_args a) {
  hp_exec_gmres *g = &a.state->gmres;
  const int count = g->dots;
  double sum[HP_SUMS_MAX];
  if (!hp_exec_collect(&a, count + 1, sum)) return;
  const hp_gmres_small s = hp_gmres_small_of(&a.S);
  const int groups = g->j / HP_GMRES_GROUP + 1;
  double *h = s.h + (int64_t)g->j * (s.m + 1);
  g->square = sum[count];
  if (g->pass == 0) {
    g->before = sum[count];
    for (int k = 0; k <= g->j; ++k) h[k] = 0.0;
  }
  for (int k = 0; k < count; ++k) {
    h[g->next + k] += sum[k];
    g->square -= sum[k] * sum[k];
    g->factor[k] = -sum[k];
  }
  g->first = g->next;
  g->count = count;
  g->pass += 1;
  g->next = g->pass % groups * HP_GMRES_GROUP;
  g->dots = hp_gmres_group(g->j, g->next);
  const bool more = g->pass < 2 * groups;
  hp_exec_set_condition(&a, a.pass, more);
  if (!more) finish_step(&a);
}

/* The new V_j = w / |w|; also to `copy`, if this is not NULL. */
static __global__ void __launch_bounds__(THREADS)
    keep_kernel(const __grid_constant__ hp_exec_args a, const double *w, double *copy) {
  hp_team t = hp_exec_team(&a);
  double *v = hp_solve_vector(&a.S, a.state->gmres.j);
  const double below = a.state->gmres.below, factor = 1.0 / below;
  if (below == 0.0) return;
  HP_TEAM_FOR(&t, i, a.A.n) {
    const double vi = factor * w[i];
    v[i] = vi;
    if (copy != NULL) copy[i] = vi;
  }
}

/* y of the vectors that there are; u = 0. */
static __global__ void __launch_bounds__(THREADS) solve_kernel(const __grid_constant__ hp_exec_args a) {
  hp_team t = hp_exec_team(&a);
  double *u = hp_solve_vector(&a.S, a.S.restart + 2);
  HP_TEAM_FOR(&t, i, a.A.n) u[i] = 0.0;
  if (t.rank != 0) return;
  const hp_gmres_small s = hp_gmres_small_of(&a.S);
  hp_gmres_back_substitute(&s, a.state->gmres.j);
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
  hp_exec_set_condition(&a, a.go_on, !s->done);
}

/* ---- the parts of a solve, run or appended to a graph ---- */

static hp_status pass(hp_execution *E, double *y, int which, int from) {
  void *args[] = {&E->args, &y, &which, &from};
  return hp_exec_groups(E, (const void *)pass_kernel, args, "making vectors orthogonal");
}

/* A pass with dot products and what follows from them. */
static hp_status pass_and_column(hp_execution *E, double *w, int which) {
  static const char what[] = "making vectors orthogonal";
  void *args[] = {&E->args};
  if (E->part == NULL || which != FIRST) HP_TRY(pass(E, w, which, 0));
  if (E->part != NULL) HP_TRY(hp_exec_sum_ranks<basis_pass>(E, what));
  return hp_exec_one(E, (const void *)column_kernel, args, what);
}

/* hp_gmres_orthogonalize of w; groups: of the vectors there are, which a graph does not ask. */
static hp_status orthogonalize(hp_execution *E, double *w, int groups) {
  HP_TRY(pass_and_column(E, w, FIRST));
  if (E->graph != NULL) {
    hp_exec_place outside;
    HP_TRY(hp_exec_enter(E, E->args.pass, true, &outside));
    HP_TRY(pass_and_column(E, w, MIDDLE));
    hp_exec_leave(E, &outside);
  } else {
    for (int p = 1; p < 2 * groups; ++p) HP_TRY(pass_and_column(E, w, MIDDLE));
  }
  return pass(E, w, LAST, 0);
}

/* The next basis vector from v, which is the latest; w: where it is made; copy: NULL or another place for it. */
static hp_status step(hp_execution *E, const double *v, double *w, double *copy, int groups) {
  const double *mv;
  HP_TRY(hp_exec_precondition(E, v, hp_solve_vector(&E->args.S, E->args.S.restart + 1), &mv));
  HP_TRY(hp_exec_product(E, NULL, mv, w));
  HP_TRY(orthogonalize(E, w, groups));
  void *args[] = {&E->args, &w, &copy};
  return hp_exec_each(E, (const void *)keep_kernel, E->args.A.n, args, "keeping a vector");
}

/* x += M^-1 (V y) with the vectors that there are, at most k, and the true residual. */
static hp_status update(hp_execution *E, int k) {
  static const char what[] = "updating the solution";
  const hp_solve *S = &E->args.S;
  const double *mu;
  double *u = hp_solve_vector(S, S->restart + 2);
  void *solve[] = {&E->args};
  HP_TRY(hp_exec_each(E, (const void *)solve_kernel, E->args.A.n, solve, what));
  for (int first = 0; first < k; first += HP_GMRES_GROUP) HP_TRY(pass(E, u, UPDATE, first));
  HP_TRY(hp_exec_precondition(E, u, hp_solve_vector(S, S->restart + 1), &mu));
  void *add[] = {&E->args, &mu};
  HP_TRY(hp_exec_each(E, (const void *)add_kernel, E->args.A.n, add, what));
  HP_TRY(hp_exec_product(E, S->b, S->x, hp_solve_vector(S, 0)));
  return hp_exec_norm(E, (const void *)judge_kernel, "judging a solve");
}

static hp_status begin_cycle(hp_execution *E, double *copy) {
  void *first[] = {&E->args, &copy}, *begin[] = {&E->args};
  HP_TRY(hp_exec_each(E, (const void *)first_kernel, E->args.A.n, first, "beginning a cycle"));
  return hp_exec_one(E, (const void *)cycle_kernel, begin, "beginning a cycle");
}

/* ---- per-operation ---- */

static hp_status cycle(hp_execution *E) {
  const hp_solve *S = &E->args.S;
  HP_TRY(begin_cycle(E, NULL));
  HP_TRY(hp_exec_look(E));
  for (int j = 0; E->seen->gmres.ended < 0; ++j) {
    HP_TRY(step(E, hp_solve_vector(S, j), hp_solve_vector(S, j + 1), NULL, j / HP_GMRES_GROUP + 1));
    HP_TRY(hp_exec_look(E));
  }
  return update(E, E->seen->gmres.j);
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

/* ---- graph ---- */

hp_status hp_exec_gmres_append(hp_execution *E) {
  const hp_solve *S = &E->args.S;
  double *w = hp_solve_vector(S, S->restart), *v = hp_solve_vector(S, S->restart + 2);
  hp_exec_place outside, cycle;
  HP_TRY(hp_exec_begin(E));
  HP_TRY(hp_exec_enter(E, E->args.go_on, true, &outside));
  HP_TRY(begin_cycle(E, v));
  HP_TRY(hp_exec_enter(E, E->args.step, true, &cycle));
  HP_TRY(step(E, v, w, v, 0));
  hp_exec_leave(E, &cycle);
  HP_TRY(update(E, S->restart));
  hp_exec_leave(E, &outside);
  return HP_OK;
}
