/* Loops over many indices outside of a team, before and between time steps.
 *
 *     static void scale(void *arg, int64_t begin, int64_t end) { ... indices begin .. end-1 ... }
 *     hp_parallel(n, GRAIN, scale, &job);
 *
 * The indices are cut into one contiguous range per thread. Threads live as long as the loop and cost some 20 us; a
 * team (core/team/team.h) is cheaper for many loops. A body whose results for an index do not depend on its range gives
 * the same bits for any number of threads.
 */
#ifndef HP_CORE_PARALLEL_H
#define HP_CORE_PARALLEL_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

enum { HP_THREADS_MAX = 256 };      /* of a loop or a team */
enum { HP_PARALLEL_GRAIN = 16384 }; /* indices a thread, where each takes a few nanoseconds */

/* The number of processors that this process may run on, at most HP_THREADS_MAX. */
int hp_processors(void);

/* Sets the threads of later loops, the caller's included; 0 (initially): one per processor. */
void hp_parallel_limit(int threads);
/* Returns that number. */
int hp_parallel_threads(void);

/* Calls body(arg, begin, end) for ranges of at least `grain` indices that make up 0 .. n-1; returns when all are
 * done. */
void hp_parallel(int64_t n, int64_t grain, void (*body)(void *arg, int64_t begin, int64_t end), void *arg);

HP_EXTERN_C_END

#endif
