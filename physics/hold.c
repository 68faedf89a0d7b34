/* Groups of cells where nothing sets the level of the pressure: hp_reservoir_hold. */
#include <string.h>

#include "core/memory.h"
#include "physics/assembly.inl.h"
#include "physics/reservoir.h"

bool hp_reservoir_is_rigid(const hp_reservoir *r, int64_t m) {
  const double none = 1e-6, share[HP_PHASES] = {[HP_OIL] = 1.0 - r->s[m], [HP_WATER] = r->s[m]};
  const hp_fluid *f = hp_reservoir_fluid(r, m);
  for (int a = 0; a < HP_PHASES; ++a) {
    hp_dual b, bmu;
    hp_pvt_eval(&f->phase[a], r->p[m], &b, &bmu);
    if (share[a] > none && b.d != 0.0) return false;
  }
  return hp_reservoir_rock(r, m, r->p[m]).d == 0.0;
}

/* Most decks have compressible rock, and no cell need be looked at. */
static bool may_be_rigid(const hp_reservoir *r) {
  bool any = r->region == NULL && r->fluid.rock.c == 0.0;
  for (int n = 0; n < r->nregion; ++n) any = any || r->region[n].rock.c == 0.0;
  return any;
}

typedef struct {
  const hp_reservoir *r;
  uint8_t *seen;  /* [ncell] 1: of a group that was visited; 2: a well may hold its pressure */
  int64_t *queue; /* [ncell] the group's cells */
} search;

/* Cell `other` is of the group. */
static void meet(search *s, int64_t other, int64_t *count, bool *rigid) {
  if (s->seen[other] == 1) return;
  *rigid = *rigid && s->seen[other] != 2;
  s->seen[other] = 1;
  s->queue[(*count)++] = other;
}

/* The size of the group of cell m; *rigid: all of them are, and none has a well. */
static int64_t visit(search *s, int64_t m, bool *rigid) {
  const hp_reservoir *r = s->r;
  int64_t count = 0;
  *rigid = s->seen[m] != 2;
  s->seen[m] = 1;
  s->queue[count++] = m;
  for (int64_t at = 0; at < count; ++at) {
    const int64_t own = s->queue[at];
    *rigid = *rigid && hp_reservoir_is_rigid(r, own);
    for (int u = -3; u <= 3; ++u) {
      if (u == 0 || hp_face_trans(r, own, u) == 0.0) continue;
      const int d = (u < 0 ? -u : u) - 1;
      const int64_t stride = d == HP_DIR_K ? 1 : d == HP_DIR_J ? (int64_t)r->nz : (int64_t)r->nz * r->ny;
      meet(s, u < 0 ? own - stride : own + stride, &count, rigid);
    }
    int64_t begin, end;
    hp_links_of(&r->links, own, &begin, &end);
    for (int64_t e = begin; e < end; ++e) meet(s, r->links.other[e], &count, rigid);
  }
  return count;
}

static hp_status hold(hp_reservoir *r, int64_t m) {
  if (r->held == NULL) {
    HP_TRY(HP_ALLOC(r->held, r->ncell));
    memcpy(r->held, r->active, (size_t)r->ncell);
    r->active = r->held;
  }
  r->held[m] = HP_CELL_HELD;
  return HP_OK;
}

static hp_status find_groups(hp_reservoir *r, search *s, hp_held *out) {
  for (int64_t m = 0; m < r->ncell; ++m) {
    if (r->active[m] == HP_CELL_INACTIVE || s->seen[m] == 1 || !hp_reservoir_is_rigid(r, m)) continue;
    bool rigid;
    const int64_t size = visit(s, m, &rigid);
    if (!rigid) continue;
    HP_TRY(hold(r, m));
    if (out->groups == 0) {
      out->first = m;
      out->size = size;
    }
    out->groups += 1;
    out->cells += size;
  }
  return HP_OK;
}

hp_status hp_reservoir_hold(hp_reservoir *r, int64_t nopen, const int64_t *open, hp_held *out) {
  search s = {.r = r};
  *out = (hp_held){.first = -1};
  if (!may_be_rigid(r) || r->spread != NULL) return HP_OK; /* of planes none is rigid (sim/run/release.c) */
  HP_TRY(HP_ALLOC(s.seen, r->ncell));
  hp_status status = HP_ALLOC(s.queue, r->ncell);
  for (int64_t q = 0; q < nopen; ++q) s.seen[open[q]] = 2;
  if (status == HP_OK) status = find_groups(r, &s, out);
  HP_FREE(s.queue);
  HP_FREE(s.seen);
  return status;
}
