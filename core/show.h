/* Text from files, shown to people: names, titles, values, whatever a deck or somebody else's result holds.
 *
 * Control characters (below U+0020, U+007F to U+009F) would reach the terminal as commands, those that turn the
 * direction of writing would show another text, and bytes that are no UTF-8 may do either: they are shown as \x1b,
 * \u0085, \xff. All else stays, a backslash, too, so that what has been escaped stays as it is. hp_fail, io/diag.h, the
 * lines of a run and usage errors escape all that they are given.
 */
#ifndef HP_CORE_SHOW_H
#define HP_CORE_SHOW_H

#include <stddef.h>
#include <stdio.h>

#include "core/portable.h"

HP_EXTERN_C_BEGIN

/* Length of the UTF-8 sequence at s, 0 if it is none (RFC 3629: no surrogates, nothing longer than needed). */
int hp_utf8_length(const char *s);

/* Length of the sequence at s if it may be shown as it is, 0 if not. */
int hp_shown_length(const char *s);

/* s, escaped, into out [size]; what does not fit is left out. Returns out. */
char *hp_escape(const char *s, char *out, size_t size);

/* The same for a name or a short text in the arguments of printf: hp_show(name).s. */
typedef struct hp_shown {
  char s[512];
} hp_shown;
hp_shown hp_show(const char *s);

/* "512 B", "1.5 MB", "3.2 GB". */
void hp_show_bytes(double bytes, char *out, size_t size);

/* The fault in the name of a well or a file, NULL: none. */
const char *hp_name_fault(const char *name);

HP_EXTERN_C_END

#endif
