/* Notes of `hepta check`: an initial state that is possible but looks like another unit, or like a slip. What the deck
 * itself shows of these is reported when it is read (io/case/slips.c). */
#include <math.h>

#include "core/memory.h"
#include "sim/commands/commands.h"
#include "sim/run/run.h"
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

/* ---- tables ---- */

/* Whether the cells of the region are beyond the end at the start. */
static bool begins_beyond(const hp_case *c, const hp_reservoir *r, const hp_table_end *e) {
  const uint16_t *of = e->rock ? c->fluid.of_rock : c->fluid.of_pvt;
  for (int64_t m = 0; m < r->ncell; ++m)
    if (r->active[m] && (of != NULL ? of[m] : 0) == e->region && (e->above ? r->p[m] > e->held : r->p[m] < e->held))
      return true;
  return false;
}

/* The first event whose well may bring its cells there, by its limit of the bhp; NULL: none. */
static const hp_well_event *event_beyond(const hp_case *c, const hp_table_end *e) {
  for (int n = 0; n < c->nevent; ++n) {
    const hp_well_control *k = &c->event[n].control;
    const double bhp = k->limit[HP_CONTROL_BHP];
    if (k->injector == e->above && (e->above ? bhp > e->held : bhp < e->held)) return &c->event[n];
  }
  return NULL;
}

static void note_end(const hp_case *c, const hp_reservoir *r, const hp_table_end *e, FILE *out) {
  char text[240];
  const bool at_start = begins_beyond(c, r, e);
  const hp_well_event *v = at_start ? NULL : event_beyond(c, e);
  if (!at_start && v == NULL) return;
  hp_sim_describe_end(c, e, text, sizeof text);
  fprintf(out, "note     %s. ", text);
  if (at_start) fputs("Cells are there at the start\n", out);
  else
    fprintf(out, "%s may get there: its bhp limit is %.6g %s\n", c->well[v->well].name,
            v->control.limit[HP_CONTROL_BHP] / c->units.factor[HP_UNIT_PRESSURE], c->units.label[HP_UNIT_PRESSURE]);
}

static hp_status note_ends(const hp_case *c, const hp_reservoir *r, FILE *out) {
  hp_table_end *end;
  int count;
  HP_TRY(hp_fluid_spec_ends(&c->fluid, &count, &end));
  for (int n = 0; n < count; ++n) note_end(c, r, &end[n], out);
  HP_FREE(end);
  return HP_OK;
}

hp_status hp_command_print_notes(const hp_case *c, const hp_wells *W, const hp_reservoir *r, FILE *f) {
  note_pressure(c, r, f);
  for (int w = 0; w < c->nwell; ++w) note_well(c, r, W, w, f);
  return note_ends(c, r, f);
}
