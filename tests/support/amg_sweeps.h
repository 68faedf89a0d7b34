/* Sweeps of a smoother by themselves. */
#ifndef HP_TESTS_SUPPORT_AMG_SWEEPS_H
#define HP_TESTS_SUPPORT_AMG_SWEEPS_H

#include "amg/cycle/program.h"
#include "core/memory.h"
#include "tests/support/check.h"

/* Team program: `count` sweeps on level 0 of H by the passes of a list of their own; v as in hp_amg_add_sweep. Ends
 * with a barrier. */
HP_INLINE void amg_sweeps(hp_team *t, const hp_amg *H, int count, bool forward, const void *b, hp_amg_iterate *v) {
  hp_amg_writer W = {.H = H};
  for (int k = 0; k < count; ++k) CHECK_OK(hp_amg_add_sweep(&W, 0, forward, b, v));
  hp_amg_run(t, H, W.pass, W.count, NULL, NULL);
  HP_FREE(W.pass);
}

#endif
