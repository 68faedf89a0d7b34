/* Which cells a rank has: its box of columns, ghosts, and who owns these. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "sim/part/subdomain.h"

enum { NOBODY = 0, OWN = 1, GHOST = 2 };

/* The lattice of a box with its ring, in columns of the whole grid. Whole chunks along j, so that sums cut alike. */
typedef struct {
  int i0, i1, j0, j1;
} window;

static int64_t chunk_columns(const hp_part *p) { return p->chunk / p->size[0]; }

static window window_of(const hp_part *p, hp_box b) {
  const int step = (int)chunk_columns(p), nx = p->size[2], ny = p->size[1];
  window w;
  w.i0 = b.i0 > 0 ? b.i0 - 1 : 0;
  w.i1 = b.i1 < nx ? b.i1 + 1 : nx;
  w.j0 = b.j0 > 0 ? b.j0 - step : 0;
  w.j1 = b.j1 < ny ? b.j1 + step : (ny + step - 1) / step * step;
  return w;
}

/* Columns with ghosts beyond the window, rising: the part's planes behind those of the window hold them. */
typedef struct {
  window w;
  int64_t count, *column; /* [count] of the whole grid */
} layout;

static int by_number(const void *x, const void *y) {
  const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
  return (a > b) - (a < b);
}

static bool in_window(const window *w, const hp_part *p, int64_t column) {
  const int i = (int)(column / p->size[1]), j = (int)(column % p->size[1]);
  return i >= w->i0 && i < w->i1 && j >= w->j0 && j < w->j1;
}

static void note(layout *L, const hp_part *p, int64_t cell) {
  const int64_t column = cell / p->size[0];
  if (!in_window(&L->w, p, column)) L->column[L->count++] = column;
}

static void sort(layout *L) {
  int64_t kept = 0;
  if (L->count > 0) qsort(L->column, (size_t)L->count, sizeof *L->column, by_number);
  for (int64_t n = 0; n < L->count; ++n)
    if (n == 0 || L->column[n] != L->column[n - 1]) L->column[kept++] = L->column[n];
  L->count = kept;
}

/* The columns of the part's lattice: numbers in the whole grid, -1 where there is none. */
static hp_status number_columns(const hp_part *p, const layout *L, int64_t *nx, int64_t **column) {
  const int64_t nj = L->w.j1 - L->w.j0, ni = L->w.i1 - L->w.i0;
  *nx = ni + (L->count + nj - 1) / nj;
  HP_TRY(HP_ALLOC(*column, *nx * nj));
  for (int64_t c = 0; c < *nx * nj; ++c) {
    const int64_t i = L->w.i0 + c / nj, j = L->w.j0 + c % nj, extra = c - ni * nj;
    if (extra >= 0) (*column)[c] = extra < L->count ? L->column[extra] : -1;
    else (*column)[c] = j < p->size[1] ? j + p->size[1] * i : -1;
  }
  return HP_OK;
}

int hp_subdomain_owner(const hp_subdomain *D, int64_t cell) {
  const int64_t column = cell / D->part.size[0];
  return hp_partition_find(D->ranks, D->boxes, (int)(column / D->part.size[1]), (int)(column % D->part.size[1]));
}

/* The place of a cell in its owner's part, whose lattice all ranks know. */
static int64_t place_at_owner(const hp_subdomain *D, int owner, int64_t cell) {
  const hp_part *p = &D->part;
  const window w = window_of(p, D->boxes[owner]);
  const int64_t column = cell / p->size[0], i = column / p->size[1] - w.i0, j = column % p->size[1] - w.j0;
  return cell % p->size[0] + p->size[0] * (j + (w.j1 - w.j0) * i);
}

int64_t hp_subdomain_place(const hp_subdomain *D, int64_t cell) {
  const hp_part *p = &D->part;
  const int nz = p->size[0];
  const window w = window_of(p, D->boxes[D->rank]);
  const int64_t column = cell / nz, nj = w.j1 - w.j0;
  if (in_window(&w, p, column)) return place_at_owner(D, D->rank, cell);
  int64_t low = (w.i1 - w.i0) * nj, high = p->ncell / nz; /* the columns behind the window rise */
  while (low < high) {
    const int64_t middle = low + (high - low) / 2, there = D->column[middle];
    if (there >= 0 && there < column) low = middle + 1;
    else high = middle;
  }
  return low < p->ncell / nz && D->column[low] == column ? low * nz + cell % nz : -1;
}

/* ---- whose cells ---- */

static void mark(hp_subdomain *D, uint8_t *role, int64_t cell) {
  const int64_t m = hp_subdomain_place(D, cell);
  if (m >= 0 && role[m] == NOBODY) role[m] = GHOST;
}

/* Own cells, and the ring beside them. */
static void mark_box(const hp_subdomain *D, uint8_t *role) {
  const hp_part *p = &D->part;
  const hp_box b = D->boxes[D->rank];
  const int64_t nz = p->size[0];
  for (int64_t c = 0; c < p->ncell / nz; ++c) {
    if (D->column[c] < 0) continue;
    const int i = (int)(D->column[c] / p->size[1]), j = (int)(D->column[c] % p->size[1]);
    const bool in_i = i >= b.i0 && i < b.i1, in_j = j >= b.j0 && j < b.j1;
    const bool beside = (in_i && (j == b.j0 - 1 || j == b.j1)) || (in_j && (i == b.i0 - 1 || i == b.i1));
    if (in_i && in_j) memset(role + c * nz, OWN, (size_t)nz);
    else if (beside) memset(role + c * nz, GHOST, (size_t)nz);
  }
}

static hp_status list_cells(hp_subdomain *D, const uint8_t *role) {
  hp_part *p = &D->part;
  hp_subdomain_cells *C = &D->cells;
  const int64_t nz = p->size[0];
  for (int64_t m = 0; m < p->ncell; ++m) {
    C->count += role[m] != NOBODY;
    p->nghost += role[m] == GHOST;
  }
  HP_TRY(HP_ALLOC(p->global, p->ncell));
  HP_TRY(HP_ALLOC(p->ghost, p->nghost));
  HP_TRY(HP_ALLOC(p->owner, p->nghost));
  int64_t ghost = 0;
  for (int64_t m = 0; m < p->ncell; ++m) {
    p->global[m] = role[m] != NOBODY ? D->column[m / nz] * nz + m % nz : -1;
    if (role[m] != GHOST) continue;
    p->ghost[ghost] = m;
    p->owner[ghost++] = hp_subdomain_owner(D, p->global[m]);
  }
  return HP_OK;
}

/* ---- exchanges ---- */

typedef struct {
  int64_t here, there;
  int owner;
} copy;

static int by_owner(const void *x, const void *y) {
  const copy *a = x, *b = y;
  if (a->owner != b->owner) return (a->owner > b->owner) - (a->owner < b->owner);
  return (a->here > b->here) - (a->here < b->here);
}

static hp_status create_exchange(hp_ranks *K, int64_t n, copy *of, hp_exchange **out) {
  int64_t *here = NULL, *there = NULL;
  int *owner = NULL;
  if (n > 0) qsort(of, (size_t)n, sizeof *of, by_owner);
  hp_status s = HP_ALLOC(here, n);
  if (s == HP_OK) s = HP_ALLOC(there, n);
  if (s == HP_OK) s = HP_ALLOC(owner, n);
  for (int64_t i = 0; i < n && s == HP_OK; ++i) {
    here[i] = of[i].here;
    there[i] = of[i].there;
    owner[i] = of[i].owner;
  }
  s = hp_ranks_agree(K, s);
  if (s == HP_OK) s = hp_exchange_create(K, n, here, owner, there, out);
  HP_FREE(here);
  HP_FREE(there);
  HP_FREE(owner);
  return s;
}

static hp_status exchange_cells(hp_subdomain *D) {
  hp_part *p = &D->part;
  copy *of = NULL;
  hp_status s = hp_ranks_agree(D->K, HP_ALLOC(of, p->nghost));
  for (int64_t n = 0; n < p->nghost && s == HP_OK; ++n) {
    const int64_t cell = p->global[p->ghost[n]];
    of[n].here = p->ghost[n];
    of[n].owner = p->owner[n];
    of[n].there = place_at_owner(D, of[n].owner, cell);
  }
  if (s == HP_OK) s = create_exchange(D->K, p->nghost, of, &p->cells);
  HP_FREE(of);
  return s;
}

/* A well belongs to the owner of its first perforation's cell. */
static hp_status exchange_wells(hp_subdomain *D, const hp_wells *W) {
  hp_part *p = &D->part;
  copy *of = NULL;
  int64_t count = 0;
  hp_status s = HP_ALLOC(of, W->nwell);
  if (s == HP_OK) s = HP_ALLOC(p->owns_well, W->nwell);
  if (s == HP_OK) s = HP_ALLOC(p->well_owner, W->nwell);
  s = hp_ranks_agree(D->K, s);
  for (int w = 0; w < W->nwell && s == HP_OK; ++w) {
    const int64_t begin = W->begin[w], end = W->begin[w + 1];
    const int owner = begin < end ? hp_subdomain_owner(D, W->cell[begin]) : 0;
    bool cut = false;
    for (int64_t q = begin; q < end; ++q) cut = cut || hp_subdomain_owner(D, W->cell[q]) != owner;
    D->cut_wells += cut;
    p->well_owner[w] = owner;
    p->owns_well[w] = owner == D->rank;
    if (p->owns_well[w]) continue;
    of[count].here = of[count].there = w;
    of[count++].owner = owner;
  }
  p->nwell = W->nwell;
  p->wells_cross = D->cut_wells > 0;
  if (s == HP_OK) s = create_exchange(D->K, count, of, &p->wells);
  HP_FREE(of);
  return s;
}

/* ---- all ---- */

static hp_status lay_out(hp_subdomain *D, const hp_wells *W, int64_t nlink, const hp_subdomain_link *link, layout *L) {
  hp_part *p = &D->part;
  int64_t nx = 0;
  L->w = window_of(p, D->boxes[D->rank]);
  HP_TRY(HP_ALLOC(L->column, W->nperf + 2 * nlink + 1));
  for (int64_t q = 0; q < W->nperf; ++q) note(L, p, W->cell[q]);
  for (int64_t n = 0; n < nlink; ++n) {
    note(L, p, link[n].a);
    note(L, p, link[n].b);
  }
  sort(L);
  HP_TRY(number_columns(p, L, &nx, &D->column));
  D->nx = (int)nx;
  D->ny = L->w.j1 - L->w.j0;
  p->ncell = nx * D->ny * p->size[0];
  p->first[0] = 0;
  p->first[1] = L->w.j0;
  p->first[2] = L->w.i0;
  return HP_OK;
}

hp_status hp_subdomain_lay_out(hp_subdomain *D, const hp_wells *W, int64_t nlink, const hp_subdomain_link *link) {
  layout L = {.count = 0};
  uint8_t *role = NULL;
  hp_status s = lay_out(D, W, nlink, link, &L);
  if (s == HP_OK) s = HP_ALLOC(role, D->part.ncell);
  if (s == HP_OK) {
    mark_box(D, role);
    for (int64_t q = 0; q < W->nperf; ++q) mark(D, role, W->cell[q]);
    for (int64_t n = 0; n < nlink; ++n) {
      mark(D, role, link[n].a);
      mark(D, role, link[n].b);
    }
    s = list_cells(D, role);
  }
  HP_FREE(role);
  HP_FREE(L.column);
  return s;
}

hp_status hp_subdomain_columns(hp_subdomain *D, const hp_wells *W, int64_t nlink, const hp_subdomain_link *link) {
  hp_status s = hp_ranks_agree(D->K, hp_subdomain_lay_out(D, W, nlink, link));
  if (s == HP_OK) s = exchange_cells(D);
  if (s == HP_OK) s = exchange_wells(D, W);
  return s;
}

void hp_subdomain_drop_columns(hp_subdomain *D) {
  hp_exchange_destroy(&D->part.cells);
  hp_exchange_destroy(&D->part.wells);
  HP_FREE(D->part.global);
  HP_FREE(D->part.ghost);
  HP_FREE(D->part.owner);
  HP_FREE(D->part.owns_well);
  HP_FREE(D->part.well_owner);
  HP_FREE(D->column);
}

/* ---- what is cut ---- */

static bool is_own_place(const hp_subdomain *D, int64_t m) {
  const hp_box b = D->boxes[D->rank];
  const int64_t cell = D->part.global[m], column = cell / D->part.size[0];
  const int64_t i = column / D->part.size[1], j = column % D->part.size[1];
  return cell >= 0 && i >= b.i0 && i < b.i1 && j >= b.j0 && j < b.j1;
}

int64_t hp_subdomain_cut_faces(const hp_subdomain *D) {
  const hp_grid *g = D->grid;
  const hp_grid_connections *c = &g->connection;
  static const int lateral[] = {HP_DIR_I, HP_DIR_J};
  int64_t count = 0;
  for (int n = 0; n < 2; ++n)
    for (int64_t m = 0; m + hp_grid_stride(g, lateral[n]) < g->ncell; ++m)
      count += g->trans[lateral[n]][m] > 0.0 &&
               is_own_place(D, m) != is_own_place(D, m + hp_grid_stride(g, lateral[n]));
  for (int64_t e = 0; e < c->count; ++e) count += is_own_place(D, c->a[e]) != is_own_place(D, c->b[e]);
  return count;
}
