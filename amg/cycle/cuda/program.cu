/* The list of a cycle's passes, written by the host when the levels are prepared (amg/cycle/program.h). The order of
 * passes is that of hp_amg_run in amg/cycle/real.inl.h. */
#include <string.h>

#include "amg/cycle/cuda/cycle.cuh"
#include "amg/cycle/form.inl.h"
#include "core/memory.h"

static hp_status grow(hp_amg_device_cycle *C) {
  hp_amg_pass *list = NULL;
  const int room = C->room > 0 ? 2 * C->room : 64;
  HP_TRY(HP_ALLOC(list, room));
  if (C->count > 0) memcpy(list, C->list, (size_t)C->count * sizeof *list);
  HP_FREE(C->list);
  C->list = list;
  C->room = room;
  return HP_OK;
}

hp_amg_pass hp_amg_pass_of(int what, int kind, const void *from, void *out, int64_t n) {
  hp_amg_pass p;
  memset(&p, 0, sizeof p);
  p.what = what;
  p.kind = kind;
  p.from = from;
  p.out = out;
  p.n = n;
  return p;
}

hp_status hp_amg_add_pass(hp_amg_device_cycle *C, hp_amg_pass p) {
  if (C->count == C->room) HP_TRY(grow(C));
  C->list[C->count++] = p;
  return HP_OK;
}

hp_amg_pass hp_amg_pass_of_level(const hp_amg_device_cycle *C, int l, int kind, const void *from, void *out) {
  const hp_amg_level *L = &C->host.H.level[l];
  const int what = L->finest.A != NULL ? HP_AMG_PASS_FINEST : HP_AMG_PASS_ROWS;
  hp_amg_pass p = hp_amg_pass_of(what, kind, from, out, hp_amg_cycle_rows(C, l));
  p.rows = L->a;
  p.s = L->smooth.scale;
  return p;
}

hp_status hp_amg_add_residual(hp_amg_device_cycle *C, int l, const void *b, const void *x) {
  hp_amg_pass p = hp_amg_pass_of_level(C, l, HP_AMG_FORM_RESIDUAL, x, C->host.H.level[l].y);
  p.b = b;
  return hp_amg_add_pass(C, p);
}

hp_status hp_amg_add_sum(hp_amg_device_cycle *C, const void *x, const void *from, const int32_t *own, void *out,
                         int64_t n) {
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_SUM, HP_AMG_FORM_PRODUCT, from, out, n);
  p.x = x;
  p.own = own;
  return hp_amg_add_pass(C, p);
}

static hp_status solve_last(hp_amg_device_cycle *C, int l, const void *b, void *x) {
  const int64_t n = hp_amg_cycle_rows(C, l);
  if (C->host.H.inverse != NULL)
    return hp_amg_add_pass(C, hp_amg_pass_of(HP_AMG_PASS_INVERSE, HP_AMG_FORM_PRODUCT, b, x, n));
  hp_amg_device_iterate v = {x, C->host.H.level[l].z, HP_AMG_ZERO, HP_AMG_ZERO};
  for (int k = 0; k < HP_AMG_SWEEPS_LAST; ++k) HP_TRY(hp_amg_cycle_smoother(C)->sweep(C, l, k % 2 == 0, b, &v));
  return v.x == x ? HP_OK : hp_amg_add_sum(C, NULL, v.x, NULL, x, n);
}

static hp_status descend(hp_amg_device_cycle *C, int l, const void *b, hp_amg_device_iterate *v) {
  const hp_amg_level *L = &C->host.H.level[l];
  const void *r = b;
  for (int n = 0; n < C->host.H.opt.pre; ++n) HP_TRY(hp_amg_cycle_smoother(C)->sweep(C, l, true, b, v));
  if (v->state != HP_AMG_ZERO) {
    const bool scaled = v->state == HP_AMG_SCALED;
    hp_amg_pass p = hp_amg_pass_of_level(C, l, HP_AMG_FORM_RESIDUAL, scaled ? b : v->x, v->other);
    p.scale_from = scaled ? L->smooth.scale : NULL;
    p.b = b;
    r = v->other;
    HP_TRY(hp_amg_add_pass(C, p));
  }
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_ROWS, HP_AMG_FORM_PRODUCT, r, C->host.H.level[l + 1].b,
                                 hp_amg_cycle_rows(C, l + 1));
  p.rows = L->r;
  return hp_amg_add_pass(C, p);
}

static hp_status ascend(hp_amg_device_cycle *C, int l, const void *b, void *x, hp_amg_device_iterate *v) {
  const hp_amg_level *L = &C->host.H.level[l];
  const int by_smoother = hp_amg_cycle_smoother(C)->moves;
  const int moves = by_smoother == HP_AMG_BY_ORDER ? C->host.H.opt.order : by_smoother;
  const bool away = C->host.H.opt.post * moves % 2 != 0;
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_ROWS, HP_AMG_FORM_CORRECT, C->host.H.level[l + 1].x, away ? L->z : x,
                                 hp_amg_cycle_rows(C, l));
  p.rows = L->p;
  p.x_state = v->state;
  p.x = v->x;
  p.s = L->smooth.scale;
  p.b = b;
  HP_TRY(hp_amg_add_pass(C, p));
  v->x = p.out;
  v->other = away ? x : L->z;
  v->state = HP_AMG_STORED;
  const int before = C->count;
  for (int n = 0; n < C->host.H.opt.post; ++n) HP_TRY(hp_amg_cycle_smoother(C)->sweep(C, l, false, b, v));
  if (C->host.H.opt.post > 0) C->sweep_passes[l] = (C->count - before) / C->host.H.opt.post;
  return HP_OK;
}

static hp_status visit(hp_amg_device_cycle *C, int l, hp_amg_cycle_kind kind, int state, const void *b, void *x);

/* A visit of level l from zero and, if W and F cycles go there again before they leave the level above, the next. */
static hp_status visits(hp_amg_device_cycle *C, int l, hp_amg_cycle_kind kind, bool again, const void *b, void *x) {
  HP_TRY(visit(C, l, kind, HP_AMG_ZERO, b, x));
  return again ? visit(C, l, kind == HP_AMG_W ? HP_AMG_W : HP_AMG_V, HP_AMG_STORED, b, x) : HP_OK;
}

/* A visit of level l whose x is zero or stored. */
static hp_status visit(hp_amg_device_cycle *C, int l, hp_amg_cycle_kind kind, int state, const void *b, void *x) {
  const hp_amg *H = &C->host.H;
  const hp_amg_level *N = &H->level[l + 1];
  const bool again = kind != HP_AMG_V && l + 2 < H->nlevel;
  if (l + 1 == H->nlevel) return solve_last(C, l, b, x);
  hp_amg_device_iterate v = {x, H->level[l].z, state, HP_AMG_ZERO};
  HP_TRY(descend(C, l, b, &v));
  HP_TRY(visits(C, l + 1, kind, again, N->b, N->x));
  return ascend(C, l, b, x, &v);
}

hp_status hp_amg_cycle_write_program(hp_amg_device_cycle *C) {
  hp_amg *H = &C->host.H;
  hp_amg_pass *list = NULL;
  const bool single = H->opt.precision == HP_PRECISION_SINGLE;
  void *b = single ? H->level[0].b : HP_AMG_CYCLES_B, *x = single ? H->level[0].x : HP_AMG_CYCLES_X;
  const int64_t n = hp_amg_cycle_rows(C, 0);
  C->count = 0;
  if (single) HP_TRY(hp_amg_add_pass(C, hp_amg_pass_of(HP_AMG_PASS_IN, HP_AMG_FORM_PRODUCT, NULL, b, n)));
  HP_TRY(visit(C, 0, H->opt.cycle, HP_AMG_ZERO, b, x));
  if (single) HP_TRY(hp_amg_add_pass(C, hp_amg_pass_of(HP_AMG_PASS_OUT, HP_AMG_FORM_PRODUCT, x, NULL, n)));
  HP_TRY(HP_TAKE(&C->S.keep, list, C->count));
  H->program = list;
  H->passes = C->count;
  return hp_device_upload(C->D, list, C->list, C->count * (int64_t)sizeof *list);
}
