/* PETSc's examples as a peer of hepta's Newton method (`hepta bench bratu --peer petsc`).
 *
 *     hepta ── dlopen ──> hepta_petsc.so (examples.c, ex5.c, ex14.c) ──> libpetsc, MPI
 *
 * The module alone is linked with PETSc. It uses no function of hepta; plain data goes in and out. bench/bratu/peer.c
 * opens it.
 */
#ifndef HP_BENCH_BRATU_SNES_H
#define HP_BENCH_BRATU_SNES_H

#include "bench/bratu/bratu.h"

enum { HP_PETSC_TEXT = 400 };

/* The residual before Newton iteration n, and the linear iterations until there. */
typedef struct hp_petsc_iteration {
  double norm;
  int linear;
} hp_petsc_iteration;

typedef struct hp_petsc_result {
  int newton;
  hp_petsc_iteration *history; /* [newton_iterations + 1], the caller's */
  double seconds;              /* of the solve */
  bool converged;
  char version[40], reason[80]; /* version: with the example's name */
  char error[HP_PETSC_TEXT];
} hp_petsc_result;

/* The problem of o, which hp_bratu_peer_lacks allows, without multigrid, one process, AIJ matrix; u [nx ny nz] in hepta's
 * order. False: R->error says why. */
typedef bool hp_petsc_solve_function(const hp_bratu_options *o, double *u, hp_petsc_result *R);
/* Ends MPI; nothing can be solved afterwards. */
typedef void hp_petsc_close_function(void);

hp_petsc_solve_function hp_petsc_solve;
hp_petsc_close_function hp_petsc_close;

#endif
