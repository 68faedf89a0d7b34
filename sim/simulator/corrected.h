/* The corrected solution: a run reports the solution of backward Euler minus its estimated error in time, which is of second
 * order. Newton's method goes on from the uncorrected state.
 *
 *     V - E     volumes of wells and aquifers; the rate of a step is their change in it
 *     m - e     masses in place, which are conserved
 *     p, s      p - d_p, and s - d_s between the saturations at which a phase stops to flow
 *
 * A correction beyond 0, beyond a limit of the well or beyond a target of the field waits in E for later steps. What
 * saturations lose at their ends is subtracted from the corrections of the other sign, in proportion. The residual of the solve
 * for d becomes a common change of all pressures. These two unknowns give both phases the masses of the balance
 * (docs/developer/method.md).
 */
#ifndef HP_SIM_SIMULATOR_CORRECTED_H
#define HP_SIM_SIMULATOR_CORRECTED_H

#include "physics/aquifer.h"
#include "sim/step/step.h"

HP_EXTERN_C_BEGIN

struct hp_sim;

/* The largest correction of a well's volume of a phase, over all that has gone through the well. Larger estimates are not
 * reliable. */
#define HP_CORRECTED_MOST 0.1

/* Errors of a well, positive out of the reservoir. */
typedef struct hp_corrected_well {
  double before[HP_PHASES]; /* uncorrected rates of the last step [m3/s] */
  double error[HP_PHASES];  /* E: error of the volume so far [m3] */
  double taken[HP_PHASES];  /* the part of E by which the totals are corrected [m3] */
  double made[HP_PHASES];   /* what the last step added to E [m3] */
  double slope[HP_PHASES];  /* change of the uncorrected rate in the last step over its length [m3/s2] */
} hp_corrected_well;

/* Errors of an aquifer, positive into the reservoir. */
typedef struct hp_corrected_aquifer {
  double taken; /* likewise; its E is that of hp_aquifer_state */
} hp_corrected_aquifer;

typedef struct hp_corrected {
  hp_corrected_well *well;       /* [nwell] */
  hp_corrected_aquifer *aquifer; /* [aquifers] */
  double *influx;                /* [aquifers] errors of rates in the last step [m3/s] */
  hp_aquifer_state *state;       /* [aquifers] as reported */
} hp_corrected;

hp_status hp_corrected_create(struct hp_sim *S) HP_MUST_USE;
void hp_corrected_destroy(struct hp_sim *S);

/* Corrects a step of length dt after its estimate, whose own error has `weight`: adds to the errors, makes S->flow the reported
 * rates and bottom-hole pressures, and shows the corrected state, to which S->now belongs. `error` is the estimate's report. */
hp_status hp_corrected_step(struct hp_sim *S, double dt, double weight, const hp_step_report *error) HP_MUST_USE;

/* Whether the rate of well w, an injector or a producer, was its share of a target in the last step. */
bool hp_corrected_shares(const struct hp_sim *S, int w, bool injectors);

/* Returns the reported rate of a phase of well w over the uncorrected one, for its connections. */
double hp_corrected_share(const struct hp_sim *S, int w, int phase);

/* Update the reported aquifers: after a step, also without an estimate, and where a run goes on. */
void hp_corrected_aquifers(struct hp_sim *S, double dt);
void hp_corrected_report_aquifers(struct hp_sim *S);

HP_EXTERN_C_END

#endif
