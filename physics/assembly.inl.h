/* Assembly of the cell rows: each cell visits its own accumulation and its six
 * faces and writes its own row only, so there are no atomics and the sum of a
 * row has one order. Team programs; see physics/reservoir.h for their sequence.
 */
#ifndef HP_PHYSICS_ASSEMBLY_INL_H
#define HP_PHYSICS_ASSEMBLY_INL_H

#include <float.h>

#include "physics/flux.inl.h"
#include "physics/reservoir.h"

/* One cell's accumulation, PV (mass - mass_old) / dt in surface volumes: not yet scaled by `scale` = B_a. */
typedef struct {
  double mass[HP_PHASES], scale[HP_PHASES];
  double sum[HP_PHASES], diag[HP_PHASES][2]; /* the rows of its balance and their derivatives by p and s */
  double flow;                               /* what flows through its faces, of both phases, times B_a; not set here */
} hp_accumulation;

HP_INLINE HP_HD void hp_accumulate(const hp_reservoir *r, int64_t m, double dt, hp_cell_props *props,
                                   hp_accumulation *c) {
  hp_cell_mass mass;
  hp_cell_eval_at(hp_reservoir_fluid(r, m), hp_reservoir_sat(r, m, r->s[m]), r->p[m], r->s[m], props, &mass);
  if (hp_reservoir_compaction(r) != NULL) hp_compaction_mass(hp_reservoir_compaction(r), r->lowest, m, r->p[m], &mass);
  const double pv = r->pore_volume[m];
  for (int a = 0; a < HP_PHASES; ++a) {
    c->mass[a] = pv * mass.mass[a].v;
    c->scale[a] = 1.0 / mass.b[a];
    c->sum[a] = (c->mass[a] - r->mass_old[m * HP_PHASES + a]) / dt;
    c->diag[a][HP_P] = pv * mass.mass[a].dp / dt;
    if (r->softness > 0.0) c->diag[a][HP_P] += r->softness * c->mass[a] / (dt > HP_SOFT_DT ? dt : HP_SOFT_DT);
    c->diag[a][HP_S] = pv * mass.mass[a].ds / dt;
  }
}

/* Properties of all cells at p, s. The CPU also has the accumulation ready
 * here: mass, scale, R and the diagonal block of J (if not NULL); the GPU makes
 * it in hp_assemble_fluxes, which is less to move. Every cell writes its own
 * entries: no barrier inside. */
HP_INLINE HP_HD void hp_assemble_cells(hp_team *t, const hp_reservoir *r, double dt, const hp_gh *J, double *R) {
  HP_TEAM_FOR(t, m, r->ncell) {
    hp_cell_props c;
#if defined(__CUDA_ARCH__)
    hp_cell_mass mass;
    hp_reservoir_eval(r, m, r->p[m], r->s[m], &c, &mass);
    hp_props_store(&r->props, m, &c);
#else
    hp_accumulation own;
    hp_accumulate(r, m, dt, &c, &own);
    hp_props_store(&r->props, m, &c);
    for (int a = 0; a < HP_PHASES; ++a) {
      const int64_t row = m * HP_PHASES + a;
      r->mass[row] = own.mass[a];
      r->scale[row] = own.scale[a];
      R[row] = own.sum[a];
      if (J == NULL) continue;
      *hp_gh_entry(J, m, 0, a, HP_P) = own.diag[a][HP_P];
      *hp_gh_entry(J, m, 0, a, HP_S) = own.diag[a][HP_S];
    }
#endif
  }
}

/* Transmissibility of the face of cell m towards diagonal u = -3..3 (0: none). */
HP_INLINE HP_HD double hp_face_trans(const hp_reservoir *r, int64_t m, int u) {
  const int d = (u < 0 ? -u : u) - 1;
  const int64_t stride = d == HP_DIR_K ? 1 : d == HP_DIR_J ? (int64_t)r->nz : (int64_t)r->nz * r->ny;
  const int64_t lower = u < 0 ? m - stride : m;
  return lower < 0 ? 0.0 : r->trans[d][lower];
}

/* Thresholds that the potential difference of cells m and n must exceed for a phase to flow between them: of their regions,
 * and of what a fault gives the place `at` of `fault`, which may be NULL. */
HP_INLINE HP_HD hp_threshold hp_cells_threshold(const hp_reservoir *r, int64_t m, int64_t n, const double *fault,
                                                int64_t at) {
  hp_threshold t;
  t.there = t.back = 0.0;
  if (!HP_CELLS_DIFFER) return t;
  if (r->threshold != NULL && r->threshold_of != NULL) {
    const int a = r->threshold_of[m], b = r->threshold_of[n];
    t.there = r->threshold[a * r->nthreshold + b];
    t.back = r->threshold[b * r->nthreshold + a];
  }
  const double other = fault != NULL ? fault[at] : 0.0;
  if (other > t.there) t.there = other;
  if (other > t.back) t.back = other;
  return t;
}

/* The threshold of the face in direction d, whose lower cell is `lower`. */
HP_INLINE HP_HD hp_threshold hp_face_threshold(const hp_reservoir *r, int64_t m, int64_t n, int d, int64_t lower) {
  return hp_cells_threshold(r, m, n, r->fault_threshold[d], lower);
}

/* Row of an inactive cell, or of a ghost of a rank's part: identity, zero right-hand side. */
HP_INLINE HP_HD void hp_assemble_inactive(const hp_gh *J, double *R, int64_t m) {
  for (int a = 0; a < HP_PHASES; ++a) {
    R[m * HP_PHASES + a] = 0.0;
    if (J == NULL) continue;
    for (int u = -3; u <= 3; ++u)
      for (int b = 0; b < HP_PHASES; ++b) *hp_gh_entry(J, m, u, a, b) = u == 0 && a == b ? 1.0 : 0.0;
  }
}

/* The derivative by p of row a in a cell whose pressure is held, not yet scaled by B_a: as if the cell were connected
 * once more, to a cell of constant pressure, and compressible. The residual has no such part: in a group of rigid cells
 * the volumes balance, so the equations have a solution with any pressure of this cell, and Newton's method finds the
 * one where it stays. */
HP_INLINE HP_HD double hp_assemble_hold(const hp_reservoir *r, int64_t m, double dt, int a, double scale,
                                        double diagonal) {
  const double compressibility = 1e-9; /* [1/Pa] */
  const double share = a == HP_OIL ? 1.0 - r->s[m] : r->s[m];
  return 2.0 * diagonal + r->pore_volume[m] * compressibility * share / (scale * dt);
}

/* Both phases' entries of a cell, 16 bytes at once on a GPU; `at` stands at an even index. */
HP_INLINE HP_HD void hp_pair_get(const double *at, double out[HP_PHASES]) {
#if defined(__CUDA_ARCH__)
  const double2 v = *(const double2 *)(const void *)at;
  out[0] = v.x, out[1] = v.y;
#else
  out[0] = at[0], out[1] = at[1];
#endif
}

HP_INLINE HP_HD void hp_pair_put(double *at, double first, double second) {
#if defined(__CUDA_ARCH__)
  *(double2 *)(void *)at = make_double2(first, second);
#else
  at[0] = first, at[1] = second;
#endif
}

#if defined(__CUDA_ARCH__)
#include "physics/assembly_cuda.cuh"
#endif

/* Adds the six fluxes to R and J and scales the rows by B_a. Reads the
 * properties of the neighbours: a barrier must stand between
 * hp_assemble_cells and this. J may be NULL. flow [ncell*2]: entry 2 m becomes
 * what flows through the faces of cell m, sum over faces and phases of B_a times
 * hp_flux_size [m3/s], for hp_assemble_norms. */
HP_INLINE HP_HD void hp_assemble_fluxes(hp_team *t, const hp_reservoir *r, double dt, const hp_gh *J, double *R,
                                        double *flow) {
#if defined(__CUDA_ARCH__)
  hp_assemble_fluxes_cuda(t, r, dt, J, R, flow);
#else
  HP_TEAM_FOR(t, m, r->ncell) {
    if (!r->active[m]) {
      hp_assemble_inactive(J, R, m);
      continue;
    }
    const bool directed = hp_reservoir_is_directed(r);
    hp_cell_props own = hp_reservoir_props(r, m);
    double sum[HP_PHASES], diag[HP_PHASES][2], through = 0.0;
    const double scale[HP_PHASES] = {r->scale[m * HP_PHASES], r->scale[m * HP_PHASES + 1]};
    for (int a = 0; a < HP_PHASES; ++a) {
      sum[a] = R[m * HP_PHASES + a];
      diag[a][HP_P] = J != NULL ? *hp_gh_entry(J, m, 0, a, HP_P) : 0.0;
      diag[a][HP_S] = J != NULL ? *hp_gh_entry(J, m, 0, a, HP_S) : 0.0;
    }
    for (int u = -3; u <= 3; ++u) {
      if (u == 0) continue;
      const double T = hp_face_trans(r, m, u);
      if (T == 0.0) {
        if (J == NULL) continue;
        for (int a = 0; a < HP_PHASES; ++a) *hp_gh_entry(J, m, u, a, HP_P) = *hp_gh_entry(J, m, u, a, HP_S) = 0.0;
        continue;
      }
      const int d = (u < 0 ? -u : u) - 1;
      const int64_t stride = d == HP_DIR_K ? 1 : d == HP_DIR_J ? (int64_t)r->nz : (int64_t)r->nz * r->ny;
      const int64_t n = u < 0 ? m - stride : m + stride;
      const hp_cell_props other = hp_reservoir_props_towards(r, n, hp_face_of(d, u > 0));
      if (directed) own = hp_reservoir_props_towards(r, m, hp_face_of(d, u < 0));
      hp_flux f[HP_PHASES];
      hp_flux_face(T, HP_GRAVITY * (r->depth[m] - r->depth[n]), hp_face_threshold(r, m, n, d, u < 0 ? n : m), &own,
                   &other, f);
      for (int a = 0; a < HP_PHASES; ++a) {
        sum[a] += f[a].v;
        through += scale[a] * hp_flux_size(&f[a]);
        diag[a][HP_P] += f[a].dp_own;
        diag[a][HP_S] += f[a].ds_own;
        if (J == NULL) continue;
        *hp_gh_entry(J, m, u, a, HP_P) = scale[a] * f[a].dp_other;
        *hp_gh_entry(J, m, u, a, HP_S) = scale[a] * f[a].ds_other;
      }
    }
    flow[m * HP_PHASES] = through;
    for (int a = 0; a < HP_PHASES; ++a) {
      R[m * HP_PHASES + a] = scale[a] * sum[a];
      if (J == NULL) continue;
      if (r->active[m] == HP_CELL_HELD) diag[a][HP_P] = hp_assemble_hold(r, m, dt, a, scale[a], diag[a][HP_P]);
      *hp_gh_entry(J, m, 0, a, HP_P) = scale[a] * diag[a][HP_P];
      *hp_gh_entry(J, m, 0, a, HP_S) = scale[a] * diag[a][HP_S];
    }
  }
#endif
}

/* The face of cell m through which flow leaves it towards n, by connection `of` beyond the lattice, for tables that differ by it:
 * along i where the cells differ in i, else along j where they differ in j. */
HP_INLINE HP_HD int hp_link_face(const hp_reservoir *r, int64_t m, int64_t n, int64_t of) {
  const int64_t layer = (int64_t)r->nz * r->ny;
  int face = m / layer != n / layer ? HP_FACE_I : m / r->nz != n / r->nz ? HP_FACE_J : HP_FACE_K;
  if (r->link_face != NULL) face = r->link_face[of];
  return m < n ? face : hp_face_across(face);
}

/* Adds the fluxes of the connections beyond the lattice to R, J and flow, whose rows are scaled already: a barrier must
 * stand between hp_assemble_fluxes and this, and is needed where there are any, since a row is worked on by the member
 * that its place among the rows with connections gives. J may be NULL. */
HP_INLINE HP_HD void hp_assemble_links(hp_team *t, const hp_reservoir *r, const hp_gh *J, double *R, double *flow) {
  const hp_links *L = &r->links;
  HP_TEAM_FOR(t, row, L->nrow) {
    const int64_t m = L->cell[row];
#if !defined(__CUDA_ARCH__) || defined(HP_DEVICE_RANKS)
    if (!r->active[m]) continue; /* a ghost: its row is another rank's */
#endif
    const bool directed = hp_reservoir_is_directed(r);
    hp_cell_props own = hp_reservoir_props(r, m);
    for (int64_t e = L->begin[row]; e < L->begin[row + 1]; ++e) {
      const int64_t n = L->other[e];
      const int face = directed ? hp_link_face(r, m, n, L->of[e]) : HP_FACE_I;
      const hp_cell_props other = hp_reservoir_props_towards(r, n, hp_face_across(face));
      if (directed) own = hp_reservoir_props_towards(r, m, face);
      hp_flux f[HP_PHASES];
      hp_flux_face(r->link_trans[L->of[e]], HP_GRAVITY * (r->depth[m] - r->depth[n]),
                   hp_cells_threshold(r, m, n, r->link_threshold, L->of[e]), &own, &other, f);
      for (int a = 0; a < HP_PHASES; ++a) {
        const double scale = r->scale[m * HP_PHASES + a];
        R[m * HP_PHASES + a] += scale * f[a].v;
        flow[m * HP_PHASES] += scale * hp_flux_size(&f[a]);
        if (J == NULL) continue;
        *hp_gh_entry(J, m, 0, a, HP_P) += scale * f[a].dp_own;
        *hp_gh_entry(J, m, 0, a, HP_S) += scale * f[a].ds_own;
        *hp_gh_link(J, e, a, HP_P) = scale * f[a].dp_other;
        *hp_gh_link(J, e, a, HP_S) = scale * f[a].ds_other;
      }
    }
  }
}

/* Takes out of the rows of a cell that holds the pressure of a closed part the volume that hp_assemble_drop will drop: that of all the
 * part, which no iteration changes. */
HP_INLINE HP_HD void hp_assemble_forgive(const hp_reservoir *r, int64_t m, double dt, double row[HP_PHASES]) {
  const double left = row[HP_OIL] + row[HP_WATER], s = r->s[m];
  if (!(dt * fabs(left) <= 0.99 * HP_SQUEEZE_ROUGH * r->pore_volume[m])) return;
  row[HP_OIL] -= (1.0 - s) * left;
  row[HP_WATER] -= s * left;
}

/* Sums and maxima that make CNV, MB and the flow norm, the same on every member, and b = -R in the cells' rows, for R is read
 * here anyway. b comes in as hp_assemble_fluxes' flow. A barrier must stand between the last writes to R and this.
 *
 * The flow norm of a cell is what does not balance in it by what flows through it. CNV alone would not do: it is
 * relative to the pore volume, so in a short step a cell that passes CNV may be out of balance by all that flows through
 * it. What is left over is carried, and is a source in the next step that can exceed the true flow; where small
 * potential differences decide which phase flows where, saturations drift. What is below the tolerance of HP_FLOW_FLOOR
 * of the pore volume in a step never matters. Where nothing is compressible no more than the tolerance of HP_SQUEEZE_SHARE of
 * what flows through a cell and of HP_SQUEEZE_FLOOR of its pore volume may be left of the volume of both phases: all of it must leave
 * the cell in the next step, however short that is. */
HP_INLINE HP_HD void hp_assemble_norms(hp_team *t, const hp_reservoir *r, double dt, const double *R, double *b,
                                       hp_norm_sums *out) {
  double worst[HP_PHASES] = {0.0, 0.0}, drift = 0.0;
  int64_t where[HP_PHASES] = {-1, -1}, drifts = -1;
  HP_TEAM_REDUCE(t, m, r->ncell, 2) {
    double row[HP_PHASES];
    const double through = b[m * HP_PHASES];
    hp_pair_get(R + m * HP_PHASES, row);
    hp_pair_put(b + m * HP_PHASES, -row[0], -row[1]);
    if (r->active[m] == HP_CELL_HELD) hp_assemble_forgive(r, m, dt, row);
    if (r->active[m]) {
      double share = (fabs(row[0]) + fabs(row[1])) / (through + HP_FLOW_FLOOR * r->pore_volume[m] / dt);
      const double squeezed = fabs(row[0] + row[1]) /
                              (HP_SQUEEZE_SHARE * through + HP_SQUEEZE_FLOOR * r->pore_volume[m] / dt);
      if (r->softness > 0.0 && squeezed > share) share = squeezed;
      if (!(share <= DBL_MAX)) share = DBL_MAX;
      if (drifts < 0 || share > drift) {
        drift = share;
        drifts = m;
      }
    }
    for (int a = 0; a < HP_PHASES; ++a) {
      const double value = row[a];
      if (r->active[m]) {
        double size = (value < 0.0 ? -value : value) / r->pore_volume[m];
        if (!(size <= DBL_MAX)) size = DBL_MAX; /* a NaN is the worst of all */
        HP_ACC(a) += value;
        if (where[a] < 0 || size > worst[a]) {
          worst[a] = size;
          where[a] = m;
        }
      }
    }
  }
  HP_TEAM_REDUCE_END(t);
  hp_team_sum(t, r->ncell, 2, out->sum);
  for (int a = 0; a < HP_PHASES; ++a) hp_team_max(t, worst[a], where[a], &out->largest[a], &out->worst[a]);
  hp_team_max(t, drift, drifts, &out->flow, &out->worst_flow);
}

/* Takes out of the balance of cell m what is left of the volume of both phases, if it is no more than `drop` of all:
 * where nothing is compressible and no well flows no later step could make up for it. What is left of a part that is closed comes
 * together in the cell that holds its pressure, and would from step to step. */
HP_INLINE HP_HD void hp_assemble_drop(const hp_reservoir *r, int64_t m, double dt, double drop, const double *R) {
  const int64_t o = m * HP_PHASES + HP_OIL, w = m * HP_PHASES + HP_WATER;
  const double left = dt * (R[o] + R[w]), volume = r->mass[o] * r->scale[o] + r->mass[w] * r->scale[w];
  if (!(fabs(left) <= (r->active[m] == HP_CELL_HELD ? HP_SQUEEZE_ROUGH : drop) * volume)) return;
  r->mass_old[o] += left / volume * r->mass[o];
  r->mass_old[w] += left / volume * r->mass[w];
}

/* Replaces the mass in place by the balance at the end of a step, mass - dt R.
 * What Newton's method left over in a step is so made up for in the next, and the
 * mass balance error of a run does not grow with its number of steps. */
HP_INLINE HP_HD void hp_assemble_carry(hp_team *t, const hp_reservoir *r, double dt, double drop, const double *R) {
  HP_TEAM_FOR(t, row, r->ncell * HP_PHASES) { r->mass_old[row] = r->mass[row] - dt * R[row] / r->scale[row]; }
  if (!(r->softness > 0.0)) return;
  hp_team_sync(t);
  HP_TEAM_FOR(t, m, r->ncell) {
    if (r->active[m]) hp_assemble_drop(r, m, dt, drop, R);
  }
}

#endif
