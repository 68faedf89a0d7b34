/* Rehearsal of work that may crash or never end, as HDF5 may on a damaged file, in a process of its own. */
#ifndef HP_CORE_REHEARSE_H
#define HP_CORE_REHEARSE_H

#include <stdint.h>

#include "core/portable.h"

HP_EXTERN_C_BEGIN

typedef enum { HP_REHEARSED, HP_REHEARSAL_CRASHED, HP_REHEARSAL_ENDLESS, HP_REHEARSAL_MEMORY } hp_rehearsal;

/* Does `work` in a child process and drops its results. HP_REHEARSED: it ended there, with or without success, and can
 * be done here; also if no process can be started. Its limit of processor time grows with the bytes and files that it
 * reads. `work` must change no file, and use neither the GPU nor other threads, which the child does not have. */
hp_rehearsal hp_rehearse(int64_t bytes, int64_t files, void (*work)(void *arg), void *arg);

/* "crashes", "does not come to an end", "takes more memory than there is" */
const char *hp_rehearsal_text(hp_rehearsal r);

HP_EXTERN_C_END

#endif
