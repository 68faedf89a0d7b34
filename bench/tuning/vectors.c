/* hepta bench vectors: operations on vectors, each by itself (bench/vectors/vectors.h), beside the bandwidth of a copy in
 * the same run; on a GPU with the launch that is the default, the one that the tune file has or a search finds, and cuBLAS
 * (Lowell et al. 2013, Table 4.2, Figure 4.2).
 *
 * Times are medians. Cold: nothing of the vectors is in the caches. Results are compared with a reference in long double.
 */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/args.h"
#include "bench/bench.h"
#include "bench/generators/family.h"
#include "bench/place.h"
#include "bench/tuning/kernels.h"
#include "bench/vectors/operations.inl.h"
#include "core/memory.h"
#include "sim/cli/cli.h"

static const char help[] =
    "usage: hepta bench vectors [options]\n\n"
    "Times operations on vectors: axpy, maxpy, waxpy, dot, norm, scale; on a GPU beside cuBLAS.\n\n"
    "      --size LIST        lengths (default 1e5,1e6,1e7)\n"
    "      --operation LIST   some of them (default all)\n"
    "      --vectors N        that maxpy adds, 1 to 64 (default 8)\n"
    "      --cache KIND       cold or hot (default cold)\n"
    "      --search KIND      of a launch for each operation and length on a GPU: exhaustive or random\n"
    "      --trials N         launches that a random search draws (default 200)\n"
    "      --compile          searches over options of the compiler, too (less than a second for each kernel, kept)\n"
    "      --save             keeps what was found in the tune file, for runs with --backend cuda\n"
    "      --log FILE         every launch that was searched, as comma-separated values\n"
    "      --seed N           of vectors and search (default 1)\n"
    "      --seconds T        for each measurement on a CPU, about (default 0.3)\n"
    "      --samples N        of each measurement on a GPU, 1 to 99 (default 9)\n"
    "      --csv FILE         also as a table of comma-separated values\n"
    "      --backend NAME     cpu or cuda (default cpu)\n"
    "      --threads N        of the CPU (default one per processor)\n"
    "  -h, --help\n\n"
    "Kinds of launch: default, tuned (found here or in the tune file), library (cuBLAS; maxpy by gemv, waxpy by\n"
    "copy and axpy). docs/guide/gpu.md says what a launch is made of.\n";

enum { VECTORS_MAX = 64 };

typedef struct {
  int64_t size[HP_ARGS_LIST_MAX];
  int nsize, vectors, search, trials, threads, samples;
  bool chosen[HP_VECTOR_OPERATIONS], hot, save, compile;
  hp_backend_kind backend;
  uint64_t seed;
  double seconds;
  const char *csv, *log;
} options;

typedef struct {
  const options *o;
  hp_bench_place place;
  hp_vector_kernels *V; /* GPU */
  hp_tuned *tuned;      /* GPU: the tune file, and what was found */
  FILE *csv, *log;
} bench;

/* An operation on vectors of one length. */
typedef struct {
  hp_vector_operation op;
  hp_vector_args a;        /* w: the result of waxpy */
  double *x, *y, *w, *out; /* x [count][n], y [n], w [n], out [n]: of one operation on what stands in x and y */
  double alphas[VECTORS_MAX], result;
} problem;

/* ---- the command line ---- */

static const char *operation_name(int n) { return hp_vector_name((hp_vector_operation)n); }

/* Whole numbers, also as 1e6. */
static bool parse_sizes(const char *text, options *o) {
  for (o->nsize = 0; o->nsize < HP_ARGS_LIST_MAX; ++text) {
    char *end;
    const double v = strtod(text, &end);
    if (end == text || !(v >= 1.0 && v <= 2e9) || v != floor(v)) return false;
    o->size[o->nsize++] = (int64_t)v;
    text = end;
    if (*text == '\0') return true;
    if (*text != ',') return false;
  }
  return false;
}

enum {
  SIZE = 256,
  OPERATION,
  COUNT,
  CACHE,
  SEARCH,
  TRIALS,
  COMPILE,
  SAVE,
  LOG,
  SEED,
  SECONDS,
  SAMPLES,
  CSV,
  BACKEND,
  THREADS
};

static bool parse_cache(const char *text, options *o) {
  o->hot = strcmp(text, "hot") == 0;
  return o->hot || strcmp(text, "cold") == 0;
}

static bool parse_option(int option, const char *text, options *o) {
  switch (option) {
    case SIZE: return parse_sizes(text, o);
    case OPERATION: return hp_args_names(text, operation_name, HP_VECTOR_OPERATIONS, o->chosen);
    case COUNT: return hp_args_whole(text, 1, VECTORS_MAX, &o->vectors);
    case CACHE: return parse_cache(text, o);
    case SEARCH: o->search = hp_args_find(text, hp_search_kind_name, HP_SEARCH_KINDS); return o->search > 0;
    case TRIALS: return hp_args_whole(text, 1, 100000, &o->trials);
    case COMPILE: o->compile = true; return true;
    case SAVE: o->save = true; return true;
    case LOG: o->log = text; return true;
    case SEED: return hp_args_seed(text, &o->seed);
    case SECONDS: return hp_args_real(text, 0.0, INFINITY, &o->seconds) && o->seconds > 0.0;
    case SAMPLES: return hp_args_whole(text, 1, HP_SEARCH_ROUNDS_MAX, &o->samples);
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
                                      {"operation", required_argument, NULL, OPERATION},
                                      {"vectors", required_argument, NULL, COUNT},
                                      {"cache", required_argument, NULL, CACHE},
                                      {"search", required_argument, NULL, SEARCH},
                                      {"trials", required_argument, NULL, TRIALS},
                                      {"compile", no_argument, NULL, COMPILE},
                                      {"save", no_argument, NULL, SAVE},
                                      {"log", required_argument, NULL, LOG},
                                      {"seed", required_argument, NULL, SEED},
                                      {"seconds", required_argument, NULL, SECONDS},
                                      {"samples", required_argument, NULL, SAMPLES},
                                      {"csv", required_argument, NULL, CSV},
                                      {"backend", required_argument, NULL, BACKEND},
                                      {"threads", required_argument, NULL, THREADS},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static const hp_bench_args_syntax syntax = {"bench vectors", help, names, false, set_option};

/* Exit code. */
static int check_choice(const options *o) {
  if (o->search != HP_SEARCH_NONE && o->backend != HP_BACKEND_CUDA)
    return hp_cli_usage_error("bench vectors", "--search is for --backend cuda");
  if (o->search == HP_SEARCH_NONE && (o->save || o->compile || o->log != NULL))
    return hp_cli_usage_error("bench vectors", "%s needs --search",
                              o->save      ? "--save"
                              : o->compile ? "--compile"
                                           : "--log");
  return HP_EXIT_OK;
}

/* ---- the problem ---- */

static hp_status create(const options *o, hp_vector_operation op, int64_t n, problem *P) {
  const int count = op == HP_VECTOR_MAXPY ? o->vectors : 1;
  P->op = op;
  HP_TRY(HP_ALLOC(P->x, n * count));
  HP_TRY(HP_ALLOC(P->y, n));
  HP_TRY(HP_ALLOC(P->w, n));
  HP_TRY(HP_ALLOC(P->out, n));
  hp_family_vector(o->seed, n * count, P->x);
  hp_family_vector(o->seed + 1, n, P->y);
  hp_family_vector(o->seed + 2, count, P->alphas);
  /* scaled again and again, numbers neither grow nor vanish */
  P->a = (hp_vector_args){.n = n,
                          .count = count,
                          .stride = n,
                          .alpha = op == HP_VECTOR_SCALE ? -1.0 : 0.75,
                          .alphas = P->alphas,
                          .x = P->x,
                          .y = P->y,
                          .w = P->w,
                          .result = &P->result};
  return HP_OK;
}

static void release(problem *P) {
  HP_FREE(P->x);
  HP_FREE(P->y);
  HP_FREE(P->w);
  HP_FREE(P->out);
}

/* ---- reference ---- */

/* Entry i of what the operation writes, and the sum of its absolute terms. */
static long double entry(const problem *P, int64_t i, long double *scale) {
  const hp_vector_args *a = &P->a;
  long double sum = P->op == HP_VECTOR_SCALE ? 0.0L : P->y[i];
  *scale = fabsl(sum);
  for (int k = 0; k < a->count; ++k) {
    const double alpha = P->op == HP_VECTOR_MAXPY ? P->alphas[k] : a->alpha;
    const double v = P->op == HP_VECTOR_SCALE ? P->y[i] : P->x[k * a->stride + i];
    const long double term = (long double)alpha * v;
    sum += term;
    *scale += fabsl(term);
  }
  return sum;
}

/* Largest difference of P->out, relative to the sum of absolute terms. */
static double difference(const problem *P) {
  const double *other = P->op == HP_VECTOR_DOT ? P->y : P->x;
  long double sum = 0.0L, scale = 0.0L;
  double worst = 0.0;
  if (!hp_vector_is_sum(P->op)) {
    for (int64_t i = 0; i < P->a.n; ++i) {
      const long double right = entry(P, i, &scale);
      const double d = (double)(fabsl(P->out[i] - right) / (scale > 0.0L ? scale : 1.0L));
      if (!(d <= worst)) worst = d; /* not a number counts as worst */
    }
    return worst;
  }
  for (int64_t i = 0; i < P->a.n; ++i) {
    sum += (long double)P->x[i] * other[i];
    scale += fabsl((long double)P->x[i] * other[i]);
  }
  const long double right = P->op == HP_VECTOR_NORM ? sqrtl(sum) : sum;
  return (double)(fabsl(P->out[0] - right) / (P->op == HP_VECTOR_NORM ? right : scale));
}

/* ---- tables ---- */

static void print_row(const bench *b, const problem *P, const char *kind, const hp_kernel_shape *shape,
                      double seconds) {
  static const hp_kernel_shape none = {.threads = 0};
  char what[24], how[96] = "";
  const double rate = (double)hp_vector_bytes(P->op, &P->a) / seconds, d = difference(P);
  const hp_kernel_shape *s = shape != NULL ? shape : &none;
  snprintf(what, sizeof what, "%s", hp_vector_name(P->op));
  if (P->op == HP_VECTOR_MAXPY) snprintf(what, sizeof what, "maxpy %d", P->a.count);
  if (shape != NULL) hp_kernel_describe(shape, how, sizeof how);
  printf("%-9s %10lld  %-8s %10.2f %8.1f %5.0f %%  %9.1e  %s\n", what, (long long)P->a.n, kind, seconds * 1e6,
         rate * 1e-9, 100.0 * rate / b->place.copy, d, how);
  fflush(stdout);
  if (b->csv != NULL)
    fprintf(b->csv, "%s,%s,%lld,%d,%s,%s,%.9g,%.6g,%.6g,%.4g,%d,%d,%d,%s,%d,%d,%s,%.3g\n",
            b->place.device != NULL ? "cuda" : "cpu", hp_vector_name(P->op), (long long)P->a.n, P->a.count,
            b->o->hot ? "hot" : "cold", kind, seconds, 1e-9 * rate, 1e-9 * b->place.copy, rate / b->place.copy,
            s->threads, s->blocks, s->unroll, shape != NULL ? hp_kernel_loads_name(s->loads) : "", s->streams, s->last,
            shape != NULL ? hp_kernel_compile_name(s->compile) : "", d);
}

/* ---- the CPU ---- */

static void run_operation(hp_team *team, void *arg) {
  const problem *P = arg;
  hp_vector_run(team, P->op, &P->a);
}

static hp_status measure_cpu(const bench *b, problem *P) {
  const int64_t bytes = P->a.n * (int64_t)sizeof(double);
  double seconds, *y = P->y;
  int count;
  HP_TRY(hp_team_run(b->place.hub, run_operation, P)); /* the one that is compared, its y in `out` */
  memcpy(P->out, P->op == HP_VECTOR_WAXPY ? P->w : y, (size_t)bytes);
  if (hp_vector_is_sum(P->op)) P->out[0] = P->result;
  HP_TRY(hp_bench_place_time(&b->place, run_operation, P, !b->o->hot, b->o->seconds, &seconds, &count));
  hp_family_vector(b->o->seed + 1, P->a.n, y);
  print_row(b, P, "team", NULL, seconds);
  return HP_OK;
}

/* ---- the GPU ---- */

static hp_status search(const bench *b, const problem *P, hp_vector_timing *T) {
  hp_tuned_kernel found;
  const hp_search_options opt = {
      .trials = b->o->search == HP_SEARCH_RANDOM ? b->o->trials : 0, .rounds = b->o->samples, .seed = b->o->seed};
  HP_TRY(hp_kernel_search_vector(T, P->op, P->a.n, &opt, b->o->compile, b->log, &found));
  hp_tuned_put_kernel(b->tuned, &found);
  return HP_OK;
}

/* shape NULL: by the library, which may be missing. */
static hp_status measure_kind(const bench *b, problem *P, hp_vector_timing *T, const char *kind,
                              const hp_kernel_shape *shape) {
  double seconds;
  for (int64_t i = 0; i < P->a.n; ++i) P->out[i] = NAN; /* every entry must be written */
  hp_status s = hp_vector_timing_result(T, shape, P->out);
  if (s == HP_OK) s = hp_vector_timing_measure(T, shape, b->o->samples, &seconds);
  if (s == HP_OK) print_row(b, P, kind, shape, seconds);
  if (s != HP_ERR_UNSUPPORTED) return s;
  printf("%-9s %10lld  %-8s %s\n", hp_vector_name(P->op), (long long)P->a.n, kind, hp_fail_text());
  return HP_OK;
}

static hp_status measure_kinds(const bench *b, problem *P, hp_vector_timing *T) {
  const hp_kernel_shape usual = hp_kernel_default_shape();
  if (b->o->search != HP_SEARCH_NONE) HP_TRY(search(b, P, T));
  HP_TRY(measure_kind(b, P, T, "default", &usual));
  const hp_tuned_kernel *k = hp_tuned_nearest_kernel(b->tuned, hp_vector_name(P->op), P->a.n);
  if (k != NULL) HP_TRY(measure_kind(b, P, T, "tuned", &k->shape));
  return measure_kind(b, P, T, "library", NULL);
}

static hp_status measure_gpu(const bench *b, problem *P) {
  hp_vector_timing *T = NULL;
  hp_status s = hp_vector_timing_create(b->V, P->op, &P->a, !b->o->hot, &T);
  if (s == HP_OK) s = measure_kinds(b, P, T);
  hp_vector_timing_destroy(&T);
  return s;
}

/* ---- all ---- */

static hp_status open_gpu(bench *b) {
  HP_TRY(HP_ALLOC(b->tuned, 1));
  hp_kernel_file_read(hp_device_get_info(b->place.device), b->tuned);
  return hp_vector_kernels_create(b->place.device, &b->V);
}

static hp_status run_all(bench *b) {
  const options *o = b->o;
  printf("\n%-9s %10s  %-8s %10s %8s %7s  %9s  %s\n", "operation", "n", "kind", "us", "GB/s", "of copy", "difference",
         b->place.device != NULL ? "launch" : "");
  for (int op = 0; op < HP_VECTOR_OPERATIONS; ++op)
    for (int k = 0; k < o->nsize && o->chosen[op]; ++k) {
      problem P = {.x = NULL};
      hp_status s = create(o, (hp_vector_operation)op, o->size[k], &P);
      if (s == HP_OK) s = b->place.device != NULL ? measure_gpu(b, &P) : measure_cpu(b, &P);
      release(&P);
      HP_TRY(s);
    }
  return o->save ? hp_kernel_file_write(hp_device_get_info(b->place.device), b->tuned) : HP_OK;
}

static hp_status run(bench *b) {
  HP_TRY(hp_bench_place_open(b->o->backend, b->o->threads, NULL, &b->place));
  if (b->place.device != NULL) HP_TRY(open_gpu(b));
  if (b->csv != NULL)
    fputs(
        "backend,operation,n,vectors,cache,kind,seconds,gbs,copy_gbs,share,threads,blocks,unroll,loads,streams,last,"
        "compile,difference\n",
        b->csv);
  if (b->log != NULL) fprintf(b->log, "operation,n,%s", hp_kernel_search_csv_head);
  return run_all(b);
}

int hp_bench_vectors(int argc, char **argv) {
  options o = {.size = {100000, 1000000, 10000000},
               .nsize = 3,
               .vectors = 8,
               .trials = 200,
               .samples = 9,
               .seed = 1,
               .seconds = 0.3};
  int code;
  for (int n = 0; n < HP_VECTOR_OPERATIONS; ++n) o.chosen[n] = true;
  if (!hp_bench_args_parse(&syntax, argc, argv, &o, &code)) return code;
  code = check_choice(&o);
  if (code != HP_EXIT_OK) return code;
  bench b = {.o = &o};
  if (hp_args_csv_open(NULL, o.csv, &b.csv) != HP_OK || hp_args_csv_open(NULL, o.log, &b.log) != HP_OK) {
    code = hp_cli_usage_error("bench vectors", "%s", hp_fail_text());
    if (b.csv != NULL) fclose(b.csv);
    return code;
  }
  hp_status s = hp_args_csv_close(o.csv, b.csv, run(&b));
  s = hp_args_csv_close(o.log, b.log, s);
  if (b.V != NULL) hp_vector_kernels_destroy(&b.V);
  HP_FREE(b.tuned);
  hp_bench_place_close(&b.place);
  return hp_cli_exit(s);
}
