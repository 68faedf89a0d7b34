/* A few time steps of a bundled deck without files, for tests that compare them
 * to the last bit: between backends, teams and launch shapes.
 *
 *     hp_case *c = steps_schedule("linear.ordering=red-black");
 *     hp_sim *S = steps_begin(c, &options);
 *     outcome o;
 *     steps_advance(S, 4, &o);
 *     steps_withdraw(S, &o);
 *     HP_FREE(o.state);
 */
#ifndef HP_TESTS_SUPPORT_STEPS_H
#define HP_TESTS_SUPPORT_STEPS_H

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/deck/deck.h"
#include "sim/newton/newton.h"
#include "sim/run/run.h"
#include "tests/support/check.h"

typedef struct {
  double *state; /* [n] p, s, bhp, rates of the wells, in place, largest change one after the other */
  int64_t n;
  int newton, linear; /* iterations of all steps */
} outcome;

/* A bundled deck with --set options; ends the test if it cannot be read. */
static inline hp_case *steps_deck(const char *name, int nset, const char *const *set) {
  char deck[1024];
  const char *source = getenv("HEPTA_SOURCE");
  hp_diag diag;
  hp_case *c = NULL;
  snprintf(deck, sizeof deck, "%s/decks/%s", source != NULL ? source : ".", name);
  hp_diag_init(&diag);
  CHECK_OK(hp_case_read(deck, nset, set, &diag, &c));
  hp_diag_print(&diag, stderr);
  hp_diag_clear(&diag);
  if (c == NULL) exit(1);
  return c;
}

/* schedule.cfg on 12 x 12 x 3 cells with one more option, or NULL. */
static inline hp_case *steps_schedule(const char *option) {
  const char *set[] = {"grid.size=[12, 12, 3]", "wells.INJ.i=6", "wells.INJ.j=6",
                       "wells.P2.i=12",         "wells.P3.j=12", option};
  return steps_deck("schedule.cfg", option != NULL ? 6 : 5, set);
}

/* The same with aquifers of each kind, several in a cell, connections, and rock that does not come back where the table
 * of its region says so. deep: enough cells that each of two or three GPUs has some, 12 x 12 x 9, connections from one end to the
 * other, and a well along i through all of them. */
static inline hp_case *steps_with_features(bool deep, const char *option) {
  static const char wells[] =
      "wells=({name=\"INJ\";type=\"injector\";phase=\"water\";radius=0.1;control=\"rate\";rate=200.0;bhp=300.0;"
      "cells=((1,6,5,\"x\"),(2,6,5,\"x\"),(3,6,5,\"x\"),(4,6,5,\"x\"),(5,6,5,\"x\"),(6,6,5,\"x\"),(7,6,5,\"x\"),"
      "(8,6,5,\"x\"),(9,6,5,\"x\"),(10,6,5,\"x\"),(11,6,5,\"x\"),(12,6,5,\"x\"));},"
      "{name=\"P1\";type=\"producer\";i=2;j=2;radius=0.1;control=\"oil-rate\";oil_rate=120.0;bhp=100.0;},"
      "{name=\"P2\";type=\"producer\";i=12;j=4;radius=0.1;control=\"bhp\";bhp=150.0;},"
      "{name=\"P3\";type=\"producer\";i=5;j=12;radius=0.1;status=\"shut\";control=\"liquid-rate\";liquid_rate=80.0;bhp="
      "100.0;})";
  static const char aquifers[] =
      "aquifers=({type=\"fetkovich\";datum_depth=1820.0;compressibility=8e-5;volume=4e6;productivity=5.0;"
      "faces=({i=1;face=\"i-\";});},"
      "{type=\"carter-tracy\";datum_depth=1810.0;pressure=190.0;permeability=300.0;porosity=0.25;compressibility=9e-5;"
      "radius=400.0;thickness=24.0;angle=120.0;faces=({i=1;face=\"i-\";},{j=12;face=\"j+\";});},"
      "{type=\"flux\";flux=0.01;faces=({j=1;face=\"j-\";});})";
  static const char rock[] =
      "rock=({table=([50.0,0.9,0.5],[150.0,0.99,0.9],[200.0,1.0,1.0],[300.0,1.02,1.1]);irreversible=true;},"
      "{table=([50.0,0.8,0.5,0.4,0.3],[200.0,1.0,1.0,0.9,1.0],[300.0,1.02,1.1,1.2,1.3]);})";
  const char *flat[] = {"grid.size=[12, 12, 3]",
                        "wells.INJ.i=6",
                        "wells.INJ.j=6",
                        "wells.P2.i=12",
                        "wells.P3.j=12",
                        "grid.connections=((1,1,1,3,3,2,20.0),(2,1,1,5,4,1,5.0))",
                        aquifers,
                        rock,
                        "regions.rock={layers=({k=[1,2];value=1;},{k=3;value=2;});}",
                        option};
  const char *thick[] = {"grid.size=[12, 12, 9]",
                         wells,
                         "grid.connections=((1,1,1,12,12,9,20.0),(2,1,1,7,4,1,5.0),(6,1,3,11,4,1,2.0))",
                         aquifers,
                         rock,
                         "regions.rock={layers=({k=[1,5];value=1;},{k=[6,9];value=2;});}",
                         option};
  if (deep) return steps_deck("schedule.cfg", option != NULL ? 7 : 6, thick);
  return steps_deck("schedule.cfg", option != NULL ? 10 : 9, flat);
}
static inline hp_case *steps_features(const char *option) { return steps_with_features(false, option); }

/* A simulation with the wells' first controls. */
static inline hp_sim *steps_begin(hp_case *c, const hp_run_options *opt) {
  hp_sim *S = NULL;
  CHECK_OK(hp_sim_create(c, opt, "none", &S));
  if (S == NULL) exit(1);
  for (int e = 0; e < c->nevent && c->event[e].time <= 0.0; ++e)
    hp_wells_set_control(S->wells, c->event[e].well, &c->event[e].control);
  CHECK_OK(hp_backend_put(S->backend, HP_SET_WELLS));
  return S;
}

static inline double *steps_append(double *at, const double *from, int64_t count) {
  memcpy(at, from, (size_t)count * sizeof *at);
  return at + count;
}

static inline void steps_copy(hp_sim *S, double max_ds, outcome *out) {
  const int64_t ncell = S->res->ncell, nwell = S->wells->nwell;
  CHECK_OK(hp_backend_get(S->backend, HP_ARRAYS_STATE));
  CHECK_OK(hp_backend_get(S->backend, HP_SET_WELLS));
  out->n = 2 * ncell + 3 * nwell + 4;
  CHECK_OK(HP_ALLOC(out->state, out->n));
  double *at = steps_append(out->state, S->res->p, ncell);
  at = steps_append(at, S->res->s, ncell);
  at = steps_append(at, S->wells->bhp, nwell);
  for (int w = 0; w < nwell; ++w) at = steps_append(at, S->flow[w].rate, HP_PHASES);
  at = steps_append(at, S->now.mass, HP_PHASES);
  at = steps_append(at, &S->now.pressure, 1);
  steps_append(at, &max_ds, 1);
}

/* Accepted steps of 1, 2, ... days. The caller frees out->state. */
static inline void steps_advance(hp_sim *S, int steps, outcome *out) {
  double max_ds = 0.0;
  memset(out, 0, sizeof *out);
  for (int step = 0; step < steps; ++step) {
    hp_newton_report r;
    const double dt = 86400.0 * (1 + step);
    CHECK_OK(hp_newton_begin(S));
    CHECK_OK(hp_newton_solve(S, dt, &r));
    CHECK(r.converged && r.linear > 0);
    CHECK_OK(hp_newton_accept(S, dt, &r));
    max_ds = r.max_ds;
    out->newton += r.iterations;
    out->linear += r.linear;
  }
  CHECK(max_ds > 0.0 && max_ds < 1.0);
  steps_copy(S, max_ds, out);
}

/* A step that is withdrawn leaves nothing behind. */
static inline void steps_withdraw(hp_sim *S, const outcome *before) {
  const int64_t ncell = S->res->ncell;
  hp_newton_report r;
  double *own = NULL;
  CHECK_OK(HP_ALLOC(own, 2 * ncell));
  CHECK_OK(hp_newton_begin(S)); /* the state is the one that goes on, no longer the corrected one of `before` */
  CHECK_OK(hp_backend_get(S->backend, HP_ARRAYS_STATE));
  memcpy(own, S->res->p, (size_t)ncell * sizeof(double));
  memcpy(own + ncell, S->res->s, (size_t)ncell * sizeof(double));
  CHECK_OK(hp_newton_solve(S, 5.0 * 86400.0, &r));
  CHECK_OK(hp_backend_get(S->backend, HP_ARRAYS_STATE));
  CHECK(r.iterations > 0 && S->res->p[0] != own[0] && S->res->p[0] != before->state[0]);
  CHECK_OK(hp_newton_restore(S));
  CHECK_OK(hp_backend_get(S->backend, HP_ARRAYS_STATE));
  CHECK(memcmp(S->res->p, own, (size_t)ncell * sizeof(double)) == 0);
  CHECK(memcmp(S->res->s, own + ncell, (size_t)ncell * sizeof(double)) == 0);
  HP_FREE(own);
}

#endif
