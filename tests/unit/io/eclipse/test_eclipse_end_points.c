/* End points of saturation functions in Eclipse decks: of cells, by depth and by a J-function, TOLCRIT, the largest capillary pressure. */
#define _POSIX_C_SOURCE 200809L
#include "tests/support/eclipse_deck.h"

#define BAR 1.0e5

static const char *const FLUID =
    "DENSITY\n 800 1000 1 /\nPVTW\n 200 1.0 4E-5 0.5 0 /\nPVCDO\n 200 1.1 1E-4 2.0 1D-4 /\n"
    "ROCK\n 200 5E-5 /\n";

/* Where SWATINIT would scale the capillary pressure at SWL beyond PPCWMAX, it is PPCWMAX, or SWL is SWATINIT: beside the
 * state at rest, of pressures p_o - p_w = (rho_w - rho_o) g (contact - depth). */
static void test_limit_of_pc(void) {
  static char props[2048];
  const double g = 9.80665, head = 200.0 * g * 10.0; /* of the upper layer, at 2005 m */
  static const struct {
    const char *ppcwmax;
    double s, swl, top; /* of cell (1,1,1): saturation (0: that of the curve), swl, pc at swl [bar] */
  } expected[] = {{"", 0.6, 0.2, 0.0},
                  {"PPCWMAX\n 5 /\n", 0.6, 0.2, 0.0},
                  {"PPCWMAX\n /\n", 0.6, 0.2, 0.0},
                  {"PPCWMAX\n 0.4 /\n", 0.0, 0.2, 0.4},
                  {"PPCWMAX\n 0.4 YES /\n", 0.0, 0.6, 1.0}};
  deck d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\nENDSCALE\n /\n";
  d.props = props;
  d.solution = "EQUIL\n 2000 200 2015 0 4* 0 /\n";
  for (size_t n = 0; n < sizeof expected / sizeof *expected; ++n) {
    snprintf(props, sizeof props,
             "DENSITY\n 800 1000 1 /\nPVTW\n 200 1 0 0.5 0 /\nPVCDO\n 200 1 0 2 0 /\nROCK\n 200 5E-5 /\n"
             "SWOF\n 0.2 0 1 1\n 0.8 0.5 0 0 /\nSWATINIT\n 6*0.6 6*0.3 /\n%s",
             expected[n].ppcwmax);
    hp_case *c = deck_case(&d);
    hp_reservoir *r = NULL;
    CHECK(c != NULL && hp_reservoir_create(c->grid, &c->fluid, &r) == HP_OK);
    if (r != NULL) {
      CHECK(hp_equilibrate(r, 1, c->initial.region, NULL, c->grid->dz, c->initial.water) == HP_OK);
      const hp_sat_scale *e = &r->end_points[0];
      const double swl = expected[n].swl, top = expected[n].top > 0.0 ? expected[n].top * BAR : 3.0 * head;
      const double s = expected[n].s > 0.0 ? expected[n].s : 0.8 - (0.8 - swl) * head / top;
      CHECK_NEAR(e->swl, swl, 1e-12);
      CHECK_NEAR(hp_reservoir_sat(r, 0, e->swl).pc.v, top, 1e-6 * top);
      CHECK_NEAR(r->s[0], s, 1e-9);
      CHECK_NEAR(hp_reservoir_sat(r, 0, r->s[0]).pc.v, head, 1e-6 * head);
    }
    hp_reservoir_destroy(&r);
    hp_case_destroy(&c);
  }
  snprintf(props, sizeof props, "%sSWOF\n 0.2 0 1 1\n 0.8 0.5 0 0 /\nPPCWMAX\n -1 /\n", FLUID);
  CHECK(deck_fails(&d, deck_line(&d, " -1 /"), "PPCWMAX: item 1 (largest capillary pressure): '-1' must be > 0"));
  snprintf(props, sizeof props, "%sSWOF\n 0.2 0 1 1\n 0.8 0.5 0 0 /\nPPCWMAX\n 1 MAYBE /\n", FLUID);
  CHECK(deck_fails(&d, deck_line(&d, " 1 MAYBE /"), "PPCWMAX: item 2 (change of SWL): 'MAYBE' is not supported"));
  /* SWL above the table's SWCR: water flows at it */
  snprintf(props, sizeof props, "%sSWOF\n 0.2 0 1 1\n 0.8 0.5 0 0 /\nSWL\n 12*0.32 /\n", FLUID);
  hp_case *c = deck_case(&d);
  hp_reservoir *r = NULL;
  CHECK(c != NULL && hp_reservoir_create(c->grid, &c->fluid, &r) == HP_OK);
  if (r != NULL) {
    CHECK_NEAR(hp_reservoir_sat(r, 3, 0.32).krw.v, 0.1, 1e-12);
    CHECK_NEAR(hp_reservoir_sat(r, 3, 0.32).kro.v, 1.0, 1e-12);
    CHECK_NEAR(hp_reservoir_sat(r, 3, 0.32).pc.v, 1e5, 1e-6);
  }
  hp_reservoir_destroy(&r);
  hp_case_destroy(&c);
}

/* End points of cells, and the capillary pressure that SWATINIT asks for. */
static void test_end_points(void) {
  deck d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\nENDSCALE\n /\n";
  static char props[2048];
  snprintf(props, sizeof props,
           "%sSWOF\n 0.2 0 1 1\n 0.8 0.5 0 0 /\nSWL\n 0.3 11*0.25 /\nSWCR\n 12*0.35 /\nSWU\n 0.9 11* /\n"
           "SOWCR\n 12*0.25 /\nKRW\n 12*0.25 /\nPCW\n 2 11* /\nSCALECRS\n YES /\n",
           FLUID);
  d.props = props;
  d.solution = "EQUIL\n 2000 200 2015 0 4* 0 /\n";
  hp_case *c = deck_case(&d);
  if (c != NULL) {
    hp_reservoir *r = NULL;
    CHECK(c->fluid.three_point && hp_reservoir_create(c->grid, &c->fluid, &r) == HP_OK);
    if (r != NULL) {
      const hp_sat_range range = hp_reservoir_range(r, 0);
      CHECK(range.min == 0.3 && range.water_mobile == 0.35 && range.oil_immobile == 0.75 && range.max == 0.9);
      CHECK(hp_reservoir_sat(r, 0, 0.35).krw.v == 0.0);
      CHECK_NEAR(hp_reservoir_sat(r, 0, 0.9).krw.v, 0.25, 1e-12);
      CHECK_NEAR(hp_reservoir_sat(r, 0, 0.3).pc.v, 2e5, 1e-6);
      CHECK_NEAR(hp_reservoir_sat(r, 0, 0.3).kro.v, 1.0, 1e-12);
      CHECK_NEAR(hp_reservoir_sat(r, 1, 0.25).pc.v, 1e5, 1e-6);
      CHECK(hp_reservoir_range(r, 1).max == 0.8);
    }
    hp_reservoir_destroy(&r);
  }
  hp_case_destroy(&c);
  snprintf(props, sizeof props,
           "%sSWOF\n 0.2 0 1 1\n 0.8 0.5 0 0 /\nSWL\n 12*0.3 /\nSWCR\n 12*0.3 /\n"
           "SWATINIT\n 12*0.5 /\n",
           FLUID);
  c = deck_case(&d);
  if (c != NULL) CHECK(c->initial.water != NULL && c->initial.water[3] == 0.5);
  hp_case_destroy(&c);
  d.solution = "PRESSURE\n 12*200 /\nSWAT\n 12*0.5 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "SWATINIT"), "SWATINIT needs EQUIL"));
  snprintf(props, sizeof props, "%sSWOF\n 0.2 0 1 1\n 0.8 0.5 0 0 /\nSWL\n 12*0.3 /\nSWCR\n 11*0.3 0.25 /\n", FLUID);
  CHECK(deck_fails(&d, deck_line(&d, "SWL"), "SWL: cell (3,2,2): end points of a cell: swl 0.3 <= swcr 0.25"));
  snprintf(props, sizeof props, "%sSWOF\n 0.2 0 1 1\n 0.8 0.5 0 0 /\nSWL\n 12*0.85 /\n", FLUID);
  CHECK(deck_fails(&d, deck_line(&d, "SWL"), "must hold; of its table: swcr, swu, sowcr"));
  snprintf(props, sizeof props, "%sSWOF\n 0.2 0 1 1\n 0.8 0.5 0 0 /\nEQUALS\n SWU 0.7 /\n/\n", FLUID);
  CHECK(deck_fails(&d, deck_line(&d, " SWU 0.7 /"), "SWU: cell (1,1,1): end points of a cell: swl 0.2"));
  snprintf(props, sizeof props,
           "%sSWOF\n 0.2 0 1 1\n 0.8 0.5 0 0 /\nSWL\n 12*0.3 /\nSWCR\n 12*0.3 /\n"
           "SWATINIT\n 12*0.5 /\n",
           FLUID);
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\n";
  CHECK(deck_fails(&d, deck_line(&d, "SWL"), "SWL needs ENDSCALE in RUNSPEC"));
  CHECK(deck_fails(&d, deck_line(&d, "SWATINIT"), "SWATINIT needs ENDSCALE in RUNSPEC"));
}

/* End points by depth, of cells that have none of their own, and the capillary pressure of a J-function. */
static void test_end_points_elsewhere(void) {
  static char props[2048];
  deck d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\nENDSCALE\n 2* 2 /\n";
  snprintf(props, sizeof props,
           "%sSWOF\n 0.2 0 1 1\n 0.5 0.1 0.5 0.5\n 0.8 0.5 0 0 /\nSWL\n 0.25 11* /\nSCALECRS\n YES /\n"
           "ENPTVD\n 2000 0.2 0.3 0.9 3* 0.1 1*\n 2020 0.4 1* 0.9 5*\n 2030 1* 0.45 0.9 3* 0.3 1* /\n 2000 8* /\n"
           "ENKRVD\n 2000 3* 0.1 2* 0.4 /\n /\nENPCVD\n 2000 2 1*\n 2020 4 1* /\n /\nENSPCVD\n 2000 0.1 1* /\n /\n",
           FLUID);
  d.props = props;
  d.regions = "ENDNUM\n 11*1 2 /\n";
  hp_case *c = deck_case(&d);
  hp_reservoir *r = NULL;
  CHECK(c != NULL && hp_reservoir_create(c->grid, &c->fluid, &r) == HP_OK);
  if (r != NULL) { /* depths 2005 and 2015 m; cells 0, 1 are (1,1,1), (1,1,2); 11 is (3,2,2) */
    const hp_sat_scale *e = r->end_points;
    CHECK_NEAR(e[0].swl, 0.25, 1e-15);
    CHECK_NEAR(e[1].swl, 0.35, 1e-15);
    CHECK_NEAR(e[0].swcr, 0.325, 1e-15);
    CHECK_NEAR(e[1].so, 0.8, 1e-15);
    CHECK_NEAR(e[11].swl, 0.2, 1e-15);
    CHECK_NEAR(hp_reservoir_sat(r, 1, e[1].so).krw.v, 0.1, 1e-15);
    CHECK_NEAR(hp_reservoir_sat(r, 1, 0.9).krw.v, 0.5, 1e-15);
    CHECK_NEAR(hp_reservoir_sat(r, 1, e[1].swcr).kro.v, 0.4, 1e-15);
    CHECK_NEAR(hp_reservoir_sat(r, 0, 0.1).pc.v, 2.5 * BAR, 1e-6);
    CHECK_NEAR(hp_reservoir_sat(r, 1, 0.5).pc.v, 3.5 * BAR * 0.5, 1e-6); /* half way from 0.1 to 0.9 */
  }
  hp_reservoir_destroy(&r);
  hp_case_destroy(&c);
  /* J 1 at SWL, 0.5 in the middle: sigma sqrt(phi/k), 20 mN/m, 0.25 and the mean of 100 and 50 mD */
  d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\nENDSCALE\n /\n";
  static char grid[2048];
  snprintf(grid, sizeof grid, "%sEQUALS\n PORO 0.25 /\n PERMX 100 /\n PERMY 50 /\n/\nJFUNC\n WATER 20 /\n", d.grid);
  snprintf(props, sizeof props, "%sSWOF\n 0.2 0 1 1\n 0.5 0.1 0.5 0.5\n 0.8 0.5 0 0 /\n", FLUID);
  d.grid = grid;
  d.props = props;
  c = deck_case(&d);
  CHECK(c != NULL && hp_reservoir_create(c->grid, &c->fluid, &r) == HP_OK);
  if (r != NULL) {
    const double pc = 0.02 * sqrt(0.25 / (75.0 * 9.869232667e-16));
    CHECK_NEAR(hp_reservoir_sat(r, 0, 0.2).pc.v, pc, 1e-5 * pc);
    CHECK_NEAR(hp_reservoir_sat(r, 0, 0.5).pc.v, 0.5 * pc, 1e-5 * pc);
  }
  hp_reservoir_destroy(&r);
  hp_case_destroy(&c);
  snprintf(grid, sizeof grid, "%sEQUALS\n PERMX 0 /\n PERMY 0 /\n/\nJFUNC\n WATER 20 /\n", deck_base().grid);
  CHECK(deck_fails(&d, deck_line(&d, " WATER 20 /"), "JFUNC: cell (1,1,1): no capillary pressure by porosity"));
  snprintf(grid, sizeof grid, "%sJFUNC\n WATER 20 /\n", deck_base().grid);
  snprintf(props, sizeof props, "%sSWOF\n 0.2 0 1 0\n 0.8 0.5 0 -1 /\n", FLUID);
  CHECK(deck_fails(&d, deck_line(&d, " WATER 20 /"), "JFUNC: table 1: J of the first row is 0: it must be > 0"));
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\n";
  CHECK(deck_fails(&d, deck_line(&d, " WATER 20 /"), "JFUNC needs ENDSCALE in RUNSPEC"));
}

/* Faults of end points of cells, in a deck with ENDSCALE. */
static void test_end_point_faults(void) {
  static const struct {
    const char *props, *line, *text;
  } expected[] = {
      {"KRWR\n 12*0.6 /\n", "KRWR", "KRWR: cell (1,1,1): krwr 0.6, krw at 1 - sowcr: must not exceed that at the end"},
      {"KRWR\n 12*0 /\n", "KRWR", "KRWR: cell (1,1,1): krwr 0, krw at 1 - sowcr: must be > 0"},
      {"KRO\n 12*0.5 /\nKRORW\n 12*0.6 /\n", "KRORW", "krorw 0.6, kro at swcr: must not exceed"},
      {"SWLPC\n 12*0.8 /\n", "SWLPC", "SWLPC: cell (1,1,1): swlpc 0.8: must be < swu 0.8"},
      {"ENPTVD\n 2000 0.2 0.2 0.8 3* 0.2 1*\n 2000 0.2 0.2 0.8 3* 0.2 1* /\n", "ENPTVD",
       "ENPTVD: row 2: the depth is 2000 after 2000, it must rise"},
      {"ENPTVD\n 2000 1.2 0.2 0.8 3* 0.2 1* /\n", "ENPTVD", "ENPTVD: row 1: SWL is 1.2, must be in 0..1"},
      {"ENPTVD\n 2000 0.5 0.2 0.8 3* 0.2 1* /\n", "ENPTVD",
       "SWL: cell (1,1,1): end points of a cell: swl 0.5 <= swcr 0.2"},
      {"ENKRVD\n 2000 0.5 0.2 0.8 /\n", "ENKRVD", "ENKRVD: 4 values do not make rows of 8 columns"},
      {"TOLCRIT\n 1E-7 /\n", " 1E-7 /",
       "TOLCRIT: item 1 (largest critical relative permeability): 1e-07: must be >= 1e-06"}};
  static char props[2048];
  deck d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\nENDSCALE\n /\n";
  d.props = props;
  for (size_t n = 0; n < sizeof expected / sizeof *expected; ++n) {
    snprintf(props, sizeof props, "%sSWOF\n 0.2 0 1 1\n 0.5 0.1 0.5 0.5\n 0.8 0.5 0 0 /\n%s", FLUID, expected[n].props);
    CHECK(deck_fails(&d, deck_line(&d, expected[n].line), expected[n].text));
  }
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\n";
  snprintf(props, sizeof props, "%sSWOF\n 0.2 0 1 1\n 0.8 0.5 0 0 /\nENKRVD\n 2000 7* /\n", FLUID);
  CHECK(deck_fails(&d, deck_line(&d, "ENKRVD"), "ENKRVD needs ENDSCALE in RUNSPEC"));
}

/* Relative permeabilities up to TOLCRIT are 0, in SWFN and SOF2, too. */
static void test_tolcrit(void) {
  static char props[2048];
  static const char *const tables[] = {"SWOF\n 0.2 0 1 1\n 0.3 0.001 0.7 1\n 0.7 0.3 0.002 0\n 0.8 0.5 0 0 /\n",
                                       "SWFN\n 0.2 0 1\n 0.3 0.001 1\n 0.7 0.3 0\n 0.8 0.5 0 /\n"
                                       "SOF2\n 0.2 0\n 0.3 0.002\n 0.7 0.7\n 0.8 1 /\n"};
  deck d = deck_base();
  d.props = props;
  for (int n = 0; n < 4; ++n) {
    snprintf(props, sizeof props, "%s%s%s", FLUID, tables[n % 2],
             n < 2 ? "TOLCRIT\n 0.0015 /\n" : "TOLCRIT\n 0.01 /\n");
    hp_case *c = deck_case(&d);
    if (c != NULL) {
      const hp_sat_spec *t = &c->fluid.sat[0];
      CHECK(t->rows == 4 && t->krw[1] == 0.0);
      CHECK_NEAR(t->kro[2], n < 2 ? 0.002 : 0.0, 1e-12);
      CHECK_NEAR(t->krw[2], 0.3, 1e-12);
    }
    hp_case_destroy(&c);
  }
}

int main(void) {
  test_limit_of_pc();
  test_end_points();
  test_end_points_elsewhere();
  test_end_point_faults();
  test_tolcrit();
  return deck_end();
}
