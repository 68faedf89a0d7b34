/* amg/ranks/device.h with CUDA: memory and cycles. */
#include <string.h>

#include "amg/cycle/cuda/program.cuh"
#include "amg/ranks/cuda/device_impl.cuh"
#include "core/memory.h"
#include "linsolve/krylov/host_driven/execution.cuh"

enum { THREADS = 256, BLOCKS_EACH = 8 /* of a multiprocessor, at most */ };

/* ---- kernels ---- */

template <class REAL>
static __global__ void __launch_bounds__(THREADS)
    pass_kernel(const __grid_constant__ hp_exec_args a, const __grid_constant__ hp_amg_pass p, const double *b,
                double *x) {
#if defined(__CUDA_ARCH__)
  hp_team t = hp_exec_team(&a);
  if (hp_exec_is_over(&a)) return;
  hp_amg_pass_run_cuda<REAL, true, false>(&t, NULL, &p, b, x);
#endif
}

/* Passes that a GPU alone has no kernels for. */
template <class REAL>
static __global__ void __launch_bounds__(THREADS)
    scale_kernel(const __grid_constant__ hp_exec_args a, const __grid_constant__ hp_amg_pass p) {
  hp_team t = hp_exec_team(&a);
  if (hp_exec_is_over(&a)) return;
  HP_TEAM_FOR(&t, i, p.n)((REAL *)p.out)[i] = ((const REAL *)p.s)[i] * ((const REAL *)p.b)[i];
}

/* A row a thread, in the CPU's order. */
template <class REAL>
static __global__ void __launch_bounds__(THREADS)
    inverse_kernel(const __grid_constant__ hp_exec_args a, const __grid_constant__ hp_amg_pass p,
                   const double *inverse) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, n = p.n;
  const REAL *b = (const REAL *)p.from;
  double sum = 0.0;
  if (hp_exec_is_over(&a) || i >= n) return;
#pragma unroll 8
  for (int64_t j = 0; j < n; ++j) sum += inverse[j * n + i] * (double)b[j];
  ((REAL *)p.out)[i] = (REAL)sum;
}

/* ---- creation ---- */

hp_status hp_amg_ranks_room(hp_amg_ranks_device *C, void **out, int64_t count, size_t size) {
  C->bytes += count * (int64_t)size;
  return hp_device_alloc(C->D, out, count, size, "multigrid over ranks");
}

static int64_t slices_of(const hp_amg_rows *R) {
  return ((int64_t)R->nrow + HP_AMG_RANKS_SLICE - 1) / HP_AMG_RANKS_SLICE;
}

/* The pattern of rows in slices. */
static hp_status copy_rows(hp_amg_ranks_device *C, const hp_amg_rows *from, hp_amg_rows *to) {
  memset(to, 0, sizeof *to);
  if (from->begin == NULL) return HP_OK;
  if (1 << from->shift != HP_AMG_RANKS_SLICE || from->width > 0)
    return hp_fail(HP_ERR_INTERNAL, "multigrid over ranks on a GPU: rows in slices of %d", 1 << from->shift);
  const int64_t slices = slices_of(from), count = from->begin[slices];
  to->nrow = from->nrow;
  to->shift = from->shift;
  HP_TRY(hp_amg_ranks_room(C, (void **)&to->begin, slices + 1, sizeof *to->begin));
  HP_TRY(hp_amg_ranks_room(C, (void **)&to->column, count, sizeof *to->column));
  HP_TRY(hp_amg_ranks_room(C, &to->value, count, C->real));
  HP_TRY(hp_device_upload(C->D, to->begin, from->begin, (slices + 1) * (int64_t)sizeof *to->begin));
  return hp_device_upload(C->D, to->column, from->column, count * (int64_t)sizeof *to->column);
}

static hp_status create_level(hp_amg_ranks_device *C, int l) {
  const hp_amg_level *L = &C->H->H->level[l];
  hp_amg_device_vectors *to = &C->level[l];
  const int64_t n = (int64_t)L->nrow + L->ghosts;
  HP_TRY(copy_rows(C, &L->a, &to->a));
  HP_TRY(copy_rows(C, &L->p, &to->p));
  HP_TRY(copy_rows(C, &L->r, &to->r));
  HP_TRY(hp_amg_ranks_room(C, &to->b, n, C->real));
  HP_TRY(hp_amg_ranks_room(C, &to->x, n, C->real));
  HP_TRY(hp_amg_ranks_room(C, &to->z, n, C->real));
  return L->smooth.scale != NULL ? hp_amg_ranks_room(C, &to->scale, L->nrow, C->real) : HP_OK;
}

/* The device's place of a vector of the host's levels. */
static hp_status place(const hp_amg_ranks_device *C, const void *host, void **out) {
  *out = NULL;
  if (host == NULL) return HP_OK;
  for (int l = 0; l < C->H->H->nlevel; ++l) {
    const hp_amg_level *L = &C->H->H->level[l];
    const hp_amg_device_vectors *to = &C->level[l];
    if (host != L->b && host != L->x && host != L->z && host != L->smooth.scale) continue;
    *out = host == L->b ? to->b : host == L->x ? to->x : host == L->z ? to->z : to->scale;
    return HP_OK;
  }
  return hp_fail(HP_ERR_INTERNAL, "multigrid over ranks on a GPU: a pass reads a vector of no level");
}

static hp_status place_rows(const hp_amg_ranks_device *C, hp_amg_rows *rows) {
  const uint32_t *begin = rows->begin;
  if (begin == NULL) return HP_OK;
  for (int l = 0; l < C->H->H->nlevel; ++l) {
    const hp_amg_level *L = &C->H->H->level[l];
    const hp_amg_device_vectors *to = &C->level[l];
    if (begin != L->a.begin && begin != L->p.begin && begin != L->r.begin) continue;
    *rows = begin == L->a.begin ? to->a : begin == L->p.begin ? to->p : to->r;
    return HP_OK;
  }
  return hp_fail(HP_ERR_INTERNAL, "multigrid over ranks on a GPU: a pass reads rows of no level");
}

/* The device's form of an exchange of the host's. */
static hp_status find_exchange(hp_amg_ranks_device *C, hp_exchange *E, hp_device_exchange **out) {
  *out = NULL;
  if (E == NULL) return HP_OK;
  for (int n = 0; n < C->exchanges && *out == NULL; ++n)
    if (hp_device_exchange_of(C->exchange[n]) == E) *out = C->exchange[n];
  if (*out != NULL) return HP_OK;
  HP_TRY(hp_device_exchange_create(C->D, E, out));
  C->exchange[C->exchanges++] = *out;
  return HP_OK;
}

static hp_status create_step(hp_amg_ranks_device *C, int k) {
  const hp_amg_step *from = &C->H->step[k];
  hp_amg_device_step *to = &C->step[k];
  hp_amg_pass *p = &to->pass;
  *p = C->H->H->program[k];
  if (p->what != HP_AMG_PASS_IN && p->what != HP_AMG_PASS_OUT && p->what != HP_AMG_PASS_SUM &&
      p->what != HP_AMG_PASS_INVERSE && p->what != HP_AMG_PASS_ROWS && p->what != HP_AMG_PASS_SCALE)
    return hp_fail(HP_ERR_INTERNAL, "multigrid over ranks on a GPU: a pass of kind %d", p->what);
  HP_TRY(place_rows(C, &p->rows));
  HP_TRY(place(C, p->from, (void **)&p->from));
  HP_TRY(place(C, p->scale_from, (void **)&p->scale_from));
  HP_TRY(place(C, p->x, (void **)&p->x));
  HP_TRY(place(C, p->s, (void **)&p->s));
  HP_TRY(place(C, p->b, (void **)&p->b));
  HP_TRY(place(C, p->out, &p->out));
  to->gather = from->gather;
  return find_exchange(C, from->exchange, &to->exchange);
}

/* ---- numbers ---- */

static hp_status upload_values(const hp_amg_ranks_device *C, const hp_amg_rows *from, const hp_amg_rows *to) {
  if (from->begin == NULL) return HP_OK;
  return hp_device_upload(C->D, to->value, from->value, from->begin[slices_of(from)] * (int64_t)C->real);
}

hp_status hp_amg_ranks_upload_level(const hp_amg_ranks_device *C, int l) {
  const hp_amg_level *L = &C->H->H->level[l];
  const hp_amg_device_vectors *to = &C->level[l];
  HP_TRY(upload_values(C, &L->a, &to->a));
  if (L->smooth.scale == NULL) return HP_OK;
  return hp_device_upload(C->D, to->scale, L->smooth.scale, L->nrow * (int64_t)C->real);
}

hp_status hp_amg_ranks_upload_inverse(const hp_amg_ranks_device *C) {
  const hp_amg *A = C->H->H;
  const int64_t last = A->level[A->nlevel - 1].nrow;
  if (C->inverse == NULL) return HP_OK;
  return hp_device_upload(C->D, C->inverse, A->inverse, last * last * (int64_t)sizeof *C->inverse);
}

/* Uploads P and R, which no refresh changes. */
static hp_status upload_transfers(const hp_amg_ranks_device *C) {
  for (int l = 0; l < C->H->H->nlevel; ++l) {
    const hp_amg_level *L = &C->H->H->level[l];
    HP_TRY(upload_values(C, &L->p, &C->level[l].p));
    HP_TRY(upload_values(C, &L->r, &C->level[l].r));
  }
  return HP_OK;
}

/* ---- the whole ---- */

bool hp_amg_ranks_device_is_whole(const hp_amg_ranks_device *C) { return C->H->parted == 0; }

static hp_status create(hp_amg_ranks_device *C) {
  const hp_amg *A = C->H->H;
  const hp_amg_part *whole = &C->H->part[C->H->parted]; /* none of its rows where there is none */
  const int64_t rows = C->H->parted < A->nlevel ? whole->rows : 0,
                owned = hp_amg_ranks_device_is_whole(C) ? C->H->part[0].nowned : rows;
  C->real = A->opt.precision == HP_PRECISION_SINGLE ? sizeof(float) : sizeof(double);
  HP_TRY(HP_ALLOC(C->mine, owned * (int64_t)sizeof(double)));
  HP_TRY(HP_ALLOC(C->all, (owned > rows ? owned : rows) * (int64_t)sizeof(double)));
  if (hp_amg_ranks_device_is_whole(C)) return HP_OK;
  for (int l = 0; l < A->nlevel; ++l) HP_TRY(create_level(C, l));
  const int64_t last = A->level[A->nlevel - 1].nrow;
  if (A->inverse != NULL) HP_TRY(hp_amg_ranks_room(C, (void **)&C->inverse, last * last, sizeof *C->inverse));
  C->steps = A->passes;
  HP_TRY(HP_ALLOC(C->step, C->steps));
  HP_TRY(HP_ALLOC(C->exchange, C->steps));
  for (int k = 0; k < C->steps; ++k) HP_TRY(create_step(C, k));
  return hp_amg_ranks_products_create(C);
}

hp_status hp_amg_ranks_device_create(hp_device *D, hp_amg_ranks *H, hp_amg_ranks_device **out) {
  hp_amg_ranks_device *C = NULL;
  *out = NULL;
  HP_TRY(HP_ALLOC(C, 1));
  C->D = D;
  C->H = H;
  hp_status s = create(C);
  if (s == HP_OK && !hp_amg_ranks_device_is_whole(C)) s = upload_transfers(C);
  if (s != HP_OK) hp_amg_ranks_device_destroy(&C);
  *out = C;
  return s;
}

static void free_rows(hp_device *D, hp_amg_rows *R) {
  HP_DEVICE_FREE(D, R->begin);
  HP_DEVICE_FREE(D, R->column);
  HP_DEVICE_FREE(D, R->value);
}

void hp_amg_ranks_device_destroy(hp_amg_ranks_device **slot) {
  hp_amg_ranks_device *C = *slot;
  if (C == NULL) return;
  for (int n = 0; n < C->exchanges; ++n) hp_device_exchange_destroy(&C->exchange[n]);
  hp_amg_ranks_products_destroy(C);
  for (int l = 0; l < HP_AMG_LEVELS_MAX; ++l) {
    hp_amg_device_vectors *L = &C->level[l];
    free_rows(C->D, &L->a);
    free_rows(C->D, &L->p);
    free_rows(C->D, &L->r);
    HP_DEVICE_FREE(C->D, L->b);
    HP_DEVICE_FREE(C->D, L->x);
    HP_DEVICE_FREE(C->D, L->z);
    HP_DEVICE_FREE(C->D, L->scale);
  }
  HP_DEVICE_FREE(C->D, C->inverse);
  HP_FREE(C->step);
  HP_FREE(C->exchange);
  HP_FREE(C->mine);
  HP_FREE(C->all);
  HP_FREE(*slot);
}

int64_t hp_amg_ranks_device_bytes(const hp_amg_ranks_device *C) { return C->bytes; }

/* ---- cycles ---- */

/* The right-hand side of the first whole level, from own rows that a pass has written. */
static hp_status gather(hp_amg_ranks_device *C, const hp_amg_pass *p) {
  const int64_t all = C->H->part[C->H->parted].rows;
  HP_TRY(hp_device_download(C->D, C->mine, p->out, p->n * (int64_t)C->real));
  hp_amg_whole_gather(C->H, C->mine, C->all, C->real == sizeof(float));
  return hp_device_upload(C->D, p->out, C->all, all * (int64_t)C->real);
}

static int64_t most_blocks(const hp_amg_ranks_device *C, int64_t rows) {
  const int64_t most = (int64_t)BLOCKS_EACH * hp_device_get_info(C->D)->multiprocessors,
                blocks = hp_parts(rows, THREADS);
  return blocks < most ? blocks : most;
}

template <class REAL>
static hp_status run_pass(const hp_amg_ranks_device *C, hp_execution *E, const hp_amg_pass *p, const double *b,
                          double *x) {
  static const char what[] = "a cycle of multigrid";
  void *args[] = {&E->args, (void *)p, &b, &x}, *alone[] = {&E->args, (void *)p},
       *last[] = {&E->args, (void *)p, (void *)&C->inverse};
  if (p->what == HP_AMG_PASS_SCALE) return hp_exec_each(E, (const void *)scale_kernel<REAL>, p->n, alone, what);
  if (p->what == HP_AMG_PASS_INVERSE)
    return hp_exec_launch(E, (const void *)inverse_kernel<REAL>, hp_parts(p->n, THREADS), THREADS, last, 0, what);
  const int64_t rows = p->what == HP_AMG_PASS_ROWS ? p->rows.nrow : p->n;
  return hp_exec_launch(E, (const void *)pass_kernel<REAL>, most_blocks(C, rows), THREADS, args, 0, what);
}

static hp_status cycle_by_host(hp_amg_ranks_device *C, const double *b, double *x) {
  const int64_t bytes = C->H->part[0].nowned * (int64_t)sizeof *b;
  double *r = (double *)(void *)C->mine, *y = (double *)(void *)C->all;
  HP_TRY(hp_device_download(C->D, r, b, bytes));
  hp_amg_ranks_cycle(C->H, r, y);
  return hp_device_upload(C->D, x, y, bytes);
}

hp_status hp_amg_ranks_device_cycle(hp_amg_ranks_device *C, hp_execution *E, const double *b, double *x) {
  const bool single = C->real == sizeof(float);
  if (hp_amg_ranks_device_is_whole(C)) return cycle_by_host(C, b, x);
  for (int k = 0; k < C->steps; ++k) {
    const hp_amg_device_step *s = &C->step[k];
    if (s->exchange != NULL) HP_TRY(hp_device_exchange_run(s->exchange, (void *)s->pass.from, C->real));
    HP_TRY(single ? run_pass<float>(C, E, &s->pass, b, x) : run_pass<double>(C, E, &s->pass, b, x));
    if (s->gather) HP_TRY(gather(C, &s->pass));
  }
  return HP_OK;
}
