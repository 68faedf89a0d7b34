#include "sim/simulator/step_control.h"

#include <math.h>

/* The factor that the error in time allows. What a step adds to the error of the totals goes as its length and, in a
 * flood, with the age of the flood: steps as the root of what was moved make the least error for their number. The
 * error estimated so far shortens or lengthens them, the more the longer both phases have been produced: before, it
 * says little about what is to come. Rates may change as they like while it is small. */
static double by_error(const hp_timestep_options *opt, const hp_step_sizes *sizes) {
  if (!(opt->accuracy > 0.0 && opt->accuracy < 1.0)) return opt->growth;
  const double aim = opt->accuracy / HP_TIME_ERROR_LEFT, a = aim / 0.01, left = aim / fmax(sizes->error, 1e-300);
  const double most = 1.2 + 4.0 * sizes->both * fmin(1.0, fmax(0.0, 0.25 * left - 1.0));
  const double volume = fmin(most, fmax(0.75, 0.6 * left)) * a * HP_TIMESTEP_VOLUME / sizes->volume;
  if (!sizes->known || !(sizes->rates > 0.0)) return volume;
  /* a step that moves a twentieth of what it may is short enough: rates that jump all the same do so at any length. Not
   * so where the rock around an injector is being filled, which moves little and slows down from the start: there the
   * error so far shortens the steps */
  const double kept = sizes->kept, enough = fmax(0.1 * left, (1.0 - kept) * volume / 20.0);
  const double rates = a * HP_TIMESTEP_RATES * (1.0 - kept + kept * fmin(0.25, left));
  return fmin(volume, fmax(pow(rates / sizes->rates, 0.7), enough));
}

/* A step that is shorter than this part of what the error and the change allow takes its iterations at any length: wells that look
 * for their controls do so in each. */
#define SHORT 0.05

double hp_timestep_next(const hp_timestep_options *opt, double dt, int newton, double ds, const hp_step_sizes *sizes) {
  const double w = 0.5;
  const double by_change = (1.0 + w) * opt->target_ds / (fmax(ds, 0.0) + w * opt->target_ds);
  const double by_newton = newton > 0 ? (1.0 + opt->target_newton) / (1.0 + newton) : opt->growth;
  const double error = by_error(opt, sizes), too_short = SHORT * fmin(error, opt->target_ds / fmax(ds, 1e-300));
  const double factor = fmin(fmin(opt->growth, error), fmin(by_change, fmax(by_newton, too_short)));
  return fmin(opt->max, fmax(opt->min, dt * fmax(factor, 0.5)));
}

double hp_timestep_fit(double time, double target, double suggested) {
  const double left = target - time;
  if (suggested >= left * (1.0 - 1e-9)) return left;
  return left / ceil(left / suggested - 1e-9);
}
