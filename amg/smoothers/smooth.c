/* Smoothers' views of a level's pattern: colours, dependency levels, blocks, domains. */
#include <stdlib.h>

#include "amg/cycle/rows.inl.h"
#include "amg/smoothers/impl.h"
#include "core/memory.h"

typedef hp_status prepare_function(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S);

static hp_status numbers(const hp_amg_options *opt, void **out, int64_t count) {
  return hp_alloc(out, count, opt->precision == HP_PRECISION_SINGLE ? sizeof(float) : sizeof(double),
                  "a smoother's numbers");
}

static hp_status prepare_point(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  return numbers(opt, &S->scale, L->A->nrow);
}

static hp_status prepare_polynomial(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  HP_TRY(HP_ALLOC(S->coefficient, 2 * opt->order));
  HP_TRY(HP_ALLOC(S->eigenvalue, 1));
  return prepare_point(opt, L, S);
}

/* ---- groups ---- */

/* Which units (blocks of `width` rows) touch a unit: those that its rows depend on or that depend on them. */
typedef struct {
  const hp_csr *A;
  hp_csr *T; /* A^T */
  int width;
  int32_t *group; /* [units] */
  int32_t *seen;  /* [units+1] unit + 1 that saw a group last */
  int32_t units;
} grouping;

typedef int32_t choose_function(const grouping *g, int32_t unit);

static int32_t rows_end(const grouping *g, int32_t unit) {
  const int64_t end = (int64_t)(unit + 1) * g->width;
  return end < g->A->nrow ? (int32_t)end : g->A->nrow;
}

static void mark_colours(const grouping *g, const hp_csr *A, int32_t unit) {
  for (int32_t k = A->begin[unit * g->width]; k < A->begin[rows_end(g, unit)]; ++k) {
    const int32_t other = A->column[k] / g->width;
    if (other < unit) g->seen[g->group[other]] = unit + 1;
  }
}

/* The smallest colour that no earlier neighbour has. */
static int32_t choose_colour(const grouping *g, int32_t unit) {
  int32_t colour = 0;
  mark_colours(g, g->A, unit);
  mark_colours(g, g->T, unit);
  while (g->seen[colour] == unit + 1) ++colour;
  return colour;
}

static int32_t level_after(const grouping *g, const hp_csr *A, int32_t unit, int32_t level) {
  for (int32_t k = A->begin[unit * g->width]; k < A->begin[rows_end(g, unit)]; ++k) {
    const int32_t other = A->column[k] / g->width;
    if (other < unit && g->group[other] >= level) level = g->group[other] + 1;
  }
  return level;
}

/* One more than the highest level of the earlier neighbours. */
static int32_t choose_level(const grouping *g, int32_t unit) {
  return level_after(g, g->T, unit, level_after(g, g->A, unit, 0));
}

hp_status hp_amg_groups_sort(const int32_t *group, int32_t units, hp_amg_smooth *S) {
  for (int32_t u = 0; u < units; ++u)
    if (group[u] >= S->ngroup) S->ngroup = group[u] + 1;
  HP_TRY(HP_ALLOC(S->group, S->ngroup + 2));
  HP_TRY(HP_ALLOC(S->order, units));
  for (int32_t u = 0; u < units; ++u) S->group[group[u] + 2] += 1;
  for (int32_t c = 1; c <= S->ngroup; ++c) S->group[c + 1] += S->group[c];
  for (int32_t u = 0; u < units; ++u) S->order[S->group[group[u] + 1]++] = u;
  return HP_OK;
}

hp_status hp_amg_triangle_groups(int32_t n, const int32_t *from, const int32_t *to, const int32_t *column, bool upper,
                                 hp_amg_smooth *S) {
  int32_t *level = NULL;
  HP_TRY(HP_ALLOC(level, n));
  for (int32_t k = 0; k < n; ++k) {
    const int32_t i = upper ? n - 1 - k : k;
    for (int32_t e = from[i]; e < to[i]; ++e)
      if (level[column[e]] >= level[i]) level[i] = level[column[e]] + 1;
  }
  const hp_status s = hp_amg_groups_sort(level, n, S);
  HP_FREE(level);
  return s;
}

static hp_status group_units(const hp_csr *A, int width, choose_function *choose, hp_amg_smooth *S) {
  grouping g = {.A = A, .width = width, .units = (A->nrow + width - 1) / width};
  hp_status s = hp_csr_transpose(A, &g.T);
  if (s == HP_OK) s = HP_ALLOC(g.group, g.units);
  if (s == HP_OK) s = HP_ALLOC(g.seen, g.units + 1);
  for (int32_t u = 0; u < g.units && s == HP_OK; ++u) g.group[u] = choose(&g, u);
  if (s == HP_OK) s = hp_amg_groups_sort(g.group, g.units, S);
  hp_csr_destroy(&g.T);
  HP_FREE(g.group);
  HP_FREE(g.seen);
  return s;
}

static hp_status prepare_colours(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  HP_TRY(prepare_point(opt, L, S));
  return group_units(L->A, 1, choose_colour, S);
}

static hp_status prepare_levels(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  HP_TRY(prepare_point(opt, L, S));
  return group_units(L->A, 1, choose_level, S);
}

static hp_status prepare_blocks(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  S->width = opt->block;
  S->nblock = (L->A->nrow + S->width - 1) / S->width;
  return numbers(opt, &S->block, (int64_t)S->nblock * S->width * S->width);
}

static hp_status prepare_block_levels(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  HP_TRY(prepare_blocks(opt, L, S));
  return group_units(L->A, S->width, choose_level, S);
}

/* ---- approximate inverse ---- */

static hp_status prepare_inverse(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  const hp_csr *A = L->A;
  S->inverse = L->a;
  S->inverse.shared = true; /* begin and column */
  S->inverse.value = NULL;
  S->rising = true;
  for (int32_t i = 0; i < A->nrow; ++i)
    for (int32_t k = A->begin[i] + 1; k < A->begin[i + 1]; ++k)
      S->rising = S->rising && A->column[k - 1] < A->column[k];
  const int64_t slices = ((int64_t)A->nrow + (1 << L->a.shift) - 1) >> L->a.shift;
  return numbers(opt, &S->inverse.value, L->a.begin[slices]);
}

/* ---- domains ---- */

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
    for (int32_t k = d->A->begin[i]; k < d->A->begin[i + 1]; ++k) domain_add(d, d->A->column[k]);
  }
  qsort(d->row, (size_t)d->count, sizeof *d->row, by_number);
  for (int32_t k = 0; k < d->count; ++k) d->place[d->row[k]] = k + 1;
}

static void domain_leave(domain *d) {
  for (int32_t k = 0; k < d->count; ++k) d->place[d->row[k]] = 0;
}

/* Puts column c, from place `source` of A, among the `count` rising ones from `at` on. */
static void insert(hp_amg_smooth *S, int32_t at, int32_t count, int32_t c, int32_t source) {
  int32_t to = at + count;
  for (; to > at && S->column[to - 1] > c; --to) {
    S->column[to] = S->column[to - 1];
    S->source[to] = S->source[to - 1];
  }
  S->column[to] = c;
  S->source[to] = source;
}

/* Row `row` within the domain, its number `own` in it: how many entries (the diagonal always is one), and, if S is
 * given, these from `at` on. */
static int32_t domain_row(const domain *d, int32_t row, int32_t at, int32_t own, hp_amg_smooth *S) {
  int32_t count = 0;
  bool diagonal = false;
  for (int32_t k = d->A->begin[row]; k < d->A->begin[row + 1]; ++k) {
    const int32_t c = d->place[d->A->column[k]] - 1;
    if (c < 0) continue;
    diagonal = diagonal || c == own;
    if (S != NULL) insert(S, at, count, c, k);
    count += 1;
  }
  if (!diagonal && S != NULL) insert(S, at, count, own, -1);
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
  int32_t at = 0;
  for (int64_t c = 0; c < S->ndomain; ++c) {
    const int32_t begin = (int32_t)(n * c / S->ndomain);
    domain_enter(d, begin, (int32_t)(n * (c + 1) / S->ndomain));
    S->domain[c + 1] = S->domain[c] + d->count;
    S->first[c] = d->place[begin] - 1;
    for (int32_t k = 0; k < d->count; ++k) {
      const int32_t i = S->domain[c] + k, count = domain_row(d, d->row[k], at, k, S);
      S->row[i] = d->row[k];
      for (int32_t e = at; e < at + count; ++e)
        if (S->column[e] == k) S->diagonal[i] = e;
      at += count;
      S->begin[i + 1] = at;
    }
    domain_leave(d);
  }
}

static hp_status domains_create(const hp_amg_options *opt, domain *d, hp_amg_smooth *S) {
  int64_t rows, entries;
  domains_measure(d, S->ndomain, &rows, &entries);
  if (entries > INT32_MAX) return hp_fail(HP_ERR_UNSUPPORTED, "the domains of a level have more than 2^31 entries");
  HP_TRY(HP_ALLOC(S->domain, S->ndomain + 1));
  HP_TRY(HP_ALLOC(S->first, S->ndomain));
  HP_TRY(HP_ALLOC(S->row, rows));
  HP_TRY(HP_ALLOC(S->begin, rows + 1));
  HP_TRY(HP_ALLOC(S->diagonal, rows));
  HP_TRY(HP_ALLOC(S->column, entries));
  HP_TRY(HP_ALLOC(S->source, entries));
  HP_TRY(numbers(opt, &S->value, entries));
  HP_TRY(numbers(opt, &S->work, rows));
  domains_fill(d, S);
  return HP_OK;
}

static hp_status prepare_domains(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  domain d = {.A = L->A};
  S->ndomain = (int32_t)hp_amg_domains(opt, L->A->nrow);
  hp_status s = HP_ALLOC(d.place, L->A->nrow);
  if (s == HP_OK) s = HP_ALLOC(d.row, L->A->nrow);
  if (s == HP_OK) s = domains_create(opt, &d, S);
  HP_FREE(d.place);
  HP_FREE(d.row);
  return s;
}

/* ---- all of them ---- */

hp_status hp_amg_smooth_prepare(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) {
  static prepare_function *const functions[] = {
#define PREPARE_OF(name, text, setup, sweep, moves, rows, prepare) prepare_##prepare,
      HP_AMG_SMOOTHER_LIST(PREPARE_OF)
#undef PREPARE_OF
  };
  return functions[opt->smoother](opt, L, S);
}

void hp_amg_smooth_clear(hp_amg_smooth *S) {
  static const hp_amg_smooth none;
  HP_FREE(S->scale);
  HP_FREE(S->group);
  HP_FREE(S->order);
  HP_FREE(S->block);
  HP_FREE(S->coefficient);
  HP_FREE(S->eigenvalue);
  HP_FREE(S->inverse.value);
  HP_FREE(S->domain);
  HP_FREE(S->first);
  HP_FREE(S->row);
  HP_FREE(S->begin);
  HP_FREE(S->diagonal);
  HP_FREE(S->column);
  HP_FREE(S->source);
  HP_FREE(S->value);
  HP_FREE(S->work);
  *S = none;
}

int64_t hp_amg_smooth_bytes(const hp_amg_options *opt, const hp_amg_level *L) {
  const hp_amg_smooth *S = &L->smooth;
  const int64_t n = L->A->nrow, real = opt->precision == HP_PRECISION_SINGLE ? 4 : 8, index = 4;
  int64_t bytes = 0;
  if (S->scale != NULL) bytes += real * n;
  if (S->order != NULL) bytes += index * (S->ngroup + 2 + (S->nblock > 0 ? S->nblock : n));
  if (S->block != NULL) bytes += real * S->nblock * S->width * S->width;
  if (S->coefficient != NULL) bytes += 8 * (2 * opt->order + 1);
  if (S->inverse.value != NULL) bytes += real * S->inverse.begin[(n + (1 << S->inverse.shift) - 1) >> S->inverse.shift];
  if (S->domain != NULL) {
    const int64_t rows = S->domain[S->ndomain], entries = S->begin[rows];
    bytes += index * (2 * S->ndomain + 1 + 3 * rows + 1 + 2 * entries) + real * (entries + rows);
  }
  return bytes;
}
