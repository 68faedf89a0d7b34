#include <math.h>

#include "wells/wells.h"

static const double PI = 3.14159265358979323846;

/* Extents of a cell along k, j, i; the thickness is the net one. */
static void net_size(const hp_grid_rock *c, double size[HP_DIRS]) {
  size[HP_DIR_K] = c->dz * c->ntg;
  size[HP_DIR_J] = c->dy;
  size[HP_DIR_I] = c->dx;
}

static double equivalent_radius(double ka, double kb, double a, double b) {
  const double ratio = kb / ka, root = sqrt(ratio);
  return 0.28 * sqrt(root * a * a + b * b / root) / (sqrt(root) + 1.0 / sqrt(root));
}

/* Well index of `length` metres along direction d; 0 where the rock across the
 * well does not conduct. */
static double index_along(const hp_grid_rock *c, const hp_perf_spec *perf, int d, double length) {
  const int a = (d + 1) % HP_DIRS, b = (d + 2) % HP_DIRS;
  const double ka = c->perm[a], kb = c->perm[b];
  if (!(ka > 0.0) || !(kb > 0.0)) return 0.0;
  double size[HP_DIRS];
  net_size(c, size);
  const double r0 = isnan(perf->r0) ? equivalent_radius(ka, kb, size[a], size[b]) : perf->r0;
  const double kh = isnan(perf->kh) ? sqrt(ka * kb) * length : perf->kh;
  return 2.0 * PI * kh / (log(r0 / perf->radius) + perf->skin);
}

hp_status hp_well_index(const hp_grid *g, int64_t m, const hp_perf_spec *perf, double *wi) {
  *wi = perf->transmissibility;
  if (isnan(*wi)) {
    const hp_grid_rock c = hp_grid_rock_of(g, m);
    double size[HP_DIRS];
    net_size(&c, size);
    if (isnan(perf->length[0])) {
      *wi = index_along(&c, perf, perf->dir, size[perf->dir]);
    } else {
      double sum = 0.0;
      for (int d = 0; d < HP_DIRS; ++d) {
        double length = fabs(perf->length[d]);
        if (d == HP_DIR_K) length *= c.ntg;
        const double part = length > 0.0 ? index_along(&c, perf, d, length) : 0.0;
        if (part < 0.0) sum = NAN;
        sum += part * part;
      }
      *wi = sqrt(sum);
    }
  }
  if (!isfinite(*wi) || *wi < 0.0) {
    int ijk[3];
    hp_grid_ijk(g, m, ijk);
    return hp_fail(HP_ERR_DECK,
                   "perforation in cell (%d, %d, %d): no positive well index: wellbore radius %.4g m, skin %.4g; the "
                   "radius must be well below the cell's size",
                   ijk[0] + 1, ijk[1] + 1, ijk[2] + 1, perf->radius, perf->skin);
  }
  return HP_OK;
}
