/* Products with block rows on several GPUs of a host (Abdelfattah et al. 2016, section 5.6): each has a share of
 * consecutive rows with about as many blocks as the others', and all of x. The same bits as one GPU.
 *
 * A thread of the host works for each GPU, and one keeps the time. A GPU that stands in the list twice has two shares, with
 * streams and memory of their own.
 */
#ifndef HP_BENCH_PRODUCT_SEVERAL_H
#define HP_BENCH_PRODUCT_SEVERAL_H

#include "bench/bsr/bsr.h"

HP_EXTERN_C_BEGIN

enum { HP_SPMV_GPUS_MAX = 32 };

typedef struct hp_spmv_several {
  const hp_bsr *B;
  int unroll, threads; /* as in hp_spmv_job */
  const int *gpu;      /* [count] which of those visible */
  int count;
  const double *x; /* [rows] */
  double *y;       /* [rows] result of the last product, gathered */
  bool cold;
  double time_limit; /* seconds to measure for at most, about */
  double seconds;    /* result: median time of a product, from when all begin until the last one is done; without the
                        exchange of y */
  int samples;       /* result: timings it is the median of */
} hp_spmv_several;

/* HP_ERR_USAGE for more GPUs than rows or HP_SPMV_GPUS_MAX, and for one that is not there; other errors of the devices. The
 * calling thread's device stays what it is. */
hp_status hp_spmv_several_measure(hp_spmv_several *job) HP_MUST_USE;

HP_EXTERN_C_END

#endif
