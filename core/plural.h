/* Numbers in messages: printf("%d cell%s", n, hp_plural(n)). */
#ifndef HP_CORE_PLURAL_H
#define HP_CORE_PLURAL_H

#include <stdio.h>

#include "core/portable.h"

/* The ending of a regular noun: "" for one, "s" for any other number. */
HP_INLINE const char *hp_plural(int64_t n) { return n == 1 ? "" : "s"; }

/* "is" or "are". */
HP_INLINE const char *hp_is(int64_t n) { return n == 1 ? "is" : "are"; }

/* "never", "once", "twice", "3 times"; written to text where it holds a number. */
HP_INLINE const char *hp_times(int64_t n, char *text, size_t size) {
  if (n >= 0 && n <= 2) return n == 0 ? "never" : n == 1 ? "once" : "twice";
  snprintf(text, size, "%lld times", (long long)n);
  return text;
}

#endif
