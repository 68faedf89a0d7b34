/* Linear systems as files (io/systems/system.h): random matrices with wells of every shape come back to the bit;
 * systems of a run are those that its backend had, and their solution is that of a dense elimination; files of other
 * kinds, cut short or changed in any one place are refused with a sentence or read as what they say, never more than
 * that. */
#define _POSIX_C_SOURCE 200809L
#include <hdf5.h>
#include <stdio.h>
#include <unistd.h>

#include "bench/solve/read.h"
#include "sim/newton/dump_systems.h"
#include "sim/run/run.h"
#include "tests/support/deck.h"
#include "tests/support/dense.h"
#include "tests/support/matrices.h"
#include "tests/support/steps.h"

static bool same_bits(const double *a, const double *b, int64_t n) {
  return n == 0 || memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

static void check_matrix(const hp_gh *A, const hp_gh *B) {
  const hp_gh_wells *W = &A->wells, *V = &B->wells;
  CHECK(A->nx == B->nx && A->ny == B->ny && A->nz == B->nz && A->q == B->q && A->n == B->n);
  CHECK(W->nwell == V->nwell && W->nrun == V->nrun && W->nperf == V->nperf);
  if (check_failures > 0) return;
  CHECK(same_bits(A->h, B->h, HP_GH_DIAGS * A->q * A->ld));
  CHECK(same_bits(W->w, V->w, W->nperf * A->q) && same_bits(W->wt, V->wt, W->nperf * A->q));
  CHECK(same_bits(W->dd, V->dd, W->nwell));
  for (int w = 0; w <= W->nwell && W->nwell > 0; ++w) CHECK(W->run_begin[w] == V->run_begin[w]);
  for (int r = 0; r < W->nrun; ++r)
    CHECK(W->a[r] == V->a[r] && W->b[r] == V->b[r] && W->c[r] == V->c[r] && W->next[r] == V->next[r]);
}

/* ---- there and back ---- */

static void check_text(const char *a, const char *b) { CHECK(a != NULL && strcmp(a, b) == 0); }

static void check_back(const hp_system *in, const char *path) {
  hp_system out;
  CHECK_OK(hp_system_write(in, path));
  CHECK_OK(hp_system_read(path, &out));
  if (out.A == NULL) return;
  check_matrix(in->A, out.A);
  CHECK((in->numbers != NULL) == (out.numbers != NULL) && (in->pattern != NULL) == (out.pattern != NULL));
  if (in->numbers != NULL) check_matrix(in->numbers, out.numbers);
  if (in->pattern != NULL) check_matrix(in->pattern, out.pattern);
  CHECK(same_bits(in->b, out.b, in->A->n) && same_bits(in->x, out.x, in->A->n));
  CHECK(memcmp(in->active, out.active, (size_t)in->A->ncell) == 0);
  check_text(in->deck, out.deck);
  check_text(in->commit, out.commit);
  check_text(in->solver, out.solver);
  CHECK(out.place.step == 12 && out.place.attempt == 2 && out.place.newton == 3);
  CHECK(out.time == in->time && out.dt == in->dt && out.iterations == 7 && out.uses_cpr == in->uses_cpr);
  CHECK(same_bits(&in->residual, &out.residual, 1) && out.norm_b == in->norm_b);
  hp_system_clear(&out);
  CHECK(out.A == NULL && out.b == NULL && out.deck == NULL);
}

/* Odd numbers: signed zeros, the smallest and largest ones. */
static void add_odd_numbers(hp_gh *A, double *b) {
  double *diagonal = hp_gh_entry(A, 0, 0, 0, 0);
  diagonal[0] = -0.0;
  b[0] = 0x1p-1074;
  b[A->n - 1] = 0x1.fffffffffffffp1023;
}

static void round_trip(int nx, int ny, int nz, int q, int nwell, bool cpr, const char *path) {
  static char deck[] = "a deck's \"name\" \xc3\xa4.cfg", version[] = "0.1.0", commit[] = "", solver[] = "gmres, ...",
              machine[] = "CPU", reason[] = "converged";
  hp_gh *A = NULL, *numbers = NULL, *pattern = NULL;
  double *b = NULL, *x = NULL;
  uint8_t *active = NULL;
  uint64_t seed = 11;
  CHECK_OK(matrix_random_gh(nx, ny, nz, q, nwell, 0.5, 3, &A));
  CHECK_OK(matrix_random_gh(nx, ny, nz, q, 0, 0.5, 4, &numbers));
  CHECK_OK(matrix_random_gh(nx, ny, nz, q, 0, 0.5, 5, &pattern));
  CHECK_OK(HP_ALLOC(b, A->n));
  CHECK_OK(HP_ALLOC(x, A->n));
  CHECK_OK(HP_ALLOC(active, A->ncell));
  for (int64_t i = 0; i < A->n; ++i) b[i] = matrix_random(&seed), x[i] = matrix_random(&seed);
  for (int64_t m = 0; m < A->ncell; ++m) active[m] = matrix_bits(&seed) % 2;
  add_odd_numbers(A, b);
  x[A->n / 2] = NAN;
  const hp_system in = {.deck = deck,
                        .version = version,
                        .commit = commit,
                        .solver = solver,
                        .machine = machine,
                        .reason = reason,
                        .place = {12, 2, 3},
                        .numbers_of = {12, 2, 1},
                        .pattern_of = {1, 1, 1},
                        .time = 1e9 / 3.0,
                        .dt = 0.1,
                        .A = A,
                        .b = b,
                        .x = x,
                        .active = active,
                        .uses_cpr = cpr,
                        .numbers = cpr && nwell == 0 ? numbers : NULL, /* those of the same wells */
                        .pattern = cpr && nwell == 0 ? pattern : NULL,
                        .iterations = 7,
                        .residual = 1e-300,
                        .norm_b = 3.5};
  check_back(&in, path);
  hp_gh_destroy(&A);
  hp_gh_destroy(&numbers);
  hp_gh_destroy(&pattern);
  HP_FREE(b);
  HP_FREE(x);
  HP_FREE(active);
}

/* ---- systems of a run ---- */

static struct {
  const hp_run_observer *dump;
  const char *base;
  int attempt, seen;
} watched;

/* The solution of the file's system by elimination, and by a Krylov method to rounding. */
static void check_solution(const hp_system *S) {
  const hp_gh *A = S->A;
  const hp_krylov_options opt = {.method = HP_KRYLOV_BICGSTAB,
                                 .preconditioner = HP_PRECOND_DILU,
                                 .precision = HP_PRECISION_DOUBLE,
                                 .tolerance = 1e-13,
                                 .max_iterations = 500};
  hp_team_hub *hub = NULL;
  hp_krylov *K = NULL;
  hp_krylov_report report;
  double *dense = NULL, *exact = NULL, *x = NULL, size = 0.0, off = 0.0;
  CHECK_OK(HP_ALLOC(dense, A->n * A->n));
  CHECK_OK(HP_ALLOC(exact, A->n));
  CHECK_OK(HP_ALLOC(x, A->n));
  CHECK_OK(hp_team_hub_create(1, NULL, &hub));
  CHECK_OK(hp_krylov_create(hub, A, &opt, &K));
  CHECK_OK(hp_krylov_setup(K, A));
  CHECK_OK(hp_krylov_solve(K, A, S->b, x, NULL, &report));
  CHECK(report.reason == HP_KRYLOV_CONVERGED);
  dense_from_gh(A, dense);
  memcpy(exact, S->b, (size_t)A->n * sizeof *exact);
  dense_solve(A->n, dense, exact);
  for (int64_t i = 0; i < A->n; ++i) {
    size = fmax(size, fabs(exact[i]));
    off = fmax(off, fabs(exact[i] - x[i]));
  }
  CHECK(size > 0.0);
  CHECK_NEAR(off / size, 0.0, 1e-8);
  hp_krylov_destroy(&K);
  hp_team_hub_destroy(&hub);
  HP_FREE(dense);
  HP_FREE(exact);
  HP_FREE(x);
}

static hp_status on_attempt(void *arg, const hp_sim *S, bool again) {
  (void)arg;
  watched.attempt = again ? watched.attempt + 1 : 1;
  return watched.dump->attempt(watched.dump->arg, S, again);
}

static hp_status on_solved(void *arg, hp_sim *S, int newton, const hp_krylov_report *k) {
  char path[512];
  hp_system file;
  hp_backend_system sys;
  (void)arg;
  HP_TRY(watched.dump->solved(watched.dump->arg, S, newton, k));
  HP_TRY(S->backend->ops->system(S->backend, true, &sys));
  if (watched.attempt == 1) snprintf(path, sizeof path, "%s.step%04d.newton%02d.h5", watched.base, S->step + 1, newton);
  else
    snprintf(path, sizeof path, "%s.step%04d.attempt%d.newton%02d.h5", watched.base, S->step + 1, watched.attempt,
             newton);
  HP_TRY(hp_system_read(path, &file));
  check_matrix(sys.J, file.A);
  CHECK(same_bits(sys.b, file.b, sys.J->n) && same_bits(sys.x, file.x, sys.J->n));
  CHECK(file.iterations == k->iterations && file.residual == k->residual && file.norm_b == k->norm_b);
  CHECK(file.place.newton == newton && file.place.attempt == watched.attempt && file.dt == S->dt);
  CHECK(file.numbers_of.step == S->step + 1 && file.numbers_of.newton == (file.uses_cpr ? 1 : newton));
  CHECK(file.pattern_of.step == (file.uses_cpr ? 1 : S->step + 1));
  CHECK((file.pattern != NULL) == (file.uses_cpr && S->step > 0));
  CHECK((file.numbers != NULL) == (file.uses_cpr && newton > 1));
  check_solution(&file);
  hp_system_clear(&file);
  unlink(path);
  watched.seen += 1;
  return HP_OK;
}

static void check_run(const char *precond) {
  char base[256];
  hp_dump_options opt = {.count = 0};
  hp_dump *dump = NULL;
  const hp_run_observer observer = {.attempt = on_attempt, .solved = on_solved};
  hp_run_options run = {.threads = 2, .observer = &observer};
  outcome o;
  snprintf(base, sizeof base, "%s", deck_path("sys"));
  CHECK_OK(hp_dump_parse(base, &opt));
  CHECK_OK(hp_dump_create(&opt, base, &dump));
  watched.dump = hp_dump_observer(dump);
  watched.base = base;
  watched.seen = 0;
  const char *set[] = {"grid.size=[6, 6, 2]", "wells.INJ.i=3", "wells.INJ.j=3", "wells.P2.i=6",
                       "wells.P2.j=2",        "wells.P3.i=2",  "wells.P3.j=6",  precond};
  hp_case *c = steps_deck("schedule.cfg", 8, set);
  hp_sim *S = steps_begin(c, &run);
  int newton = 0;
  for (; S->step < 3; ++S->step) {
    steps_advance(S, 1, &o);
    newton += o.newton;
    HP_FREE(o.state);
  }
  CHECK(watched.seen == newton && watched.seen >= 6);
  hp_sim_destroy(&S);
  hp_case_destroy(&c);
  hp_dump_destroy(&dump);
  HP_FREE(opt.name);
}

/* ---- what is asked for ---- */

static void check_parse(void) {
  static const struct {
    const char *text, *name;
    int count, step, newton; /* of the last one */
  } good[] = {{"a", "a", 0, 0, 0},         {"a:3", "a", 1, 3, 0},         {"dir/a:3,12", "dir/a", 2, 12, 0},
              {"a:3,14.2", "a", 2, 14, 2}, {"C:name", "C:name", 0, 0, 0}, {"a:", "a:", 0, 0, 0},
              {"a:b:7", "a:b", 1, 7, 0}};
  static const char *const bad[] = {"",      ":3",   "a:0",  "a:3,",          "a:,3",
                                    "a:3.0", "a:3.", "a:.1", "a:99999999999", "a:1..2"};
  hp_dump_options o = {.count = 0};
  for (size_t n = 0; n < sizeof good / sizeof *good; ++n) {
    CHECK_OK(hp_dump_parse(good[n].text, &o));
    CHECK(o.name != NULL && strcmp(o.name, good[n].name) == 0 && o.count == good[n].count);
    if (o.count > 0) CHECK(o.of[o.count - 1].step == good[n].step && o.of[o.count - 1].newton == good[n].newton);
  }
  for (size_t n = 0; n < sizeof bad / sizeof *bad; ++n) {
    CHECK(hp_dump_parse(bad[n], &o) == HP_ERR_USAGE);
    CHECK(strstr(hp_fail_text(), "--dump-systems takes NAME") != NULL);
  }
  HP_FREE(o.name);
}

/* ---- files that are none ---- */

static char *bytes;
static long size;

static void load(const char *path) {
  FILE *f = fopen(path, "rb");
  if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0) abort();
  rewind(f);
  bytes = malloc((size_t)size);
  if (bytes == NULL || fread(bytes, 1, (size_t)size, f) != (size_t)size || fclose(f) != 0) abort();
}

static void refused(const char *path, const char *why) {
  hp_system S;
  CHECK(hp_system_read(path, &S) == HP_ERR_FILE);
  CHECK(S.A == NULL && S.b == NULL);
  if (strstr(hp_fail_text(), why) == NULL || strstr(hp_fail_text(), path) == NULL) {
    fprintf(stderr, "said: %s, expected: %s\n", hp_fail_text(), why);
    check_failures += 1;
  }
}

static void check_other_files(void) {
  char path[256];
  snprintf(path, sizeof path, "%s", deck_path("other.h5"));
  refused(path, "cannot open");
  deck_write("other.h5", "no HDF5 at all\n", 15);
  refused(path, "cannot open");
  for (long part = 1; part < 8; ++part) {
    deck_write("other.h5", bytes, (size_t)(size * part / 8));
    refused(path, "");
  }
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  refused(path, "holds no linear system");
  unlink(path);
}

/* One number of a dataset, or an attribute, in a copy of a good file. */
static void set_number(const char *path, const char *name, hsize_t index, double value) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), all = H5Dget_space(set);
  const hsize_t n = (hsize_t)H5Sget_simple_extent_npoints(all);
  double *data = malloc((size_t)n * sizeof *data);
  if (data == NULL || H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) abort();
  data[index % n] = value;
  if (H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) abort();
  free(data);
  H5Sclose(all);
  H5Dclose(set);
  H5Fclose(file);
}

static void set_attribute(const char *path, const char *object, const char *name, double value) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), owner = H5Oopen(file, object, H5P_DEFAULT);
  H5Adelete(owner, name);
  if (value == value) { /* NAN: no more */
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t a = H5Acreate2(owner, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(a);
    H5Sclose(space);
  }
  H5Oclose(owner);
  H5Fclose(file);
}

/* In place of a dataset another one of n numbers of a type, without bytes in the file if `empty`; n < 0: none. */
static void set_dataset(const char *path, const char *name, hid_t type, int64_t n, bool empty) {
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(file, name, H5P_DEFAULT);
  if (n >= 0) {
    const hsize_t count = (hsize_t)n;
    const hid_t space = H5Screate_simple(1, &count, NULL);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (!empty) {
      double *zero = calloc((size_t)n + 1, sizeof *zero);
      H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, zero);
      free(zero);
    }
    H5Dclose(set);
    H5Sclose(space);
  }
  H5Fclose(file);
}

/* Faulty files that must be refused, and the words of the refusal. */
static void check_changes(int64_t ncell, int64_t nperf) {
  char path[256];
  snprintf(path, sizeof path, "%s", deck_path("other.h5"));
  const hid_t f64 = H5T_IEEE_F64LE, i32 = H5T_STD_I32LE;
  const int64_t h = 7 * 4 * ncell;
#define AGAIN deck_write("other.h5", bytes, (size_t)size)
  static const char *const finite[] = {"/matrix/h", "/matrix/w",  "/matrix/wt", "/matrix/d",
                                       "/b",        "/numbers/h", "/pattern/w"};
  for (size_t n = 0; n < sizeof finite / sizeof *finite; ++n)
    for (int kind = 0; kind < 2; ++kind) {
      AGAIN;
      set_number(path, finite[n], 5, kind == 0 ? NAN : -INFINITY);
      refused(path, "is not finite");
    }
  AGAIN;
  set_number(path, "/matrix/h", 0, 1.0); /* cell (1, 1, 1) and its neighbour beyond i = 1 */
  refused(path, "/matrix/h: cell (1, 1, 1) is coupled to one outside the grid");
  AGAIN;
  set_number(path, "/pattern/h", (hsize_t)h - 1, 1e-300);
  refused(path, "outside the grid");
  AGAIN;
  set_number(path, "/active", 3, 2.0);
  refused(path, "neither 0 nor 1");
  static const double no_cell[] = {-1.0, 1e6, -2147483648.0};
  for (int n = 0; n < 3; ++n) {
    AGAIN;
    set_number(path, "/wells/cell", (hsize_t)(3 * nperf - 1 - n), no_cell[n]);
    refused(path, "outside the grid of");
  }
  AGAIN;
  set_number(path, "/wells/begin", 1, 1e6);
  refused(path, "does not rise");
  AGAIN;
  set_number(path, "/wells/begin", 0, -1);
  refused(path, "does not rise");
  static const struct {
    const char *object, *name;
    double value;
    const char *why;
  } attributes[] = {{"/", "nx", 0, "nx of / is 0"},
                    {"/", "nx", 1e9, "more than 2^31 cells"},
                    {"/", "ny", 2.5, "not a whole number"},
                    {"/", "nz", NAN, "no attribute 'nz'"},
                    {"/", "q", 3, "where"},
                    {"/", "q", 17, "q of / is 17"},
                    {"/", "nwell", -1, "nwell"},
                    {"/", "nwell", 2147483646, "where"},
                    {"/", "nperf", 1e9, "where"},
                    {"/", "nperf", INFINITY, "nperf"},
                    {"/", "format_version", 2, "another version"},
                    {"/", "format", 1.0, ""},
                    {"/", "cpr", 2, "cpr"},
                    {"/matrix", "step", 0, "step"},
                    {"/numbers", "newton", NAN, "newton"},
                    {"/", "deck", 5.0, ""}};
  for (size_t n = 0; n < sizeof attributes / sizeof *attributes; ++n) {
    AGAIN;
    set_attribute(path, attributes[n].object, attributes[n].name, attributes[n].value);
    refused(path, attributes[n].why);
  }
  static const char *const sets[] = {"/matrix/h", "/matrix/w",    "/matrix/wt",  "/matrix/d",  "/b",        "/x",
                                     "/active",   "/wells/begin", "/wells/cell", "/numbers/h", "/pattern/d"};
  for (size_t n = 0; n < sizeof sets / sizeof *sets; ++n) {
    const bool whole = strncmp(sets[n], "/wells", 6) == 0;
    AGAIN;
    set_dataset(path, sets[n], f64, -1, false);
    refused(path, sets[n]);
    AGAIN;
    set_dataset(path, sets[n], whole ? i32 : f64, 1, false);
    refused(path, sets[n]);
    AGAIN;
    set_dataset(path, sets[n], whole ? f64 : i32, h, false);
    refused(path, sets[n]);
  }
  AGAIN;
  set_dataset(path, "/matrix/h", f64, h, true);
  refused(path, "its numbers are not in the file");
  AGAIN;
  set_dataset(path, "/matrix/h", f64, INT64_C(1) << 50, true);
  refused(path, "/matrix/h holds 1125899906842624 numbers");
  AGAIN;
  set_dataset(path, "/matrix/h", H5T_IEEE_F32LE, h, false);
  refused(path, "is not of 64-bit numbers");
#undef AGAIN
  unlink(path);
}

static void check_refusals(void) {
  static char text[] = "text";
  char path[256];
  hp_gh *A = NULL, *numbers = NULL, *pattern = NULL;
  double *b = NULL;
  uint8_t *active = NULL;
  snprintf(path, sizeof path, "%s", deck_path("good.h5"));
  CHECK_OK(matrix_random_gh(4, 3, 5, 2, MATRIX_CORNER_WELLS, 0.5, 3, &A));
  CHECK_OK(matrix_random_gh(4, 3, 5, 2, MATRIX_CORNER_WELLS, 0.5, 4, &numbers));
  CHECK_OK(matrix_random_gh(4, 3, 5, 2, MATRIX_CORNER_WELLS, 0.5, 5, &pattern));
  CHECK_OK(HP_ALLOC(b, A->n));
  CHECK_OK(HP_ALLOC(active, A->ncell));
  const hp_system in = {.deck = text,
                        .version = text,
                        .commit = text,
                        .solver = text,
                        .machine = text,
                        .reason = text,
                        .place = {12, 2, 3},
                        .numbers_of = {12, 2, 1},
                        .pattern_of = {1, 1, 1},
                        .A = A,
                        .b = b,
                        .x = b,
                        .active = active,
                        .uses_cpr = true,
                        .numbers = numbers,
                        .pattern = pattern,
                        .iterations = 7};
  check_back(&in, path);
  load(path);
  check_other_files();
  check_changes(A->ncell, A->wells.nperf);
  unlink(path);
  hp_gh_destroy(&A);
  hp_gh_destroy(&numbers);
  hp_gh_destroy(&pattern);
  HP_FREE(b);
  HP_FREE(active);
  free(bytes);
}

int main(void) {
  char path[256];
  snprintf(path, sizeof path, "%s", deck_path("sys.h5"));
  for (int q = 1; q <= 3; ++q) {
    round_trip(5, 4, 3, q, 0, true, path);
    round_trip(5, 4, 3, q, 7, true, path);
    round_trip(3, 4, 6, q, MATRIX_CORNER_WELLS, false, path);
    round_trip(7, 1, 1, q, MATRIX_CORNER_WELLS, true, path);
    round_trip(1, 1, 1, q, 0, false, path);
  }
  unlink(path);
  check_parse();
  check_run("linear.preconditioner=dilu");
  check_run("linear.preconditioner=cpr");
  check_refusals();
  rmdir(deck_folder);
  return check_result();
}
