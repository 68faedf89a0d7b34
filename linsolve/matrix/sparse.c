#include "linsolve/matrix/sparse.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "linsolve/matrix/sparse_fill.inl.h"

/* ---- names ---- */

static const struct {
  const char *name;
  bool wells;
} formats[] = {
#define FORMAT_TEXT(name, text, wells) {text, wells},
    HP_SPARSE_LIST(FORMAT_TEXT)
#undef FORMAT_TEXT
};

const char *hp_sparse_name(hp_sparse_kind kind) {
  return (unsigned)kind < HP_SPARSE_COUNT ? formats[kind].name : "unknown";
}

bool hp_sparse_holds_wells(hp_sparse_kind kind) { return (unsigned)kind < HP_SPARSE_COUNT && formats[kind].wells; }

/* ---- counting ---- */

static bool neighbour_inside(const hp_gh *A, int64_t m, int u) {
  const int64_t k = m % A->nz, j = m / A->nz % A->ny, i = m / A->nz / A->ny;
  switch (u) {
    case -3: return i > 0;
    case -2: return j > 0;
    case -1: return k > 0;
    case 1: return k + 1 < A->nz;
    case 2: return j + 1 < A->ny;
    case 3: return i + 1 < A->nx;
    default: return true;
  }
}

static void set_stencil(hp_sparse *F, const hp_gh *A, const uint8_t *active) {
  for (int64_t m = 0; m < A->ncell; ++m)
    for (int u = -3; u <= 3; ++u) {
      const bool inside = neighbour_inside(A, m, u);
      const bool live = active == NULL || u == 0 || (inside && active[m] && active[m + hp_gh_offset(A, u)]);
      if (inside && live) F->stencil[m] |= (uint8_t)(1u << (u + 3));
    }
}

static int64_t row_length(const hp_sparse *F, const hp_gh *A, int64_t i) {
  hp_sparse_walk w = hp_sparse_walk_row(A, i);
  while (hp_sparse_walk_next(F, A, &w)) {
  }
  return w.ordinal + 1;
}

static int64_t blocks_of(const hp_sparse *F, const hp_gh *A, int64_t m) {
  int64_t count, first;
  hp_links_of(&A->links, m, &first, &count);
  count -= first;
  for (int u = -3; u <= 3; ++u) count += hp_sparse_has(F, m, u);
  return count;
}

static hp_status check_count(const hp_sparse *F, int64_t count) {
  if (count <= INT32_MAX) return HP_OK;
  return hp_fail(HP_ERR_UNSUPPORTED, "matrix in format %s: %lld entries are more than 32-bit indices can count",
                 hp_sparse_name(F->kind), (long long)count);
}

/* Longest row of ell; the typical width of hyb and hec. */
static hp_status set_width(hp_sparse *F, const hp_gh *A) {
  int32_t *histogram = NULL; /* [longest row + 1] rows of a length */
  int64_t longest = 0;
  for (int64_t i = 0; i < F->rows; ++i) {
    const int64_t length = row_length(F, A, i);
    if (length > longest) longest = length;
  }
  F->width = (int)longest;
  if (F->kind == HP_SPARSE_ELL) return HP_OK;
  HP_TRY(HP_ALLOC(histogram, longest + 1));
  for (int64_t i = 0; i < F->rows; ++i) histogram[row_length(F, A, i)] += 1;
  F->width = hp_sparse_typical_width(histogram, longest, F->rows);
  HP_FREE(histogram);
  return HP_OK;
}

/* ---- patterns ---- */

/* begin [items+1] from the size of each item. */
static hp_status set_begin(hp_sparse *F, const hp_gh *A, int64_t items) {
  int64_t total = 0;
  HP_TRY(HP_ALLOC(F->begin, items + 1));
  for (int64_t item = 0; item < items; ++item) {
    int64_t length = 0;
    if (F->kind == HP_SPARSE_CSR) length = row_length(F, A, item);
    if (F->kind == HP_SPARSE_BSR) length = blocks_of(F, A, item);
    for (int64_t i = item * HP_SPARSE_SLICE; F->kind == HP_SPARSE_SELL && i < (item + 1) * HP_SPARSE_SLICE; ++i) {
      const int64_t row = i < F->rows ? row_length(F, A, i) * HP_SPARSE_SLICE : 0;
      if (row > length) length = row;
    }
    total += length;
    HP_TRY(check_count(F, total));
    F->begin[item + 1] = (int32_t)total;
  }
  F->count = F->kind == HP_SPARSE_BSR ? total * F->q * F->q : total;
  HP_TRY(HP_ALLOC(F->column, total));
  return HP_ALLOC(F->value, F->count);
}

static hp_status set_rest(hp_sparse *F, const hp_gh *A) {
  for (int64_t i = 0; i < F->rows; ++i) {
    const int64_t length = row_length(F, A, i);
    F->rest += length > F->width ? length - F->width : 0;
  }
  HP_TRY(check_count(F, F->rest));
  HP_TRY(HP_ALLOC(F->rest_column, F->rest));
  HP_TRY(HP_ALLOC(F->rest_value, F->rest));
  if (F->kind == HP_SPARSE_HYB) HP_TRY(HP_ALLOC(F->rest_row, F->rest));
  if (F->kind == HP_SPARSE_HEC) HP_TRY(HP_ALLOC(F->rest_begin, F->rows + 1));
  int64_t place = 0;
  for (int64_t i = 0; i < F->rows; ++i) {
    const int64_t length = row_length(F, A, i);
    for (int64_t n = F->width; n < length; ++n, ++place)
      if (F->kind == HP_SPARSE_HYB) F->rest_row[place] = (int32_t)i;
    if (F->kind == HP_SPARSE_HEC) F->rest_begin[i + 1] = (int32_t)place;
  }
  return HP_OK;
}

static hp_status set_rows(hp_sparse *F, const hp_gh *A) {
  HP_TRY(set_width(F, A));
  F->count = (int64_t)F->width * F->rows;
  HP_TRY(HP_ALLOC(F->column, F->count));
  HP_TRY(HP_ALLOC(F->value, F->count));
  return F->kind == HP_SPARSE_ELL ? HP_OK : set_rest(F, A);
}

static int by_offset(const void *x, const void *y) {
  const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
  return (a > b) - (a < b);
}

/* The diagonals of the block diagonals that exist: their offsets rising, and the table that finds them. */
static hp_status set_diagonals(hp_sparse *F, const hp_gh *A) {
  const int q = F->q, across = F->kind == HP_SPARSE_DIA ? 2 * q - 1 : 1;
  unsigned seen = 0;
  for (int64_t m = 0; m < F->ncell; ++m) seen |= F->stencil[m];
  HP_TRY(check_count(F, F->ld));
  HP_TRY(HP_ALLOC(F->offset, HP_GH_DIAGS * across));
  HP_TRY(HP_ALLOC(F->diagonal, HP_GH_DIAGS * across));
#define OFFSET_OF(u, c) \
  ((int32_t)(F->kind == HP_SPARSE_DIA ? hp_gh_offset(A, u) * q + (c) - (q - 1) : hp_gh_offset(A, u)))
  int count = 0;
  for (int u = -3; u <= 3; ++u)
    for (int c = 0; c < across && (seen >> (u + 3) & 1); ++c) F->offset[count++] = OFFSET_OF(u, c);
  qsort(F->offset, (size_t)count, sizeof *F->offset, by_offset);
  for (int n = 0; n < count; ++n)
    if (n == 0 || F->offset[n] != F->offset[F->width - 1]) F->offset[F->width++] = F->offset[n];
  for (int u = -3; u <= 3; ++u)
    for (int c = 0; c < across; ++c) {
      int32_t *entry = &F->diagonal[(u + 3) * across + c];
      *entry = -1;
      for (int n = 0; n < F->width && (seen >> (u + 3) & 1); ++n)
        if (F->offset[n] == OFFSET_OF(u, c)) *entry = n;
    }
#undef OFFSET_OF
  F->count = (int64_t)F->width * F->ld * (F->kind == HP_SPARSE_DIA ? 1 : q);
  return HP_ALLOC(F->value, F->count);
}

/* Columns of the entries, padding first. */
static void set_columns(hp_sparse *F, const hp_gh *A) {
  for (int64_t p = 0; F->kind == HP_SPARSE_SELL && p < F->count; ++p) F->column[p] = -1;
  if (F->kind == HP_SPARSE_ELL || F->kind == HP_SPARSE_HYB || F->kind == HP_SPARSE_HEC)
    for (int64_t p = 0; p < F->count; ++p) F->column[p] = (int32_t)(p % F->rows);
  for (int64_t i = 0; i < F->rows; ++i) {
    hp_sparse_walk w = hp_sparse_walk_row(A, i);
    while (hp_sparse_walk_next(F, A, &w)) {
      const int64_t place = hp_sparse_place(F, &w);
      if (F->kind != HP_SPARSE_BSR) (hp_sparse_in_rest(F, &w) ? F->rest_column : F->column)[place] = (int32_t)w.column;
      else if (w.a == 0 && w.b == 0) F->column[place / (F->q * F->q)] = (int32_t)(w.column / F->q);
    }
  }
}

static hp_status set_pattern(hp_sparse *F, const hp_gh *A, const uint8_t *active) {
  HP_TRY(check_count(F, A->n));
  HP_TRY(HP_ALLOC(F->stencil, A->ncell));
  set_stencil(F, A, active);
  switch (F->kind) {
    case HP_SPARSE_CSR: HP_TRY(set_begin(F, A, F->rows)); break;
    case HP_SPARSE_BSR: HP_TRY(set_begin(F, A, F->ncell)); break;
    case HP_SPARSE_SELL: HP_TRY(set_begin(F, A, (F->rows + HP_SPARSE_SLICE - 1) / HP_SPARSE_SLICE)); break;
    case HP_SPARSE_ELL:
    case HP_SPARSE_HYB:
    case HP_SPARSE_HEC: HP_TRY(set_rows(F, A)); break;
    case HP_SPARSE_DIA:
    case HP_SPARSE_SGDIA: return set_diagonals(F, A);
    case HP_SPARSE_GH:
    case HP_SPARSE_COUNT:
      return hp_fail(HP_ERR_INTERNAL, "no second copy of a matrix in format %s", hp_sparse_name(F->kind));
  }
  set_columns(F, A);
  return HP_OK;
}

hp_status hp_sparse_create(const hp_gh *A, const uint8_t *active, hp_sparse_kind kind, hp_sparse **out) {
  *out = NULL;
  if (kind == HP_SPARSE_DIA || kind == HP_SPARSE_SGDIA)
    HP_TRY(hp_gh_require_lattice(A, kind == HP_SPARSE_DIA ? "format dia" : "format sg-dia"));
  hp_sparse *F = NULL;
  HP_TRY(HP_ALLOC(F, 1));
  F->kind = kind;
  F->q = A->q;
  F->ncell = A->ncell;
  F->ld = A->rows;
  F->n = A->n;
  F->rows = hp_sparse_holds_wells(kind) ? A->n : A->rows;
  const hp_status s = set_pattern(F, A, active);
  if (s != HP_OK) hp_sparse_destroy(&F);
  *out = F;
  return s;
}

void hp_sparse_destroy(hp_sparse **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_sparse *F = *slot;
  HP_FREE(F->stencil);
  HP_FREE(F->begin);
  HP_FREE(F->column);
  HP_FREE(F->value);
  HP_FREE(F->offset);
  HP_FREE(F->diagonal);
  HP_FREE(F->rest_begin);
  HP_FREE(F->rest_row);
  HP_FREE(F->rest_column);
  HP_FREE(F->rest_value);
  HP_FREE(*slot);
}

void hp_sparse_set(const hp_sparse *F, const hp_gh *A) {
  for (int64_t i = 0; i < F->rows; ++i) hp_sparse_fill_row(F, A, i);
}

/* ---- bytes ---- */

/* Integers that a product reads. */
static int64_t index_count(const hp_sparse *F) {
  switch (F->kind) {
    case HP_SPARSE_CSR: return F->rows + 1 + F->count;
    case HP_SPARSE_BSR: return F->ncell + 1 + F->count / (F->q * F->q);
    case HP_SPARSE_SELL: return (F->rows + HP_SPARSE_SLICE - 1) / HP_SPARSE_SLICE + 1 + F->count;
    case HP_SPARSE_ELL: return F->count;
    case HP_SPARSE_HYB: return F->count + 2 * F->rest;
    case HP_SPARSE_HEC: return F->count + F->rows + 1 + F->rest;
    case HP_SPARSE_DIA:
    case HP_SPARSE_SGDIA: return F->width;
    case HP_SPARSE_GH:
    case HP_SPARSE_COUNT: break;
  }
  return 0;
}

int64_t hp_sparse_held(const hp_sparse *F) {
  const bool table = F->kind == HP_SPARSE_DIA || F->kind == HP_SPARSE_SGDIA; /* of the conversion */
  const int64_t diagonals = table ? HP_GH_DIAGS * (F->kind == HP_SPARSE_DIA ? 2 * F->q - 1 : 1) : 0;
  return (F->count + F->rest) * (int64_t)sizeof(double) + F->ncell +
         (index_count(F) + diagonals) * (int64_t)sizeof(int32_t);
}

int64_t hp_sparse_estimate(hp_sparse_kind kind, int64_t ncell, int q) {
  const int64_t rows = ncell * q, entries = HP_GH_DIAGS * q * rows, value = sizeof(double), index = sizeof(int32_t);
  switch (kind) {
    case HP_SPARSE_GH: return 0;
    case HP_SPARSE_BSR: return entries * value + (entries / (q * q) + ncell + 1) * index;
    case HP_SPARSE_DIA: return HP_GH_DIAGS * (2 * q - 1) * rows * value;
    case HP_SPARSE_SGDIA: return entries * value;
    default: return entries * (value + index) + (rows + 1) * index;
  }
}

/* Bytes of W, WT, D and their structure in GH. */
static int64_t border_bytes(const hp_gh *A) {
  return hp_gh_bytes(A) - hp_gh_link_bytes(A) - (int64_t)HP_GH_DIAGS * A->q * A->rows * (int64_t)sizeof(double);
}

int64_t hp_sparse_bytes(const hp_sparse *F, const hp_gh *A) {
  const int64_t border = hp_sparse_holds_wells(F->kind) ? 0 : border_bytes(A);
  return (F->count + F->rest) * (int64_t)sizeof(double) + index_count(F) * (int64_t)sizeof(int32_t) + border;
}

int64_t hp_sparse_product_bytes(const hp_sparse *F, const hp_gh *A) {
  return hp_sparse_bytes(F, A) + 2 * F->n * (int64_t)sizeof(double);
}

int64_t hp_sparse_entries(const hp_sparse *F, const hp_gh *A) {
  int64_t blocks = 0;
  for (int64_t m = 0; m < F->ncell; ++m) blocks += blocks_of(F, A, m);
  return blocks * F->q * F->q + 2 * A->wells.nperf * F->q + A->wells.nwell;
}
