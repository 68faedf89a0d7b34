/* faults, and multipliers of faces from a time on. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/impl.h"

/* False: no name that could be used, which is reported. */
static bool check_name(hp_config *r, const hp_setting *s, const char *name) {
  if (name[0] != '\0' && strlen(name) < HP_WELL_NAME) return true;
  hp_config_error(r, s, "'%s': a name must have 1 to %d characters", name, HP_WELL_NAME - 1);
  return false;
}

/* ---- faults ---- */

static void check_once(hp_config *r, const hp_setting *list, int place, const char *name) {
  for (int n = 0; n < place; ++n) {
    const hp_setting *other = hp_config_member(hp_config_group(list, n), "name");
    if (other == NULL || config_setting_type(other) != CONFIG_TYPE_STRING) continue;
    if (strcmp(config_setting_get_string(other), name) != 0) continue;
    hp_config_error(r, hp_config_member(hp_config_group(list, place), "name"), "'%s': faults[%d] has the same name",
                    name, n);
    return;
  }
}

static void read_fault(hp_config *r, const hp_setting *list, int n) {
  const hp_setting *s = hp_config_group(list, n), *faces = hp_config_member(s, "faces");
  const char *name = "";
  double factor = 1.0, threshold = 0.0;
  if (s == NULL) return;
  const bool named = hp_config_string(r, s, "faults[].name", &name) && check_name(r, hp_config_member(s, "name"), name);
  if (named) check_once(r, list, n, name);
  (void)hp_config_float(r, s, "faults[].multiplier", &factor);
  (void)hp_config_float(r, s, "faults[].threshold", &threshold);
  if (hp_config_length(faces) == 0)
    hp_config_error(r, s, "faces is missing: %s", hp_config_key_find("faults[].faces")->what);
  for (int k = 0; k < hp_config_length(faces); ++k) {
    hp_fault_faces f = {.factor = factor, .threshold = threshold};
    if (hp_config_group(faces, k) == NULL) continue;
    hp_config_face(r, hp_config_group(faces, k), "faults[].faces[].face", &f.d, &f.minus);
    if (!hp_config_box(r, hp_config_group(faces, k), "faults[].faces", f.box) || !named) continue;
    snprintf(f.name, sizeof f.name, "%s", name);
    r->fault[r->nfault++] = f;
  }
}

static hp_status read_faults(hp_config *r, const hp_setting *list) {
  int count = 0;
  for (int n = 0; n < hp_config_length(list); ++n)
    count += hp_config_length(hp_config_member(hp_config_group(list, n), "faces"));
  HP_TRY(HP_ALLOC(r->fault, count));
  for (int n = 0; n < hp_config_length(list); ++n) read_fault(r, list, n);
  return HP_OK;
}

/* ---- multipliers ---- */

static void unknown_fault(hp_config *r, const hp_setting *s, const char *pattern) {
  for (int n = 0; n < r->nfault; ++n) {
    const char *name[] = {r->fault[n].name};
    if (hp_nearest(pattern, name, 1) == NULL) continue;
    hp_config_error(r, s, "'%s': no such fault; did you mean '%s'?", pattern, r->fault[n].name);
    return;
  }
  hp_config_error(r, s, "'%s': no such fault", pattern);
}

static void read_fault_change(hp_config *r, const hp_setting *s, hp_config_change *c) {
  const char *pattern = "";
  if (!hp_config_string(r, s, "multipliers[].fault", &pattern)) return;
  if (!check_name(r, hp_config_member(s, "fault"), pattern)) return;
  bool found = false;
  for (int n = 0; n < r->nfault; ++n) found = found || hp_name_matches(pattern, r->fault[n].name);
  if (!found) unknown_fault(r, hp_config_member(s, "fault"), pattern);
  snprintf(c->change.what, sizeof c->change.what, "%s", pattern);
}

/* One factor for all faces of a box. */
static hp_status read_box_change(hp_config *r, const hp_setting *s, hp_config_change *c) {
  hp_face_change *f = &c->change;
  const int *b = f->box;
  hp_config_face(r, s, "multipliers[].face", &f->d, &f->minus);
  snprintf(f->what, sizeof f->what, "faces");
  if (!hp_config_box(r, s, "multipliers", f->box)) return HP_OK;
  int begin = b[0], end = b[1] + 1;
  if (r->c->grid != NULL) hp_grid_clip(r->c->grid, &begin, &end);
  const int64_t count = (int64_t)(end > begin ? end - begin : 0) * (b[3] - b[2] + 1) * (b[5] - b[4] + 1);
  HP_TRY(HP_ALLOC(f->value, count));
  for (int64_t n = 0; n < count; ++n) f->value[n] = f->factor;
  return HP_OK;
}

/* Rows of cells in deck order into rising pairs. */
static hp_status keep_pairs(hp_config *r, const hp_setting *s, int rows, int columns, const double *v,
                            hp_config_change *c) {
  hp_cell_pair *list;
  HP_TRY(HP_ALLOC(list, rows));
  int count = 0;
  for (int n = 0; n < rows; ++n, v += columns) {
    const hp_setting *row = hp_config_row(r, s, n);
    const int64_t a = hp_config_cell(r, row, v), b = hp_config_cell(r, row, v + 3);
    const double factor = columns == 7 ? v[6] : c->change.factor;
    if (columns == 7 && !(factor >= 0.0)) hp_config_error(r, row, "the factor must be >= 0");
    if (a >= 0 && a == b) hp_config_error(r, row, "a cell and itself");
    if (a >= 0 && b >= 0) list[count++] = (hp_cell_pair){a < b ? a : b, a < b ? b : a, factor};
  }
  if (count > 1) qsort(list, (size_t)count, sizeof *list, hp_cell_pair_compare);
  for (int n = 1; n < count; ++n)
    if (hp_cell_pair_compare(&list[n - 1], &list[n]) == 0) {
      int at[3], to[3];
      hp_grid_ijk(r->c->grid, list[n].a, at);
      hp_grid_ijk(r->c->grid, list[n].b, to);
      hp_config_error(r, s, "cells %d,%d,%d and %d,%d,%d are there twice", at[0] + 1, at[1] + 1, at[2] + 1, to[0] + 1,
                      to[1] + 1, to[2] + 1);
      break;
    }
  hp_status status = HP_ALLOC(c->a, count);
  if (status == HP_OK) status = HP_ALLOC(c->b, count);
  if (status == HP_OK) status = HP_ALLOC(c->by, count);
  for (int n = 0; n < count && status == HP_OK; ++n) {
    c->a[n] = list[n].a;
    c->b[n] = list[n].b;
    c->by[n] = list[n].value;
  }
  c->count = count;
  HP_FREE(list);
  return status;
}

static hp_status read_pairs(hp_config *r, const hp_setting *entry, const hp_setting *s, hp_config_change *c) {
  static const hp_quantity q[7] = {HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE,
                                   HP_UNIT_NONE, HP_UNIT_NONE, HP_UNIT_NONE};
  int rows, columns;
  double *v, *si;
  bool good;
  c->pairs = true;
  snprintf(c->change.what, sizeof c->change.what, "connections");
  HP_TRY(hp_config_rows(r, s, q, 6, 7, 0, &rows, &columns, &v, &si, &good));
  const hp_setting *by = hp_config_member(entry, "by");
  if (columns == 7 && by != NULL) hp_config_error(r, by, "not used where rows of connections have their own");
  if (columns == 6 && by == NULL)
    hp_config_error(r, entry, "by is missing: %s", hp_config_key_find("multipliers[].by")->what);
  if (columns == 7) c->change.factor = NAN;
  const hp_status status = good && !r->stand_in ? keep_pairs(r, s, rows, columns, si, c) : HP_OK;
  HP_FREE(v);
  HP_FREE(si);
  return status;
}

static hp_status read_change(hp_config *r, const hp_setting *s, hp_config_change *c) {
  const hp_setting *fault = hp_config_member(s, "fault"), *face = hp_config_member(s, "face");
  const hp_setting *connections = hp_config_member(s, "connections");
  const char *name = "";
  hp_face_change *f = &c->change;
  f->factor = NAN;
  f->line = hp_config_line(s);
  HP_TRY(hp_case_file(r->c, hp_config_file(r, s), &f->file));
  (void)hp_config_float(r, s, "multipliers[].time", &f->time);
  (void)hp_config_float(r, s, "multipliers[].by", &f->factor);
  if ((fault != NULL) + (face != NULL) + (connections != NULL) != 1) {
    hp_config_error(r, s, "give one of fault, face and connections");
    return HP_OK;
  }
  for (int d = 0; d < 3 && face == NULL; ++d) {
    static const char *const index[] = {"i", "j", "k"};
    if (hp_config_member(s, index[d]) != NULL) hp_config_error(r, hp_config_member(s, index[d]), "needs face");
  }
  if (connections == NULL && hp_config_member(s, "by") == NULL)
    hp_config_error(r, s, "by is missing: %s", hp_config_key_find("multipliers[].by")->what);
  if (fault != NULL) read_fault_change(r, s, c);
  if (face != NULL) HP_TRY(read_box_change(r, s, c));
  if (connections != NULL) HP_TRY(read_pairs(r, s, connections, c));
  if (hp_config_string(r, s, "multipliers[].name", &name) && check_name(r, hp_config_member(s, "name"), name)) {
    if (fault != NULL) hp_config_error(r, hp_config_member(s, "name"), "not used with fault");
    else snprintf(f->what, sizeof f->what, "%s", name);
  }
  return HP_OK;
}

hp_status hp_config_read_faults(hp_config *r) {
  const hp_setting *faults = hp_config_list(r, "faults"), *multipliers = hp_config_list(r, "multipliers");
  if (r->overlay && (faults != NULL || multipliers != NULL)) {
    hp_config_error(r, faults != NULL ? faults : multipliers, "cannot be laid over a deck, to whose grid faces belong");
    return HP_OK;
  }
  HP_TRY(read_faults(r, faults));
  HP_TRY(HP_ALLOC(r->change, hp_config_length(multipliers)));
  for (int n = 0; n < hp_config_length(multipliers); ++n)
    if (hp_config_group(multipliers, n) != NULL)
      HP_TRY(read_change(r, hp_config_group(multipliers, n), &r->change[r->nchange++]));
  hp_config_sort_by_time(r->change, r->nchange, sizeof *r->change);
  return HP_OK;
}

void hp_config_faults_clear(hp_config *r) {
  for (int n = 0; n < r->nchange; ++n) {
    HP_FREE(r->change[n].change.value);
    HP_FREE(r->change[n].a);
    HP_FREE(r->change[n].b);
    HP_FREE(r->change[n].by);
  }
  HP_FREE(r->change);
  HP_FREE(r->fault);
}

/* ---- into the case ---- */

static void refuse_added_face(hp_config *r, const hp_face_change *f, int64_t a, int64_t b) {
  int at[3], to[3];
  hp_grid_ijk(r->c->grid, a, at);
  hp_grid_ijk(r->c->grid, b, to);
  hp_diag_error(r->diag, f->file, f->line,
                "multipliers: a later time cannot multiply the face of cells %d,%d,%d and %d,%d,%d, to which "
                "grid.connections adds",
                at[0] + 1, at[1] + 1, at[2] + 1, to[0] + 1, to[1] + 1, to[2] + 1);
}

/* Those that begin in own cells stay, which lie together in the list. */
static void keep_own(const hp_grid *g, hp_config_change *list) {
  int64_t kept = 0;
  for (int64_t n = 0; n < list->count; ++n) {
    if (list->a[n] < g->first || list->a[n] >= g->first + g->owned) continue;
    list->a[kept] = list->a[n];
    list->b[kept] = list->b[n];
    list->by[kept++] = list->by[n];
  }
  list->count = kept;
}

/* The case takes over the arrays read here. */
static void move_pairs(hp_case *c, hp_config_change *from) {
  keep_own(c->grid, from);
  hp_trans_event *to = &c->trans_event[c->ntrans_event++];
  const hp_face_change *f = &from->change;
  *to = (hp_trans_event){.time = f->time,
                         .factor = f->factor,
                         .count = from->count,
                         .a = from->a,
                         .b = from->b,
                         .by = from->by,
                         .file = f->file,
                         .line = f->line};
  snprintf(to->what, sizeof to->what, "%s", f->what);
  from->a = from->b = NULL;
  from->by = NULL;
}

hp_status hp_config_make_multipliers(hp_config *r, const hp_case_links *links, const hp_grid_connections *given) {
  hp_case *c = r->c;
  HP_TRY(hp_case_list_faults(c, r->nfault, r->fault, links));
  HP_TRY(hp_case_fault_thresholds(c, r->nfault, r->fault, links));
  if (r->nchange == 0) return HP_OK;
  HP_TRY(HP_ALLOC(c->trans_event, r->nchange));
  for (int n = 0; n < r->nchange; ++n) {
    hp_face_change *f = &r->change[n].change;
    int refused;
    int64_t which;
    if (r->change[n].pairs) {
      move_pairs(c, &r->change[n]);
      continue;
    }
    HP_TRY(hp_case_finish_changes(c, r->nfault, r->fault, 1, f, links, given, &refused, &which));
    if (refused >= 0) refuse_added_face(r, f, given->a[which], given->b[which]);
  }
  return HP_OK;
}
