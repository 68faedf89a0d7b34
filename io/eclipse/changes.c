/* Multipliers of SCHEDULE: MULTFLT, and MULTX and the like. Each multiplies what the transmissibilities are by then. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/impl.h"

static hp_status add(hp_ecl *e, hp_ecl_change change) {
  change.time = e->now;
  HP_TRY(HP_ECL_GROW(e->change, e->changes, e->changes_capacity));
  e->change[e->changes++] = change;
  return HP_OK;
}

hp_status hp_ecl_change_fault(hp_ecl *e, const hp_ecl_record *record, const char *name) {
  hp_ecl_change c = {.factor = record->v[1].x, .file = record->file, .line = record->line};
  snprintf(c.what, sizeof c.what, "%s", name);
  return add(e, c);
}

/* MULTX ...: a number for each cell of the box, i fastest. */
hp_status hp_ecl_change_faces(hp_ecl *e, hp_ecl_array_id id) {
  static const int direction[] = {HP_DIR_I, HP_DIR_J, HP_DIR_K};
  const int *b = e->box;
  const int64_t count = (int64_t)(b[1] - b[0] + 1) * (b[3] - b[2] + 1) * (b[5] - b[4] + 1);
  hp_ecl_change c = {
      .d = direction[(id - HP_ECL_MULTX) % 3], .minus = id >= HP_ECL_MULTX_, .file = e->file, .line = e->line};
  if (e->unsized || e->resized) return hp_ecl_skip_numbers(e);
  snprintf(c.what, sizeof c.what, "%s", e->name);
  memcpy(c.box, b, sizeof c.box);
  HP_TRY(HP_ALLOC(c.value, count));
  hp_status s = hp_ecl_read_numbers(e, HP_UNIT_NONE, count, c.value);
  for (int64_t n = 0; s == HP_OK && n < count; ++n)
    if (!(c.value[n] >= 0.0 && isfinite(c.value[n])))
      s = hp_ecl_error(e, e->file, e->line, "value %lld: %g: must be >= 0", (long long)n + 1, c.value[n]);
  if (s == HP_OK) s = add(e, c);
  if (s != HP_OK) HP_FREE(c.value);
  return s;
}

void hp_ecl_changes_clear(hp_ecl *e) {
  for (int n = 0; n < e->changes; ++n) HP_FREE(e->change[n].value);
  HP_FREE(e->change);
}

/* ---- into the case ---- */

typedef struct {
  int64_t a, b;
  double factor;
} pair;

static int compare_pairs(const void *x, const void *y) {
  const pair *p = x, *q = y;
  if (p->a != q->a) return (p->a > q->a) - (p->a < q->a);
  return (p->b > q->b) - (p->b < q->b);
}

/* Factors of the faces towards +d and -d of every cell, [HP_DIRS][2][ncell]: of a fault 1 elsewhere. */
static void fill(const hp_ecl *e, const hp_ecl_change *c, double *face) {
  const hp_grid *g = e->c->grid;
  for (int64_t n = 0; n < 2 * HP_DIRS * g->ncell; ++n) face[n] = 1.0;
  for (int f = 0; c->value == NULL && f < e->faults; ++f) {
    const hp_ecl_fault *fault = &e->fault[f];
    const int *b = fault->box;
    if (!hp_name_matches(c->what, fault->name)) continue;
    for (int i = b[0]; i <= b[1]; ++i)
      for (int j = b[2]; j <= b[3]; ++j)
        for (int k = b[4]; k <= b[5]; ++k)
          face[(2 * fault->d + fault->minus) * g->ncell + hp_grid_cell(g, i, j, k)] = c->factor;
  }
  const double *value = c->value;
  for (int k = c->box[4]; value != NULL && k <= c->box[5]; ++k)
    for (int j = c->box[2]; j <= c->box[3]; ++j)
      for (int i = c->box[0]; i <= c->box[1]; ++i)
        face[(2 * c->d + c->minus) * g->ncell + hp_grid_cell(g, i, j, k)] = *value++;
}

/* Of cell a's face towards +d and b's towards -d; a fault that names both multiplies once. */
static double factor_of(const hp_ecl *e, const hp_ecl_change *c, const double *face, int d, int64_t a, int64_t b) {
  const int64_t cells = e->c->grid->ncell;
  const double one = face[2 * d * cells + a], other = face[(2 * d + 1) * cells + b];
  return c->value != NULL ? one * other : one != 1.0 ? one : other;
}

/* All pairs of neighbours and of `links` that the change touches; *pairs has room for them. */
static int64_t gather(const hp_ecl *e, const hp_ecl_change *c, const hp_case_links *links, const double *face,
                      pair *p) {
  const hp_grid *g = e->c->grid;
  const int n[HP_DIRS] = {g->nz, g->ny, g->nx};
  int64_t count = 0, kept = 0;
  for (int64_t m = 0; m < g->ncell; ++m) {
    int ijk[3];
    hp_grid_ijk(g, m, ijk);
    for (int d = 0; d < HP_DIRS; ++d) {
      if (ijk[2 - d] == n[d] - 1) continue;
      const int64_t next = m + hp_grid_stride(g, d);
      p[count] = (pair){m, next, factor_of(e, c, face, d, m, next)};
      if (p[count].factor != 1.0) ++count;
    }
  }
  for (int64_t l = 0; l < links->count; ++l) {
    const hp_case_link *link = &links->at[l];
    const int64_t low = link->a < link->b ? link->a : link->b, high = link->a < link->b ? link->b : link->a;
    if (link->d < 0) continue;
    p[count] = (pair){low, high, factor_of(e, c, face, link->d, link->a, link->b)};
    if (p[count].factor != 1.0) ++count;
  }
  if (count > 0) qsort(p, (size_t)count, sizeof *p, compare_pairs);
  for (int64_t k = 0; k < count; ++k) /* pairs with several pieces of face come once */
    if (kept == 0 || compare_pairs(&p[kept - 1], &p[k]) != 0) p[kept++] = p[k];
  return kept;
}

/* What NNC adds to a pair is not part of a face: the two cannot be told apart later on. */
static hp_status check_given(hp_ecl *e, const hp_ecl_change *c, const pair *p, int64_t count) {
  for (int n = 0; n < e->pairs; ++n) {
    const hp_ecl_pair *given = &e->pair[n];
    const int64_t x = hp_grid_cell(e->c->grid, given->cell[0][0], given->cell[0][1], given->cell[0][2]);
    const int64_t y = hp_grid_cell(e->c->grid, given->cell[1][0], given->cell[1][1], given->cell[1][2]);
    const pair key = {x < y ? x : y, x < y ? y : x, 1.0};
    if (given->kind != HP_ECL_NNC || bsearch(&key, p, (size_t)count, sizeof *p, compare_pairs) == NULL) continue;
    return hp_ecl_error(
        e, c->file, c->line,
        "%s: in SCHEDULE it cannot multiply the face of cells (%d,%d,%d) and (%d,%d,%d), to which NNC adds",
        c->value != NULL ? c->what : "MULTFLT", given->cell[0][0] + 1, given->cell[0][1] + 1, given->cell[0][2] + 1,
        given->cell[1][0] + 1, given->cell[1][1] + 1, given->cell[1][2] + 1);
  }
  return HP_OK;
}

static hp_status into_case(hp_ecl *e, const hp_ecl_change *c, const hp_case_links *links, double *face, pair *p) {
  hp_trans_event *to = &e->c->trans_event[e->c->ntrans_event];
  fill(e, c, face);
  const int64_t count = gather(e, c, links, face, p);
  if (count > 0) HP_TRY(check_given(e, c, p, count));
  *to = (hp_trans_event){
      .time = c->time, .factor = c->value != NULL ? NAN : c->factor, .file = c->file, .line = c->line};
  snprintf(to->what, sizeof to->what, "%s", c->what);
  e->c->ntrans_event += 1;
  HP_TRY(HP_ALLOC(to->a, count));
  HP_TRY(HP_ALLOC(to->b, count));
  HP_TRY(HP_ALLOC(to->by, count));
  to->count = count;
  for (int64_t n = 0; n < count; ++n) {
    to->a[n] = p[n].a;
    to->b[n] = p[n].b;
    to->by[n] = p[n].factor;
  }
  return HP_OK;
}

hp_status hp_ecl_finish_changes(hp_ecl *e, const hp_case_links *links) {
  const int64_t cells = e->c->grid->ncell;
  double *face = NULL;
  pair *p = NULL;
  if (e->changes == 0) return HP_OK;
  HP_TRY(HP_ALLOC(e->c->trans_event, e->changes));
  hp_status s = HP_ALLOC(face, 2 * HP_DIRS * cells);
  if (s == HP_OK) s = HP_ALLOC(p, HP_DIRS * cells + links->count + 1);
  for (int n = 0; n < e->changes && s == HP_OK; ++n) s = into_case(e, &e->change[n], links, face, p);
  HP_FREE(face);
  HP_FREE(p);
  return s;
}
