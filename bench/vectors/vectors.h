/* Operations on vectors, each by itself: those that Lowell et al. 2013 tune (Table 4.2 without the product).
 *
 *     axpy    y = alpha x + y
 *     maxpy   y = y + alphas[0] x_0 + alphas[1] x_1 + ..., in this order; vector k stands at x + k stride
 *     waxpy   w = y + alpha x
 *     dot     result = x . y
 *     norm    result = |x|
 *     scale   y = alpha y
 *
 * On a CPU they are team programs (bench/vectors/operations.inl.h). On a GPU they are kernels of their own, in variants
 * (core/device/kernels.h): threads, blocks, unrolling, loads, streams, options of the compiler; of a sum also who adds up.
 * Sums have the team's order (core/team/team.h), which depends on n only, so that every variant gives the CPU's bits.
 *
 * The variants are templates (linsolve/vectors/cuda/variants.cuh), from which the execution per-operation makes the passes
 * of its methods, with the tuned launches of the operations here (linsolve/krylov/host_driven/execution.cuh). Solves in one
 * kernel and solves by the team have their passes in linsolve/krylov/bicgstab.inl.h and its neighbours.
 */
#ifndef HP_BENCH_VECTORS_VECTORS_H
#define HP_BENCH_VECTORS_VECTORS_H

#include "linsolve/vectors/vectors.h"

HP_EXTERN_C_BEGIN

typedef struct hp_vector_args {
  int64_t n;
  int count;            /* maxpy: vectors */
  int64_t stride;       /* of them, from one to the next */
  double alpha;         /* axpy, waxpy, scale */
  const double *alphas; /* [count] maxpy */
  const double *x;      /* [n]; maxpy: [count][stride] */
  double *y;            /* [n] */
  double *w;            /* [n] waxpy: may be x or y */
  double *result;       /* dot, norm */
} hp_vector_args;

bool hp_vector_is_sum(hp_vector_operation op);

/* Read and written at least. */
int64_t hp_vector_bytes(hp_vector_operation op, const hp_vector_args *a);

/* hp_vector_pass_expression of an operation (bench/vectors/cuda/kernels.cuh). */
void hp_vector_kernel_expression(hp_vector_operation op, const hp_kernel_shape *shape, bool aligned, char *out,
                                 size_t size);

/* ---- on a GPU ---- */

/* Streams, room for sums, and compiled kernels; enqueues to the device's stream. */
typedef struct hp_vector_kernels hp_vector_kernels;
HP_GPU hp_status hp_vector_kernels_create(hp_device *D, hp_vector_kernels **out) HP_MUST_USE;
HP_GPU void hp_vector_kernels_destroy(hp_vector_kernels **V);

/* The operation in the stream; pointers are the device's. 16-byte loads are made where all vectors are aligned to 16 bytes,
 * maxpy's stride even, and 8-byte loads elsewhere; a sum's blocks have 256 threads at least. HP_ERR_USAGE: hp_kernel_check_shape. */
HP_GPU hp_status hp_vector_kernels_run(hp_vector_kernels *V, hp_vector_operation op, const hp_vector_args *a,
                                       const hp_kernel_shape *shape) HP_MUST_USE;

/* Compiles the kernel that hp_vector_kernels_run will launch, if it is not the build's and there is none yet; run does so, too,
 * but must not while a graph is recorded. HP_ERR_UNSUPPORTED with the reason where it cannot be compiled. */
HP_GPU hp_status hp_vector_kernels_compile(hp_vector_kernels *V, hp_vector_operation op, const hp_vector_args *a,
                                           const hp_kernel_shape *shape) HP_MUST_USE;

/* An operation to be timed, with vectors of its own; in the caches, or going round copies that together are larger. */
typedef struct hp_vector_timing hp_vector_timing;
/* a: on the host, what it starts from. */
HP_GPU hp_status hp_vector_timing_create(hp_vector_kernels *V, hp_vector_operation op, const hp_vector_args *a,
                                         bool cold, hp_vector_timing **out) HP_MUST_USE;
HP_GPU void hp_vector_timing_destroy(hp_vector_timing **T);
/* Time of one operation: the median of `samples` replays of a graph of many; shape NULL: by cuBLAS, maxpy by gemv, waxpy by
 * copy and axpy. */
HP_GPU hp_status hp_vector_timing_measure(hp_vector_timing *T, const hp_kernel_shape *shape, int samples,
                                          double *seconds) HP_MUST_USE;
/* The operation once on what it starts from; out: on the host, [n], of sums [1]. */
HP_GPU hp_status hp_vector_timing_result(hp_vector_timing *T, const hp_kernel_shape *shape, double *out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
