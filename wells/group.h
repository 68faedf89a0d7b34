/* A tree of groups with targets, and each well's share of them.
 *
 *     FIELD (0)           targets of all wells
 *       |-- G1            of the wells below it, and its share of time
 *       |    |-- P1, P2
 *       |-- G2 ...
 *
 *     hp_wells_share   computes, from the present pressures and mobilities, each well's largest rate within its own limits
 *                      and its share of targets, group by group, those below others first
 *
 * A target is distributed in proportion to guide rates. A well that cannot make its share makes what it can, and the others
 * share the rest:
 *
 *     T = sum_w e_w min(c_w, x g_w)         e efficiency, c largest rate, g guide rate; x is sought
 *
 * The share becomes one more limit of the well, and of its largest rate for the groups above; the most restrictive one governs
 * (wells/control.inl.h). Guide rates are the deck's, or a well's rate at its bhp limit at the start of the time step. Of several
 * production targets of a group the one that leaves all others unexceeded is distributed. Water injection has a surface rate, a
 * reservoir volume, a part of the water produced, or a part of the reservoir volume produced (voidage); the smallest governs.
 * Wells that take no part count towards the targets.
 */
#ifndef HP_WELLS_GROUP_H
#define HP_WELLS_GROUP_H

#include "wells/wells.h"

HP_EXTERN_C_BEGIN

/* hp_group_nothing returns a control without targets; hp_group_has_targets says whether one has any, and hp_group_is_elsewhere whether
 * two differ beside them: in what is above them, and in the part that wells have in that. */
hp_group_control hp_group_nothing(void);
bool hp_group_has_targets(const hp_group_control *f);
bool hp_group_has_limits(const hp_group_control *f); /* economic ones */
bool hp_group_is_elsewhere(const hp_group_control *a, const hp_group_control *b);

typedef struct hp_group {
  hp_group_control control;
  int injects_by; /* what asks for the least water, in the order of hp_group_control, from 1 */
  double injected,
      asked; /* water injected when shares were taken at the end of a time step, and the water asked for then [m3/s];
                         NAN: not yet known */
} hp_group;

/* Groups as they are at a time; parents make no loop. */
typedef struct hp_groups {
  int count;
  hp_group *of; /* [count] 0: all wells */
  int *order;   /* [count] each before the one above it */
} hp_groups;

/* Makes `count` groups without targets, all below group 0. */
hp_status hp_groups_create(int count, hp_groups *out) HP_MUST_USE;
void hp_groups_destroy(hp_groups *G);
void hp_groups_set(hp_groups *G, int g, const hp_group_control *control);
bool hp_groups_have_targets(const hp_groups *G);

/* Says whether group g is `above` or below it. */
bool hp_group_is_below(const hp_groups *G, int g, int above);

/* Computes the share of time that each well flows: its own, and those of the groups that it is in. */
void hp_groups_weigh(const hp_groups *G, hp_wells *W);

/* Fills `inside`, `shares` and `efficiency` of W->part for group g. */
void hp_group_select(hp_wells *W, const hp_groups *G, int g);

/* When shares are computed: before the first iteration of a time step, with new guide rates; within the step; at its end, when
 * all else is solved. */
typedef enum { HP_SHARE_FIRST, HP_SHARE_AGAIN, HP_SHARE_LAST } hp_share_time;

/* Sets the shares as limits of W->control, from W->rate at the present state; W->shared names the limits. *changed: a limit has
 * changed by more than a hundred-thousandth. Without a target the limits are the wells' own. */
void hp_wells_share(hp_wells *W, hp_groups *G, hp_share_time when, bool *changed);

/* Lowers the limits of wells that take part where their present rates exceed a target by more than `slack` of it, in proportion to
 * these, and no others: limits only fall until HP_SHARE_FIRST, so that this comes to an end where shares do not. Says whether it
 * lowered any. Reads what hp_wells_share left in W->part. */
bool hp_wells_tighten(hp_wells *W, hp_groups *G, double slack);

/* Returns by how much the present rates exceed the target that they exceed most, as a share of the rate, and names it and its group;
 * 0: none by more than `slack` of it. */
double hp_group_excess(hp_wells *W, const hp_groups *G, double slack, const char **target, int *group);

HP_EXTERN_C_END

#endif
