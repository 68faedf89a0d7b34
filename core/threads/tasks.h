/* Independent tasks side by side: what a run does beside its computation, such as packing the chunks of a field.
 *
 *     static hp_status pack(void *arg, int task, int worker);      task 0..count-1, worker 0..threads-1
 *     HP_TRY(hp_tasks_run(threads, count, pack, &arg));
 *
 * For work that a team (core/team/team.h) is no place for: there are few tasks, of unlike length, and they may wait for
 * the disk. Threads are started for a call and are gone after it; the caller is worker 0. Where the system gives fewer
 * threads, fewer do the work.
 */
#ifndef HP_CORE_THREADS_TASKS_H
#define HP_CORE_THREADS_TASKS_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

enum { HP_TASKS_MAX = 16 /* threads */ };

typedef hp_status (*hp_task)(void *arg, int task, int worker);

/* Each task once, begun in their order, those with one worker one after the other. After a failure none is begun; the
 * failure, with its text, is that of the first task in their order that failed. */
hp_status hp_tasks_run(int threads, int count, hp_task task, void *arg) HP_MUST_USE;

HP_EXTERN_C_END

#endif
