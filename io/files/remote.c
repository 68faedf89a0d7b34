#include "io/files/remote.h"

#include <string.h>

#include "core/memory.h"
#include "grid/grid.h"
#include "io/files/chunks.h"
#include "io/files/driver.h"
#include "io/files/lattice.h"
#include "io/files/text.h"

enum { PIECE = 1 << 16 /* cells, about */, HIDDEN_CELL = 32 /* vtkDataSetAttributes::HIDDENCELL */ };

int64_t hp_remote_box_cells(const hp_remote_box *b) {
  int64_t cells = 1;
  for (int d = 0; d < 3; ++d) cells *= b->hi[d] > b->lo[d] ? b->hi[d] - b->lo[d] : 0;
  return cells;
}

/* ---- chunks ---- */

/* Numbers of a cell in the file. */
static int tail_of(const hp_remote_fields *f) {
  const bool cell = f->form == HP_REMOTE_CELL || f->form == HP_REMOTE_OWN_NODES;
  return cell ? HP_LATTICE_CORNERS : f->form == HP_REMOTE_NODE ? hp_array_numbers(HP_ARRAY_NODES) : 1;
}

static hp_chunks plan(const hp_remote_fields *f) {
  const int tail = tail_of(f);
  hp_chunks c;
  hp_chunks_plan(&c, f->type,
                 (const hsize_t[]){(hsize_t)f->size[0], (hsize_t)f->size[1], (hsize_t)f->size[2] * (hsize_t)tail}, tail,
                 f->level);
  return c;
}

/* Planes of i in a chunk of rows. */
static int planes_of(const hp_remote_fields *f) {
  const int64_t plane = (int64_t)f->size[0] * f->size[1];
  const int planes = plane >= PIECE ? 1 : (int)(PIECE / plane);
  return planes < f->size[2] ? planes : f->size[2];
}

int hp_remote_chunks(const hp_remote_fields *f) {
  if (f->form == HP_REMOTE_ROWS) return (f->size[2] + planes_of(f) - 1) / planes_of(f);
  const hp_chunks c = plan(f);
  return f->count * hp_chunks_count(&c);
}

hp_array hp_remote_chunk(const hp_remote_fields *f, int n, hp_remote_box *box) {
  if (f->form == HP_REMOTE_ROWS) {
    const int first = n * planes_of(f), end = first + planes_of(f);
    *box = (hp_remote_box){.lo = {first, 0, 0}, .hi = {end < f->size[2] ? end : f->size[2], f->size[1], f->size[0]}};
    return f->array[0];
  }
  const hp_chunks c = plan(f);
  const int per_field = hp_chunks_count(&c);
  hsize_t from[3];
  hp_chunks_from(&c, n % per_field, from);
  for (int d = 0; d < 3; ++d) { /* the file's axes are k, j, i */
    const hsize_t end = from[2 - d] + c.chunk[2 - d], tail = d == 0 ? (hsize_t)c.tail : 1;
    box->lo[d] = (int)(from[2 - d] / tail);
    box->hi[d] = (int)((end < c.size[2 - d] ? end : c.size[2 - d]) / tail);
  }
  return f->array[n / per_field];
}

void hp_remote_room(const hp_remote_fields *f, size_t *plane, size_t *room) {
  if (f->form == HP_REMOTE_ROWS) {
    const size_t cells = (size_t)planes_of(f) * (size_t)f->size[0] * (size_t)f->size[1];
    *plane = 0;
    *room = cells * (size_t)hp_array_numbers(f->array[0]) * hp_chunks_width(f->type);
    return;
  }
  const hp_chunks c = plan(f);
  *plane = c.numbers * (f->level > 0 ? c.width : sizeof(double));
  *room = f->level > 0 ? c.room : c.numbers * c.width;
}

/* A box whose numbers are here. */
typedef struct {
  const hp_remote_fields *f;
  hp_remote_box box;
  const double *numbers;
} made;

/* Of a row of the box, whose places count from its own corner. */
static void make_row(const void *data, int k, int j, int64_t from, int64_t n, void *to) {
  const made *m = data;
  const int64_t nk = m->box.hi[2] - m->box.lo[2], nj = m->box.hi[1] - m->box.lo[1], tail = tail_of(m->f);
  uint8_t *flag = to;
  int32_t *node = to;
  double *place = to;
  for (int64_t i = from / tail; n > 0; n -= tail, ++i) {
    if (m->f->form == HP_REMOTE_NODE) {
      memcpy(place, m->numbers + tail * (k + nk * (j + nj * i)), (size_t)tail * sizeof *place);
      place += tail;
      continue;
    }
    if (m->f->form == HP_REMOTE_OWN_NODES) {
      hp_lattice_own_nodes(m->numbers + tail * (k + nk * (j + nj * i)), m->f->downwards, node);
      node += HP_LATTICE_CORNERS;
      continue;
    }
    const bool set = m->numbers[k + nk * (j + nj * i)] != 0.0;
    if (m->f->form == HP_REMOTE_CELL) {
      hp_lattice_cell(m->f->size[2], m->f->size[1], m->box.lo[0] + (int)i, m->box.lo[1] + j, m->box.lo[2] + k, set,
                      m->f->downwards, node);
      node += HP_LATTICE_CORNERS;
    } else {
      *flag++ = m->f->form == HP_REMOTE_HIDDEN ? (set ? 0 : HIDDEN_CELL) : set;
    }
  }
}

/* The numbers of a box in the file's order. */
static void turn(const hp_remote_fields *f, int field, const made *m, double *turned) {
  const int ni = m->box.hi[0] - m->box.lo[0], nj = m->box.hi[1] - m->box.lo[1], nk = m->box.hi[2] - m->box.lo[2];
  const int64_t row = (int64_t)ni * tail_of(f);
  const int64_t width = f->type == HP_H5_U8 ? 1 : f->type == HP_H5_I32 ? sizeof(int32_t) : sizeof(double);
  if (f->form == HP_REMOTE_PLAIN) {
    hp_grid_to_natural(ni, nj, nk, m->numbers, turned);
    for (int64_t n = 0; n < row * nj * nk; ++n) {
      if (f->less_one[field]) turned[n] = 1.0 - turned[n];
      if (f->divisor[field] != 0.0) turned[n] /= f->divisor[field];
    }
    return;
  }
  for (int k = 0; k < nk; ++k)
    for (int j = 0; j < nj; ++j) make_row(m, k, j, 0, row, (char *)turned + (k * (int64_t)nj + j) * row * width);
}

/* Not compressed; turned: in the file's order, where numbers are not in it yet. */
static size_t pack_plain(const hp_remote_fields *f, int n, const double *numbers, double *turned, uint8_t *bytes) {
  made m = {.f = f, .numbers = numbers};
  const hp_array array = hp_remote_chunk(f, n, &m.box);
  const size_t cells = (size_t)hp_remote_box_cells(&m.box);
  if (f->form == HP_REMOTE_ROWS)
    return hp_chunks_plain(f->type, numbers, cells * (size_t)hp_array_numbers(array), bytes);
  turn(f, n / (hp_remote_chunks(f) / f->count), &m, turned);
  return hp_chunks_plain(f->type, turned, cells * (size_t)tail_of(f), bytes);
}

/* Packed as the first and only chunk of a field that has no other cells. */
size_t hp_remote_pack(const hp_remote_fields *f, int n, const double *numbers, uint8_t *plane, uint8_t *packed) {
  if (f->level == 0) return pack_plain(f, n, numbers, (double *)(void *)plane, packed);
  hp_chunks c = plan(f);
  const int field = n / hp_chunks_count(&c);
  made m = {.f = f, .numbers = numbers};
  hp_remote_chunk(f, n, &m.box);
  hp_h5_source source = {
      .data = numbers, .by_cell = true, .less_one = f->less_one[field], .divisor = f->divisor[field]};
  if (f->form != HP_REMOTE_PLAIN) source = (hp_h5_source){.data = &m, .tail = c.tail, .row = make_row};
  for (int d = 0; d < 3; ++d) {
    c.size[d] = (hsize_t)(m.box.hi[2 - d] - m.box.lo[2 - d]) * (d == 2 ? (hsize_t)c.tail : 1);
    c.count[d] = 1;
  }
  return hp_chunks_pack(&c, 0, &source, plane, packed);
}

/* ---- datasets ---- */

hp_status hp_remote_open(const hp_remote *remote, const hp_h5 *h) {
  hp_shared_token token;
  HP_TRY(hp_driver_token(h, &token));
  return remote->open(remote->arg, h->path, &token);
}

hp_status hp_remote_close(const hp_remote *remote, hp_status s) {
  const hp_failure failed = hp_fail_keep(s);
  return hp_fail_both(failed, hp_fail_keep(remote->close(remote->arg)));
}

/* Chunks that ranks have made and that are not written yet. */
typedef struct {
  const hp_remote *remote;
  const hp_remote_fields *f;
  int first, count;     /* chunks `first` .. first + count */
  const int64_t *begin; /* [count + 1], and */
  const hp_sum *sum;    /* [count], as hp_remote.make has them */
  int64_t *place;       /* [room] in the file; */
  int room;
} batch;

static hp_status put(const batch *b) { return b->count > 0 ? b->remote->put(b->remote->arg, b->place) : HP_OK; }

/* Those from chunk n on are made; those before, which have their places, are written. */
static hp_status advance(batch *b, int n) {
  HP_TRY(put(b));
  b->first = n;
  b->count = 0;
  HP_TRY(b->remote->make(b->remote->arg, b->f, n, &b->count, &b->begin, &b->sum));
  if (b->count <= b->room) return HP_OK;
  HP_FREE(b->place);
  HP_TRY(HP_ALLOC(b->place, b->count));
  b->room = b->count;
  return HP_OK;
}

/* A dataset, its axes with the tail. */
typedef struct {
  hid_t set;
  const char *name;
  int rank;
  hsize_t size[4], chunk[4];
  int64_t start; /* of a contiguous one, in the file */
} target;

static target target_of(const hp_remote_fields *f, const char *name) {
  target t = {.set = -1, .name = name};
  if (f->form == HP_REMOTE_ROWS) {
    t.size[0] = (hsize_t)f->size[0] * (hsize_t)f->size[1] * (hsize_t)f->size[2];
    t.size[1] = (hsize_t)hp_array_numbers(f->array[0]);
    t.rank = t.size[1] > 1 ? 2 : 1;
    return t;
  }
  const hp_chunks c = plan(f);
  const hsize_t tail = (hsize_t)tail_of(f);
  for (int d = 0; d < 3; ++d) {
    t.size[d] = c.size[d] / (d == 2 ? tail : 1);
    t.chunk[d] = c.chunk[d] / (d == 2 ? tail : 1);
  }
  t.size[3] = t.chunk[3] = tail;
  t.rank = tail > 1 ? 4 : 3;
  return t;
}

/* Where the bytes of chunk n, which is not compressed, begin in its dataset. It is whole layers or planes, or rows of one
 * layer, or a part of one row, so that its numbers are together. */
static int64_t plain_place(const hp_remote_fields *f, int n) {
  hp_remote_box b;
  hp_remote_chunk(f, n, &b);
  const int64_t nk = f->size[0], nj = f->size[1], ni = f->size[2], width = (int64_t)hp_chunks_width(f->type);
  const int64_t numbers = f->form == HP_REMOTE_ROWS ? (int64_t)b.lo[0] * nj * nk * hp_array_numbers(f->array[0])
                                                    : ((b.lo[2] * nj + b.lo[1]) * ni + b.lo[0]) * tail_of(f);
  return numbers * width;
}

hp_sum hp_remote_sum(const hp_remote_fields *f, int n, const uint8_t *bytes, size_t size) {
  hp_sum sum = {0, 0};
  hp_sum_add(&sum, bytes, size, (uint64_t)plain_place(f, n));
  return sum;
}

/* Where chunk n stands in the file. */
static hp_status find_place(hp_h5 *h, const target *t, const batch *b, int n, int64_t *place) {
  const hp_remote_fields *f = b->f;
  const int at = n - b->first;
  const int64_t size = b->begin[at + 1] - b->begin[at];
  hp_remote_box box;
  hp_remote_chunk(f, n, &box);
  const hsize_t from[4] = {(hsize_t)box.lo[2], (hsize_t)box.lo[1], (hsize_t)box.lo[0], 0};
  if (f->level > 0) return hp_driver_reserve_chunk(h, t->set, t->name, from, (size_t)size, place);
  hp_h5_sum_bytes(h, &b->sum[at], size);
  *place = t->start + plain_place(f, n);
  return HP_OK;
}

static hp_status write_field(hp_h5 *h, batch *b, int field, const char *name, const char *unit) {
  const hp_remote_fields *f = b->f;
  const int per_field = hp_remote_chunks(f) / f->count;
  target t = target_of(f, name);
  hp_status s = hp_h5_open_set(h, name, f->type, t.rank, t.size, f->level > 0 ? t.chunk : NULL, &t.set);
  if (s == HP_OK && f->level == 0) s = hp_driver_reserve_all(h, t.set, name, f->type, t.rank, &t.start);
  for (int n = field * per_field; s == HP_OK && n < (field + 1) * per_field; ++n) {
    if (n == b->first + b->count) s = advance(b, n);
    if (s != HP_OK) break;
    s = find_place(h, &t, b, n, &b->place[n - b->first]);
  }
  return hp_h5_close_set(h, name, t.set, unit, s);
}

hp_status hp_remote_write_fields(hp_h5 *h, const hp_remote *remote, const hp_remote_fields *f, const char *const *name,
                                 const char *const *unit) {
  batch b = {.remote = remote, .f = f};
  hp_status s = HP_OK;
  for (int n = 0; s == HP_OK && n < f->count; ++n) s = write_field(h, &b, n, name[n], unit[n]);
  if (s == HP_OK) s = put(&b);
  HP_FREE(b.place);
  return s;
}

hp_status hp_remote_write_rows(hp_h5 *h, const hp_remote *remote, hp_array array, const int size[3], const char *name,
                               hp_h5_type type, const char *unit) {
  const hp_remote_fields f = {
      .size = {size[2], size[1], size[0]}, .type = type, .form = HP_REMOTE_ROWS, .count = 1, .array = {array}};
  return hp_remote_write_fields(h, remote, &f, &name, &unit);
}

hp_status hp_remote_write_nodes(hp_h5 *h, const hp_remote *remote, int64_t count, const char *name, const char *unit) {
  enum { NUMBERS = 3 };
  const hsize_t dims[2] = {(hsize_t)count, NUMBERS};
  double *number = NULL;
  hid_t set;
  hp_status s = HP_ALLOC(number, NUMBERS * (count < PIECE ? count : PIECE));
  if (s != HP_OK) return s;
  s = hp_h5_open_set(h, name, HP_H5_F64, 2, dims, NULL, &set);
  for (int64_t first = 0; s == HP_OK && first < count; first += PIECE) {
    const int64_t n = count - first < PIECE ? count - first : PIECE;
    const hsize_t from[2] = {(hsize_t)first, 0}, size[2] = {(hsize_t)n, NUMBERS};
    s = remote->nodes(remote->arg, first, n, number);
    if (s == HP_OK) s = hp_h5_write_box(h, set, name, HP_H5_F64, 2, from, size, number);
  }
  HP_FREE(number);
  return hp_h5_close_set(h, name, set, unit, s);
}

/* ---- connections ---- */

/* i, j, k from 1 of one end of each, or transmissibilities. */
typedef struct {
  int64_t count;
  int end; /* 2: transmissibilities */
  const int *size;
} column;

static void convert(const column *c, int64_t n, const hp_remote_connection *from, int32_t *cell, double *trans) {
  for (int64_t k = 0; k < n; ++k) {
    const int64_t m = c->end == 0 ? from[k].a : from[k].b, nz = c->end < 2 ? c->size[2] : 1;
    if (c->end == 2) trans[k] = from[k].trans;
    if (c->end == 2) continue;
    cell[3 * k] = (int32_t)(m / nz / c->size[1]) + 1;
    cell[3 * k + 1] = (int32_t)(m / nz % c->size[1]) + 1;
    cell[3 * k + 2] = (int32_t)(m % nz) + 1;
  }
}

static hp_status write_column(hp_h5 *h, hid_t set, const hp_remote *remote, const column *c, const char *name) {
  enum { MOST = 1 << 14 };
  const bool cells = c->end < 2;
  hp_remote_connection *from = NULL;
  int32_t *cell = NULL;
  double *trans = NULL;
  hp_status s = HP_ALLOC(from, MOST);
  if (s == HP_OK) s = HP_ALLOC(cell, 3 * (int64_t)MOST);
  if (s == HP_OK) s = HP_ALLOC(trans, MOST);
  for (int64_t first = 0; s == HP_OK && first < c->count; first += MOST) {
    const int64_t n = c->count - first < MOST ? c->count - first : MOST;
    const hsize_t at[2] = {(hsize_t)first, 0}, size[2] = {(hsize_t)n, 3};
    s = remote->connections(remote->arg, first, n, from);
    if (s != HP_OK) break;
    convert(c, n, from, cell, trans);
    s = cells ? hp_h5_write_box(h, set, name, HP_H5_I32, 2, at, size, cell)
              : hp_h5_write_box(h, set, name, HP_H5_F64, 1, at, size, trans);
  }
  HP_FREE(from);
  HP_FREE(cell);
  HP_FREE(trans);
  return s;
}

static hp_status write_connections(hp_h5 *h, const hp_remote *remote, const column *c, const char *name,
                                   const char *unit) {
  const hsize_t dims[2] = {(hsize_t)c->count, 3};
  hid_t set;
  hp_status s = hp_h5_open_set(h, name, c->end < 2 ? HP_H5_I32 : HP_H5_F64, c->end < 2 ? 2 : 1, dims, NULL, &set);
  if (s == HP_OK) s = write_column(h, set, remote, c, name);
  return hp_h5_close_set(h, name, set, unit, s);
}

hp_status hp_remote_write_ends(hp_h5 *h, const hp_remote *remote, int64_t count, int end, const int size[3],
                               const char *name) {
  const column c = {count, end, size};
  return write_connections(h, remote, &c, name, NULL);
}

hp_status hp_remote_write_trans(hp_h5 *h, const hp_remote *remote, int64_t count, const char *name, const char *unit) {
  const column c = {count, 2, NULL};
  return write_connections(h, remote, &c, name, unit);
}
