/* wells: where they are, and what they are asked to do from time zero. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/config_wells.h"

/* ---- controls -------------------------------------------------------------- */

/* Eclipse's defaults (WCONPROD, WCONINJE). */
static double default_bhp(bool injector) { return injector ? 6895.0e5 : 1.01325e5; }

void hp_config_control_start(hp_config_control *state, bool injector) {
  *state = (hp_config_control){.control = {.control = HP_CONTROL_BHP, .injector = injector, .phase = HP_WATER}};
  for (int n = 0; n < HP_CONTROL_COUNT; ++n) state->control.limit[n] = NAN;
  state->control.limit[HP_CONTROL_BHP] = default_bhp(injector);
}

enum { RATE = HP_CONTROL_COUNT }; /* an injector's own rate, behind the controls in the table's choices */

static const struct {
  const char *name;
  int control;
} numbers[] = {{"bhp", HP_CONTROL_BHP},           {"oil_rate", HP_CONTROL_ORAT},
               {"water_rate", HP_CONTROL_WRAT},   {"liquid_rate", HP_CONTROL_LRAT},
               {"reservoir_rate", HP_CONTROL_RESV}, {"rate", RATE}};
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

bool hp_config_control_named(const hp_setting *s) {
  static const char *const other[] = {"type", "phase", "status", "control"};
  for (int n = 0; n < NUMBERS; ++n)
    if (hp_config_member(s, numbers[n].name) != NULL) return true;
  for (int n = 0; n < 4; ++n)
    if (hp_config_member(s, other[n]) != NULL) return true;
  return false;
}

static const char *full_path(const char *prefix, const char *name, char out[HP_CONFIG_PATH]) {
  snprintf(out, HP_CONFIG_PATH, "%s.%s", prefix, name);
  return out;
}

/* The control that a key or a choice means for this well; -1 if it makes no sense there. */
static int meant(const hp_well_control *c, int control) {
  const int injected = c->phase == HP_WATER ? HP_CONTROL_WRAT : HP_CONTROL_ORAT;
  if (control == RATE) return c->injector ? injected : -1;
  if (!c->injector || control == HP_CONTROL_BHP || control == HP_CONTROL_RESV || control == HP_CONTROL_SHUT)
    return control;
  return control == injected ? control : -1;
}

static void refuse_number(hp_config *r, const hp_setting *s, const char *well, const hp_well_control *c) {
  if (c->injector)
    hp_config_error(r, s, "well %s injects %s: give its rate as 'rate'", well, c->phase == HP_WATER ? "water" : "oil");
  else
    hp_config_error(r, s, "well %s is a producer: 'rate' is for injectors", well);
}

static void read_type(hp_config *r, const hp_setting *s, const char *prefix, const char *well,
                      hp_config_control *state) {
  char path[HP_CONFIG_PATH];
  int type = state->control.injector, phase = state->control.phase == HP_WATER ? 0 : 1;
  if (hp_config_choice(r, s, full_path(prefix, "type", path), &type) && (type == 1) != state->control.injector)
    hp_config_control_start(state, type == 1);
  const hp_setting *named = hp_config_member(s, "phase");
  if (named == NULL || !hp_config_choice(r, s, full_path(prefix, "phase", path), &phase)) return;
  if (!state->control.injector) {
    hp_config_error(r, named, "well %s is a producer: 'phase' is for injectors", well);
    return;
  }
  const int new_phase = phase == 0 ? HP_WATER : HP_OIL;
  hp_well_control *c = &state->control;
  if (new_phase == c->phase) return;
  const int before = meant(c, RATE); /* the rate goes over to the other phase */
  c->phase = new_phase;
  c->limit[meant(c, RATE)] = c->limit[before];
  c->limit[before] = NAN;
  if ((int)c->control == before) c->control = (hp_control)meant(c, RATE);
}

static void read_numbers(hp_config *r, const hp_setting *s, const char *prefix, const char *well,
                         hp_config_control *state) {
  for (int n = 0; n < NUMBERS; ++n) {
    char path[HP_CONFIG_PATH];
    const hp_setting *member = hp_config_member(s, numbers[n].name);
    double v;
    if (member == NULL) continue;
    const int control = meant(&state->control, numbers[n].control);
    if (control < 0) {
      refuse_number(r, member, well, &state->control);
    } else if (hp_config_float(r, s, full_path(prefix, numbers[n].name, path), &v)) {
      if (control == HP_CONTROL_BHP) {
        state->bhp_given = !isnan(v);
        if (isnan(v)) v = default_bhp(state->control.injector);
      }
      state->control.limit[control] = v;
    }
  }
}

static void need_target(hp_config *r, const hp_setting *s, const char *well, const hp_config_control *state) {
  const hp_control c = state->control.control;
  const bool there = c == HP_CONTROL_BHP ? state->bhp_given : !isnan(state->control.limit[c]);
  if (there) return;
  const char *name = "";
  for (int n = 0; n < NUMBERS; ++n)
    if (meant(&state->control, numbers[n].control) == (int)c) name = numbers[n].name;
  hp_config_error(r, s, "well %s: its control needs a number: %s is missing", well, name);
}

void hp_config_control_read(hp_config *r, const hp_setting *s, const char *prefix, const char *well,
                            hp_config_control *state) {
  char path[HP_CONFIG_PATH];
  const int errors = r->diag->errors;
  const bool was_injector = state->control.injector;
  const hp_setting *named = hp_config_member(s, "control"), *status_setting = hp_config_member(s, "status");
  read_type(r, s, prefix, well, state);
  if (state->control.injector != was_injector && named == NULL && status_setting == NULL)
    hp_config_error(r, s, "well %s becomes %s: its new control is missing", well,
                    was_injector ? "a producer" : "an injector");
  if (r->diag->errors != errors) return;
  read_numbers(r, s, prefix, well, state);
  int control = 0, status = 0;
  if (named != NULL && hp_config_choice(r, s, full_path(prefix, "control", path), &control)) {
    const int c = meant(&state->control, control);
    if (c < 0)
      refuse_number(r, named, well, &state->control);
    else if (c != HP_CONTROL_SHUT)
      state->control.control = (hp_control)c;
    state->open = c != HP_CONTROL_SHUT;
    if (c > HP_CONTROL_SHUT) state->set = true;
  }
  if (status_setting != NULL && hp_config_choice(r, s, full_path(prefix, "status", path), &status)) {
    state->open = status == 0;
    if (state->open && !state->set && named == NULL)
      hp_config_error(r, status_setting, "well %s cannot open: it has never had a control", well);
  }
  if (r->diag->errors == errors && state->open && state->set) need_target(r, s, well, state);
}

hp_status hp_config_event(hp_config *r, double time, int well, const hp_config_control *state, const char *file,
                          int line) {
  hp_case *c = r->c;
  if (c->nevent >= r->event_capacity) {
    hp_well_event *more;
    const int64_t capacity = c->nevent < 16 ? 16 : 2 * (int64_t)c->nevent;
    if (capacity > INT_MAX) return hp_fail(HP_ERR_DECK, "the schedule has more than %d events", c->nevent);
    HP_TRY(HP_ALLOC(more, capacity));
    if (c->nevent > 0) memcpy(more, c->event, (size_t)c->nevent * sizeof *more);
    HP_FREE(c->event);
    c->event = more;
    r->event_capacity = (int)capacity;
  }
  hp_well_event *e = &c->event[c->nevent];
  *e = (hp_well_event){.time = time, .well = well, .control = state->control, .line = line};
  if (!state->open) e->control.control = HP_CONTROL_SHUT;
  HP_TRY(hp_case_file(c, file, &e->file));
  c->nevent += 1;
  return HP_OK;
}

/* ---- wells ----------------------------------------------------------------- */

static void read_name(hp_config *r, const hp_setting *s, int well) {
  hp_well_spec *w = &r->c->well[well];
  const char *name = NULL;
  if (!hp_config_string(r, s, "wells[].name", &name)) return;
  const hp_setting *member = hp_config_member(s, "name");
  if (name[0] == '\0' || strlen(name) >= sizeof w->name) {
    hp_config_error(r, member, "'%s': a well's name has 1 to %d letters", name, (int)sizeof w->name - 1);
    return;
  }
  if (strpbrk(name, "*?\"\\/") != NULL || name[0] <= ' ') {
    hp_config_error(r, member, "'%s': no *, ?, quotes, slashes or leading blanks in a well's name", name);
    return;
  }
  for (int other = 0; other < r->c->nwell; ++other)
    if (other != well && strcmp(r->c->well[other].name, name) == 0) {
      hp_config_error(r, member, "'%s': wells[%d] has the same name", name, other);
      return;
    }
  snprintf(w->name, sizeof w->name, "%s", name);
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
  HP_TRY(hp_config_places(r, s, w));
  hp_config_float(r, s, "wells[].reference_depth", &w->ref_depth);
  hp_config_bool(r, s, "wells[].crossflow", &w->crossflow);
  if (!r->overlay && w->nperf > 0) {
    w->head_i = w->perf[0].i;
    w->head_j = w->perf[0].j;
  }
  return HP_OK;
}

static void read_first_control(hp_config *r, const hp_setting *s, int well, hp_config_control *state) {
  const char *name = r->c->well[well].name[0] != '\0' ? r->c->well[well].name : "here";
  const hp_setting *status = hp_config_member(s, "status"), *type = hp_config_member(s, "type");
  const bool shut = status != NULL && config_setting_type(status) == CONFIG_TYPE_STRING &&
                    strcmp(config_setting_get_string(status), "shut") == 0;
  const bool injector = type != NULL && config_setting_type(type) == CONFIG_TYPE_STRING &&
                        strcmp(config_setting_get_string(type), "injector") == 0;
  hp_config_control_start(state, injector);
  if (hp_config_member(s, "control") == NULL && !shut)
    hp_config_error(r, s, "control is missing: %s", hp_config_key_find("wells[].control")->what);
  if (type == NULL) {
    hp_config_error(r, s, "type is missing: %s", hp_config_key_find("wells[].type")->what);
    return;
  }
  if (shut) state->set = false;
  hp_config_control_read(r, s, "wells[]", name, state);
}

/* An option about a control holds for the whole run: it changes every event of the well. */
static hp_status overlay_control(hp_config *r, const hp_setting *s, int well) {
  hp_case *c = r->c;
  const int errors = r->diag->errors;
  bool any = false;
  for (int n = 0; n < c->nevent && r->diag->errors == errors; ++n) {
    hp_well_event *e = &c->event[n];
    if (e->well != well) continue;
    const bool shut = e->control.control == HP_CONTROL_SHUT;
    hp_config_control state = {.control = e->control, .open = !shut, .set = !shut, .bhp_given = true};
    if (shut) state.control.control = HP_CONTROL_BHP;
    hp_config_control_read(r, s, "wells[]", c->well[well].name, &state);
    e->control = state.control;
    if (!state.open) e->control.control = HP_CONTROL_SHUT;
    any = true;
  }
  if (any) return HP_OK;
  hp_config_control state;
  hp_config_control_start(&state, false);
  hp_config_control_read(r, s, "wells[]", c->well[well].name, &state);
  return hp_config_event(r, 0.0, well, &state, hp_config_file(r, s), 0);
}

static void drop_wells(hp_config *r) {
  hp_case *c = r->c;
  for (int w = 0; w < c->nwell; ++w) {
    HP_FREE(c->well[w].perf);
    HP_FREE(c->well[w].path);
  }
  HP_FREE(c->well);
  HP_FREE(c->event);
  c->nwell = c->nevent = r->event_capacity = 0;
}

static hp_status new_wells(hp_config *r, const hp_setting *wells, hp_config_control *state) {
  hp_case *c = r->c;
  for (int w = 0; w < c->nwell; ++w) {
    const hp_setting *s = config_setting_get_elem(wells, (unsigned)w);
    hp_config_control_start(&state[w], false);
    if (config_setting_type(s) != CONFIG_TYPE_GROUP) continue;
    HP_TRY(read_well(r, s, w));
    read_first_control(r, s, w, &state[w]);
    HP_TRY(hp_config_event(r, 0.0, w, &state[w], c->well[w].file, c->well[w].line));
  }
  return HP_OK;
}

static hp_status patch_wells(hp_config *r, const hp_setting *wells) {
  for (int w = 0; w < r->c->nwell; ++w) {
    const hp_setting *s = config_setting_get_elem(wells, (unsigned)w);
    if (s == NULL || config_setting_type(s) != CONFIG_TYPE_GROUP || config_setting_length(s) == 0) continue;
    HP_TRY(read_well(r, s, w));
    if (hp_config_control_named(s)) HP_TRY(overlay_control(r, s, w));
  }
  return HP_OK;
}

/* The control in force at time zero of wells that were there before the overlay. */
static void recall_controls(const hp_case *c, hp_config_control *state) {
  for (int w = 0; w < c->nwell; ++w) hp_config_control_start(&state[w], false);
  for (int n = 0; n < c->nevent; ++n) {
    const hp_well_event *e = &c->event[n];
    if (e->time > 0.0) continue;
    const bool shut = e->control.control == HP_CONTROL_SHUT;
    state[e->well] = (hp_config_control){.control = e->control, .open = !shut, .set = !shut, .bhp_given = true};
    if (shut) state[e->well].control.control = HP_CONTROL_BHP;
  }
}

hp_status hp_config_read_wells(hp_config *r, const hp_setting *wells, const hp_setting *schedule) {
  hp_case *c = r->c;
  const bool list = wells != NULL && config_setting_type(wells) == CONFIG_TYPE_LIST;
  const bool fresh = list && !r->wells_patched, overlay = r->overlay;
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
  if (fresh)
    status = new_wells(r, wells, state);
  else if (schedule != NULL)
    recall_controls(c, state);
  r->overlay = overlay;
  if (status == HP_OK && schedule != NULL) status = hp_config_schedule(r, schedule, state);
  HP_FREE(state);
  return status;
}
