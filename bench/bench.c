/* Shared by the verbs of `hepta bench`: names of choices, the median, and the bandwidth of a copy by a team of the CPU, which they
 * compare other rates with. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "core/memory.h"
#include "core/profile.h"
#include "core/team/team.h"
#include "linsolve/krylov/krylov.h"

enum { SAMPLES = 9 };

const char *hp_bench_method_name(int n) { return hp_krylov_method_name((hp_krylov_method)n); }
const char *hp_bench_execution_name(int n) { return hp_execution_name((hp_execution_kind)n); }
const char *hp_bench_matrix_name(int n) { return hp_sparse_name((hp_sparse_kind)n); }

typedef struct {
  double *from, *to; /* [n] */
  int64_t n;
  double sample[SAMPLES];
} job;

static void copy_body(hp_team *team, void *arg) {
  job *j = arg;
  for (int s = 0; s < SAMPLES; ++s) {
    hp_team_sync(team);
    const double start = hp_now();
    HP_TEAM_FOR_OWNED(team, i, j->n) j->to[i] = j->from[i];
    hp_team_sync(team);
    if (team->rank == 0) j->sample[s] = hp_now() - start;
  }
}

static int by_value(const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

double hp_bench_median(double *v, int n) {
  qsort(v, (size_t)n, sizeof *v, by_value);
  return n % 2 != 0 ? v[n / 2] : 0.5 * (v[n / 2 - 1] + v[n / 2]);
}

hp_bench_verb *hp_bench_find(const char *name) {
  static const struct {
    const char *name;
    hp_bench_verb *run;
  } verbs[] = {
#define VERB(name, what, run) {name, run},
      HP_BENCH_LIST(VERB)
#undef VERB
  };
  for (size_t v = 0; v < sizeof verbs / sizeof *verbs; ++v)
    if (strcmp(verbs[v].name, name) == 0) return verbs[v].run;
  return NULL;
}

int64_t hp_bench_past_caches(void) {
  const char *given = getenv("HEPTA_TEST_CACHE"); /* tests, which measure nothing */
  if (given != NULL && atol(given) > 0) return 4 * (int64_t)atol(given) / (int64_t)sizeof(double);
  long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (cache < (32 << 20)) cache = 32 << 20; /* not known, or small */
  return 4 * (int64_t)cache / (int64_t)sizeof(double);
}

hp_status hp_bench_copy(struct hp_team_hub *hub, double *buffer, int64_t count, double *rate) {
  job j = {.from = buffer, .to = buffer + count / 2, .n = count / 2};
  HP_TRY(hp_team_run(hub, copy_body, &j));
  *rate = (double)(2 * j.n) * sizeof *buffer / hp_bench_median(j.sample, SAMPLES);
  return HP_OK;
}

/* ---- operations ---- */

enum { CHAINS = 16, ROUNDS = 200000 };

typedef struct {
  double sum[HP_TEAM_MAX], sample[SAMPLES];
} peak_job;

static void peak_body(hp_team *team, void *arg) {
  peak_job *j = arg;
  double a[CHAINS];
  for (int k = 0; k < CHAINS; ++k) a[k] = team->rank + k;
  for (int s = -1; s < SAMPLES; ++s) { /* one to warm up */
    hp_team_sync(team);
    const double start = hp_now();
    for (int n = 0; n < ROUNDS; ++n)
      for (int k = 0; k < CHAINS; ++k) a[k] = a[k] * 0.5 + 1.0;
    hp_team_sync(team);
    if (team->rank == 0 && s >= 0) j->sample[s] = hp_now() - start;
  }
  j->sum[team->rank] = 0.0; /* somebody wants the numbers */
  for (int k = 0; k < CHAINS; ++k) j->sum[team->rank] += a[k];
}

hp_status hp_bench_peak(struct hp_team_hub *hub, double *rate) {
  peak_job j;
  HP_TRY(hp_team_run(hub, peak_body, &j));
  *rate = 2.0 * ROUNDS * CHAINS * hp_team_hub_size(hub) / hp_bench_median(j.sample, SAMPLES);
  return HP_OK;
}
