/* Cells of Eclipse decks: arrays, boxes, operations, geometry, multipliers. */
#define _POSIX_C_SOURCE 200809L
#include "tests/support/eclipse_deck.h"

#define MILLIDARCY 9.869232667160e-16

static void test_base(void) {
  const deck d = deck_base();
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  CHECK(strcmp(c->title, "small") == 0 && strcmp(c->start, "2020-01-01") == 0);
  CHECK(c->units.system == HP_UNITS_METRIC && strstr(c->text, "WELSPECS") != NULL);
  CHECK(c->grid->nx == 3 && c->grid->ny == 2 && c->grid->nz == 2 && c->grid->nactive == 12);
  CHECK_NEAR(deck_at(c, c->grid->depth, 3, 2, 1), 2005.0, 1e-9);
  CHECK_NEAR(deck_at(c, c->grid->depth, 3, 2, 2), 2015.0, 1e-9);
  CHECK_NEAR(deck_at(c, c->grid->pore_volume, 1, 1, 1), 100.0 * 50.0 * 10.0 * 0.25, 1e-6);
  CHECK_NEAR(deck_at(c, c->grid->perm[HP_DIR_K], 1, 1, 1) / MILLIDARCY, 10.0, 1e-9);
  /* two equal half transmissibilities: K A / dx */
  CHECK_NEAR(deck_at(c, c->grid->trans[HP_DIR_I], 1, 1, 1) / (100.0 * MILLIDARCY * 500.0 / 100.0), 1.0, 1e-12);
  CHECK(c->rectilinear);
  CHECK_NEAR(c->x[3], 300.0, 1e-9);
  CHECK_NEAR(c->y[2], 100.0, 1e-9);
  CHECK_NEAR(c->z[0], 2000.0, 1e-9);
  CHECK_NEAR(c->z[2], 2020.0, 1e-9);
  CHECK(c->minpv == 1e-6);
  hp_case_destroy(&c);
}

/* i runs fastest, then j, then k. */
static void test_order(void) {
  deck d = deck_with_rock(
      "PORO\n 1*0.01 .02 0.03, .04 5D-2 6e-2\n 2*0.07 4*0.08 /\nPERMX\n 12*1 /\nPERMY\n 12*1 /\nPERMZ\n 12*1/\n");
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  CHECK_NEAR(deck_at(c, c->grid->porosity, 2, 1, 1), 0.02, 1e-15);
  CHECK_NEAR(deck_at(c, c->grid->porosity, 1, 2, 1), 0.04, 1e-15);
  CHECK_NEAR(deck_at(c, c->grid->porosity, 2, 2, 1), 0.05, 1e-15);
  CHECK_NEAR(deck_at(c, c->grid->porosity, 2, 1, 2), 0.07, 1e-15);
  CHECK_NEAR(deck_at(c, c->grid->porosity, 3, 1, 2), 0.08, 1e-15);
  hp_case_destroy(&c);
}

static void test_operations(void) {
  deck d = deck_with_rock(
      "EQUALS\n PORO 0.2 /\n 'PERMX' 100 /\n poro 0.3 1 3 1 2 2 2 /\n PERMX 50 /\n PERMX 7 2 2 2 2 /\n/\n"
      "BOX\n 1 1 1 2 1 1 /\nPERMX\n 11 12 /\nADD\n PERMX 1 /\n/\nENDBOX\n"
      "COPY\n PERMX PERMY /\n PERMX PERMZ /\n/\nMULTIPLY\n PERMZ 0.1 /\n PERMZ 2 3 3 1 1 1 1 /\n/\n"
      "ADD\n PERMY 5 2* 1 1 /\n/\n");
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  const hp_grid *g = c->grid;
  CHECK_NEAR(deck_at(c, g->porosity, 1, 1, 1), 0.2, 1e-15);
  CHECK_NEAR(deck_at(c, g->porosity, 1, 1, 2), 0.3, 1e-15);
  /* the box of the record before holds on, item by item: i 2, j 2, k still 2 */
  CHECK_NEAR(deck_at(c, g->perm[HP_DIR_I], 1, 1, 2) / MILLIDARCY, 50.0, 1e-9);
  CHECK_NEAR(deck_at(c, g->perm[HP_DIR_I], 2, 2, 2) / MILLIDARCY, 7.0, 1e-9);
  CHECK_NEAR(deck_at(c, g->perm[HP_DIR_I], 2, 2, 1) / MILLIDARCY, 100.0, 1e-9);
  /* inside BOX, and the operation there */
  CHECK_NEAR(deck_at(c, g->perm[HP_DIR_I], 1, 1, 1) / MILLIDARCY, 12.0, 1e-9);
  CHECK_NEAR(deck_at(c, g->perm[HP_DIR_I], 1, 2, 1) / MILLIDARCY, 13.0, 1e-9);
  CHECK_NEAR(deck_at(c, g->perm[HP_DIR_J], 1, 1, 1) / MILLIDARCY, 17.0, 1e-9);
  CHECK_NEAR(deck_at(c, g->perm[HP_DIR_J], 1, 2, 1) / MILLIDARCY, 13.0, 1e-9);
  CHECK_NEAR(deck_at(c, g->perm[HP_DIR_K], 3, 1, 1) / MILLIDARCY, 20.0, 1e-9);
  CHECK_NEAR(deck_at(c, g->perm[HP_DIR_K], 3, 2, 1) / MILLIDARCY, 10.0, 1e-9);
  hp_case_destroy(&c);
}

static void test_defaults_in_arrays(void) {
  deck d = deck_with_rock(
      "EQUALS\n PORO 0.2 /\n PERMX 1 /\n PERMY 1 /\n PERMZ 1 /\n/\nPORO\n 4* 0.1 7* /\nNTG\n 11* 0.5 /\n");
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  CHECK_NEAR(deck_at(c, c->grid->porosity, 2, 2, 1), 0.1, 1e-15);
  CHECK_NEAR(deck_at(c, c->grid->porosity, 1, 1, 1), 0.2, 1e-15);
  CHECK_NEAR(deck_at(c, c->grid->ntg, 1, 1, 1), 1.0, 1e-15);
  CHECK_NEAR(deck_at(c, c->grid->ntg, 3, 2, 2), 0.5, 1e-15);
  CHECK_NEAR(deck_at(c, c->grid->pore_volume, 3, 2, 2), 50000.0 * 0.2 * 0.5, 1e-6);
  hp_case_destroy(&c);
}

static void test_geometry(void) {
  const char *rock = "PORO\n 12*0.25 /\nPERMX\n 12*100 /\nPERMY\n 12*100 /\nPERMZ\n 12*10 /\n";
  static char grid[4096];
  deck d = deck_base();
  d.grid = grid;

  snprintf(grid, sizeof grid, "DXV\n 10 20 30 /\nDYV\n 5 6 /\nDZV\n 1 2 /\nTOPS\n 6*1000 /\n%s", rock);
  hp_case *c = deck_case(&d);
  if (c != NULL) {
    CHECK(c->rectilinear);
    CHECK_NEAR(c->x[2], 30.0, 1e-9);
    CHECK_NEAR(c->x[3], 60.0, 1e-9);
    CHECK_NEAR(c->y[1], 5.0, 1e-9);
    CHECK_NEAR(c->z[2], 1003.0, 1e-9);
    CHECK_NEAR(deck_at(c, c->grid->dx, 2, 1, 2), 20.0, 1e-12);
    CHECK_NEAR(deck_at(c, c->grid->depth, 2, 1, 2), 1002.0, 1e-9);
  }
  hp_case_destroy(&c);
  snprintf(grid, sizeof grid, "DXV\n 10 20 30 /\nDX\n 12*10 /\nDYV\n 5 6 /\nDZV\n 1 2 /\nTOPS\n 6*1000 /\n%s", rock);
  CHECK(deck_fails(&d, deck_line(&d, "DXV") + 2, "DX: the sizes of cells are given already, by DXV"));

  /* A step in TOPS, then all layers given with a gap between them. */
  snprintf(grid, sizeof grid, "DX\n 12*100 /\nDY\n 12*50 /\nDZ\n 12*10 /\nTOPS\n 2*2000 2010 3*2000 /\n%s", rock);
  c = deck_case(&d);
  if (c != NULL) {
    CHECK(!c->rectilinear && deck_noted("TOPS have steps") && c->top[2 * 2] == 2010.0);
    CHECK_NEAR(deck_at(c, c->grid->depth, 3, 1, 2), 2025.0, 1e-9);
  }
  hp_case_destroy(&c);
  snprintf(grid, sizeof grid, "DX\n 12*100 /\nDY\n 12*50 /\nDZ\n 12*10 /\nTOPS\n 6*2000 6*2030 /\n%s", rock);
  c = deck_case(&d);
  if (c != NULL) {
    CHECK(!c->rectilinear && strstr(deck_messages, "steps") == NULL);
    CHECK_NEAR(deck_at(c, c->grid->depth, 1, 1, 2), 2035.0, 1e-9);
  }
  hp_case_destroy(&c);

  snprintf(grid, sizeof grid, "DX\n 12*100 /\nDY\n 12*50 /\nDZ\n 11*10 12 /\nTOPS\n 6*2000 /\nOLDTRAN\n%s", rock);
  c = deck_case(&d);
  CHECK(deck_noted("OLDTRAN differs"));
  hp_case_destroy(&c);
  snprintf(grid, sizeof grid, "DX\n 12*100 /\nDY\n 12*50 /\nDZ\n 11*10 12 /\nTOPS\n 6*2000 /\nNEWTRAN\n%s", rock);
  c = deck_case(&d); /* cell (3,2,2) reaches 2 m deeper: its faces are those of the cells beside it */
  if (c != NULL) {
    CHECK(c->coord != NULL && c->grid->connection.count == 0 && strstr(deck_messages, "OLDTRAN") == NULL);
    const double half = 100.0 * MILLIDARCY * 50.0 * 10.0 * 50.0;
    CHECK_NEAR(deck_at(c, c->grid->trans[HP_DIR_I], 2, 2, 2) / (0.5 * half / (50.0 * 50.0)), 1.0, 1e-12);
    CHECK_NEAR(deck_at(c, c->grid->pore_volume, 3, 2, 2) / deck_at(c, c->grid->pore_volume, 1, 1, 1), 1.2, 1e-12);
  }
  hp_case_destroy(&c);
  snprintf(grid, sizeof grid,
           "DX\n 12*100 /\nDY\n 12*50 /\nDZ\n 12*10 /\nTOPS\n 2*2000 2004 2*2000 2004 /\nNEWTRAN\n%s", rock);
  c = deck_case(&d);
  if (c != NULL) CHECK(c->grid->connection.count == 2);
  hp_case_destroy(&c);
  snprintf(grid, sizeof grid,
           "DX\n 11*100 90 /\nDY\n 12*50 /\nDZ\n 12*10 /\nTOPS\n 2*2000 2004 2*2000 2004 /\nNEWTRAN\n%s", rock);
  CHECK(
      deck_fails(&d, deck_line(&d, "NEWTRAN"), "NEWTRAN: cells of neighbouring columns do not line up, and DX varies"));
  snprintf(grid, sizeof grid, "NEWTRAN\nDX\n 12*100 /\nDY\n 12*50 /\nDZ\n 12*10 /\nTOPS\n 6*2000 /\n%s", rock);
  c = deck_case(&d);
  hp_case_destroy(&c);
}

static void test_multipliers(void) {
  deck d = deck_with_rock(
      "PORO\n 12*0.25 /\nPERMX\n 12*100 /\nPERMY\n 12*100 /\nPERMZ\n 12*10 /\n"
      "MULTX\n 2 11*1 /\nMULTX-\n 1 3 10*1 /\nMULTZ\n 0 11*1 /\nMULTPV\n 5 11* /\n");
  d.edit = "EQUALS\n MULTY 0.5 1 1 1 1 1 1 /\n/\n";
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  const hp_grid *g = c->grid;
  const double tx = 100.0 * MILLIDARCY * 500.0 / 100.0, ty = 100.0 * MILLIDARCY * 1000.0 / 50.0;
  CHECK_NEAR(deck_at(c, g->trans[HP_DIR_I], 1, 1, 1) / tx, 6.0, 1e-12);
  CHECK_NEAR(deck_at(c, g->trans[HP_DIR_I], 2, 1, 1) / tx, 1.0, 1e-12);
  CHECK_NEAR(deck_at(c, g->trans[HP_DIR_J], 1, 1, 1) / ty, 0.5, 1e-12);
  CHECK(deck_at(c, g->trans[HP_DIR_K], 1, 1, 1) == 0.0 && deck_at(c, g->trans[HP_DIR_K], 2, 1, 1) > 0.0);
  CHECK_NEAR(deck_at(c, g->pore_volume, 1, 1, 1), 5.0 * 12500.0, 1e-6);
  CHECK_NEAR(deck_at(c, g->pore_volume, 2, 1, 1), 12500.0, 1e-6);
  CHECK(c->mult[HP_DIR_I] != NULL && c->mult[HP_DIR_J] != NULL && c->mult_pv != NULL && c->given_active != NULL);
  hp_case_destroy(&c);

  /* what EDIT sets multiplies what GRID has left; inside of a section the last word counts */
  d = deck_with_rock(
      "PORO\n 12*0.25 /\nPERMX\n 12*100 /\nPERMY\n 12*100 /\nPERMZ\n 12*10 /\nMULTX\n 12*9 /\nMULTX\n 12*2 /\n"
      "MULTX-\n 12*5 /\nMULTPV\n 12*3 /\n");
  d.edit =
      "MULTX\n 12*7 /\nMULTX\n 12*4 /\nMULTIPLY\n MULTX 0.5 1 1 4* /\n/\nEQUALS\n MULTX- 0.1 3 3 4* /\n MULTPV 2 1 1 "
      "4* /\n/\n"
      "BOX\n 1 1 1 1 2 2 /\nPORV\n 9000 /\nENDBOX\n";
  c = deck_case(&d);
  if (c == NULL) return;
  CHECK_NEAR(deck_at(c, c->grid->trans[HP_DIR_I], 1, 1, 1) / tx, 2.0 * 2.0 * 5.0, 1e-12);
  CHECK_NEAR(deck_at(c, c->grid->trans[HP_DIR_I], 2, 1, 1) / tx, 2.0 * 4.0 * 5.0 * 0.1, 1e-12);
  CHECK_NEAR(deck_at(c, c->grid->pore_volume, 1, 1, 1), 6.0 * 12500.0, 1e-6);
  CHECK_NEAR(deck_at(c, c->grid->pore_volume, 2, 1, 1), 3.0 * 12500.0, 1e-6);
  CHECK_NEAR(deck_at(c, c->grid->pore_volume, 1, 1, 2), 2.0 * 9000.0, 1e-6);
  hp_case_destroy(&c);
  d.edit = "MULTX\n 12*-2 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "EDIT") + 1, "MULTX: cell (1,1,1): -2: must be >= 0"));
}

/* PORV, TRANX, ... in EDIT: set, multiplied, or left as they follow from the cells. */
static void test_edit(void) {
  const double unit = 1e-3 / 86400.0 / 1e5;
  deck d = deck_with_rock(DECK_ROCK "MULTX\n 12*2 /\nMULTPV\n 12*3 /\n");
  d.edit =
      "EQUALS\n TRANX 7 1 1 1 1 1 1 /\n/\nMULTIPLY\n TRANX 0.5 1 2 1 1 1 1 /\n TRANZ 0 2 2 2 2 1 1 /\n/\n"
      "ADD\n TRANX 1 1 1 1 1 1 1 /\n/\nBOX\n 1 1 1 1 1 1 /\nPORV\n 9000 /\nENDBOX\n"
      "MULTIPLY\n PORV 2 1 1 1 2 1 1 /\n/\n";
  hp_case *c = deck_case(&d);
  if (c != NULL) {
    const hp_grid *g = c->grid;
    CHECK_NEAR(deck_at(c, g->trans[HP_DIR_I], 1, 1, 1) / (4.5 * unit), 1.0, 1e-12);
    CHECK_NEAR(deck_at(c, g->trans[HP_DIR_I], 2, 1, 1) / deck_at(c, g->trans[HP_DIR_I], 2, 2, 1), 0.5, 1e-12);
    CHECK_NEAR(deck_at(c, g->trans[HP_DIR_I], 2, 2, 1) / (2.0 * 100.0 * MILLIDARCY * 500.0 / 100.0), 1.0, 1e-12);
    CHECK(deck_at(c, g->trans[HP_DIR_K], 2, 2, 1) == 0.0 && deck_at(c, g->trans[HP_DIR_K], 2, 1, 1) > 0.0);
    CHECK_NEAR(deck_at(c, g->pore_volume, 1, 1, 1), 18000.0, 1e-9);
    CHECK_NEAR(deck_at(c, g->pore_volume, 1, 2, 1), 2.0 * 3.0 * 12500.0, 1e-9);
    CHECK_NEAR(deck_at(c, g->pore_volume, 1, 1, 2), 3.0 * 12500.0, 1e-9);
  }
  hp_case_destroy(&c);

  d = deck_with_rock(DECK_ROCK);
  d.edit = "BOX\n 1 1 1 1 1 1 /\nPORV\n 9000 /\nENDBOX\nMULTPV\n 12*2 /\n";
  c = deck_case(&d);
  if (c != NULL) {
    CHECK_NEAR(deck_at(c, c->grid->pore_volume, 1, 1, 1), 18000.0, 1e-9);
    CHECK_NEAR(deck_at(c, c->grid->pore_volume, 2, 1, 1), 25000.0, 1e-9);
  }
  hp_case_destroy(&c);
  d.edit = "COPY\n TRANX TRANY /\n/\n";
  CHECK(deck_fails(&d, deck_line(&d, " TRANX TRANY /"), "what follows from the cells cannot be copied"));
  d.edit = "MULTX\n 12*2 /\nTRANX\n 12*1 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "MULTX"), "MULTX and TRANX are both in EDIT"));
  d.edit = "TRANX\n 11*1 -1 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "TRANX"), "TRANX: cell (3,2,2): -1 cP.rm3/day/bar: must be >= 0"));
}

/* ADD, MINVALUE, MAXVALUE of what follows from the cells, in any order, between MULTIPLY and EQUALS; by blocks and by
 * the same cells' corners. */
static void test_edit_computed(void) {
  static char corners[4096];
  const double unit = 1e-3 / 86400.0 / 1e5;
  const double ty = 100.0 * MILLIDARCY * 1000.0 / 50.0 / unit; /* of the deck */
  size_t n = (size_t)snprintf(corners, sizeof corners, "COORD\n");
  for (int j = 0; j <= 2; ++j)
    for (int i = 0; i <= 3; ++i)
      n += (size_t)snprintf(corners + n, sizeof corners - n, " %d %d 0 %d %d 4000\n", 100 * i, 50 * j, 100 * i, 50 * j);
  snprintf(corners + n, sizeof corners - n,
           "/\nZCORN\n 24*2000 24*2010 24*2010 24*2020 /\n" DECK_ROCK "MULTY\n 12*2 /\n");
  for (int by_corners = 0; by_corners < 2; ++by_corners) {
    deck d = deck_with_rock(DECK_ROCK "MULTY\n 12*2 /\n");
    if (by_corners) d.grid = corners;
    d.edit =
        "ADD\n TRANY 1 /\n PORV 500 /\n/\nMULTIPLY\n TRANY 3 1 1 4* /\n/\nMAXVALUE\n TRANY 5 2 2 4* /\n/\n"
        "MULTIPLY\n TRANY 2 2 2 4* /\n/\nADD\n TRANY 1 2 2 4* /\n/\nMINVALUE\n TRANY 1000 3 3 1 1 1 1 /\n PORV 13100 1 "
        "1 4* /\n/\n"
        "EQUALS\n TRANY 4 3 3 1 1 2 2 /\n/\nADD\n TRANY 0.5 3 3 1 1 2 2 /\n/\n";
    hp_case *c = deck_case(&d);
    if (c == NULL) return;
    const double *t = c->grid->trans[HP_DIR_J], *tx = c->grid->trans[HP_DIR_I];
    CHECK_NEAR(deck_at(c, t, 1, 1, 1) / unit, (2.0 * ty + 1.0) * 3.0, 1e-9);
    CHECK_NEAR(deck_at(c, t, 2, 1, 1) / unit, 5.0 * 2.0 + 1.0, 1e-9);
    CHECK_NEAR(deck_at(c, t, 3, 1, 1) / unit, 1000.0, 1e-9);
    CHECK_NEAR(deck_at(c, t, 3, 1, 2) / unit, 4.5, 1e-9);
    CHECK(deck_at(c, t, 1, 2, 1) == 0.0); /* there is no face */
    CHECK_NEAR(deck_at(c, tx, 1, 1, 1) / (100.0 * MILLIDARCY * 500.0 / 100.0), 1.0, 1e-12);
    CHECK_NEAR(deck_at(c, c->grid->pore_volume, 1, 1, 1), 13100.0, 1e-6);
    CHECK_NEAR(deck_at(c, c->grid->pore_volume, 2, 1, 1), 13000.0, 1e-6);
    hp_case_destroy(&c);
    d.edit = "ADD\n TRANY -1000 2 2 4* /\n/\n";
    CHECK(deck_fails(&d, deck_line(&d, " TRANY -1000 2 2 4* /"), "TRANY: cell (2,1,1): -"));
  }
}

/* Arrays from others: every function, by the numbers in the deck's units, in boxes and regions. */
static void test_operate(void) {
  static const struct {
    const char *map;
    double result; /* of PERMX, from 100 mD, a = 2, b = 3; what it was: 7 mD */
  } map[] = {{"MULTA", 203.0},   {"POLY", 7.0 + 2.0 * 1e6}, {"LOG10", 2.0},  {"LOGE", 4.605170185988092},
             {"INV", 0.01},      {"MULTX", 200.0},          {"ADDX", 102.0}, {"COPY", 100.0},
             {"MAXLIM", 2.0},    {"MINLIM", 100.0},         {"MULTP", 2e6},  {"ABS", 100.0},
             {"MULTIPLY", 700.0}};
  char text[512];
  hp_case *c;
  deck d;
  for (size_t n = 0; n < sizeof map / sizeof map[0]; ++n) {
    snprintf(text, sizeof text, DECK_ROCK "EQUALS\n PERMX 7 /\n/\nOPERATE\n PERMX 2 2 4* %s PERMY 2 3 /\n/\n",
             map[n].map);
    d = deck_with_rock(text);
    c = deck_case(&d);
    if (c == NULL) return;
    CHECK_NEAR(deck_at(c, c->grid->perm[HP_DIR_I], 2, 1, 1) / MILLIDARCY, map[n].result, 1e-9 * map[n].result);
    CHECK_NEAR(deck_at(c, c->grid->perm[HP_DIR_I], 1, 1, 1) / MILLIDARCY, 7.0, 1e-9);
    if (strcmp(map[n].map, "COPY") == 0)
      CHECK(deck_at(c, c->grid->perm[HP_DIR_I], 2, 1, 1) == deck_at(c, c->grid->perm[HP_DIR_J], 2, 1, 1));
    hp_case_destroy(&c);
  }
  d = deck_with_rock(DECK_ROCK
                     "OPERNUM\n 6*1 6*2 /\nMULTNUM\n 3*5 9*6 /\nOPERATER\n PERMX 2 SLOG PORO 1 4 /\n"
                     "PERMY 5 MULTA PORO 200 1 MULTNUM /\n/\nCOPY\n PORO NTG /\n PERMX DZ 1 1 1 1 1 1 /\n/\n"
                     "COPYREG\n PERMZ PERMY 6 /\n/\n");
  c = deck_case(&d);
  if (c == NULL) return;
  CHECK_NEAR(deck_at(c, c->grid->perm[HP_DIR_I], 1, 1, 2) / MILLIDARCY, 100.0, 1e-9); /* 10^(1 + 4 * 0.25) */
  CHECK_NEAR(deck_at(c, c->grid->perm[HP_DIR_J], 1, 1, 1) / MILLIDARCY, 51.0, 1e-9);
  CHECK_NEAR(deck_at(c, c->grid->perm[HP_DIR_J], 1, 2, 1) / MILLIDARCY, 10.0, 1e-9);
  CHECK_NEAR(deck_at(c, c->grid->ntg, 1, 1, 1), 0.25, 1e-12);
  CHECK_NEAR(deck_at(c, c->grid->dz, 1, 1, 1), 100.0, 1e-9);
  hp_case_destroy(&c);
  d = deck_with_rock(DECK_ROCK "EQUALS\n MULTZ 0 1 1 1 1 1 1 /\n/\nOPERATE\n PERMX 6* LOG10 MULTZ /\n/\n");
  CHECK(deck_fails(&d, deck_line(&d, " PERMX 6* LOG10 MULTZ /"),
                   "MULTZ is 0 in cell (1,1,1): the result is not a number"));
  d = deck_with_rock(DECK_ROCK "OPERATE\n PERMX 6* SQRT PORO /\n/\n");
  CHECK(deck_fails(&d, deck_line(&d, " PERMX 6* SQRT PORO /"), "item 8 (operation): 'SQRT' is not supported"));
  d = deck_with_rock(DECK_ROCK "OPERATER\n PERMX 2 SLOG PORO 1 4 /\n/\n");
  CHECK(deck_fails(&d, deck_line(&d, " PERMX 2 SLOG PORO 1 4 /"), "OPERNUM must be given before"));
  /* inactive cells without a value */
  d = deck_with_rock(
      "ACTNUM\n 0 11*1 /\nPORO\n 1* 11*0.25 /\nPERMX\n 12*100 /\nPERMY\n 12*100 /\nPERMZ\n 12*10 /\n"
      "OPERATE\n PERMX 6* MULTX PORO 10 /\n/\n");
  c = deck_case(&d);
  if (c != NULL) CHECK_NEAR(deck_at(c, c->grid->perm[HP_DIR_I], 2, 1, 1) / MILLIDARCY, 2.5, 1e-9);
  hp_case_destroy(&c);
}

/* Faults and regions multiply faces once, whichever side names them. */
static void test_faces(void) {
  deck d = deck_with_rock(DECK_ROCK
                          "FAULTS\n A 1 1 1 2 1 1 X /\n A 2 2 2 2 1 1 X- /\n Bb 3 3 2 2 1 2 J- /\n/\n"
                          "MULTFLT\n A 0.5 /\n 'B*' 0.1 /\n/\n");
  hp_case *c = deck_case(&d);
  const double tx = 100.0 * MILLIDARCY * 500.0 / 100.0, ty = 100.0 * MILLIDARCY * 1000.0 / 50.0;
  if (c != NULL) {
    CHECK_NEAR(deck_at(c, c->grid->trans[HP_DIR_I], 1, 1, 1) / tx, 0.5, 1e-12);
    CHECK_NEAR(deck_at(c, c->grid->trans[HP_DIR_I], 1, 2, 1) / tx, 0.5, 1e-12); /* named twice */
    CHECK_NEAR(deck_at(c, c->grid->trans[HP_DIR_I], 1, 1, 2) / tx, 1.0, 1e-12);
    CHECK_NEAR(deck_at(c, c->grid->trans[HP_DIR_J], 3, 1, 2) / ty, 0.1, 1e-12);
    CHECK_NEAR(deck_at(c, c->grid->trans[HP_DIR_J], 2, 1, 2) / ty, 1.0, 1e-12);
  }
  hp_case_destroy(&c);
  d = deck_with_rock(DECK_ROCK "MULTFLT\n A 0.5 /\n/\n");
  CHECK(deck_fails(&d, deck_line(&d, " A 0.5 /"), "no fault 'A'"));

  d = deck_with_rock(DECK_ROCK "FLUXNUM\n 11*1 1.5 /\n");
  CHECK(deck_fails(&d, deck_line(&d, "FLUXNUM"), "FLUXNUM: cell (3,2,2): 1.5: must be a whole number"));
  d = deck_with_rock(DECK_ROCK "AQUNUM\n 3 1 1 1 1E4 100 0.2 100 /\n 3 2 1 1 1E4 100 0.2 100 /\n/\n");
  c = deck_case(&d);
  CHECK(deck_noted("AQUNUM: aquifer 3: no AQUCON connects it: nothing flows from it"));
  hp_case_destroy(&c);
  d = deck_with_rock(DECK_ROCK "GRIDUNIT\n FEET /\n");
  CHECK(deck_fails(&d, deck_line(&d, " FEET /"), "unit of length is m"));
}

/* Factors of the faces i | i+1 of the upper layer, and of the face below cell (2,1,1), against those without. */
static void expect_regions(const char *text, double i1, double i2, double k) {
  static char grid[2048];
  snprintf(grid, sizeof grid,
           DECK_ROCK
           "FLUXNUM\n 1 2 3 1 2 3 6*1 /\nMULTNUM\n 1 2 3 1 2 3 6*1 /\n"
           "OPERNUM\n 8 9 9 8 9 9 6*8 /\nMULTREGT\n%s/\n",
           text);
  const deck d = deck_with_rock(grid);
  hp_case *c = deck_case(&d);
  const double tx = 100.0 * MILLIDARCY * 500.0 / 100.0, ty = 100.0 * MILLIDARCY * 1000.0 / 50.0;
  if (c != NULL) {
    const double *ti = c->grid->trans[HP_DIR_I], *tk = c->grid->trans[HP_DIR_K];
    const bool right = fabs(deck_at(c, ti, 1, 1, 1) / tx - i1) < 1e-12 &&
                       fabs(deck_at(c, ti, 2, 1, 1) / tx - i2) < 1e-12 &&
                       fabs(deck_at(c, tk, 2, 1, 1) / deck_at(c, tk, 1, 1, 1) - k) < 1e-12;
    if (!right) fprintf(stderr, "regions: %s", text);
    CHECK(right);
    CHECK_NEAR(deck_at(c, c->grid->trans[HP_DIR_J], 2, 1, 1) / ty, 1.0, 1e-12);
  }
  hp_case_destroy(&c);
}

/* The last record about two regions counts, whatever it and others say of order, directions and array. */
static void test_between_regions(void) {
  expect_regions(" 1 2 0.5 /\n 2 3 0.2 X ALL F /\n", 0.5, 0.2, 0.5);
  expect_regions(" 1 2 0.5 X /\n 2 1 0.1 Z /\n", 1.0, 1.0, 0.1);
  expect_regions(" 1 2 0.5 /\n 2 3 0.2 X /\n 1 1* 0.1 Z /\n", 1.0, 0.2, 0.1);
  expect_regions(" 1 2 0.5 XYZ ALL F /\n 1 2 0.25 X ALL M /\n", 0.25, 1.0, 1.0);
  expect_regions(" 1 2 0.5 /\n 2 1 0.1 1* NNC /\n", 1.0, 1.0, 1.0);
  expect_regions(" 8 9 0.5 XZ ALL O /\n 1 2 0.25 X ALL F /\n", 0.125, 1.0, 0.5);    /* both arrays count */
  expect_regions(" 8 9 0.5 XZ ALL O /\n 1* 1* 0.25 X ALL F /\n", 0.125, 0.25, 0.5); /* FLUXNUM has no 8 */
  /* a region and itself: also what leads to others, on top of what is said of two */
  expect_regions(" 2 2 0.5 X /\n", 0.5, 0.5, 1.0);
  expect_regions(" 3 3 0.5 /\n 2 3 0.2 X /\n 1 1 0.1 Z /\n", 1.0, 0.1, 1.0);
  expect_regions(" 2 2 0.5 XZ /\n 1 2 0.2 XZ /\n 1 1 0.1 X /\n", 0.01, 0.5, 0.1);
  expect_regions(" 9 9 0.5 XZ ALL O /\n 3 3 0.2 XZ ALL F /\n", 0.5, 0.1, 0.5);
  expect_regions(" 2 2 0.5 XZ ALL F /\n 2 2 0.2 Z ALL M /\n", 1.0, 1.0, 0.2);
  expect_regions(" 2 2 0.5 XYZ NNC /\n", 1.0, 1.0, 1.0);
  deck d = deck_with_rock(DECK_ROCK "MULTREGT\n 1 3 0.5 1* NNC /\n 1 2 0.5 1* ALL M /\n/\nFLUXNUM\n 12*1 /\n");
  CHECK(deck_fails(&d, deck_line(&d, " 1 2 0.5 1* ALL M /"), "MULTREGT: means regions of MULTNUM, which the deck"));
}

static void test_more_operations(void) {
  deck d = deck_with_rock(DECK_ROCK
                          "MULTNUM\n 6*1 6*2 /\nEQUALREG\n PORO 0.1 2 /\n/\nADDREG\n PORO 0.05 1 M /\n/\n"
                          "MULTIREG\n PERMX 3 2 M /\n/\nMINVALUE\n PERMX 200 1 1 4* /\n/\nMAXVALUE\n PERMX 250 /\n/\n");
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  CHECK_NEAR(deck_at(c, c->grid->porosity, 1, 1, 1), 0.3, 1e-12);
  CHECK_NEAR(deck_at(c, c->grid->porosity, 1, 1, 2), 0.1, 1e-12);
  CHECK_NEAR(deck_at(c, c->grid->perm[HP_DIR_I], 1, 1, 1) / MILLIDARCY, 200.0, 1e-9);
  CHECK_NEAR(deck_at(c, c->grid->perm[HP_DIR_I], 2, 1, 1) / MILLIDARCY, 100.0, 1e-9);
  CHECK_NEAR(deck_at(c, c->grid->perm[HP_DIR_I], 2, 1, 2) / MILLIDARCY, 250.0, 1e-9);
  hp_case_destroy(&c);
  d = deck_with_rock(DECK_ROCK "MULTIREG\n PERMX 3 2 F /\n/\n");
  CHECK(deck_fails(&d, deck_line(&d, " PERMX 3 2 F /"), "FLUXNUM must be given before"));
}

static void test_active(void) {
  /* Inactive cells need no rock; a cell below MINPV is off. */
  deck d = deck_with_rock(
      "ACTNUM\n 0 11*1 /\nPORO\n 1* 10*0.25 0.001 /\nPERMX\n 1* 11*100 /\nPERMY\n 1* 11*100 /\n"
      "PERMZ\n 1* 11*10 /\nMINPV\n 100 /\n");
  d.schedule = "TSTEP\n 1 /\n";
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  CHECK(c->grid->nactive == 10 && c->minpv == 100.0 && c->given_active != NULL);
  CHECK(!c->grid->active[hp_grid_cell(c->grid, 0, 0, 0)] && !c->grid->active[hp_grid_cell(c->grid, 2, 1, 1)]);
  CHECK(c->given_active[hp_grid_cell(c->grid, 2, 1, 1)] == 1 && c->nwell == 0 && c->nevent == 0);
  hp_case_destroy(&c);
}

static void test_units(void) {
  deck d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nFIELD\n";
  hp_case *c = deck_case(&d);
  if (c != NULL) {
    CHECK_NEAR(c->grid->dx[0], 30.48, 1e-9);
    CHECK_NEAR(c->initial.region[0].datum_pressure, 200.0 * 6894.757293168, 1e-3);
    CHECK_NEAR(c->fluid.pvt[0][HP_OIL].density, 800.0 * 16.01846337, 1e-6);
    CHECK_NEAR(c->event[0].control.limit[HP_CONTROL_WRAT], 50.0 * 0.158987294928 / 86400.0, 1e-12);
    CHECK_NEAR(c->well[0].perf[0].radius, 0.1 * 0.3048, 1e-12);
    CHECK(strcmp(c->start, "1983-01-01") == 0 && c->title == NULL);
  }
  hp_case_destroy(&c);
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nLAB\n";
  c = deck_case(&d);
  if (c != NULL) {
    CHECK_NEAR(c->grid->dx[0], 1.0, 1e-12);
    CHECK_NEAR(c->initial.region[0].datum_pressure, 200.0 * 101325.0, 1e-3);
    CHECK_NEAR(c->report[0], 10.0 * 3600.0, 1e-9);
    CHECK_NEAR(c->event[0].control.limit[HP_CONTROL_WRAT], 50.0 * 1e-6 / 3600.0, 1e-18);
  }
  hp_case_destroy(&c);
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nLAB\nFIELD\n";
  CHECK(deck_fails(&d, 7, "the units are lab already"));
}

static void test_files(void) {
  deck d = deck_base();
  char folder[200];
  snprintf(folder, sizeof folder, "%s/Sub", deck_folder());
  CHECK(mkdir(folder, 0777) == 0);
  deck_write("Sub/rock.inc", "PORO\n 12*0.15 /\nENDINC\nthis is not read\n");
  deck_write("perm.INC", "PERMX\n 12*100 /\nPERMY\n 12*100 /\nPERMZ\n 12*10 /\n");
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nPATHS\n 'HERE' 'sub' /\n/\n";
  static char grid[1024];
  snprintf(grid, sizeof grid, "%sINCLUDE\n '$HERE/ROCK.INC' /\nINCLUDE\n Perm.inc/\nSKIP\n PORO nonsense\n'\nENDSKIP\n",
           DECK_SIZES);
  d.grid = grid;
  hp_case *c = deck_case(&d);
  if (c != NULL) CHECK_NEAR(c->grid->porosity[0], 0.15, 1e-15);
  hp_case_destroy(&c);
  snprintf(grid, sizeof grid, "%sINCLUDE\n 'sub\\ROCK.inc' /\nINCLUDE\n perm.inc /\n", DECK_SIZES);
  c = deck_case(&d);
  hp_case_destroy(&c);
  snprintf(grid, sizeof grid, "%sINCLUDE\n 'none.inc' /\n", DECK_SIZES);
  CHECK(deck_fails(&d, deck_line(&d, " 'none.inc' /"), "INCLUDE: none.inc: no such file"));
  snprintf(grid, sizeof grid, "%sINCLUDE\n '$THERE/none.inc' /\n", DECK_SIZES);
  CHECK(deck_fails(&d, deck_line(&d, " '$THERE/none.inc' /"), "$THERE: no such alias"));
  deck_write("loop.inc", "INCLUDE\n 'loop.inc' /\n");
  snprintf(grid, sizeof grid, "%sINCLUDE\n 'loop.inc' /\n", DECK_SIZES);
  CHECK(deck_fails(&d, 2, "the file includes itself"));
}

/* hepta reads as Eclipse 100 does: SKIP100 skips, SKIP300 does not. */
static void test_skip(void) {
  deck d = deck_base();
  static char grid[2048];
  snprintf(grid, sizeof grid, "%sskip100\nPORO\n 12*0.1 /\nENDSKIP  text\nSKIP300\nporo\n 12*0.2 /\nendskip\n", d.grid);
  d.grid = grid;
  hp_case *c = deck_case(&d);
  if (c != NULL) CHECK(c->grid->porosity[0] == 0.2);
  hp_case_destroy(&c);
}

/* OPERNUM numbers cells for EQUALREG and the like, also behind GRID. */
static void test_opernum(void) {
  deck d = deck_base();
  static char grid[2048];
  snprintf(grid, sizeof grid, "%sOPERNUM\n 6*1 6*2 /\nEQUALREG\n PORO 0.1 2 O /\n/\nMULTIREG\n PERMX 3 1 O /\n/\n",
           d.grid);
  d.grid = grid;
  hp_case *c = deck_case(&d);
  if (c != NULL) {
    const int64_t upper = hp_grid_cell(c->grid, 1, 1, 0), lower = hp_grid_cell(c->grid, 1, 1, 1);
    CHECK(c->grid->porosity[upper] == 0.25 && c->grid->porosity[lower] == 0.1);
    CHECK_NEAR(c->grid->perm[HP_DIR_I][upper], 3.0 * c->grid->perm[HP_DIR_I][lower], 1e-25);
  }
  hp_case_destroy(&c);
}

/* Sizes and depths that are given in two ways, one over the other; DEPTHZ; ACTNUM in EDIT; MINPVV; a section's name twice. */
static void test_habits(void) {
  deck d = deck_base();
  d.grid =
      "DXV\n 3*100 /\nDYV\n 2*50 /\nDZV\n 2*10 /\nDEPTHZ\n 12*2000 /\nGRID\nEQUALS\n DX 80 2 2 1 2 1 2 /\n/\n"
      "MULTIPLY\n DZ 2 3* 1* 2 2 /\n/\n" DECK_ROCK;
  d.edit = "ACTNUM\n 0 11*1 /\n";
  hp_case *c = deck_case(&d);
  if (c != NULL) {
    CHECK(deck_at(c, c->grid->dx, 2, 2, 2) == 80.0 && deck_at(c, c->grid->dx, 3, 2, 2) == 100.0);
    CHECK(deck_at(c, c->grid->dz, 1, 1, 2) == 20.0 && deck_at(c, c->grid->depth, 1, 1, 2) == 2020.0);
    CHECK(deck_at(c, c->grid->depth, 3, 2, 1) == 2005.0 && c->grid->nactive == 11 && !c->grid->active[0]);
    CHECK(deck_noted("GRID: the section has begun already") && deck_noted("ACTNUM counts in EDIT as in GRID"));
  }
  hp_case_destroy(&c);
  /* 12,500 m3 a cell */
  d = deck_with_rock(DECK_ROCK "MINPVV\n 12*100 /\n");
  c = deck_case(&d);
  if (c != NULL) CHECK(c->minpv == 100.0 && c->grid->nactive == 12);
  hp_case_destroy(&c);
  d = deck_with_rock(DECK_ROCK "MULTPV\n 6*1 6*0.5 /\nMINPORV\n 7000 /\nMINPVV\n 6*12000 4* 6000 0 /\n");
  c = deck_case(&d);
  if (c != NULL) {
    CHECK(c->grid->nactive == 7); /* the lower ones are below MINPORV, but for one */
    CHECK(c->grid->active[hp_grid_cell(c->grid, 1, 1, 1)] && !c->grid->active[hp_grid_cell(c->grid, 2, 1, 1)]);
  }
  hp_case_destroy(&c);
}

int main(void) {
  test_habits();
  test_skip();
  test_opernum();
  test_base();
  test_order();
  test_operations();
  test_defaults_in_arrays();
  test_geometry();
  test_multipliers();
  test_edit();
  test_edit_computed();
  test_operate();
  test_faces();
  test_between_regions();
  test_more_operations();
  test_active();
  test_units();
  test_files();
  return deck_end();
}
