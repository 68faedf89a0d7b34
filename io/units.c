#include "io/units.h"

#include <string.h>

/* The constants are Eclipse's (as in OPM's opm-common, Units.hpp), so that the
 * same deck means the same numbers. */
#define BAR 1.0e5
#define ATM 101325.0
#define PSI 6894.757293168
#define MILLIDARCY 9.869232667160e-16
#define CENTIPOISE 1.0e-3
#define FOOT 0.3048
#define BARREL 0.158987294928
#define DAY 86400.0
#define HOUR 3600.0
#define POUND_PER_FT3 16.01846337
#define CC 1.0e-6
#define G_PER_CC 1.0e3

/* clang-format off */
static const hp_units table[HP_UNITS_COUNT] = {
    [HP_UNITS_METRIC] =
        {HP_UNITS_METRIC,
         "metric",
         {[HP_UNIT_NONE] = 1.0, [HP_UNIT_LENGTH] = 1.0, [HP_UNIT_TIME] = DAY, [HP_UNIT_PRESSURE] = BAR,
          [HP_UNIT_COMPRESSIBILITY] = 1.0 / BAR, [HP_UNIT_VISCOSITY] = CENTIPOISE,
          [HP_UNIT_PERMEABILITY] = MILLIDARCY, [HP_UNIT_DENSITY] = 1.0, [HP_UNIT_VOLUME] = 1.0,
          [HP_UNIT_RATE] = 1.0 / DAY, [HP_UNIT_RESERVOIR_VOLUME] = 1.0, [HP_UNIT_RESERVOIR_RATE] = 1.0 / DAY,
          [HP_UNIT_CONNECTION] = CENTIPOISE / DAY / BAR, [HP_UNIT_KH] = MILLIDARCY, [HP_UNIT_AREA] = 1.0,
          [HP_UNIT_PRODUCTIVITY] = 1.0 / DAY / BAR, [HP_UNIT_FLUX] = 1.0 / DAY, [HP_UNIT_SECONDS] = 1.0,
          [HP_UNIT_PRICE] = 1.0, [HP_UNIT_EXPENSE] = 1.0 / DAY},
         {"", "m", "day", "bar", "1/bar", "cP", "mD", "kg/m3", "sm3", "sm3/day", "rm3", "rm3/day", "cP.rm3/day/bar",
          "mD.m", "m2", "sm3/day/bar", "sm3/day/m2", "s", "1/sm3", "1/day"},
         {"", "METRES", "DAYS", "BARSA", "1/BARS", "CP", "MD", "KG/M3", "SM3", "SM3/DAY", "RM3", "RM3/DAY",
          "CPR3/DAY/BAR", "MDM", "M2", "SM3/DAY/BARS", "SM3/DAY/M2", "SECONDS", "1/SM3", "1/DAY"}},
    [HP_UNITS_FIELD] =
        {HP_UNITS_FIELD,
         "field",
         {[HP_UNIT_NONE] = 1.0, [HP_UNIT_LENGTH] = FOOT, [HP_UNIT_TIME] = DAY, [HP_UNIT_PRESSURE] = PSI,
          [HP_UNIT_COMPRESSIBILITY] = 1.0 / PSI, [HP_UNIT_VISCOSITY] = CENTIPOISE,
          [HP_UNIT_PERMEABILITY] = MILLIDARCY, [HP_UNIT_DENSITY] = POUND_PER_FT3, [HP_UNIT_VOLUME] = BARREL,
          [HP_UNIT_RATE] = BARREL / DAY, [HP_UNIT_RESERVOIR_VOLUME] = BARREL, [HP_UNIT_RESERVOIR_RATE] = BARREL / DAY,
          [HP_UNIT_CONNECTION] = CENTIPOISE * BARREL / DAY / PSI, [HP_UNIT_KH] = MILLIDARCY * FOOT,
          [HP_UNIT_AREA] = FOOT * FOOT, [HP_UNIT_PRODUCTIVITY] = BARREL / DAY / PSI,
          [HP_UNIT_FLUX] = BARREL / DAY / (FOOT * FOOT), [HP_UNIT_SECONDS] = 1.0, [HP_UNIT_PRICE] = 1.0 / BARREL,
          [HP_UNIT_EXPENSE] = 1.0 / DAY},
         {"", "ft", "day", "psi", "1/psi", "cP", "mD", "lb/ft3", "stb", "stb/day", "rb", "rb/day", "cP.rb/day/psi",
          "mD.ft", "ft2", "stb/day/psi", "stb/day/ft2", "s", "1/stb", "1/day"},
         {"", "FEET", "DAYS", "PSIA", "1/PSI", "CP", "MD", "LB/FT3", "STB", "STB/DAY", "RB", "RB/DAY", "CPRB/DAY/PSI",
          "MDFT", "FT2", "STB/DAY/PSI", "STB/DAY/FT2", "SECONDS", "1/STB", "1/DAY"}},
    [HP_UNITS_LAB] =
        {HP_UNITS_LAB,
         "lab",
         {[HP_UNIT_NONE] = 1.0, [HP_UNIT_LENGTH] = 0.01, [HP_UNIT_TIME] = HOUR, [HP_UNIT_PRESSURE] = ATM,
          [HP_UNIT_COMPRESSIBILITY] = 1.0 / ATM, [HP_UNIT_VISCOSITY] = CENTIPOISE,
          [HP_UNIT_PERMEABILITY] = MILLIDARCY, [HP_UNIT_DENSITY] = G_PER_CC, [HP_UNIT_VOLUME] = CC,
          [HP_UNIT_RATE] = CC / HOUR, [HP_UNIT_RESERVOIR_VOLUME] = CC, [HP_UNIT_RESERVOIR_RATE] = CC / HOUR,
          [HP_UNIT_CONNECTION] = CENTIPOISE * CC / HOUR / ATM, [HP_UNIT_KH] = MILLIDARCY * 0.01,
          [HP_UNIT_AREA] = 0.01 * 0.01, [HP_UNIT_PRODUCTIVITY] = CC / HOUR / ATM,
          [HP_UNIT_FLUX] = CC / HOUR / (0.01 * 0.01), [HP_UNIT_SECONDS] = 1.0, [HP_UNIT_PRICE] = 1.0 / CC,
          [HP_UNIT_EXPENSE] = 1.0 / HOUR},
         {"", "cm", "hour", "atm", "1/atm", "cP", "mD", "g/cc", "scc", "scc/hour", "rcc", "rcc/hour",
          "cP.rcc/hour/atm", "mD.cm", "cm2", "scc/hour/atm", "scc/hour/cm2", "s", "1/scc", "1/hour"},
         {"", "CM", "HR", "ATMA", "1/ATM", "CP", "MD", "G/CC", "SCC", "SCC/HR", "RCC", "RCC/HR", "CPRCC/HR/ATM",
          "MDCM", "CM2", "SCC/HR/ATM", "SCC/HR/CM2", "SECONDS", "1/SCC", "1/HR"}},
    [HP_UNITS_SI] =
        {HP_UNITS_SI,
         "si",
         {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0},
         {"", "m", "s", "Pa", "1/Pa", "Pa.s", "m2", "kg/m3", "sm3", "sm3/s", "rm3", "rm3/s", "m3", "m3", "m2", "sm3/s/Pa",
          "sm3/s/m2", "s", "1/sm3", "1/s"},
         {"", "M", "S", "PA", "1/PA", "PA.S", "M2", "KG/M3", "SM3", "SM3/S", "RM3", "RM3/S", "M3", "M3", "M2", "SM3/S/PA",
          "SM3/S/M2", "SECONDS", "1/SM3", "1/S"}},
};
/* clang-format on */

hp_units hp_units_of(hp_unit_system system) {
  return table[(unsigned)system < HP_UNITS_COUNT ? system : HP_UNITS_METRIC];
}

bool hp_units_find(const char *name, hp_unit_system *system) {
  for (int s = 0; s < HP_UNITS_COUNT; ++s)
    if (strcmp(table[s].name, name) == 0) {
      *system = (hp_unit_system)s;
      return true;
    }
  return false;
}
