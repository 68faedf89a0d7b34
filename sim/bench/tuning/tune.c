#include "sim/bench/tuning/tune.h"

#include <string.h>

#include "core/memory.h"
#include "linsolve/generators/family.h"
#include "linsolve/krylov/device.h"
#include "sim/bench/bench.h"
#include "sim/linear/linear.h"

enum { CANDIDATES_MAX = 64 };

/* A system, with and without preconditioner. */
typedef struct {
  hp_device *D;
  const hp_tune_options *opt;
  const int *size;
  hp_gh A;                     /* on the device */
  hp_linear_solver *solver[2]; /* DILU; none */
  double *b, *x;               /* device [n] */
  double *expected[2], *back;  /* host [n]: the default shape's solutions; NULL before it was measured */
  int64_t n;
} problem;

typedef struct {
  const char *what; /* is decided among them */
  int count;
  hp_device_shape shape[CANDIDATES_MAX]; /* the first is the one to beat */
} candidates;

hp_tune_options hp_tune_default(void) {
  const hp_tune_options o = {.iterations = 40, .rounds = 7, .seed = 1};
  return o;
}

void hp_tune_csv_head(FILE *csv) {
  fputs("nx,ny,nz,choice,blocks,barrier,delay_ns,chip,wide,unroll,recompute,seconds\n", csv);
}

/* ---- the problem ---- */

/* As a deck's defaults on a GPU; a tolerance that no solve reaches, so that all take the same iterations. */
static hp_linear_options solver_options(const hp_tune_options *opt, bool preconditioned) {
  return (hp_linear_options){.krylov = {.method = HP_KRYLOV_BICGSTAB,
                                        .preconditioner = preconditioned ? HP_PRECOND_DILU : HP_PRECOND_NONE,
                                        .ordering = preconditioned ? HP_ORDER_RED_BLACK : HP_ORDER_NATURAL,
                                        .precision = preconditioned ? HP_PRECISION_SINGLE : HP_PRECISION_DOUBLE,
                                        .relaxation = preconditioned ? 0.8 : 0.0,
                                        .tolerance = 1e-300,
                                        .max_iterations = opt->iterations,
                                        .restart = 1}};
}

static hp_status upload(problem *P, const hp_gh *A) {
  double *b = P->back;
  hp_family_vector(P->opt->seed + 7, A->n, b);
  HP_TRY(hp_gh_to_device(P->D, A, &P->A));
  HP_TRY(HP_DEVICE_ALLOC(P->D, P->b, A->n));
  HP_TRY(HP_DEVICE_ALLOC(P->D, P->x, A->n));
  HP_TRY(hp_device_upload(P->D, P->b, b, A->n * (int64_t)sizeof *b));
  for (int without = 0; without < 2; ++without) {
    const hp_linear_options o = solver_options(P->opt, without == 0);
    const hp_linear_input in = {.A = &P->A, .options = &o, .D = P->D};
    HP_TRY(hp_linear_create(&in, &P->solver[without]));
    HP_TRY(P->solver[without]->ops->set_up(P->solver[without], &P->A));
  }
  return HP_OK;
}

static hp_status create(problem *P, const int size[3]) {
  hp_gh *A = NULL;
  hp_family f = hp_family_default(size[0], size[1], size[2], 2);
  f.seed = P->opt->seed;
  HP_TRY(hp_family_create(&f, &A));
  P->n = A->n;
  hp_status s = HP_ALLOC(P->back, A->n);
  if (s == HP_OK) s = upload(P, A);
  hp_gh_destroy(&A);
  return s;
}

static void release(problem *P) {
  for (int without = 0; without < 2; ++without) {
    hp_linear_destroy(&P->solver[without]);
    HP_FREE(P->expected[without]);
  }
  hp_gh_device_free(P->D, &P->A);
  HP_DEVICE_FREE(P->D, P->b);
  HP_DEVICE_FREE(P->D, P->x);
  HP_FREE(P->back);
}

/* ---- measuring ---- */

/* Seconds an iteration, the set-up of DILU shared out among them. */
static hp_status measure(problem *P, bool without, double *seconds) {
  hp_krylov_report r;
  hp_linear_solver *K = P->solver[without];
  double setup = 0.0;
  if (!without) HP_TRY(K->ops->set_up(K, &P->A));
  HP_TRY(K->ops->solve(K, &P->A, P->b, P->x, NULL, &r));
  HP_TRY(K->ops->seconds(K, without ? NULL : &setup, seconds));
  *seconds = (setup + *seconds) / (r.iterations > 0 ? r.iterations : 1);
  return HP_OK;
}

/* The solution that P->x holds is the default shape's; the first one seen is. */
static hp_status check_bits(problem *P, bool without) {
  const int64_t bytes = P->n * (int64_t)sizeof *P->back;
  HP_TRY(hp_device_download(P->D, P->back, P->x, bytes));
  if (P->expected[without] == NULL) {
    HP_TRY(hp_alloc((void **)&P->expected[without], P->n, sizeof *P->back, "solution of the default shape"));
    memcpy(P->expected[without], P->back, (size_t)bytes);
  }
  if (memcmp(P->expected[without], P->back, (size_t)bytes) == 0) return HP_OK;
  const hp_device_shape s = hp_device_get_shape(P->D);
  return hp_fail(HP_ERR_INTERNAL,
                 "a launch shape changes results: %d blocks, barrier %s, delay %d, chip %d, wide %d, unroll %d, "
                 "recompute %d",
                 s.blocks, hp_barrier_name(s.barrier), s.delay, s.chip, s.wide, s.unroll, s.recompute);
}

/* Rounds in which the candidates take turns; their medians. */
static hp_status measure_all(problem *P, bool without, const candidates *C, double median[CANDIDATES_MAX]) {
  double sample[CANDIDATES_MAX][HP_TUNE_ROUNDS_MAX];
  for (int round = -1; round < P->opt->rounds; ++round) /* one to warm up */
    for (int c = 0; c < C->count; ++c) {
      double seconds;
      HP_TRY(hp_device_set_shape(P->D, &C->shape[c]));
      HP_TRY(measure(P, without, &seconds));
      if (round < 0) HP_TRY(check_bits(P, without));
      else sample[c][round] = seconds;
    }
  for (int c = 0; c < C->count; ++c) median[c] = hp_bench_median(sample[c], P->opt->rounds);
  return HP_OK;
}

static void print_csv(const problem *P, const candidates *C, const double median[CANDIDATES_MAX]) {
  for (int c = 0; c < C->count && P->opt->csv != NULL; ++c) {
    const hp_device_shape *s = &C->shape[c];
    fprintf(P->opt->csv, "%d,%d,%d,%s,%d,%s,%d,%d,%d,%d,%d,%.6g\n", P->size[0], P->size[1], P->size[2], C->what,
            s->blocks, hp_barrier_name(s->barrier), s->delay, s->chip, s->wide, s->unroll, s->recompute, median[c]);
  }
}

/* The fastest candidate's shape; the first one's where nothing is a hundredth faster. */
static hp_status decide(problem *P, bool without, const candidates *C, hp_device_shape *best, double *first,
                        double *fastest) {
  double median[CANDIDATES_MAX];
  HP_TRY(measure_all(P, without, C, median));
  print_csv(P, C, median);
  int at = 0;
  for (int c = 1; c < C->count; ++c)
    if (median[c] < median[at]) at = c;
  if (median[at] > 0.99 * median[0]) at = 0;
  *best = C->shape[at];
  *first = median[0];
  *fastest = median[at];
  return HP_OK;
}

/* ---- candidates ---- */

static void add(candidates *C, hp_device_shape shape) {
  for (int c = 0; c < C->count; ++c) {
    const hp_device_shape *s = &C->shape[c];
    if (s->blocks == shape.blocks && s->barrier == shape.barrier && s->delay == shape.delay && s->chip == shape.chip &&
        s->wide == shape.wide && s->unroll == shape.unroll && s->recompute == shape.recompute)
      return;
  }
  if (C->count < CANDIDATES_MAX) C->shape[C->count++] = shape;
}

/* Cooperative groups' barrier has no delay. */
static void add_barriers(candidates *C, hp_device_shape shape) {
  static const int delays[] = {0, 20, 50, 100, 200};
  for (int barrier = 0; barrier < HP_BARRIER_COUNT; ++barrier)
    for (size_t d = 0; d < sizeof delays / sizeof *delays; ++d) {
      shape.barrier = (hp_barrier_kind)barrier;
      shape.delay = delays[d];
      if (shape.barrier != HP_BARRIER_COOPERATIVE || d == 0) add(C, shape);
    }
}

static void add_chips(candidates *C, hp_device_shape shape) {
  static const int chips[] = {HP_CHIP_MAX, 0, 1, 2}; /* BiCG-Stab has three that could be there */
  for (size_t n = 0; n < sizeof chips / sizeof *chips; ++n) {
    shape.chip = chips[n];
    add(C, shape);
  }
}

static void add_blocks(candidates *C, hp_device_shape shape) {
  for (shape.blocks = 1; shape.blocks <= 4; ++shape.blocks) add(C, shape);
}

static void add_loads(candidates *C, hp_device_shape shape) {
  for (int wide = 1; wide >= 0; --wide)
    for (shape.unroll = 1; shape.unroll <= 4; shape.unroll *= 2) {
      shape.wide = wide != 0;
      add(C, shape);
    }
}

static void add_recompute(candidates *C, hp_device_shape shape) {
  shape.recompute = !shape.recompute;
  add(C, shape);
}

static hp_status search(problem *P, hp_tuned_row *out) {
  static const struct {
    const char *what;
    void (*add)(candidates *C, hp_device_shape shape);
    bool without;
  } choices[] = {{"barrier", add_barriers, false},
                 {"chip", add_chips, false},
                 {"blocks", add_blocks, false},
                 {"loads", add_loads, false},
                 {"recompute", add_recompute, true}};
  hp_device_shape best = hp_device_default_shape();
  double first, fastest;
  for (size_t n = 0; n < sizeof choices / sizeof *choices; ++n) {
    candidates C = {.what = choices[n].what, .count = 1, .shape = {best}};
    choices[n].add(&C, best);
    HP_TRY(decide(P, choices[n].without, &C, &best, &first, &fastest));
  }
  candidates last = {.what = "last", .count = 1, .shape = {hp_device_default_shape()}};
  const bool recompute = best.recompute; /* decided where it matters */
  add(&last, best);
  HP_TRY(decide(P, false, &last, &out->shape, &out->default_seconds, &out->seconds));
  out->shape.recompute = recompute;
  return hp_device_set_shape(P->D, &out->shape);
}

hp_status hp_tune_size(hp_device *D, const int size[3], const hp_tune_options *opt, hp_tuned_row *out) {
  problem P = {.D = D, .opt = opt, .size = size};
  memset(out, 0, sizeof *out);
  memcpy(out->size, size, sizeof out->size);
  if (opt->rounds < 1 || opt->rounds > HP_TUNE_ROUNDS_MAX || opt->iterations < 1)
    return hp_fail(HP_ERR_USAGE, "the number of rounds must be 1 to %d, that of iterations at least 1",
                   (int)HP_TUNE_ROUNDS_MAX);
  const hp_device_shape shape = hp_device_default_shape();
  HP_TRY(hp_device_set_shape(D, &shape));
  hp_status s = create(&P, size);
  if (s == HP_OK) s = search(&P, out);
  release(&P);
  return s;
}
