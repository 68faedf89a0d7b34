/* Sparse matrices by rows on a GPU: copies. */
#include "amg/setup/cuda/setup.cuh"
#include "core/memory.h"

hp_status hp_csr_device_download(hp_device *D, const hp_csr_device *A, hp_csr **out) {
  HP_TRY(hp_csr_create(A->at.nrow, A->at.ncol, A->count, out));
  hp_csr *C = *out;
  hp_status s = hp_device_download(D, C->begin, A->at.begin, ((int64_t)A->at.nrow + 1) * (int64_t)sizeof *C->begin);
  if (s == HP_OK && A->at.column != NULL)
    s = hp_device_download(D, C->column, A->at.column, A->count * (int64_t)sizeof *C->column);
  if (s == HP_OK) s = hp_device_download(D, C->value, A->at.value, A->count * (int64_t)sizeof *C->value);
  if (s != HP_OK) hp_csr_destroy(out);
  return s;
}

void hp_csr_device_free(hp_device *D, hp_csr_device *A) {
  const hp_csr_device none = {{0, 0, NULL, NULL, NULL}, 0, 0};
  hp_device_free(D, &A->at.begin);
  hp_device_free(D, &A->at.column);
  hp_device_free(D, &A->at.value);
  *A = none;
}
