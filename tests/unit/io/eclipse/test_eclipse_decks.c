/* Three decks of other people, read whole: Egg, SPE1 case 2 without gas, two
 * layers of SPE10. They are data beside the repository: HEPTA_SHARED, or
 * ../shared beside the sources; skipped where neither is there. */
#define _POSIX_C_SOURCE 200809L
#include "io/deck/deck.h"
#include "tests/support/eclipse_deck.h"

#define BAR 1.0e5
#define PSI 6894.757293168
#define DAY 86400.0
#define BARREL 0.158987294928
#define FOOT 0.3048
#define MILLIDARCY 9.869232667160e-16

static char shared[1024];

static bool find_shared(void) {
  const char *given = getenv("HEPTA_SHARED"), *source = getenv("HEPTA_SOURCE");
  if (given != NULL) snprintf(shared, sizeof shared, "%s", given);
  else snprintf(shared, sizeof shared, "%s/../shared", source != NULL ? source : ".");
  char path[1200];
  snprintf(path, sizeof path, "%s/data/egg/Egg_Model_ECL.DATA", shared);
  return access(path, R_OK) == 0;
}

static hp_case *read_deck(const char *name) {
  char path[1200];
  snprintf(path, sizeof path, "%s/data/%s", shared, name);
  hp_diag diag;
  hp_diag_init(&diag);
  hp_case *c = NULL;
  CHECK_OK(hp_case_read(path, 0, NULL, &diag, &c));
  CHECK(diag.errors == 0);
  if (diag.errors > 0) hp_diag_print(&diag, stderr);
  hp_diag_clear(&diag);
  return c;
}

static double pore_volume(const hp_case *c) {
  double sum = 0.0;
  for (int64_t m = 0; m < c->grid->ncell; ++m) sum += c->grid->pore_volume[m];
  return sum;
}

static int open_at_start(const hp_case *c, bool injector) {
  int count = 0;
  for (int n = 0; n < c->nevent; ++n)
    count += c->event[n].time == 0.0 && c->event[n].control.injector == injector &&
             c->event[n].control.control != HP_CONTROL_SHUT;
  return count;
}

static void test_egg(void) {
  hp_case *c = read_deck("egg/Egg_Model_ECL.DATA");
  if (c == NULL) return;
  CHECK(strcmp(c->title, "VEM") == 0 && strcmp(c->start, "2011-06-15") == 0 && c->units.system == HP_UNITS_METRIC);
  CHECK(c->grid->nx == 60 && c->grid->ny == 60 && c->grid->nz == 7 && c->grid->nactive == 18553 && c->rectilinear);
  CHECK_NEAR(pore_volume(c), 18553.0 * 8.0 * 8.0 * 4.0 * 0.2, 1e-3);
  CHECK_NEAR(c->grid->perm[HP_DIR_I][0] / MILLIDARCY, 1288.7, 1e-6);
  CHECK_NEAR(c->grid->perm[HP_DIR_J][hp_grid_cell(c->grid, 1, 0, 0)] / MILLIDARCY, 632.8, 1e-6);
  CHECK_NEAR(c->grid->perm[HP_DIR_K][hp_grid_cell(c->grid, 59, 59, 6)] / MILLIDARCY, 82.2, 1e-6);
  CHECK(c->nwell == 12 && open_at_start(c, true) == 8 && open_at_start(c, false) == 4 && c->nevent == 12);
  CHECK(c->nreport == 120 && c->report[119] == 3600.0 * DAY);
  for (int w = 0; w < c->nwell; ++w) CHECK(c->well[w].nperf == 7 && c->well[w].perf[0].radius == 0.1);
  CHECK(strcmp(c->well[8].name, "PROD1") == 0 && c->well[8].head_i == 15 && c->well[8].head_j == 42);
  for (int n = 0; n < c->nevent; ++n) {
    const hp_well_control *k = &c->event[n].control;
    CHECK(k->control == (k->injector ? HP_CONTROL_WRAT : HP_CONTROL_BHP));
    CHECK_NEAR(k->limit[HP_CONTROL_BHP], (k->injector ? 420.0 : 395.0) * BAR, 1e-3);
    if (k->injector) CHECK_NEAR(k->limit[HP_CONTROL_WRAT] * DAY, 79.5, 1e-9);
  }
  CHECK(c->initial.region[0].accuracy == -5 && c->fluid.sat[0].rows == 16 && c->fluid.pvt[0][HP_OIL].rows == 0);
  CHECK_NEAR(c->fluid.pvt[0][HP_OIL].viscosity, 5e-3, 1e-12);
  CHECK_NEAR(c->timestep.initial, 0.1 * DAY, 1e-6);
  CHECK_NEAR(c->timestep.max, 30.0 * DAY, 1e-6);
  CHECK(c->newton.max_iterations == 12);
  hp_case_destroy(&c);
}

static void test_spe1(void) {
  hp_case *c = read_deck("spe1/SPE1CASE2_2P.DATA");
  if (c == NULL) return;
  CHECK(c->grid->nactive == 300 && c->rectilinear && c->units.system == HP_UNITS_FIELD);
  CHECK_NEAR(pore_volume(c) / (100.0 * 1000.0 * 1000.0 * 100.0 * 0.3 * FOOT * FOOT * FOOT), 1.0, 1e-12);
  CHECK(c->nreport == 120 && c->report[119] == 3650.0 * DAY && c->nwell == 2 && c->nevent == 2);
  CHECK(c->well[1].perf[0].k == 2 && c->well[1].head_i == 0);
  CHECK_NEAR(c->well[0].ref_depth, 8400.0 * FOOT, 1e-9);
  CHECK_NEAR(c->event[0].control.limit[HP_CONTROL_ORAT] * DAY / BARREL, 20000.0, 1e-6);
  CHECK_NEAR(c->event[0].control.limit[HP_CONTROL_BHP], 1000.0 * PSI, 1e-3);
  CHECK_NEAR(c->event[1].control.limit[HP_CONTROL_WRAT] * DAY / BARREL, 1000.0, 1e-6);
  CHECK_NEAR(c->event[1].control.limit[HP_CONTROL_BHP], 9014.0 * PSI, 1e-3);
  CHECK(c->initial.region[0].accuracy == 0 && c->fluid.pvt[0][HP_OIL].rows == 3 && c->fluid.sat[0].rows == 15);
  CHECK_NEAR(c->fluid.pvt[0][HP_OIL].b[2], 1.737, 1e-12);
  hp_case_destroy(&c);
}

static void test_spe10(void) {
  hp_case *c = read_deck("spe10_layers/SPE10_L84_85.DATA");
  if (c == NULL) return;
  CHECK(c->grid->nx == 60 && c->grid->ny == 220 && c->grid->nz == 2 && c->rectilinear);
  /* 5000 stb/d times the pore volume of the layers over the model's is the deck's rate of 138.5 */
  CHECK(c->grid->nactive == 26400);
  CHECK_NEAR(pore_volume(c) / BARREL, 377623.0, 1.0);
  CHECK_NEAR(c->grid->perm[HP_DIR_I][0] / MILLIDARCY, 0.064542, 1e-9);
  CHECK_NEAR(c->grid->perm[HP_DIR_K][0] / MILLIDARCY, 6.4542e-06, 1e-15);
  CHECK(c->nwell == 5 && c->nreport == 33 && c->report[32] == 2000.0 * DAY);
  for (int w = 1; w < 5; ++w) CHECK_NEAR(c->event[w].control.limit[HP_CONTROL_BHP], 4000.0 * PSI, 1e-3);
  CHECK(c->initial.region[0].accuracy == -5);
  hp_case_destroy(&c);
}

int main(void) {
  if (!find_shared()) return CHECK_SKIPPED;
  test_egg();
  test_spe1();
  test_spe10();
  CHECK(hp_memory_now() == 0);
  return check_result();
}
