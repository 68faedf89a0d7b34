/* Arguments of the kernels of bench/single/cuda/kernels.cu, whose text is compiled in single precision. */
#ifndef HP_BENCH_SINGLE_CUDA_KERNELS_H
#define HP_BENCH_SINGLE_CUDA_KERNELS_H

#include "bench/single/single.h"

HP_EXTERN_C_BEGIN

typedef struct hp_single_product_args {
  hp_gh A;
  const float *x;
  float *y;
  int rounds;
} hp_single_product_args;

typedef struct hp_single_solve_args {
  hp_gh A;
  const float *b;
  float *x, *work;
  int64_t stride; /* of work */
  float tolerance;
  int max_iterations, unroll;
  hp_single_report *report;
} hp_single_solve_args;

const void *hp_single_product_kernel(void);
/* two: two unknowns in three dimensions; fly: s = r - alpha v is not stored (linsolve/krylov/cuda/bicgstab.cuh). */
const void *hp_single_solve_kernel(bool two, bool fly);

HP_EXTERN_C_END

#endif
