/* A seeded family of GH matrices for benchmarks and tests: what the structured
 * grid tool of Al-Mouhamed & Khan 2017 (sections 6.5 and 7) generates, V x V x V
 * cells with V = 20, 32, 41, 51, 64, q = 2, 4 or 8 unknowns per cell and 50 wells;
 * any box and any q up to HP_GH_Q_MAX.
 *
 * How the numbers are drawn. Each cell has a permeability exp(contrast g) with
 * g from a normal distribution; a face between the cells m and n has the harmonic
 * mean T of the two and a drift v in [-1/2, 1/2), as upstream weighting makes it:
 *
 *     block (m, n) = -T ( (1 + v) I + coupling R ),   block (n, m) = -T ( (1 - v) I + coupling R' )
 *
 * with random R, R' in [0, 1) off the diagonal, divided by q - 1. The diagonal
 * block couples its own unknowns likewise. A symmetric matrix (CG wants one) has
 * v = 0, R' = R^T, a symmetric R in the diagonal block and WT = W^T. Connections beyond the diagonals join cells spread
 * evenly with one of the next i, one to three layers higher or lower, as across a fault; where there is one layer, with
 * that of the next i and j. Their blocks are drawn as those of faces. Well w stands in a vertical column of
 * its own and has entries -T' in W and WT. Every off-diagonal entry is negative or
 * zero; a diagonal entry is the sum of the absolute values of its row times
 * 1 + margin. So the matrix is a nonsymmetric M-matrix, strictly diagonally
 * dominant: it is regular, every Krylov method and preconditioner here solves it;
 * CG the symmetric one only, which is then positive definite.
 * It is not trivial: up to `margin` it maps constants to zero, as a slightly
 * compressible reservoir does, and its coefficients vary by the contrast.
 *
 * A number depends on the seed and its place only, not on the order of drawing.
 */
#ifndef HP_BENCH_GENERATORS_FAMILY_H
#define HP_BENCH_GENERATORS_FAMILY_H

#include "linsolve/matrix/gh.h"

HP_EXTERN_C_BEGIN

typedef struct hp_family {
  int nx, ny, nz, q, nwell;
  double contrast; /* standard deviation of the logarithm of permeability; default 1 */
  double coupling; /* of the unknowns in a block, relative to T; default 0.1 */
  double margin;   /* relative excess of the diagonal; default 1e-3 */
  uint64_t seed;
  bool symmetric; /* default false */
  int connections; /* beyond the diagonals, at most as many as cells; those that would leave the grid are left out; default 0 */
} hp_family;

/* The defaults, seed 1; 50 wells, or as many as a quarter of the columns where that is less. */
hp_family hp_family_default(int nx, int ny, int nz, int q);

/* HP_ERR_USAGE for a size, q or number of wells (at most one a column) that cannot be. */
hp_status hp_family_create(const hp_family *f, hp_gh **out) HP_MUST_USE;

/* A vector of numbers in [-1, 1) that depend on the seed and their index. */
void hp_family_vector(uint64_t seed, int64_t n, double *x);

HP_EXTERN_C_END

#endif
