/* An application of cpr as separate kernels, for the executions per-operation and graph; and the kernels of
 * amg/cpr/cuda/plain.cu. */
#ifndef HP_AMG_CPR_CUDA_EXECUTION_CUH
#define HP_AMG_CPR_CUDA_EXECUTION_CUH

#include "linsolve/precond/precond.h"

/* The list of kernels depends on these. */
typedef struct hp_cpr_list {
  hp_ordering ordering;   /* of the second stage */
  hp_precision precision; /* of the cycle */
  bool plain;             /* its rows are csr or HEC */
  int passes;             /* of the cycle's program */
  int blocks;             /* of each kernel */
} hp_cpr_list;

HP_EXTERN_C_BEGIN

/* z = M^-1 r of the cells, with E's data of the external preconditioner. */
hp_status hp_cpr_enqueue(const hp_cpr_list *list, struct hp_execution *E, const double *r, double *z) HP_MUST_USE;

HP_EXTERN_C_END

/* The functions for hp_precond_device.solve and .apply. */
const void *hp_cpr_plain_solve_kernel(int method, const hp_gh *A);
const void *hp_cpr_plain_apply_kernel(void);

#endif
