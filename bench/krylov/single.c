#include "bench/krylov/single.h"

#include "bench/single/device.h"
#include "core/memory.h"
#include "core/profile.h"

struct hp_bench_single {
  const hp_bench_place *place;
  const hp_single *S;
  hp_single_device *device; /* NULL: on the CPU */
  float tolerance;
  int max_iterations;
  float *b, *x, *work; /* [n], [n], [HP_SINGLE_VECTORS n] */
  hp_single_report report;
};

const char *hp_bench_single_refusal(const hp_krylov_options *opt, bool reordered) {
  if (opt->method == HP_KRYLOV_BICGSTAB && opt->preconditioner == HP_PRECOND_NONE &&
      opt->execution == HP_EXECUTION_IN_KERNEL && !opt->specialise && !reordered)
    return NULL;
  return "single precision is of bicgstab without a preconditioner, on a GPU in the execution in-kernel";
}

static hp_status create_single(const hp_bench_system *S, hp_bench_single *K) {
  const int64_t n = S->A->n;
  HP_TRY(HP_ALLOC(K->b, n));
  HP_TRY(HP_ALLOC(K->x, n));
  HP_TRY(HP_ALLOC(K->work, HP_SINGLE_VECTORS * n));
  for (int64_t i = 0; i < n; ++i) K->b[i] = (float)S->b[i];
  return K->place->device != NULL ? hp_single_device_create(K->place->device, K->S, &K->device) : HP_OK;
}

hp_status hp_bench_single_create(const hp_bench_place *place, const hp_bench_system *S, const hp_krylov_options *opt,
                                 hp_bench_single **out) {
  HP_TRY(HP_ALLOC(*out, 1));
  hp_bench_single *K = *out;
  K->place = place;
  K->S = S->single;
  K->tolerance = (float)opt->tolerance;
  K->max_iterations = opt->max_iterations;
  const hp_status s = create_single(S, K);
  if (s != HP_OK) hp_bench_single_destroy(out);
  return s;
}

void hp_bench_single_destroy(hp_bench_single **slot) {
  if (*slot == NULL) return;
  if ((*slot)->device != NULL) hp_single_device_destroy(&(*slot)->device);
  HP_FREE((*slot)->b);
  HP_FREE((*slot)->x);
  HP_FREE((*slot)->work);
  HP_FREE(*slot);
}

static void solve_single(hp_team *t, void *arg) {
  hp_bench_single *K = arg;
  hp_single_solve(t, &K->S->as, K->tolerance, K->max_iterations, K->b, K->x, K->work, &K->report);
}

hp_status hp_bench_single_solve(hp_bench_single *K, double *seconds, int64_t *launches, hp_krylov_report *report) {
  *launches = K->device != NULL;
  if (K->device != NULL) {
    HP_TRY(hp_single_device_solve(K->device, K->tolerance, K->max_iterations, K->b, K->x, &K->report, seconds));
  } else {
    const double start = hp_now();
    HP_TRY(hp_team_run(K->place->hub, solve_single, K));
    *seconds = hp_now() - start;
  }
  const hp_single_report *r = &K->report;
  *report = (hp_krylov_report){.reason = r->reason,
                               .iterations = r->iterations,
                               .restarts = r->restarts,
                               .products = r->products,
                               .barriers = r->barriers,
                               .singular_cell = -1,
                               .norm_b = r->norm_b,
                               .residual = r->residual};
  return HP_OK;
}

static void multiply_single(hp_team *t, void *arg) {
  hp_bench_single *K = arg;
  hp_team_split(t, K->S->as.rows, K->S->as.n);
  hp_single_mul(t, &K->S->as, K->b, K->x);
}

hp_status hp_bench_single_time_parts(const hp_bench_place *place, const hp_bench_system *S,
                                     const hp_krylov_options *opt, hp_bench_krylov_parts *out) {
  enum { ROUNDS = 50 };
  hp_bench_single *K = NULL;
  int count;
  HP_TRY(hp_bench_single_create(place, S, opt, &K));
  hp_status s = K->device != NULL ? hp_single_device_products(K->device, K->b, K->x, ROUNDS, &out->product)
                                  : hp_bench_place_time(place, multiply_single, K, false, 0.05, &out->product, &count);
  if (s == HP_OK) s = hp_bench_krylov_time_barrier(place, &out->barrier);
  hp_bench_single_destroy(&K);
  return s;
}
