/* Krylov solvers on a GPU: the same team programs inside one cooperative
 * kernel, from the first residual to convergence (Al-Mouhamed & Khan 2017,
 * section 6.3), and, to compare, executions without such a kernel
 * (hp_krylov_options.execution). All pointers are to device memory unless said otherwise.
 *
 *     hp_gh dA;
 *     HP_TRY(hp_gh_device_upload(D, A, &dA));
 *     HP_TRY(hp_krylov_device_create(D, &dA, &options, &K));
 *     HP_TRY(hp_krylov_device_setup(K, &dA));              in the stream
 *     HP_TRY(hp_krylov_device_solve(K, &dA, b, x, history, &report));   waits
 *
 * With the same options the iterates have the same bits as on the CPU, in every execution but library and with
 * every format of the matrix that hepta multiplies by itself, but for hyb and bsr (docs/reference/solvers.md).
 */
#ifndef HP_LINSOLVE_KRYLOV_DEVICE_H
#define HP_LINSOLVE_KRYLOV_DEVICE_H

#include "core/device/device.h"
#include "linsolve/krylov/krylov.h"
#include "linsolve/matrix/device.h"

HP_EXTERN_C_BEGIN

typedef struct hp_krylov_device hp_krylov_device;

/* Numbers from one of the solver's vectors of n to the next. On several GPUs (`spread`) a large one has whole pages, one more
 * than it fills: then all have the border between GPUs where a page begins (hp_owned_lead in core/device/pages.h), and no two
 * have a page in common. */
int64_t hp_krylov_device_stride(int64_t n, bool spread);

HP_GPU hp_status hp_krylov_device_create(hp_device *D, const hp_gh *A, const hp_krylov_options *opt,
                                         hp_krylov_device **out) HP_MUST_USE;
HP_GPU void hp_krylov_device_destroy(hp_krylov_device **K);

/* Sets up the preconditioner, and the matrix in another format, from A. */
HP_GPU hp_status hp_krylov_device_setup(hp_krylov_device *K, const hp_gh *A) HP_MUST_USE;

/* Solves A x = b from x = 0; history [max_iterations+1] and report are the
 * host's, history may be NULL. */
HP_GPU hp_status hp_krylov_device_solve(hp_krylov_device *K, const hp_gh *A, const double *b, double *x,
                                        double *history, hp_krylov_report *report) HP_MUST_USE;

/* Changes the tolerance (> 0) of later solves; returns the one before. */
HP_GPU double hp_krylov_device_set_tolerance(hp_krylov_device *K, double tolerance);

/* One application, for tests and benchmarks; in the stream. */
HP_GPU hp_status hp_krylov_device_apply(hp_krylov_device *K, const hp_gh *A, const double *r, double *z) HP_MUST_USE;

HP_GPU int64_t hp_krylov_device_bytes(const hp_krylov_device *K);

/* The work vectors. A solve writes them before it reads them, so that the caller may use the memory between solves. */
HP_GPU void *hp_krylov_device_work(const hp_krylov_device *K, int64_t *bytes);
/* One more vector behind those, for an external preconditioner, which the solver does not touch, for instance for a
 * solution that is read before the next setup; NULL without one. */
HP_GPU double *hp_krylov_device_solution(const hp_krylov_device *K);

/* Work space for the setup of the external preconditioner: the work vectors and that vector. */
HP_GPU void *hp_krylov_device_idle(const hp_krylov_device *K, int64_t *bytes);

/* The kernel compiled for the matrix, or those of passes compiled as the tune file says; all zero where none was to be. */
HP_GPU const hp_krylov_special *hp_krylov_device_special(const hp_krylov_device *K);

/* Launches in all solves so far: kernels, graphs and calls of libraries. */
HP_GPU int64_t hp_krylov_device_launches(const hp_krylov_device *K);

HP_EXTERN_C_END

#endif
