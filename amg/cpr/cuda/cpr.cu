/* amg/cpr/device.h with CUDA. */
#include <stdio.h>
#include <string.h>

#include "amg/cpr/cuda/execution.cuh"
#include "amg/cpr/cuda/kernels.cuh"
#include "amg/cpr/cuda/part.cuh"
#include "amg/cpr/cuda/setup.cuh"
#include "amg/cpr/device.h"
#include "core/memory.h"
#include "linsolve/krylov/device.h"
#include "linsolve/precond/device.h"

/* ---- setup ---- */

enum { MARK_BEGAN = 4, MARK_ENDED }; /* of the device's marks */

struct hp_cpr_device {
  hp_cpr_device_part *part; /* of a rank: nothing else is there. NULL: one process */
  hp_device *D;
  hp_cpr_options opt;
  hp_setup S;                    /* scratch memory of a new pattern */
  hp_cpr_pressure host, *device; /* the same */
  hp_cpr_setup numbers;
  bool stale; /* as in hp_cpr, and pace */
  hp_cpr_pace pace;
  int q;               /* unknowns per cell */
  int64_t most;        /* entries of A_p */
  bool owns_inverse;   /* of the second stage's set-up; false: in attached memory */
  bool timed, built;   /* a setup's marks are not counted yet; it made the pattern anew */
  int64_t bytes;       /* of the arrays, without the hierarchy */
  int64_t apply_bytes; /* of an application without the cycle */
  int64_t patterns;    /* made so far */
  hp_cpr_counts counts;
  hp_precond_external external;
  hp_precond_device precond;
  hp_precond_special special;
  char constants[40]; /* of it */
};

/* The pattern of A_p, by rows. */
static hp_status number_rows(hp_cpr_device *C, const hp_gh *A) {
  hp_csr_device *rows = &C->numbers.rows;
  HP_TRY(hp_amg_device_begin(C->numbers.H));
  HP_TRY(hp_amg_device_scratch(C->numbers.H, (void **)&rows->at.column, C->most, sizeof *rows->at.column));
  HP_TRY(hp_amg_device_scratch(C->numbers.H, (void **)&rows->at.value, C->most, sizeof *rows->at.value));
  HP_TRY(hp_cpr_weigh(&C->S, A, &C->host));
  return hp_cpr_number_rows(&C->S, A, &C->host, rows);
}

/* Pattern, coarse points and interpolation. */
static hp_status make(hp_cpr_device *C, const hp_gh *A) {
  HP_TRY(number_rows(C, A));
  HP_TRY(hp_amg_device_build(C->numbers.H, &C->numbers.rows, A->wells.nwell));
  HP_TRY(hp_amg_device_compact(C->numbers.H, &C->numbers.rows));
  HP_TRY(hp_cpr_make_rows(&C->S, &C->numbers, A)); /* some smoothers are prepared by the pattern */
  HP_TRY(hp_amg_device_cycle_prepare(C->numbers.cycle, C->numbers.H, &C->host.A));
  return hp_cpr_prepare(&C->S, &C->numbers);
}

/* Counts the latest setup. */
static hp_status count(hp_cpr_device *C) {
  double seconds = 0.0;
  if (!C->timed) return HP_OK;
  HP_TRY(hp_device_elapsed(C->D, MARK_BEGAN, MARK_ENDED, &seconds));
  *(C->built ? &C->counts.builds : &C->counts.refreshes) += 1;
  *(C->built ? &C->counts.build_seconds : &C->counts.refresh_seconds) += seconds;
  C->timed = false;
  return HP_OK;
}

static hp_status setup(void *self, const hp_gh *A, int64_t *singular) {
  hp_cpr_device *C = (hp_cpr_device *)self;
  HP_TRY(count(C));
  hp_cpr_pace_set_up(&C->pace, C->stale || hp_cpr_pace_is_due(&C->pace, C->opt.refresh));
  if (!C->pace.fresh) return hp_cpr_set_up(&C->S, &C->numbers, A, false, singular);
  HP_TRY(hp_device_mark(C->D, MARK_BEGAN));
  C->built = C->stale;
  C->patterns += C->stale;
  if (C->stale) HP_TRY(make(C, A));
  C->stale = false;
  HP_TRY(hp_cpr_set_up(&C->S, &C->numbers, A, true, singular));
  C->timed = true;
  return hp_device_mark(C->D, MARK_ENDED);
}

/* ---- creation ---- */

/* A_p's shape and the places of its wells and connections. */
static hp_status create_matrix(hp_cpr_device *C, const hp_gh *A) {
  hp_gh *p = &C->host.A;
  hp_gh_wells *W = &p->wells;
  hp_csr_device *rows = &C->numbers.rows;
  const int64_t most = C->most = HP_GH_DIAGS * A->ncell + A->links.count + 2 * A->wells.nperf + A->wells.nwell;
  *p = *A;
  p->q = 1;
  p->rows = A->ncell;
  p->ld = hp_gh_device_ld(C->D, p->rows, 1);
  p->n = A->ncell + A->wells.nwell;
  p->h = p->link = W->w = W->wt = W->dd = NULL;
  W->nlisted = 0; /* for products by chunks of rows of the full matrix */
  W->chunk_begin = W->chunk_well = NULL;
  W->chunk_cell = W->chunk_slot = NULL;
  HP_TRY(hp_csr_check_entries("of the pressure system", most));
  const int64_t real = (int64_t)sizeof *p->h;
  const hp_owned planes = {A->ncell, A->ncell, real, p->ld * real, HP_GH_DIAGS, 0};
  if (C->opt.amg.precision != HP_PRECISION_SINGLE)
    HP_TRY(hp_device_alloc_owned(C->D, (void **)&p->h, &planes, "the pressure system"));
  HP_TRY(HP_DEVICE_ALLOC(C->D, W->w, W->nperf));
  HP_TRY(HP_DEVICE_ALLOC(C->D, W->wt, W->nperf));
  HP_TRY(HP_DEVICE_ALLOC(C->D, W->dd, W->nwell));
  HP_TRY(HP_DEVICE_ALLOC(C->D, p->link, p->links.count));
  rows->at.nrow = rows->at.ncol = (int32_t)p->n;
  return HP_DEVICE_ALLOC(C->D, rows->at.begin, p->n + 1);
}

static hp_status create_vectors(hp_cpr_device *C, const hp_gh *A) {
  hp_cpr_pressure *p = &C->host;
  const bool separate = C->opt.amg.precision != HP_PRECISION_SINGLE;
  p->kind = C->opt.weights;
  p->by_nz = hp_divisor_of((uint32_t)A->nz);
  p->H = hp_amg_device_cycle_data(C->numbers.cycle);
  if (C->opt.weights != HP_CPR_TRUE_IMPES) HP_TRY(HP_DEVICE_ALLOC(C->D, p->weight, A->rows)); /* else one */
  HP_TRY(HP_DEVICE_ALLOC(C->D, p->kept, A->ncell));
  HP_TRY(HP_DEVICE_ALLOC(C->D, p->rp, separate ? p->A.n : 0));
  return HP_DEVICE_ALLOC(C->D, p->xp, separate ? p->A.n : 0);
}

/* The second stage. Its packed blocks, if any, are behind the Krylov solver's vectors, so that both form one work space
 * for a setup. */
static hp_status create_second(hp_cpr_device *C, const hp_gh *A) {
  hp_cpr_pressure *p = &C->host;
  if (C->opt.ordering != HP_ORDER_BRICKS) HP_TRY(HP_DEVICE_ALLOC(C->D, p->residual, A->rows));
  HP_TRY(hp_precond_device_create(C->D, A, HP_PRECOND_DILU, C->opt.ordering, C->opt.precision, C->opt.relaxation, false,
                                  &p->second));
  C->owns_inverse = true;
  C->precond.memory_bytes = hp_precond_device_pack_bytes(A, HP_PRECOND_DILU, C->opt.ordering, C->opt.precision);
  return HP_OK;
}

/* See hp_precond_device. */
static hp_status attach(void *self, void *memory) {
  hp_cpr_device *C = (hp_cpr_device *)self;
  C->host.second.pack = memory;
  HP_TRY(hp_device_upload(C->D, C->device, &C->host, sizeof C->host));
  return hp_amg_device_attach(C->numbers.H, memory, C->precond.memory_bytes);
}

/* See hp_precond_device. */
static hp_status enqueue(void *self, struct hp_execution *E, const double *r, double *z) {
  const hp_cpr_device *C = (const hp_cpr_device *)self;
  const hp_cpr_list list = {C->host.second.ordering, C->opt.amg.precision, hp_amg_is_plain(&C->opt.amg),
                            hp_amg_device_cycle_passes(C->numbers.cycle),
                            2 * hp_device_get_info(C->D)->multiprocessors};
  return hp_cpr_enqueue(&list, E, r, z);
}

static int64_t pattern(const void *self) { return ((const hp_cpr_device *)self)->patterns; }

static hp_status create(hp_cpr_device *C, const hp_gh *A) {
  C->q = A->q;
  C->numbers.pressure = &C->host;
  HP_TRY(hp_setup_open(&C->S, C->D));
  HP_TRY(hp_amg_device_create(C->D, &C->opt.amg, &C->numbers.H));
  HP_TRY(hp_amg_device_cycle_create(C->D, &C->opt.amg, &C->numbers.cycle));
  const int64_t before = hp_device_bytes(C->D);
  HP_TRY(create_matrix(C, A));
  HP_TRY(create_vectors(C, A));
  HP_TRY(create_second(C, A));
  HP_TRY(HP_DEVICE_ALLOC(C->D, C->device, 1));
  HP_TRY(HP_DEVICE_ALLOC(C->D, C->numbers.refresh, 1));
  C->bytes = hp_device_bytes(C->D) - before;
  HP_TRY(hp_device_upload(C->D, C->device, &C->host, sizeof C->host));
  C->precond.data = C->device;
  const bool plain = hp_amg_is_plain(&C->opt.amg);
  C->precond.kernel = plain ? hp_cpr_kernel<true> : hp_cpr_kernel<false>;
  snprintf(C->constants, sizeof C->constants, "#define HP_CONSTANT_CYCLE %d\n", (int)C->opt.amg.precision);
  C->special = hp_precond_special{"amg/cpr/cuda/apply.cuh", plain ? "hp_cpr_shape<true>" : "hp_cpr_shape<false>",
                                  &C->host.second, C->constants};
  C->precond.special = &C->special;
  C->precond.self = C;
  C->precond.setup = setup;
  C->precond.enqueue = enqueue;
  C->precond.pattern = pattern;
  C->precond.attach = attach;
  C->external.name = "cpr";
  C->external.device = &C->precond;
  return HP_OK;
}

hp_status hp_cpr_device_create(hp_device *D, const hp_gh *A, const hp_cpr_options *opt, hp_cpr_device **out) {
  *out = NULL;
  const char *refusal = hp_cpr_refusal(opt, NULL, HP_SOLVER_GPU);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "cpr: %s", refusal);
  hp_cpr_device *C = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  C->D = D;
  C->opt = *opt;
  C->stale = true;
  C->pace.due = true;
  C->apply_bytes = hp_cpr_apply_bytes(A, opt, 0);
  const hp_status s = create(C, A);
  if (s != HP_OK) hp_cpr_device_destroy(&C);
  *out = C;
  return s;
}

hp_status hp_cpr_device_create_part(hp_device *D, const hp_gh *A, hp_gh *host, int threads, const hp_cpr_options *opt,
                                    hp_cpr_device **out) {
  hp_cpr_device *C = NULL;
  *out = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  const hp_status s = hp_cpr_device_part_create(D, A, host, threads, opt, &C->part);
  if (s != HP_OK) HP_FREE(C);
  *out = C;
  return s;
}

void hp_cpr_device_destroy(hp_cpr_device **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_cpr_device *C = *slot;
  if (C->part != NULL) {
    hp_cpr_device_part_destroy(&C->part);
    HP_FREE(*slot);
    return;
  }
  hp_device *D = C->D;
  hp_cpr_pressure *p = &C->host;
  hp_amg_device_cycle_destroy(&C->numbers.cycle);
  hp_amg_device_destroy(&C->numbers.H);
  hp_setup_close(&C->S);
  HP_DEVICE_FREE(D, C->numbers.rows.at.begin);
  if (!C->owns_inverse) p->second.inverse = NULL;
  p->second.pack = NULL; /* the solver's */
  hp_precond_device_free(D, &p->second);
  HP_DEVICE_FREE(D, p->residual);
  HP_DEVICE_FREE(D, p->A.h);
  HP_DEVICE_FREE(D, p->A.link);
  HP_DEVICE_FREE(D, p->A.wells.w);
  HP_DEVICE_FREE(D, p->A.wells.wt);
  HP_DEVICE_FREE(D, p->A.wells.dd);
  HP_DEVICE_FREE(D, p->weight);
  HP_DEVICE_FREE(D, p->kept);
  HP_DEVICE_FREE(D, p->rp);
  HP_DEVICE_FREE(D, p->xp);
  HP_DEVICE_FREE(D, C->device);
  HP_DEVICE_FREE(D, C->numbers.refresh);
  HP_FREE(*slot);
}

/* The kernel of most solves is loaded here, before it is launched. A launch reports what went wrong. */
void hp_cpr_device_load(void) {
  hp_gh most = {};
  most.q = most.nx = most.ny = most.nz = 2;
  cudaFuncAttributes of;
  if (cudaFuncGetAttributes(&of, hp_cpr_kernel<false>(HP_KRYLOV_BICGSTAB, &most)) != cudaSuccess)
    (void)cudaGetLastError();
  hp_cpr_load_setup();
}

/* The inverse blocks of the second stage are read by its set-up alone. */
hp_status hp_cpr_device_attach(hp_cpr_device *C, void *memory, int64_t bytes) {
  if (C->part != NULL) return HP_OK;
  hp_precond *M = &C->host.second;
  const int64_t q = C->q, inverse = C->host.A.ncell * q * q * (int64_t)sizeof *M->inverse;
  if (C->owns_inverse && bytes >= inverse) {
    HP_DEVICE_FREE(C->D, M->inverse);
    M->inverse = (double *)memory;
    M->bytes -= inverse;
    C->bytes -= inverse;
    C->owns_inverse = false;
    HP_TRY(hp_device_upload(C->D, C->device, &C->host, sizeof C->host));
  }
  return hp_amg_device_attach(C->numbers.H, memory, bytes);
}

const hp_precond_external *hp_cpr_device_precond(const hp_cpr_device *C) {
  return C->part != NULL ? hp_cpr_device_part_precond(C->part) : &C->external;
}

void hp_cpr_device_rebuild(hp_cpr_device *C) {
  if (C->part != NULL) hp_cpr_rebuild(hp_cpr_device_part_first(C->part));
  C->stale = true;
}

void hp_cpr_device_begin_step(hp_cpr_device *C) {
  if (C->part != NULL) {
    hp_cpr_begin_step(hp_cpr_device_part_first(C->part));
    return;
  }
  if (C->opt.rebuild == HP_CPR_EACH_STEP) hp_cpr_device_rebuild(C);
  C->pace.due = true;
  C->pace.setups = 0;
}

bool hp_cpr_device_solved(hp_cpr_device *C, const hp_krylov_report *report) {
  return C->part != NULL ? hp_cpr_solved(hp_cpr_device_part_first(C->part), report)
                         : hp_cpr_pace_solved(&C->pace, report);
}

hp_status hp_cpr_device_state(hp_cpr_device *C, hp_cpr_state *out) {
  double entries = 0.0;
  if (C->part != NULL) {
    *out = hp_cpr_device_part_state(C->part);
    return HP_OK;
  }
  HP_TRY(count(C));
  memset(out, 0, sizeof *out);
  out->counts = C->counts;
  out->levels = hp_amg_device_levels(C->numbers.H);
  hp_amg_size size[HP_AMG_LEVELS_MAX];
  for (int l = 0; l < out->levels; ++l) {
    const hp_amg_device_level *L = hp_amg_device_get_level(C->numbers.H, l);
    size[l] = hp_amg_size{L->A.at.nrow, L->A.count, L->P.count};
    entries += (double)L->A.count;
  }
  const bool direct = hp_amg_device_get_direct(C->numbers.H) != NULL;
  if (out->levels > 0)
    out->apply_bytes = C->apply_bytes + hp_amg_cycle_traffic(&C->opt.amg, true, direct, out->levels, size);
  out->complexity = C->numbers.rows.count > 0 ? entries / (double)C->numbers.rows.count : 0.0;
  out->on_host = hp_amg_device_coarsens_on_host(C->numbers.H);
  out->bytes = C->bytes + C->precond.memory_bytes + hp_amg_device_pool_bytes(C->numbers.H) +
               hp_amg_device_cycle_bytes(C->numbers.cycle) + hp_pool_bytes(&C->S.keep) + hp_pool_bytes(&C->S.scratch);
  return HP_OK;
}
