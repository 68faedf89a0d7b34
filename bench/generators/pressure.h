/* Model pressure systems: 7-point (5-point where one dimension is 1) GH matrices with one unknown per cell, seeded, for
 * benchmarks and tests of multigrid.
 *
 * A face between the cells m and n has the harmonic mean T of their permeabilities, times `vertical` along k:
 *
 *     (m, n) = (n, m) = -T,     (m, m) = sum of its T + storage
 *
 * open: outside every boundary face of a dimension that has more than one cell the pressure is held at zero one cell
 * away, which adds the cell's own permeability to the diagonal: with permeability one this is the Laplace operator with
 * 6 (4) on the whole diagonal. Otherwise nothing flows through the boundary, and without storage and wells the matrix
 * is singular.
 *
 * Wells are vertical through all layers, spread over the area by the seed, at most one per column. A perforation
 * has the index c = 2 k. Well w's row is -c at its cells and their sum on the diagonal (a rate is given);
 * every second well is tied to a fixed pressure besides, which doubles the diagonal. The matrix is symmetric.
 */
#ifndef HP_BENCH_GENERATORS_PRESSURE_H
#define HP_BENCH_GENERATORS_PRESSURE_H

#include "linsolve/matrix/gh.h"

HP_EXTERN_C_BEGIN

typedef struct hp_pressure {
  int nx, ny, nz;
  double sigma;       /* standard deviation of the logarithm of permeability; 0: one everywhere */
  double correlation; /* length [cells] of its exponential covariance; 0: every cell by itself */
  double vertical;    /* factor of the couplings along k */
  double storage;     /* added to the diagonal */
  bool open;
  int nwell;
  uint64_t seed;
} hp_pressure;

/* HP_ERR_USAGE for sizes, factors or wells (at most one a column) that cannot be. */
hp_status hp_pressure_create(const hp_pressure *p, hp_gh **out) HP_MUST_USE;

/* A system of two phases, pressure and saturation of each cell, like Newton's: the sum of a cell's rows is G's row in
 * the pressures, without a saturation (the balance of volume), and saturation flows to the cells after it. G has no
 * wells. */
hp_status hp_pressure_two_phase(const hp_gh *G, hp_gh **out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
