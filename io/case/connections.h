/* Connections across pinched-out cells, with their multipliers, from a deck's geometry (those across faults:
 * grid/faults.h, hp_case_fill_corners). Both readers use it.
 *
 *        +-------+
 *        |   a   |           cells between a and b are not active: each is thin, or has too little pore volume; a and b
 *        +=======+  thin     lie apart by no more than the largest gap
 *        |   b   |
 *        +-------+           halves of a and b in series, or with those between them
 */
#ifndef HP_IO_CASE_CONNECTIONS_H
#define HP_IO_CASE_CONNECTIONS_H

#include "io/case/case.h"

HP_EXTERN_C_BEGIN

/* PINCH. */
typedef struct hp_case_pinch {
  bool given;
  double thickness; /* [m] thinner cells that are not active let connections pass */
  bool thin_only;   /* NOGAP: those with little pore volume must be thin, too */
  double gap;       /* [m] the largest one between two cells that are connected */
  bool through;     /* ALL: the cells between them resist */
  bool smallest;    /* ALL: the smallest multiplier along the way counts */
} hp_case_pinch;

/* The smallest transmissibility that counts, in the deck's unit of connection factors, as in OPM Flow. */
#define HP_CASE_LEAST 1e-6

/* Closes faces between neighbours along k of a corner-point grid that lie further apart than the largest gap. */
hp_status hp_case_close_gaps(hp_case *c, const hp_case_pinch *pinch) HP_MUST_USE;
/* Adds connections across pinched-out cells, by c->minpv, without multipliers. The active cells stay those of the deck. */
hp_status hp_case_connect_pinched(hp_case *c, const hp_case_pinch *pinch, hp_case_links *links) HP_MUST_USE;

/* The resistance of the lower half of cell a and the upper half of cell b of its column. */
double hp_case_vertical_resistance(const hp_case *c, int64_t a, int64_t b);

/* Multiplies links of faces by factors of each cell's faces towards +d and -d, side [HP_DIRS][2][ncell], NULL: 1. The
 * cells of the links are held here. */
void hp_case_multiply_links(const hp_grid *g, double *const side[HP_DIRS][2], bool smallest, hp_case_links *links);

/* Keeps those of links that all ranks know which begin in cells held here. */
void hp_case_keep_links(const hp_grid *g, hp_case_links *links);
/* Adds `found` of all ranks, in the order of planes, to the links of those that hold the cells where they begin; *all: of all
 * ranks. */
hp_status hp_case_distribute_links(const hp_grid *g, const hp_case_links *found, hp_case_links *links,
                                   int64_t *all) HP_MUST_USE;

/* Adds links of at least `least` [m3] to c->connection. */
hp_status hp_case_add_links(hp_case *c, const hp_case_links *links, double least) HP_MUST_USE;

HP_EXTERN_C_END

#endif
