/* Finding launches on a GPU for a problem size, by measuring them (bench/tuning/search.h), for `hepta tune`.
 *
 * Solves. Timed are an iteration of BiCG-Stab with cpr, which runs have by default, on a system of two phases, of two unknowns only
 * (bench/generators/pressure.h); one with block DILU, on a matrix of bench/generators/family.h; and one without preconditioner,
 * which alone has the choice of recomputing. The first two have shares of their set-ups. The team's shape
 * is searched over barrier and its delay, vectors on chip, blocks a multiprocessor, loads, unrolling and recomputing, and where
 * kernels may be compiled for it over threads a block and options of the compiler, all together. Shapes must not change a bit of the solution: each candidate is held against the default. Of several GPUs, whose
 * barrier is that of the counter, also up to which size the first one works alone on coarse levels of multigrid.
 *
 * Products. The formats of linsolve/matrix/sparse.h, GH with its loads and threads, by products that find nothing in the
 * caches: reported, not kept, since a deck says its format itself (linear.matrix).
 *
 * Kernels. Operations on vectors of the problem's length, and the product with a stencil of the grid's form in SG-DIA,
 * and with its block rows.
 */
#ifndef HP_BENCH_TUNING_TUNE_H
#define HP_BENCH_TUNING_TUNE_H

#include <stdio.h>

#include "bench/tuning/search.h"
#include "core/device/tuned.h"

typedef struct hp_tune_options {
  int iterations;           /* of a solve */
  hp_search_options search; /* of the team's shape; of kernels */
  hp_search_options kernels;
  bool compile; /* search over ways to compile, too */
  FILE *csv;    /* a line for each candidate; NULL: none */
} hp_tune_options;

hp_tune_options hp_tune_default(void);

/* The heading of the lines in csv. */
void hp_tune_csv_head(FILE *csv);

/* The choices of a search for the team's shape; compile: threads a block and ways to compile the solve's kernel among them. The
 * shape of a point, and back. allowed: for q unknowns and so many GPUs. same_kernel: whether a solver made for one of the shapes
 * runs with the other. */
enum { HP_TUNE_CHOICES = 9 };
void hp_tune_choices(bool compile, hp_search_choice *choice);
hp_device_shape hp_tune_shape_of(const int *point);
void hp_tune_point_of(const hp_device_shape *shape, int *point);
bool hp_tune_allowed(const hp_device_shape *shape, int q, int gpus);
bool hp_tune_same_kernel(const hp_device_shape *a, const hp_device_shape *b);

/* The team's shape; D's is then the one found. HP_ERR_INTERNAL where a shape gave other bits. */
hp_status hp_tune_solves(hp_device *D, const int size[3], int q, const hp_tune_options *opt,
                         hp_tuned_row *out) HP_MUST_USE;

/* The number of rows up to which a level of multigrid is best for the first of several GPUs alone (HP_ONE_GPU_ROWS), by solves of a
 * pressure system; seconds of an iteration. HP_ERR_INTERNAL where that changed a bit. */
typedef struct hp_tune_rows {
  int rows;
  double seconds, default_seconds;
} hp_tune_rows;
hp_status hp_tune_levels(hp_device *D, const int size[3], const hp_tune_options *opt, hp_tune_rows *out) HP_MUST_USE;

/* Searches launches of operation `op` on vectors of length n; of products with a star on this grid in double precision. */
hp_status hp_tune_vector(hp_device *D, int op, int64_t n, const hp_tune_options *opt, hp_tuned_kernel *out) HP_MUST_USE;
hp_status hp_tune_product(hp_device *D, const int size[3], int q, const hp_tune_options *opt,
                          hp_tuned_kernel *out) HP_MUST_USE;
/* Those of products with the block rows of a matrix of the family, none of them cut. */
hp_status hp_tune_blocks(hp_device *D, const int size[3], int q, const hp_tune_options *opt,
                         hp_tuned_kernel *out) HP_MUST_USE;

/* The fastest format of products with a matrix of the family. */
typedef struct hp_tune_format {
  char fastest[64];                /* "gh, 128 threads, wide loads" */
  double seconds, default_seconds; /* its; GH's as runs have it */
} hp_tune_format;
hp_status hp_tune_formats(hp_device *D, const int size[3], int q, const hp_tune_options *opt,
                          hp_tune_format *out) HP_MUST_USE;

#endif
