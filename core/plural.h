/* Numbers in messages: printf("%d cell%s", n, hp_plural(n)). */
#ifndef HP_CORE_PLURAL_H
#define HP_CORE_PLURAL_H

#include "core/portable.h"

/* The ending of a regular noun: "" for one, "s" for any other number. */
HP_INLINE const char *hp_plural(int64_t n) { return n == 1 ? "" : "s"; }

/* "is" or "are". */
HP_INLINE const char *hp_is(int64_t n) { return n == 1 ? "is" : "are"; }

#endif
