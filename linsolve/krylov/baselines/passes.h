/* Passes over vectors of the executions per-operation and graph: which there are, how C++ names them for the compiler
 * (core/compile/compile.h), and the operation that each is like, whose launch in the tune file it takes. The passes themselves are
 * in passes.cuh. */
#ifndef HP_LINSOLVE_KRYLOV_BASELINES_PASSES_H
#define HP_LINSOLVE_KRYLOV_BASELINES_PASSES_H

#include "linsolve/vectors/vectors.h"

HP_EXTERN_C_BEGIN

typedef enum {
  HP_EXEC_PASS_BEGIN,
  HP_EXEC_PASS_P,
  HP_EXEC_PASS_S,
  HP_EXEC_PASS_UPDATE,
  HP_EXEC_PASS_SUBTRACT,
  HP_EXEC_PASS_NORM,
  HP_EXEC_PASS_FIRST,
  HP_EXEC_PASS_SECOND,
  HP_EXEC_PASSES
} hp_exec_pass;

const hp_vector_pass *hp_exec_pass_get(hp_exec_pass pass);
hp_vector_operation hp_exec_pass_as(hp_exec_pass pass);

HP_EXTERN_C_END

#endif
