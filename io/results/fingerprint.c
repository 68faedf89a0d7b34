#include "io/results/fingerprint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "io/case/vectors.h"
#include "io/config/config.h"
#include "io/files/text.h"

/* ---- mixing ---- */

static uint64_t mix(uint64_t fingerprint, uint64_t word) {
  fingerprint = (fingerprint ^ word) * 0x9e3779b97f4a7c15u;
  return fingerprint ^ fingerprint >> 29;
}

static uint64_t mix_number(uint64_t fingerprint, double value) {
  uint64_t word = 0x7ff8u; /* any NaN; -0 is 0 */
  value += 0.0;
  if (!isnan(value)) memcpy(&word, &value, sizeof word);
  return mix(fingerprint, word);
}

static uint64_t mix_numbers(uint64_t fingerprint, int64_t count, const double *value) {
  fingerprint = mix(fingerprint, value != NULL ? (uint64_t)count : UINT64_MAX);
  for (int64_t n = 0; value != NULL && n < count; ++n) fingerprint = mix_number(fingerprint, value[n]);
  return fingerprint;
}

/* All settings of `list` that live in the struct. */
static uint64_t mix_settings(uint64_t fingerprint, const char *list, hp_home home, const void *at) {
  const hp_config_key *key = NULL;
  while ((key = hp_config_next(list, home, key)) != NULL)
    fingerprint = mix_number(fingerprint, hp_config_value(key, at));
  return fingerprint;
}

/* Cells in their order, of several ranks those of one after the other's. */
typedef enum { OF_ALL, OF_ACTIVE, OF_REGIONS, OF_FLAGS, OF_REPORTS } cells_kind;

typedef struct {
  uint64_t fingerprint;
  const hp_grid *g;
  cells_kind kind;
  const void *value; /* [ncell] double; uint16_t of regions; uint8_t of flags; NULL of reports: all are of region 1 */
} cells;

static void mix_own(void *arg) {
  cells *c = arg;
  const hp_grid *g = c->g;
  const double *number = c->value;
  const uint16_t *region = c->value;
  const uint8_t *flag = c->value;
  uint64_t f = c->fingerprint;
  for (int64_t m = 0; m < g->owned; ++m) {
    if (c->kind == OF_ALL || (c->kind == OF_ACTIVE && g->active[m])) f = mix_number(f, number[m]);
    else if (c->kind == OF_FLAGS) f = mix(f, flag[m]);
    else if (g->active[m] && c->kind != OF_ACTIVE) f = mix(f, region != NULL ? region[m] : 1);
  }
  c->fingerprint = f;
}

/* An error, once there is one, ends up in *status. */
static uint64_t mix_kind(uint64_t fingerprint, const hp_grid *g, cells_kind kind, const void *value,
                         hp_status *status) {
  cells c = {fingerprint, g, kind, value};
  if (*status == HP_OK) *status = hp_spread_chain(g->spread, &c.fingerprint, sizeof c.fingerprint, true, mix_own, &c);
  return c.fingerprint;
}

static uint64_t mix_all(uint64_t fingerprint, const hp_grid *g, const double *value, hp_status *status) {
  fingerprint = mix(fingerprint, value != NULL ? (uint64_t)hp_grid_cells(g) : UINT64_MAX);
  return value != NULL ? mix_kind(fingerprint, g, OF_ALL, value, status) : fingerprint;
}

/* Of cells only the active ones count: decks may say anything of the others. */
static uint64_t mix_cells(uint64_t fingerprint, const hp_grid *g, const double *value, hp_status *status) {
  fingerprint = mix(fingerprint, value != NULL ? (uint64_t)hp_grid_cells(g) : UINT64_MAX);
  return value != NULL ? mix_kind(fingerprint, g, OF_ACTIVE, value, status) : fingerprint;
}

static uint64_t mix_regions(uint64_t fingerprint, const hp_grid *g, const uint16_t *value, hp_status *status) {
  fingerprint = mix(fingerprint, value != NULL ? (uint64_t)hp_grid_cells(g) : UINT64_MAX);
  return value != NULL ? mix_kind(fingerprint, g, OF_REGIONS, value, status) : fingerprint;
}

/* ---- the parts of a case ---- */

static uint64_t fingerprint_pvt(uint64_t fingerprint, const char *list, const hp_pvt_spec *f) {
  fingerprint = mix_number(fingerprint, f->density);
  if (f->rows > 0) {
    fingerprint = mix_numbers(fingerprint, f->rows, f->p);
    fingerprint = mix_numbers(fingerprint, f->rows, f->b);
    return mix_numbers(fingerprint, f->rows, f->mu);
  }
  return mix_settings(fingerprint, list, HP_IN_PVT, f);
}

static uint64_t fingerprint_sat(uint64_t fingerprint, const hp_sat_spec *f) {
  fingerprint = mix_settings(fingerprint, "saturation", HP_IN_SATURATION, f);
  if (f->model != HP_SAT_TABLE) return fingerprint;
  fingerprint = mix_numbers(fingerprint, f->rows, f->s);
  fingerprint = mix_numbers(fingerprint, f->rows, f->krw);
  fingerprint = mix_numbers(fingerprint, f->rows, f->kro);
  return mix_numbers(fingerprint, f->rows, f->pc);
}

static uint64_t fingerprint_rock(uint64_t fingerprint, const hp_rock_spec *f) {
  fingerprint = mix_settings(fingerprint, "rock", HP_IN_ROCK, f);
  if (f->rows == 0) return fingerprint;
  fingerprint = mix_numbers(mix_numbers(fingerprint, f->rows, f->p), f->rows, f->pv);
  for (int c = 0; c < f->columns; ++c) fingerprint = mix_numbers(fingerprint, f->rows, f->trans[c]);
  return fingerprint;
}

static uint64_t fingerprint_phase(const hp_case *c, int a, hp_status *status) {
  const hp_fluid_spec *r = &c->fluid;
  const char *list = a == HP_OIL ? "fluids.oil" : "fluids.water";
  uint64_t fingerprint = 1;
  for (int n = 0; n < r->npvt; ++n) fingerprint = fingerprint_pvt(fingerprint, list, &r->pvt[n][a]);
  return mix_regions(fingerprint, c->grid, r->of_pvt, status);
}

static uint64_t fingerprint_saturation(const hp_case *c, hp_status *status) {
  const hp_fluid_spec *r = &c->fluid;
  uint64_t fingerprint = 2;
  for (int n = 0; n < r->nsat; ++n) fingerprint = fingerprint_sat(fingerprint, &r->sat[n]);
  for (int n = 0; n < HP_ENDS; ++n) fingerprint = mix_cells(fingerprint, c->grid, r->end[n], status);
  fingerprint = mix(mix_regions(fingerprint, c->grid, r->of_sat, status), r->three_point);
  for (int n = 0; n < HP_FACES; ++n)
    if (r->of_face[n] != NULL) fingerprint = mix_regions(mix(fingerprint, (uint64_t)n), c->grid, r->of_face[n], status);
  if (!hp_hysteresis_is_on(&r->hysteresis)) return fingerprint;
  for (int n = 0; n < HP_ENDS; ++n)
    if (r->imbibition_end[n] != NULL)
      fingerprint = mix_cells(mix(fingerprint, (uint64_t)n), c->grid, r->imbibition_end[n], status);
  fingerprint = mix_settings(fingerprint, "hysteresis", HP_IN_HYSTERESIS, &r->hysteresis);
  return mix_regions(fingerprint, c->grid, r->of_imbibition, status);
}

static uint64_t fingerprint_all_rock(const hp_case *c, hp_status *status) {
  const hp_fluid_spec *r = &c->fluid;
  uint64_t fingerprint = 3;
  for (int n = 0; n < r->nrock; ++n) fingerprint = fingerprint_rock(fingerprint, &r->rock[n]);
  return mix_regions(fingerprint, c->grid, r->of_rock, status);
}

/* Connections of an aquifer, of several ranks those of one after the other's. */
typedef struct {
  uint64_t fingerprint;
  const hp_aquifer_spec *a;
} connected;

static void mix_own_connected(void *arg) {
  connected *c = arg;
  for (int64_t e = 0; e < c->a->nconnection; ++e) c->fingerprint = mix(c->fingerprint, (uint64_t)c->a->cell[e]);
}

static void mix_own_weights(void *arg) {
  connected *c = arg;
  for (int64_t e = 0; e < c->a->nconnection; ++e) c->fingerprint = mix_number(c->fingerprint, c->a->weight[e]);
}

static uint64_t mix_connected(uint64_t fingerprint, const hp_case *c, const hp_aquifer_spec *a, hp_status *status) {
  connected of = {fingerprint, a};
  hp_spread *P = c->grid->spread;
  if (*status == HP_OK)
    *status = hp_spread_chain(P, &of.fingerprint, sizeof of.fingerprint, true, mix_own_connected, &of);
  of.fingerprint = mix(of.fingerprint, a->total > 0.0 ? (uint64_t)a->connections : UINT64_MAX);
  if (*status == HP_OK)
    *status = hp_spread_chain(P, &of.fingerprint, sizeof of.fingerprint, true, mix_own_weights, &of);
  return of.fingerprint;
}

/* Aquifers count with the initial state; without any the fingerprint stays as it is. */
static uint64_t mix_aquifers(uint64_t fingerprint, const hp_case *c, hp_status *status) {
  for (int n = 0; n < c->naquifer; ++n) {
    const hp_aquifer_spec *a = &c->aquifer[n];
    fingerprint = mix_settings(fingerprint, "aquifers[]", HP_IN_AQUIFER, a);
    fingerprint = mix_numbers(mix_numbers(fingerprint, a->rows, a->td), a->rows, a->pd);
    fingerprint = mix_connected(fingerprint, c, a, status);
    if (c->begin > 0.0) fingerprint = mix_number(mix_number(fingerprint, a->before.rate), a->before.influx);
  }
  return fingerprint;
}

/* A run that begins later begins with totals; without that the fingerprint stays as it is. */
static uint64_t mix_begin(uint64_t fingerprint, const hp_case *c) {
  if (!(c->begin > 0.0)) return fingerprint;
  for (int w = 0; w < c->nwell; ++w)
    fingerprint = mix_numbers(mix_numbers(fingerprint, HP_PHASES, c->well[w].produced), HP_PHASES, c->well[w].injected);
  return mix_number(fingerprint, c->begin);
}

static uint64_t fingerprint_initial(const hp_case *c, hp_status *status) {
  const hp_initial *i = &c->initial;
  const hp_grid *g = c->grid;
  uint64_t fingerprint = mix(4, i->nregion > 0);
  if (i->driest != NULL) fingerprint = mix_cells(fingerprint, g, i->driest, status);
  if (i->nregion == 0) return mix_begin(mix_cells(mix_cells(fingerprint, g, i->pressure, status), g, i->sw, status), c);
  for (int r = 0; r < i->nregion; ++r)
    fingerprint = mix_settings(fingerprint, "initial", HP_IN_EQUILIBRIUM, &i->region[r]);
  for (int64_t n = 0; n < i->nflooded; ++n)
    fingerprint = mix_number(mix(fingerprint, (uint64_t)i->flooded[n]), i->flooded_pressure[n]);
  return mix_cells(mix_regions(fingerprint, g, i->of, status), g, i->water, status);
}

static bool has_region_thresholds(const hp_initial *i) {
  const int64_t regions = i->threshold != NULL ? (int64_t)i->nthreshold * i->nthreshold : 0;
  for (int64_t n = 0; n < regions; ++n)
    if (i->threshold[n] != 0.0) return true;
  return false;
}

/* Pairs of cells with a number each, of several ranks those of one after the other's. */
typedef struct {
  uint64_t fingerprint;
  int64_t count;
  const int64_t *a, *b;
  const double *value;
} pairs;

static void mix_own_pairs(void *arg) {
  pairs *p = arg;
  for (int64_t n = 0; n < p->count; ++n)
    p->fingerprint = mix_number(mix(mix(p->fingerprint, (uint64_t)p->a[n]), (uint64_t)p->b[n]), p->value[n]);
}

static uint64_t mix_pairs(hp_spread *P, pairs p, hp_status *status) {
  if (*status == HP_OK) *status = hp_spread_chain(P, &p.fingerprint, sizeof p.fingerprint, true, mix_own_pairs, &p);
  return p.fingerprint;
}

/* Thresholds count with the initial state; without any the fingerprint stays as it is. */
static uint64_t mix_thresholds(uint64_t fingerprint, const hp_case *c, hp_status *status) {
  const hp_initial *i = &c->initial;
  const hp_pair_values *f = &c->fault_threshold;
  if (has_region_thresholds(i))
    fingerprint = mix_numbers(fingerprint, (int64_t)i->nthreshold * i->nthreshold, i->threshold);
  return mix_pairs(c->spread, (pairs){fingerprint, f->count, f->a, f->b, f->value}, status);
}

/* Of faces, then of connections of cells that are not neighbours. */
static uint64_t fingerprint_trans(const hp_grid *g, hp_status *status) {
  const hp_grid_connections *c = &g->connection;
  uint64_t fingerprint = 6;
  for (int d = 0; d < HP_DIRS; ++d) fingerprint = mix_all(fingerprint, g, g->trans[d], status);
  return mix_pairs(g->spread, (pairs){fingerprint, c->count, c->a, c->b, c->trans}, status);
}

static uint64_t fingerprint_well(const hp_wells *W, int w) {
  uint64_t fingerprint = mix(mix_number(7, W->ref_depth[w]), W->crossflow[w]);
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
    fingerprint = mix_number(mix_number(mix(fingerprint, (uint64_t)W->cell[q]), W->wi_open[q]), W->depth[q]);
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
    if (W->table[q] != 0) fingerprint = mix(mix(fingerprint, (uint64_t)(q - W->begin[w])), W->table[q]);
  if (!hp_well_has_segments(W, w)) return fingerprint;
  fingerprint = mix(fingerprint, W->drops[w]);
  for (int64_t s = W->segment_begin[w]; s < W->segment_begin[w + 1]; ++s) {
    const hp_segment *at = &W->segment[s];
    const double number[] = {(double)(at->outlet - W->segment_begin[w]),
                             at->number,
                             at->rise,
                             at->length,
                             at->diameter,
                             at->area,
                             at->roughness};
    fingerprint = mix_numbers(fingerprint, sizeof number / sizeof *number, number);
  }
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
    fingerprint = mix_number(
        mix_number(mix(fingerprint, (uint64_t)(W->seat[q] - W->segment_begin[w])), W->seat_rise[q]), W->cell_rise[q]);
  return fingerprint;
}

/* ---- what rows already written hold ---- */

enum { NOTHING = 0 }; /* the fingerprint of what no row holds, which may differ */

static uint64_t fingerprint_start(const hp_case *c) {
  int part[6] = {0}; /* the time of the day may be left out */
  char fraction[8] = "";
  uint64_t fingerprint = 15;
  sscanf(c->start, "%d-%d-%dT%d:%d:%d%7s", &part[0], &part[1], &part[2], &part[3], &part[4], &part[5], fraction);
  for (int n = 0; n < 6; ++n) fingerprint = mix(fingerprint, (uint64_t)part[n]);
  for (const char *at = fraction; *at != '\0'; ++at) fingerprint = mix(fingerprint, (unsigned char)*at);
  return c->start[0] != '\0' ? fingerprint : NOTHING;
}

static uint64_t fingerprint_fip(const hp_case *c, hp_status *status) {
  if (!c->output.summary || !hp_summary_vectors_need(c, HP_OF_REGION)) return NOTHING;
  return mix_kind(16, c->grid, OF_REPORTS, c->fip, status);
}

static uint64_t fingerprint_lift(const hp_case *c) {
  uint64_t fingerprint = 17;
  for (int n = 0; n < c->nlift; ++n) {
    const hp_lift_table *t = &c->lift[n].table;
    fingerprint = mix_settings(fingerprint, "vfp[]", HP_IN_LIFT, &c->lift[n]);
    for (int axis = 0; axis < HP_LIFT_AXES; ++axis) fingerprint = mix(fingerprint, (uint64_t)t->count[axis]);
    fingerprint = mix_numbers(fingerprint, hp_lift_numbers(t), c->lift[n].number);
  }
  return c->nlift > 0 ? fingerprint : NOTHING;
}

/* Perforations that are shut at first count as if they were shut then. */
static uint64_t shut_at_first(uint64_t fingerprint, const hp_grid *g, const hp_wells *W, int w) {
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    const hp_perf_spec *p = &W->spec[q];
    const hp_perf_event shut = {
        .state = HP_PERF_SHUT, .multiply = 1.0, .first = {p->i, p->j, p->k}, .last = {p->i, p->j, p->k}};
    if (!(W->wi[q] > 0.0)) fingerprint = hp_fingerprint_mix_change(fingerprint, g, false, &shut);
  }
  return fingerprint;
}

/* ---- the list ---- */

/* The last parts stand behind the wells. */
enum { PARTS = 12, TRANS_PART = 4, WELLS_PART = 10, FIELD_PART = 11, LAST_PARTS = 4 };

int hp_fingerprint_count(int nwell) { return PARTS + 3 * nwell + LAST_PARTS; }
int hp_fingerprint_of_actions(int nwell) { return hp_fingerprint_count(nwell) - 1; }
int hp_fingerprint_of_trans(void) { return TRANS_PART; }
int hp_fingerprint_of_group(void) { return FIELD_PART; }
int hp_fingerprint_of_schedule(int nwell, int well) { return PARTS + nwell + well; }
int hp_fingerprint_of_perforations(int nwell, int well) { return PARTS + 2 * nwell + well; }

typedef struct {
  const char *of;
  uint64_t value;
} named;

/* By whether there are aquifers, and thresholds. */
static const char *const initial_names[4] = {"the initial state", "the initial state or aquifers",
                                             "the initial state or threshold pressures",
                                             "the initial state, aquifers or threshold pressures"};

static void put_parts(const named *part, int count, hp_fingerprint *out) {
  for (int n = 0; n < count; ++n) {
    out[n].value = part[n].value;
    snprintf(out[n].of, sizeof out[n].of, "%s", part[n].of);
  }
}

hp_status hp_fingerprint_create(const hp_case *c, const hp_wells *W, int *count, hp_fingerprint **out) {
  const hp_grid *g = c->grid;
  uint64_t names = 8;
  for (int w = 0; w < c->nwell; ++w)
    for (const char *at = c->well[w].name; at == c->well[w].name || at[-1] != '\0'; ++at)
      names = mix(names, (unsigned char)*at);
  bool thresholds = has_region_thresholds(&c->initial) || c->fault_threshold.count > 0;
  hp_status s = hp_spread_any(c->spread, &thresholds);
  /* one after the other, as calls of all ranks have to be */
  const uint64_t active = mix_kind(5, g, OF_FLAGS, g->active, &s), depth = mix_all(10, g, g->depth, &s);
  const uint64_t pores = mix_all(11, g, g->pore_volume, &s), trans = fingerprint_trans(g, &s);
  const uint64_t oil = fingerprint_phase(c, HP_OIL, &s), water = fingerprint_phase(c, HP_WATER, &s);
  const uint64_t saturation = fingerprint_saturation(c, &s), rock = fingerprint_all_rock(c, &s);
  const uint64_t initial = mix_thresholds(mix_aquifers(fingerprint_initial(c, &s), c, &s), c, &s);
  const uint64_t fip = fingerprint_fip(c, &s);
  HP_TRY(s);
  const named part[PARTS] = {
      {"the number of cells", mix(mix(mix(9, (uint64_t)g->nx), (uint64_t)g->ny), (uint64_t)g->nz)},
      {"the active cells", active},
      {"depths", depth},
      {"pore volumes", pores},
      {"transmissibilities (permeabilities, sizes of cells, multipliers)", trans},
      {"oil", oil},
      {"water", water},
      {"relative permeabilities or capillary pressure", saturation},
      {"the rock's compressibility", rock},
      {initial_names[(c->naquifer > 0) + 2 * thresholds], initial},
      {"the wells' number, names or order", names},
      {"groups and their targets", 14}};
  const named last[LAST_PARTS] = {{"the date of the start", fingerprint_start(c)},
                                  {"regions of reports (FIPNUM)", fip},
                                  {"lift tables", fingerprint_lift(c)},
                                  {"quantities or actions", NOTHING}};
  *count = hp_fingerprint_count(c->nwell);
  HP_TRY(HP_ALLOC(*out, *count));
  put_parts(part, PARTS, *out);
  put_parts(last, LAST_PARTS, *out + *count - LAST_PARTS);
  for (int w = 0; w < c->nwell; ++w) {
    hp_fingerprint *well = &(*out)[PARTS + w], *schedule = &(*out)[hp_fingerprint_of_schedule(c->nwell, w)];
    hp_fingerprint *change = &(*out)[hp_fingerprint_of_perforations(c->nwell, w)];
    well->value = fingerprint_well(W, w);
    snprintf(well->of, sizeof well->of, "well %s's perforations", c->well[w].name);
    schedule->value = 12;
    snprintf(schedule->of, sizeof schedule->of, "well %s's schedule", c->well[w].name);
    change->value = shut_at_first(13, g, W, w);
    snprintf(change->of, sizeof change->of, "changes of well %s's perforations", c->well[w].name);
  }
  return HP_OK;
}

/* ---- the schedule ---- */

uint64_t hp_fingerprint_mix_text(uint64_t fingerprint, const char *text) {
  for (const char *at = text; at == text || at[-1] != '\0'; ++at) fingerprint = mix(fingerprint, (unsigned char)*at);
  return fingerprint;
}

uint64_t hp_fingerprint_mix_group(uint64_t fingerprint, const hp_group_event *e) {
  return mix_settings(fingerprint, "groups[]", HP_IN_GROUP, e);
}

hp_status hp_fingerprint_of_changes(const hp_case *c, uint64_t before, uint64_t *after) {
  hp_status s = HP_OK;
  for (int n = 0; n < c->ntrans_event; ++n) {
    const hp_trans_event *e = &c->trans_event[n];
    const pairs one = {mix_number(before, e->time), e->count, e->a, e->b, e->by};
    after[n] = before = mix_pairs(c->spread, one, &s);
  }
  return s;
}

uint64_t hp_fingerprint_mix_event(uint64_t fingerprint, const hp_well_event *e) {
  const hp_well_control *c = &e->control;
  const double value[] = {
      e->time, c->control, c->injector, c->injector ? c->phase : 0, c->by_history, (e->given & HP_GIVEN_STATUS) != 0};
  fingerprint = mix_numbers(fingerprint, HP_CONTROL_COUNT, c->limit);
  fingerprint = mix_settings(fingerprint, "wells[]", HP_IN_CONTROL, c);
  for (int n = 0; n < HP_CONTROL_COUNT; ++n)
    if (c->quantity[n] != 0) fingerprint = mix(mix(fingerprint, (uint64_t)n), c->quantity[n]);
  return mix_numbers(fingerprint, sizeof value / sizeof value[0], value);
}

uint64_t hp_fingerprint_mix_change(uint64_t fingerprint, const hp_grid *g, bool by_perforation,
                                   const hp_perf_event *e) {
  double index = 0.0; /* what the rest of the specification comes to */
  fingerprint = mix_number(mix_number(mix(fingerprint, (uint64_t)e->state), e->time), e->multiply);
  for (int d = 0; d < 3; ++d) fingerprint = mix(mix(fingerprint, (uint64_t)e->first[d]), (uint64_t)e->last[d]);
  if (e->completion > 0) fingerprint = mix(fingerprint, (uint64_t)e->completion);
  if (!e->anew) return mix(fingerprint, 0);
  const hp_status s = hp_well_index(g, hp_grid_cell(g, e->first[0], e->first[1], e->first[2]), &e->spec, &index);
  if (by_perforation) fingerprint = mix(fingerprint, (uint64_t)e->spec.table);
  return mix_number(fingerprint, s == HP_OK ? index : 0.0);
}

/* ---- comparing ---- */

/* Without the number of cells, or the wells' names, the rest says nothing. */
static bool decides(int n) { return n == 0 || n == WELLS_PART; }

hp_status hp_fingerprint_compare(const hp_restart *from, int nfingerprint, const hp_fingerprint *fingerprint,
                                 const char *when) {
  enum { NAMED = 4 };
  hp_text t = {0};
  int differ = 0;
  const int both = nfingerprint < from->nfingerprint ? nfingerprint : from->nfingerprint;
  for (int n = 0; n < both; ++n) {
    if (n >= nfingerprint - LAST_PARTS && (fingerprint[n].value == NOTHING || from->fingerprint[n].value == NOTHING))
      continue;
    if (fingerprint[n].value == from->fingerprint[n].value && strcmp(fingerprint[n].of, from->fingerprint[n].of) == 0)
      continue;
    if (differ < NAMED) hp_text_add(&t, "%s%s", differ == 0 ? "" : ", ", fingerprint[n].of);
    differ += 1;
    if (decides(n)) break;
  }
  if (differ == 0 && nfingerprint == from->nfingerprint) return HP_OK;
  if (differ > NAMED) hp_text_add(&t, ", and %d more", differ - NAMED);
  hp_status s = t.status;
  if (s == HP_OK)
    s = hp_fail(HP_ERR_USAGE,
                "%s cannot be continued with this deck, which differs from its "
                "own before %s in: %s",
                from->base, when, t.s != NULL ? t.s : "its number of parts");
  hp_text_clear(&t);
  return s;
}
