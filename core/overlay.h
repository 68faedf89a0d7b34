/* Arrays that live for some steps of a program each, in little memory: those that never live at the same time may
 * stand in the same place.
 *
 *     step    0    1    2    3    4
 *     a       |--------------|              a and b need places of their own;
 *     b            |----|                   c may have b's
 *     c                      |----|
 */
#ifndef HP_CORE_OVERLAY_H
#define HP_CORE_OVERLAY_H

#include <stdint.h>

#include "core/portable.h"

HP_EXTERN_C_BEGIN

typedef struct hp_overlay_array {
  int64_t bytes;
  int first, last; /* steps that it lives in */
  int64_t at;      /* hp_overlay_lay: where it begins */
} hp_overlay_array;

enum { HP_OVERLAY_MAX = 128 };

/* Gives `count` arrays, HP_OVERLAY_MAX at most, places, aligned to 256, none across `border`: before it memory there is
 * anyway, behind it what has to be found. Returns where the last one ends. Not the least that is possible: the better
 * of two orders, one array after the other at the first place that is free. */
int64_t hp_overlay_lay(int count, hp_overlay_array *array, int64_t border);

HP_EXTERN_C_END

#endif
