/* A GH matrix in a GPU's memory. */
#include <string.h>

#include "linsolve/krylov/device.h"

/* Device memory for `count` elements, filled from the host's if there are any. */
static hp_status copy(hp_device *D, void **to, const void *from, int64_t count, size_t size, const char *what) {
  HP_TRY(hp_device_alloc(D, to, count, size, what));
  return count > 0 && from != NULL ? hp_device_upload(D, *to, from, count * (int64_t)size) : HP_OK;
}

#define COPY(field, count) copy(D, (void **)&out->field, A->field, count, sizeof *A->field, "matrix: " #field)

static hp_status copy_all(hp_device *D, const hp_gh *A, hp_gh *out) {
  const hp_gh_wells *W = &A->wells;
  const int64_t length = hp_chunk_length(A->ld), chunks = (A->ld + length - 1) / length;
  HP_TRY(COPY(h, (int64_t)HP_GH_DIAGS * A->q * A->ld));
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
  return COPY(wells.dd, W->nwell);
}

static void forget(hp_gh *A) {
  A->h = NULL;
  A->wells.run_begin = A->wells.c = A->wells.d = A->wells.next = A->wells.of = NULL;
  A->wells.a = A->wells.b = A->wells.chunk_cell = A->wells.chunk_slot = NULL;
  A->wells.chunk_begin = A->wells.chunk_well = NULL;
  A->wells.w = A->wells.wt = A->wells.dd = NULL;
}

hp_status hp_gh_to_device(hp_device *D, const hp_gh *A, hp_gh *out) {
  memset(out, 0, sizeof *out);
  HP_TRY(hp_gh_require_lattice(A, "a matrix on a GPU"));
  *out = *A;
  forget(out);
  const hp_status s = copy_all(D, A, out);
  if (s != HP_OK) hp_gh_device_free(D, out);
  return s;
}

hp_status hp_gh_values_to_device(hp_device *D, const hp_gh *A, hp_gh *out) {
  const int64_t size = sizeof(double), perf = A->wells.nperf * A->q * size;
  HP_TRY(hp_device_upload(D, out->h, A->h, (int64_t)HP_GH_DIAGS * A->q * A->ld * size));
  HP_TRY(hp_device_upload(D, out->wells.w, A->wells.w, perf));
  HP_TRY(hp_device_upload(D, out->wells.wt, A->wells.wt, perf));
  return hp_device_upload(D, out->wells.dd, A->wells.dd, A->wells.nwell * size);
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
}
