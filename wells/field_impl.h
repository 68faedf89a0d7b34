/* Helpers that wells/field.c, which shares targets out, and wells/excess.c, which sees that they are kept, have in common. W->part is that
 * of the last hp_wells_share. */
#ifndef HP_WELLS_FIELD_IMPL_H
#define HP_WELLS_FIELD_IMPL_H

#include "wells/field.h"

/* Says whether well w is a producer that takes part, or an injector that does. */
HP_INLINE bool hp_field_has(const hp_wells *W, int w, bool injector) {
  return W->part[w].takes_part && W->control[w].injector == injector;
}

/* Computes the present rates of all producers together [m3/s]. */
void hp_field_add_up(const hp_wells *W, double total[HP_CONTROL_COUNT]);

/* Returns the water that well w takes, or with `could` what it could take [m3/s]. */
double hp_field_water_of(const hp_wells *W, int w, bool could);

/* Returns the reservoir volume of a surface volume of water that all injectors take: the mean, by what each takes, or could take
 * while none does. */
double hp_field_water_volume(const hp_wells *W);

/* Returns the water to inject where `asked` is asked for [m3/s]. Producers follow the injectors, so the water asked for follows the
 * water injected. At the end of a step both are known at two states, and the line through them meets the water that asks for
 * itself (Steffensen's method). Where the line is too steep for that the water is asked for as it is. */
double hp_field_follow_water(hp_wells *W, hp_share_time when, double asked);

#endif
