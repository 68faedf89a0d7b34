/* Faces that cells of neighbouring columns share across a fault.
 *
 * Two columns side by side have two pillars in common. On the surface between the pillars a point is (s, z): the depth z,
 * and s = 0 at the first pillar, 1 at the second; it is the point of depth z on each pillar, weighted by s. A cell's
 * face is a quadrilateral there, of straight top and bottom:
 *
 *      pillar 0       pillar 1
 *         +-------------+  top of a
 *    top  |             |                 the overlap of two faces is a convex polygon of eight corners at most,
 *    of b +__   a and b |                 also where layers cross; its area vector A is that of the closed line
 *         |  \__________+                 through its corners in space
 *         +-----\-------+  bottom of a
 *                \______+  bottom of b
 *
 * The half transmissibility of a cell is K |A.d| / d.d, with d from the cell's centre to the centre of its whole face
 * (Eclipse's NEWTRAN, OPM Flow).
 */
#ifndef HP_GRID_FAULTS_H
#define HP_GRID_FAULTS_H

#include "grid/corners.h"

HP_EXTERN_C_BEGIN

enum { HP_OVERLAP_CORNERS = 8 };

/* Corners (s, z) of the overlap of two faces, in order around it; returns how many, 0: none. A face is the depths of its
 * top at pillars 0 and 1, then of its bottom. */
int hp_face_overlap(const double a[4], const double b[4], double out[HP_OVERLAP_CORNERS][2]);

/* Cells k[0] of column i, j and k[1] of the next one in direction d. */
typedef struct hp_overlap {
  int k[2];
  bool whole;     /* their faces match: each has its own area */
  double area[3]; /* [m2] unless whole */
} hp_overlap;

typedef struct hp_overlaps {
  int64_t count;
  hp_overlap *at;
  bool match; /* no fault: cells of the same k that are both active match */
} hp_overlaps;

/* Finds the overlaps of active cells of the column i, j and the next one in direction d (not HP_DIR_K), in the layers
 * layers[0]..layers[1], which stand on the same pillars (hp_pillar_systems_beside); they rise by k[0], k[1]. Corners
 * that lie within `tolerance` of the cell's thickness match; if all of the two columns do, pairs of the same k are
 * whole. active is that of hp_grid for the planes held. The cells of a column must not overlap. `out` is replaced and
 * its memory reused. */
hp_status hp_corners_overlaps(const hp_corners *c, const uint8_t *active, int i, int j, int d, const int layers[2],
                              double tolerance, hp_overlaps *out) HP_MUST_USE;
void hp_overlaps_clear(hp_overlaps *o);

HP_EXTERN_C_END

#endif
