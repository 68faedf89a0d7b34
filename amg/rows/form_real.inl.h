/* How a pass over the rows of a level ends, for one type HP_REAL of numbers (amg/rows/rows.inl.h includes this file
 * for double and for float). */
#ifndef HP_REAL
#include "amg/rows/form.inl.h"
#else

/* How a pass ends for a row; x and last are of HP_AMG_ZERO ..: zero, s b, or stored. */
typedef struct HP_AMG_NAME(hp_amg_form) {
  int kind, x_state, last_state;
  const HP_REAL *x, *s, *b;
  HP_REAL momentum, factor;
  HP_REAL *out; /* also the stored `last` */
} HP_AMG_NAME(hp_amg_form);

HP_INLINE HP_HD HP_AMG_NAME(hp_amg_form) HP_AMG_NAME(hp_amg_form_of)(int kind, const HP_REAL *b, HP_REAL *out) {
  HP_AMG_NAME(hp_amg_form) f;
  f.kind = kind;
  f.x_state = f.last_state = HP_AMG_ZERO;
  f.x = f.s = NULL;
  f.b = b;
  f.momentum = f.factor = 0;
  f.out = out;
  return f;
}

/* The numbers of row i that a form reads. They are loaded early, so that on a GPU they are in flight together with the
 * row's entries. */
typedef struct HP_AMG_NAME(hp_amg_operands) {
  HP_REAL x, s, b, last;
} HP_AMG_NAME(hp_amg_operands);

HP_INLINE HP_HD HP_AMG_NAME(hp_amg_operands)
    HP_AMG_NAME(hp_amg_load_operands)(const HP_AMG_NAME(hp_amg_form) * f, int64_t i) {
  HP_AMG_NAME(hp_amg_operands) r;
  const bool scaled = f->x_state == HP_AMG_SCALED, correct = f->kind == HP_AMG_FORM_CORRECT;
  const bool step = f->kind == HP_AMG_FORM_STEP;
  r.x = r.s = r.b = r.last = 0;
  if (f->kind == HP_AMG_FORM_RESIDUAL || step || (correct && scaled)) r.b = f->b[i];
  if (f->kind == HP_AMG_FORM_SCALED_PRODUCT || step || (correct && scaled)) r.s = f->s[i];
  if (step || correct) r.x = f->x_state == HP_AMG_STORED ? f->x[i] : scaled ? r.s * r.b : 0;
  if (step && f->momentum != 0)
    r.last = f->last_state == HP_AMG_STORED ? f->out[i] : f->last_state == HP_AMG_SCALED ? r.s * r.b : 0;
  return r;
}

/* out_i for the row's product p. */
HP_INLINE HP_HD HP_REAL HP_AMG_NAME(hp_amg_formed)(const HP_AMG_NAME(hp_amg_form) * f, HP_AMG_NAME(hp_amg_operands) r,
                                                   HP_REAL p) {
  if (f->kind == HP_AMG_FORM_PRODUCT) return p;
  if (f->kind == HP_AMG_FORM_RESIDUAL) return r.b - p;
  if (f->kind == HP_AMG_FORM_SCALED_PRODUCT) return r.s * p;
  if (f->kind == HP_AMG_FORM_CORRECT) return r.x + p;
  const HP_REAL moved = f->momentum != 0 ? r.x + f->momentum * (r.x - r.last) : r.x;
  return moved + f->factor * r.s * (r.b - p);
}

#endif
