/* Multipliers of SCHEDULE: MULTFLT, and MULTX and the like. Each multiplies what the transmissibilities are by then. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/impl.h"

static hp_status add(hp_ecl *e, hp_face_change change) {
  change.time = e->now;
  HP_TRY(HP_GROW(e->change, e->changes, 1));
  e->change[e->changes++] = change;
  return HP_OK;
}

hp_status hp_ecl_change_fault(hp_ecl *e, const hp_ecl_record *record, const char *name) {
  hp_face_change c = {.factor = record->multflt.multiplier.x, .file = record->file, .line = record->line};
  snprintf(c.what, sizeof c.what, "%s", name);
  return add(e, c);
}

/* The numbers of a box of which those that are held are kept. */
static hp_ecl_rows rows_of(const hp_ecl *e, const int b[6]) {
  const int first = e->planes.first, end = first + e->planes.held;
  hp_ecl_rows r = {.rows = (int64_t)(b[3] - b[2] + 1) * (b[5] - b[4] + 1), .length = b[1] - b[0] + 1};
  r.begin = first > b[0] ? first - b[0] : 0;
  r.end = end <= b[1] ? end - b[0] : r.length;
  if (r.begin > r.length) r.begin = r.length;
  if (r.end < r.begin) r.end = r.begin;
  return r;
}

/* MULTX ...: a number for each cell of the box, i fastest. */
hp_status hp_ecl_change_faces(hp_ecl *e, hp_ecl_array_id id) {
  static const int direction[] = {HP_DIR_I, HP_DIR_J, HP_DIR_K};
  const int *b = e->box;
  hp_face_change c = {.factor = NAN,
                      .d = direction[(id - HP_ECL_MULTX) % 3],
                      .minus = id >= HP_ECL_MULTX_,
                      .file = e->file,
                      .line = e->line};
  if (e->unsized || e->resized) return hp_ecl_skip_numbers(e);
  snprintf(c.what, sizeof c.what, "%s", e->name);
  memcpy(c.box, b, sizeof c.box);
  const hp_ecl_rows rows = rows_of(e, b);
  const int64_t count = rows.rows * (rows.end - rows.begin);
  HP_TRY(HP_ALLOC(c.value, count));
  hp_status s = hp_ecl_read_rows(e, HP_UNIT_NONE, &rows, c.value);
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

/* The part of a pair's transmissibility that NNC adds is not part of a face. */
static hp_status list_given(const hp_ecl *e, hp_grid_connections *given, const hp_ecl_pair **record) {
  HP_TRY(HP_ALLOC(given->a, e->pairs));
  HP_TRY(HP_ALLOC(given->b, e->pairs));
  for (int n = 0; n < e->pairs; ++n) {
    const hp_ecl_pair *p = &e->pair[n];
    if (p->kind != HP_ECL_NNC) continue;
    given->a[given->count] = hp_grid_cell(e->c->grid, p->cell[0][0], p->cell[0][1], p->cell[0][2]);
    given->b[given->count] = hp_grid_cell(e->c->grid, p->cell[1][0], p->cell[1][1], p->cell[1][2]);
    record[given->count++] = p;
  }
  return HP_OK;
}

static hp_status finish(hp_ecl *e, const hp_case_links *links, hp_grid_connections *given, const hp_ecl_pair **record) {
  int refused;
  int64_t pair;
  HP_TRY(list_given(e, given, record));
  HP_TRY(HP_ALLOC(e->c->trans_event, e->changes));
  HP_TRY(hp_case_finish_changes(e->c, e->faults, e->fault, e->changes, e->change, links, given, &refused, &pair));
  if (refused < 0) return HP_OK;
  const hp_face_change *c = &e->change[refused];
  const hp_ecl_pair *p = record[pair];
  return hp_ecl_error(
      e, c->file, c->line,
      "%s: in SCHEDULE it cannot multiply the face of cells (%d,%d,%d) and (%d,%d,%d), to which NNC adds",
      c->value != NULL ? c->what : "MULTFLT", p->cell[0][0] + 1, p->cell[0][1] + 1, p->cell[0][2] + 1,
      p->cell[1][0] + 1, p->cell[1][1] + 1, p->cell[1][2] + 1);
}

hp_status hp_ecl_finish_changes(hp_ecl *e, const hp_case_links *links) {
  hp_grid_connections given = {0};
  const hp_ecl_pair **record;
  if (e->changes == 0) return HP_OK;
  HP_TRY(HP_ALLOC(record, e->pairs));
  const hp_status s = finish(e, links, &given, record);
  hp_grid_connections_clear(&given);
  HP_FREE(record);
  return s;
}
