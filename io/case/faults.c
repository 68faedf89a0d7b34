#include "io/case/faults.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

hp_status hp_case_need_multiplier(hp_case *c, int d) {
  if (c->mult[d] != NULL) return HP_OK;
  HP_TRY(HP_ALLOC(c->mult[d], c->grid->ncell));
  for (int64_t m = 0; m < c->grid->ncell; ++m) c->mult[d][m] = 1.0;
  return HP_OK;
}

/* ---- from the start on ---- */

/* No faces before these are of the same fault. */
static bool is_first(const hp_fault_faces *fault, int n) {
  for (int before = 0; before < n; ++before)
    if (strcmp(fault[before].name, fault[n].name) == 0) return false;
  return true;
}

/* Two planes of one name may meet at a face: it is multiplied for each name once. */
static hp_status apply_fault(hp_case *c, const hp_fault_faces *f, uint8_t *done) {
  const hp_grid *g = c->grid;
  const int n[HP_DIRS] = {g->nz, g->ny, g->nx};
  HP_TRY(hp_case_need_multiplier(c, f->d));
  for (int i = f->box[0]; i <= f->box[1]; ++i)
    for (int j = f->box[2]; j <= f->box[3]; ++j)
      for (int k = f->box[4]; k <= f->box[5]; ++k) {
        const int along = f->d == HP_DIR_I ? i : f->d == HP_DIR_J ? j : k, lower = f->minus ? along - 1 : along;
        const int64_t cell = hp_grid_cell(g, i, j, k) - (f->minus ? hp_grid_stride(g, f->d) : 0);
        const int64_t m = hp_grid_place(g, cell);
        if (lower < 0 || lower >= n[f->d] - 1 || !hp_grid_holds(g, cell)) continue;
        if (!(done[m] >> f->d & 1)) c->mult[f->d][m] *= f->factor;
        done[m] |= (uint8_t)(1 << f->d);
      }
  return HP_OK;
}

hp_status hp_case_apply_faults(hp_case *c, int count, const hp_fault_faces *fault) {
  const int64_t cells = c->grid->ncell;
  uint8_t *done;
  hp_status s = HP_OK;
  if (count == 0) return HP_OK;
  HP_TRY(HP_ALLOC(done, cells));
  for (int n = 0; n < count && s == HP_OK; ++n) {
    if (!is_first(fault, n)) continue;
    memset(done, 0, (size_t)cells);
    for (int k = n; k < count && s == HP_OK; ++k)
      if (strcmp(fault[k].name, fault[n].name) == 0) s = apply_fault(c, &fault[k], done);
  }
  HP_FREE(done);
  return s;
}

/* Marks the faces of a fault: bit d of those towards +d, bit 4 + d of those towards -d. */
static void mark_fault(const hp_grid *g, const hp_fault_faces *f, uint8_t *mark) {
  int i = f->box[0], end = f->box[1] + 1;
  for (hp_grid_clip(g, &i, &end); i < end; ++i)
    for (int j = f->box[2]; j <= f->box[3]; ++j)
      for (int k = f->box[4]; k <= f->box[5]; ++k)
        mark[hp_grid_place(g, hp_grid_cell(g, i, j, k))] |= (uint8_t)(1 << (f->d + (f->minus ? 4 : 0)));
}

hp_status hp_case_fault_links(const hp_case *c, int count, const hp_fault_faces *fault, hp_case_links *links) {
  const hp_grid *g = c->grid;
  uint8_t *mark;
  if (count == 0 || links->count == 0) return HP_OK;
  HP_TRY(HP_ALLOC(mark, g->ncell));
  for (int n = 0; n < count; ++n) {
    if (!is_first(fault, n)) continue;
    memset(mark, 0, (size_t)g->ncell);
    for (int k = n; k < count; ++k)
      if (strcmp(fault[k].name, fault[n].name) == 0) mark_fault(g, &fault[k], mark);
    for (int64_t k = 0; k < links->count; ++k) {
      hp_case_link *l = &links->at[k];
      if (l->d < 0) continue;
      const int64_t a = hp_grid_place(g, l->a), b = hp_grid_place(g, l->b);
      if ((mark[a] >> l->d & 1) || (mark[b] >> (4 + l->d) & 1)) l->trans *= fault[n].factor;
    }
  }
  HP_FREE(mark);
  return HP_OK;
}

/* ---- the list ---- */

/* Between neighbours: marked towards +d, or in the next cell towards -d. */
static int64_t count_faces(const hp_grid *g, const uint8_t *mark) {
  const int n[HP_DIRS] = {g->nz, g->ny, g->nx};
  int64_t count = 0;
  for (int64_t m = 0; m < g->owned; ++m) {
    int ijk[3];
    hp_grid_ijk(g, g->first + m, ijk);
    for (int d = 0; d < HP_DIRS; ++d) {
      if (ijk[2 - d] == n[d] - 1) continue;
      count += (mark[m] >> d & 1) != 0 || (mark[m + hp_grid_stride(g, d)] >> (4 + d) & 1) != 0;
    }
  }
  return count;
}

/* From own cells on. */
static int64_t count_links(const hp_grid *g, const uint8_t *mark, const hp_case_links *links) {
  int64_t count = 0;
  for (int64_t k = 0; k < links->count; ++k) {
    const hp_case_link *l = &links->at[k];
    const int64_t a = hp_grid_place(g, l->a), b = hp_grid_place(g, l->b);
    if (l->d < 0 || a < 0 || a >= g->owned) continue;
    count += (mark[a] >> l->d & 1) != 0 || (mark[b] >> (4 + l->d) & 1) != 0;
  }
  return count;
}

hp_status hp_case_list_faults(hp_case *c, int count, const hp_fault_faces *fault, const hp_case_links *links) {
  uint8_t *mark;
  c->nfault = 0;
  HP_FREE(c->fault);
  if (count == 0) return HP_OK;
  HP_TRY(HP_ALLOC(c->fault, count));
  HP_TRY(HP_ALLOC(mark, c->grid->ncell));
  for (int n = 0; n < count; ++n) {
    if (!is_first(fault, n)) continue;
    memset(mark, 0, (size_t)c->grid->ncell);
    for (int k = n; k < count; ++k)
      if (strcmp(fault[k].name, fault[n].name) == 0) mark_fault(c->grid, &fault[k], mark);
    hp_case_fault *f = &c->fault[c->nfault++];
    *f = (hp_case_fault){.faces = count_faces(c->grid, mark),
                         .connections = count_links(c->grid, mark, links),
                         .factor = fault[n].factor,
                         .threshold = fault[n].threshold};
    snprintf(f->name, sizeof f->name, "%s", fault[n].name);
  }
  HP_FREE(mark);
  for (int n = 0; n < c->nfault; ++n) {
    HP_TRY(hp_spread_sum(c->grid->spread, &c->fault[n].faces, 1));
    HP_TRY(hp_spread_sum(c->grid->spread, &c->fault[n].connections, 1));
  }
  return HP_OK;
}

/* ---- from a time on ---- */

int hp_cell_pair_compare(const void *x, const void *y) {
  const hp_cell_pair *p = x, *q = y;
  if (p->a != q->a) return (p->a > q->a) - (p->a < q->a);
  return (p->b > q->b) - (p->b < q->b);
}

typedef struct {
  hp_case *c;
  int nfault;
  const hp_fault_faces *fault;
  const hp_case_links *links;
  double none; /* what a face has that is not named: factor 1, threshold 0 */
  /* [HP_DIRS][2][ncell] of cells that are held: factors or thresholds of the faces towards +d and -d of every cell */
  double *face;
  hp_cell_pair *pair; /* room for all neighbours and links; of several ranks for those from own cells on */
} work;

/* Factors of faces, or thresholds. */
static void fill(const work *w, const hp_face_change *c) {
  const hp_grid *g = w->c->grid;
  double *face = w->face;
  for (int64_t n = 0; n < 2 * HP_DIRS * g->ncell; ++n) face[n] = w->none;
  for (int f = 0; c->value == NULL && f < w->nfault; ++f) {
    const hp_fault_faces *fault = &w->fault[f];
    const int *b = fault->box;
    if (!hp_name_matches(c->what, fault->name)) continue;
    int i = b[0], end = b[1] + 1;
    for (hp_grid_clip(g, &i, &end); i < end; ++i)
      for (int j = b[2]; j <= b[3]; ++j)
        for (int k = b[4]; k <= b[5]; ++k)
          face[(2 * fault->d + fault->minus) * g->ncell + hp_grid_place(g, hp_grid_cell(g, i, j, k))] = c->factor;
  }
  const double *value = c->value;
  int begin = c->box[0], end = c->box[1] + 1;
  hp_grid_clip(g, &begin, &end);
  for (int k = c->box[4]; value != NULL && k <= c->box[5]; ++k)
    for (int j = c->box[2]; j <= c->box[3]; ++j)
      for (int i = begin; i < end; ++i)
        face[(2 * c->d + c->minus) * g->ncell + hp_grid_place(g, hp_grid_cell(g, i, j, k))] = *value++;
}

/* Of cell a's face towards +d and b's towards -d; a fault that names both multiplies once. */
static double factor_of(const work *w, const hp_face_change *c, int d, int64_t a, int64_t b) {
  const hp_grid *g = w->c->grid;
  const double one = w->face[2 * d * g->ncell + hp_grid_place(g, a)];
  const double other = w->face[(2 * d + 1) * g->ncell + hp_grid_place(g, b)];
  return c->value != NULL ? one * other : one != w->none ? one : other;
}

/* All pairs of neighbours and of links from own cells on that the change touches, rising, each once. */
static int64_t gather(const work *w, const hp_face_change *c) {
  const hp_grid *g = w->c->grid;
  const int n[HP_DIRS] = {g->nz, g->ny, g->nx};
  hp_cell_pair *p = w->pair;
  int64_t count = 0, kept = 0;
  for (int64_t m = g->first; m < g->first + g->owned; ++m) {
    int ijk[3];
    hp_grid_ijk(g, m, ijk);
    for (int d = 0; d < HP_DIRS; ++d) {
      if (ijk[2 - d] == n[d] - 1) continue;
      const int64_t next = m + hp_grid_stride(g, d);
      p[count] = (hp_cell_pair){m, next, factor_of(w, c, d, m, next)};
      if (p[count].value != w->none) ++count;
    }
  }
  for (int64_t l = 0; l < w->links->count; ++l) {
    const hp_case_link *link = &w->links->at[l];
    const int64_t low = link->a < link->b ? link->a : link->b, high = link->a < link->b ? link->b : link->a;
    if (link->d < 0 || low < g->first || low >= g->first + g->owned) continue;
    p[count] = (hp_cell_pair){low, high, factor_of(w, c, link->d, link->a, link->b)};
    if (p[count].value != w->none) ++count;
  }
  if (count > 0) qsort(p, (size_t)count, sizeof *p, hp_cell_pair_compare);
  for (int64_t k = 0; k < count; ++k) /* pairs with several pieces of face come once */
    if (kept == 0 || hp_cell_pair_compare(&p[kept - 1], &p[k]) != 0) p[kept++] = p[k];
  return kept;
}

/* The first given pair among them, -1: none. */
static int64_t find_given(const hp_grid_connections *given, const hp_cell_pair *p, int64_t count) {
  for (int64_t n = 0; n < given->count && count > 0; ++n) {
    const int64_t x = given->a[n], y = given->b[n];
    const hp_cell_pair key = {x < y ? x : y, x < y ? y : x, 1.0};
    if (bsearch(&key, p, (size_t)count, sizeof *p, hp_cell_pair_compare) != NULL) return n;
  }
  return -1;
}

static hp_status into_case(const work *w, const hp_face_change *c, int64_t count) {
  hp_trans_event *to = &w->c->trans_event[w->c->ntrans_event];
  *to = (hp_trans_event){.time = c->time, .factor = c->factor, .file = c->file, .line = c->line};
  snprintf(to->what, sizeof to->what, "%s", c->what);
  w->c->ntrans_event += 1;
  HP_TRY(HP_ALLOC(to->a, count));
  HP_TRY(HP_ALLOC(to->b, count));
  HP_TRY(HP_ALLOC(to->by, count));
  to->count = count;
  for (int64_t n = 0; n < count; ++n) {
    to->a[n] = w->pair[n].a;
    to->b[n] = w->pair[n].b;
    to->by[n] = w->pair[n].value;
  }
  return HP_OK;
}

hp_status hp_case_finish_changes(hp_case *c, int nfault, const hp_fault_faces *fault, int nchange,
                                 const hp_face_change *change, const hp_case_links *links,
                                 const hp_grid_connections *given, int *refused, int64_t *pair_of) {
  const int64_t cells = c->grid->ncell;
  work w = {c, nfault, fault, links, 1.0, NULL, NULL};
  *refused = -1;
  hp_status s = HP_ALLOC(w.face, 2 * HP_DIRS * cells);
  if (s == HP_OK) s = HP_ALLOC(w.pair, HP_DIRS * cells + links->count + 1);
  for (int n = 0; n < nchange && s == HP_OK && *refused < 0; ++n) {
    fill(&w, &change[n]);
    const int64_t count = gather(&w, &change[n]);
    *pair_of = find_given(given, w.pair, count);
    if (*pair_of >= 0) *refused = n;
    else s = into_case(&w, &change[n], count);
  }
  HP_FREE(w.face);
  HP_FREE(w.pair);
  return s;
}

/* ---- thresholds ---- */

hp_status hp_case_add_thresholds(hp_case *c, int64_t count, const hp_cell_pair *pair) {
  hp_pair_values *to = &c->fault_threshold;
  const int64_t had = to->count;
  hp_cell_pair *all;
  if (count == 0) return HP_OK;
  HP_TRY(HP_ALLOC(all, had + count));
  for (int64_t n = 0; n < had; ++n) all[n] = (hp_cell_pair){to->a[n], to->b[n], to->value[n]};
  memcpy(all + had, pair, (size_t)count * sizeof *pair);
  qsort(all, (size_t)(had + count), sizeof *all, hp_cell_pair_compare);
  HP_FREE(to->a);
  HP_FREE(to->b);
  HP_FREE(to->value);
  to->count = 0;
  hp_status s = HP_ALLOC(to->a, had + count);
  if (s == HP_OK) s = HP_ALLOC(to->b, had + count);
  if (s == HP_OK) s = HP_ALLOC(to->value, had + count);
  for (int64_t n = 0; s == HP_OK && n < had + count; ++n) {
    const int64_t last = to->count - 1;
    if (last >= 0 && to->a[last] == all[n].a && to->b[last] == all[n].b) {
      to->value[last] = fmax(to->value[last], all[n].value);
      continue;
    }
    to->a[to->count] = all[n].a;
    to->b[to->count] = all[n].b;
    to->value[to->count++] = all[n].value;
  }
  HP_FREE(all);
  return s;
}

hp_status hp_case_fault_thresholds(hp_case *c, int count, const hp_fault_faces *fault, const hp_case_links *links) {
  bool any = false;
  for (int n = 0; n < count; ++n) any = any || fault[n].threshold > 0.0;
  if (!any) return HP_OK;
  work w = {c, count, fault, links, 0.0, NULL, NULL};
  hp_status s = HP_ALLOC(w.face, 2 * HP_DIRS * c->grid->ncell);
  if (s == HP_OK) s = HP_ALLOC(w.pair, HP_DIRS * c->grid->ncell + links->count + 1);
  for (int n = 0; n < count && s == HP_OK; ++n) {
    if (!is_first(fault, n) || !(fault[n].threshold > 0.0)) continue;
    hp_face_change named = {.factor = fault[n].threshold};
    snprintf(named.what, sizeof named.what, "%s", fault[n].name);
    fill(&w, &named);
    s = hp_case_add_thresholds(c, gather(&w, &named), w.pair);
  }
  HP_FREE(w.face);
  HP_FREE(w.pair);
  return s;
}
