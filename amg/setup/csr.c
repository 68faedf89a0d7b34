#include "amg/csr.h"

#include <string.h>

#include "amg/setup/setup_impl.h"
#include "core/memory.h"

hp_status hp_csr_check_entries(const char *what, int64_t entries) {
  if (entries <= HP_CSR_ENTRIES_MAX) return HP_OK;
  return hp_fail(HP_ERR_UNSUPPORTED,
                 "multigrid: %lld entries %s, and 32-bit indices count %lld: take a coarser grid, or "
                 "linear.preconditioner = \"dilu\"",
                 (long long)entries, what, (long long)HP_CSR_ENTRIES_MAX);
}

hp_status hp_csr_create(int64_t nrow, int64_t ncol, int64_t count, hp_csr **out) {
  *out = NULL;
  if (nrow >= INT32_MAX || ncol >= INT32_MAX)
    return hp_fail(HP_ERR_UNSUPPORTED, "multigrid: %lld rows and %lld columns: more than 32-bit numbers can count",
                   (long long)nrow, (long long)ncol);
  HP_TRY(hp_csr_check_entries("of a matrix", count));
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

/* ---- transposes ---- */

/* The places at which each member's entries of a column begin, after the members' counts in the markers;
 * begin[j+1]: entries of column j. */
static void place_columns(hp_team *t, const hp_amg_work *w, int32_t ncol, uint32_t *begin) {
  const hp_span columns = hp_team_span(t, ncol, 1);
  for (int64_t j = columns.begin; j < columns.end; ++j) {
    int32_t at = 0;
    for (int r = 0; r < t->size; ++r) {
      const int32_t count = w->marker[r * w->room + j];
      w->marker[r * w->room + j] = at;
      at += count;
    }
    begin[j + 1] = (uint32_t)at;
  }
}

hp_status hp_amg_by_columns(hp_team *t, hp_amg_work *w, const hp_csr *A, int32_t nrow, int32_t ncol,
                            const uint8_t *keep, uint32_t **begin, int32_t **row, double **value) {
  const hp_span rows = hp_team_span(t, nrow, 1);
  int32_t *at = hp_amg_marker(t, w);
  hp_status s = HP_OK;
  memset(at, 0, (size_t)ncol * sizeof *at);
  for (int64_t k = A->begin[rows.begin]; k < A->begin[rows.end]; ++k)
    if (keep == NULL || keep[k]) at[A->column[k]] += 1;
  if (t->rank == 0) s = HP_ALLOC_UNSET(*begin, (int64_t)ncol + 1);
  HP_TRY(hp_amg_agree(t, w, s));
  place_columns(t, w, ncol, *begin);
  HP_TRY(hp_amg_scan(t, w, *begin, ncol));
  if (t->rank == 0) s = HP_ALLOC_UNSET(*row, (*begin)[ncol]);
  if (t->rank == 0 && s == HP_OK && value != NULL) s = HP_ALLOC_UNSET(*value, (*begin)[ncol]);
  HP_TRY(hp_amg_agree(t, w, s));
  for (int64_t i = rows.begin; i < rows.end; ++i)
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
      if (keep != NULL && !keep[k]) continue;
      const int32_t j = A->column[k];
      const int64_t n = (int64_t)(*begin)[j] + at[j]++;
      (*row)[n] = (int32_t)i;
      if (value != NULL) (*value)[n] = A->value[k];
    }
  hp_team_sync(t); /* rows and values */
  return HP_OK;
}

hp_status hp_csr_create_empty(int32_t nrow, int32_t ncol, hp_csr **out) {
  HP_TRY(HP_ALLOC(*out, 1));
  (*out)->nrow = nrow;
  (*out)->ncol = ncol;
  return HP_OK;
}

/* Member 0 destroys what failed. */
static hp_status give_up(hp_team *t, hp_csr **A, hp_status s) {
  if (t->rank == 0) hp_csr_destroy(A);
  hp_team_sync(t); /* nothing is there any more */
  return s;
}

hp_status hp_csr_transpose_by(hp_team *t, hp_amg_work *w, const hp_csr *A, hp_csr **out) {
  hp_status s = HP_OK;
  if (t->rank == 0) s = hp_csr_create_empty(A->ncol, A->nrow, out);
  HP_TRY(hp_amg_agree(t, w, s));
  hp_csr *T = *out;
  s = hp_amg_by_columns(t, w, A, A->nrow, A->ncol, NULL, &T->begin, &T->column, &T->value);
  return s == HP_OK ? HP_OK : give_up(t, out, s);
}

hp_status hp_csr_transpose(const hp_csr *A, hp_csr **out) {
  hp_amg_alone one;
  *out = NULL;
  HP_TRY(hp_amg_alone_begin(&one, A->nrow > A->ncol ? A->nrow : A->ncol));
  const hp_status s = hp_csr_transpose_by(&one.t, &one.w, A, out);
  hp_amg_alone_end(&one);
  return s;
}

/* ---- products ---- */

void hp_csr_plan_free(hp_csr_plan *plan) {
  HP_FREE(plan->begin);
  HP_FREE(plan->place);
}

int64_t hp_csr_plan_bytes(const hp_csr_plan *plan, const hp_csr *C) {
  return plan->begin == NULL ? 0 : (C->nrow + INT64_C(1)) * (int64_t)sizeof *plan->begin + plan->begin[C->nrow];
}

/* Row i of the product's pattern: its columns in `list` [columns of B, and one more], as they are met. seen [columns
 * of B] must not hold `stamp` before; afterwards it does at the row's columns. Branch-free, because branches would be
 * mispredicted often. */
static int32_t pattern_row(const hp_csr *A, const hp_csr *B, int64_t i, int32_t stamp, int32_t *seen, int32_t *list) {
  int32_t count = 0;
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
    const int64_t end = B->begin[A->column[k] + 1];
    for (int64_t n = B->begin[A->column[k]]; n < end; ++n) {
      const int32_t j = B->column[n];
      list[count] = j;
      count += seen[j] != stamp;
      seen[j] = stamp;
    }
  }
  return count;
}

/* Bytes of row i's places, filled up to a multiple of 4. */
static int64_t place_bytes(const hp_csr *A, const hp_csr *B, int64_t i, int32_t length) {
  int64_t count = 0;
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) count += hp_csr_length(B, A->column[k]);
  return (count * hp_csr_place_bytes(length) + 3) / 4 * 4;
}

/* Values c and places `out` (NULL: not wanted) of row i, whose columns stand at place [columns of B]. */
HP_INLINE void fill_row(const hp_csr *A, const hp_csr *B, int64_t i, const int32_t *place, double *c, void *out,
                        int bytes) {
  int64_t at = 0;
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
    const double a = A->value[k];
    const int64_t end = B->begin[A->column[k] + 1];
    for (int64_t n = B->begin[A->column[k]]; n < end; ++n, ++at) {
      const int32_t p = place[B->column[n]];
      c[p] += a * B->value[n];
      if (out == NULL) continue;
      if (bytes == 1) ((uint8_t *)out)[at] = (uint8_t)p;
      else if (bytes == 2) ((uint16_t *)out)[at] = (uint16_t)p;
      else ((uint32_t *)out)[at] = (uint32_t)p;
    }
  }
}

static void make_row(const hp_csr *A, const hp_csr *B, const hp_csr *C, int64_t i, int32_t *marker, int32_t *list,
                     void *out) {
  int32_t *column = C->column + C->begin[i];
  double *c = C->value + C->begin[i];
  const int32_t length = pattern_row(A, B, i, -2, marker, list);
  hp_csr_sort(list, length);
  for (int32_t n = 0; n < length; ++n) {
    column[n] = list[n];
    marker[column[n]] = n;
    c[n] = 0.0;
  }
  const int bytes = hp_csr_place_bytes(length);
  if (out == NULL) fill_row(A, B, i, marker, c, NULL, 1);
  else if (bytes == 1) fill_row(A, B, i, marker, c, out, 1);
  else fill_row(A, B, i, marker, c, out, bytes);
}

/* Counts row by row, then room for all, then columns, places and values row by row. */
static hp_status product(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_csr *B, hp_csr *C, hp_csr_plan *plan) {
  const hp_span rows = hp_team_span(t, A->nrow, 1);
  int32_t *marker = hp_amg_marker(t, w), *list = hp_amg_list(t, w);
  int64_t bytes = 0, at = 0;
  hp_status s = HP_OK;
  if (t->rank == 0) s = HP_ALLOC_UNSET(C->begin, C->nrow + INT64_C(1));
  if (t->rank == 0 && s == HP_OK && plan != NULL) s = HP_ALLOC_UNSET(plan->begin, C->nrow + INT64_C(1));
  HP_TRY(hp_amg_agree(t, w, s));
  memset(marker, 0xff, (size_t)B->ncol * sizeof *marker);
  for (int64_t i = rows.begin; i < rows.end; ++i) {
    const int32_t length = pattern_row(A, B, i, (int32_t)i, marker, list);
    C->begin[i + 1] = (uint32_t)length;
    if (plan != NULL) bytes += place_bytes(A, B, i, length);
  }
  HP_TRY(hp_amg_scan(t, w, C->begin, C->nrow));
  const int64_t total = hp_amg_total(t, w, bytes, &at);
  if (t->rank == 0) s = HP_ALLOC_UNSET(C->column, C->begin[C->nrow]);
  if (t->rank == 0 && s == HP_OK) s = HP_ALLOC_UNSET(C->value, C->begin[C->nrow]);
  if (t->rank == 0 && s == HP_OK && plan != NULL) s = HP_ALLOC_UNSET(plan->place, total);
  HP_TRY(hp_amg_agree(t, w, s));
  for (int64_t i = rows.begin; i < rows.end; ++i) {
    make_row(A, B, C, i, marker, list, plan != NULL ? plan->place + at : NULL);
    if (plan == NULL) continue;
    plan->begin[i] = at;
    at += place_bytes(A, B, i, hp_csr_length(C, i));
  }
  if (t->rank == 0 && plan != NULL) plan->begin[C->nrow] = total;
  hp_team_sync(t); /* C and the plan */
  return HP_OK;
}

hp_status hp_csr_product_by(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_csr *B, hp_csr **C,
                            hp_csr_plan *plan) {
  hp_status s = HP_OK;
  if (t->rank == 0 && A->ncol != B->nrow)
    s = hp_fail(HP_ERR_INTERNAL, "sparse product of %d columns and %d rows", A->ncol, B->nrow);
  if (t->rank == 0 && s == HP_OK) s = hp_csr_create_empty(A->nrow, B->ncol, C);
  HP_TRY(hp_amg_agree(t, w, s));
  s = product(t, w, A, B, *C, plan);
  if (s == HP_OK) return HP_OK;
  if (t->rank == 0 && plan != NULL) hp_csr_plan_free(plan);
  return give_up(t, C, s);
}
