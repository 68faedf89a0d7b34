/* Preconditioners: z = M^-1 r for the whole system, cells and wells.
 *
 * Each is a pair of team programs in one file (setup: numbers from the matrix,
 * apply: one application) and one line in HP_PRECOND_LIST. The dispatch is a
 * switch that the compiler sees through, not a function pointer, so that a
 * fused solve inlines it; a two-stage preconditioner calls other entries of
 * the table for its stages.
 *
 * Wells are eliminated last: the cells' part is applied to r, then
 * x_w = (r_w - W x) / D.
 */
#ifndef HP_LINSOLVE_PRECOND_H
#define HP_LINSOLVE_PRECOND_H

#include "linsolve/gh.h"

HP_EXTERN_C_BEGIN

/* X(NAME, "deck name", setup, apply) */
#define HP_PRECOND_LIST(X)                                                        \
  X(NONE, "none", hp_precond_none_setup, hp_precond_none_apply)                   \
  X(JACOBI, "jacobi", hp_jacobi_setup, hp_jacobi_apply)                           \
  X(BLOCK_JACOBI, "block-jacobi", hp_block_jacobi_setup, hp_block_jacobi_apply)   \
  X(DILU, "dilu", hp_dilu_setup, hp_dilu_apply)

typedef enum {
#define HP_PRECOND_ENUM(name, text, setup, apply) HP_PRECOND_##name,
  HP_PRECOND_LIST(HP_PRECOND_ENUM)
#undef HP_PRECOND_ENUM
  HP_PRECOND_COUNT
} hp_precond_kind;

/* In which order an incomplete factorization eliminates the cells. */
typedef enum { HP_ORDER_NATURAL, HP_ORDER_RED_BLACK, HP_ORDER_COUNT } hp_ordering;

const char *hp_precond_name(hp_precond_kind k);
bool hp_precond_find(const char *name, hp_precond_kind *k);
const char *hp_ordering_name(hp_ordering o);
bool hp_ordering_find(const char *name, hp_ordering *o);

HP_EXTERN_C_END

#endif
