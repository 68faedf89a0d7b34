/* Actions and quantities of the user while a deck is read.
 *
 *     actions/actionx.c   ACTIONX, ENDACTIO, and what the keywords between them do
 *     actions/udq.c       UDQ, UDT, UDQPARAM
 */
#ifndef HP_IO_ECLIPSE_ACTIONS_H
#define HP_IO_ECLIPSE_ACTIONS_H

#include "io/eclipse/impl.h"
#include "io/files/text.h"

/* The action between ACTIONX and ENDACTIO. */
struct hp_ecl_action {
  hp_action is;
  double now; /* of the schedule */
  int wells;
  hp_ecl_well *well;         /* [wells] as they were before it, */
  hp_perf_spec **open_last;  /* [wells] their connections, */
  int group_events, tunings; /* changes of groups and of time steps before it */
};

/* Reads a record as text, without comments, with the wells of lists (WLIST) in place of their names. divides: a '/' ends it only at
 * the end of a line. bare: lists may stand without quotes. HP_ERR_DECK: its end is missing. */
hp_status hp_ecl_text_record(hp_ecl *e, bool divides, bool bare, hp_text *out, hp_ecl_place *place) HP_MUST_USE;
/* Whether a keyword may stand in an action. */
bool hp_ecl_acts(const hp_ecl_keyword_entry *entry);
/* Calls visit for the wells of a record in an action, whose lines become the action's. */
hp_status hp_ecl_action_wells(hp_ecl *e, const char *name, const hp_ecl_record *record,
                              hp_status (*visit)(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record),
                              int *found) HP_MUST_USE;
/* Adds a line (HP_ALLOC) to the action, which owns it from then on. */
hp_status hp_ecl_action_line(hp_ecl *e, char *line) HP_MUST_USE;
void hp_ecl_check_action_ended(hp_ecl *e);
void hp_ecl_action_clear(hp_ecl *e);
/* The number of the quantity that a token names, from 0; -1: it is none. */
int hp_ecl_quantity_named(const hp_ecl *e, const hp_ecl_token *t);

#endif
