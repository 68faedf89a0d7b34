/* Patterns of block rows for benchmarks and tests, of the kinds that Abdelfattah et al. 2016 measure (Table II); values
 * are random numbers of [-1, 1) that depend on the seed and their place.
 *
 *     dual     two grids nx x ny x nz of seven diagonals with a link between the two cells of a place, as in a model
 *              of dual porosity and dual permeability: 70 x 70 x 30 has the 294000 block rows and 2315600 blocks of
 *              their spe5Ref_dpdp; their values are another's and not known
 *     band     every row has `width` blocks in columns near the diagonal: lengths do not vary (their cage10, coater2)
 *     scattered  two to twelve blocks in a row, anywhere, as in networks (their hvdc1, bauru5727): hardly any two rows need
 *              the same of x
 *     tailed   lengths as of circuits (their rajat22, shermanACb): most rows have few blocks, the share of those with
 *              more than n falls as n^-1.2, up to an eighth of the rows
 */
#ifndef HP_BENCH_BSR_PATTERNS_H
#define HP_BENCH_BSR_PATTERNS_H

#include "bench/bsr/bsr.h"

HP_EXTERN_C_BEGIN

hp_status hp_bsr_dual(int nx, int ny, int nz, int q, uint64_t seed, hp_bsr **out) HP_MUST_USE;
/* width: at most nrow. */
hp_status hp_bsr_band(int64_t nrow, int width, int q, uint64_t seed, hp_bsr **out) HP_MUST_USE;
hp_status hp_bsr_scattered(int64_t nrow, int q, uint64_t seed, hp_bsr **out) HP_MUST_USE;
hp_status hp_bsr_tailed(int64_t nrow, int q, uint64_t seed, hp_bsr **out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
