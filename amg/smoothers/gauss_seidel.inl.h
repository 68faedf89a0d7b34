/* Gauss-Seidel, one row after the other, by one member: the reference for the others. */
#include "amg/cycle/rows.inl.h"

#ifndef HP_REAL
#define HP_REAL double
#define HP_AMG_NAME(name) name##_double
#endif

HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_gauss_seidel_sweep)(hp_team *t, const hp_amg *H, const hp_amg_level *L,
                                                            bool forward, const HP_REAL *b,
                                                            HP_AMG_NAME(hp_amg_iterate) * v) {
  const HP_REAL *s = (const HP_REAL *)L->smooth.scale;
  const int64_t n = L->A->nrow;
  HP_REAL *x = v->x;
  (void)H;
  if (t->rank == 0) {
    for (int64_t i = 0; i < n && v->state == HP_AMG_ZERO; ++i) x[i] = 0;
    for (int64_t k = 0; k < n; ++k) {
      const int64_t i = forward ? k : n - 1 - k;
      x[i] += s[i] * (b[i] - HP_AMG_NAME(hp_amg_dot)(L, i, NULL, x));
    }
  }
  hp_team_sync(t); /* x */
  v->state = HP_AMG_STORED;
}
