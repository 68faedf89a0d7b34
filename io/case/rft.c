#include "io/case/rft.h"

#include <math.h>

#include "core/memory.h"
#include "io/case/case.h"

hp_status hp_rft_ask(hp_case *c, const hp_rft_request *request) {
  hp_output_options *o = &c->output;
  HP_TRY(HP_GROW(o->rft, o->nrft, 1));
  o->rft[o->nrft++] = *request;
  return HP_OK;
}

/* Times that differ by rounding are one. */
static double until(double time) { return time * (1.0 + 1e-12) + 1e-6; }

/* When the schedule opens the well for the first time. */
static double opening(const hp_case *c, int w) {
  for (int n = 0; n < c->nevent; ++n)
    if (c->event[n].well == w && c->event[n].control.control != HP_CONTROL_SHUT) return c->event[n].time;
  return INFINITY;
}

static bool is_due(const hp_case *c, int w, const hp_rft_request *r, double time, bool at_report) {
  const bool now = until(r->time) >= time;
  switch (r->when) {
    case HP_RFT_WHEN_REPORTS: return now || at_report;
    case HP_RFT_WHEN_ONCE: return now;
    case HP_RFT_WHEN_OPENING: {
      const double opens = opening(c, w);
      return opens <= until(time) && until(fmax(opens, r->time)) >= time;
    }
    case HP_RFT_WHEN_STEPS: return true;
    default: return false;
  }
}

unsigned hp_rft_due(const hp_case *c, int w, double time, bool at_report) {
  const unsigned all = 1u << HP_RFT_DATA_RFT | 1u << HP_RFT_DATA_PLT;
  unsigned found = 0, due = 0;
  for (int n = c->output.nrft - 1; n >= 0 && found != all; --n) {
    const hp_rft_request *r = &c->output.rft[n];
    const unsigned says = (r->data == HP_RFT_DATA_BOTH ? all : 1u << r->data) & ~found;
    if (r->time > until(time) || says == 0 || !hp_name_matches(r->well, c->well[w].name)) continue;
    found |= says;
    if (is_due(c, w, r, time, at_report)) due |= says;
  }
  return due;
}

double hp_rft_next(const hp_case *c, double time) {
  double next = INFINITY;
  for (int n = 0; n < c->output.nrft && c->output.eclipse; ++n)
    if (c->output.rft[n].time > until(time)) next = fmin(next, c->output.rft[n].time);
  return next;
}
