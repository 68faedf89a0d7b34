#include "amg/smoothers/pass.h"

#include <string.h>

#include "amg/rows/form.inl.h"
#include "core/memory.h"

static hp_status grow(hp_amg_writer *W) {
  hp_amg_pass *pass = NULL;
  const int room = W->room > 0 ? 2 * W->room : 64;
  HP_TRY(HP_ALLOC(pass, room));
  if (W->count > 0) memcpy(pass, W->pass, (size_t)W->count * sizeof *pass);
  HP_FREE(W->pass);
  W->pass = pass;
  W->room = room;
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

hp_status hp_amg_add_pass(hp_amg_writer *W, hp_amg_pass p) {
  if (W->count == W->room) HP_TRY(grow(W));
  p.on_first = W->on_first;
  W->pass[W->count++] = p;
  return HP_OK;
}

hp_amg_pass hp_amg_pass_of_level(const hp_amg_writer *W, int l, int kind, const void *from, void *out) {
  const hp_amg_level *L = &W->H->level[l];
  const int what = L->finest.A != NULL ? HP_AMG_PASS_FINEST : HP_AMG_PASS_ROWS;
  hp_amg_pass p = hp_amg_pass_of(what, kind, from, out, L->nrow);
  p.rows = L->a;
  p.s = L->smooth.scale;
  return p;
}

hp_status hp_amg_add_residual(hp_amg_writer *W, int l, const void *b, const void *x) {
  hp_amg_pass p = hp_amg_pass_of_level(W, l, HP_AMG_FORM_RESIDUAL, x, W->H->level[l].y);
  p.b = b;
  return hp_amg_add_pass(W, p);
}

hp_status hp_amg_add_sum(hp_amg_writer *W, const void *x, const void *from, const int32_t *index, void *out,
                         int64_t n) {
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_SUM, HP_AMG_FORM_PRODUCT, from, out, n);
  p.x = x;
  p.index = index;
  return hp_amg_add_pass(W, p);
}

/* x = scale b: stored on a CPU; on a GPU the readers of x multiply. */
static hp_status first_step(hp_amg_writer *W, int l, const void *b, hp_amg_iterate *v) {
  const hp_amg_level *L = &W->H->level[l];
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_SCALE, HP_AMG_FORM_PRODUCT, NULL, v->x, L->nrow);
  p.s = L->smooth.scale;
  p.b = b;
  v->state = W->device != NULL ? HP_AMG_SCALED : HP_AMG_STORED;
  v->before = HP_AMG_ZERO;
  return W->device != NULL ? HP_OK : hp_amg_add_pass(W, p);
}

hp_status hp_amg_add_step(hp_amg_writer *W, int l, const double *by, const void *b, hp_amg_iterate *v) {
  const bool scaled = v->state == HP_AMG_SCALED;
  if (v->state == HP_AMG_ZERO) return first_step(W, l, b, v);
  hp_amg_pass p = hp_amg_pass_of_level(W, l, HP_AMG_FORM_STEP, scaled ? b : v->x, v->other);
  p.scale_from = scaled ? W->H->level[l].smooth.scale : NULL;
  p.x_state = v->state;
  p.x = v->x;
  p.b = b;
  p.last_state = v->before;
  p.factor = 1.0;
  p.by = by;
  v->before = v->state;
  v->other = v->x;
  v->x = p.out;
  v->state = HP_AMG_STORED;
  return hp_amg_add_pass(W, p);
}

hp_amg_groups hp_amg_groups_of(const hp_amg_writer *W, int l) {
  const hp_amg_level *L = &W->H->level[l];
  const hp_amg_smooth *S = &L->smooth;
  if (W->device != NULL) return W->device[l].lower;
  hp_amg_groups G;
  memset(&G, 0, sizeof G);
  G.rows = L->a;
  G.ngroup = S->ngroup;
  G.width = S->block != NULL ? S->width : 1;
  G.first = S->group;
  G.at = S->order;
  G.factor = S->block != NULL ? S->block : S->scale;
  return G;
}

hp_status hp_amg_add_group(hp_amg_writer *W, int l, const hp_amg_groups *G, int g, const void *from, const void *x,
                           const void *b, const int32_t *index, void *out, bool all) {
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_GROUP, HP_AMG_FORM_PRODUCT, from, out, 0);
  p.rows = G->rows;
  p.x = x;
  p.b = b;
  p.s = G->factor;
  p.at = G->at;
  p.index = index;
  p.width = G->width;
  p.first = G->first[g];
  p.last = G->first[g + 1];
  p.begin = all ? 0 : p.first;
  p.end = all ? G->first[G->ngroup] : p.last;
  p.level = (int16_t)l;
  return hp_amg_add_pass(W, p);
}

hp_status hp_amg_add_sweep(hp_amg_writer *W, int l, bool forward, const void *b, hp_amg_iterate *v) {
  static hp_amg_sweep_function *const functions[] = {
#define SWEEP_OF(name, text, setup, sweep, rows, prepare, in_kernel, device, by_host) sweep,
      HP_AMG_SMOOTHER_LIST(SWEEP_OF)
#undef SWEEP_OF
  };
  return functions[W->H->opt.smoother](W, l, forward, b, v);
}
