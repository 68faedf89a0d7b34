/* R A P over ranks, entry by entry in the order of one process.
 *
 *     A P      own rows, from P's rows of A's columns, which come from their ranks
 *     R A P    rows of own coarse points. Fine points of other ranks that interpolate from one: their ranks know, and
 *              push their rows of A P and of P
 *
 * Columns are coarse points in rising order while products are made, so that entries have the order of one process, and
 * then as vectors have them. P stays; a refresh repeats the two products and fetches the values of pushed rows.
 */
#include <stdlib.h>
#include <string.h>

#include "amg/ranks/impl.h"
#include "core/memory.h"

/* A row that another rank pushed: `word` as push_row writes it. */
typedef struct {
  const int64_t *word;
  int rank;
  int32_t place; /* of its point in vectors */
} pushed_row;

enum { POINT, PLACE, LENGTH, WEIGHTS, WORDS /* of a pushed row's head */ };

typedef struct hp_amg_transfer {
  hp_amg_ranks *H;
  int l, rank;
  const hp_amg_extended *E;
  hp_amg_part *p, *next;
  hp_csr *P;            /* own rows; columns as E->coarse */
  const int64_t *owned; /* own coarse points, rising: E->next_owned */
  int32_t nowned;       /* of these */
  int32_t *row;         /* [columns of P] which of these a coarse point is, -1: another rank's */
  hp_amg_rising mine;   /* columns of own rows of A P */
  hp_amg_rising all;    /* with those of pushed rows */
  hp_csr *AP;           /* own rows */
  int64_t *word;        /* what others push */
  int64_t npushed;
  pushed_row *pushed; /* [npushed] by rank; of a rank rising */
} transfer;

/* ---- P ---- */

/* Own rows of E's P, and which of its columns are own coarse points. */
static hp_status copy_own_rows(transfer *T) {
  const hp_csr *all = T->E->P;
  const hp_amg_rising *R = &T->E->points;
  HP_TRY(hp_csr_create(R->nowned, all->ncol, hp_csr_count(all), &T->P));
  for (int32_t i = 0; i < R->nowned; ++i) {
    const int64_t from = all->begin[R->owned_at[i]], count = hp_csr_length(all, R->owned_at[i]);
    memcpy(T->P->column + T->P->begin[i], all->column + from, (size_t)count * sizeof *all->column);
    memcpy(T->P->value + T->P->begin[i], all->value + from, (size_t)count * sizeof *all->value);
    T->P->begin[i + 1] = T->P->begin[i] + (uint32_t)count;
  }
  HP_TRY(HP_ALLOC(T->row, all->ncol));
  for (int32_t c = 0; c < all->ncol; ++c) T->row[c] = (int32_t)hp_amg_find_point(T->owned, T->nowned, T->E->coarse[c]);
  return HP_OK;
}

/* mine: coarse points in own rows of P and in those of A's columns. */
static hp_status name_columns(transfer *T, const hp_amg_fetched *f) {
  int64_t *ghost = NULL, entries = 0, n = 0;
  for (int32_t g = 0; g < T->p->ncolumn; ++g) entries += f->length[g];
  HP_TRY(HP_ALLOC(ghost, T->P->ncol + entries));
  for (int32_t c = 0; c < T->P->ncol; ++c)
    if (T->row[c] < 0) ghost[n++] = T->E->coarse[c];
  for (int64_t k = 0; k < entries; ++k)
    if (hp_amg_point_rank(f->entry[k].point) != T->rank) ghost[n++] = f->entry[k].point;
  return hp_amg_rising_create(T->owned, T->nowned, ghost, n, &T->mine);
}

/* The rows of own points, then those of A's other columns; columns as `mine`. */
static hp_status stack_rows(transfer *T, const hp_amg_fetched *f) {
  const int32_t nowned = T->p->nowned, n = nowned + T->p->ncolumn;
  int64_t count = hp_csr_count(T->P);
  int32_t *column = NULL;
  for (int32_t g = 0; g < T->p->ncolumn; ++g) count += f->length[g];
  HP_TRY(hp_csr_create(n, T->mine.n, count, &T->p->P));
  HP_TRY(HP_ALLOC(column, T->P->ncol));
  hp_csr *P = T->p->P;
  for (int32_t c = 0; c < T->P->ncol; ++c)
    column[c] = T->row[c] >= 0 ? T->mine.owned_at[T->row[c]] : hp_amg_rising_at(&T->mine, T->rank, T->E->coarse[c]);
  memcpy(P->begin, T->P->begin, ((size_t)nowned + 1) * sizeof *P->begin);
  for (int64_t k = 0; k < P->begin[nowned]; ++k) {
    P->column[k] = column[T->P->column[k]];
    P->value[k] = T->P->value[k];
  }
  for (int32_t g = 0; g < T->p->ncolumn; ++g) {
    const hp_amg_entry *row = f->entry + f->first[g];
    int64_t at = P->begin[nowned + g];
    for (int64_t k = 0; k < f->length[g]; ++k, ++at) {
      P->column[at] = hp_amg_rising_at(&T->mine, T->rank, row[k].point);
      P->value[at] = row[k].value;
    }
    P->begin[nowned + g + 1] = (uint32_t)at;
  }
  HP_FREE(column);
  return HP_OK;
}

/* P's rows of A's columns. */
static hp_status extend_interpolation(transfer *T) {
  hp_ranks *K = T->H->K;
  hp_amg_part *p = T->p;
  hp_amg_fetched f;
  HP_TRY(hp_ranks_agree(K, copy_own_rows(T)));
  HP_TRY(hp_amg_fetch_rows(K, p->point, p->nowned, T->P, T->E->coarse, p->ncolumn, p->point + p->nowned, &f));
  hp_status s = name_columns(T, &f);
  if (s == HP_OK) s = stack_rows(T, &f);
  hp_amg_fetched_free(&f);
  return s;
}

/* ---- rows of A P for other ranks ---- */

static int64_t words_of(const transfer *T, int32_t i) {
  return WORDS + 2 * (int64_t)(T->P->begin[i + 1] - T->P->begin[i]) + T->AP->begin[i + 1] - T->AP->begin[i];
}

/* Row i: its head, points and weights of P, points of A P's columns. */
static void push_row(const transfer *T, int32_t i, int64_t *word) {
  const hp_csr *P = T->P, *AP = T->AP;
  word[POINT] = T->p->point[i];
  word[PLACE] = AP->begin[i];
  word[LENGTH] = AP->begin[i + 1] - AP->begin[i];
  word[WEIGHTS] = P->begin[i + 1] - P->begin[i];
  word += WORDS;
  for (int64_t k = P->begin[i]; k < P->begin[i + 1]; ++k, word += 2) {
    word[0] = T->E->coarse[P->column[k]];
    memcpy(word + 1, P->value + k, sizeof *P->value);
  }
  for (int64_t k = AP->begin[i]; k < AP->begin[i + 1]; ++k) *word++ = T->mine.point[AP->column[k]];
}

/* Own rows for each rank from whose points they interpolate: begin [ranks+1], word (NULL: counts into begin[r+1]).
 * last [ranks]: -1. */
static void push_rows(const transfer *T, int32_t *last, int64_t *begin, int64_t *word) {
  const hp_csr *P = T->P;
  for (int32_t i = 0; i < P->nrow; ++i)
    for (int64_t k = P->begin[i]; k < P->begin[i + 1]; ++k) {
      const int r = hp_amg_point_rank(T->E->coarse[P->column[k]]);
      if (r == T->rank || last[r] == i) continue;
      last[r] = i;
      if (word != NULL) push_row(T, i, word + begin[r]);
      begin[word != NULL ? r : r + 1] += words_of(T, i);
    }
}

/* The rows in what came, begin [ranks+1]; NULL: counts them. */
static int64_t list_pushed(const transfer *T, const int64_t *begin, pushed_row *out) {
  int64_t count = 0;
  for (int r = 0; r < hp_ranks_size(T->H->K); ++r)
    for (int64_t at = begin[r]; at < begin[r + 1]; ++count) {
      const int64_t *word = T->word + at;
      if (out != NULL) out[count] = (pushed_row){word, r, 0};
      at += WORDS + 2 * word[WEIGHTS] + word[LENGTH];
    }
  return count;
}

static hp_status push(transfer *T) {
  hp_ranks *K = T->H->K;
  const int size = hp_ranks_size(K);
  int32_t *last = NULL;
  int64_t *begin = NULL, *at = NULL, *word = NULL;
  hp_status s = HP_ALLOC(last, size);
  if (s == HP_OK) s = HP_ALLOC(begin, size + 1);
  if (s == HP_OK) s = HP_ALLOC(at, size + 1);
  if (s == HP_OK) {
    memset(last, 0xff, (size_t)size * sizeof *last);
    push_rows(T, last, begin, NULL);
    hp_amg_scan_counts(begin, size);
    memcpy(at, begin, (size_t)(size + 1) * sizeof *at);
    memset(last, 0xff, (size_t)size * sizeof *last);
    s = HP_ALLOC(word, begin[size] + 1);
  }
  if (s == HP_OK) push_rows(T, last, at, word);
  s = hp_ranks_agree(K, s);
  if (s == HP_OK) s = hp_ranks_all_to_all(K, word, begin, sizeof *word, (void **)&T->word, at);
  if (s == HP_OK) {
    T->npushed = list_pushed(T, at, NULL);
    s = HP_ALLOC(T->pushed, T->npushed);
    if (s == HP_OK) list_pushed(T, at, T->pushed);
    s = hp_ranks_agree(K, s);
  }
  HP_FREE(last);
  HP_FREE(begin);
  HP_FREE(at);
  HP_FREE(word);
  return s;
}

static const int64_t *columns_of(const pushed_row *q) { return q->word + WORDS + 2 * q->word[WEIGHTS]; }

/* ---- A P with the pushed rows ---- */

/* The pushed rows' points among those of vectors. */
static hp_status place_pushed(transfer *T) {
  int64_t *point = NULL;
  int32_t *place = NULL;
  hp_status s = HP_ALLOC(point, T->npushed);
  if (s == HP_OK) s = HP_ALLOC(place, T->npushed);
  for (int64_t n = 0; n < T->npushed && s == HP_OK; ++n) point[n] = T->pushed[n].word[POINT];
  if (s == HP_OK) s = hp_amg_part_place(T->p, T->npushed, point, place);
  for (int64_t n = 0; n < T->npushed && s == HP_OK; ++n) T->pushed[n].place = place[n];
  HP_FREE(point);
  HP_FREE(place);
  return s;
}

/* all: coarse points in own rows of A P and in pushed ones. */
static hp_status name_all_columns(transfer *T) {
  int64_t *ghost = NULL, n = T->mine.nghost;
  for (int64_t q = 0; q < T->npushed; ++q) n += T->pushed[q].word[LENGTH];
  HP_TRY(HP_ALLOC(ghost, n));
  if (T->mine.nghost > 0) memcpy(ghost, T->mine.ghost, (size_t)T->mine.nghost * sizeof *ghost);
  n = T->mine.nghost;
  for (int64_t q = 0; q < T->npushed; ++q)
    for (int64_t k = 0; k < T->pushed[q].word[LENGTH]; ++k)
      if (hp_amg_point_rank(columns_of(&T->pushed[q])[k]) != T->rank) ghost[n++] = columns_of(&T->pushed[q])[k];
  return hp_amg_rising_create(T->owned, T->nowned, ghost, n, &T->all);
}

/* AP of the part: own rows, and the pattern of pushed ones. */
static hp_status stack_products(transfer *T) {
  const int32_t nowned = T->p->nowned, n = nowned + T->p->nghost;
  int64_t count = hp_csr_count(T->AP);
  int32_t *column = NULL; /* of `mine` */
  for (int64_t q = 0; q < T->npushed; ++q) count += T->pushed[q].word[LENGTH];
  HP_TRY(hp_csr_create(n, T->all.n, count, &T->p->AP));
  HP_TRY(HP_ALLOC(column, T->mine.n));
  hp_csr *AP = T->p->AP;
  for (int32_t i = 0; i < T->nowned; ++i) column[T->mine.owned_at[i]] = T->all.owned_at[i];
  for (int32_t g = 0; g < T->mine.nghost; ++g)
    column[T->mine.ghost_at[g]] = hp_amg_rising_at(&T->all, T->rank, T->mine.ghost[g]);
  for (int64_t q = 0; q < T->npushed; ++q) AP->begin[T->pushed[q].place + 1] = (uint32_t)T->pushed[q].word[LENGTH];
  for (int32_t i = 0; i < n; ++i)
    AP->begin[i + 1] = AP->begin[i] + (i < nowned ? T->AP->begin[i + 1] - T->AP->begin[i] : AP->begin[i + 1]);
  for (int64_t k = 0; k < AP->begin[nowned]; ++k) {
    AP->column[k] = column[T->AP->column[k]];
    AP->value[k] = T->AP->value[k];
  }
  for (int64_t q = 0; q < T->npushed; ++q)
    for (int64_t k = 0; k < T->pushed[q].word[LENGTH]; ++k)
      AP->column[AP->begin[T->pushed[q].place] + k] = hp_amg_rising_at(&T->all, T->rank, columns_of(&T->pushed[q])[k]);
  HP_FREE(column);
  return HP_OK;
}

/* Exchanges the values of pushed rows. */
static hp_status exchange_products(transfer *T) {
  hp_ranks *K = T->H->K;
  int64_t *wanted = NULL, *there = NULL, count = 0, n = 0;
  int *owner = NULL;
  for (int64_t q = 0; q < T->npushed; ++q) count += T->pushed[q].word[LENGTH];
  hp_status s = HP_ALLOC(wanted, count);
  if (s == HP_OK) s = HP_ALLOC(there, count);
  if (s == HP_OK) s = HP_ALLOC(owner, count);
  for (int64_t q = 0; q < T->npushed && s == HP_OK; ++q)
    for (int64_t k = 0; k < T->pushed[q].word[LENGTH]; ++k, ++n) {
      wanted[n] = T->p->AP->begin[T->pushed[q].place] + k;
      there[n] = T->pushed[q].word[PLACE] + k;
      owner[n] = T->pushed[q].rank;
    }
  s = hp_ranks_agree(K, s);
  if (s == HP_OK) s = hp_exchange_create(K, n, wanted, owner, there, &T->p->products);
  if (s == HP_OK) hp_exchange_run(T->p->products, T->p->AP->value, sizeof *T->p->AP->value);
  HP_FREE(wanted);
  HP_FREE(there);
  HP_FREE(owner);
  return s;
}

/* ---- R ---- */

static int by_point(const void *a, const void *b) {
  const int64_t x = ((const pushed_row *)a)->word[POINT], y = ((const pushed_row *)b)->word[POINT];
  return x < y ? -1 : x > y;
}

/* Entry `value` of P in the fine row at `fine` and the column of own coarse point `row`, if that is not negative, into R:
 * R NULL: counted in at[row + 1]; else put at at[row]. */
static void add(hp_csr *R, int32_t *at, int64_t row, int32_t fine, double value) {
  if (row < 0) return;
  if (R == NULL) {
    at[row + 1] += 1;
    return;
  }
  R->column[at[row]] = fine;
  R->value[at[row]++] = value;
}

/* All fine points, own and pushed, in rising order; pushed rows are sorted. */
static void add_rows(const transfer *T, hp_csr *R, int32_t *at) {
  const hp_csr *P = T->P;
  int64_t q = 0;
  for (int32_t i = 0; i <= P->nrow; ++i) {
    for (; q < T->npushed && (i == P->nrow || T->pushed[q].word[POINT] < T->p->point[i]); ++q) {
      const int64_t *word = T->pushed[q].word + WORDS;
      for (int64_t k = 0; k < T->pushed[q].word[WEIGHTS]; ++k, word += 2) {
        double value;
        memcpy(&value, word + 1, sizeof value);
        add(R, at, hp_amg_find_point(T->owned, T->nowned, word[0]), T->pushed[q].place, value);
      }
    }
    for (int64_t k = i < P->nrow ? P->begin[i] : 0; i < P->nrow && k < P->begin[i + 1]; ++k)
      add(R, at, T->row[P->column[k]], i, P->value[k]);
  }
}

static hp_status make_restriction(transfer *T, hp_csr **out) {
  int32_t *at = NULL;
  if (T->npushed > 0) qsort(T->pushed, (size_t)T->npushed, sizeof *T->pushed, by_point);
  HP_TRY(HP_ALLOC(at, T->nowned + 1));
  add_rows(T, NULL, at);
  for (int32_t i = 0; i < T->nowned; ++i) at[i + 1] += at[i];
  hp_status s = hp_csr_create(T->nowned, T->p->nowned + (int64_t)T->p->nghost, at[T->nowned], out);
  if (s == HP_OK) memcpy((*out)->begin, at, ((size_t)T->nowned + 1) * sizeof *at);
  if (s == HP_OK) add_rows(T, *out, at);
  HP_FREE(at);
  return s;
}

/* ---- the next level ---- */

/* Own coarse points, then other columns of A by rank: A's columns become places in vectors. */
static hp_status name_next(transfer *T, hp_csr *A) {
  hp_amg_part *next = T->next;
  int32_t *place = NULL; /* of `all` */
  next->rows = T->E->coarse_rows;
  next->cells = T->E->coarse_cells;
  next->every = T->E->every;
  next->nowned = T->nowned;
  HP_TRY(HP_ALLOC(next->point, T->nowned));
  if (T->nowned > 0) memcpy(next->point, T->owned, (size_t)T->nowned * sizeof *T->owned);
  for (int32_t i = 0; i < T->nowned; ++i) next->ncell += hp_amg_point_number(T->owned[i]) < next->cells;
  HP_TRY(HP_ALLOC(place, T->all.n));
  for (int64_t k = 0; k < A->begin[A->nrow]; ++k) place[A->column[k]] = 1;
  for (int32_t i = 0; i < T->nowned; ++i) place[T->all.owned_at[i]] = i;
  int64_t *point = NULL;
  int32_t *at = NULL, n = 0;
  hp_status s = HP_ALLOC(point, T->all.nghost);
  if (s == HP_OK) s = HP_ALLOC(at, T->all.nghost);
  for (int32_t g = 0; g < T->all.nghost && s == HP_OK; ++g)
    if (place[T->all.ghost_at[g]] != 0) point[n++] = T->all.ghost[g];
  if (s == HP_OK) s = hp_amg_part_place(next, n, point, at);
  n = 0;
  for (int32_t g = 0; g < T->all.nghost && s == HP_OK; ++g)
    if (place[T->all.ghost_at[g]] != 0) place[T->all.ghost_at[g]] = at[n++];
  for (int64_t k = 0; k < A->begin[A->nrow] && s == HP_OK; ++k) A->column[k] = place[A->column[k]];
  next->ncolumn = next->nghost;
  A->ncol = next->nowned + next->ncolumn;
  HP_FREE(place);
  HP_FREE(point);
  HP_FREE(at);
  return s;
}

/* The columns of P's own rows become places in vectors of the next level. */
static hp_status name_interpolation(transfer *T) {
  hp_csr *P = T->P;
  int64_t *point = NULL;
  int32_t *place = NULL, *at = NULL, n = 0;
  hp_status s = HP_ALLOC(place, P->ncol);
  if (s == HP_OK) s = HP_ALLOC(point, P->ncol);
  if (s == HP_OK) s = HP_ALLOC(at, P->ncol);
  for (int64_t k = 0; k < P->begin[P->nrow] && s == HP_OK; ++k) place[P->column[k]] = 1;
  for (int32_t c = 0; c < P->ncol && s == HP_OK; ++c)
    if (place[c] != 0 && T->row[c] < 0) point[n++] = T->E->coarse[c];
  if (s == HP_OK) s = hp_amg_part_place(T->next, n, point, at);
  n = 0;
  for (int32_t c = 0; c < P->ncol && s == HP_OK; ++c) {
    if (T->row[c] >= 0) place[c] = T->row[c];
    else if (place[c] != 0) place[c] = at[n++];
  }
  for (int64_t k = 0; k < P->begin[P->nrow] && s == HP_OK; ++k) P->column[k] = place[P->column[k]];
  P->ncol = T->next->nowned + T->next->nghost;
  HP_FREE(place);
  HP_FREE(point);
  HP_FREE(at);
  return s;
}

/* R and A P with the rows that other ranks push. */
static hp_status extend_product(transfer *T) {
  HP_TRY(push(T));
  hp_status s = place_pushed(T);
  if (s == HP_OK) s = name_all_columns(T);
  if (s == HP_OK) s = stack_products(T);
  HP_TRY(hp_ranks_agree(T->H->K, s));
  HP_TRY(exchange_products(T));
  return make_restriction(T, &T->H->H->level[T->l].R);
}

static hp_status name_all(transfer *T) {
  hp_amg_level *L = &T->H->H->level[T->l];
  HP_FREE(T->p->AP->column);
  HP_TRY(name_next(T, L[1].A));
  HP_TRY(name_interpolation(T));
  L[1].ncell = T->next->ncell;
  L->P = T->P;
  T->P = NULL;
  return HP_OK;
}

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

/* C = A B, with its plan. */
static hp_status multiply(hp_team *t, hp_amg_ranks *H, const hp_csr *A, const hp_csr *B, hp_csr **C,
                          hp_csr_plan *plan) {
  hp_amg_work *w = H->H->work;
  hp_status s = hp_amg_work_begin(t, w, larger(A->nrow, larger(A->ncol, B->ncol)));
  if (s == HP_OK) s = hp_csr_product_by(t, w, A, B, C, plan);
  hp_team_sync(t); /* all have left the work space */
  if (t->rank == 0) hp_amg_work_end(w);
  return hp_amg_ranks_agree(t, H, s);
}

static hp_status begin(hp_amg_ranks *H, int l) {
  HP_TRY(hp_ranks_agree(H->K, HP_ALLOC(H->transfer, 1)));
  *H->transfer = (transfer){.H = H,
                            .l = l,
                            .rank = hp_ranks_rank(H->K),
                            .E = &H->extended,
                            .p = &H->part[l],
                            .next = &H->part[l + 1],
                            .owned = H->extended.next_owned,
                            .nowned = (int32_t)H->extended.nnext};
  return extend_interpolation(H->transfer);
}

static void end(transfer **slot) {
  transfer *T = *slot;
  if (T == NULL) return;
  hp_csr_destroy(&T->P);
  hp_csr_destroy(&T->AP);
  hp_amg_rising_free(&T->mine);
  hp_amg_rising_free(&T->all);
  HP_FREE(T->row);
  HP_FREE(T->word);
  HP_FREE(T->pushed);
  HP_FREE(*slot);
}

static hp_status product(hp_team *t, hp_amg_ranks *H, int l) {
  hp_amg_level *L = &H->H->level[l];
  hp_amg_part *p = &H->part[l];
  hp_status s = HP_OK;
  if (t->rank == 0) s = begin(H, l);
  HP_TRY(hp_amg_ranks_agree(t, H, s));
  transfer *T = H->transfer;
  HP_TRY(multiply(t, H, L->A, p->P, &T->AP, &p->plan_ap));
  if (t->rank == 0) s = extend_product(T);
  HP_TRY(hp_amg_ranks_agree(t, H, s));
  HP_TRY(multiply(t, H, L->R, p->AP, &L[1].A, &p->plan_rap));
  if (t->rank == 0) s = name_all(T);
  return hp_amg_ranks_agree(t, H, s);
}

hp_status hp_amg_ranks_product(hp_team *t, hp_amg_ranks *H, int l) {
  const hp_status s = product(t, H, l);
  if (t->rank == 0) end(&H->transfer);
  return s;
}

void hp_amg_ranks_refresh_product(hp_team *t, hp_amg_ranks *H, int l) {
  const hp_amg_level *L = &H->H->level[l];
  const hp_amg_part *p = &H->part[l];
  const hp_span fine = hp_team_span(t, p->nowned, 0);
  hp_csr_product_rows(L->A, p->P, p->AP, &p->plan_ap, fine.begin, fine.end);
  hp_team_sync(t); /* own rows of A P */
  if (t->rank == 0) hp_exchange_run(p->products, p->AP->value, sizeof *p->AP->value);
  hp_team_sync(t); /* the pushed ones */
  const hp_span coarse = hp_team_span(t, H->part[l + 1].nowned, 0);
  const hp_csr *next = l + 1 < H->parted ? L[1].A : H->whole.mine;
  hp_csr_product_rows(L->R, p->AP, next, &p->plan_rap, coarse.begin, coarse.end);
  hp_team_sync(t); /* R A P */
}
