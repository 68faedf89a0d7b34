/* Files that are no decks, and decks that name such files: answered with file and line, in both formats. */
#define _POSIX_C_SOURCE 200809L
#include "io/deck/deck.h"
#include "tests/support/check.h"
#include "tests/support/deck.h"
#include "tests/support/deck_base.h"

/* libconfig 1.5 itself loses an unfinished string at a parse error. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libconfig"; }

/* Reading the file reports an error whose beginning is `begins`, "FILE:LINE: text". */
static void check_said(const char *name, const char *begins) {
  hp_diag diag;
  hp_case *c = NULL;
  char path[256];
  hp_diag_init(&diag);
  snprintf(path, sizeof path, "%s", deck_path(name));
  CHECK(hp_case_read(path, 0, NULL, &diag, &c) == HP_ERR_DECK && c == NULL && diag.errors > 0);
  char *said = deck_messages(&diag);
  bool found = false;
  for (size_t n = 0, size = strlen(said); n < size; ++n)
    found = found || ((n == 0 || said[n - 1] == '\n') && strncmp(said + n, begins, strlen(begins)) == 0);
  if (!found) {
    fprintf(stderr, "%s: expected '%s', got:\n%s", name, begins, said);
    check_failures += 1;
  }
  free(said);
  hp_diag_clear(&diag);
}

static void say(const char *name, const char *text, size_t size, const char *begins) {
  deck_write(name, text, size);
  check_said(name, begins);
}
#define SAY(name, text, begins) say(name, text, sizeof(text) - 1, begins)

static void check_files(void) {
  SAY("a.cfg", "", "a.cfg:1: the file is empty");
  SAY("a.cfg", "\xEF\xBB\xBF\r\n \t\r\n", "a.cfg:1: the file is empty");
  SAY("A.DATA", "", "A.DATA:1: DIMENS is missing: the file is empty");
  SAY("A.DATA", "\xEF\xBB\xBF\r\n", "A.DATA:1: DIMENS is missing: the file is empty");
  SAY("a.cfg",
      "\x7f"
      "ELF\n\x02\0\0",
      "a.cfg:2: has a zero byte in it");
  SAY("A.DATA",
      "\n\x7f"
      "ELF\x02\0\0",
      "A.DATA:2: a keyword is expected here");
  SAY("a.cfg",
      "\xEF\xBB\xBF"
      "title = \"x\";\r\ngrid = {\r\n  sise = 3;\r\n};\r\n",
      "a.cfg:3: grid.sise: unknown key");
  SAY("A.DATA", "\xEF\xBB\xBFRUNSPEC\r\nDIMENS\r\n 2 x 1 /\r\n", "A.DATA:3: DIMENS");
}

static void check_includes(void) {
  SAY("a.cfg", "title = \"x\";\n@include \"a.cfg\"\n", "a.cfg:2: @include: a.cfg: the file includes itself");
  SAY("A.DATA", "RUNSPEC\nINCLUDE\n 'A.DATA' /\n", "A.DATA:3: INCLUDE: the file includes itself");
  deck_write("b.cfg", "\n\n@include \"a.cfg\"\n", 19);
  SAY("a.cfg", "\n@include \"b.cfg\"\n", "b.cfg:3: @include: a.cfg: the file includes itself, or one that includes it");
  deck_write("B.DATA", "INCLUDE\n 'A.DATA' /\n", 20);
  SAY("A.DATA", "INCLUDE\n 'B.DATA' /\n", "B.DATA:2: INCLUDE: the file includes itself, or one that includes it");
  /* a folder: libconfig would end the program; a pipe: nobody writes to it */
  SAY("a.cfg", "\n@include \".\"\n", "a.cfg:2: @include: .: not a file that can be read");
  CHECK(mkfifo(deck_path("pipe"), 0600) == 0);
  SAY("a.cfg", "\n@include \"pipe\"\n", "a.cfg:2: @include: pipe: not a file that can be read");
  SAY("A.DATA", "INCLUDE\n 'pipe' /\n", "A.DATA:2: INCLUDE: pipe: not a file that can be read");
  CHECK(symlink("loop", deck_path("loop")) == 0);
  SAY("a.cfg", "\n@include \"loop\"\n", "a.cfg:2: @include: loop: cannot open: ");
  SAY("A.DATA", "INCLUDE\n 'loop' /\n", "A.DATA:2: INCLUDE: loop: no such file");
  SAY("a.cfg", "\n@include \"none\"\n", "a.cfg:2: @include: none: no such file");
  deck_write("b.inc", "\0", 1);
  SAY("a.cfg", "\n@include \"b.inc\"\n", "a.cfg:2: @include: b.inc: has a zero byte in it");
}

/* Ten files of ten lines each, which include the next: 10^9 files, and no loop. */
static void check_fan(void) {
  for (int n = 0; n < 9; ++n) {
    char name[2][16], own[512] = "", data[512] = "";
    snprintf(name[0], sizeof name[0], "l%d", n);
    snprintf(name[1], sizeof name[1], "L%d.DATA", n);
    for (int k = 0; k < 10; ++k) {
      snprintf(own + strlen(own), sizeof own - strlen(own), "@include \"l%d\"\n", n + 1);
      snprintf(data + strlen(data), sizeof data - strlen(data), "INCLUDE\n 'L%d.DATA' /\n", n + 1);
    }
    deck_write(name[0], own, strlen(own));
    deck_write(name[1], data, strlen(data));
  }
  deck_write("l9", "\n", 1);
  deck_write("L9.DATA", "\n", 1);
  SAY("a.cfg", "@include \"l0\"\n", "l8:");
  SAY("A.DATA", "INCLUDE\n 'L0.DATA' /\n", "L8.DATA:");
}

static void check_numbers(void) {
  char text[4096];
  CHECK(deck_change("permx = 100.0", "permx = { file = \"b.inc\"; format = \"eclipse\"; keyword = \"PERMX\"; }", text,
                    sizeof text));
  deck_write("b.inc", "PERMX\n 1000000000000*1 /\n", 25);
  say("a.cfg", text, strlen(text), "a.cfg:9: grid.permx: b.inc:2: a repeat is N*value");
  SAY("A.DATA", "RUNSPEC\nDIMENS\n 3 2 2 /\nOIL\nWATER\nGRID\nPORO\n 1000000000000*1 /\n", "A.DATA:8: PORO");
  SAY("A.DATA", "RUNSPEC\nDIMENS\n 3 2 2 /\nOIL\nWATER\nGRID\nPORO\n 99999999999999999999999*1 /\n", "A.DATA:8: PORO");
  static char deep[200003];
  memcpy(deep, "a =\n", 4);
  memset(deep + 4, '(', sizeof deep - 5);
  say("a.cfg", deep, strlen(deep), "a.cfg:2: memory exhausted");
}

int main(void) {
  check_files();
  check_includes();
  check_fan();
  check_numbers();
  static const char *const left[] = {"a.cfg", "A.DATA", "b.cfg", "B.DATA", "b.inc", "pipe", "loop"};
  for (size_t n = 0; n < sizeof left / sizeof *left; ++n) unlink(deck_path(left[n]));
  for (int n = 0; n < 10; ++n) {
    char name[16];
    snprintf(name, sizeof name, "l%d", n);
    unlink(deck_path(name));
    snprintf(name, sizeof name, "L%d.DATA", n);
    deck_remove(name);
  }
  return check_result();
}
