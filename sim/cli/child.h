/* Other programs that commands start: Python, ParaView. Never through a shell. */
#ifndef HP_SIM_CLI_CHILD_H
#define HP_SIM_CLI_CHILD_H

#include <stdbool.h>

#include "core/status.h"

enum { HP_CHILD_MISSING = 127 };

/* Whether there is such a program on PATH. */
bool hp_child_find(const char *program);

/* "OPTION=VALUE" as argv[*n], to be freed by the caller, and counts it; a value may begin with a dash. NULL: none. */
hp_status hp_child_add(char **argv, int *n, const char *option, const char *value) HP_MUST_USE;

/* Starts argv[0], found on PATH, with the NULL-terminated argv, and waits for it. Its exit code; HP_CHILD_MISSING where
 * there is no such program, HP_EXIT_FAILED after a message where it could not be started or was ended by a signal. */
int hp_child_run(char *const *argv);

/* Starts sim/commands/plot/plot.py, in the first Python that has its modules, with argv[HP_CHILD_OWN] on, NULL-terminated, and waits for
 * it. Its exit code; HP_EXIT_FAILED after a message of the command where there is no script or no such Python. */
enum { HP_CHILD_OWN = 2 };
int hp_child_draw(const char *command, char **argv);

/* hp_rehearse() (core/rehearse.h) of what reads the result `path`: HP_OK: it can be done here; HP_ERR_USAGE, with a
 * sentence about the result: it crashed, or did not come to an end within some seconds of processor time;
 * HP_ERR_MEMORY: a library was refused memory there. */
hp_status hp_child_rehearse(const char *path, void (*work)(void *arg), void *arg) HP_MUST_USE;

/* The same for all that the result with the master `path` holds; then hp_output_verify(). A result without checksums is
 * noted on stderr. */
hp_status hp_child_try_result(const char *path, bool fields) HP_MUST_USE;
void hp_child_note_unlisted(const char *path, bool listed);

#endif
