#include "bench/tuning/search.h"

#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "core/memory.h"

const char *hp_search_kind_name(int kind) {
  static const char *const name[HP_SEARCH_KINDS] = {"", "exhaustive", "random"};
  return name[kind];
}

enum { POINTS_MAX = 10000000, CANDIDATES_MAX = 100000, GO_ON = 4 /* a quarter */, FEW = 4 };

typedef struct {
  int64_t number; /* of the point; -1: the start */
  int samples;
  double sample[HP_SEARCH_ROUNDS_MAX], median;
} candidate;

typedef struct {
  const hp_search_problem *P;
  const hp_search_options *opt;
  candidate *c; /* [count], c[0] is the start */
  int64_t count, points;
} search;

/* ---- points ---- */

static void point_of(const hp_search_problem *P, int64_t number, int *point) {
  if (number < 0) memcpy(point, P->start, (size_t)P->choices * sizeof *point);
  for (int k = P->choices - 1; k >= 0 && number >= 0; --k) {
    point[k] = P->choice[k].value[number % P->choice[k].count];
    number /= P->choice[k].count;
  }
}

/* Neither refused nor the start. */
static bool counts(const hp_search_problem *P, int64_t number) {
  int point[HP_SEARCH_CHOICES_MAX];
  point_of(P, number, point);
  if (memcmp(point, P->start, (size_t)P->choices * sizeof *point) == 0) return false;
  return P->allowed == NULL || P->allowed(P->self, point);
}

/* The first `wanted` of a shuffled list. */
static void shuffle(int32_t *list, int64_t count, int64_t wanted, uint64_t seed) {
  for (int64_t n = 0; n < wanted; ++n) {
    const int64_t other = n + (int64_t)(hp_mix64((seed + (uint64_t)n + 1) * UINT64_C(0x9e3779b97f4a7c15)) %
                                        (uint64_t)(count - n));
    const int32_t swap = list[n];
    list[n] = list[other];
    list[other] = swap;
  }
}

static hp_status choose(search *S) {
  const hp_search_problem *P = S->P;
  int64_t all = 1;
  for (int k = 0; k < P->choices; ++k) {
    all *= P->choice[k].count;
    if (all > POINTS_MAX)
      return hp_fail(HP_ERR_USAGE, "a search over more than %d points: leave some values out", (int)POINTS_MAX);
  }
  int32_t *list = NULL;
  HP_TRY(HP_ALLOC(list, all));
  for (int64_t n = 0; n < all; ++n)
    if (counts(P, n)) list[S->points++] = (int32_t)n;
  const int64_t chosen = S->opt->trials > 0 && S->opt->trials < S->points ? S->opt->trials : S->points;
  if (chosen > CANDIDATES_MAX) {
    HP_FREE(list);
    return hp_fail(HP_ERR_USAGE, "a search with %lld candidates: draw fewer at random", (long long)chosen);
  }
  if (chosen < S->points) shuffle(list, S->points, chosen, S->opt->seed);
  const hp_status s = HP_ALLOC(S->c, chosen + 1);
  S->count = chosen + 1;
  for (int64_t n = 0; n <= chosen && s == HP_OK; ++n) S->c[n].number = n == 0 ? -1 : list[n - 1];
  HP_FREE(list);
  return s;
}

/* ---- rungs ---- */

static hp_status sample(search *S, candidate *c) {
  int point[HP_SEARCH_CHOICES_MAX];
  double sorted[HP_SEARCH_ROUNDS_MAX];
  point_of(S->P, c->number, point);
  HP_TRY(S->P->measure(S->P->self, point, c->samples, &c->sample[c->samples]));
  c->samples += 1;
  memcpy(sorted, c->sample, (size_t)c->samples * sizeof *sorted);
  c->median = hp_bench_median(sorted, c->samples);
  return HP_OK;
}

/* Candidates 0 .. count-1 in turns, until each has so many samples. */
static hp_status sample_all(search *S, int64_t count, int samples) {
  for (int n = S->c[0].samples; n < samples; ++n)
    for (int64_t k = 0; k < count; ++k) HP_TRY(sample(S, &S->c[k]));
  return HP_OK;
}

static int by_median(const void *x, const void *y) {
  const candidate *a = x, *b = y;
  if (a->median != b->median) return a->median < b->median ? -1 : 1;
  return (a->number > b->number) - (a->number < b->number);
}

static void report(const search *S, int64_t from, int64_t to) {
  int point[HP_SEARCH_CHOICES_MAX];
  for (int64_t k = from; k < to && S->P->report != NULL; ++k) {
    point_of(S->P, S->c[k].number, point);
    S->P->report(S->P->self, point, S->c[k].samples, S->c[k].median);
  }
}

/* The start stays first; the others come by their medians. */
static hp_status climb(search *S) {
  int64_t count = S->count;
  for (int samples = 1; count > FEW + 1; samples *= 2) {
    HP_TRY(sample_all(S, count, samples < S->opt->rounds ? samples : S->opt->rounds));
    qsort(S->c + 1, (size_t)count - 1, sizeof *S->c, by_median);
    const int64_t next = 1 + hp_larger((count - 1) / GO_ON, FEW);
    report(S, next, count);
    count = next;
  }
  HP_TRY(sample_all(S, count, S->opt->rounds));
  qsort(S->c + 1, (size_t)count - 1, sizeof *S->c, by_median);
  report(S, 0, count);
  return HP_OK;
}

static hp_status run(search *S, hp_search_result *out) {
  HP_TRY(choose(S));
  HP_TRY(climb(S));
  const candidate *start = &S->c[0], *best = S->count > 1 && S->c[1].median < 0.99 * start->median ? &S->c[1] : start;
  point_of(S->P, best->number, out->best);
  out->seconds = best->median;
  out->start_seconds = start->median;
  out->points = S->points + 1;
  out->candidates = S->count;
  return HP_OK;
}

hp_status hp_search_run(const hp_search_problem *P, const hp_search_options *opt, hp_search_result *out) {
  search S = {.P = P, .opt = opt};
  memset(out, 0, sizeof *out);
  if (opt->rounds < 1 || opt->rounds > HP_SEARCH_ROUNDS_MAX || opt->trials < 0)
    return hp_fail(HP_ERR_USAGE, "a search needs 1 to %d rounds, and no negative number of trials",
                   (int)HP_SEARCH_ROUNDS_MAX);
  const hp_status s = run(&S, out);
  HP_FREE(S.c);
  return s;
}
