/* A preconditioner's arrays in a GPU's memory; linsolve/krylov/precond.inl.h computes with them there. */
#ifndef HP_LINSOLVE_PRECOND_DEVICE_H
#define HP_LINSOLVE_PRECOND_DEVICE_H

#include "core/device/device.h"
#include "linsolve/precond/precond.h"

HP_EXTERN_C_BEGIN

/* Storage on the device for a preconditioner of HP_PRECOND_LIST and matrices of A's shape; *P is on the host, its
 * pointers are to the device. packs: also allocates dilu's packed blocks, which the caller provides otherwise. */
hp_status hp_precond_device_create(hp_device *D, const hp_gh *A, hp_precond_kind kind, hp_ordering ordering,
                                   hp_precision precision, double relaxation, bool packs, hp_precond *P) HP_MUST_USE;
void hp_precond_device_free(hp_device *D, hp_precond *P);
/* Cells, padding included, for which dilu stores blocks on a device. */
int64_t hp_precond_device_places(hp_ordering ordering, int nx, int ny, int nz);
/* Bytes of those blocks; every setup writes all that an application reads. */
int64_t hp_precond_device_pack_bytes(const hp_gh *A, hp_precond_kind kind, hp_ordering ordering,
                                     hp_precision precision);

/* The set-up of dilu in bricks, in the stream; *singular on the device: the first row whose block is singular, -1: none. */
HP_GPU hp_status hp_precond_device_factorize(hp_device *D, const hp_gh *A, const hp_precond *P,
                                             int64_t *singular) HP_MUST_USE;

HP_EXTERN_C_END

#endif
