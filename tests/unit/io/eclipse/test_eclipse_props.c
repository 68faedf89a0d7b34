/* Fluids, saturation functions and the start of a run in Eclipse decks. */
#define _POSIX_C_SOURCE 200809L
#include "tests/support/eclipse_deck.h"

#define BAR 1.0e5

static const char *const FLUID =
    "DENSITY\n 800 1000 1 /\nPVTW\n 200 1.0 4E-5 0.5 0 /\nPVCDO\n 200 1.1 1E-4 2.0 1D-4 /\n"
    "ROCK\n 200 5E-5 /\n";
static const char *const TABLE = "SWOF\n 0.2 0 1 0\n 0.8 0.5 0 0 /\n";

static deck with_props(const char *a, const char *b) {
  static char props[4096];
  deck d = deck_base();
  snprintf(props, sizeof props, "%s%s", a, b);
  d.props = props;
  return d;
}

static void test_pvt(void) {
  deck d = with_props(FLUID, TABLE);
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  const hp_pvt_spec *o = &c->fluid.pvt[0][HP_OIL], *w = &c->fluid.pvt[0][HP_WATER];
  CHECK(o->density == 800.0 && w->density == 1000.0 && o->rows == 0 && w->rows == 0);
  CHECK_NEAR(o->p_ref, 200.0 * BAR, 1e-3);
  CHECK_NEAR(o->b_ref, 1.1, 1e-15);
  CHECK_NEAR(o->compressibility, 1e-9, 1e-20);
  CHECK_NEAR(o->viscosity, 2e-3, 1e-12);
  CHECK_NEAR(o->viscosibility, 1e-9, 1e-20);
  CHECK_NEAR(w->compressibility, 4e-10, 1e-20);
  CHECK(w->viscosibility == 0.0);
  CHECK_NEAR(c->fluid.rock[0].p_ref, 200.0 * BAR, 1e-3);
  CHECK_NEAR(c->fluid.rock[0].compressibility, 5e-10, 1e-20);
  hp_case_destroy(&c);

  d = with_props("DENSITY\n 3* /\nPVTW\n 200 1.0 4E-5 0.5 /\nPVDO\n 100, 1.2, 1.0\n 200 1.1 1.5\n 300 1.05 2 /\n",
                 TABLE);
  c = deck_case(&d);
  if (c == NULL) return;
  o = &c->fluid.pvt[0][HP_OIL];
  CHECK(o->density == 600.0 && c->fluid.pvt[0][HP_WATER].density == 999.014 && o->rows == 3);
  CHECK_NEAR(o->p[1], 200.0 * BAR, 1e-3);
  CHECK_NEAR(o->b[1], 1.1, 1e-15);
  CHECK_NEAR(o->mu[2], 2e-3, 1e-12);
  CHECK(deck_noted("no ROCK") && c->fluid.rock[0].compressibility == 0.0);
  hp_case_destroy(&c);
}

static void test_swof(void) {
  /* Equal end points, a gap that is interpolated, capillary pressure in bar. */
  deck d = with_props(FLUID, "SWOF\n 0.1 0 1 2\n 0.2, 0, 1*, 1.5\n 0.4 1* 0.4 0.5\n 0.8 0.6 0 0.5\n 1.0 1 0 -1 /\n");
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  const hp_sat_spec *s = &c->fluid.sat[0];
  CHECK(s->model == HP_SAT_TABLE && s->rows == 5);
  CHECK_NEAR(s->kro[1], 0.8, 1e-12);
  CHECK_NEAR(s->krw[2], 0.2, 1e-12);
  CHECK_NEAR(s->pc[0], 2.0 * BAR, 1e-6);
  CHECK_NEAR(s->pc[4], -1.0 * BAR, 1e-6);
  hp_case_destroy(&c);
}

/* The merged table is both functions exactly: at its rows and between them. */
static void test_swfn_sof2(void) {
  deck d = with_props(FLUID,
                      "SWFN\n 0.2 0 1\n 0.5 0.1 0.4\n 0.9 0.6 0 /\nSOF2\n 0.1 0\n 0.4 0.2\n 0.5 0.5\n 0.8 0.9 /\n");
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  const hp_sat_spec *s = &c->fluid.sat[0];
  const double sw[] = {0.2, 0.5, 0.6, 0.9}, krw[] = {0, 0.1, 0.225, 0.6}, kro[] = {0.9, 0.5, 0.2, 0};
  const double pc[] = {1, 0.4, 0.3, 0};
  CHECK(s->rows == 4);
  for (int n = 0; n < 4 && s->rows == 4; ++n) {
    CHECK_NEAR(s->s[n], sw[n], 1e-12);
    CHECK_NEAR(s->krw[n], krw[n], 1e-12);
    CHECK_NEAR(s->kro[n], kro[n], 1e-12);
    CHECK_NEAR(s->pc[n], pc[n] * BAR, 1e-6);
  }
  hp_case_destroy(&c);

  d = with_props(FLUID, "SWFN\n 0.2 0 1\n 0.9 0.6 0 /\n");
  CHECK(deck_fails(&d, 0, "SOF2 is missing"));
  d = with_props(FLUID, "SWFN\n 0.2 0 1\n 0.7 0.6 0 /\nSOF2\n 0.1 0\n 0.8 0.9 /\n");
  CHECK(deck_fails(&d, deck_line(&d, "SOF2"), "SOF2: kro is 0.257"));
  d = with_props(FLUID, "SWFN\n 0.2 0 1\n 0.9 0.6 0 /\nSOF2\n 0.1 0\n 0.8 0.9 /\nSWOF\n 0.2 0 1 0\n 0.8 0.5 0 0 /\n");
  CHECK(deck_fails(&d, deck_line(&d, "SWOF"), "SWOF and SWFN or SOF2 are both given"));
}

/* SOF3 gives kro of water beside oil; where its other column does not end there, too, a note says so. */
static void test_sof3(void) {
  deck d = with_props(
      FLUID, "SWFN\n 0.2 0 2\n 0.8 0.5 0 /\nSOF3\n 0.2 0 0\n 0.4 0.1 0.3\n 0.8 0.9 0.7 /\nSGFN\n 0 0 0\n 0.8 1 0 /\n");
  static char runspec[256];
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  const hp_sat_spec *s = &c->fluid.sat[0];
  CHECK(s->rows == 3 && s->kro[0] == 0.9 && s->kro[2] == 0.0);
  CHECK_NEAR(s->kro[1], 0.1, 1e-12);
  hp_case_destroy(&c);
  snprintf(runspec, sizeof runspec, "%sGAS\n", d.runspec);
  d.runspec = runspec;
  c = deck_case(&d);
  CHECK(deck_noted("saturation table 1: kro without gas is 0.7 in the table with gas and 0.9 at connate water"));
  hp_case_destroy(&c);
}

/* PVTO at Rs = 0: both lines begin at the bubble point, which lies on the line through theirs. */
static void test_pvto(void) {
  static char props[1024];
  deck d = deck_base();
  snprintf(props, sizeof props,
           "DENSITY\n 800 1000 1 /\nPVTW\n 200 1.0 4E-5 0.5 0 /\nROCK\n 200 5E-5 /\nSWOF\n 0.2 0 1 0\n 0.8 0.5 0 0 /\n"
           "PVTO\n 10 40 1.1 1.5 /\n 30 100 1.2 1.0\n 200 1.15 1.1\n 400 1.1 1.4 /\n/\n");
  d.props = props;
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  const hp_pvt_spec *oil = &c->fluid.pvt[0][HP_OIL];
  /* the line of Rs 10 goes on as that of Rs 30 does: B and viscosity in the same ratios */
  const double b0[] = {1.1, 1.1 * 1.15 / 1.2, 1.1 * 1.1 / 1.2}, b1[] = {1.2, 1.15, 1.1};
  const double mu0[] = {1.5, 1.5 * 1.1, 1.5 * 1.4}, mu1[] = {1.0, 1.1, 1.4}, p[] = {10.0, 110.0, 310.0};
  CHECK(oil->rows == 3 && deck_noted("PVTO: without DISGAS the oil holds no gas: Rs is 0, as in OPM Flow"));
  for (int n = 0; n < oil->rows && n < 3; ++n) {
    const double b = 1.0 / (1.5 / b0[n] - 0.5 / b1[n]);
    CHECK_NEAR(oil->p[n], p[n] * BAR, 1e-3);
    CHECK_NEAR(oil->b[n], b, 1e-12);
    CHECK_NEAR(oil->mu[n] * 1e3, 1.0 / (1.5 / (b0[n] * mu0[n]) - 0.5 / (b1[n] * mu1[n])) / b, 1e-12);
  }
  hp_case_destroy(&c);
  static const char *const fault[][2] = {
      {"PVTO\n 10 40 1.1 1.5 /\n 30 100 1.2 1.0 /\n/\n", "PVTO: table 1: its last Rs needs rows of undersaturated oil"},
      {"PVTO\n 10 40 1.1 1.5\n 80 1.0 1.6 /\n/\n", "PVTO: table 1: fewer than two Rs"},
      {"PVTO\n 10 40 1.1 1.5\n 30 1.0 1.6 /\n 20 50 1.1 1.4\n 60 1.0 1.5 /\n/\n",
       "Rs 10, row 2: the pressure must rise"},
      {"PVTO\n 10 40 1.1 1.5\n 60 1.0 1.6 /\n 10 50 1.1 1.4\n 60 1.0 1.5 /\n/\n", "PVTO: Rs must rise"},
      {"PVTO\n 10 40 1.1 1.5 /\n 20 50 1.2 1.4 /\n 20 60 1.3 1.3\n 80 1.2 1.4 /\n/\n", "PVTO: Rs must rise"},
      {"PVTO\n 10 40 1.1 1.5\n 60 1.0 /\n/\n", "PVTO: 6 values of one Rs: it is followed by rows of 3 columns"},
      {"PVTO\n 10 40 1.1 1.5\n 60 1.0 1.6 /\n 12 50 0.5 1.4\n 60 0.4 1.5 /\n/\n",
       "PVTO: table 1: continued from Rs 10 and 12"},
  };
  for (size_t n = 0; n < sizeof fault / sizeof *fault; ++n) {
    static char faulty[1024];
    snprintf(faulty, sizeof faulty, "%.*s%s", (int)(strstr(props, "PVTO") - props), props, fault[n][0]);
    d.props = faulty;
    CHECK(deck_fails(&d, deck_line(&d, "PVTO"), fault[n][1]));
  }
}

/* Entries left out at the ends of a column are as in the nearest row that has one. */
static void test_column_ends(void) {
  deck d = with_props(FLUID, "SWOF\n 0.2 0 1* 1*\n 0.5 1* 0.9 2\n 0.7 0.6 0 1*\n 0.9 1* 0 1* /\n");
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  const hp_sat_spec *s = &c->fluid.sat[0];
  static const double krw[] = {0.0, 0.36, 0.6, 0.6}, kro[] = {0.9, 0.9, 0.0, 0.0};
  for (int n = 0; n < 4; ++n) {
    CHECK_NEAR(s->krw[n], krw[n], 1e-12);
    CHECK_NEAR(s->kro[n], kro[n], 1e-12);
    CHECK_NEAR(s->pc[n], 2.0 * BAR, 1e-6);
  }
  hp_case_destroy(&c);
}

static void test_table_faults(void) {
  static const struct {
    const char *table, *text;
  } fault[] = {
      {"SWOF\n 0.2 0.1 1 0\n 0.8 0.5 0 0 /\n", "SWOF: krw of the first row is 0.1: it must be 0"},
      {"SWOF\n 0.2 0 1 0\n 0.8 0.5 0.1 0 /\n", "kro of the last row is 0.1"},
      {"SWOF\n 0.2 0 1 0\n 0.2 0.5 0 0 /\n", "row 2: the water saturation is 0.2 after 0.2, it must rise"},
      {"SWOF\n 0.2 0 1 0\n 0.5 0.4 0.5 0\n 0.8 0.3 0 0 /\n", "row 3: krw is 0.3 after 0.4, it must not fall"},
      {"SWOF\n 0.2 0 0.5 0\n 0.5 0.4 0.6 0\n 0.8 0.5 0 0 /\n", "row 2: kro is 0.6 after 0.5, it must not rise"},
      {"SWOF\n 0.2 0 1 0\n 0.8 0.5 0 1 /\n", "row 2: the capillary pressure is 1 after 0, it must not rise"},
      {"SWOF\n 0.2 0 1 0\n 1.2 0.5 0 0 /\n", "row 2: the water saturation is 1.2, must be in 0..1"},
      {"SWOF\n 0.2 0 1 0\n 0.8 0.5 0 /\n", "7 values do not make rows of 4 columns"},
      {"SWOF\n 0.2 0 1 0 /\n", "one row, at least two are needed"},
      {"SWOF\n /\n", "the table is empty"},
      {"SWOF\n 0.2 1* 1 0\n 0.8 1* 0 0 /\n", "row 1: krw must be given"},
      {"SWOF\n 0.2 0 1 0\n 0.8 0.5 1* 0 /\n", "kro of the last row is 1"},
      {"SWOF\n 0.2 0 1 0\n 1* 0.5 0 0 /\n", "row 2: the water saturation must be given"},
      {"SWOF\n 0.2 0 1 0\n 0.8 half 0 0 /\n", "'half' is not a number"},
      {"PVDO\n 1 1 1\n 2 1 1 /\nSWOF\n 0.2 0 1 0\n 0.8 0.5 0 0 /\n", "PVDO and PVCDO are both given"},
      {"PVDO\n 1 1 1\n 2 1.1 1 /\n", "row 2: the formation volume factor is 1.1 after 1, it must not rise"},
      {"PVDO\n 1 1 1\n 1 1 1 /\n", "row 2: the pressure is 1 after 1, it must rise"},
      {"PVDO\n 1 1 1\n 2 1* 1 /\n", "row 2: the formation volume factor must be given"},
      {"PVTW\n 200 0 4E-5 0.5 /\n", "item 2 (formation volume factor): '0' must be > 0"},
      {"PVTW\n 200 1 4E-5 /\n", "item 4 (viscosity) is missing and has no default"},
      {"PVCDO\n 200 1 4E-5 -1 /\n", "item 4 (viscosity): '-1' must be > 0"},
      {"ROCK\n 200 -1 /\n", "item 2 (compressibility): '-1' must be >= 0"},
      {"DENSITY\n 0 1000 /\n", "item 1 (oil): '0' must be > 0"},
  };
  for (int n = 0; n < (int)(sizeof fault / sizeof *fault); ++n) {
    deck d = with_props(FLUID, fault[n].table);
    hp_case *c = NULL;
    CHECK(deck_read(&d, &c) == HP_ERR_DECK && deck_noted(fault[n].text));
  }
  deck d = with_props("PVTW\n 200 1.0 4E-5 0.5 0 /\n", TABLE);
  CHECK(deck_fails(&d, 0, "DENSITY is missing") && deck_noted("PVDO (or PVCDO) is missing"));
  d = with_props(FLUID, "");
  CHECK(deck_fails(&d, 0, "SWOF (or SWFN and SOF2) is missing"));
}

/* Several tables: of saturation, of PVT, of EQUIL; one that holds nothing repeats the one before. */
static void test_regions(void) {
  deck d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\nTABDIMS\n 3 2 /\nEQLDIMS\n 2 /\n";
  d.props =
      "DENSITY\n 800 1000 1 /\n 810 1010 1 /\nPVTW\n 200 1.0 4E-5 0.5 0 /\n /\n"
      "PVDO\n 100 1.1 2\n 300 1.0 3 /\n 100 1.3 1\n 200 1.25 1.5\n 300 1.2 2 /\nROCK\n 200 5E-5 /\n 200 7E-5 /\n"
      "SWOF\n 0.2 0 1 0\n 0.8 0.5 0 0 /\n 0.3 0 1 1\n 0.7 0.5 0 0 /\n /\n";
  d.regions = "SATNUM\n 6*1 5*2 3 /\nPVTNUM\n 6*1 6*2 /\nEQLNUM\n 6*1 6*2 /\n";
  d.solution = "EQUIL\n 2000 200 2100 0 /\n 2010 205 2090 0.5 4* 0 /\n";
  hp_case *c = deck_case(&d);
  if (c != NULL) {
    const hp_fluid_spec *r = &c->fluid;
    const int64_t upper = hp_grid_cell(c->grid, 0, 0, 0), lower = hp_grid_cell(c->grid, 0, 0, 1);
    const int64_t last = hp_grid_cell(c->grid, 2, 1, 1);
    CHECK(r->nsat == 3 && r->npvt == 2 && r->nrock == 2 && c->initial.nregion == 2);
    CHECK(r->of_sat[upper] == 0 && r->of_sat[lower] == 1 && r->of_sat[last] == 2 && r->of_rock[lower] == 1);
    CHECK(c->initial.of[upper] == 0 && c->initial.of[lower] == 1 && c->initial.region[1].accuracy == 0);
    CHECK(r->sat[1].s[0] == 0.3 && r->sat[2].s[0] == 0.3 && r->sat[2].pc[0] == 1e5 && r->sat[2].rows == 2);
    CHECK(r->pvt[1][HP_OIL].rows == 3 && r->pvt[1][HP_OIL].density == 810.0 && r->pvt[1][HP_WATER].density == 1010.0);
    CHECK(r->pvt[1][HP_WATER].viscosity == r->pvt[0][HP_WATER].viscosity);
    CHECK_NEAR(r->rock[1].compressibility, 7e-10, 1e-20);
    hp_reservoir *res = NULL;
    CHECK(hp_reservoir_create(c->grid, &c->fluid, &res) == HP_OK);
    if (res != NULL) {
      CHECK(res->nregion == 3 && hp_reservoir_fluid(res, upper) != hp_reservoir_fluid(res, lower));
      CHECK(hp_reservoir_fluid(res, lower)->phase[HP_OIL].rows == 3 && hp_reservoir_range(res, lower).min == 0.3);
      CHECK(hp_reservoir_fluid(res, last)->sat.rows == 2 && hp_reservoir_fluid(res, last)->rock.c == 7e-10);
    }
    hp_reservoir_destroy(&res);
  }
  CHECK(!deck_noted("item 11"));
  hp_case_destroy(&c);
  const char *schedule = d.schedule;
  char own[2048];
  snprintf(own, sizeof own, "WELSPECS\n 'Q' 'G' 1 1 1* OIL 4* 2 /\n/\nCOMPDAT\n 'Q' 2* 1 1 OPEN 2* 0.2 /\n/\n%s",
           schedule);
  d.schedule = own;
  c = deck_case(&d);
  CHECK(deck_noted("well Q, item 11: reservoir volumes are by the PVT table of the first connection's cell"));
  hp_case_destroy(&c);
  d.schedule = schedule;
  d.regions = "SATNUM\n 6*1 5*2 3 /\nPVTNUM\n 6*1 6*2 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "PVTNUM"), "one region of EQUIL with several PVT tables is not supported"));
  d.regions = "ROCKNUM\n 6*1 6*2 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "ROCKNUM"), "ROCKNUM has an effect with ROCKOPTS item 3 = ROCKNUM only"));
  d.regions = "SATNUM\n 11*1 4 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "SATNUM"), "SATNUM: cell (3,2,2): 4, there are only 3"));
  /* PVT and equilibrium are compared cell by cell, of numbers that there are; a grid with a fault leaves any */
  d.regions = "EQLNUM\n 11*1 20000 /\nPVTNUM\n 12*1 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "EQLNUM"), "EQLNUM: cell (3,2,2): 20000, there are only 2"));
  d.regions = "PVTNUM\n 11*1 2E9 /\nEQLNUM\n 12*1 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "PVTNUM"), "PVTNUM: cell (3,2,2): 2e+09, there are only 2"));
  const char *grid = d.grid;
  char cells[4096];
  snprintf(cells, sizeof cells, "%sDXV\n 3*100 /\n", grid);
  d.grid = cells;
  d.regions = "EQLNUM\n 11*1 -7 /\nPVTNUM\n 11*1 -7 /\nSATNUM\n 12*0.5 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "EQLNUM"), "EQLNUM: cell (3,2,2): -7"));
  /* where no flow is any number may stand: the first table's fluids are there */
  snprintf(cells, sizeof cells, "%sACTNUM\n 0 10*1 0 /\n", grid);
  d.regions = "SATNUM\n 0 10*2 -3 /\nPVTNUM\n 0 5*1 5*2 -3 /\nEQLNUM\n 0 5*1 5*2 1.5 /\nFIPNUM\n 0 10*2 -3 /\n";
  c = deck_case(&d);
  if (c != NULL) {
    const int64_t first = hp_grid_cell(c->grid, 0, 0, 0), last = hp_grid_cell(c->grid, 2, 1, 1);
    const hp_fluid_spec *r = &c->fluid;
    CHECK(r->of_sat[first] == 0 && r->of_pvt[first] == 0 && r->of_rock[first] == 0 && c->initial.of[first] == 0);
    CHECK(r->of_sat[last] == 0 && r->of_pvt[last] == 0 && r->of_rock[last] == 0 && c->initial.of[last] == 0);
  }
  hp_case_destroy(&c);
}

/* Arrays of gas are passed over in a deck without it, and so are records that set them. */
static void test_arrays_of_gas(void) {
  static char props[4096];
  deck d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nENDSCALE\n/\n";
  snprintf(props, sizeof props,
           "%sEQUALS\n SGU 0.8 1 2 1 1 1 1 /\n SWL 0.25 /\n/\nEQUALS\n SWCR 0.3 /\n/\nCOPY\n SWL SGL /\n/\nMULTIPLY\n "
           "SGU 0.5 /\n/\n",
           d.props);
  d.props = props;
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  const double *swl = c->fluid.end[HP_END_SWL];
  CHECK(deck_noted("skipped, no bearing on the results: SGU SGL"));
  CHECK(swl != NULL && swl[0] == 0.25 && isnan(swl[11]) == isnan(swl[3])); /* the box of the record before */
  hp_case_destroy(&c);
}

static void test_equil(void) {
  deck d = deck_base();
  hp_case *c = deck_case(&d);
  if (c != NULL) {
    CHECK(c->initial.nregion == 1 && c->initial.region[0].accuracy == -5 && c->initial.region[0].datum_depth == 2000.0);
    CHECK_NEAR(c->initial.region[0].datum_pressure, 200.0 * BAR, 1e-3);
    CHECK(c->initial.region[0].contact_depth == 2100.0 && c->initial.region[0].contact_pc == 0.0 &&
          c->initial.pressure == NULL);
  }
  hp_case_destroy(&c);
  d.solution = "EQUIL\n 2000 200 2100 0.5 1900 0 1 0 0 /\n";
  c = deck_case(&d);
  if (c != NULL) CHECK(c->initial.region[0].accuracy == 0 && c->initial.region[0].contact_pc == 0.5 * BAR);
  hp_case_destroy(&c);
  d.solution = "EQUIL\n 2000 200 2100 5* 5 /\n";
  CHECK(deck_fails(&d, deck_line(&d, " 2000 200 2100 5* 5 /"), "tilted blocks"));
  d.solution = "EQUIL\n 2000 200 /\n";
  CHECK(deck_fails(&d, deck_line(&d, " 2000 200 /"), "item 3 (depth of the oil-water contact) is missing"));
  d.solution = "";
  CHECK(deck_fails(&d, 0, "EQUIL (or PRESSURE and SWAT) is missing"));
}

static void test_explicit(void) {
  deck d = deck_base();
  d.solution = "PRESSURE\n 6*200 6*201 /\nSWAT\n 11*0.2 0.7 /\n";
  hp_case *c = deck_case(&d);
  if (c != NULL) {
    const int64_t last = hp_grid_cell(c->grid, 2, 1, 1);
    CHECK(c->initial.nregion == 0 && c->initial.sw[last] == 0.7 && c->initial.sw[0] == 0.2);
    CHECK_NEAR(c->initial.pressure[last], 201.0 * BAR, 1e-3);
    CHECK_NEAR(c->initial.pressure[0], 200.0 * BAR, 1e-3);
  }
  hp_case_destroy(&c);
  d.solution = "EQUALS\n PRESSURE 200 /\n SWAT 0.3 /\n/\n";
  c = deck_case(&d);
  if (c != NULL) CHECK(c->initial.sw[5] == 0.3);
  hp_case_destroy(&c);
  d.solution = "PRESSURE\n 12*200 /\n";
  CHECK(deck_fails(&d, 0, "PRESSURE is given, SWAT is missing"));
  d.solution = "PRESSURE\n 12*200 /\nSWAT\n 11*0.2 1.7 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "SWAT"), "SWAT: cell (3,2,2): 1.7: must be in 0..1"));
  d.solution = "EQUIL\n 2000 200 2100 0 /\nSWAT\n 12*0.2 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "SWAT"), "EQUIL and SWAT are both given"));
}

/* SOIL instead of SWAT, or beside it. */
static void test_oil(void) {
  deck d = deck_base();
  d.solution = "PRESSURE\n 12*200 /\nSOIL\n 11*0.75 0.5 /\n";
  hp_case *c = deck_case(&d);
  if (c != NULL) CHECK(c->initial.sw[0] == 0.25 && c->initial.sw[hp_grid_cell(c->grid, 2, 1, 1)] == 0.5);
  hp_case_destroy(&c);
  d.solution = "PRESSURE\n 12*200 /\nSOIL\n 12*0.7 /\nSWAT\n 12*0.3 /\n";
  c = deck_case(&d);
  if (c != NULL) CHECK(c->initial.sw[3] == 0.3);
  hp_case_destroy(&c);
  d.solution = "PRESSURE\n 12*200 /\nSWAT\n 12*0.3 /\nSOIL\n 11*0.7 0.6 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "SOIL"), "SOIL: cell (3,2,2): 0.6, and SWAT 0.3: together they must be 1"));
  d.solution = "PRESSURE\n 12*200 /\nEQUALS\n SOIL 0.7 1 2 /\n/\n";
  CHECK(deck_fails(&d, deck_line(&d, " SOIL 0.7 1 2 /"), "SOIL: cell (3,1,1): no value: must be given"));
  d.solution = "PRESSURE\n 12*200 /\nSOIL\n 11*0.2 1.7 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "SOIL"), "SOIL: cell (3,2,2): 1.7: must be in 0..1"));
  d.solution = "EQUIL\n 2000 200 2100 0 /\nSOIL\n 12*0.2 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "SOIL"), "EQUIL and SOIL are both given"));
  d.solution = "SOIL\n 12*0.2 /\n";
  CHECK(deck_fails(&d, 0, "SWAT is given, PRESSURE is missing"));
}

static void test_gravity(void) {
  deck d = deck_base();
  d.props =
      "GRAVITY\n 20 1.1 0.8 /\nPVTW\n 200 1.0 4E-5 0.5 0 /\nPVCDO\n 200 1.1 1E-4 2.0 0 /\nSWOF\n 0.2 0 1 0\n 0.8 0.5 0 "
      "0 /\n";
  hp_case *c = deck_case(&d);
  if (c != NULL) {
    CHECK_NEAR(c->fluid.pvt[0][HP_OIL].density, 1000.0 * 141.5 / 151.5, 1e-9);
    CHECK_NEAR(c->fluid.pvt[0][HP_WATER].density, 1100.0, 1e-9);
  }
  hp_case_destroy(&c);
}

/* Thresholds by direction. */
static void test_irreversible_thresholds(void) {
  deck d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nEQLDIMS\n 2 /\nEQLOPTS\n THPRES IRREVERS QUIESC MOBILE /\n";
  d.regions = "EQLNUM\n 6*1 6*2 /\n";
  d.solution = "EQUIL\n 2000 200 2100 0 /\n/\nTHPRES\n 1 2 5 /\n 2 1 5 /\n/\n";
  hp_case *c = deck_case(&d);
  if (c != NULL) {
    CHECK_NEAR(c->initial.threshold[1], 5e5, 1e-6);
    CHECK(c->initial.threshold[2] == c->initial.threshold[1] && deck_noted("QUIESC is passed over"));
  }
  hp_case_destroy(&c);
  d.solution = "EQUIL\n 2000 200 2100 0 /\n/\nTHPRES\n 1 2 5 /\n/\n";
  c = deck_case(&d);
  if (c != NULL) CHECK(c->initial.threshold[1] == 5e5 && c->initial.threshold[2] == 0.0);
  hp_case_destroy(&c);
}

int main(void) {
  test_gravity();
  test_irreversible_thresholds();
  test_pvt();
  test_swof();
  test_swfn_sof2();
  test_column_ends();
  test_table_faults();
  test_regions();
  test_arrays_of_gas();
  test_sof3();
  test_pvto();
  test_equil();
  test_explicit();
  test_oil();
  return deck_end();
}
