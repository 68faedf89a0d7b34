/* Finding the launch shape of a GPU for a problem size, by measuring it.
 *
 * The problem is a matrix of linsolve/generators/family.h with two unknowns a cell; what is
 * timed is what a Newton iteration of a run does with it: the set-up of block
 * DILU and a fixed number of BiCG-Stab iterations. One choice after the other is
 * decided, the best so far kept: barrier with its delay, vectors on chip,
 * blocks a multiprocessor, layout and width of loads, unrolling; recompute by solves without preconditioner,
 * the only ones it concerns. Candidates take turns, round after round, and their
 * medians count. In the end the shape found runs against the default once more
 * and must be a hundredth faster, or the default stays.
 *
 * Shapes must not change a bit of the solution: each candidate is held against
 * the default.
 */
#ifndef HP_SIM_BENCH_TUNING_TUNE_H
#define HP_SIM_BENCH_TUNING_TUNE_H

#include <stdio.h>

#include "core/device/tuned.h"

typedef struct hp_tune_options {
  int iterations; /* of a solve */
  int rounds;     /* 1 .. HP_TUNE_ROUNDS_MAX */
  uint64_t seed;  /* of the matrix */
  FILE *csv;      /* a line for each candidate of each choice; NULL: none */
} hp_tune_options;

enum { HP_TUNE_ROUNDS_MAX = 99 };

hp_tune_options hp_tune_default(void);

/* The heading of the lines in csv. */
void hp_tune_csv_head(FILE *csv);

/* D's shape is then the one found. HP_ERR_INTERNAL where a shape gave other bits. */
hp_status hp_tune_size(hp_device *D, const int size[3], const hp_tune_options *opt, hp_tuned_row *out) HP_MUST_USE;

#endif
