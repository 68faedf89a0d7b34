/* Search for the fastest of many variants of something that can be timed, over all its choices together.
 *
 *     choices     name -> values         threads 32 64 128 ...; unroll 1 2 4 8; ...
 *     candidates  the point to beat, and all points (exhaustive) or some drawn at random without repetition
 *     rungs       each candidate is timed once; the faster quarter goes on and is timed once more, then twice, ...,
 *                 by medians, until few are left: these are timed in turns, `rounds` times
 *
 * Random points find what matters of many choices sooner than a choice after the other (Bergstra & Bengio 2012,
 * J. Mach. Learn. Res. 13); leaving most candidates after few samples is successive halving (Jamieson & Talwalkar 2016,
 * AISTATS). The point to beat is in every rung, and remains unless the best is a hundredth faster in the last.
 */
#ifndef HP_BENCH_TUNING_SEARCH_H
#define HP_BENCH_TUNING_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/status.h"

enum { HP_SEARCH_CHOICES_MAX = 10, HP_SEARCH_VALUES_MAX = 16, HP_SEARCH_ROUNDS_MAX = 99 };

/* Kinds of searches, as options name them: `--search exhaustive`. */
enum { HP_SEARCH_NONE, HP_SEARCH_EXHAUSTIVE, HP_SEARCH_RANDOM, HP_SEARCH_KINDS };
const char *hp_search_kind_name(int kind);

typedef struct hp_search_choice {
  const char *name;
  int count, value[HP_SEARCH_VALUES_MAX];
} hp_search_choice;

/* A point: a value of each choice, in their order. */
typedef struct hp_search_problem {
  int choices;
  const hp_search_choice *choice;
  const int *start;                                    /* the point to beat; need not be among the values */
  bool (*allowed)(const void *self, const int *point); /* NULL: all are */
  /* one sample, the nth of the point, from 0 */
  hp_status (*measure)(void *self, const int *point, int nth, double *seconds);
  void (*report)(void *self, const int *point, int samples,
                 double median); /* when a candidate leaves; NULL: nobody asks */
  void *self;
} hp_search_problem;

typedef struct hp_search_options {
  int trials; /* points drawn at random; 0: exhaustive, as where there are no more points than that */
  int rounds; /* samples in the last rung, 1 .. HP_SEARCH_ROUNDS_MAX */
  uint64_t seed;
} hp_search_options;

typedef struct hp_search_result {
  int best[HP_SEARCH_CHOICES_MAX];
  double seconds, start_seconds; /* medians of the last rung */
  int64_t points, candidates;    /* allowed; measured */
} hp_search_result;

/* HP_ERR_USAGE for more than 10^7 points; an error of `measure`. */
hp_status hp_search_run(const hp_search_problem *P, const hp_search_options *opt, hp_search_result *out) HP_MUST_USE;

#endif
