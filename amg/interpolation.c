/* P, row by row: the unit vector for a coarse point, a formula of the table (amg.h) for a fine one,
 * then truncation. A row of P sums to one wherever the row of A sums to zero. */
#include <math.h>
#include <string.h>

#include "amg/interpolation_impl.h"
#include "core/memory.h"

typedef bool row_function(hp_amg_row *r, int32_t i);

static row_function *const row_functions[] = {
#define FUNCTION_OF(name, text, function) hp_amg_interpolate_##function,
    HP_AMG_INTERPOLATION_LIST(FUNCTION_OF)
#undef FUNCTION_OF
};

/* The points of the row are in `set` no more. */
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

/* The `limit` largest weights come first, of equal ones the lower points', then in the order of points again. */
static void select_largest(hp_amg_row *r, int32_t limit) {
  for (int32_t n = 0; n < limit; ++n) {
    int32_t best = n;
    for (int32_t m = n + 1; m < r->count; ++m) {
      const double a = fabs(r->weight[m]), b = fabs(r->weight[best]);
      if (a > b || (a == b && r->set[m] < r->set[best])) best = m;
    }
    exchange(r, n, best);
  }
  for (int32_t n = 1; n < limit; ++n)
    for (int32_t m = n; m > 0 && r->set[m] < r->set[m - 1]; --m) exchange(r, m, m - 1);
}

/* Keeps the largest weights, the row's sum as it was. */
static void truncate_row(hp_amg_row *r, const hp_amg_options *opt) {
  double before = 0.0, after = 0.0, most = 0.0;
  int32_t kept = 0;
  for (int32_t n = 0; n < r->count; ++n) {
    before += r->weight[n];
    most = fmax(most, fabs(r->weight[n]));
  }
  if (opt->max_weights > 0 && opt->max_weights < r->count) {
    select_largest(r, opt->max_weights);
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

/* The row's points and weights. */
static void make_row(hp_amg_row *r, const hp_amg_options *opt, int32_t i) {
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
  truncate_row(r, opt);
}

static hp_status allocate(hp_amg_row *r, double **diagonal) {
  const hp_csr *A = r->A;
  const int64_t n = A->nrow;
  HP_TRY(HP_ALLOC(*diagonal, n));
  HP_TRY(HP_ALLOC(r->place, n));
  HP_TRY(HP_ALLOC(r->set, n));
  HP_TRY(HP_ALLOC(r->weight, n));
  for (int32_t i = 0; i < n; ++i) {
    r->place[i] = -1;
    for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
      if (A->column[k] == i) (*diagonal)[i] = A->value[k];
  }
  r->diagonal = *diagonal;
  return HP_OK;
}

/* All rows, appended to arrays that grow. */
typedef struct {
  int32_t *begin, *column;
  double *value;
  int64_t room;
} rows;

static hp_status grow(rows *r, int64_t needed) {
  if (needed <= r->room) return HP_OK;
  const int64_t room = 2 * needed, held = r->room;
  int32_t *column = NULL;
  double *value = NULL;
  hp_status s = HP_ALLOC(column, room);
  if (s == HP_OK) s = HP_ALLOC(value, room);
  if (s != HP_OK) {
    HP_FREE(column);
    return s;
  }
  if (held > 0) {
    memcpy(column, r->column, (size_t)held * sizeof *column);
    memcpy(value, r->value, (size_t)held * sizeof *value);
  }
  HP_FREE(r->column);
  HP_FREE(r->value);
  r->column = column;
  r->value = value;
  r->room = room;
  return HP_OK;
}

static hp_status make_rows(hp_amg_row *w, const hp_amg_options *opt, const int32_t *number, rows *r) {
  int64_t count = 0;
  HP_TRY(HP_ALLOC(r->begin, (int64_t)w->A->nrow + 1));
  HP_TRY(grow(r, 2 * (int64_t)w->A->nrow));
  for (int32_t i = 0; i < w->A->nrow; ++i) {
    make_row(w, opt, i);
    if (count + w->count >= INT32_MAX / 2) return hp_fail(HP_ERR_UNSUPPORTED, "interpolation: too many weights");
    HP_TRY(grow(r, count + w->count));
    for (int32_t n = 0; n < w->count; ++n) {
      r->column[count] = number[w->set[n]];
      r->value[count++] = w->weight[n];
    }
    r->begin[i + 1] = (int32_t)count;
  }
  return HP_OK;
}

static hp_status copy_rows(const rows *r, int32_t nrow, int32_t ncol, hp_csr **out) {
  const int64_t count = r->begin[nrow];
  HP_TRY(hp_csr_create(nrow, ncol, count, out));
  memcpy((*out)->begin, r->begin, ((size_t)nrow + 1) * sizeof *r->begin);
  if (count == 0) return HP_OK;
  memcpy((*out)->column, r->column, (size_t)count * sizeof *r->column);
  memcpy((*out)->value, r->value, (size_t)count * sizeof *r->value);
  return HP_OK;
}

hp_status hp_amg_interpolate(const hp_csr *A, const hp_amg_graph *G, const uint8_t *point, const hp_amg_options *opt,
                             hp_csr **out) {
  hp_amg_row w = {.A = A, .G = G, .point = point};
  rows r = {0};
  double *diagonal = NULL;
  int32_t *number = NULL, coarse = 0;
  *out = NULL;
  hp_status s = HP_ALLOC(number, A->nrow);
  for (int32_t i = 0; i < A->nrow && s == HP_OK; ++i) number[i] = point[i] == HP_AMG_COARSE ? coarse++ : -1;
  if (s == HP_OK) s = allocate(&w, &diagonal);
  if (s == HP_OK) s = make_rows(&w, opt, number, &r);
  if (s == HP_OK) s = copy_rows(&r, A->nrow, coarse, out);
  HP_FREE(number);
  HP_FREE(diagonal);
  HP_FREE(w.place);
  HP_FREE(w.set);
  HP_FREE(w.weight);
  HP_FREE(r.begin);
  HP_FREE(r.column);
  HP_FREE(r.value);
  return s;
}
