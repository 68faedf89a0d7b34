/* The wells of a report step: IWEL, SWEL, XWEL, ZWEL, ICON, SCON. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/show.h"
#include "io/eclipse/restart/restart.h"

/* Items of a well and of a connection, from 0. */
enum { I_HEAD, J_HEAD, CONNECTIONS = 4, TYPE = 6, CONTROL = 7, STATUS = 10, LIFT_TABLE, WORKOVER = 14, CROSSFLOW = 22 };
enum { BY_THP = 6 }; /* of CONTROL */
enum { IN_GROUP = 24, END_RUN = 29, HISTORY = 49 };
enum { PRODUCER = 1, OIL_INJECTOR, WATER_INJECTOR };
enum { REF_DEPTH = 9, MIN_OIL = 12, MAX_CUT = 14, EFFICIENCY = 24, MIN_LIQUID = 82 };
enum { OIL_TOTAL = 18, WATER_TOTAL = 19, OIL_INJECTED = 22, WATER_INJECTED = 23 };
enum { CELL = 1, OPEN = 5, TABLE = 6, COMPLETION = 12, DIRECTION = 13 };
enum { FACTOR_NOW, DIAMETER = 2, KH = 3, SKIN = 4, FACTOR = 11 };

static const double NONE = 1e19; /* values beyond it are no limit */

/* Names of files have 8 letters. */
static int find_in_file(const hp_ecl_step *s, const char *name) {
  for (int n = 0; n < hp_ecl_step_wells(s); ++n)
    if (strncmp(hp_ecl_step_name(s, n), name, 8) == 0) return n;
  return -1;
}

static int find_in_deck(const hp_ecl *e, const char *name) {
  for (int n = 0; n < e->wells; ++n)
    if (strncmp(e->well[n].spec.name, name, 8) == 0) return n;
  return -1;
}

static double integer(const hp_ecl_step *s, int well, int at) {
  return hp_ecl_step_well(s, HP_ECL_STEP_IWEL, well, at);
}
static double real(const hp_ecl_step *s, int well, int at) { return hp_ecl_step_well(s, HP_ECL_STEP_SWEL, well, at); }

/* ---- connections ---- */

static bool is_inside(const hp_ecl *e, const hp_perf_spec *p) {
  const int *n = e->deck_size;
  return p->i >= 0 && p->i < n[0] && p->j >= 0 && p->j < n[1] && p->k >= 0 && p->k < n[2];
}

static hp_perf_spec connection(const hp_ecl *e, int well, int c) {
  static const int direction[] = {HP_DIR_I, HP_DIR_J, HP_DIR_K};
  const hp_ecl_restart *r = e->restart;
  const hp_ecl_step *s = &r->step;
#define ICON(at) (int)hp_ecl_step_connection(s, HP_ECL_STEP_ICON, well, c, at)
#define SCON(at) hp_ecl_step_connection(s, HP_ECL_STEP_SCON, well, c, at)
  const double factor = SCON(FACTOR) > 0.0 ? SCON(FACTOR) : SCON(FACTOR_NOW);
  const int d = ICON(DIRECTION);
  hp_perf_spec p = {.i = ICON(CELL) - 1,
                    .j = ICON(CELL + 1) - 1,
                    .k = ICON(CELL + 2) - 1,
                    .dir = d >= 1 && d <= 3 ? direction[d - 1] : HP_DIR_K,
                    .open = ICON(OPEN) > 0,
                    .open_last = ICON(OPEN) > 0,
                    .completion = ICON(COMPLETION) > 0 ? ICON(COMPLETION) : c + 1,
                    .skin = SCON(SKIN),
                    .table = e->tables[HP_ECL_BY_SATNUM] > 1 && ICON(TABLE) > 0 ? ICON(TABLE) : 0,
                    .radius = 0.5 * r->units.factor[HP_UNIT_LENGTH] * SCON(DIAMETER),
                    .transmissibility = factor > 0.0 ? factor * r->units.factor[HP_UNIT_CONNECTION] : NAN,
                    .kh = SCON(KH) > 0.0 ? SCON(KH) * r->units.factor[HP_UNIT_KH] : NAN,
                    .r0 = NAN,
                    .length = {NAN, NAN, NAN}};
#undef ICON
#undef SCON
  if (!(p.radius > 0.0)) p.radius = 0.1524; /* not needed where there is a factor */
  return p;
}

static hp_status add_connections(hp_ecl *e, hp_ecl_well *w, int well) {
  const hp_ecl_restart *r = e->restart;
  const int count = (int)integer(&r->step, well, CONNECTIONS);
  for (int c = 0; c < count; ++c) {
    const hp_perf_spec p = connection(e, well, c);
    if (!is_inside(e, &p))
      return HP_ECL_RESTART_ERROR(e, "%s: well %s: connection %d is in cell (%d,%d,%d), outside the grid", r->path,
                                  w->spec.name, c + 1, p.i + 1, p.j + 1, p.k + 1);
    HP_TRY(HP_GROW(w->spec.perf, w->spec.nperf, 1));
    for (int q = 0; q < w->spec.nperf; ++q) w->lumped = w->lumped || w->spec.perf[q].completion == p.completion;
    w->spec.perf[w->spec.nperf++] = p;
  }
  const hp_ecl_record said = {.file = r->file, .line = r->line};
  return w->lumped ? hp_ecl_tell_numbers(e, w, &said, NULL) : HP_OK;
}

/* ---- controls ---- */

static double limit(const hp_ecl_restart *r, int well, int at, hp_quantity quantity) {
  const double x = real(&r->step, well, at);
  return x > 0.0 && x < NONE ? x * r->units.factor[quantity] : NAN;
}

static void read_economy(const hp_ecl_restart *r, int well, hp_well_control *c) {
  static const hp_workover workover[] = {HP_WORKOVER_NONE, HP_WORKOVER_CONNECTION, HP_WORKOVER_BELOW, HP_WORKOVER_WELL};
  const hp_ecl_step *s = &r->step;
  const double oil = limit(r, well, MIN_OIL, HP_UNIT_RATE), liquid = limit(r, well, MIN_LIQUID, HP_UNIT_RATE);
  const double cut = limit(r, well, MAX_CUT, HP_UNIT_NONE), done = integer(s, well, WORKOVER);
  c->min_oil_rate = isnan(oil) ? 0.0 : oil;
  c->min_liquid_rate = isnan(liquid) ? 0.0 : liquid;
  c->max_water_cut = isnan(cut) ? 0.0 : cut;
  c->workover = done >= 0.0 && done <= 3.0 ? workover[(int)done] : HP_WORKOVER_NONE;
  c->end_run = integer(s, well, END_RUN) == 1.0;
}

/* The control that an item of IWEL is the number of; HP_CONTROL_SHUT: none. */
static hp_control control_at(const hp_ecl_step *s, int well, int at) {
  static const hp_control control[] = {HP_CONTROL_SHUT, HP_CONTROL_ORAT, HP_CONTROL_WRAT, HP_CONTROL_SHUT,
                                       HP_CONTROL_LRAT, HP_CONTROL_RESV, HP_CONTROL_SHUT, HP_CONTROL_BHP};
  const double n = integer(s, well, at);
  return n >= 0.0 && n <= 7.0 ? control[(int)n] : HP_CONTROL_SHUT;
}

static hp_well_control control_of(const hp_ecl_restart *r, int well) {
  const hp_ecl_step *s = &r->step;
  const double type = integer(s, well, TYPE), history = integer(s, well, HISTORY), share = real(s, well, EFFICIENCY);
  hp_well_control c = hp_well_control_default(type != PRODUCER);
  const double oil = limit(r, well, 0, HP_UNIT_RATE), water = limit(r, well, 1, HP_UNIT_RATE);
  const double bhp = limit(r, well, 6, HP_UNIT_PRESSURE);
  c.phase = type == OIL_INJECTOR ? HP_OIL : HP_WATER;
  c.control = control_at(s, well,
                         history != 0.0 ? HISTORY : CONTROL); /* in force, while the bhp limits it, is the bhp */
  c.limit[HP_CONTROL_ORAT] = oil;
  c.limit[HP_CONTROL_WRAT] = water;
  c.limit[HP_CONTROL_LRAT] = limit(r, well, 3, HP_UNIT_RATE);
  c.limit[HP_CONTROL_RESV] = limit(r, well, 4, HP_UNIT_RESERVOIR_RATE);
  if (!isnan(bhp)) c.limit[HP_CONTROL_BHP] = bhp;
  c.efficiency = share > 0.0 && share < 1.0 ? share : 1.0;
  read_economy(r, well, &c);
  c.in_field = history == 0.0 && integer(s, well, IN_GROUP) != 0.0;
  if (type != PRODUCER)
    for (int l = 0; l < HP_CONTROL_COUNT; ++l) {
      const bool applies = l == HP_CONTROL_BHP || l == HP_CONTROL_RESV ||
                           l == (c.phase == HP_OIL ? HP_CONTROL_ORAT : HP_CONTROL_WRAT);
      if (!applies) c.limit[l] = NAN;
    }
  if (c.control != HP_CONTROL_SHUT && isnan(c.limit[c.control])) c.limit[c.control] = 0.0;
  if (history == 0.0) return c;
  /* by history the target alone counts, beside the bhp */
  c.history_oil_rate = isnan(oil) ? 0.0 : oil;
  c.history_water_rate = isnan(water) ? 0.0 : water;
  c.by_history = type == PRODUCER && c.control == HP_CONTROL_RESV;
  if (c.by_history) c.limit[HP_CONTROL_RESV] = c.history_oil_rate + c.history_water_rate;
  for (int l = HP_CONTROL_ORAT; l < HP_CONTROL_COUNT; ++l)
    if (l != (int)c.control) c.limit[l] = NAN;
  return c;
}

/* ---- wells ---- */

static hp_status add_well(hp_ecl *e, int well) {
  const hp_ecl_restart *r = e->restart;
  const hp_ecl_step *s = &r->step;
  const hp_ecl_record said = {.file = r->file, .line = r->line};
  const char *name = hp_ecl_step_name(s, well), *fault = hp_name_fault(name);
  const double type = integer(s, well, TYPE), depth = real(s, well, REF_DEPTH);
  if (fault != NULL) return HP_ECL_RESTART_ERROR(e, "%s: '%s': a name that %s", r->path, name, fault);
  if (type != 0.0 && type != PRODUCER && type != OIL_INJECTOR && type != WATER_INJECTOR)
    return HP_ECL_RESTART_ERROR(e, "%s: well %s injects neither water nor oil", r->path, name);
  if (integer(s, well, CONTROL) == -1.0)
    return hp_ecl_error(
        e, r->file, r->line,
        "%s: well %s is under a group's target, which is not taken from the file: give SKIPREST and the whole "
        "schedule",
        r->path, name);
  if (integer(s, well, LIFT_TABLE) > 0.0 || integer(s, well, CONTROL) == BY_THP)
    return hp_ecl_error(e, r->file, r->line,
                        "%s: well %s has a lift table, which is not in the file: give SKIPREST and the whole schedule",
                        r->path, name);
  HP_TRY(HP_GROW(e->well, e->wells, 1));
  hp_ecl_well *w = &e->well[e->wells++];
  *w = (hp_ecl_well){.opened = NAN, .connected_file = r->file, .connected_line = r->line};
  w->spec = (hp_well_spec){.ref_depth = depth > 0.0 && depth < NONE ? depth * r->units.factor[HP_UNIT_LENGTH] : NAN,
                           .crossflow = integer(s, well, CROSSFLOW) != 0.0,
                           .head_i = (int)integer(s, well, I_HEAD) - 1,
                           .head_j = (int)integer(s, well, J_HEAD) - 1,
                           .file = r->file,
                           .line = r->line};
  snprintf(w->spec.name, sizeof w->spec.name, "%s", name);
  HP_TRY(add_connections(e, w, well));
  if (type == 0.0) return HP_OK;
  w->control = control_of(r, well);
  w->controlled = w->control.control != HP_CONTROL_SHUT;
  w->by_history = integer(s, well, HISTORY) != 0.0;
  w->apart = integer(s, well, IN_GROUP) == 0.0;
  w->open = w->controlled && integer(s, well, STATUS) == 1.0;
  return w->controlled ? hp_ecl_event_add(e, w, &said, HP_GIVEN_EVERYTHING) : HP_OK;
}

hp_status hp_ecl_restart_wells(hp_ecl *e) {
  const hp_ecl_step *s = &e->restart->step;
  for (int n = 0; n < hp_ecl_step_wells(s); ++n)
    if (hp_ecl_step_name(s, n)[0] != '\0' && find_in_deck(e, hp_ecl_step_name(s, n)) < 0) {
      const hp_status added = add_well(e, n);
      if (added != HP_OK && added != HP_ERR_DECK) return added;
      if (added != HP_OK) e->lost |= HP_ECL_SCHEDULE;
    }
  return HP_OK;
}

/* A connection that the file has shut, and that the deck has open until now. */
static hp_status shut_connections(hp_ecl *e, hp_ecl_well *w, int well) {
  const hp_ecl_restart *r = e->restart;
  const hp_ecl_record said = {.file = r->file, .line = r->line};
  const int count = (int)integer(&r->step, well, CONNECTIONS);
  for (int c = 0; c < count; ++c) {
    const hp_perf_spec p = connection(e, well, c);
    for (int q = 0; q < w->spec.nperf; ++q) {
      hp_perf_spec *mine = &w->spec.perf[q];
      if (p.open || !mine->open_last || mine->i != p.i || mine->j != p.j || mine->k != p.k) continue;
      hp_diag_note(e->diag, r->file, r->line, "RESTART: %s: connection (%d,%d,%d) of well %s has been shut by a limit",
                   r->path, p.i + 1, p.j + 1, p.k + 1, w->spec.name);
      mine->open_last = false;
      mine->later = true;
      HP_TRY(hp_ecl_change_add(
          e, w, &said,
          (hp_perf_event){.state = HP_PERF_SHUT, .multiply = 1.0, .first = {p.i, p.j, p.k}, .last = {p.i, p.j, p.k}}));
    }
  }
  return HP_OK;
}

hp_status hp_ecl_restart_shut(hp_ecl *e) {
  const hp_ecl_restart *r = e->restart;
  const hp_ecl_record said = {.file = r->file, .line = r->line};
  for (int n = 0; n < e->wells; ++n) {
    hp_ecl_well *w = &e->well[n];
    const int well = find_in_file(&r->step, w->spec.name);
    if (well < 0 || !w->open) continue;
    if (integer(&r->step, well, STATUS) != 1.0) {
      hp_diag_note(e->diag, r->file, r->line, "RESTART: %s: well %s has been shut by a limit", r->path, w->spec.name);
      HP_TRY(hp_ecl_shut(e, w, &said));
    } else HP_TRY(shut_connections(e, w, well));
  }
  return HP_OK;
}

void hp_ecl_restart_totals(hp_ecl *e) {
  const hp_ecl_restart *r = e->restart;
  const hp_ecl_step *s = &r->step;
  const double volume = r->units.factor[HP_UNIT_VOLUME];
  for (int n = 0; n < e->wells; ++n) {
    hp_well_spec *w = &e->well[n].spec;
    const int well = find_in_file(s, w->name);
    if (well < 0) continue;
#define TOTAL(at) volume *fmax(hp_ecl_step_well(s, HP_ECL_STEP_XWEL, well, at), 0.0)
    w->produced[HP_OIL] = TOTAL(OIL_TOTAL);
    w->produced[HP_WATER] = TOTAL(WATER_TOTAL);
    w->injected[HP_OIL] = TOTAL(OIL_INJECTED);
    w->injected[HP_WATER] = TOTAL(WATER_INJECTED);
#undef TOTAL
  }
}
