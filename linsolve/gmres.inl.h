/* Restarted GMRES(m) (Saad & Schultz 1986), right preconditioned.
 *
 * Orthogonalisation is Gram-Schmidt in groups of basis vectors, done twice:
 * classical inside a group (one merged reduction), modified from group to
 * group. Twice is enough to keep the basis orthogonal to rounding. The
 * squared norm of the new vector rides along in the same reductions.
 *
 * The Hessenberg matrix and its rotations are member 0's business; the others
 * learn the residual norm at the barrier that the next product needs anyway.
 *
 * small [(m+1)*m + 4(m+1)]: column j of the triangular factor at j*(m+1), then
 * cosines, sines, the rotated right-hand side g, the solution y, m+1 each.
 */
#ifndef HP_LINSOLVE_GMRES_INL_H
#define HP_LINSOLVE_GMRES_INL_H

#include "linsolve/solve.inl.h"

enum { HP_GMRES_GROUP = HP_SUMS_MAX - 1 };

typedef struct hp_gmres_small {
  int m;
  double *h, *cosine, *sine, *g, *y;
} hp_gmres_small;

HP_INLINE HP_HD hp_gmres_small hp_gmres_small_of(const hp_solve *S) {
  const int64_t m = S->restart;
  hp_gmres_small s;
  s.m = S->restart;
  s.h = S->small;
  s.cosine = s.h + (m + 1) * m;
  s.sine = s.cosine + m + 1;
  s.g = s.sine + m + 1;
  s.y = s.g + m + 1;
  return s;
}

/* sum[k] = (V_(first+k), w) for k < count and sum[count] = (w, w); w and V by
 * owned loops. One barrier. */
HP_INLINE HP_HD void hp_gmres_dots(hp_team *t, const hp_solve *S, int first, int count, const double *w, double *sum) {
  const int64_t n = S->A->n;
#if defined(__CUDA_ARCH__)
  HP_TEAM_REDUCE_OWNED(t, i, n, HP_SUMS_MAX) {
    const double wi = w[i];
    _Pragma("unroll") for (int k = 0; k < HP_SUMS_MAX; ++k) {
      if (k < count) HP_ACC(k) += hp_solve_vector(S, first + k)[i] * wi;
      if (k == count) HP_ACC(k) += wi * wi;
    }
  }
  HP_TEAM_REDUCE_END(t);
#else
  const hp_cut cut = hp_team_cut(t, n);
  const hp_span chunks = hp_team_chunks(t, n, 1);
  for (int64_t c = chunks.begin; c < chunks.end; ++c) {
    double acc[HP_SUMS_MAX][HP_LANES] = {{0.0}};
    const int64_t to = hp_cut_end(&cut, (int)c);
    for (int64_t from = hp_cut_begin(&cut, (int)c); from < to; from += HP_LANES) {
      const int width = to - from < HP_LANES ? (int)(to - from) : (int)HP_LANES;
      for (int k = 0; k < count; ++k) {
        const double *v = hp_solve_vector(S, first + k) + from;
        for (int lane = 0; lane < width; ++lane) acc[k][lane] += v[lane] * w[from + lane];
      }
      for (int lane = 0; lane < width; ++lane) acc[count][lane] += w[from + lane] * w[from + lane];
    }
    hp_team_partial(t, c, count + 1, acc);
  }
#endif
  hp_team_sum(t, n, count + 1, sum);
}

/* Makes w orthogonal to V_0 .. V_j in one pass and adds the coefficients to
 * column j. Returns |w|^2 after it; *before: |w|^2 at its start. */
HP_INLINE HP_HD double hp_gmres_orthogonalize(hp_team *t, const hp_solve *S, int j, double *w, double *before) {
  const hp_gmres_small s = hp_gmres_small_of(S);
  const int64_t n = S->A->n;
  double square = 0.0;
  for (int first = 0; first <= j; first += HP_GMRES_GROUP) {
    const int count = j + 1 - first < HP_GMRES_GROUP ? j + 1 - first : (int)HP_GMRES_GROUP;
    double sum[HP_SUMS_MAX];
    hp_gmres_dots(t, S, first, count, w, sum);
    square = sum[count];
    if (first == 0) *before = square;
    for (int k = 0; k < count; ++k) {
      const double *v = hp_solve_vector(S, first + k);
      const double factor = sum[k];
      HP_TEAM_FOR_OWNED(t, i, n) w[i] -= factor * v[i];
      square -= factor * factor;
      if (t->rank == 0) s.h[(int64_t)j * (s.m + 1) + first + k] += factor;
    }
  }
  return square > 0.0 ? square : 0.0;
}

/* Member 0: rotates column j (with `below` under its diagonal) to triangular
 * form and updates g. */
HP_INLINE HP_HD void hp_gmres_rotate(const hp_gmres_small *s, int j, double below) {
  double *h = s->h + (int64_t)j * (s->m + 1);
  for (int k = 0; k < j; ++k) {
    const double upper = s->cosine[k] * h[k] + s->sine[k] * h[k + 1];
    h[k + 1] = s->cosine[k] * h[k + 1] - s->sine[k] * h[k];
    h[k] = upper;
  }
  const double length = sqrt(h[j] * h[j] + below * below);
  s->cosine[j] = length > 0.0 ? h[j] / length : 1.0;
  s->sine[j] = length > 0.0 ? below / length : 0.0;
  h[j] = length;
  s->g[j + 1] = -s->sine[j] * s->g[j];
  s->g[j] *= s->cosine[j];
}

/* Member 0: y from the triangular system of size k. */
HP_INLINE HP_HD void hp_gmres_back_substitute(const hp_gmres_small *s, int k) {
  for (int r = k - 1; r >= 0; --r) {
    double sum = s->g[r];
    for (int c = r + 1; c < k; ++c) sum -= s->h[(int64_t)c * (s->m + 1) + r] * s->y[c];
    const double pivot = s->h[(int64_t)r * (s->m + 1) + r];
    s->y[r] = pivot != 0.0 ? sum / pivot : 0.0;
  }
}

/* One step: V_(j+1) from V_j (visible to all). False if the space is
 * exhausted: A M^-1 V_j lies in it. */
HP_INLINE HP_HD bool hp_gmres_step(hp_team *t, const hp_solve *S, hp_run *run, int j) {
  const hp_gmres_small s = hp_gmres_small_of(S);
  const int64_t n = S->A->n;
  double *w = hp_solve_vector(S, j + 1), *z = hp_solve_vector(S, S->restart + 1);
  hp_solve_product(t, S, hp_run_precondition(t, S, run, hp_solve_vector(S, j), z), w);
  run->products += 1;
  run->iterations += 1;
  if (t->rank == 0)
    for (int k = 0; k <= j; ++k) s.h[(int64_t)j * (s.m + 1) + k] = 0.0;
  double full, again;
  hp_gmres_orthogonalize(t, S, j, w, &full);
  const double square = hp_gmres_orthogonalize(t, S, j, w, &again);
  const bool exhausted = !(square > 1e-28 * full);
  const double below = exhausted ? 0.0 : sqrt(square);
  if (!exhausted) {
    const double factor = 1.0 / below;
    HP_TEAM_FOR_OWNED(t, i, n) w[i] *= factor;
  }
  if (t->rank == 0) {
    hp_gmres_rotate(&s, j, below);
    hp_run_record(t, S, run, fabs(s.g[j + 1]));
  }
  return !exhausted;
}

/* x += M^-1 (V y) with the first k basis vectors. */
HP_INLINE HP_HD void hp_gmres_update(hp_team *t, const hp_solve *S, hp_run *run, int k) {
  const hp_gmres_small s = hp_gmres_small_of(S);
  const int64_t n = S->A->n;
  double *x = S->x, *z = hp_solve_vector(S, S->restart + 1), *u = hp_solve_vector(S, S->restart + 2);
  if (t->rank == 0) hp_gmres_back_substitute(&s, k);
  HP_TEAM_FOR_OWNED(t, i, n) u[i] = 0.0;
  hp_team_sync(t); /* y */
  for (int c = 0; c < k; ++c) {
    const double *v = hp_solve_vector(S, c);
    const double factor = s.y[c];
    HP_TEAM_FOR_OWNED(t, i, n) u[i] += factor * v[i];
  }
  hp_team_sync(t); /* u */
  const double *mu = hp_run_precondition(t, S, run, u, z);
  HP_TEAM_FOR_OWNED(t, i, n) x[i] += mu[i];
}

/* One cycle of at most m steps from the true residual in V_0. *full: it ended
 * because the basis is full. */
HP_INLINE HP_HD hp_krylov_reason hp_gmres_cycle(hp_team *t, const hp_solve *S, hp_run *run, bool *full) {
  const hp_gmres_small s = hp_gmres_small_of(S);
  const int64_t n = S->A->n;
  double *v = hp_solve_vector(S, 0);
  const double factor = 1.0 / run->residual;
  HP_TEAM_FOR_OWNED(t, i, n) v[i] *= factor;
  if (t->rank == 0) s.g[0] = run->residual;
  hp_krylov_reason ended = HP_KRYLOV_MAX_ITERATIONS;
  bool more = true;
  int j = 0;
  for (;; ++j) {
    hp_team_sync(t); /* V_j, g[j] */
    const double norm = fabs(s.g[j]);
    *full = j == s.m;
    if (!hp_is_finite(norm)) ended = HP_KRYLOV_NOT_FINITE;
    else if (norm <= run->goal) ended = HP_KRYLOV_CONVERGED;
    else if (!more) ended = HP_KRYLOV_BREAKDOWN;
    else if (j < s.m && run->iterations < S->max_iterations) {
      more = hp_gmres_step(t, S, run, j);
      continue;
    }
    break;
  }
  hp_gmres_update(t, S, run, j);
  return ended;
}

HP_INLINE HP_HD void hp_gmres(hp_team *t, const hp_solve *S) {
  double *r = hp_solve_vector(S, 0);
  hp_krylov_reason reason;
  hp_run run;
  bool done = hp_run_start(t, S, &run, r, &reason);
  while (!done) {
    bool full;
    const hp_krylov_reason ended = hp_gmres_cycle(t, S, &run, &full);
    done = hp_run_judge(t, S, &run, ended, full && ended == HP_KRYLOV_MAX_ITERATIONS, r, &reason);
  }
  hp_run_finish(t, S, &run, reason);
}

#endif
