#include "wells/lift.h"

/* A bhp falls nowhere as the tubing-head pressure rises: one of them is asked for by the other. */
static bool rises_with_thp(const hp_lift_table *t, const double *bhp) {
  const int64_t rows = t->count[HP_LIFT_FLOW], block = rows * t->count[HP_LIFT_THP];
  const int64_t blocks = (int64_t)t->count[HP_LIFT_RATIO] * t->count[HP_LIFT_LIFT];
  for (int64_t b = 0; b < blocks; ++b)
    for (int64_t n = rows; n < block; ++n)
      if (!(bhp[b * block + n] > bhp[b * block + n - rows])) return false;
  return true;
}

const char *hp_lift_fault(const hp_lift_table *t, const double *number) {
  static const char *const text[HP_LIFT_AXES] = {"its rates must be >= 0 and rise", "its thp must be >= 0 and rise",
                                                 "its ratios of water must be >= 0 and rise",
                                                 "its artificial lift must be >= 0 and rise"};
  for (int axis = 0; axis < HP_LIFT_AXES; ++axis) {
    const double *x = number + hp_lift_axis(t, axis);
    for (int n = 0; n < t->count[axis]; ++n)
      if (!(x[n] >= 0.0) || !isfinite(x[n]) || (n > 0 && !(x[n] > x[n - 1]))) return text[axis];
  }
  const double *bhp = number + hp_lift_axis(t, HP_LIFT_AXES);
  for (int64_t n = 0; n < hp_lift_numbers(t) - hp_lift_axis(t, HP_LIFT_AXES); ++n)
    if (!isfinite(bhp[n])) return "its bhp must be numbers";
  return rises_with_thp(t, bhp) ? NULL : "its bhp must rise with thp";
}
