/* CLJP (Cleary, Luby, Jones & Plassmann; as De Sterck, Yang & Heys 2006, section 3.1, give it).
 *
 * The weight of a point is the number of edges to it (who depends on it) plus a random number in [0, 1) as
 * PMIS has it. Rounds: undecided points heavier than all undecided neighbours along edges in either
 * direction become coarse; then edges i -> j ("i depends on j") are taken away where
 *
 *   - i is coarse: it is not interpolated,
 *   - j is coarse: it is decided,
 *   - i and j both depend on a point that became coarse: i can be interpolated from that,
 *
 * and undecided points to which no edge is left are fine. So a fine point that depends on another fine one
 * shares a coarse point with it. */
#include <string.h>

#include "amg/setup/setup_impl.h"

typedef struct {
  const hp_csr *A;
  const hp_amg_graph *G;
  double *random;  /* [ncell] */
  int32_t *edges;  /* [ncell] to the point, that are left */
  int32_t *when;   /* [ncell] round in which it became coarse, 0: has not */
  uint32_t *entry; /* [strong entries] of A, in the order of G->dependent */
  uint8_t *left;   /* [entries of A] 1: the edge is left */
  uint8_t *point;
} cljp;

static bool heavier(const cljp *p, int32_t i, int32_t j) {
  return hp_amg_is_heavier(p->edges[i] + p->random[i], i, p->edges[j] + p->random[j], j);
}

static bool is_peak(const cljp *p, int32_t i) {
  for (int64_t k = p->A->begin[i]; k < p->A->begin[i + 1]; ++k) {
    const int32_t j = p->A->column[k];
    if (p->left[k] && p->point[j] == HP_AMG_UNDECIDED && heavier(p, j, i)) return false;
  }
  for (int64_t n = p->G->begin[i]; n < p->G->begin[i + 1]; ++n) {
    const int32_t j = p->G->dependent[n];
    if (p->left[p->entry[n]] && p->point[j] == HP_AMG_UNDECIDED && heavier(p, j, i)) return false;
  }
  return true;
}

/* Whether j depends on one of the points stamped by i. */
static bool shares(const cljp *p, const int32_t *stamp, int32_t i, int32_t j) {
  for (int64_t k = p->A->begin[j]; k < p->A->begin[j + 1]; ++k)
    if (p->G->strong[k] && stamp[p->A->column[k]] == i) return true;
  return false;
}

/* Takes edges of row i away; returns whether one is left. */
static bool cut_row(const cljp *p, int32_t round, int32_t *stamp, int32_t i) {
  const hp_csr *A = p->A;
  bool fresh = false, some = false;
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
    if (p->G->strong[k] && p->when[A->column[k]] == round) {
      stamp[A->column[k]] = i;
      fresh = true;
    }
  for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
    const int32_t j = A->column[k];
    if (p->left[k] && (p->when[i] == round || p->when[j] == round || (fresh && shares(p, stamp, i, j)))) p->left[k] = 0;
    some = some || p->left[k];
  }
  return some;
}

/* The member's part of a round's end; returns how many of its points in list stay undecided. */
static int32_t decide(const cljp *p, int32_t round, int32_t count, int32_t *list) {
  int32_t undecided = 0;
  for (int32_t n = 0; n < count; ++n) {
    const int32_t j = list[n];
    p->edges[j] = 0;
    for (int64_t m = p->G->begin[j]; m < p->G->begin[j + 1]; ++m) p->edges[j] += p->left[p->entry[m]];
    if (p->when[j] == round) p->point[j] = HP_AMG_COARSE;
    else if (p->edges[j] == 0) p->point[j] = HP_AMG_FINE;
    else list[undecided++] = j;
  }
  return undecided;
}

static void rounds(hp_team *t, const cljp *p, int32_t *stamp, int32_t count, int32_t *list, int32_t rows,
                   int32_t *row) {
  double most = 1.0;
  for (int32_t round = 1; most > 0.0; ++round) {
    int64_t where;
    for (int32_t n = 0; n < count; ++n)
      if (is_peak(p, list[n])) p->when[list[n]] = round;
    hp_team_sync(t); /* when */
    int32_t some = 0;
    for (int32_t n = 0; n < rows; ++n)
      if (cut_row(p, round, stamp, row[n])) row[some++] = row[n];
    rows = some;
    hp_team_sync(t); /* the edges left */
    count = decide(p, round, count, list);
    hp_team_max_here(t, count, t->rank, &most, &where); /* points and edges; until all are decided */
  }
}

/* Where row i stands among the dependents of j. */
static int64_t find_dependent(const hp_amg_graph *G, int32_t j, int32_t i) {
  int64_t low = G->begin[j], high = (int64_t)G->begin[j + 1] - 1;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (G->dependent[middle] < i) low = middle + 1;
    else high = middle;
  }
  return low;
}

hp_status hp_amg_coarsen_cljp(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_amg_graph *G, uint64_t seed,
                              uint8_t *point) {
  const int64_t n = G->ncell, strong = G->begin[n], entries = hp_csr_count(A), word = sizeof(int32_t);
  const hp_span span = hp_team_span(t, n, 1);
  HP_TRY(hp_amg_scratch(t, w, n * (int64_t)sizeof(double) + (4 * n + strong) * word + entries));
  cljp p = {.A = A, .G = G, .random = w->scratch, .point = point};
  p.edges = (int32_t *)(p.random + n);
  p.when = p.edges + n;
  p.entry = (uint32_t *)(p.when + n);
  int32_t *list = (int32_t *)(p.entry + strong) + span.begin, *row = list + n, count = 0, rows = 0;
  p.left = (uint8_t *)(p.entry + strong + 2 * n);
  for (int32_t i = (int32_t)span.begin; i < span.end; ++i) {
    p.random[i] = hp_amg_random(seed, (uint64_t)i);
    p.edges[i] = (int32_t)(G->begin[i + 1] - G->begin[i]);
    p.when[i] = 0;
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
      p.left[k] = G->strong[k];
      if (p.left[k]) p.entry[find_dependent(G, A->column[k], i)] = (uint32_t)k;
    }
    point[i] = p.edges[i] > 0 ? HP_AMG_UNDECIDED : HP_AMG_FINE;
    if (p.edges[i] > 0) list[count++] = i;
    row[rows++] = i;
  }
  memset(hp_amg_marker(t, w), 0xff, (size_t)n * (size_t)word);
  HP_TEAM_FOR(t, i, A->nrow - n) point[n + i] = HP_AMG_COARSE;
  hp_team_sync(t); /* all of it */
  rounds(t, &p, hp_amg_marker(t, w), count, list, rows, row);
  return HP_OK;
}
