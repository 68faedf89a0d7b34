/* Linear solvers on a team of the CPU, and the choice between the places. */
#include <math.h>
#include <stdio.h>

#include "core/device/ahead.h"
#include "core/memory.h"
#include "core/plural.h"
#include "core/profile.h"
#include "sim/linear/linear.h"

hp_krylov_options hp_linear_external_options(const hp_krylov_options *krylov, const hp_precond_external *external) {
  hp_krylov_options k = *krylov;
  k.external = external;
  k.preconditioner = HP_PRECOND_NONE;
  k.ordering = HP_ORDER_NATURAL;
  k.precision = HP_PRECISION_DOUBLE;
  k.relaxation = 0.0;
  return k;
}

const char *hp_linear_gpus_refusal(int gpus, const hp_linear_options *options) {
  return gpus > 1 || gpus == HP_DEVICE_ALL_GPUS ? hp_linear_refusal(options, HP_SOLVER_GPUS) : NULL;
}

hp_status hp_linear_create(const hp_linear_input *in, hp_linear_solver **out) {
  *out = NULL;
  if (in->hub != NULL) return hp_linear_cpu_create(in, out);
  HP_TRY(hp_device_in_build());
  return hp_linear_device_create(in, out);
}

double hp_linear_loosened(double usual, double times) { return fmin(fmax(0.3, usual), times * usual); }

hp_status hp_linear_solve_loosely(hp_linear_solver *S, double times, const hp_gh *A, const double *b, double *x,
                                  double *history, hp_krylov_report *report) {
  const double usual = S->ops->set_tolerance(S, 0.3);
  (void)S->ops->set_tolerance(S, hp_linear_loosened(usual, times));
  const hp_status s = S->ops->solve(S, A, b, x, history, report);
  (void)S->ops->set_tolerance(S, usual);
  return s;
}

void hp_linear_destroy(hp_linear_solver **S) {
  if (S != NULL && *S != NULL) (*S)->ops->destroy(S);
}

typedef struct {
  hp_linear_solver base;
  int threads;
  hp_cpr *cpr; /* NULL: another preconditioner */
  hp_krylov *krylov;
  double setup, solve; /* [s] */
} cpu;

static void cpu_destroy(hp_linear_solver **slot) {
  cpu *C = (cpu *)*slot;
  hp_krylov_destroy(&C->krylov);
  hp_cpr_destroy(&C->cpr);
  HP_FREE(*slot);
}

static hp_status cpu_set_up(hp_linear_solver *S, const hp_gh *A) {
  cpu *C = (cpu *)S;
  const double began = hp_now();
  HP_TRY(hp_krylov_setup(C->krylov, A));
  if (C->cpr != NULL) HP_TRY(hp_cpr_status(C->cpr));
  C->setup = hp_now() - began;
  return HP_OK;
}

static hp_status cpu_solve(hp_linear_solver *S, const hp_gh *A, const double *b, double *x, double *history,
                           hp_krylov_report *report) {
  cpu *C = (cpu *)S;
  const double began = hp_now();
  HP_TRY(hp_krylov_solve(C->krylov, A, b, x, history, report));
  C->solve = hp_now() - began;
  return HP_OK;
}

static hp_status cpu_seconds(hp_linear_solver *S, double *setup, double *solve) {
  const cpu *C = (const cpu *)S;
  if (setup != NULL) *setup = C->setup;
  if (solve != NULL) *solve = C->solve;
  return HP_OK;
}

static double cpu_set_tolerance(hp_linear_solver *S, double tolerance) {
  return hp_krylov_set_tolerance(((cpu *)S)->krylov, tolerance);
}

static void cpu_begin_step(hp_linear_solver *S) {
  hp_cpr *cpr = ((cpu *)S)->cpr;
  if (cpr != NULL) hp_cpr_begin_step(cpr);
}

static void cpu_rebuild(hp_linear_solver *S) {
  hp_cpr *cpr = ((cpu *)S)->cpr;
  if (cpr != NULL) hp_cpr_rebuild(cpr);
}

static bool cpu_solved(hp_linear_solver *S, const hp_krylov_report *report) {
  hp_cpr *cpr = ((cpu *)S)->cpr;
  return cpr != NULL && hp_cpr_solved(cpr, report);
}

static hp_status cpu_report(hp_linear_solver *S, hp_linear_report *out) {
  const cpu *C = (const cpu *)S;
  *out = (hp_linear_report){.uses_cpr = C->cpr != NULL, .solver_bytes = hp_krylov_bytes(C->krylov)};
  if (C->cpr != NULL) out->cpr = hp_cpr_get_state(C->cpr);
  snprintf(out->where, sizeof out->where, "CPU, %d thread%s", C->threads, hp_plural(C->threads));
  return HP_OK;
}

static const hp_linear_ops cpu_ops = {.destroy = cpu_destroy,
                                      .set_up = cpu_set_up,
                                      .solve = cpu_solve,
                                      .seconds = cpu_seconds,
                                      .set_tolerance = cpu_set_tolerance,
                                      .begin_step = cpu_begin_step,
                                      .rebuild = cpu_rebuild,
                                      .solved = cpu_solved,
                                      .report = cpu_report};

static hp_status create(const hp_linear_input *in, cpu *C) {
  const hp_linear_options *o = in->options;
  hp_krylov_options krylov = o->krylov;
  C->threads = hp_team_hub_size(in->hub);
  if (o->uses_cpr) {
    HP_TRY(hp_cpr_create(in->A, &o->cpr, &C->cpr));
    krylov = hp_linear_external_options(&o->krylov, hp_cpr_precond(C->cpr));
  }
  return hp_krylov_create(in->hub, in->A, &krylov, &C->krylov);
}

hp_status hp_linear_cpu_create(const hp_linear_input *in, hp_linear_solver **out) {
  cpu *C = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  C->base.ops = &cpu_ops;
  *out = &C->base;
  const hp_status s = create(in, C);
  if (s != HP_OK) hp_linear_destroy(out);
  return s;
}
