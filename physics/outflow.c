#include "physics/outflow.h"

#include <string.h>

#include "core/memory.h"
#include "physics/assembly.inl.h"

void hp_outflow_clear(hp_outflow *o) {
  HP_FREE(o->begin);
  HP_FREE(o->cell);
  o->count = 0;
}

static hp_cell_props props_of(const hp_reservoir *r, int64_t m, int face, hp_cell_mass *mass) {
  hp_cell_props c;
  hp_reservoir_eval(r, m, r->p[m], r->s[m], &c, mass);
  hp_reservoir_direct(r, m, face, r->s[m], &c);
  return c;
}

/* Places of an aquifer's cells. */
typedef struct {
  int64_t count;
  const int64_t *at;
} places;

static bool is_of(const places *own, int64_t m) {
  for (int64_t n = 0; n < own->count; ++n)
    if (own->at[n] == m) return true;
  return false;
}

/* Water from cell m through its face to cell n, surface volume [m3/s]. */
static double flux(const hp_reservoir *r, double trans, hp_threshold threshold, int64_t m, int64_t n, int face) {
  hp_cell_mass mass;
  hp_flux f[HP_PHASES];
  const hp_cell_props own = props_of(r, m, face, &mass), other = props_of(r, n, hp_face_across(face), &mass);
  hp_flux_face(trans, HP_GRAVITY * (r->depth[m] - r->depth[n]), threshold, &own, &other, f);
  return f[HP_WATER].v;
}

static double rate_of(const hp_reservoir *r, const places *own) {
  const int64_t m = own->at[0];
  int64_t begin, end;
  double sum = 0.0;
  for (int u = -3; u <= 3; ++u) {
    const double trans = u != 0 ? hp_face_trans(r, m, u) : 0.0;
    const int d = (u < 0 ? -u : u) - 1;
    if (trans == 0.0) continue;
    const int64_t stride = d == HP_DIR_K ? 1 : d == HP_DIR_J ? (int64_t)r->nz : (int64_t)r->nz * r->ny;
    const int64_t n = u < 0 ? m - stride : m + stride;
    if (!is_of(own, n)) sum += flux(r, trans, hp_face_threshold(r, m, n, d, u < 0 ? n : m), m, n, hp_face_of(d, u < 0));
  }
  hp_links_of(&r->links, m, &begin, &end);
  for (int64_t e = begin; e < end; ++e) {
    const int64_t n = r->links.other[e];
    const hp_threshold threshold = hp_cells_threshold(r, m, n, r->link_threshold, r->links.of[e]);
    const int face = hp_link_face(r, m, n, r->links.of[e]);
    if (!is_of(own, n)) sum += flux(r, r->link_trans[r->links.of[e]], threshold, m, n, face);
  }
  return sum;
}

static bool is_here(const hp_reservoir *r, int64_t m) { return m >= 0 && r->active[m] != HP_CELL_INACTIVE; }

void hp_outflow_terms(const hp_outflow *o, const hp_reservoir *r, const int64_t *place, bool rates, double *value) {
  double *cell = value + o->count;
  memset(value, 0, (size_t)hp_outflow_numbers(o) * sizeof *value);
  for (int64_t n = 0; n < o->count && rates; ++n) {
    const places own = {o->begin[n + 1] - o->begin[n], place + o->begin[n]};
    if (is_here(r, own.at[0])) value[n] = rate_of(r, &own);
  }
  for (int64_t n = 0; n < hp_outflow_cells(o); ++n) {
    const int64_t m = place[n];
    hp_cell_mass mass;
    if (!is_here(r, m)) continue;
    const hp_cell_props c = props_of(r, m, HP_DIR_I, &mass);
    const double water = r->pore_volume[m] * hp_reservoir_rock(r, m, r->p[m]).v * r->s[m];
    cell[2 * n] = water;
    cell[2 * n + 1] = water * c.pw;
  }
}

void hp_outflow_add(const hp_outflow *o, const double *value, int64_t n, double *rate, double *pressure) {
  const double *cell = value + o->count;
  double sum = 0.0, volume = 0.0;
  for (int64_t k = o->begin[n]; k < o->begin[n + 1]; ++k) {
    sum += cell[2 * k + 1];
    volume += cell[2 * k];
  }
  *rate = value[n];
  *pressure = volume > 0.0 ? sum / volume : 0.0;
}
