/* Arrays of NAME.UNRST beside PRESSURE and SWAT that a deck may ask for: output.arrays, RPTRST of an Eclipse deck. They are of the
 * state at the report step.
 *
 *     X(MNEMONIC, "NAME", array of HP_DERIVED_LIST, quantity)      names are Eclipse's
 */
#ifndef HP_IO_CASE_STATE_ARRAYS_H
#define HP_IO_CASE_STATE_ARRAYS_H

#include "io/units.h"
#include "physics/arrays.h"

HP_EXTERN_C_BEGIN

struct hp_case;

#define HP_STATE_ARRAY_LIST(X)                          \
  X(FLOWS, "FLOOILI+", OIL_FLOW_I, RATE)                \
  X(FLOWS, "FLOOILJ+", OIL_FLOW_J, RATE)                \
  X(FLOWS, "FLOOILK+", OIL_FLOW_K, RATE)                \
  X(FLOWS, "FLOWATI+", WATER_FLOW_I, RATE)              \
  X(FLOWS, "FLOWATJ+", WATER_FLOW_J, RATE)              \
  X(FLOWS, "FLOWATK+", WATER_FLOW_K, RATE)              \
  X(FLORES, "FLROILI+", OIL_VOLUME_I, RESERVOIR_RATE)   \
  X(FLORES, "FLROILJ+", OIL_VOLUME_J, RESERVOIR_RATE)   \
  X(FLORES, "FLROILK+", OIL_VOLUME_K, RESERVOIR_RATE)   \
  X(FLORES, "FLRWATI+", WATER_VOLUME_I, RESERVOIR_RATE) \
  X(FLORES, "FLRWATJ+", WATER_VOLUME_J, RESERVOIR_RATE) \
  X(FLORES, "FLRWATK+", WATER_VOLUME_K, RESERVOIR_RATE) \
  X(DENO, "OIL_DEN", OIL_DENSITY, DENSITY)              \
  X(DENW, "WAT_DEN", WATER_DENSITY, DENSITY)            \
  X(VOIL, "OIL_VISC", OIL_VISCOSITY, VISCOSITY)         \
  X(VWAT, "WAT_VISC", WATER_VISCOSITY, VISCOSITY)       \
  X(KRO, "OILKR", KRO, NONE)                            \
  X(KRW, "WATKR", KRW, NONE)                            \
  X(PCOW, "PCOW", PCOW, PRESSURE)

/* X(MNEMONIC, what it stands for): of several. */
#define HP_STATE_GROUP_LIST(X) \
  X(DEN, "DENO DENW")          \
  X(VISC, "VOIL VWAT")         \
  X(ALLPROPS, "DENO DENW VOIL VWAT KRO KRW PCOW")

typedef struct hp_state_array {
  const char *mnemonic, *name;
  hp_array array;
  hp_quantity quantity;
} hp_state_array;

/* The list. */
const hp_state_array *hp_state_arrays(int *count);
/* Asks for what a mnemonic of n letters stands for; false: it is none of these. */
bool hp_state_array_ask(struct hp_case *c, const char *mnemonic, size_t n);
/* Whether the case asks for entry n of the list; for any, or one, of derived arrays. */
bool hp_state_array_is_asked(const struct hp_case *c, int n);
bool hp_state_array_needs(const struct hp_case *c, hp_array array);

HP_EXTERN_C_END

#endif
