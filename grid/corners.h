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
#include "grid/pillars.h"

HP_EXTERN_C_BEGIN

/* A rank of a spread grid holds nx planes from `first` on (grid/grid.h). Cells and columns are named by their i, j, k
 * in the whole grid. */
typedef struct hp_corners {
  int nx, ny, nz;
  const double *coord; /* [systems][ny+1][nx+1][6] pillars [m] */
  const double *zcorn; /* [2 nz][2 ny][2 nx] depths [m] */
  int first, behind;   /* behind: 1 where the last plane is another rank's */
  hp_pillar_systems systems;
} hp_corners;

typedef struct hp_hexahedron {
  double at[8][3]; /* corners: x, y, depth [m] */
} hp_hexahedron;

/* Depth [m] of corner n of a cell. */
double hp_corners_depth(const hp_corners *c, int i, int j, int k, int n);
/* The pillar of layer k at the corner (i, j) of the columns, and its point of depth z [m]. */
const double *hp_corners_pillar(const hp_corners *c, int i, int j, int k);
void hp_corners_on_pillar(const hp_corners *c, int i, int j, int k, double z, double out[3]);
hp_hexahedron hp_corners_cell(const hp_corners *c, int i, int j, int k);

void hp_hexahedron_centre(const hp_hexahedron *c, double out[3]);
/* The centre of the face towards +d (upper) or -d. */
void hp_hexahedron_face_centre(const hp_hexahedron *c, int d, bool upper, double out[3]);
/* |A.d| / d.d of that face [m]: the half transmissibility of rock of permeability 1. */
double hp_hexahedron_half(const hp_hexahedron *c, int d, bool upper);
/* The same through a part of the face that has the area vector `area` [m2] (grid/faults.h). */
double hp_hexahedron_half_across(const hp_hexahedron *c, int d, bool upper, const double area[3]);
double hp_hexahedron_volume(const hp_hexahedron *c);      /* [m3] */
double hp_hexahedron_size(const hp_hexahedron *c, int d); /* [m] */

/* Sizes of a cell along i, j, k for Peaceman's formula, and the depth of the middle of its top. The sizes of an
 * inactive cell only serve pictures, but its thickness also PINCH. */
void hp_corners_sizes(const hp_corners *c, int i, int j, int k, bool active, double size[3], double *top);

/* Repairs overlapping cells and cells that are upside down at a corner: corners of a column's active cells move down to
 * the corner before. Tops that overlap by less than `tolerance` of a cell's thickness stay, and so does a grid that is
 * upside down as a whole. Systems of pillars move each other's corners only if they are joined or beside each other and
 * share the pillar. zcorn is that of c; active [nz][ny][nx] is 0 in inactive cells, NULL: all are active. `done`
 * describes the whole grid. */
typedef struct hp_corners_repair {
  int64_t corners; /* so many were moved */
  int cell[3];     /* the first one, 0-based */
  double largest;  /* [m] by at most */
} hp_corners_repair;
hp_status hp_corners_repair_columns(hp_spread *P, const hp_corners *c, double *zcorn, const double *active,
                                    double tolerance, hp_corners_repair *done) HP_MUST_USE;
/* Makes cells flat that are thin by rounding alone: at each corner the bottom lies within 2^-22 of the depth from the top,
 * as where numbers of single precision that are meant to be equal differ. Bottoms become tops. zcorn is that of c; active
 * as above. *flat counts the cells whose thickness was not 0, in the whole grid. */
hp_status hp_corners_flatten_rounded(hp_spread *P, const hp_corners *c, double *zcorn, const double *active,
                                     int64_t *flat) HP_MUST_USE;
#define HP_CORNERS_FLAT "%lld cell%s thinner than depths in single precision can tell: inactive, unless %s is given"
/* Finds the first active cell held here whose bottom lies above its top, by *above [m]; false if there is none. */
bool hp_corners_upside_down(const hp_corners *c, const double *active, int cell[3], double *above);

/* Cuts the hexahedra into r[0] x r[1] x r[2] along i, j, k. Depths are those of the trilinear map; a new pillar is, at
 * each depth, the bilinear mean of those around it. If the pillars around a column are parallel the pieces fill each
 * cell exactly. The finer grid gets coord [6 (nx r0 + 1)(ny r1 + 1) systems] and zcorn [8 cells]. */
void hp_corners_refine(const hp_corners *c, const int r[3], double *coord, double *zcorn);

HP_EXTERN_C_END

#endif
