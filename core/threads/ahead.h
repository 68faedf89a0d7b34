/* Work done ahead: steps on a thread of their own, beside the work of the caller.
 *
 *     static hp_status look(void *arg);    static hp_status open(void *arg);
 *
 *     HP_TRY(hp_ahead_start(2, (const hp_ahead_step[]){look, open}, &job, &A));
 *     ...                            the job is the thread's
 *     HP_TRY(hp_ahead_wait(A, 0));   look is done; reports what failed in it
 *     HP_TRY(hp_ahead_wait(A, 1));   so is open: the job is the caller's again
 *     hp_ahead_destroy(&A);
 *
 * A failed step ends the work. A step's results may be read after waiting for it.
 */
#ifndef HP_CORE_THREADS_AHEAD_H
#define HP_CORE_THREADS_AHEAD_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

typedef hp_status (*hp_ahead_step)(void *arg);
typedef struct hp_ahead hp_ahead;

enum { HP_AHEAD_STEPS = 4 }; /* at most */

/* Starts the steps; `arg` must live until the end. Without a thread they are done at once. */
hp_status hp_ahead_start(int count, const hp_ahead_step *step, void *arg, hp_ahead **out) HP_MUST_USE;

/* Waits for step n, from 0, and returns its status, or that of an earlier failed one, with its text. */
hp_status hp_ahead_wait(hp_ahead *A, int n) HP_MUST_USE;

/* Whether hp_ahead_wait would return at once. */
bool hp_ahead_is_done(hp_ahead *A, int n);

/* Waits for the present step; later ones are not begun. */
void hp_ahead_destroy(hp_ahead **A);

HP_EXTERN_C_END

#endif
