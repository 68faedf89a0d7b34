/* Polylines of wells for the result files. */
#ifndef HP_SIM_WELL_PATHS_H
#define HP_SIM_WELL_PATHS_H

#include "io/results/output.h"
#include "wells/wells.h"

/* *out: [c->nwell]. On failure what was made is still to be destroyed. */
hp_status hp_well_paths_create(const hp_case *c, const hp_wells *W, hp_well_path **out) HP_MUST_USE;
void hp_well_paths_destroy(hp_well_path **paths, int nwell);

#endif
