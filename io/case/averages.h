/* How average pressures around a well are taken (WBP, WBP4, WBP5, WBP9): of the cells of its connections, their four neighbours across
 * faces in the plane across the bore, and the four across edges.
 *
 *     inner >= 0    a connection's WBP5 is inner * cell + (1 - inner) * mean of the neighbours; WBP9 likewise
 *     inner < 0     its cells are weighted by pore volume
 *     well          by_factor * mean of its connections, weighted by connection factors,
 *                   + (1 - by_factor) * mean of all their cells, weighted by pore volume
 *
 * after Eclipse 100 (WPAVE) as OPM Flow takes it from 2023 on (opm-common, PAvgCalculator). Pressures are moved from the connection's
 * depth to `depth` by the density in the wellbore, or by that of the fluids in these cells.
 */
#ifndef HP_IO_CASE_AVERAGES_H
#define HP_IO_CASE_AVERAGES_H

#include "wells/well.h"

HP_EXTERN_C_BEGIN

struct hp_case;

/* X(NAME, "deck name") */
#define HP_AVERAGE_HEAD_LIST(X) \
  X(WELL, "well")               \
  X(RESERVOIR, "reservoir")     \
  X(NONE, "none")
#define HP_AVERAGE_OF_LIST(X) \
  X(OPEN, "open")             \
  X(ALL, "all")

typedef enum {
#define HP_AVERAGE_HEAD_ENUM(name, text) HP_AVERAGE_HEAD_##name,
  HP_AVERAGE_HEAD_LIST(HP_AVERAGE_HEAD_ENUM)
#undef HP_AVERAGE_HEAD_ENUM
} hp_average_head;

typedef enum {
#define HP_AVERAGE_OF_ENUM(name, text) HP_AVERAGE_OF_##name,
  HP_AVERAGE_OF_LIST(HP_AVERAGE_OF_ENUM)
#undef HP_AVERAGE_OF_ENUM
} hp_average_of;

/* Settings that hold from `time` on; NAN and -1: as before. */
typedef struct hp_average {
  double time;             /* [s] */
  char well[HP_WELL_NAME]; /* a name or a pattern */
  double inner, by_factor; /* [-] */
  double depth;            /* [m] NAN at last: the reference depth of the bottom-hole pressure */
  int head;                /* hp_average_head: what moves pressures to that depth */
  int of;                  /* hp_average_of: connections */
} hp_average;

hp_average hp_average_nothing(void);
/* Adds an entry behind the others, whose times are not later. */
hp_status hp_average_add(struct hp_case *c, const hp_average *entry) HP_MUST_USE;
/* The settings in force for well w in the step that ends at `time` [s]. */
hp_average hp_average_at(const struct hp_case *c, int w, double time);

HP_EXTERN_C_END

#endif
