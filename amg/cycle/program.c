#include "amg/cycle/program.h"

#include "amg/rows/form.inl.h"
#include "amg/rows/rows.inl.h"

/* The last level: by its inverse, or by sweeps if it is too large for one. */
static hp_status solve_last(hp_amg_writer *W, int l, const void *b, void *x) {
  const hp_amg_level *L = &W->H->level[l];
  if (W->H->inverse != NULL)
    return hp_amg_add_pass(W, hp_amg_pass_of(HP_AMG_PASS_INVERSE, HP_AMG_FORM_PRODUCT, b, x, L->nrow));
  hp_amg_iterate v = {x, L->z, HP_AMG_ZERO, HP_AMG_ZERO};
  for (int k = 0; k < HP_AMG_SWEEPS_LAST; ++k) HP_TRY(hp_amg_add_sweep(W, l, k % 2 == 0, b, &v));
  return v.x == x ? HP_OK : hp_amg_add_sum(W, NULL, v.x, NULL, x, L->nrow);
}

/* Sweeps on level l, and the right-hand side of the next one: R (b - A x). */
static hp_status descend(hp_amg_writer *W, int l, const void *b, hp_amg_iterate *v) {
  const hp_amg_level *L = &W->H->level[l];
  const void *r = b;
  for (int n = 0; n < W->H->opt.pre; ++n) HP_TRY(hp_amg_add_sweep(W, l, true, b, v));
  if (v->state != HP_AMG_ZERO) {
    const bool scaled = v->state == HP_AMG_SCALED;
    hp_amg_pass p = hp_amg_pass_of_level(W, l, HP_AMG_FORM_RESIDUAL, scaled ? b : v->x, v->other);
    p.scale_from = scaled ? L->smooth.scale : NULL;
    p.b = b;
    r = v->other;
    HP_TRY(hp_amg_add_pass(W, p));
  }
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_ROWS, HP_AMG_FORM_PRODUCT, r, L[1].b, L[1].nrow);
  p.rows = L->r;
  return hp_amg_add_pass(W, p);
}

/* to = x + P x_next, then sweeps, which leave x where *v says. */
static hp_status correct(hp_amg_writer *W, int l, const void *b, void *to, void *other, hp_amg_iterate *v) {
  const hp_amg_level *L = &W->H->level[l];
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_ROWS, HP_AMG_FORM_CORRECT, L[1].x, to, L->nrow);
  p.rows = L->p;
  p.x_state = v->state;
  p.x = v->x;
  p.s = L->smooth.scale;
  p.b = b;
  HP_TRY(hp_amg_add_pass(W, p));
  v->x = to;
  v->other = other;
  v->state = HP_AMG_STORED;
  const int before = W->count;
  for (int n = 0; n < W->H->opt.post; ++n) HP_TRY(hp_amg_add_sweep(W, l, false, b, v));
  if (W->H->opt.post > 0) W->sweep_passes[l] = (W->count - before) / W->H->opt.post;
  return HP_OK;
}

/* The same so that the sweeps end in x, which decides where they begin. */
static hp_status ascend(hp_amg_writer *W, int l, const void *b, void *x, const hp_amg_iterate *from) {
  void *z = W->H->level[l].z;
  const int before = W->count;
  hp_amg_iterate v = *from;
  HP_TRY(correct(W, l, b, x, z, &v));
  if (v.x == x) return HP_OK;
  W->count = before;
  v = *from;
  return correct(W, l, b, z, x, &v);
}

/* Passes that follow are of level l. */
static void go_to(hp_amg_writer *W, int l) { W->on_first = hp_amg_is_on_first(&W->H->opt, W->H->level[l].nrow); }

/* How many of those for the first GPU come one after the other. */
static void count_on_first(hp_amg_writer *W) {
  for (int k = W->count - 2; k >= 0; --k)
    if (W->pass[k].on_first > 0) W->pass[k].on_first += W->pass[k + 1].on_first;
}

/* A visit of level l whose x is zero or stored; from zero W and F cycles go there again before they leave the level
 * above (`again`). */
static hp_status visit(hp_amg_writer *W, int l, hp_amg_cycle_kind kind, int state, const void *b, void *x) {
  const hp_amg *H = W->H;
  const hp_amg_level *next = &H->level[l + 1];
  const bool again = kind != HP_AMG_V && l + 2 < H->nlevel;
  go_to(W, l);
  if (l + 1 == H->nlevel) return solve_last(W, l, b, x);
  hp_amg_iterate v = {x, H->level[l].z, state, HP_AMG_ZERO};
  HP_TRY(descend(W, l, b, &v));
  HP_TRY(visit(W, l + 1, kind, HP_AMG_ZERO, next->b, next->x));
  if (again) HP_TRY(visit(W, l + 1, kind == HP_AMG_W ? HP_AMG_W : HP_AMG_V, HP_AMG_STORED, next->b, next->x));
  go_to(W, l);
  return ascend(W, l, b, x, &v);
}

hp_status hp_amg_write_cycle(hp_amg_writer *W) {
  const hp_amg *H = W->H;
  const hp_amg_level *L = &H->level[0];
  const bool apart = H->opt.precision == HP_PRECISION_SINGLE || H->apart;
  void *b = apart ? L->b : HP_AMG_CYCLES_B, *x = apart ? L->x : HP_AMG_CYCLES_X;
  if (apart) HP_TRY(hp_amg_add_pass(W, hp_amg_pass_of(HP_AMG_PASS_IN, HP_AMG_FORM_PRODUCT, NULL, b, L->nrow)));
  HP_TRY(visit(W, 0, H->opt.cycle, HP_AMG_ZERO, b, x));
  W->on_first = false;
  if (apart) HP_TRY(hp_amg_add_pass(W, hp_amg_pass_of(HP_AMG_PASS_OUT, HP_AMG_FORM_PRODUCT, x, NULL, L->nrow)));
  count_on_first(W);
  return HP_OK;
}

/* ---- on a CPU ---- */

#define HP_BOTH "amg/cycle/run_real.inl.h"
#include "amg/rows/both.inl.h"

void hp_amg_run(hp_team *t, const hp_amg *H, const hp_amg_pass *pass, int count, const double *b, double *x) {
  const bool single = H->opt.precision == HP_PRECISION_SINGLE;
  hp_amg_walk w = hp_amg_walk_from(0, count);
  while (w.at < count) {
    const hp_amg_pass *p = &pass[w.at];
    hp_amg_walk_meet(t, &w, p);
    if (w.who != HP_AMG_OTHERS && single) hp_amg_pass_run_float(t, H, p, b, x);
    else if (w.who != HP_AMG_OTHERS) hp_amg_pass_run_double(t, H, p, b, x);
    hp_amg_walk_leave(t, &w, p, true);
  }
}

void hp_amg_cycle(hp_team *t, const hp_amg *H, const double *b, double *x) {
  hp_amg_run(t, H, H->program, H->passes, b, x);
}
