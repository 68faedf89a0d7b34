/* Combinations of solvers that are refused: one table of patterns over the choices of a solver, in the deck's words.
 *
 *     hp_krylov_choices, hp_amg_choices, ...   options -> the name of each choice, NULL where it is not made yet
 *     hp_combination_refusal                   the first row of the table that the choices match -> its message
 *
 *     place       system   method  preconditioner  ordering  ...   message
 *     ranks                qmr                                     qmr needs the transposed matrix, ...
 *     the CPU                                                ...
 *
 * hp_krylov_refusal, hp_amg_refusal and hp_cpr_refusal read it for creators, readers of decks, runs and hepta check; the table of
 * docs/reference/solvers.md is this one (tests/unit/repository/test_solvers_doc.c). A combination more is a row more.
 */
#ifndef HP_LINSOLVE_KRYLOV_COMBINATIONS_H
#define HP_LINSOLVE_KRYLOV_COMBINATIONS_H

#include "core/portable.h"

HP_EXTERN_C_BEGIN

/* Places of a solver. X(NAME, "words"); ANY: not known yet, or it does not matter */
#define HP_SOLVER_PLACE_LIST(X) \
  X(ANY, NULL)                  \
  X(CPU, "the CPU")             \
  X(GPU, "one GPU")             \
  X(GPUS, "GPUs")               \
  X(RANKS, "ranks")             \
  X(GPU_RANKS, "GPU ranks")

typedef enum {
#define HP_SOLVER_PLACE_ENUM(name, words) HP_SOLVER_##name,
  HP_SOLVER_PLACE_LIST(HP_SOLVER_PLACE_ENUM)
#undef HP_SOLVER_PLACE_ENUM
      HP_SOLVER_PLACES
} hp_solver_place;

/* X(NAME, "key of linear in a deck", "" for what is not a key) */
#define HP_CHOICE_LIST(X)             \
  X(PLACE, "")                        \
  X(SYSTEM, "")                       \
  X(METHOD, "method")                 \
  X(PRECONDITIONER, "preconditioner") \
  X(ORDERING, "ordering")             \
  X(RELAXATION, "relaxation")         \
  X(PRECISION, "precision")           \
  X(MATRIX, "matrix")                 \
  X(EXECUTION, "execution")           \
  X(SPECIALISE, "specialise")         \
  X(BARRIER, "barrier")               \
  X(EXCHANGE, "exchange")             \
  X(AMG, "cpr.amg")                   \
  X(COARSENING, "cpr.coarsening")     \
  X(SMOOTHER, "cpr.smoother")         \
  X(FORMAT, "cpr.format")

enum {
#define HP_CHOICE_ENUM(name, key) HP_CHOICE_##name,
  HP_CHOICE_LIST(HP_CHOICE_ENUM)
#undef HP_CHOICE_ENUM
      HP_CHOICES
};

typedef struct hp_choices {
  const char *of[HP_CHOICES];
} hp_choices;

/* A row: a pattern for each choice, "a|b": one of these, "!a|b": another one, NULL: any or none. */
typedef struct hp_combination {
  const char *of[HP_CHOICES];
  const char *message; /* why it is refused and what to do instead */
} hp_combination;

const hp_combination *hp_combinations(int *count);
/* NULL, or the message of the first row that they match. */
const char *hp_combination_refusal(const hp_choices *choices);
const char *hp_solver_place_words(hp_solver_place place);

HP_EXTERN_C_END

#endif
