/* Decks and options from bytes. */
#define _XOPEN_SOURCE 700
#include "tests/fuzz/fuzz.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/case/case.h"
#define deck_base base_text /* both headers have one */
#include "tests/support/deck_base.h"
#undef deck_base
#include "io/deck/deck.h"
#include "tests/support/eclipse_deck.h"

long fuzz_sound;

/* libconfig 1.5 itself loses an unfinished string at a parse error. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libconfig"; }

void fuzz_fail(const char *what, const char *about) {
  fprintf(stderr, "fuzz: %s: %s\n", what, about);
  abort();
}

/* ---- the folder ---- */

static char folder[64];

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *at) {
  (void)st, (void)kind, (void)at;
  return remove(path);
}

static void remove_folder(void) {
  fuzz_guard(NULL);
  nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_folder(void) {
  if (folder[0] != '\0') return folder;
  snprintf(folder, sizeof folder, "/tmp/hepta-fuzz-XXXXXX");
  if (mkdtemp(folder) == NULL) exit(2);
  atexit(remove_folder);
  return folder;
}

const char *fuzz_path(const char *name) {
  static char path[4][160];
  static int turn;
  char *p = path[turn = (turn + 1) % 4];
  snprintf(p, sizeof path[0], "%s/%s", fuzz_folder(), name);
  return p;
}

void fuzz_write(const char *name, const void *text, size_t size) {
  FILE *f = fopen(fuzz_path(name), "wb");
  if (f == NULL || fwrite(text, 1, size, f) != size || fclose(f) != 0) exit(2);
}

/* ---- cases ---- */

/* Reads as `hepta check` does; a case, or errors that name a file, and nothing left. */
static void read_case(const char *name, int nset, const char *const *set) {
  hp_diag diag;
  hp_case *c = NULL;
  hp_diag_init(&diag);
  char path[160];
  snprintf(path, sizeof path, "%s", fuzz_path(name));
  const int64_t held = hp_memory_now(); /* by the run that cases of restarts go on from */
  hp_memory_limit(held + FUZZ_HELD);
  fuzz_guard(fuzz_folder());
  const hp_status s = hp_case_read(path, nset, set, &diag, &c);
  const bool sound = s == HP_OK ? c != NULL && diag.errors == 0 : c == NULL;
  const bool reported = s == HP_OK || s == HP_ERR_MEMORY || (s == HP_ERR_DECK && diag.errors > 0);
  for (int n = 0; n < diag.count; ++n)
    if (diag.item[n].file == NULL || diag.item[n].text[0] == '\0')
      fuzz_fail("a message without a file", diag.item[n].text);
  if (!sound || !reported) fuzz_fail(hp_status_text(s), hp_fail_text());
  fuzz_sound += s == HP_OK;
  hp_case_destroy(&c);
  hp_diag_clear(&diag);
  fuzz_guard(NULL);
  hp_memory_limit(0);
  if (hp_memory_now() != held) fuzz_fail("memory is lost", name);
}

/* Where "\n%%\n" begins, NULL: nowhere. */
static const char *next_part(const char *text, size_t size) {
  for (size_t n = 0; n + 4 <= size; ++n)
    if (memcmp(text + n, "\n%%\n", 4) == 0) return text + n;
  return NULL;
}

/* The deck and the files after lines "%%". */
static void text_case(const char *name, const char *text, size_t size) {
  static const char *const part[] = {NULL, "a.inc", "b.inc", "r.FUNRST"};
  enum { PARTS = 4 };
  for (int n = 1; n < PARTS; ++n) unlink(fuzz_path(part[n]));
  for (int n = 0; n < PARTS; ++n) {
    const char *end = n + 1 < PARTS ? next_part(text, size) : NULL;
    const size_t length = end != NULL ? (size_t)(end - text) : size;
    fuzz_write(n == 0 ? name : part[n], text, length);
    if (end == NULL) break;
    size -= length + 4;
    text = end + 4;
  }
  read_case(name, 0, NULL);
}

static void set_case(const char *name, const char *text, size_t size) {
  enum { OPTIONS = 4 };
  const char *set[OPTIONS];
  int n = 0;
  char *copy = malloc(size + 1);
  if (copy == NULL) exit(2);
  memcpy(copy, text, size);
  copy[size] = '\0';
  for (char *at = copy; at != NULL && n < OPTIONS;) {
    set[n++] = at;
    at = strchr(at, '\n');
    if (at != NULL) *at++ = '\0';
  }
  read_case(name, n, set);
  free(copy);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  static char text[1 << 13];
  const deck d = deck_base();
  deck_text(&d, text, sizeof text);
  fuzz_write("base.cfg", base_text, strlen(base_text));
  fuzz_write("BASE.DATA", text, strlen(text));
  fuzz_restart_prepare();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  const char *text = (const char *)data + 1;
  switch (data[0]) {
    case 'c': text_case("deck.cfg", text, size - 1); break;
    case 'e': text_case("DECK.DATA", text, size - 1); break;
    case 's': set_case("base.cfg", text, size - 1); break;
    case 'S': set_case("BASE.DATA", text, size - 1); break;
    case 'r': fuzz_restart(data + 1, size - 1, false); break;
    case 'R': fuzz_restart(data + 1, size - 1, true); break;
    default: break;
  }
  return 0;
}
