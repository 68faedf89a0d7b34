#include "sim/diagnose/state.h"

#include <math.h>

#include "sim/run/run.h"
#include "sim/run/time_step.h"

static hp_status check(const hp_sim *S, const hp_reported *from) {
  static const char *const needed = "its restart data are needed (output.restart = -1 keeps those of all steps)";
  if (from->step == 0) return HP_OK;
  if (!(from->dt > 0.0))
    return hp_fail(HP_ERR_USAGE, "%s: /solver does not have report step %d: the run has not ended, and %s", S->base,
                   from->step, needed);
  for (int n = 0; n < S->c->naquifer; ++n)
    if (S->c->aquifer[n].kind != HP_AQUIFER_FLUX)
      return hp_fail(HP_ERR_USAGE, "%s: the fields of report step %d do not say what aquifer %d has given: %s", S->base,
                     from->step, S->c->aquifer[n].number, needed);
  if (hp_compaction_is_irreversible(&S->c->fluid))
    return hp_fail(HP_ERR_USAGE, "%s: the fields of report step %d do not say how far rock has been compacted: %s",
                   S->base, from->step, needed);
  return HP_OK;
}

static hp_status put_fields(hp_sim *S, const hp_reported *from) {
  hp_backend *B = S->backend;
  hp_step_report step;
  hp_backend_begin_put(B, HP_ARRAYS_OWN);
  double *p = hp_backend_cell(B, HP_ARRAY_OWN_PRESSURE), *s = hp_backend_cell(B, HP_ARRAY_OWN_WATER);
  for (int64_t m = 0; m < S->res->ncell; ++m) {
    p[m] = from->p[m];
    s[m] = fmin(1.0, fmax(0.0, from->s[m]));
  }
  HP_TRY(hp_backend_put(B, HP_ARRAYS_OWN));
  HP_TRY(B->ops->start(B, &step));
  S->now = S->start = step.in_place;
  S->mean_pressure = S->now.pressure;
  return HP_OK;
}

/* Wells that limits had shut, of which the schedule does not know. */
static hp_status shut_wells(hp_sim *S, const hp_reported *from) {
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  for (int w = 0; w < S->wells->nwell; ++w) {
    hp_well_control control = S->wells->control[w];
    if (!from->shut[w] || control.control == HP_CONTROL_SHUT) continue;
    control.control = HP_CONTROL_SHUT;
    hp_wells_set_control(S->wells, w, &control);
  }
  return hp_backend_put(S->backend, HP_SET_WELLS);
}

hp_status hp_diagnose_from_fields(hp_sim *S, const hp_reported *from) {
  const double share = 0.3, dt = share * from->dt; /* [s] */
  HP_TRY(check(S, from));
  S->step = from->step;
  if (from->step == 0) return HP_OK;
  HP_TRY(put_fields(S, from));
  S->time = from->time - dt;
  HP_TRY(hp_sim_apply_events(S));
  HP_TRY(shut_wells(S, from));
  S->suggested_dt = dt;
  HP_TRY(hp_time_step(S, from->time));
  S->step = from->step;
  S->time = from->time;
  return HP_OK;
}
