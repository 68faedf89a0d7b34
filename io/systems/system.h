/* A linear system of a run in a file of its own, for `hepta bench solve` and others.
 *
 *     sim/newton/dump_systems.c    writes the systems of chosen steps (`hepta run --dump-systems`)
 *     io/systems/write.c     the file: docs/reference/output.md has its layout
 *     bench/solve            reads and checks it, and solves it with several solvers
 *
 * The file has all that a solve needs, to the bit. A solver with cpr depends on more than its own matrix: coarse points
 * and interpolation come from an earlier one, usually the run's first, and the coarse levels' numbers from that of the
 * time step's first system (amg/cpr/cpr.h). The file has both:
 *
 *     setup(pattern)   pattern and numbers
 *     setup(numbers)   numbers, in that pattern      then setup(A), solve: the iterates of the run
 *
 * All three have the same shape and wells. Nothing else of a run is needed: weights and couplings come from the
 * matrices.
 */
#ifndef HP_IO_SYSTEMS_SYSTEM_H
#define HP_IO_SYSTEMS_SYSTEM_H

#include "linsolve/matrix/pieces.h"

HP_EXTERN_C_BEGIN

/* The place of a system in its run, counted from 1. */
typedef struct hp_system_place {
  int step, attempt, newton; /* a step that was cut has several attempts */
} hp_system_place;

/* A system. A reader owns all of it; a writer may borrow matrices and arrays, or give pieces of them. */
typedef struct hp_system {
  char *deck, *version, *commit; /* the deck's name; of hepta */
  char *solver, *machine;        /* "bicgstab, cpr (...), ..., tolerance 0.005"; "CPU, 2 threads, 22 MB" */
  hp_system_place place;
  double time, dt;            /* [s] end of the time step, its length */
  const hp_gh_source *pieces; /* not NULL: where the writer gets these instead: */
  const uint8_t *active;      /* [A->ncell] 1: active */
  const hp_gh *A;
  const double *b, *x;  /* [A->n] x: what the run's solver found */
  bool uses_cpr;        /* that solver was preconditioned by cpr; its hierarchy: */
  const hp_gh *numbers; /* NULL: from A */
  const hp_gh *pattern; /* NULL: from `numbers` */
  hp_system_place numbers_of, pattern_of;
  /* that solve */
  int iterations;
  char *reason;
  double residual, norm_b; /* |b - A x|, |b| */
  double tolerance;        /* of the former in the latter */
} hp_system;

/* Writes the file atomically, without flushing it to the disk. With several ranks it grows on the disk under a
 * temporary name. HP_ERR_FILE. */
hp_status hp_system_write(const hp_system *S, const char *path) HP_MUST_USE;

/* Frees the texts, for a caller that borrowed the rest. */
void hp_system_clear_texts(hp_system *S);

HP_EXTERN_C_END

#endif
