/* Rows of the summary and of the solver's table after each time step. */
#ifndef HP_SIM_REPORT_ROWS_H
#define HP_SIM_REPORT_ROWS_H

#include "sim/simulator/simulator.h"

/* The rows of the step just made; `failed`: the cost of its failed attempts. */
hp_status hp_write_rows(hp_sim *S, const hp_newton_report *r, const hp_solver_row *failed) HP_MUST_USE;

#endif
