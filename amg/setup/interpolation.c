/* P, row by row: the unit vector for a coarse point, a formula of the table (amg.h) for a fine one,
 * then truncation. A row of P sums to one wherever the row of A sums to zero. */
#include <math.h>
#include <string.h>

#include "amg/setup/interpolation_impl.h"
#include "amg/setup/setup_impl.h"
#include "core/memory.h"

typedef bool row_function(hp_amg_row *r, int32_t i);

static row_function *const row_functions[] = {
#define FUNCTION_OF(name, text, function) hp_amg_interpolate_##function,
    HP_AMG_INTERPOLATION_LIST(FUNCTION_OF)
#undef FUNCTION_OF
};

/* Clears the places of the row's points. */
static void forget(hp_amg_row *r) {
  for (int32_t n = 0; n < r->count; ++n) r->place[r->set[n]] = -1;
}

/* Exchanges the points and weights n and m. */
static void exchange(hp_amg_row *r, int32_t n, int32_t m) {
  const double weight = r->weight[m];
  const int32_t point = r->set[m];
  r->weight[m] = r->weight[n];
  r->set[m] = r->set[n];
  r->weight[n] = weight;
  r->set[n] = point;
}

/* The number of point i in the whole matrix. */
static int64_t number_of(const hp_amg_row *r, int32_t i) { return r->share != NULL ? r->share->number[i] : i; }

/* Whether a's number is nearer to i's than b's. */
static bool is_nearer(int64_t i, int64_t a, int64_t b) {
  const int64_t da = a > i ? a - i : i - a, db = b > i ? b - i : i - b;
  return da < db || (da == db && a < b);
}

/* Moves the `limit` largest weights to the front, there in the order of points. Of equal weights those of nearer points
 * are kept, then those of lower points: on a regular grid these are pairs on opposite sides, so that the row still
 * interpolates linear functions as well as constants. */
static void select_largest(hp_amg_row *r, int32_t i, int32_t limit) {
  for (int32_t n = 0; n < limit; ++n) {
    int32_t best = n;
    for (int32_t m = n + 1; m < r->count; ++m) {
      const double a = fabs(r->weight[m]), b = fabs(r->weight[best]);
      if (a > b || (a == b && is_nearer(number_of(r, i), number_of(r, r->set[m]), number_of(r, r->set[best]))))
        best = m;
    }
    exchange(r, n, best);
  }
  for (int32_t n = 1; n < limit; ++n)
    for (int32_t m = n; m > 0 && r->set[m] < r->set[m - 1]; --m) exchange(r, m, m - 1);
}

/* Keeps the largest weights, scaled so that the row's sum stays. */
static void truncate_row(hp_amg_row *r, int32_t i, const hp_amg_options *opt) {
  double before = 0.0, after = 0.0, most = 0.0;
  int32_t kept = 0;
  for (int32_t n = 0; n < r->count; ++n) {
    before += r->weight[n];
    most = fmax(most, fabs(r->weight[n]));
  }
  if (opt->max_weights > 0 && opt->max_weights < r->count) {
    select_largest(r, i, opt->max_weights);
    r->count = opt->max_weights;
  }
  for (int32_t n = 0; n < r->count; ++n) {
    if (r->weight[n] == 0.0 || fabs(r->weight[n]) < opt->truncation * most) continue;
    r->weight[kept] = r->weight[n];
    r->set[kept++] = r->set[n];
    after += r->weight[kept - 1];
  }
  const bool scaled = kept < r->count || before != after;
  r->count = kept;
  for (int32_t n = 0; n < kept && scaled && after * before > 0.0; ++n) r->weight[n] *= before / after;
}

/* The row's points and weights; another rank's row stays empty. */
static void make_row(hp_amg_row *r, const hp_amg_options *opt, int32_t i) {
  r->count = 0;
  if (r->share != NULL && !r->share->owned[i]) return;
  if (r->point[i] == HP_AMG_COARSE) {
    r->count = 1;
    r->set[0] = i;
    r->weight[0] = 1.0;
    return;
  }
  bool good = row_functions[opt->interpolation](r, i);
  forget(r);
  if (!good && r->count > 0) {
    good = hp_amg_interpolate_direct(r, i);
    forget(r);
  }
  if (!good) r->count = 0; /* left to the smoother */
  truncate_row(r, i, opt);
}

/* For all rows, shared by the members. */
typedef struct {
  double *diagonal; /* [nrow] */
  uint32_t *number; /* [nrow+1] the coarse points before i */
  uint32_t *begin;  /* [nrow+1] hp_amg_row */
} prepared;

/* Whether entry k of A, in a fine cell's row, has a coarse cell as its column. */
static bool is_coarse_entry(const hp_csr *A, const hp_amg_graph *G, const uint8_t *point, int64_t k) {
  return A->column[k] < G->ncell && point[A->column[k]] == HP_AMG_COARSE;
}

static hp_status prepare(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_amg_graph *G, const uint8_t *point,
                         prepared *p) {
  const int64_t n = A->nrow;
  HP_TRY(hp_amg_scratch(t, w, n * (int64_t)sizeof(double) + (2 * n + 2) * (int64_t)sizeof(int32_t)));
  p->diagonal = w->scratch;
  p->number = (uint32_t *)(p->diagonal + n);
  p->begin = p->number + n + 1;
  HP_TEAM_FOR_OWNED(t, i, n) {
    p->diagonal[i] = 0.0;
    p->number[i + 1] = point[i] == HP_AMG_COARSE;
    p->begin[i + 1] = 0;
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
      if (A->column[k] == i) p->diagonal[i] = A->value[k];
      p->begin[i + 1] += point[i] == HP_AMG_FINE && is_coarse_entry(A, G, point, k);
    }
  }
  HP_TRY(hp_amg_scan(t, w, p->number, n));
  return hp_amg_scan(t, w, p->begin, n);
}

static hp_status list_coarse_entries(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_amg_graph *G,
                                     const uint8_t *point, const prepared *p) {
  const hp_status s = t->rank == 0 ? HP_ALLOC_UNSET(w->coarse_entry, p->begin[A->nrow]) : HP_OK;
  HP_TRY(hp_amg_agree(t, w, s));
  HP_TEAM_FOR_OWNED(t, i, A->nrow) {
    hp_amg_coarse_entry *to = w->coarse_entry + p->begin[i];
    for (int64_t k = A->begin[i]; k < A->begin[i + 1] && point[i] == HP_AMG_FINE; ++k) {
      if (!is_coarse_entry(A, G, point, k)) continue;
      to->value = A->value[k];
      to->column = A->column[k];
      to->at = (uint32_t)(k - A->begin[i]) & 0x7fffffffu;
      to->strong = G->strong[k] & 1u;
      ++to;
    }
  }
  hp_team_sync(t); /* the coarse entries */
  return HP_OK;
}

/* The most points from which row i can be interpolated, duplicates included. */
static int64_t bound_of(const hp_csr *A, const hp_amg_graph *G, const uint8_t *point, const prepared *p, int64_t i) {
  if (point[i] == HP_AMG_COARSE) return 1;
  int64_t bound = p->begin[i + 1] - p->begin[i];
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    if (G->strong[k]) bound += p->begin[A->column[k] + 1] - p->begin[A->column[k]];
  return bound;
}

/* Allocates the rows while they are computed, one member's after the other's; this member's begin at *at. After them
 * each member has one row of *longest points. */
static hp_status make_room(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_amg_graph *G, const uint8_t *point,
                           const hp_amg_options *opt, const prepared *p, int64_t *at, int64_t *total,
                           int64_t *longest) {
  const int64_t limit = opt->max_weights > 0 ? opt->max_weights : INT64_MAX;
  int64_t sum = 0, most = 1, where;
  double all;
  hp_status s = HP_OK;
  HP_TEAM_FOR_OWNED(t, i, A->nrow) {
    const int64_t bound = bound_of(A, G, point, p, i);
    if (bound > most) most = bound;
    sum += bound < limit ? bound : limit;
  }
  hp_team_max_here(t, (double)most, t->rank, &all, &where);
  *longest = all < A->nrow ? (int64_t)all : A->nrow + INT64_C(1);
  *total = hp_amg_total(t, w, sum, at);
  if (t->rank == 0) s = HP_ALLOC_UNSET(w->column, *total + t->size * *longest);
  if (t->rank == 0 && s == HP_OK) s = HP_ALLOC_UNSET(w->value, *total + t->size * *longest);
  return hp_amg_agree(t, w, s);
}

/* The member's rows, from `at` on; begin[i+1]: entries of row i. Returns where they end. */
static int64_t make_rows(const hp_amg_options *opt, hp_amg_row *r, const prepared *p, hp_span rows, int64_t at,
                         const hp_amg_work *w, uint32_t *begin) {
  for (int64_t i = rows.begin; i < rows.end; ++i) {
    make_row(r, opt, (int32_t)i);
    for (int32_t n = 0; n < r->count; ++n) {
      w->column[at] = (int32_t)p->number[r->set[n]];
      w->value[at++] = r->weight[n];
    }
    begin[i + 1] = (uint32_t)r->count;
  }
  return at;
}

static hp_status interpolate(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_amg_graph *G, const uint8_t *point,
                             const hp_amg_options *opt, const prepared *p, hp_csr *P) {
  const hp_span rows = hp_team_span(t, A->nrow, 1);
  int64_t at, total, longest;
  hp_status s = HP_OK;
  HP_TRY(make_room(t, w, A, G, point, opt, p, &at, &total, &longest));
  hp_amg_row r = {.A = A,
                  .share = w->share,
                  .G = G,
                  .point = point,
                  .diagonal = p->diagonal,
                  .begin = p->begin,
                  .coarse_entry = w->coarse_entry,
                  .place = hp_amg_marker(t, w),
                  .set = w->column + total + t->rank * longest,
                  .weight = w->value + total + t->rank * longest};
  memset(r.place, 0xff, (size_t)A->nrow * sizeof *r.place);
  const int64_t end = make_rows(opt, &r, p, rows, at, w, P->begin);
  HP_TRY(hp_amg_scan(t, w, P->begin, P->nrow));
  if (t->rank == 0) s = HP_ALLOC_UNSET(P->column, P->begin[P->nrow]);
  if (t->rank == 0 && s == HP_OK) s = HP_ALLOC_UNSET(P->value, P->begin[P->nrow]);
  HP_TRY(hp_amg_agree(t, w, s));
  if (end > at) {
    memcpy(P->column + P->begin[rows.begin], w->column + at, (size_t)(end - at) * sizeof *P->column);
    memcpy(P->value + P->begin[rows.begin], w->value + at, (size_t)(end - at) * sizeof *P->value);
  }
  hp_team_sync(t); /* P */
  return HP_OK;
}

hp_status hp_amg_interpolate_by(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_amg_graph *G,
                                const uint8_t *point, const hp_amg_options *opt, hp_csr **out) {
  prepared p;
  hp_status s = HP_OK;
  HP_TRY(prepare(t, w, A, G, point, &p));
  if (t->rank == 0) s = hp_csr_create_empty(A->nrow, (int32_t)p.number[A->nrow], out);
  if (t->rank == 0 && s == HP_OK) s = HP_ALLOC_UNSET((*out)->begin, A->nrow + INT64_C(1));
  s = hp_amg_agree(t, w, s);
  if (s == HP_OK) s = list_coarse_entries(t, w, A, G, point, &p);
  if (s == HP_OK) s = interpolate(t, w, A, G, point, opt, &p, *out);
  if (t->rank == 0) {
    HP_FREE(w->coarse_entry);
    HP_FREE(w->column);
    HP_FREE(w->value);
    if (s != HP_OK) hp_csr_destroy(out);
  }
  hp_team_sync(t); /* member 0 has freed the scratch memory */
  return s;
}

hp_status hp_amg_interpolate(const hp_csr *A, const hp_amg_graph *G, const uint8_t *point, const hp_amg_options *opt,
                             hp_csr **out) {
  hp_amg_alone one;
  *out = NULL;
  HP_TRY(hp_amg_alone_begin(&one, A->nrow));
  const hp_status s = hp_amg_interpolate_by(&one.t, &one.w, A, G, point, opt, out);
  hp_amg_alone_end(&one);
  return s;
}
