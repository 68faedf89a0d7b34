/* The graph of a state's fluxes: a node a cell, an edge from cell to cell, which carries the volume of both phases together. What one
 * upwind equation a cell says about concentrations that it carries is solved by substitution, downstream:
 *
 *     through_m x_m - sum_in rate x_n = b_m        forwards: x_m is what cell m holds of what enters by b
 *     through_m x_m - sum_out rate x_n = b_m       backwards: of what leaves by b
 *
 *        b --> [0] --> [1] --> [3] --> b       order: 0 1 2 3; along it each cell comes behind those that it gets its fluid from
 *               |               ^
 *               +----> [2] -----+
 *
 * Potentials of each phase fall along its flow, so that loops of the sum of both are few and small: of gravity, of capillary
 * pressure. Tarjan's strongly connected components find them; the cells of one follow each other in the order and are
 * solved together (Natvig and Lie, Fast computation of multiphase flow in porous media by implicit discontinuous Galerkin schemes
 * with optimal ordering of elements, J. Comput. Phys. 227, 2008).
 */
#ifndef HP_SIM_DIAGNOSE_GRAPH_H
#define HP_SIM_DIAGNOSE_GRAPH_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

typedef struct hp_flux_graph {
  int64_t ncell;
  int64_t *begin;  /* [ncell+1] entries of cell m: begin[m] .. begin[m+1]-1 */
  int64_t *other;  /* [begin[ncell]] its neighbour */
  double *rate;    /* [begin[ncell]] volume per time out of the cell to it [m3/s], negative: from it; never 0 */
  double *through; /* [ncell] all that leaves the cell, to neighbours and sinks: as much as enters it [m3/s] */
  int64_t ordered; /* cells through which anything flows, */
  int64_t *order;  /* [ordered] those upstream first */
  int64_t nloop;   /* groups of cells that are upstream of each other, */
  int64_t *loop;   /* [2 nloop] places in order of the first of each and behind its last, rising */
} hp_flux_graph;

/* Makes the graph from the rates between pairs of cells [count], positive from a[n] to b[n]; pairs of rate 0 are left out, each pair
 * comes once. The caller then sets `through`, which is 0, and calls hp_flux_graph_order. */
hp_status hp_flux_graph_create(int64_t ncell, int64_t count, const int64_t *a, const int64_t *b, const double *rate,
                               hp_flux_graph *out) HP_MUST_USE;
/* Finds order and loops. */
hp_status hp_flux_graph_order(hp_flux_graph *G) HP_MUST_USE;
void hp_flux_graph_destroy(hp_flux_graph *G);

enum { HP_FLUX_GRAPH_COLUMNS = 8 };
/* Solves for `columns` right-hand sides, at most HP_FLUX_GRAPH_COLUMNS, at once, which x [ncell][columns] holds and which the solutions replace; in cells through
 * which nothing flows they are 0. Loops of up to 64 cells are eliminated, larger ones swept: *unsolved counts cells of loops
 * that were still changing by more than 1e-9 of the largest value when the sweeps ended. */
hp_status hp_flux_graph_solve(const hp_flux_graph *G, bool backwards, int columns, double *x,
                              int64_t *unsolved) HP_MUST_USE;

HP_EXTERN_C_END

#endif
