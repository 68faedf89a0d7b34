#include "io/case/connections.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "grid/corners.h"

/* ---- across pinched-out cells ---- */

/* The least empty height between the bottom of cell a and the top of cell b below it. */
static double gap_between(const hp_case *c, int64_t a, int64_t b) {
  const hp_grid *g = c->grid;
  const int64_t above = hp_grid_place(g, a), below = hp_grid_place(g, b);
  if (c->coord == NULL) return (g->depth[below] - 0.5 * g->dz[below]) - (g->depth[above] + 0.5 * g->dz[above]);
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
  const int64_t here = hp_grid_place(g, m);
  if (g->perm[HP_DIR_K][here] == 0.0) return 0.0;
  const double half = c->coord != NULL ? hp_case_corner_half(c, m, HP_DIR_K, upper)
                                       : g->perm[HP_DIR_K][here] * (g->dx[here] * g->dy[here]) / (0.5 * g->dz[here]);
  return half > 0.0 ? half : INFINITY;
}

double hp_case_vertical_resistance(const hp_case *c, int64_t a, int64_t b) {
  return 1.0 / vertical_half(c, a, true) + 1.0 / vertical_half(c, b, false);
}

/* Of the cells a and b with those between them, or of a and b alone. */
static double vertical_trans(const hp_case *c, const hp_case_pinch *pinch, int64_t a, int64_t b) {
  double resistance = hp_case_vertical_resistance(c, a, b);
  for (int64_t m = a + 1; pinch->through && m < b; ++m)
    resistance += 1.0 / vertical_half(c, m, false) + 1.0 / vertical_half(c, m, true);
  return resistance > 0.0 && resistance < INFINITY ? 1.0 / resistance : 0.0;
}

/* A cell that is not active lets a connection pass. */
static bool is_pinched(const hp_case *c, const hp_case_pinch *pinch, int64_t m) {
  const int64_t here = hp_grid_place(c->grid, m);
  const bool thin = c->grid->dz[here] <= pinch->thickness;
  return thin || (c->given_active[here] && !pinch->thin_only);
}

/* In own columns. */
static hp_status add_pinched(const hp_case *c, const hp_case_pinch *pinch, hp_case_links *links) {
  const hp_grid *g = c->grid;
  int64_t last = -1;   /* the latest active cell of the column */
  bool through = true; /* all cells since then are pinched out */
  for (int64_t m = g->first; m < g->first + g->owned; ++m) {
    const int k = (int)(m % g->nz);
    if (k == 0 || hp_pillar_systems_closed(&c->systems, k - 1)) last = -1;
    if (!g->active[hp_grid_place(g, m)]) {
      through = through && is_pinched(c, pinch, m);
      continue;
    }
    if (last >= 0 && m > last + 1 && through && gap_between(c, last, m) <= pinch->gap) {
      const hp_case_link one = {.a = last, .b = m, .d = HP_DIR_K, .trans = vertical_trans(c, pinch, last, m)};
      HP_TRY(hp_case_link_add(links, &one));
    }
    last = m;
    through = true;
  }
  return HP_OK;
}

hp_status hp_case_close_gaps(hp_case *c, const hp_case_pinch *pinch) {
  const hp_grid *g = c->grid;
  double **tran = &c->tran[HP_DIR_K];
  if (!pinch->given || c->coord == NULL || pinch->gap == INFINITY) return HP_OK;
  if (*tran == NULL) {
    HP_TRY(HP_ALLOC(*tran, g->ncell));
    for (int64_t m = 0; m < g->ncell; ++m) (*tran)[m] = NAN;
  }
  for (int64_t m = 0; m < g->ncell; ++m)
    if (m % g->nz < g->nz - 1 && g->active[m] && g->active[m + 1] && isnan((*tran)[m]) &&
        gap_between(c, g->first + m, g->first + m + 1) > pinch->gap)
      (*tran)[m] = 0.0;
  return HP_OK;
}

hp_status hp_case_connect_pinched(hp_case *c, const hp_case_pinch *pinch, hp_case_links *links) {
  if (!pinch->given) return HP_OK;
  hp_status s = hp_case_finish_grid(c, true);
  if (s == HP_OK) s = add_pinched(c, pinch, links);
  memcpy(c->grid->active, c->given_active, (size_t)c->grid->ncell);
  return s == HP_ERR_DECK ? HP_OK : s; /* reported when the grid is finished */
}

/* ---- multipliers ---- */

/* Of a's face towards +d and b's towards -d. Across pinched-out cells: those of a and b, or the smallest on the way. */
static double by_faces(const hp_grid *g, double *const side[HP_DIRS][2], bool smallest, const hp_case_link *l) {
  const double *plus = side[l->d][0], *minus = side[l->d][1];
  const int64_t a = hp_grid_place(g, l->a), b = hp_grid_place(g, l->b);
  double factor = (plus != NULL ? plus[a] : 1.0) * (minus != NULL ? minus[b] : 1.0);
  if (l->d != HP_DIR_K || !smallest) return factor;
  factor = INFINITY;
  for (int64_t m = a; m < b; ++m)
    factor = fmin(factor, (plus != NULL ? plus[m] : 1.0) * (minus != NULL ? minus[m + 1] : 1.0));
  return factor;
}

void hp_case_multiply_links(const hp_grid *g, double *const side[HP_DIRS][2], bool smallest, hp_case_links *links) {
  for (int64_t n = 0; n < links->count; ++n)
    if (links->at[n].d >= 0) links->at[n].trans *= by_faces(g, side, smallest, &links->at[n]);
}

/* ---- links of several ranks ---- */

void hp_case_keep_links(const hp_grid *g, hp_case_links *links) {
  int64_t kept = 0;
  for (int64_t n = 0; n < links->count; ++n)
    if (hp_grid_holds(g, links->at[n].a)) links->at[kept++] = links->at[n];
  links->count = kept;
}

typedef struct {
  const hp_grid *g;
  hp_case_links *links;
  int64_t all;
} receiver;

static hp_status keep_link(void *arg, const int64_t *item) {
  receiver *d = arg;
  hp_case_link one;
  memcpy(&one, item, sizeof one);
  d->all += 1;
  return hp_grid_holds(d->g, one.a) ? hp_case_link_add(d->links, &one) : HP_OK;
}

hp_status hp_case_distribute_links(const hp_grid *g, const hp_case_links *found, hp_case_links *links, int64_t *all) {
  receiver d = {.g = g, .links = links};
  HP_TRY(hp_spread_distribute(g->spread, found->at, found->count, sizeof *found->at / sizeof(int64_t), keep_link, &d));
  *all = d.all;
  return HP_OK;
}

/* ---- into the case ---- */

hp_status hp_case_add_links(hp_case *c, const hp_case_links *links, double least) {
  hp_grid_connections old = c->connection, *to = &c->connection;
  *to = (hp_grid_connections){0};
  hp_status s = HP_ALLOC(to->a, old.count + links->count);
  if (s == HP_OK) s = HP_ALLOC(to->b, old.count + links->count);
  if (s == HP_OK) s = HP_ALLOC(to->trans, old.count + links->count);
  for (; s == HP_OK && to->count < old.count; ++to->count) {
    to->a[to->count] = old.a[to->count];
    to->b[to->count] = old.b[to->count];
    to->trans[to->count] = old.trans[to->count];
  }
  for (int64_t n = 0; s == HP_OK && n < links->count; ++n) {
    const hp_case_link *l = &links->at[n];
    if (!(l->trans >= least)) continue;
    to->a[to->count] = l->a;
    to->b[to->count] = l->b;
    to->trans[to->count++] = l->trans;
  }
  hp_grid_connections_clear(&old);
  return s;
}
