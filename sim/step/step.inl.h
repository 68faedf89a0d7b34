/* The team programs of a time step: everything between two linear solves.
 *
 *     hp_step_begin       remember the state; heads and first guesses of the wells
 *     hp_step_assemble    p, s, bhp -> R, J, b = -R and the norms      } until the
 *       (linear solve)    J x = b                                     } norms are
 *     hp_step_update      x -> p, s, bhp, within Newton's limits       } small
 *     hp_step_accept      carry the balance; what the step changed, what is in place
 *     hp_step_error       after a solve with what accept left in b: the error in time is carried over
 *     hp_step_show        the state less its error in time, until the next step begins
 *     hp_step_restore     instead, after a failure: back to the remembered state
 *
 * Each is one run of a team (one kernel on a device): what it writes is visible
 * to the next. hp_step_start follows the first evaluation of a run.
 */
#ifndef HP_SIM_STEP_STEP_INL_H
#define HP_SIM_STEP_STEP_INL_H

#include "physics/aquifer.inl.h"
#include "physics/assembly.inl.h"
#include "sim/step/step.h"
#include "sim/step/time_error.inl.h"
#include "wells/assembly.inl.h"
#include "wells/head.inl.h"

/* Seconds of a clock that only differences are taken of. */
HP_INLINE HP_HD double hp_step_clock(void) {
#if defined(__CUDA_ARCH__)
  uint64_t nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  return 1e-9 * (double)nanoseconds;
#else
  return hp_now();
#endif
}

/* Adds what passed since *since to the operation, by the clock of member 0. */
HP_INLINE HP_HD void hp_step_lap(const hp_team *t, hp_step_report *out, hp_profile_op op, double *since) {
  if (t->rank != 0) return;
  const double now = hp_step_clock();
  out->seconds[op] += now - *since;
  *since = now;
}

/* NULL: there are none. On a GPU a constant where the kernels have no place for them. */
HP_INLINE HP_HD const hp_aquifers *hp_step_aquifers(const hp_step *S) { return HP_CELLS_DIFFER ? S->aquifers : NULL; }

/* Whether there are connections beyond the lattice. On a GPU a constant where the kernels have no place for them. */
HP_INLINE HP_HD bool hp_step_is_linked(const hp_step *S) { return HP_CELLS_DIFFER && hp_gh_is_linked(S->J); }

/* Largest relative residual of the wells' controls, or excess over their limits. A barrier must stand
 * between hp_wells_assemble_rows and this; contains one. */
HP_INLINE HP_HD void hp_step_look_at_wells(hp_team *t, const hp_wells *W, hp_step_report *out) {
  double worst = 0.0;
  int64_t where = -1;
  HP_TEAM_FOR(t, w, W->nwell) {
    int limit;
    const double excess = hp_control_excess(W, (int)w, &limit);
    double size = fabs(W->residual[w]);
    if (excess > size) size = excess;
    const double mix = hp_well_mix_error(W, (int)w);
    if (mix > size) size = mix;
    if (hp_well_has_segments(W, (int)w)) {
      const double lacks = HP_BHP_WEIGHT * W->segment_error[w] / (W->bhp[w] > 1.0 ? W->bhp[w] : 1.0);
      if (!(lacks <= size)) size = lacks;
    }
    if (!(size <= DBL_MAX)) size = DBL_MAX; /* a NaN is the worst of all */
    if (size > worst) {
      worst = size;
      where = w;
    }
  }
  hp_team_max_here(t, worst, where, &worst, &where);
  if (t->rank != 0) return;
  out->well_residual = where >= 0 ? worst : 0.0;
  out->worst_well = (int32_t)where;
  out->worst_mode = where >= 0 ? (int32_t)W->mode[where] : (int32_t)HP_CONTROL_SHUT;
  out->beyond = 0;
  if (where < 0) return;
  int limit;
  if (!(hp_control_excess(W, (int)where, &limit) > fabs(W->residual[where]))) return;
  out->worst_mode = limit;
  out->beyond = 1;
}

/* Residual, norms and, with `jacobian`, J at the current state; b = -R. With
 * `control`, wells may switch; retry: a well that may take up a control again,
 * -1: none. */
HP_INLINE HP_HD void hp_step_assemble(hp_team *t, const hp_step *S, double dt, bool jacobian, bool control, int retry,
                                      hp_step_report *out) {
  const hp_reservoir *r = S->res;
  const hp_wells *W = S->wells;
  const hp_gh *J = jacobian ? S->J : NULL;
  const int64_t rows = r->ncell * HP_PHASES;
  double since = t->rank == 0 ? hp_step_clock() : 0.0;

  hp_assemble_cells(t, r, dt, J, S->R);
  hp_team_sync(t);
  hp_step_lap(t, out, HP_PROF_PROPERTIES, &since);

  hp_wells_rates(t, r, W);
  hp_assemble_fluxes(t, r, dt, J, S->R, S->b);
  hp_team_sync(t);
  if (hp_step_is_linked(S)) {
    hp_assemble_links(t, r, J, S->R, S->b);
    hp_team_sync(t);
  }
  if (hp_step_aquifers(S) != NULL) {
    hp_assemble_aquifers(t, r, hp_step_aquifers(S), J, S->R);
    hp_team_sync(t);
  }
  hp_step_lap(t, out, HP_PROF_ASSEMBLY, &since);

  if (control) {
    hp_wells_control(t, W, retry);
    hp_team_sync(t);
    hp_wells_rates(t, r, W);
    hp_team_sync(t);
  }
  hp_wells_assemble_cells(t, r, W, J, S->R);
  hp_wells_assemble_rows(t, W, J, S->R + rows);
  hp_team_sync(t);
  hp_step_lap(t, out, HP_PROF_WELLS, &since);

  hp_norm_sums norms;
  hp_assemble_norms(t, r, dt, S->R, S->b, &norms);
  HP_TEAM_FOR(t, w, W->nrow) { S->b[rows + w] = -S->R[rows + w]; }
  hp_step_look_at_wells(t, W, out);
  if (t->rank == 0) {
    out->sums.norms = norms;
    hp_step_conclude_norms(r->total_pore_volume, dt, out);
  }
  hp_step_lap(t, out, HP_PROF_UPDATE, &since);
}

/* Appleyard's rule: a saturation stops once at an end point of a mobility, and where a formula's pc is cut,
 * before it passes, so that Newton's method sees the kink. */
HP_INLINE HP_HD double hp_step_stop_at(double s, double next, double point) {
  return (s < point && next > point) || (s > point && next < point) ? point : next;
}

HP_INLINE HP_HD double hp_step_saturation(hp_sat_range f, double s, double ds, double max_ds) {
  double next = s + (ds > max_ds ? max_ds : ds < -max_ds ? -max_ds : ds);
  next = hp_step_stop_at(s, next, f.water_mobile);
  next = hp_step_stop_at(s, next, f.oil_immobile);
  next = hp_step_stop_at(s, next, f.pc_max);
  return next < 0.0 ? 0.0 : next > 1.0 ? 1.0 : next;
}

/* Pressures [Pa] below this size change by as much in an iteration as this one may: what has been drawn down to an
 * atmosphere gets away from there again, and what goes through 0 does not stop before it. */
#define HP_STEP_LEAST_PRESSURE 1e7

/* The most that pressure p may change in an iteration. */
HP_INLINE HP_HD double hp_step_pressure_limit(const hp_step *S, double p) {
  const double size = fabs(p);
  const double most = S->max_dp_relative * (size > HP_STEP_LEAST_PRESSURE ? size : HP_STEP_LEAST_PRESSURE);
  return most < S->most_dp ? most : S->most_dp;
}

/* Adds x to the state, within the limits of an iteration. */
HP_INLINE HP_HD void hp_step_update(hp_team *t, const hp_step *S, hp_step_report *out) {
  const hp_reservoir *r = S->res;
  double since = t->rank == 0 ? hp_step_clock() : 0.0;
  HP_TEAM_FOR(t, m, r->ncell) {
    if (r->active[m]) {
      const double most = hp_step_pressure_limit(S, r->p[m]), dp = S->share * S->x[m * HP_PHASES + HP_P];
      r->p[m] += dp > most ? most : dp < -most ? -most : dp;
      r->s[m] = hp_step_saturation(hp_reservoir_range(r, m), r->s[m], S->share * S->x[m * HP_PHASES + HP_S], S->max_ds);
    }
  }
  HP_TEAM_FOR(t, w, S->wells->nwell) {
    /* where the level of the pressure moves as a whole, a bhp moves no farther than its cells */
    const double most = r->softness > 0.0 ? hp_step_pressure_limit(S, S->wells->bhp[w]) : DBL_MAX;
    const double dp = S->share * S->x[r->ncell * HP_PHASES + w];
    if (hp_well_crossing(S->wells, (int)w) > 0.0) continue; /* x is not its bhp's */
    S->wells->bhp[w] += dp > most ? most : dp < -most ? -most : dp;
  }
  hp_step_lap(t, out, HP_PROF_UPDATE, &since);
}

/* Takes saturations that are the least so far (`drain`), and computes what follows from those of hysteresis, also after a restart. */
HP_INLINE HP_HD void hp_step_turn(hp_team *t, const hp_reservoir *r, bool drain) {
  const hp_hysteresis *h = hp_reservoir_hysteresis(r);
  if (h == NULL) return;
  HP_TEAM_FOR(t, m, r->ncell) {
    double *turn = r->turn + m * HP_TURNS;
    if (drain && r->s[m] < r->driest[m]) r->driest[m] = r->s[m];
    if (turn[HP_TURN_AT] != r->driest[m])
      hp_hysteresis_turn(h, &hp_reservoir_fluid(r, m)->sat, r->end_points != NULL ? &r->end_points[m] : NULL, m,
                         r->driest[m], turn);
  }
}

/* Remembers the state; heads, and first guesses of wells that just opened. */
HP_INLINE HP_HD void hp_step_begin(hp_team *t, const hp_step *S, hp_step_report *out) {
  double since = t->rank == 0 ? hp_step_clock() : 0.0;
  if (S->shown) {
    HP_TEAM_FOR(t, m, S->res->ncell) {
      if (S->res->p_shown != NULL) {
        S->res->p_shown[m] = S->res->p[m];
        S->res->s_shown[m] = S->res->s[m];
      }
      S->res->p[m] = S->res->p_old[m];
      S->res->s[m] = S->res->s_old[m];
    }
    hp_team_sync(t);
  } else {
    HP_TEAM_FOR(t, m, S->res->ncell) {
      S->res->p_old[m] = S->res->p[m];
      S->res->s_old[m] = S->res->s[m];
    }
  }
  hp_step_turn(t, S->res, false);
  if (hp_step_aquifers(S) != NULL) hp_aquifers_begin(t, S->res, hp_step_aquifers(S));
  hp_wells_heads(t, S->res, S->wells);
  hp_step_lap(t, out, HP_PROF_UPDATE, &since);
}

/* Back to the remembered state. */
HP_INLINE HP_HD void hp_step_restore(hp_team *t, const hp_step *S, hp_step_report *out) {
  double since = t->rank == 0 ? hp_step_clock() : 0.0;
  HP_TEAM_FOR(t, m, S->res->ncell) {
    S->res->p[m] = S->res->p_old[m];
    S->res->s[m] = S->res->s_old[m];
  }
  hp_wells_restore(t, S->wells);
  hp_step_lap(t, out, HP_PROF_UPDATE, &since);
}

/* Surface volumes in place and the average pressure; contains one barrier. */
HP_INLINE HP_HD void hp_step_in_place(hp_team *t, const hp_reservoir *r, hp_step_report *out) {
  double sum[6];
  HP_TEAM_REDUCE(t, m, r->ncell, 6) {
    if (r->active[m]) {
      const double pv = r->pore_volume[m] * hp_reservoir_rock(r, m, r->p[m]).v;
      HP_ACC(0) += r->mass[m * HP_PHASES + HP_OIL];
      HP_ACC(1) += r->mass[m * HP_PHASES + HP_WATER];
      HP_ACC(2) += pv * (1.0 - r->s[m]) * r->p[m];
      HP_ACC(3) += pv * (1.0 - r->s[m]);
      HP_ACC(4) += pv * r->p[m];
      HP_ACC(5) += pv;
    }
  }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum(t, r->ncell, 6, sum);
  if (t->rank != 0) return;
  for (int n = 0; n < 6; ++n) out->sums.in_place[n] = sum[n];
  hp_step_conclude_place(out);
}

/* Largest saturation change since the start of the step; contains one barrier. */
HP_INLINE HP_HD void hp_step_change(hp_team *t, const hp_step *S, hp_step_report *out) {
  double largest = -1.0;
  int64_t where = -1;
  HP_TEAM_FOR(t, m, S->res->ncell) {
    const double ds = fabs(S->res->s[m] - S->res->s_old[m]);
    if (ds > largest) {
      largest = ds;
      where = m;
    }
  }
  hp_team_max(t, largest, where, &largest, &where);
  if (t->rank != 0) return;
  out->sums.change = largest;
  out->sums.changed = where;
  hp_step_conclude_change(out);
}

/* The lowest pressures of rock that stays compacted. */
HP_INLINE HP_HD void hp_step_compact(hp_team *t, const hp_reservoir *r) {
  if (hp_reservoir_compaction(r) == NULL || r->lowest == NULL) return;
  HP_TEAM_FOR(t, m, r->ncell) {
    if (r->p[m] < r->lowest[m]) r->lowest[m] = r->p[m];
  }
}

/* Ends a converged step of length dt: carries the balance into the next one,
 * rates of the wells, what is in place. */
HP_INLINE HP_HD void hp_step_accept(hp_team *t, const hp_step *S, double dt, hp_step_report *out) {
  const hp_wells *W = S->wells;
  double since = t->rank == 0 ? hp_step_clock() : 0.0;
  if (S->res->error != NULL) hp_time_error_begin(t, S, dt, out);
  hp_assemble_carry(t, S->res, dt, S->drop, S->R);
  HP_TEAM_FOR(t, i, W->nwell) {
    const int w = (int)i;
    W->running[w] = W->mode[w] != HP_CONTROL_SHUT;
    hp_wells_keep_densities(W, w);
    hp_well_total(W, w, S->row[w].rate);
    S->row[w].bhp = W->bhp[w];
    S->row[w].mode = W->mode[w];
  }
  hp_step_change(t, S, out);
  hp_step_in_place(t, S->res, out);
  hp_step_compact(t, S->res);
  hp_step_turn(t, S->res, true);
  hp_step_lap(t, out, HP_PROF_UPDATE, &since);
}

/* Carries the error in time over a step of length dt (sim/step/time_error.inl.h). */
HP_INLINE HP_HD void hp_step_error(hp_team *t, const hp_step *S, double dt, bool solved, hp_step_report *out) {
  double since = t->rank == 0 ? hp_step_clock() : 0.0;
  hp_time_error_end(t, S, dt, solved, out);
  hp_step_lap(t, out, HP_PROF_ERROR, &since);
}

/* Shows the corrected state. */
HP_INLINE HP_HD void hp_step_show(hp_team *t, const hp_step *S, hp_step_report *out) {
  double since = t->rank == 0 ? hp_step_clock() : 0.0;
  if (S->correction.again != 0) hp_time_error_show_again(t, S);
  else if (S->correction.measures != 0) hp_time_error_measure(t, S, out);
  else hp_time_error_show(t, S, out);
  hp_step_lap(t, out, HP_PROF_ERROR, &since);
}

/* The end of the first evaluation of a run (a step of HP_STEP_START_DT): what is in place at time zero is what the
 * balance starts from. */
HP_INLINE HP_HD void hp_step_start(hp_team *t, const hp_step *S, hp_step_report *out) {
  const hp_reservoir *r = S->res;
  HP_TEAM_FOR(t, row, r->ncell * HP_PHASES) { r->mass_old[row] = r->mass[row]; }
  hp_step_turn(t, r, false);
  hp_step_in_place(t, r, out);
}

#endif
