/* How a CPU runs a pass, for one type HP_REAL of numbers (amg/cycle/program.c includes this text for double and float). */
#include "amg/smoothers/gauss_seidel.inl.h"
#include "amg/smoothers/groups.inl.h"
#include "amg/smoothers/hybrid.inl.h"
#include "amg/smoothers/schwarz.inl.h"

#ifndef HP_REAL
#define HP_REAL double
#define HP_AMG_NAME(name) name##_double
#endif

/* x = inverse b; the inverse [n][n] by columns. */
HP_INLINE void HP_AMG_NAME(hp_amg_multiply_inverse)(hp_team *t, const double *inverse, int64_t n, const HP_REAL *b,
                                                    HP_REAL *x) {
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
}

/* out = x + from; x NULL: zero. */
HP_INLINE void HP_AMG_NAME(hp_amg_sum)(hp_team *t, const hp_amg_pass *p, const HP_REAL *x, const HP_REAL *from,
                                       HP_REAL *out) {
  HP_TEAM_FOR(t, i, p->n) out[i] = x != NULL ? x[i] + from[i] : from[i];
}

HP_INLINE void HP_AMG_NAME(hp_amg_scale)(hp_team *t, const hp_amg_pass *p, const HP_REAL *b, HP_REAL *out) {
  const HP_REAL *s = (const HP_REAL *)p->s;
  HP_TEAM_FOR(t, i, p->n) out[i] = s[i] * b[i];
}

/* The vector that a pass names, in a cycle from b to x. */
HP_INLINE const void *HP_AMG_NAME(hp_amg_named)(const void *v, const double *b, const double *x) {
  return v == HP_AMG_CYCLES_B ? b : v == HP_AMG_CYCLES_X ? x : v;
}

HP_INLINE void HP_AMG_NAME(hp_amg_pass_run)(hp_team *t, const hp_amg *H, const hp_amg_pass *p, const double *cycles_b,
                                            double *cycles_x) {
  const hp_amg_level *L = &H->level[p->level];
  const HP_REAL *from = (const HP_REAL *)HP_AMG_NAME(hp_amg_named)(p->from, cycles_b, cycles_x);
  HP_AMG_NAME(hp_amg_form) f;
  f.kind = p->kind;
  f.x_state = p->x_state;
  f.last_state = p->last_state;
  f.x = (const HP_REAL *)HP_AMG_NAME(hp_amg_named)(p->x, cycles_b, cycles_x);
  f.s = (const HP_REAL *)p->s;
  f.b = (const HP_REAL *)HP_AMG_NAME(hp_amg_named)(p->b, cycles_b, cycles_x);
  f.out = p->out == HP_AMG_CYCLES_X ? (HP_REAL *)(void *)cycles_x : (HP_REAL *)p->out;
  f.momentum = (HP_REAL)(p->by != NULL ? p->by[0] : p->momentum);
  f.factor = (HP_REAL)(p->by != NULL ? p->by[1] : p->factor);
  switch (p->what) {
    case HP_AMG_PASS_IN: HP_TEAM_FOR(t, i, p->n) f.out[i] = (HP_REAL)cycles_b[i]; break;
    case HP_AMG_PASS_OUT: HP_TEAM_FOR(t, i, p->n) cycles_x[i] = from[i]; break;
    case HP_AMG_PASS_FINEST: HP_AMG_NAME(hp_amg_pass_over)(t, NULL, &H->level[0].finest, p->n, from, f); break;
    case HP_AMG_PASS_INVERSE: HP_AMG_NAME(hp_amg_multiply_inverse)(t, H->inverse, p->n, from, f.out); break;
    case HP_AMG_PASS_SUM: HP_AMG_NAME(hp_amg_sum)(t, p, f.x, from, f.out); break;
    case HP_AMG_PASS_GROUP: HP_AMG_NAME(hp_amg_group_pass)(t, L, p, f.b, f.x, f.out); break;
    case HP_AMG_PASS_ROWS: HP_AMG_NAME(hp_amg_pass_over)(t, &p->rows, NULL, p->n, from, f); break;
    case HP_AMG_PASS_SCALE: HP_AMG_NAME(hp_amg_scale)(t, p, f.b, f.out); break;
    case HP_AMG_PASS_ONE_BY_ONE: HP_AMG_NAME(hp_amg_one_by_one)(t, L, p->forward, f.b, f.x, f.out); break;
    case HP_AMG_PASS_HYBRID: HP_AMG_NAME(hp_amg_hybrid_pass)(t, H, L, p->forward, f.b, f.x, f.out); break;
    case HP_AMG_PASS_SCHWARZ: HP_AMG_NAME(hp_amg_schwarz_pass)(t, L, f.b, f.x, f.out); break;
    default: break;
  }
}
