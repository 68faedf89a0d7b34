/* hepta bench krylov: what an iteration of a Krylov method costs, on the seeded matrices of
 * linsolve/generators/family.h.
 *
 * Time per iteration: two solves of n and 2n iterations that nothing ends (the tolerance cannot be reached), the
 * difference of their times divided by n, the median of several such pairs: start-up, which both have, is not counted.
 * Where a method gets to rounding errors and starts again before 2n iterations, n is halved. Barriers and launches
 * an iteration are differences likewise. To convergence: a solve to the tolerance, from the call to the report on the
 * host, median; set-up of the preconditioner apart.
 */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/profile.h"
#include "linsolve/krylov/device.h"
#include "linsolve/sgdia/sgdia.h"
#include "sim/bench/bench.h"
#include "sim/bench/krylov_parts.h"
#include "sim/bench/krylov_system.h"
#include "sim/cli/args.h"
#include "sim/cli/cli.h"
#include "sim/linear/linear.h"

static const char help[] =
    "usage: hepta bench krylov [options]\n\n"
    "Times iterations and whole solves of the Krylov methods on seeded matrices.\n\n"
    "      --size LIST            V (a cube) or NXxNYxNZ, comma between (default 20,32,41,51,64)\n"
    "      --q LIST               unknowns per cell, 1 to 16 (default 2)\n"
    "      --matrix FILE          of MatrixMarket instead, with --preconditioner none, as csr, bsr (of q = 1),\n"
    "                             sell, hyb (default csr)\n"
    "      --stencil LIST         star, of seven points, or box, of 27: then with --preconditioner none, as\n"
    "                             sg-dia (default), csr, bsr (of q = 1), sell, hyb (default star)\n"
    "      --format LIST          gh, csr, bsr, sell, dia, ell, hyb, hec, sg-dia in products (default gh; a\n"
    "                             GPU has the others by per-operation, most by graph, three by library);\n"
    "                             gh-h, csr-h, bsr-h, dia-h, hyb-h: rows offset by half a block every second\n"
    "                             time (even q), and that matrix in other formats, with --preconditioner none\n"
    "      --wells N              vertical wells (default 50, on small grids a quarter of the columns)\n"
    "      --connections N        as many more between cells that are not neighbours (default 0)\n"
    "      --symmetric            symmetric positive definite matrices, which cg needs\n"
    "      --method LIST          bicgstab, gmres, tfqmr, qmr, cg (default bicgstab)\n"
    "      --preconditioner LIST  none, jacobi, block-jacobi, dilu (default all)\n"
    "      --execution LIST       in-kernel, per-operation, graph, library (default in-kernel;\n"
    "                             all but the first on a GPU only)\n"
    "      --reordered            also with vector work between the halves of sums, in rows \"reordered\":\n"
    "                             bicgstab (CPU) and qmr\n"
    "      --specialise           also with kernels compiled for each matrix, in rows \"specialised\" (a GPU)\n"
    "      --precision NAME       single or double, of dilu's blocks (default single)\n"
    "      --iterations N         of the longer solve of a pair, 2 to 10000 (default 40)\n"
    "      --samples N            pairs and solves, 1 to 100 (default 9)\n"
    "      --tolerance X          of the solves to convergence (default 1e-6)\n"
    "      --seed N               of the matrices (default 1)\n"
    "      --chip LIST            vectors in the shared memory of a GPU at most, as far as they fit, 0 to 32\n"
    "                             (default 32, or what `hepta tune` found)\n"
    "      --csv FILE             also as a table of comma-separated values\n"
    "      --backend NAME         cpu or cuda (default cpu)\n"
    "      --gpus LIST            GPUs that work as one: how many, their numbers as in 0,1 (one may stand\n"
    "                             twice), or all (default 1)\n"
    "      --threads N            of the CPU (default one per processor)\n"
    "  -h, --help\n\n"
    "The order of dilu is natural on the CPU and red-black on a GPU. Of peak: GFLOP/s over what multiplications\n"
    "and additions in registers reach. Shares of an iteration: products, barriers, and vectors, which are the\n"
    "rest; with a preconditioner its part, too.\n";

enum { SAMPLES_MAX = 100 };

typedef struct {
  hp_args_size_list sizes;
  int q[HP_ARGS_LIST_MAX], nq, wells, connections; /* wells < 0: the default */
  bool format[HP_KRYLOV_FORMATS], formats;         /* formats: some were named */
  bool box[2];                                     /* star, box */
  bool method[HP_KRYLOV_COUNT], preconditioner[HP_PRECOND_COUNT], execution[HP_EXECUTION_COUNT];
  hp_backend_kind backend;
  hp_device_options device; /* of --gpus */
  hp_precision precision;
  int iterations, samples, threads;
  int chip[HP_CHIP_MAX + 1], chips; /* chips = 0: what the device has */
  bool symmetric, specialise, reordered;
  double tolerance;
  uint64_t seed;
  const char *csv, *matrix; /* of MatrixMarket, NULL: seeded ones */
  const char *seeded;       /* an option that seeded matrices only have, NULL: none */
  bool preconditioned;      /* --preconditioner was given */
} options;

/* A matrix where it is solved. */
typedef struct {
  const options *o;
  int chip; /* the shape's */
  hp_bench_place place;
  FILE *csv;
  hp_krylov_system S;
} bench;

/* A solver for one set of options. */
typedef struct {
  bench *B;
  hp_linear_solver *linear;
} solver;

typedef struct {
  double iteration, solve, setup;      /* seconds, medians */
  double products, barriers, launches; /* an iteration */
  hp_krylov_parts parts;
  int pair;                /* iterations of the longer solve of a pair; 0: too few to measure */
  hp_krylov_report report; /* to convergence */
  hp_krylov_special special;
} result;

/* ---- the command line ---- */

static const char *precond_name(int n) { return hp_precond_name((hp_precond_kind)n); }

static const char *stencil_name(int n) { return hp_sgdia_kind_name((hp_sgdia_kind)n); }

enum {
  SIZE = 256,
  UNKNOWNS,
  WELLS,
  CONNECTIONS,
  METHOD,
  PRECOND,
  EXECUTION,
  PRECISION,
  ITERATIONS,
  SAMPLES,
  TOLERANCE,
  SEED,
  CSV,
  BACKEND,
  GPUS,
  THREADS,
  SYMMETRIC,
  SPECIALISE,
  REORDERED,
  CHIP,
  MATRIX,
  FORMAT,
  STENCIL
};

static bool parse_option(int option, const char *text, options *o) {
  switch (option) {
    case SIZE: return hp_args_sizes(text, &o->sizes);
    case UNKNOWNS: return hp_args_wholes(text, 1, HP_GH_Q_MAX, HP_ARGS_LIST_MAX, o->q, &o->nq);
    case MATRIX: o->matrix = text; return true;
    case FORMAT: return o->formats = hp_args_names(text, hp_krylov_format_name, HP_KRYLOV_FORMATS, o->format);
    case STENCIL: return hp_args_names(text, stencil_name, 2, o->box);
    case CONNECTIONS: return hp_args_whole(text, 0, 1000000000, &o->connections);
    case WELLS: return hp_args_whole(text, 0, 1000000, &o->wells);
    case METHOD: return hp_args_names(text, hp_bench_method_name, HP_KRYLOV_COUNT, o->method);
    case PRECOND: return hp_args_names(text, precond_name, HP_PRECOND_COUNT, o->preconditioner);
    case EXECUTION: return hp_args_names(text, hp_bench_execution_name, HP_EXECUTION_COUNT, o->execution);
    case PRECISION: return hp_precision_find(text, &o->precision);
    case ITERATIONS: return hp_args_whole(text, 2, 10000, &o->iterations);
    case SAMPLES: return hp_args_whole(text, 1, SAMPLES_MAX, &o->samples);
    case TOLERANCE: return hp_args_real(text, 0.0, 1.0, &o->tolerance) && o->tolerance > 0.0 && o->tolerance < 1.0;
    case SEED: return hp_args_seed(text, &o->seed);
    case SYMMETRIC: return o->symmetric = true;
    case SPECIALISE: return o->specialise = true;
    case REORDERED: return o->reordered = true;
    case CHIP: return hp_args_wholes(text, 0, HP_CHIP_MAX, HP_CHIP_MAX + 1, o->chip, &o->chips);
    case CSV: o->csv = text; return true;
    case BACKEND: return hp_backend_find(text, &o->backend);
    case GPUS: return hp_device_parse_gpus(text, HP_GPUS_MAX, o->device.gpu, &o->device.gpus);
    case THREADS: return hp_args_whole(text, 1, HP_TEAM_MAX, &o->threads);
    default: return false;
  }
}

static int set_option(int option, const char *text, void *arg) {
  static const struct {
    int option;
    const char *name;
  } seeded[] = {{SIZE, "--size"},       {UNKNOWNS, "--q"},         {WELLS, "--wells"}, {CONNECTIONS, "--connections"},
                {STENCIL, "--stencil"}, {SYMMETRIC, "--symmetric"}};
  options *o = arg;
  for (size_t n = 0; n < sizeof seeded / sizeof *seeded; ++n)
    if (seeded[n].option == option) o->seeded = seeded[n].name;
  o->preconditioned = o->preconditioned || option == PRECOND;
  return parse_option(option, text, o) ? HP_EXIT_OK : HP_ARGS_NOT_A_VALUE;
}

static const struct option names[] = {{"size", required_argument, NULL, SIZE},
                                      {"q", required_argument, NULL, UNKNOWNS},
                                      {"matrix", required_argument, NULL, MATRIX},
                                      {"format", required_argument, NULL, FORMAT},
                                      {"stencil", required_argument, NULL, STENCIL},
                                      {"wells", required_argument, NULL, WELLS},
                                      {"connections", required_argument, NULL, CONNECTIONS},
                                      {"method", required_argument, NULL, METHOD},
                                      {"preconditioner", required_argument, NULL, PRECOND},
                                      {"execution", required_argument, NULL, EXECUTION},
                                      {"precision", required_argument, NULL, PRECISION},
                                      {"iterations", required_argument, NULL, ITERATIONS},
                                      {"samples", required_argument, NULL, SAMPLES},
                                      {"tolerance", required_argument, NULL, TOLERANCE},
                                      {"seed", required_argument, NULL, SEED},
                                      {"symmetric", no_argument, NULL, SYMMETRIC},
                                      {"specialise", no_argument, NULL, SPECIALISE},
                                      {"reordered", no_argument, NULL, REORDERED},
                                      {"chip", required_argument, NULL, CHIP},
                                      {"csv", required_argument, NULL, CSV},
                                      {"backend", required_argument, NULL, BACKEND},
                                      {"gpus", required_argument, NULL, GPUS},
                                      {"threads", required_argument, NULL, THREADS},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static const hp_args_syntax syntax = {"bench krylov", help, ":h", names, false, set_option};

/* Behind the executions: in-kernel with the kernel compiled for the matrix; with reordered synchronization. */
enum { SPECIALISED = HP_EXECUTION_COUNT, OTHER_ORDER, WAYS };

static bool chosen(const options *o, int execution) {
  if (execution == OTHER_ORDER) return o->reordered;
  return execution == SPECIALISED ? o->specialise : o->execution[execution];
}

static const char *way_name(const hp_krylov_options *opt) {
  return opt->specialise ? "specialised" : opt->reordered ? "reordered" : hp_execution_name(opt->execution);
}

static const char *execution_name(const bench *B, const hp_krylov_options *opt) {
  return B->place.device == NULL && !opt->reordered ? "team" : way_name(opt);
}

/* ---- one solver ---- */

static hp_status create_solver(bench *B, const hp_krylov_options *opt, solver *K) {
  K->B = B;
  const hp_linear_options linear = {.krylov = *opt};
  const hp_linear_input in = {.A = B->S.where.A, .options = &linear, .hub = B->place.hub, .D = B->place.device};
  return hp_linear_create(&in, &K->linear);
}

static hp_status set_up(const solver *K, double *seconds) {
  const double start = hp_now();
  HP_TRY(K->linear->ops->set_up(K->linear, K->B->S.where.A));
  if (K->B->place.device != NULL) HP_TRY(hp_device_sync(K->B->place.device));
  *seconds = hp_now() - start;
  return HP_OK;
}

/* *launches: those of this solve. */
static hp_status solve(const solver *K, double *seconds, int64_t *launches, hp_krylov_report *report) {
  const bench *B = K->B;
  hp_linear_report look;
  const double start = hp_now();
  HP_TRY(K->linear->ops->solve(K->linear, B->S.where.A, B->S.where.b, B->S.where.x, NULL, report));
  *seconds = hp_now() - start;
  HP_TRY(K->linear->ops->report(K->linear, &look));
  *launches = look.launches;
  return HP_OK;
}

/* Pairs of solves by K[0], of n iterations, and K[1], of 2n; *good: both went on to the end. */
static hp_status measure_pairs(const solver *K, int n, int samples, result *R, bool *good) {
  double sample[SAMPLES_MAX], seconds[2];
  hp_krylov_report report[2];
  int64_t launches[2];
  *good = true;
  for (int s = -1; s < samples && *good; ++s) { /* one to warm up */
    for (int k = 0; k < 2; ++k) HP_TRY(solve(&K[k], &seconds[k], &launches[k], &report[k]));
    *good = report[0].iterations == n && report[1].iterations == 2 * n && report[1].restarts == 0;
    if (s >= 0) sample[s] = (seconds[1] - seconds[0]) / n;
  }
  if (!*good) return HP_OK;
  R->iteration = hp_bench_median(sample, samples);
  R->barriers = (double)(report[1].barriers - report[0].barriers) / n;
  R->products = (double)(report[1].products - report[0].products) / n;
  R->launches = (double)(launches[1] - launches[0]) / n;
  R->pair = 2 * n;
  return HP_OK;
}

/* Of the first solver of its options, which compiled the kernel where none was kept. */
static hp_status note_special(const solver *K, result *R) {
  hp_linear_report look;
  if (R->special.seconds > 0.0) return HP_OK;
  HP_TRY(K->linear->ops->report(K->linear, &look));
  R->special = look.special;
  return HP_OK;
}

static hp_status measure_iteration(bench *B, hp_krylov_options opt, result *R) {
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
    for (int k = 0; k < 2; ++k) hp_linear_destroy(&K[k].linear);
    HP_TRY(s);
  }
  return HP_OK;
}

static hp_status measure_solve(bench *B, hp_krylov_options opt, result *R) {
  double solves[SAMPLES_MAX], setups[SAMPLES_MAX], seconds;
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
  hp_linear_destroy(&K.linear);
  HP_TRY(s);
  R->setup = hp_bench_median(setups, B->o->samples);
  R->solve = hp_bench_median(solves, B->o->samples);
  return HP_OK;
}

static hp_status measure_parts(const bench *B, const hp_krylov_options *opt, result *R) {
  const hp_krylov_system *S = &B->S;
  const bool gpu = B->place.device != NULL, half = hp_krylov_format_is_half(S->format);
  const bool in_kernel = opt->execution == HP_EXECUTION_IN_KERNEL, made = opt->matrix != HP_SPARSE_GH;
  hp_sparse *F = NULL;
  hp_bsr *rows = NULL; /* on a GPU bsr is cuSPARSE's in the execution library alone */
  hp_status s = HP_OK;
  if (gpu && half && S->product->kind == HP_SPARSE_BSR) s = hp_half_to_bsr(S->H, S->half_csr, &rows);
  else if (gpu && S->format == HP_SPARSE_BSR && opt->execution != HP_EXECUTION_LIBRARY)
    s = made ? hp_bsr_from_gh(S->A, &rows) : hp_bsr_promote(S->csr, 1, 0, &rows);
  else if (made) s = hp_sparse_create(S->A, NULL, opt->matrix, &F);
  if (F != NULL) hp_sparse_set(F, S->A);
  if (s == HP_OK)
    s = hp_krylov_time_parts(&B->place, S->where.host, F != NULL ? F : S->product, rows, in_kernel && !half, &R->parts);
  hp_sparse_destroy(&F);
  hp_bsr_destroy(&rows);
  return s;
}

/* ---- tables ---- */

/* Shares of an iteration in percent: products, barriers, the rest; operations, GFLOP/s, percent of the peak. 0: not measured. */
typedef struct {
  double flops, gflops, peak, product, barrier, vectors;
} shares;

static shares shares_of(const bench *B, const hp_krylov_options *opt, const result *R) {
  shares s = {.gflops = 0.0};
  if (R->pair == 0) return s;
  const double flops = hp_krylov_flops(opt->method, opt->restart, R->products, hp_krylov_system_entries(&B->S),
                                       B->S.where.A->n);
  s.flops = flops;
  s.gflops = 1e-9 * flops / R->iteration;
  s.peak = 100.0 * flops / R->iteration / B->place.peak;
  s.product = 100.0 * R->products * R->parts.product / R->iteration;
  s.barrier = 100.0 * R->barriers * R->parts.barrier / R->iteration;
  s.vectors = s.product + s.barrier < 100.0 ? 100.0 - s.product - s.barrier : 0.0;
  return s;
}

static void print_special(const hp_krylov_special *s) {
  printf("%s in %.2f s, %d registers", s->kept ? "read" : "compiled", s->seconds, s->registers);
  if (s->local > 0) printf(", %lld bytes of local memory", (long long)s->local);
  if (s->note[0] != '\0') printf("; %s", s->note);
}

static void print_result(const bench *B, const hp_krylov_options *opt, const result *R) {
  const hp_gh *A = B->S.A;
  const char *end = R->report.reason == HP_KRYLOV_CONVERGED ? "" : hp_krylov_reason_text(R->report.reason);
  const char *execution = execution_name(B, opt);
  const char *format = hp_krylov_format_name(B->S.format);
  const shares share = shares_of(B, opt, R);
  printf("%-9s %-13s %-6s %-14s %4d", hp_krylov_method_name(opt->method), hp_precond_name(opt->preconditioner), format,
         execution, B->chip);
  if (R->pair > 0)
    printf(" %10.2f %8.2f %7.2f%% %7.0f%% %7.0f%% %7.0f%% %8.1f %8.1f", 1e6 * R->iteration, share.gflops, share.peak,
           share.product, share.barrier, share.vectors, R->barriers, R->launches);
  else printf(" %10s %8s %8s %8s %8s %8s %8s %8s", "-", "-", "-", "-", "-", "-", "-", "-");
  printf(" %10.3f %10.3f %6d  %s", 1e3 * R->setup, 1e3 * R->solve, R->report.iterations, end);
  if (R->special.used) print_special(&R->special);
  printf("\n");
  fflush(stdout);
  if (B->csv == NULL) return;
  fprintf(B->csv,
          "%s,%d,%d,%d,%d,%d,%s,%s,%s,%s,%s,%d,%.9g,%d,%.6g,%.6g,%.9g,%.9g,%d,%s,%s,%.6g,%.4g,%.4g,%.4g,%.4g,%.9g,%s\n",
          B->place.device != NULL ? "cuda" : "cpu", A->nx, A->ny, A->nz, A->q, A->wells.nwell,
          hp_krylov_method_name(opt->method), hp_precond_name(opt->preconditioner), hp_ordering_name(opt->ordering),
          hp_precision_name(opt->precision), execution, B->chip, R->iteration, R->pair, R->barriers, R->launches,
          R->setup, R->solve, R->report.iterations,
          R->report.reason == HP_KRYLOV_CONVERGED ? "converged" : "not converged", format, share.gflops, share.product,
          share.barrier, share.vectors, share.peak, share.flops, stencil_name(B->S.box != NULL));
}

static void print_head(const bench *B) {
  const hp_gh *A = B->S.A;
  if (B->S.file != NULL) printf("\n%s: %lld rows\n", B->o->matrix, (long long)A->n);
  else
    printf("\n%d x %d x %d cells, q = %d, %d wells%s: %lld rows\n", A->nx, A->ny, A->nz, A->q, A->wells.nwell,
           B->S.box != NULL ? ", boxes of 27 points" : "", (long long)A->n);
  printf("%-9s %-13s %-6s %-14s %4s %10s %8s %8s %8s %8s %8s %8s %8s %10s %10s %6s\n", "method", "precond", "format",
         "execution", "chip", "us/iter", "GFLOP/s", "of peak", "product", "barrier", "vectors", "barriers", "launches",
         "setup ms", "solve ms", "iter");
}

static hp_krylov_options options_of(const bench *B, int method, int precond, int format, int execution) {
  const bool dilu = precond == HP_PRECOND_DILU;
  hp_krylov_options opt = {
      .method = (hp_krylov_method)method,
      .preconditioner = (hp_precond_kind)precond,
      .ordering = dilu && B->place.device != NULL ? HP_ORDER_RED_BLACK : HP_ORDER_NATURAL,
      .precision = dilu ? B->o->precision : HP_PRECISION_DOUBLE,
      .tolerance = B->o->tolerance,
      .max_iterations = 1,
      .restart = 30,
      .matrix = B->S.product != NULL ? HP_SPARSE_GH : (hp_sparse_kind)format,
      .product = B->S.product,
      .specialise = execution == SPECIALISED,
      .reordered = execution == OTHER_ORDER,
      .execution = execution >= SPECIALISED ? HP_EXECUTION_IN_KERNEL : (hp_execution_kind)execution};
  return opt;
}

/* Solvers that do not run, or find no memory, are reported and passed over. */
static hp_status run_one(bench *B, int method, int precond, int format, int execution) {
  const hp_krylov_options opt = options_of(B, method, precond, format, execution);
  const char *refusal = hp_krylov_refusal_for(&opt, B->S.where.A);
  if (refusal == NULL)
    refusal = B->place.device != NULL ? hp_krylov_device_refusal(&opt) : hp_krylov_host_refusal(&opt);
  const hp_linear_options linear = {.krylov = opt};
  if (refusal == NULL) refusal = hp_linear_gpus_refusal(B->o->device.gpus, &linear);
  result R = {0};
  hp_status s = HP_OK;
  if (refusal == NULL) s = measure_iteration(B, opt, &R);
  if (refusal == NULL && s == HP_OK) s = measure_solve(B, opt, &R);
  if (refusal == NULL && s == HP_OK) s = measure_parts(B, &opt, &R);
  if (s == HP_OK && opt.specialise && !R.special.used && refusal == NULL) refusal = R.special.note;
  if (refusal == NULL && s == HP_OK) {
    print_result(B, &opt, &R);
    return HP_OK;
  }
  if (refusal == NULL && s != HP_ERR_UNSUPPORTED && s != HP_ERR_MEMORY) return s;
  printf("%-9s %-13s %-6s %-14s %s\n", hp_krylov_method_name(opt.method), hp_precond_name(opt.preconditioner),
         hp_krylov_format_name(format), way_name(&opt), refusal != NULL ? refusal : hp_fail_text());
  return HP_OK;
}

/* Once for each --chip. */
static hp_status run_chips(bench *B, int method, int precond, int format, int execution) {
  const options *o = B->o;
  if (o->chips == 0) return run_one(B, method, precond, format, execution);
  hp_device_shape shape = hp_device_get_shape(B->place.device);
  for (int n = 0; n < o->chips; ++n) {
    shape.chip = B->chip = o->chip[n];
    HP_TRY(hp_device_set_shape(B->place.device, &shape));
    HP_TRY(run_one(B, method, precond, format, execution));
  }
  return HP_OK;
}

/* A matrix without such a form is reported and passed over. */
static hp_status run_format(bench *B, int method, int precond, int format) {
  hp_status s = hp_krylov_system_form(&B->S, format);
  if (s == HP_ERR_UNSUPPORTED || s == HP_ERR_USAGE) {
    printf("%-9s %-13s %-6s %s\n", hp_bench_method_name(method), precond_name(precond), hp_krylov_format_name(format),
           hp_fail_text());
    return HP_OK;
  }
  for (int e = 0; e < WAYS && s == HP_OK; ++e)
    if (chosen(B->o, e)) s = run_chips(B, method, precond, format, e);
  return s;
}

/* Where none is named: the formats are gh, csr from a file, sg-dia for boxes; GH-h, boxes and matrices from files go without a
 * preconditioner. */
static bool is_asked(const bench *B, int method, int precond, int format) {
  const options *o = B->o;
  const hp_krylov_system *S = &B->S;
  const int usual = S->box != NULL ? HP_SPARSE_SGDIA : S->csr != NULL ? HP_SPARSE_CSR : HP_SPARSE_GH;
  const bool other = hp_krylov_format_is_half(format) || S->csr != NULL;
  if (!o->method[method] || (o->formats ? !o->format[format] : format != usual)) return false;
  return o->preconditioned || !other ? o->preconditioner[precond] : precond == HP_PRECOND_NONE;
}

static hp_status run_matrix(bench *B, const int *size, int q, bool box) {
  const options *o = B->o;
  hp_krylov_system_input in = {.place = &B->place, .file = o->matrix, .box = box};
  in.family = hp_family_default(size[0], size[1], size[2], q);
  if (o->wells >= 0) in.family.nwell = o->wells;
  in.family.connections = o->connections;
  in.family.symmetric = o->symmetric;
  in.family.seed = o->seed;
  hp_status s = hp_krylov_system_open(&in, &B->S);
  if (s == HP_OK) print_head(B);
  for (int m = 0; m < HP_KRYLOV_COUNT; ++m)
    for (int p = 0; p < HP_PRECOND_COUNT; ++p)
      for (int f = 0; f < HP_KRYLOV_FORMATS; ++f)
        if (s == HP_OK && is_asked(B, m, p, f)) s = run_format(B, m, p, f);
  hp_krylov_system_close(&B->S);
  return s;
}

static hp_status run(bench *B) {
  const options *o = B->o;
  HP_TRY(hp_bench_place_open(o->backend, o->threads, &o->device, &B->place));
  HP_TRY(hp_bench_place_peak(&B->place));
  if (B->place.device != NULL) B->chip = hp_device_get_shape(B->place.device).chip;
  if (B->csv != NULL)
    fputs(
        "backend,nx,ny,nz,q,wells,method,preconditioner,ordering,precision,execution,chip,iteration_seconds,pair,"
        "iteration_barriers,iteration_launches,setup_seconds,solve_seconds,iterations,end,format,gflops,"
        "product_percent,barrier_percent,vector_percent,peak_percent,operations,stencil\n",
        B->csv);
  if (o->matrix != NULL) return run_matrix(B, o->sizes.size[0], 1, false);
  for (int s = 0; s < o->sizes.count; ++s)
    for (int k = 0; k < o->nq; ++k)
      for (int box = 0; box < 2; ++box)
        if (o->box[box]) HP_TRY(run_matrix(B, o->sizes.size[s], o->q[k], box == 1));
  return HP_OK;
}

int hp_bench_krylov(int argc, char **argv) {
  options o = {.q = {2},
               .nq = 1,
               .wells = -1,
               .precision = HP_PRECISION_SINGLE,
               .iterations = 40,
               .samples = 9,
               .tolerance = 1e-6,
               .seed = 1};
  int code;
  o.sizes = hp_args_usual_sizes();
  o.method[HP_KRYLOV_BICGSTAB] = o.execution[HP_EXECUTION_IN_KERNEL] = true;
  if (!hp_args_parse(&syntax, argc, argv, &o, &code)) return code;
  code = hp_cli_check_gpus("bench krylov", o.backend, &o.device);
  if (code != HP_EXIT_OK) return code;
  if (o.chips > 0 && o.backend != HP_BACKEND_CUDA)
    return hp_cli_usage_error("bench krylov", "--chip is for --backend cuda");
  if (o.specialise && o.backend != HP_BACKEND_CUDA)
    return hp_cli_usage_error("bench krylov", "--specialise is for --backend cuda");
  if (o.matrix != NULL && o.seeded != NULL)
    return hp_cli_usage_error("bench krylov", "--matrix takes the place of seeded matrices and so of %s", o.seeded);
  if (!o.box[0] && !o.box[1]) o.box[0] = true;
  if (o.box[1] && o.connections > 0)
    return hp_cli_usage_error("bench krylov", "--connections are of stars: boxes of 27 points have none");
  for (int f = 0; f < HP_KRYLOV_FORMATS && o.matrix != NULL; ++f)
    if (o.format[f] && f != HP_SPARSE_CSR && f != HP_SPARSE_BSR && f != HP_SPARSE_SELL && f != HP_SPARSE_HYB)
      return hp_cli_usage_error("bench krylov",
                                "--format %s is of seeded matrices; one from a file is csr, bsr, sell or hyb",
                                hp_krylov_format_name(f));
  for (int f = HP_SPARSE_COUNT; f < HP_KRYLOV_FORMATS; ++f)
    for (int k = 0; k < o.nq && o.format[f]; ++k)
      if (o.q[k] % 2 != 0)
        return hp_cli_usage_error("bench krylov", "--format %s needs an even q, not %d", hp_krylov_format_name(f),
                                  o.q[k]);
  for (int p = 0; p < HP_PRECOND_COUNT && !o.preconditioned; ++p) o.preconditioner[p] = true;
  bench B = {.o = &o};
  if (hp_args_csv_open(NULL, o.csv, &B.csv) != HP_OK) return hp_cli_usage_error("bench krylov", "%s", hp_fail_text());
  const hp_status s = hp_args_csv_close(o.csv, B.csv, run(&B));
  hp_bench_place_close(&B.place);
  return hp_cli_exit(s);
}
