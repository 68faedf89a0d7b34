/* Interpolation: row i of P is the unit vector for a coarse point, for a fine one
 *
 *     direct       w_ij = -alpha a_ij / d,  alpha = sum_N a-_in / sum_C a-_in   (Stueben 2001, section 4.2.1)
 *     classical    w_ij = -(a_ij + sum_k a_ik a'_kj / sum_l a'_kl) / d          (Ruge & Stueben 1987, eq. 4.27)
 *     extended+i   the same, with the coarse neighbours of strong fine neighbours and i itself among
 *                  the l (De Sterck, Falgout, Nolting & Yang 2008, eq. 4.10)
 *
 * j and l run over the coarse points that i interpolates from, k over its
 * strong fine neighbours, a' are the entries of row k whose sign is opposite
 * to its diagonal's. d is a_ii plus all that is neither interpolated from
 * nor distributed: weak neighbours, wells. So a row of P sums to one wherever the
 * row of A sums to zero. */
#include <math.h>
#include <string.h>

#include "amg/amg.h"
#include "core/memory.h"

typedef struct {
  const hp_csr *A;
  const hp_amg_graph *G;
  const uint8_t *point;
  const hp_amg_options *opt;
  double *diagonal; /* [ncell] */
  int32_t *place;   /* [ncell] place of a point in `set`, -1: not there */
  int32_t *set;     /* [ncell] coarse points of the row at hand */
  double *weight;   /* [ncell] */
  int32_t count;
} work;

static void add(work *w, int32_t j) {
  if (w->place[j] >= 0) return;
  w->place[j] = w->count;
  w->weight[w->count] = 0.0;
  w->set[w->count++] = j;
}

static void collect(work *w, int32_t i) {
  const hp_csr *A = w->A;
  const bool extended = w->opt->interpolation == HP_AMG_EXTENDED;
  w->count = 0;
  for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
    const int32_t j = A->column[k];
    if (!w->G->strong[k]) continue;
    if (w->point[j] == HP_AMG_COARSE) add(w, j);
    for (int32_t n = A->begin[j]; n < A->begin[j + 1] && extended && w->point[j] == HP_AMG_FINE; ++n)
      if (w->G->strong[n] && w->point[A->column[n]] == HP_AMG_COARSE) add(w, A->column[n]);
  }
}

/* Divides entry a_ik of row i among the points that i interpolates from; returns what goes to the diagonal. */
static double distribute(work *w, int32_t i, int32_t k, double aik) {
  const hp_csr *A = w->A;
  const bool extended = w->opt->interpolation == HP_AMG_EXTENDED;
  double sum = 0.0, back = 0.0;
  for (int32_t n = A->begin[k]; n < A->begin[k + 1]; ++n) {
    const int32_t l = A->column[n];
    if (l < w->G->ncell && l != k && A->value[n] * w->diagonal[k] < 0.0 && (w->place[l] >= 0 || (extended && l == i)))
      sum += A->value[n];
  }
  if (sum == 0.0) return aik;
  for (int32_t n = A->begin[k]; n < A->begin[k + 1]; ++n) {
    const int32_t l = A->column[n];
    if (l >= w->G->ncell || l == k || !(A->value[n] * w->diagonal[k] < 0.0)) continue;
    if (w->place[l] >= 0) w->weight[w->place[l]] += aik * (A->value[n] / sum);
    else if (extended && l == i) back += aik * (A->value[n] / sum);
  }
  return back;
}

/* Weights of the direct formula from the points in the set; false if there is no sensible one. */
static bool direct_row(work *w, int32_t i) {
  const hp_csr *A = w->A;
  const double aii = w->diagonal[i];
  double all = 0.0, coarse = 0.0, d = aii;
  for (int32_t n = 0; n < w->count; ++n) w->weight[n] = 0.0;
  for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
    const int32_t j = A->column[k];
    if (j == i) continue;
    if (j >= w->G->ncell || !(A->value[k] * aii < 0.0)) {
      d += A->value[k];
      continue;
    }
    all += A->value[k];
    if (w->place[j] < 0 || !w->G->strong[k]) continue;
    coarse += A->value[k];
    w->weight[w->place[j]] = A->value[k];
  }
  if (coarse == 0.0 || !(d * aii > 1e-12 * aii * aii)) return false;
  for (int32_t n = 0; n < w->count; ++n) w->weight[n] *= -all / coarse / d;
  return true;
}

static bool classical_row(work *w, int32_t i) {
  const hp_csr *A = w->A;
  const double aii = w->diagonal[i];
  double d = 0.0;
  for (int32_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
    const int32_t j = A->column[k];
    if (j < w->G->ncell && w->place[j] >= 0) w->weight[w->place[j]] += A->value[k];
    else if (w->G->strong[k]) d += distribute(w, i, j, A->value[k]);
    else d += A->value[k];
  }
  for (int32_t n = 0; n < w->count; ++n) w->weight[n] /= -d;
  return d * aii > 1e-12 * aii * aii;
}

/* Keeps the largest weights, the row's sum as it was. */
static void truncate_row(work *w) {
  double before = 0.0, after = 0.0, most = 0.0;
  int32_t kept = 0;
  for (int32_t n = 0; n < w->count; ++n) {
    before += w->weight[n];
    most = fmax(most, fabs(w->weight[n]));
    w->place[w->set[n]] = -1;
  }
  const int32_t limit = w->opt->max_weights > 0 && w->opt->max_weights < w->count ? w->opt->max_weights : w->count;
  for (int32_t n = 0; n < limit; ++n) { /* selection: rows are short */
    int32_t best = n;
    for (int32_t m = n + 1; m < w->count && limit < w->count; ++m)
      if (fabs(w->weight[m]) > fabs(w->weight[best])) best = m;
    const double weight = w->weight[best];
    const int32_t point = w->set[best];
    w->weight[best] = w->weight[n];
    w->set[best] = w->set[n];
    w->weight[n] = weight;
    w->set[n] = point;
  }
  for (int32_t n = 0; n < limit; ++n) {
    if (w->weight[n] == 0.0 || fabs(w->weight[n]) < w->opt->truncation * most) continue;
    w->weight[kept] = w->weight[n];
    w->set[kept++] = w->set[n];
    after += w->weight[kept - 1];
  }
  w->count = kept;
  if (after * before > 0.0)
    for (int32_t n = 0; n < kept; ++n) w->weight[n] *= before / after;
}

/* The row's points and weights in w. */
static void make_row(work *w, int32_t i) {
  w->count = 0;
  if (w->point[i] == HP_AMG_COARSE) {
    w->set[w->count] = i;
    w->weight[w->count++] = 1.0;
    return;
  }
  collect(w, i);
  bool good = w->count > 0;
  if (good && w->opt->interpolation != HP_AMG_DIRECT) good = classical_row(w, i);
  else if (good) good = direct_row(w, i);
  if (!good && w->count > 0) good = direct_row(w, i);
  for (int32_t n = 0; n < w->count && !good; ++n) w->weight[n] = 0.0; /* left to the smoother */
  truncate_row(w);
}

static hp_status allocate(work *w) {
  const int64_t n = w->A->nrow;
  HP_TRY(HP_ALLOC(w->diagonal, n));
  HP_TRY(HP_ALLOC(w->place, n));
  HP_TRY(HP_ALLOC(w->set, n));
  HP_TRY(HP_ALLOC(w->weight, n));
  for (int32_t i = 0; i < n; ++i) {
    w->place[i] = -1;
    for (int32_t k = w->A->begin[i]; k < w->A->begin[i + 1]; ++k)
      if (w->A->column[k] == i) w->diagonal[i] = w->A->value[k];
  }
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

static hp_status make_rows(work *w, const int32_t *number, rows *r) {
  int64_t count = 0;
  HP_TRY(HP_ALLOC(r->begin, (int64_t)w->A->nrow + 1));
  HP_TRY(grow(r, 2 * (int64_t)w->A->nrow));
  for (int32_t i = 0; i < w->A->nrow; ++i) {
    make_row(w, i);
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
  work w = {.A = A, .G = G, .point = point, .opt = opt};
  rows r = {0};
  int32_t *number = NULL, coarse = 0;
  *out = NULL;
  hp_status s = HP_ALLOC(number, A->nrow);
  for (int32_t i = 0; i < A->nrow && s == HP_OK; ++i) number[i] = point[i] == HP_AMG_COARSE ? coarse++ : -1;
  if (s == HP_OK) s = allocate(&w);
  if (s == HP_OK) s = make_rows(&w, number, &r);
  if (s == HP_OK) s = copy_rows(&r, A->nrow, coarse, out);
  HP_FREE(number);
  HP_FREE(w.diagonal);
  HP_FREE(w.place);
  HP_FREE(w.set);
  HP_FREE(w.weight);
  HP_FREE(r.begin);
  HP_FREE(r.column);
  HP_FREE(r.value);
  return s;
}
