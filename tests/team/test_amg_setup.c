/* Hierarchies set up by 1, 2, 3 and 8 members whose ownership rotates: the same bits, for every coarsening and
 * interpolation, and those of a build by the caller alone. */
#include <string.h>

#include "amg/amg.h"
#include "amg/cycle/numbers.inl.h"
#include "core/memory.h"
#include "tests/support/amg_matrices.h"
#include "tests/support/check.h"

typedef struct {
  hp_amg *H;
  hp_csr *A;
  int nwell;
  hp_status status[HP_TEAM_MAX];
} job;

static void build(hp_team *t, void *arg) {
  job *j = arg;
  j->status[t->rank] = hp_amg_build_by(t, j->H, j->A, j->nwell);
}

static void same_matrix(const hp_csr *a, const hp_csr *b) {
  CHECK(a->nrow == b->nrow && a->ncol == b->ncol);
  CHECK(memcmp(a->begin, b->begin, ((size_t)a->nrow + 1) * sizeof *a->begin) == 0);
  const size_t count = (size_t)hp_csr_count(a);
  if (count == 0 || hp_csr_count(b) != hp_csr_count(a)) return;
  CHECK(memcmp(a->column, b->column, count * sizeof *a->column) == 0);
  CHECK(memcmp(a->value, b->value, count * sizeof *a->value) == 0);
}

/* Bytes between rows' places are not looked at. */
static void same_plan(const hp_csr *A, const hp_csr *B, const hp_csr *C, const hp_csr_plan *a, const hp_csr_plan *b) {
  CHECK(memcmp(a->begin, b->begin, ((size_t)C->nrow + 1) * sizeof *a->begin) == 0);
  for (int32_t i = 0; i < C->nrow; ++i) {
    int64_t count = 0;
    for (int64_t k = A->begin[i]; k < A->begin[i + 1]; ++k)
      count += B->begin[A->column[k] + 1] - B->begin[A->column[k]];
    const size_t bytes = (size_t)(count * hp_csr_place_bytes(C->begin[i + 1] - C->begin[i]));
    if (bytes > 0) CHECK(memcmp(a->place + a->begin[i], b->place + b->begin[i], bytes) == 0);
  }
}

static void same(const hp_amg *a, const hp_amg *b) {
  CHECK(a->nlevel == b->nlevel && a->nlevel > 1);
  for (int l = 0; l < a->nlevel && l < b->nlevel; ++l) {
    const hp_amg_level *L = &a->level[l], *M = &b->level[l];
    CHECK(L->ncell == M->ncell);
    same_matrix(L->A, M->A);
    if (l + 1 >= a->nlevel || l + 1 >= b->nlevel) continue;
    same_matrix(L->P, M->P);
    same_matrix(L->R, M->R);
    same_matrix(L->AP, M->AP);
    same_plan(L->A, L->P, L->AP, &L->plan_ap, &M->plan_ap);
    same_plan(L->R, L->AP, a->level[l + 1].A, &L->plan_rap, &M->plan_rap);
  }
}

/* By a team; twice, so that what a build leaves behind does not matter to the next. */
static void by_team(int size, const hp_amg_options *opt, hp_csr *A, int nwell, const hp_amg *expected) {
  const hp_team_options team = {.time_limit = 60.0, .rotate = (uint32_t)size, .gpus = size > 2 ? 2 : 0};
  hp_team_hub *hub;
  job j = {.A = A, .nwell = nwell};
  CHECK_OK(hp_team_hub_create(size, &team, &hub));
  CHECK_OK(hp_amg_create(opt, &j.H));
  for (int round = 0; round < 2; ++round) {
    CHECK_OK(hp_team_run(hub, build, &j));
    for (int r = 0; r < size; ++r) CHECK(j.status[r] == HP_OK);
    same(expected, j.H);
  }
  CHECK(j.H->builds == 2);
  hp_amg_destroy(&j.H);
  hp_team_hub_destroy(&hub);
}

int main(void) {
  static const int sizes[] = {1, 2, 3, 8};
  const amg_reservoir r = {.nx = 14,
                           .ny = 13,
                           .nz = 9,
                           .decades = 4.0,
                           .vertical = 0.1,
                           .storage = 1e-3,
                           .inactive = 9,
                           .nwell = 4,
                           .seed = 3};
  hp_csr *A;
  CHECK_OK(amg_reservoir_csr(&r, &A));
  for (int variant = 0; variant < HP_AMG_COARSENING_COUNT * HP_AMG_INTERPOLATION_COUNT; ++variant) {
    hp_amg_options opt = hp_amg_default_options();
    opt.coarsening = (hp_amg_coarsening)(variant % HP_AMG_COARSENING_COUNT);
    opt.interpolation = (hp_amg_interpolation)(variant / HP_AMG_COARSENING_COUNT);
    opt.max_weights = variant % 3 == 0 ? 0 : 4;
    opt.coarsest = 10;
    hp_amg *H;
    CHECK_OK(hp_amg_create(&opt, &H));
    CHECK_OK(hp_amg_build(H, A, r.nwell));
    for (size_t s = (size_t)(variant % check_every(3)); s < sizeof sizes / sizeof *sizes; s += (size_t)check_every(3))
      by_team(sizes[s], &opt, A, r.nwell, H);
    hp_amg_destroy(&H);
  }
  hp_csr_destroy(&A);
  return check_result();
}
