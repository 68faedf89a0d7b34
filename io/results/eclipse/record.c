/* Fortran records of Eclipse's binary files, in memory; drawn in io/results/eclipse/eclipse.h. */
#include <string.h>

#include "core/memory.h"
#include "io/results/eclipse/eclipse.h"

typedef struct {
  const char *name;
  int size, block; /* bytes an element, elements a record */
} type;

static const type INTE = {"INTE", 4, 1000}, REAL = {"REAL", 4, 1000}, DOUB = {"DOUB", 8, 1000},
                  LOGI = {"LOGI", 4, 1000}, CHAR = {"CHAR", 8, 105}, MESS = {"MESS", 1, 1000};

enum { MARKER = 4, HEADER = 16 };

static void put_u32(uint8_t *at, uint32_t v) {
  for (int n = 0; n < 4; ++n) at[n] = (uint8_t)(v >> (24 - 8 * n));
}

static void put_u64(uint8_t *at, uint64_t v) {
  put_u32(at, (uint32_t)(v >> 32));
  put_u32(at + 4, (uint32_t)v);
}

/* Up to 8 letters, blanks behind them. */
static void put_name(uint8_t *at, const char *name) {
  const size_t n = strlen(name);
  memset(at, ' ', HP_EBIN_NAME);
  memcpy(at, name, n < HP_EBIN_NAME ? n : HP_EBIN_NAME);
}

static bool reserve(hp_ebin_bytes *b, int64_t more) {
  if (b->status != HP_OK) return false;
  if (b->size + more <= b->capacity) return true;
  int64_t capacity = b->capacity > 0 ? b->capacity : 1 << 16;
  while (capacity < b->size + more) capacity *= 2;
  uint8_t *grown = NULL;
  b->status = hp_alloc_unset((void **)&grown, capacity, 1, "bytes of an Eclipse file");
  if (b->status != HP_OK) return false;
  if (b->size > 0) memcpy(grown, b->at, (size_t)b->size);
  HP_FREE(b->at);
  b->at = grown;
  b->capacity = capacity;
  return true;
}

static uint8_t *put_marker(uint8_t *at, int64_t length) {
  put_u32(at, (uint32_t)length);
  return at + MARKER;
}

/* The header and the records' markers of an array whose elements are still to be put: the place of its first one,
 * NULL when it cannot be had. */
static uint8_t *open_array(hp_ebin_bytes *b, const char *name, const type *t, int64_t count) {
  if (b->status == HP_OK && count > INT32_MAX)
    b->status = hp_fail(HP_ERR_UNSUPPORTED, "%s has %lld entries, more than Eclipse's files can count", name,
                        (long long)count);
  const int64_t records = (count + t->block - 1) / t->block;
  const int64_t bytes = 2 * MARKER + HEADER + records * 2 * MARKER + count * t->size;
  if (!reserve(b, bytes)) return NULL;
  uint8_t *at = put_marker(b->at + b->size, HEADER);
  put_name(at, name);
  put_u32(at + 8, (uint32_t)count);
  memcpy(at + 12, t->name, 4);
  at = put_marker(at + HEADER, HEADER);
  uint8_t *const first = at + MARKER;
  for (int64_t done = 0; done < count; done += t->block) {
    const int64_t length = (count - done < t->block ? count - done : t->block) * t->size;
    at = put_marker(at, length);
    at = put_marker(at + length, length);
  }
  b->size += bytes;
  return first;
}

/* Where element i stands: between records there are two markers. */
static uint8_t *element(uint8_t *first, const type *t, int64_t i) {
  return first + i * t->size + i / t->block * 2 * MARKER;
}

/* Numbers of 4 or 8 bytes. */
static void put_numbers(hp_ebin_bytes *b, const char *name, const type *t, int64_t count, const void *value) {
  uint8_t *first = open_array(b, name, t, count);
  const uint8_t *from = value;
  for (int64_t i = 0; first != NULL && i < count; ++i, from += t->size) {
    if (t->size == 4) {
      uint32_t bits;
      memcpy(&bits, from, sizeof bits);
      put_u32(element(first, t, i), bits);
    } else {
      uint64_t bits;
      memcpy(&bits, from, sizeof bits);
      put_u64(element(first, t, i), bits);
    }
  }
}

void hp_ebin_put_int(hp_ebin_bytes *b, const char *name, int64_t count, const int32_t *value) {
  put_numbers(b, name, &INTE, count, value);
}

void hp_ebin_put_real(hp_ebin_bytes *b, const char *name, int64_t count, const float *value) {
  put_numbers(b, name, &REAL, count, value);
}

void hp_ebin_put_double(hp_ebin_bytes *b, const char *name, int64_t count, const double *value) {
  put_numbers(b, name, &DOUB, count, value);
}

void hp_ebin_put_bool(hp_ebin_bytes *b, const char *name, int64_t count, const bool *value) {
  uint8_t *first = open_array(b, name, &LOGI, count);
  for (int64_t i = 0; first != NULL && i < count; ++i) put_u32(element(first, &LOGI, i), value[i] ? UINT32_MAX : 0);
}

void hp_ebin_put_text(hp_ebin_bytes *b, const char *name, int64_t count, const hp_ebin_name *value) {
  uint8_t *first = open_array(b, name, &CHAR, count);
  for (int64_t i = 0; first != NULL && i < count; ++i) put_name(element(first, &CHAR, i), value[i]);
}

void hp_ebin_put_mark(hp_ebin_bytes *b, const char *name) { open_array(b, name, &MESS, 0); }

void hp_ebin_bytes_clear(hp_ebin_bytes *b) {
  HP_FREE(b->at);
  *b = (hp_ebin_bytes){0};
}

hp_status hp_ebin_replace(const char *path, const hp_ebin_bytes *b) {
  HP_TRY(b->status);
  return hp_file_replace(path, b->at, (size_t)b->size);
}
