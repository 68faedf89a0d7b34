#include "amg/csr.h"

#include "core/memory.h"

hp_status hp_csr_create(int64_t nrow, int64_t ncol, int64_t count, hp_csr **out) {
  *out = NULL;
  if (nrow >= INT32_MAX || ncol >= INT32_MAX || count >= INT32_MAX)
    return hp_fail(HP_ERR_UNSUPPORTED, "multigrid: %lld rows, %lld entries: more than 32-bit indices count",
                   (long long)nrow, (long long)count);
  hp_csr *A = NULL;
  HP_TRY(HP_ALLOC(A, 1));
  A->nrow = (int32_t)nrow;
  A->ncol = (int32_t)ncol;
  hp_status s = HP_ALLOC(A->begin, nrow + 1);
  if (s == HP_OK) s = HP_ALLOC(A->column, count);
  if (s == HP_OK) s = HP_ALLOC(A->value, count);
  if (s != HP_OK) hp_csr_destroy(&A);
  *out = A;
  return s;
}

void hp_csr_destroy(hp_csr **slot) {
  if (slot == NULL || *slot == NULL) return;
  HP_FREE((*slot)->begin);
  HP_FREE((*slot)->column);
  HP_FREE((*slot)->value);
  HP_FREE(*slot);
}

int64_t hp_csr_bytes(const hp_csr *A) {
  if (A == NULL) return 0;
  return (A->nrow + INT64_C(1)) * (int64_t)sizeof *A->begin +
         hp_csr_count(A) * (int64_t)(sizeof *A->column + sizeof *A->value);
}

/* Moves v[at] down the heap v [count] until its children are not larger. */
static void sift(int32_t *v, int32_t at, int32_t count) {
  for (int32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && v[child + 1] > v[child]) child += 1;
    if (v[at] >= v[child]) return;
    const int32_t held = v[at];
    v[at] = v[child];
    v[child] = held;
    at = child;
  }
}

/* By insertion while short, else a heap. */
void hp_csr_sort(int32_t *v, int32_t count) {
  if (count <= 48) {
    for (int32_t n = 1; n < count; ++n) {
      const int32_t held = v[n];
      int32_t m = n;
      for (; m > 0 && v[m - 1] > held; --m) v[m] = v[m - 1];
      v[m] = held;
    }
    return;
  }
  for (int32_t n = count / 2 - 1; n >= 0; --n) sift(v, n, count);
  for (int32_t n = count - 1; n > 0; --n) {
    const int32_t most = v[0];
    v[0] = v[n];
    v[n] = most;
    sift(v, 0, n);
  }
}

hp_status hp_csr_transpose(const hp_csr *A, hp_csr **out) {
  HP_TRY(hp_csr_create(A->ncol, A->nrow, hp_csr_count(A), out));
  hp_csr *T = *out;
  for (int64_t k = 0; k < hp_csr_count(A); ++k) T->begin[A->column[k] + 1] += 1;
  for (int32_t i = 0; i < T->nrow; ++i) T->begin[i + 1] += T->begin[i];
  for (int32_t i = 0; i < A->nrow; ++i)
    for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
      const int32_t at = T->begin[A->column[k]]++;
      T->column[at] = i;
      T->value[at] = A->value[k];
    }
  for (int32_t i = T->nrow; i > 0; --i) T->begin[i] = T->begin[i - 1];
  T->begin[0] = 0;
  return HP_OK;
}

/* Row i of the product's pattern: its columns, rising, into `column` unless that is NULL; seen [ncol] holds stamps. */
static int32_t pattern_row(const hp_csr *A, const hp_csr *B, int32_t i, int64_t stamp, int64_t *seen, int32_t *column) {
  int32_t count = 0;
  for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    for (int32_t n = B->begin[A->column[k]]; n < B->begin[A->column[k] + 1]; ++n) {
      if (seen[B->column[n]] == stamp) continue;
      seen[B->column[n]] = stamp;
      if (column != NULL) column[count] = B->column[n];
      count += 1;
    }
  if (column != NULL) hp_csr_sort(column, count);
  return count;
}

hp_status hp_csr_product_pattern(const hp_csr *A, const hp_csr *B, hp_csr **out) {
  *out = NULL;
  if (A->ncol != B->nrow) return hp_fail(HP_ERR_INTERNAL, "sparse product of %d columns and %d rows", A->ncol, B->nrow);
  int64_t *seen = NULL, count = 0;
  HP_TRY(HP_ALLOC(seen, B->ncol));
  for (int32_t i = 0; i < A->nrow; ++i) count += pattern_row(A, B, i, i + 1, seen, NULL);
  const hp_status s = hp_csr_create(A->nrow, B->ncol, count, out);
  for (int32_t i = 0; i < A->nrow && s == HP_OK; ++i) {
    hp_csr *C = *out;
    C->begin[i + 1] = C->begin[i] + pattern_row(A, B, i, (int64_t)A->nrow + i + 1, seen, C->column + C->begin[i]);
  }
  HP_FREE(seen);
  return s;
}

hp_status hp_csr_galerkin(const hp_csr *R, const hp_csr *A, const hp_csr *P, hp_csr **AP, hp_csr **RAP) {
  *AP = *RAP = NULL;
  int32_t *marker = NULL;
  HP_TRY(HP_ALLOC(marker, P->ncol));
  hp_status s = hp_csr_product_pattern(A, P, AP);
  if (s == HP_OK) s = hp_csr_product_pattern(R, *AP, RAP);
  if (s == HP_OK) {
    hp_csr_product_rows(A, P, *AP, marker, 0, A->nrow);
    hp_csr_product_rows(R, *AP, *RAP, marker, 0, R->nrow);
  } else {
    hp_csr_destroy(AP);
  }
  HP_FREE(marker);
  return s;
}
