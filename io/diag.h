/* Faults of a deck, collected to be reported together.
 *
 *     egg.cfg:42: wells[3].radius: -0.1 m: must be > 0
 *     egg.cfg:57: grid.poroity: unknown key; did you mean 'porosity'?
 */
#ifndef HP_IO_DIAG_H
#define HP_IO_DIAG_H

#include <stdio.h>

#include "core/status.h"
#include "io/inputs.h"

HP_EXTERN_C_BEGIN

enum { HP_DIAG_MAX = 20 }; /* errors printed; more are counted */

typedef struct hp_diag_item {
  bool error; /* false: a note or warning */
  char *file; /* may be NULL */
  int line;   /* 0: unknown */
  char *text; /* key, value, what is wrong */
} hp_diag_item;

typedef struct hp_diag {
  int errors, notes; /* counted, also beyond what is kept */
  int count, capacity;
  hp_diag_item *item;
  hp_inputs read; /* files that the readers opened, or wanted to */
} hp_diag;

void hp_diag_init(hp_diag *d);
void hp_diag_clear(hp_diag *d);

/* Adds an error. file may be NULL, line 0. */
void hp_diag_error(hp_diag *d, const char *file, int line, const char *fmt, ...) HP_PRINTF(4, 5);
/* Adds a note (a skipped keyword, a surprising value). */
void hp_diag_note(hp_diag *d, const char *file, int line, const char *fmt, ...) HP_PRINTF(4, 5);

/* Prints notes and the first HP_DIAG_MAX errors, in the order of file and line, then how many more there are. */
void hp_diag_print(const hp_diag *d, FILE *f);

/* The same without notes that `said` has; NULL: it has none. */
void hp_diag_print_new(const hp_diag *d, const hp_diag *said, FILE *f);
/* Adds to `said` the notes that it does not have. */
void hp_diag_keep_notes(hp_diag *said, const hp_diag *d);

/* One of its items: "case.cfg:42: note: ...". */
void hp_diag_print_item(const hp_diag_item *it, FILE *f);

/* The errors alone. */
void hp_diag_print_errors(const hp_diag *d, FILE *f);

/* The entry of names[count] nearest to `name` by edit distance, or NULL. */
const char *hp_nearest(const char *name, const char *const *names, int count);

/* Whether a name fits a pattern: * stands for any text, ? for one character; case matters. */
bool hp_name_matches(const char *pattern, const char *name);

HP_EXTERN_C_END

#endif
