/* Cells spread over ranks: calls of all, ranks that leave a program early, and grids and fields by planes, whose bits are those
 * of one process. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/ranks/spread.h"
#include "grid/grid.h"
#include "grid/rockgen.h"
#include "tests/support/check.h"

/* ---- calls ---- */

typedef struct {
  double sum;
  int rank;
} chained;

static void add(void *arg) {
  chained *c = arg;
  c->sum = 0.5 * c->sum + 1.0 / (c->rank + 3.0);
}

static void check_calls(hp_spread *P, int rank, int size) {
  int64_t v[2] = {rank, 1};
  double largest[2] = {-1.0 - rank, rank}, least = 10.0 + rank, expected = 0.0;
  bool some = rank == size - 1, not_all = rank > 0;
  enum { LONG = 300000 }; /* several messages */
  int64_t *many = NULL;
  chained c = {.rank = rank};
  CHECK_OK(HP_ALLOC(many, LONG));
  for (int n = 0; n < LONG; ++n) many[n] = rank == 0 ? n : 0;
  hp_spread_begin(P);
  CHECK_OK(hp_spread_sum(P, v, 2));
  CHECK_OK(hp_spread_max(P, largest, 2));
  CHECK_OK(hp_spread_min(P, &least, 1));
  CHECK_OK(hp_spread_any(P, &some));
  CHECK_OK(hp_spread_all(P, &not_all));
  CHECK_OK(hp_spread_share(P, many, LONG * (int64_t)sizeof *many));
  CHECK_OK(hp_spread_chain(P, &c.sum, sizeof c.sum, true, add, &c));
  CHECK_OK(hp_spread_end(P, HP_OK));
  for (int r = 0; r < size; ++r) expected = 0.5 * expected + 1.0 / (r + 3.0);
  CHECK(v[0] == size * (size - 1) / 2 && v[1] == size);
  CHECK(largest[0] == -1.0 && largest[1] == size - 1.0 && least == 10.0 && some && !not_all && c.sum == expected);
  int wrong = 0;
  for (int n = 0; n < LONG; ++n) wrong += many[n] != n;
  CHECK(wrong == 0);
  HP_FREE(many);
}

/* Items that belong to the ranks in turn. */
static bool find_item(void *arg, int64_t item, int64_t *value) {
  const int *who = arg;
  if (item % who[1] != who[0]) return false;
  value[0] = 3 * item;
  value[1] = -item;
  return true;
}

typedef struct {
  int64_t count, wrong;
} seen;

static hp_status see_item(void *arg, const int64_t *item) {
  seen *s = arg;
  s->wrong += item[0] != s->count || item[1] != 7 * s->count;
  s->count += 1;
  return HP_OK;
}

/* Each rank asks about several thousand items of others, and all see all of them in order; rank 1 has none. */
static void check_items(hp_spread *P, int rank, int size) {
  enum { MANY = 5000 };
  const int64_t count = rank == 1 ? 0 : MANY + rank;
  int64_t *item = NULL, *value = NULL, begin = 0, all = 0, wrong = 0;
  seen s = {0};
  int who[2] = {rank, size};
  CHECK_OK(HP_ALLOC(item, 2 * count));
  CHECK_OK(HP_ALLOC(value, 2 * count));
  hp_spread_begin(P);
  for (int64_t n = 0; n < count; ++n) item[n] = (n * 31 + rank) % 1000;
  CHECK_OK(hp_spread_ask(P, count, item, 2, find_item, who, value));
  for (int64_t n = 0; n < count; ++n) wrong += value[2 * n] != 3 * item[n] || value[2 * n + 1] != -item[n];
  CHECK_OK(hp_spread_number(P, count, &begin, &all));
  for (int64_t n = 0; n < count; ++n) {
    item[2 * n] = begin + n;
    item[2 * n + 1] = 7 * (begin + n);
  }
  CHECK_OK(hp_spread_distribute(P, item, count, 2, see_item, &s));
  CHECK_OK(hp_spread_end(P, HP_OK));
  CHECK(wrong == 0 && s.wrong == 0 && s.count == all);
  HP_FREE(item);
  HP_FREE(value);
}

static hp_status four_calls(hp_spread *P, int leaves_before, hp_status with) {
  int64_t one[3] = {1, 1, 1};
  double largest = 0.0;
  chained c = {.rank = 0};
  if (leaves_before == 0) return with;
  HP_TRY(hp_spread_sum(P, one, 3));
  if (leaves_before == 1) return with;
  HP_TRY(hp_spread_max(P, &largest, 1));
  if (leaves_before == 2) return with;
  HP_TRY(hp_spread_chain(P, &c.sum, sizeof c.sum, true, add, &c));
  if (leaves_before == 3) return with;
  return hp_spread_share(P, one, sizeof one);
}

/* Whoever leaves early, and wherever: all get its failure, and what comes next is in order. */
static void check_leaving(hp_spread *P, int rank, int size) {
  for (int who = 0; who < size; ++who)
    for (int before = 0; before < 4; ++before) {
      const hp_status mine = rank == who ? hp_fail(HP_ERR_MEMORY, "rank %d has no memory", who) : HP_OK;
      char text[40];
      snprintf(text, sizeof text, "rank %d has no memory", who);
      hp_spread_begin(P);
      const hp_status s = hp_spread_end(P, four_calls(P, rank == who ? before : 4, mine));
      CHECK(s == HP_ERR_MEMORY || s == HP_ERR_WHOLE);
      CHECK(who > 0 || (s == HP_ERR_MEMORY && strcmp(hp_fail_text(), text) == 0));
      check_calls(P, rank, size);
    }
}

/* A rank whose program makes other calls than rank 0's: nobody waits for ever, and all know. */
static void check_other_calls(hp_spread *P, int rank, int size) {
  if (size == 1) return;
  for (int turn = 0; turn < 2; ++turn) {
    int64_t v[4] = {0};
    hp_spread_begin(P);
    hp_status s = hp_spread_sum(P, v, rank == size - 1 && turn == 0 ? 2 : 1);
    if (rank == size - 1 && turn == 1) s = hp_spread_sum(P, v, 1); /* one too many */
    CHECK(hp_spread_end(P, rank == size - 1 ? HP_OK : s) == HP_ERR_WHOLE);
  }
  hp_spread_begin(P);
  const hp_status refused = rank > 0 ? hp_spread_refuse(P, "corners") : HP_OK;
  CHECK(hp_spread_end(P, refused) == HP_ERR_WHOLE && strcmp(hp_fail_text(), "corners") == 0);
  CHECK_OK(hp_spread_refuse(NULL, "corners"));
}

/* ---- fields ---- */

enum { NY = 7, NZ = 5 };

static double value_at(int64_t m, int what) { return 1.0 + fmod(sin((double)(m * 13 + what * 1000003)) * 4711.0, 1.0); }

/* Planes of a field [NZ][NY][held] against the whole one. */
static int odd_planes(const hp_spread_planes *p, int nx, const void *planes, const void *whole, size_t size) {
  int odd = 0;
  for (int64_t row = 0; row < NY * NZ; ++row)
    odd += memcmp((const char *)planes + (size_t)(row * p->held) * size,
                  (const char *)whole + (size_t)(row * nx + p->first) * size, (size_t)p->held * size) != 0;
  return odd;
}

static void check_fields(hp_spread *P, int rank, int nx) {
  static const double lengths[][3] = {{3.0, 2.0, 1.5}, {0.0, 2.0, 0.0}, {40.0, 0.0, 2.0}};
  const hp_spread_planes p = hp_spread_planes_of(P, rank, nx);
  const hp_rock_planes planes = {P, nx, NY, NZ, p.first, p.held, p.owned};
  double *whole = NULL, *mine = NULL;
  uint8_t *facies = NULL, *of_mine = NULL;
  CHECK_OK(HP_ALLOC(whole, (int64_t)nx * NY * NZ));
  CHECK_OK(HP_ALLOC(mine, (int64_t)p.held * NY * NZ));
  CHECK_OK(HP_ALLOC(facies, (int64_t)nx * NY * NZ));
  CHECK_OK(HP_ALLOC(of_mine, (int64_t)p.held * NY * NZ));
  for (size_t n = 0; n < 2 * sizeof lengths / sizeof *lengths; ++n) {
    hp_rock_gauss_spec spec = {.seed = 7 + n, .covariance = n % 2 ? HP_ROCK_GAUSSIAN : HP_ROCK_EXPONENTIAL};
    memcpy(spec.correlation, lengths[n / 2], sizeof spec.correlation);
    CHECK_OK(hp_rock_gauss(&spec, nx, NY, NZ, whole));
    hp_spread_begin(P);
    hp_status s = HP_OK;
    if (s == HP_OK) s = hp_rock_gauss_planes(&spec, &planes, mine);
    CHECK_OK(hp_spread_end(P, s));
    CHECK(odd_planes(&p, nx, mine, whole, sizeof *mine) == 0);
  }
  hp_rock_channels_spec channels = hp_rock_channels_default();
  channels.width = 2.0;
  channels.thickness = 1.5;
  CHECK_OK(hp_rock_channels(&channels, nx, NY, NZ, facies));
  hp_spread_begin(P);
  hp_status s = HP_OK;
  if (s == HP_OK) s = hp_rock_channels_planes(&channels, &planes, of_mine);
  CHECK_OK(hp_spread_end(P, s));
  CHECK(odd_planes(&p, nx, of_mine, facies, 1) == 0);
  HP_FREE(whole);
  HP_FREE(mine);
  HP_FREE(facies);
  HP_FREE(of_mine);
}

/* ---- grids ---- */

static void fill(hp_grid *g) {
  double *const array[] = {g->dx, g->dy, g->dz, g->depth, g->porosity, g->ntg, g->perm[0], g->perm[1], g->perm[2]};
  for (int a = 0; a < (int)(sizeof array / sizeof *array); ++a)
    for (int64_t n = 0; n < g->ncell; ++n) array[a][n] = (a == 4 ? 0.1 : 1.0) * value_at(g->first + n, a);
  for (int64_t n = 0; n < g->ncell; ++n) g->active[n] = (g->first + n) % 11 != 3;
}

static hp_status finish(hp_grid *g, const hp_grid *whole) {
  /* of neighbours, far ones, with inactive ends: 3, 80; of planes 1 and 2 */
  const int64_t all_a[] = {0, 3, 40, 1, 3, 1, NY * NZ}, all_b[] = {1, 60, 2, 34, 71, 80, 2 * NY * NZ};
  const double all_trans[] = {2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0};
  int64_t a[7], b[7], count = 0;
  double trans[7];
  const int64_t cells = hp_grid_cells(g);
  int64_t named[4] = {0, cells - 1, cells / 2, cells / 3};
  double depth[4];
  fill(g);
  HP_TRY(hp_grid_finish(g, 0.0, NULL, NULL, NULL));
  for (int n = 0; n < (cells > 80 ? 7 : cells > 60 ? 4 : 1); ++n) {
    if (!hp_grid_holds(g, all_a[n] < all_b[n] ? all_a[n] : all_b[n])) continue;
    a[count] = all_a[n];
    b[count] = all_b[n];
    trans[count++] = all_trans[n];
  }
  HP_TRY(hp_grid_connect(g, count, a, b, trans));
  if (whole == NULL) return HP_OK;
  HP_TRY(hp_grid_gather(g, 4, named, g->depth, depth));
  HP_TRY(hp_grid_learn(g, 4, named));
  HP_TRY(hp_grid_learn_column(g, cells - 1));
  HP_TRY(hp_grid_learn(g, 2, named)); /* again */
  for (int n = 0; n < 4; ++n) {
    const hp_grid_rock one = hp_grid_rock_of(g, named[n]), right = hp_grid_rock_of(whole, named[n]);
    CHECK(depth[n] == whole->depth[named[n]] && memcmp(&one, &right, sizeof one) == 0);
  }
  CHECK(hp_grid_rock_of(g, cells - NZ).depth == whole->depth[cells - NZ]);
  return HP_OK;
}

static void compare(const hp_grid *g, const hp_grid *whole) {
  int odd = 0;
  for (int64_t n = 0; n < g->owned; ++n) {
    const int64_t m = g->first + n;
    odd += g->pore_volume[n] != whole->pore_volume[m] || g->active[n] != whole->active[m];
    for (int d = 0; d < HP_DIRS; ++d) odd += g->trans[d][n] != whole->trans[d][m];
  }
  for (int64_t n = g->ncell - NY * NZ; n < g->ncell; ++n)
    odd += g->trans[HP_DIR_I][n] != 0.0; /* nothing is held behind */
  CHECK(odd == 0 && g->nactive == whole->nactive);
  int64_t mine = 0; /* connections that begin here */
  for (int64_t n = 0; n < whole->connection.count; ++n) {
    const hp_grid_connections *one = &g->connection, *all = &whole->connection;
    if (all->a[n] < g->first || all->a[n] >= g->first + g->owned) continue;
    CHECK(mine < one->count && one->a[mine] == all->a[n] && one->b[mine] == all->b[n] &&
          one->trans[mine] == all->trans[n]);
    ++mine;
  }
  CHECK(mine == g->connection.count);
}

static void check_grid(hp_spread *P, int size, int nx) {
  hp_grid *g = NULL, *whole = NULL;
  CHECK_OK(hp_grid_begin(NULL, nx, NY, NZ, &whole));
  CHECK_OK(finish(whole, NULL));
  hp_spread_begin(P);
  hp_status s = hp_grid_begin(P, nx, NY, NZ, &g);
  CHECK_OK(s);
  if (s == HP_OK) s = finish(g, whole);
  CHECK_OK(hp_spread_end(P, s));
  if (g != NULL) compare(g, whole);
  int held = 0;
  for (int r = 0; r < size; ++r) held += hp_spread_planes_of(P, r, nx).owned;
  CHECK(held == nx);
  hp_grid_destroy(&g);
  hp_grid_destroy(&whole);
}

/* The planes that ranks hold of a refined grid: all parts of their own ones and the first part of the one behind, or of the last. */
static void check_refined_planes(hp_spread *P, int size, int nx) {
  enum { PARTS = 3 };
  hp_spread_planes whole[16];
  CHECK(size <= 16);
  for (int r = 0; r < size; ++r) whole[r] = hp_spread_planes_of(P, r, nx);
  hp_spread_refine(P, PARTS);
  for (int r = 0; r < size; ++r) {
    const hp_spread_planes p = hp_spread_planes_of(P, r, nx * PARTS), w = whole[r];
    CHECK(p.first == w.first * PARTS && p.owned == w.owned * PARTS && p.held - p.owned == w.held - w.owned);
  }
}

int main(void) {
  if (hp_ranks_refusal() != NULL) return CHECK_SKIPPED;
  hp_ranks *K = NULL;
  hp_spread *P = NULL;
  CHECK_OK(hp_ranks_open(&K));
  const int rank = hp_ranks_rank(K), size = hp_ranks_size(K);
  CHECK_OK(hp_spread_create(K, &P));
  check_calls(P, rank, size);
  check_items(P, rank, size);
  check_leaving(P, rank, size);
  check_other_calls(P, rank, size);
  hp_spread_destroy(&P);
  for (int nx = 1; nx <= 12; ++nx) { /* fewer planes than ranks, too */
    CHECK_OK(hp_spread_create(K, &P));
    check_fields(P, rank, nx);
    hp_spread_destroy(&P);
    CHECK_OK(hp_spread_create(K, &P));
    check_grid(P, size, nx);
    check_refined_planes(P, size, nx);
    hp_spread_destroy(&P);
  }
  hp_ranks_close(&K);
  return check_result();
}
