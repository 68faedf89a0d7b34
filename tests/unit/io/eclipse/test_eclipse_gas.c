/* Eclipse decks that only name gas, which are those of oil and water, and decks of water alone. */
#define _POSIX_C_SOURCE 200809L
#include "io/deck/deck.h"
#include "tests/support/eclipse_deck.h"

#define OF_GAS "SGOF\n 0 0 1 0\n 0.7 1 0 0 /\nPVDG\n 100 0.1 0.01\n 200 0.05 0.02 /\n"
#define SCHEDULE_OF_GAS                                                                                             \
  "DRSDT\n 0 /\nWELSPECS\n I G 1 1 1* WATER /\n P G 3 2 1* OIL /\n G G 2 2 1* GAS /\n/\n"                           \
  "COMPDAT\n 'I' 2* 1 2 OPEN 2* 0.2 /\n 'P' 2* 1 2 OPEN 2* 0.2 /\n/\nWCONPROD\n P OPEN ORAT 5 1* 1E6 2* 100 /\n/\n" \
  "WCONINJE\n I WATER OPEN RATE 5 1* 400 /\n G GAS SHUT RATE 5 1* 400 /\n/\nTSTEP\n 1 /\n"

static void test_gas(void) {
  static char props[1024], runspec[512];
  deck d = deck_base();
  snprintf(props, sizeof props, "%s%s", d.props, OF_GAS);
  d.props = props;
  d.solution = "EQUIL\n 2000 200 2100 0 /\nRSVD\n 2000 10\n 2100 20 /\n";
  d.schedule = SCHEDULE_OF_GAS;
  hp_case *c = deck_case(&d);
  CHECK(deck_noted("skipped, no bearing on the results: SGOF PVDG RSVD DRSDT"));
  hp_case_destroy(&c);
  snprintf(runspec, sizeof runspec, "GAS\n%s", d.runspec);
  d.runspec = runspec;
  c = deck_case(&d);
  char note[160];
  snprintf(note, sizeof note, "%d: GAS: no gas is in place, injected or dissolved: the answer is that of oil and water",
           deck_line(&d, "GAS"));
  CHECK(deck_noted("skipped, no bearing on the results: SGOF PVDG RSVD DRSDT") && deck_noted(note));
  CHECK(strstr(deck_messages, "kro without gas") == NULL);
  CHECK(c != NULL && c->nevent == 2 && c->fluid.pvt[0][HP_OIL].density == 800.0);
  hp_case_destroy(&c);
}

/* An injector of gas that stays shut is passed over; one that opens is refused by its name. */
static void test_gas_injector(void) {
  static char schedule[2048];
  static const char *const opened[][3] = {
      {"WELOPEN\n G OPEN /\n/\n", " G OPEN /", "this opens well G, which injects gas"},
      {"WCONINJE\n G GAS OPEN RATE 5 /\n/\n", " G GAS OPEN RATE 5 /", "'GAS' is not supported, only WATER|OIL"},
      {"WCONINJE\n G WATER OPEN RATE 5 /\n/\nWELTARG\n G ORAT 4 /\n/\n", " G ORAT 4 /", "well G injects water"},
  };
  deck d = deck_base();
  snprintf(schedule, sizeof schedule,
           "%sWELTARG\n G BHP 300 /\n G WRAT 7 /\n/\nWELCNTL\n G ORAT 7 /\n/\nWELOPEN\n G SHUT /\n/\n"
           "WCONINJE\n G GAS SHUT RATE 9 /\n/\nTSTEP\n 1 /\n"
           "WCONINJE\n G GAS OPEN RATE 9 /\n/\nWELOPEN\n G SHUT /\n/\nTSTEP\n 1 /\n",
           SCHEDULE_OF_GAS);
  d.schedule = schedule;
  hp_case *c = deck_case(&d);
  const char *note = "well G injects gas and is shut: passed over until it has another control";
  const char *said = strstr(deck_messages, note);
  CHECK(c != NULL && c->nevent == 2 && said != NULL && strstr(said + 1, note) == NULL);
  hp_case_destroy(&c);
  for (size_t n = 0; n < sizeof opened / sizeof *opened; ++n) {
    snprintf(schedule, sizeof schedule, "%s%sTSTEP\n 1 /\n", SCHEDULE_OF_GAS, opened[n][0]);
    CHECK(deck_fails(&d, deck_line(&d, opened[n][1]), opened[n][2]));
  }
}

/* Without OIL what asks for oil is refused. */
static void test_water_alone(void) {
  static const char *const asks[][2] = {
      {"WCONPROD\n P OPEN ORAT 5 /\n/\n", "item 3 asks for oil, which RUNSPEC does not name"},
      {"WCONHIST\n P OPEN ORAT 5 5 /\n/\n", "item 3 asks for oil"},
      {"WCONINJE\n I OIL OPEN RATE 5 /\n/\n", "item 2 asks for oil"},
      {"WECON\n P 5 /\n/\n", "item 2 asks for oil"},
      {"GCONPROD\n FIELD ORAT 5 /\n/\n", "item 2 asks for oil"},
  };
  static char schedule[2048];
  deck d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nWATER\n";
  d.props = "DENSITY\n 800 1000 1 /\nPVTW\n 200 1.0 4E-5 0.5 0 /\n";
  d.solution = "EQUIL\n 2000 200 /\n";
  hp_case *c = deck_case(&d);
  CHECK(deck_noted("RUNSPEC names WATER alone: it fills the pores, and all results of oil are 0"));
  CHECK(c != NULL && c->initial.region[0].contact_depth < 2000.0 && c->fluid.sat[0].krw[1] == 1.0);
  hp_case_destroy(&c);
  d.solution = "PRESSURE\n 12*200 /\n";
  c = deck_case(&d);
  CHECK(c != NULL && c->initial.sw[0] == 1.0);
  hp_case_destroy(&c);
  d.solution = "PRESSURE\n 12*200 /\nSWAT\n 11*1 0.9 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "SWAT"), "SWAT: 0.9: water alone (RUNSPEC) fills the pores"));
  d.solution = "EQUIL\n 2000 200 /\n";
  for (size_t n = 0; n < sizeof asks / sizeof *asks; ++n) {
    char line[64];
    const char *from = strchr(asks[n][0], '\n') + 1;
    snprintf(schedule, sizeof schedule, "%s%s", deck_base().schedule, asks[n][0]);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(from, "\n"), from);
    d.schedule = schedule;
    CHECK(deck_fails(&d, deck_line(&d, line), asks[n][1]));
  }
  d.runspec = "DIMENS\n 3 2 2 /\nWATER\nGAS\n";
  CHECK(deck_fails(&d, 0, "RUNSPEC must name both phases, OIL and WATER, or WATER alone"));
}

int main(void) {
  test_gas();
  test_gas_injector();
  test_water_alone();
  return deck_end();
}
