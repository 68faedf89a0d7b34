/* GAS that is only a word: many decks of oil and water name the phase. Where no gas is in place, injected or dissolved the
 * answer is that of oil and water. What would bring gas is refused where it stands: SGAS, SGL, tables of saturation functions
 * that begin with gas, and contacts of EQUIL are judged here.
 */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/impl.h"

#define NO_GAS "hepta simulates oil and water only"

static const double TRACE = 1e-6; /* a saturation that is rounding */

/* saturation functions */

hp_status hp_ecl_gas_at_start(hp_ecl *e, double gas, double kro) {
  if (gas > TRACE)
    return hp_ecl_error(e, e->file, e->line, "table %d begins with a gas saturation of %g, which all cells hold: %s",
                        e->table + 1, gas, NO_GAS);
  if (isnan(kro)) return HP_OK;
  if (e->kro_at_no_gas == NULL) {
    HP_TRY(HP_ALLOC(e->kro_at_no_gas, e->tables[HP_ECL_BY_SATNUM]));
    for (int n = 0; n < e->tables[HP_ECL_BY_SATNUM]; ++n) e->kro_at_no_gas[n] = NAN;
  }
  e->kro_at_no_gas[e->table] = kro;
  e->kro_file = e->file;
  e->kro_line = e->line;
  return HP_OK;
}

/* SGOF, SGFN: the first row is that of the least gas; SLGOF, by liquid: the last one. */
hp_status hp_ecl_judge_gas_tables(hp_ecl *e) {
  const bool by_liquid = strcmp(e->name, "SLGOF") == 0, has_oil = strcmp(e->name, "SGFN") != 0;
  const int columns = has_oil ? 4 : 3;
  for (e->table = 0; e->table < e->tables[HP_ECL_BY_SATNUM]; ++e->table) {
    hp_ecl_token slash;
    int rows;
    double *cell;
    if (!hp_ecl_data_follow(e)) return HP_OK; /* fewer than tables: nothing hangs on them */
    if (e->table > 0 && hp_ecl_slash_next(e)) {
      HP_TRY(hp_ecl_word(e, &slash));
      continue;
    }
    HP_TRY(hp_ecl_read_table(e, columns, &rows, &cell));
    const double *row = &cell[by_liquid ? (rows - 1) * columns : 0];
    const double gas = by_liquid ? 1.0 - row[0] : row[0], kro = has_oil ? row[2] : NAN;
    HP_FREE(cell);
    HP_TRY(hp_ecl_gas_at_start(e, gas, kro));
  }
  return HP_OK;
}

/* Where the curves do not meet Eclipse refuses the tables. */
static void compare_curves(hp_ecl *e) {
  for (int n = 0; e->kro_at_no_gas != NULL && n < e->tables[HP_ECL_BY_SATNUM]; ++n) {
    const hp_sat_spec *sat = &e->c->fluid.sat[n];
    const double kro = e->kro_at_no_gas[n];
    if (sat->model != HP_SAT_TABLE || sat->rows == 0 || isnan(kro) || fabs(kro - sat->kro[0]) <= TRACE) continue;
    hp_diag_note(e->diag, e->kro_file, e->kro_line,
                 "saturation table %d: kro without gas is %g in the table with gas and %g at connate water in the one "
                 "with water, which is what counts here; OPM Flow mixes both there and its answer differs, Eclipse "
                 "refuses such tables",
                 n + 1, kro, sat->kro[0]);
  }
}

/* cells */

static hp_status brings_gas(hp_ecl *e, const char *file, int line, const char *name, double gas) {
  return hp_ecl_error(e, file, line, "%s%s%g brings gas: %s", name, name[0] != '\0' ? " " : "", gas, NO_GAS);
}

/* Numbers of a gap; *most: the largest so far. */
static hp_status pass_gap(hp_ecl *e, const hp_ecl_token *t, double *most) {
  hp_ecl_gap_numbers g;
  hp_status s = hp_ecl_gap_open(e, t, &g);
  do {
    if (s == HP_OK) s = hp_ecl_gap_next(&g);
    for (int64_t n = 0; s == HP_OK && n < g.count; ++n)
      if (g.value[n] > *most) *most = g.value[n];
  } while (s == HP_OK && g.count > 0);
  hp_ecl_gap_close(&g);
  return s;
}

hp_status hp_ecl_judge_gas_cells(hp_ecl *e) {
  double most = 0.0;
  for (;;) {
    hp_ecl_token t;
    double x;
    HP_TRY(hp_ecl_word_or_gap(e, &t));
    if (t.kind == HP_ECL_SLASH) break;
    if (t.kind == HP_ECL_GAP) HP_TRY(pass_gap(e, &t, &most));
    else if (!t.defaulted && hp_ecl_number(&t, &x) && x > most) most = x;
  }
  return most > TRACE ? brings_gas(e, e->file, e->line, "", most) : HP_OK;
}

hp_status hp_ecl_judge_gas_record(hp_ecl *e, const hp_ecl_keyword_entry *entry, const hp_ecl_record *record,
                                  const char *name, double value) {
  if (!e->gas || entry->argument != HP_ECL_GAS_CELLS || value <= TRACE) return HP_OK;
  if (isnan(value)) return hp_ecl_error(e, record->file, record->line, "%s may bring gas: give 0: %s", name, NO_GAS);
  return brings_gas(e, record->file, record->line, name, value);
}

/* contacts */

void hp_ecl_judge_gas_injectors(hp_ecl *e) {
  for (hp_ecl_well *w = e->well; w < e->well + e->wells; ++w) {
    if (w->gas_file != NULL)
      (void)hp_ecl_error(e, w->gas_file, w->gas_line,
                         "well %s injects gas: item %d (phase): 'GAS' is not supported, only WATER|OIL", w->spec.name,
                         HP_ECL_NUMBER(wconinje, phase));
    w->gas_file = NULL;
  }
}

hp_status hp_ecl_gas_contact(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_equil *v = &record->equil;
  const double u = e->units.factor[HP_UNIT_LENGTH];
  if (!e->gas) return HP_OK;
  if (v->gas_contact_pc.given && v->gas_contact_pc.x > 0.0)
    return hp_ecl_item_error(e, record, HP_ECL_AT(equil, gas_contact_pc), ": gas may stand below the contact: %s",
                             NO_GAS);
  if (v->datum_depth.x < v->gas_contact_depth.x)
    return hp_ecl_error(
        e, record->file, record->line,
        "item %d: the gas-oil contact, %.6g, is below the datum, %.6g, whose pressure is that of gas: %s",
        HP_ECL_NUMBER(equil, gas_contact_depth), v->gas_contact_depth.x / u, v->datum_depth.x / u, NO_GAS);
  if (e->gas_contact == NULL) HP_TRY(HP_ALLOC(e->gas_contact, e->tables[HP_ECL_BY_EQLNUM]));
  e->gas_contact[e->table] = v->gas_contact_depth.x;
  return HP_OK;
}

/* A contact below the highest depth of its cells where a saturation is computed. Spread over ranks, a deck with a fault is
 * read again by one process, which holds all cells. */
static void report_contact(hp_ecl *e, int region, double top, int64_t cell) {
  const hp_equilibrium *q = &e->c->initial.region[region];
  const double u = e->units.factor[HP_UNIT_LENGTH];
  const char *unit = e->units.label[HP_UNIT_LENGTH];
  int at[3];
  hp_grid_ijk(e->c->grid, cell, at);
  (void)hp_ecl_error(e, q->file[HP_AT_CONTACT], q->line[HP_AT_CONTACT],
                     "EQUIL: item %d: the gas-oil contact is at %.6g %s, and cell (%d,%d,%d) holds gas above it, at "
                     "%.6g %s: %s",
                     HP_ECL_NUMBER(equil, gas_contact_depth), e->gas_contact[region] / u, unit, at[0] + 1, at[1] + 1,
                     at[2] + 1, top / u, unit, NO_GAS);
}

static hp_status check_contacts(hp_ecl *e) {
  const int regions = e->c->initial.nregion;
  double *top = NULL;
  int64_t *cell;
  if (e->gas_contact == NULL || e->c->grid == NULL || e->restart != NULL || regions == 0) return HP_OK;
  HP_TRY(HP_ALLOC(cell, regions));
  const hp_status s = hp_case_equilibrium_tops(e->c, &top, cell);
  for (int n = 0; s == HP_OK && n < e->tables[HP_ECL_BY_EQLNUM] && n < regions; ++n)
    if (e->gas_contact[n] > top[n]) report_contact(e, n, top[n], cell[n] < 0 ? 0 : cell[n]);
  HP_FREE(top);
  HP_FREE(cell);
  return s;
}

hp_status hp_ecl_complete_gas(hp_ecl *e) {
  if (!e->gas) return HP_OK;
  compare_curves(e);
  HP_TRY(check_contacts(e));
  if (e->diag->errors + e->stops > 0) return HP_OK;
  hp_diag_note(e->diag, e->gas_file, e->gas_line,
               "GAS: no gas is in place, injected or dissolved: the answer is that of oil and water");
  return HP_OK;
}
