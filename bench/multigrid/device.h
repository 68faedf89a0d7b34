/* Multigrid for scalar systems on a GPU: one cycle as the preconditioner of a Krylov method, all of it in one kernel.
 *
 *     hp_amg_device_solver *S;
 *     HP_TRY(hp_amg_device_solver_create(D, &dA, &options, &S));     dA: GH with q = 1 on the device
 *     HP_TRY(hp_amg_device_solver_build(S));        all levels from A's numbers ...
 *     HP_TRY(hp_amg_device_solver_refresh(S));      ... or, when only these have changed, numbers only
 *     HP_TRY(hp_amg_device_solver_solve(S, b, x, NULL, &report));
 *
 * The counterpart of bench/multigrid/solver.h.
 */
#ifndef HP_BENCH_MULTIGRID_DEVICE_H
#define HP_BENCH_MULTIGRID_DEVICE_H

#include "amg/cycle/device.h"
#include "bench/multigrid/solver.h"

HP_EXTERN_C_BEGIN

typedef struct hp_amg_device_solver hp_amg_device_solver;

/* NULL, or why the options do not run on a GPU; hp_amg_solver_refusal comes first. */
const char *hp_amg_device_solver_refusal(const hp_amg_solver_options *opt);

/* A must outlive the solver, which reads it at every build, refresh and solve. */
hp_status hp_amg_device_solver_create(hp_device *D, const hp_gh *A, const hp_amg_solver_options *opt,
                                      hp_amg_device_solver **out) HP_MUST_USE;
void hp_amg_device_solver_destroy(hp_amg_device_solver **S);

/* Both in the stream, but for the waits of a build. Entries of A that are zero at a build must be zero at the refreshes
 * after it. */
hp_status hp_amg_device_solver_build(hp_amg_device_solver *S) HP_MUST_USE;
hp_status hp_amg_device_solver_refresh(hp_amg_device_solver *S) HP_MUST_USE;

/* See hp_krylov_device_solve. b, x [rows] on the device; history [max_iterations+1] and report are the host's. */
hp_status hp_amg_device_solver_solve(hp_amg_device_solver *S, const double *b, double *x, double *history,
                                     hp_krylov_report *report) HP_MUST_USE;

/* x = one cycle for b, by itself. In the stream. */
hp_status hp_amg_device_solver_cycle(hp_amg_device_solver *S, const double *b, double *x) HP_MUST_USE;

hp_amg_device *hp_amg_device_solver_hierarchy(hp_amg_device_solver *S);
const hp_amg_device_cycle *hp_amg_device_solver_get_cycle(const hp_amg_device_solver *S);

/* Held by matrix copies, hierarchy, cycle and Krylov vectors. */
int64_t hp_amg_device_solver_bytes(const hp_amg_device_solver *S);

/* ---- cycles by themselves (amg/cycle/device.h) ---- */

/* The numbers that cycles read. In the stream. */
hp_status hp_amg_device_cycle_numbers(hp_amg_device_cycle *C) HP_MUST_USE;
/* x = M^-1 b, one cycle from zero; b, x [rows of level 0] on the device. In the stream. */
hp_status hp_amg_device_cycle_apply(hp_amg_device_cycle *C, const double *b, double *x) HP_MUST_USE;

/* ---- matrices by rows (amg/setup/device.h) ---- */

/* Copies from the host; HP_ERR_INTERNAL if the columns of a row do not rise. Free with hp_csr_device_free. */
hp_status hp_csr_device_upload(hp_device *D, const hp_csr *A, hp_csr_device *out) HP_MUST_USE;
/* The csr form of a GH matrix on the device with q = 1: rows of cells, then of wells; zeros are left out, but for
 * the diagonal. */
hp_status hp_csr_device_from_gh(hp_device *D, const hp_gh *A, hp_csr_device *out) HP_MUST_USE;
/* Values again into the same pattern. */
hp_status hp_csr_device_refresh(hp_device *D, const hp_gh *A, hp_csr_device *C) HP_MUST_USE;

HP_EXTERN_C_END

#endif
