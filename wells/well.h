/* Wells as decks describe them: geometry, controls, schedule. All in SI units.
 *
 * hp_well_spec     the path of a well and its completion
 * hp_well_control  a target and limits
 * hp_well_event    from `time` on, `well` obeys `control`
 * hp_group_event   from `time` on, `control` holds for a group of wells
 * hp_perf_event    from `time` on, some perforations are open, shut, or have another well index
 *
 * Rates are surface-volume rates [m3/s], positive in the direction of the well's job (producer, injector).
 */
#ifndef HP_WELLS_WELL_H
#define HP_WELLS_WELL_H

#include "core/portable.h"
#include "physics/fluid.h"
#include "wells/segment.h"

HP_EXTERN_C_BEGIN

enum { HP_WELL_NAME = 32 };

/* X(NAME, "deck name", "key of its number in decks", what it holds): pressures, then rates from ORAT on. */
#define HP_CONTROL_LIST(X)                                             \
  X(SHUT, "shut", "", "no flow")                                       \
  X(BHP, "bhp", "bhp", "bottom-hole pressure")                         \
  X(THP, "thp", "thp", "tubing-head pressure, by a lift table")        \
  X(ORAT, "oil-rate", "oil_rate", "surface oil rate")                  \
  X(WRAT, "water-rate", "water_rate", "surface water rate")            \
  X(LRAT, "liquid-rate", "liquid_rate", "surface oil plus water rate") \
  X(RESV, "reservoir-rate", "reservoir_rate", "reservoir volume rate")

typedef enum {
#define HP_CONTROL_ENUM(name, text, key, what) HP_CONTROL_##name,
  HP_CONTROL_LIST(HP_CONTROL_ENUM)
#undef HP_CONTROL_ENUM
      HP_CONTROL_COUNT
} hp_control;

/* Whether a well at that control is at a rate; at a pressure. */
HP_INLINE HP_HD bool hp_control_is_rate(int control) { return control >= HP_CONTROL_ORAT; }
HP_INLINE HP_HD bool hp_control_is_pressure(int control) {
  return control != HP_CONTROL_SHUT && !hp_control_is_rate(control);
}

const char *hp_control_name(hp_control c); /* deck name */
const char *hp_control_key(hp_control c);  /* the deck's key of its number; "": it has none */

/* X(NAME, "deck name"): the part of a well that is shut above its largest water cut (WECON). */
#define HP_WORKOVER_LIST(X)                                           \
  X(NONE, "none")              /* nothing */                          \
  X(CONNECTION, "perforation") /* the one of the highest water cut */ \
  X(BELOW, "below")            /* that one and those below it */      \
  X(WELL, "well")                                                     \
  X(STOP, "stop") /* the run is */

typedef enum {
#define HP_WORKOVER_ENUM(name, text) HP_WORKOVER_##name,
  HP_WORKOVER_LIST(HP_WORKOVER_ENUM)
#undef HP_WORKOVER_ENUM
      HP_WORKOVER_COUNT
} hp_workover;

/* X(NAME, "deck name"): the part of a group that is shut above its largest water cut (GECON); the first ones as of a well, the
 * producer of the highest water cut. */
#define HP_GROUP_WORKOVER_LIST(X) \
  X(NONE, "none")                 \
  X(CONNECTION, "perforation")    \
  X(BELOW, "below")               \
  X(WELL, "well")                 \
  X(ALL, "all") /* all producers */

typedef enum {
#define HP_GROUP_WORKOVER_ENUM(name, text) HP_GROUP_WORKOVER_##name,
  HP_GROUP_WORKOVER_LIST(HP_GROUP_WORKOVER_ENUM)
#undef HP_GROUP_WORKOVER_ENUM
} hp_group_workover;

/* X(NAME, "deck name", control): the quantity of a guide rate; SHARED: the one that is distributed. */
#define HP_GUIDE_LIST(X)    \
  X(SHARED, "shared", SHUT) \
  X(OIL, "oil", ORAT)       \
  X(WATER, "water", WRAT)   \
  X(LIQUID, "liquid", LRAT) \
  X(RESERVOIR, "reservoir", RESV)

typedef enum {
#define HP_GUIDE_ENUM(name, text, control) HP_GUIDE_##name,
  HP_GUIDE_LIST(HP_GUIDE_ENUM)
#undef HP_GUIDE_ENUM
      HP_GUIDE_COUNT
} hp_guide;

/* X(NAME, "deck name"): why a well has been shut that is tested. */
#define HP_TESTS_LIST(X) \
  X(ECONOMY, "economy")  \
  X(LIFT, "lift")        \
  X(BOTH, "both")

typedef enum {
#define HP_TESTS_ENUM(name, text) HP_TESTS_##name,
  HP_TESTS_LIST(HP_TESTS_ENUM)
#undef HP_TESTS_ENUM
} hp_tests;

/* Settings of a control beside its target and limits: X(kind, key, quantity, range, default, choices, what). An entry makes a
 * member of hp_well_control and a key of decks' wells[] and schedule[]; it is imported, kept in restart files and compared at a
 * restart. Economic limits (WECON; 0: none) are checked after every time step. Kinds: FLOAT double, in SI; BOOL bool; CHOICE
 * int, the default is 0; OF_GROUP int, the number of a group; OF_TABLE int, that of a lift table (wells/lift.h), 0: none. */
#define HP_WELL_CHOICE(name, text, ...) "|" text
#define HP_WELL_SETTING_LIST(X)                                                                                \
  X(OF_TABLE, vfp, NONE, "", "none", "", "lift table of thp, one of vfp[].name")                               \
  X(FLOAT, lift, NONE, ">= 0", "0", "", "artificial lift, a number of the table's axis lift")                  \
  X(FLOAT, efficiency, NONE, "> 0, <= 1", "1", "", "share of time that the well flows")                        \
  X(OF_GROUP, group, NONE, "", "FIELD", "", "that it is in")                                                   \
  X(BOOL, in_field, NONE, "", "true", "", "takes part in targets of groups")                                   \
  X(FLOAT, guide_rate, RATE, ">= 0", "0", "", "weight of its share there; 0: its potential")                   \
  X(CHOICE, guide_by, NONE, "", "shared", HP_GUIDE_LIST(HP_WELL_CHOICE),                                       \
    "quantity of guide_rate; shared: the distributed one")                                                     \
  X(FLOAT, min_oil_rate, RATE, ">= 0", "0", "", "a producer below it is shut; 0: no limit")                    \
  X(FLOAT, min_liquid_rate, RATE, ">= 0", "0", "", "a producer below it is shut; 0: no limit")                 \
  X(FLOAT, max_water_cut, NONE, "0..1", "0", "", "workover above it; 0: no limit")                             \
  X(CHOICE, workover, NONE, "", "none", HP_WORKOVER_LIST(HP_WELL_CHOICE),                                      \
    "shuts: wettest perforation; it and those below; well. stop: ends the run")                                \
  X(BOOL, end_run, NONE, "", "false", "", "run ends at the next report after these limits shut the well")      \
  X(FLOAT, test_interval, TIME, ">= 0", "0", "", "time after which a well that they shut is tested; 0: never") \
  X(FLOAT, max_tests, NONE, ">= 0", "0", "", "number of such tests; 0: any")                                   \
  X(CHOICE, tests_of, NONE, "", "economy", HP_TESTS_LIST(HP_WELL_CHOICE),                                      \
    "wells that are tested: shut by these limits, or that cannot flow at their thp")                           \
  X(FLOAT, history_oil_rate, RATE, ">= 0", "0", "", "observed: of vectors such as WOPRH")                      \
  X(FLOAT, history_water_rate, RATE, ">= 0", "0", "", "observed, produced or injected")                        \
  X(FLOAT, history_bhp, PRESSURE, ">= 0", "0", "", "observed; 0: none")                                        \
  X(FLOAT, history_thp, PRESSURE, ">= 0", "0", "", "observed; 0: none")

typedef enum {
#define HP_WELL_SETTING_ENUM(kind, key, ...) HP_WELL_SETTING_##key,
  HP_WELL_SETTING_LIST(HP_WELL_SETTING_ENUM)
#undef HP_WELL_SETTING_ENUM
      HP_WELL_SETTINGS
} hp_well_setting;

typedef double hp_well_FLOAT;
typedef bool hp_well_BOOL;
typedef int hp_well_CHOICE;
typedef int hp_well_OF_GROUP;
typedef int hp_well_OF_TABLE;

/* limit[c] is the target if c == control, and a limit otherwise; NAN: none. A producer's bhp and thp are lower bounds, an injector's
 * upper ones; rates are upper bounds. Every open well has a bhp limit (io/ fills in the default). */
typedef struct hp_well_control {
  hp_control control; /* HP_CONTROL_SHUT: shut */
  bool injector;
  int phase; /* injected phase: HP_WATER or HP_OIL; unused for producers */
  double limit[HP_CONTROL_COUNT];
  /* User-defined quantity that limit[c] is, by number from 1 (io/actions/actions.h); 0: it is a number. The run puts its value into limit. */
  uint16_t quantity[HP_CONTROL_COUNT];
  bool by_history; /* by RESV: the target is the reservoir volume of the observed rates, at the present pressure */
#define HP_WELL_MEMBER(kind, key, ...) hp_well_##kind key;
  HP_WELL_SETTING_LIST(HP_WELL_MEMBER)
#undef HP_WELL_MEMBER
} hp_well_control;

/* Settings of a well that holds on when it becomes a producer or an injector. */
#define HP_WELL_KEEPS (1u << HP_WELL_SETTING_efficiency | 1u << HP_WELL_SETTING_group | 1u << HP_WELL_SETTING_in_field)

/* Copies the settings whose bits are in mask: 1u << HP_WELL_SETTING_*. */
void hp_well_take_settings(hp_well_control *c, unsigned mask, const hp_well_control *from);

/* The share of time that a well flows, of its own; controls that no deck has filled in have none. */
HP_INLINE HP_HD double hp_well_control_efficiency(const hp_well_control *c) {
  return c->efficiency > 0.0 ? c->efficiency : 1.0;
}

/* Returns control by bottom-hole pressure at Eclipse's defaults (WCONPROD, WCONINJE), with a share of groups' targets and no
 * other limits. */
hp_well_control hp_well_control_default(bool injector);

/* Targets and economic limits of the wells of a group and of those below it; of targets NAN: none. */
typedef struct hp_group_control {
  int parent;                          /* number of the group that it is in; of the field none */
  double efficiency;                   /* share of its parent's time that it flows */
  bool in_production, in_injection;    /* its wells take part in targets of the groups above it */
  double production[HP_CONTROL_COUNT]; /* [m3/s] ORAT, WRAT, LRAT, RESV of all producers */
  double injection_rate;               /* [m3/s] surface rate of injected water */
  double injection_volume;             /* [m3/s] reservoir volume of all that is injected */
  double reinjection;                  /* water injected, over water produced; surface volumes */
  double voidage;                      /* reservoir volume injected, over that produced */
  double min_oil_rate;                 /* [m3/s] below it all its producers are shut; 0: no limit */
  double max_water_cut;                /* above it its workover; 0: no limit */
  int workover;                        /* hp_group_workover */
  bool end_run;                        /* the run ends at the next report once all its producers are shut */
} hp_group_control;

/* A change of a group: `control` holds from `time` on, and nothing else. */
typedef struct hp_group_event {
  double time; /* [s] */
  int group;   /* 0: the field, of all wells */
  hp_group_control control;
  const char *file;
  int line;
} hp_group_event;

typedef struct hp_perf_spec {
  int i, j, k; /* cell, 0-based */
  int dir;     /* direction of the wellbore in the cell: HP_DIR_K, _J, _I */
  bool open;
  bool later;              /* shut at first; an hp_perf_event may open it */
  bool open_last;          /* state after the part of an Eclipse deck that has been read */
  int table;               /* saturation functions of its mobilities, from 1; 0: the cell's; of an hp_perf_event
                        below 0: as before */
  int completion;          /* number of the completion that it is part of; 0: it is one of its own */
  double radius;           /* wellbore radius [m] */
  double skin;             /* [-] */
  double transmissibility; /* connection factor [m3] without viscosity, NAN: by Peaceman */
  double kh;               /* permeability-thickness [m3], NAN: from the cell */
  double r0;               /* pressure equivalent radius [m], NAN: by Peaceman */
  double length[3];        /* projections of the completed interval on k, j, i [m]; NAN in [0]: the whole
                         cell along dir */
  int segment;             /* number of the segment that it gives to; 0: none */
  double depth;            /* of the place where it does [m]; NAN: the segment's node */
} hp_perf_spec;

/* X(NAME, "deck name") */
#define HP_PREFERRED_LIST(X) \
  X(OIL, "oil")              \
  X(WATER, "water")          \
  X(LIQUID, "liquid")

typedef enum {
#define HP_PREFERRED_ENUM(name, text) HP_PREFERRED_##name,
  HP_PREFERRED_LIST(HP_PREFERRED_ENUM)
#undef HP_PREFERRED_ENUM
} hp_preferred;

typedef struct hp_well_spec {
  char name[HP_WELL_NAME];
  double ref_depth; /* of the bottom-hole pressure [m]; NAN: the top perforation's cell centre */
  bool crossflow;
  int preferred;      /* hp_preferred: phase of its productivity index as a producer */
  int head_i, head_j; /* well head column, 0-based, or -1 */
  int nperf;
  hp_perf_spec *perf; /* [nperf]; empty when the well is given by a path through blocks */
  int npath;
  double (*path)
      [3]; /* [npath] x, y, depth [m] of the open interval's polyline, x and y from the grid's corner, or as pillars have them */
  double path_radius, path_skin; /* for perforations made from the path */
  int nsegment;                  /* of a well with segments; 0: none */
  hp_segment_spec *segment;
  hp_drops drops;                  /* the last pressure drop that counts */
  double produced[2], injected[2]; /* by phase [m3] before the run begins; surface volumes */
  const char *file;                /* where the deck defines it, for messages */
  int line;
} hp_well_spec;

/* Bits of the values that an entry of the deck gives: 1 << c for limit[c], these, and one for each setting. All others stay as
 * before. */
typedef uint64_t hp_given;
enum {
  HP_GIVEN_CONTROL = 1 << 8, /* HP_CONTROL_COUNT is below */
  HP_GIVEN_STATUS = 1 << 9,
  HP_GIVEN_TYPE = 1 << 10,
  HP_GIVEN_FIRST = 11,                     /* setting */
  HP_GIVEN_ALL = (1 << HP_GIVEN_FIRST) - 1 /* of the control, no settings */
};
#define HP_GIVEN_OF(setting) ((hp_given)1 << (HP_GIVEN_FIRST + HP_WELL_SETTING_##setting))
#define HP_GIVEN_EVERYTHING (((hp_given)1 << (HP_GIVEN_FIRST + HP_WELL_SETTINGS)) - 1)

typedef struct hp_well_event {
  double time; /* [s] */
  int well;
  hp_well_control control;
  hp_control wanted; /* the control of the open well, also while it is shut; HP_CONTROL_SHUT: none has been named yet */
  bool observed;     /* its rates are a history's, for a run that begins later */
  hp_given given;    /* HP_GIVEN_* */
  int entry;         /* number in the deck's list `schedule`, from 0; -1: the well's own first control */
  const char *file;
  int line;
} hp_well_event;

typedef enum { HP_PERF_KEEP, HP_PERF_OPEN, HP_PERF_SHUT } hp_perf_state;

/* A change of a well's perforations. */
typedef struct hp_perf_event {
  double time; /* [s] */
  int well;
  int first[3], last[3]; /* those in cells i, j, k, 0-based, both included */
  hp_perf_state state;
  double multiply; /* further factor of the well index (WPIMULT); 1: no change */
  bool anew;       /* spec redefines the perforation, and multipliers begin at 1 (COMPDAT) */
  hp_perf_spec spec;
  int completion; /* number that they get; 0: they keep theirs */
  bool whole;     /* the deck means the well, not single perforations */
  const char *file;
  int line;
} hp_perf_event;

/* Says whether the event changes perforations in cell ijk (i, j, k, 0-based). */
HP_INLINE bool hp_perf_event_covers(const hp_perf_event *v, const int ijk[3]) {
  for (int d = 0; d < 3; ++d)
    if (ijk[d] < v->first[d] || ijk[d] > v->last[d]) return false;
  return true;
}

/* Says whether nothing but numbers of completions changes. */
HP_INLINE bool hp_perf_event_only_numbers(const hp_perf_event *v) {
  return v->completion > 0 && v->state == HP_PERF_KEEP && v->multiply == 1.0 && !v->anew;
}

HP_INLINE bool hp_perf_event_means(const hp_perf_event *v, const hp_perf_spec *p) {
  const int ijk[3] = {p->i, p->j, p->k};
  return hp_perf_event_covers(v, ijk);
}

HP_EXTERN_C_END

#endif
