/* hepta bench bsr: the product y = A x with matrices of q x q blocks in any pattern, for many q, beside the same matrix in
 * other formats and the bandwidth of a copy in the same run (Abdelfattah, Ltaief, Keyes & Dongarra 2016).
 *
 * Times are medians of products that find nothing of matrix and vectors in the caches. Results are compared with a
 * reference in long double.
 */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/args.h"
#include "bench/bench.h"
#include "bench/bsr/multiply.inl.h"
#include "bench/bsr/patterns.h"
#include "bench/generators/family.h"
#include "bench/market/market.h"
#include "bench/place.h"
#include "bench/product/device.h"
#include "bench/product/several.h"
#include "bench/tuning/kernels.h"
#include "core/memory.h"
#include "linsolve/product/sparse_mul.inl.h"
#include "sim/cli/cli.h"

static const char help[] =
    "usage: hepta bench bsr [options]\n\n"
    "Times the product y = A x with matrices of q x q blocks, beside other formats.\n\n"
    "      --pattern LIST     grid (seven diagonals, as gh has), dual (two such grids with links between\n"
    "                         twins), band (27 blocks in every row), scattered (some blocks anywhere), tailed\n"
    "                         (rows of very different length) (default grid)\n"
    "      --size SIZE        V (a cube) or NXxNYxNZ: the grid; the last three have as many block rows\n"
    "                         (default 64; dual 70x70x30)\n"
    "      --matrix FILE      of MatrixMarket instead: each entry becomes a block, as the paper has it; q = 1\n"
    "                         keeps its values\n"
    "      --q LIST           1 to 1024 (default 2,4,8,16)\n"
    "      --promote LIST     the same\n"
    "      --cut LIST         rows are cut into pieces of so many blocks; 0: not (default 0, tailed 0,16)\n"
    "      --format LIST      blocks, gh, bsr, csr, sell, hyb; on a GPU also csr-own and sell-p (default all)\n"
    "      --unroll LIST      columns whose loads are on their way at once on a GPU: 2, 4 or 8 (default by q)\n"
    "      --group LIST       threads of a GPU for a block row above q = 16: 64, 128 or 256 (default by q)\n"
    "      --search KIND      of threads, --unroll, --group and, where rows are uneven, --cut on a GPU, all together:\n"
    "                         exhaustive or random; the fastest is a row more\n"
    "      --trials N         launches that a random search draws (default 20)\n"
    "      --tuned            a row more, with the launch that the tune file has\n"
    "      --save             keeps what --search found there; solves take threads and unrolling of --pattern grid\n"
    "      --memory GB        leaves out what is larger (default 8)\n"
    "      --seed N           of the matrices (default 1)\n"
    "      --seconds T        for each measurement, about (default 0.3)\n"
    "      --csv FILE         also as a table of comma-separated values\n"
    "      --backend NAME     cpu or cuda (default cpu)\n"
    "      --gpus LIST        blocks on the first of them, on two, and so on to all of them, which share the rows:\n"
    "                         numbers of GPUs, comma between, one may be named twice; a number N alone: the first\n"
    "                         N; all\n"
    "      --threads N        of the CPU (default one per processor)\n"
    "  -h, --help\n\n"
    "blocks is hepta's own product with block rows. On a GPU csr, bsr and sell are multiplied by cuSPARSE,\n"
    "csr-own and sell-p, which is sell with several threads a row, by hepta.\n";

typedef enum { GRID, DUAL, BAND, SCATTERED, TAILED, PATTERNS } pattern;
static const char *const pattern_names[PATTERNS] = {"grid", "dual", "band", "scattered", "tailed"};

typedef enum { BLOCKS, GH, BSR, CSR, SELL, HYB, CSR_OWN, SELL_P, FORMATS } format;
static const char *const format_names[FORMATS] = {"blocks", "gh", "bsr", "csr", "sell", "hyb", "csr-own", "sell-p"};
static const hp_sparse_kind sparse_kinds[FORMATS] = {
    [BSR] = HP_SPARSE_BSR, [CSR] = HP_SPARSE_CSR,     [SELL] = HP_SPARSE_SELL,
    [HYB] = HP_SPARSE_HYB, [CSR_OWN] = HP_SPARSE_CSR, [SELL_P] = HP_SPARSE_SELL};
static bool is_for_gpu(format f) { return f == CSR_OWN || f == SELL_P; }

enum { BAND_WIDTH = 27, SEARCH_ROUNDS = 5 };

typedef struct {
  bool pattern[PATTERNS], format[FORMATS], by_name, size_given, cut_given; /* by_name: --format was given */
  bool tuned, save;
  int search, trials;
  int size[3];
  int q[HP_ARGS_LIST_MAX], nq, cut[HP_ARGS_LIST_MAX], ncut, unroll[HP_ARGS_LIST_MAX], nunroll;
  int group[HP_ARGS_LIST_MAX], ngroup;
  int gpu[HP_SPMV_GPUS_MAX], ngpu; /* ngpu 0: one, without sharing; HP_DEVICE_ALL_GPUS */
  const char *matrix, *csv;
  hp_backend_kind backend;
  int threads;
  uint64_t seed;
  double seconds, memory; /* [GB] */
} options;

typedef struct {
  const options *o;
  hp_bench_place place;
  hp_tuned *tuned; /* GPU, with --search or --tuned: the tune file, and what was found */
  FILE *csv;
} bench;

/* A matrix, its vectors, and what is measured with it in one format. */
typedef struct {
  const char *name;
  hp_bsr *B;
  hp_gh *G;     /* NULL: the pattern is no grid */
  hp_sparse *F; /* of the format at hand, else NULL */
  int64_t n;
  double *x, *y, *partial; /* [n], [n], [nslot q] */
} problem;

/* ---- the command line ---- */

static const char *pattern_name(int n) { return pattern_names[n]; }
static const char *format_name(int n) { return format_names[n]; }

enum {
  PATTERN = 256,
  SIZE,
  MATRIX,
  UNKNOWNS,
  CUT,
  FORMAT,
  UNROLL,
  GROUP,
  SEARCH,
  TRIALS,
  TUNED,
  SAVE,
  MEMORY,
  SEED,
  SECONDS,
  CSV_FILE,
  BACKEND,
  GPUS,
  THREADS
};

static bool parse_size(const char *text, options *o) {
  o->size_given = true;
  const int given = hp_args_size(&text, o->size);
  if (given == 1) o->size[1] = o->size[2] = o->size[0];
  return given > 0 && *text == '\0';
}

static bool parse_choices(const char *text, const int *among, int count, int *out, int *nout) {
  if (!hp_args_wholes(text, 1, 1024, HP_ARGS_LIST_MAX, out, nout)) return false;
  for (int n = 0; n < *nout; ++n) {
    bool found = false;
    for (int k = 0; k < count; ++k) found = found || out[n] == among[k];
    if (!found) return false;
  }
  return true;
}

static bool parse_option(int option, const char *text, options *o) {
  static const int unrolls[] = {2, 4, 8}, groups[] = {64, 128, 256};
  switch (option) {
    case PATTERN: return hp_args_names(text, pattern_name, PATTERNS, o->pattern);
    case SIZE: return parse_size(text, o);
    case MATRIX: o->matrix = text; return true;
    case UNKNOWNS: return hp_args_wholes(text, 1, HP_BSR_Q_MAX, HP_ARGS_LIST_MAX, o->q, &o->nq);
    case CUT: o->cut_given = true; return hp_args_wholes(text, 0, 1000000, HP_ARGS_LIST_MAX, o->cut, &o->ncut);
    case FORMAT: o->by_name = true; return hp_args_names(text, format_name, FORMATS, o->format);
    case UNROLL: return parse_choices(text, unrolls, 3, o->unroll, &o->nunroll);
    case GROUP: return parse_choices(text, groups, 3, o->group, &o->ngroup);
    case SEARCH: o->search = hp_args_find(text, hp_search_kind_name, HP_SEARCH_KINDS); return o->search > 0;
    case TRIALS: return hp_args_whole(text, 1, 100000, &o->trials);
    case TUNED: return o->tuned = true;
    case SAVE: return o->save = true;
    case MEMORY: return hp_args_real(text, 0.0, 1e6, &o->memory) && o->memory > 0.0;
    case SEED: return hp_args_seed(text, &o->seed);
    case SECONDS: return hp_args_real(text, 0.0, INFINITY, &o->seconds) && o->seconds > 0.0;
    case CSV_FILE: o->csv = text; return true;
    case BACKEND: return hp_backend_find(text, &o->backend);
    case GPUS: return hp_device_parse_gpus(text, HP_SPMV_GPUS_MAX, o->gpu, &o->ngpu);
    case THREADS: return hp_args_whole(text, 1, HP_TEAM_MAX, &o->threads);
    default: return false;
  }
}

static int set_option(int option, const char *text, void *o) {
  return parse_option(option, text, o) ? HP_EXIT_OK : HP_ARGS_NOT_A_VALUE;
}

static const struct option names[] = {{"pattern", required_argument, NULL, PATTERN},
                                      {"size", required_argument, NULL, SIZE},
                                      {"matrix", required_argument, NULL, MATRIX},
                                      {"q", required_argument, NULL, UNKNOWNS},
                                      {"promote", required_argument, NULL, UNKNOWNS},
                                      {"cut", required_argument, NULL, CUT},
                                      {"format", required_argument, NULL, FORMAT},
                                      {"unroll", required_argument, NULL, UNROLL},
                                      {"group", required_argument, NULL, GROUP},
                                      {"search", required_argument, NULL, SEARCH},
                                      {"trials", required_argument, NULL, TRIALS},
                                      {"tuned", no_argument, NULL, TUNED},
                                      {"save", no_argument, NULL, SAVE},
                                      {"memory", required_argument, NULL, MEMORY},
                                      {"seed", required_argument, NULL, SEED},
                                      {"seconds", required_argument, NULL, SECONDS},
                                      {"csv", required_argument, NULL, CSV_FILE},
                                      {"backend", required_argument, NULL, BACKEND},
                                      {"gpus", required_argument, NULL, GPUS},
                                      {"threads", required_argument, NULL, THREADS},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static const hp_bench_args_syntax syntax = {"bench bsr", help, names, false, set_option};

/* Formats of a GPU alone are left out on the CPU where --format is. Exit code. */
static int check_choice(options *o) {
  for (int f = 0; f < FORMATS && o->backend != HP_BACKEND_CUDA; ++f) {
    if (!is_for_gpu((format)f) || !o->format[f]) continue;
    if (o->by_name) return hp_cli_usage_error("bench bsr", "--format %s is for --backend cuda", format_names[f]);
    o->format[f] = false;
  }
  if (o->backend != HP_BACKEND_CUDA && (o->nunroll > 1 || o->unroll[0] != 0))
    return hp_cli_usage_error("bench bsr", "--unroll is for --backend cuda");
  if (o->backend != HP_BACKEND_CUDA && (o->ngroup > 1 || o->group[0] != 0))
    return hp_cli_usage_error("bench bsr", "--group is for --backend cuda");
  if (o->backend != HP_BACKEND_CUDA && (o->search != HP_SEARCH_NONE || o->tuned))
    return hp_cli_usage_error("bench bsr", "%s is for --backend cuda", o->tuned ? "--tuned" : "--search");
  if (o->save && o->search == HP_SEARCH_NONE) return hp_cli_usage_error("bench bsr", "--save needs --search");
  if (o->ngpu != 0 && (o->search != HP_SEARCH_NONE || o->tuned))
    return hp_cli_usage_error("bench bsr", "launches are searched for one GPU: leave out --gpus");
  if (o->backend != HP_BACKEND_CUDA && o->ngpu != 0)
    return hp_cli_usage_error("bench bsr", "--gpus is for --backend cuda: the CPU's cores share the rows already");
  return HP_EXIT_OK;
}

/* ---- matrices ---- */

static hp_status make_grid(const options *o, const int size[3], int q, problem *P) {
  hp_family f = hp_family_default(size[0], size[1], size[2], q <= HP_GH_Q_MAX ? q : 1);
  f.nwell = 0;
  f.seed = o->seed;
  HP_TRY(hp_family_create(&f, &P->G));
  if (q <= HP_GH_Q_MAX) return hp_bsr_from_gh(P->G, &P->B);
  hp_sparse *csr = NULL; /* the pattern alone */
  hp_status s = hp_sparse_create(P->G, NULL, HP_SPARSE_CSR, &csr);
  if (s == HP_OK) s = hp_bsr_promote(csr, q, o->seed, &P->B);
  hp_sparse_destroy(&csr);
  hp_gh_destroy(&P->G);
  return s;
}

static hp_status make(const options *o, pattern kind, const hp_sparse *file, int q, problem *P) {
  static const int twins[3] = {70, 70, 30};
  const int *size = kind == DUAL && !o->size_given ? twins : o->size;
  const int64_t cells = (int64_t)size[0] * size[1] * size[2];
  P->name = file != NULL ? o->matrix : pattern_names[kind];
  if (file != NULL) return hp_bsr_promote(file, q, o->seed, &P->B);
  switch (kind) {
    case GRID: return make_grid(o, size, q, P);
    case DUAL: return hp_bsr_dual(size[0], size[1], size[2], q, o->seed, &P->B);
    case BAND: return hp_bsr_band(cells, BAND_WIDTH, q, o->seed, &P->B);
    case SCATTERED: return hp_bsr_scattered(cells, q, o->seed, &P->B);
    default: return hp_bsr_tailed(cells, q, o->seed, &P->B);
  }
}

static void release(problem *P) {
  hp_bsr_destroy(&P->B);
  hp_gh_destroy(&P->G);
  hp_sparse_destroy(&P->F);
  HP_FREE(P->x);
  HP_FREE(P->y);
  HP_FREE(P->partial);
}

/* ---- reference ---- */

/* Largest difference, relative to the sum of the row's absolute products. */
static double difference(const problem *P) {
  const hp_bsr *B = P->B;
  const int q = B->q;
  double worst = 0.0;
  for (int64_t m = 0; m < B->nrow; ++m)
    for (int a = 0; a < q; ++a) {
      long double sum = 0.0L, scale = 0.0L;
      for (int64_t p = B->begin[m]; p < B->begin[m + 1]; ++p)
        for (int b = 0; b < q; ++b) {
          const long double term = (long double)B->value[(p * q + b) * q + a] * P->x[(int64_t)B->column[p] * q + b];
          sum += term;
          scale += fabsl(term);
        }
      const double d = (double)(fabsl(P->y[m * q + a] - sum) / (scale > 0.0L ? scale : 1.0L));
      if (!(d <= worst)) worst = d; /* not a number counts as worst */
    }
  return worst;
}

/* ---- the CPU ---- */

typedef struct {
  problem *P;
  format f;
} cpu_job;

static void multiply(hp_team *team, void *arg) {
  const cpu_job *j = arg;
  problem *P = j->P;
  if (j->f == BLOCKS) hp_bsr_multiply(team, P->B, P->x, P->y, P->partial);
  else if (j->f == GH) hp_gh_mul(team, P->G, P->x, P->y);
  else hp_sparse_mul(team, P->F, NULL, P->x, P->y);
}

static hp_status measure_cpu(const bench *b, problem *P, format f, double *seconds) {
  cpu_job j = {P, f};
  int count;
  return hp_bench_place_time(&b->place, multiply, &j, true, b->o->seconds, seconds, &count);
}

/* ---- the GPU ---- */

static hp_status measure_gpu(const bench *b, problem *P, format f, int unroll, int threads, double *seconds) {
  hp_spmv_job j = {.A = f == GH ? P->G : NULL,
                   .B = f == BLOCKS ? P->B : NULL,
                   .F = P->F,
                   .own = is_for_gpu(f),
                   .unroll = unroll,
                   .threads = threads,
                   .x = P->x,
                   .y = P->y,
                   .cold = true,
                   .time_limit = b->o->seconds};
  HP_TRY(hp_spmv_device_measure(b->place.device, &j));
  *seconds = j.seconds;
  return HP_OK;
}

/* Blocks on the first `count` of --gpus. */
static hp_status measure_gpus(const bench *b, problem *P, int unroll, int count, double *seconds) {
  hp_spmv_several j = {.B = P->B,
                       .unroll = unroll,
                       .gpu = b->o->gpu,
                       .count = count,
                       .x = P->x,
                       .y = P->y,
                       .cold = true,
                       .time_limit = b->o->seconds};
  HP_TRY(hp_spmv_several_measure(&j));
  *seconds = j.seconds;
  return HP_OK;
}

/* ---- tables ---- */

static int64_t bytes_of(const problem *P, format f) {
  if (f == BLOCKS) return hp_bsr_product_bytes(P->B);
  if (f == GH) return hp_gh_product_bytes(P->G);
  if (f == BSR) return hp_bsr_product_bytes(P->B);
  return hp_sparse_product_bytes(P->F, P->G);
}

/* A row of the table; gpus: that share the rows, one: seconds on the first of them alone. */
typedef struct {
  format f;
  int unroll, group, gpus; /* group: 0, or how many threads were asked for */
  double seconds, one;
  const hp_kernel_shape *tuned; /* NULL: by default */
} row;

static void print_csv(const bench *b, const problem *P, const row *r, int64_t bytes, double gflops, double d) {
  const double rate = (double)bytes / r->seconds, copy = b->place.copy * r->gpus;
  fprintf(b->csv, "%s,%s,%lld,%lld,%d,%s,%d,%d,%d,%lld,%.9g,%.6g,%.6g,%.6g,%.4g,%.3g,%d,%.4g,%d,%s\n",
          b->place.device != NULL ? "cuda" : "cpu", P->name, (long long)P->B->nrow, (long long)P->B->nblock, P->B->q,
          format_names[r->f], P->B->longest, r->unroll, r->group, (long long)bytes, r->seconds, gflops, 1e-9 * rate,
          1e-9 * copy, rate / copy, d, r->gpus, r->one / r->seconds, r->tuned != NULL ? r->tuned->threads : 0,
          r->tuned != NULL ? "tuned" : "default");
}

static void print_row(const bench *b, const problem *P, row r) {
  const int64_t bytes = bytes_of(P, r.f);
  const double rate = (double)bytes / r.seconds, d = difference(P);
  const double gflops = 2e-9 * (double)P->B->nblock * P->B->q * P->B->q / r.seconds;
  char how[48] = "", launch[96];
  if (r.f == BLOCKS && P->B->longest > 0) snprintf(how, sizeof how, " cut %d", P->B->longest);
  if (r.f == BLOCKS && r.unroll > 0) snprintf(how + strlen(how), sizeof how - strlen(how), " u%d", r.unroll);
  if (r.f == BLOCKS && r.group > 0) snprintf(how + strlen(how), sizeof how - strlen(how), " t%d", r.group);
  if (r.tuned != NULL) snprintf(how, sizeof how, " tuned");
  if (r.gpus > 1) snprintf(how + strlen(how), sizeof how - strlen(how), " %d GPUs", r.gpus);
  printf("%5d  %-7s%-15s %9.2f %10.1f %9.1f %8.1f %5.0f %%  %9.1e", P->B->q, format_names[r.f], how,
         (double)bytes * 1e-6, r.seconds * 1e6, gflops, rate * 1e-9, 100.0 * rate / (b->place.copy * r.gpus), d);
  if (r.gpus > 1) printf("  %5.2f times one", r.one / r.seconds);
  if (r.tuned != NULL) hp_kernel_describe(r.tuned, launch, sizeof launch);
  if (r.tuned != NULL) printf("  %s", launch);
  printf("\n");
  fflush(stdout);
  if (b->csv != NULL) print_csv(b, P, &r, bytes, gflops, d);
}

/* Every row must be written. */
static void spoil(problem *P) {
  for (int64_t i = 0; i < P->n; ++i) P->y[i] = NAN;
}

static hp_status measure_blocks_by(const bench *b, problem *P, int unroll, int group) {
  row r = {.f = BLOCKS, .unroll = unroll, .group = group, .gpus = 1};
  if (group > 0) HP_TRY(hp_bsr_set_threads(P->B, group));
  for (; r.gpus <= b->o->ngpu; ++r.gpus) {
    spoil(P);
    HP_TRY(measure_gpus(b, P, unroll, r.gpus, &r.seconds));
    if (r.gpus == 1) r.one = r.seconds;
    print_row(b, P, r);
  }
  if (b->o->ngpu > 0) return HP_OK;
  spoil(P);
  HP_TRY(b->place.device != NULL ? measure_gpu(b, P, BLOCKS, unroll, 0, &r.seconds)
                                 : measure_cpu(b, P, BLOCKS, &r.seconds));
  r.one = r.seconds;
  print_row(b, P, r);
  return HP_OK;
}

static hp_status measure_blocks(const bench *b, problem *P) {
  const options *o = b->o;
  const int ngroup = P->B->q > HP_BSR_WARP_Q ? o->ngroup : 1;
  for (int g = 0; g < ngroup; ++g)
    for (int u = 0; u < o->nunroll; ++u)
      HP_TRY(measure_blocks_by(b, P, o->unroll[u], P->B->q > HP_BSR_WARP_Q ? o->group[g] : 0));
  return HP_OK;
}

/* Once for each way to cut the rows. */
static hp_status measure_cuts(const bench *b, problem *P, pattern kind) {
  const options *o = b->o;
  static const int both[] = {0, 16};
  const int *cut = o->cut_given ? o->cut : both, ncut = o->cut_given ? o->ncut : kind == TAILED ? 2 : 1;
  for (int c = 0; c < ncut; ++c) {
    HP_TRY(hp_bsr_cut(P->B, cut[c]));
    HP_FREE(P->partial);
    HP_TRY(HP_ALLOC(P->partial, P->B->nslot * P->B->q));
    HP_TRY(measure_blocks(b, P));
  }
  return hp_bsr_cut(P->B, 0);
}

/* The name of a matrix's launches: what solves take are those of grids. */
static const char *name_of(const bench *b, const problem *P, pattern kind) {
  return b->o->matrix != NULL ? "matrix" : kind == GRID ? NULL : P->name;
}

static hp_status search(const bench *b, problem *P, const char *of) {
  static const int usual[] = {0, 8, 16, 32, 64};
  const options *o = b->o;
  const bool uneven = hp_bsr_longest_row(P->B) * P->B->nrow > 4 * P->B->nblock;
  const int *cut = o->cut_given ? o->cut : usual, ncut = o->cut_given ? o->ncut : uneven ? 5 : 1;
  const hp_search_options opt = {
      .trials = o->search == HP_SEARCH_RANDOM ? o->trials : 0, .rounds = SEARCH_ROUNDS, .seed = o->seed};
  hp_tuned_kernel found;
  HP_TRY(hp_kernel_search_blocks(b->place.device, P->B, of, cut, ncut, &opt, NULL, &found));
  hp_tuned_put_kernel(b->tuned, &found);
  return HP_OK;
}

/* With the launch that was found, or is in the tune file. */
static hp_status measure_tuned(const bench *b, problem *P, pattern kind) {
  const char *of = name_of(b, P, kind);
  char name[HP_BSR_NAME_MAX];
  row r = {.f = BLOCKS, .gpus = 1};
  hp_bsr_kernel_name(P->B->q, of, name, sizeof name);
  if (b->o->search != HP_SEARCH_NONE) HP_TRY(search(b, P, of));
  const hp_tuned_kernel *k = hp_tuned_nearest_kernel(b->tuned, name, P->n);
  if (k == NULL) return HP_OK;
  r.tuned = &k->shape;
  r.unroll = hp_bsr_unroll_of(r.tuned);
  r.group = P->B->q > HP_BSR_WARP_Q ? r.tuned->threads : 0;
  HP_TRY(hp_kernel_arrange_blocks(P->B, r.tuned));
  spoil(P);
  HP_TRY(measure_gpu(b, P, BLOCKS, r.unroll, r.tuned->threads, &r.seconds));
  r.one = r.seconds;
  print_row(b, P, r);
  return hp_bsr_cut(P->B, 0);
}

static hp_status measure_format(const bench *b, problem *P, format f) {
  double seconds;
  if (f != GH) HP_TRY(hp_bsr_to_sparse(P->B, sparse_kinds[f], &P->F));
  spoil(P);
  HP_TRY(b->place.device != NULL ? measure_gpu(b, P, f, 0, 0, &seconds) : measure_cpu(b, P, f, &seconds));
  print_row(b, P, (row){.f = f, .gpus = 1, .seconds = seconds, .one = seconds});
  return HP_OK;
}

static hp_status measure(const bench *b, problem *P, pattern kind) {
  P->n = P->B->nrow * P->B->q;
  HP_TRY(HP_ALLOC(P->x, P->n));
  HP_TRY(HP_ALLOC(P->y, P->n));
  hp_family_vector(b->o->seed + 7, P->n, P->x);
  for (int f = 0; f < FORMATS; ++f) {
    if (!b->o->format[f] || (f == GH && P->G == NULL)) continue;
    hp_status s = f == BLOCKS ? measure_cuts(b, P, kind) : measure_format(b, P, (format)f);
    if (s == HP_OK && f == BLOCKS && b->tuned != NULL) s = measure_tuned(b, P, kind);
    hp_sparse_destroy(&P->F);
    if (s == HP_ERR_UNSUPPORTED || s == HP_ERR_MEMORY) /* say so, go on with the next */
      printf("%5d  %-6s %s\n", P->B->q, format_names[f], hp_fail_text());
    else HP_TRY(s);
  }
  return HP_OK;
}

/* Blocks of a matrix, from its pattern with q = 1. */
static hp_status count_blocks(const options *o, pattern kind, const hp_sparse *file, int64_t *rows, int64_t *blocks) {
  problem P = {.B = NULL};
  const hp_status s = make(o, kind, file, 1, &P);
  if (s == HP_OK) {
    *rows = P.B->nrow;
    *blocks = P.B->nblock;
  }
  release(&P);
  return s;
}

static hp_status run_pattern(const bench *b, pattern kind, const hp_sparse *file) {
  const options *o = b->o;
  int64_t rows = 0, blocks = 0;
  HP_TRY(count_blocks(o, kind, file, &rows, &blocks));
  printf("\n%s: %lld block rows, %lld blocks\n", file != NULL ? o->matrix : pattern_names[kind], (long long)rows,
         (long long)blocks);
  printf("    q  format                    MB         us   GFLOP/s     GB/s of copy  difference\n");
  for (int n = 0; n < o->nq; ++n) {
    const double bytes = 8.0 * (double)blocks * o->q[n] * o->q[n];
    if (bytes > o->memory * 1e9) {
      printf("%5d  %.1f GB: left out (--memory)\n", o->q[n], bytes * 1e-9);
      continue;
    }
    problem *P = NULL;
    HP_TRY(HP_ALLOC(P, 1));
    hp_status s = make(o, kind, file, o->q[n], P);
    if (s == HP_OK) s = measure(b, P, kind);
    release(P);
    HP_FREE(P);
    HP_TRY(s);
  }
  return HP_OK;
}

static hp_status run(bench *b) {
  const options *o = b->o;
  hp_sparse *file = NULL;
  if (o->matrix != NULL) HP_TRY(hp_market_read_matrix(o->matrix, &file));
  hp_status s = hp_bench_place_open(o->backend, o->threads, NULL, &b->place);
  if (s == HP_OK && (o->search != HP_SEARCH_NONE || o->tuned)) s = HP_ALLOC(b->tuned, 1);
  if (s == HP_OK && b->tuned != NULL) hp_kernel_file_read(hp_device_get_info(b->place.device), b->tuned);
  if (s == HP_OK && b->csv != NULL)
    fputs(
        "backend,pattern,rows,blocks,q,format,cut,unroll,group,bytes,seconds,gflops,gbs,copy_gbs,share,difference,gpus,"
        "speedup,threads,launch\n",
        b->csv);
  for (int p = 0; p < PATTERNS && s == HP_OK; ++p)
    if (file != NULL ? p == 0 : o->pattern[p]) s = run_pattern(b, (pattern)p, file);
  hp_sparse_destroy(&file);
  return s == HP_OK && o->save ? hp_kernel_file_write(hp_device_get_info(b->place.device), b->tuned) : s;
}

/* "all" is as many as are visible. */
static hp_status count_gpus(options *o) {
  int count;
  if (o->ngpu != HP_DEVICE_ALL_GPUS) return HP_OK;
  HP_TRY(hp_device_count(&count));
  o->ngpu = count < HP_SPMV_GPUS_MAX ? count : HP_SPMV_GPUS_MAX;
  for (int n = 0; n < o->ngpu; ++n) o->gpu[n] = n;
  return HP_OK;
}

int hp_bench_bsr(int argc, char **argv) {
  options o = {.pattern = {[GRID] = true},
               .size = {64, 64, 64},
               .q = {2, 4, 8, 16},
               .nq = 4,
               .nunroll = 1,
               .ngroup = 1,
               .trials = 20,
               .seed = 1,
               .seconds = 0.3,
               .memory = 8.0};
  int code;
  for (int n = 0; n < FORMATS; ++n) o.format[n] = true;
  if (!hp_bench_args_parse(&syntax, argc, argv, &o, &code)) return code;
  code = check_choice(&o);
  if (code != HP_EXIT_OK) return code;
  const hp_status counted = count_gpus(&o);
  if (counted != HP_OK) return hp_cli_exit(counted);
  bench b = {.o = &o};
  if (hp_args_csv_open(NULL, o.csv, &b.csv) != HP_OK) return hp_cli_usage_error("bench bsr", "%s", hp_fail_text());
  const hp_status s = hp_args_csv_close(o.csv, b.csv, run(&b));
  HP_FREE(b.tuned);
  hp_bench_place_close(&b.place);
  return hp_cli_exit(s);
}
