/* Fluids in place at the start, for `hepta check`: of the field, of each region of equilibrium and of reports. */
#include <limits.h>

#include "core/memory.h"
#include "sim/commands/commands.h"

enum { REGIONS_SHOWN = 20 }; /* of each kind, without --list */

typedef struct {
  double in_place[HP_PHASES]; /* [m3] at the surface */
  double pores;               /* [m3] */
  double top, bottom;         /* [m] */
  int64_t cells;
} total;

static void add_cell(const hp_case *c, const hp_reservoir *r, int64_t m, total *t) {
  hp_cell_props props;
  hp_cell_mass mass;
  hp_reservoir_eval(r, m, r->p[m], r->s[m], &props, &mass);
  for (int a = 0; a < HP_PHASES; ++a) t->in_place[a] += r->pore_volume[m] * mass.mass[a].v;
  t->pores += r->pore_volume[m] * hp_reservoir_rock(r, m, r->p[m]).v;
  const double top = r->depth[m] - 0.5 * c->grid->dz[m], bottom = r->depth[m] + 0.5 * c->grid->dz[m];
  if (t->cells == 0 || top < t->top) t->top = top;
  if (t->cells == 0 || bottom > t->bottom) t->bottom = bottom;
  t->cells += 1;
}

/* Adds up cells by their number in `of` less `first`; NULL: all are number 0. A number that is not in 0 .. count - 1 is of
 * no region. */
static void add_up(const hp_case *c, const hp_reservoir *r, const uint16_t *of, int first, int count, total *t) {
  for (int64_t m = 0; m < r->ncell; ++m) {
    const int n = of != NULL ? of[m] - first : 0;
    if (r->active[m] && n >= 0 && n < count) add_cell(c, r, m, &t[n]);
  }
}

static void print_total(const hp_case *c, const total *t, FILE *f) {
  const double v = c->units.factor[HP_UNIT_VOLUME];
  const char *unit = c->units.label[HP_UNIT_VOLUME];
  fprintf(f, "oil %.6g %s, water %.6g %s in %.6g %s of pores\n", t->in_place[HP_OIL] / v, unit,
          t->in_place[HP_WATER] / v, unit, t->pores / c->units.factor[HP_UNIT_RESERVOIR_VOLUME],
          c->units.label[HP_UNIT_RESERVOIR_VOLUME]);
}

static void print_contact(const hp_case *c, const hp_equilibrium *e, const total *t, FILE *f) {
  const double u = c->units.factor[HP_UNIT_LENGTH];
  const char *where = e->contact_depth >= t->bottom ? ", below all cells: none is in the water zone"
                      : e->contact_depth <= t->top  ? ", above all cells: all are in the water zone"
                                                    : "";
  fprintf(f, "         contact at %.6g %s%s; cells at %.6g to %.6g %s\n", e->contact_depth / u,
          c->units.label[HP_UNIT_LENGTH], where, t->top / u, t->bottom / u, c->units.label[HP_UNIT_LENGTH]);
}

/* Regions of one kind, if there are several; equilibria with their contacts. */
static hp_status print_regions(const hp_case *c, const hp_reservoir *r, const char *kind, const uint16_t *of, int first,
                               int count, bool contacts, int most, FILE *f) {
  total *t;
  int shown = 0, left = 0;
  HP_TRY(HP_ALLOC(t, count));
  add_up(c, r, of, first, count, t);
  for (int n = 0; n < count; ++n) {
    if (t[n].cells == 0) continue;
    if (shown == most) {
      left += 1;
      continue;
    }
    shown += 1;
    if (count > 1) {
      fprintf(f, "         %s %d: ", kind, n + 1);
      print_total(c, &t[n], f);
    }
    if (!contacts) continue;
    print_contact(c, &c->initial.region[n], &t[n], f);
  }
  if (left > 0) fprintf(f, "         and %d more regions, see --list\n", left);
  HP_FREE(t);
  return HP_OK;
}

static bool oil_flows(const hp_reservoir *r) {
  for (int64_t m = 0; m < r->ncell; ++m)
    if (r->active[m] && r->s[m] < hp_reservoir_range(r, m).oil_immobile) return true;
  return false;
}

hp_status hp_command_print_in_place(const hp_case *c, const hp_reservoir *r, bool list, FILE *f) {
  const int most = list ? INT_MAX : REGIONS_SHOWN;
  total field = {.cells = 0};
  add_up(c, r, NULL, 0, 1, &field);
  fputs("in place ", f);
  print_total(c, &field, f);
  if (c->initial.nregion > 0)
    HP_TRY(print_regions(c, r, "equilibrium", c->initial.of, 0, c->initial.nregion, true, most, f));
  if (c->fip != NULL) HP_TRY(print_regions(c, r, "fip", c->fip, 1, c->nfip, false, most, f));
  if (field.cells > 0 && !oil_flows(r))
    fputs("note     no oil can flow: there is residual oil at most in every cell\n", f);
  return HP_OK;
}
