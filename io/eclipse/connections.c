/* Connections of cells that are not neighbours on the lattice: across faults (from corners), across pinched-out layers
 * (PINCH), given ones (NNC), and what edits them (EDITNNC, EDITNNCR). Their multipliers: io/eclipse/faces.c.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/plural.h"
#include "grid/corners.h"
#include "io/eclipse/impl.h"

/* ---- NNC, EDITNNC, EDITNNCR ---- */

_Static_assert(HP_ECL_AT(nnc, i1) == 0 && HP_ECL_AT(nnc, transmissibility) == HP_ECL_AT(editnnc, multiplier) &&
                   HP_ECL_AT(nnc, transmissibility) == HP_ECL_AT(editnncr, transmissibility),
               "one handler reads all three");

hp_status hp_ecl_do_nnc(hp_ecl *e, const hp_ecl_record *record) {
  const int n[3] = {e->nx, e->ny, e->nz};
  hp_ecl_pair p = {.kind = (hp_ecl_pair_kind)e->entry->argument,
                   .x = record->nnc.transmissibility.x,
                   .file = record->file,
                   .line = record->line};
  p.record = e->pair_records++;
  if (e->unsized) return HP_OK;
  if (e->resized)
    return hp_ecl_error(e, record->file, record->line, "connections of cells do not move to a grid of another size");
  for (int c = HP_ECL_AT(nnc, i1); c <= HP_ECL_AT(nnc, k2); ++c) {
    const int at = (int)record->v[c].i - 1;
    if (record->v[c].i > n[c % 3])
      return hp_ecl_error(e, record->file, record->line, "item %d: %c%lld: the grid has %d", c + 1, "ijk"[c % 3],
                          (long long)record -> v[c].i, n[c % 3]);
    p.cell[c / 3][c % 3] = at;
  }
  if (memcmp(p.cell[0], p.cell[1], sizeof p.cell[0]) == 0)
    return hp_ecl_error(e, record->file, record->line, "a cell and itself");
  if (!hp_ecl_holds(e, p.cell[0][0] < p.cell[1][0] ? p.cell[0][0] : p.cell[1][0])) return HP_OK;
  HP_TRY(HP_GROW(e->pair, e->pairs, 1));
  e->pair[e->pairs++] = p;
  return HP_OK;
}

static void cells_of(const hp_ecl *e, const hp_ecl_pair *p, int64_t *a, int64_t *b) {
  const hp_grid *g = e->c->grid;
  const int64_t m[2] = {hp_grid_cell(g, p->cell[0][0], p->cell[0][1], p->cell[0][2]),
                        hp_grid_cell(g, p->cell[1][0], p->cell[1][1], p->cell[1][2])};
  *a = m[0] < m[1] ? m[0] : m[1];
  *b = m[0] < m[1] ? m[1] : m[0];
}

static hp_status list_given(hp_ecl *e, hp_case_links *given) {
  for (int n = 0; n < e->pairs; ++n) {
    hp_case_link one = {.d = -1, .trans = e->pair[n].x};
    cells_of(e, &e->pair[n], &one.a, &one.b);
    if (e->pair[n].kind == HP_ECL_NNC) HP_TRY(hp_case_link_add(given, &one));
  }
  return hp_ecl_multiply_given(e, given);
}

static hp_status add_given(hp_ecl *e, hp_case_links *links) {
  hp_case_links given = {0};
  hp_status s = list_given(e, &given);
  for (int64_t n = 0; n < given.count && s == HP_OK; ++n) s = hp_case_link_add(links, &given.at[n]);
  hp_case_links_clear(&given);
  return s;
}

static int compare_links(const void *x, const void *y) {
  const hp_case_link *p = x, *q = y;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  if (p->b != q->b) return p->b < q->b ? -1 : 1;
  if (p->d != q->d) return p->d < q->d ? 1 : -1; /* given ones last; faces of one pair have one direction */
  return (p->order > q->order) - (p->order < q->order);
}

static void sort_links(hp_case_links *links) {
  for (int64_t n = 0; n < links->count; ++n) links->at[n].order = (uint32_t)n;
  if (links->count > 0) qsort(links->at, (size_t)links->count, sizeof *links->at, compare_links);
}

/* The first link of cells a and b, of links in order; count: none. */
static int64_t find_link(const hp_case_links *links, int64_t a, int64_t b) {
  int64_t low = 0, high = links->count;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    const hp_case_link *l = &links->at[middle];
    if (l->a < a || (l->a == a && l->b < b)) low = middle + 1;
    else high = middle;
  }
  return low < links->count && links->at[low].a == a && links->at[low].b == b ? low : links->count;
}

/* The direction along which two cells are neighbours, -1: they are not. */
static int direction_of(const hp_ecl_pair *p) {
  int apart = 0, along = 0;
  for (int x = 0; x < 3; ++x) {
    const int steps = abs(p->cell[0][x] - p->cell[1][x]);
    apart += steps;
    if (steps != 0) along = x;
  }
  return apart == 1 ? (const int[]){HP_DIR_I, HP_DIR_J, HP_DIR_K}[along] : -1;
}

/* The transmissibility of the face between neighbours a and a + 1 along d, all multipliers included. */
static bool edit_face(hp_ecl *e, const hp_ecl_pair *p, int d, int64_t a) {
  const hp_grid *g = e->c->grid;
  double *tran = &e->c->tran[d][hp_grid_place(g, a)];
  if (isnan(*tran)) *tran = g->trans[d][hp_grid_place(g, a)];
  if (*tran == 0.0) return false;
  *tran = p->kind == HP_ECL_EDITNNC ? *tran * p->x : p->x;
  return true;
}

/* Where a record names neighbours: all faces as they are, and room for edited ones. */
static hp_status prepare_faces(hp_ecl *e) {
  hp_case *c = e->c;
  bool any = false;
  for (int n = 0; n < e->pairs; ++n) any = any || (e->pair[n].kind != HP_ECL_NNC && direction_of(&e->pair[n]) >= 0);
  HP_TRY(hp_spread_any(c->spread, &any));
  if (!any) return HP_OK;
  HP_TRY(hp_case_finish_grid(c, false));
  memcpy(c->grid->active, c->given_active, (size_t)c->grid->ncell);
  for (int d = 0; d < HP_DIRS; ++d) {
    if (c->tran[d] != NULL) continue;
    HP_TRY(HP_ALLOC(c->tran[d], c->grid->ncell));
    for (int64_t m = 0; m < c->grid->ncell; ++m) c->tran[d][m] = NAN;
  }
  return HP_OK;
}

/* Records of this rank: found[n]: number n is about a face that is open. */
typedef struct {
  const hp_ecl *e;
  const int64_t *found;
} record_search;

static bool is_own(const hp_ecl *e, const hp_ecl_pair *p) {
  int64_t a, b;
  cells_of(e, p, &a, &b);
  return hp_grid_place(e->c->grid, a) < e->c->grid->owned;
}

static int64_t find_record(const hp_ecl *e, int64_t record) {
  int64_t low = 0, high = e->pairs;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (e->pair[middle].record < record) low = middle + 1;
    else high = middle;
  }
  return low < e->pairs && e->pair[low].record == record ? low : -1;
}

static bool find_open(void *arg, int64_t record, int64_t *value) {
  const record_search *s = arg;
  const int64_t n = find_record(s->e, record);
  if (n < 0 || !is_own(s->e, &s->e->pair[n])) return false;
  *value = s->found[n];
  return true;
}

/* Of records about faces that begin in the plane behind, the rank that owns it knows whether they are open. */
static hp_status ask_open(hp_ecl *e, int64_t *found) {
  record_search here = {e, found};
  int64_t *ask = NULL, *answer = NULL, *at = NULL, count = 0;
  hp_status s = HP_ALLOC(ask, e->pairs);
  if (s == HP_OK) s = HP_ALLOC(at, e->pairs);
  for (int n = 0; n < e->pairs && s == HP_OK; ++n) {
    if (e->pair[n].kind == HP_ECL_NNC || direction_of(&e->pair[n]) < 0 || is_own(e, &e->pair[n])) continue;
    at[count] = n;
    ask[count++] = e->pair[n].record;
  }
  if (s == HP_OK) s = HP_ALLOC(answer, count);
  if (s == HP_OK) s = hp_spread_ask(e->c->spread, count, ask, 1, find_open, &here, answer);
  for (int64_t n = 0; n < count && s == HP_OK; ++n) found[at[n]] = answer[n];
  HP_FREE(ask);
  HP_FREE(at);
  HP_FREE(answer);
  return s;
}

/* Faces of neighbours, in the deck's order; found[n]: record n is about one that is open. */
static hp_status edit_faces(hp_ecl *e, int64_t *found) {
  const hp_grid *g = e->c->grid;
  HP_TRY(prepare_faces(e));
  for (int n = 0; n < e->pairs; ++n) {
    const hp_ecl_pair *p = &e->pair[n];
    const int d = direction_of(p);
    int64_t a, b;
    cells_of(e, p, &a, &b);
    if (p->kind == HP_ECL_NNC || d < 0) continue;
    const bool open = edit_face(e, p, d, a);
    found[n] = open && hp_grid_place(g, a) < g->owned;
  }
  return ask_open(e, found);
}

/* A note at the first of the records that name nothing, which one rank has. */
static hp_status note_missing(hp_ecl *e, int64_t missing, int64_t record) {
  double first = (double)record;
  int64_t place[2] = {0, 0}; /* number of the file, line */
  HP_TRY(hp_spread_sum(e->c->spread, &missing, 1));
  HP_TRY(hp_spread_min(e->c->spread, &first, 1));
  const int64_t here = missing > 0 ? find_record(e, (int64_t)first) : -1;
  if (here >= 0 && is_own(e, &e->pair[here])) {
    while (e->c->file[place[0]] != e->pair[here].file) place[0] += 1;
    place[1] = e->pair[here].line;
  }
  HP_TRY(hp_spread_sum(e->c->spread, place, 2));
  if (missing > 0)
    hp_diag_note(e->diag, e->c->file[place[0]], (int)place[1],
                 "%lld record%s of EDITNNC and EDITNNCR, from this one on, name%s cells that are not connected",
                 (long long)missing, hp_plural(missing), missing == 1 ? "s" : "");
  return HP_OK;
}

/* In the deck's order. Neighbours have the face between them, others and some of them links. Those that begin in own cells
 * are missed. */
static hp_status edit_links(hp_ecl *e, const int64_t *face, hp_case_links *links) {
  const hp_grid *g = e->c->grid;
  int64_t first = e->pair_records, missing = 0;
  for (int n = 0; n < e->pairs; ++n) {
    const hp_ecl_pair *p = &e->pair[n];
    int64_t a, b;
    cells_of(e, p, &a, &b);
    if (p->kind == HP_ECL_NNC) continue;
    bool found = face[n] != 0;
    for (int64_t at = find_link(links, a, b); at < links->count && links->at[at].a == a && links->at[at].b == b;
         ++at, found = true)
      if (p->kind == HP_ECL_EDITNNC) links->at[at].trans *= p->x;
      else links->at[at].trans = found ? 0.0 : p->x;
    if (found || hp_grid_place(g, a) >= g->owned) continue;
    missing += 1;
    if (p->record < first) first = p->record;
  }
  return note_missing(e, missing, first);
}

/* ---- PINCH ---- */

hp_status hp_ecl_do_pinch(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_items_pinch *v = &record->pinch;
  e->pinch = (hp_case_pinch){.given = true,
                             .thickness = v->thickness.x,
                             .thin_only = v->gap.choice == 1,
                             .gap = v->max_gap.x,
                             .through = v->transmissibility.choice == 1,
                             .smallest = v->multipliers.choice == 1};
  return HP_OK;
}

/* ---- all of them ---- */

static hp_status edit(hp_ecl *e, hp_case_links *links) {
  int64_t *face;
  if (e->pair_records == 0) return HP_OK;
  HP_TRY(HP_ALLOC(face, e->pairs));
  hp_status s = edit_faces(e, face);
  if (s == HP_OK) s = edit_links(e, face, links);
  HP_FREE(face);
  return s;
}

/* Behind those across faults. */
static hp_status add_pinched(hp_ecl *e, hp_case_links *links) {
  hp_case_links pinched = {0};
  if (!e->pinch.given) return HP_OK;
  hp_status s = hp_case_connect_pinched(e->c, &e->pinch, &pinched);
  if (s == HP_OK) s = hp_ecl_multiply_links(e, &pinched);
  for (int64_t n = 0; n < pinched.count && s == HP_OK; ++n) s = hp_case_link_add(links, &pinched.at[n]);
  hp_case_links_clear(&pinched);
  return s;
}

static hp_status gather(hp_ecl *e, hp_case_links *links) {
  e->name[0] = '\0';
  if (e->corners) HP_TRY(hp_ecl_multiply_links(e, links));
  HP_TRY(add_pinched(e, links));
  HP_TRY(add_given(e, links));
  HP_TRY(hp_ecl_link_numerical(e, links));
  sort_links(links);
  return edit(e, links);
}

hp_status hp_ecl_finish_connections(hp_ecl *e) {
  hp_case_links *links = &e->links;
  hp_status s = gather(e, links);
  if (s == HP_OK && links->count > 0 && hp_ecl_claims_cells(e))
    s = hp_ecl_error(e, e->c->deck, 0,
                     "the grid has connections of cells that are not neighbours: options about grid cannot be laid "
                     "over it");
  if (s == HP_OK) s = hp_ecl_finish_changes(e, links);
  if (s == HP_OK) s = hp_case_list_faults(e->c, e->faults, e->fault, links);
  if (s == HP_OK) s = hp_case_fault_thresholds(e->c, e->faults, e->fault, links);
  if (s == HP_OK && links->count > 0)
    s = hp_case_add_links(e->c, links, HP_CASE_LEAST * e->units.factor[HP_UNIT_CONNECTION]);
  hp_case_links_clear(links);
  return s;
}
