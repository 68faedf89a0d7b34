/* The state whose flow is diagnosed, in a run that was just created. */
#ifndef HP_SIM_DIAGNOSE_STATE_H
#define HP_SIM_DIAGNOSE_STATE_H

#include "sim/simulator/simulator.h"

HP_EXTERN_C_BEGIN

/* Makes S the run at the end of a report step that has fields alone (hp_reported): from its pressure and saturation, and the controls
 * that the schedule gave in the time step that ended there, a step of a third of that length leads to fluxes, in which what the fields
 * are rounded and corrected by has settled. HP_ERR_USAGE: what the fields do not say is needed. */
hp_status hp_diagnose_from_fields(hp_sim *S, const hp_reported *from) HP_MUST_USE;

HP_EXTERN_C_END

#endif
