/* Gauss-Seidel, one row after the other, by one member: the reference for the others. */
#include "amg/rows/rows.inl.h"

#ifndef HP_REAL
#define HP_REAL double
#define HP_AMG_NAME(name) name##_double
#endif

/* A sweep in place; from zero (x NULL) all rows are cleared before. */
HP_INLINE void HP_AMG_NAME(hp_amg_one_by_one)(const hp_team *t, const hp_amg_level *L, bool forward, const HP_REAL *b,
                                              const HP_REAL *x, HP_REAL *out) {
  const HP_REAL *s = (const HP_REAL *)L->smooth.scale;
  const int64_t n = L->nrow;
  if (t->rank != 0) return;
  for (int64_t i = 0; i < n && x == NULL; ++i) out[i] = 0;
  for (int64_t k = 0; k < n; ++k) {
    const int64_t i = forward ? k : n - 1 - k;
    out[i] += s[i] * (b[i] - HP_AMG_NAME(hp_amg_dot)(L, i, out));
  }
}
