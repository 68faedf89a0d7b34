/* Independent tasks side by side, such as packing the chunks of a field.
 *
 *     static hp_status pack(void *arg, int task, int worker);      task 0..count-1, worker 0..threads-1
 *     HP_TRY(hp_tasks_run(threads, count, pack, &arg));
 *
 * Unlike a team's work (core/team/team.h), the tasks are few, of different length, and may wait for the disk. Threads
 * live for one call; the caller is worker 0. If the system gives fewer threads, fewer do the work.
 */
#ifndef HP_CORE_THREADS_TASKS_H
#define HP_CORE_THREADS_TASKS_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

enum { HP_TASKS_MAX = 16 /* threads */ };

typedef hp_status (*hp_task)(void *arg, int task, int worker);

/* Runs each task once; tasks begin in order, and a worker runs one after the other. After a failure no task begins;
 * returned is the failure, with its text, of the first failed task in order. */
hp_status hp_tasks_run(int threads, int count, hp_task task, void *arg) HP_MUST_USE;

HP_EXTERN_C_END

#endif
