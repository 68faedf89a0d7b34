/* Block rows in a GPU's memory, for linsolve/product/cuda/blocks.cuh. */
#ifndef HP_LINSOLVE_BSR_DEVICE_H
#define HP_LINSOLVE_BSR_DEVICE_H

#include "core/device/device.h"
#include "core/device/kernels.h"
#include "linsolve/bsr/bsr.h"

HP_EXTERN_C_BEGIN

/* The arrays are the device's. */
typedef struct hp_bsr_device {
  hp_bsr B;
  double *partial; /* [nslot q] sums of the pieces */
} hp_bsr_device;

/* A copy of B; with_values: false leaves values zero. */
hp_status hp_bsr_device_upload(hp_device *D, const hp_bsr *B, bool with_values, hp_bsr_device *out) HP_MUST_USE;
void hp_bsr_device_free(hp_device *D, hp_bsr_device *B);

/* Launches of products in the tune file. Up to q = HP_BSR_WARP_Q they have threads per block (64, 128, 256) and unroll,
 * the columns in flight (2, 4, 8, or 1: whole rows or the default of the q); they do not change bits, and solves take
 * them. Above, threads are those of a strip (hp_bsr_order); they and `cut` change the order of sums and are for benches
 * only. */
hp_kernel_shape hp_bsr_usual_shape(int q);
/* hp_spmv_job's. */
int hp_bsr_unroll_of(const hp_kernel_shape *shape);

enum { HP_BSR_NAME_MAX = 48 };

/* The name of launches there, of matrices that are grids: "blocks q2"; pattern: of another, "blocks q2 tailed". */
void hp_bsr_kernel_name(int q, const char *pattern, char *out, size_t size);

HP_EXTERN_C_END

#endif
