/* From the deck's cell arrays to the grid, once all keywords are read. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/profile.h"
#include "core/threads/stage.h"
#include "io/config/config.h"
#include "io/eclipse/impl.h"

static hp_status array_error(hp_ecl *e, hp_ecl_array_id id, int64_t m, const char *what) {
  hp_ecl_array *a = &e->array[id];
  a->faulty = true;
  int ijk[3];
  const char *unit = e->units.label[hp_ecl_array_quantity(id)];
  const double v = a->value[m] / e->units.factor[hp_ecl_array_quantity(id)];
  char value[48] = "no value", advice[160];
  if (!isnan(v)) snprintf(value, sizeof value, "%.9g%s%s", v, unit[0] != '\0' ? " " : "", unit);
  hp_ecl_ijk(e, m, ijk);
  return hp_ecl_error(e, a->file, a->line, "%s: cell (%d,%d,%d): %s: %s%s", hp_ecl_array_name(id), ijk[0] + 1,
                      ijk[1] + 1, ijk[2] + 1, value, what, isnan(v) ? hp_ecl_array_advice(e, id, advice) : "");
}

/* geometry */

static hp_status require_sizes(hp_ecl *e, int d) {
  static const char *const keywords[] = {"DX|DXV", "DY|DYV", "DZ|DZV"};
  const hp_ecl_array_id id = d == 0 ? HP_ECL_DX : d == 1 ? HP_ECL_DY : HP_ECL_DZ;
  const char *name = hp_ecl_array_name(id);
  char text[40];
  if (e->array[id].value != NULL || e->array[id].claimed || e->array[id].faulty) return HP_OK;
  snprintf(text, sizeof text, "%s (or %sV) is missing", name, name);
  return hp_ecl_missing(e, HP_ECL_GRID, keywords[d], text);
}

/* Tops that the deck leaves out lie at the bottom of the cell above. */
static hp_status fill_tops(hp_ecl *e) {
  hp_ecl_array *tops = &e->array[HP_ECL_TOPS];
  const hp_ecl_array *dz = &e->array[HP_ECL_DZ];
  if (tops->value == NULL && tops->claimed) return HP_OK;
  if (tops->value == NULL) return hp_ecl_missing(e, HP_ECL_GRID, "TOPS|DEPTHZ", "TOPS is missing");
  const int64_t layer = (int64_t)e->planes.held * e->ny, cells = layer * e->nz;
  for (int64_t m = 0; m < layer && !tops->faulty && !(e->lost & HP_ECL_GRID); ++m)
    if (isnan(tops->value[m])) {
      tops->faulty = true;
      return array_error(e, HP_ECL_TOPS, m, "the first layer must be given");
    }
  tops->faulty = tops->faulty || dz->value == NULL || dz->faulty; /* what follows from a fault is none */
  for (int64_t m = layer; m < cells && !tops->faulty; ++m)
    if (isnan(tops->value[m])) tops->value[m] = tops->value[m - layer] + dz->value[m - layer];
  return HP_OK;
}

/* rock */

static bool is_active(const hp_ecl *e, int64_t m) {
  return e->array[HP_ECL_ACTNUM].value == NULL || e->array[HP_ECL_ACTNUM].value[m] != 0.0;
}

/* Values in range in active cells; in inactive ones anything goes, and gaps become 0. A cell without thickness has no
 * pore volume and is inactive; one without length or width is so only if the deck says it. */
static hp_status check_array(hp_ecl *e, hp_ecl_array_id id) {
  hp_ecl_array *a = &e->array[id];
  const bool lateral = id == HP_ECL_DX || id == HP_ECL_DY;
  const int64_t cells = hp_ecl_cells(e);
  double min, max;
  hp_ecl_array_range(id, &min, &max);
  for (int64_t m = 0; m < cells; ++m) {
    const double v = a->value[m];
    const bool whole = !hp_ecl_array_regions(id) || v == floor(v);
    const bool sized = v > 0.0 || !lateral || !is_active(e, m);
    if (v >= min && v <= max && sized && whole) continue;
    if (isnan(v) && (hp_ecl_array_computed(id) || (id >= HP_ECL_SWL && id <= HP_ECL_SWATINIT))) continue;
    if (id > HP_ECL_TOPS && id != HP_ECL_ACTNUM && !is_active(e, m)) {
      if (isnan(v)) a->value[m] = 0.0;
      continue;
    }
    if (isnan(v) && (e->lost & (HP_ECL_GRID | HP_ECL_SOLUTION))) continue;
    if (isnan(v)) return array_error(e, id, m, "must be given");
    char what[64];
    if (!whole) snprintf(what, sizeof what, "must be a whole number");
    else if (min == max) snprintf(what, sizeof what, "must be %g", min);
    else if (max < INFINITY) snprintf(what, sizeof what, "must be in %g..%g", min, max);
    else snprintf(what, sizeof what, "must be %s %g", lateral ? ">" : ">=", min);
    return array_error(e, id, m, what);
  }
  return HP_OK;
}

static hp_status check_actnum(hp_ecl *e) {
  const hp_ecl_array *a = &e->array[HP_ECL_ACTNUM];
  const int64_t cells = hp_ecl_cells(e);
  for (int64_t m = 0; a->value != NULL && m < cells; ++m)
    if (a->value[m] != 0.0 && a->value[m] != 1.0) return array_error(e, HP_ECL_ACTNUM, m, "must be 0 or 1");
  return HP_OK;
}

/* Multipliers of EDIT times those of GRID; that of pore volumes waits for PORV. A negative one stays to be reported. */
static void multiply_sections(hp_ecl *e) {
  const int64_t cells = hp_ecl_cells(e);
  for (int id = HP_ECL_MULTPV + 1; id < HP_ECL_ARRAYS; ++id) {
    hp_ecl_array *a = &e->array[id];
    for (int64_t m = 0; a->before != NULL && m < cells; ++m)
      a->value[m] = a->before[m] < 0.0 || a->value[m] < 0.0 ? fmin(a->before[m], a->value[m])
                                                            : a->before[m] * a->value[m];
  }
}

static void check_all(hp_ecl *e) {
  static const hp_ecl_array_id needed[] = {HP_ECL_PORO, HP_ECL_PERMX, HP_ECL_PERMY, HP_ECL_PERMZ};
  for (int n = 0; n < (int)(sizeof needed / sizeof *needed); ++n) {
    const hp_ecl_array *a = &e->array[needed[n]];
    char text[40];
    snprintf(text, sizeof text, "%s is missing", hp_ecl_array_name(needed[n]));
    if (a->value == NULL && !a->claimed && !a->faulty)
      (void)hp_ecl_missing(e, HP_ECL_GRID, hp_ecl_array_name(needed[n]), text);
  }
  if (!e->array[HP_ECL_ACTNUM].faulty) (void)check_actnum(e);
  multiply_sections(e);
  for (int id = 0; id < HP_ECL_ARRAYS; ++id)
    if (e->array[id].value != NULL && id != HP_ECL_ACTNUM && !e->array[id].faulty)
      (void)check_array(e, (hp_ecl_array_id)id);
}

/* Arrays that --set gives need not be in the deck, and are not kept on a grid
 * of another size: sound values stand in until the options are laid over. */
static hp_status fill_claimed(hp_ecl *e) {
  static const double stand_in[HP_ECL_ARRAYS] = {
      [HP_ECL_DX] = 1.0,      [HP_ECL_DY] = 1.0,       [HP_ECL_DZ] = 1.0,
      [HP_ECL_PORO] = 0.1,    [HP_ECL_PERMX] = 1e-15,  [HP_ECL_PERMY] = 1e-15,
      [HP_ECL_PERMZ] = 1e-15, [HP_ECL_PRESSURE] = 1e7, [HP_ECL_SWAT] = 0.5};
  const int64_t cells = hp_ecl_cells(e);
  for (int id = 0; id < HP_ECL_ARRAYS; ++id) {
    hp_ecl_array *a = &e->array[id];
    const bool sized = id <= HP_ECL_DZ && e->sizes[id - HP_ECL_DX] != NULL;
    const bool of_start = id == HP_ECL_PRESSURE || id == HP_ECL_SWAT || id == HP_ECL_SOIL;
    if (!a->claimed || sized || of_start) continue;
    if (!isnan(hp_ecl_array_fallback((hp_ecl_array_id)id))) continue; /* left out, it has its default */
    HP_TRY(hp_ecl_array_make(e, (hp_ecl_array_id)id));
    for (int64_t m = 0; m < cells; ++m)
      if (isnan(a->value[m])) a->value[m] = stand_in[id];
  }
  return HP_OK;
}

/* the grid */

/* Moves an array into cell order; the natural one is freed. */
static void move(hp_ecl *e, hp_ecl_array_id id, double *to) {
  if (e->array[id].value == NULL) return;
  hp_ecl_to_cells(e, e->array[id].value, to);
  HP_FREE(e->array[id].value);
}

static hp_status move_new(hp_ecl *e, hp_ecl_array_id id, double **to) {
  if (e->array[id].value == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(*to, e->c->grid->ncell));
  move(e, id, *to);
  return HP_OK;
}

/* Connections of cells that are not neighbours ask each cell for its own. */
static hp_status keep_side(const hp_ecl *e, hp_ecl_array_id id, double **to) {
  if (e->array[id].value == NULL || !(e->corners || e->pinch.given)) return HP_OK;
  HP_TRY(HP_ALLOC(*to, e->c->grid->ncell));
  hp_ecl_to_cells(e, e->array[id].value, *to);
  return HP_OK;
}

/* MULTX- of a cell works on the face that MULTX of its neighbour works on.
 * Where TRANX is given, whether a multiplier of EDIT comes before or after it is left open. */
static hp_status face_multipliers(hp_ecl *e, int d, hp_ecl_array_id plus, hp_ecl_array_id minus, hp_ecl_array_id tran) {
  hp_case *c = e->c;
  for (int n = 0; n < 2; ++n) {
    const hp_ecl_array *a = &e->array[n == 0 ? plus : minus];
    if (a->value != NULL && a->section == HP_ECL_EDIT && e->array[tran].value != NULL)
      return hp_ecl_error(e, a->file, a->line,
                          "%s and %s are both in EDIT, which decks mean in two ways: multiply %s "
                          "itself",
                          hp_ecl_array_name(n == 0 ? plus : minus), hp_ecl_array_name(tran), hp_ecl_array_name(tran));
  }
  const hp_grid *g = c->grid;
  HP_TRY(keep_side(e, plus, &e->side[d][0]));
  HP_TRY(keep_side(e, minus, &e->side[d][1]));
  HP_TRY(move_new(e, plus, &c->mult[d]));
  if (e->array[minus].value == NULL) return HP_OK;
  double *back = NULL;
  HP_TRY(move_new(e, minus, &back));
  if (c->mult[d] == NULL) {
    const hp_status s = HP_ALLOC(c->mult[d], g->ncell);
    if (s != HP_OK) {
      HP_FREE(back);
      return s;
    }
    for (int64_t m = 0; m < g->ncell; ++m) c->mult[d][m] = 1.0;
  }
  const int64_t stride = hp_grid_stride(g, d);
  for (int64_t m = d == HP_DIR_I ? stride : 0; m < g->ncell; ++m) {
    int ijk[3];
    hp_grid_ijk(g, g->first + m, ijk);
    if (ijk[2 - d] > 0) c->mult[d][m - stride] *= back[m];
  }
  HP_FREE(back);
  return HP_OK;
}

/* Multiplies `to`, 1 where there is none yet, by factors in the deck's order; NULL: 1. */
static hp_status multiply_by(hp_ecl *e, const double *factor, double **to) {
  const hp_grid *g = e->c->grid;
  double *in_cells;
  if (factor == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(in_cells, g->ncell));
  hp_ecl_to_cells(e, factor, in_cells);
  const bool fresh = *to == NULL;
  const hp_status s = fresh ? HP_ALLOC(*to, g->ncell) : HP_OK;
  for (int64_t m = 0; s == HP_OK && m < g->ncell; ++m) (*to)[m] = fresh ? in_cells[m] : (*to)[m] * in_cells[m];
  HP_FREE(in_cells);
  return s;
}

/* PORV takes the place of the computed pore volume and of MULTPV in GRID; MULTPV in EDIT multiplies it. */
static hp_status pore_volumes(hp_ecl *e) {
  hp_case *c = e->c;
  hp_ecl_array *mult = &e->array[HP_ECL_MULTPV];
  const bool later = mult->section == HP_ECL_EDIT;
  if (c->mult_pv != NULL && later && e->array[HP_ECL_PORV].value != NULL) {
    HP_TRY(move_new(e, HP_ECL_PORV, &c->porv));
    for (int64_t m = 0; m < c->grid->ncell; ++m) c->porv[m] *= c->mult_pv[m];
  }
  if (mult->before != NULL) HP_TRY(multiply_by(e, mult->before, &c->mult_pv));
  HP_TRY(multiply_by(e, e->array[HP_ECL_PORV].factor, &c->mult_pv));
  return move_new(e, HP_ECL_PORV, &c->porv);
}

/* A number that the deck gives in the end has no edits left. */
static void drop_edits(hp_ecl *e, hp_ecl_array_id id) {
  const hp_ecl_array *a = &e->array[id];
  const int64_t cells = hp_ecl_cells(e);
  for (int64_t m = 0; a->shift != NULL && m < cells; ++m)
    if (!isnan(a->value[m])) a->shift[m] = 0.0, a->low[m] = -INFINITY, a->high[m] = INFINITY;
}

/* TRANX takes the place of the computed transmissibility and of all multipliers. */
static hp_status transmissibilities(hp_ecl *e, int d, hp_ecl_array_id id) {
  hp_case *c = e->c;
  HP_TRY(multiply_by(e, e->array[id].factor, &c->mult[d]));
  return move_new(e, id, &c->tran[d]);
}

static hp_status fill_grid(hp_ecl *e) {
  hp_case *c = e->c;
  hp_grid *g = c->grid;
  move(e, HP_ECL_DX, g->dx);
  move(e, HP_ECL_DY, g->dy);
  move(e, HP_ECL_DZ, g->dz);
  move(e, HP_ECL_TOPS, g->depth);
  for (int64_t m = 0; m < g->ncell; ++m) g->depth[m] += 0.5 * g->dz[m];
  move(e, HP_ECL_PORO, g->porosity);
  move(e, HP_ECL_NTG, g->ntg);
  move(e, HP_ECL_PERMX, g->perm[HP_DIR_I]);
  move(e, HP_ECL_PERMY, g->perm[HP_DIR_J]);
  move(e, HP_ECL_PERMZ, g->perm[HP_DIR_K]);
  HP_TRY(move_new(e, HP_ECL_MULTPV, &c->mult_pv));
  HP_TRY(face_multipliers(e, HP_DIR_I, HP_ECL_MULTX, HP_ECL_MULTX_, HP_ECL_TRANX));
  HP_TRY(face_multipliers(e, HP_DIR_J, HP_ECL_MULTY, HP_ECL_MULTY_, HP_ECL_TRANY));
  HP_TRY(face_multipliers(e, HP_DIR_K, HP_ECL_MULTZ, HP_ECL_MULTZ_, HP_ECL_TRANZ));
  for (int id = HP_ECL_PORV; id <= HP_ECL_TRANZ; ++id) drop_edits(e, (hp_ecl_array_id)id);
  HP_TRY(pore_volumes(e));
  HP_TRY(transmissibilities(e, HP_DIR_I, HP_ECL_TRANX));
  HP_TRY(transmissibilities(e, HP_DIR_J, HP_ECL_TRANY));
  HP_TRY(transmissibilities(e, HP_DIR_K, HP_ECL_TRANZ));
  HP_TRY(hp_ecl_finish_faces(e));
  double *actnum = NULL;
  HP_TRY(move_new(e, HP_ECL_ACTNUM, &actnum));
  const hp_status s = HP_ALLOC(c->given_active, g->ncell);
  for (int64_t m = 0; s == HP_OK && m < g->ncell; ++m)
    c->given_active[m] = g->active[m] = actnum == NULL || actnum[m] != 0.0;
  HP_FREE(actnum);
  return s;
}

static hp_status first_column(const hp_grid *g, double *first) {
  const double *const of[3] = {g->dz, g->ntg, g->depth};
  int64_t *cell;
  if (g->spread == NULL)
    for (int n = 0; n < 3; ++n) memcpy(first + (int64_t)n * g->nz, of[n], (size_t)g->nz * sizeof *first);
  if (g->spread == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(cell, g->nz));
  hp_status s = HP_OK;
  for (int k = 0; k < g->nz; ++k) cell[k] = k;
  for (int n = 0; n < 3 && s == HP_OK; ++n) s = hp_grid_gather(g, g->nz, cell, of[n], first + (int64_t)n * g->nz);
  HP_FREE(cell);
  return s;
}

/* Quantities that Eclipse would compute otherwise are reported once.
 * OLDTRAN, its way with block-centred cells, takes areas and dips in another
 * manner where DZ or NTG vary from column to column; and Flow, which turns
 * blocks into corner points, connects cells that touch, not cells of the same k. */
static hp_status note_differences(hp_ecl *e) {
  const hp_grid *g = e->c->grid;
  double *first; /* thicknesses, nets to gross and depths of the first column */
  bool varies = false, steps = false;
  HP_TRY(HP_ALLOC(first, 3 * (int64_t)g->nz));
  hp_status s = first_column(g, first);
  for (int64_t m = 0; m < g->owned && s == HP_OK; ++m) {
    const double *at = first + m % g->nz, dz = at[0], tolerance = 1e-6 * dz;
    varies = varies || fabs(g->dz[m] - dz) > tolerance || fabs(g->ntg[m] - at[g->nz]) > 1e-6;
    steps = steps || fabs(g->depth[m] - at[2 * g->nz]) > tolerance;
  }
  HP_FREE(first);
  if (s == HP_OK) s = hp_spread_any(g->spread, &varies);
  if (s == HP_OK) s = hp_spread_any(g->spread, &steps);
  HP_TRY(s);
  if (varies)
    hp_diag_note(e->diag, e->c->deck, 0,
                 "DZ or NTG vary from column to column: transmissibilities are two half "
                 "transmissibilities in series, as in OPM Flow; Eclipse's OLDTRAN differs there");
  if (steps)
    hp_diag_note(e->diag, e->c->deck, 0,
                 "TOPS have steps: cell (i,j,k) is connected to the cells (i+1,j,k) and "
                 "(i,j+1,k) whatever their depths, as in Eclipse's OLDTRAN; OPM Flow would connect cells that touch");
  return HP_OK;
}

/* All that the grid is made of is there and sound. */
static bool is_complete(const hp_ecl *e) {
  static const hp_ecl_array_id needed[] = {HP_ECL_DX,   HP_ECL_DY,    HP_ECL_DZ,    HP_ECL_TOPS,
                                           HP_ECL_PORO, HP_ECL_PERMX, HP_ECL_PERMY, HP_ECL_PERMZ};
  bool complete = !e->corners || (e->coord != NULL && e->zcorn != NULL);
  for (size_t n = 0; n < sizeof needed / sizeof *needed; ++n) complete = complete && e->array[needed[n]].value != NULL;
  for (int id = 0; id < HP_ECL_PRESSURE; ++id) complete = complete && !e->array[id].faulty;
  return complete;
}

/* Additions of EDIT to pore volumes or transmissibilities that follow from the cells, and its limits: in the cells that
 * it touches they become numbers. */
static hp_status edit_computed(hp_ecl *e, hp_ecl_array_id id, int64_t cells, const double *computed, double **given) {
  const hp_ecl_array *a = &e->array[id];
  const hp_grid *g = e->c->grid;
  const bool fresh = *given == NULL;
  if (fresh) HP_TRY(HP_ALLOC(*given, g->ncell));
  for (int64_t m = 0; m < g->ncell && fresh; ++m) (*given)[m] = NAN;
  for (int64_t m = 0; m < cells && a->shift != NULL; ++m) {
    int at[3];
    hp_grid_ijk(g, g->first + m, at);
    const int64_t n = hp_ecl_natural(e, at[0], at[1], at[2]);
    const bool touched = a->shift[n] != 0.0 || a->low[n] > -INFINITY || a->high[n] < INFINITY;
    if (touched) (*given)[m] = fmin(fmax(computed[m] + a->shift[n], a->low[n]), a->high[n]);
    if (touched && (*given)[m] < 0.0)
      return hp_ecl_error(e, a->file, a->line, "%s: cell (%d,%d,%d): %.9g %s: must be >= 0", hp_ecl_array_name(id),
                          at[0] + 1, at[1] + 1, at[2] + 1, (*given)[m] / e->units.factor[hp_ecl_array_quantity(id)],
                          e->units.label[hp_ecl_array_quantity(id)]);
  }
  return HP_OK;
}

static hp_status edit_all_computed(hp_ecl *e) {
  static const hp_ecl_array_id tran[HP_DIRS] = {
      [HP_DIR_K] = HP_ECL_TRANZ, [HP_DIR_J] = HP_ECL_TRANY, [HP_DIR_I] = HP_ECL_TRANX};
  hp_case *c = e->c;
  bool any[HP_ECL_ARRAYS] = {false}, one = false;
  for (int id = HP_ECL_PORV; id <= HP_ECL_TRANZ; ++id) {
    any[id] = e->array[id].shift != NULL;
    HP_TRY(hp_spread_any(c->spread, &any[id]));
    one = one || any[id];
  }
  if (!one) return HP_OK;
  HP_TRY(hp_case_finish_grid(c, false));
  const hp_grid *g = c->grid;
  if (any[HP_ECL_PORV]) HP_TRY(edit_computed(e, HP_ECL_PORV, g->ncell, g->pore_volume, &c->porv));
  for (int d = 0; d < HP_DIRS; ++d) { /* faces of the plane behind towards +i are another rank's */
    const int64_t cells = d == HP_DIR_I ? g->owned : g->ncell;
    if (any[tran[d]]) HP_TRY(edit_computed(e, tran[d], cells, g->trans[d], &c->tran[d]));
  }
  memcpy(c->grid->active, c->given_active, (size_t)c->grid->ncell);
  return HP_OK;
}

/* MINPVV: one number for all active cells is MINPV. */
static hp_status least_of_cells(hp_ecl *e) {
  hp_case *c = e->c;
  double low[2] = {INFINITY, INFINITY}; /* the smallest, and the largest with its sign turned */
  if (e->array[HP_ECL_MINPVV].value == NULL || e->array[HP_ECL_MINPVV].claimed) return HP_OK;
  HP_TRY(move_new(e, HP_ECL_MINPVV, &c->minpv_of));
  for (int64_t m = 0; m < c->grid->ncell; ++m) {
    double *v = &c->minpv_of[m];
    if (!(*v > 0.0)) *v = c->minpv;
    if (c->given_active[m]) low[0] = fmin(low[0], *v), low[1] = fmin(low[1], -*v);
  }
  HP_TRY(hp_spread_min(c->spread, low, 2));
  if (low[0] < -low[1])
    return e->pinch.given ? hp_ecl_error_at(e, "MINPVV", "with PINCH it must be the same in all cells") : HP_OK;
  HP_FREE(c->minpv_of);
  if (low[0] < INFINITY) c->minpv = low[0];
  return HP_OK;
}

static hp_status make_grid(hp_ecl *e) {
  hp_case *c = e->c;
  c->units = e->units;
  if (!e->minpv) c->minpv = 1e-6 * e->units.factor[HP_UNIT_RESERVOIR_VOLUME];
  if (e->unsized) return HP_OK;
  HP_TRY(fill_claimed(e));
  HP_TRY(hp_ecl_corner_sizes(e));
  for (int d = 0; d < 3; ++d) {
    const hp_status s = require_sizes(e, d);
    if (s != HP_OK && s != HP_ERR_DECK) return s;
  }
  (void)fill_tops(e);
  check_all(e);
  if (!is_complete(e)) return HP_ERR_DECK;
  HP_TRY(hp_ecl_block_corners(e));
  HP_TRY(hp_grid_begin(c->spread, e->nx, e->ny, e->nz, &c->grid));
  HP_TRY(hp_ecl_start_numerical(e));
  HP_TRY(fill_grid(e));
  HP_TRY(hp_ecl_isolate_numerical(e));
  HP_TRY(hp_ecl_corner_fill(e));
  HP_TRY(edit_all_computed(e));
  HP_TRY(least_of_cells(e));
  HP_TRY(hp_ecl_finish_connections(e));
  /* an option about the grid finishes it again */
  const bool again = hp_config_claims(e->nset, e->set, "grid");
  const hp_status s = hp_case_finish_grid(c, !again);
  if (!again) HP_FREE(c->minpv_of);
  if (s == HP_ERR_DECK && !again) return hp_ecl_error(e, c->deck, 0, "%s", hp_fail_text());
  if (s != HP_ERR_DECK) HP_TRY(s);
  return hp_case_mesh(c);
}

hp_status hp_ecl_finish_grid(hp_ecl *e) {
  hp_stage("making the grid");
  const double t0 = hp_now();
  const hp_status s = make_grid(e);
  e->c->grid_seconds += hp_now() - t0;
  return s;
}

hp_status hp_ecl_complete_grid(hp_ecl *e) {
  const bool blocks = !e->corners && e->c->coord == NULL; /* which an option may have replaced */
  return e->c->grid != NULL && blocks ? note_differences(e) : HP_OK;
}
