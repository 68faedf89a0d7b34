/* amg/cycle/device.h with CUDA. */
#include <string.h>

#include "amg/cycle/cuda/program.cuh"
#include "amg/cycle/device.h"
#include "amg/smoothers/cuda/slots.cuh"
#include "core/memory.h"

/* ---- creation ---- */

hp_status hp_amg_device_cycle_create(hp_device *D, const hp_amg_options *opt, hp_amg_device_cycle **out) {
  *out = NULL;
  const char *refusal = hp_amg_refusal(opt, HP_SOLVER_GPU);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "multigrid: %s", refusal);
  hp_amg_device_cycle *C = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  C->D = D;
  C->host.H.opt = *opt;
  if (opt->one_gpu_rows < 0) C->host.H.opt.one_gpu_rows = hp_device_get_shape(D).one_gpu_rows;
  hp_status s = hp_setup_open(&C->S, D);
  if (s == HP_OK) s = HP_DEVICE_ALLOC(D, C->device, 1);
  if (s == HP_OK) s = HP_DEVICE_ALLOC(D, C->totals, HP_AMG_MATRICES);
  if (s != HP_OK) hp_amg_device_cycle_destroy(&C);
  *out = C;
  return s;
}

static void clear_smoothing(hp_amg_device_cycle *C) {
  for (int l = 0; l < HP_AMG_LEVELS_MAX; ++l) {
    hp_amg_groups_clear(&C->smoothing[l].lower);
    hp_amg_groups_clear(&C->smoothing[l].upper);
  }
  memset(C->smoothing, 0, sizeof C->smoothing);
}

void hp_amg_device_cycle_destroy(hp_amg_device_cycle **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_amg_device_cycle *C = *slot;
  HP_DEVICE_FREE(C->D, C->device);
  HP_DEVICE_FREE(C->D, C->totals);
  hp_setup_close(&C->S);
  clear_smoothing(C);
  HP_FREE(*slot);
}

const hp_amg *hp_amg_device_cycle_data(const hp_amg_device_cycle *C) { return &C->device->H; }

void *hp_amg_device_cycle_finest(const hp_amg_device_cycle *C) {
  const hp_amg_finest *F = &C->host.H.level[0].finest;
  return F->copied ? F->h : NULL;
}

int hp_amg_device_cycle_passes(const hp_amg_device_cycle *C) { return C->host.H.passes; }

int hp_amg_device_cycle_sweep_passes(const hp_amg_device_cycle *C, int l) {
  return l >= 0 && l < C->host.H.nlevel ? C->sweep_passes[l] : 0;
}

int64_t hp_amg_device_cycle_bytes(const hp_amg_device_cycle *C) {
  return hp_pool_bytes(&C->S.keep) + hp_pool_bytes(&C->S.scratch) + (int64_t)sizeof *C->device;
}

/* ---- the levels ---- */

static hp_status finest(hp_amg_device_cycle *C, const hp_gh *G) {
  hp_amg_finest *F = &C->host.H.level[0].finest;
  C->host.finest = *G;
  F->A = &C->device->finest;
  for (int u = -3; u <= 3; ++u) F->offset[u + 3] = hp_gh_offset(G, u);
  F->by_nz = hp_divisor_of((uint32_t)G->nz);
  F->copied = C->host.H.opt.precision == HP_PRECISION_SINGLE;
  if (!F->copied) {
    F->h = G->h;
    F->w = G->wells.w;
    F->wt = G->wells.wt;
    F->dd = G->wells.dd;
    F->link = G->link;
    return HP_OK;
  }
  HP_TRY(hp_pool_alloc_planes(&C->S.keep, &F->h, HP_GH_DIAGS, G->rows, G->ld, (size_t)hp_amg_cycle_real_bytes(C)));
  HP_TRY(hp_amg_cycle_alloc(C, &F->w, G->wells.nperf));
  HP_TRY(hp_amg_cycle_alloc(C, &F->wt, G->wells.nperf));
  HP_TRY(hp_amg_cycle_alloc(C, &F->link, G->links.count));
  return hp_amg_cycle_alloc(C, &F->dd, G->wells.nwell);
}

static hp_status level(hp_amg_device_cycle *C, const hp_amg_device *H, const hp_gh *G, int l) {
  const hp_amg_device_level *from = hp_amg_device_get_level(H, l);
  hp_amg_level *L = &C->host.H.level[l];
  const bool last = l + 1 == C->host.H.nlevel;
  const int64_t n = from->A.at.nrow;
  L->nrow = from->A.at.nrow;
  L->ncell = from->ncell;
  C->S.keep.on_first = hp_amg_is_on_first(&C->host.H.opt, n);
  L->A = &C->device->matrix[3 * l];
  C->host.matrix[3 * l] = from->A.at;
  if (l == 0 && G != NULL) HP_TRY(finest(C, G));
  else HP_TRY(hp_amg_cycle_measure(C, &from->A, &L->a, 3 * l));
  if (!last) {
    L->P = &C->device->matrix[3 * l + 1];
    L->R = &C->device->matrix[3 * l + 2];
    C->host.matrix[3 * l + 1] = from->P.at;
    C->host.matrix[3 * l + 2] = from->R.at;
    HP_TRY(hp_amg_cycle_measure(C, &from->P, &L->p, 3 * l + 1));
    HP_TRY(hp_amg_cycle_measure(C, &from->R, &L->r, 3 * l + 2));
  }
  C->smoothing[l].A = from->A;
  if (l > 0 || C->host.H.opt.precision == HP_PRECISION_SINGLE) {
    HP_TRY(hp_amg_cycle_alloc(C, &L->b, n));
    HP_TRY(hp_amg_cycle_alloc(C, &L->x, n));
  }
  if (!hp_amg_smoother_is_diagonal(C->host.H.opt.smoother)) HP_TRY(hp_amg_cycle_alloc(C, &L->y, n));
  return hp_amg_cycle_alloc(C, &L->z, n);
}

/* The passes, in the device's memory. */
static hp_status send(hp_amg_device_cycle *C, const hp_amg_writer *W) {
  hp_amg *H = &C->host.H;
  HP_TRY(HP_POOL_ALLOC(&C->S.keep, H->program, W->count));
  H->passes = W->count;
  memcpy(C->sweep_passes, W->sweep_passes, sizeof C->sweep_passes);
  return hp_device_upload(C->D, H->program, W->pass, W->count * (int64_t)sizeof *W->pass);
}

static hp_status write_program(hp_amg_device_cycle *C) {
  hp_amg_writer W;
  memset(&W, 0, sizeof W);
  W.H = &C->host.H;
  W.device = C->smoothing;
  hp_status s = hp_amg_write_cycle(&W);
  if (s == HP_OK) s = send(C, &W);
  HP_FREE(W.pass);
  return s;
}

static hp_status prepare(hp_amg_device_cycle *C, const hp_amg_device *H, const hp_gh *G) {
  hp_amg *to = &C->host.H;
  uint32_t total[HP_AMG_MATRICES];
  const hp_amg_options opt = to->opt;
  memset(&C->host, 0, sizeof C->host);
  to->opt = opt;
  to->nlevel = hp_amg_device_levels(H);
  HP_TRY(hp_pool_reset(&C->S.keep));
  HP_TRY(hp_pool_reset(&C->S.scratch));
  clear_smoothing(C);
  for (int l = 0; l < to->nlevel; ++l) HP_TRY(level(C, H, G, l));
  const hp_amg_device_direct *direct = hp_amg_device_get_direct(H);
  if (direct != NULL) to->inverse = direct->inverse;
  HP_TRY(hp_device_download(C->D, total, C->totals, sizeof total));
  HP_TRY(hp_amg_cycle_fill(C, total));
  for (int l = 0; l < to->nlevel; ++l) {
    C->S.keep.on_first = hp_amg_is_on_first(&to->opt, to->level[l].nrow);
    HP_TRY(hp_amg_cycle_smoother(C)->prepare(C, l));
  }
  HP_TRY(write_program(C));
  return hp_device_upload(C->D, C->device, &C->host, sizeof C->host);
}

hp_status hp_amg_device_cycle_prepare(hp_amg_device_cycle *C, const hp_amg_device *H, const hp_gh *G) {
  if (G != NULL && (G->q != 1 || G->n != hp_amg_device_get_level(H, 0)->A.at.nrow))
    return hp_fail(HP_ERR_INTERNAL, "multigrid: a GH matrix of %lld rows, q = %d, for a level of %d rows",
                   (long long)G->n, G->q, (int)hp_amg_device_get_level(H, 0)->A.at.nrow);
  const hp_status s = prepare(C, H, G);
  if (s != HP_OK) C->host.H.nlevel = 0;
  return s;
}
