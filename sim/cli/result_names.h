/* Results as people name them on a command line. */
#ifndef HP_SIM_CLI_RESULT_NAMES_H
#define HP_SIM_CLI_RESULT_NAMES_H

#include "core/status.h"

typedef struct hp_result_names {
  int count;
  char **name; /* [count] paths of master files, or what was given where there is none */
} hp_result_names;

/* NAME is NAME.h5 where no file is called NAME. NAME.grid.h5, which a pattern such as *.h5 catches beside NAME.h5,
 * stands for NAME.h5 and is left out where that is given, too. On failure what was made is still to be destroyed. */
hp_status hp_result_names_create(int count, char *const *given, hp_result_names *out) HP_MUST_USE;
void hp_result_names_destroy(hp_result_names *names);

#endif
