/* The search over variants (bench/tuning/search.h) on problems whose fastest point is known: exhaustive it is found, at random
 * as often as it is drawn; what is refused is not measured; noise does not replace the start; the same seed, the same
 * candidates; launches of kernels and shapes of a team are its points. */
#include <math.h>
#include <string.h>

#include "bench/bsr/patterns.h"
#include "bench/tuning/kernels.h"
#include "bench/tuning/tune.h"
#include "core/memory.h"
#include "tests/support/check.h"

enum { A, B, C, CHOICES };

static const hp_search_choice choices[CHOICES] = {
    {"a", 6, {1, 2, 4, 8, 16, 32}}, {"b", 5, {0, 1, 2, 3, 4}}, {"c", 2, {0, 1}}};

typedef struct {
  int64_t calls, reported, forbidden, firsts; /* firsts: of the first samples */
  double gain, noise;                         /* of the best over the start; relative, of a sample */
  uint64_t trace, state;
  int fail_after;
} problem;

static bool is_allowed(const void *self, const int *p) {
  (void)self;
  return !(p[A] == 32 && p[B] > 2);
}

/* Least where a = 8, b = 3 and c = 1; each by itself leads astray: with c = 0 it is a = 1. */
static double cost(const problem *P, const int *p) {
  const double a = log2(p[A]) - (p[C] == 1 ? 3.0 : 0.0), b = p[B] - 3.0;
  return 1e-3 * (1.0 + 0.1 * a * a + 0.05 * b * b + (p[C] == 1 ? 0.0 : P->gain));
}

static hp_status measure(void *self, const int *p, int nth, double *seconds) {
  problem *P = self;
  P->firsts += nth == 0;
  P->calls += 1;
  P->forbidden += !is_allowed(NULL, p);
  P->trace = hp_mix64(P->trace + (uint64_t)(p[A] * 100 + p[B] * 10 + p[C]));
  P->state += UINT64_C(0x9e3779b97f4a7c15);
  const double noise = (double)(hp_mix64(P->state) >> 11) / 9007199254740992.0; /* 0 .. 1 */
  *seconds = cost(P, p) * (1.0 + P->noise * noise);
  if (P->fail_after > 0 && P->calls > P->fail_after) return hp_fail(HP_ERR_DEVICE, "a fault of the test");
  return HP_OK;
}

static void report(void *self, const int *p, int samples, double median) {
  problem *P = self;
  P->reported += 1;
  CHECK(samples >= 1 && median >= cost(P, p) && median <= cost(P, p) * (1.0 + P->noise));
}

static hp_search_result run(problem *P, const int *start, int trials, int rounds, uint64_t seed) {
  hp_search_result r;
  const hp_search_options opt = {.trials = trials, .rounds = rounds, .seed = seed};
  CHECK_OK(hp_search_run(&(hp_search_problem){.choices = CHOICES,
                                              .choice = choices,
                                              .start = start,
                                              .allowed = is_allowed,
                                              .measure = measure,
                                              .report = report,
                                              .self = P},
                         &opt, &r));
  CHECK(P->forbidden == 0 && P->reported == r.candidates && P->firsts == r.candidates);
  return r;
}

static void test_exhaustive(void) {
  static const int start[CHOICES] = {1, 3, 0}, best[CHOICES] = {8, 3, 1};
  problem P = {.gain = 0.2, .noise = 0.02};
  const hp_search_result r = run(&P, start, 0, 7, 1);
  CHECK(memcmp(r.best, best, sizeof best) == 0);
  CHECK(r.points == 56 && r.candidates == 56);
  CHECK(r.seconds >= 1e-3 && r.seconds < 1.02e-3 && r.start_seconds >= 1.2e-3 && r.start_seconds < 1.224e-3);
  CHECK(P.calls < 56 * 3); /* most are left after a sample or two */
}

/* A start that nothing beats by a hundredth stays, and so does one outside of the values. */
static void test_start(void) {
  static const int start[CHOICES] = {8, 3, 1}, outside[CHOICES] = {7, 3, 1};
  problem P = {.gain = 0.005, .noise = 0.0}, Q = {.gain = 0.005};
  hp_search_result r = run(&P, start, 0, 5, 1);
  CHECK(memcmp(r.best, start, sizeof start) == 0 && r.seconds == r.start_seconds && r.points == 56);
  r = run(&Q, outside, 0, 5, 1);
  CHECK(memcmp(r.best, outside, sizeof outside) == 0 && r.points == 57);
}

/* Without repetition: with as many trials as points all are tried; with half of them half of the seeds find the best. */
static void test_random(void) {
  static const int start[CHOICES] = {1, 0, 0}, best[CHOICES] = {8, 3, 1};
  int found = 0;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    problem P = {.gain = 0.2}, Q = {.gain = 0.2};
    const hp_search_result r = run(&P, start, 28, 3, seed), again = run(&Q, start, 28, 3, seed);
    CHECK(r.candidates == 29 && r.points == 56);
    CHECK(P.trace == Q.trace && memcmp(r.best, again.best, sizeof best) == 0);
    found += memcmp(r.best, best, sizeof best) == 0;
    CHECK(r.seconds <= r.start_seconds);
  }
  CHECK(found > 30 && found < 70);
  problem P = {.gain = 0.2};
  CHECK(memcmp(run(&P, start, 55, 3, 9).best, best, sizeof best) == 0);
}

static void test_errors(void) {
  static const int start[CHOICES] = {1, 0, 0};
  problem P = {.gain = 0.2, .fail_after = 10};
  hp_search_problem S = {.choices = CHOICES, .choice = choices, .start = start, .measure = measure, .self = &P};
  hp_search_options opt = {.rounds = 3};
  hp_search_result r;
  CHECK(hp_search_run(&S, &opt, &r) == HP_ERR_DEVICE && P.calls == 11);
  opt.rounds = 0;
  CHECK(hp_search_run(&S, &opt, &r) == HP_ERR_USAGE);
  hp_search_choice many[8];
  for (int k = 0; k < 8; ++k) many[k] = (hp_search_choice){"many", 16, {0}};
  static const int zeros[8] = {0};
  S = (hp_search_problem){.choices = 8, .choice = many, .start = zeros, .measure = measure, .self = &P};
  opt.rounds = 3;
  CHECK(hp_search_run(&S, &opt, &r) == HP_ERR_USAGE);
  CHECK(hp_memory_now() == 0);
}

/* ---- launches of kernels ---- */

/* Best: 512 threads, 4 blocks, 4 stream, 8 streams, last. */
static hp_status measure_kernel(void *self, const hp_kernel_shape *s, double *seconds) {
  int64_t *calls = self;
  *calls += 1;
  CHECK_OK(hp_kernel_check_shape(s));
  *seconds = 1e-6 * (1.0 + (s->threads != 512) + 0.5 * (s->blocks != 4) + 0.3 * (s->unroll != 4) +
                     0.2 * (s->streams != 8) + 0.1 * (s->loads != HP_LOADS_STREAM) + 0.15 * !s->last);
  return HP_OK;
}

static void test_kernels(void) {
  int64_t calls = 0, lines = 0;
  FILE *csv = tmpfile();
  const hp_kernel_shape start = hp_kernel_default_shape();
  const hp_kernel_search K = {
      .sum = true, .streams = true, .measure = measure_kernel, .self = &calls, .csv = csv, .label = "dot,5"};
  const hp_search_options opt = {.rounds = 3};
  hp_kernel_shape best;
  hp_search_result r;
  CHECK_OK(hp_kernel_search_run(&K, &start, &opt, &best, &r));
  CHECK(best.threads == 512 && best.blocks == 4 && best.unroll == 4 && best.loads == HP_LOADS_STREAM &&
        best.streams == 8 && best.last && !best.shared);
  CHECK(r.points == 2 * 6 * 4 * 3 * 5 * 2 && r.candidates == r.points && calls >= r.points);
  rewind(csv);
  for (int c; (c = fgetc(csv)) != EOF;) lines += c == '\n';
  fclose(csv);
  CHECK(lines == r.candidates);
  char text[96];
  hp_kernel_describe(&best, text, sizeof text);
  CHECK(strcmp(text, "512 threads, 4 a SM, 4 stream, 8 streams, last") == 0);
}

/* Best: 128 threads, 8 columns, cut at 16. */
static hp_status measure_block_rows(void *self, const hp_kernel_shape *s, double *seconds) {
  hp_bsr *rows = self;
  CHECK_OK(hp_kernel_check_shape(s));
  CHECK(s->blocks == 0 && s->streams == 1 && s->loads == HP_LOADS_WIDE && !s->last && !s->shared);
  CHECK_OK(hp_kernel_arrange_blocks(rows, s));
  CHECK(rows->longest == s->cut && (rows->q <= HP_BSR_WARP_Q || rows->order.threads == s->threads));
  *seconds = 1e-6 * (1.0 + (s->threads != 128) + 0.5 * (s->unroll != 8) + 0.3 * (s->cut != 16));
  return HP_OK;
}

/* Block rows have threads, unrolling and where rows are cut; what is found is the matrix's. */
static void test_block_rows(int q) {
  static const int cut[] = {0, 8, 16};
  const hp_kernel_shape start = hp_bsr_usual_shape(q);
  const hp_search_options opt = {.rounds = 3};
  hp_kernel_shape best;
  hp_search_result r;
  hp_bsr *rows = NULL;
  char text[96];
  CHECK_OK(hp_bsr_tailed(40, q, 1, &rows));
  hp_kernel_search K = {.block_rows = true, .cut = cut, .ncut = 3, .measure = measure_block_rows, .self = rows};
  CHECK_OK(hp_kernel_search_run(&K, &start, &opt, &best, &r));
  CHECK(r.points == 3 * 4 * 3 && best.threads == 128 && best.unroll == 8 && best.cut == 16);
  CHECK(hp_bsr_unroll_of(&best) == 8 && hp_bsr_unroll_of(&start) == 0 && start.cut == 0);
  hp_kernel_describe(&best, text, sizeof text);
  CHECK(strcmp(text, "128 threads, all, 8 wide, cut 16") == 0);
  K.ncut = 0;
  CHECK_OK(hp_kernel_search_run(&K, &start, &opt, &best, &r));
  CHECK(r.points == 3 * 4 && best.cut == 0);
  hp_bsr_kernel_name(q, NULL, text, sizeof text);
  CHECK(strcmp(text, q == 2 ? "blocks q2" : "blocks q20") == 0);
  hp_bsr_kernel_name(q, "tailed", text, sizeof text);
  CHECK(strcmp(text, q == 2 ? "blocks q2 tailed" : "blocks q20 tailed") == 0);
  hp_bsr_destroy(&rows);
}

/* Fastest with 512 threads compiled with less optimization, two blocks, the barrier by flags without a delay and a vector on
 * chip; counts what is measured by value of each choice. */
typedef struct {
  int q, gpus;
  int64_t seen[HP_TUNE_CHOICES][HP_SEARCH_VALUES_MAX];
  hp_search_choice choice[HP_TUNE_CHOICES];
} shapes;

static bool shape_allowed(const void *self, const int *point) {
  const shapes *T = self;
  const hp_device_shape s = hp_tune_shape_of(point);
  return hp_tune_allowed(&s, T->q, T->gpus);
}

static hp_status measure_shape(void *self, const int *point, int nth, double *seconds) {
  shapes *T = self;
  int back[HP_TUNE_CHOICES];
  const hp_device_shape s = hp_tune_shape_of(point);
  (void)nth;
  hp_tune_point_of(&s, back);
  CHECK(memcmp(point, back, sizeof back) == 0 && shape_allowed(self, point));
  CHECK_OK(hp_device_check_shape(&s));
  for (int c = 0; c < HP_TUNE_CHOICES; ++c)
    for (int v = 0; v < T->choice[c].count; ++v) T->seen[c][v] += point[c] == T->choice[c].value[v];
  *seconds = 1e-6 * (1.0 + (s.threads != 512) + 0.8 * (s.compile != HP_COMPILE_OPTIMIZE_1) + 0.5 * (s.blocks != 2) +
                     0.4 * (s.barrier != HP_BARRIER_FLAGS) + 0.3 * (s.delay != 0) + 0.2 * (s.chip != 1) +
                     0.1 * !s.wide + 0.1 * (s.unroll != 4) + 0.1 * s.recompute);
  return HP_OK;
}

static hp_search_result search_shapes(shapes *T, bool compile, int trials) {
  const hp_device_shape start = hp_device_default_shape();
  const hp_search_options opt = {.trials = trials, .rounds = 2, .seed = 3};
  hp_search_result r;
  int point[HP_TUNE_CHOICES];
  memset(T->seen, 0, sizeof T->seen);
  hp_tune_choices(compile, T->choice);
  hp_tune_point_of(&start, point);
  CHECK_OK(hp_search_run(&(hp_search_problem){.choices = HP_TUNE_CHOICES,
                                              .choice = T->choice,
                                              .start = point,
                                              .allowed = shape_allowed,
                                              .measure = measure_shape,
                                              .self = T},
                         &opt, &r));
  return r;
}

static void test_shapes(void) {
  shapes T = {.q = 2, .gpus = 1};
  hp_search_result r = search_shapes(&T, false, 0);
  CHECK(r.candidates == 4032 && hp_tune_shape_of(r.best).threads == 256 &&
        hp_tune_shape_of(r.best).compile == HP_COMPILE_BUILD && hp_tune_shape_of(r.best).blocks == 2);
  r = search_shapes(&T, true, 0);
  const hp_device_shape best = hp_tune_shape_of(r.best);
  CHECK(best.threads == 512 && best.compile == HP_COMPILE_OPTIMIZE_1 && best.blocks == 2 && best.delay == 0 &&
        best.barrier == HP_BARRIER_FLAGS && best.chip == 1 && best.wide && best.unroll == 4 && !best.recompute);
  for (int trials = 0; trials <= 300; trials += 300) { /* every value of every choice is measured */
    r = search_shapes(&T, true, trials);
    for (int c = 0; c < HP_TUNE_CHOICES; ++c)
      for (int v = 0; v < T.choice[c].count; ++v) CHECK(T.seen[c][v] > 0);
  }
  T.gpus = 2; /* several GPUs have the build's kernel and the counter */
  r = search_shapes(&T, true, 0);
  CHECK(hp_tune_shape_of(r.best).compile == HP_COMPILE_BUILD && hp_tune_shape_of(r.best).barrier == HP_BARRIER_COUNTER);
  T = (shapes){.q = 3, .gpus = 1};
  r = search_shapes(&T, true, 0);
  CHECK(hp_tune_shape_of(r.best).wide && T.seen[4][1] == 0); /* 8-byte loads are of two unknowns */
}

/* Shapes for which a solver must be made again. */
static void test_same_kernel(void) {
  const hp_device_shape start = hp_device_default_shape();
  hp_device_shape a = start, b = start;
  b.unroll = 4;
  b.barrier = HP_BARRIER_TREE;
  CHECK(hp_tune_same_kernel(&a, &b)); /* the build's serves all */
  a.compile = b.compile = HP_COMPILE_AGAIN;
  CHECK(!hp_tune_same_kernel(&a, &b));
  b = a;
  b.chip = 0;
  b.delay = 100;
  CHECK(hp_tune_same_kernel(&a, &b));
  b.threads = 512;
  CHECK(!hp_tune_same_kernel(&a, &b));
  b = a;
  b.compile = HP_COMPILE_BUILD;
  CHECK(!hp_tune_same_kernel(&a, &b) && !hp_tune_same_kernel(&b, &a));
}

int main(void) {
  test_exhaustive();
  test_start();
  test_random();
  test_errors();
  test_kernels();
  test_block_rows(2);
  test_block_rows(20);
  test_shapes();
  test_same_kernel();
  CHECK(hp_memory_now() == 0);
  return check_result();
}
