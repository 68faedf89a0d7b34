/* Time steps by several processes. Each has a subdomain (sim/part/subdomain.h) and a backend of its own on it, of the CPU or
 * on a GPU. Here are rank 0's operations, the others' service, and what makes a part on all ranks; what ranks do with their
 * parts is in sim/backend/ranks/orders.h. */
#include <stdio.h>
#include <string.h>

#include "core/device/ahead.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/plural.h"
#include "core/profile.h"
#include "core/show.h"
#include "sim/backend/ranks/orders.h"

/* ---- making and ending ---- */

/* Plain options that ranks need of rank 0. */
typedef struct {
  hp_linear_options linear;
  hp_newton_options newton;
  hp_backend_kind kind;
  int threads, time_error, cut_bricks;
  int gpus, gpu[HP_GPUS_MAX]; /* as in hp_device_options */
} settings;

typedef struct {
  unsigned char id[HP_DEVICE_IDENTITY];
} identity;

/* Counts the ranks that see the same first GPU as this one, and those of them before it. all [ranks], begin [ranks + 1]: room. */
static void count_off(hp_ranks *K, const identity *mine, identity *all, int64_t *begin, int *number, int *count) {
  const int size = hp_ranks_size(K), rank = hp_ranks_rank(K);
  for (int r = 0; r <= size; ++r) begin[r] = r;
  hp_ranks_gather_to_all(K, mine, all, begin, sizeof *all);
  *number = *count = 0;
  for (int r = 0; r < size; ++r) {
    const bool same = memcmp(&all[r], mine, sizeof *mine) == 0;
    *number += same && r < rank;
    *count += same;
  }
}

/* The rank's GPU of those of `all`, whose count and numbers are read. Collective, and the same status on all. */
static hp_status choose_gpu(hp_ranks *K, const hp_device_options *all, hp_device_options *out) {
  const int size = hp_ranks_size(K);
  identity mine, *others = NULL;
  int64_t *begin = NULL;
  int visible = 0, number, count;
  memset(out, 0, sizeof *out);
  hp_status s = hp_device_count(&visible);
  if (s == HP_OK) s = hp_device_identify(0, mine.id);
  if (s == HP_OK) s = HP_ALLOC(others, size);
  if (s == HP_OK) s = HP_ALLOC(begin, size + 1);
  s = hp_ranks_agree(K, s);
  if (s == HP_OK) {
    count_off(K, &mine, others, begin, &number, &count);
    s = hp_ranks_agree(K, hp_device_of_rank(all, visible, number, count, out));
  }
  HP_FREE(others);
  HP_FREE(begin);
  return s;
}

/* Threads of a rank with a GPU, whose host makes parts of cpr: the processors that it may use, shared by the ranks of its host. */
static int device_threads(hp_ranks *K) {
  enum { MOST = 16 };
  double last = hp_ranks_local(K);
  hp_ranks_max(K, &last, 1);
  const int mine = hp_processors() / ((int)last + 1);
  return mine < 1 ? 1 : mine < MOST ? mine : MOST;
}

static void destroy(hp_ranks_backend **slot) {
  hp_ranks_backend *C = *slot;
  if (C == NULL) return;
  hp_backend_destroy(&C->local);
  hp_subdomain_remote_clear(&C->pieces);
  hp_gh_columns_clear(&C->piece);
  HP_FREE(C->b_well);
  HP_FREE(C->x_well);
  hp_subdomain_destroy(&C->D);
  hp_outflow_clear(&C->outflow);
  HP_FREE(C->outflow_place);
  HP_FREE(C->outflow_value);
  HP_FREE(C->row);
  HP_FREE(C->reported);
  HP_FREE(*slot);
}

static hp_status create_local(hp_ranks_backend *C, const settings *set, const hp_backend_input *part) {
  hp_device_options all = {.gpus = set->gpus}, device;
  hp_backend_input in = *part;
  HP_TRY(hp_ranks_agree(C->K, HP_ALLOC(C->row, C->D->wells->nwell)));
  if (set->kind == HP_BACKEND_CPU) return hp_backend_cpu_create(&in, &C->local);
  memcpy(all.gpu, set->gpu, sizeof all.gpu);
  HP_TRY(choose_gpu(C->K, &all, &device));
  in.device = &device;
  HP_TRY(hp_device_in_build());
  return hp_backend_device_create(&in, &C->local);
}

hp_status hp_ranks_backend_place(const hp_ranks_backend *C, hp_other_options *options) {
  const hp_device_options all = options->device;
  if (options->threads <= 0) options->threads = options->on_device ? device_threads(C->K) : 1;
  return options->on_device ? choose_gpu(C->K, &all, &options->device) : HP_OK;
}

/* Rank 0's list becomes that of all. */
static hp_status share_outflow(hp_ranks_backend *C, const hp_outflow *whole) {
  hp_outflow *o = &C->outflow;
  int64_t size[2] = {0, 0};
  if (whole != NULL) {
    size[0] = whole->count;
    size[1] = hp_outflow_cells(whole);
  }
  hp_ranks_broadcast(C->K, 0, size, sizeof size);
  if (size[0] == 0) return HP_OK;
  hp_status s = HP_ALLOC(o->begin, size[0] + 1);
  if (s == HP_OK) s = HP_ALLOC(o->cell, size[1]);
  if (s == HP_OK) s = HP_ALLOC(C->outflow_place, size[1]);
  if (s == HP_OK) s = HP_ALLOC(C->outflow_value, size[0] + 2 * size[1]);
  HP_TRY(hp_ranks_agree(C->K, s));
  if (whole != NULL) {
    memcpy(o->begin, whole->begin, (size_t)(size[0] + 1) * sizeof *o->begin);
    memcpy(o->cell, whole->cell, (size_t)size[1] * sizeof *o->cell);
  }
  hp_ranks_broadcast(C->K, 0, o->begin, (size[0] + 1) * (int64_t)sizeof *o->begin);
  hp_ranks_broadcast(C->K, 0, o->cell, size[1] * (int64_t)sizeof *o->cell);
  o->count = size[0];
  for (int64_t n = 0; n < size[1]; ++n) C->outflow_place[n] = hp_subdomain_place(C->D, o->cell[n]);
  return HP_OK;
}

/* in: NULL on ranks but 0, unless cells are spread over ranks; then those of planes, none where there are none. `kind`:
 * rank 0's is read. kept: may be NULL on rank 0. */
static hp_status create(hp_ranks *K, hp_backend_kind kind, const hp_backend_input *in, hp_kept_state *kept,
                        hp_ranks_backend **out) {
  hp_ranks_backend *C = NULL;
  settings set;
  HP_TRY(hp_ranks_agree(K, HP_ALLOC(C, 1)));
  *out = C;
  C->K = K;
  C->kept = kept;
  memset(&set, 0, sizeof set);
  if (hp_ranks_backend_is_root(C)) {
    set.linear = *in->linear;
    set.newton = *in->newton;
    set.kind = kind;
    if (in->device != NULL) {
      set.gpus = in->device->gpus;
      memcpy(set.gpu, in->device->gpu, sizeof set.gpu);
    }
    set.threads = in->threads;
    set.time_error = in->time_error;
    set.cut_bricks = in->cut_bricks || hp_linear_cuts_bricks(&set.linear);
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
                                                                        .region = in->region,
                                                                        .bricks = set.cut_bricks != 0,
                                                                        .nchange = in->nchange,
                                                                        .change = in->change,
                                                                        .spread = in->spread};
  HP_TRY(hp_subdomain_create(K, in != NULL ? &whole_of : NULL, &C->D));
  HP_TRY(share_outflow(C, hp_ranks_backend_is_root(C) ? in->outflow : NULL));
  C->base.res = in != NULL ? in->res : NULL;
  C->base.has = hp_arrays_of(set.time_error != 0, C->D->res->lowest != NULL);
  const hp_rank_order all = {.kind = HP_RANK_ORDER_PUT, .set = (HP_ARRAYS_STATE & C->base.has) | HP_SET_WELLS};
  hp_rank_results unread = {.report = NULL};
  HP_TRY(hp_rank_order_carry_out(C, &all, &unread));
  if (!hp_ranks_backend_is_root(C)) C->base.res = NULL;
  hp_subdomain_leave_planes(C->D);
  if (in != NULL && in->parted != NULL) in->parted(in->parted_arg); /* before the larger arrays of a part */
  const hp_backend_input part = {.grid = C->D->grid,
                                 .fluid = &C->D->fluid,
                                 .res = C->D->res,
                                 .wells = C->D->wells,
                                 .aquifers = C->D->aquifers,
                                 .linear = &set.linear,
                                 .newton = &set.newton,
                                 .profile = hp_ranks_backend_is_root(C) ? in->profile : &C->profile,
                                 .start = hp_ranks_backend_is_root(C) ? in->start : NULL,
                                 .time_error = set.time_error != 0,
                                 .threads = set.threads,
                                 .part = &C->D->part};
  if (!hp_ranks_backend_is_root(C)) hp_parallel_limit(set.threads);
  HP_TRY(hp_ranks_agree(K, create_local(C, &set, &part)));
  C->began = hp_now();
  for (int k = 0; k < HP_RANKS_KINDS; ++k) C->before[k] = hp_ranks_spent_in(K, (hp_ranks_kind)k);
  return HP_OK;
}

/* ---- rank 0 ---- */

static hp_status give(hp_backend *B, hp_rank_order o, hp_rank_results r) {
  hp_ranks_backend *C = (hp_ranks_backend *)B;
  hp_ranks_order(C->K, &o, sizeof o);
  return hp_rank_order_carry_out(C, &o, &r);
}

static const hp_rank_results none = {.report = NULL};

static hp_status give_plain(hp_backend *B, hp_rank_order_kind kind) {
  return give(B, (hp_rank_order){.kind = kind}, none);
}

static hp_status ranks_start(hp_backend *B, hp_step_report *out) {
  return give(B, (hp_rank_order){.kind = HP_RANK_ORDER_START}, (hp_rank_results){.report = out});
}

static hp_status ranks_begin(hp_backend *B) {
  B->shown = false;
  return give_plain(B, HP_RANK_ORDER_BEGIN);
}

static hp_status ranks_update(hp_backend *B, double share, double most_dp) {
  return give(B, (hp_rank_order){.kind = HP_RANK_ORDER_UPDATE, .weight = share, .most_dp = most_dp}, none);
}

static hp_status ranks_restore(hp_backend *B) { return give_plain(B, HP_RANK_ORDER_RESTORE); }

static hp_status ranks_put(hp_backend *B, hp_arrays set) {
  return give(B, (hp_rank_order){.kind = HP_RANK_ORDER_PUT, .set = set, .sourced = B->source != NULL}, none);
}

/* Rank 0's wells are the run's, but for those on its GPU. */
static hp_status ranks_get(hp_backend *B, hp_arrays set) {
  if (set != HP_SET_WELLS) return hp_fail(HP_ERR_INTERNAL, "no rank has all cells");
  return hp_backend_get(((hp_ranks_backend *)B)->local, set);
}

static hp_status ranks_change_trans(hp_backend *B, int change) {
  return give(B, (hp_rank_order){.kind = HP_RANK_ORDER_CHANGE, .change = change}, none);
}

static hp_status ranks_assemble(hp_backend *B, double dt, bool jacobian, bool control, int retry, hp_step_report *out) {
  return give(B,
              (hp_rank_order){
                  .kind = HP_RANK_ORDER_ASSEMBLE, .dt = dt, .jacobian = jacobian, .control = control, .retry = retry},
              (hp_rank_results){.report = out});
}

static hp_status ranks_accept(hp_backend *B, double dt, double weight, double drop, hp_step_well *row,
                              hp_step_report *out) {
  return give(B, (hp_rank_order){.kind = HP_RANK_ORDER_ACCEPT, .dt = dt, .weight = weight, .drop = drop},
              (hp_rank_results){.report = out, .row = row});
}

static hp_status ranks_error(hp_backend *B, double dt, bool solved, double times, hp_step_well *row, double *influx,
                             hp_krylov_report *k, hp_step_report *out) {
  return give(B, (hp_rank_order){.kind = HP_RANK_ORDER_ERROR, .dt = dt, .solve = solved, .times = times},
              (hp_rank_results){.row = row, .k = k, .influx = influx, .report = out});
}

static hp_status ranks_show(hp_backend *B, const hp_step_correction *correction, hp_step_report *out) {
  B->shown = true;
  return give(B, (hp_rank_order){.kind = HP_RANK_ORDER_SHOW, .correction = *correction},
              (hp_rank_results){.report = out});
}

static hp_status ranks_solve(hp_backend *B, double times, hp_krylov_report *out) {
  ((hp_ranks_backend *)B)->local->history = B->history;
  return give(B, (hp_rank_order){.kind = HP_RANK_ORDER_SOLVE, .times = times}, (hp_rank_results){.k = out});
}

static hp_status ranks_keep(hp_backend *B, hp_gh_which which) {
  return give(B, (hp_rank_order){.kind = HP_RANK_ORDER_KEEP, .piece = {.which = which}}, none);
}

static hp_status get_piece(void *arg, const hp_gh_piece *q, const char **bytes, int64_t *size) {
  hp_ranks_backend *C = arg;
  HP_TRY(give(&C->base, (hp_rank_order){.kind = HP_RANK_ORDER_PIECE, .piece = *q}, none));
  *bytes = C->piece.bytes;
  *size = C->piece.size;
  return HP_OK;
}

static hp_status ranks_pieces(hp_backend *B, hp_gh_source *out) {
  hp_ranks_backend *C = (hp_ranks_backend *)B;
  HP_TRY(give_plain(B, HP_RANK_ORDER_PIECES));
  *out = (hp_gh_source){.arg = C, .get = get_piece, .b_well = C->b_well, .x_well = C->x_well};
  for (int n = 0; n < HP_GH_MATRICES; ++n) out->A[n] = C->local->here.A[n];
  return HP_OK;
}

static hp_status ranks_jacobian(hp_backend *B, double dt, bool off_kinks, hp_jacobian_errors *out) {
  return give(B, (hp_rank_order){.kind = HP_RANK_ORDER_JACOBIAN, .dt = dt, .off_kinks = off_kinks},
              (hp_rank_results){.errors = out});
}

static hp_status ranks_outflow(hp_backend *B, double *value) {
  return give(B, (hp_rank_order){.kind = HP_RANK_ORDER_OUTFLOW}, (hp_rank_results){.value = value});
}

static hp_status ranks_regions(hp_backend *B, int first, int count, hp_region_totals *total) {
  return give(B, (hp_rank_order){.kind = HP_RANK_ORDER_REGIONS, .first = first, .count = count},
              (hp_rank_results){.total = total});
}

static hp_status ranks_rigid(hp_backend *B, bool *all) {
  return give(B, (hp_rank_order){.kind = HP_RANK_ORDER_RIGID}, (hp_rank_results){.all = all});
}

static hp_status ranks_keep_state(hp_backend *B) {
  if (((hp_ranks_backend *)B)->kept == NULL) return hp_fail(HP_ERR_INTERNAL, "there is no place for a state");
  return give_plain(B, HP_RANK_ORDER_KEEP_STATE);
}

static hp_status ranks_compare_state(hp_backend *B, double *off) {
  return give(B, (hp_rank_order){.kind = HP_RANK_ORDER_COMPARE}, (hp_rank_results){.off = off});
}

static hp_status ranks_others_fetch(hp_backend *B) { return give_plain(B, HP_RANK_ORDER_FETCH); }

static hp_status ranks_other_create(hp_backend *B, int n, const hp_other_options *options) {
  ((hp_ranks_backend *)B)->other = options;
  return give(B, (hp_rank_order){.kind = HP_RANK_ORDER_OTHER, .change = n}, none);
}

static hp_status ranks_others_begin_step(hp_backend *B) { return give_plain(B, HP_RANK_ORDER_OTHERS_BEGIN); }

static hp_status ranks_other_solve(hp_backend *B, int n, double *history, hp_other_report *out) {
  return give(B, (hp_rank_order){.kind = HP_RANK_ORDER_OTHER_SOLVE, .change = n},
              (hp_rank_results){.other = out, .history = history});
}

static hp_status ranks_other_report(hp_backend *B, int n, hp_linear_report *out) {
  const hp_ranks_backend *C = (const hp_ranks_backend *)B;
  char here[sizeof out->where];
  HP_TRY(hp_others_report(C->local->others, n, out));
  snprintf(here, sizeof here, "%s", out->where);
  snprintf(out->where, sizeof out->where, "%d rank%s, of which rank 0: %.100s", C->D->ranks, hp_plural(C->D->ranks),
           here);
  return HP_OK;
}

static void ranks_describe(const hp_backend *B, char *out, size_t size) {
  const hp_ranks_backend *C = (const hp_ranks_backend *)B;
  const hp_subdomain *D = C->D;
  const int count = hp_ranks_size(C->K);
  char memory[32], cut[96] = "", local[900];
  hp_show_bytes((double)hp_memory_now(), memory, sizeof memory);
  if (count > 1)
    snprintf(cut, sizeof cut, ", parts at most %.2f of the mean, %lld well%s cut", D->cut.largest / D->cut.mean,
             (long long)D->cut_wells, hp_plural(D->cut_wells));
  if (C->local->device) {
    C->local->ops->describe(C->local, local, sizeof local);
    snprintf(out, size, "%d rank%s with a GPU%s (%s)%s; rank 0: %s", count, hp_plural(count), count > 1 ? " each" : "",
             hp_ranks_library(C->K), cut, local);
    return;
  }
  snprintf(out, size, "CPU, %d rank%s of %d thread%s (%s)%s, %s on rank 0", count, hp_plural(count), C->threads,
           hp_plural(C->threads), hp_ranks_library(C->K), cut, memory);
}

static int64_t ranks_barriers(const hp_backend *B) {
  const hp_backend *local = ((const hp_ranks_backend *)B)->local;
  return local->ops->barriers(local);
}

static const hp_box *ranks_parts(const hp_backend *B, int *count) {
  const hp_subdomain *D = ((const hp_ranks_backend *)B)->D;
  *count = D->ranks;
  return D->boxes;
}

static hp_status ranks_report(hp_backend *B, int *count, const hp_backend_rank **row) {
  hp_ranks_backend *C = (hp_ranks_backend *)B;
  *count = 0;
  if (C->reported == NULL) HP_TRY(HP_ALLOC(C->reported, C->D->ranks));
  HP_TRY(give_plain(B, HP_RANK_ORDER_REPORT));
  *count = C->D->ranks;
  *row = C->reported;
  return HP_OK;
}

static hp_status call_remote(void *arg, const hp_remote_request *q) {
  hp_ranks_backend *C = arg;
  return give(&C->base, (hp_rank_order){.kind = HP_RANK_ORDER_REMOTE, .remote = *q}, none);
}

static const hp_remote *ranks_remote(hp_backend *B) {
  hp_ranks_backend *C = (hp_ranks_backend *)B;
  hp_subdomain_remote_functions(&C->pieces, call_remote, C, &C->from);
  return &C->from;
}

static void ranks_destroy(hp_backend **slot) {
  hp_ranks_backend *C = (hp_ranks_backend *)*slot;
  hp_rank_order o;
  memset(&o, 0, sizeof o);
  o.kind = HP_RANK_ORDER_DESTROY;
  hp_ranks_order(C->K, &o, sizeof o);
  C->base.linear = NULL;
  destroy(&C);
  *slot = NULL;
}

static const hp_backend_ops ranks_ops = {.destroy = ranks_destroy,
                                         .describe = ranks_describe,
                                         .barriers = ranks_barriers,
                                         .parts = ranks_parts,
                                         .ranks = ranks_report,
                                         .remote = ranks_remote,
                                         .put = ranks_put,
                                         .get = ranks_get,
                                         .change_trans = ranks_change_trans,
                                         .start = ranks_start,
                                         .begin = ranks_begin,
                                         .assemble = ranks_assemble,
                                         .update = ranks_update,
                                         .restore = ranks_restore,
                                         .accept = ranks_accept,
                                         .error = ranks_error,
                                         .show = ranks_show,
                                         .solve = ranks_solve,
                                         .keep = ranks_keep,
                                         .pieces = ranks_pieces,
                                         .jacobian = ranks_jacobian,
                                         .outflow = ranks_outflow,
                                         .regions = ranks_regions,
                                         .rigid = ranks_rigid,
                                         .keep_state = ranks_keep_state,
                                         .compare_state = ranks_compare_state,
                                         .others_fetch = ranks_others_fetch,
                                         .other_create = ranks_other_create,
                                         .others_begin_step = ranks_others_begin_step,
                                         .other_solve = ranks_other_solve,
                                         .other_report = ranks_other_report};

static void warn(hp_ranks_backend *C) {
  const int odd = hp_ranks_rounds_otherwise(C->K);
  hp_bisection_warn(&C->D->cut, C->D->ranks, C->warning, sizeof C->warning);
  const size_t length = strlen(C->warning);
  if (odd >= 0)
    snprintf(
        C->warning + length, sizeof C->warning - length,
        "%spow, exp and log of rank %d on %s round otherwise than those of rank 0 on %s, by another processor or C "
        "library: results depend on which host has which rank",
        length > 0 ? "; " : "", odd, hp_ranks_host(C->K, odd), hp_ranks_host(C->K, 0));
}

hp_status hp_backend_ranks_create(hp_ranks *K, hp_backend_kind kind, const hp_backend_input *in, hp_backend **out) {
  hp_rank_order o;
  hp_ranks_backend *C = NULL;
  memset(&o, 0, sizeof o);
  o.kind = HP_RANK_ORDER_CREATE;
  hp_ranks_order(K, &o, sizeof o);
  const hp_status s = create(K, kind, in, in->kept, &C);
  if (s != HP_OK) { /* the others have given theirs up, too */
    destroy(&C);
    return s;
  }
  C->base.ops = &ranks_ops;
  C->base.linear = C->local->linear;
  C->base.wells = in->wells;
  C->base.aquifers = in->aquifers;
  C->base.profile = in->profile;
  warn(C);
  if (C->warning[0] != '\0') C->base.warning = C->warning;
  *out = &C->base;
  return HP_OK;
}

/* ---- the others ---- */

static hp_status serve(hp_ranks *K, const hp_backend_service *service, hp_kept_state *kept, int *code) {
  hp_ranks_backend *C = NULL;
  for (;;) {
    hp_rank_order o;
    hp_ranks_order(K, &o, sizeof o);
    if (o.kind == HP_RANK_ORDER_DISMISS) {
      *code = o.jacobian;
      return HP_OK;
    }
    if (o.kind == HP_RANK_ORDER_PROGRAM) {
      service->program(service->arg, K, o.jacobian);
      continue;
    }
    if (o.kind == HP_RANK_ORDER_CREATE) {
      const hp_status s = create(K, HP_BACKEND_CPU, service->input(service->arg), kept, &C);
      if (s != HP_OK) destroy(&C);
      continue;
    }
    if (o.kind == HP_RANK_ORDER_DESTROY) {
      destroy(&C);
      continue;
    }
    if (C == NULL) return hp_fail(HP_ERR_INTERNAL, "rank %d has no part to work on", hp_ranks_rank(K));
    hp_step_report report;
    hp_krylov_report krylov;
    hp_jacobian_errors errors;
    hp_rank_results r = {.report = &report, .row = C->row, .k = &krylov, .errors = &errors};
    const hp_status s = hp_rank_order_carry_out(C, &o, &r);
    (void)s; /* rank 0 has the same, and decides */
  }
}

hp_status hp_backend_serve(hp_ranks *K, const hp_backend_service *service, int *code) {
  hp_kept_state kept = {.boxes = NULL};
  const hp_status s = serve(K, service, &kept, code);
  hp_kept_state_clear(&kept);
  return s;
}

static void order_number(hp_ranks *K, hp_rank_order_kind kind, int number) {
  hp_rank_order o;
  memset(&o, 0, sizeof o);
  o.kind = kind;
  o.jacobian = number;
  hp_ranks_order(K, &o, sizeof o);
}

void hp_backend_dismiss(hp_ranks *K, int code) { order_number(K, HP_RANK_ORDER_DISMISS, code); }
void hp_backend_call(hp_ranks *K, int program) { order_number(K, HP_RANK_ORDER_PROGRAM, program); }
