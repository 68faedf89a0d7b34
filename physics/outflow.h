/* Outflow of numerical aquifers, which are cells as any: the water that leaves the first cell of each, through all its faces
 * but those of its own other cells, and the pressure of their water, a mean by its volume.
 *
 *     value    rate of aquifer 0, 1, ...   water, water times pressure of cell 0, 1, ...      hp_outflow_terms: of cells here
 *                                                                                             0 of others: ranks add theirs up
 *              ---- hp_outflow_add ---->   rate, pressure of each aquifer, in the order of cells
 */
#ifndef HP_PHYSICS_OUTFLOW_H
#define HP_PHYSICS_OUTFLOW_H

#include "physics/reservoir.h"

HP_EXTERN_C_BEGIN

typedef struct hp_outflow {
  int64_t count;  /* aquifers */
  int64_t *begin; /* [count + 1] in */
  int64_t *cell;  /* [begin[count]] their cells, of the whole grid */
} hp_outflow;

void hp_outflow_clear(hp_outflow *o);

HP_INLINE int64_t hp_outflow_cells(const hp_outflow *o) { return o->count > 0 ? o->begin[o->count] : 0; }
HP_INLINE int64_t hp_outflow_numbers(const hp_outflow *o) { return o->count + 2 * hp_outflow_cells(o); }

/* value [hp_outflow_numbers] at r->p, r->s of the active cells that stand at place [hp_outflow_cells] of r, -1: elsewhere.
 * rates: the neighbours of first cells stand beside them. */
void hp_outflow_terms(const hp_outflow *o, const hp_reservoir *r, const int64_t *place, bool rates, double *value);
/* The rate of aquifer n [m3/s] at surface conditions; its pressure [Pa]. */
void hp_outflow_add(const hp_outflow *o, const double *value, int64_t n, double *rate, double *pressure);

HP_EXTERN_C_END

#endif
