/* Numbers as text for signal handlers, which must not call printf. */
#ifndef HP_CORE_DIGITS_H
#define HP_CORE_DIGITS_H

#include <stdint.h>

/* Writes the digits of `number` >= 0, at most 19, and a zero to `at`; returns their end. */
static inline char *hp_digits(char *at, int64_t number) {
  char reversed[20];
  int count = 0;
  do reversed[count++] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  while (count > 0) *at++ = reversed[--count];
  *at = '\0';
  return at;
}

#endif
