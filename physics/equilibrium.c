/* Hydrostatic equilibrium (EQUIL): phase pressures by depth, then the
 * saturation whose capillary pressure is their difference.
 *
 * The oil pressure is integrated from the datum, the water pressure from the
 * contact where p_w = p_o - pc(contact); below the contact a datum fixes the
 * water pressure first. dp/dz = rho(p) g is solved by Runge-Kutta steps on a
 * table of depths that spans all cells; between its rows pressures are
 * interpolated by Hermite cubics (the slope is known), so that depths of cell
 * centres are met to rounding.
 */
#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "physics/reservoir.h"

enum { STEPS = 2000 };

static double density(const hp_fluid *f, int phase, double p) {
  hp_dual b, bmu;
  hp_pvt_eval(&f->phase[phase], p, &b, &bmu);
  return b.v * f->phase[phase].density;
}

/* One step of the classical fourth-order Runge-Kutta method over dz. */
static double step_down(const hp_fluid *f, int phase, double p, double dz) {
  const double k1 = HP_GRAVITY * density(f, phase, p);
  const double k2 = HP_GRAVITY * density(f, phase, p + 0.5 * dz * k1);
  const double k3 = HP_GRAVITY * density(f, phase, p + 0.5 * dz * k2);
  const double k4 = HP_GRAVITY * density(f, phase, p + dz * k3);
  return p + dz / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
}

static double integrate(const hp_fluid *f, int phase, double z0, double p0, double z1) {
  const int n = 1 + (int)(fabs(z1 - z0) / 1.0);
  const int steps = n < STEPS ? n : STEPS;
  double p = p0;
  for (int i = 0; i < steps; ++i) p = step_down(f, phase, p, (z1 - z0) / steps);
  return p;
}

/* Pressure by depth: rows z0 + i dz, i = 0 .. STEPS. */
typedef struct {
  double z0, dz;
  double *p, *slope; /* [STEPS+1] [Pa], [Pa/m] */
} column;

/* Fills the column from a known pressure at depth z. */
static void column_fill(const hp_fluid *f, int phase, double z, double p, column *c) {
  c->p[0] = integrate(f, phase, z, p, c->z0);
  for (int i = 0; i < STEPS; ++i) c->p[i + 1] = step_down(f, phase, c->p[i], c->dz);
  for (int i = 0; i <= STEPS; ++i) c->slope[i] = HP_GRAVITY * density(f, phase, c->p[i]);
}

static double column_at(const column *c, double z) {
  double x = (z - c->z0) / c->dz;
  int i = (int)x;
  i = i < 0 ? 0 : i > STEPS - 1 ? STEPS - 1 : i;
  x -= i;
  const double a = c->p[i], b = c->p[i + 1], da = c->slope[i] * c->dz, db = c->slope[i + 1] * c->dz;
  return a + x * (da + x * (3.0 * (b - a) - 2.0 * da - db + x * (2.0 * (a - b) + da + db)));
}

/* The saturation with pc(s) = pc; pc falls with s. Where it is flat, the
 * phase that the sign asks for: pc above it gives the smallest s, below the largest. */
static double invert_pc(const hp_satfunc *f, double pc) {
  double lo = f->s_min, hi = f->s_max;
  if (pc >= hp_sat_eval(f, lo).pc.v) {
    return pc > hp_sat_eval(f, lo).pc.v || hp_sat_eval(f, hi).pc.v < pc ? lo : hi;
  }
  if (pc <= hp_sat_eval(f, hi).pc.v) return hi;
  for (int i = 0; i < 200 && hi - lo > 0.0; ++i) {
    const double mid = 0.5 * (lo + hi);
    if (mid == lo || mid == hi) break;
    if (hp_sat_eval(f, mid).pc.v > pc) lo = mid;
    else hi = mid;
  }
  return 0.5 * (lo + hi);
}

/* Saturation at depth z; a flat zero capillary pressure changes at the contact. */
static double saturation_at(const hp_fluid *f, const column *oil, const column *water, double z) {
  return invert_pc(&f->sat, column_at(oil, z) - column_at(water, z));
}

static double saturation_averaged(const hp_fluid *f, const column *oil, const column *water, double z, double dz,
                                  int parts) {
  double sum = 0.0;
  for (int i = 0; i < parts; ++i) sum += saturation_at(f, oil, water, z + dz * ((i + 0.5) / parts - 0.5));
  return sum / parts;
}

static hp_status columns_create(const hp_fluid *f, const hp_equilibrium *e, int64_t ncell, const double *depth,
                                const double *dz, column *oil, column *water) {
  double top = e->contact_depth, bottom = e->contact_depth;
  for (int64_t m = 0; m < ncell; ++m) {
    const double half = 0.5 * dz[m];
    if (depth[m] - half < top) top = depth[m] - half;
    if (depth[m] + half > bottom) bottom = depth[m] + half;
  }
  oil->z0 = water->z0 = top;
  oil->dz = water->dz = bottom > top ? (bottom - top) / STEPS : 1.0;
  HP_TRY(HP_ALLOC(oil->p, STEPS + 1));
  HP_TRY(HP_ALLOC(oil->slope, STEPS + 1));
  HP_TRY(HP_ALLOC(water->p, STEPS + 1));
  HP_TRY(HP_ALLOC(water->slope, STEPS + 1));
  if (e->datum_depth <= e->contact_depth) {
    const double po = integrate(f, HP_OIL, e->datum_depth, e->datum_pressure, e->contact_depth);
    column_fill(f, HP_OIL, e->datum_depth, e->datum_pressure, oil);
    column_fill(f, HP_WATER, e->contact_depth, po - e->contact_pc, water);
  } else {
    const double pw = integrate(f, HP_WATER, e->datum_depth, e->datum_pressure, e->contact_depth);
    column_fill(f, HP_WATER, e->datum_depth, e->datum_pressure, water);
    column_fill(f, HP_OIL, e->contact_depth, pw + e->contact_pc, oil);
  }
  return HP_OK;
}

hp_status hp_equilibrate(const hp_fluid *f, const hp_equilibrium *e, int64_t ncell, const double *depth,
                         const double *dz, double *p, double *s) {
  column oil = {0}, water = {0};
  hp_status status = columns_create(f, e, ncell, depth, dz, &oil, &water);
  for (int64_t m = 0; status == HP_OK && m < ncell; ++m) {
    const double po = column_at(&oil, depth[m]), pw = column_at(&water, depth[m]);
    s[m] = e->accuracy == 0 ? invert_pc(&f->sat, po - pw)
                            : saturation_averaged(f, &oil, &water, depth[m], dz[m], 2 * abs(e->accuracy));
    /* Where only water moves, water is what is hydrostatic; the unknown is the oil pressure. */
    p[m] = s[m] >= f->sat.s_oil_immobile ? pw + hp_sat_eval(&f->sat, s[m]).pc.v : po;
    if (!isfinite(p[m]) || !isfinite(s[m]))
      status = hp_fail(HP_ERR_NUMERIC, "equilibrium: no finite pressure at depth %.6g m", depth[m]);
  }
  HP_FREE(oil.p);
  HP_FREE(oil.slope);
  HP_FREE(water.p);
  HP_FREE(water.slope);
  return status;
}
