#include "linsolve/vectors/vectors.h"

#include <stdio.h>

const char *hp_vector_name(hp_vector_operation op) {
  static const char *const names[HP_VECTOR_OPERATIONS] = {"axpy", "maxpy", "waxpy", "dot", "norm", "scale"};
  return names[op];
}

void hp_vector_pass_expression(const hp_vector_pass *P, const hp_kernel_shape *s, bool aligned, char *out,
                               size_t size) {
  snprintf(out, size, "hp_vector_%s_kernel<%s, %s, %d, %d>", P->sums ? "sums" : "each", P->name, P->args,
           hp_vector_unroll(s->unroll, P->reads), (int)(aligned ? s->loads : HP_LOADS_PLAIN));
}
