/* A matrix of block rows in the other formats of linsolve/matrix/sparse.h. */
#include "bench/bsr/bsr.h"
#include "core/memory.h"
#include "linsolve/matrix/sparse.h"

static int64_t row_length(const hp_bsr *B, int64_t i) { return (B->begin[i / B->q + 1] - B->begin[i / B->q]) * B->q; }

static hp_status check_count(int64_t count) {
  if (count <= INT32_MAX) return HP_OK;
  return hp_fail(HP_ERR_UNSUPPORTED, "%lld entries are more than 32-bit indices can count", (long long)count);
}

/* Calls put(F, row, number in the row, column, value) for all entries, rows and columns rising. */
static void for_entries(const hp_bsr *B, hp_sparse *F, void (*put)(hp_sparse *, int64_t, int64_t, int64_t, double)) {
  const int q = B->q;
  for (int64_t i = 0; i < B->nrow * q; ++i) {
    int64_t number = 0;
    for (int64_t p = B->begin[i / q]; p < B->begin[i / q + 1]; ++p)
      for (int b = 0; b < q; ++b) put(F, i, number++, (int64_t)B->column[p] * q + b, B->value[(p * q + b) * q + i % q]);
  }
}

/* ---- csr and bsr ---- */

static void put_csr(hp_sparse *F, int64_t i, int64_t number, int64_t column, double value) {
  F->column[F->begin[i] + number] = (int32_t)column;
  F->value[F->begin[i] + number] = value;
}

static hp_status to_csr(const hp_bsr *B, hp_sparse *F) {
  F->count = B->nblock * B->q * B->q;
  HP_TRY(check_count(F->count));
  HP_TRY(HP_ALLOC(F->begin, F->rows + 1));
  HP_TRY(HP_ALLOC(F->column, F->count));
  HP_TRY(HP_ALLOC(F->value, F->count));
  for (int64_t i = 0; i < F->rows; ++i) F->begin[i + 1] = (int32_t)(F->begin[i] + row_length(B, i));
  for_entries(B, F, put_csr);
  return HP_OK;
}

static hp_status to_bsr(const hp_bsr *B, hp_sparse *F) {
  const int q = B->q;
  HP_TRY(check_count(B->nblock));
  F->count = B->nblock * q * q;
  HP_TRY(HP_ALLOC(F->begin, B->nrow + 1));
  HP_TRY(HP_ALLOC(F->column, B->nblock));
  HP_TRY(HP_ALLOC(F->value, F->count));
  for (int64_t m = 0; m <= B->nrow; ++m) F->begin[m] = B->begin[m];
  for (int64_t p = 0; p < B->nblock; ++p) {
    F->column[p] = B->column[p];
    for (int a = 0; a < q; ++a)
      for (int b = 0; b < q; ++b) F->value[(p * q + a) * q + b] = B->value[(p * q + b) * q + a];
  }
  return HP_OK;
}

/* ---- sell ---- */

static void put_sell(hp_sparse *F, int64_t i, int64_t number, int64_t column, double value) {
  const int64_t place = F->begin[i / HP_SPARSE_SLICE] + number * HP_SPARSE_SLICE + i % HP_SPARSE_SLICE;
  F->column[place] = (int32_t)column;
  F->value[place] = value;
}

static hp_status to_sell(const hp_bsr *B, hp_sparse *F) {
  const int64_t slices = (F->rows + HP_SPARSE_SLICE - 1) / HP_SPARSE_SLICE;
  HP_TRY(HP_ALLOC(F->begin, slices + 1));
  for (int64_t s = 0; s < slices; ++s) {
    int64_t longest = 0;
    for (int64_t i = s * HP_SPARSE_SLICE; i < F->rows && i < (s + 1) * HP_SPARSE_SLICE; ++i)
      if (row_length(B, i) > longest) longest = row_length(B, i);
    F->count += longest * HP_SPARSE_SLICE;
    HP_TRY(check_count(F->count));
    F->begin[s + 1] = (int32_t)F->count;
  }
  HP_TRY(HP_ALLOC(F->column, F->count));
  HP_TRY(HP_ALLOC(F->value, F->count));
  for (int64_t p = 0; p < F->count; ++p) F->column[p] = -1;
  for_entries(B, F, put_sell);
  return HP_OK;
}

/* ---- hyb ---- */

static void put_hyb(hp_sparse *F, int64_t i, int64_t number, int64_t column, double value) {
  if (number < F->width) {
    F->column[number * F->rows + i] = (int32_t)column;
    F->value[number * F->rows + i] = value;
    return;
  }
  F->rest_row[F->rest] = (int32_t)i;
  F->rest_column[F->rest] = (int32_t)column;
  F->rest_value[F->rest++] = value;
}

/* The typical width of the rows; what is beyond it. */
static hp_status set_width(const hp_bsr *B, hp_sparse *F, int64_t *rest) {
  int32_t *histogram = NULL;
  int64_t longest = 0;
  for (int64_t i = 0; i < F->rows; ++i)
    if (row_length(B, i) > longest) longest = row_length(B, i);
  HP_TRY(HP_ALLOC(histogram, longest + 1));
  for (int64_t i = 0; i < F->rows; ++i) histogram[row_length(B, i)] += 1;
  F->width = hp_sparse_typical_width(histogram, longest, F->rows);
  HP_FREE(histogram);
  *rest = 0;
  for (int64_t i = 0; i < F->rows; ++i) *rest += row_length(B, i) > F->width ? row_length(B, i) - F->width : 0;
  return HP_OK;
}

static hp_status to_hyb(const hp_bsr *B, hp_sparse *F) {
  int64_t rest;
  HP_TRY(set_width(B, F, &rest));
  F->count = (int64_t)F->width * F->rows;
  HP_TRY(check_count(F->count > rest ? F->count : rest));
  HP_TRY(HP_ALLOC(F->column, F->count));
  HP_TRY(HP_ALLOC(F->value, F->count));
  HP_TRY(HP_ALLOC(F->rest_row, rest));
  HP_TRY(HP_ALLOC(F->rest_column, rest));
  HP_TRY(HP_ALLOC(F->rest_value, rest));
  for (int64_t p = 0; p < F->count; ++p) F->column[p] = (int32_t)(p % F->rows);
  for_entries(B, F, put_hyb);
  return HP_OK;
}

hp_status hp_bsr_to_sparse(const hp_bsr *B, hp_sparse_kind kind, hp_sparse **out) {
  *out = NULL;
  hp_status (*const convert)(const hp_bsr *, hp_sparse *) = kind == HP_SPARSE_CSR    ? to_csr
                                                            : kind == HP_SPARSE_BSR  ? to_bsr
                                                            : kind == HP_SPARSE_SELL ? to_sell
                                                            : kind == HP_SPARSE_HYB  ? to_hyb
                                                                                     : NULL;
  if (convert == NULL) return hp_fail(HP_ERR_UNSUPPORTED, "no matrix of block rows in format %s", hp_sparse_name(kind));
  HP_TRY(check_count(B->nrow * B->q));
  HP_TRY(HP_ALLOC(*out, 1));
  hp_sparse *F = *out;
  F->kind = kind;
  F->q = B->q;
  F->ncell = B->nrow;
  F->ld = F->n = F->rows = B->nrow * B->q;
  const hp_status s = convert(B, F);
  if (s != HP_OK) hp_sparse_destroy(out);
  return s;
}
