/* Places for arrays that each live for some steps of a program: arrays that never live at the same time share memory.
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

/* Gives `count` <= HP_OVERLAY_MAX arrays places aligned to 256 bytes, none across `border`, which ends the memory that
 * exists anyway. Returns the end of the last one. The result is the better of two greedy orders, not the optimum. */
int64_t hp_overlay_lay(int count, hp_overlay_array *array, int64_t border);

HP_EXTERN_C_END

#endif
