/* An application of cpr as separate kernels, for the executions per-operation and graph. */
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

#endif
