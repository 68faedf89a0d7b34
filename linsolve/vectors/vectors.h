/* Passes over vectors on a GPU by kernels of their own: the operations whose launches the tune file has, and how C++ names a
 * pass for the compiler (core/compile/compile.h). The kernels are templates (linsolve/vectors/cuda/variants.cuh), from which the
 * execution per-operation makes the passes of its methods (linsolve/krylov/host_driven/execution.cuh) and the laboratory
 * operations by themselves (bench/vectors/vectors.h).
 */
#ifndef HP_LINSOLVE_VECTORS_VECTORS_H
#define HP_LINSOLVE_VECTORS_VECTORS_H

#include "core/device/device.h"
#include "core/status.h"

HP_EXTERN_C_BEGIN

typedef enum {
  HP_VECTOR_AXPY,
  HP_VECTOR_MAXPY,
  HP_VECTOR_WAXPY,
  HP_VECTOR_DOT,
  HP_VECTOR_NORM,
  HP_VECTOR_SCALE,
  HP_VECTOR_OPERATIONS
} hp_vector_operation;

const char *hp_vector_name(hp_vector_operation op); /* "axpy", as the tune file has it */

/* Pieces in flight, of `reads` vectors: no more than registers hold. */
HP_INLINE HP_CONSTEXPR int hp_vector_unroll(int unroll, int reads) {
  return unroll * reads <= 20 ? unroll : unroll * reads <= 40 ? unroll / 2 : 1;
}

enum { HP_VECTOR_EXPRESSION_MAX = 160 };

/* A pass (linsolve/vectors/cuda/variants.cuh). */
typedef struct hp_vector_pass {
  const char *name, *args; /* the class, and that of its kernel's arguments */
  int reads;               /* vectors */
  bool sums;               /* not element by element */
} hp_vector_pass;

/* The kernel of a shape; aligned: all vectors, to 16 bytes. out [HP_VECTOR_EXPRESSION_MAX]. */
void hp_vector_pass_expression(const hp_vector_pass *pass, const hp_kernel_shape *shape, bool aligned, char *out,
                               size_t size);

HP_EXTERN_C_END

#endif
