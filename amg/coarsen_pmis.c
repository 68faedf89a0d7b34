/* PMIS (De Sterck, Yang & Heys 2006): the coarse points are a maximal
 * independent set of the graph of strong connections in either direction,
 * points with more dependents first, ties broken by random numbers. The numbers
 * are a hash of seed and index, so that the set depends on nothing else. */
#include "amg/amg.h"
#include "core/memory.h"

/* splitmix64's finalizer, in [0, 1) */
static double random_of(uint64_t seed, uint64_t i) {
  uint64_t x = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

typedef struct {
  const hp_csr *A;
  const hp_amg_graph *G;
  double *weight;
  uint8_t *point;
} pmis;

static bool heavier(const pmis *p, int32_t i, int32_t j) {
  return p->weight[i] > p->weight[j] || (p->weight[i] == p->weight[j] && i < j);
}

/* Whether i outweighs its undecided neighbours. */
static bool is_peak(const pmis *p, int32_t i) {
  for (int32_t k = p->A->begin[i]; k < p->A->begin[i + 1]; ++k) {
    const int32_t j = p->A->column[k];
    if (p->G->strong[k] && p->point[j] == HP_AMG_UNDECIDED && heavier(p, j, i)) return false;
  }
  for (int32_t k = p->G->begin[i]; k < p->G->begin[i + 1]; ++k) {
    const int32_t j = p->G->dependent[k];
    if (p->point[j] == HP_AMG_UNDECIDED && heavier(p, j, i)) return false;
  }
  return true;
}

/* One round over the undecided points in list [count]; returns how many are left in it. */
static int32_t round_of(const pmis *p, int32_t count, int32_t *list, int32_t *peak) {
  int32_t peaks = 0, left = 0;
  for (int32_t n = 0; n < count; ++n)
    if (is_peak(p, list[n])) peak[peaks++] = list[n];
  for (int32_t n = 0; n < peaks; ++n) p->point[peak[n]] = HP_AMG_COARSE;
  for (int32_t n = 0; n < peaks; ++n)
    for (int32_t k = p->G->begin[peak[n]]; k < p->G->begin[peak[n] + 1]; ++k)
      if (p->point[p->G->dependent[k]] == HP_AMG_UNDECIDED) p->point[p->G->dependent[k]] = HP_AMG_FINE;
  for (int32_t n = 0; n < count; ++n)
    if (p->point[list[n]] == HP_AMG_UNDECIDED) list[left++] = list[n];
  return left;
}

hp_status hp_amg_coarsen_pmis(const hp_csr *A, const hp_amg_graph *G, uint64_t seed, uint8_t *point) {
  pmis p = {A, G, NULL, point};
  int32_t *list = NULL, count = 0;
  hp_status s = HP_ALLOC(p.weight, G->ncell);
  if (s == HP_OK) s = HP_ALLOC(list, 2 * (int64_t)G->ncell);
  for (int32_t i = 0; i < A->nrow && s == HP_OK; ++i) {
    point[i] = i < G->ncell ? HP_AMG_UNDECIDED : HP_AMG_COARSE;
    if (i >= G->ncell) continue;
    const int32_t dependents = G->begin[i + 1] - G->begin[i];
    p.weight[i] = dependents + random_of(seed, (uint64_t)i);
    if (dependents == 0) point[i] = HP_AMG_FINE; /* nothing would be interpolated from it */
    else list[count++] = i;
  }
  while (s == HP_OK && count > 0) count = round_of(&p, count, list, list + G->ncell);
  HP_FREE(p.weight);
  HP_FREE(list);
  return s;
}
