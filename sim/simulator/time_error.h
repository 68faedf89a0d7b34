/* The error in time is estimated along the run, reported at its end, and controls the length of the next step. This header
 * has the quantities of the whole run; sim/step/time_error.inl.h has the estimate.
 *
 *     hp_time_error_weight    before a step is accepted: how far its own error can be known
 *     hp_time_error_step      after it: carries the error, adds to that of the volumes, sizes for the control
 *     hp_time_error_event     the schedule changes a well: rates jump, and the next step is short
 *     hp_time_error_shorten   after all changes of a time
 */
#ifndef HP_SIM_STEP_TIME_ERROR_H
#define HP_SIM_STEP_TIME_ERROR_H

#include "sim/simulator/step_control.h"
#include "sim/step/step.h"

HP_EXTERN_C_BEGIN

struct hp_sim;

/* Factors of what is told (docs/developer/method.md). If rates change within steps by a part of the volume: the error over the square of
 * that part of all, and over that of the phase or of all; of the latter over its cube beyond HP_TIME_ERROR_SMALL, where an estimate of
 * small errors no longer holds. */
#define HP_TIME_ERROR_TURNS_ALL 0.5
#define HP_TIME_ERROR_TURNS 0.38
#define HP_TIME_ERROR_SMALL 0.05
/* Over the volume that a rate would make in a step by what its change differs from that before by. */
#define HP_TIME_ERROR_BENDS (1.0 / 60.0)
/* Over what has not been taken, what had not where wells changed their job, and what wells that limits closed made. */
#define HP_TIME_ERROR_REST 2.4
#define HP_TIME_ERROR_DROPPED 0.2
#define HP_TIME_ERROR_SHUT 1.4
/* Over errors whose causes the Jacobian does not know all of: injection that follows production, shares of targets, rock that stays
 * compacted. */
#define HP_TIME_ERROR_FOLLOWS 2.2
#define HP_TIME_ERROR_SHARES 0.45
#define HP_TIME_ERROR_STAYS 0.25

/* Tolerance of the solve that carries the error, over that of Newton's systems. Its residual is carried, too. A preconditioner without
 * a system of pressures leaves over what changes rates: where steps move less than HP_TIME_ERROR_SHORT of the pores over the cube root
 * of all that was moved, few iterations make it smaller by the square of that part, down to a hundredth. */
#define HP_TIME_ERROR_TOLERANCE 3.0
#define HP_TIME_ERROR_SHORT 0.003

typedef struct hp_time_error {
  bool on;         /* timestep.accuracy > 0 */
  bool follows;    /* the next step starts with the rates of change of the last one */
  double since;    /* [s] start of the estimate: 0, or where a result without it was continued */
  double deferred; /* [s] length of a step whose error the next step estimates; 0: none */
  double jump;     /* [-] share of the rates that the changes of this time may move, 0 .. 1 */
  double produced[HP_PHASES], injected[HP_PHASES]; /* errors of the field's volumes so far [m3]; */
  /* [m3] of what wells produced, [0], and injected, [1]: the largest corrections so far, corrections of wells that have changed their
   * job, and the sum of half of the change of rates in each step, times its length */
  double corrected_most[2][HP_PHASES], past[2][HP_PHASES], turned[2][HP_PHASES];
  /* [m3] likewise: what rates would have made by the changes of their change, errors of which the estimate does not know all, each
   * times what they leave, and what had not been taken of wells when they changed their job */
  double bent[2][HP_PHASES], unknown[2][HP_PHASES], dropped[2][HP_PHASES];
  /* [m3] production of wells in the step at whose end an economic limit closed them or a part of them */
  double shut[HP_PHASES];
  double moved;        /* volume so far through wells, or between cells if that is more, over the pore volume [-] */
  hp_step_sizes sizes; /* of the last step */
  int64_t linear;      /* iterations of the solves of the estimate */
} hp_time_error;

/* Returns hp_step's error_weight for a step of length dt. */
double hp_time_error_weight(const struct hp_sim *S, double dt);

/* Called after hp_newton_accept of a step of length dt with `newton` iterations; S->flow holds its rates and S->totals those
 * of the step before. */
hp_status hp_time_error_step(struct hp_sim *S, double dt, double weight, int newton,
                             const hp_step_report *step) HP_MUST_USE;

/* Well w is about to obey `control` instead of what W->deck_control says. */
void hp_time_error_event(struct hp_sim *S, int w, const hp_well_control *control);
/* An economic limit closes well w or a part of it: the limit may have been exceeded at any time in the step. */
void hp_time_error_limit(struct hp_sim *S, int w);
/* Another change may move this share of the rates. */
void hp_time_error_jump(struct hp_sim *S, double share);
/* Shortens S->suggested_dt after the changes of a time, by the share that they may move. */
void hp_time_error_shorten(struct hp_sim *S);

/* Return the error [m3] of the field's volume of a phase, produced or injected, after the correction, the correction, and the
 * volume that both are told in percent of: 0 if that is next to nothing of all that went through wells. */
double hp_time_error_left(const struct hp_sim *S, bool injectors, int phase);
double hp_time_error_correction(const struct hp_sim *S, bool injectors, int phase);
double hp_time_error_whole(const struct hp_sim *S, bool injectors, int phase);
/* Writes "within about 0.1 % of oil, 0.1 % of water produced, after a correction of +0.4 % of oil, -0.3 % of water", or why
 * there is no estimate. */
void hp_time_error_text(const struct hp_sim *S, char *out, size_t size);

HP_EXTERN_C_END

#endif
