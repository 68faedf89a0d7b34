#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "sim/diagnose/diagnose.h"

/* The flow through a cell from ends to ends: its pore volume and the time of its whole way. */
typedef struct {
  double volume, time;
} piece;

static int by_time(const void *a, const void *b) {
  const piece *p = a, *q = b;
  if (p->time != q->time) return p->time < q->time ? -1 : 1;
  return p->volume < q->volume ? -1 : p->volume > q->volume; /* the sums have one order */
}

/* Share of wells and aquifers in a cell. */
static double named_share(const hp_diagnosis *D, int side, int64_t m) {
  const int64_t ncell = D->of->graph.ncell;
  return 1.0 - D->share[side][(D->of->count[side] - 1) * ncell + m];
}

static int64_t collect(const hp_diagnosis *D, piece *list) {
  int64_t count = 0;
  for (int64_t m = 0; m < D->of->graph.ncell; ++m) {
    const double time = (double)D->time[HP_SOURCES][m] + D->time[HP_SINKS][m];
    if (!(time > 0.0)) continue; /* or not a number */
    list[count++] = (piece){D->of->pores[m] * named_share(D, HP_SOURCES, m) * named_share(D, HP_SINKS, m), time};
  }
  return count;
}

/* Points as far apart as a picture shows them. */
static void fill(int64_t count, const piece *list, double volume, double flow, hp_flow_curve *c) {
  const double apart = 0.005;
  double v = 0.0, q = 0.0, area = 0.0;
  c->pores = volume;
  c->mean = volume / flow;
  c->count = 1;
  for (int64_t n = 0; n < count; ++n) {
    const double dv = list[n].volume, dq = dv / list[n].time, before = q;
    v += dv;
    q += dq;
    area += 0.5 * (before + q) / flow * dv / volume;
    c->at_one += fmin(dv, dq * c->mean) / volume;
    const int last = c->count - 1;
    if (v / volume - c->phi[last] < apart && q / flow - c->flow[last] < apart && n + 1 < count) continue;
    c->phi[c->count] = n + 1 < count ? v / volume : 1.0;
    c->flow[c->count] = n + 1 < count ? q / flow : 1.0;
    c->time[c->count] = list[n].time / c->mean;
    c->swept[c->count++] = (v + (flow - q) * list[n].time) / volume;
  }
  c->swept[c->count - 1] = 1.0;
  c->lorenz = 2.0 * area - 1.0;
}

static hp_status make(const hp_diagnosis *D, piece *list, hp_flow_curve *c) {
  enum { MOST = 402 }; /* points, of which either share has moved since the one before */
  const int64_t count = collect(D, list);
  double volume = 0.0, flow = 0.0;
  qsort(list, (size_t)count, sizeof *list, by_time);
  for (int64_t n = 0; n < count; ++n) {
    volume += list[n].volume;
    flow += list[n].volume / list[n].time;
  }
  if (!(volume > 0.0)) return HP_OK; /* nothing flows from ends to ends */
  HP_TRY(HP_ALLOC(c->phi, MOST));
  HP_TRY(HP_ALLOC(c->flow, MOST));
  HP_TRY(HP_ALLOC(c->time, MOST));
  HP_TRY(HP_ALLOC(c->swept, MOST));
  fill(count, list, volume, flow, c);
  return HP_OK;
}

hp_status hp_flow_curve_create(const hp_diagnosis *D, hp_flow_curve *out) {
  piece *list;
  *out = (hp_flow_curve){.lorenz = NAN, .at_one = 0.0};
  HP_TRY(HP_ALLOC_UNSET(list, D->of->graph.ncell));
  const hp_status s = make(D, list, out);
  HP_FREE(list);
  return s;
}

void hp_flow_curve_destroy(hp_flow_curve *c) {
  HP_FREE(c->phi);
  HP_FREE(c->flow);
  HP_FREE(c->time);
  HP_FREE(c->swept);
}
