/* The Jacobian of the equations against central differences of their residual.
 *
 *     sim/newton/jacobian_check.c        prints the table of --check-jacobian
 *        hp_backend_jacobian             one process, or an order to all ranks
 *           hp_jacobian_compare          the rows that are here; of several ranks, what is worst on any of them
 *
 * Cells are perturbed in seven groups, (i + 2j + 3k) mod 7: no two cells of a group are neighbours or share one, so that each
 * entry of H is met by itself. A well row, and that of a cell with connections beyond the lattice, may meet several cells of a
 * group; there the sums are compared. Mixtures and controls are held, as their derivatives are left out on purpose.
 */
#ifndef HP_SIM_BACKEND_JACOBIAN_H
#define HP_SIM_BACKEND_JACOBIAN_H

#include "core/ranks/part.h"

HP_EXTERN_C_BEGIN

struct hp_backend;

/* Kinds of entries. X(NAME, text) */
#define HP_JACOBIAN_LIST(X)               \
  X(OIL_P, "d oil balance / d p")         \
  X(OIL_S, "d oil balance / d s")         \
  X(WATER_P, "d water balance / d p")     \
  X(WATER_S, "d water balance / d s")     \
  X(OIL_BHP, "d oil balance / d bhp")     \
  X(WATER_BHP, "d water balance / d bhp") \
  X(CONTROL_P, "d well control / d p")    \
  X(CONTROL_S, "d well control / d s")    \
  X(CONTROL_BHP, "d well control / d bhp")

typedef enum {
#define HP_JACOBIAN_ENUM(name, text) HP_JACOBIAN_##name,
  HP_JACOBIAN_LIST(HP_JACOBIAN_ENUM)
#undef HP_JACOBIAN_ENUM
      HP_JACOBIAN_KINDS
} hp_jacobian_kind;

/* Errors of the whole system, by kind. */
typedef struct hp_jacobian_errors {
  double size[HP_JACOBIAN_KINDS];  /* largest entry, of a row with connections or of a well the largest sum */
  double error[HP_JACOBIAN_KINDS]; /* largest difference */
  int64_t
      where[HP_JACOBIAN_KINDS]; /* the cell in the whole grid or the well that has it, of several the first; -1: none */
  int64_t kinks;                /* entries where the residual has a kink: not compared */
} hp_jacobian_errors;

/* At the host's state, over a step dt. off_kinks: the state is moved first from where a difference says nothing, as at time zero: equal potentials,
 * saturations at an end point. */
hp_status hp_jacobian_compare(struct hp_backend *B, double dt, bool off_kinks, hp_jacobian_errors *out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
