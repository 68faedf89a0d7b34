/* Corner points of Eclipse decks: cells from pillars, connections across faults and pinched-out cells, and what multiplies,
 * gives and edits them. */
#define _POSIX_C_SOURCE 200809L
#include "tests/support/eclipse_deck.h"

#define MILLIDARCY 9.869232667160e-16

/* The base grid by its corners is the grid of blocks; sheared layers keep their volume. */
static void test_corners(void) {
  static char grid[8192], coord[2048];
  size_t n = (size_t)snprintf(coord, sizeof coord, "COORD\n");
  for (int j = 0; j <= 2; ++j)
    for (int i = 0; i <= 3; ++i)
      n += (size_t)snprintf(coord + n, sizeof coord - n, " %d %d 0 %d %d 4000\n", 100 * i, 50 * j, 100 * i, 50 * j);
  deck d = deck_base();
  d.grid = grid;
  snprintf(grid, sizeof grid, "%s/\nZCORN\n 24*2000 24*2010 24*2010 24*2020 /\n" DECK_ROCK, coord);
  hp_case *c = deck_case(&d);
  const deck blocks = deck_with_rock(DECK_ROCK);
  hp_case *b = deck_case(&blocks);
  if (c != NULL && b != NULL) {
    CHECK(c->rectilinear && c->grid->nactive == 12);
    for (int64_t m = 0; m < 12; ++m) {
      CHECK_NEAR(c->grid->pore_volume[m], b->grid->pore_volume[m], 1e-6);
      CHECK_NEAR(c->grid->depth[m], b->grid->depth[m], 1e-9);
      CHECK_NEAR(c->grid->dx[m], 100.0, 1e-9);
      CHECK_NEAR(c->grid->dz[m], 10.0, 1e-9);
      for (int a = 0; a < HP_DIRS; ++a)
        CHECK_NEAR(c->grid->trans[a][m], b->grid->trans[a][m], 1e-9 * b->grid->trans[HP_DIR_K][0]);
    }
  }
  hp_case_destroy(&c);
  hp_case_destroy(&b);
  /* a dip of 30 m a cell along i: the volume stays, the faces along i are as far apart as the dip makes them */
  snprintf(grid, sizeof grid, "%s/\nZCORN\n", coord);
  for (int k = 0; k < 4; ++k)
    for (int row = 0; row < 4; ++row) {
      const int z = 2000 + 10 * ((k + 1) / 2);
      snprintf(grid + strlen(grid), sizeof grid - strlen(grid), " %d %d %d %d %d %d\n", z, z + 30, z + 30, z + 60,
               z + 60, z + 90);
    }
  snprintf(grid + strlen(grid), sizeof grid - strlen(grid), "/\n" DECK_ROCK);
  c = deck_case(&d);
  if (c != NULL) {
    CHECK_NEAR(deck_at(c, c->grid->pore_volume, 2, 1, 1), 12500.0, 1e-6);
    CHECK_NEAR(deck_at(c, c->grid->depth, 2, 1, 1), 2050.0, 1e-9);
    /* A.d/d.d with A = 500 m2 along x, d = (50, 0, 15) m */
    const double h = 500.0 * 50.0 / (50.0 * 50.0 + 15.0 * 15.0);
    CHECK_NEAR(deck_at(c, c->grid->trans[HP_DIR_I], 1, 1, 1) / (100.0 * MILLIDARCY * 0.5 * h), 1.0, 1e-12);
    CHECK(deck_messages[0] == '\0' || strstr(deck_messages, "TOPS have steps") == NULL);
  }
  hp_case_destroy(&c);
  snprintf(grid, sizeof grid, "%s/\nZCORN\n 24*2000 24*2012 24*2010 24*2020 /\n" DECK_ROCK, coord);
  c = deck_case(&d); /* an overlap: the lower cell begins where the upper one ends */
  CHECK(deck_noted(
      "ZCORN: 24 corners lie above the one before, the first of cell (1,1,2), by at most 2 m: moved down to it"));
  if (c != NULL) {
    CHECK_NEAR(deck_at(c, c->grid->dz, 1, 1, 1), 12.0, 1e-9);
    CHECK_NEAR(deck_at(c, c->grid->dz, 1, 1, 2), 8.0, 1e-9);
  }
  hp_case_destroy(&c);
  snprintf(grid, sizeof grid, "%s/\nZCORN\n 24*2000 2011 23*2010 2009 23*2010 24*2020 /\n" DECK_ROCK, coord);
  c = deck_case(&d);
  CHECK(deck_noted("ZCORN: 1 corner lies above the one before, the first of cell (1,1,2), by at most 2 m"));
  hp_case_destroy(&c);
  snprintf(grid, sizeof grid, "%s/\nZCORN\n 24*2010 24*2000 24*2010 24*2020 /\n" DECK_ROCK, coord);
  CHECK(deck_fails(&d, deck_line(&d, "ZCORN"), "cell (1,1,1): its bottom lies 10 m above its top"));
  snprintf(grid, sizeof grid, "%s/\n" DECK_ROCK, coord);
  CHECK(deck_fails(&d, 0, "ZCORN is missing beside COORD"));
  snprintf(grid, sizeof grid, "%s/\nZCORN\n 24*2000 24*2010 24*2010 24*2020 /\nDX\n 12*100 /\n" DECK_ROCK, coord);
  CHECK(deck_fails(&d, deck_line(&d, "DX"), "DX and COORD are both given"));
}

/* Cells 1..3 of a row and 1..2 below, of 100 x 50 x 10 m; the columns 2 and 3 lie 4 m deeper, the lower cell of column 3
 * is flat. */
/* A layer whose corners meet has no volume, not that of rounding, which the units of LAB would take for a cell. */
static void test_flat_cells(void) {
  static char grid[8192];
  size_t n = (size_t)snprintf(grid, sizeof grid, "COORD\n");
  for (int j = 0; j <= 2; ++j)
    for (int i = 0; i <= 3; ++i)
      n += (size_t)snprintf(grid + n, sizeof grid - n, " %.2f %.2f 200000 %.2f %.2f 210000\n", 45678912.3 + 5337.0 * i,
                            598765432.1 + 4777.0 * j, 45681912.3 + 5337.0 * i, 598767432.1 + 4777.0 * j);
  n += (size_t)snprintf(grid + n, sizeof grid - n, "/\nZCORN\n");
  for (int k = 0; k < 4; ++k)
    for (int row = 0; row < 4; ++row)
      for (int i = 0; i < 6; ++i)
        n += (size_t)snprintf(grid + n, sizeof grid - n, " %d",
                              201000 + 500 * (k > 0) + 170 * ((i + 1) / 2) + 90 * row);
  snprintf(grid + n, sizeof grid - n, " /\n" DECK_ROCK);
  deck d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nLAB\n";
  d.grid = grid;
  d.props =
      "DENSITY\n 0.8 1 0.001 /\nPVTW\n 200 1.0 4E-5 0.5 0 /\nPVCDO\n 200 1.1 1E-4 2.0 0 /\n"
      "SWOF\n 0.2 0 1 0\n 0.8 0.5 0 0 /\n";
  d.solution = "EQUIL\n 201000 200 300000 0 /\n";
  d.schedule = "TSTEP\n 1 /\n";
  hp_case *c = deck_case(&d);
  CHECK(c != NULL && c->grid->nactive == 6);
  hp_case_destroy(&c);
}

static const char faulted[] =
    "COORD\n 0 0 0 0 0 9 100 0 0 100 0 9 200 0 0 200 0 9 300 0 0 300 0 9\n"
    " 0 50 0 0 50 9 100 50 0 100 50 9 200 50 0 200 50 9 300 50 0 300 50 9 /\n"
    "ZCORN\n 2*2000 4*2004 2*2000 4*2004 2*2010 4*2014 2*2010 4*2014\n"
    " 2*2010 4*2014 2*2010 4*2014 2*2020 2*2024 2*2014 2*2020 2*2024 2*2014 /\n"
    "PORO\n 6*0.25 /\nPERMX\n 6*100 /\nPERMY\n 6*100 /\nPERMZ\n 6*100 /\n";

/* The transmissibility of two cells that are connected without being neighbours, per that of a whole face; 0: none. */
static double connection(const hp_case *c, const int a[3], const int b[3]) {
  const hp_grid_connections *list = &c->grid->connection;
  const int64_t from = hp_grid_cell(c->grid, a[0] - 1, a[1] - 1, a[2] - 1);
  const int64_t to = hp_grid_cell(c->grid, b[0] - 1, b[1] - 1, b[2] - 1);
  for (int64_t n = 0; n < list->count; ++n)
    if (list->a[n] == from && list->b[n] == to) return list->trans[n] / (100.0 * MILLIDARCY * 500.0 / 100.0);
  return 0.0;
}

static hp_case *read_faulted(const char *more, const char *edit) {
  static char grid[4096];
  deck d = deck_base();
  snprintf(grid, sizeof grid, "%s%s%s%s", faulted, more, edit[0] != '\0' ? "EDIT\n" : "", edit);
  d.runspec = "DIMENS\n 3 1 2 /\nOIL\nWATER\n";
  d.grid = grid;
  d.schedule = "TSTEP\n 1 /\n";
  return deck_case(&d);
}

/* Faults, and all that multiplies, gives and edits their connections. */
static void test_connections(void) {
  static const int cell[4][3] = {{1, 1, 1}, {1, 1, 2}, {2, 1, 1}, {3, 1, 1}};
  static const struct {
    const char *more, *edit;
    double fault, neighbour; /* (1,1,2)-(2,1,1), (1,1,1)-(2,1,1) */
  } table[] = {{"", "", 0.4, 0.6},
               {"MULTX\n 3* 0.5 2* /\n", "", 0.2, 0.6},
               {"MULTX-\n 1* 0.5 4* /\n", "", 0.2, 0.3},
               {"MULTX\n 3* 0.5 2* /\n", "MULTX\n 3* 0.5 2* /\n", 0.1, 0.6},
               {"FAULTS\n A 1 1 1 1 2 2 X /\n B 2 2 1 1 1 1 I- /\n/\nMULTFLT\n A 0.5 /\n/\n", "", 0.2, 0.6},
               {"FAULTS\n A 1 1 1 1 1 2 X /\n A 2 2 1 1 1 1 X- /\n/\n", "MULTFLT\n A 0.5 /\n/\n", 0.2, 0.3},
               {"FAULTS\n A 1 1 1 1 1 2 X /\n/\nMULTFLT\n A 0.1 /\n A 0.5 /\n/\n", "MULTFLT\n A 0.1 /\n A 0.4 /\n/\n",
                0.08, 0.12},
               {"FLUXNUM\n 1 2 2 1 2 2 /\nMULTREGT\n 1 2 0.5 /\n/\n", "", 0.2, 0.3},
               {"FLUXNUM\n 1 2 2 1 2 2 /\nMULTREGT\n 1 2 0.5 X NNC /\n/\n", "", 0.2, 0.6},
               {"FLUXNUM\n 1 2 2 1 2 2 /\nMULTREGT\n 1 2 0.5 X NONNC /\n/\n", "", 0.4, 0.3},
               {"FLUXNUM\n 1 2 2 1 2 2 /\nMULTREGT\n 1 2 0.5 YZ /\n/\n", "", 0.4, 0.6},
               {"FLUXNUM\n 6*1 /\nMULTREGT\n 1 1 0.5 X NNC /\n/\n", "", 0.2, 0.6},
               {"FLUXNUM\n 1 2 2 1 2 2 /\nMULTREGT\n 1 2 0.5 /\n 2 2 0.5 X NONNC /\n/\n", "", 0.2, 0.15},
               {"", "EDITNNC\n 1 1 2 2 1 1 0.5 /\n/\n", 0.2, 0.6},
               {"", "EDITNNC\n 2 1 1 1 1 2 0.5 /\n 2 1 1 1 1 2 0.5 /\n/\n", 0.1, 0.6},
               {"NNC\n 2 1 1 1 1 2 1 /\n 1 1 2 2 1 1 2 /\n/\n", "EDITNNCR\n 1 1 2 2 1 1 0 /\n/\n", 0.0, 0.6},
               {"MULTX\n 0.5 5* /\n", "EDITNNC\n 2 1 1 1 1 1 0.5 /\n 1 1 1 2 1 1 0.5 /\n/\n", 0.4, 0.075},
               {"NNC\n 1 1 1 2 1 1 5 /\n/\n", "EDITNNCR\n 1 1 1 2 1 1 0 /\n/\n", 0.4, 0.0}};
  for (size_t n = 0; n < sizeof table / sizeof table[0]; ++n) {
    hp_case *c = read_faulted(table[n].more, table[n].edit);
    if (c == NULL) continue;
    CHECK_NEAR(connection(c, cell[1], cell[2]), table[n].fault, 1e-12);
    CHECK_NEAR(deck_at(c, c->grid->trans[HP_DIR_I], 1, 1, 1) / (100.0 * MILLIDARCY * 500.0 / 100.0), table[n].neighbour,
               1e-12);
    CHECK(c->grid->nactive == 5 && !c->grid->active[hp_grid_cell(c->grid, 2, 0, 1)]);
    CHECK(connection(c, cell[0], cell[3]) == 0.0);
    hp_case_destroy(&c);
  }
}

/* Regions that the deck does not have are reported once, though faces and connections ask for them. */
static void test_no_regions(void) {
  static char grid[4096];
  deck d = deck_base();
  snprintf(grid, sizeof grid, "%sMULTREGT\n 1 2 0.5 /\n/\n", faulted);
  d.runspec = "DIMENS\n 3 1 2 /\nOIL\nWATER\n";
  d.grid = grid;
  d.schedule = "TSTEP\n 1 /\n";
  CHECK(deck_fails(&d, deck_line(&d, " 1 2 0.5 /"), "MULTREGT: means regions of FLUXNUM, which the deck"));
  const char *first = strstr(deck_messages, "means regions");
  CHECK(first != NULL && strstr(first + 1, "means regions") == NULL);
}

/* NNC adds: to what a fault has, to neighbours, to what it has given before; not to cells that are not active. */
static void test_given_connections(void) {
  static const int cell[4][3] = {{1, 1, 1}, {1, 1, 2}, {2, 1, 1}, {3, 1, 1}};
  const double day = 86400.0, one = 1e-3 / day / 1e5 / (100.0 * MILLIDARCY * 500.0 / 100.0); /* cP rm3/day/bar */
  hp_case *c = read_faulted(
      "NNC\n 3 1 1 1 1 1 2 /\n 1 1 1 3 1 1 3 /\n 1 1 2 2 1 1 4 /\n 1 1 1 2 1 1 5 /\n 1 1 1 3 1 2 6 /\n/\n", "");
  if (c != NULL) {
    CHECK(c->grid->connection.count == 2);
    CHECK_NEAR(connection(c, cell[0], cell[3]), 5.0 * one, 1e-12);
    CHECK_NEAR(connection(c, cell[1], cell[2]), 0.4 + 4.0 * one, 1e-12);
    CHECK_NEAR(deck_at(c, c->grid->trans[HP_DIR_I], 1, 1, 1) / (100.0 * MILLIDARCY * 500.0 / 100.0), 0.6 + 5.0 * one,
               1e-12);
  }
  hp_case_destroy(&c);
  c = read_faulted("", "EDITNNC\n 1 1 1 3 1 1 2 /\n/\n");
  CHECK(deck_noted("1 record of EDITNNC and EDITNNCR, from this one on, names cells that are not connected"));
  hp_case_destroy(&c);
}

/* A column of three cells, whose sizes `size` says: what connects the first and the last one, per PERMZ area / distance; 0: nothing. */
static double across_cells(const char *size, const char *more) {
  static char grid[1024];
  deck d = deck_base();
  d.runspec = "DIMENS\n 1 1 3 /\nOIL\nWATER\n";
  snprintf(grid, sizeof grid, "%sPORO\n 3*0.2 /\nPERMX\n 3*100 /\nPERMY\n 3*100 /\nPERMZ\n 3*10 /\n%s", size, more);
  d.grid = grid;
  d.schedule = "TSTEP\n 1 /\n";
  hp_case *c = deck_case(&d);
  double trans = 0.0;
  if (c != NULL && c->grid->connection.count == 1 && c->grid->connection.a[0] == 0 && c->grid->connection.b[0] == 2)
    trans = c->grid->connection.trans[0] / (10.0 * MILLIDARCY * 5000.0 / 10.0);
  hp_case_destroy(&c);
  return trans;
}

static double across(const char *dz, const char *more) {
  char size[256];
  snprintf(size, sizeof size, "DX\n 3*100 /\nDY\n 3*50 /\nDZ\n %s /\nTOPS\n 2000 /\n", dz);
  return across_cells(size, more);
}

/* By its corners, with `thin` the size of the middle cell. */
static double across_corners(double thin, const char *more) {
  const double below = 2010.0 + thin;
  char size[512];
  snprintf(size, sizeof size,
           "COORD\n 0 0 0 0 0 9 100 0 0 100 0 9 0 50 0 0 50 9 100 50 0 100 50 9 /\n"
           "ZCORN\n 4*2000 8*2010 8*%.17g 4*%.17g /\n",
           below, below + 10.0);
  return across_cells(size, more);
}

/* Cells without thickness and with next to none, beside a threshold that is next to nothing, too. */
static void test_thin_cells(void) {
  static const char *const more[] = {"PINCH\n 1e-7 NOGAP /\nMINPV\n 1 /\n",
                                     "PINCH\n 1e-7 NOGAP 1* ALL /\nMINPV\n 1 /\n", "PINCH\n 1e-7 /\nACTNUM\n 1 0 1 /\n",
                                     "PINCH\n 0 NOGAP /\nMINPV\n 1 /\n"};
  for (int n = 0; n < 4; ++n) {
    CHECK_NEAR(across("10 0 10", more[n]), 1.0, 1e-12);
    CHECK_NEAR(across_corners(0.0, more[n]), 1.0, 1e-12);
    CHECK_NEAR(across_corners(5e-8, more[n]), n < 3 ? 1.0 : 0.0, 1e-6);
    CHECK(across_corners(1e-6, more[n]) == 0.0);
  }
}

/* PINCH and its items: thickness, GAP, largest gap, transmissibility, multipliers. */
static void test_pinch(void) {
  CHECK(across("3*10", "PINCH\n 0.001 GAP /\n") == 0.0);
  CHECK(across("3*10", "PINCH\n /\nACTNUM\n 1 1 0 /\n") == 0.0);
  CHECK(across("3*10", "PINCH\n /\nACTNUM\n 1 0 1 /\n") == 0.0);
  CHECK_NEAR(across("10 0.1 10", "PINCH\n 0.2 /\nACTNUM\n 1 0 1 /\n"), 1.0, 1e-12);
  CHECK(across("10 0.1 10", "ACTNUM\n 1 0 1 /\n") == 0.0);
  CHECK_NEAR(across("10 0.1 10", "MINPV\n 500 /\nPINCH\n /\n"), 1.0, 1e-12);
  CHECK(across("10 0.1 10", "MINPV\n 500 /\n") == 0.0);
  CHECK(across("10 0.1 10", "MINPV\n 500 /\nPINCH\n 0.001 NOGAP /\n") == 0.0);
  CHECK_NEAR(across("10 0.1 10", "MINPV\n 500 /\nPINCH\n 0.2 NOGAP /\n"), 1.0, 1e-12);
  CHECK(across("10 0.1 10", "MINPV\n 500 /\nPINCH\n 1* GAP 0.05 /\n") == 0.0);
  CHECK_NEAR(across("10 0.1 10", "MINPV\n 500 /\nPINCH\n 1* GAP 0.15 /\n"), 1.0, 1e-12);
  CHECK_NEAR(across("10 0.1 10", "MINPV\n 500 /\nPINCH\n 3* ALL /\n"), 10.0 / 10.1, 1e-12);
  CHECK(across("10 0.1 10", "MINPV\n 500 /\nPERMZ\n 10 0 10 /\nPINCH\n 3* ALL /\n") == 0.0);
  CHECK_NEAR(across("10 0.1 10", "MINPV\n 500 /\nPINCH\n /\nMULTZ\n 0.5 0.1 1 /\nMULTZ-\n 1 1 0.8 /\n"), 0.4, 1e-12);
  CHECK_NEAR(across("10 0.1 10", "MINPV\n 500 /\nPINCH\n 4* ALL /\nMULTZ\n 0.5 0.1 1 /\nMULTZ-\n 1 1 0.8 /\n"), 0.08,
             1e-12);
}

/* MULTREGT of the faces between the first cell and the second multiplies the connection that is of the first and the last, but
 * only its face in the series of all. */
static void test_pinched_regions(void) {
  static const double factor[] = {1.0, 0.1, 0.0};
  for (int n = 0; n < 3; ++n) {
    char more[200];
    for (int all = 0; all < 2; ++all) {
      snprintf(more, sizeof more, "MINPV\n 500 /\nPINCH\n %s /\nFLUXNUM\n 1 2 2 /\nMULTREGT\n 1 2 %g /\n/\n",
               all ? "3* ALL" : "", factor[n]);
      CHECK_NEAR(across("10 0.1 10", more), all ? 10.0 / (5.05 / factor[n] + 5.05) : factor[n], 1e-12);
    }
  }
}

/* Two cells of a column that lie 2 m apart are connected, unless PINCH has a smaller gap or EDIT a number. */
static void test_gaps(void) {
  static const struct {
    const char *more;
    double trans;
  } table[] = {{"", 1.0},
               {"PINCH\n /\n", 1.0},
               {"PINCH\n 2* 3 /\n", 1.0},
               {"PINCH\n 2* 1 /\n", 0.0},
               {"PINCH\n 2* 1 /\nEDIT\nMULTIPLY\n TRANZ 2 /\n/\n", 0.0},
               {"EDIT\nMULTIPLY\n TRANZ 2 /\n/\n", 2.0}};
  static char grid[1024];
  for (size_t n = 0; n < sizeof table / sizeof table[0]; ++n) {
    deck d = deck_base();
    snprintf(
        grid, sizeof grid,
        "COORD\n 0 0 0 0 0 9 100 0 0 100 0 9 0 50 0 0 50 9 100 50 0 100 50 9 /\n"
        "ZCORN\n 4*2000 4*2010 4*2012 4*2022 /\nPORO\n 2*0.25 /\nPERMX\n 2*100 /\nPERMY\n 2*100 /\nPERMZ\n 2*10 /\n%s",
        table[n].more);
    d.runspec = "DIMENS\n 1 1 2 /\nOIL\nWATER\n";
    d.grid = grid;
    d.schedule = "TSTEP\n 1 /\n";
    hp_case *c = deck_case(&d);
    if (c != NULL) CHECK_NEAR(c->grid->trans[HP_DIR_K][0] / (10.0 * MILLIDARCY * 5000.0 / 10.0), table[n].trans, 1e-12);
    hp_case_destroy(&c);
  }
}

/* Active cells of a column of three at a depth of 2000, whose middle one is `thin`; in LAB units one of rounding errors is none. */
static void test_rounded(void) {
  static const struct {
    const char *units, *more;
    double thin;
    int active;
  } table[] = {{"LAB\n", "", 0.0, 2},
               {"LAB\n", "", 1.2e-4, 2},
               {"LAB\n", "", 1e-5, 2},
               {"LAB\n", "", -1.2e-4, 2},
               {"LAB\n", "PINCH\n /\n", 1.2e-4, 2},
               {"LAB\n", "", 1e-2, 3},
               {"LAB\n", "MINPV\n 1E-6 /\n", 1.2e-4, 3},
               {"LAB\n", "MINPVV\n 3*1E-6 /\n", 1.2e-4, 3},
               {"METRIC\n", "", 1.2e-4, 3},
               {"FIELD\n", "", 1.2e-4, 3}};
  for (size_t n = 0; n < sizeof table / sizeof table[0]; ++n) {
    static char grid[1024], runspec[64];
    deck d = deck_base();
    snprintf(runspec, sizeof runspec, "DIMENS\n 1 1 3 /\nOIL\nWATER\n%s", table[n].units);
    snprintf(grid, sizeof grid,
             "COORD\n 0 0 0 0 0 9 1 0 0 1 0 9 0 1 0 0 1 9 1 1 0 1 1 9 /\nZCORN\n 4*2001 8*2002 8*%.17g 4*2003 /\n"
             "PORO\n 3*0.2 /\nPERMX\n 3*100 /\nPERMY\n 3*100 /\nPERMZ\n 3*10 /\n%s",
             2002.0 + table[n].thin, table[n].more);
    d.runspec = runspec;
    d.grid = grid;
    d.schedule = "TSTEP\n 1 /\n";
    hp_case *c = deck_case(&d);
    CHECK(c != NULL);
    if (c != NULL) CHECK(c->grid->nactive == table[n].active);
    if (c != NULL && strstr(table[n].more, "PINCH") != NULL) CHECK(c->grid->connection.count == 1);
    hp_case_destroy(&c);
    if (table[n].thin != 0.0 && table[n].active == 2)
      CHECK(deck_noted(
          "ZCORN: 1 cell is thinner than depths in single precision can tell: inactive, unless MINPV is given"));
  }
}

int main(void) {
  test_rounded();
  test_flat_cells();
  test_corners();
  test_connections();
  test_no_regions();
  test_given_connections();
  test_pinch();
  test_thin_cells();
  test_pinched_regions();
  test_gaps();
  return deck_end();
}
