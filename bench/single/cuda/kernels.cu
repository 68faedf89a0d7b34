/* The product and BiCG-Stab on a GPU: the kernels' text is that of double precision. */
#include "bench/single/real.h"
/* in single precision from here on */
#include "bench/single/cuda/kernels.h"
#include "linsolve/krylov/cuda/bicgstab.cuh"

/* A solve that has no preconditioner, so that none is compiled. */
struct hp_single_solve_kind : hp_solve {};

HP_INLINE HP_HD bool hp_solve_is_none(const hp_single_solve_kind *) { return true; }
HP_INLINE HP_HD void hp_solve_apply(hp_team *, const hp_single_solve_kind *, const float *, float *) {}

static __device__ __forceinline__ void multiply_singles(hp_team *t, const hp_single_product_args *a) {
  for (int n = 0; n < a->rounds; ++n) {
    hp_gh_mul(t, &a->A, a->x, a->y);
    hp_team_sync(t);
  }
}
HP_TEAM_KERNEL(single_product_kernel, hp_single_product_args, multiply_singles(&t, &a))

/* Read by the program from shared memory. */
struct single_solve {
  hp_single_solve_args a;
  hp_precond none;
  hp_single_solve_kind S;
  hp_krylov_report report;
};

static __device__ __forceinline__ void load_single(single_solve *to, const hp_single_solve_args *from) {
  if (threadIdx.x == 0) {
    memset(to, 0, sizeof *to);
    to->a = *from;
    to->none.kind = HP_PRECOND_NONE;
    to->S.A = &to->a.A;
    to->S.P = &to->none;
    to->S.b = from->b;
    to->S.x = from->x;
    to->S.work = from->work;
    to->S.stride = from->stride;
    to->S.unroll = from->unroll;
    to->S.tolerance = from->tolerance;
    to->S.max_iterations = from->max_iterations;
    to->S.singular = -1;
    to->S.report = &to->report;
  }
  __syncthreads();
}

template <int FORM, bool FLY>
static __global__ void __launch_bounds__(HP_TEAM_THREADS, 1)
    single_solve_kernel(const __grid_constant__ hp_team_grid grid,
                        const __grid_constant__ hp_single_solve_args arguments) {
  __shared__ single_solve s;
  hp_team t;
  hp_team_enter(&t, &grid);
  load_single(&s, &arguments);
  hp_bicgstab_cuda<FORM, FLY>(&t, &s.S);
  if (t.rank == 0) {
    const hp_krylov_report *r = &s.report;
    const hp_single_report out = {r->reason,   r->iterations, r->restarts, r->products,
                                  r->barriers, r->norm_b,     r->residual};
    *s.a.report = out;
  }
  hp_team_leave(&t);
}

const void *hp_single_product_kernel(void) { return (const void *)single_product_kernel; }

const void *hp_single_solve_kernel(bool two, bool fly) {
  if (!two) return (const void *)single_solve_kernel<HP_GH_ANY, false>;
  return fly ? (const void *)single_solve_kernel<HP_GH_TWO_3D, true>
             : (const void *)single_solve_kernel<HP_GH_TWO_3D, false>;
}
