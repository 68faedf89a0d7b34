/* The words of an enumeration, in the order of its values:
 *
 *     static const char *const words[] = {"natural", "red-black", "bricks"};
 *     HP_WORD_OF(hp_ordering_name, hp_ordering, words)     the word of a value; "unknown" beyond them
 *     HP_WORD_FIND(hp_ordering_find, hp_ordering, words)   the value of a word; false: it is none of them
 */
#ifndef HP_CORE_WORDS_H
#define HP_CORE_WORDS_H

#include <stdbool.h>
#include <string.h>

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
