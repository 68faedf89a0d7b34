/* The solve kernel: a Krylov method as the program of one cooperative kernel.
 *
 * A higher layer with its own preconditioner has a kind of solve for it (linsolve/krylov/cuda/kinds.cuh) and a class SHAPE
 * like hp_solve_plain with that kind. Its hp_precond_device has hp_solve_kernel<method, form, SHAPE> for the solves that
 * must be fast, and hp_tasks_kernel<SHAPE> for all else: the preconditioner's code is most of a kernel, and each kernel has
 * its own copy.
 */
#ifndef HP_LINSOLVE_KRYLOV_CUDA_KERNEL_CUH
#define HP_LINSOLVE_KRYLOV_CUDA_KERNEL_CUH

#include "linsolve/krylov/cuda/bicgstab.cuh"
#include "linsolve/krylov/cuda/kinds.cuh"
#include "linsolve/krylov/methods.inl.h"

/* The kind of solve, threads of a block of the kernel, a multiple of HP_TEAM_THREADS, and hp_precond.external_data as they
 * shall see it, such as its copy in shared memory. LOADS: load is called, by all threads. */
#if !defined(HP_CONSTANT_SOLVE_THREADS)
#define HP_CONSTANT_SOLVE_THREADS HP_TEAM_THREADS
#define HP_CONSTANT_SOLVE_BLOCKS 1 /* on a multiprocessor that must have registers */
#endif
struct hp_solve_plain {
  typedef hp_solve solve;
  enum { THREADS = HP_CONSTANT_SOLVE_THREADS, LOADS = false };
  static __device__ __forceinline__ const void *load(const void *data) { return data; }
};

/* The tasks of hp_tasks_kernel are those of hp_krylov_method and x = M^-1 b. */
enum { HP_TASK_APPLY = HP_KRYLOV_COUNT };

template <class hp_solve>
struct hp_solve_args_of {
  hp_gh A;
  hp_precond P;
  hp_solve S;
  const int64_t *singular;
  int task; /* of hp_tasks_kernel */
};
typedef hp_solve_args_of<hp_solve> hp_solve_args; /* of the host: those of all kinds have the same bytes */

/* Kernels by the form of the matrix: BiCG-Stab's for two unknowns in three dimensions, FLY: with products of s = r - alpha v,
 * which is not stored. Forms of the matrix from HP_GH_FORMS on have the numbers from HP_SOLVE_FORMS on. */
enum {
  HP_SOLVE_ANY,
  HP_SOLVE_TWO_3D,
  HP_SOLVE_TWO_3D_FLY,
  HP_SOLVE_TWO_3D_ROWS,
  HP_SOLVE_TWO_3D_ROWS_FLY,
  HP_SOLVE_FORMS
};

template <int method, int form, class hp_solve>
static __device__ __forceinline__ void hp_solve_run(hp_team *t, const hp_solve *S) {
  if (method == HP_KRYLOV_BICGSTAB) {
    constexpr bool rows = form == HP_SOLVE_TWO_3D_ROWS || form == HP_SOLVE_TWO_3D_ROWS_FLY;
    constexpr int matrix = form == HP_SOLVE_ANY     ? (int)HP_GH_ANY
                           : form >= HP_SOLVE_FORMS ? HP_GH_FORMS + (form - HP_SOLVE_FORMS)
                           : rows                   ? (int)HP_GH_TWO_3D_ROWS
                                                    : (int)HP_GH_TWO_3D;
    hp_bicgstab_cuda<matrix, form == HP_SOLVE_TWO_3D_FLY || form == HP_SOLVE_TWO_3D_ROWS_FLY>(t, S);
  } else {
    hp_krylov_run(t, (hp_krylov_method)method, S);
  }
}

/* Copies the kernel's arguments to shared memory, where the programs read them. */
template <class SHAPE, class hp_solve>
static __device__ __forceinline__ void hp_solve_load_args(hp_solve_args_of<hp_solve> *a,
                                                          const hp_solve_args_of<hp_solve> *arguments) {
  static_assert(sizeof *a == sizeof(hp_solve_args), "the host's arguments are those of any kind");
  if (threadIdx.x == 0) {
    *a = *arguments;
    a->P.external = NULL;
    a->S.A = &a->A;
    a->S.P = &a->P;
    a->S.F = NULL;
    a->S.singular = *a->singular;
  }
  __syncthreads();
  if (SHAPE::LOADS) {
    const void *data = SHAPE::load(a->P.external_data);
    if (threadIdx.x == 0) a->P.external_data = data;
    __syncthreads();
  }
}

template <int method, int form, class SHAPE = hp_solve_plain>
static __global__ void __launch_bounds__(SHAPE::THREADS, HP_CONSTANT_SOLVE_BLOCKS)
    hp_solve_kernel(const __grid_constant__ hp_team_grid grid,
                    const __grid_constant__ hp_solve_args_of<typename SHAPE::solve> arguments) {
  __shared__ hp_solve_args_of<typename SHAPE::solve>
      a; /* in shared memory for the same reason as the grid in hp_team_enter */
  hp_team t;
  hp_team_enter(&t, &grid);
  hp_solve_load_args<SHAPE>(&a, &arguments);
  hp_solve_run<method, form>(&t, &a.S);
  hp_team_leave(&t);
}

/* SHAPE::run(t, S, task) does the task. */
template <class SHAPE>
static __global__ void __launch_bounds__(SHAPE::THREADS, 1)
    hp_tasks_kernel(const __grid_constant__ hp_team_grid grid,
                    const __grid_constant__ hp_solve_args_of<typename SHAPE::solve> arguments) {
  __shared__ hp_solve_args_of<typename SHAPE::solve> a;
  hp_team t;
  hp_team_enter(&t, &grid);
  hp_solve_load_args<SHAPE>(&a, &arguments);
  SHAPE::run(&t, &a.S, arguments.task);
  hp_team_leave(&t);
}

#endif
