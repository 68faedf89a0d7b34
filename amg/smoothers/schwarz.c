/* Overlapping domains: amg/smoothers/schwarz.inl.h. */
#include <stdlib.h>

#include "amg/rows/rows.inl.h"
#include "amg/smoothers/impl.h"
#include "amg/smoothers/pass.h"
#include "core/memory.h"

typedef struct {
  const hp_csr *A;
  int32_t *place; /* [n] 1 + number in the domain at hand, 0: outside */
  int32_t *row;   /* [n] of the domain, rising */
  int32_t count;
} domain;

static int by_number(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static void domain_add(domain *d, int32_t row) {
  if (d->place[row] != 0) return;
  d->place[row] = 1;
  d->row[d->count++] = row;
}

/* The rows begin..end-1 and those that they depend on. */
static void domain_enter(domain *d, int32_t begin, int32_t end) {
  d->count = 0;
  for (int32_t i = begin; i < end; ++i) {
    domain_add(d, i);
    for (int64_t k = d->A->begin[i]; k < d->A->begin[i + 1]; ++k) domain_add(d, d->A->column[k]);
  }
  qsort(d->row, (size_t)d->count, sizeof *d->row, by_number);
  for (int32_t k = 0; k < d->count; ++k) d->place[d->row[k]] = k + 1;
}

static void domain_leave(domain *d) {
  for (int32_t k = 0; k < d->count; ++k) d->place[d->row[k]] = 0;
}

/* Puts column c, from place `source` of A, among the `count` rising ones from `at` on. */
static void insert(hp_amg_smooth *S, int64_t at, int32_t count, int32_t c, uint32_t source) {
  int64_t to = at + count;
  for (; to > at && S->column[to - 1] > c; --to) {
    S->column[to] = S->column[to - 1];
    S->source[to] = S->source[to - 1];
  }
  S->column[to] = c;
  S->source[to] = source;
}

/* Row `row` within the domain, `number` within it: how many entries (the diagonal always is one), and, if S is
 * given, these from `at` on. */
static int32_t domain_row(const domain *d, int32_t row, int64_t at, int32_t number, hp_amg_smooth *S) {
  int32_t count = 0;
  bool diagonal = false;
  for (int64_t k = d->A->begin[row]; k < d->A->begin[row + 1]; ++k) {
    const int32_t c = d->place[d->A->column[k]] - 1;
    if (c < 0) continue;
    diagonal = diagonal || c == number;
    if (S != NULL) insert(S, at, count, c, (uint32_t)k);
    count += 1;
  }
  if (!diagonal && S != NULL) insert(S, at, count, number, HP_AMG_NOWHERE);
  return diagonal ? count : count + 1;
}

/* Rows and entries of all domains together. */
static void domains_measure(domain *d, int32_t ndomain, int64_t *rows, int64_t *entries) {
  const int64_t n = d->A->nrow;
  *rows = *entries = 0;
  for (int64_t c = 0; c < ndomain; ++c) {
    domain_enter(d, (int32_t)(n * c / ndomain), (int32_t)(n * (c + 1) / ndomain));
    *rows += d->count;
    for (int32_t k = 0; k < d->count; ++k) *entries += domain_row(d, d->row[k], 0, k, NULL);
    domain_leave(d);
  }
}

static void domains_fill(domain *d, hp_amg_smooth *S) {
  const int64_t n = d->A->nrow;
  int64_t at = 0;
  for (int64_t c = 0; c < S->ndomain; ++c) {
    const int32_t begin = (int32_t)(n * c / S->ndomain);
    domain_enter(d, begin, (int32_t)(n * (c + 1) / S->ndomain));
    S->domain[c + 1] = S->domain[c] + d->count;
    S->first[c] = d->place[begin] - 1;
    for (int32_t k = 0; k < d->count; ++k) {
      const int32_t i = S->domain[c] + k, count = domain_row(d, d->row[k], at, k, S);
      S->row[i] = d->row[k];
      for (int64_t e = at; e < at + count; ++e)
        if (S->column[e] == k) S->diagonal[i] = (uint32_t)e;
      at += count;
      S->begin[i + 1] = (uint32_t)at;
    }
    domain_leave(d);
  }
}

static hp_status domains_create(const hp_amg_options *opt, domain *d, hp_amg_smooth *S) {
  int64_t rows, entries;
  domains_measure(d, S->ndomain, &rows, &entries);
  if (rows > INT32_MAX)
    return hp_fail(HP_ERR_UNSUPPORTED, "schwarz: %lld rows in a level's domains, and 32-bit numbers count %d",
                   (long long)rows, INT32_MAX);
  HP_TRY(hp_csr_check_entries("in a level's domains of schwarz", entries));
  HP_TRY(HP_ALLOC(S->domain, S->ndomain + 1));
  HP_TRY(HP_ALLOC(S->first, S->ndomain));
  HP_TRY(HP_ALLOC(S->row, rows));
  HP_TRY(HP_ALLOC(S->begin, rows + 1));
  HP_TRY(HP_ALLOC(S->diagonal, rows));
  HP_TRY(HP_ALLOC(S->column, entries));
  HP_TRY(HP_ALLOC(S->source, entries));
  HP_TRY(hp_amg_smooth_numbers(opt, &S->value, entries));
  HP_TRY(hp_amg_smooth_numbers(opt, &S->work, rows));
  domains_fill(d, S);
  return HP_OK;
}

hp_status hp_amg_prepare_domains(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  domain d = {.A = L->A};
  S->ndomain = (int32_t)hp_amg_domains(opt, L->A->nrow);
  hp_status s = HP_ALLOC(d.place, L->A->nrow);
  if (s == HP_OK) s = HP_ALLOC(d.row, L->A->nrow);
  if (s == HP_OK) s = domains_create(opt, &d, S);
  HP_FREE(d.place);
  HP_FREE(d.row);
  return s;
}

/* ---- sweeps ---- */

/* A CPU: all domains in one pass. */
static hp_status by_domains(hp_amg_writer *W, int l, const void *r, const void *x, void *out) {
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_SCHWARZ, HP_AMG_FORM_PRODUCT, NULL, out, W->H->level[l].nrow);
  p.x = x;
  p.b = r;
  p.level = (int16_t)l;
  return hp_amg_add_pass(W, p);
}

/* A GPU: both triangular solves of all domains at the same time, then the sum over interior rows. */
static hp_status by_triangles(hp_amg_writer *W, int l, const void *r, const void *x, void *out) {
  const hp_amg_smoothing *M = &W->device[l];
  const hp_amg_level *L = &W->H->level[l];
  void *z = L->smooth.work;
  for (int g = 0; g < M->lower.ngroup; ++g)
    HP_TRY(hp_amg_add_group(W, l, &M->lower, g, g > 0 ? z : NULL, NULL, r, L->smooth.row, z, false));
  for (int g = 0; g < M->upper.ngroup; ++g)
    HP_TRY(hp_amg_add_group(W, l, &M->upper, g, g > 0 ? z : NULL, NULL, z, NULL, z, false));
  return hp_amg_add_sum(W, x, z, M->index, out, L->nrow);
}

/* In place. */
hp_status hp_amg_schwarz_sweep(hp_amg_writer *W, int l, bool forward, const void *b, hp_amg_iterate *v) {
  const bool zero = v->state == HP_AMG_ZERO;
  const void *r = zero ? b : W->H->level[l].y, *x = zero ? NULL : v->x;
  (void)forward;
  if (!zero) HP_TRY(hp_amg_add_residual(W, l, b, v->x));
  v->state = HP_AMG_STORED;
  return W->device != NULL ? by_triangles(W, l, r, x, v->x) : by_domains(W, l, r, x, v->x);
}
