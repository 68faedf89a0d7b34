#include "sim/part/remote.h"

#include <string.h>

#include "core/memory.h"

hp_remote_owners hp_subdomain_remote_owners(const hp_subdomain *D) {
  return (hp_remote_owners){D->K, D->rank, D->ranks, D->boxes, D->part.size[1], D->part.size[0], D, 0};
}

static int64_t place_of(const hp_remote_owners *D, int64_t cell) {
  return D->D != NULL ? hp_subdomain_place(D->D, cell) : cell - D->first;
}

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }

/* ---- boxes of cells, each for a rank ---- */

/* The part of a box that rank r owns. */
static hp_remote_box part_of(const hp_remote_owners *D, int r, const hp_remote_box *b) {
  const hp_box own = D->boxes[r];
  return (hp_remote_box){.lo = {larger(b->lo[0], own.i0), larger(b->lo[1], own.j0), b->lo[2]},
                         .hi = {smaller(b->hi[0], own.i1), smaller(b->hi[1], own.j1), b->hi[2]}};
}

/* Own cells of a box, in the order of cells; returns the end. */
static char *collect(const hp_remote_owners *D, const hp_remote_box *b, const char *array, size_t size, char *to) {
  const int64_t nz = D->nz, ny = D->ny;
  const hp_remote_box mine = part_of(D, D->rank, b);
  const size_t run = (size_t)(b->hi[2] - b->lo[2]) * size;
  for (int i = mine.lo[0]; i < mine.hi[0]; ++i)
    for (int j = mine.lo[1]; j < mine.hi[1]; ++j, to += run) {
      const int64_t m = place_of(D, b->lo[2] + nz * (j + ny * i));
      memcpy(to, array + (size_t)m * size, run);
    }
  return to;
}

/* Cells of a box that rank r has sent, to their places in it. */
static void place(const hp_remote_owners *D, int r, const hp_remote_box *b, const char *from, size_t size, char *box) {
  const hp_remote_box his = part_of(D, r, b);
  const size_t run = (size_t)(b->hi[2] - b->lo[2]) * size;
  for (int i = his.lo[0]; i < his.hi[0]; ++i)
    for (int j = his.lo[1]; j < his.hi[1]; ++j, from += run)
      memcpy(box + (size_t)((i - b->lo[0]) * (int64_t)(b->hi[1] - b->lo[1]) + (j - b->lo[1])) * run, from, run);
}

/* Box n of array[n], of `size` bytes a cell, becomes whole on rank n; count: at most as many as there are ranks. */
static hp_status exchange(const hp_remote_owners *D, int count, const hp_remote_box *box, const char *const *array,
                          size_t size, char *out) {
  int64_t *begin = NULL, *from = NULL;
  char *send = NULL, *received = NULL;
  hp_status s = HP_ALLOC(begin, D->ranks + 1);
  if (s == HP_OK) s = HP_ALLOC(from, D->ranks + 1);
  for (int n = 0; n < D->ranks && s == HP_OK; ++n) {
    const hp_remote_box mine = n < count ? part_of(D, D->rank, &box[n]) : (hp_remote_box){.lo = {0}};
    begin[n + 1] = begin[n] + hp_remote_box_cells(&mine);
  }
  if (s == HP_OK) s = hp_alloc_unset((void **)&send, begin[D->ranks], size, "cells that a rank sends");
  s = hp_ranks_agree(D->K, s);
  if (s == HP_OK) {
    char *to = send;
    for (int n = 0; n < count; ++n) to = collect(D, &box[n], array[n], size, to);
    s = hp_ranks_all_to_all(D->K, send, begin, size, (void **)&received, from);
  }
  for (int r = 0; r < D->ranks && s == HP_OK && D->rank < count; ++r)
    place(D, r, &box[D->rank], received + (size_t)from[r] * size, size, out);
  HP_FREE(begin);
  HP_FREE(from);
  HP_FREE(send);
  HP_FREE(received);
  return s;
}

/* Numbers of less than 8 bytes, which stand at the end of their own memory as doubles, become doubles. */
static size_t width_of(const hp_subdomain_arrays *a, hp_remote_array array) {
  return a->width[array] > 0 ? a->width[array] : sizeof(double);
}

static char *narrow_of(double *number, int64_t count, size_t width) {
  return (char *)number + (size_t)count * (sizeof(double) - width);
}

static void widen(double *number, int64_t count, hp_remote_array array, size_t width) {
  const char *narrow = narrow_of(number, count, width);
  for (int64_t n = 0; n < count && width < sizeof(double); ++n) {
    float single;
    int32_t whole;
    uint16_t half;
    const uint8_t byte = (uint8_t)narrow[n * (int64_t)width];
    if (width == sizeof single) memcpy(&single, narrow + n * (int64_t)width, sizeof single);
    if (width == sizeof whole) memcpy(&whole, narrow + n * (int64_t)width, sizeof whole);
    if (width == sizeof half) memcpy(&half, narrow + n * (int64_t)width, sizeof half);
    number[n] = width == sizeof half                                  ? (double)half
                : width == sizeof whole && array == HP_REMOTE_CORNERS ? (double)whole
                : width == sizeof single                              ? (double)single
                                                                      : (double)byte;
  }
}

/* ---- a box for rank 0 ---- */

static hp_status get_box(const hp_remote_owners *D, const hp_subdomain_arrays *arrays, const hp_remote_request *q,
                         hp_subdomain_remote *F) {
  const size_t width = width_of(arrays, q->array);
  const int64_t numbers = hp_remote_box_cells(&q->box) * hp_remote_numbers(q->array);
  const char *array = arrays->array[q->array];
  char *to = D->rank == 0 ? narrow_of(F->box, numbers, width) : NULL;
  HP_TRY(exchange(D, 1, &q->box, &array, (size_t)hp_remote_numbers(q->array) * width, to));
  if (D->rank == 0) widen(F->box, numbers, q->array, width);
  return HP_OK;
}

/* ---- chunks, packed by as many ranks ---- */

enum { AT_ONCE = 32 /* chunks at most, some MB each: all of them stand on rank 0 until they are written */ };

/* Its own chunk, if there is one for this rank; *size: bytes of it. */
static hp_status pack(const hp_remote_owners *D, const hp_subdomain_arrays *arrays, const hp_remote_request *q,
                      int count, uint8_t **packed, size_t *size) {
  hp_remote_box *box = NULL;
  const char **array = NULL;
  double *numbers = NULL;
  uint8_t *plane = NULL;
  size_t plane_bytes, room;
  const bool mine = D->rank < count;
  const size_t width = width_of(arrays, q->fields.array[0]);
  const int numbers_of = hp_remote_numbers(q->fields.array[0]);
  hp_remote_room(&q->fields, &plane_bytes, &room);
  hp_status s = HP_ALLOC(box, count);
  if (s == HP_OK) s = HP_ALLOC(array, count);
  for (int n = 0; n < count && s == HP_OK; ++n)
    array[n] = arrays->array[hp_remote_chunk(&q->fields, q->first + n, &box[n])];
  if (s == HP_OK && mine) s = HP_ALLOC_UNSET(numbers, numbers_of * hp_remote_box_cells(&box[D->rank]));
  if (s == HP_OK && mine) s = HP_ALLOC_UNSET(plane, (int64_t)plane_bytes);
  if (s == HP_OK && mine) s = HP_ALLOC_UNSET(*packed, (int64_t)room);
  s = hp_ranks_agree(D->K, s);
  const int64_t all = mine && s == HP_OK ? numbers_of * hp_remote_box_cells(&box[D->rank]) : 0;
  if (s == HP_OK)
    s = exchange(D, count, box, array, (size_t)numbers_of * width, mine ? narrow_of(numbers, all, width) : NULL);
  if (s == HP_OK && mine) {
    widen(numbers, all, q->fields.array[0], width);
    *size = hp_remote_pack(&q->fields, q->first + D->rank, numbers, plane, *packed);
    if (*size == 0) s = hp_fail(HP_ERR_FILE, "fields of a report step cannot be compressed");
  }
  HP_FREE(box);
  HP_FREE(array);
  HP_FREE(numbers);
  HP_FREE(plane);
  return hp_ranks_agree(D->K, s);
}

static hp_status get_packed(const hp_remote_owners *D, const hp_subdomain_arrays *arrays, const hp_remote_request *q,
                            hp_subdomain_remote *F) {
  const int count = smaller(smaller(D->ranks, AT_ONCE), hp_remote_chunks(&q->fields) - q->first);
  uint8_t *mine = NULL;
  size_t size = 0;
  hp_status s = pack(D, arrays, q, count, &mine, &size);
  HP_FREE(F->packed);
  if (s == HP_OK && F->begin == NULL) s = HP_ALLOC(F->begin, D->ranks + 1);
  s = hp_ranks_agree(D->K, s);
  if (s == HP_OK) {
    hp_ranks_begins(D->K, (int64_t)size, F->begin);
    s = hp_ranks_agree(D->K, D->rank == 0 ? HP_ALLOC_UNSET(F->packed, F->begin[D->ranks]) : HP_OK);
  }
  if (s == HP_OK) hp_ranks_gather(D->K, 0, mine, F->packed, F->begin, 1);
  F->first = q->first;
  F->count = s == HP_OK ? count : 0;
  HP_FREE(mine);
  return s;
}

hp_status hp_subdomain_remote_do(const hp_remote_owners *D, const hp_subdomain_arrays *arrays,
                                 const hp_remote_request *q, hp_subdomain_remote *F) {
  return q->pack ? get_packed(D, arrays, q, F) : get_box(D, arrays, q, F);
}

/* ---- from a file to parts ---- */

enum { READ_AT_ONCE = 1 << 16 /* numbers, about */ };

/* Columns `first` .. `end` of the whole grid, whose numbers are in `piece`. */
static void keep_columns(const hp_subdomain *D, int64_t first, int64_t end, int numbers, const double *piece,
                         void *here, size_t width) {
  const int64_t nz = D->part.size[0], columns = D->part.ncell / nz;
  for (int64_t c = 0; c < columns; ++c) {
    if (D->column[c] < first || D->column[c] >= end) continue;
    const double *from = piece + (D->column[c] - first) * nz * numbers;
    for (int64_t k = 0; k < nz; ++k) {
      if (D->part.global[c * nz + k] < 0) continue;
      for (int n = 0; n < numbers; ++n) {
        const int64_t at = (c * nz + k) * numbers + n;
        if (width == sizeof(float)) ((float *)here)[at] = (float)from[k * numbers + n];
        else ((double *)here)[at] = from[k * numbers + n];
      }
    }
  }
}

hp_status hp_subdomain_remote_put(hp_subdomain *D, const hp_remote_source *source, hp_remote_array array, void *here,
                                  size_t width) {
  const int64_t nz = D->part.size[0], all = (int64_t)D->part.size[1] * D->part.size[2];
  const int numbers = hp_remote_numbers(array);
  const int64_t most = READ_AT_ONCE > nz * numbers ? READ_AT_ONCE / (nz * numbers) : 1;
  double *piece = NULL;
  hp_status s = hp_ranks_agree(D->K, HP_ALLOC_UNSET(piece, most * nz * numbers));
  for (int64_t first = 0, end; s == HP_OK && first < all; first = end) {
    end = first + most < all ? first + most : all;
    if (D->rank == 0) s = source->read(source->arg, array, first * nz, (end - first) * nz, piece);
    s = hp_ranks_agree(D->K, s);
    if (s != HP_OK) break;
    hp_ranks_broadcast(D->K, 0, piece, (end - first) * nz * numbers * (int64_t)sizeof *piece);
    keep_columns(D, first, end, numbers, piece, here, width);
  }
  HP_FREE(piece);
  if (s == HP_OK) hp_subdomain_fill(D, (size_t)numbers * width, here);
  return s;
}

void hp_subdomain_remote_clear(hp_subdomain_remote *F) {
  HP_FREE(F->begin);
  HP_FREE(F->packed);
  F->first = F->count = 0;
}
