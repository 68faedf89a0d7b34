/* Work that may crash or never end, done first in a process of its own: HDF5 does both on a damaged file. */
#ifndef HP_CORE_REHEARSE_H
#define HP_CORE_REHEARSE_H

#include <stdint.h>

#include "core/portable.h"

HP_EXTERN_C_BEGIN

typedef enum { HP_REHEARSED, HP_REHEARSAL_CRASHED, HP_REHEARSAL_ENDLESS, HP_REHEARSAL_MEMORY } hp_rehearsal;

/* Does `work` once in a child process and throws away what comes of it. HP_REHEARSED: it came to an end there, well or
 * not, and can be done here; also where no process can be started. The processor time that it may take grows with the
 * bytes and files that it reads. `work` must change no file, and leave alone the GPU and other threads, which the child
 * has not. */
hp_rehearsal hp_rehearse(int64_t bytes, int64_t files, void (*work)(void *arg), void *arg);

/* "crashes", "does not come to an end", "takes more memory than there is" */
const char *hp_rehearsal_text(hp_rehearsal r);

HP_EXTERN_C_END

#endif
