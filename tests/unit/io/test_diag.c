/* The list of a deck's faults: order, limits, the nearest name. */
#define _POSIX_C_SOURCE 200809L
#include "io/diag.h"

#include "tests/support/check.h"
#include "tests/support/deck.h"

static void check_order(void) {
  hp_diag d;
  hp_diag_init(&d);
  hp_diag_error(&d, "b.cfg", 9, "last of b");
  hp_diag_error(&d, "a.cfg", 5, "a %d", 5);
  hp_diag_note(&d, "b.cfg", 2, "first of b");
  hp_diag_error(&d, "a.cfg", 5, "a 5 again");
  hp_diag_error(&d, "a.cfg", 0, "a");
  hp_diag_error(&d, NULL, 0, "nowhere");
  CHECK(d.errors == 5 && d.notes == 1 && d.count == 6);
  char *text = deck_messages(&d);
  CHECK(strcmp(text,
               "b.cfg:2: note: first of b\nb.cfg:9: last of b\n"
               "a.cfg: a\na.cfg:5: a 5\na.cfg:5: a 5 again\nnowhere\n") == 0);
  free(text);
  hp_diag_clear(&d);
  CHECK(d.count == 0 && d.errors == 0);
}

/* Far more faults than are kept: all counted, twenty printed. */
static void check_limit(void) {
  enum { MANY = 100000 };
  hp_diag d;
  hp_diag_init(&d);
  for (int n = 0; n < MANY; ++n) hp_diag_error(&d, "x.cfg", n + 1, "fault");
  CHECK(d.errors == MANY && d.count < MANY);
  char *text = deck_messages(&d);
  int lines = 0;
  for (const char *c = text; *c != '\0'; ++c) lines += *c == '\n';
  CHECK(lines == HP_DIAG_MAX + 1);
  CHECK(strstr(text, "... and 99980 more errors\n") != NULL);
  free(text);
  hp_diag_clear(&d);
}

static void check_nearest(void) {
  static const char *const names[] = {"porosity", "permx", "permy", "top", "tops", "P1"};
  CHECK(strcmp(hp_nearest("poroity", names, 6), "porosity") == 0);
  CHECK(strcmp(hp_nearest("prosoity", names, 6), "porosity") == 0);
  CHECK(strcmp(hp_nearest("permy", names, 6), "permy") == 0);
  CHECK(strcmp(hp_nearest("pemrx", names, 6), "permx") == 0);
  CHECK(strcmp(hp_nearest("topp", names, 6), "top") == 0);
  CHECK(strcmp(hp_nearest("P2", names, 6), "P1") == 0);
  CHECK(hp_nearest("xyzzy", names, 6) == NULL);
  CHECK(hp_nearest("", names, 6) == NULL);
  CHECK(hp_nearest("a", names, 6) == NULL);
  CHECK(hp_nearest("permx", names, 0) == NULL);
  char lengthy[300];
  memset(lengthy, 'p', sizeof lengthy - 1);
  lengthy[sizeof lengthy - 1] = '\0';
  CHECK(hp_nearest(lengthy, names, 6) == NULL);
}

int main(void) {
  check_order();
  check_limit();
  check_nearest();
  return check_result();
}
