/* Results of solves and runs that a comparison keeps. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "sim/compare/compare.h"

const char *hp_compare_state_name(hp_compare_state s) {
  return s == HP_COMPARE_FINISHED ? "finished" : s == HP_COMPARE_FAILED ? "failed" : "not run";
}

void hp_compare_describe_solver(const hp_linear_options *linear, hp_compare_result *r) {
  hp_linear_describe_solver(linear, r->solver, sizeof r->solver);
}

void hp_compare_keep_solver(hp_compare_result *r, const hp_linear_report *k) {
  r->uses_cpr = k->uses_cpr;
  r->cpr = k->cpr;
  r->solver_bytes = k->solver_bytes + (k->uses_cpr ? k->cpr.bytes : 0);
  r->device_bytes = k->device_bytes;
}

/* ---- solves ---- */

hp_status hp_compare_keep_solve(hp_compare_result *r, const hp_sim *S, int attempt, int newton,
                                const hp_krylov_report *k) {
  HP_TRY(HP_GROW(r->solve, r->nsolve, 1));
  r->solve[r->nsolve++] = (hp_compare_solve){.step = S->step + 1,
                                             .attempt = attempt,
                                             .newton = newton,
                                             .time = S->time + S->dt,
                                             .dt = S->dt,
                                             .reason = k->reason,
                                             .iterations = k->iterations,
                                             .residual = k->norm_b > 0.0 ? k->residual / k->norm_b : 0.0,
                                             .off = {NAN, NAN}};
  return HP_OK;
}

hp_status hp_compare_keep_curve(hp_compare_result *r, const double *history) {
  const int count = r->solve[r->nsolve - 1].iterations + 1;
  HP_FREE(r->curve);
  HP_TRY(HP_ALLOC(r->curve, count));
  memcpy(r->curve, history, (size_t)count * sizeof *history);
  r->ncurve = count;
  r->curve_of = r->nsolve - 1;
  return HP_OK;
}

bool hp_compare_is_chosen(const hp_compare *C, const hp_compare_solve *v) {
  return v->step == C->curve_step && v->newton == C->curve_newton;
}

/* The larger of two, the second where the first is none. */
static double larger(double a, double b) { return a >= b ? a : b; }

hp_compare_sum hp_compare_sum_of(const hp_compare_result *r) {
  hp_compare_sum sum = {.off = {NAN, NAN}};
  for (int64_t n = 0; n < r->nsolve; ++n) {
    const hp_compare_solve *v = &r->solve[n];
    sum.iterations += v->iterations;
    sum.stopped_short += v->reason != HP_KRYLOV_CONVERGED;
    if (v->iterations > sum.most) sum.most = v->iterations;
    sum.setup += v->setup;
    sum.solve += v->solve;
    sum.residual = isnan(v->residual) ? INFINITY : larger(sum.residual, v->residual);
    for (int a = 0; a < 2; ++a) sum.off[a] = isnan(v->off[a]) ? sum.off[a] : larger(sum.off[a], v->off[a]);
  }
  return sum;
}

/* ---- runs ---- */

static bool same_time(double a, double b) { return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b)); }

/* Inactive cells hold zeros: they are no part of a difference. */
static hp_status keep_state(hp_compare *C, hp_sim *S) {
  const hp_backend *B = S->backend;
  const int64_t n = S->res->ncell;
  HP_TRY(hp_backend_get(S->backend, HP_ARRAYS_STATE));
  if (S->K != NULL) return hp_kept_state_put(B->D, (const double *[]){B->res->p, B->res->s}, &C->kept);
  HP_TRY(HP_ALLOC(C->p, n));
  HP_TRY(HP_ALLOC(C->s, n));
  for (int64_t m = 0; m < n; ++m) {
    if (!S->c->grid->active[m]) continue;
    C->p[m] = S->res->p[m];
    C->s[m] = S->res->s[m];
  }
  return HP_OK;
}

static hp_status compare_state(const hp_compare *C, hp_sim *S, double off[HP_PHASES]) {
  const hp_backend *B = S->backend;
  HP_TRY(hp_backend_get(S->backend, HP_ARRAYS_STATE));
  if (S->K != NULL) return hp_kept_state_compare(B->D, (const double *[]){B->res->p, B->res->s}, &C->kept, off);
  off[0] = off[1] = 0.0;
  for (int64_t m = 0; m < S->res->ncell; ++m) {
    const bool active = S->c->grid->active[m];
    off[0] = fmax(off[0], fabs((active ? S->res->p[m] : 0.0) - C->p[m]));
    off[1] = fmax(off[1], fabs((active ? S->res->s[m] : 0.0) - C->s[m]));
  }
  return HP_OK;
}

hp_status hp_compare_keep_run(hp_compare *C, int n, hp_sim *S, double whole) {
  const hp_grid *g = S->c->grid;
  const hp_compare_result *first = &C->result[0];
  hp_compare_result *r = &C->result[n];
  r->cell_off[0] = r->cell_off[1] = NAN;
  r->has_run = true;
  r->counts = S->counts;
  for (int a = 0; a < HP_PHASES; ++a) {
    const double made = S->time_error.on ? hp_time_error_whole(S, false, a) : 0.0;
    r->corrected[a] = made > 0.0 ? hp_time_error_correction(S, false, a) / made : NAN;
    r->error[a] = made > 0.0 ? hp_time_error_left(S, false, a) / made : NAN;
  }
  for (int op = 0; op < HP_PROF_COUNT; ++op) r->seconds[op] = S->profile.op[op].seconds;
  r->whole = whole;
  r->time = S->time;
  HP_TRY(HP_ALLOC(r->report, S->nreport));
  if (S->nreport > 0) memcpy(r->report, S->report, (size_t)S->nreport * sizeof *r->report);
  r->nreport = S->nreport;
  memcpy(r->size, (const int[]){g->nx, g->ny, g->nz}, sizeof r->size);
  if (n == 0) {
    HP_TRY(keep_state(C, S));
    r->cell_off[0] = r->cell_off[1] = 0.0;
    return HP_OK;
  }
  const bool same = first->has_run && same_time(first->time, r->time) &&
                    memcmp(first->size, r->size, sizeof r->size) == 0 && !isnan(first->cell_off[0]);
  return same ? compare_state(C, S, r->cell_off) : HP_OK;
}

/* ---- differences ---- */

static double total(const double v[HP_PHASES]) { return v[HP_OIL] + v[HP_WATER]; }

static double water_cut(const hp_flow *f) { return total(f->rate) > 0.0 ? f->rate[HP_WATER] / total(f->rate) : 0.0; }

enum { TOTALS = 3 }; /* oil, water, injected */

static void totals_of(const hp_report_row *row, double out[TOTALS]) {
  out[0] = row->field.total[HP_OIL];
  out[1] = row->field.total[HP_WATER];
  out[2] = total(row->field.injection_total);
}

/* Differences of totals in d, and the largest total that they will be relative to. */
static void add_row(hp_compare_difference *d, double size[TOTALS], const hp_report_row *a, const hp_report_row *b) {
  double *off[TOTALS] = {&d->oil_total, &d->water_total, &d->injected_total}, ta[TOTALS], tb[TOTALS];
  totals_of(a, ta);
  totals_of(b, tb);
  for (int n = 0; n < TOTALS; ++n) {
    *off[n] = larger(*off[n], fabs(ta[n] - tb[n]));
    size[n] = fmax(size[n], fmax(ta[n], tb[n]));
  }
  d->until = b->time;
  d->water_cut = larger(d->water_cut, fabs(water_cut(&a->field) - water_cut(&b->field)));
  d->pressure = larger(d->pressure, fabs(a->pressure - b->pressure));
}

void hp_compare_differences(const hp_compare_result *first, hp_compare_result *r) {
  hp_compare_difference *d = &r->off;
  *d = (hp_compare_difference){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  if (!first->has_run || !r->has_run) return;
  double size[TOTALS] = {0.0};
  for (int a = 0, b = 0; a < first->nreport && b < r->nreport;) {
    const double ta = first->report[a].time, tb = r->report[b].time;
    if (same_time(ta, tb)) {
      if (isnan(d->until)) d->oil_total = d->water_total = d->injected_total = d->water_cut = d->pressure = 0.0;
      add_row(d, size, &first->report[a++], &r->report[b++]);
    } else if (ta < tb) {
      ++a;
    } else {
      ++b;
    }
  }
  if (size[0] > 0.0) d->oil_total /= size[0];
  if (size[1] > 0.0) d->water_total /= size[1];
  if (size[2] > 0.0) d->injected_total /= size[2];
  if (isnan(r->cell_off[0])) return;
  d->fields_time = r->time;
  d->cell_pressure = r->cell_off[0];
  d->cell_saturation = r->cell_off[1];
}

void hp_compare_clear(hp_compare *C) {
  hp_inputs_clear(&C->read);
  for (int n = 0; n < C->list.count; ++n) {
    hp_compare_result *r = &C->result[n];
    HP_FREE(r->solve);
    HP_FREE(r->curve);
    HP_FREE(r->report);
  }
  HP_FREE(C->p);
  HP_FREE(C->s);
  hp_kept_state_clear(&C->kept);
  HP_FREE(C->title);
  hp_compare_list_clear(&C->list);
}
