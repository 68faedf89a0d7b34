/* Kernels compiled for one matrix against those of the build: the same bits of iterates, histories and reports, for
 * q = 1, 2, 3, 4, 8, with and without wells and connections, in one to three dimensions, all methods and preconditioners,
 * cpr among them; the same bits of products, also with boxes of 27 points. A second solver reads the kernel from its file; a
 * damaged file is made again; where files cannot be kept, or the matrix is another one, the solve goes on. Prints what
 * compiling took and the times of both kernels, for grids of decks' sizes. */
#define _DEFAULT_SOURCE
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "amg/cpr/device.h"
#include "bench/generators/family.h"
#include "bench/product/device.h"
#include "bench/sgdia/device.h"
#include "core/compile/compile.h"
#include "core/profile.h"
#include "linsolve/krylov/device.h"
#include "tests/support/check.h"
#include "tests/support/matrices.h"

static char folder[] = "/tmp/hepta-specialise-XXXXXX";
static int small; /* HEPTA_TEST_SMALL, for a sanitizer: 1, small matrices; 2, one of them, products and short solves */

typedef struct {
  hp_krylov_report report;
  hp_krylov_special special;
  double *x, *history; /* [n], [max_iterations + 1] */
  double seconds;      /* of the faster of three solves */
} answer;

typedef struct {
  hp_device *D;
  hp_gh *A, dA;
  double *b, *db, *dx;
} system_of;

static void open_system(hp_device *D, hp_gh *A, system_of *S) {
  *S = (system_of){.D = D, .A = A};
  CHECK_OK(hp_gh_device_upload(D, A, &S->dA));
  CHECK_OK(HP_ALLOC(S->b, A->n));
  CHECK_OK(HP_DEVICE_ALLOC(D, S->db, A->n));
  CHECK_OK(HP_DEVICE_ALLOC(D, S->dx, A->n));
  hp_family_vector(3, A->n, S->b);
  CHECK_OK(hp_device_upload(D, S->db, S->b, A->n * 8));
}

static void close_system(system_of *S) {
  hp_gh_device_free(S->D, &S->dA);
  HP_DEVICE_FREE(S->D, S->db);
  HP_DEVICE_FREE(S->D, S->dx);
  HP_FREE(S->b);
  hp_gh_destroy(&S->A);
}

static hp_krylov_options options(hp_krylov_method method, hp_precond_kind kind, int iterations) {
  return (hp_krylov_options){.method = method,
                             .preconditioner = kind,
                             .ordering = kind == HP_PRECOND_DILU ? HP_ORDER_RED_BLACK : HP_ORDER_NATURAL,
                             .tolerance = 1e-10,
                             .max_iterations = iterations,
                             .restart = 10};
}

/* cpr: NULL, or in place of the options' preconditioner. */
static void solve_with(const system_of *S, hp_krylov_options o, const hp_cpr_options *cpr, bool specialise, answer *a) {
  hp_krylov_device *K = NULL;
  hp_cpr_device *C = NULL;
  *a = (answer){.seconds = 1e30};
  o.specialise = specialise;
  CHECK_OK(HP_ALLOC(a->x, S->A->n));
  CHECK_OK(HP_ALLOC(a->history, o.max_iterations + 1));
  if (cpr != NULL) {
    CHECK_OK(hp_cpr_device_create(S->D, &S->dA, cpr, &C));
    o.external = hp_cpr_device_precond(C);
    o.preconditioner = HP_PRECOND_NONE;
    o.ordering = HP_ORDER_NATURAL;
  }
  CHECK_OK(hp_krylov_device_create(S->D, &S->dA, &o, &K));
  if (K == NULL) return;
  if (cpr != NULL) {
    int64_t bytes;
    void *idle = hp_krylov_device_idle(K, &bytes);
    CHECK_OK(hp_cpr_device_attach(C, idle, bytes));
  }
  a->special = *hp_krylov_device_special(K);
  CHECK_OK(hp_krylov_device_setup(K, &S->dA));
  for (int n = 0; n < (small > 1 ? 1 : 3); ++n) {
    CHECK_OK(hp_device_sync(S->D));
    const double start = hp_now();
    CHECK_OK(hp_krylov_device_solve(K, &S->dA, S->db, S->dx, a->history, &a->report));
    a->seconds = fmin(a->seconds, hp_now() - start);
  }
  CHECK_OK(hp_device_download(S->D, a->x, S->dx, S->A->n * 8));
  hp_krylov_device_destroy(&K);
  hp_cpr_device_destroy(&C);
}

static void solve(const system_of *S, hp_krylov_options o, bool specialise, answer *a) {
  solve_with(S, o, NULL, specialise, a);
}

static void forget(answer *a) {
  HP_FREE(a->x);
  HP_FREE(a->history);
}

static bool same_answers(const system_of *S, const answer *a, const answer *b) {
  const hp_krylov_report *r = &a->report, *t = &b->report;
  const bool is_void = r->reason == HP_KRYLOV_NOT_FINITE; /* x then has no numbers to compare */
  return r->reason == t->reason && r->iterations == t->iterations && r->restarts == t->restarts &&
         r->products == t->products && r->applications == t->applications && r->barriers == t->barriers &&
         (is_void || memcmp(&r->residual, &t->residual, sizeof r->residual) == 0) &&
         (is_void || memcmp(a->x, b->x, (size_t)S->A->n * sizeof *a->x) == 0) &&
         (is_void || memcmp(a->history, b->history, (size_t)(r->iterations + 1) * sizeof *a->history) == 0);
}

static void compare_with(const system_of *S, const hp_krylov_options *o, const hp_cpr_options *cpr, bool say) {
  answer a, b;
  solve_with(S, *o, cpr, false, &a);
  solve_with(S, *o, cpr, true, &b);
  const hp_krylov_special *s = &b.special;
  const bool same = same_answers(S, &a, &b);
  CHECK(!a.special.used && a.special.note[0] == '\0');
  CHECK(s->used && s->note[0] == '\0');
  CHECK(same);
  if (!same || !s->used || say)
    printf(
        "%-8s %-12s %3d x %3d x %3d, q = %d, %d wells: %d iterations, %s %.2f s, %d registers; %.3f ms, %.3f ms%s%s\n",
        hp_krylov_method_name(o->method), cpr != NULL ? "cpr" : hp_precond_name(o->preconditioner), S->A->nx, S->A->ny,
        S->A->nz, S->A->q, S->A->wells.nwell, a.report.iterations, s->kept ? "read" : "compiled", s->seconds,
        s->registers, 1e3 * a.seconds, 1e3 * b.seconds, same ? "" : ": OTHER BITS ", s->note);
  forget(&a);
  forget(&b);
}

static void compare(const system_of *S, const hp_krylov_options *o, bool say) { compare_with(S, o, NULL, say); }

/* Both second stages, both precisions of the cycle, GMRES as well. */
static void compare_cpr(hp_device *D) {
  static const int size[][3] = {{9, 8, 7}, {30, 30, 28}, {60, 220, 85}};
  for (int s = 0; s < (small ? 1 : 3); ++s)
    for (int wells = 0; wells < 2; ++wells)
      for (int n = 0; n < (s == 0 && wells ? 5 : 2); ++n) {
        hp_family f = hp_family_default(size[s][0], size[s][1], size[s][2], n == 3 ? 3 : 2);
        hp_cpr_options cpr = hp_cpr_default_options();
        hp_gh *A = NULL;
        system_of S;
        if (!wells) f.nwell = 0;
        f.connections = n == 4 ? 6 : 0;
        CHECK_OK(hp_family_create(&f, &A));
        open_system(D, A, &S);
        cpr.ordering = n == 1 ? HP_ORDER_RED_BLACK : HP_ORDER_BRICKS;
        cpr.amg.precision = n == 2 ? HP_PRECISION_DOUBLE : HP_PRECISION_SINGLE;
        cpr.amg.pre = s > 0 ? 0 : 1;
        const hp_krylov_options o = options(n == 4 ? HP_KRYLOV_GMRES : HP_KRYLOV_BICGSTAB, HP_PRECOND_NONE, 25);
        compare_with(&S, &o, &cpr, s > 0);
        close_system(&S);
      }
}

/* Small matrices whose edges are many. */
static void compare_shapes(hp_device *D) {
  static const int size[][3] = {{7, 6, 5}, {1, 9, 8}, {1, 1, 70}, {9, 1, 1}, {1, 1, 1}};
  static const int unknowns[] = {1, 2, 3, 4, 8};
  for (size_t s = 0; s < sizeof size / sizeof *size; ++s)
    for (size_t k = 0; k < sizeof unknowns / sizeof *unknowns; ++k)
      for (int wells = 0; wells < 2; ++wells) {
        if (s > 0 && unknowns[k] != 2 && unknowns[k] != 3) continue; /* others need no code of their own there */
        hp_family f = hp_family_default(size[s][0], size[s][1], size[s][2], unknowns[k]);
        hp_gh *A = NULL;
        system_of S;
        uint64_t seed = 5;
        f.nwell = 0;
        f.connections = wells && s == 0 ? 5 : 0;
        CHECK_OK(hp_family_create(&f, &A));
        if (wells) CHECK_OK(matrix_add_wells(A, MATRIX_CORNER_WELLS, &seed));
        for (int w = 0; w < A->wells.nwell; ++w) A->wells.dd[w] = 3.0;
        for (int64_t p = 0; p < A->wells.nperf * A->q; ++p) {
          A->wells.w[p] = 0.01 * matrix_random(&seed);
          A->wells.wt[p] = 0.01 * matrix_random(&seed);
        }
        open_system(D, A, &S);
        for (int p = 0; p < HP_PRECOND_COUNT; ++p) {
          if (s > 0 && p != HP_PRECOND_NONE && p != HP_PRECOND_DILU) continue;
          const hp_krylov_options o = options(HP_KRYLOV_BICGSTAB, (hp_precond_kind)p, 25);
          compare(&S, &o, false);
        }
        if (s == 0 && (unknowns[k] == 2 || unknowns[k] == 3)) {
          const hp_krylov_options gmres = options(HP_KRYLOV_GMRES, HP_PRECOND_DILU, 25);
          const hp_krylov_options tfqmr = options(HP_KRYLOV_TFQMR, HP_PRECOND_NONE, 25);
          const hp_krylov_options qmr = options(HP_KRYLOV_QMR, HP_PRECOND_JACOBI, 25);
          compare(&S, &gmres, false);
          compare(&S, &tfqmr, false);
          compare(&S, &qmr, false);
        }
        close_system(&S);
      }
}

/* Decks' sizes, with times. */
static void compare_sizes(hp_device *D) {
  static const int size[][3] = {{30, 30, 28}, {60, 220, 85}};
  static const int unknowns[] = {1, 2, 3, 4, 8};
  for (int s = 0; s < (small ? 1 : 2); ++s)
    for (size_t k = 0; k < sizeof unknowns / sizeof *unknowns; ++k)
      for (int wells = 0; wells < 2; ++wells) {
        hp_family f = hp_family_default(size[s][0], size[s][1], size[s][2], unknowns[k]);
        hp_gh *A = NULL;
        system_of S;
        if (!wells) f.nwell = 0;
        CHECK_OK(hp_family_create(&f, &A));
        open_system(D, A, &S);
        const hp_krylov_options none = options(HP_KRYLOV_BICGSTAB, HP_PRECOND_NONE, 40);
        hp_krylov_options dilu = options(HP_KRYLOV_BICGSTAB, HP_PRECOND_DILU, 40);
        dilu.precision = HP_PRECISION_SINGLE;
        compare(&S, &none, true);
        compare(&S, &dilu, true);
        close_system(&S);
      }
}

/* A solve of few iterations with wells and connections. */
static void compare_short(hp_device *D) {
  hp_family f = hp_family_default(7, 6, 5, 2);
  hp_gh *A = NULL;
  system_of S;
  f.connections = 4;
  CHECK_OK(hp_family_create(&f, &A));
  open_system(D, A, &S);
  const hp_krylov_options none = options(HP_KRYLOV_BICGSTAB, HP_PRECOND_NONE, 2);
  const hp_krylov_options dilu = options(HP_KRYLOV_BICGSTAB, HP_PRECOND_DILU, 2);
  compare(&S, &none, false);
  compare(&S, &dilu, false);
  close_system(&S);
}

/* ---- products ---- */

/* Bits of y = A x by the build's kernel of a layout and by the one compiled for A. */
static void compare_product(hp_device *D, const hp_gh *A, hp_spmv_layout layout, int threads, bool say) {
  double *x = NULL, *y[2] = {NULL, NULL}, seconds[2] = {0.0, 0.0};
  hp_compiled_report compiled = {0};
  bool same = true;
  CHECK_OK(HP_ALLOC(x, A->n));
  hp_family_vector(9, A->n, x);
  for (int k = 0; k < 2; ++k) {
    CHECK_OK(HP_ALLOC(y[k], A->n));
    for (int64_t i = 0; i < A->n; ++i) y[k][i] = NAN;
    hp_spmv_job job = {.A = A,
                       .layout = layout,
                       .threads = threads,
                       .specialise = k == 1,
                       .compiled = &compiled,
                       .x = x,
                       .y = y[k],
                       .cold = say,
                       .time_limit = say ? 0.1 : 0.0};
    const hp_status s = hp_spmv_device_measure(D, &job);
    CHECK_OK(s);
    same = same && s == HP_OK;
    seconds[k] = job.seconds;
  }
  for (int64_t i = 0; i < A->n; ++i) same = same && memcmp(&y[0][i], &y[1][i], sizeof **y) == 0;
  CHECK(same && compiled.registers > 0);
  if (!same || say)
    printf("product %3d x %3d x %3d, q = %d, %d wells: %s %.2f s, %d registers; %.2f us, %.2f us%s\n", A->nx, A->ny,
           A->nz, A->q, A->wells.nwell, compiled.kept ? "read" : "compiled", compiled.seconds, compiled.registers,
           1e6 * seconds[0], 1e6 * seconds[1], same ? "" : ": OTHER BITS");
  HP_FREE(x);
  HP_FREE(y[0]);
  HP_FREE(y[1]);
}

static void compare_products(hp_device *D) {
  static const int size[][3] = {{7, 6, 5}, {1, 9, 8}, {9, 1, 1}, {30, 30, 28}, {60, 220, 85}};
  static const int unknowns[] = {1, 2, 3, 4, 8};
  for (int s = 0; s < (small > 1 ? 1 : small ? 3 : 5); ++s)
    for (size_t k = 0; k < sizeof unknowns / sizeof *unknowns; ++k)
      for (int wells = 0; wells < 2; ++wells) {
        if (small > 1 && (unknowns[k] != 2 || wells == 0)) continue;
        hp_family f = hp_family_default(size[s][0], size[s][1], size[s][2], unknowns[k]);
        hp_gh *A = NULL;
        if (!wells) f.nwell = 0;
        f.connections = wells && s == 0 ? 4 : 0;
        CHECK_OK(hp_family_create(&f, &A));
        compare_product(D, A, HP_SPMV_AUTO, 0, s > 2);
        if (s == 0) compare_product(D, A, HP_SPMV_ROWS, 64, false);
        hp_gh_destroy(&A);
      }
}

/* ---- boxes of 27 points ---- */

/* Bits of y = A x in SG-DIA by the build's kernel of a shape and by the one compiled for A. */
static void compare_box(hp_device *D, const int size[3], int q, bool periodic, bool shared, bool say) {
  hp_kernel_shape shape = hp_kernel_default_shape();
  hp_sgdia_timing *T = NULL;
  hp_sgdia *A = NULL;
  double *x = NULL, *y[2] = {NULL, NULL}, seconds[2] = {0.0, 0.0};
  hp_compiled_report compiled = {0};
  shape.shared = shared;
  CHECK_OK(hp_sgdia_create(HP_SGDIA_BOX, size, q, periodic, false, 1, &A));
  CHECK_OK(HP_ALLOC(x, A->n));
  hp_family_vector(9, A->n, x);
  CHECK_OK(hp_sgdia_timing_create(D, A, NULL, false, x, say, &T));
  bool same = true;
  for (int k = 0; k < 2; ++k) {
    CHECK_OK(HP_ALLOC(y[k], A->n));
    if (k == 1) CHECK_OK(hp_sgdia_timing_specialise(T, &shape, &compiled));
    CHECK_OK(hp_sgdia_timing_result(T, &shape, y[k]));
    if (say) CHECK_OK(hp_sgdia_timing_measure(T, &shape, 9, &seconds[k]));
  }
  for (int64_t i = 0; i < A->n; ++i) same = same && y[0][i] == y[0][i] && memcmp(&y[0][i], &y[1][i], sizeof **y) == 0;
  CHECK(same && compiled.registers > 0);
  if (!same || say)
    printf("box-27  %3d x %3d x %3d, q = %d%s: %s %.2f s, %d registers; %.2f us, %.2f us%s\n", size[0], size[1],
           size[2], q, periodic ? ", periodic" : "", compiled.kept ? "read" : "compiled", compiled.seconds,
           compiled.registers, 1e6 * seconds[0], 1e6 * seconds[1], same ? "" : ": OTHER BITS");
  hp_sgdia_timing_destroy(&T);
  hp_sgdia_destroy(&A);
  HP_FREE(x);
  HP_FREE(y[0]);
  HP_FREE(y[1]);
}

static void compare_boxes(hp_device *D) {
  static const int little[3] = {9, 7, 5}, some[3] = {30, 30, 28}, many[3] = {100, 100, 100};
  static const int unknowns[] = {1, 2, 3, 4, 8};
  for (size_t k = 0; k < sizeof unknowns / sizeof *unknowns; ++k) {
    if (small > 1 && unknowns[k] != 2) continue;
    for (int how = 0; how < 4; ++how) compare_box(D, little, unknowns[k], how % 2 == 1, how > 1, false);
    if (small) continue;
    compare_box(D, some, unknowns[k], false, false, true);
    if (unknowns[k] <= 4) compare_box(D, many, unknowns[k], false, false, true);
  }
}

/* ---- files ---- */

/* The only file of compiled kernels in the cache. */
static void find_file(const char *cache, char *path, size_t size) {
  int found = 0;
  char where[200];
  snprintf(where, sizeof where, "%s/hepta", cache);
  DIR *d = opendir(where);
  CHECK(d != NULL);
  for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
    if (strncmp(e->d_name, "kernel-", 7) == 0) {
      snprintf(path, size, "%s/%s", where, e->d_name);
      found += 1;
    }
  if (d != NULL) closedir(d);
  CHECK(found == 1);
}

static void expect(const system_of *S, const answer *right, bool kept, bool noted) {
  const hp_krylov_options o = options(HP_KRYLOV_BICGSTAB, HP_PRECOND_DILU, 25);
  answer a;
  solve(S, o, true, &a);
  CHECK(a.special.used && a.special.kept == kept && (a.special.note[0] != '\0') == noted);
  CHECK(same_answers(S, right, &a));
  forget(&a);
}

static void test_files(hp_device *D) {
  char cache[100], path[512] = "";
  hp_gh *A = NULL;
  system_of S;
  answer right;
  const hp_family f = hp_family_default(8, 7, 6, 2);
  CHECK_OK(hp_family_create(&f, &A));
  open_system(D, A, &S);
  solve(&S, options(HP_KRYLOV_BICGSTAB, HP_PRECOND_DILU, 25), false, &right);
  snprintf(cache, sizeof cache, "%s/files", folder);
  setenv("XDG_CACHE_HOME", cache, 1);
  expect(&S, &right, false, false);
  expect(&S, &right, true, false);
  find_file(cache, path, sizeof path);
  CHECK(truncate(path, 5000) == 0);
  expect(&S, &right, false, false);
  expect(&S, &right, true, false);
  hp_cubin code;
  CHECK_OK(hp_cubin_read(path, &code)); /* a whole file whose code is none: the build's kernel solves */
  memset(code.code, 0, (size_t)code.bytes);
  CHECK_OK(hp_cubin_write(path, &code));
  hp_cubin_free(&code);
  answer a;
  solve(&S, options(HP_KRYLOV_BICGSTAB, HP_PRECOND_DILU, 25), true, &a);
  CHECK(!a.special.used && a.special.note[0] != '\0' && same_answers(&S, &right, &a));
  printf("code that is none: %s\n", a.special.note);
  forget(&a);
  setenv("XDG_CACHE_HOME", "/proc/none", 1);
  expect(&S, &right, false, true);
  snprintf(cache, sizeof cache, "%s/cache", folder);
  setenv("XDG_CACHE_HOME", cache, 1);
  forget(&right);
  close_system(&S);
}

/* A solver made for one matrix solves another of the same length with the build's kernel; the barrier of cooperative groups
 * has no compiled kernel. */
static void test_others(hp_device *D) {
  hp_gh *A = NULL, *B = NULL;
  system_of S, T;
  answer right;
  hp_krylov_device *K = NULL;
  hp_krylov_options o = options(HP_KRYLOV_BICGSTAB, HP_PRECOND_NONE, 25);
  hp_family f = hp_family_default(6, 5, 4, 2);
  f.nwell = 0;
  CHECK_OK(hp_family_create(&f, &A));
  f.nx = 5;
  f.ny = 6;
  CHECK_OK(hp_family_create(&f, &B));
  open_system(D, A, &S);
  open_system(D, B, &T);
  solve(&T, o, false, &right);
  o.specialise = true;
  CHECK_OK(hp_krylov_device_create(D, &S.dA, &o, &K));
  CHECK(hp_krylov_device_special(K)->used);
  answer a = {0};
  CHECK_OK(HP_ALLOC(a.x, B->n));
  CHECK_OK(HP_ALLOC(a.history, o.max_iterations + 1));
  CHECK_OK(hp_krylov_device_setup(K, &T.dA));
  CHECK_OK(hp_krylov_device_solve(K, &T.dA, T.db, T.dx, a.history, &a.report));
  CHECK_OK(hp_device_download(D, a.x, T.dx, B->n * 8));
  CHECK(same_answers(&T, &right, &a));
  forget(&a);
  forget(&right);
  hp_krylov_device_destroy(&K);
  const hp_device_shape usual = hp_device_get_shape(D);
  for (int barrier = 0; barrier < HP_BARRIER_COUNT; ++barrier) {
    hp_device_shape shape = usual;
    shape.barrier = (hp_barrier_kind)barrier;
    CHECK_OK(hp_device_set_shape(D, &shape));
    o.specialise = false;
    solve(&S, o, false, &right);
    solve(&S, o, true, &a);
    CHECK(a.special.used == (barrier != HP_BARRIER_COOPERATIVE) && a.special.used == (a.special.note[0] == '\0'));
    CHECK(same_answers(&S, &right, &a));
    forget(&a);
    forget(&right);
  }
  CHECK_OK(hp_device_set_shape(D, &usual));
  close_system(&S);
  close_system(&T);
}

/* A team that spans two GPUs goes on with the build's kernel. */
static void test_two_gpus(void) {
  const hp_device_options two = {.gpus = 2};
  hp_device *D;
  hp_gh *A = NULL;
  system_of S;
  answer right, a;
  const hp_family f = hp_family_default(8, 7, 6, 2);
  CHECK_OK(hp_device_create(&two, &D));
  CHECK_OK(hp_family_create(&f, &A));
  open_system(D, A, &S);
  solve(&S, options(HP_KRYLOV_BICGSTAB, HP_PRECOND_DILU, 25), false, &right);
  solve(&S, options(HP_KRYLOV_BICGSTAB, HP_PRECOND_DILU, 25), true, &a);
  CHECK(!a.special.used && a.special.note[0] != '\0');
  CHECK(same_answers(&S, &right, &a));
  forget(&a);
  forget(&right);
  close_system(&S);
  hp_device_destroy(&D);
}

/* Whether a part is asked for: all are, unless arguments name some. */
static bool asks(int argc, char **argv, const char *part) {
  bool asked = argc < 2;
  for (int n = 1; n < argc; ++n) asked = asked || strcmp(argv[n], part) == 0;
  return asked;
}

static const char *const parts[] = {"files", "products", "boxes", "sizes", "cpr", "shapes"};

/* Arguments that are none of them. */
static int unknown(int argc, char **argv) {
  int count = argc - 1;
  for (int n = 1; n < argc; ++n)
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) count -= strcmp(argv[n], parts[k]) == 0;
  return count;
}

/* test_gpu_specialise [files] [products] [boxes] [sizes] [cpr] [shapes] */
int main(int argc, char **argv) {
  char cache[100], command[100];
  int version;
  hp_device *D;
  CHECK(unknown(argc, argv) == 0);
  small = getenv("HEPTA_TEST_SMALL") != NULL ? atoi(getenv("HEPTA_TEST_SMALL")) : 0;
  if (hp_device_create(NULL, &D) != HP_OK || hp_compiler_version(&version) != HP_OK) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  CHECK(mkdtemp(folder) != NULL);
  snprintf(cache, sizeof cache, "%s/cache", folder);
  setenv("XDG_CACHE_HOME", cache, 1);
  const int64_t before = hp_device_bytes(D);
  if (small < 2 && asks(argc, argv, "files")) {
    test_files(D);
    test_two_gpus();
    test_others(D);
  }
  if (asks(argc, argv, "products")) compare_products(D);
  if (asks(argc, argv, "boxes")) compare_boxes(D);
  if (small < 2 && asks(argc, argv, "sizes")) compare_sizes(D);
  if (small < 2 && asks(argc, argv, "cpr")) compare_cpr(D);
  if (small > 1) compare_short(D);
  if (!small && asks(argc, argv, "shapes")) compare_shapes(D);
  CHECK(hp_device_bytes(D) == before);
  hp_device_destroy(&D);
  CHECK(hp_memory_now() == 0);
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  return check_result();
}
