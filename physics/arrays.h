/* The cell arrays of a run, a line each: members of hp_reservoir, memory on hosts and devices and how much it is, copies between
 * them, parts of ranks with their ghosts, restart files and what waits to be written are loops over these lists.
 *
 *     X(NAME, member of hp_reservoir, type, numbers of a cell, role, when, data set of restart files, unit)
 *
 *     STATE     evaluations of cells read it; it is there before the first step
 *     OWN       the state that steps go on from while STATE shows a corrected one; else PRESSURE and WATER are that
 *     CARRIED   goes from step to step beside the state
 *     WORK      a step makes it; it has a name instead of a data set
 *
 * `when` is what a run has that has the array: ALWAYS; ERROR, SHOWN: an estimate of the error in time, and restart files have
 * SHOWN where a corrected state is shown; LOWEST: rock that stays compacted; HYSTERESIS of the saturation functions.
 */
#ifndef HP_PHYSICS_ARRAYS_H
#define HP_PHYSICS_ARRAYS_H

#include "physics/fluid.h"

HP_EXTERN_C_BEGIN

/* p, s           unknowns, oil pressure and water saturation, as results have them
 * p_old, s_old   those at the start of a step; after hp_step_show at its end (in the order of p, s)
 * mass_old       surface volumes in place at the start of the step, which the balance says; `mass`: at the present state
 * error, change  error in time of the mass in place; its mean rate of change in the last step
 * lowest         pressure at the end of a step so far
 * driest         least water saturation at the end of a step so far
 * scale          B_a of the rows
 * turn           what follows from `driest` (physics/hysteresis.h)
 * p_shown, ...   during an attempt: what is shown of the step before */
#define HP_STATE_LIST(X)                                                         \
  X(PRESSURE, p, double, 1, STATE, SHOWN, "/shown_pressure", "Pa")               \
  X(WATER, s, double, 1, STATE, SHOWN, "/shown_sw", "")                          \
  X(OWN_PRESSURE, p_old, double, 1, OWN, ALWAYS, "/pressure", "Pa")              \
  X(OWN_WATER, s_old, double, 1, OWN, ALWAYS, "/sw", "")                         \
  X(BALANCE, mass_old, double, HP_PHASES, CARRIED, ALWAYS, "/balance", "m3")     \
  X(ERROR, error, float, HP_PHASES, CARRIED, ERROR, "/error_in_time", "m3")      \
  X(CHANGE, change, float, HP_PHASES, CARRIED, ERROR, "/rate_of_change", "m3/s") \
  X(DRIEST, driest, double, 1, STATE, HYSTERESIS, "/driest_sw", "")              \
  X(LOWEST, lowest, double, 1, STATE, LOWEST, "/lowest_pressure", "Pa")
#define HP_WORK_LIST(X)                                                        \
  X(MASS, mass, double, HP_PHASES, WORK, ALWAYS, "mass in place", "m3")        \
  X(SCALE, scale, double, HP_PHASES, WORK, ALWAYS, "row scaling", "")          \
  X(TURN, turn, double, 5, WORK, HYSTERESIS, "scanning curves", "")            \
  X(BEFORE_PRESSURE, p_shown, double, 1, WORK, ERROR, "pressure before", "Pa") \
  X(BEFORE_WATER, s_shown, double, 1, WORK, ERROR, "water saturation before", "")

/* Arrays of the grid and the case that files have: X(NAME, type, numbers of a cell); hp_case_array finds them. */
#define HP_ROCK_LIST(X)       \
  X(POROSITY, double, 1)      \
  X(PERMX, double, 1)         \
  X(PERMY, double, 1)         \
  X(PERMZ, double, 1)         \
  X(DEPTH, double, 1)         \
  X(NTG, double, 1)           \
  X(PORES, double, 1)         \
  X(DX, double, 1)            \
  X(DY, double, 1)            \
  X(DZ, double, 1)            \
  X(TRANX, double, 1)         \
  X(TRANY, double, 1)         \
  X(TRANZ, double, 1)         \
  X(EQUILIBRIUM, uint16_t, 1) \
  X(PVT, uint16_t, 1)         \
  X(SATURATION, uint16_t, 1)  \
  X(ACTIVE, uint8_t, 1)       \
  X(NODES, double, 3)         \
  X(CORNERS, int32_t, 8)

/* Arrays that follow from the state, for files: X(NAME, type, numbers of a cell). Flows are from a cell to the next one along I, J, K,
 * volumes likewise. */
#define HP_DERIVED_LIST(X)      \
  X(OIL_FLOW_I, double, 1)      \
  X(OIL_FLOW_J, double, 1)      \
  X(OIL_FLOW_K, double, 1)      \
  X(WATER_FLOW_I, double, 1)    \
  X(WATER_FLOW_J, double, 1)    \
  X(WATER_FLOW_K, double, 1)    \
  X(OIL_VOLUME_I, double, 1)    \
  X(OIL_VOLUME_J, double, 1)    \
  X(OIL_VOLUME_K, double, 1)    \
  X(WATER_VOLUME_I, double, 1)  \
  X(WATER_VOLUME_J, double, 1)  \
  X(WATER_VOLUME_K, double, 1)  \
  X(OIL_DENSITY, double, 1)     \
  X(WATER_DENSITY, double, 1)   \
  X(OIL_VISCOSITY, double, 1)   \
  X(WATER_VISCOSITY, double, 1) \
  X(KRO, double, 1)             \
  X(KRW, double, 1)             \
  X(PCOW, double, 1)

typedef enum {
#define HP_ARRAY_ENUM(name, ...) HP_ARRAY_##name,
  HP_STATE_LIST(HP_ARRAY_ENUM) HP_WORK_LIST(HP_ARRAY_ENUM) HP_ROCK_LIST(HP_ARRAY_ENUM) HP_DERIVED_LIST(HP_ARRAY_ENUM)
#undef HP_ARRAY_ENUM
      HP_ARRAYS,
  HP_FIRST_DERIVED = HP_ARRAY_OIL_FLOW_I,
  HP_DERIVED = HP_ARRAYS - HP_FIRST_DERIVED,
  HP_STATES = HP_ARRAY_MASS,
  HP_CELL_ARRAYS = HP_ARRAY_POROSITY /* members of hp_reservoir */
} hp_array;

typedef enum { HP_ROLE_STATE, HP_ROLE_OWN, HP_ROLE_CARRIED, HP_ROLE_WORK } hp_array_role;
typedef enum { HP_WITH_ALWAYS, HP_WITH_SHOWN, HP_WITH_ERROR, HP_WITH_LOWEST, HP_WITH_HYSTERESIS } hp_array_when;
typedef enum { HP_TYPE_double, HP_TYPE_float, HP_TYPE_int32_t, HP_TYPE_uint16_t, HP_TYPE_uint8_t } hp_array_type;

/* Sets of members of hp_reservoir, a bit each. */
typedef uint32_t hp_arrays;
#define HP_ARRAY_BIT(a) ((hp_arrays)1 << (a))
#define HP_ARRAY_OF_ROLE(wanted, name, role) | (HP_ROLE_##role == HP_ROLE_##wanted ? HP_ARRAY_BIT(HP_ARRAY_##name) : 0)
#define HP_ARRAY_IF_STATE(name, member, type, numbers, role, ...) HP_ARRAY_OF_ROLE(STATE, name, role)
#define HP_ARRAY_IF_OWN(name, member, type, numbers, role, ...) HP_ARRAY_OF_ROLE(OWN, name, role)
#define HP_ARRAY_IF_CARRIED(name, member, type, numbers, role, ...) HP_ARRAY_OF_ROLE(CARRIED, name, role)
#define HP_ARRAYS_STATE ((hp_arrays)0 HP_STATE_LIST(HP_ARRAY_IF_STATE))
#define HP_ARRAYS_OWN ((hp_arrays)0 HP_STATE_LIST(HP_ARRAY_IF_OWN))
#define HP_ARRAYS_CARRIED ((hp_arrays)0 HP_STATE_LIST(HP_ARRAY_IF_CARRIED))
#define HP_ARRAYS_SHOWN (HP_ARRAY_BIT(HP_ARRAY_PRESSURE) | HP_ARRAY_BIT(HP_ARRAY_WATER))
#define HP_ARRAYS_ERROR (HP_ARRAY_BIT(HP_ARRAY_ERROR) | HP_ARRAY_BIT(HP_ARRAY_CHANGE))
#define HP_ARRAYS_ALL (HP_ARRAY_BIT(HP_CELL_ARRAYS) - 1)

/* Runs the statement behind it for each member `a` of a set. */
#define HP_FOR_ARRAYS(a, set)                \
  for (int a = 0; a < HP_CELL_ARRAYS; ++(a)) \
    if (((set) >> (a)) & 1)

typedef struct hp_array_entry {
  const char *name, *unit; /* data set, or what it is */
  hp_array_type type;
  size_t size; /* bytes of a number */
  int numbers; /* of a cell */
  hp_array_role role;
  hp_array_when when;
  size_t place; /* in hp_reservoir */
} hp_array_entry;
const hp_array_entry *hp_array_entries(void); /* [HP_ARRAYS]; of arrays of HP_ROCK_LIST: type, size and numbers */

/* Number n of an array that is here. */
double hp_array_number(hp_array a, const void *array, int64_t n);
int hp_array_numbers(hp_array a);         /* of a cell */
int64_t hp_array_bytes(hp_array a);       /* likewise */
int64_t hp_arrays_bytes(hp_arrays which); /* likewise, of all of them */

/* Returns the array of STATE that an array of OWN is the start of. */
HP_INLINE hp_array hp_array_shown(hp_array a) { return (hp_array)(a - HP_ARRAY_OWN_PRESSURE + HP_ARRAY_PRESSURE); }

/* The arrays of a run with an estimate of the error in time, with those of `others`: of LOWEST and HYSTERESIS. */
hp_arrays hp_arrays_of(bool error, hp_arrays others);
/* DRIEST and LOWEST as the deck needs them. */
hp_arrays hp_arrays_of_fluids(const hp_fluid_spec *spec);

HP_EXTERN_C_END

#endif
