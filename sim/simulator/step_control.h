/* Step control suggests the length of the next step. */
#ifndef HP_SIM_STEP_CONTROL_H
#define HP_SIM_STEP_CONTROL_H

#include "io/case/case.h"

/* A step's estimate of the error in time (sim/simulator/time_error.h). */
typedef struct hp_step_sizes {
  double volume; /* v / sqrt(V), with v the volume that the step moved and V that of all steps, in pore volumes */
  double rates;  /* change of the field's rates since the step before, relative to all flow through wells */
  bool known;    /* `rates` is valid: nothing was opened, shut or changed before the step */
  double error;  /* estimated relative error of the production so far (kept: injection), before its correction */
  double both;   /* share of the lesser phase in the production, 0 .. 1/2 */
  double kept;   /* share of the injection for which nothing has been produced, 0 .. 1 */
} hp_step_sizes;

/* The error that is left after a correction, at most, relative to the correction (docs/developer/method.md). */
#define HP_TIME_ERROR_LEFT 0.3

/* `volume` and `rates` of a step whose error is 0.01 before its correction, found on the bundled decks
 * (docs/developer/method.md). A flood of one pore volume then takes 2 / VOLUME steps. */
#define HP_TIMESTEP_VOLUME 0.013
#define HP_TIMESTEP_RATES 0.2

/* The next step after a change that may move all rates is 1 + so many times shorter. */
#define HP_TIMESTEP_JUMP 4.0

/* Returns the step [s] to suggest after one of length dt that took `newton` iterations and changed saturations by at most
 * ds: within the deck's limits, the smallest step that the iterations, the change (Aziz & Settari 1979:
 * dt (1+w) ds* / (ds + w ds*), w = 1/2) and the error in time allow; the iterations count only where these do not allow
 * one twenty times as long. */
double hp_timestep_next(const hp_timestep_options *opt, double dt, int newton, double ds, const hp_step_sizes *sizes);

/* Returns the step towards `target` [s] nearest to `suggested`: it hits the target exactly and leaves no sliver before it. */
double hp_timestep_fit(double time, double target, double suggested);

#endif
