/* The smoothers and a cycle for one type HP_REAL of numbers (amg/cycle/cycle.inl.h includes this text for double and
 * float). Of amg/smoothers/jacobi.inl.h the Chebyshev smoother brings its copy. */
#include "amg/smoothers/block.inl.h"
#include "amg/smoothers/chebyshev.inl.h"
#include "amg/smoothers/gauss_seidel.inl.h"
#include "amg/smoothers/hybrid.inl.h"
#include "amg/smoothers/scheduled.inl.h"
#include "amg/smoothers/schwarz.inl.h"
#include "amg/smoothers/spai.inl.h"

#ifndef HP_REAL
#define HP_REAL double
#define HP_AMG_NAME(name) name##_double
#endif

/* ---- numbers ---- */

/* The level's rows from A, P and R. */
HP_AMG_PHASE HP_HD void HP_AMG_NAME(hp_amg_level_rows)(hp_team *t, const hp_amg_level *L) {
  HP_AMG_NAME(hp_amg_rows_fill)(t, L->A, &L->a);
  HP_AMG_NAME(hp_amg_finest_fill)(t, &L->finest);
  if (L->P == NULL) return;
  HP_AMG_NAME(hp_amg_rows_fill)(t, L->P, &L->p);
  HP_AMG_NAME(hp_amg_rows_fill)(t, L->R, &L->r);
}

/* The smoother's numbers; the rows are visible. */
HP_AMG_PHASE HP_HD void HP_AMG_NAME(hp_amg_smoother)(hp_team *t, const hp_amg *H, const hp_amg_level *L) {
  switch (H->opt.smoother) {
#define HP_AMG_CASE(name, text, setup, sweep, moves, rows, prepare) \
  case HP_AMG_##name: HP_AMG_NAME(setup)(t, H, L); break;
    HP_AMG_SMOOTHERS_HERE(HP_AMG_CASE)
#undef HP_AMG_CASE
    default: break;
  }
}

/* ---- smoothing ---- */

HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_sweep)(hp_team *t, const hp_amg *H, const hp_amg_level *L, bool forward,
                                               const HP_REAL *b, HP_AMG_NAME(hp_amg_iterate) * v) {
  switch (H->opt.smoother) {
#define HP_AMG_CASE(name, text, setup, sweep, moves, rows, prepare) \
  case HP_AMG_##name: HP_AMG_NAME(sweep)(t, H, L, forward, b, v); break;
    HP_AMG_SMOOTHERS_HERE(HP_AMG_CASE)
#undef HP_AMG_CASE
    default: break;
  }
}

/* ---- cycles ---- */

/* x = inverse b; the inverse [n][n] by columns. */
HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_multiply_inverse)(hp_team *t, const double *inverse, int64_t n,
                                                          const HP_REAL *b, HP_REAL *x) {
#if defined(__CUDA_ARCH__)
  HP_TEAM_FOR(t, i, n) {
    double sum = 0.0;
    for (int64_t j = 0; j < n; ++j) sum += inverse[j * n + i] * (double)b[j];
    x[i] = (HP_REAL)sum;
  }
#else
  enum { WIDTH = 16 }; /* rows at a time: two cache lines of a column */
  const hp_span span = hp_team_span(t, n, 0);
  for (int64_t i = span.begin; i < span.end; i += WIDTH) {
    const int width = span.end - i < WIDTH ? (int)(span.end - i) : (int)WIDTH;
    double sum[WIDTH] = {0.0};
    for (int64_t j = 0; width == WIDTH && j < n; ++j)
      for (int k = 0; k < WIDTH; ++k) sum[k] += inverse[j * n + i + k] * (double)b[j];
    for (int64_t j = 0; width < WIDTH && j < n; ++j)
      for (int k = 0; k < width; ++k) sum[k] += inverse[j * n + i + k] * (double)b[j];
    for (int k = 0; k < width; ++k) x[i + k] = (HP_REAL)sum[k];
  }
#endif
}

/* The last level: by its inverse, or by sweeps if it is too large for one. x in L->x. */
HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_solve_last)(hp_team *t, const hp_amg *H, const HP_REAL *b, HP_REAL *x) {
  const hp_amg_level *L = &H->level[H->nlevel - 1];
  const int64_t n = L->A->nrow;
  if (H->inverse != NULL) {
    HP_AMG_NAME(hp_amg_multiply_inverse)(t, H->inverse, n, b, x);
  } else {
    HP_AMG_NAME(hp_amg_iterate) v;
    v.x = x;
    v.other = (HP_REAL *)L->z;
    v.state = v.before = HP_AMG_ZERO;
    for (int s = 0; s < HP_AMG_SWEEPS_LAST; ++s) HP_AMG_NAME(hp_amg_sweep)(t, H, L, s % 2 == 0, b, &v);
    if (v.x == x) return; /* the sweep's barrier is enough */
    HP_TEAM_FOR(t, i, n) x[i] = v.x[i];
  }
  hp_team_sync(t); /* x */
}

/* Sweeps on level l, and the right-hand side of the next one: R (b - A x). */
HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_descend)(hp_team *t, const hp_amg *H, int l, const HP_REAL *b,
                                                 HP_AMG_NAME(hp_amg_iterate) * v) {
  const hp_amg_level *L = &H->level[l], *N = &H->level[l + 1];
  const HP_REAL *s = (const HP_REAL *)L->smooth.scale, *r = b;
  HP_REAL *next = (HP_REAL *)N->b;
  for (int k = 0; k < H->opt.pre; ++k) HP_AMG_NAME(hp_amg_sweep)(t, H, L, true, b, v);
  if (v->state != HP_AMG_ZERO) {
    const bool scaled = v->state == HP_AMG_SCALED;
    HP_AMG_NAME(hp_amg_level_pass)
    (t, L, scaled ? s : NULL, scaled ? b : v->x, HP_AMG_NAME(hp_amg_form_of)(HP_AMG_FORM_RESIDUAL, b, v->other));
    hp_team_sync(t); /* the residual */
    r = v->other;
  }
  HP_AMG_NAME(hp_amg_rows_pass)(t, &L->r, NULL, r, HP_AMG_NAME(hp_amg_form_of)(HP_AMG_FORM_PRODUCT, NULL, next));
  hp_team_sync(t); /* the next level's right-hand side */
}

/* x += P x_next, then sweeps. x goes where the sweeps end in `x`, that of the level (or the caller's). */
HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_ascend)(hp_team *t, const hp_amg *H, int l, const HP_REAL *b, HP_REAL *x,
                                                HP_AMG_NAME(hp_amg_iterate) * v) {
  const hp_amg_level *L = &H->level[l];
  const HP_REAL *next = (const HP_REAL *)H->level[l + 1].x;
  const bool away = H->opt.post * hp_amg_moves(&H->opt) % 2 != 0;
  HP_REAL *to = away ? (HP_REAL *)L->z : x;
  HP_AMG_NAME(hp_amg_form) correct = HP_AMG_NAME(hp_amg_form_of)(HP_AMG_FORM_CORRECT, b, to);
  correct.x_state = v->state;
  correct.x = v->x;
  correct.s = (const HP_REAL *)L->smooth.scale;
  HP_AMG_NAME(hp_amg_rows_pass)(t, &L->p, NULL, next, correct);
  hp_team_sync(t); /* the corrected x */
  v->x = to;
  v->other = away ? x : (HP_REAL *)L->z;
  v->state = HP_AMG_STORED;
  for (int k = 0; k < H->opt.post; ++k) HP_AMG_NAME(hp_amg_sweep)(t, H, L, false, b, v);
}

/* One cycle from x = 0 on level 0. What remains to be done of a level stands in mark[l]: the state of its
 * iterate (2 bits), whether that is in L->z (4), whether the next level is to be visited once more (8), and
 * the kind of this visit (from 16 on). */
HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_run)(hp_team *t, const hp_amg *H, const HP_REAL *b0, HP_REAL *x0) {
  unsigned char mark[HP_AMG_LEVELS_MAX];
  const int last = H->nlevel - 1;
  int l = 0;
  HP_AMG_NAME(hp_amg_iterate) v;
  mark[0] = (unsigned char)(16 * H->opt.cycle + HP_AMG_ZERO);
  for (;;) {
    for (; l < last; ++l) {
      const hp_amg_level *L = &H->level[l];
      const int kind = mark[l] / 16;
      v.x = l > 0 ? (HP_REAL *)L->x : x0;
      v.other = (HP_REAL *)L->z;
      v.state = mark[l] % 4;
      v.before = HP_AMG_ZERO;
      HP_AMG_NAME(hp_amg_descend)(t, H, l, l > 0 ? (const HP_REAL *)L->b : b0, &v);
      const bool again = kind != HP_AMG_V && l + 2 < H->nlevel;
      mark[l] = (unsigned char)(16 * kind + (again ? 8 : 0) + (v.x == (HP_REAL *)L->z ? 4 : 0) + v.state);
      mark[l + 1] = (unsigned char)(16 * kind + HP_AMG_ZERO);
    }
    HP_AMG_NAME(hp_amg_solve_last)
    (t, H, l > 0 ? (const HP_REAL *)H->level[l].b : b0, l > 0 ? (HP_REAL *)H->level[l].x : x0);
    for (; l > 0; --l) {
      const hp_amg_level *L = &H->level[l - 1];
      const int kind = mark[l - 1] / 16;
      HP_REAL *x = l > 1 ? (HP_REAL *)L->x : x0;
      if ((mark[l - 1] & 8) != 0) {
        mark[l - 1] = (unsigned char)(mark[l - 1] - 8);
        mark[l] = (unsigned char)(16 * (kind == HP_AMG_W ? HP_AMG_W : HP_AMG_V) + HP_AMG_STORED);
        break;
      }
      v.x = (mark[l - 1] & 4) != 0 ? (HP_REAL *)L->z : x;
      v.state = mark[l - 1] % 4;
      HP_AMG_NAME(hp_amg_ascend)(t, H, l - 1, l > 1 ? (const HP_REAL *)L->b : b0, x, &v);
    }
    if (l == 0) return;
  }
}
