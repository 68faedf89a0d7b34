#include "linsolve/matrix/device.h"

#include <string.h>

#include "core/memory.h"

/* Device memory for `count` elements, filled from the host's if there are any. */
static hp_status copy(hp_device *D, void **to, const void *from, int64_t count, size_t size, const char *what) {
  HP_TRY(hp_device_alloc(D, to, count, size, what));
  return count > 0 && from != NULL ? hp_device_upload(D, *to, from, count * (int64_t)size) : HP_OK;
}

static hp_status upload_diagonals(hp_device *D, const hp_gh *A, const hp_gh *out) {
  const int64_t bytes = A->rows * (int64_t)sizeof *A->h, planes = (int64_t)HP_GH_DIAGS * A->q;
  if (out->ld == A->ld) return hp_device_upload(D, out->h, A->h, planes * A->ld * (int64_t)sizeof *A->h);
  for (int64_t p = 0; p < planes; ++p) HP_TRY(hp_device_upload(D, out->h + p * out->ld, A->h + p * A->ld, bytes));
  return HP_OK;
}

static hp_status download_diagonals(hp_device *D, const hp_gh *from, const hp_gh *A) {
  const int64_t bytes = A->rows * (int64_t)sizeof *A->h, planes = (int64_t)HP_GH_DIAGS * A->q;
  if (from->ld == A->ld) return hp_device_download(D, A->h, from->h, planes * A->ld * (int64_t)sizeof *A->h);
  for (int64_t p = 0; p < planes; ++p) HP_TRY(hp_device_download(D, A->h + p * A->ld, from->h + p * from->ld, bytes));
  return HP_OK;
}

int64_t hp_gh_device_ld(const hp_device *D, int64_t rows, int q) {
  return hp_device_stride(D, rows, q == 1 ? sizeof(float) : sizeof(double));
}

/* Every diagonal is owned by rows. */
static hp_status copy_diagonals(hp_device *D, const hp_gh *A, hp_gh *out) {
  const int64_t word = (int64_t)sizeof *A->h;
  out->ld = hp_gh_device_ld(D, A->rows, A->q);
  const hp_owned owned = {A->n, A->rows, word, out->ld * word, (int64_t)HP_GH_DIAGS * A->q, 0};
  HP_TRY(hp_device_alloc_owned(D, (void **)&out->h, &owned, "matrix: h"));
  return A->h != NULL ? upload_diagonals(D, A, out) : HP_OK;
}

#define COPY(field, count) copy(D, (void **)&out->field, A->field, count, sizeof *A->field, "matrix: " #field)

static int64_t count_chunks(const hp_gh *A) { return hp_cut_of(A->rows, A->rows).chunks; }

/* Marks the chunks that have rows with connections, so that products call what adds them there alone. */
static hp_status mark_chunks(hp_device *D, const hp_gh *A, const hp_gh *out) {
  const hp_cut cut = hp_cut_of(A->rows, A->rows);
  const int64_t chunks = cut.chunks;
  int32_t *begin = NULL;
  if (A->wells.nlisted >= HP_GH_CHUNK_LINKED)
    return hp_fail(HP_ERR_UNSUPPORTED, "a matrix on a GPU: %lld perforations beside connections are too many",
                   (long long)A->wells.nlisted);
  HP_TRY(HP_ALLOC(begin, chunks + 1));
  for (int64_t c = 0; c <= chunks && A->wells.chunk_begin != NULL; ++c) begin[c] = A->wells.chunk_begin[c];
  for (int64_t r = 0; r < A->links.nrow; ++r) {
    const int64_t first = A->links.cell[r] * A->q;
    for (int c = hp_cut_chunk_of(&cut, first); c <= hp_cut_chunk_of(&cut, first + A->q - 1); ++c)
      begin[c + 1] |= HP_GH_CHUNK_LINKED;
  }
  const hp_status s = hp_device_upload(D, out->wells.chunk_begin, begin, (chunks + 1) * (int64_t)sizeof *begin);
  HP_FREE(begin);
  return s;
}

/* Which row of the connections a cell has. */
static hp_status copy_rows(hp_device *D, const hp_gh *A, hp_gh *out) {
  int32_t *row_of = NULL;
  if (A->links.nrow > INT32_MAX)
    return hp_fail(HP_ERR_UNSUPPORTED, "a matrix on a GPU: %lld cells with connections are too many",
                   (long long)A->links.nrow);
  HP_TRY(HP_ALLOC(row_of, A->ncell));
  for (int64_t m = 0; m < A->ncell; ++m) row_of[m] = -1;
  for (int64_t r = 0; r < A->links.nrow; ++r) row_of[A->links.cell[r]] = (int32_t)r;
  const hp_status s = copy(D, (void **)&out->links.row_of, row_of, A->ncell, sizeof *row_of, "matrix: links.row_of");
  HP_FREE(row_of);
  return s;
}

static hp_status copy_links(hp_device *D, const hp_gh *A, hp_gh *out) {
  const hp_links *L = &A->links;
  if (L->count == 0) return HP_OK;
  HP_TRY(COPY(links.cell, L->nrow));
  HP_TRY(COPY(links.begin, L->nrow + 1));
  HP_TRY(COPY(links.other, L->count));
  HP_TRY(COPY(links.twin, L->count));
  HP_TRY(COPY(links.of, L->count));
  HP_TRY(copy_rows(D, A, out));
  HP_TRY(COPY(link, L->count * A->q * A->q));
  return mark_chunks(D, A, out);
}

/* Kernels count rows and their neighbours' with 32 bits, entries with 64. */
static hp_status check_rows(const hp_gh *A) {
  const int64_t most = INT32_MAX - (int64_t)A->q * A->ny * A->nz;
  if (A->n < most) return HP_OK;
  return hp_fail(HP_ERR_UNSUPPORTED, "a matrix of %lld rows on a GPU: in this grid at most %lld are counted by 32 bits",
                 (long long)A->n, (long long)most - 1);
}

static hp_status copy_all(hp_device *D, const hp_gh *A, hp_gh *out) {
  const hp_gh_wells *W = &A->wells;
  HP_TRY(check_rows(A));
  const int64_t chunks = count_chunks(A);
  HP_TRY(copy_diagonals(D, A, out));
  HP_TRY(COPY(wells.run_begin, W->nwell + 1));
  HP_TRY(COPY(wells.a, W->nrun));
  HP_TRY(COPY(wells.b, W->nrun));
  HP_TRY(COPY(wells.c, W->nrun));
  HP_TRY(COPY(wells.d, (int64_t)A->nx * A->ny));
  HP_TRY(COPY(wells.next, W->nrun));
  HP_TRY(COPY(wells.of, W->nrun));
  HP_TRY(COPY(wells.chunk_begin, chunks + 1));
  HP_TRY(COPY(wells.chunk_cell, W->nlisted));
  HP_TRY(COPY(wells.chunk_slot, W->nlisted));
  HP_TRY(COPY(wells.chunk_well, W->nlisted));
  HP_TRY(COPY(wells.w, W->nperf * A->q));
  HP_TRY(COPY(wells.wt, W->nperf * A->q));
  HP_TRY(COPY(wells.dd, W->nwell));
  return copy_links(D, A, out);
}

static void forget(hp_gh *A) {
  A->h = NULL;
  A->wells.run_begin = A->wells.c = A->wells.d = A->wells.next = A->wells.of = NULL;
  A->wells.a = A->wells.b = A->wells.chunk_cell = A->wells.chunk_slot = NULL;
  A->wells.chunk_begin = A->wells.chunk_well = NULL;
  A->wells.w = A->wells.wt = A->wells.dd = NULL;
  A->links.cell = A->links.begin = A->links.other = A->links.twin = A->links.of = NULL;
  A->links.row_of = NULL;
  A->link = NULL;
}

hp_status hp_gh_device_upload(hp_device *D, const hp_gh *A, hp_gh *out) {
  memset(out, 0, sizeof *out);
  *out = *A;
  forget(out);
  const hp_status s = copy_all(D, A, out);
  if (s != HP_OK) hp_gh_device_free(D, out);
  return s;
}

hp_status hp_gh_device_upload_values(hp_device *D, const hp_gh *A, hp_gh *out) {
  const int64_t size = sizeof(double), perf = A->wells.nperf * A->q * size;
  HP_TRY(upload_diagonals(D, A, out));
  HP_TRY(hp_device_upload(D, out->wells.w, A->wells.w, perf));
  HP_TRY(hp_device_upload(D, out->wells.wt, A->wells.wt, perf));
  if (A->links.count > 0) HP_TRY(hp_device_upload(D, out->link, A->link, A->links.count * A->q * A->q * size));
  return hp_device_upload(D, out->wells.dd, A->wells.dd, A->wells.nwell * size);
}

hp_status hp_gh_device_download_values(hp_device *D, const hp_gh *from, hp_gh *A) {
  const int64_t size = sizeof(double), perf = A->wells.nperf * A->q * size;
  HP_TRY(download_diagonals(D, from, A));
  HP_TRY(hp_device_download(D, A->wells.w, from->wells.w, perf));
  HP_TRY(hp_device_download(D, A->wells.wt, from->wells.wt, perf));
  if (A->links.count > 0) HP_TRY(hp_device_download(D, A->link, from->link, A->links.count * A->q * A->q * size));
  return hp_device_download(D, A->wells.dd, from->wells.dd, A->wells.nwell * size);
}

void hp_gh_device_free(hp_device *D, hp_gh *A) {
  HP_DEVICE_FREE(D, A->h);
  HP_DEVICE_FREE(D, A->wells.run_begin);
  HP_DEVICE_FREE(D, A->wells.a);
  HP_DEVICE_FREE(D, A->wells.b);
  HP_DEVICE_FREE(D, A->wells.c);
  HP_DEVICE_FREE(D, A->wells.d);
  HP_DEVICE_FREE(D, A->wells.next);
  HP_DEVICE_FREE(D, A->wells.of);
  HP_DEVICE_FREE(D, A->wells.chunk_begin);
  HP_DEVICE_FREE(D, A->wells.chunk_cell);
  HP_DEVICE_FREE(D, A->wells.chunk_slot);
  HP_DEVICE_FREE(D, A->wells.chunk_well);
  HP_DEVICE_FREE(D, A->wells.w);
  HP_DEVICE_FREE(D, A->wells.wt);
  HP_DEVICE_FREE(D, A->wells.dd);
  HP_DEVICE_FREE(D, A->links.cell);
  HP_DEVICE_FREE(D, A->links.begin);
  HP_DEVICE_FREE(D, A->links.other);
  HP_DEVICE_FREE(D, A->links.twin);
  HP_DEVICE_FREE(D, A->links.of);
  HP_DEVICE_FREE(D, A->links.row_of);
  HP_DEVICE_FREE(D, A->link);
}
