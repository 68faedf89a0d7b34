/* Numbers of cells, nodes and chunks of grids beyond 2^31, for which nobody needs the memory. */
#include "grid/grid.h"
#include "io/files/lattice.h"
#include "io/files/remote.h"
#include "tests/support/check.h"

/* A round trip of the last cell, and of those beside the places that 32 bits count to. */
static void check_cells(int nx, int ny, int nz) {
  const hp_grid g = {.nx = nx, .ny = ny, .nz = nz};
  const int64_t all = hp_grid_cells(&g), border = INT64_C(1) << 31;
  const int64_t cell[] = {0, border - 1, border, border + 1, 2 * border, all - 1};
  CHECK(all == (int64_t)nx * ny * nz && all > 2 * border);
  for (size_t n = 0; n < sizeof cell / sizeof *cell; ++n) {
    int ijk[3];
    hp_grid_ijk(&g, cell[n], ijk);
    CHECK(ijk[0] < nx && ijk[1] < ny && ijk[2] < nz && hp_grid_cell(&g, ijk[0], ijk[1], ijk[2]) == cell[n]);
  }
}

/* The chunks of fields are all cells, each once. */
static void check_chunks(int nx, int ny, int nz, hp_h5_type type, hp_remote_form form, int fields) {
  const int more = form == HP_REMOTE_NODE;
  const hp_array array = form == HP_REMOTE_NODE ? HP_ARRAY_NODES : HP_ARRAY_ACTIVE;
  const hp_remote_fields f = {.size = {nz + more, ny + more, nx + more},
                              .type = type,
                              .form = form,
                              .level = 1,
                              .count = fields,
                              .array = {array, array}};
  const int64_t all = (int64_t)f.size[0] * f.size[1] * f.size[2];
  const int chunks = hp_remote_chunks(&f);
  int64_t cells = 0;
  size_t plane, room;
  hp_remote_box last = {.hi = {0}};
  CHECK(chunks > 0);
  for (int n = 0; n < chunks; ++n) {
    CHECK(hp_remote_chunk(&f, n, &last) == array);
    cells += hp_remote_box_cells(&last);
  }
  CHECK(cells == fields * all);
  CHECK(last.hi[0] == f.size[2] && last.hi[1] == f.size[1] && last.hi[2] == f.size[0]);
  hp_remote_room(&f, &plane, &room);
  CHECK(plane > 0 && room >= plane && room < (size_t)1 << 31);
}

/* Nodes of the last cell of a grid with as many as a file has room for. */
static void check_nodes(int nx, int ny, int nz) {
  const int64_t nodes = (int64_t)(nx + 1) * (ny + 1) * (nz + 1);
  int32_t node[HP_LATTICE_CORNERS], most = 0;
  CHECK(nodes < INT32_MAX && nodes > INT32_MAX - 3 * (int64_t)1000 * 1000 * 10);
  hp_lattice_cell(nx, ny, nx - 1, ny - 1, nz - 1, true, false, node);
  for (int n = 0; n < HP_LATTICE_CORNERS; ++n) {
    CHECK(node[n] > 0);
    if (node[n] > most) most = node[n];
  }
  CHECK(most == nodes - 1);
}

int main(void) {
  check_cells(200000, 100000, 50000);
  check_cells(3, 2147483647, 7);
  check_chunks(1290, 1290, 1290, HP_H5_F32, HP_REMOTE_PLAIN, 2);
  check_chunks(1288, 1288, 1288, HP_H5_I32, HP_REMOTE_CELL, 1);
  check_chunks(1288, 1288, 1288, HP_H5_F64, HP_REMOTE_NODE, 1);
  check_nodes(1288, 1288, 1288);
  return check_result();
}
