/* A small result with known values, for the tests of the result files.
 *
 * 12 x 10 x 4 cells of uneven length, the corner i >= 9, j >= 7 inactive; an injector, a vertical and a horizontal
 * producer. A tilted case has depths that vary column by column, so that its mesh is not rectilinear.
 */
#ifndef HP_TESTS_UNIT_IO_OUTPUT_CASE_H
#define HP_TESTS_UNIT_IO_OUTPUT_CASE_H

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/results/output.h"
#include "tests/support/check.h"

enum { CASE_NX = 12, CASE_NY = 10, CASE_NZ = 4, CASE_WELLS = 3, CASE_PERFORATIONS = 5, CASE_DAY = 86400 };

typedef struct {
  hp_case c;
  hp_well_path path[CASE_WELLS];
  double point[CASE_WELLS][2][3];
  double *p, *sw; /* [ncell] */
  hp_well_spec spec[CASE_WELLS];
  hp_perf_spec perf[CASE_WELLS][CASE_PERFORATIONS];
  int ijk[CASE_WELLS][CASE_PERFORATIONS][3]; /* of these, for path */
  hp_wells *wells;                           /* at rest */
} output_case;

HP_INLINE double case_pressure(int i, int j, int k, int step) { return 2e7 + 1e5 * i + 1e4 * j + 1e3 * k + 1e2 * step; }

HP_INLINE double case_sw(int i, int j, int k, int step) {
  return 0.2 + 0.04 * i + 0.01 * j + 0.002 * k + 0.0005 * step;
}

HP_INLINE bool case_active(int i, int j) { return i < 9 || j < 7; }

HP_INLINE double case_depth(bool tilted, int i, int j, int k) {
  return 2002.5 + 5.0 * k + (tilted ? 6.0 * i + 2.0 * j : 0.0);
}

HP_INLINE void case_fill_grid(output_case *o, bool tilted) {
  hp_grid *g = o->c.grid;
  for (int i = 0; i < CASE_NX; ++i)
    for (int j = 0; j < CASE_NY; ++j)
      for (int k = 0; k < CASE_NZ; ++k) {
        const int64_t m = hp_grid_cell(g, i, j, k);
        g->dx[m] = 50.0 + 5.0 * i;
        g->dy[m] = 60.0;
        g->dz[m] = 5.0;
        g->depth[m] = case_depth(tilted, i, j, k);
        g->porosity[m] = 0.1 + 0.01 * k;
        for (int d = 0; d < HP_DIRS; ++d) g->perm[d][m] = 9.869232667160e-16 * (d + 1) * (1 + i + 100 * k);
        g->active[m] = case_active(i, j);
        g->nactive += g->active[m];
        g->pore_volume[m] = g->active[m] ? g->dx[m] * g->dy[m] * g->dz[m] * g->porosity[m] : 0.0;
      }
  for (int i = 0; i < CASE_NX; ++i) o->c.x[i + 1] = o->c.x[i] + 50.0 + 5.0 * i;
  for (int j = 0; j <= CASE_NY; ++j) o->c.y[j] = 60.0 * j;
  for (int k = 0; k <= CASE_NZ; ++k) o->c.z[k] = 2000.0 + 5.0 * k;
}

HP_INLINE void case_fill_wells(output_case *o, bool tilted, const char *const name[CASE_WELLS]) {
  static const int from[CASE_WELLS][3] = {{0, 0, 0}, {11, 2, 0}, {4, 8, 1}};
  static const int to[CASE_WELLS][3] = {{0, 0, 3}, {11, 2, 3}, {8, 8, 1}};
  for (int w = 0; w < CASE_WELLS; ++w) {
    for (int e = 0; e < 2; ++e) {
      const int *ijk = e == 0 ? from[w] : to[w];
      o->point[w][e][0] = 0.5 * (o->c.x[ijk[0]] + o->c.x[ijk[0] + 1]);
      o->point[w][e][1] = 60.0 * (ijk[1] + 0.5);
      o->point[w][e][2] = case_depth(tilted, ijk[0], ijk[1], ijk[2]) + (w == 2 ? 0.0 : e == 0 ? -2.5 : 2.5);
    }
    o->path[w] = (hp_well_path){.name = name[w], .injector = w == 0, .n = 2, .point = (const double(*)[3])o->point[w]};
  }
}

/* The cells between the two ends, as specs and as the wells of a run. */
HP_INLINE hp_status case_create_wells(output_case *o, const char *const name[CASE_WELLS]) {
  for (int w = 0; w < CASE_WELLS; ++w) {
    hp_well_spec *spec = &o->spec[w];
    *spec = (hp_well_spec){.ref_depth = NAN, .crossflow = true, .head_i = -1, .head_j = -1, .perf = o->perf[w]};
    snprintf(spec->name, sizeof spec->name, "%s", name[w]);
    spec->nperf = w == 2 ? 5 : CASE_NZ;
    for (int q = 0; q < spec->nperf; ++q)
      o->perf[w][q] = (hp_perf_spec){.i = w == 0   ? 0
                                          : w == 1 ? 11
                                                   : 4 + q,
                                     .j = w == 0   ? 0
                                          : w == 1 ? 2
                                                   : 8,
                                     .k = w == 2 ? 1 : q,
                                     .dir = w == 2 ? HP_DIR_I : HP_DIR_K,
                                     .open = true,
                                     .radius = 0.1,
                                     .transmissibility = NAN,
                                     .kh = NAN,
                                     .r0 = NAN,
                                     .length = {NAN, NAN, NAN}};
  }
  for (int w = 0; w < CASE_WELLS; ++w) {
    const hp_well_spec *spec = &o->spec[w];
    for (int q = 0; q < spec->nperf; ++q)
      memcpy(o->ijk[w][q], (const int[]){spec->perf[q].i, spec->perf[q].j, spec->perf[q].k}, sizeof o->ijk[w][q]);
    o->path[w].nperf = spec->nperf;
    o->path[w].perf = (const int(*)[3])o->ijk[w];
  }
  o->c.nwell = CASE_WELLS;
  o->c.well = o->spec;
  return hp_wells_create(o->c.grid, CASE_WELLS, o->spec, &o->wells);
}

HP_INLINE hp_status case_create(output_case *o, bool tilted, hp_unit_system units, const char *const name[CASE_WELLS]) {
  *o = (output_case){.c = {.rectilinear = !tilted}};
  hp_case *c = &o->c;
  HP_TRY(hp_grid_create(CASE_NX, CASE_NY, CASE_NZ, &c->grid));
  HP_TRY(HP_ALLOC(c->x, CASE_NX + 1));
  HP_TRY(HP_ALLOC(c->y, CASE_NY + 1));
  HP_TRY(HP_ALLOC(c->z, CASE_NZ + 1));
  HP_TRY(HP_ALLOC(o->p, c->grid->ncell));
  HP_TRY(HP_ALLOC(o->sw, c->grid->ncell));
  c->deck = "known.cfg";
  c->title = "Known values <& \"quotes\">";
  c->text = "# a deck\ngrid = { size = [12, 10, 4]; };\n";
  strcpy(c->start, "2026-01-31");
  c->units = hp_units_of(units);
  c->output.fields = c->output.summary = true;
  c->output.compression = 1;
  case_fill_grid(o, tilted);
  case_fill_wells(o, tilted, name);
  return case_create_wells(o, name);
}

HP_INLINE void case_destroy(output_case *o) {
  hp_wells_destroy(&o->wells);
  hp_grid_destroy(&o->c.grid);
  HP_FREE(o->c.x);
  HP_FREE(o->c.y);
  HP_FREE(o->c.z);
  HP_FREE(o->p);
  HP_FREE(o->sw);
}

/* The rows of time step `step`, which ends after `step` days. */
HP_INLINE hp_status case_write_rows(hp_output *out, int step) {
  hp_well_row well[CASE_WELLS] = {{.bhp = 3e7, .control = HP_CONTROL_WRAT, .injector = true},
                                  {.bhp = 1e7, .control = HP_CONTROL_BHP},
                                  {.bhp = 1.5e7, .control = step % 2 == 0 ? HP_CONTROL_ORAT : HP_CONTROL_SHUT}};
  const double day = CASE_DAY;
  hp_summary_row row = {.time = step * day, .pressure = 2e7 - 1e4 * step, .well = well};
  well[0].flow.injection_rate[HP_WATER] = row.field.injection_rate[HP_WATER] = 100.0 / day;
  well[0].flow.injection_total[HP_WATER] = row.field.injection_total[HP_WATER] = 100.0 * step;
  well[1].flow.rate[HP_OIL] = row.field.rate[HP_OIL] = 60.0 / day;
  well[1].flow.rate[HP_WATER] = row.field.rate[HP_WATER] = 20.0 / day;
  well[1].flow.total[HP_OIL] = row.field.total[HP_OIL] = 60.0 * step;
  well[1].flow.total[HP_WATER] = row.field.total[HP_WATER] = 20.0 * step;
  well[2].flow.rate[HP_OIL] = -0.0;
  HP_TRY(hp_output_summary(out, &row));
  return hp_output_solver(out, &(hp_solver_row){.step = step,
                                                .time = step * day,
                                                .dt = day,
                                                .newton = 3,
                                                .linear = 12,
                                                .cuts = step == 2,
                                                .wasted_newton = step == 2 ? 10 : 0,
                                                .why = step == 2 ? "cell (1,2,3): water, MB 1e-3, \"CNV\" 0.5" : "",
                                                .mb = {1e-9, 2e-9},
                                                .cnv = {3e-4, 4e-4},
                                                .seconds_solve = 0.25});
}

/* The fields of a report step, written at `day`. */
HP_INLINE hp_status case_write_fields(hp_output *out, output_case *o, double day, int step) {
  for (int i = 0; i < CASE_NX; ++i)
    for (int j = 0; j < CASE_NY; ++j)
      for (int k = 0; k < CASE_NZ; ++k) {
        const int64_t m = hp_grid_cell(o->c.grid, i, j, k);
        o->p[m] = case_pressure(i, j, k, step);
        o->sw[m] = case_sw(i, j, k, step);
      }
  HP_TRY(hp_output_wells(out, o->wells));
  return hp_output_fields(out, day * CASE_DAY, step, o->p, o->sw);
}

/* A whole run: report steps at 0, 1.5 (steps 0 and 2), 4 and 6 days, a time step a day. */
HP_INLINE hp_status case_run(output_case *o, const char *base) {
  hp_output *out;
  HP_TRY(hp_output_open(&o->c, base, "hepta run known.cfg", CASE_WELLS, o->path, &out));
  hp_status s = case_write_fields(out, o, 0.0, 0);
  for (int step = 1; s == HP_OK && step <= 6; ++step) {
    s = case_write_rows(out, step);
    if (s == HP_OK && step % 2 == 0) s = case_write_fields(out, o, step == 2 ? 1.5 : step, step);
  }
  const hp_status closed = hp_output_close(&out);
  return s != HP_OK ? s : closed;
}

#endif
