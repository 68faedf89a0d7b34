/* Helpers that wells/group.c, which shares targets out, and wells/excess.c, which sees that they are kept, have in common. W->part is that
 * of the last hp_wells_share and hp_group_select. */
#ifndef HP_WELLS_GROUP_IMPL_H
#define HP_WELLS_GROUP_IMPL_H

#include "wells/group.h"

/* Says whether well w is a producer that shares the selected group's targets, or an injector that does. */
HP_INLINE bool hp_group_has(const hp_wells *W, int w, bool injector) {
  return W->part[w].shares && W->control[w].injector == injector;
}

/* Computes the present rates of the group's producers together [m3/s]. */
void hp_group_add_up(const hp_wells *W, double total[HP_CONTROL_COUNT]);

/* Returns the water that well w of the group takes, or with `could` what it could take [m3/s]. */
double hp_group_water_of(const hp_wells *W, int w, bool could);

/* Returns the reservoir volume of a surface volume of water that the group's injectors take: the mean, by what each takes, or could take
 * while none does. */
double hp_group_water_volume(const hp_wells *W);

/* Returns the water to inject where `asked` is asked for [m3/s]. Producers follow the injectors, so the water asked for follows the
 * water injected. At the end of a step both are known at two states, and the line through them meets the water that asks for
 * itself (Steffensen's method). Where the line is too steep for that the water is asked for as it is. */
double hp_group_follow_water(const hp_wells *W, hp_group *of, hp_share_time when, double asked);

#endif
