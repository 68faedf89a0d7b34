/* Operations on vectors on a GPU (linsolve/vectors/vectors.h): every variant gives the CPU's bits, again and again; vectors
 * that are not aligned; kernels compiled with each option of the compiler; results of cuBLAS near them; solves
 * per-operation and by a graph with every variant of their passes have the bits of the in-kernel solver. HEPTA_TEST_SMALL,
 * for a sanitizer: 1, few lengths, and no graphs, into which memcheck cannot look (docs/developer/checking.md); 2, few
 * variants, too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/generators/family.h"
#include "bench/vectors/operations.inl.h"
#include "core/compile/compile.h"
#include "core/memory.h"
#include "linsolve/matrix/device.h"
#include "tests/support/device_solve.h"

enum { COUNT = 5 };

static hp_team_hub *hub;
static hp_device *device;
static int small;

typedef struct {
  hp_vector_operation op;
  hp_vector_args a;
} job;

static void body(hp_team *t, void *arg) {
  const job *j = arg;
  hp_vector_run(t, j->op, &j->a);
}

/* On the host, and device copies `shift` numbers into their memory. */
typedef struct {
  int64_t n, stride;
  double *x, *y, *w, *right, *back; /* [COUNT][stride], then [n] each; right: of the CPU */
  double alphas[COUNT], result;
  double *dx, *dy, *dw, *dalphas, *dresult;
  hp_vector_kernels *V;
} vectors;

static void make(vectors *v, int64_t n) {
  memset(v, 0, sizeof *v);
  v->n = n;
  v->stride = (n + 3) / 2 * 2;
  CHECK_OK(HP_ALLOC(v->x, COUNT * v->stride));
  CHECK_OK(HP_ALLOC(v->y, n));
  CHECK_OK(HP_ALLOC(v->w, n));
  CHECK_OK(HP_ALLOC(v->right, n));
  CHECK_OK(HP_ALLOC(v->back, n));
  hp_family_vector(1, COUNT * v->stride, v->x);
  hp_family_vector(2, n, v->y);
  hp_family_vector(3, COUNT, v->alphas);
  CHECK_OK(HP_DEVICE_ALLOC(device, v->dx, COUNT * v->stride + 1));
  CHECK_OK(HP_DEVICE_ALLOC(device, v->dy, n + 1));
  CHECK_OK(HP_DEVICE_ALLOC(device, v->dw, n + 1));
  CHECK_OK(HP_DEVICE_ALLOC(device, v->dalphas, COUNT));
  CHECK_OK(HP_DEVICE_ALLOC(device, v->dresult, 1));
  CHECK_OK(hp_device_upload(device, v->dalphas, v->alphas, sizeof v->alphas));
  CHECK_OK(hp_vector_kernels_create(device, &v->V));
}

static void release(vectors *v) {
  hp_vector_kernels_destroy(&v->V);
  HP_DEVICE_FREE(device, v->dx);
  HP_DEVICE_FREE(device, v->dy);
  HP_DEVICE_FREE(device, v->dw);
  HP_DEVICE_FREE(device, v->dalphas);
  HP_DEVICE_FREE(device, v->dresult);
  HP_FREE(v->x);
  HP_FREE(v->y);
  HP_FREE(v->w);
  HP_FREE(v->right);
  HP_FREE(v->back);
}

static hp_vector_args args_of(const vectors *v) {
  const hp_vector_args a = {.n = v->n, .count = COUNT, .stride = v->stride, .alpha = -0.37};
  return a;
}

/* The CPU's result; v->y stays. */
static void compute_right(vectors *v, hp_vector_operation op) {
  job j = {op, args_of(v)};
  j.a.alphas = v->alphas;
  j.a.x = v->x;
  j.a.y = v->right;
  j.a.w = v->w;
  j.a.result = &v->result;
  memcpy(v->right, v->y, (size_t)v->n * sizeof(double));
  CHECK_OK(hp_team_run(hub, body, &j));
  if (op == HP_VECTOR_WAXPY) memcpy(v->right, v->w, (size_t)v->n * sizeof(double));
  if (hp_vector_is_sum(op)) v->right[0] = v->result;
}

static bool has_right_bits(vectors *v, hp_vector_operation op, const hp_kernel_shape *s, int shift) {
  const int64_t bytes = v->n * (int64_t)sizeof(double);
  hp_vector_args a = args_of(v);
  a.alphas = v->dalphas;
  a.x = v->dx + shift;
  a.y = v->dy + shift;
  a.w = v->dw + shift;
  a.result = v->dresult;
  CHECK_OK(hp_device_upload(device, v->dx + shift, v->x, COUNT * v->stride * (int64_t)sizeof(double)));
  CHECK_OK(hp_device_upload(device, v->dy + shift, v->y, bytes));
  CHECK_OK(hp_device_zero(device, v->dw, bytes + (int64_t)sizeof(double)));
  CHECK_OK(hp_device_zero(device, v->dresult, (int64_t)sizeof(double)));
  CHECK_OK(hp_vector_kernels_run(v->V, op, &a, s));
  if (hp_vector_is_sum(op)) {
    CHECK_OK(hp_device_download(device, v->back, v->dresult, (int64_t)sizeof(double)));
    return memcmp(v->back, v->right, sizeof(double)) == 0;
  }
  CHECK_OK(hp_device_download(device, v->back, op == HP_VECTOR_WAXPY ? a.w : a.y, bytes));
  return memcmp(v->back, v->right, (size_t)bytes) == 0;
}

/* The shape with this number, out of all; false: there are no more. */
static bool shape_of(int number, hp_kernel_shape *s) {
  static const int threads[] = {64, 256, 512}, blocks[] = {0, 1, 3}, streams[] = {1, 3, 16};
  *s = hp_kernel_default_shape();
  s->threads = threads[number % 3];
  s->blocks = blocks[number / 3 % 3];
  s->streams = streams[number / 9 % 3];
  s->unroll = 1 << number / 27 % 4;
  s->loads = (hp_kernel_loads)(number / 108 % 3);
  s->last = number / 324 % 2 != 0;
  s->shared = false;
  return number < 648;
}

static void test_variants(int64_t n) {
  vectors v;
  make(&v, n);
  for (int op = 0; op < HP_VECTOR_OPERATIONS; ++op) {
    hp_kernel_shape s;
    int wrong = 0;
    compute_right(&v, (hp_vector_operation)op);
    for (int k = 0; shape_of(k, &s); k += small == 2 ? 41 : 1) {
      if (!hp_vector_is_sum((hp_vector_operation)op) && s.last) continue;
      if (has_right_bits(&v, (hp_vector_operation)op, &s, k % 5 == 4)) continue; /* each fifth not aligned */
      if (wrong++ == 0)
        fprintf(stderr,
                "%s, n = %lld: other bits with %d threads, %d blocks, unroll %d, loads %d, %d streams, last %d\n",
                hp_vector_name((hp_vector_operation)op), (long long)n, s.threads, s.blocks, s.unroll, (int)s.loads,
                s.streams, s.last);
    }
    CHECK(wrong == 0);
  }
  release(&v);
}

/* Compiled for a graph, and by the run itself where vectors are not aligned; false: this build loads no compiled kernels. */
static bool run_compiled(vectors *v, hp_vector_operation op, const hp_kernel_shape *s) {
  hp_vector_timing *T = NULL;
  hp_vector_args a = args_of(v);
  double seconds = 0.0;
  a.alphas = v->alphas;
  a.x = v->x;
  a.y = v->y;
  CHECK_OK(hp_vector_timing_create(v->V, op, &a, false, &T));
  const hp_status done = hp_vector_timing_measure(T, s, 3, &seconds);
  const bool none = done == HP_ERR_UNSUPPORTED && strstr(hp_fail_text(), "older than 12.8") != NULL;
  if (none) printf("not compiled: %s\n", hp_fail_text());
  else {
    CHECK_OK(done);
    CHECK(seconds > 1e-8 && seconds < (small == 2 ? 10.0 : 0.1));
    CHECK(has_right_bits(v, op, s, 0));
    CHECK(has_right_bits(v, op, s, 1));
  }
  hp_vector_timing_destroy(&T);
  return !none;
}

/* Every operation by kernels with each option of the compiler. */
static void test_compiled(int64_t n) {
  vectors v;
  int version;
  bool good = hp_compiler_version(&version) == HP_OK;
  if (!good) printf("not compiled: %s\n", hp_fail_text());
  make(&v, n);
  for (int op = 0; op < HP_VECTOR_OPERATIONS && good; op += small == 2 ? 3 : 1) {
    compute_right(&v, (hp_vector_operation)op);
    for (int c = HP_COMPILE_AGAIN; c < HP_COMPILE_COUNT && good; c += small == 2 ? 2 : 1) {
      hp_kernel_shape s = hp_kernel_default_shape();
      s.threads = c % 2 == 0 ? 512 : 64;
      s.unroll = 1 << (c + op) % 4;
      s.loads = (hp_kernel_loads)((c + op) % HP_LOADS_COUNT);
      s.last = c % 2 == 0;
      s.streams = c == HP_COMPILE_AGAIN ? 3 : 1;
      s.compile = (hp_kernel_compile)c;
      good = run_compiled(&v, (hp_vector_operation)op, &s);
    }
  }
  release(&v);
}

/* Times are positive, a timed operation gives what one does, cuBLAS the same up to rounding. */
static void test_timing(int64_t n, bool cold) {
  vectors v;
  make(&v, n);
  for (int op = 0; op < HP_VECTOR_OPERATIONS; ++op) {
    const hp_kernel_shape s = hp_kernel_default_shape();
    const bool sum = hp_vector_is_sum((hp_vector_operation)op);
    hp_vector_timing *T = NULL;
    hp_vector_args a = args_of(&v);
    double seconds = 0.0;
    compute_right(&v, (hp_vector_operation)op);
    a.alphas = v.alphas;
    a.x = v.x;
    a.y = v.y;
    CHECK_OK(hp_vector_timing_create(v.V, (hp_vector_operation)op, &a, cold, &T));
    CHECK_OK(hp_vector_timing_measure(T, &s, 3, &seconds));
    CHECK(seconds > 1e-8 && seconds < 0.1);
    CHECK_OK(hp_vector_timing_result(T, &s, v.back));
    CHECK(memcmp(v.back, v.right, (size_t)(sum ? 1 : n) * sizeof(double)) == 0);
    CHECK_OK(hp_vector_timing_measure(T, NULL, 3, &seconds));
    CHECK(seconds > 1e-8 && seconds < 0.1);
    CHECK_OK(hp_vector_timing_result(T, NULL, v.back));
    double worst = 0.0;
    for (int64_t i = 0; i < (sum ? 1 : n); ++i) worst = fmax(worst, fabs(v.back[i] - v.right[i]));
    CHECK(worst <= (sum ? 1e-12 * (double)n : 1e-14));
    hp_vector_timing_destroy(&T);
  }
  release(&v);
}

/* ---- solves ---- */

static void solve(const hp_gh *A, hp_execution_kind execution, double *x) {
  const hp_linear_options o = {.krylov = {.method = HP_KRYLOV_BICGSTAB,
                                          .preconditioner = HP_PRECOND_JACOBI,
                                          .execution = execution,
                                          .tolerance = 1e-10,
                                          .max_iterations = 60,
                                          .restart = 1}};
  device_solve(device, A, &o, x);
}

/* Three unknowns and wells: the rows of cells are odd in number. */
static void test_solves(int q) {
  hp_gh *A = NULL, D;
  hp_family f = hp_family_default(9, 11, small != 0 ? 7 : 31, q);
  double *right = NULL, *x = NULL;
  CHECK_OK(hp_family_create(&f, &A));
  CHECK_OK(hp_gh_device_upload(device, A, &D));
  CHECK_OK(HP_ALLOC(right, A->n));
  CHECK_OK(HP_ALLOC(x, A->n));
  solve(&D, HP_EXECUTION_IN_KERNEL, right);
  hp_kernel_shape s;
  for (int k = 0; shape_of(k, &s); k += small == 2 ? 97 : 7) {
    for (int op = 0; op < HP_VECTOR_OPERATIONS; ++op)
      CHECK_OK(hp_device_set_kernel(device, hp_vector_name((hp_vector_operation)op), A->n, &s));
    solve(&D, small != 0 || k % 2 == 0 ? HP_EXECUTION_PER_OPERATION : HP_EXECUTION_GRAPH, x);
    CHECK(memcmp(x, right, (size_t)A->n * sizeof *x) == 0);
  }
  HP_FREE(right);
  HP_FREE(x);
  hp_gh_device_free(device, &D);
  hp_gh_destroy(&A);
}

int main(void) {
  static const int64_t lengths[] = {1, 63, 64, 129, 513, 4099, 20001, 133121, 1000003};
  small = getenv("HEPTA_TEST_SMALL") != NULL ? atoi(getenv("HEPTA_TEST_SMALL")) : 0;
  const hp_status s = hp_device_create(NULL, &device);
  if (s == HP_ERR_UNSUPPORTED || s == HP_ERR_DEVICE) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  CHECK_OK(s);
  CHECK_OK(hp_team_hub_create(2, NULL, &hub));
  for (size_t n = 0; n < sizeof lengths / sizeof *lengths && (small == 0 || n < 6); n += small == 2 ? 2 : 1)
    test_variants(lengths[n]);
  if (small != 2) test_timing(5000, false);
  if (small == 0) test_timing(100000, true);
  test_compiled(20001);
  test_solves(1);
  test_solves(3);
  hp_team_hub_destroy(&hub);
  hp_device_destroy(&device);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
