#include "sim/backend/ranks/orders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/profile.h"

/* ---- the part's state on the host ---- */

/* From the GPU, where the part's backend has one and nobody has fetched it since it changed. */
static hp_status fetch(hp_ranks_backend *C, hp_arrays set) {
  const hp_arrays missing = set & C->local->has & ~C->fetched;
  if (!C->local->device || missing == 0) return HP_OK;
  HP_TRY(hp_backend_get(C->local, missing));
  C->fetched |= missing;
  return HP_OK;
}

/* ---- orders ---- */

static void set_step(const hp_ranks_backend *C, double dt) {
  hp_aquifers_set_step(C->D->run_aquifers, dt);
  hp_subdomain_put_aquifers(C->D);
}

static hp_status start(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  (void)o;
  set_step(C, HP_STEP_START_DT);
  return C->local->ops->start(C->local, r->report);
}

static hp_status begin(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  (void)o, (void)r;
  return C->local->ops->begin(C->local);
}

static hp_status assemble(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  set_step(C, o->dt);
  return C->local->ops->assemble(C->local, o->dt, o->jacobian != 0, o->control != 0, o->retry, r->report);
}

/* Wells of other ranks: what their owners found. */
static hp_status update(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  const hp_backend_ops *ops = C->local->ops;
  (void)r;
  HP_TRY(ops->renew_update(C->local));
  HP_TRY(ops->update(C->local, o->weight, o->most_dp));
  return ops->renew_state(C->local);
}

static hp_status restore(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  (void)o, (void)r;
  return C->local->ops->restore(C->local);
}

static hp_status accept(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  HP_TRY(C->local->ops->accept(C->local, o->dt, o->weight, o->drop, r->row, r->report));
  hp_subdomain_add_rates(C->D);
  if (C->D->run_aquifers != NULL) hp_aquifers_advance(C->D->run_aquifers, o->dt);
  hp_subdomain_put_aquifers(C->D);
  return HP_OK;
}

static hp_status carry_error(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  HP_TRY(C->local->ops->error(C->local, o->dt, o->solve != 0, o->times, r->row, NULL, r->k, r->report));
  hp_subdomain_add_errors(C->D, r->influx);
  return HP_OK;
}

static hp_status show(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  HP_TRY(C->local->ops->show(C->local, &o->correction, r->report));
  return C->local->ops->renew_state(C->local);
}

/* Every rank has the residuals of all wells; those of its own count. */
static hp_status solve(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  HP_TRY(C->local->ops->drop_rhs(C->local));
  return C->local->ops->solve(C->local, o->times, r->k);
}

/* Arrays of rank 0's reservoir, until the parts are there of planes on all ranks that have any, or of what rank 0 reads. */
static hp_status put(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  hp_reservoir *here = C->D->res;
  const hp_reservoir *whole = C->base.res;
  (void)r;
  if (C->local != NULL) hp_backend_begin_put(C->local, o->set);
  HP_FOR_ARRAYS(n, o->set) {
    const hp_array a = (hp_array)n, to = C->local != NULL ? hp_backend_array(C->local, a) : a;
    HP_TRY(hp_ranks_agree(C->K, hp_reservoir_make(here, HP_ARRAY_BIT(to))));
    void *array = *hp_reservoir_array(here, to);
    if (o->sourced != 0) HP_TRY(hp_subdomain_remote_put(C->D, C->base.source, a, array));
    else
      HP_TRY(hp_subdomain_put(C->D, whole != NULL ? *hp_reservoir_array(whole, to) : NULL, array,
                              (size_t)hp_array_bytes(a)));
  }
  if ((o->set & HP_SET_WELLS) != 0) hp_subdomain_put_wells(C->D);
  if ((o->set & (HP_ARRAYS_STATE | HP_ARRAYS_OWN)) != 0) hp_subdomain_put_aquifers(C->D);
  return C->local != NULL ? hp_backend_put(C->local, o->set) : HP_OK;
}

static hp_status change_trans(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  (void)r;
  HP_TRY(hp_subdomain_change_trans(C->D, o->change));
  return hp_backend_put(C->local, HP_SET_TRANS);
}

/* Each number is one rank's, whose ghosts stand beside its cells. */
static hp_status outflow(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  const int64_t numbers = hp_outflow_numbers(&C->outflow);
  (void)o;
  HP_TRY(hp_ranks_agree(C->K, fetch(C, HP_ARRAYS_STATE)));
  hp_outflow_terms(&C->outflow, C->D->res, C->outflow_place, true, C->outflow_value);
  hp_ranks_sum(C->K, (int64_t *)(void *)C->outflow_value, (int)numbers);
  if (r->value != NULL) memcpy(r->value, C->outflow_value, (size_t)numbers * sizeof *r->value);
  return HP_OK;
}

/* Each rank adds its own cells. */
static hp_status regions(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  enum { WORDS = sizeof(hp_region_totals) / sizeof(int64_t) };
  const hp_reservoir *here = C->D->res;
  hp_region_totals *mine = NULL;
  hp_status s = r->total == NULL ? HP_ALLOC(mine, o->count) : HP_OK;
  if (s == HP_OK) s = fetch(C, HP_ARRAYS_STATE);
  s = hp_ranks_agree(C->K, s);
  hp_region_totals *total = r->total != NULL ? r->total : mine;
  if (s == HP_OK) {
    hp_regions_add(here, here->ncell, C->D->region, o->first, o->count, total);
    hp_ranks_sum(C->K, (int64_t *)(void *)total, o->count * WORDS);
  }
  HP_FREE(mine);
  return s;
}

static hp_status rigid(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  (void)o;
  HP_TRY(hp_ranks_agree(C->K, fetch(C, HP_ARRAYS_STATE)));
  int64_t others = !hp_reservoir_is_all_rigid(C->D->res);
  hp_ranks_sum(C->K, &others, 1);
  if (r->all != NULL) *r->all = others == 0;
  return HP_OK;
}

/* Each rank reports on itself to rank 0. */
static hp_status report_rank(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  const hp_part *p = &C->D->part;
  hp_backend_rank mine = {.active = C->D->grid->nactive,
                          .ghosts = p->nghost,
                          .neighbours = hp_exchange_neighbours(p->cells),
                          .cut_faces = hp_subdomain_cut_faces(C->D),
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
  hp_ranks_gather(C->K, 0, &mine, C->reported, begin, sizeof mine);
  HP_FREE(begin);
  return HP_OK;
}

/* The residual of a part on a GPU is minus its right-hand side, whose ghosts a solve has dropped: their owners have it. */
static void restore_residual(const hp_part *p, const hp_backend_system *system) {
  const hp_gh *J = system->J;
  hp_part_renew_all(p, (double *)system->b, HP_PHASES, true);
  for (int n = 0; n < p->nwell; ++n) ((double *)system->R)[J->rows + n] = -system->b[J->rows + n];
}

/* The part's. Wells of other ranks: their unknowns by an exchange; their right-hand sides, where a solve has dropped them, are
 * minus the residuals, which every rank has. */
static hp_status fetch_system(hp_ranks_backend *C, hp_backend_system *system) {
  const hp_part *p = &C->D->part;
  HP_TRY(hp_ranks_agree(C->K, C->local->ops->system(C->local, true, system)));
  hp_part_renew_all(p, (double *)system->x, HP_PHASES, true);
  if (C->local->device) restore_residual(p, system);
  double *b = (double *)system->b + system->J->rows;
  for (int n = 0; n < p->nwell; ++n)
    if (!p->owns_well[n]) b[n] = -system->R[system->J->rows + n];
  return HP_OK;
}

static hp_status keep(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  (void)r;
  return hp_backend_keep(C->local, o->piece.which);
}

/* The system stays, for pieces of it; the entries of wells, which rank 0 alone writes, go to it. */
static hp_status open_pieces(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  const hp_part *p = &C->D->part;
  hp_gh_here *here = &C->local->here;
  hp_backend_system system;
  (void)o, (void)r;
  HP_TRY(fetch_system(C, &system));
  hp_status s = here->column == NULL ? hp_subdomain_list_columns(C->D, here) : HP_OK;
  if (s == HP_OK && C->b_well == NULL) s = HP_ALLOC(C->b_well, p->nwell + 1);
  if (s == HP_OK && C->x_well == NULL) s = HP_ALLOC(C->x_well, p->nwell + 1);
  HP_TRY(hp_ranks_agree(C->K, s));
  here->A[HP_GH_LATEST] = system.J;
  here->b = system.b;
  here->x = system.x;
  here->active = C->D->grid->active;
  for (int n = 0; n < p->nwell; ++n) {
    C->b_well[n] = system.b[system.J->rows + n];
    C->x_well[n] = system.x[system.J->rows + n];
  }
  hp_part_drop(p, (double *)system.b, HP_PHASES);
  return HP_OK;
}

static hp_status get_piece(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  (void)r;
  return hp_subdomain_piece(C->D, &C->local->here, &o->piece, &C->piece);
}

static hp_status jacobian(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  HP_TRY(hp_ranks_agree(C->K, hp_backend_get(C->local, HP_ARRAYS_STATE | HP_SET_WELLS)));
  hp_subdomain_put_wells(C->D);
  set_step(C, o->dt);
  return hp_jacobian_compare(C->local, &C->D->part, o->dt, o->off_kinks != 0, r->errors);
}

/* ---- states that are compared ---- */

static hp_status keep_state(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  const hp_reservoir *here = C->D->res;
  (void)o, (void)r;
  HP_TRY(hp_ranks_agree(C->K, fetch(C, HP_ARRAYS_STATE)));
  return hp_kept_state_put(C->D, (const double *[]){here->p, here->s}, C->kept);
}

static hp_status compare_state(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  const hp_reservoir *here = C->D->res;
  double off[HP_KEPT_ARRAYS];
  (void)o;
  HP_TRY(hp_ranks_agree(C->K, fetch(C, HP_ARRAYS_STATE)));
  HP_TRY(hp_kept_state_compare(C->D, (const double *[]){here->p, here->s}, C->kept, off));
  if (r->off != NULL) memcpy(r->off, off, sizeof off);
  return HP_OK;
}

/* ---- other solvers of the latest system ---- */

static hp_status fetch_for_others(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  (void)o, (void)r;
  return hp_backend_others_fetch(C->local);
}

/* Rank 0's options become those of all, and GPUs the rank's own. */
static hp_status create_other(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  hp_other_options options;
  (void)r;
  memset(&options, 0, sizeof options);
  if (hp_ranks_backend_is_root(C)) options = *C->other;
  hp_ranks_broadcast(C->K, 0, &options, sizeof options);
  HP_TRY(hp_ranks_backend_place(C, &options));
  return hp_backend_other_create(C->local, o->change, &options);
}

static hp_status begin_step(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  (void)o, (void)r;
  return hp_backend_others_begin_step(C->local);
}

static hp_status solve_other(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  hp_other_report mine;
  return hp_backend_other_solve(C->local, o->change, r->history, r->other != NULL ? r->other : &mine);
}

/* Pieces of the state, for files. */
static hp_status remote(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  hp_subdomain_arrays a = {.array = {[HP_ARRAY_ACTIVE] = C->D->grid->active}};
  const hp_array asked = hp_remote_request_array(&o->remote);
  (void)r;
  if (hp_remote_request_reads(&o->remote) && asked < HP_CELL_ARRAYS)
    HP_TRY(hp_ranks_agree(C->K, fetch(C, HP_ARRAY_BIT(hp_backend_array(C->local, asked)))));
  HP_FOR_ARRAYS(n, C->local->has) a.array[n] = hp_backend_cell(C->local, (hp_array)n);
  const hp_remote_owners owners = hp_subdomain_remote_owners(C->D);
  return hp_subdomain_remote_do(&owners, &a, &o->remote, &C->pieces);
}

static hp_status (*const functions[])(hp_ranks_backend *, const hp_rank_order *, hp_rank_results *) = {
#define ORDER_FUNCTION(name, function) [HP_RANK_ORDER_##name] = function,
    HP_RANK_ORDER_LIST(ORDER_FUNCTION)
#undef ORDER_FUNCTION
};

/* A GPU that is lost in the middle of an order leaves other ranks waiting for messages that do not come. */
static void give_up(const hp_ranks_backend *C, hp_status s, const hp_rank_order *o) {
  const bool other = o->kind == HP_RANK_ORDER_OTHER_SOLVE;
  const bool in_solve = other || o->kind == HP_RANK_ORDER_SOLVE || o->kind == HP_RANK_ORDER_ERROR;
  const bool alone = s == HP_ERR_DEVICE || s == HP_ERR_TEAM || (s == HP_ERR_MEMORY && in_solve);
  if (!alone || C->local == NULL || hp_ranks_size(C->K) == 1) return;
  if (!(other ? hp_others_is_on_device(C->local->others, o->change) : C->local->device)) return;
  fprintf(stderr, "hepta: error: rank %d: %s\n", hp_ranks_rank(C->K), hp_fail_text());
  hp_ranks_end_all(C->K, EXIT_FAILURE);
}

/* After these the part's state is what it was. */
static bool only_looks(hp_rank_order_kind kind) {
  switch (kind) {
    case HP_RANK_ORDER_KEEP:
    case HP_RANK_ORDER_PIECES:
    case HP_RANK_ORDER_PIECE:
    case HP_RANK_ORDER_OUTFLOW:
    case HP_RANK_ORDER_REGIONS:
    case HP_RANK_ORDER_RIGID:
    case HP_RANK_ORDER_KEEP_STATE:
    case HP_RANK_ORDER_COMPARE:
    case HP_RANK_ORDER_FETCH:
    case HP_RANK_ORDER_OTHER:
    case HP_RANK_ORDER_OTHERS_BEGIN:
    case HP_RANK_ORDER_OTHER_SOLVE:
    case HP_RANK_ORDER_REPORT:
    case HP_RANK_ORDER_REMOTE: return true;
    default: return false;
  }
}

hp_status hp_rank_order_carry_out(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) {
  if (!only_looks(o->kind)) C->fetched = 0;
  const hp_status s = functions[o->kind](C, o, r);
  if (s != HP_OK) give_up(C, s, o);
  return hp_ranks_agree(C->K, s);
}
