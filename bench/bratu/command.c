/* hepta bench bratu: the application of Lowell et al. 2013, solid-fuel ignition by Newton's method with gmres, with the
 * matrix in several formats, with and without multigrid; the paper's times beside. */
#define _POSIX_C_SOURCE 200809L
#include "bench/bratu/bratu.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/args.h"
#include "bench/bench.h"
#include "bench/bratu/peer.h"
#include "bench/market/market.h"
#include "core/device/device.h"
#include "core/memory.h"
#include "core/plural.h"
#include "sim/cli/cli.h"

static const char help[] =
    "usage: hepta bench bratu [options]\n\n"
    "Solves the solid-fuel ignition problem, -Laplace(u) = lambda exp(u) with u = 0 on the boundary, by Newton's "
    "method\n"
    "with gmres, and says where the time goes.\n\n"
    "      --size LIST            nodes, those of the boundary included: V (a cube) or NXxNYxNZ, where 1 leaves a\n"
    "                             direction out; comma between (default 64,75,100,128)\n"
    "      --lambda X             0 and more (default 6; the cube has no solution beyond 9.9, the square 6.81)\n"
    "      --matrix LIST          gh, csr, bsr, sell, dia, ell, hyb, hec, sg-dia in products (default gh)\n"
    "      --preconditioner LIST  none, amg: one cycle of multigrid (default none)\n"
    "      --newton-tolerance X   ends where so much of the first residual is left (default 1e-8)\n"
    "      --newton-iterations N  at most, 1 to 1000 (default 50)\n"
    "      --rtol X               of a linear solve, relative (default 1e-5)\n"
    "      --iterations N         of a linear solve at most (default 10000)\n"
    "      --restart N            of gmres (default 30)\n"
    "      --samples N            runs, of which that with the median time is shown (default 1)\n"
    "      --view                 prints every Newton iteration\n"
    "      --write FILE           the solution of the last run as MatrixMarket\n"
    "      --peer petsc           also solves with PETSc's own example without a preconditioner, one process on the "
    "CPU;\n"
    "                             in builds that found PETSc and its examples\n"
    "      --csv FILE             also as a table of comma-separated values\n"
    "      --backend NAME         cpu or cuda (default cpu)\n"
    "      --threads N            of the CPU (default one per processor)\n"
    "  -h, --help\n";

enum { SAMPLES_MAX = 100, AMG_TOO = 2 /* none, amg */ };

typedef struct {
  hp_args_size_list sizes;
  bool matrix[HP_SPARSE_COUNT], preconditioner[AMG_TOO], view, beside; /* beside: --peer */
  double lambda, newton_tolerance, tolerance;
  int newton_iterations, iterations, restart, samples, threads;
  hp_backend_kind backend;
  const char *csv, *write;
} options;

typedef struct {
  const options *o;
  hp_team_hub *hub;  /* CPU */
  hp_device *device; /* GPU */
  FILE *csv;
  bool all_converged;
  hp_bratu_peer *peer; /* NULL: none */
  double *u, *ours;    /* [n] of a size: the latest solution; with a peer that of gmres without a preconditioner */
} bench;

/* ---- the command line ---- */

static const char *precond_name(int n) { return n == 0 ? "none" : "amg"; }

enum {
  SIZE = 256,
  LAMBDA,
  MATRIX,
  PRECOND,
  NEWTON_TOLERANCE,
  NEWTON_ITERATIONS,
  TOLERANCE,
  ITERATIONS,
  RESTART,
  SAMPLES,
  VIEW,
  WRITE,
  PEER,
  CSV,
  BACKEND,
  THREADS
};

static bool parse_share(const char *text, double *out) {
  return hp_args_real(text, 0.0, 1.0, out) && *out > 0.0 && *out < 1.0;
}

static bool parse_option(int option, const char *text, options *o) {
  switch (option) {
    case SIZE: return hp_args_sizes(text, &o->sizes);
    case LAMBDA: return hp_args_real(text, 0.0, 1e6, &o->lambda);
    case MATRIX: return hp_args_names(text, hp_bench_matrix_name, HP_SPARSE_COUNT, o->matrix);
    case PRECOND: return hp_args_names(text, precond_name, AMG_TOO, o->preconditioner);
    case NEWTON_TOLERANCE: return parse_share(text, &o->newton_tolerance);
    case NEWTON_ITERATIONS: return hp_args_whole(text, 1, HP_BRATU_ITERATIONS_MAX, &o->newton_iterations);
    case TOLERANCE: return parse_share(text, &o->tolerance);
    case ITERATIONS: return hp_args_whole(text, 1, 1000000, &o->iterations);
    case RESTART: return hp_args_whole(text, 1, 1000, &o->restart);
    case SAMPLES: return hp_args_whole(text, 1, SAMPLES_MAX, &o->samples);
    case VIEW: return o->view = true;
    case WRITE: o->write = text; return true;
    case PEER: return o->beside = strcmp(text, "petsc") == 0;
    case CSV: o->csv = text; return true;
    case BACKEND: return hp_backend_find(text, &o->backend);
    case THREADS: return hp_args_whole(text, 1, HP_TEAM_MAX, &o->threads);
    default: return false;
  }
}

static int set_option(int option, const char *text, void *o) {
  return parse_option(option, text, o) ? HP_EXIT_OK : HP_ARGS_NOT_A_VALUE;
}

static const struct option names[] = {{"size", required_argument, NULL, SIZE},
                                      {"lambda", required_argument, NULL, LAMBDA},
                                      {"matrix", required_argument, NULL, MATRIX},
                                      {"preconditioner", required_argument, NULL, PRECOND},
                                      {"newton-tolerance", required_argument, NULL, NEWTON_TOLERANCE},
                                      {"newton-iterations", required_argument, NULL, NEWTON_ITERATIONS},
                                      {"rtol", required_argument, NULL, TOLERANCE},
                                      {"iterations", required_argument, NULL, ITERATIONS},
                                      {"restart", required_argument, NULL, RESTART},
                                      {"samples", required_argument, NULL, SAMPLES},
                                      {"view", no_argument, NULL, VIEW},
                                      {"write", required_argument, NULL, WRITE},
                                      {"peer", required_argument, NULL, PEER},
                                      {"csv", required_argument, NULL, CSV},
                                      {"backend", required_argument, NULL, BACKEND},
                                      {"threads", required_argument, NULL, THREADS},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static const hp_bench_args_syntax syntax = {"bench bratu", help, names, false, set_option};

static hp_bratu_options options_of(const options *o, const int *size, int matrix, int precond) {
  hp_bratu_options b = hp_bratu_default_options(size[0], size[1], size[2], o->backend == HP_BACKEND_CUDA);
  b.lambda = o->lambda;
  b.newton_tolerance = o->newton_tolerance;
  b.newton_iterations = o->newton_iterations;
  b.tolerance = o->tolerance;
  b.linear_iterations = o->iterations;
  b.restart = o->restart;
  b.matrix = (hp_sparse_kind)matrix;
  b.uses_amg = precond != 0;
  return b;
}

/* ---- tables ---- */

/* Table 4.3: seconds in total and of transfers, by PETSc with the paper's kernels. */
static const struct {
  int size;
  double total, transfer;
} paper[] = {{64, 6.39, 0.2837}, {75, 10.54, 0.4488}, {100, 37.65, 0.9342}, {128, 100.50, 1.6592}};

static void print_head(const int *size) {
  printf("\n%d x %d x %d nodes", size[0], size[1], size[2]);
  for (size_t p = 0; p < sizeof paper / sizeof *paper; ++p)
    if (size[0] == paper[p].size && size[1] == paper[p].size && size[2] == paper[p].size)
      printf("; Lowell et al. 2013 on a Tesla C2070: %.2f s, %.1f %% of them transfers", paper[p].total,
             100.0 * paper[p].transfer / paper[p].total);
  printf("\n%-6s %-7s %6s %6s %9s %10s", "matrix", "precond", "newton", "linear", "|F|/|F0|", "seconds");
  for (int p = 0; p < HP_BRATU_PARTS; ++p) printf(" %9s", hp_bratu_part_name((hp_bratu_part)p));
  printf("\n");
}

static double left_of(const hp_bratu_report *R) {
  const double first = R->history[0].norm, last = R->history[R->newton].norm;
  return first > 0.0 ? last / first : 0.0;
}

static void print_result(const bench *B, const hp_bratu_options *b, const hp_bratu_report *R) {
  const char *where = B->device != NULL ? "cuda" : "cpu";
  printf("%-6s %-7s %6d %6d %9.1e %10.4f", hp_sparse_name(b->matrix), precond_name(b->uses_amg), R->newton, R->linear,
         left_of(R), R->total);
  for (int p = 0; p < HP_BRATU_PARTS; ++p) printf(" %7.1f %%", 100.0 * R->seconds[p] / R->total);
  printf("%s%s\n", R->end == HP_NEWTON_CONVERGED ? "" : "  ",
         R->end == HP_NEWTON_CONVERGED ? "" : hp_bratu_end_text(R));
  fflush(stdout);
  if (B->csv == NULL) return;
  fprintf(B->csv, "%s,%d,%d,%d,%g,%s,%s,%d,%d,%lld,%lld,%.6g,%.6g,%s,%.9g", where, b->nx, b->ny, b->nz, b->lambda,
          hp_sparse_name(b->matrix), precond_name(b->uses_amg), R->newton, R->linear, (long long)R->products,
          (long long)R->applications, R->history[0].norm, R->history[R->newton].norm,
          R->end == HP_NEWTON_CONVERGED ? "converged" : "failed", R->total);
  for (int p = 0; p < HP_BRATU_PARTS; ++p) fprintf(B->csv, ",%.6g", R->seconds[p]);
  fprintf(B->csv, ",%lld\n", (long long)R->bytes);
}

static void print_csv_head(FILE *f) {
  fputs(
      "backend,nx,ny,nz,lambda,matrix,preconditioner,newton,linear,products,cycles,first_residual,residual,end,seconds",
      f);
  for (int p = 0; p < HP_BRATU_PARTS; ++p) fprintf(f, ",%s_seconds", hp_bratu_part_name((hp_bratu_part)p));
  fputs(",copied_bytes\n", f);
}

/* As the solve ended; the table's line follows. */
static void print_iterations(const hp_bratu_report *R) {
  for (int n = 0; n <= R->newton; ++n) {
    const hp_bratu_iteration *it = &R->history[n];
    printf("  newton %2d  |F| %.9e", n, it->norm);
    if (it->size > 0.0)
      printf("  linear %5d  |r|/|F| %.1e  |step|/|u| %.1e", it->linear.iterations,
             it->linear.norm_b > 0.0 ? it->linear.residual / it->linear.norm_b : 0.0, it->step / it->size);
    printf("\n");
  }
}

/* ---- PETSc ---- */

static void print_peer(const bench *B, const hp_bratu_options *b, const hp_petsc_result *R, double seconds,
                       double difference) {
  const hp_petsc_iteration *first = R->history, *last = R->history + R->newton;
  for (int n = 0; n <= R->newton && B->o->view; ++n)
    printf("  petsc  %2d  |F| %.9e  linear %5d so far\n", n, R->history[n].norm, R->history[n].linear);
  printf("%-6s %-7s %6d %6d %9.1e %10.4f  %s, CPU, 1 process%s%s; solutions differ by at most %.1e\n", "petsc", "none",
         R->newton, last->linear, first->norm > 0.0 ? last->norm / first->norm : 0.0, seconds, R->version,
         R->converged ? "" : ": ", R->converged ? "" : R->reason, difference);
  fflush(stdout);
  if (B->csv == NULL) return;
  fprintf(B->csv, "petsc,%d,%d,%d,%g,csr,none,%d,%d,,,%.6g,%.6g,%s,%.9g", b->nx, b->ny, b->nz, b->lambda, R->newton,
          last->linear, first->norm, last->norm, R->converged ? "converged" : "failed", seconds);
  for (int p = 0; p <= HP_BRATU_PARTS; ++p) fputc(',', B->csv);
  fputc('\n', B->csv);
}

static hp_status run_peer(bench *B, const int *size) {
  const hp_bratu_options b = options_of(B->o, size, HP_SPARSE_GH, 0);
  double seconds[SAMPLES_MAX], worst = 0.0;
  hp_petsc_result R;
  for (int n = 0; n < B->o->samples; ++n) {
    HP_TRY(hp_bratu_peer_solve(B->peer, &b, B->u, &R));
    seconds[n] = R.seconds;
  }
  for (int64_t m = 0; m < (int64_t)b.nx * b.ny * b.nz; ++m) worst = fmax(worst, fabs(B->u[m] - B->ours[m]));
  print_peer(B, &b, &R, hp_bench_median(seconds, B->o->samples), worst);
  return HP_OK;
}

/* ---- runs ---- */

/* The number of the run with the median time. */
static int median_of(const double *seconds, int n) {
  double sorted[SAMPLES_MAX];
  int best = 0;
  memcpy(sorted, seconds, (size_t)n * sizeof *sorted);
  const double median = hp_bench_median(sorted, n);
  for (int s = 1; s < n; ++s)
    if (fabs(seconds[s] - median) < fabs(seconds[best] - median)) best = s;
  return best;
}

static hp_status measure(bench *B, hp_bratu_solver *S, const hp_bratu_options *b) {
  const options *o = B->o;
  const int64_t n = (int64_t)b->nx * b->ny * b->nz;
  hp_bratu_report report[SAMPLES_MAX];
  double seconds[SAMPLES_MAX];
  for (int k = 0; k < o->samples; ++k) {
    HP_TRY(hp_bratu_solve(S, B->u, &report[k]));
    seconds[k] = report[k].total;
  }
  if (B->ours != NULL && !b->uses_amg) memcpy(B->ours, B->u, (size_t)n * sizeof *B->ours);
  hp_bratu_report *R = &report[median_of(seconds, o->samples)];
  HP_TRY(hp_bratu_divide(S, R));
  if (o->view) print_iterations(R);
  print_result(B, b, R);
  B->all_converged = B->all_converged && R->end == HP_NEWTON_CONVERGED;
  return o->write != NULL ? hp_market_write_vector(B->u, n, o->write) : HP_OK;
}

/* Solvers that do not run, or find no memory, are reported and passed over. */
static hp_status run_one(bench *B, const int *size, int matrix, int precond) {
  const hp_bratu_options b = options_of(B->o, size, matrix, precond);
  const char *refusal = hp_bratu_refusal(&b, B->device != NULL);
  hp_bratu_solver *S = NULL;
  hp_status s = HP_OK;
  if (refusal == NULL) s = hp_bratu_create(&b, B->hub, B->device, &S);
  if (refusal == NULL && s == HP_OK) s = measure(B, S, &b);
  hp_bratu_destroy(&S);
  if (refusal == NULL && s != HP_ERR_UNSUPPORTED && s != HP_ERR_MEMORY) return s;
  printf("%-6s %-7s %s\n", hp_sparse_name(b.matrix), precond_name(precond), refusal != NULL ? refusal : hp_fail_text());
  return HP_OK;
}

static hp_status run_size(bench *B, const int *size) {
  const options *o = B->o;
  const int64_t n = (int64_t)size[0] * size[1] * size[2];
  hp_status s = HP_ALLOC(B->u, n);
  if (s == HP_OK && B->peer != NULL) s = HP_ALLOC(B->ours, n);
  if (s == HP_OK) print_head(size);
  for (int m = 0; m < HP_SPARSE_COUNT; ++m)
    for (int p = 0; p < AMG_TOO; ++p)
      if (s == HP_OK && o->matrix[m] && o->preconditioner[p]) s = run_one(B, size, m, p);
  if (s == HP_OK && B->peer != NULL) s = run_peer(B, size);
  HP_FREE(B->u);
  HP_FREE(B->ours);
  return s;
}

static hp_status run(bench *B) {
  const options *o = B->o;
  if (o->beside) HP_TRY(hp_bratu_peer_open(&B->peer));
  if (o->backend == HP_BACKEND_CUDA) {
    HP_TRY(hp_device_create(NULL, &B->device));
    printf("%s", hp_device_get_info(B->device)->name);
  } else {
    HP_TRY(hp_team_hub_create(o->threads > 0 ? o->threads : hp_processors(), NULL, &B->hub));
    printf("CPU, %d thread%s", hp_team_hub_size(B->hub), hp_plural(hp_team_hub_size(B->hub)));
  }
  printf("; solid-fuel ignition, lambda %g, Newton to %g, gmres(%d) to %g\n", o->lambda, o->newton_tolerance,
         o->restart, o->tolerance);
  if (B->csv != NULL) print_csv_head(B->csv);
  for (int s = 0; s < o->sizes.count; ++s) HP_TRY(run_size(B, o->sizes.size[s]));
  return B->all_converged ? HP_OK : hp_fail(HP_ERR_NUMERIC, "not every run converged");
}

/* Exit code. */
static int check(const options *o) {
  if (o->beside && hp_bratu_peer_refusal() != NULL)
    return hp_cli_usage_error("bench bratu", "%s", hp_bratu_peer_refusal());
  if (o->beside && !o->preconditioner[0])
    return hp_cli_usage_error("bench bratu", "--peer stands beside --preconditioner none");
  for (int s = 0; s < o->sizes.count; ++s) {
    const hp_bratu_options b = options_of(o, o->sizes.size[s], HP_SPARSE_GH, 0);
    const char *refusal = hp_bratu_refusal(&b, false);
    const char *lacks = o->beside ? hp_bratu_peer_lacks(&b) : NULL;
    if (refusal != NULL) return hp_cli_usage_error("bench bratu", "--size %dx%dx%d: %s", b.nx, b.ny, b.nz, refusal);
    if (lacks != NULL)
      return hp_cli_usage_error("bench bratu", "--peer petsc, --size %dx%dx%d, --lambda %g: %s", b.nx, b.ny, b.nz,
                                b.lambda, lacks);
  }
  return HP_EXIT_OK;
}

int hp_bench_bratu(int argc, char **argv) {
  static const int cubes[] = {64, 75, 100, 128};
  options o = {.samples = 1};
  const hp_bratu_options usual = hp_bratu_default_options(3, 3, 3, false);
  int code;
  for (int n = 0; n < 4; ++n)
    for (int d = 0; d < 3; ++d) o.sizes.size[n][d] = cubes[n];
  o.sizes.count = 4;
  o.matrix[HP_SPARSE_GH] = o.preconditioner[0] = true;
  o.lambda = usual.lambda;
  o.newton_tolerance = usual.newton_tolerance;
  o.newton_iterations = usual.newton_iterations;
  o.tolerance = usual.tolerance;
  o.iterations = usual.linear_iterations;
  o.restart = usual.restart;
  if (!hp_bench_args_parse(&syntax, argc, argv, &o, &code)) return code;
  code = check(&o);
  if (code != HP_EXIT_OK) return code;
  bench B = {.o = &o, .all_converged = true};
  const hp_inputs read = {0};
  hp_status opened = o.write != NULL ? hp_inputs_check(&read, "--write", o.write, HP_INPUTS_TEXT) : HP_OK;
  if (opened == HP_OK) opened = hp_args_csv_open(NULL, o.csv, &B.csv);
  if (opened != HP_OK) return hp_cli_usage_error("bench bratu", "%s", hp_fail_text());
  const hp_status s = hp_args_csv_close(o.csv, B.csv, run(&B));
  hp_bratu_peer_close(&B.peer);
  hp_team_hub_destroy(&B.hub);
  hp_device_destroy(&B.device);
  return hp_cli_exit(s);
}
