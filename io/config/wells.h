/* Private to io/config/wells.c, io/config/places.c and io/config/schedule.c. */
#ifndef HP_IO_CONFIG_WELLS_H
#define HP_IO_CONFIG_WELLS_H

#include "io/config/impl.h"

/* Control of a well at one time. Shutting it keeps the rest, so that
 * status = "open" takes up the old control again. */
typedef struct hp_config_control {
  hp_well_control control; /* as if open */
  bool open;
  bool set;       /* a control has been named */
  bool bhp_given; /* the bhp is the deck's, not the default */
  bool unknown;   /* a faulty type: what depends on it cannot be judged */
} hp_config_control;

/* Reads the cells of a well from i, j, k, from cells, or from a path. In an overlay
 * a perforation that moves keeps its bore. */
hp_status hp_config_places(hp_config *r, const hp_setting *s, hp_well_spec *w) HP_MUST_USE;

/* radius, skin and what else all perforations of the well share. */
void hp_config_bore(hp_config *r, const hp_setting *s, hp_well_spec *w);

void hp_config_factors(hp_config *r, const hp_setting *s, hp_well_spec *w);

/* Changes `state` by what group s says; `prefix` is "wells[]" or "schedule[]".
 * `name` of the well is for messages. */
void hp_config_control_read(hp_config *r, const hp_setting *s, const char *prefix, const char *name,
                            hp_config_control *state);

/* The ranges and choices of the keys of a control, where the well or its type is not known. */
void hp_config_control_judge(hp_config *r, const hp_setting *s, const char *prefix);

/* A new well's state: shut, no limits but the default bhp of its type. */
void hp_config_control_start(hp_config_control *state, bool injector);

/* The keys of a control that group s has: HP_GIVEN_*, 0: none. */
unsigned hp_config_control_given(const hp_setting *s);

/* Reads the schedule after the wells; state [nwell] holds at time zero. */
hp_status hp_config_schedule(hp_config *r, const hp_setting *schedule, hp_config_control *state) HP_MUST_USE;

/* Lays the groups of `schedule`, one for each entry, over the events of the case: what a group names
 * changes, and what later entries leave as it was changes with it. */
hp_status hp_config_schedule_patch(hp_config *r, const hp_setting *schedule) HP_MUST_USE;

/* The wells that a name, a pattern or a list of them means into marked [nwell]. */
hp_status hp_config_wells_marked(hp_config *r, const hp_setting *s, bool *marked) HP_MUST_USE;

/* Adds an event to the case; entry: in the list schedule, -1: of the well itself. */
hp_status hp_config_event(hp_config *r, double time, int well, const hp_config_control *state, int entry,
                          const char *file, int line) HP_MUST_USE;

/* The state that an event makes, and back. */
hp_config_control hp_config_control_of(const hp_well_event *e);
void hp_config_control_into(const hp_config_control *state, hp_well_event *e);

#endif
