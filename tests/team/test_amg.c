/* A hierarchy refreshed and its cycles by 1, 2, 3 and 8 members whose ownership rotates: the same bits;
 * and a refresh gives the numbers that building the levels' products anew gives. */
#include <string.h>

#include "amg/amg.h"
#include "amg/cycle.inl.h"
#include "core/memory.h"
#include "tests/amg_matrices.h"
#include "tests/check.h"

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

/* x [n] with the matrix that was built, then [n] with other numbers in its pattern. */
static void outcome(hp_team_hub *hub, const hp_amg_options *opt, double *x) {
  const amg_reservoir r = {.nx = 25, .ny = 23, .nz = 11, .decades = 4.0, .vertical = 0.1, .storage = 1e-3,
                           .inactive = 9, .nwell = 4, .seed = 3};
  hp_csr *A;
  hp_amg *H;
  double *b = NULL;
  uint64_t seed = 5;
  CHECK_OK(amg_reservoir_csr(&r, &A));
  CHECK_OK(hp_amg_create(opt, hp_team_hub_size(hub), &H));
  CHECK_OK(hp_amg_build(H, A, r.nwell));
  CHECK_OK(HP_ALLOC(b, A->nrow));
  for (int32_t i = 0; i < A->nrow; ++i) b[i] = matrix_random(&seed);
  job j = {H, b, x};
  CHECK_OK(hp_team_run(hub, run, &j));
  for (int64_t k = 0; k < hp_csr_count(A); ++k) A->value[k] *= 1.0 + 0.2 * matrix_random(&seed);
  for (int32_t i = 0; i < A->nrow; ++i) A->value[A->begin[i]] *= 1.3; /* the diagonal stands first */
  j.x = x + A->nrow;
  CHECK_OK(hp_team_run(hub, run, &j));
  for (int l = 0; l + 1 < H->nlevel; ++l) {
    hp_csr *AP, *C;
    const hp_amg_level *L = &H->level[l];
    CHECK_OK(hp_csr_galerkin(L->R, L->A, L->P, &AP, &C));
    const size_t bytes = (size_t)hp_csr_count(C) * sizeof *C->value;
    CHECK(hp_csr_count(C) == hp_csr_count(H->level[l + 1].A) && memcmp(C->value, H->level[l + 1].A->value, bytes) == 0);
    hp_csr_destroy(&AP);
    hp_csr_destroy(&C);
  }
  HP_FREE(b);
  hp_amg_destroy(&H);
  hp_csr_destroy(&A);
}

int main(void) {
  enum { COUNT = 4, N = 25 * 23 * 11 + 4 };
  static const int sizes[COUNT] = {1, 2, 3, 8};
  static double one[2 * N], other[2 * N];
  for (int variant = 0; variant < 2 * HP_AMG_SMOOTHER_COUNT; ++variant) {
    hp_amg_options opt = hp_amg_default_options();
    opt.smoother = (hp_amg_smoother)(variant / 2);
    opt.cycle = variant % 2 == 0 ? HP_AMG_V : HP_AMG_F;
    opt.pre = 1 + variant % 2;
    if (variant == 1) opt.max_levels = 2; /* a last level that is not factorized */
    for (int h = 0; h < COUNT; ++h) {
      const hp_team_options team = {.time_limit = 60.0, .rotate = (uint32_t)(h + 1)};
      hp_team_hub *hub;
      CHECK_OK(hp_team_hub_create(sizes[h], &team, &hub));
      outcome(hub, &opt, h == 0 ? one : other);
      CHECK(h == 0 || memcmp(one, other, sizeof one) == 0);
      hp_team_hub_destroy(&hub);
    }
    CHECK(memcmp(one, one + N, N * sizeof *one) != 0);
  }
  return check_result();
}
