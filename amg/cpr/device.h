/* CPR on a GPU: the preconditioner of amg/cpr/cpr.h, its setup and its application, inside the kernels of
 * linsolve/krylov/cuda/kernel.cuh.
 *
 *     hp_cpr_device *C;
 *     HP_TRY(hp_cpr_device_create(D, &dA, &options, &C));       dA: on the device (linsolve/krylov/device.h)
 *     krylov.external = hp_cpr_device_precond(C);
 *     HP_TRY(hp_krylov_device_create(D, &dA, &krylov, &K));
 *     for each system:  hp_krylov_device_setup(K, &dA), hp_krylov_device_solve(...)
 *
 * The pressure system has a row for every cell, so that the finest level is a GH matrix with q = 1, without indices,
 * and x_p stands by cells as the cycle leaves it. The cells that the CPU leaves out are rows of the identity with a
 * zero on the right. Besides these rows A_p, its weights and the couplings that the levels are made from have the bits
 * of the CPU's; where no cell is left out, so have the hierarchy's coarse points and interpolation.
 *
 *     setup        weights; A_p by rows and as GH; the hierarchy (amg/setup/device.h), built or refreshed; the cycle's
 *                  numbers (amg/cycle/device.h); the second stage's factors. New numbers are mostly one launch
 *                  (amg/cpr/cuda/setup.cu).
 *     application  r_p; the cycle; r - A x_p; dilu in red-black order or in bricks; the sum. Inside the solve's kernel,
 *                  or as kernels of their own (amg/cpr/cuda/execution.cu).
 */
#ifndef HP_AMG_CPR_DEVICE_H
#define HP_AMG_CPR_DEVICE_H

#include "amg/cpr/cpr.h"
#include "core/device/device.h"
#include "linsolve/krylov/krylov.h"

HP_EXTERN_C_BEGIN

typedef struct hp_cpr_device hp_cpr_device;

/* A stands for all matrices of its shape, wells and connections; its index arrays must outlive C. */
HP_GPU hp_status hp_cpr_device_create(hp_device *D, const hp_gh *A, const hp_cpr_options *opt,
                                      hp_cpr_device **out) HP_MUST_USE;
/* The same of a rank's part (A->part), in the execution per-operation: `host` is A on the host, which outlives C and whose
 * values' memory is allocated where it has none; `threads` of the host make the first stage. */
HP_GPU hp_status hp_cpr_device_create_part(hp_device *D, const hp_gh *A, hp_gh *host, int threads,
                                           const hp_cpr_options *opt, hp_cpr_device **out) HP_MUST_USE;
HP_GPU void hp_cpr_device_destroy(hp_cpr_device **C);

/* Loads the kernels that a run with BiCG-Stab begins with; called by another thread before they are launched. */
HP_GPU void hp_cpr_device_load(void);

/* Attaches memory of the caller, aligned to 256, as work space of the setup, so that less is allocated. A setup
 * overwrites it; the caller may use it between setups, as the Krylov solver does for its vectors. Before the first
 * setup. */
HP_GPU hp_status hp_cpr_device_attach(hp_cpr_device *C, void *memory, int64_t bytes) HP_MUST_USE;

/* Preconditioner for a Krylov solver on the device; belongs to C. */
HP_GPU const hp_precond_external *hp_cpr_device_precond(const hp_cpr_device *C);

/* See hp_cpr_rebuild, hp_cpr_begin_step, hp_cpr_solved. */
HP_GPU void hp_cpr_device_rebuild(hp_cpr_device *C);
HP_GPU void hp_cpr_device_begin_step(hp_cpr_device *C);
HP_GPU bool hp_cpr_device_solved(hp_cpr_device *C, const hp_krylov_report *report) HP_MUST_USE;

/* Waits for the latest setup. */
HP_GPU hp_status hp_cpr_device_state(hp_cpr_device *C, hp_cpr_state *out) HP_MUST_USE;

/* Estimated bytes on the device; attached: bytes of the second stage's blocks and of hp_cpr_device_attach. */
int64_t hp_cpr_device_estimate(const hp_cpr_options *opt, int64_t ncell, int64_t nactive, int q, int64_t attached);
/* The same of a rank's part, without the second stage's blocks: ncell with ghosts, nactive its own. */
int64_t hp_cpr_device_part_estimate(const hp_cpr_options *opt, int64_t ncell, int64_t nactive, int q);

HP_EXTERN_C_END

#endif
