#include "wells/wells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/show.h"

#define CONTROL_NAME(name, text, key, what) text,
#define CONTROL_KEY(name, text, key, what) key,
static const char *const control_names[] = {HP_CONTROL_LIST(CONTROL_NAME)};
static const char *const control_keys[] = {HP_CONTROL_LIST(CONTROL_KEY)};
HP_WORD_OF(hp_control_name, hp_control, control_names)

const char *hp_control_key(hp_control c) { return (unsigned)c < HP_CONTROL_COUNT ? control_keys[c] : ""; }

hp_well_control hp_well_control_default(bool injector) {
#define OF_FLOAT(text) strtod(text, NULL)
#define OF_BOOL(text) (strcmp(text, "true") == 0)
#define OF_CHOICE(text) 0
#define OF_OF_GROUP(text) 0
#define OF_OF_TABLE(text) 0
#define SETTING(kind, key, quantity, range, fallback, ...) .key = OF_##kind(fallback),
  hp_well_control c = {
      .control = HP_CONTROL_BHP, .injector = injector, .phase = HP_WATER, HP_WELL_SETTING_LIST(SETTING)};
#undef SETTING
  for (int n = 0; n < HP_CONTROL_COUNT; ++n) c.limit[n] = NAN;
  c.limit[HP_CONTROL_BHP] = injector ? 6895.0e5 : 1.01325e5;
  return c;
}

void hp_well_take_settings(hp_well_control *c, unsigned mask, const hp_well_control *from) {
#define TAKE(kind, key, ...) \
  if (mask >> HP_WELL_SETTING_##key & 1u) c->key = from->key;
  HP_WELL_SETTING_LIST(TAKE)
#undef TAKE
}

static hp_status perforations_of(const hp_grid *g, const hp_well_spec *spec, hp_well_perforations *out) {
  HP_TRY(hp_well_perforations_of(g, spec, out));
  if (out->count == 0 && spec->npath >= 2)
    return hp_fail(HP_ERR_DECK, "%s:%d: well %s: its path does not meet the grid", spec->file ? spec->file : "deck",
                   spec->line, spec->name);
  return HP_OK;
}

static bool is_open(const hp_grid *g, const hp_perf_spec *p) {
  return (p->open || p->later) && hp_grid_rock_of(g, hp_grid_cell(g, p->i, p->j, p->k)).active != 0;
}

static hp_status fill_well(const hp_grid *g, const hp_well_spec *spec, const hp_well_perforations *src, int w,
                           hp_wells *W) {
  int64_t q = W->begin[w];
  for (int n = 0; n < src->count; ++n) {
    const hp_perf_spec *p = &src->at[n];
    if (!is_open(g, p)) continue;
    const int64_t m = hp_grid_cell(g, p->i, p->j, p->k);
    for (int64_t other = W->begin[w]; other < q; ++other)
      if (W->cell[other] == m)
        return hp_fail(HP_ERR_DECK, "%s:%d: well %s perforates cell (%d, %d, %d) twice",
                       spec->file ? spec->file : "deck", spec->line, spec->name, p->i + 1, p->j + 1, p->k + 1);
    W->cell[q] = m;
    W->of[q] = w;
    W->depth[q] = hp_grid_rock_of(g, m).depth;
    W->multiplier[q] = 1.0;
    W->spec[q] = *p;
    W->table[q] = (uint16_t)p->table;
    const hp_status s = hp_well_index(g, m, p, &W->wi_open[q]);
    if (s != HP_OK)
      return hp_fail(s, "%s:%d: well %s: %s", spec->file ? spec->file : "deck", spec->line, spec->name, hp_fail_text());
    W->wi[q] = p->open ? W->wi_open[q] : 0.0;
    ++q;
  }
  W->begin[w + 1] = q;
  W->ref_depth[w] = !isnan(spec->ref_depth) ? spec->ref_depth : q > W->begin[w] ? W->depth[W->begin[w]] : 0.0;
  HP_TRY(hp_wells_fill_segments(W, spec, w));
  W->crossflow[w] = spec->crossflow;
  W->control[w].control = HP_CONTROL_SHUT;
  W->mode[w] = HP_CONTROL_SHUT;
  for (int c = 0; c < HP_CONTROL_COUNT; ++c) W->control[w].limit[c] = NAN;
  W->deck_control[w] = W->control[w];
  return HP_OK;
}

typedef struct {
  int64_t cell, perf;
} cell_perf;

static int compare_cell(const void *a, const void *b) {
  const cell_perf *x = a, *y = b;
  if (x->cell != y->cell) return x->cell < y->cell ? -1 : 1;
  return (x->perf > y->perf) - (x->perf < y->perf);
}

/* Lists the perforated cells once each, with their perforations. */
static hp_status list_cells(hp_wells *W) {
  cell_perf *pair = NULL;
  HP_TRY(HP_ALLOC(pair, W->nperf));
  for (int64_t q = 0; q < W->nperf; ++q) {
    pair[q].cell = W->cell[q];
    pair[q].perf = q;
  }
  if (W->nperf > 0) qsort(pair, (size_t)W->nperf, sizeof *pair, compare_cell);
  for (int64_t n = 0; n < W->nperf; ++n) {
    if (n == 0 || pair[n].cell != pair[n - 1].cell) {
      W->perforated[W->ncell] = pair[n].cell;
      W->perf_begin[W->ncell++] = n;
    }
    W->perf_list[n] = pair[n].perf;
  }
  W->perf_begin[W->ncell] = W->nperf;
  HP_FREE(pair);
  return HP_OK;
}

static hp_status allocate(hp_wells *W, int nwell, int64_t nperf, int64_t nsegment) {
  W->nwell = nwell;
  W->nperf = nperf;
  W->nsegment = nsegment;
  W->nrow_slope = nsegment > 0 ? 2 * HP_PHASES * nperf : 0;
  HP_TRY(HP_ALLOC(W->segment_begin, nwell + 1));
  HP_TRY(HP_ALLOC(W->segment, nsegment));
  HP_TRY(HP_ALLOC(W->drops, nwell));
  HP_TRY(HP_ALLOC(W->seat, nperf));
  HP_TRY(HP_ALLOC(W->seat_rise, nperf));
  HP_TRY(HP_ALLOC(W->cell_rise, nperf));
  HP_TRY(HP_ALLOC(W->segments, nsegment));
  HP_TRY(HP_ALLOC(W->segment_error, nwell));
  HP_TRY(HP_ALLOC(W->column, nperf));
  HP_TRY(HP_ALLOC(W->answer, 2 * (W->nentry - nperf)));
  HP_TRY(HP_ALLOC(W->head_slope, W->nrow_slope / 2));
  HP_TRY(HP_ALLOC(W->row_slope, W->nrow_slope));
  HP_TRY(HP_ALLOC(W->begin, W->nrow + 1));
  HP_TRY(HP_ALLOC(W->cell, W->nentry));
  HP_TRY(HP_ALLOC(W->of, nperf));
  HP_TRY(HP_ALLOC(W->slot, W->nentry));
  HP_TRY(HP_ALLOC(W->row, nperf));
  HP_TRY(HP_ALLOC(W->wi, nperf));
  HP_TRY(HP_ALLOC(W->table, nperf));
  HP_TRY(HP_ALLOC(W->wi_open, nperf));
  HP_TRY(HP_ALLOC(W->multiplier, nperf));
  HP_TRY(HP_ALLOC(W->spec, nperf));
  HP_TRY(HP_ALLOC(W->depth, nperf));
  HP_TRY(HP_ALLOC(W->head, nperf));
  HP_TRY(HP_ALLOC(W->density, nperf));
  HP_TRY(HP_ALLOC(W->relaxation, nperf));
  HP_TRY(HP_ALLOC(W->density_old, nperf));
  HP_TRY(HP_ALLOC(W->relaxation_old, nperf));
  HP_TRY(HP_ALLOC(W->rate, nperf));
  HP_TRY(HP_ALLOC(W->perforated, nperf));
  HP_TRY(HP_ALLOC(W->perf_begin, nperf + 1));
  HP_TRY(HP_ALLOC(W->perf_list, nperf));
  HP_TRY(HP_ALLOC(W->ref_depth, nwell));
  HP_TRY(HP_ALLOC(W->crossflow, nwell));
  HP_TRY(HP_ALLOC(W->control, nwell));
  HP_TRY(HP_ALLOC(W->mode, nwell));
  HP_TRY(HP_ALLOC(W->left, nwell));
  HP_TRY(HP_ALLOC(W->running, nwell));
  HP_TRY(HP_ALLOC(W->mix, 2 * (int64_t)nwell));
  HP_TRY(HP_ALLOC(W->inflow_share, nwell));
  HP_TRY(HP_ALLOC(W->inflow_share_old, nwell));
  HP_TRY(HP_ALLOC(W->bhp, nwell));
  HP_TRY(HP_ALLOC(W->bhp_old, nwell));
  HP_TRY(HP_ALLOC(W->mix_old, 2 * (int64_t)nwell));
  HP_TRY(HP_ALLOC(W->mode_old, nwell));
  HP_TRY(HP_ALLOC(W->rate_old, HP_PHASES * nperf));
  HP_TRY(HP_ALLOC(W->rate_error, HP_PHASES * nperf));
  HP_TRY(HP_ALLOC(W->mix_change, nwell));
  HP_TRY(HP_ALLOC(W->density_change, nperf));
  HP_TRY(HP_ALLOC(W->residual, nwell));
  HP_TRY(HP_ALLOC(W->deck_control, nwell));
  HP_TRY(HP_ALLOC(W->shared, nwell));
  HP_TRY(HP_ALLOC(W->guide, (int64_t)HP_CONTROL_COUNT * nwell));
  HP_TRY(HP_ALLOC(W->part, nwell));
  HP_TRY(HP_ALLOC(W->resv, HP_PHASES * (int64_t)nwell));
  for (int n = 0; n < HP_PHASES * nwell; ++n) W->resv[n] = 1.0;
  return HP_OK;
}

hp_status hp_wells_learn(const hp_grid *g, int count, const hp_perf_spec *perf) {
  int64_t *cell = NULL;
  if (g->spread == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(cell, count));
  for (int n = 0; n < count; ++n) cell[n] = hp_grid_cell(g, perf[n].i, perf[n].j, perf[n].k);
  const hp_status s = hp_grid_learn(g, count, cell);
  HP_FREE(cell);
  return s;
}

/* A row for the head of each perforation in a segment, with an entry for each perforation of its well. */
static void list_rows(hp_wells *W) {
  int64_t row = W->nwell, entry = W->nperf;
  for (int64_t q = 0; q < W->nperf; ++q) {
    const int w = W->of[q];
    W->row[q] = hp_well_has_segments(W, w) ? row : -1;
    if (W->row[q] < 0) continue;
    for (int64_t other = W->begin[w]; other < W->begin[w + 1]; ++other) W->cell[entry++] = W->cell[other];
    W->begin[++row] = entry;
  }
}

static hp_status build(const hp_grid *g, int nwell, const hp_well_spec *spec, hp_well_perforations *src, hp_wells *W) {
  int64_t nperf = 0, nsegment = 0;
  W->nrow = nwell;
  for (int w = 0; w < nwell; ++w) {
    int64_t open = 0;
    nsegment += spec[w].nsegment;
    HP_TRY(perforations_of(g, &spec[w], &src[w]));
    HP_TRY(hp_wells_learn(g, src[w].count, src[w].at));
    for (int n = 0; n < src[w].count; ++n) open += is_open(g, &src[w].at[n]);
    nperf += open;
    if (spec[w].nsegment == 0) continue;
    W->nrow += (int)open;
    W->nentry += open * open;
  }
  W->nentry += nperf;
  HP_TRY(allocate(W, nwell, nperf, nsegment));
  for (int w = 0; w < nwell; ++w) HP_TRY(fill_well(g, &spec[w], &src[w], w, W));
  list_rows(W);
  return list_cells(W);
}

hp_status hp_wells_create(const hp_grid *g, int nwell, const hp_well_spec *spec, hp_wells **out) {
  *out = NULL;
  hp_wells *W = NULL;
  hp_well_perforations *src = NULL;
  HP_TRY(HP_ALLOC(W, 1));
  hp_status s = HP_ALLOC(src, nwell);
  if (s == HP_OK) s = build(g, nwell, spec, src, W);
  for (int w = 0; src != NULL && w < nwell; ++w) HP_FREE(src[w].cut);
  HP_FREE(src);
  if (s != HP_OK) {
    hp_wells_destroy(&W);
    return s;
  }
  *out = W;
  return HP_OK;
}

hp_status hp_wells_set_lift(hp_wells *W, int count, const hp_lift_spec *table) {
  W->nlift = count;
  for (int n = 0; n < count; ++n) W->nlift_number += hp_lift_numbers(&table[n].table);
  HP_TRY(HP_ALLOC(W->lift, count));
  HP_TRY(HP_ALLOC(W->lift_number, W->nlift_number));
  int64_t at = 0;
  for (int n = 0; n < count; ++n) {
    const int64_t numbers = hp_lift_numbers(&table[n].table);
    W->lift[n] = table[n].table;
    W->lift[n].begin = at;
    memcpy(W->lift_number + at, table[n].number, (size_t)numbers * sizeof *W->lift_number);
    at += numbers;
  }
  return HP_OK;
}

void hp_wells_destroy(hp_wells **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_wells *W = *slot;
  HP_FREE(W->begin);
  HP_FREE(W->cell);
  HP_FREE(W->of);
  HP_FREE(W->slot);
  HP_FREE(W->wi);
  HP_FREE(W->table);
  HP_FREE(W->wi_open);
  HP_FREE(W->multiplier);
  HP_FREE(W->spec);
  HP_FREE(W->depth);
  HP_FREE(W->head);
  HP_FREE(W->density);
  HP_FREE(W->relaxation);
  HP_FREE(W->density_old);
  HP_FREE(W->relaxation_old);
  HP_FREE(W->rate);
  HP_FREE(W->perforated);
  HP_FREE(W->perf_begin);
  HP_FREE(W->perf_list);
  HP_FREE(W->ref_depth);
  HP_FREE(W->crossflow);
  HP_FREE(W->control);
  HP_FREE(W->mode);
  HP_FREE(W->left);
  HP_FREE(W->running);
  HP_FREE(W->mix);
  HP_FREE(W->inflow_share);
  HP_FREE(W->inflow_share_old);
  HP_FREE(W->bhp);
  HP_FREE(W->bhp_old);
  HP_FREE(W->mix_old);
  HP_FREE(W->mode_old);
  HP_FREE(W->rate_old);
  HP_FREE(W->rate_error);
  HP_FREE(W->mix_change);
  HP_FREE(W->density_change);
  HP_FREE(W->residual);
  HP_FREE(W->resv);
  HP_FREE(W->deck_control);
  HP_FREE(W->shared);
  HP_FREE(W->guide);
  HP_FREE(W->part);
  HP_FREE(W->segment_begin);
  HP_FREE(W->segment);
  HP_FREE(W->drops);
  HP_FREE(W->seat);
  HP_FREE(W->seat_rise);
  HP_FREE(W->cell_rise);
  HP_FREE(W->segments);
  HP_FREE(W->segment_error);
  HP_FREE(W->column);
  HP_FREE(W->row);
  HP_FREE(W->answer);
  HP_FREE(W->head_slope);
  HP_FREE(W->row_slope);
  HP_FREE(W->lift);
  HP_FREE(W->lift_number);
  HP_FREE(*slot);
}

static bool is_connected(const hp_wells *W, int w) {
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
    if (W->wi[q] > 0.0) return true;
  return false;
}

/* After an event the wellbore's densities go at least half the way again. */
static void reset_relaxation(hp_wells *W, int w) {
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
    if (W->relaxation_old[q] != 0.0 && fabs(W->relaxation_old[q]) < 0.5)
      W->relaxation_old[q] = copysign(0.5, W->relaxation_old[q]);
}

int hp_perf_direction(const hp_perf_spec *p) {
  int along = p->dir;
  if (isnan(p->length[0])) return along;
  along = HP_DIR_K;
  for (int d = 1; d < HP_DIRS; ++d)
    if (fabs(p->length[d]) > fabs(p->length[along])) along = d;
  return along;
}

void hp_wells_set_control(hp_wells *W, int w, const hp_well_control *control) {
  const bool was_shut = W->mode[w] == HP_CONTROL_SHUT, turned = W->control[w].injector != control->injector;
  reset_relaxation(W, w);
  W->deck_control[w] = W->control[w] = *control;
  W->shared[w] = HP_CONTROL_SHUT;
  W->mode[w] = is_connected(W, w) ? (uint8_t)control->control : HP_CONTROL_SHUT;
  if (was_shut || turned || W->mode[w] == HP_CONTROL_SHUT) {
    W->running[w] = 0;
    W->inflow_share[w] = 1.0;
    W->mix[2 * w] = control->injector && control->phase == HP_OIL ? 1.0 : 0.0;
    W->mix[2 * w + 1] = control->injector && control->phase == HP_WATER ? 1.0 : 0.0;
  }
}

static bool is_in(const hp_grid *g, int64_t m, const hp_perf_event *event) {
  int ijk[3];
  hp_grid_ijk(g, m, ijk);
  return hp_perf_event_covers(event, ijk);
}

/* An entry for many cells keeps each perforation's own cell and completion. */
static void set_spec(hp_wells *W, int64_t q, const hp_perf_spec *spec) {
  const hp_perf_spec old = W->spec[q];
  W->spec[q] = *spec;
  if (spec->table < 0) W->spec[q].table = old.table;
  W->table[q] = (uint16_t)W->spec[q].table;
  W->spec[q].i = old.i;
  W->spec[q].j = old.j;
  W->spec[q].k = old.k;
  W->spec[q].completion = old.completion;
  W->spec[q].segment = old.segment;
  W->spec[q].depth = old.depth;
}

void hp_wells_describe(hp_wells *W, const hp_grid *g, const hp_perf_event *event) {
  for (int64_t q = W->begin[event->well]; q < W->begin[event->well + 1]; ++q) {
    if (!is_in(g, W->cell[q], event)) continue;
    if (event->anew) set_spec(W, q, &event->spec);
    if (event->completion > 0) W->spec[q].completion = event->completion;
  }
}

hp_status hp_wells_change(hp_wells *W, const hp_grid *g, const hp_perf_event *event) {
  const int w = event->well;
  hp_wells_describe(W, g, event);
  if (hp_perf_event_only_numbers(event)) return HP_OK;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    if (!is_in(g, W->cell[q], event)) continue;
    const bool open = event->state == HP_PERF_KEEP ? W->wi[q] > 0.0 : event->state == HP_PERF_OPEN;
    if (event->anew) {
      HP_TRY(hp_well_index(g, W->cell[q], &event->spec, &W->wi_open[q]));
      W->multiplier[q] = 1.0;
    }
    W->multiplier[q] *= event->multiply;
    W->wi[q] = open ? W->wi_open[q] * W->multiplier[q] : 0.0;
  }
  const hp_well_control control = W->deck_control[w];
  const bool shut = W->mode[w] == HP_CONTROL_SHUT, connected = is_connected(W, w);
  reset_relaxation(W, w);
  if (shut == connected) hp_wells_set_control(W, w, &control); /* it opens with its perforations, or shuts with them */
  return HP_OK;
}

/* ---- state in one piece ---- */

int64_t hp_wells_state_bytes(const hp_wells *W) {
  int64_t bytes = 0;
#define ADD(field, count) bytes += HP_WELLS_ROUNDED(field, count);
  HP_WELLS_STATE(ADD)
#undef ADD
  return bytes;
}

void hp_wells_pack_state(const hp_wells *W, char *to) {
#define PACK(field, count)                                                   \
  if ((count) > 0) memcpy(to, W->field, (size_t)(count) * sizeof *W->field); \
  to += HP_WELLS_ROUNDED(field, count);
  HP_WELLS_STATE(PACK)
#undef PACK
}

void hp_wells_unpack_state(hp_wells *W, const char *from) {
#define UNPACK(field, count)                                                   \
  if ((count) > 0) memcpy(W->field, from, (size_t)(count) * sizeof *W->field); \
  from += HP_WELLS_ROUNDED(field, count);
  HP_WELLS_STATE(UNPACK)
#undef UNPACK
}
