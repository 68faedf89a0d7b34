/* Memory that cpr's hierarchy will take on the CPU, for `hepta check`. */
#ifndef HP_AMG_CPR_MEMORY_H
#define HP_AMG_CPR_MEMORY_H

#include "amg/cpr/cpr.h"
#include "grid/grid.h"

HP_EXTERN_C_BEGIN

typedef struct hp_cpr_memory_input {
  const hp_grid *grid;
  const hp_cpr_options *opt;
  int threads;
  int nwell;
  const int64_t *begin, *cell; /* [nwell+1], [begin[nwell]] perforations */
  const double *wi;            /* [begin[nwell]] [m3] */
} hp_cpr_memory_input;

typedef struct hp_cpr_memory {
  int64_t held;     /* the pressure system and its hierarchy */
  int64_t building; /* the most while they are made, with what is held */
  int64_t whole; /* of `held` what a run by several ranks has on each of them: levels of few rows (amg/ranks/whole.c) */
  int64_t gathered; /* what each of these has beside them: their first one's numbers on the way from the others */
} hp_cpr_memory;

/* Sets a hierarchy up, of at most 65536 cells, and counts. Restarts the peak of core/memory.h. */
hp_status hp_cpr_measure_memory(const hp_cpr_memory_input *in, hp_cpr_memory *out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
