/* Shapes that layers of blocks are bent and broken into: domes, dips and faults with throw, which add up. */
#ifndef HP_GRID_STRUCTURE_H
#define HP_GRID_STRUCTURE_H

#include "grid/grid.h"

HP_EXTERN_C_BEGIN

#define HP_STRUCTURE_LIST(X) \
  X(DOME, "dome")            \
  X(DIP, "dip")              \
  X(FAULT, "fault")

#define HP_STRUCTURE_ENUM(name, text) HP_STRUCTURE_##name,
typedef enum { HP_STRUCTURE_LIST(HP_STRUCTURE_ENUM) HP_STRUCTURE_COUNT } hp_structure_kind;
#undef HP_STRUCTURE_ENUM

/* x along i and y along j, from the corner of cell (1, 1) [m]. */
typedef struct hp_structure {
  hp_structure_kind kind;
  double centre[2], radius[2]; /* dome: of an ellipse, outside of which nothing moves [m] */
  double height;               /* dome: by which its centre rises [m] */
  double slope[2];             /* dip: growth of the depth along x and y [-] */
  int d, after;                /* fault: behind this number of cells along d, HP_DIR_I or HP_DIR_J */
  double *throws; /* fault: [nthrow] by which what lies behind it sinks [m], evenly spaced along it, linear between */
  int nthrow;
  double reach; /* fault: distance behind it at which nothing sinks any more [m]; INFINITY: none */
} hp_structure;

/* The depth that the shapes add to the point (x, y) of a cell in column (i, j) [m]; the grid's nodes along i and j are
 * node[0] [nx+1], node[1] [ny+1] [m]. */
double hp_structure_depth(int count, const hp_structure *shape, const int size[3], double *const node[2],
                          const int ij[2], const double at[2]);

/* Vertical pillars of the planes first .. first + held along i, and depths of the cells between them, as grid/corners.h has
 * them: coord [ny+1][held+1][6], zcorn [2 nz][2 ny][2 held]; layer [nz+1] depths of the flat grid's layers. */
void hp_structure_fill(int count, const hp_structure *shape, const int size[3], int first, int held,
                       double *const node[2], const double *layer, double *coord, double *zcorn);

HP_EXTERN_C_END

#endif
