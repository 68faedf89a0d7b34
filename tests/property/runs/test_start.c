/* The start of a run: whatever the number of threads, and whether or not arrays of a deck are made of the same
 * generated field, the case and the state at time zero have the same bits; faults of cells name the same cell. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "io/deck/deck.h"
#include "sim/simulator/simulator.h"
#include "tests/support/check.h"

static const char *source(void) {
  const char *s = getenv("HEPTA_SOURCE");
  return s != NULL ? s : ".";
}

/* decks/spe10_class.cfg with 4 layers, so that every loop is shared, and with more options. */
static hp_case *read_case(const char *const *more, int nmore) {
  const char *set[8] = {"grid.size=[60, 220, 4]"};
  char path[512];
  hp_case *c = NULL;
  hp_diag diag;
  int n = 1;
  for (int m = 0; m < nmore; ++m) set[n++] = more[m];
  snprintf(path, sizeof path, "%s/decks/spe10_class.cfg", source());
  hp_diag_init(&diag);
  CHECK_OK(hp_case_read(path, n, set, &diag, &c));
  hp_diag_clear(&diag);
  return c;
}

static bool same(const void *a, const void *b, int64_t count, size_t size) {
  return memcmp(a, b, (size_t)count * size) == 0;
}

static bool same_grid(const hp_grid *a, const hp_grid *b) {
  const double *const of_a[] = {a->dx, a->dy, a->dz, a->depth, a->porosity, a->ntg, a->pore_volume};
  const double *const of_b[] = {b->dx, b->dy, b->dz, b->depth, b->porosity, b->ntg, b->pore_volume};
  bool equal = a->ncell == b->ncell && a->nactive == b->nactive && same(a->active, b->active, a->ncell, 1);
  for (size_t n = 0; n < sizeof of_a / sizeof *of_a; ++n)
    equal = equal && same(of_a[n], of_b[n], a->ncell, sizeof(double));
  for (int d = 0; d < HP_DIRS; ++d)
    equal = equal && same(a->perm[d], b->perm[d], a->ncell, sizeof(double)) &&
            same(a->trans[d], b->trans[d], a->ncell, sizeof(double));
  return equal;
}

static bool same_mesh(const hp_case *a, const hp_case *b) {
  const hp_grid *g = a->grid;
  return a->rectilinear == b->rectilinear && same(a->x, b->x, g->nx + 1, sizeof(double)) &&
         same(a->y, b->y, g->ny + 1, sizeof(double)) && same(a->z, b->z, g->nz + 1, sizeof(double));
}

static bool same_state(const hp_case *a, const hp_case *b) {
  hp_reservoir *ra = NULL, *rb = NULL;
  CHECK_OK(hp_reservoir_create(a->grid, &a->fluid, &ra));
  CHECK_OK(hp_reservoir_create(b->grid, &b->fluid, &rb));
  CHECK_OK(hp_sim_initial_state(a, ra));
  hp_parallel_limit(5);
  CHECK_OK(hp_sim_initial_state(b, rb));
  const bool equal = same(ra->p, rb->p, ra->ncell, sizeof(double)) && same(ra->s, rb->s, ra->ncell, sizeof(double));
  hp_reservoir_destroy(&ra);
  hp_reservoir_destroy(&rb);
  return equal;
}

static void test_threads(const char *option) {
  const int count = option != NULL;
  hp_parallel_limit(1);
  hp_case *one = read_case(&option, count);
  for (int threads = 2; threads <= 8; threads += 3) {
    hp_parallel_limit(threads);
    hp_case *c = read_case(&option, count);
    CHECK(same_grid(one->grid, c->grid) && same_mesh(one, c));
    hp_parallel_limit(1);
    CHECK(same_state(one, c));
    hp_case_destroy(&c);
  }
  hp_case_destroy(&one);
  hp_parallel_limit(0);
}

/* Porosity and permeability share their fields in the deck; by themselves they are made of their own. */
static void test_shared_fields(void) {
  static const char *const no_porosity[] = {"grid.porosity=0.2"};
  static const char *const plain[] = {"grid.permx=100.0", "grid.permz=100.0"};
  hp_case *all = read_case(NULL, 0), *perm = read_case(no_porosity, 1), *porosity = read_case(plain, 2);
  const int64_t n = all->grid->ncell;
  CHECK(same(all->grid->perm[HP_DIR_I], perm->grid->perm[HP_DIR_I], n, sizeof(double)));
  CHECK(same(all->grid->perm[HP_DIR_K], perm->grid->perm[HP_DIR_K], n, sizeof(double)));
  CHECK(same(all->grid->porosity, porosity->grid->porosity, n, sizeof(double)));
  CHECK(!same(all->grid->porosity, perm->grid->porosity, n, sizeof(double)));
  hp_case_destroy(&all);
  hp_case_destroy(&perm);
  hp_case_destroy(&porosity);
}

/* The first of several cells at fault is reported, whichever thread found another one first. */
static void test_faults(void) {
  hp_grid *g = NULL;
  CHECK_OK(hp_grid_create(40, 50, 40, &g));
  for (int64_t m = 0; m < g->ncell; ++m) {
    g->dx[m] = g->dy[m] = g->dz[m] = 1.0;
    g->porosity[m] = 0.2;
  }
  g->porosity[hp_grid_cell(g, 7, 3, 2)] = 2.0;
  g->dz[hp_grid_cell(g, 39, 3, 2)] = -1.0;
  for (int threads = 1; threads <= 6; ++threads) {
    hp_parallel_limit(threads);
    CHECK(hp_grid_finish(g, 0.0, NULL, NULL, NULL) == HP_ERR_DECK);
    CHECK(strstr(hp_fail_text(), "cell (8,4,3): porosity is 2,") != NULL);
  }
  hp_parallel_limit(0);
  hp_grid_destroy(&g);
}

int main(void) {
  const int64_t held = hp_memory_now();
  test_threads(NULL);
  test_threads(
      "grid.permx={generator=\"lognormal\"; seed=3; mean=50.0; log_stddev=1.0; covariance=\"gaussian\"; "
      "correlation=[7.0, 3.0, 2.0];}");
  test_threads("grid.dz=[1.0, 2.0, 3.0, 1.0]");
  test_shared_fields();
  test_faults();
  CHECK(hp_memory_now() == held);
  return check_result();
}
