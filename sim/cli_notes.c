/* Notes of `hepta check`: values that are possible but look like another unit, or like a slip. */
#include <math.h>

#include "core/memory.h"
#include "sim/cli.h"
#include "sim/simulator.h"

/* ---- fluids ---- */

static void note_density(const hp_case *c, const char *phase, const hp_pvt_spec *f, FILE *out) {
  enum { LEAST = 500, MOST = 1500 }; /* [kg/m3] at the surface, of crude oils and brines */
  if (f->density >= LEAST && f->density <= MOST) return;
  const double u = c->units.factor[HP_UNIT_DENSITY];
  fprintf(out, "note     %s's density, %.6g %s, is not within %.3g and %.3g: another unit?\n", phase, f->density / u,
          c->units.label[HP_UNIT_DENSITY], LEAST / u, MOST / u);
}

static void note_viscosity(const hp_case *c, const char *phase, const hp_pvt_spec *f, FILE *out) {
  const double least = 0.05e-3, most = 10.0; /* [Pa s] from hot water to bitumen */
  const double *mu = f->rows > 0 ? f->mu : &f->viscosity;
  const double u = c->units.factor[HP_UNIT_VISCOSITY];
  for (int n = 0; n < (f->rows > 0 ? f->rows : 1); ++n) {
    if (mu[n] >= least && mu[n] <= most) continue;
    fprintf(out, "note     %s's viscosity, %.6g %s, is not within %g and %g: another unit?\n", phase, mu[n] / u,
            c->units.label[HP_UNIT_VISCOSITY], least / u, most / u);
    return;
  }
}

static void note_fluids(const hp_case *c, FILE *out) {
  static const char *const phase[HP_PHASES] = {[HP_OIL] = "oil", [HP_WATER] = "water"};
  for (int a = 0; a < HP_PHASES; ++a) {
    note_density(c, phase[a], &c->fluid.phase[a], out);
    note_viscosity(c, phase[a], &c->fluid.phase[a], out);
    for (int n = 0; n < c->fluid.regions.npvt; ++n) {
      note_density(c, phase[a], &c->fluid.regions.pvt[n][a], out);
      note_viscosity(c, phase[a], &c->fluid.regions.pvt[n][a], out);
    }
  }
}

/* ---- rock and grid ---- */

/* Smallest and largest of the active cells. */
typedef struct {
  double least, most;
} range;

static range range_of(const hp_grid *g, const double *value) {
  range r = {INFINITY, -INFINITY};
  for (int64_t m = 0; m < g->ncell; ++m) {
    if (!g->active[m]) continue;
    r.least = fmin(r.least, value[m]);
    r.most = fmax(r.most, value[m]);
  }
  return r;
}

static void note_permeability(const hp_case *c, FILE *out) {
  const double most = 1e5, least = 1e-6; /* [mD] gravel, salt */
  const double mD = hp_units_of(HP_UNITS_METRIC).factor[HP_UNIT_PERMEABILITY];
  const range k = range_of(c->grid, c->grid->perm[HP_DIR_I]);
  const bool high = k.least > most * mD;
  if (!high && !(k.most < least * mD)) return;
  fprintf(out, "note     permeability along i is at %s %.4g %s in all cells: another unit?\n", high ? "least" : "most",
          (high ? k.least : k.most) / c->units.factor[HP_UNIT_PERMEABILITY], c->units.label[HP_UNIT_PERMEABILITY]);
}

/* Wider than the cells of whole basins, or thicker than whole reservoirs. */
static void note_sizes(const hp_case *c, FILE *out) {
  static const double most[HP_DIRS] = {[HP_DIR_I] = 3000.0, [HP_DIR_J] = 3000.0, [HP_DIR_K] = 200.0};
  static const char *const name[HP_DIRS] = {[HP_DIR_I] = "dx", [HP_DIR_J] = "dy", [HP_DIR_K] = "dz"};
  const hp_grid *g = c->grid;
  const double *const size[HP_DIRS] = {[HP_DIR_I] = g->dx, [HP_DIR_J] = g->dy, [HP_DIR_K] = g->dz};
  for (int d = 0; d < HP_DIRS; ++d) {
    const range r = range_of(g, size[d]);
    if (!(r.least > most[d])) continue;
    fprintf(out, "note     %s is at least %.6g %s in all cells: another unit, such as ft for m?\n", name[d],
            r.least / c->units.factor[HP_UNIT_LENGTH], c->units.label[HP_UNIT_LENGTH]);
  }
}

/* ---- the initial state ---- */

/* Reservoirs lie between depletion and the weight of the rock above, 2.3 times that of water; feet for metres or psi
 * for bar fall outside. Models near the surface lie anywhere. */
static void note_pressure(const hp_case *c, const hp_reservoir *r, FILE *out) {
  const double shallow = 500.0, least = 0.4, most = 3.0; /* [m], times a column of water */
  double pressure = 0.0, depth = 0.0;
  for (int64_t m = 0; m < r->ncell; ++m) {
    if (!r->active[m]) continue;
    pressure += r->pore_volume[m] / r->total_pore_volume * r->p[m];
    depth += r->pore_volume[m] / r->total_pore_volume * r->depth[m];
  }
  const double times = pressure / (1000.0 * HP_GRAVITY * depth);
  if (depth < shallow || (times >= least && times <= most)) return;
  fprintf(out, "note     %.6g %s at a depth of %.6g %s is %.2g times the pressure of a column of water: ",
          pressure / c->units.factor[HP_UNIT_PRESSURE], c->units.label[HP_UNIT_PRESSURE],
          depth / c->units.factor[HP_UNIT_LENGTH], c->units.label[HP_UNIT_LENGTH], times);
  fputs(times < least ? "ft for m, or bar for psi?\n" : "m for ft, or psi for bar?\n", out);
}

/* A limit that lets nothing flow, wherever in the well it is taken to hold. */
static void note_well(const hp_case *c, const hp_reservoir *r, const hp_wells *W, int w, FILE *out) {
  const hp_well_control *control = hp_cli_first_control(c, w);
  if (control == NULL || W->begin[w] == W->begin[w + 1]) return;
  const double bhp = control->limit[HP_CONTROL_BHP];
  const double gradient = HP_GRAVITY * c->fluid.phase[control->injector ? control->phase : HP_OIL].density;
  range p = {INFINITY, -INFINITY};
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    const double here = r->p[W->cell[q]], above = here - gradient * (W->depth[q] - W->ref_depth[w]);
    p.least = fmin(p.least, fmin(here, above));
    p.most = fmax(p.most, fmax(here, above));
  }
  if (control->injector ? bhp >= p.least : bhp <= p.most) return;
  const double u = c->units.factor[HP_UNIT_PRESSURE];
  const char *unit = c->units.label[HP_UNIT_PRESSURE];
  if (control->injector)
    fprintf(out, "note     %s cannot inject at first: its bhp limit, %.6g %s, is below the pressure at its cells, ",
            c->well[w].name, bhp / u, unit);
  else
    fprintf(out, "note     %s cannot produce at first: its bhp limit, %.6g %s, is above the pressure at its cells, ",
            c->well[w].name, bhp / u, unit);
  fprintf(out, "%.6g %s\n", (control->injector ? p.least : p.most) / u, unit);
}

hp_status hp_cli_print_notes(const hp_case *c, const hp_wells *W, FILE *f) {
  hp_reservoir *r = NULL;
  note_fluids(c, f);
  note_permeability(c, f);
  note_sizes(c, f);
  hp_status s = hp_reservoir_create(c->grid, &c->fluid, &r);
  if (s == HP_OK) s = hp_sim_initial_state(c, r);
  if (s == HP_OK) {
    note_pressure(c, r, f);
    for (int w = 0; w < c->nwell; ++w) note_well(c, r, W, w, f);
  }
  hp_reservoir_destroy(&r);
  return s;
}
