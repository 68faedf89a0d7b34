#include "sim/part/subdomain.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "sim/part/bisection.h"

hp_status hp_subdomain_share(hp_ranks *K, void **array, int64_t count, size_t size) {
  const bool is_root = hp_ranks_rank(K) == 0;
  int64_t there = is_root && *array != NULL;
  hp_ranks_broadcast(K, 0, &there, sizeof there);
  if (!is_root) *array = NULL;
  if (there == 0) return HP_OK;
  hp_status s = is_root ? HP_OK : hp_alloc_unset(array, count, size, "what rank 0 sends");
  s = hp_ranks_agree(K, s);
  if (s == HP_OK) hp_ranks_broadcast(K, 0, *array, count * (int64_t)size);
  return s;
}

#define SHARE(array, count) hp_subdomain_share(K, (void **)&(array), (int64_t)(count), sizeof *(array))

/* ---- connections ---- */

/* Numbers of connections of the whole list, `whole` of those here, become those of the part's grid. */
static hp_status put_links(hp_subdomain *D, const double *whole, double *here) {
  const hp_subdomain_links *L = &D->links;
  const int64_t gives = L->give_begin[D->ranks];
  double *send = NULL, *received = NULL;
  int64_t *begin = NULL;
  hp_status s = HP_ALLOC(send, gives);
  if (s == HP_OK) s = HP_ALLOC(begin, D->ranks + 1);
  s = hp_ranks_agree(D->K, s);
  for (int64_t n = 0; n < gives && s == HP_OK; ++n) send[n] = whole[L->give[n]];
  if (s == HP_OK) s = hp_ranks_all_to_all(D->K, send, L->give_begin, sizeof *send, (void **)&received, begin);
  for (int64_t n = 0; n < L->count && s == HP_OK; ++n) here[L->take[n]] = received[n];
  HP_FREE(send);
  HP_FREE(begin);
  HP_FREE(received);
  return s;
}

/* Faces between places of which one has no cell, or whose cells are no neighbours on the whole lattice, are closed. */
static void close_faces(hp_subdomain *D, int d, double *trans) {
  const hp_part *p = &D->part;
  const hp_grid *g = D->grid;
  const int64_t stride = hp_grid_stride(g, d);
  const int64_t apart = d == HP_DIR_K ? 1 : (int64_t)p->size[0] * (d == HP_DIR_J ? 1 : p->size[1]);
  for (int64_t m = 0; m < p->ncell; ++m) {
    int ijk[3];
    hp_grid_ijk(g, m, ijk);
    const int at = ijk[2 - d], end = d == HP_DIR_K ? g->nz : d == HP_DIR_J ? g->ny : g->nx;
    const int64_t cell = p->global[m], other = at + 1 < end ? p->global[m + stride] : -1;
    if (cell < 0 || other != cell + apart) trans[m] = 0.0;
  }
}

hp_status hp_subdomain_put_trans(hp_subdomain *D, const hp_reservoir *whole) {
  for (int d = 0; d < HP_DIRS; ++d) {
    HP_TRY(hp_subdomain_put(D, whole != NULL ? whole->trans[d] : NULL, D->grid->trans[d], sizeof(double)));
    close_faces(D, d, D->grid->trans[d]);
  }
  return put_links(D, whole != NULL ? whole->link_trans : NULL, D->grid->connection.trans);
}

/* Each rank sends the others the connections of their cells that it has: of planes its own, else rank 0 all; g: NULL where
 * there are none. What comes is in the order of the whole list, because ranks are in that of planes. */
static hp_status send_links(hp_subdomain *D, const hp_grid *g, hp_subdomain_link **mine, int64_t *count) {
  hp_ranks *K = D->K;
  hp_subdomain_links *L = &D->links;
  const int size = D->ranks;
  const int64_t all = g != NULL ? g->connection.count : 0;
  int64_t *begin = NULL, *from = NULL;
  hp_subdomain_link *send = NULL;
  hp_status s = HP_ALLOC(begin, size + 1);
  if (s == HP_OK) s = HP_ALLOC(from, size + 1);
  if (s == HP_OK) s = HP_ALLOC(L->give_begin, size + 1);
  HP_TRY(hp_ranks_agree(K, s));
  hp_ranks_begins(K, all, from);
  const int64_t first = from[D->rank];
  for (int turn = 0; turn < 2 && s == HP_OK; ++turn) { /* counts, then places */
    if (turn == 1) s = HP_ALLOC(send, begin[size]);
    if (turn == 1 && s == HP_OK) s = HP_ALLOC(L->give, begin[size]);
    for (int64_t n = 0; n < all && s == HP_OK; ++n) {
      const hp_subdomain_link l = {.a = g->connection.a[n], .b = g->connection.b[n], .of = first + n};
      const int to[2] = {hp_subdomain_owner(D, l.a), hp_subdomain_owner(D, l.b)};
      for (int end = 0; end < (to[0] == to[1] ? 1 : 2); ++end) {
        if (turn == 0) {
          begin[to[end] + 1] += 1;
        } else {
          L->give[begin[to[end]]] = n;
          send[begin[to[end]]++] = l;
        }
      }
    }
    for (int r = 0; r < size && turn == 0; ++r) begin[r + 1] += begin[r];
    for (int r = 0; r < size && turn == 0; ++r) L->give_begin[r + 1] = begin[r + 1];
  }
  s = hp_ranks_agree(K, s);
  if (s == HP_OK) s = hp_ranks_all_to_all(K, send, L->give_begin, sizeof *send, (void **)mine, from);
  *count = s == HP_OK ? from[size] : 0;
  HP_FREE(begin);
  HP_FREE(from);
  HP_FREE(send);
  return s;
}

static int by_place(const void *x, const void *y) {
  const hp_subdomain_link *l = x, *r = y;
  if (l->a != r->a) return (l->a > r->a) - (l->a < r->a);
  return (l->b > r->b) - (l->b < r->b);
}

/* The part's connections: places of cells, in order. */
static hp_status place_links(hp_subdomain *D, int64_t count, hp_subdomain_link *link) {
  hp_grid_connections *c = &D->grid->connection;
  hp_subdomain_links *L = &D->links;
  for (int64_t n = 0; n < count; ++n) {
    const int64_t a = hp_subdomain_place(D, link[n].a), b = hp_subdomain_place(D, link[n].b);
    link[n].a = a < b ? a : b;
    link[n].b = a < b ? b : a;
    link[n].come = n;
  }
  if (count > 0) qsort(link, (size_t)count, sizeof *link, by_place);
  c->count = L->count = count;
  hp_status s = HP_ALLOC(c->a, count);
  if (s == HP_OK) s = HP_ALLOC(c->b, count);
  if (s == HP_OK) s = HP_ALLOC(c->trans, count);
  if (s == HP_OK) s = HP_ALLOC(L->mine, count);
  if (s == HP_OK) s = HP_ALLOC(L->take, count);
  HP_TRY(hp_ranks_agree(D->K, s));
  for (int64_t n = 0; n < count; ++n) {
    c->a[n] = link[n].a;
    c->b[n] = link[n].b;
    L->mine[n] = link[n].of;
    L->take[link[n].come] = n;
  }
  return HP_OK;
}

static void destroy_links(hp_subdomain *D) {
  hp_subdomain_links *L = &D->links;
  HP_FREE(L->mine);
  HP_FREE(L->take);
  HP_FREE(L->give_begin);
  HP_FREE(L->give);
}

/* ---- wells ---- */

/* Rank 0: the run's arrays. Others: copies. The cells are still those of the whole grid. */
static hp_status share_wells(hp_subdomain *D, const hp_wells *whole) {
  hp_ranks *K = D->K;
  HP_TRY(hp_ranks_agree(K, HP_ALLOC(D->wells, 1)));
  hp_wells *W = D->wells;
  if (hp_ranks_rank(K) == 0) *W = *whole;
  int64_t count[3] = {W->nwell, W->nperf, W->ncell};
  hp_ranks_broadcast(K, 0, count, sizeof count);
  W->nwell = (int)count[0];
  W->nperf = count[1];
  W->ncell = count[2];
#define SHARE_WELLS(field, count) HP_TRY(SHARE(W->field, count));
  HP_WELLS_FIXED(SHARE_WELLS)
  HP_WELLS_STATE(SHARE_WELLS)
#undef SHARE_WELLS
  return HP_OK;
}

/* The cells become places; the slots the part's matrix fills in. */
static hp_status place_wells(hp_subdomain *D) {
  hp_wells *W = D->wells;
  int64_t *cell = NULL, *perforated = NULL, *slot = NULL;
  hp_status s = HP_ALLOC(cell, W->nperf);
  if (s == HP_OK) s = HP_ALLOC(perforated, W->ncell);
  if (s == HP_OK) s = HP_ALLOC(slot, W->nperf);
  for (int64_t q = 0; q < W->nperf && s == HP_OK; ++q) cell[q] = hp_subdomain_place(D, W->cell[q]);
  for (int64_t n = 0; n < W->ncell && s == HP_OK; ++n) perforated[n] = hp_subdomain_place(D, W->perforated[n]);
  if (hp_ranks_rank(D->K) != 0) {
    HP_FREE(W->cell);
    HP_FREE(W->perforated);
    HP_FREE(W->slot);
  }
  W->cell = cell;
  W->perforated = perforated;
  W->slot = slot;
  return hp_ranks_agree(D->K, s);
}

static void destroy_wells(hp_subdomain *D) {
  hp_wells *W = D->wells;
  if (W == NULL) return;
  if (hp_ranks_rank(D->K) == 0) { /* the rest is the run's */
    HP_FREE(W->cell);
    HP_FREE(W->perforated);
    HP_FREE(W->slot);
    HP_FREE(D->wells);
  }
  hp_wells_destroy(&D->wells);
}

void hp_subdomain_put_wells(hp_subdomain *D) {
  const hp_wells *W = D->wells;
#define PUT(field, count) hp_ranks_broadcast(D->K, 0, W->field, (int64_t)(count) * (int64_t)sizeof *W->field);
  HP_WELLS_STATE(PUT)
#undef PUT
}

/* ---- grid and reservoir ---- */

static hp_status create_grid(hp_subdomain *D) {
  hp_part *p = &D->part;
  HP_TRY(hp_ranks_agree(D->K, hp_grid_create(D->nx, D->ny, p->size[0], &D->grid)));
  hp_grid *g = D->grid;
  double **const unread[] = {&g->dx, &g->dy, &g->dz, &g->porosity, &g->ntg, &g->perm[0], &g->perm[1], &g->perm[2]};
  for (size_t n = 0; n < sizeof unread / sizeof *unread; ++n) HP_FREE(*unread[n]);
  return HP_OK;
}

/* Ghosts and places without a cell are inactive. */
static hp_status put_geometry(hp_subdomain *D, const hp_reservoir *r) {
  hp_part *p = &D->part;
  hp_grid *g = D->grid;
  HP_TRY(hp_subdomain_put(D, r != NULL ? r->depth : NULL, g->depth, sizeof(double)));
  HP_TRY(hp_subdomain_put(D, r != NULL ? r->pore_volume : NULL, g->pore_volume, sizeof(double)));
  HP_TRY(hp_subdomain_put(D, r != NULL ? r->active : NULL, g->active, 1));
  for (int64_t m = 0; m < p->ncell; ++m)
    if (p->global[m] < 0) g->active[m] = HP_CELL_INACTIVE;
  for (int64_t n = 0; n < p->nghost; ++n) g->active[p->ghost[n]] = HP_CELL_INACTIVE;
  g->nactive = 0;
  for (int64_t m = 0; m < p->ncell; ++m) g->nactive += g->active[m] != HP_CELL_INACTIVE;
  return HP_OK;
}

static hp_status share_pvt(hp_ranks *K, hp_pvt_spec *f) {
  HP_TRY(SHARE(f->p, f->rows));
  HP_TRY(SHARE(f->b, f->rows));
  return SHARE(f->mu, f->rows);
}

static hp_status share_sat(hp_ranks *K, hp_sat_spec *f) {
  HP_TRY(SHARE(f->s, f->rows));
  HP_TRY(SHARE(f->krw, f->rows));
  HP_TRY(SHARE(f->kro, f->rows));
  return SHARE(f->pc, f->rows);
}

static hp_status share_rock(hp_ranks *K, hp_rock_spec *f) {
  HP_TRY(SHARE(f->p, f->rows));
  HP_TRY(SHARE(f->pv, f->rows));
  for (int n = 0; n < 3; ++n) HP_TRY(SHARE(f->trans[n], f->rows));
  return HP_OK;
}

/* Of cells, where the deck has any: whole, of rank 0 or of planes, becomes *array of the part. */
static hp_status share_cells(hp_subdomain *D, const void *whole, void **array, size_t size) {
  int64_t there = whole != NULL;
  hp_ranks_broadcast(D->K, 0, &there, sizeof there);
  *array = NULL;
  if (there == 0) return HP_OK;
  HP_TRY(hp_ranks_agree(D->K, hp_alloc(array, D->part.ncell, size, "numbers of cells")));
  return hp_subdomain_put(D, whole, *array, size);
}
#define SHARE_CELLS(whole, array) share_cells(D, whole, (void **)&(array), sizeof *(array))

/* Tables become those of all ranks; rank 0's stay the deck's. */
static hp_status share_fluid(hp_subdomain *D, const hp_fluid_spec *deck) {
  hp_ranks *K = D->K;
  hp_fluid_spec *f = &D->fluid;
  if (hp_ranks_rank(K) == 0) *f = *deck;
  hp_ranks_broadcast(K, 0, f, sizeof *f);
  f->of_sat = f->of_pvt = f->of_rock = NULL;
  HP_TRY(SHARE(f->sat, f->nsat));
  HP_TRY(SHARE(f->pvt, f->npvt));
  HP_TRY(SHARE(f->rock, f->nrock));
  for (int n = 0; n < f->nsat; ++n) HP_TRY(share_sat(K, &f->sat[n]));
  for (int n = 0; n < f->npvt; ++n)
    for (int a = 0; a < HP_PHASES; ++a) HP_TRY(share_pvt(K, &f->pvt[n][a]));
  for (int n = 0; n < f->nrock; ++n) HP_TRY(share_rock(K, &f->rock[n]));
  for (int n = 0; n < HP_ENDS; ++n) f->end[n] = NULL; /* their scales are sent */
  HP_TRY(SHARE_CELLS(deck != NULL ? deck->of_sat : NULL, f->of_sat));
  HP_TRY(SHARE_CELLS(deck != NULL ? deck->of_pvt : NULL, f->of_pvt));
  return SHARE_CELLS(deck != NULL ? deck->of_rock : NULL, f->of_rock);
}

static void destroy_fluid(hp_subdomain *D) {
  hp_fluid_spec *f = &D->fluid;
  HP_FREE(f->of_sat);
  HP_FREE(f->of_pvt);
  HP_FREE(f->of_rock);
  if (hp_ranks_rank(D->K) != 0) hp_fluid_spec_clear(f);
}

/* Thresholds of pressure between regions, and of faults. */
static hp_status share_thresholds(hp_subdomain *D, const hp_reservoir *whole) {
  hp_ranks *K = D->K;
  hp_reservoir *r = D->res;
  if (D->rank == 0) {
    r->nthreshold = whole->nthreshold;
    r->threshold = whole->threshold;
  }
  hp_ranks_broadcast(K, 0, &r->nthreshold, sizeof r->nthreshold);
  HP_TRY(SHARE(r->threshold, (int64_t)r->nthreshold * r->nthreshold));
  HP_TRY(SHARE_CELLS(whole != NULL ? whole->threshold_of : NULL, r->threshold_of));
  for (int d = 0; d < HP_DIRS; ++d)
    HP_TRY(SHARE_CELLS(whole != NULL ? whole->fault_threshold[d] : NULL, r->fault_threshold[d]));
  const double *links = whole != NULL ? whole->link_threshold : NULL;
  int64_t there = links != NULL;
  hp_ranks_broadcast(K, 0, &there, sizeof there);
  r->link_threshold = NULL;
  if (there == 0) return HP_OK;
  HP_TRY(hp_ranks_agree(K, HP_ALLOC(r->link_threshold, D->grid->connection.count)));
  return put_links(D, links, r->link_threshold);
}

/* Rock tables may differ by the direction, which places behind the window do not say. */
static hp_status find_directions(hp_subdomain *D) {
  const hp_grid_connections *c = &D->grid->connection;
  const int64_t column = D->part.size[0], layer = column * D->part.size[1];
  if (D->res->compaction == NULL || c->count == 0) return HP_OK;
  HP_TRY(HP_ALLOC(D->res->link_direction, c->count));
  for (int64_t n = 0; n < c->count; ++n) {
    const int64_t a = D->part.global[c->a[n]], b = D->part.global[c->b[n]];
    D->res->link_direction[n] = a / layer != b / layer ? HP_DIR_I : a / column != b / column ? HP_DIR_J : HP_DIR_K;
  }
  return HP_OK;
}

static hp_status create_reservoir(hp_subdomain *D, const hp_reservoir *whole) {
  hp_ranks *K = D->K;
  HP_TRY(hp_ranks_agree(K, hp_reservoir_create(D->grid, &D->fluid, &D->res)));
  hp_reservoir *r = D->res;
  hp_links_order(&r->links, D->part.global);
  HP_TRY(hp_ranks_agree(K, find_directions(D)));
  double volume = whole != NULL ? whole->total_pore_volume : 0.0;
  hp_ranks_broadcast(K, 0, &volume, sizeof volume);
  r->total_pore_volume = volume;
  HP_FREE(r->end_points);
  HP_TRY(SHARE_CELLS(whole != NULL ? whole->end_points : NULL, r->end_points));
  return share_thresholds(D, whole);
}

/* Arrays that are the run's stay with it. */
static void destroy_reservoir(hp_subdomain *D) {
  if (D->res == NULL) return;
  if (hp_ranks_rank(D->K) == 0) D->res->threshold = NULL;
  HP_FREE(D->res->threshold_of);
  hp_reservoir_destroy(&D->res);
}

/* ---- all ---- */

/* Active cells of the columns of planes, rank 0: of all. */
static hp_status count_columns(hp_subdomain *D, const hp_subdomain_input *in, int32_t **all) {
  const hp_grid *g = in->grid;
  const int64_t columns = g != NULL ? g->owned / g->nz : 0;
  int32_t *mine = NULL;
  int64_t *begin = NULL;
  hp_status s = HP_ALLOC(mine, columns);
  if (s == HP_OK) s = HP_ALLOC(begin, D->ranks + 1);
  if (s == HP_OK && D->rank == 0) s = HP_ALLOC(*all, (int64_t)g->nx * g->ny);
  s = hp_ranks_agree(D->K, s);
  for (int64_t m = 0; s == HP_OK && m < columns * (g != NULL ? g->nz : 0); ++m)
    mine[m / g->nz] += in->res->active[m] != HP_CELL_INACTIVE;
  if (s == HP_OK) {
    hp_ranks_begins(D->K, columns, begin);
    hp_ranks_gather(D->K, 0, mine, *all, begin, sizeof *mine);
  }
  HP_FREE(mine);
  HP_FREE(begin);
  return s;
}

/* Columns of the ends of connections, rank 0: how many in each. */
static hp_status count_ends(hp_subdomain *D, const hp_subdomain_input *in, int32_t **all) {
  enum { PIECE = 1 << 15 };
  const hp_grid *g = in->grid;
  const hp_grid_connections *c = g != NULL ? &g->connection : NULL;
  int64_t *begin = NULL, *message = NULL;
  hp_status s = HP_ALLOC(begin, D->ranks + 1);
  if (s == HP_OK) s = HP_ALLOC(message, PIECE);
  if (s == HP_OK && D->rank == 0) s = HP_ALLOC(*all, (int64_t)g->nx * g->ny);
  s = hp_ranks_agree(D->K, s);
  if (s == HP_OK) hp_ranks_begins(D->K, c != NULL ? 2 * c->count : 0, begin);
  for (int r = D->rank; s == HP_OK && r < (D->rank == 0 ? D->ranks : D->rank + 1); ++r)
    for (int64_t at = begin[r]; at < begin[r + 1]; at += PIECE) {
      const int64_t n = begin[r + 1] - at < PIECE ? begin[r + 1] - at : PIECE;
      for (int64_t k = 0; k < n && r == D->rank; ++k) {
        const int64_t end = at - begin[r] + k;
        message[k] = (end % 2 == 0 ? c->a[end / 2] : c->b[end / 2]) / g->nz;
      }
      if (D->rank > 0) hp_ranks_send(D->K, 0, message, n * (int64_t)sizeof *message);
      if (r > 0 && D->rank == 0) hp_ranks_receive(D->K, r, message, n * (int64_t)sizeof *message);
      for (int64_t k = 0; k < n && D->rank == 0; ++k) (*all)[message[k]] += 1;
    }
  HP_FREE(begin);
  HP_FREE(message);
  return s;
}

/* in: rank 0's; whole: nz, ny, nx, chunk. */
static hp_status cut(hp_subdomain *D, const hp_subdomain_input *in, const int32_t *count, const int32_t *ends,
                     int64_t whole[4]) {
  const hp_bisection_input of = {.grid = in->grid,
                                 .active = count == NULL ? in->res->active : NULL,
                                 .count = count,
                                 .ends = ends,
                                 .wells = in->wells,
                                 .bricks = in->bricks};
  HP_TRY(hp_bisect_columns(&of, D->ranks, D->boxes, &D->cut));
  const int64_t sizes[4] = {in->grid->nz, in->grid->ny, in->grid->nx, D->cut.chunk};
  memcpy(whole, sizes, sizeof sizes);
  return HP_OK;
}

static hp_status create(hp_subdomain *D, const hp_subdomain_input *in) {
  hp_ranks *K = D->K;
  hp_part *p = &D->part;
  hp_subdomain_link *link = NULL;
  int64_t nlink = 0, whole[4] = {0};
  int32_t *count = NULL, *ends = NULL;
  const hp_subdomain_input *root = D->rank == 0 ? in : NULL;
  HP_TRY(hp_ranks_agree(K, HP_ALLOC(D->boxes, D->ranks)));
  D->spread = in != NULL ? in->spread : NULL;
  hp_status s = D->spread != NULL ? count_columns(D, in, &count) : HP_OK;
  if (s == HP_OK && D->spread != NULL) s = count_ends(D, in, &ends);
  if (s == HP_OK && root != NULL) s = cut(D, in, count, ends, whole);
  HP_FREE(count);
  HP_FREE(ends);
  HP_TRY(hp_ranks_agree(K, s));
  hp_ranks_broadcast(K, 0, whole, sizeof whole);
  hp_ranks_broadcast(K, 0, D->boxes, D->ranks * (int64_t)sizeof *D->boxes);
  for (int axis = 0; axis < 3; ++axis) p->size[axis] = (int)whole[axis];
  p->K = K;
  p->whole = whole[0] * whole[1] * whole[2];
  p->chunk = whole[3];
  HP_TRY(share_wells(D, root != NULL ? in->wells : NULL));
  s = send_links(D, D->spread != NULL || root != NULL ? in->grid : NULL, &link, &nlink);
  if (s == HP_OK) s = hp_subdomain_columns(D, D->wells, nlink, link);
  if (s == HP_OK) s = place_wells(D);
  if (s == HP_OK) s = create_grid(D);
  if (s == HP_OK) s = place_links(D, nlink, link);
  HP_FREE(link);
  HP_TRY(s);
  const hp_reservoir *r = in != NULL ? in->res : NULL;
  HP_TRY(hp_subdomain_cells_create(D));
  if (D->spread != NULL) HP_TRY(hp_subdomain_planes_create(D, in->grid));
  HP_TRY(put_geometry(D, r));
  HP_TRY(hp_subdomain_put_trans(D, r));
  HP_TRY(share_fluid(D, in != NULL ? in->fluid : NULL));
  HP_TRY(create_reservoir(D, r));
  HP_TRY(SHARE_CELLS(in != NULL ? in->region : NULL, D->region));
  HP_TRY(hp_subdomain_keep_changes(D, in != NULL ? in->nchange : 0, in != NULL ? in->change : NULL));
  return hp_subdomain_aquifers(D, in != NULL ? in->aquifers : NULL);
}

hp_status hp_subdomain_create(hp_ranks *K, const hp_subdomain_input *in, hp_subdomain **out) {
  hp_subdomain *D = NULL;
  *out = NULL;
  HP_TRY(hp_ranks_agree(K, HP_ALLOC(D, 1)));
  D->K = K;
  D->rank = hp_ranks_rank(K);
  D->ranks = hp_ranks_size(K);
  const hp_status s = create(D, in);
  if (s != HP_OK) hp_subdomain_destroy(&D);
  *out = D;
  return s;
}

void hp_subdomain_destroy(hp_subdomain **slot) {
  hp_subdomain *D = *slot;
  if (D == NULL) return;
  hp_subdomain_aquifers_destroy(D);
  hp_subdomain_drop_changes(D);
  destroy_wells(D);
  destroy_reservoir(D);
  destroy_fluid(D);
  hp_grid_destroy(&D->grid);
  destroy_links(D);
  hp_subdomain_cells_destroy(D);
  hp_subdomain_planes_destroy(D);
  hp_subdomain_drop_columns(D);
  HP_FREE(D->region);
  HP_FREE(D->boxes);
  HP_FREE(*slot);
}
