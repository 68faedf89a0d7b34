/* Work ahead (core/threads/ahead.h): steps are made in order on another thread, what they wrote is there after the
 * wait, a failure comes with its text and ends the rest, destroying leaves out what has not begun. Loops of several
 * threads (core/parallel.h): every index once, for any number of threads and from several threads at a time. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/threads/ahead.h"
#include "tests/support/check.h"

typedef struct {
  int made[HP_AHEAD_STEPS], steps, fails_at;
  pthread_t thread;
  _Atomic bool begun, open; /* the second step has begun; it waits for `open` */
} job;

static void nap(int milliseconds) {
  const struct timespec time = {0, milliseconds * 1000000L};
  nanosleep(&time, NULL);
}

static hp_status step(job *j, int n) {
  j->made[n] = ++j->steps;
  j->thread = pthread_self();
  return j->fails_at == n ? hp_fail(HP_ERR_DEVICE, "step %d of %d", n, j->steps) : HP_OK;
}

static hp_status first(void *p) { return step(p, 0); }
static hp_status third(void *p) { return step(p, 2); }

static hp_status second(void *p) {
  job *j = p;
  j->begun = true;
  while (!j->open) nap(1);
  return step(p, 1);
}

static const hp_ahead_step steps[] = {first, second, third};

static void test_order(void) {
  job j = {.fails_at = -1};
  hp_ahead *A;
  CHECK_OK(hp_ahead_start(3, steps, &j, &A));
  CHECK_OK(hp_ahead_wait(A, 0)); /* while the second one cannot go on */
  CHECK(j.made[0] == 1 && hp_ahead_is_done(A, 0) && !hp_ahead_is_done(A, 1));
  j.open = true;
  CHECK_OK(hp_ahead_wait(A, 2));
  CHECK_OK(hp_ahead_wait(A, 1));
  CHECK(j.made[1] == 2 && j.made[2] == 3 && j.steps == 3);
  CHECK(!pthread_equal(j.thread, pthread_self()));
  hp_ahead_destroy(&A);
  CHECK(A == NULL);
  hp_ahead_destroy(&A);
}

static void test_failure(void) {
  job j = {.fails_at = 1, .open = true};
  hp_ahead *A;
  CHECK_OK(hp_ahead_start(3, steps, &j, &A));
  for (int again = 0; again < 2; ++again) {
    CHECK(hp_ahead_wait(A, 2) == HP_ERR_DEVICE);
    CHECK(strcmp(hp_fail_text(), "step 1 of 2") == 0);
    CHECK(hp_ahead_is_done(A, 2)); /* no more will come */
    CHECK_OK(hp_ahead_wait(A, 0)); /* was made before */
    CHECK(hp_ahead_wait(A, 1) == HP_ERR_DEVICE);
  }
  hp_ahead_destroy(&A);
  CHECK(j.steps == 2);
  CHECK(hp_ahead_start(0, steps, &j, &A) == HP_ERR_INTERNAL && A == NULL);
}

static void *open_later(void *p) {
  nap(200);
  ((job *)p)->open = true;
  return NULL;
}

/* The step in hand is finished, the next one not begun. */
static void test_early_end(void) {
  job j = {.fails_at = -1};
  pthread_t other;
  hp_ahead *A;
  CHECK_OK(hp_ahead_start(3, steps, &j, &A));
  CHECK_OK(hp_ahead_wait(A, 0));
  while (!j.begun) nap(1);
  CHECK(pthread_create(&other, NULL, open_later, &j) == 0);
  hp_ahead_destroy(&A);
  CHECK(j.steps == 2 && j.made[2] == 0);
  pthread_join(other, NULL);
}

/* ---- loops ---- */

enum { N = 100003 };

typedef struct {
  uint8_t *visits; /* [N] */
  _Atomic int ranges;
} counts;

static void visit(void *arg, int64_t begin, int64_t end) {
  counts *c = arg;
  for (int64_t i = begin; i < end; ++i) c->visits[i] += 1;
  c->ranges += 1;
}

/* HP_OK: every index once, by so many threads. */
static hp_status count_visits(int64_t n, int64_t grain, int ranges) {
  counts c = {.ranges = 0};
  HP_TRY(HP_ALLOC(c.visits, N));
  hp_parallel(n, grain, visit, &c);
  bool once = c.ranges == ranges;
  for (int64_t i = 0; i < N; ++i) once = once && c.visits[i] == (i < n);
  HP_FREE(c.visits);
  return once ? HP_OK : hp_fail(HP_ERR_INTERNAL, "%d ranges, not %d, or an index not once", c.ranges, ranges);
}

static void *count_beside(void *p) {
  hp_status *s = p;
  *s = count_visits(N, 1000, 7);
  return NULL;
}

static void test_loops(void) {
  hp_parallel_limit(7);
  CHECK_OK(count_visits(N, 1, 7));
  CHECK_OK(count_visits(N, 40000, 2));
  CHECK_OK(count_visits(N, N + 1, 1));
  CHECK_OK(count_visits(5, 1, 5));
  CHECK_OK(count_visits(0, 1, 0));
  pthread_t other;
  hp_status s = HP_ERR_INTERNAL;
  CHECK(pthread_create(&other, NULL, count_beside, &s) == 0);
  CHECK_OK(count_visits(N, 1000, 7));
  pthread_join(other, NULL);
  CHECK(s == HP_OK);
  hp_parallel_limit(1);
  CHECK_OK(count_visits(N, 1, 1));
  hp_parallel_limit(0);
}

int main(void) {
  test_order();
  test_failure();
  test_early_end();
  test_loops();
  return check_result();
}
