/* End points of cells that follow from something else: ENPTVD, ENKRVD, ENPCVD and ENSPCVD give them by depth, JFUNC gives the
 * capillary pressure by porosity and permeability. */
#include <math.h>

#include "core/memory.h"
#include "io/config/config.h"
#include "io/eclipse/fluids/impl.h"

enum { COLUMNS_MAX = 9 };

/* The columns behind the depth; HP_ENDS: of gas. */
static const struct {
  int columns;
  hp_end end[COLUMNS_MAX];
  const char *name[COLUMNS_MAX];
} depth_columns[HP_ECL_DEPTHS] = {
    [HP_ECL_ENPTVD] = {9,
                       {0, HP_END_SWL, HP_END_SWCR, HP_END_SWU, HP_ENDS, HP_ENDS, HP_ENDS, HP_END_SOWCR, HP_ENDS},
                       {"the depth", "SWL", "SWCR", "SWU", "SGL", "SGCR", "SGU", "SOWCR", "SOGCR"}},
    [HP_ECL_ENKRVD] = {8,
                       {0, HP_END_KRW, HP_ENDS, HP_END_KRO, HP_END_KRWR, HP_ENDS, HP_ENDS, HP_END_KRORW},
                       {"the depth", "KRW", "KRG", "KRO", "KRWR", "KRGR", "KRORG", "KRORW"}},
    [HP_ECL_ENPCVD] = {3, {0, HP_END_PCW, HP_ENDS}, {"the depth", "PCW", "PCG"}},
    [HP_ECL_ENSPCVD] = {3, {0, HP_END_SWLPC, HP_ENDS}, {"the depth", "SWLPC", "SGLPC"}}};

static bool is_left_out(const double *cell, int rows, int columns, int c) {
  for (int n = 0; n < rows; ++n)
    if (!isnan(cell[n * columns + c])) return false;
  return true;
}

static hp_status read_depths(hp_ecl *e) {
  const int of = e->entry->argument, columns = depth_columns[of].columns, errors = e->diag->errors;
  hp_ecl_depth_table *t = &e->depths[of].table[e->table];
  HP_FREE(t->cell);
  t->rows = 0;
  HP_TRY(hp_ecl_read_table(e, columns, &t->rows, &t->cell));
  for (int c = 0; c < columns; ++c) {
    const char *name = depth_columns[of].name[c];
    const bool depth = c == 0, saturation = of == HP_ECL_ENPTVD || of == HP_ECL_ENSPCVD;
    if (!depth && is_left_out(t->cell, t->rows, columns, c)) continue;
    if (!depth) hp_ecl_interpolate_gaps(e, t->cell, t->rows, columns, c, name);
    hp_ecl_check_column(e, t->cell, t->rows, columns, c, name, depth ? 2 : 0, depth ? -INFINITY : 0.0,
                        saturation && !depth ? 1.0 : INFINITY);
    const hp_quantity q = depth ? HP_UNIT_LENGTH : of == HP_ECL_ENPCVD ? HP_UNIT_PRESSURE : HP_UNIT_NONE;
    for (int n = 0; n < t->rows; ++n) t->cell[n * columns + c] *= e->units.factor[q];
  }
  return e->diag->errors == errors ? HP_OK : HP_ERR_DECK;
}

static hp_status repeat_depths(hp_ecl *e) {
  const int of = e->entry->argument;
  const hp_ecl_depth_table *from = &e->depths[of].table[e->table - 1];
  hp_ecl_depth_table *to = &e->depths[of].table[e->table];
  const int64_t cells = (int64_t)from->rows * depth_columns[of].columns;
  HP_FREE(to->cell);
  HP_TRY(HP_ALLOC(to->cell, cells));
  for (int64_t n = 0; n < cells; ++n) to->cell[n] = from->cell[n];
  to->rows = from->rows;
  return HP_OK;
}

hp_status hp_ecl_do_end_depths(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  hp_ecl_depths *d = &e->depths[e->entry->argument];
  if (d->table == NULL) HP_TRY(HP_ALLOC(d->table, e->tables[HP_ECL_BY_ENDNUM]));
  d->name = e->entry->name;
  d->file = e->file;
  d->line = e->line;
  return hp_ecl_each_table(e, HP_ECL_BY_ENDNUM, read_depths, repeat_depths);
}

hp_status hp_ecl_do_jfunc(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_jfunc *v = &record->jfunc;
  if (v->phases.choice == 2)
    return hp_ecl_item_error(e, record, HP_ECL_AT(jfunc, phases), ": GAS: hepta simulates oil and water only");
  if (!v->tension.given) return hp_ecl_item_error(e, record, HP_ECL_AT(jfunc, tension), " is missing");
  e->leverett = (hp_ecl_leverett){record->file,     record->line,         v->tension.x,
                                  v->by_porosity.x, v->by_permeability.x, v->direction.choice};
  return HP_OK;
}

/* Linear between the rows, constant beyond. */
static double at_depth(const hp_ecl_depth_table *t, int columns, int c, double depth) {
  const double *row = t->cell;
  int n = 0;
  if (depth <= row[0]) return row[c];
  while (n + 2 < t->rows && depth > row[(n + 1) * columns]) ++n;
  if (n + 1 >= t->rows) return row[c];
  const double *a = &row[n * columns], *b = a + columns;
  return depth >= b[0] ? b[c] : a[c] + (depth - a[0]) / (b[0] - a[0]) * (b[c] - a[c]);
}

/* Whether --set gives the end point anew. */
static bool is_claimed(const hp_ecl *e, hp_end end) {
  static const char *const path[HP_ENDS] = {
#define END_PATH(id, key) "endpoints." key,
      HP_END_LIST(END_PATH)
#undef END_PATH
  };
  return hp_config_claims(e->nset, e->set, path[end]);
}

/* The array of an end point, to be filled where it is NAN. */
static hp_status open_end(hp_ecl *e, hp_end end, const char *file, int line, double **out) {
  hp_fluid_spec *f = &e->c->fluid;
  if (f->end[end] == NULL) {
    HP_TRY(HP_ALLOC(f->end[end], e->c->grid->ncell));
    for (int64_t m = 0; m < e->c->grid->ncell; ++m) f->end[end][m] = NAN;
    e->c->end_file[0][end] = file;
    e->c->end_line[0][end] = line;
  }
  *out = f->end[end];
  return HP_OK;
}

static hp_status fill_by_depth(hp_ecl *e, hp_ecl_depths_of of, const uint16_t *region) {
  const hp_grid *g = e->c->grid;
  const hp_ecl_depths *d = &e->depths[of];
  const int columns = depth_columns[of].columns;
  for (int c = 1; c < columns; ++c) {
    const hp_end end = depth_columns[of].end[c];
    double *value;
    if (end == HP_ENDS || is_claimed(e, end)) continue;
    HP_TRY(open_end(e, end, d->file, d->line, &value));
    for (int64_t m = 0; m < g->ncell; ++m) {
      const hp_ecl_depth_table *t = &d->table[region != NULL ? region[m] : 0];
      if (isnan(value[m]) && t->rows > 0) value[m] = at_depth(t, columns, c, g->depth[m]);
    }
  }
  return HP_OK;
}

/* pc = J tension porosity^a / permeability^b, with dyn/cm and mD: 1 dyn/cm / sqrt(mD) is 0.318316 bar. (M. Leverett, Trans.
 * AIME 142 (1941)) Tables hold J; a cell's scale is that of its value at SWL. */
static hp_status fill_by_leverett(hp_ecl *e) {
  const double bar = 1e5, constant = 0.318316 * bar, millidarcy = 9.869232667160130e-16;
  const hp_ecl_leverett *l = &e->leverett;
  const hp_fluid_spec *f = &e->c->fluid;
  const hp_grid *g = e->c->grid;
  double *value;
  if (is_claimed(e, HP_END_PCW) || hp_config_claims(e->nset, e->set, "saturation")) return HP_OK;
  HP_TRY(open_end(e, HP_END_PCW, l->file, l->line, &value));
  for (int n = 0; n < f->nsat; ++n) {
    const hp_sat_spec *t = &f->sat[n];
    const bool none_there = t->pc[0] == 0.0 && t->pc[t->rows - 1] == 0.0;
    if (!none_there && !(t->pc[0] > 0.0))
      return hp_ecl_error(e, l->file, l->line, "JFUNC: table %d: J of the first row is %g: it must be > 0", n + 1,
                          t->pc[0]);
  }
  for (int64_t m = 0; m < g->ncell; ++m) {
    const double k[] = {0.5 * (g->perm[HP_DIR_I][m] + g->perm[HP_DIR_J][m]), g->perm[HP_DIR_I][m], g->perm[HP_DIR_J][m],
                        g->perm[HP_DIR_K][m]};
    const double perm = k[l->direction] / millidarcy;
    if (!g->active[m] || !isnan(value[m])) continue;
    value[m] = f->sat[f->of_sat != NULL ? f->of_sat[m] : 0].pc[0] * l->tension * constant *
               pow(g->porosity[m], l->by_porosity) / pow(perm, l->by_permeability);
    if (isfinite(value[m])) continue;
    int ijk[3];
    hp_grid_ijk(g, g->first + m, ijk);
    return hp_ecl_error(e, l->file, l->line,
                        "JFUNC: cell (%d,%d,%d): no capillary pressure by porosity %g, permeability %g mD", ijk[0] + 1,
                        ijk[1] + 1, ijk[2] + 1, g->porosity[m], perm);
  }
  return HP_OK;
}

hp_status hp_ecl_fill_end_points(hp_ecl *e) {
  uint16_t *region = NULL;
  bool any = false;
  for (int n = 0; n < HP_ECL_DEPTHS; ++n) any = any || e->depths[n].table != NULL;
  if (e->c->grid == NULL || hp_ecl_water_alone(e)) return HP_OK;
  hp_status s = any ? hp_ecl_region_numbers(e, HP_ECL_ENDNUM, e->tables[HP_ECL_BY_ENDNUM], &region) : HP_OK;
  for (int n = 0; n < HP_ECL_DEPTHS && s == HP_OK; ++n)
    if (e->depths[n].table != NULL) s = fill_by_depth(e, (hp_ecl_depths_of)n, region);
  if (s == HP_OK && e->leverett.file != NULL) s = fill_by_leverett(e);
  HP_FREE(region);
  return s;
}
