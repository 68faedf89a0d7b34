/* FAULTS: faces that SCHEDULE multiplies (MULTFLT), and those with thresholds (THPRESFT). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "io/case/faults.h"
#include "io/export/eclipse/impl.h"

/* Both are of the same cells. */
static bool same_faces(const hp_written_fault *f, int64_t count, const int64_t *a, const int64_t *b) {
  return f->count == count && memcmp(f->a, a, (size_t)count * sizeof *a) == 0 &&
         memcmp(f->b, b, (size_t)count * sizeof *b) == 0;
}

/* FAULTS name faces of a cell towards the next one. */
static hp_status check_neighbours(const hp_deck_out *o, int64_t a, int64_t b, const char *what) {
  const hp_grid *g = o->c->grid;
  int at[3], to[3];
  hp_grid_ijk(g, a, at);
  hp_grid_ijk(g, b, to);
  const int apart = abs(at[0] - to[0]) + abs(at[1] - to[1]) + abs(at[2] - to[2]);
  if (apart == 1 && o->c->coord == NULL) return HP_OK;
  if (apart == 1)
    for (int64_t n = 0; n < g->connection.count; ++n)
      if (g->connection.a[n] == a || g->connection.b[n] == b || g->connection.a[n] == b || g->connection.b[n] == a)
        return hp_fail(HP_ERR_UNSUPPORTED,
                       "%s: %s acts on cell %d,%d,%d, which is connected to cells of other layers across a fault: an "
                       "Eclipse deck names faces, not pairs of cells, and would multiply these, too",
                       o->c->deck, what, at[0] + 1, at[1] + 1, at[2] + 1);
  if (apart == 1) return HP_OK;
  return hp_fail(HP_ERR_UNSUPPORTED,
                 "%s: %s acts on the connection of cells %d,%d,%d and %d,%d,%d, which are no neighbours: an Eclipse "
                 "deck changes faces of neighbours only",
                 o->c->deck, what, at[0] + 1, at[1] + 1, at[2] + 1, to[0] + 1, to[1] + 1, to[2] + 1);
}

static hp_status add(hp_deck_out *o, int64_t count, const int64_t *a, const int64_t *b, int64_t *own, double threshold,
                     const char *what) {
  for (int64_t n = 0; n < count; ++n) HP_TRY(check_neighbours(o, a[n], b[n], what));
  HP_TRY(HP_GROW(o->fault, o->nfault, 1));
  hp_written_fault *f = &o->fault[o->nfault];
  *f = (hp_written_fault){.count = count, .a = a, .b = b, .own = own, .threshold = threshold};
  snprintf(f->name, sizeof f->name, "F%d", ++o->nfault);
  return HP_OK;
}

/* Pairs whose number is `value`, a behind b, in *own. */
static hp_status select_pairs(int64_t count, const int64_t *a, const int64_t *b, const double *by, double value,
                              int64_t **own, int64_t *found) {
  int64_t k = 0;
  *found = 0;
  for (int64_t n = 0; n < count; ++n) *found += by[n] == value;
  HP_TRY(HP_ALLOC(*own, 2 * *found));
  for (int64_t n = 0; n < count; ++n)
    if (by[n] == value) {
      (*own)[k] = a[n];
      (*own)[*found + k++] = b[n];
    }
  return HP_OK;
}

/* Faults for all numbers that occur; those of an earlier one with the same faces serve again. */
static hp_status add_by_value(hp_deck_out *o, int64_t count, const int64_t *a, const int64_t *b, const double *by,
                              bool thresholds, const char *what) {
  for (int64_t n = 0; n < count; ++n) {
    int64_t *own, found;
    bool before = false;
    for (int64_t k = 0; k < n && !before; ++k) before = by[k] == by[n];
    if (before) continue;
    HP_TRY(select_pairs(count, a, b, by, by[n], &own, &found));
    const hp_status s = add(o, found, own, own + found, own, thresholds ? by[n] : 0.0, what);
    if (s != HP_OK) HP_FREE(own);
    if (s != HP_OK) return s;
  }
  return HP_OK;
}

static hp_status add_event(hp_deck_out *o, int event) {
  const hp_trans_event *t = &o->c->trans_event[event];
  bool one = true;
  for (int64_t n = 1; n < t->count; ++n) one = one && t->by[n] == t->by[0];
  o->fault_of_event[event] = o->nfault;
  o->faults_of_event[event] = 0;
  if (t->count == 0) return HP_OK;
  for (int n = 0; n < o->nfault && one; ++n)
    if (same_faces(&o->fault[n], t->count, t->a, t->b)) {
      o->fault_of_event[event] = n;
      o->faults_of_event[event] = 1;
      return HP_OK;
    }
  const hp_status s = one ? add(o, t->count, t->a, t->b, NULL, 0.0, t->what)
                          : add_by_value(o, t->count, t->a, t->b, t->by, false, t->what);
  o->faults_of_event[event] = o->nfault - o->fault_of_event[event];
  return s;
}

hp_status hp_out_find_faults(hp_deck_out *o) {
  const hp_case *c = o->c;
  const hp_pair_values *across = &c->fault_threshold;
  HP_TRY(HP_ALLOC(o->fault_of_event, c->ntrans_event));
  HP_TRY(HP_ALLOC(o->faults_of_event, c->ntrans_event));
  for (int n = 0; n < c->ntrans_event; ++n) HP_TRY(add_event(o, n));
  return add_by_value(o, across->count, across->a, across->b, across->value, true, "a threshold");
}

/* Faces of cells side by side, along the fault, become one record. */
static void faces(hp_deck_out *o, const hp_written_fault *f) {
  static const char letter[HP_DIRS] = {'Z', 'Y', 'X'};
  const hp_grid *g = o->c->grid;
  for (int64_t n = 0, next; n < f->count; n = next) {
    const int d = f->b[n] - f->a[n] == hp_grid_stride(g, HP_DIR_I)   ? HP_DIR_I
                  : f->b[n] - f->a[n] == hp_grid_stride(g, HP_DIR_J) ? HP_DIR_J
                                                                     : HP_DIR_K;
    int at[3];
    hp_grid_ijk(g, f->a[n], at);
    for (next = n + 1; next < f->count && d != HP_DIR_K; ++next) { /* down the column */
      if (f->a[next] != f->a[n] + (next - n) || f->b[next] != f->b[n] + (next - n) || at[2] + (next - n) >= g->nz)
        break;
    }
    fprintf(o->f, " '%s' %d %d %d %d %d %d %c /\n", f->name, at[0] + 1, at[0] + 1, at[1] + 1, at[1] + 1, at[2] + 1,
            (int)(at[2] + (next - n)), letter[d]);
  }
}

void hp_out_faults(hp_deck_out *o) {
  if (o->nfault == 0) return;
  fputs("FAULTS\n", o->f);
  for (int n = 0; n < o->nfault; ++n) faces(o, &o->fault[n]);
  fputs("/\n", o->f);
}

void hp_out_multiply_faults(hp_deck_out *o, int event) {
  const hp_trans_event *t = &o->c->trans_event[event];
  if (o->faults_of_event[event] == 0) return;
  fputs("MULTFLT\n", o->f);
  for (int n = 0; n < o->faults_of_event[event]; ++n) {
    const hp_written_fault *f = &o->fault[o->fault_of_event[event] + n];
    int64_t k = 0;
    while (f->own != NULL && k < t->count - 1 && (t->a[k] != f->a[0] || t->b[k] != f->b[0])) ++k;
    hp_out_name(o, f->name);
    hp_out_number(o, HP_UNIT_NONE, t->by[k]);
    fputs(" /\n", o->f);
  }
  fputs("/\n", o->f);
}
