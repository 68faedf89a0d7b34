/* Values of the columns, of a row. */
#include <math.h>
#include <string.h>

#include "io/case/vectors.h"

static double gone(double now, double start) { return start > 0.0 ? (start - now) / start : 0.0; }
/* Of all aquifers. */
static double from_aquifers(const hp_summary_vectors *v, const hp_aquifer_state *a, bool total) {
  double sum = 0.0;
  for (int n = 0; n < v->naquifer; ++n) sum += total ? a[n].influx : a[n].rate;
  return sum;
}

static double cut(const double rate[HP_PHASES]) {
  const double all = rate[HP_OIL] + rate[HP_WATER];
  return all > 0.0 ? rate[HP_WATER] / all : 0.0;
}

/* Flow that was observed at the column's well, or at those in its group with their shares of time. */
static hp_flow observed(const hp_summary_vectors *v, const hp_summary_vector_column *c) {
  const hp_history *h = v->history;
  const bool one = hp_summary_vector_level_of(c->id) == HP_OF_WELL;
  const int g = hp_summary_vector_level_of(c->id) == HP_OF_GROUP ? (int)c->index : 0;
  hp_flow f = {.rate = {0.0, 0.0}};
  for (int w = one ? c->well : 0; w < (one ? c->well + 1 : h->c->nwell); ++w) {
    const hp_history_well *well = &h->well[w];
    double *rate = well->injector ? f.injection_rate : f.rate;
    for (int a = 0; a < HP_PHASES; ++a) rate[a] += (one ? 1.0 : hp_history_share(h, w, g)) * well->rate[a];
  }
  memcpy(f.total, one ? h->well[c->well].made : h->group[g].made, sizeof f.total);
  memcpy(f.injection_total, one ? h->well[c->well].injected : h->group[g].injected, sizeof f.injection_total);
  return f;
}

static bool is_observed(hp_summary_vector_id id) {
  return id >= HP_SUMMARY_VECTOR_FOPRH && id <= HP_SUMMARY_VECTOR_WWITH;
}

/* OPR, WIT, LPT, VPR, OPRH, ...: phase, or both, or reservoir volume; produced or injected; rate or total. WCT: of what is produced. */
double hp_flow_vector(const hp_flow *f, const char *name) {
  const bool injected = name[1] == 'I';
  if (name[0] == 'V') return injected ? f->injection_volume_rate : f->volume_rate;
  if (name[1] == 'C') return cut(f->rate);
  const double *v = name[2] == 'R' ? (injected ? f->injection_rate : f->rate)
                    : injected     ? f->injection_total
                                   : f->total;
  return name[0] == 'L' ? v[HP_OIL] + v[HP_WATER] : v[name[0] == 'O' ? HP_OIL : HP_WATER];
}

/* The productivity index of a connection, or of all of the column's well; preferred: WPI, CPI, else of the phase. */
static double productivity(const hp_summary_vectors *v, const hp_summary_vector_column *c, const hp_summary_row *row,
                           bool preferred, int wanted) {
  const bool injects = row->well[c->well].injector;
  const int what = preferred ? v->c->well[c->well].preferred : wanted;
  int64_t begin = 0, end;
  double sum[HP_PHASES] = {0.0, 0.0};
  for (int w = 0; w < c->well; ++w) begin += v->path[w].nperf;
  end = begin + v->path[c->well].nperf;
  if (hp_summary_vector_level_of(c->id) == HP_OF_CONNECTION) begin = c->index, end = c->index + 1;
  for (int64_t q = begin; q < end; ++q)
    for (int a = 0; a < HP_PHASES; ++a) sum[a] += row->productivity[q][a];
  if (preferred && injects) return sum[HP_OIL] + sum[HP_WATER]; /* one of them */
  if (what == HP_PREFERRED_LIQUID) return injects ? 0.0 : sum[HP_OIL] + sum[HP_WATER];
  return sum[what == HP_PREFERRED_WATER ? HP_WATER : HP_OIL];
}

/* The flow that the column's level has in a row, where it is a flow. */
static const hp_flow *flow_of(const hp_summary_vector_column *c, const hp_summary_row *row) {
  switch (hp_summary_vector_level_of(c->id)) {
    case HP_OF_GROUP: return &row->group[c->index].flow;
    case HP_OF_WELL: return &row->well[c->well].flow;
    case HP_OF_REGION: return &row->region[c->index].flow;
    case HP_OF_CONNECTION: return &row->connection[c->index];
    default: return &row->field;
  }
}

/* A quantity of the user, or the number that stands for none. */
static double of_user(const hp_summary_vectors *v, const hp_summary_vector_column *c, const hp_summary_row *row) {
  const int element[] = {0, c->well, (int)c->index - 1};
  const double x = row->quantity != NULL ? row->quantity[c->quantity][element[v->c->quantity[c->quantity].level]] : NAN;
  return isnan(x) ? v->c->quantity_undefined : x;
}

double hp_summary_vector_value(const hp_summary_vectors *v, const hp_summary_vector_column *c,
                               const hp_summary_row *row) {
  const hp_work_row *work = &row->work;
  const hp_region_row *region = row->region != NULL ? &row->region[c->index] : NULL;
  const hp_segment_row *segment = row->segment != NULL ? &row->segment[c->index] : NULL;
  const hp_group_row *group = row->group != NULL ? &row->group[c->index] : NULL;
  switch (c->id) {
    case HP_SUMMARY_VECTOR_FMCTP:
    case HP_SUMMARY_VECTOR_GMCTP: return group->production;
    case HP_SUMMARY_VECTOR_FMCTW:
    case HP_SUMMARY_VECTOR_GMCTW: return group->injection;
    case HP_SUMMARY_VECTOR_FOIP: return row->in_place[HP_OIL];
    case HP_SUMMARY_VECTOR_FWIP: return row->in_place[HP_WATER];
    case HP_SUMMARY_VECTOR_FOE: return gone(row->in_place[HP_OIL], row->oil_at_start);
    case HP_SUMMARY_VECTOR_WPI:
    case HP_SUMMARY_VECTOR_CPI: return productivity(v, c, row, true, 0);
    case HP_SUMMARY_VECTOR_WPIO: return productivity(v, c, row, false, HP_PREFERRED_OIL);
    case HP_SUMMARY_VECTOR_WPIW: return productivity(v, c, row, false, HP_PREFERRED_WATER);
    case HP_SUMMARY_VECTOR_WPIL: return productivity(v, c, row, false, HP_PREFERRED_LIQUID);
    case HP_SUMMARY_VECTOR_WBP: return row->well[c->well].average[HP_AVERAGE_1];
    case HP_SUMMARY_VECTOR_WBP4: return row->well[c->well].average[HP_AVERAGE_4];
    case HP_SUMMARY_VECTOR_WBP5: return row->well[c->well].average[HP_AVERAGE_5];
    case HP_SUMMARY_VECTOR_WBP9: return row->well[c->well].average[HP_AVERAGE_9];
    case HP_SUMMARY_VECTOR_FNPV: return row->npv;
    case HP_SUMMARY_VECTOR_FCASH: return row->cash;
    case HP_SUMMARY_VECTOR_FCASHR: return row->cash_rate;
    case HP_SUMMARY_VECTOR_WTHP: return row->well[c->well].thp;
    case HP_SUMMARY_VECTOR_WBHPH: return v->history->well[c->well].bhp;
    case HP_SUMMARY_VECTOR_WTHPH: return v->history->well[c->well].thp;
    case HP_SUMMARY_VECTOR_RPR: return region->pressure;
    case HP_SUMMARY_VECTOR_ROIP: return region->in_place[HP_OIL];
    case HP_SUMMARY_VECTOR_RWIP: return region->in_place[HP_WATER];
    case HP_SUMMARY_VECTOR_ROE: return gone(region->in_place[HP_OIL], region->oil_at_start);
    case HP_SUMMARY_VECTOR_FAQR: return from_aquifers(v, row->aquifer, false);
    case HP_SUMMARY_VECTOR_FAQT: return from_aquifers(v, row->aquifer, true);
    case HP_SUMMARY_VECTOR_AAQR: return row->aquifer[c->index].rate;
    case HP_SUMMARY_VECTOR_AAQT: return row->aquifer[c->index].influx;
    case HP_SUMMARY_VECTOR_AAQP: return row->aquifer[c->index].pressure;
    case HP_SUMMARY_VECTOR_ANQR: return row->numerical[c->index].rate;
    case HP_SUMMARY_VECTOR_ANQT: return row->numerical[c->index].influx;
    case HP_SUMMARY_VECTOR_ANQP: return row->numerical[c->index].pressure;
    case HP_SUMMARY_VECTOR_SPR: return segment->pressure;
    case HP_SUMMARY_VECTOR_SOFR: return segment->flow[HP_OIL];
    case HP_SUMMARY_VECTOR_SWFR: return segment->flow[HP_WATER];
    case HP_SUMMARY_VECTOR_SPRD:
      return segment->drop[HP_DROPS_HYDROSTATIC] + segment->drop[HP_DROPS_FRICTION] +
             segment->drop[HP_DROPS_ACCELERATION];
    case HP_SUMMARY_VECTOR_SPRDH: return segment->drop[HP_DROPS_HYDROSTATIC];
    case HP_SUMMARY_VECTOR_SPRDF: return segment->drop[HP_DROPS_FRICTION];
    case HP_SUMMARY_VECTOR_SPRDA: return segment->drop[HP_DROPS_ACCELERATION];
    case HP_SUMMARY_VECTOR_BPR: return row->cell[c->index].pressure;
    case HP_SUMMARY_VECTOR_BOSAT: return row->cell[c->index].pressure > 0.0 ? 1.0 - row->cell[c->index].sw : 0.0;
    case HP_SUMMARY_VECTOR_BWSAT: return row->cell[c->index].sw;
    case HP_SUMMARY_VECTOR_TIMESTEP: return work->dt;
    case HP_SUMMARY_VECTOR_NEWTON: return work->newton;
    case HP_SUMMARY_VECTOR_MLINEARS: return work->linear;
    case HP_SUMMARY_VECTOR_NLINEARS: return work->newton > 0 ? (double)work->linear / work->newton : 0.0;
    case HP_SUMMARY_VECTOR_MSUMNEWT: return (double)work->all_newton;
    case HP_SUMMARY_VECTOR_MSUMLINS: return (double)work->all_linear;
    case HP_SUMMARY_VECTOR_TCPU: return work->seconds;
    case HP_SUMMARY_VECTOR_FU:
    case HP_SUMMARY_VECTOR_WU:
    case HP_SUMMARY_VECTOR_GU: return of_user(v, c, row);
    default: break;
  }
  const hp_flow seen = is_observed(c->id) ? observed(v, c) : *flow_of(c, row);
  return hp_flow_vector(&seen, hp_summary_vector_name_of(c->id) + 1);
}

void hp_summary_vectors_values(hp_summary_vectors *v, const hp_summary_row *row, double *out) {
  hp_history_advance(v->history, row->time);
  for (int n = 0; n < v->count; ++n) out[n] = hp_summary_vector_value(v, &v->column[n], row);
}
