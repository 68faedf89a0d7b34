#include "io/files/chunks.h"

#include <string.h>
#include <zlib.h>

#include "core/memory.h"

enum { CHUNK = 262144 /* cells */ };

static hsize_t at_most(hsize_t n, hsize_t limit) { return n < limit ? n : limit; }
static hsize_t at_least_one(hsize_t n) { return n > 0 ? n : 1; }

size_t hp_chunks_width(hp_h5_type type) {
  switch (type) {
    case HP_H5_F64: return 8;
    case HP_H5_U8: return 1;
    default: return 4;
  }
}

void hp_chunks_plan(hp_chunks *c, hp_h5_type type, const hsize_t size[3], int tail, int level) {
  memset(c, 0, sizeof *c);
  c->type = type;
  c->tail = tail > 1 ? tail : 1;
  c->level = c->tail > 1 && level == 1 ? 2 : level;
  c->width = hp_chunks_width(type);
  memcpy(c->size, size, sizeof c->size);
  c->chunk[2] = at_least_one(at_most(size[2], CHUNK / (hsize_t)c->tail * (hsize_t)c->tail));
  c->chunk[1] = at_least_one(at_most(size[1], at_least_one(CHUNK / c->chunk[2])));
  c->chunk[0] = at_least_one(at_most(size[0], at_least_one(CHUNK / (c->chunk[2] * c->chunk[1]))));
  c->numbers = (size_t)(c->chunk[0] * c->chunk[1] * c->chunk[2]);
  for (int d = 0; d < 3; ++d) c->count[d] = (c->size[d] + c->chunk[d] - 1) / c->chunk[d];
  /* a plane more or less begins a block: some bytes each */
  c->room = (size_t)compressBound((uLong)(c->numbers * c->width)) + 64 * c->width;
}

int hp_chunks_count(const hp_chunks *c) { return (int)(c->count[0] * c->count[1] * c->count[2]); }

void hp_chunks_from(const hp_chunks *c, int n, hsize_t from[3]) {
  from[2] = (hsize_t)n % c->count[2] * c->chunk[2];
  from[1] = (hsize_t)n / c->count[2] % c->count[1] * c->chunk[1];
  from[0] = (hsize_t)n / c->count[2] / c->count[1] * c->chunk[0];
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

/* Rows of the chunk straight from the file's order. */
static void split_rows(const hp_chunks *c, const hsize_t from[3], const hsize_t end[3], const void *data,
                       uint8_t *plane) {
  for (hsize_t k = from[0]; k < end[0]; ++k)
    for (hsize_t j = from[1]; j < end[1]; ++j)
      split_row(c, data, (k * c->size[1] + j) * c->size[2] + from[2], end[2] - from[2],
                plane + ((k - from[0]) * c->chunk[1] + (j - from[1])) * c->chunk[2]);
}

/* Rows that are made a piece at a time. */
static void split_made(const hp_chunks *c, const hsize_t from[3], const hsize_t end[3], const hp_h5_source *field,
                       uint8_t *plane) {
  enum { PIECE = 504 /* whole cells of 8 and nodes of 3 numbers */ };
  union {
    double real[PIECE];
    int32_t whole[PIECE];
    uint8_t byte[PIECE];
  } piece;
  for (hsize_t k = from[0]; k < end[0]; ++k)
    for (hsize_t j = from[1]; j < end[1]; ++j)
      for (hsize_t i = from[2]; i < end[2]; i += PIECE) {
        const hsize_t n = at_most(end[2] - i, PIECE);
        field->row(field->data, (int)k, (int)j, (int64_t)i, (int64_t)n, &piece);
        split_row(c, &piece, 0, n, plane + ((k - from[0]) * c->chunk[1] + (j - from[1])) * c->chunk[2] + (i - from[2]));
      }
}

/* From the order of the cells: a tile of some columns, whose numbers lie together, is turned into pieces of rows. */
static void split_cells(const hp_chunks *c, const hsize_t from[3], const hsize_t end[3], const hp_h5_source *field,
                        uint8_t *plane) {
  enum { WIDE = 64, DEEP = 32 };
  double tile[DEEP * WIDE]; /* [b][a] */
  const double *data = field->data;
  for (hsize_t j = from[1]; j < end[1]; ++j)
    for (hsize_t i = from[2]; i < end[2]; i += WIDE)
      for (hsize_t k = from[0]; k < end[0]; k += DEEP) {
        const hsize_t wide = at_most(end[2] - i, WIDE), deep = at_most(end[0] - k, DEEP);
        for (hsize_t a = 0; a < wide; ++a) {
          const double *column = data + k + c->size[0] * (j + c->size[1] * (i + a));
          for (hsize_t b = 0; b < deep; ++b) tile[b * WIDE + a] = field->less_one ? 1.0 - column[b] : column[b];
          for (hsize_t b = 0; b < deep && field->divisor != 0.0; ++b) tile[b * WIDE + a] /= field->divisor;
        }
        for (hsize_t b = 0; b < deep; ++b)
          split_row(c, tile, b * WIDE, wide,
                    plane + ((k + b - from[0]) * c->chunk[1] + (j - from[1])) * c->chunk[2] + (i - from[2]));
      }
}

/* The part of the chunk beyond the field is zero. */
static void split(const hp_chunks *c, const hsize_t from[3], const hp_h5_source *field, uint8_t *plane) {
  hsize_t end[3];
  for (int d = 0; d < 3; ++d) end[d] = at_most(c->size[d], from[d] + c->chunk[d]);
  if ((size_t)((end[0] - from[0]) * (end[1] - from[1]) * (end[2] - from[2])) < c->numbers)
    memset(plane, 0, c->numbers * c->width);
  if (field->row != NULL) split_made(c, from, end, field, plane);
  else if (field->by_cell) split_cells(c, from, end, field, plane);
  else split_rows(c, from, end, field->data, plane);
}

/* Whether deflate would gain next to nothing: neighbours hardly ever are equal, and the bytes are so evenly spread that
 * their collision entropy, -log2 of the sum of squared shares, which Shannon's is not below, is 7.9 of 8 bits. */
static bool is_noise(const uint8_t *byte, size_t n) {
  uint32_t count[4][256] = {{0}}; /* in turn, so that equal bytes do not wait for each other */
  double squares = 0.0;
  size_t equal = 0;
  for (size_t i = 0; i + 4 <= n; i += 4)
    for (size_t lane = 0; lane < 4; ++lane) count[lane][byte[i + lane]] += 1;
  for (int b = 0; b < 256; ++b) {
    const double sum = (double)count[0][b] + count[1][b] + count[2][b] + count[3][b];
    squares += sum * sum;
  }
  for (size_t i = 1; i < n; ++i) equal += byte[i] == byte[i - 1];
  return n >= 4096 && equal < n / 64 && squares * 256.0 < 1.07 * (double)n * (double)n;
}

/* All of the input into the stream's output. */
static bool deflate_planes(const hp_chunks *c, z_stream *z, uint8_t *plane) {
  const int strategy = c->level == 1 ? Z_RLE : Z_DEFAULT_STRATEGY;
  for (size_t b = 0; b < c->width; ++b) {
    const bool last = b + 1 == c->width;
    uint8_t *at = plane + b * c->numbers;
    /* changing the level ends the block of the plane before */
    if (c->level == 1 && deflateParams(z, is_noise(at, c->numbers) ? 0 : 1, strategy) != Z_OK) return false;
    z->next_in = at;
    z->avail_in = (uInt)c->numbers;
    const int r = deflate(z, last ? Z_FINISH : Z_NO_FLUSH);
    if (r != (last ? Z_STREAM_END : Z_OK) || z->avail_in > 0) return false;
  }
  return true;
}

size_t hp_chunks_pack(const hp_chunks *c, int n, const hp_h5_source *field, uint8_t *plane, uint8_t *packed) {
  hsize_t from[3];
  z_stream z;
  hp_chunks_from(c, n, from);
  split(c, from, field, plane);
  memset(&z, 0, sizeof z);
  if (deflateInit2(&z, c->level, Z_DEFLATED, 15, 9, c->level == 1 ? Z_RLE : Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  z.next_out = packed;
  z.avail_out = (uInt)c->room;
  const bool whole = deflate_planes(c, &z, plane);
  const size_t size = z.total_out;
  return deflateEnd(&z) == Z_OK && whole ? size : 0;
}

static void put_bits(uint64_t bits, size_t width, uint8_t *to) {
  for (size_t b = 0; b < width; ++b) to[b] = (uint8_t)(bits >> 8 * b);
}

static void plain_f32(const double *from, size_t count, uint8_t *to) {
  for (size_t n = 0; n < count; ++n, to += sizeof(float)) {
    const float number = (float)from[n];
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    put_bits(bits, sizeof bits, to);
  }
}

static void plain_f64(const double *from, size_t count, uint8_t *to) {
  for (size_t n = 0; n < count; ++n, to += sizeof(double)) {
    uint64_t bits;
    memcpy(&bits, &from[n], sizeof bits);
    put_bits(bits, sizeof bits, to);
  }
}

static void plain_i32(const int32_t *from, size_t count, uint8_t *to) {
  for (size_t n = 0; n < count; ++n, to += sizeof(int32_t)) put_bits((uint32_t)from[n], sizeof(int32_t), to);
}

size_t hp_chunks_plain(hp_h5_type type, const void *numbers, size_t count, uint8_t *bytes) {
  switch (type) {
    case HP_H5_F32: plain_f32(numbers, count, bytes); break;
    case HP_H5_F64: plain_f64(numbers, count, bytes); break;
    case HP_H5_I32: plain_i32(numbers, count, bytes); break;
    default: memcpy(bytes, numbers, count);
  }
  return count * hp_chunks_width(type);
}
