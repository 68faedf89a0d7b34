/* Approximate inverse: M^-1 in the pattern of A such that |I - M^-1 A| is smallest in the Frobenius norm, row
 * by row (SPAI-1; Grote & Huckle 1997, Broeker & Grote 2002). Row m of it in the columns J:
 *
 *     G m = g,   G_ab = a_a . a_b (rows of A, a and b in J),   g_a = a_ai
 *
 * by Cholesky. Of a row with more than HP_AMG_SPAI_MAX entries the largest are used; where G is not regular
 * the row is that of SPAI-0.
 */
#include "amg/rows/rows.inl.h"

#ifndef HP_REAL
#define HP_REAL double
#define HP_AMG_NAME(name) name##_double
#endif

/* Scalar product of two rows; `sorted`: their columns ascend. */
HP_INLINE HP_HD double HP_AMG_NAME(hp_amg_rows_product)(const hp_csr *A, bool sorted, int64_t i, int64_t j) {
  double sum = 0.0;
  int64_t n = A->begin[j];
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
    const int32_t c = A->column[k];
    if (!sorted) n = A->begin[j];
    while (n < A->begin[j + 1] && (sorted ? A->column[n] < c : A->column[n] != c)) ++n;
    if (n < A->begin[j + 1] && A->column[n] == c) sum += A->value[k] * A->value[n];
  }
  return sum;
}

/* Entry (i, j) of A. */
HP_INLINE HP_HD double HP_AMG_NAME(hp_amg_entry)(const hp_csr *A, int64_t i, int64_t j) {
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    if (A->column[k] == j) return A->value[k];
  return 0.0;
}

/* The places in A of row i's HP_AMG_SPAI_MAX largest entries, of equal ones the first; returns how many. */
HP_INLINE HP_HD int HP_AMG_NAME(hp_amg_spai1_choose)(const hp_csr *A, int64_t i, uint32_t *place) {
  int count = 0;
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
    int at = count;
    if (A->value[k] == 0.0) continue;
    while (at > 0 && fabs(A->value[k]) > fabs(A->value[place[at - 1]])) --at;
    if (at == HP_AMG_SPAI_MAX) continue;
    if (count < HP_AMG_SPAI_MAX) ++count;
    for (int e = count - 1; e > at; --e) place[e] = place[e - 1];
    place[at] = (uint32_t)k;
  }
  return count;
}

/* Solves G m = g, G [count][HP_AMG_SPAI_MAX] symmetric; false if it is not positive definite. */
HP_INLINE HP_HD bool HP_AMG_NAME(hp_amg_cholesky)(int count, double *G, double *g) {
  const int ld = HP_AMG_SPAI_MAX;
  for (int a = 0; a < count; ++a) {
    const double diagonal = G[a * ld + a];
    for (int k = 0; k <= a; ++k) {
      double sum = G[a * ld + k];
      for (int e = 0; e < k; ++e) sum -= G[a * ld + e] * G[k * ld + e];
      if (k == a && !(sum > 1e-13 * diagonal)) return false;
      G[a * ld + k] = k == a ? sqrt(sum) : sum / G[k * ld + k];
    }
    for (int e = 0; e < a; ++e) g[a] -= G[a * ld + e] * g[e];
    g[a] /= G[a * ld + a];
  }
  for (int a = count - 1; a >= 0; --a) {
    for (int e = a + 1; e < count; ++e) g[a] -= G[e * ld + a] * g[e];
    g[a] /= G[a * ld + a];
  }
  return true;
}

HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_spai1_row)(const hp_amg_level *L, int64_t i) {
  double G[HP_AMG_SPAI_MAX * HP_AMG_SPAI_MAX], g[HP_AMG_SPAI_MAX], sum, squares;
  uint32_t place[HP_AMG_SPAI_MAX];
  const hp_csr *A = L->A;
  const hp_amg_rows *M = &L->smooth.inverse;
  HP_REAL *value = (HP_REAL *)M->value;
  const int count = HP_AMG_NAME(hp_amg_spai1_choose)(A, i, place);
  for (int a = 0; a < count; ++a) {
    const int32_t row = A->column[place[a]];
    for (int k = 0; k <= a; ++k)
      G[a * HP_AMG_SPAI_MAX + k] = HP_AMG_NAME(hp_amg_rows_product)(A, L->smooth.sorted, row, A->column[place[k]]);
    g[a] = HP_AMG_NAME(hp_amg_entry)(A, row, i);
  }
  const bool regular = HP_AMG_NAME(hp_amg_cholesky)(count, G, g);
  const double diagonal = hp_amg_diagonal(A, i, &sum, &squares);
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    value[hp_amg_place(M, i, (int32_t)(k - A->begin[i]))] = (HP_REAL)(!regular && A->column[k] == i && squares > 0.0
                                                                          ? diagonal / squares
                                                                          : 0.0);
  for (int a = 0; a < count && regular; ++a)
    value[hp_amg_place(M, i, (int32_t)(place[a] - A->begin[i]))] = (HP_REAL)g[a];
}

HP_INLINE HP_HD void HP_AMG_NAME(hp_amg_spai1_setup)(hp_team *t, const hp_amg *H, const hp_amg_level *L) {
  (void)H;
  HP_TEAM_FOR(t, i, L->A->nrow) HP_AMG_NAME(hp_amg_spai1_row)(L, i);
}
