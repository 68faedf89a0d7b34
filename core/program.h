/* The program as a whole: its name and commit, and how it ends. */
#ifndef HP_CORE_PROGRAM_H
#define HP_CORE_PROGRAM_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

enum { HP_EXIT_OK = 0, HP_EXIT_FAILED = 1, HP_EXIT_USAGE = 2, HP_EXIT_INTERRUPTED = 130 };

/* Exit code of a status: usage and deck errors are HP_EXIT_USAGE. */
int hp_exit_code(hp_status s);

/* The commit that the program was built from, for result files; main sets it ("unknown" before). */
extern const char *hp_program_commit;
/* The program's name as it was called, for commands shown to users; main sets it ("hepta" before). */
extern const char *hp_program_name;
/* "1.2.3", the project's. */
extern const char hp_version[];

HP_EXTERN_C_END

#endif
