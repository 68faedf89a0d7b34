#include "bench/vectors/vectors.h"

#include <stdio.h>

bool hp_vector_is_sum(hp_vector_operation op) { return op == HP_VECTOR_DOT || op == HP_VECTOR_NORM; }

int64_t hp_vector_bytes(hp_vector_operation op, const hp_vector_args *a) {
  static const int vectors[HP_VECTOR_OPERATIONS] = {3, 2, 3, 2, 1, 2};
  return (int64_t)sizeof(double) * a->n * (vectors[op] + (op == HP_VECTOR_MAXPY ? a->count : 0));
}

void hp_vector_kernel_expression(hp_vector_operation op, const hp_kernel_shape *s, bool aligned, char *out,
                                 size_t size) {
  static const char args[] = "hp_vector_args";
  static const hp_vector_pass passes[HP_VECTOR_OPERATIONS] = {[HP_VECTOR_AXPY] = {"axpy_pass", args, 2, false},
                                                              [HP_VECTOR_WAXPY] = {"waxpy_pass", args, 2, false},
                                                              [HP_VECTOR_DOT] = {"dot_pass", args, 2, true},
                                                              [HP_VECTOR_NORM] = {"norm_pass", args, 1, true},
                                                              [HP_VECTOR_SCALE] = {"scale_pass", args, 1, false}};
  const int loads = (int)(aligned ? s->loads : HP_LOADS_PLAIN);
  if (op == HP_VECTOR_MAXPY) snprintf(out, size, "maxpy_kernel<%d, %d>", s->unroll, loads);
  else if (passes[op].sums && s->last)
    snprintf(out, size, "last_kernel<%s, %d, %d>", passes[op].name, s->unroll, loads);
  else hp_vector_pass_expression(&passes[op], s, aligned, out, size);
}
