/* Time: dates, report steps, TUNING; and the schedule as the simulator wants it. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"
#include "core/plural.h"
#include "io/eclipse/impl.h"
#include "wells/wells.h"

#define DAY 86400.0

/* dates */

/* HH:MM:SS with or without a fraction; true and the seconds since midnight. */
static bool read_clock(const hp_ecl_token *t, double *seconds) {
  char text[32], end;
  int hour, minute;
  double second;
  if (t->length >= (int)sizeof text) return false;
  hp_ecl_copy(t, text, sizeof text);
  if (sscanf(text, "%2d:%2d:%7lf%c", &hour, &minute, &second, &end) != 3) return false;
  *seconds = 3600.0 * hour + 60.0 * minute + second;
  return hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0.0 && second < 60.0;
}

/* Beginnings of names of months, in English first, then in other languages that decks are written in. */
static const char *const month_name[12] = {
    "JAN ENE GEN", "FEB FEV",          "MAR MRZ MRT", "APR AVR ABR", "MAY MAI MEI MAG MAJ",
    "JUN JUI GIU", "JUL JLY LUG JUIL", "AUG AOU AGO", "SEP SET",     "OCT OKT OUT OTT",
    "NOV",         "DEC DES DEZ DIC"};

/* The month, 1 to 12, with the longest such beginning; 0: none. */
static int month_of(const hp_ecl_token *text) {
  int month = 0;
  size_t longest = 0;
  if (text->defaulted) return 0;
  for (int m = 0; m < 12; ++m)
    for (const char *at = month_name[m]; *at != '\0'; at += *at == ' ') {
      const size_t n = strcspn(at, " ");
      if (n > longest && (size_t)text->length >= n && strncasecmp(text->text, at, n) == 0) {
        longest = n;
        month = m + 1;
      }
      at += n;
    }
  return month;
}

/* Items day, month, year, time; true if they make a date. */
static hp_status read_date(hp_ecl *e, const hp_ecl_record *record, int64_t *day, double *seconds, int *month) {
  const hp_ecl_items_date *v = &record->date;
  *month = month_of(&v->month.text);
  if (*month == 0)
    return hp_ecl_error(e, record->file, record->line, "%s is not a month (JAN .. DEC)",
                        hp_ecl_show(&e->lexer, &v->month.text, "'").s);
  if (v->year.i >= 0 && v->year.i < HP_DATE_FIRST_YEAR)
    return hp_ecl_error(e, record->file, record->line, "%lld %.3s %lld: a year must have four digits",
                        (long long)v->day.i, month_name[*month - 1], (long long)v->year.i);
  if (v->year.i < 0 || v->year.i > 9999 || v->day.i < 1 || v->day.i > hp_date_days_in_month(v->year.i, *month))
    return hp_ecl_error(e, record->file, record->line, "%lld %.3s %lld is not a date", (long long)v->day.i,
                        month_name[*month - 1], (long long)v->year.i);
  *seconds = 0.0;
  if (v->time.given && v->time.text.length > 0 && !read_clock(&v->time.text, seconds))
    return hp_ecl_error(e, record->file, record->line, "%s is not a time of day (HH:MM:SS)",
                        hp_ecl_show(&e->lexer, &v->time.text, "'").s);
  *day = hp_date_day_number(v->year.i, *month, v->day.i);
  return HP_OK;
}

hp_status hp_ecl_do_start(hp_ecl *e, const hp_ecl_record *record) {
  int64_t day;
  double seconds;
  int month;
  HP_TRY(read_date(e, record, &day, &seconds, &month));
  e->start_day = day;
  e->start_second = seconds;
  strcpy(e->c->start, hp_date_write((hp_date){day, seconds}).s);
  return HP_OK;
}

hp_status hp_ecl_do_nosim(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  if (e->now > 0.0)
    return hp_ecl_error(e, e->file, e->line, "behind the first report step it is not supported: END ends the schedule");
  e->c->no_simulation = true;
  hp_ecl_note(e, e->file, e->line, "nothing is simulated: `hepta run` does what `hepta check` does");
  return HP_OK;
}

/* changes of time steps */

/* That of the present time. */
static hp_status find_tuning(hp_ecl *e, hp_tuning **out) {
  hp_case *c = e->c;
  if (c->ntuning == 0 || c->tuning[c->ntuning - 1].time != e->now) {
    HP_TRY(HP_GROW(c->tuning, c->ntuning, 1));
    c->tuning[c->ntuning] = hp_tuning_nothing();
    c->tuning[c->ntuning].time = e->now;
    c->tuning[c->ntuning].file = e->file;
    c->tuning[c->ntuning++].line = e->line;
  }
  *out = &c->tuning[c->ntuning - 1];
  return HP_OK;
}

static hp_status limit_next(hp_ecl *e, double length) {
  hp_tuning *t;
  if (e->now <= 0.0) e->c->timestep.initial = length;
  if (e->now <= 0.0) return HP_OK;
  HP_TRY(find_tuning(e, &t));
  t->initial = length;
  return HP_OK;
}

hp_status hp_ecl_do_nextstep(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_nextstep *v = &record->nextstep;
  e->next_step = v->again.given && v->again.choice == 0 ? v->length.x : 0.0;
  return limit_next(e, v->length.x);
}

/* report steps */

static hp_status add_report(hp_ecl *e, double time) {
  if (e->next_step > 0.0) HP_TRY(limit_next(e, e->next_step));
  hp_ecl_judge_gas_injectors(e);
  HP_TRY(hp_ecl_shut_closed_wells(e));
  HP_TRY(HP_GROW(e->c->report, e->c->nreport, 1));
  e->c->report[e->c->nreport++] = time;
  e->now = time;
  return hp_ecl_restart_reach(e, time);
}

hp_status hp_ecl_do_tstep(hp_ecl *e, const hp_ecl_record *record) {
  enum { STEPS_MAX = 1000000 };
  (void)record;
  for (;;) {
    hp_ecl_token t;
    double days;
    HP_TRY(hp_ecl_word(e, &t));
    if (t.kind == HP_ECL_SLASH) return HP_OK;
    if (!hp_ecl_number(&t, &days) || !(days > 0.0)) {
      (void)hp_ecl_error(e, t.file, t.line, "%s is not the length of a step: must be a number > 0",
                         hp_ecl_show(&e->lexer, &t, "'").s);
      continue;
    }
    if (t.count > STEPS_MAX - e->c->nreport)
      return hp_ecl_error(e, t.file, t.line, "more than %d report steps", STEPS_MAX);
    for (int64_t n = 0; n < t.count; ++n) HP_TRY(add_report(e, e->now + days * e->units.factor[HP_UNIT_TIME]));
  }
}

/* Times since the start; in SUMMARY TIME is a vector that is always written. */
hp_status hp_ecl_do_time(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  if (e->section == HP_ECL_SUMMARY) return hp_ecl_names_add(&e->skipped, e->name);
  for (;;) {
    hp_ecl_token t;
    double days;
    HP_TRY(hp_ecl_word(e, &t));
    if (t.kind == HP_ECL_SLASH) return HP_OK;
    if (!hp_ecl_number(&t, &days) || t.count != 1 || !(days * e->units.factor[HP_UNIT_TIME] > e->now)) {
      (void)hp_ecl_error(e, t.file, t.line, "%s is not later than the time reached", hp_ecl_show(&e->lexer, &t, "'").s);
      continue;
    }
    HP_TRY(add_report(e, days * e->units.factor[HP_UNIT_TIME]));
  }
}

hp_status hp_ecl_do_dates(hp_ecl *e, const hp_ecl_record *record) {
  int64_t day;
  double seconds;
  int month;
  HP_TRY(read_date(e, record, &day, &seconds, &month));
  const double time = (double)(day - e->start_day) * DAY + (seconds - e->start_second);
  if (time <= e->now)
    return hp_ecl_error(e, record->file, record->line, "the date is day %g of the run, the schedule has reached day %g",
                        time / DAY, e->now / DAY);
  return add_report(e, time);
}

/* TUNING */

static void set_if_given(const hp_ecl_value *v, double *to) {
  if (v->given) *to = v->x;
}

static hp_status tune_steps(hp_ecl *e, const hp_ecl_record *record, hp_timestep_options *t) {
  set_if_given(&record->tuning_1.initial, &t->initial);
  set_if_given(&record->tuning_1.max, &t->max);
  set_if_given(&record->tuning_1.min, &t->min);
  set_if_given(&record->tuning_1.growth, &t->growth);
  set_if_given(&record->tuning_1.cut, &t->cut);
  if (record->tuning_1.max.given && record->tuning_1.min.given && t->min > t->max)
    return hp_ecl_error(e, record->file, record->line, "the shortest step is longer than the longest one");
  if (t->min > t->max) t->min = t->max;
  if (record->tuning_1.growth.given && t->growth < 1.0)
    return hp_ecl_error(e, record->file, record->line, "the largest growth must be >= 1");
  if (record->tuning_1.cut.given && t->cut >= 1.0)
    return hp_ecl_error(e, record->file, record->line, "the factor after a failed step must be < 1");
  return HP_OK;
}

static hp_status tune_newton(hp_ecl *e, const hp_ecl_record *record, hp_newton_options *n) {
  const hp_ecl_items_tuning_3 *v = &record->tuning_3;
  if ((v->max_newton.given && v->max_newton.i < 1) || (v->min_newton.given && v->min_newton.i < 0))
    return hp_ecl_error(e, record->file, record->line, "limits of Newton iterations must be positive");
  if (v->max_newton.given) n->max_iterations = (int)v->max_newton.i;
  if (v->min_newton.given) n->min_iterations = (int)v->min_newton.i;
  if (n->min_iterations > n->max_iterations)
    return hp_ecl_error(e, record->file, record->line, "fewest Newton iterations (%d) above the most (%d)",
                        n->min_iterations, n->max_iterations);
  return HP_OK;
}

/* Records 2 and 3 may be left out where another keyword follows. */
static hp_status next_record(hp_ecl *e, const hp_ecl_item *item, int items, hp_ecl_record *record) {
  hp_ecl_token word;
  bool empty;
  record->faulty = false;
  for (int n = 0; n < items; ++n) record->v[n] = (hp_ecl_value){.x = NAN};
  if (hp_ecl_peek(&e->lexer, &word) && hp_ecl_find(&word) != NULL) return HP_OK;
  return hp_ecl_read_record(e, item, items, record, &empty);
}

/* After the first step: from now on. */
static hp_status tune_later(hp_ecl *e, int r, const hp_ecl_record *record) {
  hp_case *c = e->c;
  const hp_ecl_items_tuning_3 *v = &record->tuning_3;
  hp_tuning *t;
  HP_TRY(find_tuning(e, &t));
  hp_timestep_options steps = c->timestep; /* as it is by now, for what is said to be checked */
  hp_newton_options newton = c->newton;
  for (int n = 0; n < c->ntuning; ++n) hp_tuning_apply(&c->tuning[n], &steps, &newton);
  if (r == 0) {
    HP_TRY(tune_steps(e, record, &steps));
    set_if_given(&record->tuning_1.initial, &t->initial);
    set_if_given(&record->tuning_1.max, &t->max);
    set_if_given(&record->tuning_1.min, &t->min);
    set_if_given(&record->tuning_1.growth, &t->growth);
    set_if_given(&record->tuning_1.cut, &t->cut);
  }
  if (r == 2) {
    HP_TRY(tune_newton(e, record, &newton));
    if (v->max_newton.given) t->max_iterations = (int)v->max_newton.i;
    if (v->min_newton.given) t->min_iterations = (int)v->min_newton.i;
  }
  return HP_OK;
}

hp_status hp_ecl_do_tuning(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  static const int items[] = {HP_ECL_COUNT(tuning_1), HP_ECL_COUNT(tuning_2), HP_ECL_COUNT(tuning_3)};
  bool others = false;
  for (int r = 0; r < 3; ++r) {
    hp_ecl_record part;
    HP_TRY(next_record(e, hp_ecl_tuning[r], items[r], &part));
    if (part.faulty) continue;
    bool says = false;
    for (int n = 0; n < items[r]; ++n) {
      says = says || (part.v[n].given && hp_ecl_tuning[r][n].need != HP_ECL_UNUSED);
      others = others || (part.v[n].given && hp_ecl_tuning[r][n].need == HP_ECL_UNUSED);
    }
    hp_status s = HP_OK;
    if (e->now > 0.0 && says) s = tune_later(e, r, &part);
    if (e->now <= 0.0 && r == 0) s = tune_steps(e, &part, &e->c->timestep);
    if (e->now <= 0.0 && r == 2) s = tune_newton(e, &part, &e->c->newton);
    if (s != HP_OK && s != HP_ERR_DECK) return s;
  }
  if (others)
    hp_ecl_note(e, e->file, e->line,
                "taken: record 1 items 1, 2, 3, 5, 7 (steps) and record 3 items 1, 2 (Newton "
                "iterations); the other items tune Eclipse's own iterations and have no counterpart");
  return HP_OK;
}

/* the schedule, as options can be laid over it */

/* All wells, in the deck's order; what becomes of their connections is settled later. Numbers of completions come by events. */
static hp_status move_wells(hp_ecl *e) {
  hp_case *c = e->c;
  HP_TRY(HP_ALLOC(c->well, e->wells));
  for (int n = 0; n < e->wells; ++n) {
    c->well[n] = e->well[n].spec;
    e->well[n].spec.perf = NULL; /* the case has it now */
    e->well[n].spec.segment = NULL;
    for (int q = 0; q < c->well[n].nperf; ++q) c->well[n].perf[q].completion = 0;
  }
  c->nwell = e->wells;
  return HP_OK;
}

/* Events in order of time, with every well shut at time zero unless it has a
 * control there. Those after time zero are numbered. */
static hp_status move_events(hp_ecl *e) {
  hp_case *c = e->c;
  hp_well_event *event;
  int count = 0, entry = 0;
  HP_TRY(HP_ALLOC(event, c->nevent + e->wells));
  for (int n = 0; n < e->wells; ++n) {
    const hp_well_event *first = NULL;
    for (int v = c->nevent - 1; v >= 0; --v)
      if (c->event[v].well == n) first = &c->event[v];
    if (first != NULL && first->time == 0.0) continue;
    hp_well_event *shut = &event[count++];
    *shut = (hp_well_event){
        .well = n, .given = HP_GIVEN_ALL, .entry = -1, .file = e->well[n].spec.file, .line = e->well[n].spec.line};
    shut->control = first != NULL ? first->control : (hp_well_control){.phase = HP_WATER};
    shut->control.control = HP_CONTROL_SHUT;
    for (int l = 0; l < HP_CONTROL_COUNT; ++l) shut->control.limit[l] = NAN;
    shut->control.by_history = false;
  }
  for (int v = 0; v < c->nevent; ++v) {
    event[count] = c->event[v];
    event[count++].entry = c->event[v].time > 0.0 ? entry++ : -1;
  }
  HP_FREE(c->event);
  c->event = event;
  c->nevent = count;
  return HP_OK;
}

hp_status hp_ecl_finish_schedule(hp_ecl *e) {
  if (e->c->start[0] == '\0') snprintf(e->c->start, sizeof e->c->start, "1983-01-01"); /* Eclipse's default */
  const hp_status s = hp_ecl_restart_schedule(e);
  if (s != HP_OK && s != HP_ERR_DECK) return s;
  HP_TRY(move_events(e));
  return move_wells(e);
}

/* the schedule as the simulator wants it, once grid and wells are as they will be */

/* A well that the deck has put outside a grid of another size, and no option inside. */
static bool check_places(hp_ecl *e, int well) {
  const hp_well_spec *w = &e->c->well[well];
  const hp_ecl_well *of_deck = well < e->wells ? &e->well[well] : NULL;
  const bool reported = of_deck != NULL && of_deck->misfit_file != NULL;
  for (int q = 0; q < w->nperf; ++q) {
    const hp_perf_spec *p = &w->perf[q];
    if (p->i < e->nx && p->j < e->ny && p->k < e->nz) continue;
    (void)hp_ecl_error(e, reported ? of_deck->misfit_file : w->file, reported ? of_deck->misfit_line : w->line,
                       "well %s: cell (%d,%d,%d) is outside the grid, which --set makes %d x %d x %d: give wells.%s.k, "
                       ".i, .j or .cells by --set too",
                       w->name, p->i + 1, p->j + 1, p->k + 1, e->nx, e->ny, e->nz, w->name);
    return false;
  }
  return true;
}

/* Changes of connections in inactive cells are left out with them; one whose connection --set has moved is an error. */
static hp_status check_changes(hp_ecl *e, int well) {
  hp_case *c = e->c;
  const hp_well_spec *w = &c->well[well];
  int kept = 0;
  for (int n = 0; n < c->nperf_event; ++n) {
    const hp_perf_event *v = &c->perf_event[n];
    bool there = v->well != well || w->npath > 0, active = v->well != well || w->npath > 0;
    for (int q = 0; q < w->nperf && v->well == well; ++q) {
      const hp_perf_spec *p = &w->perf[q];
      if (!hp_perf_event_means(v, p)) continue;
      there = true;
      active = active || hp_grid_rock_of(c->grid, hp_grid_cell(c->grid, p->i, p->j, p->k)).active;
    }
    if (!there || (v->anew && v->well == well && w->npath > 0))
      return hp_ecl_error(e, v->file, v->line, "well %s: the connection that changes here has been moved by --set",
                          w->name);
    if (active) c->perf_event[kept++] = *v;
  }
  c->nperf_event = kept;
  return HP_OK;
}

/* Connections made anew must conduct, too. */
static hp_status check_anew(hp_ecl *e, int well) {
  const hp_case *c = e->c;
  for (int n = 0; n < c->nperf_event; ++n) {
    const hp_perf_event *v = &c->perf_event[n];
    double wi;
    if (v->well != well || !v->anew) continue;
    HP_TRY(hp_wells_learn(c->grid, 1, &v->spec));
    const hp_status s = hp_well_index(c->grid, hp_grid_cell(c->grid, v->spec.i, v->spec.j, v->spec.k), &v->spec, &wi);
    if (s != HP_OK && s != HP_ERR_DECK) return s;
    if (s == HP_ERR_DECK) return hp_ecl_error(e, v->file, v->line, "well %s: %s", c->well[well].name, hp_fail_text());
  }
  return HP_OK;
}

/* Connections in inactive cells are left out. */
static void drop_inactive(hp_ecl *e, hp_well_spec *w) {
  const hp_grid *g = e->c->grid;
  int kept = 0, dropped = 0;
  hp_perf_spec first = {.i = 0};
  for (int q = 0; q < w->nperf; ++q) {
    const hp_perf_spec perf = w->perf[q];
    if (hp_grid_rock_of(g, hp_grid_cell(g, perf.i, perf.j, perf.k)).active) w->perf[kept++] = perf;
    else if (dropped++ == 0) first = perf;
  }
  w->nperf = kept;
  if (dropped > 0)
    hp_diag_note(e->diag, w->file, w->line,
                 "well %s: %d connection%s in inactive cells left out, the first in cell "
                 "(%d,%d,%d)",
                 w->name, dropped, hp_plural(dropped), first.i + 1, first.j + 1, first.k + 1);
}

static double depth_of(const hp_grid *g, const hp_perf_spec *p) {
  return hp_grid_rock_of(g, hp_grid_cell(g, p->i, p->j, p->k)).depth;
}

/* COMPORD other than INPUT, where COMPDAT is not in order of depth; and connections that a workover would open. */
static hp_status check_order(hp_ecl *e, int well) {
  const hp_case *c = e->c;
  const hp_well_spec *w = &c->well[well];
  const hp_ecl_well *of_deck = well < e->wells ? &e->well[well] : NULL;
  for (int q = 1; of_deck != NULL && of_deck->ordered_file != NULL && q < w->nperf; ++q)
    if (depth_of(c->grid, &w->perf[q]) < depth_of(c->grid, &w->perf[q - 1]))
      return hp_ecl_error(e, of_deck->ordered_file, of_deck->ordered_line,
                          "COMPORD: well %s: connections flow in the order of COMPDAT, which is not that of depth at "
                          "cell (%d,%d,%d): only INPUT is supported for it",
                          w->name, w->perf[q].i + 1, w->perf[q].j + 1, w->perf[q].k + 1);
  for (int n = 0; of_deck != NULL && of_deck->auto_file != NULL && n < c->nevent; ++n) {
    const int workover = c->event[n].control.workover;
    if (c->event[n].well == well && (workover == HP_WORKOVER_CONNECTION || workover == HP_WORKOVER_BELOW))
      return hp_ecl_error(e, of_deck->auto_file, of_deck->auto_line,
                          "COMPDAT: well %s: AUTO is not supported with workovers of connections (WECON), which would "
                          "open it",
                          w->name);
  }
  return HP_OK;
}

/* The default reference depth is the top connection's; the simulator takes the
 * first one, so another order in the deck needs the number. */
static void set_reference(const hp_grid *g, hp_well_spec *w) {
  if (!isnan(w->ref_depth) || w->nperf == 0) return;
  double top = INFINITY;
  for (int q = 0; q < w->nperf; ++q) { /* those that open later do not move it */
    if (w->perf[q].later && !w->perf[q].open) continue;
    const double depth = depth_of(g, &w->perf[q]);
    if (depth < top) top = depth;
  }
  if (top < INFINITY && depth_of(g, &w->perf[0]) != top) w->ref_depth = top;
}

static bool has_open(const hp_well_spec *w) {
  for (int q = 0; q < w->nperf; ++q)
    if (w->perf[q].open || w->perf[q].later) return true;
  return w->npath > 0;
}

static bool ever_open(const hp_case *c, int well) {
  for (int n = 0; n < c->nevent; ++n)
    if (c->event[n].well == well && c->event[n].control.control != HP_CONTROL_SHUT) return true;
  return false;
}

/* *keep: the well can flow, or has a fault; others are left out. */
static hp_status complete_well(hp_ecl *e, int well, bool *keep) {
  hp_case *c = e->c;
  hp_well_spec *w = &c->well[well];
  const bool faulty = well < e->wells && e->well[well].faulty; /* reported */
  char why[HP_CASE_WHY];
  *keep = true;
  if (faulty || !check_places(e, well)) return HP_OK;
  HP_TRY(hp_wells_learn(c->grid, w->nperf, w->perf));
  HP_TRY(check_changes(e, well));
  drop_inactive(e, w);
  HP_TRY(check_anew(e, well));
  HP_TRY(check_order(e, well));
  HP_TRY(hp_ecl_check_seats(e, well));
  set_reference(c->grid, w);
  const bool opens = ever_open(c, well);
  if (opens && !has_open(w))
    return hp_ecl_error(e, w->file, w->line, "well %s opens, but has no open connection in an active cell (COMPDAT)",
                        w->name);
  *keep = opens || w->nperf > 0 || w->npath > 0;
  if (!*keep) hp_diag_note(e->diag, w->file, w->line, "well %s has no connections and never opens: left out", w->name);
  HP_TRY(hp_case_well_fault(c->grid, w, true, why));
  return why[0] != '\0' ? hp_ecl_error(e, w->file, w->line, "%s", why) : HP_OK;
}

/* Wells that can never flow go, their events with them. */
static void leave_out(hp_case *c, const bool *keep, int *index) {
  int wells = 0, events = 0;
  for (int n = 0; n < c->nwell; ++n) {
    index[n] = keep[n] ? wells : -1;
    if (keep[n]) c->well[wells++] = c->well[n];
    else {
      HP_FREE(c->well[n].perf);
      HP_FREE(c->well[n].segment);
    }
  }
  for (int n = 0; n < c->nevent; ++n) {
    if (index[c->event[n].well] < 0) continue;
    c->event[events] = c->event[n];
    c->event[events].well = index[c->event[n].well];
    events += 1;
  }
  c->nwell = wells;
  c->nevent = events;
  int changes = 0;
  for (int n = 0; n < c->nperf_event; ++n) {
    if (index[c->perf_event[n].well] < 0) continue;
    c->perf_event[changes] = c->perf_event[n];
    c->perf_event[changes++].well = index[c->perf_event[n].well];
  }
  c->nperf_event = changes;
}

static hp_status complete_wells(hp_ecl *e) {
  hp_case *c = e->c;
  bool *keep;
  int *index = NULL;
  HP_TRY(HP_ALLOC(keep, c->nwell));
  hp_status s = HP_ALLOC(index, c->nwell);
  for (int n = 0; n < c->nwell && (s == HP_OK || s == HP_ERR_DECK); ++n) s = complete_well(e, n, &keep[n]);
  if (s == HP_OK || s == HP_ERR_DECK) leave_out(c, keep, index);
  HP_FREE(index);
  HP_FREE(keep);
  return s;
}

hp_status hp_ecl_complete_schedule(hp_ecl *e) {
  hp_case *c = e->c;
  hp_ecl_judge_gas_injectors(e);
  if (c->nreport == 0)
    (void)hp_ecl_missing(e, HP_ECL_SCHEDULE, "TSTEP|DATES", "the schedule has no step (TSTEP or DATES in SCHEDULE)");
  if (c->grid == NULL || c->nwell == 0) return HP_OK; /* the grid's faults are reported */
  const hp_status tables = hp_ecl_check_tables(e);
  const hp_status wells = complete_wells(e);
  return wells != HP_OK ? wells : tables;
}
