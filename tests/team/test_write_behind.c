/* A run's writes through the queue of sim/checkpoint/write_behind.c, several report steps and many
 * rows ahead, is what it writes to them directly, with report steps that are named beside the run or not: the same bytes
 * in every file; a failure comes back and nothing more is written. With ThreadSanitizer: nothing is touched by two threads
 * at a time. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/files/text.h"
#include "sim/checkpoint/write_behind.h"
#include "tests/unit/io/output_case.h"

enum { REPORTS = 21, ROWS = 40 /* after each report: more than the queue holds */, MARKS = 3, AQUIFERS = 2 };

static char *vectors[] = {"AAQR", "AAQT:2", "FAQT"};
static const char *const names[CASE_WELLS] = {"INJ", "P1", "P2"};

/* The data that change from step to step; all of it is overwritten right after it was handed over. */
typedef struct {
  output_case o;
  hp_well_row well[CASE_WELLS];
  char why[64];
  double *balance;       /* [ncell*2] */
  double *lowest;        /* [ncell] */
  float *error, *change; /* [ncell*2] */
  hp_aquifer_spec aquifer[AQUIFERS];
  hp_aquifer_state state[AQUIFERS];
  double run[2];
  hp_fingerprint mark[MARKS];
  hp_restart kept;
} source;

static hp_status source_create(source *s) {
  memset(s, 0, sizeof *s);
  HP_TRY(case_create(&s->o, false, HP_UNITS_METRIC, names));
  s->o.c.output.refresh = 0.0;
  s->o.c.output.restart = -1;
  for (int n = 0; n < AQUIFERS; ++n) s->aquifer[n].number = n + 1;
  s->o.c.output.vector = vectors;
  s->o.c.output.nvector = sizeof vectors / sizeof *vectors;
  s->o.c.naquifer = AQUIFERS;
  s->o.c.aquifer = s->aquifer;
  HP_TRY(HP_ALLOC(s->balance, HP_PHASES * s->o.c.grid->ncell));
  HP_TRY(HP_ALLOC(s->lowest, s->o.c.grid->ncell));
  HP_TRY(HP_ALLOC(s->error, HP_PHASES * s->o.c.grid->ncell));
  HP_TRY(HP_ALLOC(s->change, HP_PHASES * s->o.c.grid->ncell));
  s->kept = (hp_restart){.ncell = s->o.c.grid->ncell,
                         .cell = {[HP_ARRAY_OWN_PRESSURE] = s->o.p,
                                  [HP_ARRAY_OWN_WATER] = s->o.sw,
                                  [HP_ARRAY_BALANCE] = s->balance,
                                  [HP_ARRAY_LOWEST] = s->lowest,
                                  [HP_ARRAY_ERROR] = s->error,
                                  [HP_ARRAY_CHANGE] = s->change},
                         .nfingerprint = MARKS,
                         .fingerprint = s->mark};
  s->kept.rows[HP_RESTART_RUN] = (hp_restart_rows){.nrow = 1, .ncolumn = 2, .columns = "a b", .value = s->run};
  return HP_OK;
}

static void source_destroy(source *s) {
  HP_FREE(s->balance);
  HP_FREE(s->lowest);
  HP_FREE(s->error);
  HP_FREE(s->change);
  case_destroy(&s->o);
}

static hp_status send_rows(source *s, hp_write_behind *w, hp_output *out, int step) {
  for (int n = 0; n < CASE_WELLS; ++n) {
    s->well[n] = (hp_well_row){.bhp = 1e7 + 1e4 * step + n, .control = (hp_control)(step % HP_CONTROL_COUNT)};
    s->well[n].flow.rate[HP_OIL] = step * 1e-3;
  }
  snprintf(s->why, sizeof s->why, step % 3 == 0 ? "" : "cell %d", step);
  for (int n = 0; n < AQUIFERS; ++n)
    s->state[n] = (hp_aquifer_state){.rate = n - 1e-3 * step, .influx = n + step * 10.0, .pressure = 3e7 + step};
  hp_group_row group = {0};
  const hp_summary_row summary = {
      .time = step * 100.0, .pressure = 2e7 + step, .well = s->well, .group = &group, .aquifer = s->state};
  const hp_solver_row solver = {.step = step, .time = step * 100.0, .dt = 100.0, .newton = step % 5, .why = s->why};
  hp_status status;
  if (w != NULL) {
    status = hp_write_behind_rows(w, out, &summary, &solver);
  } else {
    status = hp_output_summary(out, &summary);
    if (status == HP_OK) status = hp_output_solver(out, &solver);
  }
  memset(s->well, 0xff, sizeof s->well);
  memset(s->state, 0xff, sizeof s->state);
  memset(&group, 0xff, sizeof group);
  memset(s->why, 'x', sizeof s->why - 1);
  return status;
}

static hp_status send_fields(source *s, hp_write_behind *w, hp_output *out, int step) {
  const int64_t n = s->o.c.grid->ncell;
  for (int64_t m = 0; m < n; ++m) {
    s->o.p[m] = 1e7 + 1e3 * (double)(m * step % 1009);
    s->o.sw[m] = 0.2 + 1e-4 * (double)(m + step);
    s->balance[2 * m] = (double)(m + step);
    s->lowest[m] = 9e6 + 1e2 * (double)(m + step);
    s->error[2 * m + 1] = (float)(m - step);
    s->change[2 * m] = (float)(m * step);
  }
  s->kept.step = step;
  s->kept.time = step * 100.0;
  s->run[0] = step;
  for (int k = 0; k < MARKS; ++k) {
    snprintf(s->mark[k].of, sizeof s->mark[k].of, "part %d", k);
    s->mark[k].value = (uint64_t)(step * k);
  }
  hp_status status;
  if (w != NULL) {
    status = hp_write_behind_fields(w, out, step * 100.0, step, s->o.p, s->o.sw, &s->kept);
  } else {
    status = hp_output_restart(out, &s->kept);
    if (status == HP_OK) status = hp_output_fields(out, step * 100.0, step, s->o.p, s->o.sw);
  }
  memset(s->o.p, 0xff, (size_t)n * sizeof(double));
  memset(s->o.sw, 0xff, (size_t)n * sizeof(double));
  memset(s->balance, 0xff, (size_t)(2 * n) * sizeof(double));
  memset(s->lowest, 0xff, (size_t)n * sizeof(double));
  memset(s->error, 0xff, (size_t)(2 * n) * sizeof(float));
  memset(s->change, 0xff, (size_t)(2 * n) * sizeof(float));
  s->run[0] = -1.0;
  return status;
}

/* Report steps 0, ROWS, 2 ROWS, ... */
static hp_status write_all(source *s, hp_write_behind *w, hp_output *out) {
  for (int report = 0; report < REPORTS; ++report) {
    HP_TRY(send_fields(s, w, out, report * ROWS));
    for (int row = 1; row <= ROWS; ++row) HP_TRY(send_rows(s, w, out, report * ROWS + row));
  }
  return hp_write_behind_wait(w);
}

static hp_status run(const char *base, bool behind, int threads, double refresh) {
  source s;
  hp_write_behind *w = NULL;
  hp_output *out = NULL;
  HP_TRY(source_create(&s));
  s.o.c.output.refresh = refresh;
  hp_status status = behind ? hp_write_behind_create(&s.o.c, &w) : HP_OK;
  if (status == HP_OK) status = hp_output_open(&s.o.c, base, "", CASE_WELLS, s.o.path, &out);
  if (status == HP_OK) {
    hp_output_use_threads(out, threads);
    status = write_all(&s, w, out);
  }
  const hp_status closed = hp_output_close(&out);
  hp_write_behind_destroy(&w);
  source_destroy(&s);
  return status != HP_OK ? status : closed;
}

/* Where two files have the same bytes but for the names of their results. */
static void check_same(const char *a, const char *b) {
  char *x = NULL, *y = NULL;
  size_t nx = 0, ny = 0;
  CHECK_OK(hp_file_read(a, &x, &nx));
  CHECK_OK(hp_file_read(b, &y, &ny));
  const bool same = nx > 0 && nx == ny && memcmp(x, y, nx) == 0;
  if (!same) fprintf(stderr, "%s and %s differ\n", a, b);
  CHECK(same);
  HP_FREE(x);
  HP_FREE(y);
}

static void test_bytes(void) {
  enum { WAYS = 5 };
  static const char *const folder[WAYS] = {"line", "one", "four", "beside", "beside_one"};
  for (int n = 0; n < WAYS; ++n) {
    CHECK(mkdir(folder[n], 0777) == 0 && chdir(folder[n]) == 0);
    CHECK_OK(run("r", n == 1 || n == 2 || n == 4, n == 2 ? 4 : 1, n < 3 ? 0.0 : 1e-9));
    CHECK(chdir("..") == 0);
  }
  for (int n = 1; n < WAYS; ++n) {
    static const char *const file[] = {"r.h5", "r.xdmf2", "r.summary.csv", "r.solver.csv"};
    char a[64], b[64];
    for (size_t f = 0; f < sizeof file / sizeof file[0]; ++f) {
      snprintf(a, sizeof a, "line/%s", file[f]);
      snprintf(b, sizeof b, "%s/%s", folder[n], file[f]);
      check_same(a, b);
    }
    for (int report = 0; report < REPORTS; ++report)
      for (int kind = 0; kind < 2; ++kind) {
        const char *name = kind == 0 ? "step" : "restart";
        snprintf(a, sizeof a, "line/r.steps/%s_%06d.h5", name, report * ROWS);
        snprintf(b, sizeof b, "%s/r.steps/%s_%06d.h5", folder[n], name, report * ROWS);
        check_same(a, b);
      }
  }
}

/* The folder of the step files is gone: the run hears of it soon, the tables end before the rows that follow. */
static void test_failure(void) {
  source s;
  hp_write_behind *w = NULL;
  hp_output *out = NULL;
  const int64_t before = hp_memory_now();
  CHECK_OK(source_create(&s));
  CHECK_OK(hp_write_behind_create(&s.o.c, &w));
  CHECK_OK(hp_output_open(&s.o.c, "f", "", CASE_WELLS, s.o.path, &out));
  CHECK_OK(send_rows(&s, w, out, 1));
  CHECK_OK(hp_write_behind_wait(w));
  CHECK(rmdir("f.steps") == 0);
  hp_status status = send_fields(&s, w, out, 1);
  int rows = 1;
  while (status == HP_OK && rows < 1000) status = send_rows(&s, w, out, ++rows);
  CHECK(status == HP_ERR_FILE && strstr(hp_fail_text(), "f.steps/restart_000001.h5.tmp") != NULL);
  CHECK(hp_write_behind_wait(w) == HP_ERR_FILE && strstr(hp_fail_text(), "f.steps") != NULL);
  CHECK(send_fields(&s, w, out, 2000) == HP_ERR_FILE);
  hp_write_behind_destroy(&w);
  char *csv = NULL;
  size_t size = 0;
  int lines = 0;
  CHECK_OK(hp_file_read("f.solver.csv", &csv, &size));
  for (size_t n = 0; n < size; ++n) lines += csv[n] == '\n';
  CHECK(lines == 2);
  HP_FREE(csv);
  CHECK_OK(hp_output_close(&out));
  source_destroy(&s);
  CHECK(hp_memory_now() == before);
}

int main(void) {
  if (system("rm -rf test_write_behind.dir") != 0 || mkdir("test_write_behind.dir", 0777) != 0 ||
      chdir("test_write_behind.dir") != 0) {
    perror("test_write_behind.dir");
    return 1;
  }
  test_bytes();
  test_failure();
  return check_result();
}
