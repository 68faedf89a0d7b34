#include "sim/checkpoint/checkpoint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/config.h"
#include "io/results/fingerprint.h"
#include "sim/part/remote.h"
#include "sim/simulator/actions.h"
#include "sim/simulator/files.h"

/* ---- the columns: X(name, place in the run's structs) ---- */

/* clang-format off */
#define RUN_LIST(X)                                                                                                \
  X(suggested_dt, S->suggested_dt) X(events_done, S->kept_done) X(ending, S->ending) X(first_dt, S->first_dt)      \
  X(start_oil, S->start.mass[HP_OIL]) X(start_water, S->start.mass[HP_WATER]) X(start_pressure, S->start.pressure) \
  X(now_oil, S->now.mass[HP_OIL]) X(now_water, S->now.mass[HP_WATER]) X(now_pressure, S->now.pressure)             \
  X(mean_pressure, S->mean_pressure)                                                                               \
  X(steps, S->counts.steps) X(cuts, S->counts.cuts) X(newton, S->counts.newton) X(linear, S->counts.linear)        \
  X(wasted_newton, S->counts.wasted_newton) X(wasted_linear, S->counts.wasted_linear)                              \
  X(unconverged_linear, S->counts.unconverged_linear)                                                              \
  X(cash, S->money.cash) X(npv, S->money.npv) X(earned, S->money.earned) X(reported, S->money.reported)            \
  X(paid_oil, S->money.oil) X(paid_water, S->money.water) X(paid_injection, S->money.injected)

#define ERROR_LIST(X)                                                                                              \
  X(since, e->since) X(follows, e->follows) X(deferred, e->deferred) X(jump, e->jump)                              \
  X(produced_oil, e->produced[HP_OIL]) X(produced_water, e->produced[HP_WATER])                                    \
  X(injected_oil, e->injected[HP_OIL]) X(injected_water, e->injected[HP_WATER]) X(moved, e->moved)                 \
  X(most_oil, e->corrected_most[0][HP_OIL]) X(most_water, e->corrected_most[0][HP_WATER])                          \
  X(most_oil_in, e->corrected_most[1][HP_OIL]) X(most_water_in, e->corrected_most[1][HP_WATER])                    \
  X(past_oil, e->past[0][HP_OIL]) X(past_water, e->past[0][HP_WATER])                                              \
  X(past_oil_in, e->past[1][HP_OIL]) X(past_water_in, e->past[1][HP_WATER])                                        \
  X(turned_oil, e->turned[0][HP_OIL]) X(turned_water, e->turned[0][HP_WATER])                                      \
  X(turned_oil_in, e->turned[1][HP_OIL]) X(turned_water_in, e->turned[1][HP_WATER])                                \
  X(bent_oil, e->bent[0][HP_OIL]) X(bent_water, e->bent[0][HP_WATER]) \
  X(bent_oil_in, e->bent[1][HP_OIL]) X(bent_water_in, e->bent[1][HP_WATER]) \
  X(unknown_oil, e->unknown[0][HP_OIL]) X(unknown_water, e->unknown[0][HP_WATER]) \
  X(unknown_oil_in, e->unknown[1][HP_OIL]) X(unknown_water_in, e->unknown[1][HP_WATER]) \
  X(dropped_oil, e->dropped[0][HP_OIL]) X(dropped_water, e->dropped[0][HP_WATER]) \
  X(dropped_oil_in, e->dropped[1][HP_OIL]) X(dropped_water_in, e->dropped[1][HP_WATER]) \
  X(shut_oil, e->shut[HP_OIL]) X(shut_water, e->shut[HP_WATER]) X(linear, e->linear)

#define CONTROL_LIST(X)                                                                                            \
  X(control, c->control) X(injector, c->injector) X(phase, c->phase) X(limit_shut, c->limit[HP_CONTROL_SHUT])      \
  X(limit_bhp, c->limit[HP_CONTROL_BHP]) X(limit_thp, c->limit[HP_CONTROL_THP])                                    \
  X(limit_orat, c->limit[HP_CONTROL_ORAT])                                                                         \
  X(limit_wrat, c->limit[HP_CONTROL_WRAT]) X(limit_lrat, c->limit[HP_CONTROL_LRAT])                                \
  X(limit_resv, c->limit[HP_CONTROL_RESV]) X(by_history, c->by_history)

#define WELL_LIST(X)                                                                                               \
  X(shared, W->shared[w]) X(mode, W->mode[w]) X(running, W->running[w])                            \
  X(mix_oil, W->mix[2 * w + HP_OIL])                                                                               \
  X(mix_water, W->mix[2 * w + HP_WATER]) X(resv_oil, W->resv[HP_PHASES * w + HP_OIL])                              \
  X(resv_water, W->resv[HP_PHASES * w + HP_WATER]) X(inflow_share, W->inflow_share[w]) X(bhp, W->bhp[w])           \
  X(mix_change, W->mix_change[w]) X(given_up, S->given_up[w].is) X(given_up_by, S->given_up[w].by)                      \
  X(control_then, S->given_up[w].control)                                                                          \
  X(given_up_since, S->given_up[w].since) X(tests, S->given_up[w].tests)                                           \
  X(oil_rate, f->rate[HP_OIL]) X(water_rate, f->rate[HP_WATER]) X(oil_total, f->total[HP_OIL])                     \
  X(water_total, f->total[HP_WATER]) X(oil_injection_rate, f->injection_rate[HP_OIL])                              \
  X(water_injection_rate, f->injection_rate[HP_WATER]) X(oil_injection, f->injection_total[HP_OIL])                \
  X(water_injection, f->injection_total[HP_WATER])                                                                 \
  X(oil_before, e->before[HP_OIL]) X(water_before, e->before[HP_WATER]) X(oil_error, e->error[HP_OIL])             \
  X(water_error, e->error[HP_WATER]) X(oil_taken, e->taken[HP_OIL]) X(water_taken, e->taken[HP_WATER]) \
  X(oil_slope, e->slope[HP_OIL]) X(water_slope, e->slope[HP_WATER])

#define PERF_LIST(X)                                                                                               \
  X(wi, W->wi[q]) X(wi_open, W->wi_open[q]) X(multiplier, W->multiplier[q]) X(head, W->head[q])                    \
  X(oil_rate, W->rate[q].q[HP_OIL]) X(water_rate, W->rate[q].q[HP_WATER])                                          \
  X(density, W->density_old[q]) X(relaxation, W->relaxation_old[q])                                                \
  X(oil_error, W->rate_error[HP_PHASES * q + HP_OIL]) X(water_error, W->rate_error[HP_PHASES * q + HP_WATER])      \
  X(density_change, W->density_change[q]) X(limited, S->limited[q])                                                \
  X(oil_total, S->connection[q].total[HP_OIL]) X(water_total, S->connection[q].total[HP_WATER])                    \
  X(oil_injection, S->connection[q].injection_total[HP_OIL])                                                       \
  X(water_injection, S->connection[q].injection_total[HP_WATER])

#define SEGMENT_LIST(X) X(head, W->segments[s].head) X(water, W->segments[s].water)

#define AQUIFER_LIST(X) \
  X(time, A->time) X(rate, A->state[n].rate) X(influx, A->state[n].influx) X(pressure, A->state[n].pressure) \
  X(error, A->state[n].error) X(mobile, A->state[n].mobile) X(taken, of[n].taken) X(reported_rate, state[n].rate)

#define NUMERICAL_LIST(X) \
  X(rate, S->numerical[n].rate) X(influx, S->numerical[n].influx) X(pressure, S->numerical[n].pressure)

#define GROUP_LIST(X) \
  X(oil_left, past[HP_OIL]) X(water_left, past[HP_WATER]) X(oil_injection_left, past[HP_PHASES + HP_OIL]) \
  X(water_injection_left, past[HP_PHASES + HP_WATER])
/* clang-format on */

#define COUNT(name, ...) +1
#define NAME(name, place) " " #name
#define SETTING_COUNT(kind, key, ...) COUNT(key)
#define SETTING_NAME(kind, key, ...) " " #key
#define CONTROL_COLUMNS (0 CONTROL_LIST(COUNT) HP_WELL_SETTING_LIST(SETTING_COUNT))
#define CONTROL_NAMES CONTROL_LIST(NAME) HP_WELL_SETTING_LIST(SETTING_NAME)
enum {
  RUN_COLUMNS = 0 RUN_LIST(COUNT),
  ERROR_COLUMNS = 0 ERROR_LIST(COUNT),
  WELL_COLUMNS = CONTROL_COLUMNS WELL_LIST(COUNT) + CONTROL_COLUMNS,
  PERF_COLUMNS = 0 PERF_LIST(COUNT),
  SEGMENT_COLUMNS = 0 SEGMENT_LIST(COUNT),
  AQUIFER_COLUMNS = 0 AQUIFER_LIST(COUNT),
  NUMERICAL_COLUMNS = 0 NUMERICAL_LIST(COUNT),
  GROUP_COLUMNS = 0 GROUP_LIST(COUNT)
};
static const char run_names[] = RUN_LIST(NAME), error_names[] = ERROR_LIST(NAME),
                  well_names[] = CONTROL_NAMES WELL_LIST(NAME) CONTROL_NAMES, perf_names[] = PERF_LIST(NAME),
                  segment_names[] = SEGMENT_LIST(NAME), aquifer_names[] = AQUIFER_LIST(NAME),
                  numerical_names[] = NUMERICAL_LIST(NAME), group_names[] = GROUP_LIST(NAME);
/* put: the run's numbers become the row's, else the row's the run's. */
#define MOVE(name, place)                  \
  if (put) place = (__typeof__(place))*at; \
  else *at = (double)(place);              \
  ++at;

static void move_run(hp_sim *S, bool put, double *at) { RUN_LIST(MOVE) }

static void move_error(hp_time_error *e, bool put, double *at) { ERROR_LIST(MOVE) }

static double *move_control(hp_well_control *c, bool put, double *at) {
#define MOVE_SETTING(kind, key, ...) MOVE(key, c->key)
  CONTROL_LIST(MOVE) HP_WELL_SETTING_LIST(MOVE_SETTING) return at;
}

/* first: of the run's first system. */
static void move_wells(hp_sim *S, bool put, const hp_restart *r, bool first) {
  hp_wells *W = S->wells;
  double *at = r->rows[first ? HP_RESTART_FIRST_WELLS : HP_RESTART_WELLS].value;
  for (int w = 0; w < W->nwell; ++w) {
    hp_flow *f = &S->totals[w];
    hp_corrected_well *e = &S->corrected.well[w];
    at = move_control(&W->control[w], put, at);
    WELL_LIST(MOVE)
    at = move_control(&W->deck_control[w], put, at);
  }
  at = r->rows[first ? HP_RESTART_FIRST_PERFS : HP_RESTART_PERFS].value;
  for (int64_t q = 0; q < W->nperf; ++q) {
    PERF_LIST(MOVE)
  }
  at = r->rows[first ? HP_RESTART_FIRST_SEGMENTS : HP_RESTART_SEGMENTS].value;
  for (int64_t s = 0; s < W->nsegment; ++s) {
    SEGMENT_LIST(MOVE)
  }
}

static void move_aquifers(hp_sim *S, bool put, double *at) {
  hp_aquifers *A = S->aquifers;
  hp_corrected_aquifer *of = S->corrected.aquifer;
  hp_aquifer_state *state = S->corrected.state;
  for (int n = 0; A != NULL && n < A->count; ++n) {
    AQUIFER_LIST(MOVE)
  }
  if (put) hp_corrected_report_aquifers(S);
}

static void move_numerical(hp_sim *S, bool put, double *at) {
  for (int n = 0; n < S->c->nnumerical; ++n) {
    NUMERICAL_LIST(MOVE)
  }
}

/* A deck may name more groups since. */
static void move_groups(hp_sim *S, bool put, const hp_restart_rows *rows) {
  double *at = rows->value;
  for (int g = 0; g < S->groups.count && g < rows->nrow; ++g) {
    double *past = S->group_past[g];
    GROUP_LIST(MOVE)
  }
}

#undef COUNT
#undef NAME
#undef MOVE

static int count_aquifers(const hp_sim *S) { return S->aquifers != NULL ? S->aquifers->count : 0; }

/* ---- keeping ---- */

static hp_status create_rows(hp_restart *r, hp_restart_table t, int64_t nrow, int ncolumn, const char *columns) {
  hp_restart_rows *rows = &r->rows[t];
  rows->nrow = nrow;
  rows->ncolumn = ncolumn;
  rows->columns = columns + 1; /* each begins with a space */
  return HP_ALLOC(rows->value, nrow * ncolumn);
}

/* Bytes of the rows of wells and perforations, once. */
static int64_t rows_bytes(const hp_wells *W) {
  return (int64_t)sizeof(double) *
         ((int64_t)W->nwell * WELL_COLUMNS + W->nperf * PERF_COLUMNS + W->nsegment * SEGMENT_COLUMNS);
}

int64_t hp_checkpoint_fingerprint_bytes(const hp_wells *W) {
  return hp_fingerprint_count(W->nwell) * (int64_t)sizeof(hp_fingerprint);
}

int64_t hp_checkpoint_bytes(const hp_wells *W) {
  return (int64_t)sizeof(double) * RUN_COLUMNS + 2 * rows_bytes(W) + hp_checkpoint_fingerprint_bytes(W);
}

hp_status hp_checkpoint_create(hp_sim *S) {
  hp_restart *r = &S->kept;
  const hp_wells *W = S->wells;
  r->ncell = hp_grid_cells(S->c->grid);
  HP_TRY(create_rows(r, HP_RESTART_RUN, 1, RUN_COLUMNS, run_names));
  if (S->time_error.on) HP_TRY(create_rows(r, HP_RESTART_TIME_ERROR, 1, ERROR_COLUMNS, error_names));
  HP_TRY(create_rows(r, HP_RESTART_WELLS, W->nwell, WELL_COLUMNS, well_names));
  HP_TRY(create_rows(r, HP_RESTART_PERFS, W->nperf, PERF_COLUMNS, perf_names));
  if (W->nsegment > 0) HP_TRY(create_rows(r, HP_RESTART_SEGMENTS, W->nsegment, SEGMENT_COLUMNS, segment_names));
  if (S->aquifers != NULL)
    HP_TRY(create_rows(r, HP_RESTART_AQUIFERS, S->aquifers->count, AQUIFER_COLUMNS, aquifer_names));
  if (S->c->nnumerical > 0)
    HP_TRY(create_rows(r, HP_RESTART_NUMERICAL, S->c->nnumerical, NUMERICAL_COLUMNS, numerical_names));
  HP_TRY(create_rows(r, HP_RESTART_GROUPS, S->groups.count, GROUP_COLUMNS, group_names));
  if (S->actions != NULL) HP_TRY(create_rows(r, HP_RESTART_ACTIONS, hp_actions_numbers(S), 1, " value"));
  HP_TRY(hp_fingerprint_create(S->c, W, &r->nfingerprint, &S->fingerprint));
  HP_TRY(HP_ALLOC(S->after_change, S->c->ntrans_event));
  HP_TRY(hp_fingerprint_of_changes(S->c, S->fingerprint[hp_fingerprint_of_trans()].value, S->after_change));
  return HP_ALLOC(r->fingerprint, r->nfingerprint);
}

hp_status hp_checkpoint_keep(hp_sim *S, bool events_done) {
  hp_restart *r = &S->kept;
  if (!S->keeps) return HP_OK;
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  S->kept_done = events_done;
  r->time = S->time;
  r->step = S->step;
  memcpy(r->fingerprint, S->fingerprint, (size_t)r->nfingerprint * sizeof *r->fingerprint);
  move_run(S, false, r->rows[HP_RESTART_RUN].value);
  if (S->time_error.on) move_error(&S->time_error, false, r->rows[HP_RESTART_TIME_ERROR].value);
  move_wells(S, false, r, false);
  move_aquifers(S, false, r->rows[HP_RESTART_AQUIFERS].value);
  move_numerical(S, false, r->rows[HP_RESTART_NUMERICAL].value);
  move_groups(S, false, &r->rows[HP_RESTART_GROUPS]);
  hp_actions_move(S, false, r->rows[HP_RESTART_ACTIONS].nrow, r->rows[HP_RESTART_ACTIONS].value);
  return HP_OK;
}

hp_status hp_checkpoint_keep_first(hp_sim *S, double dt) {
  hp_restart *r = &S->kept;
  if (!S->keeps || S->first_dt > 0.0) return HP_OK;
  HP_TRY(create_rows(r, HP_RESTART_FIRST_WELLS, S->wells->nwell, WELL_COLUMNS, well_names));
  HP_TRY(create_rows(r, HP_RESTART_FIRST_PERFS, S->wells->nperf, PERF_COLUMNS, perf_names));
  if (S->wells->nsegment > 0)
    HP_TRY(create_rows(r, HP_RESTART_FIRST_SEGMENTS, S->wells->nsegment, SEGMENT_COLUMNS, segment_names));
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  move_wells(S, false, r, true);
  S->first_dt = dt;
  return HP_OK;
}

void hp_checkpoint_gather(hp_sim *S) {
  const hp_grid *g = S->c->grid;
  const hp_backend *B = S->backend;
  const hp_arrays has = B->has & ~(B->shown ? 0 : HP_ARRAYS_SHOWN);
  if (S->K != NULL) { /* piece by piece, as it is written */
    S->kept.remote = hp_sim_state_cells(S);
    memcpy(S->kept.size, (const int[]){g->nx, g->ny, g->nz}, sizeof S->kept.size);
    S->kept.has = has;
    return;
  }
  for (int n = 0; n < HP_STATES; ++n) S->kept.cell[n] = (has >> n & 1) != 0 ? hp_backend_cell(B, (hp_array)n) : NULL;
}

void hp_checkpoint_destroy(hp_sim *S) {
  memset(S->kept.cell, 0, sizeof S->kept.cell); /* the reservoir's and the backend's */
  hp_restart_clear(&S->kept);
  HP_FREE(S->fingerprint);
  HP_FREE(S->after_change);
}

void hp_checkpoint_note_event(hp_sim *S, const hp_well_event *e) {
  if (S->fingerprint == NULL) return;
  uint64_t *fingerprint = &S->fingerprint[hp_fingerprint_of_schedule(S->wells->nwell, e->well)].value;
  *fingerprint = hp_fingerprint_mix_event(*fingerprint, e);
}

void hp_checkpoint_note_perforations(hp_sim *S, const hp_perf_event *e) {
  if (S->fingerprint == NULL) return;
  uint64_t *fingerprint = &S->fingerprint[hp_fingerprint_of_perforations(S->wells->nwell, e->well)].value;
  *fingerprint = hp_fingerprint_mix_change(*fingerprint, S->c->grid, S->c->fluid.by_perforation, e);
}

void hp_checkpoint_note_group(hp_sim *S, const hp_group_event *e) {
  if (S->fingerprint == NULL) return;
  uint64_t *fingerprint = &S->fingerprint[hp_fingerprint_of_group()].value;
  *fingerprint = hp_fingerprint_mix_group(*fingerprint, e);
}

void hp_checkpoint_note_trans(hp_sim *S, const hp_trans_event *e) {
  if (S->fingerprint == NULL) return;
  S->fingerprint[hp_fingerprint_of_trans()].value = S->after_change[e - S->c->trans_event];
}

/* ---- putting into a run ---- */

/* Changes of transmissibilities that the schedule has passed, at the run's start or since then. */
static hp_status change_trans(hp_sim *S, bool at_begin) {
  const hp_case *c = S->c;
  const double begin = hp_schedule_until(c->begin);
  for (int n = 0; n < S->at.trans; ++n) {
    if ((c->trans_event[n].time <= begin) == at_begin) HP_TRY(hp_sim_change_trans(S, n));
  }
  return S->at.trans > 0 ? hp_sim_put_trans(S) : HP_OK;
}

/* The latest time whose changes by the schedule were made before the state was kept: those of the very time maybe. */
static double made_until(const hp_sim *S) {
  return S->kept_done ? hp_schedule_until(S->time) : 2.0 * S->time - hp_schedule_until(S->time);
}

static hp_status compare_decks(hp_sim *S, const hp_restart *from) {
  const hp_case *c = S->c;
  char when[64];
  const double end = c->report[c->nreport - 1];
  snprintf(when, sizeof when, "%.6g %s", S->time / c->units.factor[HP_UNIT_TIME], c->units.label[HP_UNIT_TIME]);
  if (S->time > end * (1.0 + 1e-12))
    return hp_fail(HP_ERR_USAGE,
                   "%s: its report step %d is at %s, after the last report "
                   "time of the deck, %.6g %s",
                   from->base, from->step, when, end / c->units.factor[HP_UNIT_TIME], c->units.label[HP_UNIT_TIME]);
  const double until = made_until(S);
  const hp_group_event *group;
  const hp_perf_event *change;
  const hp_well_event *event;
  const hp_trans_event *trans;
  while ((group = hp_schedule_pass_group(c, &S->at, until)) != NULL) {
    hp_groups_set(&S->groups, group->group, &group->control);
    hp_checkpoint_note_group(S, group);
  }
  hp_schedule_pass_tuning(c, &S->at, until, &S->timestep, &S->newton, NULL);
  while ((change = hp_schedule_pass_perforations(c, &S->at, until)) != NULL) {
    hp_wells_describe(S->wells, c->grid, change);
    hp_checkpoint_note_perforations(S, change);
  }
  while ((event = hp_schedule_pass_event(c, &S->at, until)) != NULL) {
    hp_actions_note_event(S, event);
    hp_checkpoint_note_event(S, event);
  }
  hp_actions_pass(S, until, true);
  while ((trans = hp_schedule_pass_trans(c, &S->at, until)) != NULL) hp_checkpoint_note_trans(S, trans);
  return hp_fingerprint_compare(from, S->kept.nfingerprint, S->fingerprint, when);
}

static bool is_whole(const hp_restart_rows *rows, int64_t nrow, int ncolumn) {
  return nrow == 0 || (rows->nrow == nrow && rows->ncolumn == ncolumn && rows->value != NULL);
}

/* The file's rows are those that this version knows and that wells and aquifers need. */
static hp_status check_rows(const hp_sim *S, const hp_restart *from) {
  const hp_wells *W = S->wells;
  const hp_restart_rows *rows = from->rows, *first = &rows[HP_RESTART_FIRST_WELLS];
  const bool whole =
      is_whole(&rows[HP_RESTART_WELLS], W->nwell, WELL_COLUMNS) &&
      is_whole(&rows[HP_RESTART_PERFS], W->nperf, PERF_COLUMNS) &&
      is_whole(&rows[HP_RESTART_SEGMENTS], W->nsegment, SEGMENT_COLUMNS) && from->ncell == hp_grid_cells(S->c->grid) &&
      is_whole(&rows[HP_RESTART_AQUIFERS], count_aquifers(S), AQUIFER_COLUMNS) &&
      is_whole(&rows[HP_RESTART_NUMERICAL], S->c->nnumerical, NUMERICAL_COLUMNS) &&
      (rows[HP_RESTART_ACTIONS].value == NULL || is_whole(&rows[HP_RESTART_ACTIONS], hp_actions_numbers(S), 1)) &&
      is_whole(&rows[HP_RESTART_GROUPS], rows[HP_RESTART_GROUPS].nrow, GROUP_COLUMNS) &&
      (hp_arrays_of_fluids(&S->c->fluid) & ~from->has) == 0 &&
      (!(S->first_dt > 0.0) ||
       (is_whole(first, W->nwell, WELL_COLUMNS) && is_whole(&rows[HP_RESTART_FIRST_PERFS], W->nperf, PERF_COLUMNS) &&
        is_whole(&rows[HP_RESTART_FIRST_SEGMENTS], W->nsegment, SEGMENT_COLUMNS)));
  return whole ? HP_OK
               : hp_fail(HP_ERR_USAGE, "%s: its restart data of report step %d do not fit its deck", from->base,
                         from->step);
}

/* Columns of choices and counts, what they stay below, since what follows takes them for indices, and what they are. */
static const struct {
  const char *column;
  double below;
  const char *text;
} whole[] = {{"control", HP_CONTROL_COUNT, "the control of a well"},
             {"injector", 2, "whether a well injects"},
             {"phase", HP_PHASES, "the phase that a well injects"},
             {"by_history", 2, "whether a well follows its history"},
             {"shared", HP_CONTROL_COUNT, "a well's share of a target of a group"},
             {"mode", HP_CONTROL_COUNT, "the control in force of a well"},
             {"running", 2, "whether a well is open"},
             {"given_up", 2, "whether the limits of a well have shut it"},
             {"given_up_by", HP_GIVEN_UP_KINDS, "the limits that have shut a well"},
             {"control_then", HP_CONTROL_COUNT, "the control that a well takes up again"},
             {"limited", 2, "whether the limits of a well have shut a perforation"},
             {"events_done", 2, "the place in the schedule"},
             {"ending", 2, "whether the run ends"},
             {"follows", 2, "whether the error in time goes on"},
             {"steps", 2147483648.0, "the number of time steps"},
             {"cuts", 2147483648.0, "the number of time steps cut"},
             {"newton", 0x1p62, "the number of Newton iterations"},
             {"linear", 0x1p62, "the number of linear iterations"},
             {"wasted_newton", 0x1p62, "the number of Newton iterations in failed attempts"},
             {"wasted_linear", 0x1p62, "the number of linear iterations in failed attempts"},
             {"unconverged_linear", 0x1p62, "the number of linear solves stopped short"}};

/* Bound that a column's values stay below, and what they are; 0: it has others. */
static double limit_of(const hp_case *c, const char *column, size_t length, const char **text) {
  for (size_t n = 0; n < sizeof whole / sizeof *whole; ++n)
    if (strlen(whole[n].column) == length && strncmp(whole[n].column, column, length) == 0) {
      *text = whole[n].text;
      return whole[n].below;
    }
  const hp_config_key *key = NULL;
  while ((key = hp_config_next("wells[]", HP_IN_CONTROL, key)) != NULL) {
    *text = key->what;
    if (key->kind == HP_KEY_FLOAT || strlen(strchr(key->path, '.') + 1) != length ||
        strncmp(strchr(key->path, '.') + 1, column, length) != 0)
      continue;
    if (key->kind == HP_KEY_OF_GROUP) return c->ngroup + 1.0;
    if (key->kind == HP_KEY_OF_TABLE) return c->nlift + 1.0;
    return key->kind == HP_KEY_BOOL ? 2.0 : (double)hp_config_choices(key);
  }
  return 0.0;
}

/* Name of the first column whose choice or count is invalid or whose number is not finite, NULL: all are sound. A limit that is none
 * is NAN. names: each behind a blank. */
static const char *unsound_column(const hp_case *c, const hp_restart_rows *rows, const char *names) {
  int column = 0;
  for (const char *at = names; *at != '\0'; at += strcspn(at, " "), ++column) {
    ++at;
    const char *text;
    const double below = limit_of(c, at, strcspn(at, " "), &text);
    for (int64_t r = 0; rows->value != NULL && r < rows->nrow; ++r) {
      const double v = rows->value[r * rows->ncolumn + column];
      if (below > 0.0 && !(v >= 0.0 && v < below && v == floor(v))) return text;
      if (!isfinite(v) && !(isnan(v) && strncmp(at, "limit_", 6) == 0)) return "a number is not finite";
    }
  }
  return NULL;
}

/* Whether a well is held to a tubing-head pressure without a lift table. */
static bool lacks_table(const hp_restart_rows *rows) {
  for (int64_t r = 0; rows->value != NULL && r < rows->nrow; ++r) {
    bool held = false, has = true;
    int column = 0;
    for (const char *at = well_names; *at != '\0'; at += strcspn(at, " "), ++column) {
      const size_t length = strcspn(++at, " ");
      const double v = rows->value[r * rows->ncolumn + column];
      const bool mode = (length == 4 && strncmp(at, "mode", 4) == 0) || (length >= 7 && strncmp(at, "control", 7) == 0);
      held = held || (mode && v == HP_CONTROL_THP) || (length == 9 && strncmp(at, "limit_thp", 9) == 0 && !isnan(v));
      if (length == 3 && strncmp(at, "vfp", 3) == 0) has = has && v > 0.0;
    }
    if (held && !has) return true;
  }
  return false;
}

/* Rows whose columns have names, and whether they are of the run's first system. */
static const struct {
  hp_restart_table t;
  bool first;
  const char *names;
} named[] = {{HP_RESTART_WELLS, false, well_names},           {HP_RESTART_PERFS, false, perf_names},
             {HP_RESTART_SEGMENTS, false, segment_names},     {HP_RESTART_GROUPS, false, group_names},
             {HP_RESTART_FIRST_WELLS, true, well_names},      {HP_RESTART_FIRST_PERFS, true, perf_names},
             {HP_RESTART_FIRST_SEGMENTS, true, segment_names}};
#define NAMED (sizeof named / sizeof *named)

static hp_status check_values(const hp_sim *S, const hp_restart *from) {
  const char *column = NULL;
  for (size_t n = 0; n < NAMED && column == NULL; ++n)
    if (!named[n].first || S->first_dt > 0.0) column = unsound_column(S->c, &from->rows[named[n].t], named[n].names);
  const bool lacks = lacks_table(&from->rows[HP_RESTART_WELLS]) || lacks_table(&from->rows[HP_RESTART_FIRST_WELLS]);
  if (column == NULL && lacks) column = "the lift table of a well at a tubing-head pressure";
  const double *aquifer = from->rows[HP_RESTART_AQUIFERS].value;
  for (int n = 0; n < count_aquifers(S) * AQUIFER_COLUMNS; ++n)
    if (column == NULL && !isfinite(aquifer[n])) column = "the aquifers";
  const double *numerical = from->rows[HP_RESTART_NUMERICAL].value;
  for (int n = 0; n < S->c->nnumerical * NUMERICAL_COLUMNS; ++n)
    if (column == NULL && !isfinite(numerical[n])) column = "the numerical aquifers";
  if (column == NULL && !hp_actions_are_sound(S, from->rows[HP_RESTART_ACTIONS].value))
    column = "quantities or actions";
  if (column == NULL) return HP_OK;
  return hp_fail(HP_ERR_USAGE, "%s: its restart data of report step %d are damaged: %s", from->base, from->step,
                 column);
}

/* Makes cpr's hierarchy from the system that the whole run has it from; the
 * state is the deck's still. */
static hp_status make_hierarchy(hp_sim *S, const hp_restart *from) {
  const hp_backend_ops *ops = S->backend->ops;
  hp_step_report step;
  hp_krylov_report k;
  if (!S->linear.uses_cpr || S->linear.cpr.rebuild != HP_CPR_EACH_RUN || !(S->first_dt > 0.0)) return HP_OK;
  move_wells(S, true, from, true);
  HP_TRY(hp_backend_put(S->backend, HP_SET_WELLS));
  HP_TRY(ops->assemble(S->backend, S->first_dt, true, false, -1, &step));
  HP_TRY(ops->solve(S->backend, 1.0, &k)); /* for its setup; the solution is of no use */
  return S->opt.observer != NULL ? S->opt.observer->solved(S->opt.observer->arg, S, 0, &k) : HP_OK;
}

/* ---- cells, from the file ---- */

static hp_status read_floats(const hp_restart *from, hp_array array, float *to) {
  enum { PIECE = 1 << 16 /* cells */ };
  const int numbers = hp_array_numbers(array);
  double *wide = NULL;
  hp_status s = HP_ALLOC_UNSET(wide, numbers * (from->ncell < PIECE ? from->ncell : PIECE));
  for (int64_t first = 0; s == HP_OK && first < from->ncell; first += PIECE) {
    const int64_t count = from->ncell - first < PIECE ? from->ncell - first : PIECE;
    s = hp_restart_read_cells(from, array, first, count, wide);
    for (int64_t n = 0; s == HP_OK && n < numbers * count; ++n) to[numbers * first + n] = (float)wide[n];
  }
  HP_FREE(wide);
  return s;
}

static hp_status read_source(void *arg, hp_array array, int64_t first, int64_t count, double *to) {
  return hp_restart_read_cells(arg, array, first, count, to);
}

static hp_status put_cells(hp_sim *S, const hp_restart *from, hp_arrays set) {
  hp_backend *B = S->backend;
  const hp_remote_source source = {.arg = (void *)(uintptr_t)from, .read = read_source};
  hp_backend_begin_put(B, set);
  HP_FOR_ARRAYS(n, set & B->has) {
    const hp_array a = (hp_array)n;
    HP_TRY(hp_ranks_agree(S->K, hp_reservoir_make(B->res, HP_ARRAY_BIT(hp_backend_array(B, a)))));
    void *cell = hp_backend_cell(B, a);
    if (S->K != NULL) HP_TRY(hp_subdomain_remote_put(B->D, &source, a, cell));
    else
      HP_TRY(hp_array_entries()[a].type == HP_TYPE_float ? read_floats(from, a, cell)
                                                         : hp_restart_read_cells(from, a, 0, from->ncell, cell));
  }
  return hp_backend_put(B, set);
}

/* ---- the state ---- */

static hp_status put_state(hp_sim *S, const hp_restart *from) {
  const hp_arrays state = (HP_ARRAYS_STATE & ~HP_ARRAYS_SHOWN) | HP_ARRAYS_OWN;
  hp_step_report step;
  move_wells(S, true, from, false);
  move_aquifers(S, true, from->rows[HP_RESTART_AQUIFERS].value);
  move_numerical(S, true, from->rows[HP_RESTART_NUMERICAL].value);
  move_groups(S, true, &from->rows[HP_RESTART_GROUPS]);
  hp_actions_move(S, true, from->rows[HP_RESTART_ACTIONS].nrow, from->rows[HP_RESTART_ACTIONS].value);
  HP_TRY(put_cells(S, from, state | HP_SET_WELLS));
  HP_TRY(S->backend->ops->start(S->backend, &step)); /* properties; rates and the balance it makes anew are put back: */
  move_wells(S, true, from, false);
  HP_TRY(hp_backend_put(S->backend, HP_SET_WELLS));
  HP_TRY(put_cells(S, from, HP_ARRAYS_CARRIED & ~HP_ARRAYS_ERROR));
  return (from->has & HP_ARRAYS_SHOWN) != 0 ? put_cells(S, from, HP_ARRAYS_OWN | HP_ARRAYS_SHOWN) : HP_OK;
}

/* A result of a run that estimated none: it begins here. */
static hp_status put_time_error(hp_sim *S, const hp_restart *from) {
  hp_time_error *e = &S->time_error;
  const hp_restart_rows *rows = &from->rows[HP_RESTART_TIME_ERROR];
  if (!e->on) return HP_OK;
  if ((from->has & HP_ARRAY_BIT(HP_ARRAY_ERROR)) == 0 || !is_whole(rows, 1, ERROR_COLUMNS)) {
    e->since = S->time;
    return HP_OK;
  }
  bool sound = unsound_column(S->c, rows, error_names) == NULL;
  for (int n = 0; n < rows->ncolumn; ++n) sound = sound && fabs(rows->value[n]) < 1e300;
  if (!sound)
    return hp_fail(HP_ERR_USAGE, "%s: what it keeps of report step %d is damaged: the error in time", from->base,
                   from->step);
  move_error(e, true, rows->value);
  return put_cells(S, from, HP_ARRAYS_ERROR);
}

/* The row kept of the first system stays with the run, for the next time. */
static hp_status restore_first_system(hp_sim *S, const hp_restart *from) {
  for (size_t n = 0; n < NAMED && S->keeps && S->first_dt > 0.0; ++n) {
    const hp_restart_table t = named[n].t;
    const hp_restart_rows *rows = &from->rows[t];
    if (!named[n].first || rows->value == NULL) continue;
    HP_TRY(create_rows(&S->kept, t, rows->nrow, rows->ncolumn, named[n].names));
    if (rows->nrow > 0)
      memcpy(S->kept.rows[t].value, rows->value, (size_t)(rows->nrow * rows->ncolumn) * sizeof *rows->value);
  }
  return HP_OK;
}

hp_status hp_checkpoint_resume(hp_sim *S, const hp_restart *from) {
  if (S->fingerprint == NULL) HP_TRY(hp_checkpoint_create(S));
  if (!is_whole(&from->rows[HP_RESTART_RUN], 1, RUN_COLUMNS))
    return hp_fail(HP_ERR_USAGE, "%s: was written by another version of hepta", from->base);
  const char *column = unsound_column(S->c, &from->rows[HP_RESTART_RUN], run_names);
  if (column != NULL)
    return hp_fail(HP_ERR_USAGE, "%s: its restart data of report step %d are damaged: %s", from->base, from->step,
                   column);
  move_run(S, true, from->rows[HP_RESTART_RUN].value);
  S->time = from->time;
  S->step = from->step;
  HP_TRY(compare_decks(S, from));
  HP_TRY(check_rows(S, from));
  HP_TRY(check_values(S, from));
  HP_TRY(restore_first_system(S, from));
  HP_TRY(change_trans(S, true)); /* the first system has those of the start, */
  HP_TRY(make_hierarchy(S, from));
  HP_TRY(change_trans(S, false)); /* the state those since then */
  HP_TRY(put_state(S, from));
  HP_TRY(put_time_error(S, from));
  if (from->changes != NULL && from->changes[0] != '\0') HP_TRY(hp_format(&S->kept.changes, "%s", from->changes));
  S->before = S->counts;
  S->suggested_dt = fmin(S->timestep.max, fmax(S->timestep.min, S->suggested_dt));
  return HP_OK;
}
