/* Rock tables: multipliers of pore volume and transmissibility by the pressure of a cell.
 *
 *     pore volume  = its reference value * (1 + X + X^2/2) * pv(p),   X = c (p - p_ref) of hp_rock_spec
 *     flux of a    = T trans(p) lam_a (Phi_a,m - Phi_a,n),            trans and lam of the cell that phase a comes from
 *
 * Tables are linear between their rows and beyond them; pv is held at HP_TABLE_LEAST of its least row, trans at 0.
 * Where the rock does not come back (irreversible), p is the lowest pressure that the cell has had since the start.
 * trans has one column, or one for each direction of a face; wells have that of x. The forms are those of OPM Flow
 * 2022.10.
 *
 * Where there are any: hp_reservoir_compaction. `lowest` [ncell] is the reservoir's, NULL: no table needs it; hp_step_accept
 * changes it.
 */
#ifndef HP_PHYSICS_COMPACTION_H
#define HP_PHYSICS_COMPACTION_H

#include "grid/grid.h"
#include "physics/cell.inl.h"

HP_EXTERN_C_BEGIN

/* The table of a rock region. Pointers are those of the deck's hp_rock_spec. */
typedef struct hp_compaction_table {
  int rows; /* 0: the region has no table */
  bool irreversible;
  const double *p, *pv;         /* [rows] [Pa], [-] */
  double pv_least;              /* it is held at */
  const double *trans[HP_DIRS]; /* [rows] by HP_DIR_*; NULL: 1 */
} hp_compaction_table;

typedef struct hp_compaction {
  int count;
  hp_compaction_table *table; /* [count] */
  const uint16_t *of;         /* [ncell] the cell's table; NULL: 0 */
} hp_compaction;

/* Whether a table of a deck does not let the rock come back: whether there are lowest pressures. */
bool hp_compaction_is_irreversible(const hp_fluid_spec *spec);

/* Makes it from the tables of a deck, which stay the caller's. *out: NULL where there are none. */
hp_status hp_compaction_create(const hp_fluid_spec *spec, hp_compaction **out) HP_MUST_USE;
void hp_compaction_destroy(hp_compaction **c);

/* y, a column of cell m's table that is held at `least`, and its derivative at p. */
HP_INLINE HP_HD hp_dual hp_compaction_at(const hp_compaction *c, const double *lowest, int64_t m, const double *y,
                                         double least, double p) {
  const hp_compaction_table *t = &c->table[c->of != NULL ? c->of[m] : 0];
  const bool stays = t->irreversible && p > lowest[m];
  const double at = stays ? lowest[m] : p;
  hp_dual r = hp_dual_hold(hp_table_linear(t->p, y, hp_table_interval(t->p, t->rows, at), at), least);
  if (stays) r.d = 0.0;
  return r;
}

/* Multiplier of cell m's pore volume. */
HP_INLINE HP_HD hp_dual hp_compaction_volume(const hp_compaction *c, const double *lowest, int64_t m, double p) {
  const hp_compaction_table *t = &c->table[c->of != NULL ? c->of[m] : 0];
  const hp_dual one = {1.0, 0.0};
  return t->rows > 0 ? hp_compaction_at(c, lowest, m, t->pv, t->pv_least, p) : one;
}

/* Multiplier of the transmissibility of what leaves cell m through a face of direction d. */
HP_INLINE HP_HD hp_dual hp_compaction_trans(const hp_compaction *c, const double *lowest, int64_t m, int d, double p) {
  const hp_compaction_table *t = &c->table[c->of != NULL ? c->of[m] : 0];
  const hp_dual one = {1.0, 0.0};
  return t->rows > 0 && t->trans[d] != NULL ? hp_compaction_at(c, lowest, m, t->trans[d], 0.0, p) : one;
}

/* The mass in place of cell m at p, computed without its table. */
HP_INLINE HP_HD void hp_compaction_mass(const hp_compaction *c, const double *lowest, int64_t m, double p,
                                        hp_cell_mass *a) {
  const hp_dual k = hp_compaction_volume(c, lowest, m, p);
  for (int n = 0; n < HP_PHASES; ++n) {
    hp_grad *v = &a->mass[n];
    v->dp = k.v * v->dp + k.d * v->v;
    v->ds *= k.v;
    v->v *= k.v;
  }
}

/* The mobilities of cell m, as they are for what leaves it in direction d. */
HP_INLINE HP_HD void hp_compaction_mobility(const hp_compaction *c, const double *lowest, int64_t m, int d,
                                            hp_cell_props *s) {
  const hp_dual k = hp_compaction_trans(c, lowest, m, d, s->p);
  s->dlam_o_dp = k.v * s->dlam_o_dp + k.d * s->lam_o;
  s->dlam_w_dp = k.v * s->dlam_w_dp + k.d * s->lam_w;
  s->dlam_o_ds *= k.v;
  s->dlam_w_ds *= k.v;
  s->lam_o *= k.v;
  s->lam_w *= k.v;
}

HP_EXTERN_C_END

#endif
