/* Passes over vectors of the executions per-operation and graph: which there are, how C++ names them for the compiler
 * (core/compile/compile.h), and the operation that each is like, whose launch in the tune file it takes. The passes themselves are
 * in passes.cuh. */
#ifndef HP_LINSOLVE_KRYLOV_HOST_DRIVEN_PASSES_H
#define HP_LINSOLVE_KRYLOV_HOST_DRIVEN_PASSES_H

#include "linsolve/vectors/vectors.h"

HP_EXTERN_C_BEGIN

/* X(NAME, pass, arguments, vectors read, whether it makes sums, operation) */
#define HP_EXEC_PASS_LIST(X)                                   \
  X(BEGIN, "begin_pass", "hp_exec_args", 1, false, WAXPY)      \
  X(P, "p_pass", "hp_exec_args", 3, false, WAXPY)              \
  X(S, "s_pass", "hp_exec_args", 2, false, AXPY)               \
  X(UPDATE, "update_pass", "update_args", 5, false, MAXPY)     \
  X(SUBTRACT, "subtract_pass", "hp_exec_args", 2, false, AXPY) \
  X(NORM, "norm_pass", "hp_exec_args", 1, true, NORM)          \
  X(FIRST, "first_pass", "hp_exec_args", 2, true, DOT)         \
  X(SECOND, "second_pass", "hp_exec_args", 3, true, DOT)

typedef enum {
#define HP_EXEC_PASS(name, pass, args, reads, sums, as) HP_EXEC_PASS_##name,
  HP_EXEC_PASS_LIST(HP_EXEC_PASS)
#undef HP_EXEC_PASS
      HP_EXEC_PASSES
} hp_exec_pass;

HP_INLINE const hp_vector_pass *hp_exec_pass_get(hp_exec_pass number) {
  static const hp_vector_pass passes[HP_EXEC_PASSES] = {
#define HP_EXEC_PASS(name, pass, args, reads, sums, as) {pass, args, reads, sums},
      HP_EXEC_PASS_LIST(HP_EXEC_PASS)
#undef HP_EXEC_PASS
  };
  return &passes[number];
}

HP_INLINE hp_vector_operation hp_exec_pass_as(hp_exec_pass number) {
  static const hp_vector_operation operations[HP_EXEC_PASSES] = {
#define HP_EXEC_PASS(name, pass, args, reads, sums, as) HP_VECTOR_##as,
      HP_EXEC_PASS_LIST(HP_EXEC_PASS)
#undef HP_EXEC_PASS
  };
  return operations[number];
}

HP_EXTERN_C_END

#endif
