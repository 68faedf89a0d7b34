/* Which cells a rank has: its box of columns, ghosts, and who owns these. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "sim/part/subdomain.h"

/* A ghost that rows of own cells and wells do not read is a cell of other wells. */
enum { NOBODY = 0, OWN = 1, UNREAD = 2, READ = 3 };

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

static void mark(hp_subdomain *D, uint8_t *role, int64_t cell, bool read) {
  const int64_t m = hp_subdomain_place(D, cell);
  if (m >= 0 && role[m] != OWN && role[m] != READ) role[m] = read ? READ : UNREAD;
}

/* That of its first perforation's cell. */
static int owner_of_well(const hp_subdomain *D, const hp_wells *W, int w) {
  return W->begin[w] < W->begin[w + 1] ? hp_subdomain_owner(D, W->cell[W->begin[w]]) : 0;
}

static void mark_wells(hp_subdomain *D, const hp_wells *W, uint8_t *role) {
  for (int w = 0; w < W->nwell; ++w) {
    const bool owned = owner_of_well(D, W, w) == D->rank;
    for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) mark(D, role, W->cell[q], owned);
  }
}

/* Own cells, and the ring beside them. */
static void mark_box(const hp_subdomain *D, uint8_t *role) {
  const hp_part *p = &D->part;
  const hp_box b = D->boxes[D->rank];
  const int64_t nz = p->size[0];
  if (b.i0 == b.i1) return; /* a rank without cells */
  for (int64_t c = 0; c < p->ncell / nz; ++c) {
    if (D->column[c] < 0) continue;
    const int i = (int)(D->column[c] / p->size[1]), j = (int)(D->column[c] % p->size[1]);
    const bool in_i = i >= b.i0 && i < b.i1, in_j = j >= b.j0 && j < b.j1;
    const bool beside = (in_i && (j == b.j0 - 1 || j == b.j1)) || (in_j && (i == b.i0 - 1 || i == b.i1));
    if (in_i && in_j) memset(role + c * nz, OWN, (size_t)nz);
    else if (beside) memset(role + c * nz, READ, (size_t)nz);
  }
}

static hp_status list_cells(hp_subdomain *D, const uint8_t *role) {
  hp_part *p = &D->part;
  const int64_t nz = p->size[0];
  for (int64_t m = 0; m < p->ncell; ++m) {
    D->cells += role[m] != NOBODY;
    p->nghost += role[m] > OWN;
  }
  HP_TRY(HP_ALLOC(p->global, p->ncell));
  HP_TRY(HP_ALLOC(p->ghost, p->nghost));
  HP_TRY(HP_ALLOC(p->owner, p->nghost));
  HP_TRY(HP_ALLOC(p->is_read, p->nghost));
  int64_t ghost = 0;
  for (int64_t m = 0; m < p->ncell; ++m) {
    p->global[m] = role[m] != NOBODY ? D->column[m / nz] * nz + m % nz : -1;
    if (role[m] <= OWN) continue;
    p->ghost[ghost] = m;
    p->is_read[ghost] = role[m] == READ;
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

static copy copy_of(const hp_subdomain *D, int64_t here, int64_t cell, int owner) {
  return (copy){.here = here, .there = place_at_owner(D, owner, cell), .owner = owner};
}

static hp_status exchange_cells(hp_subdomain *D) {
  hp_part *p = &D->part;
  copy *of = NULL;
  int64_t count = 0;
  hp_status s = hp_ranks_agree(D->K, HP_ALLOC(of, p->nghost));
  for (int64_t n = 0; n < p->nghost && s == HP_OK; ++n)
    if (p->is_read[n]) of[count++] = copy_of(D, p->ghost[n], p->global[p->ghost[n]], p->owner[n]);
  if (s == HP_OK) s = create_exchange(D->K, count, of, &p->cells);
  HP_FREE(of);
  return s;
}

/* Perforated cells of own wells in cells of others. */
static hp_status exchange_perforated(hp_subdomain *D, const hp_wells *W) {
  hp_part *p = &D->part;
  copy *of = NULL;
  int64_t count = 0;
  hp_status s = hp_ranks_agree(D->K, HP_ALLOC(of, W->ncell));
  for (int64_t n = 0; n < W->ncell && s == HP_OK; ++n) {
    const int owner = hp_subdomain_owner(D, W->perforated[n]);
    bool read = false;
    for (int64_t i = W->perf_begin[n]; i < W->perf_begin[n + 1]; ++i)
      read = read || p->owns_well[W->of[W->perf_list[i]]];
    if (read && owner != D->rank)
      of[count++] = copy_of(D, hp_subdomain_place(D, W->perforated[n]), W->perforated[n], owner);
  }
  if (s == HP_OK) s = create_exchange(D->K, count, of, &p->perforated);
  HP_FREE(of);
  return s;
}

/* Items 0..n-1 of owner [n], here at place [n], in the order of their owners. */
static hp_status create_gather(hp_ranks *K, int64_t n, const int *owner, const int64_t *place, hp_exchange **out) {
  const int size = hp_ranks_size(K);
  int64_t *begin = NULL, *sorted = NULL;
  hp_status s = HP_ALLOC(begin, (int64_t)size + 2);
  if (s == HP_OK) s = HP_ALLOC(sorted, n);
  s = hp_ranks_agree(K, s);
  if (s == HP_OK) {
    for (int64_t i = 0; i < n; ++i) begin[owner[i] + 2] += 1; /* one place further, for the loop below */
    for (int r = 0; r < size; ++r) begin[r + 2] += begin[r + 1];
    for (int64_t i = 0; i < n; ++i) sorted[begin[owner[i] + 1]++] = place[i];
    s = hp_exchange_create_gather(K, begin, sorted, out);
  }
  HP_FREE(begin);
  HP_FREE(sorted);
  return s;
}

static hp_status gather_perforated(hp_subdomain *D, const hp_wells *W) {
  int64_t *place = NULL;
  int *owner = NULL;
  hp_status s = HP_ALLOC(place, W->ncell);
  if (s == HP_OK) s = HP_ALLOC(owner, W->ncell);
  s = hp_ranks_agree(D->K, s);
  for (int64_t n = 0; n < W->ncell && s == HP_OK; ++n) {
    place[n] = hp_subdomain_place(D, W->perforated[n]);
    owner[n] = hp_subdomain_owner(D, W->perforated[n]);
  }
  if (s == HP_OK) s = create_gather(D->K, W->ncell, owner, place, &D->part.all_perforated);
  HP_FREE(place);
  HP_FREE(owner);
  return s;
}

static hp_status gather_wells(hp_subdomain *D) {
  int64_t *place = NULL;
  hp_status s = hp_ranks_agree(D->K, HP_ALLOC(place, D->part.nwell));
  for (int w = 0; w < D->part.nwell && s == HP_OK; ++w) place[w] = w;
  if (s == HP_OK) s = create_gather(D->K, D->part.nwell, D->part.well_owner, place, &D->part.all_wells);
  HP_FREE(place);
  return s;
}

static hp_status exchange_wells(hp_subdomain *D, const hp_wells *W) {
  hp_part *p = &D->part;
  copy *of = NULL;
  int64_t count = 0;
  hp_status s = HP_ALLOC(of, W->nrow);
  if (s == HP_OK) s = HP_ALLOC(p->owns_well, W->nrow);
  if (s == HP_OK) s = HP_ALLOC(p->well_owner, W->nrow);
  if (s == HP_OK) s = HP_ALLOC(p->reads_well, W->nrow);
  s = hp_ranks_agree(D->K, s);
  for (int w = 0; w < W->nrow && s == HP_OK; ++w) {
    const int owner = owner_of_well(D, W, w);
    bool cut = false, here = false;
    for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
      const int of_cell = hp_subdomain_owner(D, W->cell[q]);
      cut = cut || of_cell != owner;
      here = here || of_cell == D->rank;
    }
    D->cut_wells += cut;
    p->well_owner[w] = owner;
    p->owns_well[w] = owner == D->rank;
    p->reads_well[w] = here && !p->owns_well[w];
    if (!p->reads_well[w]) continue;
    of[count].here = of[count].there = w;
    of[count++].owner = owner;
  }
  p->nwell = W->nrow;
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
    mark_wells(D, W, role);
    for (int64_t n = 0; n < nlink; ++n) {
      mark(D, role, link[n].a, true);
      mark(D, role, link[n].b, true);
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
  if (s == HP_OK) s = exchange_perforated(D, W);
  if (s == HP_OK) s = gather_perforated(D, W);
  if (s == HP_OK) s = gather_wells(D);
  return s;
}

void hp_subdomain_drop_columns(hp_subdomain *D) {
  hp_exchange_destroy(&D->part.cells);
  hp_exchange_destroy(&D->part.wells);
  hp_exchange_destroy(&D->part.perforated);
  hp_exchange_destroy(&D->part.all_perforated);
  hp_exchange_destroy(&D->part.all_wells);
  HP_FREE(D->part.global);
  HP_FREE(D->part.ghost);
  HP_FREE(D->part.owner);
  HP_FREE(D->part.is_read);
  HP_FREE(D->part.reads_well);
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
