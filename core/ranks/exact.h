/* Sums of doubles whose bits depend neither on their order nor on their distribution over ranks: a superaccumulator
 * (Kulisch 1981) with delayed carries (Neal 2015).
 *
 *     place 0            1                      69
 *     | 32 bits 2^-1074  | 32 bits 2^-1042  ... |     each in an int64_t, so that 2^31 numbers fit before a carry is due
 *
 * The sum is exact; hp_exact_value rounds it once. Accumulators of ranks are added place by place.
 */
#ifndef HP_CORE_RANKS_EXACT_H
#define HP_CORE_RANKS_EXACT_H

#include <math.h>
#include <string.h>

#include "core/portable.h"

enum { HP_EXACT_PLACES = 70, HP_EXACT_ODD = HP_EXACT_PLACES - 1 /* counts what is no finite number */ };

typedef struct hp_exact {
  int64_t place[HP_EXACT_PLACES];
} hp_exact;

/* Splits a number with these bits into part[0 .. 2], to be added from place *at on; a number that is not finite adds 1
 * to HP_EXACT_ODD only. */
HP_INLINE HP_HD void hp_exact_split(uint64_t bits, int *at, int64_t part[3]) {
  const int exponent = (int)(bits >> 52 & 0x7ff);
  if (exponent == 0x7ff) {
    *at = HP_EXACT_ODD - 2;
    part[0] = part[1] = 0;
    part[2] = 1;
    return;
  }
  /* +-mantissa 2^(shift - 1074) */
  const uint64_t mantissa = (bits & 0xfffffffffffffu) | (exponent > 0 ? (uint64_t)1 << 52 : 0);
  const int shift = exponent > 0 ? exponent - 1 : 0, by = shift % 32;
  const uint64_t low = mantissa << by, high = by > 0 ? mantissa >> (64 - by) : 0;
  const int64_t sign = bits >> 63 != 0 ? -1 : 1;
  *at = shift / 32;
  part[0] = sign * (int64_t)(low & 0xffffffffu);
  part[1] = sign * (int64_t)(low >> 32);
  part[2] = sign * (int64_t)high;
}

HP_INLINE void hp_exact_add(hp_exact *s, double v) {
  uint64_t bits;
  int64_t part[3];
  int at;
  memcpy(&bits, &v, sizeof bits);
  hp_exact_split(bits, &at, part);
  for (int n = 0; n < 3; ++n) s->place[at + n] += part[n];
}

#if !defined(__CUDACC_RTC__) /* the host's */

/* The sum to a unit in the last place; NAN if any number was not finite. */
HP_INLINE double hp_exact_value(const hp_exact *s) {
  int64_t digit[HP_EXACT_ODD], carry = 0;
  int top = HP_EXACT_ODD - 1;
  double value = 0.0;
  if (s->place[HP_EXACT_ODD] != 0) return NAN;
  for (int n = 0; n < HP_EXACT_ODD; ++n) { /* digits 0 .. 2^32 - 1, the last one with the sign */
    const int64_t sum = s->place[n] + carry;
    carry = n + 1 < HP_EXACT_ODD ? sum >> 32 : 0;
    digit[n] = n + 1 < HP_EXACT_ODD ? sum & 0xffffffff : sum;
  }
  const bool negative = digit[top] < 0;
  if (negative) { /* minus the number: digits' complement, and one more */
    carry = 1;
    for (int n = 0; n < HP_EXACT_ODD; ++n) {
      const int64_t sum = (n < top ? 0xffffffff - digit[n] : -1 - digit[n]) + carry;
      carry = n < top ? sum >> 32 : 0;
      digit[n] = n < top ? sum & 0xffffffff : sum;
    }
  }
  while (top > 0 && digit[top] == 0) --top;
  for (int n = top; n >= 0 && n > top - 4; --n) value += ldexp((double)digit[n], 32 * n - 1074);
  return negative ? -value : value;
}

#endif

#endif
