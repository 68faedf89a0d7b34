#include "sim/part/subdomain.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "sim/part/bisection.h"

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

/* Transmissibilities of the whole reservoir become the part's. */
static hp_status put_trans(hp_subdomain *D, const hp_reservoir *whole) {
  for (int d = 0; d < HP_DIRS; ++d) {
    HP_TRY(hp_subdomain_put(D, whole->trans[d], D->grid->trans[d], sizeof(double)));
    close_faces(D, d, D->grid->trans[d]);
  }
  return put_links(D, whole->link_trans, D->grid->connection.trans);
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

/* The run's arrays, but for the places of cells, and the slots, which the part's matrix fills in. */
static hp_status place_wells(hp_subdomain *D, const hp_wells *run) {
  hp_status s = HP_ALLOC(D->wells, 1);
  hp_wells *W = D->wells;
  if (s == HP_OK) {
    *W = *run;
    W->cell = W->perforated = W->slot = NULL;
    s = HP_ALLOC(W->cell, W->nentry);
  }
  if (s == HP_OK) s = HP_ALLOC(W->perforated, W->ncell);
  if (s == HP_OK) s = HP_ALLOC(W->slot, W->nentry);
  for (int64_t q = 0; s == HP_OK && q < W->nentry; ++q) W->cell[q] = hp_subdomain_place(D, run->cell[q]);
  for (int64_t n = 0; s == HP_OK && n < W->ncell; ++n) W->perforated[n] = hp_subdomain_place(D, run->perforated[n]);
  return hp_ranks_agree(D->K, s);
}

/* The rest is the run's. */
static void destroy_wells(hp_subdomain *D) {
  if (D->wells == NULL) return;
  HP_FREE(D->wells->cell);
  HP_FREE(D->wells->perforated);
  HP_FREE(D->wells->slot);
  HP_FREE(D->wells);
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
  HP_TRY(hp_subdomain_put(D, r->depth, g->depth, sizeof(double)));
  HP_TRY(hp_subdomain_put(D, r->pore_volume, g->pore_volume, sizeof(double)));
  HP_TRY(hp_subdomain_put(D, r->active, g->active, 1));
  for (int64_t m = 0; m < p->ncell; ++m)
    if (p->global[m] < 0) g->active[m] = HP_CELL_INACTIVE;
  for (int64_t n = 0; n < p->nghost; ++n) g->active[p->ghost[n]] = HP_CELL_INACTIVE;
  g->nactive = 0;
  for (int64_t m = 0; m < p->ncell; ++m) g->nactive += g->active[m] != HP_CELL_INACTIVE;
  return HP_OK;
}

/* Numbers of cells, where the deck has any: those of the run become *array of the part. */
static hp_status put_cells(hp_subdomain *D, const void *whole, void **array, size_t size) {
  *array = NULL;
  if (whole == NULL) return HP_OK;
  HP_TRY(hp_ranks_agree(D->K, hp_alloc(array, D->part.ncell, size, "numbers of cells")));
  return hp_subdomain_put(D, whole, *array, size);
}
#define PUT_CELLS(whole, array) put_cells(D, whole, (void **)&(array), sizeof *(array))

/* The deck's tables. */
static hp_status put_fluid(hp_subdomain *D, const hp_fluid_spec *deck) {
  hp_fluid_spec *f = &D->fluid;
  *f = *deck;
  f->of_sat = f->of_pvt = f->of_rock = f->of_imbibition = NULL;
  for (int n = 0; n < HP_ENDS; ++n) f->end[n] = f->imbibition_end[n] = NULL; /* their scales are put */
  HP_TRY(PUT_CELLS(deck->of_sat, f->of_sat));
  HP_TRY(PUT_CELLS(deck->of_imbibition, f->of_imbibition));
  for (int n = 0; n < HP_FACES; ++n) HP_TRY(PUT_CELLS(deck->of_face[n], f->of_face[n]));
  HP_TRY(PUT_CELLS(deck->of_pvt, f->of_pvt));
  return PUT_CELLS(deck->of_rock, f->of_rock);
}

static void destroy_fluid(hp_subdomain *D) {
  HP_FREE(D->fluid.of_sat);
  HP_FREE(D->fluid.of_imbibition);
  for (int n = 0; n < HP_FACES; ++n) HP_FREE(D->fluid.of_face[n]);
  HP_FREE(D->fluid.of_pvt);
  HP_FREE(D->fluid.of_rock);
}

/* Thresholds of pressure between regions, and of faults. */
static hp_status put_thresholds(hp_subdomain *D, const hp_reservoir *whole) {
  hp_reservoir *r = D->res;
  r->nthreshold = whole->nthreshold;
  r->threshold = whole->threshold;
  HP_TRY(PUT_CELLS(whole->threshold_of, r->threshold_of));
  for (int d = 0; d < HP_DIRS; ++d) HP_TRY(PUT_CELLS(whole->fault_threshold[d], r->fault_threshold[d]));
  int64_t there = whole->link_threshold != NULL;
  hp_ranks_sum(D->K, &there, 1);
  r->link_threshold = NULL;
  if (there == 0) return HP_OK;
  HP_TRY(hp_ranks_agree(D->K, HP_ALLOC(r->link_threshold, D->grid->connection.count)));
  return put_links(D, whole->link_threshold, r->link_threshold);
}

/* Tables may differ by the direction, which places behind the window do not say. */
static hp_status find_faces(hp_subdomain *D) {
  const hp_grid_connections *c = &D->grid->connection;
  const int64_t column = D->part.size[0], layer = column * D->part.size[1];
  if (!hp_reservoir_is_directed(D->res) || c->count == 0) return HP_OK;
  HP_TRY(HP_ALLOC(D->res->link_face, c->count));
  for (int64_t n = 0; n < c->count; ++n) {
    const int64_t a = D->part.global[c->a[n]], b = D->part.global[c->b[n]];
    const int d = a / layer != b / layer ? HP_DIR_I : a / column != b / column ? HP_DIR_J : HP_DIR_K;
    D->res->link_face[n] = (uint8_t)hp_face_of(d, a > b);
  }
  return HP_OK;
}

static hp_status create_reservoir(hp_subdomain *D, const hp_reservoir *whole) {
  HP_TRY(hp_ranks_agree(D->K, hp_reservoir_create(D->grid, &D->fluid, &D->res)));
  hp_reservoir *r = D->res;
  hp_links_order(&r->links, D->part.global);
  HP_TRY(hp_ranks_agree(D->K, find_faces(D)));
  r->total_pore_volume = whole->total_pore_volume;
  HP_FREE(r->end_points);
  HP_TRY(PUT_CELLS(whole->end_points, r->end_points));
  if (whole->hysteresis != NULL) HP_TRY(PUT_CELLS(whole->hysteresis->end_points, r->hysteresis->end_points));
  return put_thresholds(D, whole);
}

/* Arrays that are the run's stay with it. */
static void destroy_reservoir(hp_subdomain *D) {
  if (D->res == NULL) return;
  D->res->threshold = NULL;
  HP_FREE(D->res->threshold_of);
  hp_reservoir_destroy(&D->res);
}

/* ---- all ---- */

/* Active cells of the columns of planes, rank 0: of all. */
static hp_status count_columns(hp_subdomain *D, const hp_subdomain_input *in, int32_t **all) {
  const hp_grid *g = in->grid;
  const int64_t columns = g->owned / g->nz;
  int32_t *mine = NULL;
  int64_t *begin = NULL;
  hp_status s = HP_ALLOC(mine, columns);
  if (s == HP_OK) s = HP_ALLOC(begin, D->ranks + 1);
  if (s == HP_OK && D->rank == 0) s = HP_ALLOC(*all, (int64_t)g->nx * g->ny);
  s = hp_ranks_agree(D->K, s);
  for (int64_t m = 0; s == HP_OK && m < columns * g->nz; ++m) mine[m / g->nz] += in->res->active[m] != HP_CELL_INACTIVE;
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
  const hp_grid_connections *c = &g->connection;
  int64_t *begin = NULL, *message = NULL;
  hp_status s = HP_ALLOC(begin, D->ranks + 1);
  if (s == HP_OK) s = HP_ALLOC(message, PIECE);
  if (s == HP_OK && D->rank == 0) s = HP_ALLOC(*all, (int64_t)g->nx * g->ny);
  s = hp_ranks_agree(D->K, s);
  if (s == HP_OK) hp_ranks_begins(D->K, 2 * c->count, begin);
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

/* Rank 0; whole: nz, ny, nx, chunk. */
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
  /* of lists that all ranks have as a whole those of rank 0 count */
  const bool counts = in->spread != NULL || D->rank == 0;
  HP_TRY(hp_ranks_agree(K, HP_ALLOC(D->boxes, D->ranks)));
  D->spread = in->spread;
  hp_status s = D->spread != NULL ? count_columns(D, in, &count) : HP_OK;
  if (s == HP_OK && D->spread != NULL) s = count_ends(D, in, &ends);
  if (s == HP_OK && D->rank == 0) s = cut(D, in, count, ends, whole);
  HP_FREE(count);
  HP_FREE(ends);
  HP_TRY(hp_ranks_agree(K, s));
  hp_ranks_broadcast(K, 0, whole, sizeof whole);
  hp_ranks_broadcast(K, 0, D->boxes, D->ranks * (int64_t)sizeof *D->boxes);
  for (int axis = 0; axis < 3; ++axis) p->size[axis] = (int)whole[axis];
  p->K = K;
  p->whole = whole[0] * whole[1] * whole[2];
  p->chunk = whole[3];
  s = send_links(D, counts ? in->grid : NULL, &link, &nlink);
  if (s == HP_OK) s = hp_subdomain_columns(D, in->wells, nlink, link);
  if (s == HP_OK) s = place_wells(D, in->wells);
  if (s == HP_OK) s = create_grid(D);
  if (s == HP_OK) s = place_links(D, nlink, link);
  HP_FREE(link);
  HP_TRY(s);
  if (D->spread != NULL) HP_TRY(hp_subdomain_planes_create(D, in->grid));
  HP_TRY(put_geometry(D, in->res));
  HP_TRY(put_trans(D, in->res));
  HP_TRY(put_fluid(D, in->fluid));
  HP_TRY(create_reservoir(D, in->res));
  HP_TRY(PUT_CELLS(in->region, D->region));
  D->change = in->change;
  D->has_changes = counts;
  return hp_subdomain_aquifers(D, in->aquifers, counts);
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
  destroy_wells(D);
  destroy_reservoir(D);
  destroy_fluid(D);
  hp_grid_destroy(&D->grid);
  destroy_links(D);
  hp_subdomain_planes_destroy(D);
  hp_subdomain_drop_columns(D);
  HP_FREE(D->region);
  HP_FREE(D->boxes);
  HP_FREE(*slot);
}
