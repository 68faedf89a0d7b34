#include "linsolve/matrix/pieces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* ---- bytes ---- */

void hp_gh_columns_clear(hp_gh_columns *b) {
  HP_FREE(b->bytes);
  HP_FREE(b->of);
  *b = (hp_gh_columns){.size = 0};
}

/* A column of `size` bytes, which are still to be written to *to. */
static hp_status begin_column(hp_gh_columns *b, int64_t size, char **to) {
  HP_TRY(HP_GROW(b->of, b->columns, 1));
  HP_TRY(HP_GROW(b->bytes, b->size, size));
  *to = b->bytes + b->size;
  b->of[b->columns++] = size;
  b->size += size;
  return HP_OK;
}

/* ---- sizes and numbers of the whole grid ---- */

void hp_gh_whole_size(const hp_gh *A, int size[3]) {
  for (int d = 0; d < 3; ++d) size[d] = A->part != NULL ? A->part->size[d] : ((const int[]){A->nz, A->ny, A->nx})[d];
}

int64_t hp_gh_whole_cells(const hp_gh *A) { return A->part != NULL ? A->part->whole : A->ncell; }

/* How far on a neighbour stands there. */
static int64_t whole_offset(const hp_gh *A, int u) {
  int size[3];
  hp_gh_whole_size(A, size);
  const int64_t far = u == 0 ? 0 : abs(u) == 1 ? 1 : abs(u) == 2 ? size[0] : (int64_t)size[0] * size[1];
  return u < 0 ? -far : far;
}

/* ---- rows of a MatrixMarket file ---- */

/* Entries of a row: counted, and printed unless `to` is NULL. */
typedef struct {
  char *to;
  int64_t count, size;
} lines;

enum { LINE = 80 /* characters of an entry at most: two numbers of 20, one of 24 */ };

static void put(lines *l, int64_t row, int64_t column, double value) {
  if (value == 0.0) return;
  l->count += 1;
  if (l->to != NULL)
    l->size += snprintf(l->to + l->size, LINE, "%" PRId64 " %" PRId64 " %.17g\n", row + 1, column + 1, value);
}

/* Row a of cell m, columns rising. */
static void put_row(lines *l, const hp_gh *A, int64_t m, int a) {
  const hp_gh_wells *W = &A->wells;
  const int64_t cells = hp_gh_whole_cells(A), here = hp_gh_whole_cell(A, m), row = here * A->q + a;
  int64_t e, end;
  hp_links_of(&A->links, m, &e, &end);
  for (int u = -3; u <= 4; ++u) {
    const int64_t n = u < 4 ? here + whole_offset(A, u) : cells;
    for (; e < end && hp_gh_whole_cell(A, A->links.other[e]) < n; ++e)
      for (int b = 0; b < A->q; ++b)
        put(l, row, hp_gh_whole_cell(A, A->links.other[e]) * A->q + b, *hp_gh_link(A, e, a, b));
    if (n < 0 || n >= cells) continue;
    for (int b = 0; b < A->q; ++b) put(l, row, n * A->q + b, *hp_gh_entry(A, m, u, a, b));
  }
  for (int r = W->d[m / A->nz]; r >= 0; r = W->next[r]) {
    const int64_t n = m - W->b[r];
    if (n >= 0 && n < W->c[r]) put(l, row, cells * A->q + W->of[r], W->wt[(W->a[r] + n) * A->q + a]);
  }
}

static void put_column(lines *l, const hp_gh *A, int64_t c) {
  for (int64_t m = c * A->nz; m < (c + 1) * A->nz; ++m)
    for (int a = 0; a < A->q; ++a) put_row(l, A, m, a);
}

/* ---- columns ---- */

static hp_status fill_counts(const hp_gh *A, int64_t c, hp_gh_columns *out) {
  lines l = {.to = NULL};
  int64_t count[2], begin, end;
  char *to;
  put_column(&l, A, c);
  count[0] = l.count;
  count[1] = 0;
  for (int64_t m = c * A->nz; m < (c + 1) * A->nz; ++m) {
    hp_links_of(&A->links, m, &begin, &end);
    count[1] += end - begin;
  }
  HP_TRY(begin_column(out, sizeof count, &to));
  memcpy(to, count, sizeof count);
  return HP_OK;
}

static hp_status fill_rows(const hp_gh *A, int64_t c, hp_gh_columns *out) {
  lines l = {.to = NULL};
  char *to;
  put_column(&l, A, c);
  HP_TRY(begin_column(out, LINE * l.count, &to));
  l = (lines){.to = to};
  put_column(&l, A, c);
  out->size += l.size - out->of[out->columns - 1];
  out->of[out->columns - 1] = l.size;
  return HP_OK;
}

static hp_status fill_links(const hp_gh *A, int64_t c, hp_gh_columns *out) {
  const int64_t numbers = (int64_t)A->q * A->q;
  const int64_t first = hp_links_from(&A->links, c * A->nz), last = hp_links_from(&A->links, (c + 1) * A->nz);
  const int64_t begin = A->links.count > 0 ? A->links.begin[first] : 0,
                end = A->links.count > 0 ? A->links.begin[last] : 0;
  char *to;
  HP_TRY(begin_column(out, (end - begin) * numbers * (int64_t)sizeof *A->link, &to));
  if (end > begin) memcpy(to, A->link + begin * numbers, (size_t)((end - begin) * numbers) * sizeof *A->link);
  return HP_OK;
}

static hp_status fill_pairs(const hp_gh *A, int64_t c, hp_gh_columns *out) {
  const hp_links *L = &A->links;
  int64_t count = 0;
  char *to;
  const int64_t first = hp_links_from(L, c * A->nz), last = hp_links_from(L, (c + 1) * A->nz);
  for (int pass = 0; pass < 2; ++pass) {
    if (pass == 1) HP_TRY(begin_column(out, 2 * count * (int64_t)sizeof count, &to));
    for (int64_t r = first; r < last; ++r)
      for (int64_t e = L->begin[r]; e < L->begin[r + 1]; ++e) {
        const int64_t pair[2] = {hp_gh_whole_cell(A, L->cell[r]), hp_gh_whole_cell(A, L->other[e])};
        if (pair[0] > pair[1]) continue;
        if (pass == 0) count += 1;
        else memcpy(to, pair, sizeof pair), to += sizeof pair;
      }
  }
  return HP_OK;
}

static hp_status fill_cells(const double *v, const hp_gh *A, int64_t c, hp_gh_columns *out) {
  const int64_t numbers = (int64_t)A->nz * A->q;
  char *to;
  HP_TRY(begin_column(out, numbers * (int64_t)sizeof *v, &to));
  memcpy(to, v + c * numbers, (size_t)numbers * sizeof *v);
  return HP_OK;
}

static hp_status fill_active(const uint8_t *active, const hp_gh *A, int64_t c, hp_gh_columns *out) {
  char *to;
  HP_TRY(begin_column(out, A->nz, &to));
  for (int64_t k = 0; k < A->nz; ++k) to[k] = active[c * A->nz + k] != 0;
  return HP_OK;
}

static hp_status fill_wt(const hp_gh_here *H, const hp_gh *A, hp_gh_columns *out) {
  const hp_gh_wells *W = &A->wells;
  const size_t bytes = (size_t)A->q * sizeof *W->wt;
  char *to;
  HP_TRY(begin_column(out, W->nperf * (int64_t)bytes, &to));
  if (A->part == NULL) {
    if (W->nperf > 0) memcpy(to, W->wt, (size_t)W->nperf * bytes);
    return HP_OK;
  }
  for (int r = 0; r < W->nrun; ++r)
    for (int64_t n = 0; n < W->c[r]; ++n) {
      char *at = to + (size_t)(W->a[r] + n) * bytes;
      if (H->active[W->b[r] + n] != 0) memcpy(at, W->wt + (W->a[r] + n) * A->q, bytes);
      else memset(at, 0, bytes);
    }
  return HP_OK;
}

static hp_status fill_column(const hp_gh_here *H, const hp_gh_piece *q, int64_t c, hp_gh_columns *out) {
  const hp_gh *A = H->A[q->which];
  switch (q->kind) {
    case HP_GH_PIECE_COUNTS: return fill_counts(A, c, out);
    case HP_GH_PIECE_ROWS: return fill_rows(A, c, out);
    case HP_GH_PIECE_H: return fill_cells(A->h + q->of * A->ld, A, c, out);
    case HP_GH_PIECE_LINKS: return fill_links(A, c, out);
    case HP_GH_PIECE_PAIRS: return fill_pairs(A, c, out);
    case HP_GH_PIECE_B: return fill_cells(H->b, A, c, out);
    case HP_GH_PIECE_X: return fill_cells(H->x, A, c, out);
    case HP_GH_PIECE_ACTIVE: return fill_active(H->active, A, c, out);
    case HP_GH_PIECE_WT: break;
  }
  return hp_fail(HP_ERR_INTERNAL, "a piece of no kind that has columns");
}

/* The number in the whole grid of column n of those here. */
static int64_t whole_column(const hp_gh_here *H, const hp_gh *A, int64_t n) {
  return hp_gh_whole_cell(A, (H->column != NULL ? H->column[n] : n) * A->nz) / A->nz;
}

hp_status hp_gh_here_fill(const hp_gh_here *H, const hp_gh_piece *q, hp_gh_columns *out) {
  const hp_gh *A = H->A[q->which];
  out->size = out->columns = 0;
  if (q->kind == HP_GH_PIECE_WT) return fill_wt(H, A, out);
  const int64_t all = H->column != NULL ? H->columns : A->ncell / A->nz;
  int64_t low = 0, high = all;
  while (low < high) { /* the first column of the piece */
    const int64_t middle = low + (high - low) / 2;
    if (whole_column(H, A, middle) < q->first) low = middle + 1;
    else high = middle;
  }
  for (int64_t n = low; n < all && whole_column(H, A, n) < q->end; ++n)
    HP_TRY(fill_column(H, q, H->column != NULL ? H->column[n] : n, out));
  return HP_OK;
}

/* ---- copies of matrices ---- */

/* The same wells, in the order of w and wt. */
static hp_status copy_structure(const hp_gh *A, hp_gh *to) {
  const hp_gh_wells *W = &A->wells;
  int64_t *begin = NULL, *cell = NULL;
  hp_status s = HP_ALLOC(begin, W->nwell + 1);
  if (s == HP_OK) s = HP_ALLOC(cell, W->nperf);
  if (s == HP_OK) {
    for (int w = 0; w < W->nwell; ++w) {
      begin[w + 1] = begin[w];
      for (int r = W->run_begin[w]; r < W->run_begin[w + 1]; ++r)
        for (int64_t n = 0; n < W->c[r]; ++n) cell[begin[w + 1]++] = W->b[r] + n;
    }
    s = hp_gh_set_wells(to, W->nwell, begin, cell, NULL);
  }
  HP_FREE(begin);
  HP_FREE(cell);
  return s;
}

hp_status hp_gh_here_keep(hp_gh_here *H, hp_gh_which which, const hp_gh *J) {
  const hp_gh_wells *W = &J->wells;
  const size_t word = sizeof(double), perf = (size_t)(W->nperf * J->q) * word;
  hp_gh *to = H->kept[which];
  if (to == NULL) {
    HP_TRY(hp_gh_create(J->nx, J->ny, J->nz, J->q, &to));
    H->kept[which] = to;
    to->part = J->part;
    HP_TRY(copy_structure(J, to));
    HP_TRY(hp_gh_copy_links(J, to));
  }
  memcpy(to->h, J->h, (size_t)(HP_GH_DIAGS * J->q * J->ld) * word);
  if (perf > 0) {
    memcpy(to->wells.w, W->w, perf);
    memcpy(to->wells.wt, W->wt, perf);
  }
  if (W->nwell > 0) memcpy(to->wells.dd, W->dd, (size_t)W->nwell * word);
  if (J->links.count > 0) memcpy(to->link, J->link, (size_t)(J->links.count * J->q * J->q) * word);
  H->A[which] = to;
  return HP_OK;
}

void hp_gh_here_clear(hp_gh_here *H) {
  for (int n = 0; n < HP_GH_MATRICES; ++n) hp_gh_destroy(&H->kept[n]);
  HP_FREE(H->column);
  hp_gh_columns_clear(&H->work);
  *H = (hp_gh_here){.columns = 0};
}

/* ---- sources ---- */

static hp_status get_here(void *arg, const hp_gh_piece *q, const char **bytes, int64_t *size) {
  hp_gh_here *H = arg;
  HP_TRY(hp_gh_here_fill(H, q, &H->work));
  *bytes = H->work.bytes;
  *size = H->work.size;
  return HP_OK;
}

hp_gh_source hp_gh_here_source(hp_gh_here *H) {
  hp_gh_source S = {.arg = H, .get = get_here};
  for (int n = 0; n < HP_GH_MATRICES; ++n) S.A[n] = H->A[n];
  S.b_well = H->b != NULL ? H->b + H->A[HP_GH_LATEST]->rows : NULL;
  S.x_well = H->x != NULL ? H->x + H->A[HP_GH_LATEST]->rows : NULL;
  return S;
}

hp_status hp_gh_source_read(const hp_gh_source *S, hp_gh_piece_kind kind, hp_gh_which which, int of,
                            hp_gh_piece_function each, void *arg) {
  enum { CELLS = 1 << 14, TEXT = 1 << 10 }; /* rows of a cell have a kilobyte of text and more */
  int size[3];
  hp_gh_whole_size(S->A[which], size);
  const int64_t cells = kind == HP_GH_PIECE_ROWS ? TEXT : CELLS, all = (int64_t)size[1] * size[2];
  const int64_t step = cells > size[0] ? cells / size[0] : 1;
  for (int64_t first = 0; first < all; first += step) {
    hp_gh_piece q;
    memset(&q, 0, sizeof q);
    q.kind = kind;
    q.which = which;
    q.of = of;
    q.first = first;
    q.end = first + step < all ? first + step : all;
    const char *bytes;
    int64_t count;
    HP_TRY(S->get(S->arg, &q, &bytes, &count));
    HP_TRY(each(arg, &q, bytes, count));
  }
  return HP_OK;
}

static hp_status add_counts(void *arg, const hp_gh_piece *q, const char *bytes, int64_t size) {
  int64_t *sum = arg, count[2];
  (void)q;
  for (int64_t at = 0; at < size; at += (int64_t)sizeof count) {
    memcpy(count, bytes + at, sizeof count);
    sum[0] += count[0];
    sum[1] += count[1];
  }
  return HP_OK;
}

hp_status hp_gh_source_count(const hp_gh_source *S, hp_gh_which which, int64_t count[2]) {
  count[0] = count[1] = 0;
  return hp_gh_source_read(S, HP_GH_PIECE_COUNTS, which, 0, add_counts, count);
}
