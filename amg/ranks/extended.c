/* Own rows and those around them as one matrix, so that amg/setup makes of it what it makes of the whole one:
 *
 *     near   points of other ranks that have an entry in own cells' columns, or in whose columns these have one
 *     far    other columns of these rows: their states are needed, not their rows
 *
 *     strength        of own rows and near ones, by the row alone
 *     coarse points   of own cells; weights and states of near ones come from their ranks, round by round
 *     P               own rows: extended interpolation goes from a point to near ones and to the columns of these
 */
#include <string.h>

#include "amg/ranks/impl.h"
#include "core/memory.h"

static bool is_cell(const hp_amg_part *p, int64_t point) { return hp_amg_point_number(point) < p->cells; }

/* ---- near points ---- */

/* Pairs of an own cell's row and a rank that has a cell among its columns, by rank, once each: begin [ranks+1], row
 * (NULL: counts into begin[r+1]). last [ranks]: -1. */
static void couple(const hp_amg_part *p, const hp_csr *A, int32_t *last, int64_t *begin, int64_t *row) {
  for (int32_t i = 0; i < p->ncell; ++i)
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
      const int64_t other = p->point[A->column[k]];
      const int r = hp_amg_point_rank(other);
      if (A->column[k] < p->nowned || !is_cell(p, other) || last[r] == i) continue;
      last[r] = i;
      if (row != NULL) row[begin[r]++] = p->point[i];
      else begin[r + 1] += 1;
    }
}

/* Own cells' rows go by name to the ranks in whose columns they have entries: *theirs [*count] of others. */
static hp_status notify_neighbours(hp_ranks *K, const hp_amg_part *p, const hp_csr *A, int64_t **theirs,
                                   int64_t *count) {
  const int size = hp_ranks_size(K);
  int32_t *last = NULL;
  int64_t *begin = NULL, *at = NULL, *row = NULL;
  hp_status s = HP_ALLOC(last, size);
  if (s == HP_OK) s = HP_ALLOC(begin, size + 1);
  if (s == HP_OK) s = HP_ALLOC(at, size + 1);
  if (s == HP_OK) {
    memset(last, 0xff, (size_t)size * sizeof *last);
    couple(p, A, last, begin, NULL);
    hp_amg_scan_counts(begin, size);
    memcpy(at, begin, (size_t)(size + 1) * sizeof *at);
    memset(last, 0xff, (size_t)size * sizeof *last);
    s = HP_ALLOC(row, begin[size]);
  }
  if (s == HP_OK) couple(p, A, last, at, row);
  s = hp_ranks_agree(K, s);
  if (s == HP_OK) s = hp_ranks_all_to_all(K, row, begin, sizeof *row, (void **)theirs, at);
  if (s == HP_OK) *count = at[size];
  HP_FREE(last);
  HP_FREE(begin);
  HP_FREE(at);
  HP_FREE(row);
  return s;
}

/* near [*count] */
static hp_status find_near(hp_ranks *K, const hp_amg_part *p, const hp_csr *A, int64_t **near, int64_t *count) {
  int64_t *theirs = NULL, more = 0, n = 0;
  HP_TRY(notify_neighbours(K, p, A, &theirs, &more));
  const hp_status s = hp_ranks_agree(K, HP_ALLOC(*near, more + p->ncolumn));
  for (int64_t i = 0; i < more && s == HP_OK; ++i) (*near)[n++] = theirs[i];
  for (int32_t g = p->nowned; g < p->nowned + p->ncolumn && s == HP_OK; ++g)
    if (is_cell(p, p->point[g])) (*near)[n++] = p->point[g];
  if (s == HP_OK) *count = hp_amg_sort_points(*near, n);
  HP_FREE(theirs);
  return s;
}

/* ---- the matrix ---- */

/* The points: own ones, near ones and all columns. */
static hp_status name_points(int rank, const hp_amg_part *p, int64_t nnear, const int64_t *near,
                             const hp_amg_fetched *f, hp_amg_extended *E) {
  int64_t entries = 0, n = 0, *ghost = NULL;
  for (int64_t i = 0; i < nnear; ++i) entries += f->length[i];
  HP_TRY(HP_ALLOC(ghost, nnear + p->ncolumn + entries));
  for (int64_t i = 0; i < nnear; ++i) ghost[n++] = near[i];
  for (int32_t g = p->nowned; g < p->nowned + p->ncolumn; ++g) ghost[n++] = p->point[g];
  for (int64_t k = 0; k < entries; ++k)
    if (hp_amg_point_rank(f->entry[k].point) != rank) ghost[n++] = f->entry[k].point;
  HP_TRY(hp_amg_rising_create(p->point, p->nowned, ghost, n, &E->points));
  HP_TRY(HP_ALLOC(E->number, E->points.n));
  HP_TRY(HP_ALLOC(E->owned, E->points.n));
  HP_TRY(HP_ALLOC_UNSET(E->state, E->points.n));
  for (int32_t i = 0; i < E->points.n; ++i) {
    E->number[i] = hp_amg_point_number(E->points.point[i]);
    E->owned[i] = hp_amg_point_rank(E->points.point[i]) == rank;
    E->ncell += E->number[i] < p->cells;
  }
  return HP_OK;
}

/* Rows of own points and of near ones, each in the order that it has. */
static hp_status make_matrix(int rank, const hp_amg_part *p, const hp_csr *A, int64_t nnear, const int64_t *near,
                             const hp_amg_fetched *f, hp_amg_extended *E) {
  const hp_amg_rising *R = &E->points;
  int32_t *column = NULL; /* of A's columns */
  int64_t count = hp_csr_count(A);
  for (int64_t i = 0; i < nnear; ++i) count += f->length[i];
  HP_TRY(hp_csr_create(R->n, R->n, count, &E->A));
  HP_TRY(HP_ALLOC(column, p->nowned + p->ncolumn));
  for (int32_t i = 0; i < p->nowned + p->ncolumn; ++i)
    column[i] = i < p->nowned ? R->owned_at[i] : hp_amg_rising_at(R, rank, p->point[i]);
  for (int32_t i = 0; i < p->nowned; ++i) E->A->begin[R->owned_at[i] + 1] = (uint32_t)hp_csr_length(A, i);
  for (int64_t i = 0; i < nnear; ++i) E->A->begin[hp_amg_rising_at(R, rank, near[i]) + 1] = (uint32_t)f->length[i];
  for (int32_t i = 0; i < R->n; ++i) E->A->begin[i + 1] += E->A->begin[i];
  for (int32_t i = 0; i < p->nowned; ++i) {
    int64_t at = E->A->begin[R->owned_at[i]];
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k, ++at) {
      E->A->column[at] = column[A->column[k]];
      E->A->value[at] = A->value[k];
    }
  }
  for (int64_t i = 0; i < nnear; ++i) {
    const hp_amg_entry *row = f->entry + f->first[i];
    const int64_t at = E->A->begin[hp_amg_rising_at(R, rank, near[i])];
    for (int64_t k = 0; k < f->length[i]; ++k) {
      E->A->column[at + k] = hp_amg_rising_at(R, rank, row[k].point);
      E->A->value[at + k] = row[k].value;
    }
  }
  HP_FREE(column);
  return HP_OK;
}

/* Exchanges of entries in rising order, of near points and of all. */
static hp_status make_exchanges(hp_ranks *K, int64_t nnear, const int64_t *near, hp_amg_extended *E) {
  const hp_amg_rising *R = &E->points;
  int64_t *place = NULL;
  hp_status s = hp_ranks_agree(K, HP_ALLOC(place, R->nghost));
  for (int64_t i = 0; i < nnear && s == HP_OK; ++i) place[i] = hp_amg_rising_at(R, hp_ranks_rank(K), near[i]);
  if (s == HP_OK) s = hp_amg_exchange_points(K, R->owned, R->nowned, R->owned_at, nnear, near, place, &E->near);
  for (int32_t g = 0; g < R->nghost && s == HP_OK; ++g) place[g] = R->ghost_at[g];
  if (s == HP_OK) s = hp_amg_exchange_points(K, R->owned, R->nowned, R->owned_at, R->nghost, R->ghost, place, &E->all);
  HP_FREE(place);
  return s;
}

static hp_status extend(hp_ranks *K, const hp_amg_part *p, const hp_csr *A, hp_amg_extended *E) {
  const int rank = hp_ranks_rank(K);
  hp_amg_fetched f = {NULL, NULL, NULL};
  int64_t *near = NULL, nnear = 0;
  hp_status s = find_near(K, p, A, &near, &nnear);
  if (s == HP_OK) s = hp_amg_fetch_rows(K, p->point, p->nowned, A, p->point, nnear, near, &f);
  if (s == HP_OK) {
    s = name_points(rank, p, nnear, near, &f, E);
    if (s == HP_OK) s = make_matrix(rank, p, A, nnear, near, &f, E);
    s = hp_ranks_agree(K, s);
  }
  if (s == HP_OK) s = make_exchanges(K, nnear, near, E);
  hp_amg_fetched_free(&f);
  HP_FREE(near);
  return s;
}

/* ---- coarse points and P ---- */

/* Where coarse points come among those of all ranks, and which rank has them: coarse [columns of P], next_owned. */
static hp_status number_coarse(hp_ranks *K, const hp_amg_part *p, hp_amg_extended *E) {
  const hp_amg_rising *R = &E->points;
  const int owner = hp_amg_fewer_rank(hp_ranks_rank(K), E->every);
  int64_t *number = NULL, *point = NULL, n = 0;
  hp_status s = HP_ALLOC(number, R->nowned);
  if (s == HP_OK) s = HP_ALLOC(point, R->n);
  if (s == HP_OK) s = HP_ALLOC(E->coarse, R->n);
  s = hp_ranks_agree(K, s);
  for (int32_t i = 0; i < R->nowned && s == HP_OK; ++i)
    if (E->state[R->owned_at[i]] == HP_AMG_COARSE) number[n++] = E->number[R->owned_at[i]];
  if (s == HP_OK) s = hp_amg_number_points(K, n, number, p->rows);
  for (int64_t i = 0; i < n && s == HP_OK; ++i) number[i] = hp_amg_point(number[i], owner);
  if (s == HP_OK) s = hp_amg_fewer_move(K, E->every, n, number, &E->next_owned, &E->nnext);
  n = 0;
  for (int32_t i = 0; i < R->nowned && s == HP_OK; ++i)
    if (E->state[R->owned_at[i]] == HP_AMG_COARSE) point[R->owned_at[i]] = number[n++];
  if (s == HP_OK) hp_exchange_run(E->all, point, sizeof *point);
  n = 0;
  for (int32_t i = 0; i < R->n && s == HP_OK; ++i)
    if (E->state[i] == HP_AMG_COARSE) E->coarse[n++] = point[i];
  HP_FREE(number);
  HP_FREE(point);
  return s;
}

/* Coarse cells and rows of all ranks. */
static void count_coarse(hp_ranks *K, hp_amg_extended *E) {
  int64_t count[2] = {0, 0};
  for (int32_t i = 0; i < E->points.nowned; ++i) {
    const int32_t at = E->points.owned_at[i];
    count[0] += E->state[at] == HP_AMG_COARSE && at < E->ncell;
    count[1] += E->state[at] == HP_AMG_COARSE;
  }
  hp_ranks_sum(K, count, 2);
  E->coarse_cells = count[0];
  E->coarse_rows = count[1];
}

/* States of all points, and numbers of coarse ones if there are fewer of them by enough. */
static hp_status share_states(const hp_amg_ranks *H, const hp_amg_part *p, hp_amg_extended *E) {
  hp_exchange_run(E->all, E->state, sizeof *E->state);
  count_coarse(H->K, E);
  E->made = E->coarse_cells > 0 && (double)E->coarse_cells < 0.95 * (double)p->cells;
  E->every = hp_amg_fewer_every(H, p->every, E->coarse_rows);
  return E->made ? number_coarse(H->K, p, E) : HP_OK;
}

static hp_status coarsen(hp_team *t, hp_amg_ranks *H, const hp_amg_part *p, hp_amg_extended *E) {
  const hp_amg_options *opt = &H->H->opt;
  hp_amg_work *w = H->H->work;
  hp_status s = hp_amg_work_begin(t, w, E->points.n);
  if (s == HP_OK) s = hp_amg_strength_by(t, w, E->A, E->ncell, opt->strength, &w->graph);
  if (t->rank == 0) {
    E->share = (hp_amg_share){.K = H->K, .number = E->number, .owned = E->owned, .near = E->near};
    w->share = &E->share;
  }
  s = hp_amg_ranks_agree(t, H, s);
  if (s == HP_OK) s = hp_amg_coarsen_function_of(opt->coarsening)(t, w, E->A, &w->graph, opt->seed, E->state);
  if (s == HP_OK && t->rank == 0) s = share_states(H, p, E);
  s = hp_amg_ranks_agree(t, H, s);
  if (s == HP_OK && E->made)
    s = hp_amg_ranks_agree(t, H, hp_amg_interpolate_by(t, w, E->A, &w->graph, E->state, opt, &E->P));
  if (t->rank == 0) {
    w->share = NULL;
    hp_amg_work_end(w);
  }
  hp_team_sync(t); /* the work space is free */
  return s;
}

hp_status hp_amg_extended_make(hp_team *t, hp_amg_ranks *H, int l) {
  hp_amg_extended *E = &H->extended;
  hp_status s = HP_OK;
  if (t->rank == 0) s = extend(H->K, &H->part[l], H->H->level[l].A, E);
  HP_TRY(hp_amg_ranks_agree(t, H, s));
  return coarsen(t, H, &H->part[l], E);
}

void hp_amg_extended_free(hp_amg_extended *E) {
  hp_amg_rising_free(&E->points);
  hp_csr_destroy(&E->A);
  HP_FREE(E->number);
  HP_FREE(E->owned);
  HP_FREE(E->state);
  hp_exchange_destroy(&E->near);
  hp_exchange_destroy(&E->all);
  hp_csr_destroy(&E->P);
  HP_FREE(E->coarse);
  HP_FREE(E->next_owned);
  memset(E, 0, sizeof *E);
}
