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

hp_status hp_ecl_do_nnc(hp_ecl *e, const hp_ecl_record *record) {
  const int n[3] = {e->nx, e->ny, e->nz};
  hp_ecl_pair p = {
      .kind = (hp_ecl_pair_kind)e->entry->argument, .x = record->v[6].x, .file = record->file, .line = record->line};
  if (e->unsized) return HP_OK;
  if (e->resized)
    return hp_ecl_error(e, record->file, record->line, "connections of cells do not move to a grid of another size");
  for (int c = 0; c < 6; ++c) {
    const int at = (int)record->v[c].i - 1;
    if (record->v[c].i > n[c % 3])
      return hp_ecl_error(e, record->file, record->line, "item %d: %c%lld: the grid has %d", c + 1, "ijk"[c % 3],
                          (long long)record -> v[c].i, n[c % 3]);
    p.cell[c / 3][c % 3] = at;
  }
  if (memcmp(p.cell[0], p.cell[1], sizeof p.cell[0]) == 0)
    return hp_ecl_error(e, record->file, record->line, "a cell and itself");
  HP_TRY(HP_ECL_GROW(e->pair, e->pairs, e->pair_capacity));
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

static hp_status add_given(hp_ecl *e, hp_case_links *links) {
  for (int n = 0; n < e->pairs; ++n) {
    hp_case_link one = {.d = -1, .trans = e->pair[n].x};
    cells_of(e, &e->pair[n], &one.a, &one.b);
    if (e->pair[n].kind == HP_ECL_NNC) HP_TRY(hp_case_link_add(links, &one));
  }
  return HP_OK;
}

static int compare_links(const void *x, const void *y) {
  const hp_case_link *p = x, *q = y;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  if (p->b != q->b) return p->b < q->b ? -1 : 1;
  return (p->d < q->d) - (p->d > q->d); /* given ones last; faces of one pair have one direction */
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

/* In the deck's order. */
static hp_status edit_links(hp_ecl *e, hp_case_links *links) {
  const hp_grid *g = e->c->grid;
  const hp_ecl_pair *missed = NULL;
  int missing = 0;
  for (int n = 0; n < e->pairs; ++n) {
    const hp_ecl_pair *p = &e->pair[n];
    int64_t a, b;
    cells_of(e, p, &a, &b);
    if (p->kind == HP_ECL_NNC) continue;
    int apart = 0;
    for (int x = 0; x < 3; ++x) apart += abs(p->cell[0][x] - p->cell[1][x]);
    if (apart == 1 && g->active[a] && g->active[b])
      return hp_ecl_error(e, p->file, p->line, "the cells are neighbours: multiply or give TRANX, TRANY, TRANZ");
    int64_t at = find_link(links, a, b);
    missing += at == links->count;
    if (at == links->count && missed == NULL) missed = p;
    for (int same = 0; at < links->count && links->at[at].a == a && links->at[at].b == b; ++at, ++same)
      if (p->kind == HP_ECL_EDITNNC) links->at[at].trans *= p->x;
      else links->at[at].trans = same == 0 ? p->x : 0.0;
  }
  if (missing > 0)
    hp_diag_note(e->diag, missed->file, missed->line,
                 "%d record%s of EDITNNC and EDITNNCR, from this one on, name%s cells that are not connected", missing,
                 hp_plural(missing), missing == 1 ? "s" : "");
  return HP_OK;
}

/* ---- PINCH ---- */

hp_status hp_ecl_do_pinch(hp_ecl *e, const hp_ecl_record *record) {
  const hp_ecl_value *v = record->v;
  e->pinch = (hp_ecl_pinch){.given = true,
                            .thickness = v[0].x,
                            .thin_only = v[1].choice == 1,
                            .gap = v[2].x,
                            .through = v[3].choice == 1,
                            .smallest = v[4].choice == 1};
  return HP_OK;
}

/* The least empty height between the bottom of cell a and the top of cell b below it. */
static double gap_between(const hp_ecl *e, int64_t a, int64_t b) {
  const hp_case *c = e->c;
  const hp_grid *g = c->grid;
  if (c->coord == NULL) return (g->depth[b] - 0.5 * g->dz[b]) - (g->depth[a] + 0.5 * g->dz[a]);
  const hp_corners corners = hp_case_corners(c);
  int at[3], to[3];
  double least = INFINITY;
  hp_grid_ijk(g, a, at);
  hp_grid_ijk(g, b, to);
  for (int n = 0; n < 4; ++n)
    least = fmin(least, hp_corners_depth(&corners, to[0], to[1], to[2], n) -
                            hp_corners_depth(&corners, at[0], at[1], at[2], n + 4));
  return least;
}

/* Half transmissibility of a cell along k; a cell without thickness resists nothing. */
static double vertical_half(const hp_case *c, int64_t m, bool upper) {
  const hp_grid *g = c->grid;
  if (g->perm[HP_DIR_K][m] == 0.0) return 0.0;
  const double half = c->coord != NULL ? hp_case_corner_half(c, m, HP_DIR_K, upper)
                                       : g->perm[HP_DIR_K][m] * (g->dx[m] * g->dy[m]) / (0.5 * g->dz[m]);
  return half > 0.0 ? half : INFINITY;
}

/* Of the cells a and b with those between them, or of a and b alone. */
static double vertical_trans(const hp_ecl *e, int64_t a, int64_t b) {
  const hp_case *c = e->c;
  double resistance = 1.0 / vertical_half(c, a, true) + 1.0 / vertical_half(c, b, false);
  for (int64_t m = a + 1; e->pinch.through && m < b; ++m)
    resistance += 1.0 / vertical_half(c, m, false) + 1.0 / vertical_half(c, m, true);
  return resistance > 0.0 && resistance < INFINITY ? 1.0 / resistance : 0.0;
}

/* A cell that is not active lets a connection pass. */
static bool is_pinched(const hp_ecl *e, int64_t m) {
  const bool thin = e->c->grid->dz[m] <= e->pinch.thickness;
  return thin || (e->c->given_active[m] && !e->pinch.thin_only);
}

static hp_status add_pinched(hp_ecl *e, hp_case_links *links) {
  const hp_grid *g = e->c->grid;
  int64_t last = -1;   /* the latest active cell of the column */
  bool through = true; /* all cells since then are pinched out */
  for (int64_t m = 0; m < g->ncell; ++m) {
    if (m % g->nz == 0) last = -1;
    if (!g->active[m]) {
      through = through && is_pinched(e, m);
      continue;
    }
    if (last >= 0 && m > last + 1 && through && gap_between(e, last, m) <= e->pinch.gap) {
      const hp_case_link one = {last, m, HP_DIR_K, vertical_trans(e, last, m)};
      HP_TRY(hp_case_link_add(links, &one));
    }
    last = m;
    through = true;
  }
  return HP_OK;
}

hp_status hp_ecl_close_gaps(hp_ecl *e) {
  hp_case *c = e->c;
  const hp_grid *g = c->grid;
  double **tran = &c->tran[HP_DIR_K];
  if (!e->pinch.given || c->coord == NULL || e->pinch.gap == INFINITY) return HP_OK;
  if (*tran == NULL) {
    HP_TRY(HP_ALLOC(*tran, g->ncell));
    for (int64_t m = 0; m < g->ncell; ++m) (*tran)[m] = NAN;
  }
  for (int64_t m = 0; m < g->ncell; ++m)
    if (m % g->nz < g->nz - 1 && g->active[m] && g->active[m + 1] && isnan((*tran)[m]) &&
        gap_between(e, m, m + 1) > e->pinch.gap)
      (*tran)[m] = 0.0;
  return HP_OK;
}

/* ---- all of them ---- */

/* What is too small to count, in the deck's units; OPM Flow has the same limit. */
#define LEAST 1e-6

static hp_status keep(hp_ecl *e, const hp_case_links *links) {
  hp_grid_connections *to = &e->c->connection;
  const double least = LEAST * e->units.factor[HP_UNIT_CONNECTION];
  HP_TRY(HP_ALLOC(to->a, links->count));
  HP_TRY(HP_ALLOC(to->b, links->count));
  HP_TRY(HP_ALLOC(to->trans, links->count));
  for (int64_t n = 0; n < links->count; ++n) {
    const hp_case_link *l = &links->at[n];
    if (!(l->trans >= least)) continue;
    to->a[to->count] = l->a;
    to->b[to->count] = l->b;
    to->trans[to->count++] = l->trans;
  }
  return HP_OK;
}

/* Which cells are active depends on pore volumes, and those on all that the deck says. */
static hp_status gather(hp_ecl *e, hp_case_links *links) {
  hp_case *c = e->c;
  hp_grid *g = c->grid;
  if (e->pinch.given) {
    hp_status s = hp_case_finish_grid(c, c->minpv);
    if (s == HP_OK) s = add_pinched(e, links);
    memcpy(g->active, c->given_active, (size_t)g->ncell);
    if (s != HP_ERR_DECK) HP_TRY(s); /* reported when the grid is finished */
  }
  HP_TRY(hp_ecl_multiply_links(e, links));
  HP_TRY(add_given(e, links));
  HP_TRY(hp_ecl_multiply_given(e, links));
  HP_TRY(hp_ecl_link_numerical(e, links));
  if (links->count > 0) qsort(links->at, (size_t)links->count, sizeof *links->at, compare_links);
  return edit_links(e, links);
}

hp_status hp_ecl_finish_connections(hp_ecl *e) {
  hp_case_links *links = &e->links;
  hp_status s = gather(e, links);
  if (s == HP_OK && links->count > 0 && hp_ecl_claims_cells(e))
    s = hp_ecl_error(e, e->c->deck, 0,
                     "the grid has connections of cells that are not neighbours: options about grid cannot be laid "
                     "over it");
  if (s == HP_OK) s = hp_ecl_finish_changes(e, links);
  if (s == HP_OK && links->count > 0) s = keep(e, links);
  hp_case_links_clear(links);
  return s;
}
