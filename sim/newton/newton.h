/* Newton's method for one time step. */
#ifndef HP_SIM_NEWTON_H
#define HP_SIM_NEWTON_H

#include "sim/simulator/simulator.h"

/* Solves for the state at time + dt, starting from the present state. Divergence is no error: report->why names the
 * reason, and the caller restores the state. */
hp_status hp_newton_solve(hp_sim *S, double dt, hp_newton_report *report) HP_MUST_USE;

/* Begins a step: remembers the state, computes heads and first guesses of wells. */
hp_status hp_newton_begin(hp_sim *S) HP_MUST_USE;

/* Restores the remembered state after a failed attempt. */
hp_status hp_newton_restore(hp_sim *S) HP_MUST_USE;

/* Ends a converged step: carries the balance into the next one, and leaves the well rates in S->flow and the volumes in
 * place in S->now. */
hp_status hp_newton_accept(hp_sim *S, double dt, hp_newton_report *report) HP_MUST_USE;

/* Compares J with central differences of R at the state over a step dt; prints the largest discrepancy of every kind of entry
 * to f and returns the largest of all, relative to the largest entry by the same unknown. off_kinks is that of
 * sim/backend/jacobian.h. Call it after hp_newton_begin; hp_newton_restore restores the state. */
hp_status hp_jacobian_check(hp_sim *S, double dt, bool off_kinks, FILE *f, double *largest) HP_MUST_USE;

#endif
