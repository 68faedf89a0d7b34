/* Private to bench/bratu: where the unknowns are and the programs run, a team of the CPU (cpu.c) or a GPU
 * (cuda/gpu.cu). */
#ifndef HP_BENCH_BRATU_PLACE_H
#define HP_BENCH_BRATU_PLACE_H

#include "bench/bratu/bratu.h"
#include "bench/bratu/bratu.inl.h"
#include "bench/multigrid/solver.h"

HP_EXTERN_C_BEGIN

typedef struct hp_bratu_place hp_bratu_place;

/* All wait for what they begin. */
typedef struct hp_bratu_ops {
  void (*destroy)(hp_bratu_place **L);
  hp_status (*start)(hp_bratu_place *L);
  hp_status (*residual)(hp_bratu_place *L, double *sum);
  hp_status (*jacobian)(hp_bratu_place *L);
  /* The linear solver's, from the Jacobian; first: of a solve. */
  hp_status (*set_up)(hp_bratu_place *L, bool first);
  hp_status (*solve)(hp_bratu_place *L, hp_krylov_report *report);
  hp_status (*update)(hp_bratu_place *L, double *sum);
  hp_status (*solution)(hp_bratu_place *L, double *u);
  /* [s] of one product with the Jacobian, and of one cycle (0 without). */
  hp_status (*time_product)(hp_bratu_place *L, double *seconds);
  hp_status (*time_cycle)(hp_bratu_place *L, double *seconds);
} hp_bratu_ops;

struct hp_bratu_place {
  const hp_bratu_ops *ops;
  double transfer; /* [s] of copies so far that are in the times of the other parts */
  int64_t bytes;   /* copied so far */
};

/* Options of the linear solvers. */
hp_krylov_options hp_bratu_krylov(const hp_bratu_options *opt, bool on_gpu);
hp_amg_solver_options hp_bratu_multigrid(const hp_bratu_options *opt);

hp_status hp_bratu_cpu_create(const hp_bratu_options *opt, hp_team_hub *hub, hp_bratu_place **out) HP_MUST_USE;
HP_GPU hp_status hp_bratu_device_create(const hp_bratu_options *opt, hp_device *D, hp_bratu_place **out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
