/* Gauss-Seidel by groups of rows that do not depend on each other:
 *
 *     coloured         groups are the colours of a greedy colouring; another order of the rows
 *     level-scheduled  groups are the dependency levels of the natural order: the same bits as one row after
 *                      the other (the triangular solves of Liu, Yu & Chen 2013)
 *
 * Backward: the groups in the opposite order.
 */
#include "amg/cycle/rows.inl.h"

#ifndef HP_REAL
#define HP_REAL double
#define HP_AMG_NAME(name) name##_double
#endif

/* The first group depends on nothing, so that from zero it is solved while the other rows are cleared. */
HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_scheduled_first)(hp_team *t, const hp_amg_level *L, const int32_t *group,
                                                         const HP_REAL *b, HP_REAL *x) {
  const HP_REAL *s = (const HP_REAL *)L->smooth.scale;
  HP_TEAM_FOR(t, k, L->A->nrow) {
    const int32_t i = L->smooth.order[k];
    x[i] = k >= group[0] && k < group[1] ? s[i] * b[i] : 0;
  }
  hp_team_sync(t); /* x */
}

HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_scheduled_sweep)(hp_team *t, const hp_amg *H, const hp_amg_level *L,
                                                         bool forward, const HP_REAL *b,
                                                         HP_AMG_NAME(hp_amg_iterate) * v) {
  const hp_amg_smooth *S = &L->smooth;
  const HP_REAL *s = (const HP_REAL *)S->scale;
  HP_REAL *x = v->x;
  (void)H;
  for (int g = 0; g < S->ngroup; ++g) {
    const int32_t *group = S->group + (forward ? g : S->ngroup - 1 - g);
    if (g == 0 && v->state == HP_AMG_ZERO) {
      HP_AMG_NAME(hp_amg_scheduled_first)(t, L, group, b, x);
      continue;
    }
    HP_TEAM_FOR(t, k, group[1] - group[0]) {
      const int32_t i = S->order[group[0] + k];
      x[i] += s[i] * (b[i] - HP_AMG_NAME(hp_amg_dot_own)(L, i, x));
    }
    hp_team_sync(t); /* the group's x */
  }
  v->state = HP_AMG_STORED;
}
