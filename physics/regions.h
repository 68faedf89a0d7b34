/* Fluids in place in regions of cells: sums whose bits do not depend on where the cells are.
 *
 *     k of a column   0 1 2 3 4 5 6      cells of one region, one above the other, add up in double precision;
 *     region          1 1 1 2 2 1 1      these sums, and those of all columns, exactly (core/ranks/exact.h)
 *                     [   ] [ ] [ ]
 *
 *     cells here    ---- hp_regions_add ---->   exact sums, which ranks add up
 *                   ---- hp_regions_round --->  values
 */
#ifndef HP_PHYSICS_REGIONS_H
#define HP_PHYSICS_REGIONS_H

#include "core/ranks/exact.h"
#include "physics/reservoir.h"

HP_EXTERN_C_BEGIN

/* X(NAME, what, of a cell with pore volume V at its pressure) */
#define HP_REGION_SUM_LIST(X)                         \
  X(OIL, "in place [m3], surface volume")             \
  X(WATER, "likewise, next to oil as the phases are") \
  X(OIL_VOLUME, "V (1 - s) [m3]")                     \
  X(OIL_PRESSURE, "V (1 - s) p")                      \
  X(VOLUME, "V [m3]")                                 \
  X(PRESSURE, "V p")

typedef enum {
#define HP_REGION_SUM_ENUM(name, what) HP_REGION_##name,
  HP_REGION_SUM_LIST(HP_REGION_SUM_ENUM)
#undef HP_REGION_SUM_ENUM
      HP_REGION_SUMS
} hp_region_sum;

enum { HP_REGIONS_AT_ONCE = 512 }; /* some 1.7 MB of exact sums */

typedef struct hp_region_totals {
  hp_exact of[HP_REGION_SUMS];
} hp_region_totals;

typedef struct hp_region_values {
  double of[HP_REGION_SUMS];
} hp_region_values;

/* Active cells of the first `ncell` of r, whole columns, at r->p and r->s; region [ncell] from 1, 0: none, NULL: all are of
 * region 1. total [count] of regions first, first + 1, ..., counted from 0, gets them added. */
void hp_regions_add(const hp_reservoir *r, int64_t ncell, const uint16_t *region, int first, int count,
                    hp_region_totals *total);
hp_region_values hp_regions_round(const hp_region_totals *total);

HP_EXTERN_C_END

#endif
