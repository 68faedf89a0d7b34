#include "sim/diagnose/graph.h"

#include <math.h>

#include "core/memory.h"

hp_status hp_flux_graph_create(int64_t ncell, int64_t count, const int64_t *a, const int64_t *b, const double *rate,
                               hp_flux_graph *out) {
  int64_t *fill = NULL;
  *out = (hp_flux_graph){.ncell = ncell};
  HP_TRY(HP_ALLOC(out->begin, ncell + 1));
  HP_TRY(HP_ALLOC(out->through, ncell));
  for (int64_t n = 0; n < count; ++n) {
    if (rate[n] == 0.0) continue;
    out->begin[a[n] + 1] += 1;
    out->begin[b[n] + 1] += 1;
  }
  for (int64_t m = 0; m < ncell; ++m) out->begin[m + 1] += out->begin[m];
  HP_TRY(HP_ALLOC_UNSET(out->other, out->begin[ncell]));
  HP_TRY(HP_ALLOC_UNSET(out->rate, out->begin[ncell]));
  HP_TRY(HP_ALLOC(fill, ncell));
  for (int64_t n = 0; n < count; ++n) {
    if (rate[n] == 0.0) continue;
    const int64_t at = out->begin[a[n]] + fill[a[n]]++, there = out->begin[b[n]] + fill[b[n]]++;
    out->other[at] = b[n];
    out->rate[at] = rate[n];
    out->other[there] = a[n];
    out->rate[there] = -rate[n];
  }
  HP_FREE(fill);
  return HP_OK;
}

void hp_flux_graph_destroy(hp_flux_graph *G) {
  HP_FREE(G->begin);
  HP_FREE(G->other);
  HP_FREE(G->rate);
  HP_FREE(G->through);
  HP_FREE(G->order);
  HP_FREE(G->loop);
}

/* ---- order ---- */

/* Tarjan's search (Depth-first search and linear graph algorithms, SIAM J. Comput. 1, 1972), whose recursion is a stack. It meets
 * components downstream first. */
typedef struct {
  const hp_flux_graph *G;
  int64_t *index;   /* [ncell] number of the visit, from 1; 0: none yet */
  int64_t *low;     /* [ncell] least number that is reached from the cell within the search */
  int64_t *at;      /* [ncell] its next entry */
  int64_t *call;    /* [ncell] cells whose entries are being followed */
  int64_t *open;    /* [ncell] visited cells whose component is not known yet */
  int64_t *found;   /* [ncell] cells, component by component */
  uint8_t *is_open; /* [ncell] */
  int64_t visits, ncall, nopen, nfound, nloop;
  int64_t *loop; /* [2 ncell] as in hp_flux_graph, in the search's order */
} search;

static void clear_search(search *S) {
  HP_FREE(S->index);
  HP_FREE(S->low);
  HP_FREE(S->at);
  HP_FREE(S->call);
  HP_FREE(S->open);
  HP_FREE(S->found);
  HP_FREE(S->is_open);
  HP_FREE(S->loop);
}

static void visit(search *S, int64_t m) {
  S->index[m] = S->low[m] = ++S->visits;
  S->at[m] = S->G->begin[m];
  S->call[S->ncall++] = m;
  S->open[S->nopen++] = m;
  S->is_open[m] = 1;
}

/* A component is complete: all that is open since its first cell. */
static void close_component(search *S, int64_t m) {
  const int64_t first = S->nfound;
  int64_t n;
  do {
    n = S->open[--S->nopen];
    S->is_open[n] = 0;
    S->found[S->nfound++] = n;
  } while (n != m);
  if (S->nfound - first == 1) return;
  S->loop[2 * S->nloop] = first;
  S->loop[2 * S->nloop + 1] = S->nfound;
  S->nloop += 1;
}

static void follow(search *S) {
  const hp_flux_graph *G = S->G;
  while (S->ncall > 0) {
    const int64_t m = S->call[S->ncall - 1];
    if (S->at[m] < G->begin[m + 1]) {
      const int64_t e = S->at[m]++, n = G->other[e];
      if (G->rate[e] < 0.0) continue;
      if (S->index[n] == 0) visit(S, n);
      else if (S->is_open[n] && S->index[n] < S->low[m]) S->low[m] = S->index[n];
      continue;
    }
    S->ncall -= 1;
    if (S->low[m] == S->index[m]) close_component(S, m);
    if (S->ncall == 0) continue;
    const int64_t from = S->call[S->ncall - 1];
    if (S->low[m] < S->low[from]) S->low[from] = S->low[m];
  }
}

static hp_status create_search(const hp_flux_graph *G, search *S) {
  *S = (search){.G = G};
  HP_TRY(HP_ALLOC(S->index, G->ncell));
  HP_TRY(HP_ALLOC_UNSET(S->low, G->ncell));
  HP_TRY(HP_ALLOC_UNSET(S->at, G->ncell));
  HP_TRY(HP_ALLOC_UNSET(S->call, G->ncell));
  HP_TRY(HP_ALLOC_UNSET(S->open, G->ncell));
  HP_TRY(HP_ALLOC_UNSET(S->found, G->ncell));
  HP_TRY(HP_ALLOC(S->is_open, G->ncell));
  return HP_ALLOC_UNSET(S->loop, G->ncell + 1); /* a loop has two cells or more */
}

/* Both lists turned round: what is upstream comes first. */
static hp_status keep_order(const search *S, hp_flux_graph *G) {
  HP_TRY(HP_ALLOC_UNSET(G->order, S->nfound));
  HP_TRY(HP_ALLOC_UNSET(G->loop, 2 * S->nloop));
  G->ordered = S->nfound;
  G->nloop = S->nloop;
  for (int64_t n = 0; n < S->nfound; ++n) G->order[n] = S->found[S->nfound - 1 - n];
  for (int64_t n = 0; n < S->nloop; ++n) {
    const int64_t *of = &S->loop[2 * (S->nloop - 1 - n)];
    G->loop[2 * n] = S->nfound - of[1];
    G->loop[2 * n + 1] = S->nfound - of[0];
  }
  return HP_OK;
}

hp_status hp_flux_graph_order(hp_flux_graph *G) {
  search S;
  hp_status s = create_search(G, &S);
  for (int64_t m = 0; s == HP_OK && m < G->ncell; ++m) {
    if (S.index[m] != 0 || !(G->through[m] > 0.0)) continue;
    visit(&S, m);
    follow(&S);
  }
  if (s == HP_OK) s = keep_order(&S, G);
  clear_search(&S);
  return s;
}

/* ---- solving ---- */

/* Whether entry e of a cell is one that its equation takes values from. */
static bool is_upwind(const hp_flux_graph *G, int64_t e, bool backwards) { return (G->rate[e] > 0.0) == backwards; }

/* x of a single cell from those before it. */
static void substitute(const hp_flux_graph *G, int64_t m, bool backwards, int columns, double *x) {
  double *own = x + m * columns;
  for (int64_t e = G->begin[m]; e < G->begin[m + 1]; ++e) {
    if (!is_upwind(G, e, backwards)) continue;
    const double rate = fabs(G->rate[e]), *from = x + G->other[e] * columns;
    for (int c = 0; c < columns; ++c) own[c] += rate * from[c];
  }
  for (int c = 0; c < columns; ++c) own[c] /= G->through[m];
}

/* The equations of a loop. */
enum { SMALL = 64 /* cells of a loop that is eliminated; larger ones are swept */ };
typedef struct {
  const hp_flux_graph *G;
  bool backwards;
  int columns;
  int64_t first, end; /* places in G->order */
  double *b;          /* [end - first][columns] with what comes from cells before the loop */
  int64_t *inside;    /* [ncell] place in this loop, from 1; 0: not of it */
  double *A;          /* [SMALL][SMALL] */
} loop;

static void fill_matrix(const loop *L) {
  const double leak = 1e-14; /* of what flows through a cell: a circle that nothing enters has a solution, none */
  const hp_flux_graph *G = L->G;
  const int64_t count = L->end - L->first;
  for (int64_t n = 0; n < count * count; ++n) L->A[n] = 0.0;
  for (int64_t row = 0; row < count; ++row) {
    const int64_t m = G->order[L->first + row];
    L->A[row * count + row] = G->through[m] * (1.0 + leak);
    for (int64_t e = G->begin[m]; e < G->begin[m + 1]; ++e) {
      const int64_t column = L->inside[G->other[e]] - 1;
      if (is_upwind(G, e, L->backwards) && column >= 0) L->A[row * count + column] -= fabs(G->rate[e]);
    }
  }
}

/* Gauss's elimination without pivots: columns, backwards rows, are dominated by their diagonals. */
static void eliminate(const loop *L, double *x) {
  const int64_t count = L->end - L->first;
  const int columns = L->columns;
  double *A = L->A, *b = L->b;
  fill_matrix(L);
  for (int64_t k = 0; k < count; ++k)
    for (int64_t i = k + 1; i < count; ++i) {
      const double f = A[i * count + k] / A[k * count + k];
      if (f == 0.0) continue;
      for (int64_t j = k + 1; j < count; ++j) A[i * count + j] -= f * A[k * count + j];
      for (int c = 0; c < columns; ++c) b[i * columns + c] -= f * b[k * columns + c];
    }
  for (int64_t i = count - 1; i >= 0; --i)
    for (int c = 0; c < columns; ++c) {
      double sum = b[i * columns + c];
      for (int64_t j = i + 1; j < count; ++j) sum -= A[i * count + j] * x[L->G->order[L->first + j] * columns + c];
      x[L->G->order[L->first + i] * columns + c] = sum / A[i * count + i];
    }
}

static double relax(const loop *L, int64_t place, double *x) {
  const hp_flux_graph *G = L->G;
  const int64_t m = G->order[place];
  double sum[HP_FLUX_GRAPH_COLUMNS], change = 0.0, *own = x + m * L->columns;
  for (int c = 0; c < L->columns; ++c) sum[c] = L->b[(place - L->first) * L->columns + c];
  for (int64_t e = G->begin[m]; e < G->begin[m + 1]; ++e) {
    if (!is_upwind(G, e, L->backwards) || L->inside[G->other[e]] == 0) continue;
    const double rate = fabs(G->rate[e]), *from = x + G->other[e] * L->columns;
    for (int c = 0; c < L->columns; ++c) sum[c] += rate * from[c];
  }
  for (int c = 0; c < L->columns; ++c) {
    const double next = sum[c] / G->through[m];
    if (fabs(next - own[c]) > change) change = fabs(next - own[c]);
    own[c] = next;
  }
  return change;
}

/* Gauss-Seidel in the order of the loop's cells and back again. */
static void sweep_loop(const loop *L, double *x, int64_t *unsolved) {
  enum { SWEEPS = 2000 };
  double change = 0.0, largest;
  int sweep = 0;
  do {
    change = largest = 0.0;
    for (int64_t n = L->first; n < L->end; ++n)
      change = fmax(change, relax(L, sweep % 2 == 0 ? n : L->end - 1 - (n - L->first), x));
    for (int64_t n = L->first; n < L->end; ++n)
      for (int c = 0; c < L->columns; ++c) largest = fmax(largest, fabs(x[L->G->order[n] * L->columns + c]));
  } while (change > 1e-13 * largest && ++sweep < SWEEPS);
  if (change > 1e-9 * largest) *unsolved += L->end - L->first;
}

/* Makes what enters the loop its right-hand side; its values start from 0. */
static void begin_loop(const loop *L, double *x) {
  const hp_flux_graph *G = L->G;
  for (int64_t n = L->first; n < L->end; ++n) L->inside[G->order[n]] = n - L->first + 1;
  for (int64_t n = L->first; n < L->end; ++n) {
    const int64_t m = G->order[n];
    double *b = L->b + (n - L->first) * L->columns;
    for (int c = 0; c < L->columns; ++c) b[c] = x[m * L->columns + c];
    for (int64_t e = G->begin[m]; e < G->begin[m + 1]; ++e) {
      if (!is_upwind(G, e, L->backwards) || L->inside[G->other[e]] != 0) continue;
      for (int c = 0; c < L->columns; ++c) b[c] += fabs(G->rate[e]) * x[G->other[e] * L->columns + c];
    }
  }
  for (int64_t n = L->first; n < L->end; ++n)
    for (int c = 0; c < L->columns; ++c) x[G->order[n] * L->columns + c] = 0.0;
}

static void run_loop(loop *L, double *x, int64_t *unsolved) {
  begin_loop(L, x);
  if (L->end - L->first <= SMALL) eliminate(L, x);
  else sweep_loop(L, x, unsolved);
  for (int64_t n = L->first; n < L->end; ++n) L->inside[L->G->order[n]] = 0;
}

static void solve_all(const hp_flux_graph *G, loop *L, double *x, int64_t *unsolved) {
  const int64_t step = L->backwards ? -1 : 1;
  int64_t at = L->backwards ? G->nloop - 1 : 0, n = L->backwards ? G->ordered - 1 : 0;
  while (n >= 0 && n < G->ordered) {
    const bool known = at >= 0 && at < G->nloop;
    if (known && n == (L->backwards ? G->loop[2 * at + 1] - 1 : G->loop[2 * at])) {
      L->first = G->loop[2 * at];
      L->end = G->loop[2 * at + 1];
      run_loop(L, x, unsolved);
      n = L->backwards ? L->first - 1 : L->end;
      at += step;
    } else {
      substitute(G, G->order[n], L->backwards, L->columns, x);
      n += step;
    }
  }
}

hp_status hp_flux_graph_solve(const hp_flux_graph *G, bool backwards, int columns, double *x, int64_t *unsolved) {
  loop L = {.G = G, .backwards = backwards, .columns = columns};
  int64_t longest = 0;
  *unsolved = 0;
  if (columns > HP_FLUX_GRAPH_COLUMNS) return hp_fail(HP_ERR_INTERNAL, "%d right-hand sides", columns);
  for (int64_t n = 0; n < G->nloop; ++n)
    if (G->loop[2 * n + 1] - G->loop[2 * n] > longest) longest = G->loop[2 * n + 1] - G->loop[2 * n];
  for (int64_t m = 0; m < G->ncell; ++m)
    for (int c = 0; c < columns && !(G->through[m] > 0.0); ++c) x[m * columns + c] = 0.0;
  hp_status s = HP_ALLOC(L.b, longest * columns);
  if (s == HP_OK && G->nloop > 0) s = HP_ALLOC(L.inside, G->ncell);
  if (s == HP_OK && G->nloop > 0) s = HP_ALLOC(L.A, SMALL * SMALL);
  if (s == HP_OK) solve_all(G, &L, x, unsolved);
  HP_FREE(L.b);
  HP_FREE(L.inside);
  HP_FREE(L.A);
  return s;
}
