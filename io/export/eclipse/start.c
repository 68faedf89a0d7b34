/* SOLUTION: equilibrium or arrays, thresholds, aquifers. */
#include <math.h>

#include "core/memory.h"
#include "io/case/aquifers.h"
#include "io/export/eclipse/impl.h"

static void equilibria(hp_deck_out *o) {
  const hp_initial *start = &o->c->initial;
  fputs("EQUIL\n", o->f);
  for (int n = 0; n < start->nregion; ++n) {
    const hp_equilibrium *e = &start->region[n];
    hp_out_number(o, HP_UNIT_LENGTH, e->datum_depth);
    hp_out_number(o, HP_UNIT_PRESSURE, e->datum_pressure);
    hp_out_number(o, HP_UNIT_LENGTH, e->contact_depth);
    hp_out_number(o, HP_UNIT_PRESSURE, e->contact_pc);
    fprintf(o->f, " 4* %d /\n", e->accuracy);
  }
}

static void thresholds(hp_deck_out *o) {
  const hp_initial *start = &o->c->initial;
  bool some = false;
  for (int a = 0; start->threshold != NULL && a < start->nregion; ++a)
    for (int b = 0; b < start->nregion; ++b) {
      const double v = start->threshold[a * start->nregion + b];
      if (v == 0.0 || (b < a && !hp_case_threshold_one_way(start, a, b))) continue;
      if (!some) fputs("THPRES\n", o->f);
      some = true;
      fprintf(o->f, " %d %d", a + 1, b + 1);
      hp_out_number(o, HP_UNIT_PRESSURE, v);
      fputs(" /\n", o->f);
    }
  if (some) fputs("/\n", o->f);
  some = false;
  for (int n = 0; n < o->nfault; ++n) {
    if (!(o->fault[n].threshold > 0.0)) continue;
    if (!some) fputs("THPRESFT\n", o->f);
    some = true;
    hp_out_name(o, o->fault[n].name);
    hp_out_number(o, HP_UNIT_PRESSURE, o->fault[n].threshold);
    fputs(" /\n", o->f);
  }
  if (some) fputs("/\n", o->f);
}

/* ---- aquifers ---- */

/* A face of the cell at the edge of the active ones, which an aquifer's usually is; if there is none, any. */
static const char *edge(const hp_grid *g, int64_t m, bool *inside) {
  static const char *const name[HP_DIRS][2] = {{"K-", "K+"}, {"J-", "J+"}, {"I-", "I+"}};
  const int n[3] = {g->nx, g->ny, g->nz};
  int at[3];
  hp_grid_ijk(g, m, at);
  *inside = false;
  for (int d = HP_DIR_I; d >= HP_DIR_K; --d)
    for (int side = 0; side < 2; ++side) {
      const bool end = at[2 - d] == (side == 0 ? 0 : n[2 - d] - 1);
      if (end || !g->active[m + (side == 0 ? -1 : 1) * hp_grid_stride(g, d)]) return name[d][side];
    }
  *inside = true;
  return "K-";
}

/* A record for the cells of a column that have the same face and coefficient. */
static void connections(hp_deck_out *o, const hp_aquifer_spec *a) {
  const hp_grid *g = o->c->grid;
  for (int64_t n = 0, next; n < a->nconnection; n = next) {
    bool inside, other;
    const char *face = edge(g, a->cell[n], &inside);
    int at[3];
    hp_grid_ijk(g, a->cell[n], at);
    for (next = n + 1; next < a->nconnection; ++next)
      if (a->cell[next] != a->cell[n] + (next - n) || at[2] + (next - n) >= g->nz || a->weight[next] != a->weight[n] ||
          edge(g, a->cell[next], &other) != face || other != inside)
        break;
    fprintf(o->f, " %d %d %d %d %d %d %d %s", a->number, at[0] + 1, at[0] + 1, at[1] + 1, at[1] + 1, at[2] + 1,
            (int)(at[2] + (next - n)), face);
    hp_out_number(o, HP_UNIT_AREA, a->weight[n]);
    fprintf(o->f, " 1%s /\n", inside ? " YES" : "");
  }
}

static void carter_tracy(hp_deck_out *o, const hp_aquifer_spec *a, int table) {
  fprintf(o->f, "AQUCT\n %d", a->number);
  hp_out_number(o, HP_UNIT_LENGTH, a->datum_depth);
  hp_out_number(o, HP_UNIT_PRESSURE, a->pressure);
  hp_out_number(o, HP_UNIT_PERMEABILITY, a->permeability);
  hp_out_number(o, HP_UNIT_NONE, a->porosity);
  hp_out_number(o, HP_UNIT_COMPRESSIBILITY, a->compressibility);
  hp_out_number(o, HP_UNIT_LENGTH, a->radius);
  hp_out_number(o, HP_UNIT_LENGTH, a->thickness);
  hp_out_number(o, HP_UNIT_NONE, a->angle * 360.0);
  fprintf(o->f, " %d %d /\n/\n", a->pvt + 1, table);
}

static void fetkovich(hp_deck_out *o, const hp_aquifer_spec *a) {
  fprintf(o->f, "AQUFETP\n %d", a->number);
  hp_out_number(o, HP_UNIT_LENGTH, a->datum_depth);
  hp_out_number(o, HP_UNIT_PRESSURE, a->pressure);
  hp_out_number(o, HP_UNIT_VOLUME, a->volume);
  hp_out_number(o, HP_UNIT_COMPRESSIBILITY, a->compressibility);
  hp_out_number(o, HP_UNIT_PRODUCTIVITY, a->productivity);
  fprintf(o->f, " %d /\n/\n", a->pvt + 1);
}

hp_status hp_out_aquifers(hp_deck_out *o) {
  const hp_case *c = o->c;
  int tables = 1; /* of AQUTAB, where 1 is the infinite aquifer */
  bool some = false;
  for (int n = 0; n < c->naquifer; ++n) {
    const hp_aquifer_spec *a = &c->aquifer[n];
    some = some || a->nconnection > 0;
    switch (a->kind) {
      case HP_AQUIFER_CARTER_TRACY: carter_tracy(o, a, hp_aquifer_is_infinite(a) ? 1 : ++tables); break;
      case HP_AQUIFER_FETKOVICH: fetkovich(o, a); break;
      default:
        fprintf(o->f, "AQUFLUX\n %d", a->number);
        hp_out_number(o, HP_UNIT_FLUX, a->flux);
        fputs(" /\n/\n", o->f);
    }
  }
  if (!some) return HP_OK;
  fputs("AQUANCON\n", o->f);
  for (int n = 0; n < c->naquifer; ++n) connections(o, &c->aquifer[n]);
  fputs("/\n", o->f);
  return HP_OK;
}

hp_status hp_out_start(hp_deck_out *o) {
  const hp_initial *start = &o->c->initial;
  if (start->nregion > 0) equilibria(o);
  else {
    hp_out_cells(o, "PRESSURE", HP_UNIT_PRESSURE, start->pressure);
    hp_out_cells(o, "SWAT", HP_UNIT_NONE, start->sw);
    hp_out_include(o);
  }
  thresholds(o);
  HP_TRY(hp_out_aquifers(o));
  fputs("RPTRST\n BASIC=2 /\n", o->f);
  return HP_OK;
}
