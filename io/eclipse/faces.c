/* Multipliers of faces that are named by faults (FAULTS, MULTFLT) or by the
 * regions on both sides (MULTREGT). They join those of MULTX, MULTY and MULTZ, and
 * multiply connections across faults and pinched-out cells.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/impl.h"

hp_status hp_ecl_do_gridopts(hp_ecl *e, const hp_ecl_record *record) {
  e->multnum = record->gridopts.multnum_regions.i > 0;
  return HP_OK;
}

hp_status hp_ecl_do_gridunit(hp_ecl *e, const hp_ecl_record *record) {
  static const hp_unit_system system[] = {HP_UNITS_METRIC, HP_UNITS_FIELD, HP_UNITS_LAB, HP_UNITS_METRIC};
  const hp_ecl_items_gridunit *v = &record->gridunit;
  if (v->units.given && system[v->units.choice] != e->units.system)
    return hp_ecl_error(e, record->file, record->line,
                        "the deck's unit of length is %s, another one for the grid is not "
                        "supported",
                        e->units.label[HP_UNIT_LENGTH]);
  return HP_OK;
}

/* FAULTS, MULTFLT */

hp_status hp_ecl_do_faults(hp_ecl *e, const hp_ecl_record *record) {
  static const int direction[] = {HP_DIR_I, HP_DIR_J, HP_DIR_K};
  const hp_ecl_items_faults *v = &record->faults;
  hp_fault_faces fault = {.d = direction[v->face.choice % 3], .factor = 1.0, .of_grid = 1.0};
  fault.minus = v->face.choice / 3 == 1 || v->face.choice / 3 == 3; /* in the order of the item's choices */
  if (v->fault.text.length >= HP_WELL_NAME)
    return hp_ecl_error(e, record->file, record->line, "a name of more than %d characters", HP_WELL_NAME - 1);
  hp_ecl_copy(&v->fault.text, fault.name, HP_WELL_NAME);
  if (e->resized)
    return hp_ecl_error(e, record->file, record->line,
                        "faults do not move to a grid of another size: give grid.multx and "
                        "the like by --set, and leave FAULTS out");
  HP_TRY(hp_ecl_read_box(e, record, HP_ECL_AT(faults, i1), fault.box));
  const int first = fault.box[2 * (HP_DIR_I - fault.d)], last = fault.box[2 * (HP_DIR_I - fault.d) + 1];
  if (first != last)
    return hp_ecl_error(e, record->file, record->line,
                        "%c%d..%d: faces along %c lie in one plane: give a record for each %c", "kji"[fault.d],
                        first + 1, last + 1, "kji"[fault.d], "kji"[fault.d]);
  HP_TRY(HP_GROW(e->fault, e->faults, 1));
  e->fault[e->faults++] = fault;
  return HP_OK;
}

_Static_assert(HP_ECL_AT(multflt, fault) == HP_ECL_AT(thpresft, fault), "find_faults reads both");

/* The pattern of a record's first item, and how many planes of faults it names; HP_ERR_DECK, reported: none. */
static hp_status find_faults(hp_ecl *e, const hp_ecl_record *record, char name[HP_WELL_NAME], int *found) {
  *found = 0;
  if (record->multflt.fault.text.length >= HP_WELL_NAME)
    return hp_ecl_error(e, record->file, record->line, "a name of more than %d characters", HP_WELL_NAME - 1);
  hp_ecl_copy(&record->multflt.fault.text, name, HP_WELL_NAME);
  for (int n = 0; n < e->faults; ++n) *found += hp_name_matches(name, e->fault[n].name);
  if (*found > 0 || (e->lost & HP_ECL_GRID)) return HP_OK;
  return hp_ecl_error(e, record->file, record->line, "no fault '%s' (FAULTS, before it, defines faults)", name);
}

hp_status hp_ecl_do_multflt(hp_ecl *e, const hp_ecl_record *record) {
  char name[HP_WELL_NAME];
  int found;
  HP_TRY(find_faults(e, record, name, &found));
  if (e->section == HP_ECL_SCHEDULE) return found > 0 ? hp_ecl_change_fault(e, record, name) : HP_OK;
  for (int n = 0; n < e->faults; ++n)
    if (hp_name_matches(name, e->fault[n].name)) {
      hp_fault_faces *f = &e->fault[n];
      if (e->section == HP_ECL_GRID) f->of_grid = record->multflt.multiplier.x;
      f->factor = e->section == HP_ECL_GRID ? f->of_grid : f->of_grid * record->multflt.multiplier.x;
    }
  return HP_OK;
}

hp_status hp_ecl_do_thpresft(hp_ecl *e, const hp_ecl_record *record) {
  char name[HP_WELL_NAME];
  int found;
  HP_TRY(find_faults(e, record, name, &found));
  for (int n = 0; n < e->faults; ++n)
    if (hp_name_matches(name, e->fault[n].name)) e->fault[n].threshold = record->thpresft.threshold.x;
  return HP_OK;
}

/* MULTREGT */

static bool names_direction(const hp_ecl_token *t, char c) {
  for (int n = 0; n < t->length; ++n)
    if (t->text[n] == c || t->text[n] == c + ('a' - 'A')) return true;
  return false;
}

hp_status hp_ecl_do_multregt(hp_ecl *e, const hp_ecl_record *record) {
  static const hp_ecl_array_id by[] = {HP_ECL_FLUXNUM, HP_ECL_MULTNUM, HP_ECL_OPERNUM};
  const hp_ecl_items_multregt *v = &record->multregt;
  hp_ecl_regions r = {.from = v->region.i > 0 ? (int)v->region.i : 0,
                      .to = v->other_region.i > 0 ? (int)v->other_region.i : 0,
                      .factor = v->multiplier.x,
                      .neighbours = v->connections.choice != 3,
                      .others = v->connections.choice != 1,
                      .file = record->file,
                      .line = record->line};
  r.array = v->regions_by.given ? by[v->regions_by.choice] : e->multnum ? HP_ECL_MULTNUM : HP_ECL_FLUXNUM;
  for (int n = 0; v->directions.given && n < v->directions.text.length; ++n)
    if (strchr("XYZxyz", v->directions.text.text[n]) == NULL)
      return hp_ecl_item_error(e, record, HP_ECL_AT(multregt, directions), ": %s: only X, Y and Z",
                               hp_ecl_show(&e->lexer, &v->directions.text, "'").s);
  for (int d = 0; d < HP_DIRS; ++d) r.dir[d] = !v->directions.given || names_direction(&v->directions.text, "ZYX"[d]);
  if (r.from > 0 && r.from == r.to) ++e->within;
  HP_TRY(HP_GROW(e->region, e->between, 1));
  e->region[e->between++] = r;
  return HP_OK;
}

/* into the case */

/* FLUXNUM, MULTNUM or OPERNUM, where records speak of its regions. */
typedef struct {
  double *of;     /* [ncell] in the order of cells, NULL: no such array, or no record of it */
  double *number; /* [count] that it holds in whichever plane, rising, each once */
  int64_t count;
} region_array;

enum { REGION_ARRAYS = HP_ECL_OPERNUM - HP_ECL_FLUXNUM + 1 };

static int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Numbers of all ranks in place of this one's: the largest, then the largest below it, ... */
static hp_status unite_numbers(hp_spread *P, region_array *r) {
  double *all = NULL, next = INFINITY;
  int count = 0;
  hp_status s = P == NULL ? HP_OK : HP_GROW(all, count, 1);
  for (int64_t n = r->count; s == HP_OK && P != NULL;) {
    while (n > 0 && r->number[n - 1] >= next) --n;
    next = n > 0 ? r->number[n - 1] : -INFINITY;
    s = hp_spread_max(P, &next, 1);
    if (s != HP_OK || next == -INFINITY) break;
    s = HP_GROW(all, count, 1);
    if (s == HP_OK) all[count++] = next;
  }
  if (s != HP_OK || P == NULL) {
    HP_FREE(all);
    return s;
  }
  qsort(all, (size_t)count, sizeof *all, compare_numbers);
  HP_FREE(r->number);
  r->number = all;
  r->count = count;
  return HP_OK;
}

static hp_status load_regions(hp_ecl *e, hp_ecl_array_id id, region_array *r) {
  const hp_grid *g = e->c->grid;
  if (e->array[id].value == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(r->of, g->ncell));
  HP_TRY(HP_ALLOC(r->number, g->ncell));
  hp_ecl_to_cells(e, e->array[id].value, r->of);
  memcpy(r->number, r->of, (size_t)g->ncell * sizeof *r->of);
  qsort(r->number, (size_t)g->ncell, sizeof *r->number, compare_numbers);
  for (int64_t m = 0; m < g->ncell; ++m)
    if (r->count == 0 || r->number[m] != r->number[r->count - 1]) r->number[r->count++] = r->number[m];
  return unite_numbers(g->spread, r);
}

/* Any region is any that the record's array holds. */
static bool means(const region_array *of, int named, double number) {
  if (named > 0) return number == named;
  return of->count > 0 && bsearch(&number, of->number, (size_t)of->count, sizeof number, compare_numbers) != NULL;
}

/* The last record that names regions a and b, in whichever order, directions and array; NULL: none does. */
static const hp_ecl_regions *last_record(const hp_ecl *e, const region_array *by, double a, double b) {
  for (int n = e->between - 1; n >= 0; --n) {
    const hp_ecl_regions *r = &e->region[n];
    const region_array *of = &by[r->array - HP_ECL_FLUXNUM];
    if ((means(of, r->from, a) && means(of, r->to, b)) || (means(of, r->from, b) && means(of, r->to, a))) return r;
  }
  return NULL;
}

/* The last record about a region and itself, in whichever array; NULL: there is none. */
static const hp_ecl_regions *record_within(const hp_ecl *e, double region) {
  for (int n = e->within > 0 ? e->between - 1 : -1; n >= 0; --n)
    if (e->region[n].from > 0 && e->region[n].from == e->region[n].to && e->region[n].from == region)
      return &e->region[n];
  return NULL;
}

/* Whether the record, about regions of array n, multiplies such faces. d < 0: any direction. */
static bool counts(const hp_ecl_regions *r, int n, int d, bool neighbours) {
  if (r == NULL || (int)r->array != HP_ECL_FLUXNUM + n || !(neighbours ? r->neighbours : r->others)) return false;
  return d < 0 || r->dir[d];
}

/* The factor of the faces between two cells, neighbours or not, of regions m[n] and next[n]: for each array that of the
 * record about their two regions, times those of each region and itself. */
static double between(const hp_ecl *e, const region_array *by, int d, bool neighbours, const double m[REGION_ARRAYS],
                      const double next[REGION_ARRAYS]) {
  double factor = 1.0;
  for (int n = 0; n < REGION_ARRAYS; ++n) {
    if (by[n].of == NULL) continue;
    const bool differ = m[n] != next[n];
    const hp_ecl_regions *pair = differ ? last_record(e, by, m[n], next[n]) : NULL;
    const hp_ecl_regions *one = record_within(e, m[n]), *other = differ ? record_within(e, next[n]) : NULL;
    if (counts(pair, n, d, neighbours)) factor *= pair->factor;
    if (counts(one, n, d, neighbours)) factor *= one->factor;
    if (counts(other, n, d, neighbours)) factor *= other->factor;
  }
  return factor;
}

static void regions_of(const region_array *by, int64_t at, double region[REGION_ARRAYS]) {
  for (int n = 0; n < REGION_ARRAYS; ++n) region[n] = by[n].of != NULL ? by[n].of[at] : 0.0;
}

static hp_status multiply_faces(hp_ecl *e, const region_array *by) {
  const hp_grid *g = e->c->grid;
  const int n[3] = {g->nx, g->ny, g->nz};
  for (int d = 0; d < HP_DIRS; ++d) HP_TRY(hp_case_need_multiplier(e->c, d));
  for (int64_t m = 0; m < g->ncell; ++m) {
    int ijk[3];
    double here[REGION_ARRAYS], next[REGION_ARRAYS];
    hp_grid_ijk(g, g->first + m, ijk);
    regions_of(by, m, here);
    for (int d = 0; d < HP_DIRS; ++d) {
      if (ijk[2 - d] == n[2 - d] - 1 || m + hp_grid_stride(g, d) >= g->ncell) continue;
      regions_of(by, m + hp_grid_stride(g, d), next);
      e->c->mult[d][m] *= between(e, by, d, true, here, next);
    }
  }
  return HP_OK;
}

/* All arrays that records speak of. *sound: the deck has them; if it has not and `reports`, a message says so. */
static hp_status load_all(hp_ecl *e, bool reports, region_array by[REGION_ARRAYS], bool *sound) {
  bool reported[REGION_ARRAYS] = {false};
  *sound = true;
  for (int n = 0; n < e->between; ++n) {
    const hp_ecl_regions *r = &e->region[n];
    const int k = (int)(r->array - HP_ECL_FLUXNUM);
    if (by[k].of == NULL && e->array[r->array].value != NULL) HP_TRY(load_regions(e, r->array, &by[k]));
    if (e->array[r->array].value != NULL || reported[k]) continue;
    reported[k] = true;
    *sound = false;
    if (reports)
      (void)hp_ecl_error(e, r->file, r->line, "MULTREGT: means regions of %s, which the deck does not have",
                         hp_ecl_array_name(r->array));
  }
  return HP_OK;
}

static void clear_all(region_array by[REGION_ARRAYS]) {
  for (int n = 0; n < REGION_ARRAYS; ++n) {
    HP_FREE(by[n].of);
    HP_FREE(by[n].number);
  }
}

static hp_status apply_regions(hp_ecl *e) {
  region_array by[REGION_ARRAYS] = {{0}};
  bool sound;
  if (e->between == 0) return HP_OK;
  hp_status s = load_all(e, true, by, &sound);
  if (s == HP_OK && sound) s = multiply_faces(e, by);
  clear_all(by);
  return s;
}

hp_status hp_ecl_finish_faces(hp_ecl *e) {
  HP_TRY(hp_case_apply_faults(e->c, e->faults, e->fault));
  return apply_regions(e);
}

/* ---- connections of cells that are not neighbours ---- */

typedef struct {
  const hp_grid *g;
  const region_array *by;
} region_search;

/* Regions of an own cell as the bits of numbers. */
static bool find_regions(void *arg, int64_t cell, int64_t *value) {
  const region_search *s = arg;
  const int64_t at = hp_grid_place(s->g, cell);
  if (at < 0 || at >= s->g->owned) return false;
  double region[REGION_ARRAYS];
  regions_of(s->by, at, region);
  memcpy(value, region, sizeof region);
  return true;
}

/* region [2 links][REGION_ARRAYS]: of the cells a, then b, which are held, or asked for by all ranks. */
static hp_status regions_of_links(const hp_ecl *e, const region_array *by, const hp_case_links *links, bool asked,
                                  double *region) {
  region_search here = {e->c->grid, by};
  const int64_t count = 2 * links->count;
  int64_t *cell;
  hp_status s = HP_ALLOC(cell, count);
  for (int64_t n = 0; s == HP_OK && n < links->count; ++n) {
    cell[n] = links->at[n].a;
    cell[links->count + n] = links->at[n].b;
  }
  if (s == HP_OK && asked)
    s = hp_spread_ask(here.g->spread, count, cell, REGION_ARRAYS, find_regions, &here, (int64_t *)(void *)region);
  for (int64_t n = 0; s == HP_OK && n < count && !asked; ++n)
    regions_of(by, hp_grid_place(here.g, cell[n]), region + n * REGION_ARRAYS);
  HP_FREE(cell);
  return s;
}

/* The factor of a connection that is the series of all faces between two cells of a column (PINCH with ALL): each face has the
 * factor of its own two cells. */
static double in_series(const hp_ecl *e, const region_array *by, int64_t a, int64_t b) {
  const hp_grid *g = e->c->grid;
  double plain = 0.0, multiplied = 0.0, here[REGION_ARRAYS], next[REGION_ARRAYS];
  for (int64_t m = a; m < b; ++m) {
    const double resistance = hp_case_vertical_resistance(e->c, m, m + 1);
    regions_of(by, hp_grid_place(g, m), here);
    regions_of(by, hp_grid_place(g, m + 1), next);
    plain += resistance;
    multiplied += resistance / between(e, by, HP_DIR_K, false, here, next);
  }
  return multiplied > 0.0 ? plain / multiplied : 1.0;
}

/* given: links whose cells b may be others' to hold; else all cells are held. */
static hp_status by_regions(hp_ecl *e, hp_case_links *links, bool given) {
  region_array by[REGION_ARRAYS] = {{0}};
  const int64_t count = links->count;
  double *region = NULL;
  bool sound;
  if (e->between == 0) return HP_OK;
  hp_status s = load_all(e, false, by, &sound); /* the faces have reported it */
  if (s == HP_OK) s = HP_ALLOC(region, 2 * REGION_ARRAYS * count);
  if (s == HP_OK && sound) s = regions_of_links(e, by, links, given, region);
  for (int64_t n = 0; s == HP_OK && sound && n < count; ++n) {
    hp_case_link *l = &links->at[n];
    const double *a = region + n * REGION_ARRAYS, *b = region + (count + n) * REGION_ARRAYS;
    if (l->trans > 0.0 && !given && l->d == HP_DIR_K && e->pinch.through) l->trans *= in_series(e, by, l->a, l->b);
    else if ((l->d < 0) == given) l->trans *= between(e, by, l->d, false, a, b);
  }
  HP_FREE(region);
  clear_all(by);
  return s;
}

hp_status hp_ecl_multiply_links(hp_ecl *e, hp_case_links *links) {
  if (links->count == 0 && e->c->spread == NULL) return HP_OK;
  hp_case_multiply_links(e->c->grid, e->side, e->pinch.smallest, links);
  HP_TRY(hp_case_fault_links(e->c, e->faults, e->fault, links));
  return by_regions(e, links, false);
}

hp_status hp_ecl_multiply_given(hp_ecl *e, hp_case_links *links) {
  return links->count > 0 || e->c->spread != NULL ? by_regions(e, links, true) : HP_OK;
}
