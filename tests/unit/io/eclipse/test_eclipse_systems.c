/* NUMRES and COORDSYS: layers on pillars of their own. Sheared boxes have volumes and transmissibilities in closed form. */
#define _POSIX_C_SOURCE 200809L
#include "tests/support/eclipse_deck.h"

#define MILLIDARCY 9.869232667160e-16

/* Pillars of one system: the shear x and y per depth from 2000 m on, and how far along x they stand. */
typedef struct {
  double x, y, from;
} shear;

static const shear first = {0.5, 0.2, 0.0}, second = {-1.0, 0.3, 1000.0};

/* 3 x 2 x 4 cells of 100 x 50 x 10 m, two systems of two layers; the column i = 3 lies deeper by `throw`, the layers 3 and
 * 4 everywhere by `gap`. */
static const char *boxes(const char *coordsys, const shear s[2], double throw, double gap, const char *more) {
  static char text[16384];
  size_t n = (size_t)snprintf(text, sizeof text, "COORDSYS\n%sCOORD\n", coordsys);
  for (int system = 0; system < 2; ++system)
    for (int j = 0; j <= 2; ++j)
      for (int i = 0; i <= 3; ++i) {
        const double x = 100.0 * i + s[system].from, y = 50.0 * j;
        n += (size_t)snprintf(text + n, sizeof text - n, " %.9g %.9g 2000 %.9g %.9g 2100\n", x, y,
                              x + 100.0 * s[system].x, y + 100.0 * s[system].y);
      }
  n += (size_t)snprintf(text + n, sizeof text - n, "/\nZCORN\n");
  for (int k = 0; k < 8; ++k)
    for (int row = 0; row < 4; ++row) {
      const double z = 2000.0 + 10.0 * ((k + 1) / 2) + (k >= 4 ? gap : 0.0);
      n += (size_t)snprintf(text + n, sizeof text - n, " 4*%.9g 2*%.9g\n", z, z + throw);
    }
  snprintf(text + n, sizeof text - n, "/\nPORO\n 24*0.25 /\nPERMX\n 24*100 /\nPERMY\n 24*50 /\nPERMZ\n 24*10 /\n%s",
           more);
  return text;
}

static deck with_systems(const char *grid) {
  deck d = deck_base();
  d.runspec = "DIMENS\n 3 2 4 /\nNUMRES\n 2 /\nOIL\nWATER\nMETRIC\n";
  d.grid = grid;
  return d;
}

#define TWO(joined, beside) " 1 2 INCOMP " joined " " beside " /\n 3 4 /\n"

static hp_case *read_boxes(const char *coordsys, const shear s[2], double throw, double gap, const char *more) {
  const deck d = with_systems(boxes(coordsys, s, throw, gap, more));
  return deck_case(&d);
}

static double square(const shear *s) { return s->x * s->x + s->y * s->y; }

/* A.d / d.d of a sheared box: 10 m along i, 40 m along j; 1000 m / (1 + x^2 + y^2) along k. */
static void test_boxes(void) {
  const shear s[2] = {first, second};
  for (int joined = 0; joined < 2; ++joined) {
    hp_case *c = read_boxes(joined ? TWO("JOIN", "") : TWO("SEPARATE", ""), s, 0.0, 0.0, "");
    if (c == NULL) continue;
    const hp_grid *g = c->grid;
    CHECK(c->systems.count == 2 && g->nactive == 24 && g->connection.count == 0);
    for (int k = 1; k <= 4; ++k) {
      const shear *above = &s[(k - 1) / 2], *below = &s[k / 2 % 2];
      const double border = k == 2 && !joined ? 0.0 : 1.0;
      CHECK_NEAR(deck_at(c, g->pore_volume, 2, 1, k), 12500.0, 1e-7);
      CHECK_NEAR(deck_at(c, g->depth, 3, 2, k), 1995.0 + 10.0 * k, 1e-9);
      CHECK_NEAR(deck_at(c, g->trans[HP_DIR_I], 1, 2, k) / (100.0 * MILLIDARCY * 5.0), 1.0, 1e-12);
      CHECK_NEAR(deck_at(c, g->trans[HP_DIR_J], 3, 1, k) / (50.0 * MILLIDARCY * 20.0), 1.0, 1e-12);
      if (k < 4)
        CHECK_NEAR(deck_at(c, g->trans[HP_DIR_K], 2, 2, k) * (2.0 + square(above) + square(below)) /
                       (10.0 * MILLIDARCY * 1000.0),
                   border, 1e-12);
    }
    const hp_corners corners = hp_case_corners(c);
    const hp_hexahedron cell = hp_corners_cell(&corners, 1, 1, 2);
    CHECK_NEAR(cell.at[0][0], 1080.0, 1e-9); /* from 1100 m, 20 m down */
    CHECK_NEAR(cell.at[7][1], 109.0, 1e-9);
    hp_case_destroy(&c);
  }
}

/* A number of EDIT opens the border; PINCH does not pass it unless it is joined. */
static void test_border(void) {
  const shear s[2] = {first, second};
  static const struct {
    const char *coordsys, *more;
    double trans; /* (2,1,2)-(2,1,3), per that of the joined systems */
    int pinched;  /* connections of layers 1 and 3 in columns without layer 2 */
  } table[] = {{TWO("SEPARATE", ""), "", 0.0, 0},
               {TWO("JOIN", ""), "MULTZ\n 24*0.5 /\n", 0.5, 0},
               {TWO("SEPARATE", ""), "EDIT\nMULTIPLY\n TRANZ 2 /\n/\n", 0.0, 0},
               {TWO("SEPARATE", ""), "EDIT\nEQUALS\n TRANZ 0 1 3 1 2 2 2 /\n/\n", 0.0, 0},
               {TWO("SEPARATE", ""), "PINCH\n 20 /\nACTNUM\n 6*1 0 5*1 12*1 /\n", 0.0, 0},
               {TWO("JOIN", ""), "PINCH\n 20 /\nACTNUM\n 6*1 0 5*1 12*1 /\n", 1.0, 1}};
  for (size_t n = 0; n < sizeof table / sizeof table[0]; ++n) {
    hp_case *c = read_boxes(table[n].coordsys, s, 0.0, 0.0, table[n].more);
    if (c == NULL) continue;
    CHECK_NEAR(deck_at(c, c->grid->trans[HP_DIR_K], 2, 1, 2) * (2.0 + square(&first) + square(&second)) /
                   (10.0 * MILLIDARCY * 1000.0),
               table[n].trans, 1e-12);
    CHECK(c->grid->connection.count == table[n].pinched);
    hp_case_destroy(&c);
  }
  hp_case *c = read_boxes(TWO("SEPARATE", ""), s, 0.0, 0.0, "EDIT\nEQUALS\n TRANZ 7 2 2 1 1 2 2 /\n/\n");
  if (c != NULL) CHECK_NEAR(deck_at(c, c->grid->trans[HP_DIR_K], 2, 1, 2) / (7e-3 / 86400.0 / 1e5), 1.0, 1e-12);
  hp_case_destroy(&c);
}

static bool connected(const hp_case *c, int k, int other) {
  const hp_grid_connections *list = &c->grid->connection;
  const int64_t from = hp_grid_cell(c->grid, 1, 0, k - 1), to = hp_grid_cell(c->grid, 2, 0, other - 1);
  for (int64_t n = 0; n < list->count; ++n)
    if (list->a[n] == from && list->b[n] == to) return true;
  return false;
}

/* Across a fault cells meet those of their system, and of others that items 5 and 6 name. */
static void test_faults(void) {
  const shear different[2] = {first, second}, same[2] = {first, first};
  for (int kind = 0; kind < 3; ++kind) {
    hp_case *c = read_boxes(kind == 2 ? " 1 2 1* JOIN 1 2 /\n 3 4 2* 1 2 /\n" : TWO("JOIN", ""),
                            kind > 0 ? same : different, 4.0, 0.0, "");
    if (c == NULL) continue;
    CHECK(connected(c, 2, 1) && connected(c, 4, 3) && connected(c, 3, 2) == (kind == 2) && !connected(c, 1, 2));
    CHECK(c->grid->connection.count == (kind == 2 ? 6 : 4));
    for (int k = 1; k <= 4; ++k) /* 6 m of 10 m */
      CHECK_NEAR(deck_at(c, c->grid->trans[HP_DIR_I], 2, 1, k) / (100.0 * MILLIDARCY * 5.0), 0.6, 0.05);
    hp_case_destroy(&c);
  }
}

/* Layers of the lower system that begin 3 m too high move down where the pillar goes on across an open border. */
static void test_repair(void) {
  const shear different[2] = {first, second}, same[2] = {first, first};
  for (int kind = 0; kind < 4; ++kind) {
    const bool joined = kind % 2 == 1, together = kind / 2 == 1;
    hp_case *c = read_boxes(joined ? TWO("JOIN", "") : TWO("SEPARATE", ""), together ? same : different, 0.0, -3.0, "");
    if (c == NULL) continue;
    const char *moved = "ZCORN: 24 corners lie above the one before, the first of cell (1,1,3), by at most 3 m: moved";
    CHECK((strstr(deck_messages, moved) != NULL) == (joined && together));
    CHECK_NEAR(deck_at(c, c->grid->dz, 2, 2, 3), joined && together ? 7.0 : 10.0, 1e-9);
    hp_case_destroy(&c);
  }
}

/* The parts of cells are those of their own systems, and the border stays one. */
static void test_refine(void) {
  const shear s[2] = {first, second};
  const deck d = with_systems(boxes(TWO("SEPARATE", ""), s, 0.0, 0.0, ""));
  static char text[1 << 16];
  hp_case *c = NULL;
  deck_text(&d, text, sizeof text);
  CHECK(deck_read_file(deck_write("CASE.DATA", text), "grid.refine=[2,1,3]", &c) == HP_OK);
  if (c != NULL) {
    CHECK(c->grid->nz == 12 && c->systems.at[0].last == 5 && c->systems.at[1].first == 6 &&
          c->systems.at[1].last == 11);
    for (int k = 1; k < 12; ++k) CHECK((deck_at(c, c->grid->trans[HP_DIR_K], 3, 1, k) == 0.0) == (k == 6));
    for (int k = 1; k <= 12; ++k) CHECK_NEAR(deck_at(c, c->grid->pore_volume, 5, 2, k), 12500.0 / 6.0, 1e-7);
    CHECK_NEAR(deck_at(c, c->grid->depth, 5, 2, 7), 2020.0 + 10.0 / 6.0, 1e-9);
    const hp_corners corners = hp_case_corners(c);
    CHECK_NEAR(hp_corners_cell(&corners, 3, 1, 6).at[0][0], 1130.0, 1e-9); /* from 1150 m */
  }
  hp_case_destroy(&c);
}

static void test_faulty(void) {
  const shear s[2] = {first, second}, same[2] = {first, first};
  static const struct {
    const char *coordsys, *at, *message;
  } table[] = {
      {" 1 2 /\n 4 4 /\n", " 4 4 /", "COORDSYS: layers 4 to 4: system 2 of 2 must begin with layer 3"},
      {" 1 3 /\n 3 4 /\n", " 3 4 /", "COORDSYS: layers 3 to 4: system 2 of 2 must begin with layer 4"},
      {" 2 3 /\n 3 4 /\n", " 2 3 /", "COORDSYS: layers 2 to 3: system 1 of 2 must begin with layer 1"},
      {" 1 2 /\n 3 3 /\n", " 3 3 /", "COORDSYS: layers 3 to 3: system 2 of 2 must end with layer 4, the last one"},
      {" 1 2 /\n 3 5 /\n", " 3 5 /", "COORDSYS: layers 3 to 5: system 2 of 2 must end with layer 4, the last one"},
      {" 1 4 /\n 5 5 /\n", " 1 4 /", "COORDSYS: layers 1 to 4: system 1 of 2 must end with a layer from 1 to 3"},
      {" 1 0 /\n 1 4 /\n", " 1 0 /", "COORDSYS: layers 1 to 0: system 1 of 2 must end with a layer from 1 to 3"},
      {" 1* 2 /\n 3 4 /\n", " 1* 2 /", "COORDSYS: item 1 (first layer) is missing: 2 systems have no default"},
      {" 1 2 /\n 3 /\n", " 3 /", "COORDSYS: item 2 (last layer) is missing: 2 systems have no default"},
      {" 1 2 /\n", "COORDSYS", "COORDSYS: 1 record, 2 are needed"},
      {" 1 2 /\n 3 4 COMP /\n", " 3 4 COMP /", "COORDSYS: item 3: COMP: grids that close to a circle"},
      {" 1 2 INCOMP OPEN /\n 3 4 /\n", " 1 2 INCOMP OPEN /", "item 4 (with the system below): 'OPEN' is not supported"},
      {" 1 2 2* 1 2 /\n 3 4 /\n", "COORDSYS", "system 1 is beside systems 1 to 2, but system 2 beside 2 to 2"},
      {" 1 2 /\n 3 4 2* 1 2 /\n", "COORDSYS", "system 2 is beside systems 1 to 2, but system 1 beside 1 to 1"},
      {" 1 2 2* 1 3 /\n 3 4 /\n", "COORDSYS", "systems 1 to 3: those beside system 1 must be a range of 1 to 2"},
      {" 1 2 2* 2 2 /\n 3 4 /\n", "COORDSYS", "systems 2 to 2: those beside system 1 must be a range of 1 to 2"},
      {" 1 2 2* -1 1 /\n 3 4 /\n", "COORDSYS", "systems -1 to 1: those beside system 1 must be a range of 1 to 2"},
      {" 1 2 2* 1 2 /\n 3 4 2* 1 2 /\n", "COORDSYS", "systems 1 and 2 are beside each other on different pillars"},
  };
  for (size_t n = 0; n < sizeof table / sizeof table[0]; ++n) {
    const deck d = with_systems(boxes(table[n].coordsys, s, 0.0, 0.0, ""));
    CHECK(deck_fails(&d, deck_line(&d, table[n].at), table[n].message));
    CHECK(strchr(strchr(deck_messages, '!') + 1, '!') == NULL); /* the only error */
  }
  deck d = with_systems(boxes(TWO("JOIN", ""), same, 0.0, 0.0, ""));
  d.grid = strstr(d.grid, "COORD\n");
  CHECK(deck_fails(&d, 0, "COORDSYS is missing: NUMRES says several systems of pillars"));
  d = with_systems(boxes(TWO("JOIN", ""), same, 0.0, 0.0, ""));
  d.runspec = "DIMENS\n 3 2 4 /\nOIL\nWATER\nMETRIC\n";
  CHECK(deck_fails(&d, deck_line(&d, " 1 2 INCOMP JOIN  /"), "system 1 of 1 must end with layer 4"));
  d.runspec = "DIMENS\n 3 2 4 /\nNUMRES\n 5 /\nOIL\nWATER\n";
  CHECK(deck_fails(&d, deck_line(&d, " 5 /"), "NUMRES: 5 systems of pillars (NUMRES) in 4 layers (DIMENS)"));
  d.runspec = "NUMRES\n 5 /\nDIMENS\n 3 2 4 /\nOIL\nWATER\n";
  CHECK(deck_fails(&d, deck_line(&d, " 3 2 4 /"), "DIMENS: 5 systems of pillars (NUMRES) in 4 layers (DIMENS)"));
  d.runspec = "DIMENS\n 3 2 4 /\nNUMRES\n 0 /\nOIL\nWATER\n";
  CHECK(deck_fails(&d, deck_line(&d, " 0 /"), "item 1 (systems of pillars): '0' must be > 0"));
  d = with_systems("SPECGRID\n 3 2 4 1 F /\n");
  CHECK(deck_fails(&d, deck_line(&d, " 3 2 4 1 F /"), "SPECGRID: item 4: 1 system of pillars, NUMRES says 2"));
  d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nNUMRES\n 2 /\nOIL\nWATER\n";
  CHECK(deck_fails(&d, deck_line(&d, "NUMRES"), "NUMRES: several systems need pillars: give COORD and ZCORN"));
}

int main(void) {
  test_boxes();
  test_border();
  test_faults();
  test_repair();
  test_refine();
  test_faulty();
  return deck_end();
}
