/* The multigrid hierarchy that a GPU sets up against the host's: the same coarse points, patterns and bits on
 * every level, for every coarsening and interpolation, on odd sizes with wells, inactive cells, walls,
 * contrasts and thin layers; rows too long for on-chip tables; new numbers in an old pattern; csr from GH. */
#include <stdlib.h>
#include <string.h>

#include "amg/cycle/device.h"
#include "amg/cycle/numbers.inl.h"
#include "bench/multigrid/device.h"
#include "core/memory.h"
#include "linsolve/matrix/sparse.h"
#include "tests/support/amg_matrices.h"
#include "tests/support/check.h"

static hp_device *device;
static hp_team_hub *hub;
/* HEPTA_TEST_SMALL: 1, the small cases alone; 2, hardly any, for a sanitizer that writes down what is on chip. */
static int small;

/* Rows' columns made to rise. */
static void sort_rows(hp_csr *A) {
  for (int32_t i = 0; i < A->nrow; ++i)
    for (int64_t k = A->begin[i] + 1; k < A->begin[i + 1]; ++k)
      for (int64_t n = k; n > A->begin[i] && A->column[n] < A->column[n - 1]; --n) {
        const int32_t column = A->column[n];
        const double value = A->value[n];
        A->column[n] = A->column[n - 1];
        A->value[n] = A->value[n - 1];
        A->column[n - 1] = column;
        A->value[n - 1] = value;
      }
}

/* Compares lengths of rows of level l's matrix with the host's. */
static void compare_rows(const char *what, int l, const hp_csr_device *A, const hp_csr *right) {
  const size_t bytes = ((size_t)right->nrow + 1) * sizeof *right->begin;
  int32_t *begin = NULL;
  CHECK(A->at.nrow == right->nrow && A->at.ncol == right->ncol && A->count == hp_csr_count(right));
  if (A->at.nrow != right->nrow) return;
  CHECK_OK(HP_ALLOC(begin, right->nrow + 1));
  CHECK_OK(hp_device_download(device, begin, A->at.begin, (int64_t)bytes));
  const bool same = memcmp(begin, right->begin, bytes) == 0;
  CHECK(same);
  if (!same) fprintf(stderr, "level %d, %s: rows differ in length\n", l, what);
  HP_FREE(begin);
}

/* Compares a matrix of level l with the host's. */
static void compare(const char *what, int l, const hp_csr_device *A, const hp_csr *right) {
  hp_csr *copy = NULL;
  const int failures = check_failures;
  int32_t longest = 0;
  int64_t pattern = 0, bits = 0;
  CHECK(A->at.nrow == right->nrow && A->at.ncol == right->ncol && A->count == hp_csr_count(right));
  if (check_failures == failures) {
    CHECK_OK(hp_csr_device_download(device, A, &copy));
    CHECK(memcmp(copy->begin, right->begin, ((size_t)right->nrow + 1) * sizeof *right->begin) == 0);
    for (int32_t i = 0; i < right->nrow; ++i)
      if (hp_csr_length(right, i) > longest) longest = hp_csr_length(right, i);
    for (int64_t k = 0; k < A->count; ++k) {
      pattern += A->at.column != NULL && copy->column[k] != right->column[k];
      bits += memcmp(&copy->value[k], &right->value[k], sizeof(double)) != 0;
    }
    CHECK(pattern == 0 && bits == 0);
    CHECK(A->longest == longest);
    hp_csr_destroy(&copy);
  }
  if (check_failures != failures)
    fprintf(stderr,
            "level %d, %s: %d x %d rows, %lld entries, longest row %d; the host's: %d x %d, %lld, %d; %lld columns "
            "and %lld values differ\n",
            l, what, A->at.nrow, A->at.ncol, (long long)A->count, A->longest, right->nrow, right->ncol,
            (long long)hp_csr_count(right), longest, (long long)pattern, (long long)bits);
}

/* The factors' bits, and that the inverse is what the host's solve with them makes of unit vectors. */
static void compare_direct(const hp_amg *H, const hp_amg_device *G) {
  const hp_amg_device_direct *d = hp_amg_device_get_direct(G);
  const int64_t n = H->level[H->nlevel - 1].A->nrow;
  double *lu = NULL, *inverse = NULL, *x = NULL;
  double worst = 0.0, most = 0.0;
  CHECK((d != NULL) == (H->lu != NULL));
  if (d == NULL || H->lu == NULL) return;
  CHECK(d->n == n);
  CHECK_OK(HP_ALLOC(lu, n * n));
  CHECK_OK(HP_ALLOC(inverse, n * n));
  CHECK_OK(HP_ALLOC(x, n));
  CHECK_OK(hp_device_download(device, lu, d->lu, n * n * (int64_t)sizeof *lu));
  CHECK_OK(hp_device_download(device, inverse, d->inverse, n * n * (int64_t)sizeof *lu));
  CHECK(memcmp(lu, H->lu, (size_t)(n * n) * sizeof *lu) == 0);
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) x[i] = i == j ? H->lu_scale[i] : 0.0;
    for (int64_t i = 0; i < n; ++i) {
      const double v = x[i];
      x[i] = x[H->pivot[i]];
      x[H->pivot[i]] = v;
    }
    for (int64_t i = 0; i < n; ++i)
      for (int64_t k = 0; k < i; ++k) x[i] -= lu[i * n + k] * x[k];
    for (int64_t i = n - 1; i >= 0; --i) {
      for (int64_t k = i + 1; k < n; ++k) x[i] -= lu[i * n + k] * x[k];
      x[i] *= lu[i * n + i];
    }
    for (int64_t i = 0; i < n; ++i) {
      worst = fmax(worst, fabs(x[i] - inverse[i * n + j]));
      most = fmax(most, fabs(x[i]));
    }
  }
  CHECK(worst <= 1e-12 * most);
  HP_FREE(lu);
  HP_FREE(inverse);
  HP_FREE(x);
}

static int64_t wide; /* products of rows whose places have two bytes, so far */

static void compare_all(const hp_amg *H, const hp_amg_device *G) {
  CHECK(hp_amg_device_levels(G) == H->nlevel);
  if (hp_amg_device_levels(G) != H->nlevel) return;
  for (int l = 0; l < H->nlevel; ++l) {
    const hp_amg_device_level *L = hp_amg_device_get_level(G, l);
    CHECK(L->ncell == H->level[l].ncell);
    compare("A", l, &L->A, H->level[l].A);
    if (l + 1 == H->nlevel) break;
    compare("P", l, &L->P, H->level[l].P);
    compare("R", l, &L->R, H->level[l].R);
    wide += L->ap.wide_count + L->rap.wide_count;
    compare_rows("A P", l, &L->AP, H->level[l].AP); /* its values do not last; they are in the next A's */
  }
  compare_direct(H, G);
}

static void refresh(hp_team *t, void *H) { hp_amg_refresh(t, H); }

/* Other values, the same pattern: they leave P as it was. */
static void change(hp_csr *A, uint64_t seed) {
  for (int64_t k = 0; k < hp_csr_count(A); ++k) A->value[k] *= 1.0 + 0.2 * matrix_random(&seed);
}

/* Builds, builds again, refreshes. A's rows' columns rise. */
static void test_matrix(const char *what, hp_csr *A, int32_t nwell, const hp_amg_options *opt) {
  const int failures = check_failures;
  hp_amg *H;
  hp_amg_device *G;
  hp_csr_device D;
  CHECK_OK(hp_csr_device_upload(device, A, &D));
  CHECK_OK(hp_amg_create(opt, &H));
  CHECK_OK(hp_amg_device_create(device, opt, &G));
  CHECK_OK(hp_amg_build(H, A, nwell));
  CHECK_OK(hp_amg_device_build(G, &D, nwell));
  compare_all(H, G);
  hp_amg_device_watch(G, true);
  CHECK_OK(hp_amg_device_build(G, &D, nwell)); /* joins the pools' pieces */
  const int64_t bytes = hp_device_bytes(device);
  CHECK_OK(hp_amg_device_build(G, &D, nwell));
  CHECK(hp_device_bytes(device) == bytes);
  CHECK(H->nlevel < 2 || hp_amg_device_time(G, 0, HP_AMG_DEVICE_NUMBERS) > 0.0);
  CHECK(hp_amg_device_level_bytes(G, 0) > hp_csr_bytes(A));
  compare_all(H, G);
  change(A, 5);
  CHECK_OK(hp_device_upload(device, D.at.value, A->value, D.count * (int64_t)sizeof *A->value));
  CHECK_OK(hp_team_run(hub, refresh, H));
  CHECK_OK(hp_amg_device_refresh(G));
  compare_all(H, G);
  if (check_failures != failures)
    fprintf(stderr, "%s: %d rows, %d wells, %s, %s, %d weights\n", what, A->nrow, nwell,
            hp_amg_coarsening_name(opt->coarsening), hp_amg_interpolation_name(opt->interpolation), opt->max_weights);
  hp_amg_device_destroy(&G);
  hp_amg_destroy(&H);
  hp_csr_device_free(device, &D);
}

static void test_reservoirs(void) {
  static const int size[][3] = {{13, 11, 7}, {17, 1, 19}, {1, 1, 301}, {9, 23, 5}, {21, 14, 3}, {11, 10, 12}};
  for (int n = 0; n < 12; n += small == 0 ? 1 : small > 1 ? 9 : 3) {
    const int *s = size[n % 6];
    amg_reservoir r = {.nx = s[0], .ny = s[1], .nz = s[2], .vertical = 1.0, .storage = 1e-3, .seed = (uint64_t)(n + 1)};
    r.decades = n % 3 == 1 ? 8.0 : n % 3 == 2 ? 3.0 : 0.0;
    r.vertical = n % 4 == 3 ? 1e4 : n % 4 == 2 ? 1e-4 : 1.0;
    r.storage = n % 5 == 4 ? 0.0 : 1e-3;
    r.inactive = n % 2 == 1 ? 5 : 0;
    r.wall = n > 7;
    r.nwell = n % 3 == 0 ? 0 : 4;
    for (int c = 0; c < HP_AMG_COARSENING_COUNT; ++c)
      for (int p = 0; p < HP_AMG_INTERPOLATION_COUNT; ++p) {
        if (c != HP_AMG_PMIS && c != HP_AMG_CLJP && (n + p) % 4 != 0) continue; /* picked on the host */
        if (small > 1 && c != HP_AMG_PMIS) continue;
        hp_amg_options opt = hp_amg_default_options();
        hp_csr *A;
        opt.coarsening = (hp_amg_coarsening)c;
        opt.interpolation = (hp_amg_interpolation)p;
        opt.max_weights = n % 4 == 2 ? 0 : n % 4 == 3 ? 2 : 4;
        opt.truncation = n % 5 == 2 ? 0.2 : 0.0;
        opt.coarsest = n % 2 == 0 ? 64 : 9;
        opt.seed = (uint64_t)n;
        CHECK_OK(amg_reservoir_csr(&r, &A));
        sort_rows(A);
        test_matrix("reservoir", A, r.nwell, &opt);
        hp_csr_destroy(&A);
      }
  }
}

/* Random patterns that are not symmetric, rows up to `fill` n long, some of them full: tables on chip overflow. */
static void test_random(int n, double fill, int full, bool dominant) {
  hp_csr *A;
  hp_amg_options opt = hp_amg_default_options();
  CHECK_OK(amg_random_csr(n, n, fill, (uint64_t)(n + full), &A));
  uint64_t seed = 3;
  int64_t count = 0;
  for (int32_t i = 0; i < n; ++i) { /* thins out all but the full rows */
    const int32_t begin = A->begin[i], end = A->begin[i + 1];
    A->begin[i] = (int32_t)count;
    for (int32_t k = begin; k < end; ++k) {
      const bool keep = i < full || A->column[k] == i || matrix_random(&seed) > 0.7;
      if (!keep) continue;
      A->column[count] = A->column[k];
      A->value[count++] = A->column[k] == i ? (dominant ? 2.0 + fill * n : A->value[k]) : -fabs(A->value[k]);
    }
  }
  A->begin[n] = (int32_t)count;
  opt.max_weights = 6;
  test_matrix("random", A, 0, &opt);
  opt.interpolation = HP_AMG_CLASSICAL;
  opt.max_weights = 0;
  test_matrix("random", A, 0, &opt);
  hp_csr_destroy(&A);
}

/* A point that all others depend on, and that depends on all. */
static void test_star(int32_t n) {
  hp_csr *A;
  hp_amg_options opt = hp_amg_default_options();
  CHECK_OK(hp_csr_create(n, n, 5 * (int64_t)n, &A));
  int32_t at = 0;
  for (int32_t i = 0; i < n; ++i) {
    A->begin[i] = at;
    for (int32_t j = 0; j < n; ++j) {
      const bool near_by = j == i || j == i - 1 || j == i + 1;
      if (i != 0 && j != 0 && j < i - 1) j = i - 1;
      if (i != 0 && j > i + 1) break;
      if (i != 0 && j != 0 && !(near_by || j == i - 1)) continue;
      A->column[at] = j;
      A->value[at++] = j == i ? (i == 0 ? 1.1 * n : 4.0) : -1.0;
    }
  }
  A->begin[n] = at;
  test_matrix("star", A, 0, &opt);
  opt.max_weights = 0;
  opt.truncation = 0.1;
  test_matrix("star", A, 0, &opt);
  hp_csr_destroy(&A);
}

/* ---- csr from GH ---- */

static double entry(const hp_gh *A, int64_t i, int64_t j) {
  const hp_gh_wells *W = &A->wells;
  double sum = 0.0;
  if (i >= A->ncell && j >= A->ncell) return i == j ? W->dd[i - A->ncell] : 0.0;
  for (int u = -3; u <= 3 && i < A->ncell && j < A->ncell; ++u)
    if (matrix_has(A, i, u) && i + hp_gh_offset(A, u) == j) sum += *hp_gh_entry(A, i, u, 0, 0);
  if (i < A->ncell && j < A->ncell) return sum;
  const int64_t m = i < A->ncell ? i : j, w = (i < A->ncell ? j : i) - A->ncell;
  for (int r = W->run_begin[w]; r < W->run_begin[w + 1]; ++r)
    if (m >= W->b[r] && m < W->b[r] + W->c[r])
      return i < A->ncell ? W->wt[W->a[r] + m - W->b[r]] : W->w[W->a[r] + m - W->b[r]];
  return 0.0;
}

static void *on_device(const void *from, int64_t count, size_t size) {
  void *p = NULL;
  CHECK_OK(hp_device_alloc(device, &p, count, size, "GH"));
  CHECK_OK(hp_device_upload(device, p, from, count * (int64_t)size));
  return p;
}

/* A's arrays that the conversion reads, in the device's memory. */
static hp_gh gh_on_device(const hp_gh *A) {
  hp_gh G = *A;
  const hp_gh_wells *W = &A->wells;
  G.h = on_device(A->h, 7 * A->ld, sizeof *A->h);
  if (W->nwell == 0) return G;
  G.wells.run_begin = on_device(W->run_begin, W->nwell + 1, sizeof *W->run_begin);
  G.wells.a = on_device(W->a, W->nrun, sizeof *W->a);
  G.wells.b = on_device(W->b, W->nrun, sizeof *W->b);
  G.wells.c = on_device(W->c, W->nrun, sizeof *W->c);
  G.wells.d = on_device(W->d, (int64_t)A->nx * A->ny, sizeof *W->d);
  G.wells.next = on_device(W->next, W->nrun, sizeof *W->next);
  G.wells.of = on_device(W->of, W->nrun, sizeof *W->of);
  G.wells.w = on_device(W->w, W->nperf, sizeof *W->w);
  G.wells.wt = on_device(W->wt, W->nperf, sizeof *W->wt);
  G.wells.dd = on_device(W->dd, W->nwell, sizeof *W->dd);
  return G;
}

static void free_gh(hp_gh *G) {
  hp_gh_wells *W = &G->wells;
  hp_device_free(device, &G->h);
  if (W->nwell == 0) return;
  hp_device_free(device, &W->run_begin);
  hp_device_free(device, &W->a);
  hp_device_free(device, &W->b);
  hp_device_free(device, &W->c);
  hp_device_free(device, &W->d);
  hp_device_free(device, &W->next);
  hp_device_free(device, &W->of);
  hp_device_free(device, &W->w);
  hp_device_free(device, &W->wt);
  hp_device_free(device, &W->dd);
}

static void compare_gh(const hp_gh *A, const hp_csr_device *C) {
  hp_csr *copy;
  int64_t wrong = 0, missing = 0;
  CHECK(C->at.nrow == A->n && C->at.ncol == A->n);
  CHECK_OK(hp_csr_device_download(device, C, &copy));
  for (int64_t i = 0; i < A->n; ++i) {
    int64_t k = copy->begin[i];
    for (int64_t j = 0; j < A->n; ++j) {
      const double right = entry(A, i, j);
      const bool there = k < copy->begin[i + 1] && copy->column[k] == j;
      if (there) wrong += copy->value[k++] != right;
      else missing += right != 0.0;
    }
    wrong += k != copy->begin[i + 1]; /* a column that does not rise */
  }
  CHECK(wrong == 0 && missing == 0);
  if (wrong > 0 || missing > 0)
    fprintf(stderr, "csr of GH %d x %d x %d, %d wells: %lld entries wrong, %lld missing\n", A->nx, A->ny, A->nz,
            A->wells.nwell, (long long)wrong, (long long)missing);
  hp_csr_destroy(&copy);
}

static void test_gh(int nx, int ny, int nz, int nwell, uint64_t seed) {
  hp_gh *A;
  hp_csr_device C;
  CHECK_OK(matrix_random_gh(nx, ny, nz, 1, nwell, 0.1, seed, &A));
  hp_gh G = gh_on_device(A);
  CHECK_OK(hp_csr_device_from_gh(device, &G, &C));
  compare_gh(A, &C);
  for (int64_t e = 0; e < 7 * A->ld; ++e) A->h[e] *= 1.5;
  for (int64_t p = 0; p < A->wells.nperf; ++p) A->wells.wt[p] *= 0.3;
  CHECK_OK(hp_device_upload(device, G.h, A->h, 7 * A->ld * (int64_t)sizeof *A->h));
  CHECK_OK(hp_device_upload(device, G.wells.wt, A->wells.wt, A->wells.nperf * (int64_t)sizeof *A->wells.wt));
  CHECK_OK(hp_csr_device_refresh(device, &G, &C));
  compare_gh(A, &C);
  hp_csr_device_free(device, &C);
  free_gh(&G);
  hp_gh_destroy(&A);
}

static void test_refusals(void) {
  hp_amg_options opt = hp_amg_default_options();
  hp_amg_device *G = NULL;
  hp_csr_device D;
  hp_csr *A;
  opt.max_levels = 0;
  CHECK(hp_amg_device_create(device, &opt, &G) == HP_ERR_USAGE && G == NULL);
  CHECK_OK(amg_random_csr(5, 5, 0.9, 1, &A));
  const int32_t first = A->column[0];
  A->column[0] = A->column[1];
  A->column[1] = first;
  CHECK(hp_csr_device_upload(device, A, &D) == HP_ERR_INTERNAL && D.at.begin == NULL);
  hp_csr_destroy(&A);
}

/* A hierarchy of a matrix of GH, by rows, with wells at the grid's ends. */
static void test_corners(int nx, int ny, int nz, uint64_t seed) {
  hp_amg_options opt = hp_amg_default_options();
  hp_gh *G;
  hp_sparse *F;
  CHECK_OK(matrix_random_m(nx, ny, nz, MATRIX_CORNER_WELLS, seed, &G));
  CHECK_OK(hp_sparse_create(G, NULL, HP_SPARSE_CSR, &F));
  hp_sparse_set(F, G);
  hp_csr A = {.nrow = (int32_t)F->n,
              .ncol = (int32_t)F->n,
              .begin = (uint32_t *)F->begin,
              .column = F->column,
              .value = F->value};
  opt.coarsest = 9;
  test_matrix("corners", &A, G->wells.nwell, &opt);
  opt.coarsening = HP_AMG_CLJP;
  opt.interpolation = HP_AMG_CLASSICAL;
  test_matrix("corners", &A, G->wells.nwell, &opt);
  hp_sparse_destroy(&F);
  hp_gh_destroy(&G);
}

int main(void) {
  const char *how = getenv("HEPTA_TEST_SMALL");
  small = how != NULL ? atoi(how) : 0;
  const hp_status s = hp_device_create(NULL, &device);
  if (s != HP_OK) {
    fprintf(stderr, "skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  CHECK_OK(hp_team_hub_create(1, NULL, &hub));
  test_refusals();
  test_gh(5, 4, 3, 0, 1);
  test_gh(7, 5, 9, 5, 2);
  test_gh(6, 5, 1, 4, 3);
  test_gh(1, 1, 40, 1, 4);
  test_gh(5, 1, 6, 3, 5);
  test_gh(6, 4, 5, MATRIX_CORNER_WELLS, 6);
  test_gh(1, 1, 31, MATRIX_CORNER_WELLS, 7);
  test_gh(199, 1, 3, MATRIX_CORNER_WELLS, 8);
  test_corners(7, 5, 9, 1);
  if (small < 2) {
    test_corners(1, 1, 31, 2);
    test_corners(33, 1, 1, 3);
    test_corners(199, 1, 3, 4);
    test_corners(1, 597, 1, 5);
    test_random(200, 0.3, 3, true);
    test_random(90, 0.9, 90, false);
    test_star(3000);
  }
  test_reservoirs();
  if (small == 0) {
    test_random(2500, 0.4, 20, true);
    test_star(70000);
    CHECK(wide > 0);
  }
  hp_team_hub_destroy(&hub);
  hp_device_destroy(&device);
  return check_result();
}
