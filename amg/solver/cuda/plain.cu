/* The kernels of amg/solver whose cycles read rows as csr or HEC; those over slices: amg/solver/cuda/solver.cu. */
#define HP_SOLVE_APPLY(t, P, A, r, z) hp_amg_cycle_phase<true>(t, (P)->external_data, r, z)
#include "amg/solver/cuda/kernels.cuh"

hp_amg_solve_function *hp_amg_plain_solve(bool alone) { return solve_of(alone); }

const void *hp_amg_plain_apply(void) { return (const void *)apply_kernel; }
