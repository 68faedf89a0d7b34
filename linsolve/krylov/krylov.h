/* Krylov methods: the choice of one, a solve, and its report.
 *
 * The methods of HP_KRYLOV_LIST are team programs, one file each (linsolve/krylov/bicgstab.inl.h, ...). They are right
 * preconditioned: they iterate on A M^-1 y = b, x = M^-1 y, so that they watch the true residual. Before a method reports
 * success it computes b - A x.
 *
 *     hp_krylov *K;
 *     HP_TRY(hp_krylov_create(hub, A, &options, &K));
 *     for each Newton step:
 *       HP_TRY(hp_krylov_setup(K, A));                  numbers of the preconditioner
 *       HP_TRY(hp_krylov_solve(K, A, b, x, &report));   not converging is no error
 *
 * A new method is one new .inl.h file and one line in HP_KRYLOV_LIST.
 */
#ifndef HP_LINSOLVE_KRYLOV_KRYLOV_H
#define HP_LINSOLVE_KRYLOV_KRYLOV_H

#include "core/device/transport.h"
#include "linsolve/krylov/combinations.h"
#include "linsolve/matrix/gh.h"
#include "linsolve/matrix/sparse.h"
#include "linsolve/precond/precond.h"

HP_EXTERN_C_BEGIN

/* X(NAME, "deck name", function, work vectors as an expression of the restart length m) */
#define HP_KRYLOV_LIST(X)                 \
  X(BICGSTAB, "bicgstab", hp_bicgstab, 7) \
  X(GMRES, "gmres", hp_gmres, (m) + 3)    \
  X(TFQMR, "tfqmr", hp_tfqmr, 8)          \
  X(QMR, "qmr", hp_qmr, 10)               \
  X(CG, "cg", hp_cg, 6)

typedef enum {
#define HP_KRYLOV_ENUM(name, text, f, vectors) HP_KRYLOV_##name,
  HP_KRYLOV_LIST(HP_KRYLOV_ENUM)
#undef HP_KRYLOV_ENUM
      HP_KRYLOV_COUNT
} hp_krylov_method;

/* The reason why a solve ended. The time-step control judges solves that did not converge. */
#define HP_KRYLOV_REASON_LIST(X)                                      \
  X(CONVERGED, "converged")                                           \
  X(MAX_ITERATIONS, "iteration limit reached")                        \
  X(BREAKDOWN, "breakdown: a scalar vanished, restarts did not help") \
  X(STAGNATION, "the residual no longer falls")                       \
  X(NOT_FINITE, "a residual is not a finite number")                  \
  X(SINGULAR, "the preconditioner met a singular block")              \
  X(NOT_SPD, "the matrix or its preconditioner is not symmetric positive definite, as cg needs")

typedef enum {
#define HP_KRYLOV_REASON_ENUM(name, text) HP_KRYLOV_##name,
  HP_KRYLOV_REASON_LIST(HP_KRYLOV_REASON_ENUM)
#undef HP_KRYLOV_REASON_ENUM
} hp_krylov_reason;

/* Execution of a method on a GPU (linsolve/krylov/host_driven/execution.cuh). Ranks with a GPU each have the second, a CPU has only the
 * first; the others are for comparisons. X(NAME, "deck name") */
#define HP_EXECUTION_LIST(X)                                                                             \
  X(IN_KERNEL, "in-kernel")         /* the whole solve is one kernel whose blocks wait for each other */ \
  X(PER_OPERATION, "per-operation") /* a kernel for each operation, the loop on the host */              \
  X(GRAPH, "graph")                 /* the same kernels as a CUDA graph with the loop in it */           \
  X(LIBRARY, "library")             /* cuBLAS and cuSPARSE */

typedef enum {
#define HP_EXECUTION_ENUM(name, text) HP_EXECUTION_##name,
  HP_EXECUTION_LIST(HP_EXECUTION_ENUM)
#undef HP_EXECUTION_ENUM
      HP_EXECUTION_COUNT
} hp_execution_kind;

typedef struct hp_krylov_options {
  hp_krylov_method method;
  hp_precond_kind preconditioner;
  hp_ordering ordering;   /* DILU only */
  hp_precision precision; /* DILU only: of the stored blocks */
  double relaxation;      /* DILU only: share of dropped fill added to the diagonal, 0 .. 1 */
  double tolerance;       /* relative to |b| */
  int max_iterations;     /* BiCG-Stab, TFQMR, QMR: of two products; GMRES, CG: of one */
  int restart;            /* GMRES: length of the basis */
  hp_sparse_kind matrix;  /* storage of the matrix in the products; preconditioners read GH */
  hp_execution_kind execution;
  hp_transport exchange; /* ranks with a GPU each: exchange of ghosts */
  int barrier; /* a run on a GPU: 0: the barrier of its launch shape, else 1 + hp_barrier_kind (core/team/barrier.h) */
  bool specialise; /* a GPU, in-kernel: the kernel is compiled for the matrix (linsolve/krylov/cuda/special.cuh) */
  const hp_precond_external *external; /* not NULL: used in place of `preconditioner`; must outlive the solver */
} hp_krylov_options;

typedef struct hp_krylov_report {
  hp_krylov_reason reason;
  int iterations;          /* as max_iterations counts them */
  int restarts;            /* after breakdowns, or because recurred and true residual differed */
  int64_t products;        /* with A or its transpose */
  int64_t applications;    /* of the preconditioner or its transpose */
  int64_t barriers;        /* of the team in this solve */
  int64_t singular_cell;   /* with HP_KRYLOV_SINGULAR: the cell, or ncell + w for well w; else -1 */
  double norm_b, residual; /* |b|, true |b - A x| at the end (2-norms) */
} hp_krylov_report;

/* The outcome of hp_krylov_options.specialise, and of a tuned hp_device_shape.compile; in the executions per-operation and graph
 * of the tuned hp_kernel_shape.compile of operations on vectors. */
typedef struct hp_krylov_special {
  bool used;      /* false: kernels of the build solve */
  bool kept;      /* all kernels were read from files, not compiled */
  int kernels;    /* 1, or those of passes over vectors */
  int64_t passes; /* their passes in all solves so far; those of a graph when it is created */
  double seconds; /* time to compile or read them */
  int registers;  /* of a thread, at most */
  int64_t local;  /* [bytes] of a thread's local memory, at most */
  char note[800]; /* why one is not used or will be compiled again, or "" */
} hp_krylov_special;

typedef struct hp_krylov hp_krylov;

/* Returns the distance of work vectors of n numbers: an odd number of cache lines, because vectors a multiple of 4096 bytes apart
 * would fall into the same sets of the cache. */
int64_t hp_krylov_stride(int64_t n);
/* Returns the number of work vectors of a method (HP_KRYLOV_LIST); restart is that of GMRES. */
int64_t hp_krylov_vectors(hp_krylov_method method, int restart);

/* Creates work vectors, the preconditioner's storage and, unless it is GH, the storage of the products' matrix, for matrices of
 * A's shape and wells. Refused combinations fail with HP_ERR_USAGE and the reason. */
hp_status hp_krylov_create(hp_team_hub *hub, const hp_gh *A, const hp_krylov_options *opt, hp_krylov **out) HP_MUST_USE;
void hp_krylov_destroy(hp_krylov **K);

/* Returns NULL, or why the options are refused, anywhere (HP_SOLVER_ANY) or at this place, for any matrix (NULL) or those of A's
 * shape. */
const char *hp_krylov_refusal(const hp_krylov_options *opt, const hp_gh *A, hp_solver_place place);
hp_choices hp_krylov_choices(const hp_krylov_options *opt, hp_solver_place place);

/* Computes the preconditioner's numbers and the matrix in its other storage from A, whose shape and wells are those of create. A
 * singular block is no error here: later solves report it. */
hp_status hp_krylov_setup(hp_krylov *K, const hp_gh *A) HP_MUST_USE;

/* Solves A x = b; x [A->n] starts from zero. `history` [max_iterations + 1], if not NULL, receives the method's estimate of
 * |r| / |b| at the start and after each iteration. If the reason is NOT_FINITE, x is undefined; otherwise it is the last
 * iterate, whose residual is in the report. */
hp_status hp_krylov_solve(hp_krylov *K, const hp_gh *A, const double *b, double *x, double *history,
                          hp_krylov_report *report) HP_MUST_USE;

/* Changes the tolerance (> 0) of later solves; returns the previous one. */
double hp_krylov_set_tolerance(hp_krylov *K, double tolerance);

/* Returns the preconditioner, for benchmarks and reports. */
const hp_precond *hp_krylov_precond(const hp_krylov *K);

/* Returns the bytes held, for the memory line of the report. */
int64_t hp_krylov_bytes(const hp_krylov *K);

const char *hp_krylov_method_name(hp_krylov_method m);
const char *hp_krylov_reason_text(hp_krylov_reason r);
/* Finds a method by its deck name; false if there is none. */
bool hp_krylov_method_find(const char *name, hp_krylov_method *m);
const char *hp_execution_name(hp_execution_kind e);

HP_EXTERN_C_END

#endif
