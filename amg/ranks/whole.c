/* A level of few rows goes to all ranks, which go on from it as one process does: no messages but for this level's numbers
 * once a refresh, and its right-hand side once a visit. */
#include <string.h>

#include "amg/ranks/impl.h"
#include "core/memory.h"

/* Begins of ranks' rows and entries; memory for all of them. */
static hp_status make_room(hp_amg_ranks *H, const hp_amg_part *p, const hp_csr *A) {
  const int size = hp_ranks_size(H->K);
  hp_amg_whole *W = &H->whole;
  hp_status s = HP_ALLOC(W->row_begin, size + 1);
  if (s == HP_OK) s = HP_ALLOC(W->value_begin, size + 1);
  HP_TRY(hp_ranks_agree(H->K, s));
  hp_ranks_begins(H->K, p->nowned, W->row_begin);
  hp_ranks_begins(H->K, hp_csr_count(A), W->value_begin);
  s = HP_ALLOC(W->number, p->rows);
  if (s == HP_OK) s = HP_ALLOC(W->value, W->value_begin[size]);
  if (s == HP_OK) s = HP_ALLOC(W->vector, p->rows);
  if (s == HP_OK) s = hp_csr_create(p->rows, p->rows, W->value_begin[size], &W->A);
  return hp_ranks_agree(H->K, s);
}

/* Numbers and lengths of all rows, and their columns, one rank after the other: into length and column. */
static hp_status gather_pattern(hp_amg_ranks *H, const hp_amg_part *p, const hp_csr *A, int32_t *length,
                                int32_t *column) {
  hp_amg_whole *W = &H->whole;
  int32_t *mine = NULL;
  hp_status s = HP_ALLOC(mine, hp_csr_count(A) + p->nowned);
  HP_TRY(hp_ranks_agree(H->K, s));
  for (int32_t i = 0; i < p->nowned; ++i) mine[i] = (int32_t)hp_amg_point_number(p->point[i]);
  hp_ranks_gather_to_all(H->K, mine, W->number, W->row_begin, sizeof *mine);
  for (int32_t i = 0; i < p->nowned; ++i) mine[i] = hp_csr_length(A, i);
  hp_ranks_gather_to_all(H->K, mine, length, W->row_begin, sizeof *mine);
  for (int64_t k = 0; k < A->begin[A->nrow]; ++k) mine[k] = (int32_t)hp_amg_point_number(p->point[A->column[k]]);
  hp_ranks_gather_to_all(H->K, mine, column, W->value_begin, sizeof *mine);
  HP_FREE(mine);
  return HP_OK;
}

/* The rows in the level's order. */
static void sort_rows(const hp_amg_whole *W, int64_t rows, const int32_t *length, const int32_t *column) {
  hp_csr *A = W->A;
  for (int64_t i = 0; i < rows; ++i) A->begin[W->number[i] + 1] = (uint32_t)length[i];
  for (int64_t i = 0; i < rows; ++i) A->begin[i + 1] += A->begin[i];
  for (int64_t i = 0, at = 0; i < rows; at += length[i++])
    if (length[i] > 0) memcpy(A->column + A->begin[W->number[i]], column + at, (size_t)length[i] * sizeof *column);
}

static void gather_values(hp_amg_ranks *H, const hp_csr *mine) {
  hp_amg_whole *W = &H->whole;
  const int64_t rows = W->row_begin[hp_ranks_size(H->K)];
  hp_ranks_gather_to_all(H->K, mine->value, W->value, W->value_begin, sizeof *W->value);
  for (int64_t i = 0, at = 0; i < rows; ++i) {
    const int64_t from = W->A->begin[W->number[i]], length = hp_csr_length(W->A, W->number[i]);
    if (length > 0) memcpy(W->A->value + from, W->value + at, (size_t)length * sizeof *W->value);
    at += length;
  }
}

/* The level in the hierarchy: own rows stay beside it, for refreshes. */
static hp_status put_in(hp_amg_ranks *H, int l) {
  const hp_amg_part *p = &H->part[l];
  hp_amg_level *L = &H->H->level[l];
  H->whole.mine = L->A;
  L->A = H->whole.A;
  L->ncell = (int32_t)p->cells;
  if (l == 0) {
    HP_TRY(HP_ALLOC(H->whole.b, p->rows));
    return HP_ALLOC(H->whole.x, p->rows);
  }
  hp_csr *P = L[-1].P;
  for (int64_t k = 0; k < P->begin[P->nrow]; ++k) P->column[k] = (int32_t)hp_amg_point_number(p->point[P->column[k]]);
  P->ncol = (int32_t)p->rows;
  return HP_OK;
}

hp_status hp_amg_whole_make(hp_amg_ranks *H, int l) {
  const hp_amg_part *p = &H->part[l];
  const hp_csr *A = H->H->level[l].A;
  int32_t *length = NULL, *column = NULL;
  HP_TRY(make_room(H, p, A));
  hp_status s = HP_ALLOC(length, p->rows);
  if (s == HP_OK) s = HP_ALLOC(column, H->whole.value_begin[hp_ranks_size(H->K)]);
  s = hp_ranks_agree(H->K, s);
  if (s == HP_OK) s = gather_pattern(H, p, A, length, column);
  if (s == HP_OK) {
    sort_rows(&H->whole, p->rows, length, column);
    gather_values(H, A);
    s = hp_ranks_agree(H->K, put_in(H, l));
  }
  HP_FREE(length);
  HP_FREE(column);
  return s;
}

void hp_amg_whole_free(hp_amg_whole *W, int l) {
  if (W->mine == NULL || l == 0) hp_csr_destroy(&W->A); /* else the hierarchy's */
  else hp_csr_destroy(&W->mine);
  HP_FREE(W->row_begin);
  HP_FREE(W->value_begin);
  HP_FREE(W->number);
  HP_FREE(W->value);
  HP_FREE(W->vector);
  HP_FREE(W->b);
  HP_FREE(W->x);
  memset(W, 0, sizeof *W);
}

void hp_amg_whole_refresh(hp_amg_ranks *H) { gather_values(H, H->whole.mine); }

void hp_amg_whole_gather(hp_amg_ranks *H, const void *mine, void *all, bool single) {
  const hp_amg_whole *W = &H->whole;
  const int64_t rows = W->row_begin[hp_ranks_size(H->K)];
  hp_ranks_gather_to_all(H->K, mine, W->vector, W->row_begin, single ? sizeof(float) : sizeof(double));
  if (single)
    for (int64_t i = 0; i < rows; ++i) ((float *)all)[W->number[i]] = ((const float *)(const void *)W->vector)[i];
  else
    for (int64_t i = 0; i < rows; ++i) ((double *)all)[W->number[i]] = W->vector[i];
}
