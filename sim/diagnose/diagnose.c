#include "sim/diagnose/diagnose.h"

#include <math.h>

#include "core/memory.h"

/* ---- shares and times of one side ---- */

/* Columns of the equations, and the sum of the shares of wells and aquifers. */
typedef struct {
  hp_diagnosis *D;
  int side;
  double *x;    /* [ncell][columns] */
  double *both; /* [ncell] */
} work;

static int64_t cells(const hp_diagnosis *D) { return D->of->graph.ncell; }

static bool is_storage(const hp_fluxes *F, int side, int end) { return F->end[side][end].kind == HP_END_STORAGE; }

static hp_status solve(const work *w, int columns) {
  int64_t unsolved;
  HP_TRY(hp_flux_graph_solve(&w->D->of->graph, w->side == HP_SINKS, columns, w->x, &unsolved));
  if (unsolved > w->D->unsolved) w->D->unsolved = unsolved;
  return HP_OK;
}

static void put_terms(const work *w, int first, int columns) {
  const hp_fluxes *F = w->D->of;
  for (int64_t n = 0; n < columns * cells(w->D); ++n) w->x[n] = 0.0;
  for (int64_t t = 0; t < F->nterm; ++t) {
    const int c = F->term[t].end[w->side] - first;
    if (F->term[t].end[w->side] >= 0 && c >= 0 && c < columns)
      w->x[F->term[t].cell * columns + c] += fabs(F->term[t].rate);
  }
  const int c = F->count[w->side] - 1 - first;
  if (c >= columns) return;
  for (int64_t m = 0; m < cells(w->D); ++m)
    w->x[m * columns + c] = fmax(0.0, w->side == HP_SOURCES ? F->storage[m] : -F->storage[m]);
}

static hp_status find_shares(const work *w) {
  hp_diagnosis *D = w->D;
  const hp_fluxes *F = D->of;
  const int count = F->count[w->side];
  for (int first = 0; first < count; first += HP_FLUX_GRAPH_COLUMNS) {
    const int columns = count - first < HP_FLUX_GRAPH_COLUMNS ? count - first : HP_FLUX_GRAPH_COLUMNS;
    put_terms(w, first, columns);
    HP_TRY(solve(w, columns));
    for (int c = 0; c < columns; ++c) {
      float *share = D->share[w->side] + (first + c) * cells(D);
      double sum = 0.0;
      for (int64_t m = 0; m < cells(D); ++m) {
        const double own = w->x[m * columns + c];
        share[m] = (float)own;
        sum += F->pores[m] * own;
        if (!is_storage(F, w->side, first + c)) w->both[m] += own;
      }
      D->pores[w->side][first + c] = sum;
    }
  }
  return HP_OK;
}

static hp_status find_times(const work *w) {
  hp_diagnosis *D = w->D;
  const double *pores = D->of->pores, *through = D->of->graph.through;
  for (int64_t m = 0; m < cells(D); ++m) w->x[m] = pores[m] * w->both[m];
  HP_TRY(solve(w, 1));
  for (int64_t m = 0; m < cells(D); ++m) {
    const bool seen = w->both[m] >= HP_SHARE_SEEN && pores[m] > 0.0;
    /* x is that of what leaves the cell */
    D->time[w->side][m] = seen ? (float)(w->x[m] / w->both[m] - 0.5 * pores[m] / through[m]) : NAN;
    if (seen) D->reached[w->side] += pores[m];
  }
  return HP_OK;
}

static void find_regions(const work *w) {
  hp_diagnosis *D = w->D;
  for (int64_t m = 0; m < cells(D); ++m) {
    int best = -1;
    for (int n = 0; n < D->of->count[w->side] - 1; ++n) {
      const float *share = D->share[w->side];
      if (best < 0 || share[n * cells(D) + m] > share[best * cells(D) + m]) best = n;
    }
    D->region[w->side][m] = w->both[m] >= 0.5 ? (float)(best + 1) : 0.0F;
  }
}

static hp_status diagnose_side(hp_diagnosis *D, int side) {
  const int count = D->of->count[side];
  const int64_t ncell = cells(D);
  work w = {.D = D, .side = side};
  HP_TRY(HP_ALLOC(D->share[side], count * ncell));
  HP_TRY(HP_ALLOC(D->time[side], ncell));
  HP_TRY(HP_ALLOC(D->region[side], ncell));
  HP_TRY(HP_ALLOC(D->pores[side], count));
  hp_status s = HP_ALLOC_UNSET(w.x, ncell * (count < HP_FLUX_GRAPH_COLUMNS ? count : HP_FLUX_GRAPH_COLUMNS));
  if (s == HP_OK) s = HP_ALLOC(w.both, ncell);
  if (s == HP_OK) s = find_shares(&w);
  if (s == HP_OK) s = find_times(&w);
  if (s == HP_OK) find_regions(&w);
  HP_FREE(w.x);
  HP_FREE(w.both);
  return s;
}

/* ---- between sources and sinks ---- */

static float share_of(const hp_diagnosis *D, int side, int end, int64_t m) {
  return D->share[side][end * cells(D) + m];
}

static void allocate_rates(hp_diagnosis *D) {
  const hp_fluxes *F = D->of;
  const int sources = F->count[HP_SOURCES], sinks = F->count[HP_SINKS];
  for (int64_t t = 0; t < F->nterm; ++t) {
    const int p = F->term[t].end[HP_SINKS];
    for (int i = 0; p >= 0 && i < sources; ++i)
      D->rate[i * sinks + p] -= F->term[t].rate * share_of(D, HP_SOURCES, i, F->term[t].cell);
  }
  for (int64_t m = 0; m < cells(D); ++m)
    for (int i = 0; F->storage[m] < 0.0 && i < sources; ++i)
      D->rate[i * sinks + sinks - 1] -= F->storage[m] * share_of(D, HP_SOURCES, i, m);
}

/* Only shares that are seen take part: most cells have few. */
static void fill_between(hp_diagnosis *D, int *seen) {
  const hp_fluxes *F = D->of;
  const int sources = F->count[HP_SOURCES], sinks = F->count[HP_SINKS];
  for (int64_t m = 0; m < cells(D); ++m) {
    int count = 0;
    D->whole += F->pores[m];
    if (!isnan(D->time[HP_SOURCES][m]) && !isnan(D->time[HP_SINKS][m])) D->reached[HP_SIDES] += F->pores[m];
    for (int p = 0; p < sinks && F->pores[m] > 0.0; ++p)
      if (share_of(D, HP_SINKS, p, m) > 0.0F) seen[count++] = p;
    for (int i = 0; i < sources && count > 0; ++i) {
      const double volume = F->pores[m] * share_of(D, HP_SOURCES, i, m);
      for (int n = 0; n < count && volume > 0.0; ++n)
        D->between[i * sinks + seen[n]] += volume * share_of(D, HP_SINKS, seen[n], m);
    }
  }
}

static hp_status allocate(hp_diagnosis *D) {
  const int64_t pairs = (int64_t)D->of->count[HP_SOURCES] * D->of->count[HP_SINKS];
  int *seen;
  HP_TRY(HP_ALLOC(D->rate, pairs));
  HP_TRY(HP_ALLOC(D->between, pairs));
  HP_TRY(HP_ALLOC(seen, D->of->count[HP_SINKS]));
  allocate_rates(D);
  fill_between(D, seen);
  HP_FREE(seen);
  return HP_OK;
}

hp_status hp_diagnose(const hp_fluxes *F, hp_diagnosis *out) {
  *out = (hp_diagnosis){.of = F};
  hp_status s = HP_OK;
  for (int side = 0; side < HP_SIDES && s == HP_OK; ++side) s = diagnose_side(out, side);
  if (s == HP_OK) s = allocate(out);
  if (s == HP_OK) s = hp_flow_curve_create(out, &out->curve);
  if (s != HP_OK) hp_diagnosis_destroy(out);
  return s;
}

void hp_diagnosis_destroy(hp_diagnosis *D) {
  for (int side = 0; side < HP_SIDES; ++side) {
    HP_FREE(D->share[side]);
    HP_FREE(D->time[side]);
    HP_FREE(D->region[side]);
    HP_FREE(D->pores[side]);
  }
  HP_FREE(D->rate);
  HP_FREE(D->between);
  hp_flow_curve_destroy(&D->curve);
}
