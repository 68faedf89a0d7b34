/* The solid-fuel ignition problem as sim/newton/loop.h takes it: full steps, no line search. Convergence is judged as
 * PETSc does it by default: |F| <= newton_tolerance |F_0|, or |change of u| < step_tolerance |u|. */
#include <math.h>
#include <string.h>

#include "bench/bratu/place.h"
#include "bench/multigrid/device.h"
#include "core/device/ahead.h"
#include "core/memory.h"
#include "core/profile.h"
#include "linsolve/krylov/device.h"

struct hp_bratu_solver {
  hp_bratu_options opt;
  hp_bratu_place *place;
  hp_bratu_report *report;     /* of the solve at hand */
  hp_bratu_iteration *history; /* [newton_iterations + 1] */
  int n;                       /* iterations made */
};

/* ---- options ---- */

hp_bratu_options hp_bratu_default_options(int nx, int ny, int nz, bool on_gpu) {
  hp_bratu_options o = {.nx = nx,
                        .ny = ny,
                        .nz = nz,
                        .lambda = 6.0,
                        .newton_tolerance = 1e-8,
                        .step_tolerance = 1e-8,
                        .newton_iterations = 50,
                        .tolerance = 1e-5,
                        .restart = 30,
                        .linear_iterations = 10000,
                        .amg = hp_amg_default_options()};
  if (on_gpu) o.amg.smoother = HP_AMG_L1_JACOBI;
  return o;
}

/* In a kernel gmres multiplies with gh alone. */
hp_krylov_options hp_bratu_krylov(const hp_bratu_options *o, bool on_gpu) {
  const bool apart = on_gpu && o->matrix != HP_SPARSE_GH;
  return (hp_krylov_options){.method = HP_KRYLOV_GMRES,
                             .tolerance = o->tolerance,
                             .max_iterations = o->linear_iterations,
                             .restart = o->restart,
                             .matrix = o->matrix,
                             .execution = apart ? HP_EXECUTION_PER_OPERATION : HP_EXECUTION_IN_KERNEL};
}

hp_amg_solver_options hp_bratu_multigrid(const hp_bratu_options *o) {
  return (hp_amg_solver_options){.amg = o->amg,
                                 .method = HP_KRYLOV_GMRES,
                                 .restart = o->restart,
                                 .tolerance = o->tolerance,
                                 .max_iterations = o->linear_iterations,
                                 .matrix = o->matrix};
}

static bool is_size(int n) { return n == 1 || n >= 3; }

const char *hp_bratu_refusal(const hp_bratu_options *o, bool on_gpu) {
  if (!is_size(o->nx) || !is_size(o->ny) || !is_size(o->nz) || (o->nx == 1 && o->ny == 1 && o->nz == 1))
    return "a direction has 1 node or at least 3, of which two are the boundary, and one direction has 3";
  if (!(o->lambda >= 0.0)) return "lambda must not be negative";
  if (!(o->newton_tolerance > 0.0) || !(o->step_tolerance >= 0.0)) return "Newton's tolerances must be positive";
  if (o->newton_iterations < 1 || o->newton_iterations > HP_BRATU_ITERATIONS_MAX)
    return "Newton's method takes 1 to 1000 iterations";
  if (o->uses_amg) {
    const hp_amg_solver_options a = hp_bratu_multigrid(o);
    const char *refusal = hp_amg_solver_refusal(&a);
    return refusal == NULL && on_gpu ? hp_amg_device_solver_refusal(&a) : refusal;
  }
  const hp_krylov_options k = hp_bratu_krylov(o, on_gpu);
  return hp_krylov_refusal(&k, NULL, on_gpu ? HP_SOLVER_GPU : HP_SOLVER_ANY);
}

const char *hp_bratu_part_name(hp_bratu_part part) {
  static const char *const text[] = {
#define PART_TEXT(name, text) text,
      HP_BRATU_PART_LIST(PART_TEXT)
#undef PART_TEXT
  };
  return (unsigned)part < HP_BRATU_PARTS ? text[part] : "unknown";
}

const char *hp_bratu_end_text(const hp_bratu_report *r) {
  switch (r->end) {
    case HP_NEWTON_CONVERGED: return r->by_step ? "converged: u changes no more" : "converged";
    case HP_NEWTON_FAILED: return "the residual is not finite: is lambda too large for a solution?";
    case HP_NEWTON_MAX_ITERATIONS: return "not converged: is lambda too large for a solution?";
    case HP_NEWTON_NO_LINEAR_SOLUTION: return "gmres did not solve a linear system: allow more --iterations";
    default: return "unknown";
  }
}

/* ---- the parts of an iteration ---- */

/* The time since `start` goes to the part, but for copies. */
static void count(hp_bratu_solver *B, hp_bratu_part part, double start, double transfer) {
  const double copies = B->place->transfer - transfer;
  B->report->seconds[part] += hp_now() - start - copies;
  B->report->seconds[HP_BRATU_TRANSFER] += copies;
}

/* A call of the place whose time is a part's. */
#define TIMED(B, part, call)                                          \
  do {                                                                \
    const double start_ = hp_now(), transfer_ = (B)->place->transfer; \
    HP_TRY(call);                                                     \
    count(B, part, start_, transfer_);                                \
  } while (0)

static hp_status residual(void *problem, const hp_newton_state *at) {
  hp_bratu_solver *B = problem;
  double sum[1];
  B->n = at->iterations;
  TIMED(B, HP_BRATU_RESIDUAL, B->place->ops->residual(B->place, sum));
  B->history[B->n].norm = sqrt(sum[0]);
  return HP_OK;
}

static hp_status judge(void *problem, const hp_newton_state *at, hp_newton_end *end) {
  hp_bratu_solver *B = problem;
  const hp_bratu_iteration *now = &B->history[at->iterations], *before = at->iterations > 0 ? now - 1 : NULL;
  B->report->by_step = false;
  if (!isfinite(now->norm)) {
    *end = HP_NEWTON_FAILED;
  } else if (now->norm <= B->opt.newton_tolerance * B->history[0].norm) {
    *end = HP_NEWTON_CONVERGED;
  } else if (before != NULL && before->step < B->opt.step_tolerance * before->size) {
    *end = HP_NEWTON_CONVERGED;
    B->report->by_step = true;
  }
  return HP_OK;
}

static hp_status solve(void *problem, const hp_newton_state *at, hp_krylov_report *k) {
  hp_bratu_solver *B = problem;
  TIMED(B, HP_BRATU_JACOBIAN, B->place->ops->jacobian(B->place));
  TIMED(B, HP_BRATU_SETUP, B->place->ops->set_up(B->place, at->iterations == 0));
  TIMED(B, HP_BRATU_VECTORS, B->place->ops->solve(B->place, k));
  B->history[B->n].linear = *k;
  B->report->products += k->products;
  B->report->applications += k->applications;
  return HP_OK;
}

static hp_status update(void *problem) {
  hp_bratu_solver *B = problem;
  hp_bratu_iteration *now = &B->history[B->n];
  double sum[2];
  TIMED(B, HP_BRATU_UPDATE, B->place->ops->update(B->place, sum));
  now->step = sqrt(sum[0]);
  now->size = sqrt(sum[1]);
  return HP_OK;
}

/* ---- the solver ---- */

hp_status hp_bratu_create(const hp_bratu_options *opt, hp_team_hub *hub, hp_device *D, hp_bratu_solver **out) {
  *out = NULL;
  const char *refusal = hp_bratu_refusal(opt, D != NULL);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "%s", refusal);
  hp_bratu_solver *B = NULL;
  HP_TRY(HP_ALLOC(B, 1));
  B->opt = *opt;
  hp_status s = HP_ALLOC(B->history, (int64_t)opt->newton_iterations + 1);
  if (s == HP_OK && D == NULL) s = hp_bratu_cpu_create(&B->opt, hub, &B->place);
  if (s == HP_OK && D != NULL) s = hp_device_in_build();
  if (s == HP_OK && D != NULL) s = hp_bratu_device_create(&B->opt, D, &B->place);
  if (s != HP_OK) hp_bratu_destroy(&B);
  *out = B;
  return s;
}

void hp_bratu_destroy(hp_bratu_solver **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_bratu_solver *B = *slot;
  if (B->place != NULL) B->place->ops->destroy(&B->place);
  HP_FREE(B->history);
  HP_FREE(*slot);
}

hp_status hp_bratu_solve(hp_bratu_solver *B, double *u, hp_bratu_report *report) {
  const hp_newton_problem problem = {B, B->opt.newton_iterations, residual, judge, solve, update};
  const int64_t bytes = B->place->bytes;
  const double start = hp_now();
  hp_newton_state at;
  memset(report, 0, sizeof *report);
  memset(B->history, 0, ((size_t)B->opt.newton_iterations + 1) * sizeof *B->history);
  B->report = report;
  TIMED(B, HP_BRATU_UPDATE, B->place->ops->start(B->place));
  HP_TRY(hp_newton_iterate(&problem, &at, &report->end));
  TIMED(B, HP_BRATU_UPDATE, B->place->ops->solution(B->place, u));
  report->total = hp_now() - start;
  report->newton = at.iterations;
  report->linear = at.linear;
  report->history = B->history;
  report->bytes = B->place->bytes - bytes;
  return HP_OK;
}

/* Estimates: in a solve a product may find more or less in the caches. They are not more than all of it. */
hp_status hp_bratu_divide(hp_bratu_solver *B, hp_bratu_report *report) {
  double product, cycle, *seconds = report->seconds;
  HP_TRY(B->place->ops->time_product(B->place, &product));
  HP_TRY(B->place->ops->time_cycle(B->place, &cycle));
  const double all = seconds[HP_BRATU_VECTORS];
  seconds[HP_BRATU_PRODUCT] = fmin(all, (double)report->products * product);
  seconds[HP_BRATU_PRECOND] = fmin(all - seconds[HP_BRATU_PRODUCT], (double)report->applications * cycle);
  seconds[HP_BRATU_VECTORS] = all - seconds[HP_BRATU_PRODUCT] - seconds[HP_BRATU_PRECOND];
  return HP_OK;
}
