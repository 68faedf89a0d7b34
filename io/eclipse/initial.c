/* Where the run starts: EQUIL, or PRESSURE with SWAT or SOIL; RESTART is in io/eclipse/restart. */
#include <math.h>

#include "core/memory.h"
#include "io/config/config.h"
#include "io/eclipse/impl.h"

hp_status hp_ecl_do_equil(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_equil *v = &record->equil;
  hp_initial *init = &e->c->initial;
  if (v->accuracy.i > 0)
    return hp_ecl_error(e, record->file, record->line,
                        "item %d: accuracy %d: tilted blocks are not supported, only 0 "
                        "and -20..-1",
                        HP_ECL_NUMBER(equil, accuracy), (int)v->accuracy.i);
  if (v->accuracy.i < -20)
    return hp_ecl_error(e, record->file, record->line, "item %d: accuracy %d: must be in -20..0",
                        HP_ECL_NUMBER(equil, accuracy), (int)v->accuracy.i);
  if (!v->contact_depth.given && !hp_ecl_water_alone(e))
    return hp_ecl_item_error(e, record, HP_ECL_AT(equil, contact_depth), " is missing and has no default");
  HP_TRY(hp_ecl_gas_contact(e, record));
  const char *file;
  HP_TRY(hp_case_file(e->c, record->file, &file));
  if (init->region == NULL) {
    HP_TRY(HP_ALLOC(init->region, e->tables[HP_ECL_BY_EQLNUM]));
    init->nregion = e->tables[HP_ECL_BY_EQLNUM];
  }
  init->region[e->table] = (hp_equilibrium){.datum_depth = v->datum_depth.x,
                                            .datum_pressure = v->datum_pressure.x,
                                            .contact_depth = v->contact_depth.x,
                                            .contact_pc = v->contact_pc.x,
                                            .accuracy = (int)v->accuracy.i,
                                            .file = {file, file},
                                            .line = {record->line, record->line}};
  e->equil = true;
  return HP_OK;
}

hp_status hp_ecl_do_eqlopts(hp_ecl *e, const hp_ecl_record *record) {
  for (int n = 0; n < HP_ECL_COUNT(eqlopts); ++n) {
    const hp_ecl_value *v = &record->v[n];
    if (!v->given) continue;
    if (hp_ecl_equals(&v->text, "THPRES")) e->thresholds = true;
    else if (hp_ecl_equals(&v->text, "IRREVERS")) e->one_way = true;
    else if (hp_ecl_equals(&v->text, "QUIESC") || hp_ecl_equals(&v->text, "MOBILE"))
      hp_ecl_note(e, record->file, record->line,
                  "%.*s is passed over, as in OPM Flow: pressures and saturations are those of the equilibrium",
                  v->text.length, v->text.text);
    else
      return hp_ecl_error(e, record->file, record->line,
                          "item %d: %s: of the options of equilibria there are THPRES, IRREVERS, QUIESC and MOBILE",
                          n + 1, hp_ecl_show(&e->lexer, &v->text, "'").s);
  }
  return HP_OK;
}

hp_status hp_ecl_do_thpres(hp_ecl *e, const hp_ecl_record *record) {
  const int count = e->tables[HP_ECL_BY_EQLNUM];
  const int64_t a = record->thpres.region.i, b = record->thpres.other_region.i;
  double **to = &e->c->initial.threshold;
  if (!e->thresholds)
    return hp_ecl_error(e, record->file, record->line,
                        "THPRES acts with the option THPRES of EQLOPTS only: EQLOPTS\n THPRES /");
  if (a > count || b > count)
    return hp_ecl_error(e, record->file, record->line, "region %lld: EQLDIMS says there are %d",
                        (long long)(a > count ? a : b), count);
  if (a == b) return hp_ecl_error(e, record->file, record->line, "a threshold within region %lld", (long long)a);
  if (*to == NULL) HP_TRY(HP_ALLOC(*to, (int64_t)count * count));
  e->c->initial.nthreshold = count;
  (*to)[(a - 1) * count + b - 1] = record->thpres.threshold.x;
  if (!e->one_way) (*to)[(b - 1) * count + a - 1] = record->thpres.threshold.x;
  return HP_OK;
}

/* WATER alone fills the pores: of equilibria the contact lies above all cells, and nobody gave it. */
static hp_status fill_with_water(hp_ecl *e) {
  hp_initial *init = &e->c->initial;
  double *top = NULL;
  if (e->c->grid == NULL || init->nregion == 0) return HP_OK;
  HP_TRY(hp_case_equilibrium_tops(e->c, &top, NULL));
  for (int n = 0; n < init->nregion; ++n) {
    hp_equilibrium *q = &init->region[n];
    q->contact_depth = fmin(q->datum_depth, top[n]) - 1.0;
    q->contact_pc = 0.0;
    q->line[HP_AT_CONTACT] = HP_AT_NO_LINE;
  }
  HP_FREE(top);
  return HP_OK;
}

/* SOIL says what SWAT says; where both are given they must agree. */
static hp_status water_from_oil(hp_ecl *e) {
  const hp_ecl_array *oil = &e->array[HP_ECL_SOIL];
  hp_ecl_array *water = &e->array[HP_ECL_SWAT];
  const int64_t cells = hp_ecl_cells(e);
  if (oil->value == NULL || oil->faulty || water->faulty) {
    water->faulty = water->faulty || oil->faulty; /* reported */
    return HP_OK;
  }
  const bool both = water->value != NULL;
  if (!both) {
    HP_TRY(hp_ecl_array_make(e, HP_ECL_SWAT));
    water->file = oil->file;
    water->line = oil->line;
  }
  for (int64_t m = 0; m < cells; ++m) {
    if (!both) water->value[m] = 1.0 - oil->value[m];
    if (!(fabs(water->value[m] + oil->value[m] - 1.0) > 1e-6)) continue;
    int ijk[3];
    water->faulty = true;
    hp_ecl_ijk(e, m, ijk);
    return hp_ecl_error(e, oil->file, oil->line, "SOIL: cell (%d,%d,%d): %g, and SWAT %g: together they must be 1",
                        ijk[0] + 1, ijk[1] + 1, ijk[2] + 1, oil->value[m], water->value[m]);
  }
  return HP_OK;
}

/* Without EQUIL, the arrays that the deck gives; on another grid those that --set gives anew are left to it. */
hp_status hp_ecl_finish_initial(hp_ecl *e) {
  hp_initial *init = &e->c->initial;
  const hp_ecl_array *p = &e->array[HP_ECL_PRESSURE], *sw = &e->array[HP_ECL_SWAT], *oil = &e->array[HP_ECL_SOIL];
  if (e->restart != NULL) return hp_ecl_restart_state(e);
  if (init->threshold != NULL && !e->equil)
    return hp_ecl_missing(e, HP_ECL_SOLUTION, "EQUIL", "THPRES needs EQUIL, whose regions it is between");
  if (e->equil) {
    if (p->value == NULL && sw->value == NULL && oil->value == NULL) return HP_OK;
    const hp_ecl_array *given = p->value != NULL ? p : sw->value != NULL ? sw : oil;
    return hp_ecl_error(e, given->file, given->line, "EQUIL and %s are both given",
                        given == p    ? "PRESSURE"
                        : given == sw ? "SWAT"
                                      : "SOIL");
  }
  const hp_status derived = water_from_oil(e);
  if (derived != HP_OK && derived != HP_ERR_DECK) return derived;
  const int64_t cells = hp_ecl_cells(e);
  if (p->value != NULL && !p->faulty) {
    HP_TRY(HP_ALLOC(init->pressure, cells));
    hp_ecl_to_cells(e, p->value, init->pressure);
  }
  const bool alone = hp_ecl_water_alone(e);
  if ((sw->value != NULL || alone) && !sw->faulty) {
    HP_TRY(HP_ALLOC(init->sw, cells));
    if (sw->value != NULL) hp_ecl_to_cells(e, sw->value, init->sw);
    for (int64_t m = 0; m < cells && alone; ++m) {
      if (sw->value != NULL && init->sw[m] < 1.0)
        return hp_ecl_error(e, sw->file, sw->line, "SWAT: %g: water alone (RUNSPEC) fills the pores", init->sw[m]);
      init->sw[m] = 1.0;
    }
  }
  return HP_OK;
}

hp_status hp_ecl_complete_initial(hp_ecl *e) {
  const hp_initial *init = &e->c->initial;
  if (hp_ecl_water_alone(e)) HP_TRY(fill_with_water(e));
  const bool of_file = e->restart != NULL || (e->lost & HP_ECL_SOLUTION) != 0; /* whose faults are reported */
  const bool faulty = e->unsized || of_file || e->array[HP_ECL_PRESSURE].faulty || e->array[HP_ECL_SWAT].faulty;
  if (faulty || init->nregion > 0 || (init->pressure != NULL && init->sw != NULL)) return HP_OK;
  if (init->pressure == NULL && (init->sw == NULL || hp_ecl_water_alone(e)))
    return hp_ecl_missing(e, HP_ECL_SOLUTION, "EQUIL|PRESSURE|SWAT|SOIL", "EQUIL (or PRESSURE and SWAT) is missing");
  return init->pressure == NULL ? hp_ecl_missing(e, HP_ECL_SOLUTION, "PRESSURE", "SWAT is given, PRESSURE is missing")
                                : hp_ecl_missing(e, HP_ECL_SOLUTION, "SWAT|SOIL", "PRESSURE is given, SWAT is missing");
}
