/* The team itself: every index once, sums that do not depend on the team, the
 * largest value, pipelined sweeps, split barriers, and a wait that ends. */
#include <string.h>

#include "core/device/pages.h"
#include "core/memory.h"
#include "core/profile.h"
#include "core/team/team.h"
#include "tests/support/check.h"

enum { N = 5003 };

typedef struct {
  double *v;   /* [N] */
  int *visits; /* [N] */
  double sum[2], max;
  int64_t argmax;
  int64_t *sweep; /* [8][50] what a member found of the one before it */
  int wrong;      /* member 0 */
} shared;

static void body(hp_team *t, void *p) {
  shared *s = p;
  HP_TEAM_FOR(t, i, N) {
    s->v[i] = 1.0 / (double)(1 + (i * 37) % N);
    s->visits[i] += 1;
  }
  hp_team_sync(t);
  HP_TEAM_FOR_OWNED(t, i, N) s->visits[i] += 10;
  double sum[2], again[2];
  HP_TEAM_REDUCE(t, i, N, 2) {
    HP_ACC(0) += s->v[i];
    HP_ACC(1) += s->v[i] * (double)i;
  }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum_begin(t);
  double private_work = 0.0;
  for (int i = 0; i < 1000; ++i) private_work += s->v[i];
  hp_team_sum_end(t, N, 2, sum);
  HP_TEAM_REDUCE_OWNED(t, i, N, 2) {
    HP_ACC(0) += s->v[i];
    HP_ACC(1) += s->v[i] * (double)i;
  }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum(t, N, 2, again);
  double max = -1.0;
  int64_t argmax = -1;
  HP_TEAM_FOR(t, i, N) if (s->v[i] > max) {
    max = s->v[i];
    argmax = i;
  }
  hp_team_max(t, max, argmax, &max, &argmax);
  for (int round = 0; round < 3; ++round) {
    hp_team_sweep_begin(t);
    for (int64_t step = 0; step < 50; ++step) {
      if (t->rank > 0) hp_team_wait_for(t, t->rank - 1, step + 1);
      s->sweep[t->rank * 50 + step] = t->rank == 0 ? step + round : s->sweep[(t->rank - 1) * 50 + step];
      hp_team_post(t, step + 1);
    }
    hp_team_sync(t);
  }
  if (t->rank == 0) {
    s->wrong = sum[0] != again[0] || sum[1] != again[1] || !(private_work > 0.0);
    s->sum[0] = sum[0];
    s->sum[1] = sum[1];
    s->max = max;
    s->argmax = argmax;
  }
}

static void test_loops(void) {
  static const int sizes[] = {1, 2, 3, 8};
  shared first = {0};
  for (int n = 0; n < 12; ++n) {
    const hp_team_options opt = {.time_limit = 60.0, .rotate = n < 4 ? 0u : (uint32_t)n, .gpus = n < 8 ? 0 : n % 4};
    hp_team_hub *hub;
    shared s = {0};
    CHECK_OK(HP_ALLOC(s.v, N));
    CHECK_OK(HP_ALLOC(s.visits, N));
    CHECK_OK(HP_ALLOC(s.sweep, 8 * 50));
    CHECK_OK(hp_team_hub_create(sizes[n % 4], &opt, &hub));
    CHECK(hp_team_hub_size(hub) == sizes[n % 4]);
    for (int run = 1; run <= 3; ++run) {
      CHECK_OK(hp_team_run(hub, body, &s));
      int wrong = 0;
      for (int i = 0; i < N; ++i) wrong += s.visits[i] != 11 * run;
      for (int i = 0; i < sizes[n % 4] * 50; ++i) wrong += s.sweep[i] != i % 50 + 2;
      CHECK(wrong == 0 && s.wrong == 0);
      CHECK(s.max == 1.0 && s.argmax == 0);
      if (n == 0 && run == 1) first = s;
      CHECK(s.sum[0] == first.sum[0] && s.sum[1] == first.sum[1]);
      CHECK(hp_team_barriers(hub) == 8 * run);
    }
    double plain = 0.0;
    for (int i = 0; i < N; ++i) plain += s.v[i];
    CHECK_NEAR(s.sum[0], plain, 1e-12 * plain);
    hp_team_hub_destroy(&hub);
    HP_FREE(s.v);
    HP_FREE(s.visits);
    HP_FREE(s.sweep);
  }
}

/* Members that stand for GPUs own what memory by owner gives to these. */
typedef struct {
  int64_t n, split;
  uint8_t *rank; /* [n] */
} owners;

static void note_owners(hp_team *t, void *p) {
  owners *o = p;
  hp_team_split(t, o->split, o->n);
  HP_TEAM_FOR_OWNED(t, i, o->n) o->rank[i] = (uint8_t)t->rank;
}

static void test_owners(int64_t n, int64_t split, int gpus, int each) {
  const hp_team_options opt = {.time_limit = 60.0, .gpus = gpus};
  const hp_owned a = {n, split, 1, n, 1, 0};
  hp_team_hub *hub;
  owners o = {n, split, NULL};
  CHECK_OK(HP_ALLOC(o.rank, n));
  CHECK_OK(hp_team_hub_create(gpus * each, &opt, &hub));
  CHECK_OK(hp_team_run(hub, note_owners, &o));
  int64_t wrong = 0;
  for (int64_t i = 0; i < n; ++i) wrong += o.rank[i] / each != hp_owned_gpu(&a, i, gpus);
  CHECK(wrong == 0);
  hp_team_hub_destroy(&hub);
  CHECK(hp_team_hub_create(gpus - 1, &opt, &hub) == HP_ERR_USAGE);
  HP_FREE(o.rank);
}

/* Turns in which the first of several GPUs works alone. */
typedef struct {
  int64_t *v, *w;   /* [N] */
  int alone, other; /* members of the team that works alone; members whose team is another one afterwards */
} turns;

enum { TURNS = 12 };

static void take_turns(hp_team *t, void *p) {
  turns *s = p;
  for (int turn = 0; turn < TURNS; ++turn) {
    HP_TEAM_FOR(t, i, N) s->v[i] += 1;
    hp_team_sync(t);
    const int size = t->size;
    if (hp_team_first_begin(t)) {
      HP_TEAM_FOR(t, i, N) s->w[i] = s->v[N - 1 - i];
      hp_team_first_sync(t);
      HP_TEAM_FOR_OWNED(t, i, N) s->v[i] += s->w[(i + 7) % N];
      HP_TEAM_FOR_OWNED(t, i, N) s->v[i] += 1;
      hp_team_first_sync(t);
      HP_TEAM_FOR(t, i, N) s->v[i] -= s->w[N - 1 - i] + 1;
      if (t->rank == 0) s->alone = t->size;
    }
    hp_team_first_end(t);
    if (t->size != size) s->other += 1;
    hp_team_sync(t);
  }
}

static void test_first(int size, int gpus) {
  const hp_team_options opt = {.time_limit = 60.0, .rotate = (uint32_t)(size + gpus), .gpus = gpus};
  hp_team_hub *hub;
  turns s = {NULL, NULL, 0, 0};
  CHECK_OK(HP_ALLOC(s.v, N));
  CHECK_OK(HP_ALLOC(s.w, N));
  for (int i = 0; i < N; ++i) s.v[i] = i % 5;
  CHECK_OK(hp_team_hub_create(size, &opt, &hub));
  for (int run = 0; run < 2; ++run) CHECK_OK(hp_team_run(hub, take_turns, &s));
  CHECK(hp_team_barriers(hub) == 2 * (4 * TURNS + 1)); /* the members of other GPUs have waited less often */
  CHECK(s.alone == (gpus > 1 ? (size + gpus - 1) / gpus : size) && s.other == 0);
  hp_team_hub_destroy(&hub);
  int64_t *v = NULL, *w = NULL;
  CHECK_OK(HP_ALLOC(v, N));
  CHECK_OK(HP_ALLOC(w, N));
  for (int i = 0; i < N; ++i) v[i] = i % 5;
  for (int turn = 0; turn < 2 * TURNS; ++turn) {
    for (int i = 0; i < N; ++i) v[i] += 1;
    for (int i = 0; i < N; ++i) w[i] = v[N - 1 - i];
    for (int i = 0; i < N; ++i) v[i] += w[(i + 7) % N];
    for (int i = 0; i < N; ++i) v[i] -= w[N - 1 - i];
  }
  CHECK(memcmp(v, s.v, N * sizeof *v) == 0);
  HP_FREE(v);
  HP_FREE(w);
  HP_FREE(s.v);
  HP_FREE(s.w);
}

/* Member 1 leaves before the barrier that the others wait at. */
static void deserter(hp_team *t, void *p) {
  (void)p;
  if (t->rank != 1) hp_team_sync(t);
  if (t->rank != 1) hp_team_sync(t);
}

/* Nobody posts what member 0 waits for. */
static void waiter(hp_team *t, void *p) {
  (void)p;
  hp_team_sweep_begin(t);
  if (t->rank == 0) hp_team_wait_for(t, 1, 1);
}

/* The first GPU has two of three members, of whom one waits for the other. */
static void deserter_on_first(hp_team *t, void *p) {
  (void)p;
  if (hp_team_first_begin(t) && t->rank == 0) hp_team_first_sync(t);
  hp_team_first_end(t);
  hp_team_sync(t);
}

static void test_stuck(void (*program)(hp_team *, void *), int gpus) {
  const hp_team_options opt = {.time_limit = 0.2, .gpus = gpus};
  hp_team_hub *hub;
  CHECK_OK(hp_team_hub_create(3, &opt, &hub));
  const double start = hp_now();
  CHECK(hp_team_run(hub, program, NULL) == HP_ERR_TEAM);
  CHECK(hp_now() - start < 20.0);
  CHECK(strstr(hp_fail_text(), "0.2 s") != NULL);
  CHECK(strstr(hp_fail_text(), "hub.c:") != NULL); /* the program here, or the barrier behind it in core/team/hub.c */
  CHECK(hp_team_run(hub, program, NULL) == HP_ERR_TEAM); /* and stays broken */
  hp_team_hub_destroy(&hub);
}

/* Sums over a loop that is long enough to have more than HP_GROUPS_CUT groups, and over one that is cut into parts. */
enum { LONG = HP_CUT_LONG * HP_LANES * HP_GROUP * HP_GROUPS_CUT + 1000001, LONGER = HP_CUT_PARTED + 1001 };

typedef struct {
  int64_t n;
  double sum[2];
} long_sums;

static void add_up(hp_team *t, void *arg) {
  long_sums *out = arg;
  double s[2];
  HP_TEAM_REDUCE(t, i, out->n, 2) {
    HP_ACC(0) += (double)(i % 1024) / 1024.0; /* whatever the order, exact */
    HP_ACC(1) += 1.0 / (double)(1 + i % 97);
  }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum(t, out->n, 2, s);
  if (t->rank == 0) memcpy(out->sum, s, sizeof s);
}

static void test_long(int64_t n) {
  const int64_t whole = n / 1024, rest = n % 1024, most = (int64_t)HP_LANES * HP_GROUP * HP_GROUPS_CUT;
  const double right = ((double)whole * (1023.0 * 512.0) + (double)(rest * (rest - 1) / 2)) / 1024.0;
  long_sums sums = {n, {0.0, 0.0}};
  double first = 0.0;
  CHECK(hp_chunk_length(HP_CUT_LONG * most) == HP_CUT_LONG * HP_LANES);
  CHECK(hp_chunk_length(HP_CUT_LONG * most + 1) == (HP_CUT_LONG / HP_CUT_FINER + 1) * HP_LANES);
  CHECK(n / hp_chunk_length(n) > HP_GROUP * 2 * HP_GROUPS_CUT);
  for (int size = 1; size <= 3; ++size) {
    const hp_team_options opt = {.rotate = size == 2 ? 7 : 0, .gpus = size == 3 ? 2 : 0};
    hp_team_hub *hub;
    CHECK_OK(hp_team_hub_create(size, &opt, &hub));
    CHECK_OK(hp_team_run(hub, add_up, &sums));
    CHECK(sums.sum[0] == right);
    if (size == 1) first = sums.sum[1];
    CHECK(sums.sum[1] == first && first > 0.05 * (double)n);
    hp_team_hub_destroy(&hub);
  }
}

int main(void) {
  hp_team_hub *hub;
  CHECK(hp_team_hub_create(0, NULL, &hub) == HP_ERR_USAGE && hub == NULL);
  CHECK(hp_team_hub_create(HP_TEAM_MAX + 1, NULL, &hub) == HP_ERR_USAGE);
  CHECK(hp_processors() >= 1);
  for (int64_t n = 1; n < INT64_C(1) << 34; n = n * 3 + 1)
    CHECK((n + hp_chunk_length(n) - 1) / hp_chunk_length(n) <= HP_CHUNKS_MAX);
  test_loops();
  test_owners(N, N, 2, 1);
  test_owners(N, N - 7, 3, 2);
  test_owners(600000, 600000, 2, 3);
  test_owners(600, 590, 4, 1);
  for (int size = 1; size <= 8; size += size < 4 ? 1 : 4)
    for (int gpus = 0; gpus <= 3 && gpus <= size; ++gpus) test_first(size, gpus);
  test_long(LONG);
  test_long(LONGER);
  test_stuck(deserter, 0);
  test_stuck(waiter, 0);
  test_stuck(deserter_on_first, 2);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
