/* Transposes and products of amg/csr.h against plain triple loops. */
#include <string.h>

#include "core/memory.h"
#include "tests/support/amg_matrices.h"
#include "tests/support/check.h"

enum { N = 37, NC = 11 };

static void to_dense(const hp_csr *A, double *d) {
  memset(d, 0, (size_t)A->nrow * (size_t)A->ncol * sizeof *d);
  for (int32_t i = 0; i < A->nrow; ++i)
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) d[i * A->ncol + A->column[k]] += A->value[k];
}

static void multiply(int n, int m, int l, const double *a, const double *b, double *c) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < l; ++j) {
      c[i * l + j] = 0.0;
      for (int k = 0; k < m; ++k) c[i * l + j] += a[i * m + k] * b[k * l + j];
    }
}

static void same(int count, const double *a, const double *b) {
  for (int e = 0; e < count; ++e) CHECK_NEAR(a[e], b[e], 1e-13);
}

static void sorted(const hp_csr *A) {
  for (int32_t i = 0; i < A->nrow; ++i)
    for (int64_t k = A->begin[i] + 1; k < A->begin[i + 1]; ++k) CHECK(A->column[k - 1] < A->column[k]);
}

static void sorts(int32_t count, uint64_t seed) {
  int32_t v[300];
  int64_t sum = 0;
  for (int32_t n = 0; n < count; ++n) sum += v[n] = (int32_t)(matrix_bits(&seed) % 1000);
  hp_csr_sort(v, count);
  for (int32_t n = 0; n < count; ++n) {
    CHECK(n == 0 || v[n - 1] <= v[n]);
    sum -= v[n];
  }
  CHECK(sum == 0);
}

static void galerkin(double fill, uint64_t seed) {
  static double a[N * N], p[N * NC], r[NC * N], ap[N * NC], rap[NC * NC], got[N * NC];
  hp_csr *A, *P, *R, *AP, *RAP;
  CHECK_OK(amg_random_csr(N, N, fill, seed, &A));
  CHECK_OK(amg_random_csr(N, NC, fill, seed + 1, &P));
  P->begin[N] = P->begin[N - 1]; /* an empty row */
  CHECK_OK(hp_csr_transpose(P, &R));
  to_dense(P, p);
  to_dense(R, r);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < NC; ++j) CHECK(r[j * N + i] == p[i * NC + j]);
  CHECK_OK(hp_csr_galerkin(R, A, P, &AP, &RAP));
  sorted(AP);
  sorted(RAP);
  hp_csr_plan plan_ap, plan_rap;
  hp_csr_destroy(&AP);
  hp_csr_destroy(&RAP);
  CHECK_OK(hp_csr_product(A, P, &AP, &plan_ap));
  CHECK_OK(hp_csr_product(R, AP, &RAP, &plan_rap));
  for (int round = 0; round < 2; ++round) {
    to_dense(A, a);
    multiply(N, N, NC, a, p, ap);
    multiply(NC, N, NC, r, ap, rap);
    to_dense(AP, got);
    same(N * NC, got, ap);
    to_dense(RAP, got);
    same(NC * NC, got, rap);
    /* new numbers in the old pattern, the rows in two parts */
    for (int64_t k = 0; k < hp_csr_count(A); ++k) A->value[k] = matrix_random(&seed);
    hp_csr_product_rows(A, P, AP, &plan_ap, 5, N);
    hp_csr_product_rows(A, P, AP, &plan_ap, 0, 5);
    hp_csr_product_rows(R, AP, RAP, &plan_rap, 0, NC);
  }
  hp_csr_plan_free(&plan_ap);
  hp_csr_plan_free(&plan_rap);
  hp_csr_destroy(&A);
  hp_csr_destroy(&P);
  hp_csr_destroy(&R);
  hp_csr_destroy(&AP);
  hp_csr_destroy(&RAP);
}

int main(void) {
  for (uint64_t seed = 1; seed <= 20; ++seed) galerkin(0.02 + 0.03 * (double)seed, 100 * seed);
  for (int32_t count = 0; count <= 300; ++count) sorts(count, (uint64_t)count);
  hp_csr *A, *B, *C = NULL;
  CHECK_OK(amg_random_csr(3, 4, 0.5, 1, &A));
  CHECK_OK(amg_random_csr(3, 4, 0.5, 2, &B));
  CHECK(hp_csr_product(A, B, &C, NULL) == HP_ERR_INTERNAL && C == NULL);
  CHECK(hp_csr_create(10, 10, INT64_C(1) << 32, &C) == HP_ERR_UNSUPPORTED && C == NULL);
  hp_csr_destroy(&A);
  hp_csr_destroy(&B);
  return check_result();
}
