/* The application of cpr as phases of the solve's kernel, and these kernels, for the file that includes this one. It
 * defines before
 *
 *     HP_CPR_PLAIN     whether cycles read rows as csr or HEC (amg/rows/cuda/plain.cuh) or in slices
 *
 * as a macro, as HP_SOLVE_APPLY of linsolve/krylov/cuda/kernel.cuh.
 */
#ifndef HP_AMG_CPR_CUDA_APPLICATION_CUH
#define HP_AMG_CPR_CUDA_APPLICATION_CUH

#include "amg/cpr/cuda/setup.cuh"

#define PHASE static __host__ __device__ __noinline__

template <class REAL>
PHASE void restrict_phase(hp_team *t, const hp_cpr_pressure *C, const hp_gh *A, const double *r, REAL *rp) {
#if defined(__CUDA_ARCH__)
  hp_cpr_restrict_cuda(t, C, A, r, rp);
  hp_team_sync(t); /* r_p */
#endif
}

template <class REAL>
PHASE void residual_phase(hp_team *t, const hp_cpr_pressure *C, const hp_gh *A, const double *r, const REAL *xp,
                          double *s) {
#if defined(__CUDA_ARCH__)
  hp_cpr_residual_cuda(t, C, A, r, xp, s);
  hp_team_sync(t); /* the residual */
#endif
}

/* z = x_p + y, y = M^-1 residual. For q = 2 the odd cells' y overwrites their residual, which no other thread reads, so
 * that the sum needs no extra barrier. Then the wells:
 *
 *     z_w = x_w + (residual_w - W y) / D,   residual_w = r_w - D x_w - W x_p,   so that   z_w = (r_w - W z) / D
 */
template <class REAL>
PHASE void colours_phase(hp_team *t, const hp_cpr_pressure *C, const hp_gh *A, const double *r, const REAL *xp,
                         double *z) {
#if defined(__CUDA_ARCH__)
  const hp_precond *M = &C->second;
  const int q = A->q;
  const double *s = C->residual;
  double *y = q == 2 ? C->residual : z;
  hp_dilu_colour_cuda(t, M, A, 1, s, s, y);
  hp_team_sync(t); /* the odd cells' y */
  hp_dilu_colour_cuda(t, M, A, 0, s, y, z);
  if (q != 2) hp_team_sync(t); /* y has been read */
  hp_cpr_sum_cuda(t, C, A, xp, z);
  hp_precond_wells(t, A, r, z);
#endif
}

/* The same with dilu in bricks, which finds the residual in z and adds x_p in the same pass. */
template <class REAL>
PHASE void bricks_phase(hp_team *t, const hp_cpr_pressure *C, const hp_gh *A, const double *r, const REAL *xp,
                        double *z) {
#if defined(__CUDA_ARCH__)
  hp_dilu_bricks_apply_cuda(t, &C->second, A, z, xp, z);
  hp_precond_wells(t, A, r, z);
#endif
}

template <class REAL>
static __host__ __device__ __forceinline__ void second_phase(hp_team *t, const hp_cpr_pressure *C, const hp_gh *A,
                                                             const double *r, const REAL *xp, double *z) {
  if (C->second.ordering == HP_ORDER_BRICKS) bricks_phase(t, C, A, r, xp, z);
  else colours_phase(t, C, A, r, xp, z);
}

/* Where the second stage's residual is. */
static __host__ __device__ __forceinline__ double *residual_of(const hp_cpr_pressure *C, double *z) {
  return C->second.ordering == HP_ORDER_BRICKS ? z : C->residual;
}

/* See hp_krylov_precond_apply. In single precision r_p and x_p are vectors of the cycle. */
static __host__ __device__ __noinline__ void cpr_phase(hp_team *t, const hp_cpr_pressure *C, const hp_gh *A,
                                                       const double *r, double *z) {
#if defined(__CUDA_ARCH__)
  if (C->H->opt.precision == HP_PRECISION_SINGLE) {
    float *rp = (float *)C->H->level[0].b, *xp = (float *)C->H->level[0].x;
    restrict_phase(t, C, A, r, rp);
    hp_amg_program_cuda<true, HP_CPR_PLAIN>(t, C->H, NULL, NULL, true, true);
    residual_phase(t, C, A, r, xp, residual_of(C, z));
    second_phase(t, C, A, r, xp, z);
  } else {
    restrict_phase(t, C, A, r, C->rp);
    hp_amg_program_cuda<true, HP_CPR_PLAIN>(t, C->H, C->rp, C->xp, false, true);
    residual_phase(t, C, A, r, C->xp, residual_of(C, z));
    second_phase(t, C, A, r, C->xp, z);
  }
#endif
}

/* The block's threads read the data from shared memory: after a barrier, reads of global memory through a pointer would
 * go to L2 again. */
static __device__ __forceinline__ const hp_cpr_pressure *on_chip(const void *global) {
#if defined(__CUDA_ARCH__)
  __shared__ hp_cpr_pressure here;
  if (threadIdx.x == 0) here = *(const hp_cpr_pressure *)global;
  __syncthreads();
  const hp_amg *H = hp_amg_on_chip(here.H);
  if (threadIdx.x == 0) here.H = H;
  __syncthreads();
  return &here;
#else
  return (const hp_cpr_pressure *)global;
#endif
}

#define HP_SOLVE_APPLY(t, P, A, r, z) cpr_phase(t, (const hp_cpr_pressure *)(P)->external_data, A, r, z)
#include "linsolve/krylov/cuda/kernel.cuh"
#include "linsolve/krylov/device.h"
#include "linsolve/precond/device.h"

struct shape {
  enum { THREADS = HP_CPR_THREADS, LOADS = true };
  static __device__ __forceinline__ const void *load(const void *data) { return on_chip(data); }
};

static const void *solve_kernel(int method, const hp_gh *A) {
  const bool two = A->q == 2 && A->nx > 1 && A->ny > 1 && A->nz > 1;
  switch (method) {
    case HP_KRYLOV_BICGSTAB:
      return two ? (const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_TWO_3D, shape>
                 : (const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_ANY, shape>;
    case HP_KRYLOV_GMRES: return (const void *)hp_solve_kernel<HP_KRYLOV_GMRES, HP_SOLVE_ANY, shape>;
    case HP_KRYLOV_TFQMR: return (const void *)hp_solve_kernel<HP_KRYLOV_TFQMR, HP_SOLVE_ANY, shape>;
    default: return NULL;
  }
}

static __global__ void __launch_bounds__(HP_CPR_THREADS, 1)
    apply_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ hp_apply_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  cpr_phase(&t, on_chip(a.P.external_data), &a.A, a.r, a.z);
  hp_team_leave(&t);
}

#endif
