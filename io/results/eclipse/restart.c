/* A report step of NAME.UNRST: the wells with their connections, then pressure and saturation.
 *
 * Wells are all there from the first report on, with all their connections; those that are not open yet are shut.
 * There are no groups and none of the simulator's own state: a deck with RESTART can begin with it (io/eclipse/restart),
 * as others can with Eclipse's own files; `hepta run --restart` goes on to the last bit.
 */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/results/eclipse/eclipse.h"

enum { PRODUCER = 1, OIL_INJECTOR = 2, WATER_INJECTOR = 3 };
enum { WELL_OPEN = 1, WELL_SHUT = -1000 };

static const double NO_LIMIT = 1e20;

/* ---- wells ---- */

/* Type of a well by its control; before the schedule has set one, by its first control. */
static int type_of(const hp_ebin_out *e, int w) {
  const hp_well_control *c = &e->wells.control[w];
  const bool injects = c->control != HP_CONTROL_SHUT ? c->injector : e->injects[w];
  if (!injects) return PRODUCER;
  return c->control != HP_CONTROL_SHUT && c->phase == HP_OIL ? OIL_INJECTOR : WATER_INJECTOR;
}

/* The latest event of a well before `time`. */
static hp_well_event last_event(const hp_ebin_out *e, int w, double time) {
  const hp_case *c = e->c;
  hp_well_event last = {.wanted = HP_CONTROL_SHUT};
  for (int n = 0; n < c->nevent && c->event[n].time < time * (1.0 - 1e-12); ++n)
    if (c->event[n].well == w) last = c->event[n];
  return last;
}

/* Eclipse's number of a control; of an injector's surface rate by its phase. */
static int number_of(hp_control control) {
  switch (control) {
    case HP_CONTROL_ORAT: return 1;
    case HP_CONTROL_WRAT: return 2;
    case HP_CONTROL_LRAT: return 4;
    case HP_CONTROL_RESV: return 5;
    case HP_CONTROL_THP: return 6;
    case HP_CONTROL_BHP: return 7;
    default: return 0;
  }
}

static void head_of(const hp_ebin_out *e, int w, int *i, int *j) {
  const hp_well_spec *spec = &e->c->well[w];
  const hp_ebin_wells *W = &e->wells;
  const bool given = spec->head_i >= 0 && spec->head_j >= 0, any = W->begin[w] < W->begin[w + 1];
  *i = given ? spec->head_i : any ? W->perf[W->begin[w]].i : 0;
  *j = given ? spec->head_j : any ? W->perf[W->begin[w]].j : 0;
}

static void fill_integers(const hp_ebin_out *e, int w, double time, int32_t *v) {
  const hp_ebin_wells *W = &e->wells;
  const int64_t first = W->begin[w], end = W->begin[w + 1];
  const hp_well_event last = last_event(e, w, time);
  int i, j;
  head_of(e, w, &i, &j);
  v[0] = i + 1;
  v[1] = j + 1;
  if (first < end) {
    v[2] = W->perf[first].k + 1;
    v[3] = W->perf[end - 1].k + 1;
  }
  v[4] = (int32_t)(end - first);
  v[5] = 1; /* the only group */
  v[6] = type_of(e, w);
  v[7] = number_of(W->mode[w] != HP_CONTROL_SHUT ? (hp_control)W->mode[w] : last.wanted); /* as if open */
  v[8] = W->mode[w] != HP_CONTROL_SHUT ? v[7] : WELL_SHUT;
  v[11] = W->control[w].vfp;
  v[10] = W->mode[w] != HP_CONTROL_SHUT ? WELL_OPEN : WELL_SHUT;
  const int workover = W->control[w].workover;
  v[14] = workover == HP_WORKOVER_STOP ? HP_WORKOVER_NONE : workover; /* which Eclipse keeps elsewhere */
  v[22] = W->crossflow[w];
  v[24] = W->control[w].in_field || last.observed ? -1 : 0;
  v[29] = W->control[w].end_run;
  if (W->control[w].by_history || last.observed) v[49] = number_of(last.wanted); /* while its bhp limits it, too */
}

static float limit(const hp_ebin_out *e, const hp_well_control *c, hp_control which, hp_quantity quantity) {
  const double value = c->limit[which];
  return (float)(isnan(value) ? NO_LIMIT : value / e->units.factor[quantity]);
}

static void fill_reals(const hp_ebin_out *e, int w, float *v) {
  const hp_well_control *c = &e->wells.control[w];
  const double efficiency = c->efficiency > 0.0 ? c->efficiency : 1.0;
  v[0] = limit(e, c, HP_CONTROL_ORAT, HP_UNIT_RATE);
  v[1] = limit(e, c, HP_CONTROL_WRAT, HP_UNIT_RATE);
  v[2] = (float)NO_LIMIT; /* gas */
  v[3] = limit(e, c, HP_CONTROL_LRAT, HP_UNIT_RATE);
  v[4] = limit(e, c, HP_CONTROL_RESV, HP_UNIT_RESERVOIR_RATE);
  v[5] = limit(e, c, HP_CONTROL_THP, HP_UNIT_PRESSURE);
  v[6] = limit(e, c, HP_CONTROL_BHP, HP_UNIT_PRESSURE);
  v[9] = (float)(e->wells.ref_depth[w] / e->units.factor[HP_UNIT_LENGTH]);
  v[12] = (float)(c->min_oil_rate / e->units.factor[HP_UNIT_RATE]);
  v[14] = c->max_water_cut > 0.0 ? (float)c->max_water_cut : (float)NO_LIMIT;
  v[82] = (float)(c->min_liquid_rate / e->units.factor[HP_UNIT_RATE]);
  if (c->by_history) {
    v[0] = (float)(c->history_oil_rate / e->units.factor[HP_UNIT_RATE]);
    v[1] = (float)(c->history_water_rate / e->units.factor[HP_UNIT_RATE]);
  }
  v[24] = v[31] = (float)efficiency;
}

/* Rates are positive out of the reservoir. */
static void fill_doubles(const hp_ebin_out *e, int w, double *v) {
  const double rate = e->units.factor[HP_UNIT_RATE], volume = e->units.factor[HP_UNIT_VOLUME];
  const hp_flow *f = &e->row[w].flow;
  v[0] = (f->rate[HP_OIL] - f->injection_rate[HP_OIL]) / rate;
  v[1] = (f->rate[HP_WATER] - f->injection_rate[HP_WATER]) / rate;
  v[3] = v[0] + v[1];
  if (e->wells.mode[w] != HP_CONTROL_SHUT) v[6] = e->wells.bhp[w] / e->units.factor[HP_UNIT_PRESSURE];
  if (f->rate[HP_WATER] > 0.0) v[7] = f->rate[HP_WATER] / (f->rate[HP_OIL] + f->rate[HP_WATER]);
  v[18] = f->total[HP_OIL] / volume;
  v[19] = f->total[HP_WATER] / volume;
  v[22] = f->injection_total[HP_OIL] / volume;
  v[23] = f->injection_total[HP_WATER] / volume;
}

static hp_status put_wells(hp_ebin_bytes *b, const hp_ebin_out *e, double time) {
  const int n = e->nwell;
  int32_t *integer = NULL;
  float *real = NULL;
  double *number = NULL;
  hp_ebin_name *name = NULL;
  hp_status s = HP_ALLOC(integer, (int64_t)n * HP_EBIN_NIWEL);
  if (s == HP_OK) s = HP_ALLOC(real, (int64_t)n * HP_EBIN_NSWEL);
  if (s == HP_OK) s = HP_ALLOC(number, (int64_t)n * HP_EBIN_NXWEL);
  if (s == HP_OK) s = HP_ALLOC(name, (int64_t)n * HP_EBIN_NZWEL);
  for (int w = 0; s == HP_OK && w < n; ++w) {
    fill_integers(e, w, time, integer + (int64_t)w * HP_EBIN_NIWEL);
    fill_reals(e, w, real + (int64_t)w * HP_EBIN_NSWEL);
    fill_doubles(e, w, number + (int64_t)w * HP_EBIN_NXWEL);
    memcpy(name[w * HP_EBIN_NZWEL], e->well[w], sizeof *name);
  }
  if (s == HP_OK) {
    hp_ebin_put_int(b, "IWEL", (int64_t)n * HP_EBIN_NIWEL, integer);
    hp_ebin_put_real(b, "SWEL", (int64_t)n * HP_EBIN_NSWEL, real);
    hp_ebin_put_double(b, "XWEL", (int64_t)n * HP_EBIN_NXWEL, number);
    hp_ebin_put_text(b, "ZWEL", (int64_t)n * HP_EBIN_NZWEL, name);
  }
  HP_FREE(integer);
  HP_FREE(real);
  HP_FREE(number);
  HP_FREE(name);
  return s;
}

/* ---- connections ---- */

double hp_ebin_kh(const hp_ebin_out *e, int64_t q) {
  const hp_grid_rock *r = &e->perf[q].rock;
  const hp_perf_spec *p = &e->wells.perf[q];
  const double size[HP_DIRS] = {r->dz * r->ntg, r->dy, r->dx};
  double sum = 0.0;
  if (!isnan(p->kh)) return p->kh;
  for (int d = 0; d < HP_DIRS; ++d) {
    const double across = sqrt(r->perm[(d + 1) % HP_DIRS] * r->perm[(d + 2) % HP_DIRS]);
    double length = d == p->dir ? size[d] : 0.0;
    if (!isnan(p->length[0])) length = p->length[d] * (d == HP_DIR_K ? r->ntg : 1.0);
    sum += across * across * length * length;
  }
  return sqrt(sum);
}

static void fill_connection(const hp_ebin_out *e, int w, int64_t q, int32_t *integer, float *real, double *number) {
  const hp_ebin_wells *W = &e->wells;
  const hp_perf_spec *p = &W->perf[q];
  const hp_ebin_perf *known = &e->perf[q];
  const double *factor = e->units.factor;
  const int number_in_well = (int)(q - W->begin[w]) + 1;
  integer[0] = number_in_well;
  integer[12] = p->completion > 0 ? p->completion : number_in_well;
  integer[1] = p->i + 1;
  integer[2] = p->j + 1;
  integer[3] = p->k + 1;
  integer[5] = W->wi[q] > 0.0;
  integer[6] = p->table > 0 ? p->table : known->saturation;
  integer[13] = 3 - hp_perf_direction(p); /* 1 along i, 2 along j, 3 along k */
  real[0] = real[11] = (float)(W->wi[q] / factor[HP_UNIT_CONNECTION]);
  real[1] = (float)(known->rock.depth / factor[HP_UNIT_LENGTH]);
  real[2] = (float)(2.0 * p->radius / factor[HP_UNIT_LENGTH]);
  real[3] = (float)(hp_ebin_kh(e, q) / factor[HP_UNIT_KH]);
  real[4] = (float)p->skin;
  if (!(W->wi[q] > 0.0) || W->mode[w] == HP_CONTROL_SHUT) return;
  number[0] = W->rate[q][HP_OIL] / factor[HP_UNIT_RATE] + 0.0; /* -0 is 0 */
  number[1] = W->rate[q][HP_WATER] / factor[HP_UNIT_RATE] + 0.0;
  number[34] = (W->bhp[w] + W->head[q]) / factor[HP_UNIT_PRESSURE];
}

/* Every well has room for as many connections as the largest one. */
static hp_status put_connections(hp_ebin_bytes *b, const hp_ebin_out *e) {
  const hp_ebin_wells *W = &e->wells;
  const int most = hp_ebin_most_connections(e);
  const int64_t slots = (int64_t)e->nwell * most;
  int32_t *integer = NULL;
  float *real = NULL;
  double *number = NULL;
  hp_status s = HP_ALLOC(integer, slots * HP_EBIN_NICON);
  if (s == HP_OK) s = HP_ALLOC(real, slots * HP_EBIN_NSCON);
  if (s == HP_OK) s = HP_ALLOC(number, slots * HP_EBIN_NXCON);
  for (int w = 0; s == HP_OK && w < e->nwell; ++w)
    for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
      const int64_t slot = (int64_t)w * most + q - W->begin[w];
      fill_connection(e, w, q, integer + slot * HP_EBIN_NICON, real + slot * HP_EBIN_NSCON,
                      number + slot * HP_EBIN_NXCON);
    }
  if (s == HP_OK) {
    hp_ebin_put_int(b, "ICON", slots * HP_EBIN_NICON, integer);
    hp_ebin_put_real(b, "SCON", slots * HP_EBIN_NSCON, real);
    hp_ebin_put_double(b, "XCON", slots * HP_EBIN_NXCON, number);
  }
  HP_FREE(integer);
  HP_FREE(real);
  HP_FREE(number);
  return s;
}

/* ---- the report step ---- */

static hp_status put_thresholds(hp_ebin_bytes *b, const hp_ebin_out *e) {
  const int64_t count = e->threshold != NULL ? (int64_t)e->c->initial.nthreshold * e->c->initial.nthreshold : 0;
  double *value;
  if (count == 0) return HP_OK;
  HP_TRY(HP_ALLOC(value, count));
  for (int64_t n = 0; n < count; ++n) value[n] = e->threshold[n] / e->units.factor[HP_UNIT_PRESSURE];
  hp_ebin_put_double(b, "THRESHPR", count, value);
  HP_FREE(value);
  return HP_OK;
}

void hp_ebin_put_report(hp_ebin_bytes *b, const hp_ebin_out *e, const hp_ebin_cells *C, double time, int step) {
  const int32_t sequence = e->nsequence;
  hp_ebin_put_int(b, "SEQNUM", 1, &sequence);
  hp_ebin_put_heads(b, e, time, step, sequence);
  if (e->nwell > 0 && b->status == HP_OK) b->status = put_wells(b, e, time);
  if (hp_ebin_most_connections(e) > 0 && b->status == HP_OK) b->status = put_connections(b, e);
  if (b->status == HP_OK) b->status = hp_ebin_put_aquifers(b, e);
  hp_ebin_put_mark(b, "STARTSOL");
  if (b->status == HP_OK) b->status = hp_ebin_put_state(b, e, C);
  if (b->status == HP_OK) b->status = put_thresholds(b, e);
  if (e->oil_at_start != NULL)
    hp_ebin_put_double(b, "ROIPSTRT", e->c->nfip, e->oil_at_start); /* hepta's own, for ROE */
  hp_ebin_put_mark(b, "ENDSOL");
}
