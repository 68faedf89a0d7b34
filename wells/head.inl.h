/* What is computed for the wells once at the start of a time step: pressure
 * heads in the wellbore, a first bhp for wells that just opened, and the
 * reservoir volumes of surface volumes for RESV control.
 *
 * The head between two neighbouring perforations is that of the mixture that
 * passes the lower one: what all perforations from there to the well's end
 * gave in the last step (as Eclipse's segmented density). A well that has not
 * flowed yet takes its cells' mobilities (producer) or the injected phase.
 */
#ifndef HP_WELLS_HEAD_INL_H
#define HP_WELLS_HEAD_INL_H

#include "wells/wells.h"

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

/* Surface volume rates that perforation q passes on: its own rate, or, before
 * the well has flowed, what its cell would give. */
HP_INLINE HP_HD void hp_perf_passes(const hp_reservoir *r, const hp_wells *W, int64_t q, double x[HP_PHASES]) {
  const int w = W->of[q];
  x[HP_OIL] = x[HP_WATER] = 0.0;
  if (W->control[w].injector) {
    x[W->control[w].phase] = 1.0;
  } else if (W->running[w]) {
    for (int a = 0; a < HP_PHASES; ++a) x[a] = W->rate[q].q[a];
  } else {
    const hp_cell_props c = hp_reservoir_props(r, W->cell[q]);
    x[HP_OIL] = W->wi[q] * c.lam_o;
    x[HP_WATER] = W->wi[q] * c.lam_w;
  }
}

/* Reads properties and rates of the last step; one member a well. */
HP_INLINE HP_HD void hp_wells_heads(hp_team *t, const hp_reservoir *r, const hp_wells *W) {
  HP_TEAM_FOR(t, i, W->nwell) {
    const int w = (int)i;
    const int64_t begin = W->begin[w], end = W->begin[w + 1];
    double sum[HP_PHASES] = {0.0, 0.0};
    /* from the far end up: head[q] holds the density above q until the next loop */
    for (int64_t q = end - 1; q >= begin; --q) {
      const double p = r->p[W->cell[q]];
      double x[HP_PHASES], own[HP_PHASES];
      hp_perf_passes(r, W, q, own);
      for (int a = 0; a < HP_PHASES; ++a) {
        sum[a] += own[a];
        x[a] = sum[a] > 0.0 ? sum[a] : 0.0;
      }
      if (!(x[HP_OIL] + x[HP_WATER] > 0.0)) x[HP_OIL] = 1.0;
      W->head[q] = hp_mixture_density(hp_reservoir_fluid(r, W->cell[q]), p, x);
    }
    double depth = W->ref_depth[w], head = 0.0;
    for (int64_t q = begin; q < end; ++q) {
      head += W->head[q] * HP_GRAVITY * (W->depth[q] - depth);
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
    W->take_old[w] = W->take[w];
    W->switches[w] = 0;
    for (int64_t q = begin; q < end; ++q)
      for (int a = 0; a < HP_PHASES; ++a) W->rate_old[HP_PHASES * q + a] = W->rate[q].q[a];
  }
}

/* Back to the start of the step, before it is tried again with a shorter one. */
HP_INLINE HP_HD void hp_wells_restore(hp_team *t, const hp_wells *W) {
  HP_TEAM_FOR(t, w, W->nwell) {
    W->bhp[w] = W->bhp_old[w];
    W->mode[w] = W->mode_old[w];
    for (int a = 0; a < HP_PHASES; ++a) W->mix[2 * w + a] = W->mix_old[2 * w + a];
    W->take[w] = W->take_old[w];
    W->switches[w] = 0;
    for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
      for (int a = 0; a < HP_PHASES; ++a) W->rate[q].q[a] = W->rate_old[HP_PHASES * q + a];
  }
}

#endif
