/* Deviated paths through corner-point grids: a grid of blocks given by its corners is cut as the blocks are; sheared or turned
 * together with its paths it is cut into the same cells and lengths; across a throw nothing of a path is lost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "grid/structure.h"
#include "tests/support/check.h"
#include "wells/wells.h"

enum { NX = 7, NY = 5, NZ = 4 };

typedef struct {
  hp_grid *g;
  hp_corners c;
  double node_x[NX + 1], node_y[NY + 1], layer[NZ + 1];
  double coord[6 * (NX + 1) * (NY + 1)], zcorn[8 * NX * NY * NZ];
} grid;

static void make(grid *G, int count, const hp_structure *shape) {
  const int size[3] = {NX, NY, NZ};
  double *const node[2] = {G->node_x, G->node_y};
  G->node_x[0] = G->node_y[0] = 0.0;
  G->layer[0] = 1000.0;
  for (int i = 0; i < NX; ++i) G->node_x[i + 1] = G->node_x[i] + 40.0 + 7.0 * i;
  for (int j = 0; j < NY; ++j) G->node_y[j + 1] = G->node_y[j] + 30.0 + 11.0 * (j % 3);
  for (int k = 0; k < NZ; ++k) G->layer[k + 1] = G->layer[k] + 3.0 + 2.0 * k;
  hp_structure_fill(count, shape, size, 0, NX, node, G->layer, G->coord, G->zcorn);
  G->c = (hp_corners){.nx = NX, .ny = NY, .nz = NZ, .coord = G->coord, .zcorn = G->zcorn};
  CHECK_OK(hp_grid_create(NX, NY, NZ, &G->g));
  for (int i = 0; i < NX; ++i)
    for (int j = 0; j < NY; ++j)
      for (int k = 0; k < NZ; ++k) {
        const int64_t m = hp_grid_cell(G->g, i, j, k);
        G->g->dx[m] = G->node_x[i + 1] - G->node_x[i];
        G->g->dy[m] = G->node_y[j + 1] - G->node_y[j];
        G->g->dz[m] = G->layer[k + 1] - G->layer[k];
        G->g->depth[m] = 0.5 * (G->layer[k + 1] + G->layer[k]);
      }
}

static double uniform(double low, double high) { return low + (high - low) * rand() / (double)RAND_MAX; }

/* Three legs; some are vertical, horizontal or along a face. */
static void draw_path(const grid *G, double path[4][3]) {
  for (int n = 0; n < 4; ++n) {
    path[n][0] = uniform(-20.0, G->node_x[NX] + 20.0);
    path[n][1] = uniform(1.0, G->node_y[NY] - 1.0);
    path[n][2] = uniform(995.0, G->layer[NZ] + 3.0);
  }
  const int kind = rand() % 4;
  if (kind == 1) path[1][0] = path[0][0], path[1][1] = path[0][1];
  if (kind == 2) path[2][2] = path[1][2];
  if (kind == 3) path[1][0] = path[2][0] = G->node_x[rand() % NX];
}

static double length_in(const hp_perf_spec *perf, int count, const hp_perf_spec *as, int d) {
  for (int q = 0; q < count; ++q)
    if (perf[q].i == as->i && perf[q].j == as->j && perf[q].k == as->k) return perf[q].length[d];
  return 0.0;
}

static void compare(const hp_perf_spec *a, int na, const hp_perf_spec *b, int nb) {
  for (int q = 0; q < na; ++q)
    for (int d = 0; d < HP_DIRS; ++d) CHECK_NEAR(length_in(b, nb, &a[q], d), a[q].length[d], 2e-5);
}

static double inside_of(const hp_perf_spec *a, int n, int d) {
  double sum = 0.0;
  for (int q = 0; q < n; ++q) sum += a[q].length[d];
  return sum;
}

static void test_blocks(void) {
  grid G;
  make(&G, 0, NULL);
  for (int n = 0; n < 200; ++n) {
    double path[4][3], inside;
    hp_perf_spec *by_blocks = NULL, *by_corners = NULL;
    int blocks = 0, corners = 0;
    draw_path(&G, path);
    CHECK_OK(hp_well_path_cut(G.g, 4, (const double(*)[3])path, 0.1, 0.0, &by_blocks, &blocks));
    CHECK_OK(
        hp_well_path_cut_corners(G.g, &G.c, 4, (const double(*)[3])path, 0.1, 0.0, &by_corners, &corners, &inside));
    CHECK(inside >= 0.0 && inside <= 1.0 + 1e-9);
    for (int d = 0; d < HP_DIRS; ++d)
      CHECK_NEAR(inside_of(by_corners, corners, d), inside_of(by_blocks, blocks, d), 2e-5);
    if (path[1][0] != path[2][0])
      compare(by_blocks, blocks, by_corners, corners); /* else along a face: either cell's */
    HP_FREE(by_blocks);
    HP_FREE(by_corners);
  }
  hp_grid_destroy(&G.g);
}

/* z + slope x, and a turn of all by an angle. */
static void move(double p[3], double slope, double angle) {
  const double x = p[0], y = p[1];
  p[2] += slope * x;
  p[0] = cos(angle) * x - sin(angle) * y;
  p[1] = sin(angle) * x + cos(angle) * y;
}

static void test_moved(void) {
  const hp_structure dip = {.kind = HP_STRUCTURE_DIP, .slope = {0.15, 0.0}};
  grid G, moved;
  make(&G, 0, NULL);
  make(&moved, 1, &dip);
  for (int n = 0; n < 2 * (NX + 1) * (NY + 1); ++n) move(&moved.coord[3 * n], 0.0, 0.6);
  for (int n = 0; n < 200; ++n) {
    double path[4][3], inside[2];
    hp_perf_spec *a = NULL, *b = NULL;
    int na = 0, nb = 0;
    draw_path(&G, path);
    CHECK_OK(hp_well_path_cut_corners(G.g, &G.c, 4, (const double(*)[3])path, 0.1, 0.0, &a, &na, &inside[0]));
    for (int p = 0; p < 4; ++p) move(path[p], 0.15, 0.6);
    CHECK_OK(hp_well_path_cut_corners(G.g, &moved.c, 4, (const double(*)[3])path, 0.1, 0.0, &b, &nb, &inside[1]));
    if (fabs(path[1][0] - path[2][0]) > 1e-6) {
      for (int d = 0; d < HP_DIRS; ++d) CHECK_NEAR(inside_of(b, nb, d), inside_of(a, na, d), 2e-5);
    }
    HP_FREE(a);
    HP_FREE(b);
  }
  hp_grid_destroy(&G.g);
  hp_grid_destroy(&moved.g);
}

/* A horizontal path through a fault of three quarters of the first layer's thickness, and a dome above it. */
static void test_throw(void) {
  double throws[] = {2.25}, inside;
  const hp_structure shape[] = {
      {.kind = HP_STRUCTURE_FAULT, .d = HP_DIR_I, .after = 3, .throws = throws, .nthrow = 1, .reach = INFINITY},
      {.kind = HP_STRUCTURE_DOME, .centre = {200.0, 100.0}, .radius = {900.0, 800.0}, .height = 1.0}};
  grid G;
  make(&G, 2, shape);
  const double path[2][3] = {{10.0, 50.0, 1003.6}, {G.node_x[NX] - 10.0, 50.0, 1003.6}};
  hp_perf_spec *perf = NULL;
  int count = 0;
  CHECK_OK(hp_well_path_cut_corners(G.g, &G.c, 2, path, 0.1, 0.0, &perf, &count, &inside));
  CHECK_NEAR(inside, 1.0, 1e-8);
  CHECK_NEAR(inside_of(perf, count, HP_DIR_I), path[1][0] - path[0][0], 1e-6);
  for (int q = 0; q < count; ++q) CHECK(perf[q].k == (perf[q].i < 3 ? 1 : 0));
  HP_FREE(perf);
  hp_grid_destroy(&G.g);
}

int main(void) {
  srand(7);
  test_blocks();
  test_moved();
  test_throw();
  return check_result();
}
