/* Time steps by several processes. Each has a subdomain (sim/part/subdomain.h) and a backend of its own on it, of the CPU or
 * on a GPU; what rank 0 is asked, it tells the others, and all do it with their parts:
 *
 *     rank 0                                        the others
 *     hp_backend_ops  ->  order + work              hp_backend_serve: order, work, order, ...
 *
 * Sums and decisions in the programs are the same on all (core/team/team.h), so that their reports are. A failure on one rank
 * is one of all at the end of each order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/ahead.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/plural.h"
#include "core/profile.h"
#include "core/show.h"
#include "sim/backend/backend.h"
#include "sim/part/far.h"
#include "sim/part/subdomain.h"
#include "sim/part/system.h"

/* X(NAME, function): what rank 0 orders. */
#define ORDER_LIST(X)         \
  X(START, start)             \
  X(BEGIN, begin)             \
  X(ASSEMBLE, assemble)       \
  X(UPDATE, update)           \
  X(RESTORE, restore)         \
  X(ACCEPT, accept)           \
  X(ERROR, carry_error)       \
  X(SOLVE, solve)             \
  X(PUT_STATE, put_state)     \
  X(GET_STATE, get_state)     \
  X(PUT_WELLS, put_wells)     \
  X(PUT_TRANS, put_trans)     \
  X(PUT_BALANCE, put_balance) \
  X(GET_BALANCE, get_balance) \
  X(PUT_ERROR, put_error)     \
  X(GET_ERROR, get_error)     \
  X(GET_SYSTEM, get_system)   \
  X(TELL, tell)               \
  X(FAR, far)

typedef enum {
#define ORDER_ENUM(name, function) ORDER_##name,
  ORDER_LIST(ORDER_ENUM)
#undef ORDER_ENUM
      ORDER_CREATE,
  ORDER_PROGRAM,
  ORDER_DESTROY,
  ORDER_DISMISS
} order_kind;

/* As it is sent. */
typedef struct {
  order_kind kind;
  double dt, weight, tolerance;
  int jacobian, control, retry, solve; /* also the exit code of a dismissal, the number of a program */
  hp_far_request far;
} order;

typedef struct {
  hp_backend base; /* rank 0: as the run sees it */
  hp_ranks *K;
  hp_subdomain *D;
  hp_backend *own;        /* of the part; NULL while it is not made */
  bool fetched[3];        /* its state, balance and error, if it is on a GPU, are on the host */
  const hp_grid *grid;    /* rank 0: the run's */
  hp_whole_system system; /* rank 0: as one, when it is asked for */
  hp_profile profile;     /* of ranks but 0 */
  hp_step_well *row;      /* [nwell] likewise */
  int threads;
  double began;                          /* the first order after its making */
  hp_ranks_spent before[HP_RANKS_KINDS]; /* by then */
  hp_backend_rank *told;                 /* [ranks] rank 0 */
  hp_far from;                           /* rank 0: its fields, piece by piece */
  hp_subdomain_far pieces;
} ranks;

/* Where the results of an order go. */
typedef struct {
  hp_step_report *report;
  hp_step_well *row;
  hp_krylov_report *k;
} results;

static bool is_root(const ranks *C) { return hp_ranks_rank(C->K) == 0; }

/* ---- the part's state on the host ---- */

typedef enum { STATE, BALANCE, ERRORS } fetch_kind;

/* From the GPU, where the part's backend has one and nobody has fetched it since it changed. */
static hp_status fetch(ranks *C, fetch_kind what) {
  const hp_backend_ops *ops = C->own->ops;
  if (!C->own->device || C->fetched[what]) return HP_OK;
  const hp_status s = what == STATE     ? ops->get_state(C->own)
                      : what == BALANCE ? ops->get_balance(C->own)
                                        : ops->get_error(C->own);
  C->fetched[what] = s == HP_OK;
  return s;
}

/* ---- orders, as every rank carries them out ---- */

static void set_step(const ranks *C, double dt) {
  hp_aquifers_set_step(C->D->all_aquifers, dt);
  hp_subdomain_put_aquifers(C->D);
}

static hp_status start(ranks *C, const order *o, results *r) {
  (void)o;
  set_step(C, HP_STEP_START_DT);
  return C->own->ops->start(C->own, r->report);
}

static hp_status begin(ranks *C, const order *o, results *r) {
  (void)o, (void)r;
  return C->own->ops->begin(C->own);
}

static hp_status assemble(ranks *C, const order *o, results *r) {
  set_step(C, o->dt);
  return C->own->ops->assemble(C->own, o->dt, o->jacobian != 0, o->control != 0, o->retry, r->report);
}

/* Wells of other ranks: what their owners found. */
static hp_status update(ranks *C, const order *o, results *r) {
  const hp_backend_ops *ops = C->own->ops;
  (void)o, (void)r;
  HP_TRY(ops->renew_update(C->own));
  HP_TRY(ops->update(C->own));
  return ops->renew_state(C->own);
}

static hp_status restore(ranks *C, const order *o, results *r) {
  (void)o, (void)r;
  return C->own->ops->restore(C->own);
}

static hp_status accept(ranks *C, const order *o, results *r) {
  HP_TRY(C->own->ops->accept(C->own, o->dt, o->weight, r->row, r->report));
  hp_subdomain_get_rates(C->D);
  hp_aquifers_accept(C->D->all_aquifers, o->dt);
  hp_subdomain_put_aquifers(C->D);
  return HP_OK;
}

static hp_status carry_error(ranks *C, const order *o, results *r) {
  return C->own->ops->error(C->own, o->dt, o->solve != 0, o->tolerance, r->row, r->k);
}

/* Every rank has the residuals of all wells; those of its own count. */
static hp_status solve(ranks *C, const order *o, results *r) {
  (void)o;
  HP_TRY(C->own->ops->drop_rhs(C->own));
  return C->own->ops->solve(C->own, r->k);
}

/* Arrays of the run's reservoir, on rank 0; until the parts are there, of planes on all ranks that have any. */
static hp_reservoir *whole(const ranks *C) { return C->base.res; }

static hp_status put_state(ranks *C, const order *o, results *r) {
  const hp_reservoir *w = whole(C);
  hp_reservoir *here = C->D->res;
  (void)o, (void)r;
  HP_TRY(hp_subdomain_put(C->D, w != NULL ? w->p : NULL, here->p, sizeof(double)));
  HP_TRY(hp_subdomain_put(C->D, w != NULL ? w->s : NULL, here->s, sizeof(double)));
  if (here->compaction != NULL && here->compaction->lowest != NULL)
    HP_TRY(hp_subdomain_put(C->D, w != NULL ? w->compaction->lowest : NULL, here->compaction->lowest, sizeof(double)));
  hp_subdomain_put_wells(C->D);
  hp_subdomain_put_aquifers(C->D);
  return C->own != NULL ? C->own->ops->put_state(C->own) : HP_OK;
}

static hp_status get_state(ranks *C, const order *o, results *r) {
  hp_reservoir *w = whole(C);
  const hp_reservoir *here = C->D->res;
  hp_status room = HP_OK; /* rank 0 may have given its own up */
  (void)o, (void)r;
  if (w != NULL && w->p == NULL) room = HP_ALLOC(w->p, w->ncell);
  if (w != NULL && w->s == NULL && room == HP_OK) room = HP_ALLOC(w->s, w->ncell);
  if (room == HP_OK) room = fetch(C, STATE);
  HP_TRY(hp_ranks_agree(C->K, room));
  hp_subdomain_get(C->D, here->p, w != NULL ? w->p : NULL, sizeof(double));
  hp_subdomain_get(C->D, here->s, w != NULL ? w->s : NULL, sizeof(double));
  int64_t lowest = w != NULL && w->compaction != NULL && w->compaction->lowest != NULL;
  hp_ranks_broadcast(C->K, 0, &lowest, sizeof lowest);
  if (lowest != 0)
    hp_subdomain_get(C->D, here->compaction->lowest, w != NULL ? w->compaction->lowest : NULL, sizeof(double));
  return HP_OK;
}

static hp_status put_wells(ranks *C, const order *o, results *r) {
  (void)o, (void)r;
  hp_subdomain_put_wells(C->D);
  return C->own->ops->put_wells(C->own);
}

static hp_status put_trans(ranks *C, const order *o, results *r) {
  (void)o, (void)r;
  HP_TRY(hp_subdomain_put_trans(C->D, whole(C)));
  return C->own->ops->put_trans(C->own);
}

static hp_status put_balance(ranks *C, const order *o, results *r) {
  hp_reservoir *here = C->D->res;
  (void)o, (void)r;
  const hp_status s = here->mass_old == NULL ? HP_ALLOC(here->mass_old, HP_PHASES * here->ncell) : HP_OK;
  HP_TRY(hp_ranks_agree(C->K, s));
  const double *old = is_root(C) ? whole(C)->mass_old : NULL;
  HP_TRY(hp_subdomain_put(C->D, old, here->mass_old, HP_PHASES * sizeof(double)));
  return C->own->ops->put_balance(C->own);
}

static hp_status get_balance(ranks *C, const order *o, results *r) {
  hp_reservoir *w = whole(C);
  (void)o, (void)r;
  hp_status s = w != NULL && w->mass_old == NULL ? HP_ALLOC(w->mass_old, HP_PHASES * w->ncell) : HP_OK;
  if (s == HP_OK) s = fetch(C, BALANCE);
  HP_TRY(hp_ranks_agree(C->K, s));
  hp_subdomain_get(C->D, C->D->res->mass_old, w != NULL ? w->mass_old : NULL, HP_PHASES * sizeof(double));
  return HP_OK;
}

static hp_status put_error(ranks *C, const order *o, results *r) {
  hp_backend *own = C->own;
  const int64_t count = HP_PHASES * C->D->res->ncell;
  hp_status s = HP_OK;
  (void)o, (void)r;
  if (own->error == NULL) s = HP_ALLOC(own->error, count);
  if (own->change == NULL && s == HP_OK) s = HP_ALLOC(own->change, count);
  HP_TRY(hp_ranks_agree(C->K, s));
  HP_TRY(hp_subdomain_put(C->D, C->base.error, own->error, HP_PHASES * sizeof(float)));
  HP_TRY(hp_subdomain_put(C->D, C->base.change, own->change, HP_PHASES * sizeof(float)));
  return own->ops->put_error(own);
}

static hp_status get_error(ranks *C, const order *o, results *r) {
  hp_backend *B = &C->base;
  hp_status s = HP_OK;
  (void)o, (void)r;
  if (is_root(C) && B->error == NULL) s = HP_ALLOC(B->error, HP_PHASES * B->res->ncell);
  if (s == HP_OK && is_root(C) && B->change == NULL) s = HP_ALLOC(B->change, HP_PHASES * B->res->ncell);
  if (s == HP_OK) s = fetch(C, ERRORS);
  HP_TRY(hp_ranks_agree(C->K, s));
  hp_subdomain_get(C->D, C->own->error, B->error, HP_PHASES * sizeof(float));
  hp_subdomain_get(C->D, C->own->change, B->change, HP_PHASES * sizeof(float));
  return HP_OK;
}

/* Of itself, to rank 0. */
static hp_status tell(ranks *C, const order *o, results *r) {
  const hp_part *p = &C->D->part;
  hp_backend_rank mine = {.active = C->D->grid->nactive,
                          .ghosts = p->nghost,
                          .neighbours = hp_exchange_neighbours(p->cells),
                          .memory = hp_memory_peak(),
                          .seconds = hp_now() - C->began};
  int64_t *begin = NULL;
  (void)o, (void)r;
  for (int k = 0; k < HP_RANKS_KINDS; ++k) {
    mine.in[k] = hp_ranks_spent_in(C->K, (hp_ranks_kind)k);
    mine.in[k].seconds -= C->before[k].seconds;
    mine.in[k].calls -= C->before[k].calls;
  }
  HP_TRY(hp_ranks_agree(C->K, HP_ALLOC(begin, C->D->ranks + 1)));
  for (int n = 0; n <= C->D->ranks; ++n) begin[n] = n;
  hp_ranks_gather(C->K, 0, &mine, C->told, begin, sizeof mine);
  HP_FREE(begin);
  return HP_OK;
}

/* The residual of a part on a GPU is minus its right-hand side, whose ghosts a solve has dropped: their owners have it. */
static void restore_residual(const hp_part *p, const hp_backend_system *system) {
  const hp_gh *J = system->J;
  hp_part_renew(p, (double *)system->b, HP_PHASES, true);
  for (int n = 0; n < p->nwell; ++n) ((double *)system->R)[J->ld + n] = -system->b[J->ld + n];
}

/* Wells of other ranks: their unknowns by an exchange; their right-hand sides, where a solve has dropped them, are minus
 * the residuals, which every rank has. */
static hp_status get_system(ranks *C, const order *o, results *r) {
  const hp_part *p = &C->D->part;
  hp_reservoir *w = whole(C);
  hp_backend_system system;
  (void)r;
  HP_TRY(C->own->ops->system(C->own, o->solve != 0, &system));
  if (system.x != NULL) hp_part_renew(p, (double *)system.x, HP_PHASES, true);
  if (C->own->device) restore_residual(p, &system);
  double *b = (double *)system.b + system.J->ld;
  for (int n = 0; n < p->nwell; ++n)
    if (!p->owns_well[n]) b[n] = -system.R[system.J->ld + n];
  const bool absent = w != NULL && w->scale == NULL;
  HP_TRY(hp_ranks_agree(C->K, absent ? HP_ALLOC(w->scale, HP_PHASES * w->ncell) : HP_OK));
  const hp_status s = hp_whole_system_get(C->D, system.J, system.R, system.b, system.x, C->grid, C->base.wells,
                                          o->solve != 0, w != NULL ? w->scale : NULL, &C->system);
  hp_part_drop(p, (double *)system.b, HP_PHASES);
  return s;
}

/* Pieces of the state, for files. */
static hp_status far(ranks *C, const order *o, results *r) {
  const hp_reservoir *here = C->D->res;
  hp_subdomain_arrays a = {.width = {[HP_FAR_ERROR] = sizeof(float), [HP_FAR_CHANGE] = sizeof(float)}};
  const bool errors = o->far.array == HP_FAR_ERROR || o->far.array == HP_FAR_CHANGE;
  (void)r;
  HP_TRY(hp_ranks_agree(C->K, fetch(C, o->far.pack                      ? STATE
                                       : o->far.array == HP_FAR_BALANCE ? BALANCE
                                       : errors                         ? ERRORS
                                                                        : STATE)));
  a.array[HP_FAR_PRESSURE] = here->p;
  a.array[HP_FAR_WATER] = here->s;
  a.array[HP_FAR_LOWEST] = here->compaction != NULL ? here->compaction->lowest : NULL;
  a.array[HP_FAR_BALANCE] = here->mass_old;
  a.array[HP_FAR_ERROR] = C->own->error;
  a.array[HP_FAR_CHANGE] = C->own->change;
  const hp_far_owners owners = hp_subdomain_far_owners(C->D);
  return hp_subdomain_far_do(&owners, &a, &o->far, &C->pieces);
}

static hp_status (*const functions[])(ranks *, const order *, results *) = {
#define ORDER_FUNCTION(name, function) [ORDER_##name] = function,
    ORDER_LIST(ORDER_FUNCTION)
#undef ORDER_FUNCTION
};

/* A GPU that is lost in the middle of an order leaves other ranks waiting for messages that do not come. */
static void give_up(const ranks *C, hp_status s, bool in_solve) {
  const bool alone = s == HP_ERR_DEVICE || s == HP_ERR_TEAM || (s == HP_ERR_MEMORY && in_solve);
  if (!alone || C->own == NULL || !C->own->device || hp_ranks_size(C->K) == 1) return;
  fprintf(stderr, "hepta: error: rank %d: %s\n", hp_ranks_rank(C->K), hp_fail_text());
  hp_ranks_end_all(C->K, EXIT_FAILURE);
}

/* After these the part's state is what it was. */
static bool only_looks(order_kind kind) {
  return kind == ORDER_GET_STATE || kind == ORDER_GET_BALANCE || kind == ORDER_GET_ERROR || kind == ORDER_GET_SYSTEM ||
         kind == ORDER_TELL || kind == ORDER_FAR;
}

static hp_status carry_out(ranks *C, const order *o, results *r) {
  if (!only_looks(o->kind)) memset(C->fetched, 0, sizeof C->fetched);
  const hp_status s = functions[o->kind](C, o, r);
  if (s != HP_OK) give_up(C, s, o->kind == ORDER_SOLVE || o->kind == ORDER_ERROR);
  return hp_ranks_agree(C->K, s);
}

/* ---- making and ending ---- */

/* Plain options that ranks need of rank 0. */
typedef struct {
  hp_linear_options linear;
  hp_newton_options newton;
  hp_backend_kind kind;
  int threads, time_error;
  int gpus, gpu[HP_GPUS_MAX]; /* of each host, as in hp_device_options */
} settings;

/* The rank's GPU: those of its host, or the list's, in turn. */
static hp_status choose_gpu(const hp_ranks *K, const settings *set, hp_device_options *out) {
  const int local = hp_ranks_local(K);
  int visible = 0;
  memset(out, 0, sizeof *out);
  if (set->kind != HP_BACKEND_CUDA) return HP_OK;
  HP_TRY(hp_device_count(&visible));
  out->ordinal = set->gpus > 0 ? set->gpu[local % set->gpus] : local % visible;
  return HP_OK;
}

/* Of a rank with a GPU, for what its host makes of cpr: the processors that it may use, shared by the ranks of its host. */
static int device_threads(hp_ranks *K) {
  enum { MOST = 16 };
  double last = hp_ranks_local(K);
  hp_ranks_max(K, &last, 1);
  const int mine = hp_processors() / ((int)last + 1);
  return mine < 1 ? 1 : mine < MOST ? mine : MOST;
}

static void destroy(ranks **slot) {
  ranks *C = *slot;
  if (C == NULL) return;
  hp_whole_system_clear(&C->system);
  hp_backend_destroy(&C->own);
  hp_subdomain_far_clear(&C->pieces);
  hp_subdomain_destroy(&C->D);
  HP_FREE(C->row);
  HP_FREE(C->told);
  if (is_root(C)) {
    HP_FREE(C->base.error);
    HP_FREE(C->base.change);
  }
  HP_FREE(*slot);
}

static hp_status create_own(ranks *C, const settings *set, const hp_backend_input *part) {
  hp_device_options device;
  hp_backend_input in = *part;
  HP_TRY(HP_ALLOC(C->row, C->D->wells->nwell));
  HP_TRY(choose_gpu(C->K, set, &device));
  in.device = &device;
  if (set->kind == HP_BACKEND_CPU) return hp_backend_cpu_create(&in, &C->own);
  HP_TRY(hp_device_in_build());
  return hp_backend_cuda_create(&in, &C->own);
}

/* in: NULL on ranks but 0, unless cells are spread over ranks; then those of planes, none where there are none. `kind`:
 * rank 0's is read. */
static hp_status create(hp_ranks *K, hp_backend_kind kind, const hp_backend_input *in, ranks **out) {
  ranks *C = NULL;
  settings set;
  HP_TRY(hp_ranks_agree(K, HP_ALLOC(C, 1)));
  *out = C;
  C->K = K;
  memset(&set, 0, sizeof set);
  if (is_root(C)) {
    set.linear = *in->linear;
    set.newton = *in->newton;
    set.kind = kind;
    if (in->device != NULL) {
      set.gpus = in->device->gpus;
      memcpy(set.gpu, in->device->gpu, sizeof set.gpu);
    }
    set.threads = in->threads;
    set.time_error = in->time_error;
  }
  hp_ranks_broadcast(K, 0, &set, sizeof set);
  if (set.threads <= 0) set.threads = set.kind == HP_BACKEND_CUDA ? device_threads(K) : 1;
  C->threads = set.threads;
  const hp_subdomain_input whole_of = in == NULL ? (hp_subdomain_input){.grid = NULL}
                                                 : (hp_subdomain_input){.grid = in->grid,
                                                                        .fluid = in->fluid,
                                                                        .res = in->res,
                                                                        .wells = in->wells,
                                                                        .aquifers = in->aquifers,
                                                                        .bricks = hp_backend_cuts_bricks(&set.linear),
                                                                        .spread = in->spread};
  HP_TRY(hp_subdomain_create(K, in != NULL ? &whole_of : NULL, &C->D));
  C->base.res = in != NULL ? in->res : NULL;
  C->grid = is_root(C) ? in->grid : NULL;
  const order all = {.kind = ORDER_PUT_STATE};
  results none = {.report = NULL};
  HP_TRY(carry_out(C, &all, &none));
  if (!is_root(C)) C->base.res = NULL;
  hp_subdomain_leave_planes(C->D);
  if (in != NULL && in->parted != NULL) in->parted(in->parted_arg); /* before the larger arrays of a part */
  const hp_backend_input part = {.grid = C->D->grid,
                                 .fluid = &C->D->fluid,
                                 .res = C->D->res,
                                 .wells = C->D->wells,
                                 .aquifers = C->D->aquifers,
                                 .linear = &set.linear,
                                 .newton = &set.newton,
                                 .profile = is_root(C) ? in->profile : &C->profile,
                                 .start = is_root(C) ? in->start : NULL,
                                 .time_error = set.time_error != 0,
                                 .threads = set.threads,
                                 .part = &C->D->part};
  if (!is_root(C)) hp_parallel_limit(set.threads);
  HP_TRY(hp_ranks_agree(K, create_own(C, &set, &part)));
  C->began = hp_now();
  for (int k = 0; k < HP_RANKS_KINDS; ++k) C->before[k] = hp_ranks_spent_in(K, (hp_ranks_kind)k);
  return HP_OK;
}

/* ---- rank 0 ---- */

static hp_status give(hp_backend *B, const order *o, results *r) {
  ranks *C = (ranks *)B;
  order copy;
  memset(&copy, 0, sizeof copy);
  copy = *o;
  hp_ranks_order(C->K, &copy, sizeof copy);
  return carry_out(C, &copy, r);
}

static hp_status give_plain(hp_backend *B, order_kind kind) {
  const order o = {.kind = kind};
  results none = {.report = NULL};
  return give(B, &o, &none);
}

static hp_status ranks_start(hp_backend *B, hp_step_report *out) {
  const order o = {.kind = ORDER_START};
  results r = {.report = out};
  return give(B, &o, &r);
}

static hp_status ranks_begin(hp_backend *B) { return give_plain(B, ORDER_BEGIN); }
static hp_status ranks_update(hp_backend *B) { return give_plain(B, ORDER_UPDATE); }
static hp_status ranks_restore(hp_backend *B) { return give_plain(B, ORDER_RESTORE); }
static hp_status ranks_put_state(hp_backend *B) { return give_plain(B, ORDER_PUT_STATE); }
static hp_status ranks_get_state(hp_backend *B) { return give_plain(B, ORDER_GET_STATE); }
static hp_status ranks_put_wells(hp_backend *B) { return give_plain(B, ORDER_PUT_WELLS); }
static hp_status ranks_put_trans(hp_backend *B) { return give_plain(B, ORDER_PUT_TRANS); }
static hp_status ranks_put_balance(hp_backend *B) { return give_plain(B, ORDER_PUT_BALANCE); }
static hp_status ranks_get_balance(hp_backend *B) { return give_plain(B, ORDER_GET_BALANCE); }
static hp_status ranks_put_error(hp_backend *B) { return give_plain(B, ORDER_PUT_ERROR); }
static hp_status ranks_get_error(hp_backend *B) { return give_plain(B, ORDER_GET_ERROR); }

/* Rank 0's wells are the run's, but for those on its GPU. */
static hp_status ranks_get_wells(hp_backend *B) {
  hp_backend *own = ((ranks *)B)->own;
  return own->ops->get_wells(own);
}

static hp_status ranks_assemble(hp_backend *B, double dt, bool jacobian, bool control, int retry, hp_step_report *out) {
  const order o = {.kind = ORDER_ASSEMBLE, .dt = dt, .jacobian = jacobian, .control = control, .retry = retry};
  results r = {.report = out};
  return give(B, &o, &r);
}

static hp_status ranks_accept(hp_backend *B, double dt, double weight, hp_step_well *row, hp_step_report *out) {
  const order o = {.kind = ORDER_ACCEPT, .dt = dt, .weight = weight};
  results r = {.report = out, .row = row};
  return give(B, &o, &r);
}

static hp_status ranks_error(hp_backend *B, double dt, bool solved, double tolerance, hp_step_well *row,
                             hp_krylov_report *k) {
  const order o = {.kind = ORDER_ERROR, .dt = dt, .solve = solved, .tolerance = tolerance};
  results r = {.row = row, .k = k};
  return give(B, &o, &r);
}

static hp_status ranks_solve(hp_backend *B, hp_krylov_report *out) {
  const order o = {.kind = ORDER_SOLVE};
  results r = {.k = out};
  ((ranks *)B)->own->history = B->history;
  return give(B, &o, &r);
}

static hp_status ranks_system(hp_backend *B, bool matrix, hp_backend_system *out) {
  const order o = {.kind = ORDER_GET_SYSTEM, .solve = matrix};
  results none = {.report = NULL};
  HP_TRY(give(B, &o, &none));
  const hp_whole_system *S = &((ranks *)B)->system;
  out->J = S->J;
  out->R = S->R;
  out->b = S->b;
  out->x = matrix ? S->x : NULL;
  return HP_OK;
}

static void ranks_describe(const hp_backend *B, char *out, size_t size) {
  const ranks *C = (const ranks *)B;
  const hp_subdomain *D = C->D;
  const int count = hp_ranks_size(C->K);
  char memory[32], cut[96] = "", own[900];
  hp_show_bytes((double)hp_memory_now(), memory, sizeof memory);
  if (count > 1)
    snprintf(cut, sizeof cut, ", parts at most %.2f of the mean, %lld well%s cut", D->cut.largest / D->cut.mean,
             (long long)D->cut_wells, hp_plural(D->cut_wells));
  if (C->own->device) {
    C->own->ops->describe(C->own, own, sizeof own);
    snprintf(out, size, "%d rank%s with a GPU%s (%s)%s; rank 0: %s", count, hp_plural(count), count > 1 ? " each" : "",
             hp_ranks_library(C->K), cut, own);
    return;
  }
  snprintf(out, size, "CPU, %d rank%s of %d thread%s (%s)%s, %s on rank 0", count, hp_plural(count), C->threads,
           hp_plural(C->threads), hp_ranks_library(C->K), cut, memory);
}

static int64_t ranks_barriers(const hp_backend *B) {
  const hp_backend *own = ((const ranks *)B)->own;
  return own->ops->barriers(own);
}

static const hp_box *ranks_parts(const hp_backend *B, int *count) {
  const hp_subdomain *D = ((const ranks *)B)->D;
  *count = D->ranks;
  return D->boxes;
}

static hp_status ranks_tell(hp_backend *B, int *count, const hp_backend_rank **row) {
  ranks *C = (ranks *)B;
  *count = 0;
  if (C->told == NULL) HP_TRY(HP_ALLOC(C->told, C->D->ranks));
  HP_TRY(give_plain(B, ORDER_TELL));
  *count = C->D->ranks;
  *row = C->told;
  return HP_OK;
}

static hp_status get_box(void *arg, hp_far_array array, const hp_far_box *box, double *to) {
  ranks *C = arg;
  const order o = {.kind = ORDER_FAR, .far = {.array = array, .box = *box}};
  results none = {.report = NULL};
  C->pieces.box = to;
  return give(&C->base, &o, &none);
}

static hp_status get_packed(void *arg, const hp_far_fields *f, int n, const uint8_t **bytes, size_t *size) {
  ranks *C = arg;
  hp_subdomain_far *F = &C->pieces;
  const order o = {.kind = ORDER_FAR, .far = {.pack = true, .fields = *f, .first = n}};
  results none = {.report = NULL};
  if (n == 0 || n >= F->first + F->count) HP_TRY(give(&C->base, &o, &none));
  *bytes = F->packed + F->begin[n - F->first];
  *size = (size_t)(F->begin[n - F->first + 1] - F->begin[n - F->first]);
  return HP_OK;
}

static const hp_far *ranks_far(hp_backend *B) {
  ranks *C = (ranks *)B;
  C->from = (hp_far){.arg = C, .box = get_box, .packed = get_packed};
  return &C->from;
}

static void ranks_destroy(hp_backend **slot) {
  ranks *C = (ranks *)*slot;
  order o;
  memset(&o, 0, sizeof o);
  o.kind = ORDER_DESTROY;
  hp_ranks_order(C->K, &o, sizeof o);
  C->base.linear = NULL;
  destroy(&C);
  *slot = NULL;
}

static const hp_backend_ops ranks_ops = {.destroy = ranks_destroy,
                                         .describe = ranks_describe,
                                         .barriers = ranks_barriers,
                                         .parts = ranks_parts,
                                         .ranks = ranks_tell,
                                         .far = ranks_far,
                                         .put_state = ranks_put_state,
                                         .put_wells = ranks_put_wells,
                                         .put_trans = ranks_put_trans,
                                         .get_state = ranks_get_state,
                                         .get_wells = ranks_get_wells,
                                         .put_balance = ranks_put_balance,
                                         .get_balance = ranks_get_balance,
                                         .start = ranks_start,
                                         .begin = ranks_begin,
                                         .assemble = ranks_assemble,
                                         .update = ranks_update,
                                         .restore = ranks_restore,
                                         .accept = ranks_accept,
                                         .error = ranks_error,
                                         .put_error = ranks_put_error,
                                         .get_error = ranks_get_error,
                                         .solve = ranks_solve,
                                         .system = ranks_system};

hp_status hp_backend_ranks_create(hp_ranks *K, hp_backend_kind kind, const hp_backend_input *in, hp_backend **out) {
  order o;
  ranks *C = NULL;
  memset(&o, 0, sizeof o);
  o.kind = ORDER_CREATE;
  hp_ranks_order(K, &o, sizeof o);
  const hp_status s = create(K, kind, in, &C);
  if (s != HP_OK) { /* the others have given theirs up, too */
    destroy(&C);
    return s;
  }
  C->base.ops = &ranks_ops;
  C->base.linear = C->own->linear;
  C->base.wells = in->wells;
  C->base.aquifers = in->aquifers;
  C->base.profile = in->profile;
  if (C->D->cut.bricks) C->base.warning = HP_CUT_BRICKS;
  *out = &C->base;
  return HP_OK;
}

/* ---- the others ---- */

hp_status hp_backend_serve(hp_ranks *K, const hp_backend_service *service, int *code) {
  ranks *C = NULL;
  for (;;) {
    order o;
    hp_ranks_order(K, &o, sizeof o);
    if (o.kind == ORDER_DISMISS) {
      *code = o.jacobian;
      return HP_OK;
    }
    if (o.kind == ORDER_PROGRAM) {
      service->program(service->arg, K, o.jacobian);
      continue;
    }
    if (o.kind == ORDER_CREATE) {
      const hp_status s = create(K, HP_BACKEND_CPU, service->input(service->arg), &C);
      if (s != HP_OK) destroy(&C);
      continue;
    }
    if (o.kind == ORDER_DESTROY) {
      destroy(&C);
      continue;
    }
    if (C == NULL) return hp_fail(HP_ERR_INTERNAL, "rank %d has no part to work on", hp_ranks_rank(K));
    hp_step_report report;
    hp_krylov_report krylov;
    results r = {.report = &report, .row = C->row, .k = &krylov};
    const hp_status s = carry_out(C, &o, &r);
    (void)s; /* rank 0 has the same, and decides */
  }
}

static void order_number(hp_ranks *K, order_kind kind, int number) {
  order o;
  memset(&o, 0, sizeof o);
  o.kind = kind;
  o.jacobian = number;
  hp_ranks_order(K, &o, sizeof o);
}

void hp_backend_dismiss(hp_ranks *K, int code) { order_number(K, ORDER_DISMISS, code); }
void hp_backend_call(hp_ranks *K, int program) { order_number(K, ORDER_PROGRAM, program); }
