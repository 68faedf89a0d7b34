/* Economic limits of wells (WECON) and groups (GECON), and producers that cannot flow at their tubing-head pressure, after every
 * time step.
 *
 * A producer below its smallest oil or liquid rate is shut. One above its
 * largest water cut gets its workover: the completion with the highest water
 * cut is shut (a perforation, or several with one number), or that one and all below it, or the well; or the run stops,
 * where a deck would have its rate cut back (WCUTBACK). The schedule opens
 * wells and perforations again, or a test does (WTEST): the well then flows
 * for a time step, through all perforations that its limits have shut, and is
 * judged after it like any other. A producer whose lift table asks for more than
 * its cells give at every rate is shut as a whole.
 *
 * A group below its smallest oil rate loses all its producers. One above its largest water cut gets its workover, once a step, in
 * the producer of the highest water cut, or loses all. The run ends at the next report once all producers of a group are shut that
 * says so, whatever has shut them.
 */
#include <math.h>
#include <stdio.h>

#include "sim/report/progress.h"
#include "sim/run/run.h"
#include "sim/simulator/simulator.h"

static double water_cut(const double q[HP_PHASES]) {
  const double oil = q[HP_OIL] > 0.0 ? q[HP_OIL] : 0.0, water = q[HP_WATER] > 0.0 ? q[HP_WATER] : 0.0;
  return oil + water > 0.0 ? water / (oil + water) : 0.0;
}

/* Nothing flows at its tubing-head pressure. */
static bool has_died(const hp_sim *S, int w) {
  return S->flow[w].mode == HP_CONTROL_THP && !S->wells->control[w].injector && hp_step_well_rests(&S->flow[w]);
}

static bool is_watched(const hp_sim *S, int w) {
  const hp_well_control *c = &S->wells->control[w];
  const bool limits = has_died(S, w) || c->min_oil_rate > 0.0 || c->min_liquid_rate > 0.0 || c->max_water_cut > 0.0;
  return limits && !c->injector && S->flow[w].mode != HP_CONTROL_SHUT;
}

/* The quantity that is too little or too much, "" if none; *ratio: it is the water cut. */
static void judge_well(const hp_sim *S, int w, char why[128], bool *ratio) {
  const hp_well_control *e = &S->wells->control[w];
  const double *q = S->flow[w].rate, unit = S->c->units.factor[HP_UNIT_RATE];
  const char *label = S->c->units.label[HP_UNIT_RATE];
  why[0] = '\0';
  *ratio = false;
  if (has_died(S, w)) {
    snprintf(why, 128, "nothing can flow at a tubing-head pressure of %.5g %s",
             e->limit[HP_CONTROL_THP] / S->c->units.factor[HP_UNIT_PRESSURE], S->c->units.label[HP_UNIT_PRESSURE]);
    return;
  }
  if (q[HP_OIL] < e->min_oil_rate)
    snprintf(why, 128, "oil rate %.4g below %.4g %s", q[HP_OIL] / unit, e->min_oil_rate / unit, label);
  else if (q[HP_OIL] + q[HP_WATER] < e->min_liquid_rate)
    snprintf(why, 128, "liquid rate %.4g below %.4g %s", (q[HP_OIL] + q[HP_WATER]) / unit, e->min_liquid_rate / unit,
             label);
  else if (e->max_water_cut > 0.0 && water_cut(q) > e->max_water_cut && e->workover != HP_WORKOVER_NONE) {
    snprintf(why, 128, "water cut %.4g above %.4g", water_cut(q), e->max_water_cut);
    *ratio = true;
  }
}

static bool is_completed_with(const hp_wells *W, int64_t a, int64_t b) {
  return a == b || (W->spec[a].completion > 0 && W->spec[a].completion == W->spec[b].completion);
}

/* An open completion of well w. */
typedef struct completion {
  int64_t first; /* perforation; -1: there is none */
  int open;      /* perforations */
  double top;    /* depth of the highest one [m] */
  double cut;
} completion;

static completion completion_of(const hp_wells *W, int w, int64_t first) {
  completion c = {.first = first, .top = INFINITY};
  double rate[HP_PHASES] = {0.0};
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    if (!(W->wi[q] > 0.0) || !is_completed_with(W, q, first)) continue;
    for (int a = 0; a < HP_PHASES; ++a) rate[a] += W->rate[q].q[a];
    c.top = fmin(c.top, W->depth[q]);
    c.open += 1;
  }
  c.cut = water_cut(rate);
  return c;
}

/* The one with the highest water cut; the host's wells are up to date. */
static completion worst_completion(const hp_wells *W, int w) {
  completion worst = {.first = -1};
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    if (!(W->wi[q] > 0.0)) continue;
    const completion c = completion_of(W, w, q);
    if (worst.first < 0 || c.cut > worst.cut) worst = c;
  }
  return worst;
}

/* Opens or shuts the perforations of well w that its limits have shut. */
static hp_status put_limited(hp_sim *S, int w, hp_perf_state state) {
  hp_wells *W = S->wells;
  const int64_t first = W->begin[w], last = W->begin[w + 1];
  for (int64_t q = first; q < last; ++q) {
    if (!S->limited[q]) continue;
    int ijk[3];
    hp_grid_ijk(S->c->grid, W->cell[q], ijk);
    hp_perf_event change = {.well = w, .state = state, .multiply = 1.0};
    for (int d = 0; d < 3; ++d) change.first[d] = change.last[d] = ijk[d];
    HP_TRY(hp_wells_change(W, S->c->grid, &change));
  }
  return HP_OK;
}

void hp_sim_forget_limited(hp_sim *S, const hp_perf_event *event) {
  const hp_wells *W = S->wells;
  for (int64_t q = W->begin[event->well]; q < W->begin[event->well + 1]; ++q) {
    int ijk[3];
    hp_grid_ijk(S->c->grid, W->cell[q], ijk);
    if (event->state != HP_PERF_KEEP && hp_perf_event_covers(event, ijk)) S->limited[q] = false;
  }
}

/* A workover of well w, at whose perforations the host's wells have rates: the completion of the highest water cut is limited, and
 * with `below` all perforations deeper than its highest one. */
static completion work_over(hp_sim *S, int w, bool below) {
  const hp_wells *W = S->wells;
  const completion worst = worst_completion(W, w);
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
    if (W->wi[q] > 0.0 && (is_completed_with(W, q, worst.first) || (below && W->depth[q] > worst.top)))
      S->limited[q] = true;
  return worst;
}

static double days(const hp_sim *S) { return S->time / S->c->units.factor[HP_UNIT_TIME]; }

/* Shuts the wettest completion of well w, or it and all below; *all: nothing is open any more. `why` begins with who says so. */
static hp_status shut_part(hp_sim *S, int w, bool below, const char *why, bool *all) {
  const hp_wells *W = S->wells;
  const completion worst = work_over(S, w, below);
  int ijk[3];
  char what[64];
  hp_grid_ijk(S->c->grid, W->cell[worst.first], ijk);
  snprintf(what, sizeof what, "perforation (%d, %d, %d)", ijk[0] + 1, ijk[1] + 1, ijk[2] + 1);
  if (worst.open > 1) snprintf(what, sizeof what, "completion %d", W->spec[worst.first].completion);
  hp_progress_note(S, "time %.6g %s: %s: %s%s shut", days(S), S->c->units.label[HP_UNIT_TIME], why, what,
                   below ? " and all below it" : "");
  HP_TRY(put_limited(S, w, HP_PERF_SHUT));
  hp_time_error_jump(S, 1.0);
  *all = W->mode[w] == HP_CONTROL_SHUT;
  return HP_OK;
}

static void shut_well(hp_sim *S, int w, int by) {
  hp_wells *W = S->wells;
  const hp_control control = W->deck_control[w].control;
  hp_well_control shut = W->deck_control[w];
  shut.control = HP_CONTROL_SHUT;
  hp_time_error_event(S, w, &shut);
  hp_wells_set_control(W, w, &shut);
  hp_given_up *g = &S->given_up[w];
  const bool tested = g->tests > 0 && g->since >= (S->time - S->dt) * (1.0 - 1e-12);
  *g = (hp_given_up){true, by, control, tested ? g->since : S->time, tested ? g->tests : 0};
}

static hp_status give_up(hp_sim *S, int w, const char *why, bool ratio) {
  const hp_well_control e = S->wells->control[w];
  const char *unit = S->c->units.label[HP_UNIT_TIME], *name = S->c->well[w].name;
  const bool died = has_died(S, w);
  bool all = true;
  char who[192];
  if (ratio && e.workover == HP_WORKOVER_STOP)
    return hp_fail(
        HP_ERR_NUMERIC,
        "stopped at time %.6g %s: well %s: %s, where the run is to end (WCUTBACK, workover = \"stop\"): rates are "
        "not cut back. Give the well another rate from here on, or no such limit",
        days(S), unit, name, why);
  snprintf(who, sizeof who, "well %s: %s", name, why);
  hp_time_error_limit(S, w);
  if (ratio && e.workover != HP_WORKOVER_WELL) {
    HP_TRY(shut_part(S, w, e.workover == HP_WORKOVER_BELOW, who, &all));
    if (!all) return HP_OK;
  } else {
    hp_progress_note(S, "time %.6g %s: %s: shut", days(S), unit, who);
  }
  shut_well(S, w, died ? HP_GIVEN_UP_LIFT : HP_GIVEN_UP_ECONOMY);
  S->ending = S->ending || (e.end_run && !died);
  return HP_OK;
}

/* ---- groups ---- */

static bool is_producer_of(const hp_sim *S, int w, int g) {
  const hp_well_control *c = &S->wells->deck_control[w];
  return !c->injector && hp_group_is_below(&S->groups, c->group, g);
}

/* It flowed in the step, and no limit has shut it since. */
static bool still_flows(const hp_sim *S, int w) { return S->flow[w].mode != HP_CONTROL_SHUT && !S->given_up[w].is; }

static bool any_flows(const hp_sim *S, int g) {
  for (int w = 0; w < S->wells->nwell; ++w)
    if (is_producer_of(S, w, g) && still_flows(S, w)) return true;
  return false;
}

/* As judge_well; rates are those of GOPR and GWPR. */
static void judge_group(const hp_sim *S, int g, char why[128], bool *ratio) {
  const hp_group_control *limits = &S->groups.of[g].control;
  const double unit = S->c->units.factor[HP_UNIT_RATE];
  why[0] = '\0';
  *ratio = false;
  if (!(limits->min_oil_rate > 0.0 || limits->max_water_cut > 0.0) || !any_flows(S, g)) return;
  const hp_flow flow = g == 0 ? hp_sim_field_flow(S) : hp_sim_group_flow(S, g);
  if (flow.rate[HP_OIL] < limits->min_oil_rate)
    snprintf(why, 128, "oil rate %.4g below %.4g %s", flow.rate[HP_OIL] / unit, limits->min_oil_rate / unit,
             S->c->units.label[HP_UNIT_RATE]);
  else if (limits->max_water_cut > 0.0 && limits->workover != HP_GROUP_WORKOVER_NONE &&
           water_cut(flow.rate) > limits->max_water_cut) {
    snprintf(why, 128, "water cut %.4g above %.4g", water_cut(flow.rate), limits->max_water_cut);
    *ratio = true;
  }
}

/* The producer of the highest water cut that flows. */
static int wettest(const hp_sim *S, int g) {
  int found = -1;
  for (int w = 0; w < S->wells->nwell; ++w)
    if (is_producer_of(S, w, g) && still_flows(S, w) &&
        (found < 0 || water_cut(S->flow[w].rate) > water_cut(S->flow[found].rate)))
      found = w;
  return found;
}

static hp_status give_up_group(hp_sim *S, int g, const char *why, bool ratio) {
  const int workover = S->groups.of[g].control.workover;
  const bool one = ratio && workover != HP_GROUP_WORKOVER_ALL;
  const int worst = one ? wettest(S, g) : -1;
  const char *unit = S->c->units.label[HP_UNIT_TIME], *group = hp_case_group_name(S->c, g);
  bool all = true;
  for (int w = 0; w < S->wells->nwell; ++w) {
    char who[256];
    if (one ? w != worst : !is_producer_of(S, w, g) || !still_flows(S, w)) continue;
    hp_time_error_limit(S, w);
    snprintf(who, sizeof who, "group %s: %s: well %s", group, why, S->c->well[w].name);
    if (one && workover != HP_GROUP_WORKOVER_WELL)
      HP_TRY(shut_part(S, w, workover == HP_GROUP_WORKOVER_BELOW, who, &all));
    else hp_progress_note(S, "time %.6g %s: %s shut", days(S), unit, who);
    if (all) shut_well(S, w, HP_GIVEN_UP_GROUP);
  }
  return HP_OK;
}

/* Its producers have made something, and all are shut. */
static bool has_ended(const hp_sim *S, int g) {
  double made = 0.0;
  for (int w = 0; w < S->wells->nwell; ++w) {
    if (!is_producer_of(S, w, g)) continue;
    if (S->wells->control[w].control != HP_CONTROL_SHUT) return false;
    made += S->totals[w].total[HP_OIL] + S->totals[w].total[HP_WATER];
  }
  return made > 0.0;
}

/* Those above others come later: what is shut by then counts. */
static hp_status group_limits(hp_sim *S, bool *fetched) {
  for (int n = 0; n < S->groups.count; ++n) {
    const int g = S->groups.order[n];
    char why[128];
    bool ratio;
    judge_group(S, g, why, &ratio);
    if (why[0] != '\0') {
      if (!*fetched) HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
      *fetched = true;
      HP_TRY(give_up_group(S, g, why, ratio));
    }
    if (S->ending || !S->groups.of[g].control.end_run || !has_ended(S, g)) continue;
    S->ending = true;
    hp_progress_note(S, "time %.6g %s: group %s: all its producers are shut: the run ends at the next report", days(S),
                     S->c->units.label[HP_UNIT_TIME], hp_case_group_name(S->c, g));
  }
  return HP_OK;
}

/* ---- tests ---- */

static bool is_due(const hp_sim *S, int w) {
  const hp_given_up *g = &S->given_up[w];
  const hp_well_control *c = &S->wells->control[w];
  const int other = g->by == HP_GIVEN_UP_LIFT ? HP_TESTS_ECONOMY : HP_TESTS_LIFT;
  return g->is && g->by != HP_GIVEN_UP_GROUP && c->tests_of != other && c->test_interval > 0.0 &&
         !(c->max_tests > 0.0 && g->tests >= c->max_tests) && S->time >= (g->since + c->test_interval) * (1.0 - 1e-12);
}

static hp_status open_for_test(hp_sim *S, int w) {
  hp_given_up *g = &S->given_up[w];
  HP_TRY(put_limited(S, w, HP_PERF_OPEN));
  for (int64_t q = S->wells->begin[w]; q < S->wells->begin[w + 1]; ++q) S->limited[q] = false;
  hp_well_control open = S->wells->deck_control[w];
  open.control = g->control;
  hp_time_error_event(S, w, &open);
  hp_wells_set_control(S->wells, w, &open);
  *g = (hp_given_up){false, HP_GIVEN_UP_ECONOMY, g->control, S->time, g->tests + 1};
  hp_progress_note(S, "time %.6g %s: well %s: opened for test %d", S->time / S->c->units.factor[HP_UNIT_TIME],
                   S->c->units.label[HP_UNIT_TIME], S->c->well[w].name, g->tests);
  return HP_OK;
}

/* The cash flow without the cost of wells, over a step or since the last report. */
static void judge_money(hp_sim *S) {
  const int when = S->c->economics.end_at_loss;
  const bool report = when == HP_LOSS_REPORT, at_report = S->time >= S->c->report[S->at.report];
  const double made = report ? S->money.earned - S->money.reported : S->money.rate * S->dt;
  if (!S->c->economics.given) return;
  if (at_report) S->money.reported = S->money.earned;
  if (when == HP_LOSS_NEVER || made >= 0.0 || (report && !at_report) || S->ending) return;
  S->ending = true;
  hp_progress_note(S, "time %.6g %s: the field makes a loss, %.4g in %s: the run ends at the next report", days(S),
                   S->c->units.label[HP_UNIT_TIME], -made, report ? "the time since the last report" : "this step");
}

hp_status hp_sim_economy(hp_sim *S) {
  bool fetched = false;
  judge_money(S);
  for (int w = 0; w < S->wells->nwell; ++w) {
    char why[128] = "";
    bool ratio = false;
    if (is_watched(S, w)) judge_well(S, w, why, &ratio);
    if (why[0] == '\0' && !is_due(S, w)) continue;
    if (!fetched) HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
    fetched = true;
    HP_TRY(why[0] != '\0' ? give_up(S, w, why, ratio) : open_for_test(S, w));
  }
  HP_TRY(group_limits(S, &fetched));
  if (!fetched) return HP_OK;
  hp_groups_weigh(&S->groups, S->wells);
  return hp_backend_put(S->backend, HP_SET_WELLS);
}
