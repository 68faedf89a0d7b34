/* hepta bench krylov: what an iteration of a Krylov method costs, on the seeded matrices of
 * bench/generators/family.h.
 */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "bench/args.h"
#include "bench/bench.h"
#include "bench/krylov/krylov.h"
#include "bench/krylov/single.h"
#include "bench/sgdia/sgdia.h"
#include "linsolve/krylov/device.h"
#include "sim/cli/cli.h"

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
    "                             gh-single: gh in single precision, of bicgstab with --preconditioner none;\n"
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
    "                             bicgstab and qmr\n"
    "      --specialise           also with kernels compiled for each matrix, in rows \"specialised\" (a GPU)\n"
    "      --precision NAME       single or double, of dilu's blocks (default single)\n"
    "      --iterations N         of the longer solve of a pair, 2 to 10000 (default 40)\n"
    "      --samples N            pairs and solves, 1 to 100 (default 9)\n"
    "      --tolerance X          of the solves to convergence (default 1e-6)\n"
    "      --seed N               of the matrices (default 1)\n"
    "      --chip LIST            vectors in the shared memory of a GPU at most, as far as they fit, 0 to 32\n"
    "                             (default 32, with --tuned what `hepta tune` found)\n"
    "      --tuned                with the launches of the tune file, the team's for the first size (a GPU)\n"
    "      --csv FILE             also as a table of comma-separated values\n"
    "      --backend NAME         cpu or cuda (default cpu)\n"
    "      --gpus LIST            GPUs that work as one: how many, their numbers as in 0,1 (one may stand\n"
    "                             twice), or all (default 1)\n"
    "      --threads N            of the CPU (default one per processor)\n"
    "  -h, --help\n\n"
    "The order of dilu is natural on the CPU and red-black on a GPU. Of peak: GFLOP/s over what multiplications\n"
    "and additions in registers reach. Shares of an iteration: products, barriers, and vectors, which are the\n"
    "rest; with a preconditioner its part, too.\n";

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
  TUNED,
  REORDERED,
  CHIP,
  MATRIX,
  FORMAT,
  STENCIL
};

static bool parse_option(int option, const char *text, hp_bench_krylov_options *o) {
  switch (option) {
    case SIZE: return hp_args_sizes(text, &o->sizes);
    case UNKNOWNS: return hp_args_wholes(text, 1, HP_GH_Q_MAX, HP_ARGS_LIST_MAX, o->q, &o->nq);
    case MATRIX: o->matrix = text; return true;
    case FORMAT: return o->formats = hp_args_names(text, hp_bench_format_name, HP_BENCH_FORMATS, o->format);
    case STENCIL: return hp_args_names(text, stencil_name, 2, o->box);
    case CONNECTIONS: return hp_args_whole(text, 0, 1000000000, &o->connections);
    case WELLS: return hp_args_whole(text, 0, 1000000, &o->wells);
    case METHOD: return hp_args_names(text, hp_bench_method_name, HP_KRYLOV_COUNT, o->method);
    case PRECOND: return hp_args_names(text, precond_name, HP_PRECOND_COUNT, o->preconditioner);
    case EXECUTION: return hp_args_names(text, hp_bench_execution_name, HP_EXECUTION_COUNT, o->execution);
    case PRECISION: return hp_precision_find(text, &o->precision);
    case ITERATIONS: return hp_args_whole(text, 2, 10000, &o->iterations);
    case SAMPLES: return hp_args_whole(text, 1, HP_BENCH_KRYLOV_SAMPLES, &o->samples);
    case TOLERANCE: return hp_args_real(text, 0.0, 1.0, &o->tolerance) && o->tolerance > 0.0 && o->tolerance < 1.0;
    case SEED: return hp_args_seed(text, &o->seed);
    case SYMMETRIC: return o->symmetric = true;
    case SPECIALISE: return o->specialise = true;
    case TUNED: return o->tuned = true;
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
  hp_bench_krylov_options *o = arg;
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
                                      {"tuned", no_argument, NULL, TUNED},
                                      {"reordered", no_argument, NULL, REORDERED},
                                      {"chip", required_argument, NULL, CHIP},
                                      {"csv", required_argument, NULL, CSV},
                                      {"backend", required_argument, NULL, BACKEND},
                                      {"gpus", required_argument, NULL, GPUS},
                                      {"threads", required_argument, NULL, THREADS},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static const hp_bench_args_syntax syntax = {"bench krylov", help, names, false, set_option};

static bool chosen(const hp_bench_krylov_options *o, int execution) {
  if (execution == HP_BENCH_KRYLOV_REORDERED) return o->reordered;
  return execution == HP_BENCH_KRYLOV_SPECIALISED ? o->specialise : o->execution[execution];
}

static hp_krylov_options options_of(const hp_bench_krylov_run *B, int method, int precond, int format, int execution) {
  const bool dilu = precond == HP_PRECOND_DILU;
  hp_krylov_options opt = {
      .method = (hp_krylov_method)method,
      .preconditioner = (hp_precond_kind)precond,
      .ordering = dilu && B->place.device != NULL ? HP_ORDER_RED_BLACK : HP_ORDER_NATURAL,
      .precision = dilu ? B->o->precision : HP_PRECISION_DOUBLE,
      .tolerance = B->o->tolerance,
      .max_iterations = 1,
      .restart = 30,
      .matrix = B->S.product != NULL || format == HP_BENCH_SINGLE ? HP_SPARSE_GH : (hp_sparse_kind)format,
      .specialise = execution == HP_BENCH_KRYLOV_SPECIALISED,
      .execution = execution >= HP_BENCH_KRYLOV_SPECIALISED ? HP_EXECUTION_IN_KERNEL : (hp_execution_kind)execution};
  return opt;
}

/* Solvers that do not run, or find no memory, are reported and passed over. */
static hp_status run_one(hp_bench_krylov_run *B, int method, int precond, int format, int execution) {
  const bool on_gpu = B->place.device != NULL;
  B->choice.reordered = execution == HP_BENCH_KRYLOV_REORDERED;
  B->choice.product = B->S.product;
  const hp_krylov_options opt = options_of(B, method, precond, format, execution);
  const char *refusal = hp_krylov_refusal(&opt, B->S.where.A, on_gpu ? HP_SOLVER_GPU : HP_SOLVER_CPU);
  if (refusal == NULL) refusal = hp_own_refusal(&opt, &B->choice, B->S.where.A, on_gpu);
  const hp_linear_options linear = {.krylov = opt};
  if (refusal == NULL && format == HP_BENCH_SINGLE) refusal = hp_bench_single_refusal(&opt, B->choice.reordered);
  if (refusal == NULL) refusal = hp_linear_gpus_refusal(B->o->device.gpus, &linear);
  if (refusal == NULL && on_gpu && hp_device_gpus(B->place.device) > 1 && B->choice.product != NULL)
    refusal = "a matrix that is not GH is multiplied on one GPU";
  hp_bench_krylov_result R = {0};
  hp_status s = HP_OK;
  if (refusal == NULL) s = hp_bench_krylov_measure(B, &opt, &R);
  if (s == HP_OK && opt.specialise && !R.special.used && refusal == NULL) refusal = R.special.note;
  if (refusal == NULL && s == HP_OK) {
    hp_bench_krylov_print(B, &opt, &R);
    return HP_OK;
  }
  if (refusal == NULL && s != HP_ERR_UNSUPPORTED && s != HP_ERR_MEMORY) return s;
  printf("%-9s %-13s %-6s %-14s %s\n", hp_krylov_method_name(opt.method), hp_precond_name(opt.preconditioner),
         hp_bench_format_name(format), hp_bench_krylov_way(B, &opt), refusal != NULL ? refusal : hp_fail_text());
  return HP_OK;
}

/* Once for each --chip. */
static hp_status run_chips(hp_bench_krylov_run *B, int method, int precond, int format, int execution) {
  const hp_bench_krylov_options *o = B->o;
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
static hp_status run_format(hp_bench_krylov_run *B, int method, int precond, int format) {
  hp_status s = hp_bench_system_form(&B->S, format);
  if (s == HP_ERR_UNSUPPORTED || s == HP_ERR_USAGE) {
    printf("%-9s %-13s %-6s %s\n", hp_bench_method_name(method), precond_name(precond), hp_bench_format_name(format),
           hp_fail_text());
    return HP_OK;
  }
  for (int e = 0; e < HP_BENCH_KRYLOV_WAYS && s == HP_OK; ++e)
    if (chosen(B->o, e)) s = run_chips(B, method, precond, format, e);
  return s;
}

/* Where none is named: the formats are gh, csr from a file, sg-dia for boxes; GH-h, boxes and matrices from files go without a
 * preconditioner. */
static bool is_asked(const hp_bench_krylov_run *B, int method, int precond, int format) {
  const hp_bench_krylov_options *o = B->o;
  const hp_bench_system *S = &B->S;
  const int usual = S->box != NULL ? HP_SPARSE_SGDIA : S->csr != NULL ? HP_SPARSE_CSR : HP_SPARSE_GH;
  const bool other = format >= HP_BENCH_SINGLE || S->csr != NULL;
  if (!o->method[method] || (o->formats ? !o->format[format] : format != usual)) return false;
  return o->preconditioned || !other ? o->preconditioner[precond] : precond == HP_PRECOND_NONE;
}

static hp_status run_matrix(hp_bench_krylov_run *B, const int *size, int q, bool box) {
  const hp_bench_krylov_options *o = B->o;
  hp_bench_system_input in = {.place = &B->place, .file = o->matrix, .box = box};
  in.family = hp_family_default(size[0], size[1], size[2], q);
  if (o->wells >= 0) in.family.nwell = o->wells;
  in.family.connections = o->connections;
  in.family.symmetric = o->symmetric;
  in.family.seed = o->seed;
  hp_status s = hp_bench_system_open(&in, &B->S);
  if (s == HP_OK) hp_bench_krylov_print_head(B);
  for (int m = 0; m < HP_KRYLOV_COUNT; ++m)
    for (int p = 0; p < HP_PRECOND_COUNT; ++p)
      for (int f = 0; f < HP_BENCH_FORMATS; ++f)
        if (s == HP_OK && is_asked(B, m, p, f)) s = run_format(B, m, p, f);
  hp_bench_system_close(&B->S);
  return s;
}

static hp_status run(hp_bench_krylov_run *B) {
  const hp_bench_krylov_options *o = B->o;
  const int *first = o->sizes.size[0];
  hp_device_options device = o->device;
  if (o->tuned) device.cells = (int64_t)first[0] * first[1] * first[2];
  HP_TRY(hp_bench_place_open(o->backend, o->threads, &device, &B->place));
  HP_TRY(hp_bench_place_peak(&B->place));
  if (B->place.device != NULL) B->chip = hp_device_get_shape(B->place.device).chip;
  hp_bench_krylov_print_csv_head(B);
  if (o->matrix != NULL) return run_matrix(B, o->sizes.size[0], 1, false);
  for (int s = 0; s < o->sizes.count; ++s)
    for (int k = 0; k < o->nq; ++k)
      for (int box = 0; box < 2; ++box)
        if (o->box[box]) HP_TRY(run_matrix(B, o->sizes.size[s], o->q[k], box == 1));
  return HP_OK;
}

int hp_bench_krylov(int argc, char **argv) {
  hp_bench_krylov_options o = {.q = {2},
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
  if (!hp_bench_args_parse(&syntax, argc, argv, &o, &code)) return code;
  code = hp_cli_check_gpus("bench krylov", o.backend, &o.device);
  if (code != HP_EXIT_OK) return code;
  if (o.chips > 0 && o.backend != HP_BACKEND_CUDA)
    return hp_cli_usage_error("bench krylov", "--chip is for --backend cuda");
  if (o.specialise && o.backend != HP_BACKEND_CUDA)
    return hp_cli_usage_error("bench krylov", "--specialise is for --backend cuda");
  if (o.tuned && (o.backend != HP_BACKEND_CUDA || o.matrix != NULL))
    return hp_cli_usage_error("bench krylov", "--tuned is for --backend cuda and seeded matrices");
  if (o.matrix != NULL && o.seeded != NULL)
    return hp_cli_usage_error("bench krylov", "--matrix takes the place of seeded matrices and so of %s", o.seeded);
  if (!o.box[0] && !o.box[1]) o.box[0] = true;
  if (o.box[1] && o.connections > 0)
    return hp_cli_usage_error("bench krylov", "--connections are of stars: boxes of 27 points have none");
  for (int f = 0; f < HP_BENCH_FORMATS && o.matrix != NULL; ++f)
    if (o.format[f] && f != HP_SPARSE_CSR && f != HP_SPARSE_BSR && f != HP_SPARSE_SELL && f != HP_SPARSE_HYB)
      return hp_cli_usage_error("bench krylov",
                                "--format %s is of seeded matrices; one from a file is csr, bsr, sell or hyb",
                                hp_bench_format_name(f));
  for (int f = HP_BENCH_HALF; f < HP_BENCH_FORMATS; ++f)
    for (int k = 0; k < o.nq && o.format[f]; ++k)
      if (o.q[k] % 2 != 0)
        return hp_cli_usage_error("bench krylov", "--format %s needs an even q, not %d", hp_bench_format_name(f),
                                  o.q[k]);
  for (int p = 0; p < HP_PRECOND_COUNT && !o.preconditioned; ++p) o.preconditioner[p] = true;
  hp_bench_krylov_run B = {.o = &o};
  if (hp_args_csv_open(NULL, o.csv, &B.csv) != HP_OK) return hp_cli_usage_error("bench krylov", "%s", hp_fail_text());
  const hp_status s = hp_args_csv_close(o.csv, B.csv, run(&B));
  hp_bench_place_close(&B.place);
  return hp_cli_exit(s);
}
