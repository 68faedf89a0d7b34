/* The application of cpr as phases of the solve's kernel: linsolve/krylov/cuda/kernel.cuh with the kind of solve
 * hp_cpr_solve<PLAIN>. PLAIN: cycles read rows as csr or HEC (amg/rows/cuda/plain.cuh), not in slices.
 * amg/cpr/cuda/kernels.cuh has the kernels of the build. linsolve/krylov/cuda/special.cuh compiles this text for one matrix,
 * with the cycle's precision HP_CONSTANT_CYCLE.
 */
#ifndef HP_AMG_CPR_CUDA_APPLY_CUH
#define HP_AMG_CPR_CUDA_APPLY_CUH

#include "amg/cpr/cuda/pieces.cuh"
#include "linsolve/krylov/cuda/kernel.cuh"

#define HP_CPR_PHASE static __host__ __device__ __noinline__

template <class REAL>
HP_CPR_PHASE void hp_cpr_restrict_phase(hp_team *t, const hp_cpr_pressure *C, const hp_gh *A, const double *r,
                                        REAL *rp) {
#if defined(__CUDA_ARCH__)
  hp_cpr_restrict_cuda(t, C, A, r, rp);
  hp_team_sync(t); /* r_p */
#endif
}

template <class REAL>
HP_CPR_PHASE void hp_cpr_residual_phase(hp_team *t, const hp_cpr_pressure *C, const hp_gh *A, const double *r,
                                        const REAL *xp, double *s) {
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
HP_CPR_PHASE void hp_cpr_colours_phase(hp_team *t, const hp_cpr_pressure *C, const hp_gh *A, const double *r,
                                       const REAL *xp, double *z) {
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
HP_CPR_PHASE void hp_cpr_bricks_phase(hp_team *t, const hp_cpr_pressure *C, const hp_gh *A, const double *r,
                                      const REAL *xp, double *z) {
#if defined(__CUDA_ARCH__)
  hp_dilu_bricks_apply_cuda(t, &C->second, A, z, xp, z);
  hp_precond_wells(t, A, r, z);
#endif
}

template <class REAL>
static __host__ __device__ __forceinline__ void hp_cpr_second_phase(hp_team *t, const hp_cpr_pressure *C,
                                                                    const hp_gh *A, const double *r, const REAL *xp,
                                                                    double *z) {
  if (C->second.ordering == HP_ORDER_BRICKS) hp_cpr_bricks_phase(t, C, A, r, xp, z);
  else hp_cpr_colours_phase(t, C, A, r, xp, z);
}

/* The memory of the second stage's residual. */
static __host__ __device__ __forceinline__ double *hp_cpr_residual_of(const hp_cpr_pressure *C, double *z) {
  return C->second.ordering == HP_ORDER_BRICKS ? z : C->residual;
}

static __host__ __device__ __forceinline__ bool hp_cpr_is_single(const hp_cpr_pressure *C) {
#if defined(HP_CONSTANT_CYCLE)
  return HP_CONSTANT_CYCLE == HP_PRECISION_SINGLE;
#else
  return C->H->opt.precision == HP_PRECISION_SINGLE;
#endif
}

/* See hp_krylov_precond_apply. In single precision r_p and x_p are vectors of the cycle. */
template <bool PLAIN>
static __host__ __device__ __noinline__ void hp_cpr_apply_cuda(hp_team *t, const hp_precond *P, const hp_gh *A,
                                                               const double *r, double *z) {
#if defined(__CUDA_ARCH__)
  const hp_cpr_pressure *C = (const hp_cpr_pressure *)P->external_data;
  if (hp_cpr_is_single(C)) {
    float *rp = (float *)C->H->level[0].b, *xp = (float *)C->H->level[0].x;
    hp_cpr_restrict_phase(t, C, A, r, rp);
    hp_amg_program_cuda<true, PLAIN>(t, C->H, NULL, NULL, true, true);
    hp_cpr_residual_phase(t, C, A, r, xp, hp_cpr_residual_of(C, z));
    hp_cpr_second_phase(t, C, A, r, xp, z);
  } else {
    hp_cpr_restrict_phase(t, C, A, r, C->rp);
    hp_amg_program_cuda<true, PLAIN>(t, C->H, C->rp, C->xp, false, true);
    hp_cpr_residual_phase(t, C, A, r, C->xp, hp_cpr_residual_of(C, z));
    hp_cpr_second_phase(t, C, A, r, C->xp, z);
  }
#endif
}

/* The block's threads read the data from shared memory: after a barrier, reads of global memory through a pointer would
 * go to L2 again. */
static __device__ __forceinline__ const hp_cpr_pressure *hp_cpr_on_chip(const void *global) {
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

template <bool PLAIN>
struct hp_cpr_solve : hp_external_solve {};

template <bool PLAIN>
HP_INLINE HP_HD void hp_solve_apply(hp_team *t, const hp_cpr_solve<PLAIN> *S, const double *v, double *z) {
  hp_cpr_apply_cuda<PLAIN>(t, S->P, S->A, v, z);
}

template <bool PLAIN>
struct hp_cpr_shape {
  typedef hp_cpr_solve<PLAIN> solve;
  enum { THREADS = HP_CPR_THREADS, LOADS = true };
  static __device__ __forceinline__ const void *load(const void *data) { return hp_cpr_on_chip(data); }
};

#endif
