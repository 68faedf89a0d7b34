/* Products with a precision: included by bench/sgdia/multiply.inl.h with REAL, the type, and OF(name), the name of a
 * function for it. */

/* Row i of a cell with the neighbours cell [points] (-1: x is 0). */
HP_INLINE REAL OF(row)(const hp_sgdia *A, int64_t i, const int64_t *cell, const REAL *x) {
  const REAL *value = (const REAL *)A->value;
  const int q = A->q;
  REAL sum = 0;
  for (int p = 0; p < A->points; ++p)
    for (int b = 0; b < q; ++b) {
      const REAL xb = cell[p] >= 0 ? x[cell[p] * q + b] : 0;
      sum += value[((int64_t)p * q + b) * A->ld + i] * xb;
    }
  return sum;
}

HP_INLINE void OF(multiply)(hp_team *t, const hp_sgdia *A, const REAL *x, REAL *y) {
  HP_TEAM_FOR_OWNED(t, m, A->ncell) {
    int64_t cell[HP_SGDIA_POINTS_MAX];
    hp_sgdia_cells(A, m, cell);
    for (int a = 0; a < A->q; ++a) y[m * A->q + a] = OF(row)(A, m * A->q + a, cell, x);
  }
}

HP_INLINE void OF(multiply_rows)(hp_team *t, const hp_sgdia_rows *R, const REAL *x, REAL *y) {
  const REAL *value = (const REAL *)R->value;
  if (R->diagonals == 0) {
    HP_TEAM_FOR_OWNED(t, i, R->n) {
      REAL sum = 0;
      for (int32_t e = R->begin[i]; e < R->begin[i + 1]; ++e) sum += value[e] * x[R->column[e]];
      y[i] = sum;
    }
    return;
  }
  HP_TEAM_FOR_OWNED(t, i, R->n) {
    REAL sum = 0;
    for (int d = 0; d < R->diagonals; ++d) {
      const int64_t j = i + R->column[d];
      if (j >= 0 && j < R->n) sum += value[d * R->ld + i] * x[j];
    }
    y[i] = sum;
  }
}
