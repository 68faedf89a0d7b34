/* Launches of kernels of their own (core/device/kernels.h) in benches: the search for the fastest, and the tune file. */
#ifndef HP_BENCH_TUNING_KERNELS_H
#define HP_BENCH_TUNING_KERNELS_H

#include <stdio.h>

#include "bench/sgdia/device.h"
#include "bench/tuning/search.h"
#include "bench/vectors/vectors.h"
#include "core/device/tuned.h"
#include "linsolve/bsr/device.h"

/* Choices that a kernel has besides threads, blocks, unrolling and loads. */
typedef struct hp_kernel_search {
  bool sum;        /* 256 threads at least, and who adds up */
  bool streams;    /* 1 to 16 parts */
  bool shared;     /* x in shared memory, or not */
  bool compile;    /* options of the compiler, while the program runs */
  bool block_rows; /* threads and unrolling alone, and */
  const int *cut;  /* [ncut] where rows are cut; NULL: not */
  int ncut;
  bool (*allowed)(const void *self, const hp_kernel_shape *shape); /* NULL: all are */
  hp_status (*measure)(void *self, const hp_kernel_shape *shape, double *seconds);
  void *self;
  FILE *csv;         /* a line for each launch that was measured; NULL: none */
  const char *label; /* begins it */
} hp_kernel_search;

/* The heading of the lines in csv, after the label's own. */
extern const char hp_kernel_search_csv_head[];

/* `start`: the launch to beat. */
hp_status hp_kernel_search_run(const hp_kernel_search *K, const hp_kernel_shape *start, const hp_search_options *opt,
                               hp_kernel_shape *best, hp_search_result *result) HP_MUST_USE;

/* The launch of an operation on vectors of length n, from the default; of a product with a stencil's matrix, from the
 * untuned one; with `compile` over ways to compile it, too. csv: lines "NAME,n,..", or NULL. */
hp_status hp_kernel_search_vector(hp_vector_timing *T, hp_vector_operation op, int64_t n, const hp_search_options *opt,
                                  bool compile, FILE *csv, hp_tuned_kernel *found) HP_MUST_USE;
hp_status hp_kernel_search_sgdia(hp_sgdia_timing *T, const hp_sgdia *A, const hp_search_options *opt, bool compile,
                                 FILE *csv, hp_tuned_kernel *found) HP_MUST_USE;

/* The launch of products with block rows, from the usual one; the name is hp_bsr_kernel_name's. cut [ncut],
 * up to HP_SEARCH_VALUES_MAX: where rows may be cut. B's cut and order of sums are afterwards those found. */
hp_status hp_kernel_search_blocks(hp_device *D, hp_bsr *B, const char *pattern, const int *cut, int ncut,
                                  const hp_search_options *opt, FILE *csv, hp_tuned_kernel *found) HP_MUST_USE;
/* B cut, and its sums in the order, as the shape says. */
hp_status hp_kernel_arrange_blocks(hp_bsr *B, const hp_kernel_shape *shape) HP_MUST_USE;

/* "256 threads, all blocks, 2 wide, 4 streams": into out. */
void hp_kernel_describe(const hp_kernel_shape *shape, char *out, size_t size);

/* The file of this kind of GPU, read: no rows, and a line on stderr, where it is damaged. */
void hp_kernel_file_read(const hp_device_info *info, hp_tuned *out);
/* Written back, with what was put there; prints where. */
hp_status hp_kernel_file_write(const hp_device_info *info, const hp_tuned *t) HP_MUST_USE;

#endif
