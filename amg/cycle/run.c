#include "amg/cycle/program.h"
#include "amg/rows/rows.inl.h"

#define HP_BOTH "amg/cycle/run_real.inl.h"
#include "amg/rows/both.inl.h"

void hp_amg_run(hp_team *t, const hp_amg *H, const hp_amg_pass *pass, int count, const double *b, double *x) {
  const bool single = H->opt.precision == HP_PRECISION_SINGLE;
  for (int k = 0; k < count; ++k) {
    if (single) hp_amg_pass_run_float(t, H, &pass[k], b, x);
    else hp_amg_pass_run_double(t, H, &pass[k], b, x);
    hp_team_sync(t); /* what the pass wrote */
  }
}

void hp_amg_cycle(hp_team *t, const hp_amg *H, const double *b, double *x) {
  hp_amg_run(t, H, H->program, H->passes, b, x);
}
