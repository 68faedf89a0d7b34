/* Gauss-Seidel: one row after the other (amg/smoothers/gauss_seidel.inl.h), and in domains with Jacobi between them
 * (amg/smoothers/hybrid.inl.h). */
#include "amg/rows/form.inl.h"
#include "amg/smoothers/pass.h"

/* A pass over the level into `out`. */
static hp_amg_pass pass_of(hp_amg_writer *W, int what, int l, bool forward, const void *b, const hp_amg_iterate *v,
                           void *out) {
  hp_amg_pass p = hp_amg_pass_of(what, HP_AMG_FORM_PRODUCT, NULL, out, W->H->level[l].nrow);
  p.x = v->state == HP_AMG_ZERO ? NULL : v->x;
  p.b = b;
  p.level = (int16_t)l;
  p.forward = forward;
  return p;
}

/* In place. */
hp_status hp_amg_gauss_seidel_sweep(hp_amg_writer *W, int l, bool forward, const void *b, hp_amg_iterate *v) {
  const hp_amg_pass p = pass_of(W, HP_AMG_PASS_ONE_BY_ONE, l, forward, b, v, v->x);
  v->state = HP_AMG_STORED;
  return hp_amg_add_pass(W, p);
}

/* A CPU: all domains in one pass, into the second vector. */
static hp_status by_domains(hp_amg_writer *W, int l, bool forward, const void *b, hp_amg_iterate *v) {
  const hp_amg_pass p = pass_of(W, HP_AMG_PASS_HYBRID, l, forward, b, v, v->other);
  v->other = v->x;
  v->x = p.out;
  return hp_amg_add_pass(W, p);
}

/* A GPU, in place: a triangular solve for the correction, all domains at the same time (amg/smoothers/cuda/hybrid.cu). d
 * takes the place of r, or is x if that was zero. */
static hp_status by_triangles(hp_amg_writer *W, int l, bool forward, const void *b, hp_amg_iterate *v) {
  const hp_amg_level *L = &W->H->level[l];
  const hp_amg_groups *G = forward ? &W->device[l].lower : &W->device[l].upper;
  const bool zero = v->state == HP_AMG_ZERO;
  void *d = zero ? v->x : L->y;
  const void *r = zero ? b : d;
  if (!zero) HP_TRY(hp_amg_add_residual(W, l, b, v->x));
  for (int g = 0; g < G->ngroup; ++g) HP_TRY(hp_amg_add_group(W, l, G, g, g > 0 ? d : NULL, NULL, r, NULL, d, false));
  return zero ? HP_OK : hp_amg_add_sum(W, v->x, d, NULL, v->x, L->nrow);
}

hp_status hp_amg_hybrid_sweep(hp_amg_writer *W, int l, bool forward, const void *b, hp_amg_iterate *v) {
  HP_TRY(W->device != NULL ? by_triangles(W, l, forward, b, v) : by_domains(W, l, forward, b, v));
  v->state = HP_AMG_STORED;
  return HP_OK;
}
