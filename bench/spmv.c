/* hepta bench spmv: the product y = A x in all storage formats, on the seeded
 * matrices of bench/generators/family.h, beside the bandwidth of a copy in the same run.
 *
 * Times are medians. Cold: nothing of matrix and vectors is in the caches; on a
 * CPU the caches are flushed before every product, on a GPU products go round copies
 * that together are larger than the caches. Hot: the same product again and again.
 * Results are compared with a reference in long double.
 */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/args.h"
#include "bench/bench.h"
#include "bench/generators/family.h"
#include "bench/half/multiply.inl.h"
#include "bench/place.h"
#include "bench/product/device.h"
#include "bench/single/device.h"
#include "core/memory.h"
#include "linsolve/matrix/device.h"
#include "linsolve/product/sparse_mul.inl.h"
#include "sim/cli/cli.h"

static const char help[] =
    "usage: hepta bench spmv [options]\n\n"
    "Times the product y = A x in all storage formats on seeded matrices.\n\n"
    "      --size LIST        V (a cube) or NXxNYxNZ, comma between (default 20,32,41,51,64)\n"
    "      --q LIST           unknowns per cell, 1 to 16 (default 2)\n"
    "      --wells N          vertical wells (default 50, on small grids a quarter of the columns)\n"
    "      --connections N    as many more between cells that are not neighbours (default 0)\n"
    "      --format LIST      gh, gh-special, gh-team, gh-rows, gh-pairs, gh-shared, gh-fma, csr, bsr,\n"
    "                         sell, dia, ell, hyb, hec, sg-dia, gh-h, csr-h, gh-single (default all but\n"
    "                         the last; with a hyphen after gh: see below)\n"
    "      --cache KIND       cold, hot or both (default both)\n"
    "      --seed N           of the matrices (default 1)\n"
    "      --seconds T        for each measurement, about (default 0.3)\n"
    "      --csv FILE         also as a table of comma-separated values\n"
    "      --backend NAME     cpu or cuda (default cpu)\n"
    "      --gpus LIST        gh-team on GPUs that work as one: how many, their numbers as in 0,1 (one may stand\n"
    "                         twice), or all (default 1)\n"
    "      --threads N        of the CPU (default one per processor)\n"
    "      --block N          of the GPU's GH kernels, 64 to 512 (default as they like)\n"
    "      --loads KIND       stream, plain, first or wide: how gh and gh-pairs read the matrix, q = 1, 2, 4, 8\n"
    "                         (default stream)\n"
    "  -h, --help\n\n"
    "gh-h is the matrix whose rows are offset by half a block every second time (even q), csr-h the same\n"
    "matrix as csr; gh-single is gh in single precision (on a GPU like gh-team). gh-rows, gh-pairs, gh-shared\n"
    "and gh-fma are layouts of gh on a GPU, gh-special is gh with a kernel that is compiled for the matrix,\n"
    "gh-team the product inside a solver's kernel, one after the other with a barrier between (hot only).\n"
    "Of peak: GFLOP/s over what multiplications and additions in registers reach.\n";

typedef enum { GH, TEAM, SPARSE, HALF, HALF_CSR, SINGLE } what;

typedef struct {
  const char *name;
  what kind;
  hp_sparse_kind format;
  hp_spmv_layout layout;
  bool gpu_only, special;
} method;

static const method methods[] = {
    {"gh", GH, HP_SPARSE_GH, HP_SPMV_AUTO, false, false},
    {"gh-special", GH, HP_SPARSE_GH, HP_SPMV_AUTO, true, true},
    {"gh-team", TEAM, HP_SPARSE_GH, HP_SPMV_AUTO, true, false},
    {"gh-rows", GH, HP_SPARSE_GH, HP_SPMV_ROWS, true, false},
    {"gh-pairs", GH, HP_SPARSE_GH, HP_SPMV_PAIRS, true, false},
    {"gh-shared", GH, HP_SPARSE_GH, HP_SPMV_SHARED, true, false},
    {"gh-fma", GH, HP_SPARSE_GH, HP_SPMV_FMA, true, false},
    {"csr", SPARSE, HP_SPARSE_CSR, HP_SPMV_AUTO, false, false},
    {"bsr", SPARSE, HP_SPARSE_BSR, HP_SPMV_AUTO, false, false},
    {"sell", SPARSE, HP_SPARSE_SELL, HP_SPMV_AUTO, false, false},
    {"dia", SPARSE, HP_SPARSE_DIA, HP_SPMV_AUTO, false, false},
    {"ell", SPARSE, HP_SPARSE_ELL, HP_SPMV_AUTO, false, false},
    {"hyb", SPARSE, HP_SPARSE_HYB, HP_SPMV_AUTO, false, false},
    {"hec", SPARSE, HP_SPARSE_HEC, HP_SPMV_AUTO, false, false},
    {"sg-dia", SPARSE, HP_SPARSE_SGDIA, HP_SPMV_AUTO, false, false},
    {"gh-h", HALF, HP_SPARSE_GH, HP_SPMV_AUTO, false, false},
    {"csr-h", HALF_CSR, HP_SPARSE_CSR, HP_SPMV_AUTO, false, false},
    {"gh-single", SINGLE, HP_SPARSE_GH, HP_SPMV_AUTO, false, false},
};

enum { METHODS = sizeof methods / sizeof methods[0] };

typedef struct {
  hp_args_size_list sizes;
  int q[HP_ARGS_LIST_MAX], nq;
  hp_backend_kind backend;
  hp_device_options device;                 /* of --gpus */
  bool chosen[METHODS], by_name, cold, hot; /* by_name: --format was given */
  int wells, connections, threads, block;   /* wells < 0: the default */
  hp_spmv_loads loads;
  uint64_t seed;
  double seconds;
  const char *csv;
} options;

/* One bench: where it runs and what it has measured. */
typedef struct {
  const options *o;
  hp_bench_place place;
  FILE *csv;
} bench;

/* A matrix in one format, its vectors and what the product gave. */
typedef struct {
  const method *m;
  const hp_gh *A;
  hp_sparse *F;
  hp_half *H;
  hp_single *S;
  float *xs, *ys;            /* [n] of S */
  int64_t n, entries, bytes; /* rows; inside the grid; moved by a product at least */
  double *x, *y;             /* [n] */
  double seconds[2];         /* cold, hot; 0: not measured */
  int samples[2];
  hp_compiled_report compiled; /* of gh-special */
  double difference;           /* largest, relative to the sum of the row's absolute products */
} item;

/* ---- the command line ---- */

static const char *format_name(int n) { return methods[n].name; }

static bool parse_cache(const char *text, options *o) {
  o->cold = strcmp(text, "hot") != 0;
  o->hot = strcmp(text, "cold") != 0;
  return strcmp(text, "cold") == 0 || strcmp(text, "hot") == 0 || strcmp(text, "both") == 0;
}

static const char *loads_name(int n) {
  static const char *const names[] = {"stream", "plain", "first", "wide"}; /* as hp_spmv_loads */
  return names[n];
}

static bool parse_loads(const char *text, options *o) {
  const int n = hp_args_find(text, loads_name, 4);
  o->loads = (hp_spmv_loads)n;
  return n >= 0;
}

enum {
  SIZE = 256,
  UNKNOWNS,
  WELLS,
  CONNECTIONS,
  FORMAT,
  CACHE,
  SEED,
  SECONDS,
  CSV,
  BACKEND,
  GPUS,
  THREADS,
  BLOCK,
  LOADS
};

static bool parse_option(int option, const char *text, options *o) {
  switch (option) {
    case SIZE: return hp_args_sizes(text, &o->sizes);
    case UNKNOWNS: return hp_args_wholes(text, 1, HP_GH_Q_MAX, HP_ARGS_LIST_MAX, o->q, &o->nq);
    case CONNECTIONS: return hp_args_whole(text, 0, 1000000000, &o->connections);
    case WELLS: return hp_args_whole(text, 0, 1000000, &o->wells);
    case FORMAT: o->by_name = true; return hp_args_names(text, format_name, METHODS, o->chosen);
    case CACHE: return parse_cache(text, o);
    case SEED: return hp_args_seed(text, &o->seed);
    case SECONDS: return hp_args_real(text, 0.0, INFINITY, &o->seconds) && o->seconds > 0.0;
    case CSV: o->csv = text; return true;
    case BACKEND: return hp_backend_find(text, &o->backend);
    case GPUS: return hp_device_parse_gpus(text, HP_GPUS_MAX, o->device.gpu, &o->device.gpus);
    case THREADS: return hp_args_whole(text, 1, HP_TEAM_MAX, &o->threads);
    case BLOCK: return hp_args_whole(text, 64, 512, &o->block) && o->block % 32 == 0;
    case LOADS: return parse_loads(text, o);
    default: return false;
  }
}

static int set_option(int option, const char *text, void *o) {
  return parse_option(option, text, o) ? HP_EXIT_OK : HP_ARGS_NOT_A_VALUE;
}

/* --loads must reach a kernel: gh or gh-pairs, and a q that has every kind. Exit code. */
static int check_loads(const options *o) {
  bool reached = !o->by_name;
  for (int n = 0; n < METHODS; ++n)
    if (o->chosen[n] && methods[n].kind == GH)
      reached = reached || methods[n].layout == HP_SPMV_AUTO || methods[n].layout == HP_SPMV_PAIRS;
  if (!reached) return hp_cli_usage_error("bench spmv", "--loads is for --format gh and gh-pairs");
  for (int k = 0; k < o->nq; ++k)
    if (o->q[k] != 1 && o->q[k] != 2 && o->q[k] != 4 && o->q[k] != 8)
      return hp_cli_usage_error("bench spmv", "--loads is for q = 1, 2, 4 and 8, not %d", o->q[k]);
  return HP_EXIT_OK;
}

/* Formats given by name must be available; without --format, those that are not are left out. Exit code. */
static int check_choice(options *o) {
  const bool cuda = o->backend == HP_BACKEND_CUDA;
  if (!cuda && (o->block != 0 || o->loads != 0))
    return hp_cli_usage_error("bench spmv", "%s is for --backend cuda", o->block != 0 ? "--block" : "--loads");
  const int gpus = hp_cli_check_gpus("bench spmv", o->backend, &o->device);
  if (gpus != HP_EXIT_OK) return gpus;
  const int loads = o->loads != 0 ? check_loads(o) : HP_EXIT_OK;
  if (loads != HP_EXIT_OK) return loads;
  for (int n = 0; n < METHODS; ++n) {
    if (!o->chosen[n]) continue;
    const bool half = methods[n].kind == HALF || methods[n].kind == HALF_CSR;
    for (int k = 0; k < o->nq && half && o->by_name; ++k)
      if (o->q[k] % 2 != 0)
        return hp_cli_usage_error("bench spmv", "--format %s needs an even q, not %d", methods[n].name, o->q[k]);
    const bool team = methods[n].kind == TEAM || (methods[n].kind == SINGLE && cuda);
    if (team && !o->hot && o->by_name)
      return hp_cli_usage_error("bench spmv", "--format %s is measured with --cache hot", methods[n].name);
    if (methods[n].kind != TEAM && o->device.gpus != 0 && o->by_name)
      return hp_cli_usage_error("bench spmv", "--format %s runs on one GPU: on several there is gh-team",
                                methods[n].name);
    if (team ? !o->hot : o->device.gpus != 0) o->chosen[n] = false;
    if (!methods[n].gpu_only || cuda) continue;
    if (o->by_name) return hp_cli_usage_error("bench spmv", "--format %s is for --backend cuda", methods[n].name);
    o->chosen[n] = false;
  }
  return HP_EXIT_OK;
}

static const struct option names[] = {{"size", required_argument, NULL, SIZE},
                                      {"q", required_argument, NULL, UNKNOWNS},
                                      {"wells", required_argument, NULL, WELLS},
                                      {"connections", required_argument, NULL, CONNECTIONS},
                                      {"format", required_argument, NULL, FORMAT},
                                      {"cache", required_argument, NULL, CACHE},
                                      {"seed", required_argument, NULL, SEED},
                                      {"seconds", required_argument, NULL, SECONDS},
                                      {"csv", required_argument, NULL, CSV},
                                      {"backend", required_argument, NULL, BACKEND},
                                      {"gpus", required_argument, NULL, GPUS},
                                      {"threads", required_argument, NULL, THREADS},
                                      {"block", required_argument, NULL, BLOCK},
                                      {"loads", required_argument, NULL, LOADS},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static const hp_bench_args_syntax syntax = {"bench spmv", help, names, false, set_option};

/* ---- reference ---- */

/* Sum of row i and of its absolute products, in long double, with A read entry by entry. */
static long double gh_row(const hp_gh *A, int64_t i, const double *x, long double *scale) {
  const hp_gh_wells *W = &A->wells;
  long double sum = 0.0L;
  *scale = 0.0L;
#define TERM(value, xi)                                   \
  do {                                                    \
    const long double term = (long double)(value) * (xi); \
    sum += term;                                          \
    *scale += fabsl(term);                                \
  } while (0)
  if (i < A->rows) {
    const int64_t m = i / A->q;
    for (int u = -3; u <= 3; ++u) {
      const int64_t n = m + hp_gh_offset(A, u);
      const int size = u * u == 1 ? A->nz : u * u == 4 ? A->ny : A->nx;
      if (n < 0 || n >= A->ncell || (u != 0 && size == 1)) continue;
      for (int b = 0; b < A->q; ++b) TERM(*hp_gh_entry(A, m, u, (int)(i % A->q), b), x[n * A->q + b]);
    }
    for (int r = W->d[m / A->nz]; r >= 0; r = W->next[r])
      if (m >= W->b[r] && m < W->b[r] + W->c[r])
        TERM(W->wt[(W->a[r] + m - W->b[r]) * A->q + i % A->q], x[A->rows + W->of[r]]);
    int64_t e, end;
    for (hp_links_of(&A->links, m, &e, &end); e < end; ++e)
      for (int b = 0; b < A->q; ++b) TERM(*hp_gh_link(A, e, (int)(i % A->q), b), x[A->links.other[e] * A->q + b]);
  } else {
    const int w = (int)(i - A->rows);
    for (int r = W->run_begin[w]; r < W->run_begin[w + 1]; ++r)
      for (int64_t e = 0; e < (int64_t)W->c[r] * A->q; ++e) TERM(W->w[W->a[r] * A->q + e], x[W->b[r] * A->q + e]);
    TERM(W->dd[w], x[i]);
  }
  return sum;
}

static long double csr_row(const hp_sparse *F, int64_t i, const double *x, long double *scale) {
  long double sum = 0.0L;
  *scale = 0.0L;
  for (int32_t p = F->begin[i]; p < F->begin[i + 1]; ++p) TERM(F->value[p], x[F->column[p]]);
  return sum;
}
#undef TERM

/* Largest difference to the reference; rows of zeros must give zero. */
static double difference(const item *t, const hp_sparse *half_csr) {
  double worst = 0.0;
  for (int64_t i = 0; i < t->n; ++i) {
    long double scale;
    const long double y = half_csr != NULL ? csr_row(half_csr, i, t->x, &scale) : gh_row(t->A, i, t->x, &scale);
    const double d = (double)(fabsl((long double)t->y[i] - y) / (scale > 0.0L ? scale : 1.0L));
    if (!(d <= worst)) worst = d; /* not a number counts as worst */
  }
  return worst;
}

/* ---- the CPU ---- */

static void multiply(hp_team *team, void *arg) {
  const item *t = arg;
  hp_team_split(team, t->A != NULL ? t->A->rows : 0, t->A != NULL ? t->A->n : 0);
  switch (t->m->kind) {
    case TEAM:
    case GH: hp_gh_mul(team, t->A, t->x, t->y); break;
    case SPARSE:
    case HALF_CSR: hp_sparse_mul(team, t->F, t->A, t->x, t->y); break;
    case HALF: hp_half_mul(team, t->H, t->x, t->y); break;
    case SINGLE: hp_single_mul(team, &t->S->as, t->xs, t->ys); break;
  }
}

static hp_status measure_cpu(const bench *b, item *t, bool cold) {
  return hp_bench_place_time(&b->place, multiply, t, cold, b->o->seconds, &t->seconds[!cold], &t->samples[!cold]);
}

/* ---- the GPU ---- */

static hp_status measure_gpu(const bench *b, item *t, bool cold) {
  hp_spmv_job j = {.F = t->F,
                   .H = t->H,
                   .layout = t->m->layout,
                   .loads = b->o->loads,
                   .threads = b->o->block,
                   .specialise = t->m->special,
                   .compiled = &t->compiled,
                   .x = t->x,
                   .y = t->y,
                   .cold = cold,
                   .time_limit = b->o->seconds};
  j.A = t->m->kind == HALF_CSR ? NULL : t->A;
  HP_TRY(hp_spmv_device_measure(b->place.device, &j));
  t->seconds[!cold] = j.seconds;
  t->samples[!cold] = j.samples;
  return HP_OK;
}

/* Products in the team's kernel, on the device. */
typedef struct {
  const bench *b;
  item *t;
  hp_gh A;
  double *x, *y;
  hp_single_device *single; /* in place of these */
} team_product;

/* Seconds of one, of so many in a launch. */
static hp_status time_team(const team_product *p, int rounds, double *seconds) {
  hp_device *D = p->b->place.device;
  if (p->single != NULL) return hp_single_device_products(p->single, p->t->xs, p->t->ys, rounds, seconds);
  HP_TRY(hp_device_mark(D, 0));
  HP_TRY(hp_gh_device_products(D, &p->A, p->x, p->y, rounds));
  HP_TRY(hp_device_mark(D, 1));
  HP_TRY(hp_device_elapsed(D, 0, 1, seconds));
  *seconds /= rounds;
  return hp_device_sync(D);
}

/* Launches of some milliseconds each. */
static hp_status sample_team(const team_product *p) {
  const bench *b = p->b;
  double sample[HP_BENCH_TIMES_MAX], one;
  int count = 0;
  HP_TRY(time_team(p, 2, &one)); /* loads the kernel */
  HP_TRY(time_team(p, 10, &one));
  const int rounds = one < 5e-6 ? 1000 : (int)(5e-3 / one) + 1;
  for (double spent = 0.0; count < 5 || (spent < b->o->seconds && count < HP_BENCH_TIMES_MAX); spent += rounds * one) {
    HP_TRY(time_team(p, rounds, &one));
    sample[count++] = one;
  }
  p->t->seconds[1] = hp_bench_median(sample, count);
  p->t->samples[1] = count;
  return HP_OK;
}

static hp_status measure_team(const bench *b, item *t) {
  hp_device *D = b->place.device;
  const int64_t bytes = t->n * (int64_t)sizeof(double);
  team_product p = {.b = b, .t = t};
  hp_status s = hp_gh_device_upload(D, t->A, &p.A);
  if (s == HP_OK) s = HP_DEVICE_ALLOC(D, p.x, t->n);
  if (s == HP_OK) s = HP_DEVICE_ALLOC(D, p.y, t->n);
  if (s == HP_OK) s = hp_device_upload(D, p.x, t->x, bytes);
  if (s == HP_OK) s = sample_team(&p);
  if (s == HP_OK) s = hp_device_download(D, t->y, p.y, bytes);
  HP_DEVICE_FREE(D, p.x);
  HP_DEVICE_FREE(D, p.y);
  hp_gh_device_free(D, &p.A);
  return s;
}

static hp_status measure_single_on_gpu(const bench *b, item *t) {
  team_product p = {.b = b, .t = t};
  HP_TRY(hp_single_device_create(b->place.device, t->S, &p.single));
  const hp_status s = sample_team(&p);
  hp_single_device_destroy(&p.single);
  return s;
}

/* ---- one format ---- */

/* Makes the matrix of an item; *half_csr, of the first item that needs it, is kept for the reference. */
static hp_status prepare(const hp_gh *A, item *t, hp_sparse **half_csr) {
  t->A = A;
  t->n = A->n;
  t->entries = hp_bench_entries(A);
  t->bytes = hp_gh_product_bytes(A);
  if (t->m->kind == SPARSE) {
    HP_TRY(hp_sparse_create(A, NULL, t->m->format, &t->F));
    hp_sparse_set(t->F, A);
    t->bytes = hp_sparse_product_bytes(t->F, A);
  }
  if (t->m->kind == HALF || t->m->kind == HALF_CSR) {
    HP_TRY(hp_half_create(A, &t->H));
    if (*half_csr == NULL) HP_TRY(hp_half_to_csr(t->H, A, half_csr));
    t->n = t->H->n;
    t->entries = (*half_csr)->count;
    t->bytes = hp_half_product_bytes(t->H);
  }
  if (t->m->kind == HALF_CSR) {
    hp_half_destroy(&t->H);
    t->F = *half_csr;
    t->bytes = hp_sparse_product_bytes(t->F, NULL);
  }
  if (t->m->kind == SINGLE) {
    HP_TRY(hp_single_create(A, &t->S));
    HP_TRY(HP_ALLOC(t->xs, t->n));
    HP_TRY(HP_ALLOC(t->ys, t->n));
    t->bytes = hp_single_product_bytes(A);
  }
  HP_TRY(HP_ALLOC(t->x, t->n));
  return HP_ALLOC(t->y, t->n);
}

static hp_status measure_place(const bench *b, item *t, bool cold) {
  if (b->place.device == NULL) return measure_cpu(b, t, cold);
  if (t->m->kind == SINGLE) return measure_single_on_gpu(b, t);
  return t->m->kind == TEAM ? measure_team(b, t) : measure_gpu(b, t, cold);
}

static hp_status measure(const bench *b, const hp_gh *A, item *t, hp_sparse **half_csr) {
  HP_TRY(prepare(A, t, half_csr));
  const bool single = t->m->kind == SINGLE, gpu = b->place.device != NULL;
  hp_family_vector(b->o->seed + 7, t->n, t->x);
  for (int64_t i = 0; i < t->n && single; ++i) t->xs[i] = (float)t->x[i];
  for (int hot = 0; hot < 2; ++hot) {
    if ((hot ? !b->o->hot : !b->o->cold) || ((t->m->kind == TEAM || (single && gpu)) && !hot)) continue;
    for (int64_t i = 0; i < t->n; ++i) t->y[i] = NAN; /* every row must be written */
    for (int64_t i = 0; i < t->n && single; ++i) t->ys[i] = NAN;
    HP_TRY(measure_place(b, t, !hot));
    for (int64_t i = 0; i < t->n && single; ++i) t->y[i] = t->ys[i];
    const double d = difference(t, t->m->kind == HALF || t->m->kind == HALF_CSR ? *half_csr : NULL);
    if (!(d <= t->difference)) t->difference = d;
  }
  return HP_OK;
}

static void release(item *t, const hp_sparse *half_csr) {
  if (t->F != half_csr) hp_sparse_destroy(&t->F);
  hp_half_destroy(&t->H);
  hp_single_destroy(&t->S);
  HP_FREE(t->xs);
  HP_FREE(t->ys);
  HP_FREE(t->x);
  HP_FREE(t->y);
}

/* ---- tables ---- */

static void print_times(const bench *b, const item *t, int hot) {
  const double s = t->seconds[hot];
  if (s <= 0.0 && !hot && b->o->cold) printf("  %9s %8s %7s %8s %7s", "-", "", "", "", "");
  if (s <= 0.0) return;
  const double rate = (double)t->bytes / s;
  const double flops = 2.0 * (double)t->entries / s;
  printf("  %9.1f %8.1f %6.2f%% %8.1f", s * 1e6, 1e-9 * flops, 100.0 * flops / b->place.peak, rate * 1e-9);
  if (!hot) printf(" %5.0f %%", 100.0 * rate / b->place.copy);
}

static void print_csv(const bench *b, const item *t) {
  const hp_gh *A = t->A;
  for (int hot = 0; hot < 2 && b->csv != NULL; ++hot) {
    const double s = t->seconds[hot];
    if (s <= 0.0) continue;
    fprintf(b->csv, "%s,%d,%d,%d,%d,%d,%s,%s,%lld,%lld,%lld,%.9g,%d,%.6g,%.6g,%.6g,%.4g,%.3g,%.4g\n",
            b->place.device != NULL ? "cuda" : "cpu", A->nx, A->ny, A->nz, A->q, A->wells.nwell, t->m->name,
            hot ? "hot" : "cold", (long long)t->n, (long long)t->entries, (long long)t->bytes, s, t->samples[hot],
            2e-9 * (double)t->entries / s, 1e-9 * (double)t->bytes / s, 1e-9 * b->place.copy,
            (double)t->bytes / s / b->place.copy, t->difference, 200.0 * (double)t->entries / s / b->place.peak);
  }
}

static void print_head(const bench *b, const hp_gh *A) {
  printf("\n%d x %d x %d cells, q = %d, %d wells: %lld rows, %lld entries\n", A->nx, A->ny, A->nz, A->q, A->wells.nwell,
         (long long)A->n, (long long)hp_bench_entries(A));
  printf("%-10s %9s", "format", "MB");
  if (b->o->cold) printf("  %9s %8s %7s %8s %7s", "cold us", "GFLOP/s", "of peak", "GB/s", "of copy");
  if (b->o->hot) printf("  %9s %8s %7s %8s", "hot us", "GFLOP/s", "of peak", "GB/s");
  printf("  %10s\n", "difference");
}

static hp_status run_matrix(const bench *b, const int *size, int q) {
  hp_gh *A = NULL;
  hp_sparse *half_csr = NULL;
  hp_family f = hp_family_default(size[0], size[1], size[2], q);
  if (b->o->wells >= 0) f.nwell = b->o->wells;
  f.connections = b->o->connections;
  f.seed = b->o->seed;
  HP_TRY(hp_family_create(&f, &A));
  print_head(b, A);
  hp_status s = HP_OK;
  for (int n = 0; n < METHODS && s == HP_OK; ++n) {
    const bool odd = q % 2 != 0 && (methods[n].kind == HALF || methods[n].kind == HALF_CSR);
    if (!b->o->chosen[n] || odd) continue;
    item t = {.m = &methods[n]};
    s = measure(b, A, &t, &half_csr);
    if (s == HP_OK) {
      printf("%-10s %9.2f", t.m->name, (double)t.bytes * 1e-6);
      print_times(b, &t, 0);
      print_times(b, &t, 1);
      printf("  %10.1e", t.difference);
      if (t.m->special)
        printf("  %s in %.2f s, %d registers", t.compiled.kept ? "read" : "compiled", t.compiled.seconds,
               t.compiled.registers);
      printf("\n");
      fflush(stdout);
      print_csv(b, &t);
    } else if (s == HP_ERR_UNSUPPORTED || s == HP_ERR_MEMORY) { /* say so, go on with the next */
      printf("%-10s %s\n", t.m->name, hp_fail_text());
      s = HP_OK;
    }
    release(&t, half_csr);
  }
  hp_sparse_destroy(&half_csr);
  hp_gh_destroy(&A);
  return s;
}

static hp_status run(bench *b) {
  const options *o = b->o;
  HP_TRY(hp_bench_place_open(o->backend, o->threads, &o->device, &b->place));
  HP_TRY(hp_bench_place_peak(&b->place));
  if (b->csv != NULL)
    fputs(
        "backend,nx,ny,nz,q,wells,format,cache,rows,entries,bytes,seconds,samples,gflops,gbs,copy_gbs,share,"
        "difference,peak_percent\n",
        b->csv);
  for (int s = 0; s < o->sizes.count; ++s)
    for (int q = 0; q < o->nq; ++q) HP_TRY(run_matrix(b, o->sizes.size[s], o->q[q]));
  return HP_OK;
}

int hp_bench_spmv(int argc, char **argv) {
  options o = {.q = {2}, .nq = 1, .cold = true, .hot = true, .wells = -1, .seed = 1, .seconds = 0.3};
  int code;
  o.sizes = hp_args_usual_sizes();
  for (int n = 0; n < METHODS; ++n) o.chosen[n] = methods[n].kind != SINGLE;
  if (!hp_bench_args_parse(&syntax, argc, argv, &o, &code)) return code;
  code = check_choice(&o);
  if (code != HP_EXIT_OK) return code;
  bench b = {.o = &o};
  if (hp_args_csv_open(NULL, o.csv, &b.csv) != HP_OK) return hp_cli_usage_error("bench spmv", "%s", hp_fail_text());
  const hp_status s = hp_args_csv_close(o.csv, b.csv, run(&b));
  hp_bench_place_close(&b.place);
  return hp_cli_exit(s);
}
