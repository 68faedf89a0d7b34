#define _POSIX_C_SOURCE 200809L
#include "io/export.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/output_impl.h"
#include "wells/wells.h"

typedef struct {
  const hp_case *c;
  FILE *f;
  hp_h5 h5;
  const char *arrays; /* name of the file of arrays, without its folder */
  double *natural;    /* [ncell] scratch */
} export;

/* ---- numbers ----------------------------------------------------------------- */

/* A float of libconfig's that reads back to the same bits. */
static void number(FILE *f, double v) {
  char text[40];
  snprintf(text, sizeof text, "%.17g", v);
  fprintf(f, "%s%s", text, strpbrk(text, ".en") == NULL ? ".0" : "");
}

static void key(export *e, const char *lead, const char *name, double v) {
  fprintf(e->f, "%s%s = ", lead, name);
  number(e->f, v);
  fputs(";\n", e->f);
}

static void quoted(FILE *f, const char *text) {
  fputc('"', f);
  for (; *text != '\0'; ++text) {
    if (*text == '"' || *text == '\\') fputc('\\', f);
    fputc(*text == '\n' || *text == '\r' ? ' ' : *text, f);
  }
  fputc('"', f);
}

static void rows(FILE *f, int count, int columns, const double *const *column) {
  fputs("(", f);
  for (int n = 0; n < count; ++n) {
    fputs(n > 0 ? ",\n      [" : " [", f);
    for (int k = 0; k < columns; ++k) {
      if (k > 0) fputs(", ", f);
      number(f, column[k][n]);
    }
    fputs("]", f);
  }
  fputs(" )", f);
}

/* ---- cell arrays --------------------------------------------------------------- */

/* One value everywhere is written as such, anything else goes into the file of arrays. */
static hp_status cells(export *e, const char *lead, const char *group, const char *name, const double *a) {
  const hp_grid *g = e->c->grid;
  bool one = true;
  for (int64_t m = 1; m < g->ncell; ++m) one = one && a[m] == a[0];
  if (one) {
    key(e, lead, name, a[0]);
    return HP_OK;
  }
  char path[80];
  const int dims[3] = {g->nz, g->ny, g->nx};
  snprintf(path, sizeof path, "/%s/%s", group, name);
  hp_grid_to_natural(g->nx, g->ny, g->nz, a, e->natural);
  HP_TRY(hp_h5_field(&e->h5, path, HP_H5_F64, dims, e->natural, NULL));
  fprintf(e->f, "%s%s = { file = ", lead, name);
  quoted(e->f, e->arrays);
  fprintf(e->f, "; format = \"hdf5\"; dataset = \"%s\"; };\n", path);
  return HP_OK;
}

/* The value of inactive cells, where a deck may say anything, and of those that are NaN. */
static hp_status sound_cells(export *e, const char *group, const char *name, const double *a, double inactive,
                             double none) {
  const hp_grid *g = e->c->grid;
  double *copy;
  HP_TRY(HP_ALLOC(copy, g->ncell));
  for (int64_t m = 0; m < g->ncell; ++m) copy[m] = !g->active[m] ? inactive : isnan(a[m]) ? none : a[m];
  const hp_status s = cells(e, "  ", group, name, copy);
  HP_FREE(copy);
  return s;
}

/* The top t with t + dz/2 == depth; false: no number is one, as where dz/2 is an odd multiple of half the last bit. */
static bool top_of(double depth, double dz, double *t) {
  const double first = depth - 0.5 * dz;
  double up = first, down = first;
  for (int n = 0; n < 8; ++n) {
    if (up + 0.5 * dz == depth) return *t = up, true;
    if (down + 0.5 * dz == depth) return *t = down, true;
    up = nextafter(up, INFINITY);
    down = nextafter(down, -INFINITY);
  }
  return false;
}

/* Tops where every cell has one, else depths; a [ncell] is scratch. */
static hp_status depths(export *e, double *a) {
  const hp_grid *g = e->c->grid;
  bool all = true;
  for (int64_t m = 0; m < g->ncell && all; ++m) all = top_of(g->depth[m], g->dz[m], &a[m]);
  return cells(e, "  ", "grid", all ? "tops" : "depth", all ? a : g->depth);
}

static hp_status grid(export *e) {
  const hp_case *c = e->c;
  const hp_grid *g = c->grid;
  const bool given = c->porv != NULL || c->tran[0] != NULL || c->tran[1] != NULL || c->tran[2] != NULL;
  static const char *const perm[HP_DIRS] = {"permz", "permy", "permx"}, *const mult[HP_DIRS] = {"multz", "multy",
                                                                                                "multx"};
  static const char *const tran[HP_DIRS] = {"tranz", "trany", "tranx"};
  double *a;
  HP_TRY(HP_ALLOC(a, g->ncell));
  fprintf(e->f, "grid = {\n  size = [%d, %d, %d];\n", g->nx, g->ny, g->nz);
  hp_status s = hp_h5_group(&e->h5, "/grid");
  if (s == HP_OK) s = cells(e, "  ", "grid", "dx", g->dx);
  if (s == HP_OK) s = cells(e, "  ", "grid", "dy", g->dy);
  if (s == HP_OK) s = cells(e, "  ", "grid", "dz", g->dz);
  if (s == HP_OK) s = depths(e, a);
  if (s == HP_OK) s = sound_cells(e, "grid", "porosity", g->porosity, 0.0, 0.0);
  if (s == HP_OK) s = sound_cells(e, "grid", "ntg", g->ntg, 1.0, 1.0);
  for (int d = HP_DIRS - 1; d >= 0 && s == HP_OK; --d) s = sound_cells(e, "grid", perm[d], g->perm[d], 0.0, 0.0);
  for (int64_t m = 0; m < g->ncell; ++m) a[m] = g->active[m];
  if (s == HP_OK) s = cells(e, "  ", "grid", "active", a);
  if (s == HP_OK) key(e, "  ", "minpv", 0.0); /* what is too small is inactive above */
  if (s == HP_OK && given) s = cells(e, "  ", "grid", "pore_volume", g->pore_volume);
  if (s == HP_OK && !given && c->mult_pv != NULL) s = sound_cells(e, "grid", "multpv", c->mult_pv, 1.0, 1.0);
  for (int d = HP_DIRS - 1; d >= 0 && s == HP_OK; --d) {
    if (given) s = cells(e, "  ", "grid", tran[d], g->trans[d]);
    else if (c->mult[d] != NULL) s = sound_cells(e, "grid", mult[d], c->mult[d], 1.0, 1.0);
  }
  fputs("};\n\n", e->f);
  HP_FREE(a);
  return s;
}

/* ---- fluids and the start --------------------------------------------------------- */

static void numbers_of(export *e, const hp_pvt_spec *p) {
  key(e, "      ", "reference_pressure", p->p_ref);
  key(e, "      ", "formation_volume_factor", p->b_ref);
  key(e, "      ", "compressibility", p->compressibility);
  key(e, "      ", "viscosity", p->viscosity);
  key(e, "      ", "viscosibility", p->viscosibility);
}

static void fluid(export *e, const hp_pvt_spec pvt[HP_PHASES]) {
  const hp_pvt_spec *oil = &pvt[HP_OIL];
  fputs("  {\n    water = {\n", e->f);
  key(e, "      ", "density", pvt[HP_WATER].density);
  numbers_of(e, &pvt[HP_WATER]);
  fputs("    };\n    oil = {\n", e->f);
  key(e, "      ", "density", oil->density);
  if (oil->rows > 0) {
    fputs("      table = ", e->f);
    rows(e->f, oil->rows, 3, (const double *const[]){oil->p, oil->b, oil->mu});
    fputs(";\n", e->f);
  } else {
    numbers_of(e, oil);
  }
  fputs("    };\n  }", e->f);
}

static void saturation(export *e, const hp_sat_spec *sat) {
  fputs("  { model = \"table\";\n    table = ", e->f);
  rows(e->f, sat->rows, 4, (const double *const[]){sat->s, sat->krw, sat->kro, sat->pc});
  fputs("; }", e->f);
}

static void rock(export *e, const hp_rock_spec *r) {
  fputs("  {\n", e->f);
  key(e, "    ", "reference_pressure", r->p_ref);
  key(e, "    ", "compressibility", r->compressibility);
  fputs("  }", e->f);
}

static void fluids(export *e) {
  const hp_fluid_spec *s = &e->c->fluid;
  const hp_fluid_regions *r = &s->regions;
  fputs("fluids = (\n", e->f);
  fluid(e, s->phase);
  for (int n = 0; n < r->npvt; ++n) fputs(",\n", e->f), fluid(e, r->pvt[n]);
  fputs("\n);\n\nsaturation = (\n", e->f);
  saturation(e, &s->sat);
  for (int n = 0; n < r->nsat; ++n) fputs(",\n", e->f), saturation(e, &r->sat[n]);
  fputs("\n);\n\nrock = (\n", e->f);
  rock(e, &s->rock);
  for (int n = 0; n < r->nrock; ++n) fputs(",\n", e->f), rock(e, &r->rock[n]);
  fputs("\n);\n\n", e->f);
}

static hp_status region(export *e, const char *name, const uint16_t *of) {
  double *a;
  if (of == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(a, e->c->grid->ncell));
  for (int64_t m = 0; m < e->c->grid->ncell; ++m) a[m] = 1.0 + of[m];
  const hp_status s = cells(e, "  ", "regions", name, a);
  HP_FREE(a);
  return s;
}

static hp_status report_regions(export *e) {
  double *a;
  if (e->c->fip == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(a, e->c->grid->ncell));
  for (int64_t m = 0; m < e->c->grid->ncell; ++m) a[m] = e->c->fip[m];
  const hp_status s = cells(e, "  ", "regions", "fip", a);
  HP_FREE(a);
  return s;
}

/* SOWCR is kept as 1 - SOWCR in a run: the number that comes out the same there. */
static hp_status regions(export *e) {
  static const char *const name[HP_ENDS] = {
#define END_NAME(id, text) text,
      HP_END_LIST(END_NAME)
#undef END_NAME
  };
  const hp_fluid_regions *r = &e->c->fluid.regions;
  bool any = false;
  HP_TRY(hp_h5_group(&e->h5, "/regions"));
  fputs("regions = {\n", e->f);
  HP_TRY(region(e, "saturation", r->of_sat));
  HP_TRY(region(e, "pvt", r->of_pvt));
  HP_TRY(region(e, "rock", r->of_rock));
  HP_TRY(region(e, "equilibrium", e->c->initial.of));
  HP_TRY(report_regions(e));
  fputs("};\n\n", e->f);
  for (int n = 0; n < HP_ENDS; ++n) any = any || r->end[n] != NULL;
  if (!any) return HP_OK;
  HP_TRY(hp_h5_group(&e->h5, "/endpoints"));
  fprintf(e->f, "endpoints = {\n  three_point = %s;\n", r->three_point ? "true" : "false");
  for (int n = 0; n < HP_ENDS; ++n)
    if (r->end[n] != NULL) HP_TRY(sound_cells(e, "endpoints", name[n], r->end[n], -1.0, -1.0));
  fputs("};\n\n", e->f);
  return HP_OK;
}

static void equilibrium(export *e, const hp_equilibrium *q) {
  key(e, "  ", "datum_depth", q->datum_depth);
  key(e, "  ", "datum_pressure", q->datum_pressure);
  key(e, "  ", "contact_depth", q->contact_depth);
  key(e, "  ", "contact_capillary_pressure", q->contact_pc);
  fprintf(e->f, "  accuracy = %d;\n", q->accuracy);
}

static hp_status start(export *e) {
  const hp_initial *o = &e->c->initial;
  HP_TRY(hp_h5_group(&e->h5, "/initial"));
  fputs("initial = ( {\n", e->f);
  if (!o->equilibrium) {
    HP_TRY(cells(e, "  ", "initial", "pressure", o->pressure));
    HP_TRY(cells(e, "  ", "initial", "saturation", o->sw));
  } else {
    const hp_equilibrium first = hp_case_equilibrium(e->c, 0);
    equilibrium(e, &first);
    if (o->water != NULL) HP_TRY(sound_cells(e, "initial", "swatinit", o->water, -1.0, -1.0));
    for (int n = 0; n < o->nmore; ++n) fputs("}, {\n", e->f), equilibrium(e, &o->more[n]);
  }
  fputs("} );\n\n", e->f);
  return HP_OK;
}

/* ---- wells ------------------------------------------------------------------------ */

static void assign(export *e, const char *name, double v) {
  fprintf(e->f, " %s = ", name);
  if (isnan(v)) fputs("\"none\"", e->f);
  else number(e->f, v);
  fputs(";", e->f);
}

/* The number of an injector's own rate has one name for both phases. */
static int rate_of(const hp_well_control *k) { return k->phase == HP_WATER ? HP_CONTROL_WRAT : HP_CONTROL_ORAT; }

static void limits(export *e, const hp_well_control *k, unsigned said) {
  const int rate = rate_of(k);
  static const char *const name[HP_CONTROL_COUNT] = {"",           "bhp",         "oil_rate",
                                                     "water_rate", "liquid_rate", "reservoir_rate"};
  for (int n = HP_CONTROL_BHP; n < HP_CONTROL_COUNT; ++n) {
    if (!(said >> n & 1u) || (k->injector && n != HP_CONTROL_BHP && n != HP_CONTROL_RESV && n != rate)) continue;
    if (n == HP_CONTROL_RESV && k->by_history) {
      assign(e, "observed_oil_rate", k->history[HP_OIL]);
      assign(e, "observed_water_rate", k->history[HP_WATER]);
      continue;
    }
    assign(e, k->injector && n == rate ? "rate" : name[n], k->limit[n]);
  }
}

/* What of the event is said (HP_SAID_*). */
static void control(export *e, const hp_well_event *v, unsigned said) {
  const hp_well_control *k = &v->control;
  const hp_control wanted = v->wanted;
  static const char *const workover[] = {"none", "perforation", "below", "well"};
  static const char *const guide[HP_CONTROL_COUNT] = {"shared", "", "oil", "water", "liquid", "reservoir"};
  if (said & HP_SAID_TYPE) {
    fprintf(e->f, " type = \"%s\";", k->injector ? "injector" : "producer");
    if (k->injector) fprintf(e->f, " phase = \"%s\";", k->phase == HP_WATER ? "water" : "oil");
  }
  if ((said & (HP_SAID_CONTROL | HP_SAID_STATUS)) && wanted != HP_CONTROL_SHUT)
    fprintf(e->f, " control = \"%s\";", k->injector && (int)wanted == rate_of(k) ? "rate" : hp_control_name(wanted));
  if ((said & (HP_SAID_CONTROL | HP_SAID_STATUS)) && k->control == HP_CONTROL_SHUT) fputs(" status = \"shut\";", e->f);
  limits(e, k, said);
  if (said & HP_SAID_EFFICIENCY) {
    fputs(" efficiency = ", e->f);
    number(e->f, k->efficiency > 0.0 ? k->efficiency : 1.0);
    fputs(";", e->f);
  }
  if (said & HP_SAID_ECONOMY) {
    fputs(" min_oil_rate = ", e->f);
    number(e->f, k->economy.min_oil_rate);
    fputs("; min_liquid_rate = ", e->f);
    number(e->f, k->economy.min_liquid_rate);
    fputs("; max_water_cut = ", e->f);
    number(e->f, k->economy.max_water_cut);
    fprintf(e->f, "; workover = \"%s\"; end_run = %s;", workover[k->economy.workover],
            k->economy.end_run ? "true" : "false");
  }
  if (said & HP_SAID_FIELD) {
    fprintf(e->f, " in_field = %s; guide_rate = ", k->in_field ? "true" : "false");
    number(e->f, k->guide_rate);
    fprintf(e->f, "; guide_by = \"%s\";", guide[k->guide_by]);
  }
}

/* The event that holds at time zero: the last one there. */
static const hp_well_event *first_event(const hp_case *c, int well) {
  const hp_well_event *found = NULL;
  for (int n = 0; n < c->nevent && c->event[n].time <= 0.0; ++n)
    if (c->event[n].well == well) found = &c->event[n];
  return found;
}

static hp_status well(export *e, int w) {
  static const char *const direction[HP_DIRS] = {[HP_DIR_K] = "z", [HP_DIR_J] = "y", [HP_DIR_I] = "x"};
  const hp_well_spec *s = &e->c->well[w];
  const hp_well_event *first = first_event(e->c, w);
  fputs("  { name = ", e->f);
  quoted(e->f, s->name);
  fprintf(e->f, "; crossflow = %s;", s->crossflow ? "true" : "false");
  if (!isnan(s->ref_depth)) fputs("\n   ", e->f), key(e, "", "reference_depth", s->ref_depth);
  fputs("\n    cells = (", e->f);
  int count = 0;
  for (int q = 0; q < s->nperf; ++q) {
    const hp_perf_spec *p = &s->perf[q];
    if (!p->open && !p->later) continue;
    fprintf(e->f, "%s(%d, %d, %d, \"%s\")", count++ > 0 ? ", " : "", p->i + 1, p->j + 1, p->k + 1, direction[p->dir]);
  }
  fputs(");\n    connection_factors = [", e->f);
  count = 0;
  for (int q = 0; q < s->nperf; ++q) {
    const hp_perf_spec *p = &s->perf[q];
    double wi;
    if (!p->open && !p->later) continue;
    HP_TRY(hp_well_index(e->c->grid, hp_grid_cell(e->c->grid, p->i, p->j, p->k), p, &wi));
    if (count++ > 0) fputs(", ", e->f);
    number(e->f, wi);
  }
  fputs("];\n   ", e->f);
  if (first == NULL) return hp_fail(HP_ERR_INTERNAL, "well %s has no control at time zero", s->name);
  control(e, first, HP_SAID_EVERYTHING);
  fputs(" }", e->f);
  return HP_OK;
}

static void head(export *e, double time, int w, bool *some) {
  fputs(*some ? ",\n  { time = " : "  { time = ", e->f);
  *some = true;
  number(e->f, time);
  fputs("; well = ", e->f);
  quoted(e->f, e->c->well[w].name);
  fputs(";", e->f);
}

static hp_status change(export *e, const hp_perf_event *v) {
  static const char name[] = "ijk";
  double wi;
  for (int d = 0; d < 3; ++d)
    if (v->first[d] > 0 || v->last[d] < INT_MAX) {
      if (v->first[d] == v->last[d]) fprintf(e->f, " %c = %d;", name[d], v->first[d] + 1);
      else fprintf(e->f, " %c = [%d, %d];", name[d], v->first[d] + 1, v->last[d] + 1);
    }
  if (v->state != HP_PERF_KEEP) fprintf(e->f, " perforations = \"%s\";", v->state == HP_PERF_OPEN ? "open" : "shut");
  if (v->multiply != 1.0 || (v->state == HP_PERF_KEEP && !v->anew)) {
    fputs(" multiply_index = ", e->f);
    number(e->f, v->multiply);
    fputs(";", e->f);
  }
  if (v->anew) {
    HP_TRY(hp_well_index(e->c->grid, hp_grid_cell(e->c->grid, v->spec.i, v->spec.j, v->spec.k), &v->spec, &wi));
    fputs(" connection_factor = ", e->f);
    number(e->f, wi);
    fputs(";", e->f);
  }
  fputs(" }", e->f);
  return HP_OK;
}

static hp_status schedule(export *e) {
  const hp_case *c = e->c;
  bool some = false;
  fputs("schedule = (\n", e->f);
  for (int w = 0; w < c->nwell; ++w) /* perforations that open later are shut at first */
    for (int q = 0; q < c->well[w].nperf; ++q) {
      const hp_perf_spec *p = &c->well[w].perf[q];
      if (p->open || !p->later) continue;
      head(e, 0.0, w, &some);
      fprintf(e->f, " i = %d; j = %d; k = %d; perforations = \"shut\"; }", p->i + 1, p->j + 1, p->k + 1);
    }
  for (int n = 0; n < c->nperf_event; ++n) {
    head(e, c->perf_event[n].time, c->perf_event[n].well, &some);
    HP_TRY(change(e, &c->perf_event[n]));
  }
  for (int n = 0; n < c->nevent; ++n) {
    const hp_well_event *v = &c->event[n];
    if (v->time <= 0.0) continue;
    head(e, v->time, v->well, &some);
    control(e, v, v->said);
    fputs(" }", e->f);
  }
  fputs("\n);\n\n", e->f);
  return HP_OK;
}

static void limit(export *e, const char *name, double v) {
  if (isnan(v)) return;
  fprintf(e->f, " %s = ", name);
  number(e->f, v);
  fputs(";", e->f);
}

static void tuning(export *e) {
  const hp_case *c = e->c;
  if (c->ntuning == 0) return;
  fputs("tuning = (\n", e->f);
  for (int n = 0; n < c->ntuning; ++n) {
    const hp_tuning *t = &c->tuning[n];
    fputs(n > 0 ? ",\n  {" : "  {", e->f);
    limit(e, "time", t->time);
    limit(e, "initial", t->initial);
    limit(e, "max", t->max);
    limit(e, "min", t->min);
    limit(e, "growth", t->growth);
    limit(e, "cut", t->cut);
    if (t->max_iterations >= 0) fprintf(e->f, " max_iterations = %d;", t->max_iterations);
    if (t->min_iterations >= 0) fprintf(e->f, " min_iterations = %d;", t->min_iterations);
    fputs(" }", e->f);
  }
  fputs("\n);\n\n", e->f);
}

static void field(export *e) {
  static const char *const name[HP_CONTROL_COUNT] = {"", "", "oil_rate", "water_rate", "liquid_rate", "reservoir_rate"};
  const hp_case *c = e->c;
  if (c->nfield == 0) return;
  fputs("field = (\n", e->f);
  for (int n = 0; n < c->nfield; ++n) {
    const hp_field_control *f = &c->field[n].control;
    fputs(n > 0 ? ",\n  {" : "  {", e->f);
    limit(e, "time", c->field[n].time);
    for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k) limit(e, name[k], f->production[k]);
    limit(e, "injection_rate", f->injection_rate);
    limit(e, "injection_volume", f->injection_volume);
    limit(e, "reinjection", f->reinjection);
    limit(e, "voidage", f->voidage);
    fputs(" }", e->f);
  }
  fputs("\n);\n\n", e->f);
}

/* ---- the rest --------------------------------------------------------------------- */

static void options(export *e) {
  const hp_case *c = e->c;
  fputs("report = { times = [", e->f);
  for (int n = 0; n < c->nreport; ++n) {
    if (n > 0) fputs(n % 8 == 0 ? ",\n  " : ", ", e->f);
    number(e->f, c->report[n]);
  }
  fputs("]; };\n\ntimestep = {\n", e->f);
  key(e, "  ", "initial", fmax(c->timestep.min, fmin(c->timestep.initial, c->timestep.max)));
  key(e, "  ", "max", c->timestep.max);
  key(e, "  ", "min", c->timestep.min);
  key(e, "  ", "growth", c->timestep.growth);
  key(e, "  ", "cut", c->timestep.cut);
  fprintf(e->f, "};\n\nnewton = { max_iterations = %d; min_iterations = %d; };\n\noutput = { units = \"%s\";",
          c->newton.max_iterations, c->newton.min_iterations, c->units.name);
  for (int n = 0; n < c->output.nvector; ++n) {
    fputs(n > 0 ? ", " : " vectors = [", e->f);
    quoted(e->f, c->output.vector[n]);
  }
  fputs(c->output.nvector > 0 ? "]; };\n" : " };\n", e->f);
}

static hp_status write_all(export *e) {
  const hp_case *c = e->c;
  fputs("/* Written by hepta import from ", e->f);
  for (const char *t = c->deck; *t != '\0'; ++t) fputc(*t == '*' ? '_' : *t, e->f);
  fprintf(e->f, ". Numbers are in SI units. */\ntitle = ");
  quoted(e->f, c->title != NULL ? c->title : "");
  fprintf(e->f, ";\nunits = \"si\";\nstart = \"%s\";\n\n", c->start);
  HP_TRY(grid(e));
  fluids(e);
  HP_TRY(regions(e));
  HP_TRY(start(e));
  fputs("wells = (\n", e->f);
  for (int w = 0; w < c->nwell; ++w) {
    if (w > 0) fputs(",\n", e->f);
    HP_TRY(well(e, w));
  }
  fputs("\n);\n\n", e->f);
  HP_TRY(schedule(e));
  field(e);
  tuning(e);
  options(e);
  return HP_OK;
}

hp_status hp_case_export(const hp_case *c, const char *path) {
  char arrays[1100];
  const size_t length = strlen(path);
  if (length < 5 || length > 1000 || strcmp(path + length - 4, ".cfg") != 0)
    return hp_fail(HP_ERR_USAGE, "%s: the deck's name must end in .cfg", path);
  snprintf(arrays, sizeof arrays, "%.*s.arrays.h5", (int)length - 4, path);
  const char *slash = strrchr(arrays, '/');
  export e = {.c = c, .arrays = slash != NULL ? slash + 1 : arrays};
  HP_TRY(HP_ALLOC(e.natural, c->grid->ncell));
  hp_status s = hp_h5_create(&e.h5, arrays, 1);
  if (s == HP_OK && (e.f = fopen(path, "w")) == NULL) {
    hp_h5_discard(&e.h5);
    s = hp_fail(HP_ERR_FILE, "%s: cannot be written", path);
  }
  if (e.f != NULL) {
    s = write_all(&e);
    const bool written = ferror(e.f) == 0;
    if ((fclose(e.f) != 0 || !written) && s == HP_OK) s = hp_fail(HP_ERR_FILE, "%s: cannot be written", path);
    if (s == HP_OK) s = hp_h5_commit(&e.h5);
    else hp_h5_discard(&e.h5);
    if (s != HP_OK && remove(path) != 0) fprintf(stderr, "hepta: %s is not whole\n", path);
  }
  HP_FREE(e.natural);
  return s;
}
