#include "sim/newton/newton.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/plural.h"
#include "sim/checkpoint/restart.h"
#include "sim/report/progress.h"
#include "wells/control.inl.h"

/* The results of an evaluation that the report keeps. */
static void look(const hp_step_report *step, hp_newton_report *r) {
  r->norms = step->norms;
  r->well_residual = step->well_residual;
  r->worst_well = step->worst_well;
  r->worst_mode = (hp_control)step->worst_mode;
  r->beyond = step->beyond != 0;
}

static hp_status report_attempt(const hp_sim *S, bool again) {
  const hp_run_observer *o = S->opt.observer;
  return o != NULL ? o->attempt(o->arg, S, again) : HP_OK;
}

hp_status hp_newton_begin(hp_sim *S) {
  HP_TRY(report_attempt(S, false));
  return S->backend->ops->begin(S->backend);
}

hp_status hp_newton_restore(hp_sim *S) {
  HP_TRY(report_attempt(S, true));
  return S->backend->ops->restore(S->backend);
}

hp_status hp_newton_accept(hp_sim *S, double dt, hp_newton_report *r) {
  hp_step_report step;
  const double weight = hp_time_error_weight(S, dt);
  HP_TRY(S->backend->ops->accept(S->backend, dt, weight, S->flow, &step));
  r->max_ds = step.max_ds;
  S->now = step.in_place;
  return hp_time_error_step(S, dt, weight, r->iterations, &step);
}

static bool cells_have_converged(const hp_sim *S, const hp_newton_report *r) {
  const hp_newton_options *opt = &S->newton;
  for (int a = 0; a < HP_PHASES; ++a)
    if (!(r->norms.cnv[a] <= opt->tolerance_cnv) || !(r->norms.mb[a] <= opt->tolerance_mb)) return false;
  return true;
}

/* Controls are met and limits kept, too. */
static bool has_converged(const hp_sim *S, const hp_newton_report *r) {
  return cells_have_converged(S, r) && r->well_residual <= S->newton.tolerance_well &&
         r->iterations >= S->newton.min_iterations;
}

/* The well that must leave its control: all is solved, but it is beyond a limit. -1: there is none. */
static int well_to_retry(const hp_sim *S, const hp_newton_report *r) {
  return cells_have_converged(S, r) && r->beyond && r->well_residual > S->newton.tolerance_well ? r->worst_well : -1;
}

static bool is_finite(const hp_norms *n) {
  return isfinite(n->cnv[0]) && isfinite(n->cnv[1]) && isfinite(n->mb[0]) && isfinite(n->mb[1]);
}

/* The worst cell, equation and size, for the line about a cut. */
static void explain(const hp_sim *S, hp_newton_report *r, const char *what) {
  const int a = r->norms.cnv[HP_OIL] >= r->norms.cnv[HP_WATER] ? HP_OIL : HP_WATER;
  const hp_newton_options *opt = &S->newton;
  int n = snprintf(r->why, sizeof r->why, "%s", what);
  if (r->norms.worst[a] >= 0 && n > 0 && (size_t)n < sizeof r->why) {
    int ijk[3];
    hp_grid_ijk(S->c->grid, r->norms.worst[a], ijk);
    n += snprintf(r->why + n, sizeof r->why - (size_t)n,
                  ": worst cell (%d, %d, %d), %s balance, CNV %.2g (limit %.2g), MB %.2g (limit %.2g)", ijk[0] + 1,
                  ijk[1] + 1, ijk[2] + 1, a == HP_OIL ? "oil" : "water", r->norms.cnv[a], opt->tolerance_cnv,
                  fmax(r->norms.mb[0], r->norms.mb[1]), opt->tolerance_mb);
  }
  if (r->worst_well >= 0 && r->well_residual > opt->tolerance_well && n > 0 && (size_t)n < sizeof r->why)
    snprintf(r->why + n, sizeof r->why - (size_t)n,
             r->beyond ? "; well %s is beyond its limit of %s by %.2g of it" : "; well %s misses its %s by %.2g",
             S->c->well[r->worst_well].name, hp_control_name(r->worst_mode),
             r->well_residual / (r->beyond && r->worst_mode == HP_CONTROL_BHP ? HP_BHP_WEIGHT : 1.0));
}

static hp_status dump_system(hp_sim *S) {
  char path[1200];
  hp_backend_system system;
  snprintf(path, sizeof path, "%s.step%d.mtx", S->base, S->step + 1);
  HP_TRY(S->backend->ops->system(S->backend, true, &system));
  HP_TRY(hp_gh_write_mtx(system.J, system.b, path));
  hp_progress_note(S, "wrote the first system of step %d to %s (and .rhs)", S->step + 1, path);
  return HP_OK;
}

/* Solves J x = b and adds x to the state. *usable is false when the solution
 * is not worth a step: then the time step decides. */
static hp_status linear_step(hp_sim *S, hp_newton_report *r, hp_krylov_report *k, bool *usable) {
  HP_TRY(S->backend->ops->solve(S->backend, k));
  r->linear += k->iterations;
  r->unconverged_linear += k->reason != HP_KRYLOV_CONVERGED;
  if (S->opt.observer != NULL) HP_TRY(S->opt.observer->solved(S->opt.observer->arg, S, r->iterations + 1, k));
  *usable = k->reason == HP_KRYLOV_CONVERGED || (isfinite(k->residual) && k->residual < 0.1 * k->norm_b);
  return *usable ? S->backend->ops->update(S->backend) : HP_OK;
}

/* Shares of the field's targets from the rates at hand; *changed: the wells have other limits than before. */
static hp_status share(hp_sim *S, bool first, bool *changed) {
  HP_TRY(S->backend->ops->get_wells(S->backend));
  hp_wells_share(S->wells, &S->field, first, changed);
  return S->backend->ops->put_wells(S->backend); /* limits follow in small changes, too */
}

/* The system at the present state. Targets of the field are shared out before the step's first one, from rates without
 * a change of control, and again in its next iterations: after that the shares stay, so that Newton's method has fixed
 * targets to go to. */
static hp_status assemble(hp_sim *S, double dt, int iteration, hp_step_report *step) {
  enum { SHARED = 3 };
  const hp_backend_ops *ops = S->backend->ops;
  const bool asked = hp_field_asks(&S->field);
  bool changed;
  if (asked && iteration == 0) {
    HP_TRY(ops->assemble(S->backend, dt, false, false, -1, step));
    HP_TRY(share(S, true, &changed));
  }
  HP_TRY(ops->assemble(S->backend, dt, true, true, -1, step));
  if (!asked || iteration == 0 || iteration > SHARED) return HP_OK;
  HP_TRY(share(S, false, &changed));
  return changed ? ops->assemble(S->backend, dt, true, true, -1, step) : HP_OK;
}

hp_status hp_newton_solve(hp_sim *S, double dt, hp_newton_report *r) {
  memset(r, 0, sizeof *r);
  r->worst_well = -1;
  const hp_profile before = S->profile;
  hp_step_report step;
  hp_krylov_report k;
  const hp_krylov_report *last = NULL;
  for (;;) {
    HP_TRY(assemble(S, dt, r->iterations, &step));
    look(&step, r);
    hp_progress_newton(S, dt, r, last);
    if (!is_finite(&r->norms)) {
      explain(S, r, "the residual is not finite");
      break;
    }
    r->converged = has_converged(S, r);
    if (r->converged) break;
    const int retry = well_to_retry(S, r);
    if (retry >= 0 && r->iterations < S->newton.max_iterations) {
      HP_TRY(S->backend->ops->assemble(S->backend, dt, true, true, retry, &step));
      look(&step, r);
      r->converged = has_converged(S, r);
      if (r->converged) break;
    }
    if (r->iterations == S->newton.max_iterations) {
      explain(S, r, "Newton's method did not converge");
      break;
    }
    if (S->opt.dump_matrix == S->step + 1 && r->iterations == 0) HP_TRY(dump_system(S));
    HP_TRY(hp_restart_keep_first(S, dt));
    bool usable;
    HP_TRY(linear_step(S, r, &k, &usable));
    last = &k;
    if (!usable) {
      r->singular = k.reason == HP_KRYLOV_SINGULAR;
      char what[160];
      snprintf(what, sizeof what, "the linear solver failed (%s, %d iteration%s, |r|/|b| %.1e)",
               hp_krylov_reason_text(k.reason), k.iterations, hp_plural(k.iterations),
               k.norm_b > 0.0 ? k.residual / k.norm_b : 0.0);
      explain(S, r, what);
      break;
    }
    r->iterations += 1;
  }
  for (int op = 0; op < HP_PROF_COUNT; ++op) r->seconds[op] = S->profile.op[op].seconds - before.op[op].seconds;
  return HP_OK;
}
