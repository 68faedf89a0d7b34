/* A deck's aquifers beyond hp_aquifer_spec: faces of cells, the table of the infinite aquifer, and cells of numerical
 * aquifers. Both readers use it.
 *
 * A numerical aquifer is a chain of cells of the grid with their own sizes (AQUNUM). The first one is connected to
 * faces of other cells (AQUCON). Nothing else flows into them.
 *
 *     half of cell i       T_i = 2 k_i A_i / L_i
 *     cells i and i + 1    T_i T_(i+1) / (T_i + T_(i+1))
 *     face f of cell m     T_m T_1 / (T_m + T_1) times the multiplier,  T_m = 2 mult k_m A_f / d_m; by_face: T_1 = 2 k_1 A_f / L_1
 *
 * as in OPM Flow 2022.10. A_f is the product of the cell's sizes along the face, times its net to gross on faces along
 * i and j; mult that of MULTX and the like.
 */
#ifndef HP_IO_CASE_AQUIFERS_H
#define HP_IO_CASE_AQUIFERS_H

#include "io/case/case.h"

HP_EXTERN_C_BEGIN

/* Faces of the cells of a box that an aquifer is connected to. */
typedef struct hp_aquifer_faces {
  int number;         /* of the aquifer */
  int box[6];         /* i1 i2 j1 j2 k1 k2, 0-based, inclusive */
  int d;              /* HP_DIR_* */
  bool minus, inside; /* inside: also faces towards active cells */
  double coefficient; /* [m2] NAN: the face's area; analytic aquifers only */
  double multiplier;
  bool by_face; /* numerical: the aquifer's half transmissibility has the face's area */
  double *mult; /* numerical: [cells of the box, k fastest, then j] multipliers of these faces by MULTX and the like; of
                   several ranks those of own planes (hp_aquifer_own_planes) */
  const char *file;
  int line;
} hp_aquifer_faces;

/* A cell of a numerical aquifer. */
typedef struct hp_aquifer_cell {
  int number;                                  /* of the aquifer */
  int ijk[3];                                  /* 0-based */
  double area, length, porosity, permeability; /* [m2], [m], [-], [m2] area NAN: the cell stays as the grid has it */
  double depth, pressure;                      /* NAN: the cell's, that of the equilibrium; the porosity likewise */
  int table[2];                                /* of PVT and saturation functions, from 1; 0: the cell's */
  const char *file;
  int line;
} hp_aquifer_cell;

/* Adds the faces' coefficients to weight [ncell] (NAN: not connected), each rank for its own cells. */
void hp_aquifer_add_faces(const hp_grid *g, const hp_aquifer_faces *f, double *weight);
/* Makes the connections of `a` from weight, each rank for its cells; *none: no coefficient is positive, and there are
 * none. */
hp_status hp_aquifer_connect(const hp_grid *g, const double *weight, hp_aquifer_spec *a, bool *none) HP_MUST_USE;

/* Sets the influence function to a copy of td and pd [rows]; NULL: that of the infinite aquifer. */
hp_status hp_aquifer_influence(hp_aquifer_spec *a, int rows, const double *td, const double *pd) HP_MUST_USE;
/* The fault in the function, or NULL, and its row from 1 (0: no row). Times and pressures must rise, and no row may
 * begin below zero, so that the divisor of Carter and Tracy's rate is positive. */
const char *hp_aquifer_influence_fault(int rows, const double *td, const double *pd, int *row);
bool hp_aquifer_is_infinite(const hp_aquifer_spec *a);

/* The place of aquifer `number` in c->aquifer or c->numerical, where numbers rise: makes room, which there is, and counts it. */
hp_aquifer_spec *hp_case_place_aquifer(hp_case *c, int number);

/* ---- numerical aquifers: in this order, while the grid is made and after that; of several ranks each with its cells ---- */

/* The planes i = *begin .. *end - 1 of the box that are this rank's. */
void hp_aquifer_own_planes(const hp_case *c, const hp_aquifer_faces *f, int *begin, int *end);

/* Sets pore volumes, and closes these cells to their neighbours on the lattice. *fault: a cell held here without a
 * porosity, or NULL. */
hp_status hp_aquifer_isolate(hp_case *c, int count, const hp_aquifer_cell *cell,
                             const hp_aquifer_cell **fault) HP_MUST_USE;
/* Connects each cell to the next one of the same aquifer. */
hp_status hp_aquifer_link_cells(const hp_case *c, int count, const hp_aquifer_cell *cell,
                                hp_case_links *links) HP_MUST_USE;
/* Connects the first cell to *linked open faces. With several ranks the grid must know the plane before
 * (hp_grid_learn_before). */
hp_status hp_aquifer_link_faces(const hp_case *c, int count, const hp_aquifer_cell *cell, const hp_aquifer_faces *f,
                                hp_case_links *links, int64_t *linked) HP_MUST_USE;
/* Sets depths, initial states and c->numerical, aquifer by aquifer. */
hp_status hp_aquifer_complete_numerical(hp_case *c, int count, const hp_aquifer_cell *cell) HP_MUST_USE;

HP_EXTERN_C_END

#endif
