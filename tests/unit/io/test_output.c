/* The result files of a small run with known values, read back with HDF5 and as text.
 *
 *   test_unit_output                      the test, in the working directory
 *   test_unit_output BASE [tilted]        writes the result BASE.h5 ... and stops (tests/paraview opens it)
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/results/eclipse/eclipse.h"
#include "output_case.h"

static const char *const plain_names[CASE_WELLS] = {"INJ", "P-1", "H_2"};
static const char *const odd_names[CASE_WELLS] = {"I,1", "P\"<&>'", "A/B C"};

static int write_result(const char *base, bool tilted) {
  output_case o;
  hp_status s = case_create(&o, tilted, HP_UNITS_METRIC, plain_names);
  if (s == HP_OK) s = case_run(&o, base);
  if (s != HP_OK) fprintf(stderr, "%s\n", hp_fail_text());
  case_destroy(&o);
  return s == HP_OK ? 0 : 1;
}

/* ---- reading back ---- */

static char *text_of(const char *path) {
  static char text[1 << 17];
  FILE *f = fopen(path, "rb");
  const size_t n = f != NULL ? fread(text, 1, sizeof text - 1, f) : 0;
  if (f != NULL) fclose(f);
  text[n] = '\0';
  return text;
}

static bool exists(const char *path) { return access(path, F_OK) == 0; }

static void make_file(const char *path) {
  FILE *f = fopen(path, "wb");
  CHECK(f != NULL && fputs("stale\n", f) >= 0 && fclose(f) == 0);
}

/* Entry n of a dataset; NAN if it is missing or has not `count` entries. */
static double entry(const hp_h5 *h, const char *name, int64_t count, int64_t n) {
  double *data;
  int64_t length;
  if (hp_h5_read(h, name, &data, &length) != HP_OK) return NAN;
  const double value = length == count ? data[n] : NAN;
  HP_FREE(data);
  return value;
}

static bool text_is(const hp_h5 *h, const char *object, const char *attribute, const char *expected) {
  char *text = NULL;
  const bool ok = hp_h5_read_text(h, object, attribute, &text) == HP_OK && strcmp(text, expected) == 0;
  if (!ok) fprintf(stderr, "%s.%s: '%s', expected '%s'\n", object, attribute, text != NULL ? text : "", expected);
  HP_FREE(text);
  return ok;
}

static bool string_is(const hp_h5 *h, const char *name, int64_t index, const char *expected) {
  char *text = NULL;
  const bool ok = hp_h5_read_string(h, name, index, &text) == HP_OK && strcmp(text, expected) == 0;
  HP_FREE(text);
  return ok;
}

static int64_t natural(int i, int j, int k) { return i + CASE_NX * (j + CASE_NY * k); }

enum { CELLS = CASE_NX * CASE_NY * CASE_NZ };

/* ---- the tests ---- */

static void check_fields(const hp_h5 *h) {
  for (int step = 0; step <= 6; step += 2) {
    char name[64];
    snprintf(name, sizeof name, "/steps/%06d/pressure", step);
    CHECK(entry(h, name, CELLS, natural(3, 7, 2)) == (float)case_pressure(3, 7, 2, step));
    snprintf(name, sizeof name, "/steps/%06d/sw", step);
    CHECK(entry(h, name, CELLS, natural(11, 0, 3)) == (float)case_sw(11, 0, 3, step));
    snprintf(name, sizeof name, "/steps/%06d/so", step);
    CHECK(entry(h, name, CELLS, natural(11, 0, 3)) == (float)(1.0 - case_sw(11, 0, 3, step)));
  }
  double seconds = 0.0;
  CHECK_OK(hp_h5_read_number(h, "/steps/000002", "time", &seconds));
  CHECK_NEAR(seconds, 1.5 * CASE_DAY, 0.0);
  CHECK(text_is(h, "/steps/000002", "time_unit", "s"));
  CHECK(text_is(h, "/steps/000002/pressure", "unit", "Pa"));
  CHECK_NEAR(entry(h, "/time", 4, 1), 1.5 * CASE_DAY, 0.0);
  CHECK_NEAR(entry(h, "/step", 4, 3), 6.0, 0.0);
}

static void check_grid(const hp_h5 *h) {
  CHECK_NEAR(entry(h, "/grid/x", CASE_NX + 1, 2), 105.0, 0.0);
  CHECK_NEAR(entry(h, "/grid/z", CASE_NZ + 1, 4), -2020.0, 0.0);
  CHECK_NEAR(entry(h, "/static/permx", CELLS, natural(3, 0, 1)), 312.0, 1e-4);
  CHECK_NEAR(entry(h, "/static/permz", CELLS, natural(3, 0, 1)), 104.0, 1e-4);
  CHECK_NEAR(entry(h, "/static/depth", CELLS, natural(0, 0, 2)), 2012.5, 0.0);
  CHECK_NEAR(entry(h, "/static/porosity", CELLS, natural(0, 0, 2)), 0.12, 1e-8);
  CHECK_NEAR(entry(h, "/static/pore_volume", CELLS, natural(9, 7, 0)), 0.0, 0.0);
  CHECK(text_is(h, "/static/permx", "unit", "mD"));
  for (int j = 0; j < CASE_NY; ++j)
    for (int i = 0; i < CASE_NX; ++i) {
      CHECK(entry(h, "/grid/active", CELLS, natural(i, j, 1)) == case_active(i, j));
      CHECK(entry(h, "/grid/vtkGhostType", CELLS, natural(i, j, 1)) == (case_active(i, j) ? 0 : 32));
    }
}

static void test_metric(void) {
  output_case o;
  CHECK_OK(case_create(&o, false, HP_UNITS_METRIC, plain_names));
  CHECK_OK(case_run(&o, "m"));
  hp_h5 h;
  CHECK_OK(hp_h5_open(&h, "m.h5"));
  check_fields(&h);
  check_grid(&h);
  CHECK_NEAR(entry(&h, "/wells/H_2/path", 6, 5), -case_depth(false, 8, 8, 1), 0.0);
  CHECK(text_is(&h, "/wells/INJ", "type", "injector"));
  CHECK(text_is(&h, "/", "title", o.c.title));
  CHECK_NEAR(entry(&h, "/summary/FWIT", 6, 5), 600.0, 1e-9);
  CHECK(string_is(&h, "/summary/WMCTL:H_2", 0, "SHUT") && string_is(&h, "/summary/WMCTL:H_2", 1, "ORAT"));
  CHECK(string_is(&h, "/summary/WMCTL:INJ", 3, "RATE"));
  CHECK(text_is(&h, "/summary/WOPR:P-1", "unit", "SM3/DAY"));
  CHECK(string_is(&h, "/solver/why", 1, "cell (1,2,3): water, MB 1e-3, \"CNV\" 0.5"));
  hp_h5_discard(&h);
  CHECK_OK(hp_h5_open(&h, "m.grid.h5"));
  CHECK(text_is(&h, "/", "deck_text", o.c.text) && text_is(&h, "/", "command_line", "hepta run known.cfg"));
  hp_h5_discard(&h);

  const char *csv = text_of("m.summary.csv");
  CHECK(strncmp(csv, "TIME[DAYS],DATE,FOPR[SM3/DAY],FWPR[SM3/DAY],FLPR[SM3/DAY],", 58) == 0);
  CHECK(strstr(csv, ",FWCT,FPR[BARSA],WOPR:INJ[SM3/DAY],") != NULL);
  CHECK(strstr(csv, ",WWCT:H_2,WBHP:H_2[BARSA],WMCTL:H_2\n") != NULL);
  CHECK(strstr(csv, "\n3,2026-02-03 00:00:00,60,20,80,0,100,180,60,240,0,300,0.25,199.7,") != NULL);
  CHECK(strstr(csv, ",-0") == NULL);
  csv = text_of("m.solver.csv");
  CHECK(strstr(
            csv,
            "\n2,2,2026-02-02 00:00:00,1,3,12,1,10,0,\"cell (1,2,3): water, MB 1e-3, \"\"CNV\"\" 0.5\",1e-09,2e-09,") !=
        NULL);
  case_destroy(&o);
}

/* Field units, double precision, no compression, names that need escaping in every format. */
static void test_field_units(void) {
  output_case o;
  CHECK_OK(case_create(&o, false, HP_UNITS_FIELD, odd_names));
  o.c.output.f64 = true;
  o.c.output.compression = 0;
  CHECK_OK(case_run(&o, "f <&> 'q'"));
  hp_h5 h;
  CHECK_OK(hp_h5_open(&h, "f <&> 'q'.h5"));
  CHECK_NEAR(entry(&h, "/steps/000004/pressure", CELLS, natural(3, 7, 2)), case_pressure(3, 7, 2, 4), 0.0);
  CHECK_NEAR(entry(&h, "/summary/FPR", 6, 0), 1.999e7 / 6894.757293168, 1e-9);
  CHECK_NEAR(entry(&h, "/summary/WOPT:P\"<&>'", 6, 0), 60.0 / 0.158987294928, 1e-9);
  CHECK(string_is(&h, "/summary/WMCTL:A_B C", 1, "ORAT"));
  CHECK(text_is(&h, "/wells/A_B C", "name", "A/B C"));
  hp_h5_discard(&h);
  CHECK(strstr(text_of("f <&> 'q'.summary.csv"), ",\"WOPR:I,1[STB/DAY]\",") != NULL);
  CHECK(strstr(text_of("f <&> 'q'.xdmf2"), ">f &lt;&amp;&gt; &apos;q&apos;.grid.h5:/grid/nodes<") != NULL);
  case_destroy(&o);
}

/* Nodes of cells that do not line up: the mean of the corners of the active cells that meet there. */
static void test_tilted(void) {
  output_case o;
  CHECK_OK(case_create(&o, true, HP_UNITS_METRIC, plain_names));
  CHECK_OK(case_run(&o, "t"));
  hp_h5 h;
  CHECK_OK(hp_h5_open(&h, "t.h5"));
  const int64_t count = 3 * (CASE_NX + 1) * (CASE_NY + 1) * (CASE_NZ + 1), row = 3 * (CASE_NX + 1);
  CHECK_NEAR(entry(&h, "/grid/nodes", count, 0), 0.0, 0.0);
  CHECK_NEAR(entry(&h, "/grid/nodes", count, 2), -2000.0, 1e-9);
  /* Between columns (0,0), (1,0), (0,1), (1,1): depths 0, 6, 2, 8 below that of the first. */
  CHECK_NEAR(entry(&h, "/grid/nodes", count, row + 3 + 0), 50.0, 1e-9);
  CHECK_NEAR(entry(&h, "/grid/nodes", count, row + 3 + 1), 60.0, 1e-9);
  CHECK_NEAR(entry(&h, "/grid/nodes", count, row + 3 + 2), -2004.0, 1e-9);
  /* Node (9, 7): the inactive column (9, 7) does not count, the others stand at 8*6+6*2, 9*6+6*2, 8*6+7*2. */
  CHECK_NEAR(entry(&h, "/grid/nodes", count, 7 * row + 9 * 3 + 2), -2000.0 - (60.0 + 66.0 + 62.0) / 3.0, 1e-6);
  hp_h5_discard(&h);
  case_destroy(&o);
}

/* An earlier run of the same name leaves nothing behind; what is not ours stays. */
static void test_stale(void) {
  static const char *const stale[] = {"s.h5.tmp", "s.xdmf2.tmp", "s.steps/step_000100.h5.tmp"};
  output_case o;
  CHECK_OK(case_create(&o, false, HP_UNITS_METRIC, plain_names));
  CHECK_OK(case_run(&o, "s"));
  for (size_t n = 0; n < sizeof stale / sizeof stale[0]; ++n) make_file(stale[n]);
  make_file("s.steps/notes.txt");
  make_file("s.steps/step_000099.h5"); /* which hepta has not written */
  hp_output *out;
  CHECK(hp_output_open(&o.c, "s", "", CASE_WELLS, o.path, &out) == HP_ERR_USAGE && out == NULL);
  CHECK(strstr(hp_fail_text(), "s.steps/step_000099.h5: exists and is not a file of hepta") != NULL);
  CHECK(exists(stale[0]) && exists("s.h5") && exists("s.steps/step_000002.h5"));
  CHECK(rename("s.steps/step_000099.h5", "s.steps/mine.h5") == 0);
  CHECK_OK(hp_output_open(&o.c, "s", "", CASE_WELLS, o.path, &out));
  for (size_t n = 0; n < sizeof stale / sizeof stale[0]; ++n) CHECK(!exists(stale[n]));
  CHECK(exists("s.steps/notes.txt") && exists("s.steps/mine.h5") && !exists("s.steps/step_000002.h5"));
  CHECK_OK(case_write_fields(out, &o, 1.0, 5));
  /* Times and steps must rise, or ParaView shows the wrong one. */
  CHECK(case_write_fields(out, &o, 1.0, 6) == HP_ERR_INTERNAL);
  CHECK(case_write_fields(out, &o, 2.0, 5) == HP_ERR_INTERNAL);
  CHECK_OK(hp_output_close(&out));
  CHECK(out == NULL);
  case_destroy(&o);
}

/* Without fields and without summary: what is left is whole. */
static void test_less(void) {
  output_case o;
  CHECK_OK(case_create(&o, false, HP_UNITS_SI, plain_names));
  o.c.output.fields = o.c.output.summary = false;
  CHECK_OK(case_run(&o, "l"));
  hp_h5 h;
  CHECK_OK(hp_h5_open(&h, "l.h5"));
  CHECK(!hp_h5_exists(&h, "/summary") && hp_h5_exists(&h, "/static/permx"));
  CHECK_NEAR(entry(&h, "/solver/linear", 6, 5), 12.0, 0.0);
  CHECK(isnan(entry(&h, "/time", 1, 0)));
  hp_h5_discard(&h);
  CHECK(!exists("l.summary.csv") && exists("l.solver.csv"));
  CHECK(strstr(text_of("l.xdmf2"), "permx") != NULL && strstr(text_of("l.xdmf2"), "pressure") == NULL);
  case_destroy(&o);
}

static int steps_named(const char *master) {
  hp_h5 h;
  char **name = NULL;
  int64_t count = 0;
  CHECK_OK(hp_h5_open(&h, master));
  CHECK_OK(hp_h5_members(&h, "/steps", &name, &count));
  hp_h5_members_free(&name, count);
  hp_h5_discard(&h);
  return (int)count;
}

static void nap(int milliseconds) { nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000L}, NULL); }

/* Whether master and xdmf2 get to name `count` report steps while the run waits, for seconds at most. */
static bool comes_to_name(const char *base, int count) {
  char path[64], last[64];
  snprintf(last, sizeof last, "step_%06d", count);
  for (int n = 0; n < 1000; ++n) {
    snprintf(path, sizeof path, "%s.xdmf2", base); /* which is the last one */
    if (strstr(text_of(path), last) != NULL) break;
    nap(10);
  }
  const bool named = strstr(text_of(path), last) != NULL;
  snprintf(path, sizeof path, "%s.h5", base);
  return named && steps_named(path) == count;
}

/* The first report step is named at once; those that follow it fast wait for the end of the run, or for a time step that
 * ends late. */
static void test_refresh(void) {
  output_case o;
  hp_output *out;
  CHECK_OK(case_create(&o, false, HP_UNITS_METRIC, plain_names));
  o.c.output.refresh = 1e9;
  CHECK_OK(hp_output_open(&o.c, "r", "hepta run known.cfg", CASE_WELLS, o.path, &out));
  for (int step = 1; step <= 3; ++step) {
    CHECK_OK(case_write_rows(out, step));
    CHECK_OK(case_write_fields(out, &o, step, step));
    CHECK(comes_to_name("r", 1) && strstr(text_of("r.xdmf2"), "step_000002") == NULL);
  }
  CHECK(exists("r.steps/step_000002.h5") && exists("r.steps/step_000003.h5"));
  CHECK_OK(hp_output_close(&out));
  CHECK(steps_named("r.h5") == 3 && strstr(text_of("r.xdmf2"), "step_000003") != NULL);

  o.c.output.refresh = 0.1;
  CHECK_OK(hp_output_open(&o.c, "r", "hepta run known.cfg", CASE_WELLS, o.path, &out));
  for (int step = 1; step <= 2; ++step) CHECK_OK(case_write_fields(out, &o, step, step));
  CHECK(comes_to_name("r", 1));
  for (int row = 3; row < 100 && steps_named("r.h5") == 1; ++row) {
    nap(250);
    CHECK_OK(case_write_rows(out, row));
    nap(50);
  }
  CHECK(comes_to_name("r", 2));
  CHECK_OK(hp_output_close(&out));
  case_destroy(&o);
}

static int64_t rows_in(const char *master) {
  hp_h5 h;
  double *time = NULL;
  int64_t count = 0;
  CHECK_OK(hp_h5_open(&h, master));
  CHECK_OK(hp_h5_read(&h, "/summary/TIME", &time, &count));
  HP_FREE(time);
  hp_h5_discard(&h);
  return count;
}

/* Without fields the tables get into the master, beside the run. */
static void test_tables_alone(void) {
  output_case o;
  hp_output *out;
  CHECK_OK(case_create(&o, false, HP_UNITS_METRIC, plain_names));
  o.c.output.fields = false;
  o.c.output.refresh = 1e-9;
  CHECK_OK(hp_output_open(&o.c, "tables", "hepta run known.cfg", CASE_WELLS, o.path, &out));
  for (int step = 1; step < 1000 && rows_in("tables.h5") < 2; ++step) {
    CHECK_OK(case_write_rows(out, step));
    CHECK_OK(case_write_fields(out, &o, step, step));
    nap(10);
  }
  CHECK(rows_in("tables.h5") >= 2);
  CHECK_OK(hp_output_close(&out));
  CHECK(steps_named("tables.h5") == 0);
  case_destroy(&o);
}

/* A report step that cannot be named beside the run is an error of a later call; the end of the run names it where that
 * can be done again. */
static void test_late_failure(void) {
  output_case o;
  hp_output *out;
  hp_status s = HP_OK;
  int step = 1;
  CHECK_OK(case_create(&o, false, HP_UNITS_METRIC, plain_names));
  o.c.output.refresh = 1e-9;
  CHECK_OK(hp_output_open(&o.c, "late", "hepta run known.cfg", CASE_WELLS, o.path, &out));
  CHECK_OK(case_write_fields(out, &o, step, step));
  CHECK(steps_named("late.h5") == 1);     /* at once */
  CHECK(mkdir("late.h5.tmp", 0777) == 0); /* in the master's way */
  for (; step < 1000 && s == HP_OK; ++step) {
    nap(10);
    s = case_write_fields(out, &o, step + 1, step + 1);
  }
  CHECK(s == HP_ERR_FILE && strstr(hp_fail_text(), "late.h5.tmp") != NULL);
  CHECK(rmdir("late.h5.tmp") == 0);
  CHECK_OK(hp_output_close(&out));
  CHECK(steps_named("late.h5") == step && step > 2);
  case_destroy(&o);
}

/* Fields of every type and size, also with chunks that reach beyond them, come back through HDF5's own filters. */
static void check_field(hp_h5_type type, const int dims[3], int level) {
  enum { MOST = 2 * 300000 };
  static double number[MOST];
  static int32_t integer[MOST];
  static uint8_t byte[MOST];
  const int64_t n = (int64_t)dims[0] * dims[1] * dims[2];
  for (int64_t i = 0; i < n; ++i) {
    integer[i] = (int32_t)((uint32_t)i * 2654435761u) >> i % 32;
    number[i] = i % 7 == 0 ? 0.0 : integer[i] * exp2((double)(i % 200 - 100)) / 3.0;
    byte[i] = (uint8_t)integer[i];
  }
  const void *data = type == HP_H5_I32 ? (const void *)integer : type == HP_H5_U8 ? (const void *)byte : number;
  hp_h5 h;
  double *back = NULL;
  int64_t count = 0, wrong = 0;
  CHECK_OK(hp_h5_create(&h, "field.h5", level));
  CHECK_OK(hp_h5_field(&h, "a", type, dims, data, "m"));
  CHECK_OK(hp_h5_commit(&h));
  CHECK_OK(hp_h5_open(&h, "field.h5"));
  CHECK_OK(hp_h5_read(&h, "a", &back, &count));
  CHECK(count == n);
  for (int64_t i = 0; i < n && count == n; ++i)
    wrong += back[i] != (type == HP_H5_F64   ? number[i]
                         : type == HP_H5_F32 ? (double)(float)number[i]
                         : type == HP_H5_I32 ? integer[i]
                                             : byte[i]);
  CHECK(wrong == 0);
  HP_FREE(back);
  hp_h5_discard(&h);
}

/* Noise, a smooth field with a constant part, and one less that: numbers of all of these meet in a chunk's planes. */
static void fill_cells(const int dims[3], double *noise, double *smooth) {
  uint64_t state = 1;
  const int64_t n = (int64_t)dims[0] * dims[1] * dims[2];
  for (int64_t m = 0; m < n; ++m) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    noise[m] = 1.0 + (double)(state >> 11) * 0x1p-53;
    smooth[m] = m % (2 * dims[0]) < dims[0] ? 0.2 : 0.2 + 0.5 * sin((double)m / (double)n);
  }
}

static char *write_fields(const hp_h5_source *field, int count, hp_h5_type type, const int dims[3], int level,
                          int threads, size_t *size) {
  hp_h5 h;
  char *bytes = NULL;
  CHECK_OK(hp_h5_create(&h, "fields.h5", level));
  CHECK_OK(hp_h5_fields(&h, count, field, type, dims, threads));
  CHECK_OK(hp_h5_commit(&h));
  CHECK_OK(hp_file_read("fields.h5", &bytes, size));
  return bytes;
}

/* From the order of the cells, by any number of threads: the same file, and what it holds comes back. */
static void check_cells(hp_h5_type type, const int dims[3], int level) {
  const int64_t n = (int64_t)dims[0] * dims[1] * dims[2];
  double *noise, *smooth, *back = NULL;
  CHECK_OK(HP_ALLOC(noise, n));
  CHECK_OK(HP_ALLOC(smooth, n));
  fill_cells(dims, noise, smooth);
  const hp_h5_source field[] = {{.name = "noise", .unit = "m", .data = noise, .by_cell = true},
                                {.name = "smooth", .data = smooth, .by_cell = true},
                                {.name = "less", .data = smooth, .by_cell = true, .less_one = true}};
  size_t size = 0, other = 0;
  char *bytes = write_fields(field, 3, type, dims, level, 1, &size);
  for (int threads = 2; threads <= 7; threads += 5) {
    char *again = write_fields(field, 3, type, dims, level, threads, &other);
    CHECK(other == size && bytes != NULL && again != NULL && memcmp(bytes, again, size) == 0);
    HP_FREE(again);
  }
  hp_h5 h;
  CHECK_OK(hp_h5_open(&h, "fields.h5"));
  for (int f = 0; f < 3; ++f) {
    int64_t count = 0, wrong = 0;
    CHECK_OK(hp_h5_read(&h, field[f].name, &back, &count));
    CHECK(count == n);
    for (int64_t m = 0; m < n && count == n; ++m) {
      const int64_t k = m % dims[0], j = m / dims[0] % dims[1], i = m / dims[0] / dims[1];
      const double v = f == 0 ? noise[m] : f == 1 ? smooth[m] : 1.0 - smooth[m];
      wrong += back[i + dims[2] * (j + dims[1] * k)] != (type == HP_H5_F64 ? v : (double)(float)v);
    }
    CHECK(wrong == 0);
    HP_FREE(back);
  }
  hp_h5_discard(&h);
  HP_FREE(bytes);
  HP_FREE(noise);
  HP_FREE(smooth);
}

static void test_cells(void) {
  static const int dims[][3] = {{1, 1, 1}, {4, 10, 12}, {70, 61, 67}, {2, 521, 511}, {2, 1, 300000}};
  for (int d = 0; d < 5; ++d) check_cells(HP_H5_F32, dims[d], 1);
  for (int level = 1; level < 6; level += 4) check_cells(HP_H5_F64, dims[2], level);
  const int64_t before = hp_memory_now();
  hp_memory_limit(before + 4000000); /* too little for the packed chunks */
  hp_h5 h;
  static double data[70 * 61 * 67];
  const hp_h5_source field = {.name = "a", .data = data, .by_cell = true};
  CHECK_OK(hp_h5_create(&h, "refused.h5", 1));
  CHECK(hp_h5_fields(&h, 1, &field, HP_H5_F64, dims[2], 2) == HP_ERR_MEMORY);
  hp_h5_discard(&h);
  hp_memory_limit(0);
  CHECK(hp_memory_now() == before);
}

static void test_fields(void) {
  static const hp_h5_type types[] = {HP_H5_F32, HP_H5_F64, HP_H5_I32, HP_H5_U8};
  static const int dims[][3] = {{1, 1, 1}, {5, 7, 3}, {2, 521, 511}};
  static const int levels[] = {0, 1, 5};
  for (int t = 0; t < 4; ++t)
    for (int d = 0; d < 3; ++d)
      for (int l = (t + 2 * d) % check_every(4); l < 3; l += check_every(4)) check_field(types[t], dims[d], levels[l]);
}

/* The version of a file's superblock, which follows its signature of eight bytes; -1: no such file. */
static int superblock_version(const char *path) {
  unsigned char first[9] = {0};
  FILE *f = fopen(path, "rb");
  const size_t n = f != NULL ? fread(first, 1, sizeof first, f) : 0;
  if (f != NULL) fclose(f);
  return n == sizeof first ? first[8] : -1;
}

/* Attributes of megabytes, chunks of at most 262144 cells, gzip and shuffle; the oldest format, with any version of HDF5. */
static void test_hdf5(void) {
  const int dims[3] = {3, 600, 600};
  double *data;
  char *deck;
  CHECK_OK(HP_ALLOC(data, 3 * 600 * 600));
  CHECK_OK(HP_ALLOC(deck, 3000001));
  memset(deck, 'x', 3000000);
  hp_h5 h;
  CHECK_OK(hp_h5_create(&h, "big.h5", 1));
  CHECK_OK(hp_h5_text(&h, "/", "deck", deck));
  CHECK_OK(hp_h5_field(&h, "a", HP_H5_F32, dims, data, "m"));
  CHECK_OK(hp_h5_commit(&h));
  CHECK(superblock_version("big.h5") == 0);
  CHECK_OK(hp_h5_open(&h, "big.h5"));
  CHECK(text_is(&h, "/", "deck", deck));
  const hid_t set = H5Dopen2(h.file, "a", H5P_DEFAULT), creation = H5Dget_create_plist(set);
  hsize_t chunk[3] = {0, 0, 0};
  CHECK(H5Pget_chunk(creation, 3, chunk) == 3);
  CHECK(chunk[0] == 1 && chunk[1] == 436 && chunk[2] == 600);
  CHECK(H5Pget_nfilters(creation) == 2);
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t info;
  CHECK(H5Oget_info3(set, &info, H5O_INFO_TIME) >= 0 && info.mtime == 0 && info.ctime == 0);
#else
  H5O_info_t info;
  CHECK(H5Oget_info(set, &info) >= 0 && info.mtime == 0 && info.ctime == 0);
#endif
  H5Pclose(creation);
  H5Dclose(set);
  hp_h5_discard(&h);
  HP_FREE(data);
  HP_FREE(deck);
}

static void test_errors(void) {
  output_case o;
  hp_output *out;
  CHECK_OK(case_create(&o, false, HP_UNITS_METRIC, plain_names));
  make_file("plain");
  static const char *const base[] = {"no_such_folder/r", "plain/r", "/proc/r", "", "folder/", "a:b"};
  for (size_t n = 0; n < sizeof base / sizeof base[0]; ++n) {
    const hp_status wanted = n < 3 ? HP_ERR_FILE : HP_ERR_USAGE; /* a name that no file can have */
    CHECK(hp_output_open(&o.c, base[n], "", CASE_WELLS, o.path, &out) == wanted);
    CHECK(out == NULL);
    CHECK(strstr(hp_fail_text(), base[n]) != NULL);
  }
  case_destroy(&o);
}

/* An array of more entries than an Eclipse file can count is refused before any room is asked for. */
static void test_long_array(void) {
  hp_ebin_bytes b = {0};
  hp_ebin_put_int(&b, "LONG", (int64_t)INT32_MAX + 1, NULL);
  CHECK(b.status == HP_ERR_UNSUPPORTED && b.at == NULL);
  CHECK(strstr(hp_fail_text(), "LONG has 2147483648 entries") != NULL);
  CHECK(hp_ebin_replace("long.EGRID", &b) == HP_ERR_UNSUPPORTED && !exists("long.EGRID"));
}

static char *info_of(const char *path, hp_status *s) {
  FILE *f = fopen("info.txt", "wb");
  *s = hp_output_info(path, f);
  fclose(f);
  return text_of("info.txt");
}

static void test_info(void) {
  static const char *const line[] = {
      "12 x 10 x 4 = 480 cells, 444 active",
      "known.cfg",
      "metric",
      "\n         2             1.5  2026-02-01 12:00\n",
      "oil produced                  360 SM3",
      "P-1                    60           20            0         0.25          100  BHP",
      "time steps                      6",
      "wasted Newton it.              10",
  };
  hp_status s;
  const char *text = info_of("m.h5", &s);
  CHECK_OK(s);
  for (size_t n = 0; n < sizeof line / sizeof line[0]; ++n) {
    if (strstr(text, line[n]) == NULL) fprintf(stderr, "missing: %s\n", line[n]);
    CHECK(strstr(text, line[n]) != NULL);
  }
  /* Odd names, no summary, a missing step and a missing grid file. */
  CHECK(strstr(info_of("f <&> 'q'.h5", &s), "\n  A/B C ") != NULL && s == HP_OK);
  CHECK(strstr(info_of("l.h5", &s), "0 written") != NULL && s == HP_OK);
  CHECK(rename("t.grid.h5", "t.gone") == 0 && rename("t.steps/step_000004.h5", "t.gone_too") == 0);
  text = info_of("t.h5", &s);
  CHECK(s == HP_OK && strstr(text, "grid file is missing") != NULL && strstr(text, "  (file is missing)") != NULL);

  info_of("m.xdmf2", &s);
  CHECK(s == HP_ERR_USAGE);
  info_of("m.grid.h5", &s);
  CHECK(s == HP_ERR_USAGE && strstr(hp_fail_text(), "not the master") != NULL);
  info_of("absent.h5", &s);
  CHECK(s == HP_ERR_USAGE && strstr(hp_fail_text(), "No such file") != NULL);
  make_file("stale.h5");
  info_of("stale.h5", &s);
  CHECK(s == HP_ERR_USAGE && strstr(hp_fail_text(), "stale.h5") != NULL);
}

int main(int argc, char **argv) {
  if (argc > 1) return write_result(argv[1], argc > 2 && strcmp(argv[2], "tilted") == 0);
  if (system("rm -rf test_output.dir") != 0 || mkdir("test_output.dir", 0777) != 0 || chdir("test_output.dir") != 0) {
    perror("test_output.dir");
    return 1;
  }
  test_metric();
  test_field_units();
  test_tilted();
  test_stale();
  test_less();
  test_refresh();
  test_tables_alone();
  test_late_failure();
  test_fields();
  test_cells();
  test_hdf5();
  test_errors();
  test_long_array();
  test_info();
  CHECK(hp_memory_now() == 0);
  return check_result();
}
