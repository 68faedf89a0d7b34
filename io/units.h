/* Units of decks and summaries. The program computes in SI; only these factors convert: value_SI = value_deck * factor.
 */
#ifndef HP_IO_UNITS_H
#define HP_IO_UNITS_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

/* X(NAME, what): kinds of quantities */
#define HP_QUANTITY_LIST(X)                  \
  X(NONE, "dimensionless")                   \
  X(LENGTH, "length")                        \
  X(TIME, "time")                            \
  X(PRESSURE, "pressure")                    \
  X(COMPRESSIBILITY, "1/pressure")           \
  X(VISCOSITY, "viscosity")                  \
  X(PERMEABILITY, "permeability")            \
  X(DENSITY, "density")                      \
  X(VOLUME, "surface volume")                \
  X(RATE, "surface rate")                    \
  X(RESERVOIR_VOLUME, "reservoir volume")    \
  X(RESERVOIR_RATE, "reservoir rate")        \
  X(CONNECTION, "connection factor")         \
  X(KH, "permeability-thickness")            \
  X(AREA, "area")                            \
  X(PRODUCTIVITY, "surface rate / pressure") \
  X(FLUX, "surface rate / area")             \
  X(SECONDS, "time that a program takes")    \
  X(PRICE, "money / surface volume")         \
  X(EXPENSE, "money / time")

typedef enum {
#define HP_QUANTITY_ENUM(name, text) HP_UNIT_##name,
  HP_QUANTITY_LIST(HP_QUANTITY_ENUM)
#undef HP_QUANTITY_ENUM
      HP_UNIT_COUNT
} hp_quantity;

typedef enum { HP_UNITS_METRIC, HP_UNITS_FIELD, HP_UNITS_LAB, HP_UNITS_SI, HP_UNITS_COUNT } hp_unit_system;

typedef struct hp_units {
  hp_unit_system system;
  const char *name;                   /* "metric" ... */
  double factor[HP_UNIT_COUNT];       /* SI value of one deck unit */
  const char *label[HP_UNIT_COUNT];   /* for people: "bar", "sm3/day" */
  const char *summary[HP_UNIT_COUNT]; /* Eclipse's: "BARSA", "SM3/DAY", "DAYS" */
} hp_units;

hp_units hp_units_of(hp_unit_system system);
bool hp_units_find(const char *name, hp_unit_system *system);

HP_EXTERN_C_END

#endif
