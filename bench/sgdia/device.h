/* Products with matrices of stencils on a GPU (linsolve/sgdia/sgdia.h), timed, with copies of matrix and vectors that
 * together are larger than the caches.
 *
 *     SG-DIA       in variants (core/device/kernels.h): threads, blocks, entries of a row in flight together (unroll),
 *                  loads of one row's entries or of 16 bytes of rows, x by way of shared memory
 *     dia          a row a thread; one variant, as is csr
 *     csr          some threads a row
 *     library      csr by cuSPARSE
 *
 * SG-DIA has the CPU's bits in every variant, dia too; the others sum in an order of their own.
 */
#ifndef HP_BENCH_SGDIA_DEVICE_H
#define HP_BENCH_SGDIA_DEVICE_H

#include "bench/sgdia/sgdia.h"
#include "linsolve/sgdia/device.h"

HP_EXTERN_C_BEGIN

/* The launch of Algorithm 1 of Lowell et al. 2013: a row a thread, entry after entry. */
hp_kernel_shape hp_sgdia_untuned_shape(void);

typedef struct hp_sgdia_timing hp_sgdia_timing;

/* R NULL: SG-DIA; library: csr by cuSPARSE. x: [n] on the host, of the matrix's precision. */
HP_GPU hp_status hp_sgdia_timing_create(hp_device *D, const hp_sgdia *A, const hp_sgdia_rows *R, bool library,
                                        const void *x, bool cold, hp_sgdia_timing **out) HP_MUST_USE;
/* SG-DIA only: later launches of this shape run the compiled kernel. HP_ERR_UNSUPPORTED with the reason where there is none. */
HP_GPU hp_status hp_sgdia_timing_specialise(hp_sgdia_timing *T, const hp_kernel_shape *shape,
                                            hp_compiled_report *report) HP_MUST_USE;
HP_GPU void hp_sgdia_timing_destroy(hp_sgdia_timing **T);

/* Time of a product: the median of `samples` replays of a graph of many. shape: of SG-DIA, else not read; what it compiles is
 * kept until the end. HP_ERR_USAGE: it does not fit; HP_ERR_UNSUPPORTED: it cannot be compiled. */
HP_GPU hp_status hp_sgdia_timing_measure(hp_sgdia_timing *T, const hp_kernel_shape *shape, int samples,
                                         double *seconds) HP_MUST_USE;
/* One product; y [n] on the host. */
HP_GPU hp_status hp_sgdia_timing_result(hp_sgdia_timing *T, const hp_kernel_shape *shape, void *y) HP_MUST_USE;

/* The constants (linsolve/stencil/stencil.h) of this shape's kernel compiled for the matrix. HP_ERR_UNSUPPORTED unless it is a
 * star or box in three dimensions whose points have the usual order, which they lack on very short grids. */
hp_status hp_sgdia_constants(const hp_sgdia *A, const hp_kernel_shape *shape, char *out, size_t size) HP_MUST_USE;

HP_EXTERN_C_END

#endif
