/* Grids by corners, as Eclipse's COORD and ZCORN give them.
 *
 *     coord  a pillar for each corner of the columns: two points x, y, z
 *     zcorn  the depth of each cell's eight corners on its four pillars
 *
 *          0-----1        corners of a cell: a + 2 b + 4 c, a along i, b along j, c down
 *         /|    /|
 *        2-----3 |        [2 nz][2 ny][2 nx] depths: 2 k + c, 2 j + b, 2 i + a
 *        | 4---|-5
 *        |/    |/
 *        6-----7
 *
 * A cell is the image of a cube under the trilinear map of its corners: volume
 * by Gauss's rule with two points a direction, which is exact for it. The face
 * towards a neighbour has the area vector A (half the cross product of its
 * diagonals) and its corners' mean as centre; from the cell's centre, the mean
 * of its corners, d goes there, and the half transmissibility is
 *     K |A.d| / d.d    times NTG in lateral directions
 * as Eclipse's NEWTRAN and OPM Flow have it. Sizes for Peaceman's formula are
 * the distances of opposite faces' centres, lateral ones in the plane.
 */
#ifndef HP_GRID_CORNERS_H
#define HP_GRID_CORNERS_H

#include "grid/grid.h"

HP_EXTERN_C_BEGIN

typedef struct hp_corners {
  int nx, ny, nz;
  const double *coord; /* [ny+1][nx+1][6] pillars [m] */
  const double *zcorn; /* [2 nz][2 ny][2 nx] depths [m] */
} hp_corners;

typedef struct hp_hexahedron {
  double at[8][3]; /* corners: x, y, depth [m] */
} hp_hexahedron;

/* Depth [m] of corner n of a cell. */
double hp_corners_depth(const hp_corners *c, int i, int j, int k, int n);
/* The point of depth z [m] on the pillar at the corner (i, j) of the columns. */
void hp_corners_on_pillar(const hp_corners *c, int i, int j, double z, double out[3]);
hp_hexahedron hp_corners_cell(const hp_corners *c, int i, int j, int k);

void hp_hexahedron_centre(const hp_hexahedron *c, double out[3]);
/* Numbers of the four corners of the face towards +d (upper) or -d, around it. */
void hp_hexahedron_face(int d, bool upper, int out[4]);
void hp_hexahedron_face_centre(const hp_hexahedron *c, int d, bool upper, double out[3]);
/* |A.d| / d.d of that face [m]: the half transmissibility of rock of permeability 1. */
double hp_hexahedron_half(const hp_hexahedron *c, int d, bool upper);
/* The same through a part of the face that has the area vector `area` [m2] (grid/faults.h). */
double hp_hexahedron_half_across(const hp_hexahedron *c, int d, bool upper, const double area[3]);
double hp_hexahedron_volume(const hp_hexahedron *c);      /* [m3] */
double hp_hexahedron_size(const hp_hexahedron *c, int d); /* [m] */

/* The same hexahedra cut into r[0] x r[1] x r[2] along i, j, k: depths are those of the trilinear map; a pillar between
 * others is, at each depth, their bilinear mean. Where the pillars around a column are parallel the pieces fill each
 * cell exactly. coord [6 (nx r0 + 1)(ny r1 + 1)], zcorn [8 cells] of the finer grid. */
void hp_corners_refine(const hp_corners *c, const int r[3], double *coord, double *zcorn);

HP_EXTERN_C_END

#endif
