/* Rock in Eclipse decks: ROCK, ROCKOPTS, ROCKTAB, and the regions that count them. */
#define _POSIX_C_SOURCE 200809L
#include "tests/support/eclipse_deck.h"

/* The deck with tables of rock, and the compressibility of each, with a blank before it. */
static void expect_rock(const char *tabdims, const char *rock, const char *region, const char *expected) {
  static char runspec[512], props[2048], regions[128];
  deck d = deck_base();
  snprintf(runspec, sizeof runspec, "DIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\nTABDIMS\n %s /\n", tabdims);
  snprintf(props, sizeof props,
           "DENSITY\n 800 1000 1 /\nPVTW\n 200 1.0 4E-5 0.5 0 /\nPVCDO\n 200 1.1 1E-4 2.0 /\n"
           "SWOF\n 0.2 0 1 0\n 0.8 0.5 0 0 /\n%s%s",
           tabdims[0] == '2' ? "/\n" : "", rock);
  snprintf(regions, sizeof regions, "%s\n 6*1 6*2 /\n", region);
  d.runspec = runspec;
  d.props = props;
  d.regions = regions;
  hp_case *c = deck_case(&d);
  char text[128] = "";
  size_t n = 0;
  if (c != NULL) {
    const hp_fluid_spec *r = &c->fluid;
    for (int k = 0; k < r->nrock; ++k)
      n += (size_t)snprintf(text + n, sizeof text - n, " %g", r->rock[k].compressibility);
    CHECK(r->of_rock != NULL && r->of_rock[hp_grid_cell(c->grid, 0, 0, 1)] == 1);
  }
  if (strcmp(text, expected) != 0) fprintf(stderr, "%s:\n  expected:%s\n  found:%s\n", rock, expected, text);
  CHECK(strcmp(text, expected) == 0);
  hp_case_destroy(&c);
}

/* How many records of ROCK there are, ROCKOPTS says, before or behind them. */
static void test_rock(void) {
  expect_rock("2 1", "ROCKOPTS\n 2* SATNUM /\nROCK\n 200 5E-5 /\n 190 1E-4 /\n", "SATNUM", " 5e-10 1e-09");
  expect_rock("2 1", "ROCK\n 200 5E-5 /\n /\n /\nROCKOPTS\n 2* SATNUM /\n", "SATNUM", " 5e-10 5e-10");
  expect_rock("1 1 10* 3", "ROCKOPTS\n 2* ROCKNUM /\nROCK\n 200 5E-5 /\n 190 1E-4 /\n 190 2E-4 /\n", "ROCKNUM",
              " 5e-10 1e-09 2e-09");
  deck d = deck_base();
  d.props =
      "DENSITY\n 800 1000 1 /\nPVTW\n 200 1.0 4E-5 0.5 0 /\nPVCDO\n 200 1.1 1E-4 2.0 /\nROCK\n 200 5E-5 /\n"
      " 190 1E-4 /\nSWOF\n 0.2 0 1 0\n 0.8 0.5 0 0 /\n";
  CHECK(deck_fails(&d, deck_line(&d, " 190 1E-4 /"), "ROCK: record 2, there is only 1 table of PVT (TABDIMS"));
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\nTABDIMS\n 1 1 10* 3 /\n";
  d.regions = "ROCKNUM\n 12*1 /\n";
  CHECK(deck_fails(&d, deck_line(&d, " 190 1E-4 /"), "ROCK: record 2, there is only 1 table of PVT"));
  static char props[1024];
  snprintf(props, sizeof props, "ROCKOPTS\n 2* ROCKNUM /\n%s", d.props);
  d.props = props;
  CHECK(deck_fails(&d, deck_line(&d, "ROCK"), "ROCK: 2 records, 3 are needed: the tables of ROCK (TABDIMS item 13)"));
}

/* Tables of ROCKTAB: ROCKNUM and TABDIMS count them, values left out are interpolated; and what is wrong with them. */
static void test_rock_tables(void) {
  static const char *const props =
      "DENSITY\n 800 1000 1 /\nPVTW\n 200 1.0 4E-5 0.5 0 /\nPVCDO\n 200 1.1 1E-4 2.0 1D-4 /\nSWOF\n 0.2 0 1 0\n 0.8 "
      "0.5 0 0 /\n";
  static char grown[4096];
  static const struct {
    const char *tables, *at, *message;
  } wrong[] = {
      {"ROCKTAB\n 100 0.9 1\n 200 1 1 /\n", "ROCKTAB", "ROCKTAB: 1 table, 2 are needed"},
      {"ROCKTAB\n 100 0.9 1 /\n /\n", "ROCKTAB", "ROCKTAB: one row, at least two are needed"},
      {"ROCKTAB\n 100 0.9 1\n 100 1 1 /\n /\n", "ROCKTAB", "row 2: the pressure is 100 after 100, it must rise"},
      {"ROCKTAB\n 100 0 1\n 200 1 1 /\n /\n", "ROCKTAB", "row 1: the multiplier of the pore volume is 0, must be >="},
      {"ROCKTAB\n 100 1 -1\n 200 1 1 /\n /\n", "ROCKTAB", "row 1: the multiplier of the transmissibility is -1"},
      {"ROCKTAB\n 1* 1 1\n 200 1 1 /\n /\n", "ROCKTAB", "row 1: the pressure must be given"},
      {"ROCKTAB\n 100 0.9\n 200 1 1 /\n /\n", "ROCKTAB", "5 values do not make rows of 3 columns"},
      {"ROCKTAB\n 100 0.9 1\n 200 1 1 /\n /\nROCK\n 200 0 /\n", "ROCK",
       "ROCK: 1 record, 2 are needed: the tables of ROCKTAB (ROCKCOMP item 2)"}};
  deck d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\nROCKCOMP\n IRREVERS /\nTABDIMS\n 1 1 10* 2 /\n";
  d.props = props;
  CHECK(deck_fails(&d, 0, "ROCKTAB is missing: RUNSPEC has ROCKCOMP"));
  d.props = grown;
  for (size_t n = 0; n < sizeof wrong / sizeof *wrong; ++n) {
    snprintf(grown, sizeof grown, "%s%s", props, wrong[n].tables);
    CHECK(deck_fails(&d, deck_line(&d, wrong[n].at), wrong[n].message));
  }
  snprintf(grown, sizeof grown, "%sROCKTAB\n 100 0.8 0.5\n 150 1* 1*\n 200 1 1 /\n /\n", props);
  d.regions = "ROCKNUM\n 6*1 6*2 /\n";
  hp_case *c = deck_case(&d);
  CHECK(c != NULL);
  for (int n = 0; c != NULL && n < 2; ++n) {
    const hp_rock_spec *r = &c->fluid.rock[n];
    CHECK(c->fluid.nrock == 2 && r->rows == 3 && r->columns == 1 && r->irreversible && r->p[1] == 150e5);
    CHECK_NEAR(r->pv[1], 0.9, 1e-12);
    CHECK_NEAR(r->trans[0][1], 0.75, 1e-12);
  }
  CHECK(c == NULL || (c->fluid.of_rock != NULL && c->fluid.of_rock[hp_grid_cell(c->grid, 0, 0, 1)] == 1));
  hp_case_destroy(&c);
  d.regions = "ROCKNUM\n 6*1 6*3 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "ROCKNUM"), "ROCKNUM: cell (1,1,2): 3, there are only 2"));
}

int main(void) {
  test_rock();
  test_rock_tables();
  return deck_end();
}
