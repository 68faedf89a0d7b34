/* Each form of a cell array, told apart by its values in single cells. */
#define _POSIX_C_SOURCE 200809L
#include <hdf5.h>
#include <time.h>

#include "core/memory.h"
#include "grid/rockgen.h"
#include "tests/support/check.h"
#include "tests/support/deck.h"
#include "tests/support/deck_base.h"

enum { NX = 4, NY = 3, NZ = 2, N = NX * NY * NZ };

static const double MILLIDARCY = 9.869232667160e-16;

/* The base deck with permx (or what else `from` names) replaced. */
static hp_case *read_changed(const char *from, const char *to) {
  char deck[8192];
  hp_diag diag;
  hp_case *c = NULL;
  CHECK(deck_change(from, to, deck, sizeof deck));
  if (deck_read(deck, 0, NULL, &diag, &c) != HP_OK) {
    fprintf(stderr, "%s\n", to);
    hp_diag_print(&diag, stderr);
    CHECK(false);
  }
  hp_diag_clear(&diag);
  return c;
}

/* permx of cell i, j, k (from 1) in mD. */
static double permx(const hp_case *c, int i, int j, int k) {
  return c->grid->perm[HP_DIR_I][hp_grid_cell(c->grid, i - 1, j - 1, k - 1)] / MILLIDARCY;
}

static void check_inline(void) {
  hp_case *c = read_changed("permx = 100.0", "permx = [10.0, 20.0]");
  CHECK_NEAR(permx(c, 1, 1, 1), 10.0, 1e-12);
  CHECK_NEAR(permx(c, 4, 3, 2), 20.0, 1e-12);
  hp_case_destroy(&c);
  c = read_changed("permx = 100.0",
                   "permx = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13.5, 14, 15, 16, 17, 18, 19, "
                   "20, 21, 22, 23, 24)");
  CHECK_NEAR(permx(c, 2, 1, 1), 2.0, 1e-12);
  CHECK_NEAR(permx(c, 1, 2, 1), 5.0, 1e-12);
  CHECK_NEAR(permx(c, 1, 1, 2), 13.5, 1e-12);
  CHECK_NEAR(permx(c, 4, 3, 2), 24.0, 1e-12);
  CHECK_NEAR(c->grid->perm[HP_DIR_K][hp_grid_cell(c->grid, 1, 0, 0)], 2.0 * MILLIDARCY, 1e-27); /* permz: as permx */
  hp_case_destroy(&c);
  c = read_changed("dx = 20.0;\n  dy = 25.0;", "dx = [1.0, 2.0, 3.0, 4.0];\n  dy = [5.0, 6.0, 7.0];");
  CHECK_NEAR(c->grid->dx[hp_grid_cell(c->grid, 2, 1, 1)], 3.0, 0.0);
  CHECK_NEAR(c->grid->dy[hp_grid_cell(c->grid, 2, 1, 1)], 6.0, 0.0);
  CHECK(c->rectilinear && c->x[4] == 10.0 && c->y[3] == 18.0 && c->z[0] == 2000.0 && c->z[2] == 2005.0);
  hp_case_destroy(&c);
}

static void check_depth(void) {
  hp_case *c = read_changed("top = 2000.0", "top = (0.0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)");
  CHECK(!c->rectilinear);
  CHECK_NEAR(c->top[1 + NY * 2], 6.0, 0.0);                               /* i = 3, j = 2 */
  CHECK_NEAR(c->grid->depth[hp_grid_cell(c->grid, 2, 1, 1)], 9.5, 1e-12); /* 6 + 2 + 3/2 */
  hp_case_destroy(&c);
  c = read_changed("top = 2000.0", "tops = [2000.0, 2010.0]");
  CHECK(!c->rectilinear); /* a gap between the layers */
  CHECK_NEAR(c->grid->depth[hp_grid_cell(c->grid, 0, 0, 1)], 2011.5, 1e-12);
  hp_case_destroy(&c);
  c = read_changed("top = 2000.0", "depth = [2001.0, 2011.5]"); /* the same cells by their middles */
  CHECK(!c->rectilinear && c->top[0] == 2000.0 && c->z[0] == 2000.0);
  CHECK(c->grid->depth[hp_grid_cell(c->grid, 0, 0, 1)] == 2011.5 && c->grid->depth[0] == 2001.0);
  hp_case_destroy(&c);
}

static void write_hdf5(void) {
  const hsize_t dims[3] = {NZ, NY, NX};
  float v[N];
  for (int n = 0; n < N; ++n) v[n] = (float)(n + 1);
  const hid_t file = H5Fcreate(deck_path("rock.hdf"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t group = H5Gcreate2(file, "static", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(3, dims, NULL);
  const hid_t set = H5Dcreate2(group, "permx", H5T_IEEE_F32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CHECK(H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, v) >= 0);
  H5Dclose(set);
  H5Sclose(space);
  H5Gclose(group);
  H5Fclose(file);
}

/* A dataset of the same size in another shape is refused. */
static void check_shape(void) {
  const char *const set[] = {"grid.permx={file=\"rock.hdf\";format=\"hdf5\";dataset=\"/static/permx\";}",
                             "grid.size=[3,4,2]", "wells.P1.i=1"};
  hp_diag diag;
  hp_case *c;
  CHECK(deck_read(deck_base, 3, set, &diag, &c) == HP_ERR_DECK);
  char *text = deck_messages(&diag);
  CHECK(strstr(text, "rock.hdf: dataset /static/permx has the shape [2][3][4]: expected [2][4][3]") != NULL);
  free(text);
  hp_diag_clear(&diag);
}

static void check_files(void) {
  static const char raw[] =
      "1 2 3 4 5 6 7 8 9 10 11 12\n13 14 15 16 17 18 19 20 21 22 23 24\n"
      "25. 26 27 28 29 3.0D1 31 32 33 34 35 36, 37 38 39 40 41 42 43 44 45 46 47 4.8e1\n";
  static const char eclipse[] = "-- PERMX\nPORO\n 24*0.3 /\npermx -- here\n 10*5.0 2*6 -- half of it\n 11*7.5 8.0/\n";
  deck_write("rock.dat", raw, sizeof raw - 1);
  deck_write("rock.inc", eclipse, sizeof eclipse - 1);
  write_hdf5();
  hp_case *c = read_changed("permx = 100.0", "permx = { file = \"rock.dat\"; }");
  CHECK_NEAR(permx(c, 2, 1, 1), 2.0, 1e-12);
  CHECK_NEAR(permx(c, 4, 3, 2), 24.0, 1e-12);
  hp_case_destroy(&c);
  c = read_changed("permx = 100.0", "permx = { file = \"rock.dat\"; index = 1; multiply = 2.0; min = 60; max = 90; }");
  CHECK_NEAR(permx(c, 1, 1, 1), 60.0, 1e-12); /* 25 -> 50 -> 60 */
  CHECK_NEAR(permx(c, 2, 2, 2), 84.0, 1e-12); /* 42 -> 84 */
  CHECK_NEAR(permx(c, 2, 2, 1), 60.0, 1e-12); /* 3.0D1 -> 60 */
  CHECK_NEAR(permx(c, 4, 3, 2), 90.0, 1e-12);
  hp_case_destroy(&c);
  c = read_changed("permx = 100.0", "permx = { file = \"rock.inc\"; format = \"eclipse\"; keyword = \"PERMX\"; }");
  CHECK_NEAR(permx(c, 2, 3, 1), 5.0, 1e-12);
  CHECK_NEAR(permx(c, 3, 3, 1), 6.0, 1e-12);
  CHECK_NEAR(permx(c, 1, 1, 2), 7.5, 1e-12);
  CHECK_NEAR(permx(c, 4, 3, 2), 8.0, 1e-12);
  hp_case_destroy(&c);
  c = read_changed("permx = 100.0", "permx = { file = \"rock.hdf\"; format = \"hdf5\"; dataset = \"/static/permx\"; }");
  CHECK_NEAR(permx(c, 1, 2, 1), 5.0, 1e-12);
  CHECK_NEAR(permx(c, 4, 3, 2), 24.0, 1e-12);
  hp_case_destroy(&c);
  check_shape();
  deck_remove("rock.dat");
  deck_remove("rock.inc");
  deck_remove("rock.hdf");
}

/* The generators' own fields, mapped as docs/reference/deck.md says. */
static void check_gauss(void) {
  const hp_rock_gauss_spec spec = {.seed = 7, .covariance = HP_ROCK_EXPONENTIAL, .correlation = {3.0, 2.0, 1.0}};
  double g[N];
  CHECK_OK(hp_rock_gauss(&spec, NX, NY, NZ, g));
  hp_case *c = read_changed("porosity = 0.2;\n  permx = 100.0",
                            "porosity = { generator = \"normal\"; seed = 7; mean = 0.2; stddev = 0.01; "
                            "correlation = [3.0, 2.0, 1.0]; max = 0.22; };\n permx = { generator = \"lognormal\"; "
                            "seed = 7; mean = 50.0; log_stddev = 0.5; correlation = (3, 2, 1); }");
  for (int k = 1, n = 0; k <= NZ; ++k)
    for (int j = 1; j <= NY; ++j)
      for (int i = 1; i <= NX; ++i, ++n) {
        const double phi = 0.2 + 0.01 * g[n];
        CHECK_NEAR(permx(c, i, j, k), 50.0 * exp(0.5 * g[n]), 1e-9);
        CHECK_NEAR(c->grid->porosity[hp_grid_cell(c->grid, i - 1, j - 1, k - 1)], phi > 0.22 ? 0.22 : phi, 1e-14);
      }
  hp_case_destroy(&c);
}

static void check_channels(void) {
  enum { SX = 30, SY = 40, SZ = 12 };
  static uint8_t facies[SX * SY * SZ];
  hp_rock_channels_spec spec = hp_rock_channels_default();
  spec.seed = 5;
  spec.proportion = 0.3;
  spec.width = 5.0;
  spec.thickness = 3.0;
  spec.wavelength = 25.0;
  spec.amplitude = 4.0;
  spec.variability = 0.1;
  CHECK_OK(hp_rock_channels(&spec, SX, SY, SZ, facies));
  char deck[8192], change[512];
  snprintf(change, sizeof change,
           "permx = { generator = \"channels\"; seed = 5; fraction = 0.3; width = 5; thickness = 3; wavelength = 25; "
           "amplitude = 4; variability = 0.1; background = 2.0; channel = { generator = \"normal\"; mean = 300.0; "
           "stddev = 0.0; }; }");
  CHECK(deck_change("permx = 100.0", change, deck, sizeof deck));
  const char *const set[] = {"grid.size=[30,40,12]", "grid.dz=1.0"};
  hp_diag diag;
  hp_case *c;
  CHECK_OK(deck_read(deck, 2, set, &diag, &c));
  hp_diag_print(&diag, stderr);
  int channel = 0, wrong = 0;
  for (int k = 0, n = 0; c != NULL && k < SZ; ++k)
    for (int j = 0; j < SY; ++j)
      for (int i = 0; i < SX; ++i, ++n) {
        channel += facies[n];
        wrong += fabs(permx(c, i + 1, j + 1, k + 1) - (facies[n] ? 300.0 : 2.0)) > 1e-9;
      }
  CHECK(wrong == 0 && channel > SX * SY * SZ / 5 && channel < SX * SY * SZ * 2 / 5);
  hp_diag_clear(&diag);
  hp_case_destroy(&c);
}

static void check_layers(void) {
  hp_case *c = read_changed("permx = 100.0",
                            "permx = { layers = ( { k = 2; value = { generator = \"normal\"; "
                            "mean = 8.0; stddev = 0.0; }; }, { k = [1, 1]; value = 3.0; } ); }");
  CHECK_NEAR(permx(c, 1, 1, 1), 3.0, 1e-12);
  CHECK_NEAR(permx(c, 4, 3, 2), 8.0, 1e-12);
  hp_case_destroy(&c);
}

/* In order; set, multiply, add; permz follows permx until the deck gives it. */
static void check_boxes(void) {
  hp_case *c = read_changed("permx = 100.0",
                            "permx = 100.0; permy = 70.0; boxes = (\n"
                            " { multiply = { permz = 0.1; }; },\n"
                            " { i = [2, 3]; j = 2; k = 1; set = { permx = 10.0; ntg = 0.5; };"
                            " multiply = { permx = 2.0; }; add = { permx = 1.0; }; },\n"
                            " { i = 2; j = 2; set = { active = false; multz = 0.0; }; } )");
  const hp_grid *g = c->grid;
  const int64_t m = hp_grid_cell(g, 2, 1, 0), out = hp_grid_cell(g, 0, 1, 0), off = hp_grid_cell(g, 1, 1, 1);
  CHECK_NEAR(g->perm[HP_DIR_I][m] / MILLIDARCY, 21.0, 1e-9);
  CHECK_NEAR(g->perm[HP_DIR_J][m] / MILLIDARCY, 70.0, 1e-9);
  CHECK_NEAR(g->perm[HP_DIR_K][m] / MILLIDARCY, 21.0, 1e-9);
  CHECK_NEAR(g->perm[HP_DIR_K][out] / MILLIDARCY, 10.0, 1e-9);
  CHECK(g->ntg[m] == 0.5 && g->ntg[out] == 1.0);
  CHECK(g->active[off] == 0 && g->active[m] == 1 && g->nactive == N - 2);
  CHECK_NEAR(g->pore_volume[m], 0.5 * 0.2 * 20.0 * 25.0 * 2.0, 1e-9);
  hp_case_destroy(&c);
}

/* Processor time [s] to read a deck with `count` numbers of two letters, three with a comma. */
static double time_of(const char *number, int count) {
  char *text = calloc((size_t)count * 3 + 16, 1);
  if (text == NULL) abort();
  char *to = text + sprintf(text, "a=[%s", number);
  for (int n = 0; n < count; ++n) to += sprintf(to, ",%s", number);
  strcpy(to, "];\n");
  hp_diag diag;
  hp_case *c = NULL;
  const clock_t began = clock();
  CHECK(deck_read(text, 0, NULL, &diag, &c) == HP_ERR_DECK);
  const double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
  hp_diag_clear(&diag);
  hp_case_destroy(&c);
  free(text);
  return seconds;
}

/* Each is looked at once: integers take about as long as numbers with a point. */
static void check_long_list(void) {
  enum { COUNT = CHECK_SANITIZED ? 20000 : 200000 };
  const double points = time_of("1.", COUNT), integers = time_of("11", COUNT), most = 5.0 * points + 0.5;
  CHECK(integers < most);
  if (integers >= most) fprintf(stderr, "%d integers: %.3g s, with a point %.3g s\n", COUNT, integers, points);
}

int main(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  check_inline();
  check_files();
  check_gauss();
  check_channels();
  check_layers();
  check_boxes();
  check_depth();
  check_long_list();
  deck_remove("deck.cfg");
  return check_result();
}
