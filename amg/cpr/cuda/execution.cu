/* See amg/cpr/cuda/execution.cuh. The pieces are those of the solve's kernel, in its order, and so are the bits; the
 * end of a kernel stands for a barrier. All do nothing once the iterations have ended. */
#include "amg/cpr/cuda/execution.cuh"
#include "amg/cpr/cuda/pieces.cuh"
#include "linsolve/krylov/host_driven/execution.cuh"

#define EXEC_KERNEL static __global__ void __launch_bounds__(HP_CPR_THREADS)

static __device__ __forceinline__ const hp_cpr_pressure *data_of(const hp_exec_args *a) {
  return (const hp_cpr_pressure *)a->P.external_data;
}

static __device__ __forceinline__ bool is_single(const hp_cpr_pressure *C) {
  return C->H->opt.precision == HP_PRECISION_SINGLE;
}

/* In single precision r_p and x_p are vectors of the cycle. */
EXEC_KERNEL restrict_kernel(const __grid_constant__ hp_exec_args a, const double *r) {
  const hp_cpr_pressure *C = data_of(&a);
  hp_team t = hp_exec_team(&a);
  if (hp_exec_is_over(&a)) return;
  if (is_single(C)) hp_cpr_restrict_cuda(&t, C, &a.A, r, (float *)C->H->level[0].b);
  else hp_cpr_restrict_cuda(&t, C, &a.A, r, C->rp);
}

/* Pass number k of the cycle. */
template <bool PLAIN>
EXEC_KERNEL pass_kernel(const __grid_constant__ hp_exec_args a, int k) {
#if defined(__CUDA_ARCH__)
  const hp_cpr_pressure *C = data_of(&a);
  hp_team t = hp_exec_team(&a);
  if (hp_exec_is_over(&a)) return;
  if (is_single(C)) hp_amg_pass_run_cuda<float, true, PLAIN>(&t, C->H, &C->H->program[k], NULL, NULL);
  else hp_amg_pass_run_cuda<double, true, PLAIN>(&t, C->H, &C->H->program[k], C->rp, C->xp);
#endif
}

EXEC_KERNEL residual_kernel(const __grid_constant__ hp_exec_args a, const double *r, double *z) {
  const hp_cpr_pressure *C = data_of(&a);
  hp_team t = hp_exec_team(&a);
  if (hp_exec_is_over(&a)) return;
  double *s = C->second.ordering == HP_ORDER_BRICKS ? z : C->residual;
  if (is_single(C)) hp_cpr_residual_cuda(&t, C, &a.A, r, (const float *)C->H->level[0].x, s);
  else hp_cpr_residual_cuda(&t, C, &a.A, r, (const double *)C->xp, s);
}

EXEC_KERNEL bricks_kernel(const __grid_constant__ hp_exec_args a, double *z) {
#if defined(__CUDA_ARCH__)
  const hp_cpr_pressure *C = data_of(&a);
  hp_team t = hp_exec_team(&a);
  if (hp_exec_is_over(&a)) return;
  if (is_single(C)) hp_dilu_bricks_apply_cuda(&t, &C->second, &a.A, z, (const float *)C->H->level[0].x, z);
  else hp_dilu_bricks_apply_cuda(&t, &C->second, &a.A, z, (const double *)C->xp, z);
#endif
}

/* For q = 2 the odd cells' result overwrites their residual, as in the solve kernel. */
EXEC_KERNEL colour_kernel(const __grid_constant__ hp_exec_args a, int odd, double *z) {
#if defined(__CUDA_ARCH__)
  const hp_cpr_pressure *C = data_of(&a);
  hp_team t = hp_exec_team(&a);
  double *y = a.A.q == 2 ? C->residual : z;
  if (hp_exec_is_over(&a)) return;
  hp_dilu_colour_cuda(&t, &C->second, &a.A, odd, C->residual, odd ? C->residual : y, odd ? y : z);
#endif
}

EXEC_KERNEL sum_kernel(const __grid_constant__ hp_exec_args a, double *z) {
  const hp_cpr_pressure *C = data_of(&a);
  hp_team t = hp_exec_team(&a);
  if (hp_exec_is_over(&a)) return;
  if (is_single(C)) hp_cpr_sum_cuda(&t, C, &a.A, (const float *)C->H->level[0].x, z);
  else hp_cpr_sum_cuda(&t, C, &a.A, (const double *)C->xp, z);
}

static hp_status append(const hp_cpr_list *list, hp_execution *E, const void *kernel, void **args) {
  return hp_exec_launch(E, kernel, list->blocks, HP_CPR_THREADS, args, 0, "applying cpr");
}

/* In single precision without the first and the last pass, which convert b and x. */
static hp_status append_cycle(const hp_cpr_list *list, hp_execution *E) {
  const int skipped = list->precision == HP_PRECISION_SINGLE;
  for (int k = skipped; k < list->passes - skipped; ++k) {
    void *args[] = {&E->args, &k};
    HP_TRY(append(list, E, list->plain ? (const void *)pass_kernel<true> : (const void *)pass_kernel<false>, args));
  }
  return HP_OK;
}

hp_status hp_cpr_enqueue(const hp_cpr_list *list, hp_execution *E, const double *r, double *z) {
  void *with_r[] = {&E->args, &r}, *with_z[] = {&E->args, &z}, *with_both[] = {&E->args, &r, &z};
  HP_TRY(append(list, E, (const void *)restrict_kernel, with_r));
  HP_TRY(append_cycle(list, E));
  HP_TRY(append(list, E, (const void *)residual_kernel, with_both));
  if (list->ordering == HP_ORDER_BRICKS) return append(list, E, (const void *)bricks_kernel, with_z);
  for (int odd = 1; odd >= 0; --odd) {
    void *colour[] = {&E->args, &odd, &z};
    HP_TRY(append(list, E, (const void *)colour_kernel, colour));
  }
  return append(list, E, (const void *)sum_kernel, with_z);
}
