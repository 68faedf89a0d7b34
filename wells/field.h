/* Targets of all wells together, and each well's share of them.
 *
 *     hp_wells_share   from pressures and mobilities at hand: the most that each
 *                      well makes within its own limits, and of the field's
 *                      target what falls to it
 *
 * A target is shared out in proportion to guide rates. A well that cannot make
 * its share makes what it can, and the others share the rest:
 *
 *     T = sum_w e_w min(c_w, x g_w)         e efficiency, c the most it makes,
 *                                           g guide rate; x is sought
 *
 * The share becomes a limit of the well beside its own ones (wells/control.inl.h
 * lets the most restrictive one govern). Guide rates are those of the deck or
 * the most that a well makes at its limit of the bottom-hole pressure, as they
 * are at the start of a time step. Of several targets of production the one
 * that leaves all others unexceeded is shared out. Water injection is asked for
 * as a surface rate, a reservoir volume, a part of the water produced, or a
 * part of the reservoir volume produced (voidage); the smallest governs.
 * Wells that take no part produce and inject what their own limits let them;
 * that counts towards the targets.
 */
#ifndef HP_WELLS_FIELD_H
#define HP_WELLS_FIELD_H

#include "wells/wells.h"

HP_EXTERN_C_BEGIN

/* A field that is asked for nothing; and whether one is asked for something. */
hp_field_control hp_field_nothing(void);
bool hp_field_has_targets(const hp_field_control *f);

/* When shares are taken: before the first iteration of a time step, with guide rates anew; within it; at its end, where all
 * else is solved. */
typedef enum { HP_SHARE_FIRST, HP_SHARE_AGAIN, HP_SHARE_LAST } hp_share_time;

/* Sets the shares as limits of W->control, from W->rate at the present state;
 * W->shared says which. *changed: a limit is
 * another one than before by more than a hundred-thousandth. Without a target
 * the limits are the wells' own. */
void hp_wells_share(hp_wells *W, const hp_field_control *f, hp_share_time when, bool *changed);

/* Whether the rates at hand exceed no target by more than `slack` of it. */
bool hp_field_is_kept(const hp_wells *W, const hp_field_control *f, double slack);

HP_EXTERN_C_END

#endif
