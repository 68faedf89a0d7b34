/* Cells whose pressure is beyond the rows of a table so far that a curve is held (hp_fluid_spec_ends): told once for each
 * curve, with the first cell that is seen there. Perforated cells are looked at after each step, others with the fields. */
#include <stdio.h>

#include "core/memory.h"
#include "sim/report/progress.h"
#include "sim/run/run.h"

void hp_sim_describe_end(const hp_case *c, const hp_table_end *e, char *out, size_t size) {
  const double u = c->units.factor[HP_UNIT_PRESSURE];
  const char *unit = c->units.label[HP_UNIT_PRESSURE], *side = e->above ? "above" : "below";
  char curve[80];
  if (e->rock) snprintf(curve, sizeof curve, "the pore volume of rock table %d", e->region + 1);
  else
    snprintf(curve, sizeof curve, "%s of %s in PVT table %d", e->viscosity ? "1/(B viscosity)" : "1/B",
             e->phase == HP_OIL ? "oil" : "water", e->region + 1);
  snprintf(out, size, "%s %.6g %s %s is held at a tenth of its least row; straight on it would be 0 at %.6g %s", side,
           e->held / u, unit, curve, e->zero / u, unit);
}

static bool is_beyond(const hp_table_end *e, double p) { return e->above ? p > e->held : p < e->held; }

static void tell_end(hp_sim *S, hp_table_end *e, int64_t cell, double p, const char *of, const char *well) {
  const hp_units *u = &S->c->units;
  char text[240];
  int ijk[3];
  hp_grid_ijk(S->c->grid, cell, ijk);
  hp_sim_describe_end(S->c, e, text, sizeof text);
  hp_progress_warn(S, "time %.6g %s: cell (%d,%d,%d)%s%s is at %.6g %s; %s", S->time / u->factor[HP_UNIT_TIME],
                   u->label[HP_UNIT_TIME], ijk[0] + 1, ijk[1] + 1, ijk[2] + 1, of, well,
                   p / u->factor[HP_UNIT_PRESSURE], u->label[HP_UNIT_PRESSURE], text);
  e->told = true;
}

static bool any_left(const hp_sim *S) {
  for (int n = 0; n < S->ntable_end; ++n)
    if (!S->table_end[n].told) return true;
  return false;
}

/* Of several regions that of a perforation is known where a process has all cells; else that of PVT is its well's, and ends of
 * rock tables are passed over. */
void hp_sim_watch_wells(hp_sim *S) {
  const hp_wells *W = S->wells;
  const hp_fluid_spec *f = &S->c->fluid;
  if (!S->stepped || !any_left(S)) return;
  for (int64_t q = 0; q < W->nperf; ++q) {
    const int w = W->of[q];
    const double p = W->rate[q].drawdown + W->bhp[w] + W->head[q];
    for (int n = 0; n < S->ntable_end; ++n) {
      hp_table_end *e = &S->table_end[n];
      const uint16_t *of = e->rock ? f->of_rock : f->of_pvt;
      if (e->rock && of == NULL && f->nrock > 1) continue;
      const int region = of != NULL ? of[W->cell[q]] : e->rock ? 0 : S->well_pvt[w];
      if (e->told || e->region != region || !is_beyond(e, p)) continue;
      tell_end(S, e, W->cell[q], p, " of well ", S->c->well[w].name);
    }
  }
}

void hp_sim_watch_cells(hp_sim *S) {
  const hp_fluid_spec *f = &S->c->fluid;
  const hp_reservoir *r = S->res;
  if (!any_left(S) || S->c->spread != NULL) return;
  for (int64_t m = 0; m < r->ncell; ++m) {
    if (!r->active[m]) continue;
    for (int n = 0; n < S->ntable_end; ++n) {
      hp_table_end *e = &S->table_end[n];
      const uint16_t *of = e->rock ? f->of_rock : f->of_pvt;
      if (e->told || e->region != (of != NULL ? of[m] : 0) || !is_beyond(e, r->p[m])) continue;
      tell_end(S, e, m, r->p[m], "", "");
    }
  }
}
