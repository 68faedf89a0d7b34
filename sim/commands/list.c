/* The lists of a deck with their numbers, as --set counts them. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/plural.h"
#include "core/show.h"
#include "sim/commands/commands.h"
#include "wells/group.h"

void hp_command_print_control(const hp_case *c, const hp_well_control *control, FILE *f) {
  if (control->control == HP_CONTROL_SHUT) {
    fputs("shut", f);
    return;
  }
  const hp_quantity q = !hp_control_is_rate(control->control) ? HP_UNIT_PRESSURE
                        : control->control == HP_CONTROL_RESV ? HP_UNIT_RESERVOIR_RATE
                                                              : HP_UNIT_RATE;
  if (control->control == HP_CONTROL_RESV && control->by_history) {
    const double u = c->units.factor[HP_UNIT_RATE];
    fprintf(f, "producer, reservoir volume of %.6g oil and %.6g water %s", control->history_oil_rate / u,
            control->history_water_rate / u, c->units.label[HP_UNIT_RATE]);
    return;
  }
  const bool rate = control->injector && q == HP_UNIT_RATE; /* decks call it so, whichever phase it is */
  fprintf(f, "%s, %s %.6g %s",
          !control->injector         ? "producer"
          : control->phase == HP_OIL ? "injector of oil"
                                     : "injector of water",
          rate ? "rate" : hp_control_name(control->control), control->limit[control->control] / c->units.factor[q],
          c->units.label[q]);
}

/* The first entry of a group that asks for nothing. */
static bool only_names(const hp_case *c, int n) {
  const hp_group_event *e = &c->group_event[n];
  for (int before = 0; before < n; ++before)
    if (c->group_event[before].group == e->group) return false;
  const hp_group_control nothing = hp_group_nothing();
  return e->group > 0 && !hp_group_has_targets(&e->control) && !hp_group_has_limits(&e->control) &&
         !hp_group_is_elsewhere(&e->control, &nothing);
}

static bool have_a_say(const hp_case *c) {
  for (int n = 0; n < c->ngroup_event; ++n)
    if (c->group_event[n].group > 0 && !only_names(c, n)) return true;
  return false;
}

/* Settings beside the control, if any. */
void hp_command_print_beside(const hp_case *c, const hp_well_control *k, FILE *f) {
  const double u = c->units.factor[HP_UNIT_RATE];
  const char *unit = c->units.label[HP_UNIT_RATE];
  static const char *const workover[] = {"shuts nothing", "shuts its worst perforation",
                                         "shuts its worst perforation and those below", "shuts it", "stops the run"};
  if (k->limit[HP_CONTROL_THP] >= 0.0 && k->control != HP_CONTROL_THP)
    fprintf(f, ", thp %.6g %s", k->limit[HP_CONTROL_THP] / c->units.factor[HP_UNIT_PRESSURE],
            c->units.label[HP_UNIT_PRESSURE]);
  if (k->vfp > 0) fprintf(f, ", lift table %s", c->lift[k->vfp - 1].name);
  if (k->lift > 0.0) fprintf(f, ", lift %.6g", k->lift);
  if (k->group > 0 && have_a_say(c)) fprintf(f, ", in %s", hp_case_group_name(c, k->group));
  if (k->guide_rate > 0.0) fprintf(f, ", guide rate %.6g %s", k->guide_rate / u, unit);
  if (k->efficiency > 0.0 && k->efficiency < 1.0) fprintf(f, ", flows %.6g of the time", k->efficiency);
  if (k->min_oil_rate > 0.0) fprintf(f, ", shut below %.6g %s of oil", k->min_oil_rate / u, unit);
  if (k->min_liquid_rate > 0.0) fprintf(f, ", shut below %.6g %s of liquid", k->min_liquid_rate / u, unit);
  if (k->max_water_cut > 0.0) fprintf(f, ", water cut above %.6g %s", k->max_water_cut, workover[k->workover]);
  if (k->test_interval > 0.0)
    fprintf(f, ", tested every %.6g %s", k->test_interval / c->units.factor[HP_UNIT_TIME],
            c->units.label[HP_UNIT_TIME]);
  if (k->test_interval > 0.0 && k->max_tests > 0.0) fprintf(f, ", %.6g times", k->max_tests);
}

/* The date of a time, with blanks where there is none. */
static const char *beside(const hp_case *c, double time, char out[64]) {
  const hp_date_text date = hp_date_at(c->start, time, false);
  snprintf(out, 64, "%s%s", date.s[0] != '\0' ? "  " : "", date.s);
  return out;
}

static const char *base_name(const char *path) {
  const char *slash = path != NULL ? strrchr(path, '/') : NULL;
  return slash != NULL ? slash + 1 : path != NULL ? path : "";
}

static void print_event(const hp_case *c, const hp_well_event *e, FILE *f) {
  char number[24], date[64];
  snprintf(number, sizeof number, "[%d]", e->entry);
  fprintf(f, "         schedule%-6s %10.6g %s%s  %-12s ", number, e->time / c->units.factor[HP_UNIT_TIME],
          c->units.label[HP_UNIT_TIME], beside(c, e->time, date), c->well[e->well].name);
  hp_command_print_control(c, &e->control, f);
  hp_command_print_beside(c, &e->control, f);
  fprintf(f, "  (%s", hp_show(base_name(e->file)).s);
  if (e->line > 0) fprintf(f, ":%d", e->line);
  fputs(")\n", f);
}

void hp_command_print_schedule(const hp_case *c, int most, FILE *f) {
  int printed = 0, count = 0;
  for (int n = 0; n < c->nevent; ++n) count += c->event[n].entry >= 0;
  for (int n = 0; n < c->nevent && printed < most; ++n)
    if (c->event[n].entry >= 0) {
      print_event(c, &c->event[n], f);
      printed += 1;
    }
  if (count > printed) fprintf(f, "         ... and %d more: --list shows all\n", count - printed);
}

void hp_command_print_changes(const hp_case *c, int most, FILE *f) {
  for (int n = 0; n < c->nperf_event && n < most; ++n) {
    const hp_perf_event *v = &c->perf_event[n];
    char date[64];
    fprintf(f, "         perforations  %10.6g %s%s  %-12s", v->time / c->units.factor[HP_UNIT_TIME],
            c->units.label[HP_UNIT_TIME], beside(c, v->time, date), c->well[v->well].name);
    for (int d = 0; d < 3; ++d) {
      if (v->first[d] == 0 && v->last[d] == INT_MAX) continue;
      fprintf(f, " %c %d", "ijk"[d], v -> first[d] + 1);
      if (v->last[d] > v->first[d] && v->last[d] < INT_MAX) fprintf(f, "..%d", v->last[d] + 1);
    }
    fputs(v->state == HP_PERF_OPEN ? " open" : v->state == HP_PERF_SHUT ? " shut" : "", f);
    if (v->anew) fputs(" anew", f);
    if (v->completion > 0) fprintf(f, " completion %d", v->completion);
    if (v->multiply != 1.0) fprintf(f, " well index times %.6g", v->multiply);
    fprintf(f, "  (%s", hp_show(base_name(v->file)).s);
    if (v->line > 0) fprintf(f, ":%d", v->line);
    fputs(")\n", f);
  }
  if (c->nperf_event > most) fprintf(f, "         ... and %d more: --list shows all\n", c->nperf_event - most);
}

void hp_command_print_trans(const hp_case *c, int most, FILE *f) {
  for (int n = 0; n < c->ntrans_event && n < most; ++n) {
    const hp_trans_event *t = &c->trans_event[n];
    char date[64];
    fprintf(f, "         %-12s  %10.6g %s%s  ", hp_show(t->what).s, t->time / c->units.factor[HP_UNIT_TIME],
            c->units.label[HP_UNIT_TIME], beside(c, t->time, date));
    if (!isnan(t->factor)) fprintf(f, "times %.6g, ", t->factor);
    fprintf(f, "%lld face%s  (%s", (long long)t->count, hp_plural(t->count), hp_show(base_name(t->file)).s);
    if (t->line > 0) fprintf(f, ":%d", t->line);
    fputs(")\n", f);
  }
  if (c->ntrans_event > most) fprintf(f, "         ... and %d more: --list shows all\n", c->ntrans_event - most);
}

static void print_group(const hp_case *c, int n, FILE *f) {
  const hp_group_event *e = &c->group_event[n];
  const hp_group_control *v = &e->control;
  const struct {
    const char *text;
    double value;
    hp_quantity q;
  } part[] = {{"oil", v->production[HP_CONTROL_ORAT], HP_UNIT_RATE},
              {"water", v->production[HP_CONTROL_WRAT], HP_UNIT_RATE},
              {"liquid", v->production[HP_CONTROL_LRAT], HP_UNIT_RATE},
              {"reservoir volume", v->production[HP_CONTROL_RESV], HP_UNIT_RESERVOIR_RATE},
              {"injection", v->injection_rate, HP_UNIT_RATE},
              {"injected volume", v->injection_volume, HP_UNIT_RESERVOIR_RATE},
              {"reinjection of water", v->reinjection, HP_UNIT_NONE},
              {"voidage replacement", v->voidage, HP_UNIT_NONE}};
  char number[24], date[64];
  snprintf(number, sizeof number, "[%d]", n);
  fprintf(f, "         groups%-8s %10.6g %s%s  %s", number, e->time / c->units.factor[HP_UNIT_TIME],
          c->units.label[HP_UNIT_TIME], beside(c, e->time, date), hp_case_group_name(c, e->group));
  if (v->parent > 0) fprintf(f, " in %s", hp_case_group_name(c, v->parent));
  if (v->efficiency != 1.0) fprintf(f, ", flows %.6g of the time", v->efficiency);
  if (!v->in_production) fputs(", takes no part in production targets above it", f);
  if (!v->in_injection) fputs(", takes no part in injection targets above it", f);
  for (size_t k = 0; k < sizeof part / sizeof part[0]; ++k)
    if (part[k].value >= 0.0)
      fprintf(f, ", %s %.6g%s%s", part[k].text, part[k].value / c->units.factor[part[k].q],
              part[k].q != HP_UNIT_NONE ? " " : "", c->units.label[part[k].q]);
  static const char *const workover[] = {"shuts nothing", "shuts its worst perforation",
                                         "shuts its worst perforation and those below", "shuts its worst well",
                                         "shuts all its wells"};
  const double rate = c->units.factor[HP_UNIT_RATE];
  if (!hp_group_has_targets(v)) fputs(", no targets", f);
  if (v->min_oil_rate > 0.0)
    fprintf(f, ", shut below %.6g %s of oil", v->min_oil_rate / rate, c->units.label[HP_UNIT_RATE]);
  if (v->max_water_cut > 0.0) fprintf(f, ", water cut above %.6g %s", v->max_water_cut, workover[v->workover]);
  if (v->end_run) fputs(", the run ends once all its producers are shut", f);
  fprintf(f, "  (%s", hp_show(base_name(e->file)).s);
  if (e->line > 0) fprintf(f, ":%d", e->line);
  fputs(")\n", f);
}

void hp_command_print_groups(const hp_case *c, int most, FILE *f) {
  int printed = 0, count = 0;
  for (int n = 0; n < c->ngroup_event; ++n) {
    if (only_names(c, n)) continue;
    count += 1;
    if (printed == most) continue;
    print_group(c, n, f);
    printed += 1;
  }
  if (count > printed) fprintf(f, "         ... and %d more: --list shows all\n", count - printed);
}

/* Perforations as the deck has them: the parts of one follow each other (hp_case_refine). */
static void print_cells(const hp_case *c, FILE *f) {
  static const char *const direction[HP_DIRS] = {[HP_DIR_K] = "z", [HP_DIR_J] = "y", [HP_DIR_I] = "x"};
  const bool refined = c->deck_size[0] > 0;
  const int r[3] = {refined ? c->refine[0] : 1, refined ? c->refine[1] : 1, refined ? c->refine[2] : 1};
  for (int w = 0; w < c->nwell; ++w)
    for (int q = 0, number = 0; q < c->well[w].nperf; q += r[2 - c->well[w].perf[q].dir], ++number) {
      const hp_perf_spec *p = &c->well[w].perf[q];
      fprintf(f, "         wells.%s.cells[%d] = (%d, %d, %d, \"%s\")%s\n", c->well[w].name, number, p->i / r[0] + 1,
              p->j / r[1] + 1, p->k / r[2] + 1, direction[p->dir], p->open ? "" : "  shut");
    }
}

/* Rows of a table in the deck's units. */
static void print_rows(const char *name, int rows, int columns, const double *const *column, const double *factor,
                       FILE *f) {
  for (int n = 0; n < rows; ++n) {
    fprintf(f, "         %s[%d] = [", name, n);
    for (int k = 0; k < columns; ++k) fprintf(f, "%s%.9g", k > 0 ? ", " : "", column[k][n] / factor[k]);
    fputs("]\n", f);
  }
}

void hp_command_print_lists(const hp_case *c, FILE *f) {
  const hp_units *u = &c->units;
  const hp_pvt_spec *oil = &c->fluid.pvt[0][HP_OIL];
  const hp_sat_spec *sat = &c->fluid.sat[0];
  const double pressure = u->factor[HP_UNIT_PRESSURE];
  fputs("lists\n", f);
  print_cells(c, f);
  print_rows("fluids.oil.table", oil->rows, 3, (const double *const[]){oil->p, oil->b, oil->mu},
             (const double[]){pressure, 1.0, u->factor[HP_UNIT_VISCOSITY]}, f);
  print_rows("saturation.table", sat->rows, 4, (const double *const[]){sat->s, sat->krw, sat->kro, sat->pc},
             (const double[]){1.0, 1.0, 1.0, pressure}, f);
  char date[64];
  for (int n = 0; n < c->nreport; ++n)
    fprintf(f, "         report.times[%d] = %.9g%s\n", n, c->report[n] / u->factor[HP_UNIT_TIME],
            beside(c, c->report[n], date));
}
