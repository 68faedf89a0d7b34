/* Computed for the wells once at the start of a time step: pressure
 * heads in the wellbore, a first bhp for wells that just opened, and the
 * reservoir volumes of surface volumes for RESV control.
 *
 * The head between two neighbouring perforations is that of the mixture in the
 * section of wellbore between them. Section q ends at perforation q; through it
 * passes what all perforations from q to the well's far end gave in the last step,
 *
 *     F_a = sum_{i >= q} q_a,i      positive: up, negative: down
 *
 * and the mixture has the proportion |F_o| : |F_w|, whichever way it flows
 * (as Eclipse's segmented density). A section that stands still holds what the
 * section above it holds; if all above stand still, what flows into the well
 * altogether. A well that has not flowed yet takes its cells' mobilities
 * (producer); an injector that nothing flows into holds the injected phase.
 */
#ifndef HP_WELLS_HEAD_INL_H
#define HP_WELLS_HEAD_INL_H

#include "wells/perforation.inl.h"

/* Under-relaxation of the densities from step to step (hp_section_relax). */
#define HP_RELAX_NONE 2.0   /* factor of a section whose density has not turned back of late; 1 and above: not at all */
#define HP_RELAX_SLOWER 0.5 /* times the factor when it turns back */
#define HP_RELAX_FASTER 1.1 /* when it does not */
#define HP_RELAX_LEAST 0.002
#define HP_RELAX_NOISE 1e-4 /* of the density: a change that turns nothing */

/* Density [kg/m3] of surface volumes x at the conditions of perforation q. */
HP_INLINE HP_HD double hp_mixture_density(const hp_fluid *f, double p, const double x[HP_PHASES]) {
  double mass = 0.0, volume = 0.0;
  for (int a = 0; a < HP_PHASES; ++a) {
    hp_dual b, bmu;
    hp_pvt_eval(&f->phase[a], p, &b, &bmu);
    mass += x[a] * f->phase[a].density;
    volume += x[a] / b.v;
  }
  return mass / volume;
}

/* State of one well's wellbore. */
typedef struct hp_wellbore {
  bool injected;       /* the injected phase alone */
  bool flowed;         /* its perforations give their rates of the last step, otherwise what their cells would give */
  const double *rates; /* [nperf*2] instead of those rates; NULL: those [m3/s] */
  bool crosses;        /* fluid flows out of it and into it; its mixtures then lie between these shares of water: */
  double least, most;
} hp_wellbore;

HP_INLINE HP_HD void hp_injected(const hp_wells *W, int w, double x[HP_PHASES]) {
  for (int a = 0; a < HP_PHASES; ++a) x[a] = a == W->control[w].phase ? 1.0 : 0.0;
}

/* Surface volumes that perforation q gives to the well, negative: takes. */
HP_INLINE HP_HD void hp_perf_gives(const hp_reservoir *r, const hp_wells *W, hp_wellbore bore, int64_t q,
                                   double x[HP_PHASES]) {
  if (bore.flowed) {
    for (int a = 0; a < HP_PHASES; ++a) x[a] = bore.rates != NULL ? bore.rates[HP_PHASES * q + a] : W->rate[q].q[a];
    return;
  }
  const hp_cell_props c = hp_perf_props(r, W, q);
  x[HP_OIL] = W->wi[q] * c.lam_o;
  x[HP_WATER] = W->wi[q] * c.lam_w;
}

/* All that flows into well w; false: nothing. */
HP_INLINE HP_HD bool hp_well_inflow(const hp_reservoir *r, const hp_wells *W, int w, hp_wellbore bore,
                                    double x[HP_PHASES]) {
  x[HP_OIL] = x[HP_WATER] = 0.0;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    double flow[HP_PHASES];
    hp_perf_gives(r, W, bore, q, flow);
    for (int a = 0; a < HP_PHASES; ++a) x[a] += flow[a] > 0.0 ? flow[a] : 0.0;
  }
  return x[HP_OIL] + x[HP_WATER] > 0.0;
}

HP_INLINE HP_HD void hp_wellbore_add_inflow(hp_wellbore *bore, const double x[HP_PHASES]) {
  const double oil = x[HP_OIL] > 0.0 ? x[HP_OIL] : 0.0, water = x[HP_WATER] > 0.0 ? x[HP_WATER] : 0.0;
  if (!(oil + water > 0.0)) return;
  const double share = water / (oil + water);
  bore->least = share < bore->least ? share : bore->least;
  bore->most = share > bore->most ? share : bore->most;
}

/* Least and largest share of water of what flows into well w; whether fluid crosses. */
HP_INLINE HP_HD void hp_wellbore_range(const hp_reservoir *r, const hp_wells *W, int w, hp_wellbore *bore) {
  double flow[HP_PHASES], net = 0.0;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    hp_perf_gives(r, W, *bore, q, flow);
    hp_wellbore_add_inflow(bore, flow);
    for (int a = 0; a < HP_PHASES; ++a) {
      net += flow[a];
      bore->crosses = bore->crosses || flow[a] < 0.0;
    }
  }
  hp_injected(W, w, flow);
  if (W->control[w].injector && net < 0.0) hp_wellbore_add_inflow(bore, flow);
}

/* Decides what the wellbore holds, and what its topmost section does if it stands still. */
HP_INLINE HP_HD hp_wellbore hp_wellbore_look(const hp_reservoir *r, const hp_wells *W, int w, const double *rates,
                                             double top[HP_PHASES]) {
  hp_wellbore bore = {false, W->running[w] != 0, rates, false, 1.0, 0.0};
  if (bore.flowed && hp_well_inflow(r, W, w, bore, top)) {
    hp_wellbore_range(r, W, w, &bore);
    return bore;
  }
  bore.injected = W->control[w].injector;
  bore.flowed = false;
  if (bore.injected) hp_injected(W, w, top);
  else if (!hp_well_inflow(r, W, w, bore, top)) top[HP_OIL] = 1.0;
  return bore;
}

/* Adds perforation q to what passes through the section below it: then sum is what passes through the one above, and
 * gross the size of all that it was added up from. False: that section stands still, but for what Newton's method left
 * over of flows that cancel. */
HP_INLINE HP_HD bool hp_section_add(const hp_reservoir *r, const hp_wells *W, hp_wellbore bore, int64_t q,
                                    double sum[HP_PHASES], double *gross) {
  double flow[HP_PHASES];
  hp_perf_gives(r, W, bore, q, flow);
  for (int a = 0; a < HP_PHASES; ++a) {
    sum[a] += flow[a];
    *gross += fabs(flow[a]);
  }
  return fabs(sum[HP_OIL]) + fabs(sum[HP_WATER]) > 1e-6 * *gross;
}

/* Density [kg/m3] of section q that carries the surface volumes `sum`. */
HP_INLINE HP_HD double hp_section_density(const hp_reservoir *r, const hp_wells *W, hp_wellbore bore, int64_t q,
                                          const double sum[HP_PHASES]) {
  double x[HP_PHASES] = {fabs(sum[HP_OIL]), fabs(sum[HP_WATER])};
  if (bore.crosses && W->relaxation_old[q] != 0.0 && fabs(W->relaxation_old[q]) < 1.0) {
    const double share = x[HP_WATER] / (x[HP_OIL] + x[HP_WATER]);
    x[HP_WATER] = share < bore.least ? bore.least : share > bore.most ? bore.most : share;
    x[HP_OIL] = 1.0 - x[HP_WATER];
  }
  return hp_mixture_density(hp_reservoir_fluid(r, W->cell[q]), r->p[W->cell[q]], x);
}

/* Density of section q in this step, where the last step's rates ask for `asked`. The rates follow from the density
 * and the next density from the rates. Where fluid can cross from layer to layer with little drawdown, taking it as
 * it comes has no rest: light fluid sinks, so in the next step heavy fluid rises, and so on at steps of any length. A
 * density that turns back twice running is therefore relaxed: half as far at every turn, a tenth farther at every
 * step without one (the rule for the step of Riedmiller and Braun, 1993). W->relaxation[q] is the factor with the
 * sign of the last change. The values of the last step that was made are only read, so that a step may begin anew. */
HP_INLINE HP_HD double hp_section_relax(const hp_wells *W, int64_t q, double asked) {
  const double change = asked - W->density_old[q], last = W->relaxation_old[q];
  if (last == 0.0) {
    W->relaxation[q] = HP_RELAX_NONE;
    return asked;
  }
  const bool counts = fabs(change) > HP_RELAX_NOISE * asked, turned = counts && (change < 0.0) != (last < 0.0);
  double factor = fabs(last) * (turned ? HP_RELAX_SLOWER : HP_RELAX_FASTER);
  factor = factor < HP_RELAX_LEAST ? HP_RELAX_LEAST : factor > HP_RELAX_NONE ? HP_RELAX_NONE : factor;
  W->relaxation[q] = (counts ? change : last) < 0.0 ? -factor : factor;
  return factor < 1.0 ? W->density_old[q] + factor * change : asked;
}

/* Densities that the last step's rates, or `rates` [nperf*2], ask for in the sections of well w, in place of the heads. */
HP_INLINE HP_HD void hp_wellbore_densities(const hp_reservoir *r, const hp_wells *W, int w, const double *rates) {
  const int64_t begin = W->begin[w], end = W->begin[w + 1];
  double above[HP_PHASES], sum[HP_PHASES] = {0.0, 0.0}, gross = 0.0;
  const hp_wellbore bore = hp_wellbore_look(r, W, w, rates, above);
  /* from the far end up: sections that flow; 0 marks the others */
  for (int64_t q = end - 1; q >= begin; --q)
    W->head[q] = !bore.injected && hp_section_add(r, W, bore, q, sum, &gross) ? hp_section_density(r, W, bore, q, sum)
                                                                              : 0.0;
  /* down again: what stands still holds what passes through the last section above it that flows */
  int64_t last = -1;
  for (int64_t q = begin; q < end; ++q) {
    if (W->head[q] > 0.0) {
      last = q;
      continue;
    }
    if (last >= 0) {
      above[HP_OIL] = above[HP_WATER] = 0.0;
      for (int64_t i = end - 1; i >= last; --i) hp_section_add(r, W, bore, i, above, &gross);
      last = -1;
    }
    W->head[q] = hp_section_density(r, W, bore, q, above);
  }
}

/* Fluid of the wellbore of well w: that of its first perforation's cell. */
HP_INLINE HP_HD const hp_fluid *hp_segments_fluid(const hp_reservoir *r, const hp_wells *W, int w) {
  return hp_reservoir_fluid(r, W->cell[W->begin[w]]);
}

/* Density and viscosity of the mixture in a segment at the pressure p: the mean of the phases' by volume. */
HP_INLINE HP_HD void hp_segment_mixture(const hp_fluid *f, double p, hp_segment_state *s) {
  const double x[HP_PHASES] = {1.0 - s->water, s->water};
  double mass = 0.0, volume = 0.0, sum = 0.0;
  for (int a = 0; a < HP_PHASES; ++a) {
    hp_dual b, bmu;
    hp_pvt_eval(&f->phase[a], p, &b, &bmu);
    mass += x[a] * f->phase[a].density;
    volume += x[a] / b.v;
    sum += x[a] / bmu.v; /* x / b mu */
  }
  s->density = mass / volume;
  s->viscosity = sum / volume;
}

/* Declares what wells with segments alone run: a call in a GPU's kernels, so that others take no registers for it. */
#if defined(__CUDA_ARCH__)
#define HP_SEGMENTS_CALL static __host__ __device__ __noinline__
#else
#define HP_SEGMENTS_CALL HP_INLINE HP_HD
#endif

/* Segments at the start of a step: one that has not flowed is at rest with what its well would flow. Cells are above or below
 * their perforations by a column of their own fluid, by relative permeabilities. */
HP_SEGMENTS_CALL void hp_segments_begin(const hp_reservoir *r, const hp_wells *W, int w) {
  double top[HP_PHASES];
  const hp_fluid *f = hp_segments_fluid(r, W, w);
  if (!W->running[w]) (void)hp_wellbore_look(r, W, w, NULL, top);
  for (int64_t s = W->segment_begin[w]; s < W->segment_begin[w + 1]; ++s) {
    hp_segment_state *at = &W->segments[s];
    const int64_t outlet = W->segment[s].outlet;
    const double above = outlet >= 0 ? W->segments[outlet].head : 0.0;
    if (!W->running[w]) {
      at->water = top[HP_WATER] / (top[HP_OIL] + top[HP_WATER]);
      hp_segment_mixture(f, r->p[W->cell[W->begin[w]]], at);
      at->head = above + at->density * HP_GRAVITY * W->segment[s].rise;
    }
    at->head_old = at->head;
    at->water_old = at->water;
  }
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    const hp_cell_props c = hp_perf_props(r, W, q);
    const hp_fluid *here = hp_reservoir_fluid(r, W->cell[q]);
    const hp_segment_state *at = &W->segments[W->seat[q]];
    double kr[HP_PHASES] = {c.lam_o, c.lam_w};
    const double rho[HP_PHASES] = {c.rho_o, c.rho_w}, p[HP_PHASES] = {c.p, c.pw};
    for (int a = 0; a < HP_PHASES; ++a) {
      hp_dual b, bmu;
      hp_pvt_eval(&here->phase[a], p[a], &b, &bmu);
      kr[a] /= bmu.v;
    }
    const double sum = kr[HP_OIL] + kr[HP_WATER];
    W->column[q] = sum > 0.0
                       ? (kr[HP_OIL] * rho[HP_OIL] + kr[HP_WATER] * rho[HP_WATER]) / sum * HP_GRAVITY * W->cell_rise[q]
                       : 0.0;
    W->density[q] = W->segments[W->segment_begin[w]].density;
    W->head[q] = at->head + at->density * HP_GRAVITY * W->seat_rise[q] + W->column[q];
  }
}

/* Reads properties and rates of the last step; one member a well. */
HP_INLINE HP_HD void hp_wells_heads(hp_team *t, const hp_reservoir *r, const hp_wells *W) {
  HP_TEAM_FOR(t, i, W->nwell) {
    const int w = (int)i;
    const int64_t begin = W->begin[w], end = W->begin[w + 1];
    const bool segmented = hp_well_has_segments(W, w);
    double depth = W->ref_depth[w], head = 0.0;
    if (segmented) hp_segments_begin(r, W, w);
    else hp_wellbore_densities(r, W, w, NULL);
    for (int64_t q = begin; q < end && !segmented; ++q) {
      if (!W->running[w]) W->relaxation_old[q] = 0.0;
      W->density[q] = hp_section_relax(W, q, W->head[q]);
      head += W->density[q] * HP_GRAVITY * (W->depth[q] - depth);
      depth = W->depth[q];
      W->head[q] = head;
    }
    /* a first guess for a well that was shut: its cells' pressure, at rest */
    if (!W->running[w] && end > begin) {
      double bhp = 0.0;
      for (int64_t q = begin; q < end; ++q) bhp += (r->p[W->cell[q]] - W->head[q]) / (double)(end - begin);
      W->bhp[w] = bhp;
    }
    if (W->mode[w] == HP_CONTROL_BHP) W->bhp[w] = W->control[w].limit[HP_CONTROL_BHP];
    W->bhp_old[w] = W->bhp[w];
    W->mode_old[w] = W->mode[w];
    for (int a = 0; a < HP_PHASES; ++a) W->mix_old[2 * w + a] = W->mix[2 * w + a];
    W->inflow_share_old[w] = W->inflow_share[w];
    W->left[w] = 0;
    for (int64_t q = begin; q < end; ++q)
      for (int a = 0; a < HP_PHASES; ++a) W->rate_old[HP_PHASES * q + a] = W->rate[q].q[a];
  }
}

/* The step of well w is made: the next one relaxes from its densities. */
HP_INLINE HP_HD void hp_wells_keep_densities(const hp_wells *W, int w) {
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    W->density_old[q] = W->density[q];
    W->relaxation_old[q] = W->relaxation[q];
  }
}

/* Back to the start of the step, before it is tried again with a shorter one. */
HP_INLINE HP_HD void hp_wells_restore(hp_team *t, const hp_wells *W) {
  HP_TEAM_FOR(t, w, W->nwell) {
    W->bhp[w] = W->bhp_old[w];
    W->mode[w] = W->mode_old[w];
    for (int a = 0; a < HP_PHASES; ++a) W->mix[2 * w + a] = W->mix_old[2 * w + a];
    W->inflow_share[w] = W->inflow_share_old[w];
    W->left[w] = 0;
    for (int64_t s = W->segment_begin[w]; hp_wells_have_segments(W) && s < W->segment_begin[w + 1]; ++s) {
      W->segments[s].head = W->segments[s].head_old;
      W->segments[s].water = W->segments[s].water_old;
    }
    for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
      for (int a = 0; a < HP_PHASES; ++a) W->rate[q].q[a] = W->rate_old[HP_PHASES * q + a];
  }
}

#endif
