/* wells: where they are, and what they are asked to do from time zero. */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/show.h"
#include "io/config/wells/wells.h"
#include "wells/wells.h"

/* ---- controls ---- */

/* Sets a new well's state: shut, with the default bhp limit of its type only. */
static void start_control(hp_config_control *state, bool injector) {
  *state = (hp_config_control){.control = hp_well_control_default(injector)};
}

static double default_bhp(bool injector) { return hp_well_control_default(injector).limit[HP_CONTROL_BHP]; }

enum {
  RATE = HP_CONTROL_COUNT,
  NUMBERS
}; /* RATE: an injector's own rate, behind the controls in the table's choices */

/* The key of the number of a control, or of RATE. */
static const char *number_key(int control) { return control == RATE ? "rate" : hp_control_key((hp_control)control); }

/* Rates whose volume is the target of reservoir_rate, by phase. */
static const char *const observed[HP_PHASES] = {[HP_OIL] = "observed_oil_rate", [HP_WATER] = "observed_water_rate"};

hp_given hp_config_control_given(const hp_setting *s) {
  static const struct {
    const char *name;
    hp_given given;
  } key[] = {{"observed_oil_rate", 1u << HP_CONTROL_RESV | HP_GIVEN_OF(history_oil_rate)},
             {"observed_water_rate", 1u << HP_CONTROL_RESV | HP_GIVEN_OF(history_water_rate)},
             {"rate", 1u << HP_CONTROL_ORAT | 1u << HP_CONTROL_WRAT},
             {"control", HP_GIVEN_CONTROL | HP_GIVEN_STATUS},
             {"status", HP_GIVEN_STATUS},
             {"phase", HP_GIVEN_TYPE},
#define SETTING(kind, key, ...) {#key, HP_GIVEN_OF(key)},
             HP_WELL_SETTING_LIST(SETTING){"type", HP_GIVEN_TYPE | HP_GIVEN_STATUS}};
#undef SETTING
  hp_given given = 0;
  for (int n = HP_CONTROL_BHP; n < HP_CONTROL_COUNT; ++n)
    if (hp_config_member(s, number_key(n)) != NULL) given |= 1u << n;
  for (size_t n = 0; n < sizeof key / sizeof key[0]; ++n)
    if (hp_config_member(s, key[n].name) != NULL) given |= key[n].given;
  return given;
}

/* Reading keys of a list, "wells[]" or "schedule[]", that the group need not have: false and *v as it was where it does
 * not, or where the value is faulty. */

static const char *full_path(const char *list, const char *name, char out[HP_CONFIG_PATH]) {
  snprintf(out, HP_CONFIG_PATH, "%s.%s", list, name);
  return out;
}

static bool given_float(hp_config *r, const hp_setting *s, const char *list, const char *name, double *v) {
  char path[HP_CONFIG_PATH];
  return hp_config_member(s, name) != NULL && hp_config_float(r, s, full_path(list, name, path), v);
}

/* A number, or a quantity of the user, *quantity from 1, whose value the run puts in. */
static bool given_limit(hp_config *r, const hp_setting *s, const char *list, const char *name, double *v,
                        int *quantity) {
  const hp_setting *member = hp_config_member(s, name);
  *quantity = member != NULL ? hp_config_quantity_named(r, member) + 1 : 0;
  if (*quantity == 0) return given_float(r, s, list, name, v);
  *v = 0.0;
  if (r->c->quantity[*quantity - 1].level != HP_EXPRESSION_GROUPS) return true;
  hp_config_error(r, member, "%s belongs to groups", config_setting_get_string(member));
  return false;
}

static bool given_choice(hp_config *r, const hp_setting *s, const char *list, const char *name, int *v) {
  char path[HP_CONFIG_PATH];
  return hp_config_member(s, name) != NULL && hp_config_choice(r, s, full_path(list, name, path), v);
}

/* The control that a key or a choice means for this well; -1 if it makes no sense there. */
static int meant(const hp_well_control *c, int control) {
  const int injected = c->phase == HP_WATER ? HP_CONTROL_WRAT : HP_CONTROL_ORAT;
  if (control == RATE) return c->injector ? injected : -1;
  if (!c->injector || !hp_control_is_rate(control) || control == HP_CONTROL_RESV) return control;
  return control == injected ? control : -1;
}

static void refuse_number(hp_config *r, const hp_setting *s, const char *well, const hp_well_control *c) {
  if (c->injector)
    hp_config_error(r, s, "well %s injects %s: give its rate as 'rate'", well, c->phase == HP_WATER ? "water" : "oil");
  else hp_config_error(r, s, "well %s is a producer: 'rate' is for injectors", well);
}

/* The number goes over to the other phase with the well's. */
static void change_phase(hp_well_control *c, int phase) {
  if (phase == c->phase) return;
  const int before = meant(c, RATE);
  c->phase = phase;
  c->limit[meant(c, RATE)] = c->limit[before];
  c->quantity[meant(c, RATE)] = c->quantity[before];
  c->limit[before] = NAN;
  c->quantity[before] = 0;
  if ((int)c->control == before) c->control = (hp_control)meant(c, RATE);
}

static void read_type(hp_config *r, const hp_setting *s, const char *prefix, const char *well,
                      hp_config_control *state) {
  int type = state->control.injector, phase = state->control.phase == HP_WATER ? 0 : 1;
  if (hp_config_member(s, "type") != NULL) state->unknown = !given_choice(r, s, prefix, "type", &type);
  if (state->unknown) return;
  if ((type == 1) != state->control.injector) {
    const hp_well_control before = state->control;
    start_control(state, type == 1);
    hp_well_take_settings(&state->control, HP_WELL_KEEPS, &before);
  }
  if (!given_choice(r, s, prefix, "phase", &phase)) return;
  if (state->control.injector) change_phase(&state->control, phase == 0 ? HP_WATER : HP_OIL);
  else hp_config_error(r, hp_config_member(s, "phase"), "well %s is a producer: 'phase' is for injectors", well);
}

/* After a fault something stands in, so that it is not missed later. */
static void stand_in(hp_config_control *state, int control) {
  if (control >= 0) state->control.limit[control] = 1.0;
  state->bhp_given = true;
}

static void read_numbers(hp_config *r, const hp_setting *s, const char *prefix, const char *well,
                         hp_config_control *state) {
  for (int n = HP_CONTROL_BHP; n < NUMBERS; ++n) {
    const hp_setting *member = hp_config_member(s, number_key(n));
    double v;
    int quantity;
    if (member == NULL) continue;
    const int control = meant(&state->control, n);
    const bool good = given_limit(r, s, prefix, number_key(n), &v, &quantity);
    if (control < 0) refuse_number(r, member, well, &state->control);
    if (control < 0 || !good) {
      stand_in(state, control);
      continue;
    }
    if (control == HP_CONTROL_BHP) {
      state->bhp_given = !isnan(v);
      if (isnan(v) || quantity > 0) v = default_bhp(state->control.injector);
    }
    if (control == HP_CONTROL_RESV) state->control.by_history = false;
    state->control.limit[control] = v;
    state->control.quantity[control] = (uint16_t)quantity;
  }
}

/* They stay until a reservoir_rate is given. Its number is that of the first step, before the pressure is known. */
static void read_observed(hp_config *r, const hp_setting *s, const char *prefix, const char *well,
                          hp_config_control *state) {
  hp_well_control *c = &state->control;
  const hp_setting *volume = hp_config_member(s, "reservoir_rate");
  double *rate[HP_PHASES] = {[HP_OIL] = &c->history_oil_rate, [HP_WATER] = &c->history_water_rate};
  for (int a = 0; a < HP_PHASES; ++a) {
    const hp_setting *member = hp_config_member(s, observed[a]);
    if (member == NULL) continue;
    (void)given_float(r, s, prefix, observed[a], rate[a]);
    if (c->injector) hp_config_error(r, member, "well %s is an injector: observed rates are for producers", well);
    else if (volume != NULL) hp_config_error(r, member, "give either reservoir_rate or observed rates");
    c->by_history = true;
  }
  if (c->by_history) c->limit[HP_CONTROL_RESV] = c->history_oil_rate + c->history_water_rate;
}

static void need_target(hp_config *r, const hp_setting *s, const char *well, const hp_config_control *state) {
  const hp_control c = state->control.control;
  const bool there = c == HP_CONTROL_BHP ? state->bhp_given : !isnan(state->control.limit[c]);
  if (there) return;
  const char *name = "";
  for (int n = HP_CONTROL_BHP; n < NUMBERS; ++n)
    if (meant(&state->control, n) == (int)c) name = number_key(n);
  hp_config_error(r, s, "well %s: its control needs a number: %s is missing", well, name);
}

/* with_type: the type has not been reported yet. */
static void judge_control(hp_config *r, const hp_setting *s, const char *prefix, bool with_type) {
  static const char *const choice[] = {"type", "phase", "control", "status"};
  double v;
  int c, quantity;
  hp_well_control dropped = hp_well_control_default(false);
  hp_config_settings(r, s, prefix, HP_IN_CONTROL, true, &dropped);
  for (int n = with_type ? 0 : 1; n < 4; ++n) (void)given_choice(r, s, prefix, choice[n], &c);
  for (int n = HP_CONTROL_BHP; n < NUMBERS; ++n) (void)given_limit(r, s, prefix, number_key(n), &v, &quantity);
  for (int a = 0; a < HP_PHASES; ++a) (void)given_float(r, s, prefix, observed[a], &v);
}

void hp_config_control_judge(hp_config *r, const hp_setting *s, const char *prefix) {
  judge_control(r, s, prefix, true);
}

/* control and status, which open and shut. */
static void read_mode(hp_config *r, const hp_setting *s, const char *prefix, const char *well,
                      hp_config_control *state) {
  const hp_setting *named = hp_config_member(s, "control");
  int control = 0, status = 0;
  if (given_choice(r, s, prefix, "control", &control)) {
    const int c = meant(&state->control, control);
    if (c < 0) refuse_number(r, named, well, &state->control);
    else if (c != HP_CONTROL_SHUT) state->control.control = (hp_control)c;
    state->open = c != HP_CONTROL_SHUT;
    if (c > HP_CONTROL_SHUT) state->set = true;
  } else if (named != NULL) {
    state->set = true;
    stand_in(state, state->control.control);
  }
  if (given_choice(r, s, prefix, "status", &status)) {
    state->open = status == 0;
    if (state->open && !state->set && named == NULL)
      hp_config_error(r, hp_config_member(s, "status"), "well %s cannot open: it has never had a control", well);
  }
}

void hp_config_control_read(hp_config *r, const hp_setting *s, const char *prefix, const char *well,
                            hp_config_control *state) {
  const bool was_injector = state->control.injector;
  const bool names_mode = hp_config_member(s, "control") != NULL || hp_config_member(s, "status") != NULL;
  if (state->unknown && hp_config_member(s, "type") == NULL) {
    hp_config_control_judge(r, s, prefix);
    return;
  }
  read_type(r, s, prefix, well, state);
  if (state->unknown) {
    judge_control(r, s, prefix, false);
    return;
  }
  if (state->control.injector != was_injector && !names_mode)
    hp_config_error(r, s, "well %s becomes %s: its new control is missing", well,
                    was_injector ? "a producer" : "an injector");
  read_numbers(r, s, prefix, well, state);
  read_observed(r, s, prefix, well, state);
  hp_config_settings(r, s, prefix, HP_IN_CONTROL, true, &state->control);
  read_mode(r, s, prefix, well, state);
  if (state->open && state->set) need_target(r, s, well, state);
  char why[HP_CASE_WHY];
  hp_case_lift_fault(r->c, &state->control, why);
  if (why[0] != '\0') hp_config_error(r, s, "well %s: %s", well, why);
}

hp_config_control hp_config_control_of(const hp_well_event *e) {
  const bool set = e->wanted != HP_CONTROL_SHUT;
  hp_config_control state = {.control = e->control, .open = e->control.control != HP_CONTROL_SHUT, .set = set};
  state.control.control = set ? e->wanted : HP_CONTROL_BHP;
  state.bhp_given = !isnan(state.control.limit[HP_CONTROL_BHP]);
  if (!state.bhp_given) state.control.limit[HP_CONTROL_BHP] = default_bhp(e->control.injector);
  return state;
}

void hp_config_control_into(const hp_config_control *state, hp_well_event *e) {
  e->control = state->control;
  e->wanted = state->set ? state->control.control : HP_CONTROL_SHUT;
  if (!state->open) e->control.control = HP_CONTROL_SHUT;
}

hp_status hp_config_event(hp_config *r, double time, int well, const hp_config_control *state, int entry,
                          const char *file, int line) {
  hp_case *c = r->c;
  if (c->nevent == INT_MAX) return hp_fail(HP_ERR_DECK, "the schedule has more than %d events", c->nevent);
  HP_TRY(HP_GROW(c->event, c->nevent, 1));
  hp_well_event *e = &c->event[c->nevent];
  *e = (hp_well_event){.time = time, .well = well, .given = HP_GIVEN_EVERYTHING, .entry = entry, .line = line};
  hp_config_control_into(state, e);
  HP_TRY(hp_case_file(c, file, &e->file));
  c->nevent += 1;
  return HP_OK;
}

/* ---- wells ---- */

/* A name with a fault is kept, as far as there is room: messages and the schedule go on with it. */
static void read_name(hp_config *r, const hp_setting *s, int well) {
  hp_well_spec *w = &r->c->well[well];
  const char *name = NULL;
  if (!hp_config_string(r, s, "wells[].name", &name)) return;
  const hp_setting *member = hp_config_member(s, "name");
  if (name[0] == '\0' || strlen(name) >= sizeof w->name)
    hp_config_error(r, member, "'%s': a well's name must have 1 to %d characters", name, (int)sizeof w->name - 1);
  else if (strpbrk(name, "*?") != NULL || name[0] == ' ' || iscntrl((unsigned char)name[0]))
    hp_config_error(r, member, "'%s': a well's name must not contain * or ?, nor begin with a blank", name);
  else if (hp_name_fault(name) != NULL) hp_config_error(r, member, "'%s': a well's name %s", name, hp_name_fault(name));
  for (int other = 0; other < r->c->nwell; ++other) {
    const char *its = r->c->well[other].name;
    if (other == well || name[0] == '\0' || !hp_case_names_clash(its, name)) continue;
    if (strcmp(its, name) == 0) hp_config_error(r, member, "'%s': wells[%d] has the same name", name, other);
    else
      hp_config_error(r, member, "'%s': wells[%d], '%s', has the same name in result files: '/' is '_' there", name,
                      other, its);
    break;
  }
  snprintf(w->name, sizeof w->name, "%.*s", (int)sizeof w->name - 1, name);
}

/* A path may leave the grid; a wrong coordinate looks the same, so it is said. */
static void say_outside(hp_config *r, const hp_setting *s, const hp_well_spec *w, double inside) {
  if (inside < 1.0 - 1e-6)
    hp_config_note(r, s, "well %s: %.2g %% of its path is outside the grid and left out", w->name,
                   100.0 * (1.0 - inside));
}

/* Lengths are sums of |dx|, |dy|, |dz|, which add up along a straight leg. */
static hp_status note_outside(hp_config *r, const hp_setting *s, const hp_well_spec *w) {
  hp_perf_spec *cut;
  int count;
  double inside = 0.0, whole = 0.0;
  HP_TRY(
      hp_well_path_cut(r->c->grid, w->npath, (const double(*)[3])w->path, w->path_radius, w->path_skin, &cut, &count));
  for (int q = 0; q < count; ++q) inside += cut[q].length[HP_DIR_I] + cut[q].length[HP_DIR_J] + cut[q].length[HP_DIR_K];
  HP_FREE(cut);
  for (int n = 1; n < w->npath; ++n)
    for (int d = 0; d < 3; ++d) whole += fabs(w->path[n][d] - w->path[n - 1][d]);
  say_outside(r, s, w, inside / whole);
  return HP_OK;
}

/* By cells with corners a path is cut here, where these are at hand. */
static hp_status cut_by_corners(hp_config *r, const hp_setting *s, hp_well_spec *w) {
  double inside;
  const hp_case *c = r->c;
  if (c->coord == NULL || hp_config_member(s, "path") == NULL || w->npath < 2 || !r->geometry_ready) return HP_OK;
  const hp_corners corners = hp_case_corners(c);
  HP_FREE(w->perf);
  HP_TRY(hp_well_path_cut_corners(c->grid, &corners, w->npath, (const double(*)[3])w->path, w->path_radius,
                                  w->path_skin, &w->perf, &w->nperf, &inside));
  if (w->nperf == 0) hp_config_error(r, s, "well %s: its path does not meet the grid", w->name);
  else say_outside(r, s, w, inside);
  return HP_OK;
}

/* Whether the perforations conduct: reported here, well by well, and not when the run begins.
 * bore: radius and skin are sound. */
static hp_status check_perforations(hp_config *r, const hp_setting *s, const hp_well_spec *w, bool bore) {
  char why[HP_CASE_WHY];
  HP_TRY(hp_case_well_fault(r->c->grid, w, bore && r->grid_ready, why));
  if (why[0] != '\0') hp_config_error(r, s, "%s", why);
  else if (w->npath >= 2 && w->nperf == 0 && r->grid_ready) return note_outside(r, s, w);
  return HP_OK;
}

static hp_status read_well(hp_config *r, const hp_setting *s, int well) {
  hp_well_spec *w = &r->c->well[well];
  read_name(r, s, well);
  if (!r->overlay) {
    w->ref_depth = NAN;
    w->head_i = w->head_j = -1;
    w->line = hp_config_line(s);
    HP_TRY(hp_case_file(r->c, hp_config_file(r, s), &w->file));
  }
  int errors = r->diag->errors;
  HP_TRY(hp_config_places(r, s, w));
  const bool placed = r->diag->errors == errors;
  errors = r->diag->errors;
  hp_config_bore(r, s, w);
  hp_config_factors(r, s, w);
  hp_config_tables(r, s, w);
  const bool bored = r->diag->errors == errors;
  if (placed) HP_TRY(cut_by_corners(r, s, w));
  if (!r->overlay && placed && r->geometry_ready) HP_TRY(check_perforations(r, s, w, bored));
  hp_config_float(r, s, "wells[].reference_depth", &w->ref_depth);
  hp_config_bool(r, s, "wells[].crossflow", &w->crossflow);
  hp_config_choice(r, s, "wells[].preferred", &w->preferred);
  HP_TRY(hp_config_segments(r, s, w));
  if (!r->overlay && w->nperf > 0) {
    w->head_i = w->perf[0].i;
    w->head_j = w->perf[0].j;
  }
  return HP_OK;
}

static bool is_text(const hp_setting *s, const char *text) {
  return s != NULL && config_setting_type(s) == CONFIG_TYPE_STRING && strcmp(config_setting_get_string(s), text) == 0;
}

static void read_first_control(hp_config *r, const hp_setting *s, int well, hp_config_control *state) {
  const char *name = r->c->well[well].name[0] != '\0' ? r->c->well[well].name : "here";
  const hp_setting *type = hp_config_member(s, "type");
  const bool shut = is_text(hp_config_member(s, "status"), "shut");
  start_control(state, is_text(type, "injector"));
  state->unknown = type == NULL;
  if (type == NULL) hp_config_error(r, s, "type is missing: %s", hp_config_key_find("wells[].type")->what);
  if (hp_config_member(s, "control") == NULL && !shut) {
    hp_config_error(r, s, "control is missing: %s", hp_config_key_find("wells[].control")->what);
    state->set = true;
    stand_in(state, -1);
  }
  hp_config_control_read(r, s, "wells[]", name, state);
}

/* A well that the deck defines later is there from time zero, shut: that is no control to be changed. */
static bool is_placeholder(const hp_case *c, int event) {
  const hp_well_event *e = &c->event[event];
  if (e->entry >= 0 || e->wanted != HP_CONTROL_SHUT) return false;
  for (int n = event + 1; n < c->nevent; ++n)
    if (c->event[n].well == e->well) return true;
  return false;
}

/* A well that gets another job by its type alone keeps a control that makes sense in both. */
static void change_job(const hp_setting *s, hp_config_control *state) {
  const hp_setting *type = hp_config_member(s, "type");
  const hp_well_control old = state->control;
  const bool injector = is_text(type, "injector"), known = injector || is_text(type, "producer");
  const bool both = old.control == HP_CONTROL_BHP || old.control == HP_CONTROL_RESV;
  if (!known || injector == old.injector || !both || hp_config_member(s, "control") != NULL) return;
  const hp_config_control before = *state;
  start_control(state, injector);
  state->control.control = old.control;
  state->control.limit[old.control] = old.limit[old.control];
  state->open = before.open;
  state->set = before.set;
  state->bhp_given = old.control == HP_CONTROL_BHP;
}

/* An option about a control holds for the whole run: it changes every event of
 * the well. Where the deck shuts the well it stays shut, unless a status is given. */
static hp_status overlay_control(hp_config *r, const hp_setting *s, int well) {
  hp_case *c = r->c;
  const int errors = r->diag->errors;
  bool any = false;
  for (int n = 0; n < c->nevent && r->diag->errors == errors; ++n) {
    hp_well_event *e = &c->event[n];
    if (e->well != well || is_placeholder(c, n)) continue;
    hp_config_control state = hp_config_control_of(e);
    const bool shut = state.set && !state.open;
    change_job(s, &state);
    hp_config_control_read(r, s, "wells[]", c->well[well].name, &state);
    if (shut && hp_config_member(s, "status") == NULL) state.open = false;
    hp_config_control_into(&state, e);
    any = true;
  }
  if (any) return HP_OK;
  hp_config_control state;
  start_control(&state, false);
  hp_config_control_read(r, s, "wells[]", c->well[well].name, &state);
  return hp_config_event(r, 0.0, well, &state, -1, hp_config_file(r, s), 0);
}

static void drop_wells(hp_config *r) {
  hp_case *c = r->c;
  for (int w = 0; w < c->nwell; ++w) {
    HP_FREE(c->well[w].perf);
    HP_FREE(c->well[w].path);
    HP_FREE(c->well[w].segment);
  }
  HP_FREE(c->well);
  HP_FREE(c->event);
  HP_FREE(c->perf_event);
  c->nperf_event = 0;
  c->nwell = c->nevent = 0;
}

static hp_status new_wells(hp_config *r, const hp_setting *wells, hp_config_control *state) {
  hp_case *c = r->c;
  for (int w = 0; w < c->nwell; ++w) {
    const hp_setting *s = config_setting_get_elem(wells, (unsigned)w);
    start_control(&state[w], false);
    if (config_setting_type(s) != CONFIG_TYPE_GROUP) continue;
    HP_TRY(read_well(r, s, w));
    read_first_control(r, s, w, &state[w]);
    HP_TRY(hp_config_event(r, 0.0, w, &state[w], -1, c->well[w].file, c->well[w].line));
  }
  return HP_OK;
}

static hp_status patch_wells(hp_config *r, const hp_setting *wells) {
  for (int w = 0; w < r->c->nwell; ++w) {
    const hp_setting *s = config_setting_get_elem(wells, (unsigned)w);
    if (s == NULL || config_setting_type(s) != CONFIG_TYPE_GROUP || config_setting_length(s) == 0) continue;
    HP_TRY(read_well(r, s, w));
    if (hp_config_control_given(s) != 0) HP_TRY(overlay_control(r, s, w));
  }
  return HP_OK;
}

/* The control in force at time zero of wells that were there before the overlay. */
static void recall_controls(const hp_case *c, hp_config_control *state) {
  for (int w = 0; w < c->nwell; ++w) start_control(&state[w], false);
  for (int n = 0; n < c->nevent; ++n)
    if (c->event[n].time <= 0.0) state[c->event[n].well] = hp_config_control_of(&c->event[n]);
}

static hp_status read_schedule(hp_config *r, const hp_setting *schedule, bool fresh, hp_config_control *state) {
  if (schedule == NULL) return HP_OK;
  if (!hp_config_patched(r, schedule)) {
    if (!fresh) recall_controls(r->c, state);
    return hp_config_schedule(r, schedule, state);
  }
  if (!fresh) return hp_config_schedule_patch(r, schedule);
  hp_config_error(r, schedule, "new wells take the place of the deck's and of its schedule: give the whole schedule");
  return HP_OK;
}

hp_status hp_config_read_wells(hp_config *r, const hp_setting *wells, const hp_setting *schedule) {
  hp_case *c = r->c;
  const bool list = wells != NULL && config_setting_type(wells) == CONFIG_TYPE_LIST;
  const bool fresh = list && !hp_config_patched(r, wells), overlay = r->overlay;
  if (fresh) {
    drop_wells(r);
    c->nwell = config_setting_length(wells);
    HP_TRY(HP_ALLOC(c->well, c->nwell));
    r->overlay = false;
  } else if (list) {
    HP_TRY(patch_wells(r, wells));
  }
  hp_config_control *state;
  HP_TRY(HP_ALLOC(state, c->nwell));
  hp_status status = HP_OK;
  if (fresh) status = new_wells(r, wells, state);
  r->overlay = overlay;
  if (status == HP_OK) status = read_schedule(r, schedule, fresh, state);
  HP_FREE(state);
  return status;
}
