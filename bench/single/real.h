/* Texts of double precision that follow this header in a source file are compiled in single precision. The headers of the team,
 * which stand before, stay as they are: what a method hands to a sum is converted. Such a file includes nothing else afterwards
 * but linsolve/single. There are neither ranks nor preconditioners. */
#ifndef HP_BENCH_SINGLE_REAL_H
#define HP_BENCH_SINGLE_REAL_H

#include <math.h>
#include <string.h>

#include "core/device/cuda/load.cuh"
#include "core/device/device.h"
#include "core/team/team.h"

#if defined(__CUDA_ARCH__)
template <int count>
static __device__ __forceinline__ void hp_team_warp_sums(int slot, float (&acc)[count][2]) {
  double wide[count][2];
#pragma unroll
  for (int k = 0; k < count; ++k) {
    wide[k][0] = acc[k][0];
    wide[k][1] = acc[k][1];
  }
  hp_team_warp_sums<count>(slot, wide);
}

static __device__ __forceinline__ void hp_team_grid_sum_end(hp_team *t, int64_t n, int count, float *out,
                                                            const char *place) {
  double wide[HP_SUMS_MAX];
  hp_team_grid_sum_end(t, n, count, wide, place);
  for (int k = 0; k < count; ++k) out[k] = (float)wide[k];
}
#else
HP_INLINE void hp_single_partial(hp_team *t, int64_t c, int count, float (*acc)[HP_LANES]) {
  double wide[HP_SUMS_MAX][HP_LANES];
  for (int k = 0; k < count; ++k)
    for (int l = 0; l < HP_LANES; ++l) wide[k][l] = acc[k][l];
  hp_team_partial(t, c, count, wide);
}

HP_INLINE void hp_single_sum_end(hp_team *t, int64_t n, int count, float *out, const char *place) {
  double wide[HP_SUMS_MAX];
  hp_team_sum_end_at(t, n, count, wide, place);
  for (int k = 0; k < count; ++k) out[k] = (float)wide[k];
}

#define hp_team_partial hp_single_partial
#define hp_team_sum_end_at hp_single_sum_end
#endif
#define hp_team_renew_at(t, part, x, ...) ((void)(t), (void)(x))
#define hp_team_renew_all_at(t, part, x, ...) ((void)(t), (void)(x))
#define hp_team_drop_at(t, part, x, ...) ((void)(t), (void)(x))

#undef __SSE2__ /* linsolve/matrix/pair.inl.h: pairs of double */
#define double float
#define double2 float2
#define make_double2 make_float2
#define sqrt sqrtf
#define fabs fabsf

#include "linsolve/matrix/gh.h"
#include "linsolve/precond/precond.h"

/* Stands for the table of preconditioners. */
#define HP_LINSOLVE_KRYLOV_PRECOND_INL_H
HP_INLINE HP_HD bool hp_krylov_precond_is_none(const hp_precond *P) {
  (void)P;
  return true;
}
HP_INLINE HP_HD void hp_krylov_precond_apply(hp_team *t, const hp_precond *P, const hp_gh *A, const double *r,
                                             double *z) {
  (void)t, (void)P, (void)A, (void)r, (void)z;
}

#endif
