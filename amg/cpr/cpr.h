/* CPR, constrained pressure residual (Wallis 1983), is a preconditioner of two stages.
 *
 *   1  A_p x_p = r_p    one multigrid cycle. Row m of the pressure system is the sum of cell m's
 *                       rows times the weights w_m; the wells' rows and unknowns are kept:
 *
 *                         [ w H_p   w WT ]
 *                         [ W_p     D    ]      H_p, W_p: the derivatives with respect to pressure
 *
 *   2  M y = r - A x_p  block DILU over the full system;   z = x_p + y
 *
 * Weights:
 *   true-impes   all one. Rows are scaled to reservoir volumes, so that their sum is the
 *                balance of volume, in which the saturation's accumulation cancels: the
 *                weights B_w and B_o of rows in surface volumes
 *   quasi-impes  of the diagonal block, w^T dR/ds = 0
 *   row-sum      one; zero for a row whose pressure diagonal is below 0.2 times the sum of its
 *                other pressure entries, or whose unknown moves the first row by less than 0.02
 *                times that row's pressure diagonal (dynamic row sum, Gries et al. 2014)
 *
 * The second stage is not relaxed by default. Relaxation helps with smooth pressure errors, which the first stage has removed
 * already, and it costs many iterations here (docs/laboratory/performance.md).
 *
 * A_p leaves out cells without a pressure coupling (inactive ones).
 *
 * The first setup of a run (or of each time step) makes coarse points and interpolation; later setups refresh the values of A_p
 * and of the coarse levels. Coarsening uses the couplings alone: a diagonal that makes each cell's row sum zero replaces that of
 * A_p. So the rock decides, and not the accumulation of a first time step of one second.
 *
 * The first setup of a time step refreshes the values. Within Newton's method the pressure system changes little; the second
 * stage factorizes the full system in every setup. If a solve needs more than twice the iterations of the solve after the
 * refresh, plus two, the next setup refreshes, too. A solve that fails with old values is repeated after a refresh.
 */
#ifndef HP_AMG_CPR_CPR_H
#define HP_AMG_CPR_CPR_H

#include "amg/amg.h"
#include "amg/ranks/ranks.h"
#include "linsolve/krylov/krylov.h"
#include "linsolve/precond/precond.h"

HP_EXTERN_C_BEGIN

/* X(NAME, "deck name") */
#define HP_CPR_WEIGHTS_LIST(X)  \
  X(TRUE_IMPES, "true-impes")   \
  X(QUASI_IMPES, "quasi-impes") \
  X(ROW_SUM, "row-sum")

typedef enum {
#define HP_CPR_WEIGHTS_ENUM(name, text) HP_CPR_##name,
  HP_CPR_WEIGHTS_LIST(HP_CPR_WEIGHTS_ENUM)
#undef HP_CPR_WEIGHTS_ENUM
      HP_CPR_WEIGHTS_COUNT
} hp_cpr_weights;

/* When coarse points and interpolation are made: once, from the first system, which a continued run has to assemble again for the
 * same bits, or at the first setup of every time step. X(NAME, "deck name") */
#define HP_CPR_REBUILD_LIST(X) \
  X(EACH_RUN, "run")           \
  X(EACH_STEP, "step")

typedef enum {
#define HP_CPR_REBUILD_ENUM(name, text) HP_CPR_##name,
  HP_CPR_REBUILD_LIST(HP_CPR_REBUILD_ENUM)
#undef HP_CPR_REBUILD_ENUM
      HP_CPR_REBUILD_COUNT
} hp_cpr_rebuild_when;

/* When the values of A_p and of the coarse levels are refreshed: by the first setup of a time step, or by the first HP_CPR_FRESH
 * ones; always after a slow solve (above). X(NAME, "deck name") */
#define HP_CPR_REFRESH_LIST(X) \
  X(BY_STEP, "step")           \
  X(BY_SOLVE, "solve")

typedef enum {
#define HP_CPR_REFRESH_ENUM(name, text) HP_CPR_##name,
  HP_CPR_REFRESH_LIST(HP_CPR_REFRESH_ENUM)
#undef HP_CPR_REFRESH_ENUM
      HP_CPR_REFRESH_COUNT
} hp_cpr_refresh_when;

/* The multigrid of the first stage: hepta's, or hypre's BoomerAMG with the nearest choices (amg/hypre/boomeramg.h), by one member
 * of the CPU's team. X(NAME, "deck name") */
#define HP_CPR_AMG_LIST(X) \
  X(OWN, "own")            \
  X(HYPRE, "hypre")

typedef enum {
#define HP_CPR_AMG_ENUM(name, text) HP_CPR_AMG_##name,
  HP_CPR_AMG_LIST(HP_CPR_AMG_ENUM)
#undef HP_CPR_AMG_ENUM
      HP_CPR_AMG_COUNT
} hp_cpr_amg;

typedef struct hp_cpr_options {
  hp_amg_options amg;
  hp_cpr_amg whose;
  hp_cpr_weights weights;
  hp_cpr_rebuild_when rebuild;
  hp_cpr_refresh_when refresh;
  hp_ordering ordering; /* of the second stage, as the two below */
  hp_precision precision;
  double relaxation;
} hp_cpr_options;

/* Counts of setups. Seconds include weights, pressure system and hierarchy, on a GPU also the second stage's factors, which the
 * same launch makes. */
typedef struct hp_cpr_counts {
  int64_t builds, refreshes; /* pattern and numbers; numbers only */
  double build_seconds, refresh_seconds;
} hp_cpr_counts;

/* The state for reports. */
typedef struct hp_cpr_state {
  hp_cpr_counts counts;
  int levels;                                        /* of the latest hierarchy */
  double complexity;                                 /* hp_amg_operator_complexity */
  int64_t bytes;                                     /* held, the second stage included */
  int64_t apply_bytes;                               /* that one application moves at least; 0 before the first setup */
  bool on_host;                                      /* a GPU's coarse points were picked by the host */
  int spread;                                        /* levels over ranks, of hepta's own multigrid */
  hp_amg_ranks_messages messages[HP_AMG_LEVELS_MAX]; /* [spread] */
} hp_cpr_state;

/* Decides when to refresh, on the CPU and on a GPU. */
typedef struct hp_cpr_pace {
  bool due;       /* the next setup refreshes */
  bool fresh;     /* the latest one did */
  int setups;     /* of this time step */
  int iterations; /* of the latest solve after a refresh */
} hp_cpr_pace;

/* The first setups of a time step that refresh with HP_CPR_BY_SOLVE: later iterations change the pressure system little. */
#define HP_CPR_FRESH 4

typedef struct hp_cpr_other hp_cpr_other; /* amg/cpr/other.c */

/* A_p of a rank's part (amg/cpr/part.c): rows of its own cells and wells, columns of ghosts behind them. */
typedef struct hp_cpr_part {
  hp_amg_ranks *H;              /* NULL where `hypre` is there */
  struct hp_hypre_ranks *hypre; /* amg/hypre/ranks.h */
  hp_status status;             /* of its latest set-up */
  int32_t nowned, *owned;       /* [nowned] wells that it owns */
  int32_t *well;                /* [nwell] column of a well, -1: no row has it */
  int32_t nghost;               /* columns of ghosts */
  int64_t *number;              /* [ncell + nwell] of rows and columns in the whole system */
  int *owner;                   /* [nghost] */
} hp_cpr_part;

/* Plain data, but for `external`, `counts`, `pace` and `status`. */
typedef struct hp_cpr {
  hp_cpr_options opt;
  hp_precond_external external;
  hp_amg *H;            /* without levels where `other` is there */
  hp_cpr_other *other;  /* NULL: hepta's own multigrid, or a part's */
  hp_cpr_part *part;    /* CPU: of a rank's part, with its multigrid; NULL: there is one rank */
  hp_csr *Ap;           /* [ncp + nwell]; of a part: of the wells it owns */
  int32_t ncp;          /* cells of the pressure system */
  int32_t *number;      /* [ncell] row of a cell in Ap, -1: left out */
  int64_t *cell;        /* [ncell] the reverse */
  double *weight;       /* [ncell*q] */
  double *rp, *xp;      /* [ncell + nwell] */
  double *xc;           /* [ncell] x_p by cells, 0 where left out; of a part [ncell + nwell] */
  double *residual;     /* [n] */
  int64_t vector_bytes; /* of the arrays above */
  int64_t apply_bytes;  /* of an application without the cycle */
  hp_precond *second;   /* NULL: hp_cpr_create_first */
  bool stale;           /* the pattern is to be made anew */
  bool numbers_apart;   /* a new pattern gets its numbers elsewhere: a GPU's */
  hp_cpr_pace pace;
  hp_cpr_counts counts;
  hp_status status; /* of the latest making */
} hp_cpr;

/* Returns multigrid's defaults with damped Jacobi (0.8) in single precision, as measured (docs/laboratory/tried.md). */
hp_cpr_options hp_cpr_default_options(void);
/* Returns NULL, or why the options are refused: by themselves, with the method around them (NULL: bicgstab), or at this place. */
const char *hp_cpr_refusal(const hp_cpr_options *opt, const hp_krylov_options *around, hp_solver_place place);
const char *hp_cpr_amg_name(hp_cpr_amg a);
const char *hp_cpr_weights_name(hp_cpr_weights w);

/* Creates CPR for all matrices of A's shape. */
hp_status hp_cpr_create(const hp_gh *A, const hp_cpr_options *opt, hp_cpr **out) HP_MUST_USE;
/* Creates the first stage alone, for a caller with its own second stage. Its setup returns -1. */
hp_status hp_cpr_create_first(const hp_gh *A, const hp_cpr_options *opt, hp_cpr **out) HP_MUST_USE;
void hp_cpr_destroy(hp_cpr **C);

/* Returns the bytes held. */
hp_cpr_state hp_cpr_get_state(const hp_cpr *C);
/* Returns the bytes of its vectors; amg/cpr/memory.h has those of the hierarchy. */
int64_t hp_cpr_vector_bytes(int64_t ncell, int q);

/* Returns the least bytes that an application moves, given those of a cycle: r, r_p and weights; the cycle; A's pressure columns
 * with x_p, r and the residual; the second stage; the sum. */
int64_t hp_cpr_apply_bytes(const hp_gh *A, const hp_cpr_options *opt, int64_t cycle);

/* Returns the preconditioner for a Krylov solver; it belongs to C. */
const hp_precond_external *hp_cpr_precond(const hp_cpr *C);

/* Lets the next setup make new pattern, coarse points and interpolation. */
void hp_cpr_rebuild(hp_cpr *C);
/* Announces a time step or an unrelated system: the next setup refreshes the values, and rebuilds the pattern if the
 * options say so. */
void hp_cpr_begin_step(hp_cpr *C);
/* Reports the solve after the latest setup. Returns true if it failed with old values: a new setup, which refreshes them, and
 * another solve may then succeed. */
bool hp_cpr_solved(hp_cpr *C, const hp_krylov_report *report) HP_MUST_USE;
bool hp_cpr_pace_solved(hp_cpr_pace *p, const hp_krylov_report *report) HP_MUST_USE;
/* hp_cpr_pace_is_due says whether the next setup refreshes; hp_cpr_pace_set_up reports whether it did. */
bool hp_cpr_pace_is_due(const hp_cpr_pace *p, hp_cpr_refresh_when refresh);
void hp_cpr_pace_set_up(hp_cpr_pace *p, bool fresh);

/* hp_cpr_is_due says whether the next setup makes new numbers of the first stage. A caller that skips the setup calls
 * hp_cpr_keep if it would not, or hp_cpr_refreshed if the numbers were made elsewhere within so many seconds. */
bool hp_cpr_is_due(const hp_cpr *C);
void hp_cpr_keep(hp_cpr *C);
void hp_cpr_refreshed(hp_cpr *C, double seconds);
/* Writes the places of the numbers of A_p's entries, source [entries of Ap] (hp_cpr_cell_number, hp_cpr_well_number). */
void hp_cpr_sources(const hp_cpr *C, const hp_gh *A, int32_t *source);

/* Returns the status of the latest setup, whose team program cannot report missing memory otherwise. */
hp_status hp_cpr_status(const hp_cpr *C) HP_MUST_USE;

/* Another's multigrid (amg/cpr/other.c), whose work member 0 does; all members call, and each function ends with a barrier:
 * its pattern from A_p's; its set-up from A_p's numbers; xp = one cycle on rp. Failures go to C->status. */
hp_status hp_cpr_other_create(hp_cpr_amg whose, hp_cpr_other **out) HP_MUST_USE;
void hp_cpr_other_destroy(hp_cpr_other **O);
void hp_cpr_other_build(hp_team *t, hp_cpr *C);
void hp_cpr_other_set_up(hp_team *t, const hp_cpr *C);
void hp_cpr_other_cycle(hp_team *t, const hp_cpr *C);
/* Status of the latest of these, and what reports say. */
hp_status hp_cpr_other_status(const hp_cpr_other *O);
void hp_cpr_other_describe(const hp_cpr_other *O, hp_cpr_state *out);

/* A rank's part: memory; rows and columns, by member 0; levels from A_p, and new numbers; x_p from r_p into xc with
 * ghosts. The last three by all members, and ending with a barrier. */
hp_status hp_cpr_part_create(const hp_gh *A, hp_cpr *C) HP_MUST_USE;
void hp_cpr_part_destroy(hp_cpr_part **P);
hp_status hp_cpr_part_number(hp_cpr *C, const hp_gh *A) HP_MUST_USE;
hp_status hp_cpr_part_build(hp_team *t, hp_cpr *C) HP_MUST_USE;
void hp_cpr_part_refresh(hp_team *t, const hp_cpr *C);
void hp_cpr_part_cycle(hp_team *t, const hp_cpr *C, const hp_gh *A);
/* Status of the latest of these. */
hp_status hp_cpr_part_status(const hp_cpr *C) HP_MUST_USE;
void hp_cpr_part_describe(const hp_cpr *C, hp_cpr_state *out);

/* A team of the CPU makes the pressure system's pattern and numbers (weights are set and visible) and the hierarchy. Returns the
 * same status on all members, and ends with a barrier. */
hp_status hp_cpr_make(hp_team *t, hp_cpr *C, const hp_gh *A) HP_MUST_USE;
/* Makes the numbers alone; weights are set and visible. Ends with a barrier. */
void hp_cpr_make_numbers(hp_team *t, const hp_cpr *C, const hp_gh *A);

HP_EXTERN_C_END

#endif
