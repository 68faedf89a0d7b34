/* NAME.EGRID: the mesh by its corners, which cells are active, and pairs of cells that are connected without being
 * neighbours.
 *
 * A deck with COORD and ZCORN has them back. Other cells are blocks: they stand on vertical pillars, whose places
 * are the sums of DX and DY along the first layer's rows, and have flat tops and bottoms at their own depths, so
 * that steps between columns stay steps.
 */
#include <math.h>

#include "core/memory.h"
#include "io/results/eclipse/eclipse.h"

enum { NHEAD = 100 };

static void put_heads(hp_ebin_bytes *b, const hp_ebin_out *e) {
  const hp_grid *g = e->c->grid;
  hp_ebin_name unit[2] = {"METRES", ""};
  if (e->units.system == HP_UNITS_FIELD) snprintf(unit[0], sizeof unit[0], "FEET");
  if (e->units.system == HP_UNITS_LAB) snprintf(unit[0], sizeof unit[0], "CM");
  int32_t file[NHEAD] = {0}, grid[NHEAD] = {0};
  file[0] = 3; /* version and year of the format */
  file[1] = 2007;
  file[6] = 1; /* corner points */
  file[HP_EBIN_MARK_FILEHEAD] = HP_EBIN_MARK;
  hp_ebin_put_int(b, "FILEHEAD", NHEAD, file);
  hp_ebin_put_text(b, "GRIDUNIT", 2, unit);
  grid[0] = 1; /* corner points */
  grid[1] = g->nx;
  grid[2] = g->ny;
  grid[3] = g->nz;
  grid[24] = hp_pillar_systems_sets(&e->c->systems);
  hp_ebin_put_int(b, "GRIDHEAD", NHEAD, grid);
}

/* The depths that the mesh of blocks lies between. */
static hp_status depth_range(const hp_ebin_cells *C, double *work, double *depth, double *dz, double *top,
                             double *bottom) {
  const hp_grid *g = C->c->grid;
  hp_remote_box box = {.lo = {0}};
  *top = INFINITY;
  *bottom = -INFINITY;
  while (hp_ebin_next_box(g, &box)) {
    HP_TRY(hp_ebin_get(C, HP_ARRAY_DEPTH, &box, work, depth));
    HP_TRY(hp_ebin_get(C, HP_ARRAY_DZ, &box, work, dz));
    for (int64_t n = 0; n < hp_remote_box_cells(&box); ++n) {
      if (depth[n] - 0.5 * dz[n] < *top) *top = depth[n] - 0.5 * dz[n];
      if (depth[n] + 0.5 * dz[n] > *bottom) *bottom = depth[n] + 0.5 * dz[n];
    }
  }
  return HP_OK;
}

/* A row of vertical pillars: two points x, y, z each. */
static void add_row(hp_ebin_array *a, int nx, const double *x, const double *y, const double end[2], double factor) {
  for (int i = 0; i <= nx; ++i)
    for (int n = 0; n < 2; ++n) {
      const float point[3] = {(float)(x[i] / factor), (float)(y[i] / factor), (float)(end[n] / factor)};
      hp_ebin_add(a, 3, point);
    }
}

/* Sums of DX and DY along the first layer's rows [m]; a pillar beyond the last row or column stands on its sums. x, y
 * [nx+1]; dx, dy [hp_ebin_piece]. */
static hp_status put_pillars(hp_ebin_array *a, const hp_ebin_cells *C, const double end[2], double factor, double *work,
                             double *dx, double *dy, double *x, double *y) {
  const hp_case *c = C->c;
  const hp_grid *g = c->grid;
  hp_remote_box box = {.lo = {0}};
  for (int i = 0; i <= g->nx; ++i) y[i] = c->y[0];
  while (hp_ebin_next_box(g, &box) && box.lo[2] == 0) {
    box.hi[2] = 1;
    HP_TRY(hp_ebin_get(C, HP_ARRAY_DX, &box, work, dx));
    HP_TRY(hp_ebin_get(C, HP_ARRAY_DY, &box, work, dy));
    for (int64_t row = 0; row < box.hi[1] - box.lo[1]; ++row) {
      x[0] = c->x[0];
      for (int i = 0; i < g->nx; ++i) x[i + 1] = x[i] + dx[i + g->nx * row];
      add_row(a, g->nx, x, y, end, factor);
      for (int i = 0; i <= g->nx; ++i) y[i] += dy[(i < g->nx ? i : g->nx - 1) + g->nx * row];
    }
  }
  add_row(a, g->nx, x, y, end, factor);
  return a->bytes->status;
}

/* Corners of the tops (end 0) or the bottoms of a layer's rows, twice each. */
static void add_depths(hp_ebin_array *a, int nx, int rows, int end, const double *depth, const double *dz,
                       double factor) {
  for (int j = 0; j < 2 * rows; ++j)
    for (int i = 0; i < 2 * nx; ++i) {
      const int64_t m = i / 2 + (int64_t)nx * (j / 2);
      const float z = (float)((depth[m] + (end == 0 ? -0.5 : 0.5) * dz[m]) / factor);
      hp_ebin_add(a, 1, &z);
    }
}

/* Flat tops and bottoms. Of a layer in several boxes the tops come before the bottoms: its rows are fetched twice. */
static hp_status put_depths(hp_ebin_array *a, const hp_ebin_cells *C, double factor, double *work, double *depth,
                            double *dz) {
  const hp_grid *g = C->c->grid;
  const int64_t layer = (int64_t)g->nx * g->ny;
  hp_remote_box box = {.lo = {0}};
  int end = 0;
  for (hp_remote_box next = box; hp_ebin_next_box(g, &next);) {
    const bool whole = next.hi[1] - next.lo[1] == g->ny;
    box = next;
    HP_TRY(hp_ebin_get(C, HP_ARRAY_DEPTH, &box, work, depth));
    HP_TRY(hp_ebin_get(C, HP_ARRAY_DZ, &box, work, dz));
    if (!whole) add_depths(a, g->nx, box.hi[1] - box.lo[1], end, depth, dz, factor);
    for (int64_t k = 0; whole && k < box.hi[2] - box.lo[2]; ++k)
      for (int side = 0; side < 2; ++side) add_depths(a, g->nx, g->ny, side, depth + layer * k, dz + layer * k, factor);
    if (whole || box.hi[1] < g->ny) continue;
    end = 1 - end;
    if (end == 1) next = (hp_remote_box){.lo = {0, 0, box.lo[2]}, .hi = {g->nx, g->ny, box.lo[2]}};
  }
  return a->bytes->status;
}

/* As COORDSYS has them: layers, no circle, joined to the one below, beside which ones. */
static hp_status put_systems(hp_ebin_bytes *b, const hp_case *c) {
  enum { ITEMS = 6 };
  int32_t *item;
  if (c->systems.count < 2) return HP_OK;
  HP_TRY(HP_ALLOC(item, ITEMS * c->systems.count));
  for (int n = 0; n < c->systems.count; ++n) {
    const hp_pillar_system *s = &c->systems.at[n];
    const int32_t items[ITEMS] = {s->first + 1, s->last + 1, 0, s->joined, s->beside[0] + 1, s->beside[1] + 1};
    for (int x = 0; x < ITEMS; ++x) item[ITEMS * n + x] = items[x];
  }
  hp_ebin_put_int(b, "COORDSYS", ITEMS * c->systems.count, item);
  HP_FREE(item);
  return HP_OK;
}

/* Cells that the deck gives by sizes; or their corners, which it gives. */
static hp_status put_blocks(hp_ebin_bytes *b, const hp_ebin_out *e, const hp_ebin_cells *C) {
  const hp_grid *g = e->c->grid;
  const int64_t most = hp_ebin_piece(g);
  const double factor = e->units.factor[HP_UNIT_LENGTH];
  double *work = NULL, *first = NULL, *second = NULL, *x = NULL, *y = NULL, end[2];
  hp_status s = HP_ALLOC_UNSET(work, most);
  if (s == HP_OK) s = HP_ALLOC_UNSET(first, most);
  if (s == HP_OK) s = HP_ALLOC_UNSET(second, most);
  if (s == HP_OK) s = HP_ALLOC(x, g->nx + 1);
  if (s == HP_OK) s = HP_ALLOC(y, g->nx + 1);
  if (s == HP_OK) s = depth_range(C, work, first, second, &end[0], &end[1]);
  if (s == HP_OK) {
    hp_ebin_array coord = hp_ebin_open_real(b, "COORD", 6 * (int64_t)(g->nx + 1) * (g->ny + 1));
    s = put_pillars(&coord, C, end, factor, work, first, second, x, y);
  }
  if (s == HP_OK) {
    hp_ebin_array zcorn = hp_ebin_open_real(b, "ZCORN", 8 * hp_grid_cells(g));
    s = put_depths(&zcorn, C, factor, work, first, second);
  }
  HP_FREE(work);
  HP_FREE(first);
  HP_FREE(second);
  HP_FREE(x);
  HP_FREE(y);
  return s;
}

static hp_status put_list(hp_ebin_bytes *b, const hp_ebin_cells *C, const char *name, hp_remote_corners which,
                          int64_t all, double factor) {
  double *piece = NULL;
  hp_ebin_array a = hp_ebin_open_real(b, name, all);
  HP_TRY(HP_ALLOC_UNSET(piece, all < HP_EBIN_PIECE ? all : HP_EBIN_PIECE));
  hp_status s = b->status;
  for (int64_t first = 0; first < all && s == HP_OK; first += HP_EBIN_PIECE) {
    const int64_t count = all - first < HP_EBIN_PIECE ? all - first : HP_EBIN_PIECE;
    s = hp_ebin_get_corners(C, which, first, count, piece);
    for (int64_t n = 0; n < count && s == HP_OK; ++n) {
      const float z = (float)(piece[n] / factor);
      hp_ebin_add(&a, 1, &z);
    }
  }
  HP_FREE(piece);
  return s == HP_OK ? b->status : s;
}

static hp_status put_mesh(hp_ebin_bytes *b, const hp_ebin_out *e, const hp_ebin_cells *C) {
  const hp_case *c = e->c;
  const hp_grid *g = c->grid;
  const double factor = e->units.factor[HP_UNIT_LENGTH];
  const int64_t sets = hp_pillar_systems_sets(&c->systems), ncoord = 6 * (int64_t)(g->nx + 1) * (g->ny + 1) * sets;
  if (c->coord == NULL) return put_blocks(b, e, C);
  HP_TRY(put_list(b, C, "COORD", HP_REMOTE_COORD, ncoord, factor));
  HP_TRY(put_systems(b, c));
  return put_list(b, C, "ZCORN", HP_REMOTE_ZCORN, 8 * hp_grid_cells(g), factor);
}

/* Number of cell m, from 1, i fastest. */
static int32_t number(const hp_grid *g, int64_t m) {
  int at[3];
  hp_grid_ijk(g, m, at);
  return (int32_t)(1 + at[0] + (int64_t)g->nx * (at[1] + (int64_t)g->ny * at[2]));
}

/* Cells of ends of connections, whose transmissibilities are TRANNNC of NAME.INIT. */
static hp_status put_ends(hp_ebin_bytes *b, const hp_ebin_cells *C, int end, int64_t all, hp_remote_connection *piece) {
  hp_ebin_array a = hp_ebin_open_int(b, end == 0 ? "NNC1" : "NNC2", all);
  for (int64_t first = 0; first < all; first += HP_EBIN_PIECE) {
    const int64_t count = all - first < HP_EBIN_PIECE ? all - first : HP_EBIN_PIECE;
    HP_TRY(hp_ebin_get_connections(C, first, count, piece));
    for (int64_t n = 0; n < count; ++n) {
      const int32_t cell = number(C->c->grid, end == 0 ? piece[n].a : piece[n].b);
      hp_ebin_add(&a, 1, &cell);
    }
  }
  return b->status;
}

static hp_status put_connections(hp_ebin_bytes *b, const hp_ebin_cells *C) {
  const int64_t all = hp_ebin_connections(C);
  const int32_t head[10] = {(int32_t)all};
  hp_remote_connection *piece = NULL;
  if (all == 0) return HP_OK;
  HP_TRY(HP_ALLOC(piece, all < HP_EBIN_PIECE ? all : HP_EBIN_PIECE));
  hp_ebin_put_int(b, "NNCHEAD", 10, head);
  hp_status s = put_ends(b, C, 0, all, piece);
  if (s == HP_OK) s = put_ends(b, C, 1, all, piece);
  HP_FREE(piece);
  return s;
}

void hp_ebin_put_egrid(hp_ebin_bytes *b, const hp_ebin_out *e, const hp_ebin_cells *C) {
  const hp_ebin_field active = {.name = "ACTNUM", .array = HP_ARRAY_ACTIVE, .all = true, .integer = true};
  put_heads(b, e);
  if (b->status == HP_OK) b->status = put_mesh(b, e, C);
  if (b->status == HP_OK) b->status = hp_ebin_put_field(b, C, &active);
  hp_ebin_put_int(b, "ENDGRID", 0, NULL);
  if (b->status == HP_OK) b->status = put_connections(b, C);
}
