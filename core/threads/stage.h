/* Stages of a command, for those who wait for it.
 *
 *     hp_watch_start(5.0, STDERR_FILENO, &watch);    every 5 seconds: "... 10 s: making the grid"
 *     hp_stage("making the grid");
 *     hp_watch_stop(&watch);
 */
#ifndef HP_CORE_THREADS_STAGE_H
#define HP_CORE_THREADS_STAGE_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

/* Kept as a pointer: a text that stays. */
void hp_stage(const char *text);

typedef struct hp_watch hp_watch;

/* A line to file fd every so many seconds, from then on. Where there can be no thread nothing is written. */
hp_status hp_watch_start(double every, int fd, hp_watch **out) HP_MUST_USE;
/* Accepts NULL; nulls the pointer. */
void hp_watch_stop(hp_watch **watch);

HP_EXTERN_C_END

#endif
