#include "sim/timestep.h"

#include <math.h>

double hp_timestep_next(const hp_timestep_options *opt, double dt, int newton, double ds) {
  const double w = 0.5;
  const double by_change = (1.0 + w) * opt->target_ds / (fmax(ds, 0.0) + w * opt->target_ds);
  const double by_newton = newton > 0 ? (1.0 + opt->target_newton) / (1.0 + newton) : opt->growth;
  const double factor = fmin(opt->growth, fmin(by_change, by_newton));
  return fmin(opt->max, fmax(opt->min, dt * fmax(factor, 0.5)));
}

double hp_timestep_fit(double time, double target, double wish) {
  const double left = target - time;
  if (wish >= left * (1.0 - 1e-9)) return left;
  return left / ceil(left / wish - 1e-9);
}
