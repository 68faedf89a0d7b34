/* RESTART and SKIPREST: where a run begins, and in what state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/restart/restart.h"

static const double DAY = 86400.0;

/* Items of INTEHEAD and DOUBHEAD. */
enum { UNIT = 2, NX = 8, PHASES = 14, DATE = 64, OIL_AND_WATER = 3, ALL_PHASES = 7 };

/* ---- RESTART ---- */

hp_status hp_ecl_restart_fault(hp_ecl *e, hp_status s) {
  return s == HP_ERR_FILE ? HP_ECL_RESTART_ERROR(e, "%s", hp_fail_text()) : s;
}

/* The file of the report: all kinds of names are tried, what is formatted last. */
static hp_status find_file(hp_ecl *e, const hp_ecl_token *root, int report, bool only_formatted, char **path,
                           bool *formatted, bool *unified) {
  char separate[2][32];
  snprintf(separate[0], sizeof separate[0], ".X%04d", report);
  snprintf(separate[1], sizeof separate[1], ".F%04d", report);
  const struct {
    const char *ending;
    bool formatted, unified;
  } kind[] = {
      {".UNRST", false, true}, {separate[0], false, false}, {".FUNRST", true, true}, {separate[1], true, false}};
  *path = NULL;
  for (size_t n = only_formatted ? 2 : 0; n < sizeof kind / sizeof *kind && *path == NULL; ++n) {
    HP_TRY(hp_ecl_file_look(e, root, kind[n].ending, path));
    *formatted = kind[n].formatted;
    *unified = kind[n].unified;
  }
  if (*path != NULL) return HP_OK;
  return hp_ecl_error(e, root->file, root->line, "there is none of %.*s%s%s%s.FUNRST, %.*s%s", root->length, root->text,
                      only_formatted ? "" : ".UNRST, ", only_formatted ? "" : separate[0], only_formatted ? "" : ", ",
                      root->length, root->text, separate[1]);
}

/* The case of the file must be the deck's, as far as its heads say. */
static hp_status check_heads(hp_ecl *e, const hp_ecl_restart *r) {
  const hp_ecl_step *s = &r->step;
  const int *n = e->deck_size;
  const double *head = s->value[HP_ECL_STEP_INTEHEAD];
  if (head == NULL || s->count[HP_ECL_STEP_INTEHEAD] <= DATE + 2 || s->count[HP_ECL_STEP_DOUBHEAD] < 1)
    return HP_ECL_RESTART_ERROR(e, "%s: its report step %d has no whole INTEHEAD and DOUBHEAD", r->path, r->report);
  if (!e->unsized && (head[NX] != n[0] || head[NX + 1] != n[1] || head[NX + 2] != n[2]))
    return HP_ECL_RESTART_ERROR(e, "%s: its grid has %.0f x %.0f x %.0f cells, this deck's %d x %d x %d", r->path,
                                head[NX], head[NX + 1], head[NX + 2], n[0], n[1], n[2]);
  if (head[PHASES] != OIL_AND_WATER && head[PHASES] != 0.0 && !(e->gas && head[PHASES] == ALL_PHASES))
    return HP_ECL_RESTART_ERROR(e, "%s: its phases are not oil and water alone (item 15 of INTEHEAD is %.0f)", r->path,
                                head[PHASES]);
  return HP_OK;
}

static hp_status read_heads(hp_ecl *e, hp_ecl_restart *r) {
  static const hp_unit_system system[] = {HP_UNITS_METRIC, HP_UNITS_FIELD, HP_UNITS_LAB};
  const hp_ecl_step *s = &r->step;
  HP_TRY(check_heads(e, r));
  const double *head = s->value[HP_ECL_STEP_INTEHEAD], unit = head[UNIT];
  if (unit != 1.0 && unit != 2.0 && unit != 3.0)
    return HP_ECL_RESTART_ERROR(e, "%s: its units are not METRIC, FIELD or LAB (item 3 of INTEHEAD is %.0f)", r->path,
                                unit);
  r->units = hp_units_of(system[(int)unit - 1]);
  r->time = hp_ecl_step_head(s, HP_ECL_STEP_DOUBHEAD, 0) * r->units.factor[HP_UNIT_TIME];
  if (!(r->time >= 0.0) || r->time > 1e12)
    return HP_ECL_RESTART_ERROR(e, "%s: its report step %d is at no time that can be", r->path, r->report);
  const bool dated = head[DATE] >= 1.0 && head[DATE] <= 31.0 && head[DATE + 1] >= 1.0 && head[DATE + 1] <= 12.0 &&
                     head[DATE + 2] >= 1.0 && head[DATE + 2] <= 9999.0;
  const int64_t day = dated ? hp_date_day_number((int64_t)head[DATE + 2], (int)head[DATE + 1], (int64_t)head[DATE]) : 0;
  const double here = (double)e->start_day + (e->start_second + r->time) / DAY;
  if (dated && fabs((double)day + 0.5 - here) > 1.5)
    return hp_ecl_error(
        e, r->file, r->line,
        "%s: its report step %d is of %.0f-%02.0f-%02.0f, %.6g days after its start; with START of this deck it "
        "would be another date",
        r->path, r->report, head[DATE + 2], head[DATE + 1], head[DATE], r->time / DAY);
  return HP_OK;
}

/* ACTNUM of BASE.EGRID, where it is at hand. */
static hp_status read_active(hp_ecl *e, const hp_ecl_token *root, hp_ecl_restart *r) {
  HP_TRY(hp_ecl_file_look(e, root, ".EGRID", &r->egrid));
  if (r->egrid == NULL) return HP_OK;
  hp_inputs_add(&e->diag->read, r->egrid);
  return hp_ecl_restart_fault(e, hp_ecl_step_active(r->egrid, &r->step));
}

/* Files, which one process opens. */
static hp_status read_files(hp_ecl *e, const hp_ecl_record *record, hp_ecl_restart *r) {
  const hp_ecl_items_restart *v = &record->restart;
  bool formatted = false, unified = false;
  HP_TRY(find_file(e, &v->root.text, r->report, v->format.choice == 1, &r->path, &formatted, &unified));
  HP_TRY(hp_ecl_restart_fault(e, hp_ecl_step_read(r->path, formatted, unified, r->report, &r->step)));
  return read_active(e, &v->root.text, r);
}

static hp_status read_restart(hp_ecl *e, const hp_ecl_record *record, hp_ecl_restart *r) {
  r->report = (int)record->restart.report.i;
  r->file = record->file;
  r->line = record->line;
  const hp_status read = hp_spread_opens_files(e->c->spread) ? read_files(e, record, r) : HP_OK;
  HP_TRY(hp_ecl_share_path(e, read, &r->path));
  hp_inputs_add(&e->diag->read, r->path);
  HP_TRY(hp_ecl_step_share(e->c->spread, &r->step));
  return read_heads(e, r);
}

hp_status hp_ecl_do_restart(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_restart *v = &record->restart;
  if (v->save_file.given && v->save_file.text.length > 0)
    return hp_ecl_error(
        e, record->file, record->line,
        "item %d: %s: save files are not supported: leave it out, to begin with a report step of a restart "
        "file",
        HP_ECL_NUMBER(restart, save_file), hp_ecl_show(&e->lexer, &v->save_file.text, "'").s);
  if (v->report.i > 999999)
    return hp_ecl_error(e, record->file, record->line, "item %d: there is no such report step",
                        HP_ECL_NUMBER(restart, report));
  hp_ecl_restart_clear(e);
  HP_TRY(HP_ALLOC(e->restart, 1));
  const hp_status s = read_restart(e, record, e->restart);
  if (s != HP_OK) {
    e->lost |= HP_ECL_SOLUTION | HP_ECL_SCHEDULE; /* state and wells */
    hp_ecl_restart_clear(e);
    return s;
  }
  e->c->begin_report = e->restart->report;
  return hp_case_file(e->c, e->restart->path, &e->c->begin_file);
}

void hp_ecl_restart_clear(hp_ecl *e) {
  if (e->restart == NULL) return;
  hp_ecl_step_clear(&e->restart->step);
  HP_FREE(e->restart->path);
  HP_FREE(e->restart->egrid);
  HP_FREE(e->restart);
}

/* ---- the schedule ---- */

hp_status hp_ecl_do_skiprest(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  if (e->restart == NULL) return HP_OK;
  if (e->restart->begun || e->wells > 0 || e->c->nreport > 0)
    return hp_ecl_error(e, e->file, e->line, "must stand before wells and steps");
  e->restart->skips = true;
  return HP_OK;
}

hp_status hp_ecl_restart_begin(hp_ecl *e) {
  hp_ecl_restart *r = e->restart;
  if (r == NULL || r->begun || (r->skips && r->time > 0.0)) return HP_OK;
  r->begun = true;
  e->now = e->c->begin = r->time;
  return hp_ecl_restart_wells(e);
}

hp_status hp_ecl_restart_reach(hp_ecl *e, double time) {
  hp_ecl_restart *r = e->restart;
  if (r == NULL || r->begun || time < r->time - 1.0 - 1e-6 * r->time) return HP_OK;
  r->begun = true;
  if (time > r->time + 1.0 + 1e-6 * r->time) {
    const double day = e->units.factor[HP_UNIT_TIME];
    return hp_ecl_error(
        e, r->file, r->line,
        "RESTART: report step %d of %s is at time %.9g %s, which SCHEDULE passes over in a step that ends at "
        "%.9g %s",
        r->report, r->path, r->time / day, e->units.label[HP_UNIT_TIME], time / day, e->units.label[HP_UNIT_TIME]);
  }
  e->c->begin = time;
  HP_TRY(hp_ecl_restart_shut(e));
  return hp_ecl_restart_wells(e);
}

/* Whether the schedule goes beyond the report. */
static hp_status check_schedule(hp_ecl *e) {
  const hp_case *c = e->c;
  const hp_ecl_restart *r = e->restart;
  const double last = c->nreport > 0 ? c->report[c->nreport - 1] : 0.0, unit = e->units.factor[HP_UNIT_TIME];
  if (c->nreport == 0 || last > r->time + 1.0 + 1e-6 * r->time || (e->lost & HP_ECL_SCHEDULE) != 0) return HP_OK;
  return hp_ecl_error(
      e, r->file, r->line,
      "RESTART: report step %d of %s is at time %.9g %s, and SCHEDULE ends at %.9g %s: without SKIPREST it "
      "begins at that step, with it at time zero",
      r->report, r->path, r->time / unit, e->units.label[HP_UNIT_TIME], last / unit, e->units.label[HP_UNIT_TIME]);
}

hp_status hp_ecl_restart_schedule(hp_ecl *e) {
  if (e->restart == NULL) return HP_OK;
  HP_TRY(hp_ecl_restart_begin(e));
  hp_ecl_restart_totals(e);
  return check_schedule(e);
}

/* ---- the state ---- */

static hp_status check_state(hp_ecl *e) {
  const hp_ecl_restart *r = e->restart;
  const hp_initial *init = &e->c->initial;
  const hp_grid *g = e->c->grid;
  for (int64_t m = 0; m < g->ncell; ++m) {
    int at[3];
    if (init->pressure[m] > 0.0 && init->pressure[m] < 1e12 && init->sw[m] >= -1e-6 && init->sw[m] <= 1.0 + 1e-6) {
      init->sw[m] = fmin(fmax(init->sw[m], 0.0), 1.0);
      continue;
    }
    hp_grid_ijk(g, g->first + m, at);
    return HP_ECL_RESTART_ERROR(e, "%s: cell (%d,%d,%d): pressure %g %s and water saturation %g cannot be", r->path,
                                at[0] + 1, at[1] + 1, at[2] + 1, init->pressure[m] / e->units.factor[HP_UNIT_PRESSURE],
                                e->units.label[HP_UNIT_PRESSURE], init->sw[m]);
  }
  return HP_OK;
}

/* Thresholds that the deck leaves to the difference at time zero are the file's. */
static hp_status find_thresholds(hp_ecl *e) {
  const hp_ecl_restart *r = e->restart;
  const hp_ecl_step *s = &r->step;
  double *to = e->c->initial.threshold;
  const int count = e->tables[HP_ECL_BY_EQLNUM];
  const bool has = s->value[HP_ECL_STEP_THRESHPR] != NULL && s->count[HP_ECL_STEP_THRESHPR] == (int64_t)count * count;
  for (int n = 0; to != NULL && n < count * count; ++n) {
    if (!isnan(to[n])) continue;
    if (!has)
      return HP_ECL_RESTART_ERROR(
          e, "%s: it does not have the threshold pressures (THRESHPR) that THPRES leaves to the start", r->path);
    to[n] = s->value[HP_ECL_STEP_THRESHPR][n] * r->units.factor[HP_UNIT_PRESSURE];
  }
  return HP_OK;
}

/* Oil of regions that ROE counts from; files of others do not have it. */
static hp_status find_oil(const hp_ecl *e) {
  const hp_ecl_restart *r = e->restart;
  hp_initial *init = &e->c->initial;
  const int64_t count = r->step.value[HP_ECL_STEP_ROIPSTRT] != NULL ? r->step.count[HP_ECL_STEP_ROIPSTRT] : 0;
  HP_FREE(init->oil);
  init->nfip = (int)count;
  if (count == 0) return HP_OK;
  HP_TRY(HP_ALLOC(init->oil, count));
  for (int64_t n = 0; n < count; ++n)
    init->oil[n] = r->step.value[HP_ECL_STEP_ROIPSTRT][n] * r->units.factor[HP_UNIT_VOLUME];
  return HP_OK;
}

/* A file of three phases holds no gas either. */
static hp_status check_gas(hp_ecl *e) {
  const hp_ecl_restart *r = e->restart;
  double *gas = NULL, most[1] = {0.0};
  if (!e->gas || r->step.cells[HP_ECL_STEP_CELLS_SGAS].count == 0) return HP_OK;
  hp_status s = hp_ecl_restart_cells(e, HP_ECL_STEP_CELLS_SGAS, 1.0, &gas);
  for (int64_t m = 0; s == HP_OK && m < e->c->grid->ncell; ++m) most[0] = fmax(most[0], gas[m]);
  HP_FREE(gas);
  if (s == HP_OK) s = hp_spread_max(e->c->spread, most, 1);
  if (s != HP_OK || most[0] <= 1e-6) return s;
  return HP_ECL_RESTART_ERROR(e, "%s: SGAS is %g in a cell: hepta simulates oil and water only", r->path, most[0]);
}

hp_status hp_ecl_restart_state(hp_ecl *e) {
  static const hp_ecl_array_id given[] = {HP_ECL_PRESSURE, HP_ECL_SWAT, HP_ECL_SOIL};
  const hp_ecl_restart *r = e->restart;
  hp_initial *init = &e->c->initial;
  for (size_t n = 0; n < sizeof given / sizeof *given; ++n)
    if (e->array[given[n]].value != NULL)
      return hp_ecl_error(e, e->array[given[n]].file, e->array[given[n]].line, "RESTART and %s are both given",
                          hp_ecl_array_name(given[n]));
  if (e->array[HP_ECL_SWATINIT].value != NULL)
    return hp_ecl_error(
        e, r->file, r->line,
        "SWATINIT scales the capillary pressure by the equilibrium at time zero, which a run that begins "
        "later does not have");
  for (int n = 0; n < e->c->fluid.nrock; ++n)
    if (e->c->fluid.rock[n].irreversible && e->c->fluid.rock[n].rows > 0)
      return HP_ECL_RESTART_ERROR(
          e,
          "rock tables that do not come back (ROCKCOMP) go by the lowest pressure since time zero, "
          "which no file has");
  const bool hysteresis = hp_hysteresis_is_on(&e->c->fluid.hysteresis);
  if (hysteresis && r->step.cells[HP_ECL_STEP_CELLS_SOMAX].count == 0)
    return HP_ECL_RESTART_ERROR(
        e,
        "hysteresis goes by the largest oil saturation since time zero, which %s has not (SOMAX; OPM Flow writes it "
        "with "
        "hysteresis): run the deck from time zero, or go on in a result of hepta with --restart",
        r->path);
  if (e->equil) hp_diag_note(e->diag, r->file, r->line, "RESTART is where the run begins: EQUIL has no effect");
  HP_FREE(init->region);
  init->nregion = 0;
  if (e->c->grid == NULL || e->unsized || e->resized) return HP_OK;
  HP_TRY(hp_ecl_restart_cells(e, HP_ECL_STEP_CELLS_PRESSURE, r->units.factor[HP_UNIT_PRESSURE], &init->pressure));
  HP_TRY(hp_ecl_restart_cells(e, HP_ECL_STEP_CELLS_SWAT, 1.0, &init->sw));
  if (hysteresis) HP_TRY(hp_ecl_restart_cells(e, HP_ECL_STEP_CELLS_SOMAX, 1.0, &init->driest));
  for (int64_t m = 0; hysteresis && m < e->c->grid->ncell; ++m) /* below 0: not yet */
    init->driest[m] = init->driest[m] >= 0.0 ? fmin(fmax(1.0 - init->driest[m], 0.0), init->sw[m]) : init->sw[m];
  HP_TRY(check_state(e));
  HP_TRY(check_gas(e));
  HP_TRY(find_oil(e));
  return find_thresholds(e);
}
