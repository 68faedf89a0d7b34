/* Multigrid over ranks against one process, bit for bit: coarse points, P and A of every level, and cycles, for random
 * partitions of reservoirs with wells, walls and cells without neighbours, and of random patterns. */
#include <math.h>
#include <string.h>

#include "amg/cycle/numbers.inl.h"
#include "amg/cycle/program.h"
#include "amg/ranks/impl.h"
#include "core/memory.h"
#include "tests/ranks/amg_parts.h"
#include "tests/support/amg_matrices.h"
#include "tests/support/check.h"

/* Rows of M, numbered by `row` and with columns by `column` (NULL: as they are), that are not those of `whole`. */
static int differing_rows(const hp_csr *M, const int64_t *row, const int64_t *column, const hp_csr *whole) {
  int wrong = 0;
  for (int32_t m = 0; m < M->nrow; ++m) {
    const int64_t i = row != NULL ? hp_amg_point_number(row[m]) : m;
    const int32_t length = hp_csr_length(M, m);
    const int64_t at = whole->begin[i];
    bool same = length == hp_csr_length(whole, i);
    for (int32_t k = 0; k < length && same; ++k) {
      const int32_t j = M->column[M->begin[m] + k];
      same = (column != NULL ? hp_amg_point_number(column[j]) : j) == whole->column[at + k] &&
             memcmp(&M->value[M->begin[m] + k], &whole->value[at + k], sizeof(double)) == 0;
    }
    wrong += !same;
  }
  return wrong;
}

static void check_levels(const hp_amg_ranks *H, const hp_amg *one) {
  hp_amg_size size[HP_AMG_LEVELS_MAX], right[HP_AMG_LEVELS_MAX];
  CHECK(H->H->nlevel == one->nlevel);
  if (H->H->nlevel != one->nlevel) return;
  hp_amg_ranks_sizes(H, size);
  hp_amg_sizes(one, right);
  CHECK(memcmp(size, right, (size_t)one->nlevel * sizeof *size) == 0);
  CHECK(hp_amg_ranks_complexity(H) == hp_amg_operator_complexity(one));
  for (int l = 0; l < one->nlevel; ++l) {
    const hp_amg_level *L = &H->H->level[l], *W = &one->level[l];
    const hp_amg_part *p = &H->part[l];
    if (l >= H->parted) {
      CHECK(differing_rows(L->A, NULL, NULL, W->A) == 0 && L->A->nrow == W->A->nrow);
      continue;
    }
    CHECK(differing_rows(L->A, p->point, p->point, W->A) == 0);
    if (W->P == NULL) continue;
    CHECK(differing_rows(L->P, p->point, l + 1 < H->parted ? p[1].point : NULL, W->P) == 0);
    CHECK(differing_rows(L->R, p[1].point, p->point, W->R) == 0);
  }
}

/* Entries of a cycle's result that are not those of one process. */
static int64_t differing_entries(hp_amg_ranks *H, const hp_amg *one, hp_team *t, const amg_part *p, uint64_t seed) {
  const int32_t n = one->level[0].A->nrow, nowned = p->rows.ncell + p->rows.nwell;
  double *b = NULL, *x = NULL, *r = NULL, *z = NULL;
  CHECK_OK(HP_ALLOC(b, n));
  CHECK_OK(HP_ALLOC(x, n));
  CHECK_OK(HP_ALLOC(r, nowned + 1));
  CHECK_OK(HP_ALLOC(z, nowned + 1));
  for (int32_t i = 0; i < n; ++i) b[i] = matrix_random(&seed);
  for (int32_t m = 0; m < nowned; ++m) r[m] = b[p->row[m]];
  hp_amg_cycle(t, one, b, x);
  hp_amg_ranks_cycle(H, r, z);
  int64_t wrong = 0;
  for (int32_t m = 0; m < nowned; ++m) wrong += memcmp(&z[m], &x[p->row[m]], sizeof *z) != 0;
  HP_FREE(b);
  HP_FREE(x);
  HP_FREE(r);
  HP_FREE(z);
  return wrong;
}

/* Levels of less than `least` rows per rank are on fewer ranks than the level before, where there are more; and only there. */
static void check_places(const hp_amg_ranks *H, int64_t least) {
  const int size = hp_ranks_size(H->K), rank = hp_ranks_rank(H->K);
  for (int l = 1; l < H->parted; ++l) {
    const hp_amg_part *p = &H->part[l];
    const int before = p[-1].every;
    CHECK(p->every % before == 0 && p->every <= 8 * before && (rank % p->every == 0 || p->nowned == 0));
    CHECK((p->every > before) == (before < size && p->rows < least * hp_parts(size, before)));
    CHECK(p->every >= size || p->every == 8 * before || p->rows >= least * hp_parts(size, p->every));
  }
}

/* Other numbers in the same pattern, near the old ones. */
static void change_values(hp_csr *A, const int32_t *row, const hp_csr *whole) {
  for (int32_t m = 0; m < A->nrow; ++m)
    for (int32_t k = 0; k < hp_csr_length(A, m); ++k) {
      uint64_t s = (uint64_t)(row != NULL ? whole->begin[row[m]] + k : A->begin[m] + k);
      A->value[A->begin[m] + k] *= 1.0 + 0.1 * matrix_random(&s);
    }
}

/* hp_amg_ranks_refresh in the pieces that a GPU has between its own. */
static void refresh_in_pieces(hp_team *t, hp_amg_ranks *H) {
  for (int l = 0; l < H->parted && l + 1 < H->H->nlevel; ++l) hp_amg_ranks_refresh_product(t, H, l);
  hp_amg_ranks_refresh_whole(t, H);
  hp_amg_numbers_of(t, H->H, 0, H->parted < H->H->nlevel ? H->parted : H->H->nlevel);
}

static void check_partition(hp_ranks *K, hp_amg *one, hp_csr *A, int32_t nwell, int partition, int64_t whole,
                            int64_t least, uint64_t seed) {
  hp_amg_alone alone;
  hp_amg_ranks *H = NULL;
  amg_part p;
  CHECK_OK(hp_amg_alone_begin(&alone, 0));
  amg_extract_part(K, A, nwell, partition, seed, &p);
  CHECK_OK(hp_amg_build(one, A, nwell));
  CHECK_OK(hp_amg_ranks_create(K, &one->opt, &H));
  hp_amg_ranks_set_whole(H, whole);
  hp_amg_ranks_set_least(H, least);
  CHECK_OK(hp_amg_ranks_build(H, &p.rows));
  CHECK(hp_amg_ranks_bytes(H) > 0 || p.A->nrow == 0);
  check_places(H, least);
  check_levels(H, one);
  CHECK(differing_entries(H, one, &alone.t, &p, seed) == 0);
  hp_csr *old = NULL; /* A's values are the caller's */
  CHECK_OK(hp_csr_create(A->nrow, A->ncol, hp_csr_count(A), &old));
  memcpy(old->value, A->value, (size_t)hp_csr_count(A) * sizeof *A->value);
  change_values(p.A, p.row, A);
  change_values(A, NULL, A);
  hp_amg_refresh(&alone.t, one);
  if (partition % 2 == 0) hp_amg_ranks_refresh(H);
  else refresh_in_pieces(&alone.t, H);
  check_levels(H, one);
  CHECK(differing_entries(H, one, &alone.t, &p, seed + 1) == 0);
  memcpy(A->value, old->value, (size_t)hp_csr_count(A) * sizeof *A->value);
  hp_csr_destroy(&old);
  hp_amg_ranks_destroy(&H);
  amg_free_part(&p);
  hp_amg_alone_end(&alone);
}

static void check_matrix(hp_ranks *K, hp_csr *A, int32_t nwell, const hp_amg_options *opt, uint64_t seed) {
  static const int64_t whole[] = {0, 150, 4000}, least[] = {1000000, 0, HP_AMG_RANKS_LEAST, 120};
  hp_amg *one = NULL;
  CHECK_OK(hp_amg_create(opt, &one));
  for (int partition = 0; partition < AMG_PARTITIONS; ++partition)
    check_partition(K, one, A, nwell, partition, whole[(uint64_t)partition % 3],
                    least[(seed + (uint64_t)partition) % 4], seed + (uint64_t)partition);
  check_partition(K, one, A, nwell, AMG_AT_RANDOM, 0, 0, seed + 99);
  check_partition(K, one, A, nwell, AMG_BY_BLOCKS, 0, 120, seed + 99);
  hp_amg_destroy(&one);
}

static hp_amg_options options_of(int n) {
  hp_amg_options opt = hp_amg_default_options();
  static const hp_amg_smoother smoothers[] = {HP_AMG_DAMPED_JACOBI, HP_AMG_L1_JACOBI, HP_AMG_JACOBI, HP_AMG_SPAI0};
  opt.smoother = smoothers[n % 4];
  opt.damping = 0.8;
  opt.interpolation = n < 4 ? HP_AMG_EXTENDED : (hp_amg_interpolation)(n % HP_AMG_INTERPOLATION_COUNT);
  opt.precision = n % 3 == 1 ? HP_PRECISION_DOUBLE : HP_PRECISION_SINGLE;
  opt.slice = n % 2 == 0 ? 8 : 1;
  opt.format = n % 5 == 4 ? HP_AMG_FORMAT_HEC : HP_AMG_FORMAT_AUTO;
  opt.cycle = (hp_amg_cycle_kind)(n % 3);
  opt.pre = n % 4 == 3 ? 0 : 1 + n % 2;
  opt.post = 1 + n % 3;
  opt.truncation = n % 4 == 2 ? 0.1 : 0.0;
  opt.max_weights = n % 5 == 3 ? 0 : 4;
  opt.max_levels = n % 6 == 5 ? 3 : HP_AMG_LEVELS_MAX;
  opt.coarsest = n % 4 == 1 ? 5 : 64;
  return opt;
}

static void check_reservoirs(hp_ranks *K) {
  static const amg_reservoir reservoirs[] = {
      {.nx = 13, .ny = 12, .nz = 7, .decades = 4.0, .vertical = 0.1, .storage = 1e-3, .nwell = 4, .seed = 1},
      {.nx = 12,
       .ny = 11,
       .nz = 7,
       .decades = 2.0,
       .vertical = 30.0,
       .inactive = 6,
       .wall = true,
       .nwell = 3,
       .seed = 2},
      {.nx = 30, .ny = 40, .nz = 1, .decades = 0.0, .vertical = 1.0, .storage = 0.01, .seed = 3},
      {.nx = 2, .ny = 2, .nz = 1, .decades = 1.0, .vertical = 1.0, .storage = 1.0, .nwell = 1, .seed = 4}};
  for (int n = 0; n < 8; ++n) {
    const amg_reservoir *r = &reservoirs[n % 4];
    const hp_amg_options opt = options_of(n / 4 == 0 ? n : 3 * n + 1);
    hp_csr *A = NULL;
    CHECK_OK(amg_reservoir_csr(r, &A));
    check_matrix(K, A, r->nwell, &opt, 10 * (uint64_t)n + 1);
    hp_csr_destroy(&A);
  }
}

/* Patterns that are not symmetric, with connections between any two points. */
static void check_random(hp_ranks *K) {
  for (int n = 0; n < 4; ++n) {
    const hp_amg_options opt = options_of(n + 7);
    hp_csr *A = NULL;
    CHECK_OK(amg_random_csr(300 + 7 * n, 300 + 7 * n, n < 2 ? 0.02 : 0.1, (uint64_t)n + 5, &A));
    for (int32_t i = 0; i < A->nrow; ++i)
      for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
        if (A->column[k] == i) A->value[k] = 3.0 + fabs(A->value[k]);
    check_matrix(K, A, n % 2 == 0 ? 0 : 5, &opt, 1000 + 10 * (uint64_t)n);
    hp_csr_destroy(&A);
  }
}

/* Whether a message goes from one rank to another in exchange n, from 1, of a cycle. */
static bool has_messages(const hp_amg_ranks *H, int n) {
  int64_t sent = hp_ranks_size(H->K) > 1;
  for (int k = 0; k < H->H->passes; ++k) {
    if (H->step[k].exchange != NULL && --n == 0) sent = hp_exchange_sent(H->step[k].exchange);
    if (H->step[k].gather) --n;
  }
  hp_ranks_sum(H->K, &sent, 1);
  return sent > 0;
}

/* cpr's options, levels over ranks below the first, and every exchange of a cycle left out once: some rank sees it. least: rows
 * per rank. */
static void check_skipped(hp_ranks *K, int64_t least) {
  const amg_reservoir r = {.nx = 20, .ny = 20, .nz = 14, .decades = 2.0, .vertical = 1.0, .storage = 1e-3, .seed = 9};
  hp_amg_options opt = options_of(0);
  hp_amg_alone alone;
  hp_amg *one = NULL;
  hp_amg_ranks *H = NULL;
  hp_csr *A = NULL;
  amg_part p;
  opt.cycle = HP_AMG_V;
  opt.pre = opt.post = 1;
  CHECK_OK(hp_amg_alone_begin(&alone, 0));
  CHECK_OK(amg_reservoir_csr(&r, &A));
  amg_extract_part(K, A, r.nwell, AMG_BY_COLUMNS, 3, &p);
  CHECK_OK(hp_amg_create(&opt, &one));
  CHECK_OK(hp_amg_build(one, A, r.nwell));
  CHECK_OK(hp_amg_ranks_create(K, &opt, &H));
  hp_amg_ranks_set_whole(H, 500);
  hp_amg_ranks_set_least(H, least);
  CHECK_OK(hp_amg_ranks_build(H, &p.rows));
  check_places(H, least);
  CHECK(H->parted >= 2 && hp_amg_ranks_exchanges(H) == 4 * H->parted);
  for (int n = 0; n <= hp_amg_ranks_exchanges(H); ++n) {
    hp_amg_ranks_skip(H, n);
    int64_t wrong = differing_entries(H, one, &alone.t, &p, 77 + (uint64_t)n);
    hp_ranks_sum(K, &wrong, 1);
    CHECK((wrong > 0) == (n > 0 && has_messages(H, n)));
  }
  hp_amg_ranks_destroy(&H);
  hp_amg_destroy(&one);
  amg_free_part(&p);
  hp_csr_destroy(&A);
  hp_amg_alone_end(&alone);
}

typedef struct {
  hp_amg_ranks *H;
  const hp_amg_ranks_rows *rows;
  const double *r;
  double *x;
  hp_status status;
} team_args;

static void build_and_cycle(hp_team *t, void *arg) {
  team_args *a = arg;
  const hp_status s = hp_amg_ranks_build_by(t, a->H, a->rows);
  if (t->rank == 0) a->status = s;
  if (s != HP_OK) return;
  hp_amg_ranks_refresh_by(t, a->H);
  hp_amg_ranks_cycle_by(t, a->H, a->r, a->x);
}

static void check_team(hp_ranks *K, const hp_amg *one, int members, const amg_part *p) {
  const int64_t least = members == 2 ? 0 : 400;
  const hp_team_options rotated = {.rotate = 7};
  const int32_t n = p->A->nrow;
  hp_amg_alone alone;
  hp_amg_ranks *H = NULL;
  hp_team_hub *hub = NULL;
  double *b = NULL, *x = NULL, *z = NULL;
  CHECK_OK(HP_ALLOC(b, n + 1));
  CHECK_OK(HP_ALLOC(x, n + 1));
  CHECK_OK(HP_ALLOC(z, n + 1));
  for (int32_t i = 0; i < n; ++i) b[i] = sin(p->row[i]);
  CHECK_OK(hp_amg_alone_begin(&alone, 0));
  CHECK_OK(hp_amg_ranks_create(K, &one->opt, &H));
  hp_amg_ranks_set_whole(H, 100);
  hp_amg_ranks_set_least(H, least);
  CHECK_OK(hp_team_hub_create(members, &rotated, &hub));
  team_args args = {H, &p->rows, b, x, HP_OK};
  CHECK_OK(hp_team_run(hub, build_and_cycle, &args));
  CHECK(args.status == HP_OK && H->parted >= 2);
  check_levels(H, one);
  CHECK(differing_entries(H, one, &alone.t, p, 3) == 0);
  hp_amg_ranks_cycle(H, b, z);
  CHECK(memcmp(x, z, ((size_t)n + 1) * sizeof *x) == 0);
  hp_team_hub_destroy(&hub);
  hp_amg_ranks_destroy(&H);
  hp_amg_alone_end(&alone);
  HP_FREE(b);
  HP_FREE(x);
  HP_FREE(z);
}

/* A team of threads in each rank. */
static void check_teams(hp_ranks *K) {
  const amg_reservoir r = {
      .nx = 18, .ny = 17, .nz = 9, .decades = 2.0, .vertical = 1.0, .storage = 1e-3, .nwell = 2, .seed = 5};
  const hp_amg_options opt = options_of(0);
  hp_amg *one = NULL;
  hp_csr *A = NULL;
  amg_part p;
  CHECK_OK(amg_reservoir_csr(&r, &A));
  CHECK_OK(hp_amg_create(&opt, &one));
  CHECK_OK(hp_amg_build(one, A, r.nwell));
  amg_extract_part(K, A, r.nwell, AMG_BY_COLUMNS, 8, &p);
  for (int members = 2; members <= 3; ++members) check_team(K, one, members, &p);
  hp_amg_destroy(&one);
  amg_free_part(&p);
  hp_csr_destroy(&A);
}

static void check_refusals(hp_ranks *K) {
  hp_amg_options opt = hp_amg_default_options();
  hp_amg_ranks *H = NULL;
  CHECK(strstr(hp_amg_refusal(&opt, HP_SOLVER_RANKS), "smoothers") != NULL);
  CHECK(hp_amg_ranks_create(K, &opt, &H) == HP_ERR_USAGE && H == NULL && strstr(hp_fail_text(), "smoothers") != NULL);
  opt = options_of(0);
  CHECK(hp_amg_refusal(&opt, HP_SOLVER_RANKS) == NULL);
  opt.coarsening = HP_AMG_HMIS;
  CHECK(strstr(hp_amg_refusal(&opt, HP_SOLVER_RANKS), "pmis") != NULL);
  opt = options_of(0);
  opt.pre = -1;
  CHECK(hp_amg_ranks_create(K, &opt, &H) == HP_ERR_USAGE && H == NULL);
  /* rows that make no sense on one rank fail on all */
  const amg_reservoir r = {.nx = 4, .ny = 4, .nz = 4, .vertical = 1.0, .storage = 1.0, .seed = 1};
  hp_csr *A = NULL;
  amg_part p;
  opt = options_of(0);
  CHECK_OK(amg_reservoir_csr(&r, &A));
  amg_extract_part(K, A, 0, AMG_BY_BLOCKS, 1, &p);
  if (hp_ranks_rank(K) == 0) p.number[1] = p.number[0];
  CHECK_OK(hp_amg_ranks_create(K, &opt, &H));
  CHECK(hp_amg_ranks_build(H, &p.rows) == HP_ERR_INTERNAL && strstr(hp_fail_text(), "does not rise") != NULL);
  CHECK(hp_amg_ranks_levels(H) == 0 && hp_amg_ranks_bytes(H) == 0);
  hp_amg_ranks_destroy(&H);
  amg_free_part(&p);
  hp_csr_destroy(&A);
}

int main(void) {
  if (hp_ranks_refusal() != NULL) return CHECK_SKIPPED;
  hp_ranks *K = NULL;
  CHECK_OK(hp_ranks_open(&K));
  check_reservoirs(K);
  check_random(K);
  check_skipped(K, 0);
  check_skipped(K, 700);
  check_teams(K);
  check_refusals(K);
  int64_t failures = check_failures;
  hp_ranks_sum(K, &failures, 1);
  hp_ranks_close(&K);
  return failures > 0 ? 1 : check_result();
}
