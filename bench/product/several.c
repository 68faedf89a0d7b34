#include "bench/product/several.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/product/device.h"
#include "core/memory.h"
#include "core/profile.h"
#include "core/team/team.h"

enum { SAMPLES = 31, WHY = 512 };

/* One share. */
typedef struct {
  int64_t first, end; /* rows */
  int same;           /* shares that its GPU has */
  hp_device *D;
  hp_bsr rows;
  hp_spmv_job job;
  hp_spmv_product *P;
  hp_status status;
  char why[WHY]; /* messages are a thread's own */
} share;

typedef struct {
  hp_spmv_several *job;
  share *of; /* [job->count] */
  double sample[SAMPLES];
  int samples, count; /* count: products of a sample */
} plan;

/* The first failure counts. */
static void note(share *S, hp_status s) {
  if (s == HP_OK || S->status != HP_OK) return;
  S->status = s;
  snprintf(S->why, WHY, "%s", hp_fail_text());
}

/* The largest value of the shares; the clock, S NULL, has none. A barrier. */
static double largest(hp_team *t, const share *S, double value) {
  double max;
  int64_t who;
  hp_team_max(t, value, S != NULL ? t->rank : -1, &max, &who);
  return max;
}

static bool all_well(hp_team *t, const share *S) {
  return largest(t, S, S != NULL && S->status != HP_OK ? 1.0 : 0.0) == 0.0;
}

static hp_status arrange(const hp_spmv_several *J, int n, share *S) {
  const hp_device_options opt = {.ordinal = J->gpu[n]};
  HP_TRY(hp_device_create(&opt, &S->D));
  HP_TRY(hp_bsr_view(J->B, S->first, S->end, &S->rows));
  S->job = (hp_spmv_job){.B = &S->rows,
                         .width = J->B->nrow * J->B->q,
                         .unroll = J->unroll,
                         .threads = J->threads,
                         .x = J->x,
                         .y = J->y + S->first * J->B->q,
                         .cold = J->cold};
  return hp_spmv_device_arrange(S->D, &S->job, &S->P);
}

static void clear(share *S) {
  if (S->P != NULL) hp_spmv_device_release(&S->P);
  hp_bsr_view_release(&S->rows);
  hp_device_destroy(&S->D);
}

/* Samples, by the clock of member 0. */
static void measure_samples(hp_team *t, plan *L, share *S) {
  double spent = 0.0;
  for (int n = -1; n < SAMPLES; ++n) { /* one to warm up */
    double unused;
    hp_team_sync(t);
    const double began = hp_now();
    if (S != NULL) note(S, hp_spmv_device_replay(S->P, &unused));
    hp_team_sync(t);
    const double ended = hp_now();
    if (S == NULL && n >= 0) {
      L->sample[n] = ended - began;
      L->samples = n + 1;
      spent += ended - began;
    }
    const bool enough = S == NULL && n >= 4 && spent > L->job->time_limit;
    double stop;
    int64_t who;
    hp_team_max(t, enough || (S != NULL && S->status != HP_OK) ? 1.0 : 0.0, t->rank, &stop, &who);
    if (stop > 0.0) return;
  }
}

/* Everything that all do together; ends for all when one of them fails. */
static void measure(hp_team *t, plan *L, share *S) {
  double first = 0.0;
  if (!all_well(t, S)) return;
  const int room = -(int)largest(t, S, S != NULL ? -hp_spmv_device_room(S->P, S->same) : 0);
  const int wanted = (int)largest(t, S, S != NULL ? hp_spmv_device_copies(S->P) : 0);
  const int copies = wanted < room ? wanted : room;
  if (S != NULL) note(S, hp_spmv_device_place(S->P, copies));
  if (!all_well(t, S)) return;
  if (S != NULL) note(S, hp_spmv_device_once(S->P, &first));
  if (!all_well(t, S)) return;
  const int count = hp_spmv_device_length(largest(t, S, first), copies);
  if (S == NULL) L->count = count;
  if (S != NULL) note(S, hp_spmv_device_record(S->P, count));
  if (!all_well(t, S)) return;
  measure_samples(t, L, S);
  if (S != NULL && S->status == HP_OK) note(S, hp_spmv_device_fetch(S->P, S->job.y));
}

/* Member 0 keeps the time, member n + 1 has share n. */
static void body(hp_team *t, void *arg) {
  plan *L = arg;
  share *S = t->rank > 0 ? &L->of[t->rank - 1] : NULL;
  if (S != NULL) note(S, arrange(L->job, t->rank - 1, S));
  measure(t, L, S);
  if (S != NULL) clear(S);
}

static int by_value(const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

static hp_status run(plan *L) {
  const hp_spmv_several *J = L->job;
  int64_t first[HP_SPMV_GPUS_MAX + 1];
  hp_team_hub *hub = NULL;
  HP_TRY(hp_bsr_shares(J->B, J->count, first));
  for (int n = 0; n < J->count; ++n) {
    L->of[n].first = first[n];
    L->of[n].end = first[n + 1];
    for (int m = 0; m < J->count; ++m) L->of[n].same += J->gpu[m] == J->gpu[n];
  }
  HP_TRY(hp_team_hub_create(J->count + 1, NULL, &hub));
  const hp_status s = hp_team_run(hub, body, L);
  hp_team_hub_destroy(&hub);
  HP_TRY(s);
  for (int n = 0; n < J->count; ++n)
    if (L->of[n].status != HP_OK) return hp_fail(L->of[n].status, "GPU %d: %s", J->gpu[n], L->of[n].why);
  return HP_OK;
}

hp_status hp_spmv_several_measure(hp_spmv_several *job) {
  plan *L = NULL;
  if (job->count > HP_SPMV_GPUS_MAX)
    return hp_fail(HP_ERR_USAGE, "%d GPUs: at most %d", job->count, (int)HP_SPMV_GPUS_MAX);
  HP_TRY(hp_device_available());
  HP_TRY(HP_ALLOC(L, 1));
  L->job = job;
  hp_status s = HP_ALLOC(L->of, job->count);
  if (s == HP_OK) s = run(L);
  if (s == HP_OK) {
    qsort(L->sample, (size_t)L->samples, sizeof *L->sample, by_value);
    job->seconds = L->sample[L->samples / 2] / L->count;
    job->samples = L->samples * L->count;
  }
  HP_FREE(L->of);
  HP_FREE(L);
  return s;
}
