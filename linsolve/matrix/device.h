/* A GH matrix in a GPU's memory, as kernels take it (linsolve/krylov/device.h). */
#ifndef HP_LINSOLVE_MATRIX_DEVICE_H
#define HP_LINSOLVE_MATRIX_DEVICE_H

#include "core/device/device.h"
#include "linsolve/matrix/gh.h"

HP_EXTERN_C_BEGIN

/* Copies A with its wells to device memory, where *out's pointers lead; zeros for a shape without values. */
hp_status hp_gh_device_upload(hp_device *D, const hp_gh *A, hp_gh *out) HP_MUST_USE;
/* Copies the numbers of A into an existing copy. */
hp_status hp_gh_device_upload_values(hp_device *D, const hp_gh *A, hp_gh *out) HP_MUST_USE;
/* Copies the numbers in device memory back into A, which has room for them. */
hp_status hp_gh_device_download_values(hp_device *D, const hp_gh *from, hp_gh *A) HP_MUST_USE;
/* ld of a matrix in the memory of D: on several GPUs each of its columns has whole pages (hp_device_stride), with one unknown a
 * cell in single precision, too, which a hierarchy of multigrid copies it to. */
HP_GPU int64_t hp_gh_device_ld(const hp_device *D, int64_t rows, int q);
void hp_gh_device_free(hp_device *D, hp_gh *A);

HP_EXTERN_C_END

#endif
