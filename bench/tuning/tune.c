#include "bench/tuning/tune.h"

#include <math.h>
#include <string.h>

#include "bench/bsr/bsr.h"
#include "bench/generators/family.h"
#include "bench/generators/pressure.h"
#include "bench/tuning/kernels.h"
#include "core/memory.h"
#include "linsolve/krylov/device.h"
#include "sim/linear/linear.h"

enum { VECTORS = 8 /* that maxpy adds */ };
enum { WITH_DILU, WITHOUT, WITH_CPR, SOLVERS };

/* A system of the family, with and without preconditioner; one of two phases with cpr. */
typedef struct {
  hp_device *D;
  const hp_tune_options *opt;
  const int *size;
  int q;
  hp_gh A, two_phase;                /* on the device */
  hp_linear_solver *solver[SOLVERS]; /* NULL where a q has none */
  hp_device_shape made;              /* that they were made for */
  double *b, *x;                     /* device [n] */
  double *expected[SOLVERS], *back;  /* host [n]: the default shape's solutions; NULL before it was measured */
  int64_t n;
} problem;

hp_tune_options hp_tune_default(void) {
  const hp_tune_options o = {.iterations = 40,
                             .search = {.trials = 300, .rounds = 7, .seed = 1},
                             .kernels = {.trials = 200, .rounds = 7, .seed = 1}};
  return o;
}

void hp_tune_csv_head(FILE *csv) {
  fputs("what,nx,ny,nz,q,gpus,blocks,barrier,delay_ns,chip,wide,unroll,recompute,threads,compile,samples,seconds\n",
        csv);
}

/* ---- the problem ---- */

/* As a deck's defaults on a GPU; a tolerance that no solve without cpr reaches, so that all take the same iterations. */
static hp_linear_options solver_options(const problem *P, int which) {
  enum { BRICKS_MIN = 50000 }; /* cells: sim/backend/backend.c */
  const bool dilu = which != WITHOUT, cpr = which == WITH_CPR;
  const bool bricks = cpr && (int64_t)P->size[0] * P->size[1] * P->size[2] >= BRICKS_MIN;
  hp_linear_options o = {.krylov = {.method = HP_KRYLOV_BICGSTAB,
                                    .preconditioner = dilu ? HP_PRECOND_DILU : HP_PRECOND_NONE,
                                    .ordering = bricks ? HP_ORDER_BRICKS
                                                : dilu ? HP_ORDER_RED_BLACK
                                                       : HP_ORDER_NATURAL,
                                    .precision = dilu ? HP_PRECISION_SINGLE : HP_PRECISION_DOUBLE,
                                    .relaxation = dilu && !cpr ? 0.8 : 0.0,
                                    .tolerance = cpr ? 1e-8 : 1e-300,
                                    .max_iterations = P->opt->iterations,
                                    .restart = 1},
                         .uses_cpr = cpr};
  if (cpr) {
    o.cpr = hp_cpr_default_options();
    o.cpr.ordering = o.krylov.ordering;
    o.cpr.refresh = HP_CPR_BY_SOLVE;
    o.cpr.amg.pre = 0;
  }
  return o;
}

static const hp_gh *matrix_of(const problem *P, int which) { return which == WITH_CPR ? &P->two_phase : &P->A; }

static hp_status make_solver(problem *P, int which) {
  const hp_linear_options o = solver_options(P, which);
  const hp_linear_input in = {.A = matrix_of(P, which), .options = &o, .D = P->D};
  const hp_status s = hp_linear_create(&in, &P->solver[which]);
  if (s == HP_ERR_UNSUPPORTED && which == WITH_DILU) return HP_OK; /* this q */
  HP_TRY(s);
  return P->solver[which]->ops->set_up(P->solver[which], matrix_of(P, which));
}

static hp_status make_two_phase(problem *P) {
  const hp_pressure p = {
      P->size[0], P->size[1], P->size[2], .sigma = 2.5, .vertical = 1.0, .storage = 1e-3, .seed = P->opt->search.seed};
  hp_gh *G = NULL, *A = NULL;
  HP_TRY(hp_pressure_create(&p, &G));
  hp_status s = hp_pressure_two_phase(G, &A);
  if (s == HP_OK) s = hp_gh_device_upload(P->D, A, &P->two_phase);
  hp_gh_destroy(&G);
  hp_gh_destroy(&A);
  return s == HP_OK ? make_solver(P, WITH_CPR) : s;
}

static hp_status upload(problem *P, const hp_gh *A) {
  double *b = P->back;
  hp_family_vector(P->opt->search.seed + 7, A->n, b);
  HP_TRY(hp_gh_device_upload(P->D, A, &P->A));
  HP_TRY(HP_DEVICE_ALLOC(P->D, P->b, A->n));
  HP_TRY(HP_DEVICE_ALLOC(P->D, P->x, A->n));
  HP_TRY(hp_device_upload(P->D, P->b, b, A->n * (int64_t)sizeof *b));
  HP_TRY(make_solver(P, WITH_DILU));
  HP_TRY(make_solver(P, WITHOUT));
  return P->q == 2 ? make_two_phase(P) : HP_OK;
}

static hp_status create(problem *P) {
  hp_gh *A = NULL;
  hp_family f = hp_family_default(P->size[0], P->size[1], P->size[2], P->q);
  f.seed = P->opt->search.seed;
  HP_TRY(hp_family_create(&f, &A));
  P->n = A->n;
  hp_status s = HP_ALLOC(P->back, A->n);
  if (s == HP_OK) s = upload(P, A);
  hp_gh_destroy(&A);
  return s;
}

static void release(problem *P) {
  for (int n = 0; n < SOLVERS; ++n) {
    hp_linear_destroy(&P->solver[n]);
    HP_FREE(P->expected[n]);
  }
  hp_gh_device_free(P->D, &P->A);
  hp_gh_device_free(P->D, &P->two_phase);
  HP_DEVICE_FREE(P->D, P->b);
  HP_DEVICE_FREE(P->D, P->x);
  HP_FREE(P->back);
}

/* ---- measuring ---- */

/* Seconds an iteration, the set-up shared out among them. */
static hp_status time_solve(problem *P, int which, double *seconds) {
  hp_krylov_report r;
  hp_linear_solver *K = P->solver[which];
  const hp_gh *A = matrix_of(P, which);
  double setup = 0.0;
  if (which != WITHOUT) HP_TRY(K->ops->set_up(K, A));
  HP_TRY(K->ops->solve(K, A, P->b, P->x, NULL, &r));
  HP_TRY(K->ops->seconds(K, which != WITHOUT ? &setup : NULL, seconds));
  *seconds = (setup + *seconds) / (r.iterations > 0 ? r.iterations : 1);
  return HP_OK;
}

/* The solution that P->x holds is the default shape's; the first one seen is. */
static hp_status check_bits(problem *P, int which) {
  const int64_t bytes = matrix_of(P, which)->n * (int64_t)sizeof *P->back;
  HP_TRY(hp_device_download(P->D, P->back, P->x, bytes));
  if (P->expected[which] == NULL) {
    HP_TRY(hp_alloc((void **)&P->expected[which], P->n, sizeof *P->back, "solution of the default shape"));
    memcpy(P->expected[which], P->back, (size_t)bytes);
  }
  if (memcmp(P->expected[which], P->back, (size_t)bytes) == 0) return HP_OK;
  const hp_device_shape s = hp_device_get_shape(P->D);
  return hp_fail(HP_ERR_INTERNAL,
                 "a launch shape changes results: %d blocks of %d threads, barrier %s, delay %d, chip %d, wide %d, "
                 "unroll %d, recompute %d, compile %s",
                 s.blocks, s.threads, hp_barrier_name(s.barrier), s.delay, s.chip, s.wide, s.unroll, s.recompute,
                 hp_kernel_compile_name(s.compile));
}

/* ---- the search ---- */

static bool allowed(const void *self, const int *point) {
  const problem *P = self;
  const hp_device_shape shape = hp_tune_shape_of(point);
  return hp_tune_allowed(&shape, P->q, hp_device_gpus(P->D));
}

/* Solvers whose kernels are those of the device's shape. *good: they have been compiled if they were to be. */
static hp_status renew_solvers(problem *P, const hp_device_shape *shape, bool *good) {
  *good = true;
  if (hp_tune_same_kernel(&P->made, shape)) return HP_OK;
  P->made = *shape;
  for (int n = 0; n < WITH_CPR; ++n) { /* whose kernel is the build's */
    hp_linear_report look;
    if (P->solver[n] == NULL) continue;
    hp_linear_destroy(&P->solver[n]);
    HP_TRY(make_solver(P, n));
    HP_TRY(P->solver[n]->ops->report(P->solver[n], &look));
    *good = *good && (shape->compile == HP_COMPILE_BUILD || look.special.used);
  }
  if (!*good) P->made.threads = 0; /* none's: the next point makes its own */
  return HP_OK;
}

/* Without a compiler that would take forever. */
static hp_status measure(void *self, const int *point, int nth, double *seconds) {
  problem *P = self;
  const hp_device_shape shape = hp_tune_shape_of(point);
  bool good;
  *seconds = 0.0;
  HP_TRY(hp_device_set_shape(P->D, &shape));
  HP_TRY(renew_solvers(P, &shape, &good));
  if (!good) {
    *seconds = INFINITY;
    return HP_OK;
  }
  for (int n = 0; n < SOLVERS; ++n) {
    double one;
    if (P->solver[n] == NULL) continue;
    HP_TRY(time_solve(P, n, &one));
    if (nth == 0) HP_TRY(check_bits(P, n));
    *seconds += one;
  }
  return HP_OK;
}

static void report(void *self, const int *point, int samples, double median) {
  const problem *P = self;
  const hp_device_shape s = hp_tune_shape_of(point);
  if (P->opt->csv == NULL) return;
  fprintf(P->opt->csv, "solves,%d,%d,%d,%d,%d,%d,%s,%d,%d,%d,%d,%d,%d,%s,%d,%.6g\n", P->size[0], P->size[1], P->size[2],
          P->q, hp_device_gpus(P->D), s.blocks, hp_barrier_name(s.barrier), s.delay, s.chip, s.wide, s.unroll,
          s.recompute, s.threads, hp_kernel_compile_name(s.compile), samples, median);
}

static hp_status search(problem *P, hp_tuned_row *out) {
  const hp_device_shape start = hp_device_default_shape();
  hp_search_result found;
  hp_search_choice choice[HP_TUNE_CHOICES];
  int point[HP_TUNE_CHOICES];
  hp_tune_choices(P->opt->compile, choice);
  hp_tune_point_of(&start, point);
  const hp_search_problem S = {.choices = HP_TUNE_CHOICES,
                               .choice = choice,
                               .start = point,
                               .allowed = allowed,
                               .measure = measure,
                               .report = report,
                               .self = P};
  HP_TRY(hp_search_run(&S, &P->opt->search, &found));
  out->shape = hp_tune_shape_of(found.best);
  out->seconds = found.seconds;
  out->default_seconds = found.start_seconds;
  return hp_device_set_shape(P->D, &out->shape);
}

hp_status hp_tune_solves(hp_device *D, const int size[3], int q, const hp_tune_options *opt, hp_tuned_row *out) {
  problem P = {.D = D, .opt = opt, .size = size, .q = q, .made = hp_device_default_shape()};
  memset(out, 0, sizeof *out);
  memcpy(out->size, size, sizeof out->size);
  out->q = q;
  out->gpus = hp_device_gpus(D);
  if (opt->iterations < 1) return hp_fail(HP_ERR_USAGE, "the number of iterations must be at least 1");
  const hp_device_shape shape = hp_device_default_shape();
  HP_TRY(hp_device_set_shape(D, &shape));
  hp_status s = create(&P);
  if (s == HP_OK) s = search(&P, out);
  release(&P);
  return s;
}

/* ---- kernels ---- */

hp_status hp_tune_vector(hp_device *D, int op, int64_t n, const hp_tune_options *opt, hp_tuned_kernel *out) {
  double *x = NULL, *y = NULL, alphas[VECTORS], result;
  hp_vector_kernels *V = NULL;
  hp_vector_timing *T = NULL;
  hp_vector_args a = {.n = n, .count = op == HP_VECTOR_MAXPY ? VECTORS : 1, .stride = n, .alpha = -1.0};
  hp_status s = HP_ALLOC(x, n * a.count);
  if (s == HP_OK) s = HP_ALLOC(y, n);
  if (s == HP_OK) {
    hp_family_vector(1, n * a.count, x);
    hp_family_vector(2, n, y);
    hp_family_vector(3, VECTORS, alphas);
    a.x = x;
    a.y = y;
    a.alphas = alphas;
    a.result = &result;
    s = hp_vector_kernels_create(D, &V);
  }
  if (s == HP_OK) s = hp_vector_timing_create(V, (hp_vector_operation)op, &a, false, &T);
  if (s == HP_OK) s = hp_kernel_search_vector(T, (hp_vector_operation)op, n, &opt->kernels, opt->compile, NULL, out);
  hp_vector_timing_destroy(&T);
  hp_vector_kernels_destroy(&V);
  HP_FREE(x);
  HP_FREE(y);
  return s;
}

hp_status hp_tune_product(hp_device *D, const int size[3], int q, const hp_tune_options *opt, hp_tuned_kernel *out) {
  const int fastest_first[3] = {size[2], size[1], size[0]}; /* as cells of decks are numbered */
  double *x = NULL;
  hp_sgdia *A = NULL;
  hp_sgdia_timing *T = NULL;
  HP_TRY(hp_sgdia_create(HP_SGDIA_STAR, fastest_first, q, false, false, 1, &A));
  hp_status s = HP_ALLOC(x, A->n);
  if (s == HP_OK) {
    hp_family_vector(1, A->n, x);
    s = hp_sgdia_timing_create(D, A, NULL, false, x, true, &T);
  }
  if (s == HP_OK) s = hp_kernel_search_sgdia(T, A, &opt->kernels, opt->compile, NULL, out);
  hp_sgdia_timing_destroy(&T);
  hp_sgdia_destroy(&A);
  HP_FREE(x);
  return s;
}

hp_status hp_tune_blocks(hp_device *D, const int size[3], int q, const hp_tune_options *opt, hp_tuned_kernel *out) {
  hp_gh *A = NULL;
  hp_bsr *B = NULL;
  hp_family f = hp_family_default(size[0], size[1], size[2], q);
  const hp_search_options all = {.rounds = opt->kernels.rounds, .seed = opt->kernels.seed}; /* twelve launches */
  f.nwell = 0;
  f.seed = opt->search.seed;
  HP_TRY(hp_family_create(&f, &A));
  hp_status s = hp_bsr_from_gh(A, &B);
  hp_gh_destroy(&A);
  if (s == HP_OK) s = hp_kernel_search_blocks(D, B, NULL, NULL, 0, &all, NULL, out);
  hp_bsr_destroy(&B);
  return s;
}
