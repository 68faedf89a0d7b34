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

struct cycle_args {
  const hp_amg *H;
  const double *b;
  double *x;
};

static __global__ void cycle_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ cycle_args a);

/* ---- creation ---------------------------------------------------------------------------------- */

hp_status hp_amg_device_cycle_kernel(hp_amg_device_cycle *C, const void *kernel) {
  int threads, blocks;
  int64_t spare;
  HP_TRY(hp_team_launch_shape(C->D, kernel, 0, &threads, &blocks));
  HP_TRY(hp_team_spare_shared(C->D, kernel, &spare));
  if (spare < C->chip_room) C->chip_room = spare > 0 ? spare : 0;
  return HP_OK;
}

int hp_amg_device_cycle_on_chip(const hp_amg_device_cycle *C, int64_t *bytes) {
  const hp_amg *H = &C->host.H;
  *bytes = H->chip_level < H->nlevel ? C->chip_bytes : 0;
  return H->chip_level;
}

hp_status hp_amg_device_cycle_create(hp_device *D, const hp_amg_options *opt, hp_amg_device_cycle **out) {
  *out = NULL;
  const char *refusal = hp_amg_refusal(opt);
  if (refusal == NULL) refusal = hp_amg_device_cycle_refusal(opt);
  if (refusal != NULL) return hp_fail(HP_ERR_USAGE, "multigrid: %s", refusal);
  hp_amg_device_cycle *C = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  C->D = D;
  C->host.H.opt = *opt;
  C->chip_room = (int64_t)opt->on_chip * 1024;
  hp_status s = hp_setup_open(&C->S, D);
  if (s == HP_OK) s = HP_DEVICE_ALLOC(D, C->device, 1);
  if (s == HP_OK) s = hp_amg_device_cycle_kernel(C, (const void *)cycle_kernel);
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
  HP_FREE(C->chip_list);
  HP_FREE(*slot);
}

int64_t hp_amg_device_cycle_shared(const hp_amg_device_cycle *C) {
  return C->host.H.chip_level < C->host.H.nlevel ? C->chip_bytes : 0;
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

/* Lanes of a row: enough that the rows keep all threads busy, not more than its entries. Where all of them have few rows
 * to do, the last round leaves many without one: more lanes for rows of more than 8 entries a lane. */
static int lanes_of(const hp_amg_device_cycle *C, const hp_device_csr *A) {
  const int64_t threads = (int64_t)C->S.multiprocessors * HP_BLOCK_MAX;
  const int64_t n = A->at.nrow > 0 ? A->at.nrow : 1, entries = A->count / n;
  int lanes = 0;
  while (lanes < 5 && (1 << lanes) < entries && n << lanes < threads) lanes += 1;
  while (lanes < 5 && entries >> lanes > 8 && 2 * (n << lanes) < 5 * threads) lanes += 1;
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

/* Distances of the columns from the base of their 32 entries, a warp a slice; *wide: how many bases have columns of
 * their own. */
static __global__ void bases_kernel(hp_csr A, hp_amg_rows R, int32_t *wide) {
  const int64_t w = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (w >= slices_of(&R)) return;
  const int lane = threadIdx.x & 31, share = 1 << R.lanes;
  const int64_t i = (w << R.shift) + (lane >> R.lanes);
  const int32_t begin = i < A.nrow ? A.begin[i] : 0, length = i < A.nrow ? A.begin[i + 1] - begin : 0;
  int32_t k = lane & (share - 1);
  for (int32_t e = R.begin[w] + lane; e < R.begin[w + 1]; e += 32, k += share) {
    const int32_t column = k < length ? A.column[begin + k] : INT32_MAX;
    const int32_t low = __reduce_min_sync(0xffffffffu, column);
    const int32_t high = __reduce_max_sync(0xffffffffu, k < length ? column : low);
    if (lane == 0) R.base[e >> 5] = high - low <= (int32_t)UINT16_MAX ? low : ~atomicAdd(wide, 1);
    R.word[e] = k < length ? (uint32_t)(column - low) & 0xffffu : 0;
  }
}

/* The columns of bases that have their own; of padding one that exists. */
static __global__ void wide_kernel(hp_csr A, hp_amg_rows R) {
  const int64_t w = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (w >= slices_of(&R)) return;
  const int lane = threadIdx.x & 31, share = 1 << R.lanes;
  const int64_t i = (w << R.shift) + (lane >> R.lanes);
  const int32_t begin = i < A.nrow ? A.begin[i] : 0, length = i < A.nrow ? A.begin[i + 1] - begin : 0;
  int32_t k = lane & (share - 1);
  for (int32_t e = R.begin[w] + lane; e < R.begin[w + 1]; e += 32, k += share) {
    const int32_t base = R.base[e >> 5];
    if (base < 0) R.wide[(int64_t)~base * 32 + lane] = k < length ? A.column[begin + k] : 0;
  }
}

/* Bases, and room for the numbers; *wide, zero before. */
static hp_status fill_compact(hp_amg_device_cycle *C, const hp_device_csr *A, hp_amg_rows *R, int32_t total,
                              bool scaled, int32_t *wide) {
  const int64_t slices = ((int64_t)R->nrow + (1 << R->shift) - 1) >> R->shift;
  HP_TRY(HP_TAKE(&C->S.keep, R->word, total));
  HP_TRY(HP_TAKE(&C->S.keep, R->base, total / 32));
  if (scaled) HP_TRY(HP_TAKE(&C->S.keep, R->scale, R->nrow));
  return hp_launch(&C->S, "rows of 4 bytes an entry", bases_kernel, (slices + 7) / 8, 256, 0, A->at, *R, wide);
}

static hp_status fill_wide(hp_amg_device_cycle *C, const hp_device_csr *A, hp_amg_rows *R, int32_t wide) {
  const int64_t slices = ((int64_t)R->nrow + (1 << R->shift) - 1) >> R->shift;
  if (R->word == NULL || wide == 0) return HP_OK;
  HP_TRY(HP_TAKE(&C->S.keep, R->wide, 32 * (int64_t)wide));
  return hp_launch(&C->S, "rows of 4 bytes an entry", wide_kernel, (slices + 7) / 8, 256, 0, A->at, *R);
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

/* The next level's b and x as level l's passes know them: of the first level on chip those in the device's memory, whose
 * place the passes' level has taken. */
static const hp_amg_level *below(const hp_amg_device_cycle *C, int l) {
  return l + 1 == C->host.H.chip_level ? &C->near[l + 1] : &C->host.H.level[l + 1];
}

static hp_status solve_last(hp_amg_device_cycle *C, int l, const void *b, void *x) {
  const int64_t n = hp_amg_cycle_rows(C, l);
  if (C->host.H.inverse != NULL) {
    hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_INVERSE, HP_AMG_FORM_PRODUCT, b, x, n);
    p.s = C->near_inverse;
    return hp_amg_add_pass(C, p);
  }
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
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_ROWS, HP_AMG_FORM_PRODUCT, r, below(C, l)->b,
                                 hp_amg_cycle_rows(C, l + 1));
  p.rows = L->r;
  return hp_amg_add_pass(C, p);
}

static hp_status ascend(hp_amg_device_cycle *C, int l, const void *b, void *x, hp_amg_device_iterate *v) {
  const hp_amg_level *L = &C->host.H.level[l];
  const int moves = smoother_of(C)->moves == HP_AMG_BY_ORDER ? C->host.H.opt.order : smoother_of(C)->moves;
  const bool away = C->host.H.opt.post * moves % 2 != 0;
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_ROWS, HP_AMG_FORM_CORRECT, below(C, l)->x, away ? L->z : x,
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

static hp_status visit(hp_amg_device_cycle *C, int l, hp_amg_cycle_kind kind, int state, const void *b, void *x);

/* A visit of level l from zero and, if W and F cycles go there again before they leave the level above, the next. */
static hp_status visits(hp_amg_device_cycle *C, int l, hp_amg_cycle_kind kind, bool again, const void *b, void *x) {
  HP_TRY(visit(C, l, kind, HP_AMG_ZERO, b, x));
  return again ? visit(C, l, kind == HP_AMG_W ? HP_AMG_W : HP_AMG_V, HP_AMG_STORED, b, x) : HP_OK;
}

template <class T>
static void exchange(T *a, T *b) {
  const T c = *a;
  *a = *b;
  *b = c;
}

/* From the list of all to that on chip, and back. */
static void exchange_lists(hp_amg_device_cycle *C) {
  exchange(&C->list, &C->chip_list);
  exchange(&C->count, &C->chip_count);
  exchange(&C->room, &C->chip_list_room);
}

/* The visits of the first level on chip as one pass; b and x in the device's memory. */
static hp_status visits_on_chip(hp_amg_device_cycle *C, hp_amg_cycle_kind kind, bool again, const void *b, void *x) {
  const int l = C->host.H.chip_level;
  const hp_amg_level *L = &C->host.H.level[l];
  int *segment = C->segment[2 * (int)kind + (again ? 1 : 0)];
  if (segment[0] < 0) {
    exchange_lists(C);
    segment[0] = C->count;
    const hp_status s = visits(C, l, kind, again, L->b, L->x);
    segment[1] = C->count;
    exchange_lists(C);
    HP_TRY(s);
  }
  hp_amg_pass p = hp_amg_pass_of(HP_AMG_PASS_CHIP, HP_AMG_FORM_PRODUCT, b, x, hp_amg_cycle_rows(C, l));
  p.b = L->b;
  p.x = L->x;
  p.begin = segment[0];
  p.end = segment[1];
  return hp_amg_add_pass(C, p);
}

/* A visit of level l whose x is zero or stored. */
static hp_status visit(hp_amg_device_cycle *C, int l, hp_amg_cycle_kind kind, int state, const void *b, void *x) {
  const hp_amg *H = &C->host.H;
  const hp_amg_level *N = below(C, l);
  const bool again = kind != HP_AMG_V && l + 2 < H->nlevel;
  if (l + 1 == H->nlevel) return solve_last(C, l, b, x);
  hp_amg_device_iterate v = {x, H->level[l].z, state, HP_AMG_ZERO};
  HP_TRY(descend(C, l, b, &v));
  HP_TRY(l + 1 == H->chip_level ? visits_on_chip(C, kind, again, N->b, N->x) : visits(C, l + 1, kind, again, N->b, N->x));
  return ascend(C, l, b, x, &v);
}

/* The lists, with the levels from H.chip_level on as they are on chip. */
static hp_status write_passes(hp_amg_device_cycle *C) {
  hp_amg *H = &C->host.H;
  const bool single = H->opt.precision == HP_PRECISION_SINGLE;
  const hp_amg_level *L = H->chip_level == 0 ? &C->near[0] : &H->level[0];
  void *b = single ? L->b : HP_AMG_CYCLES_B, *x = single ? L->x : HP_AMG_CYCLES_X;
  const hp_amg_pass in = hp_amg_pass_of(HP_AMG_PASS_IN, HP_AMG_FORM_PRODUCT, NULL, b, hp_amg_cycle_rows(C, 0));
  const hp_amg_pass out = hp_amg_pass_of(HP_AMG_PASS_OUT, HP_AMG_FORM_PRODUCT, x, NULL, hp_amg_cycle_rows(C, 0));
  C->count = C->chip_count = 0;
  memset(C->segment, -1, sizeof C->segment);
  if (single) HP_TRY(hp_amg_add_pass(C, in));
  HP_TRY(H->chip_level == 0 ? visits_on_chip(C, H->opt.cycle, false, b, x)
                            : visit(C, 0, H->opt.cycle, HP_AMG_ZERO, b, x));
  return single ? hp_amg_add_pass(C, out) : HP_OK;
}

/* ---- levels on chip -------------------------------------------------------------------------------- */

/* Room for `count` of so many bytes; returns the distance. */
static void *place(hp_amg_device_cycle *C, int64_t count, int64_t bytes) {
  void *at = (void *)(uintptr_t)C->chip_bytes;
  C->chip_bytes += (count * bytes + 15) / 16 * 16;
  return at;
}

/* The same for a piece of the image. */
static void *piece(hp_amg_device_cycle *C, int kind, const void *from, int64_t count) {
  static const int wide[] = {4, 2, 0, 0, 8};
  void *at = place(C, count, wide[kind] > 0 ? wide[kind] : real_bytes(C));
  const hp_amg_chip_piece p = {from, kind, (int32_t)(uintptr_t)at, (int32_t)count};
  C->piece[C->pieces++] = p;
  return at;
}

/* The rows of A; as many lanes a row as there are threads. */
static hp_amg_rows near_rows(hp_amg_device_cycle *C, const hp_device_csr *A) {
  hp_amg_rows R;
  memset(&R, 0, sizeof R);
  R.nrow = A->at.nrow;
  while (R.lanes < 5 && (int64_t)R.nrow << (R.lanes + 1) <= HP_BLOCK_MAX) R.lanes += 1;
  R.begin = (int32_t *)piece(C, HP_AMG_CHIP_INT32, A->at.begin, (int64_t)R.nrow + 1);
  R.column = (int32_t *)piece(C, HP_AMG_CHIP_UINT16, A->at.column, A->count);
  R.value = piece(C, HP_AMG_CHIP_NUMBERS, A->at.value, A->count);
  return R;
}

static void near_level(hp_amg_device_cycle *C, const hp_amg_device *H, int l) {
  const hp_amg_device_level *from = hp_amg_device_get_level(H, l);
  const hp_amg_device_direct *direct = hp_amg_device_get_direct(H);
  const hp_amg_level *L = &C->host.H.level[l];
  hp_amg_level *N = &C->near[l];
  memset(N, 0, sizeof *N);
  if (l + 1 == C->host.H.nlevel && direct != NULL) {
    C->near_inverse = piece(C, HP_AMG_CHIP_DOUBLES, direct->inverse, (int64_t)direct->n * direct->n);
    return;
  }
  N->a = near_rows(C, &from->A);
  N->smooth.scale = piece(C, HP_AMG_CHIP_REALS, L->smooth.scale, from->A.at.nrow);
  if (L->smooth.coefficient != NULL) /* of a polynomial */
    N->smooth.coefficient = (double *)piece(C, HP_AMG_CHIP_DOUBLES, L->smooth.coefficient, 2 * HP_AMG_ORDER_MAX);
  if (l + 1 == C->host.H.nlevel) return;
  N->p = near_rows(C, &from->P);
  N->r = near_rows(C, &from->R);
}

/* The levels from H.chip_level on, behind a list of so many passes, and the lists. */
static hp_status write_program(hp_amg_device_cycle *C, const hp_amg_device *H, int passes) {
  const int first = C->host.H.chip_level, nlevel = C->host.H.nlevel;
  C->chip_bytes = HP_AMG_CHIP_LIST;
  place(C, passes, sizeof(hp_amg_pass));
  C->pieces = 0;
  C->near_inverse = NULL;
  for (int l = first; l < nlevel; ++l) near_level(C, H, l);
  C->host.H.chip_bytes = first < nlevel ? (int32_t)C->chip_bytes : 0;
  for (int l = first; l < nlevel; ++l) {
    const int64_t n = hp_amg_cycle_rows(C, l), bytes = real_bytes(C);
    C->near[l].b = place(C, n, bytes);
    C->near[l].x = place(C, n, bytes);
    C->near[l].y = place(C, n, bytes);
    C->near[l].z = place(C, n, bytes);
  }
  for (int l = first; l < nlevel; ++l) exchange(&C->host.H.level[l], &C->near[l]);
  const hp_status s = write_passes(C);
  for (int l = first; l < nlevel; ++l) exchange(&C->host.H.level[l], &C->near[l]);
  return s;
}

/* Whether level l could be on chip at all: columns of 16 bits. */
static bool may_fit(const hp_amg_device_cycle *C, const hp_amg_device *H, int l) {
  const hp_device_csr *A = &hp_amg_device_get_level(H, l)->A;
  return A->at.nrow <= UINT16_MAX && A->count * (2 + real_bytes(C)) < C->chip_room;
}

/* As many levels as fit. */
static hp_status choose_levels(hp_amg_device_cycle *C, const hp_amg_device *H) {
  hp_amg *to = &C->host.H;
  for (to->chip_level = 0; to->chip_level < to->nlevel; ++to->chip_level) {
    if (!may_fit(C, H, to->chip_level)) continue;
    HP_TRY(write_program(C, H, 0)); /* how many passes there are does not depend on where things stand */
    HP_TRY(write_program(C, H, C->chip_count));
    if (C->chip_bytes <= C->chip_room) return HP_OK;
  }
  return write_program(C, H, 0);
}

/* Lists, pieces and an empty image in the device's memory. */
static hp_status upload(hp_amg_device_cycle *C) {
  hp_amg *H = &C->host.H;
  hp_amg_pass *list = NULL;
  hp_amg_chip_piece *pieces = NULL;
  unsigned char *image = NULL;
  HP_TRY(HP_TAKE(&C->S.keep, list, C->count));
  H->program = list;
  H->passes = C->count;
  HP_TRY(hp_device_upload(C->D, list, C->list, C->count * (int64_t)sizeof *list));
  H->chip_pieces = C->pieces;
  if (C->pieces == 0) return HP_OK;
  HP_TRY(HP_TAKE(&C->S.keep, pieces, C->pieces));
  HP_TRY(HP_TAKE(&C->S.keep, image, H->chip_bytes));
  H->chip_piece = pieces;
  H->chip = image;
  HP_TRY(hp_device_upload(C->D, pieces, C->piece, C->pieces * (int64_t)sizeof *pieces));
  return hp_device_upload(C->D, image + HP_AMG_CHIP_LIST, C->chip_list, C->chip_count * (int64_t)sizeof *C->chip_list);
}

static hp_amg_rows *rows_of(hp_amg_device_cycle *C, int which) {
  hp_amg_level *L = &C->host.H.level[which / 3];
  return which % 3 == 0 ? &L->a : which % 3 == 1 ? &L->p : &L->r;
}

/* total [HP_AMG_MATRICES]: entries with padding. */
static hp_status fill_all(hp_amg_device_cycle *C, int32_t *total) {
  const bool compact = C->host.H.opt.compact;
  const int count = 3 * C->host.H.nlevel;
  if (compact) HP_TRY(hp_device_zero(C->D, C->totals, HP_AMG_MATRICES * (int64_t)sizeof *C->totals));
  for (int k = 0; k < count; ++k) {
    hp_amg_rows *R = rows_of(C, k);
    if (R->begin == NULL) continue;
    HP_TRY(compact ? fill_compact(C, &C->source[k], R, total[k], k % 3 == 0, C->totals + k)
                   : fill(C, &C->source[k], R, total[k]));
  }
  if (!compact) return HP_OK;
  HP_TRY(hp_device_download(C->D, total, C->totals, HP_AMG_MATRICES * (int64_t)sizeof *total));
  for (int k = 0; k < count; ++k) HP_TRY(fill_wide(C, &C->source[k], rows_of(C, k), total[k]));
  return HP_OK;
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
  HP_TRY(fill_all(C, total));
  for (int l = 0; l < to->nlevel; ++l) HP_TRY(smoother_of(C)->prepare(C, l));
  HP_TRY(choose_levels(C, H));
  HP_TRY(upload(C));
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

static __global__ void __launch_bounds__(HP_BLOCK_MAX, 1)
    numbers_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ cycle_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  const hp_amg *H = hp_amg_on_chip(a.H, false);
  hp_amg_numbers(&t, H);
  hp_amg_compact_numbers_cuda(H);
  hp_amg_chip_image_cuda(H);
  hp_team_leave(&t);
}

static __global__ void __launch_bounds__(HP_BLOCK_MAX, 1)
    cycle_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ cycle_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  hp_amg_program_cuda(&t, hp_amg_on_chip(a.H, true), a.b, a.x, false, false);
  hp_team_leave(&t);
}

static hp_status launch(hp_amg_device_cycle *C, const void *kernel, const double *b, double *x, int64_t shared,
                        const char *what) {
  const cycle_args a = {&C->device->H, b, x};
  if (C->host.H.nlevel == 0) return hp_fail(HP_ERR_INTERNAL, "multigrid: a cycle before its preparation");
  return hp_team_launch(C->D, kernel, &a, (size_t)shared, what);
}

/* Those for which a smoother has kernels of its own. */
static hp_status smoother_numbers(hp_amg_device_cycle *C) {
  for (int l = 0; l < C->host.H.nlevel && smoother_of(C)->numbers != NULL; ++l)
    HP_TRY(smoother_of(C)->numbers(C, l));
  return HP_OK;
}

hp_status hp_amg_device_cycle_numbers(hp_amg_device_cycle *C) {
  HP_TRY(launch(C, (const void *)numbers_kernel, NULL, NULL, 0, "making the numbers of a multigrid cycle"));
  return smoother_numbers(C);
}

hp_status hp_amg_device_cycle_refresh(hp_amg_device_cycle *C, hp_amg_device *H) {
  if (C->host.H.nlevel == 0) return hp_fail(HP_ERR_INTERNAL, "multigrid: a refresh before the cycle's preparation");
  HP_TRY(hp_amg_device_refresh_with(H, &C->device->H));
  return smoother_numbers(C);
}

hp_status hp_amg_device_cycle_apply(hp_amg_device_cycle *C, const double *b, double *x) {
  return launch(C, (const void *)cycle_kernel, b, x, hp_amg_device_cycle_shared(C), "running a multigrid cycle");
}
