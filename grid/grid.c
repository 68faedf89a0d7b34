#include "grid/grid.h"

#include <math.h>
#include <stdio.h>

#include "core/memory.h"
#include "core/parallel.h"

/* Between [nz][ny][nx], i fastest, and cell order. */
typedef struct {
  int nx, ny, nz;
  const double *src;
  double *dst;
} transfer;

enum { TILE = 16 }; /* columns and layers that are in cache together */

static int at_most(int n, int limit) { return n < limit ? n : limit; }

/* Rows j = begin .. end-1. */
static void from_natural(void *arg, int64_t begin, int64_t end) {
  const transfer *t = arg;
  const int64_t nx = t->nx, ny = t->ny, nz = t->nz;
  for (int64_t j = begin; j < end; ++j)
    for (int k0 = 0; k0 < nz; k0 += TILE)
      for (int i0 = 0; i0 < nx; i0 += TILE)
        for (int i = i0; i < at_most(i0 + TILE, t->nx); ++i)
          for (int k = k0; k < at_most(k0 + TILE, t->nz); ++k)
            t->dst[k + nz * (j + ny * i)] = t->src[i + nx * (j + ny * k)];
}

static void to_natural(void *arg, int64_t begin, int64_t end) {
  const transfer *t = arg;
  const int64_t nx = t->nx, ny = t->ny, nz = t->nz;
  for (int64_t j = begin; j < end; ++j)
    for (int i0 = 0; i0 < nx; i0 += TILE)
      for (int k0 = 0; k0 < nz; k0 += TILE)
        for (int k = k0; k < at_most(k0 + TILE, t->nz); ++k)
          for (int i = i0; i < at_most(i0 + TILE, t->nx); ++i)
            t->dst[i + nx * (j + ny * k)] = t->src[k + nz * (j + ny * i)];
}

/* At least so many rows j or i a thread. */
static int64_t rows(int64_t cells_a_row) { return 1 + HP_PARALLEL_GRAIN / cells_a_row; }

void hp_grid_from_natural(int nx, int ny, int nz, const double *src, double *dst) {
  transfer t = {nx, ny, nz, src, dst};
  hp_parallel(ny, rows((int64_t)nx * nz), from_natural, &t);
}

void hp_grid_to_natural(int nx, int ny, int nz, const double *src, double *dst) {
  transfer t = {nx, ny, nz, src, dst};
  hp_parallel(ny, rows((int64_t)nx * nz), to_natural, &t);
}

static hp_status allocate(hp_grid *g) {
  HP_TRY(HP_ALLOC(g->dx, g->ncell));
  HP_TRY(HP_ALLOC(g->dy, g->ncell));
  HP_TRY(HP_ALLOC(g->dz, g->ncell));
  HP_TRY(HP_ALLOC(g->depth, g->ncell));
  HP_TRY(HP_ALLOC(g->porosity, g->ncell));
  HP_TRY(HP_ALLOC(g->ntg, g->ncell));
  HP_TRY(HP_ALLOC(g->active, g->ncell));
  for (int d = 0; d < HP_DIRS; ++d) HP_TRY(HP_ALLOC(g->perm[d], g->ncell));
  return HP_OK;
}

/* Those that follow from the others. */
static hp_status allocate_computed(hp_grid *g) {
  if (g->pore_volume == NULL) HP_TRY(HP_ALLOC(g->pore_volume, g->ncell));
  for (int d = 0; d < HP_DIRS; ++d)
    if (g->trans[d] == NULL) HP_TRY(HP_ALLOC(g->trans[d], g->ncell));
  return HP_OK;
}

bool hp_grid_fits(const hp_spread *P, double cells, char why[HP_GRID_WHY]) {
  const int ranks = P != NULL ? hp_ranks_size(hp_spread_ranks(P)) : 1;
  const double bytes = cells * HP_GRID_CELL_BYTES / ranks, most = (double)hp_memory_machine();
  if (bytes <= most) return true;
  snprintf(why, HP_GRID_WHY, "%.10g cells take %.3g GB before a run begins, and this machine has %.3g GB of memory",
           cells, bytes / 1e9, most / 1e9);
  return false;
}

hp_status hp_grid_create(int nx, int ny, int nz, hp_grid **out) {
  HP_TRY(hp_grid_begin(NULL, nx, ny, nz, out));
  const hp_status s = allocate_computed(*out);
  if (s != HP_OK) hp_grid_destroy(out);
  return s;
}

hp_status hp_grid_begin(hp_spread *P, int nx, int ny, int nz, hp_grid **out) {
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
  g->spread = P;
  g->planes = hp_spread_planes_of(P, P != NULL ? hp_ranks_rank(hp_spread_ranks(P)) : 0, nx);
  g->first = (int64_t)g->planes.first * ny * nz;
  g->owned = (int64_t)g->planes.owned * ny * nz;
  g->ncell = (int64_t)g->planes.held * ny * nz;
  hp_status s = P != NULL ? hp_grid_known_create(&g->known) : HP_OK;
  if (s == HP_OK) s = allocate(g);
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
  hp_grid_connections_clear(&g->connection);
  hp_grid_known_destroy(&g->known);
  HP_FREE(g->before);
  HP_FREE(*grid);
}

/* validation */

/* The message that a cell's value breaks its demand; cells count from 1 in messages. */
static hp_status bad_value(const hp_grid *g, int64_t m, const char *name, double value, const char *demand) {
  int ijk[3];
  hp_grid_ijk(g, g->first + m, ijk);
  return hp_fail(HP_ERR_DECK, "cell (%d,%d,%d): %s is %g, must be %s", ijk[0] + 1, ijk[1] + 1, ijk[2] + 1, name, value,
                 demand);
}

/* Written so that NaN fails as well. */
static bool positive(double v) { return v > 0.0 && isfinite(v); }
static bool not_negative(double v) { return v >= 0.0 && isfinite(v); }

/* A number is given for cell m. */
static bool has(const double *given, int64_t m) { return given != NULL && !isnan(given[m]); }

typedef struct {
  const hp_grid *g;
  const double *mult_pv;
  const double *const *mult; /* [HP_DIRS] or NULL */
  const hp_grid_given *given;
  _Atomic bool faulty;
} validation;

/* A cell without thickness has no pore volume, unless the deck gives one; one without length or width must be switched
 * off. */
static bool is_sound_size(const validation *v, int64_t m, int d) {
  const hp_grid *g = v->g;
  const double size = d == HP_DIR_I ? g->dx[m] : d == HP_DIR_J ? g->dy[m] : g->dz[m];
  const double *volume = v->given->pore_volume;
  const bool may_vanish = !g->active[m] || (d == HP_DIR_K && !(has(volume, m) && volume[m] > 0.0));
  return positive(size) || (size == 0.0 && may_vanish);
}

/* Sizes and depths make the mesh, so they must be numbers in inactive cells too;
 * rock data of cells that the deck switches off may be anything. */
static bool is_sound(const validation *v, int64_t m) {
  const hp_grid *g = v->g;
  bool sound = isfinite(g->depth[m]);
  for (int d = 0; d < HP_DIRS; ++d) sound = sound && is_sound_size(v, m, d);
  if (!g->active[m]) return sound;
  sound = sound && g->porosity[m] >= 0.0 && g->porosity[m] <= 1.0 && not_negative(g->ntg[m]);
  for (int d = 0; d < HP_DIRS; ++d) {
    sound = sound && not_negative(g->perm[d][m]);
    if (v->mult != NULL && v->mult[d] != NULL) sound = sound && not_negative(v->mult[d][m]);
    if (has(v->given->trans[d], m)) sound = sound && not_negative(v->given->trans[d][m]);
  }
  if (v->mult_pv != NULL) sound = sound && not_negative(v->mult_pv[m]);
  return sound && (!has(v->given->pore_volume, m) || not_negative(v->given->pore_volume[m]));
}

static void look_for_fault(void *arg, int64_t begin, int64_t end) {
  validation *v = arg;
  for (int64_t m = begin; m < end; ++m)
    if (!is_sound(v, m)) {
      v->faulty = true;
      return;
    }
}

/* The fault of cell m. */
static hp_status report_fault(const validation *v, int64_t m) {
  static const char *const perm_name[HP_DIRS] = {"permz [m2]", "permy [m2]", "permx [m2]"};
  static const char *const mult_name[HP_DIRS] = {"the multiplier of the face towards +k",
                                                 "the multiplier of the face towards +j",
                                                 "the multiplier of the face towards +i"};
  static const char *const trans_name[HP_DIRS] = {"the transmissibility towards +k", "the transmissibility towards +j",
                                                  "the transmissibility towards +i"};
  const hp_grid *g = v->g;
  if (!is_sound_size(v, m, HP_DIR_I)) return bad_value(g, m, "dx [m]", g->dx[m], "> 0");
  if (!is_sound_size(v, m, HP_DIR_J)) return bad_value(g, m, "dy [m]", g->dy[m], "> 0");
  if (!is_sound_size(v, m, HP_DIR_K)) return bad_value(g, m, "dz [m]", g->dz[m], "> 0");
  if (!isfinite(g->depth[m])) return bad_value(g, m, "depth [m]", g->depth[m], "finite");
  if (!(g->porosity[m] >= 0.0 && g->porosity[m] <= 1.0)) return bad_value(g, m, "porosity", g->porosity[m], "in 0..1");
  if (!not_negative(g->ntg[m])) return bad_value(g, m, "ntg", g->ntg[m], ">= 0");
  for (int d = 0; d < HP_DIRS; ++d) {
    if (!not_negative(g->perm[d][m])) return bad_value(g, m, perm_name[d], g->perm[d][m], ">= 0");
    if (v->mult != NULL && v->mult[d] != NULL && !not_negative(v->mult[d][m]))
      return bad_value(g, m, mult_name[d], v->mult[d][m], ">= 0");
  }
  if (v->mult_pv != NULL && !not_negative(v->mult_pv[m]))
    return bad_value(g, m, "the pore volume multiplier", v->mult_pv[m], ">= 0");
  if (has(v->given->pore_volume, m) && !not_negative(v->given->pore_volume[m]))
    return bad_value(g, m, "the pore volume", v->given->pore_volume[m], ">= 0");
  for (int d = 0; d < HP_DIRS; ++d)
    if (has(v->given->trans[d], m) && !not_negative(v->given->trans[d][m]))
      return bad_value(g, m, trans_name[d], v->given->trans[d][m], ">= 0");
  return hp_fail(HP_ERR_INTERNAL, "cell %lld: nothing wrong was found", (long long)m);
}

/* The first cell's fault is reported. */
static hp_status validate(validation *v) {
  hp_parallel(v->g->ncell, HP_PARALLEL_GRAIN, look_for_fault, v);
  if (!v->faulty) return HP_OK;
  int64_t m = 0;
  while (is_sound(v, m)) ++m;
  return report_fault(v, m);
}

/* pore volumes and transmissibilities */

typedef struct {
  hp_grid *g;
  double minpv;
  const double *mult_pv, *given, *least;
} pores;

static void set_pore_volumes(void *arg, int64_t begin, int64_t end) {
  const pores *p = arg;
  const hp_grid *g = p->g;
  for (int64_t m = begin; m < end; ++m) {
    double pv = 0.0;
    if (g->active[m] && has(p->given, m)) {
      pv = p->given[m];
    } else if (g->active[m]) {
      pv = g->dx[m] * g->dy[m] * g->dz[m] * g->porosity[m] * g->ntg[m];
      if (p->mult_pv != NULL) pv *= p->mult_pv[m];
    }
    /* A cell without pore volume has no balance to solve, whatever minpv is. */
    g->active[m] = pv > 0.0 && pv >= (p->least != NULL ? p->least[m] : p->minpv);
    g->pore_volume[m] = g->active[m] ? pv : 0.0;
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

/* The faces towards +d. */
typedef struct {
  hp_grid *g;
  int d;
  const double *mult, *given;
} faces;

/* Slices i = begin .. end-1 among those that are held. */
static void set_transmissibilities(void *arg, int64_t begin, int64_t end) {
  const faces *f = arg;
  const hp_grid *g = f->g;
  const int d = f->d;
  const int64_t stride = hp_grid_stride(g, d);
  const int last = d == HP_DIR_I ? g->planes.held - 1 : d == HP_DIR_J ? g->ny - 1 : g->nz - 1;
  for (int i = (int)begin; i < end; ++i)
    for (int j = 0; j < g->ny; ++j)
      for (int k = 0; k < g->nz; ++k) {
        const int64_t m = k + (int64_t)g->nz * (j + (int64_t)g->ny * i);
        const int along = d == HP_DIR_I ? i : d == HP_DIR_J ? j : k;
        const bool open = along < last && g->active[m] && g->active[m + stride];
        double t = 0.0;
        if (open) t = hp_grid_in_series(half_transmissibility(g, m, d), half_transmissibility(g, m + stride, d));
        g->trans[d][m] = open && has(f->given, m) ? f->given[m] : f->mult != NULL ? t * f->mult[m] : t;
      }
}

hp_status hp_grid_finish(hp_grid *g, double minpv, const double *mult_pv, const double *const mult[HP_DIRS],
                         const hp_grid_given *given) {
  static const hp_grid_given nothing = {.pore_volume = NULL};
  if (given == NULL) given = &nothing;
  validation v = {g, mult_pv, mult, given, false};
  hp_grid_connections_clear(&g->connection);
  HP_TRY(validate(&v));
  HP_TRY(allocate_computed(g));
  pores p = {g, minpv, mult_pv, given->pore_volume, given->minpv};
  hp_parallel(g->ncell, HP_PARALLEL_GRAIN, set_pore_volumes, &p);
  g->nactive = 0;
  for (int64_t m = 0; m < g->owned; ++m) g->nactive += g->active[m];
  HP_TRY(hp_spread_sum(g->spread, &g->nactive, 1));
  if (g->nactive == 0)
    return hp_fail(HP_ERR_DECK, "no active cell: all are switched off or below minpv (%g m3)", minpv);
  for (int d = 0; d < HP_DIRS; ++d) {
    faces f = {g, d, mult != NULL ? mult[d] : NULL, given->trans[d]};
    hp_parallel(g->planes.held, rows((int64_t)g->ny * g->nz), set_transmissibilities, &f);
  }
  return HP_OK;
}
