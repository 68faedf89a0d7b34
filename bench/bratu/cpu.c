/* The solid-fuel ignition problem on a team of the CPU. */
#include <string.h>

#include "amg/cycle/program.h"
#include "bench/bratu/place.h"
#include "bench/multigrid/solver.h"
#include "core/memory.h"
#include "core/profile.h"
#include "linsolve/matrix/sparse_fill.inl.h"
#include "linsolve/product/sparse_mul.inl.h"
#include "sim/linear/linear.h"

enum { SAMPLES = 5 }; /* of one product, one cycle, of which the least counts */

typedef struct {
  hp_bratu_place base;
  hp_bratu P;
  hp_bratu_options opt;
  hp_linear_options linear_options;
  hp_team_hub *hub;
  hp_gh *J;
  double *u, *f, *d;        /* [n] unknowns, residual, step */
  hp_linear_solver *linear; /* NULL: multigrid */
  hp_sparse *csr;           /* multigrid: J, as it is read there */
  hp_amg_solver *multigrid;
} cpu;

/* ---- the programs ---- */

typedef struct {
  cpu *C;
  double sum[2];
} job;

static void start_body(hp_team *t, void *p) {
  const job *a = p;
  hp_bratu_start(t, &a->C->P, a->C->u);
}

static void residual_body(hp_team *t, void *p) {
  job *a = p;
  double sum[1];
  hp_bratu_residual(t, &a->C->P, a->C->u, a->C->f, sum);
  if (t->rank == 0) a->sum[0] = sum[0];
}

static void jacobian_body(hp_team *t, void *p) {
  const job *a = p;
  hp_bratu_jacobian(t, &a->C->P, a->C->u, a->C->J);
}

static void update_body(hp_team *t, void *p) {
  job *a = p;
  double sum[2];
  hp_bratu_update(t, &a->C->P, a->C->d, a->C->u, sum);
  if (t->rank == 0) memcpy(a->sum, sum, sizeof sum);
}

static void fill_body(hp_team *t, void *p) {
  const job *a = p;
  hp_sparse_fill(t, a->C->csr, a->C->J);
}

static hp_status start(hp_bratu_place *L) {
  job a = {.C = (cpu *)L};
  return hp_team_run(a.C->hub, start_body, &a);
}

static hp_status residual(hp_bratu_place *L, double *sum) {
  job a = {.C = (cpu *)L};
  HP_TRY(hp_team_run(a.C->hub, residual_body, &a));
  *sum = a.sum[0];
  return HP_OK;
}

static hp_status jacobian(hp_bratu_place *L) {
  job a = {.C = (cpu *)L};
  return hp_team_run(a.C->hub, jacobian_body, &a);
}

static hp_status update(hp_bratu_place *L, double *sum) {
  job a = {.C = (cpu *)L};
  HP_TRY(hp_team_run(a.C->hub, update_body, &a));
  memcpy(sum, a.sum, sizeof a.sum);
  return HP_OK;
}

/* ---- the linear solver ---- */

static hp_status set_up(hp_bratu_place *L, bool first) {
  job a = {.C = (cpu *)L};
  cpu *C = a.C;
  if (C->linear != NULL) return C->linear->ops->set_up(C->linear, C->J);
  HP_TRY(hp_team_run(C->hub, fill_body, &a));
  return first ? hp_amg_solver_build(C->multigrid) : hp_amg_solver_refresh(C->multigrid);
}

static hp_status solve(hp_bratu_place *L, hp_krylov_report *report) {
  cpu *C = (cpu *)L;
  if (C->linear != NULL) return C->linear->ops->solve(C->linear, C->J, C->f, C->d, NULL, report);
  return hp_amg_solver_solve(C->multigrid, C->f, C->d, NULL, report);
}

static hp_status solution(hp_bratu_place *L, double *u) {
  const cpu *C = (const cpu *)L;
  memcpy(u, C->u, (size_t)C->J->n * sizeof *u);
  return HP_OK;
}

/* ---- one product, one cycle ---- */

typedef struct {
  cpu *C;
  hp_sparse *F;    /* NULL: gh */
  const hp_amg *H; /* a cycle instead of a product */
  double *basis;   /* [half the restart length][n] read between samples, as gmres reads its basis between products */
  int64_t count;   /* of basis */
  double sample[SAMPLES], sink;
} timing;

static void timing_body(hp_team *t, void *p) {
  timing *a = p;
  const cpu *C = a->C;
  double sum[1];
  for (int n = 0; n < SAMPLES; ++n) {
    HP_TEAM_REDUCE(t, i, a->count, 1) { HP_ACC(0) += a->basis[i]; }
    HP_TEAM_REDUCE_END(t);
    hp_team_sum(t, a->count, 1, sum);
    const double began = hp_now();
    if (a->H != NULL) hp_amg_cycle(t, (hp_amg *)a->H, C->f, C->d);
    else if (a->F != NULL) hp_sparse_mul(t, a->F, C->J, C->f, C->d);
    else hp_gh_mul(t, C->J, C->f, C->d);
    hp_team_sync(t);
    if (t->rank == 0) a->sample[n] = hp_now() - began;
    if (t->rank == 0) a->sink += sum[0];
  }
}

static hp_status run_timing(timing *a, double *seconds) {
  a->count = (int64_t)(a->C->opt.restart + 1) / 2 * a->C->J->n;
  HP_TRY(HP_ALLOC(a->basis, a->count));
  const hp_status s = hp_team_run(a->C->hub, timing_body, a);
  HP_FREE(a->basis);
  HP_TRY(s);
  *seconds = a->sample[0];
  for (int n = 1; n < SAMPLES; ++n)
    if (a->sample[n] < *seconds) *seconds = a->sample[n];
  return HP_OK;
}

static hp_status time_product(hp_bratu_place *L, double *seconds) {
  timing a = {.C = (cpu *)L};
  if (a.C->opt.matrix != HP_SPARSE_GH) HP_TRY(hp_sparse_create(a.C->J, NULL, a.C->opt.matrix, &a.F));
  if (a.F != NULL) hp_sparse_set(a.F, a.C->J);
  const hp_status s = run_timing(&a, seconds);
  hp_sparse_destroy(&a.F);
  return s;
}

static hp_status time_cycle(hp_bratu_place *L, double *seconds) {
  timing a = {.C = (cpu *)L};
  *seconds = 0.0;
  if (a.C->multigrid == NULL) return HP_OK;
  a.H = hp_amg_solver_hierarchy(a.C->multigrid);
  return run_timing(&a, seconds);
}

/* ---- the place ---- */

static void destroy(hp_bratu_place **slot) {
  cpu *C = (cpu *)*slot;
  hp_linear_destroy(&C->linear);
  hp_amg_solver_destroy(&C->multigrid);
  hp_sparse_destroy(&C->csr);
  hp_gh_destroy(&C->J);
  HP_FREE(C->u);
  HP_FREE(C->f);
  HP_FREE(C->d);
  HP_FREE(*slot);
}

static const hp_bratu_ops cpu_ops = {.destroy = destroy,
                                     .start = start,
                                     .residual = residual,
                                     .jacobian = jacobian,
                                     .set_up = set_up,
                                     .solve = solve,
                                     .update = update,
                                     .solution = solution,
                                     .time_product = time_product,
                                     .time_cycle = time_cycle};

static hp_status create_solver(cpu *C) {
  if (C->opt.uses_amg) {
    const hp_amg_solver_options amg = hp_bratu_multigrid(&C->opt);
    HP_TRY(hp_sparse_create(C->J, NULL, HP_SPARSE_CSR, &C->csr));
    return hp_amg_solver_create(C->hub, C->csr, C->J, 0, &amg, &C->multigrid);
  }
  C->linear_options.krylov = hp_bratu_krylov(&C->opt, false);
  const hp_linear_input in = {.A = C->J, .options = &C->linear_options, .hub = C->hub};
  return hp_linear_create(&in, &C->linear);
}

static hp_status create(cpu *C) {
  const hp_bratu_options *o = &C->opt;
  C->P = hp_bratu_of(o->nx, o->ny, o->nz, o->lambda);
  HP_TRY(hp_gh_create(o->nx, o->ny, o->nz, 1, &C->J));
  HP_TRY(HP_ALLOC(C->u, C->J->n));
  HP_TRY(HP_ALLOC(C->f, C->J->n));
  HP_TRY(HP_ALLOC(C->d, C->J->n));
  return create_solver(C);
}

hp_status hp_bratu_cpu_create(const hp_bratu_options *opt, hp_team_hub *hub, hp_bratu_place **out) {
  cpu *C = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  C->base.ops = &cpu_ops;
  C->opt = *opt;
  C->hub = hub;
  *out = &C->base;
  const hp_status s = create(C);
  if (s != HP_OK) destroy(out);
  return s;
}
