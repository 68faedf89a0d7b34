/* Slips of the pen that leave a deck which can be run: values that look like another unit, two wells in one cell, a
 * contact above the field. A note each, of what was probably meant. */
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "io/case/case.h"
#include "wells/wells.h"

/* Guess of the unit that was meant: `value` in another unit is `meant` of `label`, the deck's, if within least .. most. */
static void guess(char out[96], const char *unit, double value, double meant, double least, double most,
                  const char *label) {
  if (meant >= least && meant <= most)
    snprintf(out, 96, "%s for %s? %.4g %s is %.4g %s", unit, label, value, unit, meant, label);
  else snprintf(out, 96, "another unit?");
}

/* ---- fluids and rock ---- */

static void note_density(const hp_case *c, const char *phase, const hp_pvt_spec *f, hp_diag *diag) {
  enum { LEAST = 500, MOST = 1500 }; /* [kg/m3] at the surface, of crude oils and brines */
  if (f->density >= LEAST && f->density <= MOST) return;
  const double u = c->units.factor[HP_UNIT_DENSITY];
  hp_diag_note(diag, c->deck, 0, "%s's density, %.6g %s, is not within %.3g and %.3g: another unit?", phase,
               f->density / u, c->units.label[HP_UNIT_DENSITY], LEAST / u, MOST / u);
}

static void note_viscosity(const hp_case *c, const char *phase, const hp_pvt_spec *f, hp_diag *diag) {
  const double least = 0.05e-3, most = 10.0; /* [Pa s] from hot water to bitumen */
  const double *mu = f->rows > 0 ? f->mu : &f->viscosity;
  const double u = c->units.factor[HP_UNIT_VISCOSITY];
  const char *label = c->units.label[HP_UNIT_VISCOSITY];
  for (int n = 0; n < (f->rows > 0 ? f->rows : 1); ++n) {
    if (mu[n] >= least && mu[n] <= most) continue;
    const bool si = c->units.system == HP_UNITS_SI;
    char meant[96];
    guess(meant, si ? "cP" : "Pa s", mu[n] / u, mu[n] / u * (si ? 1e-3 : 1e3), least / u, most / u, label);
    hp_diag_note(diag, c->deck, 0, "%s's viscosity, %.6g %s, is not within %g and %g: %s", phase, mu[n] / u, label,
                 least / u, most / u, meant);
    return;
  }
}

/* Quartz gives way by 3e-11/Pa, water by 5e-10, the softest rocks and lightest oils by some 1e-8. Numbers for 1/Pa in
 * another unit are far below the first, those for 1/bar in 1/Pa far above the last. */
static void note_compressibility(const hp_case *c, const char *of, double value, hp_diag *diag) {
  const double stiff = 1e-13, soft = 1e-6, least = 1e-11, most = 2e-7; /* [1/Pa] */
  const double u = c->units.factor[HP_UNIT_COMPRESSIBILITY];
  const bool si = c->units.system == HP_UNITS_SI;
  if (value <= 0.0 || (value >= stiff && value <= soft)) return;
  char meant[96];
  if (si) guess(meant, "1/bar", value, value * 1e-5, least, most, "1/Pa");
  else guess(meant, "1/Pa", value / u, value / u / u, least / u, most / u, c->units.label[HP_UNIT_COMPRESSIBILITY]);
  hp_diag_note(diag, c->deck, 0, "%s's compressibility, %.6g %s, is %s than any rock's or liquid's: %s", of, value / u,
               c->units.label[HP_UNIT_COMPRESSIBILITY], value < stiff ? "less" : "more", meant);
}

static void note_phases(const hp_case *c, const hp_pvt_spec pvt[HP_PHASES], hp_diag *diag) {
  static const char *const phase[HP_PHASES] = {[HP_OIL] = "oil", [HP_WATER] = "water"};
  for (int a = 0; a < HP_PHASES; ++a) {
    note_density(c, phase[a], &pvt[a], diag);
    note_viscosity(c, phase[a], &pvt[a], diag);
    if (pvt[a].rows == 0) note_compressibility(c, phase[a], pvt[a].compressibility, diag);
  }
}

static void note_fluids(const hp_case *c, hp_diag *diag) {
  const hp_fluid_spec *f = &c->fluid;
  for (int n = 0; n < f->npvt; ++n) note_phases(c, f->pvt[n], diag);
  for (int n = 0; n < f->nrock; ++n) note_compressibility(c, "rock", f->rock[n].compressibility, diag);
}

/* ---- the grid ---- */

/* The least value of the active cells, if all are above `most`; the largest one, if all are below `least`; else NAN. */
static hp_status all_beyond(const hp_grid *g, const double *value, double least, double most, double *out) {
  double end[2] = {-INFINITY, -INFINITY}; /* the largest, minus the smallest */
  for (int64_t m = 0; m < g->ncell; ++m) {
    if (!g->active[m]) continue;
    end[0] = fmax(end[0], value[m]);
    end[1] = fmax(end[1], -value[m]);
    if (end[0] >= least && -end[1] <= most) break; /* as the first active cell of most decks tells */
  }
  HP_TRY(hp_spread_max(g->spread, end, 2));
  const bool any = end[0] >= -end[1];
  *out = any && -end[1] > most ? -end[1] : any && end[0] < least ? end[0] : NAN;
  return HP_OK;
}

/* Vertical permeabilities may all be 0. */
static hp_status note_permeability(const hp_case *c, hp_diag *diag) {
  static const char name[HP_DIRS] = {[HP_DIR_I] = 'i', [HP_DIR_J] = 'j', [HP_DIR_K] = 'k'};
  const double mD = hp_units_of(HP_UNITS_METRIC).factor[HP_UNIT_PERMEABILITY];
  const double least = 1e-6 * mD, most = 1e5 * mD, u = c->units.factor[HP_UNIT_PERMEABILITY]; /* salt, gravel */
  const bool si = c->units.system == HP_UNITS_SI;
  for (int d = HP_DIRS - 1; d >= 0; --d) {
    double k;
    HP_TRY(all_beyond(c->grid, c->grid->perm[d], least, most, &k));
    const double value = k / u;
    const bool high = k > most;
    if (isnan(k) || (k == 0.0 && d != HP_DIR_I)) continue;
    char meant[96];
    guess(meant, si ? "mD" : "m2", value, si ? value * mD : value / mD, least / u, most / u,
          c->units.label[HP_UNIT_PERMEABILITY]);
    hp_diag_note(diag, c->deck, 0, "permeability along %c is at %s %.4g %s in all cells: %s", name[d],
                 high ? "least" : "most", value, c->units.label[HP_UNIT_PERMEABILITY], meant);
    break;
  }
  return HP_OK;
}

/* Wider than the cells of whole basins, or thicker than whole reservoirs. */
static hp_status note_sizes(const hp_case *c, hp_diag *diag) {
  static const double most[HP_DIRS] = {[HP_DIR_I] = 3000.0, [HP_DIR_J] = 3000.0, [HP_DIR_K] = 200.0};
  static const char *const name[HP_DIRS] = {[HP_DIR_I] = "dx", [HP_DIR_J] = "dy", [HP_DIR_K] = "dz"};
  const hp_grid *g = c->grid;
  const double *const size[HP_DIRS] = {[HP_DIR_I] = g->dx, [HP_DIR_J] = g->dy, [HP_DIR_K] = g->dz};
  for (int d = 0; d < HP_DIRS; ++d) {
    double least;
    HP_TRY(all_beyond(g, size[d], 0.0, most[d], &least));
    if (isnan(least)) continue;
    hp_diag_note(diag, c->deck, 0, "%s is at least %.6g %s in all cells: another unit, such as ft for m?", name[d],
                 least / c->units.factor[HP_UNIT_LENGTH], c->units.label[HP_UNIT_LENGTH]);
  }
  return HP_OK;
}

/* ---- pressures ---- */

static const double MOST_PRESSURE = 5e8; /* [Pa] */

static void note_one_pressure(const hp_case *c, const char *what, double p, hp_diag *diag) {
  const double most = MOST_PRESSURE, u = c->units.factor[HP_UNIT_PRESSURE];
  char meant[96];
  if (!(p > most)) return;
  guess(meant, "Pa", p / u, p / u / u, 1e5 / u, most / u, c->units.label[HP_UNIT_PRESSURE]);
  hp_diag_note(diag, c->deck, 0, "%s, %.6g %s, is more than any reservoir has: %s", what, p / u,
               c->units.label[HP_UNIT_PRESSURE], meant);
}

static hp_status note_pressures(const hp_case *c, hp_diag *diag) {
  const hp_fluid_spec *f = &c->fluid;
  double initial = NAN;
  for (int n = 0; n < c->initial.nregion; ++n)
    note_one_pressure(c, "the pressure at the datum", c->initial.region[n].datum_pressure, diag);
  if (c->initial.pressure != NULL) HP_TRY(all_beyond(c->grid, c->initial.pressure, 0.0, MOST_PRESSURE, &initial));
  note_one_pressure(c, "the initial pressure", initial, diag);
  for (int n = 0; n < f->npvt; ++n) {
    note_one_pressure(c, "the reference pressure of water", f->pvt[n][HP_WATER].p_ref, diag);
    if (f->pvt[n][HP_OIL].rows == 0)
      note_one_pressure(c, "the reference pressure of oil", f->pvt[n][HP_OIL].p_ref, diag);
  }
  for (int n = 0; n < f->nrock; ++n) note_one_pressure(c, "the reference pressure of rock", f->rock[n].p_ref, diag);
  return HP_OK;
}

/* ---- wells ---- */

typedef struct {
  int64_t cell;
  int well;
} place;

static int by_cell(const void *a, const void *b) {
  const place *x = a, *y = b;
  return x->cell != y->cell ? (x->cell < y->cell ? -1 : 1) : (x->well > y->well) - (x->well < y->well);
}

/* Whether both wells are ever open at the same time: one that takes another's place is no slip. */
static bool meet(const hp_case *c, int a, int b) {
  bool open[2] = {false, false};
  for (int e = 0; e < c->nevent; ++e) {
    const hp_well_event *v = &c->event[e];
    if (v->well == a || v->well == b) open[v->well == b] = v->control.control != HP_CONTROL_SHUT;
    if ((e + 1 == c->nevent || c->event[e + 1].time > v->time) && open[0] && open[1]) return true;
  }
  return false;
}

static hp_status note_shared_cells(const hp_case *c, const hp_wells *W, hp_diag *diag) {
  place *at;
  int64_t shared = 0, first = -1;
  int pair[2] = {-1, -1};
  bool met = false;
  HP_TRY(HP_ALLOC(at, W->nperf));
  for (int64_t q = 0; q < W->nperf; ++q) at[q] = (place){W->cell[q], W->of[q]};
  qsort(at, (size_t)W->nperf, sizeof *at, by_cell);
  for (int64_t q = 1; q < W->nperf; ++q) {
    const int a = at[q - 1].well, b = at[q].well;
    if (at[q].cell != at[q - 1].cell || a == b) continue;
    if (a != pair[0] || b != pair[1]) met = meet(c, a, b);
    pair[0] = a, pair[1] = b;
    if (!met) continue;
    if (first < 0) first = q;
    shared += 1;
  }
  if (first >= 0) {
    int ijk[3];
    char more[64] = "";
    hp_grid_ijk(c->grid, at[first].cell, ijk);
    if (shared > 1)
      snprintf(more, sizeof more, "; so are wells in %lld more place%s", (long long)(shared - 1),
               shared > 2 ? "s" : "");
    hp_diag_note(diag, c->deck, 0, "wells %s and %s are both in cell (%d,%d,%d)%s: a slip in i or j?",
                 c->well[at[first - 1].well].name, c->well[at[first].well].name, ijk[0] + 1, ijk[1] + 1, ijk[2] + 1,
                 more);
  }
  HP_FREE(at);
  return HP_OK;
}

static hp_status note_wells(const hp_case *c, hp_diag *diag) {
  hp_wells *W = NULL;
  HP_TRY(hp_wells_create(c->grid, c->nwell, c->well, &W));
  const hp_status s = W->nperf > 1 ? note_shared_cells(c, W, diag) : HP_OK;
  hp_wells_destroy(&W);
  return s;
}

hp_status hp_case_note_slips(const hp_case *c, hp_diag *diag) {
  note_fluids(c, diag);
  HP_TRY(note_permeability(c, diag));
  HP_TRY(note_sizes(c, diag));
  HP_TRY(note_pressures(c, diag));
  if (c->output.nrft > 0 && !c->output.eclipse)
    hp_diag_note(diag, c->deck, 0,
                 "logs of wells are asked for, but NAME.RFT is only written with output.eclipse = true");
  return note_wells(c, diag);
}
