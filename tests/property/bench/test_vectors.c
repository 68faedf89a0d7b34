/* Operations on vectors by teams against long double, entry by entry, and with the same bits for every number of threads;
 * lengths around the borders of lanes, chunks and groups. */
#include <math.h>
#include <string.h>

#include "bench/generators/family.h"
#include "bench/vectors/operations.inl.h"
#include "core/memory.h"
#include "tests/support/check.h"

enum { HUBS = 4, COUNT = 11 };
static hp_team_hub *hub[HUBS]; /* of 1, 2, 5 members, and 3 that change owners */

typedef struct {
  hp_vector_operation op;
  hp_vector_args a;
} job;

static void body(hp_team *t, void *arg) {
  const job *j = arg;
  hp_vector_run(t, j->op, &j->a);
}

typedef struct {
  int64_t n, stride;
  double *x, *y, *w, *first; /* [COUNT][stride], [n], [n], [n] */
  double alphas[COUNT], result;
} vectors;

static long double right_entry(const vectors *V, hp_vector_operation op, int count, double alpha, int64_t i,
                               long double *scale) {
  const double y = V->first[i];
  long double sum = op == HP_VECTOR_SCALE ? (long double)alpha * y : y;
  *scale = fabsl(sum);
  if (op == HP_VECTOR_SCALE) return sum;
  for (int k = 0; k < count; ++k) {
    const long double term = (long double)(op == HP_VECTOR_MAXPY ? V->alphas[k] : alpha) * V->x[k * V->stride + i];
    sum += term;
    *scale += fabsl(term);
  }
  return sum;
}

static void check_entries(const vectors *V, hp_vector_operation op, int count, double alpha, const double *out) {
  int64_t wrong = 0;
  for (int64_t i = 0; i < V->n; ++i) {
    long double scale;
    const long double right = right_entry(V, op, count, alpha, i, &scale);
    wrong += !(fabsl(out[i] - right) <= 2e-16L * (count + 1) * scale);
  }
  CHECK(wrong == 0);
}

static void check_sum(const vectors *V, hp_vector_operation op) {
  const double *other = op == HP_VECTOR_DOT ? V->first : V->x;
  long double sum = 0.0L, scale = 0.0L;
  for (int64_t i = 0; i < V->n; ++i) {
    sum += (long double)V->x[i] * other[i];
    scale += fabsl((long double)V->x[i] * other[i]);
  }
  if (op == HP_VECTOR_NORM) CHECK(fabsl(V->result - sqrtl(sum)) <= 1e-15L * sqrtl(sum));
  else CHECK(fabsl(V->result - sum) <= 1e-15L * scale);
}

/* By every team, from the same vectors. */
static void check(vectors *V, hp_vector_operation op, int count, double alpha) {
  const int64_t bytes = V->n * (int64_t)sizeof(double);
  double *kept = NULL, result = 0.0;
  CHECK_OK(HP_ALLOC(kept, V->n));
  for (int h = 0; h < HUBS; ++h) {
    job j = {op,
             {.n = V->n,
              .count = count,
              .stride = V->stride,
              .alpha = alpha,
              .alphas = V->alphas,
              .x = V->x,
              .y = V->y,
              .w = V->w,
              .result = &V->result}};
    memcpy(V->y, V->first, (size_t)bytes);
    for (int64_t i = 0; i < V->n; ++i) V->w[i] = NAN;
    V->result = NAN;
    CHECK_OK(hp_team_run(hub[h], body, &j));
    const double *out = op == HP_VECTOR_WAXPY ? V->w : V->y;
    if (h == 0) {
      memcpy(kept, out, (size_t)bytes);
      result = V->result;
      if (hp_vector_is_sum(op)) check_sum(V, op);
      else check_entries(V, op, count, alpha, out);
    }
    CHECK(memcmp(kept, out, (size_t)bytes) == 0);
    CHECK(!hp_vector_is_sum(op) || memcmp(&result, &V->result, sizeof result) == 0);
    if (op == HP_VECTOR_WAXPY || hp_vector_is_sum(op)) CHECK(memcmp(V->y, V->first, (size_t)bytes) == 0);
  }
  HP_FREE(kept);
}

static void test_length(int64_t n) {
  vectors V = {.n = n, .stride = n + 3};
  CHECK_OK(HP_ALLOC(V.x, COUNT * V.stride));
  CHECK_OK(HP_ALLOC(V.y, n));
  CHECK_OK(HP_ALLOC(V.w, n));
  CHECK_OK(HP_ALLOC(V.first, n));
  hp_family_vector(1, COUNT * V.stride, V.x);
  hp_family_vector(2, n, V.first);
  hp_family_vector(3, COUNT, V.alphas);
  for (int op = 0; op < HP_VECTOR_OPERATIONS; ++op) {
    check(&V, (hp_vector_operation)op, 1, -0.37);
    if (op == HP_VECTOR_MAXPY)
      for (int count = 2; count <= COUNT; count += 3) check(&V, HP_VECTOR_MAXPY, count, 0.0);
  }
  HP_FREE(V.x);
  HP_FREE(V.y);
  HP_FREE(V.w);
  HP_FREE(V.first);
}

int main(void) {
  static const int64_t lengths[] = {1, 2, 63, 64, 65, 511, 512, 513, 4097, 133119, 133121, 270001};
  static const int members[HUBS] = {1, 2, 5, 3};
  for (int h = 0; h < HUBS; ++h)
    CHECK_OK(hp_team_hub_create(members[h], &(hp_team_options){.rotate = h == 3 ? 7 : 0}, &hub[h]));
  for (size_t n = 0; n < sizeof lengths / sizeof *lengths; ++n) test_length(lengths[n]);
  const hp_vector_args a = {.n = 100, .count = 4};
  CHECK(hp_vector_bytes(HP_VECTOR_MAXPY, &a) == 4800 && hp_vector_bytes(HP_VECTOR_NORM, &a) == 800);
  CHECK(hp_vector_bytes(HP_VECTOR_DOT, &a) == 1600 && hp_vector_bytes(HP_VECTOR_WAXPY, &a) == 2400);
  for (int h = 0; h < HUBS; ++h) hp_team_hub_destroy(&hub[h]);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
