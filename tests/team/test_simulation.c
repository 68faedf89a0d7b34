/* Whole time steps as team programs: assembly, wells, norms, Newton update,
 * linear solve, accepted and withdrawn steps of a bundled deck with 1, 2, 3 and 8
 * members and with ownership of cells rotated from loop to loop. The state and
 * what is reported of it have the same bits every time;
 * under ThreadSanitizer a missing barrier is reported. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "sim/newton.h"
#include "tests/check.h"

enum { STEPS = 4 };

typedef struct {
  double *state; /* p, s, bhp, rates of the wells, in place, largest change one after the other */
  int64_t n;
  int newton, linear;
} outcome;

static double *append(double *at, const double *from, int64_t count) {
  memcpy(at, from, (size_t)count * sizeof *at);
  return at + count;
}

/* A step that is withdrawn leaves nothing behind. */
static void withdraw(hp_sim *S, const outcome *before) {
  hp_newton_report r;
  CHECK_OK(hp_newton_begin(S));
  CHECK_OK(hp_newton_solve(S, 5.0 * 86400.0, &r));
  CHECK(r.iterations > 0 && S->res->p[0] != before->state[0]);
  CHECK_OK(hp_newton_restore(S));
  CHECK(memcmp(S->res->p, before->state, (size_t)S->res->ncell * sizeof(double)) == 0);
  CHECK(memcmp(S->res->s, before->state + S->res->ncell, (size_t)S->res->ncell * sizeof(double)) == 0);
}

static void run(const hp_case *c, int threads, uint32_t rotate, outcome *out) {
  const hp_run_options opt = {.threads = threads, .rotate = rotate, .command_line = ""};
  hp_sim *S = NULL;
  CHECK_OK(hp_sim_create(c, &opt, "none", &S));
  if (S == NULL) exit(1);
  for (int e = 0; e < c->nevent && c->event[e].time <= 0.0; ++e)
    hp_wells_set_control(S->wells, c->event[e].well, &c->event[e].control);
  double max_ds = 0.0;
  memset(out, 0, sizeof *out);
  for (int step = 0; step < STEPS; ++step) {
    hp_newton_report r;
    const double dt = 86400.0 * (1 + step);
    CHECK_OK(hp_newton_begin(S));
    CHECK_OK(hp_newton_solve(S, dt, &r));
    CHECK(r.converged);
    CHECK_OK(hp_newton_accept(S, dt, &r));
    max_ds = r.max_ds;
    out->newton += r.iterations;
    out->linear += r.linear;
  }
  const int64_t ncell = S->res->ncell, nwell = S->wells->nwell;
  out->n = 2 * ncell + 3 * nwell + 4;
  CHECK_OK(HP_ALLOC(out->state, out->n));
  double *at = append(out->state, S->res->p, ncell);
  at = append(at, S->res->s, ncell);
  at = append(at, S->wells->bhp, nwell);
  for (int w = 0; w < nwell; ++w) at = append(at, S->flow[w].rate, HP_PHASES);
  at = append(at, S->now.mass, HP_PHASES);
  at = append(at, &S->now.pressure, 1);
  append(at, &max_ds, 1);
  CHECK(max_ds > 0.0 && max_ds < 1.0);
  withdraw(S, out);
  hp_sim_destroy(&S);
}

static void test_ordering(const char *deck, const char *ordering) {
  static const int sizes[] = {1, 2, 3, 8};
  const char *set[] = {"grid.size=[12, 12, 3]", "wells.INJ.i=6", "wells.INJ.j=6",
                       "wells.P2.i=12",         "wells.P3.j=12", ordering};
  hp_diag diag;
  hp_case *c = NULL;
  hp_diag_init(&diag);
  CHECK_OK(hp_case_read(deck, 6, set, &diag, &c));
  hp_diag_print(&diag, stderr);
  hp_diag_clear(&diag);
  if (c == NULL) exit(1);
  outcome plain;
  run(c, 1, 0, &plain);
  CHECK(plain.newton > STEPS);
  for (size_t n = 0; n < sizeof sizes / sizeof *sizes; ++n)
    for (uint32_t rotate = 0; rotate < 3; ++rotate) {
      outcome other;
      run(c, sizes[n], rotate, &other);
      CHECK(other.newton == plain.newton && other.linear == plain.linear);
      CHECK(other.n == plain.n && memcmp(other.state, plain.state, (size_t)plain.n * sizeof(double)) == 0);
      HP_FREE(other.state);
    }
  HP_FREE(plain.state);
  hp_case_destroy(&c);
}

int main(void) {
  const char *source = getenv("HEPTA_SOURCE");
  char deck[1024];
  snprintf(deck, sizeof deck, "%s/decks/schedule.cfg", source != NULL ? source : ".");
  test_ordering(deck, "linear.ordering=natural");
  test_ordering(deck, "linear.ordering=red-black");
  return check_result();
}
