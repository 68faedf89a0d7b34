/* Targets of all wells together, and each well's share of them.
 *
 *     hp_wells_share   computes, from the present pressures and mobilities, each well's largest rate within its own limits
 *                      and its share of the field's target
 *
 * A target is distributed in proportion to guide rates. A well that cannot make its share makes what it can, and the others
 * share the rest:
 *
 *     T = sum_w e_w min(c_w, x g_w)         e efficiency, c largest rate, g guide rate; x is sought
 *
 * The share becomes one more limit of the well; the most restrictive one governs (wells/control.inl.h). Guide rates are the
 * deck's, or a well's rate at its bhp limit at the start of the time step. Of several production targets the one that leaves
 * all others unexceeded is distributed. Water injection has a surface rate, a reservoir volume, a part of the water produced,
 * or a part of the reservoir volume produced (voidage); the smallest governs. Wells that take no part count towards the
 * targets.
 */
#ifndef HP_WELLS_FIELD_H
#define HP_WELLS_FIELD_H

#include "wells/wells.h"

HP_EXTERN_C_BEGIN

/* hp_field_nothing returns a control without targets; hp_field_has_targets says whether one has any. */
hp_field_control hp_field_nothing(void);
bool hp_field_has_targets(const hp_field_control *f);

/* When shares are computed: before the first iteration of a time step, with new guide rates; within the step; at its end, when
 * all else is solved. */
typedef enum { HP_SHARE_FIRST, HP_SHARE_AGAIN, HP_SHARE_LAST } hp_share_time;

/* Sets the shares as limits of W->control, from W->rate at the present state; W->shared names the limits. *changed: a limit has
 * changed by more than a hundred-thousandth. Without a target the limits are the wells' own. */
void hp_wells_share(hp_wells *W, const hp_field_control *f, hp_share_time when, bool *changed);

/* Lowers the limits of wells that take part where their present rates exceed a target by more than `slack` of it, in proportion to
 * these, and no others: limits only fall until HP_SHARE_FIRST, so that this comes to an end where shares do not. Says whether it
 * lowered any. Reads what hp_wells_share left in W->part. */
bool hp_wells_tighten(hp_wells *W, const hp_field_control *f, double slack);

/* Returns by how much the present rates exceed the target that they exceed most, as a share of the rate, and names it in *target;
 * 0: none by more than `slack` of it. */
double hp_field_excess(const hp_wells *W, const hp_field_control *f, double slack, const char **target);

HP_EXTERN_C_END

#endif
