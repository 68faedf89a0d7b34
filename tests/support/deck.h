/* Decks of a few lines for tests: written to a folder of their own, then read. */
#ifndef HP_TESTS_SUPPORT_DECK_H
#define HP_TESTS_SUPPORT_DECK_H

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/case/case.h"
#include "io/deck/deck.h"

static char deck_folder[64];

/* Makes the folder at the first call; files are left for the system to clear, the folder is small. */
static inline const char *deck_path(const char *name) {
  static char path[256];
  if (deck_folder[0] == '\0') {
    snprintf(deck_folder, sizeof deck_folder, "/tmp/hepta-deck-XXXXXX");
    if (mkdtemp(deck_folder) == NULL) abort();
  }
  snprintf(path, sizeof path, "%s/%s", deck_folder, name);
  return path;
}

static inline void deck_write(const char *name, const void *text, size_t size) {
  FILE *f = fopen(deck_path(name), "wb");
  if (f == NULL || fwrite(text, 1, size, f) != size || fclose(f) != 0) abort();
}

/* Removes a file of the folder, and the folder when it is empty. */
static inline void deck_remove(const char *name) {
  unlink(deck_path(name));
  rmdir(deck_folder);
}

/* Reads `text` as the deck deck.cfg; *diag is initialised here and cleared by the caller. */
static inline hp_status deck_read(const char *text, int nset, const char *const *set, hp_diag *diag, hp_case **out) {
  char path[256];
  deck_write("deck.cfg", text, strlen(text));
  snprintf(path, sizeof path, "%s", deck_path("deck.cfg"));
  hp_diag_init(diag);
  return hp_case_read(path, nset, set, diag, out);
}

/* The messages of diag as hp_diag_print shows them, without the folder's name (free). */
static inline char *deck_messages(const hp_diag *diag) {
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  if (f == NULL) abort();
  hp_diag_print(diag, f);
  fclose(f);
  const size_t length = strlen(deck_folder);
  for (char *at = text; length > 0 && (at = strstr(at, deck_folder)) != NULL;)
    memmove(at, at + length + 1, strlen(at + length + 1) + 1);
  return text;
}

#endif
