#include "bench/half/half.h"

#include "bench/half/multiply.inl.h"
#include "core/memory.h"

#if defined(HEPTA_HAVE_CUDA)
extern const struct hp_foreign_device hp_half_device; /* bench/half/cuda/solve.cu */
#define DEVICE &hp_half_device
#else
#define DEVICE NULL
#endif

static hp_status set_shape(hp_half *H, const hp_gh *A) {
  const int size[HP_GH_DIAGS] = {A->nx, A->ny, A->nz, 2, A->nz, A->ny, A->nx};
  H->q = A->q;
  H->ncell = A->ncell;
  H->rows = hp_half_row(A->q, A->ncell);
  H->n = H->rows + A->wells.nwell;
  for (int odd = 0; odd < 2; ++odd) {
    H->ld[odd] = (A->ncell + 1 - odd) / 2 * (odd ? A->q / 2 : A->q);
    for (int u = -3; u <= 3; ++u) {
      H->shift[u + 3] = hp_gh_offset(A, u);
      const bool exists = size[u + 3] > 1, neighbour_odd = (odd + H->shift[u + 3]) % 2 != 0;
      H->first[odd][u + 3] = H->columns[odd];
      H->width[odd][u + 3] = !exists ? 0 : neighbour_odd ? A->q / 2 : A->q;
      H->columns[odd] += H->width[odd][u + 3];
    }
    HP_TRY(HP_ALLOC(H->h[odd], H->columns[odd] * H->ld[odd]));
  }
  return HP_OK;
}

static void set_cells(hp_half *H, const hp_gh *A) {
  for (int64_t m = 0; m < A->ncell; ++m) {
    const int odd = (int)(m % 2), rows = odd ? A->q / 2 : A->q;
    for (int u = 0; u < HP_GH_DIAGS; ++u)
      for (int b = 0; b < H->width[odd][u]; ++b)
        for (int a = 0; a < rows; ++a)
          H->h[odd][(H->first[odd][u] + b) * H->ld[odd] + m / 2 * rows + a] = *hp_gh_entry(A, m, u - 3, a, b);
  }
}

static hp_status set_wells(hp_half *H, const hp_gh *A) {
  const hp_gh_wells *W = &A->wells;
  H->nwell = W->nwell;
  H->nrun = W->nrun;
  HP_TRY(HP_ALLOC(H->run_begin, W->nwell + 1));
  HP_TRY(HP_ALLOC(H->of, W->nrun));
  HP_TRY(HP_ALLOC(H->at, W->nrun));
  HP_TRY(HP_ALLOC(H->row, W->nrun));
  HP_TRY(HP_ALLOC(H->length, W->nrun));
  HP_TRY(HP_ALLOC(H->dd, W->nwell));
  for (int w = 0; w <= W->nwell; ++w) H->run_begin[w] = W->run_begin[w];
  for (int w = 0; w < W->nwell; ++w) H->dd[w] = W->dd[w];
  for (int r = 0; r < W->nrun; ++r) {
    H->of[r] = W->of[r];
    H->at[r] = H->nvalue;
    H->row[r] = hp_half_row(A->q, W->b[r]);
    H->length[r] = hp_half_row(A->q, W->b[r] + W->c[r]) - H->row[r];
    H->nvalue += H->length[r];
  }
  HP_TRY(HP_ALLOC(H->w, H->nvalue));
  HP_TRY(HP_ALLOC(H->wt, H->nvalue));
  for (int r = 0; r < W->nrun; ++r)
    for (int64_t n = 0; n < W->c[r]; ++n) {
      const int64_t m = W->b[r] + n, to = H->at[r] + hp_half_row(A->q, m) - H->row[r];
      for (int a = 0; a < (m % 2 != 0 ? A->q / 2 : A->q); ++a) {
        H->w[to + a] = W->w[(W->a[r] + n) * A->q + a];
        H->wt[to + a] = W->wt[(W->a[r] + n) * A->q + a];
      }
    }
  return HP_OK;
}

static void multiply_rows(const void *self, const double *x, double *y, int64_t begin, int64_t end) {
  hp_half_rows((const hp_half *)self, x, y, begin, end);
}

static void add_border(const void *self, const double *x, double *y, int64_t begin, int64_t end) {
  hp_half_border((const hp_half *)self, x, y, begin, end);
}

hp_status hp_half_create(const hp_gh *A, hp_half **out) {
  *out = NULL;
  HP_TRY(hp_gh_require_lattice(A, "GH-h"));
  if (A->q % 2 != 0) return hp_fail(HP_ERR_USAGE, "GH-h: %d unknowns per cell: must be an even number", A->q);
  hp_half *H = NULL;
  HP_TRY(HP_ALLOC(H, 1));
  H->product = (hp_foreign){H, multiply_rows, add_border, DEVICE};
  hp_status s = set_shape(H, A);
  if (s == HP_OK) s = set_wells(H, A);
  if (s == HP_OK) set_cells(H, A);
  if (s != HP_OK) hp_half_destroy(&H);
  *out = H;
  return s;
}

void hp_half_destroy(hp_half **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_half *H = *slot;
  HP_FREE(H->h[0]);
  HP_FREE(H->h[1]);
  HP_FREE(H->run_begin);
  HP_FREE(H->of);
  HP_FREE(H->at);
  HP_FREE(H->row);
  HP_FREE(H->length);
  HP_FREE(H->w);
  HP_FREE(H->wt);
  HP_FREE(H->dd);
  HP_FREE(*slot);
}

/* ---- as CSR ---- */

/* Rows of the GH matrix that remain, in order: row i of GH-h is row kept[i] of A. */
static void keep_rows(const hp_gh *A, int32_t *kept, int32_t *number) {
  int32_t i = 0;
  for (int64_t r = 0; r < A->n; ++r) {
    const bool gone = r < A->ld && r / A->q % 2 != 0 && r % A->q >= A->q / 2;
    number[r] = gone ? -1 : i;
    if (!gone) kept[i++] = (int32_t)r;
  }
}

/* Entries of A's CSR in rows and columns that remain; without values only counted. */
static void filter(const hp_half *H, const hp_sparse *full, const int32_t *kept, const int32_t *number, hp_sparse *F) {
  int32_t place = 0;
  for (int64_t i = 0; i < H->n; ++i) {
    for (int32_t p = full->begin[kept[i]]; p < full->begin[kept[i] + 1]; ++p) {
      if (number[full->column[p]] < 0) continue;
      if (F->value != NULL) {
        F->column[place] = number[full->column[p]];
        F->value[place] = full->value[p];
      }
      place += 1;
    }
    F->begin[i + 1] = place;
  }
  F->count = place;
}

static hp_status make_csr(const hp_half *H, const hp_gh *A, const hp_sparse *full, hp_sparse *F) {
  int32_t *kept = NULL, *number = NULL;
  F->kind = HP_SPARSE_CSR;
  F->n = F->rows = H->n;
  hp_status s = HP_ALLOC(F->begin, H->n + 1);
  if (s == HP_OK) s = HP_ALLOC(kept, H->n);
  if (s == HP_OK) s = HP_ALLOC(number, A->n);
  if (s == HP_OK) {
    keep_rows(A, kept, number);
    filter(H, full, kept, number, F);
    s = HP_ALLOC(F->column, F->count);
  }
  if (s == HP_OK) s = HP_ALLOC(F->value, F->count);
  if (s == HP_OK) filter(H, full, kept, number, F);
  HP_FREE(kept);
  HP_FREE(number);
  return s;
}

hp_status hp_half_to_csr(const hp_half *H, const hp_gh *A, hp_sparse **out) {
  hp_sparse *full = NULL;
  *out = NULL;
  HP_TRY(hp_sparse_create(A, NULL, HP_SPARSE_CSR, &full));
  hp_sparse_set(full, A);
  hp_status s = HP_ALLOC(*out, 1);
  if (s == HP_OK) s = make_csr(H, A, full, *out);
  hp_sparse_destroy(&full);
  if (s != HP_OK) hp_sparse_destroy(out);
  return s;
}

int64_t hp_half_bytes(const hp_half *H) {
  const int64_t numbers = H->columns[0] * H->ld[0] + H->columns[1] * H->ld[1] + 2 * H->nvalue + H->nwell;
  const int64_t runs = H->nrun * (int64_t)(sizeof *H->of + sizeof *H->at + sizeof *H->row + sizeof *H->length);
  return numbers * (int64_t)sizeof(double) + runs + (H->nwell + 1) * (int64_t)sizeof *H->run_begin;
}

int64_t hp_half_product_bytes(const hp_half *H) { return hp_half_bytes(H) + 2 * H->n * (int64_t)sizeof(double); }
