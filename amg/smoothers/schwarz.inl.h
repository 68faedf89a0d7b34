/* Domain decomposition: restricted additive Schwarz (Cai & Sarkis 1999). A domain's problem has its interior
 * rows and those on which they depend (an overlap of one layer). It is solved by ILU(0), and only the interior
 * rows of the solution are used, so that no two domains write the same entry.
 */
#include "amg/rows/rows.inl.h"

#ifndef HP_REAL
#define HP_REAL double
#define HP_AMG_NAME(name) name##_double
#endif

/* 1 / pivot, whose diagonal entry was `entry`. In a domain without connection to the outside the last pivot is zero but
 * for rounding, which contrasts make large: it becomes 1e-4 of the entry. That slows down smooth errors only, which the
 * next level reduces. */
HP_INLINE HP_HD HP_REAL HP_AMG_NAME(hp_amg_schwarz_pivot)(HP_REAL pivot, HP_REAL entry) {
  const HP_REAL least = (HP_REAL)1e-4 * entry;
  if (entry == 0) return 0;
  return 1 / (entry > 0 ? (pivot > least ? pivot : least) : (pivot < least ? pivot : least));
}

/* ILU(0): numbers of row i from A, then the row of the factors; those that it depends on are made. Columns are counted
 * from row `from` on. */
HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_schwarz_row)(const hp_csr *A, const hp_amg_smooth *S, int32_t from, int32_t i) {
  HP_REAL *value = (HP_REAL *)S->value;
  const int64_t end = S->begin[i + 1], middle = S->diagonal[i];
  for (int64_t e = S->begin[i]; e < end; ++e)
    value[e] = (HP_REAL)(S->source[e] != HP_AMG_NOWHERE ? A->value[S->source[e]] : 0.0);
  const HP_REAL diagonal = value[middle];
  for (int64_t e = S->begin[i]; e < middle; ++e) {
    const int32_t k = from + S->column[e];
    value[e] *= value[S->diagonal[k]];
    int64_t to = e + 1;
    for (int64_t p = (int64_t)S->diagonal[k] + 1; p < S->begin[k + 1]; ++p) {
      while (to < end && S->column[to] < S->column[p]) ++to;
      if (to < end && S->column[to] == S->column[p]) value[to] -= value[e] * value[p];
    }
  }
  value[middle] = HP_AMG_NAME(hp_amg_schwarz_pivot)(value[middle], diagonal);
}

HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_schwarz_setup)(hp_team *t, const hp_amg *H, const hp_amg_level *L) {
  (void)H;
  const int32_t *domain = L->smooth.domain;
  for (int64_t c = t->rank; c < L->smooth.ndomain; c += t->size)
    for (int32_t i = domain[c]; i < domain[c + 1]; ++i) HP_AMG_NAME(hp_amg_schwarz_row)(L->A, &L->smooth, domain[c], i);
}

/* x (+)= the solution for r in the interior rows of domain c; n rows in all. */
HP_INLINE void HP_AMG_NAME(hp_amg_schwarz_solve)(const hp_amg_smooth *S, int64_t n, int64_t c, const HP_REAL *r,
                                                 bool add, HP_REAL *x) {
  const HP_REAL *value = (const HP_REAL *)S->value;
  const int32_t from = S->domain[c], end = S->domain[c + 1];
  const int64_t begin = n * c / S->ndomain, rows = n * (c + 1) / S->ndomain - begin;
  HP_REAL *z = (HP_REAL *)S->work + from;
  for (int32_t i = from; i < end; ++i) {
    HP_REAL sum = r[S->row[i]];
    for (int64_t e = S->begin[i]; e < S->diagonal[i]; ++e) sum -= value[e] * z[S->column[e]];
    z[i - from] = sum;
  }
  for (int32_t i = end - 1; i >= from; --i) {
    HP_REAL sum = z[i - from];
    for (int64_t e = (int64_t)S->diagonal[i] + 1; e < S->begin[i + 1]; ++e) sum -= value[e] * z[S->column[e]];
    z[i - from] = sum * value[S->diagonal[i]];
  }
  for (int64_t k = 0; k < rows; ++k) x[begin + k] = (add ? x[begin + k] : 0) + z[S->first[c] + k];
}

/* All domains, one per member; a GPU: amg/smoothers/cuda/schwarz.cu. */
HP_INLINE void HP_AMG_NAME(hp_amg_schwarz_pass)(const hp_team *t, const hp_amg_level *L, const HP_REAL *r,
                                                const HP_REAL *x, HP_REAL *out) {
  for (int64_t c = t->rank; c < L->smooth.ndomain; c += t->size)
    HP_AMG_NAME(hp_amg_schwarz_solve)(&L->smooth, L->nrow, c, r, x != NULL, out);
}
