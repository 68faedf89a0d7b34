/* Connections beyond the lattice in whole time steps. Faces that are closed and given as connections instead leave the
 * problem as it is: the same Newton iterations and the same state to the solver's tolerance. With connections of cells
 * far apart, and with threshold pressures, the Jacobian agrees with differences; any team gives the same bits. */
#include "linsolve/precond/precond.h"
#include "tests/support/steps.h"

enum { STEPS = 6 };

static hp_case *deck(void) {
  hp_case *c = steps_schedule("newton={tolerance_cnv=1e-9; tolerance_mb=1e-12;}");
  c->linear.tolerance = 1e-11;
  return c;
}

static void set_connections(hp_grid *g, int64_t count, const int64_t *a, const int64_t *b, const double *trans) {
  hp_grid_connections *C = &g->connection;
  CHECK_OK(HP_ALLOC(C->a, count));
  CHECK_OK(HP_ALLOC(C->b, count));
  CHECK_OK(HP_ALLOC(C->trans, count));
  C->count = count;
  memcpy(C->a, a, (size_t)count * sizeof *a);
  memcpy(C->b, b, (size_t)count * sizeof *b);
  memcpy(C->trans, trans, (size_t)count * sizeof *trans);
}

/* Every fifth face of the grid, and all of the plane between i = 4 and 5. */
static void move_faces(hp_grid *g) {
  int64_t *a = NULL, *b = NULL, count = 0;
  double *trans = NULL;
  CHECK_OK(HP_ALLOC(a, 3 * g->ncell));
  CHECK_OK(HP_ALLOC(b, 3 * g->ncell));
  CHECK_OK(HP_ALLOC(trans, 3 * g->ncell));
  for (int64_t m = 0; m < g->ncell; ++m)
    for (int d = 0; d < HP_DIRS; ++d) { /* strides rise */
      int ijk[3];
      hp_grid_ijk(g, m, ijk);
      if (g->trans[d][m] == 0.0 || ((m * 3 + d) % 5 != 0 && !(d == HP_DIR_I && ijk[0] == 3))) continue;
      a[count] = m;
      b[count] = m + hp_grid_stride(g, d);
      trans[count++] = g->trans[d][m];
      g->trans[d][m] = 0.0;
    }
  CHECK(count > 100);
  set_connections(g, count, a, b, trans);
  HP_FREE(a);
  HP_FREE(b);
  HP_FREE(trans);
}

static void far_connections(hp_grid *g) {
  enum { COUNT = 40 };
  int64_t a[COUNT], b[COUNT];
  double trans[COUNT];
  for (int n = 0; n < COUNT; ++n) {
    a[n] = 3 + 5 * n;
    b[n] = a[n] + 60 + (n * 37) % 120;
    trans[n] = g->trans[HP_DIR_I][40] * (0.2 + 0.1 * (n % 7));
  }
  set_connections(g, COUNT, a, b, trans);
}

static void run_case(hp_case *c, int threads, outcome *o) {
  const hp_run_options opt = {.threads = threads};
  hp_sim *S = steps_begin(c, &opt);
  steps_advance(S, STEPS, o);
  hp_sim_destroy(&S);
}

static void compare_states(const outcome *x, const outcome *y, double tolerance) {
  CHECK(x->n == y->n && x->newton == y->newton);
  for (int64_t n = 0; n < x->n && n < y->n && check_failures < 5; ++n)
    CHECK_NEAR(x->state[n], y->state[n], tolerance * fabs(x->state[n]) + 1e-9);
}

static void check_moved(bool cpr) {
  outcome plain, moved, team;
  hp_case *c = deck();
  c->cpr = cpr;
  c->preconditioner_given = true;
  c->linear.preconditioner = HP_PRECOND_DILU;
  run_case(c, 1, &plain);
  move_faces(c->grid);
  run_case(c, 1, &moved);
  run_case(c, 3, &team);
  compare_states(&plain, &moved, 1e-7);
  CHECK(moved.n == team.n && memcmp(moved.state, team.state, (size_t)moved.n * sizeof *moved.state) == 0);
  printf("%s: %d linear iterations, %d where a third of the faces are connections\n", cpr ? "cpr" : "dilu",
         plain.linear, moved.linear);
  HP_FREE(plain.state);
  HP_FREE(moved.state);
  HP_FREE(team.state);
  hp_case_destroy(&c);
}

static void check_jacobian(bool threshold) {
  static uint16_t of[12 * 12 * 3];
  const hp_run_options opt = {.threads = 2};
  hp_case *c = deck();
  far_connections(c->grid);
  hp_sim *S = steps_begin(c, &opt);
  if (threshold) {
    const double between[4] = {0.0, 3e4, 1e4, 0.0}; /* [Pa] */
    for (int64_t m = 0; m < c->grid->ncell; ++m) of[m] = m % 7 > 3;
    CHECK_OK(hp_reservoir_set_thresholds(S->res, 2, between, of));
  }
  double largest = 1.0;
  FILE *f = stdout;
  CHECK_OK(hp_newton_begin(S));
  CHECK_OK(hp_jacobian_check(S, 86400.0, true, f, &largest));
  CHECK(largest < 1e-6);
  hp_sim_destroy(&S);
  hp_case_destroy(&c);
}

int main(void) {
  check_moved(true);
  check_moved(false);
  check_jacobian(false);
  check_jacobian(true);
  return check_result();
}
