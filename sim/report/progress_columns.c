#include "sim/report/progress_columns.h"
#include "sim/report/progress.h"

#include <math.h>
#include <stdio.h>

double hp_water_cut(const hp_flow *f) {
  const double liquid = f->rate[HP_OIL] + f->rate[HP_WATER];
  return liquid > 0.0 ? f->rate[HP_WATER] / liquid : 0.0;
}

static double time(const hp_report_row *r) { return r->time; }
static double oil_rate(const hp_report_row *r) { return r->field.rate[HP_OIL]; }
static double water_rate(const hp_report_row *r) { return r->field.rate[HP_WATER]; }
static double oil_injection(const hp_report_row *r) { return r->field.injection_rate[HP_OIL]; }
static double water_injection(const hp_report_row *r) { return r->field.injection_rate[HP_WATER]; }
static double injection(const hp_report_row *r) { return oil_injection(r) + water_injection(r); }
static double oil_total(const hp_report_row *r) { return r->field.total[HP_OIL]; }
static double water_total(const hp_report_row *r) { return r->field.total[HP_WATER]; }
static double oil_injected(const hp_report_row *r) { return r->field.injection_total[HP_OIL]; }
static double water_injected(const hp_report_row *r) { return r->field.injection_total[HP_WATER]; }
static double injected(const hp_report_row *r) { return oil_injected(r) + water_injected(r); }
static double pressure(const hp_report_row *r) { return r->pressure; }
static double water_cut(const hp_report_row *r) { return hp_water_cut(&r->field); }

enum { GREEN = 32, BLUE = 34 };

/* key, label, colour, head, width, digits, quantity, value */
const hp_progress_column hp_progress_columns[] = {
    {NULL, NULL, 0, {"time", NULL}, 12, 6, HP_UNIT_TIME, time},
    {"FOPR", "oil", GREEN, {"oil rate", NULL}, 12, 5, HP_UNIT_RATE, oil_rate},
    {"FWPR", "water", BLUE, {"water rate", NULL}, 12, 5, HP_UNIT_RATE, water_rate},
    {"FOIR", NULL, 0, {NULL, NULL}, 0, 5, HP_UNIT_RATE, oil_injection},
    {"FWIR", NULL, 0, {NULL, NULL}, 0, 5, HP_UNIT_RATE, water_injection},
    {NULL, NULL, 0, {"injection", NULL}, 12, 5, HP_UNIT_RATE, injection},
    {"FOPT", NULL, 0, {"oil total", NULL}, 13, 6, HP_UNIT_VOLUME, oil_total},
    {"FWPT", NULL, 0, {"water total", NULL}, 13, 6, HP_UNIT_VOLUME, water_total},
    {"FOIT", NULL, 0, {NULL, NULL}, 0, 6, HP_UNIT_VOLUME, oil_injected},
    {"FWIT", NULL, 0, {NULL, NULL}, 0, 6, HP_UNIT_VOLUME, water_injected},
    {NULL, NULL, 0, {"inj. total", NULL}, 13, 6, HP_UNIT_VOLUME, injected},
    {"FPR", NULL, 0, {"pressure", NULL}, 10, 5, HP_UNIT_PRESSURE, pressure},
    {"FWCT", "cut", BLUE, {"water", "cut"}, 8, -4, HP_UNIT_NONE, water_cut},
};
const int hp_progress_column_count = sizeof hp_progress_columns / sizeof hp_progress_columns[0];

double hp_progress_value(const hp_progress_column *v, const hp_units *u, const hp_report_row *r) {
  return v->value(r) / (v->quantity == HP_UNIT_NONE ? 1.0 : u->factor[v->quantity]);
}

void hp_progress_format(const hp_progress_column *v, const hp_units *u, const hp_report_row *r, char *out,
                        size_t size) {
  const double value = hp_progress_value(v, u, r);
  snprintf(out, size, v->digits < 0 ? "%.*f" : "%.*g", v->digits < 0 ? -v->digits : v->digits, value);
}

void hp_progress_format_short(const hp_progress_column *v, const hp_units *u, const hp_report_row *r, char *out,
                              size_t size) {
  const double value = hp_progress_value(v, u, r);
  if (v->digits < 0) snprintf(out, size, "%.2f", value);
  else if (fabs(value) < 1e-3) snprintf(out, size, "0");
  else snprintf(out, size, fabs(value) < 9999.5 ? "%.4g" : "%.0f", value);
}
