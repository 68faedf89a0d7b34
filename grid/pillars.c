#include "grid/pillars.h"

#include <stdio.h>
#include <string.h>

int hp_pillar_systems_sets(const hp_pillar_systems *s) { return s->count > 0 ? s->count : 1; }

int hp_pillar_systems_of(const hp_pillar_systems *s, int k) {
  int low = 0, high = s->count - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (s->at[middle].last < k) low = middle + 1;
    else high = middle;
  }
  return low;
}

bool hp_pillar_systems_closed(const hp_pillar_systems *s, int k) {
  if (s->count == 0) return false;
  const hp_pillar_system *one = &s->at[hp_pillar_systems_of(s, k)];
  return k == one->last && !one->joined;
}

void hp_pillar_systems_beside(const hp_pillar_systems *s, int nz, int k, int layers[2]) {
  layers[0] = 0;
  layers[1] = nz - 1;
  if (s->count == 0) return;
  const int *beside = s->at[hp_pillar_systems_of(s, k)].beside;
  layers[0] = s->at[beside[0]].first;
  layers[1] = s->at[beside[1]].last;
}

/* ---- what decks say ---- */

bool hp_pillar_systems_layers_fault(const hp_pillar_systems *s, int nz, int n, char why[HP_PILLARS_WHY]) {
  const int first = s->at[n].first, last = s->at[n].last, begin = n > 0 ? s->at[n - 1].last + 1 : 0;
  const int below = s->count - 1 - n; /* systems that need a layer each */
  char expected[96] = "";
  if (first != begin) snprintf(expected, sizeof expected, "must begin with layer %d", begin + 1);
  else if (last < first || (below > 0 && last >= nz - below))
    snprintf(expected, sizeof expected, "must end with a layer from %d to %d", first + 1, nz - below);
  else if (below == 0 && last != nz - 1)
    snprintf(expected, sizeof expected, "must end with layer %d, the last one", nz);
  if (expected[0] == '\0') return false;
  snprintf(why, HP_PILLARS_WHY, "layers %d to %d: system %d of %d %s", first + 1, last + 1, n + 1, s->count, expected);
  return true;
}

static bool same_range(const hp_pillar_system *a, const hp_pillar_system *b) {
  return a->beside[0] == b->beside[0] && a->beside[1] == b->beside[1];
}

bool hp_pillar_systems_beside_fault(const hp_pillar_systems *s, int64_t size, const double *coord, int n,
                                    char why[HP_PILLARS_WHY]) {
  const hp_pillar_system *one = &s->at[n];
  const int first = one->beside[0], last = one->beside[1];
  if (first < 0 || first > n || last < n || last >= s->count) {
    snprintf(why, HP_PILLARS_WHY,
             "systems %d to %d: those beside system %d must be a range of 1 to %d with itself in it", first + 1,
             last + 1, n + 1, s->count);
    return true;
  }
  for (int other = n - 1; other <= n + 1; other += 2) {
    if (other < first || other > last || same_range(one, &s->at[other])) continue;
    snprintf(why, HP_PILLARS_WHY,
             "system %d is beside systems %d to %d, but system %d beside %d to %d: must be the same", n + 1, first + 1,
             last + 1, other + 1, s->at[other].beside[0] + 1, s->at[other].beside[1] + 1);
    return true;
  }
  if (memcmp(coord + size * n, coord + size * first, (size_t)size * sizeof *coord) == 0) return false;
  snprintf(why, HP_PILLARS_WHY, "systems %d and %d are beside each other on different pillars: not supported",
           first + 1, n + 1);
  return true;
}
