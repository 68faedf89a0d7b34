/* The Jacobian against central differences of the residual.
 *
 * Cells are perturbed in seven groups, (i + 2j + 3k) mod 7: no two cells of a
 * group are neighbours or share one, so that each entry of H is met by itself.
 * A well row, and that of a cell with connections beyond the lattice, may meet
 * several cells of a group; there the sums are compared.
 * Mixtures and controls are held, as their derivatives are left out on purpose.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "physics/assembly.inl.h"
#include "sim/newton/newton.h"

enum { GROUPS = 7 };
static const double STEP_P = 20.0, STEP_S = 1e-7; /* [Pa], [-] */

/* Kinds of entries, each with its largest discrepancy. */
enum { KIND_CELL = 0, KIND_WT = 4, KIND_W = 6, KIND_D = 8, KINDS = 9 };

static const char *const kind_name[KINDS] = {
    "d oil balance / d p",   "d oil balance / d s",   "d water balance / d p",
    "d water balance / d s", "d oil balance / d bhp", "d water balance / d bhp",
    "d well control / d p",  "d well control / d s",  "d well control / d bhp"};

typedef struct {
  double error[KINDS], size[KINDS]; /* largest difference, largest entry */
  int64_t where[KINDS];             /* cell or well */
  double *base, *plus, *minus;      /* [n] residuals at the state and at both sides; then, in
                                       plus the central difference, in minus the gap between
                                       the two one-sided ones */
  int64_t kinks;                    /* entries where the residual has a kink: not compared */
  double *scale;                    /* [ncell*2] row scaling that J was built with */
  const hp_gh *J;
  int64_t n; /* of its rows */
} check;

static int group_of(const hp_grid *g, int64_t m) {
  int ijk[3];
  hp_grid_ijk(g, m, ijk);
  return (ijk[0] + 2 * ijk[1] + 3 * ijk[2]) % GROUPS;
}

/* A derivative between one-sided differences that are far apart cannot be judged
 * wrong: an upstream direction or a table's row changes within the step. */
static void compare(check *c, int kind, int64_t where, double entry, double difference, double gap) {
  const double error = fabs(entry - difference);
  if (fabs(entry) > c->size[kind]) c->size[kind] = fabs(entry);
  if (error > 1e-7 * c->size[kind] && gap > 1e-5 * fabs(entry) && error <= gap) {
    c->kinks += 1;
    return;
  }
  if (error <= c->error[kind]) return;
  c->error[kind] = error;
  c->where[kind] = where;
}

/* Moves every unknown b of the group, or the well's bhp, by h. */
static void shift(hp_sim *S, int group, int b, int well, double h) {
  if (well >= 0) {
    S->wells->bhp[well] += h;
    return;
  }
  double *x = b == HP_P ? S->res->p : S->res->s;
  for (int64_t m = 0; m < S->res->ncell; ++m)
    if (S->res->active[m] && group_of(S->c->grid, m) == group) x[m] += h;
}

/* One evaluation at the host's state, controls held. */
static hp_status evaluate(hp_sim *S, double dt, bool jacobian, hp_backend_system *out) {
  hp_step_report step;
  hp_backend *B = S->backend;
  HP_TRY(B->ops->put_state(B));
  HP_TRY(B->ops->assemble(B, dt, jacobian, false, -1, &step));
  return B->ops->system(B, jacobian, out);
}

/* The unscaled residual at the host's state: B_a moves with p, but J holds it. */
static hp_status raw_residual(hp_sim *S, double dt, double *out) {
  hp_backend_system system;
  HP_TRY(evaluate(S, dt, false, &system));
  const int64_t rows = S->res->ncell * HP_PHASES, n = rows + S->wells->nwell;
  for (int64_t row = 0; row < n; ++row) out[row] = row < rows ? system.R[row] / S->res->scale[row] : system.R[row];
  return HP_OK;
}

/* c->plus becomes the central difference of the unscaled residual, c->minus the gap. */
static hp_status difference(hp_sim *S, double dt, check *c, int group, int b, int well, double h) {
  shift(S, group, b, well, h);
  HP_TRY(raw_residual(S, dt, c->plus));
  shift(S, group, b, well, -2.0 * h);
  HP_TRY(raw_residual(S, dt, c->minus));
  shift(S, group, b, well, h);
  for (int64_t row = 0; row < c->n; ++row) {
    const double forward = (c->plus[row] - c->base[row]) / h, backward = (c->base[row] - c->minus[row]) / h;
    c->plus[row] = 0.5 * (forward + backward);
    c->minus[row] = fabs(forward - backward);
  }
  return HP_OK;
}

static bool has_links(const hp_reservoir *r, int64_t m) {
  int64_t begin, end;
  hp_links_of(&r->links, m, &begin, &end);
  return end > begin;
}

/* The rows of cells with connections: sums over the group's columns. */
static void compare_linked(const hp_sim *S, check *c, int group, int b) {
  const hp_links *L = &S->res->links;
  const hp_grid *g = S->c->grid;
  for (int64_t r = 0; r < L->nrow; ++r) {
    const int64_t m = L->cell[r];
    if (S->res->active[m] == HP_CELL_HELD) continue; /* on purpose (hp_assemble_hold) */
    for (int a = 0; a < HP_PHASES; ++a) {
      double sum = 0.0;
      bool any = false;
      for (int u = -3; u <= 3; ++u) {
        const int64_t n = m + hp_gh_offset(c->J, u);
        if (n < 0 || n >= S->res->ncell || group_of(g, n) != group) continue;
        if (u != 0 && hp_face_trans(S->res, m, u) == 0.0) continue;
        sum += *hp_gh_entry(c->J, m, u, a, b);
        any = true;
      }
      for (int64_t e = L->begin[r]; e < L->begin[r + 1]; ++e) {
        if (group_of(g, L->other[e]) != group) continue;
        sum += *hp_gh_link(c->J, e, a, b);
        any = true;
      }
      const int64_t row = m * HP_PHASES + a;
      if (any) compare(c, KIND_CELL + a * 2 + b, m, sum, c->scale[row] * c->plus[row], c->scale[row] * c->minus[row]);
    }
  }
}

/* Column b of all cells in the group against c->plus. */
static void compare_cells(const hp_sim *S, check *c, int group, int b) {
  const hp_grid *g = S->c->grid;
  for (int64_t m = 0; m < S->res->ncell; ++m) {
    if (!S->res->active[m] || group_of(g, m) != group) continue;
    for (int u = -3; u <= 3; ++u) {
      const int64_t row_cell = m - hp_gh_offset(c->J, u); /* the row that sees m on its diagonal u */
      if (row_cell < 0 || row_cell >= S->res->ncell || !S->res->active[row_cell]) continue;
      if (u != 0 && hp_face_trans(S->res, row_cell, u) == 0.0) continue;
      if (u == 0 && b == HP_P && S->res->active[m] == HP_CELL_HELD) continue; /* on purpose (hp_assemble_hold) */
      if (has_links(S->res, row_cell)) continue;
      for (int a = 0; a < HP_PHASES; ++a) {
        const int64_t row = row_cell * HP_PHASES + a;
        compare(c, KIND_CELL + a * 2 + b, row_cell, *hp_gh_entry(c->J, row_cell, u, a, b), c->scale[row] * c->plus[row],
                c->scale[row] * c->minus[row]);
      }
    }
  }
  for (int w = 0; w < S->wells->nwell; ++w) {
    double sum = 0.0;
    for (int64_t q = S->wells->begin[w]; q < S->wells->begin[w + 1]; ++q)
      if (group_of(g, S->wells->cell[q]) == group) sum += c->J->wells.w[S->wells->slot[q] * HP_PHASES + b];
    compare(c, KIND_W + b, w, sum, c->plus[S->res->ncell * HP_PHASES + w], c->minus[S->res->ncell * HP_PHASES + w]);
  }
}

static void compare_well(const hp_sim *S, check *c, int w) {
  for (int64_t q = S->wells->begin[w]; q < S->wells->begin[w + 1]; ++q)
    for (int a = 0; a < HP_PHASES; ++a) {
      const int64_t row = S->wells->cell[q] * HP_PHASES + a;
      compare(c, KIND_WT + a, S->wells->cell[q], c->J->wells.wt[S->wells->slot[q] * HP_PHASES + a],
              c->scale[row] * c->plus[row], c->scale[row] * c->minus[row]);
    }
  const int64_t row = S->res->ncell * HP_PHASES + w;
  compare(c, KIND_D, w, c->J->wells.dd[w], c->plus[row], c->minus[row]);
}

/* A number in -1 .. 1 that depends on n only. */
static double noise(int64_t n) {
  return (double)(hp_mix64(((uint64_t)n + 1) * UINT64_C(0x9e3779b97f4a7c15)) >> 11) * 0x1p-52 - 1.0;
}

void hp_jacobian_leave_kinks(hp_sim *S) {
  for (int64_t m = 0; m < S->res->ncell; ++m) {
    if (!S->res->active[m]) continue;
    const hp_sat_range f = hp_reservoir_range(S->res, m);
    const double middle = 0.5 * (f.water_mobile + f.oil_immobile);
    S->res->p[m] += 2e5 * noise(2 * m);
    S->res->s[m] = middle + 0.35 * (f.oil_immobile - f.water_mobile) * noise(2 * m + 1);
    if (m % 5 == 4 && f.max - f.oil_immobile > 1e-3) /* some where water alone flows */
      S->res->s[m] = f.oil_immobile + (0.5 + 0.4 * noise(2 * m + 1)) * (f.max - f.oil_immobile);
  }
}

static hp_status run_check(hp_sim *S, double dt, check *c) {
  const int64_t rows = S->res->ncell * HP_PHASES;
  hp_backend_system system;
  HP_TRY(evaluate(S, dt, true, &system));
  c->J = system.J;
  c->n = system.J->n;
  HP_TRY(HP_ALLOC(c->plus, c->n));
  HP_TRY(HP_ALLOC(c->minus, c->n));
  HP_TRY(HP_ALLOC(c->base, c->n));
  HP_TRY(HP_ALLOC(c->scale, rows));
  memcpy(c->scale, S->res->scale, (size_t)rows * sizeof(double));
  const double step[2] = {STEP_P, STEP_S};
  HP_TRY(raw_residual(S, dt, c->base));
  for (int group = 0; group < GROUPS; ++group)
    for (int b = 0; b < HP_PHASES; ++b) {
      HP_TRY(difference(S, dt, c, group, b, -1, step[b]));
      compare_cells(S, c, group, b);
      compare_linked(S, c, group, b);
    }
  for (int w = 0; w < S->wells->nwell; ++w) {
    HP_TRY(difference(S, dt, c, 0, 0, w, STEP_P));
    compare_well(S, c, w);
  }
  return evaluate(S, dt, true, &system);
}

/* The scale of an entry's kind: the largest entry by the same unknown (p, s,
 * bhp) in rows of the same sort, so that a kind of rounding errors counts as such. */
static double size_of(const check *c, int kind) {
  if (kind == KIND_D) return c->size[kind];
  if (kind >= KIND_W) return c->size[kind];
  if (kind >= KIND_WT) return fmax(c->size[KIND_WT], c->size[KIND_WT + 1]);
  return fmax(c->size[KIND_CELL + kind % 2], c->size[KIND_CELL + 2 + kind % 2]);
}

static void print_check(const hp_sim *S, const check *c, FILE *f, double *largest) {
  const double limit = 1e-6;
  *largest = 0.0;
  fprintf(
      f,
      "hepta: Jacobian against central differences, at random saturations, pressures within 2 bar of the initial ones\n"
      "  %-26s %12s %12s   %s\n",
      "entry (SI, scaled rows)", "largest", "difference", "where");
  for (int k = 0; k < KINDS; ++k) {
    const double size = size_of(c, k);
    if (c->size[k] == 0.0 && c->error[k] == 0.0) continue;
    const double relative = size > 0.0 ? c->error[k] / size : c->error[k];
    if (relative > *largest) *largest = relative;
    fprintf(f, "  %-26s %12.4e %12.2e   ", kind_name[k], c->size[k], relative);
    if (c->error[k] == 0.0) {
      fputs("-\n", f);
    } else if (k >= KIND_W) {
      fprintf(f, "well %s\n", S->c->well[c->where[k]].name);
    } else {
      int ijk[3];
      hp_grid_ijk(S->c->grid, c->where[k], ijk);
      fprintf(f, "cell (%d, %d, %d)\n", ijk[0] + 1, ijk[1] + 1, ijk[2] + 1);
    }
  }
  fprintf(f, "  differences are relative to the largest entry of the unknown: %s\n",
          *largest <= limit ? "they agree" : "they do NOT agree to 1e-6");
  if (c->kinks > 0)
    fprintf(f, "  %lld entries stand at a kink (upstream direction, table row) and were left out\n",
            (long long)c->kinks);
}

hp_status hp_jacobian_check(hp_sim *S, double dt, FILE *f, double *largest) {
  check c;
  memset(&c, 0, sizeof c);
  const hp_status s = run_check(S, dt, &c);
  if (s == HP_OK) print_check(S, &c, f, largest);
  HP_FREE(c.plus);
  HP_FREE(c.minus);
  HP_FREE(c.base);
  HP_FREE(c.scale);
  return s;
}
