/* See amg/smoothers/cuda/slots.cuh. */
#include <string.h>

#include "amg/rows/form.inl.h"
#include "amg/smoothers/cuda/slots.cuh"
#include "core/memory.h"

enum { THREADS = 256, WARP = 32 };

static __host__ __device__ int64_t slices_of(const hp_amg_rows *R) { return (int64_t)R->nrow >> R->shift; }

/* Place of entry k of a slot. */
static __device__ int64_t place_of(const hp_amg_rows *R, int64_t slot, int32_t k) {
  const int lanes = R->lanes;
  const int64_t in_slice = slot & ((1 << R->shift) - 1);
  return R->begin[slot >> R->shift] + ((int64_t)(k >> lanes) << 5) + (in_slice << lanes) + (k & ((1 << lanes) - 1));
}

/* ---- slots (host) ---- */

/* Lanes of a row: enough that the rows of a group keep all threads busy, not
 * more than a row's entries; a block lies in one slice. */
static int lanes_of(const hp_amg_device_cycle *C, const hp_amg_entries *E, int64_t n, int32_t ngroup, int width) {
  const int64_t threads = (int64_t)C->S.multiprocessors * HP_BLOCK_MAX;
  const int64_t rows = ngroup > 0 ? n / ngroup + 1 : 1, entries = n > 0 ? E->count / n : 0;
  int lanes = 0;
  while ((2 << lanes) * width <= WARP && (1 << lanes) < entries && rows << lanes < threads) lanes += 1;
  return lanes;
}

/* One group of all units, in their order. */
static int32_t units_in(const hp_amg_smooth *by, int32_t units, int32_t g) {
  return by == NULL ? units : by->group[g + 1] - by->group[g];
}

static int64_t slices_for(const hp_amg_groups *G, int32_t units) {
  return (((int64_t)units * G->width - 1) >> G->rows.shift) + 1;
}

/* `first`, and how many slots there are. */
static hp_status number_slices(hp_amg_groups *G, const hp_amg_smooth *by, int32_t units) {
  int64_t slices = 0;
  HP_TRY(HP_ALLOC(G->first, G->ngroup + 1));
  for (int32_t g = 0; g < G->ngroup; ++g) {
    slices += slices_for(G, units_in(by, units, g));
    if (slices << G->rows.shift > INT32_MAX)
      return hp_fail(HP_ERR_UNSUPPORTED,
                     "multigrid: %lld places in a level's smoother's groups, and 32-bit numbers count %d",
                     (long long)slices << G->rows.shift, INT32_MAX);
    G->first[g + 1] = (int32_t)slices;
  }
  G->rows.nrow = (int32_t)(slices << G->rows.shift);
  return HP_OK;
}

static void fill_slots(const hp_amg_groups *G, const hp_amg_smooth *by, int32_t units, int rows, int64_t n,
                       int32_t *at) {
  int32_t next = 0;
  for (int32_t s = 0; s < G->rows.nrow; ++s) at[s] = -1;
  for (int32_t g = 0; g < G->ngroup; ++g) {
    int32_t slot = G->first[g] << G->rows.shift;
    for (int32_t u = 0; u < units_in(by, units, g); ++u, slot += G->width) {
      const int64_t begin = (int64_t)(by == NULL ? next : by->order[next]) * rows;
      next += 1;
      for (int k = 0; k < rows && begin + k < n; ++k) at[slot + k] = (int32_t)(begin + k);
    }
  }
}

static hp_status make_slots(hp_amg_device_cycle *C, hp_amg_groups *G, const hp_amg_smooth *by, int rows, int64_t n) {
  const int32_t units = (int32_t)((n + rows - 1) / rows);
  int32_t *at = NULL;
  HP_TRY(number_slices(G, by, units));
  HP_TRY(HP_POOL_ALLOC(&C->S.keep, G->at, G->rows.nrow));
  HP_TRY(HP_ALLOC_UNSET(at, G->rows.nrow));
  fill_slots(G, by, units, rows, n, at);
  const hp_status s = hp_device_upload(C->D, G->at, at, (int64_t)G->rows.nrow * (int64_t)sizeof *at);
  HP_FREE(at);
  return s;
}

/* ---- entries ---- */

/* Entries of every slice, as many as its longest row makes them. */
static __global__ void measure_kernel(const __grid_constant__ hp_amg_groups G) {
  const int64_t s = (int64_t)blockIdx.x * THREADS + threadIdx.x, slices = slices_of(&G.rows);
  if (s > slices) return;
  int32_t most = 0;
  for (int64_t slot = s << G.rows.shift; s < slices && slot < (s + 1) << G.rows.shift; ++slot) {
    const int32_t i = G.at[slot], length = i >= 0 ? (int32_t)(G.entries.to[i] - G.entries.from[i]) : 0;
    most = length > most ? length : most;
  }
  const int32_t lanes = 1 << G.rows.lanes;
  G.rows.begin[s] = (uint32_t)((most + lanes - 1) >> G.rows.lanes) << (G.rows.shift + G.rows.lanes);
}

/* Columns; -1 beyond the end of a row: nothing is read there, which others may
 * write. */
static __global__ void columns_kernel(const __grid_constant__ hp_amg_groups G) {
  const int64_t slot = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (slot >= G.rows.nrow) return;
  const int64_t slice = slot >> G.rows.shift;
  const int32_t i = G.at[slot];
  const uint32_t from = i >= 0 ? G.entries.from[i] : 0;
  const int32_t length = i >= 0 ? (int32_t)(G.entries.to[i] - from) : 0;
  const int32_t steps = (int32_t)((G.rows.begin[slice + 1] - G.rows.begin[slice]) >> G.rows.shift);
  for (int32_t k = 0; k < steps; ++k)
    G.rows.column[place_of(&G.rows, slot, k)] = k < length ? G.entries.column[from + k] : -1;
}

template <class VALUE, class REAL>
static __global__ void fill_kernel(const __grid_constant__ hp_amg_groups G, const VALUE *value) {
  const int64_t slot = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  const int32_t i = slot < G.rows.nrow ? G.at[slot] : -1;
  if (i < 0) return;
  const uint32_t from = G.entries.from[i], to = G.entries.to[i];
  for (uint32_t k = from; k < to; ++k)
    ((REAL *)G.rows.value)[place_of(&G.rows, slot, (int32_t)(k - from))] = (REAL)value[k];
}

template <class REAL>
static __global__ void factor_kernel(const __grid_constant__ hp_amg_groups G, const REAL *number,
                                     const uint32_t *place) {
  const int64_t slot = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  const int32_t i = slot < G.rows.nrow ? G.at[slot] : -1;
  if (slot < G.rows.nrow) ((REAL *)G.factor)[slot] = i >= 0 ? number[place != NULL ? place[i] : i] : (REAL)0;
}

/* ---- all of it ---- */

static hp_status make_entries(hp_amg_device_cycle *C, hp_amg_groups *G) {
  hp_setup *S = &C->S;
  const int64_t slices = slices_of(&G->rows), real = hp_amg_cycle_single(C) ? 4 : 8;
  uint32_t total = 0;
  HP_TRY(HP_POOL_ALLOC(&S->keep, G->rows.begin, slices + 1));
  HP_TRY(hp_launch(S, "rows in groups", measure_kernel, hp_parts(slices + 1, THREADS), THREADS, 0, *G));
  HP_TRY(hp_setup_check_entries(S, G->rows.begin, slices, 2 * WARP * (G->entries.count + G->rows.nrow)));
  HP_TRY(hp_setup_scan32(S, G->rows.begin, G->rows.begin, slices));
  HP_TRY(hp_device_download(C->D, &total, G->rows.begin + slices, sizeof total));
  HP_TRY(HP_POOL_ALLOC(&S->keep, G->rows.column, total));
  HP_TRY(hp_amg_cycle_alloc(C, &G->rows.value, total));
  HP_TRY(hp_device_zero(C->D, G->rows.value, total * real));
  return hp_launch(S, "rows in groups", columns_kernel, hp_parts(G->rows.nrow, THREADS), THREADS, 0, *G);
}

hp_status hp_amg_groups_create(hp_amg_device_cycle *C, const hp_amg_entries *E, int64_t n, int rows,
                               const hp_amg_smooth *by, int factor, hp_amg_groups *G) {
  hp_amg_groups_clear(G);
  G->entries = *E;
  G->ngroup = by != NULL ? by->ngroup : 1;
  for (G->width = 1; G->width < rows;) G->width *= 2;
  G->rows.lanes = lanes_of(C, E, n, G->ngroup, G->width);
  G->rows.shift = 5 - G->rows.lanes;
  HP_TRY(make_slots(C, G, by, rows, n));
  if (factor != HP_AMG_NO_FACTOR) HP_TRY(hp_amg_cycle_alloc(C, &G->factor, (int64_t)G->rows.nrow * G->width));
  return make_entries(C, G);
}

hp_amg_entries hp_amg_entries_of(const hp_csr_device *A) {
  const hp_amg_entries E = {A->at.begin, A->at.begin + 1, A->at.column, A->count};
  return E;
}

void hp_amg_groups_clear(hp_amg_groups *G) {
  HP_FREE(G->first);
  memset(G, 0, sizeof *G);
}

hp_status hp_amg_groups_fill(hp_amg_device_cycle *C, const hp_amg_groups *G, const void *value, bool is_double) {
  const int64_t blocks = hp_parts(G->rows.nrow, THREADS);
  const bool single = hp_amg_cycle_single(C);
  const char *what = "numbers of rows in groups";
  if (is_double && single)
    return hp_launch(&C->S, what, fill_kernel<double, float>, blocks, THREADS, 0, *G, (const double *)value);
  if (is_double)
    return hp_launch(&C->S, what, fill_kernel<double, double>, blocks, THREADS, 0, *G, (const double *)value);
  if (single) return hp_launch(&C->S, what, fill_kernel<float, float>, blocks, THREADS, 0, *G, (const float *)value);
  return hp_launch(&C->S, what, fill_kernel<double, double>, blocks, THREADS, 0, *G, (const double *)value);
}

hp_status hp_amg_groups_set_factor(hp_amg_device_cycle *C, const hp_amg_groups *G, const void *number,
                                   const uint32_t *place) {
  const int64_t blocks = hp_parts(G->rows.nrow, THREADS);
  const char *what = "factors of rows in groups";
  if (hp_amg_cycle_single(C))
    return hp_launch(&C->S, what, factor_kernel<float>, blocks, THREADS, 0, *G, (const float *)number, place);
  return hp_launch(&C->S, what, factor_kernel<double>, blocks, THREADS, 0, *G, (const double *)number, place);
}
