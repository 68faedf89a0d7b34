/* Loops over many indices outside of a team: what a run does once, before and between its time steps.
 *
 *     static void scale(void *arg, int64_t begin, int64_t end) { ... indices begin .. end-1 ... }
 *     hp_parallel(n, GRAIN, scale, &job);
 *
 * The indices are cut into as many contiguous ranges as there are threads, each for a thread of its own that lives as
 * long as the loop (some 20 us): a team (core/team/team.h) costs less where loops follow each other for minutes. A body
 * whose results for an index do not depend on the range it stands in gives the same bits for any number of threads.
 */
#ifndef HP_CORE_PARALLEL_H
#define HP_CORE_PARALLEL_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

enum { HP_THREADS_MAX = 256 };      /* of a loop or a team */
enum { HP_PARALLEL_GRAIN = 16384 }; /* indices a thread, where each takes a few nanoseconds */

/* Processors that this process may run on, HP_THREADS_MAX at most. */
int hp_processors(void);

/* Threads of every loop from now on, the caller's included; 0, as at first: one a processor. */
void hp_parallel_limit(int threads);
/* How many that is. */
int hp_parallel_threads(void);

/* body(arg, begin, end) for ranges that make up 0 .. n-1, at least `grain` long each; returns when all are done. */
void hp_parallel(int64_t n, int64_t grain, void (*body)(void *arg, int64_t begin, int64_t end), void *arg);

HP_EXTERN_C_END

#endif
