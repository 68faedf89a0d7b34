#include "grid/grid.h"

#include <math.h>

#include "core/memory.h"

void hp_grid_from_natural(int nx, int ny, int nz, const double *src, double *dst) {
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k)
        dst[k + (int64_t)nz * (j + (int64_t)ny * i)] = src[i + (int64_t)nx * (j + (int64_t)ny * k)];
}

void hp_grid_to_natural(int nx, int ny, int nz, const double *src, double *dst) {
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        dst[i + (int64_t)nx * (j + (int64_t)ny * k)] = src[k + (int64_t)nz * (j + (int64_t)ny * i)];
}

static hp_status allocate(hp_grid *g) {
  HP_TRY(HP_ALLOC(g->dx, g->ncell));
  HP_TRY(HP_ALLOC(g->dy, g->ncell));
  HP_TRY(HP_ALLOC(g->dz, g->ncell));
  HP_TRY(HP_ALLOC(g->depth, g->ncell));
  HP_TRY(HP_ALLOC(g->porosity, g->ncell));
  HP_TRY(HP_ALLOC(g->ntg, g->ncell));
  HP_TRY(HP_ALLOC(g->pore_volume, g->ncell));
  HP_TRY(HP_ALLOC(g->active, g->ncell));
  for (int d = 0; d < HP_DIRS; ++d) {
    HP_TRY(HP_ALLOC(g->perm[d], g->ncell));
    HP_TRY(HP_ALLOC(g->trans[d], g->ncell));
  }
  return HP_OK;
}

hp_status hp_grid_create(int nx, int ny, int nz, hp_grid **out) {
  *out = NULL;
  if (nx < 1 || ny < 1 || nz < 1)
    return hp_fail(HP_ERR_DECK, "grid of %d x %d x %d cells: every size must be at least 1", nx, ny, nz);
  const int64_t layer = (int64_t)nx * ny;
  if (layer > INT64_MAX / 64 / nz) return hp_fail(HP_ERR_MEMORY, "grid of %d x %d x %d cells: too large", nx, ny, nz);

  hp_grid *g;
  HP_TRY(HP_ALLOC(g, 1));
  g->nx = nx;
  g->ny = ny;
  g->nz = nz;
  g->ncell = layer * nz;
  const hp_status s = allocate(g);
  if (s != HP_OK) {
    hp_grid_destroy(&g);
    return s;
  }
  for (int64_t m = 0; m < g->ncell; ++m) {
    g->ntg[m] = 1.0;
    g->active[m] = 1;
  }
  *out = g;
  return HP_OK;
}

void hp_grid_destroy(hp_grid **grid) {
  if (grid == NULL || *grid == NULL) return;
  hp_grid *g = *grid;
  HP_FREE(g->dx);
  HP_FREE(g->dy);
  HP_FREE(g->dz);
  HP_FREE(g->depth);
  HP_FREE(g->porosity);
  HP_FREE(g->ntg);
  HP_FREE(g->pore_volume);
  HP_FREE(g->active);
  for (int d = 0; d < HP_DIRS; ++d) {
    HP_FREE(g->perm[d]);
    HP_FREE(g->trans[d]);
  }
  HP_FREE(*grid);
}

/* validation */

/* The message that a cell's value breaks its demand; cells count from 1 in messages. */
static hp_status bad_value(const hp_grid *g, int64_t m, const char *name, double value, const char *demand) {
  int ijk[3];
  hp_grid_ijk(g, m, ijk);
  return hp_fail(HP_ERR_DECK, "cell (%d,%d,%d): %s is %g, must be %s", ijk[0] + 1, ijk[1] + 1, ijk[2] + 1, name,
                 value, demand);
}

/* Written so that NaN fails as well. */
static bool positive(double v) { return v > 0.0 && isfinite(v); }
static bool not_negative(double v) { return v >= 0.0 && isfinite(v); }

/* A number is given for cell m. */
static bool has(const double *given, int64_t m) { return given != NULL && !isnan(given[m]); }

/* Sizes and depths make the mesh, so they must hold in inactive cells too;
 * rock data of cells that the deck switches off may be anything. */
static hp_status validate(const hp_grid *g, const double *mult_pv, const double *const mult[HP_DIRS],
                          const hp_grid_given *given) {
  static const char *const perm_name[HP_DIRS] = {"permz [m2]", "permy [m2]", "permx [m2]"};
  static const char *const mult_name[HP_DIRS] = {"the multiplier of the face towards +k",
                                                 "the multiplier of the face towards +j",
                                                 "the multiplier of the face towards +i"};
  static const char *const trans_name[HP_DIRS] = {"the transmissibility towards +k", "the transmissibility towards +j",
                                                  "the transmissibility towards +i"};
  for (int64_t m = 0; m < g->ncell; ++m) {
    if (!positive(g->dx[m])) return bad_value(g, m, "dx [m]", g->dx[m], "> 0");
    if (!positive(g->dy[m])) return bad_value(g, m, "dy [m]", g->dy[m], "> 0");
    if (!positive(g->dz[m])) return bad_value(g, m, "dz [m]", g->dz[m], "> 0");
    if (!isfinite(g->depth[m])) return bad_value(g, m, "depth [m]", g->depth[m], "finite");
    if (!g->active[m]) continue;
    if (!(g->porosity[m] >= 0.0 && g->porosity[m] <= 1.0))
      return bad_value(g, m, "porosity", g->porosity[m], "in 0..1");
    if (!not_negative(g->ntg[m])) return bad_value(g, m, "ntg", g->ntg[m], ">= 0");
    for (int d = 0; d < HP_DIRS; ++d) {
      if (!not_negative(g->perm[d][m])) return bad_value(g, m, perm_name[d], g->perm[d][m], ">= 0");
      if (mult != NULL && mult[d] != NULL && !not_negative(mult[d][m]))
        return bad_value(g, m, mult_name[d], mult[d][m], ">= 0");
    }
    if (mult_pv != NULL && !not_negative(mult_pv[m]))
      return bad_value(g, m, "the pore volume multiplier", mult_pv[m], ">= 0");
    if (has(given->pore_volume, m) && !not_negative(given->pore_volume[m]))
      return bad_value(g, m, "the pore volume", given->pore_volume[m], ">= 0");
    for (int d = 0; d < HP_DIRS; ++d)
      if (has(given->trans[d], m) && !not_negative(given->trans[d][m]))
        return bad_value(g, m, trans_name[d], given->trans[d][m], ">= 0");
  }
  return HP_OK;
}

/* pore volumes and transmissibilities */

static void set_pore_volumes(hp_grid *g, double minpv, const double *mult_pv, const double *given) {
  g->nactive = 0;
  for (int64_t m = 0; m < g->ncell; ++m) {
    double pv = 0.0;
    if (g->active[m] && has(given, m)) {
      pv = given[m];
    } else if (g->active[m]) {
      pv = g->dx[m] * g->dy[m] * g->dz[m] * g->porosity[m] * g->ntg[m];
      if (mult_pv != NULL) pv *= mult_pv[m];
    }
    /* A cell without pore volume has no balance to solve, whatever minpv is. */
    g->active[m] = pv > 0.0 && pv >= minpv;
    g->pore_volume[m] = g->active[m] ? pv : 0.0;
    g->nactive += g->active[m];
  }
}

/* From the centre of cell m to its face across direction d [m3]:
 * K A / (length/2), with the net thickness only in lateral directions. */
static double half_transmissibility(const hp_grid *g, int64_t m, int d) {
  const double dx = g->dx[m], dy = g->dy[m], dz = g->dz[m];
  switch (d) {
  case HP_DIR_I: return g->perm[d][m] * (dy * dz * g->ntg[m]) / (0.5 * dx);
  case HP_DIR_J: return g->perm[d][m] * (dx * dz * g->ntg[m]) / (0.5 * dy);
  default: return g->perm[d][m] * (dx * dy) / (0.5 * dz);
  }
}

static double in_series(double a, double b) { return a > 0.0 && b > 0.0 ? 1.0 / (1.0 / a + 1.0 / b) : 0.0; }

static void set_transmissibilities(hp_grid *g, int d, const double *mult, const double *given) {
  const int64_t stride = hp_grid_stride(g, d);
  const int last = d == HP_DIR_I ? g->nx - 1 : d == HP_DIR_J ? g->ny - 1 : g->nz - 1;
  for (int i = 0; i < g->nx; ++i)
    for (int j = 0; j < g->ny; ++j)
      for (int k = 0; k < g->nz; ++k) {
        const int64_t m = hp_grid_cell(g, i, j, k);
        const int along = d == HP_DIR_I ? i : d == HP_DIR_J ? j : k;
        const bool open = along < last && g->active[m] && g->active[m + stride];
        double t = 0.0;
        if (open) t = in_series(half_transmissibility(g, m, d), half_transmissibility(g, m + stride, d));
        g->trans[d][m] = open && has(given, m) ? given[m] : mult != NULL ? t * mult[m] : t;
      }
}

hp_status hp_grid_finish(hp_grid *g, double minpv, const double *mult_pv, const double *const mult[HP_DIRS],
                         const hp_grid_given *given) {
  static const hp_grid_given nothing = {NULL, {NULL, NULL, NULL}};
  if (given == NULL) given = &nothing;
  HP_TRY(validate(g, mult_pv, mult, given));
  set_pore_volumes(g, minpv, mult_pv, given->pore_volume);
  if (g->nactive == 0)
    return hp_fail(HP_ERR_DECK, "no active cell: all are switched off or below minpv (%g m3)", minpv);
  for (int d = 0; d < HP_DIRS; ++d) set_transmissibilities(g, d, mult != NULL ? mult[d] : NULL, given->trans[d]);
  return HP_OK;
}
