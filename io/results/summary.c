/* Contents of the rows of /summary and /solver. The vectors have Eclipse's names and the deck's units. */
#include <string.h>

#include "core/memory.h"
#include "io/results/impl.h"

enum { FIELD_COLUMNS = 13, WELL_COLUMNS = 13, SOLVER_COLUMNS = 20 };

/* Rates and totals of the field (level 'F', well NULL) or of a well ('W'), in the order of flow_add. */
static hp_status flow_columns(hp_table *t, const hp_units *u, char level, const char *well) {
  static const struct {
    const char *name;
    hp_quantity quantity;
  } vector[] = {{"OPR", HP_UNIT_RATE},   {"WPR", HP_UNIT_RATE},   {"LPR", HP_UNIT_RATE},   {"OIR", HP_UNIT_RATE},
                {"WIR", HP_UNIT_RATE},   {"OPT", HP_UNIT_VOLUME}, {"WPT", HP_UNIT_VOLUME}, {"LPT", HP_UNIT_VOLUME},
                {"OIT", HP_UNIT_VOLUME}, {"WIT", HP_UNIT_VOLUME}, {"WCT", HP_UNIT_NONE}};
  for (size_t v = 0; v < sizeof vector / sizeof vector[0]; ++v)
    HP_TRY(hp_table_column(t, HP_COLUMN_NUMBER, u->summary[vector[v].quantity], "%c%s%s%s", level, vector[v].name,
                           well != NULL ? ":" : "", well != NULL ? well : ""));
  return HP_OK;
}

static void flow_add(hp_table *t, const hp_units *u, const hp_flow *f) {
  const double rate = u->factor[HP_UNIT_RATE], volume = u->factor[HP_UNIT_VOLUME];
  const double liquid = f->rate[HP_OIL] + f->rate[HP_WATER];
  hp_table_number(t, f->rate[HP_OIL] / rate);
  hp_table_number(t, f->rate[HP_WATER] / rate);
  hp_table_number(t, liquid / rate);
  hp_table_number(t, f->injection_rate[HP_OIL] / rate);
  hp_table_number(t, f->injection_rate[HP_WATER] / rate);
  hp_table_number(t, f->total[HP_OIL] / volume);
  hp_table_number(t, f->total[HP_WATER] / volume);
  hp_table_number(t, (f->total[HP_OIL] + f->total[HP_WATER]) / volume);
  hp_table_number(t, f->injection_total[HP_OIL] / volume);
  hp_table_number(t, f->injection_total[HP_WATER] / volume);
  hp_table_number(t, liquid > 0.0 ? f->rate[HP_WATER] / liquid : 0.0);
}

hp_status hp_summary_columns(hp_table *t, const hp_units *u, const char *start, int nwell, char *const *well,
                             const hp_summary_vectors *more) {
  HP_TRY(hp_table_create(t, FIELD_COLUMNS + WELL_COLUMNS * nwell + more->count));
  HP_TRY(hp_table_column(t, HP_COLUMN_NUMBER, u->summary[HP_UNIT_TIME], "TIME"));
  hp_table_date(t, start, u->factor[HP_UNIT_TIME], "DATE");
  HP_TRY(flow_columns(t, u, 'F', NULL));
  HP_TRY(hp_table_column(t, HP_COLUMN_NUMBER, u->summary[HP_UNIT_PRESSURE], "FPR"));
  for (int w = 0; w < nwell; ++w) {
    HP_TRY(flow_columns(t, u, 'W', well[w]));
    HP_TRY(hp_table_column(t, HP_COLUMN_NUMBER, u->summary[HP_UNIT_PRESSURE], "WBHP:%s", well[w]));
    HP_TRY(hp_table_column(t, HP_COLUMN_NAME, "", "WMCTL:%s", well[w]));
  }
  for (int n = 0; n < more->count; ++n) {
    char name[128];
    hp_summary_vector_text(more, n, name, sizeof name);
    HP_TRY(hp_table_column(t, HP_COLUMN_NUMBER, hp_summary_vector_unit(more, n, u), "%s", name));
  }
  return HP_OK;
}

const char *hp_summary_name(const char *text) {
  static const char *const names[] = {"SHUT", "BHP", "THP", "RATE", "ORAT", "WRAT", "LRAT", "RESV", "GRUP"};
  for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n)
    if (strcmp(text, names[n]) == 0) return names[n];
  return "?";
}

/* Eclipse's names of the control modes; an injector's surface rate is RATE whatever it injects. */
static const char *control_text(hp_control control, bool injector) {
  switch (control) {
    case HP_CONTROL_SHUT: return "SHUT";
    case HP_CONTROL_BHP: return "BHP";
    case HP_CONTROL_THP: return "THP";
    case HP_CONTROL_ORAT: return injector ? "RATE" : "ORAT";
    case HP_CONTROL_WRAT: return injector ? "RATE" : "WRAT";
    case HP_CONTROL_LRAT: return injector ? "RATE" : "LRAT";
    case HP_CONTROL_RESV: return "RESV";
    case HP_CONTROL_COUNT: break;
  }
  return "?";
}

hp_status hp_summary_add(hp_table *t, const hp_units *u, int nwell, const hp_summary_row *row,
                         const hp_summary_vectors *more, const double *value) {
  HP_TRY(hp_table_begin_row(t));
  hp_table_number(t, row->time / u->factor[HP_UNIT_TIME]);
  flow_add(t, u, &row->field);
  hp_table_number(t, row->pressure / u->factor[HP_UNIT_PRESSURE]);
  for (int w = 0; w < nwell; ++w) {
    flow_add(t, u, &row->well[w].flow);
    hp_table_number(t, row->well[w].bhp / u->factor[HP_UNIT_PRESSURE]);
    hp_table_name(t, row->well[w].shared ? "GRUP" : control_text(row->well[w].control, row->well[w].injector));
  }
  for (int n = 0; n < more->count; ++n)
    hp_table_number(t, value[n] / u->factor[hp_summary_vector_quantity(more->column[n].id)]);
  return hp_table_end_row(t);
}

hp_status hp_solver_columns(hp_table *t, const hp_units *u, const char *start) {
  static const char *const count[] = {"newton", "linear", "cuts", "wasted_newton", "wasted_linear"};
  static const char *const norm[] = {"mb_oil", "mb_water", "cnv_oil", "cnv_water"};
  static const char *const seconds[] = {"assembly", "setup", "solve", "wells", "output"};
  HP_TRY(hp_table_create(t, SOLVER_COLUMNS));
  HP_TRY(hp_table_column(t, HP_COLUMN_INTEGER, "", "step"));
  HP_TRY(hp_table_column(t, HP_COLUMN_NUMBER, u->summary[HP_UNIT_TIME], "time"));
  hp_table_date(t, start, u->factor[HP_UNIT_TIME], "date");
  HP_TRY(hp_table_column(t, HP_COLUMN_NUMBER, u->summary[HP_UNIT_TIME], "dt"));
  for (size_t c = 0; c < sizeof count / sizeof count[0]; ++c)
    HP_TRY(hp_table_column(t, HP_COLUMN_INTEGER, "", "%s", count[c]));
  HP_TRY(hp_table_column(t, HP_COLUMN_TEXT, "", "why"));
  for (size_t c = 0; c < sizeof norm / sizeof norm[0]; ++c)
    HP_TRY(hp_table_column(t, HP_COLUMN_NUMBER, "", "%s", norm[c]));
  for (size_t c = 0; c < sizeof seconds / sizeof seconds[0]; ++c)
    HP_TRY(hp_table_column(t, HP_COLUMN_NUMBER, "s", "%s", seconds[c]));
  HP_TRY(hp_table_column(t, HP_COLUMN_NUMBER, u->summary[HP_UNIT_VOLUME], "correction_oil"));
  HP_TRY(hp_table_column(t, HP_COLUMN_NUMBER, u->summary[HP_UNIT_VOLUME], "correction_water"));
  return HP_OK;
}

hp_status hp_solver_add(hp_table *t, const hp_units *u, const hp_solver_row *row) {
  HP_TRY(hp_table_begin_row(t));
  hp_table_number(t, row->step);
  hp_table_number(t, row->time / u->factor[HP_UNIT_TIME]);
  hp_table_number(t, row->dt / u->factor[HP_UNIT_TIME]);
  hp_table_number(t, row->newton);
  hp_table_number(t, row->linear);
  hp_table_number(t, row->cuts);
  hp_table_number(t, row->wasted_newton);
  hp_table_number(t, row->wasted_linear);
  HP_TRY(hp_table_text(t, row->why != NULL ? row->why : ""));
  hp_table_number(t, row->mb[HP_OIL]);
  hp_table_number(t, row->mb[HP_WATER]);
  hp_table_number(t, row->cnv[HP_OIL]);
  hp_table_number(t, row->cnv[HP_WATER]);
  hp_table_number(t, row->seconds_assembly);
  hp_table_number(t, row->seconds_setup);
  hp_table_number(t, row->seconds_solve);
  hp_table_number(t, row->seconds_wells);
  hp_table_number(t, row->seconds_output);
  hp_table_number(t, row->correction[HP_OIL] / u->factor[HP_UNIT_VOLUME]);
  hp_table_number(t, row->correction[HP_WATER] / u->factor[HP_UNIT_VOLUME]);
  return hp_table_end_row(t);
}
