/* `hepta run --dump-systems NAME[:STEP,...]`: linear systems of chosen time steps as files (io/systems/system.h),
 *
 *     NAME.step0012.newton03.h5             the third system of step 12
 *     NAME.step0012.attempt2.newton01.h5    after a cut
 *
 * An observer of the run, as `hepta compare --same-steps` is one. It follows cpr's counts of builds and refreshes and
 * holds a copy of the matrices that they were made from, so that each file has what its solve depended on.
 */
#ifndef HP_SIM_DUMP_SYSTEMS_H
#define HP_SIM_DUMP_SYSTEMS_H

#include "sim/simulator/simulator.h"

HP_EXTERN_C_BEGIN

enum { HP_DUMP_CHOSEN = 256 };

typedef struct hp_dump_choice {
  int step, newton; /* newton 0: all of the step */
} hp_dump_choice;

typedef struct hp_dump_options {
  char *name; /* NULL: nothing is asked for; the caller frees it */
  int count;  /* of `of`; 0: all systems */
  hp_dump_choice of[HP_DUMP_CHOSEN];
} hp_dump_options;

/* "NAME", "NAME:12" or "NAME:3,12,14.1"; a colon with anything else behind it belongs to the name. HP_ERR_USAGE. */
hp_status hp_dump_parse(const char *text, hp_dump_options *out) HP_MUST_USE;

typedef struct hp_dump hp_dump;

/* base: path of the files up to ".step"; both are borrowed. */
hp_status hp_dump_create(const hp_dump_options *opt, const char *base, hp_dump **out) HP_MUST_USE;
void hp_dump_destroy(hp_dump **D);
const hp_run_observer *hp_dump_observer(const hp_dump *D);
/* Says what was written, and what of it the run did not come to. */
void hp_dump_report(const hp_dump *D, hp_sim *S);

HP_EXTERN_C_END

#endif
