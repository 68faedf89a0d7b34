#include "sim/backend/jacobian.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "physics/assembly.inl.h"
#include "sim/backend/backend.h"
#include "wells/assembly.inl.h"

enum { GROUPS = 7 };
static const double STEP_P = 20.0, STEP_S = 1e-7; /* [Pa], [-] */

typedef struct {
  hp_backend *B;
  hp_reservoir *res;
  hp_wells *wells;
  const hp_part *part; /* NULL: all cells are here */
  double dt;
  bool measures;               /* entries for their sizes, which say what counts as a kink */
  double *base, *plus, *minus; /* [n] residuals at the state and at both sides; then, in plus the central difference, in
                                  minus the gap between the two one-sided ones */
  double *scale;               /* [ncell*2] row scaling that J was built with */
  double *state;               /* [ncell*2+4*nwell] p, s, bhp, mixtures and shares of inflow between differences */
  bool *follows;               /* [nwell] the row of the well has the slopes of its mixture */
  double *crossing;            /* [nwell] hp_well_crossing */
  const hp_gh *J;
  int64_t n; /* of its rows */
  hp_jacobian_errors *found;
} check;

/* ---- cells ---- */

static int64_t whole_cell(const check *c, int64_t m) { return c->part != NULL ? c->part->global[m] : m; }

/* -1: there is no cell at that place of a part. */
static int group_of(const check *c, int64_t m) {
  const int64_t cell = whole_cell(c, m);
  if (cell < 0) return -1;
  const int64_t nz = c->part != NULL ? c->part->size[0] : c->res->nz,
                ny = c->part != NULL ? c->part->size[1] : c->res->ny;
  const int64_t areal = cell / nz;
  return (int)((areal / ny + 2 * (areal % ny) + 3 * (cell % nz)) % GROUPS);
}

/* Every rank has the rows of all wells. */
static bool has_well(const check *c, int w) { return c->part == NULL || c->part->owns_well[w]; }

/* ---- comparisons ---- */

/* A derivative between one-sided differences that are far apart cannot be judged wrong: an upstream direction or a table's
 * row changes within the step. */
static void compare(check *c, int kind, int64_t where, double entry, double difference, double gap) {
  hp_jacobian_errors *f = c->found;
  if (c->measures) {
    if (fabs(entry) > f->size[kind]) f->size[kind] = fabs(entry);
    return;
  }
  double error = fabs(entry - difference);
  if (error > 1e-7 * f->size[kind] && gap > 1e-5 * fabs(entry) && error <= gap) {
    f->kinks += 1;
    return;
  }
  if (!(error <= DBL_MAX)) error = DBL_MAX; /* a NaN is the worst of all */
  if (error < f->error[kind] || error == 0.0) return;
  if (error == f->error[kind] && f->where[kind] < where) return;
  f->error[kind] = error;
  f->where[kind] = where;
}

static void compare_cell(check *c, int64_t m, int a, int b, double entry) {
  const int64_t row = m * HP_PHASES + a;
  compare(c, HP_JACOBIAN_OIL_P + a * 2 + b, whole_cell(c, m), entry, c->scale[row] * c->plus[row],
          c->scale[row] * c->minus[row]);
}

/* The rows of a cell with connections, from entry e to end of these: sums over the group's columns. */
static void compare_linked(check *c, int64_t m, int64_t e, int64_t end, int group, int b) {
  const hp_links *L = &c->res->links;
  if (c->res->active[m] == HP_CELL_HELD) return; /* on purpose (hp_assemble_hold) */
  for (int a = 0; a < HP_PHASES; ++a) {
    double sum = 0.0;
    bool any = false;
    for (int u = -3; u <= 3; ++u) {
      const int64_t n = m + hp_gh_offset(c->J, u);
      if (n < 0 || n >= c->res->ncell || group_of(c, n) != group) continue;
      if (u != 0 && hp_face_trans(c->res, m, u) == 0.0) continue;
      sum += *hp_gh_entry(c->J, m, u, a, b);
      any = true;
    }
    for (int64_t k = e; k < end; ++k) {
      if (group_of(c, L->other[k]) != group) continue;
      sum += *hp_gh_link(c->J, k, a, b);
      any = true;
    }
    if (any) compare_cell(c, m, a, b, sum);
  }
}

/* Column b of all cells in the group. Ghosts are not active: their rows are other ranks'. */
static void compare_cells(check *c, int group, int b) {
  const hp_reservoir *r = c->res;
  for (int64_t m = 0; m < r->ncell; ++m) {
    int64_t begin, end;
    if (!r->active[m]) continue;
    hp_links_of(&r->links, m, &begin, &end);
    if (end > begin) {
      compare_linked(c, m, begin, end, group, b);
      continue;
    }
    for (int u = -3; u <= 3; ++u) {
      const int64_t n = m + hp_gh_offset(c->J, u);
      if (n < 0 || n >= r->ncell || group_of(c, n) != group) continue;
      if (u != 0 && hp_face_trans(r, m, u) == 0.0) continue;
      if (u == 0 && b == HP_P && r->active[m] == HP_CELL_HELD) continue; /* on purpose (hp_assemble_hold) */
      for (int a = 0; a < HP_PHASES; ++a) compare_cell(c, m, a, b, *hp_gh_entry(c->J, m, u, a, b));
    }
  }
}

/* Column b of all cells in the group, in the rows of wells. */
static void compare_controls(check *c, int group, int b) {
  const hp_wells *W = c->wells;
  const int64_t rows = c->res->ncell * HP_PHASES;
  for (int w = 0; w < W->nwell; ++w) {
    double sum = 0.0;
    if (!has_well(c, w)) continue;
    for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
      if (group_of(c, W->cell[q]) == group) sum += c->J->wells.w[W->slot[q] * HP_PHASES + b];
    compare(c, HP_JACOBIAN_CONTROL_P + b, w, sum, c->plus[rows + w], c->minus[rows + w]);
  }
}

/* Whether the bhp of well w at its tubing-head pressure moves as a given one does. */
static bool has_no_lift(const hp_wells *W, int w) {
  double q[HP_PHASES], by[HP_PHASES];
  hp_well_total(W, w, q);
  if (!hp_well_flows(W, w, q)) return true;
  (void)hp_lift_asked(W, w, q, by);
  return !(hp_well_lift_slope(W, w, by) > HP_LIFT_FLAT);
}

/* The column of a well. */
static void compare_well(check *c, int w) {
  const hp_wells *W = c->wells;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q)
    for (int a = 0; a < HP_PHASES; ++a) {
      const int64_t row = W->cell[q] * HP_PHASES + a;
      if (!c->res->active[W->cell[q]]) continue;
      compare(c, HP_JACOBIAN_OIL_BHP + a, whole_cell(c, W->cell[q]), c->J->wells.wt[W->slot[q] * HP_PHASES + a],
              c->scale[row] * c->plus[row], c->scale[row] * c->minus[row]);
    }
  const int64_t row = c->res->ncell * HP_PHASES + w;
  if (hp_control_is_rate(W->mode[w]) && hp_control_has_no_slope(W, w)) return; /* on purpose (hp_well_row_rate) */
  if (W->mode[w] == HP_CONTROL_THP && has_no_lift(W, w)) return;               /* likewise (hp_well_row_thp) */
  const double firm = c->crossing[w] > 0.0 ? 1.0 + HP_CROSSING_FIRM : 1.0;
  if (has_well(c, w)) compare(c, HP_JACOBIAN_CONTROL_BHP, w, c->J->wells.dd[w] / firm, c->plus[row], c->minus[row]);
}

/* ---- differences ---- */

/* Moves the unknown of a well by h. */
static void shift_well(const check *c, int w, double h) {
  hp_wells *W = c->wells;
  const double part = c->crossing[w] > 0.0 ? h / c->crossing[w] : 0.0;
  if (part == 0.0) W->bhp[w] += h;
  else if (W->control[w].injector) W->inflow_share[w] *= 1.0 - part;
  else
    for (int a = 0; a < HP_PHASES; ++a) W->mix[HP_PHASES * w + a] *= 1.0 + part;
}

/* Moves every unknown b of the group, or the well's, by h. */
static void shift(const check *c, int group, int b, int well, double h) {
  if (well >= 0) {
    shift_well(c, well, h);
    return;
  }
  double *x = b == HP_P ? c->res->p : c->res->s;
  for (int64_t m = 0; m < c->res->ncell; ++m)
    if (c->res->active[m] && group_of(c, m) == group) x[m] += h;
}

/* The state, to the bit: adding and subtracting a step leaves a rounding error. */
static void keep_state(const check *c) {
  const int64_t n = c->res->ncell;
  memcpy(c->state, c->res->p, (size_t)n * sizeof *c->state);
  memcpy(c->state + n, c->res->s, (size_t)n * sizeof *c->state);
  if (c->wells->nwell == 0) return;
  memcpy(c->state + 2 * n, c->wells->bhp, (size_t)c->wells->nwell * sizeof *c->state);
  memcpy(c->state + 2 * n + c->wells->nwell, c->wells->mix, (size_t)c->wells->nwell * 2 * sizeof *c->state);
  memcpy(c->state + 2 * n + 3 * (int64_t)c->wells->nwell, c->wells->inflow_share,
         (size_t)c->wells->nwell * sizeof *c->state);
}

static void restore_state(const check *c) {
  const int64_t n = c->res->ncell;
  memcpy(c->res->p, c->state, (size_t)n * sizeof *c->state);
  memcpy(c->res->s, c->state + n, (size_t)n * sizeof *c->state);
  if (c->wells->nwell == 0) return;
  memcpy(c->wells->bhp, c->state + 2 * n, (size_t)c->wells->nwell * sizeof *c->state);
  memcpy(c->wells->mix, c->state + 2 * n + c->wells->nwell, (size_t)c->wells->nwell * 2 * sizeof *c->state);
  memcpy(c->wells->inflow_share, c->state + 2 * n + 3 * (int64_t)c->wells->nwell,
         (size_t)c->wells->nwell * sizeof *c->state);
}

/* One evaluation at the host's state, controls held. */
static hp_status evaluate(const check *c, bool jacobian, hp_backend_system *out) {
  hp_step_report step;
  hp_backend *B = c->B;
  if (c->part != NULL) {
    hp_part_renew_all(c->part, c->res->p, 1, false);
    hp_part_renew_all(c->part, c->res->s, 1, false);
  }
  HP_TRY(hp_backend_put(B, HP_ARRAYS_STATE | HP_SET_WELLS));
  HP_TRY(B->ops->assemble(B, c->dt, jacobian, false, -1, &step));
  return B->ops->system(B, jacobian, out);
}

/* Whether the row of well w follows its mixture. */
static bool follows_mixture(const hp_wells *W, int w) {
  double of_rate[HP_PHASES], of_mixture[HP_PHASES];
  if (!hp_control_is_rate(W->mode[w])) return false;
  hp_well_row_weights(W, w, of_rate);
  hp_well_mixture_weights(W, w, of_rate, of_mixture);
  return of_mixture[HP_OIL] != 0.0 || of_mixture[HP_WATER] != 0.0;
}

/* Mixtures of wells whose rows follow them become those of their inflow in the last evaluation. */
static hp_status renew_mixtures(const check *c) {
  HP_TRY(hp_backend_get(c->B, HP_SET_WELLS));
  for (int w = 0; w < c->wells->nwell; ++w)
    if (c->follows[w]) hp_producer_mix(c->wells, w, c->wells->mix + 2 * w);
  return HP_OK;
}

/* A well at a tubing-head pressure begins as Newton's method would have it: there its row has all slopes. */
static void meet_lift(hp_wells *W, int w) {
  bool still;
  if (W->mode[w] != HP_CONTROL_THP) return;
  const int other = hp_control_choose_rate(W, w);
  const double from = hp_control_bhp_at(W, w, other);
  W->bhp[w] = hp_control_lift_bhp(W, w, from, &still);
  if (W->bhp[w] == from) W->mode[w] = (uint8_t)other;
}

/* Evaluates J at the host's state, with the mixtures that its inflow makes. */
static hp_status evaluate_jacobian(check *c, hp_backend_system *out) {
  HP_TRY(evaluate(c, true, out));
  HP_TRY(hp_backend_get(c->B, HP_SET_WELLS));
  for (int w = 0; w < c->wells->nwell; ++w) meet_lift(c->wells, w);
  HP_TRY(evaluate(c, true, out));
  HP_TRY(hp_backend_get(c->B, HP_SET_WELLS));
  for (int w = 0; w < c->wells->nwell; ++w) c->follows[w] = follows_mixture(c->wells, w);
  HP_TRY(renew_mixtures(c));
  HP_TRY(evaluate(c, true, out));
  HP_TRY(hp_backend_get(c->B, HP_SET_WELLS));
  for (int w = 0; w < c->wells->nwell; ++w) {
    c->follows[w] = follows_mixture(c->wells, w);
    c->crossing[w] = hp_well_crossing(c->wells, w);
  }
  return HP_OK;
}

/* The unscaled residual at the host's state: B_a moves with p, but J holds it. Rows of cells hold the mixtures of wells, which those of
 * wells follow. */
static hp_status raw_residual(const check *c, double *out) {
  hp_backend_system system;
  const int64_t rows = c->res->ncell * HP_PHASES;
  HP_TRY(evaluate(c, false, &system));
  for (int64_t row = 0; row < rows; ++row)
    out[row] = c->res->active[row / HP_PHASES] ? system.R[row] / c->res->scale[row] : system.R[row];
  HP_TRY(renew_mixtures(c));
  HP_TRY(evaluate(c, false, &system));
  for (int64_t row = rows; row < c->n; ++row) out[row] = system.R[row];
  return HP_OK;
}

/* c->plus becomes the central difference of the unscaled residual, c->minus the gap. */
static hp_status difference(check *c, int group, int b, int well, double h) {
  shift(c, group, b, well, h);
  HP_TRY(raw_residual(c, c->plus));
  restore_state(c);
  shift(c, group, b, well, -h);
  HP_TRY(raw_residual(c, c->minus));
  restore_state(c);
  for (int64_t row = 0; row < c->n; ++row) {
    const double forward = (c->plus[row] - c->base[row]) / h, backward = (c->base[row] - c->minus[row]) / h;
    c->plus[row] = 0.5 * (forward + backward);
    c->minus[row] = fabs(forward - backward);
  }
  return HP_OK;
}

/* A number in -1 .. 1 that depends on n only. */
static double noise(int64_t n) {
  return (double)(hp_mix64(((uint64_t)n + 1) * UINT64_C(0x9e3779b97f4a7c15)) >> 11) * 0x1p-52 - 1.0;
}

static void leave_kinks(const check *c) {
  hp_reservoir *r = c->res;
  for (int64_t m = 0; m < r->ncell; ++m) {
    if (!r->active[m]) continue;
    const int64_t cell = whole_cell(c, m);
    const hp_sat_range f = hp_reservoir_range(r, m);
    const double middle = 0.5 * (f.water_mobile + f.oil_immobile);
    r->p[m] += 2e5 * noise(2 * cell);
    r->s[m] = middle + 0.35 * (f.oil_immobile - f.water_mobile) * noise(2 * cell + 1);
    if (cell % 5 == 4 && f.max - f.oil_immobile > 1e-3) /* some where water alone flows */
      r->s[m] = f.oil_immobile + (0.5 + 0.4 * noise(2 * cell + 1)) * (f.max - f.oil_immobile);
  }
}

/* ---- all of it ---- */

static hp_status allocate(check *c) {
  HP_TRY(HP_ALLOC(c->plus, c->n));
  HP_TRY(HP_ALLOC(c->minus, c->n));
  HP_TRY(HP_ALLOC(c->base, c->n));
  HP_TRY(HP_ALLOC(c->state, c->res->ncell * 2 + 4 * (int64_t)c->wells->nwell));
  return HP_ALLOC(c->scale, c->res->ncell * HP_PHASES);
}

/* Largest entries, of all ranks. */
static void measure(check *c) {
  c->measures = true;
  for (int group = 0; group < GROUPS; ++group)
    for (int b = 0; b < HP_PHASES; ++b) {
      compare_cells(c, group, b);
      compare_controls(c, group, b);
    }
  for (int w = 0; w < c->wells->nwell; ++w) compare_well(c, w);
  hp_ranks_max(c->B->K, c->found->size, HP_JACOBIAN_KINDS);
  c->measures = false;
}

static void join(const check *c) {
  hp_jacobian_errors *f = c->found;
  if (c->part == NULL) return;
  hp_ranks_sum(c->part->K, &f->kinks, 1);
  for (int k = 0; k < HP_JACOBIAN_KINDS; ++k) hp_ranks_max_at(c->part->K, &f->error[k], &f->where[k]);
}

static hp_status run_check(check *c) {
  hp_backend_system system;
  const double step[2] = {STEP_P, STEP_S};
  HP_TRY(evaluate_jacobian(c, &system));
  c->J = system.J;
  c->n = system.J->n;
  HP_TRY(hp_ranks_agree(c->B->K, allocate(c)));
  memcpy(c->scale, c->res->scale, (size_t)(c->res->ncell * HP_PHASES) * sizeof *c->scale);
  keep_state(c);
  measure(c);
  HP_TRY(raw_residual(c, c->base));
  restore_state(c);
  for (int group = 0; group < GROUPS; ++group)
    for (int b = 0; b < HP_PHASES; ++b) {
      HP_TRY(difference(c, group, b, -1, step[b]));
      compare_cells(c, group, b);
      compare_controls(c, group, b);
    }
  for (int w = 0; w < c->wells->nwell; ++w) {
    HP_TRY(difference(c, 0, 0, w, STEP_P));
    compare_well(c, w);
  }
  join(c);
  return evaluate(c, true, &system);
}

hp_status hp_jacobian_compare(hp_backend *B, double dt, bool off_kinks, hp_jacobian_errors *out) {
  check c = {.B = B, .res = B->res, .wells = B->wells, .dt = dt, .found = out};
  if (B->D != NULL) {
    c.wells = B->D->wells;
    c.part = &B->D->part;
  }
  memset(out, 0, sizeof *out);
  for (int k = 0; k < HP_JACOBIAN_KINDS; ++k) out->where[k] = -1;
  if (off_kinks) leave_kinks(&c);
  hp_status s = hp_ranks_agree(B->K, HP_ALLOC(c.follows, c.wells->nwell));
  if (s == HP_OK) s = hp_ranks_agree(B->K, HP_ALLOC(c.crossing, c.wells->nwell));
  if (s == HP_OK) s = run_check(&c);
  HP_FREE(c.plus);
  HP_FREE(c.minus);
  HP_FREE(c.base);
  HP_FREE(c.scale);
  HP_FREE(c.state);
  HP_FREE(c.follows);
  HP_FREE(c.crossing);
  return s;
}
