/* /grid/nodes and /grid/cells of NAME.grid.h5: the mesh as it is seen from above on a map.
 *
 * Coordinates are right-handed: x, y and z = -depth. Cells are counted downwards, so that a mesh by rows and layers
 * would have its cells inside out (VTK's volumes negative) or, with its layers' z falling, no cell found where one is
 * looked for. So each cell names its eight nodes, in VTK's order for a hexahedron:
 *
 *          7-----6
 *         /|    /|       0-3 the face that comes first when z rises, 4-7 the other one; 0, 1 along i where i and j turn
 *        4-----5 |       to the left seen from above. Where they turn to the right, as with j from north to south, the
 *        | 3---|-2       faces change places.
 *        |/    |/
 *        0-----1
 *
 * A cell that is not active has its first node eight times: it has no faces that would close the surface of those
 * beside it.
 */
#include <stdint.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "io/files/lattice.h"
#include "io/results/impl.h"

enum { CORNERS = HP_LATTICE_CORNERS, PLACE = 3 };

typedef struct {
  const hp_case *c;
  bool downwards;             /* i, j and z are left-handed */
  hp_case_split nodes;        /* where cells have nodes of their own */
  const hp_case_nodes *means; /* where cells do not line up */
} mesh;

/* ---- rows of the datasets ---- */

/* Nodes of one row that line up with all others. */
static void node_row(const void *data, int k, int j, int64_t from, int64_t n, void *to) {
  const hp_case *c = ((const mesh *)data)->c;
  double *place = to;
  for (int64_t i = from / PLACE; n > 0; n -= PLACE, place += PLACE, ++i) {
    place[0] = c->x[i];
    place[1] = c->y[j];
    place[2] = -c->z[k];
  }
}

/* The same where cells have nodes of their own. */
static void split_cell_row(const void *data, int k, int j, int64_t from, int64_t n, void *to) {
  static const int around[4] = {0, 1, 3, 2}; /* corners of a face, in VTK's order */
  const mesh *M = data;
  int32_t *node = to;
  for (int i = (int)(from / CORNERS); n > 0; n -= CORNERS, node += CORNERS, ++i) {
    const int64_t m = hp_grid_cell(M->c->grid, i, j, k);
    for (int p = 0; p < CORNERS; ++p) {
      const bool below = (p < 4) != M->downwards;
      node[p] = M->c->grid->active[m] ? M->nodes.number[CORNERS * m + around[p % 4] + (below ? 4 : 0)] : 0;
    }
  }
}

static void cell_row(const void *data, int k, int j, int64_t from, int64_t n, void *to) {
  const mesh *M = data;
  const hp_grid *g = M->c->grid;
  int32_t *node = to;
  for (int i = (int)(from / CORNERS); n > 0; n -= CORNERS, node += CORNERS, ++i)
    hp_lattice_cell(g->nx, g->ny, i, j, k, g->active[hp_grid_cell(g, i, j, k)], M->downwards, node);
}

/* ---- the datasets ---- */

/* Those of cells that do not line up. */
static void mean_row(const void *data, int k, int j, int64_t from, int64_t n, void *to) {
  const mesh *M = data;
  const hp_grid *g = M->c->grid;
  double *place = to;
  for (int64_t i = from / PLACE; n > 0; n -= PLACE, place += PLACE, ++i)
    memcpy(place, M->means->place + PLACE * (k + (g->nz + 1) * (j + (g->ny + 1) * i)), PLACE * sizeof *place);
}

/* Chunks by all processors: the run has not begun. */
static hp_status write_rows(hp_h5 *h, const hp_h5_source *field, hp_h5_type type, const int dims[3]) {
  return h->compression > 0 ? hp_h5_fields(h, 1, field, type, dims, hp_output_grid_threads(h))
                            : hp_h5_rows(h, field, type, dims);
}

/* Of cells that others hold, and of their nodes. */
static hp_status write_remote_nodes(const mesh *M, const hp_remote *remote, hp_h5 *h) {
  const hp_grid *g = M->c->grid;
  const hp_remote_fields f = {.size = {g->nz + 1, g->ny + 1, g->nx + 1},
                              .type = HP_H5_F64,
                              .form = HP_REMOTE_NODE,
                              .level = h->compression,
                              .count = 1,
                              .array = {HP_ARRAY_NODES}};
  return hp_remote_write_fields(h, remote, &f, (const char *const[]){"/grid/nodes"}, (const char *const[]){"m"});
}

/* split: cells have nodes of their own. */
static hp_status write_remote_cells(const mesh *M, const hp_remote *remote, hp_h5 *h, bool split) {
  const hp_grid *g = M->c->grid;
  const hp_remote_fields f = {.size = {g->nz, g->ny, g->nx},
                              .type = HP_H5_I32,
                              .form = split ? HP_REMOTE_OWN_NODES : HP_REMOTE_CELL,
                              .downwards = M->downwards,
                              .level = h->compression,
                              .count = 1,
                              .array = {split ? HP_ARRAY_CORNERS : HP_ARRAY_ACTIVE}};
  return hp_remote_write_fields(h, remote, &f, (const char *const[]){"/grid/cells"}, (const char *const[]){NULL});
}

static hp_status check_size(const hp_case *c) {
  const hp_grid *g = c->grid;
  const double nodes = (g->nx + 1.0) * (g->ny + 1.0) * (g->nz + 1.0);
  if (nodes < INT32_MAX && CORNERS * (double)g->nx < INT32_MAX) return HP_OK;
  return hp_fail(HP_ERR_UNSUPPORTED, "%d x %d x %d cells are too many for a result file", g->nx, g->ny, g->nz);
}

hp_status hp_output_write_mesh(const hp_case *c, const hp_remote *remote, hp_h5 *h) {
  const hp_grid *g = c->grid;
  const int node_dims[3] = {g->nz + 1, g->ny + 1, PLACE * (g->nx + 1)}, cell_dims[3] = {g->nz, g->ny, CORNERS * g->nx};
  mesh M = {.c = c};
  hp_case_nodes means = {.place = NULL};
  HP_TRY(check_size(c));
  const bool lines_up = c->rectilinear && c->coord == NULL;
  hp_status s = lines_up || remote != NULL ? HP_OK : hp_case_mean_nodes(c, &means);
  if (s == HP_OK) {
    M.means = remote != NULL ? &c->facts.nodes : &means;
    M.downwards = !lines_up && M.means->downwards;
    const hp_h5_source place = {
        .name = "/grid/nodes", .unit = "m", .tail = PLACE, .row = lines_up ? node_row : mean_row, .data = &M};
    if (remote == NULL) s = hp_case_split_nodes(c, false, &M.nodes);
    const bool split = (remote != NULL ? &c->facts.split : &M.nodes)->count > 0;
    const hp_h5_source cell = {
        .name = "/grid/cells", .tail = CORNERS, .row = split ? split_cell_row : cell_row, .data = &M};
    if (s == HP_OK && split && remote != NULL)
      s = hp_remote_write_nodes(h, remote, c->facts.split.count, place.name, place.unit);
    else if (s == HP_OK && split)
      s = hp_h5_array(h, place.name, HP_H5_F64, 2, (const int64_t[]){M.nodes.count, PLACE}, M.nodes.place, place.unit);
    else if (s == HP_OK && remote != NULL && !lines_up) s = write_remote_nodes(&M, remote, h);
    else if (s == HP_OK) s = write_rows(h, &place, HP_H5_F64, node_dims);
    if (s == HP_OK)
      s = remote != NULL ? write_remote_cells(&M, remote, h, split) : write_rows(h, &cell, HP_H5_I32, cell_dims);
  }
  hp_case_nodes_clear(&means);
  hp_case_split_clear(&M.nodes);
  return s;
}
