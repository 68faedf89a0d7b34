/* One time step: Newton's method, repeated with a shorter step if it does not converge. */
#ifndef HP_SIM_TIME_STEP_H
#define HP_SIM_TIME_STEP_H

#include "sim/simulator/simulator.h"

/* Makes a step towards `stop` [s], no longer than the suggested one, counts its volumes, writes its rows and suggests
 * the next step. Returns HP_ERR_NUMERIC, with advice, if no step within the deck's limits converges. */
hp_status hp_time_step(hp_sim *S, double stop) HP_MUST_USE;

/* Writes the logs of wells that are due now, as the schedule of this time asks for them. Collective. */
hp_status hp_sim_write_logs(hp_sim *S, bool at_report) HP_MUST_USE;

#endif
