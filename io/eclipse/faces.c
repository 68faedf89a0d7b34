/* Multipliers of faces that are named by faults (FAULTS, MULTFLT) or by the
 * regions on both sides (MULTREGT). They join those of MULTX, MULTY and MULTZ.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/plural.h"
#include "io/eclipse/impl.h"

hp_status hp_ecl_do_gridopts(hp_ecl *e, const hp_ecl_record *record) {
  e->multnum = record->v[1].i > 0;
  return HP_OK;
}

hp_status hp_ecl_do_gridunit(hp_ecl *e, const hp_ecl_record *record) {
  static const hp_unit_system system[] = {HP_UNITS_METRIC, HP_UNITS_FIELD, HP_UNITS_LAB, HP_UNITS_METRIC};
  const hp_ecl_value *v = record->v;
  if (v[0].given && system[v[0].choice] != e->units.system)
    return hp_ecl_error(e, record->file, record->line,
                        "the deck's unit of length is %s, another one for the grid is not "
                        "supported",
                        e->units.label[HP_UNIT_LENGTH]);
  return HP_OK;
}

/* FAULTS, MULTFLT */

hp_status hp_ecl_do_faults(hp_ecl *e, const hp_ecl_record *record) {
  static const int direction[] = {HP_DIR_I, HP_DIR_J, HP_DIR_K};
  const hp_ecl_value *v = record->v;
  hp_ecl_fault fault = {.d = direction[v[7].choice % 3], .factor = 1.0};
  fault.minus = v[7].choice / 3 == 1 || v[7].choice / 3 == 3; /* in the order of the item's choices */
  if (v[0].text.length >= HP_WELL_NAME)
    return hp_ecl_error(e, record->file, record->line, "a name of more than %d characters", HP_WELL_NAME - 1);
  hp_ecl_copy(&v[0].text, fault.name, HP_WELL_NAME);
  if (e->resized)
    return hp_ecl_error(e, record->file, record->line,
                        "faults do not move to a grid of another size: give grid.multx and "
                        "the like by --set, and leave FAULTS out");
  HP_TRY(hp_ecl_read_box(e, record, 1, fault.box));
  HP_TRY(HP_ECL_GROW(e->fault, e->faults, e->fault_capacity));
  e->fault[e->faults++] = fault;
  return HP_OK;
}

hp_status hp_ecl_do_multflt(hp_ecl *e, const hp_ecl_record *record) {
  char name[HP_WELL_NAME];
  int found = 0;
  if (record->v[0].text.length >= HP_WELL_NAME)
    return hp_ecl_error(e, record->file, record->line, "a name of more than %d characters", HP_WELL_NAME - 1);
  hp_ecl_copy(&record->v[0].text, name, HP_WELL_NAME);
  for (int n = 0; n < e->faults; ++n)
    if (hp_name_matches(name, e->fault[n].name)) {
      e->fault[n].factor = record->v[1].x;
      ++found;
    }
  if (found > 0 || (e->lost & HP_ECL_GRID)) return HP_OK;
  return hp_ecl_error(e, record->file, record->line, "no fault '%s' (FAULTS defines faults)", name);
}

/* MULTREGT */

static bool names_direction(const hp_ecl_token *t, char c) {
  for (int n = 0; n < t->length; ++n)
    if (t->text[n] == c || t->text[n] == c + ('a' - 'A')) return true;
  return false;
}

hp_status hp_ecl_do_multregt(hp_ecl *e, const hp_ecl_record *record) {
  static const hp_ecl_array_id by[] = {HP_ECL_FLUXNUM, HP_ECL_MULTNUM, HP_ECL_OPERNUM};
  const hp_ecl_value *v = record->v;
  hp_ecl_regions r = {.from = v[0].i > 0 ? (int)v[0].i : 0,
                      .to = v[1].i > 0 ? (int)v[1].i : 0,
                      .factor = v[2].x,
                      .neighbours = v[4].choice != 3,
                      .file = record->file,
                      .line = record->line};
  r.array = v[5].given ? by[v[5].choice] : e->multnum ? HP_ECL_MULTNUM : HP_ECL_FLUXNUM;
  for (int n = 0; v[3].given && n < v[3].text.length; ++n)
    if (strchr("XYZxyz", v[3].text.text[n]) == NULL)
      return hp_ecl_error(e, record->file, record->line, "item 4 (directions): '%.*s': only X, Y and Z",
                          v[3].text.length, v[3].text.text);
  for (int d = 0; d < HP_DIRS; ++d) r.dir[d] = r.neighbours && (!v[3].given || names_direction(&v[3].text, "ZYX"[d]));
  if (r.from > 0 && r.from == r.to)
    return hp_ecl_error(e, record->file, record->line,
                        "region %d and itself: multipliers inside a region are not "
                        "supported; MULTX, MULTY and MULTZ are",
                        r.from);
  HP_TRY(HP_ECL_GROW(e->region, e->between, e->between_capacity));
  e->region[e->between++] = r;
  return HP_OK;
}

/* into the case */

static hp_status multiplier(hp_ecl *e, int d) {
  double **mult = &e->c->mult[d];
  const int64_t n = e->c->grid->ncell;
  if (*mult != NULL) return HP_OK;
  HP_TRY(HP_ALLOC(*mult, n));
  for (int64_t m = 0; m < n; ++m) (*mult)[m] = 1.0;
  return HP_OK;
}

/* Two records of one name may meet at a face: it is multiplied for each name once. */
static hp_status apply_fault(hp_ecl *e, int number, uint8_t *done) {
  const hp_grid *g = e->c->grid;
  const hp_ecl_fault *f = &e->fault[number];
  const int n[HP_DIRS] = {g->nz, g->ny, g->nx};
  HP_TRY(multiplier(e, f->d));
  for (int i = f->box[0]; i <= f->box[1]; ++i)
    for (int j = f->box[2]; j <= f->box[3]; ++j)
      for (int k = f->box[4]; k <= f->box[5]; ++k) {
        const int along = f->d == HP_DIR_I ? i : f->d == HP_DIR_J ? j : k, lower = f->minus ? along - 1 : along;
        if (lower < 0 || lower >= n[f->d] - 1) continue;
        const int64_t m = hp_grid_cell(g, i, j, k) - (f->minus ? hp_grid_stride(g, f->d) : 0);
        if (!(done[m] >> f->d & 1)) e->c->mult[f->d][m] *= f->factor;
        done[m] |= (uint8_t)(1 << f->d);
      }
  return HP_OK;
}

static hp_status apply_faults(hp_ecl *e) {
  const int64_t cells = e->c->grid->ncell;
  uint8_t *done;
  hp_status s = HP_OK;
  if (e->faults == 0) return HP_OK;
  HP_TRY(HP_ALLOC(done, cells));
  for (int n = 0; n < e->faults && s == HP_OK; ++n) {
    bool first = true;
    for (int before = 0; before < n; ++before) first = first && strcmp(e->fault[before].name, e->fault[n].name) != 0;
    if (!first) continue;
    memset(done, 0, (size_t)cells);
    for (int k = n; k < e->faults && s == HP_OK; ++k)
      if (strcmp(e->fault[k].name, e->fault[n].name) == 0) s = apply_fault(e, k, done);
  }
  HP_FREE(done);
  return s;
}

/* FLUXNUM, MULTNUM or OPERNUM, where records speak of its regions. */
typedef struct {
  double *of;     /* [ncell] in the order of cells, NULL: no such array, or no record of it */
  double *number; /* [count] that it holds, rising, each once */
  int64_t count;
} region_array;

enum { REGION_ARRAYS = HP_ECL_OPERNUM - HP_ECL_FLUXNUM + 1 };

static int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static hp_status load_regions(hp_ecl *e, hp_ecl_array_id id, region_array *r) {
  const hp_grid *g = e->c->grid;
  if (e->array[id].value == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(r->of, g->ncell));
  HP_TRY(HP_ALLOC(r->number, g->ncell));
  hp_grid_from_natural(g->nx, g->ny, g->nz, e->array[id].value, r->of);
  memcpy(r->number, r->of, (size_t)g->ncell * sizeof *r->of);
  qsort(r->number, (size_t)g->ncell, sizeof *r->number, compare_numbers);
  for (int64_t m = 0; m < g->ncell; ++m)
    if (r->count == 0 || r->number[m] != r->number[r->count - 1]) r->number[r->count++] = r->number[m];
  return HP_OK;
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

/* The factor of the face between cells m and next: that of the first array whose record counts there. */
static double between(const hp_ecl *e, const region_array *by, int d, int64_t m, int64_t next) {
  for (int n = 0; n < REGION_ARRAYS; ++n) {
    const double *of = by[n].of;
    if (of == NULL || of[m] == of[next]) continue;
    const hp_ecl_regions *r = last_record(e, by, of[m], of[next]);
    if (r != NULL && (int)r->array == HP_ECL_FLUXNUM + n && r->dir[d]) return r->factor;
  }
  return 1.0;
}

static hp_status multiply_faces(hp_ecl *e, const region_array *by) {
  const hp_grid *g = e->c->grid;
  const int n[3] = {g->nx, g->ny, g->nz};
  for (int d = 0; d < HP_DIRS; ++d) HP_TRY(multiplier(e, d));
  for (int64_t m = 0; m < g->ncell; ++m) {
    int ijk[3];
    hp_grid_ijk(g, m, ijk);
    for (int d = 0; d < HP_DIRS; ++d)
      if (ijk[2 - d] < n[2 - d] - 1) e->c->mult[d][m] *= between(e, by, d, m, m + hp_grid_stride(g, d));
  }
  return HP_OK;
}

static hp_status apply_regions(hp_ecl *e) {
  region_array by[REGION_ARRAYS] = {{0}};
  const int errors = e->diag->errors;
  bool reported[REGION_ARRAYS] = {false};
  hp_status s = HP_OK;
  if (e->between == 0) return HP_OK;
  for (int n = 0; n < e->between && s == HP_OK; ++n) {
    const hp_ecl_regions *r = &e->region[n];
    const int k = (int)(r->array - HP_ECL_FLUXNUM);
    if (by[k].of == NULL && e->array[r->array].value != NULL) s = load_regions(e, r->array, &by[k]);
    if (e->array[r->array].value != NULL || !r->neighbours || reported[k]) continue;
    reported[k] = true;
    (void)hp_ecl_error(e, r->file, r->line, "MULTREGT: means regions of %s, which the deck does not have",
                       hp_ecl_array_name(r->array));
  }
  if (s == HP_OK && e->diag->errors == errors) s = multiply_faces(e, by);
  for (int n = 0; n < REGION_ARRAYS; ++n) {
    HP_FREE(by[n].of);
    HP_FREE(by[n].number);
  }
  return s;
}

hp_status hp_ecl_finish_faces(hp_ecl *e) {
  HP_TRY(apply_faults(e));
  return apply_regions(e);
}

/* PINCH would connect the active cells above and below inactive ones that are thin or have too little pore volume. */

hp_status hp_ecl_do_pinch(hp_ecl *e, const hp_ecl_record *record) {
  e->pinch_file = record->file;
  e->pinch_line = record->line;
  e->pinch = record->v[0].x;
  return HP_OK;
}

hp_status hp_ecl_complete_pinch(hp_ecl *e) {
  const hp_grid *g = e->c->grid;
  if (e->pinch_file == NULL || g == NULL) return HP_OK;
  int64_t last = -1;   /* the latest active cell of the column */
  bool through = true; /* all cells since then are pinched out */
  for (int64_t m = 0; m < g->ncell; ++m) {
    int ijk[3];
    if (m % g->nz == 0) last = -1;
    if (!g->active[m]) {
      through = through && (e->c->given_active[m] || g->dz[m] <= e->pinch);
      continue;
    }
    if (last >= 0 && m > last + 1 && through) {
      hp_grid_ijk(g, m, ijk);
      return hp_ecl_error(e, e->pinch_file, e->pinch_line,
                          "PINCH: cell (%d,%d,%d) lies below %d inactive one%s: "
                          "connections across them are not supported",
                          ijk[0] + 1, ijk[1] + 1, ijk[2] + 1, (int)(m - last - 1), hp_plural(m - last - 1));
    }
    last = m;
    through = true;
  }
  return HP_OK;
}
