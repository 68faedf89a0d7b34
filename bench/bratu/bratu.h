/* The solid-fuel ignition (Bratu) problem, the application of Lowell et al. 2013 (section 4.2), by Newton's method:
 *
 *     -Laplace(u) - lambda e^u = 0   inside,   u = 0   on the boundary of the unit cube
 *
 * Second differences on nx x ny x nz nodes, those of the boundary included, the last direction fastest:
 *
 *     j = ny-1  o---o---o---o---o      o  boundary: F = u, an identity row
 *               o---x---x---x---o      x  inside:   F = sum over directions of w (2 u - u_left - u_right)
 *               o---x---x---x---o                       - lambda hx hy hz e^u,   w = hy hz / hx, hx hz / hy, hx hy / hz
 *     j = 0     o---o---o---o---o      node m = (i ny + j) nz + k
 *
 * A direction of one node is none: nz = 1 is the unit square, ny = nz = 1 an interval. Neighbours on the boundary count
 * as 0, so that F and the Jacobian have no couplings to them and the Jacobian is symmetric. It is a seven-diagonal matrix
 * with one unknown a cell (linsolve/matrix/gh.h). The first guess is lambda / (lambda + 1) sqrt(distance from the boundary).
 *
 * Up to a lambda there are two solutions, beyond it none: 3.5138 for the interval, 6.8081 for the square, about 9.9 for the
 * cube. From this guess Newton's method goes to the lower one.
 *
 *     hp_bratu_solver *B;
 *     HP_TRY(hp_bratu_create(&options, hub, NULL, &B));
 *     HP_TRY(hp_bratu_solve(B, u, &report));
 *
 *     command.c     hepta bench bratu: options and tables
 *     newton.c      the parts that sim/newton/loop.h asks for
 *     bratu.inl.h   F, the Jacobian, the update: team programs
 *     cpu.c         these and the linear solver on a team of the CPU
 *     cuda/gpu.cu   on a GPU: all but the loop; norms and the solution are copied, nothing else
 *     peer.c        PETSc's examples beside it, by petsc/examples.c
 */
#ifndef HP_BENCH_BRATU_H
#define HP_BENCH_BRATU_H

#include "amg/amg.h"
#include "core/device/device.h"
#include "sim/newton/loop.h"

HP_EXTERN_C_BEGIN

enum { HP_BRATU_ITERATIONS_MAX = 1000 };

typedef struct hp_bratu_options {
  int nx, ny, nz; /* nodes: 1, or 3 and more */
  double lambda;
  double newton_tolerance; /* |F| of the start that is left */
  double step_tolerance;   /* or: |change of u| of |u| */
  int newton_iterations;   /* at most, up to HP_BRATU_ITERATIONS_MAX */
  double tolerance;        /* of a linear solve, of |F| */
  int restart, linear_iterations;
  hp_sparse_kind matrix; /* in the products of gmres */
  bool uses_amg;         /* one cycle as the preconditioner; else none */
  hp_amg_options amg;
} hp_bratu_options;

/* lambda 6, and the tolerances that PETSc has as its defaults: 1e-8, 1e-8, 50 iterations; gmres(30) to 1e-5, 10000.
 * on_gpu: multigrid with a smoother for it. */
hp_bratu_options hp_bratu_default_options(int nx, int ny, int nz, bool on_gpu);

/* NULL, or why the options do not go together, or not on a GPU. */
const char *hp_bratu_refusal(const hp_bratu_options *opt, bool on_gpu);

/* The parts of a solve's time. Products, cycles and vectors are parts of the linear solves. */
#define HP_BRATU_PART_LIST(X)                                                   \
  X(RESIDUAL, "residual")                                                       \
  X(JACOBIAN, "jacobian")                                                       \
  X(SETUP, "setup")     /* the matrix in another format, the multigrid */       \
  X(PRODUCT, "product") /* number of products times the time of one */          \
  X(PRECOND, "precond") /* number of cycles times the time of one */            \
  X(VECTORS, "vectors") /* what the linear solves take besides, sums with it */ \
  X(UPDATE, "update")                                                           \
  X(TRANSFER, "transfer") /* between host and GPU, outside of linear solves */

typedef enum {
#define HP_BRATU_PART_ENUM(name, text) HP_BRATU_##name,
  HP_BRATU_PART_LIST(HP_BRATU_PART_ENUM)
#undef HP_BRATU_PART_ENUM
      HP_BRATU_PARTS
} hp_bratu_part;

const char *hp_bratu_part_name(hp_bratu_part part);

/* Newton iteration n: the residual before it, the linear solve, the step. */
typedef struct hp_bratu_iteration {
  double norm;             /* |F| */
  hp_krylov_report linear; /* not of the last one, whose residual ended it */
  double step, size;       /* |change of u|, |u| after it */
} hp_bratu_iteration;

typedef struct hp_bratu_report {
  hp_newton_end end;
  bool by_step; /* converged: the step was small, not the residual */
  int newton, linear;
  int64_t products, applications;
  hp_bratu_iteration *history;           /* [newton + 1], the solver's */
  double seconds[HP_BRATU_PARTS], total; /* total: from the first guess to the solution in u; the parts add up to it */
  int64_t bytes;                         /* copied between host and GPU */
} hp_bratu_report;

typedef struct hp_bratu_solver hp_bratu_solver;

/* One of hub and D, borrowed. */
hp_status hp_bratu_create(const hp_bratu_options *opt, hp_team_hub *hub, hp_device *D,
                          hp_bratu_solver **out) HP_MUST_USE;
void hp_bratu_destroy(hp_bratu_solver **B);

/* Solves from the first guess; u [nx ny nz] is the host's. Not converging is no error: the report says how it ended. */
hp_status hp_bratu_solve(hp_bratu_solver *B, double *u, hp_bratu_report *report) HP_MUST_USE;

/* Times one product and one cycle by themselves, after a solve and with its last Jacobian, and divides the time of the
 * linear solves in `report` by them. */
hp_status hp_bratu_divide(hp_bratu_solver *B, hp_bratu_report *report) HP_MUST_USE;

/* "converged", "no more than 50 iterations", ... */
const char *hp_bratu_end_text(const hp_bratu_report *report);

HP_EXTERN_C_END

#endif
