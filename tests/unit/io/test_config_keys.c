/* No key is read and forgotten: for every key of the table there is a --set
 * option here that changes the case. Each option is tried on a deck and as an
 * overlay on the finished case; both must change it, and to the same case. */
#define _POSIX_C_SOURCE 200809L
#include "io/config/config.h"
#include "tests/support/cases/case_text.h"
#include "tests/support/cases/config_changes.h"
#include "tests/support/check.h"
#include "tests/support/deck.h"
#include "tests/support/deck_base.h"
#include "tests/support/deck_corners.h"

static hp_case *read_case(int nset, const char *const *set, const char *what) {
  hp_diag diag;
  hp_case *c = NULL;
  if (deck_read(deck_base, nset, set, &diag, &c) != HP_OK) {
    fprintf(stderr, "%s:\n", what);
    hp_diag_print(&diag, stderr);
    CHECK(false);
  }
  hp_diag_clear(&diag);
  return c;
}

static bool differs(const char *a, const char *b) { return strcmp(a, b) != 0; }

static void try_deck(const char *before, const char *option, char **changed_text) {
  const char *const set[2] = {before != NULL ? before : option, option};
  hp_case *c = read_case(before != NULL ? 1 : 0, set, before), *d = read_case(before != NULL ? 2 : 1, set, option);
  *changed_text = NULL;
  if (c != NULL && d != NULL) {
    char *a = print_case(c);
    *changed_text = print_case(d);
    if (!differs(a, *changed_text)) {
      fprintf(stderr, "%s: changes nothing\n", option);
      CHECK(false);
    }
    free(a);
  }
  hp_case_destroy(&c);
  hp_case_destroy(&d);
}

/* The option laid over the finished case. */
static void try_overlay(const char *before, const char *option, const char *as_deck) {
  hp_case *c = read_case(before != NULL ? 1 : 0, &before, before);
  hp_diag diag;
  hp_diag_init(&diag);
  if (c != NULL && hp_config_overlay(1, &option, &diag, c) != HP_OK) {
    fprintf(stderr, "overlay %s:\n", option);
    hp_diag_print(&diag, stderr);
    CHECK(false);
  } else if (c != NULL) {
    hp_case_drop_late(c, &diag); /* as hp_case_read does */
    char *b = print_case(c);
    /* a deck's permy follows permx and its schedule inherits from its wells: there the two may differ */
    const bool alike = strncmp(option, "grid.permx", 10) != 0 && strncmp(option, "wells", 5) != 0 &&
                       strncmp(option, "grid.boxes", 10) != 0 && strncmp(option, "units", 5) != 0;
    if (alike && differs(b, as_deck)) {
      fprintf(stderr, "%s: over a case it gives another result than in the deck:\n%s\nin the deck:\n%s\n", option, b,
              as_deck);
      CHECK(false);
    }
    hp_case *plain = read_case(before != NULL ? 1 : 0, &before, before);
    char *a = print_case(plain);
    if (!differs(a, b)) {
      fprintf(stderr, "%s: changes nothing when laid over a case\n", option);
      CHECK(false);
    }
    free(a);
    free(b);
    hp_case_destroy(&plain);
  }
  hp_diag_clear(&diag);
  hp_case_destroy(&c);
}

static void check_all_keys(void) {
  int count;
  const hp_config_key *key = hp_config_keys(&count);
  for (int n = 0; n < count; ++n) {
    bool found = key[n].kind == HP_KEY_GROUP || key[n].kind == HP_KEY_LIST;
    for (int m = 0; m < CHANGES && !found; ++m) found = strcmp(change[m].key, key[n].path) == 0;
    if (!found) {
      fprintf(stderr, "%s: no option tries this key\n", key[n].path);
      CHECK(false);
    }
  }
}

/* Keys that the choices made do not read: a note each, and none where they are read. */
static void check_unread(void) {
  static const struct {
    const char *linear, *note;
  } rows[] = {
      {"restart = 20;", "linear.restart: without effect: of the method gmres only"},
      {"method = \"gmres\"; restart = 20;", NULL},
      {"preconditioner = \"dilu\"; cpr = { damping = 0.7; };",
       "linear.cpr: without effect: the preconditioner is not cpr"},
      {"cpr = { damping = 0.7; };", NULL},
      {"cpr = { damping = 0.7; smoother = \"chebyshev\"; order = 3; };",
       "linear.cpr.damping: without effect: of the smoothers damped-jacobi and block-jacobi only"},
      {"cpr = { order = 3; };", "linear.cpr.order: without effect: of the smoother chebyshev only"},
      {"cpr = { block = 3; };", "linear.cpr.block: without effect: of the smoothers block-jacobi"},
      {"cpr = { block = 3; smoother = \"block-gauss-seidel\"; };", NULL},
      {"cpr = { domains = 3; };", "linear.cpr.domains: without effect: of the smoothers hybrid and schwarz only"},
      {"cpr = { domain = 300; smoother = \"hybrid\"; };", NULL},
      {"cpr = { seed = 5; };", NULL},
      {"cpr = { coarsening = \"rs\"; seed = 5; };",
       "linear.cpr.seed: without effect: of the coarsenings pmis, hmis and cljp only"},
      {"cpr = { interpolation = \"averaging\"; truncation = 0.1; };",
       "linear.cpr.truncation: without effect: of the interpolations extended+i, classical and direct only"},
      {"cpr = { amg = \"hypre\"; format = \"csr\"; };", "linear.cpr.format: without effect: of hepta's multigrid only"},
      {"cpr = { amg = \"hypre\"; seed = 5; };", "linear.cpr.seed: without effect: of hepta's multigrid only"},
      {"cpr = { amg = \"hypre\"; smoother = \"hybrid\"; domain = 50; };",
       "linear.cpr.domain: without effect: of hepta's multigrid only"},
  };
  for (size_t n = 0; n < sizeof rows / sizeof rows[0]; ++n) {
    char deck[8192], linear[256];
    hp_diag diag;
    hp_case *c = NULL;
    snprintf(linear, sizeof linear, "linear = { %s }; title", rows[n].linear);
    CHECK(deck_change("title", linear, deck, sizeof deck));
    CHECK_OK(deck_read(deck, 0, NULL, &diag, &c));
    char *messages = deck_messages(&diag);
    CHECK(diag.notes == (rows[n].note != NULL));
    CHECK(rows[n].note == NULL || strstr(messages, rows[n].note) != NULL);
    free(messages);
    hp_case_destroy(&c);
    hp_diag_clear(&diag);
  }
}

int main(void) {
  write_options();
  write_corners();
  check_all_keys();
  for (int n = 0; n < CHANGES; ++n) {
    char *changed;
    if (change[n].option == NULL) continue;
    try_deck(change[n].before, change[n].option, &changed);
    if (!change[n].deck && changed != NULL) try_overlay(change[n].before, change[n].option, changed);
    free(changed);
  }
  check_unread();
  remove_options();
  remove_corners();
  deck_remove("deck.cfg");
  return check_result();
}
