/* amg/cpr/cuda/part.cuh. */
#include "amg/cpr/cuda/part.cuh"

#include "amg/cpr/cuda/pieces.cuh"
#include "amg/cpr/weights.inl.h"
#include "amg/ranks/device.h"
#include "core/device/part.h"
#include "core/memory.h"
#include "core/profile.h"
#include "linsolve/krylov/host_driven/execution.cuh"
#include "linsolve/matrix/device.h"
#include "linsolve/precond/device.h"

enum { THREADS = HP_EXEC_THREADS };

/* Arguments of all kernels of an application; pointers to the device. */
typedef struct {
  int ncp, nowned;       /* own rows of A_p: cells, wells */
  bool plain;            /* q = 2 and all weights one */
  int32_t *cell, *owned; /* [ncp], [nowned] of own rows */
  int32_t *row;          /* [ncell + nwell] own row, -1: none */
  double *weight;        /* [ncell*q]; NULL: plain */
  double *rp, *xp;       /* [ncp + nowned] */
  double *xc, *residual; /* [ncell + nwell] x_p by cells and wells; [n] */
  int32_t *source;       /* [entries of A_p] where their numbers come from; NULL: the host makes them */
  hp_precond second;
} pieces;

struct hp_cpr_device_part {
  hp_device *D;
  hp_cpr_options opt;
  const hp_part *part;
  hp_gh *host;
  hp_team_hub *hub;
  hp_cpr *first;
  hp_amg_ranks_device *cycle; /* NULL: there is no hierarchy */
  pieces at;
  int64_t bytes;
  hp_precond_external external;
  hp_precond_device precond;
};

/* ---- kernels ---- */

static __global__ void __launch_bounds__(THREADS)
    restrict_kernel(const __grid_constant__ hp_exec_args a, const __grid_constant__ pieces C, const double *r) {
  hp_team t = hp_exec_team(&a);
  const int q = a.A.q;
  if (hp_exec_is_over(&a)) return;
  HP_TEAM_FOR(&t, i, C.ncp + C.nowned) {
    const int64_t m = i < C.ncp ? C.cell[i] : -1;
    double sum = m < 0 ? r[a.A.rows + C.owned[i - C.ncp]] : C.plain ? r[2 * m] + r[2 * m + 1] : 0.0;
    for (int e = 0; e < q && m >= 0 && !C.plain; ++e)
      sum += (C.weight != NULL ? C.weight[m * q + e] : 1.0) * r[m * q + e];
    C.rp[i] = sum;
  }
}

static __global__ void __launch_bounds__(THREADS)
    spread_kernel(const __grid_constant__ hp_exec_args a, const __grid_constant__ pieces C) {
  hp_team t = hp_exec_team(&a);
  if (hp_exec_is_over(&a)) return;
  HP_TEAM_FOR(&t, m, a.A.ncell + a.A.wells.nwell) C.xc[m] = C.row[m] >= 0 ? C.xp[C.row[m]] : 0.0;
}

/* residual = r - A x_p of cells: the diagonals, connections, wells. */
static __global__ void __launch_bounds__(THREADS)
    cells_kernel(const __grid_constant__ hp_exec_args a, const __grid_constant__ pieces C, const double *r) {
#if defined(__CUDA_ARCH__)
  const hp_gh *A = &a.A;
  const hp_links *L = &A->links;
  const hp_gh_wells *W = &A->wells;
  hp_team t = hp_exec_team(&a);
  const int q = A->q;
  if (hp_exec_is_over(&a)) return;
  HP_TEAM_FOR(&t, m, A->ncell) {
    double s[HP_GH_Q_MAX];
    for (int e = 0; e < q; ++e) s[e] = hp_cpr_residual_entry_cuda(A, r, C.xc, m, e);
    const int32_t row = hp_gh_is_linked(A) ? L->row_of[m] : -1;
    for (int64_t k = row >= 0 ? L->begin[row] : 0, end = row >= 0 ? L->begin[row + 1] : 0; k < end; ++k)
      for (int e = 0; e < q; ++e) s[e] -= *hp_gh_link(A, k, e, 0) * C.xc[L->other[k]];
    for (int run = W->nrun > 0 ? W->d[m / A->nz] : -1; run >= 0; run = W->next[run]) {
      const int64_t n = m - W->b[run];
      if (n < 0 || n >= W->c[run]) continue;
      for (int e = 0; e < q; ++e) s[e] -= W->wt[(W->a[run] + n) * q + e] * C.xc[A->ncell + W->of[run]];
    }
    for (int e = 0; e < q; ++e) C.residual[m * q + e] = s[e];
  }
#endif
}

/* The same of wells, a thread each. */
static __global__ void __launch_bounds__(THREADS)
    wells_kernel(const __grid_constant__ hp_exec_args a, const __grid_constant__ pieces C, const double *r) {
  const hp_gh_wells *W = &a.A.wells;
  const int w = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (hp_exec_is_over(&a) || w >= W->nwell) return;
  double sum = r[a.A.rows + w] - W->dd[w] * C.xc[a.A.ncell + w];
  for (int run = W->run_begin[w]; run < W->run_begin[w + 1]; ++run)
    for (int64_t n = 0; n < W->c[run]; ++n) sum -= W->w[(W->a[run] + n) * a.A.q] * C.xc[W->b[run] + n];
  C.residual[a.A.rows + w] = sum;
}

/* A brick a warp. */
static __global__ void __launch_bounds__(THREADS)
    bricks_kernel(const __grid_constant__ hp_exec_args a, const __grid_constant__ pieces C, double *z) {
#if defined(__CUDA_ARCH__)
  const hp_brick_no_pressure none;
  hp_team t = hp_exec_team(&a);
  if (hp_exec_is_over(&a)) return;
  hp_dilu_bricks_apply_cuda(&t, &C.second, &a.A, C.residual, none, z);
#endif
}

/* z += x_p */
static __global__ void __launch_bounds__(THREADS)
    sum_kernel(const __grid_constant__ hp_exec_args a, const __grid_constant__ pieces C, double *z) {
  hp_team t = hp_exec_team(&a);
  const int64_t cells = a.A.ncell;
  if (hp_exec_is_over(&a)) return;
  HP_TEAM_FOR(&t, m, cells + a.A.wells.nwell) z[m < cells ? m * a.A.q : a.A.rows + (m - cells)] += C.xc[m];
}

static __global__ void __launch_bounds__(THREADS)
    weights_kernel(const __grid_constant__ hp_gh A, hp_cpr_weights kind, double *weight) {
  hp_team t = hp_team_of_threads();
  HP_TEAM_FOR(&t, m, A.ncell) hp_cpr_cell_weights(&A, kind, m, weight + m * A.q);
}

/* Row i of A_p. */
static __global__ void __launch_bounds__(THREADS)
    rows_kernel(const __grid_constant__ hp_gh A, const __grid_constant__ pieces C, const __grid_constant__ hp_csr Ap) {
  hp_team t = hp_team_of_threads();
  HP_TEAM_FOR(&t, i, Ap.nrow) {
    const int64_t m = i < C.ncp ? C.cell[i] : -1;
    const int w = i < C.ncp ? -1 : C.owned[i - C.ncp];
    for (uint32_t k = Ap.begin[i]; k < Ap.begin[i + 1]; ++k)
      Ap.value[k] = m >= 0 ? hp_cpr_cell_number(&A, C.weight, m, C.source[k]) : hp_cpr_well_number(&A, w, C.source[k]);
  }
}

/* ---- setup ---- */

typedef struct {
  hp_cpr *first;
  const hp_gh *A;
} first_job;

static void set_up_first(hp_team *t, void *arg) {
  const first_job *j = (const first_job *)arg;
  const hp_precond_external *external = hp_cpr_precond(j->first);
  (void)external->setup(t, external->data, j->A);
}

/* The numbers alone, by the weights that there are. */
static void make_numbers(hp_team *t, void *arg) {
  const first_job *j = (const first_job *)arg;
  hp_cpr_make_numbers(t, j->first, j->A);
}

/* Numbers of rows and columns of the part's pressure system, which a build has made. */
static hp_status copy_rows(hp_cpr_device_part *C) {
  const hp_cpr *H = C->first;
  const hp_cpr_part *P = H->part;
  const hp_gh *A = C->host;
  int32_t *list = NULL;
  C->at.ncp = H->ncp;
  C->at.nowned = P->nowned;
  HP_TRY(HP_ALLOC(list, A->ncell + A->wells.nwell));
  for (int32_t i = 0; i < H->ncp; ++i) list[i] = (int32_t)H->cell[i];
  hp_status s = hp_device_upload(C->D, C->at.cell, list, H->ncp * (int64_t)sizeof *list);
  for (int64_t m = 0; m < A->ncell; ++m) list[m] = H->number[m] >= 0 && H->number[m] < H->ncp ? H->number[m] : -1;
  for (int w = 0; w < A->wells.nwell; ++w) list[A->ncell + w] = C->part->owns_well[w] ? P->well[w] : -1;
  if (s == HP_OK) s = hp_device_upload(C->D, C->at.row, list, (A->ncell + A->wells.nwell) * (int64_t)sizeof *list);
  if (s == HP_OK) s = hp_device_upload(C->D, C->at.owned, P->owned, P->nowned * (int64_t)sizeof *list);
  HP_FREE(list);
  return s;
}

static hp_status copy_sources(hp_cpr_device_part *C) {
  const int64_t count = hp_csr_count(C->first->Ap);
  int32_t *source = NULL;
  HP_TRY(HP_ALLOC(source, count));
  hp_cpr_sources(C->first, C->host, source);
  hp_status s = HP_DEVICE_ALLOC(C->D, C->at.source, count);
  if (s == HP_OK) s = hp_device_upload(C->D, C->at.source, source, count * (int64_t)sizeof *source);
  HP_FREE(source);
  return s;
}

/* The host's first stage from the matrix as it is now: a new pattern, or numbers. */
static hp_status by_host(hp_cpr_device_part *C, const hp_gh *A) {
  first_job j = {C->first, C->host};
  HP_TRY(hp_gh_device_download_values(C->D, A, C->host));
  HP_TRY(hp_team_run(C->hub, set_up_first, &j));
  return hp_cpr_status(C->first);
}

/* A thread an item. */
static hp_status run_each(hp_device *D, const void *kernel, int64_t items, void **args) {
  return hp_device_launch(D, kernel, hp_parts(items, THREADS), THREADS, args, 0, "numbers of the pressure system");
}

/* Weights, A_p and its levels by the GPU. */
static hp_status by_device(hp_cpr_device_part *C, const hp_gh *A) {
  hp_gh matrix = *A;
  hp_csr Ap = *hp_amg_ranks_device_finest(C->cycle);
  hp_cpr_weights kind = C->opt.weights;
  void *weights[] = {&matrix, &kind, &C->at.weight}, *rows[] = {&matrix, &C->at, &Ap};
  if (C->at.weight != NULL) HP_TRY(run_each(C->D, (const void *)weights_kernel, A->ncell, weights));
  HP_TRY(run_each(C->D, (const void *)rows_kernel, Ap.nrow, rows));
  return hp_amg_ranks_device_refresh(C->cycle, C->hub);
}

/* The first stage's pattern, from the matrix as it is now. */
static hp_status build(hp_cpr_device_part *C, const hp_gh *A) {
  first_job j = {C->first, C->host};
  hp_amg_ranks_device_destroy(&C->cycle);
  HP_DEVICE_FREE(C->D, C->at.source);
  if (C->host->h == NULL) HP_TRY(hp_gh_allocate(C->host));
  C->first->numbers_apart = true;
  HP_TRY(by_host(C, A));
  HP_TRY(copy_rows(C));
  HP_TRY(hp_amg_ranks_device_create(C->D, C->first->part->H, &C->cycle));
  if (hp_amg_ranks_device_is_whole(C->cycle)) return hp_team_run(C->hub, make_numbers, &j);
  HP_TRY(copy_sources(C));
  return by_device(C, A);
}

/* The first stage anew, from the matrix as it is now. */
static hp_status refresh(hp_cpr_device_part *C, const hp_gh *A) {
  const double began = hp_now(), before = C->first->counts.build_seconds;
  if (C->first->stale) {
    HP_TRY(build(C, A));
    C->first->counts.build_seconds = before + hp_now() - began; /* with the GPU's part */
  } else if (!hp_amg_ranks_device_is_whole(C->cycle)) {
    HP_TRY(by_device(C, A));
    hp_cpr_refreshed(C->first, hp_now() - began);
  } else {
    HP_TRY(by_host(C, A));
  }
  if (C->at.weight == NULL || !hp_amg_ranks_device_is_whole(C->cycle)) return HP_OK;
  return hp_device_upload(C->D, C->at.weight, C->first->weight, A->rows * (int64_t)sizeof *C->at.weight);
}

/* See hp_precond_device. */
static hp_status setup(void *self, const hp_gh *A, int64_t *singular) {
  hp_cpr_device_part *C = (hp_cpr_device_part *)self;
  if (hp_cpr_is_due(C->first)) HP_TRY(refresh(C, A));
  else hp_cpr_keep(C->first);
  return hp_precond_device_factorize(C->D, A, &C->at.second, singular);
}

/* ---- application ---- */

static hp_status launch(hp_execution *E, const void *kernel, int64_t count, void **args) {
  return hp_exec_each(E, kernel, count, args, "applying cpr");
}

/* See hp_precond_device; with the wells, which E leaves to it. */
static hp_status enqueue(void *self, struct hp_execution *E, const double *r, double *z) {
  hp_cpr_device_part *C = (hp_cpr_device_part *)self;
  const hp_gh *A = C->host;
  const int64_t cells = A->ncell, nwell = A->wells.nwell;
  pieces *at = &C->at;
  void *with_r[] = {&E->args, at, &r}, *with_z[] = {&E->args, at, &z}, *alone[] = {&E->args, at};
  HP_TRY(launch(E, (const void *)restrict_kernel, at->ncp + (int64_t)at->nowned, with_r));
  HP_TRY(hp_amg_ranks_device_cycle(C->cycle, E, at->rp, at->xp));
  HP_TRY(launch(E, (const void *)spread_kernel, cells + nwell, alone));
  HP_TRY(hp_device_renew(C->D, at->xc, 1, true));
  HP_TRY(launch(E, (const void *)cells_kernel, cells, with_r));
  if (nwell > 0)
    HP_TRY(hp_exec_launch(E, (const void *)wells_kernel, hp_parts(nwell, THREADS), THREADS, with_r, 0, "applying cpr"));
  HP_TRY(hp_device_drop(C->D, at->residual, NULL, A->q));
  HP_TRY(launch(E, (const void *)bricks_kernel, hp_dilu_bricks_count(&at->second.bricks) * HP_BRICK_LANES, with_z));
  HP_TRY(hp_exec_wells(E, at->residual, z));
  return launch(E, (const void *)sum_kernel, cells + nwell, with_z);
}

static int64_t pattern(const void *self) {
  (void)self;
  return 0;
}

/* ---- creation ---- */

static hp_status create(hp_cpr_device_part *C, const hp_gh *A, int threads) {
  const int64_t rows = A->ncell + A->wells.nwell, before = hp_device_bytes(C->D);
  hp_team_options team = {};
  team.part = A->part;
  pieces *at = &C->at;
  at->plain = C->opt.weights == HP_CPR_TRUE_IMPES && A->q == 2;
  HP_TRY(hp_team_hub_create(threads, &team, &C->hub));
  HP_TRY(hp_cpr_create_first(C->host, &C->opt, &C->first));
  HP_TRY(HP_DEVICE_ALLOC(C->D, at->cell, A->ncell));
  HP_TRY(HP_DEVICE_ALLOC(C->D, at->owned, A->wells.nwell));
  HP_TRY(HP_DEVICE_ALLOC(C->D, at->row, rows));
  if (C->opt.weights != HP_CPR_TRUE_IMPES) HP_TRY(HP_DEVICE_ALLOC(C->D, at->weight, A->rows));
  HP_TRY(HP_DEVICE_ALLOC(C->D, at->rp, rows));
  HP_TRY(HP_DEVICE_ALLOC(C->D, at->xp, rows));
  HP_TRY(HP_DEVICE_ALLOC(C->D, at->xc, rows));
  HP_TRY(HP_DEVICE_ALLOC(C->D, at->residual, A->n));
  HP_TRY(hp_precond_device_create(C->D, A, HP_PRECOND_DILU, C->opt.ordering, C->opt.precision, C->opt.relaxation, true,
                                  &at->second));
  C->bytes = hp_device_bytes(C->D) - before;
  C->precond.data = at->xc; /* there is something to apply */
  C->precond.self = C;
  C->precond.setup = setup;
  C->precond.enqueue = enqueue;
  C->precond.pattern = pattern;
  C->external.name = "cpr";
  C->external.device = &C->precond;
  return HP_OK;
}

hp_status hp_cpr_device_part_create(hp_device *D, const hp_gh *A, hp_gh *host, int threads, const hp_cpr_options *opt,
                                    hp_cpr_device_part **out) {
  hp_cpr_device_part *C = NULL;
  *out = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  C->D = D;
  C->opt = *opt;
  C->opt.amg.slice = HP_AMG_RANKS_SLICE;
  C->part = A->part;
  C->host = host;
  const hp_status s = create(C, A, threads);
  if (s != HP_OK) hp_cpr_device_part_destroy(&C);
  *out = C;
  return s;
}

void hp_cpr_device_part_destroy(hp_cpr_device_part **slot) {
  hp_cpr_device_part *C = *slot;
  if (C == NULL) return;
  pieces *at = &C->at;
  hp_amg_ranks_device_destroy(&C->cycle);
  hp_cpr_destroy(&C->first);
  hp_team_hub_destroy(&C->hub);
  hp_precond_device_free(C->D, &at->second);
  HP_DEVICE_FREE(C->D, at->source);
  HP_DEVICE_FREE(C->D, at->cell);
  HP_DEVICE_FREE(C->D, at->owned);
  HP_DEVICE_FREE(C->D, at->row);
  HP_DEVICE_FREE(C->D, at->weight);
  HP_DEVICE_FREE(C->D, at->rp);
  HP_DEVICE_FREE(C->D, at->xp);
  HP_DEVICE_FREE(C->D, at->xc);
  HP_DEVICE_FREE(C->D, at->residual);
  HP_FREE(*slot);
}

const hp_precond_external *hp_cpr_device_part_precond(const hp_cpr_device_part *C) { return &C->external; }
hp_cpr *hp_cpr_device_part_first(hp_cpr_device_part *C) { return C->first; }

hp_cpr_state hp_cpr_device_part_state(const hp_cpr_device_part *C) {
  hp_cpr_state s = hp_cpr_get_state(C->first);
  s.bytes = C->bytes + (C->cycle != NULL ? hp_amg_ranks_device_bytes(C->cycle) : 0);
  if (C->at.source != NULL) s.bytes += hp_csr_count(C->first->Ap) * (int64_t)sizeof *C->at.source;
  s.on_host = true;
  return s;
}
