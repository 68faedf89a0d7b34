/* PMIS (De Sterck, Yang & Heys 2006). Rounds: undecided points heavier than all undecided ones that a strong
 * connection in either direction joins them with become coarse, those that depend on them fine. The weight is the
 * number of dependents plus a random number, a hash of seed and index, so that the set depends on nothing else. */
#include "amg/setup/setup_impl.h"

typedef struct {
  const hp_csr *A;
  const hp_amg_graph *G;
  double *weight; /* [ncell] */
  uint8_t *peak;  /* [ncell] 1: coarse, as found in this round or before */
  uint8_t *point;
} pmis;

static bool heavier(const pmis *p, int32_t i, int32_t j) { return hp_amg_is_heavier(p->weight[i], i, p->weight[j], j); }

/* Whether i outweighs its undecided neighbours. */
static bool is_peak(const pmis *p, int32_t i) {
  for (int64_t k = p->A->begin[i]; k < p->A->begin[i + 1]; ++k) {
    const int32_t j = p->A->column[k];
    if (p->G->strong[k] && p->point[j] == HP_AMG_UNDECIDED && heavier(p, j, i)) return false;
  }
  for (int64_t k = p->G->begin[i]; k < p->G->begin[i + 1]; ++k) {
    const int32_t j = p->G->dependent[k];
    if (p->point[j] == HP_AMG_UNDECIDED && heavier(p, j, i)) return false;
  }
  return true;
}

static bool depends_on_peak(const pmis *p, int32_t i) {
  for (int64_t k = p->A->begin[i]; k < p->A->begin[i + 1]; ++k)
    if (p->G->strong[k] && p->peak[p->A->column[k]]) return true;
  return false;
}

/* Decides those in list [count] that are peaks or depend on one; returns how many are left in it. An
 * undecided point does not depend on a peak of an earlier round. */
static int32_t decide(const pmis *p, int32_t count, int32_t *list) {
  int32_t left = 0;
  for (int32_t n = 0; n < count; ++n) {
    const int32_t i = list[n];
    if (p->peak[i]) p->point[i] = HP_AMG_COARSE;
    else if (depends_on_peak(p, i)) p->point[i] = HP_AMG_FINE;
    else list[left++] = i;
  }
  return left;
}

/* Entries of points of other ranks; all members have written theirs. */
static void renew(hp_team *t, const hp_amg_share *S, void *x, size_t size) {
  if (S == NULL) return;
  if (t->rank == 0) hp_exchange_run(S->near, x, size);
  hp_team_sync(t); /* x */
}

/* The points that are left: the most of all ranks instead of this one's. */
static double left_anywhere(hp_team *t, hp_amg_share *S, double most) {
  if (S == NULL) return most;
  if (t->rank == 0) {
    S->most = most;
    hp_ranks_max(S->K, &S->most, 1);
  }
  hp_team_sync(t); /* the most */
  return S->most;
}

hp_status hp_amg_independent_set(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_amg_graph *G, uint64_t seed,
                                 uint8_t *point) {
  const hp_span rows = hp_team_span(t, G->ncell, 1);
  hp_amg_share *S = w->share;
  hp_status s = hp_amg_scratch(t, w, (int64_t)G->ncell * (int64_t)(sizeof(double) + sizeof(int32_t) + 1));
  if (S != NULL && t->rank == 0) s = hp_ranks_agree(S->K, s);
  HP_TRY(S != NULL ? hp_amg_agree(t, w, s) : s);
  uint8_t *peak = (uint8_t *)w->scratch + (sizeof(double) + sizeof(int32_t)) * (size_t)G->ncell;
  const pmis p = {A, G, w->scratch, peak, point};
  int32_t *list = (int32_t *)(p.weight + G->ncell) + rows.begin, count = 0;
  for (int32_t i = (int32_t)rows.begin; i < rows.end; ++i) {
    const int32_t dependents = (int32_t)(G->begin[i + 1] - G->begin[i]);
    p.weight[i] = dependents + hp_amg_random(seed, (uint64_t)(S != NULL ? S->number[i] : i));
    p.peak[i] = point[i] == HP_AMG_COARSE;
    if (point[i] != HP_AMG_UNDECIDED || (S != NULL && !S->owned[i])) continue;
    if (dependents == 0) point[i] = HP_AMG_FINE; /* nothing would be interpolated from it */
    else list[count++] = i;
  }
  hp_team_sync(t); /* weights, points and peaks */
  renew(t, S, p.weight, sizeof *p.weight);
  renew(t, S, point, sizeof *point);
  for (double most = 1.0; most > 0.0;) {
    int64_t where;
    for (int32_t n = 0; n < count; ++n) p.peak[list[n]] = is_peak(&p, list[n]);
    hp_team_sync(t); /* the peaks */
    renew(t, S, p.peak, sizeof *p.peak);
    count = decide(&p, count, list);
    hp_team_max_here(t, count, t->rank, &most, &where); /* the points; until all are decided */
    renew(t, S, point, sizeof *point);
    most = left_anywhere(t, S, most);
  }
  return HP_OK;
}

hp_status hp_amg_coarsen_pmis(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_amg_graph *G, uint64_t seed,
                              uint8_t *point) {
  HP_TEAM_FOR(t, i, A->nrow) point[i] = i < G->ncell ? HP_AMG_UNDECIDED : HP_AMG_COARSE;
  hp_team_sync(t); /* the points */
  return hp_amg_independent_set(t, w, A, G, seed, point);
}
