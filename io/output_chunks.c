#include "io/output_chunks.h"

#include <string.h>
#include <zlib.h>

#include "core/memory.h"

enum { CHUNK = 262144 /* cells */ };

static hsize_t at_most(hsize_t n, hsize_t limit) { return n < limit ? n : limit; }
static hsize_t at_least_one(hsize_t n) { return n > 0 ? n : 1; }

static size_t width_of(hp_h5_type type) {
  switch (type) {
  case HP_H5_F64: return 8;
  case HP_H5_U8: return 1;
  default: return 4;
  }
}

hp_status hp_chunks_create(hp_chunks *c, hp_h5_type type, const hsize_t size[3], int level) {
  memset(c, 0, sizeof *c);
  c->type = type;
  c->level = level;
  c->width = width_of(type);
  memcpy(c->size, size, sizeof c->size);
  c->chunk[2] = at_least_one(at_most(size[2], CHUNK));
  c->chunk[1] = at_least_one(at_most(size[1], at_least_one(CHUNK / c->chunk[2])));
  c->chunk[0] = at_least_one(at_most(size[0], at_least_one(CHUNK / (c->chunk[2] * c->chunk[1]))));
  c->numbers = (size_t)(c->chunk[0] * c->chunk[1] * c->chunk[2]);
  c->room = (size_t)compressBound((uLong)(c->numbers * c->width));
  HP_TRY(HP_ALLOC(c->plane, (int64_t)(c->numbers * c->width)));
  return HP_ALLOC(c->packed, (int64_t)c->room);
}

void hp_chunks_destroy(hp_chunks *c) {
  HP_FREE(c->plane);
  HP_FREE(c->packed);
}

/* The bytes of a row's numbers, byte b of all of them in plane b, lowest first: what HDF5's shuffle filter makes of
 * little-endian numbers. */
static void split_f32(const double *from, hsize_t n, uint8_t *to, size_t plane) {
  for (hsize_t i = 0; i < n; ++i) {
    const float number = (float)from[i];
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    for (int b = 0; b < 4; ++b) to[b * plane + i] = (uint8_t)(bits >> 8 * b);
  }
}

static void split_f64(const double *from, hsize_t n, uint8_t *to, size_t plane) {
  for (hsize_t i = 0; i < n; ++i) {
    uint64_t bits;
    memcpy(&bits, &from[i], sizeof bits);
    for (int b = 0; b < 8; ++b) to[b * plane + i] = (uint8_t)(bits >> 8 * b);
  }
}

static void split_i32(const int32_t *from, hsize_t n, uint8_t *to, size_t plane) {
  for (hsize_t i = 0; i < n; ++i)
    for (int b = 0; b < 4; ++b) to[b * plane + i] = (uint8_t)((uint32_t)from[i] >> 8 * b);
}

static void split_row(const hp_chunks *c, const void *data, hsize_t at, hsize_t n, uint8_t *to) {
  switch (c->type) {
  case HP_H5_F32: split_f32((const double *)data + at, n, to, c->numbers); break;
  case HP_H5_F64: split_f64((const double *)data + at, n, to, c->numbers); break;
  case HP_H5_I32: split_i32((const int32_t *)data + at, n, to, c->numbers); break;
  default: memcpy(to, (const uint8_t *)data + at, n);
  }
}

/* What of the chunk lies beyond the field is zero. */
static void split(hp_chunks *c, const hsize_t from[3], const void *data) {
  hsize_t end[3];
  for (int d = 0; d < 3; ++d) end[d] = at_most(c->size[d], from[d] + c->chunk[d]);
  if ((size_t)((end[0] - from[0]) * (end[1] - from[1]) * (end[2] - from[2])) < c->numbers)
    memset(c->plane, 0, c->numbers * c->width);
  for (hsize_t k = from[0]; k < end[0]; ++k)
    for (hsize_t j = from[1]; j < end[1]; ++j)
      split_row(c, data, (k * c->size[1] + j) * c->size[2] + from[2], end[2] - from[2],
                c->plane + ((k - from[0]) * c->chunk[1] + (j - from[1])) * c->chunk[2]);
}

size_t hp_chunks_pack(hp_chunks *c, const hsize_t from[3], const void *data) {
  z_stream z;
  memset(&z, 0, sizeof z);
  split(c, from, data);
  if (deflateInit2(&z, c->level, Z_DEFLATED, 15, 9, c->level == 1 ? Z_RLE : Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  z.next_in = c->plane;
  z.avail_in = (uInt)(c->numbers * c->width);
  z.next_out = c->packed;
  z.avail_out = (uInt)c->room;
  const bool whole = deflate(&z, Z_FINISH) == Z_STREAM_END;
  const size_t size = z.total_out;
  return deflateEnd(&z) == Z_OK && whole ? size : 0;
}
