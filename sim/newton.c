#include "sim/newton.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "physics/assembly.inl.h"
#include "wells/assembly.inl.h"
#include "wells/head.inl.h"

/* What the members of the team share during one call. */
typedef struct {
  hp_sim *S;
  double dt;
  bool jacobian, control;
  hp_norms *norms;
  double max_ds;
  double seconds[HP_PROF_COUNT]; /* written by member 0 */
} job;

static void lap(const hp_team *t, job *j, hp_profile_op op, double *since) {
  if (t->rank != 0) return;
  const double now = hp_now();
  j->seconds[op] += now - *since;
  *since = now;
}

/* Residual, Jacobian and norms of the current state. */
static void assemble(hp_team *t, void *arg) {
  job *j = arg;
  const hp_sim *S = j->S;
  const hp_reservoir *r = S->res;
  const hp_wells *W = S->wells;
  const hp_gh *J = j->jacobian ? S->J : NULL;
  double since = hp_now();

  hp_assemble_cells(t, r, j->dt, J, S->R);
  hp_team_sync(t);
  lap(t, j, HP_PROF_PROPERTIES, &since);

  hp_wells_rates(t, r, W);
  hp_assemble_fluxes(t, r, J, S->R);
  hp_team_sync(t);
  lap(t, j, HP_PROF_ASSEMBLY, &since);

  if (j->control) {
    hp_wells_control(t, W);
    hp_team_sync(t);
    hp_wells_rates(t, r, W);
    hp_team_sync(t);
  }
  hp_wells_assemble_cells(t, r, W, J, S->R);
  hp_wells_assemble_rows(t, W, J, S->R + r->ncell * HP_PHASES);
  hp_team_sync(t);
  lap(t, j, HP_PROF_WELLS, &since);

  hp_norms norms;
  hp_assemble_norms(t, r, j->dt, S->R, &norms);
  HP_TEAM_FOR(t, i, S->J->n) S->b[i] = -S->R[i];
  if (t->rank == 0) *j->norms = norms;
  lap(t, j, HP_PROF_UPDATE, &since);
}

hp_status hp_newton_assemble(hp_sim *S, double dt, bool with_jacobian, bool control, hp_norms *norms) {
  job j = {.S = S, .dt = dt, .jacobian = with_jacobian, .control = control, .norms = norms};
  HP_TRY(hp_team_run(S->hub, assemble, &j));
  for (int op = 0; op < HP_PROF_COUNT; ++op)
    if (j.seconds[op] > 0.0) hp_profile_add(&S->profile, (hp_profile_op)op, j.seconds[op], 0.0);
  return HP_OK;
}

/* Appleyard's rule: a saturation stops once at an end point of a mobility
 * before it passes, so that Newton's method sees the kink. */
static double stop_at(double s, double next, double point) {
  return (s < point && next > point) || (s > point && next < point) ? point : next;
}

static double update_saturation(const hp_satfunc *f, double s, double ds, double max_ds) {
  double next = s + (ds > max_ds ? max_ds : ds < -max_ds ? -max_ds : ds);
  next = stop_at(s, next, f->s_water_mobile);
  next = stop_at(s, next, f->s_oil_immobile);
  return next < 0.0 ? 0.0 : next > 1.0 ? 1.0 : next;
}

static void update(hp_team *t, void *arg) {
  job *j = arg;
  const hp_sim *S = j->S;
  const hp_reservoir *r = S->res;
  const hp_newton_options *opt = &S->c->newton;
  HP_TEAM_FOR(t, m, r->ncell) {
    if (!r->active[m]) continue;
    const double most = opt->max_dp_relative * fabs(r->p[m]), dp = S->x[m * HP_PHASES + HP_P];
    r->p[m] += dp > most ? most : dp < -most ? -most : dp;
    r->s[m] = update_saturation(&r->fluid.sat, r->s[m], S->x[m * HP_PHASES + HP_S], opt->max_ds);
  }
  HP_TEAM_FOR(t, w, S->wells->nwell) S->wells->bhp[w] += S->x[r->ncell * HP_PHASES + w];
}

/* Largest saturation change since the start of the step. */
static void saturation_change(hp_team *t, void *arg) {
  job *j = arg;
  const hp_sim *S = j->S;
  double largest = -1.0;
  int64_t where = -1;
  HP_TEAM_FOR(t, m, S->res->ncell) {
    const double ds = fabs(S->res->s[m] - S->s_old[m]);
    if (ds > largest) {
      largest = ds;
      where = m;
    }
  }
  hp_team_max(t, largest, where, &largest, &where);
  if (t->rank == 0) j->max_ds = largest;
}

static void begin(hp_team *t, void *arg) {
  const job *j = arg;
  const hp_sim *S = j->S;
  HP_TEAM_FOR(t, m, S->res->ncell) {
    S->p_old[m] = S->res->p[m];
    S->s_old[m] = S->res->s[m];
  }
  hp_wells_heads(t, S->res, S->wells);
}

hp_status hp_newton_begin(hp_sim *S) {
  job j = {.S = S};
  return hp_team_run(S->hub, begin, &j);
}

static void restore(hp_team *t, void *arg) {
  const job *j = arg;
  const hp_sim *S = j->S;
  HP_TEAM_FOR(t, m, S->res->ncell) {
    S->res->p[m] = S->p_old[m];
    S->res->s[m] = S->s_old[m];
  }
  hp_wells_restore(t, S->wells);
}

hp_status hp_newton_restore(hp_sim *S) {
  job j = {.S = S};
  return hp_team_run(S->hub, restore, &j);
}

static void accept(hp_team *t, void *arg) {
  const job *j = arg;
  hp_assemble_carry(t, j->S->res, j->dt, j->S->R);
  HP_TEAM_FOR(t, w, j->S->wells->nwell) j->S->wells->running[w] = j->S->wells->mode[w] != HP_CONTROL_SHUT;
}

hp_status hp_newton_accept(hp_sim *S, double dt) {
  job j = {.S = S, .dt = dt};
  return hp_team_run(S->hub, accept, &j);
}

/* Largest relative residual of the wells' controls. */
static void look_at_wells(const hp_sim *S, hp_newton_report *report) {
  report->well_residual = 0.0;
  report->worst_well = -1;
  for (int w = 0; w < S->wells->nwell; ++w) {
    const double size = fabs(S->wells->residual[w]);
    if (size <= report->well_residual) continue;
    report->well_residual = size;
    report->worst_well = w;
  }
}

static bool has_converged(const hp_sim *S, const hp_newton_report *r) {
  const hp_newton_options *opt = &S->c->newton;
  for (int a = 0; a < HP_PHASES; ++a)
    if (!(r->norms.cnv[a] <= opt->tolerance_cnv) || !(r->norms.mb[a] <= opt->tolerance_mb)) return false;
  return r->well_residual <= opt->tolerance_well && r->iterations >= opt->min_iterations;
}

static bool is_finite(const hp_norms *n) {
  return isfinite(n->cnv[0]) && isfinite(n->cnv[1]) && isfinite(n->mb[0]) && isfinite(n->mb[1]);
}

/* The worst cell, equation and size, for the line about a cut. */
static void explain(const hp_sim *S, hp_newton_report *r, const char *what) {
  const int a = r->norms.cnv[HP_OIL] >= r->norms.cnv[HP_WATER] ? HP_OIL : HP_WATER;
  const hp_newton_options *opt = &S->c->newton;
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
    snprintf(r->why + n, sizeof r->why - (size_t)n, "; well %s misses its %s by %.2g", S->c->well[r->worst_well].name,
             hp_control_name((hp_control)S->wells->mode[r->worst_well]), r->well_residual);
}

static void monitor(const hp_sim *S, double dt, const hp_newton_report *r, const hp_krylov_report *k) {
  if (!S->opt.monitor) return;
  if (r->iterations == 0)
    fprintf(stderr,
            "  step %d, dt %.6g %s\n    it     CNV oil   CNV water      MB oil    MB water        well  linear\n",
            S->step + 1, dt / S->c->units.factor[HP_UNIT_TIME], S->c->units.label[HP_UNIT_TIME]);
  fprintf(stderr, "    %2d  %10.3e  %10.3e  %10.3e  %10.3e  %10.3e", r->iterations, r->norms.cnv[HP_OIL],
          r->norms.cnv[HP_WATER], r->norms.mb[HP_OIL], r->norms.mb[HP_WATER], r->well_residual);
  if (k != NULL)
    fprintf(stderr, "  %d its, |r|/|b| %.1e%s%s", k->iterations, k->norm_b > 0.0 ? k->residual / k->norm_b : 0.0,
            k->reason == HP_KRYLOV_CONVERGED ? "" : ", ",
            k->reason == HP_KRYLOV_CONVERGED ? "" : hp_krylov_reason_text(k->reason));
  fputc('\n', stderr);
}

static hp_status dump_system(const hp_sim *S) {
  char path[1200];
  snprintf(path, sizeof path, "%s.step%d.mtx", S->base, S->step + 1);
  HP_TRY(hp_gh_write_mtx(S->J, S->b, path));
  fprintf(stderr, "hepta: wrote the first system of step %d to %s (and .rhs)\n", S->step + 1, path);
  return HP_OK;
}

/* Solves J x = b and adds x to the state. *usable is false when the solution
 * is not worth a step: then the time step decides. */
static hp_status linear_step(hp_sim *S, hp_newton_report *r, hp_krylov_report *k, bool *usable) {
  const double t0 = hp_now();
  HP_TRY(hp_krylov_setup(S->krylov, S->J));
  const double t1 = hp_now();
  HP_TRY(hp_krylov_solve(S->krylov, S->J, S->b, S->x, S->history, k));
  const double t2 = hp_now();
  hp_profile_add(&S->profile, HP_PROF_SETUP, t1 - t0, (double)hp_gh_bytes(S->J));
  hp_profile_add(&S->profile, HP_PROF_SOLVE, t2 - t1, (double)(k->products * hp_gh_bytes(S->J)));
  r->linear += k->iterations;
  r->unconverged_linear += k->reason != HP_KRYLOV_CONVERGED;
  *usable = k->reason == HP_KRYLOV_CONVERGED || (isfinite(k->residual) && k->residual < 0.1 * k->norm_b);
  if (!*usable) return HP_OK;
  job j = {.S = S};
  HP_TRY(hp_team_run(S->hub, update, &j));
  hp_profile_add(&S->profile, HP_PROF_UPDATE, hp_now() - t2, 0.0);
  return HP_OK;
}

hp_status hp_newton_solve(hp_sim *S, double dt, hp_newton_report *r) {
  memset(r, 0, sizeof *r);
  r->worst_well = -1;
  const hp_profile before = S->profile;
  hp_krylov_report k;
  const hp_krylov_report *last = NULL;
  for (;;) {
    HP_TRY(hp_newton_assemble(S, dt, true, true, &r->norms));
    look_at_wells(S, r);
    monitor(S, dt, r, last);
    if (!is_finite(&r->norms)) {
      explain(S, r, "the residual is not finite");
      break;
    }
    r->converged = has_converged(S, r);
    if (r->converged) break;
    if (r->iterations == S->c->newton.max_iterations) {
      explain(S, r, "Newton's method did not converge");
      break;
    }
    if (S->opt.dump_matrix == S->step + 1 && r->iterations == 0) HP_TRY(dump_system(S));
    bool usable;
    HP_TRY(linear_step(S, r, &k, &usable));
    last = &k;
    if (!usable) {
      char what[160];
      snprintf(what, sizeof what, "the linear solver failed (%s, %d iterations, |r|/|b| %.1e)",
               hp_krylov_reason_text(k.reason), k.iterations, k.norm_b > 0.0 ? k.residual / k.norm_b : 0.0);
      explain(S, r, what);
      break;
    }
    r->iterations += 1;
  }
  if (r->converged) {
    job j = {.S = S};
    HP_TRY(hp_team_run(S->hub, saturation_change, &j));
    r->max_ds = j.max_ds;
  }
  for (int op = 0; op < HP_PROF_COUNT; ++op) r->seconds[op] = S->profile.op[op].seconds - before.op[op].seconds;
  return HP_OK;
}
