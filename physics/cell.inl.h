/* The state of one cell and what follows from it: mobilities, densities, mass
 * in place. Evaluated once a Newton iteration and cell, read by the cell's own
 * row and by the rows of its six neighbours.
 */
#ifndef HP_PHYSICS_CELL_INL_H
#define HP_PHYSICS_CELL_INL_H

#include "physics/satfunc.inl.h"

/* All that is known of the fluids, as plain data. */
typedef struct {
  hp_pvt phase[HP_PHASES];
  hp_satfunc sat;
  hp_rock rock;
  double *store; /* owns the tables */
} hp_fluid;

/* Derivatives by p and s of a quantity. */
typedef struct {
  double v, dp, ds;
} hp_grad;

/* X(field): what is stored for each cell, in this order. lam = b kr / mu, the
 * mobility in surface volumes [1/(Pa s)]; rho the density [kg/m3]; pw the
 * water pressure [Pa]; b = 1/B [-]. */
#define HP_CELL_FIELDS(X) \
  X(p)                    \
  X(pw)                   \
  X(dpw_ds)               \
  X(rho_o)                \
  X(drho_o_dp)            \
  X(rho_w)                \
  X(drho_w_dp)            \
  X(lam_o)                \
  X(dlam_o_dp)            \
  X(dlam_o_ds)            \
  X(lam_w)                \
  X(dlam_w_dp)            \
  X(dlam_w_ds)

typedef struct {
#define HP_CELL_MEMBER(f) double f;
  HP_CELL_FIELDS(HP_CELL_MEMBER)
#undef HP_CELL_MEMBER
} hp_cell_props;

enum { HP_CELL_NFIELDS = sizeof(hp_cell_props) / sizeof(double) };

/* The fields of all cells. A CPU keeps a cell together, all fields in their
 * order: at[m * HP_CELL_NFIELDS + f]. A GPU keeps what is dear to evaluate, two
 * fields together and those of all cells in a row, for loads of 16 bytes:
 *
 *     at[2 (n stride + m) + 0, 1]   n = 0: pw, dpw_ds     1: lam_o, lam_w
 *                                       2: dlam_*_dp      3: dlam_*_ds
 *
 * and evaluates the densities anew from p and pw: the same operations, hence
 * the same bits. */
typedef struct {
  double *at;
  int64_t stride; /* GPU only: cells from pair to pair */
} hp_props;

enum { HP_CELL_PAIRS = 4 };

/* Mass in place at surface volumes per reference pore volume, phi/phi_ref b_a S_a. */
typedef struct {
  hp_grad mass[HP_PHASES];
  double b[HP_PHASES]; /* 1/B, used to scale rows */
} hp_cell_mass;

/* Mobilities of both phases with their derivatives. */
typedef struct {
  hp_grad o, w;
} hp_mobilities;

/* Those of relative permeabilities; bmu: 1/(mu B) at the pressures of the phases. */
HP_INLINE HP_HD hp_mobilities hp_mobilities_of(hp_sat_value sat, hp_dual bmuo, hp_dual bmuw, double dpw_ds) {
  hp_mobilities lam;
  lam.o.v = sat.kro.v * bmuo.v;
  lam.o.dp = sat.kro.v * bmuo.d;
  lam.o.ds = sat.kro.d * bmuo.v;
  lam.w.v = sat.krw.v * bmuw.v;
  lam.w.dp = sat.krw.v * bmuw.d;
  lam.w.ds = sat.krw.d * bmuw.v + sat.krw.v * bmuw.d * dpw_ds;
  return lam;
}

HP_INLINE HP_HD void hp_cell_set_mobilities(hp_cell_props *c, hp_mobilities lam) {
  c->lam_o = lam.o.v;
  c->dlam_o_dp = lam.o.dp;
  c->dlam_o_ds = lam.o.ds;
  c->lam_w = lam.w.v;
  c->dlam_w_dp = lam.w.dp;
  c->dlam_w_ds = lam.w.ds;
}

/* Everything of a cell from its unknowns p [Pa] and s [-] and its saturation functions at s. */
HP_INLINE HP_HD void hp_cell_eval_at(const hp_fluid *f, hp_sat_value sat, double p, double s, hp_cell_props *c,
                                     hp_cell_mass *a) {
  const hp_dual rock = hp_rock_eval(&f->rock, p);
  hp_dual bo, bmuo, bw, bmuw;
  c->p = p;
  c->pw = p - sat.pc.v;
  c->dpw_ds = -sat.pc.d;
  hp_pvt_eval(&f->phase[HP_OIL], p, &bo, &bmuo);
  hp_pvt_eval(&f->phase[HP_WATER], c->pw, &bw, &bmuw);
  c->rho_o = bo.v * f->phase[HP_OIL].density;
  c->drho_o_dp = bo.d * f->phase[HP_OIL].density;
  c->rho_w = bw.v * f->phase[HP_WATER].density;
  c->drho_w_dp = bw.d * f->phase[HP_WATER].density;
  hp_cell_set_mobilities(c, hp_mobilities_of(sat, bmuo, bmuw, c->dpw_ds));

  a->b[HP_OIL] = bo.v;
  a->b[HP_WATER] = bw.v;
  a->mass[HP_OIL].v = rock.v * bo.v * (1.0 - s);
  a->mass[HP_OIL].dp = (rock.d * bo.v + rock.v * bo.d) * (1.0 - s);
  a->mass[HP_OIL].ds = -rock.v * bo.v;
  a->mass[HP_WATER].v = rock.v * bw.v * s;
  a->mass[HP_WATER].dp = (rock.d * bw.v + rock.v * bw.d) * s;
  a->mass[HP_WATER].ds = rock.v * (bw.v + bw.d * c->dpw_ds * s);
}

/* The properties of a cell whose functions are those of the table. */
HP_INLINE HP_HD void hp_cell_eval(const hp_fluid *f, double p, double s, hp_cell_props *c, hp_cell_mass *a) {
  hp_cell_eval_at(f, hp_sat_eval(&f->sat, s), p, s, c, a);
}

/* Properties of cell m; p [ncell] is the pressure they were stored at. */
HP_INLINE HP_HD hp_cell_props hp_props_load(const hp_props *s, const hp_fluid *f, const double *p, int64_t m) {
#if defined(__CUDA_ARCH__)
  const double2 *at = (const double2 *)(const void *)s->at + m;
  const double2 pw = at[0], lam = at[s->stride], dp = at[2 * s->stride], ds = at[3 * s->stride];
  hp_cell_props c;
  hp_dual b, bmu;
  c.p = p[m];
  c.pw = pw.x, c.dpw_ds = pw.y;
  c.lam_o = lam.x, c.lam_w = lam.y;
  c.dlam_o_dp = dp.x, c.dlam_w_dp = dp.y;
  c.dlam_o_ds = ds.x, c.dlam_w_ds = ds.y;
  hp_pvt_eval(&f->phase[HP_OIL], c.p, &b, &bmu);
  c.rho_o = b.v * f->phase[HP_OIL].density;
  c.drho_o_dp = b.d * f->phase[HP_OIL].density;
  hp_pvt_eval(&f->phase[HP_WATER], c.pw, &b, &bmu);
  c.rho_w = b.v * f->phase[HP_WATER].density;
  c.drho_w_dp = b.d * f->phase[HP_WATER].density;
  return c;
#else
  hp_cell_props c;
  const double *at = s->at + m * HP_CELL_NFIELDS;
  (void)f, (void)p;
#define HP_CELL_LOAD(field) c.field = *at++;
  HP_CELL_FIELDS(HP_CELL_LOAD)
#undef HP_CELL_LOAD
  return c;
#endif
}

HP_INLINE HP_HD void hp_props_store(const hp_props *s, int64_t m, const hp_cell_props *c) {
#if defined(__CUDA_ARCH__)
  double2 *at = (double2 *)(void *)s->at + m;
  at[0] = make_double2(c->pw, c->dpw_ds);
  at[s->stride] = make_double2(c->lam_o, c->lam_w);
  at[2 * s->stride] = make_double2(c->dlam_o_dp, c->dlam_w_dp);
  at[3 * s->stride] = make_double2(c->dlam_o_ds, c->dlam_w_ds);
#else
  double *at = s->at + m * HP_CELL_NFIELDS;
#define HP_CELL_STORE(field) *at++ = c->field;
  HP_CELL_FIELDS(HP_CELL_STORE)
#undef HP_CELL_STORE
#endif
}

#endif
