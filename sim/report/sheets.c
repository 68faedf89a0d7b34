/* Fluids in place in NAME.PRT, in the form of OPM Flow's sheets: of the field, and of each region of reports. */
#include <stdio.h>

#include "sim/report/progress_impl.h"

typedef struct {
  char name[48], title[48];
  double pressure, volume, pores; /* [Pa], [m3] at the pressure, 0: not known; at reference conditions */
  double now[HP_PHASES], start[HP_PHASES];
} sheet;

static void print_line(const char *title, const double v[HP_PHASES], double unit, FILE *f) {
  const double oil = v[HP_OIL] / unit, water = v[HP_WATER] / unit;
  fprintf(f, ":%-24s:%14.0f%14d%14.0f:%13.0f   :%14d%14d%14d:\n", title, oil, 0, oil, water, 0, 0, 0);
}

static void print_sheet(const hp_units *u, const sheet *t, bool field, FILE *f) {
  static const char rule[] =
      ":------------------------:------------------------------------------:----------------:"
      "------------------------------------------:\n";
  const char *surface = u->summary[HP_UNIT_VOLUME], *reservoir = u->summary[HP_UNIT_RESERVOIR_VOLUME];
  const double unit = u->factor[HP_UNIT_VOLUME], pores = u->factor[HP_UNIT_RESERVOIR_VOLUME];
  if (t->volume > 0.0)
    fprintf(f, "\n%s pressure dependent pore volume = %.0f %s\n", t->name, t->volume / pores, reservoir);
  fprintf(f, "\n%50s===================================================\n", "");
  fprintf(f, "%50s:%*s%-*s:\n", "", field ? 19 : 8, "", field ? 30 : 41, t->title);
  fprintf(f, "%50s:      PAV  = %13.0f %5s                 :\n", "", t->pressure / u->factor[HP_UNIT_PRESSURE],
          u->summary[HP_UNIT_PRESSURE]);
  fprintf(f, "%50s:      PORV = %13.0f %5s                 :\n", "", t->pores / pores, reservoir);
  if (field)
    fprintf(f,
            "%50s: Pressure is weighted by hydrocarbon pore volume :\n%50s: Porv volumes are taken at reference "
            "conditions  :\n",
            "", "");
  fprintf(f, "%25s:--------------- Oil %6s ---------------:-- Wat %6s --:--------------- Gas %6s ---------------:\n",
          "", surface, surface, surface);
  fprintf(f,
          "%25s:      Liquid        Vapour        Total   :      Total     :      Free        Dissolved       Total   "
          ":\n",
          "");
  fputs(rule, f);
  print_line("Currently   in place", t->now, unit, f);
  fputs(rule, f);
  print_line("Originally  in place", t->start, unit, f);
  fputs(
      ":========================:==========================================:================:========================"
      "==================:\n\n",
      f);
}

static void print_field(const hp_sim *S, FILE *f) {
  sheet t = {.name = "Field total",
             .title = "Field Totals",
             .pressure = S->now.pressure,
             .pores = S->backend->res->total_pore_volume};
  for (int n = 0; S->region != NULL && n < S->c->nfip; ++n) t.volume += S->region[n].volume;
  for (int a = 0; a < HP_PHASES; ++a) {
    t.now[a] = S->now.mass[a];
    t.start[a] = S->start.mass[a];
  }
  print_sheet(&S->c->units, &t, true, f);
}

static void print_region(const hp_sim *S, int n, FILE *f) {
  const hp_region_row *r = &S->region[n];
  sheet t = {.pressure = r->pressure, .volume = r->volume, .pores = r->pores};
  snprintf(t.name, sizeof t.name, "FIPNUM report region %d", n + 1);
  snprintf(t.title, sizeof t.title, "FIPNUM report region %3d", n + 1);
  for (int a = 0; a < HP_PHASES; ++a) t.now[a] = r->in_place[a];
  t.start[HP_OIL] = r->oil_at_start;
  t.start[HP_WATER] = r->water_at_start;
  if (r->pores > 0.0) print_sheet(&S->c->units, &t, false, f);
}

void hp_progress_sheets(hp_sim *S, bool start) {
  const hp_progress *P = S->progress;
  const hp_output_options *o = &S->c->output;
  const bool from = S->time > o->sheets_from * (1.0 + 1e-12) + 1e-6;
  const int which = start ? o->sheets_at_start : from ? o->sheets : HP_SHEETS_NONE;
  if (P == NULL || !P->prt || P->log == NULL || which == HP_SHEETS_NONE) return;
  fprintf(P->log, "\nFluids in place at %s\n", hp_progress_time(S, S->time).s);
  print_field(S, P->log);
  for (int n = 0; which == HP_SHEETS_REGIONS && S->region != NULL && n < S->c->nfip; ++n) print_region(S, n, P->log);
  fflush(P->log);
}
