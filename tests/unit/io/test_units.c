/* Unit systems: Eclipse's constants, consistent products, the summary's labels. */
#include <string.h>

#include "io/units.h"
#include "tests/support/check.h"

static void check_constants(void) {
  const hp_units m = hp_units_of(HP_UNITS_METRIC), f = hp_units_of(HP_UNITS_FIELD), l = hp_units_of(HP_UNITS_LAB);
  CHECK(m.factor[HP_UNIT_PRESSURE] == 1e5 && m.factor[HP_UNIT_TIME] == 86400.0);
  CHECK_NEAR(m.factor[HP_UNIT_PERMEABILITY], 9.869232667160e-16, 1e-28);
  CHECK_NEAR(f.factor[HP_UNIT_PRESSURE], 6894.757293168, 1e-9);
  CHECK_NEAR(f.factor[HP_UNIT_RATE], 0.158987294928 / 86400.0, 1e-18);
  CHECK_NEAR(f.factor[HP_UNIT_DENSITY], 16.01846337, 1e-12);
  CHECK_NEAR(l.factor[HP_UNIT_PRESSURE], 101325.0, 1e-9);
  CHECK_NEAR(l.factor[HP_UNIT_RATE], 1e-6 / 3600.0, 1e-20);
  CHECK_NEAR(l.factor[HP_UNIT_LENGTH], 0.01, 0.0);
}

/* A connection factor times a pressure over a viscosity is a reservoir rate, a
 * compressibility times a pressure a number, in every system. */
static void check_products(void) {
  for (int s = 0; s < HP_UNITS_COUNT; ++s) {
    const hp_units u = hp_units_of((hp_unit_system)s);
    const double rate = u.factor[HP_UNIT_CONNECTION] * u.factor[HP_UNIT_PRESSURE] / u.factor[HP_UNIT_VISCOSITY];
    CHECK_NEAR(rate / u.factor[HP_UNIT_RESERVOIR_RATE], 1.0, 1e-14);
    CHECK_NEAR(u.factor[HP_UNIT_COMPRESSIBILITY] * u.factor[HP_UNIT_PRESSURE], 1.0, 1e-14);
    CHECK_NEAR(u.factor[HP_UNIT_KH], u.factor[HP_UNIT_PERMEABILITY] * u.factor[HP_UNIT_LENGTH], 1e-30);
    CHECK_NEAR(u.factor[HP_UNIT_RATE] * u.factor[HP_UNIT_TIME], u.factor[HP_UNIT_VOLUME], 1e-18);
    CHECK(u.system == (hp_unit_system)s);
    for (int q = 0; q < HP_UNIT_COUNT; ++q) CHECK(u.factor[q] > 0.0 && u.label[q] != NULL && u.summary[q] != NULL);
  }
}

static void check_labels(void) {
  static const struct {
    const char *name, *rate, *volume, *pressure, *time;
  } want[] = {{"metric", "SM3/DAY", "SM3", "BARSA", "DAYS"},
              {"field", "STB/DAY", "STB", "PSIA", "DAYS"},
              {"lab", "SCC/HR", "SCC", "ATMA", "HR"},
              {"si", "SM3/S", "SM3", "PA", "S"}};
  for (int n = 0; n < 4; ++n) {
    hp_unit_system s;
    CHECK(hp_units_find(want[n].name, &s));
    const hp_units u = hp_units_of(s);
    CHECK(strcmp(u.name, want[n].name) == 0);
    CHECK(strcmp(u.summary[HP_UNIT_RATE], want[n].rate) == 0);
    CHECK(strcmp(u.summary[HP_UNIT_VOLUME], want[n].volume) == 0);
    CHECK(strcmp(u.summary[HP_UNIT_PRESSURE], want[n].pressure) == 0);
    CHECK(strcmp(u.summary[HP_UNIT_TIME], want[n].time) == 0);
  }
  hp_unit_system s;
  CHECK(!hp_units_find("imperial", &s) && !hp_units_find("", &s));
}

int main(void) {
  check_constants();
  check_products();
  check_labels();
  return check_result();
}
