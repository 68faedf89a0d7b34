/* Heads in the wellbore against a computation of their own, for every backend: wells with one to twenty perforations
 * that produce, inject, let fluid flow up or down between them, are closed, stand still; flow that turns round in every
 * step, whose density comes to rest in between.
 *
 *     heads_check(HP_BACKEND_CPU);
 */
#ifndef HP_TESTS_SUPPORT_HEADS_H
#define HP_TESTS_SUPPORT_HEADS_H

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "sim/newton/newton.h"
#include "sim/run/run.h"
#include "tests/support/check.h"
#include "tests/support/deck.h"

enum { HEADS_MOST = 20 };

/* Flow of a well's perforations in the last step. */
typedef enum {
  HEADS_PRODUCE,   /* each its own mixture */
  HEADS_OIL,       /* one phase */
  HEADS_INJECT,    /* water alone */
  HEADS_DOWN,      /* the upper half gives, the lower half takes the same: nothing at the surface */
  HEADS_UP,        /* the lower half gives, the upper half takes */
  HEADS_BOTTOM,    /* the lower half is closed */
  HEADS_TOP,       /* the upper half is closed */
  HEADS_THIRD,     /* every third gives, the others are closed */
  HEADS_TAKE_LAST, /* all give, the last one takes a part of it: fluid goes down past closed ones */
  HEADS_CLOSED,    /* all stand still */
  HEADS_RANDOM,    /* anything */
  HEADS_COUNT
} heads_pattern;

static inline double heads_random(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 16777216.0;
}

/* Twenty producers and twenty injectors; well n of each has n + 1 perforations, the cells of its column. */
static inline hp_sim *heads_begin(hp_backend_kind kind, hp_case **c) {
  static char text[16384];
  const char *names[] = {"producer", "injector"};
  int n = snprintf(text, sizeof text,
                   "grid = { size = [20, 2, 20]; dx = 50.0; dy = 50.0; dz = [1.0, 25.0, 4.0, 2.0, 8.0, 3.0, 3.0, 9.0, "
                   "1.0, 6.0, 2.0, 7.0, 5.0, 4.0, 1.0, 2.0, 3.0, 9.0, 30.0, 2.0]; top = 2000.0; porosity = 0.2; "
                   "permx = 100.0; };\n"
                   "fluids = { water = { density = 1040.0; reference_pressure = 200.0; compressibility = 4e-5; "
                   "formation_volume_factor = 1.02; viscosity = 0.5; }; oil = { density = 800.0; reference_pressure = "
                   "200.0; formation_volume_factor = 1.25; compressibility = 2e-4; viscosity = 2.0; }; };\n"
                   "saturation = { model = \"corey\"; swc = 0.2; sor = 0.2; nw = 2.0; no = 2.0; };\n"
                   "initial = { pressure = 230.0; saturation = 0.5; };\nreport = { times = [1.0]; };\nwells = (\n");
  for (int w = 0; w < 2 * HEADS_MOST; ++w)
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "  { name = \"W%d\"; type = \"%s\"; i = %d; j = %d; k = [1, %d]; radius = 0.1; control = \"bhp\"; "
                  "bhp = 230.0; reference_depth = 1990.0; }%s\n",
                  w, names[w / HEADS_MOST], w % HEADS_MOST + 1, w / HEADS_MOST + 1, w % HEADS_MOST + 1,
                  w + 1 < 2 * HEADS_MOST ? "," : " );");
  hp_diag diag;
  hp_sim *S = NULL;
  CHECK_OK(deck_read(text, 0, NULL, &diag, c));
  hp_diag_print(&diag, stderr);
  hp_diag_clear(&diag);
  deck_remove("deck.cfg");
  if (*c == NULL) exit(1);
  const hp_run_options opt = {.backend = kind, .threads = 2, .command_line = ""};
  CHECK_OK(hp_sim_create(*c, &opt, "none", &S));
  if (S == NULL) exit(1);
  for (int e = 0; e < (*c)->nevent; ++e) hp_wells_set_control(S->wells, (*c)->event[e].well, &(*c)->event[e].control);
  return S;
}

/* Rates of one well by a pattern; oil and water as `mix` has them where something is taken. */
static inline void heads_fill(heads_pattern pattern, int n, uint32_t *seed, double (*q)[HP_PHASES]) {
  const double mix = heads_random(seed);
  for (int i = 0; i < n; ++i) {
    const bool lower = 2 * i >= n;
    const double u = heads_random(seed), size = 0.01 * (1.0 + heads_random(seed));
    double flow = size, water = u;
    switch (pattern) {
      case HEADS_PRODUCE: break;
      case HEADS_OIL: water = 0.0; break;
      case HEADS_INJECT: flow = -size, water = 1.0; break;
      case HEADS_DOWN: flow = n == 1 ? 0.0 : lower ? -0.01 : 0.01, water = mix; break;
      case HEADS_UP: flow = n == 1 ? 0.0 : lower ? 0.01 : -0.01, water = mix; break;
      case HEADS_BOTTOM: flow = lower ? 0.0 : size; break;
      case HEADS_TOP: flow = lower ? size : 0.0; break;
      case HEADS_THIRD: flow = i % 3 == 0 ? size : 0.0; break;
      case HEADS_TAKE_LAST: flow = i + 1 == n ? -0.4 : i % 2 == 0 ? size : 0.0; break;
      case HEADS_CLOSED: flow = 0.0; break;
      default: flow = u < 0.3 ? 0.0 : u < 0.6 ? -size : size, water = heads_random(seed); break;
    }
    q[i][HP_OIL] = flow * (1.0 - water);
    q[i][HP_WATER] = flow * water;
  }
}

/* Density of surface volumes at 230 bar, from the deck's numbers: 1/B is a parabola. */
static inline double heads_density(long double oil, long double water) {
  const long double xo = 30.0L * 2e-4L, xw = 30.0L * 4e-5L;
  const long double bo = (1.0L + xo + xo * xo / 2.0L) / 1.25L, bw = (1.0L + xw + xw * xw / 2.0L) / 1.02L;
  return (double)((oil * 800.0L + water * 1040.0L) / (oil / bo + water / bw));
}

/* Whether section k of n flows, and what passes through it: |F|. */
static inline bool heads_flow(int k, int n, double (*q)[HP_PHASES], long double F[HP_PHASES]) {
  long double gross = 0.0L;
  F[HP_OIL] = F[HP_WATER] = 0.0L;
  for (int i = k; i < n; ++i)
    for (int a = 0; a < HP_PHASES; ++a) {
      F[a] += (long double)q[i][a];
      gross += fabsl((long double)q[i][a]);
    }
  for (int a = 0; a < HP_PHASES; ++a) F[a] = fabsl(F[a]);
  return F[HP_OIL] + F[HP_WATER] > 1e-6L * gross;
}

/* The head at perforation k, section by section from the top. */
static inline double heads_expected(bool injector, bool running, int k, int n, const double *depth,
                                    double (*q)[HP_PHASES]) {
  /* what stands still and has nothing above: what flows in, the injected phase, or what the cells would give, which at
     a water saturation of 0.5 is oil 0.25 / (2 x 1.25) and water 0.25 / (0.5 x 1.02), each times its 1/B over that at
     200 bar */
  const long double xo = 30.0L * 2e-4L, xw = 30.0L * 4e-5L;
  long double x[HP_PHASES] = {0.0L, 0.0L};
  bool flows_in = false;
  if (running)
    for (int i = 0; i < n; ++i)
      for (int a = 0; a < HP_PHASES; ++a)
        if (q[i][a] > 0.0) x[a] += (long double)q[i][a], flows_in = true;
  if (!flows_in && injector) x[HP_WATER] = 1.0L;
  if (!flows_in && !injector) {
    x[HP_OIL] = (1.0L + xo + xo * xo / 2.0L) / (2.0L * 1.25L);
    x[HP_WATER] = (1.0L + xw + xw * xw / 2.0L) / (0.5L * 1.02L);
  }
  double head = 0.0;
  for (int i = 0; i <= k; ++i) {
    long double F[HP_PHASES];
    if (flows_in && heads_flow(i, n, q, F)) memcpy(x, F, sizeof x);
    head += heads_density(x[HP_OIL], x[HP_WATER]) * HP_GRAVITY * (depth[i] - (i > 0 ? depth[i - 1] : 1990.0));
  }
  return head;
}

static inline void heads_check_well(const hp_wells *W, int w, int pattern, double (*q)[HP_PHASES]) {
  const int64_t begin = W->begin[w];
  const int n = (int)(W->begin[w + 1] - begin), failures = check_failures;
  for (int k = 0; k < n; ++k) {
    const double head = heads_expected(W->control[w].injector, W->running[w], k, n, W->depth + begin, q);
    CHECK_NEAR(W->head[begin + k], head, 1e-9 * fabs(head));
  }
  if (check_failures > failures)
    fprintf(stderr, "  %s with %d perforations, pattern %d\n", W->control[w].injector ? "injector" : "producer", n,
            pattern);
}

/* A step of the producers after one in which the lower half of each gave one phase (up) or the upper half another, and
 * the other half took nearly as much. */
static inline void heads_step(hp_sim *S, bool up, int phase) {
  hp_wells *W = S->wells;
  for (int w = 0; w < HEADS_MOST; ++w) {
    const int64_t begin = W->begin[w], n = W->begin[w + 1] - begin, lower = n - n / 2;
    W->running[w] = 1;
    for (int64_t i = 0; i < n; ++i) {
      const bool gives = n == 1 || (i >= n - lower) == up;
      W->rate[begin + i].q[1 - phase] = 0.0;
      const double others = up ? (double)lower / (double)(n - lower) : (double)(n - lower) / (double)lower;
      W->rate[begin + i].q[phase] = gives ? 0.01 : -0.009 * others;
    }
  }
  CHECK_OK(hp_backend_put(S->backend, HP_SET_WELLS));
  CHECK_OK(S->backend->ops->begin(S->backend));
  CHECK_OK(S->backend->ops->begin(S->backend)); /* a step that begins anew is the same step */
  CHECK_OK(hp_backend_get(S->backend, HP_SET_WELLS));
  memcpy(W->density_old, W->density, (size_t)W->nperf * sizeof *W->density); /* as a step that is made does */
  memcpy(W->relaxation_old, W->relaxation, (size_t)W->nperf * sizeof *W->relaxation);
}

/* Water from below and oil from above in turn: the whole way twice, then half of it, a quarter ... so that the
 * densities come to rest in between; when the turning ends they reach what flows. */
static inline void heads_check_relaxation(hp_sim *S) {
  const hp_wells *W = S->wells;
  const double heavy = heads_density(0.0L, 1.0L), light = heads_density(1.0L, 0.0L);
  double expected = 0.0, factor = 4.0, last = 0.0;
  memset(W->relaxation_old, 0, (size_t)W->nperf * sizeof *W->relaxation_old);
  for (int step = 0; step < 30; ++step) {
    const double asked = step % 2 == 0 ? heavy : light;
    heads_step(S, step % 2 == 0, step % 2 == 0 ? HP_WATER : HP_OIL);
    factor = fmax(step == 0 ? 2.0 : factor / 2.0, 0.002);
    expected = factor < 1.0 ? expected + factor * (asked - expected) : asked;
    for (int w = 1; w < HEADS_MOST; ++w)
      for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i) CHECK_NEAR(W->density[i], expected, 1e-9 * expected);
    if (step == 29) CHECK(fabs(expected - last) < 0.01 * (heavy - light) && expected > light && expected < heavy);
    last = expected;
  }
  int steps = 0;
  while (steps < 100 && fabs(W->density[W->begin[5]] - heavy) > 1e-9 * heavy) heads_step(S, true, HP_WATER), ++steps;
  CHECK(steps > 20 && steps < 80);
  for (int w = 1; w < HEADS_MOST; ++w) CHECK_NEAR(W->density[W->begin[w]], heavy, 1e-9 * heavy);
}

static inline void heads_check(hp_backend_kind kind) {
  static double q[2 * HEADS_MOST][HEADS_MOST][HP_PHASES];
  hp_case *c = NULL;
  hp_sim *S = heads_begin(kind, &c);
  hp_wells *W = S->wells;
  uint32_t seed = 7;
  CHECK(W->nwell == 2 * HEADS_MOST && W->nperf == HEADS_MOST * (HEADS_MOST + 1));
  for (int trial = 0; trial < 4 * HEADS_COUNT; ++trial) {
    const int pattern = trial % HEADS_COUNT;
    for (int w = 0; w < W->nwell; ++w) {
      heads_fill((heads_pattern)pattern, w % HEADS_MOST + 1, &seed, q[w]);
      for (int64_t i = W->begin[w]; i < W->begin[w + 1]; ++i)
        memcpy(W->rate[i].q, q[w][i - W->begin[w]], sizeof W->rate[i].q);
      W->running[w] = trial < HEADS_COUNT || heads_random(&seed) < 0.8;
    }
    memset(W->relaxation_old, 0, (size_t)W->nperf * sizeof *W->relaxation_old); /* none yet */
    CHECK_OK(hp_backend_put(S->backend, HP_SET_WELLS));
    CHECK_OK(S->backend->ops->begin(S->backend));
    CHECK_OK(hp_backend_get(S->backend, HP_SET_WELLS));
    for (int w = 0; w < W->nwell; ++w) heads_check_well(W, w, pattern, q[w]);
  }
  heads_check_relaxation(S);
  hp_sim_destroy(&S);
  hp_case_destroy(&c);
}

#endif
