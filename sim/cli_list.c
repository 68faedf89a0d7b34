/* The lists of a deck with their numbers, as --set counts them. */
#include <stdio.h>
#include <string.h>

#include "sim/cli.h"

void hp_cli_print_control(const hp_case *c, const hp_well_control *control, FILE *f) {
  if (control->control == HP_CONTROL_SHUT) {
    fputs("shut", f);
    return;
  }
  const hp_quantity q = control->control == HP_CONTROL_BHP    ? HP_UNIT_PRESSURE
                        : control->control == HP_CONTROL_RESV ? HP_UNIT_RESERVOIR_RATE
                                                              : HP_UNIT_RATE;
  const bool rate = control->injector && q == HP_UNIT_RATE; /* decks call it so, whichever phase it is */
  fprintf(f, "%s, %s %.6g %s",
          !control->injector ? "producer" : control->phase == HP_OIL ? "injector of oil" : "injector of water",
          rate ? "rate" : hp_control_name(control->control), control->limit[control->control] / c->units.factor[q],
          c->units.label[q]);
}

static const char *base_name(const char *path) {
  const char *slash = path != NULL ? strrchr(path, '/') : NULL;
  return slash != NULL ? slash + 1 : path != NULL ? path : "";
}

static void print_event(const hp_case *c, const hp_well_event *e, FILE *f) {
  char number[24];
  snprintf(number, sizeof number, "[%d]", e->entry);
  fprintf(f, "         schedule%-6s %10.6g %s  %-12s ", number, e->time / c->units.factor[HP_UNIT_TIME],
          c->units.label[HP_UNIT_TIME], c->well[e->well].name);
  hp_cli_print_control(c, &e->control, f);
  fprintf(f, "  (%s", base_name(e->file));
  if (e->line > 0) fprintf(f, ":%d", e->line);
  fputs(")\n", f);
}

void hp_cli_print_schedule(const hp_case *c, int most, FILE *f) {
  int printed = 0, count = 0;
  for (int n = 0; n < c->nevent; ++n) count += c->event[n].entry >= 0;
  for (int n = 0; n < c->nevent && printed < most; ++n)
    if (c->event[n].entry >= 0) {
      print_event(c, &c->event[n], f);
      printed += 1;
    }
  if (count > printed) fprintf(f, "         ... and %d more: --list shows all\n", count - printed);
}

static void print_cells(const hp_case *c, FILE *f) {
  static const char *const direction[HP_DIRS] = {[HP_DIR_K] = "z", [HP_DIR_J] = "y", [HP_DIR_I] = "x"};
  for (int w = 0; w < c->nwell; ++w)
    for (int q = 0; q < c->well[w].nperf; ++q) {
      const hp_perf_spec *p = &c->well[w].perf[q];
      fprintf(f, "         wells.%s.cells[%d] = (%d, %d, %d, \"%s\")%s\n", c->well[w].name, q, p->i + 1, p->j + 1,
              p->k + 1, direction[p->dir], p->open ? "" : "  shut");
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

void hp_cli_print_lists(const hp_case *c, FILE *f) {
  const hp_units *u = &c->units;
  const hp_pvt_spec *oil = &c->fluid.phase[HP_OIL];
  const hp_sat_spec *sat = &c->fluid.sat;
  const double pressure = u->factor[HP_UNIT_PRESSURE];
  fputs("lists\n", f);
  print_cells(c, f);
  print_rows("fluids.oil.table", oil->rows, 3, (const double *const[]){oil->p, oil->b, oil->mu},
             (const double[]){pressure, 1.0, u->factor[HP_UNIT_VISCOSITY]}, f);
  print_rows("saturation.table", sat->rows, 4, (const double *const[]){sat->s, sat->krw, sat->kro, sat->pc},
             (const double[]){1.0, 1.0, 1.0, pressure}, f);
  for (int n = 0; n < c->nreport; ++n)
    fprintf(f, "         report.times[%d] = %.9g\n", n, c->report[n] / u->factor[HP_UNIT_TIME]);
}
