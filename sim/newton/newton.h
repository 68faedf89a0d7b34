/* Newton's method for one time step. */
#ifndef HP_SIM_NEWTON_H
#define HP_SIM_NEWTON_H

#include "sim/simulator/simulator.h"

/* Solves for the state at time + dt, starting from the state at hand. Not
 * converging is no error: report->why says it, and the caller restores. */
hp_status hp_newton_solve(hp_sim *S, double dt, hp_newton_report *report) HP_MUST_USE;

/* Begins a step: remembers the state, computes heads and first guesses of wells. */
hp_status hp_newton_begin(hp_sim *S) HP_MUST_USE;

/* Back to the remembered state after a failed attempt. */
hp_status hp_newton_restore(hp_sim *S) HP_MUST_USE;

/* Ends a converged step: carries the balance into the next one, leaves the
 * rates of the wells in S->flow and what is in place in S->now. */
hp_status hp_newton_accept(hp_sim *S, double dt, hp_newton_report *report) HP_MUST_USE;

/* Compares J with central differences of R at the state over a step dt; prints the largest discrepancy of every kind of entry
 * to f and returns the largest of all, relative to the largest entry by the same unknown. off_kinks as in
 * sim/backend/jacobian.h. After hp_newton_begin, whose state hp_newton_restore brings back. */
hp_status hp_jacobian_check(hp_sim *S, double dt, bool off_kinks, FILE *f, double *largest) HP_MUST_USE;

#endif
