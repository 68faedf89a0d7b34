/* Hybrid: Gauss-Seidel inside blocks of rows whose number depends on the level's size only (hp_amg_options.domain
 * and .domains), Jacobi between them. Half the sum of |a_ij| outside row i's block, if it is not small, is added to
 * the diagonal: then the sweep converges where strong couplings cross the borders (Baker, Falgout, Kolev & Yang
 * 2011, section 6.1 and remark 6.2).
 */
#include "amg/rows/rows.inl.h"

#ifndef HP_REAL
#define HP_REAL double
#define HP_AMG_NAME(name) name##_double
#endif

HP_INLINE HP_HD double HP_AMG_NAME(hp_amg_hybrid_outside)(const hp_csr *A, int64_t blocks, int64_t i, double diagonal) {
  const int64_t n = A->nrow, c = ((i + 1) * blocks - 1) / n, begin = n * c / blocks, end = n * (c + 1) / blocks;
  double sum = 0.0;
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    if (A->column[k] < begin || A->column[k] >= end) sum += fabs(A->value[k]);
  return 0.5 * sum > fabs(diagonal) / 3.0 ? 0.5 * sum : 0.0;
}

HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_hybrid_setup)(hp_team *t, const hp_amg *H, const hp_amg_level *L) {
  HP_REAL *scale = (HP_REAL *)L->smooth.scale;
  const int64_t n = L->A->nrow, blocks = hp_amg_domains(&H->opt, n);
  HP_TEAM_FOR(t, i, n) {
    double sum, squares;
    const double d = hp_amg_diagonal(L->A, i, &sum, &squares);
    const double outside = HP_AMG_NAME(hp_amg_hybrid_outside)(L->A, blocks, i, d);
    scale[i] = (HP_REAL)(d != 0.0 ? 1.0 / (d < 0.0 ? d - outside : d + outside) : 0.0);
  }
}

/* Sum and the products of the entries e .. last - 1, one in `step`: inside the block from out, outside from x (not at all
 * if that is NULL). */
HP_INLINE_ALWAYS HP_REAL HP_AMG_NAME(hp_amg_hybrid_sum)(const hp_amg_rows *A, int64_t e, int64_t last, int64_t step,
                                                        int64_t begin, int64_t end, const HP_REAL *x,
                                                        const HP_REAL *out, HP_REAL sum) {
  const HP_REAL *value = (const HP_REAL *)A->value;
  for (; e < last; e += step) {
    const int64_t j = A->column[e];
    if (j >= begin && j < end) sum += value[e] * out[j];
    else if (x != NULL) sum += value[e] * x[j];
  }
  return sum;
}

/* One row. */
HP_INLINE void HP_AMG_NAME(hp_amg_hybrid_row)(const hp_amg_level *L, int64_t i, int64_t begin, int64_t end,
                                              const HP_REAL *b, const HP_REAL *x, HP_REAL *out) {
  const hp_amg_rows *A = &L->a;
  const int64_t step = INT64_C(1) << A->shift, slice = i >> A->shift;
  HP_REAL sum = 0;
  if (A->width > 0)
    sum = HP_AMG_NAME(hp_amg_hybrid_sum)(A, i, (int64_t)A->width * A->nrow, A->nrow, begin, end, x, out, sum);
  sum = HP_AMG_NAME(hp_amg_hybrid_sum)(A, A->begin[slice] + (i & (step - 1)), A->begin[slice + 1], step, begin, end, x,
                                       out, sum);
  out[i] += ((const HP_REAL *)L->smooth.scale)[i] * (b[i] - sum);
}

/* All domains, one per member; a GPU: amg/smoothers/cuda/hybrid.cu. */
HP_INLINE void HP_AMG_NAME(hp_amg_hybrid_pass)(const hp_team *t, const hp_amg *H, const hp_amg_level *L, bool forward,
                                               const HP_REAL *b, const HP_REAL *x, HP_REAL *out) {
  const int64_t n = L->nrow, blocks = hp_amg_domains(&H->opt, n);
  for (int64_t c = t->rank; c < blocks; c += t->size) {
    const int64_t begin = n * c / blocks, end = n * (c + 1) / blocks;
    for (int64_t i = begin; i < end; ++i) out[i] = x != NULL ? x[i] : 0;
    for (int64_t k = begin; k < end; ++k)
      HP_AMG_NAME(hp_amg_hybrid_row)(L, forward ? k : begin + end - 1 - k, begin, end, b, x, out);
  }
}
