/* Time of products, preconditioners and iterations of a Krylov method on the CPU team,
 * beside the bandwidth that the same team reaches when it copies. The fastest
 * of many repetitions is reported, of the solves the fastest of five.
 *
 *     bench_linsolve [nx ny nz [members [iterations [method]]]]      default 60 60 7 2 200 bicgstab
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/profile.h"
#include "linsolve/krylov/krylov.h"
#include "linsolve/krylov/precond.inl.h"
#include "linsolve/product/spmv.inl.h"
#include "tests/support/matrices.h"

typedef enum { COPY, READ, PRODUCT, APPLY } what;

typedef struct {
  what kind;
  const hp_gh *A;
  const hp_precond *P;
  double *x, *y;
  int64_t length; /* of the copy */
  int repeats;
  double seconds; /* of the fastest */
} job;

static void body(hp_team *t, void *p) {
  job *j = p;
  double s[1];
  for (int n = 0; n < j->repeats; ++n) {
    hp_team_sync(t);
    const double start = hp_now();
    switch (j->kind) {
      case COPY: HP_TEAM_FOR_OWNED(t, i, j->length) j->y[i] = j->x[i]; break;
      case READ: HP_TEAM_REDUCE_OWNED(t, i, j->length, 1) { HP_ACC(0) += j->x[i];
        }
        HP_TEAM_REDUCE_END(t);
        hp_team_sum(t, j->length, 1, s);
        break;
      case PRODUCT: hp_gh_mul(t, j->A, j->x, j->y); break;
      case APPLY: hp_krylov_precond_apply(t, j->P, j->A, j->x, j->y); break;
    }
    hp_team_sync(t);
    const double seconds = hp_now() - start;
    if (t->rank == 0 && (n == 0 || seconds < j->seconds)) j->seconds = seconds;
  }
}

/* The fastest, one barrier included, in microseconds and GB/s. */
static hp_status report(hp_team_hub *hub, job *j, const char *text, int64_t bytes) {
  HP_TRY(hp_team_run(hub, body, j));
  printf("%-34s %10.1f us  %8.2f MB  %6.1f GB/s\n", text, j->seconds * 1e6, (double)bytes * 1e-6,
         (double)bytes / j->seconds * 1e-9);
  return HP_OK;
}

static hp_status bench_method(hp_team_hub *hub, const hp_gh *A, job *j, const double *b, double *x,
                              hp_krylov_options opt) {
  hp_krylov *K;
  hp_krylov_report r;
  HP_TRY(hp_krylov_create(hub, A, &opt, &K));
  double start = hp_now();
  HP_TRY(hp_krylov_setup(K, A));
  const double setup = hp_now() - start;
  char text[100];
  snprintf(text, sizeof text, "%s, %s, %s", hp_precond_name(opt.preconditioner), hp_ordering_name(opt.ordering),
           hp_precision_name(opt.precision));
  j->kind = APPLY;
  j->P = hp_krylov_precond(K);
  if (opt.preconditioner != HP_PRECOND_NONE) HP_TRY(report(hub, j, text, j->P->apply_bytes));
  double solve = 1e30;
  for (int n = 0; n < 5; ++n) {
    start = hp_now();
    HP_TRY(hp_krylov_solve(K, A, b, x, NULL, &r));
    if (hp_now() - start < solve) solve = hp_now() - start;
  }
  printf("  %s: setup %.0f us, %d iterations, %.1f us each, %.2f barriers each, |r|/|b| %.1e: %s\n",
         hp_krylov_method_name(opt.method), setup * 1e6, r.iterations, solve / r.iterations * 1e6,
         (double)r.barriers / r.iterations, r.residual / r.norm_b, hp_krylov_reason_text(r.reason));
  hp_krylov_destroy(&K);
  return HP_OK;
}

static hp_status run(int nx, int ny, int nz, int members, int iterations, hp_krylov_method method) {
  hp_team_hub *hub;
  hp_gh *A;
  double *b = NULL, *x = NULL, *y = NULL;
  HP_TRY(hp_team_hub_create(members, NULL, &hub));
  HP_TRY(matrix_flow(nx, ny, nz, 5, 3.0, 1e-4, 7, &A));
  HP_TRY(HP_ALLOC(b, A->n));
  HP_TRY(HP_ALLOC(x, A->n));
  HP_TRY(HP_ALLOC(y, A->ld * 14));
  uint64_t seed = 5;
  for (int64_t i = 0; i < A->n; ++i) b[i] = matrix_random(&seed);
  job j = {COPY, A, NULL, A->h, y, A->ld * 7, 20000000 / (int)A->ncell + 1, 0.0};
  printf("%d x %d x %d cells, %d members\n", nx, ny, nz, members);
  HP_TRY(report(hub, &j, "copy of half the matrix", 16 * j.length));
  j.kind = READ;
  j.length *= 2;
  HP_TRY(report(hub, &j, "sum of all entries", 8 * j.length));
  j.x = b;
  j.kind = PRODUCT;
  HP_TRY(report(hub, &j, "y = A x", hp_gh_product_bytes(A)));
  hp_krylov_options opt = {.method = method, .tolerance = 1e-12, .max_iterations = iterations, .restart = 30};
  for (int k = 0; k < HP_PRECOND_COUNT; ++k) {
    opt.preconditioner = (hp_precond_kind)k;
    for (int o = 0; o < (k == HP_PRECOND_DILU ? HP_ORDER_COUNT : 1); ++o)
      for (int p = 0; p < (k == HP_PRECOND_DILU ? HP_PRECISION_COUNT : 1); ++p) {
        opt.ordering = (hp_ordering)o;
        opt.precision = (hp_precision)p;
        HP_TRY(bench_method(hub, A, &j, b, x, opt));
      }
  }
  hp_gh_destroy(&A);
  HP_FREE(b);
  HP_FREE(x);
  HP_FREE(y);
  hp_team_hub_destroy(&hub);
  return HP_OK;
}

int main(int argc, char **argv) {
  int v[5] = {60, 60, 7, 2, 200};
  for (int n = 0; n < 5 && n + 1 < argc; ++n) v[n] = atoi(argv[n + 1]);
  hp_krylov_method method = HP_KRYLOV_BICGSTAB;
  if (argc > 6 && !hp_krylov_method_find(argv[6], &method)) {
    fprintf(stderr, "bench_linsolve: no method '%s'\n", argv[6]);
    return 2;
  }
  if (run(v[0], v[1], v[2], v[3], v[4], method) == HP_OK) return 0;
  fprintf(stderr, "bench_linsolve: %s\n", hp_fail_text());
  return 1;
}
