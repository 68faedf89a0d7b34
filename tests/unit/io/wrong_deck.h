/* Decks of hepta's own that are refused. */
#ifndef HP_TESTS_UNIT_IO_WRONG_DECK_H
#define HP_TESTS_UNIT_IO_WRONG_DECK_H

#include "tests/support/check.h"
#include "tests/support/deck.h"
#include "tests/support/deck_base.h"

/* The right deck with one change is refused with the message, "": it is read. */
static inline void deck_check_wrong(const char *from, const char *to, const char *message) {
  char deck[8192];
  if (!deck_change(from, to, deck, sizeof deck)) {
    fprintf(stderr, "no '%s' in the base deck\n", from);
    CHECK(false);
    return;
  }
  hp_diag diag;
  hp_case *c = NULL;
  const hp_status status = deck_read(deck, 0, NULL, &diag, &c);
  char *messages = deck_messages(&diag);
  const bool expected = message[0] == '\0' ? status == HP_OK : status == HP_ERR_DECK && diag.errors > 0;
  if (!expected || strstr(messages, message) == NULL) {
    fprintf(stderr, "for '%s'\n  expected: %s\n  found (%s):\n%s", to, message, hp_status_text(status), messages);
    CHECK(false);
  }
  CHECK((status == HP_OK) == (c != NULL));
  free(messages);
  hp_case_destroy(&c);
  hp_diag_clear(&diag);
}

#endif
