/* The bottom-hole pressure of a well in which fluid crosses from layer to layer.
 *
 *     q_a(b) = in_a(b) - x_a(b) min(out(b), in(b))      x_a = in_a / in
 *     in_a   = sum over p > b + head of WI lam_a (p - b - head)
 *     out    = sum over p < b + head of WI lam_t (b + head - p) / V
 *
 * Newton's method takes the slopes of x from the present inflow (hp_well_mixture_weights) and holds it in the rows of cells. Where
 * perforations turn, as those with a small rate of one phase and much of both crossing do, that leads far away, or converges slowly or
 * not at all. Here x follows b, and the cells are held.
 */
#ifndef HP_WELLS_CROSSFLOW_H
#define HP_WELLS_CROSSFLOW_H

#include "wells/wells.h"

HP_EXTERN_C_BEGIN

/* Gives producers that are at a rate and that flow out into a cell the bhp that makes it, as the cells are in W->rate; unless `late`,
 * only those for which the slope of the rate leads several times as far. A bhp beyond the well's limit is left as it is. Returns
 * whether one has changed. Host only. */
bool hp_wells_meet_rates(hp_wells *W, bool late);

HP_EXTERN_C_END

#endif
