#include "bench/amg/products.h"

#include "core/memory.h"

static int64_t real_bytes(const hp_amg_format *F) {
  return F->single ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
}

static hp_status room(const hp_amg_format *F, int64_t count, int32_t **column, void **value) {
  if (count > INT32_MAX)
    return hp_fail(HP_ERR_UNSUPPORTED, "a format to be measured: %lld entries, and its 32-bit indices count %d",
                   (long long)count, INT32_MAX);
  HP_TRY(HP_ALLOC(*column, count));
  return hp_alloc(value, count, (size_t)real_bytes(F), "numbers of a format");
}

static void put(const hp_amg_format *F, int32_t *column, void *value, int64_t at, const hp_csr *A, int64_t k) {
  column[at] = A->column[k];
  if (F->single) ((float *)value)[at] = (float)A->value[k];
  else ((double *)value)[at] = A->value[k];
}

/* ---- making ---- */

static int64_t slices_of(const hp_amg_format *F) { return ((int64_t)F->nrow + (1 << F->shift) - 1) >> F->shift; }

static hp_status make_sliced(const hp_csr *A, hp_amg_format *F) {
  const int64_t slices = slices_of(F);
  const int32_t lanes = 1 << F->lanes;
  HP_TRY(HP_ALLOC(F->begin, slices + 1));
  for (int64_t s = 0; s < slices; ++s) {
    int64_t most = 0;
    for (int64_t i = s << F->shift; i < (s + 1) << F->shift && i < A->nrow; ++i)
      if (hp_csr_length(A, i) > most) most = hp_csr_length(A, i);
    F->count += (most + lanes - 1) / lanes * lanes << F->shift;
    if (F->count > INT32_MAX) break;
    F->begin[s + 1] = (int32_t)F->count;
  }
  HP_TRY(room(F, F->count, &F->column, &F->value));
  for (int64_t i = 0; i < A->nrow; ++i)
    for (int32_t k = 0; k < hp_csr_length(A, i); ++k) {
      const int64_t in_slice = i & ((1 << F->shift) - 1);
      const int64_t at = F->begin[i >> F->shift] + ((int64_t)(k / lanes) * lanes << F->shift) + in_slice * lanes +
                         k % lanes;
      put(F, F->column, F->value, at, A, (int64_t)A->begin[i] + k);
    }
  return HP_OK;
}

static hp_status make_hec(const hp_csr *A, hp_amg_format *F) {
  HP_TRY(hp_amg_hec_width(A, &F->width));
  F->count = (int64_t)F->width * A->nrow;
  HP_TRY(HP_ALLOC(F->rest_begin, (int64_t)A->nrow + 1));
  for (int64_t i = 0; i < A->nrow; ++i) {
    F->rest += hp_csr_length(A, i) > F->width ? hp_csr_length(A, i) - F->width : 0;
    F->rest_begin[i + 1] = (int32_t)F->rest;
  }
  HP_TRY(room(F, F->count, &F->column, &F->value));
  HP_TRY(room(F, F->rest, &F->rest_column, &F->rest_value));
  for (int64_t i = 0; i < A->nrow; ++i)
    for (int32_t k = 0; k < hp_csr_length(A, i); ++k) {
      if (k < F->width) put(F, F->column, F->value, (int64_t)k * A->nrow + i, A, (int64_t)A->begin[i] + k);
      else put(F, F->rest_column, F->rest_value, F->rest_begin[i] + k - F->width, A, (int64_t)A->begin[i] + k);
    }
  return HP_OK;
}

static hp_status make_csr(const hp_csr *A, hp_amg_format *F) {
  F->count = F->entries;
  HP_TRY(HP_ALLOC(F->begin, (int64_t)A->nrow + 1));
  HP_TRY(room(F, F->count, &F->column, &F->value));
  for (int64_t i = 0; i <= A->nrow; ++i) F->begin[i] = (int32_t)A->begin[i];
  for (int64_t k = 0; k < F->entries; ++k) put(F, F->column, F->value, k, A, k);
  return HP_OK;
}

hp_status hp_amg_format_create(const hp_csr *A, hp_amg_format_kind kind, hp_precision precision, int lanes,
                               hp_amg_format *out) {
  const hp_amg_format format = {.kind = kind,
                                .single = precision == HP_PRECISION_SINGLE,
                                .nrow = A->nrow,
                                .ncol = A->ncol,
                                .shift = lanes < 0 ? 3 : 5 - lanes,
                                .lanes = lanes < 0 ? 0 : lanes,
                                .entries = hp_csr_count(A)};
  *out = format;
  const hp_status s = kind == HP_AMG_FORMAT_SLICED ? make_sliced(A, out)
                      : kind == HP_AMG_FORMAT_HEC  ? make_hec(A, out)
                                                   : make_csr(A, out);
  if (s != HP_OK) hp_amg_format_free(out);
  return s;
}

void hp_amg_format_free(hp_amg_format *F) {
  static const hp_amg_format none;
  HP_FREE(F->begin);
  HP_FREE(F->column);
  HP_FREE(F->value);
  HP_FREE(F->rest_begin);
  HP_FREE(F->rest_column);
  HP_FREE(F->rest_value);
  *F = none;
}

int hp_amg_format_lanes(const hp_csr *A, hp_amg_format_kind kind, int64_t threads) {
  const int64_t n = A->nrow > 0 ? A->nrow : 1, entries = hp_csr_count(A) / n;
  int lanes = 0;
  if (kind == HP_AMG_FORMAT_HEC) return 0;
  while (lanes < 5 && (1 << lanes) < entries && n << lanes < threads) lanes += 1;
  if (kind == HP_AMG_FORMAT_SLICED) return lanes == 1 || lanes == 4 ? lanes + 1 : lanes;
  while (lanes < 5 && (2 << lanes) < entries) lanes += 1;
  return lanes;
}

int64_t hp_amg_format_bytes(const hp_amg_format *F) {
  const int64_t entry = (int64_t)sizeof *F->column + real_bytes(F), index = sizeof(int32_t);
  int64_t begins = (int64_t)F->nrow + 1;
  if (F->kind == HP_AMG_FORMAT_SLICED) begins = slices_of(F) + 1;
  return (F->count + F->rest) * entry + begins * index;
}

int64_t hp_amg_format_traffic(const hp_amg_format *F) {
  return hp_amg_format_bytes(F) + ((int64_t)F->nrow + F->ncol) * real_bytes(F);
}

/* ---- products on a CPU ---- */

#define HP_BOTH "bench/amg/products.inl.h"
#include "amg/rows/both.inl.h"

void hp_amg_format_multiply(hp_team *t, const hp_amg_format *F, const void *x, void *y) {
  HP_TEAM_FOR(t, i, F->nrow) {
    if (F->single) ((float *)y)[i] = hp_amg_format_row_float(F, i, (const float *)x);
    else ((double *)y)[i] = hp_amg_format_row_double(F, i, (const double *)x);
  }
  hp_team_sync(t); /* y */
}
