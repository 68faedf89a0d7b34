/* Pieces of the system of all ranks (linsolve/matrix/pieces.h): each makes those columns that it owns, and rank 0 gets them in the
 * order of the whole grid, some columns at a time. */
#ifndef HP_SIM_PART_PIECES_H
#define HP_SIM_PART_PIECES_H

#include "linsolve/matrix/pieces.h"
#include "sim/part/subdomain.h"

HP_EXTERN_C_BEGIN

/* H->column becomes the part's own columns. */
hp_status hp_subdomain_list_columns(const hp_subdomain *D, hp_gh_here *H) HP_MUST_USE;

/* Collective. On rank 0 `out` becomes the piece; elsewhere it is not touched. */
hp_status hp_subdomain_piece(const hp_subdomain *D, hp_gh_here *H, const hp_gh_piece *q,
                             hp_gh_columns *out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
