#include "core/compile/sha256.h"

#include <string.h>

enum { BLOCK = 64, ROUNDS = 64 };

static const uint32_t key[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void take_block(hp_sha256 *h, const uint8_t *p) {
  uint32_t w[ROUNDS], s[8];
  for (int t = 0; t < 16; ++t)
    w[t] = (uint32_t)p[4 * t] << 24 | (uint32_t)p[4 * t + 1] << 16 | (uint32_t)p[4 * t + 2] << 8 | p[4 * t + 3];
  for (int t = 16; t < ROUNDS; ++t) {
    const uint32_t a = w[t - 15], b = w[t - 2];
    w[t] = w[t - 16] + w[t - 7] + (rotated(a, 7) ^ rotated(a, 18) ^ a >> 3) +
           (rotated(b, 17) ^ rotated(b, 19) ^ b >> 10);
  }
  memcpy(s, h->state, sizeof s);
  for (int t = 0; t < ROUNDS; ++t) {
    const uint32_t first = s[7] + (rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)) +
                           ((s[4] & s[5]) ^ (~s[4] & s[6])) + key[t] + w[t];
    const uint32_t second = (rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)) +
                            ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 7 * sizeof *s);
    s[4] += first;
    s[0] = first + second;
  }
  for (int n = 0; n < 8; ++n) h->state[n] += s[n];
}

void hp_sha256_begin(hp_sha256 *h) {
  *h = (hp_sha256){
      {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}, 0, {0}};
}

void hp_sha256_add(hp_sha256 *h, const void *data, size_t size) {
  const uint8_t *p = data;
  for (; size > 0; --size, ++p) {
    h->block[h->size++ % BLOCK] = *p;
    if (h->size % BLOCK == 0) take_block(h, h->block);
  }
}

void hp_sha256_end(hp_sha256 *h, uint8_t digest[HP_SHA256_BYTES]) {
  const uint64_t bits = 8 * h->size;
  const uint8_t one = 0x80, zero = 0;
  uint8_t length[8];
  for (int n = 0; n < 8; ++n) length[n] = (uint8_t)(bits >> (56 - 8 * n));
  hp_sha256_add(h, &one, 1);
  while (h->size % BLOCK != BLOCK - sizeof length) hp_sha256_add(h, &zero, 1);
  hp_sha256_add(h, length, sizeof length);
  for (int n = 0; n < HP_SHA256_BYTES; ++n) digest[n] = (uint8_t)(h->state[n / 4] >> (24 - 8 * (n % 4)));
}
