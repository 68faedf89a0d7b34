/* The grid by hand: orders, pore volumes, active cells, transmissibilities. */
#include "grid/grid.h"

#include <string.h>

#include "tests/support/check.h"

static void fill(double *a, int64_t n, double v) {
  for (int64_t m = 0; m < n; ++m) a[m] = v;
}

/* 10 x 20 x 5 m cells, porosity 0.25, permeability 3, 2, 1 along i, j, k. */
static hp_grid *box(int nx, int ny, int nz) {
  hp_grid *g = NULL;
  CHECK_OK(hp_grid_create(nx, ny, nz, &g));
  if (g == NULL) return NULL;
  fill(g->dx, g->ncell, 10.0);
  fill(g->dy, g->ncell, 20.0);
  fill(g->dz, g->ncell, 5.0);
  fill(g->porosity, g->ncell, 0.25);
  fill(g->perm[HP_DIR_I], g->ncell, 3.0);
  fill(g->perm[HP_DIR_J], g->ncell, 2.0);
  fill(g->perm[HP_DIR_K], g->ncell, 1.0);
  return g;
}

static void check_orders(void) {
  /* 2 x 3 x 2: natural number i + 2 (j + 3 k); cell number k + 2 (j + 3 i). */
  double natural[12], cells[12], back[12];
  for (int n = 0; n < 12; ++n) natural[n] = n;
  hp_grid_from_natural(2, 3, 2, natural, cells);
  const double expected[12] = {0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11};
  for (int m = 0; m < 12; ++m) CHECK(cells[m] == expected[m]);
  hp_grid_to_natural(2, 3, 2, cells, back);
  for (int n = 0; n < 12; ++n) CHECK(back[n] == natural[n]);

  hp_grid *g = box(2, 3, 2);
  if (g == NULL) return;
  for (int64_t m = 0; m < g->ncell; ++m) {
    int ijk[3];
    hp_grid_ijk(g, m, ijk);
    CHECK(hp_grid_cell(g, ijk[0], ijk[1], ijk[2]) == m);
    CHECK(natural[ijk[0] + 2 * (ijk[1] + 3 * ijk[2])] == cells[m]);
  }
  CHECK(hp_grid_cell(g, 1, 2, 1) + 1 == g->ncell);
  CHECK(hp_grid_cell(g, 1, 0, 0) == hp_grid_stride(g, HP_DIR_I));
  CHECK(hp_grid_cell(g, 0, 1, 0) == hp_grid_stride(g, HP_DIR_J));
  CHECK(hp_grid_cell(g, 0, 0, 1) == hp_grid_stride(g, HP_DIR_K));
  hp_grid_destroy(&g);
  CHECK(g == NULL);
  hp_grid_destroy(&g);
  hp_grid_destroy(NULL);
}

static void check_uniform(void) {
  hp_grid *g = box(3, 2, 2);
  if (g == NULL) return;
  CHECK_OK(hp_grid_finish(g, 1e-6, NULL, NULL, NULL));
  CHECK(g->nactive == 12);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 2; ++k) {
        const int64_t m = hp_grid_cell(g, i, j, k);
        CHECK_NEAR(g->pore_volume[m], 250.0, 1e-12);
        /* K A / d: 3 * 100 / 10, 2 * 50 / 20, 1 * 200 / 5 */
        CHECK_NEAR(g->trans[HP_DIR_I][m], i < 2 ? 30.0 : 0.0, 1e-12);
        CHECK_NEAR(g->trans[HP_DIR_J][m], j < 1 ? 5.0 : 0.0, 1e-12);
        CHECK_NEAR(g->trans[HP_DIR_K][m], k < 1 ? 40.0 : 0.0, 1e-12);
      }
  hp_grid_destroy(&g);
}

/* Two cells that differ in everything, side by side in each direction:
 *   a: 10 x 20 x 4 m, K 6, ntg 0.5    b: 30 x 20 x 8 m (dx, dy, dz), K 2, ntg 1 */
static void check_unequal(void) {
  for (int d = 0; d < HP_DIRS; ++d) {
    hp_grid *g = box(d == HP_DIR_I ? 2 : 1, d == HP_DIR_J ? 2 : 1, d == HP_DIR_K ? 2 : 1);
    if (g == NULL) return;
    g->dx[0] = 10.0, g->dy[0] = 20.0, g->dz[0] = 4.0, g->ntg[0] = 0.5;
    g->dx[1] = 30.0, g->dy[1] = 20.0, g->dz[1] = 8.0;
    g->perm[d][0] = 6.0, g->perm[d][1] = 2.0;
    CHECK_OK(hp_grid_finish(g, 0.0, NULL, NULL, NULL));
    /* i: a 6*(20*4*0.5)/5 = 48,  b 2*(20*8)/15 = 64/3    -> 14.769230769...
     * j: a 6*(10*4*0.5)/10 = 12, b 2*(30*8)/10 = 48      -> 9.6
     * k: a 6*(10*20)/2 = 600,    b 2*(30*20)/4 = 300     -> 200 */
    const double expected[HP_DIRS] = {200.0, 9.6, 192.0 / 13.0};
    CHECK_NEAR(g->trans[d][0], expected[d], 1e-12 * expected[d]);
    CHECK(g->trans[d][1] == 0.0);
    CHECK_NEAR(g->pore_volume[0], 10.0 * 20.0 * 4.0 * 0.25 * 0.5, 1e-12);
    CHECK_NEAR(g->pore_volume[1], 30.0 * 20.0 * 8.0 * 0.25, 1e-12);
    hp_grid_destroy(&g);
  }
}

static void check_active(void) {
  /* 5 cells in a row: 1 switched off with bad rock data, 3 below minpv. */
  hp_grid *g = box(5, 1, 1);
  if (g == NULL) return;
  g->active[1] = 0;
  g->porosity[1] = -7.0;
  g->porosity[3] = 1e-4; /* pore volume 0.1 */
  CHECK_OK(hp_grid_finish(g, 0.2, NULL, NULL, NULL));
  const int active[5] = {1, 0, 1, 0, 1};
  CHECK(g->nactive == 3);
  for (int m = 0; m < 5; ++m) {
    CHECK(g->active[m] == active[m]);
    CHECK((g->pore_volume[m] > 0.0) == (active[m] == 1));
    CHECK(g->trans[HP_DIR_I][m] == 0.0);
  }
  hp_grid_destroy(&g);

  /* Zero porosity is inactive even with minpv 0; zero permeability only closes its faces. */
  g = box(3, 1, 1);
  if (g == NULL) return;
  g->porosity[0] = 0.0;
  g->perm[HP_DIR_I][2] = 0.0;
  CHECK_OK(hp_grid_finish(g, 0.0, NULL, NULL, NULL));
  CHECK(g->nactive == 2 && !g->active[0] && g->active[2]);
  CHECK(g->trans[HP_DIR_I][0] == 0.0 && g->trans[HP_DIR_I][1] == 0.0);
  hp_grid_destroy(&g);

  g = box(1, 1, 1);
  if (g == NULL) return;
  CHECK(hp_grid_finish(g, 1e9, NULL, NULL, NULL) == HP_ERR_DECK);
  CHECK(strstr(hp_fail_text(), "no active cell") != NULL);
  hp_grid_destroy(&g);
}

static void check_multipliers(void) {
  hp_grid *g = box(3, 1, 1);
  if (g == NULL) return;
  const double pv[3] = {1.0, 10.0, 0.5}, face[3] = {0.25, 0.0, 9.0};
  const double *const mult[HP_DIRS] = {NULL, NULL, face};
  CHECK_OK(hp_grid_finish(g, 0.0, pv, mult, NULL));
  CHECK_NEAR(g->pore_volume[1], 2500.0, 1e-9);
  CHECK_NEAR(g->pore_volume[2], 125.0, 1e-9);
  CHECK_NEAR(g->trans[HP_DIR_I][0], 7.5, 1e-12);
  CHECK(g->trans[HP_DIR_I][1] == 0.0);
  CHECK(g->trans[HP_DIR_I][2] == 0.0);
  hp_grid_destroy(&g);
}

/* Given numbers take the place of computed ones, but open no face to an inactive cell. */
static void check_given(void) {
  hp_grid *g = box(4, 1, 1);
  if (g == NULL) return;
  const double none = (double)NAN, pv[4] = {none, 7.0, none, none}, face[4] = {5.0, none, 3.0, 4.0};
  const double mult[4] = {0.1, 0.5, 0.1, 0.1};
  const double *const mults[HP_DIRS] = {NULL, NULL, mult};
  const hp_grid_given given = {.pore_volume = pv, .trans = {NULL, NULL, face}};
  g->active[3] = 0;
  CHECK_OK(hp_grid_finish(g, 0.0, NULL, mults, &given));
  CHECK(g->pore_volume[0] == 250.0 && g->pore_volume[1] == 7.0);
  CHECK(g->trans[HP_DIR_I][0] == 5.0);
  CHECK_NEAR(g->trans[HP_DIR_I][1], 15.0, 1e-12);
  CHECK(g->trans[HP_DIR_I][2] == 0.0 && g->trans[HP_DIR_I][3] == 0.0);
  const double bad[4] = {none, none, -1.0, none};
  const hp_grid_given faulty = {.pore_volume = bad};
  CHECK(hp_grid_finish(g, 0.0, NULL, NULL, &faulty) == HP_ERR_DECK && strstr(hp_fail_text(), "(3,1,1)") != NULL);
  hp_grid_destroy(&g);
}

/* One bad value in cell (2,1,2) of a 2 x 1 x 2 grid is refused by its name. */
static void check_refused(void) {
  const double nan_value = (double)NAN;
  for (int what = 0; what < 9; ++what) {
    hp_grid *g = box(2, 1, 2);
    if (g == NULL) return;
    double mult_pv[4] = {1, 1, 1, 1}, mult[4] = {1, 1, 1, 1};
    const double *const mults[HP_DIRS] = {mult, NULL, NULL};
    const int64_t m = hp_grid_cell(g, 1, 0, 1);
    const char *word = "";
    switch (what) {
      case 0: g->dx[m] = 0.0, word = "dx"; break;
      case 1: g->dy[m] = -1.0, word = "dy"; break;
      case 2: g->dz[m] = nan_value, word = "dz"; break;
      case 3: g->depth[m] = nan_value, word = "depth"; break;
      case 4: g->porosity[m] = 1.5, word = "porosity"; break;
      case 5: g->perm[HP_DIR_J][m] = -1e-15, word = "permy"; break;
      case 6: g->ntg[m] = -0.1, word = "ntg"; break;
      case 7: mult_pv[m] = -1.0, word = "pore volume multiplier"; break;
      default: mult[m] = nan_value, word = "face towards +k"; break;
    }
    CHECK(hp_grid_finish(g, 0.0, mult_pv, mults, NULL) == HP_ERR_DECK);
    CHECK(strstr(hp_fail_text(), "(2,1,2)") != NULL);
    CHECK(strstr(hp_fail_text(), word) != NULL);
    hp_grid_destroy(&g);
  }
  hp_grid *g = NULL;
  CHECK(hp_grid_create(3, 0, 1, &g) == HP_ERR_DECK && g == NULL);
  CHECK(hp_grid_create(2147483647, 2147483647, 2147483647, &g) == HP_ERR_MEMORY && g == NULL);
}

/* Repeats add up, either way round; neighbours on the lattice go to trans; inactive cells and loops drop out. */
static void check_connections(void) {
  hp_grid *g = box(2, 2, 3);
  if (g == NULL) return;
  g->active[11] = 0;
  CHECK_OK(hp_grid_finish(g, 0.0, NULL, NULL, NULL));
  const double before = g->trans[HP_DIR_J][1];
  const int64_t a[] = {7, 0, 5, 2, 3, 1, 4, 4, 0, 2}, b[] = {0, 7, 6, 11, 3, 4, 1, 0, 5, 3};
  const double t[] = {1.0, 2.0, 3.0, 4.0, 5.0, 0.5, 0.25, 6.0, 0.0, 7.0};
  CHECK_OK(hp_grid_connect(g, 10, a, b, t));
  const hp_grid_connections *c = &g->connection;
  const int64_t left[][2] = {{0, 4}, {0, 7}, {2, 3}, {5, 6}};
  const double sum[] = {6.0, 3.0, 7.0, 3.0};
  CHECK(c->count == 4);
  for (int n = 0; n < 4 && c->count == 4; ++n)
    CHECK(c->a[n] == left[n][0] && c->b[n] == left[n][1] && c->trans[n] == sum[n]);
  CHECK(g->trans[HP_DIR_J][1] == before + 0.75);
  const int64_t outside = 12;
  const double negative = -1.0;
  CHECK(hp_grid_connect(g, 1, &outside, b, t) == HP_ERR_DECK && c->count == 0);
  CHECK(hp_grid_connect(g, 1, a, b, &negative) == HP_ERR_DECK);
  CHECK_OK(hp_grid_connect(g, 2, a, b, t));
  CHECK(c->count == 1);
  CHECK_OK(hp_grid_finish(g, 0.0, NULL, NULL, NULL));
  CHECK(c->count == 0);
  hp_grid_destroy(&g);
}

int main(void) {
  check_connections();
  check_orders();
  check_uniform();
  check_unequal();
  check_active();
  check_multipliers();
  check_given();
  check_refused();
  return check_result();
}
