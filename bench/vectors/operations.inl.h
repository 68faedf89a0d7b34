/* Operations on vectors as team programs (bench/vectors/vectors.h). */
#ifndef HP_BENCH_VECTORS_OPERATIONS_INL_H
#define HP_BENCH_VECTORS_OPERATIONS_INL_H

#include <math.h>

#include "bench/vectors/vectors.h"
#include "core/team/team.h"

enum { HP_VECTOR_TOGETHER = 8 /* vectors of maxpy that a pass over y adds */ };

/* Adds as many vectors as `count` says, a constant where it is called. */
HP_INLINE_ALWAYS void hp_vector_add_some(hp_team *t, const hp_vector_args *a, int first, int count) {
  double alpha[HP_VECTOR_TOGETHER];
  const double *x[HP_VECTOR_TOGETHER];
  double *y = a->y;
  for (int k = 0; k < count; ++k) {
    alpha[k] = a->alphas[first + k];
    x[k] = a->x + (first + k) * a->stride;
  }
  HP_TEAM_FOR_OWNED(t, i, a->n) {
    double yi = y[i];
    for (int k = 0; k < count; ++k) yi = yi + alpha[k] * x[k][i];
    y[i] = yi;
  }
}

HP_INLINE void hp_vector_maxpy(hp_team *t, const hp_vector_args *a) {
  int first = 0;
  for (; first + HP_VECTOR_TOGETHER <= a->count; first += HP_VECTOR_TOGETHER)
    hp_vector_add_some(t, a, first, HP_VECTOR_TOGETHER);
  for (; first < a->count; ++first) hp_vector_add_some(t, a, first, 1);
}

/* The dot product of x and y, on every member; contains a barrier. */
HP_INLINE double hp_vector_dot(hp_team *t, int64_t n, const double *x, const double *y) {
  double sum[1];
  HP_TEAM_REDUCE_OWNED(t, i, n, 1) { HP_ACC(0) += x[i] * y[i]; }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum(t, n, 1, sum);
  return sum[0];
}

/* Vectors that the operation reads are visible to all before; a barrier must follow before another member reads one that it
 * writes. */
HP_INLINE void hp_vector_run(hp_team *t, hp_vector_operation op, const hp_vector_args *a) {
  const double alpha = a->alpha, *x = a->x;
  double *y = a->y, *w = a->w;
  switch (op) {
    case HP_VECTOR_AXPY: HP_TEAM_FOR_OWNED(t, i, a->n) y[i] = alpha * x[i] + y[i]; return;
    case HP_VECTOR_MAXPY: hp_vector_maxpy(t, a); return;
    case HP_VECTOR_WAXPY: HP_TEAM_FOR_OWNED(t, i, a->n) w[i] = y[i] + alpha * x[i]; return;
    case HP_VECTOR_SCALE: HP_TEAM_FOR_OWNED(t, i, a->n) y[i] = alpha * y[i]; return;
    default: break;
  }
  const double sum = hp_vector_dot(t, a->n, x, op == HP_VECTOR_DOT ? y : x);
  if (t->rank == 0) *a->result = op == HP_VECTOR_DOT ? sum : sqrt(sum);
}

#endif
