/* Connections beyond the seven diagonals. A block that stands in a diagonal may as well be a connection: matrices of which
 * some blocks were moved have the same products, transposed products, residuals, pressure system and MatrixMarket file as
 * before. Connections of cells far apart are checked against plain loops. Any team gives the same bits, and files of
 * systems come back to the bit. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "amg/cpr/cpr.inl.h"
#include "bench/generators/family.h"
#include "bench/solve/read.h"
#include "linsolve/matrix/sparse_fill.inl.h"
#include "linsolve/product/sparse_mul.inl.h"
#include "linsolve/product/spmv.inl.h"
#include "tests/support/amg_matrices.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

enum { HUBS = 2 };

static hp_team_hub *hubs[HUBS];
static const int members[HUBS] = {1, 3};

typedef struct {
  const hp_gh *A;
  const double *b, *x;
  double *product, *residual, *transposed; /* [n] */
} products;

static void multiply(hp_team *t, void *p) {
  const products *k = p;
  hp_gh_mul(t, k->A, k->x, k->product);
  hp_gh_residual(t, k->A, k->b, k->x, k->residual);
  hp_gh_mul_transposed(t, k->A, k->x, k->transposed);
}

/* [5 n] x, b, and the three results of a team. */
static double *run(const hp_gh *A, int hub, uint64_t seed) {
  double *v = NULL;
  CHECK_OK(HP_ALLOC(v, 5 * A->n));
  for (int64_t i = 0; i < 2 * A->n; ++i) v[i] = matrix_random(&seed);
  products k = {A, v + A->n, v, v + 2 * A->n, v + 3 * A->n, v + 4 * A->n};
  CHECK_OK(hp_team_run(hubs[hub], multiply, &k));
  return v;
}

/* Of A and B the same to rounding; of B the same bits from every team. */
static void compare(const hp_gh *A, const hp_gh *B, uint64_t seed) {
  double *a = run(A, 0, seed), *b = run(B, 0, seed), *more = run(B, 1, seed);
  for (int64_t i = 0; i < 5 * A->n; ++i) CHECK_NEAR(a[i], b[i], 1e-13 * (1.0 + fabs(a[i])) * 10.0);
  CHECK(memcmp(b, more, (size_t)(5 * A->n) * sizeof *b) == 0);
  HP_FREE(a);
  HP_FREE(b);
  HP_FREE(more);
}

static hp_gh *copy(const hp_gh *A, int nwell, uint64_t seed) {
  hp_gh *B;
  const hp_gh_wells *W = &A->wells;
  CHECK_OK(hp_gh_create(A->nx, A->ny, A->nz, A->q, &B));
  CHECK_OK(matrix_add_wells(B, nwell, &seed)); /* the same seed, hence the same cells */
  memcpy(B->h, A->h, (size_t)(HP_GH_DIAGS * A->q * A->ld) * sizeof *A->h);
  memcpy(B->wells.w, W->w, (size_t)(W->nperf * A->q) * sizeof *W->w);
  memcpy(B->wells.wt, W->wt, (size_t)(W->nperf * A->q) * sizeof *W->wt);
  memcpy(B->wells.dd, W->dd, (size_t)W->nwell * sizeof *W->dd);
  return B;
}

/* Which faces move: a third of those of every direction, by a number of the face. */
static bool moves(int64_t m, int u) {
  const uint64_t x = ((uint64_t)m * 3 + (uint64_t)u) * UINT64_C(0x9e3779b97f4a7c15);
  return (x >> 33) % 3 == 0;
}

static void move_blocks(hp_gh *B) {
  int64_t *a = NULL, *b = NULL, count = 0;
  CHECK_OK(HP_ALLOC(a, 3 * B->ncell));
  CHECK_OK(HP_ALLOC(b, 3 * B->ncell));
  for (int64_t m = 0; m < B->ncell; ++m)
    for (int u = 1; u <= 3; ++u) { /* offsets rise */
      if (!matrix_has(B, m, u) || !moves(m, u)) continue;
      a[count] = m;
      b[count++] = m + hp_gh_offset(B, u);
    }
  CHECK(count > 0);
  CHECK_OK(hp_gh_set_links(B, count, a, b));
  const hp_links *L = &B->links;
  for (int64_t r = 0; r < L->nrow; ++r)
    for (int64_t e = L->begin[r]; e < L->begin[r + 1]; ++e) {
      const int64_t m = L->cell[r], n = L->other[e];
      CHECK(L->other[L->twin[e]] == m && L->of[L->twin[e]] == L->of[e]);
      for (int u = -3; u <= 3; ++u) {
        const bool lower = u < 0;
        if (u == 0 || !matrix_has(B, m, u) || m + hp_gh_offset(B, u) != n) continue;
        if (!moves(lower ? n : m, lower ? -u : u)) continue;
        for (int i = 0; i < B->q; ++i)
          for (int j = 0; j < B->q; ++j) {
            *hp_gh_link(B, e, i, j) += *hp_gh_entry(B, m, u, i, j);
            *hp_gh_entry(B, m, u, i, j) = 0.0;
          }
        break;
      }
    }
  HP_FREE(a);
  HP_FREE(b);
}

static char *text_of(const char *path) {
  char *text = NULL;
  FILE *f = fopen(path, "r");
  CHECK(f != NULL);
  if (f == NULL) return NULL;
  fseek(f, 0, SEEK_END);
  const long size = ftell(f);
  rewind(f);
  CHECK_OK(HP_ALLOC(text, size + 1));
  CHECK(fread(text, 1, (size_t)size, f) == (size_t)size);
  fclose(f);
  return text;
}

static void check_market(const hp_gh *A, const hp_gh *B) {
  char one[] = "/tmp/hepta_connections_a_XXXXXX", two[] = "/tmp/hepta_connections_b_XXXXXX";
  close(mkstemp(one));
  close(mkstemp(two));
  CHECK_OK(hp_gh_write_mtx(A, NULL, one));
  CHECK_OK(hp_gh_write_mtx(B, NULL, two));
  char *a = text_of(one), *b = text_of(two);
  CHECK(a != NULL && b != NULL && strcmp(a, b) == 0);
  HP_FREE(a);
  HP_FREE(b);
  unlink(one);
  unlink(two);
}

/* ---- other formats ---- */

typedef struct {
  const hp_sparse *F;
  const hp_gh *A;
  const double *x;
  double *y;
} format_product;

static void multiply_format(hp_team *t, void *p) {
  const format_product *k = p;
  hp_sparse_mul(t, k->F, k->A, k->x, k->y);
}

/* v: as of `run`. */
static void check_formats(const hp_gh *A, const double *v) {
  for (int kind = HP_SPARSE_GH + 1; kind < HP_SPARSE_COUNT; ++kind) {
    hp_sparse *F = NULL;
    const hp_status s = hp_sparse_create(A, NULL, (hp_sparse_kind)kind, &F);
    if (kind == HP_SPARSE_DIA || kind == HP_SPARSE_SGDIA) {
      CHECK(s == HP_ERR_UNSUPPORTED && F == NULL);
      continue;
    }
    CHECK_OK(s);
    if (F == NULL) continue;
    hp_sparse_set(F, A);
    double *y = NULL;
    CHECK_OK(HP_ALLOC(y, A->n));
    format_product p = {F, A, v, y};
    CHECK_OK(hp_team_run(hubs[1], multiply_format, &p));
    for (int64_t i = 0; i < A->n; ++i) CHECK_NEAR(y[i], v[2 * A->n + i], 1e-12);
    CHECK(hp_sparse_entries(F, A) == (F->kind == HP_SPARSE_CSR ? (int64_t)F->begin[A->n] : hp_sparse_entries(F, A)));
    HP_FREE(y);
    hp_sparse_destroy(&F);
  }
}

/* ---- cpr's pressure system ---- */

typedef struct {
  hp_cpr *C;
  const hp_gh *A;
} made;

static void make(hp_team *t, void *arg) {
  const made *m = arg;
  CHECK(hp_cpr_setup(t, m->C, m->A) == -1);
}

static void check_pressure(const hp_gh *A, const hp_gh *B, hp_cpr_weights weights) {
  hp_cpr_options opt = hp_cpr_default_options();
  opt.weights = weights;
  hp_cpr *C = NULL, *D = NULL;
  CHECK_OK(hp_cpr_create(A, &opt, &C));
  CHECK_OK(hp_cpr_create(B, &opt, &D));
  made a = {C, A}, b = {D, B};
  CHECK_OK(hp_team_run(hubs[0], make, &a));
  CHECK_OK(hp_team_run(hubs[1], make, &b));
  CHECK_OK(hp_cpr_status(C));
  CHECK_OK(hp_cpr_status(D));
  cpr_check_sources(C, A);
  cpr_check_sources(D, B);
  const hp_csr *X
  = C->Ap, *Y = D->Ap;
  CHECK(X->nrow == Y->nrow && C->ncp == D->ncp);
  for (int32_t i = 0; i < X->nrow && check_failures == 0; ++i) { /* Y has places for moved blocks and for their holes */
    int64_t y = Y->begin[i];
    for (int64_t x = X->begin[i]; x < X->begin[i + 1]; ++x) {
      double sum = 0.0;
      for (; y < Y->begin[i + 1] && Y->column[y] == X->column[x]; ++y) sum += Y->value[y];
      CHECK_NEAR(X->value[x], sum, 1e-13);
    }
    CHECK(y == Y->begin[i + 1]);
  }
  hp_cpr_destroy(&C);
  hp_cpr_destroy(&D);
}

/* ---- far apart ---- */

static void check_far(int nx, int ny, int nz, int q, uint64_t seed) {
  enum { MOST = 60 };
  int64_t a[MOST], b[MOST], count = 0;
  hp_gh *A;
  CHECK_OK(matrix_random_gh(nx, ny, nz, q, 2, 0.5, seed, &A));
  hp_gh *B = copy(A, 2, seed);
  for (int64_t m = 0; m + 1 < A->ncell && count < MOST; m += 1 + (int64_t)(matrix_bits(&seed) % 3)) {
    int64_t at = m;
    for (int n = 0; n < 3 && count < MOST; ++n) {
      at += 1 + (int64_t)(matrix_bits(&seed) % (uint64_t)(A->ncell - 1));
      if (at >= A->ncell) break;
      a[count] = m;
      b[count++] = at;
    }
  }
  CHECK_OK(hp_gh_set_links(B, count, a, b));
  const hp_links *L = &B->links;
  CHECK(L->count == 2 * count);
  for (int64_t e = 0; e < L->count * q * q; ++e) B->link[e] = matrix_random(&seed);
  double *v = run(A, 0, seed), *w = run(B, 1, seed);
  for (int64_t r = 0; r < L->nrow; ++r)
    for (int64_t e = L->begin[r]; e < L->begin[r + 1]; ++e)
      for (int i = 0; i < q; ++i)
        for (int j = 0; j < q; ++j) {
          const double value = *hp_gh_link(B, e, i, j);
          const int64_t row = L->cell[r] * q + i, column = L->other[e] * q + j;
          v[2 * A->n + row] += value * v[column];
          v[3 * A->n + row] -= value * v[column];
          v[4 * A->n + column] += value * v[row];
        }
  for (int64_t i = 0; i < 5 * A->n; ++i) CHECK_NEAR(v[i], w[i], 1e-12);
  check_formats(B, w);

  char path[] = "/tmp/hepta_connections_XXXXXX";
  close(mkstemp(path));
  uint8_t *active = NULL;
  CHECK_OK(HP_ALLOC(active, A->ncell));
  memset(active, 1, (size_t)A->ncell);
  hp_system in = {.A = B, .b = w, .x = w + B->n, .active = active, .place = {1, 1, 1}}, out;
  CHECK_OK(hp_system_write(&in, path));
  CHECK_OK(hp_system_read(path, &out));
  if (out.A != NULL) {
    CHECK(out.A->links.count == L->count);
    CHECK(memcmp(out.A->link, B->link, (size_t)(L->count * q * q) * sizeof *B->link) == 0);
    CHECK(memcmp(out.A->links.other, L->other, (size_t)L->count * sizeof *L->other) == 0);
  }
  hp_system_clear(&out);
  unlink(path);
  HP_FREE(active);
  HP_FREE(v);
  HP_FREE(w);
  hp_gh_destroy(&A);
  hp_gh_destroy(&B);
}

/* ---- the family of generated matrices ---- */

/* Rows strictly dominant by the margin; symmetric where asked for; a number depends on seed and place. */
static void check_family(bool symmetric) {
  hp_family f = hp_family_default(6, 5, 4, 2);
  hp_gh *A, *T;
  f.nwell = 3;
  f.connections = 40;
  f.margin = 0.01;
  f.symmetric = symmetric;
  CHECK_OK(hp_family_create(&f, &A));
  CHECK_OK(hp_family_create(&f, &T));
  CHECK(A->links.count > 40 && A->links.count <= 80);
  CHECK(memcmp(A->link, T->link, (size_t)(A->links.count * 4) * sizeof *A->link) == 0);
  double *v = NULL;
  CHECK_OK(HP_ALLOC(v, 5 * A->n));
  for (int64_t i = 0; i < A->n; ++i) v[i] = 1.0; /* row sums: the margin's part of what is off the diagonal */
  products k = {A, v + A->n, v, v + 2 * A->n, v + 3 * A->n, v + 4 * A->n};
  CHECK_OK(hp_team_run(hubs[1], multiply, &k));
  for (int64_t m = 0; m < A->ncell; ++m)
    for (int a = 0; a < 2; ++a) {
      const double sum = k.product[2 * m + a], diagonal = *hp_gh_entry(A, m, 0, a, a);
      CHECK_NEAR(sum, diagonal * 0.01 / 1.01, 1e-10 * diagonal);
      if (symmetric) CHECK_NEAR(sum, k.transposed[2 * m + a], 1e-10 * diagonal);
    }
  f.connections = 121;
  hp_gh *B = NULL;
  CHECK(hp_family_create(&f, &B) == HP_ERR_USAGE);
  HP_FREE(v);
  hp_gh_destroy(&A);
  hp_gh_destroy(&T);
}

static void check_refused(void) {
  hp_gh *A;
  CHECK_OK(hp_gh_create(3, 2, 2, 2, &A));
  const int64_t a[] = {1, 0}, b[] = {3, 2}, same[] = {4, 4}, high[] = {12, 13};
  CHECK(hp_gh_set_links(A, 2, a, b) == HP_ERR_INTERNAL && A->links.count == 0); /* falling */
  CHECK(hp_gh_set_links(A, 1, same, same) == HP_ERR_INTERNAL);                  /* with itself */
  CHECK(hp_gh_set_links(A, 1, a, high) == HP_ERR_INTERNAL && A->link == NULL);  /* outside */
  CHECK_OK(hp_gh_set_links(A, 1, a, b));
  CHECK(A->links.nrow == 2 && hp_gh_require_lattice(A, "these") == HP_ERR_UNSUPPORTED);
  hp_gh_destroy(&A);
}

int main(void) {
  static const int sizes[][4] = {{7, 6, 5, 2}, {5, 4, 6, 1}, {4, 5, 3, 3}, {6, 1, 7, 2}, {9, 1, 1, 5}, {1, 8, 4, 2}};
  for (int h = 0; h < HUBS; ++h) CHECK_OK(hp_team_hub_create(members[h], NULL, &hubs[h]));
  for (size_t n = 0; n < sizeof sizes / sizeof *sizes; ++n) {
    const int *s = sizes[n];
    hp_gh *A;
    CHECK_OK(matrix_random_gh(s[0], s[1], s[2], s[3], 3, 0.5, 11 + n, &A));
    hp_gh *B = copy(A, 3, 11 + n);
    compare(A, B, 5);
    move_blocks(B);
    compare(A, B, 5);
    check_market(A, B);
    for (int w = 0; w < HP_CPR_WEIGHTS_COUNT; ++w) check_pressure(A, B, (hp_cpr_weights)w);
    hp_gh_destroy(&A);
    hp_gh_destroy(&B);
    check_far(s[0], s[1], s[2], s[3], 23 + n);
  }
  check_family(false);
  check_family(true);
  check_refused();
  for (int h = 0; h < HUBS; ++h) hp_team_hub_destroy(&hubs[h]);
  return check_result();
}
