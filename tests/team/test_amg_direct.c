#define _GNU_SOURCE
/* The last level's factors and inverse: the bits of plain loops by one member, for teams whose ownership rotates, for
 * sizes around those of blocks; rows are exchanged, and one unknown is undetermined. In a fraction of the plain loops'
 * time. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "amg/setup/direct.h"
#include "core/memory.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

typedef struct {
  int64_t n;
  double *lu, *scale, *inverse;
  int32_t *pivot;
} factors;

static factors factors_of(int64_t n) {
  factors F = {.n = n};
  CHECK_OK(HP_ALLOC(F.lu, n * n));
  CHECK_OK(HP_ALLOC(F.inverse, n * n));
  CHECK_OK(HP_ALLOC(F.scale, n));
  CHECK_OK(HP_ALLOC(F.pivot, n));
  return F;
}

static void factors_free(factors *F) {
  HP_FREE(F->lu);
  HP_FREE(F->inverse);
  HP_FREE(F->scale);
  HP_FREE(F->pivot);
}

static bool same(const factors *a, const factors *b) {
  const size_t n = (size_t)a->n;
  return memcmp(a->lu, b->lu, n * n * sizeof *a->lu) == 0 &&
         memcmp(a->inverse, b->inverse, n * n * sizeof *a->inverse) == 0 &&
         memcmp(a->scale, b->scale, n * sizeof *a->scale) == 0 && memcmp(a->pivot, b->pivot, n * sizeof *a->pivot) == 0;
}

/* About 12 entries a row; the diagonal is weak, so that rows are exchanged. The last two rows are the same. */
static void matrix_of(int64_t n, uint64_t seed, hp_csr *A) {
  memset(A, 0, sizeof *A);
  A->nrow = A->ncol = (int32_t)n;
  CHECK_OK(HP_ALLOC(A->begin, n + 1));
  CHECK_OK(HP_ALLOC(A->column, n * n));
  CHECK_OK(HP_ALLOC(A->value, n * n));
  int32_t e = 0;
  for (int64_t i = 0; i < n; ++i) {
    const int32_t before = A->begin[i];
    for (int64_t j = 0; j < n; ++j) {
      if (i == n - 1 && n > 2) break;
      if (i != j && matrix_random(&seed) * (double)n > 12.0 - (double)n) continue;
      A->column[e] = (int32_t)j;
      A->value[e++] = matrix_random(&seed);
    }
    for (int32_t k = before > 0 ? A->begin[i - 1] : 0; i == n - 1 && n > 2 && k < before; ++k) {
      A->column[e] = A->column[k];
      A->value[e++] = A->value[k];
    }
    A->begin[i + 1] = e;
  }
}

/* As in a textbook. */
static void plain(const hp_csr *A, factors *F) {
  const int64_t n = F->n;
  double *lu = F->lu;
  for (int64_t i = 0; i < n; ++i) {
    double most = 0.0;
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) most = fmax(most, fabs(A->value[k]));
    F->scale[i] = most > 0.0 ? 1.0 / most : 0.0;
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k) lu[i * n + A->column[k]] = A->value[k] * F->scale[i];
  }
  for (int64_t c = 0; c < n; ++c) {
    int64_t p = c;
    for (int64_t i = c + 1; i < n; ++i)
      if (fabs(lu[i * n + c]) > fabs(lu[p * n + c])) p = i;
    F->pivot[c] = (int32_t)p;
    for (int64_t k = 0; k < n && p != c; ++k) {
      const double v = lu[c * n + k];
      lu[c * n + k] = lu[p * n + k];
      lu[p * n + k] = v;
    }
    const double inverse = fabs(lu[c * n + c]) > 1e-13 ? 1.0 / lu[c * n + c] : 0.0;
    lu[c * n + c] = inverse;
    for (int64_t i = c + 1; i < n; ++i) {
      const double f = lu[i * n + c] * inverse;
      lu[i * n + c] = f;
      for (int64_t k = c + 1; k < n && f != 0.0; ++k) lu[i * n + k] -= f * lu[c * n + k];
    }
  }
  for (int64_t c = 0; c < n; ++c) {
    double *x = F->inverse + c * n;
    x[c] = F->scale[c];
    for (int64_t i = 0; i < n; ++i) {
      const double v = x[i];
      x[i] = x[F->pivot[i]];
      x[F->pivot[i]] = v;
    }
    for (int64_t i = 0; i < n; ++i)
      for (int64_t k = 0; k < i; ++k) x[i] -= lu[i * n + k] * x[k];
    for (int64_t i = n - 1; i >= 0; --i) {
      for (int64_t k = i + 1; k < n; ++k) x[i] -= lu[i * n + k] * x[k];
      x[i] *= lu[i * n + i];
    }
  }
}

static void body(hp_team *t, void *arg) {
  const hp_amg *H = arg;
  hp_amg_factorize(t, H);
  hp_team_sync(t); /* the factors */
  hp_amg_invert(t, H);
}

static void by_team(hp_team_hub *hub, hp_csr *A, factors *F) {
  static hp_amg H;
  H.nlevel = 1;
  H.level[0].A = A;
  H.lu = F->lu;
  H.lu_scale = F->scale;
  H.pivot = F->pivot;
  H.inverse = F->inverse;
  CHECK_OK(hp_team_run(hub, body, &H));
}

static void csr_free(hp_csr *A) {
  HP_FREE(A->begin);
  HP_FREE(A->column);
  HP_FREE(A->value);
}

/* Against the plain loops. */
static void test_bits(hp_team_hub **hub, int hubs) {
  static const int sizes[] = {1, 2, 15, 16, 17, 33, 64, 128, 129, 160, 161, 207, 300};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
    const int64_t n = sizes[s];
    hp_csr A;
    factors want = factors_of(n);
    matrix_of(n, 3 + s, &A);
    plain(&A, &want);
    int64_t exchanges = 0, undetermined = 0;
    for (int64_t c = 0; c < n; ++c) {
      exchanges += want.pivot[c] != c;
      undetermined += want.lu[c * n + c] == 0.0;
    }
    CHECK(n < 15 || (exchanges > n / 2 && undetermined == 1));
    for (int h = 0; h < hubs; ++h) {
      factors got = factors_of(n);
      by_team(hub[h], &A, &got);
      CHECK(same(&got, &want));
      factors_free(&got);
    }
    factors_free(&want);
    csr_free(&A);
  }
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* By one member, whose processor time does not count what else the machine does. */
static void test_time(hp_team_hub *one) {
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  enum { N = 600 };
  double best[2] = {1e30, 1e30};
  hp_csr A;
  matrix_of(N, 1, &A);
  for (int round = 0; round < 3; ++round)
    for (int k = 0; k < 2; ++k) {
      factors F = factors_of(N);
      const double began = cpu_seconds();
      if (k == 0) plain(&A, &F);
      else by_team(one, &A, &F);
      const double taken = cpu_seconds() - began;
      if (taken < best[k]) best[k] = taken;
      factors_free(&F);
    }
  printf("%d rows: plain loops %.4f s, blocks %.4f s\n", (int)N, best[0], best[1]);
  CHECK(best[1] < 0.85 * best[0]);
  csr_free(&A);
#else
  (void)one;
  (void)cpu_seconds;
#endif
}

int main(void) {
  enum { HUBS = 5 };
  static const int members[HUBS] = {1, 2, 3, 4, 8};
  hp_team_hub *hub[HUBS];
  for (int h = 0; h < HUBS; ++h) {
    const hp_team_options opt = {.rotate = (uint32_t)h};
    CHECK_OK(hp_team_hub_create(members[h], &opt, &hub[h]));
  }
  test_bits(hub, HUBS);
  test_time(hub[0]);
  for (int h = 0; h < HUBS; ++h) hp_team_hub_destroy(&hub[h]);
  return check_result();
}
