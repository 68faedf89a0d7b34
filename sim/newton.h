/* Newton's method for one time step. */
#ifndef HP_SIM_NEWTON_H
#define HP_SIM_NEWTON_H

#include "sim/simulator.h"

typedef struct hp_newton_report {
  bool converged;
  int iterations, linear; /* Newton updates made, linear iterations in all */
  int unconverged_linear;
  hp_norms norms;        /* of the last residual */
  double well_residual;  /* largest relative residual of a well's control, or excess over a limit */
  int worst_well;        /* -1: none */
  hp_control worst_mode; /* what that well obeys, or the limit */
  bool beyond;           /* it is a limit */
  double max_ds;         /* largest saturation change of the step [-]; hp_newton_accept fills it in */
  double seconds[HP_PROF_COUNT];
  bool singular; /* it failed in the preconditioner, at a singular block */
  char why[256]; /* why it failed: cell, equation, how big */
} hp_newton_report;

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

#endif
