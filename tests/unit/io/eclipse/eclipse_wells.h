/* Two wells of a small Eclipse deck, and what its schedule makes of them. Include after `#define _POSIX_C_SOURCE 200809L`. */
#ifndef HP_TESTS_UNIT_IO_ECLIPSE_ECLIPSE_WELLS_H
#define HP_TESTS_UNIT_IO_ECLIPSE_ECLIPSE_WELLS_H

#include "tests/support/eclipse_deck.h"

#define BAR 1.0e5
#define DAY 86400.0

#define TWO_WELLS                                                 \
  "WELSPECS\n 'I' 'G' 1 1 1* WATER /\n 'P' 'G' 3 2 1* OIL /\n/\n" \
  "COMPDAT\n 'I' 2* 1 2 OPEN 2* 0.2 /\n 'P' 2* 1 2 OPEN 2* 0.2 /\n/\n"
#define TWO_CONTROLS "WCONINJE\n 'I' WATER OPEN RATE 50 1* 400 /\n/\nWCONPROD\n 'P' OPEN BHP 5* 150 /\n/\n"

static hp_case *schedule(const char *text) {
  deck d = deck_base();
  d.schedule = text;
  return deck_case(&d);
}

/* The control of a well that is in force from `time` on. */
HP_INLINE const hp_well_control *control_at(const hp_case *c, const char *well, double time) {
  static const hp_well_control none = {.injector = false};
  const hp_well_control *found = &none;
  for (int n = 0; n < c->nevent; ++n)
    if (strcmp(c->well[c->event[n].well].name, well) == 0 && c->event[n].time <= time) found = &c->event[n].control;
  return found;
}

HP_INLINE const hp_well_spec *well_of(const hp_case *c, const char *name) {
  static const hp_perf_spec no_perf;
  static hp_well_spec none;
  none.perf = (hp_perf_spec *)&no_perf;
  for (int n = 0; n < c->nwell; ++n)
    if (strcmp(c->well[n].name, name) == 0) return &c->well[n];
  CHECK(!"the well is there");
  return &none;
}

#endif
