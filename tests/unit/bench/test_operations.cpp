/* Operations of the Krylov methods that `hepta bench krylov` reports, against those of the methods' text: here it is compiled with a
 * class in place of double that counts additions and multiplications. Not counted are products with the matrix, whose operations
 * are those of its entries, and the folding of sums, which depends on how a loop is cut. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef __SSE2__ /* pairs of double are none of these numbers */
typedef double real;
static bool counting = true;
static int64_t operations;

/* As large as a double and passed like one, so that the library's functions take it. */
struct counted {
  real v;
  counted() = default;
  template <class T>
  constexpr counted(T from) : v((real)from) {}
  template <class T>
  explicit constexpr operator T() const {
    return (T)v;
  }
  counted operator-() const { return counted(-v); }
};
static_assert(sizeof(counted) == sizeof(real), "counted numbers stand in arrays of double");

static inline counted count(real v) {
  operations += counting;
  return counted(v);
}
static inline counted operator+(counted a, counted b) { return count(a.v + b.v); }
static inline counted operator-(counted a, counted b) { return count(a.v - b.v); }
static inline counted operator*(counted a, counted b) { return count(a.v * b.v); }
static inline counted operator/(counted a, counted b) { return count(a.v / b.v); }
static inline counted &operator+=(counted &a, counted b) { return a = a + b; }
static inline counted &operator-=(counted &a, counted b) { return a = a - b; }
static inline counted &operator*=(counted &a, counted b) { return a = a * b; }
static inline counted &operator/=(counted &a, counted b) { return a = a / b; }
static inline bool operator<(counted a, counted b) { return a.v < b.v; }
static inline bool operator>(counted a, counted b) { return a.v > b.v; }
static inline bool operator<=(counted a, counted b) { return a.v <= b.v; }
static inline bool operator>=(counted a, counted b) { return a.v >= b.v; }
static inline bool operator==(counted a, counted b) { return a.v == b.v; }
static inline bool operator!=(counted a, counted b) { return a.v != b.v; }
static inline counted sqrt(counted a) { return counted(sqrt(a.v)); }
static inline counted fabs(counted a) { return counted(fabs(a.v)); }
static inline counted fmax(counted a, counted b) { return counted(fmax(a.v, b.v)); }
static inline counted fmin(counted a, counted b) { return counted(fmin(a.v, b.v)); }

#define double counted
#include "core/team/team.h"
#include "linsolve/precond/precond.h"
#include "linsolve/product/sparse_mul.inl.h"
#include "linsolve/product/spmv.inl.h"

template <class F>
static inline void uncounted(F call) {
  counting = false;
  call();
  counting = true;
}
#define hp_team_partial(...) uncounted([&] { hp_team_partial(__VA_ARGS__); })
#define hp_gh_mul(...) uncounted([&] { hp_gh_mul(__VA_ARGS__); })
#define hp_gh_mul_transposed(...) uncounted([&] { hp_gh_mul_transposed(__VA_ARGS__); })
#define hp_gh_residual(t, A, ...) \
  (uncounted([&] { hp_gh_residual(t, A, __VA_ARGS__); }), operations += (A)->n) /* b - y */
#include "linsolve/krylov/methods.inl.h"
#undef double

#include "bench/generators/family.h"
#include "bench/krylov/parts.h"
#include "core/memory.h"
#include "tests/support/check.h"

typedef struct {
  hp_krylov_method method;
  hp_solve S;
} job;

static void solve(hp_team *t, void *arg) {
  const job *j = (const job *)arg;
  hp_krylov_run(t, j->method, &j->S);
}

/* The family's matrix of q = 1, which cg takes where it is symmetric. Solves are so long that their starts matter, too. */
static void check(hp_team_hub *hub, const hp_gh *A, hp_krylov_method method, int limit, real tolerance) {
  enum { RESTART = 11 };
  const int64_t vectors = hp_krylov_vectors(method, RESTART);
  counted *work = NULL, *b = NULL, *x = NULL, *small = NULL;
  hp_precond P;
  hp_krylov_report report;
  memset(&P, 0, sizeof P);
  P.kind = HP_PRECOND_NONE;
  CHECK_OK(HP_ALLOC(work, vectors * A->n));
  CHECK_OK(HP_ALLOC(b, A->n));
  CHECK_OK(HP_ALLOC(x, A->n));
  CHECK_OK(HP_ALLOC(small, (RESTART + 1) * RESTART + 4 * (RESTART + 1)));
  hp_family_vector(8, A->n, (real *)b);
  hp_krylov_options opt;
  memset(&opt, 0, sizeof opt);
  opt.tolerance = tolerance;
  opt.max_iterations = limit;
  opt.restart = RESTART;
  job j = {method, hp_solve_of(&opt, work, A->n, small, b, x)};
  j.S.A = A;
  j.S.P = &P;
  j.S.singular = -1;
  j.S.report = &report;
  operations = 0;
  CHECK_OK(hp_team_run(hub, solve, &j));
  const real said = hp_bench_krylov_solve_operations(method, RESTART, report.iterations, report.restarts) * (real)A->n;
  if (fabs((real)operations - said) > 0.002 * said) {
    fprintf(stderr, "%s, %d iterations, %d restarts: %.0f operations, %.0f counted (%.3f and %.3f an element)\n",
            hp_krylov_method_name(method), report.iterations, report.restarts, said, (real)operations,
            said / (real)A->n, (real)operations / (real)A->n);
    CHECK(false);
  }
  HP_FREE(work);
  HP_FREE(b);
  HP_FREE(x);
  HP_FREE(small);
}

int main(void) {
  hp_team_hub *hub;
  hp_gh *A;
  hp_family f = hp_family_default(14, 14, 14, 1);
  f.symmetric = true;
  CHECK_OK(hp_family_create(&f, &A));
  CHECK_OK(hp_team_hub_create(1, NULL, &hub));
  for (int m = 0; m < HP_KRYLOV_COUNT; ++m)
    for (int limit = 1; limit <= 40; limit += 13) check(hub, A, (hp_krylov_method)m, limit, 1e-9);
  for (int m = 0; m < HP_KRYLOV_COUNT; ++m) check(hub, A, (hp_krylov_method)m, 500, 1e-6);
  hp_team_hub_destroy(&hub);
  hp_gh_destroy(&A);
  return check_result();
}
