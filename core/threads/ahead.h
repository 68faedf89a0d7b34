/* Work done ahead: steps on a thread of their own, while who started them does something else.
 *
 *     static hp_status look(void *arg);    static hp_status open(void *arg);
 *
 *     HP_TRY(hp_ahead_start(2, (const hp_ahead_step[]){look, open}, &job, &A));
 *     ...                            the job is the thread's
 *     HP_TRY(hp_ahead_wait(A, 0));   look is done; reports what failed in it
 *     HP_TRY(hp_ahead_wait(A, 1));   so is open: the job is the caller's again
 *     hp_ahead_destroy(&A);
 *
 * After a step that failed none is made. What a step has written may be read once it has been waited for.
 */
#ifndef HP_CORE_THREADS_AHEAD_H
#define HP_CORE_THREADS_AHEAD_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

typedef hp_status (*hp_ahead_step)(void *arg);
typedef struct hp_ahead hp_ahead;

enum { HP_AHEAD_STEPS = 4 }; /* at most */

/* `arg` must live until the end. Where no thread can be had the steps are made here and now. */
hp_status hp_ahead_start(int count, const hp_ahead_step *step, void *arg, hp_ahead **out) HP_MUST_USE;

/* Returns when step n, from 0, is done: its status, or that of the earlier one that failed, with its text. */
hp_status hp_ahead_wait(hp_ahead *A, int n) HP_MUST_USE;

/* Whether hp_ahead_wait would return at once. */
bool hp_ahead_is_done(hp_ahead *A, int n);

/* Waits for the step in hand; steps that have not begun are left out. */
void hp_ahead_destroy(hp_ahead **A);

HP_EXTERN_C_END

#endif
