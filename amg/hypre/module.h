/* The module with hypre (amg/hypre/boomeramg.h), opened when it is first needed. */
#ifndef HP_AMG_HYPRE_MODULE_H
#define HP_AMG_HYPRE_MODULE_H

#include "amg/hypre/boomeramg.h"
#include "core/status.h"

HP_EXTERN_C_BEGIN

typedef struct hp_hypre_functions {
  hp_hypre_cycle_create_function *create;
  hp_hypre_cycle_create_over_function *create_over;
  hp_hypre_cycle_set_up_function *set_up;
  hp_hypre_cycle_run_function *run;
  hp_hypre_cycle_destroy_function *destroy;
} hp_hypre_functions;

/* NULL, or why this build has no hypre. */
const char *hp_hypre_refusal(void);

/* Its functions into *out. Opening starts nothing: the first system starts MPI, the end of the program ends it. By one
 * thread at a time. */
hp_status hp_hypre_open(hp_hypre_functions *out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
