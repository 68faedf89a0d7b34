/* --set over an Eclipse deck (tests/support/cases/eclipse_twin.h): another size of the grid, and what is refused, where and why. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "core/memory.h"
#include "io/config/config.h"
#include "io/deck/deck.h"
#include "tests/support/cases/case_text.h"
#include "tests/support/cases/eclipse_twin.h"
#include "tests/support/check.h"
#include "tests/support/deck.h"
#include "tests/support/deck_base.h"

/* ---- the size of the grid ---- */

static bool is_reported(const hp_diag *diag, int line, const char *text) {
  for (int n = 0; n < diag->count; ++n)
    if (diag->item[n].error && diag->item[n].line == line && strstr(diag->item[n].text, text) != NULL) return true;
  return false;
}

static int line_of(const char *text, const char *at) {
  int line = 1;
  for (const char *c = text, *end = strstr(text, at); c < end; ++c) line += *c == '\n';
  return line;
}

static void check_size(void) {
  /* each array that does not fit, with its line and the key that would help; what is in boxes fits */
  hp_diag diag;
  hp_case *c;
  const char *const larger[] = {"grid.size=[5,3,4]", NULL};
  CHECK(read_options("CASE.DATA", twin, larger, &diag, &c) == HP_ERR_DECK && diag.errors == 3);
  CHECK(is_reported(&diag, line_of(twin, "DX\n"),
                    "DX: 24 values, the box has 60 cells; DIMENS is 4 x 3 x 2, --set makes "
                    "it 5 x 3 x 4: give grid.dx by --set too"));
  CHECK(is_reported(&diag, line_of(twin, "DZ\n"), "DZ: 24 values, the box has 60 cells"));
  CHECK(is_reported(&diag, line_of(twin, "TOPS\n"), "TOPS: 12 values, the box has 60 cells"));
  hp_diag_clear(&diag);
  /* wells that a smaller grid leaves outside */
  const char *const smaller[] = {"grid.size[2]=1", "grid.dx=20.0", "grid.dz=2.0", NULL};
  CHECK(read_options("CASE.DATA", twin, smaller, &diag, &c) == HP_ERR_DECK && diag.errors == 2);
  CHECK(is_reported(&diag, line_of(twin, " '*' 2* 1 2 OPEN"), "well I1: cell (1,1,2) is outside the grid"));
  CHECK(is_reported(&diag, line_of(twin, " '*' 2* 1 2 OPEN"), "give wells.P1.k, .i, .j or .cells by --set too"));
  hp_diag_clear(&diag);
  /* a copy of an array that is given anew */
  const char *const copied[] = {"grid.size=[5,3,2]", "grid.dx=20.0",    "grid.dz=2.0",
                                "grid.top=2000.0",   "grid.permx=50.0", NULL};
  CHECK(read_options("CASE.DATA", twin, copied, &diag, &c) == HP_ERR_DECK && diag.errors == 2);
  CHECK(is_reported(&diag, line_of(twin, " PERMX PERMZ"), "PERMZ is a copy of PERMX, which --set gives anew"));
  hp_diag_clear(&diag);
  CHECK(read_options("CASE.DATA", twin, (const char *const[]){"grid.size=[0,3,2]", NULL}, &diag, &c) == HP_ERR_DECK);
  CHECK(is_reported(&diag, 0, "0: must be > 0"));
  hp_diag_clear(&diag);
  /* everything fits or is given: the same as the hepta deck of that size */
  const char *const fitting[] = {COREY,
                                 TIMES,
                                 "grid.size=[5,4,3]",
                                 "grid.dx=20.0",
                                 "grid.dy=25.0",
                                 "grid.dz=2.5",
                                 "grid.top=2000.0",
                                 "wells.P1.i=5",
                                 "wells.P1.k=[1,3]",
                                 "wells.I1.k=[2,3]",
                                 NULL};
  c = read_eclipse(twin, fitting);
  hp_case *h = NULL;
  CHECK_OK(read_options("deck.cfg", deck_base, fitting, &diag, &h));
  hp_diag_clear(&diag);
  if (c != NULL && h != NULL) {
    char *a = print_case(c), *b = print_case(h);
    if (strcmp(strchr(a, '\n'), strchr(b, '\n')) != 0) {
      fprintf(stderr, "another size:\n");
      show_difference(strchr(a, '\n'), strchr(b, '\n'));
      CHECK(false);
    }
    free(a);
    free(b);
  }
  hp_case_destroy(&c);
  hp_case_destroy(&h);
}

/* ---- refusals ---- */

static void check_refused(void) {
  static const struct {
    const char *option, *message;
  } bad[] = {
      {"grid.boxes[0].i=2", "[0]: the list has 0 entries"},
      {"schedule[1].bhp=1", "[1]: the list has 1 entries, counted from 0"},
      {"schedule[0].bhp=-1", "--set schedule[0].bhp=-1: -1 bar: must be > 0"},
      {"schedule[0].well=Q", "'Q': no such well"},
      {"wells.P1.cells[0][2]=9", "well P1: cell 4,3,9 is outside the grid of 4 x 3 x 2"},
      {"wells.P1.path[0][2]=9", "path: there is no list of that name"},
      {"fluids.oil.table[0][0]=9", "table: there is no list of that name"},
      {"initial.pressure[3]=9", "pressure: there is no list of that name"},
      {"saturation.swc=0.1", "not used by this model"},
      {"grid.porosity[24]=0.1", "[24]: the list has 24 entries"},
      {"report.times[1]=5", "times must rise"},
      {"poros=5", "unknown key"},
  };
  for (size_t n = 0; n < sizeof bad / sizeof bad[0]; ++n) {
    hp_diag diag;
    hp_case *c;
    const hp_status status = read_options("CASE.DATA", twin, (const char *const[]){bad[n].option, NULL}, &diag, &c);
    char *text = deck_messages(&diag);
    if (status != HP_ERR_DECK || strstr(text, bad[n].message) == NULL) {
      fprintf(stderr, "%s\n  expected: %s\n  found: %s", bad[n].option, bad[n].message, text);
      CHECK(false);
    }
    free(text);
    hp_diag_clear(&diag);
    hp_case_destroy(&c);
  }
}

/* Decks whose words an option cannot be laid over; `from` of the twin becomes `to`, `dims` stands in RUNSPEC. */
static void check_not_over(void) {
  static const struct {
    const char *dims, *from, *to, *option, *message;
  } bad[] = {
      {"", "DX\n 24*20 /\nDYV\n 3*25 /\nDZ\n 12*2 12*3 /\nTOPS\n 12*2000 /\n", "COORD\n 120*0 /\nZCORN\n 192*0 /\n",
       "grid.porosity=0.3",
       "the grid is given by its corners (COORD, ZCORN): options about grid cannot be laid over it"},
      {"", "PROPS\n", "FAULTS\n A 1 1 1 3 1 2 X /\n/\nPROPS\n", "grid.size=[5,3,2]",
       "faults do not move to a grid of another size"},
      {"", "TSTEP\n 20 /\n", "WPIMULT\n P1 2 2* 2 /\n/\nTSTEP\n 20 /\n", "wells.P1.cells=((3,3,1))",
       "well P1: the connection that changes here has been moved by --set"},
      {"", "TSTEP\n 20 /\n", "COMPDAT\n P1 2* 2 2 OPEN 2* 0.3 /\n/\nTSTEP\n 20 /\n",
       "wells.P1.path=([10.0,10.0,2000.0],[10.0,10.0,2005.0])",
       "well P1: the connection that changes here has been moved by --set"},
      {"TABDIMS\n 2 /\n", " 0.8 1 0 0 /\n", " 0.8 1 0 0 /\n /\n", "saturation.table[1][2]=0.5",
       "this deck has 2 of them, one for each region: they cannot be changed by --set"},
      {"EQLDIMS\n 2 /\n", "EQUIL\n 2000 200 3000 0 4* 0 /\n", "EQUIL\n 2000 200 3000 0 4* 0 /\n /\n",
       "initial.contact_depth=2500", "this deck has 2 regions of equilibrium: they cannot be changed by --set"},
      {"EQLDIMS\n 3 /\n", "SOLUTION\nEQUIL\n 2000 200 3000 0 4* 0 /\n",
       "REGIONS\nEQLNUM\n 23*1 3 /\nSOLUTION\nPRESSURE\n 24*200 /\nSWAT\n 24*0.3 /\n",
       "initial=({datum_depth=2000;datum_pressure=200;contact_depth=3000;},"
       "{datum_depth=2000;datum_pressure=210;contact_depth=3000;})",
       "2 entries, and a cell of the deck is in region 3 of them"},
      {"", "TSTEP\n 20 /\n", "TSTEP\n 20 /\n", "schedule[0].multiply_index=2",
       "perforations and multiply_index can be given in a whole schedule=(...) only"},
  };
  for (size_t n = 0; n < sizeof bad / sizeof bad[0]; ++n) {
    static char text[8192];
    const char *units = strstr(twin, "METRIC\n"), *at = strstr(twin, bad[n].from);
    CHECK(at != NULL);
    if (at == NULL) continue;
    snprintf(text, sizeof text, "%.*s%s%.*s%s%s", (int)(units - twin), twin, bad[n].dims, (int)(at - units), units,
             bad[n].to, at + strlen(bad[n].from));
    hp_diag diag;
    hp_case *c;
    const hp_status status = read_options("CASE.DATA", text, (const char *const[]){bad[n].option, NULL}, &diag, &c);
    char *messages = deck_messages(&diag);
    if (status != HP_ERR_DECK || strstr(messages, bad[n].message) == NULL) {
      fprintf(stderr, "%s\n  expected: %s\n  found: %s", bad[n].option, bad[n].message, messages);
      CHECK(false);
    }
    free(messages);
    hp_diag_clear(&diag);
    hp_case_destroy(&c);
  }
}

int main(void) {
  check_size();
  check_refused();
  check_not_over();
  deck_remove("deck.cfg");
  deck_remove("CASE.DATA");
  CHECK(hp_memory_now() == 0);
  return check_result();
}
