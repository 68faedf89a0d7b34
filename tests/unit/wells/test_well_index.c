/* Peaceman's well index and the cutting of deviated paths, by hand. */
#include <string.h>

#include "core/memory.h"
#include "tests/support/check.h"
#include "wells/wells.h"

static const double PI = 3.14159265358979323846;

/* 4 x 3 x 2 cells of 100 x 50 x 10 m, kx = ky = 1e-13, kz = 1e-14 m2, top at 1000 m. */
static hp_grid *small_grid(void) {
  hp_grid *g = NULL;
  CHECK_OK(hp_grid_create(4, 3, 2, &g));
  for (int64_t m = 0; m < g->ncell; ++m) {
    g->dx[m] = 100.0;
    g->dy[m] = 50.0;
    g->dz[m] = 10.0;
    g->depth[m] = 1005.0 + 10.0 * (double)(m % 2);
    g->porosity[m] = 0.2;
    g->perm[HP_DIR_I][m] = g->perm[HP_DIR_J][m] = 1e-13;
    g->perm[HP_DIR_K][m] = 1e-14;
  }
  const double *none[HP_DIRS] = {NULL, NULL, NULL};
  CHECK_OK(hp_grid_finish(g, 1e-6, NULL, none, NULL));
  return g;
}

static hp_perf_spec perf_at(int dir) {
  hp_perf_spec p;
  memset(&p, 0, sizeof p);
  p.dir = dir;
  p.open = true;
  p.radius = 0.1;
  p.transmissibility = p.kh = p.r0 = p.length[0] = NAN;
  return p;
}

static void test_vertical(const hp_grid *g) {
  hp_perf_spec p = perf_at(HP_DIR_K);
  double wi;
  CHECK_OK(hp_well_index(g, 0, &p, &wi));
  const double r0 = 0.28 * sqrt(100.0 * 100.0 + 50.0 * 50.0) / 2.0; /* isotropic in the plane */
  CHECK_NEAR(wi, 2.0 * PI * 1e-13 * 10.0 / log(r0 / 0.1), 1e-22);
  p.skin = 3.0;
  CHECK_OK(hp_well_index(g, 0, &p, &wi));
  CHECK_NEAR(wi, 2.0 * PI * 1e-13 * 10.0 / (log(r0 / 0.1) + 3.0), 1e-22);
  g->ntg[0] = 0.5; /* half of the thickness conducts */
  p.skin = 0.0;
  CHECK_OK(hp_well_index(g, 0, &p, &wi));
  CHECK_NEAR(wi, PI * 1e-13 * 10.0 / log(r0 / 0.1), 1e-22);
  g->ntg[0] = 1.0;
  p.transmissibility = 7e-12; /* given: taken as it is */
  CHECK_OK(hp_well_index(g, 0, &p, &wi));
  CHECK(wi == 7e-12);
  p.transmissibility = NAN;
  p.radius = 100.0; /* larger than the equivalent radius: refused, with the cell */
  CHECK(hp_well_index(g, 0, &p, &wi) == HP_ERR_DECK);
  CHECK(strstr(hp_fail_text(), "(1, 1, 1)") != NULL);
}

static void test_horizontal(const hp_grid *g) {
  hp_perf_spec p = perf_at(HP_DIR_I);
  double wi;
  CHECK_OK(hp_well_index(g, 0, &p, &wi));
  const double ratio = 10.0; /* ky / kz */
  const double r0 = 0.28 * sqrt(sqrt(ratio) * 10.0 * 10.0 + 50.0 * 50.0 / sqrt(ratio)) /
                    (pow(ratio, 0.25) + pow(ratio, -0.25));
  CHECK_NEAR(wi, 2.0 * PI * sqrt(1e-13 * 1e-14) * 100.0 / log(r0 / 0.1), 1e-21);
}

/* From (50, 25, 1000) down to (350, 25, 1020): 300 m along i through the four
 * cells of row j = 0, 20 m of depth; the layers meet at x = 200 m. */
static void test_path(const hp_grid *g) {
  const double path[2][3] = {{50.0, 25.0, 1000.0}, {350.0, 25.0, 1020.0}};
  hp_perf_spec *perf = NULL;
  int n = 0;
  CHECK_OK(hp_well_path_cut(g, 2, path, 0.1, 0.0, &perf, &n));
  CHECK(n == 4);
  const int k[4] = {0, 0, 1, 1};
  const double dx[4] = {50.0, 100.0, 100.0, 50.0};
  for (int q = 0; q < 4 && q < n; ++q) {
    CHECK(perf[q].i == q && perf[q].j == 0 && perf[q].k == k[q]);
    CHECK_NEAR(perf[q].length[HP_DIR_I], dx[q], 1e-9);
    CHECK_NEAR(perf[q].length[HP_DIR_K], dx[q] / 15.0, 1e-9);
    CHECK_NEAR(perf[q].length[HP_DIR_J], 0.0, 1e-12);
  }
  HP_FREE(perf);
  const double away[2][3] = {{-50.0, 25.0, 1000.0}, {-10.0, 25.0, 1020.0}};
  CHECK_OK(hp_well_path_cut(g, 2, away, 0.1, 0.0, &perf, &n));
  CHECK(n == 0);
  HP_FREE(perf);
}

/* A vertical path through the middle of a column is a vertical well. */
static void test_vertical_path(const hp_grid *g) {
  const double path[2][3] = {{150.0, 75.0, 990.0}, {150.0, 75.0, 1030.0}};
  hp_perf_spec *perf = NULL, vertical = perf_at(HP_DIR_K);
  int n = 0;
  CHECK_OK(hp_well_path_cut(g, 2, path, 0.1, 0.0, &perf, &n));
  CHECK(n == 2);
  for (int q = 0; q < n; ++q) {
    double a, b;
    const int64_t m = hp_grid_cell(g, perf[q].i, perf[q].j, perf[q].k);
    CHECK(perf[q].i == 1 && perf[q].j == 1 && perf[q].k == q);
    CHECK_OK(hp_well_index(g, m, &perf[q], &a));
    CHECK_OK(hp_well_index(g, m, &vertical, &b));
    CHECK_NEAR(a, b, 1e-12 * b);
  }
  HP_FREE(perf);
}

int main(void) {
  hp_grid *g = small_grid();
  test_vertical(g);
  test_horizontal(g);
  test_path(g);
  test_vertical_path(g);
  hp_grid_destroy(&g);
  return check_result();
}
