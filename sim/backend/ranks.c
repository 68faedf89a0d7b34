#include "sim/backend/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/device/ahead.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/plural.h"
#include "core/profile.h"
#include "core/show.h"

typedef struct {
  hp_backend base;                          /* as the run sees it: of the part */
  hp_backend *local;                        /* on the part; NULL while it is not made */
  hp_arrays fetched;                        /* its arrays that, if it is on a GPU, the host has */
  char warning[HP_BISECTION_WARNING + 512]; /* of how columns are cut, of hosts that differ */
  int threads;                              /* of this rank */
  double began;                             /* the first operation after its making */
  hp_ranks_spent before[HP_RANKS_KINDS];    /* by then */
  hp_backend_rank *reported;                /* [ranks] rank 0 */
} together;

/* ---- making and ending ---- */

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

static void ranks_destroy(hp_backend **slot) {
  together *C = (together *)*slot;
  hp_backend_destroy(&C->local);
  hp_subdomain_destroy(&C->base.D);
  HP_FREE(C->reported);
  HP_FREE(*slot);
}

static hp_status create_local(together *C, hp_backend_kind kind, const hp_backend_input *in) {
  hp_subdomain *D = C->base.D;
  hp_device_options all = {.gpus = 0}, device;
  hp_backend_input part = *in;
  part.grid = D->grid;
  part.fluid = &D->fluid;
  part.res = D->res;
  part.wells = D->wells;
  part.aquifers = D->aquifers;
  part.threads = C->threads;
  part.part = &D->part;
  part.ahead = NULL;
  if (kind == HP_BACKEND_CPU) return hp_backend_cpu_create(&part, &C->local);
  if (in->device != NULL) all = *in->device;
  HP_TRY(choose_gpu(C->base.K, &all, &device));
  part.device = &device;
  HP_TRY(hp_device_in_build());
  return hp_backend_device_create(&part, &C->local);
}

hp_status hp_backend_ranks_place(const hp_backend *B, hp_other_options *options) {
  const hp_device_options all = options->device;
  if (options->threads <= 0) options->threads = options->on_device ? device_threads(B->K) : 1;
  return options->on_device ? choose_gpu(B->K, &all, &options->device) : HP_OK;
}

/* A GPU that is lost in the middle of an operation leaves other ranks waiting for messages that do not come. */
hp_status hp_backend_ranks_agree(const hp_backend *B, bool waits, bool on_device, hp_status s) {
  const bool alone = s == HP_ERR_DEVICE || s == HP_ERR_TEAM || (s == HP_ERR_MEMORY && waits);
  if (alone && on_device && hp_ranks_size(B->K) > 1) hp_ranks_end_alone(B->K);
  return hp_ranks_agree(B->K, s);
}

/* The initial state of the run becomes that of the part. */
static hp_status put_initial(together *C, const hp_reservoir *run) {
  hp_reservoir *here = C->base.res;
  HP_FOR_ARRAYS(n, HP_ARRAYS_STATE & C->base.has) {
    const hp_array a = (hp_array)n;
    HP_TRY(hp_ranks_agree(C->base.K, hp_reservoir_make(here, HP_ARRAY_BIT(a))));
    HP_TRY(hp_subdomain_put(C->base.D, *hp_reservoir_array((hp_reservoir *)run, a), *hp_reservoir_array(here, a),
                            (size_t)hp_array_bytes(a)));
  }
  return HP_OK;
}

static void warn(together *C) {
  const hp_subdomain *D = C->base.D;
  const hp_ranks *K = C->base.K;
  const int odd = hp_ranks_rounds_otherwise(K);
  if (!hp_ranks_is_first(K)) return;
  hp_bisection_warn(&D->cut, D->ranks, C->warning, sizeof C->warning);
  const size_t length = strlen(C->warning);
  if (odd >= 0)
    snprintf(
        C->warning + length, sizeof C->warning - length,
        "%spow, exp and log of rank %d on %s round otherwise than those of rank 0 on %s, by another processor or C "
        "library: results depend on which host has which rank",
        length > 0 ? "; " : "", odd, hp_ranks_host(K, odd), hp_ranks_host(K, 0));
  if (C->warning[0] != '\0') C->base.warning = C->warning;
}

static hp_status create(together *C, hp_backend_kind kind, const hp_backend_input *in) {
  hp_ranks *K = C->base.K;
  const hp_subdomain_input run = {.grid = in->grid,
                                  .fluid = in->fluid,
                                  .res = in->res,
                                  .wells = in->wells,
                                  .aquifers = in->aquifers,
                                  .region = in->region,
                                  .bricks = in->cut_bricks || hp_linear_cuts_bricks(in->linear),
                                  .change = in->change,
                                  .spread = in->spread};
  C->threads = in->threads > 0 ? in->threads : kind == HP_BACKEND_CUDA ? device_threads(K) : 1;
  HP_TRY(hp_subdomain_create(K, &run, &C->base.D));
  C->base.res = C->base.D->res;
  C->base.region = C->base.D->region;
  C->base.has = hp_arrays_of(in->time_error, hp_reservoir_others(C->base.res));
  HP_TRY(put_initial(C, in->res));
  hp_subdomain_leave_planes(C->base.D);
  if (in->parted != NULL) in->parted(in->parted_arg); /* before the larger arrays of a part */
  hp_parallel_limit(C->threads);
  HP_TRY(hp_ranks_agree(K, create_local(C, kind, in)));
  C->base.linear = C->local->linear;
  warn(C);
  C->began = hp_now();
  for (int k = 0; k < HP_RANKS_KINDS; ++k) C->before[k] = hp_ranks_spent_in(K, (hp_ranks_kind)k);
  return HP_OK;
}

/* ---- operations ---- */

static hp_status agree(const together *C, bool waits, hp_status s) {
  return hp_backend_ranks_agree(&C->base, waits, C->local->device, s);
}

/* The state is another. */
static together *changed(hp_backend *B) {
  together *C = (together *)B;
  C->fetched = 0;
  return C;
}

static hp_status ranks_put(hp_backend *B, hp_arrays set) {
  together *C = changed(B);
  return agree(C, false, hp_backend_put(C->local, set));
}

/* From the GPU what nobody has fetched since the state changed. */
static hp_status ranks_get(hp_backend *B, hp_arrays set) {
  together *C = (together *)B;
  const hp_arrays cells = set & HP_ARRAYS_ALL & ~C->fetched, missing = cells | (set & ~HP_ARRAYS_ALL);
  if (!C->local->device || missing == 0) return HP_OK;
  const hp_status s = C->local->ops->get(C->local, missing);
  C->fetched |= cells;
  return hp_ranks_agree(B->K, s);
}

static hp_status ranks_start(hp_backend *B, hp_step_report *out) {
  together *C = changed(B);
  hp_aquifers_set_step(B->aquifers, HP_STEP_START_DT);
  return agree(C, false, C->local->ops->start(C->local, out));
}

static hp_status ranks_begin(hp_backend *B) {
  together *C = changed(B);
  B->shown = false;
  return agree(C, false, C->local->ops->begin(C->local));
}

static hp_status ranks_assemble(hp_backend *B, double dt, bool jacobian, bool control, int retry, hp_step_report *out) {
  together *C = changed(B);
  hp_aquifers_set_step(B->aquifers, dt);
  return agree(C, false, C->local->ops->assemble(C->local, dt, jacobian, control, retry, out));
}

/* Wells of other ranks: what their owners found. */
static hp_status ranks_update(hp_backend *B, double share, double most_dp) {
  together *C = changed(B);
  const hp_backend_ops *ops = C->local->ops;
  hp_status s = ops->renew_update(C->local);
  if (s == HP_OK) s = ops->update(C->local, share, most_dp);
  if (s == HP_OK) s = ops->renew_state(C->local);
  return agree(C, false, s);
}

static hp_status ranks_restore(hp_backend *B) {
  together *C = changed(B);
  return agree(C, false, C->local->ops->restore(C->local));
}

static hp_status ranks_accept(hp_backend *B, double dt, double weight, double drop, hp_step_well *row,
                              hp_step_report *out) {
  together *C = changed(B);
  HP_TRY(agree(C, false, C->local->ops->accept(C->local, dt, weight, drop, row, out)));
  hp_subdomain_add_rates(B->D);
  if (B->aquifers != NULL) hp_aquifers_advance(B->aquifers, dt);
  return HP_OK;
}

static hp_status ranks_error(hp_backend *B, double dt, bool solved, double times, hp_step_well *row, double *influx,
                             hp_krylov_report *k, hp_step_report *out) {
  together *C = changed(B);
  hp_status s = C->local->ops->drop_rhs(C->local);
  if (s == HP_OK) s = C->local->ops->error(C->local, dt, solved, times, row, NULL, k, out);
  HP_TRY(agree(C, true, s));
  hp_subdomain_add_errors(B->D, influx);
  return HP_OK;
}

static hp_status ranks_show(hp_backend *B, const hp_step_correction *correction, hp_step_report *out) {
  together *C = changed(B);
  B->shown = true;
  hp_status s = C->local->ops->show(C->local, correction, out);
  if (s == HP_OK) s = C->local->ops->renew_state(C->local);
  return agree(C, false, s);
}

/* Every rank has the residuals of all wells; those of its own count. */
static hp_status ranks_solve(hp_backend *B, double times, hp_krylov_report *out) {
  together *C = changed(B);
  C->local->history = B->history;
  B->times = times;
  hp_status s = C->local->ops->drop_rhs(C->local);
  if (s == HP_OK) s = C->local->ops->solve(C->local, times, out);
  return agree(C, true, s);
}

/* The residual of a part on a GPU is minus its right-hand side, whose ghosts a solve has dropped: their owners have it. */
static void restore_residual(const hp_part *p, const hp_backend_system *system) {
  const hp_gh *J = system->J;
  hp_part_renew_all(p, (double *)system->b, HP_PHASES, true);
  for (int n = 0; n < p->nwell; ++n) ((double *)system->R)[J->rows + n] = -system->b[J->rows + n];
}

/* The part's. Wells of other ranks: their unknowns by an exchange; their right-hand sides, where a solve has dropped them, are
 * minus the residuals, which every rank has. */
static hp_status ranks_system(hp_backend *B, bool matrix, hp_backend_system *system) {
  const together *C = (const together *)B;
  const hp_part *p = &B->D->part;
  HP_TRY(hp_ranks_agree(B->K, C->local->ops->system(C->local, matrix, system)));
  if (matrix) hp_part_renew_all(p, (double *)system->x, HP_PHASES, true);
  if (C->local->device) restore_residual(p, system);
  double *b = (double *)system->b + system->J->rows;
  for (int n = 0; n < p->nwell; ++n)
    if (!p->owns_well[n]) b[n] = -system->R[system->J->rows + n];
  return HP_OK;
}

static void ranks_describe(const hp_backend *B, char *out, size_t size) {
  const together *C = (const together *)B;
  const hp_subdomain *D = B->D;
  const int count = hp_ranks_size(B->K);
  char memory[32], cut[96] = "", local[900];
  hp_show_bytes((double)hp_memory_now(), memory, sizeof memory);
  if (count > 1)
    snprintf(cut, sizeof cut, ", parts at most %.2f of the mean, %lld well%s cut", D->cut.largest / D->cut.mean,
             (long long)D->cut_wells, hp_plural(D->cut_wells));
  if (C->local->device) {
    C->local->ops->describe(C->local, local, sizeof local);
    snprintf(out, size, "%d rank%s with a GPU%s (%s)%s; rank 0: %s", count, hp_plural(count), count > 1 ? " each" : "",
             hp_ranks_library(B->K), cut, local);
    return;
  }
  snprintf(out, size, "CPU, %d rank%s of %d thread%s (%s)%s, %s on rank 0", count, hp_plural(count), C->threads,
           hp_plural(C->threads), hp_ranks_library(B->K), cut, memory);
}

static int64_t ranks_barriers(const hp_backend *B) {
  const hp_backend *local = ((const together *)B)->local;
  return local->ops->barriers(local);
}

static const hp_backend_ops ranks_ops = {.destroy = ranks_destroy,
                                         .describe = ranks_describe,
                                         .barriers = ranks_barriers,
                                         .put = ranks_put,
                                         .get = ranks_get,
                                         .start = ranks_start,
                                         .begin = ranks_begin,
                                         .assemble = ranks_assemble,
                                         .update = ranks_update,
                                         .restore = ranks_restore,
                                         .accept = ranks_accept,
                                         .error = ranks_error,
                                         .show = ranks_show,
                                         .solve = ranks_solve,
                                         .system = ranks_system};

hp_status hp_backend_ranks_create(hp_ranks *K, hp_backend_kind kind, const hp_backend_input *in, hp_backend **out) {
  together *C = NULL;
  HP_TRY(hp_ranks_agree(K, HP_ALLOC(C, 1)));
  hp_backend *B = &C->base;
  B->ops = &ranks_ops;
  B->K = K;
  B->wells = in->wells;
  B->aquifers = in->aquifers;
  B->profile = in->profile;
  const hp_status s = create(C, kind, in);
  if (s != HP_OK) hp_backend_destroy(&B); /* the others give theirs up, too */
  *out = B;
  return s;
}

/* ---- reports ---- */

hp_status hp_backend_ranks(hp_backend *B, int *count, const hp_backend_rank **row) {
  *count = 0;
  if (B->D == NULL) return HP_OK;
  together *C = (together *)B;
  const hp_part *p = &B->D->part;
  hp_backend_rank mine = {.active = B->D->grid->nactive,
                          .ghosts = p->nghost,
                          .neighbours = hp_exchange_neighbours(p->cells),
                          .cut_faces = hp_subdomain_cut_faces(B->D),
                          .memory = hp_memory_peak(),
                          .seconds = hp_now() - C->began};
  int64_t *begin = NULL;
  for (int k = 0; k < HP_RANKS_KINDS; ++k) {
    mine.in[k] = hp_ranks_spent_in(B->K, (hp_ranks_kind)k);
    mine.in[k].seconds -= C->before[k].seconds;
    mine.in[k].calls -= C->before[k].calls;
  }
  hp_status s = HP_ALLOC(begin, B->D->ranks + 1);
  if (s == HP_OK && C->reported == NULL) s = HP_ALLOC(C->reported, B->D->ranks);
  s = hp_ranks_agree(B->K, s);
  for (int n = 0; n <= B->D->ranks && s == HP_OK; ++n) begin[n] = n;
  if (s == HP_OK) hp_ranks_gather(B->K, 0, &mine, C->reported, begin, sizeof mine);
  HP_FREE(begin);
  *count = B->D->ranks;
  *row = C->reported;
  return s;
}
