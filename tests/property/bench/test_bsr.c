/* Block rows against products in long double, entry by entry: every q, every number of threads, rows cut into pieces; what
 * is made of GH, of other patterns and of files; other formats of the same matrix. */
#include <math.h>
#include <string.h>

#include "bench/bsr/multiply.inl.h"
#include "bench/bsr/patterns.h"
#include "bench/generators/family.h"
#include "core/memory.h"
#include "linsolve/bsr/fill.inl.h"
#include "linsolve/product/sparse_mul.inl.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

enum { HUBS = 3 };
static hp_team_hub *hub[HUBS]; /* of 1, 2 and 5 members */

typedef struct {
  const hp_bsr *B;
  const hp_sparse *F;
  const hp_gh *G;
  const double *x;
  double *y, *partial;
} job;

static void body(hp_team *t, void *p) {
  const job *j = p;
  if (j->F != NULL) hp_sparse_mul(t, j->F, NULL, j->x, j->y);
  else if (j->G != NULL) hp_gh_mul(t, j->G, j->x, j->y);
  else hp_bsr_multiply(t, j->B, j->x, j->y, j->partial);
}

/* Largest difference of y to the product, relative to the sum of a row's absolute products. */
static double difference(const hp_bsr *B, const double *x, const double *y) {
  const int q = B->q;
  double worst = 0.0;
  for (int64_t i = 0; i < B->nrow * q; ++i) {
    long double sum = 0.0L, scale = 1e-300L;
    for (int64_t p = B->begin[i / q]; p < B->begin[i / q + 1]; ++p)
      for (int b = 0; b < q; ++b) {
        const long double term = (long double)B->value[(p * q + b) * q + i % q] * x[(int64_t)B->column[p] * q + b];
        sum += term;
        scale += fabsl(term);
      }
    const double d = (double)(fabsl(y[i] - sum) / scale);
    if (!(d <= worst)) worst = d;
  }
  return worst;
}

/* The product by each team, the same bits; in other formats, if they hold so many entries. Frees B. */
static void check_product(hp_bsr *B, int cut) {
  const int64_t n = B->nrow * B->q;
  double *x = NULL, *y = NULL, *first = NULL, *partial = NULL;
  CHECK_OK(hp_bsr_cut(B, cut));
  CHECK_OK(HP_ALLOC(x, n));
  CHECK_OK(HP_ALLOC(y, n));
  CHECK_OK(HP_ALLOC(first, n));
  CHECK_OK(HP_ALLOC(partial, B->nslot * B->q));
  hp_family_vector(11, n, x);
  for (int h = 0; h < HUBS; ++h) {
    for (int64_t i = 0; i < n; ++i) y[i] = NAN;
    for (int64_t i = 0; i < B->nslot * B->q; ++i) partial[i] = NAN;
    CHECK_OK(hp_team_run(hub[h], body, &(job){.B = B, .x = x, .y = y, .partial = partial}));
    if (h == 0) memcpy(first, y, (size_t)n * sizeof *y);
    CHECK(memcmp(first, y, (size_t)n * sizeof *y) == 0);
  }
  CHECK(difference(B, x, first) < 1e-14);
  static const hp_sparse_kind kinds[] = {HP_SPARSE_CSR, HP_SPARSE_BSR, HP_SPARSE_SELL, HP_SPARSE_HYB};
  for (int k = 0; k < 4 && cut == 0; ++k) {
    hp_sparse *F = NULL;
    CHECK_OK(hp_bsr_to_sparse(B, kinds[k], &F));
    for (int64_t i = 0; i < n; ++i) y[i] = NAN;
    CHECK_OK(hp_team_run(hub[1], body, &(job){.F = F, .x = x, .y = y}));
    CHECK(difference(B, x, y) < 1e-13);
    hp_sparse_destroy(&F);
  }
  HP_FREE(x);
  HP_FREE(y);
  HP_FREE(first);
  HP_FREE(partial);
  hp_bsr_destroy(&B);
}

/* Sizes that have an order of sums of their own: all up to 16, of larger ones a sanitizer sees some. */
static void test_sizes(void) {
  static const int sizes[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18,  20, 23,
                              24, 29, 31, 32, 33, 34, 45, 47, 48, 62, 63, 64, 65, 66, 95, 96, 97, 128, 130};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s += s < 4 ? 1 : (size_t)check_every(7)) {
    const hp_bsr_order o = hp_bsr_order_of(sizes[s]);
    CHECK(o.across * o.groups * o.tall <= o.threads && o.across * o.groups <= HP_BSR_CLASSES_MAX);
    CHECK(sizes[s] % 2 == 0 || o.across * o.groups % 2 == 0);
    CHECK(o.across == 1 || o.groups == 1);
    CHECK(o.strips == 1 || (o.height % 2 == 0 && 2 * o.tall >= o.height + sizes[s] % 2));
    CHECK(o.height <= HP_BSR_STRIP_MAX && o.strips * o.height >= sizes[s] && (o.strips - 1) * o.height < sizes[s]);
    hp_bsr *B = NULL;
    CHECK_OK(hp_bsr_tailed(61, sizes[s], 3 + s, &B));
    check_product(B, 0);
    CHECK_OK(hp_bsr_tailed(61, sizes[s], 3 + s, &B));
    check_product(B, 3);
    for (int threads = 64; threads <= 256 && sizes[s] > HP_BSR_WARP_Q; threads *= 2) {
      CHECK_OK(hp_bsr_tailed(61, sizes[s], 3 + s, &B));
      CHECK_OK(hp_bsr_set_threads(B, threads));
      CHECK(B->order.groups * B->order.tall <= B->order.threads && B->order.groups >= 1);
      check_product(B, 0);
    }
  }
  CHECK(hp_bsr_order_of(7).groups == 1 && hp_bsr_order_of(17).groups > 1 && hp_bsr_order_of(65).strips == 2 &&
        hp_bsr_order_of(64).strips == 1);
}

/* Rows cut at lambda: the pieces' limits, and nothing of it left when they are whole again. */
static void test_pieces(void) {
  const int32_t begin[] = {0, 3, 3, 4, 11};
  const int32_t column[] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2};
  hp_bsr *B = NULL;
  CHECK_OK(hp_bsr_create(2, 4, begin, column, &B));
  CHECK_OK(hp_bsr_cut(B, 3));
  CHECK(B->npiece == 6 && B->nlong == 1 && B->long_row[0] == 3 && B->nslot == 3);
  CHECK(B->piece_begin[3] == 4 && B->piece_begin[4] == 7 && B->piece_begin[5] == 10 && B->piece_begin[6] == 11);
  CHECK(B->piece_row[1] == 1 && B->piece_row[3] == -1 && B->piece_row[5] == -3);
  const int64_t bytes = hp_bsr_product_bytes(B);
  CHECK_OK(hp_bsr_cut(B, 100));
  CHECK(B->npiece == 4 && B->nlong == 0 && B->nslot == 0 && hp_bsr_product_bytes(B) < bytes);
  CHECK_OK(hp_bsr_cut(B, 0));
  CHECK(B->npiece == 0 && B->piece_begin == NULL);
  hp_bsr_destroy(&B);
}

/* Values set again, rows in another order: those that B, made of G, has. */
static void check_fill(const hp_gh *G, const hp_bsr *B) {
  const size_t bytes = (size_t)(B->nblock * B->q * B->q) * sizeof *B->value;
  hp_bsr *C = NULL;
  CHECK_OK(hp_bsr_pattern(G, &C));
  CHECK(C->nrow == B->nrow && C->nblock == B->nblock &&
        memcmp(C->begin, B->begin, (size_t)(B->nrow + 1) * sizeof *B->begin) == 0 &&
        memcmp(C->column, B->column, (size_t)B->nblock * sizeof *B->column) == 0);
  for (int64_t k = 0; k < B->nblock * B->q * B->q; ++k) CHECK(C->value[k] == 0.0);
  for (int round = 0; round < 2; ++round)
    for (int64_t i = G->rows - 1; i >= 0; --i) hp_bsr_fill_row(C, G, i);
  CHECK(memcmp(C->value, B->value, bytes) == 0);
  hp_bsr_destroy(&C);
}

/* A cell connected to many, as a numerical aquifer's; in the pieces that solves on a GPU make. */
static void test_hub(void) {
  hp_gh *G = NULL;
  hp_bsr *B = NULL;
  CHECK_OK(matrix_random_gh(9, 11, 10, 3, 0, 0.1, 5, &G));
  CHECK_OK(matrix_add_hub(G, 150, 6));
  CHECK_OK(hp_bsr_from_gh(G, &B));
  check_fill(G, B);
  CHECK(hp_bsr_longest_row(B) == B->begin[1] && B->begin[1] > 100);
  check_product(B, 32);
  hp_gh_destroy(&G);
}

/* The cells' rows of GH, with connections: as GH multiplies; entries of blocks where they belong. */
static void test_gh(void) {
  static const int shapes[][4] = {{4, 3, 5, 1}, {4, 3, 5, 2}, {1, 6, 4, 3}, {5, 1, 1, 4}, {3, 4, 1, 2}, {2, 2, 3, 8}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
    const int *n = shapes[s], q = n[3];
    hp_family f = hp_family_default(n[0], n[1], n[2], q);
    hp_gh *G = NULL;
    hp_bsr *B = NULL;
    f.nwell = 0;
    f.connections = 4;
    CHECK_OK(hp_family_create(&f, &G));
    CHECK_OK(hp_bsr_from_gh(G, &B));
    check_fill(G, B);
    for (int64_t m = 0; m < B->nrow; ++m)
      for (int64_t p = B->begin[m] + 1; p < B->begin[m + 1]; ++p) CHECK(B->column[p - 1] < B->column[p]);
    double *x = NULL, *y = NULL;
    CHECK_OK(HP_ALLOC(x, G->n));
    CHECK_OK(HP_ALLOC(y, G->n));
    hp_family_vector(5, G->n, x);
    CHECK_OK(hp_team_run(hub[1], body, &(job){.G = G, .x = x, .y = y}));
    CHECK(difference(B, x, y) < 1e-14);
    HP_FREE(x);
    HP_FREE(y);
    hp_gh_destroy(&G);
    check_product(B, 0);
  }
}

/* Shares of B: all rows once and in order, about as many blocks in each; products of them have the bits of B's. Frees B. */
static void check_shares(hp_bsr *B, int cut) {
  const int64_t n = B->nrow * B->q;
  double *x = NULL, *y = NULL, *right = NULL, *partial = NULL;
  int64_t first[41], longest = hp_bsr_longest_row(B);
  CHECK_OK(hp_bsr_cut(B, cut));
  CHECK_OK(HP_ALLOC(x, n));
  CHECK_OK(HP_ALLOC(y, n));
  CHECK_OK(HP_ALLOC(right, n));
  CHECK_OK(HP_ALLOC(partial, B->nslot * B->q));
  hp_family_vector(7, n, x);
  CHECK_OK(hp_team_run(hub[0], body, &(job){.B = B, .x = x, .y = right, .partial = partial}));
  for (int count = 1; count <= 40 && count <= B->nrow; count += count < 5 ? 1 : 7) {
    for (int64_t i = 0; i < n; ++i) y[i] = NAN;
    CHECK_OK(hp_bsr_shares(B, count, first));
    CHECK(first[0] == 0 && first[count] == B->nrow);
    for (int k = 0; k < count; ++k) {
      hp_bsr view;
      CHECK(first[k] < first[k + 1]);
      CHECK_OK(hp_bsr_view(B, first[k], first[k + 1], &view));
      CHECK(view.longest == cut && view.nrow == first[k + 1] - first[k]);
      CHECK(view.nblock <= B->nblock / count + longest + 1 || view.nrow == 1 || B->nrow < 2 * count);
      CHECK_OK(hp_team_run(hub[1], body, &(job){.B = &view, .x = x, .y = y + first[k] * B->q, .partial = partial}));
      hp_bsr_view_release(&view);
    }
    CHECK(memcmp(y, right, (size_t)n * sizeof *y) == 0);
  }
  CHECK(hp_bsr_shares(B, (int)B->nrow + 1, first) == HP_ERR_USAGE);
  CHECK(hp_bsr_shares(B, 0, first) == HP_ERR_USAGE);
  HP_FREE(x);
  HP_FREE(y);
  HP_FREE(right);
  HP_FREE(partial);
  hp_bsr_destroy(&B);
}

static void test_shares(void) {
  static const int sizes[] = {1, 2, 3, 7, 16, 17, 66};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s)
    for (int cut = 0; cut <= 4; cut += 4) {
      hp_bsr *B = NULL;
      CHECK_OK(hp_bsr_tailed(61, sizes[s], 3 + s, &B));
      check_shares(B, cut);
      CHECK_OK(hp_bsr_dual(3, 4, 2, sizes[s], 1, &B));
      check_shares(B, cut);
    }
  /* all blocks in the first row, and in the last */
  const int32_t early[] = {0, 6, 6, 6, 6}, late[] = {0, 0, 0, 0, 4}, column[] = {0, 1, 2, 3, 0, 1};
  hp_bsr *B = NULL;
  CHECK_OK(hp_bsr_create(3, 4, early, column, &B));
  check_shares(B, 2);
  CHECK_OK(hp_bsr_create(3, 4, late, column, &B));
  check_shares(B, 0);
}

/* Table II of Abdelfattah et al. 2016: 294000 block rows, 2315600 blocks. */
static void test_dual(void) {
  hp_bsr *B = NULL;
  CHECK_OK(hp_bsr_dual(70, 70, 30, 1, 1, &B));
  CHECK(B->nrow == 294000 && B->nblock == 2315600);
  hp_bsr_destroy(&B);
  CHECK_OK(hp_bsr_dual(3, 4, 2, 7, 1, &B));
  CHECK(B->column[0] == 0 && B->column[B->begin[1] - 1] == 24 && B->column[B->begin[24]] == 0);
  for (int64_t m = 0; m < B->nrow; ++m)
    for (int64_t p = B->begin[m] + 1; p < B->begin[m + 1]; ++p) CHECK(B->column[p - 1] < B->column[p]);
  check_product(B, 0);
  CHECK_OK(hp_bsr_band(20, 27 < 20 ? 27 : 9, 5, 1, &B));
  CHECK(B->nblock == 180 && B->column[0] == 0 && B->column[179] == 19);
  check_product(B, 4);
  CHECK(hp_bsr_band(8, 9, 1, 1, &B) == HP_ERR_USAGE);
}

/* Lengths of `tailed` vary by more than a hundred times, columns rise and stay inside. */
static void test_tailed(void) {
  hp_bsr *B = NULL;
  int64_t longest = 0;
  CHECK_OK(hp_bsr_tailed(20000, 1, 2, &B));
  for (int64_t m = 0; m < B->nrow; ++m) {
    const int64_t length = B->begin[m + 1] - B->begin[m];
    if (length > longest) longest = length;
    CHECK(length >= 3);
    for (int64_t p = B->begin[m]; p < B->begin[m + 1]; ++p)
      CHECK(B->column[p] >= 0 && B->column[p] < B->nrow && (p == B->begin[m] || B->column[p - 1] < B->column[p]));
  }
  CHECK(longest > 500 && B->nblock < 30 * B->nrow);
  hp_bsr_destroy(&B);
}

/* Rows of `scattered` have 2 to 12 blocks, about seven, of which few are near the diagonal; columns rise and stay inside. */
static void test_scattered(void) {
  hp_bsr *B = NULL;
  int64_t near = 0;
  CHECK_OK(hp_bsr_scattered(20000, 1, 2, &B));
  for (int64_t m = 0; m < B->nrow; ++m) {
    const int64_t length = B->begin[m + 1] - B->begin[m];
    CHECK(length >= 2 && length <= 12);
    for (int64_t p = B->begin[m]; p < B->begin[m + 1]; ++p) {
      CHECK(B->column[p] >= 0 && B->column[p] < B->nrow && (p == B->begin[m] || B->column[p - 1] < B->column[p]));
      near += llabs(B->column[p] - m) < 1000;
    }
  }
  CHECK(B->nblock > 6 * B->nrow && B->nblock < 8 * B->nrow && near < B->nblock / 5);
  hp_bsr_destroy(&B);
  for (int64_t rows = 1; rows <= 14; rows += 13) {
    CHECK_OK(hp_bsr_scattered(rows, 3, 2, &B));
    check_product(B, 0);
  }
}

static void test_errors(void) {
  const int32_t begin[] = {0, 1};
  const int32_t column[] = {0};
  hp_bsr *B = NULL;
  hp_sparse *F = NULL;
  CHECK(hp_bsr_create(0, 1, begin, column, &B) == HP_ERR_USAGE && B == NULL);
  CHECK(hp_bsr_create(HP_BSR_Q_MAX + 1, 1, begin, column, &B) == HP_ERR_USAGE);
  CHECK(strstr(hp_fail_text(), "must be 1 x 1 to 1024 x 1024") != NULL);
  /* refused before anything is allocated */
  CHECK(hp_bsr_check_size(1024, INT64_C(2097152), 1) == HP_ERR_UNSUPPORTED);
  CHECK(strstr(hp_fail_text(), "2097152 block rows of 1024, ") != NULL);
  CHECK_OK(hp_bsr_check_size(1024, INT64_C(2097151), INT32_MAX));
  CHECK(hp_bsr_band(INT64_C(1) << 62, 27, 1, 1, &B) == HP_ERR_UNSUPPORTED && B == NULL);
  CHECK(hp_bsr_band(100000000, 27, 1, 1, &B) == HP_ERR_UNSUPPORTED && B == NULL);
  CHECK(strstr(hp_fail_text(), "2700000000 blocks") != NULL);
  CHECK(hp_bsr_tailed(INT64_C(1) << 31, 1, 1, &B) == HP_ERR_UNSUPPORTED && B == NULL);
  CHECK(hp_bsr_scattered(INT64_C(1) << 28, 1, 1, &B) == HP_ERR_UNSUPPORTED && B == NULL);
  CHECK(hp_bsr_dual(1000, 1000, 200, 1, 1, &B) == HP_ERR_UNSUPPORTED && B == NULL);
  CHECK_OK(hp_bsr_create(3, 1, begin, column, &B));
  CHECK(hp_bsr_to_sparse(B, HP_SPARSE_DIA, &F) == HP_ERR_UNSUPPORTED && F == NULL);
  hp_bsr_destroy(&B);
}

/* q = 1 keeps the values of a csr matrix, larger blocks have the pattern. */
static void test_promote(void) {
  hp_gh *G = NULL;
  hp_sparse *csr = NULL;
  hp_bsr *B = NULL;
  CHECK_OK(matrix_random_gh(3, 4, 2, 1, 0, 0.1, 7, &G));
  CHECK_OK(hp_sparse_create(G, NULL, HP_SPARSE_CSR, &csr));
  hp_sparse_set(csr, G);
  CHECK_OK(hp_bsr_promote(csr, 1, 1, &B));
  CHECK(memcmp(B->value, csr->value, (size_t)csr->count * sizeof(double)) == 0);
  check_product(B, 0);
  CHECK_OK(hp_bsr_promote(csr, 6, 1, &B));
  CHECK(B->nrow == csr->n && B->nblock == csr->count && B->q == 6);
  CHECK(memcmp(B->column, csr->column, (size_t)csr->count * sizeof(int32_t)) == 0);
  check_product(B, 0);
  hp_sparse_destroy(&csr);
  hp_gh_destroy(&G);
}

int main(void) {
  static const int members[HUBS] = {1, 2, 5};
  for (int h = 0; h < HUBS; ++h) CHECK_OK(hp_team_hub_create(members[h], NULL, &hub[h]));
  test_sizes();
  test_pieces();
  test_gh();
  test_hub();
  test_shares();
  test_dual();
  test_tailed();
  test_scattered();
  test_errors();
  test_promote();
  for (int h = 0; h < HUBS; ++h) hp_team_hub_destroy(&hub[h]);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
