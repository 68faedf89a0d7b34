/* Small Eclipse decks for tests: a sound deck of 3 x 2 x 2 cells in sections
 * that a test replaces one by one, written to a temporary folder and read.
 *
 *     deck d = deck_base();
 *     d.grid = "...";
 *     hp_case *c = deck_case(&d);       read without errors, or NULL and a failure
 *     CHECK(deck_fails(&d, 12, "PORO: ..."));   the line in the deck, a part of the message
 *
 * Include after `#define _POSIX_C_SOURCE 200809L`.
 */
#ifndef HP_TESTS_SUPPORT_ECLIPSE_DECK_H
#define HP_TESTS_SUPPORT_ECLIPSE_DECK_H

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/case/case.h"
#include "io/deck/deck.h"
#include "tests/support/check.h"

typedef struct {
  const char *runspec, *grid, *edit, *props, *regions, *solution, *summary, *schedule;
} deck;

/* METRIC; cells of 100 x 50 x 10 m, tops 2000 m, porosity 0.25, 100 mD. */
static deck deck_base(void) {
  return (deck){
      .runspec = "TITLE\n small\nDIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\nSTART\n 1 JAN 2020 /\n",
      .grid =
          "DX\n 12*100 /\nDY\n 12*50 /\nDZ\n 12*10 /\nTOPS\n 6*2000 /\nPORO\n 12*0.25 /\n"
          "PERMX\n 12*100 /\nPERMY\n 12*100 /\nPERMZ\n 12*10 /\n",
      .edit = "",
      .props =
          "DENSITY\n 800 1000 1 /\nPVTW\n 200 1.0 4E-5 0.5 0 /\nPVCDO\n 200 1.1 1E-4 2.0 0 /\nROCK\n 200 5E-5 /\n"
          "SWOF\n 0.2 0 1 0\n 0.8 0.5 0 0 /\n",
      .regions = "",
      .solution = "EQUIL\n 2000 200 2100 0 /\n",
      .summary = "",
      .schedule =
          "WELSPECS\n 'I' 'G' 1 1 1* WATER /\n 'P' 'G' 3 2 1* OIL /\n/\n"
          "COMPDAT\n 'I' 2* 1 2 OPEN 2* 0.2 /\n 'P' 2* 1 2 OPEN 2* 0.2 /\n/\n"
          "WCONINJE\n 'I' WATER OPEN RATE 50 1* 400 /\n/\nWCONPROD\n 'P' OPEN BHP 5* 150 /\n/\nTSTEP\n 10 20 /\n"};
}

#define DECK_SIZES "DX\n 12*100 /\nDY\n 12*50 /\nDZ\n 12*10 /\nTOPS\n 6*2000 /\n"
#define DECK_ROCK "PORO\n 12*0.25 /\nPERMX\n 12*100 /\nPERMY\n 12*100 /\nPERMZ\n 12*10 /\n"

/* deck_base with DECK_SIZES and `rest` as its GRID section. */
static inline deck deck_with_rock(const char *rest) {
  static char grid[4096];
  deck d = deck_base();
  snprintf(grid, sizeof grid, "%s%s", DECK_SIZES, rest);
  d.grid = grid;
  return d;
}

/* a [ncell] at cell i, j, k, counted from 1. */
static inline double deck_at(const hp_case *c, const double *a, int i, int j, int k) {
  return a[hp_grid_cell(c->grid, i - 1, j - 1, k - 1)];
}

static const char *deck_folder(void) {
  static char folder[64];
  if (folder[0] == '\0') {
    strcpy(folder, "/tmp/hepta-deck-XXXXXX");
    if (mkdtemp(folder) == NULL) exit(2);
  }
  return folder;
}

/* Writes a file into the folder; its path stays valid until the next call but three. */
static const char *deck_write(const char *name, const char *text) {
  static char path[4][160];
  static int turn;
  char *p = path[turn = (turn + 1) % 4];
  snprintf(p, sizeof path[0], "%s/%s", deck_folder(), name);
  FILE *f = fopen(p, "wb");
  if (f == NULL || fwrite(text, 1, strlen(text), f) != strlen(text) || fclose(f) != 0) exit(2);
  return p;
}

static void deck_text(const deck *d, char *out, size_t size) {
  snprintf(out, size, "RUNSPEC\n%sGRID\n%s%s%sPROPS\n%s%s%sSOLUTION\n%s%s%sSCHEDULE\n%s", d->runspec, d->grid,
           d->edit[0] != '\0' ? "EDIT\n" : "", d->edit, d->props, d->regions[0] != '\0' ? "REGIONS\n" : "", d->regions,
           d->solution, d->summary[0] != '\0' ? "SUMMARY\n" : "", d->summary, d->schedule);
}

/* All messages of the latest reading, "LINE: text\n" each, errors with a leading '!'. */
static char deck_messages[1 << 16];

/* set: one --set, or NULL. */
static hp_status deck_read_file(const char *path, const char *set, hp_case **c) {
  hp_diag diag;
  hp_diag_init(&diag);
  const hp_status s = hp_case_read(path, set != NULL, &set, &diag, c);
  size_t n = 0;
  deck_messages[0] = '\0';
  for (int k = 0; k < diag.count && n + 1100 < sizeof deck_messages; ++k)
    n += (size_t)snprintf(deck_messages + n, sizeof deck_messages - n, "%s%d: %s\n", diag.item[k].error ? "!" : "",
                          diag.item[k].line, diag.item[k].text);
  hp_diag_clear(&diag);
  return s;
}

static hp_status deck_read_text(const char *text, hp_case **c) {
  return deck_read_file(deck_write("CASE.DATA", text), NULL, c);
}

static hp_status deck_read(const deck *d, hp_case **c) {
  static char text[1 << 16];
  deck_text(d, text, sizeof text);
  return deck_read_text(text, c);
}

static hp_case *deck_case(const deck *d) {
  hp_case *c = NULL;
  if (deck_read(d, &c) != HP_OK) {
    fprintf(stderr, "a sound deck was refused: %s\n%s", hp_fail_text(), deck_messages);
    check_failures += 1;
  }
  return c;
}

/* The first line of the deck that equals `line`. */
static int deck_line(const deck *d, const char *line) {
  static char text[1 << 16];
  deck_text(d, text, sizeof text);
  int n = 1;
  for (char *at = text; *at != '\0'; ++n) {
    char *end = strchr(at, '\n');
    if (end == NULL) end = at + strlen(at);
    if ((size_t)(end - at) == strlen(line) && strncmp(at, line, strlen(line)) == 0) return n;
    at = *end == '\0' ? end : end + 1;
  }
  return -1;
}

/* True if reading stops with an error at that line (0: none) whose text contains `part`. */
static bool deck_fails(const deck *d, int line, const char *part) {
  hp_case *c = NULL;
  const hp_status s = deck_read(d, &c);
  hp_case_destroy(&c);
  char head[32];
  snprintf(head, sizeof head, "!%d: ", line);
  for (const char *at = deck_messages; *at != '\0'; at = strchr(at, '\n') + 1) {
    const char *end = strchr(at, '\n'), *found = strstr(at, part);
    if (s == HP_ERR_DECK && strncmp(at, head, strlen(head)) == 0 && found != NULL && found < end) return true;
  }
  fprintf(stderr, "expected line %d: %s\ngot status %d and:\n%s", line, part, (int)s, deck_messages);
  return false;
}

/* True if the latest reading left a note that contains `part`. */
static bool deck_noted(const char *part) {
  if (strstr(deck_messages, part) != NULL) return true;
  fprintf(stderr, "expected a note: %s\ngot:\n%s", part, deck_messages);
  return false;
}

/* Removes what was written and gives the test's result. */
static int deck_end(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf '%s'", deck_folder());
  if (system(command) != 0) return 2;
  CHECK(hp_memory_now() == 0);
  return check_result();
}

/* Not every test uses everything above. */
static inline void deck_unused(void) {
  (void)deck_base, (void)deck_case, (void)deck_line, (void)deck_fails, (void)deck_noted, (void)deck_end;
  (void)deck_read_text;
}

#endif
