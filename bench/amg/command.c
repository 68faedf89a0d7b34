/* hepta bench amg: multigrid on scalar systems, its command line. */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "bench/amg/amg.h"
#include "bench/args.h"
#include "bench/bench.h"
#include "sim/cli/cli.h"

static const char help[] =
    "usage: hepta bench amg [options]\n\n"
    "Sets up, refreshes and solves scalar systems with multigrid. Without --problem, --matrix and --paper: four\n"
    "7-point pressure systems.\n\n"
    "      --problem NAME         poisson, lognormal, anisotropic or wells\n"
    "      --size SIZE            V (a cube) or NXxNYxNZ; NZ = 1 is 5-point (default 64)\n"
    "      --sigma X              standard deviation of the logarithm of permeability\n"
    "      --correlation X        its correlation length in cells (0: none)\n"
    "      --vertical X           factor of the vertical couplings\n"
    "      --storage X            added to the diagonal\n"
    "      --wells N              vertical wells\n"
    "      --boundary KIND        open or closed; open: pressure is held there\n"
    "      --seed N\n"
    "      --matrix FILE          a MatrixMarket file instead\n"
    "      --rhs WHAT             ones (default), random or a MatrixMarket file\n"
    "      --write FILE           writes the matrix\n"
    "      --paper                the four examples of Liu, Yu & Chen 2013 by both interpolations that they have, "
    "beside\n"
    "                             one core of the CPU; with --size their choices on that grid\n\n"
    "      --names                prints the names of coarsenings, interpolations and smoothers\n"
    "      --coarsening NAME      one of these\n"
    "      --interpolation NAME   likewise\n"
    "      --smoother NAME        likewise\n"
    "      --cycle NAME           v, w or f\n"
    "      --cycle-format LIST    sliced, hec, csr, auto: how cycles have the rows of levels; of several, separated "
    "by\n"
    "                             commas, a table\n"
    "      --sweeps PRE,POST      of the smoother (default 1,1)\n"
    "      --damping X            of damped and block Jacobi\n"
    "      --order N              of the smoother chebyshev\n"
    "      --domain N             rows of a domain of hybrid and schwarz at least (default 2048)\n"
    "      --domains N            of these on a level at most (default 16)\n"
    "      --block N              rows of a block of the block smoothers (default 4)\n"
    "      --precision NAME       double or single: what the cycle reads and works with\n"
    "      --wells-apart          wells stay coarse points on every level, nothing interpolates from them; else they\n"
    "                             are rows as any other\n"
    "      --strength X           threshold of strong couplings (default 0.25)\n"
    "      --truncation X         drops interpolation weights below this share of the row's largest\n"
    "      --weights N            keeps the N largest of a row (0: all)\n"
    "      --levels N             at most\n"
    "      --coarsest N           rows that are solved directly\n"
    "      --one-gpu-rows N       of several GPUs the first one works alone on levels of so many rows at most\n"
    "      --method NAME          none, cg, bicgstab, gmres, tfqmr (default bicgstab; none: cycles by themselves)\n"
    "      --restart N            of gmres (default 30)\n"
    "      --tolerance X          relative to |b| (default 1e-6)\n"
    "      --iterations N         at most (default 500)\n\n"
    "      --samples N            set-ups, refreshes and solves, of which the medians are shown (default 3)\n"
    "      --view                 prints every level\n"
    "      --formats              instead: products with every level's matrices as sliced ELL, HEC and CSR\n"
    "      --csv FILE             also as a table of comma-separated values\n"
    "      --peer hypre           also solves with hypre's BoomerAMG: one process on the CPU, the same choices or what "
    "is\n"
    "                             nearest; in builds that found hypre\n"
    "      --backend NAME         cpu or cuda (default cpu); --paper on a GPU shows both\n"
    "      --gpus LIST            GPUs that work as one: how many, their numbers as in 0,1 (one may stand\n"
    "                             twice), or all (default 1)\n"
    "      --threads N            (default one per processor)\n"
    "  -h, --help\n";

enum {
  PROBLEM = 256,
  SIZE,
  SIGMA,
  CORRELATION,
  VERTICAL,
  STORAGE,
  WELLS,
  BOUNDARY,
  SEED,
  MATRIX,
  RHS,
  WRITE,
  PAPER,
  COARSENING,
  INTERPOLATION,
  SMOOTHER,
  CYCLE,
  CYCLE_FORMAT,
  SWEEPS,
  DAMPING,
  ORDER,
  DOMAIN,
  DOMAINS,
  BLOCK,
  PRECISION,
  STRENGTH,
  TRUNCATION,
  WEIGHTS,
  LEVELS,
  COARSEST,
  ONE_GPU_ROWS,
  METHOD,
  RESTART,
  TOLERANCE,
  ITERATIONS,
  SAMPLES,
  VIEW,
  CSV,
  BACKEND,
  GPUS,
  THREADS,
  NAMES,
  APART,
  FORMATS,
  PEER
};

static const struct option names[] = {{"problem", required_argument, NULL, PROBLEM},
                                      {"size", required_argument, NULL, SIZE},
                                      {"sigma", required_argument, NULL, SIGMA},
                                      {"correlation", required_argument, NULL, CORRELATION},
                                      {"vertical", required_argument, NULL, VERTICAL},
                                      {"storage", required_argument, NULL, STORAGE},
                                      {"wells", required_argument, NULL, WELLS},
                                      {"boundary", required_argument, NULL, BOUNDARY},
                                      {"seed", required_argument, NULL, SEED},
                                      {"matrix", required_argument, NULL, MATRIX},
                                      {"rhs", required_argument, NULL, RHS},
                                      {"write", required_argument, NULL, WRITE},
                                      {"paper", no_argument, NULL, PAPER},
                                      {"coarsening", required_argument, NULL, COARSENING},
                                      {"interpolation", required_argument, NULL, INTERPOLATION},
                                      {"smoother", required_argument, NULL, SMOOTHER},
                                      {"cycle", required_argument, NULL, CYCLE},
                                      {"cycle-format", required_argument, NULL, CYCLE_FORMAT},
                                      {"sweeps", required_argument, NULL, SWEEPS},
                                      {"damping", required_argument, NULL, DAMPING},
                                      {"order", required_argument, NULL, ORDER},
                                      {"domain", required_argument, NULL, DOMAIN},
                                      {"domains", required_argument, NULL, DOMAINS},
                                      {"block", required_argument, NULL, BLOCK},
                                      {"precision", required_argument, NULL, PRECISION},
                                      {"strength", required_argument, NULL, STRENGTH},
                                      {"truncation", required_argument, NULL, TRUNCATION},
                                      {"weights", required_argument, NULL, WEIGHTS},
                                      {"levels", required_argument, NULL, LEVELS},
                                      {"coarsest", required_argument, NULL, COARSEST},
                                      {"one-gpu-rows", required_argument, NULL, ONE_GPU_ROWS},
                                      {"method", required_argument, NULL, METHOD},
                                      {"restart", required_argument, NULL, RESTART},
                                      {"tolerance", required_argument, NULL, TOLERANCE},
                                      {"iterations", required_argument, NULL, ITERATIONS},
                                      {"samples", required_argument, NULL, SAMPLES},
                                      {"view", no_argument, NULL, VIEW},
                                      {"formats", no_argument, NULL, FORMATS},
                                      {"csv", required_argument, NULL, CSV},
                                      {"peer", required_argument, NULL, PEER},
                                      {"backend", required_argument, NULL, BACKEND},
                                      {"gpus", required_argument, NULL, GPUS},
                                      {"threads", required_argument, NULL, THREADS},
                                      {"wells-apart", no_argument, NULL, APART},
                                      {"names", no_argument, NULL, NAMES},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

/* ---- values ---- */

static bool parse_size(const char *text, hp_pressure *p) {
  int size[3];
  if (hp_args_size(&text, size) == 0 || *text != '\0') return false;
  p->nx = size[0];
  p->ny = size[1];
  p->nz = size[2];
  return true;
}

static bool parse_sweeps(const char *text, hp_amg_options *o) {
  char *end;
  const long pre = strtol(text, &end, 10);
  if (end == text || *end != ',' || pre < 0 || pre > 100) return false;
  text = end + 1;
  const long post = strtol(text, &end, 10);
  o->pre = (int)pre;
  o->post = (int)post;
  return end != text && *end == '\0' && post >= 0 && post <= 100;
}

static const char *coarsening(int n) { return hp_amg_coarsening_name((hp_amg_coarsening)n); }
static const char *interpolation(int n) { return hp_amg_interpolation_name((hp_amg_interpolation)n); }
static const char *smoother(int n) { return hp_amg_smoother_name((hp_amg_smoother)n); }

static const struct {
  const char *name;
  hp_pressure model; /* all but the size and the seed */
} problems[] = {
    {"poisson", {.open = true, .vertical = 1.0}},
    {"lognormal", {.sigma = 2.5, .vertical = 1.0, .storage = 1e-3}},
    {"anisotropic", {.open = true, .vertical = 1e4}}, /* thin layers */
    {"wells", {.sigma = 2.5, .vertical = 1.0, .storage = 1e-3, .nwell = 20}},
};

static const char *format(int n) { return hp_amg_format_name((hp_amg_format_kind)n); }

static const char *problem(int n) { return problems[n].name; }

static bool choose_problem(const char *text, hp_amg_bench *B) {
  const int n = hp_args_find(text, problem, (int)(sizeof problems / sizeof *problems));
  if (n < 0) return false;
  const hp_pressure old = B->model;
  B->model = problems[n].model;
  B->model.nx = old.nx;
  B->model.ny = old.ny;
  B->model.nz = old.nz;
  B->model.seed = old.seed;
  B->problem = problems[n].name;
  return true;
}

/* Cycles by themselves on at most eight levels, as the paper has it. */
static void choose_paper(hp_amg_bench *B) {
  B->paper = true;
  B->solver.stationary = true;
  B->solver.amg.coarsening = HP_AMG_RS;
  B->solver.amg.interpolation = HP_AMG_CLASSICAL;
  B->solver.amg.max_weights = 0;
  B->solver.amg.max_levels = 8;
}

static bool choose_method(const char *text, hp_amg_solver_options *o) {
  o->stationary = strcmp(text, "none") == 0;
  return o->stationary || hp_krylov_method_find(text, &o->method);
}

/* One is that of every solve, more are for a table. */
static bool choose_formats(const char *text, hp_amg_bench *B) {
  if (!hp_args_names(text, format, HP_AMG_FORMAT_AUTO + 1, B->chosen)) return false;
  B->nchosen = 0;
  for (int n = 0; n <= HP_AMG_FORMAT_AUTO; ++n) {
    if (!B->chosen[n]) continue;
    B->solver.amg.format = (hp_amg_format_kind)n;
    B->nchosen += 1;
  }
  return true;
}

static void print_names(void) {
  printf("coarsening:");
  for (int n = 0; n < HP_AMG_COARSENING_COUNT; ++n) printf(" %s", coarsening(n));
  printf("\ninterpolation:");
  for (int n = 0; n < HP_AMG_INTERPOLATION_COUNT; ++n) printf(" %s", interpolation(n));
  printf("\nsmoother:");
  for (int n = 0; n < HP_AMG_SMOOTHER_COUNT; ++n) printf(" %s", smoother(n));
  printf("\ncycle-format:");
  for (int n = 0; n <= HP_AMG_FORMAT_AUTO; ++n) printf(" %s", format(n));
  printf("\n");
}

/* ---- the command line ---- */

static bool parse_model(int option, const char *text, hp_amg_bench *B) {
  hp_pressure *p = &B->model;
  switch (option) {
    case SIZE: return parse_size(text, p);
    case SIGMA: return hp_args_real(text, 0.0, 10.0, &p->sigma);
    case CORRELATION: return hp_args_real(text, 0.0, 1e6, &p->correlation);
    case VERTICAL: return hp_args_real(text, 1e-12, 1e12, &p->vertical);
    case STORAGE: return hp_args_real(text, 0.0, 1e12, &p->storage);
    case WELLS: return hp_args_whole(text, 0, 1000000, &p->nwell);
    case BOUNDARY: p->open = strcmp(text, "open") == 0; return p->open || strcmp(text, "closed") == 0;
    case SEED: return hp_args_seed(text, &p->seed);
    default: return false;
  }
}

static bool parse_amg(int option, const char *text, hp_amg_options *o) {
  int n;
  switch (option) {
    case COARSENING:
      n = hp_args_find(text, coarsening, HP_AMG_COARSENING_COUNT);
      o->coarsening = (hp_amg_coarsening)n;
      return n >= 0;
    case INTERPOLATION:
      n = hp_args_find(text, interpolation, HP_AMG_INTERPOLATION_COUNT);
      o->interpolation = (hp_amg_interpolation)n;
      return n >= 0;
    case SMOOTHER: /* --paper: of all examples */
      n = hp_args_find(text, smoother, HP_AMG_SMOOTHER_COUNT);
      o->smoother = (hp_amg_smoother)n;
      return n >= 0;
    case CYCLE:
      o->cycle = *text == 'w' ? HP_AMG_W : *text == 'f' ? HP_AMG_F : HP_AMG_V;
      return strlen(text) == 1 && strchr("vwf", *text) != NULL;
    case SWEEPS: return parse_sweeps(text, o);
    case DAMPING: return hp_args_real(text, 0.0, 2.0, &o->damping);
    case ORDER: return hp_args_whole(text, 1, HP_AMG_ORDER_MAX, &o->order);
    case DOMAIN: return hp_args_whole(text, 1, 1000000000, &o->domain);
    case DOMAINS: return hp_args_whole(text, 1, 1000000000, &o->domains);
    case BLOCK: return hp_args_whole(text, 1, HP_GH_Q_MAX, &o->block);
    case PRECISION: return hp_precision_find(text, &o->precision);
    case STRENGTH: return hp_args_real(text, 0.0, 1.0, &o->strength);
    case TRUNCATION: return hp_args_real(text, 0.0, 1.0, &o->truncation);
    case WEIGHTS: return hp_args_whole(text, 0, 1000, &o->max_weights);
    case LEVELS: return hp_args_whole(text, 1, HP_AMG_LEVELS_MAX, &o->max_levels);
    case COARSEST: return hp_args_whole(text, 1, 1000000, &o->coarsest);
    case ONE_GPU_ROWS: return hp_args_whole(text, 0, INT32_MAX, &o->one_gpu_rows);
    default: return false;
  }
}

static bool parse_option(int option, const char *text, hp_amg_bench *B) {
  B->smoother_given = B->smoother_given || option == SMOOTHER;
  B->interpolation_given = B->interpolation_given || option == INTERPOLATION;
  if (option >= SIZE && option <= SEED) return parse_model(option, text, B);
  if (option == CYCLE_FORMAT) return choose_formats(text, B);
  if (option >= COARSENING && option <= ONE_GPU_ROWS) return parse_amg(option, text, &B->solver.amg);
  switch (option) {
    case PROBLEM: return true; /* taken first */
    case MATRIX: B->matrix = text; return true;
    case RHS: B->rhs = text; return true;
    case WRITE: B->write = text; return true;
    case PAPER: return true; /* taken first */
    case VIEW: B->view = true; return true;
    case FORMATS: B->formats = true; return true;
    case APART: B->wells_apart = true; return true;
    case CSV: B->csv = text; return true;
    case METHOD: return choose_method(text, &B->solver);
    case RESTART: return hp_args_whole(text, 1, 1000, &B->solver.restart);
    case TOLERANCE: return hp_args_real(text, 1e-300, 1.0, &B->solver.tolerance);
    case ITERATIONS: return hp_args_whole(text, 1, 1000000, &B->solver.max_iterations);
    case SAMPLES: return hp_args_whole(text, 1, HP_AMG_BENCH_SAMPLES, &B->samples);
    case GPUS: return hp_device_parse_gpus(text, HP_GPUS_MAX, B->gpus.gpu, &B->gpus.gpus);
    case THREADS: return hp_args_whole(text, 1, HP_TEAM_MAX, &B->threads);
    case BACKEND: return true; /* taken first */
    default: return false;
  }
}

/* The command line is read twice: first only --problem and --paper are heard, whose values the other options change,
 * wherever they stand. */
typedef struct {
  hp_amg_bench *B;
  bool first;
  bool described;      /* an option described a model, besides its size */
  bool seeded, solves; /* --seed; how to smooth and solve */
  bool given[PEER + 1 - PROBLEM];
} reading;

static int set_option(int option, const char *text, void *arguments) {
  reading *r = arguments;
  if (option == NAMES) {
    if (!r->first) print_names();
    r->B->names = true;
    return HP_EXIT_OK;
  }
  if (option == BACKEND) {
    hp_backend_kind kind;
    const int code = hp_cli_backend("bench amg", text, &kind);
    r->B->gpu = kind == HP_BACKEND_CUDA;
    return code;
  }
  if (option == PEER) {
    const char *why = hp_amg_bench_peer_refusal();
    r->B->beside = strcmp(text, "hypre") == 0;
    if (!r->B->beside) return HP_ARGS_NOT_A_VALUE;
    return why != NULL ? hp_cli_usage_error("bench amg", "--peer hypre: %s", why) : HP_EXIT_OK;
  }
  r->given[option - PROBLEM] = true;
  if (option == SIZE) r->B->sized = true;
  if (option > SIZE && option <= BOUNDARY) r->described = true;
  if (option == SEED) r->seeded = true;
  if ((option >= SMOOTHER && option <= BLOCK) || (option >= METHOD && option <= ITERATIONS) || option == RHS)
    r->solves = true;
  if (!r->first) return parse_option(option, text, r->B) ? HP_EXIT_OK : HP_ARGS_NOT_A_VALUE;
  if (option == PAPER) choose_paper(r->B);
  return option != PROBLEM || choose_problem(text, r->B) ? HP_EXIT_OK : HP_ARGS_NOT_A_VALUE;
}

/* Options that the choices made do not read. Exit code, or -1. */
static int check_unread(const hp_amg_bench *B, const reading *r) {
  const hp_pressure *p = &B->model;
  const bool rocks = B->matrix == NULL && p->sigma > 0.0, wells = B->matrix == NULL && p->nwell > 0;
  const bool gmres = !B->solver.stationary && B->solver.method == HP_KRYLOV_GMRES;
  hp_amg_options o = B->solver.amg;
  if (B->paper && !B->smoother_given) o.smoother = HP_AMG_DAMPED_JACOBI; /* of some examples */
  const struct {
    int option;
    const char *readers; /* NULL: it is read */
  } options[] = {{DAMPING, hp_amg_readers(&o, "damping")},
                 {ORDER, hp_amg_readers(&o, "order")},
                 {BLOCK, hp_amg_readers(&o, "block")},
                 {DOMAIN, hp_amg_readers(&o, "domain")},
                 {DOMAINS, hp_amg_readers(&o, "domains")},
                 {TRUNCATION, hp_amg_readers(&o, "truncation")},
                 {RESTART, gmres ? NULL : "the method gmres"},
                 {CORRELATION, rocks ? NULL : "a model whose --sigma is above 0"},
                 {VERTICAL, p->nz > 1 ? NULL : "a model with several layers"},
                 {APART, wells ? NULL : "a model with wells"},
                 {SEED, rocks || wells || strcmp(B->rhs, "random") == 0
                            ? NULL
                            : "a model with wells or a --sigma above 0, and --rhs random"}};
  for (size_t n = 0; n < sizeof options / sizeof *options; ++n) {
    if (!r->given[options[n].option - PROBLEM] || options[n].readers == NULL) continue;
    for (const struct option *name = names; name->name != NULL; ++name)
      if (name->val == options[n].option)
        return hp_cli_usage_error("bench amg", "--%s would change nothing: it is of %s", name->name,
                                  options[n].readers);
  }
  return -1;
}

/* Options must go together, and none may be ignored. Exit code, or -1. */
static int check(const hp_amg_bench *B, const reading *r) {
  const char *why = hp_multigrid_refusal(&B->solver, B->gpu);
  const bool table = B->problem == NULL && B->matrix == NULL;
  if (why != NULL) return hp_cli_usage_error("bench amg", "%s", why);
  if (B->matrix != NULL && (B->problem != NULL || B->sized || r->described))
    return hp_cli_usage_error("bench amg", "--matrix takes the place of --problem and what describes one");
  if (B->matrix != NULL && B->gpu)
    return hp_cli_usage_error("bench amg", "--backend cuda takes model problems; a --matrix runs on the CPU");
  if (!B->gpu && B->gpus.gpus != 0) return hp_cli_usage_error("bench amg", "--gpus is for --backend cuda");
  if (B->solver.amg.one_gpu_rows >= 0 && B->gpus.gpus == 0)
    return hp_cli_usage_error("bench amg", "--one-gpu-rows is for --gpus");
  if (B->gpu && B->wells_apart)
    return hp_cli_usage_error("bench amg", "--wells-apart is for the CPU: on a GPU wells always stand apart");
  if (B->gpu && B->threads > 0 && !B->paper)
    return hp_cli_usage_error("bench amg", "--threads is for --backend cpu, or for --paper, which shows both");
  if (B->formats && (table || B->view || B->csv != NULL))
    return hp_cli_usage_error("bench amg",
                              "--formats times the products of one --problem or --matrix, without --view and --csv");
  if (B->formats && r->solves)
    return hp_cli_usage_error("bench amg", "--formats solves nothing: no --rhs, no smoother, no method");
  if (B->nchosen > 1 && (table || B->view || B->csv != NULL || B->beside))
    return hp_cli_usage_error("bench amg",
                              "--cycle-format of several formats makes a table of one --problem or --matrix, without "
                              "--view, --csv and --peer");
  if (B->beside && B->formats)
    return hp_cli_usage_error("bench amg", "--peer stands beside a solve, without --formats");
  if (B->paper && !table)
    return hp_cli_usage_error("bench amg", "--paper has its own systems: no --problem, no --matrix");
  if (table && ((B->sized && !B->paper) || r->described || r->seeded || B->write != NULL))
    return hp_cli_usage_error("bench amg", "a system is described (--size ...) or written: which --problem?");
  return check_unread(B, r);
}

static hp_status run_one(hp_amg_bench *B) {
  hp_amg_bench_system S;
  hp_amg_bench_result R, peer;
  HP_TRY(hp_amg_bench_system_create(B, &S));
  char where[160];
  printf("%s: %lld rows, %lld non-zeros, %d wells; %s\n", S.name, (long long)S.F->n, (long long)S.F->count, S.nwell,
         hp_amg_bench_where(B, where, sizeof where));
  if (B->formats) {
    hp_amg_bench_print_hierarchy(&B->solver.amg);
    printf("; numbers in %s precision\n", hp_precision_name(B->solver.amg.precision));
    const hp_status done = hp_amg_bench_formats(B, &S);
    hp_amg_bench_system_free(&S);
    return done;
  }
  hp_amg_bench_print_choices(&B->solver, true);
  if (B->nchosen > 1) {
    const hp_status done = hp_amg_bench_cycle_formats(B, &S);
    hp_amg_bench_system_free(&S);
    return done;
  }
  hp_status s = hp_amg_bench_measure(B, &S, &R);
  if (s == HP_OK) {
    const double relative = R.report.norm_b > 0.0 ? R.report.residual / R.report.norm_b : 0.0;
    printf("%d levels, %d rows on the last; complexity of operators %.2f, of grids %.2f; %.1f MB\n", R.hierarchy.levels,
           R.hierarchy.coarsest, R.hierarchy.operators, R.hierarchy.grids, 1e-6 * (double)R.hierarchy.bytes);
    printf("set-up %.2f ms, refresh %.2f ms, solve %.2f ms\n", 1e3 * R.setup, 1e3 * R.refresh, 1e3 * R.solve);
    printf("%d iterations of %.2f ms, %lld cycles, factor %.3f per iteration, |r|/|b| %.2e: %s\n", R.report.iterations,
           R.report.iterations > 0 ? 1e3 * R.solve / R.report.iterations : 0.0, (long long)R.report.applications,
           R.factor, relative, hp_krylov_reason_text(R.report.reason));
    hp_amg_bench_csv(B, &S, &R);
  }
  if (s == HP_OK && B->beside) {
    s = hp_amg_bench_measure_peer(B, &S, &peer);
    if (s == HP_OK) hp_amg_bench_print_peer(B, &R, &peer);
    if (s == HP_OK) hp_amg_bench_csv(B, &S, &peer);
  }
  hp_amg_bench_system_free(&S);
  if (s == HP_OK && R.report.reason != HP_KRYLOV_CONVERGED)
    return hp_fail(HP_ERR_NUMERIC, "multigrid: %s", hp_krylov_reason_text(R.report.reason));
  return s;
}

static hp_status run(hp_amg_bench *B) {
  HP_TRY(hp_team_hub_create(B->threads > 0 ? B->threads : hp_processors(), NULL, &B->hub));
  if (B->gpu) HP_TRY(hp_device_create(&B->gpus, &B->device));
  if (B->beside) HP_TRY(hp_amg_bench_peer_open(&B->peer));
  if (B->paper) return hp_amg_bench_paper(B);
  return B->problem == NULL && B->matrix == NULL ? hp_amg_bench_four(B) : run_one(B);
}

/* Choices left open become the fastest on a GPU (docs/laboratory/performance.md) in place of those for few threads. */
static void choose_for_gpu(const reading *r) {
  hp_amg_options *o = &r->B->solver.amg;
  if (!r->given[PRECISION - PROBLEM]) o->precision = HP_PRECISION_SINGLE;
  if (r->B->smoother_given) return;
  o->smoother = HP_AMG_DAMPED_JACOBI;
  if (!r->given[DAMPING - PROBLEM]) o->damping = 0.8;
}

int hp_bench_amg(int argc, char **argv) {
  static const hp_bench_args_syntax syntax = {"bench amg", help, names, false, set_option};
  hp_amg_bench B = {.rhs = "ones", .samples = 3};
  B.model.nx = B.model.ny = B.model.nz = 64;
  B.model.seed = 1;
  B.solver.amg = hp_amg_default_options();
  B.solver.method = HP_KRYLOV_BICGSTAB;
  B.solver.restart = 30;
  B.solver.tolerance = 1e-6;
  B.solver.max_iterations = 500;
  int code;
  reading first = {.B = &B, .first = true}, second = {.B = &B};
  if (!hp_bench_args_parse(&syntax, argc, argv, &first, &code)) return code;
  optind = 1;
  if (!hp_bench_args_parse(&syntax, argc, argv, &second, &code)) return code;
  if (B.names) return HP_EXIT_OK;
  if (B.gpu && !B.paper) choose_for_gpu(&second);
  code = check(&B, &second);
  if (code >= 0) return code;
  hp_inputs read = {0};
  if (B.matrix != NULL) hp_inputs_add(&read, B.matrix);
  if (B.rhs != NULL) hp_inputs_add(&read, B.rhs);
  hp_status opened = B.write != NULL ? hp_inputs_check(&read, "--write", B.write, HP_INPUTS_TEXT) : HP_OK;
  if (opened == HP_OK) opened = hp_args_csv_open(&read, B.csv, &B.table);
  hp_inputs_clear(&read);
  if (opened != HP_OK) return hp_cli_usage_error("bench amg", "%s", hp_fail_text());
  const hp_status s = hp_args_csv_close(B.csv, B.table, run(&B));
  hp_amg_bench_peer_close(&B.peer);
  hp_device_destroy(&B.device);
  hp_team_hub_destroy(&B.hub);
  return hp_cli_exit(s);
}
