/* bench/multigrid/device.h with CUDA. */
#include "bench/multigrid/device.h"

#include "amg/cycle/cuda/program.cuh"
#include "bench/multigrid/stationary.inl.h"
#include "core/memory.h"
#include "linsolve/krylov/cuda/kernel.cuh"
#include "linsolve/krylov/device.h"

/* ---- kernels; PLAIN: cycles read rows as csr or HEC (amg/rows/cuda/plain.cuh), not in slices ---- */

/* Not inlined, so that a kernel contains the code once. */
template <bool PLAIN>
static __host__ __device__ __noinline__ void hp_amg_cycle_phase(hp_team *t, const void *H, const double *r, double *z) {
#if defined(__CUDA_ARCH__)
  /* hp_krylov_run_precondition has a barrier */
  hp_amg_program_cuda<false, PLAIN>(t, (const hp_amg *)H, r, z, false, false);
#else
  (void)t, (void)H, (void)r, (void)z;
#endif
}

template <bool PLAIN>
struct hp_amg_solve : hp_external_solve {};

template <bool PLAIN>
HP_INLINE HP_HD void hp_solve_apply(hp_team *t, const hp_amg_solve<PLAIN> *S, const double *v, double *z) {
  hp_amg_cycle_phase<PLAIN>(t, S->P->external_data, v, z);
}

template <bool PLAIN>
struct shape {
  typedef hp_amg_solve<PLAIN> solve;
  enum { THREADS = HP_BLOCK_MAX, LOADS = true }; /* cycles need many loads in flight, hence many warps */
  static __device__ __forceinline__ const void *load(const void *data) { return hp_amg_on_chip((const hp_amg *)data); }
};

/* All but solves by bicgstab, whose kernel is alone. STATIONARY: cycles without a method, whichever is asked. */
template <bool PLAIN, bool STATIONARY>
struct tasks : shape<PLAIN> {
  static __device__ __forceinline__ void run(hp_team *t, const hp_amg_solve<PLAIN> *S, int task) {
    if (task == HP_TASK_APPLY) {
      hp_amg_cycle_phase<PLAIN>(t, S->P->external_data, S->b, S->x);
    } else if (STATIONARY) {
      hp_stationary(t, S);
    } else {
      switch (task) {
        case HP_KRYLOV_GMRES: hp_solve_run<HP_KRYLOV_GMRES, HP_SOLVE_ANY>(t, S); break;
        case HP_KRYLOV_CG: hp_solve_run<HP_KRYLOV_CG, HP_SOLVE_ANY>(t, S); break;
      }
    }
  }
};

template <bool PLAIN, bool STATIONARY>
static const void *kernel_of(int task, const hp_gh *A) {
  (void)A;
  if (!STATIONARY && task == HP_KRYLOV_BICGSTAB)
    return (const void *)hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_ANY, shape<PLAIN>>;
  return (const void *)hp_tasks_kernel<tasks<PLAIN, STATIONARY>>;
}

template <bool PLAIN>
static void choose_kernels(hp_precond_device *M, bool stationary) {
  M->kernel = stationary ? kernel_of<PLAIN, true> : kernel_of<PLAIN, false>;
}

/* ---- the solver ---- */

struct hp_amg_device_solver {
  hp_device *D;
  const hp_gh *A; /* the caller's */
  hp_csr_device csr;
  hp_amg_device *H;
  hp_amg_device_cycle *C;
  bool fresh; /* just built: the preconditioner's setup has nothing to do */
  hp_precond_external external;
  hp_precond_device device;
  hp_krylov_device *K;
};

static __global__ void sound_kernel(int64_t *singular) { *singular = -1; }

static hp_status setup(void *self, const hp_gh *A, int64_t *singular) {
  hp_amg_device_solver *S = (hp_amg_device_solver *)self;
  (void)A;
  if (S->fresh) {
    HP_TRY(hp_amg_device_cycle_numbers(S->C));
  } else {
    HP_TRY(hp_csr_device_refresh(S->D, S->A, &S->csr));
    HP_TRY(hp_amg_device_cycle_refresh(S->C, S->H));
  }
  sound_kernel<<<1, 1, 0, hp_device_stream(S->D)>>>(singular);
  return hp_device_check(S->D, cudaGetLastError(), "setting up multigrid");
}

static hp_status create(hp_amg_device_solver *S, const hp_amg_solver_options *opt) {
  HP_TRY(hp_amg_device_create(S->D, &opt->amg, &S->H));
  HP_TRY(hp_amg_device_cycle_create(S->D, &opt->amg, &S->C));
  S->device.data = hp_amg_device_cycle_data(S->C);
  if (hp_amg_is_plain(&opt->amg)) choose_kernels<true>(&S->device, opt->stationary);
  else choose_kernels<false>(&S->device, opt->stationary);
  S->device.self = S;
  S->device.setup = setup;
  S->external.name = "multigrid";
  S->external.device = &S->device;
  S->external.symmetric = hp_amg_symmetric(&opt->amg);
  hp_krylov_options k;
  memset(&k, 0, sizeof k);
  k.method = opt->stationary ? HP_KRYLOV_BICGSTAB : opt->method; /* whose vectors are enough for the other */
  k.preconditioner = HP_PRECOND_NONE;
  k.tolerance = opt->tolerance;
  k.max_iterations = opt->max_iterations;
  k.restart = opt->restart;
  k.external = &S->external;
  return hp_krylov_device_create(S->D, S->A, &k, &S->K);
}

hp_status hp_amg_device_solver_create(hp_device *D, const hp_gh *A, const hp_amg_solver_options *opt,
                                      hp_amg_device_solver **out) {
  *out = NULL;
  const char *refusal = hp_amg_solver_refusal(opt);
  if (refusal == NULL) refusal = hp_amg_device_solver_refusal(opt);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "%s", refusal);
  if (A->q != 1) return hp_fail(HP_ERR_INTERNAL, "multigrid: needs a scalar system");
  hp_amg_device_solver *S = NULL;
  HP_TRY(HP_ALLOC(S, 1));
  S->D = D;
  S->A = A;
  const hp_status s = create(S, opt);
  if (s != HP_OK) hp_amg_device_solver_destroy(&S);
  *out = S;
  return s;
}

void hp_amg_device_solver_destroy(hp_amg_device_solver **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_amg_device_solver *S = *slot;
  hp_krylov_device_destroy(&S->K);
  hp_amg_device_cycle_destroy(&S->C);
  hp_amg_device_destroy(&S->H);
  hp_csr_device_free(S->D, &S->csr);
  HP_FREE(*slot);
}

hp_status hp_amg_device_solver_build(hp_amg_device_solver *S) {
  hp_csr_device_free(S->D, &S->csr); /* zeros of A are not in its pattern, and A may have had others */
  HP_TRY(hp_csr_device_from_gh(S->D, S->A, &S->csr));
  HP_TRY(hp_amg_device_build(S->H, &S->csr, S->A->wells.nwell));
  HP_TRY(hp_amg_device_cycle_prepare(S->C, S->H, S->A));
  S->fresh = true;
  return hp_krylov_device_setup(S->K, S->A);
}

hp_status hp_amg_device_solver_refresh(hp_amg_device_solver *S) {
  if (hp_amg_device_levels(S->H) == 0) return hp_fail(HP_ERR_INTERNAL, "multigrid: refresh before build");
  S->fresh = false;
  return hp_krylov_device_setup(S->K, S->A);
}

hp_status hp_amg_device_solver_solve(hp_amg_device_solver *S, const double *b, double *x, double *history,
                                     hp_krylov_report *report) {
  if (hp_amg_device_levels(S->H) == 0) return hp_fail(HP_ERR_INTERNAL, "multigrid: solve before build");
  return hp_krylov_device_solve(S->K, S->A, b, x, history, report);
}

hp_status hp_amg_device_solver_cycle(hp_amg_device_solver *S, const double *b, double *x) {
  return hp_amg_device_cycle_apply(S->C, b, x);
}

hp_amg_device *hp_amg_device_solver_hierarchy(hp_amg_device_solver *S) { return S->H; }

const hp_amg_device_cycle *hp_amg_device_solver_get_cycle(const hp_amg_device_solver *S) { return S->C; }

int64_t hp_amg_device_solver_bytes(const hp_amg_device_solver *S) {
  return hp_amg_device_bytes(S->H) + hp_amg_device_cycle_bytes(S->C) + hp_krylov_device_bytes(S->K);
}
