/* Parts of an iteration of a Krylov method, for `hepta bench krylov`: floating-point operations, and where the time goes. */
#ifndef HP_BENCH_KRYLOV_PARTS_H
#define HP_BENCH_KRYLOV_PARTS_H

#include "bench/bsr/bsr.h"
#include "bench/place.h"
#include "linsolve/krylov/krylov.h"

HP_EXTERN_C_BEGIN

/* Times by themselves. */
typedef struct hp_bench_krylov_parts {
  double product; /* [s] one product, with matrix and vectors where a solve leaves them */
  double barrier; /* [s] one barrier of the team; 0: executions without one kernel have none */
} hp_bench_krylov_parts;

/* Operations an element of the vectors in an iteration, additions and multiplications of the method's loops without a preconditioner;
 * of GMRES the mean of a whole basis. tests/team/test_operations.cpp counts them in the program's text. */
double hp_bench_krylov_vector_operations(hp_krylov_method method, int restart);
/* The same of a whole solve of so many iterations and restarts after breakdowns, its start and its true residuals too. */
double hp_bench_krylov_solve_operations(hp_krylov_method method, int restart, int64_t iterations, int64_t restarts);

/* Operations with products of 2 for each entry (entries: those that are stored and inside the grid). */
double hp_bench_krylov_flops(double products, int64_t entries, double vector_operations, int64_t rows);

/* Times a barrier of the team, also on a GPU. */
hp_status hp_bench_krylov_time_barrier(const hp_bench_place *place, double *seconds) HP_MUST_USE;

/* Times products with A, or F of the same matrix where that is not NULL, on the host, also for a GPU; on that with B where
 * this is not NULL. A GPU's product with bsr and dia of GH-h is the cells' only. in_kernel: one kernel a solve. */
hp_status hp_bench_krylov_time_parts(const hp_bench_place *place, const hp_gh *A, const hp_sparse *F, const hp_bsr *B,
                                     bool in_kernel, hp_bench_krylov_parts *out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
