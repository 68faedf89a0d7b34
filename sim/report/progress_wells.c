/* Lines about wells, after each time step that is kept: another control governs, nothing flows, it flows again. What
 * the schedule asks for is no news and goes to the log only, as does what governs a group; a well that goes to and fro has LINES_MOST lines on
 * standard error. Log and events get all. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "sim/report/progress_impl.h"

enum { LINES_MOST = 6 };

hp_status hp_progress_wells_start(hp_sim *S, const uint8_t *mode) {
  hp_progress *P = S->progress;
  HP_TRY(HP_ALLOC(P->well, S->wells->nwell));
  HP_TRY(HP_ALLOC(P->group, S->groups.count));
  for (int w = 0; w < S->wells->nwell; ++w) {
    P->well[w].asked = (uint8_t)S->wells->control[w].control;
    P->well[w].mode = mode != NULL ? mode[w] : P->well[w].asked;
  }
  return HP_OK;
}

/* In the deck's words: an injector's surface rate is its "rate". */
static const char *control_text(const hp_sim *S, int w, hp_control c) {
  const bool surface = c == HP_CONTROL_WRAT || c == HP_CONTROL_ORAT;
  return S->wells->control[w].injector && surface ? "rate" : hp_control_name(c);
}

/* "  12.5 day  I1 now on bhp (was rate)" */
static void say_of_well(hp_sim *S, int w, bool wanted, const char *what) {
  hp_progress *P = S->progress;
  hp_reported_well *reported = &P->well[w];
  const bool shown = wanted && reported->lines < LINES_MOST;
  if (shown) reported->lines += 1;
  char text[400];
  snprintf(text, sizeof text, "  %s  %s %s%s", hp_progress_time(S, S->time).s, S->c->well[w].name, what,
           shown && reported->lines == LINES_MOST ? " (more about this well in --log and --json)" : "");
  hp_progress_line(P, shown, text);
}

static void report_control(hp_sim *S, int w, hp_control from, hp_control to, bool scheduled) {
  char what[96];
  snprintf(what, sizeof what, "now %s%s (was %s)", to == HP_CONTROL_SHUT ? "" : "on ", control_text(S, w, to),
           control_text(S, w, from));
  say_of_well(S, w, !scheduled, what);
  hp_progress_event_control(S, w, from, to);
}

/* Open, at a limit of pressure, and nothing comes or goes: the pressure around it lies on the other side. A producer at its
 * tubing-head pressure does not wait (sim/run/economy.c). */
static bool stands_still(const hp_sim *S, int w) {
  const int mode = S->flow[w].mode;
  const bool waits = mode == HP_CONTROL_BHP || (mode == HP_CONTROL_THP && S->wells->control[w].injector);
  return waits && hp_step_well_rests(&S->flow[w]);
}

static void report_still(hp_sim *S, int w, bool still) {
  hp_progress *P = S->progress;
  char what[192];
  if (still)
    snprintf(what, sizeof what, "stands still: at its bhp of %.5g %s nothing flows %s%s",
             S->flow[w].bhp / S->c->units.factor[HP_UNIT_PRESSURE], S->c->units.label[HP_UNIT_PRESSURE],
             S->wells->control[w].injector ? "out of it" : "into it",
             P->told_of_waiting
                 ? ""
                 : "; it waits until something does (OPM Flow shuts such a well until its next control)");
  else snprintf(what, sizeof what, "flows again");
  P->told_of_waiting = P->told_of_waiting || still;
  say_of_well(S, w, true, what);
  hp_progress_event_still(S, w, still);
}

/* "  12.5 day  group G1 now on oil_rate (was on liquid_rate, of a group above)" */
static void report_target(hp_sim *S, int g, bool injection, int from, int to) {
  static const char *const name[2][6] = {{"none", "oil_rate", "water_rate", "", "liquid_rate", "reservoir_rate"},
                                         {"none", "injection_rate", "injection_volume", "reinjection", "voidage", ""}};
  char text[320];
  snprintf(text, sizeof text, "  %s  group %s now on %s%s (was %s%s)", hp_progress_time(S, S->time).s,
           hp_case_group_name(S->c, g), name[injection][abs(to)], to < 0 ? " of a group above" : "",
           name[injection][abs(from)], from < 0 ? " of a group above" : "");
  hp_progress_line(S->progress, false, text);
}

static void report_groups(hp_sim *S) {
  for (int g = 0; g < S->groups.count; ++g) {
    const int now[2] = {S->group_row[g].production, S->group_row[g].injection};
    for (int n = 0; n < 2; ++n) {
      int *was = &S->progress->group[g][n];
      if (now[n] != *was) report_target(S, g, n == 1, *was, now[n]);
      *was = now[n];
    }
  }
}

hp_status hp_progress_wells(hp_sim *S) {
  hp_progress *P = S->progress;
  if (P->group == NULL) HP_TRY(hp_progress_wells_start(S, NULL));
  for (int w = 0; w < S->wells->nwell; ++w) {
    hp_reported_well *reported = &P->well[w];
    const hp_control from = (hp_control)reported->mode, to = (hp_control)S->flow[w].mode;
    const hp_control asked = S->wells->control[w].control;
    const bool still = stands_still(S, w), scheduled = to == asked && (hp_control)reported->asked != asked;
    reported->mode = (uint8_t)to;
    reported->asked = (uint8_t)asked;
    if (from != to) report_control(S, w, from, to, scheduled);
    if (still != reported->still && (still || to != HP_CONTROL_SHUT)) report_still(S, w, still);
    reported->still = still;
  }
  report_groups(S);
  return HP_OK;
}
