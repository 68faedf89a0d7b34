#include <string.h>

#include "core/memory.h"
#include "core/plural.h"
#include "io/eclipse/impl.h"

hp_status hp_ecl_do_title(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  hp_ecl_token t;
  /* Only the very next line is taken for a title when it could be a keyword. */
  if (hp_ecl_peek(&e->lexer, &t) && t.line > e->line + 1 && hp_ecl_find(&t) != NULL) return HP_OK;
  hp_ecl_line(&e->lexer, &t);
  HP_FREE(e->c->title);
  return hp_ecl_text(t.text, (size_t)t.length, &e->c->title);
}

/* Each system of pillars has a layer at least. Before DIMENS the number of layers is not known yet. */
static hp_status check_systems(hp_ecl *e, const hp_ecl_record *record) {
  const int systems = e->tables[HP_ECL_BY_SYSTEM], layers = e->deck_size[2];
  if (layers == 0 || systems <= layers) return HP_OK;
  e->tables[HP_ECL_BY_SYSTEM] = 1;
  return hp_ecl_error(e, record->file, record->line, "%d systems of pillars (NUMRES) in %d layer%s (DIMENS)", systems,
                      layers, hp_plural(layers));
}

hp_status hp_ecl_do_dimens(hp_ecl *e, const hp_ecl_record *record) {
  enum { CELLS_MAX = 2000000000 };
  int n[3], cells = 1;
  if (e->nx > 0) return hp_ecl_error(e, record->file, record->line, "given twice");
  for (int d = 0; d < 3; ++d) {
    n[d] = (int)record->v[HP_ECL_AT(dimens, nx) + d].i;
    if (n[d] > CELLS_MAX / cells) return hp_ecl_error(e, record->file, record->line, "more than %d cells", CELLS_MAX);
    cells *= n[d];
  }
  char why[HP_GRID_WHY];
  if (!hp_grid_fits(e->c->spread, cells, why))
    return hp_ecl_error(e, record->file, record->line, "%d x %d x %d: %s", n[0], n[1], n[2], why);
  HP_TRY(hp_ecl_resize(e, n));
  hp_ecl_box_reset(e);
  return check_systems(e, record);
}

hp_status hp_ecl_do_specgrid(hp_ecl *e, const hp_ecl_record *record) {
  const int *n = e->deck_size;
  for (int d = 0; d < 3 && !e->unsized; ++d)
    if (record->v[HP_ECL_AT(specgrid, nx) + d].i != n[d])
      return hp_ecl_error(e, record->file, record->line, "%lld x %lld x %lld cells, DIMENS says %d x %d x %d",
                          (long long)record->specgrid.nx.i, (long long)record->specgrid.ny.i,
                          (long long)record->specgrid.nz.i, n[0], n[1], n[2]);
  const int systems = e->tables[HP_ECL_BY_SYSTEM];
  if (record->specgrid.systems.given && record->specgrid.systems.i != systems)
    return hp_ecl_error(e, record->file, record->line, "item %d: %lld system%s of pillars, NUMRES says %d",
                        HP_ECL_NUMBER(specgrid, systems), (long long)record->specgrid.systems.i,
                        hp_plural(record->specgrid.systems.i), systems);
  return HP_OK;
}

hp_status hp_ecl_do_phase(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  bool *phase[] = {[HP_OIL] = &e->oil, [HP_WATER] = &e->water, [HP_PHASES] = &e->gas};
  *phase[e->entry->argument] = true;
  if (e->gas && e->gas_line == 0) {
    e->gas_file = e->file;
    e->gas_line = e->line;
  }
  return HP_OK;
}

hp_status hp_ecl_do_units(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  const hp_units units = hp_units_of((hp_unit_system)e->entry->argument);
  if (e->units_given && units.system != e->units.system)
    return hp_ecl_error(e, e->file, e->line, "the units are %s already", e->units.name);
  e->units = units;
  e->units_given = true;
  return HP_OK;
}

enum { TABLES_MAX = 10000 };

hp_status hp_ecl_do_tabdims(hp_ecl *e, const hp_ecl_record *record) {
  static const int counts[] = {HP_ECL_AT(tabdims, saturation_tables), HP_ECL_AT(tabdims, pvt_tables),
                               HP_ECL_AT(tabdims, rock_tables)};
  for (int n = 0; n < 3; ++n)
    if (record->v[counts[n]].i > TABLES_MAX)
      return hp_ecl_error(e, record->file, record->line, "item %d: more than %d tables", counts[n] + 1, TABLES_MAX);
  e->tables[HP_ECL_BY_SATNUM] = (int)record->tabdims.saturation_tables.i;
  e->tables[HP_ECL_BY_PVTNUM] = (int)record->tabdims.pvt_tables.i;
  e->rock_tables = (int)record->tabdims.rock_tables.i;
  const hp_hysteresis_spec hysteresis = e->c->fluid.hysteresis; /* its defaults */
  hp_fluid_spec_clear(&e->c->fluid);
  e->c->fluid.hysteresis = hysteresis;
  return hp_fluid_spec_grow(&e->c->fluid, e->tables[HP_ECL_BY_SATNUM], e->tables[HP_ECL_BY_PVTNUM], 1);
}

hp_status hp_ecl_do_eqldims(hp_ecl *e, const hp_ecl_record *record) {
  if (record->eqldims.regions.i > TABLES_MAX)
    return hp_ecl_error(e, record->file, record->line, "item %d: more than %d regions", HP_ECL_NUMBER(eqldims, regions),
                        TABLES_MAX);
  e->tables[HP_ECL_BY_EQLNUM] = (int)record->eqldims.regions.i;
  return HP_OK;
}

hp_status hp_ecl_do_numres(hp_ecl *e, const hp_ecl_record *record) {
  e->tables[HP_ECL_BY_SYSTEM] = (int)record->numres.systems.i;
  return check_systems(e, record);
}

hp_status hp_ecl_do_endscale(hp_ecl *e, const hp_ecl_record *record) {
  if (record->endscale.tables.i > TABLES_MAX)
    return hp_ecl_error(e, record->file, record->line, "item %d: more than %d tables", HP_ECL_NUMBER(endscale, tables),
                        TABLES_MAX);
  e->tables[HP_ECL_BY_ENDNUM] = (int)record->endscale.tables.i;
  e->endscale = true;
  return HP_OK;
}
