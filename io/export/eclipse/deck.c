#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/config.h"
#include "io/export/eclipse/impl.h"
#include "io/export/export.h"

/* ---- what no Eclipse deck can say ---- */

static hp_status check_names(const hp_case *c) {
  const char *name = NULL;
  for (int w = 0; w < c->nwell && name == NULL; ++w)
    if (strpbrk(c->well[w].name, "'*?") != NULL) name = c->well[w].name;
  for (int g = 1; g <= c->ngroup && name == NULL; ++g)
    if (strpbrk(hp_case_group_name(c, g), "'*?") != NULL) name = hp_case_group_name(c, g);
  if (name == NULL) return HP_OK;
  return hp_fail(HP_ERR_UNSUPPORTED, "%s: the name %s: names in an Eclipse deck must not contain ' * or ?", c->deck,
                 name);
}

static hp_status check_case(const hp_case *c) {
  if (hp_case_has_actions(c))
    return hp_fail(HP_ERR_UNSUPPORTED,
                   "%s: actions and quantities of the user are not exported: take them out, or run the deck as it is",
                   c->deck);
  if (c->begin > 0.0)
    return hp_fail(HP_ERR_UNSUPPORTED, "%s: a run that begins with RESTART is not exported: run the deck as it is",
                   c->deck);
  if (c->nnumerical > 0)
    return hp_fail(
        HP_ERR_UNSUPPORTED,
        "%s: numerical aquifers are not exported: their connections are known, but not the sizes that AQUNUM "
        "and AQUCON would make them from. An analytic one (carter-tracy, fetkovich) is",
        c->deck);
  return check_names(c);
}

/* ---- RUNSPEC ---- */

/* The most groups, wells, connections a well. */
static void well_sizes(hp_deck_out *o) {
  int most = 1;
  for (int w = 0; w < o->c->nwell; ++w)
    if (o->well[w].nperf > most) most = o->well[w].nperf;
  fprintf(o->f, "WELLDIMS\n %d %d %d %d /\n", o->c->nwell + 1, most, o->c->ngroup + 2, o->c->nwell + 1);
  int segments = 0;
  for (int w = 0; w < o->c->nwell; ++w)
    segments = segments > o->c->well[w].nsegment ? segments : o->c->well[w].nsegment;
  if (segments > 0) fprintf(o->f, "WSEGDIMS\n %d %d %d /\n", o->c->nwell, segments, segments);
}

static void lift_sizes(hp_deck_out *o) {
  int most[2][HP_LIFT_AXES] = {{0}}, count[2] = {0, 0};
  for (int n = 0; n < o->c->nlift; ++n) {
    const hp_lift_table *t = &o->c->lift[n].table;
    count[t->injector] += 1;
    for (int a = 0; a < HP_LIFT_AXES; ++a)
      if (t->count[a] > most[t->injector][a]) most[t->injector][a] = t->count[a];
  }
  if (count[0] > 0)
    fprintf(o->f, "VFPPDIMS\n %d %d %d 1 %d %d /\n", most[0][HP_LIFT_FLOW], most[0][HP_LIFT_THP],
            most[0][HP_LIFT_RATIO], most[0][HP_LIFT_LIFT], o->c->nlift);
  if (count[1] > 0) fprintf(o->f, "VFPIDIMS\n %d %d %d /\n", most[1][HP_LIFT_FLOW], most[1][HP_LIFT_THP], o->c->nlift);
}

static hp_status table_sizes(hp_deck_out *o) {
  const hp_fluid_spec *r = &o->c->fluid;
  int curves = 2, others = 2;
  bool table = false;
  for (int n = 0; n < r->nsat; ++n) {
    double *v;
    int rows;
    HP_TRY(hp_out_curve(o->c, n, &rows, &v));
    HP_FREE(v);
    if (rows > curves) curves = rows;
  }
  for (int n = 0; n < r->npvt; ++n)
    if (r->pvt[n][HP_OIL].rows > others) others = r->pvt[n][HP_OIL].rows;
  for (int n = 0; n < r->nrock; ++n) {
    if (r->rock[n].rows > others) others = r->rock[n].rows;
    table = table || r->rock[n].rows > 0;
  }
  const int regions = o->c->nfip > 1 ? o->c->nfip : 1;
  fprintf(o->f, "TABDIMS\n %d %d %d %d %d 7* %d /\n", r->nsat, r->npvt, curves, others, regions, r->nrock);
  fprintf(o->f, "REGDIMS\n %d /\n", regions);
  if (!table) return HP_OK;
  bool irreversible = false, directional = false;
  for (int n = 0; n < r->nrock; ++n) {
    irreversible = irreversible || r->rock[n].irreversible;
    directional = directional || r->rock[n].columns > 1;
  }
  fprintf(o->f, "ROCKCOMP\n %s %d /\n", irreversible ? "IRREVERS" : "REVERS", r->nrock);
  if (directional) fputs("RKTRMDIR\n", o->f);
  return HP_OK;
}

static void thresholds(hp_deck_out *o) {
  const hp_initial *i = &o->c->initial;
  bool one_way = false;
  for (int a = 0; i->threshold != NULL && a < i->nregion; ++a)
    for (int b = 0; b < i->nregion; ++b) one_way = one_way || hp_case_threshold_one_way(i, a, b);
  if (i->threshold != NULL) fprintf(o->f, "EQLOPTS\n THPRES%s /\n", one_way ? " IRREVERS" : "");
}

static void aquifer_sizes(hp_deck_out *o) {
  int64_t connections = 0;
  int rows = 1, tables = 1;
  for (int n = 0; n < o->c->naquifer; ++n) {
    connections += o->c->aquifer[n].nconnection;
    if (o->c->aquifer[n].kind == HP_AQUIFER_CARTER_TRACY && o->c->aquifer[n].rows > rows) rows = o->c->aquifer[n].rows;
    tables += o->c->aquifer[n].kind == HP_AQUIFER_CARTER_TRACY;
  }
  if (o->c->naquifer > 0)
    fprintf(o->f, "AQUDIMS\n 0 0 %d %d %d %lld /\n", tables, rows, o->c->aquifer[o->c->naquifer - 1].number,
            (long long)connections);
}

static void fault_size(hp_deck_out *o) {
  int64_t faces = 0;
  for (int n = 0; n < o->nfault; ++n) faces += o->fault[n].count;
  if (o->nfault > 0) fprintf(o->f, "FAULTDIM\n %lld /\n", (long long)faces);
}

/* "2026-01-01 06:00" as Eclipse has it; without a date the default of both. */
static void start_date(hp_deck_out *o) {
  static const char *const month[] = {"JAN", "FEB", "MAR", "APR", "MAY", "JUN",
                                      "JLY", "AUG", "SEP", "OCT", "NOV", "DEC"};
  int y, m, d, used = 0;
  const char *s = o->c->start;
  if (sscanf(s, "%d-%d-%d%n", &y, &m, &d, &used) != 3 || m < 1 || m > 12) return;
  fprintf(o->f, "START\n %d %s %d", d, month[m - 1], y);
  while (s[used] == ' ' || s[used] == 'T') ++used;
  if (s[used] != '\0') fprintf(o->f, " %s%s", s + used, strlen(s + used) == 5 ? ":00" : "");
  fputs(" /\n", o->f);
}

static hp_status runspec(hp_deck_out *o) {
  const hp_case *c = o->c;
  const char *title = c->title != NULL && c->title[0] != '\0' ? c->title : "hepta";
  bool ends = false;
  bool faces = false;
  for (int n = 0; n < HP_ENDS; ++n) ends = ends || c->fluid.end[n] != NULL || c->fluid.imbibition_end[n] != NULL;
  for (int n = 0; n < HP_FACES; ++n) faces = faces || c->fluid.of_face[n] != NULL;
  fputs("TITLE\n ", o->f);
  for (; *title != '\0'; ++title) fputc(*title == '\n' || *title == '\r' ? ' ' : *title, o->f);
  fprintf(o->f, "\nDIMENS\n %d %d %d /\nOIL\nWATER\n", c->grid->nx, c->grid->ny, c->grid->nz);
  fputs(o->units.system == HP_UNITS_METRIC  ? "METRIC\n"
        : o->units.system == HP_UNITS_FIELD ? "FIELD\n"
                                            : "LAB\n",
        o->f);
  start_date(o);
  HP_TRY(table_sizes(o));
  fprintf(o->f, "EQLDIMS\n %d /\n", c->initial.nregion > 1 ? c->initial.nregion : 1);
  well_sizes(o);
  lift_sizes(o);
  aquifer_sizes(o);
  fault_size(o);
  if (c->systems.count > 1) fprintf(o->f, "NUMRES\n %d /\n", c->systems.count);
  if (ends || c->initial.water != NULL) fputs("ENDSCALE\n /\n", o->f);
  if (faces) fprintf(o->f, "SATOPTS\n DIRECT%s /\n", hp_out_is_irreversible(&c->fluid) ? " IRREVERS" : "");
  if (hp_hysteresis_is_on(&c->fluid.hysteresis)) fputs("SATOPTS\n HYSTER /\n", o->f);
  thresholds(o);
  fputs("UNIFOUT\n", o->f);
  return HP_OK;
}

/* ---- all of it ---- */

/* Keys of hepta's own that change a run by a little, and that an Eclipse deck has no words for. */
static void note_settings(hp_deck_out *o) {
  hp_case plain = {.units = o->units};
  char left[256] = "";
  const hp_timestep_options *t = &o->c->timestep;
  const hp_newton_options *n = &o->c->newton;
  hp_config_defaults(&plain);
#define LEFT(group, name, differs) \
  if (differs) strncat(left, left[0] != '\0' ? ", " group "." #name : group "." #name, sizeof left - strlen(left) - 1)
  LEFT("timestep", accuracy, t->accuracy != plain.timestep.accuracy);
  LEFT("timestep", target_newton, t->target_newton != plain.timestep.target_newton);
  LEFT("timestep", target_ds, t->target_ds != plain.timestep.target_ds);
  LEFT("newton", tolerance_mb, n->tolerance_mb != plain.newton.tolerance_mb);
  LEFT("newton", tolerance_cnv, n->tolerance_cnv != plain.newton.tolerance_cnv);
  LEFT("newton", tolerance_flow, n->tolerance_flow != plain.newton.tolerance_flow);
  LEFT("newton", tolerance_well, n->tolerance_well != plain.newton.tolerance_well);
  if (o->c->economics.given)
    strncat(left, left[0] != '\0' ? ", economics" : "economics", sizeof left - strlen(left) - 1);
#undef LEFT
  if (left[0] != '\0') hp_out_note(o, "no keyword of an Eclipse deck says %s: give them to hepta run with --set", left);
}

static hp_status write_all(hp_deck_out *o) {
  fprintf(o->f, "-- Written by hepta export from ");
  for (const char *t = o->c->deck; *t != '\0'; ++t) fputc((unsigned char)*t < ' ' ? '_' : *t, o->f);
  fputc('\n', o->f);
  HP_TRY(hp_out_find_faults(o));
  HP_TRY(hp_out_find_wells(o));
  hp_out_section(o, "RUNSPEC");
  HP_TRY(runspec(o));
  hp_out_section(o, "GRID");
  fputs("INIT\n", o->f);
  HP_TRY(hp_out_grid(o));
  HP_TRY(hp_out_edit(o));
  hp_out_section(o, "PROPS");
  HP_TRY(hp_out_fluids(o));
  hp_out_section(o, "SOLUTION");
  HP_TRY(hp_out_start(o));
  hp_out_section(o, "SUMMARY");
  hp_out_summary(o);
  hp_out_section(o, "SCHEDULE");
  HP_TRY(hp_out_schedule(o));
  fputs("\nEND\n", o->f);
  note_settings(o);
  return o->status;
}

static void clear(hp_deck_out *o) {
  hp_out_wells_clear(o);
  for (int n = 0; n < o->nfault; ++n) HP_FREE(o->fault[n].own);
  HP_FREE(o->fault);
  HP_FREE(o->fault_of_event);
  HP_FREE(o->faults_of_event);
  HP_FREE(o->natural);
}

/* Removes the files: without the rest they are no deck. */
static void take_back(hp_deck_out *o) {
  char file[1100];
  o->made |= 1u;
  for (int n = 0; hp_case_export_file(o->path, n, file, sizeof file); ++n)
    if ((o->made >> n & 1u) && remove(file) != 0) fprintf(stderr, "hepta: %s is not whole\n", file);
}

hp_status hp_case_export_eclipse(const hp_case *c, hp_units units, const char *path, hp_diag *diag) {
  const size_t length = strlen(path);
  if (length < 6 || length > 1000 || strcmp(path + length - 5, ".DATA") != 0)
    return hp_fail(HP_ERR_USAGE, "%s: the deck's name must end in .DATA", path);
  HP_TRY(check_case(c));
  hp_deck_out o = {.c = c, .units = units, .diag = diag, .path = path};
  HP_TRY(HP_ALLOC(o.natural, c->grid->ncell));
  hp_status s = HP_OK;
  if ((o.f = fopen(path, "w")) == NULL) s = hp_fail(HP_ERR_FILE, "%s: cannot be written: %s", path, strerror(errno));
  if (o.f != NULL) {
    s = write_all(&o);
    const bool sound = ferror(o.f) == 0;
    if (o.arrays != NULL) (void)fclose(o.arrays);
    if ((fclose(o.f) != 0 || !sound) && s == HP_OK) s = hp_fail(HP_ERR_FILE, "%s: cannot be written", path);
    if (s != HP_OK) take_back(&o);
  }
  clear(&o);
  return s;
}
