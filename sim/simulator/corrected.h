/* The corrected solution: what a run reports is the solution of backward Euler less its estimated error in time, of second order.
 * Newton's method goes on from the uncorrected state.
 *
 *     V - E     volumes of wells and aquifers; the rate of a step is what they change by in it
 *     m - e     masses in place, which that conserves: what has not gone through wells is in place
 *     p, s      p - d_p, and s - d_s between the saturations at which a phase stops to flow
 *
 * What a correction would take beyond 0, beyond a limit of the well or beyond a target of the field waits in E for later steps.
 * What saturations lose at their ends is taken off the corrections of the other sign, in proportion, and what the solve
 * for d left over is a common change of all pressures: two unknowns, so that the masses of both phases are those of the
 * balance (docs/developer/method.md).
 */
#ifndef HP_SIM_SIMULATOR_CORRECTED_H
#define HP_SIM_SIMULATOR_CORRECTED_H

#include "physics/aquifer.h"
#include "sim/step/step.h"

HP_EXTERN_C_BEGIN

struct hp_sim;

/* The most that a well's volume of a phase is corrected by, in all that has gone through the well: an estimate that is larger is
 * not to be trusted. */
#define HP_CORRECTED_MOST 0.1

/* A well's, positive out of the reservoir. */
typedef struct hp_corrected_well {
  double before[HP_PHASES]; /* uncorrected rates of the last step [m3/s] */
  double error[HP_PHASES];  /* E: error of the volume so far [m3], */
  double taken[HP_PHASES];  /*   and the part of it that the totals are corrected by */
} hp_corrected_well;

/* An aquifer's, positive into the reservoir. */
typedef struct hp_corrected_aquifer {
  double error, taken; /* likewise */
} hp_corrected_aquifer;

typedef struct hp_corrected {
  hp_corrected_well *well;       /* [nwell] */
  hp_corrected_aquifer *aquifer; /* [aquifers] */
  double *influx;                /* [aquifers] errors of rates in the last step [m3/s] */
  hp_aquifer_state *state;       /* [aquifers] as reported */
} hp_corrected;

hp_status hp_corrected_create(struct hp_sim *S) HP_MUST_USE;
void hp_corrected_destroy(struct hp_sim *S);

/* Called after the estimate of a step of length dt, whose own error has `weight`: adds to the errors, makes S->flow the reported rates
 * and bottom-hole pressures, and shows the corrected state, of which S->now is. `error`: the estimate's report. */
hp_status hp_corrected_step(struct hp_sim *S, double dt, double weight, const hp_step_report *error) HP_MUST_USE;

/* The reported rate of a phase of well w over the uncorrected one, for its connections. */
double hp_corrected_share(const struct hp_sim *S, int w, int phase);

/* Aquifers as they are reported, after a step, also without an estimate; and where a run goes on. */
void hp_corrected_aquifers(struct hp_sim *S, double dt);
void hp_corrected_report_aquifers(struct hp_sim *S);

HP_EXTERN_C_END

#endif
