/* Observed rates of a deck's wells (WCONHIST, WCONINJH, wells[].history_oil_rate), and what they add up to along a run. */
#ifndef HP_IO_CASE_HISTORY_H
#define HP_IO_CASE_HISTORY_H

#include "io/case/case.h"

HP_EXTERN_C_BEGIN

typedef struct hp_history_well {
  bool injector;
  int group;
  double efficiency;                           /* its own share of time */
  double rate[HP_PHASES];                      /* surface rates [m3/s], in the direction of its job */
  double bhp, thp;                             /* [Pa] 0: none */
  double made[HP_PHASES], injected[HP_PHASES]; /* surface volumes since time zero, by all shares of time [m3] */
} hp_history_well;

typedef struct hp_history_group {
  int parent;
  double efficiency;                           /* its share of time there */
  double made[HP_PHASES], injected[HP_PHASES]; /* the same of the wells while they were in it [m3] */
} hp_history_group;

typedef struct hp_history {
  const hp_case *c;        /* borrowed */
  int next, next_group;    /* events of wells and of groups */
  double time;             /* [s] */
  hp_history_well *well;   /* [c->nwell] */
  hp_history_group *group; /* [c->ngroup + 1] 0: FIELD */
} hp_history;

hp_status hp_history_create(const hp_case *c, hp_history *out) HP_MUST_USE;
void hp_history_destroy(hp_history *h);

/* Goes on to `time`, the end of a time step: what the schedule says at that very time does not hold yet. */
void hp_history_advance(hp_history *h, double time);

/* Share of time by which well w counts in group g, with those of the groups between; 0: it is not in it. */
double hp_history_share(const hp_history *h, int w, int g);

HP_EXTERN_C_END

#endif
