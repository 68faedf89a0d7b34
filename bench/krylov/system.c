#include "bench/krylov/system.h"

#include <string.h>

#include "bench/bench.h"
#include "bench/generators/family.h"
#include "bench/market/market.h"
#include "core/memory.h"
#include "linsolve/matrix/device.h"

static const struct {
  const char *name;
  hp_sparse_kind kind;
} halves[] = {{"gh-h", HP_SPARSE_GH},
              {"csr-h", HP_SPARSE_CSR},
              {"bsr-h", HP_SPARSE_BSR},
              {"dia-h", HP_SPARSE_DIA},
              {"hyb-h", HP_SPARSE_HYB}};

bool hp_bench_format_is_half(int format) { return format >= HP_BENCH_HALF; }

const char *hp_bench_format_name(int format) {
  if (format == HP_BENCH_SINGLE) return "gh-single";
  return hp_bench_format_is_half(format) ? halves[format - HP_BENCH_HALF].name : hp_bench_matrix_name(format);
}

/* ---- matrices ---- */

static hp_status make_matrix(const hp_bench_system_input *in, hp_bench_system *S) {
  if (in->file != NULL) {
    HP_TRY(hp_market_read_matrix(in->file, &S->csr));
    return hp_gh_create_shape(1, 1, (int)S->csr->n, 1, &S->A);
  }
  HP_TRY(hp_family_create(&in->family, &S->A));
  if (!in->box) return HP_OK;
  HP_TRY(hp_stencil_box_create(S->A, in->family.seed, &S->box));
  return hp_stencil_box_to_csr(S->box, S->A, &S->csr);
}

/* The solvers' matrix, vectors of as many numbers among the system's. */
static void solve_with(hp_bench_system *S, const hp_gh *A, const hp_gh *host) {
  const bool gpu = S->place->device != NULL;
  S->where.A = A;
  S->where.host = host;
  S->where.b = gpu ? S->db : S->b;
  S->where.x = gpu ? S->dx : S->x;
}

/* GH's own arrays, or the shape that stands for a matrix from a file. */
static void solve_with_gh(hp_bench_system *S) {
  solve_with(S, S->place->device != NULL && S->file == NULL ? &S->dA : S->A, S->A);
}

hp_status hp_bench_system_open(const hp_bench_system_input *in, hp_bench_system *S) {
  hp_device *D = in->place->device;
  memset(S, 0, sizeof *S);
  S->place = in->place;
  S->file = in->file;
  HP_TRY(make_matrix(in, S));
  HP_TRY(HP_ALLOC(S->b, S->A->n));
  HP_TRY(HP_ALLOC(S->x, S->A->n));
  hp_family_vector(in->family.seed + 7, S->A->n, S->b);
  solve_with_gh(S);
  if (D == NULL) return HP_OK;
  if (S->file == NULL) HP_TRY(hp_gh_device_upload(D, S->A, &S->dA));
  HP_TRY(HP_DEVICE_ALLOC(D, S->db, S->A->n));
  HP_TRY(HP_DEVICE_ALLOC(D, S->dx, S->A->n));
  solve_with_gh(S);
  return hp_device_upload(D, S->db, S->b, S->A->n * (int64_t)sizeof *S->b);
}

void hp_bench_system_close(hp_bench_system *S) {
  if (S->place->device != NULL) {
    if (S->file == NULL) hp_gh_device_free(S->place->device, &S->dA);
    HP_DEVICE_FREE(S->place->device, S->db);
    HP_DEVICE_FREE(S->place->device, S->dx);
  }
  HP_FREE(S->b);
  HP_FREE(S->x);
  hp_half_destroy(&S->H);
  hp_single_destroy(&S->single);
  hp_sparse_destroy(&S->half_csr);
  hp_sparse_destroy(&S->form);
  hp_gh_destroy(&S->shape);
  hp_sparse_destroy(&S->box);
  hp_sparse_destroy(&S->csr);
  hp_gh_destroy(&S->A);
}

int64_t hp_bench_system_entries(const hp_bench_system *S) {
  if (hp_bench_format_is_half(S->format)) return S->half_csr->count;
  return S->csr != NULL ? S->csr->count : hp_bench_entries(S->A);
}

/* ---- forms ---- */

static hp_status make_shape(hp_bench_system *S, int64_t rows) {
  if (S->shape != NULL && S->shape->n != rows) hp_gh_destroy(&S->shape);
  return S->shape != NULL ? HP_OK : hp_gh_create_shape(1, 1, (int)rows, 1, &S->shape);
}

static hp_status form_half(hp_bench_system *S, hp_sparse_kind kind) {
  if (S->box != NULL) return hp_fail(HP_ERR_USAGE, "GH-h has the seven diagonals of a star");
  if (S->H == NULL) HP_TRY(hp_half_create(S->A, &S->H));
  if (S->half_csr == NULL) HP_TRY(hp_half_to_csr(S->H, S->A, &S->half_csr));
  HP_TRY(make_shape(S, S->H->n));
  HP_TRY(hp_half_to_sparse(S->H, S->half_csr, kind, &S->form));
  S->product = S->form;
  solve_with(S, S->shape, S->shape);
  return HP_OK;
}

static hp_status form_single(hp_bench_system *S) {
  if (S->csr != NULL)
    return hp_fail(HP_ERR_USAGE, "gh-single is of seeded matrices with the seven diagonals of a star");
  return S->single != NULL ? HP_OK : hp_single_create(S->A, &S->single);
}

/* A form of the csr matrix. */
static hp_status form_rows(hp_bench_system *S, hp_sparse_kind kind) {
  hp_bsr *rows = NULL;
  if (S->box != NULL && kind != HP_SPARSE_CSR && kind != HP_SPARSE_BSR && kind != HP_SPARSE_SELL &&
      kind != HP_SPARSE_HYB)
    return hp_fail(HP_ERR_USAGE, "a box of 27 points is sg-dia, csr, bsr (of q = 1), sell or hyb");
  S->product = S->csr;
  if (S->box != NULL) {
    HP_TRY(make_shape(S, S->csr->n));
    solve_with(S, S->shape, S->shape);
  }
  if (kind == HP_SPARSE_CSR) return HP_OK;
  HP_TRY(hp_bsr_promote(S->csr, 1, 0, &rows));
  const hp_status s = hp_bsr_to_sparse(rows, kind, &S->form);
  hp_bsr_destroy(&rows);
  S->product = S->form;
  return s;
}

hp_status hp_bench_system_form(hp_bench_system *S, int format) {
  hp_sparse_destroy(&S->form);
  S->product = NULL;
  S->format = format;
  solve_with_gh(S);
  if (hp_bench_format_is_half(format)) return form_half(S, halves[format - HP_BENCH_HALF].kind);
  if (format == HP_BENCH_SINGLE) return form_single(S);
  if (S->box != NULL && format == HP_SPARSE_SGDIA) S->product = S->box;
  else if (S->csr != NULL) return form_rows(S, (hp_sparse_kind)format);
  return HP_OK;
}
