/* Numbers that follow the grid, and controls that come too late. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>

#include "tests/support/check.h"
#include "tests/support/deck.h"
#include "tests/support/deck_base.h"

static hp_case *read_changed(const char *from, const char *to, int nset, const char *const *set, hp_diag *diag) {
  char text[8192];
  hp_case *c = NULL;
  CHECK(deck_change(from, to, text, sizeof text));
  (void)deck_read(text, nset, set, diag, &c);
  return c;
}

/* Expressions of the rate, against C's own arithmetic with nx = 4, ny = 3, nz = 2. */
static void check_values(void) {
  const int nx = 4, ny = 3, nz = 2;
  const struct {
    const char *text;
    double value;
  } good[] = {{"nx", nx},
              {"5000 * nz / 85", 5000.0 * nz / 85},
              {"nx-ny-nz+9", nx - ny - nz + 9.0},
              {"nx*ny*nz", nx * ny * nz},
              {"(nx + ny) * (nz - -1)", (nx + ny) * (nz + 1.0)},
              {"-nx + 5", -nx + 5.0},
              {"1e1/4/5", 0.5},
              {" 2.5e0 *nz ", 5.0},
              {".5", 0.5},
              {"7", 7.0},
              {"((((nz))))", 2.0},
              {"2 - - 2", 4.0},
              {"300-5", 295.0},
              {"300 - 5 - 2", 293.0},
              {"9-5-1+0", 3.0}};
  for (size_t n = 0; n < sizeof good / sizeof good[0]; ++n) {
    char to[128];
    hp_diag diag;
    snprintf(to, sizeof to, "rate = \"%s\";", good[n].text);
    hp_case *c = read_changed("rate = 10.0;", to, 0, NULL, &diag);
    if (c == NULL) {
      fprintf(stderr, "%s is refused:\n", good[n].text);
      hp_diag_print(&diag, stderr);
    }
    CHECK(c != NULL);
    if (c != NULL) CHECK_NEAR(c->event[0].control.limit[HP_CONTROL_WRAT] * 86400.0, good[n].value, 1e-12);
    hp_case_destroy(&c);
    hp_diag_clear(&diag);
  }
}

/* A number with a unit of its own, of any system: exactly what it is in that system. */
static void check_units(void) {
  static const struct {
    const char *from, *to;
  } same[] = {{"rate = 10.0;", "rate = \"10 sm3/day\";"},
              {"rate = 10.0;", "rate = \"240e6 scc/hour\";"},
              {"permx = 100.0", "permx = \"100.0 mD\""},
              {"dx = 20.0", "dx = (\"20 m\", 20.0, \"2000 cm\", 20.0)"}};
  hp_diag diag;
  hp_case *plain = read_changed("rate = 10.0;", "rate = 10.0;", 0, NULL, &diag);
  hp_diag_clear(&diag);
  for (size_t n = 0; n < sizeof same / sizeof same[0] && plain != NULL; ++n) {
    hp_case *c = read_changed(same[n].from, same[n].to, 0, NULL, &diag);
    if (c == NULL) hp_diag_print(&diag, stderr);
    CHECK(c != NULL);
    if (c != NULL && n != 1) {
      CHECK(c->event[0].control.limit[HP_CONTROL_WRAT] == plain->event[0].control.limit[HP_CONTROL_WRAT]);
      CHECK_NEAR(c->grid->dx[0], 20.0, 1e-12);
      CHECK(c->grid->perm[HP_DIR_I][0] == plain->grid->perm[HP_DIR_I][0]);
    }
    if (c != NULL) CHECK_NEAR(c->event[0].control.limit[HP_CONTROL_WRAT] * 86400.0, n == 1 ? 5760.0 : 10.0, 1e-9);
    hp_case_destroy(&c);
    hp_diag_clear(&diag);
  }
  hp_case_destroy(&plain);
  hp_case *c = read_changed("rate = 10.0;", "rate = \"10.0 stb/day\"; bhp = \"4321.5 psi\";", 0, NULL, &diag);
  CHECK(c != NULL);
  if (c != NULL) {
    CHECK(c->event[0].control.limit[HP_CONTROL_BHP] == 4321.5 * 6894.757293168);
    CHECK(c->event[0].control.limit[HP_CONTROL_WRAT] == 10.0 * (0.158987294928 / 86400.0));
  }
  hp_case_destroy(&c);
  hp_diag_clear(&diag);
}

static void check_wrong(void) {
  static const struct {
    const char *from, *to, *message;
  } wrong[] = {
      {"rate = 10.0", "rate = \"10 *\"", "wells[0].rate: '10 *': no number; an expression of numbers, + - * / ( )"},
      {"rate = 10.0", "rate = \"nq * 10\"", "ends at 'nq * 10'"},
      {"rate = 10.0", "rate = \"10 / (nx - 4)\"", "must be a finite number"},
      {"rate = 10.0", "rate = \"nx 2\"", "ends at '2'"},
      {"rate = 10.0", "rate = \"(nx\"", "ends at ''"},
      {"rate = 10.0", "rate = \"-nx\"", "wells[0].rate: -4 sm3/day: must be >= 0"},
      {"rate = 10.0", "rate = \"10 bar\"",
       "wells[0].rate: '10 bar': must be a number, or text with a number and its unit (sm3/day, stb/day, scc/hour, "
       "sm3/s)"},
      {"rate = 10.0", "rate = \"-3 stb/day\"", "wells[0].rate: -0.476961884784 sm3/day: must be >= 0"},
      {"rate = 10.0", "rate = \"low\"", "wells[0].rate: 'low': must be a number or \"none\""},
      {"i = 4; j = 3", "i = \"nx + 1\"; j = 3", "well P1: 5: the grid has 4 cells along i"},
      {"i = 4; j = 3", "i = \"nx * 1e9\"; j = 3", "must fit in 32 bits"},
      {"i = 4; j = 3", "i = \"east\"; j = 3", "wells[1].i: must be an integer, not text"},
      {"[4, 3, 2]", "(4, 3, \"nx\")", "grid.size[2]: 'nx': nx, ny and nz are not known before grid.size"},
      {"permx = 100.0", "permx = \"high\"", "grid.permx: must be a number, not text"},
  };
  for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; ++n) {
    hp_diag diag;
    hp_case *c = read_changed(wrong[n].from, wrong[n].to, 0, NULL, &diag);
    char *text = deck_messages(&diag);
    if (c != NULL || strstr(text, wrong[n].message) == NULL) {
      fprintf(stderr, "%s\n  expected: %s\n  found: %s", wrong[n].to, wrong[n].message, text);
      CHECK(false);
    }
    free(text);
    hp_case_destroy(&c);
    hp_diag_clear(&diag);
  }
  /* any depth of parentheses ends in a message */
  char to[4096] = "permx = \"", *at = to + strlen(to);
  for (int n = 0; n < 3000; ++n) *at++ = '(';
  strcpy(at, "1\"");
  hp_diag diag;
  hp_case *c = read_changed("permx = 100.0", to, 0, NULL, &diag);
  CHECK(c == NULL && diag.errors == 1);
  hp_diag_clear(&diag);
}

/* Reports at calendar months of the start, whose days are the deck's own numbers, and points of time so many months later. */
static void check_months(hp_diag *diag) {
  static const struct {
    const char *start, *every, *end;
    int count;
    double day[8];
  } of[] = {
      {"start=2027-12-31", "report.every=1 month", "report.end=2028-05-01", 5, {31, 60, 91, 121, 122}},
      {"start=2026-01-31 06:00", "report.every=1 month", "report.end=3 months", 3, {28, 59, 89}},
      {"start=2024-02-29", "report.every=\"1 year\"", "report.end=1461.0", 4, {365, 730, 1095, 1461}},
      {"start=2026-01-01", "report.every=6months", "report.end=100.0", 1, {100}},
      {"start=2026-01-01", "report.every=1 month", "report.end=2026-01-31 12:00:00.5", 1, {30.5 + 0.5 / 86400.0}}};
  for (size_t n = 0; n < sizeof of / sizeof of[0]; ++n) {
    const char *const set[] = {of[n].start, of[n].every, of[n].end, "schedule=()"};
    hp_case *c = read_changed("title", "title", 4, set, diag);
    hp_diag_print(diag, stderr);
    CHECK(c != NULL && c->nreport == of[n].count);
    for (int m = 0; c != NULL && m < c->nreport && m < of[n].count; ++m) CHECK(c->report[m] == of[n].day[m] * 86400.0);
    hp_case_destroy(&c);
    hp_diag_clear(diag);
  }
}

/* Where a time is read a date counts from start; a date is never computed. */
static void check_dates(void) {
  static const char *const leap[] = {"start=2024-02-28", "report.end=2024-03-01",
                                     "schedule[0].time=2024-02-29T12:00:00"};
  static const char *const list[] = {"start=\"2026-01-01T06:00:00\"", "report={times=(2.5, \"2026-01-11\", 30)}",
                                     "tuning=({time=\"2026-01-02\"; max=5.0;})",
                                     "groups=({time=\"2026-01-20\"; oil_rate=9;})",
                                     "multipliers=({time=\"2026-01-01T18:00:00\"; by=0.5; face=\"i+\";})"};
  hp_diag diag;
  hp_case *c = read_changed("title", "title", 3, leap, &diag);
  hp_diag_print(&diag, stderr);
  CHECK(c != NULL && c->report[c->nreport - 1] == 2 * 86400.0 && c->event[c->nevent - 1].time == 1.5 * 86400.0);
  hp_case_destroy(&c);
  hp_diag_clear(&diag);
  c = read_changed("title", "title", 5, list, &diag);
  hp_diag_print(&diag, stderr);
  CHECK(c != NULL && c->nreport == 3 && c->report[0] == 2.5 * 86400.0 && c->report[1] == 9.75 * 86400.0);
  CHECK(c != NULL && c->tuning[0].time == 0.75 * 86400.0 && c->trans_event[0].time == 0.5 * 86400.0);
  hp_case_destroy(&c);
  hp_diag_clear(&diag);
  const char *const start_alone[] = {"start=2026-01-01"};
  c = read_changed("time = 10.0;", "time = \"2026-01-11\";", 1, start_alone, &diag);
  hp_diag_print(&diag, stderr);
  CHECK(c != NULL && c->event[c->nevent - 1].time == 10.0 * 86400.0);
  hp_case_destroy(&c);
  hp_diag_clear(&diag);
  check_months(&diag);
  static const struct {
    const char *start, *set, *message;
  } wrong[] = {
      {"2026-01-01", "report.end=2025-12-31", "'2025-12-31': is before start, which is 2026-01-01"},
      {"2026-01-01", "report.end=2026-01-01", "report.end=2026-01-01: 0 day: must be > 0"},
      {"2026-01-01", "report.end=2026-02-30", "'2026-02-30': must be a date that exists, like 2026-01-31"},
      {"2026-01-01", "schedule[0].time=0026-02-01", "'0026-02-01': must be a date that exists"},
      {"2026-01-01", "schedule[0].time=2026-13-01", "'2026-13-01': must be a date that exists"},
      {"2026-01-01", "schedule[0].time=2026/07/20", "'2026/07/20': must be a date that exists"},
      {"2026-01-01", "schedule[0].time=20.07.2026", "'20.07.2026': must be a date that exists"},
      {"2026-01-01", "schedule[0].time=2026-07", "'2026-07': must be a date that exists"},
      {"2026-01-01", "schedule[0].time=\"2026-07-20 + 5\"", "'2026-07-20 + 5': must be a date that exists"},
      {"2026-01-01", "report.times=(5, \"2026-7-20\")", "'2026-7-20': must be a date that exists"},
      {"2026-01-01", "report.every=2026-07-20", "'2026-07-20': a date is no number"},
      {"2026-01-01", "report.every=1.5 months",
       "'1.5 months': must be a number, or text with a number and its unit (day"},
      {"2026-01-01", "timestep.max=1 month", "'1 month': must be a number, or text with a number and its unit (day"},
      {"2026-01-01", "report={every=\"1 month\"; end=1e12;}", "32258064517 reports are too many"},
      {NULL, "report.every=1 month", "'1 month': a date needs start, the date of time zero"},
      {"2026-01-01", "report.end=2026-02-29 06:00", "or a number; 2026-02 has 28 days"},
      {"2026-02-29", "report.end=2026-03-20",
       "'2026-02-29': must be a date that exists, like 2026-01-31 or 2026-01-31 12:00"},
      {"2026-01-01", "timestep.max=2026-07-20", "'2026-07-20': a date is no number"},
      {"2026-01-01", "wells.I1.rate=\"2 * (2026-07-20)\"", "'2 * (2026-07-20)': a date is no number"},
      {"2026-01-01", "wells.I1.i=20-7-2026", "'20-7-2026': a date is no number"},
      {"2026-01-01", "grid.dx=2026-07-20", "'2026-07-20': a date is no number"},
      {"2026-01-01", "newton.tolerance_cnv=2026-07-20", "'2026-07-20': a date is no number"},
      {"2026-01-01", "report.end=99-12-31",
       "'99-12-31': must be a date that exists, like 2026-01-31, 2026-01-31 06:00"},
      {"2026-01-01", "schedule[0].time=40-07-20", "or a number; years have four digits"},
      {"2026-01-01", "report.end=\"400-12-31\"", "or a number; years have four digits"},
      {"2026-01-01", "report.end=\"26-07-20 06:00\"", "or a number; years have four digits"},
      {"2026-01-01", "report.times=(5, \"31/12/99\")", "or a number; years have four digits"},
      {NULL, "report.end=99-12-31", "or a number; years have four digits"},
      {NULL, "wells.I1.rate=\" 99-12-31 \"", "' 99-12-31 ': a date is no number; subtractions have blanks"},
      {NULL, "wells.I1.i=9-5-1", "'9-5-1': a date is no number; subtractions have blanks"},
      {NULL, "grid.dx=400-12-31", "the year of a date has four digits"},
      {NULL, "report.end=2026-07-20", "'2026-07-20': a date needs start, the date of time zero"},
      {"soon", "report.end=2026-07-20", "'soon': must be a date"},
  };
  for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; ++n) {
    char start[40];
    const char *const set[] = {wrong[n].set, start};
    snprintf(start, sizeof start, "start=\"%s\"", wrong[n].start != NULL ? wrong[n].start : "");
    c = read_changed("title", "title", wrong[n].start != NULL ? 2 : 1, set, &diag);
    char *text = deck_messages(&diag);
    if (c != NULL || diag.errors != 1 || strstr(text, wrong[n].message) == NULL) {
      fprintf(stderr, "%s\n  expected: %s\n  found: %s", wrong[n].set, wrong[n].message, text);
      CHECK(false);
    }
    free(text);
    hp_case_destroy(&c);
    hp_diag_clear(&diag);
  }
}

/* Layers, places and rates follow grid.size; integers are rounded to the nearest, halves up. */
static void check_sizes(void) {
  static const char layers[] =
      "permx = { layers = ( { k = (1, \"nz * 35/85\"); value = 1.0; },\n"
      "    { k = (\"nz * 35/85 + 1\", \"nz\"); value = \"10 * nz\"; } ); }";
  static const struct {
    const char *set;
    int nz, upper;
  } size[] = {{"grid.size=[4,3,2]", 2, 1},
              {"grid.size[2]=10", 10, 4},
              {"grid.size[2]=17", 17, 7},
              {"grid.size=[4,3,85]", 85, 35}};
  for (size_t n = 0; n < sizeof size / sizeof size[0]; ++n) {
    const char *const set[] = {size[n].set,
                               "grid.dz=2.0",
                               "wells.P1.i=nx",
                               "wells.P1.j=\"ny/2\"",
                               "wells.P1.k=(\"nz\",\"nz\")",
                               "wells.I1.rate=2500*nz/85"};
    hp_diag diag;
    hp_case *c = read_changed("permx = 100.0", layers, 6, set, &diag);
    hp_diag_print(&diag, stderr);
    CHECK(c != NULL);
    if (c != NULL) {
      const double md = 9.869232667160e-16;
      const hp_grid *g = c->grid;
      CHECK(g->nz == size[n].nz);
      CHECK_NEAR(g->perm[HP_DIR_I][size[n].upper - 1], md, 1e-9 * md);
      CHECK_NEAR(g->perm[HP_DIR_I][size[n].upper], 10.0 * g->nz * md, 1e-9 * md);
      CHECK(c->well[1].perf[0].i == 3 && c->well[1].perf[0].j == 1 && c->well[1].perf[0].k == g->nz - 1);
      CHECK(c->well[0].nperf == g->nz);
      CHECK_NEAR(c->event[0].control.limit[HP_CONTROL_WRAT] * 86400.0, 2500.0 * g->nz / 85, 1e-9);
    }
    hp_case_destroy(&c);
    hp_diag_clear(&diag);
  }
}

/* Controls at the end of the run or behind it: one note, at the first of them, and they are gone. */
static void check_late(void) {
  static const struct {
    const char *entry, *note;
    int events;
  } late[] = {
      {"{ time = 29.0; well = \"P1\"; bhp = 140.0; }", NULL, 3},
      {"{ time = 30.0; well = \"P1\"; bhp = 140.0; }",
       "deck.cfg:21: note: 1 well control from this one on has no effect: the last report step ends at 30 day", 2},
      {"{ time = 99.0; well = \"P1\"; bhp = 140.0; },\n { time = 45.0; well = \"*\"; status = \"shut\"; },\n"
       "{ time = 10.0; well = \"P1\"; bhp = 141.0; }",
       "deck.cfg:22: note: 3 well controls from this one on have no effect: the last report step ends at 30 day", 3},
  };
  for (size_t n = 0; n < sizeof late / sizeof late[0]; ++n) {
    hp_diag diag;
    hp_case *c = read_changed("{ time = 10.0; well = \"P1\"; bhp = 140.0; }", late[n].entry, 0, NULL, &diag);
    char *text = deck_messages(&diag);
    CHECK(c != NULL && diag.errors == 0 && diag.notes == (late[n].note != NULL));
    if (late[n].note != NULL && strstr(text, late[n].note) == NULL) {
      fprintf(stderr, "expected: %s\nfound: %s", late[n].note, text);
      CHECK(false);
    }
    if (c != NULL) CHECK(c->nevent == late[n].events);
    free(text);
    hp_case_destroy(&c);
    hp_diag_clear(&diag);
  }
}

int main(void) {
  check_values();
  check_units();
  check_wrong();
  check_dates();
  check_sizes();
  check_late();
  deck_remove("deck.cfg");
  return check_result();
}
