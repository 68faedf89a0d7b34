/* Arguments and state of the kernels of executions without the in-kernel solver
 * (linsolve/krylov/host_driven/execution.cuh), including those compiled at run time. */
#ifndef HP_LINSOLVE_KRYLOV_HOST_DRIVEN_ARGS_CUH
#define HP_LINSOLVE_KRYLOV_HOST_DRIVEN_ARGS_CUH

#include "linsolve/krylov/bicgstab.inl.h"

/* The state of GMRES in its cycle. */
typedef struct hp_exec_gmres {
  int j;                      /* steps that the cycle has made; its latest vector */
  int pass, first, count;     /* passes of the step so far; the group that the next one subtracts, and */
  int next, dots;             /* the group that it multiplies: first vector, number of vectors */
  int ended;                  /* hp_krylov_reason for which the cycle ended, -1: it goes on */
  bool full;                  /* it ended because the basis is full */
  double before, square;      /* |w|^2 before it was made orthogonal, and now */
  double below;               /* |w| at the end; 0: the space is exhausted */
  double factor[HP_SUMS_MAX]; /* of the next pass */
} hp_exec_gmres;

/* The state of a solve, in device memory. */
typedef struct hp_exec_state {
  hp_run run;
  hp_bicgstab_state c;
  hp_exec_gmres gmres;
  int ended;         /* hp_krylov_reason for which the iterations ended, -1: they go on */
  bool update, done; /* x and r have to be updated; the solve is over */
  hp_krylov_reason reason;
} hp_exec_state;

/* Arguments of every kernel; device pointers. */
typedef struct hp_exec_args {
  hp_gh A;
  hp_precond P;
  hp_solve S; /* without its pointers to A and P, and without `singular` */
  const int64_t *singular;
  hp_exec_state *state;
  double *partial;      /* [HP_SUMS_MAX][HP_GROUPS_MAX] */
  const double *summed; /* of a rank: the latest sums over all, in the host's memory; NULL: there is one process */
  int64_t pattern;      /* of an external preconditioner: the graph is made again when it changes */
  bool in_graph;
  struct hp_exact *exact; /* of a rank: sums in the GPU's memory (core/device/part.h); NULL: there is one process */
  unsigned long long go_on, judge, step, pass; /* handles of the graph's conditional nodes; the latter two of GMRES */
} hp_exec_args;

#if defined(__CUDACC__)

HP_INLINE __device__ bool hp_exec_is_over(const hp_exec_args *a) { return a->state->ended >= 0; }

#endif

#endif
