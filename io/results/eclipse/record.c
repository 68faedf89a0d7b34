/* Fortran records of Eclipse's binary files, drawn in io/results/eclipse/eclipse.h: in memory, or by way of it to a file. */
#include <string.h>

#include "core/memory.h"
#include "io/results/eclipse/eclipse.h"

typedef struct hp_ebin_type {
  const char *name;
  int size, block; /* bytes an element, elements a record */
} type;

static const type INTE = {"INTE", 4, 1000}, REAL = {"REAL", 4, 1000}, DOUB = {"DOUB", 8, 1000},
                  LOGI = {"LOGI", 4, 1000}, CHAR = {"CHAR", 8, 105}, MESS = {"MESS", 1, 1000};

enum { MARKER = 4, HEADER = 16, AT_ONCE = 1 << 20 /* bytes that stay in memory where a file gets them, about */ };

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

hp_status hp_ebin_flush(hp_ebin_bytes *b) {
  if (b->file == NULL || b->status != HP_OK) return b->status;
  b->status = hp_file_write(b->file->fd, b->file->path, b->at, (size_t)b->size);
  if (b->status == HP_OK) b->written += b->size;
  b->size = 0;
  return b->status;
}

/* ---- arrays ---- */

static hp_ebin_array open_array(hp_ebin_bytes *b, const char *name, const type *t, int64_t count) {
  if (b->status == HP_OK && count > INT32_MAX)
    b->status = hp_fail(HP_ERR_UNSUPPORTED, "%s has %lld entries, more than Eclipse's files can count", name,
                        (long long)count);
  if (reserve(b, 2 * MARKER + HEADER)) {
    uint8_t *at = put_marker(b->at + b->size, HEADER);
    put_name(at, name);
    put_u32(at + HP_EBIN_NAME, (uint32_t)count);
    memcpy(at + HP_EBIN_NAME + 4, t->name, 4);
    put_marker(at + HEADER, HEADER);
    b->size += 2 * MARKER + HEADER;
  }
  return (hp_ebin_array){.bytes = b, .type = t, .count = count};
}

hp_ebin_array hp_ebin_open_int(hp_ebin_bytes *b, const char *name, int64_t count) {
  return open_array(b, name, &INTE, count);
}

hp_ebin_array hp_ebin_open_real(hp_ebin_bytes *b, const char *name, int64_t count) {
  return open_array(b, name, &REAL, count);
}

/* Room for the next element; NULL: there is none. A record has its room, and its first marker, with its first element. */
static uint8_t *next(hp_ebin_array *a) {
  hp_ebin_bytes *b = a->bytes;
  const type *t = a->type;
  const int64_t in = a->done % t->block, left = in + a->count - a->done, length = left < t->block ? left : t->block;
  if (b->status == HP_OK && a->done == a->count)
    b->status = hp_fail(HP_ERR_INTERNAL, "an array of %lld entries gets more", (long long)a->count);
  if (b->status != HP_OK) return NULL;
  if (in == 0) {
    if (b->size >= AT_ONCE && hp_ebin_flush(b) != HP_OK) return NULL;
    if (!reserve(b, 2 * MARKER + length * t->size)) return NULL;
    put_marker(b->at + b->size, length * t->size);
    b->size += MARKER;
  }
  uint8_t *at = b->at + b->size;
  b->size += t->size;
  a->done += 1;
  if (in + 1 < length) return at;
  put_marker(b->at + b->size, length * t->size);
  b->size += MARKER;
  return at;
}

void hp_ebin_add(hp_ebin_array *a, int64_t count, const void *value) {
  const uint8_t *from = value;
  uint8_t *at;
  for (int64_t i = 0; i < count && (at = next(a)) != NULL; ++i, from += a->type->size) {
    if (a->type->size == 4) {
      uint32_t bits;
      memcpy(&bits, from, sizeof bits);
      put_u32(at, bits);
    } else {
      uint64_t bits;
      memcpy(&bits, from, sizeof bits);
      put_u64(at, bits);
    }
  }
}

/* Numbers of 4 or 8 bytes. */
static void put_numbers(hp_ebin_bytes *b, const char *name, const type *t, int64_t count, const void *value) {
  hp_ebin_array a = open_array(b, name, t, count);
  hp_ebin_add(&a, count, value);
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
  hp_ebin_array a = open_array(b, name, &LOGI, count);
  uint8_t *at;
  for (int64_t i = 0; i < count && (at = next(&a)) != NULL; ++i) put_u32(at, value[i] ? UINT32_MAX : 0);
}

void hp_ebin_put_text(hp_ebin_bytes *b, const char *name, int64_t count, const hp_ebin_name *value) {
  hp_ebin_array a = open_array(b, name, &CHAR, count);
  uint8_t *at;
  for (int64_t i = 0; i < count && (at = next(&a)) != NULL; ++i) put_name(at, value[i]);
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
