#include "io/files/remote.h"

#include <string.h>

#include "core/memory.h"
#include "grid/grid.h"
#include "io/files/chunks.h"
#include "io/files/lattice.h"

enum { PIECE = 1 << 16 /* cells, about */, HIDDEN_CELL = 32 /* vtkDataSetAttributes::HIDDENCELL */ };

int hp_remote_numbers(hp_remote_array a) {
  static const int numbers[HP_REMOTE_ARRAYS] = {
#define NUMBERS(name, numbers) numbers,
      HP_REMOTE_LIST(NUMBERS)
#undef NUMBERS
  };
  return numbers[a];
}

int64_t hp_remote_box_cells(const hp_remote_box *b) {
  int64_t cells = 1;
  for (int d = 0; d < 3; ++d) cells *= b->hi[d] > b->lo[d] ? b->hi[d] - b->lo[d] : 0;
  return cells;
}

/* ---- chunks ---- */

/* Numbers of a cell in the file. */
static int tail_of(const hp_remote_fields *f) {
  const bool cell = f->form == HP_REMOTE_CELL || f->form == HP_REMOTE_OWN_NODES;
  return cell ? HP_LATTICE_CORNERS : f->form == HP_REMOTE_NODE ? hp_remote_numbers(HP_REMOTE_NODES) : 1;
}

static hp_chunks plan(const hp_remote_fields *f) {
  const int tail = tail_of(f);
  hp_chunks c;
  hp_chunks_plan(&c, f->type,
                 (const hsize_t[]){(hsize_t)f->size[0], (hsize_t)f->size[1], (hsize_t)f->size[2] * (hsize_t)tail}, tail,
                 f->level);
  return c;
}

int hp_remote_chunks(const hp_remote_fields *f) {
  const hp_chunks c = plan(f);
  return f->count * hp_chunks_count(&c);
}

hp_remote_array hp_remote_chunk(const hp_remote_fields *f, int n, hp_remote_box *box) {
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
  const hp_chunks c = plan(f);
  *plane = c.numbers * c.width;
  *room = c.room;
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

/* As the first and only chunk of a field that has no other cells. */
size_t hp_remote_pack(const hp_remote_fields *f, int n, const double *numbers, uint8_t *plane, uint8_t *packed) {
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

/* The numbers of a box of a field in the file's order, as hp_h5_write_box takes them. */
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

/* Chunk n into its field, in the file's order. */
static hp_status write_plain(const hp_h5 *h, hid_t set, const hp_remote *remote, const hp_remote_fields *f, int n,
                             const char *name) {
  made m = {.f = f};
  const hp_remote_array array = hp_remote_chunk(f, n, &m.box);
  const hp_remote_box *b = &m.box;
  const int64_t cells = hp_remote_box_cells(b);
  double *number = NULL, *turned = NULL;
  hp_status s = HP_ALLOC(number, cells * hp_remote_numbers(array));
  if (s == HP_OK) s = HP_ALLOC(turned, cells * tail_of(f));
  if (s == HP_OK) s = remote->box(remote->arg, array, b, number);
  if (s == HP_OK) {
    const hsize_t from[4] = {(hsize_t)b->lo[2], (hsize_t)b->lo[1], (hsize_t)b->lo[0], 0};
    const hsize_t count[4] = {(hsize_t)(b->hi[2] - b->lo[2]), (hsize_t)(b->hi[1] - b->lo[1]),
                              (hsize_t)(b->hi[0] - b->lo[0]), (hsize_t)tail_of(f)};
    m.numbers = number;
    turn(f, n / (hp_remote_chunks(f) / f->count), &m, turned);
    s = hp_h5_write_box(h, set, name, f->type, tail_of(f) > 1 ? 4 : 3, from, count, turned);
  }
  HP_FREE(number);
  HP_FREE(turned);
  return s;
}

static hp_status write_packed(const hp_h5 *h, hid_t set, const hp_remote *remote, const hp_remote_fields *f, int n,
                              const char *name) {
  hp_remote_box b;
  const uint8_t *bytes;
  size_t size;
  hp_remote_chunk(f, n, &b);
  const hsize_t from[4] = {(hsize_t)b.lo[2], (hsize_t)b.lo[1], (hsize_t)b.lo[0], 0};
  HP_TRY(remote->packed(remote->arg, f, n, &bytes, &size));
  return H5Dwrite_chunk(set, H5P_DEFAULT, 0, from, size, bytes) >= 0 ? HP_OK : hp_h5_fail(h, name);
}

static hp_status write_field(hp_h5 *h, const hp_remote *remote, const hp_remote_fields *f, int field, const char *name,
                             const char *unit) {
  const hp_chunks c = plan(f);
  const int per_field = hp_chunks_count(&c), tail = tail_of(f);
  const hsize_t size[4] = {c.size[0], c.size[1], c.size[2] / (hsize_t)tail, (hsize_t)tail};
  const hsize_t chunk[4] = {c.chunk[0], c.chunk[1], c.chunk[2] / (hsize_t)tail, (hsize_t)tail};
  hid_t set;
  hp_status s = hp_h5_open_set(h, name, f->type, tail > 1 ? 4 : 3, size, f->level > 0 ? chunk : NULL, &set);
  for (int n = field * per_field; s == HP_OK && n < (field + 1) * per_field; ++n)
    s = f->level > 0 ? write_packed(h, set, remote, f, n, name) : write_plain(h, set, remote, f, n, name);
  return hp_h5_close_set(h, name, set, unit, s);
}

hp_status hp_remote_write_fields(hp_h5 *h, const hp_remote *remote, const hp_remote_fields *f, const char *const *name,
                                 const char *const *unit) {
  for (int n = 0; n < f->count; ++n) HP_TRY(write_field(h, remote, f, n, name[n], unit[n]));
  return HP_OK;
}

/* Planes of i: they lie together in the order of cells. */
static hp_status write_planes(const hp_h5 *h, hid_t set, const hp_remote *remote, hp_remote_array array,
                              const int size[3], int planes, const char *name, hp_h5_type type) {
  const int q = hp_remote_numbers(array);
  const int64_t plane = (int64_t)size[1] * size[2];
  double *number = NULL;
  hp_status s = HP_ALLOC(number, planes * plane * q);
  for (int i = 0; s == HP_OK && i < size[0]; i += planes) {
    const int end = size[0] - i < planes ? size[0] : i + planes;
    const hp_remote_box b = {.lo = {i, 0, 0}, .hi = {end, size[1], size[2]}};
    const hsize_t from[2] = {(hsize_t)(i * plane), 0}, count[2] = {(hsize_t)((end - i) * plane), (hsize_t)q};
    s = remote->box(remote->arg, array, &b, number);
    if (s == HP_OK) s = hp_h5_write_box(h, set, name, type, q > 1 ? 2 : 1, from, count, number);
  }
  HP_FREE(number);
  return s;
}

hp_status hp_remote_write_rows(hp_h5 *h, const hp_remote *remote, hp_remote_array array, const int size[3],
                               const char *name, hp_h5_type type, const char *unit) {
  const int q = hp_remote_numbers(array);
  const int64_t plane = (int64_t)size[1] * size[2];
  const int planes = plane >= PIECE ? 1 : (int)(PIECE / plane);
  const hsize_t dims[2] = {(hsize_t)(plane * size[0]), (hsize_t)q};
  hid_t set;
  hp_status s = hp_h5_open_set(h, name, type, q > 1 ? 2 : 1, dims, NULL, &set);
  if (s == HP_OK) s = write_planes(h, set, remote, array, size, planes < size[0] ? planes : size[0], name, type);
  return hp_h5_close_set(h, name, set, unit, s);
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
