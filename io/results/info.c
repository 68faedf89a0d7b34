/* `hepta info`: what a result holds, from its master file and the grid file behind it. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/plural.h"
#include "core/show.h"
#include "io/files/text.h"
#include "io/results/impl.h"

/* ---- pieces of reading ---- */

/* The last value of a column, and its unit. */
static hp_status last_value(const hp_h5 *h, const char *group, const char *column, double *value, char **unit) {
  char *name;
  double *data = NULL;
  int64_t count = 0;
  HP_TRY(hp_h5_name(&name, group, column));
  hp_status s = hp_h5_read(h, name, &data, &count);
  if (s == HP_OK && count == 0) s = hp_fail(HP_ERR_FILE, "%s: %s is empty", h->path, name);
  if (s == HP_OK) *value = data[count - 1];
  if (s == HP_OK && unit != NULL) s = hp_h5_read_text(h, name, "unit", unit);
  HP_FREE(data);
  HP_FREE(name);
  return s;
}

static hp_status column_sum(const hp_h5 *h, const char *column, double *sum) {
  double *data = NULL;
  int64_t count = 0;
  *sum = 0.0;
  HP_TRY(hp_h5_read(h, column, &data, &count));
  for (int64_t n = 0; n < count; ++n) *sum += data[n];
  HP_FREE(data);
  return HP_OK;
}

static hp_status row_count(const hp_h5 *h, const char *column, int64_t *count) {
  double *data = NULL;
  const hp_status s = hp_h5_read(h, column, &data, count);
  HP_FREE(data);
  return s;
}

static hp_status print_text(const hp_h5 *h, FILE *f, const char *what, const char *attribute) {
  char *text;
  HP_TRY(hp_h5_read_text(h, "/", attribute, &text));
  if (text[0] != '\0') fprintf(f, "%-13s %s\n", what, hp_show(text).s);
  HP_FREE(text);
  return HP_OK;
}

/* ---- the parts of the report ---- */

void hp_output_print_faults(const hp_connection_counts *n, int count, const hp_case_fault *fault, int width,
                            double factor, const char *unit, FILE *f) {
  enum { SHOWN = 10 };
  const int64_t all = n->side + n->column + n->far;
  if (all > 0) {
    fprintf(f, "%-*s %lld connection%s of cells that are not neighbours: %lld between columns side by side, ", width,
            "faults", (long long)all, hp_plural(all), (long long)n->side);
    fprintf(f, "%lld within a column", (long long)n->column);
    if (n->between > 0) fprintf(f, " (across %lld cell%s)", (long long)n->between, hp_plural(n->between));
    fprintf(f, ", %lld elsewhere\n", (long long)n->far);
  }
  if (count > 0) fprintf(f, "%-*s %d by name\n", width, all > 0 ? "" : "faults", count);
  for (int k = 0; k < count && k < SHOWN; ++k) {
    const hp_case_fault *a = &fault[k];
    fprintf(f, "%-*s %-12s %lld face%s, %lld connection%s, multiplier %.6g", width, "", a->name, (long long)a->faces,
            hp_plural(a->faces), (long long)a->connections, hp_plural(a->connections), a->factor);
    if (a->threshold > 0.0) fprintf(f, ", threshold %.6g %s", a->threshold / factor, unit);
    fputc('\n', f);
  }
  if (count > SHOWN) fprintf(f, "%-*s ... and %d more\n", width, "", count - SHOWN);
}

/* The cells of connections, i, j, k from 1. */
static hp_status count_connections(const hp_h5 *h, hp_connection_counts *counts) {
  double *cell = NULL, *other = NULL;
  int64_t count = 0, others = 0;
  hp_status s = hp_h5_read(h, "/grid/connections/cell", &cell, &count);
  if (s == HP_OK) s = hp_h5_read(h, "/grid/connections/other", &other, &others);
  for (int64_t n = 0; s == HP_OK && n + 2 < count && n + 2 < others; n += 3) {
    const int a[3] = {(int)cell[n], (int)cell[n + 1], (int)cell[n + 2]};
    const int b[3] = {(int)other[n], (int)other[n + 1], (int)other[n + 2]};
    hp_connection_count(counts, a, b);
  }
  HP_FREE(cell);
  HP_FREE(other);
  return s;
}

/* Of each fault a number, by name of the data set. */
static hp_status read_fault_numbers(const hp_h5 *h, int64_t count, hp_case_fault *fault) {
  static const char *const name[] = {"/grid/faults/faces", "/grid/faults/connections", "/grid/faults/multiplier",
                                     "/grid/faults/threshold"};
  for (int k = 0; k < 4; ++k) {
    double *value = NULL;
    int64_t values = 0;
    HP_TRY(hp_h5_read(h, name[k], &value, &values));
    for (int64_t n = 0; n < count && n < values; ++n) {
      if (k == 0) fault[n].faces = (int64_t)value[n];
      if (k == 1) fault[n].connections = (int64_t)value[n];
      if (k == 2) fault[n].factor = value[n];
      if (k == 3) fault[n].threshold = value[n];
    }
    HP_FREE(value);
  }
  return HP_OK;
}

static hp_status read_faults(const hp_h5 *h, int64_t *count, hp_case_fault **fault) {
  char **name = NULL;
  HP_TRY(hp_h5_read_strings(h, "/grid/faults/name", &name, count));
  hp_status s = HP_ALLOC(*fault, *count);
  for (int64_t n = 0; s == HP_OK && n < *count; ++n)
    snprintf((*fault)[n].name, sizeof(*fault)[n].name, "%.*s", HP_WELL_NAME - 1, hp_show(name[n]).s);
  hp_h5_members_free(&name, *count);
  return s == HP_OK ? read_fault_numbers(h, *count, *fault) : s;
}

static hp_status print_faults(const hp_h5 *h, FILE *f) {
  hp_connection_counts counts = {0};
  hp_case_fault *fault = NULL;
  int64_t count = 0;
  hp_status s = HP_OK;
  if (hp_h5_exists(h, "/grid/connections/transmissibility")) s = count_connections(h, &counts);
  if (s == HP_OK && hp_h5_exists(h, "/grid/faults/name")) s = read_faults(h, &count, &fault);
  if (s == HP_OK) hp_output_print_faults(&counts, (int)count, fault, 13, 1.0, "bar", f);
  HP_FREE(fault);
  return s;
}

static hp_status print_grid(const hp_h5 *h, FILE *f) {
  if (!hp_h5_exists(h, "/grid/active")) {
    fprintf(f, "%-13s the grid file is missing\n", "grid");
    return HP_OK;
  }
  double active = 0.0;
  int64_t n[3], cells = 0;
  const char *const axis[3] = {"/grid/x", "/grid/y", "/grid/z"};
  for (int d = 0; d < 3; ++d) HP_TRY(row_count(h, axis[d], &n[d]));
  HP_TRY(row_count(h, "/grid/active", &cells));
  HP_TRY(column_sum(h, "/grid/active", &active));
  fprintf(f, "%-13s %lld x %lld x %lld = %lld cells, %.0f active\n", "grid", (long long)n[0] - 1, (long long)n[1] - 1,
          (long long)n[2] - 1, (long long)cells, active);
  return print_faults(h, f);
}

/* The words about the file of a report step: "" if it is there and its own. */
static const char *step_fault(const hp_h5 *h, double step, double time) {
  char link[32];
  snprintf(link, sizeof link, "/steps/%06.0f", step);
  if (!hp_h5_exists(h, link)) return "  (file is missing)";
  return hp_result_check_link(h, step, time) == HP_OK ? "" : "  (file is of another step, or damaged)";
}

/* Whether the state stands beside the result, NAME.h5, that a run can go on from: a sentence, or "". */
static hp_status can_go_on(const char *result, double step, double time, const char **said) {
  char *steps = NULL, *path = NULL;
  const size_t length = strlen(result);
  const bool ends = length > 3 && strcmp(result + length - 3, ".h5") == 0;
  hp_status s = hp_format(&steps, "%.*s.steps", (int)(ends ? length - 3 : length), result);
  if (s == HP_OK) s = hp_restart_path(steps, (int)step, &path);
  *said = "";
  if (s == HP_OK && access(path, F_OK) == 0) {
    hp_h5 h;
    const bool read = hp_h5_open(&h, path) == HP_OK;
    *said = !read || hp_result_check_step(&h, step, time) == HP_OK ? "  a run can go on from it"
                                                                   : "  (restart data are of another step, or damaged)";
    if (read) hp_h5_discard(&h);
  }
  HP_FREE(steps);
  HP_FREE(path);
  return s;
}

static hp_status print_steps(const hp_h5 *h, FILE *f) {
  double *time = NULL, *step = NULL;
  int64_t ntime = 0, nstep = 0;
  double day = 1.0;
  char *unit = NULL, *start = NULL;
  hp_status s = hp_h5_read(h, "/time", &time, &ntime);
  if (s == HP_OK) s = hp_h5_read(h, "/step", &step, &nstep);
  if (s == HP_OK && ntime != nstep) s = hp_fail(HP_ERR_FILE, "%s: /time and /step differ in length", h->path);
  if (s == HP_OK) s = hp_h5_read_text(h, "/", "time_unit", &unit);
  if (s == HP_OK) s = hp_h5_read_number(h, "/", "time_factor", &day);
  if (s == HP_OK) s = hp_h5_read_text(h, "/", "start", &start);
  if (s == HP_OK) {
    enum { DATE = 16 }; /* letters of a date with hours */
    fprintf(f, "%-13s %lld written%s\n", "report steps", (long long)nstep, nstep > 0 ? ":" : "");
    if (nstep > 0) fprintf(f, "\n  %8s  %14s%s\n", "step", hp_show(unit).s, start[0] != '\0' ? "  date" : "");
    for (int64_t n = 0; n < nstep && s == HP_OK; ++n) {
      const char *said;
      s = can_go_on(h->path, step[n], time[n], &said);
      fprintf(f, "  %8d  %14.8g", (int)step[n], time[n] / day);
      const hp_date_text date = hp_date_at(start, time[n], false);
      const char *fault = step_fault(h, step[n], time[n]);
      if (date.s[0] != '\0') fprintf(f, "  %-*s", fault[0] != '\0' || said[0] != '\0' ? DATE : 0, date.s);
      fprintf(f, "%s%s\n", fault, said);
    }
  }
  HP_FREE(unit);
  HP_FREE(start);
  HP_FREE(time);
  HP_FREE(step);
  return s;
}

static const char control_prefix[] = "WMCTL:";

/* Name of the owner of a column PREFIX:OWNER; one that HDF5 cannot take as it is stands in an attribute. */
static hp_status print_name(const hp_h5 *h, FILE *f, const char *prefix, const char *well, int width) {
  char *column, *name = NULL;
  HP_TRY(hp_format(&column, "/summary/%s%s", prefix, well));
  const hp_status s = hp_h5_read_text(h, column, "name", &name);
  const bool prefixed = s == HP_OK && strncmp(name, prefix, strlen(prefix)) == 0;
  if (s == HP_OK) fprintf(f, "  %-*s", width, hp_show(prefixed ? name + strlen(prefix) : well).s);
  HP_FREE(column);
  HP_FREE(name);
  return s;
}

static hp_status print_well(const hp_h5 *h, FILE *f, const char *well) {
  static const char *const vector[] = {"WOPR", "WWPR", "WWIR", "WWCT", "WBHP"};
  char *name;
  HP_TRY(print_name(h, f, control_prefix, well, 12));
  for (size_t v = 0; v < sizeof vector / sizeof vector[0]; ++v) {
    double value = 0.0;
    HP_TRY(hp_format(&name, "%s:%s", vector[v], well));
    const hp_status s = last_value(h, "/summary/", name, &value, NULL);
    HP_FREE(name);
    HP_TRY(s);
    fprintf(f, " %12.6g", value);
  }
  int64_t rows = 0;
  char *control = NULL;
  HP_TRY(row_count(h, "/summary/TIME", &rows));
  HP_TRY(hp_format(&name, "/summary/%s%s", control_prefix, well));
  const hp_status s = hp_h5_read_string(h, name, rows - 1, &control);
  HP_FREE(name);
  if (s == HP_OK) fprintf(f, "  %s\n", hp_show(control).s);
  HP_FREE(control);
  return s;
}

/* The columns WMCTL:NAME say which wells there are. */
static hp_status print_wells(const hp_h5 *h, FILE *f) {
  char **columns, *rate = NULL, *pressure = NULL;
  int64_t count, wells = 0;
  double value;
  HP_TRY(last_value(h, "/summary/", "FOPR", &value, &rate));
  hp_status s = last_value(h, "/summary/", "FPR", &value, &pressure);
  if (s == HP_OK) s = hp_h5_members(h, "/summary", &columns, &count);
  if (s == HP_OK) {
    for (int64_t c = 0; s == HP_OK && c < count; ++c) {
      if (strncmp(columns[c], control_prefix, strlen(control_prefix)) != 0) continue;
      if (wells++ == 0)
        fprintf(f, "\n  %-12s %12s %12s %12s %12s %12s  %s\n  %-12s %12s %12s %12s %12s %12s\n", "well", "oil", "water",
                "water inj.", "water cut", "bhp", "control", "", hp_show(rate).s, hp_show(rate).s, hp_show(rate).s, "",
                hp_show(pressure).s);
      s = print_well(h, f, columns[c] + strlen(control_prefix));
    }
    hp_h5_members_free(&columns, count);
  }
  HP_FREE(rate);
  HP_FREE(pressure);
  return s;
}

/* ---- regions and connections ---- */

/* A table of the columns NAME:WHOSE, a row for each WHOSE, for the names that are there. */
typedef struct {
  const char *title;
  bool misfit; /* NAMEs are of observed values; shown is how far the run is from them */
  int count;
  const char *name[5], *text[5];
} detail;

/* Numbers by size, the rest by letters. */
static int by_owner(const void *a, const void *b) {
  const char *const *x = a, *const *y = b;
  char *end_x, *end_y;
  const long i = strtol(*x, &end_x, 10), j = strtol(*y, &end_y, 10);
  if (*end_x == '\0' && *end_y == '\0' && i != j) return i < j ? -1 : 1;
  return strcmp(*x, *y);
}

/* Text behind NAME: in a column's name, NULL: another column. */
static const char *owner(const detail *d, const char *column) {
  for (int n = 0; n < d->count; ++n) {
    const size_t length = strlen(d->name[n]);
    if (strncmp(column, d->name[n], length) == 0 && column[length] == ':') return column + length + 1;
  }
  return NULL;
}

/* Root mean square over time of what a column differs by from what was observed, *there false: nothing was. A bottom-hole
 * pressure of 0 was not observed. */
static hp_status find_misfit(const hp_h5 *h, const char *observed, const char *whose, double *value, bool *there) {
  char *name[3] = {NULL, NULL, NULL};
  double *data[3] = {NULL, NULL, NULL}, sum = 0.0, time = 0.0;
  int64_t count[3] = {0, 0, 0};
  hp_status s = hp_format(&name[0], "/summary/%s:%s", observed, whose);
  if (s == HP_OK) s = hp_format(&name[1], "/summary/%.*s:%s", (int)strlen(observed) - 1, observed, whose);
  if (s == HP_OK) s = hp_format(&name[2], "/summary/TIME");
  *there = s == HP_OK && hp_h5_exists(h, name[0]) && hp_h5_exists(h, name[1]);
  for (int n = 0; n < 3 && s == HP_OK && *there; ++n) s = hp_h5_read(h, name[n], &data[n], &count[n]);
  const bool whole = count[0] == count[1] && count[0] == count[2], pressure = strncmp(observed, "WBHP", 4) == 0;
  bool any = false;
  for (int64_t r = 0; s == HP_OK && *there && whole && r < count[0]; ++r) {
    const double step = data[2][r] - (r > 0 ? data[2][r - 1] : 0.0), off = data[1][r] - data[0][r];
    any = any || data[0][r] != 0.0;
    if (pressure && !(data[0][r] > 0.0)) continue;
    sum += step * off * off;
    time += step;
  }
  *there = *there && any && time > 0.0;
  if (*there) *value = sqrt(sum / time);
  for (int n = 0; n < 3; ++n) {
    HP_FREE(data[n]);
    HP_FREE(name[n]);
  }
  return s;
}

static hp_status print_owner_name(const hp_h5 *h, FILE *f, const detail *d, const char *whose) {
  char *column, *prefix;
  const char *found = NULL;
  for (int n = 0; n < d->count && found == NULL; ++n) {
    HP_TRY(hp_format(&column, "/summary/%s:%s", d->name[n], whose));
    if (hp_h5_exists(h, column)) found = d->name[n];
    HP_FREE(column);
  }
  HP_TRY(hp_format(&prefix, "%s:", found));
  const hp_status s = print_name(h, f, prefix, whose, 20);
  HP_FREE(prefix);
  return s;
}

static hp_status print_owner(const hp_h5 *h, FILE *f, const detail *d, const char *whose) {
  HP_TRY(print_owner_name(h, f, d, whose));
  for (int n = 0; n < d->count; ++n) {
    char *name;
    double value = 0.0;
    HP_TRY(hp_format(&name, "/summary/%s:%s", d->name[n], whose));
    bool there = hp_h5_exists(h, name);
    hp_status s = HP_OK;
    if (d->misfit) s = find_misfit(h, d->name[n], whose, &value, &there);
    else if (there) s = last_value(h, "/summary/", name + strlen("/summary/"), &value, NULL);
    HP_FREE(name);
    HP_TRY(s);
    if (there) fprintf(f, " %13.6g", value);
    else fprintf(f, " %13s", "-");
  }
  fputc('\n', f);
  return HP_OK;
}

/* The units of the columns, from whichever row has them. */
static hp_status print_head(const hp_h5 *h, FILE *f, const detail *d, char **columns, int64_t count) {
  fprintf(f, "\n  %-20s", d->title);
  for (int n = 0; n < d->count; ++n) fprintf(f, " %13s", d->text[n]);
  fprintf(f, "\n  %-20s", "");
  for (int n = 0; n < d->count; ++n) {
    const size_t length = strlen(d->name[n]);
    char *unit = NULL;
    double value;
    for (int64_t c = 0; c < count && unit == NULL; ++c)
      if (strncmp(columns[c], d->name[n], length) == 0 && columns[c][length] == ':')
        HP_TRY(last_value(h, "/summary/", columns[c], &value, &unit));
    fprintf(f, " %13s", unit != NULL ? hp_show(unit).s : "");
    HP_FREE(unit);
  }
  fputc('\n', f);
  return HP_OK;
}

static hp_status print_detail(const hp_h5 *h, FILE *f, const detail *d, char **columns, int64_t count) {
  const char **whose;
  int64_t owners = 0;
  HP_TRY(HP_ALLOC(whose, count));
  for (int64_t c = 0; c < count; ++c)
    if (owner(d, columns[c]) != NULL) whose[owners++] = owner(d, columns[c]);
  if (owners > 1) qsort(whose, (size_t)owners, sizeof *whose, by_owner);
  hp_status s = owners > 0 ? print_head(h, f, d, columns, count) : HP_OK;
  for (int64_t n = 0; n < owners && s == HP_OK; ++n)
    if (n == 0 || strcmp(whose[n], whose[n - 1]) != 0) s = print_owner(h, f, d, whose[n]);
  HP_FREE(whose);
  return s;
}

static hp_status print_details(const hp_h5 *h, FILE *f) {
  static const detail details[] = {
      {"region", false, 4, {"ROIP", "RWIP", "ROE", "RPR"}, {"oil in place", "water in place", "recovery", "pressure"}},
      {"aquifer", false, 3, {"AAQR", "AAQT", "AAQP"}, {"water", "in all", "pressure"}},
      {"numerical", false, 3, {"ANQR", "ANQT", "ANQP"}, {"water", "in all", "pressure"}},
      {"cell", false, 3, {"BPR", "BOSAT", "BWSAT"}, {"pressure", "oil", "water"}},
      {"connection", false, 4, {"COPR", "CWPR", "COIR", "CWIR"}, {"oil", "water", "oil inj.", "water inj."}},
      {"misfit of",
       true,
       5,
       {"WOPRH", "WWPRH", "WWCTH", "WWIRH", "WBHPH"},
       {"oil", "water", "water cut", "water inj.", "bhp"}}};
  char **columns;
  int64_t count;
  HP_TRY(hp_h5_members(h, "/summary", &columns, &count));
  hp_status s = HP_OK;
  for (size_t n = 0; n < sizeof details / sizeof details[0] && s == HP_OK; ++n)
    s = print_detail(h, f, &details[n], columns, count);
  hp_h5_members_free(&columns, count);
  return s;
}

static hp_status print_totals(const hp_h5 *h, FILE *f) {
  static const struct {
    const char *column, *text;
  } line[] = {{"FOPT", "oil produced"},   {"FWPT", "water produced"},    {"FOIT", "oil injected"},
              {"FWIT", "water injected"}, {"FPR", "average pressure"},   {"FWCT", "water cut"},
              {"FOIP", "oil in place"},   {"FWIP", "water in place"},    {"FOE", "recovery"},
              {"FAQT", "from aquifers"},  {"FNPV", "net present value"}, {"FCASH", "cash flow"}};
  double time = 0.0, day;
  char *unit = NULL, *start, name[32];
  HP_TRY(hp_h5_read_number(h, "/", "time_factor", &day));
  HP_TRY(last_value(h, "/summary/", "TIME", &time, &unit));
  fprintf(f, "\nat %.8g %s", time, hp_show(unit).s);
  HP_FREE(unit);
  HP_TRY(hp_h5_read_text(h, "/", "start", &start));
  const hp_date_text date = hp_date_at(start, time * day, false);
  HP_FREE(start);
  fprintf(f, "%s%s\n\n", date.s[0] != '\0' ? ", " : "", date.s);
  for (size_t n = 0; n < sizeof line / sizeof line[0]; ++n) {
    double value = 0.0;
    snprintf(name, sizeof name, "/summary/%s", line[n].column);
    if (!hp_h5_exists(h, name)) continue; /* one that is written on demand */
    HP_TRY(last_value(h, "/summary/", line[n].column, &value, &unit));
    fprintf(f, "  %-18s %14.8g%s%s\n", line[n].text, value, unit[0] != '\0' ? " " : "", hp_show(unit).s);
    HP_FREE(unit);
  }
  HP_TRY(print_wells(h, f));
  return print_details(h, f);
}

static hp_status print_solver(const hp_h5 *h, FILE *f) {
  static const struct {
    const char *column, *text;
  } line[] = {{"newton", "Newton iterations"},
              {"linear", "linear iterations"},
              {"cuts", "cut steps"},
              {"wasted_newton", "wasted Newton it."},
              {"wasted_linear", "wasted linear it."}};
  static const char *const phase[] = {"assembly", "wells", "setup", "solve", "output"};
  int64_t steps = 0;
  double sum = 0.0, total = 0.0;
  char name[64];
  HP_TRY(row_count(h, "/solver/step", &steps));
  fprintf(f, "\n  %-18s %14lld\n", "time steps", (long long)steps);
  for (size_t n = 0; n < sizeof line / sizeof line[0]; ++n) {
    snprintf(name, sizeof name, "/solver/%s", line[n].column);
    HP_TRY(column_sum(h, name, &sum));
    fprintf(f, "  %-18s %14.0f\n", line[n].text, sum);
  }
  for (size_t n = 0; n < sizeof phase / sizeof phase[0]; ++n) {
    snprintf(name, sizeof name, "/solver/%s", phase[n]);
    HP_TRY(column_sum(h, name, &sum));
    total += sum;
    fprintf(f, "  %-18s %14.3f s\n", phase[n], sum);
  }
  fprintf(f, "  %-18s %14.3f s\n", "together", total);
  return HP_OK;
}

static hp_status print_all(const hp_h5 *h, FILE *f) {
  HP_TRY(print_text(h, f, "title", "title"));
  HP_TRY(print_text(h, f, "deck", "deck"));
  HP_TRY(print_text(h, f, "start", "start"));
  HP_TRY(print_text(h, f, "units", "units"));
  HP_TRY(print_text(h, f, "hepta", "version"));
  HP_TRY(print_grid(h, f));
  HP_TRY(print_steps(h, f));
  int64_t rows = 0;
  if (hp_h5_exists(h, "/summary/TIME")) HP_TRY(row_count(h, "/summary/TIME", &rows));
  if (rows > 0) HP_TRY(print_totals(h, f));
  if (hp_h5_exists(h, "/solver/step")) HP_TRY(print_solver(h, f));
  return HP_OK;
}

static hp_status read_command(const hp_h5 *master, char **command) {
  char *path = NULL;
  hp_h5 grid = {.file = -1};
  hp_status s = hp_h5_linked(master, "/grid", &path);
  if (s == HP_OK) s = hp_h5_open(&grid, path);
  if (s == HP_OK) s = hp_h5_read_text(&grid, "/", "command_line", command);
  hp_h5_discard(&grid);
  HP_FREE(path);
  return s;
}

hp_status hp_output_origin(const char *path, char **deck, char **command) {
  hp_h5 h;
  *deck = *command = NULL;
  HP_TRY(hp_h5_as_usage(hp_result_open(&h, path)));
  hp_status s = hp_h5_read_text(&h, "/", "deck", deck);
  if (s == HP_OK) s = read_command(&h, command);
  hp_h5_discard(&h);
  return hp_h5_as_usage(s);
}

hp_status hp_output_time(const char *path, const char *date, double *time) {
  hp_h5 h;
  HP_TRY(hp_h5_as_usage(hp_result_open(&h, path)));
  double unit = 1.0;
  hp_status s = hp_result_time(&h, date, time);
  if (s == HP_OK) s = hp_h5_read_number(&h, "/", "time_factor", &unit);
  *time /= unit;
  hp_h5_discard(&h);
  return hp_h5_as_usage(s);
}

hp_status hp_output_info(const char *path, FILE *f) {
  hp_h5 h;
  HP_TRY(hp_h5_as_usage(hp_result_open(&h, path)));
  const hp_status s = hp_h5_as_usage(print_all(&h, f));
  hp_h5_discard(&h);
  if (s == HP_OK && (fflush(f) != 0 || ferror(f))) return hp_fail(HP_ERR_FILE, "cannot write the report of %s", path);
  return s;
}
