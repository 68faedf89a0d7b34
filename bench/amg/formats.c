/* hepta bench amg --formats: products with every level's matrices as sliced ELL, HEC and CSR. */
#include <math.h>
#include <string.h>

#include "bench/amg/amg.h"
#include "bench/bench.h"
#include "bench/generators/family.h"
#include "core/memory.h"
#include "core/profile.h"

static const char *const format_titles[] = {
#define TITLE_OF(name, text, title) title,
    HP_AMG_FORMAT_LIST(TITLE_OF)
#undef TITLE_OF
};

enum { PRODUCTS = 20, READ_MB = 512 /* at most: less where tests say that caches are small */ };

typedef struct {
  const hp_amg_bench *B;
  double *x, *y, *exact, *scale; /* [rows of level 0] */
  float *xf, *yf;
  double bandwidth;  /* read [B/s] */
  double difference; /* largest of a product to the matrix's own, over the sum of its terms */
  double total[HP_AMG_FORMAT_COUNT];
} measurement;

static bool single(const measurement *m) { return m->B->solver.amg.precision == HP_PRECISION_SINGLE; }

/* ---- on the CPU ---- */

typedef struct {
  const hp_amg_format *F;
  const void *x;
  void *y;
  double *time;
  int samples;
} product;

static void multiply(hp_team *t, void *arg) {
  const product *p = arg;
  for (int n = 0; n < p->samples; ++n) {
    const double start = hp_now();
    hp_amg_format_multiply(t, p->F, p->x, p->y);
    if (t->rank == 0) p->time[n] = hp_now() - start;
  }
}

typedef struct {
  const double *from;
  double *sum; /* [members] */
  int64_t n;
  double *time;
  int samples;
} reading;

static void read_all(hp_team *t, void *arg) {
  const reading *r = arg;
  for (int k = 0; k < r->samples; ++k) {
    const double start = hp_now();
    double sum[8] = {0.0};
    hp_team_sync(t);
    HP_TEAM_FOR(t, i, r->n / 8)
    for (int e = 0; e < 8; ++e) sum[e] += r->from[8 * i + e];
    r->sum[t->rank] = sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];
    hp_team_sync(t);
    if (t->rank == 0) r->time[k] = hp_now() - start;
  }
}

/* Bytes read for the bandwidth. */
static int64_t read_bytes(void) {
  const int64_t past = 4 * hp_bench_past_caches() * (int64_t)sizeof(double), most = (int64_t)READ_MB * 1000000;
  return past < most ? past : most;
}

static hp_status read_on_host(const measurement *m, double *seconds) {
  double time[5], sum[HP_TEAM_MAX], *from = NULL;
  const int64_t n = read_bytes() / (int64_t)sizeof *from;
  HP_TRY(HP_ALLOC_UNSET(from, n));
  for (int64_t i = 0; i < n; ++i) from[i] = 1.0;
  reading r = {from, sum, n, time, 5};
  const hp_status s = hp_team_run(m->B->hub, read_all, &r);
  HP_FREE(from);
  *seconds = hp_bench_median(time, 5);
  return s;
}

/* ---- one matrix in one format ---- */

/* Seconds of a product, whose result is in y or yf. */
static hp_status time_product(const measurement *m, const hp_amg_format *F, double *seconds) {
  const void *x = single(m) ? (const void *)m->xf : m->x;
  void *y = single(m) ? (void *)m->yf : m->y;
  double time[HP_AMG_BENCH_SAMPLES];
  product p = {F, x, y, time, m->B->samples};
  if (m->B->device == NULL) HP_TRY(hp_team_run(m->B->hub, multiply, &p));
  for (int n = 0; n < m->B->samples && m->B->device != NULL; ++n)
    HP_TRY(hp_amg_format_time(m->B->device, F, x, y, PRODUCTS, &time[n]));
  *seconds = hp_bench_median(time, m->B->samples);
  return HP_OK;
}

static void compare(measurement *m, const hp_amg_format *F) {
  for (int64_t i = 0; i < F->nrow; ++i) {
    const double y = F->single ? (double)m->yf[i] : m->y[i], d = fabs(y - m->exact[i]);
    if (!(d <= m->difference * m->scale[i])) m->difference = m->scale[i] > 0.0 ? d / m->scale[i] : d > 0.0 ? 1.0 : 0.0;
  }
}

static hp_status measure_format(measurement *m, const hp_csr *A, hp_amg_format_kind kind) {
  const bool gpu = m->B->device != NULL;
  const int64_t threads = gpu ? (int64_t)hp_device_get_info(m->B->device)->multiprocessors * 1024 : 0;
  hp_amg_format F;
  double seconds = 0.0;
  HP_TRY(
      hp_amg_format_create(A, kind, m->B->solver.amg.precision, gpu ? hp_amg_format_lanes(A, kind, threads) : -1, &F));
  const hp_status s = time_product(m, &F, &seconds);
  if (s == HP_OK) compare(m, &F);
  if (s == HP_OK) {
    const double padding = 100.0 * (double)(F.count + F.rest - F.entries) / (double)(F.entries > 0 ? F.entries : 1);
    printf(" | %5.1f%% %8.3f %8.2f %5.0f%%", padding, 1e-6 * (double)hp_amg_format_bytes(&F), 1e6 * seconds,
           100.0 * (double)hp_amg_format_traffic(&F) / seconds / m->bandwidth);
    m->total[kind] += seconds;
  }
  hp_amg_format_free(&F);
  return s;
}

/* ---- the table ---- */

static hp_status measure_matrix(measurement *m, int l, const char *name, const hp_csr *A) {
  for (int64_t i = 0; i < A->nrow; ++i) {
    m->exact[i] = m->scale[i] = 0.0;
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) {
      m->exact[i] += A->value[k] * m->x[A->column[k]];
      m->scale[i] += fabs(A->value[k] * m->x[A->column[k]]);
    }
  }
  printf("%5d %s %9d %7.2f", l, name, A->nrow, A->nrow > 0 ? (double)hp_csr_count(A) / A->nrow : 0.0);
  for (int k = 0; k < HP_AMG_FORMAT_COUNT; ++k) HP_TRY(measure_format(m, A, (hp_amg_format_kind)k));
  printf("\n");
  return HP_OK;
}

static hp_status measure_levels(measurement *m, const hp_amg *H) {
  printf("%5s %s %9s %7s", "level", " ", "rows", "entries");
  for (int k = 0; k < HP_AMG_FORMAT_COUNT; ++k) printf(" | %-30s", format_titles[k]);
  printf("\n%5s %s %9s %7s", "", " ", "", "a row");
  for (int k = 0; k < HP_AMG_FORMAT_COUNT; ++k) printf(" | %6s %8s %8s %6s", "padded", "MB", "us", "share");
  printf("\n");
  for (int l = 0; l < H->nlevel; ++l) {
    HP_TRY(measure_matrix(m, l, "A", H->level[l].A));
    if (H->level[l].P == NULL) continue;
    HP_TRY(measure_matrix(m, l, "P", H->level[l].P));
    HP_TRY(measure_matrix(m, l, "R", H->level[l].R));
  }
  printf("%24s", "all");
  for (int k = 0; k < HP_AMG_FORMAT_COUNT; ++k) printf(" | %6s %8s %8.2f %6s", "", "", 1e6 * m->total[k], "");
  printf("\nshare: of reading %.0f MB at %.0f GB/s; a product with its barrier, medians of %d%s\n",
         1e-6 * (double)read_bytes(), 1e-9 * m->bandwidth, m->B->samples,
         m->B->device != NULL ? " times the mean of 20 in one kernel" : "");
  printf("largest difference to the products of the matrices themselves: %.1e of the sum of a row's terms\n",
         m->difference);
  const double tolerance = single(m) ? 1e-5 : 1e-13;
  if (m->difference <= tolerance) return HP_OK;
  return hp_fail(HP_ERR_NUMERIC, "the products of two formats differ by %.1e", m->difference);
}

static hp_status vectors(measurement *m, int64_t n) {
  HP_TRY(HP_ALLOC(m->x, n));
  HP_TRY(HP_ALLOC(m->y, n));
  HP_TRY(HP_ALLOC(m->exact, n));
  HP_TRY(HP_ALLOC(m->scale, n));
  HP_TRY(HP_ALLOC(m->xf, n));
  HP_TRY(HP_ALLOC(m->yf, n));
  hp_family_vector(m->B->model.seed, n, m->x);
  for (int64_t i = 0; i < n; ++i) { /* the same numbers in both precisions */
    m->xf[i] = (float)m->x[i];
    m->x[i] = (double)m->xf[i];
  }
  return HP_OK;
}

static hp_status measure(measurement *m, const hp_amg *H) {
  double seconds = 0.0;
  HP_TRY(vectors(m, H->level[0].A->nrow));
  if (m->B->device == NULL) HP_TRY(read_on_host(m, &seconds));
  else HP_TRY(hp_amg_format_time_reading(m->B->device, read_bytes(), PRODUCTS, &seconds));
  m->bandwidth = (double)read_bytes() / seconds;
  return measure_levels(m, H);
}

hp_status hp_amg_bench_formats(const hp_amg_bench *B, hp_amg_bench_system *S) {
  hp_amg_solver *K = NULL;
  measurement m = {.B = B};
  const bool apart = B->wells_apart || B->device != NULL; /* as in a solve */
  hp_status s = hp_amg_solver_create(B->hub, S->F, S->G, apart ? S->nwell : 0, &B->solver, &K);
  if (s == HP_OK) s = hp_amg_solver_build(K);
  if (s == HP_OK) s = measure(&m, hp_amg_solver_hierarchy(K));
  HP_FREE(m.x);
  HP_FREE(m.y);
  HP_FREE(m.exact);
  HP_FREE(m.scale);
  HP_FREE(m.xf);
  HP_FREE(m.yf);
  hp_amg_solver_destroy(&K);
  return s;
}
