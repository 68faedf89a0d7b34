#include "sim/simulator/files.h"

#include <string.h>

#include "core/memory.h"
#include "sim/part/pieces.h"
#include "sim/part/remote.h"
#include "sim/simulator/well_paths.h"

/* ---- requests ---- */

/* Lists whose items rank 0 may request, each of which one rank has. X(NAME, function, bytes of an item) */
#define LIST_LIST(X)                                             \
  X(NODES, fill_nodes, 3 * sizeof(double))                       \
  X(CONNECTIONS, fill_connections, sizeof(hp_remote_connection)) \
  X(COORD, fill_coord, sizeof(double))                           \
  X(ZCORN, fill_zcorn, sizeof(double))                           \
  X(FACES, fill_faces, sizeof(hp_remote_face))

typedef enum {
#define LIST_ENUM(name, function, bytes) LIST_##name,
  LIST_LIST(LIST_ENUM)
#undef LIST_ENUM
      LISTS
} list_kind;

/* Items of a list, cells of the case's planes, of the state, columns of the system; the end of what is written. */
typedef enum { LIST, PLANES, STATE, SYSTEM, END } request_kind;

/* As it is sent: plain data. */
typedef struct {
  request_kind kind;
  int list;    /* list_kind */
  int aquifer; /* of FACES */
  int64_t first, count;
  union {
    hp_remote_request cells;
    hp_gh_piece piece;
  };
} request;

struct hp_sim_files {
  hp_sim *S;
  hp_remote_owners owners, of_nodes; /* of planes */
  hp_box *boxes;                     /* [2 ranks] planes of cells, then of nodes, as boxes of columns */
  hp_subdomain_remote planes, state;
  hp_remote from_planes, from_state; /* rank 0 */
  hp_gh_columns piece;
};

static request request_of(request_kind kind) {
  request q;
  memset(&q, 0, sizeof q);
  q.kind = kind;
  return q;
}

/* ---- cells of planes ---- */

static hp_status list_planes(struct hp_sim_files *F) {
  const hp_spread *P = F->S->c->spread;
  const hp_grid *g = F->S->c->grid;
  const int ranks = hp_ranks_size(F->S->K), ny = g->ny, nz = g->nz;
  HP_TRY(HP_ALLOC(F->boxes, 2 * (int64_t)ranks));
  for (int r = 0; r < ranks; ++r) {
    const hp_spread_planes p = hp_spread_planes_of(P, r, g->nx);
    const int end = p.first + p.owned, last = p.owned > 0 && end == g->nx;
    F->boxes[r] = (hp_box){.i0 = p.first, .i1 = end, .j0 = 0, .j1 = ny};
    F->boxes[ranks + r] = (hp_box){.i0 = p.first, .i1 = end + last, .j0 = 0, .j1 = ny + 1};
  }
  const int64_t first = g->planes.first;
  F->owners = (hp_remote_owners){.K = F->S->K, .rank = hp_ranks_rank(F->S->K), .ranks = ranks, .boxes = F->boxes};
  F->of_nodes = F->owners;
  F->owners.ny = ny;
  F->owners.nz = nz;
  F->owners.first = first * ny * nz;
  F->of_nodes.boxes = F->boxes + ranks;
  F->of_nodes.ny = ny + 1;
  F->of_nodes.nz = nz + 1;
  F->of_nodes.first = first * (ny + 1) * (nz + 1);
  return HP_OK;
}

static void fill_nodes(const hp_case *c, const request *q, void *to) {
  hp_case_split_places(c, q->first, q->count, to);
}

static void fill_connections(const hp_case *c, const request *q, void *to) {
  const hp_grid_connections *all = &c->grid->connection;
  hp_remote_connection *at = to;
  for (int64_t n = 0; n < q->count; ++n) {
    const int64_t here = q->first + n - c->facts.connection;
    if (here >= 0 && here < all->count) at[n] = (hp_remote_connection){all->a[here], all->b[here], all->trans[here]};
  }
}

/* Pillars of own columns, of the last plane those at its end, too. */
static void fill_coord(const hp_case *c, const request *q, void *to) {
  enum { POINTS = 6 };
  const hp_grid *g = c->grid;
  const hp_spread_planes p = g->planes;
  const int end = p.first + p.owned + (p.owned > 0 && p.first + p.owned == g->nx);
  double *at = to;
  for (int64_t n = q->first; n < q->first + q->count; ++n, ++at) {
    const int64_t pillar = n / POINTS, row = pillar / (g->nx + 1), i = pillar % (g->nx + 1);
    if (i >= p.first && i < end) *at = c->coord[(i - p.first + (p.held + 1) * row) * POINTS + n % POINTS];
  }
}

static void fill_zcorn(const hp_case *c, const request *q, void *to) {
  const hp_spread_planes p = c->grid->planes;
  const int64_t across = 2 * (int64_t)c->grid->nx, first = 2 * (int64_t)p.first;
  double *at = to;
  for (int64_t n = q->first; n < q->first + q->count; ++n, ++at) {
    const int64_t row = n / across, i = n % across;
    if (i >= first && i < first + 2 * (int64_t)p.owned) *at = c->zcorn[i - first + 2 * p.held * row];
  }
}

static void fill_faces(const hp_case *c, const request *q, void *to) {
  const hp_aquifer_spec *a = &c->aquifer[q->aquifer];
  hp_remote_face *at = to;
  for (int64_t n = 0; n < q->count; ++n) {
    const int64_t here = q->first + n - a->first;
    if (here >= 0 && here < a->nconnection) at[n] = (hp_remote_face){a->cell[here], a->weight[here]};
  }
}

/* Items for rank 0: to [count]; NULL elsewhere. */
static hp_status get_items(const struct hp_sim_files *F, const request *q, void *to) {
  static void (*const fill[LISTS])(const hp_case *, const request *, void *) = {
#define LIST_FUNCTION(name, function, bytes) [LIST_##name] = (function),
      LIST_LIST(LIST_FUNCTION)
#undef LIST_FUNCTION
  };
  static const size_t bytes[LISTS] = {
#define LIST_BYTES(name, function, bytes) [LIST_##name] = (bytes),
      LIST_LIST(LIST_BYTES)
#undef LIST_BYTES
  };
  hp_ranks *K = F->S->K;
  void *mine = NULL;
  HP_TRY(hp_ranks_agree(K, to == NULL ? hp_alloc(&mine, q->count, bytes[q->list], "items of a list") : HP_OK));
  void *at = to != NULL ? to : mine;
  memset(at, 0, (size_t)q->count * bytes[q->list]);
  fill[q->list](F->S->c, q, at);
  hp_ranks_sum(K, at, (int)(q->count * (int64_t)(bytes[q->list] / sizeof(int64_t)))); /* bits of one rank each */
  HP_FREE(mine);
  return HP_OK;
}

static hp_status get_of_planes(struct hp_sim_files *F, const hp_remote_request *q) {
  hp_subdomain_arrays a = {.array = {NULL}};
  const bool nodes = hp_remote_request_array(q) == HP_ARRAY_NODES;
  for (int n = HP_CELL_ARRAYS; n < HP_ARRAYS; ++n) a.array[n] = hp_case_array(F->S->c, (hp_array)n);
  return hp_subdomain_remote_do(nodes ? &F->of_nodes : &F->owners, &a, q, &F->planes);
}

/* ---- cells of the state ---- */

static hp_status get_of_state(struct hp_sim_files *F, const hp_remote_request *q) {
  hp_backend *B = F->S->backend;
  hp_subdomain_arrays a = {.array = {[HP_ARRAY_ACTIVE] = B->D->grid->active}};
  const hp_array asked = hp_remote_request_array(q);
  if (hp_remote_request_reads(q) && asked < HP_CELL_ARRAYS) HP_TRY(hp_backend_get(B, HP_ARRAY_BIT(asked)));
  HP_FOR_ARRAYS(n, B->has) a.array[n] = hp_backend_cell(B, (hp_array)n);
  double *const *derived = hp_sim_derived_arrays(F->S);
  for (int n = 0; derived != NULL && n < HP_DERIVED; ++n) a.array[HP_FIRST_DERIVED + n] = derived[n];
  const hp_remote_owners owners = hp_subdomain_remote_owners(B->D);
  return hp_subdomain_remote_do(&owners, &a, q, &F->state);
}

/* ---- rank 0 and the others ---- */

static hp_status carry_out(struct hp_sim_files *F, const request *q, void *to) {
  hp_backend *B = F->S->backend;
  switch (q->kind) {
    case LIST: return get_items(F, q, to);
    case PLANES: return get_of_planes(F, &q->cells);
    case STATE: return get_of_state(F, &q->cells);
    case SYSTEM: return hp_subdomain_piece(B->D, &B->here, &q->piece, &F->piece);
    case END: break;
  }
  return HP_OK;
}

/* The others wait for it in hp_sim_write. */
static hp_status make(struct hp_sim_files *F, request q, void *to) {
  hp_ranks_request(F->S->K, &q, sizeof q);
  return carry_out(F, &q, to);
}

static hp_status request_planes(void *arg, const hp_remote_request *cells) {
  request q = request_of(PLANES);
  q.cells = *cells;
  return make(arg, q, NULL);
}

static hp_status request_state(void *arg, const hp_remote_request *cells) {
  request q = request_of(STATE);
  q.cells = *cells;
  return make(arg, q, NULL);
}

/* arg: hp_remote.arg */
static hp_status request_items(void *arg, list_kind list, int aquifer, int64_t first, int64_t count, void *to) {
  const hp_subdomain_remote *planes = arg;
  request q = request_of(LIST);
  q.list = list;
  q.aquifer = aquifer;
  q.first = first;
  q.count = count;
  return make(planes->arg, q, to);
}

static hp_status get_nodes(void *arg, int64_t first, int64_t count, double *to) {
  return request_items(arg, LIST_NODES, 0, first, count, to);
}

static hp_status get_connections(void *arg, int64_t first, int64_t count, hp_remote_connection *to) {
  return request_items(arg, LIST_CONNECTIONS, 0, first, count, to);
}

static hp_status get_corners(void *arg, hp_remote_corners which, int64_t first, int64_t count, double *to) {
  return request_items(arg, which == HP_REMOTE_COORD ? LIST_COORD : LIST_ZCORN, 0, first, count, to);
}

static hp_status get_faces(void *arg, int aquifer, int64_t first, int64_t count, hp_remote_face *to) {
  return request_items(arg, LIST_FACES, aquifer, first, count, to);
}

static hp_status get_piece(void *arg, const hp_gh_piece *piece, const char **bytes, int64_t *size) {
  struct hp_sim_files *F = arg;
  request q = request_of(SYSTEM);
  q.piece = *piece;
  HP_TRY(make(F, q, NULL));
  *bytes = F->piece.bytes;
  *size = F->piece.size;
  return HP_OK;
}

static hp_status create_files(hp_sim *S) {
  HP_TRY(HP_ALLOC(S->files, 1));
  struct hp_sim_files *F = S->files;
  F->S = S;
  hp_subdomain_remote_functions(&F->planes, request_planes, F, &F->from_planes);
  hp_subdomain_remote_functions(&F->state, request_state, F, &F->from_state);
  F->from_planes.nodes = get_nodes;
  F->from_planes.connections = get_connections;
  F->from_planes.corners = get_corners;
  F->from_planes.faces = get_faces;
  return S->c->spread != NULL ? list_planes(F) : HP_OK;
}

hp_status hp_sim_files_create(hp_sim *S) { return S->K != NULL ? create_files(S) : HP_OK; }

void hp_sim_files_destroy(hp_sim *S) {
  struct hp_sim_files *F = S->files;
  if (F == NULL) return;
  hp_subdomain_remote_clear(&F->planes);
  hp_subdomain_remote_clear(&F->state);
  hp_gh_columns_clear(&F->piece);
  HP_FREE(F->boxes);
  HP_FREE(S->files);
}

hp_status hp_sim_write(hp_sim *S, hp_status (*write)(void *arg), void *arg) {
  if (S->K == NULL) return write(arg);
  request q = request_of(END);
  hp_status s = hp_ranks_is_first(S->K) ? write(arg) : HP_OK;
  for (;;) {
    hp_ranks_request(S->K, &q, sizeof q);
    if (q.kind == END) return hp_ranks_agree(S->K, s);
    s = carry_out(S->files, &q, NULL);
    s = HP_OK; /* rank 0 has the same, and decides */
  }
}

/* The cells of the case, before there is a backend; NULL: they are here as a whole. */
static const hp_remote *case_cells(const hp_sim *S) { return S->c->spread != NULL ? &S->files->from_planes : NULL; }

const hp_remote *hp_sim_state_cells(const hp_sim *S) { return S->K != NULL ? &S->files->from_state : NULL; }

hp_status hp_sim_pieces(hp_sim *S, hp_gh_source *out) {
  HP_TRY(hp_backend_pieces(S->backend, out));
  if (S->K == NULL) return HP_OK;
  out->arg = S->files;
  out->get = get_piece;
  return HP_OK;
}

/* ---- result files ---- */

typedef struct {
  hp_sim *S;
  hp_well_path **paths;
} preparation;

static hp_status prepare_output(void *arg) {
  const preparation *p = arg;
  hp_sim *S = p->S;
  HP_TRY(hp_well_paths_create(S->c, S->wells, p->paths));
  return hp_output_prepare(S->c, S->base, S->opt.command_line, S->c->nwell, *p->paths, case_cells(S), &S->output);
}

hp_status hp_sim_prepare_output(hp_sim *S, hp_well_path **paths) {
  return hp_sim_write(S, prepare_output, &(preparation){S, paths});
}

hp_output_parts hp_sim_use_parts(hp_sim *S) {
  const hp_subdomain *D = S->backend->D;
  hp_output_use_remote(S->output, hp_sim_state_cells(S));
  return D != NULL ? (hp_output_parts){.ranks = D->ranks, .box = D->boxes} : (hp_output_parts){.ranks = 0};
}

static hp_status close_output(void *arg) {
  hp_sim *S = arg;
  return hp_output_close(&S->output);
}

hp_status hp_sim_close_output(hp_sim *S) { return hp_sim_write(S, close_output, S); }
