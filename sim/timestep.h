/* Step control: how long the next step should be. */
#ifndef HP_SIM_TIMESTEP_H
#define HP_SIM_TIMESTEP_H

#include "io/case.h"

/* The step [s] to wish for after one of length dt that took `newton`
 * iterations and changed saturations by at most ds: grows while iterations
 * are few and changes small, within the deck's limits. The saturation rule is
 * that of Aziz & Settari (1979): dt (1+w) ds* / (ds + w ds*), w = 1/2. */
double hp_timestep_next(const hp_timestep_options *opt, double dt, int newton, double ds);

/* The step to take towards `target` [s] when `wish` is wanted: hits the target
 * exactly and leaves no sliver before it. */
double hp_timestep_fit(double time, double target, double wish);

#endif
