/* Making a run from a case, and its end. */
#include <stdio.h>
#include <string.h>

#include "amg/cpr/cpr.h"
#include "core/memory.h"
#include "sim/checkpoint/checkpoint.h"
#include "sim/checkpoint/write_behind.h"
#include "sim/run/run.h"
#include "sim/simulator/actions.h"
#include "sim/simulator/files.h"

/* mass_old of the initial state: what is in place at time zero. */
static hp_status start_balance(hp_sim *S) {
  hp_step_report step;
  HP_TRY(S->backend->ops->start(S->backend, &step));
  S->now = S->start = step.in_place;
  S->mean_pressure = S->now.pressure;
  const hp_flow before = hp_sim_field_flow(S); /* of a run that begins later */
  for (int a = 0; a < HP_PHASES; ++a) S->start.mass[a] += before.total[a] - before.injection_total[a];
  S->start.mass[HP_WATER] -= hp_sim_influx(S);
  return HP_OK;
}

static void release(void *arg) { hp_sim_release_cells(arg); }

static hp_status create_backend(hp_sim *S) {
  const hp_case *c = S->c;
  HP_TRY(hp_sim_release_rest(S));
  const char *refusal = hp_backend_linear(S->opt.backend, c, &S->linear);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "--backend %s: %s", hp_backend_name(S->opt.backend), refusal);
  const int gpus = S->opt.device != NULL && S->K == NULL ? S->opt.device->gpus : 0;
  refusal = hp_linear_gpus_refusal(gpus, &S->linear);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "--gpus: %s", refusal);
  const hp_backend_input in = {.grid = c->grid,
                               .fluid = &c->fluid,
                               .res = S->res,
                               .wells = S->wells,
                               .aquifers = S->aquifers,
                               .linear = &S->linear,
                               .newton = &S->newton,
                               .profile = &S->profile,
                               .time_error = c->timestep.accuracy > 0.0,
                               .threads = S->opt.threads,
                               .device = S->opt.device,
                               .ahead = S->opt.ahead,
                               .region = S->region != NULL ? c->fip : NULL,
                               .change = c->trans_event,
                               .cut_bricks = S->opt.cut_bricks,
                               .spread = c->spread,
                               .start = S->start_part,
                               .parted = S->releases != NULL ? release : NULL,
                               .parted_arg = S};
  return hp_backend_create(S->opt.backend, &in, &S->backend);
}

/* The backend on the state, ready for the first step. */
static hp_status start_backend(hp_sim *S) {
  const double t0 = hp_now(), waited = S->start_part[HP_START_GPU];
  HP_TRY(create_backend(S));
  hp_sim_numerical_place(S);
  hp_sim_regions_place(S);
  hp_sim_averages_place(S);
  HP_TRY(hp_sim_derived_create(S));
  if (S->backend->device) HP_TRY(hp_write_behind_create(S->c, &S->writer));
  HP_TRY(start_balance(S));
  S->start_part[HP_START_BACKEND] += hp_now() - t0 - (S->start_part[HP_START_GPU] - waited);
  return HP_OK;
}

/* Cell arrays that every run has beside the case; `hepta check` says what all of it takes. */
static hp_status fit(const hp_sim *S) {
  hp_linear_options solver;
  const hp_case *c = S->c;
  const hp_grid *g = c->grid;
  const double state = (double)(hp_arrays_bytes(hp_case_arrays(c) & HP_ARRAYS_STATE) * g->ncell),
               most = (double)hp_memory_machine();
  double bytes = (double)hp_memory_now() + state + (double)hp_backend_region_bytes(c);
  const char *unfit = hp_backend_linear(S->opt.backend, c, &solver);
  const int ranks = c->spread == NULL ? hp_ranks_size(S->K) : 1;
  const bool known = S->opt.backend == HP_BACKEND_CPU && unfit == NULL;
  if (known) bytes += (double)hp_backend_step_bytes(g, &solver.krylov, hp_case_arrays(c)) / ranks;
  if (known && solver.uses_cpr) bytes += (double)hp_cpr_vector_bytes(g->ncell, HP_PHASES) / ranks;
  if (bytes <= most) return HP_OK;
  return hp_fail(HP_ERR_MEMORY,
                 "a run of %d x %d x %d cells takes at least %.3g GB, and this machine has %.3g GB of "
                 "memory; 'hepta check' says what all of it takes",
                 g->nx, g->ny, g->nz, bytes / 1e9, most / 1e9);
}

/* The fluids that wells' volumes are converted by: each that of its first perforation's cell. */
static hp_status create_fluids(hp_sim *S) {
  const hp_fluid_spec *f = &S->c->fluid;
  const hp_grid *g = S->c->grid;
  const hp_wells *W = S->wells;
  double *table = NULL;
  HP_TRY(HP_ALLOC(S->fluid, f->npvt));
  HP_TRY(HP_ALLOC(S->well_pvt, W->nwell));
  for (int n = 0; n < f->npvt; ++n) HP_TRY(hp_fluid_create(f->pvt[n], &f->sat[0], &f->rock[0], &S->fluid[n]));
  if (f->npvt == 1) return HP_OK;
  HP_TRY(HP_ALLOC(table, W->nwell));
  for (int w = 0; w < W->nwell; ++w) {
    const int64_t m = (W->begin[w] < W->begin[w + 1] ? W->cell[W->begin[w]] : 0) - g->first;
    if (f->of_pvt != NULL && m >= 0 && m < g->ncell) table[w] = f->of_pvt[m];
  }
  const hp_status s = hp_spread_max(S->c->spread, table, W->nwell);
  for (int w = 0; w < W->nwell; ++w) S->well_pvt[w] = (int)table[w];
  HP_FREE(table);
  return s;
}

static hp_status prepare(hp_sim *S) {
  const hp_case *c = S->c;
  const double t0 = hp_now();
  HP_TRY(fit(S));
  HP_TRY(hp_reservoir_create(c->grid, &c->fluid, &S->res));
  HP_TRY(hp_wells_create(c->grid, c->nwell, c->well, &S->wells));
  HP_TRY(hp_wells_set_lift(S->wells, c->nlift, c->lift));
  HP_TRY(hp_groups_create(c->ngroup + 1, &S->groups));
  HP_TRY(create_fluids(S));
  HP_TRY(hp_fluid_spec_ends(&c->fluid, &S->ntable_end, &S->table_end));
  HP_TRY(HP_ALLOC(S->flow, c->nwell));
  HP_TRY(HP_ALLOC(S->totals, c->nwell));
  HP_TRY(HP_ALLOC(S->row, c->nwell));
  HP_TRY(HP_ALLOC(S->group_row, c->ngroup + 1));
  HP_TRY(HP_ALLOC(S->group_past, c->ngroup + 1));
  HP_TRY(HP_ALLOC(S->given_up, c->nwell));
  HP_TRY(HP_ALLOC(S->limited, S->wells->nperf));
  HP_TRY(HP_ALLOC(S->report, c->nreport));
  S->keeps = c->output.fields && c->output.restart != 0 && !S->opt.no_restart;
  S->time_error.on = c->timestep.accuracy > 0.0;
  if (c->ntrans_event > 0) HP_TRY(hp_reservoir_change_trans(S->res));
  HP_TRY(hp_sim_initial_state(c, S->res));
  HP_TRY(hp_reservoir_set_thresholds(S->res, c->initial.nthreshold, c->initial.threshold, c->initial.of));
  const hp_pair_values *faults = &c->fault_threshold;
  HP_TRY(hp_reservoir_set_fault_thresholds(S->res, faults->count, faults->a, faults->b, faults->value));
  HP_TRY(hp_sim_numerical_create(S));
  HP_TRY(hp_aquifers_create(c->naquifer, c->aquifer, &c->fluid, S->res, &S->aquifers));
  HP_TRY(hp_corrected_create(S));
  HP_TRY(hp_actions_create(S));
  if (S->keeps || S->opt.goes_on) HP_TRY(hp_checkpoint_create(S));
  HP_TRY(hp_sim_hold(c, S->wells, S->res, &S->held));
  HP_TRY(hp_sim_regions_create(S));
  HP_TRY(hp_sim_averages_create(S));
  S->timestep = c->timestep;
  S->newton = c->newton;
  hp_sim_soften(c, &S->newton);
  if (S->newton.softness > 0.0) HP_TRY(hp_sim_find_storage(S));
  S->suggested_dt = c->timestep.initial;
  S->fields_step = -1;
  S->time = S->time_error.since = c->begin;
  for (int w = 0; w < c->nwell; ++w)
    for (int a = 0; a < HP_PHASES; ++a) {
      S->totals[w].total[a] = c->well[w].produced[a];
      S->totals[w].injection_total[a] = c->well[w].injected[a];
    }
  S->start_part[HP_START_STATE] = hp_now() - t0;
  return HP_OK;
}

static hp_status create(hp_case *c, const hp_run_options *opt, const char *base, hp_sim **out) {
  hp_sim *S = NULL;
  if (c->no_simulation) return hp_fail(HP_ERR_USAGE, "NOSIM: the deck asks for no simulation; take it out to run it");
  HP_TRY(HP_ALLOC(S, 1));
  S->c = S->told = c;
  S->K = hp_ranks_world();
  S->opt = *opt;
  S->began = hp_now();
  snprintf(S->base, sizeof S->base, "%s", base);
  *out = S;
  HP_TRY(prepare(S));
  return hp_sim_files_create(S);
}

hp_status hp_sim_prepare(hp_case *c, const hp_run_options *opt, const char *base, hp_sim **out) {
  hp_spread *P = c->spread;
  *out = NULL;
  hp_spread_begin(P);
  const hp_status s = hp_ranks_agree(hp_ranks_world(), hp_spread_end(P, create(c, opt, base, out)));
  if (s != HP_OK) hp_sim_destroy(out);
  return s;
}

hp_status hp_sim_start(hp_sim *S) {
  HP_TRY(start_backend(S));
  memset(&S->profile, 0, sizeof S->profile);
  hp_profile_add(&S->profile, HP_PROF_START, hp_now() - S->began, 0.0);
  return HP_OK;
}

void hp_sim_end_start(hp_sim *S, double began) {
  const hp_profile_entry start = S->profile.op[HP_PROF_START];
  memset(&S->profile, 0, sizeof S->profile);
  S->profile.op[HP_PROF_START] = start;
  S->began = hp_now();
  hp_profile_add(&S->profile, HP_PROF_START, S->began - began - start.seconds, 0.0);
}

hp_status hp_sim_create(hp_case *c, const hp_run_options *opt, const char *base, hp_sim **out) {
  HP_TRY(hp_sim_prepare(c, opt, base, out));
  const hp_status s = hp_sim_start(*out);
  if (s != HP_OK) hp_sim_destroy(out);
  return s;
}

void hp_sim_destroy(hp_sim **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_sim *S = *slot;
  hp_write_behind_destroy(&S->writer);
  hp_backend_destroy(&S->backend);
  hp_wells_destroy(&S->wells);
  hp_groups_destroy(&S->groups);
  hp_aquifers_destroy(&S->aquifers);
  hp_reservoir_destroy(&S->res);
  hp_checkpoint_destroy(S);
  hp_sim_files_destroy(S);
  if (S->fluid != NULL)
    for (int n = 0; n < S->c->fluid.npvt; ++n) hp_fluid_destroy(&S->fluid[n]);
  HP_FREE(S->fluid);
  HP_FREE(S->well_pvt);
  HP_FREE(S->table_end);
  HP_FREE(S->flow);
  hp_corrected_destroy(S);
  HP_FREE(S->totals);
  HP_FREE(S->row);
  HP_FREE(S->group_row);
  HP_FREE(S->group_past);
  hp_sim_regions_destroy(S);
  hp_sim_averages_destroy(S);
  hp_sim_derived_destroy(S);
  hp_actions_destroy(S);
  hp_sim_numerical_destroy(S);
  HP_FREE(S->given_up);
  HP_FREE(S->limited);
  HP_FREE(S->report);
  HP_FREE(*slot);
}
