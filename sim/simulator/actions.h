/* Quantities of the user and actions, after every time step.
 *
 *     hp_time_step -> rows -> hp_actions_look      the first rank: values of quantities, then which conditions hold; all know them
 *     economic limits      -> hp_sim_act           lines of these actions become entries of the schedule at the present time
 *     hp_sim_apply_events  -> hp_actions_pass      entries of quantities, and actions that are looked at from now on
 *                             hp_actions_target    limits of wells that are quantities
 *
 * An entry by an action is one of a run that is steered (sim/run/steering.h): restart data keep the line. With them they keep the values
 * of quantities and how often and when an action ran last.
 */
#ifndef HP_SIM_ACTIONS_H
#define HP_SIM_ACTIONS_H

#include "io/case/vectors.h"
#include "sim/simulator/simulator.h"

HP_EXTERN_C_BEGIN

/* Runs of an action, before and now. */
typedef struct hp_action_state {
  int runs;
  double last; /* time of the last one [s] */
  bool due;    /* it runs after this step, */
  bool *well;  /* [nwell] for these wells */
} hp_action_state;

struct hp_actions {
  int nquantity, naction, nwell;
  hp_summary_vectors vectors;
  int count[3];                         /* elements by hp_expression_level */
  double **value;                       /* [nquantity][count of its level] NAN: none */
  int *entry;                           /* [nquantity] entry of the case whose expression it is; -1: none */
  uint8_t *update;                      /* [nquantity] hp_update */
  hp_action_state *action;              /* [naction] */
  uint16_t (*target)[HP_CONTROL_COUNT]; /* [nwell] quantities that limits are, from 1; 0: none */
  const hp_summary_row *row;            /* while values are computed */
  double day, month, year;              /* likewise: the date */
};

/* S->actions, NULL if the case has neither quantities nor actions. */
hp_status hp_actions_create(hp_sim *S) HP_MUST_USE;
void hp_actions_destroy(hp_sim *S);

/* Computes quantities and conditions by the row of the step that ended. Collective. */
hp_status hp_actions_look(hp_sim *S, const hp_summary_row *row) HP_MUST_USE;
/* Their values as rows have them; NULL: there are none. */
const double *const *hp_actions_values(const hp_sim *S);

/* Takes entries up to `until`. again: of a run that goes on, whose restart data have the values. */
void hp_actions_pass(hp_sim *S, double until, bool again);

/* Says which limits of a well are quantities from an event on. */
void hp_actions_note_event(hp_sim *S, const hp_well_event *e);
/* Puts the quantities' present values into the host's limits; *changed: one has become another. */
void hp_actions_target(hp_sim *S, bool *changed);
bool hp_actions_have_targets(const hp_sim *S);

/* The numbers that restart data keep, in their order. */
int64_t hp_actions_numbers(const hp_sim *S);
/* Whether numbers that a file has can be those; NULL: there are none. */
bool hp_actions_are_sound(const hp_sim *S, const double *number);
void hp_actions_move(hp_sim *S, bool put, int64_t count, double *number);

HP_EXTERN_C_END

#endif
