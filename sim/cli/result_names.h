/* Results as people name them on a command line. */
#ifndef HP_SIM_CLI_RESULT_NAMES_H
#define HP_SIM_CLI_RESULT_NAMES_H

#include "core/status.h"

typedef struct hp_result_names {
  int count;
  char **name; /* [count] paths of master files, or what was given where there is none */
} hp_result_names;

/* NAME is NAME.h5, or NAME.SMSPEC of Eclipse, where no file is called NAME. NAME.grid.h5, which a pattern such as *.h5 catches beside NAME.h5,
 * stands for NAME.h5 and is left out where that is given, too. On failure what was made is still to be destroyed. */
hp_status hp_result_names_create(int count, char *const *given, hp_result_names *out) HP_MUST_USE;
void hp_result_names_destroy(hp_result_names *names);

/* STEP of NAME:STEP, a number or a date, or NULL: a colon with anything else behind it belongs to the name. */
const char *hp_result_step(const char *text);

/* NAME and STEP of such a text, the value of `what`, "--restart"; name is a new string in place of the old one, step part of the text.
 * HP_EXIT_OK or, after a message, HP_EXIT_USAGE. */
int hp_cli_result_step(const char *command, const char *what, const char *text, char **name, const char **step);

/* Reads in a process of its own what a run needs to go on from the step (hp_restart_read) of the result `name`, NULL: none: before
 * threads and a GPU are there, which that would not have. HP_EXIT_OK or, after a message, the exit code. */
int hp_cli_try_restart(const char *name, const char *step);

#endif
