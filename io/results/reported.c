/* A report step by its fields and the rows of the tables, for what needs no restart data. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/results/impl.h"

hp_status hp_reported_find(const char *name, const char *step, hp_reported *out) {
  const size_t n = strlen(name);
  char *base, *steps = NULL, *path = NULL;
  *out = (hp_reported){.step = -1};
  HP_TRY(hp_format(&base, "%.*s", (int)(n > 3 && strcmp(name + n - 3, ".h5") == 0 ? n - 3 : n), name));
  hp_status s = hp_result_find_step(base, step, true, &out->step, &out->time);
  if (s == HP_OK) s = hp_format(&steps, "%s.steps", base);
  if (s == HP_OK) s = hp_restart_path(steps, out->step, &path);
  out->kept = path != NULL && access(path, F_OK) == 0;
  HP_FREE(base);
  HP_FREE(steps);
  HP_FREE(path);
  return hp_h5_as_usage(s);
}

/* A field of the step, from the order of files into that of cells. */
static hp_status read_field(const hp_h5 *h, const hp_case *c, int step, const char *field, double **out) {
  const hp_grid *g = c->grid;
  char *name;
  double *values = NULL;
  int64_t count = 0;
  HP_TRY(hp_format(&name, "/steps/%06d/%s", step, field));
  hp_status s = hp_h5_read(h, name, &values, &count);
  if (s == HP_OK && count != g->ncell)
    s = hp_fail(HP_ERR_USAGE, "%s: %s has %lld cells, the deck has %lld", h->path, name, (long long)count,
                (long long)g->ncell);
  for (int64_t m = 0; s == HP_OK && m < count; ++m)
    if (!isfinite(values[m])) s = hp_fail(HP_ERR_FILE, "%s: %s is damaged: a number is not finite", h->path, name);
  if (s == HP_OK) s = HP_ALLOC_UNSET(*out, count);
  if (s == HP_OK) hp_grid_from_natural(g->nx, g->ny, g->nz, values, *out);
  HP_FREE(values);
  HP_FREE(name);
  return s;
}

/* The row of a table's times that is the step's, -1: none. */
static hp_status find_row(const hp_h5 *h, const char *times, double unit, double time, int64_t *row) {
  double *at = NULL;
  int64_t count = 0;
  *row = -1;
  if (!hp_h5_exists(h, times)) return HP_OK;
  HP_TRY(hp_h5_read(h, times, &at, &count));
  for (int64_t n = 0; n < count; ++n)
    if (fabs(at[n] * unit - time) <= 1e-9 * time) *row = n;
  HP_FREE(at);
  return HP_OK;
}

static hp_status read_dt(const hp_h5 *h, double unit, hp_reported *out) {
  int64_t row, count;
  double *dt;
  HP_TRY(find_row(h, "/solver/time", unit, out->time, &row));
  if (row < 0) return HP_OK;
  HP_TRY(hp_h5_read(h, "/solver/dt", &dt, &count));
  if (row < count && dt[row] > 0.0 && dt[row] * unit <= out->time * (1.0 + 1e-9)) out->dt = dt[row] * unit;
  HP_FREE(dt);
  return HP_OK;
}

static hp_status read_shut(const hp_h5 *h, const hp_case *c, double unit, hp_reported *out) {
  int64_t row;
  HP_TRY(HP_ALLOC(out->shut, c->nwell));
  HP_TRY(find_row(h, "/summary/TIME", unit, out->time, &row));
  for (int w = 0; row >= 0 && w < c->nwell; ++w) {
    char *name, *control = NULL;
    HP_TRY(hp_h5_name(&name, "/summary/WMCTL:", c->well[w].name));
    const hp_status s = hp_h5_exists(h, name) ? hp_h5_read_string(h, name, row, &control) : HP_OK;
    out->shut[w] = control != NULL && strcmp(control, "SHUT") == 0;
    HP_FREE(control);
    HP_FREE(name);
    HP_TRY(s);
  }
  return HP_OK;
}

/* A result that is no run's has no controls of wells. */
static hp_status check_run(const hp_h5 *h, int step) {
  char *name;
  HP_TRY(hp_format(&name, "/steps/%06d/pairs", step));
  const bool diagnosed = hp_h5_exists(h, name);
  HP_FREE(name);
  if (!diagnosed) return HP_OK;
  return hp_fail(HP_ERR_USAGE, "%s: is of 'hepta diagnose' itself: give the result of the run", h->path);
}

static hp_status read_all(const hp_h5 *h, const hp_case *c, hp_reported *out) {
  double unit;
  HP_TRY(check_run(h, out->step));
  HP_TRY(hp_h5_read_number(h, "/", "time_factor", &unit));
  HP_TRY(hp_result_check_link(h, out->step, out->time));
  HP_TRY(read_dt(h, unit, out));
  HP_TRY(read_shut(h, c, unit, out));
  HP_TRY(read_field(h, c, out->step, "pressure", &out->p));
  return read_field(h, c, out->step, "sw", &out->s);
}

hp_status hp_reported_read(const char *name, const hp_case *c, hp_reported *out) {
  hp_h5 h;
  HP_TRY(hp_h5_as_usage(hp_result_open(&h, name)));
  const hp_status s = hp_h5_as_usage(read_all(&h, c, out));
  hp_h5_discard(&h);
  return s;
}

void hp_reported_clear(hp_reported *r) {
  HP_FREE(r->p);
  HP_FREE(r->s);
  HP_FREE(r->shut);
}
