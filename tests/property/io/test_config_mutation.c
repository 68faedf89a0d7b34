/* Damaged decks: cut short, with bytes changed, doubled or taken out. Reading
 * must end with a case or with messages, never crash or hang. The changes come
 * from a fixed seed; a failure is found again by its number. */
#define _POSIX_C_SOURCE 200809L
#include "io/deck/deck.h"
#include "tests/support/check.h"
#include "tests/support/deck.h"
#include "tests/support/deck_base.h"

/* libconfig 1.5 itself loses an unfinished string at a parse error. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libconfig"; }

enum { ROUNDS = 600, ROOM = 16384 };

static uint64_t state;
static int readable; /* decks that were read in spite of their changes */

/* splitmix64 (Steele, Lea & Flood, OOPSLA 2014) */
static uint32_t draw(uint32_t below) {
  state += UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(hp_mix64(state) >> 32) % below;
}

static const char extra[] =
    "units = \"field\";\n"
    "timestep = { initial = 0.5; max = 30; };\n"
    "newton = { max_iterations = 15; };\n"
    "linear = { method = \"gmres\"; restart = 20; };\n"
    "output = { fields = true; compression = 2; };\n"
    "rock = { compressibility = 1e-5; };\n";

/* One damage; the length stays below ROOM. */
static void damage(char *text, size_t *length) {
  static const char sharp[] = "{}[]();=\"#/*@\\\n\t .,-+eEL01xX\x80\xff";
  const size_t at = draw((uint32_t)*length);
  switch (draw(5)) {
    case 0: *length = at; break;
    case 1: text[at] = (char)draw(256); break;
    case 2: text[at] = sharp[draw(sizeof sharp - 1)]; break;
    case 3: {
      const size_t n = draw(40) < *length - at ? draw(40) % (*length - at) : *length - at;
      memmove(text + at, text + at + n, *length - at - n);
      *length -= n;
      break;
    }
    default: { /* a stretch twice */
      const size_t n = *length - at < 60 ? *length - at : 60;
      if (*length + n >= ROOM) break;
      memmove(text + at + n, text + at, *length - at);
      *length += n;
    }
  }
  if (*length == 0) text[(*length)++] = ' ';
}

/* A letter or digit for another: the deck keeps its syntax and changes its meaning. */
static void reword(char *text, size_t length) {
  for (int tries = 0; tries < 100; ++tries) {
    const size_t at = draw((uint32_t)length);
    const char c = text[at];
    if (c >= '0' && c <= '9') {
      text[at] = (char)('0' + draw(10));
      return;
    }
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      text[at] = (char)('a' + draw(26));
      return;
    }
  }
}

/* A grid of a billion cells is no fault of the reader but would not fit here. */
static bool grid_is_small(const char *text, size_t length) {
  for (size_t n = 0, digits = 0; n < length; ++n) {
    digits = text[n] >= '0' && text[n] <= '9' ? digits + 1 : 0;
    if (digits > 3 && n > 3) {
      const char *size = strstr(text, "size");
      if (size != NULL && size < text + n && text + n < size + 30) return false;
    }
  }
  return true;
}

static void round_of(int number) {
  static const char rock[] =
      "permx = { generator = \"channels\"; seed = 3; width = 2.0; background = [1.0, 2.0];\n"
      "  channel = { generator = \"lognormal\"; mean = 9.0; log_stddev = 0.5; }; };\n"
      "  boxes = ( { i = [1, 2]; set = { ntg = 0.5; }; multiply = { permz = 0.1; }; } )";
  char text[ROOM + 1];
  CHECK(deck_change("permx = 100.0", rock, text, sizeof text));
  size_t length = strlen(text);
  length += (size_t)snprintf(text + length, sizeof text - length, "%s", extra);
  state = (uint64_t)number;
  for (uint32_t n = 1 + draw(4); n > 0; --n)
    if (number % 2 == 0) damage(text, &length);
    else reword(text, length);
  text[length] = '\0';
  if (!grid_is_small(text, length)) return;
  deck_write("deck.cfg", text, length);
  hp_diag diag;
  hp_case *c = NULL;
  hp_diag_init(&diag);
  const hp_status status = hp_case_read(deck_path("deck.cfg"), 0, NULL, &diag, &c);
  readable += status == HP_OK;
  const bool sound = status == HP_OK ? c != NULL && diag.errors == 0 : c == NULL;
  const bool reported = status == HP_OK || (status == HP_ERR_DECK && diag.errors > 0);
  if (!sound || !reported) {
    fprintf(stderr, "round %d: status %s, %d errors\n", number, hp_status_text(status), diag.errors);
    CHECK(false);
  }
  char *messages = deck_messages(&diag);
  CHECK((messages[0] != '\0') == (diag.errors + diag.notes > 0));
  free(messages);
  hp_case_destroy(&c);
  hp_diag_clear(&diag);
}

/* The same for the text of --set. */
static void set_round(int number) {
  static const char *const good[] = {"linear.tolerance=1e-3", "wells.P1.radius=0.2", "grid.dz=[1.0,2.0]",
                                     "wells[0].name=\"X\"", "schedule=({time=1.0;well=\"*\";status=\"shut\";})"};
  char text[ROOM + 1];
  state = 1000000 + (uint64_t)number;
  size_t length = (size_t)snprintf(text, sizeof text, "%s", good[draw(5)]);
  for (uint32_t n = 1 + draw(3); n > 0; --n) damage(text, &length);
  text[length] = '\0';
  const char *set[1] = {text};
  hp_diag diag;
  hp_case *c = NULL;
  const hp_status status = deck_read(deck_base, 1, set, &diag, &c);
  CHECK(status == HP_OK || (status == HP_ERR_DECK && diag.errors > 0 && c == NULL));
  hp_case_destroy(&c);
  hp_diag_clear(&diag);
}

int main(void) {
  for (int n = 0; n < ROUNDS; ++n) round_of(n);
  for (int n = 0; n < ROUNDS / 2; ++n) set_round(n);
  CHECK(readable > ROUNDS / 50 && readable < ROUNDS / 2);
  deck_remove("deck.cfg");
  return check_result();
}
