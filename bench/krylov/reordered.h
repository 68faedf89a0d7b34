/* Solvers with reordered synchronization (bench/krylov/reordered.inl.h), as sim/linear/linear.h has solvers: BiCG-Stab and QMR with
 * the built-in preconditioners, on a team of the CPU (hub) or on a GPU (D). */
#ifndef HP_BENCH_KRYLOV_REORDERED_H
#define HP_BENCH_KRYLOV_REORDERED_H

#include "sim/linear/linear.h"

HP_EXTERN_C_BEGIN

/* NULL, or why there is no such solver, for options that go together otherwise; of a GPU. */
const char *hp_reordered_refusal(const hp_krylov_options *opt);
const char *hp_reordered_device_refusal(const hp_krylov_options *opt);

hp_status hp_reordered_create(const hp_linear_input *in, hp_linear_solver **out) HP_MUST_USE;

/* Only in builds with CUDA. */
HP_GPU hp_status hp_reordered_device_create(const hp_linear_input *in, hp_linear_solver **out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
