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
#include "io/results/impl.h"

enum { CORNERS = 8, PLACE = 3 };

/* ---- nodes ---- */

typedef struct {
  const hp_case *c;
  bool downwards;        /* i, j and z are left-handed */
  hp_output_nodes nodes; /* where cells have nodes of their own */
} mesh;

/* Adds the corners of cell m to the nodes they belong to. An inactive cell counts only where no active one meets: its
 * depth may be anything. */
static void add_corners(const hp_grid *g, int64_t m, const hp_hexahedron *cell, double *nodes, double *weights) {
  const double weight = g->active[m] ? 1.0 : 1e-12;
  int ijk[3];
  hp_grid_ijk(g, m, ijk);
  for (int c = 0; c < CORNERS; ++c) {
    const int di = c & 1, dj = (c >> 1) & 1, dk = (c >> 2) & 1;
    const int64_t n = ijk[0] + di + (int64_t)(g->nx + 1) * (ijk[1] + dj + (int64_t)(g->ny + 1) * (ijk[2] + dk));
    nodes[3 * n + 0] += weight * cell->at[c][0];
    nodes[3 * n + 1] += weight * cell->at[c][1];
    nodes[3 * n + 2] -= weight * cell->at[c][2];
    weights[n] += weight;
  }
}

/* The block of cell m with its low corner at x, y. */
static hp_hexahedron block(const hp_grid *g, int64_t m, double x, double y) {
  hp_hexahedron cell;
  for (int c = 0; c < CORNERS; ++c) {
    cell.at[c][0] = x + (c & 1) * g->dx[m];
    cell.at[c][1] = y + ((c >> 1) & 1) * g->dy[m];
    cell.at[c][2] = g->depth[m] + (((c >> 2) & 1) - 0.5) * g->dz[m];
  }
  return cell;
}

/* x, y: running low corners of blocks, [ny*nz] and [nz]. */
static void add_all(const hp_case *c, double *x, double *y, double *nodes, double *weights) {
  const hp_grid *g = c->grid;
  const hp_corners corners = hp_case_corners(c);
  int64_t m = 0;
  for (int i = 0; i < g->nx; ++i) {
    memset(y, 0, (size_t)g->nz * sizeof *y);
    for (int j = 0; j < g->ny; ++j)
      for (int k = 0; k < g->nz; ++k, ++m) {
        double *row = &x[k + (int64_t)g->nz * j];
        const hp_hexahedron cell = c->coord != NULL ? hp_corners_cell(&corners, i, j, k) : block(g, m, *row, y[k]);
        add_corners(g, m, &cell, nodes, weights);
        *row += g->dx[m];
        y[k] += g->dy[m];
      }
  }
}

/* Nodes [nz+1][ny+1][nx+1][3]: the mean of the corners that meet there. */
static hp_status mean_nodes(const hp_case *c, double **nodes) {
  const hp_grid *g = c->grid;
  const int64_t nnode = (int64_t)(g->nx + 1) * (g->ny + 1) * (g->nz + 1);
  double *x = NULL, *y = NULL, *weights = NULL;
  *nodes = NULL;
  hp_status s = HP_ALLOC(*nodes, PLACE * nnode);
  if (s == HP_OK) s = HP_ALLOC(weights, nnode);
  if (s == HP_OK) s = HP_ALLOC(x, (int64_t)g->ny * g->nz);
  if (s == HP_OK) s = HP_ALLOC(y, g->nz);
  if (s == HP_OK) {
    add_all(c, x, y, *nodes, weights);
    for (int64_t n = 0; n < nnode; ++n)
      for (int d = 0; d < PLACE; ++d) (*nodes)[PLACE * n + d] /= weights[n];
  }
  HP_FREE(x);
  HP_FREE(y);
  HP_FREE(weights);
  return s;
}

/* Twice the area of all columns seen from above, with the sign of the turn from i to j, is that of their diagonals. */
static bool turns_right(const hp_grid *g, const double *nodes) {
  double area = 0.0;
  for (int j = 0; j < g->ny; ++j)
    for (int i = 0; i < g->nx; ++i) {
      const double *at = nodes + PLACE * (i + (int64_t)(g->nx + 1) * j), *beside = at + PLACE * ((int64_t)g->nx + 1);
      const double one[2] = {beside[PLACE] - at[0], beside[PLACE + 1] - at[1]};
      const double other[2] = {beside[0] - at[PLACE], beside[1] - at[PLACE + 1]};
      area += one[0] * other[1] - one[1] * other[0];
    }
  return area < 0.0;
}

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
  static const int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}; /* di, dj */
  const mesh *M = data;
  const hp_grid *g = M->c->grid;
  const int32_t row = g->nx + 1, layer = row * (g->ny + 1);
  int32_t *node = to;
  for (int i = (int)(from / CORNERS); n > 0; n -= CORNERS, node += CORNERS, ++i) {
    const bool active = g->active[hp_grid_cell(g, i, j, k)];
    const int32_t first = i + row * j + layer * k;
    for (int p = 0; p < CORNERS; ++p) {
      const bool below = (p < 4) != M->downwards;
      node[p] = active ? first + around[p % 4][0] + row * around[p % 4][1] + (below ? layer : 0) : first;
    }
  }
}

/* ---- the datasets ---- */

/* All rows at once, where they are not compressed. */
static hp_status write_whole(hp_h5 *h, const hp_h5_source *field, hp_h5_type type, const int dims[3]) {
  const int64_t size[4] = {dims[0], dims[1], dims[2] / field->tail, field->tail};
  const size_t width = type == HP_H5_F64 ? sizeof(double) : sizeof(int32_t);
  char *all = NULL;
  if (field->row == NULL) return hp_h5_array(h, field->name, type, 4, size, field->data, field->unit);
  HP_TRY(hp_alloc((void **)&all, (int64_t)dims[0] * dims[1] * dims[2], width, field->name));
  for (int k = 0; k < dims[0]; ++k)
    for (int j = 0; j < dims[1]; ++j)
      field->row(field->data, k, j, 0, dims[2],
                 all + ((size_t)k * (size_t)dims[1] + (size_t)j) * (size_t)dims[2] * width);
  const hp_status s = hp_h5_array(h, field->name, type, 4, size, all, field->unit);
  HP_FREE(all);
  return s;
}

/* Chunks by all processors: the run has not begun. */
static hp_status write_rows(hp_h5 *h, const hp_h5_source *field, hp_h5_type type, const int dims[3]) {
  return h->compression > 0 ? hp_h5_fields(h, 1, field, type, dims, hp_output_grid_threads(h))
                            : write_whole(h, field, type, dims);
}

static hp_status check_size(const hp_case *c) {
  const hp_grid *g = c->grid;
  const double nodes = (g->nx + 1.0) * (g->ny + 1.0) * (g->nz + 1.0);
  if (nodes < INT32_MAX && CORNERS * (double)g->nx < INT32_MAX) return HP_OK;
  return hp_fail(HP_ERR_UNSUPPORTED, "%d x %d x %d cells are too many for a result file", g->nx, g->ny, g->nz);
}

hp_status hp_output_write_mesh(const hp_case *c, hp_h5 *h) {
  const hp_grid *g = c->grid;
  const int node_dims[3] = {g->nz + 1, g->ny + 1, PLACE * (g->nx + 1)}, cell_dims[3] = {g->nz, g->ny, CORNERS * g->nx};
  mesh M = {.c = c};
  double *nodes = NULL;
  HP_TRY(check_size(c));
  hp_status s = c->rectilinear && c->coord == NULL ? HP_OK : mean_nodes(c, &nodes);
  if (s == HP_OK) {
    M.downwards = nodes != NULL && turns_right(g, nodes);
    const hp_h5_source place = {.name = "/grid/nodes",
                                .unit = "m",
                                .tail = PLACE,
                                .row = nodes != NULL ? NULL : node_row,
                                .data = nodes != NULL ? (const void *)nodes : &M};
    s = hp_output_split_nodes(c, false, &M.nodes);
    const bool split = M.nodes.count > 0;
    const hp_h5_source cell = {
        .name = "/grid/cells", .tail = CORNERS, .row = split ? split_cell_row : cell_row, .data = &M};
    if (s == HP_OK && split)
      s = hp_h5_array(h, place.name, HP_H5_F64, 2, (const int64_t[]){M.nodes.count, PLACE}, M.nodes.place, place.unit);
    else if (s == HP_OK) s = write_rows(h, &place, HP_H5_F64, node_dims);
    if (s == HP_OK) s = write_rows(h, &cell, HP_H5_I32, cell_dims);
  }
  HP_FREE(nodes);
  hp_output_free_nodes(&M.nodes);
  return s;
}
