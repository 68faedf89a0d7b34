/* Notes of `hepta check`: an initial state that is possible but looks like another unit, or like a slip. What the deck
 * itself shows of these is reported when it is read (io/case/slips.c). */
#include <math.h>

#include "core/memory.h"
#include "sim/commands/commands.h"
#include "sim/simulator/simulator.h"

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

/* Smallest and largest. */
typedef struct {
  double least, most;
} range;

/* A limit that lets nothing flow, wherever in the well it is taken to hold. */
static void note_well(const hp_case *c, const hp_reservoir *r, const hp_wells *W, int w, FILE *out) {
  const hp_well_control *control = hp_case_first_control(c, w);
  if (control == NULL || W->begin[w] == W->begin[w + 1]) return;
  const double bhp = control->limit[HP_CONTROL_BHP];
  const double gradient = HP_GRAVITY * c->fluid.pvt[0][control->injector ? control->phase : HP_OIL].density;
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

void hp_command_print_notes(const hp_case *c, const hp_wells *W, const hp_reservoir *r, FILE *f) {
  note_pressure(c, r, f);
  for (int w = 0; w < c->nwell; ++w) note_well(c, r, W, w, f);
}
