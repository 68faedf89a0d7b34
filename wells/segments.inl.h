/* Pressures and mixtures in a well with segments, and the rates of its perforations.
 *
 * With the cells and the bhp held, the heads h of the nodes solve, with the flows F_a = sum of q_a above which no perforation is,
 *
 *     h_s = h_outlet + rho g (D_s - D_outlet) + friction + acceleration
 *
 *     friction      2 f l w |w| / (A^2 d rho)         f: Fanning; 16 / Re below 2000, Haaland's formula from 4000 on, linear between
 *     acceleration  w^2 / (A^2 rho), less that of the inlets through the larger of both areas; its sign is that of w
 *     w = sum F_a rho_a,s                             rho and mu: of the mixture that flows; Re = d |w| / (A mu)
 *
 * (Eclipse, OPM Flow 2022.10.) A segment holds the mixture of all that flows into it: from perforations, inlets, and, where it
 * flows down, its outlet. That flows out of it.
 *
 * Newton's method, with halved steps where the residual grows, solves them: in a tree dF = source + by_head dh of a subtree
 * follows from those of its inlets, so that an iteration is a way up and a way down. The same elimination gives the slopes of
 * rates by the bhp, by the perforation's own cell, and, in the well's row, of all that the well makes by each cell. Slopes of a
 * perforation's rate by other cells are left out: cells of one well have no entries for each other.
 */
#ifndef HP_WELLS_SEGMENTS_INL_H
#define HP_WELLS_SEGMENTS_INL_H

#include <float.h>

#include "wells/head.inl.h"
#include "wells/perforation.inl.h"

#define HP_SEGMENTS_CLOSE 1e-3 /* Pa: residual of a solved head */
#define HP_SEGMENTS_MIXED 1e-9 /* change of a share of water in a solved mixture */
#define HP_SEGMENTS_ITERATIONS 60
#define HP_SEGMENTS_STILL 1e-6 /* of all that flows in the well: what a segment holds counts as so much inflow */
#define HP_SEGMENTS_LEAST 0.2  /* least 1 / gain */

/* Pressure drop by friction of the mass rate w [kg/s]; *slope: by w. */
HP_INLINE HP_HD double hp_segment_friction(const hp_segment *s, double density, double viscosity, double w,
                                           double *slope) {
  const double laminar = 2000.0, turbulent = 4000.0, rough = pow(s->roughness / (3.7 * s->diameter), 10.0 / 9.0);
  const double per_w = s->diameter / (s->area * viscosity), re = fabs(w) * per_w;
  const double factor = 2.0 * s->length / (s->area * s->area * s->diameter * density);
  double f, df; /* by Re */
  if (re < laminar) {
    *slope = factor * 16.0 / per_w;
    return *slope * w;
  }
  const double at = re > turbulent ? re : turbulent, sum = 6.9 / at + rough, v = -3.6 * log10(sum);
  f = 1.0 / (v * v);
  df = -2.0 * f / v * (3.6 / 2.302585092994046) * 6.9 / (at * at * sum);
  if (re < turbulent) {
    const double least = 16.0 / laminar;
    df = (f - least) / (turbulent - laminar);
    f = least + df * (re - laminar);
  }
  *slope = factor * (2.0 * f + df * re) * fabs(w);
  return factor * f * w * fabs(w);
}

HP_INLINE HP_HD double hp_segments_mass_rate(const hp_fluid *f, const hp_segment_state *s) {
  return s->flow[HP_OIL] * f->phase[HP_OIL].density + s->flow[HP_WATER] * f->phase[HP_WATER].density;
}

/* Rate of perforation q, whose segment gives its own mixture. */
HP_INLINE HP_HD hp_perf_rate hp_segments_perf_rate(const hp_reservoir *r, const hp_wells *W, int64_t q) {
  const double *mix = W->mix + 2 * W->of[q], all = mix[HP_OIL] + mix[HP_WATER], water = W->segments[W->seat[q]].water;
  const double own[HP_PHASES] = {all * (1.0 - water), all * water};
  return hp_perf_eval(r, W, q, own);
}

/* Heads of the perforations, their rates, and the flows of the segments. */
HP_INLINE HP_HD void hp_segments_flow(const hp_reservoir *r, const hp_wells *W, int w) {
  const int64_t begin = W->segment_begin[w], end = W->segment_begin[w + 1];
  for (int64_t s = begin; s < end; ++s)
    for (int a = 0; a < HP_PHASES; ++a) W->segments[s].flow[a] = 0.0;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    hp_segment_state *seat = &W->segments[W->seat[q]];
    W->head[q] = seat->head + seat->density * HP_GRAVITY * W->seat_rise[q] + W->column[q];
    W->rate[q] = hp_segments_perf_rate(r, W, q);
    for (int a = 0; a < HP_PHASES; ++a) seat->flow[a] += W->rate[q].q[a];
  }
  for (int64_t s = end - 1; s > begin; --s)
    for (int a = 0; a < HP_PHASES; ++a) W->segments[W->segment[s].outlet].flow[a] += W->segments[s].flow[a];
}

/* Share of water of what a segment holds: that of all that flows into it. Returns the change of its share of water. */
HP_INLINE HP_HD double hp_segment_mix(hp_segment_state *s) {
  const double sum = s->in[HP_OIL] + s->in[HP_WATER], water = sum > 0.0 ? s->in[HP_WATER] / sum : s->water;
  const double change = fabs(water - s->water);
  s->water = water;
  return change;
}

/* Mixtures: up the tree of the segments that flow up, then down of the others. Returns their largest change. */
HP_INLINE HP_HD double hp_segments_mix(const hp_wells *W, int w) {
  const int64_t begin = W->segment_begin[w], end = W->segment_begin[w + 1];
  double gross = 0.0, most = 0.0, all[HP_PHASES] = {0.0, 0.0};
  bool gives = false;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
    for (int a = 0; a < HP_PHASES; ++a) {
      gross += fabs(W->rate[q].q[a]);
      if (W->rate[q].q[a] < 0.0) gives = true;
      else all[a] += W->rate[q].q[a];
    }
  const double still = HP_SEGMENTS_STILL * gross;
  for (int64_t s = begin; s < end; ++s) {
    W->segments[s].in[HP_OIL] = still * (1.0 - W->segments[s].water_old);
    W->segments[s].in[HP_WATER] = still * W->segments[s].water_old;
  }
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
    for (int a = 0; a < HP_PHASES; ++a)
      if (W->rate[q].q[a] > 0.0) W->segments[W->seat[q]].in[a] += W->rate[q].q[a];
  for (int64_t s = end - 1; s >= begin; --s) {
    hp_segment_state *at = &W->segments[s];
    const double flow = at->flow[HP_OIL] + at->flow[HP_WATER];
    if (flow < 0.0) continue;
    const double change = hp_segment_mix(at);
    most = change > most ? change : most;
    if (s == begin) break;
    hp_segment_state *outlet = &W->segments[W->segment[s].outlet];
    outlet->in[HP_OIL] += flow * (1.0 - at->water);
    outlet->in[HP_WATER] += flow * at->water;
  }
  for (int64_t s = begin; s < end; ++s) {
    hp_segment_state *at = &W->segments[s];
    const double flow = at->flow[HP_OIL] + at->flow[HP_WATER];
    if (!(flow < 0.0)) continue;
    double water;
    if (s > begin) water = W->segments[W->segment[s].outlet].water;
    else if (W->control[w].injector) water = W->control[w].phase == HP_WATER ? 1.0 : 0.0;
    else water = all[HP_OIL] + all[HP_WATER] > 0.0 ? all[HP_WATER] / (all[HP_OIL] + all[HP_WATER]) : at->water;
    at->in[HP_OIL] -= flow * (1.0 - water);
    at->in[HP_WATER] -= flow * water;
    const double change = hp_segment_mix(at);
    most = change > most ? change : most;
  }
  return gives ? most : 0.0;
}

/* Drops of segment s and their slopes, of the mixtures and flows at hand. */
HP_INLINE HP_HD void hp_segment_drops(const hp_wells *W, int w, const hp_fluid *f, int64_t s, double still) {
  const hp_segment *tube = &W->segment[s];
  hp_segment_state *at = &W->segments[s], *outlet = &W->segments[tube->outlet];
  const double flow = at->flow[HP_OIL] + at->flow[HP_WATER], mass = hp_segments_mass_rate(f, at);
  const hp_segment_state *from = flow < 0.0 ? outlet : at;
  double volume = 0.0, b[HP_PHASES], slope;
  at->drop[HP_DROPS_HYDROSTATIC] = at->density * HP_GRAVITY * tube->rise;
  at->drop[HP_DROPS_FRICTION] = 0.0;
  for (int a = 0; a < HP_PHASES; ++a) {
    hp_dual bv, bmu;
    hp_pvt_eval(&f->phase[a], W->bhp[w] + at->head, &bv, &bmu);
    b[a] = bv.v;
    volume += (fabs(at->flow[a]) + still) / b[a];
    at->slope[a] = at->takes[a] = 0.0;
  }
  for (int a = 0; a < HP_PHASES && flow > 0.0; ++a)
    at->slope[a] = HP_GRAVITY * tube->rise * (f->phase[a].density - at->density / b[a]) / volume;
  if (W->drops[w] >= HP_DROPS_FRICTION) {
    at->drop[HP_DROPS_FRICTION] = hp_segment_friction(tube, from->density, from->viscosity, mass, &slope);
    for (int a = 0; a < HP_PHASES; ++a) at->slope[a] += slope * f->phase[a].density;
  }
  if (W->drops[w] < HP_DROPS_ACCELERATION) return;
  const double sign = mass < 0.0 ? -1.0 : 1.0, area = tube->area, wide = W->segment[tube->outlet].area;
  const double own = 1.0 / (area * area * from->density), larger = area > wide ? area : wide;
  at->drop[HP_DROPS_ACCELERATION] += sign * own * mass * mass;
  for (int a = 0; a < HP_PHASES; ++a) at->slope[a] += 2.0 * own * fabs(mass) * f->phase[a].density;
  if (W->segment[tube->outlet].outlet < 0) return;
  const double outlet_mass = hp_segments_mass_rate(f, outlet), turn = outlet_mass < 0.0 ? -1.0 : 1.0;
  const double given = 1.0 / (larger * larger * from->density);
  outlet->drop[HP_DROPS_ACCELERATION] -= turn * given * mass * mass;
  for (int a = 0; a < HP_PHASES; ++a) at->takes[a] = -turn * 2.0 * given * mass * f->phase[a].density;
}

/* Residuals of the heads at the rates that belong to them; returns the largest. */
HP_INLINE HP_HD double hp_segments_look(const hp_reservoir *r, const hp_wells *W, int w, double *mixed) {
  const int64_t begin = W->segment_begin[w], end = W->segment_begin[w + 1];
  const hp_fluid *f = hp_segments_fluid(r, W, w);
  double worst = 0.0, gross = 0.0;
  hp_segments_flow(r, W, w);
  *mixed = hp_segments_mix(W, w);
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
    for (int a = 0; a < HP_PHASES; ++a) gross += fabs(W->rate[q].q[a]);
  for (int64_t s = begin; s < end; ++s) {
    hp_segment_mixture(f, W->bhp[w] + W->segments[s].head, &W->segments[s]);
    W->segments[s].drop[HP_DROPS_ACCELERATION] = 0.0;
  }
  for (int64_t s = end - 1; s > begin; --s) hp_segment_drops(W, w, f, s, HP_SEGMENTS_STILL * gross + DBL_MIN);
  for (int64_t s = begin + 1; s < end; ++s) {
    hp_segment_state *at = &W->segments[s];
    double drop = 0.0;
    for (int k = 0; k < HP_DROPS; ++k) drop += at->drop[k];
    at->residual = at->head - W->segments[W->segment[s].outlet].head - drop;
    if (!(fabs(at->residual) <= worst)) worst = fabs(at->residual);
  }
  return worst;
}

HP_INLINE HP_HD double hp_segments_dot(const double a[HP_PHASES], const double b[HP_PHASES]) {
  return a[HP_OIL] * b[HP_OIL] + a[HP_WATER] * b[HP_WATER];
}

/* The elimination, up the tree: of d head where the residuals are to vanish. */
HP_INLINE HP_HD void hp_segments_eliminate(const hp_wells *W, int w) {
  const int64_t begin = W->segment_begin[w], end = W->segment_begin[w + 1];
  for (int64_t s = begin; s < end; ++s) {
    hp_segment_state *at = &W->segments[s];
    at->inlets = at->inlets_slope = 0.0;
    for (int a = 0; a < HP_PHASES; ++a) at->source[a] = at->by_head[a] = 0.0;
  }
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
    for (int a = 0; a < HP_PHASES; ++a) W->segments[W->seat[q]].by_head[a] += W->rate[q].dbhp[a];
  for (int64_t s = end - 1; s > begin; --s) {
    hp_segment_state *at = &W->segments[s], *outlet = &W->segments[W->segment[s].outlet];
    double by[HP_PHASES], source[HP_PHASES];
    const double rest = 1.0 - hp_segments_dot(at->slope, at->by_head) - at->inlets_slope;
    at->gain = 1.0 / (rest > HP_SEGMENTS_LEAST ? rest : HP_SEGMENTS_LEAST);
    at->constant = hp_segments_dot(at->slope, at->source) + at->inlets - at->residual;
    for (int a = 0; a < HP_PHASES; ++a) {
      by[a] = at->by_head[a] * at->gain;
      source[a] = at->source[a] + by[a] * at->constant;
      outlet->by_head[a] += by[a];
      outlet->source[a] += source[a];
    }
    outlet->inlets += hp_segments_dot(at->takes, source);
    outlet->inlets_slope += hp_segments_dot(at->takes, by);
  }
}

/* Changes `step` of the heads of well w, and `made` of what it makes, by a change of the flow of segment `seat` by `source`, with
 * the bhp held: up to the first segment and down again. */
HP_INLINE HP_HD void hp_segments_answer(const hp_wells *W, int w, int64_t seat, const double source[HP_PHASES],
                                        double made[HP_PHASES]) {
  const int64_t begin = W->segment_begin[w], end = W->segment_begin[w + 1];
  double inlets = 0.0, flow[HP_PHASES] = {source[HP_OIL], source[HP_WATER]};
  for (int64_t s = begin; s < end; ++s) W->segments[s].base = 0.0;
  for (int64_t s = seat; W->segment[s].outlet >= 0; s = W->segment[s].outlet) {
    hp_segment_state *at = &W->segments[s];
    const double constant = at->gain * (hp_segments_dot(at->slope, flow) + inlets);
    for (int a = 0; a < HP_PHASES; ++a) flow[a] += at->by_head[a] * constant;
    inlets = hp_segments_dot(at->takes, flow);
    at->base = constant;
  }
  made[HP_OIL] = flow[HP_OIL];
  made[HP_WATER] = flow[HP_WATER];
  W->segments[begin].step = 0.0;
  for (int64_t s = begin + 1; s < end; ++s)
    W->segments[s].step = W->segments[s].gain * W->segments[W->segment[s].outlet].step + W->segments[s].base;
}

/* Slopes with the heads solved: of rates by the bhp, in place of those by the head, which head_slope has; of heads by the cells, in
 * `answer`, and of all that the well makes, in row_slope. What a head answers where all its well's cells change alike is taken
 * from `answer` into the slope by the perforation's own cell, where preconditioners see it. After hp_segments_eliminate. */
HP_INLINE HP_HD void hp_segments_slopes(const hp_wells *W, int w) {
  const int64_t begin = W->segment_begin[w], end = W->segment_begin[w + 1], first = W->begin[w], last = W->begin[w + 1];
  double made[HP_PHASES];
  for (int64_t q = first; q < last; ++q)
    for (int k = 0; k < 2; ++k) {
      hp_segments_answer(W, w, W->seat[q], k == HP_P ? W->rate[q].dp : W->rate[q].ds, made);
      for (int a = 0; a < HP_PHASES; ++a) W->row_slope[(q * 2 + k) * HP_PHASES + a] = made[a];
      for (int64_t i = first; i < last; ++i)
        W->answer[(W->begin[W->row[i]] + q - first - W->nperf) * 2 + k] = W->segments[W->seat[i]].step;
    }
  W->segments[begin].base = 1.0; /* of the head and the bhp, by the bhp */
  for (int64_t s = begin + 1; s < end; ++s)
    W->segments[s].base = W->segments[s].gain * W->segments[W->segment[s].outlet].base;
  for (int64_t q = first; q < last; ++q) {
    const double follows = W->segments[W->seat[q]].base;
    for (int a = 0; a < HP_PHASES; ++a) {
      double *by_head = &W->head_slope[HP_PHASES * q + a];
      *by_head = W->rate[q].dbhp[a];
      W->rate[q].dbhp[a] = *by_head * follows;
      W->rate[q].dp[a] += *by_head * (1.0 - follows);
    }
    W->answer[(W->begin[W->row[q]] + q - first - W->nperf) * 2 + HP_P] -= 1.0 - follows;
  }
}

/* Solves the heads and mixtures of well w with cells and bhp held, and computes the rates of its perforations with slopes. */
HP_SEGMENTS_CALL void hp_segments_solve(const hp_reservoir *r, const hp_wells *W, int w) {
  const int64_t begin = W->segment_begin[w], end = W->segment_begin[w + 1];
  double mixed, last = 0.0, part = 1.0, worst = hp_segments_look(r, W, w, &mixed);
  for (int n = 0; n < HP_SEGMENTS_ITERATIONS && (worst > HP_SEGMENTS_CLOSE || mixed > HP_SEGMENTS_MIXED); ++n) {
    if (n == 0 || worst < last || worst <= HP_SEGMENTS_CLOSE || part < 0.01) {
      part = 1.0;
      last = worst;
      hp_segments_eliminate(W, w);
      W->segments[begin].step = 0.0;
      for (int64_t s = begin + 1; s < end; ++s) {
        hp_segment_state *at = &W->segments[s];
        at->base = at->head;
        at->step = at->gain * (W->segments[W->segment[s].outlet].step + at->constant);
      }
    } else {
      part *= 0.5;
    }
    for (int64_t s = begin + 1; s < end; ++s) W->segments[s].head = W->segments[s].base + part * W->segments[s].step;
    worst = hp_segments_look(r, W, w, &mixed);
  }
  W->segment_error[w] = worst;
  hp_segments_eliminate(W, w);
  hp_segments_slopes(W, w);
}

/* All perforations at the current state; no barrier inside. */
HP_INLINE HP_HD void hp_wells_rates(hp_team *t, const hp_reservoir *r, const hp_wells *W) {
  HP_TEAM_FOR(t, q, W->nperf) {
    if (!hp_well_has_segments(W, W->of[q])) W->rate[q] = hp_perf_eval(r, W, q, W->mix + 2 * W->of[q]);
  }
  if (!hp_wells_have_segments(W)) return;
  HP_TEAM_FOR(t, w, W->nwell) {
    if (hp_well_has_segments(W, (int)w)) hp_segments_solve(r, W, (int)w);
  }
}

#endif
