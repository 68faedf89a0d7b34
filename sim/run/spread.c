#define _POSIX_C_SOURCE 200809L
#include "sim/run/spread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/test_hooks.h"
#include "io/deck/deck.h"
#include "sim/part/remote.h"

/* X(NAME, function): programs of all ranks. */
#define PROGRAM_LIST(X) \
  X(READ, read)         \
  X(PREPARE, prepare)   \
  X(CELLS, cells)

typedef enum {
#define PROGRAM_ENUM(name, function) PROGRAM_##name,
  PROGRAM_LIST(PROGRAM_ENUM)
#undef PROGRAM_ENUM
      PROGRAMS
} program_kind;

/* ---- cells for files ---- */

/* Lists whose items rank 0 may ask for, each of which one rank has. X(NAME, function, bytes of an item) */
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

/* As it is sent: plain data. */
typedef struct {
  int size[3];          /* nx, ny, nz */
  int list;             /* list_kind; LISTS: cells, */
  int aquifer;          /*   of FACES */
  int64_t first, count; /* so many items from `first` on, */
  hp_remote_request q;  /* or these cells */
} cells_request;

struct hp_sim_cells {
  int size[3];
  const hp_case *c; /* NULL: this rank has no planes */
  hp_remote_owners owners, of_nodes;
  hp_box *boxes; /* [2 ranks] planes of cells, then of nodes, as boxes of columns */
  hp_subdomain_remote pieces;
  hp_remote from; /* rank 0 */
};

static hp_status create_cells(const hp_spread *P, const hp_case *c, const int size[3], struct hp_sim_cells **out) {
  const int nx = size[0], ny = size[1], nz = size[2];
  hp_ranks *K = hp_spread_ranks(P);
  const int ranks = hp_ranks_size(K);
  struct hp_sim_cells *C = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  *out = C;
  C->c = c;
  memcpy(C->size, size, sizeof C->size);
  HP_TRY(HP_ALLOC(C->boxes, 2 * (int64_t)ranks));
  for (int r = 0; r < ranks; ++r) {
    const hp_spread_planes p = hp_spread_planes_of(P, r, nx);
    const int end = p.first + p.owned, last = p.owned > 0 && end == nx;
    C->boxes[r] = (hp_box){.i0 = p.first, .i1 = end, .j0 = 0, .j1 = ny};
    C->boxes[ranks + r] = (hp_box){.i0 = p.first, .i1 = end + last, .j0 = 0, .j1 = ny + 1};
  }
  const int64_t first = c != NULL ? c->grid->planes.first : 0;
  C->owners = (hp_remote_owners){.K = K, .rank = hp_ranks_rank(K), .ranks = ranks, .boxes = C->boxes};
  C->of_nodes = C->owners;
  C->owners.ny = ny;
  C->owners.nz = nz;
  C->owners.first = first * ny * nz;
  C->of_nodes.boxes = C->boxes + ranks;
  C->of_nodes.ny = ny + 1;
  C->of_nodes.nz = nz + 1;
  C->of_nodes.first = first * (ny + 1) * (nz + 1);
  return HP_OK;
}

void hp_sim_spread_cells_destroy(struct hp_sim_cells **slot) {
  struct hp_sim_cells *C = *slot;
  if (C == NULL) return;
  hp_subdomain_remote_clear(&C->pieces);
  HP_FREE(C->boxes);
  HP_FREE(*slot);
}

static void fill_nodes(const hp_case *c, const cells_request *q, void *to) {
  hp_case_split_places(c, q->first, q->count, to);
}

static void fill_connections(const hp_case *c, const cells_request *q, void *to) {
  const hp_grid_connections *all = &c->grid->connection;
  hp_remote_connection *at = to;
  for (int64_t n = 0; n < q->count; ++n) {
    const int64_t here = q->first + n - c->facts.connection;
    if (here >= 0 && here < all->count) at[n] = (hp_remote_connection){all->a[here], all->b[here], all->trans[here]};
  }
}

/* Pillars of own columns, of the last plane those at its end, too. */
static void fill_coord(const hp_case *c, const cells_request *q, void *to) {
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

static void fill_zcorn(const hp_case *c, const cells_request *q, void *to) {
  const hp_spread_planes p = c->grid->planes;
  const int64_t across = 2 * (int64_t)c->grid->nx, first = 2 * (int64_t)p.first;
  double *at = to;
  for (int64_t n = q->first; n < q->first + q->count; ++n, ++at) {
    const int64_t row = n / across, i = n % across;
    if (i >= first && i < first + 2 * (int64_t)p.owned) *at = c->zcorn[i - first + 2 * p.held * row];
  }
}

static void fill_faces(const hp_case *c, const cells_request *q, void *to) {
  const hp_aquifer_spec *a = &c->aquifer[q->aquifer];
  hp_remote_face *at = to;
  for (int64_t n = 0; n < q->count; ++n) {
    const int64_t here = q->first + n - a->first;
    if (here >= 0 && here < a->nconnection) at[n] = (hp_remote_face){a->cell[here], a->weight[here]};
  }
}

/* Items for rank 0: to [count]; NULL elsewhere. */
static hp_status carry_out_list(const struct hp_sim_cells *C, const cells_request *q, void *to) {
  static void (*const fill[LISTS])(const hp_case *, const cells_request *, void *) = {
#define LIST_FUNCTION(name, function, bytes) [LIST_##name] = (function),
      LIST_LIST(LIST_FUNCTION)
#undef LIST_FUNCTION
  };
  static const size_t bytes[LISTS] = {
#define LIST_BYTES(name, function, bytes) [LIST_##name] = (bytes),
      LIST_LIST(LIST_BYTES)
#undef LIST_BYTES
  };
  hp_ranks *K = C->owners.K;
  void *mine = NULL;
  HP_TRY(hp_ranks_agree(K, to == NULL ? hp_alloc(&mine, q->count, bytes[q->list], "items of a list") : HP_OK));
  void *at = to != NULL ? to : mine;
  memset(at, 0, (size_t)q->count * bytes[q->list]);
  if (C->c != NULL) fill[q->list](C->c, q, at);
  hp_ranks_sum(K, at, (int)(q->count * (int64_t)(bytes[q->list] / sizeof(int64_t)))); /* bits of one rank each */
  HP_FREE(mine);
  return HP_OK;
}

static hp_status carry_out(struct hp_sim_cells *C, const hp_remote_request *q) {
  hp_subdomain_arrays a = {.array = {NULL}};
  const bool nodes = hp_remote_request_array(q) == HP_ARRAY_NODES;
  for (int n = HP_CELL_ARRAYS; n < HP_ARRAYS && C->c != NULL; ++n) a.array[n] = hp_case_array(C->c, (hp_array)n);
  return hp_subdomain_remote_do(nodes ? &C->of_nodes : &C->owners, &a, q, &C->pieces);
}

static hp_status call_cells(void *arg, const hp_remote_request *q) {
  struct hp_sim_cells *C = arg;
  cells_request all;
  memset(&all, 0, sizeof all);
  memcpy(all.size, C->size, sizeof all.size);
  all.list = LISTS;
  all.q = *q;
  hp_backend_call(C->owners.K, PROGRAM_CELLS);
  hp_ranks_broadcast(C->owners.K, 0, &all, sizeof all);
  return carry_out(C, &all.q);
}

/* arg: hp_remote.arg */
static hp_status call_list(void *arg, list_kind list, int aquifer, int64_t first, int64_t count, void *to) {
  const hp_subdomain_remote *F = arg;
  struct hp_sim_cells *C = F->arg;
  cells_request all;
  memset(&all, 0, sizeof all);
  memcpy(all.size, C->size, sizeof all.size);
  all.list = list;
  all.aquifer = aquifer;
  all.first = first;
  all.count = count;
  hp_backend_call(C->owners.K, PROGRAM_CELLS);
  hp_ranks_broadcast(C->owners.K, 0, &all, sizeof all);
  return carry_out_list(C, &all, to);
}

static hp_status get_nodes(void *arg, int64_t first, int64_t count, double *to) {
  return call_list(arg, LIST_NODES, 0, first, count, to);
}

static hp_status get_connections(void *arg, int64_t first, int64_t count, hp_remote_connection *to) {
  return call_list(arg, LIST_CONNECTIONS, 0, first, count, to);
}

static hp_status get_corners(void *arg, hp_remote_corners which, int64_t first, int64_t count, double *to) {
  return call_list(arg, which == HP_REMOTE_COORD ? LIST_COORD : LIST_ZCORN, 0, first, count, to);
}

static hp_status get_faces(void *arg, int aquifer, int64_t first, int64_t count, hp_remote_face *to) {
  return call_list(arg, LIST_FACES, aquifer, first, count, to);
}

hp_status hp_sim_spread_cells(hp_sim *S, const hp_remote **out) {
  const hp_grid *g = S->c->grid;
  *out = NULL;
  if (S->c->spread == NULL) return HP_OK;
  if (S->cells == NULL) HP_TRY(create_cells(S->c->spread, S->c, (const int[]){g->nx, g->ny, g->nz}, &S->cells));
  hp_remote *from = &S->cells->from;
  hp_subdomain_remote_functions(&S->cells->pieces, call_cells, S->cells, from);
  from->nodes = get_nodes;
  from->connections = get_connections;
  from->corners = get_corners;
  from->faces = get_faces;
  *out = from;
  return HP_OK;
}

/* ---- rank 0 ---- */

/* The words of a command, one after the other with their ends. */
static hp_status send_words(hp_ranks *K, const char *path, int nset, const char *const *set) {
  int64_t size[2] = {nset, (int64_t)strlen(path) + 1};
  char *text = NULL, *at;
  for (int n = 0; n < nset; ++n) size[1] += (int64_t)strlen(set[n]) + 1;
  HP_TRY(hp_alloc((void **)&text, size[1], 1, "words of a command"));
  at = stpcpy(text, path) + 1;
  for (int n = 0; n < nset; ++n) at = stpcpy(at, set[n]) + 1;
  hp_backend_call(K, PROGRAM_READ);
  hp_ranks_broadcast(K, 0, size, sizeof size);
  hp_ranks_broadcast(K, 0, text, size[1]);
  HP_FREE(text);
  return HP_OK;
}

/* HP_ERR_WHOLE, and whatever else it may be: not that way. */
static hp_status read_spread(hp_ranks *K, const char *path, int nset, const char *const *set, hp_diag *diag,
                             hp_case **out) {
  hp_spread *P = NULL;
  HP_TRY(send_words(K, path, nset, set));
  HP_TRY(hp_spread_create(K, &P));
  const hp_status s = hp_case_read_spread(P, path, nset, set, diag, out);
  if (s != HP_OK) hp_spread_destroy(&P);
  return s;
}

/* The deck by all ranks; *why: for what rank 0 needs all cells, "": it does not, or has errors to tell. */
static hp_status try_spread(const char *path, int nset, const char *const *set, hp_diag *diag, hp_case **out,
                            char why[HP_CASE_WHY]) {
  hp_diag found;
  hp_diag_init(&found);
  const hp_status s = read_spread(hp_ranks_world(), path, nset, set, &found, out);
  if (s == HP_OK) *diag = found;
  else hp_diag_clear(&found);
  if (s == HP_ERR_WHOLE && strcmp(hp_fail_text(), HP_SPREAD_ERRORS) != 0)
    snprintf(why, HP_CASE_WHY, "%s", hp_fail_text());
  return s;
}

hp_status hp_sim_read(const char *path, int nset, const char *const *set, hp_diag *diag, hp_case **out) {
  const bool several = hp_ranks_world() != NULL && hp_test_hooks_get()->ranks_whole < 0;
  char why[HP_CASE_WHY] = "";
  if (several && try_spread(path, nset, set, diag, out, why) == HP_OK) return HP_OK;
  const hp_status s = hp_case_read(path, nset, set, diag, out);
  if (s == HP_OK && several && hp_ranks_size(hp_ranks_world()) > 1)
    hp_diag_note(diag, (*out)->deck, 0, "rank 0 holds all cells at first, for %s",
                 why[0] != '\0' ? why : "what ranks found at fault and it does not");
  return s;
}

void hp_sim_spread_prepare(const hp_run_options *opt) {
  hp_run_options plain = *opt;
  plain.device = NULL;
  plain.ahead = NULL;
  plain.command_line = NULL;
  plain.observer = NULL;
  plain.kept = NULL;
  hp_backend_call(hp_ranks_world(), PROGRAM_PREPARE);
  hp_ranks_broadcast(hp_ranks_world(), 0, &plain, sizeof plain);
}

/* ---- the others ---- */

/* This rank's share of the run that is being made. */
typedef struct {
  hp_spread *P;
  hp_case *c; /* NULL: it has no planes */
  hp_sim *S;
  struct hp_sim_cells *cells;
  hp_backend_input in;
} service;

/* All of it goes, as soon as the part has its cells. */
static void drop(service *V) {
  hp_sim_spread_cells_destroy(&V->cells);
  hp_sim_destroy(&V->S);
  if (V->c != NULL) V->P = NULL; /* which is the case's */
  hp_case_destroy(&V->c);
  hp_spread_destroy(&V->P);
}

static hp_status receive_words(hp_ranks *K, char **text, int *nset, const char ***set) {
  int64_t size[2] = {0, 0};
  hp_ranks_broadcast(K, 0, size, sizeof size);
  *nset = (int)size[0];
  hp_status s = hp_alloc((void **)text, size[1], 1, "words of a command");
  if (s == HP_OK) s = HP_ALLOC(*set, size[0] + 1);
  if (s != HP_OK) return s;
  hp_ranks_broadcast(K, 0, *text, size[1]);
  const char *at = *text;
  for (int n = 0; n < *nset; ++n) (*set)[n] = at = at + strlen(at) + 1;
  return HP_OK;
}

static void read(service *V, hp_ranks *K) {
  char *text = NULL;
  const char **set = NULL;
  int nset = 0;
  hp_diag diag;
  drop(V);
  if (receive_words(K, &text, &nset, &set) != HP_OK) hp_ranks_end_all(K, EXIT_FAILURE);
  hp_diag_init(&diag);
  hp_status s = hp_spread_create(K, &V->P);
  if (s == HP_OK) s = hp_case_read_spread(V->P, text, nset, set, &diag, &V->c);
  if (s != HP_OK) drop(V); /* rank 0 has the same status */
  hp_diag_clear(&diag);
  HP_FREE(text);
  HP_FREE(set);
}

static void prepare(service *V, hp_ranks *K) {
  hp_run_options opt;
  hp_ranks_broadcast(K, 0, &opt, sizeof opt);
  const hp_status s = hp_sim_prepare_spread(V->P, V->c, &opt, "", &V->S);
  if (s != HP_OK) drop(V);
}

static void cells(service *V, hp_ranks *K) {
  cells_request all;
  hp_ranks_broadcast(K, 0, &all, sizeof all);
  const hp_status s = V->cells == NULL ? create_cells(V->P, V->c, all.size, &V->cells) : HP_OK;
  if (s != HP_OK) hp_ranks_end_all(K, EXIT_FAILURE);
  const hp_status done = all.list != LISTS ? carry_out_list(V->cells, &all, NULL) : carry_out(V->cells, &all.q);
  (void)done; /* rank 0 has the same, and decides */
}

static void (*const functions[])(service *, hp_ranks *) = {
#define PROGRAM_FUNCTION(name, function) [PROGRAM_##name] = function,
    PROGRAM_LIST(PROGRAM_FUNCTION)
#undef PROGRAM_FUNCTION
};

static void do_program(void *arg, hp_ranks *K, int program) { functions[program](arg, K); }

static void drop_all(void *arg) { drop(arg); }

static const hp_backend_input *input(void *arg) {
  service *V = arg;
  if (V->P == NULL) return NULL;
  V->in = (hp_backend_input){.spread = V->P, .parted = drop_all, .parted_arg = V};
  if (V->S == NULL) return &V->in;
  V->S->releases = V->c;
  if (hp_sim_release_rest(V->S) != HP_OK) hp_ranks_end_all(hp_ranks_world(), EXIT_FAILURE);
  V->in.grid = V->c->grid;
  V->in.fluid = &V->c->fluid;
  V->in.res = V->S->res;
  V->in.wells = V->S->wells;
  V->in.aquifers = V->S->aquifers;
  V->in.region = V->S->region != NULL ? V->c->fip : NULL;
  V->in.nchange = V->c->ntrans_event;
  V->in.change = V->c->trans_event;
  return &V->in;
}

hp_status hp_sim_serve(hp_ranks *K, int *code) {
  service V = {.P = NULL};
  const hp_backend_service all = {.arg = &V, .program = do_program, .input = input};
  const hp_status s = hp_backend_serve(K, &all, code);
  drop(&V);
  return s;
}
