/* The graph of fluxes: its order puts upstream cells first, its loops are those of the fluxes, and its solutions are those of dense
 * elimination, forwards and backwards, with loops of all sizes and with cells that nothing flows through. */
#include "core/memory.h"
#include "sim/diagnose/graph.h"
#include "tests/support/check.h"

enum { MOST = 24, COLUMNS = 3 };

static uint64_t state = 1;

static double uniform(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) * 0x1p-53;
}

/* A graph of random edges; `back`: share of those against the numbering of the cells. */
typedef struct {
  int n;
  double rate[MOST][MOST]; /* from, to */
  double source[MOST], sink[MOST];
  hp_flux_graph G;
} example;

static void make(example *E, int n, double back) {
  int64_t a[MOST * MOST], b[MOST * MOST], count = 0;
  double rate[MOST * MOST];
  *E = (example){.n = n};
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      if (uniform() > 4.0 / n) continue;
      a[count] = i;
      b[count] = j;
      rate[count] = (0.01 + uniform()) * (uniform() < back ? -1.0 : 1.0);
      if (rate[count] > 0.0) E->rate[i][j] = rate[count];
      else E->rate[j][i] = -rate[count];
      count += 1;
    }
  CHECK_OK(hp_flux_graph_create(n, count, a, b, rate, &E->G));
  for (int i = 0; i < n; ++i) {
    double net = 0.0, out = 0.0;
    for (int j = 0; j < n; ++j) {
      net += E->rate[i][j] - E->rate[j][i];
      out += E->rate[i][j];
    }
    E->source[i] = net > 0.0 ? net : 0.0;
    E->sink[i] = net < 0.0 ? -net : 0.0;
    E->G.through[i] = out + E->sink[i];
  }
  CHECK_OK(hp_flux_graph_order(&E->G));
}

/* reach[i][j]: fluid flows from i to j. */
static void find_paths(const example *E, bool reach[MOST][MOST]) {
  for (int i = 0; i < E->n; ++i)
    for (int j = 0; j < E->n; ++j) reach[i][j] = E->rate[i][j] > 0.0;
  for (int k = 0; k < E->n; ++k)
    for (int i = 0; i < E->n; ++i)
      for (int j = 0; j < E->n; ++j) reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
}

static void check_order(const example *E) {
  const hp_flux_graph *G = &E->G;
  bool reach[MOST][MOST];
  int place[MOST], loop[MOST], flows = 0;
  find_paths(E, reach);
  for (int i = 0; i < E->n; ++i) {
    place[i] = loop[i] = -1;
    flows += G->through[i] > 0.0;
  }
  CHECK(G->ordered == flows);
  for (int64_t p = 0; p < G->ordered; ++p) place[G->order[p]] = (int)p;
  for (int64_t l = 0; l < G->nloop; ++l)
    for (int64_t p = G->loop[2 * l]; p < G->loop[2 * l + 1]; ++p) loop[G->order[p]] = (int)l;
  for (int i = 0; i < E->n; ++i)
    for (int j = 0; j < E->n; ++j) {
      const bool together = reach[i][j] && reach[j][i];
      if (i != j) CHECK((loop[i] >= 0 && loop[i] == loop[j]) == together);
      if (reach[i][j] && !together) CHECK(place[i] < place[j]);
    }
}

/* Gauss's elimination, of a matrix whose columns dominate; rows of cells that nothing flows through are those of the identity. */
static void eliminate(int n, double A[MOST][MOST], double *x) {
  for (int k = 0; k < n; ++k)
    for (int i = k + 1; i < n; ++i) {
      const double f = A[i][k] / A[k][k];
      for (int j = k; j < n; ++j) A[i][j] -= f * A[k][j];
      x[i] -= f * x[k];
    }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) x[i] -= A[i][j] * x[j];
    x[i] /= A[i][i];
  }
}

static void check_solutions(const example *E, bool backwards) {
  double x[MOST * COLUMNS], expected[COLUMNS][MOST];
  const double *enters = backwards ? E->sink : E->source;
  int64_t unsolved;
  for (int c = 0; c < COLUMNS; ++c) {
    double A[MOST][MOST] = {{0.0}};
    for (int i = 0; i < E->n; ++i) {
      x[i * COLUMNS + c] = expected[c][i] = c == 0 ? enters[i] : enters[i] * uniform();
      for (int j = 0; j < E->n; ++j) A[i][j] = -(backwards ? E->rate[i][j] : E->rate[j][i]);
      A[i][i] += E->G.through[i] > 0.0 ? E->G.through[i] : 1.0;
    }
    eliminate(E->n, A, expected[c]);
  }
  CHECK_OK(hp_flux_graph_solve(&E->G, backwards, COLUMNS, x, &unsolved));
  CHECK(unsolved == 0);
  for (int i = 0; i < E->n; ++i)
    for (int c = 0; c < COLUMNS; ++c) CHECK_NEAR(x[i * COLUMNS + c], expected[c][i], 1e-9);
  for (int i = 0; i < E->n; ++i) /* all that flows has come from a source, or will go to a sink */
    if (E->G.through[i] > 0.0) CHECK_NEAR(x[i * COLUMNS], 1.0, 1e-9);
}

/* A circle that nothing enters stays empty, whatever circulates. */
static void closed_circle(void) {
  const int64_t a[] = {0, 1, 2, 3}, b[] = {1, 2, 0, 4};
  const double rate[] = {2.0, 2.0, 2.0, 1.0};
  double x[5] = {0.0, 0.0, 0.0, 1.0, 0.0};
  hp_flux_graph G;
  int64_t unsolved;
  CHECK_OK(hp_flux_graph_create(5, 4, a, b, rate, &G));
  for (int m = 0; m < 3; ++m) G.through[m] = 2.0;
  G.through[3] = G.through[4] = 1.0;
  CHECK_OK(hp_flux_graph_order(&G));
  CHECK(G.nloop == 1 && G.ordered == 5);
  CHECK_OK(hp_flux_graph_solve(&G, false, 1, x, &unsolved));
  CHECK(unsolved == 0 && x[0] == 0.0 && x[1] == 0.0 && x[2] == 0.0);
  CHECK_NEAR(x[4], 1.0, 1e-15);
  hp_flux_graph_destroy(&G);
}

/* A circle of `cells` from which a share leaves in each turn, as much as enters. A small one is solved however much circulates; the
 * sweeps of a large one may end before the values do, and that is told. */
static void slow_circle(int cells, double leak, bool solved) {
  enum { CELLS = 80 };
  int64_t a[CELLS + 1], b[CELLS + 1], unsolved;
  double rate[CELLS + 1], x[CELLS + 1] = {leak};
  hp_flux_graph G;
  for (int n = 0; n < cells; ++n) {
    a[n] = n;
    b[n] = (n + 1) % cells;
    rate[n] = 1.0;
  }
  a[cells] = 0;
  b[cells] = cells;
  rate[cells] = leak;
  CHECK_OK(hp_flux_graph_create(cells + 1, cells + 1, a, b, rate, &G));
  for (int n = 0; n < cells; ++n) G.through[n] = n == 0 ? 1.0 + leak : 1.0;
  G.through[cells] = leak;
  CHECK_OK(hp_flux_graph_order(&G));
  CHECK(G.nloop == 1 && G.loop[1] - G.loop[0] == cells);
  CHECK_OK(hp_flux_graph_solve(&G, false, 1, x, &unsolved));
  CHECK(unsolved == (solved ? 0 : cells));
  if (solved) CHECK_NEAR(x[cells], 1.0, 1e-5);
  hp_flux_graph_destroy(&G);
}

int main(void) {
  static example E;
  for (int n = 0; n < 200; ++n) {
    make(&E, 2 + n % (MOST - 1), n % 4 * 0.15);
    check_order(&E);
    check_solutions(&E, false);
    check_solutions(&E, true);
    hp_flux_graph_destroy(&E.G);
  }
  closed_circle();
  slow_circle(3, 1e-7, true);
  slow_circle(64, 1e-6, true);
  slow_circle(80, 0.1, true);
  slow_circle(80, 1e-7, false);
  return check_result();
}
