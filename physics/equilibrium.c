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
#include "core/parallel.h"
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
  const double metres = fabs(z1 - z0);
  const int steps = metres < STEPS ? 1 + (int)metres : STEPS;
  double p = p0;
  for (int i = 0; i < steps; ++i) p = step_down(f, phase, p, (z1 - z0) / steps);
  return p;
}

/* A depth where the pressure of a phase is known. */
typedef struct {
  double z, p;
} known;

static void find_known(const hp_fluid *f, const hp_equilibrium *e, known at[HP_PHASES]) {
  const int first = e->datum_depth <= e->contact_depth ? HP_OIL : HP_WATER;
  const double p = integrate(f, first, e->datum_depth, e->datum_pressure, e->contact_depth);
  at[HP_OIL] = (known){e->contact_depth, p + e->contact_pc};
  at[HP_WATER] = (known){e->contact_depth, p - e->contact_pc};
  at[first] = (known){e->datum_depth, e->datum_pressure};
}

double hp_equilibrium_fault(const hp_fluid *f, const hp_equilibrium *e, double z0, double z1) {
  const double most = 1e12, depth[] = {e->contact_depth, e->datum_depth, z0, z1};
  known at[HP_PHASES];
  find_known(f, e, at);
  for (size_t n = 0; n < sizeof depth / sizeof depth[0]; ++n)
    for (int a = 0; a < HP_PHASES; ++a)
      if (!(fabs(integrate(f, a, at[a].z, at[a].p, depth[n])) <= most)) return depth[n];
  return NAN;
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

/* The ends of a cell's capillary pressure. */
typedef struct {
  hp_sat_range range;
  double top, bottom; /* [Pa] pc at range.min and range.max */
} pc_ends;

static pc_ends ends_of(const hp_reservoir *r, int64_t m) {
  const hp_sat_range range = hp_reservoir_range(r, m);
  return (pc_ends){range, hp_reservoir_sat(r, m, range.min).pc.v, hp_reservoir_sat(r, m, range.max).pc.v};
}

/* The saturation of cell m with pc(s) = pc; pc falls with s. Where it is flat, the
 * phase that the sign asks for: pc above it gives the smallest s, below the largest. */
static double invert_pc(const hp_reservoir *r, int64_t m, const pc_ends *e, double pc) {
  double lo = e->range.min, hi = e->range.max;
  if (pc >= e->top) return pc > e->top || e->bottom < pc ? lo : hi;
  if (pc <= e->bottom) return hi;
  for (int i = 0; i < 200 && hi - lo > 0.0; ++i) {
    const double mid = 0.5 * (lo + hi);
    if (mid == lo || mid == hi) break;
    if (hp_reservoir_sat(r, m, mid).pc.v > pc) lo = mid;
    else hi = mid;
  }
  return 0.5 * (lo + hi);
}

/* The pressures of a region by depth. */
typedef struct {
  column oil, water;
} columns;

static double pc_at(const columns *c, double z) { return column_at(&c->oil, z) - column_at(&c->water, z); }

/* A flat zero capillary pressure changes at the contact. */
static double saturation_averaged(const hp_reservoir *r, int64_t m, const pc_ends *e, const columns *c, double z,
                                  double dz, int parts) {
  double sum = 0.0, first = 0.0;
  bool same = true;
  for (int i = 0; i < parts; ++i) {
    const double s = invert_pc(r, m, e, pc_at(c, z + dz * ((i + 0.5) / parts - 0.5)));
    if (i == 0) first = s;
    same = same && s == first;
    sum += s;
  }
  return same ? first : sum / parts; /* an end point, by which the pressure is chosen, is met without rounding */
}

/* Cells of region `which`; first: the first one that is held, -1: none. */
typedef struct {
  const uint16_t *of;
  int which;
  int64_t first;
  double top, bottom; /* [m] of all ranks' cells and the contact */
} span;

/* Tables or end points are not the same in all cells. */
static bool cells_differ(const hp_reservoir *r) { return r->region != NULL || r->end_points != NULL; }

static bool is_in(const span *s, int64_t m) { return (s->of != NULL ? s->of[m] : 0) == s->which; }

static span find_span(const hp_reservoir *r, const hp_equilibrium *e, const uint16_t *of, int which, const double *dz) {
  span s = {.of = of, .which = which, .first = -1, .top = e->contact_depth, .bottom = e->contact_depth};
  for (int64_t m = 0; m < r->ncell; ++m) {
    const double half = 0.5 * dz[m];
    if (!is_in(&s, m)) continue;
    if (s.first < 0) s.first = m;
    if (r->depth[m] - half < s.top) s.top = r->depth[m] - half;
    if (r->depth[m] + half > s.bottom) s.bottom = r->depth[m] + half;
  }
  return s;
}

static hp_status columns_create(const hp_fluid *f, const hp_equilibrium *e, const span *s, columns *c) {
  column *oil = &c->oil, *water = &c->water;
  oil->z0 = water->z0 = s->top;
  oil->dz = water->dz = s->bottom > s->top ? (s->bottom - s->top) / STEPS : 1.0;
  HP_TRY(HP_ALLOC(oil->p, STEPS + 1));
  HP_TRY(HP_ALLOC(oil->slope, STEPS + 1));
  HP_TRY(HP_ALLOC(water->p, STEPS + 1));
  HP_TRY(HP_ALLOC(water->slope, STEPS + 1));
  known at[HP_PHASES];
  find_known(f, e, at);
  column_fill(f, HP_OIL, at[HP_OIL].z, at[HP_OIL].p, oil);
  column_fill(f, HP_WATER, at[HP_WATER].z, at[HP_WATER].p, water);
  return HP_OK;
}

/* The saturation that the deck gives, and the scale of the capillary pressure
 * that makes it be at rest. Below the contact there is nothing but water.
 * false: the scale would be above its limit; the cell's end points are other ones instead. */
static bool given_saturation(hp_reservoir *r, int64_t m, double water, double pc, double *s) {
  const hp_sat_range range = hp_reservoir_range(r, m);
  const hp_sat_spec *par = &hp_reservoir_fluid(r, m)->sat.par;
  hp_sat_scale *scale = &r->end_points[m];
  *s = range.max;
  if (pc < 0.0) return true;
  *s = water < range.min ? range.min : water > range.max ? range.max : water;
  const double now = hp_reservoir_sat(r, m, *s).pc.v;
  if (!(now > 0.0)) return true;
  const double top = hp_reservoir_sat(r, m, range.min).pc.v, limit = par->swatinit_pc_max;
  if (!(limit > 0.0 && top * (pc / now) > limit)) {
    scale->pc *= pc / now;
    return true;
  }
  if (par->swatinit_swl) scale->swl = *s;
  else scale->pc *= limit / top;
  return false;
}

typedef struct {
  hp_reservoir *r;
  const hp_equilibrium *e;
  const span *region;
  const double *dz, *water;
  const columns *c;
  _Atomic bool infinite;
} filling;

/* The ends are found once where all cells have the same. */
static void fill_cells(void *arg, int64_t begin, int64_t end) {
  filling *f = arg;
  hp_reservoir *r = f->r;
  pc_ends ends = ends_of(r, f->region->first);
  for (int64_t m = begin; m < end; ++m) {
    if (!is_in(f->region, m)) continue;
    const double z = r->depth[m], po = column_at(&f->c->oil, z), pw = column_at(&f->c->water, z);
    const bool given = f->water != NULL && r->active[m] && !isnan(f->water[m]) &&
                       given_saturation(r, m, f->water[m], po - pw, &r->s[m]);
    if (cells_differ(r)) ends = ends_of(r, m);
    if (f->e->accuracy == 0 && !given) r->s[m] = invert_pc(r, m, &ends, po - pw);
    else if (!given) r->s[m] = saturation_averaged(r, m, &ends, f->c, z, f->dz[m], 2 * abs(f->e->accuracy));
    /* Where only water moves, water is what is hydrostatic; the unknown is the oil pressure. */
    r->p[m] = r->s[m] >= ends.range.oil_immobile ? pw + hp_reservoir_sat(r, m, r->s[m]).pc.v : po;
    if (!isfinite(r->p[m]) || !isfinite(r->s[m])) f->infinite = true;
  }
}

static hp_status fill_region(filling *f) {
  enum { GRAIN = HP_PARALLEL_GRAIN / 8 };
  const hp_reservoir *r = f->r;
  hp_parallel(r->ncell, GRAIN, fill_cells, f);
  for (int64_t m = 0; f->infinite && m < r->ncell; ++m)
    if (is_in(f->region, m) && (!isfinite(r->p[m]) || !isfinite(r->s[m])))
      return hp_fail(HP_ERR_NUMERIC, "equilibrium: no finite pressure at depth %.6g m", r->depth[m]);
  return HP_OK;
}

/* region [count] */
static hp_status find_spans(const hp_reservoir *r, int count, const hp_equilibrium *e, const uint16_t *of,
                            const double *dz, span *region) {
  double *end = NULL; /* minus the tops, the bottoms */
  HP_TRY(HP_ALLOC(end, 2 * (int64_t)count));
  for (int n = 0; n < count; ++n) {
    region[n] = find_span(r, &e[n], of, n, dz);
    end[n] = -region[n].top;
    end[count + n] = region[n].bottom;
  }
  const hp_status s = hp_spread_max(r->spread, end, 2 * (int64_t)count);
  for (int n = 0; n < count; ++n) {
    region[n].top = -end[n];
    region[n].bottom = end[count + n];
  }
  HP_FREE(end);
  return s;
}

static hp_status fill_regions(hp_reservoir *r, int count, const hp_equilibrium *e, const span *regions,
                              const double *dz, const double *water) {
  for (int n = 0; n < count; ++n) {
    const span region = regions[n];
    columns c = {.oil = {.z0 = 0.0}};
    if (region.first < 0) continue;
    hp_status status = columns_create(hp_reservoir_fluid(r, region.first), &e[n], &region, &c);
    filling f = {r, &e[n], &region, dz, water, &c, false};
    if (status == HP_OK) status = fill_region(&f);
    HP_FREE(c.oil.p);
    HP_FREE(c.oil.slope);
    HP_FREE(c.water.p);
    HP_FREE(c.water.slope);
    HP_TRY(status);
  }
  return HP_OK;
}

hp_status hp_equilibrate(hp_reservoir *r, int count, const hp_equilibrium *e, const uint16_t *of, const double *dz,
                         const double *water) {
  span *region = NULL;
  if (water != NULL) HP_TRY(hp_reservoir_end_points(r));
  HP_TRY(HP_ALLOC(region, count));
  hp_status s = find_spans(r, count, e, of, dz, region);
  if (s == HP_OK) s = fill_regions(r, count, e, region, dz, water);
  HP_FREE(region);
  return s;
}
