#define _POSIX_C_SOURCE 200809L
#include "sim/part/remote.h"

#include <string.h>

#include "core/memory.h"
#include "core/test_hooks.h"
#include "io/files/text.h"

hp_remote_owners hp_subdomain_remote_owners(const hp_subdomain *D) {
  return (hp_remote_owners){D->K, D->rank, D->ranks, D->boxes, D->part.size[1], D->part.size[0], D, 0};
}

static int64_t place_of(const hp_remote_owners *D, int64_t cell) {
  return D->D != NULL ? hp_subdomain_place(D->D, cell) : cell - D->first;
}

/* ---- boxes of cells, each for a rank ---- */

/* The part of a box that rank r owns. */
static hp_remote_box part_of(const hp_remote_owners *D, int r, const hp_remote_box *b) {
  const hp_box own = D->boxes[r];
  return (hp_remote_box){.lo = {(int)hp_larger(b->lo[0], own.i0), (int)hp_larger(b->lo[1], own.j0), b->lo[2]},
                         .hi = {(int)hp_smaller(b->hi[0], own.i1), (int)hp_smaller(b->hi[1], own.j1), b->hi[2]}};
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

static size_t size_of(hp_array array) { return hp_array_entries()[array].size; }

/* Numbers of less than 8 bytes, which stand at the end of their own memory as doubles, become doubles. */
static char *narrow_of(double *number, int64_t count, size_t width) {
  return (char *)number + (size_t)count * (sizeof(double) - width);
}

static void widen(double *number, int64_t count, hp_array array) {
  const char *narrow = narrow_of(number, count, size_of(array));
  if ((const char *)number == narrow) return;
  for (int64_t n = 0; n < count; ++n) number[n] = hp_array_number(array, narrow, n);
}

/* ---- a box for rank 0 ---- */

static hp_status get_box(const hp_remote_owners *D, const hp_subdomain_arrays *arrays, const hp_remote_request *q,
                         hp_subdomain_remote *F) {
  const size_t width = size_of(q->array);
  const int64_t numbers = hp_remote_box_cells(&q->box) * hp_array_numbers(q->array);
  const char *array = arrays->array[q->array];
  char *to = D->rank == 0 ? narrow_of(F->box, numbers, width) : NULL;
  HP_TRY(exchange(D, 1, &q->box, &array, (size_t)hp_array_numbers(q->array) * width, to));
  if (D->rank == 0) widen(F->box, numbers, q->array);
  return HP_OK;
}

/* ---- chunks, packed by as many ranks ---- */

enum { AT_ONCE = 32 /* chunks at most, some MB each, where all of them stand on rank 0 until they are written */ };

/* Its own chunk, if there is one for this rank; *size: bytes of it; *sum: as hp_remote.make has it. */
static hp_status pack(const hp_remote_owners *D, const hp_subdomain_arrays *arrays, const hp_remote_request *q,
                      int count, uint8_t **packed, size_t *size, hp_sum *sum) {
  hp_remote_box *box = NULL;
  const char **array = NULL;
  double *numbers = NULL;
  uint8_t *plane = NULL;
  size_t plane_bytes, room;
  const bool mine = D->rank < count;
  const size_t width = size_of(q->fields.array[0]);
  const int numbers_of = hp_array_numbers(q->fields.array[0]);
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
    widen(numbers, all, q->fields.array[0]);
    *size = hp_remote_pack(&q->fields, q->first + D->rank, numbers, plane, *packed);
    if (*size == 0) s = hp_fail(HP_ERR_FILE, "fields of a report step cannot be compressed");
    else if (q->fields.level == 0) *sum = hp_remote_sum(&q->fields, q->first + D->rank, *packed, *size);
  }
  HP_FREE(box);
  HP_FREE(array);
  HP_FREE(numbers);
  HP_FREE(plane);
  return hp_ranks_agree(D->K, s);
}

/* Each rank's, which are whole numbers, to all. */
static void gather_sums(const hp_remote_owners *D, const hp_sum *mine, hp_sum *all) {
  memset(all, 0, (size_t)D->ranks * sizeof *all);
  all[D->rank] = *mine;
  hp_ranks_sum(D->K, (int64_t *)(void *)all, (int64_t)(sizeof *all / sizeof(int64_t)) * D->ranks);
}

static hp_status make(const hp_remote_owners *D, const hp_subdomain_arrays *arrays, const hp_remote_request *q,
                      hp_subdomain_remote *F) {
  const int most = F->blind >= 0 ? (int)hp_smaller(D->ranks, AT_ONCE) : D->ranks;
  const int count = (int)hp_smaller(most, hp_remote_chunks(&q->fields) - q->first);
  size_t size = 0;
  hp_sum sum = {0, 0};
  HP_FREE(F->mine);
  F->count = 0;
  hp_status s = pack(D, arrays, q, count, &F->mine, &size, &sum);
  if (s == HP_OK && F->begin == NULL) s = HP_ALLOC(F->begin, D->ranks + 1);
  if (s == HP_OK && F->place == NULL) s = HP_ALLOC(F->place, D->ranks);
  if (s == HP_OK && F->sum == NULL) s = HP_ALLOC(F->sum, D->ranks);
  HP_TRY(hp_ranks_agree(D->K, s));
  hp_ranks_begins(D->K, (int64_t)size, F->begin);
  if (q->fields.level == 0) gather_sums(D, &sum, F->sum);
  F->size = (int64_t)size;
  F->first = q->first;
  F->count = count;
  return HP_OK;
}

/* ---- the file ---- */

static bool on_several_hosts(hp_ranks *K) {
  int64_t hosts = hp_ranks_local(K) == 0;
  hp_ranks_sum(K, &hosts, 1);
  return hosts > 1 || hp_test_hooks_get()->ranks_hosts > 0;
}

static bool writes_pages(const hp_subdomain_remote *F) {
  const int64_t hosts = hp_test_hooks_get()->ranks_hosts;
  return F->several && F->fd >= 0 && (hosts > 0 ? hosts == 2 : hp_shared_writes_pages(F->fd));
}

/* Rank 0 opens it first: on other hosts it can be found from then on. */
static hp_status open_here(const hp_remote_owners *D, hp_subdomain_remote *F) {
  HP_TRY(hp_shared_open(F->path, &F->opening.token, &F->fd));
  if (F->fd < 0 && D->rank == 0) return hp_fail(HP_ERR_FILE, "%s.tmp: was removed or replaced", F->path);
  return F->several && D->rank == 0 ? hp_shared_sync(F->fd, F->path) : HP_OK;
}

/* The path and the token, on rank 0 there already, to all. */
static hp_status receive_path(const hp_remote_owners *D, hp_subdomain_remote *F) {
  hp_remote_opening *o = &F->opening;
  hp_ranks_broadcast(D->K, 0, o, sizeof *o);
  HP_TRY(hp_ranks_agree(D->K, D->rank > 0 ? hp_alloc((void **)&F->path, o->length, 1, "path of a file") : HP_OK));
  hp_ranks_broadcast(D->K, 0, F->path, o->length);
  return HP_OK;
}

static hp_status open_file(const hp_remote_owners *D, hp_subdomain_remote *F) {
  F->fd = -1;
  F->several = on_several_hosts(D->K);
  HP_TRY(receive_path(D, F));
  hp_status s = D->rank == 0 ? open_here(D, F) : HP_OK;
  HP_TRY(hp_ranks_agree(D->K, s));
  if (D->rank > 0 && hp_test_hooks_get()->ranks_blind != D->rank) s = open_here(D, F);
  double found[2] = {F->fd < 0 ? -(double)D->rank : -(double)D->ranks, /* the largest is that of the first */
                     writes_pages(F) ? 1.0 : 0.0};
  hp_ranks_max(D->K, found, 2);
  F->blind = -found[0] < (double)D->ranks ? (int)-found[0] : found[1] > 0.0 ? 0 : -1;
  if (F->blind >= 0 && D->rank > 0 && s == HP_OK) s = hp_shared_close(&F->fd, F->path);
  return hp_ranks_agree(D->K, s);
}

static hp_status close_file(const hp_remote_owners *D, hp_subdomain_remote *F) {
  hp_status s = HP_OK;
  if (F->path != NULL) { /* else it could not be opened */
    if (F->several && F->fd >= 0 && D->rank > 0) s = hp_shared_sync(F->fd, F->path);
    const hp_status closed = hp_shared_close(&F->fd, F->path);
    if (s == HP_OK) s = closed;
  }
  HP_FREE(F->path);
  HP_FREE(F->mine);
  F->count = 0;
  return hp_ranks_agree(D->K, s);
}

/* All chunks on rank 0, which writes them. */
static hp_status put_by_root(const hp_remote_owners *D, hp_subdomain_remote *F) {
  uint8_t *all = NULL;
  const bool root = D->rank == 0;
  hp_status s = hp_ranks_agree(D->K, root ? HP_ALLOC_UNSET(all, F->begin[D->ranks]) : HP_OK);
  if (s != HP_OK) return s;
  hp_ranks_gather(D->K, 0, F->mine, all, F->begin, 1);
  for (int n = 0; root && s == HP_OK && n < F->count; ++n)
    s = hp_shared_write(F->fd, F->path, all + F->begin[n], F->begin[n + 1] - F->begin[n], F->place[n]);
  HP_FREE(all);
  return hp_ranks_agree(D->K, s);
}

static hp_status put(const hp_remote_owners *D, hp_subdomain_remote *F) {
  if (F->blind >= 0) return put_by_root(D, F);
  hp_ranks_broadcast(D->K, 0, F->place, F->count * (int64_t)sizeof *F->place);
  const hp_status s = D->rank < F->count ? hp_shared_write(F->fd, F->path, F->mine, F->size, F->place[D->rank]) : HP_OK;
  HP_FREE(F->mine);
  return hp_ranks_agree(D->K, s);
}

hp_status hp_subdomain_remote_do(const hp_remote_owners *D, const hp_subdomain_arrays *arrays,
                                 const hp_remote_request *q, hp_subdomain_remote *F) {
  switch (q->kind) {
    case HP_REMOTE_REQUEST_OPEN: return open_file(D, F);
    case HP_REMOTE_REQUEST_MAKE: return make(D, arrays, q, F);
    case HP_REMOTE_REQUEST_PUT: return put(D, F);
    case HP_REMOTE_REQUEST_CLOSE: return close_file(D, F);
    default: return get_box(D, arrays, q, F);
  }
}

/* ---- rank 0 ---- */

static hp_status ask(hp_subdomain_remote *F, hp_remote_request_kind kind) {
  hp_remote_request q;
  memset(&q, 0, sizeof q);
  q.kind = kind;
  return F->call(F->arg, &q);
}

static hp_status ask_box(void *arg, hp_array array, const hp_remote_box *box, double *to) {
  hp_subdomain_remote *F = arg;
  hp_remote_request q;
  memset(&q, 0, sizeof q);
  q.kind = HP_REMOTE_REQUEST_BOX;
  q.array = array;
  q.box = *box;
  F->box = to;
  return F->call(F->arg, &q);
}

static hp_status ask_open(void *arg, const char *path, const hp_shared_token *token) {
  hp_subdomain_remote *F = arg;
  F->opening = (hp_remote_opening){.length = (int64_t)strlen(path) + 1, .token = *token};
  HP_TRY(hp_format(&F->path, "%s", path));
  return ask(F, HP_REMOTE_REQUEST_OPEN);
}

static hp_status ask_close(void *arg) { return ask(arg, HP_REMOTE_REQUEST_CLOSE); }

static hp_status ask_make(void *arg, const hp_remote_fields *f, int n, int *count, const int64_t **begin,
                          const hp_sum **sum) {
  hp_subdomain_remote *F = arg;
  hp_remote_request q;
  memset(&q, 0, sizeof q);
  q.kind = HP_REMOTE_REQUEST_MAKE;
  q.fields = *f;
  q.first = n;
  HP_TRY(F->call(F->arg, &q));
  *count = F->count;
  *begin = F->begin;
  *sum = F->sum;
  return HP_OK;
}

static hp_status ask_put(void *arg, const int64_t *place) {
  hp_subdomain_remote *F = arg;
  memcpy(F->place, place, (size_t)F->count * sizeof *place);
  return ask(F, HP_REMOTE_REQUEST_PUT);
}

static int ask_blind(const void *arg) { return ((const hp_subdomain_remote *)arg)->blind; }

void hp_subdomain_remote_functions(hp_subdomain_remote *F, hp_status (*call)(void *arg, const hp_remote_request *q),
                                   void *arg, hp_remote *to) {
  F->call = call;
  F->arg = arg;
  F->blind = -1;
  *to = (hp_remote){.arg = F,
                    .box = ask_box,
                    .open = ask_open,
                    .close = ask_close,
                    .blind = ask_blind,
                    .make = ask_make,
                    .put = ask_put};
}

/* ---- from a file to parts ---- */

enum { READ_AT_ONCE = 1 << 16 /* numbers, about */ };

/* Columns `first` .. `end` of the whole grid, whose numbers are in `piece`. */
static void keep_columns(const hp_subdomain *D, int64_t first, int64_t end, hp_array array, const double *piece,
                         void *here) {
  const int numbers = hp_array_numbers(array);
  const int64_t nz = D->part.size[0], columns = D->part.ncell / nz;
  for (int64_t c = 0; c < columns; ++c) {
    if (D->column[c] < first || D->column[c] >= end) continue;
    const double *from = piece + (D->column[c] - first) * nz * numbers;
    for (int64_t k = 0; k < nz; ++k) {
      if (D->part.global[c * nz + k] < 0) continue;
      for (int n = 0; n < numbers; ++n) {
        const int64_t at = (c * nz + k) * numbers + n;
        if (hp_array_entries()[array].type == HP_TYPE_float) ((float *)here)[at] = (float)from[k * numbers + n];
        else ((double *)here)[at] = from[k * numbers + n];
      }
    }
  }
}

hp_status hp_subdomain_remote_put(hp_subdomain *D, const hp_remote_source *source, hp_array array, void *here) {
  const int64_t nz = D->part.size[0], all = (int64_t)D->part.size[1] * D->part.size[2];
  const int numbers = hp_array_numbers(array);
  const int64_t most = READ_AT_ONCE > nz * numbers ? READ_AT_ONCE / (nz * numbers) : 1;
  double *piece = NULL;
  hp_status s = hp_ranks_agree(D->K, HP_ALLOC_UNSET(piece, most * nz * numbers));
  for (int64_t first = 0, end; s == HP_OK && first < all; first = end) {
    end = first + most < all ? first + most : all;
    if (D->rank == 0) s = source->read(source->arg, array, first * nz, (end - first) * nz, piece);
    s = hp_ranks_agree(D->K, s);
    if (s != HP_OK) break;
    hp_ranks_broadcast(D->K, 0, piece, (end - first) * nz * numbers * (int64_t)sizeof *piece);
    keep_columns(D, first, end, array, piece, here);
  }
  HP_FREE(piece);
  if (s == HP_OK) hp_subdomain_fill(D, (size_t)hp_array_bytes(array), here);
  return s;
}

void hp_subdomain_remote_clear(hp_subdomain_remote *F) {
  HP_FREE(F->begin);
  HP_FREE(F->place);
  HP_FREE(F->sum);
  HP_FREE(F->mine);
  HP_FREE(F->path);
  F->first = F->count = 0;
}
