/* The fastest format of products for `hepta tune`: formats, loads and threads searched together. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/generators/family.h"
#include "bench/product/device.h"
#include "bench/tuning/tune.h"
#include "core/memory.h"

enum { FORMAT, LOADS, THREADS, CHOICES, FORMATS = 8 };

static const hp_sparse_kind kinds[FORMATS] = {HP_SPARSE_GH,  HP_SPARSE_CSR, HP_SPARSE_BSR, HP_SPARSE_SELL,
                                              HP_SPARSE_DIA, HP_SPARSE_HEC, HP_SPARSE_HYB, HP_SPARSE_SGDIA};

static const hp_search_choice choices[CHOICES] = {
    [FORMAT] = {"format", FORMATS, {0, 1, 2, 3, 4, 5, 6, 7}},
    [LOADS] = {"loads", 4, {HP_SPMV_LOADS_STREAM, HP_SPMV_LOADS_PLAIN, HP_SPMV_LOADS_FIRST, HP_SPMV_LOADS_WIDE}},
    [THREADS] = {"threads", 5, {0, 64, 128, 256, 512}},
};

typedef struct {
  hp_device *D;
  hp_gh *A;
  double *x, *y; /* [n] */
} problem;

/* GH alone has these choices, with as many unknowns as its kernels of the pairs layout. */
static bool allowed(const void *self, const int *point) {
  const problem *P = self;
  const int q = P->A->q;
  const bool several = kinds[point[FORMAT]] == HP_SPARSE_GH && (q == 1 || q == 2 || q == 4 || q == 8);
  return several || (point[LOADS] == HP_SPMV_LOADS_STREAM && point[THREADS] == 0);
}

/* Where there is no kernel, or no room, it takes forever. */
static hp_status measure(void *self, const int *point, int nth, double *seconds) {
  problem *P = self;
  const hp_sparse_kind kind = kinds[point[FORMAT]];
  hp_sparse *F = NULL;
  hp_spmv_job j = {.A = P->A,
                   .loads = (hp_spmv_loads)point[LOADS],
                   .threads = point[THREADS],
                   .x = P->x,
                   .y = P->y,
                   .cold = true,
                   .time_limit = 5e-3};
  (void)nth;
  hp_status s = HP_OK;
  if (kind != HP_SPARSE_GH) s = hp_sparse_create(P->A, NULL, kind, &F);
  if (s == HP_OK && F != NULL) hp_sparse_set(F, P->A);
  j.F = F;
  if (s == HP_OK) s = hp_spmv_device_measure(P->D, &j);
  hp_sparse_destroy(&F);
  *seconds = s == HP_OK ? j.seconds : INFINITY;
  return s == HP_ERR_UNSUPPORTED || s == HP_ERR_MEMORY ? HP_OK : s;
}

static void describe(const int *point, char *out, size_t size) {
  static const char *const loads[] = {"stream", "plain", "first", "wide"}; /* as hp_spmv_loads */
  const hp_sparse_kind kind = kinds[point[FORMAT]];
  if (kind != HP_SPARSE_GH) snprintf(out, size, "%s", hp_sparse_name(kind));
  else if (point[THREADS] == 0) snprintf(out, size, "gh, %s loads", loads[point[LOADS]]);
  else snprintf(out, size, "gh, %d threads, %s loads", point[THREADS], loads[point[LOADS]]);
}

static hp_status search(problem *P, const hp_tune_options *opt, hp_tune_format *out) {
  static const int start[CHOICES] = {0, HP_SPMV_LOADS_STREAM, 0};
  const hp_search_problem S = {
      .choices = CHOICES, .choice = choices, .start = start, .allowed = allowed, .measure = measure, .self = P};
  const hp_search_options exhaustive = {.rounds = opt->kernels.rounds, .seed = opt->kernels.seed};
  hp_search_result found;
  HP_TRY(hp_search_run(&S, &exhaustive, &found));
  describe(found.best, out->fastest, sizeof out->fastest);
  out->seconds = found.seconds;
  out->default_seconds = found.start_seconds;
  return HP_OK;
}

hp_status hp_tune_formats(hp_device *D, const int size[3], int q, const hp_tune_options *opt, hp_tune_format *out) {
  problem P = {.D = D};
  hp_family f = hp_family_default(size[0], size[1], size[2], q);
  f.seed = opt->search.seed;
  memset(out, 0, sizeof *out);
  HP_TRY(hp_family_create(&f, &P.A));
  hp_status s = HP_ALLOC(P.x, P.A->n);
  if (s == HP_OK) s = HP_ALLOC(P.y, P.A->n);
  if (s == HP_OK) {
    hp_family_vector(2, P.A->n, P.x);
    s = search(&P, opt, out);
  }
  hp_gh_destroy(&P.A);
  HP_FREE(P.x);
  HP_FREE(P.y);
  return s;
}
