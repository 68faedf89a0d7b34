#include "linsolve/vectors/vectors.h"

const char *hp_vector_name(hp_vector_operation op) {
  static const char *const names[HP_VECTOR_OPERATIONS] = {"axpy", "maxpy", "waxpy", "dot", "norm", "scale"};
  return names[op];
}

bool hp_vector_is_sum(hp_vector_operation op) { return op == HP_VECTOR_DOT || op == HP_VECTOR_NORM; }

int64_t hp_vector_bytes(hp_vector_operation op, const hp_vector_args *a) {
  static const int vectors[HP_VECTOR_OPERATIONS] = {3, 2, 3, 2, 1, 2};
  return (int64_t)sizeof(double) * a->n * (vectors[op] + (op == HP_VECTOR_MAXPY ? a->count : 0));
}
