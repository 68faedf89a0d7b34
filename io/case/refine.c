/* grid.refine: the case on a finer grid of the same reservoir.
 *
 *     the deck's cell (i, j, k)  ->  rx x ry x rz cells from (i rx, j ry, k rz) on, counted from 0
 *
 * What must hold: pore volumes and fluids in place of the parts add up to those of the cell; so does permeability times
 * thickness along a bore; steady flow along i, j or k through parts of one cell, in parallel and in series, meets the
 * resistance of the cell. Faces inside a cell have no multiplier; those on its side towards +d have the cell's.
 * Everything is read, checked and finished on the deck's own grid before. Of a grid that is spread over ranks each refines its
 * planes, and has all parts of its own ones and the first part of the one behind.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/case/faults.h"
#include "io/case/vectors.h"
#include "wells/wells.h"

typedef struct {
  hp_case *c;
  hp_diag *diag;
  int n[3], r[3];          /* cells of the deck, and parts of each, along i, j, k */
  hp_spread_planes planes; /* of the deck's cells that are held */
  int held;                /* planes of the finer grid that are held */
  int64_t ncell;           /* their cells */
} refinement;

static void refuse(const refinement *f, const char *what) {
  hp_diag_error(f->diag, f->c->refine_file != NULL ? f->c->refine_file : f->c->deck, f->c->refine_line,
                "grid.refine: %s", what);
}

/* ---- cell arrays ---- */

/* Each value of a cell to all its parts. from [cells of the deck that are held], to [ncell], of `size` bytes each. */
static void spread(const refinement *f, const void *from, void *to, size_t size) {
  const int nz = f->n[2], rz = f->r[2];
  char *out = to;
  for (int i = 0; i < f->held; ++i)
    for (int j = 0; j < f->n[1] * f->r[1]; ++j) {
      const char *column = (const char *)from +
                           (size_t)nz * size * (size_t)(j / f->r[1] + (int64_t)f->n[1] * (i / f->r[0]));
      for (int k = 0; k < nz; ++k)
        for (int s = 0; s < rz; ++s, out += size) {
          if (size == sizeof(double)) /* a size that the compiler knows */
            memcpy(out, column + (size_t)k * size, sizeof(double));
          else memcpy(out, column + (size_t)k * size, size);
        }
    }
}

static hp_status replace(const refinement *f, void *slot, size_t size, const char *what) {
  void **array = slot, *finer;
  if (*array == NULL) return HP_OK;
  HP_TRY(hp_alloc_unset(&finer, f->ncell, size, what));
  spread(f, *array, finer, size);
  hp_free(array);
  *array = finer;
  return HP_OK;
}

#define REPLACE(f, array) replace((f), (void *)&(array), sizeof *(array), #array)

static hp_status replace_arrays(const refinement *f) {
  hp_case *c = f->c;
  hp_fluid_spec *g = &c->fluid;
  HP_TRY(REPLACE(f, c->mult_pv));
  HP_TRY(REPLACE(f, c->porv));
  for (int d = 0; d < HP_DIRS; ++d) HP_TRY(REPLACE(f, c->mult[d]));
  HP_TRY(REPLACE(f, g->of_sat));
  HP_TRY(REPLACE(f, g->of_imbibition));
  for (int n = 0; n < HP_FACES; ++n) HP_TRY(REPLACE(f, g->of_face[n]));
  HP_TRY(REPLACE(f, g->of_pvt));
  HP_TRY(REPLACE(f, g->of_rock));
  for (int n = 0; n < HP_ENDS; ++n) HP_TRY(REPLACE(f, g->end[n]));
  for (int n = 0; n < HP_ENDS; ++n) HP_TRY(REPLACE(f, g->imbibition_end[n]));
  HP_TRY(REPLACE(f, c->initial.of));
  HP_TRY(REPLACE(f, c->initial.water));
  HP_TRY(REPLACE(f, c->initial.pressure));
  HP_TRY(REPLACE(f, c->initial.sw));
  HP_TRY(REPLACE(f, c->initial.driest));
  return REPLACE(f, c->fip);
}

/* ---- what follows from cells ---- */

/* Whether a face of the cell at place m towards +d has a transmissibility that the deck gives, and both cells are active
 * here. */
static bool is_given(const refinement *f, int64_t m, int d, int at[3]) {
  const hp_case *c = f->c;
  const hp_grid *g = c->grid;
  const int64_t beside = m + hp_grid_stride(g, d);
  hp_grid_ijk(g, g->first + m, at);
  if (isnan(c->tran[d][m]) || at[2 - d] == f->n[2 - d] - 1 || beside >= g->ncell) return false;
  if (!g->active[m] || !g->active[beside]) return false;
  return c->coord == NULL || c->tran[d][m] != hp_case_corner_trans(c, g->first + m, d);
}

static void refuse_given(const refinement *f, const int at[3], int d) {
  static const char *const name[HP_DIRS] = {"tranz", "trany", "tranx"};
  char text[HP_CASE_WHY];
  snprintf(text, sizeof text,
           "cell (%d,%d,%d): its transmissibility is given (%s): that says nothing about the "
           "faces inside the deck's cells; give permeabilities and multipliers instead",
           at[0] + 1, at[1] + 1, at[2] + 1, name[d]);
  refuse(f, text);
}

/* A face that the deck closes is a multiplier of 0. Other numbers say nothing about the faces inside a cell. */
static hp_status given_transmissibilities(const refinement *f) {
  hp_case *c = f->c;
  const hp_grid *g = c->grid;
  int at[3];
  for (int d = 0; d < HP_DIRS; ++d) {
    bool closes = false;
    for (int64_t m = 0; c->tran[d] != NULL && m < g->ncell; ++m) {
      if (!is_given(f, m, d, at)) continue;
      closes = true;
      if (c->tran[d][m] == 0.0) continue;
      refuse_given(f, at, d);
      return HP_OK;
    }
    HP_TRY(hp_spread_any(c->spread, &closes)); /* a multiplier is there on all ranks or on none */
    if (!closes) continue;
    HP_TRY(hp_case_need_multiplier(c, d));
    for (int64_t m = 0; c->tran[d] != NULL && m < g->ncell; ++m)
      if (c->tran[d][m] == 0.0 && is_given(f, m, d, at)) c->mult[d][m] = 0.0;
  }
  for (int d = 0; d < HP_DIRS && f->diag->errors == 0; ++d) HP_FREE(c->tran[d]);
  return HP_OK;
}

/* Faces between parts of one cell have no multiplier. */
static void open_inside(const refinement *f, int d) {
  const hp_grid *g = f->c->grid;
  double *mult = f->c->mult[d];
  const int r = f->r[2 - d];
  if (mult == NULL || r == 1) return;
  int64_t m = 0;
  for (int i = 0; i < f->held; ++i) /* the first one begins a cell */
    for (int j = 0; j < g->ny; ++j)
      for (int k = 0; k < g->nz; ++k, ++m) {
        const int along = d == HP_DIR_I ? i : d == HP_DIR_J ? j : k;
        if (along % r != r - 1) mult[m] = 1.0;
      }
}

/* Sizes and depths of parts, from those of their cells. */
static void cut_blocks(const refinement *f) {
  hp_grid *g = f->c->grid;
  for (int64_t m = 0; m < g->ncell; ++m) {
    const int part = (int)(m % g->nz) % f->r[2];
    if (f->r[2] > 1) {
      const double top = g->depth[m] - 0.5 * g->dz[m], dz = g->dz[m] / f->r[2];
      g->depth[m] = top + part * dz + 0.5 * dz;
      g->dz[m] = dz;
    }
    g->dx[m] /= f->r[0];
    g->dy[m] /= f->r[1];
  }
}

/* Parts of hexahedra differ: each has its share of the cell's pore volume by its own volume. corners: all parts of the cells
 * that are held. */
static hp_status share_volumes(const refinement *f, const hp_corners *corners) {
  hp_case *c = f->c;
  const hp_grid *g = c->grid;
  double *sum;
  HP_TRY(HP_ALLOC(sum, (int64_t)f->planes.held * f->n[1] * f->n[2]));
  for (int pass = 0; pass < 2; ++pass)
    for (int64_t m = 0; m < (int64_t)corners->nx * g->ny * g->nz; ++m) {
      int at[3];
      hp_grid_ijk(g, g->first + m, at);
      if (pass == 1 && m >= g->ncell) break;
      const hp_hexahedron part = hp_corners_cell(corners, at[0], at[1], at[2]);
      const double volume = hp_hexahedron_volume(&part);
      const int i = at[0] / f->r[0] - f->planes.first;
      double *whole = &sum[at[2] / f->r[2] + (int64_t)f->n[2] * (at[1] / f->r[1] + (int64_t)f->n[1] * i)];
      if (pass == 0) *whole += volume;
      else c->porv[m] *= *whole > 0.0 ? volume / *whole : 1.0 / (f->r[0] * f->r[1] * f->r[2]);
    }
  HP_FREE(sum);
  return HP_OK;
}

/* Of rows of `width` numbers only the first `kept` stay, side by side. */
static void shorten(double *row, int64_t rows, int64_t width, int64_t kept) {
  for (int64_t n = 0; n < rows && kept < width; ++n)
    memmove(row + n * kept, row + n * width, (size_t)kept * sizeof *row);
}

/* Sizes and pore volumes of parts by corners, `parts` those of all that are held in whole cells. */
static hp_status size_parts(const refinement *f, const hp_corners *parts) {
  hp_grid *g = f->c->grid;
  double *const size[HP_DIRS] = {g->dz, g->dy, g->dx};
  for (int64_t m = 0; m < g->ncell; ++m) {
    int at[3];
    hp_grid_ijk(g, g->first + m, at);
    const hp_hexahedron part = hp_corners_cell(parts, at[0], at[1], at[2]);
    for (int d = 0; d < HP_DIRS; ++d) {
      const double length = hp_hexahedron_size(&part, d);
      size[d][m] = length > 0.0 ? length : 1e-6; /* of an inactive cell, which is only drawn */
    }
  }
  return share_volumes(f, parts);
}

/* c->grid is the finer one, coord and zcorn are the deck's. */
static hp_status cut_corners(const refinement *f) {
  hp_case *c = f->c;
  hp_grid *g = c->grid;
  const int nx = f->planes.held * f->r[0]; /* more than are held of the plane behind */
  const hp_corners whole = {
      .nx = f->planes.held, .ny = f->n[1], .nz = f->n[2], .coord = c->coord, .zcorn = c->zcorn, .systems = c->systems};
  const int64_t sets = hp_pillar_systems_sets(&c->systems);
  double *coord = NULL, *zcorn = NULL;
  hp_status s = HP_ALLOC(coord, 6 * (int64_t)(nx + 1) * (g->ny + 1) * sets);
  if (s == HP_OK) s = HP_ALLOC(zcorn, 8 * (int64_t)nx * g->ny * g->nz);
  if (s != HP_OK) {
    HP_FREE(coord);
    return s;
  }
  hp_corners_refine(&whole, f->r, coord, zcorn);
  for (int n = 0; n < c->systems.count; ++n) {
    hp_pillar_system *one = &c->systems.at[n];
    one->first *= f->r[2];
    one->last = (one->last + 1) * f->r[2] - 1;
  }
  HP_FREE(c->coord);
  HP_FREE(c->zcorn);
  c->coord = coord;
  c->zcorn = zcorn;
  hp_corners parts = hp_case_corners(c);
  parts.nx = nx;
  HP_TRY(size_parts(f, &parts));
  shorten(coord, (g->ny + 1) * sets, 6 * (int64_t)(nx + 1), 6 * (int64_t)(f->held + 1));
  shorten(zcorn, 4 * (int64_t)g->ny * g->nz, 2 * (int64_t)nx, 2 * (int64_t)f->held);
  return hp_case_fill_corners(c, HP_CASE_MATCH * f->r[2], NULL); /* corners that match the deck's cells */
}

static hp_status cut_tops(const refinement *f) {
  hp_case *c = f->c;
  refinement columns = *f;
  columns.n[2] = columns.r[2] = 1;
  columns.ncell = f->ncell / ((int64_t)f->n[2] * f->r[2]);
  if (c->coord == NULL) return REPLACE(&columns, c->top);
  HP_FREE(c->top); /* follows from the corners */
  return HP_OK;
}

static hp_status finer_grid(const refinement *f) {
  hp_case *c = f->c;
  hp_grid *whole = c->grid, *g;
  HP_TRY(hp_grid_begin(c->spread, f->n[0] * f->r[0], f->n[1] * f->r[1], f->n[2] * f->r[2], &g));
  const struct {
    double *from, *to;
  } array[] = {{whole->dx, g->dx},
               {whole->dy, g->dy},
               {whole->dz, g->dz},
               {whole->depth, g->depth},
               {whole->porosity, g->porosity},
               {whole->ntg, g->ntg},
               {whole->perm[0], g->perm[0]},
               {whole->perm[1], g->perm[1]},
               {whole->perm[2], g->perm[2]}};
  for (size_t n = 0; n < sizeof array / sizeof array[0]; ++n) spread(f, array[n].from, array[n].to, sizeof(double));
  spread(f, whole->active, g->active, 1);
  hp_grid_destroy(&c->grid);
  c->grid = g;
  HP_FREE(c->given_active);
  HP_TRY(HP_ALLOC(c->given_active, g->ncell));
  memcpy(c->given_active, g->active, (size_t)g->ncell);
  HP_FREE(c->minpv_of);
  c->minpv = 0.0; /* what is too small has been found out on the deck's grid */
  return HP_OK;
}

static hp_status finish(const refinement *f) {
  hp_case *c = f->c;
  HP_TRY(finer_grid(f));
  HP_TRY(replace_arrays(f));
  for (int d = 0; d < HP_DIRS; ++d) open_inside(f, d);
  HP_TRY(cut_tops(f));
  if (c->coord != NULL) {
    HP_TRY(cut_corners(f));
  } else {
    cut_blocks(f);
    const double share = 1.0 / ((double)f->r[0] * f->r[1] * f->r[2]);
    for (int64_t m = 0; c->porv != NULL && m < f->ncell; ++m) c->porv[m] *= share;
  }
  HP_TRY(hp_case_finish_grid(c, true));
  return hp_case_mesh(c);
}

/* ---- wells ---- */

/* The sub-cell in the middle of cell n along direction x (0, 1, 2: i, j, k). */
static int middle(const refinement *f, int n, int x) { return n * f->r[x] + (f->r[x] - 1) / 2; }

/* Part s of the perforation. */
static hp_perf_spec part_of(const refinement *f, const hp_perf_spec *whole, int s) {
  hp_perf_spec p = *whole;
  const int along = 2 - whole->dir, parts = f->r[along];
  int at[3] = {whole->i, whole->j, whole->k};
  for (int x = 0; x < 3; ++x) at[x] = x == along ? at[x] * parts + s : middle(f, at[x], x);
  p.i = at[0];
  p.j = at[1];
  p.k = at[2];
  p.transmissibility /= parts;
  p.kh /= parts;
  for (int d = 0; d < HP_DIRS; ++d) p.length[d] /= parts;
  return p;
}

/* Where the deck gives no depth the bottom-hole pressure keeps that of its first perforation's whole cell. */
static hp_status keep_depth(const refinement *f, hp_well_spec *w) {
  const hp_grid *g = f->c->grid;
  hp_well_perforations all;
  if (!isnan(w->ref_depth)) return HP_OK;
  HP_TRY(hp_well_perforations_of(g, w, &all));
  const hp_perf_spec *perf = all.at;
  const hp_status s = hp_wells_learn(g, all.count, perf);
  for (int q = 0; s == HP_OK && q < all.count && isnan(w->ref_depth); ++q) {
    const hp_grid_rock cell = hp_grid_rock_of(g, hp_grid_cell(g, perf[q].i, perf[q].j, perf[q].k));
    if (cell.active && (perf[q].open || perf[q].later)) w->ref_depth = cell.depth;
  }
  HP_FREE(all.cut);
  return s;
}

static hp_status cut_perforations(const refinement *f, hp_well_spec *w) {
  int64_t count = 0;
  hp_perf_spec *parts;
  if (w->head_i >= 0) w->head_i = middle(f, w->head_i, 0);
  if (w->head_j >= 0) w->head_j = middle(f, w->head_j, 1);
  if (w->nperf == 0) return HP_OK;
  for (int q = 0; q < w->nperf; ++q) count += f->r[2 - w->perf[q].dir];
  if (count > INT_MAX) return hp_fail(HP_ERR_DECK, "well %s: %lld perforations", w->name, (long long)count);
  HP_TRY(HP_ALLOC(parts, count));
  count = 0;
  for (int q = 0; q < w->nperf; ++q)
    for (int s = 0; s < f->r[2 - w->perf[q].dir]; ++s) parts[count++] = part_of(f, &w->perf[q], s);
  HP_FREE(w->perf);
  w->perf = parts;
  w->nperf = (int)count;
  return HP_OK;
}

/* Perforations that only do on the deck's larger cells: the bore must be well inside a cell. */
static hp_status check_wells(const refinement *f) {
  for (int n = 0; n < f->c->nwell; ++n) {
    const hp_well_spec *w = &f->c->well[n];
    char why[HP_CASE_WHY];
    HP_TRY(hp_case_well_fault(f->c->grid, w, true, why));
    if (why[0] != '\0')
      hp_diag_error(f->diag, w->file != NULL ? w->file : f->c->deck, w->line, "on the finer grid of grid.refine: %s",
                    why);
  }
  return HP_OK;
}

/* ---- changes of perforations ---- */

/* Cells first..last of the deck are all the parts of them. */
static void widen(const refinement *f, hp_perf_event *v) {
  for (int x = 0; x < 3; ++x) {
    v->first[x] = v->first[x] < INT_MAX / f->r[x] ? v->first[x] * f->r[x] : INT_MAX;
    v->last[x] = v->last[x] < INT_MAX / f->r[x] ? v->last[x] * f->r[x] + f->r[x] - 1 : INT_MAX;
  }
}

/* A new setting of a perforation is shared by its parts: an event for each. out NULL: counts them. */
static int renew(const refinement *f, const hp_perf_event *v, hp_perf_event *out) {
  const hp_well_spec *w = &f->c->well[v->well];
  int count = 0;
  for (int q = 0; q < w->nperf; ++q) {
    if (!hp_perf_event_means(v, &w->perf[q])) continue;
    hp_perf_spec whole = v->spec;
    whole.i = w->perf[q].i;
    whole.j = w->perf[q].j;
    whole.k = w->perf[q].k;
    for (int s = 0; s < f->r[2 - w->perf[q].dir]; ++s, ++count) {
      if (out == NULL) continue;
      whole.dir = w->perf[q].dir; /* where the parts are */
      out[count] = *v;
      out[count].spec = part_of(f, &whole, s);
      out[count].spec.dir = v->spec.dir;
      const int at[3] = {out[count].spec.i, out[count].spec.j, out[count].spec.k};
      memcpy(out[count].first, at, sizeof at);
      memcpy(out[count].last, at, sizeof at);
    }
  }
  return count;
}

static void check_change(const refinement *f, const hp_perf_event *v) {
  const hp_well_spec *w = &f->c->well[v->well];
  const char *file = v->file != NULL ? v->file : f->c->deck;
  if (v->anew && w->npath >= 2) {
    hp_diag_error(f->diag, file, v->line,
                  "well %s: grid.refine cannot share a connection_factor among the pieces of a "
                  "path",
                  w->name);
    return;
  }
  for (int q = 0; v->anew && isnan(v->spec.transmissibility) && q < w->nperf; ++q) {
    const int was = w->perf[q].dir, is = v->spec.dir;
    if (!hp_perf_event_means(v, &w->perf[q]) || was == is || (f->r[2 - was] == 1 && f->r[2 - is] == 1)) continue;
    hp_diag_error(f->diag, file, v->line,
                  "well %s: the connection (%d,%d,%d) gets another direction: with grid.refine "
                  "it would lie in other cells",
                  w->name, w->perf[q].i + 1, w->perf[q].j + 1, w->perf[q].k + 1);
  }
}

/* The wells' perforations are still the deck's. */
static hp_status cut_changes(const refinement *f) {
  hp_case *c = f->c;
  int64_t count = 0;
  hp_perf_event *parts;
  if (c->nperf_event == 0) return HP_OK;
  for (int n = 0; n < c->nperf_event; ++n) count += c->perf_event[n].anew ? renew(f, &c->perf_event[n], NULL) : 1;
  if (count > INT_MAX) return hp_fail(HP_ERR_DECK, "%lld changes of perforations", (long long)count);
  HP_TRY(HP_ALLOC(parts, count));
  count = 0;
  for (int n = 0; n < c->nperf_event; ++n) {
    hp_perf_event v = c->perf_event[n];
    if (v.anew) {
      count += renew(f, &v, &parts[count]);
      continue;
    }
    widen(f, &v);
    parts[count++] = v;
  }
  HP_FREE(c->perf_event);
  c->perf_event = parts;
  c->nperf_event = (int)count;
  return HP_OK;
}

static hp_status cut_wells(const refinement *f) {
  hp_case *c = f->c;
  HP_TRY(cut_changes(f));
  for (int w = 0; w < c->nwell; ++w) {
    HP_TRY(keep_depth(f, &c->well[w]));
    HP_TRY(cut_perforations(f, &c->well[w]));
  }
  return HP_OK;
}

/* ---- the whole ---- */

static hp_status check(const refinement *f) {
  double cells = 1.0;
  for (int x = 0; x < 3; ++x) cells *= (double)f->n[x] * f->r[x];
  if (cells > INT_MAX) {
    char text[HP_CASE_WHY];
    snprintf(text, sizeof text, "%g cells: more than %d", cells, INT_MAX);
    refuse(f, text);
    return HP_OK;
  }
  char why[HP_GRID_WHY];
  if (!hp_grid_fits(f->c->spread, cells, why)) {
    refuse(f, why);
    return HP_OK;
  }
  if (f->c->connection.count > 0) {
    refuse(f, "connections of cells that are not neighbours (faults, pinched-out layers, NNC) cannot be refined");
    return HP_OK;
  }
  if (f->c->fault_threshold.count > 0)
    refuse(f, "threshold pressures of faults stay at the cells of the deck: not supported");
  if (f->c->ntrans_event > 0) refuse(f, "multipliers of SCHEDULE stay at the cells of the deck: not supported");
  if (f->c->naquifer > 0 || f->c->initial.nflooded > 0)
    refuse(f, "aquifers stay connected to the cells of the deck: not supported");
  for (int n = 0; n < f->c->nperf_event; ++n) check_change(f, &f->c->perf_event[n]);
  return given_transmissibilities(f);
}

hp_status hp_case_refine(hp_case *c, hp_diag *diag) {
  const hp_grid *g = c->grid;
  const int errors = diag->errors;
  if (g == NULL || errors > 0 || (c->refine[0] <= 1 && c->refine[1] <= 1 && c->refine[2] <= 1)) return HP_OK;
  refinement f = {.c = c, .diag = diag, .n = {g->nx, g->ny, g->nz}, .planes = g->planes};
  memcpy(f.r, c->refine, sizeof f.r);
  HP_TRY(check(&f));
  if (diag->errors == errors) {
    const int behind = f.planes.held - f.planes.owned;
    f.held = f.planes.owned * f.r[0] + behind;
    f.ncell = (int64_t)f.held * f.n[1] * f.r[1] * f.n[2] * f.r[2];
    memcpy(c->deck_size, f.n, sizeof f.n);
    HP_TRY(cut_wells(&f));
    hp_spread_refine(c->spread, f.r[0]);
    HP_TRY(finish(&f));
    HP_TRY(hp_summary_vectors_refine(c));
    HP_TRY(check_wells(&f));
  }
  if (diag->errors == errors && c->initial.pressure != NULL && f.r[2] > 1)
    hp_diag_note(diag, c->refine_file != NULL ? c->refine_file : c->deck, c->refine_line,
                 "grid.refine: pressures that "
                 "are given cell by cell are the same in all layers of a cell: not at rest there");
  return diag->errors == errors ? HP_OK : hp_fail(HP_ERR_DECK, "%s: the deck has errors", c->deck);
}
