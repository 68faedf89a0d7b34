/* Private to io/config/wells. */
#ifndef HP_IO_CONFIG_WELLS_H
#define HP_IO_CONFIG_WELLS_H

#include "io/config/impl.h"

/* The control of a well at one time. A shut well keeps it, so that status = "open" restores it. */
typedef struct hp_config_control {
  hp_well_control control; /* as if open */
  bool open;
  bool set;       /* a control has been named */
  bool bhp_given; /* the bhp is the deck's, not the default */
  bool unknown;   /* a faulty type: what depends on it cannot be judged */
} hp_config_control;

/* Reads a well's cells from i, j, k, cells, or a path. In an overlay a perforation that moves keeps its bore. */
hp_status hp_config_places(hp_config *r, const hp_setting *s, hp_well_spec *w) HP_MUST_USE;

/* Reads radius, skin and the other keys that all perforations of the well share. */
void hp_config_bore(hp_config *r, const hp_setting *s, hp_well_spec *w);

/* Reads the segments and which of them the perforations are in; the reference depth is read. */
hp_status hp_config_segments(hp_config *r, const hp_setting *s, hp_well_spec *w) HP_MUST_USE;

void hp_config_factors(hp_config *r, const hp_setting *s, hp_well_spec *w);
/* saturations. */
void hp_config_tables(hp_config *r, const hp_setting *s, hp_well_spec *w);

/* Changes `state` by group s; `prefix` is "wells[]" or "schedule[]", and `name` is for messages. */
void hp_config_control_read(hp_config *r, const hp_setting *s, const char *prefix, const char *name,
                            hp_config_control *state);

/* Checks ranges and choices of a control's keys if the well or its type is not known. */
void hp_config_control_judge(hp_config *r, const hp_setting *s, const char *prefix);

/* The keys of a control that group s has: HP_GIVEN_*, 0: none. */
hp_given hp_config_control_given(const hp_setting *s);

/* Reports a name or a pattern that means no well; *found: it means one (io/config/wells/schedule.c). */
hp_status hp_config_check_well(hp_config *r, const hp_setting *s, bool *found) HP_MUST_USE;

/* Reads the schedule after the wells; state [nwell] is that of time zero. */
hp_status hp_config_schedule(hp_config *r, const hp_setting *schedule, hp_config_control *state) HP_MUST_USE;

/* Applies the groups of `schedule`, one per event of the case: keys that a group names change, also in later events
 * that leave them as they were. */
hp_status hp_config_schedule_patch(hp_config *r, const hp_setting *schedule) HP_MUST_USE;

/* Adds an event to the case; entry is its place in the list schedule, -1 for the well itself. */
hp_status hp_config_event(hp_config *r, double time, int well, const hp_config_control *state, int entry,
                          const char *file, int line) HP_MUST_USE;

/* The state that an event makes, and back. */
hp_config_control hp_config_control_of(const hp_well_event *e);
void hp_config_control_into(const hp_config_control *state, hp_well_event *e);

#endif
