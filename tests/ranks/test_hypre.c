/* hypre's BoomerAMG over ranks: its cycles, by themselves, bring a system's solution whose product is the right-hand side, in
 * about as many steps as on one process, for every partition; new numbers; the ranks end MPI, not hypre. */
#include "amg/hypre/module.h"
#include "amg/hypre/ranks.h"
#include "tests/ranks/amg_parts.h"
#include "tests/support/amg_matrices.h"

/* x [n] of all ranks' own entries. */
static void gather(hp_ranks *K, const amg_part *p, const double *mine, double *work, double *x) {
  const int32_t nowned = p->A->nrow;
  int64_t begin[64];
  double *row = work + p->n;
  double *rows = work;
  hp_ranks_begins(K, nowned, begin);
  for (int32_t m = 0; m < nowned; ++m) row[m] = p->row[m];
  hp_ranks_gather_to_all(K, row, rows, begin, sizeof *rows);
  hp_ranks_gather_to_all(K, mine, row, begin, sizeof *mine);
  for (int32_t i = 0; i < p->n; ++i) x[(int32_t)rows[i]] = row[i];
}

/* Cycles x += M^-1 (b - A x) until |b - A x| is 1e-8 |b|. */
static int solve(hp_ranks *K, hp_hypre_ranks *H, const hp_csr *A, const amg_part *p) {
  enum { MOST = 60 };
  const int32_t n = A->nrow;
  double *v = NULL, first = 0.0;
  int steps = 0;
  CHECK_OK(HP_ALLOC(v, 6 * (int64_t)n));
  double *x = v, *r = v + n, *correction = v + 2 * n, *mine = v + 3 * n, *work = v + 4 * n;
  for (;; ++steps) {
    double norm = 0.0;
    for (int32_t i = 0; i < n; ++i) {
      r[i] = sin(i + 1.0) - hp_csr_dot(A, i, x);
      norm += r[i] * r[i];
    }
    if (steps == 0) first = norm;
    if (norm <= 1e-16 * first || steps == MOST) break;
    for (int32_t m = 0; m < p->A->nrow; ++m) mine[m] = r[p->row[m]];
    hp_hypre_ranks_cycle(H, mine, correction);
    gather(K, p, correction, work, r);
    for (int32_t i = 0; i < n; ++i) x[i] += r[i];
  }
  HP_FREE(v);
  return steps;
}

static void check_partition(hp_ranks *K, const hp_amg_options *opt, hp_csr *A, int32_t nwell, int partition,
                            int *steps) {
  hp_hypre_ranks *H = NULL;
  amg_part p;
  amg_extract_part(K, A, nwell, partition, 4, &p);
  CHECK_OK(hp_hypre_ranks_create(K, opt, &H));
  CHECK_OK(hp_hypre_ranks_build(H, &p.rows));
  const hp_hypre_result *R = hp_hypre_ranks_result(H);
  CHECK(R->levels > 2 && R->operators > 1.0);
  *steps = solve(K, H, A, &p);
  for (int32_t k = 0; k < hp_csr_count(p.A); ++k) p.A->value[k] *= 3.0;
  for (int32_t k = 0; k < hp_csr_count(A); ++k) A->value[k] *= 3.0;
  CHECK_OK(hp_hypre_ranks_set_up(H));
  CHECK(solve(K, H, A, &p) == *steps);
  for (int32_t k = 0; k < hp_csr_count(A); ++k) A->value[k] /= 3.0;
  hp_hypre_ranks_destroy(&H);
  amg_free_part(&p);
}

static void check_partitions(hp_ranks *K, const amg_reservoir *r, hp_amg_smoother smoother) {
  hp_amg_options opt = hp_amg_default_options();
  hp_csr *A = NULL;
  int least = 0, steps;
  opt.smoother = smoother;
  opt.damping = 0.8;
  CHECK_OK(amg_reservoir_csr(r, &A));
  check_partition(K, &opt, A, r->nwell, AMG_ONE_HAS_ALL, &least);
  CHECK(least > 2 && least < 40);
  for (int partition = 0; partition < AMG_PARTITIONS; ++partition) {
    check_partition(K, &opt, A, r->nwell, partition, &steps);
    CHECK(steps <= 2 * least && steps >= least / 2);
  }
  hp_csr_destroy(&A);
}

int main(void) {
  if (hp_ranks_refusal() != NULL) return CHECK_SKIPPED;
  hp_ranks *K = NULL;
  CHECK_OK(hp_ranks_open(&K));
  const bool has = hp_hypre_refusal() == NULL;
  const amg_reservoir even = {.nx = 14, .ny = 12, .nz = 9, .decades = 0.0, .vertical = 1.0, .storage = 0.1, .seed = 6};
  const amg_reservoir rough = {
      .nx = 14, .ny = 12, .nz = 9, .decades = 3.0, .vertical = 0.2, .storage = 0.1, .nwell = 3, .seed = 7};
  if (has) {
    check_partitions(K, &even, HP_AMG_DAMPED_JACOBI);
    check_partitions(K, &rough, HP_AMG_HYBRID);
  } else {
    const hp_amg_options opt = hp_amg_default_options();
    hp_hypre_ranks *H = NULL;
    CHECK(hp_hypre_ranks_create(K, &opt, &H) == HP_ERR_UNSUPPORTED && H == NULL);
  }
  int64_t failures = check_failures;
  hp_ranks_sum(K, &failures, 1);
  hp_ranks_close(&K);
  return failures > 0 ? 1 : check_result();
}
