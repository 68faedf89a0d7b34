/* linsolve/krylov/device.h with CUDA. Each method is one kernel. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/device/part.h"
#include "core/memory.h"
#include "linsolve/krylov/cuda/host_driven.cuh"
#include "linsolve/krylov/cuda/kernel.cuh"
#include "linsolve/krylov/cuda/launch.cuh"
#include "linsolve/krylov/cuda/special.cuh"
#include "linsolve/krylov/device.h"
#include "linsolve/precond/device.h"

struct hp_krylov_device {
  hp_device *D;
  hp_krylov_options opt;
  hp_precond P;                   /* device pointers */
  double *work, *small, *history; /* work: the vectors, then the external preconditioner's memory */
  int64_t stride, vectors, bytes;
  bool spare;        /* a vector for the solution behind the others */
  int64_t *singular; /* result of the latest setup */
  hp_krylov_report *report;
  hp_execution *execution; /* NULL: in-kernel */
  hp_special *compiled;    /* NULL: the build's kernel */
  hp_krylov_special special;
  int64_t launches;
};

/* ---- kernels ---- */

struct setup_args {
  hp_gh A;
  hp_precond P;
  int64_t *singular;
};

static __device__ void setup(hp_team *t, const setup_args *a) {
  const int64_t bad = hp_krylov_precond_setup(t, &a->P, &a->A);
  if (t->rank == 0) *a->singular = bad;
}
HP_TEAM_KERNEL(setup_kernel, setup_args, setup(&t, &a))

struct apply_args {
  hp_gh A;
  hp_precond P;
  const double *r;
  double *z;
};
HP_TEAM_KERNEL(apply_kernel, apply_args, hp_krylov_precond_apply(&t, &a.P, &a.A, a.r, a.z))

static const hp_precond_device *external_of(const hp_krylov_device *K) {
  return K->opt.external != NULL ? K->opt.external->device : NULL;
}

int hp_solve_form(hp_device *D, const hp_krylov_options *opt, const hp_gh *A) {
  /* computing s from two vectors on the fly pays while both stay in L2 */
  const bool none = opt->preconditioner == HP_PRECOND_NONE && hp_device_get_shape(D).recompute &&
                    A->n * 8 * 4 < hp_device_get_info(D)->l2;
  const bool two = opt->method == HP_KRYLOV_BICGSTAB && A->q == 2 && A->nx > 1 && A->ny > 1 && A->nz > 1;
  if (!two) return HP_SOLVE_ANY;
  if (opt->external != NULL) return HP_SOLVE_TWO_3D;
  if (!hp_device_get_shape(D).wide) return none ? HP_SOLVE_TWO_3D_ROWS_FLY : HP_SOLVE_TWO_3D_ROWS;
  return none ? HP_SOLVE_TWO_3D_FLY : HP_SOLVE_TWO_3D;
}

static const void *kernel_of(const hp_krylov_device *K, const hp_gh *A) {
  const int form = hp_solve_form(K->D, &K->opt, A);
  const void *special = K->compiled != NULL ? hp_special_kernel(K->compiled, K->D, A, form) : NULL;
  if (special != NULL) return special;
  if (external_of(K) != NULL) return external_of(K)->kernel(K->opt.method, A);
  switch (form) {
    case HP_SOLVE_TWO_3D: return (const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_TWO_3D>;
    case HP_SOLVE_TWO_3D_FLY: return (const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_TWO_3D_FLY>;
    case HP_SOLVE_TWO_3D_ROWS: return (const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_TWO_3D_ROWS>;
    case HP_SOLVE_TWO_3D_ROWS_FLY: return (const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_TWO_3D_ROWS_FLY>;
  }
  switch (K->opt.method) {
#define HP_KRYLOV_CASE(name, text, f, vectors) \
  case HP_KRYLOV_##name: return (const void *)hp_solve_kernel<HP_KRYLOV_##name, HP_SOLVE_ANY>;
    HP_KRYLOV_LIST(HP_KRYLOV_CASE)
#undef HP_KRYLOV_CASE
    default: return NULL;
  }
}

/* The kernel compiled for A. Where there is none the build's solves, and the note says why. */
static void specialise(hp_krylov_device *K, const hp_gh *A) {
  hp_krylov_special *report = &K->special;
  if (hp_special_create(K->D, A, &K->opt, &K->P, hp_solve_form(K->D, &K->opt, A), &K->compiled) != HP_OK) {
    snprintf(report->note, sizeof report->note, "the solver's kernel is not specialised: %s", hp_fail_text());
    return;
  }
  hp_special_describe(K->compiled, report);
}

/* Whether `hepta tune --compile` found a compiled kernel to be the fastest. */
static bool is_tuned_to_compile(const hp_krylov_device *K) {
  return hp_device_get_shape(K->D).compile != HP_COMPILE_BUILD && K->opt.external == NULL &&
         K->opt.execution == HP_EXECUTION_IN_KERNEL && hp_device_gpus(K->D) == 1;
}

/* ---- storage ---- */

/* Bytes of the vectors, with the one for the solution. */
static int64_t vector_bytes(const hp_krylov_device *K) {
  return ((K->vectors + K->spare) * K->stride * (int64_t)sizeof *K->work + 255) / 256 * 256;
}

/* Each vector is owned by rows, what the preconditioner has behind them in proportion. */
static hp_status create_vectors(hp_krylov_device *K, const hp_gh *A, int64_t room) {
  const int64_t real = (int64_t)sizeof *K->work, planes = K->vectors + K->spare, vector = K->stride * real;
  const hp_owned owned = {A->n, A->rows, real, vector, planes, vector_bytes(K) + room - planes * vector};
  return hp_device_alloc_owned(K->D, (void **)&K->work, &owned, "the solver's vectors");
}

static hp_status create(hp_krylov_device *K, const hp_gh *A) {
  const int64_t m = K->opt.restart, before = hp_device_bytes(K->D);
  K->stride = hp_krylov_device_stride(A->n, hp_device_spreads(K->D));
  K->vectors = hp_krylov_vectors(K->opt.method, K->opt.restart);
  K->spare = external_of(K) != NULL;
  const int64_t room = external_of(K) != NULL ? external_of(K)->memory_bytes : 0;
  HP_TRY(create_vectors(K, A, room));
  if (room > 0) HP_TRY(external_of(K)->attach(external_of(K)->self, (char *)K->work + vector_bytes(K)));
  HP_TRY(HP_DEVICE_ALLOC(K->D, K->small, (m + 1) * m + 4 * (m + 1)));
  HP_TRY(HP_DEVICE_ALLOC(K->D, K->history, K->opt.max_iterations + 1));
  HP_TRY(HP_DEVICE_ALLOC(K->D, K->singular, 1));
  HP_TRY(HP_DEVICE_ALLOC(K->D, K->report, 1));
  HP_TRY(hp_precond_device_create(K->D, A, K->opt.preconditioner, K->opt.ordering, K->opt.precision, K->opt.relaxation,
                                  true, &K->P));
  K->P.external_data = external_of(K) != NULL ? external_of(K)->data : NULL;
  const hp_exec_input in = {K->D, &K->opt, &K->P, K->work, K->stride, K->small, K->history, K->singular, K->report};
  if (K->opt.execution != HP_EXECUTION_IN_KERNEL) HP_TRY(hp_execution_create(&in, A, &K->execution));
  if (K->opt.specialise || is_tuned_to_compile(K)) specialise(K, A);
  K->bytes = hp_device_bytes(K->D) - before - room; /* that memory is counted by the preconditioner */
  return HP_OK;
}

hp_status hp_krylov_device_create(hp_device *D, const hp_gh *A, const hp_krylov_options *opt, hp_krylov_device **out) {
  *out = NULL;
  const char *refusal = hp_krylov_refusal(opt, A, A->part != NULL ? HP_SOLVER_GPU_RANKS : HP_SOLVER_GPU);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "%s", refusal);
  hp_krylov_device *K = NULL;
  HP_TRY(hp_alloc((void **)&K, 1, sizeof *K, "device solver"));
  K->D = D;
  K->opt = *opt;
  const hp_status s = create(K, A);
  if (s != HP_OK) hp_krylov_device_destroy(&K);
  *out = K;
  return s;
}

void hp_krylov_device_destroy(hp_krylov_device **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_krylov_device *K = *slot;
  hp_execution_destroy(&K->execution);
  hp_special_destroy(&K->compiled);
  HP_DEVICE_FREE(K->D, K->work);
  HP_DEVICE_FREE(K->D, K->small);
  HP_DEVICE_FREE(K->D, K->history);
  HP_DEVICE_FREE(K->D, K->singular);
  HP_DEVICE_FREE(K->D, K->report);
  hp_precond_device_free(K->D, &K->P);
  hp_free(slot);
}

int64_t hp_krylov_device_bytes(const hp_krylov_device *K) { return K->bytes; }

void *hp_krylov_device_work(const hp_krylov_device *K, int64_t *bytes) {
  *bytes = K->vectors * K->stride * (int64_t)sizeof *K->work;
  return K->work;
}

double *hp_krylov_device_solution(const hp_krylov_device *K) {
  return K->spare ? K->work + K->vectors * K->stride : NULL;
}

void *hp_krylov_device_idle(const hp_krylov_device *K, int64_t *bytes) {
  *bytes = vector_bytes(K);
  return K->work;
}

double hp_krylov_device_set_tolerance(hp_krylov_device *K, double tolerance) {
  const double before = K->opt.tolerance;
  if (tolerance > 0.0) K->opt.tolerance = tolerance;
  if (K->execution != NULL) hp_execution_set_tolerance(K->execution, K->opt.tolerance);
  return before;
}

const hp_krylov_special *hp_krylov_device_special(const hp_krylov_device *K) {
  return K->execution != NULL ? hp_execution_special(K->execution) : &K->special;
}

int64_t hp_krylov_device_launches(const hp_krylov_device *K) {
  return K->execution != NULL ? hp_execution_launches(K->execution) : K->launches;
}

/* ---- running ---- */

static hp_status set_up(hp_krylov_device *K, const hp_gh *A) {
  const setup_args a = {*A, K->P, K->singular};
  if (K->execution != NULL) HP_TRY(hp_execution_setup(K->execution, A));
  if (external_of(K) != NULL) return external_of(K)->setup(external_of(K)->self, A, K->singular);
  if (K->P.kind == HP_PRECOND_DILU && K->P.ordering == HP_ORDER_BRICKS)
    return hp_precond_device_factorize(K->D, A, &K->P, K->singular);
  return hp_team_launch(K->D, (const void *)setup_kernel, &a, 0, "setting up the preconditioner");
}

/* The first singular row of all ranks, in the whole system. */
static hp_status agree_on_singular(hp_krylov_device *K, const hp_part *p) {
  int64_t row = -1;
  double one = 1.0;
  HP_TRY(hp_device_download(K->D, &row, K->singular, sizeof row));
  row = hp_part_global(p, row);
  hp_ranks_max_at(p->K, &one, &row);
  return hp_device_upload(K->D, K->singular, &row, sizeof row);
}

hp_status hp_krylov_device_setup(hp_krylov_device *K, const hp_gh *A) {
  HP_TRY(set_up(K, A));
  return A->part != NULL ? agree_on_singular(K, A->part) : HP_OK;
}

hp_status hp_solve_launch(hp_device *D, const void *kernel, hp_solve_args *a, bool external) {
  int threads, blocks;
  int64_t spare;
  a->S.unroll = hp_device_get_shape(D).unroll;
  a->S.chip_bytes = 0;
  if (!external) { /* kernels of higher layers use that memory themselves */
    HP_TRY(hp_team_launch_shape(D, kernel, 0, &threads, &blocks));
    HP_TRY(hp_team_spare_shared(D, kernel, &spare));
    hp_team t;
    memset(&t, 0, sizeof t);
    hp_team_split(&t, a->A.rows, a->A.n);
    const int64_t step = (int64_t)blocks * (threads / 32), vector = hp_local_rows(&t, a->A.n, step) * threads * 16;
    const int64_t most = hp_device_get_shape(D).chip, fit = spare / vector;
    a->S.chip_bytes = (fit < most ? fit : most) * vector;
  }
  return hp_team_launch(D, kernel, a, (size_t)a->S.chip_bytes, "solving a linear system");
}

static hp_solve_args args_of(const hp_krylov_device *K, const hp_gh *A, int task, const double *b, double *x) {
  hp_solve_args a;
  memset(&a, 0, sizeof a);
  a.A = *A;
  a.P = K->P;
  a.S = hp_solve_of(&K->opt, K->work, K->stride, K->small, b, x);
  a.S.report = K->report;
  a.singular = K->singular;
  a.task = task;
  return a;
}

static hp_status solve_in_kernel(hp_krylov_device *K, const hp_gh *A, const double *b, double *x, double *history,
                                 hp_krylov_report *report) {
  hp_solve_args a = args_of(K, A, K->opt.method, b, x);
  a.S.history = history;
  HP_TRY(hp_solve_launch(K->D, kernel_of(K, A), &a, external_of(K) != NULL));
  K->launches += 1;
  return hp_device_download(K->D, report, K->report, sizeof *report);
}

hp_status hp_krylov_device_solve(hp_krylov_device *K, const hp_gh *A, const double *b, double *x, double *history,
                                 hp_krylov_report *report) {
  double *recorded = history != NULL ? K->history : NULL;
  HP_TRY(K->execution != NULL ? hp_execution_solve(K->execution, A, b, x, recorded, report)
                              : solve_in_kernel(K, A, b, x, recorded, report));
  if (history == NULL) return HP_OK;
  return hp_device_download(K->D, history, K->history, (report->iterations + 1) * (int64_t)sizeof *history);
}

hp_status hp_krylov_device_apply(hp_krylov_device *K, const hp_gh *A, const double *r, double *z) {
  const apply_args a = {*A, K->P, r, z};
  if (external_of(K) == NULL)
    return hp_team_launch(K->D, (const void *)apply_kernel, &a, 0, "applying the preconditioner");
  const hp_solve_args task = args_of(K, A, HP_TASK_APPLY, r, z);
  return hp_team_launch(K->D, external_of(K)->kernel(task.task, A), &task, 0, "applying the preconditioner");
}
