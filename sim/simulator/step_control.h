/* Step control: how long the next step should be. */
#ifndef HP_SIM_STEP_CONTROL_H
#define HP_SIM_STEP_CONTROL_H

#include "io/case/case.h"

/* A step's estimate of the error in time (sim/simulator/time_error.h). */
typedef struct hp_step_sizes {
  double volume; /* v / sqrt(V): what the step moved and what was moved so far, in pore volumes */
  double rates;  /* change of the field's rates since the step before, in all that flows through wells */
  bool known;    /* `rates` is: nothing was opened, shut or changed before the step */
  double error;  /* estimated error of what was produced (kept: injected) so far, relative, before its correction */
  double both;   /* share of the phase that less was produced of, 0 .. 1/2 */
  double kept;   /* share of what was injected for which nothing has been produced, 0 .. 1 */
} hp_step_sizes;

/* The part of a correction that the error after it is taken to be, at most (docs/developer/method.md). */
#define HP_TIME_ERROR_LEFT 0.3

/* `volume` of a step and `rates` for an error of 0.01 before its correction. A flood of one pore volume then takes 2 / VOLUME
 * steps. Found on the bundled decks (docs/developer/method.md). */
#define HP_TIMESTEP_VOLUME 0.013
#define HP_TIMESTEP_RATES 0.2

/* The next step after a change that may move all rates is 1 + so many times shorter. */
#define HP_TIMESTEP_JUMP 4.0

/* The step [s] to suggest after one of length dt that took `newton`
 * iterations, changed saturations by at most ds and has these sizes: within the deck's limits the smallest of what
 * iterations, the change (Aziz & Settari 1979: dt (1+w) ds* / (ds + w ds*), w = 1/2) and the error in time allow. */
double hp_timestep_next(const hp_timestep_options *opt, double dt, int newton, double ds, const hp_step_sizes *sizes);

/* The step to take towards `target` [s] when `suggested` is wanted: hits the target
 * exactly and leaves no sliver before it. */
double hp_timestep_fit(double time, double target, double suggested);

#endif
