/* Every smoother against x + M^-1 (b - A x) with M written out densely from its definition, on small matrices
 * without symmetry; in double and float, by rows in slices of 1 and 4 and as HEC; and the energy norm of an error that
 * it reduces. */
#include <string.h>

#include "amg/amg.h"
#include "amg/cycle/numbers.inl.h"
#include "amg/cycle/program.h"
#include "core/memory.h"
#include "tests/support/amg_matrices.h"
#include "tests/support/amg_sweeps.h"
#include "tests/support/check.h"
#include "tests/support/dense.h"

enum { N = 53, BLOCK = 3, DOMAIN = 13, DOMAINS = 4, ORDER = 3 };

typedef double matrix[N][N];

static void to_dense(const hp_csr *A, matrix a) {
  memset(a, 0, sizeof(matrix));
  for (int32_t i = 0; i < A->nrow; ++i)
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) a[i][A->column[k]] = A->value[k];
}

static int domain_begin(int c) { return N * c / DOMAINS; }

static int domain_of(int i) {
  int c = 0;
  while (i >= domain_begin(c + 1)) ++c;
  return c;
}

static bool touch(matrix a, int i, int j) { return a[i][j] != 0.0 || a[j][i] != 0.0; }

/* Greedy colours in the order of rows. */
static void find_colours(matrix a, int *colour) {
  for (int i = 0; i < N; ++i)
    for (bool taken = true, first = true; taken; first = false) {
      colour[i] = first ? 0 : colour[i] + 1;
      taken = false;
      for (int j = 0; j < i; ++j) taken = taken || (touch(a, i, j) && colour[j] == colour[i]);
    }
}

/* Before which rows, their own included, M knows the new values. */
static bool is_new(hp_amg_smoother s, const int *colour, bool forward, int i, int j) {
  const int bi = i / BLOCK, bj = j / BLOCK;
  if (i == j) return true;
  switch (s) {
    case HP_AMG_BLOCK_JACOBI: return bi == bj;
    case HP_AMG_BLOCK_GAUSS_SEIDEL: return bi == bj || (forward ? bj < bi : bj > bi);
    case HP_AMG_COLOURED: return forward ? colour[j] < colour[i] : colour[j] > colour[i];
    case HP_AMG_HYBRID: return domain_of(i) == domain_of(j) && (forward ? j < i : j > i);
    case HP_AMG_GAUSS_SEIDEL:
    case HP_AMG_LEVEL_SCHEDULED: return forward ? j < i : j > i;
    default: return false;
  }
}

static double own_entry(hp_amg_smoother s, matrix a, int i) {
  double sum = 0.0, squares = 0.0, outside = 0.0;
  for (int j = 0; j < N; ++j) {
    sum += fabs(a[i][j]);
    squares += a[i][j] * a[i][j];
    if (domain_of(i) != domain_of(j)) outside += fabs(a[i][j]);
  }
  if (s == HP_AMG_DAMPED_JACOBI) return a[i][i] * 1.5;
  if (s == HP_AMG_L1_JACOBI) return copysign(sum, a[i][i]);
  if (s == HP_AMG_SPAI0) return squares / a[i][i];
  if (s == HP_AMG_HYBRID && outside / 2.0 > fabs(a[i][i]) / 3.0) return a[i][i] + copysign(outside / 2.0, a[i][i]);
  return a[i][i];
}

/* Smoothers whose M has entries of A. */
static void by_splitting(hp_amg_smoother s, matrix a, bool forward, double *r) {
  matrix m;
  int colour[N];
  if (s == HP_AMG_COLOURED) find_colours(a, colour);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      m[i][j] = i == j ? own_entry(s, a, i) : a[i][j] != 0.0 && is_new(s, colour, forward, i, j) ? a[i][j] : 0.0;
  dense_solve(N, &m[0][0], r);
  for (int i = 0; i < N && s == HP_AMG_BLOCK_JACOBI; ++i) r[i] /= 1.5;
}

/* Row i of the approximate inverse from the normal equations. */
static double spai_row(matrix a, int i, const double *r) {
  double g[N], G[N * N], sum = 0.0;
  int J[N], count = 0;
  for (int j = 0; j < N; ++j)
    if (a[i][j] != 0.0) J[count++] = j;
  CHECK(count <= HP_AMG_SPAI_MAX);
  for (int p = 0; p < count; ++p) {
    g[p] = a[J[p]][i];
    for (int q = 0; q < count; ++q) {
      G[p * count + q] = 0.0;
      for (int c = 0; c < N; ++c)
        if (a[J[p]][c] != 0.0) G[p * count + q] += a[J[p]][c] * a[J[q]][c];
    }
  }
  dense_solve(count, G, g);
  for (int p = 0; p < count; ++p) sum += g[p] * r[J[p]];
  return sum;
}

/* ILU(0) of rows and columns `in`, and its solution for r. */
static void ilu_solve(matrix a, const bool *in, const double *r, double *z) {
  matrix f;
  memcpy(f, a, sizeof f);
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < i; ++k) {
      if (!in[i] || !in[k] || a[i][k] == 0.0) continue;
      f[i][k] /= f[k][k];
      for (int j = k + 1; j < N; ++j)
        if (in[j] && a[i][j] != 0.0) f[i][j] -= f[i][k] * f[k][j];
    }
  for (int i = 0; i < N; ++i) {
    z[i] = in[i] ? r[i] : 0.0;
    for (int k = 0; k < i && in[i]; ++k) z[i] -= in[k] && a[i][k] != 0.0 ? f[i][k] * z[k] : 0.0;
  }
  for (int i = N - 1; i >= 0; --i) {
    for (int k = i + 1; k < N && in[i]; ++k) z[i] -= in[k] && a[i][k] != 0.0 ? f[i][k] * z[k] : 0.0;
    if (in[i]) z[i] /= f[i][i];
  }
}

static void by_domains(matrix a, double *r) {
  double z[N], all[N];
  for (int c = 0; c < DOMAINS; ++c) {
    bool in[N] = {false};
    for (int i = domain_begin(c); i < domain_begin(c + 1); ++i)
      for (int j = 0; j < N; ++j) in[j] = in[j] || i == j || a[i][j] != 0.0;
    ilu_solve(a, in, r, z);
    for (int i = domain_begin(c); i < domain_begin(c + 1); ++i) all[i] = z[i];
  }
  memcpy(r, all, sizeof all);
}

/* T_k of (theta - D^-1 A) / delta, on the error. */
static void by_polynomial(matrix a, double end, const double *b, double *x) {
  const double theta = 0.65 * end, delta = 0.35 * end;
  double exact[N], last[N], now[N], next[N], t[ORDER + 1] = {1.0, theta / delta};
  matrix m;
  memcpy(m, a, sizeof m);
  memcpy(exact, b, sizeof exact);
  dense_solve(N, &m[0][0], exact);
  for (int i = 0; i < N; ++i) now[i] = x[i] - exact[i];
  for (int k = 0; k < ORDER; ++k) {
    for (int i = 0; i < N; ++i) {
      double z = theta * now[i];
      for (int j = 0; j < N; ++j) z -= a[i][j] / a[i][i] * now[j];
      next[i] = k == 0 ? z / delta : 2.0 * z / delta - last[i];
    }
    if (k > 0) t[k + 1] = 2.0 * theta / delta * t[k] - t[k - 1];
    memcpy(last, now, sizeof last);
    memcpy(now, next, sizeof now);
  }
  for (int i = 0; i < N; ++i) x[i] = exact[i] + now[i] / t[ORDER];
}

/* x after one sweep. */
static void expect(const hp_amg *H, matrix a, bool forward, const double *b, double *x) {
  const hp_amg_smoother s = H->opt.smoother;
  double r[N], m[N];
  if (s == HP_AMG_CHEBYSHEV) {
    by_polynomial(a, *H->level[0].smooth.eigenvalue, b, x);
    return;
  }
  for (int i = 0; i < N; ++i) {
    r[i] = b[i];
    for (int j = 0; j < N; ++j) r[i] -= a[i][j] * x[j];
  }
  if (s == HP_AMG_SCHWARZ) by_domains(a, r);
  else if (s != HP_AMG_SPAI1) by_splitting(s, a, forward, r);
  for (int i = 0; i < N; ++i) m[i] = s == HP_AMG_SPAI1 ? spai_row(a, i, r) : r[i];
  for (int i = 0; i < N; ++i) x[i] += m[i];
}

/* ---- the sweep itself ---- */

typedef struct {
  const hp_amg *H;
  bool forward, zero;
  int sweeps;
  const double *b; /* [rows] */
  double *x;
} job;

static void sweep_double(hp_team *t, const job *j) {
  const hp_amg_level *L = &j->H->level[0];
  hp_amg_iterate v = {j->x, L->z, j->zero ? HP_AMG_ZERO : HP_AMG_STORED, HP_AMG_ZERO};
  amg_sweeps(t, j->H, j->sweeps, j->forward, j->b, &v);
  CHECK(v.state == HP_AMG_STORED);
  for (int64_t i = 0; i < L->nrow; ++i) j->x[i] = ((const double *)v.x)[i];
}

static void sweep_float(hp_team *t, const job *j) {
  const hp_amg_level *L = &j->H->level[0];
  hp_amg_iterate v = {L->x, L->z, j->zero ? HP_AMG_ZERO : HP_AMG_STORED, HP_AMG_ZERO};
  float *b = (float *)L->b, *x = (float *)L->x;
  for (int64_t i = 0; i < L->nrow; ++i) {
    b[i] = (float)j->b[i];
    x[i] = (float)j->x[i];
  }
  amg_sweeps(t, j->H, j->sweeps, j->forward, b, &v);
  CHECK(v.state == HP_AMG_STORED);
  for (int64_t i = 0; i < L->nrow; ++i) j->x[i] = ((const float *)v.x)[i];
}

static void run(hp_team *t, void *arg) {
  const job *j = arg;
  if (j->H->opt.precision == HP_PRECISION_SINGLE) sweep_float(t, j);
  else sweep_double(t, j);
}

static hp_amg_options options_of(int smoother, int variant) {
  hp_amg_options opt = hp_amg_default_options();
  opt.smoother = (hp_amg_smoother)smoother;
  opt.max_levels = 1;
  opt.block = BLOCK;
  opt.domain = DOMAIN;
  opt.order = ORDER;
  opt.precision = variant % 2 == 0 ? HP_PRECISION_DOUBLE : HP_PRECISION_SINGLE;
  opt.slice = variant / 2 == 1 ? 4 : 1;
  if (variant / 2 == 2) opt.format = HP_AMG_FORMAT_HEC;
  return opt;
}

/* About 8 entries a row, the diagonal heavy, some of it negative. */
static hp_status make_matrix(uint64_t seed, hp_csr **out) {
  HP_TRY(amg_random_csr(N, N, 0.12, seed, out));
  hp_csr *A = *out;
  for (int32_t i = 0; i < N; ++i)
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
      if (A->column[k] == i) A->value[k] = (i % 7 == 3 ? -1.0 : 1.0) * (3.5 + A->value[k]);
  return HP_OK;
}

static void check_sweeps(hp_team_hub *hub, const hp_amg *H, matrix a, uint64_t seed) {
  for (int kind = 0; kind < 8; ++kind) {
    double b[N], x[N], e[N];
    const job j = {H, kind % 2 == 0, kind / 2 % 2 != 0, 1 + kind / 4, b, x};
    for (int i = 0; i < N; ++i) {
      b[i] = matrix_random(&seed);
      x[i] = matrix_random(&seed);
      e[i] = j.zero ? 0.0 : x[i];
    }
    for (int k = 0; k < j.sweeps; ++k) expect(H, a, j.forward, b, e);
    CHECK_OK(hp_team_run(hub, run, (void *)&j));
    double worst = 0.0;
    for (int i = 0; i < N; ++i) worst = fmax(worst, fabs(x[i] - e[i]));
    const double most = H->opt.precision == HP_PRECISION_SINGLE ? 1e-4 : 1e-11;
    if (!(worst <= most)) fprintf(stderr, "%s, way %d: %g\n", hp_amg_smoother_name(H->opt.smoother), kind, worst);
    CHECK(worst <= most);
  }
}

static void check_definitions(hp_team_hub *hub) {
  for (int smoother = 0; smoother < HP_AMG_SMOOTHER_COUNT; ++smoother)
    for (int variant = 0; variant < 6; ++variant)
      for (uint64_t seed = 1; seed <= 3; ++seed) {
        static matrix a;
        const hp_amg_options opt = options_of(smoother, variant);
        hp_csr *A;
        hp_amg *H;
        CHECK_OK(make_matrix(seed, &A));
        CHECK_OK(hp_amg_create(&opt, &H));
        CHECK_OK(hp_amg_build(H, A, 0));
        CHECK(hp_amg_domains(&opt, N) == DOMAINS && hp_amg_bytes(H) > 0);
        to_dense(A, a);
        check_sweeps(hub, H, a, seed);
        hp_amg_destroy(&H);
        hp_csr_destroy(&A);
      }
}

/* ---- energy ---- */

static double energy(const hp_csr *A, const double *e) {
  double sum = 0.0;
  for (int32_t i = 0; i < A->nrow; ++i) sum += e[i] * hp_csr_dot(A, i, e);
  return sqrt(sum);
}

/* b = 0: x is the error. */
static void check_energy(hp_team_hub *hub, int smoother, const amg_reservoir *r) {
  hp_amg_options opt = options_of(smoother, 0);
  double *x = NULL, *b = NULL;
  hp_csr *A;
  hp_amg *H;
  uint64_t seed = 9;
  CHECK_OK(amg_reservoir_csr(r, &A));
  CHECK_OK(hp_amg_create(&opt, &H));
  CHECK_OK(hp_amg_build(H, A, 0));
  CHECK_OK(HP_ALLOC(x, A->nrow));
  CHECK_OK(HP_ALLOC(b, A->nrow));
  for (int32_t i = 0; i < A->nrow; ++i) x[i] = matrix_random(&seed);
  double last = energy(A, x);
  for (int k = 0; k < 10; ++k) {
    const job j = {H, k % 2 == 0, false, 1, b, x};
    CHECK_OK(hp_team_run(hub, run, (void *)&j));
    const double now = energy(A, x);
    if (!(now < last)) fprintf(stderr, "%s, sweep %d: %g after %g\n", hp_amg_smoother_name(opt.smoother), k, now, last);
    CHECK(now < last);
    last = now;
  }
  HP_FREE(x);
  HP_FREE(b);
  hp_amg_destroy(&H);
  hp_csr_destroy(&A);
}

/* The polynomial's interval ends at the largest eigenvalue of D^-1 A, or a little above. */
static void check_interval(const amg_reservoir *r) {
  const hp_amg_options opt = options_of(HP_AMG_CHEBYSHEV, 0);
  double *v = NULL, *w = NULL, largest = 0.0;
  hp_csr *A;
  hp_amg *H;
  uint64_t seed = 4;
  CHECK_OK(amg_reservoir_csr(r, &A));
  CHECK_OK(hp_amg_create(&opt, &H));
  CHECK_OK(hp_amg_build(H, A, 0));
  CHECK_OK(HP_ALLOC(v, A->nrow));
  CHECK_OK(HP_ALLOC(w, A->nrow));
  for (int32_t i = 0; i < A->nrow; ++i) v[i] = matrix_random(&seed);
  for (int step = 0; step < 3000 / check_every(6); ++step) {
    double norm = 0.0;
    for (int32_t i = 0; i < A->nrow; ++i) {
      double sum, squares;
      w[i] = hp_csr_dot(A, i, v) / hp_amg_diagonal(A, i, &sum, &squares);
      norm = fmax(norm, fabs(w[i]));
    }
    for (int32_t i = 0; i < A->nrow; ++i) v[i] = w[i] / norm;
    largest = norm;
  }
  const double end = *H->level[0].smooth.eigenvalue;
  if (!(end > 0.9 * largest && end < 1.1 * largest)) fprintf(stderr, "eigenvalue %g, taken %g\n", largest, end);
  CHECK(end > 0.9 * largest && end < 1.1 * largest);
  HP_FREE(v);
  HP_FREE(w);
  hp_amg_destroy(&H);
  hp_csr_destroy(&A);
}

int main(void) {
  /* more than HP_AMG_DIRECT_MAX rows: no dense inverse of the level, which sweeps do not need */
  const amg_reservoir plain = {.nx = 11, .ny = 10, .nz = 10, .vertical = 1.0, .storage = 1e-3};
  const amg_reservoir rough = {
      .nx = 12, .ny = 11, .nz = 13, .decades = 4.0, .vertical = 100.0, .storage = 1e-3, .inactive = 7, .seed = 3};
  hp_team_hub *hub;
  CHECK_OK(hp_team_hub_create(1, NULL, &hub));
  check_definitions(hub);
  for (int smoother = 0; smoother < HP_AMG_SMOOTHER_COUNT; ++smoother) {
    if (smoother == HP_AMG_JACOBI) continue; /* undamped it need not */
    check_energy(hub, smoother, &plain);
    check_energy(hub, smoother, &rough);
  }
  check_interval(&plain);
  check_interval(&rough);
  hp_team_hub_destroy(&hub);
  return check_result();
}
