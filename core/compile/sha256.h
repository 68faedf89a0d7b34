/* SHA-256 (FIPS 180-4). */
#ifndef HP_CORE_COMPILE_SHA256_H
#define HP_CORE_COMPILE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { HP_SHA256_BYTES = 32 };

typedef struct hp_sha256 {
  uint32_t state[8];
  uint64_t size; /* bytes so far */
  uint8_t block[64];
} hp_sha256;

void hp_sha256_begin(hp_sha256 *h);
void hp_sha256_add(hp_sha256 *h, const void *data, size_t size);
void hp_sha256_end(hp_sha256 *h, uint8_t digest[HP_SHA256_BYTES]);

#endif
