/* A row's product in each format of bench/amg/products.h, by one thread, for one type HP_REAL of numbers. */
#include "bench/amg/products.h"

#ifndef HP_REAL
#define HP_REAL double
#define HP_AMG_NAME(name) name##_double
#endif

/* Entries begin .. end - 1, one in `step`. */
HP_INLINE HP_HD HP_REAL HP_AMG_NAME(hp_amg_format_sum)(const int32_t *column, const void *value, int64_t begin,
                                                       int64_t end, int64_t step, const HP_REAL *x) {
  HP_REAL sum = 0;
  for (int64_t e = begin; e < end; e += step) sum += ((const HP_REAL *)value)[e] * x[column[e]];
  return sum;
}

HP_INLINE HP_HD HP_REAL HP_AMG_NAME(hp_amg_format_hec_row)(const hp_amg_format *F, int64_t i, const HP_REAL *x) {
  return HP_AMG_NAME(hp_amg_format_sum)(F->column, F->value, i, F->count, F->nrow, x) +
         HP_AMG_NAME(hp_amg_format_sum)(F->rest_column, F->rest_value, F->rest_begin[i], F->rest_begin[i + 1], 1, x);
}

/* Row i of A x; sliced: without lanes. */
HP_INLINE HP_HD HP_REAL HP_AMG_NAME(hp_amg_format_row)(const hp_amg_format *F, int64_t i, const HP_REAL *x) {
  const int64_t step = INT64_C(1) << F->shift, slice = i >> F->shift;
  if (F->kind == HP_AMG_FORMAT_HEC) return HP_AMG_NAME(hp_amg_format_hec_row)(F, i, x);
  if (F->kind == HP_AMG_FORMAT_CSR)
    return HP_AMG_NAME(hp_amg_format_sum)(F->column, F->value, F->begin[i], F->begin[i + 1], 1, x);
  return HP_AMG_NAME(hp_amg_format_sum)(F->column, F->value, F->begin[slice] + (i & (step - 1)), F->begin[slice + 1],
                                        step, x);
}
