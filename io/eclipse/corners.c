/* Corner point grids (COORD, ZCORN): read, checked, and made into the deck's arrays. What cells, volumes and half
 * transmissibilities are: grid/corners.h; across faults: grid/faults.h.
 */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "grid/corners.h"
#include "io/config/config.h"
#include "io/eclipse/impl.h"

/* Items 5 and 6 name the systems beside this one, by default itself. */
static hp_pillar_system system_of(const hp_ecl *e, const hp_ecl_items_coordsys *v) {
  const int count = e->tables[HP_ECL_BY_SYSTEM];
  const int64_t beside[2] = {v->first_beside.i, v->last_beside.i};
  hp_pillar_system s = {.first = (int)v->first_layer.i - 1,
                        .last = (int)(v->last_layer.given ? v->last_layer.i : e->deck_size[2]) - 1,
                        .joined = v->joined.choice == 1 && e->table + 1 < count};
  for (int n = 0; n < 2; ++n) s.beside[n] = count > 1 && beside[n] != 0 ? (int)beside[n] - 1 : e->table;
  return s;
}

/* One system of all layers says nothing. What items 5 and 6 name is judged when all records and COORD are known. */
hp_status hp_ecl_do_coordsys(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_coordsys *v = &record->coordsys;
  const int count = e->tables[HP_ECL_BY_SYSTEM];
  char why[HP_PILLARS_WHY];
  if (e->table == 0) e->systems_read = 0;
  if (v->circle.choice == 1)
    return hp_ecl_error(e, record->file, record->line, "item %d: COMP: grids that close to a circle are not supported",
                        HP_ECL_NUMBER(coordsys, circle));
  if (e->unsized || e->table != e->systems_read) return HP_OK;
  for (int n = HP_ECL_AT(coordsys, first_layer); n <= HP_ECL_AT(coordsys, last_layer) && count > 1; ++n)
    if (!record->v[n].given) return hp_ecl_item_error(e, record, n, " is missing: %d systems have no default", count);
  if (e->systems.at == NULL) HP_TRY(HP_ALLOC(e->systems.at, count));
  e->systems.count = count;
  e->systems.at[e->table] = system_of(e, v);
  const bool faulty = hp_pillar_systems_layers_fault(&e->systems, e->deck_size[2], e->table, why);
  if (faulty || count == 1) e->systems.count = 0;
  if (faulty) return hp_ecl_error(e, record->file, record->line, "%s", why);
  e->systems_read += 1;
  return count == 1 ? hp_ecl_names_add(&e->skipped, e->name) : HP_OK;
}

/* Of the pillars of a system that are held. */
static int64_t pillar_numbers(const hp_ecl *e) { return 6 * (int64_t)(e->planes.held + 1) * (e->ny + 1); }

/* Rows along i with `each` numbers a plane, and `beyond` behind the last one: those of planes that are held. */
static hp_status read_rows(hp_ecl *e, int64_t rows, int each, int beyond, double **out) {
  const hp_ecl_rows r = {.rows = rows,
                         .length = (int64_t)each * e->nx + beyond,
                         .begin = (int64_t)each * e->planes.first,
                         .end = (int64_t)each * (e->planes.first + e->planes.held) + beyond};
  HP_FREE(*out);
  HP_TRY(HP_ALLOC(*out, rows * (r.end - r.begin)));
  return hp_ecl_read_rows(e, HP_UNIT_LENGTH, &r, *out);
}

hp_status hp_ecl_do_coord(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  e->corners = true;
  e->corners_file = e->file;
  e->corners_line = e->line;
  if (e->unsized || e->resized) return hp_ecl_skip_numbers(e);
  return read_rows(e, (int64_t)(e->ny + 1) * e->tables[HP_ECL_BY_SYSTEM], 6, 6, &e->coord);
}

hp_status hp_ecl_do_zcorn(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  e->corners = true;
  e->corners_file = e->file;
  e->corners_line = e->line;
  if (e->unsized || e->resized) return hp_ecl_skip_numbers(e);
  return read_rows(e, 4 * (int64_t)e->ny * e->nz, 2, 0, &e->zcorn);
}

static hp_corners corners(const hp_ecl *e) {
  return (hp_corners){.nx = e->planes.held,
                      .ny = e->ny,
                      .nz = e->nz,
                      .coord = e->coord,
                      .zcorn = e->zcorn,
                      .first = e->planes.first,
                      .behind = e->planes.held - e->planes.owned,
                      .systems = e->systems};
}

/* A default of MINPV in cc keeps cells of rounding errors where that in m3 and barrels does not. */
static hp_status flatten_rounded(hp_ecl *e) {
  const hp_corners c = corners(e);
  const bool least = e->minpv || e->array[HP_ECL_MINPVV].value != NULL ||
                     hp_config_claims(e->nset, e->set, "grid.minpv");
  int64_t flat;
  if (e->units.system != HP_UNITS_LAB || least) return HP_OK;
  HP_TRY(hp_corners_flatten_rounded(e->c->spread, &c, e->zcorn, e->array[HP_ECL_ACTNUM].value, &flat));
  if (flat > 0)
    hp_ecl_note(e, e->corners_file, e->corners_line, "ZCORN: " HP_CORNERS_FLAT, (long long)flat,
                flat == 1 ? " is" : "s are", "MINPV");
  return HP_OK;
}

/* Overlaps are repaired; what stands on its head after that stops the run. */
static hp_status repair_and_check(hp_ecl *e) {
  const hp_corners c = corners(e);
  const double *active = e->array[HP_ECL_ACTNUM].value, unit = e->units.factor[HP_UNIT_LENGTH];
  hp_corners_repair r;
  int cell[3];
  double above;
  HP_TRY(hp_corners_repair_columns(e->c->spread, &c, e->zcorn, active, HP_CASE_MATCH, &r));
  if (r.corners > 0)
    hp_ecl_note(
        e, e->corners_file, e->corners_line,
        "ZCORN: %lld corner%s above the one before, the first of cell (%d,%d,%d), by at most %.6g %s: moved down to it",
        (long long)r.corners, r.corners == 1 ? " lies" : "s lie", r.cell[0] + 1, r.cell[1] + 1, r.cell[2] + 1,
        r.largest / unit, e->units.label[HP_UNIT_LENGTH]);
  if (!hp_corners_upside_down(&c, active, cell, &above)) return HP_OK;
  return hp_ecl_error(e, e->corners_file, e->corners_line,
                      "ZCORN: cell (%d,%d,%d): its bottom lies %.6g %s above its top; depths are positive down",
                      cell[0] + 1, cell[1] + 1, cell[2] + 1, above / unit, e->units.label[HP_UNIT_LENGTH]);
}

/* into the deck's arrays, and into the case */

/* Several systems must all be known. */
static hp_status check_systems(hp_ecl *e) {
  const int count = e->tables[HP_ECL_BY_SYSTEM];
  char why[HP_PILLARS_WHY];
  if (count == 1) return HP_OK;
  if (e->systems_read < count) {
    HP_TRY(hp_ecl_missing(e, HP_ECL_GRID, "COORDSYS", "COORDSYS is missing: NUMRES says several systems of pillars"));
    return HP_ERR_DECK;
  }
  for (int n = 0; n < count; ++n)
    if (hp_pillar_systems_beside_fault(&e->systems, pillar_numbers(e), e->coord, n, why))
      return hp_ecl_error_at(e, "COORDSYS", why);
  return HP_OK;
}

hp_status hp_ecl_corner_sizes(hp_ecl *e) {
  static const hp_ecl_array_id given[] = {HP_ECL_DX, HP_ECL_DY, HP_ECL_DZ, HP_ECL_TOPS};
  if (e->unsized) return HP_OK;
  if (!e->corners && e->tables[HP_ECL_BY_SYSTEM] > 1)
    return hp_ecl_error_at(e, "NUMRES", "several systems need pillars: give COORD and ZCORN");
  if (!e->corners) return HP_OK;
  if (hp_ecl_claims_cells(e))
    return hp_ecl_error(e, e->corners_file, e->corners_line,
                        "the grid is given by its corners (COORD, ZCORN): options about grid cannot be "
                        "laid over it");
  if (e->coord == NULL || e->zcorn == NULL)
    return hp_ecl_missing(e, HP_ECL_GRID, e->coord == NULL ? "COORD" : "ZCORN",
                          e->coord == NULL ? "COORD is missing beside ZCORN" : "ZCORN is missing beside COORD");
  for (int n = 0; n < 4; ++n) {
    const hp_ecl_array *a = &e->array[given[n]];
    if (a->value != NULL || (n < 3 && e->sizes[n] != NULL))
      return hp_ecl_error(e, a->file != NULL ? a->file : e->c->deck, a->line, "%s and COORD are both given",
                          hp_ecl_array_name(given[n]));
    HP_TRY(hp_ecl_array_make(e, given[n]));
    e->array[given[n]].file = e->corners_file;
    e->array[given[n]].line = e->corners_line;
  }
  HP_TRY(check_systems(e));
  HP_TRY(flatten_rounded(e));
  HP_TRY(repair_and_check(e));
  const hp_corners grid = corners(e);
  const double *active = e->array[HP_ECL_ACTNUM].value;
  for (int k = 0; k < e->nz; ++k)
    for (int j = 0; j < e->ny; ++j)
      for (int i = e->planes.first; i < e->planes.first + e->planes.held; ++i) {
        const int64_t m = hp_ecl_natural(e, i, j, k);
        double size[3];
        hp_corners_sizes(&grid, i, j, k, active == NULL || active[m] != 0.0, size, &e->array[HP_ECL_TOPS].value[m]);
        for (int d = 0; d < 3; ++d) e->array[given[d]].value[m] = size[d];
      }
  return HP_OK;
}

/* blocks */

/* Sizes of the first row along i, and of the first one along j, of all ranks: dx [nx], dy [ny]. */
static hp_status first_rows(const hp_ecl *e, double *dx, double *dy) {
  hp_spread *P = e->c->spread;
  const double *of_x = e->array[HP_ECL_DX].value, *of_y = e->array[HP_ECL_DY].value;
  for (int i = e->planes.first; i < e->planes.first + e->planes.owned; ++i) dx[i] = of_x[hp_ecl_natural(e, i, 0, 0)];
  for (int j = 0; j < e->ny; ++j) dy[j] = of_y[(int64_t)j * e->planes.held];
  HP_TRY(hp_spread_sum(P, (int64_t *)(void *)dx, e->nx)); /* bits of one rank each */
  return hp_spread_share(P, dy, e->ny * (int64_t)sizeof *dy);
}

/* Sizes along i and j are the same in all rows and layers. */
static hp_status are_even(const hp_ecl *e, const double *dx, const double *dy, bool *even) {
  const int64_t cells = hp_ecl_cells(e);
  *even = true;
  for (int64_t m = 0; m < cells; ++m) {
    int at[3];
    hp_ecl_ijk(e, m, at);
    for (int d = 0; d < 2; ++d) {
      const double first = d == 0 ? dx[at[0]] : dy[at[1]], size = e->array[d == 0 ? HP_ECL_DX : HP_ECL_DY].value[m];
      *even = *even && !(fabs(size - first) > 1e-6 * first);
    }
  }
  return hp_spread_all(e->c->spread, even);
}

/* All columns have the tops and thicknesses of the first one, which rank 0 of several has. */
static hp_status line_up(const hp_ecl *e, bool *all) {
  const double *tops = e->array[HP_ECL_TOPS].value, *dz = e->array[HP_ECL_DZ].value;
  const int64_t layer = (int64_t)e->planes.held * e->ny;
  double *first; /* [nz][2] */
  HP_TRY(HP_ALLOC(first, 2 * (int64_t)e->nz));
  for (int k = 0; k < e->nz; ++k) {
    first[2 * k] = tops[layer * k];
    first[2 * k + 1] = dz[layer * k];
  }
  const hp_status s = hp_spread_share(e->c->spread, first, 2 * e->nz * (int64_t)sizeof *first);
  *all = true;
  for (int64_t m = 0; m < layer * e->nz && *all; ++m) {
    const double *at = first + 2 * (m / layer), most = 1e-6 * at[1];
    *all = !(fabs(tops[m] - at[0]) > most || fabs(dz[m] - at[1]) > most);
  }
  HP_FREE(first);
  return s == HP_OK ? hp_spread_all(e->c->spread, all) : s;
}

/* Upright pillars at the sums of DX and DY. */
static void stand_pillars(const hp_ecl *e, const double *dx, const double *dy, double *coord) {
  double y = 0.0;
  for (int j = 0; j <= e->ny; ++j) {
    double x = 0.0;
    for (int i = 0; i < e->planes.first; ++i) x += dx[i];
    for (int i = e->planes.first; i <= e->planes.first + e->planes.held; ++i, coord += 6) {
      coord[0] = coord[3] = x;
      coord[1] = coord[4] = y;
      coord[5] = 1.0;
      x += i < e->nx ? dx[i] : 0.0;
    }
    y += j < e->ny ? dy[j] : 0.0;
  }
}

static void lay_blocks(const hp_ecl *e, double *zcorn) {
  const double *tops = e->array[HP_ECL_TOPS].value, *dz = e->array[HP_ECL_DZ].value;
  for (int k = 0; k < 2 * e->nz; ++k)
    for (int j = 0; j < 2 * e->ny; ++j)
      for (int i = 0; i < 2 * e->planes.held; ++i) {
        const int64_t m = i / 2 + (int64_t)e->planes.held * (j / 2 + (int64_t)e->ny * (k / 2));
        *zcorn++ = tops[m] + (k % 2 == 1 ? dz[m] : 0.0);
      }
}

static hp_status make_corners(hp_ecl *e, const double *dx, const double *dy) {
  bool even;
  HP_TRY(are_even(e, dx, dy, &even));
  if (!even)
    return hp_ecl_error_at(e, "NEWTRAN",
                           "cells of neighbouring columns do not line up, and DX varies along j or k, or DY along i or "
                           "k: give COORD and ZCORN");
  if (hp_ecl_claims_cells(e))
    return hp_ecl_error_at(e, "NEWTRAN",
                           "cells of neighbouring columns do not line up: options about grid cannot be laid over it");
  HP_TRY(HP_ALLOC(e->coord, pillar_numbers(e)));
  HP_TRY(HP_ALLOC(e->zcorn, 8 * hp_ecl_cells(e)));
  stand_pillars(e, dx, dy, e->coord);
  lay_blocks(e, e->zcorn);
  e->corners = true;
  e->corners_file = e->array[HP_ECL_TOPS].file;
  e->corners_line = e->array[HP_ECL_TOPS].line;
  return repair_and_check(e);
}

hp_status hp_ecl_block_corners(hp_ecl *e) {
  double *dx = NULL, *dy = NULL;
  bool all;
  if (!e->newtran || e->corners) return HP_OK;
  HP_TRY(line_up(e, &all));
  if (all) return HP_OK;
  hp_status s = HP_ALLOC(dx, e->nx);
  if (s == HP_OK) s = HP_ALLOC(dy, e->ny);
  if (s == HP_OK) s = first_rows(e, dx, dy);
  if (s == HP_OK) s = make_corners(e, dx, dy);
  HP_FREE(dx);
  HP_FREE(dy);
  return s;
}

hp_status hp_ecl_corner_fill(hp_ecl *e) {
  if (!e->corners) return HP_OK;
  e->c->coord = e->coord;
  e->c->zcorn = e->zcorn;
  e->c->systems = e->systems;
  e->coord = e->zcorn = NULL;
  e->systems = (hp_pillar_systems){0};
  HP_TRY(hp_case_close_gaps(e->c, &e->pinch));
  return hp_case_fill_corners(e->c, HP_CASE_MATCH, &e->links);
}
