/* Outflow of numerical aquifers: the water that leaves the first cell of each, through all its faces but those of its
 * own other cells, at the end of a time step; their pressure is that of their water, a mean by its volume. For the vectors
 * of the summary; the cells themselves are cells as any. */
#include "core/memory.h"
#include "physics/assembly.inl.h"
#include "sim/simulator/simulator.h"

static hp_cell_props props_of(const hp_reservoir *r, int64_t m, int d, hp_cell_mass *mass) {
  hp_cell_props c;
  hp_reservoir_eval(r, m, r->p[m], r->s[m], &c, mass);
  if (r->compaction != NULL) hp_compaction_mobility(r->compaction, m, d, &c);
  return c;
}

static bool is_of(const hp_numerical_aquifer *a, int64_t m) {
  for (int64_t n = 0; n < a->ncell; ++n)
    if (a->cell[n] == m) return true;
  return false;
}

/* Water from cell m to cell n, surface volume [m3/s]. */
static double flux(const hp_reservoir *r, double trans, double threshold, int64_t m, int64_t n, int d) {
  hp_cell_mass mass;
  hp_flux f[HP_PHASES];
  const hp_cell_props own = props_of(r, m, d, &mass), other = props_of(r, n, d, &mass);
  hp_flux_face(trans, HP_GRAVITY * (r->depth[m] - r->depth[n]), threshold, &own, &other, f);
  return f[HP_WATER].v;
}

static double rate_of(const hp_reservoir *r, const hp_numerical_aquifer *a) {
  const int64_t m = a->cell[0];
  int64_t begin, end;
  double sum = 0.0;
  for (int u = -3; u <= 3; ++u) {
    const double trans = u != 0 ? hp_face_trans(r, m, u) : 0.0;
    const int d = (u < 0 ? -u : u) - 1;
    if (trans == 0.0) continue;
    const int64_t stride = d == HP_DIR_K ? 1 : d == HP_DIR_J ? (int64_t)r->nz : (int64_t)r->nz * r->ny;
    const int64_t n = u < 0 ? m - stride : m + stride;
    if (!is_of(a, n)) sum += flux(r, trans, hp_face_threshold(r, m, n, d, u < 0 ? n : m), m, n, d);
  }
  hp_links_of(&r->links, m, &begin, &end);
  for (int64_t e = begin; e < end; ++e) {
    const int64_t n = r->links.other[e];
    const double threshold = hp_threshold(r, m, n, r->link_threshold, r->links.of[e]);
    if (!is_of(a, n)) sum += flux(r, r->link_trans[r->links.of[e]], threshold, m, n, hp_link_direction(r, m, n));
  }
  return sum;
}

static double pressure_of(const hp_reservoir *r, const hp_numerical_aquifer *a) {
  double sum = 0.0, volume = 0.0;
  for (int64_t n = 0; n < a->ncell; ++n) {
    const int64_t m = a->cell[n];
    hp_cell_mass mass;
    const hp_cell_props c = props_of(r, m, HP_DIR_I, &mass);
    const double water = r->pore_volume[m] * hp_reservoir_rock(r, m, r->p[m]).v * r->s[m];
    sum += water * c.pw;
    volume += water;
  }
  return volume > 0.0 ? sum / volume : 0.0;
}

hp_status hp_sim_numerical_create(hp_sim *S) {
  const hp_case *c = S->c;
  HP_TRY(HP_ALLOC(S->numerical, c->nnumerical));
  for (int n = 0; n < c->nnumerical; ++n)
    S->numerical[n] = (hp_aquifer_state){.influx = c->numerical[n].before,
                                         .pressure = pressure_of(S->res, &c->numerical[n])};
  return HP_OK;
}

hp_status hp_sim_numerical(hp_sim *S) {
  const hp_case *c = S->c;
  if (c->nnumerical == 0) return HP_OK;
  HP_TRY(S->backend->ops->get_state(S->backend));
  for (int n = 0; n < c->nnumerical; ++n) {
    hp_aquifer_state *now = &S->numerical[n];
    now->rate = rate_of(S->res, &c->numerical[n]);
    now->influx += S->dt * now->rate;
    now->pressure = pressure_of(S->res, &c->numerical[n]);
  }
  return HP_OK;
}
