/* amg/cycle_device.h with CUDA. */
#include <string.h>

#include "amg/cycle.inl.h"
#include "amg/cycle_cuda.cuh"
#include "amg/program_cuda.cuh"
#include "core/memory.h"

bool hp_amg_cycle_single(const hp_amg_device_cycle *C) { return C->host.H.opt.precision == HP_PRECISION_SINGLE; }

static const hp_amg_device_smoother *smoother_of(const hp_amg_device_cycle *C) {
  switch (C->host.H.opt.smoother) {
#define HP_AMG_CASE(name, entry, host) \
  case HP_AMG_##name: return &hp_amg_device_##entry;
    HP_AMG_SMOOTHER_GPU_LIST(HP_AMG_CASE)
#undef HP_AMG_CASE
    default: return NULL; /* refused at creation */
  }
}

/* ---- creation ---------------------------------------------------------------------------------- */

hp_status hp_amg_device_cycle_create(hp_device *D, const hp_amg_options *opt, hp_amg_device_cycle **out) {
  *out = NULL;
  const char *refusal = hp_amg_refusal(opt);
  if (refusal == NULL) refusal = hp_amg_device_cycle_refusal(opt);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "multigrid: %s", refusal);
  hp_amg_device_cycle *C = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  C->D = D;
  C->host.H.opt = *opt;
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
  HP_FREE(C->list);
  HP_FREE(*slot);
}

const hp_amg *hp_amg_device_cycle_data(const hp_amg_device_cycle *C) { return &C->device->H; }

int hp_amg_device_cycle_passes(const hp_amg_device_cycle *C) { return C->host.H.passes; }

int hp_amg_device_cycle_sweep_passes(const hp_amg_device_cycle *C, int l) {
  return l >= 0 && l < C->host.H.nlevel ? C->sweep_passes[l] : 0;
}

int64_t hp_amg_device_cycle_bytes(const hp_amg_device_cycle *C) {
  return hp_pool_bytes(&C->S.keep) + hp_pool_bytes(&C->S.scratch) + (int64_t)sizeof *C->device;
}

/* ---- rows in slices -------------------------------------------------------------------------------- */

static __device__ int64_t slices_of(const hp_amg_rows *R) { return ((int64_t)R->nrow + (1 << R->shift) - 1) >> R->shift; }

/* Entries of every slice, as many as its longest row makes them. */
static __global__ void measure_kernel(hp_csr A, hp_amg_rows R) {
  const int64_t s = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, slices = slices_of(&R);
  if (s > slices) return;
  int32_t most = 0;
  for (int64_t i = s << R.shift; i < (s + 1) << R.shift && i < A.nrow; ++i) {
    const int32_t length = A.begin[i + 1] - A.begin[i];
    most = length > most ? length : most;
  }
  const int32_t lanes = 1 << R.lanes;
  R.begin[s] = s < slices ? ((most + lanes - 1) >> R.lanes) << (R.shift + R.lanes) : 0;
}

static __global__ void total_kernel(hp_amg_rows R, int32_t *total) { *total = R.begin[slices_of(&R)]; }

/* Columns; places beyond the end of a row name a column that exists. */
static __global__ void columns_kernel(hp_csr A, hp_amg_rows R) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= slices_of(&R) << R.shift) return;
  const int64_t slice = i >> R.shift;
  const int32_t steps = (R.begin[slice + 1] - R.begin[slice]) >> R.shift, from = i < A.nrow ? A.begin[i] : 0;
  const int32_t length = i < A.nrow ? A.begin[i + 1] - from : 0;
  for (int32_t k = 0; k < steps; ++k) R.column[hp_amg_place(&R, i, k)] = k < length ? A.column[from + k] : 0;
}

/* Lanes of a row: enough that the rows keep all threads busy, not more than its entries. */
static int lanes_of(const hp_amg_device_cycle *C, const hp_device_csr *A) {
  const int64_t threads = (int64_t)C->S.multiprocessors * HP_BLOCK_MAX;
  const int64_t n = A->at.nrow > 0 ? A->at.nrow : 1, entries = A->count / n;
  int lanes = 0;
  while (lanes < 5 && (1 << lanes) < entries && n << lanes < threads) lanes += 1;
  return lanes == 1 || lanes == 4 ? lanes + 1 : lanes; /* fewer kinds of passes to compile */
}

/* Sizes of slices; the host learns *total later. */
static hp_status measure(hp_amg_device_cycle *C, const hp_device_csr *A, hp_amg_rows *R, int32_t *total) {
  hp_setup *S = &C->S;
  R->nrow = A->at.nrow;
  R->lanes = lanes_of(C, A);
  R->shift = 5 - R->lanes;
  const int64_t slices = ((int64_t)R->nrow + (1 << R->shift) - 1) >> R->shift;
  HP_TRY(HP_TAKE(&S->keep, R->begin, slices + 1));
  HP_TRY(hp_launch(S, "slices of rows", measure_kernel, (slices + 256) / 256, 256, 0, A->at, *R));
  HP_TRY(hp_setup_scan(S, R->begin, R->begin, slices));
  return hp_launch(S, "slices of rows", total_kernel, 1, 1, 0, *R, total);
}

static hp_status measure_matrix(hp_amg_device_cycle *C, const hp_device_csr *A, hp_amg_rows *R, int which) {
  C->source[which] = *A;
  return measure(C, A, R, C->totals + which);
}

static int64_t real_bytes(const hp_amg_device_cycle *C) {
  return hp_amg_cycle_single(C) ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
}

hp_status hp_amg_cycle_take(hp_amg_device_cycle *C, void **out, int64_t count) {
  return hp_pool_take(&C->S.keep, out, count, (size_t)real_bytes(C));
}

/* Columns, and room for the numbers, padding zero. */
static hp_status fill(hp_amg_device_cycle *C, const hp_device_csr *A, hp_amg_rows *R, int32_t total) {
  if (R->begin == NULL) return HP_OK;
  HP_TRY(HP_TAKE(&C->S.keep, R->column, total));
  HP_TRY(hp_amg_cycle_take(C, &R->value, total));
  HP_TRY(hp_device_zero(C->D, R->value, total * real_bytes(C)));
  const int64_t rows = ((int64_t)R->nrow + 31) / 32 * 32;
  return hp_launch(&C->S, "slices of rows", columns_kernel, (rows + 255) / 256, 256, 0, A->at, *R);
}

hp_status hp_amg_cycle_slices(hp_amg_device_cycle *C, const hp_device_csr *A, hp_amg_rows *R) {
  int32_t total = 0;
  HP_TRY(measure(C, A, R, C->totals));
  HP_TRY(hp_device_download(C->D, &total, C->totals, sizeof total));
  return fill(C, A, R, total);
}

/* ---- the levels ---------------------------------------------------------------------------------- */

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
    return HP_OK;
  }
  HP_TRY(hp_amg_cycle_take(C, &F->h, HP_GH_DIAGS * G->ld));
  HP_TRY(hp_amg_cycle_take(C, &F->w, G->wells.nperf));
  HP_TRY(hp_amg_cycle_take(C, &F->wt, G->wells.nperf));
  return hp_amg_cycle_take(C, &F->dd, G->wells.nwell);
}

static hp_status level(hp_amg_device_cycle *C, const hp_amg_device *H, const hp_gh *G, int l) {
  const hp_amg_device_level *from = hp_amg_device_get_level(H, l);
  hp_amg_level *L = &C->host.H.level[l];
  const bool last = l + 1 == C->host.H.nlevel;
  const int64_t n = from->A.at.nrow;
  L->ncell = from->ncell;
  L->A = &C->device->matrix[3 * l];
  C->host.matrix[3 * l] = from->A.at;
  if (l == 0 && G != NULL) HP_TRY(finest(C, G));
  else HP_TRY(measure_matrix(C, &from->A, &L->a, 3 * l));
  if (!last) {
    L->P = &C->device->matrix[3 * l + 1];
    L->R = &C->device->matrix[3 * l + 2];
    C->host.matrix[3 * l + 1] = from->P.at;
    C->host.matrix[3 * l + 2] = from->R.at;
    HP_TRY(measure_matrix(C, &from->P, &L->p, 3 * l + 1));
    HP_TRY(measure_matrix(C, &from->R, &L->r, 3 * l + 2));
  }
  C->smoothing[l].A = from->A;
  if (l > 0 || C->host.H.opt.precision == HP_PRECISION_SINGLE) {
    HP_TRY(hp_amg_cycle_take(C, &L->b, n));
    HP_TRY(hp_amg_cycle_take(C, &L->x, n));
  }
  HP_TRY(hp_amg_cycle_take(C, &L->y, n));
  return hp_amg_cycle_take(C, &L->z, n);
}

/* ---- the program ----------------------------------------------------------------------------------- */

static hp_status grow(hp_amg_device_cycle *C) {
  hp_amg_pass *list = NULL;
  const int room = C->room > 0 ? 2 * C->room : 64;
  HP_TRY(HP_ALLOC(list, room));
  if (C->count > 0) memcpy(list, C->list, (size_t)C->count * sizeof *list);
  HP_FREE(C->list);
  C->list = list;
  C->room = room;
  return HP_OK;
}

hp_amg_pass hp_amg_pass_of(int what, int kind, const void *from, void *out, int64_t n) {
  hp_amg_pass p;
  memset(&p, 0, sizeof p);
  p.what = what;
  p.kind = kind;
  p.from = from;
  p.out = out;
  p.n = n;
  return p;
}

hp_status hp_amg_add_pass(hp_amg_device_cycle *C, hp_amg_pass p) {
  if (C->count == C->room) HP_TRY(grow(C));
  C->list[C->count++] = p;
  return HP_OK;
}

int64_t hp_amg_cycle_rows(const hp_amg_device_cycle *C, int l) { return C->host.matrix[3 * l].nrow; }

hp_amg_pass hp_amg_pass_of_level(const hp_amg_device_cycle *C, int l, int kind, const void *from, void *out) {
  const hp_amg_level *L = &C->host.H.level[l];
  const int what = L->finest.A != NULL ? HP_AMG_PASS_FINEST : HP_AMG_PASS_ROWS;
  hp_amg_pass p = hp_amg_pass_of(what, kind, from, out, hp_amg_cycle_rows(C, l));
  p.rows = L->a;
  p.s = L->smooth.scale;
  return p;
}

hp_status hp_amg_add_residual(hp_amg_device_cycle *C, int l, const void *b, const void *x) {
  hp_amg_pass p = hp_amg_pass_of_level(C, l, HP_AMG_FORM_RESIDUAL, x, C->host.H.level[l].y);
  p.b = b;
  return hp_amg_add_pass(C, p);
}

hp_status hp_amg_add_sum(hp_amg_device_cycle *C, const void *x, const void *from, const int32_t *own, void *out,
                         int64_t n) {
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_SUM, HP_AMG_FORM_PRODUCT, from, out, n);
  p.x = x;
  p.own = own;
  return hp_amg_add_pass(C, p);
}

static hp_status solve_last(hp_amg_device_cycle *C, int l, const void *b, void *x) {
  const int64_t n = hp_amg_cycle_rows(C, l);
  if (C->host.H.inverse != NULL)
    return hp_amg_add_pass(C, hp_amg_pass_of(HP_AMG_PASS_INVERSE, HP_AMG_FORM_PRODUCT, b, x, n));
  hp_amg_device_iterate v = {x, C->host.H.level[l].z, HP_AMG_ZERO, HP_AMG_ZERO};
  for (int k = 0; k < HP_AMG_SWEEPS_LAST; ++k) HP_TRY(smoother_of(C)->sweep(C, l, k % 2 == 0, b, &v));
  return v.x == x ? HP_OK : hp_amg_add_sum(C, NULL, v.x, NULL, x, n);
}

static hp_status descend(hp_amg_device_cycle *C, int l, const void *b, hp_amg_device_iterate *v) {
  const hp_amg_level *L = &C->host.H.level[l];
  const void *r = b;
  for (int n = 0; n < C->host.H.opt.pre; ++n) HP_TRY(smoother_of(C)->sweep(C, l, true, b, v));
  if (v->state != HP_AMG_ZERO) {
    const bool scaled = v->state == HP_AMG_SCALED;
    hp_amg_pass p = hp_amg_pass_of_level(C, l, HP_AMG_FORM_RESIDUAL, scaled ? b : v->x, L->y);
    p.scale_from = scaled ? L->smooth.scale : NULL;
    p.b = b;
    r = L->y;
    HP_TRY(hp_amg_add_pass(C, p));
  }
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_ROWS, HP_AMG_FORM_PRODUCT, r, C->host.H.level[l + 1].b,
                                 hp_amg_cycle_rows(C, l + 1));
  p.rows = L->r;
  return hp_amg_add_pass(C, p);
}

static hp_status ascend(hp_amg_device_cycle *C, int l, const void *b, void *x, hp_amg_device_iterate *v) {
  const hp_amg_level *L = &C->host.H.level[l];
  const int moves = smoother_of(C)->moves == HP_AMG_BY_ORDER ? C->host.H.opt.order : smoother_of(C)->moves;
  const bool away = C->host.H.opt.post * moves % 2 != 0;
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_ROWS, HP_AMG_FORM_CORRECT, C->host.H.level[l + 1].x, away ? L->z : x,
                                 hp_amg_cycle_rows(C, l));
  p.rows = L->p;
  p.x_state = v->state;
  p.x = v->x;
  p.s = L->smooth.scale;
  p.b = b;
  HP_TRY(hp_amg_add_pass(C, p));
  v->x = p.out;
  v->other = away ? x : L->z;
  v->state = HP_AMG_STORED;
  const int before = C->count;
  for (int n = 0; n < C->host.H.opt.post; ++n) HP_TRY(smoother_of(C)->sweep(C, l, false, b, v));
  if (C->host.H.opt.post > 0) C->sweep_passes[l] = (C->count - before) / C->host.H.opt.post;
  return HP_OK;
}

/* A visit of level l whose x is zero or stored. */
static hp_status visit(hp_amg_device_cycle *C, int l, hp_amg_cycle_kind kind, int state, const void *b, void *x) {
  const hp_amg *H = &C->host.H;
  const hp_amg_level *N = &H->level[l + 1];
  if (l + 1 == H->nlevel) return solve_last(C, l, b, x);
  hp_amg_device_iterate v = {x, H->level[l].z, state, HP_AMG_ZERO};
  HP_TRY(descend(C, l, b, &v));
  HP_TRY(visit(C, l + 1, kind, HP_AMG_ZERO, N->b, N->x));
  if (kind != HP_AMG_V && l + 2 < H->nlevel)
    HP_TRY(visit(C, l + 1, kind == HP_AMG_W ? HP_AMG_W : HP_AMG_V, HP_AMG_STORED, N->b, N->x));
  return ascend(C, l, b, x, &v);
}

static hp_status write_program(hp_amg_device_cycle *C) {
  hp_amg *H = &C->host.H;
  const bool single = H->opt.precision == HP_PRECISION_SINGLE;
  void *b = single ? H->level[0].b : HP_AMG_CYCLES_B, *x = single ? H->level[0].x : HP_AMG_CYCLES_X;
  hp_amg_pass *list = NULL;
  C->count = 0;
  const hp_amg_pass in = hp_amg_pass_of(HP_AMG_PASS_IN, HP_AMG_FORM_PRODUCT, NULL, b, hp_amg_cycle_rows(C, 0));
  const hp_amg_pass out = hp_amg_pass_of(HP_AMG_PASS_OUT, HP_AMG_FORM_PRODUCT, x, NULL, hp_amg_cycle_rows(C, 0));
  if (single) HP_TRY(hp_amg_add_pass(C, in));
  HP_TRY(visit(C, 0, H->opt.cycle, HP_AMG_ZERO, b, x));
  if (single) HP_TRY(hp_amg_add_pass(C, out));
  HP_TRY(HP_TAKE(&C->S.keep, list, C->count));
  H->program = list;
  H->passes = C->count;
  return hp_device_upload(C->D, list, C->list, C->count * (int64_t)sizeof *list);
}

static hp_status prepare(hp_amg_device_cycle *C, const hp_amg_device *H, const hp_gh *G) {
  hp_amg *to = &C->host.H;
  int32_t total[HP_AMG_MATRICES];
  const hp_amg_options opt = to->opt;
  memset(C->sweep_passes, 0, sizeof C->sweep_passes);
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
  for (int l = 0; l < to->nlevel; ++l) {
    hp_amg_level *L = &to->level[l];
    HP_TRY(fill(C, &C->source[3 * l], &L->a, total[3 * l]));
    HP_TRY(fill(C, &C->source[3 * l + 1], &L->p, total[3 * l + 1]));
    HP_TRY(fill(C, &C->source[3 * l + 2], &L->r, total[3 * l + 2]));
  }
  for (int l = 0; l < to->nlevel; ++l) HP_TRY(smoother_of(C)->prepare(C, l));
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

/* ---- kernels ------------------------------------------------------------------------------------------ */

struct cycle_args {
  const hp_amg *H;
  const double *b;
  double *x;
};

static __global__ void __launch_bounds__(HP_BLOCK_MAX, 1)
    numbers_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ cycle_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  hp_amg_numbers(&t, hp_amg_on_chip(a.H));
  hp_team_leave(&t);
}

static __global__ void __launch_bounds__(HP_BLOCK_MAX, 1)
    cycle_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ cycle_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  hp_amg_program_cuda(&t, hp_amg_on_chip(a.H), a.b, a.x, false, false);
  hp_team_leave(&t);
}

static hp_status launch(hp_amg_device_cycle *C, const void *kernel, const double *b, double *x, const char *what) {
  const cycle_args a = {&C->device->H, b, x};
  if (C->host.H.nlevel == 0) return hp_fail(HP_ERR_INTERNAL, "multigrid: a cycle before its preparation");
  return hp_team_launch(C->D, kernel, &a, 0, what);
}

/* Those for which a smoother has kernels of its own. */
static hp_status smoother_numbers(hp_amg_device_cycle *C) {
  for (int l = 0; l < C->host.H.nlevel && smoother_of(C)->numbers != NULL; ++l)
    HP_TRY(smoother_of(C)->numbers(C, l));
  return HP_OK;
}

hp_status hp_amg_device_cycle_numbers(hp_amg_device_cycle *C) {
  HP_TRY(launch(C, (const void *)numbers_kernel, NULL, NULL, "making the numbers of a multigrid cycle"));
  return smoother_numbers(C);
}

hp_status hp_amg_device_cycle_refresh(hp_amg_device_cycle *C, hp_amg_device *H) {
  if (C->host.H.nlevel == 0) return hp_fail(HP_ERR_INTERNAL, "multigrid: a refresh before the cycle's preparation");
  HP_TRY(hp_amg_device_refresh_with(H, &C->device->H));
  return smoother_numbers(C);
}

hp_status hp_amg_device_cycle_apply(hp_amg_device_cycle *C, const double *b, double *x) {
  return launch(C, (const void *)cycle_kernel, b, x, "running a multigrid cycle");
}
