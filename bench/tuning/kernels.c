#include "bench/tuning/kernels.h"

#include <math.h>
#include <string.h>

#include "bench/generators/family.h"
#include "bench/product/device.h"
#include "bench/tuning/write.h"
#include "core/memory.h"

const char hp_kernel_search_csv_head[] =
    "threads,blocks,unroll,loads,streams,last,shared,compile,cut,samples,seconds\n";

enum { THREADS, BLOCKS, UNROLL, LOADS, STREAMS, LAST, SHARED, COMPILE, CUT, CHOICES };

/* ---- points and launches ---- */

static void to_point(const hp_kernel_shape *s, int *point) {
  point[THREADS] = s->threads;
  point[BLOCKS] = s->blocks;
  point[UNROLL] = s->unroll;
  point[LOADS] = (int)s->loads;
  point[STREAMS] = s->streams;
  point[LAST] = s->last;
  point[SHARED] = s->shared;
  point[COMPILE] = (int)s->compile;
  point[CUT] = s->cut;
}

static hp_kernel_shape to_shape(const int *point) {
  return (hp_kernel_shape){.threads = point[THREADS],
                           .blocks = point[BLOCKS],
                           .unroll = point[UNROLL],
                           .loads = (hp_kernel_loads)point[LOADS],
                           .streams = point[STREAMS],
                           .last = point[LAST] != 0,
                           .shared = point[SHARED] != 0,
                           .compile = (hp_kernel_compile)point[COMPILE],
                           .cut = point[CUT]};
}

static bool allowed(const void *self, const int *point) {
  const hp_kernel_search *K = self;
  const hp_kernel_shape s = to_shape(point);
  return K->allowed == NULL || K->allowed(K->self, &s);
}

static hp_status measure(void *self, const int *point, int nth, double *seconds) {
  const hp_kernel_search *K = self;
  (void)nth;
  const hp_kernel_shape s = to_shape(point);
  return K->measure(K->self, &s, seconds);
}

static void report(void *self, const int *point, int samples, double median) {
  const hp_kernel_search *K = self;
  if (K->csv == NULL) return;
  const hp_kernel_shape s = to_shape(point);
  fprintf(K->csv, "%s,%d,%d,%d,%s,%d,%d,%d,%s,%d,%d,%.6g\n", K->label, s.threads, s.blocks, s.unroll,
          hp_kernel_loads_name(s.loads), s.streams, s.last, s.shared, hp_kernel_compile_name(s.compile), s.cut, samples,
          median);
}

/* ---- the search ---- */

hp_status hp_kernel_search_run(const hp_kernel_search *K, const hp_kernel_shape *start, const hp_search_options *opt,
                               hp_kernel_shape *best, hp_search_result *result) {
  hp_search_choice choice[CHOICES] = {
      [THREADS] = {"threads", 4, {64, 128, 256, 512}},
      [BLOCKS] = {"blocks", 6, {0, 1, 2, 4, 8, 16}},
      [UNROLL] = {"unroll", 4, {1, 2, 4, 8}},
      [LOADS] = {"loads", 3, {HP_LOADS_PLAIN, HP_LOADS_WIDE, HP_LOADS_STREAM}},
      [STREAMS] = {"streams", 1, {1, 2, 4, 8, 16}},
      [LAST] = {"last", 1, {0, 1}},
      [SHARED] = {"shared", 1, {0, 1}},
      [COMPILE] = {"compile", 1, {0, 1, 2, 3, 4, 5}},
      [CUT] = {"cut", 1, {0}},
  };
  int point[CHOICES];
  if (K->sum) choice[THREADS] = (hp_search_choice){"threads", 2, {256, 512}};
  if (K->sum) choice[LAST].count = 2;
  else choice[LAST].value[0] = start->last;
  if (K->streams) choice[STREAMS].count = 5;
  if (K->shared) choice[SHARED].count = 2;
  if (K->compile) choice[COMPILE].count = HP_COMPILE_COUNT;
  if (K->block_rows) {
    choice[THREADS].count = 3;
    choice[BLOCKS].count = 1;
    choice[LOADS] = (hp_search_choice){"loads", 1, {(int)start->loads}};
    if (K->ncut > HP_SEARCH_VALUES_MAX) return hp_fail(HP_ERR_USAGE, "%d places to cut rows at are too many", K->ncut);
    if (K->ncut > 0) choice[CUT].count = K->ncut;
    for (int n = 0; n < K->ncut; ++n) choice[CUT].value[n] = K->cut[n];
  }
  to_point(start, point);
  hp_kernel_search all = *K;
  const hp_search_problem P = {.choices = CHOICES,
                               .choice = choice,
                               .start = point,
                               .allowed = allowed,
                               .measure = measure,
                               .report = report,
                               .self = &all};
  HP_TRY(hp_search_run(&P, opt, result));
  *best = to_shape(result->best);
  return HP_OK;
}

/* ---- of vectors and stencils ---- */

/* Without a compiler a kernel that is not the build's would take forever. */
static hp_status or_forever(hp_status s, const hp_kernel_shape *shape, double *seconds) {
  if (s != HP_ERR_UNSUPPORTED || shape->compile == HP_COMPILE_BUILD) return s;
  *seconds = INFINITY;
  return HP_OK;
}

static hp_status sample_vector(void *self, const hp_kernel_shape *shape, double *seconds) {
  return or_forever(hp_vector_timing_measure(self, shape, 1, seconds), shape, seconds);
}

/* The result as the tune file keeps it. */
static hp_status search_named(hp_kernel_search *K, const hp_kernel_shape *start, const char *name, int64_t n,
                              const hp_search_options *opt, hp_tuned_kernel *found) {
  char label[80];
  hp_search_result result;
  *found = (hp_tuned_kernel){.n = n};
  snprintf(found->name, sizeof found->name, "%s", name);
  snprintf(label, sizeof label, "%s,%lld", name, (long long)n);
  K->label = label;
  HP_TRY(hp_kernel_search_run(K, start, opt, &found->shape, &result));
  found->seconds = result.seconds;
  found->default_seconds = result.start_seconds;
  return HP_OK;
}

hp_status hp_kernel_search_vector(hp_vector_timing *T, hp_vector_operation op, int64_t n, const hp_search_options *opt,
                                  bool compile, FILE *csv, hp_tuned_kernel *found) {
  const hp_kernel_shape start = hp_kernel_default_shape();
  hp_kernel_search K = {.sum = hp_vector_is_sum(op),
                        .streams = true,
                        .compile = compile,
                        .measure = sample_vector,
                        .self = T,
                        .csv = csv};
  return search_named(&K, &start, hp_vector_name(op), n, opt, found);
}

typedef struct {
  hp_sgdia_timing *T;
  const hp_sgdia *A;
} product;

static bool product_fits(const void *self, const hp_kernel_shape *shape) {
  return hp_sgdia_shape_fits(((const product *)self)->A, shape);
}

static hp_status sample_product(void *self, const hp_kernel_shape *shape, double *seconds) {
  return or_forever(hp_sgdia_timing_measure(((product *)self)->T, shape, 1, seconds), shape, seconds);
}

hp_status hp_kernel_search_sgdia(hp_sgdia_timing *T, const hp_sgdia *A, const hp_search_options *opt, bool compile,
                                 FILE *csv, hp_tuned_kernel *found) {
  const hp_kernel_shape start = hp_sgdia_untuned_shape();
  char name[HP_TUNED_NAME_MAX];
  product P = {T, A};
  hp_kernel_search K = {
      .shared = true, .compile = compile, .allowed = product_fits, .measure = sample_product, .self = &P, .csv = csv};
  hp_sgdia_kernel_name(A, name, sizeof name);
  return search_named(&K, &start, name, A->n, opt, found);
}

/* ---- of block rows ---- */

typedef struct {
  hp_device *D;
  hp_bsr *B;
  double *x, *y; /* [rows] */
} block_product;

hp_status hp_kernel_arrange_blocks(hp_bsr *B, const hp_kernel_shape *shape) {
  if (B->q > HP_BSR_WARP_Q) HP_TRY(hp_bsr_set_threads(B, shape->threads));
  return B->longest != shape->cut ? hp_bsr_cut(B, shape->cut) : HP_OK;
}

static hp_status sample_blocks(void *self, const hp_kernel_shape *shape, double *seconds) {
  const block_product *P = self;
  hp_spmv_job j = {.B = P->B,
                   .unroll = hp_bsr_unroll_of(shape),
                   .threads = shape->threads,
                   .x = P->x,
                   .y = P->y,
                   .cold = true,
                   .time_limit = 5e-3};
  HP_TRY(hp_kernel_arrange_blocks(P->B, shape));
  HP_TRY(hp_spmv_device_measure(P->D, &j));
  *seconds = j.seconds;
  return HP_OK;
}

hp_status hp_kernel_search_blocks(hp_device *D, hp_bsr *B, const char *pattern, const int *cut, int ncut,
                                  const hp_search_options *opt, FILE *csv, hp_tuned_kernel *found) {
  const hp_kernel_shape start = hp_bsr_usual_shape(B->q);
  const int64_t n = B->nrow * B->q;
  char name[HP_BSR_NAME_MAX];
  block_product P = {.D = D, .B = B};
  hp_kernel_search K = {.block_rows = true, .cut = cut, .ncut = ncut, .measure = sample_blocks, .self = &P, .csv = csv};
  hp_bsr_kernel_name(B->q, pattern, name, sizeof name);
  hp_status s = HP_ALLOC(P.x, n);
  if (s == HP_OK) s = HP_ALLOC(P.y, n);
  if (s == HP_OK) hp_family_vector(opt->seed + 7, n, P.x);
  if (s == HP_OK) s = search_named(&K, &start, name, n, opt, found);
  if (s == HP_OK) s = hp_kernel_arrange_blocks(B, &found->shape);
  HP_FREE(P.x);
  HP_FREE(P.y);
  return s;
}

void hp_kernel_describe(const hp_kernel_shape *s, char *out, size_t size) {
  char blocks[24] = "all", streams[24] = "", compile[24] = "", cut[24] = "";
  if (s->blocks > 0) snprintf(blocks, sizeof blocks, "%d a SM", s->blocks);
  if (s->streams > 1) snprintf(streams, sizeof streams, ", %d streams", s->streams);
  if (s->compile != HP_COMPILE_BUILD) snprintf(compile, sizeof compile, ", %s", hp_kernel_compile_name(s->compile));
  if (s->cut > 0) snprintf(cut, sizeof cut, ", cut %d", s->cut);
  snprintf(out, size, "%d threads, %s, %d %s%s%s%s%s%s", s->threads, blocks, s->unroll, hp_kernel_loads_name(s->loads),
           streams, s->last ? ", last" : "", s->shared ? ", shared" : "", compile, cut);
}

/* ---- the tune file ---- */

void hp_kernel_file_read(const hp_device_info *info, hp_tuned *out) {
  char path[1024];
  memset(out, 0, sizeof *out);
  if (hp_tuned_path(info, path, sizeof path) != HP_OK) return;
  if (hp_tuned_read(path, info, out) != HP_OK) fprintf(stderr, "hepta: %s\n", hp_fail_text());
}

hp_status hp_kernel_file_write(const hp_device_info *info, const hp_tuned *t) {
  char path[1024];
  HP_TRY(hp_tuned_path(info, path, sizeof path));
  HP_TRY(hp_tuned_write(path, info, t));
  printf("\nWritten to %s: runs on this kind of GPU use it\n", path);
  return HP_OK;
}
