#include "sim/report/rows.h"

#include "io/results/output.h"
#include "sim/checkpoint/write_behind.h"
#include "sim/simulator/actions.h"
#include "wells/control.inl.h"

/* The number of the target that governs producers, or injectors, of group g, as hp_group_row has it. */
static int governing(const hp_sim *S, int g, bool injectors) {
  static const int number[HP_CONTROL_COUNT] = {
      [HP_CONTROL_ORAT] = 1, [HP_CONTROL_WRAT] = 2, [HP_CONTROL_LRAT] = 4, [HP_CONTROL_RESV] = 5};
  const hp_wells *W = S->wells;
  int found = 0;
  hp_group_select(S->wells, &S->groups, g);
  for (int w = 0; w < W->nwell; ++w) {
    if (!W->part[w].inside || !hp_corrected_shares(S, w, injectors)) continue;
    const int of = W->part[w].of, by = injectors ? S->groups.of[of].injects_by : number[W->shared[w]];
    if (of == g) return by;
    if (hp_group_is_below(&S->groups, g, of)) found = -by;
  }
  return found;
}

static double head_pressure(const hp_sim *S, int w) {
  const hp_step_well *row = &S->flow[w];
  if (S->wells->control[w].vfp == 0 || row->mode == HP_CONTROL_SHUT || !hp_well_flows(S->wells, w, row->rate))
    return 0.0;
  return hp_lift_head(S->wells, w, row->rate, row->bhp);
}

hp_status hp_write_rows(hp_sim *S, const hp_newton_report *r, const hp_solver_row *cuts) {
  const double t0 = hp_now();
  hp_well_row *well = S->row;
  if (S->wells->nlift > 0) HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  for (int w = 0; w < S->wells->nwell; ++w) {
    well[w].flow = S->totals[w];
    well[w].bhp = S->flow[w].mode == HP_CONTROL_SHUT ? 0.0 : S->flow[w].bhp;
    well[w].thp = head_pressure(S, w);
    well[w].control = (hp_control)S->flow[w].mode;
    well[w].injector = S->wells->control[w].injector;
    well[w].shared = well[w].control != HP_CONTROL_SHUT && S->wells->shared[w] == well[w].control;
  }
  for (int g = 0; g < S->groups.count; ++g)
    S->group_row[g] = (hp_group_row){hp_sim_group_flow(S, g), governing(S, g, false), governing(S, g, true)};
  HP_TRY(hp_sim_regions(S));
  HP_TRY(hp_sim_averages(S, well));
  HP_TRY(hp_sim_numerical(S));
  hp_sim_earn(S);
  hp_summary_row summary = {.time = S->time,
                            .field = hp_sim_field_flow(S),
                            .cash = S->money.cash,
                            .npv = S->money.npv,
                            .cash_rate = S->money.rate,
                            .pressure = S->now.pressure,
                            .well = well,
                            .group = S->group_row,
                            .in_place = {S->now.mass[0], S->now.mass[1]},
                            .oil_at_start = S->start.mass[HP_OIL],
                            .work = {.dt = S->dt,
                                     .seconds = t0 - S->began,
                                     .newton = r->iterations,
                                     .linear = r->linear,
                                     .all_newton = S->counts.newton,
                                     .all_linear = S->counts.linear},
                            .region = S->region,
                            .connection = S->connection,
                            .productivity = S->productivity,
                            .segment = S->segment,
                            .cell = S->cell,
                            .aquifer = S->aquifers != NULL ? S->corrected.state : NULL,
                            .numerical = S->numerical};
  HP_TRY(hp_actions_look(S, &summary));
  summary.quantity = hp_actions_values(S);
  hp_solver_row row = *cuts;
  row.step = S->step;
  row.time = S->time;
  row.dt = S->dt;
  row.newton = r->iterations;
  row.linear = r->linear;
  for (int a = 0; a < HP_PHASES; ++a) {
    row.mb[a] = r->norms.mb[a];
    row.cnv[a] = r->norms.cnv[a];
    row.correction[a] = hp_time_error_correction(S, false, a);
  }
  row.seconds_assembly = r->seconds[HP_PROF_PROPERTIES] + r->seconds[HP_PROF_ASSEMBLY] + r->seconds[HP_PROF_UPDATE];
  row.seconds_setup = r->seconds[HP_PROF_SETUP];
  row.seconds_solve = r->seconds[HP_PROF_SOLVE];
  row.seconds_wells = r->seconds[HP_PROF_WELLS];
  row.seconds_output = S->profile.op[HP_PROF_OUTPUT].seconds - S->output_counted;
  S->output_counted = S->profile.op[HP_PROF_OUTPUT].seconds;
  hp_status s = HP_OK;
  if (S->writer != NULL) {
    s = hp_write_behind_rows(S->writer, S->output, &summary, &row);
  } else if (S->output != NULL) {
    s = hp_output_summary(S->output, &summary);
    if (s == HP_OK) s = hp_output_solver(S->output, &row);
  }
  HP_TRY(hp_ranks_agree(S->K, s));
  hp_profile_add(&S->profile, HP_PROF_OUTPUT, hp_now() - t0, 0.0);
  return HP_OK;
}
