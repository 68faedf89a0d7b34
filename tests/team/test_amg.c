/* A hierarchy refreshed and its cycles by 1, 2, 3 and 8 members whose ownership rotates: the same bits, for every
 * smoother, in double and float, and for rows in slices of any size, as HEC and as csr; a refresh gives the numbers that building the
 * levels' products anew gives; level 0 as a GH matrix gives the same numbers but for rounding. */
#include <string.h>

#include "amg/amg.h"
#include "amg/cycle/numbers.inl.h"
#include "amg/cycle/program.h"
#include "core/memory.h"
#include "tests/support/amg_matrices.h"
#include "tests/support/check.h"

enum { NX = 12, NY = 11, NZ = 9, NWELL = 4, N = NX * NY * NZ + NWELL };

static const amg_reservoir reservoir = {.nx = NX,
                                        .ny = NY,
                                        .nz = NZ,
                                        .decades = 4.0,
                                        .vertical = 0.1,
                                        .storage = 1e-3,
                                        .inactive = 9,
                                        .nwell = NWELL,
                                        .seed = 3};

typedef struct {
  const hp_amg *H;
  const double *b;
  double *x;
} job;

static void run(hp_team *t, void *arg) {
  const job *j = arg;
  hp_amg_refresh(t, j->H);
  hp_amg_cycle(t, j->H, j->b, j->x);
}

/* The same matrix as GH, with the wells' perforations where the border has entries. */
static hp_status make_gh(const hp_csr *A, hp_gh **out) {
  int64_t begin[NWELL + 1] = {0}, cell[NWELL * NZ], slot[NWELL * NZ];
  HP_TRY(hp_gh_create(NX, NY, NZ, 1, out));
  hp_gh *G = *out;
  for (int w = 0; w < NWELL; ++w) {
    for (int k = 0; k < NZ; ++k) cell[w * NZ + k] = amg_well_column(&reservoir, w) * NZ + k;
    begin[w + 1] = begin[w] + NZ;
  }
  HP_TRY(hp_gh_set_wells(G, NWELL, begin, cell, slot));
  for (int32_t i = 0; i < A->nrow; ++i)
    for (int64_t e = A->begin[i]; e < A->begin[i + 1]; ++e) {
      const int32_t j = A->column[e];
      const double v = A->value[e];
      if (i >= G->ncell && j >= G->ncell) G->wells.dd[i - G->ncell] = v;
      for (int p = 0; p < NWELL * NZ; ++p) {
        if (i == G->ncell + p / NZ && j == cell[p]) G->wells.w[slot[p]] = v;
        if (j == G->ncell + p / NZ && i == cell[p]) G->wells.wt[slot[p]] = v;
      }
      for (int u = -3; u <= 3 && i < G->ncell; ++u)
        if (i + hp_gh_offset(G, u) == j) *hp_gh_entry(G, i, u, 0, 0) = v;
    }
  return HP_OK;
}

static void change_numbers(hp_csr *A, uint64_t seed) {
  for (int32_t i = 0; i < A->nrow; ++i)
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
      A->value[k] *= (A->column[k] == i ? 1.3 : 1.0) * (1.0 + 0.2 * matrix_random(&seed));
}

static void check_products(const hp_amg *H) {
  for (int l = 0; l + 1 < H->nlevel; ++l) {
    hp_csr *AP, *C;
    const hp_amg_level *L = &H->level[l];
    CHECK_OK(hp_csr_galerkin(L->R, L->A, L->P, &AP, &C));
    const size_t bytes = (size_t)hp_csr_count(C) * sizeof *C->value;
    CHECK(hp_csr_count(C) == hp_csr_count(H->level[l + 1].A) && memcmp(C->value, H->level[l + 1].A->value, bytes) == 0);
    hp_csr_destroy(&AP);
    hp_csr_destroy(&C);
  }
}

/* x [N] with the matrix that was built, then [N] with other numbers in its pattern; gh: level 0 is one. */
static void outcome(hp_team_hub *hub, const hp_amg_options *opt, bool gh, double *x) {
  static double b[N];
  hp_csr *A;
  hp_gh *G = NULL, *changed;
  hp_amg *H;
  uint64_t seed = 5;
  CHECK_OK(amg_reservoir_csr(&reservoir, &A));
  CHECK_OK(make_gh(A, &G));
  CHECK_OK(hp_amg_create(opt, &H));
  if (gh) hp_amg_set_gh(H, G);
  CHECK_OK(hp_amg_build(H, A, NWELL));
  CHECK((H->nlevel > 2) == (opt->max_levels > 1) && (H->inverse == NULL) == (H->nlevel == 1) && A->nrow == N);
  for (int32_t i = 0; i < N; ++i) b[i] = matrix_random(&seed);
  job j = {H, b, x};
  CHECK_OK(hp_team_run(hub, run, &j));
  change_numbers(A, 7);
  CHECK_OK(make_gh(A, &changed));
  memcpy(G->h, changed->h, HP_GH_DIAGS * N * sizeof *G->h - HP_GH_DIAGS * NWELL * sizeof *G->h);
  memcpy(G->wells.w, changed->wells.w, (size_t)G->wells.nperf * sizeof *G->h);
  memcpy(G->wells.wt, changed->wells.wt, (size_t)G->wells.nperf * sizeof *G->h);
  memcpy(G->wells.dd, changed->wells.dd, NWELL * sizeof *G->h);
  j.x = x + N;
  CHECK_OK(hp_team_run(hub, run, &j));
  check_products(H);
  hp_amg_destroy(&H);
  hp_gh_destroy(&G);
  hp_gh_destroy(&changed);
  hp_csr_destroy(&A);
}

/* The larger of the two halves' largest differences, relative to the largest number of the half. */
static double difference(const double *a, const double *b) {
  double worst = 0.0;
  for (int half = 0; half < 2; ++half) {
    double most = 0.0, differ = 0.0;
    for (int i = half * N; i < (half + 1) * N; ++i) {
      most = fmax(most, fabs(a[i]));
      differ = fmax(differ, fabs(a[i] - b[i]));
    }
    worst = fmax(worst, differ / most);
  }
  return worst;
}

static const struct {
  hp_amg_format_kind format;
  int slice;
} storage[] = {{HP_AMG_FORMAT_AUTO, 1},   {HP_AMG_FORMAT_AUTO, 8}, /* which has a text of its own */
               {HP_AMG_FORMAT_AUTO, 16},  {HP_AMG_FORMAT_HEC, 1},    {HP_AMG_FORMAT_CSR, 8},
               {HP_AMG_FORMAT_SLICED, 1}, {HP_AMG_FORMAT_SLICED, 4}, {HP_AMG_FORMAT_HEC, 8}};

/* Of the ways of storage one under a sanitizer, another for each variant. */
static void check(hp_team_hub **hub, const int *sizes, int count, const hp_amg_options *opt, int variant) {
  static double one[2 * N], other[2 * N];
  outcome(hub[0], opt, false, one);
  for (int n = variant % check_every(8); n < (int)(sizeof storage / sizeof *storage); n += check_every(8)) {
    hp_amg_options o = *opt;
    const int h = 1 + n % (count - 1);
    o.format = storage[n].format;
    o.slice = storage[n].slice;
    outcome(hub[h], &o, false, other);
    const bool same = memcmp(one, other, sizeof one) == 0;
    if (!same)
      fprintf(stderr, "%s, %d members, %s, slices of %d\n", hp_amg_smoother_name(opt->smoother), sizes[h],
              hp_amg_format_name(o.format), o.slice);
    CHECK(same);
  }
  CHECK(memcmp(one, one + N, N * sizeof *one) != 0);
  outcome(hub[2], opt, true, other);
  const double d = difference(one, other), most = opt->precision == HP_PRECISION_SINGLE ? 1e-2 : 1e-8;
  if (!(d <= most)) fprintf(stderr, "%s, GH: %g\n", hp_amg_smoother_name(opt->smoother), d);
  CHECK(d <= most);
}

typedef struct {
  job j;
  int64_t barriers;
} counted;

static void count_cycle(hp_team *t, void *arg) {
  counted *c = arg;
  const int64_t before = t->barriers;
  hp_amg_cycle(t, c->j.H, c->j.b, c->j.x);
  if (t->rank == 0) c->barriers = t->barriers - before;
}

/* Five a level with a diagonal smoother, one for the last level, also where the first of several GPUs works on some alone. */
static void check_barriers(hp_team_hub *hub, int one_gpu_rows) {
  static double b[N], x[N];
  hp_amg_options opt = hp_amg_default_options();
  hp_csr *A;
  hp_amg *H;
  opt.smoother = HP_AMG_DAMPED_JACOBI;
  opt.one_gpu_rows = one_gpu_rows;
  CHECK_OK(amg_reservoir_csr(&reservoir, &A));
  CHECK_OK(hp_amg_create(&opt, &H));
  CHECK_OK(hp_amg_build(H, A, NWELL));
  counted c = {{H, b, x}, 0};
  CHECK_OK(hp_team_run(hub, count_cycle, &c));
  CHECK(c.barriers == 5 * (H->nlevel - 1) + 1);
  hp_amg_destroy(&H);
  hp_csr_destroy(&A);
}

int main(void) {
  enum { COUNT = 4 };
  static const int sizes[COUNT] = {1, 2, 3, 8};
  hp_team_hub *hub[COUNT];
  for (int h = 0; h < COUNT; ++h) {
    const hp_team_options team = {.time_limit = 60.0, .rotate = (uint32_t)(h + 1), .gpus = h > 1 ? h : 0};
    CHECK_OK(hp_team_hub_create(sizes[h], &team, &hub[h]));
  }
  for (int variant = 0; variant < 2 * HP_AMG_SMOOTHER_COUNT; ++variant) {
    hp_amg_options opt = hp_amg_default_options();
    opt.smoother = (hp_amg_smoother)(variant / 2);
    opt.precision = variant % 2 == 0 ? HP_PRECISION_DOUBLE : HP_PRECISION_SINGLE;
    opt.cycle = variant % 3 == 0 ? HP_AMG_V : variant % 3 == 1 ? HP_AMG_F : HP_AMG_W;
    opt.pre = variant / 2 % 3;
    opt.post = 1 + variant % 2;
    opt.order = 3;
    opt.domain = 100;
    opt.one_gpu_rows = variant % 4 == 0 ? -1 : N * (variant % 4 - 1) / 4; /* all levels, none, and some */
    if (variant % 5 == 4) opt.max_levels = 1;                             /* too large for an inverse: sweeps */
    check(hub, sizes, COUNT, &opt, variant / 2);
  }
  for (int h = 1; h < COUNT; ++h)
    for (int rows = -1; rows <= N; rows = 3 * rows + 4) check_barriers(hub[h], rows);
  for (int h = 0; h < COUNT; ++h) hp_team_hub_destroy(&hub[h]);
  return check_result();
}
