/* Stages of a command, shown to a waiting user.
 *
 *     hp_watch_start(5.0, STDERR_FILENO, &watch);    every 5 seconds: "... 10 s: making the grid"
 *     hp_stage("making the grid");
 *     hp_watch_stop(&watch);
 */
#ifndef HP_CORE_THREADS_STAGE_H
#define HP_CORE_THREADS_STAGE_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

/* Sets the stage; the text is kept as a pointer. */
void hp_stage(const char *text);

typedef struct hp_watch hp_watch;

/* Writes a line to file fd every so many seconds from now on; without a thread nothing. */
hp_status hp_watch_start(double every, int fd, hp_watch **out) HP_MUST_USE;
/* Accepts NULL; nulls the pointer. */
void hp_watch_stop(hp_watch **watch);

HP_EXTERN_C_END

#endif
