/* One time step: Newton's method, again with a shorter step where it does not converge. */
#ifndef HP_SIM_TIME_STEP_H
#define HP_SIM_TIME_STEP_H

#include "sim/simulator/simulator.h"

/* Makes a step towards `stop` [s], no longer than the suggested one, counts its volumes, writes its rows and suggests
 * the next. HP_ERR_NUMERIC, with advice: no step within the deck's limits converges. */
hp_status hp_time_step(hp_sim *S, double stop) HP_MUST_USE;

#endif
