#define _POSIX_C_SOURCE 200809L
#include "io/export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/export/impl.h"

/* ---- the grid ---- */

/* The value of inactive cells, where a deck may say anything, and of those that are NaN. */
static hp_status sound_cells(hp_export *e, const char *group, const char *name, hp_quantity q, const double *a,
                             double inactive, double none) {
  const hp_grid *g = e->c->grid;
  double *copy;
  HP_TRY(HP_ALLOC(copy, g->ncell));
  for (int64_t m = 0; m < g->ncell; ++m) copy[m] = !g->active[m] ? inactive : isnan(a[m]) ? none : a[m];
  const hp_status s = hp_export_cells(e, group, name, q, HP_DIR_K, copy);
  HP_FREE(copy);
  return s;
}

/* Rock of inactive cells means nothing: that of the first active one, so that one value can stand for all. */
static hp_status rock_cells(hp_export *e, const char *name, hp_quantity q, const double *a) {
  const hp_grid *g = e->c->grid;
  int64_t first = 0;
  while (first < g->ncell - 1 && !g->active[first]) ++first;
  return sound_cells(e, "grid", name, q, a, a[first], a[first]);
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

/* One top for all columns, from which the thicknesses give all depths. */
static bool one_top(const hp_grid *g, double *t) {
  if (!top_of(g->depth[0], g->dz[0], t) || *t != g->depth[0] - 0.5 * g->dz[0]) return false;
  double z = *t;
  for (int64_t m = 0; m < g->ncell; ++m) {
    if (m % g->nz == 0) z = *t;
    if (g->depth[m] != z + 0.5 * g->dz[m]) return false;
    z += g->dz[m];
  }
  return true;
}

/* The top of the grid, or tops where every cell has one, else depths; a [ncell] is scratch. */
static hp_status depths(hp_export *e, double *a) {
  const hp_grid *g = e->c->grid;
  double t;
  bool all = true;
  if (one_top(g, &t)) {
    hp_export_key(e, "  ", "top", HP_UNIT_LENGTH, t);
    return HP_OK;
  }
  for (int64_t m = 0; m < g->ncell && all; ++m) all = top_of(g->depth[m], g->dz[m], &a[m]);
  return hp_export_cells(e, "grid", all ? "tops" : "depth", HP_UNIT_LENGTH, HP_DIR_K, all ? a : g->depth);
}

static bool all_are(const hp_grid *g, const double *a, double v) {
  for (int64_t m = 0; m < g->ncell; ++m)
    if (g->active[m] && a[m] != v) return false;
  return true;
}

static bool same(const hp_grid *g, const double *a, const double *b) {
  for (int64_t m = 0; m < g->ncell; ++m)
    if (g->active[m] && a[m] != b[m]) return false;
  return true;
}

/* Of cells that are not neighbours: what NNC gives to neighbours is in tranx, trany, tranz. */
static hp_status connections(hp_export *e) {
  static const hp_quantity q[7] = {HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE,      HP_UNIT_NONE,
                                   HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_CONNECTION};
  const hp_grid *g = e->c->grid;
  const hp_grid_connections *list = &g->connection;
  double *ijk;
  if (list->count == 0) return HP_OK;
  HP_TRY(HP_ALLOC(ijk, 6 * list->count));
  const double *column[7] = {[6] = list->trans};
  for (int x = 0; x < 6; ++x) column[x] = ijk + x * list->count;
  for (int64_t n = 0; n < list->count; ++n)
    for (int end = 0; end < 2; ++end) {
      int at[3];
      hp_grid_ijk(g, end == 0 ? list->a[n] : list->b[n], at);
      for (int x = 0; x < 3; ++x) ijk[(3 * end + x) * list->count + n] = at[x] + 1;
    }
  fputs("  connections = ", e->f);
  hp_export_rows(e, (int)list->count, 7, q, column);
  fputs(";\n", e->f);
  HP_FREE(ijk);
  return HP_OK;
}

static hp_status grid(hp_export *e) {
  const hp_case *c = e->c;
  const hp_grid *g = c->grid;
  if (c->ntrans_event > 0) return hp_fail(HP_ERR_DECK, "%s: MULTFLT and MULTX in SCHEDULE are not imported", c->deck);
  if (c->begin > 0.0) return hp_fail(HP_ERR_DECK, "%s: a run that begins with RESTART is not imported", c->deck);
  if (c->initial.threshold != NULL)
    return hp_fail(HP_ERR_DECK, "%s: threshold pressures (THPRES) are not imported", c->deck);
  const bool given = c->porv != NULL || c->tran[0] != NULL || c->tran[1] != NULL || c->tran[2] != NULL ||
                     c->connection.count > 0; /* some may have gone to neighbours */
  static const char *const perm[HP_DIRS] = {"permz", "permy", "permx"}, *const mult[HP_DIRS] = {"multz", "multy",
                                                                                                "multx"};
  static const char *const tran[HP_DIRS] = {"tranz", "trany", "tranx"};
  double *a;
  HP_TRY(HP_ALLOC(a, g->ncell));
  fprintf(e->f, "grid = {\n  size = [%d, %d, %d];\n", g->nx, g->ny, g->nz);
  hp_status s = hp_h5_group(&e->h5, "/grid");
  if (s == HP_OK) s = hp_export_cells(e, "grid", "dx", HP_UNIT_LENGTH, HP_DIR_I, g->dx);
  if (s == HP_OK) s = hp_export_cells(e, "grid", "dy", HP_UNIT_LENGTH, HP_DIR_J, g->dy);
  if (s == HP_OK) s = hp_export_cells(e, "grid", "dz", HP_UNIT_LENGTH, HP_DIR_K, g->dz);
  if (s == HP_OK) s = depths(e, a);
  if (s == HP_OK) s = rock_cells(e, "porosity", HP_UNIT_NONE, g->porosity);
  if (s == HP_OK && !all_are(g, g->ntg, 1.0)) s = rock_cells(e, "ntg", HP_UNIT_NONE, g->ntg);
  for (int d = HP_DIRS - 1; d >= 0 && s == HP_OK; --d) /* along j and k it is that along i where it is not given */
    if (d == HP_DIR_I || !same(g, g->perm[d], g->perm[HP_DIR_I]))
      s = rock_cells(e, perm[d], HP_UNIT_PERMEABILITY, g->perm[d]);
  for (int64_t m = 0; m < g->ncell; ++m) a[m] = g->active[m];
  if (s == HP_OK && g->nactive < g->ncell) s = hp_export_cells(e, "grid", "active", HP_UNIT_NONE, HP_DIR_K, a);
  if (s == HP_OK)
    hp_export_key(e, "  ", "minpv", HP_UNIT_RESERVOIR_VOLUME, 0.0); /* what is too small is inactive above */
  if (s == HP_OK && given)
    s = hp_export_cells(e, "grid", "pore_volume", HP_UNIT_RESERVOIR_VOLUME, HP_DIR_K, g->pore_volume);
  if (s == HP_OK && !given && c->mult_pv != NULL && !all_are(g, c->mult_pv, 1.0))
    s = sound_cells(e, "grid", "multpv", HP_UNIT_NONE, c->mult_pv, 1.0, 1.0);
  for (int d = HP_DIRS - 1; d >= 0 && s == HP_OK; --d) {
    if (given) s = hp_export_cells(e, "grid", tran[d], HP_UNIT_CONNECTION, HP_DIR_K, g->trans[d]);
    else if (c->mult[d] != NULL && !all_are(g, c->mult[d], 1.0))
      s = sound_cells(e, "grid", mult[d], HP_UNIT_NONE, c->mult[d], 1.0, 1.0);
  }
  if (s == HP_OK) s = connections(e);
  fputs("};\n\n", e->f);
  HP_FREE(a);
  return s;
}

/* ---- fluids and the start ---- */

static void numbers_of(hp_export *e, const hp_pvt_spec *p) {
  hp_export_key(e, "    ", "reference_pressure", HP_UNIT_PRESSURE, p->p_ref);
  hp_export_key(e, "    ", "formation_volume_factor", HP_UNIT_NONE, p->b_ref);
  hp_export_key(e, "    ", "compressibility", HP_UNIT_COMPRESSIBILITY, p->compressibility);
  hp_export_key(e, "    ", "viscosity", HP_UNIT_VISCOSITY, p->viscosity);
  hp_export_key(e, "    ", "viscosibility", HP_UNIT_COMPRESSIBILITY, p->viscosibility);
}

static void fluid(hp_export *e, const hp_pvt_spec pvt[HP_PHASES]) {
  static const hp_quantity q[] = {HP_UNIT_PRESSURE, HP_UNIT_NONE, HP_UNIT_VISCOSITY};
  const hp_pvt_spec *oil = &pvt[HP_OIL];
  fputs("{\n  water = {\n", e->f);
  hp_export_key(e, "    ", "density", HP_UNIT_DENSITY, pvt[HP_WATER].density);
  numbers_of(e, &pvt[HP_WATER]);
  fputs("  };\n  oil = {\n", e->f);
  hp_export_key(e, "    ", "density", HP_UNIT_DENSITY, oil->density);
  if (oil->rows > 0) {
    fputs("    table = ", e->f);
    hp_export_rows(e, oil->rows, 3, q, (const double *const[]){oil->p, oil->b, oil->mu});
    fputs(";\n", e->f);
  } else {
    numbers_of(e, oil);
  }
  fputs("  };\n}", e->f);
}

static void saturation(hp_export *e, const hp_sat_spec *sat) {
  static const hp_quantity q[] = {HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_PRESSURE};
  fputs("{\n  model = \"table\"; /* water saturation, krw, kro, capillary pressure */\n  table = ", e->f);
  hp_export_rows(e, sat->rows, 4, q, (const double *const[]){sat->s, sat->krw, sat->kro, sat->pc});
  fputs(";\n", e->f);
  if (sat->swatinit_pc_max > 0.0) {
    hp_export_key(e, "  ", "swatinit_pc_max", HP_UNIT_PRESSURE, sat->swatinit_pc_max);
    fprintf(e->f, "  swatinit_swl = %s;\n", sat->swatinit_swl ? "true" : "false");
  }
  fputs("}", e->f);
}

static void rock(hp_export *e, const hp_rock_spec *r) {
  fputs("{ reference_pressure = ", e->f);
  hp_export_number(e, HP_UNIT_PRESSURE, r->p_ref);
  fputs("; compressibility = ", e->f);
  hp_export_number(e, HP_UNIT_COMPRESSIBILITY, r->compressibility);
  if (r->rows > 0) {
    static const hp_quantity q[] = {HP_UNIT_PRESSURE, HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE};
    fprintf(e->f, ";\n  irreversible = %s;\n  table = ", r->irreversible ? "true" : "false");
    hp_export_rows(e, r->rows, 2 + r->columns, q,
                   (const double *const[]){r->p, r->pv, r->trans[0], r->trans[1], r->trans[2]});
  }
  fputs("; }", e->f);
}

/* One group, or a list of them. */
static void begin(hp_export *e, const char *name, int count) { fprintf(e->f, count > 1 ? "%s = ( " : "%s = ", name); }
static void between(hp_export *e, int n) {
  if (n > 0) fputs(", ", e->f);
}
static void end(hp_export *e, int count) { fputs(count > 1 ? " );\n\n" : ";\n\n", e->f); }

static void fluids(hp_export *e) {
  const hp_fluid_spec *r = &e->c->fluid;
  begin(e, "fluids", r->npvt);
  for (int n = 0; n < r->npvt; ++n) between(e, n), fluid(e, r->pvt[n]);
  end(e, r->npvt);
  begin(e, "saturation", r->nsat);
  for (int n = 0; n < r->nsat; ++n) between(e, n), saturation(e, &r->sat[n]);
  end(e, r->nsat);
  begin(e, "rock", r->nrock);
  for (int n = 0; n < r->nrock; ++n) between(e, n), rock(e, &r->rock[n]);
  end(e, r->nrock);
}

static hp_status region(hp_export *e, const char *name, const uint16_t *of, double first) {
  double *a;
  if (of == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(a, e->c->grid->ncell));
  for (int64_t m = 0; m < e->c->grid->ncell; ++m) a[m] = first + of[m];
  const hp_status s = hp_export_cells(e, "regions", name, HP_UNIT_NONE, HP_DIR_K, a);
  HP_FREE(a);
  return s;
}

/* SOWCR is kept as 1 - SOWCR in a run: the number that comes out the same there. */
static hp_status regions(hp_export *e) {
  static const char *const name[HP_ENDS] = {
#define END_NAME(id, text) text,
      HP_END_LIST(END_NAME)
#undef END_NAME
  };
  const hp_case *c = e->c;
  const hp_fluid_spec *r = &c->fluid;
  bool any = false;
  HP_TRY(hp_h5_group(&e->h5, "/regions"));
  if (r->of_sat != NULL || r->of_pvt != NULL || r->of_rock != NULL || c->initial.of != NULL || c->fip != NULL) {
    fputs("regions = {\n", e->f);
    HP_TRY(region(e, "saturation", r->of_sat, 1.0));
    HP_TRY(region(e, "pvt", r->of_pvt, 1.0));
    HP_TRY(region(e, "rock", r->of_rock, 1.0));
    HP_TRY(region(e, "equilibrium", c->initial.of, 1.0));
    HP_TRY(region(e, "fip", c->fip, 0.0));
    fputs("};\n\n", e->f);
  }
  for (int n = 0; n < HP_ENDS; ++n) any = any || r->end[n] != NULL;
  if (!any) return HP_OK;
  HP_TRY(hp_h5_group(&e->h5, "/endpoints"));
  fprintf(e->f, "endpoints = {\n  three_point = %s;\n", r->three_point ? "true" : "false");
  for (int n = 0; n < HP_ENDS; ++n) {
    const hp_quantity q = n == HP_END_PCW ? HP_UNIT_PRESSURE : HP_UNIT_NONE;
    const double none = -e->units.factor[q]; /* below 0: as the table has it */
    if (r->end[n] != NULL) HP_TRY(sound_cells(e, "endpoints", name[n], q, r->end[n], none, none));
  }
  fputs("};\n\n", e->f);
  return HP_OK;
}

static void equilibrium(hp_export *e, const hp_equilibrium *q) {
  hp_export_key(e, "  ", "datum_depth", HP_UNIT_LENGTH, q->datum_depth);
  hp_export_key(e, "  ", "datum_pressure", HP_UNIT_PRESSURE, q->datum_pressure);
  hp_export_key(e, "  ", "contact_depth", HP_UNIT_LENGTH, q->contact_depth);
  if (q->contact_pc != 0.0) hp_export_key(e, "  ", "contact_capillary_pressure", HP_UNIT_PRESSURE, q->contact_pc);
  fprintf(e->f, "  accuracy = %d;\n", q->accuracy);
}

static hp_status start(hp_export *e) {
  const hp_initial *o = &e->c->initial;
  HP_TRY(hp_h5_group(&e->h5, "/initial"));
  begin(e, "initial", o->nregion);
  fputs("{\n", e->f);
  if (o->nregion == 0) {
    HP_TRY(hp_export_cells(e, "initial", "pressure", HP_UNIT_PRESSURE, HP_DIR_K, o->pressure));
    HP_TRY(hp_export_cells(e, "initial", "saturation", HP_UNIT_NONE, HP_DIR_K, o->sw));
  }
  for (int n = 0; n < o->nregion; ++n) {
    if (n > 0) fputs("}, {\n", e->f);
    equilibrium(e, &o->region[n]);
    if (n == 0 && o->water != NULL) HP_TRY(sound_cells(e, "initial", "swatinit", HP_UNIT_NONE, o->water, -1.0, -1.0));
  }
  fputs("}", e->f);
  end(e, o->nregion);
  return HP_OK;
}

/* ---- time, and the rest ---- */

static void limit(hp_export *e, const char *name, hp_quantity q, double v) {
  if (!isnan(v)) hp_export_assign(e, name, q, v);
}

static void tuning(hp_export *e) {
  const hp_case *c = e->c;
  if (c->ntuning == 0) return;
  fputs("tuning = (\n", e->f);
  for (int n = 0; n < c->ntuning; ++n) {
    const hp_tuning *t = &c->tuning[n];
    fputs(n > 0 ? ",\n  {" : "  {", e->f);
    limit(e, "time", HP_UNIT_TIME, t->time);
    limit(e, "initial", HP_UNIT_TIME, t->initial);
    limit(e, "max", HP_UNIT_TIME, t->max);
    limit(e, "min", HP_UNIT_TIME, t->min);
    limit(e, "growth", HP_UNIT_NONE, t->growth);
    limit(e, "cut", HP_UNIT_NONE, t->cut);
    if (t->max_iterations >= 0) fprintf(e->f, " max_iterations = %d;", t->max_iterations);
    if (t->min_iterations >= 0) fprintf(e->f, " min_iterations = %d;", t->min_iterations);
    fputs(" }", e->f);
  }
  fputs("\n);\n\n", e->f);
}

/* Whether multiples of the first report time are all of them, the last one shorter at most: to the last bit. */
static bool is_regular(const hp_case *c) {
  const int last = c->nreport - 1;
  const double every = c->report[0], end = c->report[last];
  if (last < 1 || ceil(end / every * (1.0 - 1e-12)) != (double)c->nreport) return false;
  for (int n = 0; n < last; ++n)
    if (c->report[n] != every * (n + 1)) return false;
  return true;
}

static void times(hp_export *e) {
  const hp_case *c = e->c;
  fputs("report = {", e->f);
  if (is_regular(c)) {
    hp_export_assign(e, "every", HP_UNIT_TIME, c->report[0]);
    hp_export_assign(e, "end", HP_UNIT_TIME, c->report[c->nreport - 1]);
    fputs(" };\n\n", e->f);
    return;
  }
  fputs(" times = ", e->f);
  hp_export_list(e, HP_UNIT_TIME, c->nreport, c->report, 10, "  ");
  fputs("; };\n\n", e->f);
}

/* What a deck has that says nothing is left out. */
static void options(hp_export *e) {
  const hp_case *c = e->c;
  hp_case plain = {.units = e->units};
  hp_case_defaults(&plain);
  const hp_timestep_options *t = &c->timestep, *def = &plain.timestep;
  times(e);
  fputs("timestep = {", e->f);
  hp_export_assign(e, "initial", HP_UNIT_TIME, fmax(t->min, fmin(t->initial, t->max)));
  hp_export_assign(e, "max", HP_UNIT_TIME, t->max);
  if (t->min != def->min) hp_export_assign(e, "min", HP_UNIT_TIME, t->min);
  if (t->growth != def->growth) hp_export_assign(e, "growth", HP_UNIT_NONE, t->growth);
  if (t->cut != def->cut) hp_export_assign(e, "cut", HP_UNIT_NONE, t->cut);
  fputs(" };\n", e->f);
  if (c->newton.max_iterations != plain.newton.max_iterations ||
      c->newton.min_iterations != plain.newton.min_iterations)
    fprintf(e->f, "newton = { max_iterations = %d; min_iterations = %d; };\n", c->newton.max_iterations,
            c->newton.min_iterations);
  if (c->output.nvector == 0 && c->units.system == e->units.system) return;
  fputs("output = {", e->f);
  if (c->units.system != e->units.system) fprintf(e->f, " units = \"%s\";", c->units.name);
  for (int n = 0; n < c->output.nvector; ++n) {
    fputs(n == 0 ? " vectors = [" : n % 8 == 0 ? ",\n  " : ", ", e->f);
    hp_export_quoted(e, c->output.vector[n]);
  }
  fputs(c->output.nvector > 0 ? "]; };\n" : " };\n", e->f);
}

static hp_status write_all(hp_export *e) {
  const hp_case *c = e->c;
  fputs("/* Written by hepta import from ", e->f);
  for (const char *t = c->deck; *t != '\0'; ++t) fputc(*t == '*' ? '_' : *t, e->f);
  fputs(". */\ntitle = ", e->f);
  hp_export_quoted(e, c->title != NULL ? c->title : "");
  fprintf(e->f, ";\nunits = \"%s\";\nstart = \"%s\";\n\n", e->units.name, c->start);
  HP_TRY(grid(e));
  fluids(e);
  HP_TRY(regions(e));
  HP_TRY(start(e));
  HP_TRY(hp_export_wells(e));
  HP_TRY(hp_export_schedule(e));
  tuning(e);
  options(e);
  return HP_OK;
}

hp_status hp_case_export(const hp_case *c, hp_units units, const char *path) {
  char arrays[1100];
  const size_t length = strlen(path);
  if (c->naquifer > 0 || c->initial.nflooded > 0)
    return hp_fail(HP_ERR_UNSUPPORTED, "%s: has aquifers, for which decks of hepta's own have no key: run it as it is",
                   c->deck);
  if (length < 5 || length > 1000 || strcmp(path + length - 4, ".cfg") != 0)
    return hp_fail(HP_ERR_USAGE, "%s: the deck's name must end in .cfg", path);
  snprintf(arrays, sizeof arrays, "%.*s.arrays.h5", (int)length - 4, path);
  const char *slash = strrchr(arrays, '/');
  hp_export e = {.c = c, .units = units, .arrays = slash != NULL ? slash + 1 : arrays};
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
    if (s == HP_OK && e.written > 0) s = hp_h5_commit(&e.h5);
    else hp_h5_discard(&e.h5);
    if (s != HP_OK && remove(path) != 0) fprintf(stderr, "hepta: %s is not whole\n", path);
  }
  HP_FREE(e.natural);
  return s;
}
