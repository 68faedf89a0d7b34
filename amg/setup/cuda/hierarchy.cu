/* The hierarchy on a GPU, level after level: amg/setup/device.h. */
#include <string.h>

#include "amg/setup/cuda/hierarchy.cuh"
#include "core/memory.h"

hp_status hp_amg_device_create(hp_device *D, const hp_amg_options *opt, hp_amg_device **out) {
  *out = NULL;
  const char *refusal = hp_amg_refusal(opt, HP_SOLVER_ANY);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "multigrid: %s", refusal);
  hp_amg_device *H = NULL;
  HP_TRY(HP_ALLOC(H, 1));
  H->D = D;
  H->opt = *opt;
  if (opt->one_gpu_rows < 0) H->opt.one_gpu_rows = hp_device_get_shape(D).one_gpu_rows;
  const hp_status s = hp_setup_open(&H->S, D);
  if (s != HP_OK) hp_amg_device_destroy(&H);
  *out = H;
  return s;
}

void hp_amg_device_destroy(hp_amg_device **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_amg_device *H = *slot;
  hp_setup_close(&H->S);
  for (int l = 0; l < HP_AMG_LEVELS_MAX; ++l)
    for (int p = 0; p <= HP_AMG_DEVICE_PHASE_COUNT; ++p)
      if (H->event[l][p] != NULL) cudaEventDestroy(H->event[l][p]);
  HP_FREE(*slot);
}

/* ---- time ---- */

/* The parts before number `part` of level l end here. */
static hp_status mark(hp_amg_device *H, int l, int part) {
  if (!H->watch) return HP_OK;
  cudaEvent_t *e = &H->event[l][part];
  if (*e == NULL) HP_TRY(hp_device_check(H->D, cudaEventCreate(e), "watching the setup"));
  H->recorded[l] |= 1u << part;
  return hp_device_check(H->D, cudaEventRecord(*e, H->S.stream), "watching the setup");
}

void hp_amg_device_watch(hp_amg_device *H, bool on) { H->watch = on; }

const char *hp_amg_device_phase_name(hp_amg_device_phase p) {
  static const char *const name[] = {
#define TEXT_OF(id, text) text,
      HP_AMG_DEVICE_PHASE_LIST(TEXT_OF)
#undef TEXT_OF
  };
  return (unsigned)p < HP_AMG_DEVICE_PHASE_COUNT ? name[p] : "unknown";
}

double hp_amg_device_time(const hp_amg_device *H, int l, hp_amg_device_phase p) {
  float ms = 0.0f;
  if (l < 0 || l >= H->nlevel || (unsigned)p >= HP_AMG_DEVICE_PHASE_COUNT) return 0.0;
  if ((H->recorded[l] >> p & 3u) != 3u) return 0.0;
  if (cudaEventSynchronize(H->event[l][p + 1]) != cudaSuccess) return 0.0;
  if (cudaEventElapsedTime(&ms, H->event[l][p], H->event[l][p + 1]) != cudaSuccess) return 0.0;
  return 1e-3 * (double)ms;
}

/* ---- build ---- */

static hp_status clear(hp_amg_device *H) {
  memset(H->level, 0, sizeof H->level);
  memset(&H->direct, 0, sizeof H->direct);
  memset(H->recorded, 0, sizeof H->recorded);
  H->nlevel = 0;
  H->first_early = false;
  HP_TRY(hp_pool_reset(&H->S.keep));
  HP_TRY(hp_pool_reset(&H->S.scratch));
  return hp_device_zero(H->D, H->S.counts, HP_SETUP_COUNTS * (int64_t)sizeof *H->S.counts);
}

/* P of level l; empty if the level cannot be made coarser. *most: products of a row of A P. */
static hp_status interpolate(hp_amg_device *H, int l, int64_t *most) {
  hp_setup *S = &H->S;
  hp_amg_device_level *L = &H->level[l];
  const int32_t n = L->A.at.nrow;
  hp_setup_graph G;
  hp_pool_mark picked;
  uint8_t *point = NULL;
  int32_t *number = NULL;
  memset(&G, 0, sizeof G);
  HP_TRY(HP_POOL_ALLOC(&S->scratch, point, n));
  HP_TRY(HP_POOL_ALLOC(&S->scratch, number, (int64_t)n + 1));
  HP_TRY(mark(H, l, HP_AMG_DEVICE_STRENGTH));
  HP_TRY(hp_setup_strength(S, &L->A, L->ncell, H->opt.strength, hp_setup_graph_for(H->opt.coarsening), &G, &picked));
  HP_TRY(mark(H, l, HP_AMG_DEVICE_COARSEN));
  HP_TRY(hp_setup_coarsen(S, &L->A, &G, &H->opt, point));
  HP_TRY(hp_setup_number(S, point, n, number));
  hp_pool_rewind(&S->scratch, picked);
  HP_TRY(mark(H, l, HP_AMG_DEVICE_INTERPOLATE));
  HP_TRY(hp_setup_interpolate(S, &L->A, &G, point, number, &H->opt, &L->P, &L->ap));
  *most = S->host_counts[4];
  return HP_OK;
}

/* The values of a level's A stay in scratch memory until the next build. The values of A P are above them, where later
 * levels overwrite them: they are no longer needed by then. */
static hp_status multiply_numbers(hp_amg_device *H, int l) {
  hp_setup *S = &H->S;
  hp_amg_device_level *L = &H->level[l], *N = &H->level[l + 1];
  HP_TRY(HP_POOL_ALLOC(&S->scratch, N->A.at.value, N->A.count));
  const hp_pool_mark here = hp_pool_get_mark(&S->scratch);
  HP_TRY(HP_POOL_ALLOC(&S->scratch, L->AP.at.value, L->AP.count));
  HP_TRY(hp_setup_numbers(S, &L->A, &L->P, &L->ap, &L->AP));
  HP_TRY(hp_setup_numbers(S, &L->R, &L->AP, &L->rap, &N->A));
  hp_pool_rewind(&S->scratch, here);
  return HP_OK;
}

/* A of level l+1. */
static hp_status multiply(hp_amg_device *H, int l, int64_t most) {
  hp_setup *S = &H->S;
  hp_amg_device_level *L = &H->level[l], *N = &H->level[l + 1];
  const hp_pool_mark here = hp_pool_get_mark(&S->scratch);
  int64_t next_most = 0;
  HP_TRY(mark(H, l, HP_AMG_DEVICE_TRANSPOSE));
  HP_TRY(hp_setup_transpose(S, &L->P, &L->R));
  HP_TRY(mark(H, l, HP_AMG_DEVICE_PATTERN_AP));
  HP_TRY(hp_setup_pattern(S, &L->A, &L->P, NULL, most, &L->AP, &L->ap, &L->R.at, &L->rap, &next_most));
  L->R.longest = (int32_t)S->host_counts[6];
  HP_TRY(mark(H, l, HP_AMG_DEVICE_PATTERN_RAP));
  const int64_t *first = L->ap.place != NULL ? L->ap.begin : NULL;
  HP_TRY(hp_setup_pattern(S, &L->R, &L->AP, first, next_most, &N->A, &L->rap, NULL, NULL, NULL));
  if (first != NULL) L->AP.at.column = NULL; /* was in scratch memory; the plan is enough from now on */
  hp_pool_rewind(&S->scratch, here);
  HP_TRY(mark(H, l, HP_AMG_DEVICE_NUMBERS));
  HP_TRY(multiply_numbers(H, l));
  return mark(H, l, HP_AMG_DEVICE_PHASE_COUNT);
}

/* The level after l, if l can be made coarser. */
static hp_status next_level(hp_amg_device *H, int l, bool *made) {
  hp_setup *S = &H->S;
  hp_amg_device_level *L = &H->level[l];
  const hp_pool_mark keep = hp_pool_get_mark(&S->keep), scratch = hp_pool_get_mark(&S->scratch);
  int64_t most = 0;
  *made = false;
  HP_TRY(interpolate(H, l, &most));
  hp_pool_rewind(&S->scratch, scratch);
  if (L->P.at.ncol > 0) {
    const int32_t nwell = L->A.at.nrow - L->ncell;
    HP_TRY(multiply(H, l, most));
    H->level[l + 1].ncell = H->level[l + 1].A.at.nrow - nwell;
    *made = true;
  } else {
    memset(&L->P, 0, sizeof L->P);
    memset(&L->ap, 0, sizeof L->ap);
    hp_pool_rewind(&S->keep, keep);
  }
  return HP_OK;
}

static hp_status build_direct(hp_amg_device *H) {
  const hp_csr_device *A = &H->level[H->nlevel - 1].A;
  hp_amg_device_direct *d = &H->direct;
  const int64_t n = A->at.nrow;
  if (n > HP_AMG_DIRECT_MAX || n == 0) return HP_OK;
  HP_TRY(HP_POOL_ALLOC(&H->S.keep, d->lu, n * n));
  HP_TRY(HP_POOL_ALLOC(&H->S.keep, d->inverse, n * n));
  HP_TRY(HP_POOL_ALLOC(&H->S.keep, d->scale, n));
  HP_TRY(HP_POOL_ALLOC(&H->S.keep, d->pivot, n));
  d->n = (int32_t)n;
  return hp_setup_direct(&H->S, A, d);
}

static hp_status build(hp_amg_device *H) {
  bool more = true;
  for (int l = 0; more; ++l) {
    H->nlevel = l + 1;
    H->S.one_gpu = H->S.keep.on_first = hp_amg_is_on_first(&H->opt, H->level[l].A.at.nrow);
    more = false;
    if (l + 1 < H->opt.max_levels && H->level[l].ncell > H->opt.coarsest) HP_TRY(next_level(H, l, &more));
  }
  const int last = H->nlevel - 1;
  HP_TRY(mark(H, last, HP_AMG_DEVICE_NUMBERS));
  HP_TRY(build_direct(H));
  return mark(H, last, HP_AMG_DEVICE_PHASE_COUNT);
}

hp_status hp_amg_device_attach(hp_amg_device *H, void *memory, int64_t bytes) {
  return hp_pool_attach(&H->S.scratch, memory, bytes);
}

hp_status hp_amg_device_begin(hp_amg_device *H) {
  HP_TRY(clear(H));
  H->begun = true;
  return HP_OK;
}

hp_status hp_amg_device_scratch(hp_amg_device *H, void **out, int64_t count, size_t size) {
  return hp_pool_alloc(&H->S.scratch, out, count, size);
}

hp_status hp_amg_device_build(hp_amg_device *H, const hp_csr_device *A, int32_t nwell) {
  if (!H->begun) HP_TRY(clear(H));
  H->begun = false;
  H->builds += 1;
  H->level[0].A = *A;
  H->level[0].ncell = A->at.nrow - nwell;
  const hp_failure failed = hp_fail_keep(build(H));
  if (failed.status == HP_OK) return HP_OK;
  const hp_status cleared = clear(H);
  if (cleared != HP_OK) H->nlevel = 0;
  return hp_fail_both(failed, hp_fail_keep(cleared));
}

/* The arrays that a refresh computes step by step (amg/cycle/cuda/refresh.cu): A's columns and values first, then A P of
 * level l in step 2l+1 and the next level's values in step 2l+2. The values of all levels' A live to the end, since the
 * cycle's rows are copied from them; the first level's values only if the cycle's copy cannot be made early. */
hp_status hp_amg_device_compact(hp_amg_device *H, hp_csr_device *A) {
  enum { ARRAYS = 2 * HP_AMG_LEVELS_MAX };
  hp_overlay_array array[ARRAYS];
  void *memory[ARRAYS];
  hp_csr_device *level0 = &H->level[0].A;
  const int last = 2 * H->nlevel;
  int count = 0, spread = 2;
  bool planned = H->nlevel > 1;
  for (int l = 0; l + 1 < H->nlevel; ++l)
    planned = planned && H->level[l].ap.place != NULL && H->level[l].rap.place != NULL;
  H->first_early = planned && hp_amg_smoother_is_diagonal(H->opt.smoother);
  const int first_ends = H->first_early ? 1 : last;
  array[count++] = hp_overlay_array{level0->count * (int64_t)sizeof *level0->at.column, 0, first_ends, 0};
  array[count++] = hp_overlay_array{level0->count * (int64_t)sizeof *level0->at.value, 0, first_ends, 0};
  for (int l = 0; l + 1 < H->nlevel; ++l) {
    const int64_t word = sizeof *level0->at.value;
    array[count++] = hp_overlay_array{H->level[l].AP.count * word, 2 * l + 1, 2 * l + 2, 0};
    if (!hp_amg_is_on_first(&H->opt, H->level[l].A.at.nrow)) spread = count + 1; /* A P and the next level */
    array[count++] = hp_overlay_array{H->level[l + 1].A.count * word, 2 * l + 2, last, 0};
  }
  const bool trim = H->builds == 1; /* later builds may come often */
  HP_TRY(hp_pool_overlay(&H->S.scratch, trim, count, spread, array, memory));
  level0->at.column = (int32_t *)memory[0];
  level0->at.value = (double *)memory[1];
  for (int l = 0; l + 1 < H->nlevel; ++l) {
    H->level[l].AP.at.value = (double *)memory[2 + 2 * l];
    H->level[l + 1].A.at.value = (double *)memory[3 + 2 * l];
  }
  *A = *level0;
  return HP_OK;
}

/* ---- questions ---- */

int hp_amg_device_levels(const hp_amg_device *H) { return H->nlevel; }

const hp_amg_device_level *hp_amg_device_get_level(const hp_amg_device *H, int l) {
  return l >= 0 && l < H->nlevel ? &H->level[l] : NULL;
}

const hp_amg_device_direct *hp_amg_device_get_direct(const hp_amg_device *H) {
  return H->direct.n > 0 ? &H->direct : NULL;
}

int64_t hp_amg_device_bytes(const hp_amg_device *H) { return H->S.keep.allocated + H->S.scratch.allocated; }

int64_t hp_amg_device_peak_bytes(const hp_amg_device *H) { return H->S.keep.peak + H->S.scratch.peak; }

int64_t hp_amg_device_pool_bytes(const hp_amg_device *H) {
  return hp_pool_bytes(&H->S.keep) + hp_pool_bytes(&H->S.scratch);
}

static int64_t csr_bytes(const hp_csr_device *A, bool values) {
  if (A->at.begin == NULL) return 0;
  return (A->at.nrow + INT64_C(1)) * (int64_t)sizeof *A->at.begin +
         A->count * (int64_t)((A->at.column != NULL ? sizeof *A->at.column : 0) + (values ? sizeof *A->at.value : 0));
}

static int64_t plan_bytes(const hp_device_plan *p, int64_t nrow) {
  if (p->begin == NULL) return 0;
  return (nrow + 1) * (int64_t)sizeof *p->begin + (p->place != NULL ? p->count : 0) +
         p->wide_count * (int64_t)sizeof *p->wide;
}

int64_t hp_amg_device_level_bytes(const hp_amg_device *H, int l) {
  const hp_amg_device_level *L = hp_amg_device_get_level(H, l);
  if (L == NULL) return 0;
  return csr_bytes(&L->A, true) + csr_bytes(&L->P, true) + csr_bytes(&L->R, true) + csr_bytes(&L->AP, false) +
         plan_bytes(&L->ap, L->A.at.nrow) + plan_bytes(&L->rap, L->R.at.nrow);
}

bool hp_amg_device_coarsens_on_host(const hp_amg_device *H) { return !hp_setup_coarsens_on_device(H->opt.coarsening); }
