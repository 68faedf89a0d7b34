/* Restarted GMRES(m) (Saad & Schultz 1986), right preconditioned.
 *
 * Orthogonalisation is Gram-Schmidt in groups of basis vectors, done twice:
 * classical inside a group (one merged reduction), modified from group to
 * group. Twice is enough to keep the basis orthogonal to rounding. The
 * squared norm of the new vector is part of the same reductions.
 *
 * Member 0 handles the Hessenberg matrix and its rotations; the others read the
 * residual norm after the barrier that the next product needs anyway.
 *
 * small [(m+1)*m + 4(m+1)]: column j of the triangular factor at j*(m+1), then
 * cosines, sines, the rotated right-hand side g, the solution y, m+1 each.
 */
#ifndef HP_LINSOLVE_KRYLOV_GMRES_INL_H
#define HP_LINSOLVE_KRYLOV_GMRES_INL_H

#include "linsolve/krylov/solve.inl.h"

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

/* ---- the basis ---- */

/* Vectors 0 .. m are V_0 .. V_m, in memory because each is multiplied. On a GPU the new vector w, which the passes below
 * read and write most often, and copies of V_0, V_1, .. are in shared memory as far as they fit. */
typedef struct hp_gmres_basis {
  const hp_solve *S;
  hp_local_room room; /* w's place, then the copies' */
} hp_gmres_basis;

HP_INLINE HP_HD hp_gmres_basis hp_gmres_basis_of(const hp_team *t, const hp_solve *S) {
  hp_gmres_basis B;
  B.S = S;
  B.room = hp_solve_room(t, S);
  return B;
}

/* V_k for its owner: the copy on chip if there is one. */
HP_INLINE HP_HD hp_local hp_gmres_vector(const hp_gmres_basis *B, int k) {
  return hp_local_after(hp_solve_vector(B->S, k), &B->room, k + 1);
}

/* w while it becomes V_(j+1). */
HP_INLINE HP_HD hp_local hp_gmres_new(const hp_gmres_basis *B, int j) {
  return hp_local_after(hp_solve_vector(B->S, j + 1), &B->room, 0);
}

/* V_k = factor y, in memory and on chip. */
HP_INLINE HP_HD void hp_gmres_keep(hp_team *t, int64_t n, const hp_gmres_basis *B, int k, hp_local y, double factor) {
  const hp_local v = hp_local_in_memory(hp_solve_vector(B->S, k)), copy = hp_gmres_vector(B, k);
  const bool twice = copy.chip;
  HP_LOCAL_FOR(t, i, n) {
    const HP_NUM yi = HP_GET(y, i), vi = factor * yi;
    HP_PUT(v, i, vi);
    if (twice) HP_PUT(copy, i, vi);
  }
}

/* y += sum of factor[k] V_(first+k) over k < count <= HP_GMRES_GROUP, one after the other; then, if `dots` >= 0, the
 * sums (V_(next+k), y), k < dots, and (y, y) are for hp_team_sum. y and V by owned loops. */
HP_INLINE HP_HD void hp_gmres_pass(hp_team *t, const hp_gmres_basis *B, hp_local y, int first, int count,
                                   const double *factor, int next, int dots) {
  const int64_t n = B->S->A->n;
#if defined(__CUDA_ARCH__)
  hp_local v[HP_GMRES_GROUP], u[HP_GMRES_GROUP];
  HP_UNROLL for (int k = 0; k < HP_GMRES_GROUP; ++k) {
    v[k] = hp_gmres_vector(B, first + k);
    u[k] = hp_gmres_vector(B, next + k);
  }
  HP_LOCAL_REDUCE(t, i, n, HP_SUMS_MAX) {
    HP_NUM yi = HP_GET(y, i), vi[HP_GMRES_GROUP];
    HP_UNROLL for (int k = 0; k < HP_GMRES_GROUP; ++k) if (k < count) vi[k] = HP_GET(v[k], i);
    HP_UNROLL for (int k = 0; k < HP_GMRES_GROUP; ++k) if (k < count) yi = yi + factor[k] * vi[k];
    if (count > 0) HP_PUT(y, i, yi);
    HP_UNROLL for (int k = 0; k < HP_GMRES_GROUP; ++k) if (k < dots) vi[k] = HP_GET(u[k], i);
    HP_UNROLL for (int k = 0; k < HP_SUMS_MAX; ++k) {
      if (k < HP_GMRES_GROUP && k < dots) HP_ACC(k) += vi[k] * yi;
      if (k == dots) HP_ACC(k) += yi * yi;
    }
  }
  HP_LOCAL_REDUCE_END(t);
#else
  const hp_cut cut = hp_team_cut(t, n);
  const hp_span chunks = hp_team_chunks(t, n, 1);
  for (int64_t c = chunks.begin; c < chunks.end; ++c) {
    double acc[HP_SUMS_MAX][HP_LANES] = {{0.0}};
    const int64_t to = hp_cut_end(&cut, (int)c);
    for (int64_t from = hp_cut_begin(&cut, (int)c); from < to; from += HP_LANES) { /* w stays in L1 for all vectors */
      const int width = to - from < HP_LANES ? (int)(to - from) : (int)HP_LANES;
      double *w = y.at + from;
      for (int k = 0; k < count; ++k) {
        const double *v = hp_solve_vector(B->S, first + k) + from, f = factor[k];
        for (int lane = 0; lane < width; ++lane) w[lane] += f * v[lane];
      }
      if (dots < 0) continue;
      for (int k = 0; k < dots; ++k) {
        const double *v = hp_solve_vector(B->S, next + k) + from;
        for (int lane = 0; lane < width; ++lane) acc[k][lane] += v[lane] * w[lane];
      }
      for (int lane = 0; lane < width; ++lane) acc[dots][lane] += w[lane] * w[lane];
    }
    if (dots >= 0) hp_team_partial(t, c, dots + 1, acc);
  }
#endif
}

/* Vectors of the group of V_0 .. V_j that begins at `first`. */
HP_INLINE HP_HD int hp_gmres_group(int j, int first) {
  return j + 1 - first < HP_GMRES_GROUP ? j + 1 - first : (int)HP_GMRES_GROUP;
}

/* Makes w orthogonal to V_0 .. V_j, twice, and adds the coefficients to column j. Each pass over the vectors
 * subtracts a group and computes the next one's dot products. Returns |w|^2 at the end; *before: |w|^2 at the start. */
HP_INLINE HP_HD double hp_gmres_orthogonalize(hp_team *t, const hp_gmres_basis *B, int j, hp_local w, double *before) {
  const hp_gmres_small s = hp_gmres_small_of(B->S);
  const int groups = j / HP_GMRES_GROUP + 1;
  double square = 0.0, factor[HP_SUMS_MAX];
  for (int pass = 0, first = 0, count = 0;; ++pass) {
    const int next = pass % groups * HP_GMRES_GROUP;
    hp_gmres_pass(t, B, w, first, count, factor, next, pass < 2 * groups ? hp_gmres_group(j, next) : -1);
    if (pass == 2 * groups) break;
    first = next;
    count = hp_gmres_group(j, first);
    hp_team_sum(t, B->S->A->n, count + 1, factor);
    HP_UNROLL for (int k = 0; k < HP_SUMS_MAX; ++k) if (k == count) square = factor[k];
    if (pass == 0) *before = square;
    HP_UNROLL for (int k = 0; k < HP_GMRES_GROUP; ++k) if (k < count) {
      if (t->rank == 0) s.h[(int64_t)j * (s.m + 1) + first + k] += factor[k];
      square -= factor[k] * factor[k];
      factor[k] = -factor[k];
    }
  }
  return square > 0.0 ? square : 0.0;
}

/* ---- the small system ---- */

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

/* ---- the method ---- */

/* One step: V_(j+1) from V_j (visible to all). False if the space is
 * exhausted: A M^-1 V_j lies in it. */
HP_METHOD bool hp_gmres_step(hp_team *t, const hp_solve *S, hp_run *run, const hp_gmres_basis *B, int j) {
  const hp_gmres_small s = hp_gmres_small_of(S);
  const hp_local w = hp_gmres_new(B, j);
  double *z = hp_solve_vector(S, S->restart + 1), full = 0.0;
  hp_solve_product_local(t, S, hp_krylov_run_precondition(t, S, run, hp_solve_vector(S, j), z), w);
  run->products += 1;
  run->iterations += 1;
  if (t->rank == 0)
    for (int k = 0; k <= j; ++k) s.h[(int64_t)j * (s.m + 1) + k] = 0.0;
  const double square = hp_gmres_orthogonalize(t, B, j, w, &full);
  const bool exhausted = !(square > 1e-28 * full);
  const double below = exhausted ? 0.0 : sqrt(square);
  if (!exhausted) hp_gmres_keep(t, S->A->n, B, j + 1, w, 1.0 / below);
  if (t->rank == 0) {
    hp_gmres_rotate(&s, j, below);
    hp_krylov_run_record(t, S, run, fabs(s.g[j + 1]));
  }
  return !exhausted;
}

/* x += M^-1 (V y) with the first k basis vectors. */
HP_METHOD void hp_gmres_update(hp_team *t, const hp_solve *S, hp_run *run, const hp_gmres_basis *B, int k) {
  const hp_gmres_small s = hp_gmres_small_of(S);
  const int64_t n = S->A->n;
  double *z = hp_solve_vector(S, S->restart + 1), *u = hp_solve_vector(S, S->restart + 2);
  const hp_local x = hp_local_in_memory(S->x), sum = hp_local_in_memory(u);
  if (t->rank == 0) hp_gmres_back_substitute(&s, k);
  HP_LOCAL_FOR(t, i, n) HP_PUT(sum, i, HP_NUM_OF(0.0));
  hp_team_sync(t); /* y */
  for (int first = 0; first < k; first += HP_GMRES_GROUP) {
    const int count = hp_gmres_group(k - 1, first);
    double factor[HP_GMRES_GROUP];
    HP_UNROLL for (int c = 0; c < HP_GMRES_GROUP; ++c) factor[c] = c < count ? s.y[first + c] : 0.0;
    hp_gmres_pass(t, B, sum, first, count, factor, 0, -1);
  }
  hp_team_sync(t); /* u */
  const hp_local mu = hp_local_to_read(hp_krylov_run_precondition(t, S, run, u, z));
  HP_LOCAL_FOR(t, i, n) {
    const HP_NUM xi = HP_GET(x, i), mi = HP_GET(mu, i);
    HP_PUT(x, i, xi + mi);
  }
}

/* One cycle of at most m steps from the true residual in V_0. *full: it ended
 * because the basis is full. */
HP_METHOD hp_krylov_reason hp_gmres_cycle(hp_team *t, const hp_solve *S, hp_run *run, bool *full) {
  const hp_gmres_small s = hp_gmres_small_of(S);
  const hp_gmres_basis B = hp_gmres_basis_of(t, S);
  hp_gmres_keep(t, S->A->n, &B, 0, hp_local_to_read(hp_solve_vector(S, 0)), 1.0 / run->residual);
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
      more = hp_gmres_step(t, S, run, &B, j);
      continue;
    }
    break;
  }
  hp_gmres_update(t, S, run, &B, j);
  return ended;
}

HP_METHOD void hp_gmres(hp_team *t, const hp_solve *S) {
  double *r = hp_solve_vector(S, 0);
  hp_krylov_reason reason;
  hp_run run;
  bool done = hp_krylov_run_start(t, S, &run, r, &reason);
  while (!done) {
    bool full;
    const hp_krylov_reason ended = hp_gmres_cycle(t, S, &run, &full);
    done = hp_krylov_run_judge(t, S, &run, ended, full && ended == HP_KRYLOV_MAX_ITERATIONS, r, &reason);
  }
  hp_krylov_run_finish(t, S, &run, reason);
}

#endif
