/* Products on a GPU as single kernels, for `hepta bench spmv`: GH in several
 * layouts, GH-h and the formats of linsolve/matrix/sparse.h, csr, bsr and sell by
 * cuSPARSE or, csr and sell, by kernels of this program. Runs use the team's product (linsolve/product/cuda/spmv.cuh) instead.
 *
 * Layouts of GH (bench/product/cuda/gh.cu says how each works):
 *   rows     one scalar row per thread
 *   pairs    two rows per thread (q = 2: a cell), 16-byte loads, even q
 *   shared   pairs, the block's range of x fetched together into shared memory
 *   fma      pairs with fused multiply-add: the only one with other bits than the CPU
 *   auto     pairs where there is a kernel, else rows
 */
#ifndef HP_BENCH_PRODUCT_DEVICE_H
#define HP_BENCH_PRODUCT_DEVICE_H

#include "bench/bsr/bsr.h"
#include "bench/half/half.h"
#include "core/compile/device.h"
#include "linsolve/matrix/sparse.h"

HP_EXTERN_C_BEGIN

typedef enum { HP_SPMV_AUTO, HP_SPMV_ROWS, HP_SPMV_PAIRS, HP_SPMV_SHARED, HP_SPMV_FMA } hp_spmv_layout;

/* How the pairs layout reads the matrix, for q = 1, 2, 4, 8: bypassing L1 (default); as any data; bypassing L1 and
 * evicted first from L2; bypassing L1 with a prefetch of 256 bytes into L2. */
typedef enum { HP_SPMV_LOADS_STREAM, HP_SPMV_LOADS_PLAIN, HP_SPMV_LOADS_FIRST, HP_SPMV_LOADS_WIDE } hp_spmv_loads;

typedef struct hp_spmv_job {
  const hp_gh *A;        /* on the host, as all that follow */
  const hp_sparse *F;    /* not NULL: multiply with it (csr of GH-h: A is NULL) */
  bool own;              /* csr and sell of F by kernels of this program, not cuSPARSE's */
  const hp_half *H;      /* not NULL: multiply with it */
  const hp_bsr *B;       /* not NULL: multiply with it, and with A's borders if A is not NULL */
  int64_t width;         /* of B: length of x, 0: as many as rows */
  int unroll;            /* of B: columns on their way at once, 2, 4 or 8; 0 as it likes */
  hp_spmv_layout layout; /* of GH */
  hp_spmv_loads loads;
  int threads;     /* of a block of the GH kernels: 0 as they like, else 64 to 512; of B up to q = 16: 64, 128 or 256 */
  bool specialise; /* GH in the layout auto, rows or pairs: the kernel is compiled for the matrix */
  hp_compiled_report *compiled; /* result of that; may be NULL */
  const double *x;              /* [n] */
  double *y;                    /* [n] result of the last product */
  bool cold;                    /* rotate among copies of matrix and vectors so that nothing is left in the caches */
  double time_limit;            /* seconds to measure for at most, about */
  double seconds;               /* result: median time of a product */
  int samples;                  /* result: timings it is the median of */
} hp_spmv_job;

/* Multiplies and times. HP_ERR_UNSUPPORTED, with the reason, for what there is no kernel for. */
HP_GPU hp_status hp_spmv_device_measure(hp_device *D, hp_spmv_job *job) HP_MUST_USE;

/* Its parts, for several GPUs at once (bench/product/several.h): a product that is laid out, as many copies of it on the
 * device as are worth while, of those that a `share`-th of the free memory holds (1 at least), one product timed, a graph
 * of `count`, its time, and the result of the last one. */
typedef struct hp_spmv_product hp_spmv_product;
HP_GPU hp_status hp_spmv_device_arrange(hp_device *D, const hp_spmv_job *job, hp_spmv_product **out) HP_MUST_USE;
HP_GPU int hp_spmv_device_copies(const hp_spmv_product *P);
HP_GPU int hp_spmv_device_room(const hp_spmv_product *P, int share);
HP_GPU hp_status hp_spmv_device_place(hp_spmv_product *P, int copies) HP_MUST_USE;
HP_GPU hp_status hp_spmv_device_once(const hp_spmv_product *P, double *seconds) HP_MUST_USE;
/* Products that a graph of some milliseconds has, a multiple of the copies; first: seconds of one. */
HP_GPU int hp_spmv_device_length(double first, int copies);
HP_GPU hp_status hp_spmv_device_record(hp_spmv_product *P, int count) HP_MUST_USE;
HP_GPU hp_status hp_spmv_device_replay(const hp_spmv_product *P, double *seconds) HP_MUST_USE;
HP_GPU hp_status hp_spmv_device_fetch(const hp_spmv_product *P, double *y) HP_MUST_USE;
HP_GPU void hp_spmv_device_release(hp_spmv_product **P);

/* Bytes read and written per second when `bytes` are copied within the device. */
HP_GPU hp_status hp_spmv_device_copy(hp_device *D, int64_t bytes, double *rate) HP_MUST_USE;
/* Double-precision multiplications and additions per second in registers. */
HP_GPU hp_status hp_spmv_device_peak(hp_device *D, double *rate) HP_MUST_USE;

/* The team's product and residual (y = b - A x; b may be y) as kernels of their own, for tests and benchmarks: A, x, b and y
 * are on the device; in the stream. */
HP_GPU hp_status hp_gh_device_product(hp_device *D, const hp_gh *A, const double *x, double *y,
                                      bool transposed) HP_MUST_USE;
/* The product `rounds` times in one launch, with a barrier after each. */
HP_GPU hp_status hp_gh_device_products(hp_device *D, const hp_gh *A, const double *x, double *y,
                                       int rounds) HP_MUST_USE;
HP_GPU hp_status hp_gh_device_residual(hp_device *D, const hp_gh *A, const double *b, const double *x,
                                       double *y) HP_MUST_USE;

HP_EXTERN_C_END

#endif
