/* Cell arrays of Eclipse's files, piece by piece: of this process, or fetched from those that hold the cells. */
#include <string.h>

#include "core/memory.h"
#include "io/results/eclipse/eclipse.h"

/* ---- pieces ---- */

int64_t hp_ebin_piece(const hp_grid *g) { return g->nx > HP_EBIN_PIECE ? g->nx : HP_EBIN_PIECE; }

static int smaller(int a, int b) { return a < b ? a : b; }

bool hp_ebin_next_box(const hp_grid *g, hp_remote_box *box) {
  const int rows = (int)(hp_ebin_piece(g) / g->nx), layers = rows / g->ny;
  const bool begins = box->hi[2] == 0, goes_on = !begins && box->hi[1] < g->ny;
  const int j = goes_on ? box->hi[1] : 0, k = goes_on ? box->lo[2] : box->hi[2];
  if (k == g->nz) return false;
  *box = (hp_remote_box){
      .lo = {0, j, k},
      .hi = {g->nx, layers > 0 ? g->ny : smaller(j + rows, g->ny), layers > 0 ? smaller(k + layers, g->nz) : k + 1}};
  return true;
}

static void copy_here(const hp_ebin_cells *C, hp_array array, const hp_remote_box *b, double *to) {
  const hp_grid *g = C->c->grid;
  const void *from = array == HP_ARRAY_PRESSURE  ? C->p
                     : array == HP_ARRAY_WATER   ? C->sw
                     : array >= HP_FIRST_DERIVED ? C->derived[array - HP_FIRST_DERIVED]
                                                 : hp_case_array(C->c, array);
  for (int k = b->lo[2]; k < b->hi[2]; ++k)
    for (int j = b->lo[1]; j < b->hi[1]; ++j)
      for (int i = b->lo[0]; i < b->hi[0]; ++i) *to++ = hp_array_number(array, from, hp_grid_cell(g, i, j, k));
}

hp_status hp_ebin_get(const hp_ebin_cells *C, hp_array array, const hp_remote_box *box, double *work, double *to) {
  if (C->remote == NULL) {
    copy_here(C, array, box, to);
    return HP_OK;
  }
  HP_TRY(C->remote->box(C->remote->arg, array, box, work));
  hp_grid_to_natural(box->hi[0] - box->lo[0], box->hi[1] - box->lo[1], box->hi[2] - box->lo[2], work, to);
  return HP_OK;
}

hp_status hp_ebin_get_one(const hp_ebin_cells *C, hp_array array, int64_t cell, double *value) {
  hp_remote_box box;
  double work;
  hp_grid_ijk(C->c->grid, cell, box.lo);
  for (int d = 0; d < 3; ++d) box.hi[d] = box.lo[d] + 1;
  return hp_ebin_get(C, array, &box, &work, value);
}

/* ---- what is no array of cells ---- */

hp_status hp_ebin_get_corners(const hp_ebin_cells *C, hp_remote_corners which, int64_t first, int64_t count,
                              double *to) {
  if (C->remote != NULL) return C->remote->corners(C->remote->arg, which, first, count, to);
  const double *from = which == HP_REMOTE_COORD ? C->c->coord : C->c->zcorn;
  memcpy(to, from + first, (size_t)count * sizeof *to);
  return HP_OK;
}

int64_t hp_ebin_connections(const hp_ebin_cells *C) {
  return C->remote != NULL ? C->c->facts.connections : C->c->grid->connection.count;
}

hp_status hp_ebin_get_connections(const hp_ebin_cells *C, int64_t first, int64_t count, hp_remote_connection *to) {
  const hp_grid_connections *c = &C->c->grid->connection;
  if (C->remote != NULL) return C->remote->connections(C->remote->arg, first, count, to);
  for (int64_t n = 0; n < count; ++n)
    to[n] = (hp_remote_connection){c->a[first + n], c->b[first + n], c->trans[first + n]};
  return HP_OK;
}

/* ---- a field ---- */

/* Numbers of a piece that go to the file. */
static void add_piece(hp_ebin_array *a, const hp_ebin_field *f, int64_t cells, const double *active,
                      const double *value) {
  for (int64_t n = 0; n < cells; ++n) {
    if (!f->all && active[n] == 0.0) continue;
    const int32_t integer = f->more + (f->integer && !f->absent ? (int32_t)value[n] : 0);
    const float real = f->integer ? 0.0f : (float)(value[n] / f->factor);
    hp_ebin_add(a, 1, f->integer ? (const void *)&integer : &real);
  }
}

hp_status hp_ebin_put_field(hp_ebin_bytes *b, const hp_ebin_cells *C, const hp_ebin_field *f) {
  const hp_grid *g = C->c->grid;
  const int64_t most = hp_ebin_piece(g), count = f->all ? hp_grid_cells(g) : g->nactive;
  hp_ebin_array a = f->integer ? hp_ebin_open_int(b, f->name, count) : hp_ebin_open_real(b, f->name, count);
  hp_remote_box box = {.lo = {0}};
  double *work = NULL, *active = NULL, *value = NULL;
  hp_status s = b->status;
  if (s == HP_OK) s = HP_ALLOC_UNSET(work, most);
  if (s == HP_OK) s = HP_ALLOC_UNSET(active, most);
  if (s == HP_OK) s = HP_ALLOC_UNSET(value, most);
  while (s == HP_OK && hp_ebin_next_box(g, &box)) {
    if (!f->all) s = hp_ebin_get(C, HP_ARRAY_ACTIVE, &box, work, active);
    if (s == HP_OK && !f->absent) s = hp_ebin_get(C, f->array, &box, work, value);
    if (s != HP_OK) break;
    add_piece(&a, f, hp_remote_box_cells(&box), active, value);
    s = b->status;
  }
  HP_FREE(work);
  HP_FREE(active);
  HP_FREE(value);
  if (s == HP_OK && a.done < count)
    s = hp_fail(HP_ERR_INTERNAL, "%s has %lld entries of %lld", f->name, (long long)a.done, (long long)count);
  return s;
}
