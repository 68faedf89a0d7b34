/* Executions on a GPU against each other: per-operation and graph have the bits of the in-kernel solver, iterates,
 * histories and reports; library agrees to rounding. All preconditioners, odd sizes, wells, one to three dimensions,
 * breakdowns, limits, right-hand sides that cannot be solved, matrices and vectors that change between solves,
 * connections beyond the diagonals.
 * per-operation with other formats of the matrix against the CPU with the same format, and against graph; bsr, whose block
 * rows have an order of sums of their own on a GPU, to rounding. BiCG-Stab and GMRES. Passes whose kernels are compiled with the
 * options that the tune file has. */
#include <stdlib.h>
#include <string.h>

#include "bench/vectors/vectors.h"
#include "core/compile/compile.h"
#include "core/memory.h"
#include "linsolve/bsr/device.h"
#include "linsolve/krylov/device.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

static hp_team_hub *hub;
static hp_krylov_method method; /* bicgstab or gmres */
static int basis;               /* vectors of gmres */
/* HEPTA_TEST_SMALL, for a sanitizer: 1, small systems, short solves, and no graphs, of which memcheck says what is not so
 * (docs/developer/checking.md); 2, one system, hardly any iterations, hepta's kernels alone, and only the barrier of cooperative
 * groups. */
static int small;

static bool left_out(int execution) { return small && execution == HP_EXECUTION_GRAPH; }

typedef struct {
  hp_krylov_report report;
  double *x, *history; /* [n], [max_iterations+1] */
} answer;

typedef struct {
  hp_device *D;
  hp_gh *A, dA;
  double *b, *db, *dx;
} system_of;

static void open_system(hp_device *D, hp_gh *A, system_of *S) {
  uint64_t seed = 3;
  S->D = D;
  S->A = A;
  CHECK_OK(hp_gh_device_upload(D, A, &S->dA));
  CHECK_OK(HP_ALLOC(S->b, A->n));
  CHECK_OK(HP_DEVICE_ALLOC(D, S->db, A->n));
  CHECK_OK(HP_DEVICE_ALLOC(D, S->dx, A->n));
  for (int64_t i = 0; i < A->n; ++i) S->b[i] = matrix_random(&seed);
  CHECK_OK(hp_device_upload(D, S->db, S->b, A->n * 8));
}

static void close_system(system_of *S) {
  hp_gh_device_free(S->D, &S->dA);
  HP_DEVICE_FREE(S->D, S->db);
  HP_DEVICE_FREE(S->D, S->dx);
  HP_FREE(S->b);
}

static void new_answer(const system_of *S, const hp_krylov_options *o, answer *a) {
  memset(a, 0, sizeof *a);
  CHECK_OK(HP_ALLOC(a->x, S->A->n));
  CHECK_OK(HP_ALLOC(a->history, o->max_iterations + 1));
}

static void free_answer(answer *a) {
  HP_FREE(a->x);
  HP_FREE(a->history);
}

static void solve_with(const system_of *S, hp_krylov_device *K, answer *a) {
  CHECK_OK(hp_krylov_device_solve(K, &S->dA, S->db, S->dx, a->history, &a->report));
  CHECK_OK(hp_device_download(S->D, a->x, S->dx, S->A->n * 8));
}

static void solve_gpu(const system_of *S, const hp_krylov_options *o, answer *a) {
  hp_krylov_device *K;
  new_answer(S, o, a);
  CHECK_OK(hp_krylov_device_create(S->D, &S->dA, o, &K));
  CHECK_OK(hp_krylov_device_setup(K, &S->dA));
  solve_with(S, K, a);
  hp_krylov_device_destroy(&K);
}

static void solve_cpu(const system_of *S, const hp_krylov_options *o, answer *a) {
  hp_krylov *K;
  new_answer(S, o, a);
  CHECK_OK(hp_krylov_create(hub, S->A, o, &K));
  CHECK_OK(hp_krylov_setup(K, S->A));
  CHECK_OK(hp_krylov_solve(K, S->A, S->b, a->x, a->history, &a->report));
  hp_krylov_destroy(&K);
}

static void say(const system_of *S, const hp_krylov_options *o, const answer *a, const answer *b) {
  fprintf(stderr,
          "%s, %s, %s, %s, matrix %s, %d x %d x %d, q = %d, %d wells: %d its (%s, %d restarts), %d its (%s, %d)\n",
          hp_krylov_method_name(o->method), hp_execution_name(o->execution), hp_precond_name(o->preconditioner),
          hp_precision_name(o->precision), hp_sparse_name(o->matrix), S->A->nx, S->A->ny, S->A->nz, S->A->q,
          S->A->wells.nwell, a->report.iterations, hp_krylov_reason_text(a->report.reason), a->report.restarts,
          b->report.iterations, hp_krylov_reason_text(b->report.reason), b->report.restarts);
}

static bool same_numbers(const double *x, const double *y, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    if (memcmp(&x[i], &y[i], sizeof *x) != 0 && !(x[i] == 0.0 && y[i] == 0.0)) return false;
  return true;
}

/* Bits; where x is void (NOT_FINITE) only the reports. */
static void check_same(const system_of *S, const hp_krylov_options *o, const answer *a, const answer *b) {
  const hp_krylov_report *r = &a->report, *t = &b->report;
  bool same = r->reason == t->reason && r->iterations == t->iterations && r->restarts == t->restarts &&
              r->products == t->products && r->applications == t->applications && r->singular_cell == t->singular_cell;
  if (same && r->reason != HP_KRYLOV_NOT_FINITE)
    same = same_numbers(a->x, b->x, S->A->n) && same_numbers(a->history, b->history, r->iterations + 1) &&
           same_numbers(&r->residual, &t->residual, 1) && same_numbers(&r->norm_b, &t->norm_b, 1);
  if (!same) say(S, o, a, b);
  CHECK(same);
}

/* Two solutions of one system to a tolerance of 1e-10. */
static void check_near(const system_of *S, const hp_krylov_options *o, const answer *a, const answer *b) {
  double size = 0.0, difference = 0.0;
  for (int64_t i = 0; i < S->A->n; ++i) {
    size += b->x[i] * b->x[i];
    difference += (a->x[i] - b->x[i]) * (a->x[i] - b->x[i]);
  }
  const bool near = a->report.reason == HP_KRYLOV_CONVERGED && b->report.reason == HP_KRYLOV_CONVERGED &&
                    difference <= 1e-12 * size && a->report.residual <= o->tolerance * a->report.norm_b;
  if (!near) {
    say(S, o, a, b);
    fprintf(stderr, "  difference %.3g\n", sqrt(difference / size));
  }
  CHECK(near);
}

/* GMRES with other sums: about as many iterations, and at first the same residuals. */
static void check_iterations(const system_of *S, const hp_krylov_options *o, const answer *a, const answer *b) {
  enum { ROUNDING = 8 /* iterations in which rounding errors stay small */ };
  const int mine = a->report.iterations, other = b->report.iterations;
  bool near = abs(mine - other) <= 1 + other / 8;
  for (int n = 0; n <= ROUNDING && n <= mine && n <= other; ++n)
    near = near && fabs(a->history[n] - b->history[n]) <= 1e-6 * b->history[n] + 1e-12;
  if (!near) say(S, o, a, b);
  CHECK(near);
}

static hp_krylov_options options(hp_precond_kind kind, hp_precision precision) {
  hp_krylov_options o;
  memset(&o, 0, sizeof o);
  o.method = method;
  o.preconditioner = kind;
  o.ordering = kind == HP_PRECOND_DILU ? HP_ORDER_RED_BLACK : HP_ORDER_NATURAL;
  o.precision = precision;
  o.tolerance = 1e-10;
  o.max_iterations = small > 1 ? 6 : 300;
  o.restart = basis;
  return o;
}

/* In-kernel against the others; library only where all converge. */
static void compare(const system_of *S, hp_krylov_options o) {
  answer reference, other;
  solve_gpu(S, &o, &reference);
  for (int e = HP_EXECUTION_PER_OPERATION; e <= HP_EXECUTION_LIBRARY; ++e) {
    if (left_out(e)) continue;
    o.execution = (hp_execution_kind)e;
    if (e == HP_EXECUTION_LIBRARY && reference.report.reason != HP_KRYLOV_CONVERGED) continue;
    if (e == HP_EXECUTION_LIBRARY) o.max_iterations += 2 + o.max_iterations / 8; /* rounding may cost some */
    solve_gpu(S, &o, &other);
    if (e == HP_EXECUTION_LIBRARY && S->A->n > 1) check_near(S, &o, &other, &reference);
    else if (e != HP_EXECUTION_LIBRARY) check_same(S, &o, &other, &reference);
    if (e == HP_EXECUTION_LIBRARY && method == HP_KRYLOV_GMRES) check_iterations(S, &o, &other, &reference);
    free_answer(&other);
  }
  free_answer(&reference);
}

static void compare_preconditioners(const system_of *S) {
  for (int kind = 0; kind < HP_PRECOND_COUNT; ++kind)
    for (int p = 0; p < (kind == HP_PRECOND_DILU ? 2 : 1); ++p)
      compare(S, options((hp_precond_kind)kind, (hp_precision)p));
}

/* A format in an execution beside the CPU's answer, or another of the GPU; bits: the same. */
static void compare_format(const system_of *S, hp_krylov_options o, hp_execution_kind e, const answer *right,
                           bool bits) {
  answer gpu;
  if (left_out(e)) return;
  o.execution = e;
  solve_gpu(S, &o, &gpu);
  if (bits) check_same(S, &o, &gpu, right);
  else check_near(S, &o, &gpu, right);
  free_answer(&gpu);
}

/* Launches that the tune file may have for block rows do not change a bit of a solve. */
static void compare_block_launches(const system_of *S, const hp_krylov_options *o, const answer *right) {
  static const int threads[] = {64, 128, 256, 64}, unroll[] = {1, 8, 4, 2};
  char name[HP_BSR_NAME_MAX];
  hp_bsr_kernel_name(S->A->q, NULL, name, sizeof name);
  for (int n = 0; n < (small ? 1 : 4); ++n) {
    hp_kernel_shape shape = hp_bsr_usual_shape(S->A->q);
    shape.threads = threads[n];
    shape.unroll = unroll[n];
    shape.cut = 2; /* of benches */
    CHECK_OK(hp_device_set_kernel(S->D, name, S->A->ncell * S->A->q, &shape));
    compare_format(S, *o, HP_EXECUTION_PER_OPERATION, right, true);
  }
}

static void compare_formats(const system_of *S) {
  hp_krylov_options o = options(HP_PRECOND_DILU, HP_PRECISION_SINGLE);
  for (int m = HP_SPARSE_CSR; m < HP_SPARSE_COUNT; ++m) {
    const bool bits = m == HP_SPARSE_DIA || m == HP_SPARSE_ELL || m == HP_SPARSE_SGDIA;
    const bool by_cusparse = m == HP_SPARSE_CSR || m == HP_SPARSE_SELL;
    answer cpu, gpu;
    if (small > 1 && by_cusparse) continue;
    if (hp_gh_is_linked(S->A) && (m == HP_SPARSE_DIA || m == HP_SPARSE_SGDIA))
      continue; /* refused: no place for them */
    o.matrix = (hp_sparse_kind)m;
    o.execution = HP_EXECUTION_IN_KERNEL;
    solve_cpu(S, &o, &cpu);
    o.execution = HP_EXECUTION_PER_OPERATION;
    solve_gpu(S, &o, &gpu);
    if (bits) check_same(S, &o, &gpu, &cpu);
    else if (small < 2) check_near(S, &o, &gpu, &cpu);
    /* the rest of hyb is added in any order */
    if (m == HP_SPARSE_BSR) compare_block_launches(S, &o, &gpu);
    if (!by_cusparse) compare_format(S, o, HP_EXECUTION_GRAPH, &gpu, m != HP_SPARSE_HYB);
    if (small < 2 && (by_cusparse || (m == HP_SPARSE_BSR && S->A->q > 1)))
      compare_format(S, o, HP_EXECUTION_LIBRARY, &cpu, false);
    free_answer(&gpu);
    free_answer(&cpu);
  }
}

/* cuSPARSE's bsr has no blocks of 1 x 1. */
static void check_refused(const system_of *S) {
  hp_krylov_options o = options(HP_PRECOND_NONE, HP_PRECISION_DOUBLE);
  hp_krylov_device *K;
  o.matrix = HP_SPARSE_BSR;
  o.execution = HP_EXECUTION_LIBRARY;
  if (left_out(o.execution)) return;
  CHECK(hp_krylov_device_create(S->D, &S->dA, &o, &K) == HP_ERR_UNSUPPORTED && K == NULL);
  CHECK(strstr(hp_fail_text(), "per-operation") != NULL);
}

static void compare_sizes(hp_device *D) {
  const int size[][5] = {/* nx, ny, nz, q, wells */
                         {1, 1, 1, 2, 0},
                         {1, 1, 31, 2, 1},
                         {33, 1, 1, 2, 2},
                         {1, 597, 1, 2, 3},
                         {3, 199, 1, 1, 2},
                         {7, 5, 9, 2, 6},
                         {8, 8, 8, 2, 0},
                         {6, 7, 5, 3, 4},
                         {13, 11, 10, 2, 9},
                         {5, 4, 6, 8, 3},
                         {4, 3, 5, 16, 2},
                         {20, 20, 21, 2, 40},
                         {41, 43, 40, 2, 50},
                         {1, 1, 31, 2, MATRIX_CORNER_WELLS},
                         {7, 5, 9, 2, MATRIX_CORNER_WELLS},
                         {199, 1, 3, 1, MATRIX_CORNER_WELLS},
                         {6, 7, 5, 3, MATRIX_CORNER_WELLS}};
  for (size_t s = 0; s < sizeof size / sizeof *size; ++s) {
    hp_gh *A;
    system_of S;
    if (small && (s % 3 != 2 || size[s][0] * size[s][1] * size[s][2] * size[s][3] > 700)) continue;
    if (small > 1 && s != 5) continue;
    CHECK_OK(matrix_random_gh(size[s][0], size[s][1], size[s][2], size[s][3], size[s][4], 0.02, 11 + s, &A));
    open_system(D, A, &S);
    compare_preconditioners(&S);
    if (A->ncell > 1 && A->ncell < 20000) compare_formats(&S);
    if (A->q == 1) check_refused(&S);
    close_system(&S);
    hp_gh_destroy(&A);
  }
}

static void compare_links(hp_device *D) {
  enum { HUB = 3, RANDOM = 5 /* from the first on they are the first cell's, a row that bsr cuts into pieces */ };
  const int size[][6] = {/* nx, ny, nz, q, wells, connections */
                         {7, 5, 9, 2, 6, 40},    {3, 31, 1, 1, 2, 20},   {6, 7, 5, 3, MATRIX_CORNER_WELLS, 30},
                         {9, 11, 10, 2, 3, 150}, {11, 9, 10, 3, 4, 100}, {20, 20, 21, 2, 0, 600}};
  for (size_t s = 0; s < sizeof size / sizeof *size; ++s) {
    const int *n = size[s];
    hp_gh *A;
    system_of S;
    if (small && s > 0) continue;
    CHECK_OK(matrix_random_gh(n[0], n[1], n[2], n[3], n[4], 0.02, 31 + s, &A));
    CHECK_OK(s >= HUB && s < RANDOM ? matrix_add_hub(A, n[5], 5 + s) : matrix_add_links(A, n[5], false, 5 + s));
    CHECK(hp_gh_is_linked(A));
    open_system(D, A, &S);
    compare_preconditioners(&S);
    compare_formats(&S);
    hp_krylov_options o = options(HP_PRECOND_DILU, HP_PRECISION_SINGLE);
    hp_krylov_device *K;
    o.execution = HP_EXECUTION_PER_OPERATION;
    o.matrix = HP_SPARSE_DIA;
    CHECK(hp_krylov_device_create(D, &S.dA, &o, &K) == HP_ERR_UNSUPPORTED && K == NULL);
    close_system(&S);
    hp_gh_destroy(&A);
  }
}

/* Limits, restarts, and systems without a solution. */
static void compare_endings(hp_device *D) {
  hp_gh *A;
  system_of S;
  CHECK_OK(matrix_flow(small ? 6 : 30, small ? 5 : 31, 8, 5, 4.0, 1e-2, 5, &A));
  open_system(D, A, &S);
  for (int limit = 1; limit < (small ? 10 : 400); limit = 3 * limit + 1)
    for (int kind = 0; kind < HP_PRECOND_COUNT; ++kind) {
      hp_krylov_options o = options((hp_precond_kind)kind, HP_PRECISION_DOUBLE);
      o.max_iterations = limit;
      compare(&S, o);
      o.tolerance = 1e-30; /* never reached: ends by restarts in vain, or at the limit */
      compare(&S, o);
    }
  const double first = S.b[0];
  for (int what = 0; what < 3; ++what) {
    for (int64_t i = 0; i < A->n && what == 0; ++i) S.b[i] = 0.0;
    S.b[0] = what == 0 ? 0.0 : what == 1 ? NAN : 1e308;
    if (what == 2) S.b[1] = 1e308;
    CHECK_OK(hp_device_upload(D, S.db, S.b, A->n * 8));
    compare(&S, options(HP_PRECOND_JACOBI, HP_PRECISION_DOUBLE));
  }
  S.b[0] = first;
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) *hp_gh_entry(A, 17, 0, a, b) = 0.0;
  CHECK_OK(hp_gh_device_upload_values(D, A, &S.dA));
  CHECK_OK(hp_device_upload(D, S.db, S.b, A->n * 8));
  compare(&S, options(HP_PRECOND_BLOCK_JACOBI, HP_PRECISION_DOUBLE));
  close_system(&S);
  hp_gh_destroy(&A);
}

/* GMRES with one vector, with whole groups and some more, with a basis that a solve does not fill. */
static void compare_bases(hp_device *D) {
  static const int length[] = {1, 2, HP_SUMS_MAX - 1, HP_SUMS_MAX, 2 * HP_SUMS_MAX - 2, 30, 200};
  hp_gh *A;
  system_of S;
  method = HP_KRYLOV_GMRES;
  CHECK_OK(matrix_flow(small ? 6 : 20, small ? 5 : 21, 6, 5, 2.0, 1e-1, 5, &A));
  open_system(D, A, &S);
  for (size_t n = 0; n < sizeof length / sizeof *length; ++n) {
    if (small > 1 && n != 3) continue;
    basis = length[n];
    compare(&S, options(HP_PRECOND_NONE, HP_PRECISION_DOUBLE));
    compare(&S, options(HP_PRECOND_DILU, HP_PRECISION_SINGLE));
  }
  close_system(&S);
  hp_gh_destroy(&A);
}

/* One solver, other numbers and other places: a graph holds its arguments. */
static void compare_changes(hp_device *D) {
  hp_gh *A;
  system_of S[2];
  hp_krylov_options o = options(HP_PRECOND_DILU, HP_PRECISION_SINGLE);
  CHECK_OK(matrix_random_gh(12, 13, 9, 2, 4, 0.05, 1, &A));
  open_system(D, A, &S[0]);
  open_system(D, A, &S[1]);
  for (int e = HP_EXECUTION_PER_OPERATION; e <= HP_EXECUTION_LIBRARY; ++e) {
    hp_krylov_device *K;
    if (left_out(e)) continue;
    o.execution = (hp_execution_kind)e;
    CHECK_OK(hp_krylov_device_create(D, &S[0].dA, &o, &K));
    for (int round = 0; round < (small ? 3 : 5); ++round) {
      const system_of *T = &S[round / 2 % 2];
      answer a, b;
      hp_krylov_options in_kernel = o;
      in_kernel.execution = HP_EXECUTION_IN_KERNEL;
      for (int64_t i = 0; i < A->ld; ++i) A->h[3 * A->q * A->ld + i] *= 1.0 + 0.01 * (double)(i % 2 == 0);
      CHECK_OK(hp_gh_device_upload_values(D, A, &S[0].dA));
      CHECK_OK(hp_gh_device_upload_values(D, A, &S[1].dA));
      CHECK_OK(hp_krylov_device_setup(K, &T->dA));
      new_answer(T, &o, &a);
      solve_with(T, K, &a);
      solve_gpu(T, &in_kernel, &b);
      if (e == HP_EXECUTION_LIBRARY) check_near(T, &o, &a, &b);
      else check_same(T, &o, &a, &b);
      free_answer(&a);
      free_answer(&b);
    }
    CHECK(hp_krylov_device_launches(K) > (e == HP_EXECUTION_GRAPH ? 4 : 50));
    CHECK(e != HP_EXECUTION_GRAPH || hp_krylov_device_launches(K) == 5);
    hp_krylov_device_destroy(&K);
  }
  close_system(&S[0]);
  close_system(&S[1]);
  hp_gh_destroy(&A);
}

/* One solver, whose tuned launches have an option of the compiler, with an x that is aligned and one that is not: the bits of
 * `right`, by compiled kernels. In a graph each pass is one node. */
static void solve_compiled(system_of *S, const hp_krylov_options *o, const answer *right) {
  const bool bicgstab = o->method == HP_KRYLOV_BICGSTAB, graph = o->execution == HP_EXECUTION_GRAPH;
  const int other = o->matrix != HP_SPARSE_GH; /* b - A x has a pass of its own */
  const int kernels = (bicgstab ? 7 : 1) + other, nodes = (bicgstab ? 9 : 2) + other;
  double *dx = S->dx, *shifted = NULL;
  hp_krylov_device *K;
  int version;
  CHECK_OK(HP_DEVICE_ALLOC(S->D, shifted, S->A->n + 1));
  CHECK_OK(hp_krylov_device_create(S->D, &S->dA, o, &K));
  CHECK_OK(hp_krylov_device_setup(K, &S->dA));
  const hp_krylov_special *special = hp_krylov_device_special(K);
  const bool compiles = hp_compiler_version(&version) == HP_OK && strstr(special->note, "older than 12.8") == NULL;
  if (!compiles) printf("not compiled: %s\n", special->note);
  CHECK(compiles || special->note[0] != '\0');
  for (int shift = 0; shift < 1 + other; ++shift) { /* products with GH need an x that is aligned */
    const int64_t before = special->passes;
    answer a;
    CHECK(special->kernels == (compiles ? kernels : 0) && special->used == compiles);
    new_answer(S, o, &a);
    if (shift) S->dx = shifted + 1;
    solve_with(S, K, &a);
    check_same(S, o, &a, right);
    const int64_t passes = special->passes - before;
    CHECK(!compiles ? passes == 0 : graph ? passes == nodes : passes >= nodes + (bicgstab ? 5 : 0));
    CHECK(special->kernels == (compiles ? (1 + shift) * kernels : 0));
    CHECK(!compiles || special->registers > 0);
    free_answer(&a);
  }
  S->dx = dx;
  hp_krylov_device_destroy(&K);
  HP_DEVICE_FREE(S->D, shifted);
}

/* The last of all: later solvers would take these launches, too. */
static void compare_compiled(hp_device *D) {
  static const hp_kernel_compile how[] = {HP_COMPILE_REGISTERS_32, HP_COMPILE_OPTIMIZE_1};
  hp_gh *A;
  system_of S;
  CHECK_OK(matrix_random_gh(12, 13, 9, 2, 4, 0.05, 1, &A));
  open_system(D, A, &S);
  for (int n = 0; n < (small ? 1 : 2); ++n)
    for (int e = HP_EXECUTION_PER_OPERATION; e <= HP_EXECUTION_GRAPH; ++e)
      for (int other = 0; other < 2; ++other) {
        hp_krylov_options o = options(HP_PRECOND_DILU, HP_PRECISION_SINGLE);
        hp_kernel_shape shape = hp_kernel_default_shape();
        answer right;
        if (left_out(e)) continue;
        shape.compile = how[n];
        shape.unroll = 4 << n;
        for (int op = 0; op < HP_VECTOR_OPERATIONS; ++op)
          CHECK_OK(hp_device_set_kernel(D, hp_vector_name((hp_vector_operation)op), A->n, &shape));
        if (other) o.matrix = HP_SPARSE_ELL;
        solve_cpu(&S, &o, &right);
        o.execution = (hp_execution_kind)e;
        solve_compiled(&S, &o, &right);
        free_answer(&right);
      }
  close_system(&S);
  hp_gh_destroy(&A);
}

int main(void) {
  hp_device *D;
  hp_device_shape shape = hp_device_default_shape();
  const hp_device_options opt = {.shape = &shape};
  small = getenv("HEPTA_TEST_SMALL") != NULL ? atoi(getenv("HEPTA_TEST_SMALL")) : 0;
  if (small > 1) shape.barrier = HP_BARRIER_COOPERATIVE;
  const hp_status s = hp_device_create(small > 1 ? &opt : NULL, &D);
  if (s != HP_OK) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  const int64_t before = hp_device_bytes(D);
  for (int gmres = 0; gmres < 2; ++gmres) {
    method = gmres ? HP_KRYLOV_GMRES : HP_KRYLOV_BICGSTAB;
    basis = 11;
    compare_sizes(D);
    if (small > 1) continue;
    compare_links(D);
    compare_endings(D);
    compare_changes(D);
  }
  compare_bases(D);
  for (int gmres = 0; gmres < 2; ++gmres) {
    method = gmres ? HP_KRYLOV_GMRES : HP_KRYLOV_BICGSTAB;
    basis = 11;
    if (small < 2) compare_compiled(D);
  }
  CHECK(hp_device_bytes(D) == before);
  hp_device_destroy(&D);
  hp_team_hub_destroy(&hub);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
