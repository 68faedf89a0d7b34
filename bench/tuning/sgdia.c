/* hepta bench sgdia: the product y = A x with matrices of stencils in SG-DIA, beside dia and csr and the bandwidth of a
 * copy in the same run; on a GPU with the launch of the paper's Algorithm 1 and a tuned one, and cuSPARSE (Lowell et al. 2013,
 * Figures 4.1 and 4.3).
 *
 * Times are medians. Cold: nothing of matrix and vectors is in the caches. Results are compared with a reference in long
 * double.
 */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/args.h"
#include "bench/bench.h"
#include "bench/generators/family.h"
#include "bench/place.h"
#include "bench/sgdia/device.h"
#include "bench/sgdia/multiply.inl.h"
#include "bench/tuning/kernels.h"
#include "core/memory.h"
#include "sim/cli/cli.h"

static const char help[] =
    "usage: hepta bench sgdia [options]\n\n"
    "Times the product y = A x with matrices of stencils on structured grids in SG-DIA, beside dia and csr.\n\n"
    "      --size LIST        V (a cube) or NXxNYxNZ, comma between; NZ = 1: two dimensions (default 32,64)\n"
    "      --stencil LIST     star (5 or 7 points) and box (9 or 27) (default star)\n"
    "      --boundary LIST    open and periodic (default open)\n"
    "      --precision LIST   double and single (default double)\n"
    "      --q LIST           unknowns per cell, 1 to 16 (default 1,2,4)\n"
    "      --format LIST      sg-dia, dia, csr, library (csr by cuSPARSE on a GPU) (default all)\n"
    "      --memory GB        leaves out what is larger (default 8)\n"
    "      --cache KIND       cold or hot (default cold)\n"
    "      --search KIND      of a launch of sg-dia on a GPU: exhaustive or random\n"
    "      --trials N         launches that a random search draws (default 100)\n"
    "      --compile          searches over options of the compiler, too (a second or two for each kernel, kept)\n"
    "      --save             keeps what was found in the tune file\n"
    "      --log FILE         every launch that was searched, as comma-separated values\n"
    "      --specialise       also a kernel that is compiled for the matrix (a GPU, three dimensions)\n"
    "      --seed N           of matrices and search (default 1)\n"
    "      --seconds T        for each measurement on a CPU, about (default 0.3)\n"
    "      --samples N        of each measurement on a GPU, 1 to 99 (default 9)\n"
    "      --csv FILE         also as a table of comma-separated values\n"
    "      --backend NAME     cpu or cuda (default cpu)\n"
    "      --threads N        of the CPU (default one per processor)\n"
    "  -h, --help\n\n"
    "Kinds of launch on a GPU: untuned (a row a thread, Algorithm 1 of Lowell et al. 2013), default, tuned (found\n"
    "here or in the tune file), special (the tuned one, or the default, compiled for the matrix).\n";

enum { SGDIA, DIA, CSR, LIBRARY, FORMATS };
static const char *const format_names[FORMATS] = {"sg-dia", "dia", "csr", "library"};

typedef struct {
  hp_args_size_list sizes;
  int q[HP_ARGS_LIST_MAX], nq, search, trials, threads, samples;
  bool stencil[2], boundary[2], precision[2]; /* by number: star, box; open, periodic; double, single */
  bool format[FORMATS], format_given, hot, save, compile, specialise;
  hp_backend_kind backend;
  uint64_t seed;
  double seconds, memory; /* [GB] */
  const char *csv, *log;
} options;

typedef struct {
  const options *o;
  hp_bench_place place;
  hp_tuned *tuned; /* GPU: the tune file, and what was found */
  FILE *csv, *log;
} bench;

typedef struct {
  hp_sgdia_kind kind;
  hp_sgdia *A;
  hp_sgdia_rows *R; /* of the format at hand; NULL: SG-DIA */
  void *x, *y;      /* [n] of the matrix's precision */
} problem;

/* ---- the command line ---- */

static const char *stencil_name(int n) { return hp_sgdia_kind_name((hp_sgdia_kind)n); }
static const char *boundary_name(int n) { return n == 0 ? "open" : "periodic"; }
static const char *precision_name(int n) { return n == 0 ? "double" : "single"; }
static const char *format_name(int n) { return format_names[n]; }

enum {
  SIZE = 256,
  STENCIL,
  BOUNDARY,
  PRECISION,
  UNKNOWNS,
  FORMAT,
  MEMORY,
  CACHE,
  SEARCH,
  TRIALS,
  COMPILE,
  SAVE,
  LOG,
  SEED,
  SECONDS,
  SAMPLES,
  CSV_FILE,
  BACKEND,
  THREADS,
  SPECIALISE
};

static bool parse_option(int option, const char *text, options *o) {
  switch (option) {
    case SIZE: return hp_args_sizes(text, &o->sizes);
    case STENCIL: return hp_args_names(text, stencil_name, 2, o->stencil);
    case BOUNDARY: return hp_args_names(text, boundary_name, 2, o->boundary);
    case PRECISION: return hp_args_names(text, precision_name, 2, o->precision);
    case UNKNOWNS: return hp_args_wholes(text, 1, HP_SGDIA_Q_MAX, HP_ARGS_LIST_MAX, o->q, &o->nq);
    case FORMAT: o->format_given = true; return hp_args_names(text, format_name, FORMATS, o->format);
    case MEMORY: return hp_args_real(text, 0.0, 1e6, &o->memory) && o->memory > 0.0;
    case CACHE: o->hot = strcmp(text, "hot") == 0; return o->hot || strcmp(text, "cold") == 0;
    case SEARCH: o->search = hp_args_find(text, hp_search_kind_name, HP_SEARCH_KINDS); return o->search > 0;
    case TRIALS: return hp_args_whole(text, 1, 100000, &o->trials);
    case COMPILE: o->compile = true; return true;
    case SAVE: o->save = true; return true;
    case LOG: o->log = text; return true;
    case SPECIALISE: return o->specialise = true;
    case SEED: return hp_args_seed(text, &o->seed);
    case SECONDS: return hp_args_real(text, 0.0, INFINITY, &o->seconds) && o->seconds > 0.0;
    case SAMPLES: return hp_args_whole(text, 1, HP_SEARCH_ROUNDS_MAX, &o->samples);
    case CSV_FILE: o->csv = text; return true;
    case BACKEND: return hp_backend_find(text, &o->backend);
    case THREADS: return hp_args_whole(text, 1, HP_TEAM_MAX, &o->threads);
    default: return false;
  }
}

static int set_option(int option, const char *text, void *o) {
  return parse_option(option, text, o) ? HP_EXIT_OK : HP_ARGS_NOT_A_VALUE;
}

static const struct option names[] = {{"size", required_argument, NULL, SIZE},
                                      {"stencil", required_argument, NULL, STENCIL},
                                      {"boundary", required_argument, NULL, BOUNDARY},
                                      {"precision", required_argument, NULL, PRECISION},
                                      {"q", required_argument, NULL, UNKNOWNS},
                                      {"format", required_argument, NULL, FORMAT},
                                      {"memory", required_argument, NULL, MEMORY},
                                      {"cache", required_argument, NULL, CACHE},
                                      {"search", required_argument, NULL, SEARCH},
                                      {"trials", required_argument, NULL, TRIALS},
                                      {"compile", no_argument, NULL, COMPILE},
                                      {"save", no_argument, NULL, SAVE},
                                      {"log", required_argument, NULL, LOG},
                                      {"specialise", no_argument, NULL, SPECIALISE},
                                      {"seed", required_argument, NULL, SEED},
                                      {"seconds", required_argument, NULL, SECONDS},
                                      {"samples", required_argument, NULL, SAMPLES},
                                      {"csv", required_argument, NULL, CSV_FILE},
                                      {"backend", required_argument, NULL, BACKEND},
                                      {"threads", required_argument, NULL, THREADS},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static const hp_bench_args_syntax syntax = {"bench sgdia", help, names, false, set_option};

/* The library, where it was not asked for by name, is left out on a CPU. Exit code. */
static int check_choice(options *o) {
  const bool cuda = o->backend == HP_BACKEND_CUDA;
  if (o->search != HP_SEARCH_NONE && !cuda) return hp_cli_usage_error("bench sgdia", "--search is for --backend cuda");
  if (o->search == HP_SEARCH_NONE && (o->save || o->compile || o->log != NULL))
    return hp_cli_usage_error("bench sgdia", "%s needs --search",
                              o->save      ? "--save"
                              : o->compile ? "--compile"
                                           : "--log");
  if (o->specialise && !cuda) return hp_cli_usage_error("bench sgdia", "--specialise is for --backend cuda");
  if (!cuda && o->format_given && o->format[LIBRARY])
    return hp_cli_usage_error("bench sgdia", "--format library is for --backend cuda");
  if (!cuda) o->format[LIBRARY] = false;
  return HP_EXIT_OK;
}

/* ---- reference ---- */

static double number(const problem *P, const void *v, int64_t i) {
  return P->A->single ? (double)((const float *)v)[i] : ((const double *)v)[i];
}

/* Largest difference of y, relative to the sum of the row's absolute products. */
static double difference(const problem *P) {
  const hp_sgdia *A = P->A;
  double worst = 0.0;
  for (int64_t i = 0; i < A->n; ++i) {
    long double sum = 0.0L, scale = 0.0L;
    for (int p = 0; p < A->points; ++p) {
      const int64_t n = hp_sgdia_neighbour(A, i / A->q, p);
      for (int b = 0; b < A->q && n >= 0; ++b) {
        const long double term = (long double)hp_sgdia_entry(A, i / A->q, p, (int)(i % A->q), b) *
                                 number(P, P->x, n * A->q + b);
        sum += term;
        scale += fabsl(term);
      }
    }
    const double d = (double)(fabsl(number(P, P->y, i) - sum) / (scale > 0.0L ? scale : 1.0L));
    if (!(d <= worst)) worst = d; /* not a number counts as worst */
  }
  return worst;
}

/* ---- tables ---- */

static void print_row(const bench *b, const problem *P, int format, const char *kind, const hp_kernel_shape *shape,
                      double seconds) {
  static const hp_kernel_shape none = {.threads = 0};
  const hp_sgdia *A = P->A;
  const hp_kernel_shape *s = shape != NULL ? shape : &none;
  const int64_t bytes = P->R != NULL ? hp_sgdia_rows_bytes(A, P->R) : hp_sgdia_bytes(A);
  const int64_t entries = hp_sgdia_entries(A);
  const double rate = (double)bytes / seconds, flops = 2e-9 * (double)entries / seconds, d = difference(P);
  char how[96] = "";
  if (shape != NULL) hp_kernel_describe(shape, how, sizeof how);
  printf("%5d  %-8s %-8s %9.2f %10.2f %9.1f %8.1f %5.0f %%  %9.1e  %s\n", A->q, format_names[format], kind,
         (double)bytes * 1e-6, seconds * 1e6, flops, rate * 1e-9, 100.0 * rate / b->place.copy, d, how);
  fflush(stdout);
  if (b->csv != NULL)
    fprintf(b->csv, "%s,%s,%d,%d,%d,%d,%s,%s,%s,%s,%s,%lld,%lld,%lld,%.9g,%.6g,%.6g,%.6g,%.4g,%d,%d,%d,%s,%d,%s,%.3g\n",
            b->place.device != NULL ? "cuda" : "cpu", hp_sgdia_kind_name(P->kind), A->size[0], A->size[1], A->size[2],
            A->q, boundary_name(A->periodic), precision_name(A->single), b->o->hot ? "hot" : "cold",
            format_names[format], kind, (long long)A->n, (long long)entries, (long long)bytes, seconds, flops,
            1e-9 * rate, 1e-9 * b->place.copy, rate / b->place.copy, s->threads, s->blocks, s->unroll,
            shape != NULL ? hp_kernel_loads_name(s->loads) : "", s->shared,
            shape != NULL ? hp_kernel_compile_name(s->compile) : "", d);
}

static void print_head(const problem *P) {
  const hp_sgdia *A = P->A;
  printf("\n%d x %d x %d cells, %s of %d points, %s, %s precision\n", A->size[0], A->size[1], A->size[2],
         hp_sgdia_kind_name(P->kind), A->points, boundary_name(A->periodic), precision_name(A->single));
  printf("    q  format   kind            MB         us   GFLOP/s     GB/s of copy  difference  launch\n");
}

/* ---- the CPU ---- */

static void multiply(hp_team *team, void *arg) {
  const problem *P = arg;
  if (P->R != NULL) hp_sgdia_multiply_rows(team, P->A, P->R, P->x, P->y);
  else hp_sgdia_multiply(team, P->A, P->x, P->y);
}

static hp_status measure_cpu(const bench *b, problem *P, int format) {
  double seconds;
  int count;
  HP_TRY(hp_bench_place_time(&b->place, multiply, P, !b->o->hot, b->o->seconds, &seconds, &count));
  print_row(b, P, format, "team", NULL, seconds);
  return HP_OK;
}

/* ---- the GPU ---- */

static hp_status search(const bench *b, problem *P, hp_sgdia_timing *T) {
  hp_tuned_kernel found;
  const hp_search_options opt = {
      .trials = b->o->search == HP_SEARCH_RANDOM ? b->o->trials : 0, .rounds = b->o->samples, .seed = b->o->seed};
  HP_TRY(hp_kernel_search_sgdia(T, P->A, &opt, b->o->compile, b->log, &found));
  hp_tuned_put_kernel(b->tuned, &found);
  return HP_OK;
}

static hp_status measure_kind(const bench *b, problem *P, hp_sgdia_timing *T, int format, const char *kind,
                              const hp_kernel_shape *shape) {
  double seconds;
  HP_TRY(hp_sgdia_timing_result(T, shape, P->y));
  HP_TRY(hp_sgdia_timing_measure(T, shape, b->o->samples, &seconds));
  print_row(b, P, format, kind, shape, seconds);
  return HP_OK;
}

/* With the kernel compiled for the matrix. */
static hp_status measure_special(const bench *b, problem *P, hp_sgdia_timing *T, const hp_kernel_shape *shape) {
  hp_compiled_report report;
  HP_TRY(hp_sgdia_timing_specialise(T, shape, &report));
  HP_TRY(measure_kind(b, P, T, SGDIA, "special", shape));
  printf("       the special kernel: %s in %.2f s, %d registers%s%s\n", report.kept ? "read" : "compiled",
         report.seconds, report.registers, report.note[0] != '\0' ? "; " : "", report.note);
  return HP_OK;
}

static hp_status measure_sgdia(const bench *b, problem *P, hp_sgdia_timing *T) {
  char name[HP_TUNED_NAME_MAX];
  const hp_kernel_shape untuned = hp_sgdia_untuned_shape(), usual = hp_kernel_default_shape();
  hp_sgdia_kernel_name(P->A, name, sizeof name);
  if (b->o->search != HP_SEARCH_NONE) HP_TRY(search(b, P, T));
  HP_TRY(measure_kind(b, P, T, SGDIA, "untuned", &untuned));
  HP_TRY(measure_kind(b, P, T, SGDIA, "default", &usual));
  const hp_tuned_kernel *k = hp_tuned_nearest_kernel(b->tuned, name, P->A->n);
  const bool tuned = k != NULL && hp_sgdia_shape_fits(P->A, &k->shape);
  if (tuned) HP_TRY(measure_kind(b, P, T, SGDIA, "tuned", &k->shape));
  return b->o->specialise ? measure_special(b, P, T, tuned ? &k->shape : &usual) : HP_OK;
}

static hp_status measure_gpu(const bench *b, problem *P, int format) {
  hp_sgdia_timing *T = NULL;
  hp_status s = hp_sgdia_timing_create(b->place.device, P->A, P->R, format == LIBRARY, P->x, !b->o->hot, &T);
  if (s == HP_OK)
    s = format == SGDIA ? measure_sgdia(b, P, T)
                        : measure_kind(b, P, T, format, format == LIBRARY ? "cusparse" : "own", NULL);
  hp_sgdia_timing_destroy(&T);
  return s;
}

/* ---- all ---- */

static hp_status measure_format(const bench *b, problem *P, int format) {
  const int64_t most = (int64_t)(b->o->memory * 1e9);
  if (format == DIA) HP_TRY(hp_sgdia_to_dia(P->A, most, &P->R));
  if (format == CSR || format == LIBRARY) HP_TRY(hp_sgdia_to_csr(P->A, most, &P->R));
  memset(P->y, 0xff, (size_t)P->A->n * (P->A->single ? sizeof(float) : sizeof(double))); /* no numbers */
  return b->place.device != NULL ? measure_gpu(b, P, format) : measure_cpu(b, P, format);
}

static hp_status measure(const bench *b, problem *P) {
  const hp_sgdia *A = P->A;
  const size_t real = A->single ? sizeof(float) : sizeof(double);
  double *x = NULL;
  HP_TRY(hp_alloc(&P->x, A->n, real, "x"));
  HP_TRY(hp_alloc(&P->y, A->n, real, "y"));
  HP_TRY(HP_ALLOC(x, A->n));
  hp_family_vector(b->o->seed + 7, A->n, x);
  for (int64_t i = 0; i < A->n && A->single; ++i) ((float *)P->x)[i] = (float)x[i];
  if (!A->single) memcpy(P->x, x, (size_t)A->n * sizeof *x);
  HP_FREE(x);
  for (int format = 0; format < FORMATS; ++format) {
    if (!b->o->format[format]) continue;
    const hp_status s = measure_format(b, P, format);
    hp_sgdia_rows_destroy(&P->R);
    if (s == HP_ERR_UNSUPPORTED || s == HP_ERR_MEMORY) /* say so, go on with the next */
      printf("%5d  %-8s %s\n", A->q, format_names[format], hp_fail_text());
    else HP_TRY(s);
  }
  return HP_OK;
}

static hp_status run_one(const bench *b, problem *P, const int *size, int q, bool periodic, bool single, bool head) {
  hp_status s = hp_sgdia_create(P->kind, size, q, periodic, single, b->o->seed, &P->A);
  if (s == HP_OK && head) print_head(P);
  if (s == HP_OK) s = measure(b, P);
  hp_sgdia_destroy(&P->A);
  hp_free(&P->x);
  hp_free(&P->y);
  return s;
}

static hp_status run_size(const bench *b, const int *size) {
  const options *o = b->o;
  for (int kind = 0; kind < 2; ++kind)
    for (int periodic = 0; periodic < 2; ++periodic)
      for (int single = 0; single < 2; ++single)
        for (int k = 0; k < o->nq && o->stencil[kind] && o->boundary[periodic] && o->precision[single]; ++k) {
          problem P = {.kind = (hp_sgdia_kind)kind};
          HP_TRY(run_one(b, &P, size, o->q[k], periodic != 0, single != 0, k == 0));
        }
  return HP_OK;
}

static hp_status run(bench *b) {
  HP_TRY(hp_bench_place_open(b->o->backend, b->o->threads, NULL, &b->place));
  if (b->place.device != NULL) {
    HP_TRY(HP_ALLOC(b->tuned, 1));
    hp_kernel_file_read(hp_device_get_info(b->place.device), b->tuned);
  }
  if (b->csv != NULL)
    fputs(
        "backend,stencil,nx,ny,nz,q,boundary,precision,cache,format,kind,rows,entries,bytes,seconds,gflops,gbs,copy_"
        "gbs,"
        "share,threads,blocks,unroll,loads,shared,compile,difference\n",
        b->csv);
  if (b->log != NULL) fprintf(b->log, "kernel,n,%s", hp_kernel_search_csv_head);
  for (int s = 0; s < b->o->sizes.count; ++s) HP_TRY(run_size(b, b->o->sizes.size[s]));
  return b->o->save ? hp_kernel_file_write(hp_device_get_info(b->place.device), b->tuned) : HP_OK;
}

int hp_bench_sgdia(int argc, char **argv) {
  options o = {.sizes = {.count = 2, .size = {{32, 32, 32}, {64, 64, 64}}},
               .q = {1, 2, 4},
               .nq = 3,
               .stencil = {true, false},
               .boundary = {true, false},
               .precision = {true, false},
               .trials = 100,
               .samples = 9,
               .seed = 1,
               .seconds = 0.3,
               .memory = 8.0};
  int code;
  for (int n = 0; n < FORMATS; ++n) o.format[n] = true;
  if (!hp_bench_args_parse(&syntax, argc, argv, &o, &code)) return code;
  code = check_choice(&o);
  if (code != HP_EXIT_OK) return code;
  bench b = {.o = &o};
  if (hp_args_csv_open(NULL, o.csv, &b.csv) != HP_OK || hp_args_csv_open(NULL, o.log, &b.log) != HP_OK) {
    code = hp_cli_usage_error("bench sgdia", "%s", hp_fail_text());
    if (b.csv != NULL) fclose(b.csv);
    return code;
  }
  hp_status s = hp_args_csv_close(o.csv, b.csv, run(&b));
  s = hp_args_csv_close(o.log, b.log, s);
  HP_FREE(b.tuned);
  hp_bench_place_close(&b.place);
  return hp_cli_exit(s);
}
