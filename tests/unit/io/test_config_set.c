/* --set options: their faults, entries of lists, and what an overlay keeps. */
#define _POSIX_C_SOURCE 200809L
#include "io/config/config.h"
#include "tests/support/check.h"
#include "tests/support/deck.h"
#include "tests/support/deck_base.h"

static const struct {
  const char *option, *message;
} wrong[] = {
    {"linear.metod=gmres", "--set linear.metod=gmres: unknown key; did you mean 'linear.method'?"},
    {"linaer.method=gmres", "--set linaer.method=gmres: linaer: unknown key; did you mean 'linear'?"},
    {"linear.method=gmers", "--set linear.method=gmers: 'gmers': no such choice; did you mean 'gmres'?"},
    {"wells.P1.radius=-1", "--set wells.P1.radius=-1: wells[1].radius: -1 m: must be > 0"},
    {"wells[1].radius=-1", "--set wells[1].radius=-1: -1 m: must be > 0"},
    {"wells.P7X.radius=1", "--set wells.P7X.radius=1: P7X: no entry of that name in the list; there are I1, P1"},
    {"wells.P11.radius=1", "P11: no entry of that name in the list; did you mean 'P1'?"},
    {"schedule.P1.time=1", "P1: no entry of that name in the list\n"},
    {"wells[2].radius=1", "[2]: the list has 2 entries, counted from 0"},
    {"wells[].radius=1", "must be key.path=value"},
    {"linear.tolerance", "must be key.path=value"},
    {"=3", "must be key.path=value"},
    {"linear..tolerance=3", "must be key.path=value"},
    {"linear.=3", "must be key.path=value"},
    {"[0]=3", "must be key.path=value"},
    {"title.x=1", "--set title.x=1: title: is not a group and has no keys"},
    {"title[0]=1", "is not a list, which could be counted"},
    {"linear.tolerance={{", "the value is neither a number, text"},
    {"linear.tolerance=1;x=2", "the value is neither a number, text"},
    {"linear.tolerance=", "the value is neither a number, text"},
    {"newton.max_iterations=2.5", "--set newton.max_iterations=2.5: must be an integer"},
    {"grid.dz=[1.0,2.0,3.0]", "--set grid.dz=[1.0,2.0,3.0]: 3 values: expected 1, 2 (nz) or 24"},
    {"grid.size[0]=2.5", "an entry of another type"},
};

static void check_wrong(void) {
  for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; ++n) {
    hp_diag diag;
    hp_case *c = NULL;
    const hp_status status = deck_read(deck_base, 1, &wrong[n].option, &diag, &c);
    char *text = deck_messages(&diag);
    if (status != HP_ERR_DECK || strstr(text, wrong[n].message) == NULL) {
      fprintf(stderr, "%s\n  expected: %s\n  found: %s", wrong[n].option, wrong[n].message, text);
      CHECK(false);
    }
    free(text);
    hp_case_destroy(&c);
    hp_diag_clear(&diag);
  }
}

static hp_case *read_case(const char *text, int nset, const char *const *set) {
  hp_diag diag;
  hp_case *c = NULL;
  CHECK_OK(deck_read(text, nset, set, &diag, &c));
  hp_diag_print(&diag, stderr);
  hp_diag_clear(&diag);
  return c;
}

static void lay(hp_case *c, int nset, const char *const *set) {
  hp_diag diag;
  hp_diag_init(&diag);
  CHECK_OK(hp_config_overlay(nset, set, &diag, c));
  hp_diag_print(&diag, stderr);
  hp_diag_clear(&diag);
}

/* Entries of lists and arrays; the later option wins. */
static void check_entries(void) {
  const char *const set[] = {"grid.size[0]=5",    "grid.dz[1]=4",          "wells.P1.i=5",
                             "wells[0].rate=7.5", "linear.tolerance=1e-3", "linear.tolerance=1e-4"};
  hp_case *c = read_case(deck_base, 6, set);
  CHECK(c->grid->nx == 5 && c->grid->dz[1] == 4.0 && c->well[1].perf[0].i == 4 && c->linear.tolerance == 1e-4);
  CHECK_NEAR(c->event[0].control.limit[HP_CONTROL_WRAT], 7.5 / 86400.0, 1e-15);
  CHECK(strstr(c->text, "tolerance = 0.0001;") != NULL);
  hp_case_destroy(&c);
}

/* A '/' in a name is a letter like others, for options, too. */
static void check_slash(void) {
  char deck[4096];
  CHECK(deck_change("\"I1\"", "\"I/1-A\"", deck, sizeof deck));
  const char *const set[] = {"wells.I/1-A.rate=7.5", "schedule=({time=3.0;well=\"I/*\";status=\"shut\";})"};
  hp_case *c = read_case(deck, 2, set);
  CHECK(strcmp(c->well[0].name, "I/1-A") == 0 && c->nevent == 3 && c->event[2].well == 0);
  CHECK_NEAR(c->event[0].control.limit[HP_CONTROL_WRAT], 7.5 / 86400.0, 1e-15);
  hp_case_destroy(&c);
}

/* An option about a well's control holds at all its events. */
static void check_overlay_controls(void) {
  hp_case *c = read_case(deck_base, 0, NULL);
  const char *const set[] = {"wells.P1.bhp=120", "wells.I1.rate=20"};
  lay(c, 2, set);
  CHECK(c->nevent == 3);
  for (int n = 0; n < c->nevent; ++n) {
    const hp_well_event *e = &c->event[n];
    if (e->well == 1) CHECK_NEAR(e->control.limit[HP_CONTROL_BHP], 120e5, 1e-6);
    else CHECK_NEAR(e->control.limit[HP_CONTROL_WRAT], 20.0 / 86400.0, 1e-15);
  }
  const char *const schedule =
      "schedule=({time=5.0;well=\"*\";status=\"shut\";},"
      "{time=6.0;well=\"P1\";status=\"open\";})";
  lay(c, 1, &schedule);
  CHECK(c->nevent == 5 && c->event[2].control.control == HP_CONTROL_SHUT && c->event[2].time == 5.0 * 86400.0);
  CHECK(c->event[4].control.control == HP_CONTROL_BHP && c->event[4].control.limit[HP_CONTROL_BHP] == 120e5);
  hp_case_destroy(&c);
}

/* The inputs of the finished grid are kept: multipliers, given activity. */
static void check_overlay_grid(void) {
  const char *const first[] = {"grid.multx=0.5", "grid.multpv=3.0",
                               "grid.active=[1,1,1,1,1,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]"};
  hp_case *c = read_case(deck_base, 3, first);
  const double trans = c->grid->trans[HP_DIR_I][0], pore = c->grid->pore_volume[0];
  const char *const second[] = {"grid.permx=200.0", "grid.porosity=0.1"};
  lay(c, 2, second);
  CHECK_NEAR(c->grid->trans[HP_DIR_I][0], 2.0 * trans, 1e-9 * trans);
  CHECK_NEAR(c->grid->pore_volume[0], 0.5 * pore, 1e-9 * pore);
  CHECK(c->grid->nactive == 23);
  CHECK_NEAR(c->grid->perm[HP_DIR_K][0], 100.0 * 9.869232667160e-16, 1e-27); /* the deck's, not permx's new value */
  hp_case_destroy(&c);
}

/* Observed rates over a case: one of them leaves the other, and a later entry of the deck that says neither follows. */
static void check_overlay_observed(void) {
  const char *const first[] = {"wells.P1.control=reservoir-rate", "wells.P1.observed_oil_rate=20",
                               "wells.P1.observed_water_rate=5"};
  const char *const second[] = {"schedule[0].observed_oil_rate=30"};
  const char *const third[] = {"wells.P1.observed_water_rate=6"};
  const double day = 86400.0;
  hp_case *c = read_case(deck_base, 3, first);
  lay(c, 1, second);
  const hp_well_control *k = &c->event[2].control;
  CHECK(c->nevent == 3 && k->by_history && c->event[1].control.by_history);
  CHECK_NEAR(k->limit[HP_CONTROL_RESV] * day, 35.0, 1e-9);
  CHECK_NEAR(c->event[1].control.limit[HP_CONTROL_RESV] * day, 25.0, 1e-9);
  lay(c, 1, third);
  CHECK_NEAR(c->event[2].control.limit[HP_CONTROL_RESV] * day, 36.0, 1e-9);
  CHECK_NEAR(c->event[1].control.limit[HP_CONTROL_RESV] * day, 26.0, 1e-9);
  hp_case_destroy(&c);
}

static void check_overlay_report(void) {
  const char *const times[] = {"report.times=[10.0,20.0,30.0]"};
  const char *const cut[] = {"report.end=25.0"}, *const longer[] = {"report.end=60.0"};
  const char *const every[] = {"report.every=15"};
  hp_case *c = read_case(deck_base, 1, times);
  lay(c, 1, cut);
  CHECK(c->nreport == 3 && c->report[1] == 20.0 * 86400.0 && c->report[2] == 25.0 * 86400.0);
  lay(c, 1, longer);
  CHECK(c->nreport == 4 && c->report[3] == 60.0 * 86400.0);
  lay(c, 1, every);
  CHECK(c->nreport == 4 && c->report[0] == 15.0 * 86400.0 && c->report[3] == 60.0 * 86400.0);
  hp_case_destroy(&c);
}

/* units over a case: the options' own numbers and the summary change, the case does not. */
static void check_overlay_units(void) {
  hp_case *c = read_case(deck_base, 0, NULL);
  const char *const set[] = {"units=field", "initial.datum_pressure=3000"};
  lay(c, 2, set);
  CHECK(c->units.system == HP_UNITS_FIELD && c->grid->dx[0] == 20.0);
  CHECK_NEAR(c->initial.region[0].datum_pressure, 3000.0 * 6894.757293168, 1e-6);
  hp_case_destroy(&c);
}

static void check_overlay_wrong(void) {
  static const struct {
    const char *option, *message;
  } bad[] = {{"grid.size=[5,3,2]", "the grid of this deck is 4 x 3 x 2 and stays so"},
             {"wells.P1.radius=-1", "--set wells.P1.radius=-1: wells[1].radius: -1 m: must be > 0"},
             {"schedule[0].time=-3", "--set schedule[0].time=-3: -3 day: must be >= 0"},
             {"schedule[1].time=3", "[1]: the list has 1 entries, counted from 0"},
             {"schedule[0]={time=3;}", "an entry of another type: give the whole list"},
             {"grid.porosity[24]=0.1", "[24]: the list has 24 entries"},
             {"grid.porosity[3]=1.5", "--set grid.porosity[3]=1.5: 1.5: must be in 0..1"},
             {"grid.boxes[0].i=1", "[0]: the list has 0 entries"},
             {"fluids.oil.table[0]=[1,1,1]", "there is no list of that name"},
             {"wells.P1.cells[1][3]=q", "must be the direction of the bore"},
             {"wells.P1.cells[1][2]=1", "well P1: cell 4,3,1 is there twice"},
             {"wells[5].radius=1", "[5]: the list has 2 entries"},
             {"wells.PP1.radius=1", "PP1: no entry of that name in the list; did you mean 'P1'?"},
             {"wells.prod.radius=1", "prod: no entry of that name in the list; there are I1, P1"},
             {"wells.P1.oil_rat=1", "unknown key; did you mean 'wells[1].oil_rate'?"},
             {"wells.I1.type=producer", "well I1 becomes a producer: its new control is missing"}};
  for (size_t n = 0; n < sizeof bad / sizeof bad[0]; ++n) {
    hp_case *c = read_case(deck_base, 0, NULL);
    hp_diag diag;
    hp_diag_init(&diag);
    CHECK(hp_config_overlay(1, &bad[n].option, &diag, c) == HP_ERR_DECK);
    char *text = deck_messages(&diag);
    if (strstr(text, bad[n].message) == NULL) {
      fprintf(stderr, "%s\n  expected: %s\n  found: %s", bad[n].option, bad[n].message, text);
      CHECK(false);
    }
    free(text);
    hp_diag_clear(&diag);
    hp_case_destroy(&c);
  }
}

int main(void) {
  check_wrong();
  check_entries();
  check_slash();
  check_overlay_controls();
  check_overlay_grid();
  check_overlay_observed();
  check_overlay_report();
  check_overlay_units();
  check_overlay_wrong();
  deck_remove("deck.cfg");
  return check_result();
}
