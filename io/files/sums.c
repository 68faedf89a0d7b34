#include "io/files/sums.h"

#include "core/portable.h"

enum { WORD = 8 };

static void add_byte(hp_sum *s, uint8_t byte, uint64_t place) {
  const uint64_t word = (uint64_t)byte << 8 * (place % WORD);
  s->words += word;
  s->placed += (place / WORD + 1) * word;
}

static uint64_t word_at(const uint8_t *b) {
  return b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 |
         (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

void hp_sum_add(hp_sum *s, const void *bytes, size_t size, uint64_t place) {
  const uint8_t *at = bytes, *const end = at + size;
  uint64_t words = 0, placed = 0;
  for (; at < end && place % WORD != 0; ++at, ++place) add_byte(s, *at, place);
  for (; end - at >= WORD; at += WORD, place += WORD) {
    const uint64_t word = word_at(at);
    words += word;
    placed += (place / WORD + 1) * word;
  }
  s->words += words;
  s->placed += placed;
  for (; at < end; ++at, ++place) add_byte(s, *at, place);
}

uint64_t hp_sum_value(const hp_sum *s, uint64_t size) {
  return hp_mix64(s->words + hp_mix64(s->placed + hp_mix64(size)));
}

uint64_t hp_sum_of(const void *bytes, size_t size) {
  hp_sum s = {0, 0};
  hp_sum_add(&s, bytes, size, 0);
  return hp_sum_value(&s, size);
}
