/* `--json`: a run as events, one JSON object a line (docs/reference/terminal.md has the schema).
 *
 *     hp_events_open(&read, "-", false, began, &E);   standard output, or a file
 *     hp_event_begin(E, "step");
 *     hp_event_integer(E, "step", 12);
 *     hp_event_number(E, "time", 30.5);        null where it is not finite
 *     hp_event_end(E);                         writes the line
 *     HP_TRY(hp_events_close(&E));
 *
 * All of them may be called with E NULL: nothing happens.
 */
#ifndef HP_SIM_REPORT_EVENTS_H
#define HP_SIM_REPORT_EVENTS_H

#include "core/status.h"
#include "io/diag.h"

HP_EXTERN_C_BEGIN

enum { HP_EVENTS_SCHEMA = 1 };

typedef struct hp_events hp_events;

/* path "-": standard output, NULL: no events, *out is NULL. append: behind what stands in the file. began: hp_now() at
 * the program's start. HP_ERR_USAGE where the file cannot be made, or is one of those that are read. */
hp_status hp_events_open(const hp_inputs *read, const char *path, bool append, double began,
                         hp_events **out) HP_MUST_USE;
/* HP_ERR_FILE where not all could be written. */
hp_status hp_events_close(hp_events **E) HP_MUST_USE;

/* Every event has "event", its name, and "seconds" since the start. */
void hp_event_begin(hp_events *E, const char *name);
void hp_event_end(hp_events *E);

void hp_event_integer(hp_events *E, const char *key, int64_t value);
void hp_event_number(hp_events *E, const char *key, double value);
void hp_event_text(hp_events *E, const char *key, const char *value); /* NULL: null; bytes that are no UTF-8: U+FFFD */

/* An object inside, until hp_event_up; a list likewise, whose members have no key (NULL). */
void hp_event_object(hp_events *E, const char *key);
void hp_event_list(hp_events *E, const char *key);
void hp_event_up(hp_events *E);

/* A failure; faults and surprises of a deck, an event each; how the program ends. */
void hp_event_error(hp_events *E, const char *text);
void hp_event_ended(hp_events *E, int exit_code, const char *go_on);
void hp_event_diag(hp_events *E, const hp_diag *diag);

HP_EXTERN_C_END

#endif
