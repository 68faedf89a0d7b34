/* NAME.EGRID: the mesh by its corners, which cells are active, and pairs of cells that are connected without being
 * neighbours.
 *
 * A deck with COORD and ZCORN has them back. Other cells are blocks: they stand on vertical pillars, whose places
 * are the sums of DX and DY along the first layer's rows, and have flat tops and bottoms at their own depths, so
 * that steps between columns stay steps.
 */
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

/* x, y: [ny+1][nx+1] of the pillars [m]; a pillar beyond the last row or column stands on its sums. */
static void pillars(const hp_case *c, double *x, double *y) {
  const hp_grid *g = c->grid;
  for (int j = 0; j <= g->ny; ++j)
    for (int i = 0; i <= g->nx; ++i) {
      const int64_t n = i + (int64_t)(g->nx + 1) * j;
      const int row = j < g->ny ? j : g->ny - 1, column = i < g->nx ? i : g->nx - 1;
      x[n] = i > 0 ? x[n - 1] + g->dx[hp_grid_cell(g, i - 1, row, 0)] : c->x[0];
      y[n] = j > 0 ? y[n - g->nx - 1] + g->dy[hp_grid_cell(g, column, j - 1, 0)] : c->y[0];
    }
}

/* The depths that the mesh lies between. */
static void depth_range(const hp_grid *g, double *top, double *bottom) {
  *top = g->depth[0];
  *bottom = g->depth[0];
  for (int64_t m = 0; m < g->ncell; ++m) {
    if (g->depth[m] - 0.5 * g->dz[m] < *top) *top = g->depth[m] - 0.5 * g->dz[m];
    if (g->depth[m] + 0.5 * g->dz[m] > *bottom) *bottom = g->depth[m] + 0.5 * g->dz[m];
  }
}

/* coord [6(nx+1)(ny+1)]: two points x, y, z a pillar. */
static hp_status vertical_pillars(const hp_ebin_out *e, double factor, float *coord) {
  const hp_grid *g = e->c->grid;
  const int64_t count = (int64_t)(g->nx + 1) * (g->ny + 1);
  double *x = NULL, *y = NULL, top, bottom;
  HP_TRY(HP_ALLOC(x, count));
  const hp_status s = HP_ALLOC(y, count);
  if (s == HP_OK) {
    pillars(e->c, x, y);
    depth_range(g, &top, &bottom);
    for (int64_t n = 0; n < count; ++n)
      for (int end = 0; end < 2; ++end) {
        coord[6 * n + 3 * end] = (float)(x[n] / factor);
        coord[6 * n + 3 * end + 1] = (float)(y[n] / factor);
        coord[6 * n + 3 * end + 2] = (float)((end == 0 ? top : bottom) / factor);
      }
  }
  HP_FREE(x);
  HP_FREE(y);
  return s;
}

/* zcorn [2 nz][2 ny][2 nx] */
static void block_depths(const hp_grid *g, double factor, float *zcorn) {
  for (int k = 0; k < 2 * g->nz; ++k)
    for (int j = 0; j < 2 * g->ny; ++j)
      for (int i = 0; i < 2 * g->nx; ++i) {
        const int64_t m = hp_grid_cell(g, i / 2, j / 2, k / 2);
        *zcorn++ = (float)((g->depth[m] + (k % 2 == 0 ? -0.5 : 0.5) * g->dz[m]) / factor);
      }
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

static hp_status put_mesh(hp_ebin_bytes *b, const hp_ebin_out *e) {
  const hp_case *c = e->c;
  const hp_grid *g = c->grid;
  const double factor = e->units.factor[HP_UNIT_LENGTH];
  const int64_t sets = hp_pillar_systems_sets(&c->systems), ncoord = 6 * (int64_t)(g->nx + 1) * (g->ny + 1) * sets;
  const int64_t nzcorn = 8 * g->ncell;
  float *coord = NULL, *zcorn = NULL;
  hp_status s = HP_ALLOC(coord, ncoord);
  if (s == HP_OK) s = HP_ALLOC(zcorn, nzcorn);
  if (s == HP_OK && c->coord == NULL) {
    s = vertical_pillars(e, factor, coord);
    block_depths(g, factor, zcorn);
  } else if (s == HP_OK) {
    for (int64_t n = 0; n < ncoord; ++n) coord[n] = (float)(c->coord[n] / factor);
    for (int64_t n = 0; n < nzcorn; ++n) zcorn[n] = (float)(c->zcorn[n] / factor);
  }
  if (s == HP_OK) hp_ebin_put_real(b, "COORD", ncoord, coord);
  if (s == HP_OK) s = put_systems(b, c);
  if (s == HP_OK) hp_ebin_put_real(b, "ZCORN", nzcorn, zcorn);
  HP_FREE(coord);
  HP_FREE(zcorn);
  return s;
}

static hp_status put_active(hp_ebin_bytes *b, const hp_grid *g) {
  int32_t *active = NULL, *at;
  HP_TRY(HP_ALLOC(active, g->ncell));
  at = active;
  for (int k = 0; k < g->nz; ++k)
    for (int j = 0; j < g->ny; ++j)
      for (int i = 0; i < g->nx; ++i) *at++ = g->active[hp_grid_cell(g, i, j, k)];
  hp_ebin_put_int(b, "ACTNUM", g->ncell, active);
  HP_FREE(active);
  return HP_OK;
}

/* Number of cell m, from 1, i fastest. */
static int32_t number(const hp_grid *g, int64_t m) {
  int at[3];
  hp_grid_ijk(g, m, at);
  return (int32_t)(1 + at[0] + (int64_t)g->nx * (at[1] + (int64_t)g->ny * at[2]));
}

/* Their transmissibilities are TRANNNC of NAME.INIT. */
static hp_status put_connections(hp_ebin_bytes *b, const hp_grid *g) {
  const hp_grid_connections *c = &g->connection;
  int32_t *cell, head[10] = {(int32_t)c->count};
  if (c->count == 0) return HP_OK;
  HP_TRY(HP_ALLOC(cell, c->count));
  hp_ebin_put_int(b, "NNCHEAD", 10, head);
  for (int end = 0; end < 2; ++end) {
    for (int64_t n = 0; n < c->count; ++n) cell[n] = number(g, end == 0 ? c->a[n] : c->b[n]);
    hp_ebin_put_int(b, end == 0 ? "NNC1" : "NNC2", c->count, cell);
  }
  HP_FREE(cell);
  return HP_OK;
}

void hp_ebin_put_egrid(hp_ebin_bytes *b, const hp_ebin_out *e) {
  put_heads(b, e);
  if (b->status == HP_OK) b->status = put_mesh(b, e);
  if (b->status == HP_OK) b->status = put_active(b, e->c->grid);
  hp_ebin_put_int(b, "ENDGRID", 0, NULL);
  if (b->status == HP_OK) b->status = put_connections(b, e->c->grid);
}
