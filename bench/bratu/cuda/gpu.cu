/* The solid-fuel ignition problem on a GPU: each program of bratu.inl.h is one cooperative kernel, unknowns, residual,
 * Jacobian and everything that solves with it stay in its memory. Two or one sums an iteration and, at the end, the
 * solution are copied. */
#include <string.h>

#include "bench/bratu/place.h"
#include "bench/multigrid/device.h"
#include "bench/product/device.h"
#include "core/memory.h"
#include "core/profile.h"
#include "linsolve/krylov/device.h"
#include "sim/linear/linear.h"

enum { CYCLES = 20, BEGAN = 6, ENDED = 7 /* of the device's marks; the linear solver has the first */ };

/* Arguments of every kernel. */
struct bratu_args {
  hp_bratu P;
  hp_gh J;
  double *u, *f, *d; /* [n] unknowns, residual, step */
  double *sums;      /* [2] */
};

struct gpu {
  hp_bratu_place base;
  hp_bratu_options opt;
  hp_linear_options linear_options;
  hp_device *D;
  hp_gh *shape;             /* the Jacobian's, on the host */
  bratu_args args;          /* device pointers */
  hp_linear_solver *linear; /* NULL: */
  hp_amg_device_solver *multigrid;
};

/* ---- the programs ---- */

static __device__ void residual_program(hp_team *t, const bratu_args *a) {
  double sum[1];
  hp_bratu_residual(t, &a->P, a->u, a->f, sum);
  if (t->rank == 0) a->sums[0] = sum[0];
}

static __device__ void update_program(hp_team *t, const bratu_args *a) {
  double sum[2];
  hp_bratu_update(t, &a->P, a->d, a->u, sum);
  if (t->rank == 0) a->sums[0] = sum[0];
  if (t->rank == 0) a->sums[1] = sum[1];
}

HP_TEAM_KERNEL(start_kernel, bratu_args, hp_bratu_start(&t, &a.P, a.u))
HP_TEAM_KERNEL(residual_kernel, bratu_args, residual_program(&t, &a))
HP_TEAM_KERNEL(jacobian_kernel, bratu_args, hp_bratu_jacobian(&t, &a.P, a.u, &a.J))
HP_TEAM_KERNEL(update_kernel, bratu_args, update_program(&t, &a))

/* Waits, so that the time is the kernel's. */
static hp_status run(gpu *C, const void *kernel, const char *what) {
  HP_TRY(hp_team_launch(C->D, kernel, &C->args, 0, what));
  return hp_device_sync(C->D);
}

/* To the host, when all before is done. */
static hp_status fetch(gpu *C, double *to, const double *from, int64_t count) {
  const int64_t bytes = count * (int64_t)sizeof *to;
  const double began = hp_now();
  HP_TRY(hp_device_download(C->D, to, from, bytes));
  C->base.transfer += hp_now() - began;
  C->base.bytes += bytes;
  return HP_OK;
}

static hp_status start(hp_bratu_place *L) {
  return run((gpu *)L, (const void *)start_kernel, "making the first guess");
}

static hp_status residual(hp_bratu_place *L, double *sum) {
  gpu *C = (gpu *)L;
  HP_TRY(run(C, (const void *)residual_kernel, "evaluating the residual"));
  return fetch(C, sum, C->args.sums, 1);
}

static hp_status jacobian(hp_bratu_place *L) {
  return run((gpu *)L, (const void *)jacobian_kernel, "evaluating the Jacobian");
}

static hp_status update(hp_bratu_place *L, double *sum) {
  gpu *C = (gpu *)L;
  HP_TRY(run(C, (const void *)update_kernel, "updating the unknowns"));
  return fetch(C, sum, C->args.sums, 2);
}

static hp_status solution(hp_bratu_place *L, double *u) {
  gpu *C = (gpu *)L;
  return fetch(C, u, C->args.u, C->shape->n);
}

/* ---- the linear solver ---- */

static hp_status set_up(hp_bratu_place *L, bool first) {
  gpu *C = (gpu *)L;
  if (C->linear != NULL) HP_TRY(C->linear->ops->set_up(C->linear, &C->args.J));
  else if (first) HP_TRY(hp_amg_device_solver_build(C->multigrid));
  else HP_TRY(hp_amg_device_solver_refresh(C->multigrid));
  return hp_device_sync(C->D);
}

static hp_status solve(hp_bratu_place *L, hp_krylov_report *report) {
  gpu *C = (gpu *)L;
  const bratu_args *a = &C->args;
  if (C->linear != NULL) return C->linear->ops->solve(C->linear, &a->J, a->f, a->d, NULL, report);
  return hp_amg_device_solver_solve(C->multigrid, a->f, a->d, NULL, report);
}

/* ---- one product, one cycle ---- */

/* A copy of the Jacobian and of the residual on the host, as hp_spmv_device_measure takes them. */
struct on_host {
  hp_sparse *F; /* NULL: gh, or */
  hp_bsr *B;
  double *x, *y;
};

static hp_status measure_product(gpu *C, on_host *H, double *seconds) {
  const int64_t n = C->shape->n, word = sizeof(double);
  const hp_sparse_kind kind = C->opt.matrix;
  HP_TRY(HP_ALLOC(H->x, n));
  HP_TRY(HP_ALLOC(H->y, n));
  if (C->shape->h == NULL) HP_TRY(hp_gh_allocate(C->shape));
  HP_TRY(hp_gh_device_download_values(C->D, &C->args.J, C->shape));
  HP_TRY(hp_device_download(C->D, H->x, C->args.f, n * word));
  if (kind == HP_SPARSE_BSR) HP_TRY(hp_bsr_from_gh(C->shape, &H->B));
  else if (kind != HP_SPARSE_GH) HP_TRY(hp_sparse_create(C->shape, NULL, kind, &H->F));
  if (H->F != NULL) hp_sparse_set(H->F, C->shape);
  hp_spmv_job job;
  memset(&job, 0, sizeof job);
  job.A = C->shape;
  job.F = H->F;
  job.B = H->B;
  job.x = H->x;
  job.y = H->y;
  job.cold = true;
  job.time_limit = 0.1;
  HP_TRY(hp_spmv_device_measure(C->D, &job));
  *seconds = job.seconds;
  return HP_OK;
}

static hp_status time_product(hp_bratu_place *L, double *seconds) {
  on_host H = {NULL, NULL, NULL, NULL};
  const hp_status s = measure_product((gpu *)L, &H, seconds);
  hp_sparse_destroy(&H.F);
  hp_bsr_destroy(&H.B);
  HP_FREE(H.x);
  HP_FREE(H.y);
  return s;
}

static hp_status time_cycle(hp_bratu_place *L, double *seconds) {
  gpu *C = (gpu *)L;
  *seconds = 0.0;
  if (C->multigrid == NULL) return HP_OK;
  HP_TRY(hp_amg_device_solver_cycle(C->multigrid, C->args.f, C->args.d)); /* warms up */
  HP_TRY(hp_device_mark(C->D, BEGAN));
  for (int n = 0; n < CYCLES; ++n) HP_TRY(hp_amg_device_solver_cycle(C->multigrid, C->args.f, C->args.d));
  HP_TRY(hp_device_mark(C->D, ENDED));
  HP_TRY(hp_device_elapsed(C->D, BEGAN, ENDED, seconds));
  *seconds /= CYCLES;
  return HP_OK;
}

/* ---- the place ---- */

static void destroy(hp_bratu_place **slot) {
  gpu *C = (gpu *)*slot;
  hp_linear_destroy(&C->linear);
  hp_amg_device_solver_destroy(&C->multigrid);
  hp_gh_device_free(C->D, &C->args.J);
  HP_DEVICE_FREE(C->D, C->args.u);
  HP_DEVICE_FREE(C->D, C->args.f);
  HP_DEVICE_FREE(C->D, C->args.d);
  HP_DEVICE_FREE(C->D, C->args.sums);
  hp_gh_destroy(&C->shape);
  HP_FREE(*slot);
}

static hp_bratu_ops operations(void) {
  hp_bratu_ops o = {};
  o.destroy = destroy;
  o.start = start;
  o.residual = residual;
  o.jacobian = jacobian;
  o.set_up = set_up;
  o.solve = solve;
  o.update = update;
  o.solution = solution;
  o.time_product = time_product;
  o.time_cycle = time_cycle;
  return o;
}

static const hp_bratu_ops gpu_ops = operations();

static hp_status create_solver(gpu *C) {
  if (C->opt.uses_amg) {
    const hp_amg_solver_options amg = hp_bratu_multigrid(&C->opt);
    return hp_amg_device_solver_create(C->D, &C->args.J, &amg, &C->multigrid);
  }
  C->linear_options.krylov = hp_bratu_krylov(&C->opt, true);
  hp_linear_input in;
  memset(&in, 0, sizeof in);
  in.A = &C->args.J;
  in.options = &C->linear_options;
  in.D = C->D;
  return hp_linear_create(&in, &C->linear);
}

static hp_status create(gpu *C) {
  const hp_bratu_options *o = &C->opt;
  bratu_args *a = &C->args;
  a->P = hp_bratu_of(o->nx, o->ny, o->nz, o->lambda);
  HP_TRY(hp_gh_create_shape(o->nx, o->ny, o->nz, 1, &C->shape));
  HP_TRY(hp_gh_device_upload(C->D, C->shape, &a->J));
  HP_TRY(HP_DEVICE_ALLOC(C->D, a->u, C->shape->n));
  HP_TRY(HP_DEVICE_ALLOC(C->D, a->f, C->shape->n));
  HP_TRY(HP_DEVICE_ALLOC(C->D, a->d, C->shape->n));
  HP_TRY(HP_DEVICE_ALLOC(C->D, a->sums, 2));
  return create_solver(C);
}

hp_status hp_bratu_device_create(const hp_bratu_options *opt, hp_device *D, hp_bratu_place **out) {
  gpu *C = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  C->base.ops = &gpu_ops;
  C->opt = *opt;
  C->D = D;
  *out = &C->base;
  const hp_status s = create(C);
  if (s != HP_OK) destroy(out);
  return s;
}
