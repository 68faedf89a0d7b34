/* Solves that the host drives (hp_execution_kind other than in-kernel), for linsolve/krylov/cuda/krylov.cu; described in
 * linsolve/krylov/host_driven/execution.cuh. */
#ifndef HP_LINSOLVE_KRYLOV_CUDA_HOST_DRIVEN_CUH
#define HP_LINSOLVE_KRYLOV_CUDA_HOST_DRIVEN_CUH

#include "linsolve/krylov/device.h"

HP_EXTERN_C_BEGIN

typedef struct hp_execution hp_execution;

/* The solver's arrays and options, which its execution borrows. */
typedef struct hp_exec_input {
  hp_device *D;
  const hp_krylov_options *opt;
  const hp_precond *P;
  double *work;
  int64_t stride;
  double *small;   /* gmres */
  double *history; /* [max_iterations+1] */
  const int64_t *singular;
  hp_krylov_report *report;
} hp_exec_input;

hp_status hp_execution_create(const hp_exec_input *in, const hp_gh *A, hp_execution **out) HP_MUST_USE;
void hp_execution_destroy(hp_execution **E);
/* Later solves multiply with F: any square matrix as csr, bsr, sell or hyb, or one with hp_sparse.other, with
 * its present values. F is the host's and outlives the execution. A is then a shape of 1 x 1 x rows cells with q = 1.
 * For per-operation, and for graph unless a library multiplies. */
hp_status hp_execution_multiply_with(hp_execution *E, const hp_sparse *F) HP_MUST_USE;
/* Refreshes the matrix in another format, in the stream. */
hp_status hp_execution_setup(hp_execution *E, const hp_gh *A) HP_MUST_USE;
/* Waits. history: NULL or the device's. */
hp_status hp_execution_solve(hp_execution *E, const hp_gh *A, const double *b, double *x, double *history,
                             hp_krylov_report *report) HP_MUST_USE;
void hp_execution_set_tolerance(hp_execution *E, double tolerance);
/* The kernels of passes that were compiled as the tune file says. */
const hp_krylov_special *hp_execution_special(const hp_execution *E);
/* Launches in all solves so far. */
int64_t hp_execution_launches(const hp_execution *E);

HP_EXTERN_C_END

#endif
