/* The kernel of QMR with reordered synchronization (linsolve/krylov/reordered.inl.h). */
#include "linsolve/krylov/cuda/variants.cuh"

#include "linsolve/krylov/cuda/kernel.cuh"
#include "linsolve/krylov/reordered.inl.h"

static __global__ void __launch_bounds__(HP_TEAM_THREADS, 1)
    solve_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ hp_solve_args arguments) {
  __shared__ hp_solve_args a;
  hp_team t;
  hp_team_enter(&t, &grid);
  hp_solve_load_args<hp_solve_plain>(&a, &arguments);
  hp_reordered_qmr(&t, &a.S);
  hp_team_leave(&t);
}

const void *hp_reordered_kernel(void) { return (const void *)solve_kernel; }
