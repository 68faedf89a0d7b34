#define _POSIX_C_SOURCE 200809L
#include "io/export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/case/state_arrays.h"
#include "io/config/config.h"
#include "io/export/impl.h"

/* ---- fluids and the start ---- */

static void numbers_of(hp_export *e, const char *list, const hp_pvt_spec *p) {
  fputs("   ", e->f);
  (void)hp_export_settings(e, "", list, HP_IN_PVT, p, NULL);
  fputs("\n", e->f);
}

static void fluid(hp_export *e, const hp_pvt_spec pvt[HP_PHASES]) {
  static const hp_quantity q[] = {HP_UNIT_PRESSURE, HP_UNIT_NONE, HP_UNIT_VISCOSITY};
  const hp_pvt_spec *oil = &pvt[HP_OIL];
  fputs("{\n  water = {\n", e->f);
  hp_export_key(e, "    ", "density", HP_UNIT_DENSITY, pvt[HP_WATER].density);
  numbers_of(e, "fluids.water", &pvt[HP_WATER]);
  fputs("  };\n  oil = {\n", e->f);
  hp_export_key(e, "    ", "density", HP_UNIT_DENSITY, oil->density);
  if (oil->rows > 0) {
    fputs("    table = ", e->f);
    hp_export_rows(e, oil->rows, 3, q, (const double *const[]){oil->p, oil->b, oil->mu});
    fputs(";\n", e->f);
  } else {
    numbers_of(e, "fluids.oil", oil);
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
  static const char *const face[HP_FACES] = {
#define FACE_NAME(id, key, keyword) key,
      HP_FACE_LIST(FACE_NAME)
#undef FACE_NAME
  };
  const hp_case *c = e->c;
  const hp_fluid_spec *r = &c->fluid;
  bool any = false, faces = false;
  for (int n = 0; n < HP_FACES; ++n) faces = faces || r->of_face[n] != NULL;
  HP_TRY(hp_h5_group(&e->h5, "/regions"));
  hp_case plain = {.units = e->units};
  hp_config_defaults(&plain);
  if (hp_export_settings(e, "hysteresis = {", "hysteresis", HP_IN_HYSTERESIS, &r->hysteresis, &plain.fluid.hysteresis))
    fputs(" };\n\n", e->f);
  if (r->of_sat != NULL || r->of_imbibition != NULL || r->of_pvt != NULL || r->of_rock != NULL ||
      c->initial.of != NULL || c->fip != NULL || faces) {
    fputs("regions = {\n", e->f);
    HP_TRY(region(e, "saturation", r->of_sat, 1.0));
    HP_TRY(region(e, "imbibition", r->of_imbibition, 1.0));
    for (int n = 0; n < HP_FACES; ++n) HP_TRY(region(e, face[n], r->of_face[n], 1.0));
    HP_TRY(region(e, "pvt", r->of_pvt, 1.0));
    HP_TRY(region(e, "rock", r->of_rock, 1.0));
    HP_TRY(region(e, "equilibrium", c->initial.of, 1.0));
    HP_TRY(region(e, "fip", c->fip, 0.0));
    fputs("};\n\n", e->f);
  }
  for (int n = 0; n < HP_ENDS; ++n) any = any || r->end[n] != NULL || r->imbibition_end[n] != NULL;
  if (!any) return HP_OK;
  HP_TRY(hp_h5_group(&e->h5, "/endpoints"));
  fprintf(e->f, "endpoints = {\n  three_point = %s;\n", r->three_point ? "true" : "false");
  for (int n = 0; n < HP_ENDS; ++n) {
    const hp_quantity q = n == HP_END_PCW ? HP_UNIT_PRESSURE : HP_UNIT_NONE;
    const double none = -e->units.factor[q]; /* below 0: as the table has it */
    char imbibed[16];
    snprintf(imbibed, sizeof imbibed, "i%s", name[n]);
    if (r->end[n] != NULL) HP_TRY(hp_export_sound_cells(e, "endpoints", name[n], q, r->end[n], none, none));
    if (r->imbibition_end[n] != NULL)
      HP_TRY(hp_export_sound_cells(e, "endpoints", imbibed, q, r->imbibition_end[n], none, none));
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
    if (o->driest != NULL) HP_TRY(hp_export_cells(e, "initial", "driest", HP_UNIT_NONE, HP_DIR_K, o->driest));
  }
  for (int n = 0; n < o->nregion; ++n) {
    if (n > 0) fputs("}, {\n", e->f);
    equilibrium(e, &o->region[n]);
    if (n == 0 && o->water != NULL)
      HP_TRY(hp_export_sound_cells(e, "initial", "swatinit", HP_UNIT_NONE, o->water, -1.0, -1.0));
  }
  fputs("}", e->f);
  end(e, o->nregion);
  return HP_OK;
}

/* A threshold of NAN is that of the start. */
static hp_status thresholds(hp_export *e) {
  const hp_initial *o = &e->c->initial;
  const hp_pair_values *faults = &e->c->fault_threshold;
  bool some = false;
  for (int a = 0; o->threshold != NULL && a < o->nregion; ++a)
    for (int b = 0; b < o->nregion; ++b) {
      const double v = o->threshold[a * o->nregion + b];
      const bool one_way = hp_case_threshold_one_way(o, a, b);
      if (v == 0.0 || (b < a && !one_way)) continue;
      fprintf(e->f, "%s{ regions = [%d, %d];", some ? ",\n  " : "thresholds = (\n  ", a + 1, b + 1);
      if (!isnan(v)) hp_export_assign(e, "pressure", HP_UNIT_PRESSURE, v);
      if (one_way) fputs(" one_way = true;", e->f);
      fputs(" }", e->f);
      some = true;
    }
  if (faults->count > 0) {
    fprintf(e->f, "%s{ connections = ", some ? ",\n  " : "thresholds = (\n  ");
    HP_TRY(hp_export_pairs(e, faults->count, faults->a, faults->b, HP_UNIT_PRESSURE, faults->value));
    fputs("; }", e->f);
    some = true;
  }
  if (some) fputs("\n);\n\n", e->f);
  return HP_OK;
}

/* ---- time, and the rest ---- */

/* One factor for all pairs, or one for each. */
static hp_status multipliers(hp_export *e) {
  const hp_case *c = e->c;
  if (c->ntrans_event == 0) return HP_OK;
  fputs("multipliers = (\n", e->f);
  for (int n = 0; n < c->ntrans_event; ++n) {
    const hp_trans_event *t = &c->trans_event[n];
    bool one = t->count > 0;
    for (int64_t k = 1; k < t->count; ++k) one = one && t->by[k] == t->by[0];
    fprintf(e->f, "%s  {", n > 0 ? ",\n" : "");
    hp_export_assign(e, "time", HP_UNIT_TIME, t->time);
    fputs(" name = ", e->f);
    hp_export_quoted(e, t->what);
    fputs(";", e->f);
    if (one) hp_export_assign(e, "by", HP_UNIT_NONE, t->by[0]);
    fputs("\n    connections = ", e->f);
    HP_TRY(hp_export_pairs(e, t->count, t->a, t->b, HP_UNIT_NONE, one ? NULL : t->by));
    fputs("; }", e->f);
  }
  fputs("\n);\n\n", e->f);
  return HP_OK;
}

static void tuning(hp_export *e) {
  const hp_case *c = e->c;
  hp_tuning nothing = hp_tuning_nothing();
  nothing.time = NAN;
  if (c->ntuning == 0) return;
  fputs("tuning = (\n", e->f);
  for (int n = 0; n < c->ntuning; ++n) {
    fputs(n > 0 ? ",\n  {" : "  {", e->f);
    (void)hp_export_settings(e, "", "tuning[]", HP_IN_TUNING, &c->tuning[n], &nothing);
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

/* An entry of a list of output that names wells. */
static void of_wells(hp_export *e, const char *list, int n, const char *well, hp_home home, const void *now,
                     const void *was) {
  if (n == 0) fprintf(e->f, "\n  %s = (\n    { well = ", list + strlen("output."));
  else fputs(",\n    { well = ", e->f);
  hp_export_quoted(e, well);
  fputs(";", e->f);
  char path[64];
  snprintf(path, sizeof path, "%s[]", list);
  (void)hp_export_settings(e, "", path, home, now, was);
  fputs(" }", e->f);
}

/* Each mnemonic once. */
static void arrays(hp_export *e) {
  int count;
  const hp_state_array *list = hp_state_arrays(&count);
  const char *before = "";
  bool any = false;
  for (int n = 0; n < count; ++n) {
    if (!hp_state_array_is_asked(e->c, n) || strcmp(before, list[n].mnemonic) == 0) continue;
    before = list[n].mnemonic;
    fprintf(e->f, "%s\"%s\"", any ? ", " : "\n  arrays = [", before);
    any = true;
  }
  if (any) fputs("];", e->f);
}

static void sheets(hp_export *e) {
  static const char *const name[] = {
#define NAME(id, text) text,
      HP_SHEETS_LIST(NAME)
#undef NAME
  };
  const hp_output_options *o = &e->c->output;
  if (o->sheets != HP_SHEETS_NONE) fprintf(e->f, " sheets = \"%s\";", name[o->sheets]);
  if (o->sheets_from > 0.0) hp_export_assign(e, "sheets_from", HP_UNIT_TIME, o->sheets_from);
  if (o->sheets_at_start != HP_SHEETS_NONE) fprintf(e->f, " sheets_at_start = \"%s\";", name[o->sheets_at_start]);
}

static void requests(hp_export *e) {
  const hp_output_options *o = &e->c->output;
  const hp_rft_request plain = {.time = 0.0};
  const hp_average nothing = hp_average_nothing();
  for (int n = 0; n < o->nrft; ++n) of_wells(e, "output.rft", n, o->rft[n].well, HP_IN_RFT, &o->rft[n], &plain);
  if (o->nrft > 0) fputs(");", e->f);
  for (int n = 0; n < o->naverage; ++n)
    of_wells(e, "output.averages", n, o->average[n].well, HP_IN_AVERAGE, &o->average[n], &nothing);
  if (o->naverage > 0) fputs(");", e->f);
}

/* Entries of a deck without effect are left out. */
static void options(hp_export *e) {
  const hp_case *c = e->c;
  hp_case plain = {.units = e->units};
  hp_config_defaults(&plain);
  hp_timestep_options t = c->timestep;
  t.initial = fmax(t.min, fmin(t.initial, t.max));
  plain.timestep.initial = plain.timestep.max = NAN; /* always there */
  times(e);
  if (hp_export_settings(e, "timestep = {", "timestep", HP_IN_TIMESTEP, &t, &plain.timestep)) fputs(" };\n", e->f);
  if (hp_export_settings(e, "newton = {", "newton", HP_IN_NEWTON, &c->newton, &plain.newton)) fputs(" };\n", e->f);
  if (c->output.nvector == 0 && c->output.nrft == 0 && c->output.naverage == 0 && c->output.arrays == 0 &&
      c->output.sheets == HP_SHEETS_NONE && c->output.sheets_at_start == HP_SHEETS_NONE &&
      c->units.system == e->units.system)
    return;
  fputs("output = {", e->f);
  if (c->units.system != e->units.system) fprintf(e->f, " units = \"%s\";", c->units.name);
  for (int n = 0; n < c->output.nvector; ++n) {
    fputs(n == 0 ? " vectors = [" : n % 8 == 0 ? ",\n  " : ", ", e->f);
    hp_export_quoted(e, c->output.vector[n]);
  }
  if (c->output.nvector > 0) fputs("];", e->f);
  arrays(e);
  sheets(e);
  requests(e);
  fputs(" };\n", e->f);
}

static hp_status write_all(hp_export *e) {
  const hp_case *c = e->c;
  fputs("/* Written by hepta import from ", e->f);
  for (const char *t = c->deck; *t != '\0'; ++t) fputc(*t == '*' ? '_' : *t, e->f);
  fputs(". */\ntitle = ", e->f);
  hp_export_quoted(e, c->title != NULL ? c->title : "");
  fprintf(e->f, ";\nunits = \"%s\";\nstart = \"%s\";\n\n", e->units.name, c->start);
  HP_TRY(hp_export_grid(e));
  fluids(e);
  HP_TRY(regions(e));
  HP_TRY(start(e));
  HP_TRY(thresholds(e));
  HP_TRY(hp_export_aquifers(e));
  hp_export_quantities(e);
  HP_TRY(hp_export_wells(e));
  HP_TRY(multipliers(e));
  HP_TRY(hp_export_schedule(e));
  tuning(e);
  hp_export_actions(e);
  options(e);
  return HP_OK;
}

hp_status hp_case_export(const hp_case *c, hp_units units, const char *path) {
  char arrays[1100];
  const size_t length = strlen(path);
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
