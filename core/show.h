/* Text of decks and result files, made safe to show: names, titles, values.
 *
 * Control characters (below U+0020, U+007F to U+009F) are commands to a terminal, overrides of the text direction show
 * another text, and bytes that are not UTF-8 may do either: they are shown as \x1b, \u0085, \xff. All else stays,
 * backslashes included, so that escaping twice changes nothing. hp_fail, io/diag.h, the lines of a run and usage errors
 * escape their arguments.
 */
#ifndef HP_CORE_SHOW_H
#define HP_CORE_SHOW_H

#include <stddef.h>
#include <stdio.h>

#include <string.h>

#include "core/portable.h"

HP_EXTERN_C_BEGIN

/* Length of the UTF-8 sequence at s, 0 if it is none (RFC 3629: no surrogates, nothing longer than needed). */
int hp_utf8_length(const char *s);

/* Length of the sequence at s if it may be shown as it is, 0 if not. */
int hp_shown_length(const char *s);

/* Writes s, escaped, into out [size], cut if it does not fit. Returns out. */
char *hp_escape(const char *s, char *out, size_t size);

/* The same for short texts in printf's arguments: hp_show(name).s. */
typedef struct hp_shown {
  char s[512];
} hp_shown;
hp_shown hp_show(const char *s);

/* "512 B", "1.5 MB", "3.2 GB". */
void hp_show_bytes(double bytes, char *out, size_t size);

/* The fault in the name of a well or a file, or NULL. */
const char *hp_name_fault(const char *name);

HP_EXTERN_C_END

/* The words of an enumeration, in the order of its values, as functions: HP_WORD_OF(hp_ordering_name, hp_ordering, words) returns
 * the word of a value, "unknown" beyond them; HP_WORD_FIND sets *out to the value of a word, or returns false. */
#define HP_WORD_OF(function, type, words) \
  const char *function(type v) { return (unsigned)v < sizeof words / sizeof *words ? words[v] : "unknown"; }

#define HP_WORD_FIND(function, type, words)                                      \
  bool function(const char *word, type *out) {                                   \
    unsigned n = 0;                                                              \
    while (n < sizeof words / sizeof *words && strcmp(words[n], word) != 0) ++n; \
    if (n < sizeof words / sizeof *words) *out = (type)n;                        \
    return n < sizeof words / sizeof *words;                                     \
  }

#endif
