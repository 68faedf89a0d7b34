#include "sim/checkpoint/fingerprint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "io/text.h"
#include "io/vectors.h"

/* ---- mixing ---- */

static uint64_t mix(uint64_t mark, uint64_t word) {
  mark = (mark ^ word) * 0x9e3779b97f4a7c15u;
  return mark ^ mark >> 29;
}

static uint64_t mix_number(uint64_t mark, double value) {
  uint64_t word = 0x7ff8u; /* any NaN; -0 is 0 */
  value += 0.0;
  if (!isnan(value)) memcpy(&word, &value, sizeof word);
  return mix(mark, word);
}

static uint64_t mix_numbers(uint64_t mark, int64_t count, const double *value) {
  mark = mix(mark, value != NULL ? (uint64_t)count : UINT64_MAX);
  for (int64_t n = 0; value != NULL && n < count; ++n) mark = mix_number(mark, value[n]);
  return mark;
}

static uint64_t mix_small(uint64_t mark, int64_t count, const uint16_t *value) {
  mark = mix(mark, value != NULL ? (uint64_t)count : UINT64_MAX);
  for (int64_t n = 0; value != NULL && n < count; ++n) mark = mix(mark, value[n]);
  return mark;
}

/* ---- the parts of a case ---- */

static uint64_t mark_pvt(uint64_t mark, const hp_pvt_spec *f) {
  mark = mix_number(mark, f->density);
  if (f->rows > 0) {
    mark = mix_numbers(mark, f->rows, f->p);
    mark = mix_numbers(mark, f->rows, f->b);
    return mix_numbers(mark, f->rows, f->mu);
  }
  const double value[] = {f->p_ref, f->b_ref, f->compressibility, f->viscosity, f->viscosibility};
  return mix_numbers(mark, sizeof value / sizeof value[0], value);
}

static uint64_t mark_sat(uint64_t mark, const hp_sat_spec *f) {
  mark = mix(mark, (uint64_t)f->model);
  if (f->model == HP_SAT_TABLE) {
    mark = mix_numbers(mark, f->rows, f->s);
    mark = mix_numbers(mark, f->rows, f->krw);
    mark = mix_numbers(mark, f->rows, f->kro);
    return mix_numbers(mark, f->rows, f->pc);
  }
  const double value[] = {f->swc, f->sor, f->krw_max, f->kro_max, f->nw, f->no,       f->lambda, f->m,  f->lw,
                          f->ew,  f->tw,  f->lo,      f->eo,      f->to, f->pc_entry, f->pc_max, f->npc};
  mark = mix_numbers(mark, sizeof value / sizeof value[0], value);
  return f->sw_max > 1.0 - f->sor ? mix_number(mix_number(mark, f->sw_max), f->krw_full) : mark;
}

static uint64_t mark_rock(uint64_t mark, const hp_rock_spec *f) {
  return mix_number(mix_number(mark, f->p_ref), f->compressibility);
}

static uint64_t mark_phase(const hp_case *c, int a) {
  const hp_fluid_regions *r = &c->fluid.regions;
  uint64_t mark = mark_pvt(1, &c->fluid.phase[a]);
  for (int n = 0; n < r->npvt; ++n) mark = mark_pvt(mark, &r->pvt[n][a]);
  return mix_small(mark, c->grid->ncell, r->of_pvt);
}

static uint64_t mark_saturation(const hp_case *c) {
  const hp_fluid_regions *r = &c->fluid.regions;
  uint64_t mark = mark_sat(2, &c->fluid.sat);
  for (int n = 0; n < r->nsat; ++n) mark = mark_sat(mark, &r->sat[n]);
  for (int n = 0; n < HP_ENDS; ++n) mark = mix_numbers(mark, c->grid->ncell, r->end[n]);
  return mix(mix_small(mark, c->grid->ncell, r->of_sat), r->three_point);
}

static uint64_t mark_all_rock(const hp_case *c) {
  const hp_fluid_regions *r = &c->fluid.regions;
  uint64_t mark = mark_rock(3, &c->fluid.rock);
  for (int n = 0; n < r->nrock; ++n) mark = mark_rock(mark, &r->rock[n]);
  return mix_small(mark, c->grid->ncell, r->of_rock);
}

static uint64_t mark_initial(const hp_case *c) {
  const hp_initial *i = &c->initial;
  const int64_t n = c->grid->ncell;
  uint64_t mark = mix(4, i->equilibrium);
  if (!i->equilibrium) return mix_numbers(mix_numbers(mark, n, i->pressure), n, i->sw);
  const double value[] = {i->datum_depth, i->datum_pressure, i->contact_depth, i->contact_pc, i->accuracy};
  mark = mix_numbers(mark, sizeof value / sizeof value[0], value);
  for (int e = 0; e < i->nmore; ++e) {
    const hp_equilibrium *m = &i->more[e];
    const double more[] = {m->datum_depth, m->datum_pressure, m->contact_depth, m->contact_pc, m->accuracy};
    mark = mix_numbers(mark, sizeof more / sizeof more[0], more);
  }
  return mix_numbers(mix_small(mark, n, i->of), n, i->water);
}

static uint64_t mark_active(const hp_grid *g) {
  uint64_t mark = 5;
  for (int64_t m = 0; m < g->ncell; ++m) mark = mix(mark, g->active[m]);
  return mark;
}

static uint64_t mark_trans(const hp_grid *g) {
  uint64_t mark = 6;
  for (int d = 0; d < HP_DIRS; ++d) mark = mix_numbers(mark, g->ncell, g->trans[d]);
  return mark;
}

static uint64_t mark_well(const hp_wells *W, int w) {
  uint64_t mark = mix(mix_number(7, W->ref_depth[w]), W->crossflow[w]);
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
    mark = mix_number(mix_number(mix(mark, (uint64_t)W->cell[q]), W->wi_open[q]), W->depth[q]);
  return mark;
}

/* ---- what rows already written hold ---- */

enum { NOTHING = 0 }; /* the mark of what no row tells of, which may be another */

static uint64_t mark_start(const hp_case *c) {
  int part[6] = {0}; /* the time of the day may be left out */
  uint64_t mark = 15;
  sscanf(c->start, "%d-%d-%dT%d:%d:%d", &part[0], &part[1], &part[2], &part[3], &part[4], &part[5]);
  for (int n = 0; n < 6; ++n) mark = mix(mark, (uint64_t)part[n]);
  return c->start[0] != '\0' ? mark : NOTHING;
}

static uint64_t mark_fip(const hp_case *c) {
  uint64_t mark = 16;
  if (!c->output.summary || !hp_vectors_ask(c, HP_OF_REGION)) return NOTHING;
  for (int64_t m = 0; m < c->grid->ncell; ++m)
    if (c->grid->active[m]) mark = mix(mark, c->fip != NULL ? c->fip[m] : 1);
  return mark;
}

/* ---- the list ---- */

/* The last parts stand behind the wells. */
enum { PARTS = 12, WELLS_PART = 10, FIELD_PART = 11, LAST_PARTS = 2 };

int hp_restart_mark_count(int nwell) { return PARTS + 3 * nwell + LAST_PARTS; }
int hp_restart_field_mark(void) { return FIELD_PART; }
int hp_restart_schedule_mark(int nwell, int well) { return PARTS + nwell + well; }
int hp_restart_change_mark(int nwell, int well) { return PARTS + 2 * nwell + well; }

typedef struct {
  const char *of;
  uint64_t value;
} named;

static void put_parts(const named *part, int count, hp_restart_mark *out) {
  for (int n = 0; n < count; ++n) {
    out[n].value = part[n].value;
    snprintf(out[n].of, sizeof out[n].of, "%s", part[n].of);
  }
}

hp_status hp_restart_marks(const hp_case *c, const hp_wells *W, int *count, hp_restart_mark **out) {
  const hp_grid *g = c->grid;
  uint64_t names = 8;
  for (int w = 0; w < c->nwell; ++w)
    for (const char *at = c->well[w].name; at == c->well[w].name || at[-1] != '\0'; ++at)
      names = mix(names, (unsigned char)*at);
  const named part[PARTS] = {
      {"the number of cells", mix(mix(mix(9, (uint64_t)g->nx), (uint64_t)g->ny), (uint64_t)g->nz)},
      {"the active cells", mark_active(g)},
      {"depths", mix_numbers(10, g->ncell, g->depth)},
      {"pore volumes", mix_numbers(11, g->ncell, g->pore_volume)},
      {"transmissibilities (permeabilities, sizes of cells, multipliers)", mark_trans(g)},
      {"oil", mark_phase(c, HP_OIL)},
      {"water", mark_phase(c, HP_WATER)},
      {"relative permeabilities or capillary pressure", mark_saturation(c)},
      {"the rock's compressibility", mark_all_rock(c)},
      {"the initial state", mark_initial(c)},
      {"the wells' number, names or order", names},
      {"what the field is asked for", 14}};
  const named last[LAST_PARTS] = {{"the date of the start", mark_start(c)},
                                  {"regions of reports (FIPNUM)", mark_fip(c)}};
  *count = hp_restart_mark_count(c->nwell);
  HP_TRY(HP_ALLOC(*out, *count));
  put_parts(part, PARTS, *out);
  put_parts(last, LAST_PARTS, *out + *count - LAST_PARTS);
  for (int w = 0; w < c->nwell; ++w) {
    hp_restart_mark *well = &(*out)[PARTS + w], *schedule = &(*out)[hp_restart_schedule_mark(c->nwell, w)];
    hp_restart_mark *change = &(*out)[hp_restart_change_mark(c->nwell, w)];
    well->value = mark_well(W, w);
    snprintf(well->of, sizeof well->of, "well %s's perforations", c->well[w].name);
    schedule->value = 12;
    snprintf(schedule->of, sizeof schedule->of, "well %s's schedule", c->well[w].name);
    change->value = 13;
    snprintf(change->of, sizeof change->of, "changes of well %s's perforations", c->well[w].name);
  }
  return HP_OK;
}

/* ---- the schedule ---- */

uint64_t hp_restart_mix_field(uint64_t mark, const hp_field_event *e) {
  const hp_field_control *c = &e->control;
  const double value[] = {e->time, c->injection_rate, c->injection_volume, c->reinjection, c->voidage};
  return mix_numbers(mix_numbers(mark, sizeof value / sizeof value[0], value), HP_CONTROL_COUNT, c->production);
}

uint64_t hp_restart_mix_event(uint64_t mark, const hp_well_event *e) {
  const hp_well_control *c = &e->control;
  const double value[] = {e->time,
                          c->control,
                          c->injector,
                          c->injector ? c->phase : 0,
                          c->efficiency,
                          c->by_history,
                          c->by_history ? c->history[HP_OIL] : 0.0,
                          c->by_history ? c->history[HP_WATER] : 0.0,
                          c->economy.min_oil_rate,
                          c->economy.min_liquid_rate,
                          c->economy.max_water_cut,
                          c->economy.workover,
                          c->economy.end_run,
                          c->in_field,
                          c->guide_rate,
                          c->guide_by,
                          (e->said & HP_SAID_STATUS) != 0};
  mark = mix_numbers(mark, HP_CONTROL_COUNT, c->limit);
  return mix_numbers(mark, sizeof value / sizeof value[0], value);
}

uint64_t hp_restart_mix_change(uint64_t mark, const hp_perf_event *e) {
  const hp_perf_spec *p = &e->spec;
  mark = mix_number(mix_number(mix(mark, (uint64_t)e->state), e->time), e->multiply);
  for (int d = 0; d < 3; ++d) mark = mix(mix(mark, (uint64_t)e->first[d]), (uint64_t)e->last[d]);
  if (!e->anew) return mix(mark, 0);
  const double value[] = {p->dir, p->radius, p->skin, p->transmissibility, p->kh, p->r0};
  return mix_numbers(mix_numbers(mark, sizeof value / sizeof value[0], value), 3, p->length);
}

/* ---- comparing ---- */

/* Without the number of cells, or the wells' names, the rest says nothing. */
static bool decides(int n) { return n == 0 || n == WELLS_PART; }

hp_status hp_restart_compare(const hp_restart *from, int nmark, const hp_restart_mark *mark, const char *when) {
  enum { NAMED = 4 };
  hp_text t = {0};
  int differ = 0;
  const int both = nmark < from->nmark ? nmark : from->nmark;
  for (int n = 0; n < both; ++n) {
    if (n >= nmark - LAST_PARTS && (mark[n].value == NOTHING || from->mark[n].value == NOTHING)) continue;
    if (mark[n].value == from->mark[n].value && strcmp(mark[n].of, from->mark[n].of) == 0) continue;
    if (differ < NAMED) hp_text_add(&t, "%s%s", differ == 0 ? "" : ", ", mark[n].of);
    differ += 1;
    if (decides(n)) break;
  }
  if (differ == 0 && nmark == from->nmark) return HP_OK;
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
