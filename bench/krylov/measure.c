/* Times of a Krylov method.
 *
 * Time per iteration: two solves of n and 2n iterations that nothing ends (the tolerance cannot be reached), the
 * difference of their times divided by n, the median of several such pairs: start-up, which both have, is not counted.
 * Where a method gets to rounding errors and starts again before 2n iterations, n is halved. Barriers and launches
 * an iteration are differences likewise. To convergence: a solve to the tolerance, from the call to the report on the
 * host, median; set-up of the preconditioner apart.
 */
#include <string.h>

#include "bench/bench.h"
#include "bench/krylov/krylov.h"
#include "bench/krylov/single.h"
#include "core/profile.h"

/* A solver for one set of options. */
typedef struct {
  const hp_bench_krylov_run *B;
  hp_linear_solver *linear;
  hp_bench_single *single; /* in its place, of the format gh-single */
} solver;

static hp_status create_solver(const hp_bench_krylov_run *B, const hp_krylov_options *opt, solver *K) {
  K->B = B;
  if (B->S.format == HP_BENCH_SINGLE) return hp_bench_single_create(&B->place, &B->S, opt, &K->single);
  const hp_linear_options linear = {.krylov = *opt};
  const hp_linear_input in = {.A = B->S.where.A, .options = &linear, .hub = B->place.hub, .D = B->place.device};
  return hp_own_is(&B->choice) ? hp_own_create(&in, &B->choice, &K->linear) : hp_linear_create(&in, &K->linear);
}

static void destroy_solver(solver *K) {
  hp_linear_destroy(&K->linear);
  hp_bench_single_destroy(&K->single);
}

static hp_status set_up(const solver *K, double *seconds) {
  *seconds = 0.0;
  if (K->single != NULL) return HP_OK;
  const double start = hp_now();
  HP_TRY(K->linear->ops->set_up(K->linear, K->B->S.where.A));
  if (K->B->place.device != NULL) HP_TRY(hp_device_sync(K->B->place.device));
  *seconds = hp_now() - start;
  return HP_OK;
}

/* *launches: those of this solve. */
static hp_status solve(const solver *K, double *seconds, int64_t *launches, hp_krylov_report *report) {
  const hp_bench_krylov_run *B = K->B;
  hp_linear_report look;
  if (K->single != NULL) return hp_bench_single_solve(K->single, seconds, launches, report);
  const double start = hp_now();
  HP_TRY(K->linear->ops->solve(K->linear, B->S.where.A, B->S.where.b, B->S.where.x, NULL, report));
  *seconds = hp_now() - start;
  HP_TRY(K->linear->ops->report(K->linear, &look));
  *launches = look.launches;
  return HP_OK;
}

/* Pairs of solves by K[0], of n iterations, and K[1], of 2n; *good: both went on to the end. */
static hp_status measure_pairs(const solver *K, int n, int samples, hp_bench_krylov_result *R, bool *good) {
  double sample[HP_BENCH_KRYLOV_SAMPLES], seconds[2];
  hp_krylov_report report[2];
  int64_t launches[2];
  *good = true;
  for (int s = -1; s < samples && *good; ++s) { /* one to warm up */
    for (int k = 0; k < 2; ++k) HP_TRY(solve(&K[k], &seconds[k], &launches[k], &report[k]));
    *good = report[0].iterations == n && report[1].iterations == 2 * n && report[1].restarts == 0;
    if (s >= 0) sample[s] = (seconds[1] - seconds[0]) / n;
  }
  if (!*good) return HP_OK;
  const double iteration = hp_bench_median(sample, samples);
  R->noise = iteration <= 0.0;
  if (R->noise) return HP_OK;
  R->iteration = iteration;
  R->barriers = (double)(report[1].barriers - report[0].barriers) / n;
  R->products = (double)(report[1].products - report[0].products) / n;
  R->launches = (double)(launches[1] - launches[0]) / n;
  R->pair = 2 * n;
  return HP_OK;
}

/* Keeps the report on the kernel of the first solver with its options, which compiled it where none was kept. */
static hp_status note_special(const solver *K, hp_bench_krylov_result *R) {
  hp_linear_report look;
  if (R->special.seconds > 0.0 || K->single != NULL) return HP_OK;
  HP_TRY(K->linear->ops->report(K->linear, &look));
  R->special = look.special;
  return HP_OK;
}

static hp_status measure_iteration(const hp_bench_krylov_run *B, hp_krylov_options opt, hp_bench_krylov_result *R) {
  opt.tolerance = 1e-300;
  bool good = false;
  for (int n = B->o->iterations / 2; n >= 1 && !good; n /= 2) {
    solver K[2];
    double seconds;
    memset(K, 0, sizeof K);
    hp_status s = HP_OK;
    for (int k = 0; k < 2 && s == HP_OK; ++k) {
      opt.max_iterations = (k + 1) * n;
      s = create_solver(B, &opt, &K[k]);
      if (s == HP_OK) s = note_special(&K[k], R);
      if (s == HP_OK) s = set_up(&K[k], &seconds);
    }
    if (s == HP_OK) s = measure_pairs(K, n, B->o->samples, R, &good);
    for (int k = 0; k < 2; ++k) destroy_solver(&K[k]);
    HP_TRY(s);
  }
  return HP_OK;
}

static hp_status measure_solve(const hp_bench_krylov_run *B, hp_krylov_options opt, hp_bench_krylov_result *R) {
  double solves[HP_BENCH_KRYLOV_SAMPLES], setups[HP_BENCH_KRYLOV_SAMPLES], seconds;
  int64_t launches;
  solver K = {0};
  opt.tolerance = B->o->tolerance;
  opt.max_iterations = 100000;
  hp_status s = create_solver(B, &opt, &K);
  if (s == HP_OK) s = set_up(&K, &seconds);
  if (s == HP_OK) s = solve(&K, &seconds, &launches, &R->report); /* warms up */
  for (int n = 0; n < B->o->samples && s == HP_OK; ++n) {
    s = set_up(&K, &setups[n]);
    if (s == HP_OK) s = solve(&K, &solves[n], &launches, &R->report);
  }
  destroy_solver(&K);
  HP_TRY(s);
  R->setup = hp_bench_median(setups, B->o->samples);
  R->solve = hp_bench_median(solves, B->o->samples);
  return HP_OK;
}

static hp_status measure_parts(const hp_bench_krylov_run *B, const hp_krylov_options *opt, hp_bench_krylov_result *R) {
  const hp_bench_system *S = &B->S;
  const bool gpu = B->place.device != NULL, half = hp_bench_format_is_half(S->format);
  const bool in_kernel = opt->execution == HP_EXECUTION_IN_KERNEL, made = opt->matrix != HP_SPARSE_GH;
  if (S->format == HP_BENCH_SINGLE) return hp_bench_single_time_parts(&B->place, S, opt, &R->parts);
  hp_sparse *F = NULL;
  hp_bsr *rows = NULL; /* on a GPU bsr is cuSPARSE's in the execution library alone */
  hp_status s = HP_OK;
  if (gpu && half && S->product->kind == HP_SPARSE_BSR) s = hp_half_to_bsr(S->H, S->half_csr, &rows);
  else if (gpu && S->format == HP_SPARSE_BSR && opt->execution != HP_EXECUTION_LIBRARY)
    s = made ? hp_bsr_from_gh(S->A, &rows) : hp_bsr_promote(S->csr, 1, 0, &rows);
  else if (made) s = hp_sparse_create(S->A, NULL, opt->matrix, &F);
  if (F != NULL) hp_sparse_set(F, S->A);
  if (s == HP_OK)
    s = hp_bench_krylov_time_parts(&B->place, S->where.host, F != NULL ? F : S->product, rows, in_kernel && !half,
                                   &R->parts);
  hp_sparse_destroy(&F);
  hp_bsr_destroy(&rows);
  return s;
}

hp_status hp_bench_krylov_measure(const hp_bench_krylov_run *B, const hp_krylov_options *opt,
                                  hp_bench_krylov_result *R) {
  HP_TRY(measure_iteration(B, *opt, R));
  HP_TRY(measure_solve(B, *opt, R));
  return measure_parts(B, opt, R);
}
