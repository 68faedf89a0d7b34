/* hypre's BoomerAMG in place of hepta's multigrid (linear.cpr.amg = "hypre").
 *
 *     hepta ── dlopen ──> hepta_hypre.so (boomeramg.c) ──> libHYPRE, MPI
 *
 * The module alone is linked with hypre, whose libraries and MPI would cost every command of the program 10 ms of
 * loading. It uses no function of hepta; plain data goes in and out. amg/hypre/module.h opens it.
 */
#ifndef HP_AMG_HYPRE_BOOMERAMG_H
#define HP_AMG_HYPRE_BOOMERAMG_H

#include "amg/amg.h"

enum { HP_HYPRE_TEXT = 400 };

typedef struct hp_hypre_result {
  int levels;
  int64_t coarsest;        /* rows of the last level */
  double operators, grids; /* complexities */
  int64_t bytes;           /* of this process: the levels' matrices and interpolation, about */
  int threads;             /* 1 where hypre was built without OpenMP */
  char version[40];
  char instead[HP_HYPRE_TEXT]; /* "direct instead of averaging; ...": choices that hypre lacks, or "" */
  char error[HP_HYPRE_TEXT];
} hp_hypre_result;

/* The names of what hypre has for an interpolation and a smoother, nearest where it lacks them; over: several ranks. */
HP_INLINE const char *hp_hypre_interpolation_name(hp_amg_interpolation i) {
  static const char *const own[] = {
#define HP_HYPRE_NAME(name, text, ...) text,
      HP_AMG_INTERPOLATION_LIST(HP_HYPRE_NAME)};
  return own[i == HP_AMG_AVERAGING ? HP_AMG_DIRECT : i];
}

HP_INLINE const char *hp_hypre_smoother_name(hp_amg_smoother s, bool over) {
  static const char *const own[] = {HP_AMG_SMOOTHER_LIST(HP_HYPRE_NAME)};
#undef HP_HYPRE_NAME
  switch (s) {
    case HP_AMG_COLOURED:
    case HP_AMG_BLOCK_GAUSS_SEIDEL:
    case HP_AMG_LEVEL_SCHEDULED:
    case HP_AMG_HYBRID:
    case HP_AMG_GAUSS_SEIDEL:
    case HP_AMG_SCHWARZ: return over ? "l1-gauss-seidel" : own[HP_AMG_GAUSS_SEIDEL];
    case HP_AMG_BLOCK_JACOBI: return own[HP_AMG_DAMPED_JACOBI];
    case HP_AMG_SPAI0:
    case HP_AMG_SPAI1: return own[HP_AMG_L1_JACOBI];
    default: return own[s];
  }
}

/* Cycles of BoomerAMG on one process, by whichever thread calls, or over all processes of an MPI that is started, by the thread
 * that started it. */
typedef struct hp_hypre_cycle hp_hypre_cycle;

/* n rows with the pattern begin [n+1], column, all with a diagonal; o's choices, or what is nearest to them. NULL: memory
 * ran out. */
typedef hp_hypre_cycle *hp_hypre_cycle_create_function(const hp_amg_options *o, int32_t n, const int32_t *begin,
                                                       const int32_t *column);
/* The same over processes: this one has the rows first .. first + n - 1; column: of all rows. Rows are of 31 bits in most builds
 * of hypre; NULL also where these do not count them. */
typedef hp_hypre_cycle *hp_hypre_cycle_create_over_function(const hp_amg_options *o, int64_t first, int32_t n,
                                                            const int32_t *begin, const int64_t *column);
/* Numbers value [begin[n]]: sets up. False: R->error says why; else levels, complexities, version and what is used instead
 * are in R. */
typedef bool hp_hypre_cycle_set_up_function(hp_hypre_cycle *K, const double *value, hp_hypre_result *R);
/* x [n] = one cycle from zero on r [n]. */
typedef void hp_hypre_cycle_run_function(hp_hypre_cycle *K, const double *r, double *x);
typedef void hp_hypre_cycle_destroy_function(hp_hypre_cycle *K);

/* Ends MPI if this module started it; nothing can be solved afterwards. */
typedef void hp_hypre_close_function(void);

hp_hypre_cycle_create_function hp_hypre_cycle_create;
hp_hypre_cycle_create_over_function hp_hypre_cycle_create_over;
hp_hypre_cycle_set_up_function hp_hypre_cycle_set_up;
hp_hypre_cycle_run_function hp_hypre_cycle_run;
hp_hypre_cycle_destroy_function hp_hypre_cycle_destroy;
hp_hypre_close_function hp_hypre_close;

#endif
