/* GH and BiCG-Stab in single precision, to compare: linsolve/product/spmv.inl.h and linsolve/krylov/bicgstab.inl.h
 * without a preconditioner, compiled with float in place of double (bench/single/real.h). Matrix, vectors and a
 * method's scalars are in single precision; sums over vectors are added in single precision by 64 lanes of a chunk, and
 * beyond that in double precision, in the team's order, so that a GPU has the CPU's bits.
 *
 *     HP_TRY(hp_single_create(A, &S));
 *     team programs on a CPU:  hp_single_mul, hp_single_solve        a GPU: bench/single/device.h
 *
 * Al-Mouhamed & Khan 2017 probably measured so (docs/laboratory/al-mouhamed.md). Runs compute in double precision.
 */
#ifndef HP_BENCH_SINGLE_SINGLE_H
#define HP_BENCH_SINGLE_SINGLE_H

#include "linsolve/krylov/krylov.h"

HP_EXTERN_C_BEGIN

typedef struct hp_single {
  const hp_gh *of;               /* A */
  hp_gh as;                      /* its shape and wells; the arrays of values are these, to be read as float: */
  float *h, *w, *wt, *dd, *link; /* A's, rounded */
} hp_single;

enum { HP_SINGLE_VECTORS = 7 }; /* of a solve */

/* How a solve ended, as hp_krylov_report. */
typedef struct hp_single_report {
  hp_krylov_reason reason;
  int iterations, restarts;
  int64_t products, barriers;
  float norm_b, residual;
} hp_single_report;

/* A must outlive it. */
hp_status hp_single_create(const hp_gh *A, hp_single **out) HP_MUST_USE;
void hp_single_destroy(hp_single **S);
/* Bytes that a product moves at least. */
int64_t hp_single_product_bytes(const hp_gh *A);

/* y = A x: a team program with the contract of hp_gh_mul; x, y [n]. A: hp_single.as. */
void hp_single_mul(hp_team *t, const hp_gh *A, const float *x, float *y);

/* A x = b from zero: a team program; b, x [n], work [HP_SINGLE_VECTORS n]. Member 0 writes the report. */
void hp_single_solve(hp_team *t, const hp_gh *A, float tolerance, int max_iterations, const float *b, float *x,
                     float *work, hp_single_report *report);

HP_EXTERN_C_END

#endif
